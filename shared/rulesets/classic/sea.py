"""Naval battles: galley against galley, at most three rounds (CL-NAVAL)."""

from itertools import combinations
from typing import Any

from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.chance import raise_broken_rules
from shared.kernel.frames import DONE, STAY, Action, Dice, Emit, Handler, automatic, push, replace_top
from shared.language.sentence import _, ngettext
from shared.mechanics.battledice import galley_hits
from shared.mechanics.pieces import ABOARD, some_of
from shared.refusal import Refusal
from shared.rulesets.classic.actions import Sink
from shared.rulesets.classic.frames import Naval, Sinking
from shared.rulesets.classic.options import naval_dice, naval_rounds
from shared.rulesets.classic.property import capture, sink
from shared.rulesets.classic.stages import NavalStage
from shared.rulesets.classic.table import State, TableFields
from shared.rulesets.conquest.pieces import galleys_at, leader_lord
from shared.vocabulary import events
from shared.vocabulary.frames import seat_owes

MAX_LISTED = 60
"""Ways to choose sinking galleys that `options` lists at most."""


def _resume(state: State, frame: Naval, result: Any, emit: Emit) -> object:
    """Play a round: attacker rolls, defender rolls, defender and attacker choose; all sinks at once (CL-D19)."""
    match frame.stage:
        case NavalStage.ATTACKER_ROLLS:
            return _roll(state, replace(frame, stage=NavalStage.DEFENDER_ROLLS), frame.attacker)
        case NavalStage.DEFENDER_ROLLS:
            hits = _rolled(state, frame, frame.attacker, frame.defender, result, emit)
            return _roll(state, replace(frame, stage=NavalStage.DEFENDER_ROLLED, hits=(hits, 0)), frame.defender)
        case NavalStage.DEFENDER_ROLLED:
            hits = _rolled(state, frame, frame.defender, frame.attacker, result, emit)
            after = replace(frame, stage=NavalStage.DEFENDER_LOST, hits=(frame.hits[0], hits))
            return _choose(state, after, frame.defender, frame.hits[0])
        case NavalStage.DEFENDER_LOST:
            after = replace(frame, stage=NavalStage.ATTACKER_LOST, sinking=frame.sinking + (result or ()))
            return _choose(state, after, frame.attacker, frame.hits[1])
        case NavalStage.ATTACKER_LOST:
            return _round_over(state, frame, frame.sinking + (result or ()), emit)
    return _judge_round(state, frame, emit)


def _roll(state: State, after: Naval, seat: Seat) -> object:
    """Roll dice for the galleys of `seat`; the battle goes on as `after`."""
    replace_top(state, after)
    push(state, Dice, naval_dice(state) * len(galleys_at(state, seat, after.zone)))
    return STAY


def _rolled(state: State, frame: Naval, seat: Seat, enemy: Seat, faces: tuple[int, ...], emit: Emit) -> int:
    hits = min(galley_hits(faces), len(galleys_at(state, enemy, frame.zone)))
    emit(events.DiceFell(seat, frame.zone, faces, hits))
    return hits


def _choose(state: State, after: Naval, seat: Seat, lost: int) -> object:
    """Let `seat` lose so many galleys, asking which only if there is a choice; the battle goes on as `after`."""
    fleet = galleys_at(state, seat, after.zone)
    # None or all lost is no choice.
    if 0 < lost < len(fleet):
        replace_top(state, after)
        push(state, Sinking, seat, after.zone, lost)
    else:
        replace_top(state, replace(after, sinking=after.sinking + (fleet if lost else ())))
    return STAY


