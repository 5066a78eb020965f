"""Learn the value of positions by self-play: `python -m tests.bench.learn --ruleset R --seed S --games N`.

A league of normal bots, easier ones and exploiters plays whole matches. Some take a share of random actions, so that
good and bad positions come up for all seats. After each turn the features of all seats are noted (in Conquest II after
each season). A conditional logit of the results gives the weights. Printed are the mean log-likelihood and the area
under the curve in matches of two that were held back, by round. The same seed gives the same weights, as long as the
bots play the same.
"""

import argparse
import math
import random
from collections.abc import Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

import msgspec
import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from server.bots import policy
from server.bots.policy import Policy
from server.bots.search import learned
from server.bots.search.deciding import legal
from server.bots.search.games import GAMES
from server.bots.search.learned import WEIGHTS
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.levels import EASY, MODERATE
from shared.rulesets.registry import ruleset
from tests.bench.exploiters import SCRIPTS

Matrix: TypeAlias = NDArray[np.float64]

WILD: Final = (0.05, 0.2)
"""Shares of random actions of some players."""
LEAGUE: Final = (11, 5, 1, 1, 2)
"""Of 20 seats: normal bots, normal bots with random actions, easy bots, moderate bots, exploiters."""
SEATS: Final = (2, 2, 2, 3)
"""Numbers of players, in turn: evaluations of two carry over to more."""
ROUNDS: Final = 100
"""Rounds after which a match is not used."""
LEARNED: Final = 30
"""Last round that is learned from: later ones are many, and alike."""
STEPS: Final = 12
"""Steps of Newton's method."""
RIDGE: Final = 3.0
"""Strength of the ridge, which keeps weights of scaled features small if there is little evidence."""
SPANS: Final = ((1, 1), (2, 2), (3, 3), (4, 5), (6, 7), (8, 8), (9, 10), (11, 15), (16, 30))
"""Rounds of a line of the report."""


class Sample(Struct, frozen=True):
    """Position of a match, seen from the side of a winner. leads: as in `learned.chance`. seats: still in the match."""

    round: int
    seats: int
    leads: list[list[float]]


def samples(name: str, seed: int, games: int) -> Iterator[Sample]:
    """Yield the samples of `games` matches."""
    rules = ruleset(name)
    for game in range(games):
        yield from _match(rules, SEATS[game % len(SEATS)], random.Random(f"{name} {seed} {game}"))


def _match(rules: AnyRuleset, seats: int, chance: random.Random) -> Iterator[Sample]:
    game = GAMES[rules.id]
    state: Any = engine.start(rules, seats, {}, engine.ignore_event)
    noted: list[tuple[Seat, Sample]] = []
    turn: object = None
    for seat in movers(rules, state, [_player(rules.id, chance) for _ in range(seats)], chance, ROUNDS):
        now = rules.round_of(state)[0]
        if seat != NATURE and game.turn(state) != turn and now <= LEARNED:
            turn = game.turn(state)
            judged = game.judged(state)
            noted += [(who, Sample(now, len(judged), game.features(state, who))) for who in judged]
    if rules.finished(state):
        won = {place.seat for place in rules.standings(state) if place.rank == 1}
        yield from (sample for seat, sample in noted if seat in won)


def movers(
    rules: AnyRuleset, state: Any, players: Sequence[Policy], chance: random.Random, rounds: int
) -> Iterator[Seat]:
    """Play a match on from a position that changes, and yield the seat that acts before each action.

    As at a table, the default is played for an illegal action.

    rounds: the last round (in Conquest II the last season) that is played.
    """
    while (owed := engine.owed(rules, state)) and rules.round_of(state)[0] <= rounds:
        seat = owed[0]
        yield seat
        action = engine.chance_action(state, chance) if seat == NATURE else None
        if action is None:
            view = rules.view(state, seat)
            action = legal(rules, view, seat, players[seat](rules, view, seat, chance))
        engine.play(rules, state, seat, action, engine.ignore_event)


def _player(name: str, chance: random.Random) -> Policy:
    """Return a random player of the league."""
    scripts = [script for script, games in SCRIPTS.values() if name in games]
    wild = partial(_wild, chance.choice(WILD))
    kinds = policy.play_normal, wild, policy.POLICIES[EASY], policy.POLICIES[MODERATE], chance.choice(scripts)
    return chance.choices(kinds, LEAGUE)[0]


