"""Making films and records from logs, in a process of its own.

A film is byte for byte what one audience was shown, since it is made in the same way as the match itself; only undo is
missing. A record contains the whole match.
"""

import asyncio
import sys
from collections.abc import Iterator, Mapping, Sequence
from functools import partial, reduce
from typing import Any, Final

import msgspec
from msgspec import Raw

from protocol import codec, delta, record
from protocol.film import Film, pack
from server import log
from server.matches.match_archive import FilmRequest, FilmResult
from server.matches.narration import words_for
from server.storage.export import record_of
from server.subprocess_workers import Worker, within
from shared.history import GENESIS, Course, Deed, Entry, chain
from shared.ids import Seat
from shared.kernel.frames import Event
from shared.kernel.ruleset import AnyRuleset, IllegalAction, rules_of
from shared.messages import Back, Narrated, Snapshot
from shared.tables import LOOKING_ON, Recollection

LIMIT: Final = 60.0
"""Seconds for one film."""
_WORKER: Final = (sys.executable, "-m", "server.tools.films")


class FilmWorker:
    """Maker of films in a process of its own.

    The process is started by the first request, and again after it died or hung. limit: seconds for one film. command:
    command line of the process.
    """

    def __init__(self, limit: float = LIMIT, command: Sequence[str] = _WORKER) -> None:
        self._limit = limit
        self._command = command
        self._worker: Worker | None = None
        self._turn = asyncio.Lock()
        self._closed = False

    async def __call__(self, request: FilmRequest) -> FilmResult:
        """Make a film or record.

        Raises OSError, EOFError or TimeoutError if the process fails, and RuntimeError after `close`.
        """
        async with self._turn:
            if self._closed:
                raise RuntimeError("the studio is closed")
            try:
                return await self._ask(msgspec.msgpack.encode(request))
            except BaseException:
                # A late answer of this process must not be taken for the answer to the next request.
                await asyncio.shield(self._discard())
                raise

    async def close(self) -> None:
        """End the process at once."""
        self._closed = True
        await self._discard()

    async def _ask(self, question: bytes) -> FilmResult:
        if self._worker is None:
            self._worker = await Worker.start(self._command)
            await self._worker.get_ready()
        return msgspec.msgpack.decode(await within(self._limit, self._worker.ask(question)), type=FilmResult)

    async def _discard(self) -> None:
        worker, self._worker = self._worker, None
        if worker is not None:
            log.info("no-studio", worker=worker.process.pid)
            await worker.end()


REFUSED: Final = (msgspec.MsgspecError, UnicodeDecodeError, IllegalAction, KeyError, ValueError)
"""Errors that a log of other rules may raise."""


def made(request: FilmRequest, rulesets: Mapping[str, AnyRuleset]) -> FilmResult:
    """Make a film or record, by the rules of the match."""
    if request.kind == Recollection.RECORD:
        return FilmResult(
            record.write(record_of(request.table, request.entries, reduce(chain, request.entries, GENESIS)))
        )
    try:
        rules = rules_of(rulesets, request.table.ruleset, request.table.version)
        return FilmResult(pack(film_of(rules, request)))
    except REFUSED as error:
        return FilmResult(b"", codec.harmless(f"{type(error).__name__}: {error}"))


def film_of(rules: AnyRuleset, request: FilmRequest) -> Film:
    """Return the film of what an audience was shown. Raises the errors in `REFUSED`."""
    table = request.table
    entries = [msgspec.msgpack.decode(entry, type=Entry) for entry in request.entries]
    shown = list(shots(rules, request, entries))
    first, *frames = (shot for shot, _words in shown)
    words = tuple(codec.encode_lean(words) for _shot, words in shown if words is not None)
    names = tuple(chair.name for chair in table.chairs)
    head = (table.ruleset, table.version, table.options, names, table.title, request.audience)
    return Film(*head, first, tuple(frames), words)


def shots(rules: AnyRuleset, request: FilmRequest, entries: list[Entry]) -> Iterator[tuple[bytes, Narrated | None]]:
    """Yield the `Snapshot` of the version that the client has, and each `Frame` after it, each with its words if they
    are wanted."""
    audience = None if request.audience == LOOKING_ON else request.audience
    course = Course(rules, len(request.table.chairs), request.table.options)
    begun = min(request.have, len(entries))
    view = rules.view(course.state, audience)
    worded = partial(_words, rules.id, request.audience) if request.words else _no_words
    if begun == 0:
        yield _snapshot(0, view), worded(0, [], None, view)
    for passed in course.follow(entries):
        before, entry, n = view, passed.entry, passed.entry.n
        if n < begun:
            continue
        view = rules.view(passed.state, audience)
        owing = None if entry.deed is Deed.END else view
        if n == begun:
            yield _snapshot(n, view), worded(n, [], None, owing)
            continue
        events = [heard for event in passed.events if (heard := rules.event_for(event, audience)) is not None]
        back = Back(entry.seat, entry.to) if entry.deed is Deed.BACK else None
        digest = delta.digest(codec.encode(view))
        frame = codec.encode_frame(n, digest, delta.diff(before, view), events, back=back)
        yield frame, worded(n, events, back, owing)


def _snapshot(version: int, view: Any) -> bytes:
    encoded = codec.encode(view)
    return codec.encode(Snapshot(version, delta.digest(encoded), Raw(encoded)))


def _words(
    ruleset: str, reader: Seat, version: int, events: list[Event], back: Back | None, view: Any
) -> Narrated | None:
    """Return the words for a version, made from what this audience is shown of it alone."""
    backs = [] if back is None else [(version, back)]
    try:
        return words_for(ruleset, version, [(version, event) for event in events], backs, view, reader)
    except Exception:
        # A sentence that fails must not cost the film: it shows the match without these words.
        return None


def _no_words(_version: int, _events: list[Event], _back: Back | None, _view: Any) -> None:
    """Return no words, for a client that did not ask for them."""
