"""Lessons on the page: each is followed to its end by taps or keys on nothing but what the coach marks."""

import asyncio
import contextlib
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import TimeoutError

from shared.lessons.registry import BY_KEY, LESSONS
from shared.levels import EASY
from shared.messages import Done, SetBot
from shared.tables import SeatKind
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.support.marks import with_releases
from tests.web.page_harness import Sight, begin, browser, serving_games, web
from tests.web.test_first_screen import READY, SMALL
from tests.web.test_seats import open_table, seated

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]

TURNS: Final = 150
"""Gestures after which a lesson should be over."""
STATE: Final = """(() => {
  const {coach, decide, match} = conquest, {deciding} = decide, told = coach?.told;
  const choices = [...decide.body.querySelectorAll('.choice.meant:not(:disabled)')];
  const now = coach && `${match.history.version} ${coach.read.length} ${match.link.visits}`;
  const final = !decide.final.hidden && !decide.final.disabled && decide.final.classList.contains('meant');
  return {place: told?.place, steps: told?.steps, reads: told?.reads, over: match.over,
    busy: coach?.waiting !== 0 || deciding.sending || Boolean(deciding.top?.ticket) || coach.asked !== now,
    owes: deciding.owes, version: match.history.version, meant: choices.map((each) => each.innerText),
    few: [...decide.body.querySelectorAll('.field.meant')].map((each) => Number(each.dataset.key.slice(6))),
    values: deciding.top?.values ?? [],
    final: final ? decide.final.textContent : '',
    words: coach?.words.innerText, said: coach?.said.innerText};
})()"""
LIKED: Final = ("7 votes", "Bribe", "Senator III", "infantry")
"""Words of choices that the coach names where several of a kind are marked, the first that is there."""


class PagePupil:
    """Person who does on the page what the coach says, and nothing else."""

    def __init__(self, sight: Sight, key: str, touch: bool, shots: str = "") -> None:
        self.sight, self.key, self.touch, self.shots = sight, key, touch, shots
        self.told: dict[int, str] = {}

    async def settled(self) -> dict[str, Any]:
        """Return the page's state once the coach has spoken about the last position, and waits for the pupil."""
        while True:
            state: dict[str, Any] = await self.sight.ask(STATE)
            ready = (
                state["reads"]
                or state["final"]
                or state["meant"]
                or state["few"]
                or state["place"] == state["steps"] - 1
            )
            if not state["busy"] and ready:
                return state
            await asyncio.sleep(0.05)

    async def press(self, selector: str, number: int = 0) -> None:
        """Tap or, by keys, focus and press Enter."""
        place = self.sight.page.locator(selector).nth(number)
        with contextlib.suppress(TimeoutError):  # It goes by itself where nothing else is left to choose.
            await (place.tap(timeout=3000) if self.touch else place.press("Enter", timeout=3000))

    async def fill_in(self, state: dict[str, Any]) -> None:
        """Change one number of a form that the coach marks."""
        at = state["few"][0]
        plus = self.sight.page.locator(f".decide .meant[data-key=field-{at}]").get_by_text("+", exact=True)
        await (plus.tap() if self.touch else plus.press("Enter"))
        await self.sight.wait(f"conquest.decide.deciding.top?.values?.[{at}] !== {state['values'][at]}")

    async def follow(self) -> None:
        """Follow the lesson to its last step."""
        for turn in range(TURNS):
            state = await self.settled()
            self.told[state["place"]] = state["words"]
            if self.shots:
                await self.sight.page.screenshot(path=f"{self.shots}/{self.key}-{turn:03}.png")
            if state["place"] == state["steps"] - 1:
                return
            if state["reads"]:
                await self.press(".coach .primary")
                continue
            if state["few"]:
                await self.fill_in(state)
                continue
            if state["final"]:
                await self.press(".decide .final")
            else:
                liked = [i for words in LIKED for i, each in enumerate(state["meant"]) if words in each]
                await self.press(".decide .choice.meant:not(:disabled)", (liked or [0])[0])
            await self.sight.wait(
                f"conquest.match.history.version !== {state['version']} || conquest.decide.deciding.steps.length > 1 "
                "|| !conquest.decide.final.hidden"
            )
        pytest.fail(f"{self.key} does not end: {state}")


