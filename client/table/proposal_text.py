"""Texts of the questions that people at a table put to each other. Pure."""

from __future__ import annotations

from typing import Final

from client.language import Who, _, ngettext
from client.network.moment import Kind, Moment
from client.network.table_events import Asked
from client.table.words import and_words
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.messages import Poll
from shared.tables import Matter, Outcome, Pace, Run

_PLAIN: Final = {
    Matter.PAUSE: _("{who} asks for a pause."),
    Matter.GO_ON: _("{who} asks to go on."),
    Matter.BACK: _("{who} asks to go back. Dice that fell since then will be rolled again."),
    Matter.END: _("{who} asks to end the match now and count."),
}
_OUTCOMES: Final = {
    Outcome.CARRIED: _("That is agreed."),
    Outcome.REJECTED: _("That is not agreed."),
    Outcome.LAPSED: _("That was not decided in time."),
    Outcome.FAILED: _("That was agreed, but can no longer be done."),
}


def question(poll: Poll, who: Who, moment: Moment | None = None) -> str:
    """Return the question and its asker. `moment`: the one to which the match would go back, if it is known."""
    motion, asker = poll.motion, who(poll.seat) if poll.seat != NONE else poll.motion.name
    match motion.matter:
        case Matter.SEAT if motion.name and poll.seat == NONE:
            return _("{name} asks to play for {whom} from now on.", name=motion.name, whom=who(motion.seat))
        case Matter.SEAT if motion.name:
            return _("{who} asks that {name} plays for {whom} from now on.", who=asker, name=motion.name,
                     whom=who(motion.seat))  # fmt: skip
        case Matter.SEAT if motion.turn:
            return _("{who} asks that a bot plays this turn for {whom}.", who=asker, whom=who(motion.seat))
        case Matter.SEAT:
            return _("{who} asks that a bot plays for {whom}.", who=asker, whom=who(motion.seat))
        case Matter.BACK if moment is not None:
            return _("{who} asks to go back: {moment}. Dice that fell since then will be rolled again.", who=asker,
                     moment=moment_words(moment, who))  # fmt: skip
        case Matter.TIME:
            return _("{who} asks for more time for {whom}: {time}.", who=asker, whom=who(motion.seat),
                     time=lasting(motion.seconds))  # fmt: skip
        case Matter.PACE:
            return _("{who} asks for other clocks: {pace}.", who=asker, pace=pace_words(motion.pace or Pace()))
        case _:
            return _PLAIN[motion.matter].format(who=asker)


def standing(poll: Poll, who: Who) -> str:
    """Return the votes so far: for, against, needed, and awaited."""
    ayes = _("For it: {people}.", people=and_words(map(who, poll.ayes)) if poll.ayes else _("nobody"))
    noes = _(" Against it: {people}.", people=and_words(map(who, poll.noes))) if poll.noes else ""
    waits = _(" Away, and awaited: {people}.", people=and_words(map(who, poll.awaited))) if poll.awaited else ""
    return ayes + noes + " " + ngettext("{n} is needed.", "{n} are needed.", poll.needed) + waits


def missed(poll: Poll, who: Who, seat: Seat) -> tuple[str, ...]:
    """Return the lines about a decision that was made while the player of that seat was away."""
    back = (_("You have your seat back."),) if poll.motion.matter is Matter.SEAT and poll.motion.seat == seat else ()
    return question(poll, who), _OUTCOMES[poll.outcome], *back


def told(asked: Asked, who: Who) -> str:
    """Return the chronicle's line."""
    poll = asked.poll
    outcome = "" if poll.outcome is Outcome.OPEN else _OUTCOMES[poll.outcome]
    if not asked.fresh:
        return outcome
    alone = poll.outcome is Outcome.CARRIED and len(poll.voters) == 1
    asks = question(poll, who, asked.moment)
    if poll.missed:
        return _("While you were away: {question}", question=f"{asks} {outcome}")
    return asks if alone or not outcome else f"{asks} {outcome}"


def moment_words(moment: Moment, who: Who) -> str:
    """Return the words for a moment to which the match would go back."""
    match moment.kind:
        case Kind.BATTLE:
            place = BOARD.names[moment.space]
            return _("before {who} attacks in {place}", place=place, who=who(moment.seat))
        case Kind.TURN:
            return _("to the turn of {who}", who=who(moment.seat))
        case Kind.DECISION:
            return _("before the last decision: {who}", who=who(moment.seat))
        case _:
            return _round(moment.round)


def _round(number: tuple[int, ...]) -> str:
    if len(number) == 1:
        return _("to the beginning of round {n}", n=number[0])
    if not number[-1]:
        return _("to the beginning of season {n}", n=number[0])
    return _("to season {season}, round {n}", n=number[-1], season=number[0])


def lasting(seconds: int) -> str:
    """Return a length of time, in the largest unit of which it is a whole number."""
    if seconds and seconds % 86400 == 0:
        return ngettext("{n} day", "{n} days", seconds // 86400)
    if seconds and seconds % 3600 == 0:
        return ngettext("{n} hour", "{n} hours", seconds // 3600)
    if seconds and seconds % 60 == 0:
        return ngettext("{n} minute", "{n} minutes", seconds // 60)
    return ngettext("{n} second", "{n} seconds", seconds)


def pace_words(pace: Pace) -> str:
    """Return clocks in few words."""
    if pace.run is Run.NONE:
        return _("no clocks")
    if pace.run is Run.POST:
        return _("by post, {each} each", each=lasting(pace.each))
    return _("{bank} and {each} each", bank=lasting(pace.bank), each=lasting(pace.each))
