"""Views: a position with names, as far as its reader may know it."""

from collections.abc import Iterator, Mapping
from hashlib import blake2b
from typing import Any, Final

import msgspec
from msgspec import Struct, structs

from conquest.actions import Legal
from conquest.map import Places
from conquest.pictures import svg
from conquest.position import Position
from shared.board import BOARD
from shared.ids import NONE, UNIT_NAMES, Seat
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import in_english
from shared.mechanics.armies import armies
from shared.mechanics.pieces import ABOARD, OFF, PRISON
from shared.mechanics.table import Built
from shared.sentences.registry import SENTENCES

_BUILT: Final = {Built.CITY: "city", Built.FORTIFIED: "fortified city"}


class Leader(Struct, frozen=True):
    """A Caesar or general. `place`: a province, "aboard N" with a galley's number, or "prisoner of N" with a seat's.

    number: of its seat, 0 the Caesar. piece: in the fields of actions.
    """

    seat: int
    number: int
    place: str
    piece: int

    @property
    def caesar(self) -> bool:
        """Whether it is a Caesar."""
        return self.number == 0


class Ship(Struct, frozen=True):
    """A galley. `place`: a sea zone or a coast. `cargo`: units aboard, by kind. number, piece: as of a `Leader`."""

    seat: int
    number: int
    place: str
    cargo: dict[str, int]
    piece: int


