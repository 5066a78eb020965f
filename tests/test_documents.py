"""Links and references in the documents point to things that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = sorted(
    path
    for pattern in ("*.md", "client/*.md", "deploy/*.md", "protocol/**/*.md", "shared/**/*.md", "tests/README.md")
    for path in ROOT.glob(pattern)
)
SPEC = [path for path in DOCUMENTS if path.parent.name == "protocol" and path.name.startswith("SPEC")]
OURS = ("client/", "deploy/", "protocol/", "server/", "shared/", "tests/")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_that_a_document_names_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = [ROOT / path for path in re.findall(r"`([\w./-]+)`", text) if path.startswith(OURS)]
    linked = [document.parent / path for path in re.findall(r"\]\(([\w./-]+)(?:#[\w-]+)?\)", text)]
    assert not [path for path in (*named, *linked) if not path.exists()]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_to_a_section_leads_there(document: Path) -> None:
    links = re.findall(r"\]\(([\w./-]*)#([\w-]+)\)", document.read_text(encoding="utf-8"))
    targets = [(document.parent / path if path else document, anchor) for path, anchor in links]
    assert not [(path, anchor) for path, anchor in targets if anchor not in anchors(path)]


def anchors(document: Path) -> set[str]:
    """Return the anchors of a document's headings, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", document.read_text(encoding="utf-8"), re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", SPEC, ids=lambda path: path.name)
def test_a_page_of_the_specification_is_read_in_one_go(document: Path) -> None:
    assert document.stat().st_size <= 35_000


def test_every_section_that_code_cites_is_in_the_specification() -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in SPEC)
    sections = set(re.findall(r"^#+ (\d+(?:\.\d+)?)\b", text, re.MULTILINE))
    cited = {
        (path, section)
        for path in sources()
        for section in re.findall(r"SPEC(?:\.md)?,?(?: section)? (\d+(?:\.\d+)?)", path.read_text(encoding="utf-8"))
    }
    assert len(cited) > 10
    assert not [(path, section) for path, section in cited if section not in sections]


def sources() -> list[Path]:
    """Return the sources of all languages."""
    folders = ("client", "deploy", "protocol", "server", "shared", "tests")
    return [path for folder in folders for end in ("py", "js", "mjs") for path in (ROOT / folder).rglob(f"*.{end}")]
