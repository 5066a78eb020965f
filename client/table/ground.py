"""The painted board, and drawn over it in one call: owners' colours, lit spaces, and the space under the mouse."""

from array import array
from functools import cache
from pathlib import Path
from typing import Final

import arcade
from arcade.gl import BufferDescription, Geometry, Program, Texture2D
from msgspec import Struct
from PIL import Image, ImageChops, ImageFilter

from client.drawing import theme
from client.drawing.cached_surface import CachedSurface, unit_quad
from client.drawing.lettering import PlacedName, write
from client.drawing.theme import Colour
from client.table.geography import ASSETS, Geography
from shared.board import BOARD
from shared.ids import Seat, Space

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
_PAPER_FRAGMENT: Final = """
#version 330
uniform sampler2D board;
uniform sampler2D borders;
in vec2 uv;
out vec4 colour;
void main() { colour = vec4(texture(board, uv).rgb, min(1.0, texture(borders, uv).r * 1.25)); }
"""
"""Shader code for the visible painting and the distance to borders."""
# Tints colour the paper but not the ink: `light` is about 1 on paper, and dark on letters and borders.
_COLOURED: Final = """
uniform sampler2D spaces;
uniform vec4 inner[64];
uniform vec4 rim[64];
out vec4 colour;
void main() {
    vec4 seen = see();
    int space = int(texture(spaces, uv).r * 255.0 + 0.5);
    vec4 tint = mix(inner[space], rim[space], seen.a);
    float light = min(1.15, dot(seen.rgb, vec3(0.38, 0.76, 0.14)));
    colour = vec4(mix(seen.rgb, tint.rgb * light, tint.a), 1.0);
}
"""
_BOARD_FRAGMENT: Final = f"""
#version 330
uniform sampler2D board;
uniform sampler2D borders;
in vec2 uv;
vec4 see() {{ return vec4(texture(board, uv).rgb, min(1.0, texture(borders, uv).r * 1.25)); }}
{_COLOURED}"""
_TINTS_FRAGMENT: Final = f"""
#version 330
uniform sampler2D paper;
in vec2 uv;
vec4 see() {{ return texelFetch(paper, ivec2(gl_FragCoord.xy), 0); }}
{_COLOURED}"""
_SPACE_VERTEX: Final = """
#version 330
uniform WindowBlock { mat4 projection; mat4 view; } window;
uniform vec2 size;
in vec2 in_vert;
in float in_space;
out vec2 uv;
flat out float space;
void main() {
    uv = in_vert / size;
    space = in_space;
    gl_Position = window.projection * window.view * vec4(in_vert, 0.0, 1.0);
}
"""
_TINT_FRAGMENT: Final = """
#version 330
uniform sampler2D borders;
uniform vec4 inner;
uniform vec4 rim;
in vec2 uv;
out vec4 colour;
void main() { colour = mix(inner, rim, min(1.0, texture(borders, uv).r * 1.25)); }
"""
_NUMBER_FRAGMENT: Final = """
#version 330
flat in float space;
out vec4 colour;
void main() { colour = vec4(space / 255.0, 0.0, 0.0, 1.0); }
"""
_SLOTS: Final = 64
_NOWHERE: Final = 63
"""Slot of points outside all spaces; never tinted."""
_BAND: Final = 256
"""Rows of the painting that are handed to the graphics card at once."""
_PAINTINGS: Final[dict[tuple[str, tuple[PlacedName, ...]], Texture2D]] = {}
"""Texture with its names that `_board_texture` keeps: only one, as it is large."""
_COARSER: Final = 2
"""Pixels of the painting for one of the picture that tells the spaces apart."""


class Tint(Struct, frozen=True):
    """Colours of a space: `inner` in its middle, `rim` towards its border."""

    inner: Colour = theme.CLEAR
    rim: Colour = theme.CLEAR


PLAIN: Final = Tint()


def owned(seat: Seat) -> Tint:
    """Return the tint of a space that belongs to a player."""
    colour = theme.seat_colour(seat)
    return Tint(theme.alpha(colour, 84), theme.alpha(theme.mix(colour, theme.NIGHT, 0.12), 232))


