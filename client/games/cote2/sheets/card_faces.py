"""Faces of cards and senators, drawn at any size from the game's own pictures."""

from functools import lru_cache
from typing import Final

import arcade
from arcade.types import Rect
from msgspec.structs import replace
from PIL import Image

from client.drawing import shapes, theme
from client.drawing.theme import Colour
from client.games.cote2.card_kinds import KINDS
from client.games.cote2.card_presentation import SHOWN
from client.games.cote2.sheets.card_names import NUMERALS, title
from client.language import _
from shared.rulesets.cote2.data import CARDS, SENATORS

SHAPE: Final = 1.4
"""Height of a card for each unit of its width."""
PICTURE_SHAPE: Final = 0.75
_PICTURE: Final = 2.5
"""Texts that could be made while a picture is read and scaled."""
_SMALL: Final = 150.0
"""Design width below which a card shows only the gist."""
NAME: Final = 9.5
"""Size of the name on a tile: gives letters of at least 12 pixels."""
_LEAST: Final = 100.0
"""Design width of a name above which its letters are never smaller than on a tile."""
_LEGIBLE: Final = 1.05
"""Scale of the text on a tile."""
_TILE_PICTURE: Final = 0.38
_TINY: Final = 84.0
"""Design width below which a card shows only its name."""


def draw_picture(name: str, rect: Rect) -> None:
    """Draw a card's picture, or a symbol, in `rect`."""
    # In pixels of the screen, not of the window: on dense screens the picture would be blurred.
    ratio = arcade.get_window().get_pixel_ratio()
    width, height = max(1, round(rect.width)), max(1, round(rect.height))
    texture = _picture(name, round(width * ratio), round(height * ratio))
    arcade.draw_texture_rect(texture, arcade.LBWH(round(rect.left), round(rect.bottom), width, height))


@lru_cache(maxsize=128)
def _picture(name: str, width: int, height: int) -> arcade.Texture:
    """Return the picture at exactly that size in pixels. A sheet shows about forty, hence the size of the cache."""
    shapes.spend(_PICTURE)
    with Image.open(theme.ASSETS / "cards" / f"{name}.png") as image:
        small = image.convert("RGBA").resize((width, height), Image.Resampling.LANCZOS)
    return arcade.Texture(small)


def card_face(
    rect: Rect, card: int, *, number: int = 1, on: bool = False, lit: bool = False, dim: bool = False,
    used: bool = False,
) -> None:  # fmt: skip
    """Draw a card, face up, filling `rect`. A small card shows `gist` instead of its text.

    `number`: how many of them lie there. `on`: chosen; `lit`: under the mouse; `dim`: out of reach; `used`: turned down
    for the season.
    """
    unit = rect.width / 100
    scale = rect.width / theme.px(100)
    colour = KINDS.of(card).colour
    if number > 1:
        under = arcade.LBWH(rect.left + 3 * unit, rect.bottom - 3 * unit, rect.width, rect.height)
        shapes.plate(under, _paper(colour, scale))
    shapes.plate(rect, _paper(colour, scale, on, lit))
    small, tiny = rect.width < theme.px(_SMALL), rect.width < theme.px(_TINY)
    band = unit * (32 if tiny else 34 if small else 21)
    title_at = arcade.LBWH(rect.left + 3 * unit, rect.top - 3 * unit - band, 94 * unit, band)
    (_draw_name if small else _draw_title)(title_at, card, scale * (1.3 if tiny else 1.0))
    width = (79 if small and not tiny else 88) * unit  # Keeps two lines of the name, and the gist, legible.
    height = width * PICTURE_SHAPE
    picture = arcade.LBWH(rect.x - width / 2, rect.top - band - 6 * unit - height, width, height)
    draw_picture(SHOWN.of(card).picture(card), picture)
    arcade.draw_rect_outline(picture, theme.alpha(theme.NIGHT, 200), max(1.0, unit))
    below = arcade.LRBT(rect.left + 6 * unit, rect.right - 6 * unit, rect.bottom + 5 * unit, picture.bottom - 3 * unit)
    if tiny:
        _draw_foot(below, card, scale * 1.3)
    elif small:
        _draw_gist(below, card, scale)
    else:
        _draw_text(below, card, scale)
    if number > 1:
        _draw_count(number, rect.right - 13 * unit, picture.top - 9 * unit, scale * (1.3 if tiny else 1.0))
    if used:
        _draw_used(picture, scale)
    if dim or used:
        arcade.draw_rect_filled(rect, theme.alpha(theme.PARCHMENT_DEEP, 96 if dim else 60))


