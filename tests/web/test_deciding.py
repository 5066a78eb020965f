"""People decide on the page: whole matches by taps alone and by keys alone."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any, Final

import pytest

from shared.rulesets.registry import RULESETS
from tests.web.page_harness import CHROMIUM, NOT_HERE, SHORT, browser, serving_games
from tests.web.page_player import at_table, taken
from tests.web.test_watching import PHONE

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NOT_HERE), pytest.mark.timeout(240)]
DESKTOP: Final = {"width": 1280, "height": 800}
NEEDED: Final = {
    "classic": {"March", "EndMovement", "Buy"},
    "mb1984": {"March", "EndMovement", "Buy"},
    "cote2": {"Bid", "Pass"},
}
"""Actions that no whole match of a game goes without."""


async def whole_match(
    data: Path, ruleset: str, seed: int, by: str, options: dict[str, int], **size: Any
) -> Counter[str]:
    """Play a match to its end on the page, by "taps" or "keys"; return the actions that were played."""
    async with serving_games(data, seed=seed) as app, browser() as chromium:
        seats = RULESETS[ruleset].min_seats
        player = await at_table(chromium, app, ruleset, seats, seed, options=options, **size)
        await player.play(player.tap if by == "taps" else player.type)
        assert await player.sight.ask("conquest.match.history.wrong") == 0
        assert player.sight.troubles == []
        return await taken(player, ruleset)


async def test_a_round_of_classic_is_played_by_taps_on_a_phone(tmp_path: Path) -> None:
    played = await whole_match(tmp_path, "classic", 1, "taps", {"round_limit": 1}, **PHONE)
    assert played["EndMovement"] == 1


@pytest.mark.long
@pytest.mark.parametrize("ruleset", ["classic", "mb1984"])
@pytest.mark.parametrize(
    ("by", "size"),
    [("taps", PHONE), ("taps", DESKTOP), ("keys", DESKTOP)],
    ids=["taps on a phone", "clicks", "keys"],
)  # fmt: skip
async def test_a_match_is_played_on_the_page(ruleset: str, by: str, size: dict[str, Any], tmp_path: Path) -> None:
    played = await whole_match(tmp_path, ruleset, 1, by, SHORT[ruleset], **size)
    print(played)
    assert set(played) >= NEEDED[ruleset]
