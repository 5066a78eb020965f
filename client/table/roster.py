"""Upper part of the right side: the decision owed now, its owner, and the list of players."""

from collections.abc import Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.scrolling import scroll_bar
from client.language import Who, _
from client.player.clock_presets import HURRY, brief
from client.table.pane import CARD, Pane, Plates, seat_disc
from client.table.prompts import others_turn
from client.table.scene import PlayerRow, Scene
from shared.ids import NATURE, NONE, Seat

NOW: Final = 142.0
BRIEF: Final = 118.0
"""Height of the part above news, with only the decision owed."""
EDGE: Final = 8.0
"""Space below the decision owed, if nothing else stands there."""
ROW: Final = 48.0
_BAR: Final = 8.0
_CLOSE: Final = 44.0
"""Least height of a player's row."""
HEAD: Final = 26.0
_FOOT: Final = 6.0
_LEAST: Final = 84.0
"""Least height of the decision owed, where there is no room for all players below it."""
_USUAL: Final = theme.SMALL + 0.5
"""Font size of the instruction for the decision."""
_SECOND: Final = (theme.SMALL - 0.5, theme.SMALL - 2)
"""Font sizes of a player's second line."""
_DISC: Final = 38.0
_COLUMNS: Final = (134.0, 76.0, 12.0)
"""Distance of each column's right edge from the right."""
_ROW: Final = shapes.Plate(
    theme.alpha(theme.IVORY, 130), theme.alpha(theme.IVORY, 90), theme.alpha(theme.BRONZE, 110), 1.0, radius=5
)
_ROW_ON: Final = shapes.Plate((255, 248, 222, 255), (250, 230, 176, 255), theme.TERRACOTTA, 2.0, radius=5)
_ROW_OUT: Final = shapes.Plate(
    theme.alpha(theme.INK_FAINT, 40), theme.alpha(theme.INK_FAINT, 40), theme.alpha(theme.BRONZE, 60), 1.0, radius=5
)


def height(players: int) -> float:
    """Return the design height of this part for so many players."""
    return NOW + HEAD + ROW * players + 26


