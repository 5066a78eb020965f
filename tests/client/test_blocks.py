"""Reports and blocks in the client: what is hidden, and two clicks at words or at a name."""

import msgspec
import pytest

from client.app import App
from client.network.blocks import Blocks
from client.screens.ask import AskScreen
from client.screens.room import RoomScreen
from client.screens.table import TableScreen
from protocol import codec
from protocol.session import ClientSession
from shared import messages as m
from shared.tables import SeatKind
from tests.client.conftest import Server, Shoot, has_begun, until
from tests.client.screen_steps import (
    arrive,
    click,
    join_room,
    labels,
    match_of,
    open_table,
    press,
    screen_of,
    seat_kind,
    start_match,
)


@pytest.fixture
def sent() -> list[m.ClientMessage]:
    """Messages that were sent."""
    return []


@pytest.fixture
def blocks(sent: list[m.ClientMessage]) -> Blocks:
    """The list of a client that is at a table."""
    return Blocks(ClientSession("Anna"), lambda data: sent.append(codec.decode_client(data)))


def test_the_server_says_who_is_hidden_at_this_table(blocks: Blocks, sent: list[m.ClientMessage]) -> None:
    blocks.block("Titus", avoid=False, hide=True)
    (asked,) = sent
    assert isinstance(asked, m.Block) and (asked.name, asked.avoid, asked.hide) == ("Titus", False, True)
    assert blocks.hear(m.Blocks(asked.ref, (m.Blocked("Titus", False, True),), ("Titus",)))
    assert blocks.hidden == {"Titus"} and blocks.wishes("Titus").hide and not blocks.wishes("Gaius").hide
    assert blocks.hear(m.Blocks(0, (m.Blocked("Titus", False, True),), ("Titus", "Titus (2)")))
    assert blocks.hidden == {"Titus", "Titus (2)"}
    assert not blocks.hear(m.Said(0, "Titus", "Hello"))


def test_a_person_without_a_profile_is_hidden_on_this_device(blocks: Blocks, sent: list[m.ClientMessage]) -> None:
    for hide in (True, False):
        blocks.block("Guest", avoid=False, hide=hide)
        asked = sent[-1]
        assert isinstance(asked, m.Block)
        assert blocks.hear(m.Refused(asked.ref, "no-person", "", ""))
        assert blocks.hidden == ({"Guest"} if hide else set())
    blocks.block("Guest", avoid=False, hide=True)
    asked = msgspec.structs.replace(sent[-1])
    assert isinstance(asked, m.Block)
    blocks.hear(m.Refused(asked.ref, "rate", "", ""))
    assert not blocks.hidden


def test_a_report_has_the_moment(blocks: Blocks, sent: list[m.ClientMessage]) -> None:
    blocks.report("Titus", "You fool", 7, "He insults me.")
    (asked,) = sent
    assert isinstance(asked, m.Report) and (asked.words, asked.version, asked.why) == ("You fool", 7, "He insults me.")


def say(app: App, words: str) -> None:
    app.remote.send(m.Say(app.remote.ref(), words))


@pytest.mark.long
def test_a_person_is_reported_by_two_clicks_in_the_room(app: App, other: App, server: Server, shoot: Shoot) -> None:
    open_table(app, server)
    join_room(other, server.address, match_of(app).table.code)  # type: ignore[union-attr]
    seat_kind(app, 1, SeatKind.PERSON)
    say(app, "Hello")
    say(other, "You fool")
    room = arrive(app, RoomScreen, when=lambda: any(line.text == "You fool" for line in match_of(app).chat))
    shoot(app, "room_with_words")
    spots = {line.text: rect for rect, line in room._log._spots}
    click(app, spots["Hello"].x, spots["Hello"].y)
    assert app.screen is room, "nothing can be done about oneself"
    click(app, spots["You fool"].x, spots["You fool"].y)
    assert screen_of(app, AskScreen).question.title == "Marcus" and "“You fool”" in labels(app)
    shoot(app, "room_about_a_person")
    press(app, "Report to the operator")
    until(app, lambda: any("operator gets your report" in words for words in app.toasts.words))
    press(app, "Report …")
    assert screen_of(app, AskScreen).question.title == "Marcus"
    press(app, "Hide what they say")
    until(app, lambda: match_of(app).blocks.hidden == {"Marcus"})


@pytest.mark.long
def test_words_and_names_at_the_table_lead_to_the_choices_about_a_person(
    app: App, other: App, server: Server, shoot: Shoot
) -> None:
    open_table(app, server)
    join_room(other, server.address, match_of(app).table.code)  # type: ignore[union-attr]
    seat_kind(app, 1, SeatKind.PERSON)
    match = start_match(app)
    until(app, lambda: has_begun(app))
    say(other, "You fool")
    say(other, "Again")
    top = arrive(app, TableScreen, when=lambda: any(line.text == "Again" for line in match.chat)).top
    shoot(app, "table_with_words")
    rect = next(rect for rect, line in top.chronicle._spots if line.text == "You fool")
    top.pointer.move(rect.x, rect.y)
    assert top.pointer.tip() == "Click to report Marcus, or to hide what they say."
    click(app, rect.x, rect.y)
    assert top.menu.open and top.menu.page.title == "Marcus"
    shoot(app, "table_about_a_person")
    (entry,) = [entry for entry in top.menu.page.entries if entry.words == "Report to the operator"]
    entry.action()
    assert not top.menu.open
    until(app, lambda: any("operator gets your report" in words for words in app.toasts.words))
    own, theirs = top.side.roster._rows()
    click(app, own.x, own.y)
    assert not top.menu.open
    click(app, theirs.x, theirs.y)
    assert top.menu.open and top.menu.page.title == "Marcus"
    top.menu.back()
    assert not top.menu.open, "without a way through the other pages"
