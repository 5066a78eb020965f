"""What all tests share: how long they may take, and an option for pictures."""

from __future__ import annotations

import pytest

LONG = 900
"""Seconds that a long test may take; `faulthandler_timeout` is more."""


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", action="store_true", help="keep what the client's tests draw, in tests/shots")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """The long tests may take longer."""
    if config.pluginmanager.hasplugin("timeout"):
        for item in items:
            if item.get_closest_marker("long") and not item.get_closest_marker("timeout"):
                item.add_marker(pytest.mark.timeout(LONG))
