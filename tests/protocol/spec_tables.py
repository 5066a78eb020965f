"""schema.json, board.json and the tables of SPEC.md, made from the types and from each other:
`python -m tests.protocol.spec_tables` writes them anew."""

import json
import re
from collections.abc import Iterable
from pathlib import Path
from typing import Any, Final

from tests.protocol.board import board
from tests.protocol.schema import Json, schema, written
from tests.protocol.words import FILE as WORDS
from tests.protocol.words import made

FOLDER: Final = Path(__file__).parents[2] / "protocol"
SPEC: Final = FOLDER / "SPEC.md"
SCHEMA: Final = FOLDER / "schema.json"
BOARD: Final = FOLDER / "board.json"


class Tables:
    """The tables of SPEC.md, from the schema alone."""

    def __init__(self, made: Json) -> None:
        self._made = made
        self._enums: Json = made["enums"]

    def all(self) -> dict[str, str]:
        """By their marks."""
        made = self._made
        found = {
            "to-server": self._table(made["messages"]["to_server"]),
            "to-client": self._table(made["messages"]["to_client"]),
            "nested": self._nested(made["structs"]),
            "close-codes": _grid(("code", "meaning"), made["close_codes"].items()),
        }
        for name, rules in made["rulesets"].items():
            self._enums = {**made["enums"], **rules["enums"]}
            found |= self._ruleset(name, rules)
        return found

    def _ruleset(self, name: str, rules: Json) -> dict[str, str]:
        view = [(field["number"], f"`{field['name']}`", self.shown(field)) for field in rules["view"]]
        return {
            f"{name}-view": _grid(("number", "field", "type"), view),
            f"{name}-actions": self._table(rules["actions"]),
            f"{name}-events": self._table(rules["events"]),
            f"{name}-frames": self._frames(rules["frames"]),
        }

    def _table(self, kinds: Iterable[Json]) -> str:
        rows = [(kind["tag"], kind["name"], self._fields(kind), kind["doc"]) for kind in kinds]
        return _grid(("tag", "name", "fields", "meaning"), rows)

    def _nested(self, structs: Json) -> str:
        rows = [(name, self._fields(kind), kind["doc"]) for name, kind in sorted(structs.items())]
        return _grid(("name", "fields", "meaning"), rows)

    def _frames(self, frames: Iterable[Json]) -> str:
        rows = [
            (frame["tag"], frame["name"], self._fields(frame), ", ".join(frame["answers"]) or "-", frame["doc"])
            for frame in frames
        ]
        return _grid(("tag", "name", "fields", "answered by", "meaning"), rows)

    def _fields(self, kind: Json) -> str:
        return ", ".join(map(self._field, kind["fields"])) or "-"

    def _field(self, field: Json) -> str:
        default = f" = {_plain(field)}" if "default" in field else ""
        return f"`{field['name']}` {self.shown(field)}{default}"

    def shown(self, kind: Json) -> str:
        """A type in words."""
        return self._shown(kind) + (" or nil" if kind.get("nil") else "")

    def _shown(self, kind: Json) -> str:
        if "enum" in kind:
            return self._named(kind)
        match kind["type"]:
            case "struct":
                return str(kind["struct"])
            case "array":
                return f"array of {self.shown(kind['of'])}" + _at_most(kind)
            case "map":
                return f"map of {self.shown(kind['key'])} to {self.shown(kind['of'])}" + _at_most(kind)
            case "tuple":
                return f"[{', '.join(map(self.shown, kind['items']))}]"
            case "any":
                return f"any ({kind['holds']})"
        return str(kind["type"]) + _range(kind)

    def _named(self, kind: Json) -> str:
        values = self._enums[kind["enum"]]["values"]
        if kind["type"] == "str":
            return " or ".join(f'"{value}"' for value in values)
        return "int: " + ", ".join(f"{number} {name.replace('_', ' ')}" for number, name in values.items())


def _at_most(kind: Json) -> str:
    return f", at most {kind['max']}" if "max" in kind else ""


def _range(kind: Json) -> str:
    if "max" not in kind:
        return ""
    return f" {kind['min']}" if kind["min"] == kind["max"] else f" {kind['min']}..{kind['max']}"


def _plain(field: Json) -> str:
    """A default as one writes it down; nil as it is called here."""
    return "nil" if field["default"] is None else json.dumps(field["default"])


def _grid(head: tuple[str, ...], rows: Iterable[Iterable[Any]]) -> str:
    lines = ["| " + " | ".join(str(cell).replace("|", "\\|") for cell in line) + " |" for line in (head, *rows)]
    return "\n".join([lines[0], "|" + "---|" * len(head), *lines[1:]])


PIECES: Final = ("infantry", "cavalry", "catapults", "galleys", "generals", "cities", "fortifications", "roads")


def pieces(rulesets: Json) -> str:
    """Return the table of the number and price of each kind of piece, game by game."""
    head = ("", *[f"{name} {what}" for name in rulesets for what in ("price", "pieces")])
    rows = []
    for piece in PIECES:
        row = [piece]
        for printed in rulesets.values():
            row += [str(printed["prices"].get(piece, "-")), _stock(printed, piece)]
        rows.append(row)
    return _grid(head, rows)


def _stock(printed: Json, piece: str) -> str:
    """So many of each colour, or in all."""
    colour = printed.get("supply") or {"generals": printed["colour"]["leaders"] - 1, **printed["colour"]}
    common = printed.get("common", {})
    return f"{common[piece]} in all" if piece in common else f"{colour[piece]} a colour" if piece in colour else "-"


def with_tables(text: str) -> str:
    """SPEC.md with its tables as the types are now."""
    tables = {**Tables(schema()).all(), "pieces": pieces(board()["rulesets"])}
    for name, lines in tables.items():
        pattern = rf"(<!-- {name} -->\n).*?(<!-- end -->)"
        found = re.search(pattern, text, re.DOTALL)
        assert found is not None, name
        text = f"{text[: found.start()]}{found[1]}{lines}\n{found[2]}{text[found.end() :]}"
    return text


def files() -> dict[Path, str]:
    """Return the generated files with their contents."""
    text = SPEC.read_text(encoding="utf-8")
    data = {SCHEMA: written(schema()) + "\n", BOARD: written(board()) + "\n", WORDS: made()}
    return {**data, SPEC: with_tables(text)}


if __name__ == "__main__":
    for path, text in files().items():
        path.write_text(text, encoding="utf-8")
