"""Screens of the page under axe-core, in both colour schemes; skipped where npm cannot fetch it."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error

from shared.rulesets.registry import RULESETS
from tests.web.page_harness import (
    CHROMIUM,
    NOT_HERE,
    Sight,
    begin,
    browser,
    serving_games,
    table_of_bots,
    the_table,
    until_over,
    web,
)
from tests.web.page_player import PagePlayer, at_table

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NOT_HERE), pytest.mark.timeout(500)]
PHONE, DESKTOP = (360, 740), (1280, 800)
LOOKS = [
    pytest.param(PHONE, "dark", id="phone-dark"),
    pytest.param(DESKTOP, "light", id="desktop-light"),
    pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.exhaustive),
    pytest.param(DESKTOP, "dark", id="desktop-dark", marks=pytest.mark.exhaustive),
]
"""Sizes and colour schemes: each once, and for releases all pairs."""
TAPS = 20
"""Taps after which a player has met many kinds of decisions."""
OVER = "globalThis.conquest?.match?.table?.phase === 2 && conquest.board.shown"
FAULTS = (
    "axe.run(document, {resultTypes: ['violations']}).then(({violations}) => "
    "violations.map(({id, nodes}) => [id, ...nodes.map(({html}) => html.slice(0, 160))]))"
)


@pytest.fixture(scope="module")
def axe(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return the program of axe-core, fetched into a temporary folder."""
    folder = tmp_path_factory.mktemp("axe")
    command = ["npm", "install", "--no-audit", "--no-fund", "--prefix", str(folder), "axe-core"]
    if not shutil.which("npm") or subprocess.run(command, capture_output=True, timeout=120, check=False).returncode:
        pytest.skip("npm cannot fetch axe-core here")
    return (folder / "node_modules" / "axe-core" / "axe.min.js").read_text("utf-8")


SHOWN = "[...document.querySelectorAll('h1, h2, form')].some((each) => each.checkVisibility())"
"""Whether a screen beside the table is there."""


async def faults(sight: Sight, axe: str) -> list[Any]:
    """Return the violations on a screen that stands still."""
    await sight.ask("Promise.all(document.getAnimations().map((each) => each.finished))")
    await sight.page.evaluate(axe)
    return list(await sight.ask(FAULTS))


@pytest.mark.long
@pytest.mark.parametrize(("size", "scheme"), LOOKS)
async def test_no_screen_violates_a_rule_of_axe(size: tuple[int, int], scheme: str, axe: str, tmp_path: Path) -> None:
    width, height = size
    async with serving_games(tmp_path) as app, browser() as chromium:
        tables = []
        for ruleset, seats in (("classic", 3), ("cote2", 3)):
            host = await table_of_bots(app, ruleset, seats)
            await begin(host)
            await until_over(host)
            tables.append(f"{web(app)}/watch#{the_table(host).match}")
        gathering = await table_of_bots(app, "mb1984", 2)
        places = [f"{web(app)}/", f"{web(app)}/hand", f"{web(app)}/watch#{the_table(gathering).match}", *tables]
        found = {}
        for place in places:
            more = {"color_scheme": scheme, "reduced_motion": "reduce"}
            sight = await Sight.of(chromium, place, width, height, **more)
            await sight.wait(OVER if place in tables else SHOWN)
            for panel in ("players", "provinces", "scale", "charts") if place in tables else ("",):
                if panel:
                    await sight.ask(f"conquest.tabs.show('{panel}')")
                if wrong := await faults(sight, axe):
                    found[place, panel] = wrong
        assert found == {}


async def decisions(player: PagePlayer, axe: str) -> AsyncIterator[tuple[str, list[Any]]]:
    """Yield the violations of each new kind of decision that a player meets in the first taps of a match."""
    seen = set()
    for _ in range(TAPS):
        state = await player.settled()
        if state["over"]:
            return
        kinds = (*sorted(set(state["kinds"])), state["open"])
        if kinds not in seen:
            seen.add(kinds)
            yield f"decision {kinds}", await faults(player.sight, axe)
        with contextlib.suppress(Error):  # The page may move under the finger.
            await player.tap(state)


async def open_menu(sight: Sight) -> None:
    """Open the table's menu."""
    await sight.page.locator(".own-bar button").last.click()
    await sight.page.locator("dialog").wait_for()


@pytest.mark.long
@pytest.mark.parametrize(("size", "scheme"), LOOKS)
async def test_no_screen_of_a_player_violates_a_rule_of_axe(
    size: tuple[int, int], scheme: str, axe: str, tmp_path: Path
) -> None:
    more: dict[str, Any] = {"color_scheme": scheme, "reduced_motion": "reduce"}
    found: dict[object, list[Any]] = {}
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        lobby = await Sight.of(chromium, f"{web(app)}/", *size, **more)
        await lobby.wait("document.querySelectorAll('.create .games label').length === 3")
        await lobby.ask("document.querySelectorAll('.create, .more').forEach((each) => { each.open = true; })")
        found["form"] = await faults(lobby, axe)
        await lobby.page.get_by_role("button", name="Your devices").click()
        found["devices"] = await faults(lobby, axe)
        for ruleset in RULESETS:
            player = await at_table(chromium, app, ruleset, 3, 1, options={}, width=size[0], height=size[1], **more)
            await player.settled()
            found[ruleset, "choices"] = await faults(player.sight, axe)
            for _ in range(4):
                state = await player.settled()
                if not state["open"] and state["choices"]:
                    with contextlib.suppress(Error):  # The page may move under the finger.
                        await player.sight.page.locator(".decide .choice").first.click()
            await player.settled()
            found[ruleset, "after choices"] = await faults(player.sight, axe)
            onlooker = await Sight.of(chromium, player.sight.page.url, *size, **more)
            await onlooker.page.get_by_role("button", name="Take a seat").click()
            found[ruleset, "seats"] = await faults(onlooker, axe)
            await open_menu(player.sight)
            found[ruleset, "menu"] = await faults(player.sight, axe)
            await player.sight.page.locator("dialog button", has_text="Rules in short").click()
            await player.sight.page.locator("dialog.rules details").first.wait_for()
            found[ruleset, "rules"] = await faults(player.sight, axe)
            await player.sight.page.keyboard.press("Escape")
            found |= {(ruleset, number): wrong async for number, wrong in decisions(player, axe)}
    for place, wrong in found.items():
        assert wrong == [], place
