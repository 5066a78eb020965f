"""People take seats in the browser: from a link, back to their seat, from another device, in two windows."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser

from server.connections.server_app import App
from shared.levels import EASY
from shared.messages import Create, Done, SetBot
from tests.server.fakes import Client
from tests.web.page_harness import CHROMIUM, NOT_HERE, Sight, begin, browser, serving_games, the_table, web
from tests.web.test_watching import PHONE, pages

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NOT_HERE), pytest.mark.timeout(240)]
SEAT: Final = "globalThis.conquest?.match?.seat"
PLAYING: Final = "conquest.match.history.moments.length > 0"


async def open_table(app: App, seats: int = 2, bots: int = 1, ruleset: str = "classic") -> Client:
    """Return the host of a table that waits for people; the last seats have bots, the host has none."""
    host = await Client(app.address, "Livia").open()
    await host.ask(lambda ref: Create(ref, ruleset, seats, {}, "Friday night", seat=-2), Done)
    for seat in range(seats - bots, seats):
        await host.ask(lambda ref, seat=seat: SetBot(ref, seat, EASY), Done)  # type: ignore[misc]
    return host


async def sit_down(sight: Sight, name: str) -> None:
    """Type a name and sit down, as a person who has opened the link does."""
    await sight.page.get_by_label("Your name").fill(name)
    await sight.page.get_by_role("button", name="Sit down").click()
    await sight.wait(f"{SEAT} >= 0")


async def seated(chromium: Browser, app: App, host: Client, name: str = "Ada", **size: Any) -> Sight:
    """Open the link of a table on a fresh profile and sit down."""
    sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).code}", **size)
    await sit_down(sight, name)
    return sight


@pytest.mark.parametrize("size", [{}, PHONE], ids=["desktop", "phone"])
async def test_a_link_a_name_and_a_button_lead_to_a_seat(size: dict[str, Any], tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app)
        sight = await seated(chromium, app, host, **size)
        assert "Ada" in await sight.page.inner_text(".seats .mine")
        await begin(host)
        await sight.wait(f"{PLAYING} && conquest.match.audience === 0")
        assert the_table(host).seats[0].name == "Ada"
        assert "token" not in sight.page.url and sight.troubles == []


async def test_a_player_returns_without_a_gesture_after_drops_and_reloads(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app)
        sight = await seated(chromium, app, host)
        await begin(host)
        await sight.wait(PLAYING)
        for guest in pages(app):
            guest.transport.abort()
        await sight.wait(f"conquest.match.link.visits > 2 && {SEAT} === 0")
        await sight.page.reload()
        await sight.wait(f"{SEAT} === 0 && {PLAYING} && conquest.match.audience === 0")
        await sight.page.goto(f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait(f"{SEAT} === 0 && {PLAYING}")
        assert sight.troubles == []


async def test_a_seat_in_two_windows_is_played_in_the_last_one(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app)
        first = await seated(chromium, app, host)
        await begin(host)
        await first.wait(PLAYING)
        second = Sight(await first.page.context.new_page())
        await second.page.goto(first.page.url)
        await second.wait(f"{SEAT} === 0 && {PLAYING}")
        await first.page.get_by_role("button", name="Play here").click()
        await first.wait(f"{SEAT} === 0 && conquest.match.state === 'open'")
        await second.page.get_by_role("button", name="Play here").wait_for()
        assert first.troubles == [] and second.troubles == []


async def test_the_seat_is_kept_over_a_restart_of_the_server(tmp_path: Path) -> None:
    async with browser() as chromium:
        async with serving_games(tmp_path) as app:
            host = await open_table(app)
            port = int(app.address.rpartition(":")[2])
            sight = await seated(chromium, app, host)
            await begin(host)
            await sight.wait(PLAYING)
        async with serving_games(tmp_path, port=port):
            await sight.wait(f"conquest.match.state === 'open' && conquest.match.link.visits > 2 && {SEAT} === 0")
