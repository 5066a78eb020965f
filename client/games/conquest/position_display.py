"""Display of a position of a conquest game: its pieces, its roads, the tribute scale below the board."""

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import accumulate, pairwise
from math import dist
from typing import Final

import arcade
from arcade import shape_list
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.curves import across, curved, strip
from client.drawing.theme import Colour
from client.games.conquest.player_text import PHASES, active, person_words, phase, round_words
from client.games.conquest.position_queries import T, leader_colour, present, prisoners
from client.games.conquest.space_tooltip import describe
from client.language import Who, _
from client.table.geography import Geography, Point
from client.table.ground import Tint, owned
from client.table.guide import Heading, Look, Person
from client.table.motion import Leap, force_pictures
from client.table.pane import Plates, seat_disc
from client.table.piece_placement import PiecePlacement, camp, moored, place_group
from client.table.pieces import ARMS, Force, Pick, Token, leader_picture
from client.table.status_strip import StatusStrip
from shared.board import BOARD
from shared.ids import MAX_SEATS, NONE, Position, Seat, Space
from shared.kernel.frames import Event
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import ABOARD, OFF, living
from shared.mechanics.table import Built
from shared.rulesets.conquest.pieces import galley_lord, leaders_at
from shared.rulesets.conquest.table import TableFields
from shared.vocabulary import events as e


def arrange(table: TableFields, geography: Geography) -> list[PiecePlacement]:
    """Place all pieces of a position. Pieces that cannot stand elsewhere choose their place first."""
    provinces = range(BOARD.provinces)
    cities = [crowd for space in provinces for crowd in _building_pieces(table, geography, space)]
    camps = [crowd for space in provinces for crowd in _forces(table, geography, space)]
    markers = [crowd for space in provinces for crowd in _marker(table, geography, space)]
    return [*cities, *camps, *_fleets(table, geography), *markers]


def _building_pieces(table: TableFields, geography: Geography, space: Space) -> Iterator[PiecePlacement]:
    built, city = table.built[space], geography.spaces[space].city
    if built and city is not None:
        picture = "fortified" if built == Built.FORTIFIED else "city"
        pick = Pick("city", space, table.owner[space])
        yield place_group(space, city, [Token(f"city:{space}", picture, city, pick, size=1.25)])


def forces(table: TableFields, space: Space) -> list[Force]:
    """Return the forces of all seats in a province, the owner first."""
    units = table.units[space]
    return [Force(seat, army_of(units, seat), leaders_at(table, seat, space)) for seat in present(table, space)]


def _forces(table: TableFields, geography: Geography, space: Space) -> Iterator[PiecePlacement]:
    there = forces(table, space)
    if there:
        yield camp(space, there, geography.heart(space), table.leaders_each)


def _marker(table: TableFields, geography: Geography, space: Space) -> Iterator[PiecePlacement]:
    """Place the owner's marker in a province where the owner has no other pieces."""
    owner = table.owner[space]
    if owner != NONE and owner not in present(table, space):
        pick, heart = Pick("marker", space, owner), geography.heart(space)
        yield place_group(space, heart, [Token(f"marker:{space}", f"marker_{owner}", heart, pick, size=0.85)])


def _fleets(table: TableFields, geography: Geography) -> Iterator[PiecePlacement]:
    ports: dict[Position, dict[Seat, list[int]]] = {}
    for galley, position in enumerate(table.galley_at):
        if position != OFF:
            ports.setdefault(position, {}).setdefault(galley_lord(table, galley), []).append(galley)
    for position, fleets in ports.items():
        ships = [ship for seat in range(MAX_SEATS) for ship in _ships(table, position, seat, fleets.get(seat, []))]
        laid = [list(_ship(table, token, geography.place(position))) for token in ships]
        yield moored(BOARD.ashore[position], geography.place(position), laid)


def _ships(table: TableFields, position: Position, seat: Seat, galleys: list[int]) -> Iterator[Token]:
    """Yield a seat's galleys: empty ones as one stack, laden ones one by one."""
    laden = [g for g in galleys if table.cargo[g] or ABOARD + g in table.leader_at]
    empty = sorted((g for g in galleys if g not in laden), key=lambda g: table.galley_used[g])
    if empty:
        # A click on the stack takes the galley that can still sail farthest.
        pick = Pick("galley", position, seat, empty[0])
        yield Token(f"galley:{empty[0]}", f"galley_{seat}", (0, 0), pick, size=1.2, count=len(empty))
    for galley in laden:
        yield Token(f"galley:{galley}", f"galley_{seat}", (0, 0), Pick("galley", position, seat, galley), size=1.3)


