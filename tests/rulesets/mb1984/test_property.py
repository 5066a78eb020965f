"""Consequences of a battle: provinces, homes, prisoners, whole empires."""

from typing import get_args

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.kernel.frames import Dice
from shared.mechanics.pieces import OFF
from shared.rulesets.mb1984.actions import Buy, Execute, Propose, Reply
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.economy import stock
from shared.rulesets.mb1984.events import Looted, Rewarded
from shared.rulesets.mb1984.frames import Combat, Placement
from shared.rulesets.mb1984.property import supply
from shared.rulesets.mb1984.table import State
from shared.vocabulary import actions as a
from shared.vocabulary.events import Answered, Eliminated, Freed, Killed, Offered, Placed, Sank, Tribute, Why, Won
from shared.vocabulary.frames import Bargain, Captives, Movement, Purchase
from tests.support.layout import aboard, army, coast, owner, prison, sail, sp, where
from tests.support.position1984 import (
    caesar,
    end_turn,
    galley,
    general,
    legal,
    march,
    options,
    owed,
    play,
    position,
    refused,
    verdict,
)
from tests.support.referee import of, top

G, G2, FOE, FOE2 = general(0), general(0, 2), general(1), general(1, 2)
DALMATIA = sp("dalmatia")


def attack(place: str = "dalmatia", seats: int = 2, **more: object) -> State:
    """Return a battle of one infantry of seat 0, at home in Italia, against one of seat 1, at home in Egyptus."""
    mine: dict[str, object] = {
        "homes": ("italia", "egyptus", "hispania")[:seats],
        "units": {place: {0: (1, 0, 0), 1: (1, 0, 0)}},
        "leaders": {place: [G, FOE]},
        "owners": {place: 1},
        "phase": "combat",
    }
    for key, value in more.items():
        old = mine.get(key)
        mine[key] = {**old, **value} if isinstance(old, dict) and isinstance(value, dict) else value
    return position(seats, **mine)  # type: ignore[arg-type]


def win(state: State, place: str = "dalmatia") -> list[object]:
    return [*play(state, (0, a.Fight(sp(place), 1)), "6")]


def lose(state: State, place: str = "dalmatia") -> list[object]:
    return [*play(state, (0, a.Fight(sp(place), 1)), "1", "6")]


# --- provinces ---


@pytest.mark.rule("MB-WIN-01", "MB-D44")
@pytest.mark.parametrize("built", [0, 1, 2])
def test_markers_move_by_the_value_of_the_province_and_its_city(built: int) -> None:
    state = attack(built={"dalmatia": built})
    before = state.marker[:]
    play(state, (0, a.Fight(DALMATIA, 1)), "6")
    worth = BOARD.tribute[DALMATIA] + (5 if built else 0)
    assert state.marker == [before[0] + worth, before[1] - worth]


@pytest.mark.rule("MB-WIN-02")
def test_a_city_and_its_wall_pass_to_the_conqueror() -> None:
    state = attack(built={"dalmatia": 2, "moesia": 1}, owners={"moesia": 1}, roads=[("dalmatia", "moesia")])
    win(state)
    assert owner(state, "dalmatia") == 0 and state.built[DALMATIA] == 2
    assert state.roads == [] and owner(state, "moesia") == 1


@pytest.mark.rule("MB-WIN-03")
def test_galleys_on_the_coast_of_a_conquered_province_are_destroyed() -> None:
    state = attack(galleys={galley(1): "dalmatia", galley(1, 1): "mare_adriatico"})
    assert of(win(state), Sank) == [Sank(1, DALMATIA, (galley(1),))]  # type: ignore[arg-type]
    assert state.galley_at[galley(1, 1)] == sp("mare_adriatico")


@pytest.mark.rule("MB-WIN-03", "MB-CAESAR-02")
def test_galleys_of_a_captured_caesar_change_owner() -> None:
    state = attack(seats=3, galleys={galley(1): "dalmatia"}, leaders={"dalmatia": [G, FOE, caesar(1)]})
    happened = win(state)
    assert not of(happened, Sank)  # type: ignore[arg-type]
    assert state.galley_at[galley(1)] == DALMATIA
    assert MB1984.invariants(state) == []
    assert state.lord[1] == 0


@pytest.mark.rule("MB-WIN-04")
def test_the_owner_of_the_province_loses_galleys_and_leaders_with_it() -> None:
    state = attack(galleys={galley(1): "dalmatia"}, leaders={"dalmatia": [G, FOE, FOE2]})
    win(state)
    assert state.galley_at[galley(1)] == OFF
    assert where(state, FOE) == where(state, FOE2) == "prison 0"


# --- homes ---


@pytest.mark.rule("MB-HOME-01")
def test_a_conquered_home_is_looted() -> None:
    state = attack("egyptus", talents=[3, 80], leaders={"syria": [caesar(1)]}, built={"egyptus": 2})
    happened = win(state, "egyptus")
    assert of(happened, Looted) == [Looted(0, 1, 80)]  # type: ignore[arg-type]
    assert state.talents[1] == 0
    assert owner(state, "egyptus") == 0


@pytest.mark.rule("MB-HOME-01")
def test_an_undefended_home_is_looted_too() -> None:
    state = position(
        units={"cyrenaica": {1: (1, 0, 0)}}, leaders={"cyrenaica": [FOE], "syria": [caesar(0)]}, turn=1,
        owners={"cyrenaica": 1}, talents=[55, 0],
    )  # fmt: skip
    play(state, (1, march("cyrenaica", "egyptus", FOE, 1)))
    assert state.talents == [0, 55]


