"""Another language while the program runs: what was looked up as modules were loaded is looked up again, where it is.

Tables of words are made as soon as their module is loaded, once. The texts in them know where they come from
(`Tabled`), so that they can be found, in whatever holds them, and be replaced. What a function looks up is not looked
for: it is looked up again when the function is called the next time.
"""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from enum import Enum
from functools import partial
from types import FunctionType, MappingProxyType, MethodType
from typing import Any, Final

from msgspec import Struct
from msgspec.structs import force_setattr

OWN: Final = ("client", "shared")
"""The packages whose objects are looked through."""
_OPTIMISED: Final = 0x1
"""Flag of the code of functions; what a module or a class does as it is loaded has it not."""
_PLAIN: Final = (str, bytes, int, float, Enum, type(None))
"""What holds nothing else."""
_NESTED: Final = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")


class Tabled(str):
    """A text of a table, and how it is looked up again."""

    again: Callable[[], str]


def tabled(said: str, again: Callable[[], str]) -> str:
    """The text; where a module or a class is being loaded, one that can be looked up again. To be called by what looks
    texts up."""
    frame = sys._getframe(2)
    while frame.f_code.co_name in _NESTED and frame.f_back is not None:
        frame = frame.f_back
    if frame.f_code.co_flags & _OPTIMISED:
        return said
    text = Tabled(said)
    text.again = again
    return text


def renew(roots: Iterable[object] = ()) -> None:
    """Look all texts of tables up again: in all modules of ours, and in all that these objects hold."""
    modules = [module for name, module in list(sys.modules.items()) if name.split(".")[0] in OWN]
    renewal = _Renewal()
    renewal.run([*[vars(module) for module in modules], *roots])


class _Renewal:
    """One walk through everything. What can be changed is changed where it is; of the rest there is another one."""

    def __init__(self) -> None:
        self._seen: dict[int, object] = {}
        """Kept as long as the walk lasts: no number means two objects."""
        self._waiting: list[object] = []

    def run(self, roots: Iterable[object]) -> None:
        for root in roots:
            self._fresh(root)
        while self._waiting:
            self._change(self._waiting.pop())

    def _fresh(self, value: Any) -> Any:
        """The value; another one where it is, or has within it, a text that is said otherwise now."""
        if isinstance(value, Tabled):
            return tabled_again(value)
        if isinstance(value, tuple | frozenset):
            return self._rebuilt(value)
        if isinstance(value, partial):
            return self._bound(value)
        if id(value) not in self._seen and not isinstance(value, _PLAIN):
            self._seen[id(value)] = value
            self._waiting.append(value)
        return value

    def _rebuilt(self, value: Any) -> Any:
        items = list(value)
        fresh = [self._fresh(item) for item in items]
        if all(new is old for new, old in zip(fresh, items, strict=True)):
            return value
        return type(value)(*fresh) if hasattr(value, "_fields") else type(value)(fresh)

    def _bound(self, value: partial[Any]) -> partial[Any]:
        args, words = self._fresh(value.args), {key: self._fresh(word) for key, word in value.keywords.items()}
        self._fresh(value.func)
        same = args is value.args and all(words[key] is value.keywords[key] for key in words)
        return value if same else partial(value.func, *args, **words)

    def _change(self, thing: Any) -> None:
        """Put fresh texts into what holds them."""
        if isinstance(thing, dict):
            self._change_dict(thing)
        elif isinstance(thing, MappingProxyType):
            for shown in gc.get_referents(thing):
                self._fresh(shown)
        elif isinstance(thing, list):
            thing[:] = [self._fresh(item) for item in thing]
        elif isinstance(thing, set):
            self._change_set(thing)
        elif isinstance(thing, FunctionType):
            self._change_function(thing)
        elif isinstance(thing, MethodType):
            self._fresh(thing.__self__)
        elif _ours(thing):
            for name, value, put in _attributes(thing):
                if (fresh := self._fresh(value)) is not value:
                    put(thing, name, fresh)

    def _change_dict(self, thing: dict[Any, Any]) -> None:
        items = [(self._fresh(key), self._fresh(value)) for key, value in list(thing.items())]
        if any(a is not c or b is not d for (a, b), (c, d) in zip(items, list(thing.items()), strict=True)):
            thing.clear()
            thing.update(items)

    def _change_set(self, thing: set[Any]) -> None:
        items = [self._fresh(item) for item in thing]
        if any(item not in thing for item in items):
            thing.clear()
            thing.update(items)

    def _change_function(self, thing: FunctionType) -> None:
        if (thing.__module__ or "").split(".")[0] not in OWN:
            return
        thing.__defaults__ = self._fresh(thing.__defaults__)
        self._fresh(thing.__kwdefaults__)
        for cell in thing.__closure__ or ():
            with suppress(ValueError):  # Nothing is in it yet.
                cell.cell_contents = self._fresh(cell.cell_contents)


def tabled_again(text: Tabled) -> Tabled:
    """The same text as it is said now."""
    fresh = Tabled(text.again())
    fresh.again = text.again
    return fresh


def _ours(thing: object) -> bool:
    kind = thing if isinstance(thing, type) else type(thing)
    return kind.__module__.split(".")[0] in OWN and not issubclass(kind, Enum)


def _attributes(thing: Any) -> Iterator[tuple[str, Any, Callable[[Any, str, Any], None]]]:
    """Names, values, and how each is changed."""
    if isinstance(thing, Struct):
        for name in thing.__struct_fields__:
            yield name, getattr(thing, name), force_setattr
    elif isinstance(thing, type):
        for name, value in list(vars(thing).items()):
            if isinstance(value, Tabled | tuple | frozenset | dict | list | FunctionType) and not name.startswith("__"):
                yield name, value, setattr
    else:
        for name, value in list(getattr(thing, "__dict__", {}).items()):
            yield name, value, object.__setattr__
