"""Bots think in processes of their own, so that a match never waits for arithmetic."""

import asyncio
import multiprocessing
import os
import random
import signal
import threading
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing.connection import wait

import msgspec

from server.bots import policy
from shared.rulesets.registry import ruleset

ATTEMPTS = 2
"""A decision whose worker died is asked once more, of new workers."""


class BotPool:
    """Worker processes, started by the first question and again after one of them died."""

    def __init__(self, workers: int = 1) -> None:
        self._workers = workers
        self._executor: ProcessPoolExecutor | None = None
        self._closed = False

    async def decide(self, ruleset: str, kind: str, seat: int, view: bytes, seed: int) -> bytes:
        """The encoded action of a bot of that `kind` (a name in `policy.POLICIES`) on an encoded view.

        ValueError: no such rule set or kind. BrokenProcessPool: the workers died twice. RuntimeError: closed.
        """
        for attempt in range(1, ATTEMPTS + 1):
            executor = self._started()
            try:
                return await asyncio.wrap_future(executor.submit(_decide, ruleset, kind, seat, view, seed))
            except BrokenProcessPool:
                self._discard(executor)
                if attempt == ATTEMPTS:
                    raise
        raise AssertionError("unreachable")

    def close(self) -> None:
        """Stop the workers; questions that still wait are cancelled."""
        self._closed = True
        if self._executor is not None:
            self._executor.shutdown(wait=True, cancel_futures=True)
            self._executor = None

    def _started(self) -> ProcessPoolExecutor:
        if self._closed:
            raise RuntimeError("the pool of bots is closed")
        if self._executor is None:
            context = multiprocessing.get_context("spawn")
            self._executor = ProcessPoolExecutor(self._workers, mp_context=context, initializer=_begin)
        return self._executor

    def _discard(self, broken: ProcessPoolExecutor) -> None:
        """Forget a broken executor, unless another question already had it replaced."""
        if self._executor is broken:
            self._executor = None
            broken.shutdown(wait=False)


def _begin() -> None:
    """In a worker: Ctrl-C is the server's business, and nobody outlives the server."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, name="parent watch", daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        wait([parent.sentinel])
        os._exit(1)


def _decide(key: str, kind: str, seat: int, view: bytes, seed: int) -> bytes:
    rules = ruleset(key)
    decoded = rules.view_decoder.decode(view)
    return msgspec.msgpack.encode(policy.choose(kind, rules, decoded, seat, random.Random(seed)))
