"""Text program, from the address to the last move.

Its output goes to `out`, line by line; typed lines are passed to `read`. Knows no terminal.
"""

import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Final

from client.language import _, heard, ngettext, say, told
from client.network.addresses import lan_addresses
from client.network.invitation_link import home_link, invitation_link, public_words, who_may_come
from client.network.local_players import LocalPlayers, together
from client.network.model import MatchModel
from client.network.nearby import Nearby, stranger
from client.network.remote_server import RemoteServer, free_seats
from client.network.server_connection import Arrival, ConnectionState
from client.player.clock_presets import about, remaining
from client.player.clock_presets import read as read_pace
from client.player.lessons import lesson_home, lesson_of
from client.player.match_status import description, short_name, timing_text
from client.player.notices import NoSetting, changed, described, tried
from client.player.presence import bot_words, rated_words, rating_words, reliability_words, seated
from client.player.presence import listed as present
from client.player.seats import HOSTED, SavedSeat, is_private, one_row_each
from client.player.settings import Settings, profiles_of, seats_of
from client.player.table_options import TableOptions, away_options, summary
from client.replay.finished_record import FinishedRecord, witness_of
from client.table.absence import away_words
from client.table.problem import Attempt, attempted
from client.text_client.member_commands import MemberCommands
from client.text_client.person_commands import PersonCommands
from client.text_client.play_now_text import PlayNowText, numbered
from client.text_client.table import Lines, TextCommand, TextTable, answer
from protocol.announcement import Near
from protocol.links import joined, page_of
from protocol.terminal_picture import qr_code
from shared import messages as m
from shared.actions.name_lookup import Misread, find, folded
from shared.choices import choices
from shared.clocks import pace_of
from shared.codes import code_in
from shared.ids import MAX_SEATS
from shared.kernel import engine
from shared.lessons.registry import BY_KEY
from shared.levels import LEVELS, NORMAL, SHOWN, by_post
from shared.rulesets import registry
from shared.tables import (
    ANY_SEAT,
    HAND,
    MAX_TEXT,
    NOTICES,
    RATED,
    RECALL,
    REMATCH,
    RENAME,
    RESIZE,
    SEEKS,
    Arrangement,
    Rated,
    SeatKind,
    TablePhase,
    fitting,
)

_LEVEL_NAMES: Final = (*zip(SHOWN, LEVELS, strict=True), *zip(LEVELS, LEVELS, strict=True))
"""Names of levels that can be typed, those that are shown first."""


