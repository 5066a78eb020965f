"""Cards: obtaining, kinds, and the effect of each; cities; slaves."""

from typing import Any

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.kernel.engine import options as listed
from shared.kernel.frames import Deal, Dice
from shared.rulesets.cote2.actions import (
    Attack,
    Campaign,
    Commit,
    Incite,
    Influence,
    Lend,
    Levy,
    Lose,
    Pass,
    Recruit,
    Sail,
    Withdraw,
)
from shared.rulesets.cote2.data import CARDS, IMMEDIATE
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.events import BattleEnded, CardUsed, CityTaken, RevoltEnded
from shared.rulesets.cote2.frames import Battle, Casualties, Turn
from shared.rulesets.cote2.scoring import tax_of
from shared.rulesets.cote2.state import OFF, REBELS, State
from shared.rulesets.cote2.withdrawal import retreat_targets
from shared.vocabulary.actions import EndTurn, Retreat, Stand
from shared.vocabulary.events import BattleBegan, DiceFell
from tests.support.layout import army, sp
from tests.support.positionii import (
    caesar,
    card,
    finish_season,
    galley,
    general,
    legal,
    move,
    obtain,
    owed,
    play,
    position,
    refused,
    skip_to,
    tokens_of,
    use,
    verdict,
    where,
)
from tests.support.referee import of, top


def owner(state: State, key: str) -> int:
    """Return the seat that owns the city there."""
    return state.owner[sp(key)]


# --- obtaining ---


@pytest.mark.rule("II-CARD-01")
def test_a_card_costs_an_action_and_its_price() -> None:
    state = position(row=["army_training", "senator_4", "merchant_egypt"], talents=(20, 0))
    assert refused(state, 0, obtain("merchant_egypt")) == "II-CARD-01"
    assert refused(state, 0, obtain("assassin")) == "II-CARD-01"
    assert refused(state, 0, obtain("army_training", 1)) == "II-CARD-01"
    play(state, (0, obtain("army_training")))
    frame = top(state)
    assert isinstance(frame, Turn)
    assert (state.talents[0], frame.left) == (10, 1)
    assert state.row[card("army_training")] == 0
    skip_to(state, 1)
    assert refused(state, 1, obtain("merchant_egypt")) == "II-CARD-01"
    play(state, (1, obtain("senator_4")))
    assert state.talents == [10, 0], "a card without a price is free"


@pytest.mark.rule("II-CARD-02", "II-D17")
def test_immediate_cards_are_used_at_once_or_not_taken() -> None:
    immediate = [c for c in CARDS if c.kind == IMMEDIATE]
    state = position(row=[c.key for c in immediate])
    for c in immediate:
        assert not legal(state, 0, obtain(c.key)), c.key
        assert not any(getattr(a, "card", None) == card(c.key) and c.act != "bribe" for a in listed(COTE2, state, 0))
    state = position(leaders={"asia": [caesar(0)]}, row=["politician"])
    play(state, (0, obtain("politician")))
    assert state.cards[0] == ()
    assert state.gone[card("politician")] == 1


@pytest.mark.rule("II-CARD-03", "II-C-14", "II-C-15", "II-C-16", "II-C-17")
@pytest.mark.parametrize("value", [1, 2, 3, 4])
def test_senators_go_into_the_hand(value: int) -> None:
    assert CARDS[card(f"senator_{value}")].copies == (8, 8, 8, 4)[value - 1]
    state = position(row=[f"senator_{value}"], senators={0: (0, 0, 0, 0)})
    play(state, (0, obtain(f"senator_{value}")))
    assert state.senators[0] == tuple(int(k == value - 1) for k in range(4))
    assert state.cards[0] == ()


@pytest.mark.rule("II-CARD-04")
def test_diplomacy_cards_are_for_one_season() -> None:
    state = position(row=["diplomacy_numidia"])
    play(state, (0, obtain("diplomacy_numidia")))
    assert COTE2.view(state, 1).cards[0] == (card("diplomacy_numidia"),)
    assert refused(state, 0, use("diplomacy_numidia")) == "II-CARD-05"
    finish_season(state)
    assert state.cards[0] == ()
    assert state.row[card("diplomacy_numidia")] == 1


