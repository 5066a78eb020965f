"""Output of the commands `games`, `tell` and `verify`: status of own matches, a chronicle, the proof of a match."""

import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from client.language import _, ngettext
from client.network.model import sitter
from client.network.status_poller import StatusPoller
from client.player.match_status import awaited, description, is_awaited, place, stand, timing_text
from client.player.seats import SavedSeat, one_row_each
from client.player.settings import Settings, profiles_of, seats_of
from client.replay.film_match import FilmMatch
from client.replay.record_files import record_in, shown, title_of
from client.table.event_text import event_line
from client.table.words import and_words
from client.text_client.registry import voice
from client.text_client.terminal import put
from protocol.audit import NO_PROOF, Verdict, audit
from protocol.record import Record, entries
from shared.history import Deed


def tally(settings: Settings, *, as_json: bool) -> Iterator[str]:
    """Yield a line for each seat, those with the player's turn first; unreachable servers are mentioned."""
    seats = seats_of(settings)
    rounds = StatusPoller(seats, profiles_of(settings, seats), settings)
    rounds.ask(at_once=True)
    rounds.wait()
    for seat in sorted(one_row_each(seats.all()), key=lambda seat: not is_awaited(seat)):
        trouble = rounds.trouble(seat)
        yield _seat_json(seat, trouble) if as_json else _line(seat, trouble)
    for words in seats.words:
        put(words, sys.stderr)


def _seat_json(seat: SavedSeat, trouble: str) -> str:
    return json.dumps({
        "server": seat.address, "match": seat.match, "seat": seat.seat, "title": seat.title, "game": seat.game,
        "people": seat.people, "state": seat.state, "mine": seat.mine and seat.live, "turn": seat.turn,
        "round": seat.round or None,
        "since": seat.since or None, "until": seat.until or None, "unread": seat.unread, "trouble": trouble,
    }, ensure_ascii=False)  # fmt: skip


def _line(seat: SavedSeat, trouble: str) -> str:
    status = awaited(seat) or stand(seat)
    timing = timing_text(seat, time.time())
    words = [seat.title or _("A table"), description(seat), place(seat), status, timing, trouble]
    return ". ".join(word.rstrip(".") for word in words if word) + "."


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


WEAK = 64
"""Bits of randomness below which others could have searched for dice of their own that look the same."""


def verify(path: Path, *, rules_only: bool, as_json: bool) -> tuple[int, list[str]]:
    """Return the exit status, 0 only if everything is verified, and the printed lines.

    With `rules_only`, a match without proof of its dice is accepted. Raise ValueError for an invalid file; as JSON the
    error is printed, and the status is 2.
    """
    try:
        match = record_in(path)
    except ValueError as error:
        if not as_json:
            raise
        return 2, [json.dumps({"holds": False, "wrong": str(error)})]
    verdict = audit(match)
    enough = rules_only and verdict.rules and verdict.wrong == NO_PROOF
    lines = [json.dumps(structs.asdict(verdict))] if as_json else list(_verdict_lines(match, verdict, enough))
    return int(not verdict.holds and not enough), lines


def proven(verdict: Verdict) -> str:
    """Return a sentence on the verified dice."""
    return ngettext("The only roll verified.", "All {n} rolls verified.", verdict.rolls)


def _verdict_lines(match: Record, verdict: Verdict, enough: bool) -> Iterator[str]:
    people = ", ".join(sitter(seat, each.name, each.bot) for seat, each in enumerate(match.seats))
    named = {"title": title_of(match), "match": match.match, "ruleset": match.ruleset, "version": match.version}
    yield _("{title}: match {match} of {ruleset} (rules {version}), {people}.", **named, people=people)
    if verdict.rules:
        entries = ngettext("{n} entry", "{n} entries", verdict.entries)
        decisions = ngettext("{n} decision", "{n} decisions", verdict.decisions)
        yield _("By the rules: {entries}, {decisions} of players.", entries=entries, decisions=decisions)
    if verdict.holds:
        yield from _proof(verdict)
    elif enough:
        yield _("Its dice have no proof, and none was asked for.")
    else:
        yield _("It does not hold: {why}", why=verdict.wrong)
    yield _("Fingerprint of the log: {check}", check=verdict.fingerprint)


def _proof(verdict: Verdict) -> Iterator[str]:
    yield proven(verdict)
    yield ngettext(
        "They follow from the server's secret and the number of {n} player.",
        "They follow from the server's secret and the numbers of {n} players.",
        verdict.numbers,
    )
    yield _("Header and log are what the server signed.")
    if verdict.bits < WEAK:
        yield _("There was so little chance in this match that others could have made dice which look the same.")
    yield _("Commitment, shown at the table before the match: {hash}", hash=verdict.commitment)
