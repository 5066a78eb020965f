"""Display of a position of the second game: the heading, the players, the pieces, the strip below the board."""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from math import ceil
from typing import Final

import arcade
from msgspec import Struct
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.drawing.icons import TOKEN, victory
from client.drawing.widgets import Button, ButtonKind
from client.games.cote2.player_text import active, person_words, phase_words, round_words, standing
from client.games.cote2.sheets import SHEETS
from client.games.cote2.sheets.card_names import NUMERALS
from client.games.cote2.space_tooltip import describe
from client.keyboard.keys import told
from client.language import Who, _
from client.table.geography import Geography, Point
from client.table.ground import Tint, owned
from client.table.guide import Heading, Look, Person
from client.table.motion import Leap, force_pictures
from client.table.pane import Plates
from client.table.piece_placement import PATIENCE, Group, PiecePlacement, camp, moored, place_group
from client.table.pieces import Force, Pick, Token
from client.table.status_strip import StatusStrip
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.armies import army_of
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.options import SEASONS, actions_each, rounds_each, victory_numbers
from shared.rulesets.cote2.property import influence_of
from shared.rulesets.cote2.state import LEADERS, OFF, TableFields, galleys_at, leaders_at
from shared.vocabulary.events import BattleBegan, Retreated

_STAKES: Final[dict[str, Point]] = {
    "achaia": (2044, 820), "asia": (2420, 850), "egyptus": (2790, 180), "galatia": (2684, 806),
    "hispania": (400, 1345), "italia": (1400, 1385), "mesopotamia": (3385, 558), "narbonensis": (800, 1395),
    "neapolis": (1689, 1120), "numidia": (1090, 555), "sicilia": (1527, 880),
}  # fmt: skip
"""Positions of victory numbers and influence of key provinces, beside the pieces, as far as there is room."""
_SIZE, _GAP, _ROW_HIGH = 0.66, 0.05, 0.7
"""Height of these tokens, gap within a row, and distance of rows, in figures."""
_SMALLER: Final = 0.8
"""Share of that size that is tried before tokens are left out."""
_OUTSIDE: Final = 460.0
"""Largest cost of a place for all tokens: in the sea beside the province, with a line to it."""
_LEADERS: Final = 2
"""Largest number of equal leaders that the short form names."""

_Entry = tuple[str, str, int]
"""Key, picture and count of a token."""


def arrange(table: TableFields, geography: Geography) -> list[PiecePlacement]:
    """Place all pieces of a position. Pieces that cannot stand elsewhere choose their place first."""
    provinces, zones = range(BOARD.provinces), range(BOARD.provinces, BOARD.spaces)
    cities = [crowd for space in provinces for crowd in _city(table, geography, space)]
    camps = [
        camp(space, there, geography.heart(space), LEADERS)
        # The fullest provinces first: large camps find room in the fewest places.
        for space, there in sorted(enumerate(forces(table, space) for space in provinces), key=lambda s: -len(s[1]))
        if there
    ]
    stakes = [crowd for space in KEYS if (crowd := _stake_pieces(table, space)) is not None]
    return [*cities, *camps, *stakes, *[crowd for zone in zones for crowd in _fleets(table, zone, geography)]]


def forces(table: TableFields, space: Space) -> list[Force]:
    """Return the forces of all seats in a province, the owner of the city first."""
    found = [
        Force(seat, army_of(table.units[space], seat), leaders_at(table, seat, space)) for seat in range(table.seats)
    ]
    there = [force for force in found if any(force.army) or force.leaders]
    return sorted(there, key=lambda force: force.seat != table.owner[space])


def _city(table: TableFields, geography: Geography, space: Space) -> Iterator[PiecePlacement]:
    """Place a city, with its owner's marker."""
    at = geography.spaces[space].city or geography.heart(space)
    if table.built[space]:
        owner = table.owner[space]
        pick = Pick("city", space, owner)
        tokens = [Token(f"city:{space}", "city", at, pick, size=1.25)]
        if owner != NONE:
            tokens.append(Token(f"lord:{space}", f"marker_{owner}", at, pick, 0.42, -0.34, 0.55))
        yield place_group(space, at, tokens)