@pytest.mark.rule("II-CARD-05", "II-D60")
def test_multi_use_cards_once_a_season_in_the_own_turn() -> None:
    state = position(row=["loot_the_countryside"], cards={1: ["merchant_asia"]}, influence={"asia": {1: 1}})
    play(state, (0, obtain("loot_the_countryside")), (0, use("loot_the_countryside")))
    assert refused(state, 0, use("loot_the_countryside")) == "II-CARD-05"
    assert refused(state, 0, use("merchant_asia")) == "II-CARD-05"
    assert refused(state, 1, use("merchant_asia")) == "", "not in somebody else's turn"
    play(state, (0, Pass()), (1, Levy(5)), (1, Levy(5)))
    assert owed(state) == (1,), "a card can be used after the last action"
    assert refused(state, 1, Levy(5)) == "II-ACT-01"
    play(state, (1, use("merchant_asia")))
    assert owed(state) == (0,)
    assert refused(state, 0, use("loot_the_countryside")) == "II-CARD-05"
    finish_season(state)
    assert state.used == [(), ()]
    assert state.cards[0] == (card("loot_the_countryside"),)


def test_a_card_may_be_left_unused() -> None:
    state = position(left=0, cards={0: ["loot_the_countryside"]})
    play(state, (0, EndTurn()))
    assert owed(state) == (1,)


@pytest.mark.rule("II-CARD-06", "II-C-41")
def test_lasting_cards() -> None:
    assert (CARDS[card("army_training")].copies, CARDS[card("army_training")].cost) == (5, 10)
    state = position(row=["army_training"], cards={0: ["army_training"]}, units={"asia": {0: (2, 0, 0), 1: (2, 0, 0)}})
    play(state, (0, obtain("army_training")), (0, Attack(sp("asia"), 1)))
    frame = top(state)
    assert isinstance(frame, Dice)
    assert frame.count == 5
    play(state, ".....", "...", (1, Retreat(sp("galatia"))))
    assert refused(state, 1, use("army_training")) == "II-CARD-05"
    finish_season(state)
    assert state.cards[0] == (card("army_training"),) * 2


# --- merchants, assassin, loot ---

MERCHANTS = {
    "merchant_egypt": ("egyptus", 10, 25),
    "merchant_sicilia": ("sicilia", 10, 25),
    "merchant_hispania": ("hispania", 5, 15),
    "merchant_italia": ("italia", 5, 15),
    "merchant_achaia": ("achaia", 5, 15),
    "merchant_asia": ("asia", 10, 25),
}


@pytest.mark.rule("II-C-01", "II-C-02", "II-C-03", "II-C-05", "II-C-06")
@pytest.mark.parametrize("key", MERCHANTS)
def test_merchants(key: str) -> None:
    space, talents, cost = MERCHANTS[key]
    assert CARDS[card(key)].cost == cost
    state = position(cards={0: [key]}, influence={space: {0: 3, 1: 1}}, talents=(0, 0))
    happened = play(state, (0, use(key)))
    assert state.talents == [3 * talents, 0]
    assert of(happened, CardUsed)[0].talents == 3 * talents
    frame = top(state)
    assert isinstance(frame, Turn)
    assert frame.left == 2
    empty = position(cards={0: [key]})
    assert refused(empty, 0, use(key)) == "II-CARD-05"


@pytest.mark.rule("II-C-04")
def test_two_italian_merchants() -> None:
    assert CARDS[card("merchant_italia")].copies == 2
    state = position(cards={0: ["merchant_italia"] * 2}, influence={"italia": {0: 2}}, talents=(0, 0))
    play(state, (0, use("merchant_italia")), (0, use("merchant_italia")))
    assert state.talents == [20, 0]
    assert refused(state, 0, use("merchant_italia")) == "II-CARD-05"


