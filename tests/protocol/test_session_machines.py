"""Both ends of a session as state machines: after any events in any order, they agree in the end."""

from collections import deque
from copy import deepcopy
from typing import Any

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    initialize,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)
from msgspec import Raw, Struct

from protocol import codec, delta
from protocol.limits import FORGIVEN, MAX_STRIKES, Close, Rates
from protocol.session import ClientSession, Reaction, ServerSession
from protocol.version import PROTOCOL
from shared import messages as m
from shared.tables import TablePhase

NUMBERS = st.integers(0, 9)
CHANGES = st.one_of(
    st.tuples(st.just("number"), NUMBERS),
    st.tuples(st.just("append"), NUMBERS),
    st.tuples(st.just("cut"), NUMBERS),
    st.tuples(st.just("inside"), NUMBERS),
)
QUICK = settings(
    derandomize=True,
    database=None,
    report_multiple_bugs=False,
    deadline=None,
    max_examples=30,
    stateful_step_count=40,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
LONG = settings(QUICK, max_examples=200, stateful_step_count=60)
ONCE = settings(QUICK, phases=[Phase.generate], max_examples=1000)
"""For faults that the tests seek on purpose: the shortest way to them is not needed. The examples suffice whatever the
seed is, which follows from the source."""
STREAM = [m.Snapshot.__struct_config__.tag, m.Frame.__struct_config__.tag]
WELCOME = m.Welcome(PROTOCOL, "Anna", "test", ())
TABLE = m.TableState("m", "t", "toy", {}, True, "C", TablePhase.PLAYING, 0, False, 0, 0, (), 0)


class Authority:
    """The simplest possible server: it remembers everything, and its messages wait on the wire."""

    def __init__(self) -> None:
        self.views: list[list[Any]] = [[0, [1, 2], [[3, 4], [5, 6]]]]
        self.frames: list[bytes] = []
        self.acted: dict[int, int] = {}
        self.wire: deque[bytes] = deque()
        self.seated = False
        self.tokens = 1
        self.refusing = 0
        """Number of messages that are refused unread."""

    @property
    def version(self) -> int:
        """The newest version."""
        return len(self.views)

    def change(self, how: str, number: int) -> None:
        """Make a new version and send it to the connected client."""
        view = deepcopy(self.views[-1])
        change: list[Any] = []
        if how == "number" or (how == "cut" and not view[1]):
            view[0], change = number, [0, number]
        elif how == "append":
            change = [1, len(view[1]), number]
            view[1].append(number)
        elif how == "cut":
            at = number % len(view[1])
            change = [1, at, None]
            del view[1][at:]
        else:
            view[2][number % 2][1], change = number, [2, -2 - number % 2, [1, number]]
        self.views.append(view)
        self.frames.append(codec.encode_frame(self.version, self._digest(), change, []))
        self._tell(self.frames[-1])

    def hear(self, data: bytes) -> None:
        """Handle a message from the client."""
        message = codec.decode_client(data)
        if self.refusing and not isinstance(message, m.Hello | m.Resume):
            self.refusing -= 1
            self.wire.append(codec.encode(m.Refused(0, "rate", "", "Slow down, please.")))
        elif isinstance(message, m.Hello):
            self.wire.append(codec.encode(WELCOME))
        elif isinstance(message, m.Resume):
            self._seat(message)
        elif isinstance(message, m.Act):
            self._act(message)
        elif isinstance(message, m.Sync):
            self._tell(self.snapshot())

    def snapshot(self) -> bytes:
        """Return a snapshot of the newest view."""
        return codec.encode(m.Snapshot(self.version, self._digest(), Raw(codec.ENCODER.encode(self.views[-1]))))

    def _seat(self, message: m.Resume) -> None:
        self.seated = True
        self.tokens += 1
        seated = m.Seated(message.ref, "m", 0, bytes([self.tokens % 256]) * 32, max(self.acted, default=0))
        self.wire += (codec.encode(seated), codec.encode(TABLE))
        missed = self.frames[message.have - 1 :] if message.have else [self.snapshot()]
        self.wire += missed

    def _act(self, message: m.Act) -> None:
        if not self.seated:
            return self.wire.append(codec.encode(m.Refused(message.command, "no-table", "", "Nowhere.")))
        if message.command not in self.acted:
            self.change("number", bytes(message.action)[-1] % 10)
            self.acted[message.command] = self.version
        return self.wire.append(codec.encode(m.Accepted(message.command, self.acted[message.command])))

    def _digest(self) -> int:
        return delta.digest(codec.ENCODER.encode(self.views[-1]))

    def _tell(self, data: bytes) -> None:
        if self.seated:
            self.wire.append(data)


class Doing(Struct, array_like=True):
    """An action."""

    number: int


class ClientMachine(RuleBasedStateMachine):
    """A client session against the authority: cuts, losses, floods, versions that do not fit, in any order."""

    def __init__(self) -> None:
        super().__init__()
        self.server = Authority()
        self.client = ClientSession("Anna")
        self.client.restore("m", bytes(32))
        self.connected = False
        self.acts: set[int] = set()
        self.spoilt = 0

    @rule()
    def connect(self) -> None:
        """Make a new connection, whether or not the last one was lost."""
        self.server.wire.clear()
        self.server.seated = False
        self.connected = True
        self.server.hear(self.client.connect())

    @precondition(lambda self: self.connected)
    @rule(last=st.booleans())
    def cut(self, last: bool) -> None:
        """Lose the connection; `last`: after the client read one more message, whose replies are lost."""
        if last and self.server.wire:
            self.client.receive(self.server.wire.popleft())
        self.connected = False
        self.server.seated = False
        self.server.wire.clear()

    @precondition(lambda self: self.server.wire)
    @rule(count=st.integers(1, 6))
    def deliver(self, count: int) -> None:
        """Deliver some of the server's messages, with the client's replies."""
        for _ in range(min(count, len(self.server.wire))):
            for reply in self.client.receive(self.server.wire.popleft()).replies:
                self.server.hear(reply)

    @rule(number=NUMBERS)
    def act(self, number: int) -> None:
        """Decide, also while there is no connection."""
        data = self.client.act(1, Doing(number))
        self.acts.add(max(self.client.pending))
        if self.connected and self.client.at_table:
            self.server.hear(data)

    @rule(change=CHANGES)
    def others_act(self, change: tuple[str, int]) -> None:
        """Let another player change the match."""
        self.server.change(*change)

    @precondition(lambda self: self.connected)
    @rule(count=st.integers(1, 3))
    def too_fast(self, count: int) -> None:
        """Let the server refuse the next messages without reading them."""
        self.server.refusing = count

    @precondition(lambda self: self.connected and self.server.seated)
    @rule()
    def fall_behind(self) -> None:
        """Let the server drop frames that wait, and send one snapshot in their place."""
        wire = self.server.wire
        kept = [data for data in wire if data[1] not in STREAM]
        self.server.wire = deque([*kept, codec.encode(TABLE), self.server.snapshot()])

    @precondition(lambda self: self.connected and self.server.seated and self.client.in_sync)
    @rule(change=CHANGES, digest=st.integers(0, 3))
    def spoil(self, change: tuple[str, int], digest: int) -> None:
        """Send a frame with a wrong digest, as a faulty server would."""
        self.server.change(*change)
        frame = codec.decode_server(self.server.wire.pop())
        assert isinstance(frame, m.Frame)
        spoilt = m.Frame(frame.version, frame.digest ^ 1 << digest, frame.delta, frame.events)
        self.server.wire.append(codec.encode(spoilt))
        self.spoilt += 1

    @precondition(lambda self: self.connected)
    @rule()
    def newer(self) -> None:
        """Send a message of a kind that only newer clients know."""
        self.server.wire.append(b"\x92\x63\x01")

    @invariant()
    def what_is_seen_is_so(self) -> None:
        """Check that a view in sync is the server's at that version."""
        client = self.client
        if client.in_sync:
            assert client.view == self.server.views[client.version - 1]
        assert client.mismatches <= self.spoilt

    @invariant()
    def nothing_is_forgotten(self) -> None:
        """Check that every decision is answered or waits."""
        assert self.acts <= set(self.server.acted) | set(self.client.pending)

    def teardown(self) -> None:
        """Let all failures end; check that everything is answered and seen."""
        self.server.refusing = 0
        self.connect()
        while self.server.wire:
            self.deliver(1)
        assert self.client.in_sync and self.client.version == self.server.version
        assert self.client.pending == {} and self.acts == set(self.server.acted)
        self.what_is_seen_is_so()


class ServerMachine(RuleBasedStateMachine):
    """A server session and a client that sends any messages at any pace."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0
        self.rates = Rates(messages=2.0, burst=6.0, chat=0.5, chat_burst=2.0)
        self.session = ServerSession(WELCOME, self.rates, lambda: self.now, lambda name: name == "Server")
        self.strikes = 0.0
        self.struck_at = 0.0
        self.heard: list[float] = []
        self.chatted: list[float] = []
        self.closed: Close | None = None

    @initialize(greets=st.sampled_from((True, True, True, False)))
    def begin(self, greets: bool) -> None:
        """Most know how to begin."""
        if greets:
            self.say(codec.encode(m.Hello(PROTOCOL, "Anna")))

    @rule(seconds=st.sampled_from((0.1, 1.0, 30.0)))
    def wait(self, seconds: float) -> None:
        """Let time pass."""
        self.now += seconds

    @precondition(lambda self: self.closed is None)
    @rule(
        data=st.one_of(
            st.binary(max_size=20),
            st.sampled_from(("", "text")),
            st.sampled_from(
                [
                    codec.encode(message)
                    for message in (
                        m.Hello(PROTOCOL, "Anna"),
                        m.Hello(PROTOCOL + 1, "Anna"),
                        m.Hello(PROTOCOL, "Server"),
                        m.Hello(PROTOCOL, "\u200b"),
                        m.Start(1),
                        m.Say(2, "Ave"),
                        m.OpenLobby(3),
                        m.Act(4, 1, Raw(b"\x90")),
                    )
                ]
            ),
        )
    )
    def say(self, data: bytes | str) -> None:
        """Send one message."""
        was_greeted = self.session.greeted
        inbound = self.session.receive(data)
        assert (inbound.message is None) == (inbound.reply is not None), "heard or answered, never both"
        assert inbound.message is None or was_greeted
        assert self.session.greeted or not isinstance(inbound.reply, m.Welcome)
        if inbound.message is not None:
            self.heard.append(self.now)
        if isinstance(inbound.message, m.Say):
            self.chatted.append(self.now)
        self.closed = inbound.close
        self._count(inbound.reply, was_greeted)

    @invariant()
    def no_more_than_allowed(self) -> None:
        """Check the rates of messages and of chat over any time."""
        rates = self.rates
        for times, rate, burst in (
            (self.heard, rates.messages, rates.burst),
            (self.chatted, rates.chat, rates.chat_burst),
        ):
            for i, since in enumerate(times):
                assert len(times) - i <= burst + rate * (times[-1] - since) + 1e-6

    def _count(self, reply: Struct | None, was_greeted: bool) -> None:
        """Check that a client without a greeting is closed for any fault; a greeted one only after some strikes."""
        if not isinstance(reply, m.Refused):
            assert self.closed is None
            return
        if reply.code in ("bad-message", "too-big", "order") or "Slow" in reply.text:
            self.strikes = max(0.0, self.strikes - (self.now - self.struck_at) / FORGIVEN) + 1
            self.struck_at = self.now
        over = not was_greeted or reply.code == "not-binary" or self.strikes > MAX_STRIKES - 1 + 1e-9
        assert (self.closed is not None) == over or reply.code == "rate"


@pytest.mark.parametrize("machine", [ClientMachine, ServerMachine])
def test_sessions_hold_whatever_happens(machine: type[RuleBasedStateMachine]) -> None:
    run_state_machine_as_test(machine, settings=QUICK)


@pytest.mark.exhaustive
@pytest.mark.parametrize("machine", [ClientMachine, ServerMachine])
def test_sessions_hold_in_many_histories(machine: type[RuleBasedStateMachine]) -> None:
    run_state_machine_as_test(machine, settings=LONG)


def _forgets(session: ClientSession, message: m.Seated) -> Reaction:
    """Handle `Seated` as a faulty client that reconnects and repeats nothing."""
    return Reaction(_seated(session, message).message)


_seated = ClientSession._seated


def test_a_session_that_forgets_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ClientSession, "_seated", _forgets)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(ClientMachine, settings=ONCE)


@pytest.mark.exhaustive
def test_a_session_that_counts_no_strikes_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("protocol.session.MAX_STRIKES", 1000)
    with pytest.raises(AssertionError):
        run_state_machine_as_test(ServerMachine, settings=ONCE)
