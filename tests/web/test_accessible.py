"""Screens of the page under axe-core, in both colour schemes; skipped where npm cannot fetch it."""

import contextlib
import shutil
import subprocess
from collections.abc import AsyncIterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Error

from shared.rulesets.registry import RULESETS
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, begin, browser, serving_games, table_of_bots, the_table, until_over, web
from tests.web.page_player import PagePlayer, at_table

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(500)]
PHONE, DESKTOP = (360, 740), (1280, 800)
LOOKS = [
    pytest.param(PHONE, "dark", id="phone-dark"),
    pytest.param(DESKTOP, "light", id="desktop-light", marks=pytest.mark.exhaustive),
    pytest.param(PHONE, "light", id="phone-light", marks=pytest.mark.exhaustive),
    pytest.param(DESKTOP, "dark", id="desktop-dark", marks=pytest.mark.exhaustive),
]
"""Sizes and colour schemes: each once, and for releases all pairs."""
OFTEN = {"classic": [], "mb1984": [], "cote2": ["phone-dark"]}
"""Looks of each game outside of releases. Conquest II has most forms."""


def looks_of(*games: str) -> list[Any]:
    """Return games and looks as parameters; those outside `OFTEN` are tried for releases."""
    return [
        pytest.param(
            *(game, *look.values),
            id=f"{game}-{look.id}",
            marks=[] if look.id in OFTEN[game] else pytest.mark.exhaustive,
        )
        for game in games
        for look in LOOKS
    ]


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
async def test_no_screen_without_a_match_violates_a_rule_of_axe(
    size: tuple[int, int], scheme: str, axe: str, tmp_path: Path
) -> None:
    more: dict[str, Any] = {"color_scheme": scheme, "reduced_motion": "reduce"}
    found = {}
    async with serving_games(tmp_path) as app, browser() as chromium:
        gathering = await table_of_bots(app, "mb1984", 2)
        for place in ("", "hand", f"watch#{the_table(gathering).match}"):
            sight = await Sight.of(chromium, f"{web(app)}/{place}", *size, **more)
            await sight.wait(SHOWN)
            found[place] = await faults(sight, axe)
        lobby = await Sight.of(chromium, f"{web(app)}/", *size, **more)
        await lobby.wait("document.querySelectorAll('.create .games label').length === 3")
        await lobby.ask("document.querySelectorAll('.create, .more').forEach((each) => { each.open = true; })")
        found["form"] = await faults(lobby, axe)
        await lobby.page.get_by_role("button", name="My profile").click()
        found["devices"] = await faults(lobby, axe)
    assert_sound(found)


@pytest.mark.long
@pytest.mark.parametrize(("ruleset", "size", "scheme"), looks_of("classic", "cote2"))
async def test_no_page_of_a_finished_match_violates_a_rule_of_axe(
    ruleset: str, size: tuple[int, int], scheme: str, axe: str, tmp_path: Path
) -> None:
    found = {}
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await table_of_bots(app, ruleset, 3)
        await begin(host)
        await until_over(host)
        more: dict[str, Any] = {"color_scheme": scheme, "reduced_motion": "reduce"}
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}", *size, **more)
        await sight.wait(OVER)
        for panel in ("players", "provinces", "charts"):
            await sight.ask(f"conquest.tabs.show('{panel}')")
            found[panel] = await faults(sight, axe)
    assert_sound(found)


def assert_sound(found: Mapping[str, list[Any]]) -> None:
    """Fail with the screens that violate a rule."""
    assert {place: wrong for place, wrong in found.items() if wrong} == {}


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


@pytest.mark.exhaustive
@pytest.mark.parametrize(("ruleset", "size", "scheme"), looks_of(*RULESETS))
async def test_no_screen_of_a_player_violates_a_rule_of_axe(
    ruleset: str, size: tuple[int, int], scheme: str, axe: str, tmp_path: Path
) -> None:
    more: dict[str, Any] = {"color_scheme": scheme, "reduced_motion": "reduce"}
    found: dict[str, list[Any]] = {}
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        player = await at_table(chromium, app, ruleset, 3, 1, options={}, width=size[0], height=size[1], **more)
        await player.settled()
        found["choices"] = await faults(player.sight, axe)
        for _ in range(4):
            state = await player.settled()
            if not state["open"] and state["choices"]:
                with contextlib.suppress(Error):  # The page may move under the finger.
                    await player.sight.page.locator(".decide .choice").first.click()
        await player.settled()
        found["after choices"] = await faults(player.sight, axe)
        onlooker = await Sight.of(chromium, player.sight.page.url, *size, **more)
        await onlooker.page.get_by_role("button", name="Take a seat").click()
        found["seats"] = await faults(onlooker, axe)
        await open_menu(player.sight)
        found["menu"] = await faults(player.sight, axe)
        await player.sight.page.locator("dialog button", has_text="Rules in short").click()
        await player.sight.page.locator("dialog.rules details").first.wait_for()
        found["rules"] = await faults(player.sight, axe)
        await player.sight.page.keyboard.press("Escape")
        found |= {number: wrong async for number, wrong in decisions(player, axe)}
    assert_sound(found)
