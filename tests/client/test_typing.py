"""Text fields in use: typing, selecting, copying and clicking."""

import arcade
import pytest
from arcade import key

from client.drawing.fields import EditedLine, TextField
from client.drawing.widgets import Ui

HERE = arcade.LBWH(100, 100, 200, 40)
CTRL, SHIFT = key.MOD_CTRL, key.MOD_SHIFT

pytestmark = pytest.mark.usefixtures("window")


class Typist:
    """A field with the keyboard, a hand on the mouse, and a clipboard of its own."""

    def __init__(self, words: str, monkeypatch: pytest.MonkeyPatch, limit: int = 100) -> None:
        self.ui = Ui()
        self.changes: list[str] = []
        self.field = self.ui.add(TextField(HERE, words, limit=limit, changed=self.changes.append))
        self.ui.set_focus(self.field)
        self.clipboard = ""
        window = arcade.get_window()
        monkeypatch.setattr(window, "get_clipboard_text", lambda: self.clipboard, raising=False)
        monkeypatch.setattr(window, "set_clipboard_text", self._copy, raising=False)

    def _copy(self, words: str) -> None:
        self.clipboard = words

    def keys(self, *symbols: int, held: int = 0) -> None:
        for symbol in symbols:
            self.ui.key_press(symbol, held)

    def at(self, place: int) -> float:
        """Return the position in the window of a place between letters, while all letters are shown."""
        return self.field._line.x + self.field._stops[place]

    def press(self, place: int, held: int = 0) -> None:
        self.ui.mouse_press(self.at(place), 120, arcade.MOUSE_BUTTON_LEFT, held)

    def click(self, place: int, held: int = 0) -> None:
        self.press(place, held)
        self.ui.mouse_release(self.at(place), 120)


@pytest.fixture
def typist(monkeypatch: pytest.MonkeyPatch) -> Typist:
    return Typist("Ave, Caesar Livia", monkeypatch)


def test_shift_selects_and_typing_replaces_it(typist: Typist) -> None:
    typist.keys(key.LEFT, key.LEFT, held=SHIFT)
    assert typist.field.selected == "ia"
    typist.field.on_text("us")
    assert typist.field.value == "Ave, Caesar Livus"
    assert typist.field.selected == ""


def test_by_words(typist: Typist) -> None:
    typist.keys(key.LEFT, held=CTRL)
    assert typist.field.caret == 12
    typist.keys(key.LEFT, held=CTRL | SHIFT)
    assert typist.field.selected == "Caesar "
    typist.keys(key.RIGHT)
    assert typist.field.caret == 12, "to the end of what was selected"
    typist.keys(key.HOME)
    typist.keys(key.RIGHT, held=CTRL)
    assert typist.field.caret == 3
    typist.keys(key.DELETE, held=CTRL)
    assert typist.field.value == "Ave Caesar Livia"
    typist.keys(key.HOME, held=SHIFT)
    assert typist.field.selected == "Ave"


def test_copy_cut_paste(typist: Typist) -> None:
    typist.keys(key.C, held=CTRL)
    assert typist.clipboard == "", "nothing was selected"
    typist.keys(key.LEFT, held=CTRL | SHIFT)
    typist.keys(key.C, held=CTRL)
    assert (typist.clipboard, typist.changes) == ("Livia", [])
    typist.keys(key.HOME)
    typist.keys(key.V, held=CTRL)
    assert typist.field.value == "LiviaAve, Caesar Livia"
    typist.keys(key.A, held=CTRL)
    typist.keys(key.X, held=CTRL)
    assert (typist.field.value, typist.clipboard) == ("", "LiviaAve, Caesar Livia")
    typist.keys(key.INSERT, held=SHIFT)
    assert typist.field.value == typist.clipboard == typist.changes[-1]


def test_a_letter_with_ctrl_is_not_typed_and_space_presses_nothing(typist: Typist) -> None:
    assert not typist.field.on_key(key.B, CTRL)
    assert typist.field.on_key(key.SPACE, 0), "it comes as text"
    assert typist.changes == []


def test_the_mouse_places_the_caret_and_selects(typist: Typist) -> None:
    typist.click(3)
    assert typist.field.caret == 3
    typist.click(11, held=SHIFT)
    assert typist.field.selected == ", Caesar"
    typist.press(5)
    typist.ui.mouse_drag(typist.at(11), 120)
    assert typist.field.selected == "Caesar"
    typist.ui.mouse_drag(HERE.right + 50, 120)
    assert typist.field.selected == "Caesar Livia"
    typist.ui.mouse_release(HERE.right + 50, 120)


def test_a_double_click_selects_a_word_and_a_third_all(typist: Typist) -> None:
    for selected in ("", "Caesar", "Ave, Caesar Livia", ""):
        if not selected:
            typist.field._clicked = (-1.0, -1)  # A while later.
        typist.click(7)
        assert typist.field.selected == selected
    typist.field.draw()


def test_dragging_beyond_the_edge_brings_more_into_sight(monkeypatch: pytest.MonkeyPatch) -> None:
    typist = Typist("veni vidi vici " * 6, monkeypatch)
    typist.keys(key.HOME)
    typist.press(0)
    for _ in range(95):
        typist.ui.mouse_drag(HERE.right + 9, 120)
    assert typist.field.selected == typist.field.value
    for _ in range(95):
        typist.ui.mouse_drag(HERE.left - 9, 120)
    assert typist.field.selected == ""
    assert typist.field._line.text.startswith("veni")


def test_only_the_visible_part_of_a_selection_is_drawn(monkeypatch: pytest.MonkeyPatch) -> None:
    typist = Typist("veni vidi vici " * 6, monkeypatch)
    typist.keys(key.A, held=CTRL)
    drawn: list[arcade.types.Rect] = []
    monkeypatch.setattr(arcade, "draw_rect_filled", lambda rect, colour: drawn.append(rect))
    typist.field.draw()
    assert [(rect.left, rect.right) for rect in drawn] == [(typist.at(0), typist.at(-1))]
    assert drawn[0].right <= HERE.right


def test_a_full_line_says_so_and_what_is_selected_makes_room() -> None:
    line = EditedLine("abcde", 5)
    line.write("f")
    assert (line.words, line.full) == ("abcde", True)
    line.select_all()
    line.write("xyz")
    assert (line.words, line.full, line.caret) == ("xyz", False, 3)


@pytest.mark.parametrize(("place", "chosen"), [(0, "Ave"), (3, ","), (4, " "), (8, "Caesar"), (11, "Caesar")])
def test_a_word_is_what_lies_between_blanks_and_signs(place: int, chosen: str) -> None:
    line = EditedLine("Ave, Caesar", 20)
    line.select_word(place)
    assert line.chosen == chosen
