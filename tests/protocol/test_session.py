"""Both ends of a conversation, without sockets: loss, repetition, gaps, floods, versions."""

import zlib

import msgspec
import pytest
from msgspec import Raw, structs

from protocol import codec, delta
from protocol.limits import FORGIVEN, MAX_STRIKES, MAX_TO_SERVER, MEANING, Close, Rates
from protocol.session import ClientSession, Inbound, Reaction, ServerSession, TokenBucket, reference
from protocol.version import OLDEST, PROTOCOL, common
from shared import messages as m
from shared.tables import LOOKING_ON, PROFILE, TablePhase

WELCOME = m.Welcome(PROTOCOL, "", "test", (("toy", 1),))
TOKEN = bytes(32)


class Time:
    """A clock in the hands of the test."""

    def __init__(self) -> None:
        self.seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


def server(time: Time | None = None, rates: Rates | None = None) -> ServerSession:
    return ServerSession(WELCOME, rates or Rates(), time or Time())


def greeted(time: Time | None = None, rates: Rates | None = None) -> ServerSession:
    session = server(time, rates)
    assert session.receive(codec.encode(m.Hello(PROTOCOL, " Anna\u200b "))).reply == m.Welcome(
        PROTOCOL, "Anna", "test", (("toy", 1),)
    )
    return session


def of_the_first_version(rates: Rates | None = None) -> ServerSession:
    session = server(rates=rates)
    welcome = session.receive(codec.encode(m.Hello(1, "Anna"))).reply
    assert isinstance(welcome, m.Welcome) and welcome.protocol == session.version == 1
    return session


def refusal(session: ServerSession, data: bytes | str) -> tuple[str, Close | None]:
    inbound = session.receive(data)
    assert inbound.message is None and isinstance(inbound.reply, m.Refused)
    return inbound.reply.code, inbound.close


def test_the_handshake_comes_first_and_once() -> None:
    assert refusal(server(), codec.encode(m.Start(1))) == ("no-hello", Close.NO_HELLO)
    assert refusal(server(), "text") == ("not-binary", Close.NOT_BINARY)
    assert refusal(server(), b"\xc1") == ("bad-message", Close.BAD_MESSAGE)
    assert refusal(server(), codec.encode(m.Hello(PROTOCOL, "\u200b"))) == ("name", Close.BAD_MESSAGE)
    session = greeted()
    assert session.name == "Anna"
    assert refusal(session, codec.encode(m.Hello(PROTOCOL, "Bert"))) == ("order", None)
    assert session.receive(codec.encode(m.Start(1))).message == m.Start(1)


def test_a_request_is_answered_by_its_number_and_unreadable_bytes_by_none() -> None:
    act = m.Act(7, 1, Raw(b"\x91\x0a"))
    for message, number in ((m.Start(3), 3), (act, 7), (m.Hello(PROTOCOL, "Anna"), 0)):
        assert reference(message) == number
    hello = codec.encode(m.Hello(PROTOCOL, "Anna"))
    slow = Rates(messages=0, burst=1)
    busy = greeted(rates=slow)
    for session, data, number, code in (
        (server(), codec.encode(act), 7, "no-hello"),
        (server(), codec.encode(m.Start(3)), 3, "no-hello"),
        (server(), "text", 0, "not-binary"),
        (server(), b"\xc1", 0, "bad-message"),
        (server(), bytes(MAX_TO_SERVER + 1), 0, "too-big"),
        (server(), codec.encode(m.Hello(PROTOCOL + 1, "Anna")), 0, "version"),
        (server(), codec.encode(m.Hello(PROTOCOL, "\u200b")), 0, "name"),
        (greeted(), hello, 0, "order"),
        (busy, codec.encode(act), 7, "rate"),
        (greeted(), b"\x93\x07\x05\xc1", 5, "bad-message"),
        (greeted(), b"\x92\x07\x05" + bytes(MAX_TO_SERVER), 5, "too-big"),
        (greeted(), codec.encode(m.Sync(9)) + b"\x00", 0, "bad-message"),
        (first := of_the_first_version(rates=slow), codec.encode(act), 0, "rate"),
        (first, b"\x92\x07\x05", 0, "rate"),
        (of_the_first_version(), b"\x93\x07\x05\xc1", 0, "bad-message"),
    ):
        reply = session.receive(data).reply
        assert isinstance(reply, m.Refused) and (reply.ref, reply.code, reply.rule) == (number, code, "")
        assert reply.text
    talker = greeted(rates=Rates(chat=0, chat_burst=1))
    assert talker.receive(codec.encode(m.Say(4, "hi"))) == Inbound(m.Say(4, "hi"))
    reply = talker.receive(codec.encode(m.Say(5, "hi"))).reply
    assert isinstance(reply, m.Refused) and (reply.ref, reply.code) == (5, "rate")
    assert talker.receive(codec.encode(m.Start(6))) == Inbound(m.Start(6)), "only chat has run out"


