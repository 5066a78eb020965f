"""Actions: what a seat decides, the legal ones of a position, and both in words."""

from collections.abc import Iterator, Sequence
from functools import cache
from itertools import islice
from random import Random
from typing import Any, Final, get_args

import msgspec

from conquest.arguments import checked
from conquest.errors import IllegalAction, Misread
from conquest.position import Position
from protocol.listing import Listing
from shared.actions import name_lookup
from shared.actions.description import Filter
from shared.actions.grammar import PhraseContext
from shared.actions.registry import ACTIONS, label_of
from shared.actions.typed import SPACE
from shared.ids import NATURE, NONE, Seat
from shared.kernel import chance, engine, frames
from shared.kernel.ruleset import AnyRuleset
from shared.refusal import Refusal

_TRIED: Final = 500
"""Meanings of a line that are tried: a march without named leaders may mean each of them."""


def name_of(game: Any) -> str:
    """Return the name of a game, which may also be given as a match, view or record. Raises ValueError."""
    name = game if isinstance(game, str) else getattr(game, "game", getattr(game, "name", game))
    if not isinstance(name, str) or name not in ACTIONS:
        raise ValueError(f"There is no game {name!r}; there is {', '.join(ACTIONS)}.")
    return name


def kinds(game: Any) -> dict[str, tuple[str, ...]]:
    """Return the kinds of actions of a game, each with its `fields`, for `Legal.filter` and players.

    game: its name, or a match or view of it.

    Places are a `Space.number`, players a seat, leaders and galleys their `piece`. All of these begin with 0, in words
    with 1. Raises ValueError for an unknown game.

    >>> kinds("classic")["Fight"]
    ('space', 'enemy')
    """
    found = sorted(ACTIONS[name_of(game)].kinds, key=lambda action: action.__name__)
    return {action.__name__: action.__struct_fields__ for action in found}


def meanings(game: Any) -> dict[str, str]:
    """Return what each of `kinds` says and what its fields mean, in prose. `NONE` is -1, and groups are tuples.

    >>> meanings("classic")["Sail"]
    'This galley moves one step to position `to`. Leaving a coast it takes these aboard; reaching one, all land.'
    """
    found = {name: _kinds_by_name(name_of(game))[name.casefold()] for name in kinds(game)}
    return {name: " ".join((action.__doc__ or "").split()) for name, action in found.items()}


@cache
def _kinds_by_name(game: str) -> dict[str, type[frames.Action]]:
    return {kind.__name__.casefold(): kind for kind in ACTIONS[game].kinds}


def refused(rules: AnyRuleset, table: Any, seat: Seat, raw: frames.Action) -> Refusal | None:
    """Return why an action, maybe one of another game, is illegal; None if it is legal."""
    if type(raw) not in get_args(rules.action_decoder.type):
        return Refusal("", "", f"{type(raw).__name__} is an action of another game, not of {rules.title}.")
    return engine.check(rules, table, seat, raw)


class Action:
    """Action of a seat in one position. `raw`: the struct of the rules. Actions are equal if these are.

    >>> import conquest
    >>> action = conquest.new("classic", seats=2, seed=1).parse("march 2 infantry from egyptus to cyrenaica")
    >>> action.kind, action.fields["infantry"], str(action)
    ('March', 2, 'march 2 infantry from Egyptus to Cyrenaica with general 1')
    """

    __slots__ = ("_judged", "_legal", "raw", "seat")

    def __init__(self, legal: "Legal", raw: frames.Action, judged: bool = False) -> None:
        self._legal = legal
        self._judged = judged
        self.raw = raw
        self.seat = legal.seat
        """The seat whose action it is."""

    def judged(self, at: Position) -> bool:
        """Whether the rules found it legal in that very position, so that it need not be judged again."""
        return self._judged and self._legal._at.now is at.now

    @property
    def kind(self) -> str:
        """Name of the kind of action, such as ``"March"``."""
        return type(self.raw).__name__

    @property
    def fields(self) -> dict[str, Any]:
        """Fields of the action as numbers, in their order."""
        return {name: getattr(self.raw, name) for name in self.raw.__struct_fields__}

    @property
    def packed(self) -> bytes:
        """The action as it travels and is recorded: MessagePack."""
        return msgspec.msgpack.encode(self.raw)

    def __str__(self) -> str:
        """Return the action as the text client writes it."""
        legal = self._legal
        if legal.seat == NATURE:
            return _chance_words(self.raw)
        return ACTIONS[legal._rules.id].grammar.say(self.raw, scene(legal._table, legal.seat))

    def __repr__(self) -> str:
        return f"<{self}>"

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Action) and self.raw == other.raw

    def __hash__(self) -> int:
        return hash(self.raw)


