"""People decide on the page in Firefox: a match of each game by taps."""

from pathlib import Path

import pytest

from shared.rulesets.registry import RULESETS
from tests.support.browsers import FIREFOX, NO_FIREFOX
from tests.support.marks import with_releases
from tests.web.firefox import FirefoxSight, firefox
from tests.web.page_harness import serving_games, the_table, web
from tests.web.page_player import sit_down, taken, waiting_table
from tests.web.test_deciding import NEEDED

pytestmark = [pytest.mark.skipif(not FIREFOX, reason=NO_FIREFOX), pytest.mark.timeout(500)]
PLAYED = {
    "classic": ({"round_limit": 1}, (360, 740), True),
    "mb1984": ({"round_limit": 1}, (1280, 800), False),
    "cote2": ({}, (360, 740), True),
}
"""For each game: the options of a short match, the size of the window, and whether it is touched."""


@pytest.mark.long
@pytest.mark.parametrize("ruleset", with_releases(RULESETS, "classic"))
async def test_a_match_is_played_by_taps_in_firefox(ruleset: str, tmp_path: Path) -> None:
    options, size, touch = PLAYED[ruleset]
    done: set[str] = set()
    # Chance may end a short match before every sort of decision was taken: then another one is played.
    for seed in range(1, 4):
        async with serving_games(tmp_path / str(seed), seed=seed) as app, firefox() as browser:
            host = await waiting_table(app, ruleset, RULESETS[ruleset].min_seats, options)
            sight = await FirefoxSight.opened(browser, f"{web(app)}/watch#{the_table(host).code}", *size)
            player = await sit_down(host, sight, seed, touch=touch)
            await player.play(player.tap)
            assert await sight.ask("conquest.match.history.wrong") == 0
            assert sight.troubles == []
            done |= set(await taken(player, ruleset))
        if done >= NEEDED[ruleset] - {"Buy"}:
            return
    pytest.fail(f"only {sorted(done)} were decided in three matches")
