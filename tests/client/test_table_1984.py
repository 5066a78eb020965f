"""The game of 1984 at the table: every decision drawn, battles shot by shot, captives at any time."""

from collections.abc import Callable
from typing import Any

import arcade
import pytest

from client.drawing.widgets import Button
from client.games.conquest.tasks.bargain_tasks import Answering
from client.games.conquest.tasks.building_tasks import Buying, ChoosingHome, Placing, Razing
from client.games.conquest.tasks.combat_tasks import ChoosingBattle, Judging
from client.games.conquest.tasks.movement_tasks import Moving
from client.games.mb1984.battle_state import after, read, sources
from client.games.mb1984.combat_tasks import Losing, Shooting
from client.games.mb1984.game_guide import MB1984 as GUIDE
from client.games.mb1984.prisoner_bargains import PrisonerBargaining
from client.games.static_match import LocalMatch
from client.table.pieces import Pick
from client.table.retreat_task import Leaving
from client.table.task import Hit, Task, Watching
from client.table.task_chooser import prompted
from shared.ids import CATAPULT, CAVALRY, GALLEY, INFANTRY, NONE, Seat
from shared.mechanics.pieces import OFF
from shared.rulesets.mb1984.actions import Aim, Buy, Propose
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.table import State
from shared.vocabulary.actions import EndMovement, Fight, Judge, Offer
from shared.vocabulary.events import Fell
from tests.client.mouse import Mouse, laid
from tests.client.test_event_text import who
from tests.client.test_table_render import Draw, draw, draw_decision, seated
from tests.support.layout import coast, prison, sp
from tests.support.marks import mostly_long_pairs
from tests.support.position1984 import caesar, galley, general, march, play, position

__all__ = ["draw"]
"""The fixture."""

pytestmark = pytest.mark.usefixtures("window")


def invaded() -> State:
    """Two armies in Neapolis, catapults on both sides and walls, the attacker's movement over."""
    state = position(
        homes=("italia", "egyptus"),
        units={"italia": {0: (6, 2, 3)}, "neapolis": {1: (4, 1, 1)}},
        leaders={"italia": [general(0), general(0, 2), general(0, 3)], "neapolis": [general(1), general(1, 2)]},
        owners={"neapolis": 1}, built={"neapolis": 2, "italia": 2, "egyptus": 1},
        galleys={galley(1): "neapolis"},
    )  # fmt: skip
    play(state, (0, march("italia", "neapolis", general(0), 2, 2, 3)), (0, EndMovement()))
    return state


def aiming() -> State:
    state = invaded()
    play(state, (0, Fight(sp("neapolis"), 1)))
    return state


def shot_at() -> State:
    """After the defender's first shot, which missed."""
    state = aiming()
    play(state, (0, Aim(CATAPULT)), "6", (1, Aim(INFANTRY)), "1")
    return state


def at_sea() -> State:
    state = position(
        homes=("italia", "egyptus"), phase="combat", galleys={
            galley(0): "mare_tyrrhenum", galley(0, 1): "mare_tyrrhenum", galley(1): "mare_tyrrhenum"},
        cargo={galley(0): (3, 0, 1), galley(1): (1, 1, 0)},
        leaders={60 + galley(0): [general(0)], 60 + galley(1): [general(1)]},
    )  # fmt: skip
    play(state, (0, Fight(sp("mare_tyrrhenum"), 1)))
    return state


def hunted() -> State:
    """Galleys with leaders alone and an empty one, against catapults aboard one whose shot it is."""
    state = position(
        homes=("italia", "egyptus"), phase="combat",
        galleys=dict.fromkeys((galley(0), galley(1), galley(1, 1), galley(1, 2)), "mare_tyrrhenum"),
        cargo={galley(0): (0, 0, 3)},
        leaders={60 + galley(0): [general(0)], 60 + galley(1): [general(1)], 60 + galley(1, 1): [caesar(1)]},
    )  # fmt: skip
    play(state, (0, Fight(sp("mare_tyrrhenum"), 1)))
    return state


