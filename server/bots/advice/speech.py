"""Parts of sentences."""

from collections.abc import Sequence
from typing import Final

from shared.board import BOARD
from shared.ids import Space
from shared.language.sentence import Sentence, Value, _, and_list, listing, ngettext, pattern, pgettext
from shared.mechanics.armies import total
from shared.odds.outcome import ATTACKER, Host, Odds, amount, percent

EVEN: Final = 0.5
"""Chance from which a battle is worth fighting for its own sake."""


def kinds(force: Sequence[int]) -> list[Sentence]:
    """Return words for each kind of unit: ``"3 infantry"``, ``"1 galley"``."""
    infantry, cavalry, catapults, galleys = (*force, 0)[:4]
    parts = (
        infantry and ngettext("{n} infantry", "{n} infantry", infantry),
        cavalry and ngettext("{n} cavalry", "{n} cavalry", cavalry),
        catapults and ngettext("{n} catapult", "{n} catapults", catapults),
        galleys and ngettext("{n} galley", "{n} galleys", galleys),
    )
    return [part for part in parts if isinstance(part, Sentence)]


def units(force: Sequence[int]) -> Value:
    """Return ``"3 infantry and 1 catapult"``."""
    return and_list(kinds(force)) or _("nothing")


def led(leaders: Sequence[int], force: Sequence[int], each: int) -> Value:
    """Return ``"your Caesar, 2 generals and 3 infantry"``; `each`: leaders of a colour, the Caesar first."""
    generals = sum(1 for leader in leaders if leader % each)
    parts = [_("your Caesar")] if generals < len(leaders) else []
    parts += [general_words(generals)] if generals else []
    return and_list([*parts, *kinds(force)]) or _("nothing")


def general_words(number: int) -> Sentence:
    """Return ``"1 general"``, ``"2 generals"``."""
    return ngettext("{n} general", "{n} generals", number)


def unit_words(number: int) -> Sentence:
    """Return ``"1 unit"``, ``"3 units"``."""
    return ngettext("{n} unit", "{n} units", number)


def name(space: Space) -> str:
    """Return the name of a province or sea zone."""
    return BOARD.names[space]


def size(host: Host) -> int:
    """Return the number of units of a side."""
    return total(host.army) + host.galleys + sum(host.cards) + sum(host.lent)


def decimal(number: str) -> Value:
    """Return a number with a decimal point, which the reader's language may write differently; ``"0.0"`` as 0."""
    whole, point, part = number.partition(".")
    if not point or not float(number):
        return whole
    return pattern("{whole}{point}{part}", whole=whole, point=pgettext("before decimals", "."), part=part)


def outlook(odds: Odds, before: int, side: int = ATTACKER) -> Sentence:
    """Return ``"You would win with 86 % and keep 5.2 of 7 units on average."``.

    Where losing is likelier, say what speaks for the battle all the same.
    """
    if odds.wins(side) < EVEN:
        return long_shot(odds, side)
    return ngettext(
        "You would win with {chance} and keep {kept} of {n} unit on average.",
        "You would win with {chance} and keep {kept} of {n} units on average.",
        before,
        chance=percent(odds.wins(side)),
        kept=decimal(amount(sum(odds.left(side)))),
    )


def long_shot(odds: Odds, side: int) -> Sentence:
    """Return what speaks for a battle that is lost more often than won: its costs, else the lack of anything better."""
    mine, theirs, chance = round(odds.costs[side]), round(odds.costs[1 - side]), percent(odds.wins(side))
    if theirs > mine:
        return _(
            "You would win with only {chance}, but the enemy loses units worth {theirs} talents on average, you "
            "units worth {mine}.",
            chance=chance, theirs=theirs, mine=mine,
        )  # fmt: skip
    return _("You would win with only {chance}: a long shot, but nothing else here promises more.", chance=chance)


def joined(*sentences: Sentence) -> Sentence:
    """Return several sentences as one reason."""
    return pattern("{all}", all=listing(sentences, " "))
