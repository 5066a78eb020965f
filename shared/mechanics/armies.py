"""Arithmetic on armies: counts of infantry, cavalry and catapults."""

from collections.abc import Iterator, Sequence
from itertools import product

from shared.ids import NO_ARMY, Army, Seat
from shared.language.sentence import Sentence, Value, _, listing, ngettext


def total(army: Sequence[int]) -> int:
    """Return the number of units."""
    # Written out here and below: loops over three counts cost more than the sums.
    return army[0] + army[1] + army[2]


def plus(a: Sequence[int], b: Sequence[int]) -> Army:
    """Return the sum of both armies."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Sequence[int], b: Sequence[int]) -> Army:
    """Return `a` less `b`, kind by kind; counts may be negative."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def common(a: Sequence[int], b: Sequence[int]) -> Army:
    """Return the units that are in both, kind by kind."""
    return min(a[0], b[0]), min(a[1], b[1]), min(a[2], b[2])


def within(part: Sequence[int], whole: Sequence[int]) -> bool:
    """Whether `part` can be taken out of `whole`, with no negative count."""
    return 0 <= part[0] <= whole[0] and 0 <= part[1] <= whole[1] and 0 <= part[2] <= whole[2]


def only_choice(whole: Army, size: int) -> Army | None:
    """Return the only choice of `size` units out of `whole`, None if there are several."""
    # More hits than units leave no choice either: all fall.
    if size >= total(whole):
        return whole
    if size == 0:
        return 0, 0, 0
    kinds = [k for k in range(3) if whole[k]]
    if len(kinds) == 1:
        return tuple(size if k == kinds[0] else 0 for k in range(3))  # type: ignore[return-value]
    return None


def choices(whole: Army, size: int) -> Iterator[Army]:
    """Yield every way to take `size` units out of `whole`."""
    for i, h in product(range(min(size, whole[0]) + 1), range(min(size, whole[1]) + 1)):
        if 0 <= size - i - h <= whole[2]:
            yield i, h, size - i - h


def take_by_kind(whole: Army, size: int, kinds: tuple[int, int, int]) -> Army:
    """Return `size` units out of `whole` (or all), taken in the order of `kinds`."""
    taken = [0, 0, 0]
    for kind in kinds:
        taken[kind] = min(whole[kind], size)
        size -= taken[kind]
    return taken[0], taken[1], taken[2]


def units_words(number: int) -> Sentence:
    """Return a number of units in words: ``"1 unit"``, ``"3 units"``, ``"no units"``."""
    return ngettext("{n} unit", "{n} units", number) if number else _("no units")


def units_fall(hits: int) -> Sentence:
    """Return a sentence with the number of units that must fall."""
    return _("Exactly {units} {fall}.", units=units_words(hits), fall=ngettext("falls", "fall", hits))


def army_words(army: Sequence[int]) -> Value:
    """Return words for an army: ``"3 infantry, 1 catapult"``, or ``"no units"`` for none."""
    infantry, cavalry, catapults = army[:3]
    parts = (
        infantry and ngettext("{n} infantry", "{n} infantry", infantry),
        cavalry and ngettext("{n} cavalry", "{n} cavalry", cavalry),
        catapults and ngettext("{n} catapult", "{n} catapults", catapults),
    )
    return listing(part for part in parts if isinstance(part, Sentence)) or _("no units")


def words(army: Sequence[int]) -> str:
    """Return an army in words: ``"3 infantry, 1 catapult"``, ``"no units"``."""
    names = (("infantry", "infantry"), ("cavalry", "cavalry"), ("catapult", "catapults"))
    parts = [f"{n} {names[k][n > 1]}" for k, n in enumerate(army[:3]) if n]
    return ", ".join(parts) or "no units"


Cell = tuple[int, ...]


def army_of(cell: Cell, seat: Seat) -> Army:
    """Return the army of `seat` in the entry."""
    for i in range(0, len(cell), 4):
        if cell[i] == seat:
            return cell[i + 1], cell[i + 2], cell[i + 3]
    return 0, 0, 0


def armies(cell: Cell) -> list[tuple[Seat, Army]]:
    """Return each seat in the entry with its army."""
    return [(cell[i], (cell[i + 1], cell[i + 2], cell[i + 3])) for i in range(0, len(cell), 4)]


def contested(cell: Cell) -> bool:
    """Whether armies of several seats are in the entry."""
    return len(cell) > 4


def put_army(cell: Cell, seat: Seat, army: Army) -> Cell:
    """Return the entry with the army of `seat` replaced."""
    # Most provinces hold one army, so the search below is rare.
    if len(cell) <= 4 and (not cell or cell[0] == seat):
        return (seat, *army) if any(army) else ()
    # Groups stay in order of seats: equal contents must be equal cells, for digests and deltas.
    at = 0
    while at < len(cell) and cell[at] < seat:
        at += 4
    after = at + 4 if at < len(cell) and cell[at] == seat else at
    return (*cell[:at], seat, *army, *cell[after:]) if any(army) else cell[:at] + cell[after:]


def with_army(cell: Cell, seat: Seat, army: Sequence[int]) -> Cell:
    """Return the entry after `army` joined that of `seat`."""
    return put_army(cell, seat, plus(army_of(cell, seat), army))


def without_army(cell: Cell, seat: Seat, army: Sequence[int]) -> Cell:
    """Return the entry after `army` left that of `seat`."""
    return put_army(cell, seat, minus(army_of(cell, seat), army))


def largest(units: Sequence[Cell], seat: Seat) -> Army:
    """Return the most infantry, cavalry and catapults of `seat` in any entry, kind by kind."""
    armies = [army_of(cell, seat) for cell in units if seat in cell[::4]] or [NO_ARMY]
    infantry, cavalry, catapults = map(max, zip(*armies, strict=True))
    return infantry, cavalry, catapults


def has_army(cell: Cell, seat: Seat) -> bool:
    """Whether `seat` has units in the entry."""
    return seat in cell[::4]


def enemies_in(cell: Cell, seat: Seat) -> list[Seat]:
    """Return the other seats with units in the entry."""
    return [s for s in cell[::4] if s != seat]


def hostile(cell: Cell, seat: Seat) -> bool:
    """Whether another player's units are in the entry."""
    return bool(cell) and (cell[0] != seat or len(cell) > 4)


def well_formed(cell: Cell) -> bool:
    """Whether the groups are ordered by seat, none twice, none empty, no count negative."""
    seats = list(cell[::4])
    groups = [cell[i + 1 : i + 4] for i in range(0, len(cell), 4)]
    return seats == sorted(set(seats)) and min(cell, default=0) >= 0 and all(map(any, groups))
