"""Galleys: movement, transport, naval battles."""

import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.mechanics.pieces import OFF
from shared.mechanics.tribute import worth
from shared.rulesets.classic.actions import EndCombat, Sink
from shared.rulesets.classic.frames import Combat, Naval, Sinking
from shared.rulesets.classic.property import supply
from shared.rulesets.classic.table import State
from shared.vocabulary.actions import EndMovement, Fight, Judge, Sail
from shared.vocabulary.events import BattleEnded, Captured, DiceFell, Eliminated, Sank
from tests.support.layout import aboard, army, coast, owner, sail, sp, where
from tests.support.position import caesar, galley, general, legal, march, options, owed, play, position, refused
from tests.support.referee import of, top

G, G2 = general(0), general(0, 2)
A, B, C = galley(0), galley(0, 1), galley(0, 2)
ALEXANDRIA = sp("mare_alexandria")

# --- movement ---


@pytest.mark.rule("CL-SEA-01")
def test_a_galley_goes_from_coast_to_sea_to_coast() -> None:
    state = position(galleys={A: "egyptus"})
    assert refused(state, 0, sail(A, "cyrenaica")) == "CL-SEA-01", "never from coast to coast"
    assert refused(state, 0, sail(A, "mare_libycum")) == "CL-MAP-01"
    play(state, (0, sail(A, "mare_alexandria")))
    assert state.galley_used[A] == 1
    play(state, (0, sail(A, "cyrenaica")))
    assert state.galley_used[A] == 2
    assert refused(state, 0, sail(A, "mare_libycum")) == "CL-SEA-01"


@pytest.mark.rule("CL-SEA-01")
def test_a_galley_sails_to_adjacent_zones_and_touching_coasts_only() -> None:
    state = position(galleys={A: "mare_alexandria"})
    reached = {to for to in range(BOARD.positions) if legal(state, 0, Sail(A, to))}
    names = {BOARD.where(to) for to in reached}
    assert names == {
        "Mare Libycum", "Mare Pelusium", "Mare Rhodus", "Egyptus", "Cyrenaica", "Creta", "Cyprus",
    }  # fmt: skip
    assert {refused(state, 0, Sail(A, to)) for to in range(-1, 128) if to not in reached} == {"CL-MAP-01"}


@pytest.mark.rule("CL-SEA-01")
def test_only_own_galleys_on_the_board_sail() -> None:
    state = position(galleys={A: "mare_alexandria", galley(1): "mare_alexandria"})
    for number in (B, galley(1), -1, 99):
        assert refused(state, 0, Sail(number, sp("mare_libycum"))) == "CL-SEA-01"


@pytest.mark.rule("CL-SEA-02", "CL-LEAD-02")
def test_a_galley_sails_alone_when_empty_and_units_go_aboard_only_with_a_leader() -> None:
    state = position(galleys={A: "egyptus", B: "egyptus"}, units={"egyptus": {0: (3, 1, 0)}}, leaders={"egyptus": [G]})
    assert legal(state, 0, sail(A, "mare_alexandria"))
    assert refused(state, 0, sail(A, "mare_alexandria", (), 1)) == "CL-LEAD-02"
    assert refused(state, 0, sail(A, "mare_alexandria", general(1), 1)) == "CL-LEAD-02"
    assert refused(state, 0, sail(A, "mare_alexandria", (G, G), 1)) == "CL-LEAD-02"
    play(state, (0, sail(A, "mare_alexandria", G, 3, 1)))
    assert state.cargo[A] == (3, 1, 0)
    assert where(state, G) == f"aboard {A}"
    assert state.galley_used[A] == 1, "transport costs nothing extra"
    play(state, (0, sail(A, "mare_libycum")))
    assert refused(state, 0, sail(B, "mare_alexandria", G)) == "CL-LEAD-02"