@pytest.mark.rule("II-C-07", "II-D23")
def test_the_assassin() -> None:
    state = position(
        3,
        sides=(0, 1, 0),
        cards={0: ["assassin"]},
        leaders={"asia": [general(1), general(2), general(0), caesar(1)]},
        senators={1: (0, 0, 2, 1), 2: (0, 0, 0, 0)},
    )
    for leader in (general(0), general(1), general(2)):
        assert legal(state, 0, use("assassin", leader))
    assert refused(state, 0, use("assassin", caesar(1))) == "II-D23"
    assert refused(state, 0, use("assassin", general(1, 2))) == "II-C-07"
    assert refused(state, 0, use("assassin", seat=2)) == "II-C-07"
    assert refused(state, 0, use("assassin")) == "II-C-07"
    assert refused(state, 0, use("assassin", general(1), 1)) == "II-C-07"
    other = state.clone()
    play(state, (0, use("assassin", general(1))))
    assert where(state, general(1)) == "off"
    play(other, (0, use("assassin", seat=1)))
    frame = top(other)
    assert isinstance(frame, Deal)
    assert (frame.count, frame.size) == (3, 1)
    play(other, (2,))
    assert other.senators[1] == (0, 0, 2, 0)
    assert other.gone[card("senator_4")] == 1
    assert isinstance(top(other), Turn)


def test_a_murdered_general_can_be_recruited_again() -> None:
    state = position(
        cards={0: ["assassin"]}, leaders={"asia": [general(1)], "italia": [caesar(1)]}, influence={"italia": {1: 1}}
    )
    play(state, (0, use("assassin", general(1))), (0, Pass()), (0, Pass()))
    play(state, (1, Recruit(((sp("italia"), 0, 0, 0, 4),))))
    assert where(state, general(1)) == "italia"


@pytest.mark.rule("II-C-08")
def test_loot_the_countryside() -> None:
    assert CARDS[card("loot_the_countryside")].cost == 10
    state = position(cards={0: ["loot_the_countryside"]}, talents=(0, 0))
    assert refused(state, 0, use("loot_the_countryside", seat=1)) == "II-CARD-05"
    play(state, (0, use("loot_the_countryside")))
    assert (state.talents, state.chaos) == ([50, 0], [5, 0])


# --- diplomacy troops ---

TROOPS = {
    "diplomacy_italia": ("italia", (4, 1, 0, 0), 40),
    "diplomacy_mesopotamia": ("mesopotamia", (0, 3, 0, 0), 15),
    "diplomacy_numidia": ("numidia", (4, 0, 0, 0), 15),
    "diplomacy_egypt": ("egyptus", (2, 1, 0, 1), 15),
    "diplomacy_achaia": ("achaia", (2, 0, 0, 2), 15),
}


@pytest.mark.rule("II-C-18", "II-C-19", "II-C-20", "II-C-21", "II-C-22", "II-C-91")
@pytest.mark.parametrize("key", TROOPS)
def test_diplomacy_troops(key: str) -> None:
    space, troops, cost = TROOPS[key]
    assert CARDS[card(key)].cost == cost
    for seat in (0, 1):
        state = position(units={space: {0: (2, 0, 0), 1: (2, 0, 0)}}, cards={seat: [key]})
        for _ in range(2):
            play(state, (0, Attack(sp(space), 1)))
            frame = next(frame for frame in state.frames if isinstance(frame, Battle))
            cell = (frame.attacking, frame.defending)[seat]
            extra = (frame.attack_extra, frame.defence_extra)[seat]
            assert (*cell[5:8], extra) == troops, "at full strength in every battle"
            play(state, "...", "...", (1, Stand()), (0, Retreat(escape := _next_door(state))))
            skip_to(state, 0)
            state.units[escape] = ()
            state.units[sp(space)] = (0, 2, 0, 0, 1, 2, 0, 0)
    alone = position(units={space: {1: (2, 0, 0)}}, leaders={space: [general(0)]}, cards={0: [key]})
    assert refused(alone, 0, Attack(sp(space), 1)) == "II-D34"
    elsewhere = position(units={"galatia": {0: (2, 0, 0), 1: (2, 0, 0)}}, cards={0: [key]})
    play(elsewhere, (0, Attack(sp("galatia"), 1)))
    frame = next(frame for frame in elsewhere.frames if isinstance(frame, Battle))
    assert frame.attacking == (0, 2, 0, 0)


