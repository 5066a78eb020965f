"""Exact odds of battles."""

from collections.abc import Mapping
from numbers import Integral
from typing import Any, Final

from msgspec import Struct

from conquest.actions import Action, name_of
from shared.ids import UNIT_NAMES
from shared.odds.attack import asked
from shared.odds.outcome import ATTACKER, DEFENDER, NEITHER, Host, Odds, is_quick
from shared.odds.registry import ODDS

_PARTS: Final = ("infantry", "cavalry", "catapult", "galley", "leaders", "walls", "training")
_PLURALS: Final = {"catapults": "catapult", "galleys": "galley", "leader": "leaders", "wall": "walls"}
"""Other forms of the parts: actions count "catapults", views "catapult"."""
MOST: Final = 4000
"""Positions of a battle up to which its odds are counted; that takes about a second."""


class Battle(Struct, frozen=True):
    """Odds of a battle: the probability that the attacker wins, the defender, or neither.

    neither: no side has ships left. By land an end without units counts for the side that then has the place.

    `attacker_left`, `defender_left`: mean numbers of units left, by kind. `costs`: mean losses of both sides, in
    talents at basic prices.
    """

    attacker: float
    defender: float
    neither: float
    attacker_left: dict[str, float]
    defender_left: dict[str, float]
    costs: tuple[float, float]


def odds(
    game: Any,
    attacker: Mapping[str, int] | Action | str,
    defender: Mapping[str, int] | None = None,
    at_sea: bool = False,
) -> Battle | None:
    """Return the odds of a battle, without a guess: all courses of the dice are counted.

    game: the name of a game, with two forces; or a `Game` or `View`, with the action that would attack. A force counts
    infantry, cavalry, catapult, galley, leaders, walls and training, in the singular or plural. None if the action
    attacks nothing. Raises ValueError for an unknown part, and for a battle of too many units.

    >>> battle = odds("classic", {"infantry": 3, "leaders": 1}, {"infantry": 2})
    >>> round(battle.attacker, 3), round(battle.defender, 3)
    (0.817, 0.183)
    """
    if isinstance(game, str):
        name_of(game)
        if not isinstance(attacker, Mapping) or defender is None:
            raise ValueError("Two forces are needed, such as {'infantry': 3} and {'infantry': 2}.")
        return _counted(game, _host(attacker), _host(defender), at_sea)
    view = getattr(game, "view", game)
    if isinstance(attacker, Mapping):
        raise ValueError("An action is needed, in words or from the legal ones, for the odds in a position.")
    if not hasattr(view, "legal") or not isinstance(attacker, str | Action):
        raise TypeError("A game's name with two forces is needed, or a game or view with an action.")
    action: Action = view.legal().read(attacker) if isinstance(attacker, str) else attacker
    if name_of(action._legal._rules.id) != view.game:
        raise ValueError(f"{action.kind} is an action of another game, not of {view.game}.")
    threat = ODDS[view.game].threat(view.raw, action.seat, action.raw)
    if threat is None:
        return None
    question = asked(ODDS[view.game].present, view.raw, action.seat, threat)
    return _counted(view.game, *question.hosts, question.naval)


def _counted(game: str, attacker: Host, defender: Host, at_sea: bool) -> Battle:
    if not is_quick(attacker, defender, MOST):
        raise ValueError(f"The battle is too large to count; the product of both sides may be {MOST} units.")
    found = ODDS[game].odds(attacker, defender, at_sea)
    return Battle(
        found.wins(ATTACKER),
        found.wins(DEFENDER),
        found.wins(NEITHER),
        _left(found, ATTACKER),
        _left(found, DEFENDER),
        found.costs,
    )


def _left(found: Odds, side: int) -> dict[str, float]:
    return {UNIT_NAMES[kind]: mean for kind, mean in enumerate(found.left(side)) if mean}


def _host(counts: Mapping[str, int]) -> Host:
    force = {_PLURALS.get(part, part): count for part, count in counts.items()}
    unknown = [part for part in force if part not in _PARTS]
    if unknown:
        raise ValueError(f"A force has no {unknown[0]!r}; it has {', '.join(_PARTS)}.")
    wrong = [part for part, count in force.items() if not isinstance(count, Integral) or count < 0]
    if wrong:
        raise ValueError(f"The number of {wrong[0]} must be 0 or more, not {force[wrong[0]]!r}.")
    army = force.get("infantry", 0), force.get("cavalry", 0), force.get("catapult", 0)
    leaders, walls, training = [force.get(name, 0) for name in ("leaders", "walls", "training")]
    return Host(army, force.get("galley", 0), leaders, walls, training)
