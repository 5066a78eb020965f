"""Rules in short as lines: their chapters, one of them, or the places that fit words or a question. Pure functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from client.drawing.chapters import Chapter, Pages, find, parts
from client.language import _, ngettext
from shared.phrases.name_lookup import Misread, folded

USAGE: Final = "rules [WORDS]"
_SHOWN: Final = 4
"""Maximum number of places that are shown for a question."""


def lines(pages: Pages, words: str) -> Sequence[str]:
    """Return the names of all chapters, the chapter with that name, or the places with these words or that fit them.

    Raises Misread if the rules have none of the words.
    """
    if not words:
        listed = [f"{page}: {', '.join(chapter.title for chapter in chapters)}." for page, chapters in pages]
        return [*listed, _("“rules” with a title shows that chapter. Or ask: “rules how do I move”.")]
    named = [chapter for _page, chapters in pages for chapter in chapters if folded(chapter.title) == folded(words)]
    if named:
        return [line for chapter in named for line in parts(chapter)]
    places = find(pages, words)
    if not places:
        raise Misread(_("The rules in short say nothing about “{words}”.", words=words))
    more = len(places) - _SHOWN
    found = [_said(pages[at.page][1][at.chapter], at.part) for at in places[:_SHOWN]]
    if more <= 0:
        return found
    return [*found, ngettext("One more place has these words.", "{n} more places have these words.", more)]


def _said(chapter: Chapter, part: int) -> str:
    """Return a part of a chapter with the title before it; the title alone brings the first part along."""
    return f"{chapter.title}: {parts(chapter)[part or min(1, len(parts(chapter)) - 1)]}"
