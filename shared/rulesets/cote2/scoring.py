"""Phases 6 and 7: taxes, victory points, chaos; and the winners (II-TAXES, II-VP, II-CHAOS, II-END)."""

from shared.ids import NONE, Seat
from shared.kernel.frames import Action, Emit
from shared.kernel.ruleset import StandingActions
from shared.mechanics.ending import agreed_winner
from shared.mechanics.standings import prizes, shared_ranks
from shared.refusal import Refusal
from shared.rulesets.cote2 import events
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.events import Why
from shared.rulesets.cote2.options import chaos_penalties as penalties
from shared.rulesets.cote2.options import city_calm, token_tax, victory_numbers, zero_counts
from shared.rulesets.cote2.property import add_chaos, award, cities_of, influence_of
from shared.rulesets.cote2.state import FROM_CHAOS, State, TableFields, is_seat
from shared.vocabulary.actions import Concede
from shared.vocabulary.events import Conceded


def tax_of(table: TableFields, seat: Seat) -> int:
    """Return the talents that a seat collects in phase 6."""
    return sum([token_tax(table) * (1 + (table.owner[space] == seat)) * table.influence[space][seat] for space in KEYS])


def collect_taxes(state: State, emit: Emit) -> None:
    """Pay the taxes of phase 6. There is no upkeep."""
    taxes = tuple([tax_of(state, seat) for seat in range(state.seats)])
    state.talents = [had + tax for had, tax in zip(state.talents, taxes, strict=True)]
    emit(events.Taxed(taxes))


def province_points(table: TableFields, space: int) -> list[int]:
    """Return the victory points for a key province, by seat (II-VP-01, II-D54)."""
    return prizes(table.influence[space], victory_numbers(table, space))


def score(state: State, emit: Emit) -> None:
    """Score the key provinces: first part of phase 7."""
    for space in KEYS:
        gained = province_points(state, space)
        if any(gained):
            award(state, space, gained)
            emit(events.Scored(space, tuple(gained)))


def chaos_penalties(table: TableFields) -> list[int]:
    """Return the points that seats lose for chaos. A seat without chaos loses none, unless the table chose so
    (II-D55).
    """
    none = 1 if zero_counts(table) else 0
    return prizes([chaos + none for chaos in table.chaos], penalties(table))


def count_chaos(state: State, emit: Emit) -> None:
    """Score chaos: second part of phase 7 (II-D53, II-D55 to -D57).

    Cities take chaos off, then most and second most chaos cost points.
    """
    for seat in range(state.seats):
        add_chaos(state, seat, -city_calm(state) * cities_of(state, seat))
    lost = chaos_penalties(state)
    award(state, FROM_CHAOS, lost)
    emit(events.ChaosShown(tuple(state.chaos), tuple(lost)))


def merit(table: TableFields, seat: Seat) -> tuple[int, int]:
    """Return the sort key of a seat: victory points, then influence on the board."""
    return table.points[seat], influence_of(table, seat)


def ranking(table: TableFields) -> list[tuple[Seat, int]]:
    """Return seats with their ranks; equal seats share one. A winner by concession stands first."""
    order = table.order or tuple(range(table.seats))
    by_agreement = table.winner if len(table.winners) == 1 else NONE

    def key(seat: Seat) -> tuple[bool, int, int]:
        return seat == by_agreement, *merit(table, seat)

    seats = sorted(range(table.seats), key=lambda seat: (*[-n for n in key(seat)], _place(order, seat)))
    return list(zip(seats, shared_ranks([key(seat) for seat in seats]), strict=True))


def _place(order: tuple[Seat, ...], seat: Seat) -> int:
    return order.index(seat) if seat in order else len(order) + seat


def declare_best(state: State, emit: Emit) -> None:
    """Declare the winners: most points, then most influence; else they share the victory (II-END-01, II-D58)."""
    best = [seat for seat, rank in ranking(state) if rank == 1]
    declare(state, tuple(best), events.Why.POINTS, emit)


def declare(state: State, winners: tuple[Seat, ...], why: events.Why, emit: Emit) -> None:
    """Declare the winners and end the match."""
    state.winners = winners
    state.winner = winners[0]
    emit(events.Won(winners, why))


def _check_concession(table: TableFields, seat: Seat, action: Action) -> Refusal | None:
    if not is_seat(table, seat) or not isinstance(action, Concede):
        return Refusal("not-seated", "", "Only players concede.")
    if action.to == NONE or (is_seat(table, action.to) and action.to != seat):
        return None
    return Refusal("no-partner", "", "Concede to another player.")


def _concede(state: State, seat: Seat, action: Concede, emit: Emit) -> None:
    state.conceded[seat] = action.to
    emit(Conceded(seat, action.to))
    winner = agreed_winner(range(state.seats), state.conceded)
    if winner != NONE:
        declare(state, (winner,), Why.CONCEDED, emit)


STANDING: StandingActions[TableFields, State] = StandingActions((Concede,), _check_concession, _concede)
