"""A match in this process: its position, its legal actions, and what each seat may know of it."""

from collections.abc import Mapping, Sequence
from copy import copy
from itertools import chain, islice, repeat
from numbers import Integral
from random import Random, SystemRandom
from typing import Any, Final

from msgspec import Struct

from conquest.actions import Action, Legal, drawn, name_of, refused
from conquest.arguments import checked
from conquest.errors import IllegalAction
from conquest.position import Log, Position
from conquest.records import Record, written
from conquest.views import View
from shared.ids import NATURE, NONE, Seat
from shared.kernel import engine, frames
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.classic import options as classic
from shared.rulesets.cote2 import options as cote2
from shared.rulesets.mb1984 import options as mb1984
from shared.rulesets.registry import RULESETS, ruleset

CHANCE: Final = NATURE
"""`Game.to_move` while dice, lots or cards are owed and chance is given by hand."""
GAMES: Final = tuple(RULESETS)
"""Names of the games."""
_AMENDED: Final = {"classic": classic.AMENDED, "mb1984": mb1984.AMENDED, "cote2": cote2.AMENDED}
"""Place of the number of amendments among the options of a position."""
_CHANCE_OWES: Final = (NATURE,)
_STRIDE: Final = 0x9E3779B97F4A7C15
"""Odd number that keeps the seeds of neighbouring draws and games apart (the golden ratio of 64 bits)."""

_MOST_CHANGES: Final = 32
"""Actions on one table before it is copied and kept, so that positions between are soon made again."""


class Place(Struct, frozen=True):
    """A line of the final standings. `score`: what ranked it, in the game's own words."""

    seat: int
    rank: int
    name: str
    score: str


