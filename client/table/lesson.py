"""Progress of a player in a lesson. Knows no window."""

from collections.abc import Callable, Sequence
from typing import Any, Generic

from client.network.model import VersionedEvent
from client.network.table_events import TableEvent, WentBack
from client.table.position import T
from client.table.task import AnyTask
from shared.ids import Seat
from shared.language.sentence import Value
from shared.lessons.lesson import Draft, Glance, Lesson, LessonStep, Sees, no_draft


def at_task(kind: type[AnyTask]) -> Sees[Any]:
    """Return a condition: the present task is of that kind."""
    return lambda glance: isinstance(glance.task, kind)


class Progress(Generic[T]):
    """Progress of a player. It is derived from the match, so that an interrupted lesson goes on where it was."""

    def __init__(self, lesson: Lesson[T], drafts: Callable[[Glance[Any], Draft], bool] = no_draft) -> None:
        self.lesson = lesson
        self._drafts = drafts
        self.place = 0
        """Index of the waiting step."""
        self.said: Value = ""
        """The coach's remark about the last action."""
        self._past: list[VersionedEvent] = []
        self._read: set[int] = set()
        self._ended: frozenset[int] | None = None

    @property
    def step(self) -> LessonStep[T]:
        """The waiting step."""
        return self.lesson.steps[self.place]

    @property
    def last(self) -> bool:
        """Whether it is the last step."""
        return self.place == len(self.lesson.steps) - 1

    def hear(self, told: Sequence[VersionedEvent]) -> None:
        """Note these events; those before the lesson, and those that were taken back, are forgotten."""
        for one in told:
            if isinstance(one.event, WentBack):
                to = one.event.to
                self._past = [past for past in self._past if past.version <= to]
                self.said = ""
            if self.lesson.begins(one.event):
                self._past.clear()
            if not isinstance(one.event, TableEvent):
                self._past.append(one)
        for reply in self.step.replies:
            if any(reply.to(one.event) for one in told):
                self.said = reply.words

    def glance(self, table: T, seat: Seat, task: AnyTask) -> Glance[T]:
        """Return a glance at the present position."""
        return Glance(table, seat, task, [one.event for one in self._past], self._drafts)

    def read(self) -> bool:
        """Mark the step as read; return False if it waits for an action or is the last one."""
        if self.step.done is not None or self.last:
            return False
        self._read.add(self.place)
        self.said = ""
        return True

    def follow(self, glance: Glance[T]) -> None:
        """Update the finished steps and the waiting step."""
        ended = self.lesson.ended(glance)
        place = self.lesson.waiting(glance, ended, self._read)
        # None at the first look: steps that an interrupted lesson had finished are not praised again.
        if self._ended is not None and ended - self._ended:
            self.said = self.lesson.remark(glance, ended - self._ended)
        elif place != self.place:
            self.said = ""
        self._ended, self.place = ended, place
