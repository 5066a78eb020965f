"""The page alerts a player who looks elsewhere, or has closed it: from the button to the alert that is shown."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser, BrowserContext

from server.connections.server_app import App, Push
from server.webhooks.push_key import new_key, read_key
from shared.levels import NORMAL
from shared.messages import Create, Done, SetBot
from shared.tables import SeatKind
from tests.server.fakes import Client
from tests.server.test_push import CONTACT, Device, check_signature
from tests.server.test_webhooks import Receiver, receiver
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, begin, browser, hasten, serving_games, the_table, web

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)
OWN_LOOP = pytest.mark.asyncio(loop_scope="function")
"""The receiver is a fixture on the loop of one test, so such a test has a browser of its own."""

__all__ = ["receiver"]
OFFER: Final = "Tell me when it is my turn"
REACHED: Final = "in all your matches here"
SUBSCRIPTION: Final = """
const KEYS = %s;
const made = {
  endpoint: %s, options: {},
  getKey: (name) => Uint8Array.from(KEYS[name]).buffer,
  unsubscribe: async () => { globalThis.kept = null; return true; },
};
PushManager.prototype.getSubscription = async () => globalThis.kept ?? null;
PushManager.prototype.subscribe = async (options) => {
  made.options = options;
  globalThis.asked = [options.userVisibleOnly, [...options.applicationServerKey]];
  return globalThis.kept = made;
};
"""
"""The browser's push service is on the internet: in its place the page gets a subscription of the test."""


@asynccontextmanager
async def alerting(folder: Path) -> AsyncIterator[App]:
    """Start a server that alerts devices."""
    new_key(folder / "push.pem")
    async with serving_games(folder / "data", push=Push(folder / "push.pem", CONTACT, loopback=True)) as app:
        yield app


async def free_seat(app: App) -> Client:
    """Return the host of a table with a bot and a free seat."""
    host = await Client(app.address, "Livia").open()
    await host.ask(lambda ref: Create(ref, "classic", 2, {"round_limit": 4}, "Friday night", seat=-2), Done)
    await host.ask(lambda ref: SetBot(ref, 1, NORMAL), Done)
    return host


async def seated(chromium: Browser, app: App, host: Client, script: str, **more: Any) -> Sight:
    """Return the page of a player who has just sat down."""
    context = await chromium.new_context(viewport={"width": 800, "height": 900}, **more)
    await context.add_init_script(script)
    await hasten(context)
    sight = Sight(await context.new_page())
    await sight.page.goto(f"{web(app)}/watch#{the_table(host).code}")
    await sight.page.fill("input[name=name]", "Titus")
    await sight.page.click(".sit button[type=submit]")
    await sight.wait_drawn("conquest.match.seat === 0")
    return sight


async def shown(context: BrowserContext, app: App, data: str) -> list[dict[str, Any]]:
    """Hand an alert to the service worker as the browser would; return what is shown then."""
    await hasten(context)
    sight = Sight(await context.new_page())
    tools = await context.new_cdp_session(sight.page)
    registered: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def note(told: dict[str, Any]) -> None:
        for each in told["registrations"]:
            if not registered.done():
                registered.set_result(each["registrationId"])

    tools.on("ServiceWorker.workerRegistrationUpdated", note)
    await sight.page.goto(f"{web(app)}/")
    await tools.send("ServiceWorker.enable")
    deliver = {"origin": web(app), "registrationId": await registered, "data": data}
    await tools.send("ServiceWorker.deliverPushMessage", deliver)
    found: list[dict[str, Any]] = []
    while not found:
        found = await sight.ask(
            "navigator.serviceWorker.ready.then((r) => r.getNotifications())"
            ".then((all) => all.map(({ title, body, tag, lang, data }) => ({ title, body, tag, lang, data })))"
        )
    return found


@pytest.mark.long
@OWN_LOOP
async def test_a_player_who_has_closed_the_page_is_alerted(tmp_path: Path, receiver: Receiver) -> None:
    device = Device(receiver)
    keys = {"p256dh": [*device.record.p256dh], "auth": [*device.record.auth]}
    script = SUBSCRIPTION % (json.dumps(keys), json.dumps(device.record.endpoint))
    async with alerting(tmp_path) as app, browser() as chromium:
        host = await free_seat(app)
        sight = await seated(chromium, app, host, script, locale="de-DE", permissions=["notifications"])
        await sight.page.click("text=Sag mir, wenn ich am Zug bin")
        await sight.wait("conquest.alert.device.reached")
        key = read_key(tmp_path / "push.pem", CONTACT)
        assert await sight.ask("asked") == [True, [*key.public]]
        assert not sight.troubles
        await sight.page.close()
        while the_table(host).seats[0].kind != SeatKind.AWAY:
            await host.next()
        await begin(host)
        async with asyncio.timeout(60):
            await receiver.asked.wait()
        ((headers, data),) = receiver.heard
        check_signature(headers["Authorization"], key, f"http://127.0.0.1:{receiver.port}")
        told = device.reads(data)
        assert told["title"] == "Du bist am Zug bei „Friday night“" and told["link"] == f"/watch#{the_table(host).code}"
        (note,) = await shown(sight.page.context, app, json.dumps(told))
        assert note == {
            "title": told["title"], "body": told["body"], "tag": the_table(host).match, "lang": "de",
            "data": {"link": told["link"]},
        }  # fmt: skip


@pytest.mark.long
@OWN_LOOP
async def test_alerts_end_where_the_player_says_so(tmp_path: Path, receiver: Receiver) -> None:
    device = Device(receiver)
    keys = {"p256dh": [*device.record.p256dh], "auth": [*device.record.auth]}
    script = SUBSCRIPTION % (json.dumps(keys), json.dumps(device.record.endpoint))
    async with alerting(tmp_path) as app, browser() as chromium:
        host = await free_seat(app)
        sight = await seated(chromium, app, host, script, permissions=["notifications"])
        await sight.page.click(f"text={OFFER}")
        await sight.page.wait_for_selector(f"text={REACHED}")
        await sight.page.click("text=No more")
        await sight.page.wait_for_selector(f"text={OFFER}")
        await sight.wait("kept === null")
        (person,) = [each for each in await app.store.people() if each.name == "Titus"]
        while person.pushes:
            (person,) = [each for each in await app.store.people() if each.name == "Titus"]
        assert not sight.troubles


@pytest.mark.long
async def test_the_page_says_what_needs_tls(tmp_path: Path) -> None:
    script = "Object.defineProperty(globalThis, 'isSecureContext', { value: false });"
    async with alerting(tmp_path) as app, browser() as chromium:
        sight = await seated(chromium, app, await free_seat(app), script)
        assert "need TLS (https)" in await sight.page.inner_text(".room")
        assert not await sight.page.is_visible(f"text={OFFER}")


@pytest.mark.long
@pytest.mark.parametrize(("answer", "words"), [("default", "did not allow"), ("denied", "blocks notifications")])
async def test_the_page_says_that_the_browser_forbids_alerts(answer: str, words: str, tmp_path: Path) -> None:
    script = f"""Notification.requestPermission = async () => {{
        Object.defineProperty(Notification, 'permission', {{ value: '{answer}' }}); return '{answer}'; }};
        Object.defineProperty(Notification, 'permission', {{ value: 'default', configurable: true }});"""
    async with alerting(tmp_path) as app, browser() as chromium:
        sight = await seated(chromium, app, await free_seat(app), script)
        await sight.page.click(f"text={OFFER}")
        await sight.page.wait_for_selector(f"text={words}")
        assert not sight.troubles