def _next_door(state: State) -> int:
    """Return a space to which the attacker of the battle can retreat."""
    battle = next(frame for frame in state.frames if isinstance(frame, Battle))
    return retreat_targets(state, 0, battle.space)[0]


# --- fleets, cities, Barbarians ---


@pytest.mark.rule("II-C-24", "II-C-25", "II-C-94", "II-D19")
@pytest.mark.parametrize("name", ["aegaeum", "alexandria"])
def test_commandeer_a_fleet(name: str) -> None:
    key, zone = f"commandeer_{name}", sp(f"mare_{name}")
    state = position(row=[key])
    assert refused(state, 0, obtain(key, galley(0))) == "II-D19"
    assert refused(state, 0, obtain(key)) == "II-D19"
    state = position(row=[key], galleys={galley(0): "oceanus_britannicus", galley(1): f"mare_{name}"})
    assert refused(state, 0, obtain(key, galley(1))) == "II-D19"
    play(state, (0, obtain(key, galley(0))))
    assert state.galley_at[:8].count(zone) == 3
    frame = top(state)
    assert isinstance(frame, Turn), "no battle"
    assert frame.left == 1
    state = position(row=[key], galleys={galley(0, k): f"mare_{name}" for k in range(7)})
    play(state, (0, obtain(key, galley(0))))
    assert state.galley_at[:8].count(zone) == 8


CITIES = {
    "build_city_egypt_numidia": ("egyptus", "numidia"),
    "build_city_hispania_sicilia": ("hispania", "sicilia"),
    "build_city_italia_neapolis": ("italia", "neapolis"),
    "build_city_italia_mesopotamia": ("italia", "mesopotamia"),
    "build_city_narbonensis_achaia": ("narbonensis", "achaia"),
    "build_city_asia_galatia": ("asia", "galatia"),
}


@pytest.mark.rule("II-D20", "II-C-92")
@pytest.mark.parametrize("alone", [True, False])
def test_a_caesar_alone_builds_a_city_by_an_option(alone: bool) -> None:
    key = "build_city_italia_neapolis"
    state = position(
        leaders={"italia": [caesar(0)], "neapolis": [general(0)]}, row=[key], options={"caesar_builds": int(alone)}
    )
    assert (obtain(key, sp("italia")) in listed(COTE2, state, 0)) == alone
    assert refused(state, 0, obtain(key, sp("neapolis"))) == "II-D20", "no general does"
    if not alone:
        assert refused(state, 0, obtain(key, sp("italia"))) == "II-D20"
        return
    play(state, (0, obtain(key, sp("italia"))))
    assert owner(state, "italia") == 0 and state.built[sp("italia")] == 1


@pytest.mark.rule("II-C-26", "II-C-27", "II-C-28", "II-C-29", "II-C-30", "II-C-31", "II-D20")
@pytest.mark.parametrize("key", CITIES)
def test_build_city(key: str) -> None:
    a, b = CITIES[key]
    assert CARDS[card(key)].cost == 40
    state = position(units={a: {0: (1, 0, 0), 1: (5, 0, 0)}}, leaders={b: [general(0)]}, row=[key])
    assert refused(state, 0, obtain(key, sp(b))) == "II-D20"
    assert refused(state, 0, obtain(key, sp("corsica"))) == "II-C-92"
    asked = verdict(state, 0, obtain(key))
    assert asked is not None
    assert (asked.code, asked.rule) == ("no-target", "II-C-92")
    assert asked.text == f"Say where the city is built: in {BOARD.names[sp(a)]} or in {BOARD.names[sp(b)]}."
    play(state, (0, obtain(key, sp(a))))
    assert (owner(state, a), state.built[sp(a)], state.talents[0]) == (0, 1, 60)
    for place in (a, b):
        state = position(units={place: {0: (0, 0, 1)}}, cities={place: 1}, row=[key])
        assert refused(state, 0, obtain(key, sp(place))) == "II-C-92"