def test_reserved_names_are_refused_and_others_are_welcome() -> None:
    session = ServerSession(WELCOME, Rates(), Time(), lambda name: name == "Server")
    inbound = session.receive(codec.encode(m.Hello(PROTOCOL, " Server ")))
    assert isinstance(inbound.reply, m.Refused) and (inbound.reply.ref, inbound.reply.code) == (0, "name")
    assert inbound.close is Close.BAD_MESSAGE and not session.greeted and session.name == ""
    assert inbound.reply.text.endswith("please choose another.") and "name" in MEANING[inbound.close], "it says why"
    assert isinstance(session.receive(codec.encode(m.Hello(PROTOCOL, "Anna"))).reply, m.Welcome) and session.greeted
    assert session.receive(codec.encode(m.Rename(3, " Li\u200bvia "))) == Inbound(m.Rename(3, "Livia"))
    for bad in ("Server", " "):
        inbound = session.receive(codec.encode(m.Rename(4, bad)))
        assert isinstance(inbound.reply, m.Refused) and (inbound.reply.ref, inbound.reply.code) == (4, "name")
        assert inbound.close is None and inbound.message is None


def test_before_the_handshake_too_much_is_the_end() -> None:
    session = server(rates=Rates(messages=0, burst=1))
    assert refusal(session, codec.encode(m.Start(1))) == ("no-hello", Close.NO_HELLO)
    assert refusal(session, codec.encode(m.Hello(PROTOCOL, "Anna"))) == ("rate", Close.RATE)


def test_versions_that_differ_part_with_a_plain_word() -> None:
    ours = f"speaks version {OLDEST} to {PROTOCOL}"
    for lowest, highest, who in ((PROTOCOL + 1, 0, "server"), (PROTOCOL + 1, 9, "server"), (0, 0, "client")):
        inbound = server().receive(codec.encode(m.Hello(lowest, "Anna", "", highest)))
        assert isinstance(inbound.reply, m.Refused) and f"update the {who}" in inbound.reply.text
        assert ours in inbound.reply.text and f"you speak {lowest}" in inbound.reply.text
        assert (f"{lowest} to 9" in inbound.reply.text) == (highest == 9)
        assert inbound.close is Close.VERSION


@pytest.mark.parametrize(
    ("lowest", "highest", "version"),
    [
        (1, 0, 1),
        (1, 1, 1),
        (1, 2, 2),
        (2, 0, 2),
        (2, 1, 2),
        (1, 65535, 2),
        (0, 1, 1),
        (0, 0, 0),
        (3, 0, 0),
        (3, 65535, 0),
    ],
)
def test_the_highest_version_that_both_speak_is_in_force(lowest: int, highest: int, version: int) -> None:
    assert common(lowest, highest) == version
    session = server()
    reply = session.receive(codec.encode(m.Hello(lowest, "Anna", "", highest))).reply
    assert session.version == version
    assert isinstance(reply, m.Welcome) == bool(version)
    assert not isinstance(reply, m.Welcome) or reply.protocol == version


def test_features_that_both_know_are_agreed_upon() -> None:
    told = structs.replace(WELCOME, agreed=("wine", "presence"), bounds=None)
    for named, agreed in (
        ((), ()),
        (("presence", "mead"), ("presence",)),
        (("presence", "wine"), ("wine", "presence")),
    ):
        session = ServerSession(told, Rates(), Time())
        reply = session.receive(codec.encode(m.Hello(1, "Anna", "", 2, named))).reply
        assert isinstance(reply, m.Welcome) and reply.agreed == agreed and session.agreed == frozenset(agreed)


