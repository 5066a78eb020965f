"""The three turning points of a match: a picture of each, the changed chance, and a way into the replay there."""

from collections.abc import Callable, Sequence
from functools import partial
from time import localtime, strftime
from typing import Any, Final

import arcade
from arcade.types import Rect
from PIL import Image, ImageDraw

from client.drawing import shapes, theme
from client.drawing.widgets import Button, Label, Panel, Widget
from client.games.registry import guide
from client.language import _, heard
from client.player.saved_matches import usual_place
from client.replay.film import AnyFilm
from client.replay.film_analysis import Reading
from client.replay.film_match import FilmMatch
from client.replay.picture import StandingRow, painted, poster
from client.replay.turning_points import MOST, TurningPoint, turning_points
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.table.event_text import event_line
from client.table.geography import geography
from shared.ids import NONE
from shared.messages import SeatInfo
from shared.odds.outcome import percent

_MAP: Final = (660, 430)
_GAP: Final = 18.0
_TEXT: Final = 150.0
"""Design height of the words below a picture."""


class TurningPointsScreen(FramedScreen):
    """Cards of the turning points, and a button that saves a picture of the match."""

    narrowest = 900.0

    def __init__(
        self, app: Application, film: AnyFilm, seats: Sequence[SeatInfo], *, close: Callable[[], object]
    ) -> None:  # fmt: skip
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._film, self._seats, self._close = film, seats, close
        self._match = FilmMatch(film, seats)
        self._guide = guide(film.rules.id)
        tell, who = self._guide.tell, self._match.name
        self.reading = Reading(film, self._guide.film, lambda event: event_line(event, who, tell))
        self.points: list[TurningPoint] | None = None
        """The turning points, once the match has been read."""
        self._pictures: dict[int, arcade.Texture] = {}
        self._progress = -1

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(1120, 600, _("The turning points"), elastic=True)
        text = _("Moments after which the chances to win changed most, estimated from what each player had.")
        self.ui.add(Label(text, inside.x, inside.top - theme.px(6), align="center", colour=theme.INK_SOFT,
                          limit=inside.width))  # fmt: skip
        body = arcade.LRBT(inside.left, inside.right, inside.bottom, inside.top - theme.px(26))
        if self.points is None:
            words = _("Reading the match … {percent} %", percent=max(0, self._progress))
            self.ui.add(Label(self.reading.trouble or words, body.x, body.y, align="center"))
        elif not self.points:
            self.ui.add(Label(_("Nothing in this match changed the chances much."), body.x, body.y, align="center"))
        gap = theme.px(_GAP)
        wide = (body.width - gap * (MOST - 1)) / MOST
        for i, point in enumerate(self.points or ()):
            self._card(arcade.LBWH(body.left + i * (wide + gap), body.bottom, wide, body.height), point)
        back = self.back_button(inside)
        tip = _("One image with the names, the scores and the final map.")
        share = self.foot(inside, 240, right=True)
        self.ui.add(Button(share, _("Save a picture"), self._save, kind="primary", tip=tip))
        self.ui.set_focus(back)

    def _card(self, rect: Rect, point: TurningPoint) -> None:
        """Add the card of a turning point."""
        self.ui.add(Panel(rect, shapes.CARD))
        pad = theme.px(10)
        height = min((rect.width - 2 * pad) * _MAP[1] / _MAP[0], rect.height - theme.px(_TEXT + 56))
        width = height * _MAP[0] / _MAP[1]
        frame = arcade.LBWH(round(rect.x - width / 2), round(rect.top - pad - height), round(width), round(height))
        self.ui.add(_MapPicture(frame, self._pictures[point.version]))
        y, room = frame.bottom - theme.px(16), rect.width - 2 * pad
        self.ui.add(Label(point.heading, rect.x, y, title=True, align="center", colour=theme.INK_SOFT, limit=room))
        self.ui.add(Label(point.words, rect.x, y - theme.px(38), align="center", width=room, limit=room,
                          height=theme.px(56)))  # fmt: skip
        text = _("{name}: from {before} to {after}", name=self._match.name(point.seat), before=percent(point.before),
                 after=percent(point.after))  # fmt: skip
        colour = theme.OLIVE if point.after > point.before else theme.TERRACOTTA_DEEP
        self.ui.add(Label(text, rect.x, y - theme.px(84), size=theme.LARGE, align="center", colour=colour, limit=room))
        button = arcade.LBWH(rect.left + pad, rect.bottom + pad, room, theme.px(38))
        tip = _("Watch the replay from this moment.")
        self.ui.add(Button(button, _("Watch this moment"), partial(self._watch, point), tip=tip))

    def _watch(self, point: TurningPoint) -> None:
        self.app.go.replay(self._film, self._seats, point.version)

    def on_update(self, seconds: float) -> bool:
        changed = super().on_update(seconds)
        if self.points is not None:
            return changed
        progress = round(self.reading.progress * 100)
        if self.reading.done:
            self.points = turning_points(self.reading.report, (self._film.first, self._film.last))
            for point in self.points:
                self._pictures[point.version] = self._picture(point)
        elif progress == self._progress:
            return changed
        self._progress = progress
        self.relayout()
        return True

    def _picture(self, point: TurningPoint) -> arcade.Texture:
        """Return the map at that moment, with a ring around the place of its battle."""
        view = self._film.view(point.version, self._film.audiences[0])
        image = painted(self._guide.film, view, _MAP)
        if point.space != NONE:
            where, world = geography().heart(point.space), (geography().width, geography().height)
            x, y = where[0] * _MAP[0] / world[0], _MAP[1] - where[1] * _MAP[1] / world[1]
            draw = ImageDraw.Draw(image)
            for radius, width, colour in ((36, 10, theme.NIGHT), (34, 6, theme.GOLD)):
                draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=colour[:3], width=width)
        return shapes.sprite_picture(image.convert("RGBA"))

    def _save(self) -> None:
        """Write the picture of the match to the usual folder, and say where."""
        title = strftime("%Y-%m-%d %H%M", localtime())
        path = usual_place() / f"Conquest {title}.png"
        try:
            self.poster().save(path, "PNG")
        except OSError as error:
            self.app.toast(_("The picture could not be saved: {why}", why=str(error)), "bad")
            return
        self.app.toast(_("Saved as {path}", path=str(path)))

    def poster(self) -> Image.Image:
        """Return the picture of the match to share."""
        view: Any = self._film.view(self._film.last, self._film.audiences[0])
        places = self._film.rules.standings(view)
        rows = [
            StandingRow(place.rank, place.seat, self._match.name(place.seat), heard(place.score)) for place in places
        ]
        first = [row.name for row in rows if row.rank == 1]
        title = _("{name} rules the empire", name=first[0]) if len(first) == 1 else _("The match is over")
        day = strftime("%Y-%m-%d", localtime())
        return poster(title, f"{self._guide.name} · {day}", rows, self._guide.film, view)

    def back(self) -> None:
        self.reading.stop()
        self._close()


class _MapPicture(Widget):
    """Picture of the map in a frame."""

    def __init__(self, rect: Rect, texture: arcade.Texture) -> None:
        super().__init__(rect)
        self._texture = texture

    def hit(self, x: float, y: float) -> bool:
        return False

    def draw(self) -> None:
        """Draw the picture."""
        arcade.draw_texture_rect(self._texture, self.rect)
        arcade.draw_rect_outline(self.rect, theme.BRONZE_DEEP, 2)
