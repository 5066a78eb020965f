"""Questions to the others at the table, as pages of the menu; and the open question, for its plate."""

from collections.abc import Iterator
from typing import Final, Protocol

from msgspec import Struct

from client.language import _, say
from client.network.rewind_moments import Moments
from client.network.voting import Voting, choice
from client.player.clock_presets import NAMED
from client.table.absence import Absence, WatchedMatch, absence, first_absent
from client.table.proposal_text import lasting, missed, moment_words, pace_words, question, standing
from shared.actions.bot_levels import LEVEL_WORDS
from shared.ids import NONE, Seat
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Clock, Motion, SeatInfo, TableState
from shared.tables import Matter, Pace, Run, SeatKind, TablePhase

OFFERED: Final = 8
"""Number of moments that are offered at once."""
_LIVE: Final = (300, 900)
_POST: Final = (86400, 3 * 86400)
"""Amounts of extra time that can be asked for, in seconds."""
PACES: Final = tuple(NAMED[name][1] for name in ("none", "evening", "day"))
Offer = tuple[str, Motion]
"""Words and motion of a question that can be asked."""


class Notice(Struct, frozen=True):
    """Content of the plate.

    `asker`: the seat whose Caesar stands beside the heading. `clock`: the time left. `answers`: whether this seat is
    asked; `choice`: its answer so far. `goes_on`: whether it may ask to go on. `reads`: whether the plate closes once
    it is read. `offers`: questions that can be put to the others.
    """

    heading: str
    lines: tuple[str, ...]
    asker: Seat = NONE
    clock: str = ""
    answers: bool = False
    choice: bool | None = None
    goes_on: bool = False
    reads: bool = False
    offers: tuple[Offer, ...] = ()
    waits: bool = False
    """Whether the plate is about an absent player: waiting closes it."""


class VotingMatch(Protocol):
    """A match as one client sees it; `client.network.model.MatchModel` is one."""

    table: TableState | None
    rules: AnyRuleset
    seat: Seat
    version: int
    clock: Clock | None
    voting: Voting
    moments: Moments

    @property
    def view(self) -> object:
        """The position as this seat sees it; None until it has come."""

    @property
    def finished(self) -> bool:
        """Whether the match is over."""

    def name(self, seat: Seat) -> str:
        """Return the name of the player on a seat."""

    def propose(self, motion: Motion) -> None:
        """Propose a motion to the others at the table."""

    def vote(self, yes: bool) -> None:
        """Vote on the open motion."""


