"""Imports point down only: shared, protocol and its process, then server and client, which never meet."""

import ast
import importlib
import sys
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path

import pytest

from client.workshop.trees import nodes
from shared.rulesets.cote2 import data as cote2_data

ROOT = Path(__file__).parents[1]
OURS = {"shared", "protocol", "server", "client", "conquest"}
LIBRARY = "server/library/conquest"
"""Folder of the package `conquest`, the library."""
PROCESS = "protocol/process"
"""Folder of what all programs do alike as processes of the system: a layer of its own, which is not pure."""
MAY_IMPORT = {
    "shared": {"shared"},
    "process": set(),
    "protocol": {"protocol", "shared"},
    "conquest": {"conquest", "protocol", "shared", "server"},
    "server": {"server", "protocol", "shared", "conquest"},
    "client": {"client", "protocol", "shared"},
}
IMPURE = {
    "asyncio", "concurrent", "datetime", "http", "logging", "multiprocessing", "os", "pathlib", "queue", "random",
    "secrets", "select", "shutil", "signal", "socket", "sqlite3", "ssl", "subprocess", "tempfile", "threading",
    "time", "urllib", "uuid",
}  # fmt: skip
"""Clocks, chance, logs, input and output: none of these in `shared`."""
SANS_IO = IMPURE | {"websockets", "arcade", "pyglet"}
"""None of these in `protocol`."""


def files(package: str) -> list[Path]:
    apart = {"conquest": ROOT / LIBRARY, "process": ROOT / PROCESS}
    if package in apart:
        return sorted(apart[package].rglob("*.py"))
    found = (ROOT / package).rglob("*.py")
    return sorted(path for path in found if not any(path.is_relative_to(folder) for folder in apart.values()))