def _ship(table: TableFields, token: Token, at: Point) -> Iterator[Token]:
    """Yield a galley, and on it its leaders and the number of units that it carries."""
    galley, seat = token.pick.piece, token.pick.seat
    yield Token(token.key, token.picture, at, token.pick, 0.0, 0.0, token.size, token.count)
    leaders = leaders_at(table, seat, ABOARD + galley)
    for i, leader in enumerate(leaders):
        picture = leader_picture(table, leader, seat)
        yield Token(f"leader:{leader}", picture, at, token.pick, -0.2 + 0.3 * i, 0.42, 0.62)
    cargo = table.cargo[galley] if galley < len(table.cargo) else ()
    if cargo:
        arm = max(range(3), key=lambda k: cargo[k])
        picture = f"{ARMS[arm]}_{seat}"
        yield Token(f"cargo:{galley}", picture, at, token.pick, 0.32, -0.3, 0.62, sum(cargo))


_EDGE: Final = (74, 54, 38, 255)
_STONE: Final = (214, 196, 160, 255)
_JOINT: Final = (140, 116, 84, 255)
_BED: Final = 17.0
_PAVED: Final = 11.5
"""Widths of the road with its kerbs, and of its stones, in pixels of the painting."""
_SLAB: Final = 13.0
"""Length of a stone; the stones of both lanes lie staggered."""
_SQUARE: Final = 15.0
"""Radius of the paved square at both ends."""

Shapes = shape_list.ShapeElementList[shape_list.Shape]


class Roads:
    """Layer with the roads. Its shapes are built anew only when the roads have changed."""

    def __init__(self, geography: Geography) -> None:
        self._geography = geography
        self._built: tuple[int, ...] = ()
        self._shapes: Shapes | None = None

    def show(self, table: TableFields) -> None:
        """Show the roads of a position."""
        if tuple(table.roads) == self._built:
            return
        self._built = tuple(table.roads)
        self._shapes = shape_list.ShapeElementList()
        lines = [curved(self._geography.roads[road]) for road in self._built]
        # All beds come before all stones, so that roads which meet run into each other.
        for width, colour in ((_BED, _EDGE), (_PAVED, _STONE)):
            for line in lines:
                self._shapes.append(_strip(line, width, colour))
                for end in (line[0], line[-1]):
                    radius = _SQUARE - (_BED - width) / 2
                    self._shapes.append(shape_list.create_ellipse_filled(*end, radius * 2, radius * 2, colour, 0, 32))
        for line in lines:
            for a, b in _stone_joints(line):
                self._shapes.append(shape_list.create_line(*a, *b, _JOINT, 2.0))

    def draw(self) -> None:
        """Draw the roads. The caller has set the world's projection."""
        if self._shapes is not None and self._built:
            self._shapes.draw()


def _strip(line: Sequence[Point], width: float, colour: Colour) -> shape_list.Shape:
    """Return a strip of even width along a line."""
    edges = [point for pair in strip(line, width) for point in pair]
    return shape_list.create_triangles_strip_filled_with_colors(edges, [colour] * len(edges))


def _stone_joints(line: Sequence[Point]) -> Iterator[tuple[Point, Point]]:
    """Yield the gaps between stones: one along the middle, and across it one by one to the left and to the right."""
    yield from pairwise(line)
    lengths = list(accumulate((dist(a, b) for a, b in pairwise(line)), initial=0.0))
    side = 1.0
    for n in range(1, int(lengths[-1] / _SLAB * 2)):
        i = next(i for i, far in enumerate(lengths) if far >= n * _SLAB / 2)
        dx, dy = across(line, i, side * _PAVED / 2)
        x, y = line[i]
        yield (x, y), (x + dx, y + dy)
        side = -side


_END: Final = 260
_DISC: Final = 17.0
"""Design width of a player's disc. The discs lie below the numbers, side by side."""
_PAPER: Final = shapes.Plate(theme.PARCHMENT_LIGHT, theme.PARCHMENT_DEEP, theme.BRONZE_DEEP, 1.5, radius=4, grain=0.14)


