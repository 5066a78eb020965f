"""The second game as a value: what the engine, the server and the client need to know of it."""

from typing import Final, TypeAlias

import msgspec

from shared.ids import NONE, Seat
from shared.kernel import chance
from shared.kernel.ruleset import Place, Ruleset
from shared.rulesets.cote2 import (
    actions,
    alliances,
    combat_phase,
    events,
    extreme_actions,
    frames,
    joining,
    losses,
    season,
    senate,
    setup,
    turn,
    uses,
    withdrawal,
)
from shared.rulesets.cote2.options import OPTIONS
from shared.rulesets.cote2.property import check_property, influence_of
from shared.rulesets.cote2.scoring import STANDING, ranking
from shared.rulesets.cote2.table import State, Table
from shared.rulesets.cote2.view import DISCLOSING, View, event_for, view
from shared.vocabulary.frames import Onward


def _winner(table: Table) -> int:
    return table.winner


def _finished(table: Table) -> bool:
    return table.winner != NONE


def _standings(table: Table) -> list[Place]:
    return [
        Place(seat, rank, f"{table.points[seat]} points, {influence_of(table, seat)} influence")
        for seat, rank in ranking(table)
    ]


def _seat_name(_table: Table, seat: Seat) -> str:
    return f"Caesar {['I', 'II', 'III', 'IV', 'V', 'VI'][seat]}"


def _unsorted(state: State) -> bool:
    """Whether a seat is allied without a place in the turn order, or the other way round."""
    return any((state.side[seat] == NONE) == (seat in state.order) for seat in range(state.seats))


def _invariants(state: State) -> list[str]:
    wrong = check_property(state)
    if not isinstance(state.frames[0], frames.Setup | frames.Season):
        wrong.append(f"the lowest frame is {state.frames[0]!r}")
    numbers = [frame.no for frame in state.frames]
    if numbers != sorted(set(numbers)):
        wrong.append(f"frame numbers {numbers} do not rise")
    if len(set(state.order)) != len(state.order) or _unsorted(state):
        wrong.append(f"order {state.order}, sides {state.side}")
    return wrong


def _answers(table: Table, seat: Seat) -> bool:
    """Whether a decision answers another seat: bids answer all; in another's turn allies lend, defenders defend,
    senators vote.
    """
    for frame in table.frames:
        if isinstance(frame, frames.Turn | frames.Deployment):
            return frame.seat != seat
    return isinstance(table.frames[-1], frames.Auction)


Rules: TypeAlias = Ruleset[State, View, actions.AnyAction, events.AnyEvent]
"""The type of this rule set."""

COTE2: Final[Rules] = Ruleset(
    id="cote2",
    title="Conquest of the Empire II (2005)",
    rounds=lambda position: position.season,
    suits="Four seasons and it is over: alliances by auction, cards, influence and votes decide as much as armies do. "
    "For three and more who like to bargain.",
    version=2,
    min_seats=2,
    max_seats=6,
    options=OPTIONS,
    setup=setup.new_state,
    handlers={
        **chance.HANDLERS,
        frames.Setup: setup.SETUP,
        frames.Season: season.SEASON,
        frames.Alliances: alliances.ALLIANCES,
        frames.Auction: alliances.AUCTION,
        frames.Deployments: alliances.DEPLOYMENTS,
        frames.Deployment: alliances.DEPLOYMENT,
        frames.Rounds: season.ROUNDS,
        frames.Turn: turn.TURN,
        frames.Battle: combat_phase.BATTLE,
        frames.Wind: joining.WIND,
        frames.Commitment: joining.COMMITMENT,
        frames.Aid: joining.AID,
        frames.Casualties: losses.CASUALTIES,
        Onward: withdrawal.ONWARD,
        frames.Withdrawal: withdrawal.WITHDRAWAL,
        frames.Revolt: combat_phase.REVOLT,
        frames.Motion: senate.MOTION,
        frames.Vote: senate.VOTE,
        frames.Muster: senate.MUSTER,
        frames.Theft: uses.THEFT,
    },
    standing=STANDING,
    view=view,
    winner=_winner,
    finished=_finished,
    round_of=lambda position: (position.season, position.round),
    standings=_standings,
    invariants=_invariants,
    seat_name=_seat_name,
    action_decoder=actions.DECODER,
    event_decoder=events.DECODER,
    view_decoder=msgspec.msgpack.Decoder(View),
    event_for=event_for,
    extreme_actions=extreme_actions.extreme_actions,
    answers=_answers,
    disclosing=DISCLOSING,
)
