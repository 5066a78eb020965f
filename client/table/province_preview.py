"""Preview of the next turn for a province: its reach, then attacks that threaten it; and a list of its forces."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final, Generic

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.tooltip import place_tooltip
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import Who, _, ngettext
from client.table import figures
from client.table.army_reach import ArmyReach, Landing, owners
from client.table.geography import Point
from client.table.ground import Tint
from client.table.guide import Guide
from client.table.odds_worker import Counting
from client.table.pane import seat_disc
from client.table.pieces import ARMS, Force, leader_figure
from client.table.position import T
from client.table.task import FIGHT, GO, HERE
from client.table.text_plate import TextPlate
from client.table.words import force_line
from shared.board import BOARD
from shared.ids import NO_ARMY, NONE, Army, Seat, Space
from shared.mechanics.armies import plus
from shared.odds.attack import AttackQuestion, Threat, asked
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
    question: AttackQuestion
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
        self._odds: dict[Danger, Odds] = {}
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

    def turn(self, table: T, space: Space, seat: Seat) -> bool:
        """Show the next step for a province: the reach of its army, its dangers, nothing. `seat`: the player's own.

        Elsewhere than on a province go on with the last one; return False without one.
        """
        space = space if 0 <= space < BOARD.provinces else self.space
        if space == NONE:
            return False
        step = self._step + 1 if space == self._space else _REACH
        self.close()
        self._space = space
        if step == _REACH:
            step = self._show_reach(table, space, seat)
        if step == _THREATS:
            self._show_threats(table, space, seat)
        self._step = step if step <= _THREATS else 0
        self.over(self._board)
        return True

    def close(self) -> bool:
        """Hide it; return False if it was hidden."""
        shown, self._step, self._lines, self.tints = bool(self._step), 0, (), {}
        self._counting.stop()
        self._dangers, self._odds = [], {}
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
            if danger not in self._odds:
                odds = self._counting.ask(*danger.question.hosts, False)
                # One large battle at a time: asking for the next would stop the count of this one.
                if odds is None:
                    break
                self._odds[danger] = odds
        before = self._lines
        none = _("No enemy can reach it next turn.")
        self._lines = tuple(map(self._line, self._dangers[:_MOST])) or (none,)
        return self._lines != before

    def _line(self, danger: Danger) -> str:
        odds = self._odds.get(danger)
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
        if len(self._odds) < len(self._dangers[:_MOST]) and self._count():
            self.over(self._board)

    def over(self, board: Rect) -> None:
        self._board = board
        width, gap = min(theme.px(_WIDE), board.width * 0.6), theme.px(8)
        height = self.tall(width)
        self.place(arcade.LBWH(board.left + gap, board.top - gap - height, width, height))

    def paint(self) -> None:
        self.paint_words(NONE, self._heading)


_SIDE: Final = 30.0
"""Height of a picture."""
_STEP: Final = 30.0
_NAME: Final = 120.0
"""Width of a name with its disc."""
_ROW: Final = 36.0
_PAD: Final = 9.0
_WIDTH: Final = 330.0
"""Largest width of the words."""
_MANY: Final = 3
"""Number of leaders of one kind above which they are one picture with their number."""


def pictures(force: Force, each: int) -> list[tuple[str, int]]:
    """Return the pieces of a force as pictures, each with its number of pieces. `each`: number of leaders per colour,
    the Caesar first."""
    return [*_leaders(force, each), *[(f"{ARMS[k]}_{force.seat}", n) for k, n in enumerate(force.army) if n]]


def _leaders(force: Force, each: int) -> Iterator[tuple[str, int]]:
    names = [leader_figure(leader, force.seat, each) for leader in sorted(force.leaders, key=lambda x: x % each)]
    for name in dict.fromkeys(names):
        count = names.count(name)
        yield from [(name, count)] if count > _MANY else [(name, 1)] * count


def beside(words: str, forces: Sequence[Force], who: Who, each: int) -> str:
    """Return the words about a province without the lines about its forces, which are drawn."""
    shown = {force_line(who, force.seat, force.leaders, force.army, each) for force in forces}
    return "\n".join(line for line in words.split("\n") if line not in shown)


def draw_province_list(
    words: str, forces: Sequence[Force], who: Who, each: int, at: Point, spoken: Rect, avoid: Iterable[Rect]
) -> None:
    """Draw the list beside a point of the window, see `place_tooltip`. `words`: the words about the province."""
    rows = [(force.seat, pictures(force, each)) for force in forces]
    pad, height, name = theme.px(_PAD), theme.px(_ROW), theme.px(_NAME)
    words = beside(words, forces, who, each)
    label = shapes.kept(words, size=theme.SMALL, colour=theme.IVORY, width=theme.px(_WIDTH))
    longest = max(len(row) for _, row in rows)
    width = max(label.content_width, name + theme.px(_STEP) * longest + pad) + 2 * pad
    tall = label.content_height + height * len(rows) + 2.5 * pad
    window = arcade.get_window()
    place = place_tooltip((width, tall), at, spoken, avoid, (window.width, window.height))
    left, top = place.left, place.top
    shapes.plate(place, shapes.TIP)
    label.position = round(left + pad), round(top - pad)
    label.draw()
    middle = top - 1.5 * pad - label.content_height - height / 2
    for seat, row in rows:
        seat_disc(seat, left + pad + theme.px(11), middle, theme.px(22))
        shapes.say(who(seat), left + pad + theme.px(28), middle, size=theme.BODY, colour=theme.IVORY,
                  limit=name - theme.px(34))  # fmt: skip
        _draw_row(row, left + pad + name, middle)
        middle -= height


def _draw_row(row: Sequence[tuple[str, int]], left: float, y: float) -> None:
    side, step = theme.px(_SIDE), theme.px(_STEP)
    for i, (picture, count) in enumerate(row):
        x = left + step * i + side / 2
        shapes.piece(picture, arcade.XYWH(x, y, side, side))
        if count > 1:
            _draw_number(count, x + side * 0.3, y - side * 0.28)


def _draw_number(count: int, x: float, y: float) -> None:
    ratio = arcade.get_window().get_pixel_ratio()
    disc = figures.number(count, round(theme.px(14) * ratio))
    arcade.draw_texture_rect(disc, arcade.XYWH(x, y, disc.width / ratio, disc.height / ratio))