def card_tile(
    rect: Rect, card: int, *, number: int = 1, priced: bool = False, on: bool = False, lit: bool = False,
    dim: bool = False, used: bool = False,
) -> None:  # fmt: skip
    """Draw a card as a tile that fills `rect`: its picture, and beside it its name at the usual text size.

    `priced`: with its price and kind. The other arguments are those of `card_face`.
    """
    colour, pad = KINDS.of(card).colour, theme.px(4)
    shapes.plate(rect, _paper(colour, 0.7, on, lit))
    height = min(rect.height - 2 * pad, rect.width * _TILE_PICTURE * PICTURE_SHAPE)
    picture = arcade.LBWH(rect.left + pad, rect.y - height / 2, height / PICTURE_SHAPE, height)
    draw_picture(SHOWN.of(card).picture(card), picture)
    arcade.draw_rect_outline(picture, theme.alpha(theme.NIGHT, 200), 1)
    beside = arcade.LRBT(picture.right + pad, rect.right - pad, rect.bottom + pad, rect.top - pad)
    if priced:
        _draw_foot(arcade.LBWH(beside.left, beside.bottom, beside.width, theme.px(20)), card, _LEGIBLE)
        beside = arcade.LRBT(beside.left, beside.right, beside.bottom + theme.px(20), beside.top)
    line = shapes.kept(title(card)[1], size=NAME, bold=True, align="center", anchor_y="center", width=beside.width)
    line.position = round(beside.x), round(beside.y)
    line.draw()
    if number > 1:
        _draw_count(number, picture.right - theme.px(12), picture.top - theme.px(10), _LEGIBLE)
    if used:
        _draw_used(picture, 1.2)
    if dim or used:
        arcade.draw_rect_filled(rect, theme.alpha(theme.PARCHMENT_DEEP, 96 if dim else 60))


def _paper(colour: Colour, scale: float, on: bool = False, lit: bool = False) -> shapes.Plate:
    look = shapes.Plate(
        theme.PARCHMENT_LIGHT, theme.PARCHMENT, colour, 2.6 * scale, radius=5 * scale, shadow=5, grain=0.14, bevel=0.15
    )
    if on:
        return replace(look, line=theme.GOLD, border=4.0 * scale, shadow=12)
    return replace(look, top=theme.IVORY, bottom=theme.PARCHMENT_LIGHT, shadow=10) if lit else look


def _draw_plaque(rect: Rect, card: int, scale: float) -> None:
    """Draw the background of the title, in the colour of the card's kind."""
    colour = KINDS.of(card).colour
    face = theme.mix(colour, theme.IVORY, 0.12)
    shapes.plate(rect, shapes.Plate(face, colour, theme.alpha(theme.GOLD, 120), 0.0, radius=3 * scale, grain=0.12))


def _draw_title(rect: Rect, card: int, scale: float) -> None:
    """Draw the title in two lines: the sort of card, and its name."""
    _draw_plaque(rect, card, scale)
    sort, name = title(card)
    room = rect.width * 0.94
    y = rect.y
    if sort:
        y = rect.bottom + rect.height * 0.35
        pale = theme.mix(theme.GOLD, theme.IVORY, 0.4)
        _draw_line(sort.upper(), rect.x, rect.top - rect.height * 0.26, 5.4 * scale, room, pale)
    _draw_line(name, rect.x, y, 7.8 * scale, room, theme.IVORY, carved=True)


def _draw_line(
    words: str, x: float, y: float, size: float, room: float, colour: Colour, *, carved: bool = False
) -> None:
    """Draw a centred line, in smaller letters if they need the room."""
    for share in (1.0, 0.92, 0.84, 0.76, 0.68):
        line = shapes.kept(words, size=size * share, title=carved, align="center", anchor_y="center", colour=colour)
        if line.content_width <= room:
            break
    line.position = round(x), round(y)
    line.draw()


def _draw_name(rect: Rect, card: int, scale: float) -> None:
    """Draw only the card's name, in one line or two."""
    _draw_plaque(rect, card, scale)
    words, room = title(card)[1], rect.width * 0.96
    least = NAME / scale if rect.width > theme.px(_LEAST) else 0.0
    # The largest letters that fit, tried in turn: a text knows its size only once it is laid out.
    for size in (8.8, 7.6, 6.8, 6.0):
        size = max(size, least)
        line = shapes.kept(
            words, size=size * scale, title=True, align="center", anchor_y="center", colour=theme.IVORY, width=room
        )
        if line.content_height <= rect.height * 1.1 and _widest(words, size * scale) <= room:
            break
    line.position = round(rect.x), round(rect.y)
    line.draw()


def _widest(words: str, size: float) -> float:
    """Return the width of the longest word, which no line can break."""
    longest = max(words.split(), key=len)
    return float(shapes.kept(longest, size=size, title=True).content_width)


def _draw_gist(rect: Rect, card: int, scale: float) -> None:
    """Draw the gist, and below it price and kind."""
    _draw_line(
        SHOWN.of(card).gist(card), rect.x, rect.top - 7 * theme.px(scale), 8.8 * scale, rect.width * 1.08, theme.INK
    )
    _draw_foot(rect, card, scale)