@pytest.mark.rule("CL-SEA-02", "CL-LEAD-02")
def test_a_leader_may_sail_without_units() -> None:
    state = position(galleys={A: "egyptus"}, leaders={"egyptus": [G]})
    play(state, (0, sail(A, "mare_alexandria", (caesar(0), G))), (0, sail(A, "cyrenaica")))
    assert where(state, caesar(0)) == where(state, G) == "cyrenaica"


@pytest.mark.rule("CL-H02", "CL-SEA-02")
def test_boarding_on_the_open_sea_is_refused() -> None:
    state = position(
        galleys={A: "mare_alexandria", B: "mare_alexandria"}, leaders={aboard(A): [G]}, cargo={A: (1, 0, 0)}
    )
    assert refused(state, 0, sail(B, "mare_libycum", G, 1)) == "CL-H02"
    assert refused(state, 0, sail(A, "mare_libycum", G)) == "CL-H02"


@pytest.mark.rule("CL-SEA-03")
def test_a_galley_holds_seven_units_and_any_leaders() -> None:
    leaders = tuple(range(5))
    state = position(galleys={A: "egyptus"}, units={"egyptus": {0: (9, 2, 2)}}, leaders={"egyptus": leaders})
    assert refused(state, 0, sail(A, "mare_alexandria", leaders, 5, 2, 1)) == "CL-SEA-03", "whatever their leaders"
    assert refused(state, 0, sail(A, "mare_alexandria", G, 8)) == "CL-SEA-03"
    play(state, (0, sail(A, "mare_alexandria", leaders, 4, 2, 1)))
    assert state.cargo[A] == (4, 2, 1)
    assert all(where(state, leader) == f"aboard {A}" for leader in leaders)


@pytest.mark.rule("CL-SEA-04")
def test_units_that_marched_do_not_embark() -> None:
    state = position(
        galleys={A: "egyptus"},
        units={"cyrenaica": {0: (2, 2, 0)}, "egyptus": {0: (1, 0, 0)}},
        leaders={"cyrenaica": [G], "egyptus": [G2]},
    )
    play(state, (0, march("cyrenaica", "egyptus", G, 2, 2)))
    assert refused(state, 0, sail(A, "mare_alexandria", G)) == "CL-SEA-04"
    assert refused(state, 0, sail(A, "mare_alexandria", G2, 2)) == "CL-SEA-04"
    assert refused(state, 0, sail(A, "mare_alexandria", G2, 0, 1)) == "CL-SEA-04"
    play(state, (0, sail(A, "mare_alexandria", G2, 1)))


@pytest.mark.rule("CL-SEA-04")
def test_landed_units_do_not_march() -> None:
    state = position(
        galleys={A: "mare_alexandria"},
        cargo={A: (2, 2, 0)},
        leaders={aboard(A): [G], "cyrenaica": [G2]},
        units={"cyrenaica": {0: (1, 1, 0)}},
    )
    play(state, (0, sail(A, "cyrenaica")))
    assert army(state, "cyrenaica", 0) == (3, 3, 0)
    assert refused(state, 0, march("cyrenaica", "egyptus", G)) == "CL-SEA-04"
    assert refused(state, 0, march("cyrenaica", "egyptus", G2, 2)) == "CL-SEA-04"
    assert refused(state, 0, march("cyrenaica", "egyptus", G2, 1, 2)) == "CL-SEA-04"
    play(state, (0, march("cyrenaica", "egyptus", G2, 1, 1)))
    assert army(state, "cyrenaica", 0) == (2, 2, 0)


@pytest.mark.rule("CL-SEA-04")
def test_embarked_units_may_land_in_the_same_turn_but_go_no_further() -> None:
    state = position(galleys={A: "egyptus"}, units={"egyptus": {0: (3, 0, 0)}}, leaders={"egyptus": [G]})
    play(state, (0, sail(A, "mare_alexandria", G, 3)), (0, sail(A, "cyrenaica")))
    assert army(state, "cyrenaica", 0) == (3, 0, 0)
    assert refused(state, 0, march("cyrenaica", "africa_proconsularis", G)) == "CL-SEA-04"
    play(state, (0, EndMovement()))
    assert owner(state, "cyrenaica") == 0


