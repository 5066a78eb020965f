"""Chapters of long texts, and search in those of the rules: by words, questions or the id of a rule. No drawing."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import log
from typing import Final, TypeAlias

from msgspec import Struct

from client.language import _

_EMPTY: Final = _(
    "a an and are can could do does for get have how i if in is it many me much must my of on or should that the there "
    "to what when where which who why with you"
)
"""Words of questions that say nothing about their subject, separated by spaces."""
_ENDINGS: Final = ("ing", "ies", "es", "ed", "en", "s", "y", "e", "n")
_ANSWERS: Final = 9
"""Maximum number of answers to a question."""


class Chapter(Struct, frozen=True):
    """Titled part of a long text.

    `pictures`: a row of painted pieces, each with the text below it. `rows`: a table of three columns, its head first.
    `rules`: ids of the rules, and of their sections, that it describes.
    """

    title: str
    words: str
    pictures: tuple[tuple[str, str], ...] = ()
    rows: tuple[tuple[str, str, str], ...] = ()
    rules: tuple[str, ...] = ()


def parts(chapter: Chapter) -> list[str]:
    """Return all texts of a chapter: its title, its paragraphs, the lines of its table."""
    paragraphs = chapter.words.split("\n") if chapter.words else []
    return [chapter.title, *paragraphs, *[" ".join(row) for row in chapter.rows]]


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
        for i, (_title, chapters) in enumerate(pages)
        for j, chapter in enumerate(chapters)
        for k, part in enumerate(parts(chapter))
        if wanted and all(word in part.casefold() for word in wanted)
    ]


def answers(pages: Pages, question: str) -> list[Spot]:
    """Return the parts that fit a question best, the best first; [] if it has no word that the rules use.

    Words that questions begin with count for nothing, and rare words more than frequent ones.
    """
    wanted = {_stem(word) for word in re.findall(r"\w+", question.casefold()) if word not in _EMPTY.split()}
    texts = [
        (Spot(i, j, k), [_stem(word) for word in re.findall(r"\w+", f"{part} {chapter.title}".casefold())])
        for i, (_title, chapters) in enumerate(pages)
        for j, chapter in enumerate(chapters)
        for k, part in enumerate(parts(chapter))
    ]
    worth = {word: log(len(texts) / many) for word in wanted if (many := sum(word in text for _spot, text in texts))}
    # A part begins with what it is about, so its first word counts twice.
    rated = [(sum(worth[word] * (1 + (word == text[0])) for word in worth if word in text), spot)
             for spot, text in texts]  # fmt: skip
    best = max((rate for rate, _spot in rated), default=0.0)
    return [spot for rate, spot in sorted(rated, key=lambda one: -one[0]) if rate > best / 2 > 0][:_ANSWERS]


def _stem(word: str) -> str:
    """Return a word without the ending that most changes between its forms."""
    for ending in _ENDINGS:
        if word.endswith(ending) and len(word) > len(ending) + 2:
            return word.removesuffix(ending)
    return word


def page_of(pages: Pages, rule: str) -> Spot | None:
    """Return the chapter on a rule by its id, else that of its section (``"CL-MOVE"`` of ``"CL-MOVE-02"``)."""
    for known in (rule, rule.rpartition("-")[0]):
        for i, (_title, chapters) in enumerate(pages):
            for j, chapter in enumerate(chapters):
                if known and known in chapter.rules:
                    return Spot(i, j)
    return None
