"""The table on a large screen for all: the board with news in large letters, and nothing to click."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.drawing.qr import painted
from client.language import Who, _
from client.player.clock_presets import HURRY, brief
from client.table import figures
from client.table.battle_playback import AnyBattle, FallenDice, PlaybackStep
from client.table.chronicle import Chronicle, ChronicleLine
from client.table.guide import Guide
from client.table.match import TableCallbacks, TableMatch
from client.table.pane import CARD, Pane, Plates, seat_disc, within
from client.table.position import T
from client.table.scene import PlayerRow, Scene
from client.table.tabletop import Tabletop
from shared.ids import MAX_SEATS, NONE, Seat
from shared.kernel.ruleset import Place

VAST: Final = 30.0
GREAT: Final = 22.0
FAIR: Final = 17.0
LITTLE: Final = 14.0
"""Font sizes (design points); the smallest is for words that need not be read from afar."""
_TITLES: Final = (VAST, 26.0, GREAT, FAIR)
_GAP: Final = 8.0
_HEAD: Final = 34.0
_HIGH: Final = 70.0
"""Height of the names of the columns, and largest height of a row of the standings."""
_WORDS: Final = 236.0
"""Width of the words with the code of the table."""
_LAST: Final = 0.34
"""Width of the last battle, as a share of the chronicle's."""
_BACK: Final = shapes.Plate((66, 44, 30, 255), (44, 30, 21, 255), theme.BRONZE, 1.0, grain=0.3)
_CHIP: Final = shapes.Plate(theme.PARCHMENT_LIGHT, theme.PARCHMENT_DEEP, theme.GOLD, 2.0, radius=8, bevel=0.2)
_ROW: Final = shapes.Plate(
    theme.alpha(theme.IVORY, 130), theme.alpha(theme.IVORY, 90), theme.alpha(theme.BRONZE, 110), 1.0, radius=7
)
_ROW_ON: Final = shapes.Plate((255, 248, 222, 255), (250, 230, 176, 255), theme.TERRACOTTA, 3.0, radius=7)
_ROW_OUT: Final = shapes.Plate(
    theme.alpha(theme.INK_FAINT, 40), theme.alpha(theme.INK_FAINT, 40), theme.alpha(theme.BRONZE, 60), 1.0, radius=7
)


def tall(players: int) -> float:
    """Return the design height that the standings of so many players need."""
    return _HEAD + _HIGH * players + _GAP


class Headline(Pane):
    """Line at the top: round, the seat whose turn it is, its phase, the clock."""

    def __init__(self, game: str) -> None:
        super().__init__()
        self._game = game
        self._scene: Scene | None = None
        self._clock = ""
        self._hurry = False

    def show(self, scene: Scene, seconds: float | None, paused: bool) -> None:
        """Show this scene; `seconds` are left for the decision, unless the match is `paused`."""
        clock = _("Paused") if paused else "" if seconds is None else brief(seconds)
        hurry = seconds is not None and seconds < HURRY and not paused
        if (scene, clock, hurry) != (self._scene, self._clock, self._hurry):
            self._scene, self._clock, self._hurry = scene, clock, hurry
            self.touch()

    def plates(self) -> Plates:
        return [(self.rect, _BACK)]

    def paint(self) -> None:
        if self._scene is None:
            return
        rect, heading = self.rect, self._scene.heading
        x, y = rect.left + theme.px(24), rect.y
        line = shapes.say(heading.words, x, y, size=VAST, title=True, colour=theme.GOLD)
        x += line.content_width + theme.px(26)
        if 0 <= heading.on < len(heading.phases):
            self._phase(heading.phases[heading.on], x, y)
        colour = theme.TERRACOTTA_LIGHT if self._hurry else theme.PARCHMENT_LIGHT
        words = self._clock or self._game
        shapes.say(words, rect.right - theme.px(24), y, size=VAST if self._clock else GREAT, bold=bool(self._clock),
                  title=not self._clock, align="right", colour=colour)  # fmt: skip

    def _phase(self, words: str, x: float, y: float) -> None:
        line = shapes.kept(words, size=GREAT, bold=True, colour=theme.INK, anchor_y="center")
        pad, height = theme.px(16), theme.px(46)
        shapes.plate(arcade.LBWH(x, y - height / 2, line.content_width + 2 * pad, height), _CHIP)
        line.position = round(x + pad), round(y)
        line.draw()


