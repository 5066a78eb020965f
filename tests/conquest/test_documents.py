"""Every example of the library's page and docstrings runs."""

import doctest
import importlib
from pathlib import Path

import pytest

import conquest

FOLDER = Path(conquest.__file__).parent
MODULES = sorted(path.stem for path in FOLDER.glob("[a-z]*.py"))


def test_the_page() -> None:
    failed, tried = doctest.testfile(str(FOLDER / "README.md"), module_relative=False, encoding="utf-8")
    assert tried > 40 and not failed


@pytest.mark.parametrize("name", ["__init__", *MODULES])
def test_docstrings(name: str) -> None:
    if name == "openspiel":
        pytest.importorskip("pyspiel", reason="no OpenSpiel on this machine")
    module = conquest if name == "__init__" else importlib.import_module(f"conquest.{name}")
    assert not doctest.testmod(module).failed


def test_every_public_name_is_there_and_described() -> None:
    assert len(set(conquest.__all__)) == len(conquest.__all__)
    for name in set(conquest.__all__) - {"CHANCE", "GAMES", "MAP"}:
        assert (getattr(conquest, name).__doc__ or "").strip(), name


def test_the_page_names_a_section_for_each_part() -> None:
    sections = [line for line in (FOLDER / "README.md").read_text("utf-8").splitlines() if line.startswith("## ")]
    assert [section.split()[1] for section in sections] == [f"{n}." for n in range(1, len(sections) + 1)]
