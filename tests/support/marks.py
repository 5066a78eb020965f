"""Parameters of which the default suite tries only some, the long suite more or all."""

from __future__ import annotations

import itertools
from collections.abc import Iterable
from typing import Any, TypeVar

import pytest

T = TypeVar("T")
U = TypeVar("U")


def with_releases(values: Iterable[T], *often: T) -> list[Any]:
    """Return the values of a test of the long suite as parameters; those outside `often` are tried for releases."""
    return [value if value in often else pytest.param(value, marks=pytest.mark.exhaustive) for value in values]


def mostly_long(values: Iterable[T], *default: T) -> list[Any]:
    """Return the values as parameters; those outside `default` belong to the long suite."""
    return [value if value in default else pytest.param(value, marks=pytest.mark.long) for value in values]


def mostly_long_pairs(first: Iterable[T], second: Iterable[U], *default: tuple[T, U]) -> list[Any]:
    """Return all pairs as parameters for two names; those outside `default` belong to the long suite."""
    pairs = itertools.product(first, second)
    return [pair if pair in default else pytest.param(*pair, marks=pytest.mark.long) for pair in pairs]
