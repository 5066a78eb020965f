"""Rare branches: several things happen at once. Most of these were found by review or by fuzzing."""

from typing import Unpack

import pytest

from shared.ids import NONE
from shared.kernel import engine
from shared.kernel.frames import Dice
from shared.rulesets.classic.actions import Sink
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.frames import Combat, Naval
from shared.rulesets.classic.property import captured_by, supply
from shared.rulesets.classic.table import State
from shared.vocabulary.actions import Concede, EndMovement, Fight, Judge, Resign, Retreat, Stand
from shared.vocabulary.events import Captured, Eliminated, Freed, Why, Won
from shared.vocabulary.frames import Captives, Movement, Purchase
from tests.support.layout import Layout, aboard, army, owner, prison, sp, where
from tests.support.position import caesar, galley, general, legal, march, options, owed, play, position, refused
from tests.support.referee import of, top

ALEXANDRIA = sp("mare_alexandria")


@pytest.mark.rule("CL-NAVAL-03", "CL-LEAD-05")
def test_a_naval_battle_goes_on_after_its_captives_are_judged() -> None:
    state = position(
        turn=1,
        homes=("egyptus", "galatia"),
        phase="combat",
        galleys={galley(0): "mare_alexandria", galley(0, 1): "mare_alexandria", galley(1): "mare_alexandria"},
        cargo={galley(0): (3, 0, 0)},
        leaders={aboard(galley(0)): [general(0)]},
    )
    play(state, (1, Fight(ALEXANDRIA, 0)), "g.", "....", (0, Sink((galley(0),))))
    assert isinstance(top(state), Captives)
    play(state, (1, Judge(())))
    assert where(state, general(0)) == "prison 1"
    assert isinstance(top(state), Dice)
    assert [frame.round for frame in state.frames if isinstance(frame, Naval)] == [2]
    play(state, "..", "..", "..", "..")
    assert isinstance(top(state), Purchase) or owed(state) == (0,)


@pytest.mark.rule("CL-LEAD-05")
def test_a_general_freed_by_elimination_at_sea_is_not_judged() -> None:
    """Attacker and defender sink each other: the attacker's Caesar is lost, so the defender's general is free."""
    state = position(
        3,
        homes=("macedonia", "egyptus", "hispania"),
        phase="combat",
        galleys={galley(0): "mare_alexandria", galley(1): "mare_alexandria"},
        leaders={aboard(galley(0)): [caesar(0)], aboard(galley(1)): [general(1)]},
    )
    play(state, (0, Fight(ALEXANDRIA, 1)), "g.", "g.")
    assert state.lord[0] == 1
    assert where(state, general(1)) == "egyptus"
    assert not any(isinstance(frame, Captives) for frame in state.frames)
    assert owed(state) == (1,)
    assert isinstance(top(state), Movement)


@pytest.mark.rule("CL-LEAD-05")
def test_a_general_freed_by_elimination_on_land_is_not_judged() -> None:
    """The sweep takes a lone general first and the lone Caesar of the same player afterwards."""
    state = position(
        3,
        homes=("macedonia", "egyptus", "hispania"),
        units={"dacia": {0: (1, 0, 0)}, "thracia": {0: (1, 0, 0)}},
        leaders={"dacia": [general(1)], "thracia": [caesar(1)]},
    )
    events = play(state, (0, EndMovement()))
    assert len(of(events, Captured)) == 2
    assert where(state, general(1)) == "macedonia"
    assert [event.leader for event in of(events, Freed)] == [general(1)]
    assert isinstance(top(state), Purchase)


def test_captives_of_another_player_are_still_judged_after_an_elimination() -> None:
    state = position(
        4,
        homes=("hispania", "macedonia", "mesopotamia", "numidia"),
        units={"dacia": {0: (1, 0, 0)}, "thracia": {0: (1, 0, 0)}},
        leaders={"dacia": [general(1), general(2)], "thracia": [caesar(1)]},
    )
    play(state, (0, EndMovement()))
    assert owed(state) == (0,)
    assert not legal(state, 0, Judge((general(1),)))
    play(state, (0, Judge((general(2),))))
    assert where(state, general(2)) == "off"
    assert where(state, general(1)) == "hispania"


