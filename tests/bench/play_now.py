"""People who look for tables over a week: play now beside separate tables and one queue for each kind.

`python -m tests.bench.play_now [--people 10000] [--days 7] [--seed 1]` simulates visits by a day's curve, with a fake
clock and the server's own matching and pauses. A tenth of the people are absent-minded: they often miss a call, and
sometimes leave a match. A hundredth are hostile: they never come to a table, and take a new profile after each.

For each way it prints the share of visits that began a match, their mean wait, and the matches that a player left. The
last columns are the minutes that careless and hostile people cost the others. A visitor gives up after a while.
"""

import argparse
import heapq
import itertools
import random
from collections import defaultdict
from collections.abc import Callable, Sequence
from statistics import mean
from typing import Final, TypeVar

from msgspec import Struct, field

from server.lobby.seek_matching import Kind, Seek, counted, gather, percent
from server.lobby.seeks import LIVE_MUSTER, MISSES
from server.rate_limits import Pauses
from server.storage.port import ReliabilityRecord
from shared.messages import TableWish
from shared.tables import Pace, Run

T = TypeVar("T")

HOUR: Final = 3600.0
DAY: Final = 24 * HOUR
CURVE: Final = (2, 1, 1, 1, 1, 1, 2, 3, 4, 5, 5, 6, 7, 7, 7, 8, 9, 11, 14, 18, 20, 17, 10, 5)
"""Visits in each hour of a day, as shares."""
VISITS: Final = 2
"""Visits of each person a week."""
PACES: Final = (Pace(Run.LIVE, 30, 1800, 600), Pace(Run.LIVE, 15, 900, 300))
GAMES: Final = (("classic", 5), ("cote2", 3), ("mb1984", 2))
SEATS: Final = ((2, 2), (3, 4), (4, 5), (5, 2), (6, 1))
HOSTILE_VISITS: Final = 40
"""Visits of a hostile person a day."""
MISSED: Final = 0.4
"""Share of calls that absent-minded people miss."""
LEAVES: Final = 0.2
"""Share of matches that they leave."""
ANSWER: Final = 12.0
"""Mean seconds until an attentive person confirms."""
STUCK: Final = 600.0
"""Seconds that a match without its muster costs each of the others if a player never comes to it."""
SPOILED: Final = 1200.0
"""Seconds that a match costs each of the others if a player leaves it."""


class Person(Struct, eq=False):
    """Simulated person. A hostile one keeps the address, with ever new profiles."""

    name: str
    absent_minded: bool = False
    hostile: bool = False
    reliability: ReliabilityRecord | None = None
    cost: float = 0.0
    """Seconds that the person has cost others."""


class Visit(Struct, eq=False):
    """Visit of a person: the wish, and how long they wait for it."""

    person: Person
    wish: TableWish
    at: float
    patience: float
    began: float = -1.0
    called: bool = False
    """Whether the person is called to a table."""
    confirmed: bool = False


class Result(Struct):
    """Result of a way of finding tables."""

    waits: list[float] = field(default_factory=list)
    visits: int = 0
    matches: int = 0
    spoiled: int = 0
    calls: int = 0
    failed: int = 0

    def line(self, name: str, people: Sequence[Person]) -> str:
        """Return a line of the printed table."""
        hostile = [person.cost / 60 for person in people if person.hostile]
        careless = [person.cost / 60 for person in people if person.absent_minded and not person.hostile]
        share, wait = len(self.waits) / max(1, self.visits), mean(self.waits or [0]) / 60
        failed, left = self.failed / max(1, self.failed + self.matches), self.spoiled / max(1, self.matches)
        harm, worst = sum(hostile) / max(1, self.visits), max(hostile, default=0.0)
        return (
            f"{name:16}{share:9.1%}{wait:10.1f}{self.matches:9}{failed:9.1%}{left:9.1%}"
            f"{sum(careless) / max(1, self.visits):12.2f}{harm:11.2f}{worst:9.1f}"
        )


