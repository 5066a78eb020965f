"""A server with a bug on purpose, for judges that must find it: `python -m tests.faults.sabotage BUG serve ...`."""

import argparse
import asyncio
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from server.cluster.postgres import store as postgres
from server.cluster.postgres.store import PostgresStore
from server.command_line import main
from server.delivery.peer import Peer
from server.matches.members import Members
from server.storage.port import TableRecord
from server.storage.rows import last_check, log_rows
from shared.history import Entry
from shared.tables import LOOKING_ON


def forget_the_fence() -> None:
    """Let a former owner of a match write to its log, whatever the epoch."""
    fenced = "WHERE match = $1 AND epoch = $2 AND n = $3"
    open_to_all = fenced.replace("epoch = $2", "$2::bigint IS NOT NULL")
    for statement in ("_APPEND", "_APPEND_ALL"):
        assert fenced in getattr(postgres, statement)
        setattr(postgres, statement, getattr(postgres, statement).replace(fenced, open_to_all))


def publish_too_early() -> None:
    """Publish entries before they are stored in the log."""
    append = PostgresStore.append

    def hasty(
        store: PostgresStore, match: str, epoch: int, check: bytes, entries: Sequence[Entry], table: TableRecord | None
    ) -> "asyncio.Future[bytes]":
        append(store, match, epoch, check, entries, table)
        kept: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
        kept.set_result(last_check(log_rows(check, entries)))
        return kept

    PostgresStore.append = hasty  # type: ignore[assignment, method-assign]


def forget_spectators() -> None:
    """Make spectators at other nodes miss the messages of a match's next owner."""
    return_to = Members.return_to

    def forgetful(members: Members, peer: Peer, seat: int, called: str, listens: bool) -> bool:
        return seat == LOOKING_ON or return_to(members, peer, seat, called, listens)

    Members.return_to = forgetful  # type: ignore[assignment, method-assign]


BUGS: Final[Mapping[str, Callable[[], None]]] = {
    "forget-the-fence": forget_the_fence,
    "publish-too-early": publish_too_early,
    "forget-spectators": forget_spectators,
}

if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("bug", choices=BUGS)
    parser.add_argument("command", nargs=argparse.REMAINDER, help="of conquest-server, with its arguments")
    args = parser.parse_args()
    BUGS[args.bug]()
    sys.exit(main(args.command))
