"""Wheels built from a copy of what git knows, and commands far from the tree."""

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def run(*command: str | Path, cwd: Path, **env: str) -> str:
    """The output of a command that must succeed, without anything of this tree in its way."""
    clean = {key: value for key, value in os.environ.items() if not key.startswith(("PYTHON", "PYTEST", "CONQUEST"))}
    done = subprocess.run(
        command, cwd=cwd, env=clean | {"ARCADE_HEADLESS": "True"} | env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def copied(target: Path, *packages: str) -> None:
    """Copy the files of these folders that git tracks, and the files beside them; by default of all folders."""
    names = run("git", "ls-files", "--cached", "--others", "--exclude-standard", cwd=ROOT).splitlines()
    for name in names:
        top, _, below = name.partition("/")
        if (ROOT / name).is_file() and (not below or not packages or top in packages):
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            (target / name).write_bytes((ROOT / name).read_bytes())


def built(folder: Path, **env: str) -> Path:
    """The wheel, built in that empty folder."""
    copied(folder / "source", "shared", "protocol", "server", "client")
    source = folder / "source"
    run(sys.executable, "-m", "pip", "wheel", "-q", "--no-deps", "-w", str(folder), ".", cwd=source, **env)
    (made,) = folder.glob("*.whl")
    return made