HEAD: Final = (
    f"{'way':16}{'began':>9}{'wait min':>10}{'matches':>9}{'failed':>9}{'left':>9}"
    f"{'careless':>12}{'hostile':>11}{'worst':>9}"
)
"""`failed`: of full tables, those to which a person did not come. The last three are minutes lost: a visit by careless
and by hostile people, and all that the worst hostile person cost."""


def drawn(seed: int, people: int, days: int) -> tuple[list[Person], list[Visit]]:
    """Return people and their visits, the same for each way of finding tables."""
    chance = random.Random(seed)
    crowd = [Person(f"p{i}", i % 10 == 3, i % 100 == 7) for i in range(people)]
    visits = []
    for person in crowd:
        for _visit in range(HOSTILE_VISITS * days if person.hostile else max(1, round(VISITS * days / 7))):
            at = DAY * chance.randrange(days) + HOUR * (chance.choices(range(24), CURVE)[0] + chance.random())
            seats, least = tuple(sorted(_some(chance, SEATS))), chance.choice((0, 0, 70))
            wish = TableWish(_some(chance, GAMES), seats, chance.choice(PACES), least=least)
            visits.append(Visit(person, wish, at, HOUR * chance.uniform(0.1, 0.6)))
    return crowd, sorted(visits, key=lambda visit: visit.at)


def _some(chance: random.Random, weighted: Sequence[tuple[T, int]]) -> tuple[T, ...]:
    """Return one to three different values, likely ones first."""
    names, weights = zip(*weighted, strict=True)
    return tuple(dict.fromkeys(chance.choices(names, weights, k=chance.choice((1, 2, 3)))))


class Way:
    """Way of finding tables. A subclass says who sits together, and when their match begins."""

    def __init__(self, seed: int) -> None:
        self.now = 0.0
        self.result = Result()
        self.chance = random.Random(seed)
        self.waiting: dict[str, Visit] = {}
        """By person, the visit in which they wait."""
        self._events: list[tuple[float, int, Callable[[], None]]] = []
        self._count = itertools.count()

    def later(self, seconds: float, event: Callable[[], None]) -> None:
        """Let an event happen in that time."""
        heapq.heappush(self._events, (self.now + seconds, next(self._count), event))

    def run(self, visits: Sequence[Visit]) -> Result:
        """Simulate all visits."""
        for visit in visits:
            self.later(visit.at, lambda visit=visit: self.arrive(visit))  # type: ignore[misc]
        while self._events:
            self.now, _number, event = heapq.heappop(self._events)
            event()
        return self.result

    def arrive(self, visit: Visit) -> None:
        """Let a person wait, unless they wait already or may not."""
        if visit.person.name in self.waiting:
            return
        self.result.visits += not visit.person.hostile
        if not self.admits(visit):
            return
        self.waiting[visit.person.name] = visit
        self.later(visit.patience, lambda: self.give_up(visit))
        self.look()

    def give_up(self, visit: Visit) -> None:
        """Let a person go whose patience is over, unless they are called to a table."""
        if self.waiting.get(visit.person.name) is visit and not visit.called:
            del self.waiting[visit.person.name]

    def admits(self, _visit: Visit) -> bool:
        """Whether the person may wait."""
        return True

    def look(self) -> None:
        """Look for tables that are full."""

    def is_absent(self, person: Person) -> bool:
        """Whether a person does not come to the table that was found."""
        return person.hostile or (person.absent_minded and self.chance.random() < MISSED)

    def begin(self, visits: Sequence[Visit]) -> None:
        """Begin a match of people who are all there; absent-minded ones may leave it."""
        self.result.matches += 1
        for visit in visits:
            del self.waiting[visit.person.name]
            self.result.waits += [] if visit.person.hostile else [self.now - visit.at]
        leavers = [visit.person for visit in visits if visit.person.absent_minded and self.chance.random() < LEAVES]
        self.result.spoiled += bool(leavers)
        for person in leavers:
            person.cost += SPOILED * (len(visits) - len(leavers))
        for visit in visits:
            visit.person.reliability = counted(visit.person.reliability, visit.person not in leavers)