def hit_at_sea() -> State:
    """The infantry of seat 1 was hit; two of its galleys carry some."""
    state = position(
        homes=("italia", "egyptus"), phase="combat",
        galleys=dict.fromkeys((galley(0), galley(1), galley(1, 1)), "mare_tyrrhenum"),
        cargo={galley(0): (3, 0, 0), galley(1): (1, 0, 0), galley(1, 1): (3, 1, 0)},
        leaders={60 + galley(0): [general(0)], 60 + galley(1): [general(1)], 60 + galley(1, 1): [general(1, 2)]},
    )  # fmt: skip
    play(state, (0, Fight(sp("mare_tyrrhenum"), 1)), (0, Aim(INFANTRY)), "6")
    return state


def captured() -> State:
    state = position(
        homes=("italia", "egyptus"), units={"italia": {0: (6, 0, 0)}, "neapolis": {1: (1, 0, 0)}},
        leaders={"italia": [general(0)], "neapolis": [general(1), general(1, 2)]}, owners={"neapolis": 1},
    )  # fmt: skip
    play(state, (0, march("italia", "neapolis", general(0), 6)), (0, EndMovement()), (0, Fight(sp("neapolis"), 1)), "5")
    return state


def spending(phase: str, turn: Seat = 0) -> State:
    return position(
        homes=("italia", "egyptus"), turn=turn, phase=phase, talents=(190, 60), owners={"neapolis": 0, "rhaetia": 0},
        built={"italia": 1, "neapolis": 1, "egyptus": 1}, units={"italia": {0: (3, 0, 0)}},
        leaders={prison(1): [general(0)], prison(0): [general(1), general(1, 2)], "egyptus": [general(1, 3)]},
    )  # fmt: skip


def threatened() -> State:
    """An enemy stands beside the cities of the player, who may wish to raze them."""
    state = spending("destruction")
    state.units[sp("noricum")] = (1, 2, 0, 0)
    return state


def placing() -> State:
    state = spending("purchase")
    play(state, (0, Buy(galleys=1, cities=1, fortifications=1)))
    return state


def asked() -> State:
    state = spending("movement")
    play(state, (0, Offer(1, pays=20, takes=(general(0),))))
    return state


def choosing_homes() -> State:
    match = LocalMatch(MB1984, 4, options={"homes": 1})
    state: State = match.state
    return state


def beginning() -> State:
    return position(6, units={"macedonia": {0: (5, 2, 0)}}, leaders={"macedonia": [general(0), general(0, 2)]})


STATES: list[tuple[str, Callable[[], State], Seat, type[Task[Any]]]] = [
    ("home", choosing_homes, NONE, ChoosingHome),
    ("movement", beginning, 0, Moving),
    ("combat", invaded, 0, ChoosingBattle),
    ("aiming", aiming, 0, Shooting),
    ("onward", shot_at, 0, Leaving),
    ("naval", at_sea, 0, Shooting),
    ("galleys", hunted, 0, Shooting),
    ("cargo", hit_at_sea, 1, Losing),
    ("captives", captured, 0, Judging),
    ("cities", threatened, 0, Razing),
    ("purchase", lambda: spending("purchase"), 0, Buying),
    ("placement", placing, 0, Placing),
    ("roads", lambda: spending("placement"), 0, Placing),
    ("bargain", asked, 1, Answering),
    ("onlooker", aiming, NONE, Watching),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("name", "build", "seat", "kind"), mostly_long_pairs(STATES, *STATES[::5]), ids=[name for name, *_ in STATES]
)
def test_each_decision_has_its_task_and_is_drawn(
    name: str, build: Callable[[], State], seat: Seat, kind: type[Task[Any]], draw: Draw
) -> None:
    draw_decision(build(), seat, kind, draw, f"1984-{name}", MB1984)


