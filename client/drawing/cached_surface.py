"""Cached picture of a part of the window, which is painted again only after a change."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from typing import Final

import arcade
from arcade.gl import Framebuffer, Geometry, Program
from arcade.gl.geometry import quad_2d
from arcade.types import Rect

from client.drawing import theme

_VERTEX: Final = """
#version 330
uniform WindowBlock { mat4 projection; mat4 view; } window;
uniform vec2 corner;
uniform vec2 size;
in vec2 in_vert;
out vec2 uv;
void main() {
    uv = in_vert;
    gl_Position = window.projection * window.view * vec4(corner + in_vert * size, 0.0, 1.0);
}
"""
_FRAGMENT: Final = """
#version 330
uniform sampler2D picture;
in vec2 uv;
out vec4 colour;
void main() { colour = vec4(texture(picture, uv).rgb, 1.0); }
"""


@cache
def _program() -> Program:
    return arcade.get_window().ctx.program(vertex_shader=_VERTEX, fragment_shader=_FRAGMENT)


@cache
def unit_quad() -> Geometry:
    """Return a square from (0, 0) to (1, 1), as `in_vert`."""
    return quad_2d(size=(1.0, 1.0), pos=(0.5, 0.5))


class CachedSurface:
    """Opaque picture of a rectangle of the window (whole pixels).

    Inside `painting` all drawing goes into the picture, in the usual coordinates; `draw` shows it.
    """

    def __init__(self, rect: Rect) -> None:
        self.rect = rect
        self._buffer: Framebuffer | None = None

    @property
    def painted(self) -> bool:
        """Whether there is a picture to show."""
        return self._buffer is not None

    def use(self, unit: int) -> None:
        """Bind the picture to that texture unit."""
        if self._buffer is not None:
            self._buffer.color_attachments[0].use(unit)

    @contextmanager
    def painting(self, anew: bool = True) -> Iterator[None]:
        """Redirect drawing into the picture. `anew`: without what it shows so far."""
        window = arcade.get_window()
        context = window.ctx
        rect, ratio = self.rect, window.get_pixel_ratio()
        size = max(1, round(rect.width * ratio)), max(1, round(rect.height * ratio))
        if self._buffer is None:
            texture = context.texture(size, components=4, filter=(context.NEAREST, context.NEAREST))
            self._buffer = context.framebuffer(color_attachments=[texture])
        camera = arcade.Camera2D(
            viewport=arcade.LBWH(0, 0, *size),
            projection=arcade.LRBT(0, rect.width, 0, rect.height),
            position=(rect.left, rect.bottom),
            render_target=self._buffer,
        )
        with camera.activate():
            if anew:
                self._buffer.clear(color=theme.NIGHT)
            yield

    def draw(self, at: Rect | None = None) -> None:
        """Show the picture. `at`: a rectangle to which it is scaled; None for its own, pixel by pixel."""
        if self._buffer is None:
            return
        context = arcade.get_window().ctx
        program = _program()
        place = self.rect if at is None else at
        program["corner"] = place.left, place.bottom
        program["size"] = place.width, place.height
        smooth = context.NEAREST if at is None else context.LINEAR
        # Nearest at its own size: linear filtering would blur letters that lie on whole pixels.
        self._buffer.color_attachments[0].filter = smooth, smooth
        self.use(0)
        # The shader makes every pixel opaque, so blending would only cost time.
        context.disable(context.BLEND)  # type: ignore[no-untyped-call]
        unit_quad().render(program)
        context.enable(context.BLEND)
