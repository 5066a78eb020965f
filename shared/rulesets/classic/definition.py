"""Classic as a value: what the engine, the server and the client need to know of it."""

from collections.abc import Callable, Mapping, Sequence
from math import comb
from typing import Any, Final, TypeAlias

import msgspec

from shared.board import BOARD
from shared.ids import Seat, Space
from shared.kernel import chance
from shared.kernel.frames import Action, Frame
from shared.kernel.ruleset import Ruleset
from shared.mechanics import bargains, ending, homes, prisoners, standings, turns
from shared.mechanics.amendments import chosen
from shared.rulesets.classic import actions, battle, combat_phase, diplomacy, economy, events, retreat, sea, turn
from shared.rulesets.classic import frames as f
from shared.rulesets.classic.actions import Buy, March, Sink
from shared.rulesets.classic.amendments import AMENDMENTS
from shared.rulesets.classic.economy import stock
from shared.rulesets.classic.frames import Placement, Sinking
from shared.rulesets.classic.options import AMENDED, HOMES, OPTIONS, prices
from shared.rulesets.classic.property import invariants
from shared.rulesets.classic.sea import MAX_LISTED
from shared.rulesets.classic.table import GALLEYS, LEADERS, State, TableFields
from shared.rulesets.classic.view import View, view
from shared.rulesets.conquest.extreme_actions import movements, purchases
from shared.rulesets.conquest.pieces import LEGION, galleys_at
from shared.rulesets.conquest.setup import Start, empty
from shared.vocabulary import frames
from shared.vocabulary.frames import Captives, Movement, Purchase

ORDER = homes.home_provinces("macedonia", "galatia", "mesopotamia", "egyptus", "numidia", "hispania", "italia")
"""Homes in the order of play (CL-ORDER-01)."""

HOMES_ON_OFFER: Mapping[int, tuple[Space, ...]] = {
    6: homes.homes_without(ORDER, "mesopotamia"),
    5: homes.homes_without(ORDER, "numidia", "galatia"),
    4: homes.homes_without(ORDER, "galatia", "egyptus", "italia"),
    3: homes.homes_without(ORDER, "galatia", "mesopotamia", "numidia", "italia"),
    2: homes.homes_without(ORDER, "macedonia", "galatia", "mesopotamia", "numidia", "italia"),
}
"""Homes by number of players (CL-SETUP-01), in the order of play."""

START = Start(ORDER, HOMES_ON_OFFER, 5, HOMES, first="CL-D32", offered="CL-SETUP-01")
"""Start of the game (CL-SETUP-02, CL-SETUP-03, CL-ORDER-01)."""


def new_state(seats: int, options: Mapping[str, int], amendments: int = 0) -> State:
    """Return an empty table for `seats` players with homes still to be handed out."""
    fields = empty(seats, chosen(OPTIONS, options, amendments, AMENDED), LEADERS, GALLEYS)
    # Also kept where the option bars nothing: the fields of a position do not depend on options.
    return State(**fields, captured=[0] * (seats * 4))


def extreme_actions(table: TableFields, seat: Seat) -> Sequence[Action]:
    """Return extreme actions for each kind that the options do not exhaust (`Ruleset.extreme_actions`)."""
    frame = table.frames[-1]
    further = _BEYOND.get(type(frame))
    return further(table, frame, seat) if further else ()


def _movement(table: TableFields, _frame: Movement, seat: Seat) -> list[Action]:
    return movements(table, seat, March, _STOPS if table.roads else ())


def _sinking(table: TableFields, frame: Sinking, seat: Seat) -> list[Action]:
    fleet = galleys_at(table, seat, frame.zone)
    if comb(len(fleet), frame.hits) <= MAX_LISTED:
        return []
    return [Sink(fleet[: frame.hits]), Sink(fleet[-frame.hits :])]


def _purchase(table: TableFields, _frame: Purchase, seat: Seat) -> list[Action]:
    return purchases(table, seat, Buy, stock(table, seat), prices(table))


MOST_LEFT: Final = 70
"""Units that a `March` can leave at a stop."""
# `March` accepts at most 16 drops, so this is the longest trip on the wire.
_STOPS: Final = ((0, -LEGION, -LEGION, -LEGION), *[(BOARD.provinces - 1, MOST_LEFT, MOST_LEFT, MOST_LEFT)] * 15)
"""The most stops that a `March` can name."""

_BEYOND: Final[Mapping[type[Frame], Callable[[TableFields, Any, Seat], Sequence[Action]]]] = {
    Movement: _movement,
    Captives: lambda table, frame, _seat: prisoners.extreme_judgements(table, frame, LEADERS),
    Sinking: _sinking,
    Purchase: _purchase,
    Placement: lambda table, _frame, seat: bargains.widest_offer(table, seat, LEADERS),
}


Rules: TypeAlias = Ruleset[State, View, actions.AnyAction, events.AnyEvent]
"""The type of this rule set."""
FIRST: Final = 2
"""The version without amendments."""

CLASSIC: Final[Rules] = Ruleset(
    id="classic",
    title="Conquest of the Empire Classic (2005)",
    rounds=lambda position: position.round,
    suits="Armies, fleets and dice, and nothing is hidden. The plainest of the three: for a first evening, and for all "
    "who would rather march than bargain.",
    version=FIRST + len(AMENDMENTS),
    amendments=AMENDMENTS,
    min_seats=2,
    max_seats=6,
    options=OPTIONS,
    setup=new_state,
    handlers={
        **chance.HANDLERS,
        frames.Setup: START.setup(),
        frames.HomeChoice: START.home_choice(),
        frames.Turn: turn.TURN,
        frames.Movement: turn.MOVEMENT,
        f.Combat: combat_phase.COMBAT,
        f.Battle: battle.BATTLE,
        f.Formation: battle.FORMATION,
        f.Casualties: battle.CASUALTIES,
        frames.Onward: retreat.ONWARD,
        f.Pursuit: retreat.PURSUIT,
        f.Withdrawal: retreat.WITHDRAWAL,
        frames.Captives: combat_phase.CAPTIVES,
        f.Naval: sea.NAVAL,
        f.Sinking: sea.SINKING,
        frames.Destruction: economy.DESTRUCTION,
        frames.Purchase: economy.PURCHASE,
        f.Placement: economy.PLACEMENT,
        frames.Bargain: diplomacy.BARGAIN,
    },
    standing=diplomacy.STANDING,
    view=view,
    winner=ending.winner,
    finished=ending.finished,
    round_of=lambda position: (position.round,),
    standings=standings.standings,
    invariants=invariants,
    seat_name=standings.seat_name,
    action_decoder=actions.DECODER,
    event_decoder=events.DECODER,
    view_decoder=msgspec.msgpack.Decoder(View),
    extreme_actions=extreme_actions,
    answers=turns.is_reaction,
)
