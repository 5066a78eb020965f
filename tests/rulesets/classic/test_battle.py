"""Phase 2 on land: battle legions, dice, losses, retreat, pursuit, conquest."""

import pytest

from shared.ids import NATURE, NONE, Army
from shared.kernel.frames import Dice
from shared.rulesets.classic.actions import EndCombat, Form, Lose, Withdraw
from shared.rulesets.classic.frames import Battle, Casualties, Combat, Formation, Pursuit, Withdrawal
from shared.rulesets.classic.table import State
from shared.vocabulary.actions import EndMovement, Fight, Judge, Retreat, Stand
from shared.vocabulary.events import BattleEnded, Captured, Conquered, DiceFell, Fell, Retreated
from shared.vocabulary.frames import Onward
from tests.support.layout import army, owner, sp, where
from tests.support.position import caesar, faces, galley, general, legal, march, options, owed, play, position, refused
from tests.support.referee import of, top

G, G2 = general(0), general(0, 2)
H, H2 = general(1), general(1, 2)
FIELD = "narbonensis"


def battle(mine: Army, theirs: Army, present: tuple[int, ...] = (G,), place: str = FIELD, **more: object) -> State:
    """Return a battle begun by seat 0 (Italia) against seat 1 (Hispania) in a province of seat 1."""
    settings: dict[str, object] = {
        "homes": ("italia", "hispania"),
        "units": {place: {0: mine, 1: theirs}, **more.pop("others", {})},  # type: ignore[dict-item]
        "leaders": {place: list(present)},
        "owners": {place: 1},
        "phase": "combat",
    }
    state = position(2, **{**settings, **more})  # type: ignore[arg-type]
    play(state, (0, Fight(sp(place), 1)))
    return state


def dice(state: State) -> int:
    """Return the number of dice that are rolled now."""
    frame = top(state)
    assert isinstance(frame, Dice), frame
    return frame.count


# --- which battles ---


@pytest.mark.rule("CL-BATTLE-01")
def test_battles_are_fought_in_the_order_that_the_attacker_likes() -> None:
    state = position(
        3,
        homes=("italia", "hispania", "macedonia"),
        units={
            "italia": {0: (2, 0, 0)},
            "narbonensis": {1: (1, 0, 0)},
            "dalmatia": {2: (1, 0, 0)},
        },
        leaders={"italia": [G, G2]},
        owners={"narbonensis": 1, "dalmatia": 2},
    )
    play(state, (0, march("italia", "narbonensis", G, 1)), (0, march("italia", "dalmatia", G2, 1)))
    play(state, (0, EndMovement()))
    both = [Fight(sp("dalmatia"), 2), Fight(sp("narbonensis"), 1)]
    assert options(state, 0) == both
    assert refused(state, 0, EndCombat()) == "CL-BATTLE-01", "they must be fought"
    assert refused(state, 0, Fight(sp("narbonensis"), 2)) == "CL-BATTLE-01"
    assert refused(state, 0, Fight(sp("rhaetia"), 1)) == "CL-BATTLE-01"
    assert refused(state, 0, Fight(-1, -1)) == "CL-BATTLE-01"
    assert refused(state, 1, both[0]) == ""
    play(state, (0, both[1]), "i", ".")
    assert options(state, 0) == [both[0]]


@pytest.mark.rule("CL-BATTLE-01")
def test_without_a_meeting_there_is_no_battle() -> None:
    state = position(homes=("italia", "hispania"), units={"italia": {0: (2, 0, 0)}}, leaders={"italia": [G]})
    play(state, (0, march("italia", "narbonensis", G, 2)), (0, EndMovement()))
    assert not isinstance(top(state), Combat)
    assert owner(state, "narbonensis") == 0


# --- step 1 ---


