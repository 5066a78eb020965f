"""Messages of a hostile server stop no window and fill no log."""

import logging

import pytest
from msgspec import Raw
from msgspec.structs import replace

from client.network import model as models
from client.network import rate_limited_log
from client.network.model import LobbyModel, MatchModel
from client.network.rate_limited_log import A_MINUTE, RateLimitedLog
from client.network.remote_server import RemoteServer
from client.network.server_access import ServerAccess
from client.player.seats import Seats
from protocol import codec
from protocol.limits import MAX_TO_CLIENT
from protocol.session import MOST_ITEMS, MOST_TEXT, MOST_WITHIN, SMALL, ClientSession, bounded
from shared import messages as m
from shared.rulesets.registry import RULESETS
from shared.tables import Recollection, SeatKind, TablePhase

SEAT = m.SeatInfo(SeatKind.PERSON, "Livia")


def table(title: str = "Ides", seats: int = 2, onlookers: int = 0) -> m.TableState:
    """A table at which we sit."""
    return m.TableState(
        "m1", title, "classic", {}, True, "CODE", TablePhase.PLAYING, 0, False, 0, 0, (SEAT,) * seats, 0,
        onlookers=("Nero",) * onlookers,
    )  # fmt: skip


def info(number: int) -> m.TableInfo:
    """A table of a list."""
    return m.TableInfo(f"m{number}", f"Table {number}", "classic", 2, 1, 0, TablePhase.GATHERING)


def heard(message: object) -> object:
    """Return a message as a session receives it."""
    session = ClientSession("Livia")
    return session.receive(codec.encode(message)).message  # type: ignore[arg-type]


def test_texts_and_lists_are_cut_to_what_a_window_can_show() -> None:
    notice = heard(m.Notice("x", "a" * 1_000_000))
    assert isinstance(notice, m.Notice) and len(notice.text) == MOST_TEXT
    state = heard(table("T" * 90_000, seats=20_000, onlookers=50_000))
    assert isinstance(state, m.TableState)
    assert (len(state.title), len(state.seats), len(state.onlookers)) == (MOST_TEXT, MOST_ITEMS, MOST_ITEMS)
    listed = heard(m.LobbyList(1, tuple(map(info, range(9000))), 0))
    assert isinstance(listed, m.LobbyList) and len(listed.tables) == MOST_ITEMS
    story = heard(m.Story(tuple((1, Raw(b"\x01")) for _ in range(90_000)), ()))
    assert isinstance(story, m.Story) and len(story.events) == MOST_ITEMS
    options = heard(replace(table(), options={f"o{n}": 1 for n in range(9000)}))
    assert isinstance(options, m.TableState) and len(options.options) == MOST_WITHIN


def test_real_messages_of_servers_stay_unchanged() -> None:
    story = m.Story(tuple((n, Raw(codec.ENCODER.encode(list(range(80))))) for n in range(200)), ())
    page = m.LobbyList(1, tuple(map(info, range(100))), 0)
    piece = m.Recalled(1, Recollection.FILM, 1, 0, 32768, bytes(32768))
    for message in (story, page, piece, table("A table of Livia", 6, 200), m.Said(0, "Livia", "word " * 60)):
        assert bounded(message) == message
        assert heard(message) == message
    assert len(codec.encode(piece)) > SMALL


def test_a_message_of_a_known_kind_that_cannot_be_read_is_read_once() -> None:
    nonsense = codec.ENCODER.encode([3, *([{}] * 300_000)])
    assert not codec.is_from_the_future(nonsense)
    assert codec.is_from_the_future(codec.ENCODER.encode([99, 1])) and not codec.is_from_the_future(b"\x92\x63")
    assert len(nonsense) < MAX_TO_CLIENT


class Following:
    """A match of Classic that a server shows."""

    def __init__(self) -> None:
        self.rules = RULESETS["classic"]
        self.session = ClientSession("Livia")
        self.session.receive(codec.encode(table()))
        self.model = MatchModel(self.rules, table(), self.session, lambda _data: True)


@pytest.fixture
def following(monkeypatch: pytest.MonkeyPatch) -> Following:
    monkeypatch.setattr(models, "_log", RateLimitedLog("hostile"))
    return Following()


@pytest.mark.parametrize("kind", [m.Story, m.Frame])
def test_events_that_cannot_be_read_fill_no_log(
    following: Following, kind: type, caplog: pytest.LogCaptureFixture
) -> None:
    events = [Raw(b"\xc0")] * 1000
    for _ in range(20):
        if kind is m.Story:
            following.model.hear(m.Story(tuple((1, event) for event in events), ()))
        else:
            assert following.model._events(events) == [None] * 10
    assert len(caplog.records) == A_MINUTE


def test_a_log_tells_how_much_it_left_out(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    monkeypatch.setattr(rate_limited_log, "monotonic", lambda: now[0])
    log = RateLimitedLog("hostile")
    with caplog.at_level(logging.WARNING):
        for number in range(100):
            log.warning("number %d", number)
        log.warning("other")
        now[0] = 60.0
        log.warning("number %d", 100)
    told = [record.getMessage() for record in caplog.records]
    assert told == ["number 0", "number 1", "number 2", "other", "97 more like this were left out: number %d",
                    "number 100"]  # fmt: skip


def test_a_list_that_grows_without_end_is_cut() -> None:
    lobby = LobbyModel()
    lobby.first_page(1)
    for number in range(5000):
        lobby.hear(m.LobbyChange(info(number), False))
    assert len(lobby.tables) == 4000 and "m4999" in lobby.tables and "m0" not in lobby.tables


def test_a_server_whose_position_is_none_of_this_game_is_left(
    following: Following, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[bool] = []
    monkeypatch.setattr(ServerAccess, "distrust", lambda _self: left.append(True))
    remote = RemoteServer(Seats(), lambda _words: None)
    remote.match = following.model
    view = codec.ENCODER.encode(["no", "view"])
    message = following.session.receive(codec.encode(m.Snapshot(1, 1, Raw(view)))).message
    assert message is not None
    remote.hear(message)
    assert left == [True]
