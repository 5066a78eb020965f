"""The page in a real browser: matches of bots are followed to their end, and every digest is right."""

from __future__ import annotations

from pathlib import Path

import pytest

from shared.rulesets.registry import RULESETS
from tests.web.house import (
    CHROMIUM,
    NOT_HERE,
    Sight,
    begin,
    browser,
    serving_games,
    table_of_bots,
    the_table,
    until_over,
    web,
)

pytestmark = pytest.mark.skipif(not CHROMIUM, reason=NOT_HERE)
KNOWS_ALL = "globalThis.conquest?.match?.table?.phase === 2 && conquest.match.history.moments.length > 1"


@pytest.mark.timeout(180)
@pytest.mark.parametrize(
    ("ruleset", "seats"),
    [
        ("classic", 2), ("mb1984", 2), ("cote2", 3),
        *(pytest.param(ruleset, 6, marks=pytest.mark.long) for ruleset in RULESETS),
    ],
)  # fmt: skip
async def test_a_match_is_followed_to_its_end_with_every_digest_right(ruleset: str, seats: int, tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        host = await table_of_bots(app, ruleset, seats)
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}")
        await sight.wait("globalThis.conquest?.match?.table?.phase === 0")
        await begin(host)
        await until_over(host)
        await sight.wait(KNOWS_ALL)
        (task,) = app.lobby.tasks
        game = task.table.match
        assert game is not None
        seen = await sight.ask("[conquest.match.history.version, conquest.match.history.wrong]")
        assert seen == [game.version, 0]
        checked = await sight.ask("[conquest.match.history.checked, conquest.match.history.moments.length]")
        assert checked[0] == checked[1] > 50
        assert sight.troubles == []
