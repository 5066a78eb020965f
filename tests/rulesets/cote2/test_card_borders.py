"""Cards at their borders: the last talent, the last piece of a supply, numbers outside the range, other seats'
cards."""

from collections.abc import Callable
from typing import Any

import pytest

from shared.board import BOARD
from shared.ids import NONE, Army
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Assemble, Campaign, Incite, Levy, Obtain, Sail, Show, Slip, Use
from shared.rulesets.cote2.combat_phase import dice
from shared.rulesets.cote2.data import CARDS, DATA, MULTI_USE, SENATORS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.effects import VOTES, Taken, card_of, support_of
from shared.rulesets.cote2.events import CardTaken, CardUsed, CityTaken, InfluenceGained, Reinforced
from shared.rulesets.cote2.frames import Auction, Battle, Muster, Revolt, Turn, Wind
from shared.rulesets.cote2.options import INFLUENCE
from shared.rulesets.cote2.property import army_supply, galley_supply, general_supply, influence_supply, unused
from shared.rulesets.cote2.state import OFF, POOL, State
from shared.rulesets.cote2.support import NO_SUPPORT, Support, combined
from tests.support.layout import army, sp
from tests.support.positionii import (
    begin,
    caesar,
    card,
    finish_season,
    forum,
    galley,
    general,
    legal,
    obtain,
    options,
    owed,
    play,
    position,
    refused,
    tokens_of,
    use,
    verdict,
)
from tests.support.referee import of, top

KEYS = [printed.key for printed in CARDS]
USED = [printed.key for printed in CARDS if printed.kind == MULTI_USE]
MOST = 18
OUTSIDE = (-2, -1, len(CARDS), len(CARDS) + 1, 127)


def taken(state: State) -> list[Action]:
    """Return the listed ways to obtain cards."""
    return [way for way in options(state, 0) if isinstance(way, Taken)]


def used(state: State) -> list[Use]:
    """Return the listed ways to use cards."""
    return [way for way in options(state, 0) if isinstance(way, Use)]


# --- money ---


@pytest.mark.rule("II-CARD-01")
@pytest.mark.parametrize("key", KEYS)
def test_the_last_talents_buy_a_card(key: str) -> None:
    cost = CARDS[card(key)].cost
    rich = taken(forum(row=[key]))
    state = forum(row=[key], talents=(cost, 0, 0))
    assert taken(state) == rich, "whoever can just pay has every way that the rich have"
    for way in rich:
        after = state.clone()
        assert of(play(after, (0, way)), CardTaken) == [CardTaken(0, card(key), cost)]
        assert after.talents[0] == 0 or not cost


@pytest.mark.rule("II-CARD-01")
@pytest.mark.parametrize("key", [printed.key for printed in CARDS if printed.cost])
def test_seats_that_lack_talents_are_offered_nothing(key: str) -> None:
    rich = taken(forum(row=[key]))
    poor = forum(row=[key], talents=(CARDS[card(key)].cost - 5, 100, 100))
    assert taken(poor) == []
    for way in rich:
        told = verdict(poor, 0, way)
        assert told is not None
        assert (told.code, told.rule) == ("too-dear", "II-CARD-01")


@pytest.mark.rule("II-CARD-01")
@pytest.mark.parametrize("key", ["army_training", "politician", "bribe_senator", "senator_1", "merchant_italia"])
def test_of_several_open_cards_one_is_taken(key: str) -> None:
    state = forum(row=[key] * 2)
    play(state, (0, taken(state)[0]))
    assert state.row[card(key)] == 1


# --- one card a round ---


@pytest.mark.rule("II-ACT-01")
@pytest.mark.parametrize("key", ["army_training", "barbarians_pannonia", "slave_revolt"])
def test_a_second_card_waits_for_the_next_round_however_the_first_was_taken(key: str) -> None:
    state = position(
        units={"noricum": {0: (9, 0, 0)}},
        leaders={"noricum": [caesar(0)]},
        cards={0: ["loot_the_countryside"]},
        row=[key, "senator_1", "barbarians_germania"],
    )
    play(state, (0, next(way for way in options(state, 0) if isinstance(way, Taken) and card_of(way) == card(key))))
    if key == "slave_revolt":
        play(state, "...", "iiii")
    again = (
        obtain("senator_1"),
        Campaign(card("barbarians_germania"), sp("noricum"), 4, 0, 0),
        Incite(sp("noricum"), ()),
    )
    for left in (1, 0):
        frame = top(state)
        assert isinstance(frame, Turn)
        assert (frame.left, frame.obtained) == (left, True)
        assert taken(state) == []
        assert {refused(state, 0, way) for way in again} == {"II-ACT-01"}
        if left:
            play(state, (0, Levy(5)))


