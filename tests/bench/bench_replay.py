"""Time until a replay shows any position: `python -m tests.bench.bench_replay`.

Of each game the longest recorded match: one pass over the film, and then positions in random order, as its bar is
dragged to and fro. The yardstick, in the same run: the same positions played from the start. Prints one JSON object.
"""

import argparse
import json
import random
import time
from statistics import median

from client.replay.film import AnyFilm
from shared.history import Course
from shared.rulesets.registry import ruleset
from tests.client.replay.films import GAMES, entries_of, film_of, longest


def timed(film: AnyFilm, n: int) -> float:
    """Milliseconds until a position is there, with what led to it."""
    begun = time.perf_counter()
    film.view(n, 0)
    film.told(n, 0)
    return (time.perf_counter() - begun) * 1000


def measure(game: str, count: int) -> dict[str, float]:
    """Milliseconds; `count`: how many positions are shown."""
    recording, rng = longest(game), random.Random(1)
    film = film_of(recording)
    begun = time.perf_counter()
    for _moment in film.walk(None):
        pass
    walked = (time.perf_counter() - begun) * 1000
    seeks = [timed(film, rng.randrange(film.last + 1)) for _ in range(count)]
    begun = time.perf_counter()
    for _passed in Course(ruleset(game), recording.seats, recording.options).follow(entries_of(recording)):
        pass
    from_start = (time.perf_counter() - begun) * 1000
    found = {"versions": film.last, "pass": walked, "seek_median": median(seeks), "seek_worst": max(seeks)}
    return {**{key: round(value, 2) for key, value in found.items()}, "from_start": round(from_start, 2)}


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--ruleset", choices=GAMES, action="append", help="only this game (default: all)")
    parser.add_argument("--positions", type=int, default=300, help="of each game (default: 300)")
    args = parser.parse_args()
    print(json.dumps({game: measure(game, args.positions) for game in args.ruleset or GAMES}, indent=2))


if __name__ == "__main__":
    main()
