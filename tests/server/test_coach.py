"""Lessons and problems at a server: a table that has begun, and a coach who is asked."""

from pathlib import Path
from typing import Any

import msgspec
import pytest

from client.language import say
from server.lobby.lesson_tables import beginning
from shared.lessons.registry import BY_KEY, LESSONS
from shared.messages import Coach, Coaching, Create, Refused, Resume, Seated, Snapshot, TableState
from shared.rulesets.classic.actions import Buy
from tests.server.fakes import Client
from tests.web.page_harness import serving_games


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