# --- numbers that belong to no card, seat or place ---


@pytest.mark.rule("II-CARD-01", "II-CARD-05")
@pytest.mark.parametrize("number", OUTSIDE)
def test_no_such_card(number: int) -> None:
    state = forum(row=["army_training", "favorable_wind"], cards={0: ["assassin"], 1: ["loot_the_countryside"]})
    for action in (Obtain(number), Campaign(number, sp("italia"), 3, 1, 0)):
        assert refused(state, 0, action) == "II-CARD-01"
    assert refused(state, 0, Use(number)) == "II-CARD-05"


@pytest.mark.rule("II-CARD-05")
@pytest.mark.parametrize("key", USED)
def test_cards_of_other_players_cannot_be_used(key: str) -> None:
    state = forum(cards={1: [key]})
    told = verdict(state, 0, use(key, seat=1) if key == "assassin" else use(key))
    assert told is not None
    assert (told.code, told.rule) == ("no-such-card", "II-CARD-05")


@pytest.mark.rule("II-CARD-05", "II-D60")
def test_which_cards_are_still_to_be_used() -> None:
    keys = ["assassin", "merchant_italia", "merchant_italia", "loot_the_countryside", "army_training"]
    state = forum(cards={0: keys, 1: ["merchant_asia"]}, used={0: ["loot_the_countryside", "merchant_italia"]})
    assert unused(state, 0) == [card("merchant_italia"), card("assassin")]
    assert unused(state, 2) == []


@pytest.mark.rule("II-CARD-05")
@pytest.mark.parametrize("key", [key for key in USED if key != "assassin"])
def test_a_card_without_a_target_is_given_none(key: str) -> None:
    state = forum(cards={0: [key]})
    for action in (use(key, leader=0), use(key, leader=general(1)), use(key, seat=0), use(key, 0, 0)):
        assert refused(state, 0, action) == "II-CARD-05"
    assert legal(state, 0, use(key))


@pytest.mark.rule("II-CARD-01")
@pytest.mark.parametrize("key", [printed.key for printed in CARDS if printed.act in ("army", "senator", "politician")])
def test_a_card_that_is_only_kept_or_comes_to_the_caesar_has_no_target(key: str) -> None:
    state = forum(row=[key])
    for target in (-2, 0, 1, sp("italia"), 127):
        assert refused(state, 0, obtain(key, target)) == "II-CARD-01"


@pytest.mark.rule("II-C-39", "II-D22")
def test_senators_of_other_players_can_be_bribed() -> None:
    state = forum(row=["bribe_senator"])
    assert [way.target for way in taken(state) if isinstance(way, Obtain)] == [1, 2]
    for nobody in (-2, -1, 0, 3, 6, 7, 127):
        assert refused(state, 0, obtain("bribe_senator", nobody)) == "II-D22"
    poor = position(3, row=["bribe_senator"], senators={0: (1, 0, 0, 0), 1: (0, 0, 0, 0), 2: (0, 0, 0, 1)})
    assert taken(poor) == [obtain("bribe_senator", 2)], "of no senator none is drawn, and nobody bribes his own"


@pytest.mark.rule("II-C-24", "II-C-25", "II-D19")
def test_any_galley_on_the_board_can_lead_a_fleet_and_no_other_one() -> None:
    state = position(
        3,
        turn=1,
        row=["commandeer_aegaeum"],
        galleys={
            **dict.fromkeys((galley(0), galley(1), galley(1, 3), galley(2)), "mare_narbo"),
            galley(1, 7): "mare_rhodus",
        },
    )
    ways = [way for way in options(state, 1) if isinstance(way, Taken)]
    assert ways == [obtain("commandeer_aegaeum", galley(1)), obtain("commandeer_aegaeum", galley(1, 7))]
    for number in (-8, -2, -1, galley(0), galley(1, 1), galley(1, 6), galley(2), galley(2, 7), 24, 32, 47, 127):
        assert refused(state, 1, obtain("commandeer_aegaeum", number)) == "II-D19"
    assert legal(state, 1, obtain("commandeer_aegaeum", galley(1, 3)))


