"""Programs that fork from a process that has imported all of them: imports take nearly all time of a server's start.

They are real processes: they have memory, sockets and files of their own, and die of `kill -9`. The workers of a
forked server are forked, too.
"""

import asyncio
import contextlib
import multiprocessing
import os
import runpy
import signal
import socket
import struct
import subprocess
import sys
import threading
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from multiprocessing.connection import Connection, wait
from pathlib import Path
from types import SimpleNamespace
from typing import IO, Any, Final, NoReturn

from server.subprocess_workers import Worker

PROCESSES: Final = multiprocessing.get_context("forkserver")
PROCESSES.set_forkserver_preload(["tests.support.preloaded"])
READY: Final = "conquest-server ready on "
_LOCK: Final = threading.Lock()
"""Held while a process is started or its exit status is read. `Process.start` reads the status of all processes. Of two
threads that read the same at once, the second would find nothing and take that for another status."""


class ForkedServer:
    """Process of `conquest-server serve`, without the start of an interpreter. Its log is lost.

    `tests.faults.process.Process` is the real command, with its streams, signals and exit status.
    """

    def __init__(self, data: Path, *options: str) -> None:
        self._words = ("serve", "--port", "0", "--data", str(data), "--seed", "5", "--bot-pace", "0", *options)
        self.url = ""

    async def start(self) -> None:
        """Start the process and wait for the line that it prints."""
        await asyncio.to_thread(self.begin)

    async def kill(self) -> None:
        """Kill the process with kill -9."""
        await asyncio.to_thread(self.end)

    def begin(self) -> None:
        """Start the process and wait for the line that it prints."""
        said, output = PROCESSES.Pipe(duplex=False)
        # A test that failed may leave it behind: then it ends with this process.
        self._process = PROCESSES.Process(target=_run, args=(output, self._words, dict(os.environ)), daemon=True)
        with _LOCK:
            self._process.start()
        output.close()
        # The pipe stays open, because the server prints more after that line.
        self._output = os.fdopen(os.dup(said.fileno()))
        said.close()
        line = self._output.readline()
        assert line.startswith(READY), line
        self.url = line.removeprefix(READY).strip()

    def end(self) -> None:
        """Kill the process with kill -9."""
        self._process.kill()
        self._process.join()
        self._output.close()


class ForkedProgram:
    """Process of `python -m PROGRAM`, without the start of an interpreter: what the client needs of `Popen`.

    command: the interpreter, "-m", the module and its arguments. streams: as those of `Popen`; `stdin` and `stdout` are
    PIPE or DEVNULL, `stderr` is STDOUT or DEVNULL. It always has a session of its own, and the working directory of the
    tests.
    """

    def __init__(
        self, command: Sequence[str], *, stdin: int, stdout: int, stderr: int, text: bool = False, **_: object
    ) -> None:
        self.returncode: int | None = None
        self._command = command
        ours_in, self.stdin = _pipe(stdin, "w", text)
        ours_out, self.stdout = _pipe(stdout, "r", text)
        streams = [ours_in, ours_out, stderr == subprocess.STDOUT]
        program = (*command[2:],)
        self._process = PROCESSES.Process(target=_program, args=(streams, program, dict(os.environ)), daemon=True)
        with _LOCK:
            self._process.start()
        for stream in filter(None, (ours_in, ours_out)):
            stream.close()

    def __enter__(self) -> "ForkedProgram":
        return self

    def __exit__(self, *_: object) -> None:
        for stream in filter(None, (self.stdin, self.stdout)):
            stream.close()
        self.wait()

    @property
    def pid(self) -> int:
        """Process id."""
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        """Return the exit status, as a negative number of the signal that ended it; None while it runs."""
        with _LOCK:
            if self.returncode is None:
                self.returncode = self._process.exitcode
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Wait for the end and return the exit status. Raises TimeoutExpired after so many seconds."""
        # Another thread may ask meanwhile, so this holds no lock.
        while self.poll() is None:
            if not wait([self._process.sentinel], timeout):
                assert timeout is not None
                raise subprocess.TimeoutExpired(list(self._command), timeout)
        assert self.returncode is not None
        return self.returncode

    def communicate(self, question: Any = None) -> tuple[Any, None]:
        """Send a text to the program, wait for its end and return its output."""
        if self.stdin is not None:
            with contextlib.suppress(BrokenPipeError), self.stdin as stdin:
                stdin.write(question)
        assert self.stdout is not None
        said = self.stdout.read()
        self.wait()
        return said, None

    def terminate(self) -> None:
        """Ask it to end."""
        self._process.terminate()

    def kill(self) -> None:
        """Kill it with kill -9."""
        self._process.kill()


def _started(command: Sequence[str], **more: Any) -> ForkedProgram | subprocess.Popen[Any]:
    """Fork a module of ours; start any other command."""
    ours = tuple(command[:2]) == (sys.executable, "-m")
    return ForkedProgram(command, **more) if ours else subprocess.Popen(command, **more)


FORKING: Final = SimpleNamespace(
    Popen=_started,
    PIPE=subprocess.PIPE,
    STDOUT=subprocess.STDOUT,
    DEVNULL=subprocess.DEVNULL,
    TimeoutExpired=subprocess.TimeoutExpired,
)
"""Stands in for the module `subprocess` where the client starts its programs."""


def _pipe(kind: int, mode: str, text: bool) -> tuple[Connection | None, IO[Any] | None]:
    """Return the program's end of a stream and ours; `mode`: of our end."""
    if kind != subprocess.PIPE:
        return None, None
    reads, writes = PROCESSES.Pipe(duplex=False)
    theirs, ours = (reads, writes) if mode == "w" else (writes, reads)
    stream: IO[Any] = os.fdopen(os.dup(ours.fileno()), mode if text else f"{mode}b")
    ours.close()
    return theirs, stream


