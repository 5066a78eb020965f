"""Output of `conquest verify`: whether a match followed the rules, with dice that were fixed before it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

from msgspec import structs

from client.language import _, ngettext
from client.network.model import sitter
from client.replay.record_files import record_in, title_of
from protocol.audit import NO_PROOF, Verdict, audit
from protocol.record import Record

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
    lines = [json.dumps(structs.asdict(verdict))] if as_json else list(_told(match, verdict, enough))
    return int(not verdict.holds and not enough), lines


def proven(verdict: Verdict) -> str:
    """Return a sentence on the verified dice."""
    return ngettext("The only roll verified.", "All {n} rolls verified.", verdict.rolls)


def _told(match: Record, verdict: Verdict, enough: bool) -> Iterator[str]:
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
