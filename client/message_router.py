"""Routing of server messages after the models have processed them: screen changes and toasts."""

from collections.abc import Sequence
from math import inf
from time import monotonic, time
from typing import Final

from client.drawing.overlay import Toasts
from client.games.registry import guide
from client.language import _, heard, ngettext, told
from client.navigation import Navigation
from client.network.invitation_link import public_report, public_words
from client.network.local_players import LocalPlayers
from client.network.match_history import Fetch
from client.network.model import MatchModel
from client.network.remote_server import RemoteServer
from client.network.server_connection import Arrival, ConnectionState
from client.player.seats import HOSTED, SavedSeat, Seats
from client.replay.absence_scenes import Absence, Due
from client.replay.record_files import OpenedFilm
from client.screens.base import ScreenStage
from client.screens.missed_events import keep, missed
from client.screens.question import Answer, Question
from shared import messages as m
from shared.tables import RECALL, TablePhase

HAND_OVER: Final = 1.0
"""Seconds that the last move stays visible before another person takes the screen."""
RESULT_DELAY: Final = 5.0
"""Seconds that the last move stays visible before the standings are shown."""

AGAIN: Final = 5.0
"""Seconds until a screen without a person retries a refused request."""
AWAY: Final = 60.0
"""Minimum seconds of an absence after which missed events are offered."""


