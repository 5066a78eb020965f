"""Match in words: new events, owed decisions, and commands that ask or act. Knows neither terminal nor window."""

from collections.abc import Callable, Sequence
from itertools import islice
from math import isfinite
from typing import Any, Final, Protocol

from msgspec import Struct
from msgspec.structs import replace

from client.drawing.chapters import Chapter, Pages, parts
from client.drawing.chapters import find as find_places
from client.language import _, heard, ngettext, say, say_line
from client.network.advice_request import AdviceTexts
from client.network.model import VersionedEvent
from client.network.rewind_moments import Moments
from client.network.voting import Voting
from client.player.clock_presets import remaining
from client.player.presence import sits_sentence
from client.table.absence import Absence
from client.table.event_text import event_line, since, spoken
from client.table.odds_worker import Counting
from client.table.prompts import Prompt, asked, others_turn
from client.table.proposal_text import lasting
from client.table.vote_menu import VoteMenu
from client.table.words import called
from client.text_client import odds
from client.text_client.registry import voice
from shared.actions.grammar import PhraseContext
from shared.actions.name_lookup import Misread, find, folded
from shared.actions.registry import ACTIONS
from shared.actions.typed import PLAYER, SPACE
from shared.ids import NONE, Seat
from shared.kernel.frames import Action, Event
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Clock, Motion, Refused, Said, TableState
from shared.odds.outcome import Host
from shared.refusal import Refusal
from shared.sentences.registry import SENTENCES
from shared.sentences.since_turn import at_turn_start
from shared.vocabulary.actions import Concede, Resign

_PLACES_SHOWN: Final = 4
"""Maximum number of places that are shown for a question."""


def rules_lines(pages: Pages, words: str) -> Sequence[str]:
    """Return the names of all chapters, the chapter with that name, or the places with these words or that fit them.

    Raises Misread if the rules have none of the words.
    """
    if not words:
        listed = [f"{page}: {', '.join(chapter.title for chapter in chapters)}." for page, chapters in pages]
        return [*listed, _("“rules” with a title shows that chapter. Or ask: “rules how do I move”.")]
    named = [chapter for _page, chapters in pages for chapter in chapters if folded(chapter.title) == folded(words)]
    if named:
        return [line for chapter in named for line in parts(chapter)]
    places = find_places(pages, words)
    if not places:
        raise Misread(_("The rules in short say nothing about “{words}”.", words=words))
    more = len(places) - _PLACES_SHOWN
    found = [_part_words(pages[at.page][1][at.chapter], at.part) for at in places[:_PLACES_SHOWN]]
    if more <= 0:
        return found
    return [*found, ngettext("One more place has these words.", "{n} more places have these words.", more)]


def _part_words(chapter: Chapter, part: int) -> str:
    """Return a part of a chapter with the title before it; the title alone brings the first part along."""
    return f"{chapter.title}: {parts(chapter)[part or min(1, len(parts(chapter)) - 1)]}"


_KEPT: Final = 400
"""Maximum number of kept lines of the chronicle."""
_TRIED: Final = 2000
"""Maximum number of meanings of a line that are tried before the first one is refused."""
FEW: Final = 8
"""Up to this many options are listed without a request."""
WARNING: Final = 30.0
"""Seconds before the end of a decision at which the player is warned."""
PAGE: Final = 40
"""Options on one page of a list."""
_NO_VOTES: Final = _("This server has no votes of the table.")
_NOTHING: Final = _("You have nothing to decide now.")
Lines = Sequence[str]


