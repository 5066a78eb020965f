"""A seat's hand on a phone, in a real browser: it shows the seat's view, only reads, survives drops, and ends."""

from pathlib import Path

import pytest

from protocol import codec
from server.connections.server_app import App
from shared.messages import Create, Done, HandShown, Seated, SetBot, ShowHand, Start
from shared.rulesets.registry import RULESETS
from tests.server.fakes import Client
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.support.marks import with_releases
from tests.web.page_harness import Sight, browser, serving_games, web

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM)
SHOTS = Path(__file__).parent.parent / "shots"
READS = "globalThis.conquest?.match?.seat >= 0 && conquest.match.history.moments.length > 0"
PHONE = {"width": 360, "height": 740}


async def playing(app: App, ruleset: str) -> Client:
    """Return a player among bots in a match that has begun."""
    person = await Client(app.address, "Livia").open()
    await person.ask(lambda ref: Create(ref, ruleset, 3, {}, "Friday night", seat=0), Seated)
    for seat in (1, 2):
        await person.ask(lambda ref, seat=seat: SetBot(ref, seat, "normal"), Done)  # type: ignore[misc]
    await person.ask(Start, Done)
    return person


async def code_of(person: Client) -> str:
    shown = await person.ask(ShowHand, HandShown)
    assert isinstance(shown, HandShown)
    return shown.code


@pytest.mark.long
@pytest.mark.timeout(120)
@pytest.mark.parametrize("ruleset", with_releases(RULESETS, "cote2"))
async def test_a_phone_shows_what_the_seat_sees_and_nothing_else(
    ruleset: str, tmp_path: Path, pytestconfig: pytest.Config
) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        person = await playing(app, ruleset)
        sight = await Sight.of(chromium, f"{web(app)}/hand#{await code_of(person)}", **PHONE)
        await sight.wait(READS)
        match = app.lobby.tasks[0].table.match
        assert match is not None
        await sight.wait(f"conquest.match.history.version === {match.version}")
        own = codec.decode_plain(codec.encode(match.rules.view(match.state, 0)))
        assert await sight.ask("conquest.match.history.at(conquest.match.history.version).view") == own
        assert await sight.ask("[conquest.match.seat, conquest.match.history.wrong]") == [0, 0]
        assert await sight.ask("location.hash") == "", "a code that is used up stands nowhere"
        assert await sight.ask("document.documentElement.scrollWidth <= innerWidth"), "it fits the phone"
        words = await sight.ask("document.querySelector('.own').innerText")
        assert "Livia" in await sight.ask("document.querySelector('.hand h1').innerText") and words
        if ruleset == "cote2":
            assert words.count("×") >= 4 and all(len(match.rules.view(match.state, 0).senators[s]) == 1 for s in (1, 2))
        if pytestconfig.getoption("pictures"):
            SHOTS.mkdir(exist_ok=True)
            await sight.page.screenshot(path=str(SHOTS / f"hand_{ruleset}.png"), full_page=True)
        assert sight.troubles == []


@pytest.mark.long
@pytest.mark.timeout(120)
async def test_it_comes_back_by_itself_and_after_a_reload_and_ends_with_the_player_s_word(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        person = await playing(app, "cote2")
        sight = await Sight.of(chromium, f"{web(app)}/hand#{await code_of(person)}", **PHONE)
        await sight.wait(READS)
        table = app.lobby.tasks[0].table
        (first,) = table.audience.readers(0)
        await sight.ask("conquest.match.link.socket.close()")
        await sight.wait("conquest.match.state === 'lost'")
        await sight.wait("conquest.match.state === 'open'")
        await sight.page.reload()
        await sight.wait(READS)
        (last,) = table.audience.readers(0)
        assert last is not first and table.audience.watchers == 0
        assert await sight.ask("conquest.match.seat") == 0
        await person.ask(lambda ref: ShowHand(ref, False), HandShown)
        await sight.wait("conquest.match.closed")
        await sight.wait("document.querySelector('form') !== null")
        assert "no longer shown" in await sight.ask("document.body.innerText")
        assert await sight.ask("[conquest.match.history.moments.length, sessionStorage.length]") == [0, 0]
        assert table.audience.readers(0) == []


@pytest.mark.long
@pytest.mark.timeout(120)
async def test_a_code_is_typed_where_none_stands_in_the_address_and_a_wrong_one_is_told(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        person = await playing(app, "cote2")
        sight = await Sight.of(chromium, f"{web(app)}/hand", **PHONE)
        await sight.page.fill("input", "AAAAAAAA")
        await sight.page.click("button[type=submit]")
        await sight.wait("document.body.innerText.includes('shows no hand')")
        await sight.page.fill("input", (await code_of(person)).lower())
        await sight.page.click("button[type=submit]")
        await sight.wait(READS)
        await sight.page.click(".stop button")
        await sight.wait("document.querySelector('.stop button').innerText.includes('are you sure?')")
        await sight.page.click(".stop button")
        await sight.wait("document.querySelector('form') !== null")
        table = app.lobby.tasks[0].table
        shown = await person.next()
        while not (isinstance(shown, HandShown) and not shown.readers):
            shown = await person.next()
        assert table.audience.readers(0) == [] and not table.record.chairs[0].readers
