"""Connection of commands to a running server: a local socket, with a key in a file beside the matches.

Access to the data directory allows all commands. Each request is one line of JSON with the key, each answer one line.
"""

import asyncio
import contextlib
import hmac
import json
import os
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final, TypeAlias

from server import log
from server.storage.platform import open_private
from server.storage.port import StoreError

CONTROL: Final = "control.json"
"""File with the port for commands and the key of the server that runs on these data."""
HOLD: Final = "hold"
"""Command to leave the file of the matches alone, so that it can be copied."""
REPAIRS: Final = "repairs"
"""Field of its answer: the number of recoveries from a failure, each of which writes to the file."""
HERE: Final = "127.0.0.1"
LINE: Final = 65536
"""Most bytes of a request."""
LONG_LINE: Final = 64 * 2**20
"""Most bytes of an answer."""
CALLERS: Final = 8
"""Most connections at once."""
PATIENCE: Final = 5.0
"""Seconds for the first line of a connection."""

Answer: TypeAlias = dict[str, Any]
Deed: TypeAlias = Callable[[Mapping[str, Any]], Awaitable[Answer]]
"""Carries out a command with its arguments. Raises ValueError or StoreError with a sentence for the caller."""


class NotRunning(StoreError):
    """No server runs on these data."""


class Control:
    """Server side of the commands. HOLD lasts until its caller's connection ends; then `let_go` is called."""

    def __init__(self, data: Path, deeds: Mapping[str, Deed], let_go: Callable[[], Awaitable[None]]) -> None:
        self._path = data / CONTROL
        self._deeds = deeds
        self._let_go = let_go
        self._holders: set[asyncio.StreamWriter] = set()
        self._key = secrets.token_hex(32)
        self._callers: dict[asyncio.StreamWriter, asyncio.Task[Any]] = {}
        self._server: asyncio.Server | None = None

    async def start(self) -> None:
        """Listen, and write the file CONTROL. Raises OSError."""
        self._server = await asyncio.start_server(self._serve, HERE, 0, limit=LINE)
        port = self._server.sockets[0].getsockname()[1]
        self._path.unlink(missing_ok=True)  # A killed server may have left its file behind.
        with open_private(self._path, "xb") as out:
            out.write(json.dumps({"port": port, "key": self._key, "pid": os.getpid()}).encode())

    async def stop(self) -> None:
        """Stop listening, and close all connections."""
        # First, so that no further command finds the way here.
        self._path.unlink(missing_ok=True)
        if self._server is not None:
            self._server.close()
        serving = list(self._callers.values())
        for caller in self._callers:
            caller.close()
        await asyncio.gather(*serving, return_exceptions=True)

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        serving = asyncio.current_task()
        if len(self._callers) >= CALLERS or serving is None:
            writer.close()
            return
        self._callers[writer] = serving
        try:
            line = await asyncio.wait_for(reader.readline(), PATIENCE)
            while line and (request := self._request(line)) is not None:
                if request.get("do") == HOLD:
                    self._holders.add(writer)
                writer.write(json.dumps(await self._answer(request)).encode() + b"\n")
                await writer.drain()
                line = await reader.readline()
        except (OSError, ValueError, TimeoutError):
            pass  # A client with another protocol is none of our commands.
        finally:
            self._callers.pop(writer, None)
            writer.close()
            if writer in self._holders:
                self._holders.discard(writer)
                await self._release()

    async def _release(self) -> None:
        """Call `let_go` after the last caller with a hold is gone."""
        if not self._holders:
            with contextlib.suppress(StoreError):
                await self._let_go()

    def _request(self, line: bytes) -> Mapping[str, Any] | None:
        """Return the request if its key is right, else None. Raises ValueError if it is not JSON."""
        request = json.loads(line)
        known = isinstance(request, dict) and hmac.compare_digest(str(request.get("key")).encode(), self._key.encode())
        return request if known else None

    async def _answer(self, request: Mapping[str, Any]) -> Answer:
        name = str(request.get("do"))
        deed = self._deeds.get(name)
        if deed is None:
            return {
                "error": f"This server does not know the command {name!r}; it has another version. Update one of them."
            }
        try:
            answer = await deed(request)
        except (ValueError, StoreError) as error:
            return {"error": str(error)}
        except Exception:
            log.failure("command-failed", command=name)
            return {"error": "The command failed in the server; look at its log."}
        log.info("command", command=name)
        return {"done": name, **answer}


@asynccontextmanager
async def calling(data: Path) -> AsyncIterator[Callable[..., Awaitable[Answer]]]:
    """Connect to the server on these data, and yield a function that sends commands.

    Raises NotRunning if no server answers, StoreError for refusals.
    """
    try:
        where = json.loads((data / CONTROL).read_text())
        reader, writer = await asyncio.open_connection(HERE, where["port"], limit=LONG_LINE)
    except (OSError, ValueError, KeyError):
        raise NotRunning(f"No server runs on {data}; start it, or give its directory with --data.") from None

    async def ask(do: str, **arguments: Any) -> Answer:
        with contextlib.suppress(OSError, ValueError):
            writer.write(json.dumps({"key": where["key"], "do": do, **arguments}).encode() + b"\n")
            await writer.drain()
            answer: Answer = json.loads(await reader.readline())
            if "error" in answer:
                raise StoreError(answer["error"])
            return answer
        raise NotRunning(f"The server on {data} ended meanwhile, or is not the one that made {CONTROL}.")

    try:
        yield ask
    finally:
        writer.close()