def _wild(share: float, rules: AnyRuleset, view: Any, seat: Seat, chance: random.Random) -> Any:
    decide = policy.play_random if chance.random() < share else policy.play_normal
    return decide(rules, view, seat, chance)


def regression(noted: Sequence[Sample], ridge: float = RIDGE) -> list[float]:
    """Return the weights of maximum likelihood, none of them negative.

    Features that would get a negative weight are left out: more is better in each, and a search finds every position
    in which a wrong sign pays.
    """
    groups = [np.array([s.leads for s in noted if len(s.leads) == n]) for n in {len(s.leads) for s in noted}]
    scale = np.sqrt(np.mean(np.concatenate([group.reshape(-1, group.shape[2]) for group in groups]) ** 2, axis=0))
    scale[scale == 0] = 1.0
    kept = np.arange(len(scale))
    while True:
        found = _newton([group[:, :, kept] / scale[kept] for group in groups], ridge)
        if found.min() >= 0:
            weights = np.zeros(len(scale))
            weights[kept] = found / scale[kept]
            return [float(weight) for weight in weights]
        kept = np.delete(kept, found.argmin())


def _newton(groups: Sequence[Matrix], ridge: float) -> Matrix:
    """Return the weights of maximum likelihood, with a ridge. groups: leads by sample, rival and feature."""
    weights: Matrix = np.zeros(groups[0].shape[2])
    for _ in range(STEPS):
        slope, curve = -ridge * weights, ridge * np.eye(len(weights))
        for group in groups:
            more, bend = _slope(group, weights)
            slope, curve = slope + more, curve + bend
        weights = weights + np.linalg.solve(curve, slope)
    return weights


def _slope(leads: Matrix, weights: Matrix) -> tuple[Matrix, Matrix]:
    """Return the derivatives of the log-likelihood. leads: by sample, rival and feature."""
    against = np.exp(-np.clip(leads @ weights, -30, 30))
    shares = against / (1 + against.sum(axis=1, keepdims=True))
    mean = np.einsum("ij,ijk->ik", shares, leads)
    return mean.sum(axis=0), np.einsum("ij,ijk,ijl->kl", shares, leads, leads) - mean.T @ mean


def likelihood(noted: Iterable[Sample], weights: Sequence[float]) -> float:
    """Return the mean logarithm of the chance that the weights gave to the winners (0 is perfect)."""
    given = [math.log(max(1e-12, learned.chance(sample.leads, weights))) for sample in noted]
    return sum(given) / len(given)


def area(noted: Iterable[Sample], weights: Sequence[float]) -> float:
    """Return the area under the curve, in positions of two seats: the loser's chance is the rest of the winner's."""
    scores = np.array([learned.chance(sample.leads, weights) for sample in noted])
    return float(np.mean([np.mean(score > 1 - scores) + np.mean(score == 1 - scores) / 2 for score in scores]))


def report(held_back: Sequence[Sample], weights: Sequence[float]) -> None:
    """Print the quality of the weights by round."""
    for first, last in SPANS:
        found = [sample for sample in held_back if sample.seats == 2 and first <= sample.round <= last]
        if found:
            quality = f"likelihood {likelihood(found, weights):.4f}, area {area(found, weights):.3f}"
            print(f"rounds {first} to {last}: {len(found)} positions of two; {quality}")
    print(f"all: {len(held_back)} positions; likelihood {likelihood(held_back, weights):.4f}")


def main() -> None:
    """Learn the weights, print their quality, and write them beside those of the other rule sets."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--ruleset", required=True, choices=sorted(GAMES), help="which game")
    parser.add_argument("--seed", type=int, default=1, help="of the first match (default: 1)")
    parser.add_argument("--games", type=int, default=400, help="matches to learn from (default: 400)")
    parser.add_argument("--check", action="store_true", help="only report the quality of the present weights")
    args = parser.parse_args()
    weights = list(learned.weights(args.ruleset))
    if not args.check:
        weights = [round(weight, 4) for weight in regression(list(samples(args.ruleset, args.seed, args.games)))]
        known = msgspec.json.decode(WEIGHTS.read_bytes(), type=dict[str, list[float]]) if WEIGHTS.exists() else {}
        known[args.ruleset] = weights
        WEIGHTS.write_bytes(msgspec.json.format(msgspec.json.encode(known, order="sorted")) + b"\n")
    report(list(samples(args.ruleset, args.seed + 1, max(5, args.games // 5))), weights)


if __name__ == "__main__":
    main()
