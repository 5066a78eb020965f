"""Which task belongs to what is owed."""

from __future__ import annotations

from client.table.match import Desk
from client.table.prompts import others_turn, prompt
from client.table.tasks.bargaining import Answering
from client.table.tasks.base import Task, Watching
from client.table.tasks.building import Buying, ChoosingHome, Placing, Razing
from client.table.tasks.fighting import ChoosingBattle, Judging, Leaving, Scuttling, Sharing
from client.table.tasks.moving import Moving
from shared.kernel.frames import Frame
from shared.rulesets.classic import frames as f


def task_for(desk: Desk, mine: bool) -> Task:
    """The task of this seat at the top frame; `mine` where this seat owes it."""
    frame: Frame = desk.table.frames[-1]
    if not mine or desk.table.winner >= 0:
        return Watching(desk, others_turn(desk.table, prompt(desk.table, desk.who), desk.seat, desk.who))
    match frame:
        case f.HomeChoice():
            return ChoosingHome(desk)
        case f.Movement():
            return Moving(desk)
        case f.Combat():
            return ChoosingBattle(desk, frame)
        case f.Formation() | f.Casualties():
            return Sharing(desk, frame)
        case f.Onward() | f.Withdrawal():
            return Leaving(desk, frame)
        case f.Captives():
            return Judging(desk, frame)
        case f.Sinking():
            return Scuttling(desk, frame)
        case f.Destruction():
            return Razing(desk)
        case f.Purchase():
            return Buying(desk)
        case f.Placement():
            return Placing(desk, frame)
        case f.Bargain():
            return Answering(desk, frame)
        case _:
            return Watching(desk, "")
