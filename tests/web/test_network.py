"""The page over a network that goes and comes back: it notices, and is there again within three seconds."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.async_api import Page

from server.connections.server_app import App
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.support.marks import with_releases
from tests.support.proxy import Opened, Proxy, Serve, proxied
from tests.web.page_harness import Sight, begin, browser, serving_games, table_of_bots, the_table

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]
SOON = 8000
"""Milliseconds after which the page must be back. Three seconds are promised; a busy computer may take longer."""
STEP = 100
VISITS = "conquest.match.link.visits"
STATE = "conquest.match.state"


@asynccontextmanager
async def network(app: App) -> AsyncIterator[tuple[Proxy, str]]:
    """Yield a network between the page and the server, and the address of the page beyond it."""
    there = urlsplit(app.address)
    ports: list[int] = []

    async def listen(serve: Serve) -> asyncio.Server:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        return server

    async def connect() -> Opened:
        return await asyncio.open_connection(there.hostname, there.port)

    async with proxied(listen, connect) as proxy:
        yield proxy, f"http://127.0.0.1:{ports[0]}"


async def passed(sight: Sight, reached: str, most: int) -> int:
    """Let the page's time pass until something is the case; return the milliseconds that it took. The network works in
    real time, so each step leaves it a moment."""
    for gone in range(0, most + 1, STEP):
        for _ in range(20):
            if await sight.ask(reached):
                return gone
            await asyncio.sleep(0.005)
        await sight.page.clock.run_for(STEP)
    raise AssertionError(f"{reached} was not so within {most} ms")


@asynccontextmanager
async def watching(folder: Path) -> AsyncIterator[tuple[Proxy, Page, Sight]]:
    """Yield the network, and a page beyond it that watches a running match. Its clock stands; the test moves it on."""
    async with serving_games(folder, pace=0.05) as app, network(app) as (proxy, place), browser() as chromium:
        host = await table_of_bots(app, "classic", 3, {"round_limit": 50})
        await begin(host)
        page = await chromium.new_page()
        await page.clock.install()
        sight = Sight(page)
        await page.goto(f"{place}/watch#{the_table(host).match}")
        await sight.wait(f"{VISITS} === 1 && conquest.match.history.version > 5")
        await page.clock.pause_at(await sight.ask("Date.now() + 1000"))
        yield proxy, page, sight


async def refuse(proxy: Proxy, sight: Sight) -> None:
    """Cut the connection and let no other through, until the page has noticed."""
    proxy.refusing = True
    proxy.cut()
    await passed(sight, f"{STATE} === 'lost'", 1000)


@pytest.mark.exhaustive
@pytest.mark.parametrize(
    ("seconds", "swallows"),
    [*((seconds, False) for seconds in (1, 4, 8, 60)), *((seconds, True) for seconds in (8, 20, 300))],
)
async def test_a_network_without_a_sign_of_life_costs_three_seconds_after_it_is_back(
    seconds: int, swallows: bool, tmp_path: Path
) -> None:
    """If it `swallows`, packets under way never arrive, and no attempt that was begun meanwhile succeeds."""
    async with watching(tmp_path) as (proxy, page, sight):
        proxy.frozen, proxy.mute, proxy.deaf = not swallows, swallows, swallows
        await page.clock.run_for(seconds * 1000)
        before = await sight.ask("conquest.match.history.version")
        proxy.frozen = proxy.mute = proxy.deaf = False
        await passed(sight, f"{STATE} === 'open' && conquest.match.history.version > {before + 5}", SOON)
        assert await sight.ask("conquest.match.history.wrong") == 0


@pytest.mark.long
@pytest.mark.parametrize("seconds", with_releases([10, 300], 300))
async def test_a_server_that_refuses_for_long_is_found_within_three_seconds_once_it_answers(
    seconds: int, tmp_path: Path
) -> None:
    async with watching(tmp_path) as (proxy, page, sight):
        await refuse(proxy, sight)
        await page.clock.run_for(seconds * 1000)
        assert "The connection is lost" in await page.inner_text(".state")
        proxy.refusing = False
        await passed(sight, f"{STATE} === 'open' && {VISITS} === 2", SOON)


@pytest.mark.long
async def test_when_the_browser_says_that_the_network_is_back_it_comes_at_once(tmp_path: Path) -> None:
    async with watching(tmp_path) as (proxy, page, sight):
        await refuse(proxy, sight)
        await page.clock.run_for(30_000)
        proxy.refusing = False
        await page.clock.run_for(STEP)
        await sight.ask("dispatchEvent(new Event('online'))")
        await page.clock.run_for(300)
        async with asyncio.timeout(60):
            while not await sight.ask(f"{STATE} === 'open'"):  # Now the page's clock stands: no later try helps.
                await asyncio.sleep(0.01)
