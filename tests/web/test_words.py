"""The page puts sentences into words as Python does, and has the client's numbers and lists, through whole matches."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest

from client.drawing.chapters import Spot, find
from client.games.registry import GUIDES
from client.games.static_match import LocalMatch
from client.language import switch, tongue
from client.table.guide import Guide
from client.workshop.page import languages
from client.workshop.page.__main__ import FILES, made
from protocol import codec
from server.matches.narration import words_for
from server.web.site import MODULES, joined
from shared.board import BOARD
from shared.language.catalogue import ENGLISH, Catalogue, catalogue
from shared.language.sentence import Listing, Prompt, Sentence, Value, ngettext, render, render_line
from shared.messages import Narrated
from shared.rulesets.registry import RULESETS
from tests.clients.runtime import answer, needs_node
from tests.support.marks import in_stages, with_releases

HERE = Path(__file__).parent
PURE = tuple(name for name in MODULES if name.startswith(("wire/", "model/", "words/")))
NAMES = ("Livia", "Ben", "Caia", "Drusus", "Enna", "Felix")
SAMPLES = Path(__file__).parents[2] / "protocol" / "samples"
POLISH = """
msgid ""
msgstr ""
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

msgid "{who} has {n} road."
msgid_plural "{who} has {n} roads."
msgstr[0] "{who} ma {n} drogę."
msgstr[1] "{who} ma {n} drogi."
msgstr[2] "{who} ma {n} dróg."
"""
"""Language with more plural forms than English has."""


def bundle(folder: Path) -> Path:
    """Return the page's modules that need no browser, for Node."""
    words = joined(FILES / name for name in PURE).decode()
    names = re.findall(r"^(?:async )?(?:function\*?|class|const) (\w+)", words, re.MULTILINE)
    file = folder / "page.mjs"
    file.write_text(f"{words}\nexport {{ {', '.join(names)} }};\n", encoding="utf-8")
    return file


def steps(match: LocalMatch, guide: Guide[Any], number: int) -> Iterator[dict[str, Any]]:
    """Yield the sentences of a match as they are sent, and its position every seventh step, with the client's texts."""
    for i in range(number):
        events = [(i, told.event) for told in match.take_events()]
        words = words_for(match.rules.id, i, events, (), match.view)
        assert words is not None
        yield {"told": codec.encode(words).hex(), **(_position(match, guide) if i % 7 == 0 else {})}
        if not match.step():
            return


def _position(match: LocalMatch, guide: Guide[Any]) -> dict[str, Any]:
    view = match.view
    heading = guide.look.heading(view)
    people = [guide.look.person(view, seat, match.name) for seat in range(view.seats)]
    return {
        "view": msgspec.to_builtins(view),
        "persons": [person.tip for person in people],
        "numbers": [person.numbers for person in people],
        "places": [guide.look.describe(view, space, match.name).splitlines() for space in range(BOARD.spaces)],
        "round": heading.words,
        "phase": {"names": heading.phases, "now": heading.on},
    }


@needs_node
@pytest.mark.parametrize("code", ["en", pytest.param("de", marks=pytest.mark.long)])
def test_the_page_finds_the_same_rules_as_the_client(code: str, tmp_path: Path) -> None:
    lines = (Path(__file__).parents[1] / "client" / "rules_questions.tsv").read_text("utf-8").splitlines()
    asked = [(line.split("\t")[0], line.split("\t")[1 if code == "en" else 2]) for line in lines[::5]]
    data = {
        name: json.loads((FILES / "rules" / f"{name}.{code}.json").read_text("utf-8")) for name in (*GUIDES, "words")
    }
    file = tmp_path / "questions.json"
    file.write_text(json.dumps([data, asked]))
    found = [[Spot(*at) for at in spots] for spots in answer(HERE / "rules.mjs", bundle(tmp_path), file)]
    switch(code, (GUIDES,) if code != "en" else ())
    try:
        expected = [find(GUIDES[game].pages, question) for game, question in asked]
    finally:
        switch("en", (GUIDES,) if code != "en" else ())
    assert found == expected


