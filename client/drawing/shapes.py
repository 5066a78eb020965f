"""Plates, panels and strips, drawn by the graphics card as exact shapes: sharp at any size, one call each."""

import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache, lru_cache
from itertools import accumulate
from math import inf
from typing import Any, Final, Literal

import arcade
from arcade.gl import Geometry, Program, Texture2D
from arcade.gl.geometry import quad_2d
from arcade.types import Rect
from msgspec import Struct
from PIL import Image, ImageDraw, ImageFilter

from client.drawing import font_fallback, theme
from client.drawing.icons import picture
from client.drawing.theme import Colour

Align = Literal["left", "center", "right"]
AnchorY = Literal["top", "bottom", "center", "baseline"]
_Look = tuple[bool, Align, AnchorY, bool, bool]
"""Style of a text: title, alignment, vertical anchor, bold, italic."""

KEPT: Final = 256
"""Number of cached texts. Each takes about 100 KiB; the table with a leaf over it shows at most 160 at once."""

_SHARES: Final = (1.0, 0.92, 0.85, 0.78), (0.7, 0.62)
"""Factors of reduced letters for lack of space: at first, and if wrapping does not help."""
_LEAST: Final = 9.5
"""Minimum size of reduced letters, in design points at the usual text size."""

_VERTEX: Final = """
#version 330
uniform WindowBlock { mat4 projection; mat4 view; } window;
uniform vec2 centre;
uniform vec2 half_size;
uniform float margin;
in vec2 in_vert;
out vec2 local;
void main() {
    local = in_vert * (half_size + margin);
    gl_Position = window.projection * window.view * vec4(centre + local, 0.0, 1.0);
}
"""

_PLATE: Final = """
#version 330
uniform vec2 half_size;
uniform vec2 centre;
uniform float radius, notch, border, inset, shadow, grain, bevel, lift;
uniform vec4 top, bottom, line, inner;
uniform sampler2D paper;
in vec2 local;
out vec4 colour;
float shape(vec2 p, vec2 h) {
    if (notch > 0.0) {
        vec2 d = abs(p) - h;
        float box = length(max(d, 0.0)) + min(max(d.x, d.y), 0.0);
        return max(box, notch - length(d));
    }
    vec2 q = abs(p) - h + radius;
    return length(max(q, 0.0)) + min(max(q.x, q.y), 0.0) - radius;
}
void main() {
    float d = shape(local, half_size);
    float soft = max(fwidth(d), 0.0001);
    float inside = clamp(0.5 - d / soft, 0.0, 1.0);
    float height = clamp(local.y / half_size.y * 0.5 + 0.5, 0.0, 1.0);
    vec4 fill = mix(bottom, top, height);
    float fibre = texture(paper, (local + centre) / 384.0).r - 0.5;
    fill.rgb *= 1.0 + grain * fibre;
    float edge = clamp(1.0 + (d + border) / (12.0 + 40.0 * grain), 0.0, 1.0);
    fill.rgb *= 1.0 - grain * 0.35 * edge * edge;
    float rim = clamp(1.0 - abs(d + border + 1.0) / 1.5, 0.0, 1.0);
    fill.rgb += bevel * rim * (height - 0.45);
    if (border > 0.0) fill = mix(fill, line, clamp(0.5 + (d + border) / soft, 0.0, 1.0) * line.a);
    if (inset > 0.0) {
        float ring = abs(d + inset) - 0.6;
        fill.rgb = mix(fill.rgb, inner.rgb, inner.a * clamp(0.5 - ring / soft, 0.0, 1.0));
    }
    float cover = fill.a * inside;
    float dark = 0.0;
    if (shadow > 0.0) {
        float s = shape(local + vec2(0.0, lift), half_size) / shadow;
        dark = 0.55 * exp(-max(s, 0.0) * 2.5) * clamp(1.0 - s, 0.0, 1.0) * fill.a;
    }
    float total = cover + dark * (1.0 - cover);
    vec3 shade = vec3(0.07, 0.04, 0.02);
    colour = vec4((fill.rgb * cover + shade * dark * (1.0 - cover)) / max(total, 0.0001), total);
}
"""

