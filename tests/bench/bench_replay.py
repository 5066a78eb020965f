"""Time until a replay shows any position: `python -m tests.bench.bench_replay`.

Of each game the longest recorded match: one pass over the film, and then positions in random order, as its bar is
dragged to and fro. The yardstick, in the same run: the same positions played from the start. Prints one JSON object.
"""

import json
import random
import time
from statistics import median

from client.replay.film import AnyFilm
from shared.history import Course
from shared.rulesets.registry import ruleset
from tests.client.replay.films import GAMES, entries_of, film_of, longest

SEEKS = 300


def timed(film: AnyFilm, n: int) -> float:
    """Milliseconds until a position is there, with what led to it."""
    begun = time.perf_counter()
    film.view(n, 0)
    film.told(n, 0)
    return (time.perf_counter() - begun) * 1000


def measure(game: str) -> dict[str, float]:
    """Milliseconds."""
    recording, rng = longest(game), random.Random(1)
    film = film_of(recording)
    begun = time.perf_counter()
    for _moment in film.walk(None):
        pass
    walked = (time.perf_counter() - begun) * 1000
    seeks = [timed(film, rng.randrange(film.last + 1)) for _ in range(SEEKS)]
    begun = time.perf_counter()
    for _passed in Course(ruleset(game), recording.seats, recording.options).follow(entries_of(recording)):
        pass
    from_start = (time.perf_counter() - begun) * 1000
    found = {"versions": film.last, "pass": walked, "seek_median": median(seeks), "seek_worst": max(seeks)}
    return {**{key: round(value, 2) for key, value in found.items()}, "from_start": round(from_start, 2)}


if __name__ == "__main__":
    print(json.dumps({game: measure(game) for game in GAMES}, indent=2))
