"""The page in a real browser: matches of bots are followed to their end, and every digest is right."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from server.connections.guard import GuardedConnection
from server.connections.server_app import App
from shared.board import BOARD
from shared.messages import Create, Say, TableState
from tests.server.fakes import Client
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.support.marks import with_releases
from tests.web.page_harness import (
    Sight,
    begin,
    browser,
    serving_games,
    table_of_bots,
    the_table,
    until,
    until_over,
    web,
)

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]
OPENED = "globalThis.conquest?.match?.table?.phase === 0"
KNOWS_ALL = "conquest.match.table.phase === 2 && conquest.match.history.moments.length > 1"
HISTORY = "(() => { const {version, first, wrong, checked, moments} = conquest.match.history; "
PHONE = {"width": 360, "height": 740, "is_mobile": True, "has_touch": True, "device_scale_factor": 2}
VERSION = "conquest.match.history.version"


def the_match(app: App) -> Any:
    """Return the only match of a server."""
    (task,) = app.lobby.tasks
    return task.table.match


def pages(app: App) -> Iterator[GuardedConnection]:
    """Yield the connections that come from a browser."""
    for guest in tuple(app._admission.guests):
        assert isinstance(guest, GuardedConnection)
        if guest.request is not None and "Origin" in guest.request.headers:
            yield guest


async def history(sight: Sight) -> tuple[int, int, int]:
    """Return the first and last version that the page has, and the number of wrong digests."""
    first, last, wrong = await sight.ask(f"{HISTORY} return [first, version, wrong]; }})()")
    return first, last, wrong


async def shows_version(sight: Sight, version: int) -> None:
    """Wait until the bar shows this version."""
    await sight.wait_drawn(f"document.querySelector('.bar output').textContent.startsWith('{version} /')")


async def fits(sight: Sight) -> bool:
    """Whether nothing reaches over the right edge."""
    return bool(await sight.ask("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.long
@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("mb1984", 2),
        ("classic", 6),
        *(
            pytest.param(*game, marks=pytest.mark.exhaustive)
            for game in (("classic", 2), ("mb1984", 6), ("cote2", 3), ("cote2", 6))
        ),
    ],
)  # fmt: skip
async def test_a_match_is_followed_to_its_end_with_every_digest_right(ruleset: str, seats: int, tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await table_of_bots(app, ruleset, seats)
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait(OPENED)
        await begin(host)
        await until_over(host)
        await sight.wait(KNOWS_ALL)
        assert await history(sight) == (0, the_match(app).version, 0)
        checked, moments = await sight.ask(f"{HISTORY} return [checked, moments.length]; }})()")
        assert checked == moments > 50
        told = [version for version, _event in the_match(app).told(seats, 0)]
        lines = await sight.ask("conquest.match.chronicle(1e9, conquest.who).filter((each) => !each.said).length")
        assert lines >= len(told) - 20
        await sight.wait("document.querySelector('.owed h2').innerText !== 'A moment …'")  # The last dice have fallen.
        assert await fits(sight)
        assert sight.troubles == []


@pytest.mark.long
async def test_it_comes_back_after_drops_and_goes_on_where_it_was(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await table_of_bots(app, "classic", 3)
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait(OPENED)
        await begin(host)
        for drop in range(2):
            await until(host, 40 * (drop + 1))
            await sight.wait(f"{VERSION} > 0 && conquest.match.link.visits === {drop + 1}")
            for guest in pages(app):
                guest.transport.abort()
        await until_over(host)
        await sight.wait(f"{KNOWS_ALL} && conquest.match.link.visits === 3")
        await sight.wait(f"{VERSION} === {the_match(app).version}")
        assert (await history(sight))[2] == 0
        assert sight.troubles == []


@pytest.mark.long
async def test_a_wrong_digest_asks_for_a_new_snapshot(tmp_path: Path) -> None:
    async with serving_games(tmp_path, pace=0.03) as app, browser() as chromium:
        host = await table_of_bots(app, "classic", 4, {"round_limit": 50})
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait(OPENED)
        await begin(host)
        await sight.wait(f"{VERSION} > 10")
        before = await sight.ask(
            "(() => { const moment = conquest.match.history.at(1e9); "
            "moment.view = moment.view.map((field, i) => i === 4 ? [...field, 7] : field); return moment.version; })()"
        )
        await sight.wait(f"conquest.match.history.wrong === 1 && {VERSION} > {before + 5}")
        assert (await history(sight))[2] == 1


@pytest.mark.long
async def test_looking_back_returns_to_the_live_match(tmp_path: Path) -> None:
    async with serving_games(tmp_path, pace=0.05) as app, browser() as chromium:
        host = await table_of_bots(app, "classic", 2, {"round_limit": 50})
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait(OPENED)
        await begin(host)
        await sight.wait(f"{VERSION} > 12")
        bar = sight.page.get_by_role("slider")
        await bar.focus()
        await bar.press("Home")
        await shows_version(sight, 0)
        await bar.press("ArrowRight")
        await shows_version(sight, 1)
        assert "Looking back" in await sight.page.inner_text(".owed")
        await sight.page.get_by_role("button", name="Live").click()
        await sight.wait("!document.querySelector('.owed').textContent.includes('Looking back')")
        assert await sight.ask("conquest.at === null")


@pytest.mark.long
async def test_late_spectators_see_the_whole_film(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await table_of_bots(app, "cote2", 3)
        await begin(host)
        await until_over(host)
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait_drawn("globalThis.conquest?.match?.history.moments.length === 1")
        assert await sight.page.inner_text(".chronicle li:last-child") != ""
        await sight.page.get_by_role("button", name="From the beginning").click()
        await shows_version(sight, 0)
        assert await history(sight) == (0, the_match(app).version, 0)
        await sight.page.get_by_role("button", name="A step forward").click()
        await shows_version(sight, 1)
        last = the_match(app).version
        assert await sight.ask("conquest.match.narration.prompts.size") == last + 1
        told = {version for version, _event in the_match(app).told(3, 0)}
        assert set(await sight.ask("[...conquest.match.narration.lines.keys()]")) >= told != set()
        assert await sight.page.inner_text(".owed h2") not in ("", "A moment …")
        await sight.page.get_by_role("button", name="Play").click()
        await sight.wait("conquest.at > 2")
        await sight.page.get_by_role("button", name="Charts").click()
        await sight.wait("document.querySelectorAll('.charts .curve').length === 9")
        label = await sight.page.locator(".charts svg[role=img]").first.get_attribute("aria-label")
        assert label is not None and "Points: " in label
        assert sight.troubles == []


@pytest.mark.exhaustive
@pytest.mark.parametrize("ruleset", with_releases(["classic", "cote2"], "cote2"))
async def test_a_phone_needs_no_scrolling_to_the_side(ruleset: str, tmp_path: Path) -> None:
    size = {key: PHONE[key] for key in ("width", "height")}
    more = {key: value for key, value in PHONE.items() if key not in size}
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await table_of_bots(app, ruleset, 5, title="A very long title of a table for friends")
        lobby = await Sight.of(chromium, f"{web(app)}/", **size, **more)
        await lobby.wait("document.querySelectorAll('.tables li').length === 1")
        assert await fits(lobby)
        await lobby.page.get_by_role("link", name="A very long title").tap()
        await lobby.page.wait_for_url("**/watch#*")
        await lobby.wait(OPENED)
        assert await fits(lobby)
        await begin(host)
        await until(host, 120)
        await lobby.wait(f"{VERSION} > 100 && document.querySelector('.pieces > g')")
        assert await fits(lobby)
        # Who looks back has a page that stands still; in a match that goes on, what is tapped can move away.
        await lobby.page.get_by_role("button", name="A step back").press("Enter")
        await lobby.page.get_by_role("button", name="Provinces").tap()
        await lobby.page.get_by_text("All provinces and seas in words").tap()
        await lobby.wait("document.querySelectorAll('.places li').length > 3")
        assert await fits(lobby)
        assert lobby.troubles == []


@pytest.mark.long
async def test_keyboard_and_screen_reader_reach_everything(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await table_of_bots(app, "classic", 4)
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait(OPENED)
        await begin(host)
        await until_over(host)
        await sight.wait(f"{KNOWS_ALL} && document.querySelector('.pieces > g')")
        page = sight.page
        reached = set()
        await page.get_by_role("button", name="Larger").press("Enter")  # Nothing is smaller than the whole board.
        await page.get_by_role("button", name="Provinces").press("Enter")
        await page.get_by_role("button", name="Chronicle").press("Enter")
        await page.locator(".board").focus()
        for _ in range(24):
            await page.keyboard.press("Tab")
            reached.add(await sight.ask("document.activeElement.ariaLabel || document.activeElement.innerText"))
        wanted = {"Larger", "Smaller", "The whole board", "From the beginning", "A step back", "Play",
                  "Version of the match", "Speed 1×", "Chronicle", "Provinces"}  # fmt: skip
        assert wanted <= reached
        assert await page.get_by_role("log").get_attribute("aria-live") is not None
        await page.get_by_role("button", name="Provinces").press("Enter")
        await page.get_by_text("All provinces and seas in words").focus()
        await page.keyboard.press("Enter")
        await sight.wait("document.querySelectorAll('.places li').length > 3")
        told = await page.inner_text(".places")
        owned = [BOARD.names[space] for space, owner in enumerate(the_match(app).state.owner) if owner >= 0]
        assert owned and all(f"{name}:" in told for name in owned)


@pytest.mark.long
async def test_new_lines_are_added_to_the_chronicle_and_read_aloud_however_long_it_is(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await table_of_bots(app, "classic", 3)
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait(OPENED)
        await begin(host)
        await sight.wait("conquest.chronicle?.element.isConnected")  # The room before the match has one too.
        line = "{version: 0, words: String(n), seat: -1}"
        # In one go: the match goes on, and shows its own lines as soon as it can.
        seen = await sight.ask(
            f"(() => {{ const lines = [...Array(500)].map((_line, n) => ({line})), n = 500; "
            "conquest.chronicle.show(lines); const first = document.querySelector('.chronicle li:nth-child(3)'); "
            f"conquest.chronicle.show([...lines, {line}]); const said = document.querySelectorAll('.chronicle li'); "
            "const live = document.querySelector('[role=log]').getAttribute('aria-live'); "
            "return [said.length, said[399].textContent, said[1] === first, live]; })()"
        )
        assert seen == [400, "500", True, "polite"]


@pytest.mark.long
async def test_nothing_is_drawn_while_the_page_is_hidden(tmp_path: Path) -> None:
    hide = (
        "(hidden) => { Object.defineProperty(document, 'hidden', {value: hidden, configurable: true}); "
        "document.dispatchEvent(new Event('visibilitychange')); }"
    )
    async with serving_games(tmp_path, pace=0.02) as app, browser() as chromium:
        host = await table_of_bots(app, "classic", 2)
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait(OPENED)
        await begin(host)
        await sight.wait(f"{VERSION} > 10 && document.querySelector('.pieces > g')")
        await sight.page.evaluate(hide, True)
        await sight.ask("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        await sight.ask(
            "(() => { globalThis.drawn = 0; new MutationObserver((all) => { drawn += all.length; })"
            ".observe(document.body, {subtree: true, childList: true, attributes: true, characterData: true}); })()"
        )
        before = await sight.ask(VERSION)
        await sight.wait(f"{VERSION} > {before + 10}")
        assert await sight.ask("drawn") == 0
        await sight.page.evaluate(hide, False)
        await sight.wait("drawn > 0")


@pytest.mark.long
async def test_the_list_is_live_and_a_code_opens_a_closed_table(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/")
        await sight.wait("document.querySelector('.going .state')?.textContent.includes('No match is played')")
        await table_of_bots(app, "classic", 2, title="For everybody")
        await sight.wait("document.querySelector('.lobby').innerText.includes('For everybody')")
        host = await Client(app.address, "Livia").open()
        await host.say(lambda ref: Create(ref, "cote2", 3, {}, "For friends", open=False, seat=-2))
        code = (await host.wait_for(TableState)).code
        await sight.page.get_by_label("Code of a table").fill(code.lower())
        await sight.page.get_by_role("button", name="To the table").click()
        await sight.page.wait_for_url("**/watch#*")
        await sight.wait("globalThis.conquest?.match?.table?.title === 'For friends'")
        assert sight.page.url == f"{web(app)}/watch#{code}"
        await host.say(lambda ref: Say(ref, "Welcome, <b>everybody</b>!"))
        await sight.wait("document.querySelector('.chronicle').textContent.includes('Welcome, <b>everybody</b>!')")
        assert "For everybody" not in await sight.page.inner_text("body")


@pytest.mark.exhaustive
async def test_a_phone_on_its_side_shows_the_whole_map_and_no_button_hides_a_province(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        lobby = await Sight.of(chromium, f"{web(app)}/")
        await lobby.wait("document.querySelector('.going .state')?.textContent.includes('No match is played')")
        assert "Finished matches" not in (await lobby.page.inner_text("body")).title(), "a heading without a list"
        host = await table_of_bots(app, "classic", 2)
        await begin(host)
        for width, height in ((740, 360), (844, 390), (360, 740), (1280, 800)):
            sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}", width, height)
            await sight.wait("globalThis.conquest?.board?.shown && conquest.board.camera.wide > 0")
            seen = await sight.ask(
                "(() => { const box = document.querySelector('.map').getBoundingClientRect(); "
                "const [x, y, wide, high] = conquest.board.camera.seen; "
                "return [box.height, x, y, x + wide, y + high]; })()"
            )
            assert seen[0] <= height and seen[1] <= 0 and seen[2] <= 0 and seen[3] >= 3599 and seen[4] >= 2383
            under = await sight.ask(
                "(() => { const [box] = [...document.querySelectorAll('.zoom button')]"
                ".filter((each) => each.checkVisibility())"
                ".map((each) => each.getBoundingClientRect()); "
                "const land = (x, y) => document.elementsFromPoint(x, y).some((each) => each.matches('.land')); "
                "const map = document.querySelector('.map').getScreenCTM().inverse(); "
                "const corner = new DOMPoint(box.right, box.top).matrixTransform(map); "
                "return [land(box.left, box.top), land(box.right, box.top), land(box.left, box.bottom), "
                "land(box.right, box.bottom), corner.x > 2300 && corner.y < 600]; })()"
            )
            assert under == [False] * 5, f"a province or the title at {width} x {height}"
            assert await sight.page.locator(".zoom button:visible").count() == 1
            await sight.page.get_by_role("button", name="Larger").click()
            assert await sight.page.locator(".zoom button:visible").count() == 3
