"""The models, fed by a real match and the real session, without a socket and without a window."""

import logging
from random import Random

import pytest
from msgspec import Raw, Struct
from msgspec.structs import replace

from client.network import model as models
from client.network.model import DOUBTS, LobbyModel, MatchModel
from client.network.rate_limited_log import RateLimitedLog
from protocol import codec
from protocol.dice_commitment import Doubt
from protocol.session import ClientSession
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from shared import messages as m
from shared.kernel import engine
from shared.rulesets.classic.actions import March
from shared.rulesets.registry import ruleset
from shared.tables import HASTEN, THE_TABLE, SeatKind, TablePhase
from shared.vocabulary.actions import Concede, EndMovement

RULES = ruleset("classic")
TABLE = m.TableState("m1", "Ides", "classic", {}, True, "VENI42", TablePhase.PLAYING, 0, True, 0, 0,
                   (m.SeatInfo(SeatKind.PERSON, "Livia"), m.SeatInfo(SeatKind.BOT, "Brutus", "greedy")), 0)  # fmt: skip
WATCHING = replace(TABLE, you=-1, host=False, code="")


class Table:
    """A match on one side, a session with its model on the other, and what they said."""

    def __init__(self, seat: int = 0) -> None:
        chosen = engine.checked_options(RULES, 2, {"homes": 2})
        self.match = Match(RULES, 2, chosen, Dice(5))
        self.session = ClientSession("Livia")
        self.sent: list[bytes] = []
        self.audience = seat if seat >= 0 else self.match.public
        table = TABLE if seat == 0 else WATCHING
        self.model = MatchModel(RULES, table, self.session, self.sent.append)
        self.hear(codec.encode(table))
        self.hear(self.match.snapshot(self.audience))

    def hear(self, data: bytes) -> tuple[bytes, ...]:
        received = self.session.receive(data)
        if received.message is not None:
            self.model.hear(received.message)
        return received.replies

    def step(self, seat: int, action: Struct) -> AcceptedAction:
        step = self.match.submit(seat, 0, self.match.frame, codec.encode(action))
        assert isinstance(step, AcceptedAction), step
        self.match.commit(step)
        return step

    def play(self, steps: int, chance: Random) -> None:
        """Make random actions, and pass their frames to the model."""
        for _ in range(steps):
            seat = self.match.owed[0]
            action = chance.choice(engine.options(RULES, self.match.state, seat))
            for turned in self.step(seat, action).turned:
                self.hear(turned.frames[self.audience])


def test_the_view_follows_the_match_and_its_events_are_told_once() -> None:
    table = Table()
    table.play(60, Random(3))
    model = table.model
    assert model.version == table.match.version
    assert codec.encode(model.view) == table.match.view(0)
    assert model.owed() == table.match.owed
    told = model.take_events()
    assert told
    assert [t.version for t in told] == sorted(t.version for t in told)
    assert model.take_events() == []
    assert table.session.mismatches == 0


def test_an_action_is_checked_numbered_sent_and_pending_until_accepted() -> None:
    table = Table()
    model = table.model
    assert model.owed() == (0,)
    assert model.is_mine
    assert model.act(EndMovement()) is None
    act = codec.decode_client(table.sent[0])
    assert isinstance(act, m.Act)
    assert act.frame == engine.top(model.view).no
    assert model.pending
    assert not model.is_mine
    table.hear(codec.encode(m.Accepted(act.command, 1)))
    assert not model.pending


def test_illegal_actions_are_not_sent() -> None:
    table = Table()
    refusal = table.model.act(March(0, 41, (), 1))
    assert refusal is not None
    assert refusal.text
    assert table.sent == []


def test_a_standing_action_answers_no_frame() -> None:
    table = Table()
    assert table.model.act(Concede(1)) is None
    act = codec.decode_client(table.sent[0])
    assert isinstance(act, m.Act)
    assert act.frame == 0


def test_a_refusal_of_the_server_is_kept_to_be_shown() -> None:
    table = Table()
    table.model.act(EndMovement())
    act = codec.decode_client(table.sent[0])
    assert isinstance(act, m.Act)
    table.hear(codec.encode(m.Refused(act.command, "stale-frame", "", "That decision is over.")))
    assert table.model.refusal is not None
    assert table.model.refusal.text == "That decision is over."
    assert table.model.is_mine
    table.hear(codec.encode(m.Refused(0, "rate", "", "Slow down, please.")))
    assert table.model.refusal.code == "stale-frame"


