"""Lines in, lines out: the table in words at a terminal, or at the other end of a pipe."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final, TextIO

from anyascii import anyascii

from client.player.settings import Settings
from client.text_client.text_program import TextProgram

_PAUSE: Final = 0.05
"""Seconds between two looks at the network while nothing happens, and while much does."""
_BRISK: Final = 0.004
_LIVELY: Final = 100
"""So many brisk looks follow the last thing that happened."""


def speakable(line: str, encoding: str) -> str:
    """The line as far as the terminal can write it: signs in a plainer form, letters of other scripts as they sound."""
    return "".join(letter if _can(letter, encoding) else anyascii(letter) for letter in line)


def _can(letter: str, encoding: str) -> bool:
    try:
        letter.encode(encoding)
    except UnicodeEncodeError:
        return False
    return True


def put(line: str, target: TextIO) -> None:
    """Print it as one line: what somebody calls himself moves no cursor."""
    clean = "".join(c if c.isprintable() else " " for c in line)
    print(speakable(clean, target.encoding or "ascii"), file=target, flush=True)


class Terminal:
    """One program with two ends."""

    def __init__(self, settings: Settings, source: TextIO = sys.stdin, target: TextIO = sys.stdout) -> None:
        self._target = target
        self._typed: SimpleQueue[str | None] = SimpleQueue()
        """Lines that were typed; None after the last one."""
        self.reader = TextProgram(settings, self._print)
        self._source = source

    def _print(self, line: str) -> None:
        put(line, self._target)

    def _listen(self) -> None:
        for line in self._source:
            self._typed.put(line)
        self._typed.put(None)

    def run(self, begin: Callable[[TextProgram], object], meanwhile: Callable[[], object] = lambda: None) -> int:
        """Begin, and go on until the player or his input ends; the exit status. `meanwhile`: done again and again."""
        threading.Thread(target=self._listen, name="typed", daemon=True).start()
        begin(self.reader)
        lively = _LIVELY
        try:
            while not self.reader.ended:
                meanwhile()
                lively = _LIVELY if self._step(_BRISK if lively else _PAUSE) else max(0, lively - 1)
        except BrokenPipeError:
            return 0  # Nobody reads any more.
        finally:
            self.reader.close()
        return self.reader.status

    def _step(self, pause: float) -> bool:
        """What came and what was typed; whether anything was."""
        came = self.reader.update()
        if self.reader.ended:
            return True
        if self.reader.busy:
            threading.Event().wait(pause)
            return came
        try:
            line = self._typed.get(timeout=pause)
        except Empty:
            return came
        if line is None:
            self.reader.ended = True
        else:
            self.reader.read(line)
        return True
