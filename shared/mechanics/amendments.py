"""Amendments and later options in a position's `options`.

First come the options that version 2 of the rule set had, then the number of amendments in force, then later options.
Zeros at the end are left out, so matches that began before an amendment or an option keep their form and digests.

To amend a rule, append to `AMENDMENTS` of the rule set and ask `amended` where the rule is applied. Bots, odds and
clients ask the same of a view. Describe the amendment in RULINGS, help and German, and test the rule with and without
it. Then record matches of the new version: `python -m tests.play.record`, `tests.play.lessons`,
`tests.conformance.vectors`.
"""

from collections.abc import Mapping, Sequence
from typing import Protocol

from shared.kernel.ruleset import Option


class HasOptions(Protocol):
    """Position, or side of a battle, with the options of its table. Every number of the rules is a function of it."""

    @property
    def options(self) -> tuple[int, ...]:
        """Values in the order of the rule set's options; () for the rules without any option."""


def chosen(options: Sequence[Option], values: Mapping[str, int], amendments: int, place: int) -> tuple[int, ...]:
    """Return the `options` of a position; `place`: index of the number of amendments.

    An option behind that place must have the default 0, which means the rules without it.
    """
    plain = [values[option.key] for option in options]
    options_in_order = [*plain[:place], amendments, *plain[place:]]
    # Stops at `place`: the options before it keep their zeros, because they are read by index.
    while len(options_in_order) > place and not options_in_order[-1]:
        options_in_order.pop()
    return tuple(options_in_order)


def later_option(options: tuple[int, ...], index: int) -> int:
    """Return the value of an option behind the number of amendments; `index`: its place in a position's `options`."""
    return options[index] if len(options) > index else 0


def in_force(options: tuple[int, ...], place: int, number: int) -> bool:
    """Whether the amendment of that number binds a match; `place`: index of the count in `options`."""
    return later_option(options, place) >= number
