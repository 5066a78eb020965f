"""The ladder: bots that wait are paired, their matches begin at once, and results change their ratings.

Ratings are fields of the profiles, so every store keeps them. No other player can play under the name of a rated one.
"""

import asyncio
import contextlib
from collections import defaultdict, deque
from collections.abc import Coroutine, Mapping, Sequence
from typing import Any, Final, Protocol

from msgspec import Struct, structs

from server import log
from server.addresses import crowds, site_of
from server.clock import Timer
from server.delivery.peer import Peer
from server.ladder.model import Rating, rated
from server.lobby.profiles import DAY, NOT_INTRODUCED, Profiles
from server.lobby.rated_matches import LadderSettings
from server.matches.names import keys
from server.matches.seating import SeatHolder
from server.matches.table import Services
from server.matches.task import MatchTask
from server.storage.port import ChairRecord, Damaged, PersonRecord, RatedMatch, RatingRecord, StoreError, TableRecord
from shared import levels
from shared import messages as m
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.refusal import Refusal
from shared.tables import MAX_TITLE, Away, Ending, Pace, Run, TablePhase, shortened

MET: Final = 400.0
"""Points of difference that weigh as much as having met in the last match. One match before weighs half."""
AT_ONCE: Final = 300.0
"""Points of difference that are accepted at once."""
KIN: Final = 2000.0
"""Points of difference that weigh as much as the same network, which may be one author's."""
PATIENCE: Final = 100.0
"""Further points that are accepted for each second of waiting."""
ALONE: Final = 10.0
"""Seconds of waiting after which free seats are filled with bots of the server."""


class Waiting(Struct, frozen=True):
    """Player who waits for a match since that time.

    `met`: opponents of the last matches and their networks, the latest first. `network`: "" if it does not matter.
    """

    person: str
    shown: float
    since: float = 0.0
    met: tuple[tuple[str, ...], ...] = ()
    network: str = ""


def opponents(player: Waiting, others: Sequence[Waiting], seats: int, now: float) -> list[Waiting]:
    """Return the best opponents for a match of up to `seats` players, the best first.

    There are fewer if the others are too strong, too weak or met too recently for the time that the player waited.
    """
    accepted = AT_ONCE + PATIENCE * (now - player.since)
    chosen: list[Waiting] = []
    left = list(others)
    while left and len(chosen) < seats - 1:
        near = min(left, key=lambda other: _distance(player, other, chosen))
        if _distance(player, near, chosen) > accepted:
            break
        chosen.append(near)
        left.remove(near)
    return chosen


def _distance(one: Waiting, other: Waiting, chosen: Sequence[Waiting]) -> float:
    own = {other.person, other.network} - {""}
    met = [MET / ago for ago, names in enumerate(one.met, 1) if own.intersection(names)]
    kin = bool(other.network) and any(each.network == other.network for each in (one, *chosen))
    return abs(one.shown - other.shown) + sum(met) + KIN * kin


CLOCK: Final = Pace(Run.LIVE, each=1, bank=60, reserve=60)
"""Clocks of rated matches: time for any bot that thinks a second, and a dead one holds up its opponent for a minute."""
FILLING: Final = (levels.EASY, levels.NORMAL)
"""Levels that fill free seats. Hard bots would take the server's processor from all other matches."""
LOOK: Final = 1.0
"""Seconds between two looks at the waiting bots."""
AGAIN: Final = 5.0
"""Seconds until the next try after the store failed."""
MOST_WAITING: Final = 200
WAITING_EACH: Final = 8
"""Limit of one address's waiting bots; each has a connection and a profile."""
MOST_FILLED: Final = 4
"""Limit of matches with the server's own bots, which use its processor."""
RECENT: Final = 10
"""Last matches that a rating shows."""
REMEMBERED: Final = 3
"""Last matches whose opponents are met less."""
MOST_KEPT: Final = 1000
"""Finished rated matches that are kept; older ones are deleted, so that bots cannot fill the disk."""
_LEVEL: Final = "level-"
"""Beginning of the ids of the server's own players, which no secret opens."""