@pytest.mark.rule("II-C-26", "II-D20")
def test_a_city_needs_units_of_ones_own() -> None:
    state = position(
        units={"egyptus": {1: (5, 0, 0)}, "numidia": {0: (0, 1, 0)}},
        leaders={"egyptus": [general(0)]},
        row=["build_city_egypt_numidia"],
    )
    assert taken(state) == [obtain("build_city_egypt_numidia", sp("numidia"))]
    assert refused(state, 0, obtain("build_city_egypt_numidia", sp("egyptus"))) == "II-D20"


@pytest.mark.rule("II-C-93", "II-D18")
def test_from_where_one_can_march_against_the_barbarians() -> None:
    state = position(
        3,
        turn=1,
        units={
            "noricum": {1: (1, 2, 1)}, "moesia": {1: (7, 0, 0)}, "italia": {1: (3, 0, 0)}, "corsica": {1: (4, 0, 0)},
            "dacia": {0: (4, 0, 0)},
        },
        leaders={
            "noricum": [caesar(1), general(1), general(1, 4)], "moesia": [general(1, 2)], "italia": [general(1, 3)],
            "dacia": [general(0)],
        },
        row=["barbarians_moesia"],
    )  # fmt: skip
    k, here = card("barbarians_moesia"), sp("noricum")
    march = Campaign(k, here, 1, 2, 1)
    assert [way for way in options(state, 1) if isinstance(way, Taken)] == [
        march, Campaign(k, here, 1, 2, 1, (general(1, 4),))
    ]  # fmt: skip
    state.units[sp("corsica")], state.leader_at[general(1, 4)] = (1, 4, 0, 0), sp("corsica")
    assert not legal(state, 1, Campaign(k, sp("corsica"), 4, 0, 0)), "an island, and no galley"


@pytest.mark.rule("II-C-40", "II-C-95", "II-D50")
def test_slave_revolt_provinces_and_victims() -> None:
    state = position(
        4,
        turn=1,
        units={"asia": {0: (1, 0, 0), 1: (1, 0, 0), 3: (1, 0, 0)}, "rhaetia": {1: (1, 0, 0)}},
        leaders={"dacia": [general(1)]},
        row=["slave_revolt"],
    )
    asia, alone = sp("asia"), sp("rhaetia")
    ways = [way for way in options(state, 1) if isinstance(way, Taken)]
    assert sorted(ways, key=repr) == sorted([Incite(asia, (0, 3)), Incite(asia, (3, 0)), Incite(alone, ())], key=repr)
    for nowhere in (-2, -1, sp("dacia"), sp("mare_rhodus"), BOARD.spaces, 127):
        assert refused(state, 1, Incite(nowhere, ())) == "II-D50"
    for victims in ((), (0,), (3,), (0, 3, 3), (0, 0), (0, 1, 3), (0, 2, 3), (0, -1), (0, 3, 7)):
        assert refused(state, 1, Incite(asia, victims)) == "II-C-95"
    play(state, (1, Incite(asia, (3, 0))))
    revolt = next(frame for frame in state.frames if isinstance(frame, Revolt))
    battle = next(frame for frame in state.frames if isinstance(frame, Battle))
    assert (battle.defender, revolt.victims, revolt.slaves) == (3, (0, 1), 4)


# --- merchants ---


@pytest.mark.rule("II-CARD-05", "II-D60")
def test_a_merchant_lives_of_ones_own_influence_down_to_the_last_token() -> None:
    none = forum_of_merchant(0)
    assert used(none) == []
    told = verdict(none, 0, use("merchant_hispania"))
    assert told is not None
    assert (told.code, told.rule) == ("no-influence", "II-CARD-05")
    one = forum_of_merchant(1)
    assert used(one) == [use("merchant_hispania")]
    assert of(play(one, (0, use("merchant_hispania"))), CardUsed) == [CardUsed(0, card("merchant_hispania"), 5)]


def forum_of_merchant(tokens: int) -> State:
    """Return a position with the card merchant of Hispania, where others have influence."""
    return position(cards={0: ["merchant_hispania"]}, influence={"hispania": {0: tokens, 1: 4}, "italia": {0: 3}})


