"""Hints for a first game of Classic."""

from __future__ import annotations

from typing import Final

from client.games.conquest import first_game_hints as when
from client.language import _
from client.table.hints import ADVICE, ODDS, Hint
from client.table.lesson import Glance
from shared.rulesets.classic.frames import Casualties
from shared.rulesets.classic.table import Table
from shared.vocabulary.frames import Onward

Seen = Glance[Table]


def _hit(glance: Seen) -> bool:
    frame = glance.table.frames[-1]
    return isinstance(frame, Casualties) and frame.owner == glance.seat


def _may_leave(glance: Seen) -> bool:
    return isinstance(glance.table.frames[-1], Onward)


HINTS: Final[tuple[Hint[Table], ...]] = (
    ODDS,
    Hint(
        "hits",
        _hit,
        _(
            "You choose who falls. Infantry is cheapest to replace; but a die hits only with a kind of unit that still "
            "fights for you, so do not give up a whole kind lightly."
        ),
    ),
    Hint(
        "retreat",
        _may_leave,
        _(
            "After each round you may leave for a neighbouring province without enemies; their horsemen pursue. With "
            "the last unit the leaders are lost too: go in time."
        ),
    ),
    Hint(
        "buying",
        when.buying,
        _(
            "New units stand in your home at once. A city costs 30 and pays 5 in every turn. Once a player's "
            "tribute has reached 105 all prices double: what you mean to build, build before."
        ),
    ),
    Hint(
        "sea",
        when.embarking,
        _(
            "One galley carries seven units with their leaders, and makes two steps: out to sea, and on to a sea or "
            "a coast. Units that board or land do not march in that turn."
        ),
    ),
    Hint(
        "alone",
        when.leader_without_units,
        _(
            "A general without units holds nothing: he must flee from every army, and is captured where there is no "
            "way out. Send at least one unit with him."
        ),
    ),
    Hint(
        "claim",
        when.picked,
        _(
            "A province without an owner is yours once a legion enters and a unit stays there: one or two units "
            "for each general are enough. With cavalry he claims two: the infantry stays, and he rides on with the "
            "horsemen."
        ),
    ),
    when.CAESAR,
    ADVICE,
)
