"""Match for the table, taken from a film: watched with the view of an audience, without actions."""

from collections.abc import Callable, Sequence
from typing import Any

from client.language import _
from client.network.advice_request import AdviceTexts
from client.network.model import VersionedEvent, sitter
from client.network.offline_match import OfflineMatch
from client.network.rewind_moments import Moments
from client.network.table_events import WentBack
from client.network.voting import Voting
from client.replay.film import AnyFilm, Audience
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Clock, Motion, Refused, Said, SeatInfo, TableState
from shared.refusal import Refusal
from shared.tables import SeatKind, TablePhase

STORY = 100
"""Maximum number of past events in the chronicle after a jump."""


class FilmMatch(OfflineMatch):
    """`TableMatch` at a version of a film.

    `seat`: the seat whose view is shown, or NONE for the public view. The secrets of that seat are shown as one's own.
    """

    def __init__(self, film: AnyFilm, seats: Sequence[SeatInfo], title: str = "") -> None:
        super().__init__()
        self.film = film
        self.version = film.first
        self.seat: Seat = NONE
        self.rules: AnyRuleset = film.rules
        self.chat: list[Said] = []
        self.refusal: Refused | None = None
        self.muted: frozenset[str] = frozenset()
        self.pending = self.thinking = False
        self.undoable = 0
        self.clock: Clock | None = None
        self.voting = Voting.without_people()
        self.moments = Moments()
        self.advised: AdviceTexts | None = None
        self._seats = tuple(seats)
        self.see_with(film.audiences[0])
        self.table: TableState | None = TableState(
            "", title, film.rules.id, {}, True, "", TablePhase.OVER, NONE, False, 0, 0, self._seats, 0
        )

    @property
    def audience(self) -> Audience:
        """Audience whose view is shown."""
        return self.seat if self.seat >= 0 else None

    def see_with(self, audience: Audience) -> None:
        """Change the audience."""
        self.seat = NONE if audience is None else audience

    @property
    def view(self) -> Any:
        """Position of the match."""
        return self.film.view(self.version, self.audience)

    @property
    def finished(self) -> bool:
        """Whether the match is over at that version."""
        return self.rules.finished(self.view) or self.film.agreed(self.version)

    @property
    def is_mine(self) -> bool:
        """False: all decisions are made."""
        return False

    def owed(self) -> tuple[Seat, ...]:
        """Return the seats that had to decide then."""
        return () if self.film.agreed(self.version) else engine.owed(self.rules, self.view)

    def check(self, action: Action) -> Refusal | None:
        """Refuse every action."""
        return Refusal("over", "", _("This is a replay: there is nothing to decide."))

    def act(self, action: Action) -> Refusal | None:
        """Refuse every action."""
        return self.check(action)

    def hasten(self) -> None:
        """Do nothing: there are no players."""

    @property
    def alone(self) -> bool:
        """Return False: there are no players."""
        return False

    def undo(self, again: bool = False) -> bool:
        """Return False: nothing can be undone."""
        return False

    def propose(self, motion: Motion) -> None:
        """Do nothing: there are no players to ask."""

    def vote(self, yes: bool) -> None:
        """Do nothing: there is no question."""

    def no_advice(self) -> str:
        """Return why there is no advice."""
        return _("This is a replay: there is nothing to decide.")

    def ask_advice(self) -> None:
        """Do nothing: there is no advice."""

    def forget_advice(self) -> None:
        """Do nothing: there is no advice."""

    def mute(self, name: str, on: bool) -> None:
        """Do nothing: there is no chat."""

    def take_story(self) -> list[VersionedEvent]:
        """Return no events: the table calls `story` after every jump."""
        return []

    def name(self, seat: Seat) -> str:
        """Return the name of the player on a seat."""
        if not 0 <= seat < len(self._seats):
            return _("Chance") if seat == NATURE else _("Nobody")
        info = self._seats[seat]
        return sitter(seat, info.name, info.bot)

    # Moving through the film

    def go_on(self) -> None:
        """Go to the next version and take its events."""
        self.version += 1
        self._new_events += [VersionedEvent(self.version, event) for event in self._events(self.version)]

    def _events(self, n: int) -> list[Event]:
        """Return the events of a version, with its return to an earlier position, if any."""
        back, events = self.film.back(n), self.film.told(n, self.audience)
        return [*events, WentBack(back.seat, back.to)] if back is not None else events

    def leap(self, n: int) -> None:
        """Jump to a version, without the events on the way."""
        self.version = min(self.film.last, max(self.film.first, n))
        self._new_events = []

    def story(self) -> list[Event]:
        """Return the last events up to this version, in order."""
        found: list[list[Event]] = []
        n, count = self.version, 0
        while n > self.film.first and count < STORY:
            found.append(self._events(n))
            count += len(found[-1])
            n -= 1
        return [event for events in reversed(found) for event in events]

    def turn(self, by: int) -> int:
        """Return the next version, or (-1) the previous one, at which a seat decides."""
        return self._until(self.version, by, self.film.settled)

    def _until(self, n: int, by: int, good: Callable[[int], bool]) -> int:
        n += by
        while self.film.first < n < self.film.last and not good(n):
            n += by
        return min(self.film.last, max(self.film.first, n))


def seats_called(names: Sequence[tuple[str, str]]) -> list[SeatInfo]:
    """Return the seats of a table, from names and levels of bots ("" for a person)."""
    return [SeatInfo(SeatKind.BOT if bot else SeatKind.PERSON, name, bot) for name, bot in names]
