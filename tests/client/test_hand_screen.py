"""Hand on a phone: the player shows the code, another device reads along, and the player ends it."""

import pytest

from client.app import App
from client.network.model import MatchModel
from client.player.settings import Settings
from client.player.table_options import TableOptions
from client.screens.hand import HandScreen
from client.screens.table import TableScreen
from client.text_client.text_program import TextProgram
from protocol.links import page_of
from shared.actions.name_lookup import Misread
from shared.messages import HandShown, ReadHand, Reading
from shared.tables import TablePhase
from tests.client.conftest import Server, Shoot, at_the_board, until
from tests.client.screen_steps import begin_with_bot, match_of, open_table, press, screen_of, table_of

ENTRY = "My hand on a phone …"


def begun(app: App, server: Server) -> MatchModel:
    open_table(app, server)
    return begin_with_bot(app)


def entries(app: App) -> dict[str, object]:
    menu = screen_of(app, TableScreen).top.menu
    menu.show()
    return {entry.words: entry.action for entry in menu.page.entries}


def test_a_player_shows_the_hand_on_a_phone_and_ends_it(app: App, other: App, server: Server, shoot: Shoot) -> None:
    """The other program stands for a page in the browser of a phone."""
    model = begun(app, server)
    entries(app)[ENTRY]()  # type: ignore[operator]
    assert isinstance(app.screen, HandScreen)
    until(app, lambda: model.hand is not None and model.hand.code)
    shoot(app, "hand_code")
    assert model.hand is not None
    code, heard = model.hand.code, []
    link = page_of(app.remote.access.public, "hand", code)
    assert link.endswith(f":{server.port}/hand#{code}") and "127.0.0.1" not in link
    other.go.server(server.address, lambda: other.remote.send(ReadHand(other.remote.ref(), code)))
    hear = other.remote.hear
    other.remote.hear = lambda arrival: (heard.append(arrival), hear(arrival))[1]  # type: ignore[method-assign, func-returns-value]
    until(other, lambda: any(isinstance(each, Reading) for each in heard))
    until(app, lambda: model.hand is not None and model.hand.readers == 1)
    assert model.hand == HandShown(0, "", 0, 1)
    shoot(app, "hand_read")
    press(app, "Stop showing it")
    until(app, lambda: model.hand is not None and not model.hand.readers)
    press(app, "Back")
    assert isinstance(app.screen, TableScreen)


@pytest.mark.long
def test_returning_players_are_told_that_their_hand_is_shown(app: App, server: Server) -> None:
    model = begun(app, server)
    app.remote.show_hand()
    until(app, lambda: model.hand is not None)
    assert model.hand is not None
    code = model.hand.code
    app.remote.access.send(b"\xc1")  # Not even MessagePack: the session goes on.
    (seat,) = app.seats.all()
    app.go.menu()
    app.go.server(seat.address, lambda: None, seat)
    until(app, lambda: app.remote.match is not None and app.remote.match.hand is not None)
    hand = match_of(app).hand
    assert hand is not None and (hand.ref, hand.code) == (0, code)


def test_against_bots_alone_no_phone_could_come(app: App) -> None:
    app.go.play(TableOptions(seats=2, bots=("easy",)))
    until(app, lambda: at_the_board(app))
    assert table_of(app).phase == TablePhase.PLAYING
    assert ENTRY not in entries(app)
    reader = TextProgram(Settings(name="Marcus"), lambda line: None)
    reader.people.everyone = [app.remote]
    with pytest.raises(Misread, match="cannot show hands"):
        reader.commands["table"]["hand"].run("")


def test_the_code_goes_away_when_it_is_no_longer_good(
    app: App, server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    model = begun(app, server)
    app.go.hand()
    until(app, lambda: model.hand is not None)
    monkeypatch.setattr(model, "_hand_at", model._hand_at - 300)
    assert app.on_update(0.02)
    screen = app.screen
    assert isinstance(screen, HandScreen) and screen._code == ""
    press(app, "A new code")
    until(app, lambda: model.hand_left > 200)
    assert screen._code


@pytest.mark.long
def test_the_table_in_words_shows_and_ends_it(server: Server, app: App) -> None:
    model = begun(app, server)
    said: list[str] = []
    reader = TextProgram(Settings(name="Marcus"), said.append)
    reader.people.everyone = [app.remote]
    commands = reader.commands["table"]
    commands["hand"].run("")
    until(app, lambda: model.hand is not None and model.hand.code)
    assert model.hand is not None
    reader._hear(model.hand)
    assert said[0].startswith("Your hand: http://") and said[0].endswith(model.hand.code)
    assert "and only once" in said[1] and said[2] == "No device reads along."
    commands["hand"].run("end")
    until(app, lambda: model.hand is not None and not model.hand.code)
    reader._hear(HandShown(0, "", 0, 2))
    assert said[-1] == "2 devices read along."
