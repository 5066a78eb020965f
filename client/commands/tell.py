"""Output of `conquest tell`: the chronicle of a recorded match, a line for each sentence."""

from __future__ import annotations

import time
from collections.abc import Iterator

from client.language import _
from client.replay.film_match import FilmMatch
from client.replay.record_files import shown, title_of
from client.table.event_text import event_line
from client.table.words import and_words
from client.text_client.registry import voice
from protocol.record import Record, entries
from shared.history import Deed


def tell(match: Record) -> Iterator[str]:
    """Yield all public events from the beginning to the end. Raise ValueError if the match cannot be shown."""
    found = shown(match)
    screening = FilmMatch(found.film, found.seats, found.title)
    speaks = voice(match.ruleset)
    yield from _head(match, screening)
    heading = ""
    while screening.version < found.film.last:
        screening.go_on()
        sentences = [event_line(step.event, screening.name, speaks.tell) for step in screening.take_events()]
        yield from filter(None, sentences)
        if found.film.settled(screening.version) and not screening.rules.finished(screening.view):
            before, heading = heading, speaks.heading(screening.view)
            yield from [f"{heading.rstrip('.')}."] if heading != before else []
    if entries(match)[-1:] and entries(match)[-1].deed is Deed.END:
        yield _("All agreed to end the match here.")
    elif not found.film.rules.finished(screening.view):
        yield _("The record ends here; the match does not.")


def _head(match: Record, screening: FilmMatch) -> Iterator[str]:
    yield f"{title_of(match)}: {screening.rules.title}."
    names = [screening.name(seat) for seat in range(len(match.seats))]
    yield _("At the table: {people}.", people=and_words(names))
    if match.begun:
        yield _("It began on {date}.", date=time.strftime("%Y-%m-%d", time.gmtime(match.begun)))
