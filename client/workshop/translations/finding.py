"""Search for the program's texts in its sources: marked ones, those of the rules, and forgotten ones."""

import ast
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from string import ascii_lowercase
from typing import Final, TypeVar

from msgspec import Struct

from client.language import LISTS
from client.workshop.trees import nodes
from shared.language.sentence import AND

ROOT: Final = Path(__file__).parents[3]
MARKS: Final = {"_": 0, "ngettext": 0, "pgettext": 1}
"""Functions that mark a text, and the number of arguments before it."""
SAID: Final = ("Refusal", "Left", "proclaim", "Unfit", "Unreadable")
"""Functions with which the server sends a sentence to players, or an address is refused."""
PROTOCOL: Final = ("codec", "routes", "session", "text")
"""Modules that refuse unreadable messages and addresses."""
RULES: Final = "rules"
"""List with the texts of the rules and the server: refusals, options of a table, announcements."""
PAGE: Final = "page"
"""List with the texts that only the web page has."""
AROUND: Final = "client"
"""List with the texts of the program around the games."""
PAGE_FILES: Final = ROOT / "server" / "web" / "files"
_MAY_SAY: Final = re.compile(rf"\b(?:{'|'.join((*MARKS, *SAID))})\(")
"""Found in each file that `marked` or `of_server` finds texts in; most others need not be parsed."""
_CALL: Final = re.compile(r'\b(_|ngettext|pgettext)\(\s*((?:"(?:[^"\\]|\\.)*"\s*,?\s*){1,2})')
_QUOTED: Final = re.compile(r'"(?:[^"\\]|\\.)*"')
_SENTENCE: Final = re.compile(r"[A-Z{].* .*[.!?]")
_PROSE: Final = re.compile(r"[A-Za-z]{2,}[ ,.:!?]|[A-Z][a-z]{2,}")

E = TypeVar("E", bound=ast.expr)


class Text(Struct, frozen=True):
    """Text to translate. `many`: its plural form; `where`: the file that uses it."""

    words: str
    where: str
    many: str = ""
    context: str = ""


def sources(package: str) -> list[Path]:
    """Return all shipped modules of a package."""
    # The library speaks to authors of programs, in English.
    silent = (ROOT / "server" / "library", ROOT / "client" / "workshop")
    return sorted(path for path in (ROOT / package).rglob("*.py") if not any(map(path.is_relative_to, silent)))


def domain(path: Path) -> str:
    """Return the list that the texts of a file belong to."""
    parts = path.relative_to(ROOT).parts
    if parts[0] != "client":
        return next((name for name in (*parts[:-1], path.stem) if name in LISTS), AROUND)
    return parts[2] if parts[:2] == ("client", "games") and len(parts) > 3 else AROUND


@cache
def lists() -> dict[str, list[Text]]:
    """Return all texts, by their list, from the sources as they are at the first call."""
    found: dict[str, list[Text]] = {name: [] for name in LISTS}
    spoken = ("shared/sentences", "shared/actions", "shared/lessons", "server/bots/advice")
    sentences = [path for folder in spoken for path in sources(folder)]
    rules = [path for path in sources("shared") if path not in sentences]
    found[RULES].extend(text for path in rules for text in of_rules(path))
    found[RULES].extend(text for name in PROTOCOL for text in of_rules(ROOT / "protocol" / f"{name}.py"))
    found[RULES].extend(of_server(ROOT / "protocol" / "links.py"))
    found[RULES].extend(text for path in sources("server") if path not in sentences for text in of_server(path))
    found[RULES].extend(of_cards(ROOT / "shared" / "data" / "cote2.json"))
    for path in [*sources("client"), *sentences]:
        found[domain(path)].extend(marked(path))
    found[AROUND].append(Text(AND, "shared/language/sentence.py"))
    listed = {(text.words, text.many, text.context) for texts in found.values() for text in texts}
    found[PAGE].extend(t for t in page_texts(PAGE_FILES) if (t.words, t.many, t.context) not in listed)
    return found


def page_texts(folder: Path, without: str = "") -> Iterator[Text]:
    """Yield the marked texts of the page's program, each once. `without`: a folder in it that is left out."""
    keys = set()
    # Sorted: folders list their files in another order on every computer.
    for file in sorted(each for each in folder.rglob("*.js") if without not in each.relative_to(folder).parts[:-1]):
        for mark, arguments in _CALL.findall(file.read_text("utf-8")):
            parts = [str(json.loads(text)) for text in _QUOTED.findall(arguments)]
            key = mark, *parts
            if key not in keys:
                keys.add(key)
                context = parts.pop(0) if mark == "pgettext" else ""
                where = f"server/web/files/{file.relative_to(folder).as_posix()}"
                yield Text(parts[0], where, "".join(parts[1:]), context)


def marked(path: Path) -> Iterator[Text]:
    """Yield the marked texts of a file of the client. Raise ValueError if one cannot be collected."""
    where = path.relative_to(ROOT).as_posix()
    calls = [node for node in nodes(_telling_tree(path)) if isinstance(node, ast.Call)]
    for node in _in_order(calls):
        yield from _of_mark(node, where)


def _of_mark(node: ast.AST, where: str) -> Iterator[Text]:
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
        yield from _of_call(node, node.func.id, where)