class Roster(Pane):
    """Pane with the decision owed and the list of players."""

    def __init__(self, who: Who) -> None:
        super().__init__()
        self._who = who
        self.scene: Scene | None = None
        self._first = 0
        """Index of the first visible row, where there is no room for all."""
        self._times: tuple[str, ...] = ()
        self._hurry: frozenset[Seat] = frozenset()

    def tell_time(self, seconds: Sequence[float]) -> None:
        """Show the seconds that each seat has left on its clock; an empty sequence without clocks."""
        times, hurry = tuple(map(brief, seconds)), frozenset(i for i, left in enumerate(seconds) if left < HURRY)
        # Compared as words: the pane is painted when a number changes, not sixty times a second.
        if (times, hurry) != (self._times, self._hurry):
            self._times, self._hurry = times, hurry
            self.touch()

    def show(self, scene: Scene) -> None:
        """Show this scene. When a decision passes to other seats, scroll to the first of them."""
        if scene != self.scene:
            before, self.scene = self.scene, scene
            owing = [player.seat for player in scene.players if player.owes]
            if before is None or owing != [player.seat for player in before.players if player.owes]:
                self._bring(next((i for i, player in enumerate(scene.players) if player.owes), 0))
            self.touch()

    def _bring(self, row: int) -> None:
        shown = len(self._rows())
        self._first = min(max(self._first, row + 1 - shown), row)

    def mouse_scroll(self, x: float, y: float, steps: float) -> bool:
        return self.holds(x, y) and self.turn(-round(steps))

    def turn(self, rows: int) -> bool:
        """Scroll so many players down, or (negative) up."""
        if self.scene is not None:
            self._first = min(max(0, self._first + rows), max(0, len(self.scene.players) - len(self._rows())))
            self.touch()
        return True

    @property
    def _now_high(self) -> float:
        """Height of the decision owed (pixels)."""
        if self.scene is None or not self._listed or self.rect.height >= theme.px(height(len(self.scene.players))):
            return min(theme.px(NOW), self.rect.height - theme.px(EDGE))
        width = self.rect.width - theme.px(16)
        title, words = self._title(self.scene, width), self._words(self.scene)
        note = shapes.kept(words, size=_USUAL, width=width - theme.px(20))
        over = max(0.0, title.content_height - theme.px(24))  # Extra height of a title with more than one line.
        return min(theme.px(NOW), max(theme.px(_LEAST), theme.px(62) + over + note.content_height))

    @property
    def _listed(self) -> bool:
        """Whether there is room for players, not only for the decision owed."""
        return self.rect.height > theme.px(NOW + EDGE + HEAD)

    @property
    def _cards(self) -> tuple[Rect, Rect]:
        """Cards of the decision owed, and below it of the players."""
        rect, pad = self.rect, theme.px(8)
        now = arcade.LRBT(rect.left + pad, rect.right - pad, rect.top - self._now_high, rect.top - pad)
        low = min(now.bottom - pad, rect.bottom + theme.px(4))
        return now, arcade.LRBT(rect.left + pad, rect.right - pad, low, now.bottom - pad)

    def plates(self) -> Plates:
        return [*super().plates(), *[(card, CARD) for card in self._cards[: 2 if self._listed else 1]]]

    def paint(self) -> None:
        if self.scene is None:
            return
        now, card = self._cards
        self._now(now, self.scene)
        if self._listed:
            self._players(card, self.scene)

    def _players(self, card: Rect, scene: Scene) -> None:
        """Draw the list of players, as many as fit."""
        self._head(card, scene.columns, scene.away)
        rows = self._rows()
        for player, row in zip(scene.players[self._first :], rows, strict=False):
            self._row(row, player)
        hidden = len(scene.players) - len(rows)
        scroll_bar(arcade.LRBT(card.left, card.right - theme.px(3), rows[-1].bottom, rows[0].top),
                   self._first * rows[0].height, hidden * rows[0].height)  # fmt: skip

    def _now(self, card: Rect, scene: Scene) -> None:
        left, y = card.left + theme.px(12), card.top - theme.px(23)
        seat = _shown(scene)
        if seat >= 0:
            seat_disc(seat, left + theme.px(15), y, theme.px(32))
            left += theme.px(_DISC)
        line = self._title(scene, card.width)
        top = y + min(theme.px(14), line.content_height / 2)
        line.position = round(left), round(top)
        line.draw()
        y = min(card.top - theme.px(42), top - line.content_height - theme.px(4))
        note = _fitting(self._words(scene), card.width - theme.px(20), y - card.bottom - theme.px(4))
        note.position = round(card.left + theme.px(12)), round(y)
        note.draw()

    def _title(self, scene: Scene, width: float) -> arcade.Text:
        """Return the owner and the name of the decision, on a card of that width (pixels)."""
        prompt = scene.prompt
        who = _("You") if scene.mine else self._who(prompt.seat) if prompt.seat >= 0 else ""
        colour = theme.TERRACOTTA_DEEP if scene.mine else theme.INK
        room = width - theme.px(20 + (_DISC if _shown(scene) >= 0 else 0))
        words = f"{who}: {prompt.what}" if who else prompt.what
        return shapes.kept(words, size=theme.LARGE - 1, colour=colour, bold=True, width=room)

    def _words(self, scene: Scene) -> str:
        """Return the instruction for the decision."""
        prompt = scene.prompt
        words = prompt.full if scene.mine or prompt.seat in (NATURE, NONE) else ""
        return words or others_turn(prompt, scene.seat, scene.playing, self._who)

    @property
    def inside(self) -> Rect:
        """The area of the players, in which only people can be clicked."""
        rect, pad = self.rect, theme.px(18)
        low = rect.bottom + pad / 2
        return arcade.LRBT(rect.left + pad, rect.right - pad, low, max(low, rect.top - self._now_high - pad))

    def _head(self, card: Rect, columns: tuple[str, ...], away: int) -> None:
        y = card.top - theme.px(HEAD / 2 + 1)
        left = card.left + theme.px(12)
        line = shapes.say(_("PLAYERS"), left, y, size=theme.BODY, title=True, colour=theme.TERRACOTTA_DEEP)
        if away:
            left += line.content_width + theme.px(8)
            shapes.say(_("({n} away)", n=away), left, y, size=theme.SMALL - 0.5, colour=theme.INK_SOFT)
        for right, words in zip(_COLUMNS, columns, strict=True):
            shapes.say(
                words, card.right - theme.px(right - 4), y, size=theme.SMALL - 1.5, colour=theme.INK_SOFT, align="right"
            )

    def _rows(self) -> list[Rect]:
        assert self.scene is not None
        rect, pad = self.rect, theme.px(8)
        top = rect.top - self._now_high - pad - theme.px(HEAD)
        left, width = rect.left + pad + theme.px(5), rect.width - 2 * pad - theme.px(10)
        players, room = len(self.scene.players), max(1.0, top - rect.bottom - theme.px(_FOOT))
        height = min(theme.px(ROW), max(theme.px(_CLOSE), room / players))
        shown = max(1, min(players, int(room / height + 0.01)))
        width -= theme.px(_BAR) if shown < players else 0
        return [arcade.LBWH(left, top - (i + 1) * height + 2, width, height - 4) for i in range(shown)]

    def _row(self, row: Rect, player: PlayerRow) -> None:
        assert self.scene is not None
        person = player.person
        shapes.plate(row, _ROW_OUT if person.out else _ROW_ON if player.owes else _ROW)
        seat_disc(player.seat, row.left + theme.px(21), row.y, theme.px(34))
        left = row.left + theme.px(43)
        up = row.height * 0.2
        ink = theme.INK_FAINT if person.out else theme.INK
        name = _("You") if player.seat == self.scene.seat else player.name
        room = row.right - left - theme.px(174 if not person.out else 60)
        shapes.say(name, left, row.y + up, size=theme.BODY + 0.5, bold=True, colour=ink, limit=room)
        second = _("fallen") if person.out else " · ".join(filter(None, (person.about, player.status)))
        clock = self._clock(row, player, row.y - up - theme.px(1)) if not person.out else 0.0
        room = row.right - left - theme.px(8 + 20 * len(person.badges)) - clock
        shapes.say(second, left, row.y - up - theme.px(1), size=_close(second, room), colour=theme.INK_SOFT, limit=room)
        for i, badge in enumerate(person.badges):
            at = arcade.XYWH(row.right - theme.px(15 + 19 * i), row.y - theme.px(11.5), theme.px(19), theme.px(19))
            shapes.piece(badge, at)
        if not person.out:
            for right, number in zip(_COLUMNS, person.numbers, strict=True):
                shapes.say(
                    str(number),
                    row.right - theme.px(right - 8),
                    row.y + up + theme.px(1),
                    size=theme.BODY + 0.5,
                    bold=True,
                    colour=ink,
                    align="right",
                )

    def _clock(self, row: Rect, player: PlayerRow, y: float) -> float:
        """Draw a player's time left, at the right end of the second line; return the width that it takes."""
        if player.seat >= len(self._times):
            return 0.0
        right = row.right - theme.px(9 + 19 * len(player.person.badges))
        hurry = player.owes and player.seat in self._hurry
        colour = theme.TERRACOTTA_DEEP if player.owes else theme.INK_SOFT
        size = theme.SMALL + (2 if hurry else 0.5)
        line = shapes.say(self._times[player.seat], right, y, size=size, bold=player.owes,
                         colour=colour, align="right")  # fmt: skip
        return line.content_width + theme.px(8)

    def tip(self, x: float, y: float) -> str:
        player = self._player_at(x, y)
        return player.tip if player is not None else ""

    def person_at(self, x: float, y: float) -> tuple[str, str]:
        player = self._player_at(x, y)
        return player.name if player is not None else "", ""

    def _player_at(self, x: float, y: float) -> PlayerRow | None:
        if self.scene is None or not self._listed or not self.holds(x, y):
            return None
        rows = zip(self.scene.players[self._first :], self._rows(), strict=False)
        return next((player for player, row in rows if row.point_in_rect((x, y))), None)


def _close(words: str, room: float) -> float:
    """Return the font size of a player's second line: smaller if it would not fit into that many pixels."""
    return _SECOND[0] if shapes.kept(words, size=_SECOND[0]).content_width <= room else _SECOND[1]


def _shown(scene: Scene) -> Seat:
    """Return the seat whose marker stands beside the decision."""
    return scene.winner if scene.winner != NONE else scene.prompt.seat


def _fitting(words: str, width: float, height: float) -> arcade.Text:
    """Return the words in the player's font size if they fit, else in a smaller one down to the usual size."""
    large = theme.read(_USUAL)
    for size in (large, (large + _USUAL) / 2, _USUAL):
        note = shapes.kept(words, size=size, colour=theme.INK_SOFT, width=width)
        if note.content_height <= height:
            break
    return note
