"""Metrics of a server, for Prometheus. Labels come from this program alone, never from a client."""

from collections.abc import Callable, Iterable, Mapping
from itertools import product
from typing import Any, Final, TypeAlias
from wsgiref.types import StartResponse, WSGIApplication

from prometheus_client import CollectorRegistry, Counter, Histogram, make_wsgi_app, start_wsgi_server
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from protocol.links import joined
from shared.levels import LEVELS, RANDOM
from shared.refusal import Refusal

REGISTRY: Final = CollectorRegistry()

_FAST: Final = (0.0001, 0.00025, 0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)
_SLOW: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 1.5, 2.5, 5.0, 10.0, 30.0)
_SHARES: Final = (0.05, 0.1, 0.2, 0.3, 0.5, 0.75, 0.99)

CODES: Final = frozenset((
    "bad-action", "bad-hook", "bad-message", "bad-notices", "bad-options", "bad-pace", "bad-push", "bad-text",
    "bad-token", "banned", "busy", "called", "command-old", "command-reused", "enough", "full", "kicked", "known",
    "members", "muted", "name", "new-here", "no-advice", "no-change", "no-code", "no-device", "no-hello", "no-hook",
    "no-ladder", "no-lesson", "no-match", "no-muster", "no-notices", "no-person", "no-poll", "no-profile", "no-push",
    "no-ratings", "no-recall", "no-rewind", "no-ruleset", "no-seat", "no-such-level", "no-table", "no-undo",
    "not-asked", "not-binary", "not-host", "not-over", "not-playable", "not-seated", "not-started", "not-yours",
    "order", "over", "paused", "poll-open", "rate", "rated", "read-only", "reading", "seat-taken", "seats-free",
    "server-error", "stale-frame", "stale-version", "started", "storage", "too-big", "too-few-seats", "too-late",
    "too-soon", "version",
))  # fmt: skip
"""Codes of refusals by the protocol (SPEC, 6.2)."""
BY_RULES: Final = "rules"
"""Label of refusals by the rules of a game."""


def _counter(name: str, about: str, **labels: Iterable[str]) -> Counter:
    """Return a counter of which every series begins with 0: Prometheus sees no increase from nothing to 1.

    `labels`: all values of each label.
    """
    made = Counter(name, about, tuple(labels), registry=REGISTRY)
    for values in product(*labels.values()):
        made.labels(*values)
    return made


ACTIONS: Final = Counter("conquest_actions", "Accepted decisions", ["ruleset"], registry=REGISTRY)
"""A server begins its series, because it knows its rule sets."""
REFUSALS: Final = _counter("conquest_refusals", "Refused requests and actions", code=(*sorted(CODES), BY_RULES))
COMMITS: Final = Histogram(
    "conquest_commit_seconds", "From an accepted decision to its being durable", buckets=_FAST, registry=REGISTRY
)
PUBLISHES: Final = Histogram(
    "conquest_publish_seconds", "Handing one version to all who follow a match", buckets=_FAST, registry=REGISTRY
)
DROPS: Final = Counter("conquest_outbox_drops", "Readers that fell behind and get a snapshot", registry=REGISTRY)
CUTS: Final = _counter(
    "conquest_cuts", "Connections that were cut",
    why=("flood", "handshake", "idle", "overflow", "stalled", "stop", "unread"),
)  # fmt: skip
RESUMES: Final = Counter("conquest_resumes", "Seats that were taken again", registry=REGISTRY)
RECOVERIES: Final = _counter(
    "conquest_recoveries", "Matches that were woken from the store", outcome=("woken", "refused", "failed")
)
NOTICES: Final = _counter(
    "conquest_notices", "Messages outside of the game",
    kind=("hook", "push", "notice", "mail"), outcome=("sent", "failed", "dropped"),
)  # fmt: skip
THOUGHTS: Final = Histogram(
    "conquest_bot_seconds", "Thinking of bots, waiting for a worker included", ["level"], buckets=_SLOW,
    registry=REGISTRY,
)  # fmt: skip
for _level in (RANDOM, *LEVELS):
    THOUGHTS.labels(_level)
SHARES: Final = Histogram(
    "conquest_bot_share", "Share of its thinking time that a hard bot gets while others think", buckets=_SHARES,
    registry=REGISTRY,
)  # fmt: skip
LAG: Final = Histogram(
    "conquest_loop_lag_seconds", "How late the event loop comes to what was due", buckets=_FAST, registry=REGISTRY
)


def count_refusal(refusal: Refusal) -> None:
    """Count a refusal: by its code, or as one by the rules, which have too many codes for a series each."""
    REFUSALS.labels(refusal.code if refusal.code in CODES else BY_RULES).inc()


Gauge: TypeAlias = tuple[str, str, tuple[str, ...], Mapping[tuple[str, ...], float]]
"""Name, help, names of labels, and a number for each choice of labels."""


class GaugeCollector(Collector):
    """Collector of gauges that are computed on request."""

    def __init__(self, look: Callable[[], Iterable[Gauge]]) -> None:
        self._look = look

    def collect(self) -> Iterable[Metric]:
        """Yield the metrics for the registry."""
        for name, about, labels, values in self._look():
            family = GaugeMetricFamily(name, about, labels=labels)
            for chosen, value in values.items():
                family.add_metric(chosen, value)
            yield family


class Exporter:
    """HTTP server for `GET /metrics`, in a thread of its own. Raises OSError if it cannot listen.

    `port`: 0 lets the system choose. `look`: returns the gauges; it is called in that thread. `knows`: whether the
    value of a `Host` header means this server, so that hostile web pages read nothing (DNS rebinding).
    """

    def __init__(
        self, host: str, port: int, look: Callable[[], Iterable[Gauge]], knows: Callable[[str], bool] = bool
    ) -> None:
        self._standing = GaugeCollector(look)
        try:
            self._server, self._thread = start_wsgi_server(port, host, REGISTRY)
        except OSError as error:
            where = f"cannot serve metrics on {joined(host, port)}: {error.strerror}"
            raise OSError(error.errno, f"{where}; give another --metrics-port or --metrics-host") from error
        self._server.set_app(_for_hosts(knows, make_wsgi_app(REGISTRY)))
        # Only now: after a failed start nothing may stay registered.
        REGISTRY.register(self._standing)
        self.port = int(self._server.server_port)

    def stop(self) -> None:
        """Stop the HTTP server."""
        REGISTRY.unregister(self._standing)
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def _for_hosts(knows: Callable[[str], bool], application: WSGIApplication) -> WSGIApplication:
    """Wrap the application to refuse requests for other hosts."""

    def answer(surroundings: dict[str, Any], begin: StartResponse) -> Iterable[bytes]:
        if knows(surroundings.get("HTTP_HOST", "")):
            return application(surroundings, begin)
        begin("403 Forbidden", [("Content-Type", "text/plain; charset=utf-8")])
        return [b"This server does not answer to that name. Its operator can allow it with --allow-host NAME.\n"]

    return answer