@pytest.mark.rule("II-CARD-05")
def test_a_seat_with_only_a_useless_merchant_is_not_asked() -> None:
    for tokens, asked in ((0, 1), (1, 0)):
        state = position(left=0, cards={0: ["merchant_hispania"]}, influence={"hispania": {0: tokens, 1: 4}})
        assert owed(state) == (asked,)


@pytest.mark.rule("II-C-08")
def test_gains_of_looting_are_told() -> None:
    state = position(cards={0: ["loot_the_countryside"]})
    assert of(play(state, (0, use("loot_the_countryside"))), CardUsed) == [
        CardUsed(0, card("loot_the_countryside"), 50)
    ]


@pytest.mark.rule("II-CARD-05")
def test_in_which_order_cards_were_used_does_not_matter() -> None:
    keys = ["loot_the_countryside", "merchant_egypt", "merchant_italia", "merchant_italia"]
    there, back = (forum(cards={0: keys}) for _ in range(2))
    play(there, *[(0, use(key)) for key in keys])
    play(back, *[(0, use(key)) for key in reversed(keys)])
    assert there == back


# --- the assassin ---


@pytest.mark.rule("II-C-07", "II-D23")
def test_targets_offered_to_an_assassin() -> None:
    state = position(
        3,
        sides=(0, 1, 0),
        cards={0: ["assassin"]},
        leaders={"asia": [general(0), general(1), general(1, 4), general(2, 2)], "italia": [caesar(2)]},
        senators={0: (2, 0, 0, 0), 1: (0, 0, 0, 0), 2: (0, 1, 0, 0)},
    )
    generals = (general(1), general(1, 4), general(2, 2))
    assert used(state) == [*[use("assassin", leader) for leader in generals], use("assassin", seat=2)]


@pytest.mark.rule("II-C-07")
def test_an_assassin_turns_against_own_senators_where_there_are_no_others() -> None:
    nobody = dict.fromkeys(range(2), (0, 0, 0, 0))
    state = position(cards={0: ["assassin"]}, leaders={"asia": [general(0), general(0, 4)]}, senators=nobody)
    assert used(state) == [use("assassin", general(0)), use("assassin", general(0, 4))]
    assert used(position(cards={0: ["assassin"]}, senators=nobody)) == []


@pytest.mark.rule("II-C-07", "II-D23")
def test_impossible_targets_of_an_assassin_are_refused() -> None:
    state = position(
        3, cards={0: ["assassin"]}, leaders={"asia": [general(seat, 4) for seat in range(3)]},
        senators={0: (1, 0, 0, 0), 1: (0, 0, 0, 1), 2: (0, 0, 0, 0)},
    )  # fmt: skip
    for leader in (-2, -6, general(1), 15, 16, 127):
        assert refused(state, 0, use("assassin", leader)) == "II-C-07"
    for seat in range(3):
        assert refused(state, 0, use("assassin", caesar(seat))) == "II-D23"
        assert legal(state, 0, use("assassin", general(seat, 4)))
    for seat in (-2, 2, 3, 5, 127):
        assert refused(state, 0, use("assassin", seat=seat)) == "II-C-07"
    assert legal(state, 0, use("assassin", seat=0)), "friends are not safe, and oneself is not either"


@pytest.mark.rule("II-C-07", "II-D51")
def test_a_city_whose_last_defender_is_murdered_is_taken() -> None:
    state = position(
        3, cards={0: ["assassin"]}, leaders={"asia": [general(1)]}, units={"asia": {2: (1, 0, 0)}}, cities={"asia": 1}
    )
    happened = play(state, (0, use("assassin", general(1))))
    assert of(happened, CityTaken) == [CityTaken(2, sp("asia"), 1)]
    assert state.owner[sp("asia")] == 2


# --- supplies ---


def guards(*left: int) -> dict[str, dict[int, Army]]:
    """Return all units of seat 0 but `left` infantry and cavalry, far away from everything."""
    infantry, cavalry, catapults = POOL
    return {"britannia": {0: (infantry - left[0], cavalry - left[1], catapults)}}


