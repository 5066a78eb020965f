"""The controls, by mouse and by keyboard."""

from collections.abc import Callable, Iterator
from typing import Any

import arcade
import pytest
from arcade import key

from client.drawing import shapes, theme, widgets
from client.drawing.chapters import Chapter
from client.drawing.fields import Selector, Tabs, TextField, Toggle
from client.drawing.scrolling import ScrollList, ScrollText
from client.drawing.widgets import Button, Label, Ui, column
from client.screens.room import ChatLog
from shared.messages import Said

HERE = arcade.LBWH(100, 100, 200, 40)
pytestmark = pytest.mark.usefixtures("app")


def click(ui: Ui, x: float, y: float) -> None:
    ui.mouse_motion(x, y)
    ui.mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT)
    ui.mouse_release(x, y)


def typed(ui: Ui, words: str) -> None:
    for letter in words:
        ui.text(letter)


def test_a_button_acts_where_the_mouse_goes_up_on_it() -> None:
    ui, done = Ui(), list[str]()
    ui.add(Button(HERE, "Go", lambda: done.append("go")))
    click(ui, 150, 120)
    assert done == ["go"]
    ui.mouse_press(150, 120, arcade.MOUSE_BUTTON_LEFT)
    ui.mouse_motion(500, 500)
    ui.mouse_release(500, 500)
    assert done == ["go"]


def test_a_button_that_is_not_enabled_does_nothing() -> None:
    ui, done = Ui(), list[str]()
    ui.add(Button(HERE, "Go", lambda: done.append("go"), enabled=False))
    click(ui, 150, 120)
    ui.key_press(key.TAB, 0)
    ui.key_press(key.ENTER, 0)
    assert done == []
    assert ui.focus is None


def test_tab_goes_round_and_shift_tab_goes_back() -> None:
    ui = Ui()
    first, second, third = (
        ui.add(Button(rect, "x", lambda: None)) for rect in column(100, 400, 200, [40.0, 40.0, 40.0])
    )
    order = []
    for modifiers in (0, 0, 0, 0, key.MOD_SHIFT, key.MOD_SHIFT):
        ui.key_press(key.TAB, modifiers)
        order.append(ui.focus)
    assert order == [first, second, third, first, third, second]
    assert second.marked
    assert not third.marked


def test_the_focus_is_shown_to_the_keyboard_only() -> None:
    ui = Ui()
    button = ui.add(Button(HERE, "Go", lambda: None))
    click(ui, 150, 120)
    assert button.focused
    assert not button.marked


def test_text_is_edited_at_the_caret() -> None:
    ui, values = Ui(), list[str]()
    field = ui.add(TextField(HERE, "Liva", limit=10, changed=values.append))
    click(ui, 150, 120)
    ui.key_press(key.LEFT, 0)
    typed(ui, "i")
    assert field.value == "Livia"
    ui.key_press(key.HOME, 0)
    ui.key_press(key.DELETE, 0)
    assert field.value == "ivia"
    ui.key_press(key.END, 0)
    ui.key_press(key.BACKSPACE, 0)
    typed(ui, "\r\n\x08 Drusilla Augusta")
    assert field.value == "ivi Drusil"
    assert field.complaint == "At most 10 letters"
    field.draw()
    ui.key_press(key.BACKSPACE, key.MOD_CTRL)
    assert field.value == "ivi "
    assert field.complaint == "", "there is room again"
    assert values[-1] == "ivi "


def test_a_long_text_shows_the_part_around_the_caret() -> None:
    field = TextField(HERE, "a very long text that cannot be shown in a field as short as this one", limit=100)
    assert field._line.content_width <= HERE.width
    assert field._line.text.endswith("this one")
    field.on_key(key.HOME, 0)
    assert field._line.text.startswith("a very long")


def test_enter_is_done_and_tab_leaves_a_field() -> None:
    ui, done = Ui(), list[bool]()
    field = ui.add(TextField(HERE, done=lambda: done.append(True)))
    button = ui.add(Button(arcade.LBWH(100, 20, 200, 40), "Go", lambda: None))
    ui.set_focus(field)
    ui.key_press(key.ENTER, 0)
    assert done == [True]
    ui.key_press(key.TAB, 0)
    assert ui.focus is button


def test_a_toggle_is_switched_by_click_and_by_space() -> None:
    ui, states = Ui(), list[bool]()
    ui.add(Toggle(HERE, "Open", False, states.append))
    click(ui, 150, 120)
    ui.key_press(key.SPACE, 0)
    assert states == [True, False]


