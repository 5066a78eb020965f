"""The folder for the user's files, on each system."""

import sys
from pathlib import Path

import platformdirs
import pytest
from platformdirs import windows
from platformdirs.macos import MacOS
from platformdirs.unix import Unix

from client.user_directories import folder

SYSTEMS = {"linux": Unix, "darwin": MacOS, "win32": windows.Windows}


@pytest.mark.parametrize("made_before", [False, True])
@pytest.mark.parametrize(
    ("system", "surroundings", "expected"),
    [
        ("linux", {}, ".local/share/conquest"),
        ("linux", {"XDG_DATA_HOME": "data"}, "data/conquest"),
        ("darwin", {}, "Library/Application Support/Conquest"),
        ("win32", {"APPDATA": "AppData/Roaming"}, "AppData/Roaming/Conquest"),
    ],
)
def test_it_stays_where_earlier_versions_made_it(
    system: str, surroundings: dict[str, str], expected: str, made_before: bool, tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    on(system, tmp_path, monkeypatch, surroundings)
    if made_before:
        (tmp_path / expected).mkdir(parents=True)
    assert folder() == tmp_path / expected


@pytest.mark.parametrize(
    ("system", "surroundings", "former"),
    [
        ("darwin", {"XDG_DATA_HOME": "data"}, "Library/Application Support/Conquest"),
        ("win32", {"APPDATA": "elsewhere", "WIN_PD_OVERRIDE_APPDATA": "C:/known"}, "elsewhere/Conquest"),
    ],
)
def test_a_folder_that_the_library_would_not_choose_is_found(
    system: str, surroundings: dict[str, str], former: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    on(system, tmp_path, monkeypatch, surroundings)
    assert folder() != tmp_path / former
    (tmp_path / former).mkdir(parents=True)
    assert folder() == tmp_path / former


def on(system: str, home: Path, monkeypatch: pytest.MonkeyPatch, surroundings: dict[str, str]) -> None:
    """Let the program run on that system, with only these variables that matter; relative paths are below `home`."""
    for name in ("CONQUEST_HOME", "XDG_DATA_HOME", "APPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "", **surroundings}.items():
        monkeypatch.setenv(name, value if ":" in value else str(home / value))
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(platformdirs, "PlatformDirs", SYSTEMS[system])
    monkeypatch.setattr(windows, "_RESOLVE_WIN_FOLDER", windows.get_win_folder_from_env_vars)
