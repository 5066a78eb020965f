"""Where matches are kept unless an operator says otherwise."""

import sys
from pathlib import Path

import pytest

from server.tools.serve import data_directory


@pytest.mark.parametrize(
    ("platform", "surroundings", "kept"),
    [
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/conquest-empire/server"),
        ("win32", {}, "/home/livia/conquest-empire/server"),
        ("darwin", {"LOCALAPPDATA": "/local"}, "/home/livia/Library/Application Support/conquest-empire/server"),
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/conquest-empire/server"),
        ("linux", {"LOCALAPPDATA": "/local"}, "/home/livia/.local/share/conquest-empire/server"),
    ],
)
def test_matches_are_kept_where_the_system_keeps_such_things(
    platform: str, surroundings: dict[str, str], kept: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", platform)
    monkeypatch.setattr(Path, "home", lambda: Path("/home/livia"))
    for name in ("LOCALAPPDATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in surroundings.items():
        monkeypatch.setenv(name, value)
    assert data_directory() == Path(kept)
