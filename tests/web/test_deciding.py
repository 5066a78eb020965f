"""People decide on the page: whole matches by taps alone and by keys alone."""

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser

from server.connections.server_app import App
from shared.rulesets.registry import RULESETS
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import SHORT, Sight, browser, serving_games
from tests.web.page_player import at_table, taken
from tests.web.test_watching import PHONE, VERSION, pages

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]
DESKTOP: Final = {"width": 1280, "height": 800}
NEEDED: Final = {
    "classic": {"March", "EndMovement", "Buy"},
    "mb1984": {"March", "EndMovement", "Buy"},
    "cote2": {"Bid", "Pass"},
}
"""Actions that no whole match of a game goes without."""


WAYS: Final[tuple[tuple[str, dict[str, Any]], ...]] = (("taps", PHONE), ("keys", DESKTOP), ("taps", DESKTOP))


async def whole_match(
    data: Path, ruleset: str, seed: int, by: str, options: dict[str, int], seats: int = 0, **size: Any
) -> Counter[str]:
    """Play a match to its end on the page, by "taps" or "keys"; return the actions that were played."""
    async with serving_games(data, seed=seed) as app, browser() as chromium:
        seats = seats or RULESETS[ruleset].min_seats
        player = await at_table(chromium, app, ruleset, seats, seed, options=options, **size)
        await player.play(player.tap if by == "taps" else player.type)
        assert await player.sight.ask("conquest.match.history.wrong") == 0
        assert player.sight.troubles == []
        return await taken(player, ruleset)


@pytest.mark.long
async def test_a_round_of_classic_is_played_by_taps_on_a_phone(tmp_path: Path) -> None:
    played = await whole_match(tmp_path, "classic", 1, "taps", {"round_limit": 1}, **PHONE)
    assert played["EndMovement"] == 1


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("ruleset", "by", "size"),
    [
        *(("classic", by, size) for by, size in (("keys", DESKTOP), ("taps", PHONE), ("taps", DESKTOP))),
        *(("mb1984", by, size) for by, size in (("taps", PHONE), ("taps", DESKTOP), ("keys", DESKTOP))),
    ],
)
async def test_a_match_is_played_on_the_page(ruleset: str, by: str, size: dict[str, Any], tmp_path: Path) -> None:
    played = await whole_match(tmp_path, ruleset, 1, by, SHORT[ruleset], **size)
    print(played)
    assert set(played) >= NEEDED[ruleset]


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("ruleset", NEEDED)
async def test_a_match_is_played_by_keys_at_the_size_of_a_phone(ruleset: str, tmp_path: Path) -> None:
    played = await whole_match(tmp_path, ruleset, 1, "keys", SHORT[ruleset], **PHONE)
    assert set(played) >= NEEDED[ruleset]


@pytest.mark.exhaustive
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [(rules.id, seats) for rules in RULESETS.values() for seats in range(rules.min_seats, rules.max_seats + 1)],
)
async def test_a_match_of_each_size_is_played_on_the_page(ruleset: str, seats: int, tmp_path: Path) -> None:
    by, size = WAYS[seats % len(WAYS)]
    print(await whole_match(tmp_path, ruleset, seats, by, SHORT[ruleset], seats, **size))


async def sitting(chromium: Browser, app: App, **size: Any) -> Sight:
    """Return the page of a person whose movement in a match of Classic against a bot has begun."""
    player = await at_table(chromium, app, "classic", 2, 1, options={}, **size)
    for _ in range(2):
        await player.settled()
        if await player.sight.ask("conquest.match.position().top.kind") == "Movement":
            break
        await player.sight.page.locator(".decide .choice").first.click()
        await player.sight.wait("!conquest.decide.deciding.sending")
    await player.settled()
    return player.sight


DRAFT: Final = "conquest.decide.deciding.top?.form"


async def open_march(sight: Sight) -> None:
    """Choose a march from the first army to the first reachable place, as far as its form."""
    page = sight.page
    while not await sight.ask(f"Boolean({DRAFT})"):
        await sight.wait("conquest.decide.deciding.top?.answer !== null")
        await page.locator(".decide .onward").first.click()
        await sight.wait("conquest.decide.deciding.top?.answer !== null")
    await sight.wait("!conquest.decide.final.hidden && !conquest.decide.final.disabled")


@pytest.mark.long
async def test_the_button_says_what_will_be_done_and_a_refusal_stands_in_its_place(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **DESKTOP)
        await open_march(sight)
        final = sight.page.locator(".decide .final")
        assert (await final.inner_text()).startswith("March from ") and await final.is_enabled()
        leaders = ".decide .set :is(.option[aria-checked=true], .step[title=none]:enabled)"
        for chosen in await sight.page.locator(leaders).all():
            await chosen.click()
        await sight.wait("conquest.decide.final.classList.contains('refused')")
        refusal = await final.inner_text()
        assert await final.is_disabled() and " " in refusal and refusal.endswith(".") and "March from" not in refusal
        await sight.page.get_by_role("button", name="Start again").click()
        await sight.wait("!conquest.decide.final.disabled")
        version = await sight.ask(VERSION)
        await final.click()
        await sight.wait(f"{VERSION} > {version} && conquest.decide.deciding.steps.length === 1")
        assert sight.troubles == []


@pytest.mark.long
async def test_escape_goes_back_and_nothing_is_sent_before_the_last_button(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **DESKTOP)
        version = await sight.ask(VERSION)
        await open_march(sight)
        while await sight.ask("conquest.decide.deciding.steps.length") > 1:
            await sight.page.keyboard.press("Escape")
        await sight.page.keyboard.press("Escape")
        assert await sight.ask("conquest.match.taken.length") <= 2 and await sight.ask(VERSION) == version
        await sight.wait("conquest.decide.final.hidden")  # It is drawn once the choices have come.
        assert await sight.page.locator(".decide .final").is_hidden()


@pytest.mark.long
async def test_enter_on_what_is_chosen_already_confirms_it(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **DESKTOP)
        version = await sight.ask(VERSION)
        await open_march(sight)
        await sight.page.locator(".decide [role=spinbutton]").first.focus()
        await sight.page.keyboard.press("Enter")
        await sight.wait(f"{VERSION} > {version}")
        assert sight.troubles == []


@pytest.mark.long
async def test_a_begun_form_outlives_a_lost_connection(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **PHONE)
        await open_march(sight)
        words = await sight.page.inner_text(".decide .final")
        visits = await sight.ask("conquest.match.link.visits")
        for guest in pages(app):
            guest.transport.abort()
        await sight.wait(f"conquest.match.link.visits > {visits} && conquest.match.arrived")
        await sight.wait("!conquest.decide.final.hidden && !conquest.decide.final.disabled")
        assert await sight.page.inner_text(".decide .final") == words
        version = await sight.ask(VERSION)
        await sight.page.tap(".decide .final")
        await sight.wait(f"{VERSION} > {version}")


@pytest.mark.long
async def test_what_is_allowed_at_any_time_takes_two_more_gestures(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **PHONE)
        await sight.page.get_by_role("button", name="Other actions").tap()
        await sight.page.locator(".decide .choice", has_text="Grant").first.tap()
        assert await sight.ask("conquest.match.over") is False
        await sight.page.tap(".decide .final")
        await sight.wait("conquest.match.over")
        await sight.page.locator(".decide").wait_for(state="hidden")  # It is drawn a moment after the end arrives.
        assert sight.troubles == []
