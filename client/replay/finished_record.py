"""Record of a finished match from its server: downloaded, saved, and verified, all in the background."""

import threading

from client.language import _, ngettext
from client.network.match_history import Fetch
from client.player import saved_matches
from client.replay.game_replay import AnySubject
from client.replay.record_files import OpenedFilm, received
from protocol import record
from protocol.audit import NO_PROOF, Verdict, Witness, audit
from protocol.record import Record
from protocol.session import ClientSession
from shared.messages import PastMatch, Rank
from shared.tables import Recollection


class FinishedRecord:
    """Download, saving and verification of a finished match.

    `seat`: ours; `subject`: of the game, if it is to be saved.
    """

    def __init__(
        self, fetch: Fetch, witness: Witness | None, seat: int = -1, subject: AnySubject | None = None
    ) -> None:
        self._fetch = fetch
        self._witness = witness
        self._seat, self._subject = seat, subject
        self._taken = self._read_all = False
        self._thread: threading.Thread | None = None
        self.record: Record | None = None
        """Whole record, if the table allows it."""
        self.match: OpenedFilm | None = None
        """Match to replay, once it is available."""
        self.verdict: Verdict | None = None
        """Result of the verification."""
        self.trouble = ""

    @property
    def data(self) -> bytes:
        """Bytes of the file."""
        return self._fetch.data

    def update(self) -> bool:
        """Continue; return whether there is anything new."""
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
        """Wait until everything is done."""
        self.update()
        if self._thread is not None:
            self._thread.join()

    def words(self) -> str:
        """Sentence on the present state; empty if there is nothing to say."""
        if self.verdict is not None:
            return verified(self.verdict)
        return "" if self._read_all or self.trouble else _("Fetching the record of the match …")

    def _read(self) -> None:
        """Read and verify the record, in a thread."""
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
    """Return our own evidence about the dice, None if there is none."""
    if session is None or not session.stake.commitment:
        return None
    # A player who became a spectator has no seat any more to which the number belongs.
    return Witness(session.stake.commitment, session.seat, session.stake.number if session.seat >= 0 else b"")


def _keep(whole: Record, data: bytes, match: OpenedFilm, seat: int, subject: AnySubject) -> None:
    """Save the match with its result and a picture of its end. Raises OSError."""
    from client.replay import picture  # Loads a library for pictures, which the text client does without.

    rules, film = match.film.rules, match.film
    view = film.view(film.last, film.audiences[0])
    ranks = tuple(Rank(place.seat, place.rank, place.score) for place in rules.standings(view))
    summary = PastMatch(whole.match, whole.title, whole.ruleset, whole.version, tuple(match.seats), whole.ended,
                     rules.rounds(view), film.last, ranks, seat, not whole.open_hands)  # fmt: skip
    saved_matches.keep(whole, data, summary)
    picture.keep(whole.match, subject, view)


def verified(verdict: Verdict) -> str:
    """Return the result of verifying a match, in a sentence."""
    if verdict.holds:
        return ngettext("The one roll of this match is verified.", "All {n} rolls of this match are verified.",
                        verdict.rolls)  # fmt: skip
    if verdict.wrong == NO_PROOF:
        return _("Every decision is verified; this match has no proof of its dice.")
    return _("This match is not what it claims to be: {why}", why=verdict.wrong)
