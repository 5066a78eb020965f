"""Lessons and problems at a server: a table that has begun, and a coach who is asked."""

from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from client.language import say
from protocol import codec
from server.bots.policy import play_easy
from server.lobby.lesson_tables import beginning
from server.matches.coach import lesson_words
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import as_of
from shared.lessons.registry import BY_KEY, LESSONS
from shared.messages import Coach, Coaching, Create, Refused, Resume, Seated, Snapshot, TableState
from shared.rulesets.classic.actions import Buy
from shared.rulesets.registry import RULESETS
from tests.server.fakes import Client
from tests.web.page_harness import serving_games

DECISIONS = 400
"""Decisions after which a lesson of bots should be over."""


async def pupil(app: Any, key: str, name: str = "Ada") -> Client:
    """Return a person at the table of a lesson."""
    client = await Client(app.address, name).open()
    seated = await client.ask(lambda ref: Create(ref, "classic", 2, {}, "", lesson=key), Seated)
    await client.say(lambda ref: Resume(ref, seated.match, seated.token))
    return client


@pytest.mark.parametrize("key", LESSONS)
async def test_a_lesson_begins_where_its_position_leads_with_easy_bots(key: str, tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app:
        client = await pupil(app, key)
        table = await client.wait_for(TableState)
        assert table.lesson == key and table.you == 0 and not table.open
        assert {seat.bot for seat in table.seats[1:]} == {"easy"}
        assert (await client.wait_for(Snapshot)).version == len(beginning(key).log)  # type: ignore[union-attr]
        first = await client.ask(lambda ref: Coach(ref), Coaching)
        assert (first.place, first.steps) == (0, len(LESSONS[key].steps)) and first.reads
        read = [0]
        while (told := await client.ask(lambda ref: Coach(ref, tuple(read)), Coaching)).reads:
            assert told.place == read[-1] + 1, "steps that are read lead to the next one"
            read.append(told.place)
        assert told.words and all(say(words) for words in told.words) and not told.remark


async def test_a_problem_judges_before_the_action_and_only_what_is_legal(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app:
        client = await pupil(app, "problem-2")
        await client.wait_for(Snapshot)
        problem = BY_KEY["problem-2"]

        async def verdict(action: bytes) -> Coaching:
            return await client.ask(lambda ref: Coach(ref, action=action), Coaching)

        task = await verdict(b"")
        assert [say(words) for words in task.words] == [say(problem.title), say(problem.task)] and not task.remark
        encoded = msgspec.msgpack.encode
        better = await verdict(encoded(Buy(4)))
        assert better.solved and say(better.remark).startswith("Solved! Your chance is 79 %.")
        worse = await verdict(encoded(Buy(1, 0, 1)))
        assert not worse.solved and say(worse.remark).startswith("Not yet.")
        for wrong in (encoded(Buy(99)), b"\xc1", encoded([999])):
            assert not (await verdict(wrong)).remark


async def test_other_tables_and_unknown_lessons_are_refused(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app:
        client = await Client(app.address, "Ada").open()
        refused = await client.ask(lambda ref: Create(ref, "classic", 2, {}, "", lesson="../classic"), Refused)
        assert refused.code == "no-lesson"
        await client.ask(lambda ref: Create(ref, "classic", 2, {}, "A table"), Seated)
        assert (await client.ask(lambda ref: Coach(ref), Refused)).code == "not-started"


class PlayedLesson:
    """Match of a lesson in which easy bots decide for all; the coach sees it as that of a table."""

    def __init__(self, key: str) -> None:
        found = beginning(key)
        assert found is not None
        self.rules = as_of(RULESETS[found.ruleset], found.version) or RULESETS[found.ruleset]
        self.state: Any = engine.start(self.rules, found.seats, found.options, engine.ignore_event)
        self.version = 0
        self.events: list[tuple[int, Event]] = []
        for seat, written in found.log:
            self.play(seat, self.rules.action_decoder.decode(codec.encode(written)))

    def play(self, seat: int, action: Action) -> None:
        """Carry out an action."""
        self.version += 1
        engine.play(self.rules, self.state, seat, action, lambda event: self.events.append((self.version, event)))

    def step(self) -> bool:
        """Let chance or a bot decide; return False if nothing is owed."""
        owed = engine.owed(self.rules, self.state)
        if not owed:
            return False
        outcome = engine.chance_action(self.state, Random(self.version)) if owed == (NATURE,) else None
        view = self.rules.view(self.state, owed[0])
        self.play(owed[0], outcome or play_easy(self.rules, view, owed[0], Random(self.version)))
        return True

    def told(self, seat: int, have: int) -> list[tuple[int, Event]]:
        """Return what the seat was told."""
        said = [(version, self.rules.event_for(event, seat)) for version, event in self.events if version > have]
        return [(version, event) for version, event in said if event is not None]

    def backs(self) -> tuple[()]:
        """Return nothing: nothing is taken back."""
        return ()

    def position(self, seat: int) -> Any:
        """Return the view of a seat."""
        return self.rules.view(self.state, seat)


@pytest.mark.parametrize("key", LESSONS)
def test_the_coach_has_words_after_every_action_without_a_window(key: str) -> None:
    match, read, have = PlayedLesson(key), list[int](), 0
    for _ in range(DECISIONS):
        while (told := lesson_words(LESSONS[key], match, 0, Coach(1, tuple(read), have))).reads:  # type: ignore[arg-type]
            read.append(told.place)
        assert told.words and all(say(words) for words in told.words), told.place
        assert "lick" not in " ".join(map(str, told.words)), "words of the window"
        have = match.version
        if told.place == told.steps - 1 or not match.step():
            break
    assert told.place == told.steps - 1, "all was done, or its time is past"
