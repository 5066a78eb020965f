"""Prisoners, bargains, captured Caesars, alliances, the end of the match, options of the table."""

from typing import get_args

import pytest

from shared.ids import NONE
from shared.kernel import engine
from shared.rulesets.classic.actions import Buy, Withdraw
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.frames import Combat
from shared.rulesets.classic.property import supply
from shared.rulesets.classic.table import State
from shared.vocabulary.actions import Answer, Concede, EndMovement, EndTurn, Fight, Judge, Offer, PlaceGalley, Resign
from shared.vocabulary.events import Eliminated, Freed, Killed, Offered, Why, Won
from shared.vocabulary.frames import Bargain, Captives, Movement, Purchase
from tests.support.layout import aboard, army, owner, prison, sp, where
from tests.support.position import caesar, galley, general, legal, march, options, owed, play, position, refused
from tests.support.referee import of, top

G, G2 = general(0), general(0, 2)
H, H2 = general(1), general(1, 2)
THREE = ("macedonia", "egyptus", "hispania")
FOUR = ("hispania", "macedonia", "mesopotamia", "numidia")


# --- captured generals ---


def victory(*captured: int) -> State:
    """Return a position in which seat 0 has just won a battle in Dacia against leaders of seat 1."""
    state = position(
        3,
        homes=THREE,
        units={"dacia": {0: (2, 0, 0), 1: (1, 0, 0)}},
        leaders={"dacia": captured},
        phase="combat",
    )
    play(state, (0, Fight(sp("dacia"), 1)), "i.", ".")
    return state


@pytest.mark.rule("CL-H11", "CL-LEAD-04", "CL-LEAD-05")
def test_captured_generals_are_killed_or_held_as_the_victor_likes() -> None:
    for kill in ((), (H,), (H2,), (H, H2)):
        state = victory(H, H2)
        assert isinstance(top(state), Captives)
        assert owed(state) == (0,)
        events = play(state, (0, Judge(kill)))
        for leader in (H, H2):
            assert where(state, leader) == ("off" if leader in kill else "prison 0")
        assert [event.leaders for event in of(events, Killed)] == ([kill] if kill else [])


@pytest.mark.rule("CL-LEAD-05")
def test_only_those_captured_just_now_are_judged_and_before_anything_else() -> None:
    state = victory(H)
    state.leader_at[general(2)] = prison(0)
    for kill in ((H2,), (general(2),), (H, H), (G,), (caesar(1),)):
        assert refused(state, 0, Judge(kill)) == "CL-LEAD-05"
    assert refused(state, 0, Buy()) == "CL-LEAD-05"
    assert refused(state, 1, Judge(())) == ""
    assert options(state, 0) == [Judge(()), Judge((H,))]


@pytest.mark.rule("CL-LEAD-05")
def test_a_killed_general_is_gone_for_good() -> None:
    state = victory(H)
    play(state, (0, Judge((H,))))
    while owed(state) != (1,):
        seat = owed(state)[0]
        play(state, (seat, engine.default(CLASSIC, state, seat)))
    assert where(state, H) == "off"


# --- bargains ---


def market(*prisoners: tuple[int, int], seats: int = 3, **more: object) -> State:
    """Return a position in phase 6 of seat 0; `prisoners`: (captor, leader)."""
    leaders: dict[int, list[int]] = {}
    for captor, leader in prisoners:
        leaders.setdefault(prison(captor), []).append(leader)
    settings: dict[str, object] = {
        "homes": THREE if seats == 3 else FOUR,
        "leaders": leaders,
        "talents": [100] * seats,
        "phase": "placement",
    }
    return position(seats, **{**settings, **more})  # type: ignore[arg-type]


@pytest.mark.rule("CL-GEN-01")
def test_a_general_is_ransomed_for_talents() -> None:
    state = market((1, G))
    events = play(state, (0, Offer(1, pays=60, takes=(G,))))
    assert of(events, Offered)[0].pays == 60
    frame = top(state)
    assert isinstance(frame, Bargain)
    assert owed(state) == (1,)
    assert refused(state, 0, Answer(True)) == ""
    assert refused(state, 1, EndTurn()) == "CL-GEN-01"
    play(state, (1, Answer(True)))
    assert state.talents == [40, 160, 100]
    assert where(state, G) == "macedonia"


