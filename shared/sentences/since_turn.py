"""Happenings to a player since their last turn: losses place by place, the greatest first, then what they gained,
then a deed of each other player."""

from collections import Counter
from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from shared.board import BOARD
from shared.ids import MAX_SEATS, NONE, Seat, Space
from shared.kernel.frames import Event
from shared.language.sentence import Person, Sentence, Value, _, and_list, listing, pattern
from shared.mechanics.armies import army_words, total
from shared.rulesets.cote2 import events as e2
from shared.rulesets.mb1984.events import Looted
from shared.sentences.common import galleys_words, leaders_words, talents_words
from shared.sentences.cote2 import called, tokens_words
from shared.sentences.registry import GameSentences
from shared.sentences.yours import to_reader
from shared.vocabulary import events as e

_UNITS: Final = (10, 20, 30, 20)
"""Worth of infantry, cavalry, catapult and galley (talents)."""
_GENERAL, _CAESAR, _PROVINCE, _CITY, _INFLUENCE, _SENATOR = 60, 500, 40, 60, 25, 25
"""Worth of other things (talents): they order what is told, and no rule counts them."""
_NOTABLE: Final = (e.Captured, e.Conquered, Looted, e2.CityTaken, e2.VoteWon, e2.CityBuilt)
"""Deeds that are told rather than others."""


class Happening(Struct, frozen=True):
    """Sentence about what happened. `seat`: the other player who did it, NONE if none did. `version`: the one that it
    began with. `loss`: its cost for the reader (talents)."""

    seat: Seat
    version: int
    words: Sentence
    loss: int = 0


def actor(event: Event) -> Seat:
    """Return the seat that caused an event; NONE if there is none."""
    found: Seat = next((getattr(event, name) for name in ("attacker", "seat", "winner") if hasattr(event, name)), NONE)
    return found


def since_turn(game: GameSentences, events: Sequence[tuple[int, Event]], seat: Seat) -> list[Happening]:
    """Return what happened between the last two turns of a seat, the greatest loss first.

    told: events in their order, each with the version that it led to; the last `TurnStart` among them begins the turn
    of `seat`. Events before the turn of the next player are left out.
    """
    account = _Account(game, seat)
    news = list(_between(events, seat))
    for version, event in news:
        account.hear(version, event)
    return [*account.happenings(), *_deeds(game, news, seat, account.actors)]


def at_turn_start(
    game: GameSentences, events: Sequence[tuple[int, Event]], seat: Seat, version: int
) -> list[Happening]:
    """Return what happened since the last turn of a seat, if its turn began with that version; else nothing."""
    last = next(((at, event) for at, event in reversed(events) if isinstance(event, e.TurnStart)), None)
    began = last is not None and (last[0], actor(last[1])) == (version, seat)
    return since_turn(game, events, seat) if began else []


def _between(events: Sequence[tuple[int, Event]], seat: Seat) -> Iterator[tuple[int, Event]]:
    turns = [i for i, (_version, event) in enumerate(events) if isinstance(event, e.TurnStart | e2.Taxed)]
    own = [k for k, i in enumerate(turns) if actor(events[i][1]) == seat]
    yield from events[turns[own[-2] + 1] if len(own) > 1 else 0 : turns[own[-1]] if own else len(events)]


def _deeds(
    game: GameSentences, news: Sequence[tuple[int, Event]], seat: Seat, mentioned: set[Seat]
) -> Iterator[Happening]:
    """Yield the last notable deed of each other player who is not in `mentioned`, else their last one."""
    for other in sorted({actor(event) for _version, event in news} - {seat, *mentioned}):
        lines = [
            (version, isinstance(event, _NOTABLE), words)
            for version, event in news
            if other >= 0
            and actor(event) == other
            and not isinstance(event, e.TurnStart)
            and (words := game.tell(event))
        ]
        if lines:
            version, _notable, words = next((line for line in reversed(lines) if line[1]), lines[-1])
            yield Happening(other, version, to_reader(words, seat))


