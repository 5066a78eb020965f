"""Links and references in the documents point to things that exist."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
DOCUMENTS = [
    ROOT / name
    for name in (
        "README.md",
        "CONTRIBUTING.md",
        "CHANGELOG.md",
        "client/PLAYING.md",
        "client/GLOSSARY.md",
        "deploy/README.md",
        "deploy/SCALING.md",
        "protocol/NODES.md",
        "protocol/SPEC.md",
        "protocol/SPEC_CLASSIC.md",
        "protocol/SPEC_COTE2.md",
        "protocol/SPEC_FILES.md",
        "protocol/SPEC_MB1984.md",
    )
]
OURS = ("client/", "deploy/", "protocol/", "server/", "shared/", "tests/")


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_path_that_a_document_names_is_there(document: Path) -> None:
    text = document.read_text(encoding="utf-8")
    named = [ROOT / path for path in re.findall(r"`([\w./-]+)`", text) if path.startswith(OURS)]
    linked = [document.parent / path for path in re.findall(r"\]\(([\w./-]+)\)", text)]
    assert not [path for path in (*named, *linked) if not path.exists()]
