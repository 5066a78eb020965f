"""Lesson: a coach's words in a first game, step by step. Knows no window.

A lesson is a real match. An action that the coach did not expect counts; the coach explains it, and goes on with the
decision owed then.
"""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Generic, TypeAlias, TypeVar

from msgspec import Struct

from shared.ids import Position, Seat, Space
from shared.kernel.frames import Action, Event, Frame
from shared.language.sentence import Value

E = TypeVar("E", bound=Event)
T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class Lit(Struct, frozen=True):
    """Things that the coach points at.

    `spaces` of the board. `coasts`: positions of galleys there. `buttons` by the beginnings of their words, of which
    the first found is meant. `piece`: an item to choose, by the beginning of its picture's name. `pane`: a part of the
    table by its name. The last three are those of the window.
    """

    spaces: tuple[Space, ...] = ()
    coasts: tuple[Position, ...] = ()
    buttons: tuple[Value, ...] = ()
    piece: str = ""
    pane: str = ""


class Draft(Struct, frozen=True):
    """Condition on an action that is only being put together. Programs that show no such drafts skip its step.

    `kind`: what is chosen, by its name; `spaces`, `n`: the values of that kind.
    """

    kind: str
    spaces: tuple[Position, ...] = ()
    n: int = 0


def no_draft(_glance: "Glance[Any]", _draft: Draft) -> bool:
    """Return False: this program shows no drafts."""
    return False


class Glance(Struct, Generic[T_co], frozen=True):
    """The coach's view: the position, the pupil's seat, and the events of the lesson.

    `task`: the pupil's present task in the window, None elsewhere. `drafts`: whether a draft is there.
    """

    table: T_co
    seat: Seat
    task: Any
    past: Sequence[Event]
    drafts: Callable[["Glance[Any]", Draft], bool] = no_draft

    def events(self, kind: type[E]) -> list[E]:
        """Return the events of a kind."""
        return [event for event in self.past if isinstance(event, kind)]

    def drafted(self, *drafts: Draft) -> bool:
        """Whether one of these drafts is there."""
        return any(self.drafts(self, draft) for draft in drafts)

    @property
    def choices(self) -> tuple[Space, ...]:
        """Spaces that the window lights up for the task; none elsewhere."""
        return tuple(self.task.lit()) if self.task is not None else ()


Sees: TypeAlias = Callable[[Glance[T]], bool]
Says: TypeAlias = Callable[[Glance[T]], Value]
Points: TypeAlias = Callable[[Glance[T]], Lit]


def _any(_event: Event) -> bool:
    return True


def happened(kind: type[E], like: Callable[[E], bool] = _any) -> Sees[Any]:
    """Return a condition: an event of that kind has happened in the lesson, for which `like` holds."""
    return lambda glance: any(like(event) for event in glance.events(kind))


def owes(glance: Glance[Any], *kinds: type[Frame]) -> bool:
    """Whether the pupil owes a decision of one of these kinds now."""
    top = glance.table.frames[-1] if glance.table.frames else None
    return isinstance(top, kinds) and getattr(top, "seat", glance.seat) == glance.seat


class CoachReply(Struct, Generic[T], frozen=True):
    """The coach's reply to an unexpected event."""

    to: Callable[[Event], bool]
    words: Value


class LessonStep(Struct, Generic[T], frozen=True):
    """A step of a lesson: one sentence, or a few that belong together, and the action that it waits for.

    `done`: whether the action was done; None for a step that is only read. Drafts are only put together, and may be
    taken back: one of them is enough. `over`: whether its time is past. `remark`: words once it is done or over.
    `replies`: words while it waits. `taps`: words for the browser page, in place of its own and of those of the drafts
    before it, where gestures differ. `kinds`: actions that it means.
    """

    words: Value | Says[T]
    lit: Lit | Points[T] = Lit()
    done: Sees[T] | tuple[Draft, ...] | None = None
    over: Sees[T] | None = None
    remark: Says[T] | None = None
    replies: tuple[CoachReply[T], ...] = ()
    taps: Value | Says[T] = ""
    kinds: tuple[type[Action], ...] = ()

    @property
    def deed(self) -> bool:
        """Whether the step waits for a final action."""
        return self.done is not None and not isinstance(self.done, tuple)

    def said(self, glance: Glance[T]) -> Value:
        """Return its words in that position."""
        return self.words(glance) if callable(self.words) else self.words

    def points(self, glance: Glance[T]) -> Lit:
        """Return the things that it points at."""
        return self.lit if isinstance(self.lit, Lit) else self.lit(glance)

    def finished(self, glance: Glance[T]) -> bool:
        """Whether its action was done, or is put together."""
        return (
            glance.drafted(*self.done) if isinstance(self.done, tuple) else self.done is not None and self.done(glance)
        )

    def ended(self, glance: Glance[T]) -> bool:
        """Whether the action was done, or its time is past."""
        return self.deed and (self.finished(glance) or (self.over is not None and self.over(glance)))


class Lesson(Struct, Generic[T], frozen=True):
    """A lesson. `begins`: the event after which it begins. `steps`: the last one is read, and ends it."""

    begins: Callable[[Event], bool]
    steps: tuple[LessonStep[T], ...]

    def goal(self, place: int) -> int:
        """Return the step with the final action that a step leads to; the step itself if it has one."""
        return next((later for later in range(place, len(self.steps)) if self.steps[later].deed), len(self.steps) - 1)

    def ended(self, glance: Glance[T]) -> frozenset[int]:
        """Return the places of the steps that have ended."""
        return frozenset(place for place, step in enumerate(self.steps) if step.ended(glance))

    def waiting(self, glance: Glance[T], ended: frozenset[int], read: Iterable[int]) -> int:
        """Return the place of the waiting step. `read`: the steps that were read.

        Steps that lead to a final action end with it, read or not.
        """
        for place, step in enumerate(self.steps[:-1]):
            if self.goal(place) not in ended and (
                step.deed or not (place in read if step.done is None else step.finished(glance))
            ):
                return place
        return len(self.steps) - 1

    def remark(self, glance: Glance[T], ended: Iterable[int]) -> Value:
        """Return the remark about the steps that have ended; of several remarks only the last."""
        steps = [self.steps[place] for place in sorted(ended)]
        remarks = [step.remark(glance) for step in steps if step.remark is not None]
        return next((words for words in reversed(remarks) if words), "")
