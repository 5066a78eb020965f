"""The first screen: what can be done at once, in the order of its urgency."""

from pathlib import Path
from typing import Any, Final

import pytest

from shared.levels import EASY
from shared.messages import Create, Done, Seated, SetBot
from tests.server.fakes import Client
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, begin, browser, serving_games, table_of_bots, web

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

SMALL: Final[dict[str, Any]] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
READY = "document.querySelectorAll('.start [data-game]').length === 3"
PLAYING = "globalThis.conquest?.match?.table?.phase === 1 && conquest.match.seat === 0"
CARDS = (
    "['turns', 'now', 'start', 'going'].map((each) => document.querySelector(`.${each}`))"
    ".map((each) => each.hidden ? null : each.getBoundingClientRect().top)"
)


async def test_two_taps_begin_a_short_match_against_bots_which_waits_on_the_first_screen(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/", **SMALL)
        await sight.wait(READY)
        await sight.press(".start [data-game=mb1984]", touch=True)
        await sight.press(".start .levels button", touch=True)
        await sight.page.wait_for_url("**/watch#*")
        await sight.wait(PLAYING)
        table = await sight.ask(
            "[conquest.match.table.ruleset, conquest.match.table.seats.map((seat) => seat.bot), "
            "conquest.match.table.options.round_limit ?? Object.fromEntries(conquest.match.table.options).round_limit]"
        )
        assert table[0] == "mb1984" and table[1] == ["", EASY, EASY]
        assert await sight.ask("conquest.match.table.seats[0].name") == "Caesar"
        assert table[2] == 8
        await sight.page.goto(f"{web(app)}/")
        await sight.press(".turns a", touch=True)
        await sight.page.wait_for_url("**/watch#*")
        await sight.wait(PLAYING)
        assert sight.troubles == []


@pytest.mark.long
async def test_a_small_screen_shows_the_first_three_without_scrolling(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/", **SMALL)
        await sight.wait(READY)
        await sight.press(".start .levels button", touch=True)
        await sight.page.wait_for_url("**/watch#*")
        await sight.wait(PLAYING)
        await table_of_bots(app, "classic", 4, title="A full table")
        free = await Client(app.address, "Livia").open()
        await free.ask(lambda ref: Create(ref, "cote2", 5, {}, "Livia's table"), Seated)
        await free.ask(lambda ref: SetBot(ref, 1, EASY), Done)
        await begin(await table_of_bots(app, "classic", 2, title="Friday night"))
        await sight.page.goto(f"{web(app)}/")
        await sight.wait(f"{READY} && !document.querySelector('.turns').hidden")
        await sight.page.locator(".now").get_by_role("link", name="Livia's table").wait_for()
        tops = await sight.ask(CARDS)
        assert tops == sorted(tops)
        assert await sight.ask("document.querySelector('.start .levels').getBoundingClientRect().bottom <= innerHeight")
        assert await sight.ask("document.documentElement.scrollWidth <= innerWidth")
        going = await sight.ask("[...document.querySelectorAll('.going b')].map((each) => each.textContent)")
        assert going == ["A full table", "Friday night"]
        assert sight.troubles == []


async def test_nothing_going_on_leaves_a_way_to_begin(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/", **SMALL)
        await sight.wait(READY)
        assert (await sight.ask(CARDS))[0] is None
        await sight.page.get_by_role("button", name="Open a table").first.tap()
        assert await sight.page.locator(".create").get_attribute("open") is not None
        assert await sight.ask("document.activeElement?.name") == "name"
        assert sight.troubles == []
