"""Stages of an action in the server, and the time that each takes.

Functions of the path are wrapped, and each wrapper counts its own time, without that of the stages that it calls. So
the stages add up to the time between the action's bytes and the last byte that is sent. Each call of a wrapper itself
costs about 0.3 us: the shares are exact to a few per cent, but the sum is more than `bench_wire` measures without them.
"""

import statistics
from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import Any, Final

from protocol import codec, delta
from protocol.session import ServerSession
from server.connections.client_connection import ClientConnection
from server.connections.guard import GuardedConnection
from server.delivery.peer import Peer
from server.matches.audience import Audience
from server.matches.match import Match
from server.matches.match_clock import MatchClock
from server.matches.running_match import RunningMatch
from server.matches.table import Table
from server.matches.task import MatchTask
from shared.kernel import engine

RECEIVE: Final = "receive"
DECODE: Final = "decode"
JUDGE: Final = "judge"
APPLY: Final = "apply"
STORE: Final = "store"
VIEW: Final = "view of each seat"
DELTA: Final = "delta"
ENCODE: Final = "encode"
SEND: Final = "send"
CLOCKS: Final = "clocks"
AFTER: Final = "after the bytes"
STAGES: Final = (RECEIVE, DECODE, JUDGE, APPLY, STORE, VIEW, DELTA, ENCODE, SEND, CLOCKS, AFTER)
"""The stages, in the order of the path; the last one is what the server does once all clients have their bytes."""
_PATH: Final[tuple[tuple[Any, str, str], ...]] = (
    (GuardedConnection, "data_received", RECEIVE),
    (ClientConnection, "_take_now", RECEIVE),
    (ServerSession, "receive", DECODE),
    (MatchTask, "act_now", RECEIVE),
    (RunningMatch, "judge", JUDGE),
    (engine, "play", APPLY),
    (Match, "_look", VIEW),
    (RunningMatch, "_log", STORE),
    (Table, "append", STORE),
    (Match, "_turn_all", DELTA),
    (delta, "diff", DELTA),
    (codec, "encode_frame", ENCODE),
    (Peer, "tell", SEND),
    (Audience, "show", SEND),
    (Audience, "publish", SEND),
    (MatchClock, "stamp", CLOCKS),
    (MatchClock, "follow", CLOCKS),
    (RunningMatch, "_pass_on", CLOCKS),
    (RunningMatch, "_set_off", AFTER),
    (RunningMatch, "_commit", AFTER),
)
"""Owner and name of each function of the path, and its stage."""


class Stages:
    """Seconds of each stage, by action."""

    def __init__(self) -> None:
        self.actions: list[dict[str, float]] = []
        self._open: list[float] = []
        """For each wrapped function that runs, the seconds of those that it called."""

    def begin(self) -> None:
        """Count for a new action from now on."""
        self.actions.append(dict.fromkeys(STAGES, 0.0))

    def report(self) -> dict[str, float]:
        """Return the median of each stage in microseconds, and of their sum."""
        found = {stage: p50([action[stage] for action in self.actions]) for stage in STAGES}
        return found | {"sum": p50([sum(action.values()) for action in self.actions])}

    def wrap(self, owner: Any, name: str, stage: str) -> None:
        """Count the time of a function or method for a stage."""
        inner: Callable[..., Any] = getattr(owner, name)

        @wraps(inner)
        def counted(*args: Any, **kwargs: Any) -> Any:
            self._open.append(0.0)
            began = perf_counter()
            try:
                return inner(*args, **kwargs)
            finally:
                spent = perf_counter() - began
                called = self._open.pop()
                if self.actions:
                    self.actions[-1][stage] += spent - called
                if self._open:
                    self._open[-1] += spent

        setattr(owner, name, counted)


def install() -> Stages:
    """Wrap the functions of an action's path; return what counts."""
    stages = Stages()
    for owner, name, stage in _PATH:
        stages.wrap(owner, name, stage)
    take_now = ClientConnection._take_now

    def begins(connection: ClientConnection, data: bytes) -> bool:
        if codec.looks_like_act(data):
            stages.begin()
        return take_now(connection, data)

    ClientConnection._take_now = begins  # type: ignore[method-assign, assignment]
    return stages


def p50(seconds: list[float]) -> float:
    """Return the median, in microseconds."""
    return round(statistics.median(seconds) * 1e6, 1)