def test_a_greeting_may_bring_more_than_a_server_knows() -> None:
    data = msgspec.msgpack.encode([0, 1, "Anna", "later 3", 9, ["presence", "x" * 32], {"dreams": True}, [1]])
    session = server()
    assert isinstance(session.receive(data).reply, m.Welcome) and session.version == PROTOCOL


def test_a_greeted_client_has_several_strikes() -> None:
    session = greeted()
    for _ in range(MAX_STRIKES - 1):
        assert refusal(session, b"\xc1") == ("bad-message", None)
    assert refusal(session, b"\xc1") == ("bad-message", Close.BAD_MESSAGE)


def test_strikes_are_forgotten_with_time() -> None:
    time = Time()
    session = greeted(time)
    for _ in range(100):
        for _ in range(MAX_STRIKES - 1):
            assert refusal(session, b"\xc1") == ("bad-message", None)
        time.seconds += FORGIVEN * (MAX_STRIKES - 1)
    for _ in range(MAX_STRIKES - 1):
        assert refusal(session, b"\xc1") == ("bad-message", None)
    time.seconds += FORGIVEN * 0.9
    assert refusal(session, b"\xc1") == ("bad-message", Close.BAD_MESSAGE), "one was not forgotten yet"


def test_rates_are_token_buckets() -> None:
    time = Time()
    bucket = TokenBucket(2.0, 3.0, time)
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]
    time.seconds = 0.5
    assert [bucket.take(), bucket.take()] == [True, False]
    time.seconds = 100
    assert [bucket.take() for _ in range(4)] == [True, True, True, False]


def test_a_bucket_gives_what_is_in_it_to_the_last_drop_and_nothing_else() -> None:
    time = Time()
    time.seconds = 50.0
    bucket = TokenBucket(0.5, 4.0, time)
    assert bucket.left == 4.0 and not bucket.take(4.5) and bucket.left == 4.0
    assert bucket.take(4.0) and bucket.left == 0.0 and not bucket.take(0.1)
    time.seconds = 53.0
    assert bucket.left == 1.5 and bucket.take(1.5) and not bucket.take(0.1)
    time.seconds = 54.0
    assert [bucket.left, bucket.left] == [0.5, 0.5]


def test_a_bucket_that_gives_on_credit_says_how_long_to_wait() -> None:
    time = Time()
    bucket = TokenBucket(0.5, 4.0, time)
    assert [bucket.owe(3.0), bucket.owe(), bucket.owe(), bucket.owe(0.5)] == [0.0, 0.0, 2.0, 3.0]
    assert bucket.left == -1.5 and not bucket.take(0.1)
    time.seconds = 4.0
    assert bucket.left == 0.5 and bucket.owe() == 1.0


def test_floods_are_refused_then_closed_and_chat_has_its_own_bucket() -> None:
    time = Time()
    session = greeted(time, Rates(messages=1, burst=10, chat=0.5, chat_burst=2))
    answers = [session.receive(codec.encode(m.Say(i, "hi"))) for i in range(1, 4)]
    assert [answer.message is not None for answer in answers] == [True, True, False]
    closes = [session.receive(codec.encode(m.OpenLobby(9))).close for _ in range(6 + MAX_STRIKES)]
    assert closes[-1] is Close.RATE and closes[:-1] == [None] * (5 + MAX_STRIKES)
    time.seconds = 60
    assert session.receive(codec.encode(m.Say(5, "hi"))).message == m.Say(5, "hi")


def snapshot(version: int, view: list[object]) -> bytes:
    encoded = codec.ENCODER.encode(view)
    return codec.encode(m.Snapshot(version, delta.digest(encoded), Raw(encoded)))


def frame(version: int, change: list[object], after: list[object]) -> bytes:
    return codec.encode_frame(version, delta.digest(codec.ENCODER.encode(after)), change, [])


def table(you: int = 0) -> bytes:
    return codec.encode(m.TableState("m", "t", "toy", {}, True, "C", TablePhase.PLAYING, you, False, 0, 0, (), 0))


def seated_client() -> ClientSession:
    session = ClientSession("Anna")
    session.connect()
    session.receive(codec.encode(m.Welcome(PROTOCOL, "Anna", "test", ())))
    session.receive(codec.encode(m.Seated(1, "m", 0, TOKEN, 40)))
    session.receive(table())
    session.receive(snapshot(5, [1, [2, 3]]))
    return session


