"""Recruiting, influence, special tax, moving on land and sea."""

import msgspec
import pytest

from shared.board import BOARD
from shared.ids import NONE
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import DECODER, Attack, Influence, Levy, Move, Pass, Recruit, Sail
from shared.rulesets.cote2.data import SEAS
from shared.rulesets.cote2.events import InfluenceBought, Marched, Recruited
from shared.rulesets.cote2.movement import room
from shared.rulesets.cote2.state import State
from shared.rulesets.cote2.ways import closed_straits, landings, reach
from tests.support.layout import army, sp
from tests.support.positionii import (
    caesar,
    galley,
    general,
    legal,
    move,
    obtain,
    options,
    play,
    position,
    refused,
    skip_to,
    tokens_of,
    use,
    verdict,
    where,
)
from tests.support.referee import of

# --- recruiting ---


def recruit(key: str, *numbers: int) -> Recruit:
    """Return an order for infantry, cavalry, catapults and generals in one province."""
    counts = (*numbers, 0, 0, 0, 0)[:4]
    return Recruit(((sp(key), *counts),))  # type: ignore[arg-type]


def base(**more: object) -> State:
    """Return a position in which Italia is a base of seat 0."""
    return position(leaders={"italia": [caesar(0)]}, influence={"italia": {0: 1}}, **more)  # type: ignore[arg-type]


def said(state: State, action: Action) -> tuple[str, str, str]:
    """Return code, rule and text of a refusal."""
    told = verdict(state, 0, action)
    assert told is not None
    return told.code, told.rule, told.text


@pytest.mark.rule("II-RECRUIT-01")
def test_prices_and_supply() -> None:
    state = base(talents=(65, 0))
    happened = play(state, (0, Recruit(((sp("italia"), 1, 1, 1, 1),), ((sp("mare_narbo"), 1),))))
    assert state.talents[0] == 0
    assert of(happened, Recruited)[0].talents == 65
    assert army(state, "italia", 0) == (1, 1, 1)
    assert where(state, general(0)) == "italia"
    assert state.galley_at[galley(0)] == sp("mare_narbo")
    state = base(talents=(30, 0))
    assert refused(state, 0, recruit("italia", 7)) == "II-RECRUIT-01"
    assert legal(state, 0, recruit("italia", 6))
    state = base(talents=(900, 0), units={"asia": {0: (15, 20, 4)}})
    assert refused(state, 0, recruit("italia", 6)) == "II-RECRUIT-01"
    assert refused(state, 0, recruit("italia", 0, 1)) == "II-RECRUIT-01"
    assert refused(state, 0, recruit("italia", 0, 0, 3)) == "II-RECRUIT-01"
    assert refused(state, 0, Recruit((), ((sp("mare_narbo"), 9),))) == "II-RECRUIT-01"
    assert legal(state, 0, Recruit(((sp("italia"), 5, 0, 2, 4),), ((sp("mare_narbo"), 8),)))


@pytest.mark.rule("II-RECRUIT-02")
def test_recruit_placement() -> None:
    state = position(
        leaders={"italia": [caesar(0)], "asia": [general(0)]},
        influence={"italia": {0: 1}, "egyptus": {0: 3}, "asia": {1: 1}},
    )
    assert legal(state, 0, recruit("italia", 1))
    assert refused(state, 0, recruit("asia", 1)) == "II-RECRUIT-02"
    assert refused(state, 0, recruit("egyptus", 1)) == "II-RECRUIT-02"
    for zone in SEAS[sp("italia")]:
        assert legal(state, 0, Recruit((), ((zone, 1),)))
    assert refused(state, 0, Recruit((), ((sp("mare_pelusium"), 1),))) == "II-RECRUIT-02"
    assert refused(state, 0, Recruit((), ((sp("italia"), 1),))) == "II-RECRUIT-02"
    bare = "Units are recruited where you have influence, not in"
    for space, code, words in (
        (sp("asia"), "no-influence", f"{bare} Asia."),
        (sp("corsica"), "no-influence", f"{bare} Corsica."),
        (sp("mare_narbo"), "no-influence", f"{bare} that place."),
        (NONE, "no-influence", f"{bare} that place."),
        (127, "no-influence", f"{bare} that place."),
        (sp("egyptus"), "no-leader", "There is no general and no Caesar of yours in Egyptus."),
    ):
        assert said(state, Recruit(((space, 1, 0, 0, 0),))) == (code, "II-RECRUIT-02", words)