class CardPane(Pane):
    """Pane with a card of its own, in the middle of its place."""

    material = CARD

    @property
    def _card(self) -> Rect:
        return within(self.rect, theme.px(_GAP))

    def plates(self) -> Plates:
        return [*super().plates(), (self._card, self.material)]


class End(Struct, frozen=True):
    """End of a match. `winner`: a seat, or NONE; `checked`: the result of checking the match, "" before."""

    winner: Seat
    words: str
    checked: str


class Now(CardPane):
    """The decision owed and its owner; at the end, the winner."""

    def __init__(self, who: Who) -> None:
        super().__init__()
        self._who = who
        self._scene: Scene | None = None
        self._end: End | None = None

    def show(self, scene: Scene, end: End | None = None) -> None:
        """Show this scene; `end`: the end of the match, if it is over."""
        if (scene, end) != (self._scene, self._end):
            self._scene, self._end = scene, end
            self.touch()

    def paint(self) -> None:
        if self._scene is None:
            return
        card, end = self._card, self._end
        seat, words = (self._scene.prompt.seat, self._scene.prompt.what) if end is None else (end.winner, end.words)
        left, top, bottom = card.left + theme.px(18), card.top - theme.px(12), card.bottom + theme.px(10)
        if seat >= 0:
            side = theme.px(58)
            seat_disc(seat, left + side / 2, top - side / 2, side)
            name = left + side + theme.px(14)
            shapes.say(self._who(seat), name, top - side / 2, size=VAST, bold=True, colour=theme.TERRACOTTA_DEEP,
                      limit=card.right - name - theme.px(10))  # fmt: skip
            top -= side + theme.px(8)
        if end is not None and end.checked:
            checked = fitting(end.checked, card.right - left - theme.px(14), theme.px(24), (LITTLE,))
            checked.position = round(left), round(bottom + checked.content_height)
            checked.draw()
            bottom += checked.content_height + theme.px(4)
        line = fitting(words, card.right - left - theme.px(14), top - bottom)
        line.position = round(left), round(top)
        line.draw()


class Standings(CardPane):
    """List of all players with their standings."""

    def __init__(self, who: Who) -> None:
        super().__init__()
        self._who = who
        self._scene: Scene | None = None
        self._ranks: Mapping[Seat, int] = {}
        self._times: Sequence[str] = ()
        self._over = False

    def show(self, scene: Scene, ranks: Mapping[Seat, int], over: bool = False) -> None:
        """Show this scene; `ranks`: the rank of each seat by the game's rules, shown once the match is `over`."""
        if (scene, ranks, over) != (self._scene, self._ranks, self._over):
            self._scene, self._ranks, self._over = scene, ranks, over
            self.touch()

    def tell_time(self, times: Sequence[str]) -> None:
        """Show the time that each seat has left on its clock; an empty sequence without clocks."""
        if times != self._times:
            self._times = times
            self.touch()

    @property
    def _card(self) -> Rect:
        gap = theme.px(_GAP)
        return arcade.LRBT(self.rect.left + gap, self.rect.right - gap, self.rect.bottom, self.rect.top)

    def paint(self) -> None:
        if self._scene is None:
            return
        card, scene, head = self._card, self._scene, theme.px(_HEAD)
        self._head(card, scene.columns, card.top - head / 2)
        players = sorted(scene.players, key=lambda player: self._ranks.get(player.seat, len(self._ranks)))
        height = min(theme.px(_HIGH), (card.height - head - theme.px(6)) / max(1, len(players)))
        edge = theme.px(7)
        for i, player in enumerate(players):
            top = card.top - head - i * height
            self._row(arcade.LRBT(card.left + edge, card.right - edge, top - height + theme.px(4), top), player)

    def _edges(self, card: Rect) -> list[float]:
        """Return the right edge of each column."""
        return [card.right - theme.px(right) for right in (196.0, 106.0, 20.0)]

    def _head(self, card: Rect, columns: Sequence[str], y: float) -> None:
        for right, words in zip(self._edges(card), columns, strict=True):
            shapes.say(words, right + theme.px(4), y, size=LITTLE - 1, colour=theme.INK_SOFT, align="right",
                      limit=theme.px(84))  # fmt: skip

    def _row(self, row: Rect, player: PlayerRow) -> None:
        person = player.person
        marked = self._ranks.get(player.seat) == 1 if self._over else player.owes
        shapes.plate(row, _ROW_OUT if person.out else _ROW_ON if marked else _ROW)
        side = min(theme.px(46), row.height - theme.px(6))
        self._mark(player.seat, row, side)
        left, ink = row.left + side + theme.px(18), theme.INK_FAINT if person.out else theme.INK
        edges = self._edges(self._card)
        room = (edges[0] - theme.px(44) if not person.out else row.right - theme.px(8)) - left
        second = self._second(player)
        y = row.y + row.height * 0.18
        shapes.say(player.name, left, y, size=GREAT - 2, bold=True, colour=ink, limit=room)
        shapes.say(second, left, row.y - row.height * 0.22, size=LITTLE - 1, colour=theme.INK_SOFT,
                  limit=row.right - left - theme.px(8))  # fmt: skip
        if not person.out:
            for right, number in zip(edges, person.numbers, strict=True):
                shapes.say(str(number), right, y, size=GREAT, bold=True, colour=ink, align="right")

    def _mark(self, seat: Seat, row: Rect, side: float) -> None:
        """Draw the seat's marker at the beginning of its row; at the end of the match with its rank beside it."""
        if self._over:
            place = theme.px(20)
            shapes.say(f"{self._ranks[seat]}.", row.left + theme.px(6), row.y, size=FAIR, bold=True,
                      colour=theme.TERRACOTTA_DEEP)  # fmt: skip
            side, row = side - place, arcade.LRBT(row.left + place, row.right, row.bottom, row.top)
        seat_disc(seat, row.left + theme.px(8) + side / 2, row.y, side)

    def _second(self, player: PlayerRow) -> str:
        if player.person.out:
            return _("fallen")
        time = self._times[player.seat] if player.seat < len(self._times) else ""
        return " · ".join(filter(None, (time, player.person.about, player.status)))


