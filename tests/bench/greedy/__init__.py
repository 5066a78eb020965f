"""The greedy bots as they were before there were levels: what newer ones are measured against, and never mended.

`conquest-server arena --lineup normal,tests.bench.greedy:play`, from the root of the sources.
"""

import random
from collections.abc import Callable
from typing import Any, Final

from shared.ids import Seat
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from tests.bench.greedy import classic, cote2, mb1984

PLAYERS: Final[dict[str, Callable[[Any, Any, Seat, random.Random], Action]]] = {
    "classic": classic.decide,
    "cote2": cote2.decide,
    "mb1984": mb1984.decide,
}


def play(rules: AnyRuleset, view: Any, seat: Seat, rng: random.Random) -> Action:
    """The action that looks best now."""
    return PLAYERS[rules.id](rules, view, seat, rng)
