"""One JSON object per line on stderr: what happened, to which match, never a token."""

import json
import logging
import sys
import time
from typing import Any, Final

LOGGER: Final = logging.getLogger("conquest.server")
LIBRARY: Final = logging.getLogger("conquest.websockets")
"""The library reports every aborted handshake as an error with a traceback: kept quiet, see `start`."""


class JsonLines(logging.Formatter):
    """Formats a record as one line of JSON; values are fields, so nobody's input can forge a line."""

    def format(self, record: logging.LogRecord) -> str:
        """The line, without the end."""
        line: dict[str, Any] = {
            "at": round(record.created, 3),
            "level": record.levelname.lower(),
            "event": record.getMessage(),
        }
        line |= getattr(record, "fields", {})
        if record.exc_info:
            line["error"] = self.formatException(record.exc_info)
        return json.dumps(line, default=str)


def start(level: int = logging.INFO) -> None:
    """Send the log to stderr. The library's own log stays off: at DEBUG it prints frames."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    LOGGER.handlers[:] = [handler]
    LOGGER.propagate = False
    LOGGER.setLevel(level)
    LIBRARY.propagate = False
    LIBRARY.setLevel(logging.CRITICAL + 1)


def info(event: str, **fields: object) -> None:
    """Something an operator wants to know."""
    LOGGER.info(event, extra={"fields": fields})


def warning(event: str, **fields: object) -> None:
    """Something that should not happen often."""
    LOGGER.warning(event, extra={"fields": fields})


def failure(event: str, **fields: object) -> None:
    """A bug: with the current exception."""
    LOGGER.exception(event, extra={"fields": fields})


_SELDOM: Final = 60.0
_last: dict[str, float] = {}


def seldom(event: str, **fields: object) -> None:
    """As `warning`, at most once a minute."""
    now = time.monotonic()
    if now - _last.get(event, -_SELDOM) >= _SELDOM:
        _last[event] = now
        warning(event, **fields)