class TextProgram:
    """Text program. `ended`: whether it is over; `status`: the exit status."""

    def __init__(
        self, settings: Settings, out: Callable[[str], object], clear: Callable[[], object] = lambda: None
    ) -> None:
        """`clear` makes everything that was printed unreadable, as far as the terminal can."""
        self._settings = settings
        self._out = out
        self._clear = clear
        self._seats = seats_of(settings)
        profiles = profiles_of(settings, self._seats)
        first = RemoteServer(self._seats, self._complain, lambda: profiles if self._is_known() else None)
        first.access.tls = settings.tls
        self.people = LocalPlayers(first, self._seats, self._complain)
        self.remote.listens = settings.listens
        self.table: TextTable | None = None
        self._by_person: dict[RemoteServer, TextTable] = {}
        """Tables of all who share this computer."""
        self._due = -1
        """Person who was announced as the next one at the screen; -1 if none."""
        self.ended = False
        self.status = 0
        self._shown: m.TableState | None = None
        """Last printed state of the table."""
        self._sure: Callable[[], object] | None = None
        """Action that waits for confirmation."""
        self._near: list[Near] = []
        """Tables nearby as they were listed: a number stays that of its table."""
        self._looks = False
        """Whether tables nearby are listed as they appear."""
        self._near_people: tuple[tuple[str, ...], bool] = (), False
        """Names of those who share this computer there, and whether with a curtain."""
        self._listing: list[m.TableInfo] | None = None
        """Tables of the server as they were listed last; None before the first list."""
        self._held: list[SavedSeat] = []
        """Seats as they were listed last."""
        self._wanted_seat = ANY_SEAT
        self._checked = ""
        """Id of the match whose record was requested last."""
        self._after: FinishedRecord | None = None
        """Its verification, until the result is printed."""
        self._asked = False
        """Whether a table that we asked for, or our departure from it, is awaited."""
        self._wanted_notices = ""
        """Change of the notices that follows once they are known."""
        self._member = MemberCommands(lambda: self.remote, settings, self._say, self._ask)
        self._play_now = PlayNowText(lambda: self.remote)
        self._begins = False
        """Whether we have asked to start the match ourselves."""
        self._attempt: Attempt | None = None
        """Our attempt at a problem, if this table is one."""
        self._judged = ""
        """Last printed verdict on it."""
        self.commands = self._commands()

    @property
    def remote(self) -> RemoteServer:
        """Connection of the person at the screen."""
        return self.people.current

    @property
    def nearby(self) -> Nearby | None:
        """Tables nearby, where the program may look for them."""
        return self.people.first.nearby

    @nearby.setter
    def nearby(self, nearby: Nearby) -> None:
        self.people.first.nearby = nearby

    def _is_known(self) -> bool:
        """Whether the player wants a profile; several people at one computer have none."""
        return self._settings.known and not self.people.many

    def _complain(self, words: str) -> None:
        self._say([words])

    # Going to a server

    def join(self, address: str, code: str, seat: int = ANY_SEAT, people: Sequence[str] = (), *,
             curtain: bool = False) -> None:  # fmt: skip
        """Go to a server: to the table with that code, or to the list of tables. `people`: as in `TableOptions`."""
        self._wanted_seat = seat
        self._go(address, partial(self._sit_down, code) if code else self._arrive, people=people, curtain=curtain)

    def find(self, address: str, wish: m.TableWish | None) -> None:
        """Go to a server and wait there for a table of that wish, or list who waits."""
        self._go(address, partial(self._arrive, wish))

    def watch(self, address: str, code: str) -> None:
        """Go to a server and watch the table with that code, or show the list."""
        self._go(address, partial(self._look_on, code) if code else self._arrive)

    def open(self, address: str, plan: TableOptions, bots: tuple[str, ...] = ()) -> None:
        """Start a server of our own and create that table there; with `bots` on all other seats it begins at once."""
        self._go(address, partial(self._make, plan, bots), people=plan.people, curtain=plan.curtain)

    def _make(self, plan: TableOptions, bots: tuple[str, ...] = ()) -> None:
        self._asked = True
        self.remote.create(plan, bots)

    def host(self, plan: TableOptions, port: int) -> None:
        """Create a table on the server that it names, else on our own, which listens on that port."""
        access = self.people.first.access
        access.port, access.opens_router = port, plan.public
        home = plan.at or HOSTED
        here = [seat for seat in one_row_each(self._seats.all()) if seat.address == home and seat.state == "playing"]
        lines = [_("A match of yours goes on there: {match}", match=_seat_words(seat)) for seat in here]
        self._say([*lines, *([_("“leave” and then “continue” take it up again.")] if here else [])])
        self.open(home, plan)

    def solve(self, key: str) -> None:
        """Begin a problem from its first position."""
        home = lesson_home(key)
        self.table, self._shown, self._judged = None, None, ""
        # A kept seat would come back to the old attempt.
        for seat in [seat for seat in self._seats.all() if seat.address == home]:
            self._seats.forget(seat)
        self._go(home, lambda: None)

    def look_around(self) -> None:
        """List the held seats without going to a server."""
        self._say(self._games(""))

    def look_nearby(self, people: Sequence[str] = (), *, curtain: bool = False) -> None:
        """List the tables nearby as they appear, without going to a server. `people`: as in `TableOptions`."""
        self._near_people = tuple(people), curtain
        self._say([*self._nearby("")])

    def _go(self, address: str, wish: Callable[[], object], seat: SavedSeat | None = None, *,
            people: Sequence[str] = (), curtain: bool = False) -> None:  # fmt: skip
        self.people.end()
        self._by_person, self._due = {}, -1
        self._looks, self._listing = False, None
        if seat is not None:
            seat = self.people.return_to(seat)
        elif people:
            self.people.share(people, curtain=curtain)
        self.ended = not self.remote.begin(address, self.people.leader or self._settings.name, wish, seat)
        self._say([] if self.ended else [_("Connecting …")])

    def _sit_down(self, code: str) -> None:
        self._asked = True
        self.remote.join("", code, self._wanted_seat)

    def _look_on(self, code: str) -> None:
        self._asked = True
        self.remote.watch("", code)

    def _arrive(self, wish: m.TableWish | None = None) -> None:
        held = [seat for seat in self._seats.all() if seat.live and seat.address == self.remote.access.address]
        self._say([_("You hold a seat here: “games” lists it, and “continue” takes it up again.")] if held else [])
        self.remote.list_tables()
        self._say([_("Welcome. “tables” lists the tables, “help” the commands.")])
        if wish is not None and self.remote.can(SEEKS):
            self.remote.now.seek(wish)

    def close(self) -> None:
        """Disconnect; every seat is kept."""
        self.people.end()
        self._settings.save()

    # Arrivals

    @property
    def busy(self) -> bool:
        """Whether an answer is awaited without which the next line could be misunderstood."""
        remote = self.remote
        pending = remote.match is not None and (remote.match.pending or remote.match.awaited)
        waiting = remote.knocking or self._asked or bool(remote.bots) or pending or self.people.arriving
        return waiting and not remote.trouble and self._sure is None

    def update(self) -> bool:
        """Process arrivals; return whether there were any."""
        came = self.people.update()
        for arrival in self.remote.poll():
            came = True
            self.remote.hear(arrival)
            self._hear(arrival)
        while self._seats.words:
            self._say([self._seats.words.pop(0)])
        self._tell_verdict()
        self._tell()
        self._hand_over()
        if self._looks:
            self._tell_nearby()
        return came

    def _tell_nearby(self) -> None:
        """Print tables nearby that were not listed yet."""
        known = {(near.address, near.table.match) for near in self._near}
        for near in self.nearby.tables if self.nearby is not None else ():
            if (near.address, near.table.match) not in known:
                self._near.append(near)
                self._say([_near_words(len(self._near), near)])

    def _tell(self) -> None:
        match, table = self.remote.match, self.table
        if match is None or table is None or self.people.hidden:
            return
        self.remote.holding.follow(match)
        self._say(table.hear([*match.take_story(), *match.take_events()]))
        self._say(table.overhear())
        if match.refusal is not None:
            self._say([told(match.refusal)])
            match.refusal = None
        self._say(table.announce())
        self._check(match)

    # Several people at this computer

    def _hand_over(self) -> None:
        """Ask for another person at the screen if their decision is awaited."""
        people, wanted = self.people, self.people.due_player()
        if wanted is None or self.remote.match is None:
            self._due = -1
        elif people.hidden:
            self._draw_curtain(wanted)
        elif not people.curtained:
            people.sit(wanted)
            self._change_table()
            self._say(["", _("Now {name}:", name=people.name(wanted))])
            self._catch_up(silent=True)
        elif self._due != wanted:
            self._due = wanted
            self._say([_("Now {name}. An empty line clears the screen for them.", name=people.name(wanted))])

    def _draw_curtain(self, place: int) -> None:
        """Hide all that one person may see, until the next one is there."""
        self._due = -1
        self.people.hide(place)
        self._change_table()
        self._clear()
        name = self.people.name(place)
        self._say([
            _("Hand over to {name}.", name=name),
            _("{name}: an empty line shows your view, once you are alone at the screen.", name=name),
        ])  # fmt: skip

    def _change_table(self) -> None:
        """Take the table of the person who is at the screen now."""
        match = self.remote.match
        assert match is not None, "a person without a match is never wanted"
        table = self._by_person.get(self.remote)
        if table is None or table.match is not match:
            table = self._by_person[self.remote] = TextTable(match, self._talk)
        self.table, self._shown, self._sure, self._asked = table, match.table, None, False

    def _catch_up(self, *, silent: bool) -> None:
        """Tell what happened since the person was last at the screen. `silent`: they have seen it with the others."""
        match, table = self.remote.match, self.table
        if match is None or table is None:
            return
        lines = [*table.hear([*match.take_story(), *match.take_events()]), *table.overhear()]
        if lines and not silent:
            self._say([_("Since you were here:"), *lines])
        table.begin_turn()
        self._tell()

    def _check(self, match: MatchModel) -> None:
        """After the end, download and verify the record in the background; at last print the result."""
        table = match.table
        if match.over and table is not None and self._checked != table.match and self.remote.can(RECALL):
            fetch = self.remote.memory.fetch(m.Recall(1, table.match))
            self._checked, self._after = table.match, FinishedRecord(fetch, witness_of(self.remote.access.session))
        if self._after is not None and self._after.update() and self._after.verdict is not None:
            self._say([self._after.words()])
            self._after = None

    def _hear(self, arrival: Arrival) -> None:
        match arrival:
            case ConnectionState():
                self._hear_link(arrival)
            case m.Welcome():
                self.remote.enter()
                self._say(self.remote.take_page_words())
            case m.TableState():
                self._hear_table(arrival)
            case m.Seated():
                self.remote.holding.sit(self.remote.access, arrival)
                if self.remote.listens:
                    self.remote.listen(True)
            case m.Refused() if not self.remote.memory.owns(arrival.ref):
                self._hear_refusal(arrival)
            case m.Notice():
                self._say([heard(arrival.text)])
            case m.Waiting() | m.Seeking() | m.Summons():
                self._say(self._play_now.hear(arrival, at_table=self.table is not None))
                self._asked = self._asked or self.remote.come_to_found()
            case m.PublicAddress() if self.remote.access.address == HOSTED and self._shown is not None:
                self._say(filter(None, [public_words(self.remote, self._shown)]))
            case m.Invited():
                self._hear_invited(arrival)
            case m.Left():
                self._hear_left(arrival)
            case m.HandShown():
                self._hear_hand(arrival)
            case m.Notifying():
                self._hear_notices(arrival)
            case m.Done() if self._member.is_erased(arrival.ref):
                self._quit("")
            case m.Introduced() | m.Membership() | m.OwnDataPiece() | m.DeviceList():
                self._member.hear(arrival)

    def _hear_link(self, state: ConnectionState) -> None:
        if state.kind == "lost":
            self._say([self.remote.trouble])
        elif state.kind == "up" and self.remote.match is not None:
            session = self.remote.access.session
            # The seat comes back a moment later; the server would refuse a line that is sent before.
            self._asked = session is not None and session.returns
            self._say([_("Connected again.")])
        elif state.kind == "gave-up":
            self._give_up(state.why)
        elif state.kind == "bare":
            address = self.remote.access.address
            self._ask(_("The connection to {address} would not be encrypted: others could listen, and play in your "
                        "place. Connect all the same?", address=address), self.remote.access.go_bare)  # fmt: skip

    def _give_up(self, why: str) -> None:
        self._say([why])
        self.people.end()
        self.ended, self.status = True, 1

    def _hear_table(self, state: m.TableState) -> None:
        new = self.remote.match is None or not self.remote.match.is_at(state)
        if new:
            self._enter(state)
        if self.remote.bots and state.phase == TablePhase.GATHERING:
            if self.people.complete(state):
                self.remote.fill(state)
                self._begins = not self.remote.bots
            return
        before, self._shown, self._asked = (None if new else self._shown), state, False
        self._begins = self._begins and state.phase == TablePhase.GATHERING
        self._say(_changes(before, state, self._name, begins=self._begins))
        if new and state.host and not is_private(self.remote.access.address):
            self._invite(state)
        begun = self._shown.phase == TablePhase.PLAYING and (before is None or before.phase != TablePhase.PLAYING)
        if begun and self.people.curtained:  # No person is known to be alone at the screen.
            wanted = self.people.due_player()
            self._draw_curtain(self.people.at if wanted is None else wanted)

    def _enter(self, state: m.TableState) -> None:
        self.remote.sit(state)
        assert self.remote.match is not None
        self.table = self._by_person[self.remote] = TextTable(self.remote.match, self._talk)
        self._begin_problem(self.remote.match)

    def _begin_problem(self, match: MatchModel) -> None:
        """Tell the task and judge the player's actions, if this is a problem."""
        problem = BY_KEY.get(lesson_of(self.remote.access.address))
        self._attempt = None if problem is None else attempted(match, problem, self._settings.keep_solved)
        if problem is not None:
            self._say([_("Problem: {title}", title=say(problem.title)), say(problem.task),
                       _("“hint” and “solution” help; “again” begins anew.")])  # fmt: skip

    def _tell_verdict(self) -> None:
        """Tell a new verdict on a problem."""
        words = say(self._attempt.verdict) if self._attempt is not None else ""
        if words != self._judged:
            self._judged = words
            self._say([words])

    def _hint(self, _words: str) -> Lines:
        assert self._attempt is not None, "it is a command of problems"
        return [say(self._attempt.problem.hint)]

    def _solution(self, _words: str) -> Lines:
        assert self._attempt is not None, "it is a command of problems"
        return [say(self._attempt.problem.solution)]

    def _again(self, _words: str) -> Lines:
        assert self._attempt is not None, "it is a command of problems"
        self.solve(self._attempt.problem.key)
        return ()

    def _invite(self, table: m.TableState) -> None:
        """Print how friends reach the table, and the link for browsers."""
        access = self.remote.access
        ours = access.address == HOSTED
        hosts = lan_addresses() if ours else []
        for place in [joined(host, access.port) for host in hosts] or [access.address]:
            self._say([_("Friends type: {command}", command=f"conquest join {place}"
                         + (f" --code {table.code}" if table.code else ""))])  # fmt: skip
        home = home_link(self.remote, table)
        self._say([_("In a browser, on a phone too: {link}", link=home or invitation_link(self.remote, table))])
        self._say(filter(None, [public_words(self.remote, table) if ours else ""]))

    def _name(self, seat: int) -> str:
        return self.remote.match.name(seat) if self.remote.match is not None else ""

    def _hear_refusal(self, refused: m.Refused) -> None:
        remote = self.remote
        if remote.knocking:
            self._give_up(told(refused))
        elif refused.code == "started" and remote.joining is not None:
            self._say([_("The match has already begun: you are watching.")])
            remote.watch(*remote.joining)
            remote.joining = None
        elif remote.coming:
            remote.lose_way()
            self._asked = False
            self._say([told(refused)])
        elif refused.code == "bad-token" or (remote.access.resuming and refused.code == "no-match"):
            remote.holding.lose()
            self._give_up(_("That seat is no longer kept for you."))
        elif remote.match is None or refused is not remote.match.refusal:
            self._asked, self._begins, remote.joining, remote.bots = False, False, None, ()
            self._say([told(refused)])

    def _hear_left(self, left: m.Left) -> None:
        """React to having left the table."""
        match, wished = self.remote.match, left.code == "left"
        playing = match is not None and match.table is not None and match.table.phase == TablePhase.PLAYING
        if not wished:
            self._say([heard(left.text)])
        # A seat that is left during a match stays kept: its player may come back.
        if not wished or not playing:
            self.remote.holding.release()
        self.remote.holding.end()
        self.table, self._shown = None, None
        self._asked = self.remote.rise()
        if not self._asked:
            self.people.disband()
            self._say([_("You have left the table. “tables” lists the others, “quit” ends the program.")])
            self.remote.list_tables()

    def _hear_invited(self, invited: m.Invited) -> None:
        """React to an invitation to a rematch: follow it if we asked for it."""
        if invited.ref:
            self._come_along(invited)
        else:
            self._say([_("{name} would like to play again: “rematch” joins.", name=invited.name)])

    def _come_along(self, invited: m.Invited) -> Lines:
        self._asked = True
        self.remote.come_along(invited)
        self.people.follow_to_rematch()
        return ()

    def _say(self, lines: Iterable[str]) -> None:
        for line in lines:
            self._out(line)

    # Typed lines

    def read(self, line: str) -> None:
        """Carry out a typed line."""
        self.remote.access.touch()
        if self.people.hidden and folded(line) != "quit":
            self.people.hidden = False
            self._catch_up(silent=False)
            return
        if not line.strip():
            if self._due >= 0:
                self._draw_curtain(self._due)
            return
        sure, self._sure = self._sure, None
        try:
            self._say(self._answer(line.strip(), sure))
        except Misread as misread:
            self._say([say(misread.message)])

    def _answer(self, line: str, sure: Callable[[], object] | None) -> Lines:
        first, _gap, rest = line.partition(" ")
        word = folded(first)
        said = answer(word) if sure is not None else None
        if sure is None or said is None:
            return self._plain(line, word, rest)
        if said:
            sure()
            return ()
        # The question was then whether to connect at all.
        self.ended = self.ended or not self.remote.begun
        return [_("Cancelled.")]

    def _plain(self, line: str, word: str, rest: str) -> Lines:
        if word in self._own():
            return self._own()[word].run(rest.strip())
        if self.table is not None and self._playing:
            if word == "help" and not rest:
                return [*self.table.read(line), *_usage_lines(self._own())]
            if word in self.commands["room"] and word not in self.table.commands:
                return [_("The match has begun: “{command}” is for the room before it.", command=word)]
            return self.table.read(line)
        if word == "help":
            return _usage_lines(self._own())
        return find(word, self._own().items(), _("command here")).run(rest.strip())

    @property
    def _playing(self) -> bool:
        return self._shown is not None and self._shown.phase != TablePhase.GATHERING

    def _own(self) -> dict[str, TextCommand]:
        """Commands that can be typed here, besides those of the table itself."""
        place = "lobby" if self.table is None else "table" if self._playing else "room"
        problem = self.commands["problem"] if self._attempt is not None else {}
        return {**self.commands[place], **problem, **self.commands["anywhere"]}

    def _commands(self) -> dict[str, dict[str, TextCommand]]:
        people = PersonCommands(self.remote).commands()
        return {
            "lobby": _by_name(
                TextCommand("tables", _("the tables of this server"), self._tables),
                TextCommand("nearby", _("the tables on your network"), self._nearby),
                TextCommand("join NUMBER | CODE [hotseat=NAME,...]", _("sit down at a table"), self._join),
                TextCommand("watch NUMBER | CODE", _("watch a table"), self._watch),
                TextCommand(
                    "create RULESET [SEATS] [KEY=VALUE ...] [pace=CLOCKS] [away=wait|bot|ask] "
                    "[rated=yes|household] [hotseat=NAME,...] [curtain=yes]",
                    _("open a table of your own; clocks such as pace=evening, pace=30m+20s/10m or pace=post:3d+14d"),
                    self._create,
                ),
                TextCommand("games", _("the games in which you hold a seat"), self._games),
                TextCommand("continue [NUMBER]", _("take up a seat again"), self._continue),
            ),
            "room": _by_name(
                TextCommand("room", _("who is here"), self._room),
                TextCommand("start", _("the host begins the match"), self._start),
                TextCommand("fill [LEVEL]", _("the host puts bots on all free seats"), self._fill),
                TextCommand("bot SEAT [LEVEL | none]", _("the host puts a bot on a seat, or takes it away"), self._bot),
                TextCommand("seats NUMBER", _("the host changes how many play"), self._resize),
                TextCommand("kick SEAT", _("the host frees a player's seat"), self._kick),
                TextCommand("name NAME", _("another name for you"), self._rename),
                TextCommand("sit SEAT", _("take another seat"), self._sit),
                TextCommand("say WORDS", _("talk to all at the table"), self._say_in_room),
                *people,
                TextCommand("leave", _("get up from the table"), self._leave),
            ),
            "table": _by_name(
                TextCommand("room", _("who is here"), self._room),
                TextCommand("leave", _("get up; a bot plays until you come back"), self._leave),
                TextCommand("listen on | off", _("hear the spectators"), self._listen),
                *people,
                TextCommand("hand [end]", _("a code with which a phone shows your hand, or its end"), self._hand),
                TextCommand(
                    "rematch [keep | rotate | shuffle]",
                    _("after the end: once more with the same people"),
                    self._rematch,
                ),
            ),
            "problem": _by_name(
                TextCommand("hint", _("a hint for this problem"), self._hint),
                TextCommand("solution", _("the solution of this problem"), self._solution),
                TextCommand("again", _("begin this problem anew"), self._again),
            ),
            "anywhere": _by_name(
                self._play_now.command,
                TextCommand("notify [WORDS]", _("where you are told that it is your turn"), self._notify),
                TextCommand(
                    "devices [end NUMBER]",
                    _("the devices that have your profile, or the end of one"),
                    self._member.devices,
                ),
                TextCommand(
                    "me [member ADDRESS|code CODE|data FILE|delete]",
                    _("who you are on this server, on all your devices; what it stores of you"),
                    self._member.me,
                ),
                TextCommand("invite [qr]", _("the link to this table, for friends"), self._show_link),
                TextCommand("quit", _("end the program; your seat is kept"), self._quit),
            ),
        }

    # Before a table

    def _need_server(self) -> None:
        if not self.remote.begun or self.remote.knocking:
            raise Misread(_("You are at no server yet."))

    def _tables(self, _words: str) -> Lines:
        self._need_server()
        self._listing = self.remote.lobby.listed()
        return numbered(map(_table_words, self._listing)) or [_("There are no open tables. “create” opens one.")]

    def _listed(self, words: str) -> tuple[str, str]:
        """Return id and code of a table, by its number in the list or by its code."""
        self._need_server()
        if not words:
            raise Misread(_("Say which table: its number in the list, or its code."))
        tables = self.remote.lobby.listed() if self._listing is None else self._listing
        if words.isdecimal() and 1 <= int(words) <= len(tables):
            return tables[int(words) - 1].match, ""
        return "", words

    def _nearby(self, _words: str) -> Lines:
        """List the tables nearby, from now on also new ones."""
        if self.nearby is None:
            raise Misread(_("This program cannot look for tables nearby."))
        self.nearby.listen(True)
        self._looks, self._near = True, []
        trouble = [self.nearby.trouble] if self.nearby.trouble else []
        return [_("Looking for tables nearby. “join NUMBER” sits down, “watch NUMBER” watches."), *trouble]

    def _go_near(self, words: str, *, watch: bool) -> bool:
        """Go to a listed table nearby; return False if none has that number."""
        if self.remote.begun or not words.isdecimal() or not 1 <= int(words) <= len(self._near):
            return False
        near = self._near[int(words) - 1]
        strange = stranger(near)
        if strange:
            raise Misread(strange)
        people, curtain = self._near_people

        def arrive() -> None:
            self._asked = True
            (self.remote.watch if watch else self.remote.join)(near.table.match)

        self._go(near.address, arrive, people=() if watch else people, curtain=curtain)
        return True

    def _join(self, words: str) -> Lines:
        if self._go_near(words, watch=False):
            return ()
        left, people, curtain = self._sharing(words.split())
        match, code = self._listed(" ".join(left))
        self.people.share(people, curtain=curtain)
        self._asked = True
        self.remote.join(match, code)
        return ()

    def _watch(self, words: str) -> Lines:
        if self._go_near(words, watch=True):
            return ()
        match, code = self._listed(words)
        self._asked = True
        self.remote.watch(match, code)
        return ()

    def _create(self, words: str) -> Lines:
        self._need_server()
        first, *more = words.split() or [""]
        key = find(first, [(key, key) for key in registry.RULESETS], _("rule set"))
        rules = registry.ruleset(key)
        more, people, curtain = self._sharing(more)
        seats = int(more.pop(0)) if more and more[0].isdecimal() else max(4, len(people))
        if len(people) > seats:
            raise Misread(_("The table needs a seat for each of you: at least {n}.", n=len(people)))
        named, more = _split("away", more)
        clocks, more = _split("pace", more)
        rated, more = _split("rated", more)
        try:
            away, pace = away_options(named or "ask"), read_pace(clocks or "none")
            chosen = choices(rules, more)
            engine.checked_options(rules, seats, chosen)
        except ValueError as error:
            raise Misread(heard(str(error))) from None
        plan = TableOptions(key, seats, options=chosen, pace=pace)
        plan.away, plan.takeover = away
        plan.rated = self._rated(rated)
        self.people.share(people, curtain=curtain)
        self._make(plan)
        return ()

    def _rated(self, word: str) -> Rated:
        """Return whether a new table is rated. Raises Misread where that is impossible."""
        choices = {"": Rated.NO, "yes": Rated.YES, "household": Rated.HOUSEHOLD}
        if word not in choices:
            raise Misread(_("“rated=yes”, or “rated=household” if two of one household play."))
        if word and not self.remote.can(RATED):
            raise Misread(_("There are no rated tables on this server."))
        return choices[word]

    def _sharing(self, words: list[str]) -> tuple[list[str], tuple[str, ...], bool]:
        """Return the other words, the names of all who will share this computer, and whether with a curtain."""
        others, words = _split("hotseat", words)
        curtain, words = _split("curtain", words)
        session = self.remote.access.session
        try:
            people = together(session.name if session is not None else self._settings.name, others)
        except ValueError as error:
            raise Misread(heard(str(error))) from None
        return words, people, curtain == "yes"

    def _games(self, _words: str) -> Lines:
        self._held = one_row_each(seat for seat in self._seats.all() if seat.live)
        return numbered(map(_seat_words, self._held)) or [_("You hold no seat in any game.")]

    def _continue(self, words: str) -> Lines:
        if not self._held:
            self._games("")
        seat = dict(enumerate(self._held, 1)).get(int(words) if words.isdecimal() else 1)
        if seat is None:
            raise Misread(_("You hold no such seat; “games” lists them."))
        self._go(seat.address, self._come_back, seat)
        return ()

    def _come_back(self) -> None:
        """Do nothing: our seat comes back by itself."""
        self._asked = True

    # In the waiting room

    def _state(self) -> m.TableState:
        if self._shown is None:
            raise Misread(_("You are at no table."))
        return self._shown

    def _room(self, _words: str) -> Lines:
        return _changes(None, self._state(), self._name)

    def _start(self, _words: str) -> Lines:
        self.remote.send(m.Start(self.remote.ref()))
        return ()

    def _fill(self, words: str) -> Lines:
        level = find(words, _LEVEL_NAMES, _("level")) if words else NORMAL
        for seat in free_seats(self._state()):
            self.remote.send(m.SetBot(self.remote.ref(), seat, level))
        return ()

    def _bot(self, words: str) -> Lines:
        number, _gap, level = words.partition(" ")
        kind = find(level, [*_LEVEL_NAMES, ("none", "")], _("level")) if level else NORMAL
        self.remote.send(m.SetBot(self.remote.ref(), self._seat(number), kind))
        return ()

    def _resize(self, words: str) -> Lines:
        if not words.isdecimal() or not 2 <= int(words) <= MAX_SEATS:
            raise Misread(_("Say how many: 2 to {most}.", most=MAX_SEATS))
        if not self.remote.can(RESIZE):
            raise Misread(_("This server cannot change the number of seats."))
        self.remote.send(m.Resize(self.remote.ref(), int(words)))
        return ()

    def _rematch(self, words: str) -> Lines:
        match = self.remote.match
        if match is None or not match.over or not self.remote.can(REMATCH):
            raise Misread(_("You can ask for that once the match is over."))
        if match.invited is not None:
            return self._come_along(match.invited)
        known = [(arrangement.name.lower(), arrangement) for arrangement in Arrangement]
        self.remote.rematch(find(words, known, _("way to sit")) if words else Arrangement.KEEP)
        return ()

    def _hand(self, words: str) -> Lines:
        if folded(words) not in ("", "end"):
            raise Misread(_("Say “hand” or “hand end”."))
        if not self.remote.can(HAND) or is_private(self.remote.access.address):
            raise Misread(_("This server cannot show hands on other devices."))
        self.remote.show_hand(on=not words)
        return ()

    def _hear_hand(self, shown: m.HandShown) -> None:
        """Print the state of our hand on other devices."""
        if shown.code:
            link = page_of(self.remote.access.public, "hand", shown.code)
            good = _("Valid for {time}, and only once.", time=remaining(shown.seconds))
            self._say([_("Your hand: {link}", link=link), good])
        readers = ngettext("{n} device reads along.", "{n} devices read along.", shown.readers)
        self._say([readers if shown.readers else _("No device reads along.")])

    def _notify(self, words: str) -> Lines:
        """Ask for the notices; what is to be changed follows once they are known."""
        if not self.remote.begun or not self.remote.can(NOTICES):
            raise Misread(_("This server sends no notices outside of the game."))
        word, _gap, rest = words.partition(" ")
        ref = self.remote.ref()
        if folded(word) == "code":
            self.remote.send(m.Notify(ref, code=code_in(rest)))
        elif folded(word) == "test":
            self._wanted_notices = "test"
            self.remote.send(m.Notify(ref, test=True))
        else:
            self._wanted_notices = words
            self.remote.send(m.Notify(ref))
        return ()

    def _hear_notices(self, told: m.Notifying) -> None:
        """Change the notices as the player asked, or print them."""
        words, self._wanted_notices = self._wanted_notices, ""
        match = self._shown.match if self._shown is not None else ""
        if words == "test":
            return self._say([tried(told)])
        if not words:
            return self._say(described(told, match))
        try:
            self.remote.send(m.Notify(self.remote.ref(), changed(told.settings, words, match)))
        except NoSetting as error:
            self._say([str(error)])

    def _show_link(self, words: str) -> Lines:
        """Return the link to the table; with the word "qr" also its picture for cameras."""
        state = self._state()
        link = invitation_link(self.remote, state)
        if not link:
            raise Misread(_("No other computer can reach this table."))
        picture = qr_code(link).splitlines() if folded(words) == "qr" else []
        home = home_link(self.remote, state)
        inside = [_("In your own network: {link}", link=home)] if home not in ("", link) else []
        return [who_may_come(state), link, *picture, *inside]

    def _kick(self, words: str) -> Lines:
        seat = self._seat(words)
        self._ask(
            _("Send {name} away?", name=self._name(seat)), lambda: self.remote.send(m.Kick(self.remote.ref(), seat))
        )
        return ()

    def _rename(self, words: str) -> Lines:
        """Ask for another name; the changed seat is printed once the server has accepted it."""
        try:
            name = fitting(words)
        except ValueError as error:
            raise Misread(heard(str(error))) from None
        if not name:
            raise Misread(_("Say which name: “name Livia”."))
        if not self.remote.can(RENAME):
            raise Misread(_("This server cannot change names at a table."))
        self.people.rename(name, self._settings.keep_name)
        return ()

    def _sit(self, words: str) -> Lines:
        self.remote.change_seat(self._seat(words))
        return ()

    def _seat(self, words: str) -> int:
        if not words.isdecimal() or not 1 <= int(words) <= len(self._state().seats):
            raise Misread(_("Say the number of a seat: 1 to {most}.", most=len(self._state().seats)))
        return int(words) - 1

    def _say_in_room(self, words: str) -> Lines:
        if not words:
            raise Misread(_("Say what?"))
        self._talk(words)
        return ()

    def _talk(self, words: str) -> None:
        if len(words) > MAX_TEXT:
            raise Misread(_("A line has at most {most} letters; yours has {n}.", most=MAX_TEXT, n=len(words)))
        self.remote.send(m.Say(self.remote.ref(), words))

    def _listen(self, words: str) -> Lines:
        self._settings.listens = folded(words) != "off"
        self.remote.listen(self._settings.listens)
        return [_("You hear the spectators.") if self._settings.listens else _("You no longer hear the spectators.")]

    def _leave(self, _words: str) -> Lines:
        if is_private(self.remote.access.address):
            return self._quit("")
        self._asked = self.people.leave()
        return ()

    def _quit(self, _words: str) -> Lines:
        guests = self.remote.guests
        if guests and self._sure is None:
            self._ask(_("{names} would lose your server. Stop it?", names=", ".join(guests)), self._end)
        else:
            self._end()
        return ()

    def _end(self) -> None:
        self.ended = True

    def _ask(self, words: str, sure: Callable[[], object]) -> None:
        self._sure = sure
        self._say([_("{question} Type yes or no.", question=words)])