@pytest.mark.rule("CL-BATTLE-02", "CL-D12")
@pytest.mark.parametrize(
    ("mine", "leaders", "size"),
    [
        ((9, 3, 0), (), 5),
        ((9, 3, 0), (G,), 6),
        ((9, 3, 0), (G, G2, caesar(0)), 8),
        ((9, 3, 0), (G, H), 6),
        ((2, 1, 0), (G, G2), 3),
    ],
)
def test_a_battle_legion_is_five_and_one_for_each_leader(mine: Army, leaders: tuple[int, ...], size: int) -> None:
    state = battle(mine, (1, 0, 0), leaders)
    if size == sum(mine):
        assert dice(state) == size, "everybody fights: there is nothing to choose"
        return
    frame = top(state)
    assert isinstance(frame, Formation)
    assert (frame.seat, frame.size) == (0, size)
    assert refused(state, 0, Form(size - 1, 0, 0)) == "CL-BATTLE-02", "as large as possible"
    assert refused(state, 0, Form(size + 1, 0, 0)) == "CL-BATTLE-02"
    assert refused(state, 0, Form(size - 4, 4, 0)) == "CL-BATTLE-02", "only three horsemen are there"
    play(state, (0, Form(size - 3, 3, 0)))
    assert dice(state) == size


@pytest.mark.rule("CL-BATTLE-02", "CL-D12")
def test_the_mix_is_free() -> None:
    state = battle((3, 3, 3), (1, 0, 0), ())
    legal_forms = {(i, h, c) for i in range(5) for h in range(5) for c in range(5) if legal(state, 0, Form(i, h, c))}
    assert legal_forms == {(i, h, 5 - i - h) for i in range(4) for h in range(4) if 0 <= 5 - i - h <= 3}
    assert {(f.infantry, f.cavalry, f.catapults) for f in options(state, 0) if isinstance(f, Form)} == legal_forms


@pytest.mark.rule("CL-BATTLE-02")
def test_the_defender_forms_first_and_anew_every_round() -> None:
    state = battle((6, 2, 0), (5, 2, 0), ())
    assert owed(state) == (1,)
    assert refused(state, 0, Form(5, 0, 0)) == ""
    assert refused(state, 1, Stand()) == "CL-BATTLE-02"
    play(state, (1, Form(5, 0, 0)))
    assert owed(state) == (0,)
    play(state, (0, Form(5, 0, 0)), ".....", ".....", (1, Stand()), (0, Stand()))
    assert isinstance(top(state), Formation)
    assert owed(state) == (1,)
    play(state, (1, Form(3, 2, 0)))
    assert owed(state) == (0,)


@pytest.mark.rule("CL-BATTLE-03")
def test_galleys_take_no_part_in_land_battles() -> None:
    state = battle((2, 0, 0), (2, 0, 0), galleys={galley(0): FIELD, galley(1): FIELD})
    assert dice(state) == 2
    events = play(state, "gg", "gg")
    assert [event.hits for event in of(events, DiceFell)] == [0, 0]


# --- step 2 ---


@pytest.mark.rule("CL-BATTLE-04", "CL-BATTLE-07")
def test_each_unit_of_the_battle_legion_rolls_a_die() -> None:
    state = battle((3, 1, 1), (2, 2, 0), ())
    assert owed(state) == (NATURE,)
    assert dice(state) == 5, "the attacker rolls first"
    play(state, "iii..", (1, Lose(2, 1, 0)))
    assert dice(state) == 4, "those laid down still fire"
    assert army(state, FIELD, 1) == (2, 2, 0), "nobody is removed before both have rolled"
    play(state, "...c")
    play(state, (0, Lose(0, 1, 0)))
    assert army(state, FIELD, 1) == (0, 1, 0)
    assert army(state, FIELD, 0) == (3, 0, 1)


@pytest.mark.rule("CL-BATTLE-04")
def test_a_roll_has_the_right_number_of_dice() -> None:
    state = battle((3, 0, 0), (1, 0, 0))
    assert refused(state, NATURE, faces("ii")) == ""
    assert refused(state, NATURE, faces("iiii")) == ""
    assert refused(state, NATURE, Stand()) == ""
    assert refused(state, 0, faces("iii")) == ""


@pytest.mark.rule("CL-BATTLE-05", "CL-BATTLE-EX0")
def test_jack_attacks() -> None:
    state = battle((3, 1, 1), (9, 0, 0))
    events = play(state, "icck.")
    assert of(events, DiceFell)[0].hits == 3


