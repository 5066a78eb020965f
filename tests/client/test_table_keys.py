"""The table without a mouse: spaces by arrows and by name, pieces by number, controls by Tab."""

from collections.abc import Iterator
from typing import Any

import pytest
from arcade import key

from client.drawing.widgets import Button, Label, Ui
from client.games.conquest.drafts.move_draft import Legion, SailDraft
from client.games.conquest.tasks.movement_tasks import Moving
from client.keyboard.chord import chord
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS
from client.table.chronicle import ChronicleLine
from client.table.compass import BoardDirection, named, towards
from client.table.cursor import Cursor
from client.table.geography import geography
from client.table.pane import Stepper
from shared.board import BOARD
from shared.ids import NONE
from shared.vocabulary.frames import Movement as MovementFrame
from tests.client.mouse import Mouse
from tests.support.layout import coast, sp
from tests.support.position import galley, general, position

pytestmark = pytest.mark.usefixtures("window")
SPACES = range(len(BOARD.names))


@pytest.fixture(autouse=True)
def _usual_keys() -> Iterator[None]:
    yield
    KEYS.reset()


def marching(**more: Any) -> Mouse:
    state = position(homes=("italia", "egyptus"), units={"italia": {0: (3, 2, 0)}},
                     leaders={"italia": [general(0), general(0) + 1]}, **more)  # fmt: skip
    return Mouse(state)


def type_name(hands: Mouse, letters: str) -> None:
    for letter in letters:
        hands.key(ord(letter))


# The board


def test_every_space_is_reached_by_arrows_from_every_other() -> None:
    for start in SPACES:
        seen, front = {start}, [start]
        while front:
            here = front.pop()
            beside = {to for way in BoardDirection if (to := towards(here, way)) != NONE}
            front += beside - seen
            seen |= beside
        assert seen == set(SPACES), BOARD.names[start]


@pytest.mark.parametrize("way", BoardDirection)
def test_an_arrow_leads_where_it_points(way: BoardDirection) -> None:
    heart, (right, up) = geography().heart, way.value
    for space in SPACES:
        to = towards(space, way)
        if to != NONE:
            along = (heart(to)[0] - heart(space)[0]) * right + (heart(to)[1] - heart(space)[1]) * up
            assert along > 0, (BOARD.names[space], way, BOARD.names[to])


@pytest.mark.parametrize(
    ("start", "way", "to"),
    [
        ("italia", BoardDirection.RIGHT, "Mare Adriatico"),
        ("italia", BoardDirection.UP, "Rhaetia"),
        ("hispania", BoardDirection.LEFT, "Lusitania"),
        ("neapolis", BoardDirection.DOWN, "Sicilia"),
        ("macedonia", BoardDirection.DOWN, "Achaia"),
        ("thracia", BoardDirection.UP, "Moesia"),
        ("britannia", BoardDirection.DOWN, "Oceanus Britannicus"),
    ],
)
def test_neighbours_come_first(start: str, way: BoardDirection, to: str) -> None:
    assert BOARD.names[towards(sp(start), way)] == to


def test_names_are_found_by_their_first_letters_or_those_of_a_later_word() -> None:
    def names(letters: str) -> list[str]:
        return [BOARD.names[space] for space in named(letters)]

    assert names("gal") == ["Galatia"]
    assert names("aeg") == ["Mare Aegaeum"]
    assert names("cy") == ["Cyprus", "Cyrenaica"]
    assert names("nar") == ["Narbonensis", "Mare Narbo"]
    assert names("narbo") == ["Mare Narbo", "Narbonensis"], "a whole word comes first"
    assert names("x") == names("") == []


def test_a_cursor_that_is_typed_at() -> None:
    cursor = Cursor()
    cursor.put(sp("italia"))
    for letter, space in (("c", "caesariensis"), ("y", "cyprus"), ("r", "cyrenaica"), ("q", "cyrenaica")):
        cursor.write(letter)
        assert cursor.space == sp(space)
    assert cursor.letters == "q", "another name begins, and none is called so"
    cursor.write("c")
    cursor.write("y")
    cursor.next_namesake()
    assert (cursor.space, cursor.letters) == (sp("cyrenaica"), "cy")
    cursor.next_namesake()
    assert cursor.space == sp("cyprus")
    cursor.erase()
    assert (cursor.space, cursor.letters) == (sp("caesariensis"), "c")


def test_the_first_arrow_shows_where_one_is_and_the_next_one_goes_on() -> None:
    hands = marching()
    cursor = hands.top.cursor
    hands.key(key.LEFT)
    assert cursor.on
    assert cursor.space == sp("italia"), "there is something to do"
    hands.key(key.LEFT)
    assert cursor.space == sp("narbonensis")
    hands.key(key.ESCAPE)
    assert not cursor.on
    assert not hands.top.menu.open
    hands.key(key.UP)
    assert cursor.space == sp("narbonensis"), "where one was"
    hands.click(hands.top.board.rect.x, hands.top.board.rect.top - 30)
    assert not cursor.on, "the mouse is used"


