"""The schema and the board: other programs can read every message with these two files."""

import json
from typing import Any

import msgpack
import pytest

from shared.board import BOARD, land_steps
from shared.kernel import engine
from shared.rulesets.registry import RULESETS
from tests.protocol.make_samples import FOLDER
from tests.protocol.schema import ANSWERS, written
from tests.protocol.spec_tables import BOARD as BOARD_FILE
from tests.protocol.spec_tables import SCHEMA as SCHEMA_FILE
from tests.support.cases import case

SCHEMA: dict[str, Any] = json.loads(SCHEMA_FILE.read_text(encoding="utf-8"))
PRINTED: dict[str, Any] = json.loads(BOARD_FILE.read_text(encoding="utf-8"))


class Reader:
    """Judges plain values by the schema alone, as a program in another language would."""

    def __init__(self, ruleset: str = "") -> None:
        own = SCHEMA["rulesets"].get(ruleset, {"structs": {}, "enums": {}, "frames": []})
        self.structs = {**SCHEMA["structs"], **own["structs"]}
        self.enums = {**SCHEMA["enums"], **own["enums"]}
        self.frames = own["frames"]

    def tagged(self, kinds: list[dict[str, Any]], value: list[Any]) -> str:
        """Return the name of the kind that this value has; AssertionError if it has none of them."""
        (kind,) = [kind for kind in kinds if kind["tag"] == value[0]]
        self.fields(kind["fields"], value[1:])
        return str(kind["name"])

    def fields(self, fields: list[dict[str, Any]], values: list[Any]) -> None:
        assert len(values) <= len(fields)
        for field, value in zip(fields, values, strict=False):
            self.value(field, value)
        assert all("default" in field for field in fields[len(values) :])

    def value(self, kind: dict[str, Any], value: Any) -> None:
        if value is None:
            assert kind.get("nil"), kind
            return
        if "enum" in kind:
            assert str(value) in self.enums[kind["enum"]]["values"] or value == -1, (kind, value)
            return
        getattr(self, f"_{kind['type']}")(kind, value)

    def _int(self, kind: dict[str, Any], value: Any) -> None:
        assert type(value) is int and kind.get("min", value) <= value <= kind.get("max", value)

    def _str(self, kind: dict[str, Any], value: Any) -> None:
        assert type(value) is str and kind.get("min", 0) <= len(value) <= kind.get("max", len(value))

    def _bin(self, kind: dict[str, Any], value: Any) -> None:
        assert type(value) is bytes and kind.get("min", 0) <= len(value) <= kind.get("max", len(value))

    def _bool(self, _kind: dict[str, Any], value: Any) -> None:
        assert type(value) is bool

    def _any(self, kind: dict[str, Any], _value: Any) -> None:
        assert kind["holds"] in ("action", "view", "delta", "event", "sentence")

    def _array(self, kind: dict[str, Any], value: Any) -> None:
        assert type(value) is list and len(value) <= kind.get("max", len(value))
        for item in value:
            self.value(kind["of"], item)

    def _tuple(self, kind: dict[str, Any], value: Any) -> None:
        for item, each in zip(kind["items"], value, strict=True):
            self.value(item, each)

    def _map(self, kind: dict[str, Any], value: Any) -> None:
        for key, each in value.items():
            self.value(kind["key"], key)
            self.value(kind["of"], each)

    def _struct(self, kind: dict[str, Any], value: Any) -> None:
        struct = self.structs[kind["struct"]]
        if "tag" in struct:
            assert value[0] == struct["tag"]
        self.fields(struct["fields"], value["tag" in struct :])

    def _union(self, kind: dict[str, Any], value: Any) -> None:
        found = {int: "int", str: "str", list: "struct"}[type(value)]
        tagged = (each for each in kind["any"] if each["type"] == found)
        (one,) = (each for each in tagged if found != "struct" or self.structs[each["struct"]]["tag"] == value[0])
        self.value(one, value)

    def _frame(self, _kind: dict[str, Any], value: Any) -> None:
        self.tagged(self.frames, value)


def test_every_sample_is_what_the_schema_says() -> None:
    for path in sorted(FOLDER.rglob("to_*.msgpack")):
        with case(path):
            side = "to_server" if path.stem.startswith("to_server") else "to_client"
            assert Reader().tagged(SCHEMA["messages"][side], msgpack.unpackb(path.read_bytes()))


@pytest.mark.parametrize("game", RULESETS)
def test_every_word_of_a_rule_set_is_what_the_schema_says(game: str) -> None:
    kept = json.loads((FOLDER / f"words_{game}.json").read_text(encoding="utf-8"))
    for table, words in kept.items():
        for name, data in words.items():
            assert Reader(game).tagged(SCHEMA["rulesets"][game][table], msgpack.unpackb(bytes.fromhex(data))) == name