class Game:
    """Match of a game. Made by `new`, `Game.after` or `clone`.

    Views and legal actions of an earlier position stay true: `play` changes no table that a view shows.
    """

    __slots__ = (
        "_at",
        "_copied",
        "_count",
        "_log",
        "_owed",
        "_random",
        "_rules",
        "_seed",
        "_snapshot",
        "_stack",
        "options",
    )

    def __init__(self, rules: AnyRuleset, state: Any, options: Mapping[str, int], seed: int | None) -> None:
        self._rules = rules
        self._at = Position(rules, state, lent=True)
        self._snapshot: tuple[Any, Log] = (None, None)
        self._copied = 0
        self._seed = seed
        self._random: Random | None = None
        self._count = 0
        self._log: Log = None
        self._stack: list[tuple[Position, Log, int, tuple[Seat, ...]]] = []
        self._owed = engine.owed(rules, state)
        self.options = dict(options)
        """Options of the table, each with its value."""
        self._settle()

    # The position

    @property
    def name(self) -> str:
        """Name of the game: "classic", "mb1984" or "cote2"."""
        return self._rules.id

    @property
    def seats(self) -> int:
        """Number of players."""
        return int(self._at.now.seats)

    @property
    def to_move(self) -> Seat | None:
        """The seat that decides, `CHANCE` for dice that are given by hand, None once the match is over."""
        return self._owed[0] if self._owed else None

    @property
    def owing(self) -> tuple[Seat, ...]:
        """All seats that decide now; several do so with sealed choices."""
        return self._owed

    @property
    def over(self) -> bool:
        """Whether the match is over."""
        return not self._owed

    @property
    def round(self) -> int:
        """Number of the round; in Conquest II of the season."""
        return self._rules.rounds(self._at.now) or int(self._at.now.round)

    @property
    def count(self) -> int:
        """Number of actions so far, those of chance too."""
        return self._count

    @property
    def view(self) -> View:
        """The whole position with names, all secrets included."""
        return View(self._rules, self._at.table, "all")

    def observe(self, seat: Seat | None) -> View:
        """Return what a seat knows, or with None what spectators know."""
        if seat is not None and not (isinstance(seat, Integral) and 0 <= seat < self.seats):
            raise ValueError(f"There is no seat {seat!r}; seats are 0 to {self.seats - 1}, or None for the public.")
        return View(self._rules, self._rules.view(self._at.table, seat), seat)

    def result(self) -> tuple[Place, ...]:
        """Return the ranking of all seats, best first. Once the match is `over` it is final."""
        rules, state = self._rules, self._at.now
        return tuple(
            [
                Place(place.seat, place.rank, rules.seat_name(state, place.seat), str(place.score))
                for place in rules.standings(state)
            ]
        )

    @property
    def winners(self) -> tuple[Seat, ...]:
        """Seats that have won; empty while the match goes on, and after a draw."""
        if not self.over or self._rules.winner(self._at.now) == NONE:
            return ()
        return tuple([place.seat for place in self._rules.standings(self._at.now) if place.rank == 1])

    # Decisions

    def legal(self, seat: Seat | None = None, **wanted: Any) -> Legal:
        """Return the legal actions of the seat to move, or of another seat that owes. `wanted`: see `Legal.filter`."""
        if not self._owed:
            raise ValueError("The match is over; no action is legal.")
        mover = self._owed[0] if seat is None else seat
        if mover not in self._owed:
            raise ValueError(f"Seat {mover} owes no decision now; {', '.join(map(str, self._owed))} does.")
        legal = Legal(self._rules, self._at, mover)
        return legal.filter(**wanted) if wanted else legal

    def parse(self, words: str) -> Action:
        """Return the action that words mean now. Raises Misread."""
        return self.legal().read(words)

    def play(self, action: Action | frames.Action | str, seat: Seat | None = None) -> "Game":
        """Play an action, given as such or in words, and the chance that follows. Return this game.

        seat: for actions of a seat that is not `to_move`, such as conceding. Raises IllegalAction, Misread, and
        TypeError for anything else.
        """
        if isinstance(action, str):
            action = self.legal(seat).read(action)
        if isinstance(action, Action) and seat in (None, action.seat) and action.judged(self._at):
            mover, raw = action.seat, action.raw
        else:
            mover, raw = self._checked(action, seat)
        self._go_on()
        self._perform(mover, raw)
        if self._owed == _CHANCE_OWES:
            self._settle()
        return self

    def _checked(self, action: Action | frames.Action, seat: Seat | None) -> tuple[Seat, frames.Action]:
        """Return the seat and the action as the rules know it, once they have found it legal."""
        if isinstance(action, Action):
            mover, raw = self._mover(action.seat if seat is None else seat), action.raw
        elif isinstance(action, frames.Action):
            mover, raw = self._mover(seat), action
        else:
            raise TypeError(f"{action!r} is no action; choose one of `legal()`, or say it in words.")
        refusal = refused(self._rules, self._at.now, mover, raw)
        if refusal is not None:
            raise IllegalAction(refusal)
        return mover, raw

    def _mover(self, seat: Seat | None) -> Seat:
        if seat is None:
            return self._owed[0] if self._owed else NONE
        if seat not in range(NATURE, self.seats):
            raise ValueError(f"There is no seat {seat!r}; seats are 0 to {self.seats - 1}.")
        return seat

    def _go_on(self) -> None:
        """Leave the present position for one that may change."""
        at, table = self._at, self._at.now
        if at.lent or self._count - self._copied >= _MOST_CHANGES:
            self._snapshot, self._copied = (table, self._log), self._count
            table = table.clone()
        else:
            at.leave(*self._snapshot, self._log)
        self._at = Position(self._rules, table)

    def _perform(self, seat: Seat, raw: frames.Action) -> None:
        """Carry out an action on the present position, which is known to no caller yet."""
        self._owed = engine.perform(self._rules, self._at.now, seat, raw, engine.ignore_event)
        self._log = (self._log, seat, raw)
        self._count += 1

    def _settle(self) -> None:
        """Answer for chance, unless it is given by hand. Each draw depends on the seed and the number of actions."""
        if self._seed is None:
            return
        if self._random is None:
            self._random = Random()
        while self._owed == _CHANCE_OWES:
            self._random.seed(self._seed * _STRIDE + self._count)
            self._perform(NATURE, drawn(self._at.now, self._random))

    @checked
    def roll(self, *faces: int) -> "Game":
        """Give the dice that chance owes, with faces 1 to 6. Return this game."""
        return self.play(frames.Rolled(tuple([face - 1 for face in faces])), CHANCE)

    def push(self, action: Action | frames.Action | str, seat: Seat | None = None) -> "Game":
        """Play an action that `pop` takes back."""
        before = self._at, self._log, self._count, self._owed
        self._at.lent = True
        self.play(action, seat)
        self._stack.append(before)
        return self

    def pop(self) -> "Game":
        """Go back to before the last `push`. Raises IndexError without one."""
        if not self._stack:
            raise IndexError("There is nothing to go back to: `push` comes before `pop`.")
        self._at, self._log, self._count, self._owed = self._stack.pop()
        return self

    @checked
    def clone(self, seed: int | None = None) -> "Game":
        """Return a copy that goes on independently. seed: other chance from here on."""
        other = Game.__new__(Game)
        self._at.lent = True
        other._rules, other._at, other._owed, other.options = self._rules, self._at, self._owed, self.options
        other._snapshot, other._copied = self._snapshot, self._copied
        other._seed = self._seed if seed is None else seed
        other._random, other._count, other._log, other._stack = None, self._count, self._log, []
        return other

    def __deepcopy__(self, _memo: object) -> "Game":
        return copy(self)  # Nothing that a copy shares ever changes.

    def __reduce__(self) -> tuple[Any, ...]:
        stack = [(at, count) for at, _log, count, _owed in self._stack]
        return _game_from_pickle, (self._at, self.options, self._seed, self.moves, stack)

    # Records

    @classmethod
    @checked
    def after(cls, record: Record, entries: int | None = None, seed: int | None = None) -> "Game":
        """Return the match of a record after so many entries, by default all of them; it can be played on.

        seed: of the chance from there on; without one it differs each time. Raises ValueError for a damaged record.
        """
        if entries is not None and not 0 <= entries <= len(record):
            raise ValueError(f"The record has {len(record)} entries, not {entries}.")
        length = len(record) if entries is None else entries
        view = next(islice(record.replay(), length, None))
        # Without chance at first: what is owed must not be drawn before the log is complete.
        game = cls(record.rules, view.raw.clone(), record.options, None)
        for seat, raw in record.moves(length):
            game._log = (game._log, seat, raw)
            game._count += 1
        game._seed = SystemRandom().getrandbits(63) if seed is None else seed
        game._settle()
        return game

    @classmethod
    @checked
    def sample(cls, view: View, seed: int = 0) -> "Game":
        """Return a game to search in, which looks like a view to its seat: all that the seat cannot know is drawn.

        The game never leads back to the true one. seed: of what is drawn, and of all chance from here on.
        """
        from server.bots.search.games import GAMES

        raw, rules = view.raw, view._rules
        table = raw.clone() if view.seat == "all" else GAMES[view.game].complete(raw, Random(seed))
        place = _AMENDED[view.game]
        values = chain(raw.options[:place], raw.options[place + 1 :], repeat(0))
        options = {option.key: value for option, value in zip(rules.options, values, strict=False)}
        return cls(rules, table, options, seed)

    @property
    def moves(self) -> list[tuple[Seat, frames.Action]]:
        """Seats and actions so far, those of `CHANCE` too."""
        found, log = [], self._log
        while log is not None:
            log, seat, raw = log
            found.append((seat, raw))
        return found[::-1]

    @checked
    def record(self, names: Sequence[str] = (), title: str = "Match") -> Record:
        """Return the record of the match so far, without a proof of its dice. names: of the players, by seat."""
        return written(self._rules, self.seats, self.options, self.moves, names, title)

    def _repr_svg_(self) -> str:
        return self.view._repr_svg_()

    def __repr__(self) -> str:
        if self.over:
            return f"<{self._rules.title}: over after {self._count} actions>"
        return f"<{self._rules.title}: round {self.round}, {self.view.decision}>"


