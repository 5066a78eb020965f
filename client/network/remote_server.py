"""Server that the client uses, from connecting to disconnecting: its tables and our requests. Knows no window."""

from collections.abc import Callable, Iterable
from time import monotonic, time
from typing import Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from client.language import _, heard
from client.network.match_history import MatchHistory
from client.network.model import LobbyModel, MatchModel
from client.network.nearby import Nearby
from client.network.play_now import PlayNow
from client.network.server_access import ServerAccess
from client.network.server_connection import HOPELESS, NO_GAME, OTHER_NAME, UNKNOWN, Arrival, ConnectionState
from client.player.profiles import Profiles
from client.player.seats import HOSTED, SavedSeat, Seats, State, is_private
from client.player.table_options import TableOptions, usual_title
from protocol import codec
from protocol.links import sight_of
from protocol.routes import is_local_only, routes_of
from shared.codes import table_in
from shared.ids import NATURE
from shared.kernel.ruleset import as_of
from shared.levels import NORMAL
from shared.messages import (
    Done,
    Invited,
    Join,
    Listen,
    OpenLobby,
    PublicAddress,
    Refused,
    Rematch,
    Rename,
    Seated,
    SetBot,
    ShowHand,
    Start,
    TableState,
)
from shared.rulesets import registry
from shared.tables import ANY_SEAT, OPERATOR_PAGES, Arrangement, SeatKind, TablePhase

_PAUSE: Final = 5.0
"""Seconds between two saves of whose turn it is."""
_STATES: Final[dict[TablePhase, State]] = {
    TablePhase.GATHERING: "gathering", TablePhase.PLAYING: "playing", TablePhase.OVER: "over",
}  # fmt: skip


class HeldSeat:
    """Seat that this client holds at the server. `seat`: the saved seat, also while we are returning to it."""

    def __init__(self, seats: Seats, complain: Callable[[str], object]) -> None:
        self.seat: SavedSeat | None = None
        self.person, self.curtain = "", False
        """As in `SavedSeat`, for the next seat."""
        self._seats = seats
        self._complain = complain
        self._written: SavedSeat | None = None
        self._noted_at = 0.0
        self._followed: tuple[TableState | None, int] = (None, -1)
        self.left_at = 0
        """Version last seen at the seat to which we returned; 0 if unknown."""
        self.left_on = 0.0
        """Time of that version, in seconds since 1970."""

    def begin(self, seat: SavedSeat | None) -> None:
        """Start a connection, perhaps to return to that seat."""
        self.seat = self._written = seat
        self._followed = (None, -1)
        self.left_at, self.left_on = (0, 0.0) if seat is None else (seat.version, seat.seen)

    def sit(self, access: ServerAccess, seated: Seated) -> None:
        """Save the seat that the server gave us, or the next token of ours."""
        before = self.seat if self.seat is not None and self.seat.match == seated.match else None
        port = access.port if access.address == HOSTED else 0
        seat = before or SavedSeat(access.address, seated.match, b"", port=port, public=access.opens_router)
        self.seat = replace(seat, token=seated.token, seat=seated.seat, seen=time(), state="playing",
                            secure=access.secure, person=self.person, curtain=self.curtain)  # fmt: skip
        try:
            self._seats.keep(self.seat)
            self._written = self.seat
        except OSError as error:
            self._complain(f"The way back to this seat cannot be kept ({error.strerror}).")
        # The key contains the number of the seat, so that the old file would stay behind.
        if before is not None and before.key != self.seat.key:
            self._seats.forget(before)

    def follow(self, match: MatchModel) -> None:
        """Save the match's status: our own turns at once, those of others only every few seconds."""
        position = (match.table, match.version)
        if (
            self.seat is None
            or match.table is None
            or match.table.match != self.seat.match
            or position == self._followed
        ):
            return
        self._followed = position
        fresh = self.seat = _as_it_stands(self.seat, match, match.table)
        written = self._written
        same = written is not None and fresh == replace(written, mine=fresh.mine, turn=fresh.turn, since=fresh.since,
                                                        until=fresh.until, version=fresh.version)  # fmt: skip
        if not same or (fresh != written and monotonic() > self._noted_at + _PAUSE):
            self._note()

    def end(self) -> None:
        """End the connection and save the seat."""
        if self.seat is not None and self.seat != self._written:
            self._note()
        self.seat = self._written = None

    def lose(self) -> None:
        """Mark the seat as gone: its server does not keep it. The list shows it until it is tidied."""
        if self.seat is not None:
            self.seat = replace(self.seat, state="gone", mine=False, turn="")
            self._note()

    def release(self) -> None:
        """Forget the seat: it is no longer ours."""
        if self.seat is not None:
            self._seats.forget(self.seat)
        self.seat = self._written = None

    def _note(self) -> None:
        if self.seat is not None:
            self._noted_at = monotonic()
            self._written = self.seat = replace(self.seat, seen=time() if self.seat.live else self.seat.seen)
            self._seats.note(self.seat)


