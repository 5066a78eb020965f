"""All texts of the program are in the player's language."""

import json
import os
import re
import subprocess
import sys
from gettext import GNUTranslations
from io import BytesIO, StringIO
from pathlib import Path

import pytest
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from client import language
from client.games.registry import GUIDES
from client.language import ENGLISH, LISTS, languages
from client.table.event_text import spoken
from client.workshop.translations.__main__ import _name, updated
from client.workshop.translations.finding import Text, braces, forgotten, lists, marked, of_rules
from shared.language.catalogue import Catalogue, catalogue, entries
from shared.messages import Said
from shared.tables import THE_TABLE
from tests.client.test_screens import SCREENS

FOLDER = Path(language.__file__).parent
OTHERS = [code for code in languages() if code != ENGLISH]
FILES = [FOLDER / code / f"{name}.po" for code in OTHERS for name in LISTS]
SPOKEN = (
    pytest.param(tuple(SCREENS), id="screens", marks=pytest.mark.long),
    *(pytest.param(("--all", game), id=game, marks=pytest.mark.exhaustive) for game in GUIDES),
)
"""All screens, and each game: every text on them can be translated."""
PLURAL = """msgid ""
msgstr ""
"Plural-Forms: nplurals=2; plural=(n != 1);\\n"
"Content-Type: text/plain; charset=utf-8\\n"

#: somewhere
msgid "{n} talent"
msgid_plural "{n} talents"
msgstr[0] "{n} Talent"
msgstr[1] "{n} Talente"

msgctxt "to take part"
msgid "Join"
msgstr "Mit"
"spielen"

#, fuzzy
msgid "Unsure"
msgstr "Unsicher"

msgid "Missing"
msgstr ""

#~ msgid "Gone"
#~ msgstr "Fort"
"""


COUNTED = re.compile(
    r"\{(\w+)\}(?: (?:more|new|other|own))? (?:votes|senators|tokens|units|armies|provinces|players|seats|cards|cities|"
    r"galleys|generals|leaders|games|rounds|turns|days|hours|minutes|seconds|options|entries|decisions|tables|actions|"
    r"rivals)\b"
)
"""A number before what it counts."""
NEVER_ONE = {
    "A galley carries at most {most} units.", "A galley carries {legion} units.",
    "A leader leads at most {most} units.", "Carries {n} units and one leader.",
    "Carries {n} units and any number of leaders.", "Carries {n} units and any number of leaders; two dice at sea.",
    "Brings {n} units ashore; adds its face in battles beside it.",
    "Brings {n} units ashore in each province; adds its face in battles there.",
    "A galley next to where they land carries {most} units {where}.", "click where {campaign} units march from.",
    "Exactly {count} units march against the Barbarians.", "{kind_name} that march. Exactly {campaign} units go.",
    "{place}: choose the {size} units that fight this round; the others wait in reserve.",
    "Type it on the other device, in My profile, within {n} minutes. It works once.", ", where {len} rivals stand",
    "{number} tables of yours are waiting for players already; start or leave one of them first.",
    "{who} with {armies} armies together, {units}: {chance} to win",
    "Season {season} of {seasons}, round {round} of {rounds}: in every round each player has {actions} actions. "
    "After the last round come taxes and points.",
    "{taken} of {seats} seats", "{n} seats", "{n} players", "{game} takes {least} to {most} players, not {seats}.",
}  # fmt: skip
"""Texts whose number is a constant above one, or of players and what several of them have."""
OTHER_TEXT_FOR_ONE = {
    "{n} days", "{days} days ago", "{count} games are off the list.", "{hits} units fall",
    "tribute {a}, {b} talents, {c} provinces", "It takes {votes} votes or more.",
    "Too many wrong codes from your address; try again in {seconds} seconds.",
}  # fmt: skip
"""Texts beside which another one is chosen for one."""
MEANS = ("on average", "Fought to the end,")
"""Parts of texts about means, such as 1.5 units."""


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> Catalogue:
    """That list alone is spoken."""
    spoken = catalogue([PLURAL])
    monkeypatch.setattr(language, "_spoken", spoken)
    return spoken


def test_texts_that_count_know_one_and_many() -> None:
    texts = {text.words for texts in lists().values() for text in texts if not text.many}
    fixed = NEVER_ONE | OTHER_TEXT_FOR_ONE
    counting = {words for words in texts if COUNTED.search(words) and not any(part in words for part in MEANS)}
    assert counting - fixed == set(), "use ngettext"
    assert fixed <= texts, "no such text any more"


@pytest.mark.usefixtures("german")
def test_texts_are_looked_up() -> None:
    assert language.ngettext("{n} talent", "{n} talents", 1) == "1 Talent"
    assert language.ngettext("{n} talent", "{n} talents", 20) == "20 Talente"
    assert language.pgettext("to take part", "Join") == "Mitspielen"
    assert language._("Join") == "Join"


@pytest.mark.usefixtures("german")
@pytest.mark.parametrize("words", ["Unsure", "Missing", "Gone"])
def test_untranslated_texts_stay_english(words: str) -> None:
    assert language._(words) == words