def _program(streams: Sequence[Any], words: tuple[str, ...], environment: Mapping[str, str]) -> None:
    """Run a module with its arguments in this process, which the fork server has just made."""
    stdin, stdout, both = streams
    for stream, number in ((stdin, 0), (stdout, 1)):
        if stream is None:
            os.dup2(os.open(os.devnull, os.O_RDWR), number)
        else:
            os.dup2(stream.fileno(), number)
            stream.close()
    os.dup2(1 if both else os.open(os.devnull, os.O_WRONLY), 2)
    _open_streams()
    _settle(environment)
    sys.argv = list(words)
    runpy.run_module(words[0], run_name="__main__", alter_sys=True)


def _open_streams() -> None:
    """Open standard input and output, as the start of an interpreter does."""
    sys.stdin = sys.__stdin__ = open(0, closefd=False)  # type: ignore[misc]  # noqa: SIM115
    # A worker gives `sys.stdout` another value: the second name keeps its file open.
    sys.stdout = sys.__stdout__ = open(1, "w", closefd=False)  # type: ignore[misc]  # noqa: SIM115


def _run(output: Connection, words: tuple[str, ...], environment: Mapping[str, str]) -> None:
    """Run the command in this process, which the fork server has just made."""
    from server.command_line import main

    os.dup2(output.fileno(), 1)
    os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
    output.close()
    _settle(environment)
    sys.exit(main(words))


def _settle(environment: Mapping[str, str]) -> None:
    """Give this process its environment, and workers that fork."""
    os.setsid()  # Ctrl+C in the terminal must not reach it: its test ends it.
    os.environ.clear()
    os.environ.update(environment)
    _fork_workers()


# --- workers ---

_PID: Final = struct.Struct("i")


class _ForkedWorker:
    """Process of a worker: what `Worker` needs of `asyncio.subprocess.Process`."""

    def __init__(self, pid: int, stdin: asyncio.StreamWriter, stdout: asyncio.StreamReader) -> None:
        self.pid = pid
        self.stdin = stdin
        self.stdout = stdout
        self.returncode: int | None = None

    def kill(self) -> None:
        """End it: the end of its input ends it at once."""
        self.stdin.transport.abort()

    async def wait(self) -> None:
        """Wait for its end, with which its output ends."""
        await self.stdout.read()
        self.returncode = -signal.SIGKILL


def _fork_workers() -> None:
    """Let this process, which has no threads yet, have workers that are forked in place of started."""
    ours, theirs = socket.socketpair()
    if os.fork() == 0:
        ours.close()
        _make_workers(theirs)
    theirs.close()

    async def start(cls: type[Worker], command: Sequence[str]) -> Worker:
        loop = asyncio.get_running_loop()
        with _both_ends() as questions, _both_ends() as answers:
            socket.send_fds(ours, [command[-1].encode()], [questions[0], answers[1]])
            (pid,) = _PID.unpack(ours.recv(_PID.size))
            sink, source = os.fdopen(os.dup(questions[1]), "wb"), os.fdopen(os.dup(answers[0]), "rb")
        stdout = asyncio.StreamReader()
        await loop.connect_read_pipe(lambda: asyncio.StreamReaderProtocol(stdout), source)
        transport, protocol = await loop.connect_write_pipe(asyncio.streams.FlowControlMixin, sink)
        return cls(_ForkedWorker(pid, asyncio.StreamWriter(transport, protocol, None, loop), stdout))  # type: ignore[arg-type]

    Worker.start = classmethod(start)  # type: ignore[method-assign, assignment]


@contextlib.contextmanager
def _both_ends() -> Iterator[tuple[int, int]]:
    """Yield a pipe, and close both of its ends."""
    ends = os.pipe()
    try:
        yield ends
    finally:
        for end in ends:
            os.close(end)


def _make_workers(door: socket.socket) -> NoReturn:
    """Fork a worker for each request, until the server has ended."""
    door = socket.socket(fileno=os.dup2(door.detach(), 3))
    os.closerange(4, 1 << 10)  # A stream of the server that stayed open here would not end with it.
    for number in (0, 1):
        os.dup2(os.open(os.devnull, os.O_RDWR), number)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # Workers that ended leave no entry.
    while True:
        module, streams, *_ = socket.recv_fds(door, 1 << 10, 2)
        if not module:
            os._exit(0)
        pid = os.fork()
        if pid == 0:
            door.close()
            for number, stream in enumerate(streams):
                os.dup2(stream, number)
                os.close(stream)
            _open_streams()
            import_module(module.decode()).main()
        for stream in streams:
            os.close(stream)
        door.send(_PID.pack(pid))