class View(Mapping[str, Any]):
    """Position with names. It never changes.

    `view["talents"]` reads a field of the rules as it is; `raw` is the whole struct.

    >>> import conquest
    >>> view = conquest.new("cote2", seats=3, seed=2).observe(0)
    >>> view.game, view.seats, view.money, view["season"]
    ('cote2', 3, {0: 80, 1: 80, 2: 80}, 1)
    """

    __slots__ = ("_rules", "raw", "seat")

    def __init__(self, rules: AnyRuleset, raw: Any, seat: Seat | str | None) -> None:
        self._rules = rules
        self.raw = raw
        """The view of the rules: fields as SPEC describes them."""
        self.seat = seat
        """The seat that knows this, None for the public, "all" for the whole position."""

    @property
    def game(self) -> str:
        """Name of the game."""
        return self._rules.id

    @property
    def seats(self) -> int:
        """Number of players."""
        return int(self.raw.seats)

    @property
    def round(self) -> int:
        """Number of the round; in Conquest II of the season."""
        return self._rules.rounds(self.raw) or int(self.raw.round)

    @property
    def owing(self) -> tuple[Seat, ...]:
        """Seats that decide now."""
        return engine.owed(self._rules, self.raw)

    @property
    def to_move(self) -> Seat | None:
        """The seat that decides, None once the match is over."""
        return next(iter(self.owing), None)

    @property
    def decision(self) -> str:
        """The decision that is owed, in English."""
        if not self.owing:
            return "The match is over"
        return in_english(SENTENCES[self._rules.id].prompt(self.raw).what)

    @property
    def key(self) -> bytes:
        """Key of the position for transposition tables: equal for views of a seat in which play goes on alike.

        Only the numbers that the rules give to decisions are left out, because they count the way there.
        """
        frames = [structs.replace(frame, no=0) for frame in self.raw.frames]
        rest = {"pushed": 0} if "pushed" in self.raw.__struct_fields__ else {}
        plain = structs.replace(self.raw, frames=frames, **rest)
        return blake2b(msgspec.msgpack.encode((self.game, self.seat, plain)), digest_size=16).digest()

    @property
    def worth(self) -> dict[Seat, float]:
        """The chance of each seat to win, from 0 to 1, as hard players judge a position without search.

        The chances are judged one by one and need not add up to 1. At the end they are 1 or 0; several winners share 1.
        """
        from server.bots.search.games import GAMES

        return {seat: GAMES[self.game].value(self.raw, seat) for seat in range(self.seats)}

    def legal(self, **wanted: Any) -> Legal:
        """Return the legal actions of the view's seat, or of the seat to move in the whole position.

        wanted: see `Legal.filter`. Raises ValueError if the seat owes no decision.
        """
        seat = self.to_move if self.seat == "all" else self.seat
        if not isinstance(seat, int) or seat not in self.owing:
            raise ValueError("This view's seat owes no decision now.")
        legal = Legal(self._rules, Position(self._rules, self.raw, lent=True), seat)
        return legal.filter(**wanted) if wanted else legal

    # The position by name

    @property
    def names(self) -> tuple[str, ...]:
        """The game's names of the seats, such as their colours."""
        return tuple([self._rules.seat_name(self.raw, seat) for seat in range(self.seats)])

    @property
    def order(self) -> tuple[Seat, ...]:
        """Seats in the order of their turns. Where homes are drawn it follows from these."""
        return tuple(self.raw.order)

    @property
    def money(self) -> dict[Seat, int]:
        """Talents of each seat."""
        return dict(enumerate(self.raw.talents))

    @property
    def units(self) -> Places:
        """Land units by province and seat: ``units["Italia"][0]["infantry"]``. An empty province has ``{}``."""
        found = Places(empty=dict)
        for number, cell in enumerate(self.raw.units):
            if cell:
                found[BOARD.names[number]] = {seat: _army(army) for seat, army in armies(cell)}
        return found

    @property
    def owners(self) -> Places:
        """The seat that owns each province, or its city in Conquest II; provinces without an owner are left out."""
        owner = self.raw.owner
        return Places({BOARD.names[number]: seat for number, seat in enumerate(owner) if seat != NONE})

    @property
    def buildings(self) -> Places:
        """ "city" or "fortified city", by province."""
        built = self.raw.built
        return Places({BOARD.names[at]: _BUILT[Built(kind)] for at, kind in enumerate(built) if kind})

    @property
    def leaders(self) -> list[Leader]:
        """All leaders that are not out of the game."""
        each = len(self.raw.leader_at) // _colours(self.raw)
        return [
            Leader(self._seat_of_colour(piece // each), piece % each, _leader_place(at), piece)
            for piece, at in enumerate(self.raw.leader_at)
            if at != OFF
        ]

    @property
    def ships(self) -> list[Ship]:
        """All galleys on the board."""
        places = self.raw.galley_at
        each, cargo = len(places) // _colours(self.raw), getattr(self.raw, "cargo", [()] * len(places))
        return [
            Ship(
                self._seat_of_colour(piece // each),
                piece % each,
                BOARD.where(at),
                _army(cargo[piece] or (0, 0, 0)),
                piece,
            )
            for piece, at in enumerate(places)
            if at != OFF
        ]

    def _seat_of_colour(self, colour: int) -> Seat:
        """Return the seat that owns the pieces of a colour."""
        lords = getattr(self.raw, "lord", None)
        return colour if lords is None else int(lords[colour])

    # Fields of the rules by name

    def __getitem__(self, field: str) -> Any:
        try:
            return getattr(self.raw, self._field(field))
        except AttributeError:
            raise KeyError(field) from None

    def _field(self, field: str) -> str:
        if field not in self.raw.__struct_fields__:
            raise AttributeError(field)
        return field

    def __iter__(self) -> Iterator[str]:
        return iter(self.raw.__struct_fields__)

    def __len__(self) -> int:
        return len(self.raw.__struct_fields__)

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, View)
            and self.seat == other.seat
            and structs.astuple(self.raw) == structs.astuple(other.raw)
        )

    __hash__ = None  # type: ignore[assignment]

    def _repr_svg_(self) -> str:
        return svg(self)

    def __repr__(self) -> str:
        reader = "the public" if self.seat is None else "all" if self.seat == "all" else f"seat {self.seat}"
        return f"<View of {reader}: {self._rules.title}, round {self.round}, {self.decision}>"


def _army(army: Any) -> dict[str, int]:
    """Return the units of an army by kind, without those that it lacks."""
    return {UNIT_NAMES[kind]: count for kind, count in enumerate(army) if count}


def _colours(raw: Any) -> int:
    """Return the number of colours among the pieces: those of the seats that play."""
    return int(raw.seats)


def _leader_place(at: int) -> str:
    if at >= PRISON:
        return f"prisoner of {at - PRISON}"
    return f"aboard {at - ABOARD}" if at >= ABOARD else BOARD.names[at]
