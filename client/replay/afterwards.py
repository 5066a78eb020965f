"""A match that is over, as its server keeps it: fetched, put on the shelf, and checked, all in the background."""

from __future__ import annotations

import threading

from client.language import _, ngettext
from client.network.match_history import Fetch
from client.player import saved_matches
from client.replay.opening import Opened, received
from client.replay.subject import AnySubject
from protocol import record
from protocol.audit import NO_PROOF, Verdict, Witness, audit
from protocol.record import Record
from protocol.session import ClientSession
from shared.messages import PastMatch, Rank
from shared.tables import Recollection


class Afterwards:
    """See the module's docstring. `seat`: ours; `subject`: of the game, where the match is to be kept."""

    def __init__(
        self, fetch: Fetch, witness: Witness | None, seat: int = -1, subject: AnySubject | None = None
    ) -> None:
        self._fetch = fetch
        self._witness = witness
        self._seat, self._subject = seat, subject
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
            self.match = received(self._fetch.kind, self._fetch.data)
            if self.record is not None and self._subject is not None:
                _keep(self.record, self._fetch.data, self.match, self._seat, self._subject)
        except (ValueError, OSError) as error:
            self.trouble = str(error)
        if self.record is not None:
            self.verdict = audit(self.record, self._witness)
        self._read_all = True


def witness_of(session: ClientSession | None) -> Witness | None:
    """What we saw of the dice ourselves."""
    if session is None or not session.stake.commitment:
        return None
    # Who got up and looks on has no seat any more that his number belongs to.
    return Witness(session.stake.commitment, session.seat, session.stake.number if session.seat >= 0 else b"")


def _keep(whole: Record, data: bytes, match: Opened, seat: int, subject: AnySubject) -> None:
    """On the shelf, with how it came out and a picture of that. Raises OSError."""
    from client.replay import picture  # It loads a library for pictures, which a table in words does without.

    rules, film = match.film.rules, match.film
    view = film.view(film.last, film.audiences[0])
    ranks = tuple(Rank(place.seat, place.rank, place.score) for place in rules.standings(view))
    told = PastMatch(whole.match, whole.title, whole.ruleset, whole.version, tuple(match.seats), whole.ended,
                     rules.rounds(view), film.last, ranks, seat, not whole.open_hands)  # fmt: skip
    saved_matches.keep(whole, data, told)
    picture.keep(whole.match, subject, view)


def verified(verdict: Verdict) -> str:
    """What checking a match has shown, in a sentence."""
    if verdict.holds:
        return ngettext("The one roll of this match is verified.", "All {n} rolls of this match are verified.",
                        verdict.rolls)  # fmt: skip
    if verdict.wrong == NO_PROOF:
        return _("Every decision is verified; this match has no proof of its dice.")
    return _("This match is not what it claims to be: {why}", why=verdict.wrong)