@pytest.mark.rule("II-C-32", "II-D10")
@pytest.mark.parametrize("left", [(0, 0), (1, 0), (2, 1), (3, 0), (3, 1), (4, 2)])
def test_as_many_units_join_a_campaign_as_there_are(left: tuple[int, int]) -> None:
    units = {**guards(left[0] + 4, left[1]), "noricum": {0: (4, 0, 0)}}
    state = position(leaders={"noricum": [caesar(0)]}, units=units, row=["barbarians_moesia"])
    happened = play(state, (0, Campaign(card("barbarians_moesia"), sp("noricum"), 4, 0, 0)))
    came = (min(3, left[0]), min(1, left[1]), 0)
    assert of(happened, Reinforced) == [Reinforced(0, sp("moesia"), came, ())]
    assert army(state, "moesia", 0) == (4 + came[0], came[1], 0)
    assert army_supply(state, 0) == (left[0] - came[0], left[1] - came[1], 0)


@pytest.mark.rule("II-C-12", "II-D10")
@pytest.mark.parametrize("left", range(8))
def test_of_new_legions_come_as_many_as_there_are(left: int) -> None:
    state = vote("senate_new_legions", units=guards(left, 0))
    play(state, (0, Show(1)))
    if left == 0:
        assert isinstance(top(state), Turn), "nobody is asked where nobody assembles"
        return
    frame = top(state)
    assert isinstance(frame, Muster)
    assert frame.infantry == min(6, left)
    for site in ("asia", "britannia"):
        assert refused(state, 0, Assemble(sp(site))) == "II-C-12"
    happened = play(state, (0, Assemble(sp("neapolis"))))
    assert of(happened, Reinforced) == [Reinforced(0, sp("neapolis"), (min(6, left), 0, 0), ())]
    assert army_supply(state, 0)[0] == max(0, left - 6)


def vote(key: str, **more: Any) -> State:
    """Return a position in which seat 0 has called a vote and no other seat has senators."""
    hands = {0: (2, 0, 0, 0), 1: (0, 0, 0, 0)}
    state = position(cards={0: [key]}, senators=hands, **more)
    play(state, (0, use(key)))
    return state


@pytest.mark.rule("II-C-13", "II-D10")
@pytest.mark.parametrize("left", range(4))
def test_of_influence_in_rome_comes_as_much_as_there_is(left: int) -> None:
    state = vote("senate_influence_in_rome", influence={"asia": {0: MOST - left, 1: 2}}, options={"influence": MOST})
    happened = play(state, (0, Show(1)))
    assert of(happened, InfluenceGained) == [InfluenceGained(0, sp("italia"), min(2, left))]
    assert tokens_of(state, "italia", 0) == min(2, left)
    assert influence_supply(state, 0) == left - min(2, left)


@pytest.mark.rule("II-C-38", "II-D10")
def test_the_last_token_is_the_politicians() -> None:
    for left in (0, 1, 2):
        state = position(
            leaders={"asia": [caesar(0)]},
            influence={"asia": {0: MOST - left}},
            row=["politician"],
            options={"influence": MOST},
        )
        if left:
            happened = play(state, (0, obtain("politician")))
            assert of(happened, InfluenceGained) == [InfluenceGained(0, sp("asia"), 1)]
            assert influence_supply(state, 0) == left - 1
        else:
            assert taken(state) == []
            assert refused(state, 0, obtain("politician")) == "II-D10"


@pytest.mark.rule("II-C-38", "II-D21")
def test_a_politician_comes_only_to_the_caesar() -> None:
    state = position(leaders={"noricum": [caesar(0)], "asia": [general(0)]}, row=["politician"])
    assert taken(state) == []
    assert refused(state, 0, obtain("politician")) == "II-D21"


@pytest.mark.rule("II-C-94", "II-D19")
@pytest.mark.parametrize("left", range(4))
def test_of_a_fleet_come_as_many_galleys_as_there_are(left: int) -> None:
    state = position(galleys={galley(0, k): "mare_narbo" for k in range(8 - left)}, row=["commandeer_aegaeum"])
    happened = play(state, (0, obtain("commandeer_aegaeum", galley(0))))
    new = tuple(galley(0, 8 - left + k) for k in range(min(2, left)))
    assert of(happened, Reinforced) == [Reinforced(0, sp("mare_aegaeum"), (0, 0, 0), new)]
    assert state.galley_at[:8].count(sp("mare_aegaeum")) == 1 + len(new)
    assert len(galley_supply(state, 0)) == left - len(new)