@pytest.mark.rule("CL-H03", "CL-SEA-04")
def test_landed_units_may_board_again() -> None:
    """No rule forbids it; the units that came ashore are the first to leave."""
    state = position(
        galleys={A: "mare_alexandria", B: "cyrenaica"},
        cargo={A: (2, 0, 0)},
        leaders={aboard(A): [G]},
        units={"cyrenaica": {0: (1, 0, 0)}},
    )
    play(state, (0, sail(A, "cyrenaica")), (0, sail(B, "mare_libycum", G, 2)))
    assert state.cargo[B] == (2, 0, 0)
    assert state.landed[sp("cyrenaica")] == ()
    assert army(state, "cyrenaica", 0) == (1, 0, 0)


@pytest.mark.rule("CL-H03", "CL-SEA-04", "CL-MOVE-05")
def test_units_landed_before_an_enemy_stay() -> None:
    state = position(
        galleys={A: "mare_alexandria"},
        cargo={A: (2, 0, 0)},
        leaders={aboard(A): [G]},
        units={"cyrenaica": {1: (1, 0, 0)}},
    )
    play(state, (0, sail(A, "cyrenaica")))
    assert refused(state, 0, sail(A, "mare_libycum", G, 2)) == "CL-H03"
    play(state, (0, EndMovement()))
    assert options(state, 0) == [Fight(sp("cyrenaica"), 1)]


@pytest.mark.rule("CL-H03", "CL-SEA-04", "CL-MOVE-05")
def test_units_landed_before_an_enemy_stay_also_when_others_board() -> None:
    """Two units that stood there leave by sea; the two that came ashore do not march in their place."""
    state = position(
        galleys={A: "mare_libycum", B: "cyrenaica"},
        cargo={A: (2, 0, 0)},
        leaders={aboard(A): [G], "cyrenaica": [G2, general(0, 3)]},
        units={"cyrenaica": {0: (2, 0, 0), 1: (1, 0, 0)}},
    )
    play(state, (0, sail(A, "cyrenaica")), (0, sail(B, "mare_alexandria", G2, 2)))
    assert army(state, "cyrenaica", 0) == (2, 0, 0)
    assert refused(state, 0, march("cyrenaica", "egyptus", general(0, 3), 1)) == "CL-SEA-04"


@pytest.mark.rule("CL-H01", "CL-LEAD-03", "CL-SEA-02")
def test_leaders_alone_do_not_land_before_an_enemy() -> None:
    state = position(galleys={A: "mare_alexandria"}, leaders={aboard(A): [G]}, units={"cyrenaica": {1: (1, 0, 0)}})
    assert refused(state, 0, sail(A, "cyrenaica")) == "CL-LEAD-03"
    empty = position(galleys={A: "mare_alexandria"}, units={"cyrenaica": {1: (1, 0, 0)}})
    assert legal(empty, 0, sail(A, "cyrenaica")), "an empty galley may lie on any coast"


@pytest.mark.rule("CL-SEA-05")
def test_enemy_galleys_block_no_zone() -> None:
    state = position(
        galleys={A: "mare_alexandria", galley(1): "mare_libycum", galley(1, 1): "mare_libycum"},
    )
    play(state, (0, sail(A, "mare_libycum")), (0, sail(A, "mare_epirus")))
    assert state.galley_at[A] == sp("mare_epirus")


@pytest.mark.rule("CL-D17")
def test_two_coasts_are_two_places() -> None:
    state = position(homes=("italia", "hispania"), galleys={A: "italia:west", B: "italia:adriatic", C: "mare_narbo"})
    for number, seas in ((A, {"Mare Narbo", "Mare Tyrrhenum"}), (B, {"Mare Adriatico"})):
        assert {BOARD.where(to) for to in range(BOARD.positions) if legal(state, 0, Sail(number, to))} == seas
    assert legal(state, 0, sail(C, "italia:west"))
    assert refused(state, 0, sail(C, "italia:adriatic")) == "CL-D17"