def test_a_march_by_name_and_enter() -> None:
    hands = marching()
    hands.key(key.F)
    type_name(hands, "ita")
    hands.key(key.ENTER)
    task = hands.task(Moving)
    assert isinstance(task.draft.pick, Legion)
    type_name(hands, "rha")
    hands.key(key.ENTER)
    assert task.draft.action() is not None, "aimed"
    hands.key(key.ENTER)
    assert hands.state.units[sp("rhaetia")][:2] != (0, 0), "and sent by the second one"


def test_pieces_are_picked_by_number_until_something_was_done_there() -> None:
    hands = marching(galleys={galley(0): "italia:west"})
    top = hands.top
    hands.key(key.F)
    type_name(hands, "ital")
    words = [thing.words.partition(",")[0] for thing in top.cursor.things]
    assert sorted(words) == ["army", "caesar", "galley", "general", "general"]
    hands.key(key.KEY_1 + words.index("galley"))
    task = top.task
    assert isinstance(task, Moving)
    assert task.draft.pick == SailDraft(galley(0))
    assert not top.cursor.armed
    hands.key(key.KEY_1)
    assert isinstance(task.draft.pick, SailDraft)
    assert len(task.draft.pick.leaders) == 1, "numbers are for the tray now"
    aboard = task.draft.pick.leaders[0]
    picks = [thing.token.pick for thing in top.cursor.things]
    his = next(i for i, pick in enumerate(picks) if pick.kind == "leader" and pick.piece == aboard)
    hands.key(key.KEY_1 + his, key.MOD_CTRL)
    assert isinstance(task.draft.pick, SailDraft)
    assert not task.draft.pick.leaders, "with Ctrl they are for the board"


def test_a_galley_alone_is_meant_without_a_number() -> None:
    sea = BOARD.coast_seas[coast("italia:west")][0]
    hands = marching(galleys={galley(0): BOARD.keys[sea]})
    hands.key(key.F)
    type_name(hands, BOARD.names[sea].split()[-1].lower())
    hands.key(key.ENTER)
    assert isinstance(hands.top.task, Moving)
    assert hands.top.task.draft.pick == SailDraft(galley(0))


def test_after_a_march_tab_takes_those_that_have_not_moved_first() -> None:
    hands = marching()
    hands.space("italia", "neapolis")
    hands.button("March")
    hands.top.task.clear()
    hands.key(key.TAB)
    assert isinstance(hands.top.task, Moving) and isinstance(hands.top.task.draft.pick, Legion)
    assert hands.top.task.draft.pick.source == sp("italia"), "the other general there waits"


def test_tab_takes_the_cursor_along() -> None:
    hands = marching()
    hands.key(key.UP)
    type_name(hands, "brit")
    hands.key(key.ESCAPE)
    assert hands.top.cursor.on, "only the letters are put away"
    hands.key(key.TAB)
    assert hands.top.cursor.space == sp("italia")
    assert isinstance(hands.top.task, Moving)
    assert hands.top.task.draft.pick is not None


def test_letters_are_commands_where_the_board_has_no_keyboard_and_with_alt() -> None:
    hands = marching()
    hands.key(key.O)
    assert hands.top.sheet is not None
    hands.key(key.O)
    assert hands.top.sheet is None
    hands.key(key.UP)
    hands.key(key.O)
    assert hands.top.sheet is None
    assert hands.top.cursor.letters == "o"
    hands.key(key.O, key.MOD_ALT)
    assert hands.top.sheet is not None


def test_with_ctrl_one_confirms_and_ends_wherever_one_is() -> None:
    hands = marching()
    hands.key(key.TAB)
    hands.key(key.F)
    type_name(hands, "rha")
    hands.key(key.ENTER)
    type_name(hands, "britannia")
    hands.key(key.ENTER, key.MOD_CTRL)
    assert hands.state.units[sp("rhaetia")][:2] != (0, 0), "not what is marked is used"
    hands.key(key.F6)
    hands.key(key.SPACE, key.MOD_CTRL)
    hands.key(key.SPACE, key.MOD_CTRL)
    assert not isinstance(hands.state.frames[-1], MovementFrame)


def test_arrows_go_to_the_sheet_that_lies_over_the_board() -> None:
    hands = marching()
    hands.key(key.O)
    hands.key(key.DOWN)
    assert hands.top.reach.pane is hands.top.sheet
    assert not hands.top.cursor.on


# Controls