@pytest.mark.rule("CL-H10", "CL-NAVAL-04")
def test_both_caesars_sunk_in_one_round_leave_the_attacker_with_everything() -> None:
    """The defender's fleet sinks first on paper, so the defender cannot hold the attacker's Caesar."""
    state = position(
        homes=("egyptus", "hispania"),
        phase="combat",
        galleys={galley(0): "mare_alexandria", galley(1): "mare_alexandria"},
        leaders={aboard(galley(0)): [caesar(0), general(0)], aboard(galley(1)): [caesar(1), general(1)]},
    )
    events = play(state, (0, Fight(ALEXANDRIA, 1)), "g.", "g.")
    assert [(event.seat, event.by) for event in of(events, Eliminated)] == [(1, 0)]
    assert state.winner == 0
    assert where(state, caesar(0)) == "egyptus"
    assert where(state, general(0)) == "egyptus"


@pytest.mark.rule("CL-H10")
def test_saved_leaders_never_stay_on_a_sunk_galley() -> None:
    """The attacker lost their home; a general of a colour won long ago is saved with the attacker's Caesar."""
    state = position(
        4,
        homes=("hispania", "macedonia", "mesopotamia", "numidia"),
        turn=2,
        phase="combat",
        lords={0: 2},
        galleys={galley(2): "mare_alexandria", galley(1): "mare_alexandria"},
        leaders={aboard(galley(2)): [caesar(2), general(0)], aboard(galley(1)): [caesar(1)]},
        owners={"mesopotamia": 3, "syria": 2, "hispania": 2},
    )
    play(state, (2, Fight(ALEXANDRIA, 1)), "g.", "g.")
    assert state.lord[1] == 2
    assert where(state, caesar(2)) == where(state, general(0))
    assert owner(state, where(state, caesar(2))) == 2, "in a province of his, for his home is not"


@pytest.mark.rule("CL-D07")
def test_a_retreat_in_ones_own_turn_conquers_nothing_that_turn() -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"narbonensis": {1: (5, 0, 0)}, "italia": {0: (3, 0, 0)}},
        leaders={"italia": [general(0)]},
        owners={"narbonensis": 1, "rhaetia": 1},
    )
    play(
        state,
        (0, march("italia", "narbonensis", general(0), 3)),
        (0, EndMovement()),
        (0, Fight(sp("narbonensis"), 1)),
        "...",
        ".....",
        (1, Stand()),
        (0, Retreat(sp("rhaetia"))),
    )
    assert army(state, "rhaetia", 0) == (3, 0, 0)
    assert owner(state, "rhaetia") == 1


@pytest.mark.rule("CL-D07")
def test_a_retreat_to_an_army_that_marched_does_not_spoil_its_conquest() -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"narbonensis": {1: (5, 0, 0)}, "italia": {0: (4, 0, 0)}},
        leaders={"italia": [general(0), general(0, 2)]},
        owners={"narbonensis": 1, "rhaetia": 1},
    )
    play(
        state,
        (0, march("italia", "narbonensis", general(0), 3)),
        (0, march("italia", "rhaetia", general(0, 2), 1)),
        (0, EndMovement()),
        (0, Fight(sp("narbonensis"), 1)),
        "...",
        ".....",
        (1, Stand()),
        (0, Retreat(sp("rhaetia"))),
    )
    assert army(state, "rhaetia", 0) == (4, 0, 0)
    assert owner(state, "rhaetia") == 0