@pytest.mark.parametrize(
    ("act", "index"),
    [
        (lambda ui: click(ui, 110, 120), 2),
        (lambda ui: click(ui, 290, 120), 1),
        (lambda ui: click(ui, 200, 120), 1),
        (lambda ui: ui.key_press(key.RIGHT, 0), 1),
        (lambda ui: ui.key_press(key.LEFT, 0), 2),
    ],
)
def test_a_choice_is_stepped_through(act: Callable[[Ui], object], index: int) -> None:
    ui, chosen = Ui(), list[int]()
    choice = ui.add(Selector(HERE, ["two", "three", "four"], 0, chosen.append))
    ui.set_focus(choice)
    act(ui)
    assert chosen == [index]
    assert choice.index == index


def test_the_wheel_over_a_choice_scrolls_the_page_and_changes_nothing() -> None:
    ui, chosen = Ui(), list[int]()
    choice = ui.add(Selector(HERE, ["two", "three", "four"], 0, chosen.append))
    assert not ui.mouse_scroll(200, 120, 1)
    assert not chosen and choice.index == 0


def test_a_choice_that_does_not_wrap_stops_at_its_ends() -> None:
    chosen = list[int]()
    choice = Selector(HERE, ["two", "three"], 0, chosen.append, wrap=False)
    choice.step(-1)
    choice.step(1)
    choice.step(1)
    assert chosen == [1]


def test_tabs_are_chosen_by_click_and_by_arrows() -> None:
    ui, chosen = Ui(), list[int]()
    tabs = ui.add(Tabs(HERE, ["one", "two"], 0, chosen.append))
    click(ui, 280, 120)
    ui.key_press(key.RIGHT, 0)
    assert chosen == [1, 0]
    assert tabs.index == 0


def a_list(ui: Ui, chosen: list[int]) -> ScrollList[int]:
    made = ScrollList[int](arcade.LBWH(100, 100, 200, 200), 50, lambda item, rect, on: None, chosen.append)
    made.items = range(20)
    return ui.add(made)


def test_a_list_is_scrolled_by_the_wheel_and_chosen_by_click() -> None:
    ui, chosen = Ui(), list[int]()
    rows = a_list(ui, chosen)
    click(ui, 150, 290)
    ui.mouse_scroll(150, 200, -3)
    click(ui, 150, 290)
    assert chosen == [0, 3]
    ui.mouse_scroll(150, 200, -100)
    ui.draw()
    assert rows.offset == 20 * theme.px(50) - 200


def test_a_list_follows_the_keyboard() -> None:
    ui, chosen = Ui(), list[int]()
    rows = a_list(ui, chosen)
    ui.set_focus(rows)
    for _ in range(6):
        ui.key_press(key.DOWN, 0)
    ui.key_press(key.ENTER, 0)
    assert chosen == [5]
    assert rows.offset > 0
    ui.key_press(key.PAGEDOWN, 0)
    ui.key_press(key.PAGEUP, 0)
    ui.key_press(key.UP, 0)
    ui.key_press(key.ENTER, 0)
    assert chosen == [5, 4]


def test_dragging_a_list_scrolls_it_and_chooses_nothing() -> None:
    ui, chosen = Ui(), list[int]()
    rows = a_list(ui, chosen)
    ui.mouse_motion(150, 150)
    ui.mouse_press(150, 150, arcade.MOUSE_BUTTON_LEFT)
    ui.mouse_drag(150, 250)
    ui.mouse_release(150, 250)
    assert chosen == []
    assert rows.offset == 100


def test_a_long_text_scrolls_to_its_end_and_no_further() -> None:
    words = ScrollText(HERE, [Chapter("Title", "word " * 200, (("city", "city"),))])
    words.on_key(key.END, 0)
    end = words.offset
    words.on_scroll(-5)
    assert words.offset == end > 0
    words.on_key(key.HOME, 0)
    assert words.offset == 0


def test_a_tooltip_waits_for_the_mouse_to_rest_and_goes_after_a_press(monkeypatch: pytest.MonkeyPatch) -> None:
    ui, told = Ui(), list[str]()
    monkeypatch.setattr(widgets, "draw_tooltip", lambda words, *_: told.append(words))
    ui.add(Label("Tribute", 150, 120, tip="What the marker shows."))
    ui.mouse_motion(155, 120)
    ui.draw()
    assert not told
    ui.update(1.0)
    ui.draw()
    assert told == ["What the marker shows."]
    ui.mouse_press(155, 120, arcade.MOUSE_BUTTON_LEFT)
    ui.update(9.0)
    ui.draw()
    assert len(told) == 1


