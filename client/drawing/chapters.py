"""Chapters of long texts, and search in those of the rules: by words, questions or the id of a rule. No drawing."""

import re
from collections.abc import Sequence
from functools import lru_cache
from math import log
from typing import Final, TypeAlias
from unicodedata import normalize

from msgspec import Struct

from client.language import search_words

_WORD: Final = re.compile(r"[^\W_]+")
_ENDINGS: Final = ("ing", "ies", "es", "ed", "en", "s", "y", "e", "n")
_ANSWERS: Final = 9
"""Maximum number of answers to a question."""
_FIRST: Final = 0.2
"""Additional weight of the first word of a part, which says what it is about."""
_LATER: Final = 0.95
"""Weight of a page against the one before it: those of the game come before those of all."""
_WHOLE: Final = 3
"""Words with up to this many letters must be found whole; of longer ones the beginning is enough."""
_LONG: Final = 5
"""Words with more letters than this may have a wrong one."""


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


def find(pages: Pages, question: str) -> list[Spot]:
    """Return the parts that fit words or a question best, the best first; [] if the rules use none of its words.

    Rare words count more than frequent ones, and those of the title like those of the text. Words of players stand for
    those of the rules (`search.txt` of the language); words that questions begin with count for nothing. Unknown words
    are read as compounds or misspellings. The browser page does the same (`server/web/files/model/rules.js`).
    """
    texts = [
        (Spot(i, j, k), _stems(part), _stems(chapter.title))
        for i, (_title, chapters) in enumerate(pages)
        for j, chapter in enumerate(chapters)
        for k, part in enumerate(parts(chapter))
        if k or not (chapter.words or chapter.rows)
    ]
    rates = [0.0] * len(texts)
    for words in _search_terms(_stems(question), " ".join(part + title for _spot, part, title in texts)):
        starts = [f" {word}" if len(word) > _WHOLE else f" {word} " for word in words]
        fits = [sum(any(word in text for word in starts) for text in (part, title))
                + _FIRST * any(part.startswith(word) for word in starts) for _spot, part, title in texts]  # fmt: skip
        worth = log(1 + len(texts) / max(1, sum(map(bool, fits))))
        rates = [rate + fit * worth for rate, fit in zip(rates, fits, strict=True)]
    rated = [(rate * _LATER**spot.page, spot) for rate, (spot, _part, _title) in zip(rates, texts, strict=True)]
    best = max((rate for rate, _spot in rated), default=0.0)
    return [spot for rate, spot in sorted(rated, key=lambda one: -one[0]) if rate > best / 2 > 0][:_ANSWERS]


def _search_terms(question: str, text: str) -> list[list[str]]:
    """Return what a question asks for: for each of its words or phrases those that mean the same, as stems.

    `text`: stems of the rules.
    """
    empty, *groups = _grouped(search_words())
    # The longest first: a phrase must be taken out before one of its words is.
    words = sorted({word for group in groups for word in group}, key=lambda word: (-len(word), word))
    typed: set[str] = set()
    for word in words:
        if f" {word} " in question:
            typed.add(word)
            # Two blanks: each of the neighbours keeps the one that it is found by.
            question = question.replace(f" {word} ", "  ")
    words_found = [word for word in dict.fromkeys((*words, *text.split())) if word not in empty]
    rest = [part for word in question.split() if word not in empty for part in _split(word, words_found)]
    found = [group for group in groups if not {*typed, *rest}.isdisjoint(group)]
    return found + [[word] for word in rest if word not in words]


def _split(word: str, vocabulary: Sequence[str]) -> list[str]:
    """Return a word, or the known words of which an unknown one is made, or the one from which it differs in a letter.

    "Preisliste" is made of "Preis" and "Liste"; a part that is unknown is left out.
    """
    if word in vocabulary or (len(word) > _WHOLE and any(each.startswith(word) for each in vocabulary)):
        return [word]
    parts, rest = [], word
    for each in sorted(vocabulary, key=lambda each: (-len(each), each)):
        if len(each) > _WHOLE and each in rest:
            parts.append(each)
            rest = rest.replace(each, " ")
    if parts:
        return parts
    near = [each for each in vocabulary if len(word) > _LONG and _is_near(word, each)]
    return near[:1] or [word]


def _is_near(word: str, other: str) -> bool:
    """Whether two words differ in one letter, which one of them may lack."""
    return any(
        word[:i] == other[:i] and (word[i + 1 :] in (other[i:], other[i + 1 :]) or word[i:] == other[i + 1 :])
        for i in range(len(word) + 1)
    )


@lru_cache
def _grouped(lines: tuple[str, ...]) -> list[list[str]]:
    """Return the words of the search as stems: those that count for nothing, then groups that mean the same."""
    return [[_stems(word).strip() for word in line.split(", ")] for line in lines]


@lru_cache(maxsize=4096)
def _stems(words: str) -> str:
    """Return the words of a text without accents, capitals and the endings that most change, between blanks."""
    plain = re.sub(r"[\u0300-\u036f]", "", normalize("NFD", words.lower().replace("ß", "ss")))
    # "Koenig" is how "König" is typed without its key.
    plain = re.sub("([aou])e", r"\1", plain)
    return f" {' '.join(_stem(word) for word in _WORD.findall(plain))} "


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
