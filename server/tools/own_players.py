"""Players of other authors, for `arena`, `simulate` and `bot`: each in a process of its own, with deadlines."""

import random
import sys
from typing import Any, Final

from conquest.player_process import DEADLINE, PlayerFault, PlayerProcess
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset

_processes: Final[dict[tuple[str, Seat], PlayerProcess]] = {}
"""By name and seat: players of other authors that this process has started."""


_told: Final[set[tuple[str, str]]] = set()
"""Players and reasons that were printed."""


def is_class(name: str) -> bool:
    """Whether a name of a line-up is FILE.py:CLASS."""
    return ".py:" in name


def own_process(name: str, seat: Seat) -> PlayerProcess:
    """Return the player of a class for a seat, which is started at first. Raises ValueError if it cannot be loaded."""
    if (name, seat) not in _processes:
        _processes[name, seat] = PlayerProcess(name)
    return _processes[name, seat]


def close_players() -> None:
    """End all players that this process has started."""
    while _processes:
        _processes.popitem()[1].close()


def _tell(name: str, why: str) -> None:
    """Print why a player lost a decision, once for each reason."""
    if (name, why) not in _told:
        _told.add((name, why))
        print(f"{name} lost a decision, and the default was played: {why}", file=sys.stderr)


class Guest:
    """Player of a class in one match, as a policy. `faults`: decisions that it did not take."""

    def __init__(self, process: PlayerProcess, match: str, deadline: float = DEADLINE) -> None:
        self.faults = 0
        self._process = process
        self._match = match
        self._deadline = deadline

    def __call__(self, rules: AnyRuleset, view: Any, seat: Seat, _chance: random.Random) -> Action:
        """Return its action, or the default of the frame."""
        try:
            return self._process.decide(rules, view, seat, self._match, f"{self._match} {seat}", self._deadline)
        except PlayerFault as fault:
            self.faults += 1
            _tell(self._process.name, str(fault))
            return engine.default(rules, view, seat)
