"""Mouse and keys on every kind of decision; all that the rules offer can be picked; no clicks break anything."""

from collections.abc import Sequence
from itertools import product
from random import Random
from typing import Any

import arcade
import pytest

from client.drawing import theme
from client.games.conquest.drafts.move_draft import Legion, Movement, SailDraft
from client.games.conquest.tasks.movement_tasks import Moving
from client.games.static_match import LocalMatch
from client.keyboard.commands import Command
from client.table import board_view
from client.table.geography import geography
from client.table.mouse_input import MouseInput
from shared.board import BOARD
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import Buy, March
from shared.rulesets.mb1984.actions import March as OldMarch
from shared.rulesets.registry import RULESETS
from shared.vocabulary.actions import EndMovement, Fight, Sail
from shared.vocabulary.frames import Movement as MovementFrame
from shared.vocabulary.frames import Onward
from tests.client.mouse import Mouse, laid
from tests.client.rules_adapters import REALMS
from tests.support.layout import coast, prison, sp
from tests.support.marks import pairs_in_stages
from tests.support.position import galley, general, march, play, position

pytestmark = pytest.mark.usefixtures("window")


def test_a_legion_boards_sails_and_lands_on_the_other_coast() -> None:
    mouse = Mouse(position(homes=("italia", "egyptus"), units={"italia": {0: (6, 0, 0)}},
                           leaders={"italia": [general(0)]}, galleys={galley(0): "italia:west"}))  # fmt: skip
    mouse.space("italia")
    mouse.berth(coast("italia:west"))
    sea = BOARD.coast_seas[coast("italia:west")][0]
    mouse.space(BOARD.keys[sea])
    mouse.button("Sail")
    assert mouse.state.galley_at[galley(0)] == sea
    assert mouse.state.cargo[galley(0)] == (5, 0, 0)
    assert isinstance(mouse.top.task, Moving)
    assert isinstance(mouse.top.task.draft.pick, SailDraft), "the same galley may go on at once"
    landing = next(to for to in BOARD.landings[sea] if BOARD.ashore[to] != sp("italia"))
    mouse.berth(landing)
    mouse.berth(landing)
    assert mouse.state.units[BOARD.ashore[landing]] == (0, 5, 0, 0), "a second click on the target confirms"


def test_a_strait_is_crossed_like_a_border() -> None:
    mouse = Mouse(position(homes=("italia", "egyptus"), units={"neapolis": {0: (2, 0, 0)}}, owners={"neapolis": 0},
                           leaders={"neapolis": [general(0)]}))  # fmt: skip
    mouse.space("neapolis", "sicilia")
    mouse.key(arcade.key.ENTER)
    assert mouse.state.units[sp("sicilia")] == (0, 2, 0, 0)


def test_units_are_dropped_on_the_way_along_a_road() -> None:
    mouse = Mouse(position(
        homes=("italia", "egyptus"), units={"italia": {0: (5, 0, 0)}}, leaders={"italia": [general(0)]},
        owners={"rhaetia": 0, "noricum": 0}, built={"italia": 1, "rhaetia": 1, "noricum": 1},
        roads=(("italia", "rhaetia"), ("noricum", "rhaetia")),
    ))  # fmt: skip
    mouse.space("italia", "rhaetia")
    mouse.button("Stop there")
    mouse.stepper(0)
    mouse.stepper(0)
    mouse.button("Leave them here")
    mouse.space("noricum")
    mouse.button("March")
    assert mouse.state.units[sp("rhaetia")] == (0, 2, 0, 0)
    assert mouse.state.units[sp("noricum")] == (0, 2, 0, 0)


