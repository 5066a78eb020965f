"""Rated tables of people: conditions under which a match counts."""

from collections.abc import Sequence
from typing import Final

from msgspec import structs

from server.storage.port import TableRecord
from shared.kernel.ruleset import AnyRuleset
from shared.refusal import Refusal
from shared.tables import Ending, Rated

LEAST_AGREED: Final = 3
"""Round from which on a match counts although its people agreed to end it."""
TOO_SHORT: Final = "too-short"
AGREED: Final = "agreed"
"""Reasons for which the end of a match does not count."""
MEMBERS_ONLY: Final = Refusal("members", "", "This table is rated: only members of this server can sit here.")
NO_BOTS: Final = Refusal("rated", "", "Not allowed at a rated table.")


def kind_of(record: TableRecord) -> str:
    """Return the key of the rating that a match changes: duels are apart from tables of more."""
    return f"{record.ruleset}-{'duel' if len(record.chairs) == 2 else 'table'}"


def left(record: TableRecord) -> tuple[int, ...]:
    """Return the seats whose people left or ran out of time, the first one first."""
    return tuple([seat for seat in record.forfeited if seat in record.overdue or record.chairs[seat].stand_in])


def gone(record: TableRecord, seat: int) -> tuple[int, ...]:
    """Return `TableRecord.forfeited` after a person has left or run out of time. A time-out keeps its first place."""
    if seat in record.forfeited and seat in record.overdue:
        return record.forfeited
    return (*[each for each in record.forfeited if each != seat], seat)


def unrated_because(record: TableRecord, rules: AnyRuleset, state: object) -> str:
    """Return why a match that has just ended does not count, TOO_SHORT or AGREED; "" if it does."""
    rounds = rules.round_of(state)
    if rounds < _round(rounds, 2):
        return TOO_SHORT
    agreed = record.result is not None and record.result.ended is Ending.AGREED
    if agreed and rounds < _round(rounds, LEAST_AGREED):
        return AGREED
    return ""


def share_a_household(networks: Sequence[str]) -> bool:
    """Whether two people come from one network. Unknown networks, which are empty, are all different."""
    known = [network for network in networks if network]
    return len(set(known)) < len(known)


def unrated(record: TableRecord) -> TableRecord:
    """Return the record of a match that does not count."""
    return structs.replace(record, people_rated=Rated.NO)


def _round(like: tuple[int, ...], number: int) -> tuple[int, ...]:
    return (*[1] * (len(like) - 1), number)
