"""Pages that stay open while their server is upgraded: they play on, and say when a newer page waits."""

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser

from server.connections.server_app import App
from server.web import site as pages_of
from tests.server.fakes import serving
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, begin, browser, serving_games
from tests.web.test_deciding import DRAFT, open_march
from tests.web.test_page_requests import ask
from tests.web.test_seats import PLAYING, SEAT, open_table, seated

WITH_CHROMIUM: Final = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]
NEWER: Final = "!document.querySelector('.newer').hidden"
MENU: Final = "Table …"


@pytest.fixture
def release(monkeypatch: pytest.MonkeyPatch) -> Callable[[int], str]:
    """Return a function that makes the page another version, and returns its name: its program and its service worker
    get a comment more."""
    plain = pages_of.file_of

    def release(number: int) -> str:
        words = f"// {number}\n".encode()

        def file_of(name: str, data: bytes, *more: Any) -> pages_of.File:
            return plain(name, data + words if name.endswith(".js") else data, *more)

        monkeypatch.setattr(pages_of, "file_of", file_of)
        monkeypatch.setattr(pages_of, "STYLES", ["base"] * number + list(STYLES))
        pages_of.site.cache_clear()
        return pages_of.page_version()

    return release


STYLES: Final = pages_of.STYLES


@pytest.fixture(autouse=True)
def _present_page() -> Any:
    yield
    pages_of.site.cache_clear()


async def test_files_of_an_earlier_page_are_answered_with_the_present_ones(
    tmp_path: Path, release: Callable[[int], str]
) -> None:
    before, now = release(1), release(2)
    assert before != now
    async with serving(tmp_path) as app:
        names = [path.removeprefix(f"/page/{now}/") for path in pages_of.site() if path.startswith("/page/")]
        for name in names:
            status, headers, body = await ask(app.address, f"/page/{before}/{name}")
            assert (status, headers["cache-control"]) == (200, "no-cache")
            assert body == (await ask(app.address, f"/page/{now}/{name}"))[2]
        assert (await ask(app.address, f"/page/{before}/passwd"))[0] == 404


async def two_who_play(chromium: Browser, app: App) -> tuple[Sight, Sight]:
    """Return two people at the first decision of a match: the one who decides, and the other."""
    host = await open_table(app, bots=0)
    both = [await seated(chromium, app, host, name, reduced_motion="reduce") for name in ("Ada", "Bert")]
    await begin(host)
    for sight in both:
        await sight.wait(PLAYING)
    ada, bert = both
    return (ada, bert) if await ada.ask("conquest.match.waited") else (bert, ada)


async def half_a_march(sight: Sight) -> str:
    """Compose a march as far as its last button; return what that says."""
    await sight.wait("conquest.decide.deciding.top?.answer")
    while await sight.ask("conquest.match.position().top.kind") != "Movement":
        await sight.page.locator(".decide .choice").first.click()
        await sight.wait("!conquest.decide.deciding.sending && conquest.decide.deciding.top?.answer")
    await open_march(sight)
    return await sight.page.inner_text(".decide .final")


@pytest.mark.long
async def test_pages_of_the_last_two_versions_play_on_over_an_upgrade(
    tmp_path: Path, release: Callable[[int], str]
) -> None:
    async with browser() as chromium:
        release(1)
        async with serving_games(tmp_path) as app:
            port = int(app.address.rpartition(":")[2])
            oldest, old = await two_who_play(chromium, app)
        release(2)
        async with serving_games(tmp_path, port=port) as app:
            await oldest.wait(f"conquest.match.arrived && {SEAT} >= 0")
            await old.page.reload()
            await old.wait(f"{PLAYING} && {SEAT} >= 0")
            for sight in (oldest, old):
                await sight.wait("conquest.match.state === 'open'")
            words = await half_a_march(oldest)
            await old.page.get_by_role("button", name=MENU).click()
            await old.page.get_by_role("button", name="Ask for a pause").click()
            await oldest.page.locator(".polls").get_by_text("asks for a pause").wait_for()
        now = release(3)
        renewed = asyncio.Event()
        old.page.context.on("serviceworker", lambda _worker: renewed.set())
        async with serving_games(tmp_path, port=port) as app:
            await oldest.wait("conquest.match.state === 'open' && conquest.match.arrived")
            await old.wait_drawn(f"conquest.match.arrived && {NEWER}")
            # The march and the question stand, and the page that composes is not asked to go.
            assert await oldest.ask(f"Boolean({DRAFT})") and not await oldest.ask(NEWER)
            await oldest.wait("!conquest.decide.final.disabled")
            assert await oldest.page.inner_text(".decide .final") == words
            await oldest.page.locator(".polls").get_by_role("button", name="No").click()
            await oldest.page.locator(".polls").get_by_role("button", name="Close").click()
            await oldest.wait("!conquest.match.polls.size")
            await oldest.page.click(".decide .final")
            await oldest.wait_drawn(f"conquest.decide.deciding.steps.length === 1 && {NEWER}")
            for sight in (oldest, old):
                # Rules of the table, all that came before, and the painted map.
                await sight.page.get_by_role("button", name=MENU).click()
                await sight.page.get_by_role("button", name="Rules in short").click()
                await sight.page.locator("dialog.rules details").first.wait_for()
                for _ in range(2):
                    await sight.page.keyboard.press("Escape")
                await sight.ask("conquest.fromBeginning()")
                await sight.wait("conquest.match.history.first === 0 && conquest.at === 0")
                await sight.ask("conquest.bar.toLive()")
                # A page may have looked for the server while there was none.
                assert [trouble for trouble in sight.troubles if "ERR_CONNECTION_REFUSED" not in trouble] == []
            await asyncio.wait_for(renewed.wait(), 30)
            async with old.page.expect_navigation():
                await old.page.get_by_role("button", name="Load it").click()
            await old.wait(f"{PLAYING} && {SEAT} >= 0")
            assert now in await old.ask("document.getElementById('app').dataset.files")
            assert not await old.ask(NEWER)