_STRIP: Final = """
#version 330
uniform vec2 half_size;
uniform vec4 tint;
uniform sampler2D pattern;
in vec2 local;
out vec4 colour;
void main() {
    vec2 at = vec2(local.x / (2.0 * half_size.y), 0.5 - local.y / (2.0 * half_size.y));
    colour = vec4(tint.rgb, tint.a * texture(pattern, at).r);
}
"""


class Plate(Struct, frozen=True):
    """Look of a surface. Lengths in design pixels.

    top, bottom: the ends of its vertical gradient. line, border: colour and width of its outline. inner, inset: a thin
    second line at that distance inside. radius rounds the corners, notch hollows them as on a bronze tablet. shadow:
    its reach. grain: visibility of the paper. bevel: brightness of the rim.
    """

    top: Colour
    bottom: Colour
    line: Colour = theme.CLEAR
    border: float = 0.0
    inner: Colour = theme.CLEAR
    inset: float = 0.0
    radius: float = 0.0
    notch: float = 0.0
    shadow: float = 0.0
    grain: float = 0.0
    bevel: float = 0.0


PANEL: Final = Plate(
    theme.PARCHMENT_LIGHT, theme.PARCHMENT, theme.BRONZE_DEEP, 2.0, theme.alpha(theme.BRONZE, 170), 7.0,
    notch=14.0, shadow=26.0, grain=0.16,
)  # fmt: skip
CARD: Final = Plate(
    theme.alpha(theme.PARCHMENT_LIGHT, 235), theme.alpha(theme.PARCHMENT_LIGHT, 190),
    theme.alpha(theme.BRONZE, 150), 1.0, radius=5.0, grain=0.08,
)  # fmt: skip
WELL: Final = Plate(
    theme.alpha(theme.BRONZE, 40), theme.alpha(theme.BRONZE, 22),
    theme.alpha(theme.BRONZE, 110), 1.0, radius=5.0,
)  # fmt: skip
DARK: Final = Plate(
    (70, 48, 34, 240), (46, 31, 22, 240), theme.BRONZE, 1.5, theme.alpha(theme.GOLD, 70), 5.0,
    notch=8.0, shadow=8.0, grain=0.22,
)  # fmt: skip
TIP: Final = Plate((62, 43, 30, 248), (48, 33, 23, 248), theme.BRONZE_LIGHT, 1.0, radius=5.0, shadow=10.0)


