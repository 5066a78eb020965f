"""Imports of the process from which others fork. See `tests.support.forks`."""

import contextlib
import gc

import client.table.odds_worker  # noqa: F401
import server.bots.worker
import server.cluster.postgres.store
import server.command_line
import server.tools.films
import server.tools.seats
import server.tools.serve
import server.web.site
import tests.server.killed_moves
import tests.support.forks  # noqa: F401

with contextlib.suppress(ImportError):  # uvloop does not exist for every platform.
    import server.connections.uvloop_server

server.web.site.site()  # Each server that forks has its page already.

gc.collect()
gc.freeze()  # The collector of a forked process would write to all of these objects, which copies their memory.
