"""Preview of the next turn for one province, step by step: the reach of its army, then the attacks that threaten it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, Generic

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import theme
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import Who, _, ngettext
from client.table.army_reach import ArmyReach, Landing, owners
from client.table.ground import Tint
from client.table.guide import Guide
from client.table.odds_worker import Counting
from client.table.position import T
from client.table.task import FIGHT, GO, HERE
from client.table.text_plate import TextPlate
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.mechanics.armies import plus
from shared.odds.attack import Question, Threat, asked
from shared.odds.outcome import ATTACKER, Odds, percent

_WIDE: Final = 330.0
_MOST: Final = 5
"""Number of attacks that are named."""
_REACH, _THREATS = 1, 2


class Danger(Struct, frozen=True):
    """Attack on a province that is possible in an enemy's next turn. `source`: where the army comes from, NONE for
    several armies together. `armies`: their number; `sails`: it comes by sea."""

    seat: Seat
    source: Space
    question: Question
    armies: int = 1
    sails: bool = False


def dangers(table: T, space: Space, holder: Seat, guide: Guide[T]) -> list[Danger]:
    """Return the attacks on a province over land, by sea, and by all armies of an enemy together, the strongest
    first."""
    found = []
    for seat in range(table.seats):
        if seat != holder and guide.battle_scene.battle_odds.foes(table, seat, holder):
            found += _attacks(table, space, seat, holder, guide)
    return sorted(found, key=lambda danger: -sum(danger.question.hosts[0].army))


def _attacks(table: T, space: Space, seat: Seat, holder: Seat, guide: Guide[T]) -> list[Danger]:
    """Return the attacks of one enemy: each army alone, and several together."""
    present = guide.battle_scene.battle_odds.present

    def danger(source: Space, army: Army, leaders: int, armies: int, *, sails: bool) -> Danger:
        question = asked(present, table, seat, Threat(holder, space, army, leaders))
        return Danger(seat, source, question, armies, sails)

    alone = []
    for source in range(BOARD.provinces):
        if source != space and seat in table.units[source][::4]:
            reach = guide.reach(table, seat, source)
            army = _coming(reach, space)
            if any(army):
                alone.append(Landing(source, army, reach.leaders))
    sailing = [one for one in guide.landings(table, seat, space) if one.source not in [other.source for other in alone]]
    found = [danger(one.source, one.army, one.leaders, 1, sails=False) for one in alone]
    found += [danger(one.source, one.army, one.leaders, 1, sails=True) for one in sailing]
    joined = sorted([*alone, *sailing], key=lambda one: -sum(one.army))[: guide.marches]
    if len(joined) > 1:
        army = NO_ARMY
        for one in joined:
            army = plus(army, one.army)
        leaders = sum(one.leaders for one in joined)
        found.append(danger(NONE, army, leaders, len(joined), sails=False))
    return found


def _coming(reach: ArmyReach, space: Space) -> Army:
    if space in reach.spaces:
        return reach.army
    return (0, reach.army[1], 0) if space in reach.riders else (0, 0, 0)


class ProvincePreview(TextPlate, Generic[T]):
    """Plate in the corner of the board, and the tints that go with it."""

    has_buttons = False

    def __init__(self, guide: Guide[T], who: Who) -> None:
        super().__init__()
        self._guide = guide
        self._who = who
        self._counting = Counting(guide.battle_scene.battle_odds.odds)
        self._step = 0
        self._space: Space = NONE
        self._dangers: list[Danger] = []
        self._known: dict[Danger, Odds] = {}
        self._heading = ""
        self._lines: tuple[str, ...] = ()
        self.tints: Mapping[Space, Tint] = {}

    @property
    def lines(self) -> Sequence[str]:
        return self._lines

    @property
    def space(self) -> Space:
        """The province that is previewed, or NONE."""
        return self._space if self._step else NONE

    def turn(self, table: T, space: Space, seat: Seat) -> None:
        """Show the next step for a province: the reach of its army, its dangers, nothing. `seat`: the player's own."""
        step = self._step + 1 if space == self._space else _REACH
        self.close()
        self._space = space
        if step == _REACH:
            step = self._show_reach(table, space, seat)
        if step == _THREATS:
            self._show_threats(table, space, seat)
        self._step = step if step <= _THREATS else 0
        self.over(self._board)

    def close(self) -> bool:
        """Hide it; return False if it was hidden."""
        shown, self._step, self._lines, self.tints = bool(self._step), 0, (), {}
        self._counting.stop()
        self._dangers, self._known = [], {}
        return shown

    def _show_reach(self, table: T, space: Space, seat: Seat) -> int:
        """Show the reach of the army there; return the next step if there is no army."""
        there = owners(table.units[space])
        mine = seat if seat in there else next((owner for owner in there if owner < table.seats), NONE)
        reach = self._guide.reach(table, mine, space) if mine != NONE else None
        if reach is None or not reach.spaces:
            return _THREATS
        enemies = {to for to in (*reach.spaces, *reach.riders) if self._fights(table, mine, to)}
        self.tints = {space: HERE, **{to: FIGHT if to in enemies else GO for to in (*reach.spaces, *reach.riders)}}
        self._heading = _("Next turn")
        words = [_("{who} can march from {place} over land to all lit provinces.", who=self._who(mine),
                   place=BOARD.names[space])]  # fmt: skip
        if reach.riders:
            names = ", ".join(BOARD.names[to] for to in sorted(reach.riders))
            words.append(_("Only cavalry reaches {places}.", places=names))
        self._lines = *words, _("{key} again: the threats to it", key=told(Command.PREVIEW))
        return _REACH

    def _fights(self, table: T, seat: Seat, to: Space) -> bool:
        foes = self._guide.battle_scene.battle_odds.foes
        return any(other < table.seats and foes(table, seat, other) for other in table.units[to][::4] if other != seat)

    def _show_threats(self, table: T, space: Space, seat: Seat) -> None:
        there = owners(table.units[space])
        own = seat in there or table.owner[space] == seat
        holder = seat if own else table.owner[space] if table.owner[space] != NONE else next(iter(there), NONE)
        self._dangers = dangers(table, space, holder, self._guide) if 0 <= holder < table.seats else []
        self._heading = _("Threats to {place}", place=BOARD.names[space])
        self.tints = {space: HERE, **{BOARD.ashore[danger.source]: FIGHT for danger in self._dangers
                                        if danger.source != NONE}}  # fmt: skip
        self._count()

    def _count(self) -> bool:
        """Ask for odds, one after the other; return whether the words changed."""
        for danger in self._dangers[:_MOST]:
            if danger not in self._known:
                odds = self._counting.ask(*danger.question.hosts, False)
                if odds is None:
                    break
                self._known[danger] = odds
        before = self._lines
        none = _("No enemy can reach it next turn.")
        self._lines = tuple(map(self._line, self._dangers[:_MOST])) or (none,)
        return self._lines != before

    def _line(self, danger: Danger) -> str:
        odds = self._known.get(danger)
        chance = "…" if odds is None else percent(odds.wins(ATTACKER))
        who, n = self._who(danger.seat), sum(danger.question.hosts[0].army)
        units = ngettext("{n} unit", "{n} units", n)
        if danger.source == NONE:
            return _("{who} with {armies} armies together, {units}: {chance} to win", who=who, armies=danger.armies,
                     units=units, chance=chance)  # fmt: skip
        source = BOARD.names[danger.source]
        if danger.sails:
            return _("{who} by sea from {source} with {units}: {chance} to win", who=who, source=source, units=units,
                     chance=chance)  # fmt: skip
        return _("{who} from {source} with {units}: {chance} to win", who=who, source=source, units=units,
                 chance=chance)  # fmt: skip

    def update(self, seconds: float) -> None:
        super().update(seconds)
        if len(self._known) < len(self._dangers[:_MOST]) and self._count():
            self.over(self._board)

    def over(self, board: Rect) -> None:
        self._board = board
        wide, gap = min(theme.px(_WIDE), board.width * 0.6), theme.px(8)
        high = self.tall(wide)
        self.place(arcade.LBWH(board.left + gap, board.top - gap - high, wide, high))

    def paint(self) -> None:
        self.paint_words(NONE, self._heading)
