"""Plugin for pytest-xdist that distributes the tests of the whole suite."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from xdist.scheduler import LoadScopeScheduling

CLIENT: Final = "tests/client/"
ROOT: Final = Path(__file__).parents[2]
_DRAWS: Final = re.compile(r"\b(window|arcade|app|LocalMatch|Tabletop)\b")
"""What is named where something is drawn, or could be."""


class OneDraws(LoadScopeScheduling):  # type: ignore[misc]
    """All tests of the client that draw are one piece of work, for one process; the others of a module of the client
    are a piece, and every other test is one by itself."""

    def _split_scope(self, nodeid: str) -> str:
        """The name of the piece: the largest, what draws, is handed out first."""
        if not nodeid.startswith(CLIENT):
            return nodeid
        module = nodeid.partition("::")[0]
        return CLIENT if _draws(module) else module


@cache
def _draws(module: str) -> bool:
    return _DRAWS.search((ROOT / module).read_text("utf-8")) is not None


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> OneDraws:
    """A window takes more memory than anything else; a second process has none."""
    return OneDraws(config, log)
