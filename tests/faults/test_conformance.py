"""Autobahn's cases, where the suite is at hand: see `tests.faults.conformance`."""

import os
import shutil
from pathlib import Path

import pytest

from tests.faults import conformance

SUITE = os.environ.get("AUTOBAHN", "")
PYTHON = os.environ.get("PYTHON27") or shutil.which("python2.7") or ""


@pytest.mark.long
@pytest.mark.skipif(
    not (SUITE and PYTHON), reason="AUTOBAHN names no directory with the suite, or no Python 2.7 is here"
)
async def test_only_what_is_known_fails() -> None:
    count, wrong = await conformance.failed(Path(SUITE), PYTHON)
    assert count == 247
    assert wrong <= conformance.ACCEPTED
