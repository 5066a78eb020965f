"""Amendments in a position: their number in force stands behind the values of the table's options.

A match that began before the first amendment has no such number, so its views keep their old form.

To amend a rule, append to `AMENDMENTS` of the rule set and ask `amended` where the rule is applied. Bots, odds and
clients ask the same of a view. Describe the amendment in RULINGS, help and German, and test the rule with and without
it. Then record matches of the new version: `python -m tests.play.record`, `tests.play.lessons`,
`tests.conformance.vectors`.
"""

from collections.abc import Mapping, Sequence

from shared.kernel.ruleset import Option


def chosen(options: Sequence[Option], values: Mapping[str, int], amendments: int) -> tuple[int, ...]:
    """Return the `options` of a position: each value in its order, then the number of amendments in force, if any."""
    plain = tuple([values[option.key] for option in options])
    return (*plain, amendments) if amendments else plain


def in_force(options: tuple[int, ...], place: int, number: int) -> bool:
    """Whether the amendment of that number binds a match; `place`: index of the count in `options`."""
    return len(options) > place and options[place] >= number