@pytest.mark.parametrize("name", ["stream_classic_2", "stream_mb1984", "stream_cote2_seat_0"])
def test_a_recorded_snapshot_is_what_the_schema_says(name: str) -> None:
    game = name.split("_")[1]
    lines = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    view = msgpack.unpackb(bytes.fromhex(lines[0]))[3]
    Reader(game).fields([{**field, "default": 0} for field in SCHEMA["rulesets"][game]["view"]], view)
    events = [event for line in lines[1:] for event in msgpack.unpackb(bytes.fromhex(line))[4]]
    assert events and all(Reader(game).tagged(SCHEMA["rulesets"][game]["events"], event) for event in events)


@pytest.mark.parametrize("game", RULESETS)
def test_each_frame_has_actions_and_each_action_answers_a_frame(game: str) -> None:
    rules = SCHEMA["rulesets"][game]
    known = {action["name"] for action in rules["actions"]}
    answers = {frame["name"]: set(frame["answers"]) for frame in rules["frames"]}
    assert set().union(*answers.values()) | set(rules["standing"]) == known
    assert {name for name in ANSWERS[game] if name in answers} == {name for name, those in answers.items() if those}
    assert rules["version"] == RULESETS[game].version


def test_the_board_is_the_one_that_the_rules_are_played_on() -> None:
    spaces, coasts = PRINTED["spaces"], PRINTED["coasts"]
    assert [space["name"] for space in spaces] == list(BOARD.names)
    assert [space["number"] for space in spaces] == list(range(BOARD.spaces))
    provinces = spaces[: PRINTED["provinces"]]
    assert [space["kind"] for space in spaces] == ["province"] * 42 + ["zone"] * 18
    assert [sorted(space["land"]) for space in provinces] == [sorted(steps) for steps in land_steps(False)]
    assert PRINTED["edges"] == [list(edge) for edge in BOARD.edges]
    assert {edge for a, space in enumerate(provinces) for b in space["land"] for edge in [(min(a, b), max(a, b))]} == {
        (a, b) for a, b in PRINTED["edges"]
    }
    positions = {coast["number"]: coast for coast in coasts}
    for space in provinces:
        assert all(positions[coast]["space"] == space["number"] for coast in space["coasts"])
    for zone in spaces[42:]:
        assert zone["coasts"] == [coast["number"] for coast in coasts if zone["number"] in coast["zones"]]
        assert all(zone["number"] in spaces[other]["zones"] for other in zone["zones"])
    assert sorted(positions) == sorted({c for space in provinces for c in space["coasts"]})
    assert max(positions) == BOARD.positions - 1 == 62


@pytest.mark.parametrize("game", ["classic", "mb1984"])
@pytest.mark.parametrize("seats", range(2, 7))
def test_starting_pieces_are_those_printed(game: str, seats: int) -> None:
    rules, printed = RULESETS[game], PRINTED["rulesets"][game]
    state = engine.start(rules, seats, {"homes": 2}, engine.ignore_event)
    assert state.home == printed["homes"][str(seats)]
    assert [state.home[seat] for seat in state.order] == [home for home in printed["order"] if home in state.home]
    assert len(state.leader_at) == seats * printed["colour"]["leaders"]
    assert len(state.galley_at) == seats * printed["colour"]["galleys"]
    home = state.home[0]
    assert state.units[home] == (0, printed["start"]["infantry"], 0, 0) and state.built[home] == 2
    assert state.marker[0] == PRINTED["spaces"][home]["tribute"] + printed["city_tribute"]


def test_cards_keys_and_prices_are_those_of_the_second_game() -> None:
    printed = PRINTED["rulesets"]["cote2"]
    state = engine.start(RULESETS["cote2"], 3, {}, engine.ignore_event)
    assert len(printed["cards"]) == len(state.row) == 43
    assert [space for space, tokens in enumerate(state.influence) if tokens] == printed["keys"]
    assert [*state.talents] == [printed["start"]["talents"]] * 3
    assert len(state.leader_at) == 3 * (1 + printed["supply"]["generals"])
    assert all(set(numbers) == set(map(str, printed["keys"])) for numbers in printed["victory"])
    assert len(printed["strait_zones"]) == 2
    assert [len(by_strait) for by_strait in printed["strait_zones"]] == [len(PRINTED["straits"])] * 2


def test_values_that_fit_into_a_line_stay_on_it() -> None:
    value = {"a": [1, 2], "b": {"c": ["x" * 40] * 3, "d": None}}
    assert json.loads(written(value)) == value == json.loads(written(value, 20))
    assert written(value, 200) == json.dumps(value)
    assert written([[1, 2], [3]], 8) == "[\n [1, 2],\n [3]\n]"
