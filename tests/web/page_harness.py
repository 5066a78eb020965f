"""A server with matches of bots, and a browser that looks on."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

from msgspec import structs
from playwright.async_api import Browser, BrowserContext, ConsoleMessage, Page, async_playwright

from protocol.limits import Rates
from server.archive.film_builder import FilmWorker
from server.connections.admission import GENEROUS
from server.connections.server_app import App, Settings
from server.rate_limits import Rate
from server.tools.demo import decide_here
from shared.levels import NORMAL
from shared.messages import Create, Done, Frame, SetBot, Start, TableState
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase
from tests.server.fakes import Client
from tests.support.browsers import CHROMIUM

SHORT: Final[dict[str, dict[str, int]]] = {
    "classic": {"round_limit": 4},
    "mb1984": {"round_limit": 4},
    "cote2": {},
}
"""Options of matches that are soon over, as far as there are any."""


@asynccontextmanager
async def serving_games(data: Path, **changed: Any) -> AsyncIterator[App]:
    """Start a server of all games on a free port, whose bots think in its own process."""
    settings = Settings(
        data=data, port=0, seed=7, pace=0.0, limits=GENEROUS, rates=Rates(1e9, 1e9), talk=Rate(1e9, 1e9)
    )
    studio = FilmWorker()
    app = await App.start(structs.replace(settings, **changed), RULESETS, decide_here, make=studio)
    try:
        yield app
    finally:
        await app.stop()
        await studio.close()


async def table_of_bots(
    app: App, ruleset: str, seats: int, options: Mapping[str, int] | None = None, title: str = "Friday night"
) -> Client:
    """Return the host of a table that has not begun, with bots on all seats; the host has no seat."""
    host = await Client(app.address, "Livia").open()
    chosen = dict(SHORT[ruleset] if options is None else options)
    await host.ask(lambda ref: Create(ref, ruleset, seats, chosen, title, seat=-2), Done)
    for seat in range(seats):
        await host.ask(lambda ref, seat=seat: SetBot(ref, seat, NORMAL), Done)  # type: ignore[misc]
    return host


def the_table(host: Client) -> TableState:
    """Return the table as the host knows it."""
    return next(message for message in reversed(host.seen) if isinstance(message, TableState))


async def begin(host: Client) -> None:
    """Start the match."""
    await host.ask(Start, Done)


async def until(host: Client, version: int) -> None:
    """Wait until that version, or the end."""
    while True:
        message = await host.next()
        if isinstance(message, Frame) and message.version >= version:
            return
        if isinstance(message, TableState) and message.phase is TablePhase.OVER:
            return


async def until_over(host: Client) -> None:
    """Wait for the end of the match."""
    while the_table(host).phase is not TablePhase.OVER:
        await host.next()


class Shared:
    """The browser of all tests of a process, since its start takes longer than most of them.

    It starts with the first test that needs it."""

    def __init__(self) -> None:
        self.loop: asyncio.AbstractEventLoop | None = None
        self.browser: Browser | None = None

    @asynccontextmanager
    async def during_session(self) -> AsyncIterator[None]:
        """Share a browser among the tests that run on this loop."""
        self.loop = asyncio.get_running_loop()
        async with contextlib.AsyncExitStack() as stack:
            self.stack = stack
            yield
            self.loop = self.browser = None

    async def found(self) -> Browser:
        """Return the browser, started again if it has crashed."""
        if self.browser is None or not self.browser.is_connected():
            self.browser = await self.stack.enter_async_context(launched())
        return self.browser


SHARED: Final = Shared()


@asynccontextmanager
async def launched() -> AsyncIterator[Browser]:
    """Start the system's Chromium without a window."""
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        try:
            yield found
        finally:
            with contextlib.suppress(Exception):
                await found.close()


@asynccontextmanager
async def browser() -> AsyncIterator[Browser]:
    """Yield the browser that tests share. The pages that a test has opened are closed with it."""
    if SHARED.loop is not asyncio.get_running_loop():
        async with launched() as own:
            yield own
        return
    found = await SHARED.found()
    try:
        yield found
    finally:
        with contextlib.suppress(Exception):
            await asyncio.gather(*(context.close() for context in found.contexts))


def web(app: App) -> str:
    """Return the page's address without the last slash."""
    return "http" + app.address.removeprefix("ws")


HASTENED: Final = "addEventListener('DOMContentLoaded', () => { document.documentElement.dataset.settling = 0; })"
"""Lets a page take presses of what is new at once, since tests press as soon as something is there."""


async def hasten(context: BrowserContext) -> None:
    """Let the context's pages take presses of what is new at once."""
    await context.add_init_script(HASTENED)


class Sight:
    """A page of the browser, with its errors and warnings."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.troubles: list[str] = []
        page.on("console", self._note)
        page.on("pageerror", lambda error: self.troubles.append(error.stack or str(error)))

    def _note(self, said: ConsoleMessage) -> None:
        """Note errors and warnings. A connection that took too long is none: the computer is busy, and the page tries
        again."""
        if said.type in ("error", "warning") and "closed before the connection is established" not in said.text:
            self.troubles.append(said.text)

    @classmethod
    async def of(cls, browser: Browser, url: str, width: int = 1280, height: int = 800, **more: Any) -> "Sight":
        """Open that page in a window of that size."""
        context = await browser.new_context(viewport={"width": width, "height": height}, **more)
        await hasten(context)
        sight = cls(await context.new_page())
        await sight.page.goto(url)
        return sight

    async def ask(self, words: str) -> Any:
        """Return the value of a JavaScript expression."""
        return await self.page.evaluate(words)

    async def wait_drawn(self, words: str) -> None:
        """Wait until this JavaScript expression is true and drawn: a change of the model is drawn with the next
        frame, so what the page says is read after it."""
        await self.wait(words)
        await self.ask("new Promise((done) => requestAnimationFrame(done))")

    async def press(self, selector: str, number: int = 0, *, touch: bool = False, patience: float = 30.0) -> None:
        """Tap or click the element of that number. Raises Error if it is covered or gone for so many seconds."""
        place = self.page.locator(selector).nth(number)
        most = 1000 * patience
        await (place.tap(timeout=most) if touch else place.click(timeout=most))

    async def press_at(self, x: float, y: float, *, touch: bool = False) -> None:
        """Tap or click a place."""
        await (self.page.touchscreen.tap(x, y) if touch else self.page.mouse.click(x, y))

    async def fill(self, selector: str, text: str) -> None:
        """Type into an empty field."""
        await self.page.locator(selector).fill(text)

    async def wait(self, words: str) -> None:
        """Wait until this JavaScript expression is true. The page itself polls: its security policy forbids the
        driver's way, which compiles strings to programs."""
        look = f"const look = () => ({words}) ? done() : setTimeout(look, 20); look();"
        async with asyncio.timeout(90):
            await self.page.evaluate(f"() => new Promise((done) => {{ {look} }})")


@asynccontextmanager
async def without_storage(folder: Path) -> AsyncIterator[BrowserContext]:
    """Start a Chromium whose settings forbid pages to store anything, as those who block all cookies set it."""
    settings = folder / "Default" / "Preferences"
    settings.parent.mkdir(parents=True)
    settings.write_text('{"profile": {"default_content_setting_values": {"cookies": 2}}}', "utf-8")
    async with async_playwright() as playwright:
        found = await playwright.chromium.launch_persistent_context(
            folder, executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"]
        )
        await hasten(found)
        try:
            yield found
        finally:
            await found.close()