@pytest.mark.rule("CL-GEN-01")
def test_a_bargain_may_be_declined() -> None:
    state = market((1, G))
    play(state, (0, Offer(1, pays=60, takes=(G,))), (1, Answer(False)))
    assert state.talents == [100, 100, 100]
    assert where(state, G) == "prison 1"
    assert owed(state) == (0,)


@pytest.mark.rule("CL-GEN-01")
def test_the_active_player_may_sell_and_exchange_generals() -> None:
    state = market((0, H), (1, G))
    play(state, (0, Offer(1, gives=(H,), wants=25)), (1, Answer(False)))
    play(state, (0, Offer(1, gives=(H,), takes=(G,), wants=25)), (1, Answer(True)))
    assert where(state, H) == "egyptus"
    assert where(state, G) == "macedonia"
    assert state.talents == [125, 75, 100]


@pytest.mark.rule("CL-GEN-01", "CL-ALLY-01")
def test_a_general_may_go_for_a_promise() -> None:
    """A promise is only words: nothing is asked for, nothing is enforced."""
    state = market((1, G))
    play(state, (0, Offer(1, takes=(G,))), (1, Answer(True)))
    assert state.talents == [100, 100, 100]


@pytest.mark.rule("CL-H17", "CL-GEN-01")
def test_impossible_bargains_are_refused() -> None:
    state = market((0, H), (1, G), (2, G2), (0, general(2)))
    no_bargain = {
        Offer(1, pays=10): "CL-GEN-01",
        Offer(1, pays=10, takes=(H,)): "CL-H17",
        Offer(1, pays=10, takes=(G2,)): "CL-H17",
        Offer(1, gives=(general(2),), takes=(G,)): "CL-H17",
        Offer(1, takes=(G, G)): "CL-H17",
        Offer(1, takes=(caesar(1),)): "CL-H17",
        Offer(1, pays=101, takes=(G,)): "CL-GEN-01",
        Offer(1, gives=(H,), wants=101): "CL-GEN-01",
        Offer(1, pays=5, wants=5, takes=(G,)): "CL-H17",
        Offer(0, takes=(G,)): "CL-GEN-01",
        Offer(3, takes=(G,)): "CL-GEN-01",
        Offer(-1, takes=(G,)): "CL-GEN-01",
    }
    for offer, rule in no_bargain.items():
        assert refused(state, 0, offer) == rule, offer
    assert refused(state, 1, Offer(0, takes=(H,))) == "", "only the player in his phase 6 proposes"


@pytest.mark.rule("CL-GEN-01")
def test_bargaining_belongs_to_phase_six() -> None:
    for phase in ("movement", "purchase"):
        state = market((1, G), phase=phase)
        assert refused(state, 0, Offer(1, takes=(G,))) == "CL-TURN-01"


@pytest.mark.rule("CL-H18", "CL-GEN-01")
def test_three_bargains_a_turn_at_most() -> None:
    """Our own limit, so that every turn ends."""
    state = market((1, G))
    for _ in range(3):
        assert owed(state) == (0,)
        play(state, (0, Offer(1, pays=10, takes=(G,))), (1, Answer(False)))
    assert owed(state) == (1,), "the turn is over"
    assert isinstance(top(state), Movement)


@pytest.mark.rule("CL-GEN-01")
def test_the_limit_is_told_while_something_is_left_to_place() -> None:
    state = market((1, G), phase="purchase")
    play(state, (0, Buy(galleys=1)))
    for _ in range(3):
        play(state, (0, Offer(1, pays=10, takes=(G,))), (1, Answer(False)))
    assert refused(state, 0, Offer(1, takes=(G,))) == "CL-H18"
    play(state, (0, PlaceGalley(options(state, 0)[0].position)))  # type: ignore[attr-defined]
    assert owed(state) == (1,)


