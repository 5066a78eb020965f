"""Who runs which tests where the whole suite runs side by side: a plugin for pytest-xdist."""

from __future__ import annotations

import pytest
from xdist.scheduler import LoadScopeScheduling

CLIENT = "tests/client/"


class OneDraws(LoadScopeScheduling):  # type: ignore[misc]
    """All tests of the client are one piece of work, for one process; every other test is a piece by itself."""

    def _split_scope(self, nodeid: str) -> str:
        """The name of the piece: the largest, the client, is handed out first."""
        return CLIENT if nodeid.startswith(CLIENT) else nodeid


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> OneDraws:
    """A window takes more memory than anything else; a second process has none."""
    return OneDraws(config, log)
