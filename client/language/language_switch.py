"""Change of the language at run time: texts that were looked up at import are looked up again in place.

Tables of texts are built once, when their module is imported. Their texts know how they were looked up (`TableText`).
So they can be found in any object and replaced. Texts that a function looks up need no renewal: the next call looks
them up again.
"""

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
"""Packages whose objects are searched."""
_OPTIMISED: Final = 0x1
"""Flag of the code of functions; the code of modules and classes lacks it."""
_PLAIN: Final = (str, bytes, int, float, Enum, type(None))
"""Types that hold no other objects."""
_NESTED: Final = ("<listcomp>", "<dictcomp>", "<setcomp>", "<genexpr>")


class TableText(str):
    """Text of a table, with a function that looks it up again."""

    again: Callable[[], str]


def tabled(text: str, again: Callable[[], str]) -> str:
    """Return the text, as `TableText` while a module or a class is being loaded. Only lookup functions may call it."""
    # 0 is this function and 1 the lookup function (`_` or `pgettext`); 2 is the code that needs the text.
    frame = sys._getframe(2)
    # Generators, and comprehensions before Python 3.12, have frames of their own within the code that counts.
    while frame.f_code.co_name in _NESTED and frame.f_back is not None:
        frame = frame.f_back
    if frame.f_code.co_flags & _OPTIMISED:
        return text
    text = TableText(text)
    text.again = again
    return text


def renew(roots: Iterable[object] = ()) -> None:
    """Look up all texts of tables again: in all modules of ours, and in all objects reachable from `roots`."""
    # A copy: another thread may import a module meanwhile.
    modules = [module for name, module in list(sys.modules.items()) if name.split(".")[0] in OWN]
    renewal = _Renewal()
    renewal.run([*[vars(module) for module in modules], *roots])


class _Renewal:
    """Single walk through all objects. Mutable objects are changed in place; immutable ones are replaced."""

    def __init__(self) -> None:
        self._visited: dict[int, object] = {}
        """Visited objects by id. They are kept alive during the walk, so that no id is reused."""
        self._waiting: list[object] = []

    def run(self, roots: Iterable[object]) -> None:
        for root in roots:
            self._fresh(root)
        # Not by recursion: chains of objects may be longer than the stack allows.
        while self._waiting:
            self._change(self._waiting.pop())

    def _fresh(self, value: Any) -> Any:
        """Return the value, or a new one if it is or contains a text with another translation now."""
        if isinstance(value, TableText):
            return tabled_again(value)
        # Not noted as visited: a circle of references always contains a mutable object, which is.
        if isinstance(value, tuple | frozenset):
            return self._renewed_collection(value)
        if isinstance(value, partial):
            return self._renewed_partial(value)
        if id(value) not in self._visited and not isinstance(value, _PLAIN):
            self._visited[id(value)] = value
            self._waiting.append(value)
        return value

    def _renewed_collection(self, value: Any) -> Any:
        items = list(value)
        fresh = [self._fresh(item) for item in items]
        # The same object if nothing changed: callers tell that by its identity.
        if all(new is old for new, old in zip(fresh, items, strict=True)):
            return value
        return type(value)(*fresh) if hasattr(value, "_fields") else type(value)(fresh)

    def _renewed_partial(self, value: partial[Any]) -> partial[Any]:
        args, words = self._fresh(value.args), {key: self._fresh(word) for key, word in value.keywords.items()}
        self._fresh(value.func)
        same = args is value.args and all(words[key] is value.keywords[key] for key in words)
        return value if same else partial(value.func, *args, **words)

    def _change(self, thing: Any) -> None:
        """Put renewed texts into a mutable object."""
        if isinstance(thing, dict):
            self._change_dict(thing)
        elif isinstance(thing, MappingProxyType):
            # A proxy does not show the dict behind it, but the garbage collector knows that.
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
        elif _is_ours(thing):
            for name, value, put in _attributes_with_setters(thing):
                if (fresh := self._fresh(value)) is not value:
                    put(thing, name, fresh)

    def _change_dict(self, thing: dict[Any, Any]) -> None:
        items = [(self._fresh(key), self._fresh(value)) for key, value in list(thing.items())]
        # Keys may be texts as well. Emptying the dict first keeps the order of its entries.
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
            with suppress(ValueError):  # It is still empty.
                cell.cell_contents = self._fresh(cell.cell_contents)


def tabled_again(text: TableText) -> TableText:
    """Return the same text in the present language."""
    fresh = TableText(text.again())
    fresh.again = text.again
    return fresh


def _is_ours(thing: object) -> bool:
    kind = thing if isinstance(thing, type) else type(thing)
    return kind.__module__.split(".")[0] in OWN and not issubclass(kind, Enum)


def _attributes_with_setters(thing: Any) -> Iterator[tuple[str, Any, Callable[[Any, str, Any], None]]]:
    """Yield names, values, and the function that changes each."""
    if isinstance(thing, Struct):
        # `force_setattr` also changes frozen ones.
        for name in thing.__struct_fields__:
            yield name, getattr(thing, name), force_setattr
    elif isinstance(thing, type):
        for name, value in list(vars(thing).items()):
            if isinstance(value, TableText | tuple | frozenset | dict | list | FunctionType) and not name.startswith(
                "__"
            ):
                yield name, value, setattr
    else:
        for name, value in list(getattr(thing, "__dict__", {}).items()):
            yield name, value, object.__setattr__