async def test_a_friend_learns_while_others_gather_and_is_called(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app, seats=3, bots=1)
        friend = await seated(chromium, app, host, "Ada", **SMALL)
        await friend.press(".learn", touch=True)
        await friend.wait("globalThis.conquest?.coach?.told && conquest.match.table.lesson === 'classic'")
        call = friend.page.locator(".newer:not([hidden])")
        assert "waits for 1 more" in await call.inner_text()
        (table,) = [task.table for task in app.lobby.tasks if not task.table.record.lesson]
        assert [seat.kind for seat in table.seating.infos()] == [SeatKind.PERSON, SeatKind.FREE, SeatKind.BOT]
        await host.ask(lambda ref: SetBot(ref, 1, EASY), Done)
        await begin(host)
        await friend.page.get_by_text("It begins: Friday night").wait_for()
        await friend.page.keyboard.press("1")
        await friend.press(".newer:not([hidden]) button", touch=True)
        await friend.wait("conquest.match.table.title === 'Friday night' && conquest.match.seat === 0")
        assert await friend.ask("conquest.decide.open && conquest.match.acts.size === 0")
        assert await call.count() == 0 and friend.troubles == []


@pytest.mark.long
async def test_a_problem_is_judged_solved_and_begun_anew(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/", **SMALL)
        await sight.wait(READY)
        await open_lesson(sight, "problem-2")
        said = sight.page.locator(".coach .said")
        infantry = sight.page.locator(".decide [data-key=field-0]").get_by_text("+", exact=True)
        for number, verdict in ((1, "Not yet."), (4, "Solved!")):
            for _ in range(number):
                await infantry.tap()
            await sight.wait(f"conquest.decide.deciding.top.values[0] === {number} && !conquest.decide.final.disabled")
            await sight.press(".decide .final", touch=True)
            await said.get_by_text(verdict).wait_for()
            if number == 1:
                await sight.page.get_by_role("button", name="A hint").tap()
                assert str(BY_KEY["problem-2"].hint) == await sight.page.inner_text(".coach .words")
                before = await sight.ask("conquest.match.table.match")
                await sight.page.get_by_role("button", name="Try again").tap()
                await sight.wait(f"conquest.coach?.told && conquest.match.table.match !== '{before}'")
        assert await sight.ask("JSON.parse(localStorage.getItem('conquest.person')).solved") == ["problem-2"]
        await sight.page.goto(f"{web(app)}/")
        await sight.wait(READY)
        await sight.press(".start .lessons", touch=True)
        await sight.page.locator("dialog li").filter(has_text="Forty talents").get_by_text("solved").wait_for()
        assert sight.troubles == []


@pytest.mark.long
async def test_a_lesson_is_followed_by_keys_and_goes_on_after_a_reload(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/")
        await sight.wait(READY)
        await open_lesson(sight, "cote2")
        await sight.page.keyboard.press("Enter")
        await sight.wait("conquest.coach.told.place === 1")
        await sight.page.reload()
        await sight.wait("globalThis.conquest?.coach?.told?.place === 0")
        pupil = PagePupil(sight, "cote2", touch=False)
        await pupil.follow()
        assert sight.troubles == []


@pytest.mark.long
@pytest.mark.parametrize("key", with_releases(LESSONS, "classic"))
async def test_a_lesson_is_followed_to_its_end_on_a_phone(key: str, tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/", **SMALL)
        await sight.wait(READY)
        await open_lesson(sight, key)
        pupil = PagePupil(sight, key, touch=True)
        await pupil.follow()
        assert all(pupil.told.values()) and sight.troubles == []


async def open_lesson(sight: Sight, key: str) -> None:
    """Open a lesson or problem from the first screen."""
    if key in ("classic", "mb1984", "cote2"):
        await sight.press(f".start [data-game={key}]")
        await sight.press(".start .learn")
    else:
        await sight.press(".start .lessons")
        await sight.press(f"[data-lesson={key}]")
    await sight.page.wait_for_url("**/watch#*")
    await sight.wait("globalThis.conquest?.coach?.told")
