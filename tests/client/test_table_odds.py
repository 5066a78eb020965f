"""The odds of battles at the table: while an attack is put together, on the stage, and in the calculator."""

from typing import Any

import arcade
import pytest
from arcade import key
from msgspec.structs import replace

from client.drawing import theme
from client.drawing.widgets import Button
from client.games.registry import GUIDES, guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.keyboard.commands import Command
from client.table.attack_preview import force
from client.table.calculator import Calculator
from client.table.mouse_input import MouseInput
from client.table.odds_bar import prospect, said, shades, span, spent
from client.table.odds_description import CARDS, GALLEYS, INFANTRY, LEAVES, LENT, OWN, TRAINING, WALLS, count, counted
from client.table.pane import Stepper
from client.table.tabletop import Tabletop
from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.odds import classic, cote2, mb1984
from shared.odds.outcome import ATTACKER, DEFENDER, Ending, Host, Odds, amount, percent
from shared.rulesets.classic.options import WALL_DICE
from shared.rulesets.cote2.actions import Incite
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import REBELS
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.registry import RULESETS
from tests.client.conftest import Photograph
from tests.client.mouse import Mouse
from tests.odds.battles import of_classic, of_cote2, of_mb1984
from tests.support import position1984 as mb
from tests.support import positionii as ii
from tests.support.layout import aboard, coast, sp
from tests.support.marks import with_releases
from tests.support.position import galley, general, position

pytestmark = pytest.mark.usefixtures("window")
FIELD = "narbonensis"
GOING, THERE = Host((2, 3, 2), leaders=1), Host((6, 2, 1), leaders=1, walls=WALL_DICE)
"""Armies of the default march: the attacker's and the defender's."""


def plain(hosts: tuple[Host, Host]) -> tuple[Host, Host]:
    """Return both hosts without the options of their table, of which they have the same."""
    assert hosts[0].options == hosts[1].options != ()
    return replace(hosts[0], options=()), replace(hosts[1], options=())


def marching(turn: int = 0, seat: int = 0) -> Mouse:
    """Seat 0 could march from Italia upon seat 1 behind walls."""
    return Mouse(
        position(homes=("italia", "hispania"), units={"italia": {0: (9, 3, 2)}, FIELD: {1: (6, 2, 1)}},
                 leaders={"italia": [general(0), general(0, 2)], FIELD: [general(1)]}, owners={FIELD: 1},
                 built={FIELD: 2}, turn=turn), seat,
    )  # fmt: skip


def calculator(top: Tabletop[Any]) -> Calculator[Any]:
    """The calculator, which lies over the board."""
    assert top.sheet is top.layout.calculator
    return top.layout.calculator


def step(mouse: Mouse, number: int, plus: bool = True) -> None:
    """Click at a number of the calculator, counted through both rows."""
    steppers = [w for w in calculator(mouse.top).ui.widgets if isinstance(w, Stepper)]
    rect = steppers[number].rect
    x = rect.right - theme.px(12) if plus else rect.left + theme.px(12)
    mouse.click(x, rect.bottom + theme.px(12))


# --- while an attack is put together ---


def test_a_march_upon_an_enemy_shows_its_odds_and_they_follow_its_numbers() -> None:
    mouse = marching()
    attack_preview = mouse.top.layout.attack
    mouse.space("italia")
    assert attack_preview.question is None
    mouse.space(FIELD)
    assert attack_preview.question is not None
    assert plain(attack_preview.question.hosts) == (GOING, THERE)
    assert attack_preview.odds == classic.odds(GOING, THERE, False)
    mouse.figure(1)
    assert attack_preview.question.hosts[ATTACKER].leaders == 2
    mouse.key(key.ESCAPE)
    mouse.space("rhaetia")
    assert attack_preview.question is None, "nobody is there"
    assert not attack_preview.holds(attack_preview.rect.x, attack_preview.rect.y), "and the board can be clicked"


