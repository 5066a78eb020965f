"""People take seats in the browser: from a link, back to their seat, from another device, in two windows."""

from pathlib import Path
from typing import Any, Final

import pytest
from playwright.async_api import Browser

from client.language import tongue
from server.connections.server_app import App
from shared.levels import EASY
from shared.messages import Create, Done, Join, Said, Say, Seated, SetBot, TableState
from shared.tables import Away
from tests.server.fakes import Client
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.page_harness import Sight, begin, browser, serving_games, the_table, web, without_storage
from tests.web.test_watching import PHONE, pages

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]
SEAT: Final = "globalThis.conquest?.match?.seat"
PLAYING: Final = "conquest.match.history.moments.length > 0"


async def open_table(
    app: App, seats: int = 2, bots: int = 1, ruleset: str = "classic", options: dict[str, int] | None = None
) -> Client:
    """Return the host of a table that waits for people; the last seats have bots, the host has none."""
    host = await Client(app.address, "Livia").open()
    await host.ask(lambda ref: Create(ref, ruleset, seats, options or {}, "Friday night", seat=-2), Done)
    await host.wait_for(TableState)
    for seat in range(seats - bots, seats):
        await host.ask(lambda ref, seat=seat: SetBot(ref, seat, EASY), Done)  # type: ignore[misc]
    return host


async def sit_down(sight: Sight, name: str) -> None:
    """Type a name and sit down, as a person who has opened the link does."""
    await sight.page.get_by_label("Your name").fill(name)
    await sight.page.get_by_role("button", name="Sit down").click()
    await sight.wait_drawn(f"{SEAT} >= 0")


async def seated(chromium: Browser, app: App, host: Client, name: str = "Ada", **size: Any) -> Sight:
    """Open the link of a table on a fresh profile and sit down."""
    sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).code}", **size)
    await sit_down(sight, name)
    return sight


@pytest.mark.parametrize("size", [{}, pytest.param(PHONE, marks=pytest.mark.long)], ids=["desktop", "phone"])
async def test_a_link_a_name_and_a_button_lead_to_a_seat(size: dict[str, Any], tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app)
        sight = await seated(chromium, app, host, **size)
        assert "Ada" in await sight.page.inner_text(".seats .mine")
        for name, seated_as in (("Livia", "Ada"), ("Ida", "Ida")):
            await sight.page.get_by_role("button", name="Change name").click()
            await sight.page.locator("dialog").get_by_label("Your name").fill(name)
            await sight.page.locator("dialog").get_by_role("button", name="Keep").click()
            wrong = "" if name == seated_as else "Another person has that name"
            await sight.page.wait_for_function(
                "([wrong, name]) => document.querySelector('.seats ~ .wrong').textContent.startsWith(wrong)"
                " && document.querySelector('.seats .mine').textContent.includes(name)",
                arg=[wrong, seated_as],
            )
        await begin(host)
        await sight.wait(f"{PLAYING} && conquest.match.audience === 0")
        assert the_table(host).seats[0].name == "Ida"
        assert "token" not in sight.page.url and sight.troubles == []


