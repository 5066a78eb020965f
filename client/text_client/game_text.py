"""Texts of a game: a value for each rule set, with all that the text client cannot know itself. Pure functions."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic

from msgspec import Struct

from client.drawing.chapters import Pages
from client.language import Who, _
from client.table.odds_description import BattleOdds
from client.table.position import T
from client.table.words import fights
from shared.actions.grammar import PhraseContext
from shared.board import BOARD
from shared.ids import Seat, Space
from shared.kernel.frames import Event
from shared.language.sentence import Prompt, Sentence
from shared.odds.outcome import ATTACKER, DEFENDER


class TextPage(Struct, frozen=True):
    """Page on the position. `about`: its purpose. `lines`: its lines, given the words after its name."""

    about: str
    lines: Callable[[PhraseContext, str], Sequence[str]]


class GameText(Struct, Generic[T], frozen=True):
    """Texts of one game.

    `heading`: round and phase. `person`: a player's status. `pieces`: pieces of a player, named as in commands.
    `sheets`: further pages, by their command. `battle_odds`: the odds of its battles. `rules`: the rules in
    short. The rest is as in `Guide`.
    """

    tell: Callable[[Event], Sentence | None]
    prompt: Callable[[T], Prompt]
    living: Callable[[T], Sequence[Seat]]
    heading: Callable[[T], str]
    person: Callable[[T, Seat, Who], str]
    describe: Callable[[T, Space, Who], str]
    borders: Callable[[T, Space], Sequence[str]]
    pieces: Callable[[PhraseContext, Seat], Sequence[str]]
    sheets: Mapping[str, TextPage]
    battle_odds: BattleOdds[T]
    rules: Pages


def battle_lines(fight: Any, scene: PhraseContext, force: Callable[[Any], str], who: Who | None = None) -> list[str]:
    """Return place and round of a battle and its sides. `fight`: as a game's `battle_state` reads it, None without a
    battle. `force`: the words for a side's pieces. `who`: names of sides that are no players, too."""
    if fight is None:
        return [_("There is no battle now.")]
    lines = [_("Battle: {place}, round {n}.", place=BOARD.names[fight.space], n=fight.round)]
    for camp, side in ((ATTACKER, fight.attacker), (DEFENDER, fight.defender)):
        said = fights(camp, (who or scene.who)(side.seat), mine=side.seat == scene.seat, many=False)
        lines.append(f"{said}: {force(side)}.")
    return lines
