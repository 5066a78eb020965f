"""Classic as a value: what the engine, the server and the client need to know of it."""

from typing import Final, TypeAlias

import msgspec

from shared.kernel import chance
from shared.kernel.ruleset import Ruleset
from shared.mechanics import ending, standings, turns
from shared.rulesets.classic import (
    actions,
    battle,
    combat_phase,
    diplomacy,
    economy,
    events,
    extreme_actions,
    movement,
    placement,
    retreat,
    sea,
    setup,
    turn,
)
from shared.rulesets.classic import frames as f
from shared.rulesets.classic.amendments import AMENDMENTS
from shared.rulesets.classic.invariants import invariants
from shared.rulesets.classic.options import OPTIONS
from shared.rulesets.classic.table import State
from shared.rulesets.classic.view import View, view
from shared.vocabulary import frames

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
    setup=setup.new_state,
    handlers={
        **chance.HANDLERS,
        frames.Setup: setup.START.setup(),
        frames.HomeChoice: setup.START.home_choice(),
        frames.Turn: turn.TURN,
        frames.Movement: movement.MOVEMENT,
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
        f.Placement: placement.PLACEMENT,
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