@pytest.mark.rule("CL-D34")
def test_resigning_in_mid_movement_leaves_no_tracks_for_the_next_player() -> None:
    state = position(
        3,
        homes=("macedonia", "egyptus", "hispania"),
        options={"resign": 1},
        units={"macedonia": {0: (5, 0, 0)}, "moesia": {1: (0, 3, 0)}},
        leaders={"macedonia": [general(0)], "moesia": [general(1)]},
    )
    play(state, (0, march("macedonia", "thracia", general(0), 5)), (0, Resign()))
    assert owed(state) == (1,)
    assert not any(state.moved)
    play(state, (1, march("moesia", "thracia", general(1), 0, 3)))
    assert legal(state, 1, march("thracia", "macedonia", general(1), 0, 3, tired=3))


@pytest.mark.rule("CL-H12", "CL-D25")
def test_the_captor_of_an_active_caesar_fights_the_battles_but_starts_none() -> None:
    """CL-D25: the turn of the eliminated player ends after the battles that must be fought."""
    state = position(
        4,
        homes=("hispania", "macedonia", "mesopotamia", "numidia"),
        units={
            "narbonensis": {0: (1, 0, 0), 1: (5, 0, 0)},
            "aquitania": {0: (2, 0, 0), 2: (2, 0, 0)},
            "lugdunensis": {0: (1, 0, 0), 1: (1, 0, 0)},
        },
        leaders={"narbonensis": [caesar(0)], "aquitania": [general(2)]},
        galleys={galley(1): "mare_rhodus", galley(2): "mare_rhodus"},
        phase="combat",
    )
    play(state, (0, Fight(sp("narbonensis"), 1)), ".", "iiiii")
    assert state.lord[0] == 1
    frame = top(state)
    assert isinstance(frame, Combat)
    assert frame.pending == (sp("aquitania"), 2), "the battle with himself is void, the other is his"
    assert options(state, 1) == [Fight(sp("aquitania"), 2)]
    play(state, (1, Fight(sp("aquitania"), 2)), "ii", "..")
    assert owner(state, "aquitania") == 1
    play(state, (1, Judge(())))
    assert owed(state) == (1,), "no naval battle, no tribute: the next turn"
    assert owner(state, "lugdunensis") == NONE


@pytest.mark.rule("CL-D34")
def test_the_captor_may_resign_in_the_middle_of_the_battles_they_took_over() -> None:
    state = position(
        4,
        homes=("hispania", "macedonia", "mesopotamia", "numidia"),
        options={"resign": 1},
        units={"narbonensis": {0: (1, 0, 0), 1: (5, 0, 0)}, "aquitania": {0: (2, 0, 0), 2: (2, 0, 0)}},
        leaders={"narbonensis": [caesar(0)]},
        phase="combat",
    )
    play(state, (0, Fight(sp("narbonensis"), 1)), ".", "iiiii", (1, Resign()))
    assert owed(state) == (2,)
    assert isinstance(top(state), Movement)


@pytest.mark.rule("CL-END-02")
def test_an_elimination_may_complete_the_agreement_of_all_others() -> None:
    state = position(
        4,
        homes=("hispania", "macedonia", "mesopotamia", "numidia"),
        units={"dacia": {0: (1, 0, 0)}},
        leaders={"dacia": [caesar(3)]},
    )
    events = play(state, (1, Concede(0)), (2, Concede(0)), (0, EndMovement()))
    assert state.lord[3] == 0
    assert state.winner == 0
    assert [(event.seat, event.why) for event in of(events, Won)] == [(0, Why.CONCEDED)]


@pytest.mark.rule("CL-H14", "CL-CAESAR-01")
def test_prisoners_pass_to_the_player_who_captures_the_captor() -> None:
    state = position(
        4,
        homes=("hispania", "macedonia", "mesopotamia", "numidia"),
        units={"dacia": {0: (1, 0, 0)}},
        leaders={"dacia": [caesar(3)], prison(3): [general(0), general(1)], prison(2): [general(3)]},
    )
    play(state, (0, EndMovement()))
    assert where(state, general(0)) == "hispania"
    assert where(state, general(1)) == "prison 0"
    assert where(state, general(3)) == "prison 2"


