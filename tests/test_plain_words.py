"""The language of code and documents: what a machine can check of it."""

import ast
import re
from collections.abc import Iterator
from inspect import cleandoc
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("*.md", "client/**/*.md", "deploy/**/*.md", "protocol/*.md", "shared/**/*.md", "tests/**/*.md")
    for path in ROOT.glob(pattern)
)
"""Documents that follow the rules: all but the generated tables of the protocol."""
PACKAGES = ("shared", "protocol", "server", "client", "tests", "deploy")
SCRIPTS = sorted(
    path.relative_to(ROOT).as_posix()
    for pattern in ("server/web/files/**/*.js", "server/web/files/**/*.css", "tests/clients/node/*.mjs")
    for path in ROOT.glob(pattern)
)
"""Programs and style sheets in other languages than Python."""
MOST_WORDS = 25
"""Words of a sentence."""
_OPENINGS = re.compile(
    r"(What|Who|Whoever|Whom|Whose|How|Where|Somebody|Someone|Nobody|One|Those|That which|See the module)\b"
)
"""Words that begin a riddle: they name neither what a thing is nor what it does."""
_SUBJECTS = re.compile(r"(What|Who|Whoever|Whom|Whose|Somebody|Someone|Nobody|Those who|That which)\b")
"""Subjects of a sentence that name nothing. A question may begin with them."""
_RIDDLES = re.compile(r"\b(he|him|his|himself|whoever|whomever|whom|nobody|somebody)\b", re.IGNORECASE)
_FUNCTIONS = re.compile(r"^[ \t]*(?:async )?def (\w+)", re.MULTILINE)
_NAME_RIDDLES = re.compile(r"(?:^|_)(he|him|his|himself|whoever|whom|nobodys?|somebodys?|those_who)(?:_|$)")
"""Words that no name of a function may have."""
_SENTENCE_ENDS = re.compile(r"[.!?:;](?=\s|$)|\n\s*\n|\n\s*[-|*]")
_CODE = re.compile(r"`[^`]*`")
_INTERACTIVE = re.compile(r"^ *>>> .*?(?=\n\s*\n|\Z)", re.MULTILINE | re.DOTALL)
"""Examples that a test runs, up to the next empty line."""
_NOT_PROSE = re.compile(r"^ *```.*?^ *```$|^(?: {4}|#|\||<|!\[).*?$", re.MULTILINE | re.DOTALL)
"""Code, headings, tables and pictures of a document."""
_BREAKS = re.compile(r"\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )")
"""Breaks between paragraphs and items of lists."""
_SENTENCES = re.compile(r"(?:^|(?<=[.!?] ))[A-Z].*?(?:[.!?](?=\s|$)|$)", re.DOTALL)
_SCRIPT_COMMENT = re.compile(r"/\*(.*?)\*/|((?:^[ \t]*//[^\n]*\n)+)", re.DOTALL | re.MULTILINE)
_COMMENT_MARKS = re.compile(r"^[ \t]*(?://|\*)", re.MULTILINE)
_EXAMPLES = re.compile(r"^ {3,}.*$", re.MULTILINE)
"""Indented lines of a comment: code, or a list in columns."""
_LINKS = re.compile(r"\[([^]]*)\]\([^)]*\)")
_ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")
_TOKENS = re.compile(
    r"""(?P<comment>\#[^\n]*)
    |(?P<string>[rRbBuUfF]{0,2}(?:\"\"\"(?:[^"\\]|\\.|"(?!""))*\"\"\"|'''(?:[^'\\]|\\.|'(?!''))*'''
        |"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'))
    |(?P<bracket>[\[\](){}])
    |(?P<code>[^\s\#"'\[\](){}]+)""",
    re.VERBOSE | re.DOTALL,
)
"""Tokens of Python, as far as comments and strings need them."""


def texts(source: str) -> Iterator[tuple[int, str, bool]]:
    """Yield line, text and whether it is a docstring, for each docstring and block of comments of a source.

    A string that stands alone describes the constant or field above it. `ast` would take four times as long."""
    comments: list[tuple[int, str]] = []
    line = start = depth = 0
    before = ":"
    """The last character of the code so far. A docstring follows a colon, or begins the file; after a backslash the
    line goes on."""
    for found in _TOKENS.finditer(source):
        line += source.count("\n", start, start := found.start())
        kind, token = found.lastgroup, found.group()
        if kind == "comment":
            comments.append((line + 1, token))
            continue
        if kind == "bracket":
            depth += 1 if token in "([{" else -1
        elif kind == "string" and not depth and before != "\\" and _is_alone(source, found):
            quotes = 3 if token.endswith(('"""', "'''")) else 1
            text = token.lstrip("rRbBuUfF")[quotes:-quotes]
            yield line + 1, cleandoc(text) if before == ":" else text, before == ":"
        before = token[-1]
    yield from _blocks(comments)


def _is_alone(source: str, string: re.Match[str]) -> bool:
    """Whether nothing else but a comment stands on the lines of a string."""
    before = source[source.rfind("\n", 0, string.start()) + 1 : string.start()]
    end = source.find("\n", string.end())
    after = source[string.end() : end if end >= 0 else len(source)]
    return not before.strip() and after.strip()[:1] in ("", "#")


