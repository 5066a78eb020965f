"""Names that look alike: one table has no two of them, and nobody has one that belongs to the server."""

import unicodedata
from collections.abc import Collection
from functools import lru_cache
from typing import Final

from confusable_homoglyphs import confusables

from shared.tables import MAX_NAME, shortened

RESERVED: Final = ("Server", "Conquest", "System", "Table", "Host", "Admin", "Administrator", "Moderator", "Nobody")
"""Who speaks so would be taken for somebody else."""


@lru_cache(8192)
def keys(name: str) -> frozenset[str]:
    """Two names look alike, whatever their letters are and large or small, if they share a key (Unicode TR39)."""
    return frozenset({_skeleton(name.casefold()), _skeleton(name).casefold()})


def is_reserved(name: str) -> bool:
    """Whether the name looks like one that no person may have."""
    return bool(keys(name) & _reserved())


def distinct(name: str, others: Collection[str]) -> str:
    """The name, with a number behind it if one of the others looks like it; at most `MAX_NAME` characters."""
    taken = frozenset().union(*map(keys, others))
    tried, number = name, 1
    while keys(tried) & taken:
        number += 1
        end = f" ({number})"
        tried = shortened(name, MAX_NAME - len(end)) + end
    return tried


@lru_cache(1)
def _reserved() -> frozenset[str]:
    return frozenset().union(*map(keys, RESERVED))


def _skeleton(name: str) -> str:
    shown = "".join(_prototype(char) for char in unicodedata.normalize("NFD", name))
    return unicodedata.normalize("NFD", shown)


@lru_cache(4096)
def _prototype(char: str) -> str:
    """What stands for all that look like a character: the list names it alone, and itself beside many."""
    alike = _alike(char)
    if len(alike) != 1:
        return char
    (other,) = alike
    return min(char, other) if _alike(other) == [char] else other


def _alike(char: str) -> list[str]:
    return [str(entry["c"]).strip("\u200e") for entry in confusables.confusables_data.get(char, ())]