def test_the_numbers_follow_from_catapults_and_walls() -> None:
    fight = read(aiming())
    assert fight is not None
    assert sources(fight.attacker) == "3 catapults = 3"
    assert sources(fight.defender) == "1 catapult + walls = 2"
    assert (fight.ahead(0), fight.ahead(1)) == (1, 0)
    assert [fight.needed(kind) for kind in (INFANTRY, CAVALRY, CATAPULT)] == [3, 4, 5]
    lost = after(fight, Fell(0, sp("neapolis"), (0, 0, 2)))
    assert (lost.ahead(0), lost.ahead(1)) == (0, 1)


def test_galleys_are_safe_behind_their_cargo() -> None:
    fight = read(at_sea())
    assert fight is not None
    assert fight.sheltered(3)
    assert not fight.sheltered(INFANTRY)
    assert fight.needed(CAVALRY) == 3, "4 at sea, less one for the catapult aboard"


@pytest.mark.long
def test_a_shot_is_declared_on_the_battle_itself_and_seen_to_fall(draw: Draw) -> None:
    mouse = Mouse(aiming(), 0, MB1984)
    draw(mouse.top, "1984-target")
    spots = {target[0]: rect for rect, target in mouse.top.stage.spots}
    assert set(spots) == {INFANTRY, CAVALRY, CATAPULT}
    for small in (True, False):
        mouse.key(arcade.key.HOME)
        mouse.top.draw()
        assert mouse.top.stage.small is small, "the map can be seen beside the battle"
        assert {target[0] for _rect, target in mouse.top.stage.spots} == set(spots)
    task = mouse.task(Shooting)
    assert task.target[0] == CATAPULT, "the best shot is suggested"
    mouse.click(spots[CAVALRY].x, spots[CAVALRY].y)
    assert task.target[0] == CAVALRY
    mouse.top.draw()
    rect = next(rect for rect, target in mouse.top.stage.spots if target[0] == CAVALRY)
    mouse.controls.mouse_press(rect.x, rect.y, arcade.MOUSE_BUTTON_LEFT)
    mouse.controls.mouse_release(rect.x, rect.y, arcade.MOUSE_BUTTON_LEFT)
    mouse.top.hear()
    seen = set()
    for _ in range(120):
        beat = mouse.top.playback.beat
        if beat is not None and beat.roll is not None:
            seen.add(beat.roll.words)
            if mouse.top.playback.age > 1.0:
                draw(mouse.top, "1984-die")
        elif beat is not None and "fire at" in beat.verdict:
            draw(mouse.top, "1984-declared")
            seen.add("declared")
        mouse.top.update(0.1)
    assert "declared" in seen
    assert any("needed 4+" in words for words in seen), seen


def test_the_galley_aimed_at_is_named_in_the_tray() -> None:
    mouse = Mouse(hunted(), 0, MB1984)
    task = mouse.task(Shooting)
    assert task.target == (GALLEY, galley(1)), "galleys are alike in worth: the first is suggested"
    assert "the galley with a general" in task.line()
    assert {pick.piece for pick in task.glow()} == {galley(1), galley(1, 1), galley(1, 2)}
    mouse.figure(1)
    assert "the galley with the Caesar" in task.line()
    mouse.key(arcade.key.TAB)
    assert "an empty galley" in task.line()
    mouse.figure(1)
    mouse.button("Fire!")
    assert mouse.state.galley_at[galley(1, 1)] == OFF and mouse.state.galley_at[galley(1)] != OFF


def test_the_galley_aimed_at_is_named_on_the_board() -> None:
    mouse = Mouse(hunted(), 0, MB1984)
    task = mouse.task(Shooting)
    place = mouse.state.galley_at[galley(1)]
    assert task.click(Hit(place, Pick("galley", place, 1, galley(1, 1)), (0, 0)))
    assert task.target == (GALLEY, galley(1, 1))
    assert not task.click(Hit(place, Pick("galley", place, 0, galley(0)), (0, 0))), "one's own is no target"
    assert not task.click(Hit(place, None, (0, 0)))


