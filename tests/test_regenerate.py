"""The command that regenerates everything."""

import importlib.util
from pathlib import Path

import pytest

from tests import regenerate
from tests.regenerate import PARTS, Part, changes, digests, main, run

ROOT = Path(__file__).parents[1]


def test_every_part_has_a_generator_and_outputs() -> None:
    for part in PARTS:
        assert importlib.util.find_spec(part.module), part
        assert all((ROOT / output).exists() for output in part.outputs), part


def test_contributing_names_every_part() -> None:
    guide = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    assert [part.name for part in PARTS if f"`{part.name}`" not in guide] == []


def test_changes_are_reported() -> None:
    assert changes({"a": "1", "b": "1", "c": "1"}, {"a": "1", "b": "2", "d": "1"}) == [
        "  changed b",
        "  removed c",
        "  added d",
    ]
    assert digests(["protocol/schema.json"]).keys() == {"protocol/schema.json"}


def test_a_failed_generator_is_reported(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    broken = Part("broken", "tests.no_such_module", ("protocol/schema.json",), "a test")
    assert not run(broken)
    monkeypatch.setattr(regenerate, "PARTS", (broken,))
    assert main([]) == 1
    assert "failed: python -m tests.no_such_module" in capsys.readouterr().out


def test_an_unknown_part_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["everything"])
    assert "there is no part 'everything'" in capsys.readouterr().err


@pytest.mark.long
def test_an_up_to_date_part_changes_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["page"]) == 0
    assert "nothing changed" in capsys.readouterr().out