@pytest.mark.rule("CL-BATTLE-05")
def test_a_face_hits_only_with_a_unit_of_its_kind() -> None:
    for roll, hits in (("iiii", 1), ("cccc", 2), ("kkkk", 1), ("gg..", 0), ("icck", 4)):
        events = play(battle((1, 2, 1), (9, 0, 0)), roll)
        assert of(events, DiceFell)[0].hits == hits


@pytest.mark.rule("CL-BATTLE-06", "CL-D11")
def test_catapults_in_reserve_match_too() -> None:
    state = battle((5, 0, 3), (9, 0, 0), ())
    play(state, (0, Form(4, 0, 1)))
    assert of(play(state, "kkkk."), DiceFell)[0].hits == 3
    cavalry = battle((5, 3, 0), (9, 0, 0), ())
    play(cavalry, (0, Form(5, 0, 0)))
    assert of(play(cavalry, "cccc."), DiceFell)[0].hits == 0, "horsemen in reserve do not"


@pytest.mark.rule("CL-BATTLE-06", "CL-D11")
def test_the_defenders_catapults_in_reserve_match_too() -> None:
    state = battle((9, 0, 0), (5, 0, 2), ())
    play(state, (1, Form(5, 0, 0)), ".....")
    assert of(play(state, "kkk.."), DiceFell)[0].hits == 2


@pytest.mark.rule("CL-BATTLE-07")
def test_each_side_chooses_its_own_losses() -> None:
    state = battle((3, 2, 0), (2, 2, 0), ())
    play(state, "ic...")
    assert owed(state) == (1,)
    assert refused(state, 1, Lose(1, 0, 0)) == "CL-BATTLE-07"
    assert refused(state, 1, Lose(2, 1, 0)) == "CL-BATTLE-07"
    assert refused(state, 1, Stand()) == "CL-BATTLE-07"
    assert refused(state, 0, Lose(1, 1, 0)) == ""
    play(state, (1, Lose(0, 2, 0)), "ii..")
    assert owed(state) == (0,)
    events = play(state, (0, Lose(2, 0, 0)))
    assert {(event.seat, event.army) for event in of(events, Fell)} == {(0, (2, 0, 0)), (1, (0, 2, 0))}


@pytest.mark.rule("CL-BATTLE-08", "CL-D10")
def test_the_reserve_cannot_be_hit() -> None:
    state = battle((9, 0, 0), (2, 5, 0), (G, G2))
    play(state, (1, Form(2, 3, 0)))
    assert dice(state) == 7
    play(state, "iiii...")
    assert refused(state, 1, Lose(0, 4, 0)) == "CL-BATTLE-08"
    assert legal(state, 1, Lose(1, 3, 0))


@pytest.mark.rule("CL-BATTLE-08", "CL-BATTLE-10", "CL-D10")
def test_surplus_hits_are_lost_and_the_reserve_fights_on() -> None:
    state = battle((9, 0, 0), (6, 0, 0), (G, G2))
    events = play(state, "iiiiiii", ".....")
    assert of(events, DiceFell)[0].hits == 5, "seven faces, five in the battle legion"
    assert army(state, FIELD, 1) == (1, 0, 0)
    assert isinstance(top(state), Onward), "a wiped-out battle legion is not the end"
    play(state, (1, Stand()), (0, Stand()), ".......")
    assert dice(state) == 1


@pytest.mark.rule("CL-H08", "CL-BATTLE-09")
@pytest.mark.parametrize(
    ("built", "owner_", "mine", "count"),
    [
        (0, 1, (3, 0, 0), 2),
        (1, 1, (3, 0, 0), 2),
        (2, 1, (3, 0, 0), 4),
        (2, 1, (3, 0, 1), 3),
        (2, 0, (3, 0, 0), 2),
        (2, NONE, (3, 0, 0), 2),
    ],
)
def test_walls_give_the_defender_two_dice_and_one_against_catapults(
    built: int, owner_: int, mine: Army, count: int
) -> None:
    state = battle(mine, (2, 0, 0), (), owners={FIELD: owner_}, built={FIELD: built})
    play(state, "." * sum(mine))
    assert dice(state) == count


