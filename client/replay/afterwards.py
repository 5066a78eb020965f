"""A match that is over, as its server keeps it: fetched, put on the shelf, and checked, all in the background."""

from __future__ import annotations

import threading
from collections.abc import Callable

from client.language import _, ngettext
from client.network.memory import Fetch
from client.replay.opening import Opened, received
from protocol import record
from protocol.audit import NO_PROOF, Verdict, Witness, audit
from protocol.record import Record
from shared.tables import Recollection


class Afterwards:
    """See the module's docstring. `keep` puts a record on the shelf; it may raise OSError."""

    def __init__(
        self, fetch: Fetch, witness: Witness | None, keep: Callable[[Record, bytes], object] | None = None
    ) -> None:
        self._fetch = fetch
        self._witness = witness
        self._keep = keep
        self._taken = self._read_all = False
        self._thread: threading.Thread | None = None
        self.record: Record | None = None
        """All of it, where the table allows that."""
        self.match: Opened | None = None
        """What can be seen again."""
        self.verdict: Verdict | None = None
        """What came of checking it."""
        self.trouble = ""

    @property
    def data(self) -> bytes:
        """The bytes of the file."""
        return self._fetch.data

    def update(self) -> bool:
        """Go on; whether there is anything new."""
        if not self._fetch.done or self._taken:
            finished = self._thread is not None and not self._thread.is_alive()
            if finished:
                self._thread = None
            return finished
        self._taken = True
        self.trouble = self._fetch.why
        if not self.trouble:
            self._thread = threading.Thread(target=self._read, name="afterwards", daemon=True)
            self._thread.start()
        return True

    def wait(self) -> None:
        """Until all is known that will be."""
        self.update()
        if self._thread is not None:
            self._thread.join()

    def words(self) -> str:
        """What is known of it, in a sentence; empty as long as that is nothing."""
        if self.verdict is not None:
            return verified(self.verdict)
        return "" if self._read_all or self.trouble else _("Fetching the record of the match …")

    def _read(self) -> None:
        """In a thread of its own."""
        try:
            if self._fetch.kind == Recollection.RECORD:
                self.record = record.read(self._fetch.data)
                if self._keep is not None:
                    self._keep(self.record, self._fetch.data)
            self.match = received(self._fetch.kind, self._fetch.data)
        except (ValueError, OSError) as error:
            self.trouble = str(error)
        if self.record is not None:
            self.verdict = audit(self.record, self._witness)
        self._read_all = True


def verified(verdict: Verdict) -> str:
    """What checking a match has shown, in a sentence."""
    if verdict.holds:
        return ngettext("The one roll of this match is verified.", "All {n} rolls of this match are verified.",
                        verdict.rolls)  # fmt: skip
    if verdict.wrong == NO_PROOF:
        return _("Every decision is verified; this match has no proof of its dice.")
    return _("This match is not what it claims to be: {why}", why=verdict.wrong)