def test_filled_in_values_are_not_formatted_again() -> None:
    assert language._("{who} pays.", who="{Livia}") == "{Livia} pays."


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_lists_are_read_as_their_makers_read_them(file: Path) -> None:
    with file.open("rb") as source:
        write_mo(compiled := BytesIO(), read_po(source))
    compiled.seek(0)
    theirs, ours = GNUTranslations(compiled), catalogue([file.read_text("utf-8")])
    for key in (key for key in ours.texts if key):
        context, _mark, text = key.rpartition("\4")
        one, _mark, many = text.partition("\0")
        for n in (0, 1, 2, 11) if many else (1,):
            said = theirs.npgettext(context, one, many, n) if context else theirs.ngettext(one, many or one, n)
            plain = theirs.pgettext(context, one) if context else theirs.gettext(one)
            assert ours.lookup(key, n) == (said if many else plain)


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_translations_have_the_same_placeholders(file: Path) -> None:
    for key, said in entries(file.read_text("utf-8")).items():
        known = {name for part in key.rpartition("\x04")[2].split("\0") for name in braces(part)}
        for form in said.split("\0") if key else ():
            assert set(braces(form)) <= known, form


def said(words: str | tuple[str, ...] | list[str] | None) -> bool:
    """Whether a text is there in all its forms."""
    return bool(words and all([words] if isinstance(words, str) else words))


@pytest.mark.parametrize("file", FILES, ids=lambda file: f"{file.parent.name}-{file.stem}")
def test_nothing_waits_for_a_translation(file: Path) -> None:
    kept = read_po(StringIO(file.read_text("utf-8")))
    found = [message for message in kept if message.id]
    waiting = [each.id for each in found if each.fuzzy or not said(each.string)]
    assert found and not waiting, "fill them in; `python -m client.workshop.translations` says how many there are"


@pytest.mark.parametrize("code", OTHERS)
def test_the_lists_have_all_texts_and_no_others(code: str) -> None:
    for name, texts in lists().items():
        kept = read_po(StringIO((FOLDER / code / f"{name}.po").read_text("utf-8")))
        known = {
            ((message.id if isinstance(message.id, str) else message.id[0]), message.context or "") for message in kept
        }
        assert known - {("", "")} == {(text.words, text.context) for text in texts}, (
            "run `python -m client.workshop.translations`"
        )


@pytest.mark.parametrize("code", OTHERS)
def test_no_text_has_two_translations(code: str) -> None:
    said: dict[str, str] = {}
    for name in LISTS:
        for key, words in entries((FOLDER / code / f"{name}.po").read_text("utf-8")).items():
            assert not key or said.setdefault(key, words) == words, f"{key!r} in {name}.po; tell them apart by pgettext"


