"""Plugin for pytest-xdist that distributes the tests of the whole suite."""

from typing import Final

import pytest
from xdist.scheduler import LoadScopeScheduling
from xdist.workermanage import WorkerController

PAINTED: Final = "painted"
"""Group of tests that look at pixels; pytest-xdist appends it to their names."""

CLIENT: Final = "tests/client/"
TREE: Final = "tests/test_"
SLOW: Final = (
    TREE, "tests/faults/", "tests/web/", "tests/deploy/", "tests/conformance/", "tests/bots/", "tests/server/",
)  # fmt: skip
"""Places of long tests. A long test that begins last would leave the other processes without work."""


class PaintedFirst(LoadScopeScheduling):  # type: ignore[misc]
    """Pieces of work in the order of `turn`.

    The tests of one module of the client are a piece, since they share a window. Those that look at pixels are a piece
    of their own. So is each module that reads the whole tree, since its tests share what they have read. Every other
    test is one by itself.
    """

    def _split_scope(self, nodeid: str) -> str:
        """Return the name of the piece."""
        module = nodeid.partition("::")[0]
        if nodeid.endswith(f"@{PAINTED}"):
            return f"{module}@{PAINTED}"
        return module if module.startswith((CLIENT, TREE)) else nodeid

    def mark_test_complete(self, node: WorkerController, item_index: int, duration: float = 0) -> None:
        """Note a finished test and forget finished pieces, because each call counts the tests of all kept pieces."""
        super().mark_test_complete(node, item_index, duration)
        work = self.assigned_work[node]
        scope = self._split_scope(self.registered_collections[node][item_index])
        if all(work.get(scope, {"": False}).values()):
            del work[scope]


def turn(nodeid: str, *, painted: bool) -> int:
    """Return the place of a test's piece in the order in which pieces are handed out.

    Images that other tests cached have no pixels, so each process needs to run tests that look at pixels first.
    """
    if painted:
        return 0
    return 1 if nodeid.startswith(CLIENT) else 2 if nodeid.startswith(SLOW) else 3


def pytest_xdist_make_scheduler(config: pytest.Config, log: object) -> PaintedFirst:
    """Return the scheduler of the whole suite."""
    return PaintedFirst(config, log)