@pytest.mark.rule("II-RECRUIT-01")
def test_a_refusal_says_what_the_supply_still_has() -> None:
    state = base(talents=(900, 0), units={"asia": {0: (20, 0, 5)}})
    for numbers, words in (
        ((1, 0, 0, 0), "Your supply has no infantry left."),
        ((0, 0, 2, 0), "Your supply has 1 catapult left."),
        ((0, 0, 0, 5), "Your supply has 4 generals left."),
    ):
        assert said(state, recruit("italia", *numbers)) == ("no-supply", "II-RECRUIT-01", words)


@pytest.mark.rule("II-RECRUIT-03")
def test_recruiting_costs_two_chaos() -> None:
    state = base()
    play(state, (0, recruit("italia", 1)), (0, recruit("italia", 10)))
    assert state.chaos == [4, 0]


@pytest.mark.rule("II-D24")
def test_several_provinces_at_once_even_among_enemies() -> None:
    state = position(
        leaders={"italia": [caesar(0)], "asia": [general(0), general(0, 2)]},
        influence={"italia": {0: 1}, "asia": {0: 1}},
        units={"italia": {1: (3, 0, 0)}},
    )
    assert refused(state, 0, Recruit(())) == "II-D24"
    assert refused(state, 0, recruit("italia", 0, 0, 0, 3)) == "II-RECRUIT-01"
    play(state, (0, Recruit(((sp("italia"), 2, 0, 0, 1), (sp("asia"), 0, 1, 0, 1)))))
    assert army(state, "italia", 0) == (2, 0, 0)
    assert army(state, "asia", 0) == (0, 1, 0)
    assert sum(where(state, general(0, k)) != "off" for k in range(1, 5)) == 4


@pytest.mark.rule("II-D24", "II-D51")
def test_an_empty_group_takes_no_city() -> None:
    state = position(
        leaders={"asia": [general(0)], "italia": [caesar(0)]},
        influence={"asia": {0: 1}, "italia": {0: 1}},
        cities={"asia": 1},
    )
    nothing = (sp("asia"), 0, 0, 0, 0)
    assert refused(state, 0, Recruit((nothing,), ((sp("mare_rhodus"), 0),))) == "II-D24"
    happened = play(state, (0, Recruit((nothing, (sp("italia"), 1, 0, 0, 0)), ((sp("mare_rhodus"), 0),))))
    assert state.owner[sp("asia")] == 1
    assert of(happened, Recruited) == [Recruited(0, ((sp("italia"), 1, 0, 0, 0),), (), 5)]
    play(state, (0, recruit("asia", 1)))
    assert state.owner[sp("asia")] == 0


@pytest.mark.rule("II-RECRUIT-01")
def test_no_number_of_galleys_is_below_none() -> None:
    taken_back = Recruit(((sp("italia"), 1, 0, 0, 0),), ((sp("mare_narbo"), -1),))
    with pytest.raises(msgspec.ValidationError, match=">= 0"):
        DECODER.decode(msgspec.msgpack.encode(taken_back))


# --- influence ---


@pytest.mark.rule("II-INFL-01", "II-D26")
def test_a_general_buys_one_the_caesar_two_never_three() -> None:
    state = position(leaders={"italia": [general(0)]}, tokens={"italia": 3, "asia": 2})
    italia = sp("italia")
    assert legal(state, 0, Influence(italia, (NONE,)))
    assert refused(state, 0, Influence(italia, (NONE, NONE))) == "II-INFL-01"
    assert refused(state, 0, Influence(italia, ())) == "II-INFL-01"
    assert refused(state, 0, Influence(sp("asia"), (NONE,))) == "II-INFL-01"
    state = position(
        leaders={"italia": [general(0), caesar(0)]}, tokens={"italia": 3}, units={"italia": {1: (5, 0, 0)}}
    )
    assert refused(state, 0, Influence(italia, (NONE,) * 3)) == "II-INFL-01"
    play(state, (0, Influence(italia, (NONE, NONE))))
    assert tokens_of(state, "italia", 0) == 2
    assert state.tokens[italia] == 1


