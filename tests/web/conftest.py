"""Fixtures for all tests of the page: one event loop, on which they share a browser."""

import inspect
from collections.abc import AsyncIterator

import pytest
import pytest_asyncio

from tests.web.page_harness import SHARED


def pytest_itemcollected(item: pytest.Item) -> None:
    """Run a test here on the loop of the session, because a browser belongs to one loop."""
    if isinstance(item, pytest.Function) and inspect.iscoroutinefunction(item.function):
        item.add_marker(pytest.mark.asyncio(loop_scope="session"))


@pytest_asyncio.fixture(loop_scope="session", scope="session", autouse=True)
async def _shared_browser() -> AsyncIterator[None]:
    """Close the browser after the last test."""
    async with SHARED.during_session():
        yield