def test_escape_and_the_right_button_go_back_one_step() -> None:
    mouse = Mouse(position(homes=("italia", "egyptus"), units={"italia": {0: (4, 0, 0)}},
                           leaders={"italia": [general(0)]}))  # fmt: skip
    mouse.space("italia")
    mouse.stepper(0, plus=False)
    mouse.space("neapolis")
    task = mouse.task(Moving)
    assert task.draft.action() == March(sp("italia"), sp("neapolis"), (general(0),), 2)
    mouse.key(arcade.key.ESCAPE)
    assert task.draft.action() is None
    mouse.click(mouse.top.board.rect.x, mouse.top.board.rect.top - 30, arcade.MOUSE_BUTTON_RIGHT)
    assert isinstance(task.draft.pick, Legion)
    assert task.draft.pick.units == (3, 0, 0)


def test_space_asks_before_it_ends_a_phase_too_early() -> None:
    mouse = Mouse(position(homes=("italia", "egyptus"), units={"italia": {0: (3, 0, 0)}},
                           leaders={"italia": [general(0)]}))  # fmt: skip
    mouse.key(arcade.key.SPACE)
    assert isinstance(mouse.state.frames[-1], MovementFrame)
    mouse.key(arcade.key.SPACE)
    assert not isinstance(mouse.state.frames[-1], MovementFrame)


@pytest.mark.parametrize("by_key", [False, True])
@pytest.mark.parametrize("game", RULESETS)
def test_button_and_key_skip_to_the_own_turn(game: str, by_key: bool) -> None:
    match = LocalMatch(RULESETS[game], 4, seed=5, seat=0)
    while match.is_mine:
        match.step()
    mouse = Mouse(match.state, rules=RULESETS[game])
    mouse.match.chance = match.chance
    if by_key:
        mouse.press(Command.AHEAD)
    else:
        mouse.button("Skip to my turn")
    assert mouse.match.hastened == 1, "bots need not wait either"
    shown = 0
    while not mouse.match.is_mine and mouse.match.step():
        mouse.top.hear()
        assert not (mouse.top.events.busy or mouse.top.display.motion.flying), "nothing is shown on its way"
        shown += 1
    assert shown
    assert not mouse.top.events.ahead, "from here on all is shown again"
    assert not mouse.top.events.go_ahead(), "it is one's own turn"


def test_number_keys_work_the_tray() -> None:
    mouse = Mouse(position(homes=("italia", "egyptus"), phase="purchase", talents=(60, 0)))
    mouse.key(arcade.key.KEY_1)
    mouse.key(arcade.key.KEY_1)
    mouse.key(arcade.key.KEY_2)
    mouse.key(arcade.key.KEY_1, arcade.key.MOD_SHIFT)
    mouse.key(arcade.key.ENTER)
    assert mouse.state.units[sp("italia")] == (0, 1, 1, 0)


def test_everything_bought_is_placed_by_clicks() -> None:
    state = position(homes=("italia", "egyptus"), phase="purchase", talents=(120, 0), owners={"neapolis": 0},
                     built={"italia": 1})  # fmt: skip
    play(state, (0, Buy(galleys=1, cities=1, fortifications=1, roads=1)))
    mouse = Mouse(state)
    mouse.space("neapolis")
    assert mouse.state.built[sp("neapolis")] == 1
    mouse.space("neapolis")
    assert mouse.state.built[sp("neapolis")] == 2
    mouse.space("italia", "neapolis")
    assert mouse.state.roads
    mouse.berth(coast("italia:adriatic"))
    assert coast("italia:adriatic") in mouse.state.galley_at
    assert mouse.match.owed() == (1,), "nothing is left to do, so the turn is over"


def test_a_retreat_is_clicked_on_the_board() -> None:
    state = position(
        homes=("italia", "egyptus"), units={"italia": {0: (5, 0, 0)}, "neapolis": {1: (4, 0, 0)}},
        leaders={"italia": [general(0)], "neapolis": [general(1)]}, owners={"neapolis": 1},
    )  # fmt: skip
    play(state, (0, march("italia", "neapolis", general(0), 5)), (0, EndMovement()), (0, Fight(sp("neapolis"), 1)),
         ".....", "....")  # fmt: skip
    assert isinstance(state.frames[-1], Onward)
    mouse = Mouse(state, 1)
    board, stage = mouse.top.board, mouse.top.stage
    assert stage.brief and set(mouse.top.task.lit()) >= {sp("sicilia"), sp("italia")}
    for space in mouse.top.task.lit():
        assert not stage.holds(*board.camera.to_window(*board.geography.heart(space))), "where one may go is seen"
    mouse.space("sicilia", "sicilia")
    assert mouse.state.units[sp("sicilia")][0] == 1


