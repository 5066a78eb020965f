"""Speed of the browser page with the processor throttled to a quarter: `python -m tests.bench.bench_page`.

Chromium opens a running match at phone size. Prints one JSON object: milliseconds until the first contentful paint and
until the board stands. `tap_answered_ms`: from a tap until the first picture in which the choices or the lights of the
board are others. `tap_shown_ms`: until the browser had the first picture after the tap on the screen.
`tap_settled_ms`: until the answer of the server is drawn, too. On a busy computer these say little;
`_quarter_cpu_ms`, processor time times four, holds better. The last figures are the share of a core that a hidden page
uses in a match of bots, and the seconds until it reconnects."""

import argparse
import asyncio
import json
import random
import tempfile
import time
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from playwright.async_api import CDPSession

from tests.support.browsers import CHROMIUM
from tests.web.page_harness import Sight, browser, serving_games
from tests.web.page_player import PagePlayer, at_table

QUARTER: Final = 4
"""The processor seems to be so many times slower."""
TOUCH: Final = 2000
"""Microseconds between the beginning of a touch's task and its mark."""
PHONE: Final[dict[str, Any]] = {"width": 360, "height": 740, "is_mobile": True, "has_touch": True}
TIMED: Final = """(() => {
  const {deciding} = conquest.decide, parts = '.decide, .lights, .plans';
  const next = requestAnimationFrame.bind(globalThis);
  let drawing = false;
  const after = (act) => {
    const {port1, port2} = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(null);
  };
  globalThis.requestAnimationFrame = (act) => next((time) => {
    if (!drawing) after(() => { drawing = false; });
    drawing = true;
    act(time);
  });
  const painted = (act) => (drawing ? after(act) : next(() => after(act)));
  globalThis.tap = null;
  new PerformanceObserver((list) => list.getEntriesByName('click').forEach(({startTime, duration}) => {
    if (globalThis.tap && startTime >= globalThis.tap.at) globalThis.tap.shown = duration;
  })).observe({type: 'event', durationThreshold: 16});
  addEventListener('pointerup', (event) => {
    performance.mark('tapped');
    globalThis.tap = {at: event.timeStamp, answered: null, settled: null, shown: null};
  }, {capture: true});
  const look = () => {
    const {tap} = globalThis, idle = !deciding.sending && !deciding.top?.ticket;
    if (!tap || tap.settled !== null) return;
    if (tap.answered === null) painted(() => {
      if (tap.answered === null) performance.mark('answered');
      tap.answered ??= performance.now() - tap.at;
    });
    if (idle) painted(() => { tap.settled ??= performance.now() - tap.at; });
  };
  new MutationObserver((changes) => {
    const seen = ({target}) => (target.closest ? target : target.parentElement)?.closest(parts);
    if (changes.some(seen)) look();
  }).observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true});
})()"""
"""Notes for each tap when the first and the last picture with an answer were painted. `shown` is what the browser tells
(Event Timing, in steps of 8 ms): the time until the first picture after the tap was on the screen."""
SPOT: Final = """([selector, number]) => {
  const element = document.querySelectorAll(selector)[number];
  if (!element) return null;
  element.scrollIntoView({block: 'nearest'});
  const box = element.getBoundingClientRect(), [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  return element.contains(document.elementFromPoint(x, y)) ? [x, y] : null;
}"""
STANDS: Final = """(() => {
  const look = () => (globalThis.conquest?.board?.shown ? (globalThis.stood = performance.now()) : setTimeout(look, 5));
  look();
})()"""
PICTURES: Final = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"
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


class Finger(Sight):
    """A page that is tapped without the driver's own scripts, which take more time than the page."""

    async def press(self, selector: str, number: int = 0, *, touch: bool = False, patience: float = 30.0) -> None:
        """Tap an element in its middle, if it is not covered."""
        if spot := await self.page.evaluate(SPOT, [selector, number]):
            await self.page.evaluate(PICTURES)
            await self.page.touchscreen.tap(*spot)