def _blocks(comments: list[tuple[int, str]]) -> Iterator[tuple[int, str, bool]]:
    """Yield comments; lines of comments that follow each other are one text."""
    block: list[str] = []
    last = 0
    for line, comment in comments:
        if not re.match(r"#\s*(noqa|type:|fmt:|ruff:|pragma|!)", comment):
            if block and line != last + 1:
                yield last, " ".join(block), False
                block = []
            block.append(comment.lstrip("# "))
            last = line
    if block:
        yield last, " ".join(block), False


def complaints(source: str) -> Iterator[tuple[int, str]]:
    """Yield line and complaint for each text that the rules of plain words forbid."""
    for line, text, is_docstring in texts(source):
        plain = _CODE.sub("code", _INTERACTIVE.sub("", text))
        if is_docstring and _OPENINGS.match(plain):
            yield line, f"begins with {plain.split()[0]!r}: name the thing or say what it does"
        for complaint in _complaints(plain):
            yield line, complaint
    for found in _FUNCTIONS.finditer(source):
        if riddle := _NAME_RIDDLES.search(found.group(1)):
            yield source.count("\n", 0, found.start(1)) + 1, f"{riddle.group(1)!r} in a name: name the thing"


def _complaints(plain: str) -> Iterator[str]:
    """Yield what is wrong with a text without code."""
    if found := _RIDDLES.search(plain):
        yield f"{found.group()!r}: name the thing; people are they"
    for sentence in _SENTENCE_ENDS.split(plain):
        if len(sentence.split()) > MOST_WORDS:
            yield f"a sentence of {len(sentence.split())} words: {sentence.strip()[:60]!r}"


def complaints_about_script(script: str) -> Iterator[tuple[int, str]]:
    """Yield line and complaint for each comment of a JavaScript program or a style sheet."""
    for found in _SCRIPT_COMMENT.finditer(script):
        text = _EXAMPLES.sub("\n", _COMMENT_MARKS.sub("", found.group(1) or found.group(2))).strip(" *\n")
        plain, line = _CODE.sub("code", text), script.count("\n", 0, found.start()) + 1
        if _OPENINGS.match(plain):
            yield line, f"begins with {plain.split()[0]!r}: name the thing or say what it does"
        for complaint in _complaints(plain):
            yield line, complaint


def complaints_about(document: str) -> Iterator[tuple[int, str]]:
    """Yield line and complaint for each paragraph and list item of a Markdown document. Tables and code are free."""
    prose = _NOT_PROSE.sub(lambda found: "\n" * found.group().count("\n"), document)
    start = 0
    for end in [*(found.start() for found in _BREAKS.finditer(prose)), len(prose)]:
        text, start = prose[start:end], end
        plain = _LINKS.sub(r"\1", _CODE.sub("code", _ITEM.sub("", text.lstrip(), count=1))).replace("*", "")
        line = prose.count("\n", 0, end - len(text.lstrip())) + 1
        for complaint in _complaints(plain):
            yield line, complaint
        for sentence in _SENTENCES.findall(plain):
            if _SUBJECTS.match(sentence) and not sentence.endswith("?"):
                yield line, f"begins with {sentence.split()[0]!r}: name the thing"


@pytest.mark.parametrize("package", PACKAGES)
def test_docstrings_and_comments_are_plain(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{line} {complaint}"
        for path in sorted((ROOT / package).rglob("*.py"))
        for line, complaint in complaints(path.read_text(encoding="utf-8"))
    ]
    assert not found, "\n".join(found)


@pytest.mark.parametrize("name", DOCUMENTS)
def test_documents_are_plain(name: str) -> None:
    found = [f"{name}:{line} {complaint}" for line, complaint in complaints_about((ROOT / name).read_text("utf-8"))]
    assert not found, "\n".join(found)


def test_the_name_of_a_class_stands_for_one_thing() -> None:
    """No public class name stands in more than two files.

    Files that each rule set has once count as one, and so do the modules of a rule set: each has one `State`.
    """
    places: dict[str, set[str]] = {}
    for package in ("client", "protocol", "server", "shared"):
        for path in (ROOT / package).rglob("*.py"):
            place = re.sub(r"/(?:classic|mb1984|cote2|conquest)(?=/|\.py)", "/GAME", path.relative_to(ROOT).as_posix())
            place = re.sub(r"(?<=shared/rulesets/GAME/).*", "", place)
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                    places.setdefault(node.name, set()).add(place)
    assert {name: files for name, files in places.items() if len(files) > 2} == {}


def test_comments_of_scripts_are_plain() -> None:
    found = [
        f"{name}:{line} {complaint}"
        for name in SCRIPTS
        for line, complaint in complaints_about_script((ROOT / name).read_text(encoding="utf-8"))
    ]
    assert SCRIPTS and not found, "\n".join(found)


def test_the_check_finds_what_it_forbids() -> None:
    source = (
        '"""Who comes."""\nX = 1\n"""Nobody knows his number."""\n# '
        + "word " * 26
        + "\ndef test_nobody_comes(): ...\n"
    )
    assert [line for line, _ in complaints(source)] == [1, 3, 4, 5]
    document = (
        "# Who\n\nPlain words\nof two. What is\nkept?\n\n    whoever\n\n- Kept.\n- What is kept stays.\n\nNobody knows."
    )
    assert [line for line, _ in complaints_about(document)] == [10, 12, 12]
    script = "// What comes.\nf();\n  // Returns it,\n  // if nobody asks.\n/* How it\n     who\n*/\n// Plain `he`.\n"
    assert [line for line, _ in complaints_about_script(script)] == [1, 3, 5]
    assert not list(complaints('"""Return the number of `he` in a text."""\n# Whether this is needed: yes.\n'))