@pytest.mark.rule("II-C-92")
def test_a_city_changes_hands() -> None:
    state = position(units={"asia": {0: (3, 0, 0), 1: (1, 0, 0)}}, cities={"asia": 1}, influence={"asia": {0: 2}})
    assert tax_of(state, 0) == 10
    happened = play(state, (0, Attack(sp("asia"), 1)), "....", "i..")
    assert owner(state, "asia") == 0
    assert of(happened, CityTaken) == [CityTaken(0, sp("asia"), 1)]
    assert tax_of(state, 0) == 20
    state = position(units={"asia": {0: (3, 0, 0), 1: (2, 0, 0)}}, cities={"asia": 1})
    play(state, (0, Attack(sp("asia"), 1)), "....", "i..", (1, Retreat(sp("galatia"))))
    assert owner(state, "asia") == 0
    third = position(3, sides=(0, 1, 1), units={"asia": {0: (3, 0, 0), 1: (1, 0, 0), 2: (1, 0, 0)}}, cities={"asia": 2})
    play(third, (0, Attack(sp("asia"), 1)))
    play(third, (2, Lend()), "i..", "...")
    assert owner(third, "asia") == 2, "its owner was not attacked"


@pytest.mark.rule("II-D51")
def test_a_vacant_city() -> None:
    state = position(
        units={"asia": {0: (2, 0, 0)}, "galatia": {1: (1, 0, 0)}},
        leaders={"asia": [general(0)], "galatia": [general(1)]},
        cities={"asia": 0},
        influence={"asia": {0: 1}},
    )
    play(state, (0, move("asia", ("italia", 2, 0, 0), leaders=[(general(0), "italia")])), (0, Pass()))
    assert owner(state, "asia") == 0, "kept while nobody comes"
    assert tax_of(state, 0) == 10
    play(state, (1, move("galatia", leaders=[(general(1), "asia")])))
    assert owner(state, "asia") == 1
    state = position(
        4,
        order=(0, 3, 1, 2),
        units={"asia": {0: (1, 0, 0), 1: (2, 0, 0), 2: (1, 0, 0), 3: (1, 0, 0)}},
        leaders={"asia": [general(0)]},
        cities={"asia": 0},
    )
    play(state, (0, move("asia", ("galatia", 1, 0, 0))))
    assert owner(state, "asia") == 0, "the general is still there"
    play(state, (0, move("asia", leaders=[(general(0), "galatia")])))
    assert owner(state, "asia") == 3, "the first of the others in the turn order"


@pytest.mark.rule("II-C-92")
def test_a_city_from_which_its_owner_retreats_is_the_attackers_even_beside_others() -> None:
    state = position(
        4,
        turn=2,
        units={"asia": {1: (3, 0, 0), 2: (5, 0, 0), 0: (4, 0, 0)}},
        leaders={"asia": [general(2)]},
        cities={"asia": 1},
    )
    happened = play(state, (2, Attack(sp("asia"), 1)), (0, Lend()), "....", "....", (1, Retreat(sp("galatia"))))
    assert of(happened, CityTaken) == [CityTaken(2, sp("asia"), 1)]
    assert owner(state, "asia") == 2


@pytest.mark.rule("II-D52")
def test_an_owner_who_attacks_and_loses() -> None:
    state = position(units={"asia": {0: (1, 0, 0), 1: (2, 0, 0)}}, cities={"asia": 0})
    happened = play(state, (0, Attack(sp("asia"), 1)), "...", "i..")
    assert owner(state, "asia") == 1
    assert of(happened, BattleEnded)[0].winner == 1


BARBARIANS = {
    "barbarians_moesia": ("moesia", (3, 1), 0, 0),
    "barbarians_dacia": ("dacia", (3, 1), 0, 0),
    "barbarians_armenia": ("armenia", (0, 0), 40, 0),
    "barbarians_pannonia": ("pannonia", (0, 0), 40, 0),
    "barbarians_germania": ("germania", (0, 0), 0, 10),
    "barbarians_britannia": ("britannia", (0, 0), 0, 10),
}