@pytest.mark.rule("MB-HOME-02", "MB-D32")
def test_without_the_home_no_tribute_and_no_purchases_until_it_is_reconquered() -> None:
    state = position(
        homes=("italia", "egyptus"),
        owners={"italia": 1, "rhaetia": 0, "noricum": 0},
        built={"rhaetia": 1, "noricum": 1},
        leaders={"rhaetia": [caesar(0), G]},
        units={"rhaetia": {0: (2, 0, 0)}},
        talents=[300, 0],
    )
    marker = state.marker[0]
    assert marker == 20
    happened = end_turn(state, 0)
    assert not of(happened, Tribute) and state.talents[0] == 300
    assert stock(state, 0) == (0, 0, 0, 0, 0, 0)
    end_turn(state, 1)
    happened = play(state, (0, march("rhaetia", "italia", G, 1)), (0, a.EndMovement()))
    assert of(happened, Tribute) == [Tribute(0, marker + 10)]
    play(state, (0, options(state, 0)[0]))
    assert isinstance(top(state), Purchase) and legal(state, 0, Buy(infantry=1))


@pytest.mark.rule("MB-D32")
def test_without_the_home_roads_are_built_and_ransoms_paid() -> None:
    state = position(
        homes=("italia", "egyptus"),
        owners={"italia": 1, "rhaetia": 0, "noricum": 0},
        built={"rhaetia": 1, "noricum": 1},
        leaders={"rhaetia": [caesar(0)], prison(0): [FOE], prison(1): [G]},
        talents=[0, 90],
        phase="placement",
    )
    assert isinstance(top(state), Placement)
    assert refused(state, 0, Buy(infantry=1)) == "MB-TURN-01"
    play(state, (0, a.Offer(1, gives=(FOE,), wants=40)), (1, a.Answer(True)))
    assert state.talents == [40, 50]
    play(state, (0, a.Offer(1, pays=40, takes=(G,))), (1, a.Answer(True)))
    assert where(state, G) == "rhaetia" and state.talents == [0, 90]
    road = a.PlaceRoad(sp("noricum"), sp("rhaetia"))
    assert road in options(state, 0) and legal(state, 0, a.PlaceRoad(road.b, road.a))
    assert refused(state, 0, a.PlaceRoad(sp("rhaetia"), sp("italia"))) == "MB-ROAD-01"
    happened = play(state, (0, road))
    assert len(of(happened, Placed)) == len(state.roads) == 1 and state.talents == [0, 90]


@pytest.mark.rule("MB-D01", "MB-CAESAR-01")
def test_a_lone_caesar_is_captured_once_and_the_other_battles_are_still_there() -> None:
    state = position(
        3, homes=("italia", "egyptus", "hispania"), phase="combat", owners={"rhaetia": 0, "dalmatia": 2},
        units={"rhaetia": {0: (1, 0, 0)}, "dalmatia": {0: (1, 0, 0), 2: (1, 0, 0)}},
        leaders={"rhaetia": [G2, caesar(1)], "dalmatia": [G, general(2)]},
    )  # fmt: skip
    happened = play(state, (0, a.Fight(sp("rhaetia"), 1)))
    assert len(of(happened, Eliminated)) == 1 and isinstance(top(state), Combat)
    assert [action for action in options(state, 0) if isinstance(action, a.Fight)] == [a.Fight(DALMATIA, 2)]


@pytest.mark.rule("MB-HOME-02", "MB-D32")
def test_without_the_home_a_turn_ends_in_placement_where_a_road_can_be_built() -> None:
    state = position(
        homes=("italia", "egyptus"), owners={"italia": 1, "rhaetia": 0, "noricum": 0}, talents=[300, 0],
        built={"rhaetia": 1, "noricum": 1}, leaders={"rhaetia": [caesar(0)]}, phase="purchase",
    )  # fmt: skip
    assert isinstance(top(state), Placement) and owed(state) == (0,), "nothing is bought"
    play(state, (0, a.PlaceRoad(sp("rhaetia"), sp("noricum"))))
    assert owed(state) == (1,) and state.talents[0] == 300


# --- prisoners ---


@pytest.mark.rule("MB-GEN-01")
def test_captured_generals_die_at_once_or_are_held_and_may_die_later() -> None:
    state = attack(leaders={"dalmatia": [G, FOE, FOE2]})
    win(state)
    assert isinstance(top(state), Captives)
    assert refused(state, 0, a.Judge((G,))) == "MB-GEN-01"
    assert refused(state, 0, a.EndMovement()) == "MB-GEN-01"
    happened = play(state, (0, a.Judge((FOE2,))))
    assert of(happened, Killed) == [Killed(0, (FOE2,))]
    assert where(state, FOE) == "prison 0" and where(state, FOE2) == "off"
    assert refused(state, 0, Execute((FOE,))) == "MB-GEN-01"
    end_turn(state, 0)
    assert refused(state, 1, Execute((FOE,))) == "MB-GEN-01"
    end_turn(state, 1)
    assert isinstance(top(state), Movement)
    assert refused(state, 0, Execute(())) == "MB-GEN-01"
    assert refused(state, 0, Execute((FOE, FOE))) == "MB-GEN-01"
    play(state, (0, Execute((FOE,))))
    assert where(state, FOE) == "off"


@pytest.mark.rule("MB-GEN-01", "MB-D37")
def test_prisoners_may_be_killed_in_the_next_turn_which_is_anothers() -> None:
    state = attack(seats=3, leaders={"dalmatia": [G, FOE, FOE2]})
    win(state)
    play(state, (0, a.Judge(())))
    end_turn(state, 0)
    assert owed(state) != (0,) and isinstance(top(state), Movement)
    assert refused(state, 2, Execute((FOE,))) == "MB-GEN-01"
    before = owed(state)
    happened = play(state, (0, Execute((FOE,))))
    assert of(happened, Killed) == [Killed(0, (FOE,))]
    assert where(state, FOE) == "off" and where(state, FOE2) == "prison 0"
    assert owed(state) == before, "nobody waits for it"


