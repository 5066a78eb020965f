"""Protocol state of a connection on either end, without sockets or clocks of its own."""

from collections.abc import Callable
from typing import Any, Final, TypeVar

from msgspec import Raw, Struct
from msgspec.structs import replace

from protocol import codec, delta
from protocol.dice_commitment import DiceCommitment
from protocol.limits import FORGIVEN, MAX_STRIKES, Close, Rates
from protocol.refusal_text import refused
from protocol.text import clean
from protocol.version import OLDEST, PROTOCOL, common
from shared import messages as m
from shared.language.sentence import _, pgettext
from shared.refusal import Refusal, sentence_of
from shared.tables import (
    ABSENCE,
    BLOCKS,
    ED25519,
    LOOKING_ON,
    MAX_NAME,
    PACKED,
    PAGE,
    PRESENCE,
    PROFILE,
    PUBLIC_ADDRESS,
    REPEAT,
    SEEKS,
)

T = TypeVar("T")
SMALL: Final = 8 * 1024
"""Bytes of a message that needs no check: nothing in it can be too long."""
MOST_TEXT: Final = 2000
"""Characters of a text."""
MOST_ITEMS: Final = 1000
"""Items of a list. A page of tables has 100, a story 200 events."""
MOST_WITHIN: Final = 200
"""Items of a list within another one, and of a map."""
_DEEPEST: Final = 8


def bounded(message: T, depth: int = 0) -> T:
    """Return the message with texts, lists and maps cut to those lengths; raw parts stay as they are."""
    return _bounded(message, depth)  # type: ignore[no-any-return]


def _bounded(value: Any, depth: int) -> Any:
    if isinstance(value, str):
        return value[:MOST_TEXT]
    if depth > _DEEPEST:
        return value
    if isinstance(value, tuple | list):
        # The outermost list of a message may be long; lists within it are multiplied by it.
        most = MOST_WITHIN if depth > 1 else MOST_ITEMS
        return type(value)([_bounded(each, depth + 1) for each in value[:most]])
    if isinstance(value, dict):
        return {_bounded(key, depth + 1): _bounded(value[key], depth + 1) for key in list(value)[:MOST_WITHIN]}
    if isinstance(value, Struct):
        cut = {name: _bounded(getattr(value, name), depth + 1) for name in value.__struct_fields__}
        return replace(value, **cut)
    return value


_NOT_BINARY: Final = Refusal("not-binary", "", "Messages are binary.")
_TOO_FAST: Final = Refusal("rate", "", "Slow down, please.")
_NO_HELLO: Final = Refusal("no-hello", "", "Say Hello first.")
_TWICE: Final = Refusal("order", "", "You have said Hello already.")
_TALKATIVE: Final = Refusal("rate", "", "One line every two seconds, please.")
_RESERVED: Final = Refusal("name", "", "That name could be taken for the server's; please choose another.")


class TokenBucket:
    """Allows `rate` per second on average and `burst` at once; `now` is any rising clock in seconds."""

    def __init__(self, rate: float, burst: float, now: Callable[[], float]) -> None:
        self._rate = rate
        self._burst = burst
        self._now = now
        self._left = burst
        self._at = now()

    @property
    def left(self) -> float:
        """The amount that can be taken now."""
        now = self._now()
        self._left = min(self._burst, self._left + (now - self._at) * self._rate)
        self._at = now
        return self._left

    def take(self, amount: float = 1.0) -> bool:
        """Use up `amount` and return True. If less is left, use nothing and return False."""
        if self.left < amount:
            return False
        self._left -= amount
        return True

    def owe(self, amount: float = 1.0) -> float:
        """Use up `amount` even if less is left; return the seconds until it would have been there."""
        # May go below zero: later callers wait for this debt too.
        after = self.left - amount
        self._left = after
        return max(0.0, -after / self._rate)


class Inbound(Struct, frozen=True):
    """The server's reaction to received bytes: act on `message`, send `reply`, then `close`; any of them None."""

    message: m.ClientMessage | None = None
    reply: m.ServerMessage | None = None
    close: Close | None = None


def reference(message: m.ClientMessage) -> int:
    """Return the number by which an answer refers to a request: its ref or command, 0 if it has none."""
    if isinstance(message, m.Act):
        return message.command
    return getattr(message, "ref", 0)


