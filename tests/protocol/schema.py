"""Everything on the wire as data: messages, views, actions, events, frames and named numbers, from the structs that
encode.

`python -m tests.protocol.spec_tables` writes it to protocol/schema.json, and the pages of tables from it.
"""

import json
from collections.abc import Iterable, Mapping
from enum import Enum, IntEnum
from typing import Any, Final, TypeAlias, get_args

from msgspec import inspect as types

from protocol.description import description
from protocol.limits import MEANING
from protocol.version import PROTOCOL
from shared import messages
from shared.actions.action import GameActions
from shared.actions.registry import ACTIONS
from shared.ids import UNIT_NAMES
from shared.kernel.frames import tag_of
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.table import Built
from shared.rulesets.classic.stages import Step as ClassicStep
from shared.rulesets.mb1984.stages import Step as Step1984
from shared.rulesets.registry import RULESETS

Json: TypeAlias = dict[str, Any]

Unit = IntEnum("Unit", {name.upper(): number for number, name in enumerate(UNIT_NAMES)})  # type: ignore[misc]
Unit.__doc__ = "A kind of unit."

NAMED: Final[Mapping[str, Mapping[tuple[str, str], type[IntEnum]]]] = {
    "classic": {("Turn", "step"): ClassicStep, ("view", "built"): Built},
    "mb1984": {
        ("Turn", "step"): Step1984,
        ("view", "built"): Built,
        ("Aim", "kind"): Unit,
        ("Aimed", "kind"): Unit,
        ("Battle", "kind"): Unit,
        ("CargoLoss", "kind"): Unit,
    },
    "cote2": {},
}
"""Named numbers of a rule set whose type does not name them: (struct, field)."""

_CHANCE: Final = {"Dice": ("Rolled",), "Draw": ("Drawn",), "Deal": ("Dealt",)}


def _answers(game: GameActions) -> dict[str, tuple[str, ...]]:
    """Return the actions that may answer each frame, in the order of their tags."""
    described = sorted(game.kinds.values(), key=lambda each: tag_of(each.kind))
    frames = {frame for each in described for frame in each.frames}
    return _CHANCE | {
        frame.__name__: tuple([each.kind.__name__ for each in described if frame in each.frames]) for frame in frames
    }


ANSWERS: Final = {ruleset: _answers(game) for ruleset, game in ACTIONS.items()}
"""Actions that may answer a frame, by rule set and frame. All other frames go on by themselves."""


_HELD: Final = {
    "action": "action",
    "actions": "action",
    "draft": "action",
    "view": "view",
    "delta": "delta",
    "events": "event",
    "sentences": "sentence",
}
"""Kinds of values of a rule set, by the names of the fields that hold them."""


class Vocabulary:
    """Types as data; the structs and named numbers that they mention are gathered."""

    def __init__(self, named: Mapping[tuple[str, str], type[IntEnum]] | None = None) -> None:
        self.structs: Json = {}
        self.enums: Json = {}
        self._named = named or {}
        self._holds = ""

    def message(self, kind: type[Any]) -> Json:
        """Describe a struct with a tag."""
        return {"tag": kind.__struct_config__.tag, "name": kind.__name__, **self._body(kind, kind.__name__)}

    def view(self, kind: Any) -> list[Json]:
        """Describe the fields of a view."""
        fields: list[Json] = self._body(kind, "view")["fields"]
        return [{"number": number, **field} for number, field in enumerate(fields)]

    def _body(self, kind: type[Any], owner: str) -> Json:
        info = types.type_info(kind)
        assert isinstance(info, types.StructType)
        doc = " ".join((kind.__doc__ or "").split())
        return {"fields": [self._field(field, owner) for field in info.fields], "doc": doc}

    def _field(self, field: types.Field, owner: str) -> Json:
        self._holds = _HELD.get(field.name, "")
        found: Json = {"name": field.name, **self.kind(field.type)}
        names = self._named.get((owner, field.name))
        if names is not None:
            self._enum(names)
            found.get("of", found).update(type="int", enum=names.__name__)
        return found if field.required else {**found, "default": _plain(field.default)}

    def kind(self, kind: types.Type) -> Json:
        """Describe a type."""
        match kind:
            case types.IntType(ge=low, le=high):
                return {"type": "int"} if low is None or high is None else {"type": "int", "min": low, "max": high}
            case types.StrType(min_length=low, max_length=high):
                return {"type": "str"} if high is None else {"type": "str", "min": low or 0, "max": high}
            case types.BytesType(min_length=low, max_length=high):
                return {"type": "bin"} if high is None else {"type": "bin", "min": low or 0, "max": high}
            case types.BoolType():
                return {"type": "bool"}
            case types.RawType():
                return {"type": "any", "holds": self._holds}
            case types.DictType(key_type=key, value_type=value, max_length=most):
                return _bounded({"type": "map", "key": self.kind(key), "of": self.kind(value)}, most)
            case types.VarTupleType(item_type=item, max_length=most) | types.ListType(item_type=item, max_length=most):
                return _bounded({"type": "array", "of": self.kind(item)}, most)
            case types.TupleType(item_types=items):
                return {"type": "tuple", "items": [self.kind(item) for item in items]}
        return self._name(kind)

    def _name(self, kind: types.Type) -> Json:
        match kind:
            case types.EnumType(cls=cls):
                self._enum(cls)
                return {"type": "str" if issubclass(cls, str) else "int", "enum": cls.__name__}
            case types.StructType(cls=cls):
                if cls.__name__ not in self.structs:
                    self.structs[cls.__name__] = {}  # A sentence may stand in another one.
                    tag = cls.__struct_config__.tag
                    self.structs[cls.__name__] = {
                        **({} if tag is None else {"tag": tag}),
                        **self._body(cls, cls.__name__),
                    }
                return {"type": "struct", "struct": cls.__name__}
            case types.UnionType(types=kinds) if all(isinstance(each, types.StructType) for each in kinds):
                return {"type": "frame"}
            case types.UnionType(types=kinds):
                some = [each for each in kinds if not isinstance(each, types.NoneType)]
                if len(some) == 1:
                    return {**self.kind(some[0]), "nil": True}
                return {"type": "union", "any": [self.kind(each) for each in some]}
        raise TypeError(f"no word for {kind}")

    def _enum(self, cls: type[Enum]) -> None:
        values = {str(item.value): item.name.lower() for item in cls}
        self.enums[cls.__name__] = {"values": values, "doc": " ".join((cls.__doc__ or "").split())}