class VoteMenu:
    """Questions that the seat of this client can ask, as the match stands now."""

    def __init__(self, match: VotingMatch) -> None:
        self._match = match
        self._waits: set[Seat] = set()
        """Absent players that this player has chosen to wait for."""

    @property
    def possible(self) -> bool:
        """Whether anything can be asked at all."""
        match = self._match
        playing = match.table is not None and match.table.phase == TablePhase.PLAYING
        return playing and match.voting.known and match.seat >= 0 and match.view is not None

    @property
    def paused(self) -> bool:
        """Whether the match is paused."""
        return self._match.clock is not None and self._match.clock.paused

    def ask(self, motion: Motion) -> None:
        """Propose a motion to the others."""
        self._match.propose(motion)

    def pause(self) -> Offer:
        """Return the question for a pause, or for its end."""
        if self.paused:
            return _("Go on"), Motion(Matter.GO_ON)
        return _("A pause"), Motion(Matter.PAUSE)

    def backs(self) -> list[Offer]:
        """Return the questions to go back to a moment."""
        match = self._match
        if match.table is None or match.table.forward_only:
            return []
        moments, you = match.moments.before(match.version)[:OFFERED], match.seat
        return [
            (_with_capital(moment_words(one, match.name, you)), Motion(Matter.BACK, to=one.version)) for one in moments
        ]

    def seats(self) -> list[Offer]:
        """Return the questions to replace an absent player by a bot or a spectator."""
        table = self._match.table
        if table is None:
            return []
        kinds = SeatKind.AWAY, SeatKind.STAND_IN
        away = [(seat, info) for seat, info in enumerate(table.seats) if info.kind in kinds]
        return [offer for seat, info in away for offer in self._stand_ins(seat, info)]

    def _stand_ins(self, seat: Seat, info: SeatInfo) -> Iterator[Offer]:
        whom = self._match.name(seat)
        for level, words in LEVEL_WORDS.items():
            if level != info.bot:
                yield (
                    _("{who} for {whom}", who=_with_capital(say(words.single)), whom=whom),
                    Motion(Matter.SEAT, seat, level=level),
                )
        for name in self._match.table.onlookers if self._match.table is not None else ():
            yield _("{who} for {whom}", who=name, whom=whom), Motion(Matter.SEAT, seat, name=name)

    def terms(self, motion: Motion) -> str:
        """Return further conditions of a motion. Only the server knows since when a player is away."""
        if motion.matter is Matter.BACK:
            return _("Dice that fell since then will be rolled again.")
        if motion.matter is not Matter.SEAT or not motion.name:
            return ""
        table = self._match.table
        if table is not None and table.pace is not None and table.pace.run is Run.POST:
            return _("By post, only once a bot plays for {whom}.",
                     whom=self._match.name(motion.seat))  # fmt: skip
        return _("Only once {whom} has been away for five minutes.", whom=self._match.name(motion.seat))

    def times(self) -> list[Offer]:
        """Return the questions for more time for a player."""
        table = self._match.table
        if table is None or table.pace is None or table.pace.run is Run.NONE:
            return []
        people = [seat for seat, info in enumerate(table.seats) if info.name]
        more = _POST if table.pace.run is Run.POST else _LIVE
        return [
            (_("{time} for you", time=lasting(each)) if seat == self._match.seat
             else _("{time} for {whom}", time=lasting(each), whom=self._match.name(seat)),
             Motion(Matter.TIME, seat, seconds=each))
            for seat in people
            for each in more
        ]  # fmt: skip

    def paces(self) -> list[Offer]:
        """Return the questions for other clocks."""
        table = self._match.table
        present = table.pace if table is not None and table.pace is not None else Pace()
        return [(_with_capital(pace_words(pace)), Motion(Matter.PACE, pace=pace)) for pace in PACES if pace != present]

    def offers(self) -> list[Offer]:
        """Return all questions that can be asked."""
        end = _("The end of the match now, counted as it stands"), Motion(Matter.END)
        return [self.pause(), *self.backs(), *self.seats(), *self.times(), *self.paces(), end]

    def read(self) -> None:
        """Drop the decision that was made while the player was away, as they have read it."""
        del self._match.voting.missed[:1]

    def notice(self) -> Notice | None:
        """Return the present content of the plate, or None."""
        match, voting = self._match, self._match.voting
        if voting.missed:
            poll = voting.missed[0]
            return Notice(_("While you were away"), missed(poll, match.name, match.seat), poll.seat, reads=True)
        open_poll = voting.foremost(match.seat)
        if open_poll is not None:
            moment = match.moments.at(open_poll.motion.to) if open_poll.motion.matter is Matter.BACK else None
            lines = (
                question(open_poll, match.name, moment, match.seat),
                standing(open_poll, match.name, match.seat),
            )
            clock, answers = lasting(_rounded_time(voting.seconds_left(open_poll))), match.seat in open_poll.voters
            return Notice(_("A question"), lines, open_poll.seat, clock, answers, choice(open_poll, match.seat))
        if self.paused and not match.finished:
            words = _("Clocks and bots stand still, and no moves are possible.")
            return Notice(_("The match is paused"), (words,), goes_on=self.possible)
        return self._absence_notice()

    def absence(self) -> Absence | None:
        """Return what is known and offered about an absent player without a bot; None if there is none."""
        match = self._match
        seat = first_absent(match.table, match.voting.absent, match.clock)
        if seat == NONE or match.table is None or match.finished:
            return None
        watched = WatchedMatch(
            match.table, match.rules, match.view, match.clock, match.voting, match.seat, match.name(seat)
        )
        return absence(watched, seat)

    def wait(self) -> None:
        """Choose to wait for the absent player: the plate closes until they have come and gone again."""
        absence = self.absence()
        if absence is not None:
            self._waits.add(absence.seat)

    def _absence_notice(self) -> Notice | None:
        absence = self.absence()
        self._waits &= {each.seat for each in self._match.voting.absent.seats}
        if absence is None or absence.seat in self._waits:
            return None
        clock = lasting(_rounded_time(absence.left)) if absence.left else ""
        return Notice(
            absence.heading, absence.lines, absence.seat, clock, offers=tuple(absence.offers.values()), waits=True
        )


def _rounded_time(seconds: int) -> int:
    """Round long times to whole hours or minutes."""
    unit = 3600 if seconds > 7200 else 60 if seconds > 120 else 1
    return seconds // unit * unit


def _with_capital(words: str) -> str:
    return words[:1].upper() + words[1:]