@pytest.mark.rule("MB-GEN-01", "MB-D37")
def test_prisoners_may_be_killed_only_in_a_turn_of_the_captor_by_an_option() -> None:
    for own in (0, 1):
        state = position(3, leaders={prison(0): [FOE], prison(1): [G]}, options={"executions": own})
        assert legal(state, 0, Execute((FOE,)))
        assert refused(state, 1, Execute((G,))) == "MB-D37" if own else legal(state, 1, Execute((G,)))
        end_turn(state, 0)
        assert owed(state) == (1,) and legal(state, 1, Execute((G,)))
        assert legal(state, 0, Execute((FOE,))) == (not own)


@pytest.mark.rule("MB-GEN-01", "MB-D37")
def test_a_prisoner_may_be_killed_in_the_middle_of_a_battle_of_others() -> None:
    state = attack(seats=3, units={"dalmatia": {0: (1, 1, 0), 1: (2, 0, 0)}}, leaders={prison(2): [G2, FOE2]})
    play(state, (0, a.Fight(DALMATIA, 1)))
    assert isinstance(top(state), Dice)
    play(state, (2, Execute((G2, FOE2))))
    assert where(state, G2) == where(state, FOE2) == "off"
    assert isinstance(top(state), Dice)


@pytest.mark.rule("MB-GEN-01", "MB-D37")
def test_a_general_is_not_killed_while_a_bargain_about_that_general_waits() -> None:
    state = position(leaders={prison(0): [FOE, FOE2], prison(1): [G]}, talents=[30, 30])
    play(state, (0, a.Offer(1, gives=(FOE,), takes=(G,))))
    assert refused(state, 0, Execute((FOE,))) == "MB-D37"
    assert refused(state, 1, Execute((G,))) == "MB-D37"
    play(state, (0, Execute((FOE2,))), (1, a.Answer(False)))
    assert legal(state, 0, Execute((FOE,))) and legal(state, 1, Execute((G,)))


@pytest.mark.rule("MB-GEN-01", "MB-D34")
def test_prisoners_taken_over_with_a_caesar_may_be_killed_at_once_if_they_are_old_ones() -> None:
    state = attack(seats=3, leaders={"dalmatia": [G, caesar(1)], prison(1): [general(2)]})
    win(state)
    play(state, (0, Execute((general(2),))))
    assert where(state, general(2)) == "off"


@pytest.mark.rule("MB-GEN-02", "MB-D37")
def test_prisoners_are_exchanged_in_either_players_turn_between_actions() -> None:
    state = position(leaders={prison(0): [FOE], prison(1): [G]}, talents=[30, 30], built={"egyptus": 1})
    assert isinstance(top(state), Movement)
    happened = play(state, (0, a.Offer(1, gives=(FOE,), takes=(G,))))
    assert isinstance(top(state), Bargain) and owed(state) == (1,)
    assert of(happened, Offered) == [Offered(0, 1, 0, (FOE,), 0, (G,))]
    assert refused(state, 1, a.EndMovement()) == "MB-GEN-02"
    play(state, (1, a.Answer(False)))
    assert where(state, FOE) == "prison 0" and isinstance(top(state), Movement)
    play(state, (0, a.EndMovement()))
    play(state, (0, a.Offer(1, gives=(FOE,), takes=(G,))), (1, a.Answer(True)))
    assert where(state, FOE) == "hispania" and where(state, G) == "egyptus"


@pytest.mark.rule("MB-GEN-02", "MB-D37")
def test_the_other_player_may_propose_without_delaying_the_turn() -> None:
    state = position(leaders={prison(0): [FOE, FOE2]}, talents=[30, 30])
    assert refused(state, 0, Propose(1, gives=(FOE,))) == "MB-D37"
    assert refused(state, 1, Propose(0, pays=31, takes=(FOE,))) == "MB-GEN-04"
    assert refused(state, 1, Propose(NONE)) == "MB-GEN-02"
    happened = play(state, (1, Propose(0, pays=20, takes=(FOE,))))
    assert of(happened, Offered) == [Offered(1, 0, 20, (), 0, (FOE,))]
    assert isinstance(top(state), Movement) and owed(state) == (0,)
    assert {Reply(1, True), Reply(1, False)} <= set(options(state, 0))
    assert refused(state, 0, Reply(0, True)) == "MB-GEN-02"
    assert refused(state, 0, Reply(7, True)) == "MB-GEN-02"
    play(state, (1, Propose(NONE)))
    assert refused(state, 0, Reply(1, True)) == "MB-GEN-02"
    play(state, (1, Propose(0, pays=25, takes=(FOE2,))))
    happened = play(state, (0, Reply(1, True)))
    assert of(happened, Answered) == [Answered(0, True)]
    assert of(happened, Freed) == [Freed(1, FOE2, sp("hispania"))]
    assert state.talents == [55, 5]
    play(state, (1, Propose(0, pays=5, takes=(FOE,))), (0, Execute((FOE,))))
    assert refused(state, 0, Reply(1, True)) == "MB-GEN-02"
    play(state, (0, Reply(1, False)))
    assert state.proposals == [(), ()]


@pytest.mark.rule("MB-GEN-02")
def test_only_what_was_proposed_by_that_seat_is_answered() -> None:
    state = position(3, turn=1, leaders={prison(1): [G, general(2)]}, talents=[30, 0, 30])
    play(state, (0, Propose(1, pays=20, takes=(G,))))
    for nobody in (-1, 1, 2, 3):
        assert refused(state, 1, Reply(nobody, True)) == "MB-GEN-02"
    assert {action.proposer for action in options(state, 1) if isinstance(action, Reply)} == {0}
    play(state, (2, Propose(1, pays=10, takes=(general(2),))))
    for accept in (True, False):
        assert refused(state, 1, Reply(-1, accept)) == "MB-GEN-02", "not the last one counted from behind"
    play(state, (1, Reply(0, True)))
    assert where(state, G) != "prison 1" and where(state, general(2)) == "prison 1"
    assert state.talents == [10, 20, 30]


