"""Accounts of a Classic match: its events must explain every piece and talent that changed hands."""

from collections.abc import Sequence

from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.mechanics.pieces import ABOARD, OFF, PRISON
from shared.rulesets.classic.events import Refunded
from shared.rulesets.classic.property import on_board
from shared.rulesets.classic.table import LEADERS, State
from shared.vocabulary import events as e
from shared.vocabulary.events import Piece
from shared.vocabulary.frames import Bargain

MOVED = (e.Marched, e.Sailed, e.Retreated, e.Captured, e.Killed)
"""Events that name the leaders whose place they change."""


class Ledger:
    """Expected infantry, cavalry, catapults, galleys and talents of each seat."""

    def __init__(self, before: State) -> None:
        self.before = before
        self.pages = pages(before)

    def follow(self, event: Event) -> None:
        """Apply an event."""
        match event:
            case e.Bought(seat, counts, cost):
                self._enter(seat, [*counts[:3], 0, -cost])
            case e.Placed(seat, Piece.GALLEY, _):
                self._enter(seat, [0, 0, 0, 1, 0])
            case e.Fell(seat, _, army):
                self._enter(seat, [*[-n for n in army], 0, 0])
            case e.Sank(seat, _, galleys):
                for galley in galleys:
                    drowned = self.before.cargo[galley] or (0, 0, 0)
                    self._enter(seat, [*[-n for n in drowned], -1, 0])
            case e.Tribute(seat, talents) | Refunded(seat, talents):
                self._enter(seat, [0, 0, 0, 0, talents])
            case e.Answered(seat, True):
                self._bargain(seat)
            case e.Eliminated(seat, by):
                if by != NONE:
                    self._enter(by, self.pages[seat])
                self.pages[seat] = [0] * 5

    def _bargain(self, seat: Seat) -> None:
        bargain = self.before.frames[-1]
        assert isinstance(bargain, Bargain)
        self._enter(seat, [0, 0, 0, 0, bargain.pays - bargain.wants])
        self._enter(bargain.proposer, [0, 0, 0, 0, bargain.wants - bargain.pays])

    def _enter(self, seat: Seat, line: Sequence[int]) -> None:
        self.pages[seat] = [a + b for a, b in zip(self.pages[seat], line, strict=True)]


def pages(state: State) -> list[list[int]]:
    """Return the pieces and talents of each seat."""
    return [[*on_board(state, seat), state.talents[seat]] for seat in range(state.seats)]


def account(before: State, after: State, happened: Sequence[Event]) -> list[str]:
    """Return the differences that the events do not explain; empty if there are none."""
    if any(isinstance(event, e.HomesSet) for event in happened):
        return []
    ledger = Ledger(before)
    for event in happened:
        ledger.follow(event)
    wrong = [] if ledger.pages == pages(after) else [f"{ledger.pages} should be there, and there is {pages(after)}"]
    return wrong + _leaders(before, after, happened) + _owners(before, after, happened)


def _leaders(before: State, after: State, happened: Sequence[Event]) -> list[str]:
    """Check leaders: each change of place has an event that names the leader, or concerns the whole empire."""
    named = {leader for event in happened if isinstance(event, MOVED) for leader in event.leaders}
    named |= {event.leader for event in happened if isinstance(event, e.Freed)}
    gone = {event.seat for event in happened if isinstance(event, e.Eliminated)}
    resigned = {event.seat for event in happened if isinstance(event, e.Eliminated) and event.by == NONE}
    sunk = {galley for event in happened if isinstance(event, e.Sank) for galley in event.galleys}
    wrong = []
    for leader, (old, new) in enumerate(zip(before.leader_at, after.leader_at, strict=True)):
        excused = before.lord[leader // LEADERS] in resigned or (old >= PRISON and old - PRISON in gone)
        if old != new and leader not in named and not excused:
            wrong.append(f"leader {leader} went from {old} to {new}, and nobody was told")
        if old == new != OFF and ABOARD <= old < PRISON and old - ABOARD in sunk:
            wrong.append(f"leader {leader} stands on galley {old - ABOARD}, which sank")
        if old - ABOARD in sunk and leader not in named:
            wrong.append(f"leader {leader} was on galley {old - ABOARD}, and nobody knows what became of him")
    return wrong + _captured(before, after, happened)


def _captured(before: State, after: State, happened: Sequence[Event]) -> list[str]:
    """Check captured leaders: each is held, dead, freed in the same moment, or stays where its Caesar was captured."""
    freed = {event.leader for event in happened if isinstance(event, e.Freed)}
    taken = {leader for event in happened if isinstance(event, e.Captured) for leader in event.leaders}
    fallen = {before.lord[leader // LEADERS] for leader in taken if leader % LEADERS == 0}
    stay = {x for x in taken if before.lord[x // LEADERS] in fallen and before.leader_at[x] == after.leader_at[x]}
    at = {leader: after.leader_at[leader] for leader in taken - freed - stay}
    return [f"captured leader {leader} is at {place}" for leader, place in at.items() if place < PRISON]


def _owners(before: State, after: State, happened: Sequence[Event]) -> list[str]:
    """Check owners: provinces change hands by conquest or with the empire."""
    if any(isinstance(event, e.Eliminated) for event in happened):
        return []
    told = {event.space: event.seat for event in happened if isinstance(event, e.Conquered)}
    changed = {s: new for s, (old, new) in enumerate(zip(before.owner, after.owner, strict=True)) if old != new}
    return [] if changed == told else [f"provinces {changed} changed hands, and told was {told}"]
