"""kill -9 in the middle of a match: acknowledged actions are stored and executed once, and all players return to their
seats."""

from pathlib import Path

import pytest

from shared.rulesets.registry import RULESETS
from tests.faults.kills import EACH, rounds_of_kills
from tests.support import engines
from tests.support.marks import mostly_long


@pytest.mark.parametrize("game", mostly_long(RULESETS, "cote2"))
async def test_acknowledged_actions_survive_kill_9(tmp_path: Path, game: str) -> None:
    outcome = await rounds_of_kills(tmp_path, game, 4, seed=1)
    assert outcome.acknowledged > 0 and outcome.lines > 0


async def test_acknowledged_actions_survive_kill_9_in_postgresql(tmp_path: Path) -> None:
    store = await engines.database(tmp_path)
    assert (await rounds_of_kills(tmp_path, "classic", 4, 1, store)).acknowledged > 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seed"),
    [
        ("cote2", 3),
        pytest.param("mb1984", 2, marks=pytest.mark.exhaustive),
        *(pytest.param("classic", seed, marks=pytest.mark.exhaustive) for seed in range(2, 6)),
        pytest.param("cote2", 2, marks=pytest.mark.exhaustive),
    ],
)
async def test_acknowledged_actions_survive_many_kills(tmp_path: Path, game: str, seed: int) -> None:
    assert (await rounds_of_kills(tmp_path, game, EACH, seed)).acknowledged > 0
