"""Members on the page: by a mailed code, back on another device, with all data, and gone."""

import asyncio
import json
import re
from pathlib import Path

import pytest

from shared import messages as m
from tests.server.fakes import Client
from tests.server.test_notices import MailServer, mail_server
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, browser, serving_games, web
from tests.web.test_watching import PHONE

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]


async def by_mail(sight: Sight, mails: MailServer, told: str) -> None:
    """Give the address and then the code that was mailed."""
    before = len(mails.got)
    await sight.page.get_by_role("button", name="My profile").click()
    field = sight.page.get_by_label("Mail address, or a code")
    await field.fill("anna@example.org")
    await field.press("Enter")
    await sight.page.get_by_text("A code was sent to anna@example.org").wait_for()
    while len(mails.got) == before:
        mails.came.clear()
        await mails.came.wait()
    found = re.search(r": ([A-Z0-9]{8})", mails.text())
    assert found is not None
    await field.fill(found[1])
    await field.press("Enter")
    await sight.page.get_by_text(told).wait_for()


@pytest.mark.long
async def test_a_person_becomes_a_member_comes_back_elsewhere_and_leaves(tmp_path: Path) -> None:
    async with (
        mail_server() as mails,
        browser() as chromium,
        serving_games(tmp_path, mail=mails.settings, public="play.example.org") as app,
    ):
        anna = await Sight.of(chromium, f"{web(app)}/")
        await anna.page.get_by_role("button", name="Choose a name").click()
        await anna.page.get_by_role("dialog").get_by_role("textbox", name="Your name").fill("Anna")
        await anna.page.get_by_role("button", name="Keep").click()
        await by_mail(anna, mails, "You are Anna here, a member by anna@example.org.")
        phone = await Sight.of(chromium, f"{web(app)}/", **PHONE)
        await by_mail(phone, mails, "This device is signed in: you are Anna here.")
        (person,) = app.lobby.people.all()
        assert (len(person.secrets), person.mail) == (2, "anna@example.org")
        async with anna.page.expect_download() as waiting:
            await anna.page.get_by_role("button", name="My data").click()
        download = await waiting.value
        assert json.loads((await download.path()).read_text())["mail"] == "anna@example.org"
        await anna.page.get_by_role("button", name="Delete me").click()
        await anna.page.get_by_role("button", name="are you sure?").click()
        await anna.page.get_by_text("You have no name here yet.").wait_for()
        # The page is told as soon as the erasure is certain, which is before it is done.
        while app.lobby.people.all():
            await asyncio.sleep(0.01)
        assert (tmp_path / "erased").read_text().split() == [person.person, *person.earlier]
        assert anna.troubles == []
        guest = await Client(app.address, "Anna").open()
        assert (await guest.ask(lambda ref: m.Introduce(ref, b"a" * 32), m.Introduced)).fresh