def sent(replies: tuple[bytes, ...]) -> list[object]:
    return [codec.decode_client(reply) for reply in replies]


def test_frames_are_applied_once_in_order() -> None:
    session = seated_client()
    assert session.receive(frame(6, [0, 9], [9, [2, 3]])).message is not None
    assert session.receive(frame(6, [0, 9], [9, [2, 3]])).message is None
    assert session.receive(frame(7, [1, 2, 4], [9, [2, 3, 4]])).message is not None
    assert session.view == [9, [2, 3, 4]] and session.version == 7 and session.in_sync


def packed(payload: bytes) -> bytes:
    return codec.encode(m.Packed(zlib.compress(payload)))


def test_packed_messages_are_read_like_plain_ones() -> None:
    session = seated_client()
    view = [7, [2, 3]]
    received = session.receive(packed(snapshot(9, view)))
    assert received == session.receive(snapshot(9, view)) and isinstance(received.message, m.Snapshot)
    assert (session.version, session.view) == (9, view) and session.in_sync
    assert session.receive(packed(frame(10, [0, 9], [9, [2, 3]]))).message is not None
    assert session.receive(packed(codec.ENCODER.encode([126, "of a newer server"]))).message is None
    assert session.version == 10 and session.in_sync


def test_double_packing_is_ignored_and_empty_packing_is_a_bad_message() -> None:
    session = seated_client()
    assert session.receive(packed(packed(snapshot(9, [7, []])))).message is None
    for data in (packed(b""), packed(b"\xc1"), codec.encode(m.Packed(b"x"))):
        with pytest.raises(codec.BadMessage):
            session.receive(data)
    assert session.version == 5 and session.in_sync


def test_a_gap_asks_once_for_a_snapshot_and_ignores_frames_until_it_comes() -> None:
    session = seated_client()
    assert sent(session.receive(frame(8, [0, 9], [9, [2, 3]])).replies) == [m.Sync(5)]
    received = session.receive(frame(9, [0, 8], [8, [2, 3]]))
    assert received.message is None and received.replies == () and not session.in_sync
    assert session.receive(snapshot(9, [8, [2, 3]])).message is not None
    assert session.in_sync and session.version == 9 and session.mismatches == 0


def test_a_wrong_digest_or_a_delta_that_does_not_fit_asks_for_a_snapshot() -> None:
    for data in (frame(6, [0, 9], [7, [2, 3]]), frame(6, [1, 9, 9], [1, [2, 3]])):
        session = seated_client()
        assert sent(session.receive(data).replies) == [m.Sync(6)]
        assert session.mismatches == 1 and not session.in_sync


def test_unanswered_actions_are_repeated_after_a_resume_with_the_same_bytes() -> None:
    session = seated_client()
    lost = session.act(3, m.Done(1))
    answered = session.act(3, m.Done(2))
    command = codec.decode_client(answered)
    assert isinstance(command, m.Act) and command.command == 42
    session.receive(codec.encode(m.Accepted(42, 6)))
    session.connect()
    assert not session.at_table
    (resume,) = sent(session.receive(codec.encode(m.Welcome(PROTOCOL, "Anna", "test", ()))).replies)
    assert isinstance(resume, m.Resume) and (resume.match, resume.token, resume.have) == ("m", TOKEN, 5)
    received = session.receive(codec.encode(m.Seated(9, "m", 0, bytes([1]) * 32, 42)))
    assert received.replies == (lost,) and session.token == bytes([1]) * 32
    session.receive(codec.encode(m.Refused(41, "stale-frame", "", "")))
    assert not session.pending


def test_an_action_that_came_too_early_is_kept_for_later() -> None:
    session = seated_client()
    session.act(3, m.Done(1))
    session.receive(codec.encode(m.Refused(41, "no-table", "", "")))
    assert list(session.pending) == [41]


def test_a_watcher_comes_back_by_itself_with_the_version_it_has() -> None:
    session = ClientSession("Anna")
    session.connect()
    session.watch("m", "CODE")
    session.receive(table(-1))
    session.receive(snapshot(5, [1, [2, 3]]))
    session.connect()
    (watch,) = sent(session.receive(codec.encode(m.Welcome(PROTOCOL, "Anna", "test", ()))).replies)
    assert isinstance(watch, m.Watch) and (watch.match, watch.code, watch.have) == ("m", "CODE", 5)


