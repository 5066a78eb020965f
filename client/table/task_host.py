"""Host of the player's task: keeps it in step with the match, and its controls in the action bar."""

from collections.abc import Callable
from typing import Generic

from client.table.action_bar import ActionBar
from client.table.battle_stage import AwaitedDecision
from client.table.event_playback import EventPlayback
from client.table.guide import Guide
from client.table.match import TableMatch
from client.table.own_desk import OwnDesk
from client.table.position import T
from client.table.scene import Scene
from client.table.task import AnyTask
from client.table.task_chooser import Asking, TaskInputs
from client.table.undo import Undo


class TaskHost(Generic[T]):
    """Host of one task at a time."""

    def __init__(
        self, match: TableMatch[T], guide: Guide[T], desk: OwnDesk[T], events: EventPlayback[T], undo: Undo[T], *,
        past: bool, renewed: Callable[[], object],
    ) -> None:  # fmt: skip
        """`past`: the match is a replay, in which nothing can be done. `renewed`: called when the task has begun anew
        or changed with the match."""
        self._match = match
        self._desk = desk
        self._events = events
        self._undo = undo
        self._past = past
        self._renewed = renewed
        self._chooser = Asking(desk, guide)
        self.bar = ActionBar()

    @property
    def task(self) -> AnyTask:
        """The present task of this seat."""
        return self._chooser.task

    @property
    def moment(self) -> TaskInputs | None:
        """The moment that the task is for."""
        return self._chooser.moment

    @property
    def awaited(self) -> AwaitedDecision:
        """The decision that a battle waits for."""
        if self.moment is None:
            return AwaitedDecision()
        prompt = self.moment.prompt
        return AwaitedDecision(prompt.how if self.moment.mine else prompt.what, prompt.seat)

    def forget(self) -> None:
        """Choose anew at the next call of `follow`, as the match is at another moment."""
        self._chooser.moment = None

    def follow(self, scene: Scene, *, aside: bool, coached: bool) -> bool:
        """Follow the match; return whether the task may look otherwise now.

        scene: the one that the panes show.
        aside: whether there is a matter beside the decision owed.
        coached: whether a coach wants every question to be asked, also those without a real choice.
        """
        match, busy = self._match, self._events.busy
        frame = self._events.latest_position.frames[-1]
        now = TaskInputs(
            version=match.version,
            decision=(frame.no, type(frame)),
            prompt=scene.prompt,
            mine=match.is_mine and not busy,
            pending=match.pending,
            finished=match.finished and not busy,
            busy=busy,
            title=self._events.title if busy else "",
            aside=aside,
        )
        if now == self.moment:
            return False
        if not self._chooser.choose(now):
            return True
        if not coached and self._leave_out():
            return False
        self._renewed()
        if not self._past:
            self.bar.task = self.task
            self.bar.rebuild()
        return True

    def _leave_out(self) -> bool:
        """Answer a question without a real choice, or go further back if the player came back to it.

        Return False if there is no such question, or it must be asked.
        """
        action = self.task.unasked()
        if action is None:
            return False
        match, labels, at = self._match, self._undo.labels, self._match.version
        if at == self._undo.returned:
            return match.undoable > 0 and self._undo.take_back()
        before, further = labels.get(at, ""), match.undoable > 0
        answered = self._desk.act(action)
        if answered and further and before:
            labels[at + 1] = before  # Players take back what they decided themselves.
        return answered

    def step_back(self) -> bool:
        """Return to the decision owed, whose task is chosen anew at the next call of `follow`. Return False if no other
        task was taken up."""
        return self._chooser.step_back()

    def step_aside(self, close: Callable[[], object]) -> bool:
        """Start the task beside the decision owed; return False if there is none. `close` ends it."""
        if not self._chooser.step_aside(close):
            return False
        self.bar.task = self.task
        return True