def test_units_already_there_fight_with_arrivals() -> None:
    mouse = Mouse(position(homes=("italia", "hispania"), turn=0, owners={FIELD: 1},
                           units={"italia": {0: (4, 0, 0)}, FIELD: {0: (2, 0, 0), 1: (2, 0, 0)}},
                           leaders={"italia": [general(0)], FIELD: [general(0, 2)]}))  # fmt: skip
    mouse.space("italia", FIELD)
    assert mouse.top.layout.attack.question is not None
    assert plain(mouse.top.layout.attack.question.hosts) == (Host((5, 0, 0), leaders=2), Host((2, 0, 0)))


def test_a_landing_shows_its_odds() -> None:
    mouse = Mouse(position(units={"cyrenaica": {1: (2, 0, 0)}}, owners={"cyrenaica": 1}, cargo={galley(0): (4, 1, 0)},
                           galleys={galley(0): "mare_libycum"}, leaders={aboard(galley(0)): [general(0)]}))  # fmt: skip
    mouse.berth(coast("mare_libycum"))
    mouse.berth(coast("cyrenaica"))
    question = mouse.top.layout.attack.question
    assert question is not None and not question.naval
    assert plain(question.hosts) == (Host((4, 1, 0), leaders=1), Host((2, 0, 0)))


def test_in_1984_galleys_that_meet_must_fight_and_in_classic_they_need_not() -> None:
    galleys = {mb.galley(0): "mare_alexandria", mb.galley(1): "mare_libycum"}
    mouse = Mouse(mb.position(homes=("galatia", "egyptus"), galleys=galleys), rules=MB1984)
    mouse.berth(coast("mare_alexandria"))
    mouse.space("mare_libycum")
    question = mouse.top.layout.attack.question
    assert question is not None and question.naval
    assert plain(question.hosts) == (Host(galleys=1), Host(galleys=1))
    mouse = Mouse(position(galleys={galley(0): "mare_alexandria", galley(1): "mare_libycum"}))
    mouse.berth(coast("mare_alexandria"))
    mouse.space("mare_libycum")
    assert mouse.top.layout.attack.question is None


def test_the_battle_that_could_be_next_shows_its_odds() -> None:
    mouse = Mouse(position(units={FIELD: {0: (3, 0, 0), 1: (2, 0, 0)}, "dacia": {0: (2, 0, 0), 1: (1, 0, 0)}},
                           phase="combat"))  # fmt: skip
    seen = []
    for _ in range(2):
        assert mouse.top.layout.attack.question is not None
        seen.append((mouse.top.layout.attack.question.space, plain(mouse.top.layout.attack.question.hosts)))
        mouse.key(key.TAB)
    assert dict(seen) == {
        sp(FIELD): (Host((3, 0, 0)), Host((2, 0, 0))), sp("dacia"): (Host((2, 0, 0)), Host((1, 0, 0)))
    }  # fmt: skip


def test_in_conquest_ii_the_march_and_the_attack_show_their_odds() -> None:
    state = ii.position(units={"italia": {0: (5, 1, 0)}, "narbonensis": {1: (3, 0, 0)}},
                        leaders={"italia": [ii.general(0)]}, cards={0: ["army_training"]})  # fmt: skip
    mouse = Mouse(state, rules=COTE2)
    mouse.space("italia", "narbonensis")
    question = mouse.top.layout.attack.question
    assert question is not None
    assert plain(question.hosts) == (Host((5, 1, 0), leaders=1, training=1), Host((3, 0, 0)))
    mouse.key(key.ENTER)
    mouse.controls.key_press(key.KEY_6, 0)
    mouse.settle()
    assert mouse.top.layout.attack.question == question, "the same battle, once they have marched"


def test_in_conquest_ii_galleys_that_come_are_counted_and_those_that_go_are_not() -> None:
    state = ii.position(galleys={ii.galley(0): "mare_narbo", ii.galley(0, 1): "mare_epirus",
                                 ii.galley(1): "mare_narbo"})  # fmt: skip
    mouse = Mouse(state, rules=COTE2)
    mouse.berth(sp("mare_epirus"))
    mouse.space("mare_narbo")
    mouse.button("Attack Marcus")
    question = mouse.top.layout.attack.question
    assert question is not None and question.naval
    assert plain(question.hosts) == (Host(galleys=2), Host(galleys=1))