@pytest.mark.rule("II-COMP-01")
def test_a_supply_holds_what_is_not_on_the_board_of_each_colour() -> None:
    state = position(
        3,
        units={"asia": {1: (3, 2, 1), 2: (1, 1, 1)}, "italia": {1: (2, 0, 1)}},
        leaders={"asia": [general(1, 2)]},
        galleys={galley(1, 1): "mare_narbo", galley(2): "mare_narbo"},
        influence={"asia": {1: 3, 2: 1}, "italia": {1: 1}},
    )
    infantry, cavalry, catapults = POOL
    assert army_supply(state, 1) == (infantry - 5, cavalry - 2, catapults - 2)
    assert galley_supply(state, 1) == tuple(galley(1, k) for k in (0, 2, 3, 4, 5, 6, 7))
    state.leader_at[caesar(1)] = OFF
    assert general_supply(state, 1) == (general(1, 1), general(1, 3), general(1, 4)), "no Caesar is for sale"
    assert influence_supply(state, 1) == state.options[INFLUENCE] - 4
    assert (army_supply(state, 0), len(galley_supply(state, 0)), len(general_supply(state, 0))) == (POOL, 8, 4)


@pytest.mark.rule("II-C-10", "II-CHAOS-01")
@pytest.mark.parametrize(("chaos", "left"), [(0, 0), (9, 0), (10, 0), (11, 1), (25, 15)])
def test_chaos_never_falls_below_zero(chaos: int, left: int) -> None:
    state = vote("senate_bread_and_circuses", chaos=(chaos, 7))
    play(state, (0, Show(1)))
    assert state.chaos == [left, 7]


@pytest.mark.rule("II-C-11", "II-C-36")
def test_points_of_a_card_are_its_owners_alone() -> None:
    state = vote("senate_hail_caesar")
    play(state, (0, Show(1)))
    assert state.points == [15, 0]


@pytest.mark.rule("II-CARD-03")
def test_senators_go_into_ones_own_hand_by_value() -> None:
    for value in range(4):
        state = forum(row=[f"senator_{value + 1}"])
        play(state, (0, obtain(f"senator_{value + 1}")))
        assert state.senators[0] == tuple(n + (k == value) for k, n in enumerate((1, 1, 0, 0)))


# --- the deck ---


@pytest.mark.rule("II-C-90", "II-SETUP-02")
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_deck_has_all_unheld_cards(seats: int) -> None:
    state = begin(seats)
    for card_, printed in enumerate(CARDS):
        dealt = DATA.start.senators[SENATORS.index(card_)] * seats if card_ in SENATORS else 0
        opened = printed.copies if card_ in VOTES else 0
        assert state.row[card_] == opened
        assert state.deck[card_] == printed.copies - dealt - opened
    assert sum(state.deck) + sum(state.row) + sum(map(sum, state.senators)) == 83


def spoilt(state: State, change: Callable[[State], object]) -> list[str]:
    """Return the rules' complaints about the cards after such a change."""
    other = state.clone()
    change(other)
    return COTE2.invariants(other)


def test_a_card_too_many_or_too_few_is_noticed_wherever_it_lies() -> None:
    state = forum(row=["army_training"], cards={0: ["assassin"]}, used={0: ["assassin"]})
    k, other = card("army_training"), card("naval_training")
    changes: list[Callable[[State], object]] = [
        lambda s: s.row.__setitem__(k, 2),
        lambda s: s.deck.__setitem__(k, s.deck[k] + 1),
        lambda s: s.gone.__setitem__(k, 1),
        lambda s: s.cards.__setitem__(1, (k,)),
        lambda s: s.senators.__setitem__(1, (1, 0, 0, 0)),
        lambda s: (s.row.__setitem__(k, 0), s.row.__setitem__(other, 1)),
        lambda s: (s.row.__setitem__(k, -1), s.deck.__setitem__(k, s.deck[k] + 2)),
        lambda s: s.used.__setitem__(0, (s.used[0][0], s.used[0][0])),
        lambda s: s.used.__setitem__(1, s.used[0]),
    ]
    assert COTE2.invariants(state) == []
    for change in changes:
        assert spoilt(state, change)


@pytest.mark.rule("II-ROW-01", "II-D03")
@pytest.mark.parametrize("left", [0, 1, 3, 4, 5])
def test_two_cards_for_each_player_or_what_is_left(left: int) -> None:
    state = position(2, season=1, round=4)
    keep = [left if k == card("politician") else 0 for k in range(len(CARDS))]
    state.gone = [n - m for n, m in zip(state.deck, keep, strict=True)]
    state.deck = keep
    finish_season(state)
    while not isinstance(top(state), Auction):
        play(state, tuple(range(top(state).size)))  # type: ignore[attr-defined]
    assert state.row[card("politician")] == min(4, left)
    assert state.deck[card("politician")] == max(0, left - 4)