def test_a_void_token_and_a_farewell_are_forgotten() -> None:
    for data in (codec.encode(m.Refused(9, "bad-token", "", "")), codec.encode(m.Left(0, "kicked", ""))):
        session = seated_client()
        session.receive(data)
        session.connect()
        assert session.receive(codec.encode(m.Welcome(PROTOCOL, "Anna", "test", ()))).replies == ()
        assert session.view is None and session.seat == -1


def test_a_void_token_is_replaced_by_the_secret_of_the_profile_once() -> None:
    session = ClientSession("Anna")
    session.secret = lambda: b"s" * 32
    session.restore("m1", TOKEN)
    welcomed(session, PROFILE)
    refused = codec.encode(m.Refused(1, "bad-token", "", ""))
    again = session.receive(refused)
    (back,) = sent(again.replies)
    assert again.message is None and isinstance(back, m.Resume) and (back.match, back.token) == ("m1", b"s" * 32)
    assert isinstance(session.receive(refused).message, m.Refused) and session.token == b""


def test_additions_of_a_newer_server_are_ignored() -> None:
    session = seated_client()
    assert session.receive(codec.ENCODER.encode([99, "new"])).message is None
    assert session.receive(codec.ENCODER.encode([3, 7, 9, "a new field"])).message == m.Accepted(7, 9)
    for data in (b"\xc1", codec.ENCODER.encode([3, "x"]), codec.ENCODER.encode(["x"])):
        with pytest.raises(codec.BadMessage):
            session.receive(data)


def test_another_seat_does_not_build_on_the_old_view() -> None:
    session = seated_client()
    session.receive(codec.encode(m.Seated(7, "m", 1, TOKEN)))
    assert session.view is None
    assert isinstance(codec.decode_server(frame(1, [], [])), m.Frame)


# Out of sync: whatever happened, and whatever goes wrong on the way back, the view is the server's again in the end.


def broken(how: str) -> tuple[ClientSession, list[object]]:
    """Return a client that fell out of sync, and its replies to the frame that broke it."""
    session = seated_client()
    data = {
        "gap": frame(8, [0, 9], [9, [2, 3]]),
        "digest": frame(6, [0, 9], [7, [2, 3]]),
        "misfit": frame(6, [1, 9, 9], [1, [2, 3]]),
        "no list": codec.encode(m.Frame(6, 0, Raw(b"\x05"), ())),
        "bad text": codec.encode(m.Frame(6, 0, Raw(b"\x92\x00\xa1\xff"), ())),
        "odd pairs": frame(6, [1, -2, [0]], [1, [2, 3]]),
    }[how]
    return session, sent(session.receive(data).replies)


each_break = pytest.mark.parametrize("how", ["gap", "digest", "misfit", "no list", "bad text", "odd pairs"])
WELCOME_BACK = codec.encode(m.Welcome(PROTOCOL, "Anna", "test", ()))


@each_break
def test_broken_view_asks_once_for_a_snapshot(how: str) -> None:
    session, said = broken(how)
    assert [type(message) for message in said] == [m.Sync] and not session.in_sync
    for version in (7, 8, 9):
        received = session.receive(frame(version, [0, version], [version, [2, 3]]))
        assert received.message is None and not received.replies and not session.in_sync
    assert session.receive(snapshot(9, [9, [2, 3]])).message is not None
    assert session.in_sync and session.view == [9, [2, 3]]
    assert session.receive(frame(10, [0, 1], [1, [2, 3]])).message is not None
    assert session.in_sync and session.view == [1, [2, 3]]
    assert sent(session.receive(frame(12, [], [])).replies) == [m.Sync(10)], "and once more, if it breaks again"


@each_break
def test_a_question_that_was_lost_with_its_connection_is_asked_by_coming_back(how: str) -> None:
    session, _ = broken(how)
    (resume,) = sent(session.receive(WELCOME_BACK).replies)
    assert isinstance(resume, m.Resume) and resume.have == 0
    assert not session.in_sync and not session.at_table
    session.receive(codec.encode(m.Seated(2, "m", 0, TOKEN)))
    assert sent(session.receive(frame(9, [0, 9], [9, [2, 3]])).replies) == [m.Sync(session.version)], "asked anew"
    session.receive(snapshot(9, [9, [2, 3]]))
    assert session.in_sync and session.view == [9, [2, 3]]