def test_the_owner_says_from_which_galley_a_unit_falls() -> None:
    mouse = Mouse(hit_at_sea(), 1, MB1984)
    task = mouse.task(Losing)
    fight = read(mouse.state)
    assert fight is not None and (fight.shooter, fight.kind) == (0, INFANTRY), "it is the enemy's shot still"
    assert task.galley == galley(1, 1), "the fullest one is suggested"
    assert "a general with 3 infantry, 1 cavalry" in task.line()
    mouse.figure(0)
    assert "a general with 1 infantry" in task.line()
    mouse.figure(0)
    assert mouse.state.cargo[galley(1)] == () and mouse.state.cargo[galley(1, 1)] == (3, 1, 0)


def test_onlookers_read_whose_loss_is_awaited() -> None:
    top = seated(hit_at_sea(), 0, MB1984)
    assert isinstance(top.task, Watching) and "decides" in top.task.line()
    told = prompted(hit_at_sea(), who, GUIDE)
    assert told.seat == 1 and "Mare Tyrrhenum: an infantry unit of yours was hit" in told.how


def test_a_retreat_is_offered_after_the_enemys_shot_only() -> None:
    mouse = Mouse(shot_at(), 0, MB1984)
    assert isinstance(mouse.top.task, Leaving)
    mouse.space("italia", "italia")
    assert mouse.state.units[sp("neapolis")] == (1, 4, 1, 0)
    assert sum(mouse.state.units[sp("italia")][1:]) == 11


def test_a_legion_lands_and_takes_an_empty_coast() -> None:
    state = position(homes=("italia", "egyptus"), units={"italia": {0: (5, 0, 0)}},
                     leaders={"italia": [general(0)]}, galleys={galley(0): "italia:west"})  # fmt: skip
    mouse = Mouse(state, 0, MB1984)
    mouse.space("italia")
    mouse.berth(coast("italia:west"))
    mouse.space("mare_narbo")
    mouse.button("Sail")
    mouse.space("corsica")
    mouse.button("Sail")
    assert mouse.state.owner[sp("corsica")] == 0


def test_a_march_that_would_leave_units_alone_says_so() -> None:
    state = position(homes=("italia", "egyptus"), units={"neapolis": {0: (3, 0, 0)}}, owners={"neapolis": 0},
                     leaders={"neapolis": [general(0)]})  # fmt: skip
    mouse = Mouse(state, 0, MB1984)
    mouse.space("neapolis")
    assert "lit province" in mouse.top.task.line()
    mouse.stepper(0, plus=False)
    assert "no leader" in mouse.top.task.line()


def test_free_roads_are_built_by_two_clicks_or_left_alone() -> None:
    mouse = Mouse(spending("placement"), 0, MB1984)
    assert isinstance(mouse.top.task, Placing)
    mouse.space("italia", "neapolis")
    assert len(mouse.state.roads) == 1
    mouse.button("End turn")
    assert mouse.match.owed() == (1,)


def test_captives_are_dealt_with_in_ones_own_turn(draw: Draw) -> None:
    mouse = Mouse(spending("movement"), 0, MB1984)
    assert mouse.top.layout.corner.words == "Captives (3)"
    corner = mouse.top.layout.corner.rect
    mouse.click(corner.x, corner.y)
    assert isinstance(mouse.top.task, PrisonerBargaining)
    draw(mouse.top, "1984-parley")
    mouse.figure(0)
    mouse.button("Have them killed")
    assert general(1) not in [x for x, at in enumerate(mouse.state.leader_at) if at == prison(0)]
    mouse.button("Bargain")
    mouse.figure(1)
    mouse.stepper(0)
    draw(mouse.top, "1984-parley-bargain")
    mouse.button("Propose it")
    other = Mouse(mouse.state, 1, MB1984)
    other.button("Accept")
    assert other.state.leader_at[general(0)] == sp("italia")
    assert other.state.talents == [185, 65]


