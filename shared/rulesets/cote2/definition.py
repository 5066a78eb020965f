"""The second game as a value: what the engine, the server and the client need to know of it."""

from collections.abc import Callable, Mapping, Sequence
from math import prod
from typing import Any, Final, TypeAlias

import msgspec

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel import chance
from shared.kernel.frames import Action, Frame
from shared.kernel.ruleset import Place, Ruleset
from shared.mechanics import armies
from shared.rulesets.cote2 import (
    actions,
    alliances,
    combat_phase,
    events,
    frames,
    joining,
    losses,
    season,
    senate,
    setup,
    uses,
    withdrawal,
)
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.alliances import camps, harbours, unallied
from shared.rulesets.cote2.combat_phase import lendable
from shared.rulesets.cote2.data import CARDS, SEAS
from shared.rulesets.cote2.economy import bases
from shared.rulesets.cote2.frames import Aid, Auction, Casualties, Commitment, Deployment, Turn, Vote
from shared.rulesets.cote2.joining import AID
from shared.rulesets.cote2.losses import CASUALTIES
from shared.rulesets.cote2.losses import MOST_LISTED as LOSSES_LISTED
from shared.rulesets.cote2.options import OPTIONS, bid_step, campaign_units
from shared.rulesets.cote2.property import army_supply, check_property, galley_supply, general_supply, influence_of
from shared.rulesets.cote2.scoring import STANDING, ranking
from shared.rulesets.cote2.senate import MOST_LISTED as SHOWN_LISTED
from shared.rulesets.cote2.senate import VOTE, hidden
from shared.rulesets.cote2.state import GALLEYS, LEADERS, State, TableFields, galleys_in, start_army
from shared.rulesets.cote2.view import DISCLOSING, View, event_for, view
from shared.vocabulary.frames import Onward


def extreme_actions(table: TableFields, seat: Seat) -> Sequence[Action]:
    """Return extreme actions for each kind that the options do not exhaust (`Ruleset.extreme_actions`)."""
    frame = table.frames[-1]
    further = _BEYOND.get(type(frame))
    return further(table, frame, seat) if further else ()


def _auction(table: TableFields, frame: Auction, seat: Seat) -> list[Action]:
    """Return higher bids than those that are listed, up to all the money."""
    most = table.talents[seat] // bid_step(table) * bid_step(table)
    left = unallied(table)
    if most <= frame.talents + bid_step(table):
        return []
    least = NONE if len(left) == 1 else left[0]
    return [a.Bid(frame.talents + bid_step(table), least, least), a.Bid(most, left[-1], left[-1])]


def _deployment(table: TableFields, _frame: Deployment, seat: Seat) -> list[Action]:
    spaces, zones = camps(table, seat), harbours(table, seat) or [NONE]
    first, last = spaces[0], spaces[-1]
    whole = tuple([(space, *start_army()) for space in spaces])
    return [a.Deploy(((first, 0, 0, 0),), first, first, zones[0]), a.Deploy(whole, last, last, zones[-1])]


def _turn(table: TableFields, _frame: Turn, seat: Seat) -> list[Action]:
    """Return extremes of the eight actions and of the assassin if they have more ways than are worth a list."""
    leaders, fleet = range(seat * LEADERS, (seat + 1) * LEADERS), range(seat * GALLEYS, (seat + 1) * GALLEYS)
    army, last = armies.largest(table.units, seat), BOARD.provinces - 1
    most = [min(campaign_units(table), units) for units in army]
    return [
        *_recruiting(table, seat),
        a.Obtain(0),
        a.Obtain(len(CARDS) - 1, max(last, fleet[-1])),
        a.Campaign(0, 0, 0, 0, 0, (leaders[0],)),
        a.Campaign(0, 0, 0, 0, 0),
        a.Campaign(len(CARDS) - 1, last, most[0], most[1], most[2], tuple(leaders)),
        a.Incite(0, (0,)),
        a.Incite(0, ()),
        a.Incite(last, tuple(range(table.seats))),
        a.Influence(0, (NONE,)),
        a.Influence(last, (table.seats - 1,) * 2),
        a.Move(0, (), ()),
        a.Move(
            last, ((0, 0, 0, 0), *[(last, *army)] * last), tuple([(leader, last * (leader % 2)) for leader in leaders])
        ),
        a.Sail(NONE, ()),
        a.Sail(NONE, (fleet[0],)),
        a.Sail(BOARD.spaces - 1, tuple(fleet), BOARD.spaces - 1, table.seats - 1),
        a.Use(0),
        a.Use(len(CARDS) - 1, len(table.leader_at) - 1, table.seats - 1),
    ]


