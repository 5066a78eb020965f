"""Debian's Firefox without a window, driven by WebDriver BiDi, which it speaks itself.

Playwright has a Firefox of its own only. This is the part of the protocol that a player by taps needs."""

import asyncio
import json
import re
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from itertools import count
from pathlib import Path
from typing import Any, Final

from playwright.async_api import Error
from websockets.asyncio.client import ClientConnection, connect

from tests.support.browsers import FIREFOX
from tests.web.page_harness import HASTENED, Sight

_LISTENS: Final = re.compile(r"WebDriver BiDi listening on (ws://\S+)")
_LATE: Final = re.compile(r"connection to (the server at )?ws://")
"""Message of Firefox about a connection that the page closed before it was established. A busy computer causes some."""
_MIDDLE: Final = """new Promise((done) => requestAnimationFrame(() => {{
  const each = document.querySelectorAll({selector})[{number}];
  if (!each) return done(null);
  each.scrollIntoView({{block: 'nearest'}});
  const {{x, y, width, height}} = each.getBoundingClientRect(), at = [x + width / 2, y + height / 2];
  done(each.contains(document.elementFromPoint(...at)) ? at : null);
}}))"""
"""The middle of an element; null where it is covered or gone."""


class Firefox:
    """A running Firefox. Requests are answered by number; errors of its pages are noted."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._answers: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self.troubles: list[str] = []

    async def listen(self) -> None:
        """Pass on answers, and note errors and warnings of the pages. A connection that took too long is none; see
        `Sight`."""
        async for told in self._socket:
            message = json.loads(told)
            if message.get("id") in self._answers:
                self._answers.pop(message["id"]).set_result(message)
            elif message.get("method") == "log.entryAdded" and message["params"]["level"] in ("error", "warn"):
                text = str(message["params"]["text"])
                if not _LATE.search(text):
                    self.troubles.append(text)

    async def request(self, method: str, **fields: Any) -> dict[str, Any]:
        """Return the browser's answer to a command of WebDriver BiDi. Raises AssertionError if it fails."""
        number = next(self._numbers)
        self._answers[number] = asyncio.get_running_loop().create_future()
        await self._socket.send(json.dumps({"id": number, "method": method, "params": fields}))
        answer = await self._answers[number]
        assert answer["type"] == "success", answer
        return dict(answer["result"])


@asynccontextmanager
async def firefox() -> AsyncIterator[Firefox]:
    """Start the system's Firefox on a fresh profile and a port that it chooses."""
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as folder:
        (Path(folder) / "user.js").write_text('user_pref("remote.active-protocols", 1);\n', "utf-8")
        process = await asyncio.create_subprocess_exec(
            FIREFOX, "--headless", "--no-remote", "--remote-debugging-port", "0", "--profile", folder,
            stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.DEVNULL, stderr=asyncio.subprocess.PIPE,
        )  # fmt: skip
        tasks: list[asyncio.Task[Any]] = []
        try:
            assert process.stderr is not None
            address = await _address(process.stderr)
            tasks.append(asyncio.create_task(process.stderr.read()))
            async with connect(f"{address}/session", max_size=None, ping_interval=None) as socket:
                browser = Firefox(socket)
                tasks.append(asyncio.create_task(browser.listen()))
                await browser.request("session.new", capabilities={})
                await browser.request("session.subscribe", events=["log.entryAdded"])
                yield browser
        finally:
            for task in tasks:
                task.cancel()
            if process.returncode is None:
                process.terminate()
            await process.wait()


async def _address(lines: asyncio.StreamReader) -> str:
    """Return where the browser listens, which it prints."""
    async for line in lines:
        if found := _LISTENS.search(line.decode(errors="replace")):
            return found[1]
    raise AssertionError("Firefox has ended before it listened")


class FirefoxSight(Sight):
    """A page of Firefox. It has what a player by taps needs, but no `page` of Playwright."""

    def __init__(self, browser: Firefox, context: str) -> None:
        self._browser, self._context = browser, context
        self.troubles = browser.troubles

    @classmethod
    async def opened(cls, browser: Firefox, url: str, width: int, height: int) -> "FirefoxSight":
        """Open that page in a tab of that size."""
        context = (await browser.request("browsingContext.create", type="tab"))["context"]
        viewport = {"width": width, "height": height}
        await browser.request("script.addPreloadScript", functionDeclaration=f"() => {{ {HASTENED} }}")
        await browser.request("browsingContext.setViewport", context=context, viewport=viewport)
        await browser.request("browsingContext.navigate", context=context, url=url, wait="complete")
        return cls(browser, context)

    async def ask(self, words: str) -> Any:
        """Return the value of a JavaScript expression."""
        told = await self._browser.request(
            "script.evaluate", expression=f"Promise.resolve({words}).then((told) => JSON.stringify(told) ?? 'null')",
            target={"context": self._context}, awaitPromise=True,
        )  # fmt: skip
        assert told["type"] == "success", told
        return json.loads(told["result"]["value"])

    async def wait(self, words: str) -> None:
        """Wait until this JavaScript expression is true."""
        async with asyncio.timeout(90):
            look = f"const look = () => ({words}) ? done() : setTimeout(look, 20); look();"
            await self.ask(f"new Promise((done) => {{ {look} }})")

    async def press(self, selector: str, number: int = 0, *, touch: bool = False, patience: float = 30.0) -> None:
        """Tap or click the element of that number. Raises Error if it is covered or gone for so many seconds."""
        middle = _MIDDLE.format(selector=json.dumps(selector), number=number)
        end = time.monotonic() + patience
        while not (place := await self.ask(middle)):
            if time.monotonic() > end:
                raise Error(f"Timeout: {selector} {number} is gone or covered")
        await self.press_at(*place, touch=touch)

    async def press_at(self, x: float, y: float, *, touch: bool = False) -> None:
        """Tap or click a place."""
        steps = [
            {"type": "pointerMove", "x": round(x), "y": round(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        kind = "touch" if touch else "mouse"
        await self._act({"type": "pointer", "id": kind, "parameters": {"pointerType": kind}, "actions": steps})

    async def fill(self, selector: str, text: str) -> None:
        """Type into an empty field."""
        await self.press(selector)
        strokes = [{"type": way, "value": letter} for letter in text for way in ("keyDown", "keyUp")]
        await self._act({"type": "key", "id": "keys", "actions": strokes})

    async def _act(self, source: dict[str, Any]) -> None:
        await self._browser.request("input.performActions", context=self._context, actions=[source])
