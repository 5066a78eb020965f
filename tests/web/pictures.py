"""Draw the README's pictures of the page in a browser: `python -m tests.web.pictures`."""

import asyncio
import tempfile
from io import BytesIO
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.async_api import Browser

from server.connections.server_app import App
from tests.web.page_harness import Sight, begin, browser, serving_games, table_of_bots, the_table, until_over, web

PICTURES: Final = Path(__file__).parents[2] / "client" / "pictures"
BATTLE: Final = "conquest.match.events(v).some((event) => event.kind === 'DiceFell' && event.hits > 1)"
AUCTION: Final = "conquest.match.position(v).top.kind === 'Auction' && conquest.match.position(v).top.bidder >= 0"
"""Conditions that choose a version in the second half of a match."""


async def taken(
    app: App, chromium: Browser, ruleset: str, seats: int, when: str, size: tuple[int, int], scale: int = 1
) -> Image.Image:
    """Return a picture of a match of bots at a certain version."""
    host = await table_of_bots(app, ruleset, seats, {"round_limit": 8} if ruleset == "classic" else {})
    sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}", *size, device_scale_factor=scale)
    await sight.wait("globalThis.conquest?.match?.table?.phase === 0")
    await begin(host)
    await until_over(host)
    await sight.wait("conquest.match.table.phase === 2 && conquest.match.history.moments.length > 1")
    version = await sight.ask(
        "(() => { const last = conquest.match.history.version; "
        f"for (let v = Math.ceil(last / 2); v < last; v++) if ({when}) return v; return 0; }})()"
    )
    await sight.ask(f"conquest.bar.seek({version})")
    await sight.wait(f"document.querySelector('.bar output').textContent.startsWith('{version} /')")
    await sight.ask("Promise.all(document.getAnimations().map((each) => each.finished))")
    return Image.open(BytesIO(await sight.page.screenshot())).convert("RGB")


async def main() -> None:
    """Write both pictures."""
    with tempfile.TemporaryDirectory() as folder:
        async with serving_games(Path(folder)) as app, browser() as chromium:
            large = await taken(app, chromium, "classic", 6, BATTLE, (1280, 800))
            small = await taken(app, chromium, "cote2", 5, AUCTION, (360, 800))
    large.save(PICTURES / "page.jpg", quality=84, optimize=True)
    small.save(PICTURES / "page_phone.jpg", quality=84, optimize=True)


if __name__ == "__main__":
    asyncio.run(main())
