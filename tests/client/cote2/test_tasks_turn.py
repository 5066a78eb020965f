"""The eight actions and the cards, driven by clicks into the tray and onto the board."""

from collections.abc import Sequence

import pytest

from client.games.cote2.sheet_interfaces import Shopping
from client.table.pane import Figure, Stepper
from client.table.pieces import PLATE
from shared.ids import NONE
from shared.kernel.frames import Action
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.state import State
from shared.vocabulary.actions import Concede
from tests.client.cote2.player import Player
from tests.support.layout import sp
from tests.support.positionii import caesar, card, galley, general, position

pytestmark = pytest.mark.usefixtures("window")


def spring() -> State:
    """A turn with all that can be done in one: leaders, galleys, tokens, cards, an enemy in Italia."""
    return position(
        3,
        sides=(0, 1, 0),
        units={
            "italia": {0: (4, 2, 1), 1: (2, 1, 0)},
            "egyptus": {0: (2, 0, 0), 2: (1, 0, 0)},
            "numidia": {1: (3, 0, 0)},
            "noricum": {0: (0, 0, 0)},
        },
        leaders={
            "italia": [caesar(0), general(0), general(1)],
            "egyptus": [general(0, 2)],
            "numidia": [caesar(1)],
            "achaia": [caesar(2)],
        },
        galleys={
            galley(0): "mare_narbo", galley(0, 1): "mare_narbo", galley(1): "mare_narbo", galley(2): "mare_aegaeum",
        },
        influence={"italia": {0: 2, 1: 1}, "egyptus": {0: 1, 2: 2}, "achaia": {2: 1}},
        tokens={"italia": 1, "egyptus": 2},
        row=("build_city_italia_neapolis", "commandeer_aegaeum", "bribe_senator", "politician", "barbarians_germania",
             "slave_revolt", "army_training", "senate_hail_caesar", "merchant_egypt"),
        cards={0: ("assassin", "loot_the_countryside"), 1: ("army_training",)},
        senators={0: (1, 1, 0, 0), 1: (0, 1, 1, 0), 2: (2, 0, 0, 1)},
    )  # fmt: skip


@pytest.fixture
def player() -> Player:
    return Player(spring())


def test_the_turn_offers_eight_actions_and_ones_own_cards(player: Player) -> None:
    figures = [w for w in player.widgets() if isinstance(w, Figure)]
    assert [w.caption for w in figures] == ["Card", "Recruit", "Influence", "Tax", "Move", "Attack", "Sail"]
    assert all(w.enabled for w in figures)
    assert player.words().count("Pass") == 1, "the eighth stands among the buttons, once"
    assert "Use a card (2)" in player.words()
    assert "Action 1 of 2" in player.task.line()
    assert isinstance(player.task, Shopping)


def test_impossible_actions_tell_their_conditions() -> None:
    player = Player(position(talents=(0, 0)))
    off = {w.caption: w.tip for w in player.widgets() if isinstance(w, Figure) and not w.enabled}
    assert set(off) == {"Card", "Recruit", "Influence", "Attack", "Sail"}
    assert all(tip.endswith(".") for tip in off.values())


def test_tax(player: Player) -> None:
    player.figure("Tax")
    player.figure("10 for 2")
    player.button("Raise")
    assert player.last() == a.Levy(10)
    assert "Action 2 of 2" in player.task.line()


def test_recruits_go_to_several_provinces(player: Player) -> None:
    player.figure("Recruit")
    assert set(player.task.lit()) == {sp("italia"), sp("egyptus")}
    player.space("italia")
    player.stepper(0, 2)
    player.stepper(3)
    player.space("egyptus")
    player.stepper(1)
    player.stepper(4)
    player.button("Recruit for")
    order = player.last()
    assert isinstance(order, a.Recruit)
    assert order.armies == tuple(sorted(((sp("italia"), 2, 0, 0, 1), (sp("egyptus"), 0, 1, 0, 0))))
    assert len(order.fleets) == 1