@pytest.mark.rule("CL-D23", "CL-GEN-01")
def test_no_general_comes_back_while_the_home_is_lost() -> None:
    state = market((1, G), (0, H), owners={"macedonia": 2, "dacia": 0}, leaders={
        prison(1): [G], prison(0): [H], "dacia": [caesar(0)]})  # fmt: skip
    assert refused(state, 0, Offer(1, pays=10, takes=(G,))) == "CL-D23"
    assert legal(state, 0, Offer(1, gives=(H,), wants=10))
    lost = market((0, H), owners={"egyptus": 2}, leaders={prison(0): [H], "creta": [caesar(1)]})
    assert owed(lost) == (1,), "there is nothing to bargain about"


# --- a captured Caesar ---


@pytest.mark.rule("CL-CAESAR-01", "CL-LEAD-05")
def test_the_captor_gets_everything() -> None:
    state = position(
        3,
        homes=THREE,
        units={
            "dacia": {0: (2, 0, 0), 1: (1, 0, 0)},
            "syria": {1: (3, 2, 1)},
            "egyptus": {1: (1, 1, 0)},
            "macedonia": {0: (1, 0, 0)},
        },
        leaders={
            "dacia": [caesar(1), H],
            "syria": [H2],
            prison(2): [general(1, 3)],
            aboard(galley(1)): [general(1, 4)],
        },
        galleys={galley(1): "mare_alexandria", galley(1, 1): "syria"},
        cargo={galley(1): (2, 0, 0)},
        owners={"syria": 1, "dacia": 1},
        built={"egyptus": 2, "syria": 1},
        talents=(10, 70, 5),
        phase="combat",
    )
    mine, theirs = state.marker[0], state.marker[1]
    events = play(state, (0, Fight(sp("dacia"), 1)), "i.", ".")
    assert [(event.seat, event.by) for event in of(events, Eliminated)] == [(1, 0)]
    assert state.lord == [0, 0, 2]
    assert where(state, caesar(1)) == "off"
    assert army(state, "syria", 0) == (3, 2, 1)
    assert army(state, "egyptus", 0) == (1, 1, 0)
    assert owner(state, "egyptus") == owner(state, "syria") == owner(state, "dacia") == 0
    assert where(state, H) == "dacia", "a general taken with his Caesar serves the victor where he stands (CL-H14)"
    assert where(state, H2) == "syria"
    assert where(state, general(1, 4)) == f"aboard {galley(1)}"
    assert where(state, general(1, 3)) == "prison 2", "a third player keeps his prisoner"
    assert state.talents[1] == 0
    assert state.marker == [mine + theirs, 0, 10]
    assert state.talents[0] == 80 + mine + theirs, "the treasury, no bonus, and this turn's tribute"
    assert supply(state, 0)[0] == 40 - 9
    while owed(state) == (0,):
        play(state, (0, engine.default(CLASSIC, state, 0)))
    assert owed(state) == (2,), "Egyptus plays no more"
    play(state, (2, EndMovement()), (2, Buy()))
    assert legal(state, 2, Offer(0, gives=(general(1, 3),), wants=20)), "the new lord may ransom him"
    play(state, (2, Offer(0, gives=(general(1, 3),), wants=20)), (0, Answer(True)))
    assert where(state, general(1, 3)) == "macedonia"