def _once(clauses: Sequence[Value]) -> list[Value]:
    return [clause for i, clause in enumerate(clauses) if clause not in clauses[:i]]


class _Place:
    """Happenings to the reader in one place, or in none: the battle, the losses, other clauses."""

    def __init__(self, version: int) -> None:
        self.version = version
        self.battle: list[Value] = []
        self.fallen: dict[Seat, list[int]] = {}
        """By seat of either side, infantry, cavalry, catapults and galleys that were lost."""
        self.clauses: list[Value] = []
        self.bought: Counter[Seat] = Counter()
        """By buyer, influence of the reader."""
        self.actors: list[Seat] = []
        self.loss = 0

    def add(self, clause: Value, actor: Seat, loss: int = 0) -> None:
        """Append a clause about the deed of a player."""
        self.clauses.append(clause)
        self.actors.append(actor)
        self.loss += loss


class _Account:
    """Events as they concern one reader."""

    def __init__(self, game: GameSentences, seat: Seat) -> None:
        self._game = game
        self._seat = seat
        self._places: dict[Space, _Place] = {}
        self._at, self._foe = NONE, NONE
        """The space of the last battle of the reader, and their enemy there; NONE after battles of others."""
        self._where: tuple[int, Space] = NONE, NONE
        """Version and space of the last battle or conquest."""

    @property
    def actors(self) -> set[Seat]:
        """Players in the happenings."""
        return {actor for place in self._places.values() for actor in place.actors}

    def happenings(self) -> Iterator[Happening]:
        """Yield the happenings, place by place, the greatest loss first."""
        for space, place in sorted(self._places.items(), key=lambda item: -item[1].loss):
            bought = [
                _("{who} buys {tokens} from you", who=Person(who), tokens=tokens_words(n))
                for who, n in place.bought.items()
            ]
            clauses = [*_once(place.battle), *self._losses(place), *_once(place.clauses), *bought]
            if not clauses:
                continue
            text = listing(clauses, "; ")
            words = pattern("{place}: {said}.", place=BOARD.names[space], said=text)
            words = words if space != NONE else pattern("{said}.", said=text)
            yield Happening(place.actors[-1] if place.actors else NONE, place.version, words, place.loss)

    def _losses(self, place: _Place) -> Iterator[Value]:
        for seat, lost in sorted(place.fallen.items(), key=lambda item: item[0] != self._seat):
            what = and_list([army_words(lost)] * bool(total(lost[:3])) + [galleys_words(lost[3])] * bool(lost[3]))
            if what and seat == self._seat:
                yield _("you lose {what}", what=what)
            elif what:
                yield _("{who} loses {what}", who=called(seat), what=what)

    def _place(self, space: Space, version: int) -> _Place:
        return self._places.setdefault(space, _Place(version))

    def hear(self, version: int, event: Event) -> None:
        """Note an event."""
        seat = self._seat
        if isinstance(event, e.BattleEnded | e.Conquered):
            self._where = version, event.space
        match event:
            case e.BattleBegan(space, attacker, defender):
                self._at = space if seat in (attacker, defender) else NONE
                self._foe = attacker if seat == defender else defender
                if self._at != NONE and 0 <= self._foe < MAX_SEATS:
                    self._place(space, version).actors.append(self._foe)
            case e.Fell(owner, space, army):
                self._fell(owner, space, (*army, 0), version)
            case e.Sank(owner, space, galleys):
                self._fell(owner, space, (0, 0, 0, len(galleys)), version)
            case e2.Sank(owner, space, galleys, extra):
                self._fell(owner, space, (0, 0, 0, len(galleys) + extra), version)
            case e.BattleEnded(space, winner) | e2.BattleEnded(space, winner) if space == self._at:
                self._place(space, version).battle.append(self._outcome(winner))
            case e.Retreated(owner, space, to) if owner in (seat, self._foe) and space == self._at:
                whither = BOARD.names[to]
                fled = _("you fall back to {to}", to=whither) if owner == seat else _(
                    "{who} falls back to {to}", who=called(owner), to=whither)  # fmt: skip
                self._place(space, version).clauses.append(fled)
            case _:
                self._hear_losses(version, event)

    def _outcome(self, winner: Seat) -> Sentence:
        who = called(self._foe)
        if winner == self._seat:
            return _("you beat {who}", who=who)
        return _("the battle with {who} has no winner", who=who) if winner == NONE else _("{who} beats you", who=who)

    def _fell(self, owner: Seat, space: Space, lost: Sequence[int], version: int) -> None:
        if owner != self._seat and not (space == self._at and owner == self._foe):
            return
        place = self._place(space, version)
        before = place.fallen.get(owner, [0] * len(lost))
        place.fallen[owner] = [a + b for a, b in zip(before, lost, strict=True)]
        if owner == self._seat:
            place.loss += sum(worth * n for worth, n in zip(_UNITS, lost, strict=True))

    def _hear_losses(self, version: int, event: Event) -> None:
        me, each = self._seat, self._game.leaders
        match event:
            case e.Captured(who, leaders) | e.Killed(who, leaders):
                own = [leader for leader in leaders if leader // each == me]
                # These events name no place: it is that of the battle or conquest in the same version.
                place = self._where[1] if self._where[0] == version else NONE
                named: dict[str, Value] = {"who": Person(who), "leaders": leaders_words(own, each)}
                captured = isinstance(event, e.Captured)
                loss = sum(_GENERAL if leader % each else _CAESAR for leader in own)
                if own and who != me:
                    text = _("{who} captures {leaders} of yours", **named) if captured else _(
                        "{who} shows no mercy to {leaders} of yours", **named)  # fmt: skip
                    self._place(place, version).add(text, who, loss if captured else loss // 2)
                elif who == me and captured:
                    text = _("you capture {leaders}", leaders=leaders_words(leaders, each))
                    self._place(place, version).clauses.append(text)
            case e.Conquered(who, space, loser) if me in (who, loser):
                taken = _("{who} takes the province from you", who=Person(who))
                text = taken if loser == me else _("the province is yours")
                self._place(space, version).add(text, who if loser == me else NONE, _PROVINCE * (loser == me))
            case e2.CityTaken(who, space, loser) if loser == me:
                self._place(space, version).add(_("{who} takes your city", who=Person(who)), who, _CITY)
            case e2.InfluenceBought(who, space, sellers) if me in sellers:
                at = self._place(space, version)
                at.bought[who] += sellers.count(me)
                at.actors.append(who)
                at.loss += _INFLUENCE * sellers.count(me)
            case e2.RevoltBegan(who, space, victims) if me in victims:
                text = _("{who} stirs up a slave revolt", who=Person(who))
                self._place(space, version).add(text, who)
            case _:
                self._hear_of_nowhere(version, event)

    def _hear_of_nowhere(self, version: int, event: Event) -> None:
        """Note the loss of treasure, a senator or a leader far from a battle."""
        match event:
            case Looted(who, loser, talents):
                loss, words = talents, _("{who} takes your treasury: {talents}", talents=talents_words(talents))
            case e2.GeneralKilled(who, leader):
                loser = leader // self._game.leaders
                loss, words = _GENERAL, _("{who} has a general of yours killed")
            case e2.SenatorTaken(who, loser):
                loss, words = _SENATOR, _("{who} wins over a senator of yours")
            case e2.SenatorKilled(who, loser):
                loss, words = _SENATOR, _("{who} has a senator of yours killed")
            case _:
                return
        if loser == self._seat != who:
            self._place(NONE, version).add(replace(words, values={**words.values, "who": Person(who)}), who, loss)