class MessageRouter:
    """Router that reacts to each server message with a change of the screen or a toast."""

    def __init__(self, people: LocalPlayers, seats: Seats, toasts: Toasts, go: Navigation) -> None:
        self._people = people
        self._seats = seats
        self._toasts = toasts
        self._go = go
        self._standings_at = 0.0
        """Time of showing the standings; 0 while the match goes on, infinite once they were shown."""
        self._again_at = 0.0
        """Time of the next try to watch; 0 while watching."""
        self._hand_over_at = inf
        """Time at which another person at this computer takes the screen."""

    @property
    def _remote(self) -> RemoteServer:
        return self._people.current

    def hear(self, arrival: Arrival) -> None:
        """React to an arrival that the models have processed."""
        match arrival:
            case ConnectionState(kind="gave-up"):
                self._hear_gave_up(arrival.why)
            case ConnectionState(kind="bare"):
                self._go.ask(self._bare(arrival.why))
            case m.Welcome():
                self._remote.enter()
            case m.TableState():
                self._hear_table(arrival)
            case m.Hooked(failed=True):
                self._toasts.say(_("A message outside of the game could not be delivered."), "bad")
            case m.Introduced():
                session = self._remote.access.session
                if session is not None and arrival.name != session.name:
                    words = _("Your name is taken there: you are called {name}.", name=arrival.name)
                    self._toasts.say(words, "plain")
            case m.Seated():
                self._hear_seated(arrival)
            case m.Refused():
                self._hear_refusal(arrival)
            case m.Done() if self._is_report(arrival.ref):
                self._toasts.say(_("The operator gets your report; you hear when it was looked at."), "good")
            case m.Notice():
                self._toasts.say(heard(arrival.text), "plain")
            case m.PublicAddress():
                # The link for friends elsewhere, or why there is none.
                remote, match = self._remote, self._remote.match
                if remote.access.address == HOSTED and match is not None and match.table is not None:
                    self._toasts.say(public_words(remote, match.table), "bad" if public_report(remote) else "good")
            case m.Left():
                self._hear_left(arrival)
            case m.Invited():
                self._hear_invited(arrival)
            case m.LobbyList() if self._go.exhibiting and self._go.screen.part is ScreenStage.WAITING:
                self._choose(arrival.tables)
            case _:
                pass

    def _is_report(self, ref: int) -> bool:
        match = self._remote.match
        return match is not None and ref == match.blocks.reported

    def update(self) -> None:
        """Show the standings once, some seconds after the last move."""
        match = self._remote.match
        if match is None:
            return
        if self._again_at and self._again_at < monotonic():
            self._again_at = 0.0
            # A table shown to all: no person is at this screen to ask again.
            session = self._remote.access.session
            if match.table is not None and session is not None and not session.at_table:
                self._remote.watch(match.table.match, match.table.code)
        if self._people.many:
            self._see_to_hand_over()
        self._see_to_what_was_missed(match)
        self._remote.holding.follow(match)
        if not match.over:
            return
        if not self._standings_at and not self._go.screen.showing:
            self._standings_at = monotonic() + RESULT_DELAY
        elif 0 < self._standings_at < monotonic() and self._go.screen.part is ScreenStage.TABLE:
            self._standings_at = inf
            self._go.result()

    def _see_to_hand_over(self) -> None:
        """Call another person at this computer once their decision is awaited and what led to it was seen."""
        people, screen, invited = self._people, self._go.screen, self._people.due_player()
        if invited is None or screen.showing or (screen.part is not ScreenStage.TABLE and not people.hidden):
            self._hand_over_at = inf
        elif people.hidden:
            self._go.curtain(invited)
        elif self._hand_over_at == inf:
            self._hand_over_at = monotonic() + HAND_OVER
        elif self._hand_over_at <= monotonic():
            self._hand_over_at = inf
            if people.curtained:
                self._go.curtain(invited)
            else:
                self._go.change_person(invited)

    def _hear_table(self, table: m.TableState) -> None:
        """React to a change of the table; a new one opens the screen that fits it."""
        new = self._remote.match is None or not self._remote.match.is_at(table)
        if new and not self._sit(table):
            return
        if self._remote.bots and table.phase == TablePhase.GATHERING:
            if self._people.complete(table):
                self._remote.fill(table)
        else:
            self._lead(table.phase, new)

    def _sit(self, table: m.TableState) -> bool:
        """Enter a new table; return False, and leave it, if its game is unknown."""
        try:
            self._remote.sit(table)
        except ValueError:
            self._give_up(_("That table plays a rule set that this version of the game does not know."))
            return False
        for words in self._remote.take_page_words():
            self._toasts.say(words, "plain")
        self._standings_at = 0.0
        absence = self._missed(table)
        if absence is not None and self._remote.match is not None:
            keep(self._remote.match, absence)
        return True

    def _missed(self, table: m.TableState) -> Absence | None:
        """Return the missed events of an absence; they are offered if it was long."""
        remote, holding = self._remote, self._remote.holding
        left_at, holding.left_at = holding.left_at, 0
        if not left_at or table.you < 0 or table.phase != TablePhase.PLAYING or not remote.can(RECALL):
            return None

        def ask(upto: int) -> Fetch:
            return remote.memory.fetch(m.Recall(1, table.match, have=left_at, upto=upto, film=True))

        due: Due = "offer" if time() - holding.left_on >= AWAY else ""
        return Absence(ask, guide(table.ruleset).film, table.you, due)

    def _see_to_what_was_missed(self, match: MatchModel) -> None:
        """Offer or show missed events once they are known and the board is visible."""
        absence = missed(match)
        if absence is None or match.view is None:
            return
        absence.end(match.version)
        if not absence.due:
            return
        absence.update()
        if absence.done and self._go.screen.part is ScreenStage.TABLE:
            due, absence.due = absence.due, ""
            self._tell_of(absence, due)

    def _tell_of(self, absence: Absence, due: Due) -> None:
        """Offer or show the loaded events."""
        if not absence.scenes or absence.match is None:
            if due == "show":
                self._toasts.say(_("Nothing that concerns you happened while you were away."), "plain")
        elif due == "show":
            self._show(absence, absence.match)
        else:
            self._go.ask(self._welcome_back(absence, absence.match))

    def _show(self, absence: Absence, match: OpenedFilm) -> None:
        self._go.away(match.film, match.seats, absence.seat, absence.scenes)

    def _welcome_back(self, absence: Absence, match: OpenedFilm) -> Question:
        """Return the question whether to replay the missed events."""
        many = len(absence.scenes)
        words = ngettext("One thing that concerns you has happened since you were here.",
                         "{n} things that concern you have happened since you were here.", many)  # fmt: skip
        film = _("Watching them takes a minute at most; any key skips to the present.")
        later = _("The menu of the table shows them later too.")
        show = Answer(_("Show me"), lambda: self._show(absence, match))
        return Question(_("While you were away"), (words, film, later), (show,), keep=_("Not now"))

    def _lead(self, phase: TablePhase, new: bool) -> None:
        """Go to the waiting room or, once the match runs, to the board. A player who went elsewhere stays there."""
        part = self._go.screen.part
        waiting = new or part is ScreenStage.WAITING
        if phase == TablePhase.GATHERING:
            if waiting:
                self._go.room()
        elif waiting or part is ScreenStage.ROOM:
            self._begin_at_table()

    def _begin_at_table(self) -> None:
        """Go to the board. On a shared computer a curtain is before it: no person is known to be alone there."""
        invited = self._people.due_player()
        if self._people.curtained:
            self._go.curtain(self._people.at if invited is None else invited)
        else:
            self._go.table()

    def _hear_seated(self, seated: m.Seated) -> None:
        """React to getting a seat, perhaps only to leave it for good."""
        access = self._remote.access
        if self._go.exhibiting:
            self._remote.step_back()  # There is no player at this screen.
            return
        self._remote.holding.sit(access, seated)
        if self._remote.handing_back:
            access.leave()
        elif self._remote.listens:
            self._remote.listen(True)  # A new connection starts without the spectators' chat.

    def _hear_refusal(self, refused: m.Refused) -> None:
        remote = self._remote
        if remote.memory.owns(refused.ref):
            return  # The caller of the download shows its refusal.
        if remote.knocking:  # Refused before the greeting: another version, or an invalid name.
            self._give_up(told(refused))
        elif refused.code == "started" and remote.joining is not None:
            self._toasts.say(_("The match has already begun: you are watching."), "plain")
            remote.watch(*remote.joining)
        elif remote.coming:
            remote.lose_way()
            self._toasts.say(told(refused), "bad")
            self._go.lobby()
        elif refused.code == "bad-token" or (remote.access.resuming and refused.code == "no-match"):
            remote.holding.lose()
            handing_back = remote.handing_back
            self._give_up(_("That seat is no longer kept for you."))
            if handing_back:
                self._go.games()
        elif self._without_table:
            remote.bots = ()
            if not self._go.turn_back(told(refused)):
                self._toasts.say(told(refused), "bad")
                self._go.lobby()
        elif self._go.exhibiting and remote.match is not None:
            self._again_at = monotonic() + AGAIN
        elif remote.match is None or refused is not remote.match.refusal:
            self._toasts.say(told(refused), "bad")

    @property
    def _without_table(self) -> bool:
        """Whether the screen waits for a table, or shows one that we left for another seat."""
        part = self._go.screen.part
        return part is ScreenStage.WAITING or (part is ScreenStage.ROOM and self._remote.match is None)

    def _hear_left(self, left: m.Left) -> None:
        """React to having left the table, after `Navigator.leave` or `RemoteServer.change_seat`."""
        match, wished = self._remote.match, left.code == "left"
        playing = match is not None and match.table is not None and match.table.phase == TablePhase.PLAYING
        if not wished:
            self._toasts.say(heard(left.text), "plain")
        handing_back = self._remote.handing_back
        seat, profiles = self._remote.holding.seat, self._remote.profiles()
        if handing_back and seat is not None and profiles is not None:
            profiles.dismiss(seat.address, seat.match)  # Our profile must not bring it back into the list.
        if handing_back or not wished or not playing:
            self._remote.holding.release()
        self._remote.holding.end()
        if handing_back:
            self._go.games()
        elif not self._remote.rise():
            self._people.disband()
            self._go.lobby()
        elif self._remote.coming:
            self._go.wait()

    def _choose(self, tables: Sequence[m.TableInfo]) -> None:
        """Choose the table that is shown to all: the only one, or ask."""
        if len(tables) == 1:
            self._remote.watch(tables[0].match)
        else:
            self._go.lobby()

    def _hear_invited(self, invited: m.Invited) -> None:
        """React to an invitation to a rematch.

        Follow it if we asked for it, or if this is a screen for all; else show a toast.
        """
        if invited.ref or self._go.exhibiting:
            self._remote.come_along(invited)
            self._people.follow_to_rematch()
            return
        self._toasts.say(_("{name} would like to play again.", name=invited.name), "good")
        if self._go.screen.part is ScreenStage.TABLE and self._standings_at == inf:
            self._go.result()

    def _hear_gave_up(self, why: str) -> None:
        seat = self._remote.holding.seat if self._remote.handing_back else None
        self._give_up(why)
        if seat is not None:
            self._go.games()
            self._go.ask(self._unheard(seat, why))

    def _unheard(self, seat: SavedSeat, why: str) -> Question:
        """Return the question for a seat that could not be given up, because its server is unreachable."""

        def strike_off() -> None:
            self._seats.forget(seat)
            self._go.games()

        words = (why, _("Without a connection you cannot give your seat up: the server keeps it for you."))
        answers = (Answer(_("Take it off my list"), strike_off, grave=True),)
        return Question(_("The server does not answer"), words, answers, keep=_("Keep my seat"))

    def _bare(self, why: str) -> Question:
        """Return the question whether to connect without encryption."""
        access = self._remote.access
        tried = _(" An encrypted one was tried first: {lower}{why}", lower=why[:1].lower(), why=why[1:]) if why else ""
        words = (
            _("The connection to {address} would not be encrypted.{tried}", address=access.address, tried=tried),
            _(
                "Others on the network could read along, take the key to your seat and play in your place. The "
                "operator of a server on the internet can give it a name with TLS; its address begins with wss://."
            ),
        )
        sure = Answer(_("Connect all the same"), access.go_bare, grave=True)
        return Question(_("Others could listen"), words, (sure,), keep=_("Do not connect"), otherwise=self._turn_back)

    def _turn_back(self) -> None:
        if not self._go.turn_back():
            self._go.menu()

    def _give_up(self, why: str) -> None:
        """Give up the server: return to the form that led here, with the reason, or else to the menu."""
        if not self._go.turn_back(why):
            self._go.menu()
            self._toasts.say(why, "bad")