class ServerSession:
    """Server's end of a connection: Hello first, a version in common, limited rates, only readable messages.

    `welcome`: the greeting for all clients; its `agreed` names all features that can be agreed upon.
    """

    def __init__(
        self,
        welcome: m.Welcome,
        rates: Rates,
        now: Callable[[], float],
        is_reserved: Callable[[str], bool] = lambda _name: False,
    ) -> None:
        self._welcome = welcome
        self._is_reserved = is_reserved
        self._messages = TokenBucket(rates.messages, rates.burst, now)
        self._chat = TokenBucket(rates.chat, rates.chat_burst, now)
        self._strikes = TokenBucket(1 / FORGIVEN, MAX_STRIKES, now)
        self.name = ""
        self.version = 0
        """The protocol version in force, 0 before the handshake."""
        self.agreed: frozenset[str] = frozenset()
        """Optional features that the client understands."""

    @property
    def greeted(self) -> bool:
        """Whether the handshake is over."""
        return bool(self.name)

    def receive(self, data: bytes | str) -> Inbound:
        """Judge one message. Never raises for what a client may send."""
        if isinstance(data, str):
            return Inbound(None, refused(0, _NOT_BINARY), Close.NOT_BINARY)
        # Before decoding: a flood must cost less than its parsing.
        if not self._messages.take():
            return self._strike(refused(self._ref(data), _TOO_FAST), Close.RATE)
        try:
            message = codec.decode_client(data)
        except codec.BadMessage as error:
            return self._strike(refused(self._ref(data), Refusal(error.code, "", error.text)), Close.BAD_MESSAGE)
        if isinstance(message, m.Hello):
            return self._greet(message)
        if not self.greeted:
            return Inbound(None, refused(reference(message), _NO_HELLO), Close.NO_HELLO)
        # Not counted as a strike: people who type fast lose a line, not the connection.
        if isinstance(message, m.Say) and not self._chat.take():
            return Inbound(None, refused(message.ref, _TALKATIVE))
        if isinstance(message, m.Rename):
            return self._rename(message)
        return Inbound(message)

    def _greet(self, hello: m.Hello) -> Inbound:
        if self.greeted:
            return self._strike(refused(0, _TWICE), Close.BAD_MESSAGE)
        version = common(hello.protocol, hello.highest)
        if not version:
            return Inbound(None, _no_version(hello), Close.VERSION)
        name = self._fit(hello.name)
        if isinstance(name, Refusal):
            return Inbound(None, refused(0, name), Close.BAD_MESSAGE)
        self.name, self.version = name, version
        agreed = tuple(ability for ability in self._welcome.agreed if ability in hello.can)
        self.agreed = frozenset(agreed)
        page = self._welcome.page if PAGE in agreed else ""
        return Inbound(None, replace(self._welcome, protocol=version, name=name, agreed=agreed, page=page))

    def _rename(self, message: m.Rename) -> Inbound:
        name = self._fit(message.name)
        if isinstance(name, Refusal):
            return Inbound(None, refused(message.ref, name))
        return Inbound(replace(message, name=name))

    def _fit(self, name: str) -> str | Refusal:
        """Return a name as all others see it, or why it cannot be used."""
        try:
            name = clean(name, MAX_NAME)
        except ValueError as error:
            return Refusal("name", "", sentence_of(error))
        return _RESERVED if self._is_reserved(name) else name

    def _ref(self, data: bytes) -> int:
        """Return the number for an answer to unread bytes; clients of the first version do not know such answers."""
        return codec.reference_in(data) if self.version > 1 else 0

    def _strike(self, reply: m.Refused, close: Close) -> Inbound:
        """Refuse a message. Close before the handshake, and after too many refusals."""
        self._strikes.owe()
        # Strikes are forgiven with time, so those of a long match do not add up to a closed connection.
        over = not self.greeted or self._strikes.left < 1
        return Inbound(None, reply, close if over else None)


def _no_version(hello: m.Hello) -> m.Refused:
    """Return the refusal for a client that speaks no version of ours."""
    older = max(hello.protocol, hello.highest) < OLDEST
    program = pgettext("please update the", "client") if older else pgettext("please update the", "server")
    ours, theirs = _range(OLDEST, PROTOCOL), _range(hello.protocol, hello.highest)
    text = _(
        "This server speaks version {ours}, you speak {theirs}: please update the {program}.",
        ours=ours,
        theirs=theirs,
        program=program,
    )
    return refused(0, Refusal("version", "", text))


def _range(lowest: int, highest: int) -> str:
    return f"{lowest} to {highest}" if highest > lowest else f"{lowest}"