class ClientMatch(Protocol):
    """Match as one client sees it; `client.network.model.MatchModel` is one."""

    rules: AnyRuleset
    table: TableState | None
    seat: Seat
    version: int
    chat: list[Said]
    refusal: Refused | None

    clock: Clock | None
    voting: Voting
    moments: Moments

    def propose(self, motion: Motion) -> None:
        """Ask the others at the table."""

    def vote(self, yes: bool) -> None:
        """Answer the open question."""

    @property
    def view(self) -> Any:
        """Position as this seat sees it; None until it has arrived."""

    @property
    def finished(self) -> bool:
        """Whether the match is over."""

    @property
    def pending(self) -> bool:
        """Whether a sent action is not answered yet."""

    @property
    def advised(self) -> AdviceTexts | None:
        """Requested advice for this position, None if there is none."""

    def no_advice(self) -> str:
        """Return why this seat cannot ask for advice now, in a sentence; empty if it can."""

    def ask_advice(self) -> None:
        """Ask for the move of the strongest bot."""

    @property
    def is_mine(self) -> bool:
        """Whether this seat owes a decision and has sent none."""

    def options(self) -> Sequence[Action]:
        """Return the legal actions of this seat if it owes a decision."""

    def check(self, action: Action) -> Refusal | None:
        """Return None if this seat may take the action now, else the reason."""

    def act(self, action: Action) -> Refusal | None:
        """Send an action; return the reason if it is not legal."""

    @property
    def undoable(self) -> int:
        """Number of own decisions that can be undone now, one after the other."""

    @property
    def alone(self) -> bool:
        """Whether this seat plays against bots only, at a table that allows undoing."""

    def undo(self, again: bool = False) -> bool:
        """Undo the last decision; `refusal` says why it stands. Return False if no request was sent.

        again: although dice have fallen since, where this seat is `alone`.
        """

    def seconds_left(self) -> float | None:
        """Return the seconds until the clock decides."""

    def times(self) -> tuple[float, ...]:
        """Return the seconds that each seat has left, `inf` for bots; empty without clocks."""

    @property
    def paused(self) -> bool:
        """Whether the match is paused for all."""

    def name(self, seat: Seat) -> str:
        """Return the name of the player on a seat."""


class TextCommand(Struct, frozen=True):
    """Command. `usage`: its syntax. `about`: its purpose. `run`: returns the answer, given the words after its name."""

    usage: str
    about: str
    run: Callable[[str], Lines]

    @property
    def name(self) -> str:
        """First word of the command."""
        return self.usage.partition(" ")[0]


def answer(word: str) -> bool | None:
    """Return whether a typed word says yes, in English or in the player's language; None if it is no answer."""
    if word in ("yes", "y", folded(_("yes"))):
        return True
    return False if word in ("no", "n", folded(_("no"))) else None