def test_tab_reaches_every_control_and_each_shows_that_it_was_reached() -> None:
    hands = marching()
    top = hands.top
    hands.key(key.O)
    wanted = {id(w) for pane in top.panes for w in pane.ui.ring}
    hands.key(key.F6)
    seen = set()
    for _ in range(len(wanted)):
        focus = top.reach.focus
        assert focus is not None
        assert focus.marked
        seen.add(id(focus))
        hands.controls.key_press(key.TAB, 0)
    assert seen == wanted
    first = top.reach.focus
    hands.controls.key_press(key.TAB, key.MOD_SHIFT)
    hands.controls.key_press(key.TAB, 0)
    assert top.reach.focus is first, "and back"


def test_all_that_can_be_clicked_can_have_the_keyboard() -> None:
    hands = marching()
    hands.key(key.O)
    for pane in hands.top.panes:
        for widget in pane.ui.widgets:
            assert widget.focusable or widget.deed is None, widget


def test_f6_goes_from_panel_to_panel_and_then_to_the_board() -> None:
    hands = marching()
    top = hands.top
    found = []
    while not top.cursor.on:
        hands.key(key.F6)
        found.append(top.reach.pane)
    assert found[0] is top.tasks.bar
    assert set(found[:-1]) <= set(top.layout.controls())
    hands.key(key.F6, key.MOD_SHIFT)
    assert top.reach.pane is found[-2], "and back again"
    hands.key(key.ESCAPE)
    assert top.reach.pane is None


def _counted(hands: Mouse) -> int:
    """The number that has the keyboard."""
    focus = hands.top.reach.focus
    assert isinstance(focus, Stepper)
    assert focus.marked
    return focus.count


def test_counts_go_up_and_down_and_keep_the_keyboard() -> None:
    hands = Mouse(position(homes=("italia", "egyptus"), phase="purchase", talents=(60, 0)))
    hands.key(key.F6)
    counts = [_counted(hands)]
    for symbol in (key.PLUS, key.EQUAL, key.UP, key.MINUS, key.ENTER, key.DOWN):
        hands.key(symbol)
        counts.append(_counted(hands))
    assert counts == [0, 1, 2, 3, 2, 3, 2], "what was built anew is known again"
    hands.key(key.RIGHT)
    assert _counted(hands) == 0, "the next one"


def test_removed_controls_pass_the_keyboard_focus_on() -> None:
    hands = marching()
    top = hands.top
    hands.key(key.F6)
    hands.key(key.TAB)
    assert isinstance(top.reach.focus, Button)
    assert top.reach.focus.words == "End movement"
    hands.key(key.SPACE)
    assert isinstance(hands.state.frames[-1], MovementFrame), "asked first"
    assert isinstance(top.reach.focus, Button)
    assert top.reach.focus.words == "Really end?"
    assert top.task.line() == "These can still move: Italia.", "the question says what would be missed"
    hands.key(key.ENTER)
    assert not isinstance(hands.state.frames[-1], MovementFrame)


def test_a_click_gives_the_keyboard_to_no_button() -> None:
    hands = marching()
    hands.button("Next to move")
    assert hands.top.tasks.bar.ui.focus is None
    assert not Ui.by_keys


def test_a_step_back_is_one_key_and_opens_no_menu() -> None:
    hands = marching()
    hands.key(key.TAB)
    hands.key(key.BACKSPACE)
    assert isinstance(hands.top.task, Moving)
    assert hands.top.task.draft.pick is None
    hands.key(key.Z, key.MOD_CTRL)
    assert not hands.top.menu.open


def test_chat_is_reached_and_left_by_tab() -> None:
    hands = marching()
    top = hands.top
    while not top.chronicle.typing:
        hands.controls.key_press(key.TAB if top.reach.pane else key.F6, 0)
    hands.controls.text("Ave")
    hands.controls.key_press(key.H, 0)
    hands.controls.key_press(key.TAB, 0)
    assert not top.chronicle.typing
    assert top.chronicle._field is not None
    assert top.chronicle._field.value == "Ave"


def test_keys_mean_what_the_player_wishes() -> None:
    hands = marching()
    assert KEYS.change(Command.ODDS, chord("j")) == ""
    hands.key(key.O)
    assert hands.top.sheet is None
    hands.key(key.J)
    assert hands.top.sheet is not None


def test_keys_go_through_the_chronicle_while_its_heading_has_them() -> None:
    mouse = marching()
    top = mouse.top
    for number in range(60):
        top.chronicle.add(ChronicleLine(f"Line {number}."))
    heading = next(w for w in top.chronicle.ui.ring if isinstance(w, Label))
    assert top.reach.enter(top.chronicle, top.chronicle.ui.ring.index(heading))
    lines = len(top.chronicle.lines)
    for symbol, back in ((key.UP, 1), (key.PAGEUP, 9), (key.PAGEDOWN, 1), (key.HOME, lines - 3), (key.END, 0)):
        mouse.key(symbol)
        assert top.chronicle._back == back
