"""A game in words: a value for each rule set, which the table in words asks for all that only that game knows. Pure."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Generic

from msgspec import Struct

from client.language import _
from client.table.battle_odds import BattleOdds
from client.table.position import T
from client.table.prompts import Prompt
from client.table.words import Who
from client.text_client.grammar import Grammar, Scene
from shared.board import BOARD
from shared.ids import Seat, Space
from shared.kernel.frames import Event, Frame


class Sheet(Struct, frozen=True):
    """A page of the position. `about`: what it is good for. `lines`: what it says, given the words behind its name."""

    about: str
    lines: Callable[[Scene, str], Sequence[str]]


class GameText(Struct, Generic[T], frozen=True):
    """See the module's docstring. `heading`: round and phase. `person`: how a player stands. `pieces`: what a player
    has, piece by piece, as commands call it. `sheets`: further pages, by the word that asks for them. `reckoning`: the
    odds of its battles. The rest is as in `Guide`."""

    grammar: Grammar
    tell: Callable[[Event, Who], str]
    prompt: Callable[[T, Frame, Who], Prompt | None]
    winners: Callable[[T], Sequence[Seat]]
    living: Callable[[T], Sequence[Seat]]
    heading: Callable[[T], str]
    person: Callable[[T, Seat, Who], str]
    describe: Callable[[T, Space, Who], str]
    borders: Callable[[T, Space], Sequence[str]]
    pieces: Callable[[Scene, Seat], Sequence[str]]
    sheets: Mapping[str, Sheet]
    battle_odds: BattleOdds[T]


def battle_words(space: Space, number: int) -> str:
    """Where a battle is fought."""
    return _("Battle: {place}, round {n}.", place=BOARD.names[space], n=number)


def side_words(who: str, attacking: bool, force: str) -> str:
    """One side of a battle."""
    if attacking:
        return _("{who} attacks: {force}.", who=who, force=force)
    return _("{who} defends: {force}.", who=who, force=force)