# --- the calculator ---


def test_a_click_on_the_odds_opens_the_calculator_with_the_same_battle() -> None:
    mouse = marching()
    mouse.space("italia", FIELD)
    mouse.click(mouse.top.layout.attack.rect.x, mouse.top.layout.attack.rect.y)
    shown = calculator(mouse.top)
    assert shown.question is not None
    assert plain(shown.question.hosts) == (GOING, THERE)
    assert mouse.top.layout.attack.question is None, "a sheet lies over it"
    step(mouse, 0)
    assert plain(shown.question.hosts)[ATTACKER] == Host((3, 3, 2), leaders=1)
    assert shown.odds == classic.odds(Host((3, 3, 2), leaders=1), THERE, False)
    mouse.key(key.ESCAPE)
    assert mouse.top.sheet is None
    assert mouse.top.layout.attack.question is not None, "Escape did not take the march back"
    mouse.key(key.O)
    assert plain(shown.question.hosts) == (GOING, THERE), "it is asked anew"


@pytest.mark.parametrize("seat", [1, NONE])
def test_it_opens_out_of_turn_by_key_and_by_button(seat: int) -> None:
    mouse = marching(turn=0, seat=seat)
    mouse.key(key.O)
    shown = calculator(mouse.top)
    assert shown.question is not None
    assert shown.question.seats == ((1, 0) if seat == 1 else (0, 1))
    mouse.key(key.O)
    assert mouse.top.sheet is None
    mouse.button("Odds", mouse.top.layout.header)
    step(mouse, 0)
    step(mouse, 0)
    step(mouse, 6, plus=False)
    assert plain(shown.question.hosts) == (Host((7, 2, 0), leaders=1), Host((4, 0, 0), leaders=1))
    mouse.key(key.O)
    mouse.key(key.O)
    assert shown.question.hosts[ATTACKER].army == (7, 2, 0), "what one counted last lies there still"


def test_sides_change_and_battles_at_sea_are_counted_too() -> None:
    mouse = marching()
    mouse.key(key.O)
    shown = calculator(mouse.top)
    step(mouse, 4)
    assert shown.question is not None and shown.question.hosts[ATTACKER].leaves == 1
    before = shown.question
    mouse.button("Change sides", shown)
    assert shown.question.seats == before.seats[::-1]
    assert shown.question.hosts[DEFENDER].army == before.hosts[ATTACKER].army
    mouse.button("At sea", shown)
    assert shown.odds == classic.odds(*shown.question.hosts, True)
    assert len([w for w in shown.ui.widgets if isinstance(w, Stepper)]) == 2
    step(mouse, 0)
    assert shown.question.hosts[ATTACKER].galleys == 2
    step(mouse, 1, plus=False)
    step(mouse, 1, plus=False)
    assert shown.question.hosts[DEFENDER].galleys == 0
    assert shown.odds is not None and shown.odds.wins(ATTACKER) == 1.0


def test_lent_units_and_those_of_cards_are_counted_apart() -> None:
    mouse = Mouse(ii.position(4), rules=COTE2)
    mouse.key(key.O)
    shown = calculator(mouse.top)
    mouse.button("Lent", shown)
    step(mouse, 1)
    mouse.button("Of cards", shown)
    step(mouse, 3)
    mouse.button("Own", shown)
    step(mouse, 5)
    assert shown.question is not None
    host = shown.question.hosts[ATTACKER]
    assert (host.lent, host.cards, host.training) == ((0, 1, 0, 0), (0, 0, 0, 1), 1)
    assert shown.odds == cote2.odds(*shown.question.hosts, False)


