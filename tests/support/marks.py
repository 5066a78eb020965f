"""Parameters of which the default suite tries only some, the long suite more or all."""

from collections.abc import Iterable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")


def with_releases(values: Iterable[T], *often: T) -> list[Any]:
    """Return the values of a test of the long suite as parameters; those outside `often` are tried for releases."""
    return [value if value in often else pytest.param(value, marks=pytest.mark.exhaustive) for value in values]


def mostly_long(values: Iterable[T], *default: T) -> list[Any]:
    """Return the values as parameters; those outside `default` belong to the long suite."""
    return [value if value in default else pytest.param(value, marks=pytest.mark.long) for value in values]


def in_stages(values: Iterable[T], default: Iterable[T], often: Iterable[T]) -> list[Any]:
    """Return the values as parameters: the default suite tries `default`, the long suite `often`, releases the rest."""
    usual, seldom = list(default), list(often)
    return [
        value
        if value in usual
        else pytest.param(value, marks=pytest.mark.long if value in seldom else pytest.mark.exhaustive)
        for value in values
    ]


def pairs_in_stages(
    values: Iterable[tuple[Any, ...]], default: Iterable[tuple[Any, ...]], often: Iterable[tuple[Any, ...]] = ()
) -> list[Any]:
    """Return values for several names, as `in_stages` does for one."""
    usual, seldom = list(default), list(often)
    return [
        value
        if value in usual
        else pytest.param(*value, marks=pytest.mark.long if value in seldom else pytest.mark.exhaustive)
        for value in values
    ]


def mostly_long_pairs(values: Iterable[tuple[Any, ...]], *default: tuple[Any, ...]) -> list[Any]:
    """Return values for several names; those outside `default` belong to the long suite."""
    return [value if value in default else pytest.param(*value, marks=pytest.mark.long) for value in values]
