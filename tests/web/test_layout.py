"""Layout of the page: targets for fingers, parts beside each other, and what stays in sight."""

import contextlib
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Error

from shared.rulesets.registry import RULESETS
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, browser, serving_games, the_table, web
from tests.web.page_player import PagePlayer, at_table, sit_down, waiting_table

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]
PHONE: Final[dict[str, Any]] = {
    "width": 360, "height": 740, "is_mobile": True, "has_touch": True, "reduced_motion": "reduce"
}  # fmt: skip
TAPS: Final = 16
"""Taps after which a player has met choices and forms."""
FAULTS: Final = """(() => {
  const named = (each) => `${each.tagName}.${each.className} ${(each.ariaLabel || each.innerText || '').slice(0, 30)}`;
  const controls = document.querySelectorAll('a[href], button, input, select, summary, [role=spinbutton]');
  const small = [...controls].filter((each) => each.checkVisibility() && !each.closest('p, li > span'))
    .filter((each) => {
    const target = ['checkbox', 'radio'].includes(each.type) ? each.closest('label') : each;
    const {width, height} = target.getBoundingClientRect();
    return width < 43.9 || height < 43.9;
    });
  const wide = [...document.querySelectorAll('body *')].filter((each) => each.checkVisibility()
    && !each.closest('.board, .bar, .hidden, .words') && each.getBoundingClientRect().right > innerWidth + 1);
  return [...small, ...wide].map(named);
})()"""
"""Controls that are too small for fingers, and what reaches over the right edge."""


HEADER: Final = "document.querySelector('.top').offsetHeight"
LINES: Final = """(() => {
  const log = document.querySelector('.chronicle .log');
  return log.clientHeight / parseFloat(getComputedStyle(log.querySelector('span')).lineHeight);
})()"""
"""Lines of the chronicle for which there is room."""


async def faults(sight: Sight, screen: str, found: dict[str, list[str]]) -> None:
    """Note the faults of the screen that is shown."""
    await sight.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    if wrong := await sight.ask(FAULTS):
        found[screen] = wrong


async def forms(player: PagePlayer, found: dict[str, list[str]]) -> None:
    """Note the faults of the decisions of the first taps of a match. The question is in sight above each form."""
    for tap in range(TAPS):
        state = await player.settled()
        if state["over"]:
            return
        await faults(player.sight, f"decision {tap}", found)
        assert await player.sight.page.locator(".owed h2").is_visible()
        with contextlib.suppress(Error):  # The page may move under the finger.
            await player.tap(state)
    await player.settled()


@pytest.mark.long
@pytest.mark.parametrize("ruleset", RULESETS)
async def test_fingers_reach_every_control_of_every_screen_of_a_phone(ruleset: str, tmp_path: Path) -> None:
    found: dict[str, list[str]] = {}
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        lobby = await Sight.of(chromium, f"{web(app)}/", **PHONE)
        await lobby.wait("document.querySelectorAll('.create .games label').length === 3")
        await lobby.ask("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
        await faults(lobby, "first screen", found)
        host = await waiting_table(app, ruleset, 3, {})
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).code}", **PHONE)
        await sight.wait("document.querySelector('.sit input')")
        await faults(sight, "room", found)
        player = await sit_down(host, sight, 3, touch=True)
        await forms(player, found)
        panels = await sight.ask(
            "[...conquest.tabs.buttons].flatMap(([name, {button}]) => button.hidden ? [] : [name])"
        )
        for panel in panels:
            await sight.ask(f"(conquest.tabs.show('{panel}'), conquest.tabs.stretch(true))")
            await sight.ask("document.querySelectorAll('.panel details').forEach((each) => { each.open = true; })")
            await faults(sight, panel, found)
            assert await sight.page.locator(".polls .turn").is_visible()
        await sight.ask("(conquest.tabs.stretch(false), conquest.people.openTable())")
        assert await sight.page.locator("dialog .polls .turn").is_visible()
        await faults(sight, "menu", found)
        await sight.page.get_by_role("button", name="Rules in short").tap()
        await sight.page.locator("dialog.rules details").first.wait_for()
        await faults(sight, "rules", found)
        await sight.ask("document.querySelectorAll('dialog').forEach((each) => each.close())")
        await sight.wait("document.querySelector('.dock .polls')")
        await sight.ask("conquest.people.propose(4)")
        await sight.wait("conquest.match.over && document.querySelector('.ranks')")
        for panel in ("", "players", "charts"):
            await sight.ask(f"conquest.tabs.show('{panel}')")
            await faults(sight, f"end {panel}", found)
        assert found == {}
        assert sight.troubles == []


