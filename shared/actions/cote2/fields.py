"""Fields and options that several forms of Conquest II have."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final

from shared.actions.description import Choice, Field, FieldKind
from shared.board import BOARD
from shared.ids import NONE, Leader, Seat, Space
from shared.language.sentence import Person, Value, _
from shared.rulesets.cote2.state import GALLEYS, LEADERS, TableFields

UNITS: Final = (_("Infantry"), _("Cavalry"), _("Catapults"))
"""Headings of the counts of an army."""
GENERALS: Final = _("Generals")
GALLEY_COUNT: Final = _("Galleys")
NO_ATTACK: Final = _("no attack")


def kept(wanted: int, found: Iterable[int]) -> list[int]:
    """Return the numbers that a part of a filter allows."""
    return [number for number in found if wanted in (NONE, number)]


# --- fields ---


def number(name: str, label: Value, low: int, high: int, step: int = 1) -> Field:
    """Return a field for a number."""
    return Field(name, FieldKind.NUMBER, label, low, high, step)


def one(name: str, label: Value, options: Iterable[Choice]) -> Field:
    """Return a field for one value; players need not see a field with one option only."""
    found = tuple(options)
    return Field(name, FieldKind.ONE, label if len(found) > 1 else "", options=found)


def some(name: str, label: Value, options: Iterable[Choice], low: int, high: int) -> Field:
    """Return a field for several different values."""
    return Field(name, FieldKind.SET, label, low, high, options=tuple(options))


def rows(
    name: str, label: Value, options: Iterable[Choice], columns: tuple[Value, ...], uses: tuple[Value, ...] = ()
) -> Field:
    """Return a field for rows of numbers; options without any number are left out."""
    found = tuple([row for row in options if any(row.most)])
    return Field(name, FieldKind.ROWS, label, options=found, columns=columns, uses=uses)


# --- options ---


def at_space(space: Space, most: Sequence[int] = ()) -> Choice:
    """Return a province or a sea zone as an option."""
    return Choice(space, BOARD.names[space], space, tuple(most))


def at_spaces(spaces: Collection[Space]) -> list[Choice]:
    """Return provinces or sea zones as options."""
    return [at_space(space) for space in sorted(spaces)]


def seats(found: Collection[Seat], nobody: Value, reader: Seat = NONE) -> list[Choice]:
    """Return players as options; `nobody`: the label of NONE; `reader`: the player who is "you" among them."""
    names = {NONE: nobody, reader: nobody if reader == NONE else _("You")}
    return [Choice(seat, names.get(seat, Person(seat))) for seat in sorted(found)]


def galleys(table: TableFields, found: Collection[int]) -> list[Choice]:
    """Return galleys on the board as options."""
    return [
        Choice(galley, _("galley {number} in {zone}", number=galley % GALLEYS + 1, zone=BOARD.names[zone]), zone,
               sort=GALLEY_COUNT)
        for galley in sorted(found)
        for zone in (table.galley_at[galley],)
    ]  # fmt: skip


def leaders(table: TableFields, found: Collection[Leader]) -> list[Choice]:
    """Return own leaders on the board as options."""
    return [
        Choice(leader, _("general {number}", number=leader % LEADERS), table.leader_at[leader], sort=GENERALS)
        if leader % LEADERS
        else Choice(leader, _("the Caesar"), table.leader_at[leader])
        for leader in sorted(found)
    ]
