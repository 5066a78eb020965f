"""Asking the system to show that a window wants attention: the urgency hint of X11, by which a taskbar lights up. The
library offers nothing of the kind elsewhere, and elsewhere nothing is done."""

from __future__ import annotations

import arcade
import pyglet


def beckon(window: arcade.Window, on: bool) -> bool:
    """Set the hint, or take it back; whether there is such a thing here."""
    if pyglet.compat_platform != "linux" or pyglet.options.headless:
        return False
    from pyglet.libs.x11 import xlib  # Only there is it to be had.
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