def test_a_view_that_does_not_add_up_is_asked_for_again_and_logged(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(models, "_log", RateLimitedLog("views"))  # Other tests may have logged the same this minute.
    table = Table()
    frame = table.step(0, EndMovement()).turned[0].frames[0]
    message = codec.decode_server(frame)
    spoilt = codec.encode_frame(message.version, 1, codec.decode_plain(message.delta), ())  # type: ignore[union-attr]
    replies = table.hear(spoilt)
    assert isinstance(codec.decode_client(replies[0]), m.Sync)
    with caplog.at_level(logging.WARNING):
        table.hear(table.match.snapshot(0))
    assert "differs from the server's" in caplog.text
    assert codec.encode(table.model.view) == table.match.view(0)


def test_a_spectator_owes_nothing_and_may_do_nothing() -> None:
    table = Table(seat=-1)
    model = table.model
    table.play(10, Random(1))
    assert model.seat == -1
    assert not model.is_mine
    assert model.options() == ()
    refusal = model.act(EndMovement())
    assert refusal is not None
    assert refusal.code == "spectator"


def test_options_are_legal_here_and_there() -> None:
    table = Table()
    for action in table.model.options():
        assert table.model.check(action) is None


def test_the_clock_runs_down() -> None:
    model = Table().model
    assert model.seconds_left() is None
    model.hear(m.Clock((0,), 60))
    left = model.seconds_left()
    assert left is not None
    assert 59 < left <= 60
    model.hear(m.Clock((0,), 0))
    assert model.seconds_left() is None


def test_chat_is_kept_within_bounds() -> None:
    model = Table().model
    for i in range(300):
        model.hear(m.Said(0, "Livia", str(i)))
    assert len(model.chat) == 200
    assert model.chat[-1].text == "299"


def test_the_lobby_follows_its_changes() -> None:
    lobby = LobbyModel()
    tables = [
        m.TableInfo(f"m{i}", f"T{i}", "classic", 4, i, 0, phase)
        for i, phase in enumerate((TablePhase.OVER, TablePhase.GATHERING, TablePhase.PLAYING))
    ]
    feed: list[m.ServerMessage] = [
        m.LobbyList(1, tuple(tables[:2])),
        m.LobbyChange(tables[2]),
        m.LobbyChange(m.TableInfo("m1", "T1", "classic", 4, 3, 0, TablePhase.GATHERING)),
    ]
    lobby.first_page(1)
    for message in feed:
        lobby.hear(message)
    assert [t.match for t in lobby.listed()] == ["m1", "m2", "m0"]
    assert lobby.tables["m1"].taken == 3
    lobby.hear(m.LobbyChange(tables[0], gone=True))
    assert "m0" not in lobby.tables


def test_the_list_is_asked_for_page_by_page() -> None:
    lobby = LobbyModel("classic", gathering=True)
    table = m.TableInfo("m1", "T", "classic", 4, 1, 0, TablePhase.GATHERING)
    assert lobby.first_page(3) == m.OpenLobby(3, True, "classic", True, 0) and not lobby.more
    lobby.hear(m.LobbyList(3, (table,), below=77))
    assert lobby.more and lobby.next_page(4) == m.OpenLobby(4, True, "classic", True, 77)
    assert not lobby.more, "the same page is not asked for twice"
    others = (replace(table, match="m2"), replace(table, match="m3", ruleset="mb1984"))
    lobby.hear(m.LobbyList(4, others))
    assert [t.match for t in lobby.listed()] == ["m1", "m2"] and not lobby.more
    lobby.hear(m.LobbyChange(replace(table, phase=TablePhase.PLAYING)))
    assert [t.match for t in lobby.listed()] == ["m2"], "it waits for nobody any more"


def test_an_answer_to_what_was_asked_before_is_not_the_list() -> None:
    lobby = LobbyModel()
    lobby.first_page(3)
    table = m.TableInfo("m1", "T", "classic", 4, 1, 0, TablePhase.GATHERING)
    lobby.hear(m.LobbyList(2, (table,), below=5))
    assert not (lobby.known or lobby.tables or lobby.more)
    lobby.hear(m.LobbyList(3, ()))
    assert lobby.known


def test_an_unreadable_event_is_left_out(caplog: pytest.LogCaptureFixture) -> None:
    table = Table()
    step = table.step(0, EndMovement())
    message = codec.decode_server(step.turned[0].frames[0])
    delta = codec.decode_plain(message.delta)  # type: ignore[union-attr]
    data = codec.ENCODER.encode((9, message.version, message.digest, delta, (Raw(b"\x91\x63"),)))  # type: ignore[union-attr]
    with caplog.at_level(logging.WARNING):
        table.hear(data)
    assert table.model.take_events() == []
    assert table.model.version == 1


def test_bots_are_hastened_where_the_server_can_while_others_decide() -> None:
    for can in ((), (HASTEN,)):
        table = Table()
        table.session.can = can
        table.sent.clear()
        if table.model.is_mine:
            table.model.hasten()
            assert not table.sent
        while table.model.is_mine:
            table.play(1, Random(1))
        table.model.hasten()
        assert [type(codec.decode_client(data)) for data in table.sent] == ([m.Hasten] if can else [])


def test_faults_of_the_dice_are_told_once_also_after_a_return() -> None:
    table = Table()
    pledged = replace(TABLE, pledge=m.Pledge(b"c" * 32, (b"", b"")))
    table.hear(codec.encode(replace(pledged, match="m2")))
    assert not table.model.chat
    table.hear(codec.encode(replace(TABLE, match="m2")))
    table.hear(codec.encode(replace(TABLE, match="m2")))
    (said,) = table.model.chat
    assert said.seat == THE_TABLE and said.text == DOUBTS[Doubt.CHANGED]
    table.hear(codec.encode(m.Story((), (m.Line(0, "Livia", "Ave!"),))))
    assert [line.text for line in table.model.chat] == ["Ave!", DOUBTS[Doubt.CHANGED]]
