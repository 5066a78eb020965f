"""A player asks for mails on the page, leaves, and comes back to the decision by the link of the mail."""

import asyncio
import re
from pathlib import Path

import pytest

from shared.tables import SeatKind
from tests.server.test_notices import TO, MailServer, mail_server
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, begin, browser, hasten, serving_games, the_table, web
from tests.web.test_alerts import free_seat

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


async def received(mails: MailServer, count: int) -> str:
    """Return the text of the last mail once so many have come."""
    async with asyncio.timeout(60):
        while len(mails.got) < count:
            mails.came.clear()
            await mails.came.wait()
    return mails.text()


@pytest.mark.long
async def test_a_mail_leads_to_the_decision_and_its_link_ends_mails(tmp_path: Path) -> None:
    async with mail_server() as mails:
        await led(tmp_path, mails)


async def led(folder: Path, mails: MailServer) -> None:
    """Play that from the form to the last page."""
    async with serving_games(folder / "data", mail=mails.settings, public="127.0.0.1") as app, browser() as chromium:
        app.public.change(app.address)
        host = await free_seat(app)
        context = await chromium.new_context(viewport={"width": 800, "height": 900}, timezone_id="Europe/Rome")
        await hasten(context)
        sight = Sight(await context.new_page())
        await sight.page.goto(f"{web(app)}/watch#{the_table(host).code}")
        assert await sight.page.get_attribute("a.program", "href") == (
            f"conquest://{web(app).removeprefix('http://')}/{the_table(host).code}"
        )
        await sight.page.fill("input[name=name]", "Titus")
        await sight.page.click(".sit button[type=submit]")
        await sight.wait("conquest.match.seat === 0")
        await sight.page.click("text=Messages to you")
        await sight.page.fill("input[name=mail]", TO)
        await sight.page.click("dialog button[type=submit]")
        code = re.search(r"there: (\w+)", await received(mails, 1))
        assert code is not None
        await sight.page.fill("input[name=code]", code[1])
        await sight.page.click("dialog button[type=submit]")
        await sight.page.wait_for_selector("text=Saved.")
        assert not sight.troubles
        await sight.page.close()
        while the_table(host).seats[0].kind != SeatKind.AWAY:
            await host.next()
        await begin(host)
        text = await received(mails, 2)
        link = re.search(r"http://\S+/watch#\S+", text)
        stop = re.search(r"http://\S+/stop\?\S+", text)
        assert link is not None and stop is not None and "Conquest of the Empire" in text
        back = Sight(await context.new_page())
        await back.page.goto(link[0])
        await back.wait("conquest.match.seat === 0 && conquest.match.link.greeted")
        await back.page.locator(".own-bar button", has_text="Table …").click()  # Spectators have such a button, too.
        await back.page.click("text=Invite friends …")
        await back.page.wait_for_selector("dialog img")
        assert await back.page.input_value("dialog input") == link[0]
        stranger = await chromium.new_context(java_script_enabled=False)
        page = await stranger.new_page()
        await page.goto(stop[0])
        await page.click("text=No more mails")
        await page.wait_for_selector("text=No more mails are sent")
        while [each for each in await app.store.people() if each.notices and each.notices.settings.mail]:
            await asyncio.sleep(0)


@pytest.mark.long
async def test_notices_are_set_beside_the_list_of_tables(tmp_path: Path) -> None:
    async with (
        mail_server() as mails,
        serving_games(tmp_path, mail=mails.settings, public="127.0.0.1") as app,
        browser() as chromium,
    ):
        sight = await Sight.of(chromium, web(app))
        await sight.page.click("text=Messages to you")
        await sight.page.fill("input[name=mail]", TO)
        assert not await sight.page.locator("dialog select[name=here]").count(), "there is no match"
        await sight.page.select_option("select[name=when]", "always")
        await sight.page.click("dialog button[type=submit]")
        assert re.search(r"there: (\w+)", await received(mails, 1))
        await sight.page.wait_for_selector("input[name=code]")
        (profile,) = await app.store.people()
        assert profile.notices is not None and profile.notices.settings.when == "always"
        assert sight.troubles == []