def _split(key: str, words: list[str]) -> tuple[str, list[str]]:
    """Return the last value that was typed as "key=value", and the other words."""
    values = [word.partition("=")[2] for word in words if word.startswith(f"{key}=")]
    return values[-1] if values else "", [word for word in words if not word.startswith(f"{key}=")]


def _by_name(*commands: TextCommand) -> dict[str, TextCommand]:
    return {command.name: command for command in commands}


def _usage_lines(commands: dict[str, TextCommand]) -> list[str]:
    return [f"{command.usage}: {command.about}." for command in commands.values()]


def _phase_words(phase: TablePhase) -> str:
    return (_("waiting"), _("playing"), _("over"))[phase]


def _table_words(table: m.TableInfo) -> str:
    game = registry.ruleset(table.ruleset).title if table.ruleset in registry.RULESETS else table.ruleset
    return f"{table.title}: {game}, {present(table).words}, {_phase_words(table.phase)}."


def _near_words(number: int, near: Near) -> str:
    table = near.table
    seats = _("{taken} of {seats} seats", taken=table.taken, seats=table.seats)
    phase = _phase_words(table.phase)
    return f"{number}. {table.title}: {short_name(table.game)}, {table.host}, {seats}, {phase}."


def _seat_words(seat: SavedSeat) -> str:
    turn = _("your turn") if seat.mine else _("waiting for {names}", names=seat.turn) if seat.turn else ""
    words = (seat.title or _("A table"), description(seat), turn, timing_text(seat, time.time()))
    return ". ".join(word.rstrip(".") for word in words if word) + "."


