"""Coach of a lesson's or problem's table: what is said to its player in the present position. Keeps nothing."""

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final

from msgspec import MsgspecError

from server.delivery.peer import Peer
from server.matches.match import Match
from server.matches.table import NOT_SEATED, NOT_STARTED, Table
from shared import messages as m
from shared.board import BOARD
from shared.ids import Position, Seat, Space
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import AnyRuleset
from shared.lessons.lesson import Glance, Lesson, LessonStep
from shared.lessons.problem import Problem
from shared.lessons.registry import BY_KEY, LESSONS
from shared.refusal import Refusal
from shared.tables import LOOKING_ON

_NO_LESSON: Final = Refusal("no-lesson", "", "This table is no lesson.")


def coach(table: Table, peer: Peer, message: m.Coach) -> None:
    """Answer `Coach`."""
    match, key = table.match, table.record.lesson
    if peer.seat == LOOKING_ON or match is None:
        return peer.refuse(message.ref, NOT_SEATED if peer.seat == LOOKING_ON else NOT_STARTED)
    if key in BY_KEY:
        return peer.tell(_problem(table.rules, match.position(peer.seat), peer.seat, BY_KEY[key], message))
    if key in LESSONS:
        return peer.tell(lesson_words(LESSONS[key], match, peer.seat, message))
    return peer.refuse(message.ref, _NO_LESSON)


def _past(lesson: Lesson[Any], match: Match, seat: Seat) -> list[tuple[int, Event]]:
    """Return what happened in the lesson and was not taken back, each with its version."""
    events = list(match.told(seat, -1))
    for version, back in match.backs():
        events = [one for one in events if one[0] <= back.to or one[0] > version]
    first = max((place for place, (_, event) in enumerate(events) if lesson.begins(event)), default=0)
    return events[first:]


def lesson_words(lesson: Lesson[Any], match: Match, seat: Seat, message: m.Coach) -> m.Coaching:
    """Return the words of a lesson in the present position of its player."""
    past, steps = _past(lesson, match, seat), lesson.steps
    glance = Glance(match.position(seat), seat, None, [event for _, event in past])
    ended = lesson.ended(glance)
    place = lesson.waiting(glance, ended, message.read)
    reads = steps[place].done is None
    goal = place if reads else lesson.goal(place)
    # Steps of a draft are said with the action that they lead to: the server sees no drafts.
    group = [step for step in steps[place : goal + 1] if step.done is not None or reads]
    remark = lesson.remark(glance, [place - 1]) if place - 1 in ended else ""
    for reply in (reply for step in group for reply in step.replies):
        if any(reply.to(event) for version, event in past if version > message.have):
            remark = reply.words
    taps = steps[goal].taps
    words = [taps(glance) if callable(taps) else taps] if taps else [step.said(glance) for step in group]
    lit = [step.points(glance) for step in group]
    spaces = [_space(at) for each in lit for at in (*each.spaces, *each.coasts)]
    kinds = tuple([_tag(kind) for kind in steps[goal].kinds])
    return m.Coaching(
        message.ref, place, len(steps), tuple(words), remark, tuple(dict.fromkeys(spaces)), kinds,
        reads and place < len(steps) - 1, least=tuple(_least(group)),
    )  # fmt: skip


def _least(steps: Sequence[LessonStep[Any]]) -> Iterator[tuple[int, int]]:
    """Yield the least numbers that drafts want, each with the index of its field in the action."""
    for draft in (draft for step in steps if isinstance(step.done, tuple) for draft in step.done):
        if draft.kind == "wants":
            yield draft.spaces[0], draft.n
        elif draft.kind == "offer":
            yield 0, draft.n


def _tag(kind: type[Action]) -> int:
    """Return the number of an action's kind on the wire."""
    tag = kind.__struct_config__.tag
    assert isinstance(tag, int)
    return tag


def _space(at: Position) -> Space:
    """Return the province or sea zone of a position."""
    return next((space for space, coasts in enumerate(BOARD.coasts) if at in coasts), at)


def _problem(rules: AnyRuleset, view: Any, seat: Seat, problem: Problem, message: m.Coach) -> m.Coaching:
    worth = _worth(rules, view, seat, problem, message.action) if message.action else None
    verdict, solved = ("", False) if worth is None else (problem.verdict(worth), worth >= problem.enough)
    return m.Coaching(
        message.ref, 0, 1, (problem.title, problem.task), verdict, problem.spaces, hint=problem.hint,
        solution=problem.solution, solved=solved,
    )  # fmt: skip


def _worth(rules: AnyRuleset, view: Any, seat: Seat, problem: Problem, written: bytes) -> float | None:
    """Return the worth of an action; None if it is not legal or not judged."""
    try:
        action = rules.action_decoder.decode(written)
    except MsgspecError:
        return None
    if engine.check(rules, view, seat, action) is not None:
        return None
    return problem.value(rules, view, seat, action, Random(0))
