"""Log for operators: a line of JSON for each event, and limited volume whatever happens."""

import io
import json
import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr
from types import SimpleNamespace

import pytest

from server import log


@contextmanager
def started() -> Iterator[Callable[[], list[dict[str, object]]]]:
    """The log begun as a server does; inside, what was written so far."""
    root = logging.getLogger()
    before = (root.handlers[:], root.level, log.LOGGER.level, log.LIBRARY.level)
    written = io.StringIO()
    root.setLevel(logging.DEBUG)
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


def test_each_kind_of_line_has_its_level_and_a_bug_its_story() -> None:
    with started() as lines:
        log.warning("cut", why="flood")
        try:
            raise KeyError("gone")
        except KeyError:
            log.failure("failed", kind="Act")
        log.LOGGER.warning("bare")
        cut, failed, bare = lines()
    assert (cut["level"], cut["event"], cut["why"]) == ("warning", "cut", "flood") and "error" not in cut
    assert (failed["level"], failed["event"], failed["kind"]) == ("error", "failed", "Act")
    assert "KeyError: 'gone'" in str(failed["error"])
    assert set(bare) == {"at", "level", "event"}


def test_the_time_is_told_to_the_millisecond() -> None:
    record = logging.LogRecord(log.LOGGER.name, logging.INFO, "", 0, "created", (), None)
    record.created = 1700000000.12345
    assert json.loads(log.JsonLines().format(record))["at"] == 1700000000.123


def test_rare_log_lines_appear_once_a_minute(monkeypatch: pytest.MonkeyPatch) -> None:
    now = [1000.0]
    monkeypatch.setattr(log, "time", SimpleNamespace(monotonic=lambda: now[0]))
    monkeypatch.setattr(log, "_last", {})
    told: list[tuple[float, object]] = []
    monkeypatch.setattr(log, "warning", lambda event, **fields: told.append((now[0], (event, fields))))
    for now[0] in (1000.0, 1000.1, 1059.9, 1060.0, 1119.9, 1120.0):
        log.seldom("full", count=1)
    assert told == [(at, ("full", {"count": 1})) for at in (1000.0, 1060.0, 1120.0)]
    log.seldom("other")
    assert told[3:] == [(1120.0, ("other", {}))]


def test_log_lines_of_libraries_are_json_too() -> None:
    with started() as lines:
        try:
            raise OSError("no file left")
        except OSError:
            logging.getLogger("asyncio").exception("socket.accept() out of %s", "files")
        logging.getLogger("asyncio").info("not told")
        log.LIBRARY.critical("aborted")
        (line,) = lines()
    assert (line["event"], line["text"]) == ("asyncio", "socket.accept() out of files")
    assert "no file left" in str(line["error"])


def test_no_event_fills_a_disk_and_others_are_told_beside_it() -> None:
    now = [0.0]
    moderate = log.Moderate(lambda: now[0])

    def told(event: str, name: str = log.LOGGER.name) -> logging.LogRecord | None:
        record = logging.LogRecord(name, logging.WARNING, "", 0, event, (), None)
        return record if moderate.filter(record) else None

    assert sum(told("cut") is not None for _ in range(1000)) == 200
    assert told("over") is not None
    now[0] += 1 / 5
    line = told("cut")
    assert line is not None and line.fields == {"unsaid": 800}  # type: ignore[attr-defined]
    assert told("cut") is None
    now[0] += 2 / 5
    assert [getattr(line, "fields", None) for line in (told("cut"), told("cut"))] == [{"unsaid": 1}, None]
    assert sum(told(f"text {i}", "asyncio") is not None for i in range(1000)) == 200, "whatever the words are"