@pytest.mark.rule("MB-GEN-02", "MB-D37")
def test_bargains_have_possible_partners() -> None:
    state = position(3, lords={2: 1}, leaders={prison(0): [FOE, general(2)]}, talents=[0, 30, 0])
    for nobody in (-1, 0, 2, 3, 99):
        told = verdict(state, 0, a.Offer(nobody, gives=(FOE,)))
        assert told is not None and (told.code, told.rule) == ("no-partner", "MB-GEN-02")
    assert legal(state, 0, a.Offer(1, gives=(general(2),))), "his lord speaks for him"
    told = verdict(state, 0, Propose(1, gives=(FOE,)))
    assert told is not None and (told.code, told.rule) == ("own-turn", "MB-D37")
    assert refused(state, 2, Propose(0, pays=1, takes=(general(2),))) == "MB-CAESAR-01"


@pytest.mark.rule("MB-D37", "MB-D38")
def test_proposals_of_and_to_a_player_who_is_out_are_gone() -> None:
    for loser in (0, 1):
        mine = {"dalmatia": [caesar(0), FOE] if loser == 0 else [G, caesar(1)], prison(0): [FOE2, general(2)]}
        state = attack(seats=3, leaders=mine, talents=[0, 20, 20])
        play(state, (1, Propose(0, pays=5, takes=(FOE2,))), (2, Propose(0, pays=5, takes=(general(2),))))
        if loser:
            win(state)
            assert state.proposals[1] == () and state.proposals[2]
        else:
            lose(state)
            assert state.proposals == [(), (), ()]


@pytest.mark.rule("MB-D37")
def test_third_parties_do_not_bargain_and_proposals_end_with_the_turn() -> None:
    state = position(3, leaders={prison(1): [general(2)], prison(0): [FOE]}, talents=[9, 9, 9])
    active = owed(state)[0]
    assert active == 0
    assert refused(state, 2, Propose(1, pays=5, takes=(general(2),))) == "MB-D37"
    assert refused(state, 2, Propose(0, pays=5, takes=(general(2),))) == "MB-GEN-02"
    assert refused(state, 0, a.Offer(2, gives=(FOE,), wants=5)) == "MB-GEN-02"
    play(state, (1, Propose(0, pays=5, takes=(FOE,))))
    end_turn(state, 0)
    assert state.proposals == [(), (), ()]
    assert where(state, FOE) == "prison 0"


@pytest.mark.rule("MB-GEN-02", "MB-D37")
def test_a_turn_has_three_offers() -> None:
    state = position(leaders={prison(0): [FOE]}, talents=[0, 50])
    for _ in range(3):
        play(state, (0, a.Offer(1, gives=(FOE,), wants=10)), (1, a.Answer(False)))
    assert refused(state, 0, a.Offer(1, gives=(FOE,), wants=10)) == "MB-D37"
    end_turn(state, 0)
    end_turn(state, 1)
    assert legal(state, 0, a.Offer(1, gives=(FOE,), wants=10))


@pytest.mark.rule("MB-GEN-03")
@pytest.mark.parametrize(("lost", "place"), [(False, "egyptus"), (True, "creta")])
def test_a_freed_general_goes_home_or_to_the_caesar(lost: bool, place: str) -> None:
    state = position(
        leaders={prison(1): [G], prison(0): [FOE], "creta": [caesar(0)]}, owners={"egyptus": 1} if lost else {}
    )
    play(state, (0, a.Offer(1, gives=(FOE,), takes=(G,))), (1, a.Answer(True)))
    assert where(state, G) == place


@pytest.mark.rule("MB-GEN-03")
def test_a_freed_general_joins_a_caesar_at_sea() -> None:
    state = position(
        galleys={galley(0): "mare_alexandria"}, owners={"egyptus": 1}, talents=[10, 0],
        leaders={prison(1): [G], aboard(galley(0)): [caesar(0)]},
    )  # fmt: skip
    play(state, (0, a.Offer(1, pays=10, takes=(G,))), (1, a.Answer(True)))
    assert where(state, G) == "aboard 0"


@pytest.mark.rule("MB-GEN-04", "MB-D37")
def test_a_ransomed_general_acts_from_its_owners_next_turn() -> None:
    state = position(leaders={prison(1): [G]}, talents=[60, 0], units={"egyptus": {0: (1, 0, 0)}})
    play(state, (0, a.Offer(1, pays=45, takes=(G,))), (1, a.Answer(True)))
    assert state.talents == [15, 45] and where(state, G) == "egyptus"
    assert refused(state, 0, march("egyptus", "cyrenaica", G, 1)) == "MB-GEN-04"
    end_turn(state, 0)
    end_turn(state, 1)
    assert legal(state, 0, march("egyptus", "cyrenaica", G, 1))


@pytest.mark.rule("MB-GEN-04", "MB-D37")
def test_a_ransomed_general_goes_aboard_from_the_owners_next_turn() -> None:
    state = position(leaders={prison(1): [G]}, talents=[60, 0], galleys={galley(0): "egyptus"})
    play(state, (0, a.Offer(1, pays=45, takes=(G,))), (1, a.Answer(True)))
    assert refused(state, 0, sail(galley(0), "mare_pelusium", G)) == "MB-GEN-04"
    end_turn(state, 0)
    end_turn(state, 1)
    assert legal(state, 0, sail(galley(0), "mare_pelusium", G))