@each_break
def test_a_question_that_came_too_fast_is_asked_again(how: str) -> None:
    session, said = broken(how)
    for _ in range(3):
        received = session.receive(codec.encode(m.Refused(0, "rate", "", "")))
        assert sent(received.replies) == said and not session.in_sync
    session.receive(snapshot(9, [9, [2, 3]]))
    assert session.in_sync and session.receive(codec.encode(m.Refused(0, "rate", "", ""))).replies == ()


@each_break
def test_a_question_that_was_refused_is_asked_again_with_the_next_frame(how: str) -> None:
    session, _ = broken(how)
    assert session.receive(codec.encode(m.Refused(0, "storage", "", ""))).replies == ()
    assert not session.in_sync
    assert sent(session.receive(frame(9, [0, 9], [9, [2, 3]])).replies) == [m.Sync(session.version)]
    assert session.receive(frame(10, [0, 9], [9, [2, 3]])).replies == ()


def test_a_snapshot_that_cannot_be_read_does_not_end_the_asking() -> None:
    session, _ = broken("gap")
    with pytest.raises(codec.BadMessage):
        session.receive(codec.encode(m.Snapshot(9, 0, Raw(b"\xa1\xff"))))
    assert not session.in_sync
    assert sent(session.receive(frame(9, [0, 9], [9, [2, 3]])).replies) == [m.Sync(5)]


def test_a_watcher_out_of_sync_comes_back_without_a_version() -> None:
    session = ClientSession("Anna")
    session.connect()
    session.watch("m")
    session.receive(table(LOOKING_ON))
    session.receive(snapshot(5, [1, [2, 3]]))
    session.receive(frame(8, [], []))
    (watch,) = sent(session.receive(WELCOME_BACK).replies)
    assert isinstance(watch, m.Watch) and watch.have == 0


def test_an_action_that_came_too_fast_is_sent_again() -> None:
    session = seated_client()
    first, second = session.act(3, m.Done(1)), session.act(3, m.Done(2))
    received = session.receive(codec.encode(m.Refused(0, "rate", "", "")))
    assert isinstance(received.message, m.Refused) and received.replies == (first, second)
    session.receive(codec.encode(m.Accepted(41, 6)))
    assert session.receive(codec.encode(m.Refused(0, "rate", "", ""))).replies == (second,)
    assert session.receive(codec.encode(m.Refused(42, "stale-frame", "", ""))).replies == () and not session.pending


def test_a_new_table_begins_with_nothing_of_the_old_one() -> None:
    session, _ = broken("gap")
    session.act(3, m.Done(1))
    session.receive(codec.encode(m.Left(0, "left", "")))
    assert session.view is None and not session.pending and not session.in_sync
    session.receive(codec.encode(m.Seated(9, "n", 1, TOKEN)))
    session.receive(table(1))
    assert session.receive(snapshot(1, [1, [2, 3]])).message is not None and session.in_sync
    assert session.receive(frame(2, [0, 2], [2, [2, 3]])).message is not None


def test_commands_rise_above_those_that_the_seat_has_used() -> None:
    session = seated_client()
    for highest, expected in ((40, 41), (90, 91), (10, 92)):
        session.receive(codec.encode(m.Seated(9, "m", 0, TOKEN, highest)))
        message = codec.decode_client(session.act(3, m.Done(1)))
        assert isinstance(message, m.Act) and message.command == expected


def test_a_fresh_client_knows_nothing() -> None:
    session = ClientSession("Anna", "test 1")
    assert (session.match, session.seat, session.token, session.table) == ("", -1, b"", None)
    assert (session.view, session.version, session.digest, session.mismatches) == (None, 0, 0, 0)
    assert not session.at_table and not session.in_sync and session.pending == {}
    abilities = ("presence", "packed", "ed25519", "public-address", "absence", "seeks", "blocks")
    assert codec.decode_client(session.connect()) == m.Hello(OLDEST, "Anna", "test 1", PROTOCOL, abilities)
    received = session.receive(codec.encode(m.Welcome(PROTOCOL, "Anna 2", "test", ())))
    assert isinstance(received.message, m.Welcome) and received.replies == () and session.name == "Anna 2"
    assert sent(session.receive(frame(1, [], [])).replies) == [m.Sync(0)]
    assert [session.ref(), session.ref()] == [1, 2]


