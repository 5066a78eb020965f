"""Description of a rule set before a match: its name, the number of players, the options of a table."""

from collections.abc import Sequence

from shared.actions.bot_levels import LEVEL_WORDS
from shared.kernel.ruleset import AnyRuleset, Option
from shared.levels import LEVELS
from shared.messages import Amended, Description, Setting


def description(rules: AnyRuleset, ref: int = 0) -> Description:
    """Return a rule set in the words that our own clients show too."""
    settings = tuple(map(_option_setting, rules.options))
    amendments = tuple([Amended(each.number, each.rule, each.text) for each in rules.amendments])
    about = tuple([LEVEL_WORDS[level].about.key for level in LEVELS])
    names = rules.id, rules.version, rules.title, rules.suits
    return Description(ref, *names, rules.min_seats, rules.max_seats, settings, amendments, LEVELS, about)


def _option_setting(option: Option) -> Setting:
    named = zip(option.values, option.labels or map(str, option.values), strict=True)
    labels = tuple([(value, label) for value, label in named if label != str(value)])
    return Setting(option.key, option.label, option.help, ranges(option.values), labels, option.default)


def ranges(values: Sequence[int]) -> tuple[tuple[int, int], ...]:
    """Return rising numbers as (first, last) of those that follow each other."""
    found: list[tuple[int, int]] = []
    for value in values:
        first = found.pop()[0] if found and found[-1][1] == value - 1 else value
        found.append((first, value))
    return tuple(found)
