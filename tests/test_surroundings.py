"""Surroundings of the suite that change nothing: a script's background, `nohup`, no terminal."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.signals import INTERRUPTIONS

ROOT = Path(__file__).parents[1]
STARTED = """
import os, subprocess, sys
import tests.conftest

subprocess.run([sys.executable, "-c", "import os; os.kill(os.getpid(), {number})"], check=True)
"""
"""A suite that starts a program which interrupts itself."""


def ignore_interruptions() -> None:
    """Ignore signals as the shell does for commands in the background, and `nohup` for all."""
    for number in (*INTERRUPTIONS, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)


@pytest.mark.parametrize("number", INTERRUPTIONS)
def test_a_program_can_be_interrupted_though_the_suite_began_with_ignored_signals(number: signal.Signals) -> None:
    command = [sys.executable, "-c", STARTED.format(number=int(number))]
    done = subprocess.run(
        command, cwd=ROOT, preexec_fn=ignore_interruptions,
        stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 1 and f"died with {number!r}" in done.stderr, done.stderr