class TextTable:
    """Text table of one match.

    `say`: sends chat to the table; `act`: sends an action or returns why it is not legal.
    """

    def __init__(
        self, match: ClientMatch, say: Callable[[str], object], act: Callable[[Action], Refusal | None] | None = None
    ) -> None:
        self.match = match
        self._act = act or match.act
        self._voice = voice(match.rules.id)
        self._grammar = ACTIONS[match.rules.id].grammar
        self._counting = Counting(self._voice.battle_odds.odds)
        self._battle: tuple[Host, Host, bool] | None = None
        """Armies whose odds are still being computed."""
        self._say = say
        self._chronicle: list[str] = []
        self._told: list[tuple[int, Event]] = []
        """The last events, with the versions that they led to."""
        self._heard: Said | None = None
        self._deciding = VoteMenu(match)
        self._absent: tuple[Seat, tuple[str, ...]] | None = None
        """Absent player that was told last, and the questions offered."""
        self._polled = 0
        """Number of the open question whose answer was explained last."""
        self._announced: tuple[int, int] = (-1, -1)
        """Version and frame of the last announced decision."""
        self._listed: Sequence[Action] = ()
        """Options as they were listed last: their numbers stay valid until the next list."""
        self._warned = False
        """Whether the player was told that little time is left."""
        self._over = False
        self._advised: AdviceTexts | None = None
        """Advice that was shown already."""
        self._sure: Action | None = None
        """Action that waits for confirmation."""
        self.commands = self._commands()

    # New lines

    def hear(self, told: Sequence[VersionedEvent]) -> list[str]:
        """Return the chronicle's lines for these events."""
        match, tell = self.match, self._voice.tell
        self._told = [*self._told, *[(one.version, one.event) for one in told]][-_KEPT:]
        lines = [event_line(event.event, match.name, tell, match.seat) for event in told]
        return self._write([line for line in lines if line])

    def overhear(self) -> list[str]:
        """Return the chat since the last call."""
        said = since(self.match.chat, self._heard)
        self._heard = said[-1] if said else self._heard
        return self._write([spoken(line, self.match.seat) for line in said])

    def begin_turn(self) -> None:
        """Announce the owed decision again: the player comes back to a shared computer."""
        self._announced = (-1, -1)

    def note(self, lines: Sequence[str]) -> None:
        """Remember lines of the chronicle that were shown elsewhere."""
        self._write(list(lines))

    def _write(self, lines: list[str]) -> list[str]:
        self._chronicle = [*self._chronicle, *lines][-_KEPT:]
        return lines

    def announce(self) -> list[str]:
        """Return finished answers, an absent player, an open question and the awaited decision, once; at last the
        result of the match."""
        return [*self._counted(), *self._absences(), *self._question(), *self._decision(), *self._time_warning()]

    def _question(self) -> list[str]:
        """Tell once for each question of the others how it is answered."""
        voting, seat = self.match.voting, self.match.seat
        poll = voting.foremost(seat) if voting.awaits(seat) else None
        before, self._polled = self._polled, 0 if poll is None else poll.number
        return [_("Answer with “yes” or “no”.")] if self._polled not in (0, before) else []

    def _time_warning(self) -> list[str]:
        """Tell once in each decision that little time is left."""
        left = self.match.seconds_left() if self.match.is_mine and not self.match.paused else None
        before, self._warned = self._warned, left is not None and left <= WARNING
        if left is None or before or not self._warned:
            return []
        return [ngettext("{n} second left.", "{n} seconds left.", round(left))]

    def _decision(self) -> list[str]:
        match = self.match
        if match.view is None:
            return []
        if match.finished and not self._over:
            self._over = True
            if not match.rules.finished(match.view):
                return [_("The match was ended by agreement."), *self._standings("")]
            return [f"{_ended(self._prompt().what)} {self._prompt().how}", *self._standings("")]
        if not match.is_mine:
            return []
        if match.advised is not None:
            return self._new_advice()
        now = (match.version, match.view.frames[-1].no)
        before, self._announced = self._announced, now
        if now == before:
            return []
        if now[1] == before[1]:
            return [_("Still you: {what}", what=self._prompt().what), *self._choices()]
        return self._asked()

    def _asked(self) -> list[str]:
        prompt = self._prompt()
        words = f"{_ended(prompt.what)} {prompt.how}".strip()
        return [*self._since_turn(), _("You: {decision}", decision=words), *self._choices()]

    def _since_turn(self) -> list[str]:
        match = self.match
        told = at_turn_start(SENTENCES[match.rules.id], self._told, match.seat, match.version)
        return [_("Since your turn:"), *[say_line(one.words, match.name) for one in told]] if told else []

    def _choices(self) -> list[str]:
        options = self._listed = self.match.options()
        if len(options) <= FEW:
            return self._numbered(range(len(options)), options)
        return [ngettext("{n} option: “options” lists it, its number chooses it.",
                         "{n} options: “options” lists them, a number chooses one.", len(options))]  # fmt: skip

    # Commands and actions

    def read(self, line: str) -> list[str]:
        """Carry out a typed line; return the answer."""
        sure, self._sure = self._sure, None
        try:
            return list(self._answer(line.strip(), sure))
        except Misread as misread:
            return [say(misread.message)]

    def _answer(self, line: str, sure: Action | None) -> Lines:
        first, _gap, rest = line.partition(" ")
        word = folded(first)
        said = None if rest else answer(word)
        if said is not None and sure is not None:
            return self._send(sure) if said else [_("Cancelled.")]
        if said is not None and self.match.voting.asks(self.match.seat):
            return self._vote(word)
        if word.isdecimal() and not rest:
            return self._choose(int(word))
        if word in self.commands:
            return self.commands[word].run(rest.strip())
        if self.match.view is not None and (found := self._read_action(line)) is not None:
            return self._do(found)
        return find(word, self.commands.items(), _("command")).run(rest.strip())

    def _read_action(self, line: str) -> Action | None:
        """Return the first legal one of a line's possible actions, else the first one."""
        match, grammar = self.match, self._grammar
        now = grammar.of(match.options())
        found = grammar.read(line, self.scene, now)
        if found is None:
            return None
        ways = list(islice(found, 1))
        for way in (*ways, *islice(found, _TRIED)):
            if match.check(way) is None:
                return way
        return ways[0]

    def _choose(self, number: int) -> Lines:
        options = self._listed or self.match.options()
        if not 1 <= number <= len(options):
            raise Misread(_("There is no option {n}.", n=number) if options else _NOTHING)
        return self._do(options[number - 1])

    def _do(self, action: Action) -> Lines:
        """Send the action, or ask for confirmation if it cannot be undone."""
        if self.match.pending:
            raise Misread(_("Your last decision is not answered yet."))
        refusal = self.match.check(action)
        if refusal is not None:
            return [_refused(refusal)]
        if isinstance(action, Resign) or (isinstance(action, Concede) and action.to != NONE):
            self._sure = action
            return [_("Really {command}? “yes” does it.", command=self._grammar.say(action, self.scene))]
        return self._send(action)

    def _send(self, action: Action) -> Lines:
        words = self._grammar.say(action, self.scene)
        refusal = self._act(action)
        return [_refused(refusal)] if refusal is not None else [f"> {words}"]

    @property
    def scene(self) -> PhraseContext:
        """Context of all commands."""
        return PhraseContext(self.match.view, self.match.seat, self.match.name)

    def _prompt(self) -> Prompt:
        view = self.match.view
        return asked(self._voice.prompt(view), self.match.name, self.match.seat)

    def _commands(self) -> dict[str, TextCommand]:
        about_odds = _("who wins the current battle, or one between armies that you name")
        options = _("what is legal: all of it, or with these words, or from that number on; a number alone chooses")
        made = (
            TextCommand("help [COMMAND]", _("what can be typed"), self._help),
            TextCommand("owed", _("what must be decided now, and by whom"), self._owed),
            TextCommand("options [WORDS | NUMBER]", options, self._options),
            TextCommand("look [PLACE]", _("the position, or a province or sea zone"), self._look),
            TextCommand("pieces [PLAYER]", _("your pieces, or another player's, and where they stand"), self._pieces),
            TextCommand("standings", _("the ranking as it is now"), self._standings),
            TextCommand("chronicle [NUMBER]", _("the last lines of what happened"), self._tell),
            TextCommand(odds.USAGE, about_odds, self._odds),
            TextCommand("rules [WORDS]", _("the rules in short: search words or a question in them"), self._rules),
            TextCommand("clock", _("how long there is left to decide"), self._clock),
            TextCommand("advice", _("what the strongest bot would do; “do” does it"), self._advice),
            TextCommand("do", _("do what was advised"), self._follow),
            TextCommand("undo", _("take back your last decision, if nothing else has happened since"), self._undo),
            TextCommand("back", _("alone against bots: back to your last decision; dice are rolled again"), self._back),
            TextCommand("ask [WORDS | NUMBER]", _("what the others can be asked: a pause, to go back …"), self._ask),
            TextCommand(
                "away [wait | turn | bot | pause]", _("who is away, and what the others can be asked"), self._away
            ),
            TextCommand("vote yes|no", _("answer what the others ask"), self._vote),
            TextCommand("say WORDS", _("talk to all at the table"), self._talk),
        )
        return {command.name: command for command in (*made, *map(self._sheet, self._voice.sheets))}

    def _sheet(self, name: str) -> TextCommand:
        sheet = self._voice.sheets[name]
        return TextCommand(name, sheet.about, lambda words: sheet.lines(self._read_scene(), words))

    def _rules(self, words: str) -> Lines:
        return rules_lines(self._voice.rules, words)

    def _known_scene(self) -> PhraseContext:
        if self.match.view is None:
            raise Misread(_("The match has not begun."))
        return self.scene

    # Answers

    def _help(self, words: str) -> Lines:
        now = self._grammar.of(self.match.options()) if self.match.view is not None else []
        if words:
            return self._help_on(words)
        standing = [phrase for phrase in self._grammar.phrases if phrase.action in self.match.rules.standing.kinds]
        return [
            *(_("Now: {command}", command=phrase.usage) for phrase in now),
            *(_("At any time: {command}", command=phrase.usage) for phrase in standing),
            *(f"{command.usage}: {command.about}." for command in self.commands.values()),
            _("Names may be shortened as far as they stay unique. “help all” lists every command of the game."),
        ]

    def _help_on(self, words: str) -> Lines:
        phrases = [(phrase.verb, f"{phrase.usage}: {say(phrase.means)}") for phrase in self._grammar.phrases]
        if folded(words) == "all":
            return [usage for _verb, usage in phrases]
        known = [(name, f"{command.usage}: {command.about}.") for name, command in self.commands.items()]
        return [find(words, [*phrases, *known], _("command"))]

    def _owed(self, _words: str) -> Lines:
        self._known_scene()
        if self.match.is_mine:
            return self._asked()
        prompt, playing = self._prompt(), self.match.seat in self._voice.living(self.match.view)
        others = others_turn(prompt, self.match.seat, playing, self.match.name)
        return [f"{_ended(prompt.what)} {others or prompt.how}".strip()]

    def _options(self, words: str) -> Lines:
        options = self._listed = self.match.options()
        if not options:
            raise Misread(_NOTHING)
        numbers = range(len(options))
        if words.isdecimal():
            return self._numbered(numbers[max(0, int(words) - 1) :], options)
        wanted = folded(words).split()
        said = [folded(self._grammar.say(option, self.scene)) for option in options] if wanted else []
        found = [n for n in numbers if not wanted or all(word in said[n] for word in wanted)]
        return self._numbered(found, options) or [_("No option says “{words}”.", words=words)]

    def _numbered(self, numbers: Sequence[int], options: Sequence[Action]) -> list[str]:
        lines = [f"{n + 1}. {self._grammar.say(options[n], self.scene)}" for n in numbers[:PAGE]]
        if len(numbers) > PAGE:
            left, following = len(numbers) - PAGE, numbers[PAGE] + 1
            lines.append(_("{n} more: “options {next}”, or “options” with a word of them.", n=left, next=following))
        return lines

    def _look(self, words: str) -> Lines:
        scene = self._known_scene()
        if words:
            return self._place(SPACE.read(words, scene, {})[0][0])
        order = sorted(range(scene.table.seats), key=lambda seat: seat != self.match.seat)
        people = [f"{self._voice.person(scene.table, seat, self._called)}{self._seat_note(seat)}" for seat in order]
        return [f"{self._voice.heading(scene.table)}.", *people, *self._owed("")]

    def _seat_note(self, seat: Seat) -> str:
        """Return a note if a bot plays on that seat, with its level, or the player is away."""
        table = self.match.table
        return sits_sentence(table.seats[seat]) if table is not None and seat < len(table.seats) else ""

    def _place(self, space: int) -> Lines:
        view = self.match.view
        return [*self._voice.describe(view, space, self._called).splitlines(), *self._voice.borders(view, space)]

    def _pieces(self, words: str) -> Lines:
        scene = self._known_scene()
        if not words and scene.seat < 0:
            raise Misread(_("You are watching: say whose pieces."))
        seat = PLAYER.read(words, scene, {})[0][0] if words else scene.seat
        return self._voice.pieces(self._read_scene(), seat)

    def _standings(self, _words: str) -> Lines:
        places = self.match.rules.standings(self._known_scene().table)
        return [f"{place.rank}. {self._called(place.seat)}: {heard(place.score)}" for place in places]

    def _read_scene(self) -> PhraseContext:
        """Return the context of pages: their reader is "You"."""
        return replace(self._known_scene(), who=self._called)

    def _called(self, seat: Seat) -> str:
        return called(seat, self.match.seat, self.match.name)

    def _tell(self, words: str) -> Lines:
        number = int(words) if words.isdecimal() else 10
        return self._chronicle[-number:] if number and self._chronicle else [_("Nothing has happened yet.")]

    def _advice(self, _words: str) -> Lines:
        why_not = self.match.no_advice()
        if why_not:
            return [heard(why_not)]
        self.match.ask_advice()
        return []

    def _new_advice(self) -> list[str]:
        """Return advice that has arrived."""
        advised = self.match.advised
        if advised is None or advised is self._advised:
            return []
        self._advised = advised
        return [*advised.lines(self.match.name), _("“do” does it.")]

    def _follow(self, _words: str) -> Lines:
        if self.match.advised is None:
            raise Misread(_("There is no advice yet; “advice” asks for it."))
        return self._do(self.match.advised.action)

    def _undo(self, _words: str) -> Lines:
        if not self.match.undo():
            raise Misread(_("There is nothing that you can take back."))
        return []

    def _back(self, _words: str) -> Lines:
        if not self.match.alone:
            raise Misread(_("Going back by yourself needs a table of bots that allows it; “ask” the others."))
        self.match.undo(again=True)
        return []

    def _ask(self, words: str) -> Lines:
        if not self._deciding.possible:
            raise Misread(_("The others cannot be asked now.") if self.match.voting.known else _NO_VOTES)
        offers = self._deciding.offers()
        wanted = folded(words).split()
        found = [offer for offer in offers if all(word in folded(offer[0]) for word in wanted)]
        if words.isdecimal():
            found = offers[int(words) - 1 : int(words)] if int(words) else []
        if len(found) != 1:
            return [f"{n}. {offer[0]}" for n, offer in enumerate(offers, 1)]
        self.match.propose(found[0][1])
        return []

    def _away(self, words: str) -> Lines:
        absence, word = self._deciding.absence(), folded(words)
        if absence is None:
            raise Misread(_("No player is away whom the match waits for."))
        if word == "wait":
            self._deciding.wait()
            return [_("You wait.")]
        if word in absence.offers:
            self.match.propose(absence.offers[word][1])
            return []
        return self._absence_lines(absence)

    def _absence_lines(self, absence: Absence) -> list[str]:
        """Return the words about an absent player, and what can be typed."""
        time = [_("{time} left.", time=lasting(absence.left))] if absence.left else []
        choices = [
            _("“away {word}”: {question}.", word=name, question=offer[0]) for name, offer in absence.offers.items()
        ]
        wait = [_("“away wait”: wait.")] if choices else []
        return [" ".join([f"{absence.heading}.", *absence.lines, *time]), *wait, *choices]

    def _absences(self) -> list[str]:
        """Return lines about an absent player when that is new."""
        absence = self._deciding.absence()
        key = None if absence is None else (absence.seat, tuple(absence.offers))
        before, self._absent = self._absent, key
        if absence is None or key == before:
            return []
        return self._absence_lines(absence)

    def _vote(self, words: str) -> Lines:
        yes = answer(folded(words))
        if not self.match.voting.asks(self.match.seat):
            raise Misread(_("There is no question to answer."))
        if yes is None:
            raise Misread(_("Say “vote yes” or “vote no”."))
        self.match.vote(yes)
        return []

    def _odds(self, words: str) -> Lines:
        scene, battle_odds = self._known_scene(), self._voice.battle_odds
        if not words:
            return odds.standing(battle_odds, scene.table)
        self._battle = odds.named(battle_odds, scene.table, words)
        return self._counted() or [_("So large a battle takes some seconds to count; the answer follows.")]

    def _counted(self) -> list[str]:
        """Return the odds of the armies named last, once they are computed."""
        if self._battle is None:
            return []
        attacker, defender, naval = self._battle
        counted = self._counting.ask(attacker, defender, naval)
        if counted is None:
            return []
        self._battle = None
        return odds.answer(self._voice.battle_odds, counted, (attacker, defender))

    def _clock(self, _words: str) -> Lines:
        left, times = self.match.seconds_left(), self.match.times()
        if left is None and not times:
            return [_("There is no clock.")]
        lines = [_("The match is paused.")] if self.match.paused else []
        if left is not None:
            lines.append(_("{time} are left for this decision.", time=remaining(left)))
        each = [
            _("{who}: {time}", who=self._called(i), time=remaining(time))
            for i, time in enumerate(times)
            if isfinite(time)
        ]
        return lines + each

    def _talk(self, words: str) -> Lines:
        if not words:
            raise Misread(_("Say what?"))
        self._say(words)
        return []


def _refused(refusal: Refusal) -> str:
    words = say(refusal.sentence)
    return f"{words} ({refusal.rule})" if refusal.rule else words


def _ended(words: str) -> str:
    """Return the text with a punctuation mark at its end."""
    return words if words[-1:] in ".?!…" else f"{words}."
