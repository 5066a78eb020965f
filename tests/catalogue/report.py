"""Report of the rules that no test names: ``python -m tests.catalogue.report``.

The rules of a rule set are listed in ``<rule set>.txt`` here. A test names the rules that it proves with
``@pytest.mark.rule("CL-MOVE-01", ...)``.
"""

import ast
import sys
from pathlib import Path

HERE = Path(__file__).parent
TESTS = HERE.parent


def listed() -> list[str]:
    """Return every id of the catalogues, in their order."""
    return [line for file in sorted(HERE.glob("*.txt")) for line in file.read_text("utf-8").split()]


def named() -> dict[str, list[str]]:
    """Return the ids named by markers, each with the tests that name it."""
    found: dict[str, list[str]] = {}
    for file in sorted(TESTS.rglob("test_*.py")):
        source = file.read_text("utf-8")
        for node in ast.walk(ast.parse(source if "mark.rule" in source else "")):
            if isinstance(node, ast.FunctionDef):
                for rule in _rules(node):
                    found.setdefault(rule, []).append(f"{file.relative_to(TESTS)}::{node.name}")
    return found


def _rules(function: ast.FunctionDef) -> list[str]:
    return [
        argument.value
        for decorator in function.decorator_list
        if isinstance(decorator, ast.Call) and ast.unparse(decorator.func) == "pytest.mark.rule"
        for argument in decorator.args
        if isinstance(argument, ast.Constant) and isinstance(argument.value, str)
    ]


def missing() -> list[str]:
    """Return the ids that no test names."""
    known = named()
    return [rule for rule in listed() if rule not in known]


def unknown() -> list[str]:
    """Return the ids that tests name and no catalogue lists."""
    return sorted(set(named()) - set(listed()))


def main() -> int:
    """Print the report; return 1 if anything is missing."""
    gaps, strays = missing(), unknown()
    for rule in gaps:
        print(f"{rule}: no test")
    for rule in strays:
        print(f"{rule}: named by a test, but in no catalogue: {', '.join(named()[rule])}")
    print(f"{len(listed()) - len(gaps)} of {len(listed())} rules have a test.")
    return 1 if gaps or strays else 0


if __name__ == "__main__":
    sys.exit(main())