def _round_over(state: State, frame: Naval, sinking: tuple[int, ...], emit: Emit) -> object:
    """Sink galleys with their units and capture leaders aboard (CL-NAVAL-04, CL-D21)."""
    sides = ((frame.defender, frame.attacker), (frame.attacker, frame.defender))
    # Both fleets are noted first: a Caesar lost below hands galleys to the other side in mid-round.
    fleets = [galleys_at(state, loser, frame.zone) for loser, _ in sides]
    replace_top(state, replace(frame, stage=NavalStage.ROUND_OVER, hits=(0, 0), sinking=()))
    for (loser, winner), fleet in zip(sides, fleets, strict=True):
        lost = tuple(galley for galley in fleet if galley in sinking)
        if lost:
            places = {ABOARD + galley for galley in lost}
            leaders = [leader for leader, at in enumerate(state.leader_at) if at in places]
            sink(state, loser, frame.zone, lost, emit)
            # The winner may have lost its own Caesar a moment ago, so its present lord is the captor (CL-H10).
            _take(state, state.lord[winner], leaders, emit)
    return STAY


def _judge_round(state: State, frame: Naval, emit: Emit) -> object:
    """Begin another round, or end the battle, once captives are judged (CL-NAVAL-03)."""
    left = [bool(galleys_at(state, seat, frame.zone)) for seat in (frame.attacker, frame.defender)]
    if all(left) and frame.round < naval_rounds(state):
        replace_top(state, replace(frame, round=frame.round + 1, stage=NavalStage.ATTACKER_ROLLS))
        return STAY
    emit(events.BattleEnded(frame.zone, _winner(frame, left)))
    return DONE


def _winner(frame: Naval, left: list[bool]) -> int:
    if left == [True, False]:
        return frame.attacker
    return frame.defender if left == [False, True] else NONE


def _take(state: State, captor: Seat, leaders: list[int], emit: Emit) -> None:
    """Give leaders in the water to the captor.

    If the enemy that sank the captor's own leaders fell in the same round, they are saved: there is no captor for them.
    """
    own = [leader for leader in leaders if leader_lord(state, leader) == captor]
    for leader in own:
        state.leader_at[leader] = _province_for_saved(state, captor)
        emit(events.Freed(captor, leader, state.leader_at[leader]))
    capture(state, captor, [leader for leader in leaders if leader not in own], emit)


def _province_for_saved(state: State, seat: Seat) -> int:
    """Return a province for saved leaders: the home if the seat still owns it, else any that it owns."""
    home = state.home[seat]
    return home if state.owner[home] == seat or seat not in state.owner else state.owner.index(seat)


def _options(table: TableFields, frame: Sinking, seat: Seat) -> list[Action]:
    # Cheapest first, so the first choices, and the default, sink empty galleys.
    fleet = sorted(galleys_at(table, seat, frame.zone), key=lambda g: load(table, g))
    found: list[Action] = []
    for chosen in combinations(fleet, frame.hits):
        found.append(Sink(chosen))
        if len(found) == MAX_LISTED:
            break
    return found


def load(table: TableFields, galley: int) -> tuple[bool, int]:
    """Return the sort key of a galley's worth: a leader aboard, then units aboard."""
    return (ABOARD + galley) in table.leader_at, sum(table.cargo[galley])


def _check(table: TableFields, frame: Sinking, seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Sink):
        return Refusal("wrong-action", "CL-NAVAL-02", "Choose the galleys that sink first.")
    fleet = galleys_at(table, seat, frame.zone)
    if not some_of(action.galleys, fleet):
        text = _("Only your galleys in {place} can sink there.", place=BOARD.names[frame.zone])
        return Refusal("no-such-galley", "CL-NAVAL-02", text)
    if len(action.galleys) != frame.hits:
        sinking = ngettext("{n} galley sinks", "{n} galleys sink", frame.hits)
        return Refusal("wrong-number", "CL-NAVAL-02", _("Exactly {galleys}.", galleys=sinking))
    return None


def _apply(_state: State, _frame: Sinking, _seat: Seat, action: Sink, _emit: Emit) -> object:
    return action.galleys


def _default(table: TableFields, frame: Sinking, seat: Seat) -> Action:
    return _options(table, frame, seat)[0]


NAVAL: Handler[TableFields, State] = automatic(_resume)
SINKING: Handler[TableFields, State] = Handler(seat_owes, _options, _check, _apply, _default, raise_broken_rules)