@pytest.mark.rule("CL-D17")
def test_a_galley_that_docked_leaves_to_any_zone_of_that_coast() -> None:
    state = position(homes=("italia", "hispania"), galleys={A: "mare_narbo"})
    play(state, (0, sail(A, "italia:west")), (0, sail(A, "mare_tyrrhenum")))
    assert state.galley_at[A] == sp("mare_tyrrhenum")


@pytest.mark.rule("CL-D17")
@pytest.mark.parametrize(
    ("home", "coasts"),
    [("hispania", {"east", "north"}), ("italia", {"west", "adriatic"}), ("macedonia", {"west", "east"})],
)
def test_homes_with_two_coasts(home: str, coasts: set[str]) -> None:
    assert {BOARD.coast_names[position] for position in BOARD.coasts[sp(home)]} == coasts


# --- naval battles ---


def fleets(*mine: int, theirs: int = 1, **more: object) -> State:
    settings: dict[str, object] = {
        "galleys": dict.fromkeys(mine, "mare_alexandria") | {galley(1, k): "mare_alexandria" for k in range(theirs)},
        "phase": "combat",
    }
    return position(2, **{**settings, **more})  # type: ignore[arg-type]


@pytest.mark.rule("CL-NAVAL-01", "CL-D18")
def test_a_naval_battle_is_the_movers_choice() -> None:
    state = fleets(A)
    assert owed(state) == (0,)
    assert set(map(type, options(state, 0))) == {EndCombat, Fight}
    play(state, (0, EndCombat()))
    assert not isinstance(top(state), Combat)
    assert state.galley_at[A] == state.galley_at[galley(1)] == ALEXANDRIA


@pytest.mark.rule("CL-NAVAL-01", "CL-D18", "CL-D16")
def test_galleys_fight_only_in_one_sea_zone() -> None:
    state = position(
        galleys={A: "mare_alexandria", B: "cyrenaica", galley(1): "cyrenaica", galley(1, 1): "mare_libycum"},
        phase="combat",
    )
    assert not isinstance(top(state), Combat), "not on a coast, not in different zones"


@pytest.mark.rule("CL-D18")
def test_each_enemy_in_each_zone_once() -> None:
    state = position(
        3,
        homes=("egyptus", "hispania", "macedonia"),
        galleys={A: "mare_alexandria", galley(1): "mare_alexandria", galley(2): "mare_alexandria", B: "mare_rhodus",
                 galley(2, 1): "mare_rhodus"},
        phase="combat",
    )  # fmt: skip
    rhodus = sp("mare_rhodus")
    fights = [Fight(ALEXANDRIA, 1), Fight(ALEXANDRIA, 2), Fight(rhodus, 2)]
    assert options(state, 0) == [EndCombat(), *fights]
    assert refused(state, 0, Fight(rhodus, 1)) == "CL-NAVAL-01"
    play(state, (0, fights[0]), *["..", ".."] * 3)
    assert refused(state, 0, fights[0]) == "CL-D18", "not twice in one turn"
    assert options(state, 0) == [EndCombat(), *fights[1:]]
    play(state, (0, fights[2]), *["..", ".."] * 3)
    assert options(state, 0) == [EndCombat(), fights[1]]
    play(state, (0, fights[1]), *["..", ".."] * 3)
    assert not isinstance(top(state), Combat), "nobody is left to attack"