def _as_it_stands(seat: SavedSeat, match: MatchModel, table: TableState) -> SavedSeat:
    others = tuple(match.name(i) for i, info in enumerate(table.seats) if i != table.you and info.kind != SeatKind.FREE)
    state: State = "over" if match.over else _STATES[table.phase]
    owed = match.owed() if state == "playing" else ()
    turn = ", ".join(match.name(i) for i in owed if i not in (seat.seat, NATURE))
    fresh = replace(seat, title=table.title, game=table.ruleset, people=others, state=state, mine=seat.seat in owed,
                    turn=turn, unread=0, version=match.version, bound=match.stake.commitment,
                    number=match.stake.number,
                    round=match.rules.rounds(match.view) if match.view is not None else seat.round)  # fmt: skip
    left = match.seconds_left()
    since = seat.since if (fresh.mine, fresh.turn) == (seat.mine, seat.turn) else time()
    return replace(fresh, since=since if owed else 0.0, until=time() + left if left is not None else 0.0)


_HOMES: Final = 3
"""Servers nearby that are tried in place of a public address."""
_ANSWERS: Final = (UNKNOWN, NO_GAME, OTHER_NAME, *HOPELESS.values())
"""Reasons for which another way to the same server would be of no use."""
_AT_HOME: Final = _("If its host is in your own network, use the home link, which the host sees too.")
Wish: TypeAlias = Callable[[], object]
"""Action to carry out once a server has answered."""


