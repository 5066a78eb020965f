"""The tables of SPEC.md, made from the types: `python -m tests.protocol.spec_tables` puts them in again."""

import re
from collections.abc import Iterable
from enum import Enum
from pathlib import Path
from typing import Any, Final, get_args

from msgspec import inspect as types

from protocol.limits import MEANING
from shared import messages
from shared.kernel.engine import AnyRuleset
from shared.rulesets.registry import RULESETS
from shared.tables import Pace

SPEC: Final = Path(__file__).parents[2] / "protocol" / "SPEC.md"
NESTED: Final = (
    messages.Quota,
    messages.Bounds,
    Pace,
    messages.TableInfo,
    messages.SeatInfo,
    messages.SeatClock,
    messages.Line,
    messages.Back,
    messages.Motion,
    messages.Scope,
    messages.Span,
    messages.Setting,
    messages.Pledge,
    messages.PastMatch,
    messages.Rank,
)


def shown(kind: types.Type) -> str:
    """A type in words."""
    match kind:
        case types.IntType(ge=low, le=high):
            return "int" if low is None or high is None else f"int {low}..{high}"
        case types.StrType(min_length=low, max_length=high):
            return "str" if high is None else f"str {low or 0}..{high}"
        case types.BytesType(min_length=low):
            return "bin" if low is None else f"bin {low}"
        case types.BoolType():
            return "bool"
        case types.NoneType():
            return "nil"
        case types.RawType():
            return "any"
        case types.LiteralType(values=values):
            return " or ".join(f'"{value}"' for value in values)
        case types.DictType(key_type=key, value_type=value, max_length=most):
            return f"map of {shown(key)} to {shown(value)}" + (f", at most {most}" if most else "")
        case types.VarTupleType(item_type=item, max_length=most) | types.ListType(item_type=item, max_length=most):
            return f"array of {shown(item)}" + (f", at most {most}" if most else "")
        case types.TupleType(item_types=items):
            return f"[{', '.join(shown(item) for item in items)}]"
        case types.EnumType(cls=cls) if issubclass(cls, str):
            return " or ".join(f'"{item.value}"' for item in cls)
        case types.EnumType(cls=cls):
            return "int: " + ", ".join(f"{item.value} {item.name.lower().replace('_', ' ')}" for item in cls)
        case types.StructType(cls=cls):
            return str(cls.__name__)
        case types.UnionType(types=kinds) if all(isinstance(each, types.StructType) for each in kinds):
            return "frame"
        case types.UnionType(types=kinds):
            return " or ".join(shown(each) for each in kinds)
    raise TypeError(f"no word for {kind}")


def _plain(value: object) -> object:
    """A default as it travels: the number of a named one."""
    return value.value if isinstance(value, Enum) else value


def row(kind: Any, tag: bool = True) -> str:
    """One line: tag, name, fields with their types and defaults, meaning."""
    info = types.type_info(kind)
    assert isinstance(info, types.StructType)
    fields = ", ".join(
        f"`{field.name}` {shown(field.type)}" + ("" if field.required else f" = {_plain(field.default)!r}")
        for field in info.fields
    )
    words = " ".join((kind.__doc__ or "").split()).replace("|", "\\|")
    front = f"| {info.tag} " if tag else ""
    return f"{front}| {kind.__name__} | {fields or '-'} | {words} |"


def table(kinds: Iterable[Any], tag: bool = True) -> str:
    """Lines under a heading."""
    head = ["| tag | name | fields | meaning |", "|---|---|---|---|"]
    if not tag:
        head = ["| name | fields | meaning |", "|---|---|---|"]
    return "\n".join([*head, *(row(kind, tag) for kind in kinds)])


def _fields(view: type[Any]) -> tuple[types.Field, ...]:
    info = types.type_info(view)
    assert isinstance(info, types.StructType)
    return info.fields


def view_fields(rules: AnyRuleset) -> str:
    """The numbered fields of a view."""
    fields = _fields(rules.view_decoder.type)
    lines = [f"| {i} | `{field.name}` | {shown(field.type)} |" for i, field in enumerate(fields)]
    return "\n".join(["| number | field | type |", "|---|---|---|", *lines])


def frame_kinds(rules: AnyRuleset) -> tuple[Any, ...]:
    """What may lie in a view's stack of frames."""
    (stack,) = [field.type for field in _fields(rules.view_decoder.type) if field.name == "frames"]
    assert isinstance(stack, types.ListType) and isinstance(stack.item_type, types.UnionType)
    return tuple([kind.cls for kind in stack.item_type.types if isinstance(kind, types.StructType)])


def words(rules: AnyRuleset) -> dict[str, tuple[Any, ...]]:
    """All that a rule set says, by the name of its table."""
    actions, events = get_args(rules.action_decoder.type), get_args(rules.event_decoder.type)
    return {"actions": actions, "events": events, "frames": frame_kinds(rules)}


def rule_tables(rules: AnyRuleset) -> dict[str, str]:
    """The tables of a rule set by their marks, each in the order of the tags."""
    tables = {f"{rules.id}-view": view_fields(rules)}
    for name, kinds in words(rules).items():
        tables[f"{rules.id}-{name}"] = table(sorted(kinds, key=lambda kind: kind.__struct_config__.tag))
    return tables


def close_codes() -> str:
    """The list of close codes."""
    return "\n".join(
        ["| code | meaning |", "|---|---|", *(f"| {int(code)} | {text} |" for code, text in MEANING.items())]
    )


def tables() -> dict[str, str]:
    """All tables by their mark in SPEC.md."""
    found = {
        "to-server": table(get_args(messages.ClientMessage)),
        "to-client": table(get_args(messages.ServerMessage)),
        "nested": table(NESTED, tag=False),
        "close-codes": close_codes(),
    }
    for rules in RULESETS.values():
        found |= rule_tables(rules)
    return found


def with_tables(text: str) -> str:
    """SPEC.md with its tables as the types are now."""
    for name, lines in tables().items():
        pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
        found = re.search(pattern, text, re.DOTALL)
        assert found is not None, name
        text = f"{text[: found.start()]}{found[1]}{lines}\n{found[2]}{text[found.end() :]}"
    return text


if __name__ == "__main__":
    SPEC.write_text(with_tables(SPEC.read_text(encoding="utf-8")), encoding="utf-8")