def test_it_opens_with_a_possible_enemy() -> None:
    state = ii.position(4)
    state.side[:] = [0, 0, 1, 1]
    mouse = Mouse(state, rules=COTE2)
    mouse.key(key.O)
    shown = calculator(mouse.top)
    assert shown.question is not None and shown.question.seats == (0, 2)
    mouse.key(key.O)
    mouse.state.side[:] = [0, 1, 0, 1]
    mouse.key(key.O)
    assert shown.question.seats == (0, 1), "and not, a season later, with who is a friend now"
    step(mouse, 0)
    mouse.key(key.O)
    mouse.key(key.O)
    assert shown.question.seats == (0, 1) and shown.question.hosts[ATTACKER].army == (6, 2, 0)


def test_in_the_older_games_fallen_players_do_not_fight() -> None:
    state = position(3)
    state.lord[1] = 0
    mouse = Mouse(state)
    mouse.key(key.O)
    question = calculator(mouse.top).question
    assert question is not None and question.seats == (0, 2)


def test_at_sea_nothing_is_said_of_units_on_land_and_they_are_not_forgotten() -> None:
    mouse = Mouse(ii.position(4), rules=COTE2)
    mouse.key(key.O)
    shown = calculator(mouse.top)
    mouse.button("At sea", shown)
    assert force(shown._fighting(ATTACKER), True) == (0, 0, 0, 1)
    mouse.button("On land", shown)
    assert shown._fighting(ATTACKER).army == (5, 2, 0)
    mouse = marching()
    mouse.key(key.O)
    shown = calculator(mouse.top)
    mouse.button("At sea", shown)
    mouse.button("On land", shown)
    assert force(shown._fighting(ATTACKER), False) == (5, 2, 0, 0), "galleys do not fight on land there"


def test_no_retreat_is_not_described_as_a_number() -> None:
    mouse = marching()
    mouse.key(key.O)
    shown = calculator(mouse.top)
    assert [w.caption for w in shown.ui.widgets if isinstance(w, Stepper)][4] == "no retreat"
    step(mouse, 4)
    assert [w.caption for w in shown.ui.widgets if isinstance(w, Stepper)][4] == "retreats at"


@pytest.mark.long
def test_during_a_battle_it_begins_with_that_battle() -> None:
    for rules, cases, counted_by in (("classic", of_classic(), classic), ("mb1984", of_mb1984(), mb1984),
                                     ("cote2", of_cote2(), cote2)):  # fmt: skip
        for name, case in cases.items():
            mouse = Mouse(case.state, NONE, RULESETS[rules])
            mouse.controls.key_press(key.O, 0)
            question = calculator(mouse.top).question
            assert question is not None
            assert question == counted_by.question(case.state), (rules, name)


def test_a_revolt_of_slaves_has_odds_too() -> None:
    state = ii.position(4, units={"asia": {1: (5, 1, 0), 3: (1, 0, 0)}}, row=["slave_revolt"], talents=[200] * 4,
                        leaders={"asia": [ii.general(1)]})  # fmt: skip
    mouse = Mouse(state, 1, COTE2)
    incite = next(action for action in ii.options(state, 0) if isinstance(action, Incite))
    mouse.match.play(0, incite)
    mouse.settle()
    beat = mouse.top.playback.beat
    assert beat is not None and beat.fight.attacker.seat == REBELS
    assert beat.odds == cote2.standing(mouse.state)
    mouse.controls.key_press(key.O, 0)
    shown = calculator(mouse.top)
    assert shown.question is not None and shown.question.seats[ATTACKER] == REBELS
    assert shown.odds is not None
    assert shown.odds.wins(DEFENDER) == pytest.approx(beat.odds.wins(DEFENDER)) if beat.odds is not None else False


def test_of_slaves_only_what_there_can_be_is_counted(window: arcade.Window) -> None:
    state = ii.position(4, units={"asia": {1: (5, 1, 0)}}, row=["slave_revolt"], talents=[200] * 4)
    mouse = Mouse(state, 1, COTE2)
    mouse.match.play(0, next(action for action in ii.options(state, 0) if isinstance(action, Incite)))
    mouse.settle()
    mouse.controls.key_press(key.O, 0)
    shown = calculator(mouse.top)
    assert {w.picture for w in shown.ui.widgets if isinstance(w, Stepper) and w.picture.endswith("7")} == {
        "infantry_7", "marker_7"
    }  # fmt: skip
    shown.draw()