def _recruiting(table: TableFields, seat: Seat) -> list[Action]:
    supply = (*army_supply(table, seat), len(general_supply(table, seat)))
    galleys = len(galley_supply(table, seat))
    sites = bases(table, seat)
    zones = sorted({zone for space in sites for zone in SEAS[space]})
    return [
        a.Recruit((), ()),
        a.Recruit(tuple([(space, 0, 0, 0, 0) for space in sites]), tuple([(zone, 0) for zone in zones])),
        a.Recruit(tuple([(space, *supply) for space in sites]), tuple([(zone, galleys) for zone in zones])),
    ]


def _commitment(table: TableFields, frame: Commitment, seat: Seat) -> list[Action]:
    able = galleys_in(table, seat, SEAS[frame.space])
    return [a.Commit(()), a.Commit(able)] if len(able) > 2 else []


def _aid(table: TableFields, frame: Aid, seat: Seat) -> list[Action]:
    army, galleys = lendable(table, seat, frame.space)
    ways = prod([units + 1 for units in army]) << len(galleys)
    return [a.Lend(), a.Lend(*army, galleys)] if ways > len(set(AID.options(table, frame, seat))) else []


def _casualties(table: TableFields, frame: Casualties, seat: Seat) -> list[Action]:
    if len(frame.galleys) < 2 and len(CASUALTIES.options(table, frame, seat)) < LOSSES_LISTED:
        return []
    helped = armies.armies(frame.army)
    return [
        a.Lose(),
        a.Lose(tuple([(owner, 0, 0, 0) for owner, _army in helped])),
        a.Lose(tuple([(owner, *army) for owner, army in helped]), frame.galleys, frame.extra),
    ]


def _vote(table: TableFields, frame: Vote, seat: Seat) -> list[Action]:
    listed = len(VOTE.options(table, frame, seat)) - 1
    return [a.Show(), a.Show(*hidden(table, frame, seat))] if listed == SHOWN_LISTED else []


_BEYOND: Final[Mapping[type[Frame], Callable[[TableFields, Any, Seat], list[Action]]]] = {
    Auction: _auction,
    Deployment: _deployment,
    Turn: _turn,
    Commitment: _commitment,
    Aid: _aid,
    Casualties: _casualties,
    Vote: _vote,
}


def _winner(table: TableFields) -> int:
    return table.winner


def _finished(table: TableFields) -> bool:
    return table.winner != NONE


def _standings(table: TableFields) -> list[Place]:
    return [
        Place(seat, rank, f"{table.points[seat]} points, {influence_of(table, seat)} influence")
        for seat, rank in ranking(table)
    ]


def _seat_name(_table: TableFields, seat: Seat) -> str:
    return f"Caesar {['I', 'II', 'III', 'IV', 'V', 'VI'][seat]}"


def _has_unordered_ally(state: State) -> bool:
    """Whether a seat is allied without a place in the turn order, or the other way round."""
    return any((state.side[seat] == NONE) == (seat in state.order) for seat in range(state.seats))


def _invariants(state: State) -> list[str]:
    wrong = check_property(state)
    if not isinstance(state.frames[0], frames.Setup | frames.Season):
        wrong.append(f"the lowest frame is {state.frames[0]!r}")
    numbers = [frame.no for frame in state.frames]
    if numbers != sorted(set(numbers)):
        wrong.append(f"frame numbers {numbers} do not rise")
    if len(set(state.order)) != len(state.order) or _has_unordered_ally(state):
        wrong.append(f"order {state.order}, sides {state.side}")
    return wrong


def _answers(table: TableFields, seat: Seat) -> bool:
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
        frames.Turn: season.TURN,
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
    extreme_actions=extreme_actions,
    answers=_answers,
    disclosing=DISCLOSING,
)
