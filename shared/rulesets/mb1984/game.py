"""The 1984 game as a value: what the engine, the server and the client need to know of it."""

from typing import Final

import msgspec

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel import chance
from shared.kernel.engine import Place, Ruleset
from shared.rulesets.mb1984 import (
    actions,
    diplomacy,
    economy,
    events,
    frames,
    movement,
    setup,
    turn,
    war,
)
from shared.rulesets.mb1984.options import OPTIONS
from shared.rulesets.mb1984.property import check_property
from shared.rulesets.mb1984.state import CITIES, FORTIFICATIONS, ROADS, Table, alive
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


def _invariants(table: Table) -> list[str]:
    wrong = check_property(table)
    if not isinstance(table.frames[0], frames.Turn | frames.Setup):
        wrong.append(f"the lowest frame is {table.frames[0]!r}")
    numbers = [frame.no for frame in table.frames]
    if numbers != sorted(set(numbers)):
        wrong.append(f"frame numbers {numbers} do not rise")
    built = table.built
    if built.count(1) + built.count(2) > CITIES or built.count(2) > FORTIFICATIONS or len(table.roads) > ROADS:
        wrong.append("more cities, fortifications or roads than there are pieces")
    for road in table.roads:
        a, b = BOARD.edges[road]
        if not (table.built[a] and table.built[b] and table.owner[a] == table.owner[b] != NONE):
            wrong.append(f"the road between {BOARD.keys[a]} and {BOARD.keys[b]} does not join two cities of one player")
        if table.roads.count(road) > 1:
            wrong.append(f"two roads between {BOARD.keys[a]} and {BOARD.keys[b]}")
    return wrong


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
        frames.Battle: war.BATTLE,
        frames.Aiming: war.AIMING,
        frames.Onward: war.ONWARD,
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
    invariants=_invariants,
    seat_name=_seat_name,
    action_decoder=actions.DECODER,
    event_decoder=events.DECODER,
    view_decoder=msgspec.msgpack.Decoder(View),
)