@pytest.mark.rule("CL-BATTLE-09", "CL-D09")
def test_a_catapult_in_reserve_or_shot_in_this_round_still_breaks_the_wall() -> None:
    state = battle((5, 0, 1), (2, 0, 0), (), built={FIELD: 2})
    play(state, (0, Form(5, 0, 0)), ".....")
    assert dice(state) == 3, "it is in reserve"
    shot = battle((1, 0, 1), (9, 0, 0), (), built={FIELD: 2})
    play(shot, "..")
    assert dice(shot) == 6
    play(shot, "i.....", (0, Lose(0, 0, 1)), (1, Stand()), (0, Stand()), ".")
    assert dice(shot) == 7, "without it the wall counts in full"


@pytest.mark.rule("CL-D08", "CL-BATTLE-09")
def test_the_walls_dice_need_units_to_match() -> None:
    state = battle((9, 0, 0), (1, 0, 0), (), built={FIELD: 2})
    events = play(state, ".....", "iii")
    assert [event.hits for event in of(events, DiceFell)] == [0, 1]


# --- step 3 ---


@pytest.mark.rule("CL-BATTLE-10", "CL-D13")
def test_the_defender_decides_first() -> None:
    state = battle((3, 0, 0), (3, 0, 0))
    play(state, "...", "...")
    assert owed(state) == (1,)
    assert refused(state, 0, Stand()) == ""
    assert refused(state, 1, Lose(0, 0, 0)) == "CL-BATTLE-10"
    play(state, (1, Stand()))
    assert owed(state) == (0,)
    play(state, (0, Stand()))
    assert dice(state) == 3, "another round"


@pytest.mark.rule("CL-D13")
def test_a_defender_who_retreats_spares_the_attacker_the_question() -> None:
    state = battle((3, 0, 0), (3, 0, 0))
    events = play(state, "...", "...", (1, Retreat(sp("aquitania"))))
    assert of(events, BattleEnded)[0].winner == 0
    assert owner(state, FIELD) == 0
    assert not isinstance(top(state), Onward)


@pytest.mark.rule("CL-BATTLE-10", "CL-LEAD-04")
def test_the_battle_ends_when_one_side_has_no_units() -> None:
    lost = battle((1, 0, 0), (2, 0, 0), (G, H))
    events = play(lost, ".", "i.")
    assert of(events, BattleEnded)[0].winner == 1
    assert owner(lost, FIELD) == 1
    assert owed(lost) == (1,), "the defender judges the captured general"
    assert [event.leaders for event in of(events, Captured)] == [(G,)]
    won = battle((1, 0, 0), (1, 0, 0), (G, H))
    events = play(won, "i", ".")
    assert of(events, BattleEnded)[0].winner == 0
    assert [event.leaders for event in of(events, Captured)] == [(H,)]


@pytest.mark.rule("CL-D01", "CL-BATTLE-10")
def test_both_sides_fall_in_one_round() -> None:
    """The defender keeps the province and the leaders there; the attacker's leaders must leave."""
    state = battle((1, 0, 0), (1, 0, 0), (G, H))
    events = play(state, "i", "i")
    assert of(events, BattleEnded)[0].winner == 1
    assert owner(state, FIELD) == 1
    assert isinstance(top(state), Withdrawal)
    assert owed(state) == (0,)
    assert refused(state, 0, Stand()) == "CL-D01"
    assert refused(state, 0, Withdraw(NONE)) == "CL-D01"
    assert refused(state, 0, Withdraw(sp("sicilia"))) == "CL-D06"
    assert refused(state, 0, Withdraw(sp(FIELD))) == "CL-D06"
    play(state, (0, Withdraw(sp("aquitania"))))
    assert where(state, G) == "aquitania"
    assert where(state, H) == FIELD
    assert not of(events, Captured)


