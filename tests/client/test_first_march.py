"""Marches in a first game: one or two units for each general, all against an enemy, and what the player counted."""

from typing import Any

import pytest

from client.games.conquest.drafts.move_draft import Legion
from client.games.conquest.tasks.movement_tasks import Moving
from client.games.cote2.tasks.land_move_task import Marching
from shared.board import BOARD
from shared.ids import Army
from shared.rulesets.registry import RULESETS
from tests.client.desk import StillDesk
from tests.client.mouse import at_position
from tests.client.rules_adapters import REALMS
from tests.support import position, position1984, positionii
from tests.support.layout import sp

GAMES = [
    pytest.param("classic", position, 4, id="classic"),
    pytest.param("mb1984", position1984, 4, id="1984"),
]


def desk_of(game: str, state: Any, first: bool = True) -> StillDesk:
    match = at_position(RULESETS[game], state, 0)
    desk = StillDesk(match)
    desk.first_game = first
    return desk


def marching(game: str, home: Any, generals: int, units: Army, first: bool = True) -> Moving[Any]:
    """A legion with its generals and the Caesar in Italia; the enemy stands in Rhaetia."""
    state = home.position(
        homes=("italia", "egyptus"), units={"italia": {0: units}, "rhaetia": {1: (2, 0, 0)}},
        leaders={"italia": [home.general(0, k + 1) for k in range(generals)], "rhaetia": [home.general(1)]},
    )  # fmt: skip
    task = Moving(desk_of(game, state, first), REALMS[game].marching)
    assert task.draft.pick_province(sp("italia")) is None
    return task


def units(task: Moving[Any]) -> Army:
    assert isinstance(task.draft.pick, Legion)
    return task.draft.pick.units


@pytest.mark.parametrize(("game", "home", "generals"), GAMES)
def test_one_or_two_units_go_with_each_general(game: str, home: Any, generals: int) -> None:
    assert units(marching(game, home, generals, (5, 0, 0))) == (1, 0, 0), "one is left for each of the others"
    task = marching(game, home, generals, (9, 3, 1))
    assert units(task) == (2, 0, 0), "infantry holds land as well as dearer units do"
    task.draft.toggle(home.general(0, 2))
    assert units(task) == (4, 0, 0)
    assert sum(units(marching(game, home, generals, (9, 3, 1), first=False))) == 7, "later games suggest a whole legion"


@pytest.mark.parametrize(("game", "home", "generals"), GAMES)
def test_all_go_against_an_enemy_unless_the_player_counted_them(game: str, home: Any, generals: int) -> None:
    task = marching(game, home, generals, (5, 1, 0))
    assert task.draft.aim(sp("rhaetia")) is None
    assert units(task) == (4, 1, 0), "all but the guard of the Caesar"
    assert task.draft.aim(sp("neapolis")) is None
    assert units(task) == (1, 0, 0)
    task.draft.set_units(0, 3)
    assert task.draft.aim(sp("rhaetia")) is None
    assert units(task) == (3, 0, 0)


def test_conquest_ii_sends_a_general_with_two_units_or_all_against_an_army() -> None:
    home = positionii
    state = home.position(
        units={"italia": {0: (6, 1, 0)}, "rhaetia": {1: (2, 0, 0)}},
        leaders={"italia": [home.caesar(0), home.general(0)], "rhaetia": [home.general(1)]},
    )  # fmt: skip
    task = Marching(desk_of("cote2", state), sp("italia"))
    party = task.draft.party
    assert (party.units, party.leaders) == ((2, 0, 0), (home.general(0),))
    task._aim(sp("neapolis"))
    assert task.draft.party.units == (2, 0, 0)
    task._aim(sp("rhaetia"))
    assert (task.draft.party.units, len(task.draft.party.leaders)) == ((6, 1, 0), 2)
    task._add(0, -1)
    task._aim(sp("neapolis"))
    assert task.draft.party.units == (5, 1, 0), "the player counted them"
    later = Marching(desk_of("cote2", state, first=False), sp("italia"))
    assert later.draft.party.units == (6, 1, 0)
    assert BOARD.names[later.draft.source] == "Italia"
