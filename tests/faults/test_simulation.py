"""Simulated worlds in small number, and that they would notice: `tests.faults.simulation` brings thousands."""

import asyncio
from typing import Any

import msgspec
import pytest

from server.lobby.wakeups import Wakeups
from server.matches.match import AcceptedAction, Match
from server.matches.running_match import RunningMatch
from server.matches.seating import SeatHolder
from server.matches.undo import Undoable
from shared.clocks import Clocks
from shared.history import Entry, chain
from shared.rulesets.registry import RULESETS, ruleset
from tests.faults import simulation
from tests.faults.simulation import VirtualLoop
from tests.support.marks import with_releases


@pytest.mark.long
def test_faults_lose_double_or_mix_nothing() -> None:
    assert simulation.first_wrong(range(30)) is None


@pytest.mark.exhaustive
def test_faults_in_many_worlds() -> None:
    assert simulation.first_wrong(range(100, 400)) is None


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(RULESETS, "classic"))
def test_faults_in_real_games(game: str) -> None:
    assert simulation.first_wrong(range(20), ruleset(game)) is None


def test_a_seed_tells_all_that_happens() -> None:
    assert [simulation.run(seed) for seed in range(5)] == [simulation.run(seed) for seed in range(5)]
    assert len({simulation.run(seed).trace for seed in range(5)}) == 5


def _forgets(*_: object) -> None:
    """No command was ever answered."""


_tail = Match.tail


def _skips(self: Match, audience: int, have: int) -> list[bytes] | None:
    """Return all missed frames but the first."""
    missed = _tail(self, audience, have)
    return missed and missed[1:]


_log = RunningMatch._log


def _hurries(self: RunningMatch, match: Match, step: AcceptedAction) -> "asyncio.Future[bytes]":
    """Takes for kept what is only on its way to the disk."""
    kept = _log(self, match, step)
    kept.add_done_callback(lambda future: future.cancelled() or future.exception())
    done: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    check = self._table.check
    for entry in step.entries:
        check = chain(check, msgspec.msgpack.encode(entry))
    done.set_result(check)
    return done


def _offers_one(self: SeatHolder) -> bytes:
    """Makes void what was offered before."""
    self.record.offered = b""
    return _offer(self)


_offer = SeatHolder.offer_token


_after = Undoable.after


def _overlooks(self: Undoable, entry: Entry, before: Any, is_open: bool) -> Undoable:
    """Takes what another did meanwhile for nothing."""
    return self if entry.seat != self.seat and self.decisions else _after(self, entry, before, is_open)


_position = RunningMatch._position


async def _misses(self: RunningMatch, match: Match, to: int) -> Any:
    """The position before the one that is wished."""
    return await _position(self, match, max(0, to - 1))


_used = Clocks.used


def _charges(self: Clocks, seat: int, at: int) -> int:
    """More than a decision took."""
    return _used(self, seat, at) + 1000


async def _ages(self: Wakeups) -> None:
    """Faster than time goes."""
    await self._services.store.keep_age(self._services.age.now + 60_000)


@pytest.mark.parametrize(
    ("owner", "name", "mutant", "word"),
    [
        (Match, "answer_again", _forgets, "kept and refused"),
        (Match, "tail", _skips, "came after"),
        (RunningMatch, "_log", _hurries, "acknowledged and not kept"),
        (Undoable, "after", _overlooks, "not one's own alone"),
        (RunningMatch, "_position", _misses, "the log cannot be followed"),
        (Clocks, "used", _charges, "more time than there was"),
        (Wakeups, "_save", _ages, "accepted at no time"),
        pytest.param(SeatHolder, "offer_token", _offers_one, "no end", marks=pytest.mark.exhaustive),
    ],
    ids=[
        "forgets answers",
        "resumes from the wrong version",
        "acknowledges too early",
        "undoes what others did",
        "goes back too far",
        "charges too much",
        "ages too fast",
        "offers one token",
    ],
)
def test_broken_positions_are_noticed(
    monkeypatch: pytest.MonkeyPatch, owner: type, name: str, mutant: Any, word: str
) -> None:
    monkeypatch.setattr(owner, name, mutant)
    outcomes = map(simulation.run, range(100 if mutant is not _offers_one else 1000))
    assert any(word in wrong for outcome in outcomes for wrong in outcome.wrong)


def test_time_passes_only_where_nothing_is_to_be_done() -> None:
    async def sleepers() -> list[float]:
        loop = asyncio.get_running_loop()
        woken: list[float] = []

        async def sleep(seconds: float) -> None:
            await asyncio.sleep(seconds)
            woken.append(round(loop.time(), 3))

        await asyncio.gather(sleep(3600.0), sleep(0.5), sleep(0.0), sleep(60.0))
        return woken

    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        assert runner.run(sleepers()) == [0.0, 0.5, 60.0, 3600.0]


def test_waiting_for_nothing_is_noticed() -> None:
    async def wait() -> None:
        await asyncio.get_running_loop().create_future()

    with pytest.raises(simulation.Standstill), asyncio.Runner(loop_factory=VirtualLoop) as runner:
        runner.run(wait())