@pytest.mark.rule("CL-D01")
def test_both_sides_fall_and_no_way_out() -> None:
    around = {key: {1: (1, 0, 0)} for key in ("baetica", "caesariensis")}
    state = battle((1, 0, 0), (1, 0, 0), (G,), "tingitana", others=around)
    play(state, "i", "i")
    assert options(state, 0) == [Withdraw(NONE)]
    play(state, (0, Withdraw(NONE)))
    assert where(state, G) == "prison 1"
    assert owed(state) == (1,)


@pytest.mark.rule("CL-D01")
def test_both_sides_fall_without_leaders() -> None:
    state = battle((1, 0, 0), (1, 0, 0), ())
    play(state, "i", "i")
    assert owner(state, FIELD) == 1
    assert not isinstance(top(state), Withdrawal)


# --- retreat and pursuit ---


@pytest.mark.rule("CL-RETREAT-01", "CL-D06")
def test_retreat_targets() -> None:
    """Any adjacent province by land or strait, of any owner, without another player's units."""
    state = battle(
        (3, 0, 0),
        (3, 0, 0),
        (G, H),
        "baetica",
        others={"lusitania": {0: (1, 0, 0)}},
        owners={"baetica": 1, "tingitana": 0},
        galleys={galley(1): "baetica"},
    )
    play(state, "...", "...")
    targets = {action.to for action in options(state, 1) if isinstance(action, Retreat)}
    assert targets == {sp("hispania"), sp("tingitana")}, "Lusitania holds an enemy; Tingitana lies over the strait"
    assert refused(state, 1, Retreat(sp("lusitania"))) == "CL-RETREAT-01"
    assert refused(state, 1, Retreat(sp("mare_hispalis"))) == "CL-D06"
    assert refused(state, 1, Retreat(sp("italia"))) == "CL-D06"
    assert refused(state, 1, Retreat(NONE)) == "CL-D05"
    play(state, (1, Retreat(sp("tingitana"))))
    assert army(state, "tingitana", 1) == (3, 0, 0)
    assert where(state, H) == "tingitana", "leaders go with the units"
    assert owner(state, "tingitana") == 0


@pytest.mark.rule("CL-RETREAT-01")
def test_the_whole_side_goes_to_one_province() -> None:
    state = battle((9, 3, 0), (3, 0, 0), (G, G2), others={"italia": {0: (1, 0, 0)}})
    play(state, (0, Form(7, 0, 0)), ".......", "...", (1, Stand()))
    events = play(state, (0, Retreat(sp("italia"))))
    assert army(state, "italia", 0) == (10, 3, 0), "the reserve too, and it joins those that stand there"
    assert of(events, Retreated)[0].leaders == (G, G2)
    assert where(state, G) == where(state, G2) == "italia"


@pytest.mark.rule("CL-D05", "CL-RETREAT-01")
def test_the_surrounded_may_retreat_into_ruin() -> None:
    around = {key: {0: (1, 0, 0)} for key in ("baetica", "caesariensis")}
    state = battle((3, 2, 0), (3, 0, 0), (H,), "tingitana", others=around)
    play(state, ".....", "...")
    assert options(state, 1) == [Stand(), Retreat(NONE)]
    events = play(state, (1, Retreat(NONE)))
    assert not of(events, DiceFell), "no pursuit"
    assert army(state, "tingitana", 1) == (0, 0, 0)
    assert where(state, H) == "prison 0"
    assert owner(state, "tingitana") == 0


@pytest.mark.rule("CL-D05")
def test_an_attacker_on_an_island_has_no_way_back_but_may_give_up() -> None:
    state = battle((3, 0, 0), (3, 0, 0), (G,), "creta", galleys={galley(0): "creta"})
    play(state, "...", "...", (1, Stand()))
    assert options(state, 0) == [Stand(), Retreat(NONE)]
    play(state, (0, Retreat(NONE)))
    assert where(state, G) == "prison 1"
    assert army(state, "creta", 0) == (0, 0, 0)


