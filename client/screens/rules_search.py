"""Search in the rules: by typed words or by the id of a rule. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from msgspec import Struct

from client.drawing.scrolling import Chapter, parts

Pages: TypeAlias = Sequence[tuple[str, Sequence[Chapter]]]
"""Titles of the tabs, each with its chapters."""


class Spot(Struct, frozen=True):
    """Part of a chapter on a page, all counted from 0; a chapter's part 0 is its title."""

    page: int
    chapter: int
    part: int = 0


def search(pages: Pages, words: str) -> list[Spot]:
    """Return all parts that contain each of the words, in order; an empty list without words."""
    wanted = words.casefold().split()
    return [
        Spot(i, j, k)
        for i, (_, chapters) in enumerate(pages)
        for j, chapter in enumerate(chapters)
        for k, part in enumerate(parts(chapter))
        if wanted and all(word in part.casefold() for word in wanted)
    ]


def page_of(pages: Pages, rule: str) -> Spot | None:
    """Return the chapter on a rule by its id, else that of its section (``"CL-MOVE"`` of ``"CL-MOVE-02"``)."""
    for known in (rule, rule.rpartition("-")[0]):
        for i, (_, chapters) in enumerate(pages):
            for j, chapter in enumerate(chapters):
                if known and known in chapter.rules:
                    return Spot(i, j)
    return None