@pytest.mark.rule("MB-GEN-03", "MB-D37")
@pytest.mark.parametrize("talents", [0, 20])
def test_an_exchanged_general_is_free_to_move_at_once(talents: int) -> None:
    state = position(
        leaders={prison(1): [G], prison(0): [FOE]}, talents=[60, 0], units={"egyptus": {0: (0, 1, 0)}},
        galleys={galley(0): "egyptus"},
    )  # fmt: skip
    play(state, (0, a.Offer(1, pays=talents, gives=(FOE,), takes=(G,))), (1, a.Answer(True)))
    assert legal(state, 0, sail(galley(0), "mare_pelusium", G, 0, 1))
    play(state, (0, march("egyptus", "cyrenaica", G, 0, 1)), (0, march("cyrenaica", "egyptus", G, 0, 1, 0, 1)))
    assert refused(state, 0, march("egyptus", "cyrenaica", G)) == "MB-LEAD-04"


@pytest.mark.rule("MB-GEN-03", "MB-D37")
def test_an_exchange_that_was_proposed_frees_at_once_and_a_gift_does_not() -> None:
    for gives, rule in (((FOE,), ""), ((), "MB-GEN-04")):
        state = position(leaders={prison(1): [G], prison(0): [FOE]}, units={"egyptus": {0: (0, 1, 0)}})
        play(state, (1, Propose(0, gives=(G,), takes=gives)), (0, Reply(1, True)))
        step = march("egyptus", "cyrenaica", G, 0, 1)
        assert legal(state, 0, step) if not rule else refused(state, 0, step) == rule


@pytest.mark.rule("MB-D09")
def test_talents_change_hands_only_as_ransom() -> None:
    state = position(leaders={prison(0): [FOE], prison(1): [G]}, talents=[60, 60])
    assert refused(state, 0, a.Offer(1, pays=10)) == "MB-D09"
    assert refused(state, 0, a.Offer(1, pays=10, gives=(FOE,))) == "MB-D09"
    assert refused(state, 0, a.Offer(1, wants=10, takes=(G,))) == "MB-D09"
    assert refused(state, 0, a.Offer(1, pays=5, wants=5, gives=(FOE,), takes=(G,))) == "MB-GEN-04"
    assert refused(state, 0, a.Offer(1, wants=61, gives=(FOE,))) == "MB-GEN-04"
    assert refused(state, 0, a.Offer(0, gives=(FOE,))) == "MB-GEN-02"
    assert refused(state, 0, a.Offer(1, gives=(G,))) == "MB-GEN-02"
    assert legal(state, 0, a.Offer(1, gives=(FOE,)))


@pytest.mark.rule("MB-D33")
def test_prisoners_stay_prisoners_when_the_captors_home_falls() -> None:
    state = attack("egyptus", leaders={"syria": [caesar(1)], prison(1): [G2]})
    win(state, "egyptus")
    assert where(state, G2) == "prison 1"


# --- Caesars ---


@pytest.mark.rule("MB-CAESAR-01", "MB-CAESAR-02", "MB-CAESAR-03", "MB-CAESAR-04")
def test_the_captor_of_a_caesar_gets_everything_and_a_hundred_talents() -> None:
    state = attack(
        seats=3,
        leaders={"dalmatia": [G, FOE, caesar(1)], "syria": [FOE2], aboard(galley(1)): [general(1, 3)]},
        units={"syria": {1: (2, 1, 0)}},
        owners={"syria": 1, "cilicia": 1},
        built={"egyptus": 2, "cilicia": 1},
        galleys={galley(1): "mare_pelusium", galley(1, 1): "egyptus"},
        cargo={galley(1): (0, 2, 0)},
        talents=[10, 70, 5],
    )
    mine, theirs = state.marker[0], state.marker[1]
    happened = win(state)
    assert of(happened, Eliminated) == [Eliminated(1, 0)]  # type: ignore[arg-type]
    assert of(happened, Rewarded) == [Rewarded(0, 100)]  # type: ignore[arg-type]
    assert state.marker == [mine + theirs, 0, 10]
    assert state.talents == [10 + 70 + 100 + state.marker[0], 0, 5]
    assert 1 not in state.owner
    assert army(state, "syria", 0) == (2, 1, 0) and army(state, "syria", 1) == (0, 0, 0)
    assert state.lord == [0, 0, 2]
    assert owner(state, "egyptus") == owner(state, "cilicia") == 0
    assert refused(state, 1, a.Concede(0)) == "MB-CAESAR-01"


@pytest.mark.rule("MB-CAESAR-05")
def test_the_captor_moves_the_taken_pieces_as_their_own() -> None:
    state = position(
        3,
        lords={1: 0},
        units={"syria": {0: (2, 0, 0)}},
        owners={"syria": 0},
        leaders={"syria": [FOE], aboard(galley(1)): [FOE2]},
        galleys={galley(1): "mare_pelusium"},
    )
    play(state, (0, march("syria", "palestina", FOE, 2)))
    assert army(state, "palestina", 0) == (2, 0, 0) and owner(state, "palestina") == 0
    play(state, (0, sail(galley(1), "egyptus")))
    assert where(state, FOE2) == "egyptus"