async def tapped(player: PagePlayer, session: CDPSession, count: int) -> dict[str, float]:
    """Return how long so many taps take until they are answered on a slow processor, and how much work that is."""
    player = PagePlayer(Finger(player.sight.page), player.chance, touch=True)
    chromium = player.sight.page.context.browser
    assert chromium is not None
    await player.sight.ask(TIMED)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": QUARTER})
    times = await taps(player, count)
    await session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
    await chromium.start_tracing(page=player.sight.page, categories=["toplevel", "blink.user_timing"])
    await taps(player, count)
    events = json.loads(await chromium.stop_tracing())["traceEvents"]
    return {
        "taps": len(times),
        **spread("tap_answered_ms", [tap["answered"] for tap in times]),
        **spread("tap_shown_ms", [tap["shown"] for tap in times if tap["shown"] is not None]),
        **spread("tap_settled_ms", [tap["settled"] for tap in times if tap["settled"] is not None]),
        **spread("tap_quarter_cpu_ms", [QUARTER * each for each in work(events)]),
    }


async def taps(player: PagePlayer, count: int) -> list[dict[str, Any]]:
    """Make taps; return for each that was answered the milliseconds until then, until it was shown and until it was
    settled."""
    found = []
    for _ in range(count):
        state = await player.settled()
        if state["over"]:
            break
        await player.sight.ask("globalThis.tap = null")
        await player.tap(state)
        if not await player.sight.ask("Boolean(globalThis.tap)"):
            continue
        await player.settled()
        await player.sight.ask(PICTURES)
        tap = await player.sight.ask("tap")
        if tap["answered"] is not None:
            found.append(tap)
    return found


def work(events: list[dict[str, Any]]) -> list[float]:
    """Return for each tap of a trace the main thread's milliseconds of processor time until the answer was painted."""
    marks = sorted((each["ts"], each["name"]) for each in events if each["name"] in ("tapped", "answered"))
    thread = next((each["pid"], each["tid"]) for each in events if each["name"] == "tapped")
    tasks = [
        (each["ts"], each["tdur"])
        for each in events
        if each["name"] == "ThreadControllerImpl::RunTask" and "tdur" in each and (each["pid"], each["tid"]) == thread
    ]
    return [
        sum(used for at, used in tasks if begin - TOUCH <= at < end) / 1000
        for (begin, first), (end, then) in pairwise(marks)
        if (first, then) == ("tapped", "answered")
    ]


def spread(name: str, found: list[float]) -> dict[str, float]:
    """Return the median of times, and the value that one in ten exceeds."""
    ordered = sorted(found)
    return {name: round(ordered[len(ordered) // 2], 1), f"{name}_9_in_10": round(ordered[len(ordered) * 9 // 10], 1)}


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


async def measure(count: int, seconds: float) -> dict[str, Any]:
    """Measure with so many taps; the hidden page is watched for so many seconds."""
    with tempfile.TemporaryDirectory() as folder:
        async with serving_games(Path(folder), seed=1, pace=0.6) as app, browser() as chromium:
            player = await at_table(chromium, app, "classic", 3, 1, options={}, **PHONE)
            player.chance = random.Random(2)
            session = await player.sight.page.context.new_cdp_session(player.sight.page)
            await session.send("Performance.enable", {"timeDomain": "threadTicks"})
            told: dict[str, Any] = await opened(player, session)
            told |= await tapped(player, session, count)
            told["back_seconds"] = await back(player)
            await player.sight.ask(HIDE)
            before = await busy(session)
            await asyncio.sleep(seconds)
            told["hidden_share_of_a_core"] = round((await busy(session) - before) / seconds, 4)
            return told


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--taps", type=int, default=30, help="how many, twice (default: 30)")
    parser.add_argument("--hidden", type=float, default=30.0, help="seconds for which it is hidden (default: 30)")
    args = parser.parse_args()
    assert CHROMIUM, "no Chromium on this machine"
    print(json.dumps(asyncio.run(measure(args.taps, args.hidden))))


if __name__ == "__main__":
    main()
