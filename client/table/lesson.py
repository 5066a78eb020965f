"""A lesson: what a coach says in a first game, step by step, and how far somebody has come in it. Knows no window.

A lesson is a real match. Whoever does something else than the coach meant has done so; the coach says what it means,
and goes on with what is owed then.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Generic, TypeAlias, TypeVar

from msgspec import Struct

from client.table.position import T, T_co
from client.table.task import AnyTask
from shared.ids import Seat, Space
from shared.kernel.frames import Event

E = TypeVar("E", bound=Event)


class Lit(Struct, frozen=True):
    """What the coach points at. `spaces` of the board; `buttons` by how their words begin, the first that is there;
    `piece`: something to be chosen, by how its picture's name begins; `pane`: a part of the table by its name."""

    spaces: tuple[Space, ...] = ()
    buttons: tuple[str, ...] = ()
    piece: str = ""
    pane: str = ""


class Glance(Struct, Generic[T_co], frozen=True):
    """What the coach sees: the position, the pupil's seat, what he is about to do, and what happened in the lesson."""

    table: T_co
    seat: Seat
    task: AnyTask
    past: Sequence[Event]

    def events(self, kind: type[E]) -> list[E]:
        """Those of a kind."""
        return [event for event in self.past if isinstance(event, kind)]


Sees: TypeAlias = Callable[[Glance[T]], bool]
Says: TypeAlias = Callable[[Glance[T]], str]
Points: TypeAlias = Callable[[Glance[T]], Lit]


class Reply(Struct, Generic[T], frozen=True):
    """What the coach says to an event that he did not mean."""

    to: Callable[[Event], bool]
    words: str


class Step(Struct, Generic[T], frozen=True):
    """One sentence, or a few that belong together, and the deed that it waits for.

    `done`: whether it was done; without it there is nothing to do but to read. `stays`: what was done stays done; else
    it is only being put together, and may be taken back. `over`: whether its time is past. `remark`: what is said once
    it is done or over. `replies`: while it waits.
    """

    words: str | Says[T]
    lit: Lit | Points[T] = Lit()
    done: Sees[T] | None = None
    stays: bool = True
    over: Sees[T] | None = None
    remark: Says[T] | None = None
    replies: tuple[Reply[T], ...] = ()

    @property
    def deed(self) -> bool:
        """Whether something is to be done that stays done."""
        return self.done is not None and self.stays

    def ended(self, glance: Glance[T]) -> bool:
        """Whether the deed was done, or its time is past."""
        if self.done is None or not self.stays:
            return False
        return self.done(glance) or (self.over is not None and self.over(glance))


class Lesson(Struct, Generic[T], frozen=True):
    """`begins`: the event after which it does. `steps`: the last one is read, and ends it."""

    begins: Callable[[Event], bool]
    steps: tuple[Step[T], ...]


class Progress(Generic[T]):
    """How far somebody has come. It is read off the match, so that a lesson that was left goes on where it was."""

    def __init__(self, lesson: Lesson[T]) -> None:
        self.lesson = lesson
        self.place = 0
        """Of the step that waits."""
        self.said = ""
        """What the coach says to what was done last."""
        self._past: list[Event] = []
        self._read: set[int] = set()
        self._ended: set[int] | None = None
        self._goals = [_goal(lesson.steps, place) for place in range(len(lesson.steps))]

    @property
    def step(self) -> Step[T]:
        """The one that waits."""
        return self.lesson.steps[self.place]

    @property
    def last(self) -> bool:
        """Whether it is the last one."""
        return self.place == len(self.lesson.steps) - 1

    def hear(self, events: Sequence[Event]) -> None:
        """These happened; what was before the lesson is forgotten."""
        for event in events:
            if self.lesson.begins(event):
                self._past.clear()
            self._past.append(event)
        for reply in self.step.replies:
            if any(reply.to(event) for event in events):
                self.said = reply.words

    def glance(self, table: T, seat: Seat, task: AnyTask) -> Glance[T]:
        """What there is to see now."""
        return Glance(table, seat, task, self._past)

    def read(self) -> bool:
        """The pupil has read what there is to read; False where there is something to do, or nothing more."""
        if self.step.done is not None or self.last:
            return False
        self._read.add(self.place)
        self.said = ""
        return True

    def follow(self, glance: Glance[T]) -> None:
        """See what was done, and which step waits now."""
        steps = self.lesson.steps
        ended = {place for place, step in enumerate(steps) if step.ended(glance)}
        place = next((place for place in range(len(steps) - 1) if self._waits(place, ended, glance)), len(steps) - 1)
        if self._ended is not None and ended - self._ended:
            self.said = self._remark(glance, sorted(ended - self._ended))
        elif place != self.place:
            self.said = ""
        self._ended, self.place = ended, place

    def _waits(self, place: int, ended: set[int], glance: Glance[T]) -> bool:
        """What is read, or put together, on the way to a deed waits no longer once that is done."""
        step = self.lesson.steps[place]
        if self._goals[place] in ended:
            return False
        return step.deed or not (place in self._read if step.done is None else step.done(glance))

    def _remark(self, glance: Glance[T], ended: Sequence[int]) -> str:
        """What there is to say about the steps that have come to their end; of several only about the last."""
        steps = [self.lesson.steps[place] for place in ended]
        remarks = [step.remark(glance) for step in steps if step.remark is not None]
        return next((words for words in reversed(remarks) if words), "")


def _goal(steps: Sequence[Step[T]], place: int) -> int:
    """The deed that a step leads to; itself, if it is one."""
    return next((later for later in range(place, len(steps)) if steps[later].deed), len(steps) - 1)
