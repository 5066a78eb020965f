"""The rules help is searched as one types, and every refusal leads to the page of its rule."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import arcade
import pytest
from arcade import key

import shared
from client.app import App
from client.drawing.chapters import Chapter, Pages, Spot, find, page_of, parts
from client.games.registry import GUIDES
from client.games.static_match import LocalMatch
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import switch
from client.screens import help as rules_text
from client.screens.help import HelpScreen
from client.screens.keys import keys_page
from client.text_client.table import TextTable
from client.workshop.trees import nodes
from shared.rulesets.registry import RULESETS
from tests.client.conftest import Shoot
from tests.client.mouse import Mouse
from tests.client.screen_steps import screen_of
from tests.support.position import general, position

SHARED = Path(shared.__file__).parent
CLIENT = SHARED.parent / "client"
RULE = re.compile(r"(CL|MB|II)(-[A-Z]+)?-[A-Z]*\d+")
QUESTIONS = Path(__file__).with_name("rules_questions.tsv")
PAGES = (
    ("One", (Chapter("Galleys", "They sail.\nThey carry legions."), Chapter("Walls", "Stone."))),
    ("Two", (Chapter("Roads", "", rows=(("", "What", "Price"), ("road", "legions walk", "10")), rules=("CL-ROAD",)),)),
)


def cited(game: str) -> set[str]:
    """All rules by which the game, or its table, refuses something: the ids that stand in their code as such."""
    found: set[str] = set()
    for folder in (SHARED / "rulesets" / game, CLIENT / "games" / game, SHARED / "mechanics"):
        for file in folder.rglob("*.py"):
            for node in nodes(ast.parse(file.read_text("utf-8"))):
                if isinstance(node, ast.Constant) and isinstance(node.value, str) and RULE.fullmatch(node.value):
                    found.add(node.value)
    return found


def refusals(game: str) -> Iterator[ast.Call]:
    for file in (SHARED / "rulesets" / game).rglob("*.py"):
        tree = ast.parse(file.read_text("utf-8"))
        # Of concessions no rulebook tells.
        tree.body = [each for each in tree.body if "concession" not in getattr(each, "name", "")]
        for node in nodes(tree):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "Refusal":
                yield node


@pytest.mark.parametrize(("game", "least"), [("classic", 45), ("mb1984", 50), ("cote2", 45)])
def test_every_rule_that_refuses_something_has_a_page(game: str, least: int) -> None:
    rules = cited(game)
    assert len(rules) > least
    pages = GUIDES[game].pages
    assert not [rule for rule in sorted(rules) if page_of(pages, rule) is None]


@pytest.mark.parametrize("game", GUIDES)
def test_every_refusal_names_a_rule(game: str) -> None:
    found = list(refusals(game))
    assert len(found) > 40
    unnamed = [call.lineno for call in found if isinstance(call.args[1], ast.Constant) and not call.args[1].value]
    assert not unnamed


@pytest.mark.parametrize("game", GUIDES)
def test_no_rule_has_two_pages(game: str) -> None:
    rules = [rule for _, chapters in GUIDES[game].pages for chapter in chapters for rule in chapter.rules]
    assert len(rules) == len(set(rules))


def test_words_are_found_in_titles_paragraphs_and_tables() -> None:
    assert find(PAGES, "legions") == [Spot(0, 0, 2), Spot(1, 0, 2)]
    assert find(PAGES, "WALLS") == [Spot(0, 1, 1)], "a title stands for its chapter"
    assert find(PAGES, "walk road") == [Spot(1, 0, 2)], "every word, in any order"
    assert find(PAGES, "  ") == []
    assert find(PAGES, "elephants") == []
    assert parts(PAGES[1][1][0])[2] == "road legions walk 10"


def test_a_rule_leads_to_its_chapter_or_to_that_of_its_section() -> None:
    assert page_of(PAGES, "CL-ROAD-04") == Spot(1, 0)
    assert page_of(PAGES, "CL-MOVE-01") is None
    assert page_of(PAGES, "") is None
    classic = GUIDES["classic"].pages
    at = page_of(classic, "CL-D17")
    assert at is not None
    assert classic[at.page][1][at.chapter].title == "Moving at sea"


def opened(app: App, rule: str = "") -> HelpScreen:
    app.go.help(rule)
    assert isinstance(app.screen, HelpScreen)
    return app.screen


@pytest.mark.long
def test_typing_finds_and_enter_goes_to_the_next(app: App, shoot: Shoot) -> None:
    screen = opened(app)
    before = screen.page
    for letter in "pursues":
        app.screen.on_text(letter)
    assert screen.field.value == "pursues"
    assert screen.found
    assert screen.at == screen.found[0]
    assert screen.page == screen.found[0].page != before, "it turns to the page"
    shoot(app, "help_found")
    chapters = screen.pages[screen.page][1]
    assert "pursues" in parts(chapters[screen.at.chapter])[screen.at.part]
    screen._search("galley")
    found = screen.found
    assert len(found) > 5
    seen = [screen.at]
    for _ in found[1:]:
        assert screen.on_key_press(key.ENTER, 0)
        seen.append(screen.at)
    assert set(seen) == set(found)
    screen.on_key_press(key.ENTER, 0)
    assert screen.at == seen[0], "after the last one the first"
    assert str(len(found)) in screen.told.words


def test_found_text_is_scrolled_into_view(app: App) -> None:
    screen = opened(app)
    screen._search("Captured generals")
    spot = screen.at
    assert spot is not None
    begins, ends = screen.words._spans[spot.chapter, spot.part]
    assert screen.words.offset <= begins
    assert ends <= screen.words.offset + screen.words.rect.height


def test_a_search_without_result_is_told_and_keys_still_scroll(app: App) -> None:
    screen = opened(app)
    screen._search("elephants")
    assert "Nothing" in screen.told.words
    assert screen.at is None
    screen.ui.set_focus(screen.field)
    before = screen.words.offset
    assert screen.on_key_press(key.PAGEDOWN, 0)
    assert screen.words.offset > before
    screen.on_key_press(key.ESCAPE, 0)
    assert app.screen is not screen


def test_the_help_opens_at_the_page_of_a_rule(app: App) -> None:
    screen = opened(app, "CL-GEN-01")
    assert screen.at is not None
    title = screen.pages[screen.page][1][screen.at.chapter].title
    assert title == "Captured generals"
    assert (screen.at.chapter, 0) == screen.words._now


def test_a_notice_leads_to_the_page_of_its_rule(app: App, shoot: Shoot) -> None:
    app.toast("Only cavalry and leaders go two provinces.", "bad", "CL-MOVE-03")
    assert app.cited == "CL-MOVE-03"
    shoot(app, "notice_with_rule")
    (rect,) = app.toasts.places(app.screen.toasts_at())
    app.on_mouse_press(rect.x, rect.y, arcade.MOUSE_BUTTON_LEFT, 0)
    screen = screen_of(app, HelpScreen)
    assert screen.at is not None
    assert screen.pages[screen.page][1][screen.at.chapter].title == "Moving on land"
    assert not app.toasts.words, "it was read"
    assert told(Command.HELP) == "F1"


def test_a_notice_about_no_rule_takes_no_clicks(app: App) -> None:
    app.toast("Sound is on.")
    (rect,) = app.toasts.places(app.screen.toasts_at())
    before = app.screen
    app.on_mouse_press(rect.x, rect.y, arcade.MOUSE_BUTTON_LEFT, 0)
    assert app.screen is before
    assert app.cited == ""


def test_a_refused_move_cites_its_rule(window: object) -> None:
    """Whatever is said at the table because the rules forbid something carries the rule."""
    mouse = Mouse(position(units={"italia": {0: (3, 0, 0)}}, leaders={"sicilia": [general(0)]}))
    mouse.space("italia")
    assert mouse.callbacks.toasts, "units without a leader do not move"
    assert mouse.callbacks.rules[-1].startswith("CL-")
    assert page_of(GUIDES["classic"].pages, mouse.callbacks.rules[-1]) is not None


@pytest.mark.parametrize(
    ("game", "question", "begins"),
    [
        ("cote2", "How do I buy influence?", "Influence"),
        ("cote2", "When do I collect taxes?", "6. Taxes"),
        ("classic", "what happens when my caesar is captured?", "Capture the Caesar"),
    ],
)
def test_questions_find_the_part_that_answers_them(game: str, question: str, begins: str) -> None:
    pages = GUIDES[game].pages
    best = find(pages, question)[0]
    assert parts(pages[best.page][1][best.chapter])[best.part].startswith(begins)


def test_a_question_without_any_word_of_the_rules_finds_nothing() -> None:
    assert find(PAGES, "how do I cook an elephant") == []
    assert find(PAGES, "how do I") == []


@pytest.mark.parametrize(
    ("question", "like"),
    [
        ("Befestigungskosten", "Befestigung Kosten"),
        ("Schiffsladung", "Schiff Ladung"),
        ("Koenig", "König"),
        ("Belagrungsmaschine", "Belagerungsmaschine"),
        ("Truppentransport", "Truppen Transport"),
    ],
)
def test_compounds_and_misspelt_words_find_what_their_parts_find(question: str, like: str) -> None:
    switch("de", (GUIDES, rules_text))
    try:
        pages = GUIDES["classic"].pages
        assert find(pages, question) == find(pages, like) != []
    finally:
        switch("en", (GUIDES, rules_text))


@pytest.mark.parametrize("wide", [True, pytest.param(False, marks=pytest.mark.long)], ids=["window", "text and page"])
@pytest.mark.parametrize("code", ["en", "de"])
def test_nine_of_ten_questions_of_newcomers_find_their_rule(code: str, wide: bool) -> None:
    """Questions without the words of the rules, with what the right part says, or `#` and the title of its chapter."""
    rows = [line.split("\t") for line in QUESTIONS.read_text("utf-8").splitlines()]
    right = [places(GUIDES[game].pages, says.split("|")) for game, _english, _german, says in rows]
    switch(code, (GUIDES, rules_text))
    try:
        more = (*rules_text.SHARED, keys_page()) if wide else ()
        asked = [(game, english if code == "en" else german) for game, english, german, _says in rows]
        found = [set(find((*GUIDES[game].pages, *more), question)[:3]) for game, question in asked]
    finally:
        switch("en", (GUIDES, rules_text))
    missed = [question for question, spots, wanted in zip(asked, found, right, strict=True) if not spots & wanted]
    assert len(missed) <= len(rows) / 10, missed


def places(pages: Pages, says: list[str]) -> set[Spot]:
    found = {
        Spot(i, j, k)
        for i, (_title, chapters) in enumerate(pages)
        for j, chapter in enumerate(chapters)
        for k, part in enumerate(parts(chapter))
        if f"# {chapter.title}" in says or any(words in part for words in says)
    }
    assert found, says
    return found


def test_the_table_in_words_answers_questions_from_the_same_rules() -> None:
    match = LocalMatch(RULESETS["cote2"], 3, seat=0)
    table = TextTable(match, lambda _said: None)
    answer = table.read("rules how do I buy influence")
    assert answer[0].startswith("The eight actions: Influence Buy a token for 10")
    assert "Cards: Kinds of cards" in "\n".join(table.read("rules"))
    assert table.read("rules chaos")[0] == "Chaos" and len(table.read("rules chaos")) == 2, "the chapter of that name"
    assert table.read("rules galley")[-1].endswith("more places have these words.")
    assert table.read("rules helicopter") == ["The rules in short say nothing about “helicopter”."]
