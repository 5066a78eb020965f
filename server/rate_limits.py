"""Rate limits by name, with an average and a burst. Reconnecting does not reset them."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct

from protocol.session import TokenBucket
from server.addresses import A_SITE, site_of

MOST: Final = 20_000
"""Limit of the names that a budget remembers."""
FREE: Final = 3
"""Errors without a pause."""
LONGEST: Final = 300.0
FORGIVEN: Final = 600.0
"""Seconds without an error after which a name's errors are forgotten."""


class Rate(Struct, frozen=True):
    """Rate: an average per second, and the size of a burst."""

    a_second: float
    at_once: float

    def bucket(self, now: Callable[[], float]) -> TokenBucket:
        """Return a full bucket of that size."""
        return TokenBucket(self.a_second, self.at_once, now)


class Budget:
    """Token buckets by name. `now` is any rising clock in seconds.

    A name that is an IPv6 address, as of `addresses.counted`, also uses the bucket of its /48, which is `A_SITE` times
    as large. Otherwise the owner of a /48 would have 65,536 buckets.
    """

    def __init__(self, rate: Rate, now: Callable[[], float]) -> None:
        self._rate = rate
        self._now = now
        self._buckets: dict[str, TokenBucket] = {}
        self._sites: Budget | None = None

    def take(self, name: str, amount: float = 1.0) -> bool:
        """Use up `amount`; if less is left, use nothing and return False."""
        bucket, site = self._bucket(name), site_of(name)
        # The household is looked at first: if it has too little left, its neighbours' share stays whole.
        if site and (bucket.left < amount or not self._of_sites.take(site, amount)):
            return False
        return bucket.take(amount)

    def owe(self, name: str, amount: float = 1.0) -> float:
        """Use up `amount` even if less is left; return the seconds until it would have been there."""
        wait, site = self._bucket(name).owe(amount), site_of(name)
        return max(wait, self._of_sites.owe(site, amount)) if site else wait

    @property
    def _of_sites(self) -> "Budget":
        if self._sites is None:
            self._sites = Budget(Rate(A_SITE * self._rate.a_second, A_SITE * self._rate.at_once), self._now)
        return self._sites

    def _bucket(self, name: str) -> TokenBucket:
        bucket = self._buckets.pop(name, None) or self._rate.bucket(self._now)
        if len(self._buckets) >= MOST:
            self._forget()
        self._buckets[name] = bucket  # The most recently used bucket stands last.
        return bucket

    def _forget(self) -> None:
        """Forget names with a full bucket, which are as good as new; keep the `MOST // 2` most recent others."""
        known = [(name, bucket) for name, bucket in self._buckets.items() if bucket.left < self._rate.at_once]
        self._buckets = dict(known[-MOST // 2 :])


class Pauses:
    """Growing pauses after repeated errors, each twice as long. `now` is any rising clock in seconds.

    `free`: errors without a pause; `unit`: half the seconds of the first pause. `longest`, `forgiven`: seconds, as
    `LONGEST` and `FORGIVEN`. Errors of an IPv6 address also count for its whole /48, as in `Budget`.
    """

    def __init__(
        self,
        now: Callable[[], float],
        free: int = FREE,
        unit: float = 1.0,
        longest: float = LONGEST,
        forgiven: float = FORGIVEN,
    ) -> None:
        self._now = now
        self._free = free
        self._unit, self._longest, self._forgiven = unit, longest, forgiven
        self._errors: dict[str, _Errors] = {}
        self._sites: Pauses | None = None

    def left(self, name: str) -> float:
        """Return the seconds until that name may try again."""
        errors, site = self._errors.get(name), site_of(name)
        pause = 0.0 if errors is None else max(0.0, errors.until - self._now())
        return max(pause, self._sites.left(site)) if site and self._sites is not None else pause

    def erred(self, name: str) -> None:
        """Count an error of a name; errors older than `forgiven` seconds no longer count."""
        site = site_of(name)
        if site:
            at_site = A_SITE * max(1, self._free), self._unit, self._longest, self._forgiven
            self._sites = self._sites or Pauses(self._now, *at_site)
            self._sites.erred(site)
        now = self._now()
        # Taken out and put in again at the end, so that the oldest error stands first.
        errors = self._errors.pop(name, None)
        count = 1 if errors is None or now - errors.until >= self._forgiven else errors.count + 1
        if len(self._errors) >= MOST:
            del self._errors[next(iter(self._errors))]
        # The exponent is bounded too: after a thousand errors the power would be no float any more.
        grown = min(self._longest, self._unit * 2.0 ** min(16, count - self._free))
        pause = grown if count > self._free else 0.0
        self._errors[name] = _Errors(count, now + pause)


class _Errors(Struct, frozen=True):
    """Number of a name's errors, and the end of its pause."""

    count: int
    until: float
