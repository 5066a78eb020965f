"""Speed of the browser page with the processor throttled to a quarter: `python -m tests.bench.bench_page`.

Chromium opens a running match at phone size. Prints one JSON object: milliseconds until the first contentful paint and
until the board stands; milliseconds from taps to the next paint, unthrottled, by the browser's own event timing. On a
busy computer these say little; the figures of processor time, times four, hold there, too. The last
figures are the share of a core that a hidden page uses in a match of bots, and the seconds until it reconnects."""

import asyncio
import contextlib
import json
import random
import tempfile
import time
from pathlib import Path
from typing import Any, Final

from playwright.async_api import CDPSession, Error

from tests.web.page_harness import CHROMIUM, browser, serving_games
from tests.web.page_player import PagePlayer, at_table

QUARTER: Final = 4
"""The processor seems to be so many times slower."""
TAPS: Final = 60
HIDDEN: Final = 30.0
"""Seconds for which the hidden page is watched."""
PHONE: Final[dict[str, Any]] = {"width": 360, "height": 740, "is_mobile": True, "has_touch": True}
TIMED: Final = """(() => {
  globalThis.taps = [];
  new PerformanceObserver((list) => {
    for (const {name, duration} of list.getEntries()) if (name === 'click') taps.push(duration);
  }).observe({type: 'event', durationThreshold: 16});
})()"""
STANDS: Final = """(() => {
  const look = () => (globalThis.conquest?.board?.shown ? (globalThis.stood = performance.now()) : setTimeout(look, 5));
  look();
})()"""
PAINTED: Final = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
HIDE: Final = """(() => {
  Object.defineProperty(document, 'hidden', {value: true, configurable: true});
  document.dispatchEvent(new Event('visibilitychange'));
})()"""


async def busy(session: CDPSession) -> float:
    """Return the processor seconds that the page's main thread has used, whatever else the computer does."""
    told = await session.send("Performance.getMetrics")
    return float(next(each["value"] for each in told["metrics"] if each["name"] == "TaskDuration"))


async def opened(player: PagePlayer, session: CDPSession) -> dict[str, float]:
    """Return how long opening the page again takes."""
    page = player.sight.page
    await page.add_init_script(STANDS)
    await page.reload()
    await player.sight.wait("globalThis.stood > 0")
    used = await busy(session)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": QUARTER})
    await page.reload()
    await player.sight.wait("globalThis.stood > 0")
    await player.sight.wait(f"{PAINTED} > 0")
    painted, stood = await player.sight.ask(PAINTED), await player.sight.ask("stood")
    return {
        "painted_ms": round(painted),
        "board_ms": round(stood),
        "board_quarter_cpu_ms": round(1000 * QUARTER * used),
    }


async def tapped(player: PagePlayer, session: CDPSession) -> dict[str, float]:
    """Return how long taps take to the next paint."""
    await player.sight.ask(TIMED)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    used = 0.0
    for _ in range(TAPS):
        state = await player.settled()
        if state["over"]:
            break
        before = await busy(session)
        with contextlib.suppress(Error):  # The page may move under the finger.
            await player.tap(state)
        await player.sight.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        used += await busy(session) - before
    found = sorted([*await player.sight.ask("taps"), 0])
    quarter = round(1000 * QUARTER * used / TAPS, 1)
    return {"tap_median_ms": found[len(found) // 2], "tap_most_ms": found[-1], "tap_quarter_cpu_ms": quarter}


async def back(player: PagePlayer) -> float:
    """Return the seconds from the network's return until the table is here again."""
    context, sight = player.sight.page.context, player.sight
    await context.set_offline(True)
    await sight.ask("conquest.match.link.miss()")
    await sight.wait("conquest.match.state === 'lost'")
    await asyncio.sleep(5)
    visits = await sight.ask("conquest.match.link.visits")
    began = time.monotonic()
    await context.set_offline(False)
    await sight.wait(f"conquest.match.link.visits > {visits} && conquest.match.arrived")
    return round(time.monotonic() - began, 2)


async def main() -> None:
    """Measure."""
    with tempfile.TemporaryDirectory() as folder:
        async with serving_games(Path(folder), seed=1, pace=0.6) as app, browser() as chromium:
            player = await at_table(chromium, app, "classic", 3, 1, **PHONE)
            player.chance = random.Random(2)
            session = await player.sight.page.context.new_cdp_session(player.sight.page)
            await session.send("Performance.enable", {"timeDomain": "threadTicks"})
            told: dict[str, Any] = await opened(player, session)
            told |= await tapped(player, session)
            told["back_seconds"] = await back(player)
            await player.sight.ask(HIDE)
            before = await busy(session)
            await asyncio.sleep(HIDDEN)
            told["hidden_share_of_a_core"] = round((await busy(session) - before) / HIDDEN, 4)
            print(json.dumps(told), flush=True)


if __name__ == "__main__":
    assert CHROMIUM, "no Chromium on this machine"
    asyncio.run(main())
