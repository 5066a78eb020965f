"""Each kind of action of each game can be taken on the page by taps alone."""

from pathlib import Path

import pytest

from shared.rulesets.registry import RULESETS
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.each_action import table

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(1200), pytest.mark.exhaustive]


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_each_kind_of_action_is_taken_by_taps(ruleset: str, tmp_path: Path) -> None:
    async for name, told, _taps, troubles in table(ruleset, tmp_path):
        assert (told[1:], troubles) == ([True, ""], []), name
