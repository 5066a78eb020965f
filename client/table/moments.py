"""Moments: events of weight are shown for a second or two in a band over the board, once all before them is shown. What
a moment tells is told elsewhere only after it, if it holds that back."""

from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct
from PIL import Image

from client.drawing import shapes, theme
from client.player.settings import PlaySettings
from client.sound.sounds import Sound
from client.table import figures

SECONDS: Final = 1.9
_COMING: Final = 0.22
"""Seconds for which a moment is shown, and those in which its band opens."""
_MOST: Final = 3
"""Largest number of waiting moments; the oldest beyond it are dropped."""
_HIGH: Final = 124.0
_PLACE: Final = 0.62
"""Height of the band, and its middle as a share of the board's height."""
_PICTURES: Final = 0.55
"""Largest share of the band's width for pictures; the words need the rest."""


class TitledEvent(Struct, frozen=True):
    """Event of weight: its title, and the names of its pictures; ``"card:NAME"`` is that of a card. `holds`: it tells
    an outcome, which all other parts of the table hold back until the moment was shown."""

    title: str
    pictures: tuple[str, ...] = ()
    holds: bool = False


class _Waiting(Struct, frozen=True):
    moment: TitledEvent
    words: str
    sound: Sound | None


class Moments:
    """Queue of moments, at the player's pace. `play`: plays a sound."""

    def __init__(self, play_settings: PlaySettings, play: Callable[[Sound], object] = lambda sound: None) -> None:
        self._play_settings = play_settings
        self._play = play
        self._waiting: deque[_Waiting] = deque(maxlen=_MOST)
        self.shown: tuple[TitledEvent, str] | None = None
        """The moment that is shown, with its words."""
        self._age = 0.0

    def hear(self, moment: TitledEvent, words: str, sound: Sound | None = None) -> bool:
        """Queue a moment; return whether it holds back what it tells, and plays its sound by itself."""
        if not self._play_settings.speed:
            return False
        self._waiting.append(_Waiting(moment, words, sound if moment.holds else None))
        return moment.holds

    @property
    def holding(self) -> bool:
        """Whether a moment that holds back an outcome is shown or waits."""
        return (self.shown is not None and self.shown[0].holds) or any(one.moment.holds for one in self._waiting)

    @property
    def title(self) -> str:
        """Title of the moment that is shown, or else of the next one."""
        if self.shown is not None:
            return self.shown[0].title
        return self._waiting[0].moment.title if self._waiting else ""

    def skip(self) -> bool:
        """Drop all moments; return whether one of them held back an outcome."""
        held, self.shown = self.holding, None
        self._waiting.clear()
        return held

    def update(self, seconds: float, *, held: bool) -> bool:
        """Advance by some seconds; return whether the display changed. `held`: a battle is shown first."""
        if not self._play_settings.speed:  # The player switched animations off in the middle of one.
            self.skip()
        before, opening = self.shown, self._play_settings.moves and self._age < _COMING
        self._age += seconds * self._play_settings.speed
        if self.shown is not None and self._age >= SECONDS:
            self.shown = None
        if self.shown is None and self._waiting and not held:
            self._open(self._waiting.popleft())
        return self.shown is not before or (self.shown is not None and opening)

    def _open(self, one: _Waiting) -> None:
        self.shown, self._age = (one.moment, one.words), 0.0
        if one.sound is not None:
            self._play(one.sound)

    def draw(self, board: Rect) -> None:
        """Draw the moment over the board."""
        if self.shown is None:
            return
        moment, words = self.shown
        share = min(1.0, self._age / _COMING) if self._play_settings.moves else 1.0
        y, height = round(board.bottom + board.height * _PLACE), min(theme.px(_HIGH), board.height * 0.5)
        band = arcade.XYWH(board.x, y, board.width, max(2.0, height * share))
        arcade.draw_rect_filled(band, theme.alpha(theme.WINE, 232))
        for edge in (band.bottom, band.top):
            arcade.draw_line(band.left, edge, band.right, edge, theme.GOLD, theme.px(3))
        if share < 1.0:
            return
        margins = theme.px(22) + len(moment.pictures) * theme.px(12)
        size = min(height * 0.76, (band.width * _PICTURES - margins) / max(1, len(moment.pictures)))
        left = band.left + theme.px(22)
        for name in moment.pictures:
            at = arcade.XYWH(round(left + size / 2), y, round(size), round(size))
            arcade.draw_texture_rect(_picture(name, figures.size_for(size), theme.palette()), at)
            left += size + theme.px(12)
        room = band.right - theme.px(22) - left
        shapes.say(moment.title, left + room / 2, y + height * 0.22, size=theme.HEADING + 6, title=True, align="center",
                   colour=theme.IVORY, limit=room, height=height * 0.45)  # fmt: skip
        shapes.say(words, left + room / 2, y - height * 0.22, size=theme.LARGE, align="center", colour=theme.PARCHMENT,
                   limit=room, height=height * 0.5)  # fmt: skip


@cache
def _picture(name: str, size: int, palette: str) -> arcade.Texture:
    """Return a picture of a moment, that many pixels high."""
    kind, _colon, card = name.partition(":")
    if kind != "card":
        return figures.figure(name, size)
    with Image.open(theme.ASSETS / "cards" / f"{card}.png") as image:
        painted = image.convert("RGBA")
    side = min(painted.size)
    box = ((painted.width - side) // 2, (painted.height - side) // 2)
    square = painted.crop((*box, box[0] + side, box[1] + side)).resize((size, size), Image.Resampling.LANCZOS)
    return shapes.sprite_picture(square, f"moment-{card}-{size}{palette}")
