"""Desktop integration: an entry in the list of programs, and the handler of `conquest://` links."""

import shlex
import shutil
import subprocess
import sys
from collections.abc import Sequence
from importlib import resources
from pathlib import Path
from typing import Final

import platformdirs

from client.user_directories import folder
from protocol.record import MAGIC, SUFFIX

NAME: Final = "conquest-empire"
"""Name of the entry and its icon, the same as the package's."""
TYPE: Final = "x-scheme-handler/conquest"
MATCH: Final = "application/x-conquest-match"
"""Media type of a recorded match."""
_KEY: Final = r"Software\Classes\conquest"
_RESERVED: Final = '"`$\\'
"""Characters that must be escaped in the command of an entry."""
_ENTRY: Final = """\
[Desktop Entry]
Type=Application
Version=1.0
Name=Conquest
GenericName=Board game
Comment=Conquest of the Empire over a network, an unofficial fan implementation
Comment[de]=Conquest of the Empire im Netz, eine inoffizielle Umsetzung von Spielern
Exec={command} %u
Icon={icon}
Terminal=false
Categories=Game;BoardGame;StrategyGame;
MimeType={type};{match};
StartupWMClass=Conquest
"""
_KINDS: Final = f"""\
<?xml version="1.0" encoding="UTF-8"?>
<mime-info xmlns="http://www.freedesktop.org/standards/shared-mime-info">
  <mime-type type="{MATCH}">
    <comment>Recorded match of Conquest</comment>
    <comment xml:lang="de">Aufgezeichnete Partie Conquest</comment>
    <magic><match type="string" offset="0" value="{MAGIC.decode()}"/></magic>
    <glob pattern="*{SUFFIX}"/>
  </mime-type>
</mime-info>
"""


def program() -> tuple[str, ...]:
    """Return the command that starts this program again: from a bundle, an environment, or the sources."""
    if getattr(sys, "frozen", False):
        return (sys.executable,)
    beside = shutil.which("conquest", path=str(Path(sys.executable).parent))
    return (beside,) if beside else (sys.executable, "-m", "client")


def install() -> str:
    """Install the entry for this user; return a report. Raise OSError if it cannot be written."""
    if sys.platform == "win32":
        return _open_links(program())
    if sys.platform == "darwin":
        return "On macOS the program itself says what it opens; put Conquest.app into your programs."
    entry, icon, kinds = _places()
    for place in (entry, icon, kinds):
        place.parent.mkdir(parents=True, exist_ok=True)
    icon.write_bytes((resources.files("client") / "assets" / "icon.png").read_bytes())
    entry.write_text(_ENTRY.format(command=_quoted(program()), icon=icon, type=TYPE, match=MATCH), "utf-8")
    kinds.write_text(_KINDS, "utf-8")
    _tell_kinds(kinds)
    links = "Links to tables open with it." if _make_usual(entry) else f"Make {entry.name} the program for {TYPE}."
    return f"The game is in your list of programs ({entry}). {links}"


def remove() -> str:
    """Remove the entry; return a report."""
    if sys.platform == "win32":
        return _forget_links()
    for place in _places():
        place.unlink(missing_ok=True)
    _tell_kinds(_places()[2])
    return f"The game is no longer in your list of programs. Your matches and settings stay in {folder()}."


def _places() -> tuple[Path, Path, Path]:
    """Return the paths of the entry, its icon, and the definition of the media type."""
    data = platformdirs.user_data_path()
    icon = data / "icons/hicolor/256x256/apps" / f"{NAME}.png"
    return data / "applications" / f"{NAME}.desktop", icon, data / "mime/packages" / f"{NAME}.xml"


def _tell_kinds(kinds: Path) -> None:
    """Register the media type with the system if it has a command for that."""
    tool = shutil.which("update-mime-database")
    if tool is not None:
        subprocess.run([tool, str(kinds.parents[1])], capture_output=True, check=False)


def _quoted(command: Sequence[str]) -> str:
    """Return a command quoted for an entry: in quotation marks, with percent signs doubled."""
    return " ".join(f'"{"".join(chr(92) * (c in _RESERVED) + c for c in word)}"' for word in command).replace("%", "%%")


def _make_usual(entry: Path) -> bool:
    """Make this the default program for links; return whether the system has a command for that."""
    tool = shutil.which("xdg-mime")
    if tool is None:
        return False
    return subprocess.run([tool, "default", entry.name, TYPE], capture_output=True, check=False).returncode == 0


def _open_links(command: Sequence[str]) -> str:
    if sys.platform != "win32":
        raise OSError("There is no registry here.")
    import winreg

    with winreg.CreateKey(winreg.HKEY_CURRENT_USER, _KEY) as key:
        winreg.SetValueEx(key, "", 0, winreg.REG_SZ, "URL:Conquest")
        winreg.SetValueEx(key, "URL Protocol", 0, winreg.REG_SZ, "")
    with winreg.CreateKey(winreg.HKEY_CURRENT_USER, rf"{_KEY}\shell\open\command") as key:
        winreg.SetValueEx(key, "", 0, winreg.REG_SZ, f'{subprocess.list2cmdline(command)} "%1"')
    return f"Links to tables open with {shlex.join(command)}."


def _forget_links() -> str:
    if sys.platform != "win32":
        raise OSError("There is no registry here.")
    import winreg

    # The deepest first: a key with keys below it cannot be deleted.
    for below in (r"\shell\open\command", r"\shell\open", r"\shell", ""):
        winreg.DeleteKey(winreg.HKEY_CURRENT_USER, _KEY + below)
    return "Links to tables open with it no longer."