@pytest.mark.rule("MB-CAESAR-06", "MB-D39")
def test_no_galleys_of_a_captured_colour_are_built() -> None:
    state = position(
        3,
        lords={1: 0},
        galleys={galley(1, k): "egyptus" for k in range(4)} | {galley(0, k): "macedonia:west" for k in range(5)},
        owners={"egyptus": 0},
        leaders={prison(2): [FOE]},
        phase="purchase",
        talents=[400, 0, 0],
    )
    assert supply(state, 0)[3] == 1
    assert refused(state, 0, Buy(galleys=2)) == "MB-COMP-07"
    play(state, (0, Buy(galleys=1)), (0, a.PlaceGalley(coast("macedonia:east"))))
    assert state.galley_at[galley(0, 5)] == coast("macedonia:east")
    assert state.galley_at[galley(1, 4) : galley(1, 5) + 1] == [OFF, OFF]
    assert where(state, FOE2) == "off"


@pytest.mark.rule("MB-CAESAR-07")
def test_a_captured_caesar_never_acts_and_is_never_free() -> None:
    state = position(3, lords={1: 0}, leaders={prison(2): [G]}, talents=[50, 0, 50])
    assert where(state, caesar(1)) == "prison 0"
    assert refused(state, 0, march("macedonia", "thracia", caesar(1))) == "MB-LEAD-03"
    assert refused(state, 0, a.Offer(2, gives=(caesar(1),), wants=5)) == "MB-GEN-02"
    assert refused(state, 0, Execute((caesar(1),))) == "MB-GEN-01"


@pytest.mark.rule("MB-CAESAR-08")
def test_new_units_appear_only_in_the_own_home() -> None:
    state = position(3, lords={1: 0}, owners={"egyptus": 0}, built={"egyptus": 1}, phase="purchase", talents=[40, 0, 0])
    play(state, (0, Buy(infantry=4)))
    assert army(state, "macedonia", 0) == (4, 0, 0) and army(state, "egyptus", 0) == (0, 0, 0)
    fleet = position(3, lords={1: 0}, owners={"egyptus": 0}, phase="purchase", talents=[40, 0, 0])
    play(fleet, (0, Buy(galleys=1)))
    assert refused(fleet, 0, a.PlaceGalley(sp("egyptus"))) == "MB-PLACE-02"


@pytest.mark.rule("MB-D34")
def test_prisoners_pass_on_and_the_captors_own_generals_are_free() -> None:
    state = attack(seats=3, leaders={"dalmatia": [G, caesar(1)], prison(1): [G2, general(2)], prison(0): [FOE]})
    win(state)
    assert where(state, G2) == "italia"
    assert where(state, general(2)) == "prison 0"
    assert where(state, FOE) == "italia"
    assert where(state, caesar(1)) == "prison 0"