@pytest.mark.rule("CL-PURSUIT-01", "CL-D14")
def test_the_winner_pursues_with_all_units() -> None:
    """Each unit gives one die, the reserve too; cavalry faces count with the winner's cavalry; the winner picks the
    victims."""
    state = battle((6, 2, 1), (2, 2, 1), ())
    play(state, (0, Form(5, 0, 0)), ".....", ".....", (1, Retreat(sp("hispania"))))
    assert isinstance(state.frames[-2], Pursuit)
    assert dice(state) == 9
    assert army(state, FIELD, 1) == (2, 2, 1), "before they move"
    events = play(state, "ccciiikkg")
    assert of(events, DiceFell)[0].hits == 2, "three faces, two horsemen"
    frame = top(state)
    assert isinstance(frame, Casualties)
    assert (frame.seat, frame.owner) == (0, 1)
    assert refused(state, 0, Lose(1, 0, 0)) == "CL-PURSUIT-01"
    assert refused(state, 0, Lose(0, 0, 2)) == "CL-PURSUIT-01"
    assert refused(state, 1, Lose(2, 0, 0)) == ""
    play(state, (0, Lose(0, 1, 1)))
    assert army(state, "hispania", 1) == (2, 1, 0)


@pytest.mark.rule("CL-PURSUIT-01")
def test_no_more_are_caught_than_flee() -> None:
    state = battle((2, 3, 0), (1, 0, 0), (G,))
    events = play(state, ".....", ".", (1, Retreat(sp("hispania"))), "ccc..")
    assert [event.hits for event in of(events, DiceFell)][-1] == 1
    assert of(events, Fell)[-1].army == (1, 0, 0)


@pytest.mark.rule("CL-BATTLE-10")
def test_rounds_are_counted() -> None:
    state = battle((2, 0, 0), (2, 0, 0), (G,))
    for number in (1, 2, 3):
        play(state, "..", "..", (1, Stand()))
        below = state.frames[-2]
        assert isinstance(below, Battle) and below.round == number
        play(state, (0, Stand()))


@pytest.mark.rule("CL-PURSUIT-01")
def test_the_defender_pursues_a_beaten_attacker() -> None:
    state = battle((2, 0, 0), (0, 3, 0))
    play(state, "..", "...", (1, Stand()), (0, Retreat(sp("italia"))))
    assert dice(state) == 3
    play(state, "c..")
    assert army(state, "italia", 0) == (1, 0, 0)
    assert owner(state, FIELD) == 1


@pytest.mark.rule("CL-H09", "CL-PURSUIT-01")
def test_without_cavalry_no_pursuit_is_rolled() -> None:
    state = battle((3, 0, 2), (2, 0, 0))
    events = play(state, ".....", "..", (1, Retreat(sp("hispania"))))
    assert not of(events, DiceFell)[2:]
    assert army(state, "hispania", 1) == (2, 0, 0)


@pytest.mark.rule("CL-PURSUIT-02", "CL-D15")
def test_leaders_escape_when_the_pursuit_kills_the_last_units() -> None:
    state = battle((0, 3, 0), (2, 0, 0), (H, caesar(1)))
    events = play(state, "...", "..", (1, Retreat(sp("hispania"))), "cc.")
    assert army(state, "hispania", 1) == (0, 0, 0)
    assert where(state, H) == where(state, caesar(1)) == "hispania"
    assert not of(events, Captured)
    assert owner(state, FIELD) == 0


@pytest.mark.rule("CL-D15", "CL-PURSUIT-02")
def test_leaders_never_retreat_alone_by_choice() -> None:
    """There is no such action: a retreat takes all units along."""
    assert Retreat.__struct_fields__ == ("to",)
    state = battle((5, 0, 0), (1, 0, 0), (H,))
    play(state, "....i", ".")
    assert where(state, H) == "prison 0", "all units fell before any pursuit"


@pytest.mark.rule("CL-D07")
def test_a_retreat_conquers_in_the_next_combat_phase_of_its_owner() -> None:
    state = battle((3, 0, 0), (2, 0, 0), (G,), owners={FIELD: 1, "aquitania": 0})
    play(state, "...", "..", (1, Retreat(sp("aquitania"))))
    assert owner(state, "aquitania") == 0
    while owed(state) == (0,):
        play(state, (0, options(state, 0)[0]))
    assert owner(state, "aquitania") == 0
    play(state, (1, EndMovement()))
    assert owner(state, "aquitania") == 1


