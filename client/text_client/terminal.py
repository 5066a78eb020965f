"""Text client at a terminal or a pipe."""

import os
import sys
import threading
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Final, TextIO

from anyascii import anyascii

from client.player.settings import Settings
from client.text_client.text_program import TextProgram
from shared.tables import printable

_PAUSE: Final = 0.05
"""Seconds between two polls of the network while nothing happens, and while much does."""
_BRISK: Final = 0.004
_LIVELY: Final = 100
"""Number of fast polls after the last event."""


def speakable(line: str, encoding: str) -> str:
    """Return the line as the terminal can write it: signs simplified, foreign letters transliterated."""
    return "".join(letter if letter.encode(encoding, "ignore") else anyascii(letter) for letter in line)


def put(line: str, target: TextIO) -> None:
    """Print one line without control characters: a player's name must not move the cursor."""
    clean = printable(line).replace("\n", " ")
    print(speakable(clean, target.encoding or "ascii"), file=target, flush=True)


class Terminal:
    """Text program connected to an input and an output."""

    def __init__(self, settings: Settings, source: TextIO = sys.stdin, target: TextIO = sys.stdout) -> None:
        self._target = target
        self._typed: SimpleQueue[str | None] = SimpleQueue()
        """Typed lines; None after the last one."""
        self.reader = TextProgram(settings, self._print, self._clear)
        self._source = source

    def _print(self, line: str) -> None:
        put(line, self._target)

    def _clear(self) -> None:
        """Clear the screen with all that can be scrolled back. A pipe has neither."""
        if not self._target.isatty():
            return
        if os.name == "nt":
            os.system("cls")  # Older consoles print escape sequences instead of obeying them.
        else:
            self._target.write("\033[H\033[2J\033[3J")
            self._target.flush()

    def _listen(self) -> None:
        for line in self._source:
            self._typed.put(line)
        self._typed.put(None)

    def stop(self) -> None:
        """End `run` soon."""
        self.reader.ended = True

    def run(self, begin: Callable[[TextProgram], object], meanwhile: Callable[[], object] = lambda: None) -> int:
        """Begin, and go on until the player quits or the input ends; return the exit status.

        `meanwhile` is called again and again.
        """
        # A thread that waits for a line cannot be interrupted: a daemon does not hold up the end.
        threading.Thread(target=self._listen, name="typed", daemon=True).start()
        begin(self.reader)
        lively = _LIVELY
        try:
            while not self.reader.ended:
                meanwhile()
                lively = _LIVELY if self._step(_BRISK if lively else _PAUSE) else max(0, lively - 1)
        except BrokenPipeError:
            return 0  # The reader has closed the pipe.
        finally:
            self.reader.close()
        return self.reader.status

    def _step(self, pause: float) -> bool:
        """Process arrivals and typed lines; return whether there were any."""
        came = self.reader.update()
        if self.reader.ended:
            return True
        if self.reader.busy:
            # Typed lines wait meanwhile: the answer may change what they mean.
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
