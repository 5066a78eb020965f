"""What an operator reads: a line of JSON for each event, moderate whatever happens."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr

from server import log


@contextmanager
def started() -> Iterator[Callable[[], list[dict[str, object]]]]:
    """The log begun as a server does; inside, what was written so far."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level, log.LOGGER.level, log.LIBRARY.level)
    written = io.StringIO()
    with redirect_stderr(written):
        log.start()
    try:
        yield lambda: [json.loads(line) for line in written.getvalue().splitlines()]
    finally:
        root.handlers[:], level, own, library = before
        root.setLevel(level)
        log.LOGGER.setLevel(own)
        log.LIBRARY.setLevel(library)


def test_an_event_is_one_line_with_its_fields() -> None:
    with started() as lines:
        log.info("created", match="m1\n{}", seats=3)
        log.LOGGER.debug("not told")
        (line,) = lines()
    assert float(str(line.pop("at"))) > 0
    assert line == {"level": "info", "event": "created", "match": "m1\n{}", "seats": 3}


def test_what_libraries_say_is_json_too() -> None:
    with started() as lines:
        try:
            raise OSError("no file left")
        except OSError:
            logging.getLogger("asyncio").exception("socket.accept() out of %s", "files")
        logging.getLogger("asyncio").info("not told")
        log.LIBRARY.error("aborted")
        (line,) = lines()
    assert (line["event"], line["text"]) == ("asyncio", "socket.accept() out of files")
    assert "no file left" in str(line["error"])


def test_no_event_fills_a_disk_and_others_are_told_beside_it() -> None:
    now = [0.0]
    moderate = log.Moderate(lambda: now[0])

    def told(event: str, name: str = log.LOGGER.name) -> logging.LogRecord | None:
        record = logging.LogRecord(name, logging.WARNING, "", 0, event, (), None)
        return record if moderate.filter(record) else None

    assert sum(told("cut") is not None for _ in range(1000)) == log.AT_ONCE
    assert told("over") is not None
    now[0] += 1 / log.A_SECOND
    line = told("cut")
    assert line is not None and line.fields == {"unsaid": 1000 - log.AT_ONCE}  # type: ignore[attr-defined]
    assert told("cut") is None
    now[0] += 2 / log.A_SECOND
    assert [getattr(line, "fields", None) for line in (told("cut"), told("cut"))] == [{"unsaid": 1}, None]
    assert sum(told(f"text {i}", "asyncio") is not None for i in range(1000)) == log.AT_ONCE, "whatever the words are"
