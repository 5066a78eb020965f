"""Tables and finished matches of the real client open in the page, with any ids of the server."""

import json
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser

from server.connections.server_app import App
from server.web.operator_pages import read_pages
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, begin, browser, serving_games, table_of_bots, the_table, web
from tests.web.terminal import Terminal, terminal

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]
AT = "globalThis.conquest?.match?.table"
RESULT = "document.querySelector('.ranks')"


def ids(app: App) -> set[str]:
    """Return the ids of all tables of a server."""
    return {task.match for task in app.lobby.tasks}


async def clicked(chromium: Browser, app: App, title: str, **more: Any) -> Sight:
    """Open the table with that title from the list of the page."""
    sight = await Sight.of(chromium, f"{web(app)}/", **more)
    await sight.page.get_by_role("link", name=title).click()
    await sight.wait(f"{AT}?.title === {json.dumps(title)}")
    return sight


async def played(livia: Terminal, *last: str) -> None:
    """Begin a match against a bot and type its last commands."""
    await livia.type("fill easy")
    await livia.until("Everybody is here")
    await livia.type("start")
    await livia.until("You: ")
    for line in last:
        await livia.type(line)
    await livia.until("1. ")


@pytest.mark.long
async def test_a_table_made_with_a_key_opens_from_the_list_while_it_gathers_is_played_and_is_over(
    tmp_path: Path,
) -> None:
    async with browser() as chromium:
        async with (
            serving_games(tmp_path / "data", seed=None) as app,
            terminal(app.address, tmp_path, "Livia") as livia,
        ):
            code = await livia.create("classic 2")
            (match,) = ids(app)
            assert len(match) == 24, "the client makes its tables with a key"
            sight = await clicked(chromium, app, "Livia's table")
            assert await sight.ask(f"{AT}.match") == match
            await sight.wait(f"location.hash === '#{code}'")  # What is copied from the address can be typed.
            await played(livia, "concede to Brutus", "yes")
            await sight.wait(RESULT)
            assert "Dice verified" in await sight.page.inner_text(".owed")
            assert sight.troubles == []
            late = await clicked(chromium, app, "Livia's table")
            await late.wait(RESULT)
            assert await sight.page.inner_text(".ranks") == await late.page.inner_text(".ranks")
        async with serving_games(tmp_path / "data", seed=None) as app:
            past = await clicked(chromium, app, "Livia's table")
            await past.wait(RESULT)
            ranks = (await past.page.inner_text(".ranks")).split("\n")
            assert [line for line in ranks if line in ("1.", "2.", "Livia")] == ["1.", "2.", "Livia"]
            await past.page.get_by_role("button", name="From the beginning").click()
            await past.wait("conquest.match.history.first === 0 && conquest.at === 0")
            assert past.troubles == []


@pytest.mark.long
async def test_a_table_without_a_key_opens_again_after_a_restart_by_its_id_and_by_its_code(tmp_path: Path) -> None:
    async with browser() as chromium:
        async with serving_games(tmp_path / "data", seed=None, pace=0.05) as app:
            host = await table_of_bots(app, "classic", 2, {"round_limit": 50}, title="No key")
            table = the_table(host)
            assert len(table.match) == 12
            await clicked(chromium, app, "No key")
            await begin(host)
        async with serving_games(tmp_path / "data", seed=None, pace=0.05) as app:
            for wish in (table.match, f"%20{table.code[:3].lower()}%20{table.code[3:].lower()}"):
                sight = await Sight.of(chromium, f"{web(app)}/watch#{wish}")
                await sight.wait(f"{AT}?.match === '{table.match}' && conquest.match.history.version > 0")


@pytest.mark.long
async def test_an_agreed_end_is_told_and_the_page_follows_to_the_next_table(tmp_path: Path) -> None:
    async with (
        serving_games(tmp_path / "data", seed=None) as app,
        terminal(app.address, tmp_path, "Livia") as livia,
        browser() as chromium,
    ):
        await livia.create("classic 2")
        (first,) = ids(app)
        sight = await clicked(chromium, app, "Livia's table")
        follower = await clicked(chromium, app, "Livia's table")
        await played(livia, "ask end")
        for page in (sight, follower):
            await page.wait(RESULT)
            assert "Ended by agreement" in await page.page.inner_text(".owed h2")
            assert "decides" not in await page.page.inner_text(".owed")
            assert await page.page.locator(".owes, .phases .now").count() == 0, "nothing is to be decided any more"
        await follower.page.clock.install()
        await livia.type("rematch")
        await sight.wait("document.querySelector('.sequel:not([hidden])')")
        assert "Livia would like to play again." in await sight.page.inner_text(".sequel")
        await sight.page.get_by_role("button", name="Stay here").click()
        await sight.page.get_by_role("link", name="Watch there").click()
        await sight.wait(f"{AT} && {AT}.match !== '{first}' && {AT}.phase === 0")
        (match,) = ids(app) - {first}
        assert await sight.ask(f"{AT}.match") == match
        await follower.page.clock.run_for(25_000)
        await follower.wait(f"{AT}?.match === '{match}'")
        assert sight.troubles == []
        await livia.until("Everybody is here")
        await livia.type("start")
        await sight.wait(f"{AT}.phase === 1 && conquest.match.history.moments.length > 0")


@pytest.mark.long
async def test_a_wrong_code_is_told_beside_a_field_to_try_again(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=None) as app, browser() as chromium:
        host = await table_of_bots(app, "classic", 2)
        code = the_table(host).code
        sight = await Sight.of(chromium, f"{web(app)}/watch#nowhere7")
        field = sight.page.get_by_label("Code of a table")
        await field.wait_for()
        assert "opens no table here" in await sight.page.inner_text("form [role=alert]")
        assert await sight.ask("conquest.match.link.ended")
        assert await field.input_value() == "nowhere7"
        await field.press("Enter")
        await field.wait_for()
        await field.fill(f" {code[:3]} {code[3:]}".lower())
        await sight.page.get_by_role("button", name="To the table").click()
        await sight.wait(f"{AT}?.code === '{code}'")
        assert sight.troubles == []


async def test_the_first_screen_and_the_room_lead_to_the_pages_of_the_operator(tmp_path: Path) -> None:
    pages = read_pages(Path(__file__).parents[2] / "deploy" / "pages")
    async with serving_games(tmp_path, pages=pages) as app, browser() as chromium:
        host = await table_of_bots(app, "classic", 2)
        sight = await Sight.of(chromium, f"{web(app)}/", width=390, height=780)
        room = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).code}", width=390, height=780)
        for each in (sight, room):
            links = each.page.locator(".operator a")
            await links.first.wait_for()
            assert await links.all_inner_texts() == ["Terms", "Privacy", "Contact"]
        async with sight.page.context.expect_page() as opened:
            await sight.press(".operator a", 1)
        page = await opened.value
        await page.get_by_role("heading", name="Privacy").wait_for()
        await page.get_by_role("link", name="Contact").first.click()
        await page.get_by_role("heading", name="Contact").wait_for()
        await page.get_by_role("link", name="CONQUEST").click()
        await page.get_by_role("link", name="Friday night").wait_for()
        assert not sight.troubles + room.troubles
