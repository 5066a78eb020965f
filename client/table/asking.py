"""Which task belongs to what is owed."""

from __future__ import annotations

from client.games.conquest.tasks.bargaining import Answering
from client.games.conquest.tasks.building import Buying, ChoosingHome, Razing
from client.games.conquest.tasks.moving import Moving
from client.table.match import Desk
from client.table.prompts import others_turn, prompt
from client.table.task import Task, Watching
from shared.kernel.frames import Frame
from shared.vocabulary import frames as f


def task_for(desk: Desk, mine: bool) -> Task:
    """The task of this seat at the top frame; `mine` where this seat owes it."""
    frame: Frame = desk.table.frames[-1]
    if not mine or desk.table.winner >= 0:
        told = prompt(desk.table, desk.who, desk.guide)
        return Watching(desk, others_turn(told, desk.seat, desk.seat in desk.guide.living(desk.table), desk.who))
    match frame:
        case f.HomeChoice():
            return ChoosingHome(desk)
        case f.Movement():
            return Moving(desk)
        case f.Destruction():
            return Razing(desk)
        case f.Purchase():
            return Buying(desk)
        case f.Bargain():
            return Answering(desk, frame)
        case _:
            return desk.guide.task(desk, frame) or Watching(desk, "")