def test_recruits_are_undone_where_they_were_ordered(player: Player) -> None:
    player.figure("Recruit")
    player.space("italia")
    player.stepper(0)
    player.stepper(3)
    player.stepper(4)
    player.space("egyptus")
    player.stepper(2)
    assert "55 of 100" in player.task.line()
    assert player.task.undo() and player.task.line().startswith("Egyptus: 40")
    assert player.task.undo() and player.task.line().startswith("Italia: 25"), "the galley went to a sea beside Italia"
    assert player.task.undo() and player.task.undo()
    assert "100 talents to spend" in player.task.line()
    assert player.task.undo() and "Click a lit province" in player.task.line()


def test_recruits_need_enough_talents(player: Player) -> None:
    player.figure("Recruit")
    player.space("italia")
    player.stepper(3, 6)
    assert "supply" in player.toasts[-1] or "talents" in player.toasts[-1]
    player.space("numidia")
    assert "influence" in player.toasts[-1]


def test_the_caesar_buys_two_tokens(player: Player) -> None:
    player.figure("Influence")
    player.space("italia")
    assert "Caesar" in player.task.line()
    player.button("Buy for 10")
    assert player.last() == a.Influence(sp("italia"), (NONE,))
    player.figure("Influence")
    player.space("egyptus")
    assert not player.done[1:], "what is only suggested is not bought by a first click"
    player.button("Buy for 10")
    assert player.last() == a.Influence(sp("egyptus"), (NONE,))


def test_guarded_tokens_are_not_for_sale(player: Player) -> None:
    player.figure("Influence")
    player.space("italia")
    assert len([w for w in player.widgets() if isinstance(w, Stepper)]) == 1, "units guard the enemy's token"
    player.space("numidia")
    assert "no general" in player.toasts[-1]


def test_a_march_is_aimed_and_confirmed_by_a_second_click(player: Player) -> None:
    player.space("italia", "army", 0)
    assert "where to?" in player.task.line()
    player.space("narbonensis")
    player.space("narbonensis")
    assert player.last() == a.Move(
        sp("italia"), ((sp("narbonensis"), 4, 2, 1),), ((caesar(0), sp("narbonensis")), (general(0), sp("narbonensis")))
    )


def test_a_target_of_the_only_army_that_can_go_there_needs_no_picked_army(player: Player) -> None:
    for by_figure in (False, True):
        if by_figure:
            player.figure("Move")
        assert player.space("neapolis") and "to Neapolis" in player.task.line()
        while player.task.undo():
            pass
    assert not player.done and not player.toasts


def test_parties_go_different_ways(player: Player) -> None:
    player.figure("Move")
    player.space("italia")
    player.stepper(0, -2)
    player.figure("goes")
    player.space("neapolis")
    player.button("Others")
    player.space("rhaetia")
    player.button("March")
    order = player.last()
    assert isinstance(order, a.Move)
    assert sorted(order.armies) == sorted([(sp("neapolis"), 2, 2, 1), (sp("rhaetia"), 2, 0, 0)])
    assert {to for _, to in order.leaders} == {sp("neapolis"), sp("rhaetia")}


def test_galleys_carry_four_each_and_the_rest_stays() -> None:
    state = position(units={"sicilia": {0: (6, 0, 1)}}, leaders={"sicilia": [caesar(0)]},
                     galleys={galley(0): "mare_narbo"})  # fmt: skip
    player = Player(state)
    player.figure("Move")
    player.space("corsica")
    assert "by ship" in player.task.line()
    assert "3 stay" in player.task.line()
    player.stepper(0)
    assert "galley" in player.toasts[-1], "no fifth unit finds room"
    player.task.confirm()
    assert player.last() == a.Move(sp("sicilia"), ((sp("corsica"), 3, 0, 1),), ((caesar(0), sp("corsica")),))


