"""Regenerate every generated file and report what changed: `python -m tests.regenerate [PART ...]`."""

import argparse
import hashlib
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from msgspec import Struct

ROOT: Final = Path(__file__).parents[1]


class Part(Struct, frozen=True):
    """A generator: its name on the command line, its module, its outputs, and why they are generated."""

    name: str
    module: str
    outputs: tuple[str, ...]
    why: str


PARTS: Final = (
    Part("recordings", "tests.play.record", ("tests/play/recorded",), "matches that must come out the same for ever"),
    Part("lessons", "tests.play.lessons", ("shared/data/lessons",), "positions in which the lessons begin"),
    Part("problems", "tests.play.problems", ("shared/data/lessons",), "positions of the problems"),
    Part("verdicts", "tests.play.verdicts", ("tests/play/verdicts.txt",), "checksums of all offers and refusals"),
    Part(
        "schema",
        "tests.protocol.spec_tables",
        ("protocol",),
        "schema, board and words as JSON, tables for SPEC",
    ),
    Part("samples", "tests.protocol.make_samples", ("protocol/samples",), "each message as bytes, for other languages"),
    Part("vectors", "tests.conformance.vectors", ("protocol/conformance",), "answers of the rules to actions"),
    Part(
        "conversations",
        "tests.conformance.conversations",
        ("protocol/conformance",),
        "recorded talks with a server",
    ),
    Part("texts", "client.workshop.translations", ("client/language",), "lists of texts to translate"),
    Part("page", "client.workshop.page", ("server/web/files", "server/library"), "map, figures and words of the page"),
)
"""In the order of their dependencies."""


def digests(outputs: Sequence[str]) -> dict[str, str]:
    """Return a digest for each file at or below these paths, which are relative to the checkout."""
    return {
        path.relative_to(ROOT).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for output in outputs
        for path in _files(ROOT / output)
    }


def _files(path: Path) -> Iterator[Path]:
    return iter([path]) if path.is_file() else (each for each in sorted(path.rglob("*")) if each.is_file())


def changes(before: dict[str, str], after: dict[str, str]) -> list[str]:
    """Return a line for each file that a generator added, changed or removed."""
    named = {name: "added" if name not in before else "changed" for name in after if after[name] != before.get(name)}
    named |= dict.fromkeys(before.keys() - after.keys(), "removed")
    return [f"  {what} {name}" for name, what in sorted(named.items())]


def run(part: Part) -> bool:
    """Run one generator, print what it changed, and return whether it succeeded."""
    before = digests(part.outputs)
    print(f"{part.name}: {part.why}", flush=True)
    done = subprocess.run([sys.executable, "-m", part.module], cwd=ROOT, capture_output=True, text=True, check=False)
    if done.returncode:
        print(f"  failed: python -m {part.module}\n{done.stderr.strip()}")
    lines = changes(before, digests(part.outputs))
    print("\n".join(lines or ["  nothing changed"]), flush=True)
    return not done.returncode


def main(words: Sequence[str] | None = None) -> int:
    """Run the named generators, or all of them. Return 1 if one failed, else 0."""
    parser = argparse.ArgumentParser(prog="python -m tests.regenerate", description=__doc__)
    names = [part.name for part in PARTS]
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"one of {', '.join(names)}; all if none is named")
    wanted = parser.parse_args(words).parts
    unknown = [name for name in wanted if name not in names]
    if unknown:
        parser.error(f"there is no part {unknown[0]!r}; the parts are {', '.join(names)}")
    failed = [part.name for part in PARTS if (not wanted or part.name in wanted) and not run(part)]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
