"""Table with two browsers, a window and a text client, over lost connections and a killed server."""

import asyncio
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.async_api import Browser, Error

from client.app import App
from client.screens.room import RoomScreen
from tests.client.conftest import at_the_board
from tests.client.screen_steps import remote
from tests.client.test_text_client_match import ServerWithPlayers, decide
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, launched
from tests.web.page_player import COUNTED, PagePlayer, taken
from tests.web.test_watching import PHONE

DROPS = 3
"""Connections that each page loses at most."""
FALL = 6
"""Answers of the text client after which the server is killed."""


async def at_page(chromium: Browser, server: str, code: str, name: str, seed: int, touch: bool) -> PagePlayer:
    """Return a player who sat down at the page."""
    size = PHONE if touch else {"width": 1280, "height": 800}
    sight = await Sight.of(chromium, f"http://{server}/watch#{code}", **size)
    await sight.page.locator(".sit input").fill(name)
    await sight.page.locator(".sit .primary").click()
    await sight.wait("globalThis.conquest?.match?.seat >= 0")
    await sight.ask(COUNTED)
    return PagePlayer(sight, random.Random(seed), touch)


async def play_and_drop(player: PagePlayer, touch: bool) -> None:
    """Play to the end of the match, and lose the connection now and then."""
    drops, gestures = 0, 0
    while not (state := await player.settled())["over"]:
        gestures += 1
        if drops < DROPS and gestures % 4 == 0:
            drops += 1
            await player.sight.ask("conquest.match.link.socket?.close(4999)")
        try:
            await (player.tap(state) if touch else player.type(state))
        except Error as error:
            if "imeout" not in str(error) and "detached" not in str(error):
                raise
    assert drops


async def live(app: App, reached: Callable[[], bool]) -> None:
    """Let the window live until something is the case."""
    async with asyncio.timeout(60):
        while not reached():
            app.on_update(1 / 60)
            await asyncio.sleep(0.01)


async def play_in_window(app: App, chance: random.Random) -> int:
    """Decide in the window until the match is over; return the number of decisions."""
    decisions = 0
    while app.remote.match is None or not app.remote.match.over:
        app.on_update(1 / 60)
        match = app.remote.match
        if match is not None and match.is_mine and (options := match.options()):
            assert match.act(chance.choice(options)) is None
            decisions += 1
        await asyncio.sleep(0.01)
    return decisions


@pytest.mark.exhaustive
@pytest.mark.timeout(500)
@pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)
async def test_browsers_a_window_and_a_text_client_play_one_match_to_its_end(app: App, tmp_path: Path) -> None:
    there = ServerWithPlayers(tmp_path / "server")
    try:
        text = there.sit("Livia")
        await asyncio.to_thread(text.until, "Welcome.")
        text.type("create classic 4 round_limit=2")
        code = (await asyncio.to_thread(text.until, "Code: ")).rpartition(" ")[2].rstrip(".")
        remote(app, there.server, code)
        await live(app, lambda: isinstance(app.screen, RoomScreen))
        async with launched() as chromium:
            pages = [
                await at_page(chromium, there.server.address, code, name, seed, touch)
                for seed, (name, touch) in enumerate((("Ada", True), ("Bert", False)))
            ]
            await asyncio.to_thread(text.until, "Everybody is here")
            text.type("start")
            await asyncio.to_thread(text.until, "The match is going on.")
            await live(app, lambda: at_the_board(app))

            def fall() -> None:
                there.fall()
                text.until("Connected again.")
                text.type("owed")
                text.until("You: ")

            answers, decisions, *_ = await asyncio.gather(
                asyncio.to_thread(decide, text, random.Random(5), {FALL: fall}),
                play_in_window(app, random.Random(7)),
                play_and_drop(pages[0], touch=True),
                play_and_drop(pages[1], touch=False),
            )
            assert answers > FALL and decisions > 0
            await asyncio.to_thread(text.until, " verified.")
            session, match = app.remote.access.session, app.remote.match
            assert session is not None and match is not None and session.mismatches == 0
            for page in pages:
                assert await taken(page, "classic")
                assert await page.sight.ask("conquest.match.history.wrong") == 0
                assert await page.sight.ask("conquest.match.history.version") == match.version
                assert [each for each in page.sight.troubles if "WebSocket" not in each] == []
    finally:
        there.clear()
