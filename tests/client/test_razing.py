"""The question whether to raze cities, by mouse: put where an enemy can reach one or prices can rise, else left out."""

from typing import Any

import pytest

from client.games.conquest.tasks.building_tasks import Buying, Razing
from client.games.conquest.tasks.movement_tasks import Moving
from client.table.task import AnyTask
from shared.board import BOARD
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.mb1984.definition import MB1984
from tests.client.mouse import Mouse
from tests.support import position, position1984
from tests.support.layout import sp

pytestmark = pytest.mark.usefixtures("window")
HOMES = ("italia", "egyptus")
GAMES = [
    pytest.param((position.position, CLASSIC, position.general), id="classic"),
    pytest.param((position1984.position, MB1984, position1984.general), id="1984"),
]


def task_of(hands: Mouse) -> AnyTask:
    return hands.top.task


def at_home(game: Any, **more: Any) -> Mouse:
    """A legion and a city in Italia, at the end of the player's movement; the only enemy is Egyptus."""
    make, rules, _general = game
    state = make(
        homes=HOMES, built={"italia": 1, "egyptus": 1}, units={"italia": {0: (3, 0, 0)}},
        talents=(120, 40), **more,
    )  # fmt: skip
    hands = Mouse(state, rules=rules)
    assert isinstance(task_of(hands), Moving)
    hands.button("End movement")
    if isinstance(task_of(hands), Moving):
        hands.button("Really end?")
    return hands


@pytest.mark.parametrize("game", GAMES)
def test_a_safe_city_raises_no_question(game: Any) -> None:
    hands = at_home(game)
    assert isinstance(task_of(hands), Buying)
    assert hands.state.built[sp("italia")]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("why", ["enemy", "prices"])
def test_a_city_is_razed_by_two_clicks_where_that_can_make_sense(game: Any, why: str) -> None:
    if why == "enemy":
        hands = at_home(game, leaders={"noricum": [game[2](1)]})
    else:
        west = [key for key in BOARD.keys[: BOARD.provinces] if key not in HOMES][:11]
        hands = at_home(game, owners=dict.fromkeys(west, 0))
        assert 90 <= hands.state.marker[0] < 100
    assert isinstance(task_of(hands), Razing)
    hands.space("italia")
    hands.button("Raze it")
    assert not hands.state.built[sp("italia")]
    assert isinstance(task_of(hands), Buying), "without a city there is nothing to ask"
