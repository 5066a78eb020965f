"""Options of a rule set as a person types them: ``KEY=VALUE``. The value is the number or its label."""

from collections.abc import Sequence
from typing import Final

from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset, Option
from shared.language.sentence import _

OPTION: Final = "option of the game, such as round_limit=8; --option help lists them"
"""Description on a command line."""
HELP: Final = "help"
"""Typed instead of an option: lists all options."""


def choices(rules: AnyRuleset, typed: Sequence[str]) -> dict[str, int]:
    """Return the chosen options with their values. ValueError says what is wrong and what is allowed; for `HELP`, it
    lists all options.
    """
    if HELP in typed:
        raise ValueError(f"Options of {rules.title}:\n{described(rules)}")
    known = {option.key: option for option in rules.options}
    chosen: dict[str, int] = {}
    for text in typed:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise ValueError(f"--option must be KEY=VALUE, or help to list them, not {text!r}.")
        if key not in known:
            raise engine.no_option(rules, key)
        chosen[key] = _value(known[key], value)
    return chosen


def described(rules: AnyRuleset) -> str:
    """Return all options with their values, and the amendments that bind new tables, one a line."""
    options = [f"{option.key}={_list(option)}: {option.label}" for option in rules.options]
    amendments = [f"Amendment {each.number} ({each.rule}): {each.text}" for each in rules.amendments]
    return "\n".join(options + amendments)


def _value(option: Option, typed: str) -> int:
    labels = [label.casefold() for label in option.labels]
    if typed.casefold() in labels:
        return option.values[labels.index(typed.casefold())]
    if typed.lstrip("-").isdigit() and int(typed) in option.values:
        return int(typed)
    raise ValueError(
        _(
            "Option {option} takes {values}, not {value}.",
            option=repr(option.key),
            values=_list(option),
            value=repr(typed),
        )
    )


def _list(option: Option) -> str:
    """Return the values that may be typed, with labels that say more than the number."""
    if len(option.values) > 6:
        return f"{option.values[0]}…{option.values[-1]}"
    pairs = zip(option.values, option.labels, strict=True)
    return " | ".join(str(value) if str(value) == label else f"{value} ({label})" for value, label in pairs)
