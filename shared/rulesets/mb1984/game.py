"""The 1984 game as a value: what the engine, the server and the client need to know of it."""

from typing import Final

import msgspec

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel import chance
from shared.kernel.engine import Place, Ruleset
from shared.rulesets.mb1984 import (
    actions,
    battle,
    diplomacy,
    economy,
    events,
    frames,
    movement,
    setup,
    turn,
    war,
)
from shared.rulesets.mb1984.checks import invariants
from shared.rulesets.mb1984.options import OPTIONS
from shared.rulesets.mb1984.state import Table, alive
from shared.rulesets.mb1984.view import View, view


def _winner(table: Table) -> int:
    return table.winner


def _finished(table: Table) -> bool:
    return table.winner != NONE


def _standings(table: Table) -> list[Place]:
    places = []
    for rank, seat in enumerate(turn.ranking(table), start=1):
        score = f"tribute {table.marker[seat]}, {table.talents[seat]} talents, {table.owner.count(seat)} provinces"
        places.append(Place(seat, rank, score if alive(table, seat) else "eliminated"))
    return places


def _seat_name(table: Table, seat: Seat) -> str:
    home = table.home[seat]
    return BOARD.names[home] if home != NONE else f"Seat {seat + 1}"


MB1984: Final = Ruleset(
    id="mb1984",
    title="Conquest of the Empire (1984)",
    version=1,
    min_seats=2,
    max_seats=6,
    options=OPTIONS,
    setup=setup.new_state,
    handlers={
        **chance.HANDLERS,
        frames.Setup: setup.SETUP,
        frames.HomeChoice: setup.HOME_CHOICE,
        frames.Turn: turn.TURN,
        frames.Movement: movement.MOVEMENT,
        frames.Combat: war.COMBAT,
        frames.Battle: battle.BATTLE,
        frames.Aiming: battle.AIMING,
        frames.Onward: battle.ONWARD,
        frames.Captives: war.CAPTIVES,
        frames.Destruction: economy.DESTRUCTION,
        frames.Purchase: economy.PURCHASE,
        frames.Placement: economy.PLACEMENT,
        frames.Bargain: diplomacy.BARGAIN,
    },
    standing=diplomacy.STANDING,
    view=view,
    view_type=View,
    actions=actions.AnyAction,
    events=events.AnyEvent,
    winner=_winner,
    finished=_finished,
    standings=_standings,
    invariants=invariants,
    seat_name=_seat_name,
    action_decoder=actions.DECODER,
    event_decoder=events.DECODER,
    view_decoder=msgspec.msgpack.Decoder(View),
)