@pytest.mark.rule("II-C-32", "II-C-33", "II-C-34", "II-C-35", "II-C-36", "II-C-37", "II-C-93", "II-D18")
@pytest.mark.parametrize("key", BARBARIANS)
def test_barbarians(key: str) -> None:
    to, (infantry, cavalry), talents, points = BARBARIANS[key]
    k = card(key)
    state = position(
        leaders={"italia": [general(0)]},
        units={"italia": {0: (3, 2, 1)}, "asia": {0: (5, 0, 0)}, to: {0: (1, 0, 0), 1: (1, 0, 0)}},
        row=[key],
    )
    italia = sp("italia")
    assert refused(state, 0, obtain(key)) == "II-C-93"
    assert refused(state, 0, Campaign(k, italia, 3, 0, 0)) == "II-D18"
    assert refused(state, 0, Campaign(k, italia, 3, 2, 0)) == "II-D18"
    assert refused(state, 0, Campaign(k, italia, 4, 0, 0)) == "II-MOVE-01"
    assert refused(state, 0, Campaign(k, sp("asia"), 4, 0, 0)) == "II-MOVE-01"
    assert refused(state, 0, Campaign(card("politician"), italia, 3, 1, 0)) == "II-CARD-01"
    play(state, (0, Campaign(k, italia, 2, 1, 1, (general(0),))))
    assert army(state, to, 0) == (3 + infantry, 1 + cavalry, 1)
    assert where(state, general(0)) == to
    assert (state.talents[0], state.points[0]) == (100 + talents, points)
    frame = top(state)
    assert isinstance(frame, Turn)
    assert frame.left == 1
    assert state.gone[k] == 1


def test_barbarians_need_a_way_and_a_supply() -> None:
    k = card("barbarians_britannia")
    units = {"belgica": {0: (4, 0, 0)}}
    state = position(
        leaders={"belgica": [general(0)]}, units=units, row=["barbarians_britannia"], galleys={8: "oceanus_britannicus"}
    )
    assert refused(state, 0, Campaign(k, sp("belgica"), 4, 0, 0)) == "II-MOVE-03"
    state = position(
        leaders={"belgica": [general(0)]},
        units=units,
        row=["barbarians_britannia"],
        galleys={0: "oceanus_britannicus", 8: "oceanus_britannicus"},
    )
    play(state, (0, Campaign(k, sp("belgica"), 4, 0, 0)))
    assert state.points[0] == 10
    state = position(
        leaders={"italia": [general(0)]}, units={"italia": {0: (19, 20, 0)}}, row=["barbarians_dacia", "assassin"]
    )
    assert refused(state, 0, Campaign(card("assassin"), sp("italia"), 4, 0, 0)) == "II-C-93"
    play(state, (0, Campaign(card("barbarians_dacia"), sp("italia"), 4, 0, 0)))
    assert army(state, "dacia", 0) == (5, 0, 0)


@pytest.mark.rule("II-C-38", "II-D21")
def test_politician() -> None:
    assert (CARDS[card("politician")].copies, CARDS[card("politician")].cost) == (5, 15)
    state = position(leaders={"dacia": [caesar(0)], "asia": [general(0)]}, row=["politician"], tokens={"asia": 1})
    assert refused(state, 0, obtain("politician")) == "II-D21"
    play(state, (0, move("dacia", leaders=[(caesar(0), "asia")])), (0, obtain("politician")))
    assert tokens_of(state, "asia", 0) == 1
    assert state.tokens[sp("asia")] == 1, "no province token is used"
    assert state.talents[0] == 85


@pytest.mark.rule("II-C-39", "II-D22")
def test_bribe_senator() -> None:
    assert (CARDS[card("bribe_senator")].copies, CARDS[card("bribe_senator")].cost) == (6, 5)
    state = position(
        3, sides=(0, 1, 0), row=["bribe_senator"], senators={0: (0, 0, 0, 0), 1: (0, 0, 0, 0), 2: (1, 0, 0, 1)}
    )
    assert refused(state, 0, obtain("bribe_senator", 1)) == "II-D22"
    assert refused(state, 0, obtain("bribe_senator", 0)) == "II-D22"
    assert refused(state, 0, obtain("bribe_senator")) == "II-D22"
    play(state, (0, obtain("bribe_senator", 2)), (1,))
    assert state.senators == [(0, 0, 0, 1), (0, 0, 0, 0), (1, 0, 0, 0)]
    assert state.talents[0] == 95