# --- on the stage ---


@pytest.mark.parametrize("rules", GUIDES)
def test_the_stage_shows_how_a_battle_stands_at_every_round(rules: str) -> None:
    cases = {"classic": of_classic, "mb1984": of_mb1984, "cote2": of_cote2}[rules]()
    state = cases["in the open"].state.clone()
    match = LocalMatch(RULESETS[rules], state.seats, seed=3)
    match.take_events()
    match.state = state
    top: Tabletop[Any] = Tabletop(match, guide(rules), RecordedCallbacks())
    top.place(*theme.BASE_SIZE)
    top.hear()
    standing, seen = guide(rules).battle_scene.battle_odds.standing, []
    while (said := standing(match.view)) is not None:
        top.events.hurry()
        beat = top.playback.beat
        assert beat is not None and beat.odds is not None
        assert beat.odds == said
        seen.append(round(said.wins(ATTACKER), 6))
        seat = match.owed()[0]
        if seat == NATURE:
            match._draw()
        else:
            match.play(seat, engine.default(RULESETS[rules], match.state, seat))
        top.hear()
    assert len(set(seen)) > 1, "they change from round to round"
    beat = top.playback.beat
    while beat is not None and not beat.winner > NONE:
        top.playback.update(0.1, match.view)
        beat = top.playback.beat
    assert beat is None or beat.odds is None, "once it is over there is nothing to be guessed"


# --- words and numbers ---


def test_nothing_is_called_certain_that_is_not() -> None:
    words = [percent(chance) for chance in (-1e-17, 0.0, 0.004, 0.625, 0.996, 1.0)]
    assert words == ["0 %", "0 %", "< 1 %", "62 %", "> 99 %", "100 %"]
    assert [amount(number) for number in (0.0, 4.06, 12.96, 140.2)] == ["0", "4.1", "13", "140"]


def test_neither_side_is_certain_while_the_other_may_win() -> None:
    odds = cote2.odds(Host((35, 0, 0), leaders=1), Host((1, 0, 0)), False)
    assert (said(odds, ATTACKER), said(odds, DEFENDER)) == ("> 99 %", "< 1 %")
    endings = (Ending(1 - 1e-12, ATTACKER, (3, 0, 0, 0), (0,) * 4), Ending(1e-12, DEFENDER, (0,) * 4, (1, 0, 0, 0)))
    assert said(Odds(endings, (0, 0), 0), ATTACKER) == "> 99 %"
    assert said(Odds((Ending(1.0, ATTACKER, (3, 0, 0, 0), (0,) * 4),), (0, 0), 0), ATTACKER) == "100 %"


def test_the_picture_of_survivors_shows_what_is_likely_and_a_few_numbers_at_least() -> None:
    assert span([(-n, 0.1) for n in range(20, 30)] + [(3, 1e-6)]) == (-29, -20)
    assert span([(-9, 1.0)]) == (-9, -3)
    assert span([(4, 1.0)]) == (-2, 4)
    assert span([(-1, 0.3), (0, 0.1), (1, 0.3)]) == (-3, 3)
    assert span([]) == (-3, 3)


def test_the_bar_is_darkest_where_most_is_left() -> None:
    found = list(shades((0.0, 0.1, 0.0, 0.3)))
    assert found == [(0.3, 1.0), (0.1, pytest.approx(1 / 3))]
    assert list(shades(())) == []


