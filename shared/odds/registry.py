"""Odds of every game: the only module that lists them all."""

from collections.abc import Callable, Mapping
from typing import Any, Final

from msgspec import Struct

from shared.ids import Seat, Space
from shared.kernel.frames import Action
from shared.odds import classic, cote2, mb1984
from shared.odds.attack import AttackQuestion, Threat, asked
from shared.odds.chances import Chances, Prospect
from shared.odds.outcome import ATTACKER, CERTAIN, DEFENDER, NEITHER, Host, Odds, is_quick, units

BRIEF: Final = 256
"""Number of positions of a battle up to which its odds are told beside actions; that takes some 10 ms."""


class GameOdds(Struct, frozen=True):
    """Odds of one game. `odds`: of a battle to come, on land or at sea. `present`: forces of a seat in a space.
    `standing`, `question`: odds and sides of the battle under way, or None. `threat`: the attack that an action of a
    seat begins or leads into."""

    odds: Callable[[Host, Host, bool], Odds]
    present: Callable[[Any, Seat, Space, bool], Host]
    standing: Callable[[Any], Odds | None]
    question: Callable[[Any], AttackQuestion | None]
    threat: Callable[[Any, Seat, Action], Threat | None]


ODDS: Final[Mapping[str, GameOdds]] = {
    "classic": GameOdds(classic.odds, classic.present, classic.standing, classic.question, classic.threat),
    "mb1984": GameOdds(mb1984.odds, mb1984.present, mb1984.standing, mb1984.question, mb1984.threat),
    "cote2": GameOdds(cote2.odds, cote2.present, cote2.standing, cote2.question, cote2.threat),
}
"""By the id of the rule set."""


def attack_chances(ruleset: str, view: Any, seat: Seat, action: Action) -> Chances | None:
    """Return the odds of the attack that an action begins; None if there is none, or too much to count."""
    game = ODDS.get(ruleset)
    threat = None if game is None else game.threat(view, seat, action)
    if game is None or threat is None:
        return None
    question = asked(game.present, view, seat, threat)
    return _chances(game.odds(*question.hosts, question.naval), question, seat) if _is_told(question) else None


def battle_chances(ruleset: str, view: Any, seat: Seat) -> Chances | None:
    """Return the odds of the battle under way for one of its sides; None if there is none, or too much to count."""
    game = ODDS.get(ruleset)
    question = None if game is None else game.question(view)
    if game is None or question is None or seat not in question.seats or not _is_told(question):
        return None
    odds = game.standing(view)
    return None if odds is None else _chances(odds, question, seat)


def _is_told(question: AttackQuestion) -> bool:
    """Whether both sides have units, and few enough to count."""
    return all(map(units, question.hosts)) and is_quick(*question.hosts, BRIEF)


def _chances(odds: Odds, question: AttackQuestion, seat: Seat) -> Chances:
    """Return the odds of a battle for one of its sides."""
    own, other = (ATTACKER, DEFENDER) if seat == question.seats[ATTACKER] else (DEFENDER, ATTACKER)
    shares = [_per_mille(odds.wins(winner)) for winner in (own, NEITHER, other)]
    sides = _prospect(odds, question, own), _prospect(odds, question, other)
    return Chances(shares[0], shares[1], shares[2], question.seats[other], question.space, *sides)


def _prospect(odds: Odds, question: AttackQuestion, side: int) -> Prospect:
    return Prospect(units(question.hosts[side]), round(sum(odds.left(side)) * 10), round(odds.costs[side]))


def _per_mille(chance: float) -> int:
    if chance <= 0 or chance > CERTAIN:
        return 1000 * (chance > 0)
    # 0 and 1000 are promises of certainty, which rounding must not make.
    return min(999, max(1, round(chance * 1000)))
