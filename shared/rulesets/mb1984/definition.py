"""The 1984 game as a value: what the engine, the server and the client need to know of it."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from shared.ids import Seat, Space
from shared.kernel import chance
from shared.kernel.frames import Action, Frame
from shared.kernel.ruleset import Ruleset
from shared.mechanics import bargains, ending, homes, prisoners, standings, turns
from shared.mechanics.amendments import chosen
from shared.rulesets.conquest.extreme_actions import movements, purchases
from shared.rulesets.conquest.setup import Start, empty
from shared.rulesets.mb1984 import actions, battle, diplomacy, economy, events, turn
from shared.rulesets.mb1984.actions import Buy, March
from shared.rulesets.mb1984.amendments import AMENDMENTS
from shared.rulesets.mb1984.diplomacy import PHASES
from shared.rulesets.mb1984.economy import stock
from shared.rulesets.mb1984.frames import Aiming, Battle, CargoLoss, Combat, Placement
from shared.rulesets.mb1984.options import AMENDED, HOMES, OPTIONS, prices
from shared.rulesets.mb1984.property import invariants
from shared.rulesets.mb1984.table import GALLEYS, LEADERS, State, TableFields
from shared.rulesets.mb1984.view import View, view
from shared.vocabulary import frames
from shared.vocabulary.frames import Captives, Movement, Purchase

ORDER = homes.home_provinces("macedonia", "galatia", "egyptus", "numidia", "hispania", "italia")
"""Homes in the order of play (MB-ORDER-01)."""

HOMES_ON_OFFER: Mapping[int, tuple[Space, ...]] = {
    6: ORDER,
    5: homes.homes_without(ORDER, "numidia"),
    4: homes.homes_without(ORDER, "egyptus", "italia"),
    3: homes.homes_without(ORDER, "galatia", "numidia", "italia"),
    2: homes.homes_without(ORDER, "macedonia", "galatia", "numidia", "italia"),
}
"""Homes by number of players (MB-SETUP-01), in the order of play."""

START = Start(ORDER, HOMES_ON_OFFER, 4, HOMES, first="MB-SETUP-01", offered="MB-SETUP-01")
"""Start of the game (MB-SETUP-02, MB-SETUP-03, MB-ORDER-01, MB-D23)."""


def new_state(seats: int, options: Mapping[str, int], amendments: int = 0) -> State:
    """Return an empty table for `seats` players with homes still to be handed out."""
    fields = empty(seats, chosen(OPTIONS, options, amendments, AMENDED), LEADERS, GALLEYS)
    return State(**fields, docked=[()] * (seats * GALLEYS), offers=0, proposals=[()] * seats)


def extreme_actions(table: TableFields, seat: Seat) -> Sequence[Action]:
    """Return extreme actions for each kind that the options do not exhaust (`Ruleset.extreme_actions`)."""
    frame = table.frames[-1]
    further = _BEYOND.get(type(frame))
    found = further(table, frame, seat) if further else []
    return [*found, *bargains.widest_offer(table, seat, LEADERS)] if isinstance(frame, PHASES) else found


_BEYOND: Final[Mapping[type[Frame], Callable[[TableFields, Any, Seat], list[Action]]]] = {
    Movement: lambda table, _frame, seat: movements(table, seat, March),
    Captives: lambda table, frame, _seat: prisoners.extreme_judgements(table, frame, LEADERS),
    Purchase: lambda table, _frame, seat: purchases(table, seat, Buy, stock(table, seat), prices(table)),
}


Rules: TypeAlias = Ruleset[State, View, actions.AnyAction, events.AnyEvent]
"""The type of this rule set."""
FIRST: Final = 2
"""The version without amendments."""

MB1984: Final[Rules] = Ruleset(
    id="mb1984",
    title="Conquest of the Empire (1984)",
    rounds=lambda position: position.round,
    suits="The game as it first came out: cities lead legions, money buys generals back, and wars are fought to their "
    "end. For a long evening among people who like to plan.",
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
        Combat: battle.COMBAT,
        Battle: battle.BATTLE,
        Aiming: battle.AIMING,
        CargoLoss: battle.CARGO_LOSS,
        frames.Onward: battle.ONWARD,
        frames.Captives: battle.CAPTIVES,
        frames.Destruction: economy.DESTRUCTION,
        frames.Purchase: economy.PURCHASE,
        Placement: economy.PLACEMENT,
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
