"""Slaves in revolt (II-C-40)."""

from typing import Any

from shared.kernel.frames import DONE, STAY, Emit, Handler, automatic, push, replace_top
from shared.mechanics.cells import has_army
from shared.rulesets.cote2.events import RevoltEnded
from shared.rulesets.cote2.frames import Battle, Revolt
from shared.rulesets.cote2.stages import BattleStage
from shared.rulesets.cote2.state import REBELS
from shared.rulesets.cote2.table import State, Table
from shared.vocabulary import events


def _resume(state: State, frame: Revolt, result: Any, emit: Emit) -> object:
    """Fight the armies one after the other until no slave or no army is left; then the slaves vanish (II-C-95,
    II-D50).
    """
    slaves = frame.slaves if result is None else result
    waiting = [seat for seat in frame.victims if has_army(state.units[frame.space], seat)]
    if not slaves or not waiting:
        emit(RevoltEnded(frame.space, slaves))
        return DONE
    replace_top(state, Revolt(frame.no, frame.space, slaves, tuple(waiting[1:])))
    emit(events.BattleBegan(frame.space, REBELS, waiting[0]))
    push(state, Battle, frame.space, REBELS, waiting[0], 1, BattleStage.OPEN, 0, (REBELS, slaves, 0, 0))
    return STAY


REVOLT: Handler[Table, State] = automatic(_resume)
