"""The lobby and the server that most tests of the server use."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from server.connections.server_app import App
from tests.server.fakes import serving
from tests.server.lobby_harness import LobbyHarness, open_lobby


@pytest.fixture
async def h(tmp_path: Path) -> AsyncIterator[LobbyHarness]:
    """Open a lobby with the toy game for one test. Tests that open it another way or twice call `open_lobby`."""
    async with open_lobby(tmp_path) as harness:
        yield harness


@pytest.fixture
async def app(tmp_path: Path) -> AsyncIterator[App]:
    """Start a server of the toy game for one test."""
    async with serving(tmp_path) as started:
        yield started
