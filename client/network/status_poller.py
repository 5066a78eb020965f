"""Poller that asks all servers of this player for the status of their matches, now and then. Knows no window."""

from collections.abc import Iterator
from time import monotonic, sleep, time
from typing import Final

from msgspec.structs import replace

from client.language import _
from client.network.status_query import HELD, ServerAnswer, ServerQuery, StatusQuery
from client.player.match_status import is_awaited
from client.player.profiles import Profile, Profiles, place_of
from client.player.seats import SavedSeat, Seats, State, is_private
from client.player.settings import Settings
from shared.messages import Holding, SeatInfo
from shared.tables import BOT_NAMES, SeatKind, TablePhase

PAUSE: Final = 60.0
"""Seconds from one round to the next."""
_STATES: Final[dict[TablePhase, State]] = {
    TablePhase.GATHERING: "gathering", TablePhase.PLAYING: "playing", TablePhase.OVER: "over",
}  # fmt: skip


class StatusPoller:
    """Poller of all known servers. Results are written into the files of the seats."""

    def __init__(self, seats: Seats, profiles: Profiles, settings: Settings) -> None:
        self._seats = seats
        self._profiles = profiles
        self._settings = settings
        self._query: StatusQuery | None = None
        self._asked_at = -PAUSE
        self._trouble: dict[str, str] = {}
        """Reasons why servers did not answer, in sentences, by server."""
        self._missing: set[str] = set()
        """Seats unknown to the server that answered.

        They are kept, because another server may use the same address now.
        """
        self.waiting = 0
        """Number of matches with other people that wait for this player, as far as is known."""
        self.news = 0
        """Counter that rises whenever anything was learnt."""

    @property
    def asking(self) -> bool:
        """Whether answers are still awaited."""
        return self._query is not None

    def trouble(self, seat: SavedSeat) -> str:
        """Return why there is no news of a seat, in a sentence; empty if all is well."""
        if not seat.live:
            return ""
        missing = _("The server at that address does not know this match.") if seat.key in self._missing else ""
        return missing or self._trouble.get(place_of(seat.address), "")

    def _waiting(self) -> int:
        seats = [seat for seat in self._seats.all() if seat.key not in self._missing]
        return sum(is_awaited(seat) for seat in seats)

    def ask(self, *, at_once: bool = False) -> None:
        """Start a round, unless one is running or the last one was recent."""
        if self.asking or (monotonic() - self._asked_at < PAUSE and not at_once):
            return
        self._asked_at = monotonic()
        questions = list(self._questions())
        self.waiting = self._waiting()
        if questions:
            self._query = StatusQuery(questions)

    def update(self) -> bool:
        """Take in the answers; return whether there were any."""
        answers = self._query.take() if self._query is not None else []
        for answer in answers:
            self._hear(answer)
        if self._query is not None and self._query.done:
            self._query = None
        if answers:
            self.news += 1
            self.waiting = self._waiting()
        return bool(answers)

    def wait(self) -> None:
        """Wait for all answers or failures; only for programs without a window."""
        while self.asking:
            self.update()
            sleep(0.02)

    def _questions(self) -> Iterator[ServerQuery]:
        """Yield a question for each server that is worth asking."""
        profiles = {profile.place: profile for profile in self._profiles.all()} if self._settings.known else {}
        seats = [seat for seat in self._seats.all() if not seat.private]
        addresses = [profile.address for profile in profiles.values()] + [seat.address for seat in seats if seat.live]
        address_of = {place_of(address): address for address in addresses}
        for place, address in address_of.items():
            if not is_private(address):
                there = [seat for seat in seats if place_of(seat.address) == place]
                yield self._question(address, there, profiles.get(place))

    def _question(self, address: str, seats: list[SavedSeat], profile: Profile | None) -> ServerQuery:
        held = tuple((seat.match, seat.token) for seat in seats if seat.live)[:HELD]
        secure = any(seat.secure for seat in seats) or (profile is not None and profile.secure)
        return ServerQuery(address, self._settings.name, held, b"" if profile is None else profile.secret, secure)

    def _hear(self, answer: ServerAnswer) -> None:
        place = place_of(answer.query.address)
        self._trouble.pop(place, None)
        if answer.why:
            self._trouble[place] = answer.why
            return
        held_here = [seat for seat in self._seats.all() if place_of(seat.address) == place]
        matches = {found.match for found in answer.seats}
        self._missing -= {seat.key for seat in held_here}
        for seat in held_here:
            found = next((each for each in answer.seats if (each.match, each.seat) == (seat.match, seat.seat)), None)
            if found is not None:
                self._note(seat, found, answer.query)
            elif (seat.match, seat.token) in answer.query.held and seat.match not in matches:
                self._missing.add(seat.key)
        self._add(answer, {seat.match for seat in held_here})

    def _note(self, seat: SavedSeat, found: Holding, query: ServerQuery) -> None:
        """Save the present status of a known seat.

        On another device the profile may have taken the seat, which makes this token void. Meanwhile we may have
        returned to the seat and got a new token.
        """
        fresh = _with_status(seat, found)
        self._seats.note(fresh)
        if found.known and (seat.match, seat.token) in query.held:
            self._seats.rekey(fresh, query.secret)

    def _add(self, answer: ServerAnswer, matches: set[str]) -> None:
        """Save seats that were taken on other devices, except those that are over or were left for good."""
        profile = self._profiles.of(answer.query.address)
        dismissed = profile.dismissed if profile is not None else ()
        for found in answer.seats:
            if found.known and found.match not in (*matches, *dismissed) and found.phase != TablePhase.OVER:
                secure = profile is not None and profile.secure
                seat = SavedSeat(answer.query.address, found.match, answer.query.secret, seat=found.seat, secure=secure)
                self._seats.keep(_with_status(seat, found))


def _with_status(seat: SavedSeat, found: Holding) -> SavedSeat:
    names = [called(number, info) for number, info in enumerate(found.seats)]
    others = tuple(name for number, name in enumerate(names) if number != found.seat and name)
    playing = found.phase == TablePhase.PLAYING
    turn = ", ".join(names[number] for number in found.owed if number != found.seat and number < len(names))
    now = time()
    return replace(seat, title=found.title, game=found.ruleset, people=others, state=_STATES[found.phase],
                   mine=playing and found.seat in found.owed, turn=turn if playing else "", unread=found.unread,
                   since=now - found.since if playing and found.since >= 0 else 0.0,
                   until=now + found.left if playing and found.left else 0.0)  # fmt: skip


def called(seat: int, info: SeatInfo) -> str:
    """Return the name on a seat; empty if it is free."""
    return "" if info.kind == SeatKind.FREE else info.name or BOT_NAMES[seat]