@pytest.mark.rule("CL-NAVAL-02", "CL-NAVAL-03")
def test_two_dice_for_each_galley_and_only_galley_faces_hit() -> None:
    state = fleets(A, B)
    events = play(state, (0, Fight(ALEXANDRIA, 1)), "iick", "ik")
    assert [event.hits for event in of(events, DiceFell)] == [0, 0]
    events = play(state, "....", "g.")
    assert [event.hits for event in of(events, DiceFell)] == [0, 1]
    frame = top(state)
    assert isinstance(frame, Sinking)
    assert (frame.seat, frame.hits) == (0, 1)


@pytest.mark.rule("CL-NAVAL-02", "CL-D21")
def test_the_owner_chooses_what_sinks() -> None:
    state = fleets(A, B, cargo={A: (2, 0, 0)}, leaders={aboard(A): [G]})
    play(state, (0, Fight(ALEXANDRIA, 1)), "....", "g.")
    assert owed(state) == (0,)
    assert refused(state, 0, Sink((galley(1),))) == "CL-NAVAL-02"
    assert refused(state, 0, Sink((A, B))) == "CL-NAVAL-02"
    assert refused(state, 0, Sink(())) == "CL-NAVAL-02"
    assert refused(state, 0, Sink((C,))) == "CL-NAVAL-02"
    assert refused(state, 0, EndCombat()) == "CL-NAVAL-02"
    assert refused(state, 1, Sink((A,))) == ""
    assert options(state, 0)[0] == Sink((B,)), "the empty one is suggested first"
    play(state, (0, Sink((B,))))
    assert state.cargo[A] == (2, 0, 0)
    assert supply(state, 0)[3] == 7


@pytest.mark.rule("CL-NAVAL-03", "CL-D19")
def test_three_rounds_and_no_retreat() -> None:
    state = fleets(A)
    events = play(state, (0, Fight(ALEXANDRIA, 1)), *["..", ".."] * 3)
    assert [event.winner for event in of(events, BattleEnded)] == [NONE]
    assert not any(isinstance(frame, Naval) for frame in state.frames)
    assert state.galley_at[A] == state.galley_at[galley(1)] == ALEXANDRIA, "both stay"


@pytest.mark.rule("CL-D19")
def test_naval_hits_of_a_round_are_simultaneous() -> None:
    state = fleets(A)
    events = play(state, (0, Fight(ALEXANDRIA, 1)), "g.", "gg")
    assert {event.seat for event in of(events, Sank)} == {0, 1}
    assert state.galley_at[A] == state.galley_at[galley(1)] == 127
    assert [event.winner for event in of(events, BattleEnded)] == [NONE]


@pytest.mark.rule("CL-NAVAL-02")
def test_hits_beyond_the_fleet_are_lost() -> None:
    state = fleets(A, B)
    events = play(state, (0, Fight(ALEXANDRIA, 1)), "gggg", "..")
    assert of(events, DiceFell)[0].hits == 1
    assert of(events, BattleEnded)[0].winner == 0


@pytest.mark.rule("CL-NAVAL-04", "CL-LEAD-04", "CL-EX-03")
def test_example_three_mare_alexandria() -> None:
    """Galatia's empty galley sinks Egypt's, with its legion; the general is captured."""
    state = position(
        homes=("egyptus", "galatia"),
        turn=1,
        phase="combat",
        galleys={A: "mare_alexandria", galley(1): "mare_alexandria"},
        cargo={A: (3, 0, 1)},
        leaders={aboard(A): [G]},
    )
    events = play(state, (1, Fight(ALEXANDRIA, 0)), "g.", "ii")
    assert [len(event.faces) for event in of(events, DiceFell)] == [2, 2]
    assert [event.galleys for event in of(events, Sank)] == [(A,)]
    assert state.cargo[A] == ()
    assert supply(state, 0) == (20, 20, 6, 8)
    assert [event.leaders for event in of(events, Captured)] == [(G,)]
    play(state, (1, Judge(())))
    assert where(state, G) == "prison 1"


