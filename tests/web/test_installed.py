"""The page on a device that installs it: its manifest, its icons, and what it says without a network."""

import io
import json
from pathlib import Path

import pytest
from PIL import Image

from client.workshop.page import icons
from server.web.site import site
from tests.server.fakes import serving
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.support.marks import mostly_long_pairs
from tests.web.page_harness import Sight, browser, serving_games, web
from tests.web.test_page_requests import FILES, ask

WITH_CHROMIUM = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)
READY = "navigator.serviceWorker.controller !== null"


async def test_the_page_can_be_installed(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        _, headers, body = await ask(app.address, "/manifest.webmanifest")
        assert headers["content-type"] == "application/manifest+json"
        manifest = json.loads(body)
        assert manifest["display"] == "standalone" and manifest["start_url"] == manifest["scope"] == "./"
        for icon in manifest["icons"]:
            _, headers, data = await ask(app.address, f"/{icon['src']}")
            assert headers["content-type"] == icon["type"]
            image = Image.open(io.BytesIO(data))
            assert f"{image.width}x{image.height}" == icon["sizes"]
        page = site()["/"].plain.decode()
        assert '<link rel="manifest" href="manifest.webmanifest">' in page
        _, headers, _ = await ask(app.address, "/service-worker.js")
        assert headers["content-type"].startswith("text/javascript") and headers["cache-control"] == "no-cache"


def test_icons_show_the_icon_of_the_page() -> None:
    svg = (FILES / "icon.svg").read_text("utf-8")
    for name, image in (("icon-192", icons.drawn(svg, 192)), ("icon-maskable", icons.maskable(svg, 512))):
        kept = Image.open(FILES / f"{name}.png").convert("RGBA")
        assert kept.size == image.size
        for x, y in ((0.5, 0.56), (0.5, 0.3), (0.5, 0.9)):
            at = int(image.width * x), int(image.height * y)
            pairs = zip(kept.getpixel(at), image.getpixel(at), strict=True)  # type: ignore[arg-type]
            assert all(abs(one - other) < 16 for one, other in pairs)


@WITH_CHROMIUM
@pytest.mark.parametrize(
    ("locale", "words"),
    mostly_long_pairs([("en-GB", "No connection"), ("de-DE", "Keine Verbindung")]),
)
async def test_without_a_server_the_page_says_so(tmp_path: Path, locale: str, words: str) -> None:
    async with browser() as chromium:
        async with serving_games(tmp_path) as app:
            sight = await Sight.of(chromium, f"{web(app)}/", locale=locale)
            await sight.wait(READY)
            url = f"{web(app)}/watch#VENI42"
            kept = await sight.ask("caches.keys().then((names) => Promise.all(names.map((n) => caches.open(n))))"
                                   ".then((all) => Promise.all(all.map((each) => each.keys())))"
                                   ".then((all) => all.flat().map((each) => new URL(each.url).pathname))")  # fmt: skip
            assert kept == ["/offline"], "nothing of a match is kept"
            assert not sight.troubles
        page = await sight.page.context.new_page()
        troubles: list[str] = []
        page.on("pageerror", lambda error: troubles.append(str(error)))
        page.on("console", lambda said: troubles.append(said.text) if "Policy" in said.text else None)
        await page.goto(url)
        assert await page.inner_text("h1") == words
        async with page.expect_navigation():
            await page.click("button")
        assert page.url == url and await page.inner_text("h1") == words
        assert troubles == []
