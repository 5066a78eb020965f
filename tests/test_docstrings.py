"""Docstrings of public functions."""

import ast
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PRODUCT = ("shared", "protocol", "server", "client")
"""Folders of the product. The example in `deploy` must stay short and explains itself by comments."""
Function = ast.FunctionDef | ast.AsyncFunctionDef


def undescribed(sources: Mapping[str, str]) -> Iterator[str]:
    """Yield the place of each public function and method without docstring. The base of an override describes it."""
    trees = {name: ast.parse(source) for name, source in sources.items()}
    classes: dict[str, list[ast.ClassDef]] = {}
    for tree in trees.values():
        for node in tree.body:
            if isinstance(node, ast.ClassDef):
                classes.setdefault(node.name, []).append(node)
    for name, tree in trees.items():
        for node in tree.body:
            if isinstance(node, Function) and _lacks_docstring(node):
                yield f"{name}:{node.lineno} {node.name}"
            elif isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                inherited = {method.name for base in _bases(node, classes) for method in _methods(base)}
                for method in _methods(node):
                    if _lacks_docstring(method) and method.name not in inherited:
                        yield f"{name}:{method.lineno} {node.name}.{method.name}"


def _lacks_docstring(function: Function) -> bool:
    """Whether a function is public and has no docstring. A setter has that of its property."""
    set_only = any(isinstance(each, ast.Attribute) and each.attr == "setter" for each in function.decorator_list)
    return not function.name.startswith("_") and not set_only and not ast.get_docstring(function)


def _methods(of: ast.ClassDef) -> Iterator[Function]:
    """Yield the methods that a class defines itself."""
    return (node for node in of.body if isinstance(node, Function))


def _bases(of: ast.ClassDef, classes: Mapping[str, Sequence[ast.ClassDef]]) -> list[ast.ClassDef]:
    """Return the bases of a class, and theirs; classes of one name count as one."""
    found = [of]
    for each in found:  # It grows meanwhile.
        for base in each.bases:
            named = ast.unparse(base.value if isinstance(base, ast.Subscript) else base)
            found += [known for known in classes.get(named.rpartition(".")[2], ()) if known not in found]
    return found[1:]


@pytest.mark.long
def test_public_functions_have_docstrings() -> None:
    paths = [path for package in PRODUCT for path in sorted((ROOT / package).rglob("*.py"))]
    found = list(undescribed({str(path.relative_to(ROOT)): path.read_text(encoding="utf-8") for path in paths}))
    assert len(paths) > 500 and not found, "\n".join(found)


def test_overrides_need_no_docstring() -> None:
    base = "class Base:\n    def told(self): ...\n    def _own(self): ...\n"
    other = (
        "import base\nclass Other(base.Base[int]):\n    def told(self): ...\n    def new(self): ...\n"
        'class _Private:\n    def told(self): ...\ndef free(): ...\ndef described():\n    """Return None."""\n'
        "async def later(): ...\n"
    )
    found = list(undescribed({"base.py": base, "other.py": other}))
    assert found == ["base.py:2 Base.told", "other.py:4 Other.new", "other.py:7 free", "other.py:10 later"]
