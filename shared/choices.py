"""Options of a rule set as one types them: ``KEY=VALUE``, where the value is the number or its label."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from shared.kernel.engine import AnyRuleset, Option

OPTION: Final = "a rule of the table, such as round_limit=8; --option help lists them"
"""What a command line says about it."""
HELP: Final = "help"
"""Typed instead of an option: which there are."""


def choices(rules: AnyRuleset, typed: Sequence[str]) -> dict[str, int]:
    """The chosen options with their values; ValueError says what was wrong and what there is, or, for `HELP`, that."""
    if HELP in typed:
        raise ValueError(f"Options of {rules.title}:\n{described(rules)}")
    known = {option.key: option for option in rules.options}
    chosen: dict[str, int] = {}
    for text in typed:
        key, equals, value = (part.strip() for part in text.partition("="))
        if not equals:
            raise ValueError(f"--option takes KEY=VALUE, or help, which lists them; not {text!r}.")
        if key not in known:
            raise ValueError(f"{rules.title} has no option {key!r}; it has {', '.join(known)}.")
        chosen[key] = _value(known[key], value)
    return chosen


def described(rules: AnyRuleset) -> str:
    """All options with what they may be, and the amendments by which new tables play, one a line."""
    options = [f"{option.key}={_list(option)}: {option.label}" for option in rules.options]
    amendments = [f"Amendment {each.number} ({each.rule}): {each.text}" for each in rules.amendments]
    return "\n".join(options + amendments)


def _value(option: Option, typed: str) -> int:
    labels = [label.casefold() for label in option.labels]
    if typed.casefold() in labels:
        return option.values[labels.index(typed.casefold())]
    if typed.lstrip("-").isdigit() and int(typed) in option.values:
        return int(typed)
    raise ValueError(f"Option {option.key!r} takes {_list(option)}, not {typed!r}.")


def _list(option: Option) -> str:
    """The values that may be typed, with labels that say more than the number."""
    if len(option.values) > 6:
        return f"{option.values[0]}…{option.values[-1]}"
    pairs = zip(option.values, option.labels, strict=True)
    return " | ".join(str(value) if str(value) == label else f"{value} ({label})" for value, label in pairs)