@pytest.mark.rule("CL-D21", "CL-CAESAR-01")
def test_a_caesar_who_sinks_is_captured_by_the_owner_of_the_hitting_galleys() -> None:
    state = position(
        3,
        homes=("egyptus", "hispania", "macedonia"),
        phase="combat",
        galleys={A: "mare_alexandria", galley(1): "mare_alexandria", galley(2): "mare_alexandria"},
        leaders={aboard(galley(1)): [caesar(1)]},
        talents=(0, 40, 0),
    )
    events = play(state, (0, Fight(ALEXANDRIA, 1)), "g.", "..")
    assert [(event.seat, event.by) for event in of(events, Eliminated)] == [(1, 0)]
    assert owner(state, "hispania") == 0
    assert state.talents[0] == 40


@pytest.mark.rule("CL-D16")
def test_own_galleys_survive_a_lost_landing() -> None:
    state = position(
        galleys={A: "mare_alexandria"},
        cargo={A: (1, 0, 0)},
        leaders={aboard(A): [G]},
        units={"cyrenaica": {1: (5, 0, 0)}},
        owners={"cyrenaica": 1},
    )
    play(state, (0, sail(A, "cyrenaica")), (0, EndMovement()), (0, Fight(sp("cyrenaica"), 1)), ".", "i....")
    assert owed(state) == (1,)
    assert where(state, G) == "prison 1"
    assert state.galley_at[A] == coast("cyrenaica")


@pytest.mark.rule("CL-D16", "CL-WIN-01")
@pytest.mark.parametrize("defended", [True, False])
def test_enemy_galleys_ashore_are_destroyed_when_the_province_is_won(defended: bool) -> None:
    state = position(
        3,
        homes=("italia", "hispania", "macedonia"),
        units={"italia": {0: (2, 0, 0)}} | ({"narbonensis": {1: (1, 0, 0)}} if defended else {}),
        leaders={"italia": [G]},
        owners={"narbonensis": 1},
        galleys={galley(1): "narbonensis", galley(2): "narbonensis", A: "narbonensis", galley(1, 1): "mare_narbo"},
    )
    play(state, (0, march("italia", "narbonensis", G, 2)), (0, EndMovement()))
    if defended:
        play(state, (0, Fight(sp("narbonensis"), 1)), "i.", ".")
    assert owner(state, "narbonensis") == 0
    assert state.galley_at[galley(1)] == state.galley_at[galley(2)] == 127, "of every enemy"
    assert state.galley_at[A] == coast("narbonensis")
    assert state.galley_at[galley(1, 1)] == sp("mare_narbo"), "those at sea are safe"


@pytest.mark.rule("CL-D16", "CL-WIN-01")
@pytest.mark.parametrize("defended", [True, False])
def test_by_an_option_only_the_galleys_of_players_who_fought_are_destroyed(defended: bool) -> None:
    state = position(
        3,
        homes=("italia", "hispania", "macedonia"),
        units={"italia": {0: (2, 0, 0)}} | ({"narbonensis": {1: (1, 0, 0)}} if defended else {}),
        leaders={"italia": [G]},
        owners={"narbonensis": 1},
        galleys={galley(1): "narbonensis", galley(2): "narbonensis"},
        options={"cleared_shores": 1},
    )
    play(state, (0, march("italia", "narbonensis", G, 2)), (0, EndMovement()))
    if defended:
        play(state, (0, Fight(sp("narbonensis"), 1)), "i.", ".")
    assert owner(state, "narbonensis") == 0
    assert state.galley_at[galley(1)] == (OFF if defended else coast("narbonensis"))
    assert state.galley_at[galley(2)] == coast("narbonensis"), "another player's"