class Command(str):
    """Typed action whose meaning depends on the position in which it is played."""

    __slots__ = ()


def scene(table: Any, seat: Seat) -> PhraseContext:
    """Return the context in which words have a meaning. Players are called ``"player 1"`` and so on."""
    return PhraseContext(table, seat, lambda other: f"player {other + 1}")


def _chance_words(raw: frames.Action) -> str:
    match raw:
        case frames.Rolled(faces):
            return f"roll {' '.join([str(face + 1) for face in faces])}"
        case frames.Drawn(order):
            return f"draw {' '.join(map(str, order))}"
        case frames.Dealt(numbers):
            return f"deal {' '.join(map(str, numbers))}"
    raise TypeError(f"{raw!r} is not an answer of chance")


class Legal:
    """Legal actions of one seat in one position. Nothing is listed until it is asked for.

    `choices` are the actions that the rules name: all of them, or where there are too many a fair choice with each
    kind. Iteration yields all, `choices` first. `in` asks the rules, without a list.

    >>> import conquest
    >>> legal = conquest.new("classic", seats=2, seed=1).legal()
    >>> len(legal.choices), legal.complete, "end movement" in legal, "end turn" in legal
    (19, False, True, False)
    """

    __slots__ = ("_at", "_filter", "_found", "_rules", "seat")

    def __init__(self, rules: AnyRuleset, at: Position, seat: Seat, query: Filter | None = None) -> None:
        self._rules = rules
        self._at = at
        self._filter = query
        self._found: Sequence[frames.Action] | None = None
        self.seat = seat
        """The seat that decides."""

    @property
    def _table(self) -> Any:
        return self._at.table

    def _options(self) -> Sequence[frames.Action]:
        if self._found is None:
            found = engine.options(self._rules, self._at.present, self.seat)
            self._found = found if self._filter is None else [raw for raw in found if self._fits(raw)]
        return self._found

    def _fits(self, raw: frames.Action) -> bool:
        if self._filter is None:
            return True
        if not self._filter.asks(frames.tag_of(raw)):
            return False
        return self._filter.meets() or self._filter.takes(label_of(self._rules.id, self._table, self.seat, raw))

    def _action(self, raw: frames.Action) -> Action:
        """Return an action that the rules have found legal in this position."""
        return Action(self, raw, True)

    @property
    def choices(self) -> list[Action]:
        """Actions that the rules name: all, or a fair choice with each kind."""
        return [self._action(raw) for raw in self._options()]

    @property
    def complete(self) -> bool:
        """Whether `choices` are all legal actions, apart from other ways to say the same."""
        return self.seat == NATURE or not self._rules.extreme_actions(self._at.present, self.seat)

    def pick(self, chance: Random) -> Action:
        """Return one of `choices`, all equally likely."""
        found = self._found or self._options()
        if not found:
            raise ValueError("No action is legal within this filter.")
        try:
            return Action(self, found[int(chance.random() * len(found))], True)
        except AttributeError:
            raise TypeError(f"chance must be a random.Random, not {chance!r}.") from None

    @checked
    def filter(self, kind: str = "", source: str = "", to: str = "", piece: int = NONE) -> "Legal":
        """Return the legal actions of one kind (``"March"``), from and to places by name, or of one piece."""
        query = Filter(self._tag(kind), self._space(source), self._space(to), piece)
        return Legal(self._rules, self._at, self.seat, query)

    @checked
    def make(self, kind: str, **fields: Any) -> Action:
        """Return an action of a kind (``"March"``) with these `fields`, legal or not: ask with `in`.

        Fields are those of `kinds`; those with a default may be left out. Raises ValueError if they do not fit.

        >>> import conquest
        >>> legal = conquest.new("classic", seats=2, seed=1).legal()
        >>> legal.make("PlaceCity", space=3) in legal
        False
        """
        try:
            raw = self._kind(kind)(**fields)
            return Action(self, self._rules.action_decoder.decode(msgspec.msgpack.encode(raw)))
        except (TypeError, msgspec.MsgspecError) as error:
            raise ValueError(f"These are no fields of {kind}: {error}") from None

    def _kind(self, name: str) -> type[frames.Action]:
        kinds = _kinds_by_name(self._rules.id)
        if name.casefold() not in kinds:
            names = ", ".join(sorted({action.__name__ for action in kinds.values()}))
            raise ValueError(f"{self._rules.title} has no action {name!r}; it has {names}.")
        return kinds[name.casefold()]

    def _tag(self, kind: str) -> int:
        return frames.tag_of(self._kind(kind)) if kind else NONE

    def _space(self, name: str) -> int:
        return space(name) if name else NONE

    def __iter__(self) -> Iterator[Action]:
        """Yield all legal actions, `choices` first."""
        if self.seat == NATURE:
            return map(self._action, self._options())
        return map(self._action, Listing(self._rules, self._table, self.seat).every(self._filter or Filter()))

    def __contains__(self, action: object) -> bool:
        """Whether an action, or a command in words, is legal here."""
        if isinstance(action, str):
            try:
                action = self.read(action)
            except Misread:
                return False
        raw = action.raw if isinstance(action, Action) else action
        if not isinstance(raw, frames.Action) or not self._fits(raw):
            return False
        return refused(self._rules, self._at.present, self.seat, raw) is None

    @checked
    def read(self, words: str) -> Action:
        """Return the action that words mean here: the first legal meaning, else the likeliest. Raises Misread."""
        if self.seat == NATURE:
            return Action(self, _read_chance(words, engine.top(self._table)))
        grammar = ACTIONS[self._rules.id].grammar
        try:
            found = grammar.read(words, scene(self._table, self.seat), grammar.of(self._options()))
            if found is None:
                raise Misread(f"{words!r} begins with no action of {self._rules.title}.")
            ways = list(islice(found, 1))
            if not ways:
                raise Misread(f"{words!r} means nothing here.")
            for way in (*ways, *islice(found, _TRIED)):
                if engine.check(self._rules, self._table, self.seat, way) is None:
                    return self._action(way)
        except name_lookup.Misread as misread:
            raise Misread(misread) from None
        return Action(self, ways[0])

    @checked
    def check(self, action: Action) -> None:
        """Raise IllegalAction with the reason if an action is not legal here."""
        refusal = refused(self._rules, self._at.present, self.seat, action.raw)
        if refusal is not None:
            raise IllegalAction(refusal)

    def __bool__(self) -> bool:
        return bool(self._options())

    def __repr__(self) -> str:
        return f"<Legal: {', '.join(map(str, islice(self, 4)))}, ...>"