def test_numbers_begin_with_one_and_the_first_answer_counts() -> None:
    for answer in (m.Refused(1, "stale-frame", "", ""), m.Accepted(1, 2)):
        session = ClientSession("Anna")
        session.act(3, m.Done(1))
        assert list(session.pending) == [1]
        session.receive(codec.encode(m.Refused(0, "storage", "", "")))
        assert list(session.pending) == [1], "nobody looked at it"
        session.receive(codec.encode(answer))
        assert session.pending == {}


def test_a_server_that_refuses_the_greeting_is_greeted_more_plainly() -> None:
    session = ClientSession("Anna", "test 1", abilities=("presence",))
    assert codec.decode_client(session.connect()) == m.Hello(OLDEST, "Anna", "test 1", PROTOCOL, ("presence",))
    refused = codec.encode(m.Refused(0, "bad-message", "", "Object has unknown field"))
    assert session.receive(refused) == Reaction(None) and session.greets_again
    assert session.connect() == msgspec.msgpack.encode([0, 1, "Anna", "test 1"])
    assert isinstance(session.receive(codec.encode(m.Welcome(1, "Anna", "old", ()))).message, m.Welcome)
    assert not session.greets_again
    assert session.connect() == msgspec.msgpack.encode([0, 1, "Anna", "test 1"]), "it stays as it is"


def test_a_server_that_refuses_the_plain_greeting_too_is_believed() -> None:
    session = ClientSession("Anna")
    refused = m.Refused(0, "bad-message", "", "No.")
    session.connect()
    session.receive(codec.encode(refused))
    session.connect()
    assert session.receive(codec.encode(refused)).message == refused
    welcomed = ClientSession("Anna")
    welcomed.connect()
    welcomed.receive(WELCOME_BACK)
    assert welcomed.receive(codec.encode(refused)).message == refused and not welcomed.greets_again


def test_an_action_that_came_too_fast_is_said_again_by_its_number() -> None:
    session = ClientSession("Anna")
    slow, other = session.act(3, m.Done(1)), session.act(3, m.Done(2))
    assert session.receive(codec.encode(m.Refused(1, "rate", "", "Slow."))).replies == (slow,)
    assert list(session.pending.values()) == [slow, other]


def test_a_client_knows_what_to_keep_within() -> None:
    session = ClientSession("Anna")
    assert session.bounds is None
    few = m.Quota(60, 5)
    bounds = m.Bounds(1, 2, few, few, few, few, few, few, 10)
    session.receive(codec.encode(m.Welcome(2, "Anna", "test", (), bounds=bounds)))
    assert session.bounds == bounds


def test_a_seat_of_an_earlier_run_is_resumed() -> None:
    session = ClientSession("Anna")
    session.restore("m", TOKEN)
    session.connect()
    assert sent(session.receive(WELCOME_BACK).replies) == [m.Resume(1, "m", TOKEN, 0)]


def test_the_same_seat_builds_on_its_view() -> None:
    session = seated_client()
    assert session.digest == delta.digest(codec.ENCODER.encode([1, [2, 3]]))
    session.receive(codec.encode(m.Seated(9, "m", 0, bytes([7]) * 32)))
    assert session.in_sync and session.version == 5 and session.token == bytes([7]) * 32
    assert session.receive(frame(6, [0, 9], [9, [2, 3]])).message is not None
    assert session.digest == delta.digest(codec.ENCODER.encode([9, [2, 3]]))


@pytest.mark.parametrize(("match", "seat"), [("n", 0), ("m", 1)])
def test_another_seat_or_match_begins_with_nothing(match: str, seat: int) -> None:
    session = seated_client()
    session.receive(codec.encode(m.Seated(9, match, seat, TOKEN)))
    assert (session.match, session.seat, session.view, session.version) == (match, seat, None, 0)
    assert sent(session.receive(frame(6, [0, 9], [9, [2, 3]])).replies) == [m.Sync(0)]