class LastBattle(Struct, frozen=True):
    """The last battle: the last dice of either side."""

    title: str
    rolls: tuple[FallenDice, ...]


def draw_battle(battle: LastBattle, rect: Rect) -> None:
    """Draw the last battle, which stays beside the chronicle after it is over."""
    edge = theme.px(12)
    arcade.draw_line(rect.left, rect.bottom + edge, rect.left, rect.top - edge, theme.alpha(theme.BRONZE, 150), 1)
    left, y = rect.left + edge, rect.top - theme.px(20)
    shapes.say(battle.title, left, y, size=LITTLE, bold=True, colour=theme.TERRACOTTA_DEEP,
              limit=rect.width - 2 * edge)  # fmt: skip
    for roll in battle.rolls:
        y -= theme.px(37)
        _draw_roll(roll, arcade.LRBT(left, rect.right - edge, y - theme.px(16), y + theme.px(16)))


def _draw_roll(roll: FallenDice, row: Rect) -> None:
    """Draw the seat that rolled, the dice, and their result."""
    seat_disc(roll.seat, row.left + row.height / 2, row.y, row.height * 0.86)
    words = shapes.kept(roll.words, size=LITTLE, bold=True, anchor_y="center",
                       colour=theme.TERRACOTTA_DEEP if roll.hits else theme.INK_SOFT)  # fmt: skip
    left, right = row.left + row.height * 1.25, row.right - words.content_width
    step = min(row.height, (right - left - theme.px(8)) / max(1, len(roll.faces)))
    for i, face in enumerate(roll.faces):
        at = arcade.XYWH(left + step * (i + 0.5), row.y, step * 0.92, step * 0.92)
        arcade.draw_texture_rect(figures.figure(face, figures.size_for(at.width)), at)
    words.position = round(right), round(row.y)
    words.draw()


