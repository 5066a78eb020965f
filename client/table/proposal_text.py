"""Texts of the questions that people at a table put to each other. Pure."""

from typing import Final

from client.language import Who, _, ngettext, say
from client.network.table_events import Asked, MomentKind, NamedVersion
from client.table.words import and_words
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.language.sentence import Sentence
from shared.messages import Poll
from shared.sentences import proposals
from shared.sentences.yours import to_reader
from shared.tables import Matter, Outcome, Pace, Run

_OUTCOMES: Final = {
    Outcome.CARRIED: _("That is agreed."),
    Outcome.REJECTED: _("That is not agreed."),
    Outcome.LAPSED: _("That was not decided in time."),
    Outcome.FAILED: _("That can no longer be done."),
}


def question(poll: Poll, who: Who, moment: NamedVersion | None = None, reader: Seat = NONE) -> str:
    """Return the question and its asker. `moment`: the one to which the match would go back, if it is known; `reader`:
    the player who is addressed as "you"."""
    motion = poll.motion
    pace = pace_words(motion.pace or Pace()) if motion.matter is Matter.PACE else ""
    time = lasting(motion.seconds) if motion.matter is Matter.TIME else ""
    asks = proposals.proposal(poll, moment=_moment(moment) if moment is not None else "", time=time, pace=pace)
    return say(to_reader(asks, reader), who)


def standing(poll: Poll, who: Who, reader: Seat = NONE) -> str:
    """Return the votes so far: for, against, needed, and awaited; the asker hears what their No would do."""

    ayes = _("For it: {people}.", people=_people(poll.ayes, who, reader) if poll.ayes else _("nobody"))
    waits = _(" Away, and awaited: {people}.", people=_people(poll.awaited, who, reader)) if poll.awaited else ""
    needed = ngettext("{n} is needed.", "{n} are needed.", poll.needed)
    # A set, because the reader may have said No already.
    falls = len(poll.voters) - len({*poll.noes, reader}) < poll.needed
    withdraws = _(" Your No withdraws the question.") if falls and reader == poll.seat != NONE else ""
    return f"{ayes}{_against(poll, who, reader)} {needed}{waits}{withdraws}"


def result(poll: Poll, who: Who, reader: Seat = NONE) -> str:
    """Return the outcome of a closed vote, with those who said no or gave no answer in time."""
    silent = tuple(seat for seat in poll.voters if seat not in poll.ayes + poll.noes)
    late = poll.outcome is Outcome.LAPSED and silent
    missing = _(" No answer: {people}.", people=_people(silent, who, reader)) if late else ""
    return _OUTCOMES[poll.outcome] + _against(poll, who, reader) + missing


def _against(poll: Poll, who: Who, reader: Seat) -> str:
    return _(" Against it: {people}.", people=_people(poll.noes, who, reader)) if poll.noes else ""


def _people(seats: tuple[Seat, ...], who: Who, reader: Seat) -> str:
    return and_words(_("you") if seat == reader else who(seat) for seat in seats)


def missed(poll: Poll, who: Who, seat: Seat) -> tuple[str, ...]:
    """Return the lines about a decision that was made while the player of that seat was away."""
    back = (_("You have your seat back."),) if poll.motion.matter is Matter.SEAT and poll.motion.seat == seat else ()
    return question(poll, who, reader=seat), _OUTCOMES[poll.outcome], *back


def told(proposal: Asked, who: Who, reader: Seat = NONE) -> str:
    """Return the chronicle's line. `reader`: the player who is addressed as "you"."""
    poll = proposal.poll
    outcome = "" if poll.outcome is Outcome.OPEN else result(poll, who, reader)
    if not proposal.fresh and poll.outcome is not Outcome.FAILED:  # It may have failed by another vote, just told.
        return outcome
    alone = poll.outcome is Outcome.CARRIED and len(poll.voters) == 1
    asks = question(poll, who, proposal.moment, reader)
    if poll.missed:
        return _("While you were away: {question}", question=f"{asks} {outcome}")
    return asks if alone or not outcome else f"{asks} {outcome}"


def moment_words(moment: NamedVersion, who: Who, reader: Seat = NONE) -> str:
    """Return the words for a moment to which the match would go back."""
    return say(to_reader(_moment(moment), reader), who)


def _moment(moment: NamedVersion) -> Sentence:
    match moment.kind:
        case MomentKind.BATTLE:
            return proposals.before_attack(moment.seat, BOARD.names[moment.space])
        case MomentKind.TURN:
            return proposals.to_turn(moment.seat)
        case MomentKind.DECISION:
            return proposals.before_decision(moment.seat)
        case _:
            return proposals.to_round(moment.round)


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