def test_the_language_is_the_one_that_was_asked_for(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.delenv("CONQUEST_LANGUAGE")
    for name in ("LANGUAGE", "LC_ALL", "LC_MESSAGES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("LANG", "xx_XX.UTF-8")
    assert language.chosen() == ENGLISH
    monkeypatch.setenv("LANG", "de_AT.UTF-8")
    assert language.chosen() == "de"
    home.mkdir()
    (home / "settings.json").write_text(json.dumps({"name": "Livia", "language": "en"}), "utf-8")
    assert language.chosen() == "en"
    monkeypatch.setenv("CONQUEST_LANGUAGE", "de")
    assert language.chosen() == "de"


def test_damaged_settings_leave_the_language_of_the_system(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    monkeypatch.delenv("CONQUEST_LANGUAGE")
    monkeypatch.setattr(language, "_names", lambda: ["de"])
    home.mkdir()
    (home / "settings.json").write_bytes(b"\xff{")
    assert language.chosen() == "de"


def test_a_list_keeps_what_was_translated_and_takes_what_is_new(tmp_path: Path) -> None:
    path = tmp_path / "some.po"
    path.write_text(PLURAL, "utf-8")
    kept = updated(path, "de", [Text("Join", "a.py", context="to take part"), Text("Fresh", "b.py")])
    assert {message.id: message.string or "" for message in kept if message.id} == {"Join": "Mitspielen", "Fresh": ""}


def test_only_texts_of_some_length_take_the_translation_of_a_similar_one(tmp_path: Path) -> None:
    path = tmp_path / "de.po"
    words = ("260", "Carries a unit", "Carries 2 units")
    path.write_text("".join(f'msgid "{each}"\nmsgstr "({each})"\n\n' for each in words), "utf-8")
    kept = updated(path, "de", [Text(each, "a.py") for each in (*words[1:], "20", "Carries 3 units")])
    assert kept["Carries 3 units"].fuzzy and kept["Carries 3 units"].string == "(Carries 2 units)"
    assert not kept["20"].fuzzy and kept["20"].string == ""


def test_conflicting_edits_of_a_list_are_joined(tmp_path: Path) -> None:
    path = tmp_path / "some.po"
    mine, yours = (f'msgid "{word}"\nmsgstr "{said}"\n\n' for word, said in (("One", "Eins"), ("Two", "Zwei")))
    none = 'msgid "Two"\nmsgstr ""\n\n'
    path.write_text(f"{PLURAL}\n<<<<<<< HEAD\n{mine}{none}=======\n{yours}>>>>>>> 123abc (words)\n", "utf-8")
    kept = updated(path, "de", [Text(word, "a.py") for word in ("One", "Two", "Three")])
    assert {message.id: message.string or "" for message in kept if message.id} == {
        "One": "Eins", "Two": "Zwei", "Three": "",
    }  # fmt: skip


def test_a_conflict_keeps_the_name_of_the_language(tmp_path: Path) -> None:
    path = tmp_path / "client.po"
    line = '"Language-Name: Deutsch\\n"\n'
    path.write_text(f'msgid ""\nmsgstr ""\n<<<<<<< HEAD\n\n{line}=======\n>>>>>>> 123abc (words)\n\n', "utf-8")
    assert _name(path) == line
    path.write_text(PLURAL, "utf-8")
    assert _name(path) == ""


def test_texts_are_found_in_the_sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.workshop.translations.finding.ROOT", tmp_path)
    source = tmp_path / "some.py"
    source.write_text(
        '"""Not this."""\n'
        'a = _("Pay "\n  "{n}.", n=ngettext("{n} talent", "{n} talents", 3)), pgettext("road", "Via")\n'
        'b = _(option.label)\nc = f"Two {a} words"\nd = "plain"\n',
        "utf-8",
    )
    assert [(text.words, text.many, text.context) for text in marked(source)] == [
        ("Pay {n}.", "", ""), ("{n} talent", "{n} talents", ""), ("Via", "", "road"),
    ]  # fmt: skip
    assert forgotten(source) == [(5, "Two {a} words")]
    source.write_text('e = _(f"{who} pays.")\n', "utf-8")
    with pytest.raises(ValueError, match=r"some\.py:1"):
        list(marked(source))


def test_every_list_has_its_texts() -> None:
    found = lists()
    assert set(found) == set(LISTS)
    assert "Settings" in {text.words for text in found["client"]}


def test_sentences_of_the_rules_are_found_with_their_gaps() -> None:
    path = Path(language.__file__).parents[2] / "shared" / "rulesets" / "classic" / "retreat.py"
    assert "{enemies} are in {place}." in {text.words for text in of_rules(path)}


def test_texts_of_the_rules_are_translated(monkeypatch: pytest.MonkeyPatch) -> None:
    rules = 'msgid "{a} are in {b}."\nmsgstr "In {b} stehen {a}."\n\nmsgid "{a} in {b}."\nmsgstr "{a}, {b}!"\n'
    monkeypatch.setattr(language, "_list", lambda code, name: rules)
    language._templates.cache_clear()
    try:
        assert language.heard("2 legions are in Syria.") == "In Syria stehen 2 legions."
        assert language.heard("Nothing of that kind.") == "Nothing of that kind."
    finally:
        language._templates.cache_clear()


@pytest.mark.timeout(600)
@pytest.mark.parametrize("spoken", SPOKEN)
def test_nothing_is_shown_that_cannot_be_translated(spoken: tuple[str, ...]) -> None:
    command = [sys.executable, "-m", "tests.client.marked", *spoken]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stdout + done.stderr


def test_announcements_at_a_table_are_shown_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_spoken", language.tongue("de"))
    monkeypatch.setattr(language, "_code", "de")
    language._templates.cache_clear()
    try:
        lines = "Gaius plays for Livia from now on.", "That seat is taken."
        told = [Said(THE_TABLE, "", words) for words in lines]
        assert [spoken(line) for line in told] == ["Gaius spielt von jetzt an für Livia.", "Dieser Platz ist besetzt."]
        assert spoken(Said(1, "Gaius", "That seat is taken.")) == "Gaius: That seat is taken.", "what a person says"
    finally:
        language._templates.cache_clear()


def test_numbers_have_the_sign_before_their_decimals_that_the_language_has(monkeypatch: pytest.MonkeyPatch) -> None:
    assert language.decimal("6.2") == "6.2"
    monkeypatch.setattr(language, "_spoken", language.tongue("de"))
    assert language.decimal("6.2") == "6,2" and language.decimal("6") == "6"


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
def test_another_language_takes_effect_at_once() -> None:
    """All is loaded in English, then another language is chosen: nothing on the screens, nor at a table, is English."""
    command = [sys.executable, "-m", "tests.client.marked", "--later", *SCREENS, "cote2"]
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=Path(__file__).parents[2])
    assert done.returncode == 0, done.stdout + done.stderr


def test_the_program_speaks_german() -> None:
    words = "from client.screens.menu import CREDIT; print(CREDIT)"
    environment = {**os.environ, "CONQUEST_LANGUAGE": "de", "ARCADE_HEADLESS": "True", "PYTHONUTF8": "1"}
    said = subprocess.run([sys.executable, "-c", words], capture_output=True, text=True, check=True,
                          env=environment, cwd=Path(__file__).parents[2]).stdout  # fmt: skip
    assert said.startswith("Inoffizielle Umsetzung")
