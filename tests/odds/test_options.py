"""Every option of every game: odds are those of battles under the rules, and bots know them.

A new option is covered without a change here, in the battles of `SMALL`: there must be one in which it shows. If it
changes a battle, let rules, odds and bots read the number from one function of the table in the rule set's `options`.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest
from msgspec.structs import replace

from server.bots.classic import fighting as classic_bot
from server.bots.classic.position_analysis import PositionAnalysis as ClassicAnalysis
from server.bots.cote2 import fighting as cote2_bot
from server.bots.cote2.position_analysis import SeatAnalysis
from server.bots.mb1984 import fighting as mb1984_bot
from server.bots.mb1984.position_analysis import PositionAnalysis as MbAnalysis
from shared.board import BOARD
from shared.ids import Space
from shared.odds import classic, cote2, mb1984
from shared.odds.outcome import ATTACKER, DEFENDER
from shared.rulesets.cote2.state import LEADERS
from shared.rulesets.registry import RULESETS, ruleset
from tests.odds.battles import small
from tests.odds.courses import endings, told
from tests.odds.played import Case

MOST = 12
"""Values of an option that are all tried; of more values the first, the second and the last are."""
ODDS: Mapping[str, Any] = {"classic": classic, "mb1984": mb1984, "cote2": cote2}


def settings() -> Iterator[tuple[str, str, int]]:
    """Yield every value of every option, with its game. The usual values are the same battles, so they come once."""
    for game, rules in RULESETS.items():
        for number, option in enumerate(rules.options):
            several = option.values if len(option.values) <= MOST else (*option.values[:2], option.values[-1])
            for value in several:
                if not number or value != option.default:
                    yield game, option.key, value


def place(case: Case) -> Space:
    """Return the space of the battle."""
    frame = next(frame for frame in case.state.frames if hasattr(frame, "attacker"))
    found: Space = getattr(frame, "space", getattr(frame, "zone", 0))
    return found


def by_classic_bot(view: Any, space: Space) -> float:
    """Return the chance of an attack as a bot of Classic counts it."""
    return classic_bot.chance(ClassicAnalysis(view, ATTACKER), space, ATTACKER, DEFENDER)


def by_mb1984_bot(view: Any, space: Space) -> float:
    """Return the chance of an attack as a bot of 1984 counts it."""
    return mb1984_bot.chance(MbAnalysis(view, ATTACKER), space, DEFENDER)


def by_cote2_bot(view: Any, space: Space) -> float:
    """Return the chance of an attack as a bot of Conquest II counts it."""
    analysis = SeatAnalysis(view, ATTACKER)
    led = any(at == space for at in view.leader_at[:LEADERS])
    return cote2_bot.coming(analysis, space, DEFENDER, analysis.army(space), led).won


BOTS: Mapping[str, tuple[Callable[[Any, Space], float], float]] = {
    "classic": (by_classic_bot, 0.03),
    "mb1984": (by_mb1984_bot, 1e-9),
    "cote2": (by_cote2_bot, 1e-9),
}
"""A bot's chance of an attack on land, and the error that it may have."""


@pytest.mark.parametrize(("game", "key", "value"), [*settings()])
def test_odds_are_those_of_all_courses_of_a_battle(game: str, key: str, value: int) -> None:
    for name, case in small(game, {key: value}).items():
        played, said = endings(case), told(case)
        for end in played.keys() | said.keys():
            assert said.get(end, 0.0) == pytest.approx(played.get(end, 0.0), abs=1e-8), (name, end)


@pytest.mark.parametrize(("game", "key", "value"), [*settings()])
def test_bots_count_the_odds_that_people_are_told(game: str, key: str, value: int) -> None:
    chance, error = BOTS[game]
    for name, case in small(game, {key: value}).items():
        if place(case) < BOARD.provinces:
            said = chance(ruleset(game).view(case.state, ATTACKER), place(case))
            assert said == pytest.approx(case.odds.wins(ATTACKER), abs=error), name


@pytest.mark.parametrize(("game", "key", "value"), [*settings()])
def test_battles_to_come_have_the_odds_of_those_that_began(game: str, key: str, value: int) -> None:
    for name, case in small(game, {key: value}).items():
        naval = place(case) >= BOARD.provinces
        hosts = [ODDS[game].present(case.state, seat, place(case), naval) for seat in (ATTACKER, DEFENDER)]
        said = ODDS[game].odds(replace(hosts[0], walls=0), hosts[1], naval)
        assert said.wins(ATTACKER) == pytest.approx(case.odds.wins(ATTACKER), abs=1e-9), name
