"""Learn the value of positions by self-play: `python -m server.bots.search.train --ruleset R --seed S --games N`.

Normal bots play whole matches, with a share of random actions so that good and bad positions come up for all seats.
After each turn the features of its seat are noted (in Conquest II after each season, of all seats).
A logistic regression of the results on these features gives the weights. The same seed gives the same file, as long as
the bots play the same.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from server.bots import policy
from server.bots.search import learned
from server.bots.search.games import GAMES
from server.bots.search.learned import WEIGHTS
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import ruleset

Sample: TypeAlias = tuple[list[float], float]
"""Features, and 1 for a win or 0."""

WILD: Final = (0.0, 0.05, 0.3)
"""Shares of random actions; each seat of a match gets one of them."""
ROUNDS: Final = 120
"""Rounds after which a match is not used."""
STEPS: Final = 25
"""Steps of Newton's method."""
RIDGE: Final = 1.0
"""Strength of the ridge, which keeps weights small if there is little evidence."""


def samples(name: str, seed: int, games: int) -> Iterator[Sample]:
    """Yield the samples of `games` matches, with all numbers of players in turn."""
    rules = ruleset(name)
    for game in range(games):
        seats = rules.min_seats + game % (rules.max_seats - rules.min_seats + 1)
        yield from _match(rules, seats, random.Random(f"{name} {seed} {game}"))


def _match(rules: AnyRuleset, seats: int, chance: random.Random) -> Iterator[Sample]:
    game = GAMES[rules.id]
    wild = [chance.choice(WILD) for _ in range(seats)]
    state: Any = engine.start(rules, seats, {}, engine.ignore_event)
    noted: list[tuple[Seat, list[float]]] = []
    turn: object = None
    while (owed := engine.owed(rules, state)) and state.round <= ROUNDS:
        seat = owed[0]
        if seat != NATURE and game.turn(state) != turn:
            turn = game.turn(state)
            noted += [(who, game.features(state, who)) for who in game.judged(state)]
        engine.play(rules, state, seat, _action(rules, state, seat, wild, chance), engine.ignore_event)
    if rules.finished(state):
        won = {place.seat for place in rules.standings(state) if place.rank == 1}
        yield from ((features, float(seat in won)) for seat, features in noted)


def _action(rules: AnyRuleset, state: Any, seat: Seat, wild: Sequence[float], chance: random.Random) -> Any:
    if seat == NATURE:
        return engine.chance_action(state, chance)
    decide = policy.play_random if chance.random() < wild[seat] else policy.play_normal
    return decide(rules, rules.view(state, seat), seat, chance)


def regression(noted: Sequence[Sample]) -> list[float]:
    """Return the weights of maximum likelihood (Newton's method, with a ridge)."""
    size = len(noted[0][0])
    weights = [0.0] * size
    for _ in range(STEPS):
        slope = [-RIDGE * weight for weight in weights]
        curve = [[RIDGE * (i == j) for j in range(size)] for i in range(size)]
        for features, won in noted:
            chance = learned.chance(features, weights)
            bend = chance * (1 - chance)
            for i, x in enumerate(features):
                slope[i] += (won - chance) * x
                row = curve[i]
                for j, y in enumerate(features):
                    row[j] += bend * x * y
        weights = [weight + step for weight, step in zip(weights, solved(curve, slope), strict=True)]
    return weights


def solved(matrix: Sequence[Sequence[float]], right: Sequence[float]) -> list[float]:
    """Solve a system of linear equations with a positive definite matrix (Gauss)."""
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i, row in enumerate(rows):
        rows[i] = row = [x / row[i] for x in row]
        for j, other in enumerate(rows):
            if j != i:
                rows[j] = [x - other[i] * y for x, y in zip(other, row, strict=True)]
    return [row[-1] for row in rows]


def likelihood(noted: Sequence[Sample], weights: Sequence[float]) -> float:
    """Return the mean logarithm of the chance that the weights gave to the results (0 is perfect)."""
    given = [learned.chance(features, weights) for features, _ in noted]
    right = [chance if won else 1 - chance for chance, (_, won) in zip(given, noted, strict=True)]
    return sum(math.log(max(1e-12, chance)) for chance in right) / len(right)


def main() -> None:
    """Learn the weights, print their quality, and write them beside those of the other rule sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", required=True, choices=sorted(GAMES), help="which game")
    parser.add_argument("--seed", type=int, default=1, help="of the first match (default: 1)")
    parser.add_argument("--games", type=int, default=400, help="matches to learn from (default: 400)")
    args = parser.parse_args()
    noted = list(samples(args.ruleset, args.seed, args.games))
    held_back = list(samples(args.ruleset, args.seed + 1, max(5, args.games // 5)))
    weights = [round(weight, 4) for weight in regression(noted)]
    print(
        f"{len(noted)} positions; likelihood {likelihood(noted, weights):.4f}, "
        f"of others {likelihood(held_back, weights):.4f}"
    )
    print(weights)
    known = msgspec.json.decode(WEIGHTS.read_bytes(), type=dict[str, list[float]]) if WEIGHTS.exists() else {}
    known[args.ruleset] = weights
    WEIGHTS.write_bytes(msgspec.json.format(msgspec.json.encode(known, order="sorted")) + b"\n")


if __name__ == "__main__":
    main()