@pytest.mark.rule("II-INFL-02", "II-INFL-03")
def test_ten_talents_for_the_bank_and_tokens_change() -> None:
    state = position(
        leaders={"italia": [caesar(0)]}, tokens={"italia": 1}, influence={"italia": {1: 2}}, talents=(25, 7 * 5)
    )
    happened = play(state, (0, Influence(sp("italia"), (NONE, 1))))
    assert state.talents == [5, 35]
    assert state.influence[sp("italia")] == (2, 1)
    assert state.tokens[sp("italia")] == 0
    assert of(happened, InfluenceBought)[0].talents == 20
    assert refused(state, 0, Influence(sp("italia"), (1,))) == "II-INFL-02"
    state = position(leaders={"italia": [caesar(0)]}, tokens={"italia": 1}, influence={"italia": {1: 1}})
    assert refused(state, 0, Influence(sp("italia"), (NONE, NONE))) == "II-INFL-03"
    assert refused(state, 0, Influence(sp("italia"), (1, 1))) == "II-INFL-03"
    assert refused(state, 0, Influence(sp("italia"), (0,))) == "II-INFL-03"
    assert refused(state, 0, Influence(sp("italia"), (5,))) == "II-INFL-03"


@pytest.mark.rule("II-INFL-04")
def test_guarded_tokens_and_tokens_of_allies() -> None:
    italia = sp("italia")
    for guard in ((1, 0, 0), (0, 1, 0), (0, 0, 1)):
        state = position(leaders={"italia": [caesar(0)]}, influence={"italia": {1: 1}}, units={"italia": {1: guard}})
        assert refused(state, 0, Influence(italia, (1,))) == "II-INFL-04"
    state = position(
        leaders={"italia": [caesar(0), general(1)]}, influence={"italia": {1: 1}}, galleys={8: "mare_narbo"}
    )
    assert legal(state, 0, Influence(italia, (1,)))
    state = position(
        4, leaders={"italia": [caesar(0)]}, influence={"italia": {1: 1, 2: 1}}, units={"italia": {3: (1, 0, 0)}}
    )
    assert refused(state, 0, Influence(italia, (2,))) == "II-INFL-04"
    assert legal(state, 0, Influence(italia, (1,)))


@pytest.mark.rule("II-INFL-05")
def test_other_ways_to_influence() -> None:
    state = position(leaders={"asia": [caesar(0)]}, row=["politician"])
    play(state, (0, obtain("politician")))
    assert tokens_of(state, "asia", 0) == 1


@pytest.mark.rule("II-D10")
def test_influence_tokens_run_out() -> None:
    full = {"asia": {0: 17}}
    state = position(leaders={"italia": [caesar(0)]}, tokens={"italia": 2}, influence=full, row=["politician"])
    assert refused(state, 0, Influence(sp("italia"), (NONE, NONE))) == "II-D10"
    play(state, (0, Influence(sp("italia"), (NONE,))))
    assert refused(state, 0, Influence(sp("italia"), (NONE,))) == "II-D10"
    assert refused(state, 0, obtain("politician")) == "II-D10"
    state = position(leaders={"italia": [caesar(0)]}, tokens={"italia": 2}, influence=full, options={"influence": 20})
    assert legal(state, 0, Influence(sp("italia"), (NONE, NONE)))


# --- special tax ---


