"""Server as a child process, for private and hosted matches: started, watched and stopped by the client."""

import atexit
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Sequence
from pathlib import Path
from time import monotonic, sleep
from typing import Final, Literal

import msgspec
from msgspec import Struct

from client.language import _
from client.player.lessons import PACE, lesson_home, position
from client.player.seats import HOSTED, PRIVATE
from client.user_directories import folder, read_small
from shared.lessons.registry import SEED

SERVER: Final = (sys.executable, "-m", "server")
"""The command of the server's program."""
HERE: Final = Path(__file__).resolve().parents[2]
"""Working directory of the server: in another one, a folder named "server" would hide the package."""
QUIETLY: Final[int] = getattr(subprocess, "CREATE_NO_WINDOW", 0)
"""Flags of a process that opens no window."""
_LAID_OUT: Final = "conquest-server loaded"
_RUNNING: Final = "running.json"
"""File beside the matches of a server that was left running; the server ends when it is removed."""
_READY: Final = re.compile(r"\bwss?://(?P<host>\[[^\]]+\]|[^\s:/]+):(?P<port>\d+)")


class _Running(Struct):
    address: str


class LaidOut(Struct, frozen=True):
    """Seat at a prepared table; `token` in hexadecimal digits."""

    match: str
    token: str


class ServerProcess:
    """Server of our own. `state` goes from starting to ready, or to failed; `words` then says why.

    `port` is where it listens once it is ready; `occupied`: it failed because another one uses the same matches.
    """

    def __init__(self, host: str, port: int, data: Path, more: Sequence[str] = (), once: Sequence[str] = ()) -> None:
        """`data`: folder of the matches. `more`: further options; `once`: those of the first start only."""
        self.state: Literal["starting", "ready", "failed"] = "starting"
        self.words = ""
        self.port = port
        self._host = host
        self._output: list[str] = []
        self.occupied = False
        self.laid_out: LaidOut | None = None
        """Seat at the table that it was told to prepare."""
        self._more = tuple(more)
        # The server has another working directory, where a relative path would lead elsewhere.
        self._data = data = data.resolve()
        data.mkdir(parents=True, exist_ok=True, mode=0o700)
        command = [*SERVER, "serve", "--host", host, "--port", str(port), "--data", str(data), *more, *once]
        # Even a killed client closes the pipe, so its server does not outlive it.
        command.append("--until-stdin-closes")
        self._process = subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            cwd=HERE,
            creationflags=QUIETLY,
            start_new_session=True,  # Ctrl+C in the terminal must not reach it; its input stops it.
        )
        atexit.register(self.stop)
        threading.Thread(target=self._listen, name="server-output", daemon=True).start()

    @property
    def running(self) -> bool:
        """Whether the process runs."""
        return self._process.poll() is None

    def _listen(self) -> None:
        """Read all output, in a thread: the pipe must never fill. Find the line that says ready."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            self._output = [*self._output[-20:], line.rstrip()]
            if line.startswith(_LAID_OUT):
                self.laid_out = msgspec.json.decode(line.removeprefix(_LAID_OUT), type=LaidOut)
            found = _READY.search(line)
            if found and self.state == "starting":
                # Before the state: the main thread reads the port as soon as that says ready.
                self.port = int(found["port"])
                self.state = "ready"
        self._process.wait()
        last = self._output[-1] if self._output else _("it gave no reason")
        if "A server or another command uses" in last:
            self.occupied = True
            self.words = _("Another window of the game is using these matches: close it first.")
        elif "address already in use" in last.lower():
            self.words = _("Port {port} is taken: perhaps a server of yours is still running.", port=self.port)
        elif self._process.returncode < 0:
            self.words = _("The server was ended from outside.")
        else:
            self.words = _("The server has stopped: {last}", last=last)
        # Last: the main thread reads `words` and `occupied` as soon as it sees this.
        self.state = "failed"

    def restarted(self) -> "ServerProcess":
        """Start a replacement for a crashed server: the same port, the same matches."""
        atexit.unregister(self.stop)
        # Without the options of the first start: they would prepare the table a second time.
        return ServerProcess(self._host, self.port, self._data, self._more)

    def stay(self, seconds: float = 3.0) -> bool:
        """Let the server go on without us; return False, and change nothing, if it does not answer in time."""
        assert self._process.stdin is not None
        try:
            self._process.stdin.write("stay\n")
            self._process.stdin.flush()
        except OSError:
            return False
        end = monotonic() + seconds
        # The file is the server's answer: from now on the end of its input does not stop it.
        while not (self._data / _RUNNING).exists():
            if not self.running or monotonic() > end:
                return False
            sleep(0.02)
        atexit.unregister(self.stop)
        self._process.stdin.close()
        return True

    def stop(self, seconds: float = 2.0) -> None:
        """Ask the server to stop; kill it after that many seconds."""
        assert self._process.stdin is not None
        # The end of its input asks it to stop on every system.
        self._process.stdin.close()
        if self.running:
            if os.name == "posix":  # On Windows this signal would kill the process instead of asking it to stop.
                self._process.terminate()
            try:
                self._process.wait(seconds)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()
        atexit.unregister(self.stop)


_EARLY: Final[dict[str, ServerProcess]] = {}
"""Servers started in advance that no caller has requested yet."""


def private_server(home: str = PRIVATE) -> ServerProcess:
    """Return a server for this computer alone; `home`: one of PRIVATE_HOMES, the folder of its matches."""
    return _EARLY.pop(home, None) or ServerProcess("127.0.0.1", 0, folder() / home)


def start_early() -> None:
    """Start the private server in advance, while the window is being created, which takes as long."""
    _EARLY[PRIVATE] = private_server()


def lesson_server(key: str, beginner: str = "") -> ServerProcess:
    """Return a server for a lesson or problem, with its dice; a `beginner` starts from its first position."""
    once = ("--lay-out", str(position(key)), f"--person={beginner}") if beginner else ()
    always = ("--seed", str(SEED), "--bot-pace", str(PACE))
    return ServerProcess("127.0.0.1", 0, folder() / lesson_home(key), always, once)


def staying_port() -> int:
    """Return the port of our server that was left running; 0 if there is none."""
    try:
        running = msgspec.json.decode(read_small(folder() / HOSTED / _RUNNING), type=_Running)
        port = int(running.address.rpartition(":")[2])
    except (OSError, ValueError, msgspec.MsgspecError):
        return 0
    # After a crash the file is still there.
    return port if _is_port_open(port) else 0


def end_staying(seconds: float = 10.0) -> bool:
    """End our server that was left running; return whether it ended within that many seconds. Raises OSError."""
    # Before the file goes, which tells the port.
    port = staying_port()
    (folder() / HOSTED / _RUNNING).unlink(missing_ok=True)
    end = monotonic() + seconds
    while port and _is_port_open(port):
        if monotonic() > end:
            return False
        sleep(0.05)
    return True


def _is_port_open(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1.0).close()
    except OSError:
        return False
    return True


def hosted_server(port: int, *, public: bool = False, tls: Sequence[str] = ()) -> ServerProcess:
    """Return a server for friends on the same network, reachable by every address of this computer.

    public: also for friends elsewhere; it opens the router's port. tls: its further options then.
    """
    return ServerProcess("", port, folder() / HOSTED, ("--open-router", *tls) if public else ())