@pytest.mark.long
async def test_a_player_returns_without_a_gesture_after_drops_and_reloads(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app)
        sight = await seated(chromium, app, host)
        await begin(host)
        await sight.wait(PLAYING)
        for guest in pages(app):
            guest.transport.abort()
        await sight.wait(f"conquest.match.link.visits > 2 && {SEAT} === 0")
        await sight.page.reload()
        await sight.wait(f"{SEAT} === 0 && {PLAYING} && conquest.match.audience === 0")
        await sight.page.goto(f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait(f"{SEAT} === 0 && {PLAYING}")
        assert sight.troubles == []


@pytest.mark.long
async def test_a_seat_in_two_windows_is_played_in_the_last_one(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app)
        first = await seated(chromium, app, host)
        await begin(host)
        await first.wait(PLAYING)
        second = Sight(await first.page.context.new_page())
        await second.page.goto(first.page.url)
        await second.wait(f"{SEAT} === 0 && {PLAYING}")
        await first.page.get_by_role("button", name="Play here").click()
        await first.wait(f"{SEAT} === 0 && conquest.match.state === 'open'")
        await second.page.get_by_role("button", name="Play here").wait_for()
        assert first.troubles == [] and second.troubles == []


@pytest.mark.long
async def test_the_seat_is_kept_over_a_restart_of_the_server(tmp_path: Path) -> None:
    async with browser() as chromium:
        async with serving_games(tmp_path) as app:
            host = await open_table(app)
            port = int(app.address.rpartition(":")[2])
            sight = await seated(chromium, app, host)
            await begin(host)
            await sight.wait(PLAYING)
        async with serving_games(tmp_path, port=port):
            await sight.wait(f"conquest.match.state === 'open' && conquest.match.link.visits > 2 && {SEAT} === 0")


async def open_form(sight: Sight, name: str = "Ada") -> None:
    """Type a name into the form for a new table, which stands open in wide windows."""
    assert await sight.page.locator(".create").get_attribute("open") is not None
    await sight.page.get_by_label("Your name").fill(name)


@pytest.mark.long
async def test_a_person_plays_against_bots_from_the_page(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/")
        await open_form(sight)
        await sight.page.locator(".create").get_by_text("1984", exact=True).click()
        await sight.page.get_by_label("Players").select_option("4")
        await sight.page.locator(".create").get_by_label("Bots").select_option("easy")
        await sight.page.get_by_role("button", name="Play against bots").click()
        await sight.page.wait_for_url("**/watch#*")
        await sight.wait(f"{SEAT} === 0 && {PLAYING}")
        table = await sight.ask("[conquest.match.table.ruleset, conquest.match.table.seats.map((seat) => seat.bot)]")
        assert table == ["mb1984", ["", "easy", "easy", "easy"]]
        assert sight.troubles == []


@pytest.mark.long
async def test_without_storage_keys_live_as_long_as_the_tab_and_the_page_says_so(tmp_path: Path) -> None:
    async with serving_games(tmp_path / "server") as app, without_storage(tmp_path / "browser") as chromium:
        sight = Sight(await chromium.new_page())
        await sight.page.set_viewport_size({"width": 1280, "height": 800})
        await sight.page.goto(f"{web(app)}/")
        said = "your seats are yours as long as this tab is open"
        assert said in await sight.page.inner_text(".create")
        await open_form(sight)
        await sight.page.get_by_role("button", name="Play against bots").click()
        await sight.wait(f"{SEAT} === 0 && {PLAYING}")
        await sight.page.locator(".home").first.click()
        await sight.page.locator(".tables").first.get_by_text("Your turn").wait_for()
        await open_form(sight)
        await sight.page.get_by_role("button", name="Open a table for friends").click()
        await sight.wait(f"{SEAT} === 0 && conquest.match.table?.host")
        assert "away" not in await sight.page.inner_text(".seats .mine")
        await sight.page.reload()
        await sight.wait(f"{SEAT} === 0")
        assert await sight.page.locator(".sit").is_hidden()
        await sight.page.go_back()
        await sight.page.locator(".tables").first.get_by_text("Your turn").wait_for()
        await sight.page.go_back()
        await sight.wait(f"{SEAT} === 0 && {PLAYING}")
        assert sight.troubles == []


@pytest.mark.long
async def test_a_host_fills_seats_invites_and_begins(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        livia = await Sight.of(chromium, f"{web(app)}/")
        await open_form(livia, "Livia")
        await livia.page.get_by_role("button", name="Open a table for friends").click()
        await livia.page.wait_for_url("**/watch#*")
        await livia.wait(f"{SEAT} === 0")
        link = await livia.page.get_by_label("The link to this table", exact=True).input_value()
        await livia.wait("document.querySelector('.invite img').naturalWidth > 0")
        bert = await Sight.of(chromium, link, **PHONE)
        await sit_down(bert, "Bert")
        await write(bert, "Salve!")
        await bert.page.get_by_role("button", name="Send").click()
        await livia.wait("document.querySelector('.chronicle').textContent.includes('Bert: Salve!')")
        await livia.page.get_by_role("button", name="Fill with bots").click()
        await livia.page.get_by_role("button", name="Start the match").click()
        for sight in (livia, bert):
            await sight.wait(f"{SEAT} >= 0 && {PLAYING}")
            assert sight.troubles == []
        await livia.page.goto(f"{web(app)}/")
        await livia.page.locator(".tables").first.get_by_text("Livia's table").wait_for()


async def two_at_a_table(chromium: Browser, app: App) -> tuple[Sight, Sight]:
    """Return two people who have begun a match, the first on a phone."""
    host = await open_table(app, bots=0)
    ada = await seated(chromium, app, host, "Ada", **PHONE)
    bert = await seated(chromium, app, host, "Bert")
    await begin(host)
    for sight in (ada, bert):
        await sight.wait(PLAYING)
    return ada, bert


async def at_table(sight: Sight, *pressed: str) -> None:
    """Press buttons of the table's window, one after the other."""
    await sight.page.get_by_role("button", name="Table …").click()
    for words in pressed:
        await sight.page.get_by_role("dialog").get_by_role("button", name=words).click()


@pytest.mark.long
async def test_people_at_a_table_vote_end_and_play_again(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        ada, bert = await two_at_a_table(chromium, app)
        await at_table(ada, "Ask for a pause")
        await bert.page.get_by_role("button", name="Yes").click()
        for sight in (ada, bert):
            await sight.wait("document.querySelector('.clock').textContent === 'Paused'")
        await ada.page.locator(".polls").get_by_role("button", name="Ask to go on").click()
        await bert.page.locator(".polls").get_by_role("button", name="No").click()
        await ada.page.locator(".polls").get_by_text("That is not agreed.").wait_for()
        await bert.page.locator(".polls").get_by_role("button", name="Ask to go on").click()
        await ada.page.locator(".polls").get_by_role("button", name="Yes").click()
        await ada.wait("!conquest.match.polls.size && !conquest.match.clock.paused")
        await at_table(ada, "Ask to end", "are you sure?")
        await bert.page.locator(".polls").get_by_role("button", name="No").click()
        ended = ada.page.locator(".polls", has_text="That is not agreed. Against it: Bert.")
        await ended.get_by_role("button", name="Close").click()
        await ada.wait("!conquest.match.polls.size")
        await bert.page.locator(".polls").get_by_role("button", name="Close").click()
        await at_table(bert, "Ask to end", "are you sure?")
        await ada.page.get_by_role("button", name="Yes").click()
        await ada.page.get_by_role("button", name="Play again").click()
        await ada.wait(f"conquest.match.table?.phase === 0 && {SEAT} >= 0")
        await bert.page.get_by_role("link", name="Take your seat").click()
        await bert.wait(f"conquest.match.table?.phase === 0 && {SEAT} >= 0")
        assert ada.troubles == [] and bert.troubles == []


@pytest.mark.long
async def test_who_is_away_is_shown_and_the_others_are_asked(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await Client(app.address, "Livia").open()
        await host.ask(lambda ref: Create(ref, "classic", 2, {}, "Friday night", seat=-2, away=Away.ASK), Done)
        await host.wait_for(TableState)
        ada = await seated(chromium, app, host)
        assert "the others decide what happens" in await ada.page.inner_text(".room")
        bert = await Client(app.address, "Bert").open()
        await bert.ask(lambda ref: Join(ref, the_table(host).match, the_table(host).code), Seated)
        await begin(host)
        await ada.wait(PLAYING)
        bert.cut()
        shown = ada.page.locator(".polls")
        await shown.get_by_text("Bert is away").wait_for()
        assert "Nothing is decided for Bert." in await shown.inner_text()
        await shown.get_by_role("button", name="A bot until they return").click()
        await shown.get_by_text("You ask that a bot plays for Bert.").wait_for()
        await shown.get_by_role("button", name="Wait").click()
        await ada.wait("!document.querySelector('.polls').textContent.includes('Bert is away')")
        assert ada.troubles == []


@pytest.mark.long
async def test_whose_turn_it_is_is_told_while_the_page_is_in_the_background(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sights = await two_at_a_table(chromium, app)
        turn = [sight for sight in sights if await sight.ask("conquest.match.waited")]
        assert len(turn) == 1
        for sight in sights:
            assert (await sight.page.title()).startswith("● Your turn") == (sight in turn)
            icon = await sight.ask("document.querySelector('link[rel=icon]').href.endsWith('/turn.svg')")
            assert icon == (sight in turn)


async def write(sight: Sight, text: str) -> None:
    """Write a line of chat. While the player decides, its field comes when the chronicle has the focus."""
    await sight.page.locator(".chronicle .log").focus()
    await sight.page.get_by_placeholder("Say something").fill(text)


@pytest.mark.long
async def test_a_person_hides_what_another_says(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        ada, bert = await two_at_a_table(chromium, app)
        await write(bert, "See https://example.org/a.")
        await bert.page.get_by_role("button", name="Send").click()
        link = ada.page.locator(".chronicle a[href='https://example.org/a']").first
        assert await link.get_attribute("rel") == "noopener noreferrer"
        await at_table(ada)
        await ada.page.get_by_role("dialog").get_by_role("button", name="Listen", exact=True).click()
        await ada.wait("conquest.match.listens")
        for name, on in (("Listen", "true"), ("Do not listen", "false")):
            button = ada.page.get_by_role("dialog").get_by_role("button", name=name, exact=True)
            assert await button.get_attribute("aria-pressed") == on
        await ada.page.keyboard.press("Escape")
        await at_table(ada, "Report or hide …")
        await ada.page.get_by_role("button", name="Hide what they say").click()
        await ada.wait("conquest.match.hushed.has('Bert')")
        for _ in range(2):
            await ada.page.keyboard.press("Escape")
        for text in ("Vae victis!", "Et tu?"):
            await write(bert, text)
            await bert.page.get_by_role("button", name="Send").click()
            await bert.wait(f"document.querySelector('.chronicle').textContent.includes('{text}')")
        await ada.ask("conquest.match.request('Ping')")
        await ada.wait_drawn("true")
        assert "Bert:" not in await ada.page.inner_text(".chronicle")


@pytest.mark.long
async def test_a_line_that_the_table_did_not_hear_comes_back_to_its_field(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        listener, ada = await two_at_a_table(chromium, app)
        field = ada.page.get_by_placeholder("Say something")

        async def say(text: str) -> None:
            await write(ada, text)
            await field.press("Enter")

        await say("Salve!")
        await listener.wait("document.querySelector('.chronicle').textContent.includes('Salve!')")
        await ada.wait("![...conquest.match.asked.values()].some(({said}) => said)")
        visits = await ada.ask("conquest.match.link.visits")
        await ada.ask("conquest.match.link.socket.send = () => {}")
        await say("Vae victis!")
        assert await field.input_value() == ""
        await ada.ask("conquest.match.link.miss()")
        await ada.wait(f"conquest.match.link.visits > {visits} && conquest.match.arrived")
        assert await field.input_value() == "Vae victis!"
        await ada.page.get_by_text("The server did not answer.").wait_for()
        await ada.ask("conquest.match.state = 'lost'")
        await field.press("Enter")
        assert await field.input_value() == "Vae victis!"
        await ada.ask("conquest.match.state = 'open'")
        await field.press("Enter")
        await listener.wait("document.querySelector('.chronicle').textContent.includes('Vae victis!')")
        assert await field.input_value() == ""


@pytest.mark.long
async def test_who_looks_back_goes_on_where_the_table_has_gone_back_to(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        ada, bert = await two_at_a_table(chromium, app)
        for sight in (ada, bert):
            await sight.ask("conquest.match.load()")
            await sight.wait("conquest.match.history.first === 0 && conquest.match.history.version > 0")
        await bert.page.get_by_role("button", name="A step back").click()
        await at_table(bert, "Ask to go back")
        await ada.page.get_by_role("button", name="Look at that moment").click()
        await ada.page.get_by_role("button", name="Yes").click()
        for sight in (ada, bert):
            await sight.wait("document.querySelector('.bar .live').getAttribute('aria-pressed') === 'true'")
            assert await sight.ask("conquest.match.history.moments.some(({back}) => back)")


@pytest.mark.long
async def test_a_link_to_a_running_match_offers_the_seat_of_a_bot(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app)
        ada = await seated(chromium, app, host)
        await begin(host)
        await ada.wait(PLAYING)
        titus = await Sight.of(chromium, ada.page.url, **PHONE)
        await titus.page.get_by_role("button", name="Take a seat").tap()
        await titus.page.get_by_role("button", name="Ask for this seat").first.tap()
        await titus.page.get_by_role("textbox", name="Your name").fill("Titus")
        await titus.page.get_by_role("button", name="Keep").tap()
        await ada.page.get_by_text("Titus asks to play for").wait_for()
        await ada.page.locator(".polls").get_by_role("button", name="Yes").click()
        await titus.wait(f"{SEAT} === 1 && conquest.match.table.seats[1].name === 'Titus'")
        assert ada.troubles == [] and titus.troubles == []


async def sign_out_the_other_device(sight: Sight, lobby: str, told: str) -> None:
    await sight.page.goto(lobby)
    await sight.page.get_by_role("button", name="My profile").click()
    await sight.page.get_by_text("this device").wait_for()
    await sight.page.get_by_role("button", name="Sign out").click()
    await sight.page.get_by_role("button", name="are you sure?").click()
    await sight.page.get_by_text(told).wait_for()


async def hand_over(giver: Sight, taker: Sight) -> None:
    """Take the profile of one page, which shows a code, to another; both show the list of tables."""
    await giver.page.get_by_role("button", name="My profile").click()
    await giver.page.get_by_role("button", name="Show a code").click()
    await giver.wait("document.querySelector('.big-code').textContent")
    await giver.fill("dialog input", await giver.page.inner_text(".big-code"))
    await giver.page.get_by_role("button", name="Go on").click()
    assert "type it on the other device" in await giver.page.inner_text("dialog")
    await giver.wait("document.querySelector('.big-code')?.textContent.length === 8")
    code = await giver.page.inner_text(".big-code")
    await taker.page.get_by_role("button", name="My profile").click()
    await taker.page.get_by_label("Mail address, or a code").fill(code.lower())
    await taker.page.get_by_role("button", name="Go on").click()
    await taker.page.get_by_text("This device is signed in: you are ").wait_for()
    await taker.page.keyboard.press("Escape")


@pytest.mark.long
async def test_another_device_takes_the_seat_by_the_code_of_the_profile(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app)
        ada = await seated(chromium, app, host)
        await begin(host)
        await ada.wait(PLAYING)
        table = ada.page.url
        await ada.page.goto(f"{web(app)}/")
        phone = await Sight.of(chromium, f"{web(app)}/", **PHONE)
        await hand_over(ada, phone)
        await phone.page.locator(".tables").get_by_text("Friday night").first.wait_for()
        await phone.page.goto(table)
        await phone.wait(f"{SEAT} === 0 && {PLAYING} && conquest.match.audience === 0")
        await ada.page.goto(table)
        await ada.wait(f"{SEAT} === 0")
        await sign_out_the_other_device(phone, f"{web(app)}/", "it can end older ones after a day")
        await phone.page.goto(table)
        await sign_out_the_other_device(ada, f"{web(app)}/", "That device has been signed out.")
        await phone.wait(f"{SEAT} === -1 && conquest.match.table")
        await ada.page.get_by_text("clear this browser's data, a mail address").wait_for()
        await phone.page.goto(f"{web(app)}/")
        await ada.page.goto(f"{web(app)}/")
        await hand_over(ada, phone)
        await ada.ask("localStorage.clear()")
        await ada.page.reload()
        await ada.page.get_by_text("You have no name here yet.").wait_for()
        await hand_over(phone, ada)
        await ada.page.goto(table)
        await ada.wait(f"{SEAT} === 0 && {PLAYING}")
        assert ada.troubles == [] and phone.troubles == []


@pytest.mark.long
async def test_the_rules_in_short_are_read_and_searched(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app, ruleset="cote2", seats=3, options={"march_on": 1, "revolts": 0})
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).code}", **PHONE)
        changed = sight.page.locator(".changed li")
        await changed.first.wait_for()
        assert await changed.all_inner_texts() == ["Marching on after a landing: yes"]
        await sight.page.get_by_role("button", name="Rules in short").click()
        await sight.page.locator("dialog .changed").wait_for()
        assert await sight.page.locator("dialog .changed li").all_inner_texts() == ["Marching on after a landing: yes"]
        chapters = sight.page.locator("dialog details")
        await chapters.first.wait_for()
        many = await chapters.count()
        await sight.page.get_by_label("Search the rules").fill("senat")
        assert 0 < await chapters.count() < many
        assert "senat" in (await chapters.first.inner_text()).lower()
        assert sight.troubles == []


@pytest.mark.long
async def test_refusals_are_told_in_the_language_of_the_reader(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app)
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).code}", locale="de-DE")
        await sight.page.get_by_label("Dein Name").fill("Ada")
        await sight.page.get_by_role("button", name="Platz nehmen").click()
        await sight.wait(f"{SEAT} >= 0")
        refused = await sight.ask("conquest.match.request('Start').then((answer) => answer.text)")
        assert refused == tongue("de").texts["Only the host of the table can do that."]
        assert refused != "Only the host of the table can do that."


@pytest.mark.long
async def test_what_was_said_while_the_connection_was_lost_is_told_after_it(tmp_path: Path) -> None:
    """Once, and behind what was known before."""
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await open_table(app, bots=0)
        ada = await seated(chromium, app, host)
        bert = await Client(app.address, "Bert").open()
        await bert.ask(lambda ref: Join(ref, the_table(host).match, the_table(host).code), Seated)
        await begin(host)
        await ada.wait(PLAYING)
        said = "conquest.match.chat.map(({ text }) => text).filter((text) => text.startsWith('I ')).join()"
        await bert.ask(lambda ref: Say(ref, "I come"), Said)
        await ada.wait(f"{said} === 'I come'")
        await ada.page.context.set_offline(True)
        await ada.ask("conquest.match.link.socket.close()")
        await ada.wait("conquest.match.state !== 'open'")
        await bert.ask(lambda ref: Say(ref, "I wait"), Said)
        await ada.page.context.set_offline(False)
        await ada.wait(f"{said} === 'I come,I wait'")
        await bert.ask(lambda ref: Say(ref, "I go"), Said)
        await ada.wait(f"{said} === 'I come,I wait,I go'")
        assert ada.troubles == [] or all("ERR_INTERNET" in each for each in ada.troubles)