@cache
def _paper() -> Texture2D:
    """Return fibres and stains of parchment, tileable."""
    size = 384
    # A fixed seed, so that the paper is the same in every run and screenshot.
    noise = random.Random(7)
    image = Image.new("L", (size, size), 128)
    for cells, weight in ((6, 0.5), (24, 0.35), (96, 0.3), (384, 0.16)):
        small = Image.frombytes("L", (cells, cells), noise.randbytes(cells * cells))
        tiled = Image.new("L", (cells * 3, cells * 3))
        for i in range(9):
            tiled.paste(small, (i % 3 * cells, i // 3 * cells))
        large = tiled.resize((size * 3, size * 3), Image.Resampling.BICUBIC).crop((size, size, size * 2, size * 2))
        image = Image.blend(image, large, weight)
    return _texture(image)  # It is never shown smaller than it is, so it needs no mipmaps.


@lru_cache(maxsize=16)
def _greek_key(side: int) -> Texture2D:
    """Return one period of a Greek key, at exactly that size in pixels: mipmaps would take longer to make."""
    unit = 16
    image = Image.new("L", (8 * unit, 8 * unit), 0)
    draw = ImageDraw.Draw(image)
    path = [(0, 6.5), (1.5, 6.5), (1.5, 1.5), (6.5, 1.5), (6.5, 4.9), (4.0, 4.9), (4.0, 3.4)]
    points = [(x * unit, y * unit) for x, y in path]
    draw.line(points, fill=255, width=unit, joint="curve")
    draw.line([(1.5 * unit, 6.5 * unit), (8 * unit, 6.5 * unit)], fill=255, width=unit)
    return _texture(image.filter(ImageFilter.GaussianBlur(1.2)).resize((side, side), Image.Resampling.LANCZOS))


def _texture(image: Image.Image) -> Texture2D:
    context = arcade.get_window().ctx
    return context.texture(image.size, components=1, data=image.tobytes(), wrap_x=context.REPEAT,
                           wrap_y=context.REPEAT, filter=(context.LINEAR, context.LINEAR))  # fmt: skip


@cache
def _program(fragment: str) -> Program:
    return arcade.get_window().ctx.program(vertex_shader=_VERTEX, fragment_shader=fragment)


@cache
def _quad() -> Geometry:
    return quad_2d(size=(2.0, 2.0))


def _unit(colour: Colour) -> tuple[float, float, float, float]:
    return colour[0] / 255, colour[1] / 255, colour[2] / 255, colour[3] / 255


def plate(rect: Rect, look: Plate) -> None:
    """Draw a surface; `rect` in pixels."""
    program = _program(_PLATE)
    shadow = theme.px(look.shadow)
    values: dict[str, object] = {
        "centre": (rect.x, rect.y),
        "half_size": (rect.width / 2, rect.height / 2),
        "margin": shadow * 1.3 + 1.0,
        "radius": min(theme.px(look.radius), rect.height / 2, rect.width / 2),
        "notch": theme.px(look.notch),
        "border": theme.px(look.border),
        "inset": theme.px(look.inset),
        "shadow": shadow,
        "lift": shadow * 0.25,
        "grain": look.grain,
        "bevel": look.bevel,
        "top": _unit(look.top),
        "bottom": _unit(look.bottom),
        "line": _unit(look.line),
        "inner": _unit(look.inner),
    }
    for name, value in values.items():
        program[name] = value
    _paper().use(0)
    _enable_blending()
    _quad().render(program)


def meander(rect: Rect, colour: Colour) -> None:
    """Draw a strip of Greek key; whole periods if the width is a multiple of the height."""
    program = _program(_STRIP)
    program["centre"] = rect.x, rect.y
    program["half_size"] = rect.width / 2, rect.height / 2
    program["margin"] = 0.0
    program["tint"] = _unit(colour)
    _greek_key(max(1, round(rect.height * arcade.get_window().get_pixel_ratio()))).use(0)
    _enable_blending()
    _quad().render(program)


def rule(x: float, y: float, width: float, colour: Colour = theme.BRONZE) -> None:
    """Draw a dividing line that thins out to both sides of a small diamond at its centre (x, y)."""
    half, r = width / 2, theme.px(4)
    arcade.draw_line(x - half, y, x - 2 * r, y, colour, 1)
    arcade.draw_line(x + 2 * r, y, x + half, y, colour, 1)
    arcade.draw_polygon_filled([(x - r, y), (x, y + r), (x + r, y), (x, y - r)], colour)


def text(
    words: str,
    x: float,
    y: float,
    *,
    size: float = theme.BODY,
    colour: Colour = theme.INK,
    title: bool = False,
    align: Align = "left",
    anchor_y: AnchorY = "center",
    width: float = 0,
    bold: bool = False,
    italic: bool = False,
) -> arcade.Text:
    """Return a text in the fonts of the game; `width` (pixels) wraps it. `size` in design points."""
    return _text_in_fonts(
        words, round(x), round(y), _points(size), colour, (title, align, anchor_y, bold, italic), round(width)
    )


def _points(size: float) -> float:
    """Return that size in the present window, in steps of a quarter, because letters of each size are cached apart."""
    return round(theme.px(size) * 4) / 4


def _text_in_fonts(words: str, x: int, y: int, points: float, colour: Colour, look: _Look, width: int) -> arcade.Text:
    title, align, anchor_y, bold, italic = look
    theme.load_fonts()  # Not later: pyglet caches the family that it first finds for a text for good.
    families, words = font_fallback.dressed(words, _font_family(title, bold, italic))
    return arcade.Text(
        words,
        x,
        y,
        colour,
        points,
        width=width or None,
        align=align,
        font_name=families,
        anchor_x=align,
        anchor_y=anchor_y,
        multiline=width > 0,
    )


def _font_family(title: bool, bold: bool, italic: bool) -> tuple[str, ...]:
    if title:
        return theme.TITLE_FONT
    return theme.BOLD_FONT if bold else theme.ITALIC_FONT if italic else theme.TEXT_FONT


def put(line: arcade.Text, words: str, *, title: bool = False) -> None:
    """Change a text object to other words, in fonts that have their letters."""
    families, shown = font_fallback.dressed(words, _font_family(title, False, False))
    if line.font_name != families:
        line.font_name = families
    line.text = shown


def choose_font(line: arcade.Text, words: str) -> None:
    """Use the fonts in which most of these words can be written."""
    families = font_fallback.families(words, theme.TEXT_FONT)
    if line.font_name != families:
        line.font_name = families


def put_typed(line: arcade.Text, words: str) -> None:
    """Change a text object to typed words, letter for letter, in its present fonts."""
    words = font_fallback.in_known_letters(words, _font_families(line))
    if line.text != words:
        line.text = words


def _font_families(line: arcade.Text) -> tuple[str, ...]:
    return line.font_name if isinstance(line.font_name, tuple) else (line.font_name,)


def fit(line: arcade.Text, width: float, height: float = 0) -> arcade.Text:
    """Make a text fit into `width` pixels.

    If it is too wide, its letters become smaller, down to a readable size. If that is not enough, it is wrapped into
    `high` pixels (0: one line only). Only a text that still does not fit is cut and ends with an ellipsis.
    """
    if line.content_width <= width:
        return line
    usual = line.font_size
    for shares in _SHARES:
        sizes = _letter_sizes(usual, shares)
        if _narrowed(line, sizes, width) or (height and _wrapped(line, sizes, width, height)):
            return line
    words = line.text
    words = words[: _that_fit(line, words, width)]
    line.text = words.rstrip() + "…"
    # The widths of single letters leave out kerning, so the rest is tried out.
    while line.content_width > width and words:
        words = words[:-1]
        line.text = words.rstrip() + "…"
    return line


def fit_again(line: arcade.Text, words: str, points: float, width: float, height: float = 0) -> None:
    """Change a fitted text to other words; `points`: the size of its letters if they fit."""
    if line.multiline:
        # On pyglet's label: arcade types `width` as a number, and only None ends the wrapping.
        line.label.multiline, line.label.width = False, None
    line.font_size, line.text = points, words
    fit(line, width, height)


def _letter_sizes(points: float, shares: Sequence[float]) -> list[float]:
    """Return these shares of that size of letters, none below the readable minimum."""
    least = min(points, theme.window_px(_LEAST))
    return [max(least, round(points * share * 4) / 4) for share in shares]


def _narrowed(line: arcade.Text, sizes: Sequence[float], width: float) -> bool:
    """Whether letters of one of these sizes fit on one line; otherwise they have the last size."""
    for size in sizes:
        line.font_size = size
        if line.content_width <= width:
            return True
    return False


def _wrapped(line: arcade.Text, sizes: Sequence[float], width: float, height: float) -> bool:
    """Whether the text fits on several lines; otherwise it is on one line again."""
    line.width, line.multiline = int(width), True
    for size in sizes:
        line.font_size = size
        if line.content_height <= height and line.content_width <= width:
            return True
    line.label.multiline, line.label.width = False, None
    return False


def _that_fit(line: arcade.Text, words: str, width: float) -> int:
    """Return how many letters fit, with an ellipsis behind them."""
    room = width - sum(advances(line, "…"))
    return sum(used <= room for used in accumulate(advances(line, words)))


def advances(line: arcade.Text, words: str) -> list[float]:
    """Return the width of each character in the letters of `line` (pixels), without laying them out."""
    font = line.label.document.get_font(0)
    if words.isascii():
        return [float(glyph.advance) for glyph in font.get_glyphs(words)[0]]
    fonts = _font_families(line)
    width = {letter: _advance(font, font_fallback.in_known_letters(letter, fonts)) for letter in set(words)}
    return [width[letter] for letter in words]


def _advance(font: Any, letters: str) -> float:
    return float(sum(glyph.advance for glyph in font.get_glyphs(letters)[0]))


def kept(
    words: str,
    *,
    size: float = theme.BODY,
    colour: Colour = theme.INK,
    title: bool = False,
    align: Align = "left",
    anchor_y: AnchorY = "top",
    width: float = 0,
    limit: float = 0,
    height: float = 0,
    bold: bool = False,
    italic: bool = False,
) -> arcade.Text:
    """Return a cached text, created on first use: set its position and draw it.

    `limit` and `high` (pixels) are the space it has, as for `fit`.
    """
    look = (title, align, anchor_y, bold, italic)
    return _kept(words, _points(size), colour, look, round(width), round(limit), round(height))


_LONG: Final = 40
"""Letters that take as long to lay out as it takes to begin a text."""


class Enough(Exception):
    """Raised inside `sparing` if no more texts and pictures may be made."""


class _Purse:
    """Budget of texts, or of other things that take as long, that may be made."""

    def __init__(self) -> None:
        self.left = inf

    def spend(self, texts: float) -> None:
        """Take the cost of `texts` texts from the budget; raise Enough if it is used up."""
        if self.left <= 0:
            raise Enough
        self.left -= texts


_purse: Final = _Purse()


def spend(texts: float) -> None:
    """Take what takes as long to make as `texts` texts from the budget of `sparing`; raise Enough if it is used up."""
    _purse.spend(texts)


@contextmanager
def sparing(texts: float) -> Iterator[None]:
    """Limit the texts that `kept` and `say` make to `texts`, and the pictures of `piece` to twice as many.

    Each text takes about a millisecond. Beyond the limit they raise Enough. Everything made stays cached, so the next
    attempt gets further.
    """
    before, _purse.left = _purse.left, texts
    try:
        yield
    finally:
        _purse.left = before


@lru_cache(maxsize=KEPT)
def _kept(words: str, points: float, colour: Colour, look: _Look, width: int, limit: int, height: int) -> arcade.Text:
    # Inside the cached function: only texts that are really made cost anything.
    _purse.spend(1 + len(words) / _LONG)
    line = _text_in_fonts(words, 0, 0, points, colour, look, width)
    return fit(line, limit, height) if limit else line


def say(
    words: str,
    x: float,
    y: float,
    *,
    size: float = theme.BODY,
    colour: Colour = theme.INK,
    title: bool = False,
    align: Align = "left",
    anchor_y: AnchorY = "center",
    width: float = 0,
    limit: float = 0,
    height: float = 0,
    bold: bool = False,
    italic: bool = False,
) -> arcade.Text:
    """Draw a text now; as with `kept`, it is made only once."""
    line = kept(words, size=size, colour=colour, title=title, align=align, anchor_y=anchor_y, width=width,
                limit=limit, height=height, bold=bold, italic=italic)  # fmt: skip
    position = round(x), round(y)
    # Setting a position moves every letter on the graphics card, even if it is the same.
    if line.position != position:
        line.position = position
    line.draw()
    return line


def piece(name: str, rect: Rect) -> None:
    """Draw a painted piece, such as ``"marker_0"``, as large as fits into `rect`."""
    side = max(1, round(min(rect.width, rect.height)))
    texture = _piece(name, round(side * arcade.get_window().get_pixel_ratio()), theme.palette())
    arcade.draw_texture_rect(texture, arcade.XYWH(round(rect.x), round(rect.y), side, side))


@lru_cache(maxsize=128)
def _piece(name: str, side: int, _palette: str) -> arcade.Texture:
    """Return the picture at exactly that size and in these colours: it stays sharp without mipmaps."""
    _purse.spend(0.5)
    return sprite_picture(picture(name).resize((side, side), Image.Resampling.LANCZOS))


def sprite_picture(image: Image.Image, name: str | None = None) -> arcade.Texture:
    """Return a texture of that image. `name`: the same for equal images; None: derived from the pixels.

    Its outline is that of the image: the exact one takes longer than all else, and nothing here collides.
    """
    return arcade.Texture(image, hash=name, hit_box_algorithm=arcade.hitbox.algo_bounding_box)


def _enable_blending() -> None:
    context = arcade.get_window().ctx
    context.enable(context.BLEND)
    context.blend_func = context.BLEND_DEFAULT
