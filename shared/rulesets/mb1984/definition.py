"""The 1984 game as a value: what the engine, the server and the client need to know of it."""

from typing import Final, TypeAlias

import msgspec

from shared.kernel import chance
from shared.kernel.ruleset import Ruleset
from shared.mechanics import ending, standings, turns
from shared.rulesets.mb1984 import (
    actions,
    battle,
    combat_phase,
    decisions,
    diplomacy,
    economy,
    events,
    extreme_actions,
    movement,
    setup,
    turn,
)
from shared.rulesets.mb1984.amendments import AMENDMENTS
from shared.rulesets.mb1984.frames import Aiming, Battle, CargoLoss, Combat, Placement
from shared.rulesets.mb1984.invariants import invariants
from shared.rulesets.mb1984.options import OPTIONS
from shared.rulesets.mb1984.table import State
from shared.rulesets.mb1984.view import View, view
from shared.vocabulary import frames

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
    setup=setup.new_state,
    handlers={
        **chance.HANDLERS,
        frames.Setup: setup.START.setup(),
        frames.HomeChoice: setup.START.home_choice(),
        frames.Turn: turn.TURN,
        frames.Movement: movement.MOVEMENT,
        Combat: combat_phase.COMBAT,
        Battle: battle.BATTLE,
        Aiming: decisions.AIMING,
        CargoLoss: decisions.CARGO_LOSS,
        frames.Onward: decisions.ONWARD,
        frames.Captives: combat_phase.CAPTIVES,
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
    extreme_actions=extreme_actions.extreme_actions,
    answers=turns.is_reaction,
)
