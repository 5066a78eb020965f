"""The painted board, and over it, in one more call, who owns what, what is lit, and what the mouse is on."""

from __future__ import annotations

from array import array
from functools import cache
from typing import Final

import arcade
from arcade.gl import BufferDescription, Geometry, Program, Texture2D
from msgspec import Struct
from PIL import Image, ImageChops, ImageFilter

from client import theme
from client.table.geography import ASSETS, Geography
from client.table.surface import unit_quad
from client.theme import Colour
from shared.ids import Space

_BOARD_VERTEX: Final = """
#version 330
uniform WindowBlock { mat4 projection; mat4 view; } window;
uniform vec2 size;
in vec2 in_vert;
out vec2 uv;
void main() {
    uv = in_vert;
    gl_Position = window.projection * window.view * vec4(in_vert * size, 0.0, 1.0);
}
"""
_BOARD_FRAGMENT: Final = """
#version 330
uniform sampler2D board;
in vec2 uv;
out vec4 colour;
void main() { colour = vec4(texture(board, uv).rgb, 1.0); }
"""
_TINT_VERTEX: Final = """
#version 330
uniform WindowBlock { mat4 projection; mat4 view; } window;
uniform vec2 size;
uniform vec4 inner[64];
uniform vec4 rim[64];
in vec2 in_vert;
in float in_space;
out vec2 uv;
flat out vec4 fill;
flat out vec4 edge;
void main() {
    int space = int(in_space + 0.5);
    uv = in_vert / size;
    fill = inner[space];
    edge = rim[space];
    vec4 place = window.projection * window.view * vec4(in_vert, 0.0, 1.0);
    gl_Position = fill.a + edge.a > 0.0 ? place : vec4(2.0, 2.0, 2.0, 1.0);
}
"""
_TINT_FRAGMENT: Final = """
#version 330
uniform sampler2D borders;
in vec2 uv;
flat in vec4 fill;
flat in vec4 edge;
out vec4 colour;
void main() {
    float near = texture(borders, uv).r;
    colour = mix(fill, edge, clamp(near * 1.25, 0.0, 1.0));
}
"""
_SLOTS: Final = 64


class Tint(Struct, frozen=True):
    """How a space is coloured: `inner` in its middle, `rim` towards its border."""

    inner: Colour = theme.CLEAR
    rim: Colour = theme.CLEAR


PLAIN: Final = Tint()


class _Card(Struct, frozen=True):
    """What the graphics card keeps for the life of the window."""

    board: Texture2D
    borders: Texture2D
    board_program: Program
    tint_program: Program
    shapes: Geometry


class Ground:
    """Draws the board. `tints` are by space."""

    def __init__(self, geography: Geography) -> None:
        self._geography = geography
        self.tints: dict[Space, Tint] = {}

    def draw(self, fast: bool = False) -> None:
        """Draw it, a little less finely where it must be `fast`; the projection is already the world's."""
        context = arcade.get_window().ctx
        card = _card(self._geography)
        size = float(self._geography.width), float(self._geography.height)
        context.disable(context.BLEND)  # type: ignore[no-untyped-call]
        between = context.LINEAR_MIPMAP_NEAREST if fast else context.LINEAR_MIPMAP_LINEAR
        card.board.filter = between, context.LINEAR
        card.board.use(0)
        card.board_program["size"] = size
        unit_quad().render(card.board_program)
        context.enable(context.BLEND)
        context.blend_func = context.BLEND_DEFAULT
        if not self.tints:
            return
        program = card.tint_program
        program["size"] = size
        program["inner"] = self._values([self.tints.get(i, PLAIN).inner for i in range(_SLOTS)])
        program["rim"] = self._values([self.tints.get(i, PLAIN).rim for i in range(_SLOTS)])
        card.borders.use(0)
        card.shapes.render(program)

    def draw_space(self, space: Space, tint: Tint) -> None:
        """Draw one more tint over a space; the projection is already the world's."""
        context = arcade.get_window().ctx
        card = _card(self._geography)
        program = card.tint_program
        program["size"] = float(self._geography.width), float(self._geography.height)
        program["inner"] = self._values([tint.inner if i == space else theme.CLEAR for i in range(_SLOTS)])
        program["rim"] = self._values([tint.rim if i == space else theme.CLEAR for i in range(_SLOTS)])
        card.borders.use(0)
        context.enable(context.BLEND)
        first = sum(len(shape.triangles) // 2 for shape in self._geography.spaces[:space])
        card.shapes.render(program, first=first, vertices=len(self._geography.spaces[space].triangles) // 2)

    @staticmethod
    def _values(colours: list[Colour]) -> list[float]:
        return [part / 255 for colour in colours for part in colour]


@cache
def _card(geography: Geography) -> _Card:
    context = arcade.get_window().ctx
    return _Card(
        board=_board_texture(),
        borders=_borders_texture(),
        board_program=context.program(vertex_shader=_BOARD_VERTEX, fragment_shader=_BOARD_FRAGMENT),
        tint_program=context.program(vertex_shader=_TINT_VERTEX, fragment_shader=_TINT_FRAGMENT),
        shapes=_shapes(geography),
    )


def _board_texture() -> Texture2D:
    context = arcade.get_window().ctx
    with Image.open(ASSETS / "board.jpg") as image:
        flipped = image.convert("RGB").transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    texture = context.texture(flipped.size, components=3, data=flipped.tobytes())
    texture.build_mipmaps()
    texture.filter = context.LINEAR_MIPMAP_LINEAR, context.LINEAR
    return texture


def _borders_texture() -> Texture2D:
    """Bright along the borders of the spaces, fading inwards."""
    context = arcade.get_window().ctx
    with Image.open(ASSETS / "index.png") as image:
        spaces = image.convert("L").transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    edges = ImageChops.subtract(spaces.filter(ImageFilter.MaxFilter(3)), spaces.filter(ImageFilter.MinFilter(3)))
    lines = edges.point([0] + [255] * 255)
    near = ImageChops.lighter(
        lines.filter(ImageFilter.GaussianBlur(2.5)), lines.filter(ImageFilter.GaussianBlur(6)).point(_doubled)
    )
    texture = context.texture(near.size, components=1, data=near.tobytes())
    texture.filter = context.LINEAR, context.LINEAR
    return texture


def _doubled(value: int) -> int:
    return min(255, value * 2)


def _shapes(geography: Geography) -> Geometry:
    """All triangles of all spaces, each corner with the number of its space."""
    context = arcade.get_window().ctx
    corners = array("f")
    for space, shape in enumerate(geography.spaces):
        points = shape.triangles
        for i in range(0, len(points), 2):
            corners.extend((points[i], points[i + 1], space))
    buffer = context.buffer(data=corners.tobytes())
    return context.geometry([BufferDescription(buffer, "2f 1f", ["in_vert", "in_space"])], mode=context.TRIANGLES)