def _read_chance(words: str, frame: frames.Frame) -> frames.Action:
    """Return an answer of chance in words: ``"roll 1 5 3"``. Raises Misread."""
    verb, *numbers = words.split()
    if not all(number.isdecimal() for number in numbers):
        raise Misread(f"{words!r}: numbers are expected, such as roll 1 5 3.")
    values = tuple(map(int, numbers))
    match frame, verb.casefold():
        case frames.Dice(), "roll":
            return frames.Rolled(tuple([value - 1 for value in values]))
        case frames.Draw(), "draw":
            return frames.Drawn(values)
        case frames.Deal(), "deal":
            return frames.Dealt(values)
    raise Misread(f"Chance owes {type(frame).__name__} now: say roll, draw or deal with its numbers.")


def drawn(table: Any, source: chance.Source) -> frames.Action:
    """Return an outcome for what chance owes."""
    return chance.draw(engine.top(table), source)


@checked
def space(name: str) -> int:
    """Return the number of a province or sea zone by its name, abbreviated as far as unique. Raises Misread.

    >>> from shared.board import BOARD
    >>> BOARD.names[space("ital")]
    'Italia'
    """
    try:
        found: int = SPACE.read(name, scene(None, NONE), {})[0][0]
    except name_lookup.Misread as misread:
        raise Misread(misread) from None
    return found


def parse(words: str, position: Any = None) -> Action | Command:
    """Read an action in the words of the text client. Raises Misread.

    position: a game or a view, in which the words have one meaning. Without it a command is returned, whose meaning is
    found when it is played.

    >>> import conquest
    >>> conquest.parse("march 3 infantry from italia to rhaetia")
    'march 3 infantry from italia to rhaetia'
    >>> conquest.parse("end mov", conquest.new("classic", seats=2, seed=1))
    <end movement>
    """
    if not isinstance(words, str):
        raise TypeError(f"words must be text, not {words!r}.")
    if position is not None:
        if not hasattr(position, "legal"):
            raise TypeError(f"position must be a game or a view, not {position!r}.")
        legal: Legal = position.legal()
        return legal.read(words)
    for game in ACTIONS.values():
        if any(name_lookup.folded(words).startswith(phrase.verb) for phrase in game.grammar.phrases):
            return Command(" ".join(words.split()))
    raise Misread(f"{words!r} begins with no action of any game.")