BROKEN: Final = """(() => {
  document.body.style.setProperty('overflow-wrap', 'normal');
  const cut = [...document.querySelectorAll('.decide :is(.choice, .option) span, .decide .final, .over')]
    .filter((each) => each.checkVisibility() && each.scrollWidth > each.clientWidth + 1 && each.clientWidth > 1);
  document.body.style.removeProperty('overflow-wrap');
  return cut.map((each) => each.innerText);
})()"""
"""Words that only a break inside of them fits into their buttons."""
CUT: Final = (
    "document.querySelector('.panel-players').scrollHeight > document.querySelector('.panel-players').clientHeight + 1"
)
TOLD: Final = """(() => {
  const {dock, decide} = conquest, {top, bottom} = dock.getBoundingClientRect();
  const more = dock.scrollHeight - dock.clientHeight - dock.scrollTop > 12;
  const inside = [decide.others, decide.ask].every((each) => decide.deep || each.hidden
    || (each.getBoundingClientRect().top >= top && each.getBoundingClientRect().bottom <= bottom));
  return more === dock.classList.contains('more') && inside
    && dock.clientHeight > innerHeight * (innerHeight < 700 ? .4 : .5);
})()"""
"""The dock has room, says when more stands below its edge, and keeps advice and other actions in sight."""
REFUSED: Final = """(() => {
  conquest.people.why.hidden = false;
  conquest.people.why.textContent = 'The dice have fallen since then, so this cannot be taken back any more.';
})()"""


