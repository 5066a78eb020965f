# ruff: noqa: E402
"""Setup of the test suite: parallel when all of it is asked for; and an option for pictures."""

import asyncio
import gc
import logging
import os
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent

if sys.dont_write_bytecode:
    # Hundreds of programs are started, each of which would compile all of itself: they share what one of them has
    # compiled, and the sources stay without it, as was asked for.
    sys.dont_write_bytecode = False
    sys.pycache_prefix = os.environ["PYTHONPYCACHEPREFIX"] = str(ROOT / ".pytest_cache" / "compiled")
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

MEMORY = Path("/dev/shm")
ROOM = 2 << 30
"""Bytes that must be free there."""


def roomy(place: Path) -> bool:
    """Whether this place has room for the suite's files and allows programs to run."""
    return place.is_dir() and shutil.disk_usage(place).free >= ROOM and not os.statvfs(place).f_flag & os.ST_NOEXEC


if "TMPDIR" not in os.environ and sys.platform == "linux" and roomy(MEMORY):
    # Databases are thrown away, so tests need not wait for a disk. Tests kill processes, not the
    # computer, so what they prove is the same.
    os.environ["TMPDIR"] = str(MEMORY)
    tempfile.tempdir = None

os.environ["CONQUEST_LANGUAGE"] = "en"  # Whatever this computer speaks: the client settles on it as it is loaded.

from server import log
from server.connections import event_loop
from tests.support import signals

# All programs of the tests inherit it, also those that other programs start.
signals.restore_defaults()

WAITING = 1
"""Processes for the whole suite beyond one for each processor: tests with servers and browsers wait half of their
time."""


@pytest.fixture(autouse=True)
def databases_are_free_again(request: pytest.FixtureRequest) -> Iterator[None]:
    """Free the databases of a test's directory for other tests afterwards."""
    yield
    engines = sys.modules.get("tests.support.engines")
    directory = request.node.funcargs.get("tmp_path")
    if engines is not None and directory is not None:
        engines.free(directory)


@pytest.fixture(autouse=True)
def log_as_before() -> Iterator[None]:
    """Restore the log after a command that started it: it would write where another test reads."""
    levels = (log.LOGGER.level, log.LIBRARY.level)
    yield
    root = logging.getLogger()
    root.handlers[:] = [handler for handler in root.handlers if not isinstance(handler.formatter, log.JsonLines)]
    log.LOGGER.setLevel(levels[0])
    log.LIBRARY.setLevel(levels[1])


def pytest_asyncio_loop_factories(item: pytest.Item) -> Mapping[str, Callable[[], asyncio.AbstractEventLoop]]:
    """Return asyncio's own loop, and uvloop too for tests marked `both_loops`, if it is installed."""
    found: dict[str, Callable[[], asyncio.AbstractEventLoop]] = {event_loop.ASYNCIO: asyncio.new_event_loop}
    if item.get_closest_marker("both_loops") and event_loop.chosen(event_loop.AUTO) is not asyncio.new_event_loop:
        found[event_loop.UVLOOP] = event_loop.chosen(event_loop.UVLOOP)
    return found


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", action="store_true", help="keep what the client's tests draw, in tests/shots")


@pytest.hookimpl(tryfirst=True)
def pytest_cmdline_main(config: pytest.Config) -> None:
    """Run the whole suite in parallel if pytest-xdist is installed and not configured otherwise; run parts in one
    process."""
    if hasattr(config, "workerinput"):
        return  # One of those processes already: each would start two more.
    whole = all(Path(argument).resolve() in (ROOT, ROOT / "tests") for argument in config.args)
    if whole and getattr(config.option, "numprocesses", 0) is None and not config.option.usepdb:
        config.option.numprocesses = (os.cpu_count() or 1) + WAITING
        config.option.dist = "loadgroup"
        config.option.loadscopereorder = False  # The order is that of `pytest_collection_modifyitems`.
        config.pluginmanager.import_plugin("tests.support.sharing")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Order the tests: in one process those that draw last, else in the order of `sharing.turn`.

    A window takes more memory than anything else, and keeps it from then on. What is tried for releases only does not
    belong to the long suite, also where it is one parameter of a long test."""
    for item in items:
        if item.get_closest_marker("exhaustive"):
            item.own_markers = [marker for marker in item.own_markers if marker.name != "long"]
            if item.get_closest_marker("long"):
                raise pytest.UsageError(f"{item.nodeid} is exhaustive: mark the functions `long`, not their module")
    items.sort(key=_drawing)
    if getattr(config.option, "loadgroup", False):
        _share(items)


def _share(items: list[pytest.Item]) -> None:
    """Prepare the tests of one process of several: name the group of those that look at pixels, and sort them."""
    from tests.support import sharing

    turns = {item: sharing.turn(item.nodeid, painted=_looks(item)) for item in items}
    for item in items:
        if _looks(item):
            item.add_marker(pytest.mark.xdist_group(sharing.PAINTED))
    items.sort(key=turns.__getitem__)


def _looks(item: pytest.Item) -> bool:
    return "painted" in getattr(item, "fixturenames", ())


def pytest_collection_finish() -> None:
    """Freeze all collected tests: they stay to the end, so the garbage collector need not examine them again."""
    gc.collect()
    gc.freeze()


def _drawing(item: pytest.Item) -> tuple[bool, bool, bool]:
    """Return a sort key: tests without a window, then tests that look at pixels, before pictures without pixels are
    kept. Tests of the whole program, which starts servers, come before tests that only draw."""
    asked = getattr(item, "fixturenames", ())
    draws = "window" in asked
    return draws, draws and "painted" not in asked, draws and "app" not in asked
