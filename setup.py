"""The packages, and their optional compilation with mypyc: what pyproject.toml cannot express.

`server/library/conquest` is installed as the package `conquest`.

By default nothing is compiled. With CONQUEST_COMPILED=1 in the environment, the rules and the bots' policies are
compiled from the same sources. The compiled modules are imported in place of the sources."""

import ast
import os
import sys
from pathlib import Path

from setuptools import Extension, find_namespace_packages, setup

COMPILED = os.environ.get("CONQUEST_COMPILED") == "1"
TOOLS = ["mypy>=2.4,<3", "msgspec>=0.19,<0.30"]
"""Requirements of a compiling build, besides setuptools and a C compiler. mypy reads the types of msgspec."""
BUILDS = {"build", "build_ext", "bdist_wheel", "install"}
"""Commands that compile. Not `editable_wheel`: edits of the rules would have no effect until the next build."""
PLAYERS = ("classic", "cote2", "mb1984")
COMPILED_FOLDERS = (
    "shared/kernel",
    "shared/mechanics",
    "shared/rulesets/*",
    *(f"server/bots/{player}" for player in PLAYERS),
)
"""Folders that take most time: the rules, and the policies that a search calls in every rollout."""
SELDOM = {"definition", "extreme_actions", "invariants", "obstacles", "refusals", "setup"}
"""Modules of a rule set that take little time, such as tables, setup and texts; they are not compiled."""


def modules() -> list[str]:
    """Return the modules to compile. Modules with subclasses are left out: msgspec's classes must stay interpreted."""
    found = [path for folder in COMPILED_FOLDERS for path in Path().glob(f"{folder}/[a-z]*.py")]
    return sorted(str(path) for path in found if path.stem not in SELDOM and not _inherits(path))


def _inherits(path: Path) -> bool:
    nodes = ast.walk(ast.parse(path.read_text(encoding="utf-8")))
    return any(isinstance(node, ast.ClassDef) and node.bases for node in nodes)


def extensions() -> list[Extension]:
    """Return the compiled modules. One C file each keeps the compiler's memory small."""
    from mypyc.build import mypycify

    return mypycify(["--config-file=", *modules()], opt_level="1", debug_level="0", multi_file=True)


# Folders of data count as packages too.
PACKAGES = find_namespace_packages(
    include=["shared*", "protocol*", "server*", "client*"], exclude=["client.workshop*", "server.library*"]
)

setup(
    packages=[*PACKAGES, "conquest"],
    package_dir={"conquest": "server/library/conquest"},
    setup_requires=TOOLS if COMPILED else [],
    ext_modules=extensions() if COMPILED and BUILDS & set(sys.argv) else [],
)