def _changes(
    before: m.TableState | None, now: m.TableState, name: Callable[[int], str], *, begins: bool = False
) -> list[str]:
    """Return lines on the changes of a table, or on all of it if it is new. `begins`: it starts by itself."""
    lines: list[str] = []
    if before is None:
        game = registry.ruleset(now.ruleset).title
        code = _(" Code: {code}.", code=now.code) if now.code else ""
        lines += [f"{now.title}: {game}.{code}", *summary(now.ruleset, now.options, now.version)]
        pace = pace_of(now.pace, now.think)
        lines.append(about(pace))
        if not by_post(pace):
            lines.append(away_words(now.away, now.takeover))
    if now.rated and (before is None or not before.rated):
        lines.append(rated_words(now.rated))
    for seat, info in enumerate(now.seats):
        if (
            before is None
            or len(before.seats) != len(now.seats)
            or before.seats[seat] != info
            or (now.host_number == seat + 1 != before.host_number)
        ):
            words = {
                SeatKind.FREE: _("free"),
                SeatKind.PERSON: name(seat) + rating_words(info) + reliability_words(info.reliability),
                SeatKind.AWAY: _("{name}, away", name=name(seat)),
                SeatKind.BOT: f"{name(seat)} ({bot_words(info.bot)})",
                SeatKind.STAND_IN: _("{name}, away; a bot plays", name=name(seat)),
            }[info.kind]
            you = (_(" (host)") if now.host_number == seat + 1 else "") + (_(" (you)") if now.you == seat else "")
            lines.append(_("Seat {n}: {who}{you}.", n=seat + 1, who=words, you=you))
    phase = before.phase if before is not None else None
    if now.phase != phase and now.phase == TablePhase.PLAYING:
        lines.append(_("The match is going on."))
    if now.phase == TablePhase.GATHERING and now.host and not free_seats(now) and lines and not begins:
        lines.append(_("Everybody is here ({present}): “start” begins.", present=seated(now.seats).words))
    if now.phase == TablePhase.OVER and phase == TablePhase.PLAYING:
        lines.append(_("The table is closed."))
    return lines