@pytest.mark.rule("CL-H14")
def test_a_freed_general_joins_the_caesar_where_the_home_is_lost() -> None:
    state = position(
        3,
        homes=("macedonia", "egyptus", "hispania"),
        owners={"macedonia": 2},
        units={"dacia": {0: (1, 0, 0)}},
        leaders={"dacia": [caesar(1)], "moesia": [caesar(0)], prison(1): [general(0)]},
    )
    play(state, (0, EndMovement()))
    assert where(state, general(0)) == "moesia"


@pytest.mark.rule("CL-H13", "CL-D18")
def test_galleys_won_in_combat_may_attack_where_they_lie() -> None:
    state = position(
        3,
        homes=("macedonia", "egyptus", "hispania"),
        units={"dacia": {0: (1, 0, 0), 1: (1, 0, 0)}},
        leaders={"dacia": [caesar(1)]},
        galleys={galley(1): "mare_alexandria", galley(2): "mare_alexandria"},
        phase="combat",
    )
    assert options(state, 0) == [Fight(sp("dacia"), 1)]
    play(state, (0, Fight(sp("dacia"), 1)), "i", ".")
    assert Fight(ALEXANDRIA, 2) in options(state, 0)
    play(state, (0, Fight(ALEXANDRIA, 2)), "g.", "..")
    assert state.galley_at[galley(1)] == ALEXANDRIA


@pytest.mark.rule("CL-H12", "CL-D04")
def test_units_of_an_eliminated_player_take_nothing_in_their_turn() -> None:
    state = position(
        3,
        homes=("macedonia", "egyptus", "hispania"),
        units={"dacia": {0: (1, 0, 0), 1: (2, 0, 0)}, "moesia": {0: (2, 0, 0)}},
        leaders={"dacia": [caesar(0)]},
        owners={"moesia": 2},
        phase="combat",
    )
    play(state, (0, Fight(sp("dacia"), 1)), ".", "i.")
    assert owner(state, "moesia") == 2
    assert owed(state) == (1,)
    play(state, (1, EndMovement()))
    assert owner(state, "moesia") == 1


def test_conceding_before_the_homes_are_chosen_ends_the_match() -> None:
    state = engine.start(CLASSIC, 2, {"homes": 1}, engine.ignore_event)
    play(state, (0, Concede(1)))
    assert state.winner == 1
    assert [place.seat for place in CLASSIC.standings(state)] == [1, 0]
    assert CLASSIC.seat_name(state, 1) == "Seat 2"


@pytest.mark.rule("CL-NAVAL-04", "CL-D21")
def test_every_galley_that_sinks_takes_only_its_own_cargo() -> None:
    """Three galleys with a leader and units each: two sink, by choice, and the third keeps its crew."""
    fleet = [galley(0, k) for k in range(3)]
    state = position(
        homes=("egyptus", "hispania"),
        phase="combat",
        galleys=dict.fromkeys((*fleet, galley(1)), "mare_alexandria"),
        leaders={aboard(number): [general(0, k + 1)] for k, number in enumerate(fleet)},
        cargo={number: (k + 1, 0, 0) for k, number in enumerate(fleet)},
    )
    play(state, (0, Fight(ALEXANDRIA, 1)), "......", "gg", (0, Sink((fleet[0], fleet[2]))))
    assert (where(state, general(0, 1)), where(state, general(0, 3))) == ("prison 1", "prison 1")
    assert where(state, general(0, 2)) == f"aboard {fleet[1]}"
    assert [state.cargo[number] for number in fleet] == [(), (2, 0, 0), ()]
    assert supply(state, 0) == (20 - 2, 20, 6, 8 - 1)


def two_colours(**more: Unpack[Layout]) -> State:
    """Return a position in which Egyptus holds the colour of Hispania, and meets Macedonia with its own Caesar in
    Dacia. The table bars purchases in captured colours."""
    setting: Layout = {
        "homes": ("hispania", "macedonia", "mesopotamia", "numidia"),
        "options": {"captured_supply": 0},
        "lords": {3: 2},
        "phase": "combat",
        "turn": 2,
    }
    return position(4, **(setting | more))


