"""The faults: each changes one expression or statement into another that is still valid Python."""

import ast
import copy
import itertools
from collections.abc import Iterator
from typing import Final, NamedTuple

from msgspec import Struct

COMPARED: Final[dict[type[ast.cmpop], type[ast.cmpop]]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}  # fmt: skip
RECKONED: Final[dict[type[ast.operator], type[ast.operator]]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.FloorDiv: ast.Mult, ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}  # fmt: skip
TURNED: Final = {"min": "max", "max": "min", "any": "all", "all": "any"}
SPEAKING: Final = ("log.", "_log.")
"""Calls of these only tell operators something."""


class Fault(Struct, frozen=True):
    """`before` in `function` of `path` becomes `after`; it is the `number`-th fault of that file."""

    path: str
    number: int
    line: int
    function: str
    before: str
    after: str

    @property
    def key(self) -> str:
        """Name of the fault that stays the same when lines move."""
        return f"{self.path}::{self.function}: {self.before} -> {self.after}"


def faults_of(path: str, source: str) -> list[Fault]:
    """Return all faults of a file."""
    return [
        Fault(path, number, getattr(place.node, "lineno", 0), place.function, _shown(place.node), _shown(changed))
        for number, (place, changed) in enumerate(_all(ast.parse(source)))
    ]


def put_in(fault: Fault, source: str) -> str:
    """Return the file with the fault."""
    tree = ast.parse(source)
    place, changed = next(itertools.islice(_all(tree), fault.number, None))
    if place.item is None:
        setattr(place.owner, place.field, changed)
    else:
        getattr(place.owner, place.field)[place.item] = changed
    return ast.unparse(tree)


class _Place(NamedTuple):
    """A node, where it hangs, and the name of the function around it."""

    owner: ast.AST
    field: str
    item: int | None
    node: ast.AST
    function: str


def _all(tree: ast.Module) -> Iterator[tuple[_Place, ast.AST]]:
    quiet = _quiet(tree)
    for place in _places(tree, ""):
        if id(place.node) not in quiet:
            for changed in _changes(place.node):
                yield place, changed


def _places(node: ast.AST, function: str) -> Iterator[_Place]:
    for field, value in ast.iter_fields(node):
        for item, child in enumerate(value) if isinstance(value, list) else ((None, value),):
            if isinstance(child, ast.AST):
                inside = _inside(child, function)
                yield _Place(node, field, item, child, inside)
                yield from _places(child, inside)


def _inside(node: ast.AST, function: str) -> str:
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return f"{function}.{node.name}" if function else node.name
    return function


def _shown(node: ast.AST) -> str:
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= 100 else text[:97] + "..."


def _quiet(tree: ast.Module) -> set[int]:
    """Return the nodes that are not changed: types, base classes, tags of the wire, and code that only a bug would
    reach."""
    quiet: list[ast.AST] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            quiet += [node.returns, *(arg.annotation for arg in [*node.args.args, *node.args.kwonlyargs])]  # type: ignore[list-item]
        elif isinstance(node, ast.AnnAssign):
            quiet.append(node.annotation)
        elif isinstance(node, ast.ClassDef):
            quiet += [*node.bases, *node.keywords]
        elif isinstance(node, ast.If) and "__name__" in ast.unparse(node.test):
            quiet.append(node)
        elif isinstance(node, ast.Assign) and _is_alias(node):
            quiet.append(node.value)
        elif isinstance(node, ast.Assert | ast.Raise) or _is_memory(node) or _is_strict(node):
            quiet.append(node)
    return {id(inner) for node in quiet if node is not None for inner in ast.walk(node)}


def _is_memory(node: ast.AST) -> bool:
    """Whether a node is a function's cache: its size changes nothing but time."""
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "lru_cache"


def _is_strict(node: ast.AST) -> bool:
    """Whether a node is `strict` of a `zip`: the check that two lists have one length never fails."""
    return isinstance(node, ast.keyword) and node.arg == "strict"


def _is_alias(node: ast.Assign) -> bool:
    """Whether the line names a type anew: `Kind = A | B`, `Decide = Callable[...]`."""
    (target, *_) = node.targets
    named = isinstance(target, ast.Name) and target.id[:1].isupper() and not target.id.isupper()
    return named and isinstance(node.value, ast.BinOp | ast.Subscript)


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes that may replace a node."""
    match node:
        case ast.Compare(ops=ops):
            for i, op in enumerate(ops):
                yield _with(node, ops=[*ops[:i], COMPARED[type(op)](), *ops[i + 1 :]])
        case ast.BinOp(op=op, left=left) if type(op) in RECKONED and not _is_text(left):
            yield _with(node, op=RECKONED[type(op)]())
        case ast.BoolOp(op=op):
            yield _with(node, op=ast.Or() if isinstance(op, ast.And) else ast.And())
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield operand
        case ast.Constant(value=bool(value)):
            yield ast.Constant(not value)
        case ast.Constant(value=int(value)):
            yield ast.Constant(value + 1)
        case ast.Call(func=ast.Name(id=name)) if name in TURNED:
            yield _with(node, func=ast.Name(TURNED[name], ast.Load()))
        case ast.IfExp(body=body, orelse=orelse):
            yield _with(node, body=orelse, orelse=body)
        case ast.comprehension(ifs=[_, *_]):
            yield _with(node, ifs=[])
        case ast.Subscript(slice=ast.Slice(lower=low, upper=high)) if low is not None and high is None:
            yield node.value
        case ast.stmt():
            yield from _other_statements(node)


def _other_statements(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.If(test=test) | ast.While(test=test) if not isinstance(test, ast.Compare | ast.UnaryOp):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Expr(value=ast.Call() | ast.Await()) if not ast.unparse(node).startswith(SPEAKING):
            yield ast.Pass()
        case ast.AugAssign(op=op) if type(op) in RECKONED:
            yield _with(node, op=RECKONED[type(op)]())
        case ast.Assign(targets=[ast.Attribute() | ast.Subscript()]):
            yield ast.Pass()
        case ast.Return(value=ast.Call(func=ast.Name(id="Refusal"))):
            yield ast.Return(ast.Constant(None))
        case ast.Continue():
            yield ast.Pass()


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))
