"""How much somebody may do on average and at once, remembered by name: reconnecting makes nobody a stranger."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from protocol.session import TokenBucket

MOST: Final = 20_000
"""Names that a budget remembers."""
FREE: Final = 3
"""Errors without a pause."""
LONGEST: Final = 300.0
FORGIVEN: Final = 600.0
"""Seconds after which a name begins anew."""


class Rate(Struct, frozen=True):
    """So much a second on average, so much at once."""

    a_second: float
    at_once: float

    def bucket(self, now: Callable[[], float]) -> TokenBucket:
        """A full bucket of that size."""
        return TokenBucket(self.a_second, self.at_once, now)


class Budget:
    """A token bucket for each name. `now` is any rising clock in seconds."""

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._rate = rate
        self._now = now
        self._buckets: dict[str, TokenBucket] = {}

    def take(self, name: str, amount: float = 1.0) -> bool:
        """Use up `amount`; False, and nothing used, where less is left."""
        return self._bucket(name).take(amount)

    def owe(self, name: str, amount: float = 1.0) -> float:
        """Use up `amount` whether it is there or not; the seconds to wait until it would have been."""
        return self._bucket(name).owe(amount)

    def _bucket(self, name: str) -> TokenBucket:
        bucket = self._buckets.pop(name, None) or self._rate.bucket(self._now)
        if len(self._buckets) >= MOST:
            self._forget()
        self._buckets[name] = bucket  # The last used stands last.
        return bucket

    def _forget(self) -> None:
        """Those with a full bucket are as good as strangers; if too few are, those who were silent longest go."""
        known = [(name, bucket) for name, bucket in self._buckets.items() if bucket.left < self._rate.at_once]
        self._buckets = dict(known[-MOST // 2 :])


class Pauses:
    """Who errs too often waits, each time twice as long; `now` is any rising clock in seconds."""

    def __init__(self, now: Callable[[], float]) -> None:
        self._now = now
        self._errors: dict[str, _Errors] = {}

    def left(self, name: str) -> float:
        """Seconds until that name may try again."""
        errors = self._errors.get(name)
        return 0.0 if errors is None else max(0.0, errors.until - self._now())

    def erred(self, name: str) -> None:
        """That name was wrong once more; what is long ago is forgotten."""
        now = self._now()
        errors = self._errors.pop(name, None)
        count = 1 if errors is None or now - errors.until >= FORGIVEN else errors.count + 1
        if len(self._errors) >= MOST:
            del self._errors[next(iter(self._errors))]
        pause = min(LONGEST, 2.0 ** (count - FREE)) if count > FREE else 0.0
        self._errors[name] = _Errors(count, now + pause)


class _Errors(Struct, frozen=True):
    """How often somebody erred, and until when he pauses."""

    count: int
    until: float
