"""The fullest positions of games that bots play, the same each time."""

from functools import cache
from random import Random
from typing import Any

from client.games.static_match import LocalMatch
from server.bots.policy import play_normal
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.registry import RULESETS

APART = 12
"""Decisions from one position that is taken of a game to the next, at least."""
LONGEST = 700
"""Decisions of a game that are looked at: most are over by then."""


def fullness(table: Any) -> int:
    """Return the crowding of a position: visible pieces in a space, with more weight the more there are."""
    seen = [len(cell) for cell in table.units]
    for at in table.leader_at:
        if 0 <= at < len(seen):
            seen[at] += 2
    ships: int = sum(0 <= at < 100 for at in table.galley_at)
    return sum(n * n for n in seen) + ships


@cache
def fullest(game: str, seeds: int, wanted: int) -> list[Any]:
    """So many states, the fullest of as many games as there are seeds, each of six players."""
    found: list[tuple[int, int, int, Any]] = []
    for seed in range(1, seeds + 1):
        found += [(-fullness(state), seed, step, state) for step, state in enumerate(_played(RULESETS[game], seed))]
    chosen: list[tuple[int, int, int, Any]] = []
    for entry in sorted(found, key=lambda entry: entry[:3]):
        if all(entry[1] != other[1] or abs(entry[2] - other[2]) >= APART for other in chosen):
            chosen.append(entry)
        if len(chosen) == wanted:
            break
    return [state for *_, state in chosen]


def _played(rules: AnyRuleset, seed: int) -> list[Any]:
    """The states of a game, one after each decision."""
    match, chance = LocalMatch(rules, 6, seed=seed), Random(seed)
    states: list[Any] = []
    while not match.finished and len(states) < LONGEST:
        seat = match.owed()[0]
        match.play(seat, play_normal(rules, rules.view(match.state, seat), seat, chance))
        states.append(match.state)
    return states
