"""A key shows where an army can march next turn, and the armies that can attack a province, with their chances."""

from typing import Any

import arcade
import pytest

from client.drawing import theme
from client.games.registry import GUIDES, guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.table.mouse_input import MouseInput
from client.table.province_preview import dangers
from client.table.tabletop import Tabletop
from client.table.task import FIGHT, GO
from shared.board import BOARD
from shared.kernel import engine
from shared.odds.outcome import ATTACKER, percent
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.registry import RULESETS
from tests.support.layout import sp
from tests.support.marks import mostly_long
from tests.support.position import galley, general, position


def border() -> Any:
    """Return a position of Classic: our army in Italia, the enemy's in Neapolis; infantry in Dalmatia has no leader."""
    return position(
        homes=("italia", "egyptus"), owners={"neapolis": 1, "dalmatia": 1},
        units={"italia": {0: (4, 0, 1)}, "neapolis": {1: (3, 2, 0)}, "dalmatia": {1: (7, 0, 0)}},
        leaders={"italia": [general(0)], "neapolis": [general(1)]},
    )  # fmt: skip


def test_reach_is_that_of_the_rules_at_the_beginning_of_the_turn() -> None:
    state = border()
    reach = guide("classic").reach(state, 0, sp("italia"))
    marches = {
        action.to for action in engine.options(CLASSIC, state, 0)
        if isinstance(action, March) and action.source == sp("italia")
    }  # fmt: skip
    assert reach.spaces == marches
    state.leader_used[general(0)] = 2
    assert guide("classic").reach(state, 0, sp("italia")) == reach, "next turn all are fresh"


def test_only_armies_with_a_leader_threaten_a_province_and_the_odds_are_those_of_the_battle() -> None:
    state, game = border(), guide("classic")
    (danger,) = dangers(state, sp("italia"), 0, game)
    assert (danger.seat, danger.source) == (1, sp("neapolis"))
    attacker, defender = danger.question.hosts
    assert attacker.army == (3, 2, 0) and defender.army == (4, 0, 1)


def test_galleys_threaten_a_province_and_all_armies_together_are_one_more_attack() -> None:
    state = position(
        homes=("italia", "egyptus"), owners={"neapolis": 1, "cyrenaica": 1},
        units={"italia": {0: (2, 0, 0)}, "neapolis": {1: (3, 2, 0)}, "sicilia": {1: (5, 0, 0)}},
        leaders={"italia": [general(0)], "neapolis": [general(1)], "sicilia": [general(1, 2)]},
        galleys={galley(1): "sicilia"},
    )  # fmt: skip
    by_sea = guide("classic").landings(state, 1, sp("italia"))
    assert [(one.source, one.army, one.leaders) for one in by_sea] == [(sp("sicilia"), (5, 0, 0), 1)]
    found = dangers(state, sp("italia"), 0, guide("classic"))
    together, first, second = found
    assert together.armies == 2 and together.question.hosts[0].army == (8, 2, 0)
    assert {first.source, second.source} == {sp("neapolis"), sp("sicilia")}
    assert {danger.source for danger in found if danger.sails} == {sp("sicilia")}
    for leader in range(len(state.leader_at)):
        if state.leader_at[leader] == sp("sicilia"):
            state.leader_at[leader] = sp("egyptus")
    assert not guide("classic").landings(state, 1, sp("italia")), "no units board without a leader"


@pytest.mark.parametrize("game", mostly_long(GUIDES, "cote2"))
def test_every_province_of_a_match_can_be_previewed(window: arcade.Window, game: str) -> None:
    match = LocalMatch(RULESETS[game], 3, seed=4, seat=0)
    for _ in range(60):
        match.step()
    top: Tabletop[Any] = Tabletop(match, guide(game), RecordedCallbacks())
    top.place(*theme.BASE_SIZE)
    top.hear()
    top.events.hurry()
    for space in range(BOARD.provinces):
        shown = []
        for _ in range(3):
            top.layout.province.turn(top.events.latest_position, space, 0)
            shown.append(top.layout.province.shown)
        assert shown in ([True, True, False], [True, False, True]), "two steps, or one where no army can march"


class Looker:
    """Player who points at provinces and presses the key."""

    def __init__(self) -> None:
        self.match = LocalMatch(CLASSIC, 2, seat=0)
        self.match.take_events()
        self.match.state = border()
        self.top: Tabletop[Any] = Tabletop(self.match, guide("classic"), RecordedCallbacks())
        theme.set_window(*theme.BASE_SIZE)
        self.top.place(*theme.BASE_SIZE)
        self.top.hear()
        self.keys = MouseInput(self.top)

    def look(self, key: str) -> None:
        self.keys.mouse_motion(*self.top.board.camera.to_window(*self.top.display.middle(sp(key))))
        self.keys.key_press(arcade.key.R, 0)


def test_the_key_goes_from_the_reach_to_the_threats_and_back(window: arcade.Window) -> None:
    looker = Looker()
    top, tints = looker.top, looker.top.board.ground
    looker.look("italia")
    assert tints.tints[sp("neapolis")] == FIGHT
    assert GO in tints.tints.values()
    looker.look("italia")
    (danger,) = dangers(looker.match.view, sp("italia"), 0, top.guide)
    odds = top.guide.battle_scene.battle_odds.odds(*danger.question.hosts, False)
    assert top.layout.province.lines == (f"Marcus from Neapolis with 5 units: {percent(odds.wins(ATTACKER))} to win",)
    looker.look("italia")
    assert not top.layout.province.shown
    looker.look("italia")
    looker.keys.key_press(arcade.key.ESCAPE, 0)
    assert not top.layout.province.shown


def test_a_province_without_an_army_shows_its_threats_at_once(window: arcade.Window) -> None:
    looker = Looker()
    looker.look("creta")
    assert looker.top.layout.province.lines == ("No enemy can reach it next turn.",)


def test_the_next_decision_ends_the_preview(window: arcade.Window) -> None:
    looker = Looker()
    looker.look("italia")
    looker.match.step()
    looker.top.hear()
    assert not looker.top.layout.province.shown