def test_captives_are_killed_in_the_turn_of_another() -> None:
    mouse = Mouse(spending("movement", turn=1), 0, MB1984)
    mouse.key(arcade.key.C)
    mouse.figure(0)
    mouse.button("Have them killed")
    assert mouse.state.leader_at[general(1)] == OFF
    assert isinstance(mouse.top.task, PrisonerBargaining) and mouse.match.owed() == (1,)


def test_generals_held_in_this_turn_are_not_killed_in_it() -> None:
    state = captured()
    play(state, (0, Judge(())))
    mouse = Mouse(state, 0, MB1984)
    mouse.key(arcade.key.C)
    mouse.figure(0)
    button = next(
        w for w in mouse.top.tasks.bar.ui.widgets if isinstance(w, Button) and w.words.startswith("Have them")
    )
    assert not button.enabled and "next turn" in button.tip


def test_roads_are_built_by_a_player_without_a_home() -> None:
    state = position(
        homes=("italia", "egyptus"), owners={"italia": 1, "rhaetia": 0, "noricum": 0}, phase="placement",
        built={"rhaetia": 1, "noricum": 1}, leaders={"rhaetia": [caesar(0)]},
    )  # fmt: skip
    mouse = Mouse(state, 0, MB1984)
    assert isinstance(mouse.top.task, Placing)
    mouse.space("rhaetia", "noricum")
    assert len(mouse.state.roads) == 1


def test_a_lone_leader_joins_the_legion_in_battle_with_two_clicks() -> None:
    state = position(
        homes=("italia", "egyptus"), units={"italia": {0: (1, 0, 0)}, "neapolis": {1: (2, 0, 0)}},
        leaders={"italia": [general(0), general(0, 2)], "neapolis": [general(1)]}, owners={"neapolis": 1},
    )  # fmt: skip
    play(state, (0, march("italia", "neapolis", general(0), 1)))
    mouse = Mouse(state, 0, MB1984)
    mouse.space("italia", "neapolis")
    mouse.button("March")
    assert mouse.state.leader_at[general(0, 2)] == sp("neapolis")


def test_a_proposal_in_another_players_turn_delays_no_decision(draw: Draw) -> None:
    mouse = Mouse(spending("movement", turn=1), 0, MB1984)
    assert isinstance(mouse.top.task, Watching)
    mouse.key(arcade.key.C)
    mouse.button("Bargain")
    mouse.figure(1)
    mouse.stepper(0)
    mouse.button("Propose it")
    assert mouse.state.proposals[0]
    draw(mouse.top, "1984-parley-proposed")
    mouse.button("Take it back")
    assert not mouse.state.proposals[0]
    mouse.key(arcade.key.C)
    assert isinstance(mouse.top.task, Watching)


def test_a_proposal_is_taken_up_between_two_actions(draw: Draw) -> None:
    state = spending("movement", turn=1)
    play(state, (0, Propose(1, pays=30, takes=(general(0),))))
    mouse = Mouse(state, 1, MB1984)
    assert mouse.top.layout.corner.urgent
    draw(mouse.top, "1984-parley-asked")
    assert isinstance(mouse.top.task, Moving), "whose turn it is goes on as before"
    mouse.key(arcade.key.C)
    draw(mouse.top, "1984-parley-answer")
    mouse.button("Accept")
    assert mouse.state.talents == [160, 90]
    mouse.button("Close")
    assert isinstance(mouse.top.task, Moving)


@pytest.mark.long
def test_battles_of_a_whole_game_are_seen_to_their_end(window: arcade.Window) -> None:
    match = LocalMatch(MB1984, 4, seed=5)
    top = laid(match)
    endings = 0
    for _ in range(400):
        top.hear()
        while top.playback.busy:
            endings += top.playback.beat is not None and top.playback.beat.winner >= 0
            top.update(0.5)
        if not match.step():
            break
    assert endings