def test_watching_elsewhere_leaves_the_table() -> None:
    session = seated_client()
    session.act(3, m.Done(1))
    assert codec.decode_client(session.watch("m", "CODE")) == m.Watch(42, "m", "CODE", 5)
    assert session.token == TOKEN and session.pending
    assert codec.decode_client(session.watch("n")) == m.Watch(43, "n", "", 0)
    assert (session.match, session.token, session.seat, session.table) == ("", b"", -1, None)
    assert not session.at_table and not session.pending and session.version == 0


def test_only_the_refusal_of_looking_on_ends_it() -> None:
    session = ClientSession("Anna")
    session.watch("m", "CODE")
    session.act(0, m.Done(1))
    for number, again in ((2, [m.Watch(3, "m", "CODE", 0)]), (1, [m.Watch(4, "m", "CODE", 0)]), (4, [])):
        session.receive(codec.encode(m.Refused(number, "no-match", "", "")))
        assert sent(session.receive(WELCOME_BACK).replies) == again


def test_a_seat_ends_looking_on() -> None:
    session = ClientSession("Anna")
    session.watch("m")
    session.receive(codec.encode(m.Seated(1, "m", 0, TOKEN)))
    session.token = b""
    assert session.receive(WELCOME_BACK).replies == ()


def test_a_question_of_the_last_table_is_not_waited_for_at_the_next() -> None:
    session, _ = broken("gap")
    session.receive(codec.encode(m.Left(0, "left", "")))
    assert (session.version, session.at_table, session.table) == (0, False, None)
    session.receive(codec.encode(m.Seated(9, "n", 1, TOKEN)))
    assert sent(session.receive(frame(4, [], [])).replies) == [m.Sync(0)]


def test_a_snapshot_with_a_wrong_digest_is_counted_and_shown() -> None:
    session = seated_client()
    encoded = codec.ENCODER.encode([4, []])
    received = session.receive(codec.encode(m.Snapshot(8, delta.digest(encoded) ^ 1, Raw(encoded))))
    assert received.message is not None and session.view == [4, []] and session.mismatches == 1
    session.receive(codec.encode(m.Snapshot(9, delta.digest(encoded) ^ 1, Raw(encoded))))
    assert session.mismatches == 2 and session.in_sync


def test_a_snapshot_is_followed_by_what_was_not_answered() -> None:
    session = seated_client()
    lost = session.act(3, m.Done(1))
    assert session.receive(snapshot(6, [1, [2, 3]])).replies == (lost,)


def welcomed(session: ClientSession, *can: str) -> list[object]:
    """Return the session's messages to a server with these capabilities."""
    session.connect()
    welcome = codec.encode(m.Welcome(PROTOCOL, "Anna", "test", (), can))
    return [codec.decode_client(reply) for reply in session.receive(welcome).replies]


def test_profiles_are_introduced_on_every_reconnect() -> None:
    session = ClientSession("Anna")
    assert welcomed(session, PROFILE) == []
    session.secret = lambda: b"s" * 32
    assert welcomed(session) == [], "an older server would not understand it"
    (said,) = welcomed(session, PROFILE)
    assert isinstance(said, m.Introduce) and said.secret == b"s" * 32 and said.code == ""
    session.restore("m1", TOKEN)
    back, again = welcomed(session, PROFILE)
    assert isinstance(back, m.Resume) and isinstance(again, m.Introduce) and again.ref > said.ref


def test_unknown_profiles_play_as_strangers_silently() -> None:
    session = ClientSession("Anna")
    session.secret = lambda: b"s" * 32
    (said,) = welcomed(session, PROFILE)
    assert isinstance(said, m.Introduce)
    refused = m.Refused(said.ref, "rate", "", "Too many profiles.")
    assert session.receive(codec.encode(refused)).message is None
    other = m.Refused(said.ref + 1, "rate", "", "Something else.")
    assert session.receive(codec.encode(other)).message == other
    (said,) = welcomed(session, PROFILE)
    full = m.Refused(said.ref, "full", "", "All places are taken.")  # type: ignore[attr-defined]
    assert session.receive(codec.encode(full)).message == full, "the player is told why he is sent away"
    known = m.Introduced(said.ref, "Anna*")  # type: ignore[attr-defined]
    assert session.receive(codec.encode(known)).message == known