def test_kept_units_and_costs_are_told() -> None:
    endings = (Ending(0.5, ATTACKER, (3, 0, 0, 0), (0, 0, 0, 0)), Ending(0.5, DEFENDER, (0, 0, 0, 0), (1, 1, 0, 0)))
    said = Odds(endings, (25.0, 19.6), 0.0)
    assert spent(said, ATTACKER, (4, 0, 0, 0)) == "keeps 1.5 of 4, loses units worth 25 talents"
    assert spent(said, DEFENDER, (2, 0, 0, 1)) == "keeps 1 of 3 (1 galley), loses units worth 20 talents"
    assert spent(said, DEFENDER, (2, 0, 0, 1), naval=True) == "keeps 1 of 3, loses units worth 20 talents"
    assert spent(Odds(endings, (0.0, 0.0), 0.0), ATTACKER, (4, 0, 0, 0)) == "keeps 1.5 of 4, loses nothing"
    assert prospect(said, ATTACKER) == "keeps 1.5, loses units worth 25 talents"
    crew = Host((1, 0, 0), 2, cargo=((2, 0, 1), (0, 1, 0)), lent=(1, 0, 0, 0), cards=(0, 0, 0, 1))
    assert force(crew, True) == (4, 1, 1, 3)
    assert force(crew, False) == (2, 0, 0, 3)


def test_every_count_of_a_side_can_be_read_and_set() -> None:
    host = Host((1, 2, 3), 4, lent=(5, 6, 7, 8), cards=(9, 0, 1, 2), leaders=1, training=2, leaves=3)
    for group, what, number in ((OWN, INFANTRY, 7), (OWN, GALLEYS, 6), (LENT, GALLEYS, 1), (CARDS, INFANTRY, 0),
                                (OWN, WALLS, 1), (OWN, TRAINING, 5), (OWN, LEAVES, 2)):  # fmt: skip
        changed = counted(host, group, what, number, WALL_DICE)
        assert count(changed, group, what) == number
        assert counted(changed, group, what, count(host, group, what), WALL_DICE) == host


# --- how it looks ---


def test_bar_plate_and_calculator_are_drawn(window: arcade.Window, photograph: Photograph) -> None:
    mouse = marching()
    mouse.space("italia", FIELD)
    window.clear()
    mouse.top.draw()
    attack_preview = mouse.top.layout.attack
    image = arcade.get_image(0, 0, window.width, window.height).convert("RGB")
    row = [image.getpixel((x, window.height - 1 - round(attack_preview.rect.y + theme.px(9)))) for x in
           range(int(attack_preview.rect.left), int(attack_preview.rect.right))]  # fmt: skip
    blue = sum(isinstance(p, tuple) and p[2] > p[0] + 40 for p in row)
    assert blue > len(row) / 3, "the defender's colour fills most of the bar"
    photograph("table-odds-of-a-march")
    for size, name in ((theme.BASE_SIZE, "calculator"), (theme.MIN_SIZE, "calculator-small")):
        theme.set_window(*size)
        mouse.top.place(*size)
        mouse.top.lay(Command.ODDS)
        mouse.top.draw()
        photograph(f"table-odds-{name}")
        inside = mouse.top.layout.calculator
        for widget in inside.ui.widgets:
            assert inside.rect.point_in_rect((widget.rect.left, widget.rect.bottom))
            assert inside.rect.point_in_rect((widget.rect.right, widget.rect.top))


@pytest.mark.long
@pytest.mark.parametrize("rules", with_releases(GUIDES, "classic"))
def test_no_clicks_in_the_calculator_break_anything(rules: str) -> None:
    match = LocalMatch(RULESETS[rules], 3, seat=0)
    top: Tabletop[Any] = Tabletop(match, guide(rules), RecordedCallbacks())
    top.place(*theme.BASE_SIZE)
    top.hear()
    top.events.hurry()
    controls = MouseInput(top)
    controls.key_press(key.O, 0)
    for turn in range(60):
        widgets = [w for w in top.layout.calculator.ui.widgets if isinstance(w, Stepper | Button)]
        rect = widgets[turn * 7 % len(widgets)].rect
        x = rect.right - 4 if turn % 3 else rect.left + 4
        controls.mouse_press(x, rect.bottom + 6, arcade.MOUSE_BUTTON_LEFT)
        controls.mouse_release(x, rect.bottom + 6, arcade.MOUSE_BUTTON_LEFT)
        odds = top.layout.calculator.odds
        # Those of a large battle come later.
        assert odds is None or sum(e.chance for e in odds.endings) == pytest.approx(1, abs=1e-6)
        top.draw()
