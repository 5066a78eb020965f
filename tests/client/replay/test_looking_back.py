"""Replay of the part of a match that the player attended: from the menu of a running match, and from its end."""

import random

import msgspec
import pytest

from client import message_router
from client.app import App
from client.player.table_options import TableOptions
from client.replay.film import BadFilm
from client.replay.record_files import shown_to
from client.screens.replay import ReplayScreen
from client.screens.replay_source import look_back
from client.screens.result import ResultScreen
from client.screens.room import RoomScreen
from client.screens.table import TableScreen
from protocol import codec
from protocol.film import Film
from shared.messages import Frame
from shared.rulesets.registry import ruleset
from shared.tables import SeatKind
from tests.client.conftest import Server, Shoot, until
from tests.client.replay.films import live
from tests.client.screen_steps import arrive, press, screen_of, start_match, table_of


def play_on(app: App, decisions: int) -> None:
    """Decide something, so often, whenever it is one's turn; less often where the match ends."""
    match, rng = app.remote.match, random.Random(4)
    assert match is not None
    for _decision in range(decisions):
        until(app, lambda: match.is_mine or match.finished)
        if match.finished:
            return
        # Not the last, where that resigns or concedes.
        assert match.act(rng.choice(match.options()[:3])) is None
        until(app, lambda: not match.pending)


@pytest.fixture
def seated(app: App, server: Server) -> App:
    """At the board of a short match against a bot."""
    plan = TableOptions(seats=2, options={"round_limit": 1})
    app.go.server(server.address, lambda: app.remote.send(plan.request(app.remote.ref())))
    arrive(app, RoomScreen)
    press(app, "Fill with bots")
    until(app, lambda: table_of(app).seats[1].kind == SeatKind.BOT)
    start_match(app)
    return app


@pytest.mark.long
def test_the_match_goes_on_during_a_look_back(seated: App) -> None:
    app = seated
    play_on(app, 4)
    table, match = app.screen, app.remote.match
    assert isinstance(table, TableScreen) and match is not None
    table.top.menu.show()
    entry = next(entry for entry in table.top.menu.page.entries if entry.words == "Replay")
    entry.action()
    replay = screen_of(app, ReplayScreen)
    film = replay.screening.film
    assert film.audiences == (match.seat,)
    assert film.last == match.version
    assert film.view(film.last, match.seat) == match.view
    replay.replay_control.seek(film.first)
    replay.replay_control.close()
    shown: object = app.screen
    assert shown is table
    play_on(app, 1)


@pytest.mark.long
def test_the_end_offers_what_one_saw(seated: App, shoot: Shoot, monkeypatch: pytest.MonkeyPatch) -> None:
    app = seated
    monkeypatch.setattr(message_router, "RESULT_DELAY", 0.1)
    play_on(app, 500)
    arrive(app, ResultScreen)
    shoot(app, "result_with_replay")
    result, match = app.screen, app.remote.match
    assert match is not None
    press(app, "Replay and charts")
    replay: object = app.screen
    assert isinstance(replay, ReplayScreen)
    replay.replay_control.seek(replay.replay_control.last)
    assert replay.screening.finished and replay.screening.view == match.view
    replay.replay_control.chart()
    app.screen.back()
    replay.replay_control.close()
    assert app.screen is result


@pytest.mark.long
def test_frames_with_a_wrong_digest_open_no_replay(seated: App) -> None:
    app, match = seated, seated.remote.match
    play_on(app, 2)
    assert match is not None and match.received is not None
    match.received.frames[0] = msgspec.structs.replace(match.received.frames[0], digest=1)
    before = app.screen
    look_back(app, match)
    assert app.screen is before
    assert any("not what the server saw" in words for words in app.toasts.words)


def sent(audience: int = 1) -> Film:
    """A film as a server sends it."""
    played = live("cote2", 3, 160)
    first, *frames = (codec.encode(one) for one in (played.begin[audience], *played.frames[audience]))
    number = audience if audience < 3 else -1
    return Film("cote2", ruleset("cote2").version, {}, ("Livia", "", "Gaius"), "Friday", number, first, tuple(frames))


def test_sent_messages_form_a_film() -> None:
    for audience in (1, 3):
        match = shown_to(sent(audience))
        assert match.title == "Friday"
        assert [info.name for info in match.seats] == ["Livia", "", "Gaius"]
        assert match.seats[1].bot and not match.seats[0].bot
        assert match.film.audiences == ((1,) if audience == 1 else (None,))
        assert match.film.last == len(live("cote2", 3, 160).entries)


def test_invalid_films_are_refused() -> None:
    whole = sent()
    with pytest.raises(BadFilm, match="other rules"):
        shown_to(msgspec.structs.replace(whole, version=1))
    with pytest.raises(BadFilm, match="cannot be read"):
        shown_to(msgspec.structs.replace(whole, first=whole.frames[0]))
    with pytest.raises(BadFilm, match="gap"):
        shown_to(msgspec.structs.replace(whole, frames=whole.frames[2:]))
    frame = codec.decode_server(whole.frames[4])
    assert isinstance(frame, Frame)
    forged = codec.encode(msgspec.structs.replace(frame, digest=7))
    with pytest.raises(BadFilm, match="not what the server saw"):
        shown_to(msgspec.structs.replace(whole, frames=(*whole.frames[:4], forged, *whole.frames[5:])))
    with pytest.raises(ValueError):
        shown_to(msgspec.structs.replace(whole, frames=(b"\xc1",)))
