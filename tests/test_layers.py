"""Imports point down only: shared, protocol, then server and client, which never meet."""

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
OURS = {"shared", "protocol", "server", "client"}
MAY_IMPORT = {
    "shared": {"shared"},
    "protocol": {"protocol", "shared"},
    "server": {"server", "protocol", "shared"},
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
    return sorted((ROOT / package).rglob("*.py"))


def imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of every imported module, also those inside functions."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno} imports relatively"
            assert node.module is not None
            yield node.lineno, node.module
            yield from ((node.lineno, f"{node.module}.{alias.name}") for alias in node.names)


def breaches(package: str, forbidden: set[str]) -> list[str]:
    """Imports that the package may not have."""
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


def test_shared_is_pure_and_needs_msgspec_only() -> None:
    assert not breaches("shared", IMPURE)
    known = sys.stdlib_module_names | {"shared", "msgspec"}
    foreign = {name for path in files("shared") for _, name in imports(path) if name.partition(".")[0] not in known}
    assert not foreign


def test_protocol_does_no_input_or_output() -> None:
    assert not breaches("protocol", SANS_IO)


def test_only_the_registry_knows_all_rule_sets_and_none_knows_another() -> None:
    folder = ROOT / "shared" / "rulesets"
    names = {path.name for path in folder.iterdir() if (path / "__init__.py").exists()}
    for path in folder.rglob("*.py"):
        own = path.relative_to(folder).parts[0]
        if own == "registry.py":
            continue
        used = {name.split(".")[2] for _, name in imports(path) if name.startswith("shared.rulesets.")}
        assert used <= {own}, f"{path} imports {used - {own}}"
    below = [*files("shared/kernel"), *files("shared/mechanics"), ROOT / "shared" / "messages.py"]
    assert not [path for path in below for _, name in imports(path) if name.startswith("shared.rulesets")]
    assert names


def test_the_server_knows_no_rule_set_outside_its_bots_and_commands() -> None:
    edges = {"demo.py", "serving.py", "simulate.py"}
    for path in files("server"):
        if "bots" not in path.parts and path.name not in edges:
            assert not [name for _, name in imports(path) if name.startswith("shared.rulesets")], path
