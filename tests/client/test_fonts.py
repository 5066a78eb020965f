"""Names and chat in other scripts are readable: in a font that has the letters, else in Latin ones; never boxes."""

import sys
from collections.abc import Iterator
from typing import Any

import arcade
import pytest
from arcade.types import LBWH

from client.drawing import font_fallback, shapes, theme
from client.drawing.fields import TextField
from client.drawing.widgets import Label

NAMES = {
    "Latin": "Zoë Łukasz",
    "Cyrillic": "Юлий Цезарь",
    "Greek": "Κλεοπάτρα",
    "Arabic": "يوليوس قيصر",
    "Hebrew": "יוליוס קיסר",
    "Chinese": "凯撒大帝",
    "Japanese": "カエサル",
    "Korean": "카이사르",
    "emoji": "😀 👍🏽 ❤️",
    "Devanagari": "सीज़र",
    "Thai": "ซีซาร์",
}
FreeType = pytest.mark.skipif(sys.platform in ("win32", "darwin"), reason="that system looks for fonts itself")


@pytest.fixture(autouse=True)
def fonts(window: arcade.Window) -> None:
    theme.load_fonts()


@pytest.fixture
def alone(monkeypatch: pytest.MonkeyPatch) -> None:
    """A system without any other font."""
    monkeypatch.setattr(font_fallback, "_others", tuple)


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    """Clear the results that were cached with other fonts."""
    font_fallback._dressed.cache_clear()
    yield
    font_fallback._dressed.cache_clear()


def boxes(line: arcade.Text) -> list[str]:
    """Letters of a text that its font lacks: these would be boxes."""
    face: Any = getattr(line.label.document.get_font(0), "face", None)
    return [letter for letter in line.text if face is not None and not face.get_character_index(letter)]


@FreeType
@pytest.mark.parametrize("words", NAMES.values(), ids=NAMES)
@pytest.mark.parametrize("title", [False, True], ids=["plain", "title"])
def test_there_are_never_boxes(words: str, title: bool) -> None:
    for line in (shapes.text(words, 0, 0, title=title), shapes.kept(f"{words}: Ave!", title=title, limit=200)):
        assert line.text.strip() and not boxes(line)
        assert line.content_width > 0


@FreeType
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize("words", NAMES.values(), ids=NAMES)
def test_nor_where_the_system_has_no_other_font(words: str) -> None:
    line = shapes.text(words, 0, 0)
    assert line.text.strip() and not boxes(line)


@FreeType
@pytest.mark.usefixtures("alone")
@pytest.mark.parametrize(
    ("name", "latin"),
    [
        ("Latin", "Zoë Łukasz"),
        ("Cyrillic", "Yuliy Tsezar"),
        ("Chinese", "KaiSaDaDi"),
        ("emoji", ":grinning: :thumbsup: :heart:"),
    ],
)
def test_letters_without_a_font_are_transliterated(name: str, latin: str) -> None:
    assert font_fallback.dressed(NAMES[name], theme.TEXT_FONT)[1].startswith(latin)


@FreeType
@pytest.mark.parametrize("name", ["Cyrillic", "Greek"])
def test_letters_are_kept_where_a_font_has_them(name: str) -> None:
    if "DejaVu Sans" not in font_fallback._others():
        pytest.skip("no such font here")
    line = shapes.text(NAMES[name], 0, 0)
    assert line.text == NAMES[name]
    assert line.label.document.get_font(0).name == "DejaVu Sans"
    mixed = shapes.text(f"Livia, {NAMES[name]} 凯", 0, 0)
    assert mixed.text == f"Livia, {NAMES[name]} Kai", "the rest as it sounds"


def test_letters_of_the_games_fonts_stay_in_them() -> None:
    assert font_fallback.dressed("Zoë, 20 ÷", theme.TITLE_FONT)[0] == theme.TITLE_FONT
    assert font_fallback.dressed("Livia", theme.TITLE_FONT) == (theme.TITLE_FONT, "Livia")


@pytest.mark.parametrize(
    ("written", "seen"),
    [
        ("abc", "abc"),
        ("אבג", "גבא"),
        ("Livia: אב גד!", "Livia: דג בא!"),
        ("אב 12 גד", "דג 12 בא"),
        ("(אב) x", "(בא) x"),
        ("אב (ג) ד", "ד (ג) בא"),
        ("שָׁ", "שָׁ"),
    ],
)
def test_right_to_left_text_is_aligned_right(written: str, seen: str) -> None:
    assert font_fallback.ordered(written) == seen


def test_arabic_letters_are_joined() -> None:
    shapes = font_fallback.joined("بيت دار")
    assert [f"{ord(letter):x}" for letter in shapes] == ["fe91", "fef4", "fe96", "20", "fea9", "fe8d", "fead"]


@pytest.mark.parametrize("words", NAMES.values(), ids=NAMES)
def test_typed_text_stays_as_typed(words: str) -> None:
    field = TextField(LBWH(0, 0, 300, 40), limit=40)
    for letter in words:
        if letter.isprintable():
            field.on_text(letter)
    assert field.value == "".join(letter for letter in words if letter.isprintable())
    shown = field._line
    assert not boxes(shown)
    assert field._caret_at == pytest.approx(shown.content_width, abs=3)


def test_typing_in_ascii_looks_for_no_font(monkeypatch: pytest.MonkeyPatch) -> None:
    field = TextField(LBWH(0, 0, 300, 40), limit=200)

    def never(*_: object) -> bool:
        raise AssertionError("nothing is to be looked for")

    monkeypatch.setattr(font_fallback, "has", never)
    field.on_text("Ave Caesar, morituri te salutant")
    assert field.value.startswith("Ave")


def test_each_letter_is_looked_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    font_fallback.has.cache_clear()
    field = TextField(LBWH(0, 0, 300, 40), limit=400)
    field.on_text("Ж")
    before = font_fallback.has.cache_info().misses
    for _ in range(200):
        field.on_text("Ж")
    assert font_fallback.has.cache_info().misses == before


def test_a_label_changes_its_letters() -> None:
    label = Label("Livia", 0, 0)
    label.words = NAMES["Greek"]
    assert label.line.text
    label.words = "Brutus"
    assert label.line.text == "Brutus"
    assert label.line.font_name == theme.TEXT_FONT
