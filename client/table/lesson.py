"""Lesson: a coach's words in a first game, step by step, and the player's progress in it. Knows no window.

A lesson is a real match. An action that the coach did not expect counts; the coach explains it, and goes on with the
decision owed then.
"""

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from client.network.model import VersionedEvent
from client.network.table_events import TableEvent, WentBack
from client.table.position import T, T_co
from client.table.task import AnyTask
from shared.ids import Position, Seat, Space
from shared.kernel.frames import Event

E = TypeVar("E", bound=Event)


class Lit(Struct, frozen=True):
    """Things that the coach points at.

    `spaces` of the board. `coasts`: positions of galleys there. `buttons` by the beginnings of their words, of which
    the first found is meant. `piece`: an item to choose, by the beginning of its picture's name. `pane`: a part of the
    table by its name.
    """

    spaces: tuple[Space, ...] = ()
    coasts: tuple[Position, ...] = ()
    buttons: tuple[str, ...] = ()
    piece: str = ""
    pane: str = ""


class Glance(Struct, Generic[T_co], frozen=True):
    """The coach's view: the position, the pupil's seat and present task, and the events of the lesson."""

    table: T_co
    seat: Seat
    task: AnyTask
    past: Sequence[Event]

    def events(self, kind: type[E]) -> list[E]:
        """Return the events of a kind."""
        return [event for event in self.past if isinstance(event, kind)]


Sees: TypeAlias = Callable[[Glance[T]], bool]
Says: TypeAlias = Callable[[Glance[T]], str]
Points: TypeAlias = Callable[[Glance[T]], Lit]


def _any(_event: Event) -> bool:
    return True


def happened(kind: type[E], like: Callable[[E], bool] = _any) -> Sees[Any]:
    """Return a condition: an event of that kind has happened in the lesson, for which `like` holds."""
    return lambda glance: any(like(event) for event in glance.events(kind))


def at_task(kind: type[AnyTask]) -> Sees[Any]:
    """Return a condition: the present task is of that kind."""
    return lambda glance: isinstance(glance.task, kind)


class CoachReply(Struct, Generic[T], frozen=True):
    """The coach's reply to an unexpected event."""

    to: Callable[[Event], bool]
    words: str


class LessonStep(Struct, Generic[T], frozen=True):
    """A step of a lesson: one sentence, or a few that belong together, and the action that it waits for.

    `done`: whether the action was done; None for a step that is only read. `stays`: whether the action is final;
    otherwise it is only being put together, and may be taken back. `over`: whether its time is past. `remark`: words
    once it is done or over. `replies`: words while it waits.
    """

    words: str | Says[T]
    lit: Lit | Points[T] = Lit()
    done: Sees[T] | None = None
    stays: bool = True
    over: Sees[T] | None = None
    remark: Says[T] | None = None
    replies: tuple[CoachReply[T], ...] = ()

    @property
    def deed(self) -> bool:
        """Whether the step waits for a final action."""
        return self.done is not None and self.stays

    def ended(self, glance: Glance[T]) -> bool:
        """Whether the action was done, or its time is past."""
        if self.done is None or not self.stays:
            return False
        return self.done(glance) or (self.over is not None and self.over(glance))


class Lesson(Struct, Generic[T], frozen=True):
    """A lesson. `begins`: the event after which it begins. `steps`: the last one is read, and ends it."""

    begins: Callable[[Event], bool]
    steps: tuple[LessonStep[T], ...]


class Progress(Generic[T]):
    """Progress of a player. It is derived from the match, so that an interrupted lesson goes on where it was."""

    def __init__(self, lesson: Lesson[T]) -> None:
        self.lesson = lesson
        self.place = 0
        """Index of the waiting step."""
        self.said = ""
        """The coach's remark about the last action."""
        self._past: list[VersionedEvent] = []
        self._read: set[int] = set()
        self._ended: set[int] | None = None
        self._goals = [_goal(lesson.steps, place) for place in range(len(lesson.steps))]

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
        return Glance(table, seat, task, [one.event for one in self._past])

    def read(self) -> bool:
        """Mark the step as read; return False if it waits for an action or is the last one."""
        if self.step.done is not None or self.last:
            return False
        self._read.add(self.place)
        self.said = ""
        return True

    def follow(self, glance: Glance[T]) -> None:
        """Update the finished steps and the waiting step."""
        steps = self.lesson.steps
        ended = {place for place, step in enumerate(steps) if step.ended(glance)}
        place = next((place for place in range(len(steps) - 1) if self._waits(place, ended, glance)), len(steps) - 1)
        if self._ended is not None and ended - self._ended:
            self.said = self._remark(glance, sorted(ended - self._ended))
        elif place != self.place:
            self.said = ""
        self._ended, self.place = ended, place

    def _waits(self, place: int, ended: set[int], glance: Glance[T]) -> bool:
        """Whether a step still waits. Steps that lead to a final action end with it, read or not."""
        step = self.lesson.steps[place]
        if self._goals[place] in ended:
            return False
        return step.deed or not (place in self._read if step.done is None else step.done(glance))

    def _remark(self, glance: Glance[T], ended: Sequence[int]) -> str:
        """Return the remark about the steps that have ended; of several remarks only the last."""
        steps = [self.lesson.steps[place] for place in ended]
        remarks = [step.remark(glance) for step in steps if step.remark is not None]
        return next((words for words in reversed(remarks) if words), "")


def _goal(steps: Sequence[LessonStep[T]], place: int) -> int:
    """Return the step with the final action that a step leads to; the step itself if it has one."""
    return next((later for later in range(place, len(steps)) if steps[later].deed), len(steps) - 1)
