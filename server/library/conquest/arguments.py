"""Arguments of public functions, checked against their type hints: wrong ones get a sentence."""

from collections.abc import Callable, Mapping
from functools import cache, wraps
from inspect import Parameter, signature
from itertools import chain, repeat
from numbers import Integral, Real
from types import NoneType, SimpleNamespace, UnionType
from typing import Any, Final, ParamSpec, TypeVar, Union, get_args, get_origin, get_type_hints

P = ParamSpec("P")
R = TypeVar("R")
_LIKE: Final[dict[object, type]] = {int: Integral, float: Real}
"""Types whose place others take, such as whole numbers of NumPy."""
_WORDS: Final = {int: "a whole number", float: "a number", str: "text", NoneType: "None"}


def checked(function: Callable[P, R]) -> Callable[P, R]:
    """Return the function with a check of its arguments, which raises TypeError with a sentence."""
    parameters = signature(function).parameters.values()
    names = [each.name for each in parameters if each.kind is not Parameter.KEYWORD_ONLY]
    taken = {name: hint for name, hint in function.__annotations__.items() if name != "return"}
    # Not before the call: modules name types of each other.
    hints = cache(lambda: get_type_hints(SimpleNamespace(__annotations__=taken), function.__globals__))

    fit: set[tuple[str, type]] = set()
    """Names with types that need no second look."""

    def fitting(name: str, value: Any) -> Any:
        if (name, type(value)) in fit:
            return value
        hint = hints().get(name, Any)
        if not _fits(value, hint):
            raise TypeError(f"{name} must be {_words(hint)}, not {value!r}.")
        if isinstance(value, Integral) and not isinstance(value, int):
            return int(value)
        if not isinstance(value, Mapping):  # Of these the contents count, too.
            fit.add((name, type(value)))
        return value

    @wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        # Not bound to the signature, which takes longer than many a call: games are cloned in searches.
        given = [fitting(name, value) for name, value in zip(chain(names, repeat(names[-1])), args, strict=False)]
        return function(*given, **{name: fitting(name, value) for name, value in kwargs.items()})

    return call


def _fits(value: object, hint: Any) -> bool:
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        return any(_fits(value, each) for each in inner)
    kind = _LIKE.get(hint, origin or hint)
    if hint is Any or not isinstance(kind, type):
        return True
    if not isinstance(value, kind):
        return False
    if issubclass(kind, Mapping) and inner and isinstance(value, Mapping):
        return all(_fits(key, inner[0]) and _fits(each, inner[1]) for key, each in value.items())
    return True


def _words(hint: Any) -> str:
    if get_origin(hint) in (Union, UnionType):
        return " or ".join(map(_words, get_args(hint)))
    kind = get_origin(hint) or hint
    return _WORDS.get(hint, f"a {getattr(kind, '__name__', kind)}")