@pytest.mark.rule("II-TAX-01")
def test_special_tax() -> None:
    for talents in (5, 10, 15, 20, 25):
        state = position(talents=(0, 0))
        play(state, (0, Levy(talents)))
        assert state.talents == [talents, 0]
        assert state.chaos == [talents // 5, 0]
    for talents in (0, 3, 12, 30):
        assert refused(position(), 0, Levy(talents)) == "II-TAX-01"


@pytest.mark.rule("II-EX-05")
def test_special_tax_and_loot() -> None:
    state = position(talents=(0, 0), cards={0: ["loot_the_countryside"]})
    play(state, (0, Levy(25)))
    assert (state.talents[0], state.chaos[0]) == (25, 5)
    play(state, (0, use("loot_the_countryside")))
    assert (state.talents[0], state.chaos[0]) == (75, 10)
    assert legal(state, 0, Levy(5)), "the card cost no action"


# --- moving on land ---


@pytest.mark.rule("II-MOVE-01")
def test_a_leader_sets_units_in_motion() -> None:
    state = position(leaders={"italia": [general(0)]}, units={"italia": {0: (3, 0, 0)}, "asia": {0: (2, 0, 0)}})
    assert refused(state, 0, move("asia", ("galatia", 1, 0, 0))) == "II-MOVE-01"
    assert refused(state, 0, move("italia", ("neapolis", 4, 0, 0))) == "II-MOVE-01"
    assert refused(state, 0, move("italia")) == "II-MOVE-01"
    assert refused(state, 0, move("italia", leaders=[(general(1), "neapolis")])) == "II-MOVE-01"
    assert refused(state, 0, move("italia", leaders=[(general(0), "neapolis")] * 2)) == "II-MOVE-01"
    play(state, (0, move("italia", ("neapolis", 2, 0, 0))))
    assert army(state, "italia", 0) == (1, 0, 0)
    assert where(state, general(0)) == "italia"


@pytest.mark.rule("II-MOVE-02", "II-D27", "II-D28", "II-D29")
def test_any_distance_but_not_past_enemies() -> None:
    state = position(
        3,
        sides=(0, 1, 0),
        leaders={"hispania": [general(0)], "aquitania": [general(1)]},
        units={"hispania": {0: (3, 0, 0), 1: (1, 0, 0)}, "narbonensis": {2: (2, 0, 0)}, "pannonia": {1: (1, 0, 0)}},
    )
    found = reach(state, 0, sp("hispania"))
    assert {"narbonensis", "italia", "pannonia", "aquitania", "lugdunensis"} <= {BOARD.keys[space] for space in found}
    assert sp("dacia") in found, "by way of Moesia"
    for key in ("dalmatia", "moesia", "macedonia"):
        assert sp(key) in found
    for key in ("pannonia", "asia", "galatia", "tingitana", "egyptus"):
        assert legal(state, 0, move("hispania", (key, 1, 0, 0))), key
    state = position(
        leaders={"italia": [general(0)]},
        units={
            "italia": {0: (3, 0, 0)},
            "dalmatia": {1: (0, 0, 1)},
            "pannonia": {1: (1, 0, 0)},
            "thracia": {1: (0, 1, 0)},
        },
    )
    assert refused(state, 0, move("italia", ("dacia", 1, 0, 0))) == "II-MOVE-02"
    assert refused(state, 0, move("italia", ("macedonia", 1, 0, 0))) == "II-MOVE-02"
    assert legal(state, 0, move("italia", ("pannonia", 1, 0, 0), ("dalmatia", 1, 0, 0)))


@pytest.mark.rule("II-MOVE-02")
@pytest.mark.parametrize("mover", [0, 1, 2])
def test_enemies_stop_a_march_even_beside_others(mover: int) -> None:
    foe = 1 if mover != 1 else 2
    state = position(
        4,
        turn=mover,
        sides=(0, 1, 0, 1),
        leaders={"neapolis": [general(mover)]},
        units={
            "neapolis": {mover: (3, 0, 0)},
            "italia": {mover: (1, 0, 0), foe: (1, 0, 0), (mover + 2) % 4: (1, 0, 0)},
        },
    )
    assert legal(state, mover, move("neapolis", ("italia", 1, 0, 0)))
    told = verdict(state, mover, move("neapolis", ("noricum", 1, 0, 0)))
    assert told is not None
    assert told.rule == "II-MOVE-02"


@pytest.mark.rule("II-MOVE-02")
def test_a_move_leads_to_another_province() -> None:
    state = position(leaders={"italia": [general(0)]}, units={"italia": {0: (3, 0, 0)}}, galleys={0: "mare_tyrrhenum"})
    nowhere = ("no-such-space", "II-MOVE-02", "A move leads to another province.")
    assert said(state, move("italia", ("italia", 1, 0, 0))) == nowhere
    assert said(state, move("italia", leaders=[(general(0), "italia")])) == nowhere
    assert said(state, move("italia", ("mare_tyrrhenum", 1, 0, 0))) == nowhere
    assert said(state, Move(sp("italia"), ((NONE, 1, 0, 0),))) == nowhere
    assert said(state, Move(sp("italia"), ((127, 1, 0, 0),))) == nowhere
    for source in (NONE, sp("mare_tyrrhenum"), 127):
        assert refused(state, 0, Move(source, ((sp("asia"), 1, 0, 0),))) == "II-MOVE-01"
    assert sp("italia") not in reach(state, 0, sp("italia")) | landings(state, 0, sp("italia"))


STRAITS = {
    ("baetica", "tingitana"): ("mare_hispalis", "mare_balaricum"),
    ("neapolis", "sicilia"): ("mare_tyrrhenum", "mare_epirus"),
    ("thracia", "asia"): ("mare_aegaeum", "mare_pontus_euxinus"),
    ("belgica", "britannia"): ("oceanus_britannicus",),
}
"""The zone of the arrows, then the others that touch both shores."""
ANY_ZONE = {"strait_zones": 0}


@pytest.mark.rule("II-MOVE-03", "II-D30", "II-D28")
@pytest.mark.parametrize("options", [{}, ANY_ZONE], ids=["arrows", "any zone"])
@pytest.mark.parametrize("ends", STRAITS)
def test_galleys_close_straits(ends: tuple[str, str], options: dict[str, int]) -> None:
    a, b = ends
    units = {a: {0: (1, 0, 0)}}
    state = position(leaders={a: [general(0)]}, units=units, options=options)
    assert sp(b) in reach(state, 0, sp(a))
    closing = {zone for zones in STRAITS.values() for zone in (zones if options else zones[:1])}
    for zone in BOARD.keys[BOARD.provinces :]:
        state = position(leaders={a: [general(0)]}, units=units, galleys={galley(1): zone}, options=options)
        assert bool(closed_straits(state, 0)) == (zone in closing)
        if zone not in closing or zone not in STRAITS[ends]:
            assert sp(b) in reach(state, 0, sp(a))
        elif b in ("sicilia", "britannia"):
            told = verdict(state, 0, move(a, (b, 1, 0, 0)))
            assert told is not None
            assert (told.code, told.rule) == ("strait-closed", "II-MOVE-03")
            assert f"in {BOARD.names[sp(zone)]} close the strait to {BOARD.names[sp(b)]}" in told.text
        own = position(3, sides=(0, 1, 0), leaders={a: [general(0)]}, galleys={galley(2): zone}, options=options)
        assert not closed_straits(own, 0), "galleys of allies close nothing"


@pytest.mark.rule("II-MOVE-02", "II-MOVE-03", "II-MOVE-04")
def test_a_refused_march_names_what_bars_the_way() -> None:
    units = {"noricum": {0: (3, 0, 0)}, "italia": {1: (1, 0, 0)}, "rhaetia": {1: (1, 0, 0)}}
    walls = {**units, "pannonia": {1: (1, 0, 0)}, "germania": {1: (1, 0, 0)}}
    state = position(leaders={"noricum": [general(0)]}, units=walls)
    barred = ("barred", "II-MOVE-02", "Units of the other alliance in Italia block the way.")
    assert said(state, move("noricum", ("neapolis", 1, 0, 0))) == barred
    island = ("no-way", "II-MOVE-04", "No way by land leads to Creta, and Noricum has no coast to embark from.")
    assert said(state, move("noricum", ("creta", 1, 0, 0))) == island

    shore = {"neapolis": {0: (2, 0, 0)}, "italia": {1: (1, 0, 0)}}
    state = position(leaders={"neapolis": [general(0)]}, units=shore, galleys={galley(1): "mare_tyrrhenum"})
    assert said(state, move("neapolis", ("dalmatia", 1, 0, 0))) == (
        "barred",
        "II-MOVE-02",
        "Units of the other alliance in Italia block the way. By sea it takes a galley of yours next to Dalmatia.",
    )
    assert said(state, move("neapolis", ("sicilia", 1, 0, 0))) == (
        "strait-closed",
        "II-MOVE-03",
        "Galleys of the other alliance in Mare Tyrrhenum close the strait to Sicilia. "
        "By sea it takes a galley of yours next to Sicilia.",
    )
    assert said(state, move("neapolis", ("creta", 1, 0, 0))) == (
        "no-way", "II-MOVE-04", "No galley of yours lies next to Creta.",
    )  # fmt: skip


# --- over sea ---


@pytest.mark.rule("II-MOVE-04", "II-D31")
def test_four_units_for_each_galley() -> None:
    def fleet(**galleys: str) -> State:
        at = {int(number[1:]): zone for number, zone in galleys.items()}
        return position(leaders={"egyptus": [general(0), caesar(0)]}, units={"egyptus": {0: (12, 0, 0)}}, galleys=at)

    one = fleet(g0="mare_tyrrhenum")
    assert legal(one, 0, move("egyptus", ("corsica", 4, 0, 0)))
    assert refused(one, 0, move("egyptus", ("corsica", 5, 0, 0))) == "II-MOVE-04"
    both = [(general(0), "corsica"), (caesar(0), "corsica")]
    assert legal(one, 0, move("egyptus", ("corsica", 4, 0, 0), leaders=both))
    assert refused(one, 0, move("egyptus", ("corsica", 3, 0, 0), ("sardinia", 2, 0, 0))) == "II-MOVE-04"
    assert refused(one, 0, move("egyptus", ("baleares", 1, 0, 0))) == "II-MOVE-04"
    assert refused(one, 0, move("egyptus", leaders=[(general(0), "creta")])) == "II-MOVE-04"
    two = fleet(g0="mare_tyrrhenum", g1="mare_narbo")
    assert legal(two, 0, move("egyptus", ("corsica", 8, 0, 0)))
    assert legal(two, 0, move("egyptus", ("corsica", 4, 0, 0), ("baleares", 4, 0, 0)))
    assert refused(two, 0, move("egyptus", ("corsica", 5, 0, 0), ("baleares", 4, 0, 0))) == "II-MOVE-04"
    play(two, (0, move("egyptus", ("corsica", 8, 0, 0))), (0, move("egyptus", ("corsica", 4, 0, 0))))
    assert army(two, "corsica", 0) == (12, 0, 0), "each action anew"


@pytest.mark.rule("II-D31")
def test_four_units_for_each_province_is_an_option() -> None:
    def fleet(**options: int) -> State:
        units = {"egyptus": {0: (12, 0, 0)}}
        at = {0: "mare_tyrrhenum"}
        return position(leaders={"egyptus": [general(0)]}, units=units, galleys=at, options=options)

    two = move("egyptus", ("corsica", 4, 0, 0), ("sardinia", 4, 0, 0))
    assert said(fleet(), two) == (
        "too-many-aboard", "II-MOVE-04", "A galley next to where they land carries 4 units in one action.",
    )  # fmt: skip
    state = fleet(galley_landings=1)
    assert said(state, move("egyptus", ("corsica", 4, 0, 0), ("sardinia", 5, 0, 0))) == (
        "too-many-aboard", "II-MOVE-04", "A galley next to where they land carries 4 units to each province.",
    )  # fmt: skip
    assert refused(state, 0, move("egyptus", ("corsica", 3, 0, 0), ("corsica", 2, 0, 0))) == "II-MOVE-04"
    play(state, (0, two))
    assert army(state, "corsica", 0) == army(state, "sardinia", 0) == (4, 0, 0)


AROUND_SYRIA = ("armenia", "cappadocia", "cilicia", "mesopotamia", "palestina", "arabia_petraea")


@pytest.mark.rule("II-D31")
def test_units_that_landed_stay_where_they_landed_in_this_action() -> None:
    units = {"syria": {0: (2, 0, 0)}} | {key: {1: (1, 0, 0)} for key in AROUND_SYRIA}
    state = position(leaders={"syria": [general(0)]}, units=units, galleys={0: "mare_tyrrhenum"})
    assert legal(state, 0, move("syria", ("italia", 1, 0, 0)))
    assert refused(state, 0, move("syria", ("noricum", 1, 0, 0))) == "II-MOVE-02", "not by way of Italia"
    play(state, (0, move("syria", ("italia", 2, 0, 0), leaders=[(general(0), "italia")])))
    play(state, (0, move("italia", ("noricum", 2, 0, 0))))
    assert army(state, "noricum", 0) == (2, 0, 0), "the next action is another one"


@pytest.mark.rule("II-D31")
def test_by_an_option_units_march_on_after_a_landing() -> None:
    def shipped(**guards: dict[int, tuple[int, int, int]]) -> State:
        units = {"syria": {0: (9, 0, 0)}, **{key: {1: (1, 0, 0)} for key in AROUND_SYRIA}, **guards}
        return position(leaders={"syria": [general(0)]}, units=units, galleys={0: "mare_tyrrhenum"},
                        options={"march_on": 1})  # fmt: skip

    state = shipped()
    assert {sp("noricum"), sp("dacia")} <= landings(state, 0, sp("syria")), "by way of Italia"
    assert refused(state, 0, move("syria", ("noricum", 5, 0, 0))) == "II-MOVE-04", "a galley carries four"
    assert refused(state, 0, move("syria", ("noricum", 2, 0, 0), ("italia", 3, 0, 0))) == "II-MOVE-04", "in all"
    play(state, (0, move("syria", ("noricum", 3, 0, 0), ("italia", 1, 0, 0), leaders=[(general(0), "noricum")])))
    assert army(state, "noricum", 0) == (3, 0, 0) and army(state, "italia", 0) == (1, 0, 0)
    assert legal(shipped(noricum={1: (2, 0, 0)}), 0, move("syria", ("noricum", 1, 0, 0))), "to an enemy"
    gates = {key: {1: (1, 0, 0)} for key in ("italia", "neapolis")}
    shut = shipped(**gates)
    assert refused(shut, 0, move("syria", ("noricum", 1, 0, 0))) == "II-MOVE-02", "enemies end every march"
    assert legal(shut, 0, move("syria", ("italia", 1, 0, 0)))
    assert legal(shut, 0, move("syria", ("sardinia", 1, 0, 0)))


@pytest.mark.rule("II-D31")
def test_by_the_option_galleys_of_several_shores_serve_one_province() -> None:
    state = position(
        leaders={"syria": [general(0)]}, galleys={0: "mare_tyrrhenum", 1: "mare_adriatico"}, options={"march_on": 1},
        units={"syria": {0: (12, 0, 0)}} | {key: {1: (1, 0, 0)} for key in AROUND_SYRIA},
    )  # fmt: skip
    assert room(state, 0, sp("pannonia")) == 8
    assert legal(state, 0, move("syria", ("pannonia", 8, 0, 0)))
    assert refused(state, 0, move("syria", ("pannonia", 9, 0, 0))) == "II-MOVE-04"
    assert refused(state, 0, move("syria", ("pannonia", 3, 0, 0), ("sardinia", 5, 0, 0))) == "II-MOVE-04"


@pytest.mark.rule("II-MOVE-04", "II-D31")
def test_embarking_needs_a_coast_and_comes_first() -> None:
    inland = position(
        leaders={"mesopotamia": [general(0)]}, units={"mesopotamia": {0: (2, 0, 0)}}, galleys={0: "mare_tyrrhenum"}
    )
    assert landings(inland, 0, sp("mesopotamia")) == set()
    assert refused(inland, 0, move("mesopotamia", ("corsica", 1, 0, 0))).startswith("II-MOVE")
    shore = position(leaders={"syria": [general(0)]}, units={"syria": {0: (2, 0, 0)}}, galleys={0: "mare_tyrrhenum"})
    happened = play(shore, (0, move("syria", ("corsica", 1, 0, 0), ("egyptus", 1, 0, 0))))
    assert [(BOARD.keys[event.to], event.by_sea) for event in of(happened, Marched)] == [
        ("corsica", True),
        ("egyptus", False),
    ]


@pytest.mark.rule("II-MOVE-05")
def test_enemy_galleys_do_not_stop_a_landing() -> None:
    state = position(
        leaders={"egyptus": [general(0)]},
        units={"egyptus": {0: (4, 0, 0)}, "sicilia": {1: (5, 0, 0)}},
        galleys={0: "mare_epirus", 8: "mare_epirus", 9: "mare_alexandria", 10: "mare_pelusium"},
    )
    play(state, (0, move("egyptus", ("sicilia", 4, 0, 0))))
    assert army(state, "sicilia", 0) == (4, 0, 0)
    assert army(state, "sicilia", 1) == (5, 0, 0)


@pytest.mark.rule("II-MOVE-06")
def test_six_units_to_six_places() -> None:
    state = position(leaders={"italia": [general(0)]}, units={"italia": {0: (6, 0, 0)}})
    targets = ["neapolis", "dalmatia", "noricum", "rhaetia", "pannonia", "narbonensis"]
    play(state, (0, move("italia", *[(key, 1, 0, 0) for key in targets])))
    assert all(army(state, key, 0) == (1, 0, 0) for key in targets)
    assert army(state, "italia", 0) == (0, 0, 0)


@pytest.mark.rule("II-D32")
def test_a_unit_may_move_twice_in_a_turn_with_leaders() -> None:
    state = position(leaders={"italia": [general(0)]}, units={"italia": {0: (2, 0, 0)}, "dalmatia": {1: (1, 0, 0)}})
    play(state, (0, move("italia", ("dalmatia", 2, 0, 0), leaders=[(general(0), "dalmatia")])))
    assert legal(state, 0, move("dalmatia", ("moesia", 2, 0, 0)))
    other = position(leaders={"italia": [general(0)]}, units={"italia": {0: (2, 0, 0)}})
    play(other, (0, move("italia", ("dalmatia", 2, 0, 0))))
    assert refused(other, 0, move("dalmatia", ("moesia", 2, 0, 0))) == "II-MOVE-01"


@pytest.mark.rule("II-D33")
def test_leaders_alone() -> None:
    state = position(leaders={"italia": [general(0), caesar(0)]}, units={"dalmatia": {1: (3, 0, 0)}})
    assert refused(state, 0, move("italia", leaders=[(general(0), "dalmatia"), (caesar(0), "creta")])) == "II-MOVE-04"
    play(state, (0, move("italia", leaders=[(general(0), "dalmatia"), (caesar(0), "neapolis")])))
    assert where(state, general(0)) == "dalmatia"
    assert refused(state, 0, Attack(sp("dalmatia"), 1)) == "II-D34"


@pytest.mark.rule("II-EX-02")
def test_jacks_move() -> None:
    jack, keith = 0, 1
    state = position(
        leaders={"egyptus": [caesar(jack), general(jack)]},
        units={"egyptus": {jack: (8, 2, 1)}, "galatia": {keith: (1, 0, 0)}, "thracia": {keith: (1, 0, 0)}},
        influence={"egyptus": {jack: 2}, "galatia": {keith: 2}},
        galleys={galley(jack): "mare_libycum"},
    )
    play(
        state,
        (
            jack,
            move(
                "egyptus",
                ("numidia", 1, 0, 0),
                ("hispania", 1, 0, 0),
                ("sicilia", 1, 0, 0),
                ("galatia", 4, 2, 1),
                leaders=[(general(jack), "galatia")],
            ),
        ),
    )
    assert army(state, "egyptus", jack) == (1, 0, 0)
    assert where(state, caesar(jack)) == "egyptus"
    assert army(state, "galatia", jack) == (4, 2, 1)
    assert army(state, "hispania", jack) == army(state, "numidia", jack) == army(state, "sicilia", jack) == (1, 0, 0)


# --- galleys ---


@pytest.mark.rule("II-NAVAL-01")
def test_galleys_go_anywhere_to_one_zone() -> None:
    state = position(galleys={0: "mare_narbo", 1: "oceanus_britannicus", 8: "mare_rhodus", 9: "mare_hispalis"})
    play(state, (0, Sail(sp("mare_rhodus"), (0, 1))))
    assert state.galley_at[:2] == [sp("mare_rhodus")] * 2
    assert refused(state, 0, Sail(sp("mare_epirus"), (8,))) == "II-NAVAL-01"
    assert refused(state, 0, Sail(sp("mare_epirus"), (2,))) == "II-NAVAL-01"
    assert refused(state, 0, Sail(sp("mare_epirus"), (0, 0))) == "II-NAVAL-01"
    assert refused(state, 0, Sail(sp("mare_rhodus"), (0,))) == "II-NAVAL-01"
    assert refused(state, 0, Sail(NONE, ())) == "II-NAVAL-01"


@pytest.mark.rule("II-EX-04")
def test_both_of_keiths_tokens() -> None:
    """With a general one token an action; with the Caesar both at once."""
    jack, keith = 0, 1
    state = position(
        leaders={"galatia": [general(jack)]}, influence={"galatia": {keith: 2}}, units={"galatia": {jack: (3, 2, 1)}}
    )
    play(state, (jack, Influence(sp("galatia"), (keith,))), (jack, Influence(sp("galatia"), (keith,))))
    assert state.influence[sp("galatia")] == (2, 0)
    assert state.talents == [80, 100]
    state = position(leaders={"galatia": [caesar(jack)]}, influence={"galatia": {keith: 2}})
    play(state, (jack, Influence(sp("galatia"), (keith, keith))), (jack, Pass()))
    assert state.talents == [80, 100]


@pytest.mark.rule("II-EX-06")
def test_a_garrison_costs_two_actions() -> None:
    state = position(
        leaders={"galatia": [general(0)]},
        units={"galatia": {0: (3, 0, 0)}, "asia": {1: (1, 0, 0)}},
        influence={"asia": {1: 1}},
    )
    play(state, (0, move("galatia", ("asia", 3, 0, 0), leaders=[(general(0), "asia")])))
    assert refused(state, 0, Influence(sp("asia"), (1,))) == "II-INFL-04"
    play(state, (0, Attack(sp("asia"), 1)), "i...", "...")
    skip_to(state, 0)
    assert legal(state, 0, Influence(sp("asia"), (1,)))


def test_options_offer_moves_and_all_are_legal() -> None:
    state = position(
        leaders={"italia": [general(0)], "egyptus": [caesar(0)]},
        units={"italia": {0: (3, 1, 1)}, "egyptus": {0: (2, 0, 0), 1: (1, 0, 0)}},
        galleys={0: "mare_narbo", 8: "mare_narbo"},
        influence={"italia": {0: 1}},
    )
    found = options(state, 0)
    assert len({type(action) for action in found}) == 6
    for action in found:
        assert legal(state, 0, action), action