def _stake_pieces(table: TableFields, space: Space) -> PiecePlacement | None:
    """Place victory numbers and tokens for sale of a key province, and below them influence, most first.

    Where there is no room, only the highest number and the leading players are shown; the tooltip has the rest.
    """
    numbers = [(f"victory:{space}:{i}", victory(n), 0) for i, n in enumerate(victory_numbers(table, space))]
    for_sale = [(f"tokens:{space}", TOKEN, table.tokens[space])] if table.tokens[space] else []
    held = sorted(enumerate(table.influence[space]), key=lambda pair: -pair[1])
    influence = [(f"influence:{space}:{seat}", f"marker_{seat}", count) for seat, count in held if count]
    half = len(influence) if len(influence) < 3 else ceil(len(influence) / 2)
    rows = [row for row in ([*numbers, *for_sale], influence[:half], influence[half:]) if row]
    leading = [entry for entry in influence if entry[2] == influence[0][2]][:_LEADERS]
    short = [row for row in ([*numbers[:1], *(leading or for_sale)],) if row]
    if not short:
        return None
    at = _STAKES[BOARD.keys[space]]
    # From the best to the least: all tokens before few, large before small, near before far.
    ways = ((rows, 1.0, PATIENCE), (rows, _SMALLER, PATIENCE), (rows, _SMALLER, _OUTSIDE), (short, 1.0, PATIENCE),
            (short, _SMALLER, PATIENCE))  # fmt: skip
    return PiecePlacement(
        tuple((_tied_group(space, at, _rows(which, at, space, size), most),) for which, size, most in ways)
    )


def _tied_group(space: Space, at: Point, tokens: Iterable[Token], patience: float) -> Group:
    return Group(space, at, tuple(tokens), True, patience)


def _rows(rows: Sequence[Sequence[_Entry]], at: Point, space: Space, size: float) -> Iterator[Token]:
    """Yield rows below each other, around a common middle."""
    for i, row in enumerate(rows):
        yield from _row(row, at, space, ((len(rows) - 1) / 2 - i) * _ROW_HIGH * size, _SIZE * size)


def _row(entries: Sequence[_Entry], at: Point, space: Space, dy: float, size: float) -> Iterator[Token]:
    """Yield tokens side by side, each with its count beside it."""
    tokens = [
        Token(key, picture, at, Pick("marker", space, NONE), 0.0, dy, size, count) for key, picture, count in entries
    ]
    widths = [token.box[2] - token.box[0] for token in tokens]
    left = -(sum(widths) + _GAP * (len(tokens) - 1)) / 2
    for token, width in zip(tokens, widths, strict=True):
        yield replace(token, dx=left - token.box[0])
        left += width + _GAP


def _fleets(table: TableFields, zone: Space, geography: Geography) -> Iterator[PiecePlacement]:
    """Place the galleys of all seats in a sea zone, one picture each with their number."""
    at = geography.heart(zone)
    fleets = [(seat, galleys_at(table, seat, zone)) for seat in range(table.seats)]
    there = [
        [Token(f"fleet:{zone}:{seat}", f"galley_{seat}", at, Pick("galley", zone, seat, galleys[0]), size=1.2,
               count=len(galleys))]
        for seat, galleys in fleets
        if galleys
    ]  # fmt: skip
    if there:
        yield moored(zone, at, there)


def leaps(event: Event, before: TableFields | None, geography: Geography) -> Sequence[Leap]:
    """Return the moves of pieces that an event causes."""
    heart = geography.heart
    match event:
        case e.Marched(seat=seat, source=source, to=to, leaders=leaders, army=army, by_sea=by_sea):
            force = force_pictures(seat, leaders, army, LEADERS)
            pictures = (f"galley_{seat}", *force[:2]) if by_sea else force
            return [Leap(pictures, heart(source), heart(to), to)]
        case Retreated(seat=seat, source=source, to=to, leaders=leaders, army=army):
            return [Leap(force_pictures(seat, leaders, army, LEADERS), heart(source), heart(to), to)]
        case e.Sailed(seat=seat, galleys=galleys, to=to) if before is not None:
            # Galleys of one action may come from several zones.
            starts = {before.galley_at[galley] for galley in galleys} - {OFF, to}
            return [Leap((f"galley_{seat}",), heart(start), heart(to), to) for start in sorted(starts)]
        case _:
            return []


_BUTTON: Final = 104.0
"""Least design width of a button; longer words get as much as they need."""
_PAPER: Final = shapes.Plate(theme.PARCHMENT_LIGHT, theme.PARCHMENT_DEEP, theme.BRONZE_DEEP, 1.5, radius=4, grain=0.14)
_DONE: Final = shapes.Plate(theme.BRONZE_LIGHT, theme.BRONZE, theme.BRONZE_DEEP, 1.0, radius=11)
_NOW: Final = shapes.Plate(theme.TERRACOTTA_LIGHT, theme.TERRACOTTA_DEEP, theme.GOLD, 2.0, radius=11)
_TO_COME: Final = shapes.Plate(
    theme.alpha(theme.IVORY, 120), theme.alpha(theme.IVORY, 60), theme.INK_FAINT, 1.0, radius=11
)


