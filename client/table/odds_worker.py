"""Odds of large battles, counted by a separate process, so that neither the window nor the text table waits for them.

As a program, `python -m client.table.odds_worker` reads a `OddsRequest` from its standard input and writes its `Odds`.
"""

import contextlib
import subprocess
import sys
import threading
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Final

import msgspec
from msgspec import Struct

from shared.odds.outcome import Host, Odds, is_quick

COMMAND: Final = (sys.executable, "-m", "client.table.odds_worker")
HERE: Final = Path(__file__).resolve().parents[2]
"""Working directory of the command, so that it finds this program and not a folder of the user's."""
_QUIETLY: Final[int] = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""Flag against a console window, which Windows would open for the process."""
_ANSWER: Final = msgspec.msgpack.Decoder(Odds)


class OddsRequest(Struct, frozen=True):
    """A battle to count. `game`: a module of `shared.odds`; `hosts`: attacker and defender."""

    game: str
    hosts: tuple[Host, Host]
    naval: bool


class Counting:
    """Counter of one battle at a time. `odds`: those of a game, see `BattleOdds`."""

    def __init__(self, odds: Callable[[Host, Host, bool], Odds]) -> None:
        self._odds = odds
        self._request: OddsRequest | None = None
        self._answer: Odds | None = None
        self._process: subprocess.Popen[bytes] | None = None
        self._answers: SimpleQueue[bytes] = SimpleQueue()

    def ask(self, attacker: Host, defender: Host, naval: bool) -> Odds | None:
        """Return the odds; None while they are being counted: ask again later. A new battle replaces the one before."""
        if is_quick(attacker, defender):
            return self._odds(attacker, defender, naval)
        battle = OddsRequest(self._odds.__module__.rpartition(".")[2], (attacker, defender), naval)
        if battle != self._request:
            self._begin(battle)
        if self._answer is None:
            with contextlib.suppress(Empty):
                self._answer = self._read(self._answers.get_nowait(), battle)
        return self._answer

    def stop(self) -> None:
        """Stop counting."""
        self._request = None
        if self._process is not None:
            self._process.kill()
            self._process = None

    def _begin(self, battle: OddsRequest) -> None:
        self.stop()
        self._request, self._answer, self._answers = battle, None, SimpleQueue()
        try:
            self._process = subprocess.Popen(
                COMMAND, cwd=HERE, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                # A session of its own: the Ctrl+C of a terminal reaches only the game, which ends the count in order.
                creationflags=_QUIETLY, start_new_session=True,
            )  # fmt: skip
        except OSError:
            return self._answers.put(b"")
        question = msgspec.msgpack.encode(battle)
        # A thread, as `communicate` blocks until the process has answered.
        threading.Thread(target=_waits, args=(self._process, question, self._answers), daemon=True).start()
        return None

    def _read(self, answer: bytes, battle: OddsRequest) -> Odds:
        """Decode the answer. Without a separate process, count the odds here, however long that takes."""
        return _ANSWER.decode(answer) if answer else self._odds(*battle.hosts, battle.naval)


def _waits(process: subprocess.Popen[bytes], question: bytes, answers: SimpleQueue[bytes]) -> None:
    with contextlib.suppress(OSError, ValueError):
        answers.put(process.communicate(question)[0])


def main() -> None:
    """Count one battle."""
    battle = msgspec.msgpack.decode(sys.stdin.buffer.read(), type=OddsRequest)
    game = import_module(f"shared.odds.{battle.game}")
    sys.stdout.buffer.write(msgspec.msgpack.encode(game.odds(*battle.hosts, battle.naval)))


if __name__ == "__main__":
    main()
