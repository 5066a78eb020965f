"""Key with its modifiers, its form in a file, and its name for people."""

from collections.abc import Callable
from typing import Any, Final

from arcade import key
from msgspec import Struct

from client.language import _

_HELD: Final = (("ctrl", key.MOD_CTRL | key.MOD_COMMAND), ("alt", key.MOD_ALT | key.MOD_OPTION),
                ("shift", key.MOD_SHIFT))  # fmt: skip
"""Names of the modifiers, in the order in which they are shown; those of a Mac that do the same are included."""
_SYMBOLS: Final[dict[str, int]] = {
    name.removeprefix("KEY_").lower(): value
    for name, value in vars(key).items()
    if name.isupper() and isinstance(value, int) and not name.startswith(("MOD_", "MOTION_"))
}
# Of several names for a key Arcade's first one counts; but players know Return as Enter.
_NAMES: Final = {value: name for name, value in reversed(_SYMBOLS.items())} | {key.ENTER: "enter"}
_SAID: Final = {
    "ctrl": _("Ctrl"), "alt": _("Alt"), "shift": _("Shift"), "enter": _("Enter"), "escape": _("Esc"), "tab": _("Tab"),
    "space": _("Space"), "backspace": _("Backspace"), "delete": _("Delete"), "insert": _("Insert"),
    "pageup": _("Page Up"), "pagedown": _("Page Down"), "home": _("Home"), "end": _("End"), "up": _("Up"),
    "down": _("Down"), "left": _("Left"), "right": _("Right"), "plus": "+", "minus": "-", "equal": "=", "slash": "/",
    "comma": ",", "period": ".", "semicolon": ";",
}  # fmt: skip
"""Names of keys that differ from Arcade's."""
_PLACES: Final = {
    code: ord(letter)
    for first, row in ((24, "qwertyuiop"), (38, "asdfghjkl"), (52, "zxcvbnm,."))
    for code, letter in enumerate(row, first)
}
"""Symbols of a keyboard with Latin letters by X11's codes of the keys, which name their places."""
_MAC_PLACES: Final = {
    code: ord(letter)
    for first, row in ((0, "asdfhgzxcv"), (11, "bqweryt"), (31, "ou"), (34, "ip"), (37, "lj"), (40, "k"), (45, "nm"))
    for code, letter in enumerate(row, first)
}
"""The same for letters by the codes of the keys under macOS."""
_IDLE: Final = frozenset(
    _SYMBOLS[side + name] for side in "lr" for name in ("alt", "command", "ctrl", "meta", "option", "shift", "windows")
) | {key.CAPSLOCK, key.NUMLOCK, key.SCROLLLOCK, key.MODESWITCH}  # fmt: skip
"""Keys that do nothing by themselves."""


class Chord(Struct, frozen=True):
    """Key with modifiers. `symbol`: as Arcade numbers it; `held`: words of `_HELD`, in that order."""

    symbol: int
    held: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Return the form in files: ``"ctrl+shift+z"``."""
        return "+".join((*self.held, _NAMES.get(self.symbol, str(self.symbol))))

    @property
    def told(self) -> str:
        """Name for people."""
        return "+".join(_key_name(name) for name in (*self.held, _NAMES.get(self.symbol, "?")))

    def without(self, held: str) -> "Chord":
        """Return the same without that modifier."""
        return Chord(self.symbol, tuple(other for other in self.held if other != held))

    @property
    def typed(self) -> bool:
        """Whether it types a character in a text field."""
        return 0x20 <= self.symbol < 0x7F and set(self.held) <= {"shift"}

    @property
    def letter(self) -> str:
        """Letter of the key with no other modifier than Shift; else empty."""
        plain = key.A <= self.symbol <= key.Z and set(self.held) <= {"shift"}
        return chr(self.symbol) if plain else ""

    @property
    def digit(self) -> int:
        """Digit from 1 to 9, of either block of the keyboard and with any modifiers; 0 for none."""
        if key.KEY_1 <= self.symbol <= key.KEY_9:
            return self.symbol - key.KEY_1 + 1
        return self.symbol - key.NUM_1 + 1 if key.NUM_1 <= self.symbol <= key.NUM_9 else 0


def _key_name(name: str) -> str:
    if name.startswith("num_"):
        return f"{_('Num')} {_key_name(name.removeprefix('num_'))}"
    return _SAID.get(name, name.title() if len(name) > 1 else name.upper())


def latin(symbol: int | None) -> int:
    """Return the Latin letter in the place of a key whose layout has none there, such as a Cyrillic one; else `symbol`.

    Under X11 pyglet then gives the code of the key, see `pyglet.window.key.user_key`. Under Windows it names such
    letters by place itself. Under macOS `by_place` does. None becomes 0: no key.
    """
    return _PLACES.get(symbol >> 32, symbol) if symbol else 0


def by_place(symbol_of: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """Return a function that also knows letters of layouts without Latin ones.

    symbol_of: pyglet's function for the symbol of a key event under macOS, which returns None for them.
    """
    return lambda event: symbol_of(event) or _MAC_PLACES.get(event.keyCode())


def pressed(symbol: int, modifiers: int) -> Chord:
    """Return the chord of a window's key event; locks are ignored."""
    return Chord(symbol, tuple(held for held, mask in _HELD if modifiers & mask))


def idle(symbol: int) -> bool:
    """Whether a key does nothing by itself, such as Shift, or has no name for files."""
    return symbol in _IDLE or symbol not in _NAMES


def chord(words: str) -> Chord:
    """Parse the form in files; raise ValueError if it is no key."""
    *held, name = words.split("+")
    if name not in _SYMBOLS or any(each not in dict(_HELD) for each in held):
        raise ValueError(f"{words} is no key")
    return Chord(_SYMBOLS[name], tuple(each for each, _ in _HELD if each in held))