class _Time(Struct, frozen=True):
    """Season and round, from 1, and their numbers; the actions of a turn."""

    seasons: int = 0
    season: int = 0
    rounds: int = 0
    round: int = 0
    actions: int = 0


class Track(StatusStrip[TableFields]):
    """Strip below the board with the track and the buttons of the sheets."""

    _time = _Time()

    def read(self, table: TableFields, who: Who) -> object:
        self._time = _Time(table.options[SEASONS], table.season, rounds_each(table), table.round, actions_each(table))
        return self._time

    def build(self) -> None:
        rect = self.rect
        right, height = rect.right - theme.px(8), rect.height - theme.px(8)
        # Laid from the right edge to the left.
        for sheet in reversed(self.sheets):
            width = Button.width(sheet.caption, _BUTTON)
            at = arcade.LBWH(right - width, rect.y - height / 2, width, height)
            kind: ButtonKind = "primary" if sheet is self.opened else "plain"
            tip = sheet.about if sheet.key is None else f"{sheet.about} ({told(sheet.key)})"
            action = partial(self.toggle, sheet)
            self.ui.add(Button(at, sheet.caption, action, kind=kind, tip=tip, size=theme.BODY))
            right -= width + theme.px(6)

    def plates(self) -> Plates:
        rect, edge = self.rect, theme.px(4)
        captions = sum(Button.width(sheet.caption, _BUTTON) + theme.px(6) for sheet in self.sheets)
        right = rect.right - theme.px(12) - captions
        paper = arcade.LRBT(rect.left + edge, right, rect.bottom + edge - 1, rect.top - edge + 1)
        return [*super().plates(), (paper, _PAPER)]

    def paint(self) -> None:
        x = self._steps(self.rect.left + theme.px(14), _("SEASON"), NUMERALS[: self._time.seasons], self._time.season)
        self._steps(x + theme.px(22), _("ROUND"), [str(n + 1) for n in range(self._time.rounds)], self._time.round)

    def _steps(self, x: float, title: str, names: list[str] | tuple[str, ...], now: int) -> float:
        """Draw a row of discs, the present one lit. Return the x at which it ends."""
        y, side = self.rect.y, theme.px(23)
        line = shapes.say(title, x, y, size=theme.BODY, title=True, colour=theme.TERRACOTTA_DEEP)
        x += line.content_width + theme.px(10)
        for i, name in enumerate(names, 1):
            look = _NOW if i == now else _DONE if i < now else _TO_COME
            shapes.plate(arcade.LBWH(x, y - side / 2, side, side), look)
            colour = theme.INK_SOFT if i > now else theme.IVORY
            shapes.say(name, x + side / 2, y, size=theme.SMALL, bold=i == now, align="center", colour=colour)
            x += side + theme.px(4)
        return x

    def tip(self, x: float, y: float) -> str:
        words = super().tip(x, y)
        if words or not self.holds(x, y):
            return words
        time = self._time
        return _(
            "Season {season} of {seasons}, round {round} of {rounds}: in every round each player has {actions} "
            "actions. After the last round come taxes and points.",
            season=time.season,
            seasons=time.seasons,
            round=time.round,
            rounds=time.rounds,
            actions=time.actions,
        )


def heading(table: TableFields) -> Heading:
    """Return the heading above the board."""
    return Heading(round_words(table), active(table), *phase_words(table))


def person(table: TableFields, seat: Seat, who: Who) -> Person:
    """Return a player's line: points, talents and influence, and below the name the alliance and holdings."""
    numbers = (table.points[seat], table.talents[seat], influence_of(table, seat))
    return Person(" · ".join(standing(table, seat)), numbers, (), False, person_words(table, seat, who))


def tints(table: TableFields) -> dict[Space, Tint]:
    """Return the provinces' tints: a province with a city has the colour of its owner."""
    return {space: owned(owner) for space, owner in enumerate(table.owner) if table.built[space] and owner != NONE}


LOOK: Final[Look[TableFields]] = Look(
    board="board_plain.jpg",
    heading=heading,
    columns=(_("Points"), _("Talents"), _("Influence")),
    person=person,
    strip=Track,
    sheets=SHEETS,
    layers=(),
    arrange=arrange,
    forces=forces,
    leaders=LEADERS,
    tints=tints,
    describe=describe,
    leaps=leaps,
    loud=(e.SeasonBegan, e.TurnBegan, BattleBegan, e.Allied, e.CityBuilt, e.CityTaken, e.VoteWon, e.Won),
)
