"""Choice of what the table asks of the player: a prompt for the decision owed, and one task at a time. Tasks are chosen
only here."""

from collections.abc import Callable
from typing import Generic

from msgspec import Struct

from client.language import Who, _
from client.table.desk import Desk
from client.table.guide import Guide
from client.table.position import T
from client.table.prompts import Prompt, asked, others_turn
from client.table.task import AnyTask, Watching
from shared.ids import NONE, Seat
from shared.kernel.frames import Frame


def prompted(table: T, who: Who, guide: Guide[T], reader: Seat = NONE) -> Prompt:
    """Return the decision that is owed now, in words that address the reader."""
    return asked(guide.prompt(table), who, reader)


class TaskInputs(Struct, frozen=True):
    """Everything that the choice of a task depends on: while it is equal, the task stays.

    `decision`: number and kind of the frame on top. `mine`: whether this seat owes it, and no battle is still shown.
    `pending`: whether its action is sent and not answered; its result may come before the answer.
    `busy`: whether a battle or a moment is still shown; `title`: that of the moment, "" for a battle. `aside`: whether
    the game has something to deal with beside the decision owed.
    """

    version: int
    decision: tuple[int, type[Frame]]
    prompt: Prompt
    mine: bool
    pending: bool
    finished: bool
    busy: bool
    aside: bool
    title: str = ""


class Asking(Generic[T]):
    """Chooser of the current task."""

    def __init__(self, desk: Desk[T], guide: Guide[T]) -> None:
        self._desk = desk
        self._guide = guide
        self.task: AnyTask = Watching(desk, "")
        self.moment: TaskInputs | None = None
        self._beside = False
        """Whether the task is one beside the decision owed."""

    def choose(self, now: TaskInputs) -> bool:
        """Choose the task for this moment. Return False if the present one stays as it is: its action is pending, or
        the player still only watches."""
        before, self.moment = self.moment, now
        if self._beside and _may_stay(before, now):
            self.task.renew()
            return True
        same = before is not None and before.decision == now.decision and not self._beside
        self._beside = False
        begun = same and not isinstance(self.task, Watching)
        if begun and now.pending and not now.finished:
            return False
        if begun and now.mine:
            self.task.renew()
        else:
            task = self._first(now)
            if before is not None and _watches_on(self.task, task):
                return False
            self.task = task
        return True

    def _first(self, now: TaskInputs) -> AnyTask:
        """Return a task for a decision that was not owed before."""
        desk, table = self._desk, self._desk.table
        playing = desk.seat in self._guide.living(table) and not now.finished
        if now.busy:
            return Watching(desk, now.title or _("The dice are falling …"), waits=playing)
        if now.mine and table.winner == NONE:
            return self._guide.task(desk, table.frames[-1]) or Watching(desk, "")
        return Watching(desk, others_turn(now.prompt, desk.seat, playing, desk.who), waits=playing)

    def step_aside(self, close: Callable[[], object]) -> bool:
        """Start the task beside the decision owed; return False if there is none. `close` ends it."""
        aside = self._guide.aside
        if aside is None or self.moment is None or not self.moment.aside:
            return False
        self.task, self._beside = aside.open(self._desk, close), True
        return True

    def step_back(self) -> bool:
        """Return to the decision owed, whose task is chosen anew. Return False if no other task was taken up."""
        if not self._beside:
            return False
        self._beside, self.moment = False, None
        return True


def _watches_on(before: AnyTask, task: AnyTask) -> bool:
    """Whether both tasks only watch, with the same words. Most messages change neither."""
    return isinstance(before, Watching) and isinstance(task, Watching) and before.line() == task.line()


def _may_stay(before: TaskInputs | None, now: TaskInputs) -> bool:
    """Whether a task beside the decision owed goes on. It ends when a decision comes or goes, or nothing is left to
    do."""
    unmoved = before is not None and (before.decision == now.decision or before.mine == now.mine)
    return now.aside and unmoved