class PlayNow(Way):
    """Seeks with the server's matching, a muster, and pauses after a missed one."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._missed = Pauses(lambda: self.now, *MISSES)

    def admits(self, visit: Visit) -> bool:
        return not self._missed.left(visit.person.name)

    def look(self) -> None:
        seeks = [
            Seek(name, visit.wish, visit.at, percent(visit.person.reliability))
            for name, visit in self.waiting.items()
            if not visit.called
        ]
        for table in gather(seeks):
            if table.is_full:
                self._call([self.waiting[person] for person in table.people])

    def _call(self, visits: list[Visit]) -> None:
        self.result.calls += 1
        for visit in visits:
            visit.called = True
        absent = [visit for visit in visits if not visit.confirmed and self.is_absent(visit.person)]
        asked = [visit for visit in visits if not visit.confirmed and visit not in absent]
        slowest = max([min(LIVE_MUSTER - 1, self.chance.expovariate(1 / ANSWER)) for _visit in asked], default=0.0)
        event = (lambda: self._fail(visits, absent)) if absent else (lambda: self.begin(visits))
        self.later(LIVE_MUSTER if absent else slowest, event)

    def _fail(self, visits: Sequence[Visit], absent: Sequence[Visit]) -> None:
        self.result.failed += 1
        for visit in visits:
            visit.called, visit.confirmed = False, visit not in absent
            if visit in absent:
                del self.waiting[visit.person.name]
                visit.person.cost += LIVE_MUSTER * (len(visits) - len(absent)) / len(absent)
                visit.person.reliability = None if visit.person.hostile else counted(visit.person.reliability, False)
                self._missed.erred(visit.person.name)
            elif self.now > visit.at + visit.patience:
                self.give_up(visit)
        self.look()


class Tables(Way):
    """Separate tables: a newcomer sits down at the fullest that suits, else makes one of their first kind."""

    several = True
    """Whether a newcomer looks at tables of all their kinds."""

    def __init__(self, seed: int) -> None:
        super().__init__(seed)
        self._tables: defaultdict[Kind, list[list[Visit]]] = defaultdict(list)

    def arrive(self, visit: Visit) -> None:
        super().arrive(visit)
        if self.waiting.get(visit.person.name) is not visit:
            return
        kinds = Seek(visit.person.name, visit.wish, visit.at).kinds
        looked_at = kinds if self.several else kinds[:1]
        kind, table = max(
            [(kind, table) for kind in looked_at for table in self._tables[kind]],
            key=lambda found: len(found[1]),
            default=(kinds[0], []),
        )
        if not table:
            self._tables[kind].append(table)
        table.append(visit)
        if len(table) == kind.seats:
            self._tables[kind].remove(table)
            self._start(table)

    def give_up(self, visit: Visit) -> None:
        super().give_up(visit)
        for tables in self._tables.values():
            for table in [table for table in tables if visit in table]:
                table.remove(visit)
                if not table:
                    tables.remove(table)

    def _start(self, visits: list[Visit]) -> None:
        absent = [visit for visit in visits if self.is_absent(visit.person)]
        if not absent:
            return self.begin(visits)
        for visit in visits:
            del self.waiting[visit.person.name]
        for visit in absent:
            visit.person.cost += STUCK * (len(visits) - len(absent)) / len(absent)
        self.result.calls, self.result.failed = self.result.calls + 1, self.result.failed + 1
        return None


class Queues(Tables):
    """Queues, one for each kind: everybody waits in that of their first kind."""

    several = False


WAYS: Final[dict[str, type[Way]]] = {"play now": PlayNow, "separate tables": Tables, "queues": Queues}


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--people", type=int, default=10_000)
    parser.add_argument("--days", type=int, default=7)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    print(HEAD)
    for name, way in WAYS.items():
        people, visits = drawn(args.seed, args.people, args.days)
        print(way(args.seed).run(visits).line(name, people), flush=True)


if __name__ == "__main__":
    main()
