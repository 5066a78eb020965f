"""Frames owed by NATURE: checking them, and drawing an outcome from a source of chance."""

from itertools import permutations
from math import factorial, perm
from typing import Protocol

from shared.ids import NATURE, Seat
from shared.kernel.frames import Action, Deal, Dealt, Dice, Draw, Drawn, Emit, Frame, Handler, Rolled
from shared.language.sentence import _
from shared.refusal import BrokenRules, Refusal

FACES = 6


class Source(Protocol):
    """A source of chance: `random.Random`, `random.SystemRandom` or a script."""

    def randrange(self, stop: int, /) -> int:
        """Return a number from 0 to `stop` - 1."""


def draw(frame: Frame, source: Source) -> Action:
    """Return an outcome for a chance frame."""
    # Proofs of chance repeat these calls for recorded matches, so their number and order never change.
    if isinstance(frame, Dice):
        return Rolled(tuple([source.randrange(FACES) for _ in range(frame.count)]))
    if isinstance(frame, Draw):
        order = list(range(frame.count))
        # Fisher-Yates by hand: a `Source` offers `randrange` alone, so `shuffle` is not available.
        for i in range(frame.count - 1, 0, -1):
            j = source.randrange(i + 1)
            order[i], order[j] = order[j], order[i]
        return Drawn(tuple(order))
    if isinstance(frame, Deal):
        heap = list(range(frame.count))
        # The same shuffle from the front, stopped after `size` pieces: the others stay undrawn.
        for i in range(frame.size):
            j = i + source.randrange(frame.count - i)
            heap[i], heap[j] = heap[j], heap[i]
        return Dealt(tuple(heap[: frame.size]))
    raise BrokenRules(f"{frame!r} is not owed by chance")


def outcomes(frame: Frame) -> int:
    """Return the number of outcomes of a chance frame, all equally likely."""
    if isinstance(frame, Dice):
        return int(FACES**frame.count)
    if isinstance(frame, Draw):
        return factorial(frame.count)
    if isinstance(frame, Deal):
        return perm(frame.count, frame.size)
    raise BrokenRules(f"{frame!r} is not owed by chance")


def _owed(_position: object, _frame: Frame) -> tuple[Seat, ...]:
    return (NATURE,)


def _dice_options(_position: object, frame: Dice, _seat: Seat) -> list[Action]:
    # One choice for each face: all outcomes of many dice would be too long a list.
    return [Rolled((face,) * frame.count) for face in range(FACES)]


def _check_dice(_position: object, frame: Dice, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Rolled):
        return Refusal("wrong-action", "", "Dice are rolled first.")
    if len(action.faces) != frame.count or not all(0 <= face < FACES for face in action.faces):
        return Refusal(
            "bad-roll", "", _("{count} dice with faces 0 to {most} are expected.", count=frame.count, most=FACES - 1)
        )
    return None


def _apply_dice(_state: object, _frame: Dice, _seat: Seat, action: Rolled, _emit: Emit) -> object:
    return action.faces


def _draw_options(_position: object, frame: Draw, _seat: Seat) -> list[Action]:
    # Complete: lots are drawn for at most six seats, so there are 720 orders.
    return [Drawn(order) for order in permutations(range(frame.count))]


def _check_draw(_position: object, frame: Draw, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Drawn):
        return Refusal("wrong-action", "", "Lots are drawn first.")
    if sorted(action.order) != list(range(frame.count)):
        return Refusal("bad-draw", "", _("An order of the numbers 0 to {most} is expected.", most=frame.count - 1))
    return None


def _apply_draw(_state: object, _frame: Draw, _seat: Seat, action: Drawn, _emit: Emit) -> object:
    return action.order


def _deal_options(_position: object, frame: Deal, _seat: Seat) -> list[Action]:
    """Offer each number once as the first: complete for one piece, a fair choice for more."""
    ring = [*range(frame.count), *range(frame.size)]
    return [Dealt(tuple(ring[i : i + frame.size])) for i in range(frame.count)]


def _check_deal(_position: object, frame: Deal, _seat: Seat, action: Action) -> Refusal | None:
    if not isinstance(action, Dealt):
        return Refusal("wrong-action", "", "Pieces are dealt first.")
    numbers = action.numbers
    if len(numbers) != frame.size or len(set(numbers)) != frame.size:
        return Refusal("bad-deal", "", _("{count} different numbers are expected.", count=frame.size))
    if not all(0 <= number < frame.count for number in numbers):
        return Refusal("bad-deal", "", _("Numbers from 0 to {most} are expected.", most=frame.count - 1))
    return None


def _apply_deal(_state: object, _frame: Deal, _seat: Seat, action: Dealt, _emit: Emit) -> object:
    return action.numbers


def raise_broken_rules(_state: object, frame: Frame, _result: object, _emit: Emit) -> object:
    """Raise BrokenRules: `resume` of a frame that pushes no other frame."""
    raise BrokenRules(f"{frame!r} was resumed")


def _no_default(_position: object, frame: Frame, _seat: Seat) -> Action:
    raise BrokenRules(f"{frame!r} has no default")


HANDLERS: dict[type[Frame], Handler[object, object]] = {
    Dice: Handler(_owed, _dice_options, _check_dice, _apply_dice, _no_default, raise_broken_rules),
    Draw: Handler(_owed, _draw_options, _check_draw, _apply_draw, _no_default, raise_broken_rules),
    Deal: Handler(_owed, _deal_options, _check_deal, _apply_deal, _no_default, raise_broken_rules),
}
