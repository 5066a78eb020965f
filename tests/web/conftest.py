"""Fixtures for all tests of the page: one event loop, on which they share a browser."""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator

import pytest
import pytest_asyncio

from tests.web.page_harness import SHARED


@pytest.hookimpl(wrapper=True)
def pytest_pycollect_makemodule() -> Generator[None, pytest.Module, pytest.Module]:
    """Run the tests of each module here on the loop of the session, because a browser belongs to one loop."""
    module = yield
    module.add_marker(pytest.mark.asyncio(loop_scope="session"))
    return module


@pytest_asyncio.fixture(loop_scope="session", scope="session", autouse=True)
async def _shared_browser() -> AsyncIterator[None]:
    """Close the browser after the last test."""
    async with SHARED.during_session():
        yield
