"""What pyproject.toml cannot say. By default nothing is built; with CONQUEST_COMPILED=1 in the environment mypyc
compiles the rules and the bots' players, from the same sources, into modules that are imported in their place."""

import ast
import os
import sys
from pathlib import Path

from setuptools import Extension, setup

COMPILED = os.environ.get("CONQUEST_COMPILED") == "1"
TOOLS = ["mypy>=2.4,<3", "msgspec>=0.19,<0.30"]
"""What compiling needs beyond setuptools and a C compiler; msgspec for its types."""
BUILDS = {"build", "build_ext", "bdist_wheel", "install"}
"""The commands that build. Not `editable_wheel`: whoever edits the rules wants to see what he wrote."""
PLAYERS = ("classic", "cote2", "mb1984")
COMPILED_FOLDERS = (
    "shared/kernel",
    "shared/mechanics",
    "shared/rulesets/*",
    *(f"server/bots/{player}" for player in PLAYERS),
)
"""Where the time goes: the rules, and the players that a search asks in every rollout."""
SELDOM = {"beyond", "checks", "game", "obstacles", "refusals", "setup"}
"""Modules of a rule set that hardly take time: tables, the start, words, what is asked by tests or by players."""


def modules() -> list[str]:
    """Modules without classes that inherit: those stay as they are, as msgspec's must."""
    found = [path for folder in COMPILED_FOLDERS for path in Path().glob(f"{folder}/[a-z]*.py")]
    return sorted(str(path) for path in found if path.stem not in SELDOM and not _inherits(path))


def _inherits(path: Path) -> bool:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return any(isinstance(node, ast.ClassDef) and node.bases for node in nodes)


def extensions() -> list[Extension]:
    """The compiled modules; one C file for each, so that a small machine has the memory for it."""
    from mypyc.build import mypycify

    return mypycify(["--config-file=", *modules()], opt_level="1", debug_level="0", multi_file=True)


setup(
    setup_requires=TOOLS if COMPILED else [],
    ext_modules=extensions() if COMPILED and BUILDS & set(sys.argv) else [],
)