@pytest.mark.rule("CL-H14", "CL-CAESAR-01")
@pytest.mark.parametrize(("amendments", "place"), [(1, "macedonia"), (2, "dacia")])
@pytest.mark.parametrize("attacks", [True, False])
def test_generals_captured_with_their_caesar_stay_where_they_stand(amendments: int, place: str, attacks: bool) -> None:
    """In their Caesar's attack and defence alike. Before the amendment they were put into the victor's home."""
    state = position(
        3,
        homes=THREE,
        amendments=amendments,
        turn=1 - attacks,
        units={"dacia": {0: (2, 0, 0), 1: (1, 0, 0)}},
        leaders={"dacia": [caesar(1), H, H2], prison(0): [general(1, 3)], prison(2): [general(1, 4)]},
        phase="combat",
    )
    events = play(state, (1 - attacks, Fight(sp("dacia"), int(attacks))), *(("i.", ".") if attacks else (".", "i.")))
    assert where(state, H) == where(state, H2) == place
    assert where(state, general(1, 3)) == "macedonia", "prisoners of before are free in the home"
    assert where(state, general(1, 4)) == "prison 2"
    assert {event.leader for event in of(events, Freed)} == {general(1, 3), *([H, H2] if amendments < 2 else [])}
    assert not isinstance(top(state), Captives), "nobody judges generals of their own"
    assert {state.lord[leader // 5] for leader in (H, H2)} == {0}


@pytest.mark.rule("CL-H14")
def test_generals_of_others_who_are_captured_beside_a_caesar_are_judged() -> None:
    state = position(
        4,
        homes=FOUR,
        units={"dacia": {0: (1, 0, 0)}},
        leaders={"dacia": [caesar(1), H, general(2)]},
        phase="combat",
    )
    assert isinstance(top(state), Captives) and owed(state) == (0,)
    assert where(state, H) == "dacia" and where(state, general(2)) == "prison 0"
    assert refused(state, 0, Judge((H,))) == "CL-LEAD-05"


@pytest.mark.rule("CL-H14", "CL-D21")
def test_generals_who_sink_with_their_caesar_come_to_the_victors_home() -> None:
    state = position(
        3,
        homes=THREE,
        leaders={aboard(galley(1)): [caesar(1), H], aboard(galley(1, 1)): [H2]},
        galleys={galley(1): "mare_rhodus", galley(1, 1): "mare_tyrrhenum", galley(0): "mare_rhodus"},
        phase="combat",
    )
    play(state, (0, Fight(sp("mare_rhodus"), 1)), "g.", "..")
    assert where(state, H) == "macedonia", "there is nothing left to stand on"
    assert where(state, H2) == f"aboard {galley(1, 1)}"


@pytest.mark.rule("CL-CAESAR-01")
def test_pieces_won_move_and_fight_from_the_next_turn_on() -> None:
    state = position(
        3,
        homes=THREE,
        turn=1,
        lords={0: 1},
        units={"dacia": {1: (3, 0, 0)}},
        leaders={"dacia": [G]},
        galleys={galley(0): "mare_rhodus"},
    )
    play(state, (1, march("dacia", "moesia", G, 3)))
    assert army(state, "moesia", 1) == (3, 0, 0)
    assert refused(state, 0, EndMovement()) == ""
    assert refused(state, 0, Concede(1)) == "CL-END-02", "who is out has no say"


@pytest.mark.rule("CL-CAESAR-01", "CL-D25")
def test_a_caesar_captured_in_an_attack_of_its_own_ends_the_turn() -> None:
    """Everything passes at once. A battle against the captor is void; the captor fights the battles against others."""
    state = position(
        4,
        homes=FOUR,
        units={
            "narbonensis": {0: (1, 0, 0), 1: (3, 0, 0)},
            "aquitania": {0: (1, 0, 0), 1: (1, 0, 0)},
            "lusitania": {0: (1, 0, 0), 2: (1, 0, 0)},
        },
        leaders={"narbonensis": [caesar(0)], prison(1): [G], prison(0): [H, general(2)]},
        talents=(90, 0, 0, 0),
        phase="combat",
    )
    play(state, (0, Fight(sp("narbonensis"), 1)), ".", "i..")
    assert state.lord[0] == 1
    assert army(state, "aquitania", 1) == (2, 0, 0), "his army and mine are one now"
    assert where(state, G) == where(state, H) == "macedonia"
    assert where(state, general(2)) == "prison 1"
    assert isinstance(top(state), Combat)
    assert owed(state) == (1,)
    assert options(state, 1) == [Fight(sp("lusitania"), 2)]
    assert refused(state, 0, Fight(sp("lusitania"), 2)) == ""
    play(state, (1, Fight(sp("lusitania"), 2)), "i", ".")
    assert owner(state, "lusitania") == 1
    assert state.talents[1] == 90, "no tribute: the dead man's turn is over"
    assert owed(state) == (1,), "and Macedonia's begins"
    assert isinstance(top(state), Movement)


@pytest.mark.rule("CL-D25", "CL-D30")
def test_battles_against_a_captured_player_are_void() -> None:
    state = position(
        3,
        homes=THREE,
        units={"dacia": {0: (1, 0, 0), 1: (1, 0, 0)}, "moesia": {0: (1, 0, 0), 1: (5, 0, 0)}},
        leaders={"dacia": [caesar(1)]},
        phase="combat",
    )
    play(state, (0, Fight(sp("dacia"), 1)), "i", ".")
    assert army(state, "moesia", 0) == (6, 0, 0)
    assert isinstance(top(state), Purchase)


@pytest.mark.rule("CL-D01", "CL-CAESAR-01")
def test_a_caesar_without_a_way_out_of_a_double_defeat_is_captured() -> None:
    state = position(
        3,
        homes=THREE,
        units={
            "tingitana": {0: (1, 0, 0), 1: (1, 0, 0)},
            "baetica": {1: (1, 0, 0)},
            "caesariensis": {2: (1, 0, 0)},
        },
        leaders={"tingitana": [caesar(0), caesar(1)]},
        phase="combat",
    )
    play(state, (0, Fight(sp("tingitana"), 1)), "i", "i", (0, Withdraw(NONE)))
    assert state.lord[0] == 1
    assert where(state, caesar(1)) == "tingitana", "the defender's stays"
    assert owed(state) == (1,)


@pytest.mark.rule("CL-D24", "CL-COMP-02")
def test_the_supply_of_a_captured_colour_is_the_captors() -> None:
    state = position(3, homes=THREE, lords={1: 0}, talents=(5000, 0, 0), phase="purchase")
    assert supply(state, 0) == (40, 40, 12, 16)
    play(state, (0, Buy(infantry=40, galleys=16)))
    assert army(state, "macedonia", 0) == (40, 0, 0)
    assert supply(state, 2) == (20, 20, 6, 8)
    assert refused(state, 0, PlaceGalley(sp("egyptus"))) == "CL-PLACE-01", "placed only in one's own home"


@pytest.mark.rule("CL-D24")
def test_a_table_may_bar_purchases_in_captured_colours() -> None:
    """Captured pieces are kept; they are the first to be lost and do not come back."""
    state = position(
        3,
        homes=THREE,
        options={"captured_supply": 0},
        units={
            "dacia": {0: (1, 0, 0), 1: (1, 0, 0)},
            "macedonia": {0: (18, 0, 0)},
            "syria": {1: (5, 2, 0)},
            "moesia": {0: (1, 0, 0), 2: (3, 0, 0)},
        },
        leaders={"dacia": [caesar(1)]},
        galleys={galley(1): "mare_rhodus", galley(2): "mare_rhodus"},
        talents=(500, 0, 0),
        phase="combat",
    )
    play(state, (0, Fight(sp("dacia"), 1)), "i", ".")
    assert state.captured[:4] == [5, 2, 0, 1]
    assert supply(state, 0) == (0, 20, 6, 8), "20 of my own infantry stand on the board"
    play(state, (0, Fight(sp("moesia"), 2)), ".", "i..")
    assert state.captured[0] == 4, "the fallen one counts as one of theirs"
    assert supply(state, 0)[0] == 0
    play(state, (0, Fight(sp("mare_rhodus"), 2)), "..", "g.")
    assert state.captured[3] == 0
    assert supply(state, 0)[3] == 8
    assert refused(state, 0, Buy(infantry=1)) == "CL-COMP-02"


# --- the end ---


@pytest.mark.rule("CL-END-01")
def test_the_last_caesar_wins() -> None:
    state = position(units={"dacia": {0: (1, 0, 0)}}, leaders={"dacia": [caesar(1), H]})
    events = play(state, (0, EndMovement()))
    assert not any(isinstance(frame, Captives) for frame in state.frames), "nobody is judged any more"
    assert [(event.seat, event.why) for event in of(events, Won)] == [(0, Why.LAST_CAESAR)]
    assert CLASSIC.winner(state) == 0
    assert CLASSIC.finished(state)
    assert owed(state) == ()
    assert refused(state, 0, EndMovement()) == ""
    assert refused(state, 0, Concede(1)) == ""
    assert [place.seat for place in CLASSIC.standings(state)] == [0, 1]
    assert CLASSIC.standings(state)[1].score == "eliminated"


@pytest.mark.rule("CL-END-01", "CL-CAESAR-01")
def test_without_units_and_provinces_one_plays_on_while_the_caesar_lives() -> None:
    state = position(owners={"egyptus": 1}, leaders={"creta": [caesar(0)]})
    play(state, (0, EndMovement()))
    assert state.winner == NONE
    assert owed(state) == (1,)


@pytest.mark.rule("CL-END-02", "CL-D34")
def test_all_others_may_agree_that_one_has_won() -> None:
    state = position(3, homes=THREE)
    play(state, (1, Concede(0)))
    assert state.winner == NONE
    play(state, (1, Concede(NONE)), (2, Concede(0)))
    assert state.winner == NONE, "that was taken back"
    play(state, (1, Concede(2)))
    assert state.winner == NONE, "they do not agree on one"
    events = play(state, (1, Concede(0)))
    assert [(event.seat, event.why) for event in of(events, Won)] == [(0, Why.CONCEDED)]


@pytest.mark.rule("CL-END-02")
def test_conceding_needs_another_living_player() -> None:
    state = position(4, homes=FOUR, lords={2: 1})
    assert refused(state, 0, Concede(0)) == "CL-END-02"
    assert refused(state, 0, Concede(2)) == "CL-END-02"
    assert refused(state, 0, Concede(4)) == "CL-END-02"
    assert refused(state, 2, Concede(0)) == "CL-END-02"
    assert refused(state, -1, Concede(0)) == "CL-END-02"
    assert legal(state, 3, Concede(0)), "at any time, also in somebody else's turn"


@pytest.mark.rule("CL-END-02", "CL-D34")
def test_conceding_is_possible_in_the_middle_of_a_battle() -> None:
    state = position(units={"dacia": {0: (2, 0, 0), 1: (2, 0, 0)}}, phase="combat")
    play(state, (0, Fight(sp("dacia"), 1)), "..", (0, Concede(1)))
    assert state.winner == 1


@pytest.mark.rule("CL-D34")
def test_resigning_is_off_unless_the_table_allows_it() -> None:
    state = position(3, homes=THREE)
    assert refused(state, 0, Resign()) == "CL-D34"


@pytest.mark.rule("CL-D34")
def test_resigning_leaves_nothing_behind() -> None:
    """Pieces leave the board, provinces lose their owner, no player is rewarded; prisoners go home."""
    state = position(
        4,
        homes=FOUR,
        options={"resign": 1},
        units={"dacia": {0: (2, 0, 0), 1: (1, 0, 0)}, "hispania": {0: (5, 0, 0)}},
        leaders={"dacia": [G], prison(0): [H], prison(1): [G2]},
        galleys={galley(0): "mare_rhodus"},
        owners={"dacia": 0},
        built={"hispania": 2, "dacia": 1},
        talents=(90, 10, 10, 10),
    )
    events = play(state, (0, Resign()))
    assert [(event.seat, event.by) for event in of(events, Eliminated)] == [(0, NONE)]
    assert [event.leader for event in of(events, Freed)] == [H]
    assert where(state, H) == "macedonia"
    assert where(state, G) == where(state, G2) == where(state, caesar(0)) == "off"
    assert state.units[sp("dacia")] == (1, 1, 0, 0)
    assert owner(state, "hispania") == owner(state, "dacia") == NONE
    assert state.built[sp("hispania")] == 2, "cities stay where they are"
    assert state.talents == [0, 10, 10, 10]
    assert state.marker == [0, 10, 10, 10]
    assert set(state.galley_at) == {127}
    assert owed(state) == (1,), "his turn is over"
    assert refused(state, 0, Resign()) == "CL-D34"


@pytest.mark.rule("CL-D34")
def test_resigning_in_another_players_turn_ends_the_battles_with_them() -> None:
    state = position(
        3,
        homes=THREE,
        options={"resign": 1},
        units={"dacia": {0: (2, 0, 0), 1: (1, 0, 0)}, "moesia": {0: (2, 0, 0), 2: (1, 0, 0)}},
        owners={"dacia": 1},
        phase="combat",
    )
    play(state, (1, Resign()))
    assert options(state, 0) == [Fight(sp("moesia"), 2)]
    play(state, (0, Fight(sp("moesia"), 2)))
    assert refused(state, 2, Resign()) == "CL-D34", "not in the middle of a battle"
    play(state, "ii", ".")
    assert owner(state, "dacia") == 0, "nobody's, and his army stood there"


@pytest.mark.rule("CL-D34", "CL-END-01")
def test_the_last_one_left_wins() -> None:
    state = position(options={"resign": 1})
    events = play(state, (1, Resign()))
    assert [(event.seat, event.why) for event in of(events, Won)] == [(0, Why.LAST_CAESAR)]


@pytest.mark.rule("CL-ALLY-01")
def test_alliances_do_not_bind() -> None:
    """There is no action that makes or breaks an alliance, and no rule that asks for one."""
    names = {kind.__name__ for kind in get_args(CLASSIC.action_decoder.type)}
    assert not any("lly" in name or "lliance" in name for name in names)
    state = position(3, homes=THREE, units={"dacia": {0: (1, 0, 0)}, "moesia": {1: (1, 0, 0)}}, leaders={"dacia": [G]})
    assert legal(state, 0, march("dacia", "moesia", G, 1))


# --- options of the table ---


@pytest.mark.rule("CL-H19")
@pytest.mark.parametrize(
    ("owners", "talents", "first"),
    [({"dacia": 1}, (0, 0), 1), ({}, (10, 20), 1), ({"dacia": 0}, (0, 500), 0), ({}, (0, 0), 0)],
)
def test_round_limit(owners: dict[str, int], talents: tuple[int, int], first: int) -> None:
    """House rule: highest tribute, then talents, then provinces, then the order of play."""
    state = position(owners=owners, talents=talents, options={"round_limit": 3}, round=3, turn=1, phase="placement")
    assert state.winner == first
    assert state.round == 3
    assert [place.rank for place in CLASSIC.standings(state)] == [1, 2]
    assert CLASSIC.standings(state)[0].seat == first


@pytest.mark.rule("CL-H19")
def test_round_limit_counts_provinces_last() -> None:
    state = position(
        owners={"dacia": 1, "moesia": 1, "cyrenaica": 0},
        options={"round_limit": 1},
        turn=1,
        phase="placement",
    )
    assert state.marker == [20, 20]
    assert state.winner == 1


@pytest.mark.rule("CL-H19")
def test_below_the_limit_the_match_goes_on() -> None:
    state = position(options={"round_limit": 4}, round=3, turn=1, phase="placement")
    assert state.winner == NONE
    assert state.round == 4


@pytest.mark.parametrize(
    ("chosen", "text"),
    [
        ({"fog": 1}, "no option 'fog'"),
        ({"round_limit": 1001}, "takes 0 to 1000, not 1001"),
        ({"resign": 2}, "takes 0 to 1, not 2"),
        ({"homes": -1}, "takes 0 to 2"),
    ],
)
def test_bad_options(chosen: dict[str, int], text: str) -> None:
    with pytest.raises(ValueError, match=text):
        engine.start(CLASSIC, 2, chosen, engine.ignore_event)


def test_every_option_has_a_label_for_each_value() -> None:
    for option in CLASSIC.options:
        assert len(option.values) == len(option.labels)
        assert option.default in option.values
        assert option.help.endswith(".")


@pytest.mark.rule("CL-H11")
def test_a_held_general_is_not_killed_later() -> None:
    state = market((0, H))
    assert refused(state, 0, Judge((H,))) == "CL-TURN-01"
    assert where(state, H) == "prison 0"


@pytest.mark.rule("CL-D24", "CL-NAVAL-04")
def test_captured_pieces_that_sink_with_their_galley_do_not_come_back() -> None:
    state = position(
        3,
        homes=THREE,
        options={"captured_supply": 0},
        units={"dacia": {0: (1, 0, 0), 1: (1, 0, 0)}},
        leaders={"dacia": [caesar(1)], aboard(galley(1)): [H]},
        galleys={galley(1): "mare_rhodus", galley(2): "mare_rhodus"},
        cargo={galley(1): (3, 2, 0)},
        phase="combat",
    )
    play(state, (0, Fight(sp("dacia"), 1)), "i", ".")
    assert state.captured[:4] == [3, 2, 0, 1]
    assert supply(state, 0) == (19, 20, 6, 8)
    play(state, (0, Fight(sp("mare_rhodus"), 2)), "..", "g.")
    assert state.captured[:4] == [0, 0, 0, 0]
    assert supply(state, 0) == (19, 20, 6, 8)