def test_a_bargain_is_made_and_answered_by_clicks() -> None:
    state = position(homes=("italia", "egyptus"), phase="placement", talents=(30, 30),
                     leaders={prison(1): [general(0)]})  # fmt: skip
    mouse = Mouse(state)
    mouse.button("Bargain")
    mouse.figure(1)
    mouse.stepper(0)
    mouse.stepper(0)
    mouse.button("Propose")
    other = Mouse(mouse.state, 1)
    other.button("Accept")
    assert other.state.talents == [20, 40]
    assert other.state.leader_at[general(0)] == sp("italia")


def picked(draft: Movement[Any], action: Action) -> Action | None:
    """The same action, picked piece by piece as a player does."""
    if isinstance(action, March | OldMarch):
        draft.pick_province(action.source, action.leaders[0])
        _with(draft, action.leaders, (action.infantry, action.cavalry, action.catapults))
        draft.set_tired(action.tired)
    elif isinstance(action, Sail):
        draft.clear()
        draft.pick_galley(action.galley)
        _with(draft, action.leaders, (action.infantry, action.cavalry, action.catapults))
    draft.aim(action.to)  # type: ignore[attr-defined]
    return draft.action()


def _with(draft: Movement[Any], leaders: Sequence[int], units: tuple[int, int, int]) -> None:
    assert draft.pick is not None
    for leader in {*leaders} ^ {*draft.pick.leaders}:
        draft.toggle(leader)
    for arm in range(3):
        draft.set_units(arm, 0)
    for arm, count in enumerate(units):
        draft.set_units(arm, count)


@pytest.mark.parametrize("seed", [3, 4])
@pytest.mark.parametrize("game", REALMS)
def test_every_move_that_the_rules_list_can_be_picked(game: str, seed: int) -> None:
    rules, marching = RULESETS[game], REALMS[game].marching
    match = LocalMatch(rules, 6, seed=seed)
    tried = 0
    while tried < 400:
        if isinstance(match.state.frames[-1], MovementFrame):
            match.seat = match.state.frames[-1].seat
            draft = Movement(match.view, match.seat, match.check, marching)
            for action in engine.options(rules, match.state, match.seat):
                if isinstance(action, March | OldMarch | Sail):
                    found = picked(draft, action)
                    assert found is not None, action
                    assert sorted(found.leaders) == sorted(action.leaders)  # type: ignore[attr-defined]
                    assert found.__struct_fields__ == action.__struct_fields__
                    assert [getattr(found, f) for f in found.__struct_fields__ if f != "leaders"] == [
                        getattr(action, f) for f in action.__struct_fields__ if f != "leaders"
                    ]
                    tried += 1
        assert match.step()


KEYS = (
    arcade.key.TAB, arcade.key.ENTER, arcade.key.ESCAPE, arcade.key.SPACE, arcade.key.KEY_1, arcade.key.KEY_2,
    arcade.key.KEY_3, arcade.key.PLUS, arcade.key.MINUS, arcade.key.HOME, arcade.key.F10, arcade.key.C,
)  # fmt: skip


