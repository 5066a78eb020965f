"""Plugin for pytest-xdist that distributes the tests of the whole suite."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Final

import pytest
from xdist.scheduler import LoadScopeScheduling

CLIENT: Final = "tests/client/"
TREE: Final = "tests/test_"
ROOT: Final = Path(__file__).parents[2]
_PAINTS: Final = re.compile(r"\b(painted|shoot|photograph)\b")
"""Fixtures of tests that look at pixels."""


class PaintedFirst(LoadScopeScheduling):  # type: ignore[misc]
    """All modules of the client with tests that look at pixels are one piece of work, handed out first.

    Images that other tests cached have no pixels, so a process that has run those cannot run these any more. Each other
    module of the client is a piece, since its tests share a window. So is each module that reads the whole tree, since
    its tests share what they have read. Every other test is one by itself.
    """

    def _split_scope(self, nodeid: str) -> str:
        """Return the name of the piece. The scheduler hands out the piece with the most tests first."""
        module = nodeid.partition("::")[0]
        if module.startswith(TREE):
            return module
        if not module.startswith(CLIENT):
            return nodeid
        return CLIENT if _paints(module) else module


@cache
def _paints(module: str) -> bool:
    return _PAINTS.search((ROOT / module).read_text("utf-8")) is not None


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> PaintedFirst:
    """Return the scheduler of the whole suite."""
    return PaintedFirst(config, log)
