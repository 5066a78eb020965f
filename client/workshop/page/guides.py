"""Rules in short for the page, and words to search them, a file for each game and language, from the client's help."""

from typing import Final

from client.drawing.chapters import Chapter
from client.games.registry import GUIDES
from client.language import ENGLISH, languages, search_words, switch

_ROOTS: Final = (GUIDES,)
"""Objects whose texts are looked up anew in another language."""


def data() -> dict[str, object]:
    """Return the pages of every game and the words of the search, by the name of their file."""
    words = {f"rules/words.{code}.json": search_words(code) for code in languages()}
    try:
        pages = {f"rules/{game}.{code}.json": pages for code in languages() for game, pages in _pages(code).items()}
        return {**pages, **words}
    finally:
        # The language is global, so it is put back after an error too.
        switch(ENGLISH, _ROOTS)


def _pages(code: str) -> dict[str, list[object]]:
    """Return the pages in a language: the title and chapters of each."""
    switch(code, _ROOTS)
    return {
        game: [[title, [_chapter(chapter) for chapter in chapters]] for title, chapters in guide.pages]
        for game, guide in GUIDES.items()
    }


def _chapter(chapter: Chapter) -> list[object]:
    """Return title, paragraphs and the table of a chapter. Pieces are on the board, so their pictures stay out."""
    return [chapter.title, chapter.words.split("\n") if chapter.words else [], [list(row) for row in chapter.rows]]
