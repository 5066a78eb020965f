"""People who share this computer. Each has a seat and a connection of their own; one of them is at the screen.

The wire knows nothing of it: for the server they are several clients. So a view never reaches another person's
connection, and each seat finds its own way back after a crash. Knows no window.
"""

from collections.abc import Callable, Sequence
from typing import Final

from client.language import _, heard, told
from client.network.model import MatchModel
from client.network.remote_server import RemoteServer
from client.network.server_connection import Arrival, ConnectionState
from client.player.seats import SavedSeat, Seats
from shared import messages as m
from shared.ids import MAX_SEATS
from shared.kernel.ruleset import told_to_all
from shared.tables import SeatKind, TablePhase, fitting

FEWEST: Final = 2
"""Fewest people who share a computer."""


def names_of(words: str) -> tuple[str, ...]:
    """Return the typed names, which commas separate. Raise ValueError for too few, too many, or equal ones."""
    names = tuple(fitting(name) for name in words.split(",") if name.strip())
    if not FEWEST <= len(names) <= MAX_SEATS:
        raise ValueError(_("Name {fewest} to {most} people who share this computer, such as Ada,Bob.",
                           fewest=FEWEST, most=MAX_SEATS))  # fmt: skip
    if len({name.casefold() for name in names}) < len(names):
        raise ValueError(_("People who share this computer need different names."))
    return names


def together(name: str, others: str) -> tuple[str, ...]:
    """Return the names of a player and of the `others` at their computer; () without others. Raise ValueError."""
    return names_of(f"{name},{others}") if others.strip(" ,") else ()


