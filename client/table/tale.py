"""What every game tells in the same words: a sentence for an event, and whose deed it was. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from client.table.words import Who
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.mechanics.armies import words
from shared.messages import Said
from shared.tables import LOOKING_ON, THE_TABLE
from shared.vocabulary import events as e


def sentence(event: Event, who: Who) -> str:
    """The chronicle's line for an event that all games know, else nothing."""
    match event:
        case e.BattleBegan():
            return _battle(event, who)
        case e.DiceFell():
            return _dice(event, who)
        case e.Fell():
            return f"{who(event.seat)} loses {words(event.army)} in {BOARD.names[event.space]}."
        case e.Retreated():
            return f"{who(event.seat)} falls back from {BOARD.names[event.source]} to {BOARD.names[event.to]}."
        case e.Conceded():
            return _conceded(event, who)
        case _:
            return ""


def _battle(event: e.BattleBegan, who: Who) -> str:
    where = "in" if event.space < BOARD.provinces else "on"
    return f"{who(event.attacker)} attacks {who(event.defender)} {where} {BOARD.names[event.space]}!"


def _dice(event: e.DiceFell, who: Who) -> str:
    hits = "no hit" if event.hits == 0 else "1 hit" if event.hits == 1 else f"{event.hits} hits"
    return f"{who(event.seat)} rolls {len(event.faces)} {'die' if len(event.faces) == 1 else 'dice'}: {hits}."


def _conceded(event: e.Conceded, who: Who) -> str:
    if event.to == NONE:
        return f"{who(event.seat)} fights on after all."
    return f"{who(event.seat)} would grant {who(event.to)} the victory."


@runtime_checkable
class _Attack(Protocol):
    @property
    def attacker(self) -> Seat: ...


@runtime_checkable
class _Deed(Protocol):
    @property
    def seat(self) -> Seat: ...


@runtime_checkable
class _Victory(Protocol):
    @property
    def winner(self) -> Seat: ...


def whose(event: Event) -> Seat:
    """Who did it: whose mark stands before the line; NONE for what nobody does."""
    match event:
        case _Attack():
            return event.attacker
        case _Deed():
            return event.seat
        case _Victory():
            return event.winner
        case _:
            return NONE


def spoken(said: Said) -> str:
    """A line of chat; who looks on is marked."""
    if said.seat == THE_TABLE:
        return said.text
    mark = " (looking on)" if said.seat == LOOKING_ON else ""
    return f"{said.name}{mark}: {said.text}"


def since(chat: Sequence[Said], last: Said | None) -> list[Said]:
    """What came after that; all where it is no longer kept."""
    found: list[Said] = []
    for said in reversed(chat):
        if said is last:
            break
        found.append(said)
    return found[::-1]
