"""Odds of large battles are computed in another process, and the caller does not wait."""

import sys
import time
from collections.abc import Callable

import pytest

from client.table import odds_worker
from client.table.odds_worker import Counting
from shared.odds import classic
from shared.odds.outcome import Host, Odds, is_quick

LARGE = (Host((9, 9, 9), leaders=1), Host((9, 9, 9), leaders=1))


@pytest.fixture(autouse=True)
def forked_programs() -> None:
    """Start the real program."""


def patiently(ask: Callable[[], Odds | None]) -> Odds:
    """The answer, when it comes."""
    while (odds := ask()) is None:
        time.sleep(0.005)
    return odds


def test_a_small_battle_is_counted_at_once_and_a_large_one_later_with_the_same_result() -> None:
    asked: list[Host] = []

    def odds(attacker: Host, defender: Host, naval: bool) -> Odds:
        asked.append(attacker)
        return classic.odds(attacker, defender, naval)

    odds.__module__ = classic.__name__
    counter, small = Counting(odds), Host((5, 2, 0))
    assert counter.ask(small, small, False) == classic.odds(small, small, False) and asked == [small]
    assert counter.ask(*LARGE, False) is None
    found = patiently(lambda: counter.ask(*LARGE, False))
    assert asked == [small], "nothing large is counted here"
    assert found == classic.odds(*LARGE, False) == counter.ask(*LARGE, False)


def test_another_question_takes_the_place_of_the_one_before() -> None:
    counter = Counting(classic.odds)
    assert counter.ask(Host((60, 60, 60), leaders=2), Host((60, 60, 60), leaders=2), False) is None
    first = counter._process
    assert first is not None
    assert patiently(lambda: counter.ask(*LARGE, False)) == classic.odds(*LARGE, False)
    assert first.wait() != 0, "it was ended"
    counter.stop()


@pytest.mark.parametrize("command", [("/nothing/here",), (sys.executable, "-c", "raise SystemExit(1)")])
def test_odds_are_counted_without_a_worker_process(monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...]) -> None:
    monkeypatch.setattr(odds_worker, "COMMAND", command)
    counter = Counting(classic.odds)
    assert patiently(lambda: counter.ask(*LARGE, False)) == classic.odds(*LARGE, False)


def test_units_of_all_kinds_count() -> None:
    few = Host((3, 0, 0))
    assert is_quick(few, few)
    for many in (Host((99, 9, 9)), Host(galleys=120), Host(lent=(99, 0, 0, 9)), Host(cards=(0, 120, 0, 0))):
        assert not is_quick(few, many) and not is_quick(many, few)
