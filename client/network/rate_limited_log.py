"""Rate-limited log that a server cannot fill: a few entries a minute for each text; omitted ones are counted."""

import logging
from collections import Counter
from time import monotonic
from typing import Final

A_MINUTE: Final = 3
_MINUTE: Final = 60.0


class RateLimitedLog:
    """Warnings of one module. Their texts are the keys: other arguments do not make a new key."""

    def __init__(self, name: str) -> None:
        self._log = logging.getLogger(name)
        self._since: dict[str, float] = {}
        self._counts: Counter[str] = Counter()

    def warning(self, text: str, *args: object) -> None:
        """Log a warning, unless its text was logged often enough in this minute."""
        now = monotonic()
        if now - self._since.get(text, -_MINUTE) >= _MINUTE:
            left_out = self._counts.pop(text, 0) - A_MINUTE
            self._since[text] = now
            if left_out > 0:
                self._log.warning("%d more like this were left out: %s", left_out, text)
        self._counts[text] += 1
        if self._counts[text] <= A_MINUTE:
            self._log.warning(text, *args)