# --- slaves ---


@pytest.mark.rule("II-C-40", "II-C-95", "II-D50")
def test_slave_revolt() -> None:
    state = position(
        4,
        units={"asia": {0: (2, 0, 0), 1: (1, 0, 0), 2: (2, 0, 0)}},
        leaders={"asia": [general(1)], "dacia": [general(3)]},
        row=["slave_revolt"],
        galleys={galley(2): "mare_rhodus"},
    )
    asia = sp("asia")
    assert refused(state, 0, obtain("slave_revolt")) == "II-C-95"
    assert refused(state, 0, Incite(sp("dacia"), ())) == "II-D50"
    assert refused(state, 0, Incite(asia, (1,))) == "II-C-95"
    assert refused(state, 0, Incite(asia, (1, 2, 0))) == "II-C-95"
    play(state, (0, Incite(asia, (1, 2))))
    frame = next(frame for frame in state.frames if isinstance(frame, Battle))
    assert (frame.attacker, frame.defender, frame.attacking) == (REBELS, 1, (REBELS, 4, 0, 0))
    play(state, "i..", "i...")
    assert state.chaos == [0, 2, 0, 0]
    play(state, (1, Withdraw(sp("galatia"))))
    assert owed(state) == (2,)
    play(state, (2, Commit((galley(2),))))
    frame = next(frame for frame in state.frames if isinstance(frame, Battle))
    assert (frame.defender, frame.attacking) == (2, (REBELS, 3, 0, 0))
    play(state, "...", "ig.", (2, Retreat(sp("galatia"))))
    assert state.chaos == [0, 2, 2, 0]
    frame = next(frame for frame in state.frames if isinstance(frame, Battle))
    assert (frame.defender, frame.attacking) == (0, (REBELS, 1, 0, 0)), "the own army comes last"
    happened = play(state, "i..", "i..")
    assert of(happened, RevoltEnded) == [RevoltEnded(asia, 0)]
    assert army(state, "asia", 0) == (1, 0, 0)
    assert state.chaos == [0, 2, 2, 0]


@pytest.mark.rule("II-C-95", "II-D50")
def test_by_an_option_slaves_rise_where_no_troops_are_and_vanish() -> None:
    state = position(
        units={"asia": {1: (1, 0, 0)}}, leaders={"dacia": [general(1)]}, row=["slave_revolt"], options={"revolts": 1}
    )
    ways = [action for action in listed(COTE2, state, 0) if isinstance(action, Incite)]
    assert len({way.space for way in ways}) == BOARD.provinces
    assert refused(state, 0, Incite(sp("dacia"), (1,))) == "II-C-95"
    happened = play(state, (0, Incite(sp("dacia"), ())))
    assert of(happened, RevoltEnded) == [RevoltEnded(sp("dacia"), 4)]
    assert where(state, general(1)) == "dacia" and army(state, "asia", 1) == (1, 0, 0)


@pytest.mark.rule("II-C-95", "II-D50")
def test_surviving_slaves_vanish_and_friends_are_hit() -> None:
    state = position(
        3,
        sides=(0, 1, 0),
        units={"asia": {2: (1, 0, 0)}},
        row=["slave_revolt"],
        cities={"asia": 2},
        cards={2: ["army_training"]},
    )
    play(state, (0, Incite(sp("asia"), (2,))))
    frame = top(state)
    assert isinstance(frame, Dice)
    assert frame.count == 5, "the city strikes first, with training"
    happened = play(state, ".....", "iii")
    assert of(happened, DiceFell)[-1].hits == 1
    assert of(happened, RevoltEnded)[0].slaves == 4
    assert state.units[sp("asia")] == ()
    assert state.chaos == [0, 0, 2]
    assert owner(state, "asia") == 2


