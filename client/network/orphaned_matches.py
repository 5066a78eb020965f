"""Matches against bots in the local databases without a saved seat: found again, or deleted."""

import contextlib
import logging
import subprocess
import threading
from collections.abc import Iterable, Sequence
from queue import Empty, SimpleQueue

import msgspec
from msgspec import Struct

from client.network.server_process import HERE, QUIETLY, SERVER
from client.player.seats import PRIVATE_HOMES, SavedSeat
from client.user_directories import folder

_log = logging.getLogger(__name__)


class _Line(Struct):
    """Line printed by `conquest-server seats` for each seat."""

    match: str
    seat: int
    token: str
    title: str
    game: str
    people: tuple[str, ...]
    seen: float


class OrphanSearch:
    """Search through the databases in a thread of its own; it skips a database that another window uses."""

    def __init__(self, saved: Iterable[SavedSeat], deleted: SavedSeat | None = None) -> None:
        """`saved`: seats that are saved already; `deleted`: match to delete first, with its log."""
        self._saved = [(seat.address, seat.match) for seat in saved]
        self._deleted = deleted
        self._process: subprocess.Popen[str] | None = None
        self._stopped = False
        self._found: SimpleQueue[SavedSeat] = SimpleQueue()
        self._thread = threading.Thread(target=self._run, name="search", daemon=True)
        self._thread.start()

    @property
    def done(self) -> bool:
        """Whether the search is complete."""
        return not self._thread.is_alive()

    def take(self) -> list[SavedSeat]:
        """Return the seats found since the last call."""
        found: list[SavedSeat] = []
        with contextlib.suppress(Empty):
            while True:
                found.append(self._found.get_nowait())
        return found

    def join(self) -> None:
        """Wait until the search is complete."""
        self._thread.join()

    def stop(self) -> None:
        """Stop the search because the databases are needed for play. A requested deletion is still done."""
        self._stopped = True
        # Read once: the thread of the search may start the next process meanwhile.
        process = self._process
        if process is not None and self._deleted is None:
            process.kill()
        self._thread.join()

    def _run(self) -> None:
        if self._deleted is not None:
            self._ask(self._deleted.address, ("--delete", self._deleted.match))
            self._deleted = None
        for home in PRIVATE_HOMES:
            if (folder() / home).is_dir() and not self._stopped:
                for line in self._lines(home):
                    token = bytes.fromhex(line.token)
                    seat = SavedSeat(home, line.match, token, line.title, line.seat, line.game, line.people, line.seen)
                    self._found.put(seat)

    def _lines(self, home: str) -> list[_Line]:
        matches = [match for address, match in self._saved if address == home]
        output = self._ask(home, [part for match in matches for part in ("--known", match)])
        try:
            return [msgspec.json.decode(line, type=_Line) for line in output.splitlines()]
        except msgspec.MsgspecError:
            _log.warning("the seats of %s cannot be read", home)
            return []

    def _ask(self, home: str, arguments: Sequence[str]) -> str:
        """Return the output of `conquest-server seats` for that folder; empty if another window uses it."""
        command = [*SERVER, "seats", "--data", str((folder() / home).resolve()), *arguments]
        try:
            self._process = subprocess.Popen(command, cwd=HERE, creationflags=QUIETLY, stdin=subprocess.DEVNULL,
                                             stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
                                             start_new_session=True)  # fmt: skip
        except OSError as error:
            _log.warning("the seats of %s: %s", home, error)
            return ""
        with self._process as process:
            # `stop` may have come just before the start, when there was no process to kill yet.
            if self._stopped and "--delete" not in arguments:
                process.kill()
            output, _ = process.communicate()
        return output if process.returncode == 0 else ""