@pytest.mark.rule("II-CARD-04", "II-CARD-05", "II-EOS-01")
def test_the_end_of_a_season_turns_up_everybodys_cards_and_sells_diplomacy_again() -> None:
    keys = {0: ["loot_the_countryside"], 1: ["merchant_asia", "diplomacy_achaia"], 2: ["assassin", "diplomacy_pirates"]}
    spent = {0: ["loot_the_countryside"], 1: ["merchant_asia"], 2: ["assassin"]}
    state = position(3, cards=keys, used=spent, influence={"asia": {1: 1}})
    finish_season(state)
    assert state.used == [(), (), ()]
    assert state.cards == [(card("loot_the_countryside"),), (card("merchant_asia"),), (card("assassin"),)]
    assert (state.row[card("diplomacy_achaia")], state.row[card("diplomacy_pirates")]) == (1, 1)


# --- battles ---

SEA, LAND = "mare_aegaeum", "asia"
BROUGHT = {
    "army": (Support(dice=1), NO_SUPPORT),
    "navy": (NO_SUPPORT, Support(dice=1)),
    "pirates": (NO_SUPPORT, Support(galleys=2)),
    "wind": (NO_SUPPORT, Support(slips=True)),
}


@pytest.mark.rule("II-C-18", "II-C-23", "II-C-41", "II-C-42", "II-C-43", "II-C-91")
@pytest.mark.parametrize("key", KEYS)
def test_cards_bring_units_to_battles_in_their_province(key: str) -> None:
    printed = CARDS[card(key)]
    if printed.kind == "senator":
        return
    state = position(2, cards={1: [key]})
    for space in range(BOARD.spaces):
        expected = BROUGHT.get(printed.act, (NO_SUPPORT, NO_SUPPORT))[space >= BOARD.provinces]
        if printed.act == "troops" and BOARD.keys[space] == printed.places[0]:
            infantry, cavalry, catapults, galleys = printed.gain
            expected = Support(army=(infantry, cavalry, catapults), galleys=galleys)
        assert support_of(state, 1, space) == expected
        assert support_of(state, 0, space) == NO_SUPPORT


def test_two_supports_are_joined_either_way_round() -> None:
    one, other = Support(1, (1, 0, 2), 2), Support(2, (3, 1, 0), 1, True)
    assert combined(one, other) == combined(other, one) == Support(3, (4, 1, 2), 3, True)
    assert combined(one, NO_SUPPORT) == combined(NO_SUPPORT, one) == one


@pytest.mark.rule("II-C-41", "II-C-42", "II-C-91")
def test_gains_of_several_cards_add_up() -> None:
    keys = ["army_training"] * 3 + ["naval_training"] * 2 + ["diplomacy_egypt", "diplomacy_pirates", "favorable_wind"]
    state = position(2, cards={1: keys})
    assert support_of(state, 1, sp("egyptus")) == Support(3, (2, 1, 0), 1)
    assert support_of(state, 1, sp("asia")) == Support(3)
    assert support_of(state, 1, sp(SEA)) == Support(2, (0, 0, 0), 2, True)


@pytest.mark.rule("II-C-23", "II-C-42", "II-C-43")
@pytest.mark.parametrize("holder", [0, 1])
def test_pirates_training_and_wind_are_their_owners(holder: int) -> None:
    state = position(
        galleys={galley(0): SEA, galley(1): SEA, galley(1, 1): SEA},
        cards={holder: ["diplomacy_pirates", "favorable_wind", "naval_training"]},
    )
    play(state, (0, Sail(NONE, (), sp(SEA), 1)))
    if holder == 1:
        frame = top(state)
        assert isinstance(frame, Wind)
        assert frame.seat == 1
        play(state, (1, Slip(False)))
    battle = next(frame for frame in state.frames if isinstance(frame, Battle))
    assert (battle.attack_extra, battle.defence_extra) == ((2, 0), (0, 2))[holder]
    assert (dice(state, battle, 0), dice(state, battle, 1)) == ((1 + 2 + 1, 2), (1, 2 + 2 + 1))[holder]
