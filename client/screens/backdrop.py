"""Painted board behind the screens outside a match, in candlelight. It does not move, so it is drawn once."""

from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import arcade
from arcade.gl import Geometry, Program, Texture2D
from arcade.gl.geometry import quad_2d
from PIL import Image

_VERTEX: Final = """
#version 330
in vec2 in_vert;
out vec2 at;
void main() {
    at = in_vert;
    gl_Position = vec4(in_vert, 0.0, 1.0);
}
"""
_FRAGMENT: Final = """
#version 330
uniform sampler2D board;
uniform vec2 centre, span;
uniform float dim, side;
in vec2 at;
out vec4 colour;
void main() {
    vec3 map = texture(board, centre + vec2(at.x, -at.y) * span).rgb;
    map *= vec3(1.0, 0.94, 0.84);
    float vignette = 1.0 - 0.6 * smoothstep(0.35, 1.35, length(at * vec2(0.95, 0.9)));
    float shade = mix(1.0, 0.06, side * (1.0 - smoothstep(-0.5, 0.35, at.x)));
    shade *= mix(1.0, 0.35, side * (1.0 - smoothstep(-1.0, -0.78, at.y)));
    vec3 night = vec3(0.11, 0.07, 0.05);
    colour = vec4(mix(night, map * vignette, dim * shade), 1.0);
}
"""


def _picture() -> Image.Image:
    """Return the board at half its size, or bare parchment if it has not been painted yet."""
    file = Path(str(resources.files("client"))) / "assets" / "board.jpg"
    if not file.exists():
        return Image.new("RGB", (360, 238), (196, 172, 128))
    picture = Image.open(file)
    # Lets the decoder of JPEG halve it, which is faster than to shrink the whole picture.
    picture.draft("RGB", (picture.width // 2, picture.height // 2))
    return picture.convert("RGB")


@cache
def _board() -> Texture2D:
    picture = _picture()
    context = arcade.get_window().ctx
    # No mipmaps: the picture is never shown much smaller than it is.
    return context.texture(picture.size, components=3, data=picture.tobytes(), filter=(context.LINEAR, context.LINEAR))


@cache
def _program() -> Program:
    return arcade.get_window().ctx.program(vertex_shader=_VERTEX, fragment_shader=_FRAGMENT)


@cache
def _quad() -> Geometry:
    return quad_2d(size=(2.0, 2.0))


def draw(width: float, height: float, *, dim: float = 1.0, side: float = 0.0) -> None:
    """Fill the window with the board. `dim`: its brightness (0 to 1); `side`: darkness of its left third (0 to 1)."""
    board, program = _board(), _program()
    tall = 0.3
    wide = tall * (width / height) * (board.height / board.width)
    if wide > 0.42:
        tall, wide = tall * 0.42 / wide, 0.42
    # Show the lower part of the board: its title would compete with that of the game.
    program["centre"] = 0.5, 0.6
    program["span"] = wide, tall
    program["dim"] = dim
    program["side"] = side
    board.use(0)
    _quad().render(program)