class _Payer(Struct, frozen=True):
    seat: Seat
    name: str
    tribute: int


class TributeScale(StatusStrip[TableFields]):
    """Strip below the board with the tribute scale."""

    _payers: tuple[_Payer, ...] = ()
    """Players from the lowest tribute to the highest."""
    _marks: tuple[int, ...] = ()
    """Tributes from which prices rise."""
    _done: tuple[bool, ...] = ()
    """Whether each of these marks was reached."""

    def read(self, table: TableFields, who: Who) -> object:
        payers = [_Payer(seat, who(seat), table.marker[seat]) for seat in living(table)]
        self._payers = tuple(sorted(payers, key=lambda payer: payer.tribute))
        self._done = tuple([seat != NONE for seat in table.triggered])
        self._marks = table.inflation_marks
        return self._payers, self._marks, self._done

    @property
    def _end(self) -> int:
        most = max((payer.tribute for payer in self._payers), default=0)
        # In steps of 20: a scale that changed with every talent would be hard to compare.
        return max(_END, (most + 19) // 20 * 20)

    def _x(self, tribute: int) -> float:
        left, right = self.rect.left + theme.px(114), self.rect.right - theme.px(22)
        return left + (right - left) * tribute / self._end

    def plates(self) -> Plates:
        rect, edge = self.rect, theme.px(3)
        paper = arcade.LRBT(rect.left + theme.px(4), rect.right - theme.px(4), rect.bottom + edge, rect.top - edge)
        return [*super().plates(), (paper, _PAPER)]

    def paint(self) -> None:
        rect, y = self.rect, self.rect.y
        shapes.say(_("TRIBUTE"), rect.left + theme.px(14), y, size=theme.BODY, title=True, colour=theme.TERRACOTTA_DEEP)
        base = rect.bottom + theme.px(7)
        for tribute in range(0, self._end + 1, 5):
            tall = theme.px(10 if tribute % 50 == 0 else 6 if tribute % 10 == 0 else 3)
            arcade.draw_line(self._x(tribute), base, self._x(tribute), base + tall, theme.INK_FAINT, 1)
        for level, mark in enumerate(self._marks):
            x = self._x(mark)
            arcade.draw_line(x, rect.bottom + theme.px(5), x, rect.top - theme.px(5), self._mark_colour(level), 2)
        for number in self.numbers():
            number.draw()
        for seat, disc in self.discs():
            seat_disc(seat, disc.x, disc.y, disc.width)

    def _mark_colour(self, level: int) -> theme.Colour:
        return theme.INK_FAINT if self._done[level] else theme.TERRACOTTA

    def numbers(self) -> list[arcade.Text]:
        """Return the texts above the scale: its numbers, and where inflation begins."""
        steps = range(0, self._end + 1, 50)
        # A plain number so near to a mark would lie under the mark's words.
        plain = [step for step in steps if all(abs(step - mark) > 5 for mark in self._marks)]
        texts = [self._number(str(tribute), tribute, theme.INK_FAINT) for tribute in plain]
        for level, mark in enumerate(self._marks):
            texts.append(
                self._number(
                    _("{mark}  prices ×{what}", mark=mark, what=level + 2), mark, self._mark_colour(level), bold=True
                )
            )
        return texts

    def _number(self, words: str, tribute: int, colour: theme.Colour, bold: bool = False) -> arcade.Text:
        size = theme.SMALL if bold else theme.SMALL - 1
        text = shapes.kept(words, size=size, colour=colour, bold=bold, anchor_y="center")
        text.position = round(self._x(tribute) + theme.px(4)), round(self.rect.top - theme.px(9))
        return text

    def discs(self) -> list[tuple[Seat, Rect]]:
        """Return the players' discs below the numbers, clear of them and of each other."""
        y, side = self.rect.bottom + theme.px(11), theme.px(_DISC)
        return [(payer.seat, arcade.XYWH(x, y, side, side)) for payer, x in self._spots()]

    def _spots(self) -> list[tuple[_Payer, float]]:
        """Return the middle of each disc. Discs that would overlap move apart to both sides."""
        step = theme.px(_DISC)
        heaps: list[list[_Payer]] = []
        for payer in self._payers:
            heaps.append([payer])
            # A merged heap has another middle, so that it may now touch the one before it, too.
            while len(heaps) > 1 and self._heaps_overlap(heaps[-2], heaps[-1], step):
                heaps[-2:] = [heaps[-2] + heaps[-1]]
        return [(payer, self._first(heap, step) + i * step) for heap in heaps for i, payer in enumerate(heap)]

    def _heaps_overlap(self, heap: Sequence[_Payer], other: Sequence[_Payer], step: float) -> bool:
        """Whether a heap of discs overlaps the next."""
        return self._first(heap, step) + len(heap) * step > self._first(other, step)

    def _first(self, heap: Sequence[_Payer], step: float) -> float:
        """Return the middle of the first of several discs side by side, as near to their tributes as possible."""
        middle = sum(self._x(payer.tribute) for payer in heap) / len(heap)
        first = middle - (len(heap) - 1) * step / 2
        return min(max(first, self._x(0)), self.rect.right - theme.px(8) - (len(heap) - 0.5) * step)

    def tip(self, x: float, y: float) -> str:
        if not self.holds(x, y):
            return ""
        for payer, at in self._spots():
            if abs(x - at) < theme.px(_DISC / 2):
                return _("{name} collects {tribute} talents of tribute a turn.", name=payer.name, tribute=payer.tribute)
        for level, mark in enumerate(self._marks):
            if abs(x - self._x(mark)) < theme.px(9):
                times = (_("double"), _("triple"))[level]
                return _(
                    "Once a player's tribute reaches {mark}, prices {times} from that player's next turn on, for all.",
                    mark=mark,
                    times=times,
                )
        return ""


LOUD: Final = (e.TurnBegan, e.BattleBegan, e.Conquered, e.Eliminated, e.InflationTriggered, e.PricesRose, e.Won)

_COLUMNS: Final = _("Talents"), _("Tribute"), _("Lands")


def look(leaders: int, phases: Sequence[int], worth: Callable[[T, Space], int]) -> Look[T]:
    """Return the display of such a position.

    `leaders`: of each colour. `phases`: the phase by `Turn.step`. `worth`: tribute of a province.
    """
    return Look(
        board="board.jpg",
        heading=partial(_heading, phases),
        columns=_COLUMNS,
        person=_person,
        strip=TributeScale,
        sheets=(),
        layers=(Roads,),
        arrange=arrange,
        forces=forces,
        leaders=leaders,
        tints=_tints,
        describe=partial(describe, each=leaders, worth=worth),
        leaps=partial(_leaps, leaders),
        loud=LOUD,
    )


def _heading(phases: Sequence[int], table: TableFields) -> Heading:
    return Heading(round_words(table), active(table), PHASES, phase(table, phases))


def _person(table: TableFields, seat: Seat, who: Who) -> Person:
    home = BOARD.names[table.home[seat]] if table.home[seat] != NONE else ""
    badges = tuple([f"general_{leader_colour(table, x)}" for x in prisoners(table, seat)])
    numbers = (table.talents[seat], table.marker[seat], table.owner.count(seat))
    return Person(home, numbers, badges, table.lord[seat] != seat, person_words(table, seat, who))


def _tints(table: TableFields) -> dict[Space, Tint]:
    """Return the provinces' tints: the colours of their owners."""
    return {space: owned(owner) for space, owner in enumerate(table.owner) if owner != NONE}


def _leaps(leaders: int, event: Event, _before: TableFields | None, geography: Geography) -> Sequence[Leap]:
    return list(_moved(leaders, event, geography))


def _moved(leaders: int, event: Event, geography: Geography) -> Iterator[Leap]:
    match event:
        case e.Marched() | e.Retreated():
            heart = geography.heart
            pictures = force_pictures(event.seat, event.leaders, event.army, leaders)
            yield Leap(pictures, heart(event.source), heart(event.to), event.to)
        case e.Sailed():
            place = geography.place
            crew = force_pictures(event.seat, event.leaders, event.army, leaders)[:2]
            pictures = (f"galley_{event.seat}", *crew)
            yield Leap(pictures, place(event.source), place(event.to), BOARD.ashore[event.to])
        case _:
            pass