@pytest.mark.rule("CL-D07")
def test_a_retreat_leaves_lone_enemy_leaders_alone() -> None:
    state = battle((3, 0, 0), (2, 0, 0), (G,), leaders={FIELD: [G], "aquitania": [G2]})
    play(state, "...", "..", (1, Retreat(sp("aquitania"))))
    assert where(state, G2) == "aquitania"


@pytest.mark.rule("CL-D07", "CL-D02")
def test_lone_enemy_leaders_are_taken_where_units_spent_a_combat_phase_also_at_home() -> None:
    """The captor stands in their own province: there is nothing to conquer but the leader."""
    state = position(units={"creta": {0: (1, 0, 0)}}, owners={"creta": 0}, leaders={"creta": [H]}, phase="combat")
    assert where(state, H) == "prison 0"
    elsewhere = position(owners={"creta": 0}, leaders={"creta": [H]}, phase="combat")
    assert where(elsewhere, H) == "creta", "nobody is there to take him"


# --- results ---


@pytest.mark.rule("CL-WIN-01")
def test_the_victor_conquers_and_the_markers_move() -> None:
    state = battle((2, 0, 0), (1, 0, 0), (), built={FIELD: 1})
    assert state.marker == [10, 25]
    events = play(state, "i.", ".")
    assert state.marker == [25, 10], "ten for the province and five for the city"
    assert [(event.seat, event.loser) for event in of(events, Conquered)] == [(0, 1)]


@pytest.mark.rule("CL-WIN-01")
def test_a_lost_attack_changes_nothing() -> None:
    state = battle((1, 0, 0), (1, 0, 0), ())
    events = play(state, ".", "i")
    assert owner(state, FIELD) == 1
    assert not of(events, Conquered)


@pytest.mark.rule("CL-WIN-02")
def test_an_empty_province_is_taken_by_a_legion_that_stays() -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"italia": {0: (2, 0, 0)}},
        leaders={"italia": [G, G2]},
        owners={"narbonensis": 1},
    )
    play(state, (0, march("italia", "narbonensis", G, 1)), (0, march("italia", "rhaetia", G2, 1)), (0, EndMovement()))
    assert owner(state, "narbonensis") == 0
    assert owner(state, "rhaetia") == 0
    assert state.marker == [25, 10]


@pytest.mark.rule("CL-BATTLE-EX0", "CL-EX-01", "CL-D47")
def test_example_one_fred_attacks_alice() -> None:
    """The die that the example does not give is taken as blank."""
    state = battle((5, 2, 1), (4, 2, 0), (G, G2, H), "dacia")
    frame = top(state)
    assert isinstance(frame, Formation)
    assert (frame.seat, frame.size) == (0, 7), "Alice needs all her six, limited to six"
    play(state, (0, Form(5, 2, 0)))
    assert of(play(state, "iiickg."), DiceFell)[0].hits == 5
    play(state, (1, Lose(3, 2, 0)))
    assert dice(state) == 6, "those laid down still fire"
    assert of(play(state, "iiiicg"), DiceFell)[0].hits == 5
    play(state, (0, Lose(4, 1, 0)))
    assert army(state, "dacia", 0) == (1, 1, 1)
    assert army(state, "dacia", 1) == (1, 0, 0)
    play(state, (1, Stand()), (0, Stand()))
    assert dice(state) == 3
    play(state, "ik.")
    assert dice(state) == 1
    play(state, "i")
    assert owed(state) == (0,)
    events = play(state, (0, Lose(1, 0, 0)))
    assert army(state, "dacia", 0) == (0, 1, 1)
    assert [event.leaders for event in of(events, Captured)] == [(H,)]
    assert where(state, G) == where(state, G2) == "dacia"
    assert not any(isinstance(frame, Pursuit) for frame in state.frames)
    play(state, (0, Judge(())))
    assert owner(state, "dacia") == 0