class RecentEvents(CardPane):
    """The last events in sentences, the newest first."""

    def __init__(self, chronicle: Chronicle) -> None:
        super().__init__()
        self._chronicle = chronicle
        self._lines: Sequence[ChronicleLine] = ()
        self._last_step: PlaybackStep[AnyBattle] | None = None
        """The step of a battle that is being shown; the battle is told here when it is over."""
        self._battle: LastBattle | None = None

    def follow(self) -> None:
        """Update the lines if the chronicle changed."""
        lines = self._chronicle.lines[-6:]
        if lines != self._lines:
            self._lines = lines
            self.touch()

    def witness(self, title: Callable[[Any], str], beat: PlaybackStep[Any] | None) -> None:
        """Note the step of a battle that is being shown. The dice of the step before it are remembered."""
        before, self._last_step = self._last_step, beat
        if before is None or before is beat:
            return
        self.touch()
        rolls = (*before.lying, before.roll) if before.roll is not None else before.lying
        if rolls:
            self._battle = LastBattle(title(before.fight), rolls[-2:])

    def paint(self) -> None:
        card = self._card
        if self._battle is not None and self._last_step is None:
            width = card.width * _LAST
            draw_battle(self._battle, arcade.LRBT(card.right - width, card.right, card.bottom, card.top))
            card = arcade.LRBT(card.left, card.right - width, card.bottom, card.top)
        top, left = card.top - theme.px(8), card.left + theme.px(14)
        for i, line in enumerate(reversed(self._lines)):
            size, disc = (GREAT - 2, theme.px(34)) if not i else (FAIR - 1, theme.px(26))
            words = left + theme.px(48)
            text = shapes.kept(line.words, size=size, bold=line.loud or not i, width=card.right - words - theme.px(12),
                              italic=line.said and bool(i), colour=self._colour(line, i))  # fmt: skip
            if top - text.content_height < card.bottom + theme.px(4):
                break
            seat_disc(line.seat, left + theme.px(20), top - disc / 2, disc)
            text.position = round(words), round(top)
            text.draw()
            top -= max(text.content_height, disc) + theme.px(4)

    @staticmethod
    def _colour(line: ChronicleLine, back: int) -> theme.Colour:
        colour = theme.LAPIS if line.said else theme.TERRACOTTA_DEEP if line.loud else theme.INK
        return theme.alpha(colour, 255 if back < 2 else 190)


class TableLinks(Struct, frozen=True):
    """Ways to the table: the link for a camera, the code, and the address at which it is typed."""

    link: str
    code: str
    address: str


class Entrance(CardPane):
    """Instructions to come and play, or look on."""

    material = shapes.DARK

    def __init__(self) -> None:
        super().__init__()
        self._way = TableLinks("", "", "")

    def show(self, way: TableLinks) -> None:
        """Show these ways to the table."""
        if way != self._way:
            self._way = way
            self.touch()

    def paint(self) -> None:
        if not self._way.link:
            return
        card, pad = self._card, theme.px(14)
        side = min(card.height - 2 * pad, card.width - theme.px(_WORDS))
        width = draw_qr(self._way.link, arcade.LBWH(card.left + pad, card.y - side / 2, side, side))
        self._words(arcade.LRBT(card.left + width + theme.px(24), card.right - pad, card.bottom + pad, card.top - pad))

    def _words(self, rect: Rect) -> None:
        y = rect.y + theme.px(44)
        shapes.say(_("Come and watch"), rect.left, y, size=FAIR, colour=theme.PARCHMENT, limit=rect.width)
        shapes.say(self._way.code or _("no code needed"), rect.left, y - theme.px(44), size=VAST, title=True,
                  colour=theme.GOLD, limit=rect.width)  # fmt: skip
        shapes.say(self._way.address, rect.left, y - theme.px(86), size=LITTLE, colour=theme.PARCHMENT_DEEP,
                  limit=rect.width)  # fmt: skip


def draw_qr(words: str, rect: Rect) -> float:
    """Draw words as a code for a camera, as large as fits; return its width (pixels)."""
    ratio = arcade.get_window().get_pixel_ratio()
    texture = painted(words, int(min(rect.width, rect.height) * ratio))
    side = float(texture.width / ratio)
    at = arcade.XYWH(round(rect.left + side / 2), round(rect.y), side, side)
    arcade.draw_texture_rect(texture, at, pixelated=True)
    return side


def fitting(words: str, width: float, height: float, sizes: Sequence[float] = _TITLES) -> arcade.Text:
    """Return the words in the largest font that fits; else in the smallest."""
    for size in sizes:
        line = shapes.kept(words, size=size, colour=theme.INK, width=width)
        if line.content_height <= height:
            break
    return line


_TOP: Final = 72.0
_LOW: Final = 138.0
_NOW: Final = 156.0
_DOOR: Final = (146.0, 300.0)
"""Design heights: the line above the board, the chronicle below it, the decision owed, and the entrance at least and at
most. A larger code can be read by a camera from farther away."""
_SIDE: Final = 0.35
"""Width of the right side, as a share of the window's."""
_BATTLE: Final = 1.7
"""Scale of battles on the large screen."""
_READ: Final = 20.0
"""Seconds after which a sheet that a player would have to close elsewhere closes by itself."""


class Parts(Struct, frozen=True):
    """Rectangles of the window for all parts."""

    headline: Rect
    board: Rect
    recent_events: Rect
    now: Rect
    standings: Rect
    door: Rect


