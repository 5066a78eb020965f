"""What all tests share: an option for pictures."""

from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--pictures", action="store_true", help="keep what the client's tests draw, in tests/shots")