class RemoteServer:
    """Connection to at most one server at a time, with new models for each. `complain` shows the player an error."""

    def __init__(
        self, seats: Seats, complain: Callable[[str], object], profiles: Callable[[], Profiles | None] = lambda: None
    ) -> None:
        """`profiles`: as in `ServerAccess`."""
        self.profiles = profiles
        self.access = ServerAccess(profiles)
        self.holding = HeldSeat(seats, complain)
        self.lobby = LobbyModel()
        self.match: MatchModel | None = None
        self.now = PlayNow(self.send, self.ref)
        self.memory = MatchHistory(self.ref, self.access.send)
        self.trouble = ""
        """Reason why the connection is down, in a sentence; empty if all is well."""
        self.joining: tuple[str, str] | None = None
        """Id and code of the table that we last asked to join."""
        self._told_pages: list[str] = []
        self.bots: tuple[str, ...] = ()
        """Bots for all free seats of the table that is being created, to start it at once."""
        self._guests: dict[str, tuple[str, ...]] = {}
        """Other people with a seat, by table, if the server is ours."""
        self.public: PublicAddress | None = None
        """Report of the server on its address for clients elsewhere; None before it came."""
        self.listens = False
        """Whether the player wants to see the spectators' chat."""
        self.coming = False
        """Whether we are joining the rematch."""
        self.sequel = ""
        """Id of the rematch that we joined last."""
        self.handing_back = False
        """Whether we connected only to leave our seat for good."""
        self._complain = complain
        self._wish: Wish | None = None
        """Action to carry out once the server has greeted us."""
        self.nearby: Nearby | None = None
        """Servers nearby, where the program may look for them."""
        self._tried: list[str] = []
        """Public address that we try to reach, and the servers nearby that were tried instead; else empty."""
        self._reason = ""
        """Sentence on why the public address cannot be reached."""
        self._person = ""
        """Name in the greeting."""
        self._renaming: tuple[int, str, Callable[[str], object]] | None = None
        """Unanswered request for another name: its number, the name, and the function that keeps it."""
        self._then: Wish | None = None
        """Action to carry out once we have left the table."""

    # Connecting and disconnecting

    def begin(self, address: str, name: str, wish: Wish, seat: SavedSeat | None = None) -> bool:
        """Connect to a server and carry out `wish` once it has greeted us; return False for an invalid address.

        `address` is the typed text, or PRIVATE or HOSTED, for which a server is started first. `seat` is taken up
        again.
        """
        self.end()
        try:
            self.access.open(address, name, seat)
        except ValueError as error:
            self._complain(heard(str(error)))
            return False
        self.holding.begin(seat)
        self._wish, self._person = wish, name
        abroad = not (address == HOSTED or is_private(address) or is_local_only(routes_of(address)[-1]))
        self._tried = [address] if abroad and seat is None else []
        return True

    def begin_beside(self, other: "RemoteServer", name: str, wish: Wish, seat: SavedSeat | None = None) -> None:
        """Connect another person at this computer to the server of `other`, with the same arguments as `begin`."""
        self.end()
        self.access.open_beside(other.access, name, seat)
        self.holding.begin(seat)
        self._wish = wish

    def end(self) -> None:
        """Disconnect, stop the server if it is ours, and forget its state."""
        if self.match is not None:
            self.holding.follow(self.match)
        self.holding.end()
        self.memory.forget()
        self.access.close()
        self._stop_looking()
        self.match = self._wish = self._then = self.joining = None
        self.bots, self.trouble = (), ""
        self.handing_back = self.coming = False
        self.public = None
        self.lobby, self.now = LobbyModel(), PlayNow(self.send, self.ref)
        self._guests = {}

    @property
    def guests(self) -> tuple[str, ...]:
        """Return the known people with a seat at a server of ours that would end with us."""
        if not self.access.hosting:
            return ()
        people = [name for names in self._guests.values() for name in names]
        going = [table for table in self.lobby.tables.values() if table.phase != TablePhase.OVER]
        return (
            *people,
            *(_("a player at {title}", title=t.title) for t in going if t.match not in self._guests and t.taken),
        )

    @property
    def begun(self) -> bool:
        """Whether there is a server that we are connected to or wait for."""
        return self.access.session is not None

    @property
    def knocking(self) -> bool:
        """Whether the server has not greeted us yet."""
        return self._wish is not None

    # The list of tables

    def list_tables(self, ruleset: str = "", gathering: bool = False) -> None:
        """Request the list, which the server then keeps up to date."""
        self.lobby = LobbyModel(ruleset, gathering)
        self.access.send(self.lobby.first_page(self.ref()))

    def list_more(self) -> None:
        """Request the next page of the list, if there is one."""
        if self.lobby.more:
            self.access.send(self.lobby.next_page(self.ref()))

    def close_list(self) -> None:
        """Stop the updates of the list."""
        self.access.send(OpenLobby(self.ref(), False))

    # Messages that arrive

    def poll(self) -> Iterable[Arrival]:
        """Yield what arrived since the last call; stop after a disconnection."""
        if self._tried and self.nearby is not None:
            self.nearby.listen(True)
        for arrival in self.access.poll():
            if self._tried and isinstance(arrival, ConnectionState) and arrival.kind == "gave-up":
                if len(self._tried) == 1:
                    self._reason = arrival.why if arrival.why in _ANSWERS else f"{arrival.why} {_AT_HOME}"
                if self._reason not in _ANSWERS and self._go_nearby():
                    return
                arrival = ConnectionState("gave-up", self._reason)
            yield arrival
            # The caller may have disconnected while it handled the arrival.
            if not self.begun:
                return

    def _go_nearby(self) -> bool:
        """Try the next server nearby in place of a public address; return whether there is one.

        Many routers do not lead their own public address back into the home.
        """
        found = [] if self.nearby is None else [near.address for near in self.nearby.tables]
        home = next((address for address in found if address not in self._tried), "")
        if not home or len(self._tried) > _HOMES:
            return False
        self._complain(_("{address} cannot be reached from here. Trying {home} in this network …",
                         address=self._tried[-1], home=home))  # fmt: skip
        self._tried.append(home)
        self.access.open(home, self._person)
        return True

    def _stop_looking(self) -> None:
        """Look no longer for servers nearby."""
        if self._tried and self.nearby is not None:
            self.nearby.listen(False)
        self._tried = []

    def hear(self, arrival: Arrival) -> None:
        """Pass a message or a change of the connection to the models."""
        if isinstance(arrival, ConnectionState):
            self._hear_link(arrival)
            return
        self.lobby.hear(arrival)
        self.now.hear(arrival)
        self.memory.hear(arrival)
        if isinstance(arrival, TableState):
            self._guests[arrival.match] = _guests_of(arrival)
        elif isinstance(arrival, Done | Refused):
            self._hear_name(arrival)
        elif isinstance(arrival, PublicAddress):
            self.public = arrival
        if self.match is not None:
            try:
                self.match.hear(arrival)
            except codec.UNREADABLE:
                self.access.distrust()  # The position is not one of this game.

    def _hear_link(self, state: ConnectionState) -> None:
        if state.kind == "up":
            self.trouble = ""
        elif state.kind == "lost":
            self.trouble = _("{why} Trying again …", why=state.why)

    def _hear_name(self, answer: Done | Refused) -> None:
        """Keep the new name once the server has accepted it."""
        if self._renaming is not None and self._renaming[0] == answer.ref:
            _ref, name, keep = self._renaming
            self._renaming = None
            if isinstance(answer, Done) and self.access.session is not None:
                self.access.session.name = name
                keep(name)

    def enter(self) -> None:
        """Carry out the action for which we connected, after the server's greeting."""
        self._stop_looking()
        wish, self._wish = self._wish, None
        if wish is not None:
            wish()

    def sit(self, table: TableState) -> None:
        """Take our place at a table, on a seat or as spectator. Raise ValueError if its rule set is unknown."""
        assert self.access.session is not None
        rules = registry.ruleset(table.ruleset)
        # A newer server may use unknown rules; the newest known ones come closest.
        rules = as_of(rules, table.version) or rules
        self.match = MatchModel(rules, table, self.access.session, self.access.send)
        self.joining = None
        self.coming = False

    def fill(self, table: TableState) -> None:
        """Put a bot on the first free seat; if there is none, start."""
        free = free_seats(table)
        if free:
            here = sum(info.kind == SeatKind.BOT for info in table.seats)
            # The last level is that of all further bots.
            self.send(SetBot(self.ref(), free[0], self.bots[min(here, len(self.bots) - 1)]))
        else:
            self.bots = ()
            self.send(Start(self.ref()))

    def rise(self) -> bool:
        """Note that we left the table; return whether we only change seats and are about to take another."""
        wish, self._then = self._then, None
        self.match = None
        if wish is not None:
            wish()
        return wish is not None

    # Requests

    def create(self, plan: TableOptions, bots: tuple[str, ...] = ()) -> None:
        """Create that table; with levels of `bots`, put them on all other seats and begin. Without a title it is named
        after the player."""
        self.bots = bots
        if not plan.title and (session := self.access.session):
            plan = replace(plan, title=usual_title(session.name))
        self.send(plan.request(self.ref()))

    def send(self, message: Struct | bytes) -> bool:
        """Send to the server; without a connection, tell the player and return False."""
        sent = self.access.send(message)
        if not sent:
            self._complain(_("There is no connection to the server at the moment."))
        return sent

    def can(self, what: str) -> bool:
        """Whether this server has an optional ability, as listed in `Welcome.can`."""
        return self.access.session is not None and what in self.access.session.can

    def operator_pages(self) -> list[str]:
        """Return the addresses of the pages on which the operator says what holds there."""
        link = self.access.link
        return [sight_of(link.url) + name for name in OPERATOR_PAGES if self.can(name)] if link is not None else []

    def take_page_words(self) -> list[str]:
        """Return where the operator says what holds there; nothing if that was taken before."""
        pages, before = self.operator_pages(), self._told_pages
        self._told_pages = pages
        if not pages or pages == before:
            return []
        return [_("What holds here, and who runs this server: {pages}", pages=" ".join(pages))]

    def ref(self) -> int:
        """Return a fresh number for a request."""
        return self.access.ref()

    def join(self, match: str, code: str = "", seat: int = ANY_SEAT) -> None:
        """Join a table by its id or its code; watch it if the match has begun."""
        if not match:
            match, code = table_in(code)
        self.joining = match, code
        self.send(Join(self.ref(), match, code, seat))

    def watch(self, match: str, code: str = "") -> None:
        """Watch a table, by its id or by its code."""
        if self.access.session is not None:
            self.send(self.access.session.watch(*((match, code) if match else table_in(code))))

    def rename(self, name: str, keep: Callable[[str], object]) -> None:
        """Ask for another name at this table; call `keep` with it once the server has accepted it."""
        ref = self.ref()
        if self.send(Rename(ref, name)):
            self._renaming = ref, name, keep

    def listen(self, on: bool) -> None:
        """Switch the spectators' chat on or off, here and at all later tables."""
        self.listens = on
        self.send(Listen(self.ref(), on))

    def show_hand(self, on: bool = True) -> None:
        """Let another device show our hand, or stop all devices that do (`on` false)."""
        self.send(ShowHand(self.ref(), on))

    def rematch(self, seats: Arrangement) -> None:
        """Ask for a rematch with the same people, after the end."""
        self.send(Rematch(self.ref(), seats))

    def come_along(self, invited: Invited) -> None:
        """Join the rematch; against bots alone it begins at once."""
        session = self.access.session
        if session is None:
            return
        self.coming = True
        self.sequel = invited.match
        self.bots = (NORMAL,) if is_private(self.access.address) else ()
        # We must have left this table first; `rise` carries this out.
        if invited.seat < 0:
            self._then = lambda: self.watch(invited.match, invited.code)
        else:
            self._then = lambda: self.send(session.take(invited.match, invited.token))
        self.access.leave()

    def come_to_found(self) -> bool:
        """Go to the table that was found for us, once all have confirmed; return whether we are on the way."""
        called, session = self.now.summons, self.access.session
        if called is None or not called.match or session is None or self.sequel == called.match:
            return False
        secret, self.sequel, self.now.summons = session.secret(), called.match, None
        self._then = lambda: self.send(session.take(called.match, secret))
        if self.match is not None:
            self.access.leave()
        else:
            self.rise()
        return True

    def step_back(self) -> None:
        """Give up the seat that we were given, and watch again."""
        if self.match is not None and self.match.table is not None:
            table = self.match.table
            self._then = lambda: self.watch(table.match, table.code)
            self.access.leave()

    def lose_way(self) -> None:
        """Note that the rematch has no place for us: we are at no table."""
        self.coming = False
        self.bots = ()
        if self.access.session is not None:
            self.access.session.forget()

    def change_seat(self, seat: int) -> None:
        """Take another seat of this table before the start, also as a spectator."""
        if self.match is None or self.match.table is None:
            return
        table = self.match.table
        self._then = lambda: self.send(Join(self.ref(), table.match, table.code, seat))
        self.access.leave()


def free_seats(table: TableState) -> list[int]:
    """Return the free seats."""
    return [seat for seat, info in enumerate(table.seats) if info.kind == SeatKind.FREE]


def _guests_of(table: TableState) -> tuple[str, ...]:
    """Return the other people with a seat at the table, and its spectators."""
    if table.phase == TablePhase.OVER:
        return ()
    people = (SeatKind.PERSON, SeatKind.AWAY, SeatKind.STAND_IN)
    seats = enumerate(table.seats)
    names = [info.name for seat, info in seats if seat != table.you and info.kind in people]
    onlookers = table.watchers - (table.you < 0)
    return (*names, _("{onlookers} watching", onlookers=onlookers)) if onlookers else tuple(names)