def test_unreachable_target_names_the_rule(player: Player) -> None:
    player.figure("Move")
    player.space("egyptus")
    player.space("creta")
    assert player.toasts[-1] == "No galley of yours lies next to Creta."
    assert not player.done


def test_steps_are_taken_back_one_by_one(player: Player) -> None:
    player.figure("Move")
    player.space("italia")
    player.space("neapolis")
    assert player.task.arrow()
    assert player.task.undo()
    assert not player.task.arrow()
    assert player.task.undo()
    assert player.task.undo()
    assert "what do you do" in player.task.line()
    assert not player.task.undo()


def test_an_attack_begins_with_a_click_on_the_enemy(player: Player) -> None:
    player.space("italia", "army", 1)
    assert "Marcus" in player.task.line()
    player.button("Attack!")
    assert player.last() == a.Attack(sp("italia"), 1)


def test_galleys_sail_and_fight(player: Player) -> None:
    player.space("mare_narbo", "galley", 0, galley(0))
    player.stepper(0, -1)
    player.space("mare_aegaeum")
    player.button("Sail")
    assert player.last() == a.Sail(sp("mare_aegaeum"), (galley(0),))
    player.figure("Sail")
    player.button("Marcus on Narbo")
    player.button("Attack!")
    assert player.last() == a.Sail(NONE, (), sp("mare_narbo"), 1)


def test_a_fleet_sails_into_battle() -> None:
    state = position(galleys={galley(0): "mare_narbo", galley(1): "mare_aegaeum"})
    player = Player(state)
    player.figure("Sail")
    player.space("mare_aegaeum", "galley", 1, galley(1))
    assert "attack Marcus" in player.task.line()
    player.task.confirm()
    assert player.last() == a.Sail(sp("mare_aegaeum"), (galley(0),), sp("mare_aegaeum"), 1)


def test_pass_is_asked_twice(player: Player) -> None:
    player.button("Pass")
    assert not player.done
    player.button("Really")
    assert player.last() == a.Pass()


CARDS: list[tuple[str, Sequence[str], Action]] = [
    ("army_training", (), a.Obtain(card("army_training"))),
    ("senate_hail_caesar", (), a.Obtain(card("senate_hail_caesar"))),
    ("politician", (), a.Obtain(card("politician"))),
    ("build_city_italia_neapolis", (), a.Obtain(card("build_city_italia_neapolis"), sp("italia"))),
    ("commandeer_aegaeum", (), a.Obtain(card("commandeer_aegaeum"), galley(0))),
    ("bribe_senator", ("button:Marcus",), a.Obtain(card("bribe_senator"), 1)),
    ("barbarians_germania", (), a.Campaign(card("barbarians_germania"), sp("italia"), 4, 0, 0, (general(0),))),
    ("slave_revolt", ("egyptus",), a.Incite(sp("egyptus"), (2,))),
]


@pytest.mark.parametrize(("key", "clicks", "action"), CARDS, ids=[key for key, *_ in CARDS])
def test_every_sort_of_card_is_taken(player: Player, key: str, clicks: Sequence[str], action: Action) -> None:
    assert isinstance(player.task, Shopping)
    assert player.task.why_not_card(card(key)) == ""
    player.task.choose_card(card(key))
    assert player.task.card == card(key)
    for click in clicks:
        if click.startswith("button:"):
            player.button(click.removeprefix("button:"))
        else:
            player.space(click)
    assert player.task.confirm()
    assert player.last() == action


def test_cards_are_found_in_the_tray_too(player: Player) -> None:
    player.figure("Card")
    while not any(words.startswith("Army Training") for words in player.words()):
        player.button("More")
    player.button("Army Training")
    player.button("Take for 10")
    assert player.last() == a.Obtain(card("army_training"))
    assert isinstance(player.task, Shopping)
    assert "round" in player.task.why_not_card(card("politician"))


