"""Requests for the user's attention by the urgency hint of X11, which lights up the taskbar.

The library offers nothing of the kind for other systems, so nothing is done there.
"""

from __future__ import annotations

import arcade
import pyglet


def beckon(window: arcade.Window, on: bool) -> bool:
    """Set or clear the hint; return whether this system has it."""
    if pyglet.compat_platform != "linux" or pyglet.options.headless:
        return False
    from pyglet.libs.x11 import xlib  # The module exists on X11 only.
    from pyglet.window.xlib import XlibWindow

    if not isinstance(window, XlibWindow):
        return False
    display, handle = window._x_display, window._window
    hints = xlib.XGetWMHints(display, handle) or xlib.XAllocWMHints()
    flags = hints.contents.flags
    hints.contents.flags = flags | xlib.XUrgencyHint if on else flags & ~xlib.XUrgencyHint
    xlib.XSetWMHints(display, handle, hints)
    xlib.XFree(hints)
    xlib.XFlush(display)
    return True