class _Card(Struct, frozen=True):
    """Objects that the graphics card keeps for the life of the window."""

    borders: Texture2D
    spaces: Texture2D
    board_program: Program
    paper_program: Program
    tints_program: Program
    tint_program: Program
    shapes: Geometry


class Ground:
    """Drawing of the board. `painting`: the file's name. `tints` are by space."""

    def __init__(self, geography: Geography, painting: str) -> None:
        self._geography = geography
        self._painting = painting
        self._firsts = [0]
        for shape in geography.spaces:
            self._firsts.append(self._firsts[-1] + len(shape.triangles) // 2)
        self.tints: dict[Space, Tint] = {}

    def draw(self) -> None:
        """Draw everything in one call, a little less finely; the projection is already the world's."""
        context, card = arcade.get_window().ctx, _card(self._geography)
        self._use_painting(context.LINEAR_MIPMAP_NEAREST)
        card.spaces.use(2)
        self._use_tints(card.board_program)
        _draw_over_board(card.board_program)

    def draw_paper(self) -> None:
        """Draw finely the part that is constant while the camera rests, for `draw_over`."""
        self._use_painting(arcade.get_window().ctx.LINEAR_MIPMAP_LINEAR)
        _draw_over_board(_card(self._geography).paper_program)

    def draw_over(self, paper: CachedSurface) -> None:
        """Draw the board over a picture from `draw_paper`, pixel by pixel, with its colours."""
        card = _card(self._geography)
        paper.use(0)
        card.spaces.use(2)
        self._use_tints(card.tints_program)
        _draw_over_board(card.tints_program)

    def _use_painting(self, between: int) -> None:
        """Bind the painting's textures; `between`: the filter between its sizes."""
        board = _board_texture(self._painting, self._geography.labels)
        board.filter = between, arcade.get_window().ctx.LINEAR
        board.use(0)
        _card(self._geography).borders.use(1)

    def _use_tints(self, program: Program) -> None:
        tints = [self.tints.get(space, PLAIN) for space in range(_SLOTS)]
        program["inner"] = _values([tint.inner for tint in tints])
        program["rim"] = _values([tint.rim for tint in tints])

    def draw_space(self, space: Space, tint: Tint) -> None:
        """Draw one more tint over a space; the projection is already the world's."""
        context = arcade.get_window().ctx
        card = _card(self._geography)
        card.tint_program["inner"] = tuple(_values([tint.inner]))
        card.tint_program["rim"] = tuple(_values([tint.rim]))
        card.borders.use(0)
        context.enable(context.BLEND)
        first, end = self._firsts[space : space + 2]
        card.shapes.render(card.tint_program, first=first, vertices=end - first)


def _draw_over_board(program: Program) -> None:
    """Draw the whole board with this program."""
    context = arcade.get_window().ctx
    context.disable(context.BLEND)  # type: ignore[no-untyped-call]
    unit_quad().render(program)
    context.enable(context.BLEND)
    context.blend_func = context.BLEND_DEFAULT


def _values(colours: list[Colour]) -> list[float]:
    return [part / 255 for colour in colours for part in colour]


@cache
def _card(geography: Geography) -> _Card:
    context = arcade.get_window().ctx
    shapes = _shapes(geography)
    card = _Card(
        borders=_borders_texture(),
        spaces=_spaces_texture(geography, shapes),
        board_program=context.program(vertex_shader=_BOARD_VERTEX, fragment_shader=_BOARD_FRAGMENT),
        paper_program=context.program(vertex_shader=_BOARD_VERTEX, fragment_shader=_PAPER_FRAGMENT),
        tints_program=context.program(vertex_shader=_BOARD_VERTEX, fragment_shader=_TINTS_FRAGMENT),
        tint_program=context.program(vertex_shader=_SPACE_VERTEX, fragment_shader=_TINT_FRAGMENT),
        shapes=shapes,
    )
    size = float(geography.width), float(geography.height)
    card.board_program["size"] = card.paper_program["size"] = card.tints_program["size"] = size
    card.tint_program["size"] = size
    card.board_program["borders"] = card.paper_program["borders"] = 1
    card.board_program["spaces"] = card.tints_program["spaces"] = 2
    return card


def _spaces_texture(geography: Geography, shapes: Geometry) -> Texture2D:
    """Return a texture with the number of the space at each point, drawn from the exact shapes."""
    context = arcade.get_window().ctx
    size = geography.width // _COARSER, geography.height // _COARSER
    texture = context.texture(size, components=1, filter=(context.NEAREST, context.NEAREST))
    target = context.framebuffer(color_attachments=[texture])
    program = context.program(vertex_shader=_SPACE_VERTEX, fragment_shader=_NUMBER_FRAGMENT)
    camera = arcade.Camera2D(
        viewport=arcade.LBWH(0, 0, *size),
        projection=arcade.LRBT(0, geography.width, 0, geography.height),
        position=(0, 0),
        render_target=target,
    )
    with camera.activate():
        target.clear(color=(_NOWHERE, 0, 0, 255))
        context.disable(context.BLEND)  # type: ignore[no-untyped-call]
        shapes.render(program)
        context.enable(context.BLEND)
    return texture


def _board_texture(painting: str, names: tuple[PlacedName, ...]) -> Texture2D:
    """Return the texture of a painting with names. It is large, so the one before is deleted first."""
    if (painting, names) not in _PAINTINGS:
        while _PAINTINGS:
            _PAINTINGS.popitem()[1].delete()  # type: ignore[no-untyped-call]
        _PAINTINGS[painting, names] = _painted_texture(ASSETS / painting, names)
    return _PAINTINGS[painting, names]


def _painted_texture(painting: Path, names: tuple[PlacedName, ...]) -> Texture2D:
    context = arcade.get_window().ctx
    with Image.open(painting) as image:
        write(image, names, BOARD.provinces)
        texture = context.texture(image.size, components=3)
        _fill(texture, image)
    texture.build_mipmaps()
    texture.filter = context.LINEAR_MIPMAP_LINEAR, context.LINEAR
    return texture


def _fill(texture: Texture2D, image: Image.Image) -> None:
    """Write the lowest row first, a band at a time: a copy of all pixels would take 30 MiB."""
    width, height = image.size
    for top in range(0, height, _BAND):
        band = image.crop((0, top, width, min(height, top + _BAND)))
        texture.write(band.tobytes("raw", "RGB", 0, -1), viewport=(0, height - top - band.height, width, band.height))


def _borders_texture() -> Texture2D:
    """Return a texture that is bright along the borders of the spaces and fades inwards."""
    context = arcade.get_window().ctx
    with Image.open(ASSETS / "index.png") as image:
        spaces = image.convert("L").transpose(Image.Transpose.FLIP_TOP_BOTTOM)
    edges = ImageChops.subtract(spaces.filter(ImageFilter.MaxFilter(3)), spaces.filter(ImageFilter.MinFilter(3)))
    lines = edges.point([0] + [255] * 255)
    near = ImageChops.lighter(
        lines.filter(ImageFilter.GaussianBlur(2.5)), lines.filter(ImageFilter.GaussianBlur(6)).point(_twice_as_bright)
    )
    texture = context.texture(near.size, components=1, data=near.tobytes())
    texture.filter = context.LINEAR, context.LINEAR
    return texture


def _twice_as_bright(value: int) -> int:
    return min(255, value * 2)


def _shapes(geography: Geography) -> Geometry:
    """Return all triangles of all spaces, each corner with the number of its space."""
    context = arcade.get_window().ctx
    corners = array("f")
    for space, shape in enumerate(geography.spaces):
        points = array("f", shape.triangles)
        part = array("f", [space]) * (len(points) // 2 * 3)
        part[0::3], part[1::3] = points[0::2], points[1::2]
        corners.extend(part)
    buffer = context.buffer(data=corners.tobytes())
    return context.geometry([BufferDescription(buffer, "2f 1f", ["in_vert", "in_space"])], mode=context.TRIANGLES)
