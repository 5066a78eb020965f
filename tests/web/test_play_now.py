"""Play now on the page: a wish, the people who wait, and the way to the table that was found."""

from pathlib import Path
from typing import Any, Final

import pytest

from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, browser, serving_games, web

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)

SMALL: Final[dict[str, Any]] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}
READY = "document.querySelectorAll('.start [data-game]').length === 3"


@pytest.mark.long
async def test_two_people_find_each_other_by_taps_and_play(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium, browser() as other:
        anna, bert = await Sight.of(chromium, f"{web(app)}/", **SMALL), await Sight.of(other, f"{web(app)}/", **SMALL)
        for sight in (anna, bert):
            await sight.wait(READY)
        await anna.page.get_by_role("button", name="Find people …").tap()
        await anna.page.get_by_label("Your name").last.fill("Anna")
        for count in ("3", "4", "2"):
            await anna.page.locator("dialog").get_by_role("button", name=count, exact=True).tap()
        await anna.page.get_by_role("button", name="Wait for a table").tap()
        await anna.page.get_by_text("You wait for Classic with 2, an evening.").wait_for()
        await bert.page.get_by_text("1 waits for Classic with 2, an evening").wait_for()
        assert await bert.ask("document.documentElement.scrollWidth <= innerWidth")
        await bert.page.get_by_role("button", name="Wait too").tap()
        await bert.page.get_by_label("Your name").last.fill("Bert")
        for count in ("3", "4", "2"):
            await bert.page.locator("dialog").get_by_role("button", name=count, exact=True).tap()
        await bert.page.get_by_role("button", name="Wait for a table").tap()
        for sight in (anna, bert):
            await sight.page.get_by_role("button", name="I am coming").tap()
        for sight in (anna, bert):
            await sight.page.wait_for_url("**/watch#*")
            await sight.wait("globalThis.conquest?.match?.table?.phase === 1 && conquest.match.seat >= 0")
            assert sight.troubles == []