def revolt(army: tuple[int, int, int], **more: Any) -> State:
    """Return a position in which slaves rise against seat 1, by a card of seat 0."""
    key = more.pop("key", "asia")
    state = position(units={key: {1: army}}, row=["slave_revolt"], **more)
    play(state, (0, Incite(sp(key), (1,))))
    return state


@pytest.mark.rule("II-C-95", "II-D50")
def test_a_revolt_is_over_with_the_last_land_unit_whatever_galleys_are_left() -> None:
    state = revolt((1, 0, 0), galleys={galley(1): "mare_rhodus"}, leaders={"asia": [general(1)]})
    play(state, (1, Commit((galley(1),))), "i..", "....")
    assert isinstance(top(state), Casualties)
    happened = play(state, (1, Lose(((1, 1, 0, 0),))))
    assert of(happened, BattleEnded) == [BattleEnded(sp("asia"), REBELS, 1)]
    assert state.chaos == [0, 2]
    assert owed(state) == (1,)
    happened = play(state, (1, Withdraw(sp("galatia"))))
    assert of(happened, RevoltEnded) == [RevoltEnded(sp("asia"), 4)]
    assert state.galley_at[galley(1)] == sp("mare_rhodus")

    state = revolt((1, 0, 0), galleys={galley(1): "mare_rhodus"})
    play(state, (1, Commit((galley(1),))), "i..", "...", (1, Lose((), (galley(1),))), (1, Stand()))
    assert isinstance(top(state), Dice), "the infantry fights on without the galley"


@pytest.mark.rule("II-C-95", "II-D50")
def test_dead_slaves_do_not_attack() -> None:
    state = position(4, units={"creta": {1: (3, 1, 1), 2: (1, 0, 0), 3: (1, 0, 0)}}, row=["slave_revolt"])
    happened = play(state, (0, Incite(sp("creta"), (1, 3, 2))), "...", "ick", "...", "i..")
    assert [event.defender for event in of(happened, BattleBegan)] == [1]
    assert of(happened, RevoltEnded) == [RevoltEnded(sp("creta"), 0)]
    assert isinstance(top(state), Turn)


@pytest.mark.rule("II-D50", "II-D40")
def test_auxiliaries_on_foot_fight_slaves_on_as_well() -> None:
    state = revolt((1, 0, 0), key="egyptus", cards={1: ["diplomacy_egypt"]})
    play(state, "i..", "...", (1, Lose(((1, 1, 0, 0),))), (1, Stand()))
    happened = play(state, "...", "ii.", (1, Stand()), "...", "ii.")
    assert of(happened, RevoltEnded)[0].slaves == 0
    assert state.chaos == [0, 0]


@pytest.mark.rule("II-D50", "II-D41")
def test_slaves_and_the_last_land_unit_fall_together() -> None:
    state = revolt((4, 0, 0), galleys={galley(1): "mare_rhodus"})
    play(state, (1, Commit((galley(1),))), "iii", "iii", (1, Lose(((1, 3, 0, 0),))), (1, Stand()))
    happened = play(state, "i..", "i..", (1, Lose(((1, 1, 0, 0),))))
    assert of(happened, BattleEnded) == [BattleEnded(sp("asia"), 1, REBELS)]
    assert of(happened, RevoltEnded)[0].slaves == 0
    assert state.chaos == [0, 0]


def test_influence_bought_where_a_city_stands_is_taxed_double() -> None:
    state = position(
        leaders={"asia": [caesar(0)]}, tokens={"asia": 2}, cities={"asia": 0}, units={"asia": {0: (1, 0, 0)}}
    )
    play(state, (0, Influence(sp("asia"), (NONE, NONE))))
    assert tax_of(state, 0) == 20


def test_the_fleet_of_a_card_has_its_own_galleys() -> None:
    state = position(galleys={galley(0): "mare_narbo"}, row=["commandeer_aegaeum"])
    play(state, (0, obtain("commandeer_aegaeum", galley(0))))
    assert state.galley_at.count(OFF) == 16 - 3
    assert legal(state, 0, Sail(sp("mare_narbo"), (0, 1, 2)))
