"""Damaged messages in small number; `tests.faults.messages` brings millions."""

import random
from typing import Any

import pytest

from server.matches.members import Members
from tests.faults import messages
from tests.faults.mutants import WAYS
from tests.support.marks import mostly_long


@pytest.mark.parametrize("seed", mostly_long(range(2), 0))
async def test_invalid_messages_are_refused_and_players_continue(seed: int) -> None:
    verdict = await messages.in_process(5000, seed)
    assert verdict.faults == []
    assert verdict.sent >= 5000 and verdict.accepted
    assert len(verdict.refused) > 20, "they went deep"


@pytest.mark.exhaustive
async def test_invalid_messages_in_great_number() -> None:
    verdict = await messages.in_process(100_000, 7)
    assert verdict.faults == []
    assert len(verdict.blocks) == 5


@pytest.mark.long
async def test_over_sockets_too() -> None:
    verdict = await messages.over_sockets(2000, 1)
    assert verdict.faults == []
    assert verdict.refused["bad-message"] and verdict.refused["no-table"]


async def test_an_exception_anywhere_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: Any) -> None:
        raise KeyError("planted")

    monkeypatch.setattr(Members, "say", broken)
    verdict = await messages.in_process(5000, 1)
    assert any("planted" in fault for fault in verdict.faults)


@pytest.mark.long
async def test_memory_leaks_are_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[list[str]] = []

    def leaking(*_: object) -> bool:
        kept.append([str(number) for number in range(500, 1000)])
        return True

    monkeypatch.setattr(messages, "GENERATION", 500)
    monkeypatch.setattr(Members, "is_confirmed", leaking)
    verdict = await messages.in_process(2500, 1)
    assert any("stay behind" in fault for fault in verdict.faults)


def test_each_way_of_damage_does_some() -> None:
    rng = random.Random(1)
    for way in WAYS:
        assert any(way(rng, b"\x93\x0a\x01\xa3Ave", b"\x92\x0b\x00") != b"\x93\x0a\x01\xa3Ave" for _ in range(5))