def split(width: float, height: float, seats: int) -> Parts:
    """Return the parts of a window of that size, for so many players."""
    top, low, now = (round(theme.px(high)) for high in (_TOP, _LOW, _NOW))
    left, under = round(width * (1 - _SIDE)), height - top
    least, most = (theme.px(high) for high in _DOOR)
    door = round(min(most, max(least, under - now - theme.px(tall(seats)))))
    return Parts(
        headline=arcade.LBWH(0, under, width, top),
        board=arcade.LRBT(0, left, low, under),
        recent_events=arcade.LBWH(0, 0, left, low),
        now=arcade.LRBT(left, width, under - now, under),
        standings=arcade.LRBT(left, width, door, under - now),
        door=arcade.LRBT(left, width, 0, door),
    )


class LargeTable(Tabletop[T]):
    """Public view of a match. It has no controls: everything of interest comes into sight by itself."""

    def __init__(self, match: TableMatch[T], guide: Guide[T], callbacks: TableCallbacks, entrance: Entrance) -> None:
        super().__init__(match, guide, callbacks)
        self.headline, self.now, self.standings, self.recent_events = (
            Headline(guide.name), Now(match.name), Standings(match.name), RecentEvents(self.chronicle),
        )  # fmt: skip
        self._public = (self.headline, self.now, self.standings, self.recent_events, entrance)
        self.stage.largest = _BATTLE
        self._checked = ""
        """Result of checking the match, once it is over."""
        self._lain = 0.0
        """Seconds for which a sheet has been open that may close."""
        for sheet in self.sheets:
            sheet.by_itself = True
        self.pointer.end_tip()  # There is no mouse, so that no tooltip may come.

    @property
    def panes(self) -> tuple[Pane, ...]:
        return self._public if self.sheet is None else (self.sheet, *self._public)

    def place(self, width: float, height: float) -> None:
        self._size = width, height
        there = self.match.view is not None
        parts = split(width, height, self.events.latest_position.seats if there else MAX_SEATS)
        self.layout.sheet_area = parts.board
        places = (parts.headline, parts.now, parts.standings, parts.recent_events, parts.door)
        for pane, rect in zip(self._public, places, strict=True):
            pane.place(rect)
        self.board.glide.leave()
        self.board.glide.arrive()
        self.board.place(parts.board)
        self.layout.attack.over(parts.board)
        if self.sheet is not None:
            self.sheet.over(parts.board)
        if there:
            self._place_stage()
            self.follow()
            self.show_board()

    def follow(self) -> None:
        super().follow()
        if self.match.view is not None:
            scene, position = self.events.scene(), self.events.position
            places, over = self.match.rules.standings(position), self.match.finished and not self.events.busy
            self._tell_time(scene)
            self.now.show(scene, self._end(scene, places) if over else None)
            self.standings.show(scene, {place.seat: place.rank for place in places}, over)
            self.recent_events.follow()

    def tell_checked(self, words: str) -> None:
        """Show the result of checking the match."""
        if words != self._checked:
            self._checked = words
            self.follow()

    def _end(self, scene: Scene, places: Sequence[Place]) -> End:
        """Return the winner, or the seat in the lead if the players agreed to end the match."""
        if scene.winner != NONE:
            return End(scene.winner, f"{scene.prompt.what}. {scene.prompt.how}", self._checked)
        best = [place.seat for place in places if place.rank == 1]
        if len(best) != 1:
            return End(NONE, _("Ended by agreement: a tie"), self._checked)
        return End(best[0], _("In the lead at the agreed end"), self._checked)

    def _tell_time(self, scene: Scene) -> None:
        self.headline.show(scene, self.match.seconds_left(), self.match.paused)
        self.standings.tell_time(tuple(map(brief, self.match.times())))

    def update(self, seconds: float) -> bool:
        changed = super().update(seconds)
        if self.layout.header.scene is not None:
            self._tell_time(self.layout.header.scene)
        self.recent_events.witness(self.playback.battle_scene.title, self.playback.beat)
        self._turn_over(seconds)
        return changed or self.stale

    def _turn_over(self, seconds: float) -> None:
        """Close a sheet after enough time to read it."""
        read = self.sheet is not None and not self.sheet.stays()
        self._lain = self._lain + seconds if read else 0.0
        if self._lain > _READ:
            self.lay(None)
            self.follow()

    def draw(self) -> None:
        self.display.draw()
        self.stage.draw()
        for pane in self._public:
            pane.draw()
        if self.sheet is not None:
            self.sheet.draw()
        self.events.moments.draw(self.board.rect)