def _of_call(node: ast.Call, mark: str, where: str) -> Iterator[Text]:
    """Yield the text that one call marks; nothing if the text is known only at run time."""
    # Its text exists at run time only, with the values in it, and is in no list.
    if any(isinstance(part, ast.JoinedStr) for part in node.args):
        raise ValueError(f"{where}:{node.lineno}: an f-string is put together before it could be looked up")
    words = [part.value if isinstance(part, ast.Constant) else None for part in node.args]
    text = words[MARKS[mark]]
    if isinstance(text, str):
        many = words[1] if mark == "ngettext" else ""
        context = words[0] if mark == "pgettext" else ""
        yield Text(text, where, str(many or ""), str(context or ""))


def of_rules(path: Path) -> Iterator[Text]:
    """Yield the marked texts and the sentences of the rules, and the labels of options; values that are filled into an
    f-string become letters in braces.
    """
    where, found = path.relative_to(ROOT).as_posix(), nodes(_syntax_tree(path))
    named = {id(part) for node in found for part in (*_of_option(node), *_of_score(node))}
    strings = {id(node): _template_of(node) for node in _unmarked_strings(found)}
    telling = [each for each in found if isinstance(each, ast.Call | ast.Constant | ast.JoinedStr)]
    for node in _in_order(telling):
        yield from _of_mark(node, where)
        words = strings.get(id(node), "")
        if words and (id(node) in named or _SENTENCE.fullmatch(words)):
            yield Text(words, where)


def of_server(path: Path) -> Iterator[Text]:
    """Yield the sentences that the server sends to players: refusals, and announcements at a table."""
    where = path.relative_to(ROOT).as_posix()
    for node in nodes(_telling_tree(path)):
        yield from _of_mark(node, where)
        if isinstance(node, ast.Call) and _name(node.func) in SAID:
            for words in (_template_of(part) for part in node.args if isinstance(part, ast.Constant | ast.JoinedStr)):
                if _SENTENCE.fullmatch(words):
                    yield Text(words, where)


def _name(function: ast.expr) -> str:
    """Return the name of a called function, without its object."""
    return function.attr if isinstance(function, ast.Attribute) else getattr(function, "id", "")


def of_cards(path: Path) -> Iterator[Text]:
    """Yield the texts of the cards in a file, and what the winner of a vote gains, which is said alone too."""
    for card in json.loads(path.read_text("utf-8"))["cards"]:
        where = path.relative_to(ROOT).as_posix()
        yield Text(card["text"], where)
        if card["key"].startswith("senate_"):
            yield Text(card["text"].partition(". ")[2], where)


def _of_option(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a table's option, except for its key."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Option":
        values = [*node.args[1:], *(word.value for word in node.keywords if word.arg != "key")]
        yield from (part for value in values for part in nodes(value))


def _of_score(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of the ranking's texts: arguments of `Place`, and the body of `_score`."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Place":
        yield from (part for value in node.args for part in nodes(value))
    if isinstance(node, ast.FunctionDef) and node.name == "_score":
        yield from (part for line in node.body for part in nodes(line))


def _template_of(node: ast.Constant | ast.JoinedStr) -> str:
    """Return the text with letters in its gaps; empty for numbers."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, str) else ""
    letters = iter(ascii_lowercase)
    parts = (part.value if isinstance(part, ast.Constant) else f"{{{next(letters)}}}" for part in node.values)
    return "".join(map(str, parts))


def forgotten(path: Path) -> list[tuple[int, str]]:
    """Return line and text of strings that look like unmarked texts."""
    found = ((node, _template_of(node)) for node in _unmarked_strings(nodes(_syntax_tree(path))))
    return [(node.lineno, words) for node, words in found if _PROSE.search(words)]


def _unmarked_strings(found: list[ast.AST]) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield all strings among the nodes of a file that no call marks."""
    marked = {id(part) for node in found for part in _in_mark(node)}
    yield from (node for node in _string_nodes(found) if id(node) not in marked)


def _in_mark(node: ast.AST) -> Iterator[ast.AST]:
    """Yield the parts of a call that marks a text."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
        yield from (part for value in node.args for part in nodes(value))


def _string_nodes(found: list[ast.AST]) -> Iterator[ast.Constant | ast.JoinedStr]:
    """Yield all strings among the nodes of a file, an f-string as one; no docstrings."""
    # The parts of an f-string are constants, too; a docstring is an expression of its own.
    hidden = {id(part) for node in found if isinstance(node, ast.JoinedStr) for part in node.values}
    hidden |= {id(node.value) for node in found if isinstance(node, ast.Expr)}
    for node in _in_order(each for each in found if isinstance(each, ast.JoinedStr | ast.Constant)):
        if id(node) not in hidden and _template_of(node):
            yield node


def _in_order(found: Iterable[E]) -> list[E]:
    """Return expressions in the order of the source."""
    return sorted(found, key=lambda node: (node.lineno, node.col_offset))


def _syntax_tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text("utf-8"))


def _telling_tree(path: Path) -> ast.Module:
    """Return the tree of a file; an empty one if the file neither marks a text nor sends a sentence."""
    source = path.read_text("utf-8")
    return ast.parse(source if _MAY_SAY.search(source) else "")


def braces(words: str) -> Sequence[str]:
    """Return the placeholders of a text, in alphabetical order."""
    return sorted(set(re.findall(r"\{(\w*)\}", words)))
