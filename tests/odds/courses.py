"""Every course that a battle can take, played through the rules with all rolls that there are."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import combinations_with_replacement
from math import factorial, prod
from typing import Any, TypeAlias

import msgspec
from msgspec.structs import replace

from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.kernel.chance import FACES
from shared.kernel.frames import Dice, Event, Rolled
from shared.odds.outcome import ATTACKER, DEFENDER, NEITHER, Force
from shared.rulesets.mb1984 import frames as mf
from shared.rulesets.registry import ruleset
from tests.odds.played import Case, lose, over, pilot, units

End: TypeAlias = tuple[int, tuple[Force, Force]]
"""The winner, and the units left of attacker and defender."""
Place: TypeAlias = tuple[Any, tuple[Force, Force]]
"""A state in which dice are about to fall, and the units left so far."""
Ways: TypeAlias = tuple[dict[bytes, float], dict[End, float]]
"""Probabilities of the next places, by their keys, and of endings."""
REST = 1e-10
"""Probability of courses that are not followed further."""


def endings(case: Case) -> dict[End, float]:
    """Return the exact probability of each ending of a battle, found by playing it."""
    tree = _Tree(case)
    first = tree.settled(case.state.clone(), (units(case, case.state, ATTACKER), units(case, case.state, DEFENDER)))
    found: dict[End, float] = defaultdict(float)
    if isinstance(first, bytes):
        _follow(tree, first, found)
    else:
        found[first] = 1.0
    return found


def _follow(tree: "_Tree", first: bytes, found: dict[End, float]) -> None:
    """Pass the probability on from place to place until hardly any is left."""
    mass = {first: 1.0}
    while sum(mass.values()) > REST:
        after: dict[bytes, float] = defaultdict(float)
        for key, chance in mass.items():
            further, ended = tree.ways(key)
            for place, share in further.items():
                after[place] += chance * share
            for end, share in ended.items():
                found[end] += chance * share
        mass = after


class _Tree:
    """Places of a battle with what can follow; each is played only once."""

    def __init__(self, case: Case) -> None:
        self._case = case
        self._rules = ruleset(case.rules)
        self._places: dict[bytes, Place] = {}
        self._known: dict[bytes, Ways] = {}

    def ways(self, key: bytes) -> Ways:
        """Return what can follow a place."""
        if key not in self._known:
            self._known[key] = self._rolled(*self._places[key])
        return self._known[key]

    def _rolled(self, state: Any, left: tuple[Force, Force]) -> Ways:
        further: dict[bytes, float] = defaultdict(float)
        ended: dict[End, float] = defaultdict(float)
        for faces, chance in rolls(state.frames[-1].count):
            after = state.clone()
            happened: list[Event] = []
            engine.play(self._rules, after, NATURE, Rolled(faces), happened.append)
            found = self.settled(after, left, happened)
            if isinstance(found, bytes):
                further[found] += chance
            else:
                ended[found] += chance
        return further, ended

    def settled(self, state: Any, left: tuple[Force, Force], happened: list[Event] | None = None) -> bytes | End:
        """Play decisions until dice are about to fall or the battle is over; return the key of that place, or the
        ending."""
        happened = [] if happened is None else happened
        while not (ends := over(happened)) and not isinstance(state.frames[-1], Dice):
            seat = engine.owed(self._rules, state)[0]
            engine.play(self._rules, state, seat, pilot(self._case, state, seat), happened.append)
        lost = [*left]
        for event in happened:
            lose(self._case, event, lost)
        rest = lost[0], lost[1]
        if ends:
            return (self._case.sides[ends[0].winner] if ends[0].winner != NONE else NEITHER), rest
        key = _key(state, rest)
        self._places.setdefault(key, (state, rest))
        return key


def _key(state: Any, left: tuple[Force, Force]) -> bytes:
    """Return what makes a place different: without numbers of frames, and of rounds where there is no last one."""
    frames = [_plain(frame, len(state.units)) for frame in state.frames]
    fields = {name: getattr(state, name) for name in state.__struct_fields__ if name not in ("pushed", "frames")}
    return msgspec.msgpack.encode((fields, [(type(frame).__name__, frame) for frame in frames], left))


def _plain(frame: Any, provinces: int) -> Any:
    endless = isinstance(frame, mf.Battle) or 0 <= getattr(frame, "space", provinces) < provinces
    changes = {"round": 1} if endless and "round" in frame.__struct_fields__ else {}
    return replace(frame, no=0, **changes)


@cache
def rolls(dice: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """Return all rolls of so many dice, whatever their order, with their probabilities."""
    return tuple(_rolls(dice))


def _rolls(dice: int) -> Iterator[tuple[tuple[int, ...], float]]:
    for faces in combinations_with_replacement(range(FACES), dice):
        orders = factorial(dice) // prod(factorial(n) for n in Counter(faces).values())
        yield faces, orders / FACES**dice


def told(case: Case) -> Mapping[End, float]:
    """Return the probability of each ending by the odds."""
    return {(end.winner, (end.attacker, end.defender)): end.chance for end in case.odds.endings}