@pytest.mark.rule("CL-CAESAR-01", "CL-D24", "CL-D25")
def test_a_captor_who_is_captured_hands_on_all_colours_and_all_pieces() -> None:
    state = two_colours(
        units={"dacia": {2: (1, 0, 0), 1: (5, 0, 0)}, "numidia": {2: (4, 0, 0)}},
        leaders={"dacia": [caesar(2)], "numidia": [general(3)]},
        galleys={galley(3): "mare_rhodus"},
    )
    state.captured[2 * 4] = 3
    play(state, (2, Fight(sp("dacia"), 1)), ".", "i....")
    assert state.lord == [0, 1, 1, 1]
    assert army(state, "numidia", 1) == (4, 0, 0)
    assert where(state, general(3)) == "numidia"
    assert captured_by(state, 1) == [4, 0, 0, 1], "what was on the board of both colours"
    assert captured_by(state, 2) == [0, 0, 0, 0]
    assert supply(state, 1) == (20 - 9 + 4, 20, 6, 8)


@pytest.mark.rule("CL-D24")
def test_more_losses_than_captured_pieces_are_ones_own() -> None:
    """Two captured infantry are the first of three to fall; two captured galleys the first of three to sink."""
    state = two_colours(
        units={"dacia": {2: (5, 0, 0), 1: (5, 0, 0)}},
        galleys=dict.fromkeys([galley(2, k) for k in range(3)] + [galley(1, k) for k in range(3)], "mare_rhodus"),
    )
    state.captured[2 * 4], state.captured[2 * 4 + 3] = 2, 2
    assert supply(state, 2) == (20 - 5 + 2, 20, 6, 8 - 3 + 2)
    play(state, (2, Fight(sp("dacia"), 1)), ".....", "iii..", (1, Stand()), (2, Retreat(sp("moesia"))))
    assert captured_by(state, 2) == [0, 0, 0, 2]
    assert supply(state, 2) == (20 - 2, 20, 6, 8 - 3 + 2)
    play(state, (2, Fight(sp("mare_rhodus"), 1)), "......", "ggg...")
    assert captured_by(state, 2) == [0, 0, 0, 0]
    assert supply(state, 2) == (20 - 2, 20, 6, 8)


@pytest.mark.rule("CL-END-02", "CL-D34")
def test_concessions_of_and_to_who_is_gone_are_forgotten() -> None:
    state = position(4, options={"resign": 1}, homes=("hispania", "macedonia", "mesopotamia", "numidia"))
    play(state, (1, Concede(3)), (3, Concede(2)), (2, Concede(1)), (0, Concede(3)))
    play(state, (3, Resign()))
    assert state.conceded == [NONE, NONE, 1, NONE]


@pytest.mark.rule("CL-MOVE-03", "CL-ROAD-03")
def test_horsemen_who_went_on_do_not_burden_later_ones() -> None:
    """Two tired cavalry units leave. Others that stood there stay as fresh as before; later ones are tired in their
    turn."""
    state = position(
        homes=("italia", "egyptus"),
        units={"italia": {0: (0, 3, 0)}, "narbonensis": {0: (0, 1, 0)}},
        leaders={"italia": [general(0), general(0, 2)], "narbonensis": [general(0, 3)]},
        owners={"narbonensis": 0, "aquitania": 0},
    )
    play(state, (0, march("italia", "narbonensis", general(0), 0, 2)))
    play(state, (0, march("narbonensis", "aquitania", general(0), 0, 2, tired=2)))
    assert legal(state, 0, march("narbonensis", "hispania", general(0, 3), 0, 1))
    play(state, (0, march("italia", "narbonensis", general(0, 2), 0, 1)))
    assert refused(state, 0, march("narbonensis", "hispania", general(0, 3), 0, 2)) == "CL-MOVE-03"
    assert legal(state, 0, march("narbonensis", "hispania", general(0, 3), 0, 2, tired=1))