def _game_from_pickle(
    at: Position,
    options: Mapping[str, int],
    seed: int | None,
    moves: Sequence[tuple[Seat, frames.Action]],
    stack: Sequence[tuple[Position, int]],
) -> Game:
    """Return a game that was pickled."""
    at.lent = True
    game = Game(at._rules, at.table, options, None)
    logs: list[Log] = [None]
    for seat, raw in moves:
        logs.append((logs[-1], seat, raw))
    game._seed, game._log, game._count = seed, logs[-1], len(moves)
    game._stack = [(each, logs[count], count, engine.owed(at._rules, each.table)) for each, count in stack]
    return game


def checked_options(rules: AnyRuleset, seats: int, options: Mapping[str, int] | None) -> dict[str, int]:
    """Return all options with their values. Raises ValueError for wrong ones, with its sentence as text."""
    try:
        return engine.checked_options(rules, seats, options or {})
    except ValueError as error:
        # The kernel raises it with the parts of a sentence that is yet to be translated.
        raise ValueError(str(error)) from None


@checked
def new(
    game: str = "classic",
    seats: int = 4,
    seed: int | None = None,
    options: Mapping[str, int] | None = None,
    given_chance: bool = False,
) -> Game:
    """Return a new match.

    seed: of all chance; without one, chance differs each time. options: of the table, such as ``{"round_limit": 8}``.
    given_chance: chance is owed by `CHANCE`, and you answer it with `Game.roll` or with one of `Game.legal`.
    Raises ValueError for an unknown game or option.

    >>> new("classic", seats=2, seed=1, options={"round_limit": 5}).to_move
    0
    """
    rules = ruleset(name_of(game))
    chosen = checked_options(rules, seats, {key: int(value) for key, value in (options or {}).items()})
    state = engine.start(rules, seats, chosen, engine.ignore_event)
    seed = SystemRandom().getrandbits(63) if seed is None else seed
    return Game(rules, state, chosen, None if given_chance else seed)