@cache
def imports(path: Path) -> tuple[tuple[int, str], ...]:
    """Return line and full name of every imported module, also of imports inside functions."""
    return tuple(_imports(path))


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    for node in _statements(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            assert node.module is not None
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def _statements(tree: ast.Module) -> list[ast.AST]:
    """Return all statements, also those inside others. No expression contains one, so none is looked through."""
    found: list[ast.AST] = [tree]
    for node in found:  # It grows meanwhile.
        for field in ("body", "orelse", "handlers", "finalbody", "cases"):
            below = getattr(node, field, ())
            found += below if isinstance(below, list) else ()
    return found


def breaches(package: str, forbidden: set[str]) -> list[str]:
    """Return imports that the package may not have."""
    return [
        f"{path.relative_to(ROOT)}:{line} imports {name}"
        for path in files(package)
        for line, name in imports(path)
        if name.partition(".")[0] in forbidden
    ]


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_imports_point_down(package: str) -> None:
    assert files(package)
    assert not breaches(package, OURS - MAY_IMPORT[package])


LONG_CLASSES = {"TextProgram": 862, "TextTable": 441, "Navigation": 417, "Moving": 414}
"""Classes of the client with more lines than others may have, and their lines, which may only become fewer."""
MOST_LINES = 400


def test_no_class_of_the_client_has_too_many_lines() -> None:
    lengths = {
        node.name: (node.end_lineno or 0) - node.lineno + 1
        for path in files("client")
        for node in _statements(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ClassDef)
    }
    long = {name: lines for name, lines in lengths.items() if lines > MOST_LINES}
    assert all(lines <= LONG_CLASSES.get(name, MOST_LINES) for name, lines in long.items()), long
    assert long.keys() == LONG_CLASSES.keys(), "a class that became short needs no exception any more"


def test_shared_is_pure_and_needs_msgspec_only() -> None:
    assert not breaches("shared", IMPURE)
    known = sys.stdlib_module_names | {"shared", "msgspec"}
    foreign = {name for path in files("shared") for _, name in imports(path) if name.partition(".")[0] not in known}
    assert not foreign


def test_protocol_does_no_input_or_output() -> None:
    assert not breaches("protocol", SANS_IO)
    used = {name for path in files("protocol") for _line, name in imports(path)}
    assert not {name for name in used if name.startswith(PROCESS.replace("/", "."))}


def test_a_film_needs_no_window() -> None:
    """The modules that a film needs do not import the window either: the text client reads films too."""
    used: dict[str, set[str]] = graph("client")
    reached: set[str] = set()
    waiting = [name for name in used if name.startswith("client.replay")]
    while waiting:
        reached.add(name := waiting.pop())
        waiting += used[name] - reached
    assert len(reached) > 10
    for name in reached:
        path = ROOT / name.replace(".", "/")
        file = path.with_suffix(".py") if path.with_suffix(".py").exists() else path / "__init__.py"
        foreign = {other for _, other in imports(file) if other.partition(".")[0] in ("arcade", "pyglet")}
        assert not foreign, f"{name} loads {foreign}"


def test_the_library_uses_only_bots_of_the_server_and_only_tools_use_it() -> None:
    """Bots are imported inside functions: importing the library loads no part of the server."""
    used = {(path.name, name) for path in files("conquest") for _, name in imports(path) if name.startswith("server")}
    users = {file for file, _ in used}
    assert users == {"game.py", "players.py", "views.py"}
    assert all(name.startswith("server.bots.") or name == "server.bots" for _, name in used)
    bodies = [ast.parse((ROOT / LIBRARY / user).read_text(encoding="utf-8")).body for user in users]
    at_once = [node.module for body in bodies for node in body if isinstance(node, ast.ImportFrom) and node.module]
    assert not [name for name in at_once if name.startswith("server")]
    for path in files("server"):
        asking = {name for _, name in imports(path) if name.partition(".")[0] == "conquest"}
        assert not asking or path.is_relative_to(ROOT / "server" / "tools"), path
    everywhere = [path for package in MAY_IMPORT for path in files(package)]
    assert not [path for path in everywhere for _, name in imports(path) if name.startswith("server.library")]


CONQUEST = "conquest"
"""The package of what two rule sets have alike; it is no rule set itself."""
SHARE_CONQUEST = {"classic", "mb1984"}


def games() -> set[str]:
    """Return the packages of the rule sets."""
    folder = ROOT / "shared" / "rulesets"
    return {path.name for path in folder.iterdir() if (path / "__init__.py").exists()} - {CONQUEST}


def test_only_the_registry_knows_all_rule_sets_and_none_knows_another() -> None:
    folder = ROOT / "shared" / "rulesets"
    for path in folder.rglob("*.py"):
        own = path.relative_to(folder).parts[0]
        if own == "registry.py":
            continue
        used = {name.split(".")[2] for _, name in imports(path) if name.startswith("shared.rulesets.")}
        may = {own, CONQUEST} if own in SHARE_CONQUEST else {own}
        assert used <= may, f"{path} imports {used - may}"
    below = [*files("shared/kernel"), *files("shared/mechanics"), ROOT / "shared" / "messages.py"]
    assert not [path for path in below for _, name in imports(path) if name.startswith("shared.rulesets")]
    assert games() > SHARE_CONQUEST


@pytest.mark.parametrize("place", ["shared/odds", "shared/actions"])
def test_odds_and_actions_of_a_game_know_its_rules_alone(place: str) -> None:
    for path in files(place):
        if path.stem == "registry":
            continue
        used = {name.split(".")[2] for _, name in imports(path) if name.startswith("shared.rulesets.")}
        own = path.relative_to(ROOT / place).with_suffix("").parts[0]
        may = {own, CONQUEST} if own in SHARE_CONQUEST else {own}
        assert used <= may, f"{path} imports {used - may}"


def test_the_server_knows_no_rule_set_outside_its_bots_and_commands() -> None:
    for path in files("server"):
        if not {"bots", "tools"} & set(path.parts):
            assert not [name for _, name in imports(path) if name.startswith("shared.rulesets")], path


KNOWS_THE_GAMES = ("client/games", "client/text_client", "client/workshop/page")
"""Parts of the client in which each game may have modules of its own. All others serve any game."""


def test_the_client_knows_a_rule_set_only_where_each_game_has_its_place() -> None:
    for path in files("client"):
        name = path.relative_to(ROOT).as_posix()
        used = {other for _, other in imports(path) if other.startswith(("shared.rulesets.", "client.games."))}
        own = {other for other in used if other.split(".")[2] not in ("registry", "problems", "static_match")}
        if not name.startswith(KNOWS_THE_GAMES):
            assert not own, f"{name} imports {own}"


@pytest.mark.parametrize("place", ["client/games", "client/text_client"])
def test_no_game_of_the_client_knows_another(place: str) -> None:
    for path in files(place):
        of = {part for part in path.relative_to(ROOT / place).with_suffix("").parts[:1] if part in games()}
        used = {part for _, name in imports(path) for part in name.split(".")[2:3] if part in games()}
        assert path.stem == "registry" or not of or used <= of, f"{path} imports {used - of}"


def module(path: Path) -> str:
    """Return the dotted name of a file."""
    home = (ROOT / LIBRARY).parent if path.is_relative_to(ROOT / LIBRARY) else ROOT
    return ".".join(path.relative_to(home).with_suffix("").parts).removesuffix(".__init__")


def graph(package: str) -> dict[str, set[str]]:
    """Return the modules of its own package that each module imports, for types too."""
    known = {module(path): path for path in files(package)}
    return {name: _used(path, set(known)) - {name} for name, path in known.items()}


def _used(path: Path, known: set[str]) -> set[str]:
    """Return a.b for `from a import b` if that is a module, else a."""
    used = {(line, name) for line, name in imports(path) if name in known}
    return {name for line, name in used if not any(at == line and other.startswith(f"{name}.") for at, other in used)}


@pytest.mark.parametrize("package", MAY_IMPORT)
def test_nothing_imports_in_a_circle(package: str) -> None:
    try:
        tuple(TopologicalSorter(graph(package)).static_order())
    except CycleError as error:
        pytest.fail(f"in a circle: {' imports '.join(reversed(error.args[1]))}")


PACKAGE_LEVELS = {
    "shared": (
        ("language",), ("ids", "refusal", "codes"), ("actions.description", "odds.chances"), ("board",),
        ("kernel",),
        ("vocabulary", "tables"), ("mechanics", "choices"), ("messages", "compiled", "history", "levels", "proof"),
        ("clocks",), ("rulesets",), ("odds",), ("sentences",), ("actions",), ("lessons",),
    ),
    "conquest": (
        ("arguments", "errors", "pictures", "position"), ("actions",), ("map",), ("views", "battles"),
        ("records", "players"), ("game", "player_process"), ("environments",), ("learning", "openspiel"), ("client",),
    ),
    "server": (
        ("metrics", "addresses"), ("rate_limits",),
        ("clock",), ("log", "subprocess_workers", "turns"), ("storage", "router"), ("delivery", "webhooks"),
        ("bus", "web"), ("matches",), ("archive",), ("lobby",), ("cluster", "ladder"), ("opening",), ("connections",),
        ("bots",), ("tools",), ("command_line",), ("__main__",),
    ),
    "client": (
        ("user_directories",), ("language", "desktop"), ("keyboard",), ("drawing", "player"),
        ("network", "sound"), ("replay",), ("table",),
        ("games",), ("text_client",), ("screens", "commands"), ("navigation",),
        ("message_router", "turn_alert", "lan_announcer"),
        ("app",),
        ("window",), ("command_line",), ("__main__",),
        ("workshop",),
    ),
    "client.games": (
        ("battle_dice",), ("conquest", "cote2"), ("classic", "mb1984"), ("registry",), ("static_match",),
    ),
}  # fmt: skip
"""The modules of a package from the bottom up: each uses those below it; modules side by side never use each other."""


def room_of(name: str, package: str) -> str:
    """Return the group of modules to which a module belongs; "" for the package itself and for all others."""
    inside = name.removeprefix(f"{package}.") if name.startswith(f"{package}.") else ""
    alone = {room for rooms in PACKAGE_LEVELS[package] for room in rooms if "." in room}
    return inside if inside in alone else inside.split(".")[0]


@pytest.mark.parametrize("package", PACKAGE_LEVELS)
def test_rooms_use_only_what_is_below_them(package: str) -> None:
    height = {room: level for level, rooms in enumerate(PACKAGE_LEVELS[package]) for room in rooms}
    wrong = []
    for name, used in graph(package.partition(".")[0]).items():
        room = room_of(name, package)
        others = {other for each in used if (other := room_of(each, package)) and room and other != room}
        wrong += [f"{name} reaches up or across into {other}" for other in others if height[other] >= height[room]]
    assert not wrong


def test_a_single_server_needs_nothing_of_the_cluster() -> None:
    """`opening` imports it inside functions that are called for `--store` and `--bus`, and nothing else does."""
    for path in files("server"):
        name = path.relative_to(ROOT).as_posix()
        used = {other for _, other in imports(path) if other.startswith(("server.cluster", "asyncpg", "nats"))}
        if name == "server/opening.py":
            at_once = [
                node for node in ast.parse(path.read_text(encoding="utf-8")).body if isinstance(node, ast.ImportFrom)
            ]
            used = {node.module for node in at_once if node.module and node.module.startswith("server.cluster")}
        assert name.startswith("server/cluster/") or not used, f"{name} imports {used}"


WORKSHOPS = ("client.workshop.map", "client.workshop.sounds", "client.workshop.translations", "client.workshop.page")


@pytest.mark.parametrize("workshop", WORKSHOPS)
def test_a_workshop_is_used_by_nothing_that_ships(workshop: str) -> None:
    users = [name for name, used in graph("client").items() if any(each.startswith(workshop) for each in used)]
    assert users and all(name.startswith(WORKSHOPS) for name in users)


def test_only_rule_sets_bots_and_tools_apply_unchecked_actions() -> None:
    """Actions from the wire or from a file are judged before they are performed."""
    trusting = {
        "shared/kernel/engine.py", "server/tools/simulate.py", "server/library/conquest/game.py",
        "server/library/conquest/position.py",
    }  # fmt: skip
    for package in MAY_IMPORT:
        for path in files(package):
            name = path.relative_to(ROOT).as_posix()
            if "perform" in path.read_text(encoding="utf-8") and "perform" in words(path):
                assert name in trusting or name.startswith("server/bots/"), name


def words(path: Path) -> set[str]:
    """Return every name in a file: alone, behind a dot or in an import."""
    found = nodes(ast.parse(path.read_text(encoding="utf-8")))
    names = {node.id for node in found if isinstance(node, ast.Name)}
    names |= {node.attr for node in found if isinstance(node, ast.Attribute)}
    return names | {alias.name for node in found if isinstance(node, ast.ImportFrom) for alias in node.names}


def test_nothing_hides_an_import_behind_the_type_checker() -> None:
    for package in MAY_IMPORT:
        for path in files(package):
            assert "TYPE_CHECKING" not in path.read_text(encoding="utf-8"), path


PLACES = {
    "shared.mechanics.aimed_shots": {"NO_ROLL"},
    "shared.mechanics.marching": {"BEST_FIRST"},
    "shared.mechanics.pieces": {"ABOARD", "OFF", "PRISON"},
    "shared.rulesets.classic.battle": {"CHEAP_FIRST", "STRONG_FIRST"},
    "shared.rulesets.classic.options": {"AMENDED"},
    "shared.rulesets.classic.table": {"GALLEYS", "LEADERS"},
    "shared.rulesets.cote2.data": {
        "INFLUENCE_IN_ROME", "ITALIA", "KEYS", "KEY_SET", "NAMED", "NEW_LEGIONS", "REVOLT", "SEAS", "SENATORS",
        "SHORES",
    },
    "shared.rulesets.cote2.effects": {"VOTES"},
    "shared.rulesets.cote2.joining": {"ZONES"},
    "shared.rulesets.cote2.options": {"AMENDED", "SEASONS", "VICTORY"},
    "shared.rulesets.cote2.senate": {"NO_SENATORS"},
    "shared.rulesets.cote2.state": {
        "ALIENS", "FROM_CARD", "FROM_CHAOS", "GALLEYS", "HIDDEN", "LEADERS", "OFF", "REBELS",
    },
    "shared.rulesets.cote2.ways": {"BRIDGES"},
    "shared.rulesets.mb1984.options": {"AMENDED", "GALLEY_LEADERS", "GALLEY_TARGETS"},
    "shared.rulesets.mb1984.table": {"GALLEYS", "LEADERS"},
}  # fmt: skip
"""Numbers that others may name: places in the fields of a position, spaces, cards, kinds in an order. No option changes
them.
"""
OF_EVENTS = {"shared/sentences/cote2.py": {"BATTLE_CHAOS", "TAX_STEP"}}
"""Numbers in sentences about events, which know no table. An option that changes one adds a field to its event."""
PRINTED = "client/workshop/page/"
"""The generator of the browser page: it writes the numbers that the rulebooks print."""


def is_number(value: object) -> bool:
    """Whether a value is a number, or consists of numbers alone."""
    if isinstance(value, Mapping):
        return is_number(tuple(value.values()))
    if isinstance(value, tuple | list | frozenset | range):
        return len(value) > 0 and all(is_number(each) for each in value)
    return isinstance(value, int | float) and not isinstance(value, bool | Enum)


def numbers_of_rules(path: Path) -> set[tuple[str, str]]:
    """Return module and name of every number of the rules that a file names."""
    modules = {name: importlib.import_module(name) for name in rule_modules()}
    text = path.read_text(encoding="utf-8")
    found = nodes(ast.parse(text)) if "shared.rulesets" in text or "shared.mechanics" in text else []
    named = {
        (node.module, alias.name, alias.asname or alias.name)
        for node in found if isinstance(node, ast.ImportFrom) and node.module
        for alias in node.names
    }  # fmt: skip
    known = {local: f"{module}.{name}" for module, name, local in named if f"{module}.{name}" in modules}
    asked = {(module, name) for module, name, _ in named if module in modules}
    asked |= {
        (known[node.value.id], node.attr) for node in found
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id in known
    }  # fmt: skip
    return {
        (module, name) for module, name in asked
        if name.isupper() and (is_number(value := getattr(modules[module], name)) or value is cote2_data.DATA)
    }  # fmt: skip


@cache
def rule_modules() -> tuple[str, ...]:
    """Return the modules of the rules and of their mechanics."""
    return tuple(
        module(path) for path in files("shared") if module(path).startswith(("shared.rulesets.", "shared.mechanics."))
    )


def test_only_the_rules_have_the_numbers_of_the_rules() -> None:
    """Everything else asks a function of the table's options, so that an option can change every number."""
    wrong, found = [], 0
    for package in MAY_IMPORT:
        for path in files(package):
            name = path.relative_to(ROOT).as_posix()
            if name.startswith(("shared/rulesets/", "shared/mechanics/", PRINTED)):
                continue
            for source, number in numbers_of_rules(path):
                found += 1
                if number not in PLACES.get(source, set()) | OF_EVENTS.get(name, set()):
                    wrong.append(f"{name} names {source}.{number}")
    assert not wrong
    assert found > 100


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from shared.rulesets.classic.options import PRICES", {("shared.rulesets.classic.options", "PRICES")}),
        ("from shared.rulesets.mb1984 import property as p\np.REWARD", {("shared.rulesets.mb1984.property", "REWARD")}),
        ("from shared.rulesets.cote2.data import DATA", {("shared.rulesets.cote2.data", "DATA")}),
        ("from shared.rulesets.classic.options import OPTIONS, prices", set()),
    ],
)
def test_the_search_for_numbers_finds_them(tmp_path: Path, text: str, found: set[tuple[str, str]]) -> None:
    path = tmp_path / "module.py"
    path.write_text(text, "utf-8")
    assert numbers_of_rules(path) == found
