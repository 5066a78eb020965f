"""Blunders of 1984 that people laugh at, for `tests.bench.blunders`."""

from collections import Counter

from server.bots.mb1984.odds import odds
from server.bots.mb1984.position_analysis import BOATLOAD, PositionAnalysis, reinforcement
from shared.board import BOARD
from shared.ids import CAVALRY, NO_ARMY, Army, Seat, Space
from shared.mechanics.armies import army_of, plus, take_by_kind, total
from shared.mechanics.marching import BEST_FIRST
from shared.mechanics.pieces import OFF, alive
from shared.rulesets.conquest.pieces import LEGION, galley_lord, is_caesar, leaders_at
from shared.rulesets.mb1984.shots import walls_of
from shared.rulesets.mb1984.table import LEADERS, State
from tests.bench.blunders_conquest import EVEN, HOPELESS, SAFE, ConquestWatch

SIEGE, RICHER = 14, 1.5
"""The reason for an attack without a chance: so many units, of who has so much more to replace them with."""


class Mb1984Watch(ConquestWatch):
    """The list of 1984."""

    def caesar_left(self, state: State, seat: Seat) -> bool:
        """See `ConquestWatch`."""
        here = state.leader_at[seat * LEADERS]
        if not alive(state, seat) or here >= len(state.units) or _foreign(state, seat, here):
            return False
        if danger(state, seat, here) <= EVEN:
            return False
        ways = PositionAnalysis(state, seat).steps[here]  # type: ignore[arg-type]
        return any(danger(state, seat, to) <= SAFE for to in ways if not _foreign(state, seat, to))

    def home_risk(self, state: State, seat: Seat, buying: bool) -> float:
        """See `ConquestWatch`."""
        home = state.home[seat]
        if state.owner[home] != seat:
            return 1.0
        return danger(state, seat, home, reinforcement(state, seat) if buying else NO_ARMY)

    def against_odds(self, state: State, seat: Seat, space: Space, enemy: Seat) -> bool:
        """See `ConquestWatch`."""
        army, foes = (army_of(state.units[space], side) for side in (seat, enemy))
        if odds(army, foes, walls_of(state, enemy, space)) >= HOPELESS:
            return False
        return total(army) < SIEGE or state.talents[seat] < RICHER * state.talents[enemy]

    def pursued(self, state: State, seat: Seat, space: Space) -> bool:
        """See `ConquestWatch`."""
        return any(any(reach(state, rival, space)) for rival in _rivals(state, seat))


def danger(state: State, seat: Seat, space: Space, bought: Army = NO_ARMY) -> float:
    """The chance that the strongest rival's next turn beats the army there and the units bought."""
    army, walls = plus(army_of(state.units[space], seat), bought), walls_of(state, seat, space)
    forces = [force for rival in _rivals(state, seat) if any(force := reach(state, rival, space))]
    return max((odds(force, army, walls) if any(army) else 1.0 for force in forces), default=0.0)


def reach(state: State, rival: Seat, space: Space) -> Army:
    """Return the army that a rival can march and land in a province in one turn, as far as generals are there to lead
    it."""
    steps = PositionAnalysis(state, rival).steps  # type: ignore[arg-type]
    force = NO_ARMY
    for near in steps[space]:
        force = plus(force, _led(state, rival, near, army_of(state.units[near], rival)))
        for far in set(steps[near]) - {space, *steps[space]}:
            force = plus(force, _led(state, rival, far, (0, army_of(state.units[far], rival)[CAVALRY], 0)))
    return plus(force, _landing(state, rival, space))


def _led(state: State, rival: Seat, place: Space, army: Army) -> Army:
    generals = [leader for leader in leaders_at(state, rival, place) if not is_caesar(state, leader)]
    return take_by_kind(army, LEGION * len(generals), BEST_FIRST)


def _landing(state: State, rival: Seat, space: Space) -> Army:
    """Return the army that a rival's near galleys can land, if they are loaded or beside an army."""
    zones = {zone for coast in BOARD.coasts[space] for zone in BOARD.coast_seas[coast]}
    wider = zones | {beyond for zone in zones for beyond in BOARD.coast_seas[zone]}
    force, berths = NO_ARMY, Counter[Space]()
    for galley, at in enumerate(state.galley_at):
        if at == OFF or galley_lord(state, galley) != rival:
            continue
        if at in wider and state.cargo[galley]:
            force = plus(force, state.cargo[galley])
        elif not BOARD.is_sea(at) and BOARD.ashore[at] != space and zones & set(BOARD.coast_seas[at]):
            berths[BOARD.ashore[at]] += 1
    for port, galleys in berths.items():
        force = plus(force, take_by_kind(army_of(state.units[port], rival), galleys * total(BOATLOAD), BEST_FIRST))
    return force


def _rivals(state: State, seat: Seat) -> list[Seat]:
    return [rival for rival in range(state.seats) if state.lord[rival] == rival != seat]


def _foreign(state: State, seat: Seat, space: Space) -> bool:
    """Whether enemy units stand there."""
    return any(army_of(state.units[space], rival) != NO_ARMY for rival in _rivals(state, seat))