def with_presence(table: m.TableState, message: m.Presence) -> m.TableState:
    """Return the table after a change of presence."""
    if message.seat == LOOKING_ON:
        present = [name for name in table.onlookers if name not in message.gone]
        names = (*present, *(name for name in message.came if name not in present))
        return replace(table, watchers=message.watchers, onlookers=names)
    seats = list(table.seats)
    if message.seat < len(seats):
        seats[message.seat] = replace(seats[message.seat], kind=message.kind, bot=message.bot)
    return replace(table, seats=tuple(seats))


def _read(data: bytes) -> m.ServerMessage | None:
    """Decode a server's message; None for a kind that only a newer server knows. Raises BadMessage."""
    try:
        message = codec.decode_server(data)
        return bounded(message) if len(data) > SMALL else message
    except codec.BadMessage:
        # Only after decoding failed: messages of unknown kinds are rare, and finding out costs more.
        if codec.is_from_the_future(data):
            return None
        raise


class Reaction(Struct, frozen=True):
    """The client's reaction to received bytes: handle `message` (None: nothing new), and send `replies` at once."""

    message: m.ServerMessage | None
    replies: tuple[bytes, ...] = ()


class ClientSession:
    """Client's end of a player's connections, over as many of them as it takes.

    On every new connection send `connect()`, then hand all that comes to `receive` and send its replies. The session
    returns to the seat or the match by itself, asks for a snapshot after a contradiction, and repeats what was not
    answered. `roll`: 32 random bytes for the dice of each match that is played; None: no number is sent. `abilities`:
    see `Hello.can`.
    """

    def __init__(
        self,
        name: str,
        client: str = "",
        roll: Callable[[], bytes] | None = None,
        abilities: tuple[str, ...] = (PRESENCE, PACKED, ED25519, PUBLIC_ADDRESS, ABSENCE, SEEKS, BLOCKS),
    ) -> None:
        self.name = name
        self.client = client
        self._abilities = abilities
        self.match = ""
        self.seat = -1
        self.token = b""
        self.table: m.TableState | None = None
        self.view: list[Any] | None = None
        """The view at `version` as plain nested lists, fields in the order of the rule set's view."""
        self.version = 0
        self.digest = 0
        self.undo = 0
        """Number of own actions that may be taken back at `version`."""
        self.mismatches = 0
        """Number of digests that differed and deltas that did not fit: 0 unless there is a bug."""
        self.can: tuple[str, ...] = ()
        """Optional features of the server; see `Welcome`."""
        self.bounds: m.Bounds | None = None
        """Limits that the server gave, if it did."""
        self._pace: TokenBucket | None = None
        """Limit for the messages of this connection."""
        self._plainly = False
        """Whether the server knows the first version only, and refuses a greeting with more fields."""
        self._welcomed = False
        self.at_table = False
        """Whether this connection has reached its table: before that, actions would be refused."""
        self.pending: dict[int, bytes] = {}
        """Actions without an answer so far, by command."""
        self._stale = False
        """Whether `view` differs from the server's: a version is missing, or did not fit."""
        self._requested = False
        """Whether a snapshot was asked for on this connection and is still to come."""
        self._last = 0
        self._watching: tuple[str, str] | None = None
        self._watch_ref = 0
        self.stake = DiceCommitment(roll)
        self._stake_ref = 0
        self._asking: tuple[int, bytes] = (0, b"")
        """The number of an unanswered request for a seat, and its bytes, which are sent again on a new connection."""
        self.secret: Callable[[], bytes] = bytes
        """Called on every connection to a server with profiles: returns the secret of the profile there, or nothing."""
        self.device = ""
        """The name of this device for its player; see `Introduce`."""
        self._introduction = 0
        """The number of the `Introduce` that is not answered yet."""

    @property
    def in_sync(self) -> bool:
        """Whether `view` is the server's at `version`; False until a first or a repairing snapshot came."""
        return self.view is not None and not self._stale

    @property
    def returns(self) -> bool:
        """Whether a new connection leads to its seat or match by itself, or repeats the request for it."""
        return bool(self.token or self._watching or self._asking[1])

    @property
    def hello(self) -> bytes:
        """The first message of a connection, in the form that the server understands."""
        if self._plainly:
            return codec.encode_lean(m.Hello(OLDEST, self.name, self.client))
        return codec.encode(m.Hello(OLDEST, self.name, self.client, PROTOCOL, self._abilities))

    @property
    def greets_again(self) -> bool:
        """Whether the server refused the longer greeting: then a new connection with the short one is worth trying."""
        return self._plainly and not self._welcomed

    def pause(self, now: Callable[[], float]) -> float:
        """Return the seconds to wait before another message is sent: a tenth below the limit, since networks vary."""
        if self._pace is None and self.bounds is not None:
            quota = self.bounds.messages
            self._pace = TokenBucket(0.9 * quota.a_minute / 60, 0.9 * quota.at_once, now)
            self._pace.owe()  # The greeting came before the limits.
        return 0.0 if self._pace is None else self._pace.owe()

    def connect(self) -> bytes:
        """Reset the state of the connection and return the first message of a new one."""
        self.at_table = self._requested = False
        self.stake.forget_sent()
        self._welcomed = False
        return self.hello

    def restore(self, match: str, token: bytes) -> None:
        """Restore a seat of an earlier run: the next connection resumes it."""
        self.match, self.token = match, token

    def take(self, match: str, token: bytes) -> bytes:
        """Return the request for a seat that is held for this client; only while it is at no table."""
        self.restore(match, token)
        return codec.encode(m.Resume(self.ref(), match, token))

    def ref(self) -> int:
        """Return a fresh number for a request."""
        self._last += 1
        return self._last

    def watch(self, match: str, code: str = "") -> bytes:
        """Return the request to watch a match; it is repeated by itself on a new connection."""
        if match != self.match:
            self.forget()
        self._watching = (match, code)
        self._watch_ref = self.ref()
        return codec.encode(m.Watch(self._watch_ref, match, code, self._have()))

    def seat_by(self, message: m.Create | m.Join, key: bytes) -> m.Create | m.Join:
        """Return a request for a seat with its `key`, 16 random bytes.

        It is sent again on a new connection until it is answered. Servers without that feature get it without a key,
        once.
        """
        if REPEAT not in self.can:
            return message
        keyed = replace(message, key=key)
        # Kept as bytes: a repetition with the same key must be the same request.
        self._asking = message.ref, codec.encode_lean(keyed)
        return keyed

    def act(self, frame: int, action: Struct) -> bytes:
        """Return an action that answers `frame` (0: a standing one). It is kept, and sent again, until it is
        answered.
        """
        command = self.ref()
        data = codec.encode(m.Act(command, frame, Raw(codec.encode(action))))
        # Until the answer comes: a command number makes the repetition harmless.
        self.pending[command] = data
        return data

    def forget(self) -> None:
        """Forget the table and all that belongs to it."""
        self.match, self.token, self.seat, self.at_table, self._watching = "", b"", -1, False, None
        self.table, self.view, self.version, self.undo, self._requested = None, None, 0, 0, False
        self.pending.clear()
        self._asking = 0, b""
        self.stake.forget_sent()

    def receive(self, data: bytes) -> Reaction:
        """Handle one message. Raises BadMessage for bytes that are none."""
        message = _read(data)
        if isinstance(message, m.Packed):
            message = _read(codec.unpack(message))
        match message:
            case None | m.Packed():  # Messages are never packed twice.
                return Reaction(None)
            case m.Frame():
                return self._frame(message)
            case m.Snapshot():
                return self._snapshot(message)
            case m.Welcome():
                self.name, self.can, self.bounds, self._pace = message.name, message.can, message.bounds, None
                # A new connection knows nothing: requests of the old one are void.
                self.at_table, self._requested, self._welcomed = False, False, True
                # Return first: a place is kept for a token even where all others are taken.
                return Reaction(message, (*self._come_back(), *self._introduce()))
            case m.Seated():
                return self._seated(message)
            case m.TableState():
                self.match, self.seat, self.table, self.at_table = message.match, message.you, message, True
                return Reaction(message, self._give())
            case m.Presence():  # Reported as if the whole table had been sent.
                if self.table is not None:
                    self.table = with_presence(self.table, message)
                return Reaction(self.table)
            case m.Done() if message.ref == self._asking[0]:
                self._asking = 0, b""
            case m.Proof():
                self.stake.close(message)
            case m.Refused() if message.ref and message.ref == self._stake_ref:
                # The match began before our number came: the table shows that.
                return Reaction(None)
            # An old server refuses the long greeting as unreadable. The next connection greets in its form.
            case m.Refused(code="bad-message") if not (self._welcomed or self._plainly):
                self._plainly = True
                return Reaction(None)
            case m.Accepted():
                self.pending.pop(message.command, None)
            case m.Refused() if message.ref == self._introduction and message.ref and message.code != "full":
                return Reaction(None)  # The player goes on without a profile.
            # Another device of the same person took the seat: the profile's secret opens it as well.
            case m.Refused(code="bad-token") if not self.at_table and self._is_of_profile:
                self.token = self.secret()
                return Reaction(None, self._come_back())
            case m.Refused():
                return Reaction(message, self._refused(message))
            case m.Left():
                self.forget()
        return Reaction(message)

    def _give(self) -> tuple[bytes, ...]:
        """Return this client's number for the dice, if it is time for it."""
        assert self.table is not None
        number = self.stake.heed(self.table)
        if not number:
            return ()
        self._stake_ref = self.ref()
        return (codec.encode(m.Number(self._stake_ref, number)),)

    def _have(self) -> int:
        return self.version if self.in_sync else 0

    def _come_back(self) -> tuple[bytes, ...]:
        if self.token:
            return (codec.encode(m.Resume(self.ref(), self.match, self.token, self._have())),)
        if self._watching:
            return (self.watch(*self._watching),)
        return (self._asking[1],) if self._asking[1] else ()

    @property
    def _is_of_profile(self) -> bool:
        """Whether the seat may still be opened by the profile: its token is void if another device of it came."""
        secret = self.secret() if self.token and PROFILE in self.can else b""
        return bool(secret) and secret != self.token

    def _introduce(self) -> tuple[bytes, ...]:
        """Authenticate. This comes after the return to a seat, which is answered even if all places are taken."""
        secret = self.secret() if PROFILE in self.can else b""
        self._introduction = self.ref() if secret else 0
        return (codec.encode_lean(m.Introduce(self._introduction, secret, "", self.device)),) if secret else ()

    def _seated(self, message: m.Seated) -> Reaction:
        if (message.match, message.seat) != (self.match, self.seat):
            self.view, self.version, self.undo = None, 0, 0
        self.match, self.seat, self.token = message.match, message.seat, message.token
        self.stake.forget_sent()
        self._watching, self._asking = None, (0, b"")
        # Numbers go on above those of an earlier run: a used one would be taken for a repetition.
        self._last = max(self._last, message.command)
        return Reaction(message, tuple(self.pending.values()))

    def _refused(self, message: m.Refused) -> tuple[bytes, ...]:
        if message.ref == 0:
            return self._unheard(message)
        # The action stays pending, and is sent again once the table is reached.
        if message.code == "no-table":
            return ()
        # Sent again, not dropped: a refusal of the rate says nothing about the action.
        if message.code == "rate" and message.ref in self.pending:
            return (self.pending[message.ref],)
        self.pending.pop(message.ref, None)
        if message.ref == self._asking[0]:
            self._asking = 0, b""
        if message.code == "bad-token":
            self.forget()
        elif self._watching and message.ref == self._watch_ref:
            self._watching = None
        return ()

    def _unheard(self, message: m.Refused) -> tuple[bytes, ...]:
        """Return what must be sent again after a refusal without a number.

        The server did not read a message, or refused a snapshot. Messages that came too fast are repeated, as they
        would never
        be answered. The server closes a connection that keeps sending too much, and the client reconnects.
        """
        was_requested, self._requested = self._requested, False
        if message.code != "rate":
            return ()
        return (*self.pending.values(), *(self._ask_again().replies if was_requested else ()))

    def _snapshot(self, message: m.Snapshot) -> Reaction:
        self._requested = False
        self.view = codec.decode_plain(message.view)
        self.version, self.digest, self._stale = message.version, message.digest, False
        self.undo = message.undo
        self.mismatches += self._digest() != message.digest
        return Reaction(message, tuple(self.pending.values()))

    def _frame(self, message: m.Frame) -> Reaction:
        if not self.in_sync or self.view is None:
            return self._ask_again()
        # A repeated frame after a reconnect; applying it twice would break the view.
        if message.version <= self.version:
            return Reaction(None)
        if message.version > self.version + 1:
            return self._ask_again()
        self.version, self.digest, self.undo = message.version, message.digest, message.undo
        try:
            delta.patch(self.view, codec.decode_plain(message.delta))
            same = self._digest() == message.digest
        except (delta.BadDelta, codec.BadMessage):
            same = False
        if same:
            return Reaction(message)
        self.mismatches += 1
        return self._ask_again()

    def _ask_again(self) -> Reaction:
        """Ask for a snapshot, once; until it comes, frames are ignored."""
        self._stale = True
        if self._requested:
            return Reaction(None)
        self._requested = True
        return Reaction(None, (codec.encode(m.Sync(self.version)),))

    def _digest(self) -> int:
        return delta.digest(codec.ENCODER.encode(self.view))