def _draw_foot(rect: Rect, card: int, scale: float) -> None:
    """Draw price and kind."""
    side = 17 * theme.px(scale)
    y = rect.bottom + side / 2
    _draw_price(card, rect.left + side / 2, y, scale)
    draw_picture(f"kind_{CARDS[card].kind}", arcade.XYWH(rect.right - side / 2, y, side, side))


def _draw_text(rect: Rect, card: int, scale: float) -> None:
    """Draw the full text, and below it price and kind."""
    foot = 12 * theme.px(scale)
    room = rect.height - foot
    for size in (5.9, 5.5, 5.1, 4.7):
        words = shapes.kept(_(CARDS[card].text), size=size * scale, width=rect.width, align="center", anchor_y="center")
        if words.content_height <= room:
            break
    words.position = round(rect.x), round((rect.top + rect.bottom + foot) / 2)
    words.draw()
    y = rect.bottom + foot / 2
    _draw_price(card, rect.left + foot * 0.6, y, scale * 0.72)
    draw_picture(f"kind_{CARDS[card].kind}", arcade.XYWH(rect.right - foot * 0.6, y, foot, foot))
    shapes.say(KINDS.of(card).name, rect.right - foot * 1.35, y, size=5.2 * scale, italic=True,
              align="right", colour=theme.INK_SOFT)  # fmt: skip


def _draw_price(card: int, x: float, y: float, scale: float) -> None:
    """Draw the price, on a coin."""
    side = 20 * theme.px(scale)
    rim = shapes.Plate((246, 214, 132, 255), (196, 146, 58, 255), theme.BRONZE_DEEP, 1.2 * scale, radius=side,
                      inner=theme.alpha(theme.BRONZE_DEEP, 130), inset=2.4 * scale, shadow=3)  # fmt: skip
    shapes.plate(arcade.XYWH(x, y, side, side), rim)
    shapes.say(str(CARDS[card].cost), x, y, size=8.8 * scale, bold=True, align="center", colour=theme.INK)


def _draw_count(number: int, x: float, y: float, scale: float) -> None:
    side = 19 * theme.px(scale)
    shapes.plate(
        arcade.XYWH(x, y, side * 1.25, side), shapes.Plate(theme.NIGHT, theme.NIGHT, theme.IVORY, 1.2, radius=side)
    )
    shapes.say(f"×{number}", x, y, size=8.8 * scale, bold=True, align="center", colour=theme.IVORY)


def _draw_used(picture: Rect, scale: float) -> None:
    band = arcade.XYWH(picture.x, picture.y, picture.width, 18 * theme.px(scale))
    arcade.draw_rect_filled(picture, theme.alpha(theme.NIGHT, 90))
    arcade.draw_rect_filled(band, theme.alpha(theme.NIGHT, 215))
    shapes.say(_("used"), picture.x, picture.y, size=8 * scale, title=True, align="center", colour=theme.IVORY)


def senator_face(rect: Rect, value: int, *, number: int = 1, on: bool = False, lit: bool = False) -> None:
    """Draw a senator of value 0 (I) to 3 (IV): bust, numeral, and how many of them."""
    unit = rect.width / 100
    scale = rect.width / theme.px(100)
    shapes.plate(rect, _paper(KINDS.senator.colour, 1.4 * scale, on, lit))
    height = 88 * unit * PICTURE_SHAPE
    picture = arcade.LBWH(rect.left + 6 * unit, rect.top - 6 * unit - height, 88 * unit, height)
    draw_picture(CARDS[SENATORS[value]].key, picture)
    y = (picture.bottom + rect.bottom) / 2 + unit
    shapes.say(NUMERALS[value], rect.x, y, size=16 * scale, title=True, align="center", colour=KINDS.senator.colour)
    if number > 1:
        _draw_count(number, rect.right - 15 * unit, rect.top - 13 * unit, 1.5 * scale)


def card_back(rect: Rect, number: int = 1) -> None:
    """Draw a card face down. Several are fanned, with their number."""
    unit = rect.width / 100
    scale = rect.width / theme.px(100)
    look = shapes.Plate(
        theme.mix(KINDS.senator.colour, theme.NIGHT, 0.15), theme.mix(KINDS.senator.colour, theme.NIGHT, 0.45),
        theme.GOLD, 5 * scale, radius=8 * scale, shadow=4, grain=0.2,
    )  # fmt: skip
    for i in range(min(3, number) - 1, -1, -1):
        at = arcade.LBWH(rect.left + 6 * unit * i, rect.bottom - 5 * unit * i, rect.width, rect.height)
        shapes.plate(at, look)
    shapes.say(str(number), rect.x, rect.y, size=40 * scale, title=True, align="center", colour=theme.GOLD)
