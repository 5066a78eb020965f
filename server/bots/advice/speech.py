"""Parts of sentences."""

from collections.abc import Iterable, Sequence

from shared.board import BOARD
from shared.ids import Position, Seat, Space
from shared.mechanics.armies import total
from shared.odds.outcome import ATTACKER, Host, Odds, amount, percent

KINDS = (("infantry", "infantry"), ("cavalry", "cavalry"), ("catapult", "catapults"), ("galley", "galleys"))


def listed(parts: Iterable[str]) -> str:
    """Return ``"a, b and c"``; ``"nothing"`` for none."""
    *most, last = [*parts] or ["nothing"]
    return f"{', '.join(most)} and {last}" if most else last


def several(number: int, one: str, many: str = "") -> str:
    """Return ``"1 unit"``, ``"3 units"``."""
    return f"{number} {one if number == 1 else many or one + 's'}"


def units(force: Sequence[int]) -> str:
    """Return ``"3 infantry and 1 catapult"``."""
    return listed(_kinds(force))


def _kinds(force: Sequence[int]) -> list[str]:
    return [several(n, *KINDS[kind]) for kind, n in enumerate(force) if n]


def led(leaders: Sequence[int], force: Sequence[int], each: int) -> str:
    """Return ``"your Caesar, 2 generals and 3 infantry"``; `each`: leaders of a colour, the Caesar first."""
    generals = sum(1 for leader in leaders if leader % each)
    parts = ["your Caesar"] if generals < len(leaders) else []
    parts += [several(generals, "general")] if generals else []
    return listed([*parts, *_kinds(force)])


def who(seat: Seat) -> str:
    """Return a placeholder for a player by seat: the client that shows the words knows the name."""
    return f"{{{seat}}}"


def name(space: Space) -> str:
    """Return the name of a province or sea zone."""
    return BOARD.names[space]


def place(position: Position) -> str:
    """Return the name of a galley's position."""
    return BOARD.where(position)


def size(host: Host) -> int:
    """Return the number of units of a side."""
    return total(host.army) + host.galleys + sum(host.cards) + sum(host.lent)


def outlook(odds: Odds, before: int, side: int = ATTACKER) -> str:
    """Return ``"you would win with 86 % and keep 5.2 of 7 units in the mean"``."""
    kept = amount(sum(odds.left(side)))
    return f"you would win with {percent(odds.wins(side))} and keep {kept} of {several(before, 'unit')} in the mean"


def sentence(words: str) -> str:
    """Return the words with a capital and a full stop."""
    return f"{words[:1].upper()}{words[1:]}."
