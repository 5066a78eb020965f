"""The page and the client use the same sentences, numbers and lists, through whole matches."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from client.games.registry import GUIDES
from client.games.static_match import LocalMatch
from client.table.asking import prompted
from client.table.event_text import event_line
from client.table.guide import Guide
from client.workshop.page import languages
from client.workshop.page.__main__ import FILES, made
from server.web.site import MODULES, joined
from shared.board import BOARD
from shared.rulesets.registry import RULESETS

NODE = shutil.which("node")
PURE = tuple(name for name in MODULES if name.startswith(("wire/", "model/", "words/")))
OWN = {"Placement"}
"""Decisions with a longer title on the page than in the client."""


def bundle(folder: Path) -> Path:
    """Return the page's modules that need no browser, for Node."""
    words = joined(FILES / name for name in PURE).decode()
    names = re.findall(r"^(?:async )?(?:function\*?|class|const) (\w+)", words, re.MULTILINE)
    file = folder / "page.mjs"
    file.write_text(f"{words}\nexport {{ {', '.join(names)} }};\n", encoding="utf-8")
    return file


def node(script: str, *arguments: Path) -> Any:
    """Return the output of one of these scripts, decoded from JSON."""
    assert NODE is not None
    done = subprocess.run(
        [NODE, str(Path(__file__).parent / script), *map(str, arguments)], capture_output=True, text=True, timeout=100
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def steps(match: LocalMatch, guide: Guide[Any], number: int) -> Iterator[dict[str, Any]]:
    """Yield the events of a match, and its position every seventh step; with the client's texts for both."""
    for i in range(number):
        events = [told.event for told in match.take_events()]
        lines = [event_line(event, match.name, guide.tell) for event in events]
        step = {"events": msgspec.to_builtins(events), "lines": lines}
        yield {**step, **(_position(match, guide) if i % 7 == 0 else {})}
        if not match.step():
            return


def _position(match: LocalMatch, guide: Guide[Any]) -> dict[str, Any]:
    view = match.view
    heading = guide.look.heading(view)
    people = [guide.look.person(view, seat, match.name) for seat in range(view.seats)]
    told = type(view.frames[-1]).__name__ in OWN and view.winner < 0
    return {
        "view": msgspec.to_builtins(view),
        "prompt": None if told else prompted(view, match.name, guide).what,
        "persons": [person.tip for person in people],
        "numbers": [person.numbers for person in people],
        "places": [guide.look.describe(view, space, match.name).splitlines() for space in range(BOARD.spaces)],
        "round": heading.words,
        "phase": {"names": heading.phases, "now": heading.on},
    }


@pytest.mark.skipif(NODE is None, reason="no Node on this machine")
@pytest.mark.parametrize("seed", [3, pytest.param(4, marks=pytest.mark.long), pytest.param(5, marks=pytest.mark.long)])
@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_match_is_told_as_by_the_client(ruleset: str, seed: int, tmp_path: Path) -> None:
    rules, guide = RULESETS[ruleset], GUIDES[ruleset]
    match = LocalMatch(rules, rules.max_seats - seed % 3, seed=seed)
    names = [match.name(seat) for seat in range(match.view.seats)]
    told = {"game": ruleset, "names": names, "steps": list(steps(match, guide, 500 if seed == 3 else 2500))}
    file = tmp_path / "match.json"
    file.write_text(json.dumps(told), encoding="utf-8")
    found = node("words.mjs", bundle(tmp_path), FILES / "world.json", file)
    assert found["differences"] == []
    assert found["compared"] > 3000


def test_the_pages_data_from_the_client_is_up_to_date() -> None:
    stale = [name for name, words in made().items() if (FILES / name).read_text("utf-8") != words]
    assert not stale, "run python -m client.workshop.page"


def test_all_words_of_the_page_are_there_in_german() -> None:
    known: Any = languages.data(FILES, "de")["texts"]
    assert [text for text in languages.asked(FILES) if text not in known] == []