class LocalPlayers:
    """People at this computer. Usually one, with the connection `first`; `share` makes them more."""

    def __init__(self, first: RemoteServer, seats: Seats, complain: Callable[[str], object]) -> None:
        """`complain` shows a sentence to those at the screen."""
        self.first = first
        self.everyone: list[RemoteServer] = [first]
        """Connections of all, in the order of their names."""
        self.at = 0
        """Place of the person at the screen among them."""
        self.hidden = False
        """Whether a curtain hides the table until the person at the screen says that they are there."""
        self._seats = seats
        self._complain = complain
        self._names: tuple[str, ...] = ()
        self._saved: tuple[SavedSeat, ...] = ()
        self._curtain = False

    # Who shares the computer

    def share(self, names: Sequence[str], *, curtain: bool = False) -> None:
        """Note who will share the computer at the next table. `curtain`: also in games without secrets."""
        self._names, self._curtain = tuple(names), curtain
        self._mark(self.first, 0)

    def return_to(self, seat: SavedSeat) -> SavedSeat:
        """Note who shared the computer in that match; return the seat of the first."""
        shared = self._seats.shared(seat)
        if not shared:
            return seat
        self._names, self._saved = tuple(each.person for each in shared), tuple(shared)
        self._curtain = any(each.curtain for each in shared)
        self._mark(self.first, 0)
        return shared[0]

    def end(self) -> None:
        """Disconnect all, and forget who shared the computer."""
        self.disband()
        self.first.end()

    def _mark(self, remote: RemoteServer, place: int) -> None:
        remote.holding.person = self._names[place] if self._names else ""
        remote.holding.curtain = self._curtain

    @property
    def many(self) -> bool:
        """Whether several people share the computer."""
        return len(self._names) > 1

    @property
    def leader(self) -> str:
        """Name of the first of several people; empty for a single player, who uses their own name."""
        return self._names[0] if self._names else ""

    @property
    def current(self) -> RemoteServer:
        """Connection of the person at the screen."""
        return self.everyone[self.at]

    def name(self, place: int) -> str:
        """Return the name of a person."""
        return self._names[place] if place < len(self._names) else ""

    def rename(self, name: str, keep: Callable[[str], object]) -> None:
        """Change the name of the person at the screen; `keep` stores that of a single player for later tables."""
        place = self.at

        def kept(new: str) -> None:
            if not self.many:
                keep(new)
                return
            self._names = (*self._names[:place], new, *self._names[place + 1 :])
            self._mark(self.everyone[place], place)

        self.current.rename(name, kept)

    @property
    def curtained(self) -> bool:
        """Whether a curtain hides the table between two people: always in a game with secrets."""
        match = self.first.match
        return self.many and (self._curtain or match is None or match.rules.event_for is not told_to_all)

    # Their connections

    def complete(self, table: m.TableState) -> bool:
        """Whether all who share the computer sit at that table."""
        return sum(info.kind is SeatKind.PERSON for info in table.seats) >= len(self._names)

    @property
    def arriving(self) -> bool:
        """Whether others are still on their way to the table where the first sits."""
        at_table = self.first.match is not None
        return at_table and (len(self.everyone) < len(self._names) or any(each.match is None for each in self.everyone))

    def update(self) -> bool:
        """Bring the others to the table, and process what arrived for those who are not at the screen."""
        came = False
        self._bring_others()
        # A copy: people who lost their seat are removed from the list meanwhile.
        for remote in list(self.everyone):
            if remote is not self.current:
                came = self._listen(remote) or came
        return came

    def _bring_others(self) -> None:
        match = self.first.match
        if len(self.everyone) >= len(self._names) or match is None or match.table is None or match.seat < 0:
            return None
        if not self._saved and match.table.phase is not TablePhase.GATHERING:
            return self._give_up_others(_("The match has already begun."))
        if all(remote.match is not None for remote in self.everyone):
            self._bring(len(self.everyone), match.table)  # One after the other, so that they sit in this order.
        return None

    def _bring(self, place: int, table: m.TableState) -> None:
        """Connect a person to the server of the first, and let them join or return to the table."""
        remote = RemoteServer(self._seats, self._complain)
        self.everyone.append(remote)
        seat = self._saved[place] if self._saved else None

        def join() -> None:
            if seat is None:
                remote.join(table.match, table.code)

        remote.begin_beside(self.first, self._names[place], join, seat)
        self._mark(remote, place)

    def _give_up_others(self, why: str) -> None:
        """Go on without those who have no seat."""
        self._complain(_("{name} cannot sit down: {why}", name=", ".join(self._names[len(self.everyone) :]), why=why))
        self._names = self._names[: len(self.everyone)] if len(self.everyone) > 1 else ()
        self.first.holding.person = self.leader

    def _drop(self, remote: RemoteServer, why: str) -> None:
        """Go on without a person who lost their seat or got none."""
        place = self.everyone.index(remote)
        self._complain(_("{name} is no longer at this table: {why}", name=self.name(place), why=why))
        remote.end()
        self.everyone.remove(remote)
        self._names = (*self._names[:place], *self._names[place + 1 :])
        # The places behind the dropped one move up; the person at the screen stays there.
        self.at -= place < self.at

    def _listen(self, remote: RemoteServer) -> bool:
        """Process what arrived for a person who is not at the screen."""
        came = False
        for arrival in remote.poll():
            came = True
            remote.hear(arrival)
            self._react_silently(remote, arrival)
        if remote.match is not None:
            remote.holding.follow(remote.match)
        return came

    def _react_silently(self, remote: RemoteServer, arrival: Arrival) -> None:
        """React as the client of the person at the screen does, but without showing anything."""
        match arrival:
            case ConnectionState(kind="gave-up") if remote is not self.first:
                self._drop(remote, arrival.why)
            case m.Welcome():
                remote.enter()
            case m.TableState() if remote.match is None or not remote.match.is_at(arrival):
                remote.sit(arrival)
                remote.bots = ()  # The person at the screen fills the table and begins.
            case m.Seated():
                remote.holding.sit(remote.access, arrival)
            case m.Refused() if remote is not self.first and _without_seat(remote, arrival):
                self._drop(remote, told(arrival))
            case m.Left():
                self._hear_left(remote, arrival)
            case m.Invited() if arrival.ref or self.current.coming or self.current.sequel == arrival.match:
                remote.come_along(arrival)  # They follow the person at the screen to the rematch.
            case _:
                pass

    def _hear_left(self, remote: RemoteServer, left: m.Left) -> None:
        if remote.match is None or remote.match.over or left.code != "left":
            remote.holding.release()
        remote.holding.end()
        if not remote.rise() and remote is not self.first:
            self._drop(remote, heard(left.text))

    def follow_to_rematch(self) -> None:
        """Let the others follow the person at the screen, who has just agreed to a rematch."""
        for remote in self.everyone:
            invited = remote.match.invited if remote.match is not None else None
            if remote is not self.current and invited is not None and not remote.coming:
                remote.come_along(invited)

    def disband(self) -> None:
        """Go on with the first person alone, at no table."""
        for remote in self.everyone[1:]:
            remote.end()
        self.everyone, self.at, self.hidden = [self.first], 0, False
        self._names, self._saved, self._curtain = (), (), False
        self._mark(self.first, 0)

    def leave(self) -> bool:
        """Leave the table with all who share the computer; return False while there is no connection."""
        for remote in self.everyone:
            if remote is not self.current:
                remote.access.leave()
        return self.current.access.leave()

    # Who comes to the screen

    def due_player(self) -> int | None:
        """Return the person who must come to the screen now, None if there is no need to change.

        A vote comes before a turn: the person at the screen may be the one who asked for it. Of several people who owe
        at once each is asked in turn.
        """
        if not self.many:
            return None
        # It begins with the person at the screen: they finish before another one is called.
        order = [(self.at + step) % len(self.everyone) for step in range(len(self.everyone))]
        for owes in (_votes, _decides):
            owing = [place for place in order if owes(self.everyone[place].match)]
            if owing:
                return owing[0] if owing[0] != self.at else None
        return None

    def hide(self, place: int) -> None:
        """Draw the curtain for a person, who is at the screen from now on."""
        self._take(place)
        self.hidden = True

    def sit(self, place: int) -> None:
        """Let a person take the screen without a curtain."""
        self._take(place)
        self.hidden = False

    def _take(self, place: int) -> None:
        before, self.at = self.current, place
        # What a person misses is recorded from the moment at which another one takes the screen.
        if before is not self.current and before.match is not None:
            before.match.step_aside()


def _without_seat(remote: RemoteServer, refused: m.Refused) -> bool:
    """Whether a refusal means that this person has no seat."""
    return remote.match is None or remote.coming or refused.code == "bad-token"


def _votes(match: MatchModel | None) -> bool:
    return match is not None and not match.over and match.voting.awaits(match.seat)


def _decides(match: MatchModel | None) -> bool:
    return match is not None and match.is_mine
