"""People at one table, each with a window: taking back, a pause, and a seat that a bot takes."""

from collections.abc import Iterator

import arcade
import pytest
from arcade import key

from client.app import App
from client.player.settings import Settings
from client.screens.table import TableScreen
from client.table.vote_menu import VoteMenu
from protocol import codec
from shared.kernel import engine
from shared.messages import Motion
from shared.rulesets.classic.actions import March
from shared.tables import Matter, SeatKind
from tests.client.conftest import Server, has_begun, until
from tests.client.screen_steps import enter_room, open_table, press, screen_of, table_of


@pytest.fixture
def people(app: App, window: arcade.Window, server: Server) -> Iterator[tuple[App, App]]:
    """Yield two players in a match that has begun; the one who must decide comes first."""
    other = App(window, Settings(name="Marcus"))
    open_table(app, server)
    enter_room(other, server, table_of(app).code)
    until(app, lambda: table_of(app).seats[1].kind == SeatKind.PERSON)
    press(app, "Start the match")
    for each in (app, other):
        until(each, lambda each=each: has_begun(each))  # type: ignore[misc]
    yield (app, other) if board(app).match.is_mine else (other, app)
    other.close()


def board(app: App) -> TableScreen:
    return screen_of(app, TableScreen)


def settled(apps: tuple[App, App], version: int) -> None:
    for each in apps:
        until(each, lambda each=each: board(each).match.version == version and not board(each).match.pending)  # type: ignore[misc]


def march(app: App) -> None:
    """The one whose turn it is marches somewhere."""
    match = board(app).match
    while not any(isinstance(action, March) for action in match.options()):
        assert match.act(engine.default(match.rules, match.view, match.seat)) is None
        until(app, lambda: match.is_mine)
    action = next(action for action in match.options() if isinstance(action, March))
    assert match.act(action) is None


def test_both_see_what_one_takes_back(people: tuple[App, App]) -> None:
    mover, other = people
    match = board(mover).match
    before, view = match.version, codec.encode(match.view)
    march(mover)
    settled(people, before + 1)
    assert match.undoable == 1 and board(other).match.undoable == 0
    words = "Take back: You march from Egyptus to Arabia Petraea: the Caesar with 5 infantry."
    assert board(mover).top.undo.button.words == words and board(other).top.undo.button.words == ""
    board(mover).on_key_press(key.Z, key.MOD_CTRL)
    settled(people, before + 2)
    fields = codec.decode_plain(codec.encode(match.view)), codec.decode_plain(view)
    frames = type(match.view).__struct_fields__.index("frames")
    assert all(now == then for i, (now, then) in enumerate(zip(*fields, strict=True)) if i != frames)
    words = f"{match.name(match.seat)} takes back the last decision."
    for each, line in ((mover, "You take back your last decision."), (other, words)):
        assert line in [shown.words for shown in board(each).top.chronicle.lines]
    assert words in other.toasts.words and words not in mover.toasts.words
    assert board(mover).top.undo.button.words == ""
    march(mover)
    settled(people, before + 3)


def asked(app: App) -> Matter | None:
    """Return the matter of the open vote that a player sees first."""
    poll = board(app).match.voting.foremost(board(app).match.seat)
    return poll.motion.matter if poll is not None else None


def test_a_pause_is_asked_for_agreed_to_and_ended(people: tuple[App, App]) -> None:
    mover, other = people
    board(mover).on_key_press(key.Q, 0)
    menu = board(mover).top.menu
    assert menu.open
    next(entry for entry in menu.page.entries if entry.words == "A pause").action()
    until(other, lambda: board(other).match.voting.foremost(0) is not None)
    until(mover, lambda: board(mover).match.voting.foremost(0) is not None)
    other.on_update(0.1)
    assert board(other).top.layout.ballot.shown and not menu.open
    board(other).on_key_press(key.Y, key.MOD_SHIFT)
    for each in people:
        until(each, lambda each=each: VoteMenu(board(each).match).paused)
    march(mover)
    until(mover, lambda: "The match is paused." in mover.toasts.words)
    board(mover).match.propose(Motion(Matter.GO_ON))
    until(other, lambda: asked(other) is Matter.GO_ON)  # The end of the vote before may come after the pause.
    board(other).match.vote(True)
    until(mover, lambda: not VoteMenu(board(mover).match).paused)
    until(mover, lambda: not board(mover).top.layout.ballot.shown)
    said = [line.words for line in board(mover).top.chronicle.lines]
    assert said.count("That is agreed.") == 2


def test_a_bot_may_take_the_seat_of_who_went_once_they_stay_away(people: tuple[App, App]) -> None:
    mover, stays = people
    seat = board(mover).match.seat
    mover.remote.end()
    until(stays, lambda: table_of(stays).seats[seat].kind == SeatKind.AWAY)
    offers = dict(VoteMenu(board(stays).match).seats())
    board(stays).match.propose(offers[f"A strong bot for {board(stays).match.name(seat)}"])
    awaited = f"Away, and awaited: {board(stays).match.name(seat)}."
    until(stays, lambda: any(awaited in line for line in board(stays).top.layout.ballot.lines))
