"""Log on stderr, as one JSON object per line: the event, the match, never a token, a name or an address of a person."""

import hashlib
import json
import logging
import os
import sys
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from server.rate_limits import Budget, Rate

LOGGER: Final = logging.getLogger("conquest.server")
A_SECOND: Final = 5.0
AT_ONCE: Final = 200.0
"""Limit of one event's lines in a burst; `A_SECOND` of them on average."""
LIBRARY: Final = logging.getLogger("conquest.websockets")
"""Logger of the library websockets: silenced, since it logs each aborted handshake as an error with a traceback."""


class JsonLines(logging.Formatter):
    """Formatter that writes a record as one line of JSON. Values are fields, so no input can forge a line.

    Our own, since python-json-logger needs a subclass of the same length for these fields.
    """

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, without the end of line."""
        line: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": _event(record),
        }
        line |= getattr(record, "fields", {} if record.name == LOGGER.name else {"text": record.getMessage()})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


class Moderate:
    """Filter that limits each event's lines to `AT_ONCE`, and `A_SECOND` on average, and counts the dropped ones.

    So strangers cannot fill a disk. `now` is any rising clock in seconds.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._lines = Budget(Rate(A_SECOND, AT_ONCE), now)
        self._unsaid: Counter[str] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        """Whether the line is written."""
        event = _event(record)
        if not self._lines.take(event):
            self._unsaid[event] += 1
            return False
        if unsaid := self._unsaid.pop(event, 0):
            record.fields = {**getattr(record, "fields", {}), "unsaid": unsaid}
        return True


def _event(record: logging.LogRecord) -> str:
    """Return the event in one word; for a library's record, the library's name."""
    return record.getMessage() if record.name == LOGGER.name else record.name


def start(level: int = logging.INFO) -> None:
    """Send the log and libraries' warnings to stderr. The log of websockets stays off: at DEBUG it prints frames."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    handler.addFilter(Moderate())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    LOGGER.setLevel(level)
    LIBRARY.setLevel(logging.CRITICAL + 1)


def info(event: str, **fields: object) -> None:
    """Log an event for the operator."""
    LOGGER.info(event, extra={"fields": fields})


def warning(event: str, **fields: object) -> None:
    """Log an event that should be rare."""
    LOGGER.warning(event, extra={"fields": fields})


def failure(event: str, **fields: object) -> None:
    """Log a bug with the current exception."""
    LOGGER.exception(event, extra={"fields": fields})


# Secret and new at each start: with a known key, a reader could try all IPv4 addresses.
_KEY: Final = os.urandom(16)


def source(address: str) -> str:
    """Return a mark by which lines about one address can be compared until the server ends, and which hides it."""
    return hashlib.blake2b(address.encode(), digest_size=6, key=_KEY).hexdigest()


_SELDOM: Final = 60.0
_last: dict[str, float] = {}


def seldom(event: str, **fields: object) -> None:
    """Log as `warning`, at most once a minute."""
    now = time.monotonic()
    if now - _last.get(event, -_SELDOM) >= _SELDOM:
        _last[event] = now
        warning(event, **fields)