@pytest.mark.parametrize(("game", "seed"), pairs_in_stages(product(RULESETS, range(3)), [], [("cote2", 0)]))
def test_wild_clicks_and_keys_break_nothing(game: str, seed: int, window: arcade.Window) -> None:
    chance = Random(seed)
    match = LocalMatch(RULESETS[game], 6, seed=seed)
    top = laid(match)
    controls = MouseInput(top)
    for i in range(500 if seed else 250):
        owed = match.owed()
        if not owed:
            break
        match.seat = owed[0]
        top.hear()
        _wild(controls, chance)
        if i % 6 == 0:
            match.step()
        top.update(chance.random())
        if i % 25 == 0:
            top.draw()
            window.flip()
    assert match.version > 25


def _wild(controls: MouseInput[Any], chance: Random) -> None:
    """Something that a hand, or a cat, might do."""
    board, action_bar = controls.top.board, controls.top.tasks.bar
    if chance.random() < 0.3:
        controls.key_press(chance.choice(KEYS), 0)
        return
    area = action_bar.rect if chance.random() < 0.4 else board.rect
    x, y = chance.uniform(area.left, area.right - 1), chance.uniform(area.bottom, area.top - 1)
    button = arcade.MOUSE_BUTTON_RIGHT if chance.random() < 0.1 else arcade.MOUSE_BUTTON_LEFT
    controls.mouse_motion(x, y)
    controls.mouse_press(x, y, button)
    if chance.random() < 0.2:
        controls.mouse_drag(x + 30, y - 20, 30, -20)
    controls.mouse_release(x, y, button)
    if chance.random() < 0.2:
        controls.mouse_scroll(x, y, chance.choice((-1, 1)))


def test_a_click_on_a_painted_name_counts_for_its_place() -> None:
    mouse = Mouse(position(homes=("italia", "egyptus")))
    display, camera = mouse.top.display, mouse.top.board.camera
    for space, (left, bottom, right, top) in enumerate(geography().names[: BOARD.provinces]):
        for x in (left + 4, (left + right) / 2, right - 4):
            token, found = display.under(*camera.to_window(x, (bottom + top) / 2))
            assert token is not None or found == space, BOARD.names[space]


def test_a_click_that_means_nothing_says_so() -> None:
    mouse = Mouse(position(homes=("italia", "egyptus"), leaders={"italia": [general(0)]}))
    mouse.space("britannia")
    assert mouse.callbacks.toasts == ["Britannia: nothing to do there now. Click what is lit or glows."]


def test_a_click_on_a_target_of_the_only_legion_is_enough() -> None:
    legion = position(homes=("italia", "egyptus"), units={"italia": {0: (3, 0, 0)}}, leaders={"italia": [general(0)]})
    mouse = Mouse(legion)
    mouse.space("neapolis")
    pick = mouse.top.task.draft.pick if isinstance(mouse.top.task, Moving) else None
    assert isinstance(pick, Legion) and (pick.source, pick.to) == (sp("italia"), sp("neapolis"))
    mouse.space("neapolis")
    assert mouse.state.leader_at[general(0)] == sp("neapolis")


def test_a_click_that_means_nothing_keeps_what_is_picked_and_says_so() -> None:
    mouse = Mouse(position(homes=("italia", "egyptus"), units={"italia": {0: (3, 0, 0)}},
                           leaders={"italia": [general(0)]}))  # fmt: skip
    mouse.space("italia")
    task = mouse.task(Moving)
    picked = task.draft.pick
    assert isinstance(picked, Legion)
    mouse.space("mare_amisus")
    assert task.draft.pick == picked
    assert "nothing to do there now" in mouse.callbacks.toasts[-1]


def test_the_map_is_fitted_again_after_a_resize_in_the_middle_of_a_glide() -> None:
    mouse = Mouse(position(homes=("italia", "egyptus")))
    board = mouse.top.board
    board.glide.approach([(1000.0, 1000.0), (1200.0, 1100.0)])
    board.glide.arrive()
    mouse.top.place(*theme.MIN_SIZE)
    board.glide.update(board_view.SECONDS)
    assert board.camera.zoom == board.camera.home_zoom
    mouse.top.place(*theme.BASE_SIZE)
    assert board.camera.zoom == board.camera.home_zoom