@pytest.mark.rule("CL-D16", "CL-BATTLE-03")
def test_by_the_option_all_who_fought_there_in_the_turn_lose_their_galleys() -> None:
    """The first enemy is beaten while the second still stands there, and the last battle conquers the province."""
    state = position(
        3,
        homes=("italia", "hispania", "macedonia"),
        units={"narbonensis": {0: (3, 0, 0), 1: (1, 0, 0), 2: (1, 0, 0)}},
        leaders={"narbonensis": [G]},
        owners={"narbonensis": 1},
        galleys={galley(1): "narbonensis", galley(2): "narbonensis"},
        options={"cleared_shores": 1},
        phase="combat",
    )
    for enemy in (1, 2):
        play(state, (0, Fight(sp("narbonensis"), enemy)), "i..", ".")
    assert owner(state, "narbonensis") == 0 and state.galley_at[galley(1)] == state.galley_at[galley(2)] == OFF


@pytest.mark.rule("CL-D16", "CL-CAESAR-01")
@pytest.mark.parametrize(("amendments", "kept"), [(0, False), (1, True)])
@pytest.mark.parametrize("defended", [True, False])
def test_the_galleys_of_a_caesar_on_the_shore_of_the_capture_are_the_victors(
    amendments: int, kept: bool, defended: bool
) -> None:
    """Ownership passes "immediately", "then" on-shore enemy galleys are destroyed: those of third players are. Before
    the amendment all of them were."""
    state = position(
        3,
        homes=("italia", "hispania", "macedonia"),
        amendments=amendments,
        units={"italia": {0: (2, 0, 0)}} | ({"narbonensis": {1: (1, 0, 0)}} if defended else {}),
        leaders={"italia": [G], "narbonensis": [caesar(1), general(1)]},
        owners={"narbonensis": 1, "aquitania": 1},
        galleys={galley(1): "narbonensis", galley(2): "narbonensis", galley(1, 1): "aquitania"},
    )
    play(state, (0, march("italia", "narbonensis", G, 2)), (0, EndMovement()))
    if defended:
        play(state, (0, Fight(sp("narbonensis"), 1)), "i.", ".")
    assert owner(state, "narbonensis") == 0 and state.lord[1] == 0
    assert (state.galley_at[galley(1)] == coast("narbonensis")) == kept
    assert state.galley_at[galley(2)] == OFF, "a third player's"
    assert state.galley_at[galley(1, 1)] == coast("aquitania")
    assert state.marker[0] == sum(worth(state, space) for space, seat in enumerate(state.owner) if seat == 0)


@pytest.mark.rule("CL-D16", "CL-BATTLE-03")
def test_a_galley_defends_no_province() -> None:
    state = position(
        homes=("italia", "hispania"),
        units={"italia": {0: (1, 0, 0)}},
        leaders={"italia": [G]},
        owners={"narbonensis": 1},
        galleys={galley(1): "narbonensis"},
    )
    play(state, (0, march("italia", "narbonensis", G, 1)), (0, EndMovement()))
    assert owner(state, "narbonensis") == 0


@pytest.mark.rule("CL-H02")
def test_all_passengers_go_ashore() -> None:
    state = position(galleys={A: "mare_alexandria"}, cargo={A: (2, 1, 0)}, leaders={aboard(A): [G, G2, caesar(0)]})
    play(state, (0, sail(A, "cyrenaica")))
    assert state.cargo[A] == ()
    assert all(where(state, leader) == "cyrenaica" for leader in (G, G2, caesar(0)))
    assert army(state, "cyrenaica", 0) == (2, 1, 0)


@pytest.mark.rule("CL-D16", "CL-WIN-01")
def test_both_coasts_of_a_won_province_are_cleared() -> None:
    state = position(
        3,
        homes=("italia", "hispania", "macedonia"),
        turn=1,
        units={"narbonensis": {1: (1, 0, 0)}},
        leaders={"narbonensis": [general(1)], "neapolis": [caesar(0)]},
        galleys={A: "italia:west", B: "italia:adriatic", C: "mare_narbo"},
    )
    play(state, (1, march("narbonensis", "italia", general(1), 1)), (1, EndMovement()))
    assert owner(state, "italia") == 1
    assert [state.galley_at[g] for g in (A, B, C)] == [127, 127, sp("mare_narbo")]