@pytest.mark.long
@pytest.mark.parametrize("height", [680, 800])
async def test_parts_of_a_wide_window_stand_beside_each_other(height: int, tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        player = await at_table(chromium, app, "cote2", 4, 3, options={}, reduced_motion="reduce", height=height)
        sight = player.sight
        await player.settled()
        assert await sight.page.locator(".stage .dealing").is_hidden(), "the auction does not cover the map"
        assert "Auction" in await sight.page.locator(".strip").inner_text()
        high, lasts = await sight.ask(HEADER), set()
        for _ in range(TAPS):
            state = await player.settled()
            assert await sight.ask(LINES) >= (3 if height == 800 else 1)
            assert not await sight.ask(CUT) and await sight.ask(BROKEN) == []
            await sight.wait(TOLD)
            parts = ("dock", "panel-players", "tabs", "chronicle")
            boxes = [await sight.page.locator(f".beside .{part}").bounding_box() for part in parts]
            ends = [(box["y"], box["y"] + box["height"]) for box in boxes if box]
            assert all(end <= begin for (_, end), (begin, _) in pairwise(ends)) and ends[-1][1] <= height
            if state["open"] and (box := await sight.page.locator(".decide .final").bounding_box()):
                lasts.add(round(box["y"] + box["height"]))
            with contextlib.suppress(Error):  # The page may move under the finger.
                await player.tap(state)
        assert max(lasts) - min(lasts) <= 2, "the last button stays where it is"
        await sight.ask("conquest.header.say('The connection is lost; trying again …')")
        assert await sight.page.locator(".top .state").is_visible()
        await sight.ask(REFUSED)
        assert await sight.ask(HEADER) == high
        assert sight.troubles == []


@pytest.mark.long
async def test_the_header_of_a_phone_keeps_its_height_and_its_menu(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        player = await at_table(chromium, app, "classic", 3, 3, **PHONE)
        sight = player.sight
        await player.settled()
        high, menu = await sight.ask(HEADER), sight.page.get_by_role("button", name="Table …")
        for more in (
            "conquest.header.say('The connection is lost; trying again …')", REFUSED,
            "(Object.assign(conquest.match, {undo: 0, fresh: false}), conquest.people.show())",
        ):  # fmt: skip
            await sight.ask(more)
            box = await menu.bounding_box()
            assert box and box["x"] + box["width"] <= PHONE["width"] and await sight.ask(HEADER) == high, more
        assert await sight.ask("document.querySelector('.top .state').scrollWidth <= innerWidth")


async def end_movement(sight: Sight) -> None:
    """Make the first decision of a turn. A press on a button that has just moved does not count, so press again.

    Others may have played before: the first player is drawn by lot.
    """
    begun = await sight.ask("conquest.match.history.version")
    while await sight.ask("conquest.match.history.version") == begun:
        with contextlib.suppress(Error):
            await sight.press(".decide :is(.choice:has-text('End'), .final:enabled)", touch=True, patience=1)
    await sight.wait("conquest.match.waited && !conquest.decide.deciding.sending")


UNDONE: Final = "(() => { const {match} = conquest; return match.lastDeed(conquest.who); })()"


@pytest.mark.long
async def test_the_undo_of_a_phone_says_what_goes_and_returns_to_what_happens_now(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        player = await at_table(chromium, app, "classic", 3, 3, **PHONE)
        sight = player.sight
        await player.settled()
        await end_movement(sight)
        await sight.wait(f"{UNDONE} !== ''")  # Words come behind the frames.
        deed, before = await sight.ask(UNDONE), await sight.ask("conquest.match.history.version")
        assert deed
        await sight.ask("(Object.assign(conquest.match, {undo: 0, fresh: false}), conquest.lookAt(1))")
        await sight.page.locator(".asks").tap()
        dialog = sight.page.locator("dialog[open]")
        assert deed in await dialog.inner_text()
        assert await sight.ask("document.documentElement.scrollWidth <= innerWidth")
        await dialog.get_by_role("button", name="Undo").tap()
        await sight.wait(f"conquest.match.history.version > {before} && conquest.at === null")
        assert sight.troubles == []


@pytest.mark.long
async def test_a_bid_is_whole_at_twice_the_size(tmp_path: Path) -> None:
    """A window of 1280x800 has 640x400 pixels of the page at 200 %."""
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        player = await at_table(chromium, app, "cote2", 4, 3, options={}, width=640, height=400)
        sight = player.sight
        bids = sight.page.locator(".decide .choice", has_text="Bid")
        state = await player.settled()
        while not await bids.count():
            await player.tap(state)
            # Counted before that, a choice may be one of the decision that is just being answered.
            state = await player.settled()
        await bids.first.click()
        await player.settled()
        row = await sight.page.locator(".decide .steps").first.bounding_box()
        assert row and row["x"] + row["width"] <= 640
        await sight.ask("(conquest.tabs.show('points'), conquest.tabs.stretch(true))")
        # The panel glides up, so both places are measured at once, until they are right.
        places = (
            "['.taller', '.panel-points table'].map((each) => document.querySelector(each).getBoundingClientRect())"
        )
        await sight.wait(f"(() => {{ const [button, table] = {places}; return button.bottom <= table.top + 2; }})()")


BEGUN: Final = """(() => {
  const {match, board} = conquest;
  const {bar} = conquest, go = bar.go;
  bar.gone = [];
  bar.go = (version) => { bar.gone.push(version); go(version); };
  board.glided = [];
  board.glideTo = (spaces) => board.glided.push(...spaces);
  match.history.at(1).events.push([2, 0, 5, 6, [], [1, 0, 0], false]);
  match.narration.since = [[1, match.narration.lines.get(1)[0]]];
  conquest.show();
})()"""
"""Tell of a march as what happened since the turn."""


@pytest.mark.long
async def test_a_line_of_what_happened_plays_it_where_it_was_and_the_bar_of_a_phone_fits(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        player = await at_table(chromium, app, "classic", 3, 3, **{**PHONE, "width": 390, "height": 844})
        sight = player.sight
        await player.settled()
        await end_movement(sight)
        await sight.ask(BEGUN)
        await sight.page.locator(".since summary").tap()
        await sight.page.locator(".since li button").tap()
        await sight.wait("conquest.bar.gone.includes(1) && conquest.board.glided.includes(6)")
        await sight.ask("(conquest.bar.toLive(), conquest.tabs.show('provinces'), conquest.tabs.stretch(true))")
        await sight.page.locator(".places li").first.wait_for()
        assert await sight.page.locator(".chosen-words").is_hidden(), "the map is covered"
        await sight.ask("(conquest.tabs.stretch(false), conquest.tabs.show('chronicle'), conquest.lookAt(1))")
        live = await sight.page.locator(".bar .live").bounding_box()
        assert live and live["x"] + live["width"] <= 390 - 6
        assert sight.troubles == []


FOUGHT: Final = """(() => {
  const [began, retreated, ended] = [[4, 5, 0, 1], [8, 1, 5, 6, [], [1, 0, 0]], [9, 5, 0]];
  conquest.match.history.at(conquest.match.history.version).events.push(began, retreated, ended);
  conquest.drawn = null;
  conquest.show();
})()"""
"""Tell that a battle has ended in which the other side fell back."""


@pytest.mark.long
async def test_the_plate_of_a_battle_speaks_to_the_reader_and_tells_a_retreat(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        player = await at_table(chromium, app, "classic", 3, 3, **PHONE)
        sight = player.sight
        await player.settled()
        await sight.ask(FOUGHT)
        words = await sight.page.locator(".battle").inner_text()
        assert "You attack" in words and "You win." in words and "fell back to " in words
        await sight.page.locator(".battle").tap()
        await sight.page.locator(".battle").wait_for(state="detached")
        await sight.page.get_by_role("button", name="Other actions").tap()
        grant = sight.page.locator(".decide .choice", has_text="Grant").first
        name = (await grant.inner_text()).split()[-3]
        await grant.tap()
        await sight.page.locator(".decide .final").tap()
        await sight.page.locator(".players small", has_text=f"grants {name} the victory").wait_for(state="attached")
        assert sight.troubles == []