@pytest.mark.rule("MB-D34")
@pytest.mark.parametrize(("amendments", "place"), [(0, "italia"), (1, "dalmatia")])
def test_generals_captured_with_their_caesar_serve_the_captor_where_they_stand(amendments: int, place: str) -> None:
    """Before the amendment they were put into the captor's home."""
    state = attack(seats=3, amendments=amendments, leaders={"dalmatia": [G, caesar(1), FOE], prison(0): [FOE2]})
    win(state)
    assert where(state, FOE) == place and where(state, FOE2) == "italia"
    assert state.lord[FOE // 7] == 0
    assert not isinstance(top(state), Captives)


@pytest.mark.rule("MB-D35")
def test_generals_of_an_eliminated_player_stay_with_a_third_party_and_may_be_ransomed() -> None:
    state = attack(seats=3, leaders={"dalmatia": [G, caesar(1)], prison(2): [FOE]}, talents=[50, 0, 0])
    win(state)
    assert where(state, FOE) == "prison 2"
    play(state, (0, a.Offer(2, pays=50, takes=(FOE,))), (2, a.Answer(True)))
    assert where(state, FOE) == "italia"


@pytest.mark.rule("MB-D38")
def test_battles_against_a_captured_player_are_void() -> None:
    state = attack(
        seats=3,
        leaders={"dalmatia": [G, caesar(1)], "rhaetia": [G2, FOE], "noricum": [general(0, 3), general(2)]},
        units={
            "rhaetia": {0: (1, 0, 0), 1: (1, 0, 0)},
            "noricum": {0: (2, 0, 0), 2: (1, 0, 0)},
        },
        owners={"rhaetia": 1, "noricum": 2},
    )
    win(state)
    assert army(state, "rhaetia", 0) == (2, 0, 0) and owner(state, "rhaetia") == 0
    assert [action for action in options(state, 0) if isinstance(action, a.Fight)] == [a.Fight(sp("noricum"), 2)]


@pytest.mark.rule("MB-D38", "MB-D42")
def test_the_captor_of_the_active_caesar_fights_the_battles_then_the_turn_ends() -> None:
    state = attack(
        seats=3,
        leaders={"dalmatia": [caesar(0), FOE], "rhaetia": [G2, general(1, 3)], "noricum": [general(0, 3), general(2)],
                 "pannonia": [general(0, 4), general(1, 4)], prison(0): [general(2, 2)]},
        units={
            "rhaetia": {0: (1, 0, 0), 1: (1, 0, 0)},
            "noricum": {0: (2, 0, 0), 2: (1, 0, 0)},
            "pannonia": {0: (2, 0, 0)},
        },
        owners={"rhaetia": 1, "noricum": 2, "pannonia": 2},
        talents=[20, 10, 0],
    )  # fmt: skip
    play(state, (2, Propose(0, takes=(general(2, 2),))))
    lose(state)
    assert state.proposals == [(), (), ()], "nobody is there to take it up"
    assert state.lord == [1, 1, 2] and state.talents == [0, 10 + 20 + 100, 0]
    assert isinstance(top(state), Combat) and owed(state) == (1,)
    assert options(state, 1) == [a.Fight(sp("noricum"), 2)]
    assert refused(state, 1, a.Judge((FOE,))) == "MB-TURN-01"
    assert army(state, "rhaetia", 1) == (2, 0, 0)
    assert owner(state, "pannonia") == 1
    play(state, (1, a.Fight(sp("noricum"), 2)), "1", "1")
    assert owed(state) == (1,)
    assert options(state, 1) == [a.Stand(), *[a.Retreat(sp(key)) for key in ("italia", "pannonia", "rhaetia")]]
    happened = play(state, (1, a.Stand()), "4", (1, a.Judge(())))
    assert owner(state, "noricum") == 1
    assert not of(happened, Tribute)
    assert owed(state) in ((1,), (2,)) and isinstance(top(state), Movement)


@pytest.mark.rule("MB-CAESAR-02", "MB-CAESAR-03", "MB-CAESAR-04")
@pytest.mark.parametrize("whole", [True, False])
def test_by_a_house_rule_the_captor_gets_only_what_stands_where_the_caesar_fell(whole: bool) -> None:
    ship, far = galley(1), galley(1, 1)
    state = attack(
        seats=3,
        options={"captured_caesar": int(not whole)},
        units={"creta": {1: (2, 0, 0)}},
        leaders={"dalmatia": [G, caesar(1), FOE], "creta": [FOE2], prison(0): [general(1, 3)],
                 prison(1): [G2, general(2)], prison(2): [general(1, 4)]},
        owners={"creta": 1, "syria": 1, "palestina": 1},
        built={"syria": 1, "palestina": 1},
        roads=[("syria", "palestina")],
        galleys={ship: "dalmatia", far: "mare_alexandria"},
        talents=[10, 20, 0],
    )  # fmt: skip
    before = state.marker[0]
    happened = play(state, (0, a.Fight(DALMATIA, 1)), "6")
    assert of(happened, Eliminated) == [Eliminated(1, 0 if whole else NONE)]
    assert state.lord == [0, 0, 2] and owner(state, "dalmatia") == 0
    assert state.talents[0] - of(happened, Tribute)[0].talents == 10 + 100 + 20 * whole
    assert (where(state, FOE), where(state, general(1, 3)), where(state, G2)) == ("dalmatia", "italia", "italia")
    assert state.galley_at[ship] == coast("dalmatia")
    kept = {"creta", "syria", "palestina", "egyptus"}
    assert {owner(state, key) for key in kept} == {0 if whole else NONE}
    assert army(state, "creta", 0) == ((2, 0, 0) if whole else (0, 0, 0))
    assert (state.galley_at[far] == OFF, bool(state.roads)) == (not whole, whole)
    assert state.built[sp("syria")] == 1, "cities stay, as when a player resigns"
    assert where(state, FOE2) == ("creta" if whole else "off")
    assert where(state, general(1, 4)) == ("prison 2" if whole else "off")
    assert where(state, general(2)) == ("prison 0" if whole else "hispania")
    assert state.marker[1] == 0 and (state.marker[0] - before > BOARD.tribute[sp("dalmatia")]) == whole
    assert not isinstance(top(state), Captives)


@pytest.mark.rule("MB-CAESAR-02", "MB-D41")
def test_by_the_house_rule_nothing_stands_where_a_caesar_drowned() -> None:
    ships = {galley(0): "mare_alexandria", galley(0, 1): "mare_alexandria", galley(1): "mare_alexandria"}
    state = attack(
        seats=3, options={"captured_caesar": 1}, galleys=ships, leaders={aboard(galley(1)): [caesar(1), FOE2]},
    )  # fmt: skip
    play(state, (0, a.Fight(sp("mare_alexandria"), 1)), "6")
    assert state.lord == [0, 0, 2] and where(state, FOE2) == "italia" and where(state, FOE) == "off"
    assert army(state, "dalmatia", 1) == (0, 0, 0) and owner(state, "dalmatia") == 0


@pytest.mark.rule("MB-D43")
def test_a_player_with_nothing_but_a_caesar_plays_on() -> None:
    state = position(leaders={"creta": [caesar(0)]}, owners={"egyptus": 1})
    assert owed(state) == (0,) and legal(state, 0, a.EndMovement())
    end_turn(state, 0)
    assert state.winner == NONE and owed(state) == (1,)


# --- the end ---


@pytest.mark.rule("MB-END-01")
def test_the_last_caesar_wins() -> None:
    state = attack(leaders={"dalmatia": [G, caesar(1)]})
    happened = win(state)
    assert of(happened, Won) == [Won(0, Why.LAST_CAESAR)]  # type: ignore[arg-type]
    assert MB1984.winner(state) == 0 and MB1984.finished(state) and owed(state) == ()
    assert [place.score for place in MB1984.standings(state)][1] == "eliminated"


@pytest.mark.rule("MB-END-02", "MB-D50")
def test_all_others_may_concede() -> None:
    state = position(3)
    play(state, (1, a.Concede(0)))
    assert state.winner == NONE
    play(state, (1, a.Concede(NONE)), (2, a.Concede(0)))
    assert state.winner == NONE
    assert refused(state, 1, a.Concede(1)) == "MB-END-02"
    assert refused(state, 1, a.Concede(5)) == "MB-END-02"
    happened = play(state, (1, a.Concede(0)))
    assert of(happened, Won) == [Won(0, Why.CONCEDED)]


@pytest.mark.rule("MB-D50")
def test_resigning_where_the_table_allows_it() -> None:
    assert refused(position(3), 1, a.Resign()) == "MB-D50"
    state = position(
        3,
        options={"resign": 1},
        owners={"sicilia": 1, "creta": 1},
        built={"sicilia": 1},
        units={"creta": {1: (2, 0, 0)}},
        leaders={"creta": [FOE], prison(1): [G], prison(0): [FOE2]},
        galleys={galley(1): "creta"},
        talents=[0, 40, 0],
    )
    marker = state.marker[0]
    happened = play(state, (1, a.Resign()))
    assert of(happened, Eliminated) == [Eliminated(1, NONE)]
    assert owner(state, "sicilia") == owner(state, "creta") == NONE
    assert state.units[sp("creta")] == () and state.galley_at[galley(1)] == OFF
    assert where(state, G) == "macedonia" and where(state, FOE2) == "off"
    assert state.talents == [0, 0, 0] and state.marker[0] == marker
    play(state, (0, a.Resign()))
    assert state.winner == 2


@pytest.mark.rule("MB-D50", "MB-D05")
def test_units_that_met_a_resigning_player_hold_the_ground() -> None:
    state = position(
        3, homes=("italia", "egyptus", "hispania"), options={"resign": 1}, owners={"rhaetia": 1},
        units={"italia": {0: (2, 0, 0)}, "rhaetia": {1: (1, 0, 0)}},
        leaders={"italia": [G, G2], "rhaetia": [FOE], "noricum": [FOE2]},
    )  # fmt: skip
    play(state, (0, march("italia", "rhaetia", G, 1)), (0, march("italia", "noricum", G2, 1)), (1, a.Resign()))
    assert owner(state, "rhaetia") == owner(state, "noricum") == NONE
    play(state, (0, a.EndMovement()))
    assert owner(state, "rhaetia") == owner(state, "noricum") == 0
    assert not isinstance(top(state), Combat)


@pytest.mark.rule("MB-D50")
def test_resigning_in_the_combat_action_of_another() -> None:
    state = attack(
        seats=3,
        options={"resign": 1},
        leaders={"rhaetia": [G2, general(2)]},
        units={"rhaetia": {0: (1, 0, 0), 2: (1, 0, 0)}},
        owners={"rhaetia": 2},
    )
    play(state, (1, a.Resign()))
    assert owner(state, "dalmatia") == 0
    assert options(state, 0) == [a.Fight(sp("rhaetia"), 2)]
    play(state, (0, a.Fight(sp("rhaetia"), 2)))
    assert refused(state, 2, a.Resign()) == "MB-D50"
    assert legal(state, 2, a.Concede(0))


def test_an_elimination_may_complete_an_agreement() -> None:
    state = attack(seats=3, leaders={"dalmatia": [G, caesar(1)]})
    play(state, (2, a.Concede(0)))
    happened = win(state)
    assert of(happened, Won) == [Won(0, Why.CONCEDED)]  # type: ignore[arg-type]


@pytest.mark.rule("MB-ALLY-01")
def test_alliances_are_only_words() -> None:
    names = {kind.__name__ for kind in get_args(MB1984.action_decoder.type)}
    assert not {name for name in names if "lly" in name or "lliance" in name}


def _break(state: State, what: str) -> None:
    """Break one thing in the position, outside of movement and combat, where armies do not meet."""
    match what:
        case "markers":
            state.marker[0] += 5
        case "too few leaders":
            state.units[sp("creta")] = (0, 9, 0, 0)
        case "bad armies":
            state.units[sp("egyptus")] = (0, 1, 0, 0, 1, 1, 0, 0)
        case "which is out, has an army":
            state.lord[2] = 0
            state.units[sp("hispania")] = (2, 1, 0, 0)
        case "and does not own it":
            state.units[sp("creta")] = (0, 1, 0, 0)
            state.leader_at[G] = sp("creta")
        case "more than there are pieces":
            state.units[sp("italia")] = (0, 61, 0, 0)
        case "the Caesar of seat 0 is at":
            state.leader_at[caesar(0)] = OFF
        case "is a prisoner of seat 1":
            state.leader_at[FOE2] = prison(1)
        case "which cannot carry it":
            state.leader_at[G] = aboard(galley(0))
        case "leader 7 is at 50":
            state.leader_at[caesar(1)] = 50
        case "carries":
            state.cargo[galley(0)] = (1, 0, 0)
        case "has no owner":
            state.lord[2] = NONE
            state.galley_at[galley(2)] = sp("mare_narbo")
        case "lies on the enemy coast":
            state.galley_at[galley(0)] = sp("egyptus")
        case "share a sea zone":
            state.galley_at[galley(0)] = state.galley_at[galley(1)] = sp("mare_narbo")
        case "negative":
            state.talents[0] = -1
        case "does not join two cities of one player":
            state.roads = [BOARD.edge_index[min(ends), max(ends)] for ends in [(sp("italia"), sp("rhaetia"))]]


@pytest.mark.parametrize(
    "what",
    [
        "markers", "too few leaders", "bad armies", "which is out, has an army", "and does not own it",
        "more than there are pieces", "the Caesar of seat 0 is at", "is a prisoner of seat 1", "which cannot carry it",
        "leader 7 is at 50", "carries", "has no owner", "lies on the enemy coast", "share a sea zone", "negative",
        "does not join two cities of one player",
    ],
)  # fmt: skip
def test_a_broken_position_is_reported(what: str) -> None:
    state = position(3, homes=("italia", "egyptus", "hispania"), phase="purchase", talents=[100, 0, 0])
    assert MB1984.invariants(state) == []
    _break(state, what)
    assert what in " ".join(MB1984.invariants(state))


@pytest.mark.rule("MB-D50", "MB-D37")
def test_a_general_freed_because_the_captor_left_moves_from_the_next_turn_on() -> None:
    state = position(3, options={"resign": 1}, leaders={prison(1): [G]})
    home = BOARD.keys[state.home[0]]
    play(state, (1, a.Resign()))
    assert where(state, G) == home
    beside = BOARD.keys[BOARD.land[sp(home)][0]]
    assert refused(state, 0, march(home, beside, G)) == "MB-GEN-04"
    end_turn(state, 0)
    end_turn(state, 2)
    assert legal(state, 0, march(home, beside, G))
