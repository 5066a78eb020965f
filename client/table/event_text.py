"""Texts that all games share: a sentence for an event, and the seat that caused it. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

from client.language import _, heard, ngettext
from client.network.table_events import Asked, WentBack
from client.table import motions
from client.table.words import Who, army_words
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.messages import Said
from shared.tables import LOOKING_ON, THE_TABLE
from shared.vocabulary import events as e


def sentence(event: Event, who: Who) -> str:
    """Return the chronicle's line for an event that all games know, else ""."""
    match event:
        case WentBack():
            return _back(event, who)
        case Asked():
            return motions.told(event, who)
        case e.BattleBegan():
            return _battle(event, who)
        case e.DiceFell():
            return _dice(event, who)
        case e.Fell():
            return _(
                "{who} loses {text} in {place}.",
                who=who(event.seat),
                text=army_words(event.army),
                place=BOARD.names[event.space],
            )
        case e.Retreated():
            return _(
                "{who} falls back from {source} to {to}.",
                who=who(event.seat),
                source=BOARD.names[event.source],
                to=BOARD.names[event.to],
            )
        case e.Conceded():
            return _conceded(event, who)
        case _:
            return ""


def _back(event: WentBack, who: Who) -> str:
    if event.seat == NONE:
        return _("All agreed to go back: what came after counts no more.")
    return _("{who} takes back the last decision.", who=who(event.seat))


def _battle(event: e.BattleBegan, who: Who) -> str:
    named = {"who": who(event.attacker), "whom": who(event.defender), "place": BOARD.names[event.space]}
    if event.space < BOARD.provinces:
        return _("{who} attacks {whom} in {place}!", **named)
    return _("{who} attacks {whom} on {place}!", **named)


def _dice(event: e.DiceFell, who: Who) -> str:
    hits = ngettext("{n} hit", "{n} hits", event.hits) if event.hits else _("no hit")
    rolled = len(event.faces)
    return ngettext(
        "{who} rolls {n} die: {hits}.", "{who} rolls {n} dice: {hits}.", rolled, who=who(event.seat), hits=hits
    )


def _conceded(event: e.Conceded, who: Who) -> str:
    if event.to == NONE:
        return _("{who} fights on after all.", who=who(event.seat))
    return _("{who} would grant {who2} the victory.", who=who(event.seat), who2=who(event.to))


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
    """Return the seat that caused an event, whose mark stands before the line; NONE if there is none."""
    match event:
        case Asked():
            return event.poll.seat if event.fresh else NONE
        case _Attack():
            return event.attacker
        case _Deed():
            return event.seat
        case _Victory():
            return event.winner
        case _:
            return NONE


def spoken(said: Said) -> str:
    """Return a line of chat; spectators are marked."""
    if said.seat == THE_TABLE:
        return heard(said.text)
    mark = _(" (looking on)") if said.seat == LOOKING_ON else ""
    return f"{said.name}{mark}: {said.text}"


def since(chat: Sequence[Said], last: Said | None) -> list[Said]:
    """Return the chat after `last`; all of it if `last` is no longer kept."""
    found: list[Said] = []
    for said in reversed(chat):
        if said is last:
            break
        found.append(said)
    return found[::-1]
