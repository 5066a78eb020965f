"""Votes of seated players, and when they are decided. No sockets, no clock."""

from collections.abc import Collection, Sequence

from msgspec import structs

from server.storage.port import PollRecord
from shared.ids import NONE, Seat
from shared.messages import Motion, Poll
from shared.tables import Matter, Outcome


def opened(number: int, motion: Motion, asker: Seat, voters: Collection[Seat], unanimous: bool, at: int) -> PollRecord:
    """Return a new poll, asked at the age `at` of the server. The asker votes yes; a spectator (NONE) has no vote."""
    ayes = () if asker == NONE else (asker,)
    return PollRecord(number, motion, asker, tuple(sorted({*ayes, *voters})), unanimous, at, ayes)


def voted(poll: PollRecord, seat: Seat, yes: bool) -> PollRecord:
    """Return the poll with a seat's vote, which replaces an earlier one."""
    ayes, noes = set(poll.ayes) - {seat}, set(poll.noes) - {seat}
    (ayes if yes else noes).add(seat)
    return structs.replace(poll, ayes=tuple(sorted(ayes)), noes=tuple(sorted(noes)))


def silent(poll: PollRecord) -> list[Seat]:
    """Return the voters that have not answered."""
    return [seat for seat in poll.voters if seat not in poll.ayes and seat not in poll.noes]


def needed(poll: PollRecord, voters: Sequence[Seat]) -> int:
    """Return how many of those voters must agree."""
    return len(voters) if poll.unanimous else len(voters) // 2 + 1


def outcome(poll: PollRecord, excused: Collection[Seat]) -> Outcome:
    """Return the result so far. `excused`: voters that were away too long and no longer count."""
    voters = [seat for seat in poll.voters if seat not in excused]
    if len(poll.ayes) >= needed(poll, voters):
        return Outcome.CARRIED
    return Outcome.REJECTED if len(voters) - len(poll.noes) < needed(poll, voters) else Outcome.OPEN


def told(
    poll: PollRecord, excused: Collection[Seat], awaited: Collection[Seat], left: int, result: Outcome, missed: bool
) -> Poll:
    """Return the message that tells players how a poll stands.

    awaited: seats of absent players for which the poll waits. left: seconds until it is decided at the latest. missed:
    whether the reader was away when it was decided.
    """
    voters = tuple([seat for seat in poll.voters if seat not in excused])
    most = needed(poll, voters)
    return Poll(
        poll.number, poll.motion, poll.asker, voters, poll.ayes, poll.noes, most, left, result, tuple(awaited), missed
    )


def subject(motion: Motion) -> tuple[Matter, Seat]:
    """Return the subject of a motion. At most one open poll may be about the same subject."""
    matter = Matter.PAUSE if motion.matter is Matter.GO_ON else motion.matter
    return matter, motion.seat if matter in (Matter.SEAT, Matter.TIME) else NONE
