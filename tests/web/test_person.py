"""A person at the table is reported, hidden and avoided from the page, by two gestures at their words."""

from pathlib import Path

import pytest

from server.storage.port import DeedKind
from server.tools.admin_actions import Operator
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import browser, serving_games
from tests.web.test_seats import two_at_a_table, write

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)


@pytest.mark.long
async def test_words_are_reported_and_hidden_by_two_gestures(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        ada, bert = await two_at_a_table(chromium, app)
        await write(bert, "You fool")
        await bert.page.get_by_role("button", name="Send").click()
        await ada.wait("document.querySelector('.chronicle .speaker')?.textContent === 'Bert'")
        if not await ada.page.locator(".chronicle .speaker").is_visible():
            await ada.page.get_by_role("button", name="Chronicle").click()
        await ada.page.locator(".chronicle .speaker").click()
        await ada.page.get_by_role("button", name="Report to the operator").click()
        await ada.wait(
            "document.querySelector('dialog[open] [role=status]').textContent.startsWith('The operator gets')"
        )
        (report,) = app.lobby.moderation.reports()
        assert (report.name, report.text) == ("Bert", "You fool") and report.person and report.by
        await ada.page.get_by_role("button", name="Hide what they say").click()
        await ada.wait("conquest.match.hushed.has('Bert')")
        await ada.page.get_by_role("button", name="Never seat me with them").click()
        await ada.wait("conquest.match.blocks.some(({ name, avoid, hide }) => name === 'Bert' && avoid && hide)")
        await ada.page.keyboard.press("Escape")
        await ada.page.reload()
        await ada.wait("globalThis.conquest?.match?.hushed?.has('Bert')")
        await ada.wait_drawn("true")
        assert "You fool" not in await ada.page.inner_text(".chronicle")
        assert await bert.ask("conquest.match.blocks.length") == 0
        await Operator(app, lambda: None).decree(DeedKind.BAN, {"name": "Bert", "why": "Insults"})
        await bert.wait("document.querySelector('header').textContent.includes('for good: Insults')")
        assert ada.troubles == bert.troubles == []