def test_a_line_is_cut_short_to_fit() -> None:
    line = shapes.fit(shapes.text("a long line of words", 0, 0), 60)
    assert line.content_width <= 60
    assert line.text.endswith("…")


LONG = "".join(f"{i}. “Legion” — " for i in range(100, 140))[:299]


class Layouts:
    """Counts what is laid out, and how long it is."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.lengths: list[int] = []
        before: Any = arcade.Text.text

        def lay_out(line: arcade.Text, words: str) -> None:
            self.lengths.append(len(words))
            before.fset(line, words)

        monkeypatch.setattr(arcade.Text, "text", property(before.fget, lay_out))


def test_a_keystroke_in_a_long_line_lays_out_once_what_is_seen(window: object, monkeypatch: pytest.MonkeyPatch) -> None:
    field = TextField(arcade.LBWH(100, 100, 340, 34), LONG, limit=300)
    layouts = Layouts(monkeypatch)
    field.on_text("x")
    assert field.value == LONG + "x"
    for symbol in (key.BACKSPACE, key.HOME, key.RIGHT, key.DELETE, key.END, key.LEFT):
        field.on_key(symbol, 0)
    field.on_text("y")
    assert len(layouts.lengths) <= 8, "one for each keystroke"
    assert max(layouts.lengths) < 80, "no more than fits"


def test_a_paste_that_is_too_long_is_refused_before_all_of_it_is_read(
    window: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Clipboard(str):
        """Clipboard of ten megabytes that fails if more than a little is read."""

        def __iter__(self) -> Iterator[str]:
            raise AssertionError("all of it was read")

    field = TextField(arcade.LBWH(100, 100, 340, 34), "", limit=300)
    layouts = Layouts(monkeypatch)
    much = Clipboard("\n\tAve! " * 1_400_000)
    monkeypatch.setattr(arcade.get_window(), "get_clipboard_text", lambda: much, raising=False)
    field.on_key(key.V, key.MOD_CTRL)
    assert field.value == "" and field.complaint == "", "refused as a whole, not cut"
    assert len(layouts.lengths) < 2


def test_the_visible_text_fits_and_holds_the_caret(window: object) -> None:
    rect = arcade.LBWH(100, 100, 340, 34)
    field = TextField(rect, LONG, limit=300)
    room = rect.width - theme.px(28)
    for symbol in (key.END, *[key.LEFT] * 120, key.HOME, *[key.RIGHT] * 90):
        field.on_key(symbol, 0)
        assert field._line.content_width <= room
        assert 0 <= field._caret_at <= room
        assert field._line.text in LONG
        seen = LONG[LONG.index(field._line.text) : field.caret]
        wide = shapes.text(seen, 0, 0, size=theme.BODY + 0.5).content_width if seen else 0
        assert field._caret_at == wide


@pytest.mark.parametrize("title", [False, True])
@pytest.mark.parametrize("width", [0, 9, 60, 200, 900])
def test_a_long_line_is_cut_in_a_few_layouts(monkeypatch: pytest.MonkeyPatch, width: int, title: bool) -> None:
    line = shapes.text(LONG * 4, 0, 0, title=title)
    layouts = Layouts(monkeypatch)
    shapes.fit(line, width)
    assert len(layouts.lengths) <= 3
    cut = line.text.removesuffix("…")
    assert LONG.startswith(cut) or cut.startswith(LONG)
    assert line.content_width <= width or not cut
    fuller = shapes.text(LONG[: len(cut) + 3].rstrip() + "…", 0, 0, title=title)
    assert fuller.content_width > width, "no more would fit"


def test_keys_and_wheel_go_through_what_was_said(window: arcade.Window) -> None:
    log = ChatLog(arcade.LBWH(10, 10, 300, 120), 0, lambda _name, _words: None)
    log.lines = [Said(0, "Livia", f"Line {number}") for number in range(40)]
    log.draw()
    assert log._offset == 0
    offsets = []
    for symbol in (key.UP, key.PAGEUP, key.HOME, key.PAGEDOWN, key.DOWN, key.END):
        assert log.on_key(symbol, 0)
        offsets.append(log._offset)
    up, page, first, down, line, last = offsets
    assert 0 < up < page < first and first > down > line > last == 0
    assert not log.on_key(key.A, 0)
    log.on_scroll(1)
    assert log._offset == up


def test_numbers_on_buttons_are_not_in_letters_in_which_1_looks_like_i(window: arcade.Window) -> None:
    for words, carved in (("Take back: general 1 and 1 infantry", False), ("Take back", True)):
        button = Button(arcade.LBWH(0, 0, 380, 38), words, lambda: None)
        assert (theme.TITLE_FONT[0] in button._line.font_name) == carved