_FULL: Final = Refusal("full", "", "Too many bots wait already; try again later.")
_ENOUGH: Final = Refusal("enough", "", "Too many bots from your address wait already.")
_NAME: Final = Refusal("name", "", "That name belongs to another key here; choose another name, or use its key.")
_NO_GAME: Final = Refusal("no-ruleset", "", "There are no rated matches of that game here.")


class Opener(Protocol):
    """Lobby as the ladder uses it."""

    async def open_rated(self, record: TableRecord) -> str:
        """Open the table of a rated match, which begins at once; return its id. Raises StoreError."""

    async def find(self, match: str) -> MatchTask | str | None:
        """Return the task of a table; see Lobby. Raises StoreError."""

    async def forget(self, match: str) -> bool:
        """Delete a finished match; return False if it is in use or damaged."""


class _Place(Struct):
    """Waiting peer."""

    peer: Peer
    ruleset: str
    since: float

    @property
    def network(self) -> str:
        """Network of its address; "" on the server's computer, whose operator may rate versions of one bot."""
        return "" if self.peer.trusted else site_of(self.peer.address) or self.peer.address


class _Rival(Struct, frozen=True):
    """Opponent of some network that a player had first, and when."""

    person: str
    since: float


class Ladder:
    """Ladder of a server. `people`: the profiles, whose ratings it keeps."""

    def __init__(
        self,
        services: Services,
        opener: Opener,
        people: Profiles,
        rulesets: Mapping[str, AnyRuleset],
        settings: LadderSettings,
    ) -> None:
        self.rulesets = rulesets
        self._services = services
        self._opener = opener
        self._people = people
        self._settings = settings
        self._waiting: dict[str, _Place] = {}
        """By profile, its peer that waits."""
        self._met: defaultdict[str, deque[tuple[str, ...]]] = defaultdict(lambda: deque(maxlen=REMEMBERED))
        """By profile, opponents of its last matches and their networks, the latest first."""
        self._rivals: dict[tuple[str, str], _Rival] = {}
        """By profile and network, the first opponent of this day from there."""
        self.running: dict[str, TableRecord] = {}
        """Rated matches that are not counted yet."""
        self._over: deque[str] = deque()
        """Finished rated matches, the oldest first."""
        self._timer: Timer | None = None
        self._work: set[asyncio.Task[None]] = set()
        self._busy = False
        self._counting = asyncio.Lock()

    async def begin(self) -> None:
        """Read running and uncounted matches, and begin to pair. Raises StoreError."""
        await self._people.load()
        store = self._services.store
        past = [each.table for each in await store.past(0, "", MOST_KEPT) if each.table.rated]
        # The oldest first, since ratings depend on the order.
        for record in reversed(past):
            self._over.append(record.match)
            await self._count(record)
        for match in await store.unfinished():
            with contextlib.suppress(Damaged):  # The lobby reports it once a client asks for it.
                found = await store.look(match)
                if found is not None and found.table.rated:
                    self.running[match] = found.table
        self._timer = self._services.clock.call_later(LOOK, self._tick)

    def stop(self) -> None:
        """Begin no more matches."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for task in self._work:
            task.cancel()

    async def hear(self, peer: Peer, message: m.Compete) -> None:
        """Handle `Compete`: note that the peer waits, or lead it to its running match. Raises StoreError."""
        if not message.on:
            self.gone(peer)
            return peer.tell(m.Done(message.ref))
        refusal = self._refusal(peer, message.ruleset)
        if refusal is not None:
            return peer.refuse(message.ref, refusal)
        if await self._lead_back(peer, message.ref):
            return None
        self._waiting[peer.person] = _Place(peer, message.ruleset, self._services.clock.now())
        peer.tell(m.Done(message.ref))
        return self._look()

    def gone(self, peer: Peer) -> None:
        """Forget a peer that waits."""
        place = self._waiting.get(peer.person)
        if place is not None and place.peer is peer:
            del self._waiting[peer.person]

    def rate(self, record: TableRecord) -> None:
        """Count a rated match that is over."""
        self._do(self._rate(record))

    def ratings(self, ruleset: str) -> list[tuple[PersonRecord, RatingRecord]]:
        """Return all rated players of a game, the best first."""
        found = [(person, each) for person in self._people.all() for each in person.ratings if each.ruleset == ruleset]
        return sorted(found, key=lambda pair: (-rating_of(pair[1]).shown, pair[0].name))

    def _refusal(self, peer: Peer, ruleset: str) -> Refusal | None:
        """Return why a peer may not wait for a match, None if it may."""
        places = [place for person, place in self._waiting.items() if person != peer.person]
        if not peer.person:
            return NOT_INTRODUCED
        looks = keys(peer.name)
        if self._services.names.has_other(looks, peer.person, self._services.date()):
            return _NAME
        others = [each for each in self._people.all() if each.ratings or each.person in self._waiting]
        if any(each.person != peer.person and keys(each.name) & looks for each in others):
            return _NAME
        if ruleset not in self.rulesets:
            return _NO_GAME
        if len(places) >= MOST_WAITING:
            return _FULL
        crowded = not peer.trusted and crowds(peer.address, (each.peer.address for each in places), WAITING_EACH)
        return _ENOUGH if crowded else None

    async def _lead_back(self, peer: Peer, ref: int) -> bool:
        """Invite a peer to the running match of its profile; return False if there is none. Raises StoreError."""
        for match, record in list(self.running.items()):
            seat = next((i for i, chair in enumerate(record.chairs) if chair.person == peer.person), None)
            task = await self._opener.find(match) if seat is not None else None
            if seat is not None and task is None:
                del self.running[match]  # It cannot go on here.
            if seat is None or not isinstance(task, MatchTask) or task.table.record.phase == TablePhase.OVER:
                continue
            peer.tell(m.Invited(ref, match, record.code, seat, await task.new_key(seat), ""))
            return True
        return False

    # Pairing

    def _tick(self) -> None:
        self._look()
        if self._timer is not None:
            self._timer = self._services.clock.call_later(LOOK, self._tick)

    def _look(self) -> None:
        """Pair the waiting bots, unless that is under way."""
        if not self._busy and self._waiting:
            self._busy = True
            self._do(self._pair())

    async def _pair(self) -> None:
        try:
            for person in list(self._waiting):
                if len(self.running) >= self._settings.most:
                    return
                # An earlier match of this round may have taken the player.
                if person in self._waiting:
                    await self._pair_one(person)
        finally:
            self._busy = False

    async def _pair_one(self, person: str) -> None:
        """Begin a match for a waiting player, if there are opponents. Raises StoreError."""
        now, place = self._services.clock.now(), self._waiting[person]
        own = self._waiter(person, place.ruleset, place.since)
        others = [
            self._waiter(each, place.ruleset, there.since)
            for each, there in self._waiting.items()
            if each != person and there.ruleset == place.ruleset
        ]
        seats = min(
            max(self._settings.seats, self.rulesets[place.ruleset].min_seats), self.rulesets[place.ruleset].max_seats
        )
        players = [person, *[each.person for each in opponents(own, others, seats, now)]]
        if len(players) < seats:
            filled = sum(any(chair.bot for chair in record.chairs) for record in self.running.values())
            if now - own.since < ALONE or filled >= MOST_FILLED:
                return
            players += self._suitable_levels(own, seats - len(players))
        await self._open(place.ruleset, players)

    def _waiter(self, person: str, ruleset: str, since: float) -> Waiting:
        place = self._waiting.get(person)
        network = place.network if place is not None else ""
        return Waiting(person, shown(self._rating(person, ruleset)), since, tuple(self._met[person]), network)

    def _suitable_levels(self, player: Waiting, count: int) -> list[str]:
        """Return the server's own players that suit a player best."""
        place = self._waiting[player.person]
        bots = [self._waiter(f"{_LEVEL}{level}", place.ruleset, 0.0) for level in FILLING]
        # As if the player had waited for ever: no difference is too large.
        near = [each.person for each in opponents(structs.replace(player, since=-1e9), bots, len(bots) + 1, 0.0)]
        return [near[i % len(near)] for i in range(count)]

    async def _open(self, ruleset: str, players: Sequence[str]) -> None:
        """Open a table for these profiles, on seats by chance, and invite them. Raises StoreError."""
        order = list(players)
        self._services.dice.seating().shuffle(order)
        # Before the store is asked: meanwhile they must not be paired again.
        places = {person: self._waiting.pop(person) for person in order if not person.startswith(_LEVEL)}
        record = self._record(ruleset, order, places)
        tokens = {seat: SeatHolder(chair).offer_token() for seat, chair in enumerate(record.chairs) if chair.person}
        try:
            match = await self._opener.open_rated(record)
        except StoreError:
            self._waiting.update(places)
            raise
        self.running[match] = record
        for person in order:
            others = [each for each in order if each != person]
            networks = [places[each].network for each in others if each in places]
            self._met[person].appendleft((*others, *networks))
        for seat, token in tokens.items():
            places[order[seat]].peer.tell(m.Invited(0, match, record.code, seat, token, ""))
        log.info("rated-match", match=match, ruleset=ruleset)

    def _record(self, ruleset: str, order: Sequence[str], places: Mapping[str, _Place]) -> TableRecord:
        rules = self.rulesets[ruleset]
        chairs = [
            ChairRecord(places[each].peer.name, person=each) if each in places else ChairRecord(bot=level_of(each))
            for each in order
        ]
        names = [chair.name or chair.bot for chair in chairs]
        return TableRecord(
            match="",
            ruleset=ruleset,
            version=rules.version,
            options=engine.checked_options(rules, len(order), {}),
            title=shortened(" – ".join(names), MAX_TITLE),
            open=True,
            code="",
            think=0,
            takeover=0,
            chairs=chairs,
            pace=CLOCK,
            forward_only=True,
            unanimous=True,
            away=Away.WAIT,
            rated=True,
            limited=self._limited(order, places),
        )

    def _limited(self, order: Sequence[str], places: Mapping[str, _Place]) -> tuple[tuple[int, int, bool], ...]:
        """Return against which opponents a match counts less; see `TableRecord.limited`.

        A network's first match of the day with a player counts. After that only matches with the same profile of
        another network count, and only those that are played to their end. So puppets of one stranger lift no champion.
        """
        now = self._services.clock.now()
        self._rivals = {key: each for key, each in self._rivals.items() if now - each.since < DAY}
        limited: list[tuple[int, int, bool]] = []
        for seat, person in enumerate(order):
            for other, name in enumerate(order):
                network = places[name].network if name in places and person in places and name != person else ""
                rival = self._rivals.get((person, network))
                if network and rival is None:
                    self._rivals[person, network] = _Rival(name, now)
                elif rival is not None:
                    limited.append((seat, other, rival.person == name and places[person].network != network))
        return tuple(limited)

    # Counting

    async def _rate(self, record: TableRecord) -> None:
        try:
            await self._count(record)
        except StoreError as error:
            log.warning("not-rated", match=record.match, error=str(error))
            self._services.clock.call_later(AGAIN, lambda: self.rate(record))
            return
        self.running.pop(record.match, None)
        self._over.append(record.match)
        while len(self._over) > MOST_KEPT:
            oldest = self._over.popleft()
            if not await self._opener.forget(oldest):
                log.warning("not-forgotten", match=oldest)

    async def _count(self, record: TableRecord) -> None:
        """Change the ratings of all players of a match, unless it is counted already. Raises StoreError.

        A server that dies in between counts the missing players at its next start.
        """
        if record.result is None:
            return
        # Ratings are read and written back, so two matches of one player must not overlap.
        async with self._counting:
            players = [chair.person or f"{_LEVEL}{chair.bot}" for chair in record.chairs]
            before = [self._rating(person, record.ruleset) for person in players]
            ranks = ranking(record)
            for seat, person in enumerate(players):
                sides = [seat, *counted_against(record, seat, ranks)]
                if person != _LEVEL and len(sides) > 1 and not has_counted(before[seat], record):
                    after = rated([rating_of(before[side]) for side in sides], [ranks[side] for side in sides])[0]
                    await self._keep(person, after_match(before[seat], after, record, seat, ranks, players))

    async def _keep(self, person: str, rating: RatingRecord) -> None:
        """Store the rating of a profile; that of a level is made here. Raises StoreError."""
        date = self._services.date()
        profile = self._people.record(person)
        if profile is None and not person.startswith(_LEVEL):
            return  # The profile was deleted meanwhile.
        profile = profile or PersonRecord(person, f"{level_of(person).capitalize()} (server)", (), date)
        others = tuple([each for each in profile.ratings if each.ruleset != rating.ruleset])
        await self._people.keep(structs.replace(profile, ratings=(*others, rating), seen=date))

    def _rating(self, person: str, ruleset: str) -> RatingRecord:
        profile = self._people.record(person)
        found = [each for each in profile.ratings if each.ruleset == ruleset] if profile is not None else []
        return found[0] if found else RatingRecord(ruleset, Rating().mu, Rating().sigma)

    def _do(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.create_task(_with_errors_logged(work))
        self._work.add(task)
        task.add_done_callback(self._work.discard)


def level_of(person: str) -> str:
    """Return the level of a player of the server; "" for a profile of a person."""
    return person.removeprefix(_LEVEL) if person.startswith(_LEVEL) else ""


def ranking(record: TableRecord) -> list[int]:
    """Return the rank of each seat, 1 for the winner. Seats that forfeited come last, the first to do so at the end."""
    assert record.result is not None, "it is over"
    ranks = [0] * len(record.chairs)
    for seat, rank, _score in record.result.places:
        ranks[seat] = rank
    for order, seat in enumerate(reversed(record.forfeited)):
        ranks[seat] = len(ranks) + 1 + order
    # Numbered anew, since forfeits have left gaps.
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def counted_against(record: TableRecord, seat: int, ranks: Sequence[int]) -> list[int]:
    """Return the opponents of a seat that count in its match.

    To win against an opponent who never decided is worth nothing, but the opponent's loss counts: otherwise a bot would
    leave at the sight of a stronger one.
    """
    given_up = record.result is not None and record.result.ended == Ending.GIVEN_UP
    limits = {other: played_out for own, other, played_out in record.limited if own == seat}
    return [
        other
        for other in range(len(ranks))
        if other != seat
        and not (other in record.idle and ranks[seat] <= ranks[other])
        and (other not in limits or (limits[other] and not given_up and other not in record.forfeited))
    ]


def shown(rating: RatingRecord) -> float:
    """Return a rating as pages show it."""
    return rating_of(rating).shown


def rating_of(record: RatingRecord) -> Rating:
    """Return a stored rating as the model takes it."""
    return Rating(record.mu, record.sigma)


def has_counted(rating: RatingRecord, record: TableRecord) -> bool:
    """Whether a rating contains that match. A player's matches end one after the other."""
    matches = {each.match for each in rating.recent}
    oldest = rating.recent[-1].ended if len(rating.recent) >= RECENT else 0
    return record.match in matches or record.ended < oldest


def after_match(
    before: RatingRecord, after: Rating, record: TableRecord, seat: int, ranks: Sequence[int], players: Sequence[str]
) -> RatingRecord:
    """Return a player's rating after a match."""
    others = [i for i in range(len(players)) if i != seat]
    names = tuple([record.chairs[i].name or record.chairs[i].bot for i in others])
    match = RatedMatch(
        record.match,
        ranks[seat],
        record.ended,
        tuple([players[i] for i in others]),
        names,
        seat in record.forfeited,
        ranks[seat] == 1 and ranks.count(1) == 1,
    )
    return RatingRecord(
        before.ruleset,
        after.mu,
        after.sigma,
        before.games + 1,
        before.wins + match.won,
        (match, *before.recent)[:RECENT],
    )


async def _with_errors_logged(work: Coroutine[Any, Any, None]) -> None:
    try:
        await work
    except StoreError as error:
        log.warning("ladder", error=str(error))
    except Exception:
        log.failure("ladder")
