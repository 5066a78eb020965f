"""A visit to a server, from knocking to hanging up: what is known there, and what one asks for. Knows no window."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TypeAlias

from msgspec import Struct

from client.language import _
from client.network.held_seat import HeldSeat
from client.network.match_history import MatchHistory
from client.network.model import LobbyModel, MatchModel
from client.network.server_access import ServerAccess
from client.network.server_connection import Arrival, ConnectionState
from client.player.profiles import Profiles
from client.player.seats import SavedSeat, Seats, is_private
from client.player.table_options import TableOptions
from protocol import codec
from shared.codes import plain_code
from shared.kernel.versions import as_of
from shared.levels import NORMAL
from shared.messages import Invited, Join, Listen, OpenLobby, Rematch, SetBot, ShowHand, Start, TableState
from shared.rulesets import registry
from shared.tables import ANY_SEAT, Arrangement, SeatKind, TablePhase

Wish: TypeAlias = Callable[[], object]
"""What to do once a server has answered."""


class RemoteServer:
    """At most one at a time; the models are fresh with each. `complain` tells the player what cannot be."""

    def __init__(
        self, seats: Seats, complain: Callable[[str], object], known: Callable[[], Profiles | None] = lambda: None
    ) -> None:
        """`known`: as in `ServerAccess`."""
        self.known = known
        self.access = ServerAccess(known)
        self.holding = HeldSeat(seats, complain)
        self.lobby = LobbyModel()
        self.match: MatchModel | None = None
        self.memory = MatchHistory(self.ref, self.access.send)
        self.trouble = ""
        """What keeps the connection down, in a sentence; empty while all is well."""
        self.joining: tuple[str, str] | None = None
        """Id and code of the table at which we last wished to sit down."""
        self.bots: tuple[str, ...] = ()
        """Bots to put on all free seats of the table that is being made, to start it at once."""
        self._guests: dict[str, tuple[str, ...]] = {}
        """Others with a seat, by table, where the server is ours."""
        self.listens = False
        """Whether the player wishes to hear those who look on."""
        self.coming = False
        """Whether we are on the way to the next table of the same people."""
        self.sequel = ""
        """The id of the table to which we came along last."""
        self.handing_back = False
        """Whether we came only to leave our seat for good."""
        self._complain = complain
        self._wish: Wish | None = None
        """What we came for, until the server has greeted us."""
        self._then: Wish | None = None
        """What to do once we have risen from the table."""

    # From knocking to hanging up

    def begin(self, address: str, name: str, wish: Wish, seat: SavedSeat | None = None) -> bool:
        """Go to a server and carry out `wish` once it has greeted us; False for an address that cannot be one.

        `address` is what was typed, or PRIVATE or HOSTED: then a server is started first. `seat` is taken up again.
        """
        self.end()
        try:
            self.access.open(address, name, seat)
        except ValueError as error:
            self._complain(str(error))
            return False
        self.holding.begin(seat)
        self._wish = wish
        return True

    def end(self) -> None:
        """Hang up, stop the server if it is ours, and forget what was known there."""
        if self.match is not None:
            self.holding.follow(self.match)
        self.holding.end()
        self.memory.forget()
        self.access.close()
        self.match = self._wish = self._then = self.joining = None
        self.bots, self.trouble = (), ""
        self.handing_back = self.coming = False
        self.lobby = LobbyModel()
        self._guests = {}

    @property
    def guests(self) -> tuple[str, ...]:
        """Who else has a seat at a server of ours that would end with us, as far as we know."""
        if not self.access.hosting:
            return ()
        known = [name for names in self._guests.values() for name in names]
        going = [table for table in self.lobby.tables.values() if table.phase != TablePhase.OVER]
        return (
            *known,
            *(_("somebody at {title}", title=t.title) for t in going if t.match not in self._guests and t.taken),
        )

    @property
    def begun(self) -> bool:
        """Whether there is a server that we talk to, or wait for."""
        return self.access.session is not None

    @property
    def knocking(self) -> bool:
        """Whether the server has not greeted us yet."""
        return self._wish is not None

    # The list of tables

    def list_tables(self, ruleset: str = "", gathering: bool = False) -> None:
        """Ask for the list, to be kept up to date."""
        self.lobby = LobbyModel(ruleset, gathering)
        self.access.send(self.lobby.first_page(self.ref()))

    def list_more(self) -> None:
        """Ask for the next page of the list, if there is one."""
        if self.lobby.more:
            self.access.send(self.lobby.next_page(self.ref()))

    def close_list(self) -> None:
        """The list need not be kept up to date any longer."""
        self.access.send(OpenLobby(self.ref(), False))

    # What arrives

    def poll(self) -> Iterable[Arrival]:
        """What came since last time, until one hangs up."""
        for arrival in self.access.poll():
            yield arrival
            if not self.begun:
                return

    def hear(self, arrival: Arrival) -> None:
        """Something arrived: the models take it in."""
        if isinstance(arrival, ConnectionState):
            self._hear_link(arrival)
            return
        self.lobby.hear(arrival)
        self.memory.hear(arrival)
        if isinstance(arrival, TableState):
            self._guests[arrival.match] = _guests_of(arrival)
        if self.match is not None:
            try:
                self.match.hear(arrival)
            except codec.UNREADABLE:
                self.access.distrust()  # A position that is none of this game's.

    def _hear_link(self, state: ConnectionState) -> None:
        if state.kind == "up":
            self.trouble = ""
        elif state.kind == "lost":
            self.trouble = _("{why} Trying again …", why=state.why)

    def enter(self) -> None:
        """The server has greeted us: carry out what we came for."""
        wish, self._wish = self._wish, None
        if wish is not None:
            wish()

    def sit(self, table: TableState) -> None:
        """We are at a table now, on a seat or beside it. ValueError: it plays a rule set that we do not know."""
        assert self.access.session is not None
        rules = registry.ruleset(table.ruleset)
        # A newer server's rules are unknown here; the newest ones that there are come closest.
        rules = as_of(rules, table.version) or rules
        self.match = MatchModel(rules, table, self.access.session, self.access.send)
        self.joining = None
        self.coming = False

    def fill(self, table: TableState) -> None:
        """Put a bot on the first free seat; once there is none, start."""
        free = free_seats(table)
        if free:
            here = sum(info.kind == SeatKind.BOT for info in table.seats)
            self.send(SetBot(self.ref(), free[0], self.bots[min(here, len(self.bots) - 1)]))
        else:
            self.bots = ()
            self.send(Start(self.ref()))

    def rise(self) -> bool:
        """We are at no table any more; whether we only change the seat, and are on the way to the other."""
        wish, self._then = self._then, None
        self.match = None
        if wish is not None:
            wish()
        return wish is not None

    # What one asks for

    def create(self, plan: TableOptions, bots: tuple[str, ...] = ()) -> None:
        """Make that table; with levels of `bots`, put them on all other seats and begin."""
        self.bots = bots
        self.send(plan.request(self.ref()))

    def send(self, message: Struct | bytes) -> bool:
        """Send to the server; says so and returns False while there is no connection."""
        sent = self.access.send(message)
        if not sent:
            self._complain(_("There is no connection to the server at the moment."))
        return sent

    def can(self, what: str) -> bool:
        """Whether this server understands what not every one does; see `Welcome.can`."""
        return self.access.session is not None and what in self.access.session.can

    def ref(self) -> int:
        """A fresh number for a request."""
        return self.access.ref()

    def join(self, match: str, code: str = "", seat: int = ANY_SEAT) -> None:
        """Sit down at a table, by its id or by its code; look on where the match has begun."""
        self.joining = match, plain_code(code)
        self.send(Join(self.ref(), match, plain_code(code), seat))

    def watch(self, match: str, code: str = "") -> None:
        """Look on at a table, by its id or by its code."""
        if self.access.session is not None:
            self.send(self.access.session.watch(match, plain_code(code)))

    def listen(self, on: bool) -> None:
        """Hear those who look on while we play, or no longer; here and at all tables to come."""
        self.listens = on
        self.send(Listen(self.ref(), on))

    def show_hand(self, on: bool = True) -> None:
        """Let our hand be read on another device, or (`on` false) on none any more."""
        self.send(ShowHand(self.ref(), on))

    def rematch(self, seats: Arrangement) -> None:
        """After the end: once more with the same people."""
        self.send(Rematch(self.ref(), seats))

    def come_along(self, invited: Invited) -> None:
        """To the next table of the same people; against bots alone the match begins at once."""
        session = self.access.session
        if session is None:
            return
        self.coming = True
        self.sequel = invited.match
        self.bots = (NORMAL,) if is_private(self.access.address) else ()
        if invited.seat < 0:
            self._then = lambda: self.watch(invited.match, invited.code)
        else:
            self._then = lambda: self.send(session.take(invited.match, invited.token))
        self.access.leave()

    def step_back(self) -> None:
        """Leave the seat that we were given, and look on again."""
        if self.match is not None and self.match.table is not None:
            table = self.match.table
            self._then = lambda: self.watch(table.match, table.code)
            self.access.leave()

    def lose_way(self) -> None:
        """The next table of the same people has no place for us any more: we are at none."""
        self.coming = False
        self.bots = ()
        if self.access.session is not None:
            self.access.session.forget()

    def change_seat(self, seat: int) -> None:
        """Before the start: take another seat of this table, or one instead of looking on."""
        if self.match is None or self.match.table is None:
            return
        table = self.match.table
        self._then = lambda: self.send(Join(self.ref(), table.match, table.code, seat))
        self.access.leave()


def free_seats(table: TableState) -> list[int]:
    """Where nobody sits yet."""
    return [seat for seat, info in enumerate(table.seats) if info.kind == SeatKind.FREE]


def _guests_of(table: TableState) -> tuple[str, ...]:
    """The others who play there, or mean to, and those who look on."""
    if table.phase == TablePhase.OVER:
        return ()
    people = (SeatKind.PERSON, SeatKind.AWAY, SeatKind.STAND_IN)
    seats = enumerate(table.seats)
    names = [info.name for seat, info in seats if seat != table.you and info.kind in people]
    onlookers = table.watchers - (table.you < 0)
    return (*names, _("{onlookers} looking on", onlookers=onlookers)) if onlookers else tuple(names)
