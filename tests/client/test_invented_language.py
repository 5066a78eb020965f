"""A language is added by files alone: window, text client, tell and page speak it."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from client import language
from client.games.static_match import LocalMatch
from client.table.prompts import asked
from client.text_client.registry import voice
from client.text_client.table import TextTable
from client.workshop.page import languages
from client.workshop.page.__main__ import FILES
from client.workshop.translations.finding import lists
from shared.rulesets.registry import RULESETS
from tests.client.marked import CLOSE, OPEN
from tests.clients.runtime import answer, needs_node
from tests.support.marks import with_releases
from tests.web.test_words import HERE, bundle

ROOT = Path(__file__).parents[2]
HEAD = """msgid ""
msgstr ""
"Language: xx\\n"
"Language-Name: Marked\\n"
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"

"""
RECORDS = ROOT / "tests" / "released"


@pytest.fixture(scope="module")
def invented(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write the lists of a language that sets marks around each text; return the folder of a user who has it."""
    home = tmp_path_factory.mktemp("home")
    (home / "languages" / "xx").mkdir(parents=True)
    for name, texts in lists().items():
        made = Catalog()
        for text in texts:
            said = [f"{OPEN}{words}{CLOSE}" for words in (text.words, text.many) if words]
            key = (text.words, text.many) if text.many else text.words
            made.add(key, said if text.many else said[0], context=text.context or None)
        with (home / "languages" / "xx" / f"{name}.po").open("wb") as file:
            file.write(HEAD.encode())
            write_po(file, made, omit_header=True)
    return home


def run(home: Path, *arguments: str) -> str:
    own = {"CONQUEST_HOME": str(home), "CONQUEST_LANGUAGE": "xx", "ARCADE_HEADLESS": "True", "PYTHONUTF8": "1"}
    command = [sys.executable, "-m", *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT, env={**os.environ, **own})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.long
def test_the_program_finds_it(invented: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(invented))
    assert language.languages() == {"en": "English", "de": "Deutsch", "xx": "Marked"}
    monkeypatch.setenv("CONQUEST_LANGUAGE", "xx")
    assert language.chosen() == "xx"


@pytest.mark.long
@pytest.mark.timeout(600)
@pytest.mark.parametrize("shown", with_releases(["menu", "classic", "cote2"], "menu"))
def test_the_window_plays_in_it(invented: Path, shown: str) -> None:
    run(invented, "tests.client.marked", "--files", shown)


@pytest.mark.long
def test_a_record_is_told_in_it(invented: Path) -> None:
    record = min(RECORDS.rglob("*.conquest"), key=lambda each: each.stat().st_size)
    lines = run(invented, "client", "tell", str(record)).splitlines()
    assert len(lines) > 20
    assert [line for line in lines[1:] if OPEN not in line] == []


@pytest.mark.parametrize("game", RULESETS)
def test_the_text_client_plays_in_it(game: str, invented: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(invented))
    monkeypatch.setattr(language, "_spoken", language.tongue("xx"))
    match = LocalMatch(RULESETS[game], 3, seed=5)
    table = TextTable(match, print)
    heard = []
    for _ in range(120):
        match.step()
        heard += table.hear(match.take_events())
        assert OPEN in asked(voice(game).prompt(match.view), match.name).what
    assert len(heard) > 20
    assert [line for line in heard if OPEN not in line] == []


@pytest.mark.long
@needs_node
def test_the_page_speaks_it(invented: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CONQUEST_HOME", str(invented))
    file = tmp_path / "xx.json"
    file.write_text(json.dumps(languages.data(FILES, "xx")), encoding="utf-8")
    found = answer(HERE / "invented.mjs", bundle(tmp_path), file)
    assert found["chosen"] == ["xx", "en", "en"]
    assert found["said"] == ["⟦Play now⟧", "⟦1 talent⟧", "⟦7 talents⟧", "⟦west⟧"]
