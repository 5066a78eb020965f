"""Signal handlers with which the suite and all programs that it starts begin."""

import signal
from typing import Final

INTERRUPTIONS: Final = (signal.SIGINT, signal.SIGTERM)
"""Signals that end a program. A script's `pytest &` inherits SIGINT ignored, and so would each program it starts."""


def restore_defaults() -> None:
    """Let Ctrl-C and SIGTERM end this process again, and the programs that it starts, if they were ignored.

    SIGHUP stays ignored under `nohup`: the suite is meant to outlive its terminal, and no program of ours handles it.
    """
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if signal.getsignal(signal.SIGTERM) is signal.SIG_IGN:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