def test_why_a_card_cannot_be_taken() -> None:
    keys = ("build_city_egypt_numidia", "commandeer_aegaeum", "bribe_senator", "politician", "barbarians_germania",
            "army_training", "senate_hail_caesar")  # fmt: skip
    player = Player(position(row=keys, talents=(5, 0), senators={1: (0, 0, 0, 0)}))
    assert isinstance(player.task, Shopping)
    for key in keys:
        assert player.task.why_not_card(card(key)), key
        player.task.choose_card(card(key))
        assert player.task.card == NONE
        assert player.toasts.pop()


@pytest.mark.rule("II-D50")
def test_slaves_rise_in_a_province_without_troops_by_an_option() -> None:
    player = Player(position(row=["slave_revolt"], options={"revolts": 1}))
    assert isinstance(player.task, Shopping)
    player.task.choose_card(card("slave_revolt"))
    assert "click a province: there the slaves rise." in player.task.line()
    player.space("dacia")
    assert "Dacia: no army is there." in player.task.line()
    assert player.task.confirm()
    assert player.last() == a.Incite(sp("dacia"), ())


def test_the_order_of_the_slaves_victims_can_be_changed() -> None:
    state = position(
        3, units={"italia": {0: (1, 0, 0), 1: (2, 0, 0), 2: (2, 0, 0)}}, row=("slave_revolt",)
    )  # fmt: skip
    player = Player(state)
    assert isinstance(player.task, Shopping)
    player.task.choose_card(card("slave_revolt"))
    player.space("italia")
    player.figure("2. ")
    assert "first Cornelia, you last" in player.task.line()
    player.task.confirm()
    assert player.last() == a.Incite(sp("italia"), (2, 1))


def test_an_assassin_is_sent_by_a_click_on_the_general(player: Player) -> None:
    assert isinstance(player.task, Shopping)
    player.task.choose_use(card("assassin"))
    player.space("italia", "leader", 1, general(1))
    player.task.confirm()
    assert player.last() == a.Use(card("assassin"), general(1))


def test_victims_of_one_name_are_not_taken_for_each_other(player: Player, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Player, "who", lambda _player, _seat: "Marcus")
    player.match.state.leader_at[general(2)] = sp("italia")
    player.match.state.leader_at[general(1, 2)] = sp("italia")
    assert isinstance(player.task, Shopping)
    player.task.choose_use(card("assassin"))
    assert player.words().count("Marcus, Italia") == 2, "a general of each, two of one colour are the same"
    assert player.words().count("Marcus: a senator") == 2


def test_loot_costs_no_action_and_may_come_last(player: Player) -> None:
    player.button("Use a card")
    player.button("Loot")
    player.button("Use it")
    assert player.last() == a.Use(card("loot_the_countryside"))
    for _ in range(2):
        assert "Action" in player.task.line()
        player.figure("Tax")
        player.button("Raise")
    assert "Both actions are done" in player.task.line()
    player.button("Assassin")
    player.button("Marcus: a senator")
    player.button("Send him")
    assert player.last() == a.Use(card("assassin"), seat=1)
    assert not player.match.is_mine, "nothing is left to do"


def test_a_key_province_itself_stands_for_influence_and_its_pieces_for_a_march(player: Player) -> None:
    player.space("egyptus")
    assert "Buy for 10" in player.words()
    assert player.task.undo()
    player.space("egyptus", "leader", 0, general(0, 2))
    assert "March" in player.words()


def test_marching_pieces_are_shown_at_their_target(player: Player) -> None:
    player.figure("Move")
    player.space("italia")
    player.space("rhaetia")
    shades = [token for token in player.task.ghosts() if token.faded]
    assert {token.pick.place for token in shades} == {sp("rhaetia")}
    assert [token.count for token in shades if token.picture == PLATE] == [7], "with two leaders they lie on a plate"


def test_an_action_begun_is_not_lost_where_nothing_changed(player: Player) -> None:
    player.figure("Move")
    player.space("italia")
    player.task.renew()
    assert "where to?" in player.task.line()
    player.match.play(1, Concede(0))
    player.task.renew()
    assert "where to?" in player.task.line()