def _bounded(kind: Json, most: int | None) -> Json:
    return {**kind, "max": most} if most else kind


def _plain(value: object) -> object:
    """Return a default as it travels, with empty bytes as an empty word."""
    if isinstance(value, Enum):
        value = value.value
    return "" if value == b"" else value


def _fields(view: Any) -> tuple[types.Field, ...]:
    info = types.type_info(view)
    assert isinstance(info, types.StructType)
    return info.fields


def frame_kinds(rules: AnyRuleset) -> tuple[Any, ...]:
    """Return the kinds of frame that a view's stack may hold."""
    (stack,) = [field.type for field in _fields(rules.view_decoder.type) if field.name == "frames"]
    assert isinstance(stack, types.ListType) and isinstance(stack.item_type, types.UnionType)
    return tuple([kind.cls for kind in stack.item_type.types if isinstance(kind, types.StructType)])


def words(rules: AnyRuleset) -> dict[str, tuple[Any, ...]]:
    """Return the actions, events and frames of a rule set, by the name of their table."""
    actions, events = get_args(rules.action_decoder.type), get_args(rules.event_decoder.type)
    return {"actions": actions, "events": events, "frames": frame_kinds(rules)}


def _in_order(kinds: Iterable[Any]) -> list[Any]:
    return sorted(kinds, key=lambda kind: kind.__struct_config__.tag)


def _ruleset(rules: AnyRuleset) -> Json:
    vocabulary = Vocabulary(NAMED[rules.id])
    said = {name: [vocabulary.message(kind) for kind in _in_order(kinds)] for name, kinds in words(rules).items()}
    for frame in said["frames"]:
        frame["answers"] = list(ANSWERS[rules.id].get(frame["name"], ()))
    told = description(rules)
    options = [{name: getattr(option, name) for name in option.__struct_fields__} for option in told.options]
    return {
        "version": rules.version,
        "title": rules.title,
        "seats": {"min": rules.min_seats, "max": rules.max_seats},
        "options": options,
        "view": vocabulary.view(rules.view_decoder.type),
        **said,
        "standing": [kind.__name__ for kind in rules.standing.kinds],
        "structs": vocabulary.structs,
        "enums": vocabulary.enums,
    }


def schema() -> Json:
    """Return the contents of protocol/schema.json."""
    vocabulary = Vocabulary()
    to_server = [vocabulary.message(kind) for kind in _in_order(get_args(messages.ClientMessage))]
    to_client = [vocabulary.message(kind) for kind in _in_order(get_args(messages.ServerMessage))]
    return {
        "protocol": PROTOCOL,
        "messages": {"to_server": to_server, "to_client": to_client},
        "structs": vocabulary.structs,
        "enums": vocabulary.enums,
        "close_codes": {str(int(code)): text for code, text in MEANING.items()},
        "rulesets": {rules.id: _ruleset(rules) for rules in RULESETS.values()},
    }


def written(value: Any, room: int = 116, indent: str = "") -> str:
    """Return JSON for programs and people: each value that fits into a line takes one line."""
    line = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(line) <= room or not isinstance(value, dict | list | tuple):
        return line
    deeper = indent + " "
    if isinstance(value, dict):
        parts = [f"{json.dumps(key)}: {written(item, room, deeper)}" for key, item in value.items()]
        return "{\n" + ",\n".join(deeper + part for part in parts) + "\n" + indent + "}"
    return "[\n" + ",\n".join(deeper + written(item, room, deeper) for item in value) + "\n" + indent + "]"