@pytest.mark.long
@needs_node
@pytest.mark.parametrize("seed", in_stages([3, 4, 5], [3], []))
@pytest.mark.parametrize("ruleset", with_releases(RULESETS, "cote2"))
def test_a_match_is_told_as_by_the_client(ruleset: str, seed: int, tmp_path: Path) -> None:
    rules, guide = RULESETS[ruleset], GUIDES[ruleset]
    match = LocalMatch(rules, rules.max_seats - seed % 3, seed=seed)
    names = [match.name(seat) for seat in range(match.view.seats)]
    played = list(steps(match, guide, 500 if seed == 3 else 2500))
    found = positions_compared(tmp_path, {"game": ruleset, "names": names, "steps": played})
    assert found["differences"] == []
    assert found["compared"] > 2500
    told = [codec.decode_server(bytes.fromhex(step["told"])) for step in played]
    for code in ("en", *languages.others()):
        assert_same_words(tmp_path, told, code, ENGLISH if code == "en" else tongue(code))


def positions_compared(folder: Path, played: Any) -> Any:
    """Return the differences between the page's words for positions and the client's."""
    file = folder / "match.json"
    file.write_text(json.dumps(played), encoding="utf-8")
    return answer(HERE / "words.mjs", bundle(folder), FILES / "world.json", file)


def assert_same_words(folder: Path, told: Iterable[Any], code: str, words: Catalogue, data: Any = None) -> None:
    """Compare the page's words for these `Narrated` with those of Python, in one language."""
    told = list(told)
    file = folder / "sentences.json"
    list_ = None if code == "en" else languages.data(FILES, code) if data is None else data
    asked = {"code": code, "list": list_, "names": NAMES, "told": [codec.encode(each).hex() for each in told]}
    file.write_text(json.dumps(asked), encoding="utf-8")
    expected = [_in_words(each, words) for each in told]
    assert any(lines for lines, _prompt in expected)
    assert answer(HERE / "sentences.mjs", bundle(folder), file) == expected


def _in_words(told: Narrated, words: Catalogue) -> list[Any]:
    """Return lines and prompt of a message as Python renders them."""
    lines = [line and render_line(line, words, NAMES.__getitem__) for _version, line in told.lines]
    asked = told.prompt
    values: tuple[Value, ...] = () if asked is None else (asked.what, asked.how, asked.hand, asked.news)
    return [lines, [render(value, words, NAMES.__getitem__) for value in values]]


@pytest.mark.long
@needs_node
def test_the_samples_of_sentences_are_put_into_words(tmp_path: Path) -> None:
    told = [codec.decode_server(path.read_bytes()) for path in sorted(SAMPLES.rglob("to_client_narrated*.msgpack"))]
    assert told
    for code in ("en", *languages.others()):
        assert_same_words(tmp_path, told, code, ENGLISH if code == "en" else tongue(code))


@needs_node
def test_a_language_with_more_plural_forms_and_lists_in_lists(tmp_path: Path) -> None:
    words = catalogue([POLISH])
    one, many = "{who} has {n} road.", "{who} has {n} roads."
    inner = Listing((Sentence("an {odd} gap", {"n": 1}), Listing(("a", "b"), "; ")), Sentence(" / ", {}), "")
    lines = [(n, ngettext(one, many, n, who=Listing((Sentence("x", {}), inner), ", ", "{last} + {most}")))
             for n in (0, 1, 2, 5, 12, 22)]  # fmt: skip
    told = [Narrated(1, tuple(lines), Prompt(-1, Sentence("context\4said", {})))]
    texts = {key: said for key, said in words.texts.items() if key}
    data = {"forms": {"one": 0, "few": 1, "many": 2, "other": 2}, "texts": texts}
    assert_same_words(tmp_path, told, "pl", words, data)
    assert_same_words(tmp_path, told, "en", ENGLISH)


def test_the_pages_data_from_the_client_is_up_to_date() -> None:
    stale = [name for name, words in made().items() if (FILES / name).read_text("utf-8") != words]
    assert not stale, "run python -m client.workshop.page"


@pytest.mark.long
def test_all_words_of_the_page_are_there_in_german() -> None:
    known: Any = languages.data(FILES, "de")["texts"]
    assert [text for text in languages.asked(FILES) if text not in known] == []


def test_texts_that_lessons_share_with_the_page_are_there_from_the_start() -> None:
    """The words "Go on" were English on a German page, because the lessons, which are loaded later, have it too."""
    known = set(languages.asked(FILES))
    for file in FILES.rglob("*.js"):
        if "lessons" not in file.relative_to(FILES).parts:
            said = {json.loads(text) for text in re.findall(r'\b_\(("(?:[^"\\]|\\.)*")', file.read_text("utf-8"))}
            assert said <= known, file.name
