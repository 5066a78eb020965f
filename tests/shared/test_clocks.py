"""Clocks are computed from the pace and the log alone."""

import random
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from protocol import codec
from shared.clocks import SECOND, Clocks, Timing, is_decision, pace_of, playable
from shared.history import Course, Deed, Entry
from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.cote2 import frames as cote2
from shared.rulesets.registry import RULESETS
from shared.tables import Late, Pace, Run
from shared.vocabulary import frames
from tests.server.toy import TOY, Name
from tests.support.match_clocks import clocks_after

LIVE: Final = Pace(Run.LIVE, 10, 60, 30)
POST: Final = Pace(Run.POST, 3600, 86_400)
PACES: Final = st.builds(
    Pace, st.sampled_from([Run.LIVE, Run.POST]), st.integers(1, 20), st.integers(0, 60), st.integers(0, 30)
)


def named(n: int, seat: int, at: int, used: int) -> Entry:
    """Return an entry in which a seat named a number in the game of tests."""
    return Entry(n, seat, n, 2, codec.encode(Name(3)), Deed.PLAY, 0, at, ((seat, used),))


def first(pace: Pace, seats: int = 2) -> tuple[Clocks, object]:
    """Return the clocks of a match that began at 1000, and its position."""
    clocks, position = Clocks(pace, seats), engine.start(TOY, seats, {}, engine.ignore_event)
    clocks.begin(1000)
    clocks.owe(TOY, position)
    return clocks, position


def test_unused_time_goes_into_the_bank_up_to_its_start() -> None:
    clocks, position = first(LIVE)
    assert clocks.left(0, 1000) == 70_000 and clocks.bank(0, 1000) == 60_000
    assert clocks.left(0, 26_000) == 45_000 and clocks.bank(0, 26_000) == 45_000 and clocks.bank(0, 9000) == 60_000
    clocks.take(named(1, 0, 26_000, 25_000))
    clocks.owe(TOY, position)
    assert clocks.banks[0].left == 45_000, "ten seconds of the decision, fifteen of the bank"
    for n in (2, 3, 4):
        clocks.take(named(n, 0, 26_000 + n * 1000, 1000))
        clocks.owe(TOY, position)
    assert clocks.banks[0].left == 60_000, "9 of each three, but no more than at first"
    assert clocks.left(1, 26_000) == 45_000, "the other one has been deciding all the time"


def test_by_post_only_what_takes_longer_than_a_decision_may_is_taken_from_the_bank() -> None:
    clocks, position = first(POST)
    clocks.take(named(1, 0, 2000, 1000))
    clocks.owe(TOY, position)
    assert clocks.banks[0].left == 86_400_000
    clocks.take(named(2, 0, 7_202_000, 7_200_000))
    clocks.owe(TOY, position)
    assert clocks.banks[0].left == 82_800_000 and clocks.left(0, 7_202_000) == 86_400_000


def test_a_clock_ends_at_nothing() -> None:
    clocks, _ = first(LIVE)
    assert clocks.left(0, 71_000) == clocks.bank(0, 71_000) == clocks.left(0, 99_000) == 0
    clocks.take(named(1, 0, 99_000, 98_000))
    assert clocks.banks[0].left == 0


def test_a_standing_action_costs_and_gives_no_time() -> None:
    clocks, position = first(LIVE)
    clocks.take(Entry(1, 1, 1, 0, b"", Deed.PLAY, 0, 5000))
    clocks.owe(TOY, position)
    assert clocks.used(1, 6000) == clocks.used(0, 6000) == 5000


@pytest.mark.parametrize("deed", [Deed.BACK, Deed.TIME])
def test_time_restarts_after_a_step_back_and_continues_after_a_pause(deed: Deed) -> None:
    clocks, position = first(LIVE)
    clocks.take(Entry(1, NATURE, 0, 0, codec.encode(Timing()), deed, 0, 5000))
    clocks.owe(TOY, position)
    assert clocks.used(0, 6000) == (1000 if deed is Deed.BACK else 5000)


def test_a_decision_that_is_taken_back_takes_back_what_it_brought() -> None:
    clocks, position = first(LIVE)
    clocks.take(named(1, 0, 21_000, 20_000))
    clocks.owe(TOY, position)
    clocks.take(Entry(2, 0, 0, 0, b"", Deed.BACK, 0, 22_000, ((0, 1000),)))
    assert clocks.banks[0].left == 60_000 + 10_000 - 20_000 - 1000 - 10_000


def test_a_paused_match_uses_no_time() -> None:
    clocks, position = first(LIVE)
    deeds = {11_000: Timing(True), 50_000: Timing(True, more=((1, 7000),)), 90_000: Timing()}
    for n, (at, timing) in enumerate(deeds.items(), 1):
        clocks.take(Entry(n, NATURE, 0, 0, codec.encode(timing), Deed.TIME, 0, at))
        clocks.owe(TOY, position)
        assert clocks.used(0, at) == 10_000
    assert clocks.left(0, 91_000) == 59_000 and clocks.left(1, 91_000) == 66_000


@pytest.mark.parametrize("paused", [False, True])
def test_another_pace_fills_all_banks_and_begins_anew(paused: bool) -> None:
    clocks, position = first(LIVE)
    clocks.take(Entry(1, NATURE, 0, 0, codec.encode(Timing(paused, POST)), Deed.TIME, 0, 60_000))
    clocks.owe(TOY, position)
    assert clocks.pace == POST and clocks.paused == paused
    assert clocks.left(0, 61_000) == 90_000_000 - (0 if paused else 1000)


def test_tables_of_older_clients_have_seconds_for_each_decision_or_none() -> None:
    assert pace_of(None, 0) == Pace() and pace_of(None, 30) == Pace(Run.POST, 30) and pace_of(LIVE, 30) == LIVE
    assert not Clocks(Pace(), 2).runs and Clocks(pace_of(None, 30), 2).runs
    assert playable(LIVE) and playable(Pace()) and not playable(Pace(Run.LIVE, 0, 600))


@pytest.mark.long
@given(PACES, st.lists(st.tuples(st.integers(0, 1), st.integers(0, 100_000)), max_size=30))
def test_the_bank_is_its_start_plus_increments_less_use(pace: Pace, decisions: list[tuple[int, int]]) -> None:
    clocks, position = first(pace)
    full, each = pace.bank * SECOND, pace.each * SECOND
    left, at = [full, full], 1000
    for n, (seat, took) in enumerate(decisions, 1):
        at += took
        before, used = left[seat], min(clocks.used(seat, at), left[seat] + each)
        clocks.take(named(n, seat, at, used))
        clocks.owe(TOY, position)
        left[seat] = min(full, before + each - used) if pace.run is Run.LIVE else before - max(0, used - each)
        assert [fund.left for fund in clocks.banks] == left and 0 <= left[seat] <= before + each
        assert clocks.left(seat, at) == left[seat] + each and clocks.bank(seat, at) == left[seat]
    assert all(fund.left == pace.reserve * SECOND for fund in clocks.reserves)


def random_log(rules: AnyRuleset, seed: int) -> list[Entry]:
    """Return a random game's log in which every decision takes time, with pauses and added time."""
    rng, at = random.Random(seed), 1000
    state = engine.start(rules, 3, {}, engine.ignore_event)
    entries: list[Entry] = []
    while len(entries) < 120 and not rules.finished(state):
        n, at = len(entries) + 1, at + rng.randrange(20_000)
        if rng.random() < 0.1:
            timing = Timing(rng.random() < 0.4, rng.choice((None, None, LIVE, POST)), ((rng.randrange(3), 5000),))
            entries.append(Entry(n, NATURE, 0, 0, codec.encode(timing), Deed.TIME, 0, at))
            continue
        frame, action = engine.top(state).no, engine.chance_action(state, rng)
        seat = engine.owed(rules, state)[0]
        used = () if action else ((seat, rng.randrange(30_000)),)
        action = action or rng.choice(engine.options(rules, state, seat))
        engine.play(rules, state, seat, action, engine.ignore_event)
        entries.append(Entry(n, seat, n * (seat >= 0), frame, codec.encode(action), Deed.PLAY, 0, at, used))
    return entries


@pytest.mark.parametrize("rules", [*RULESETS.values(), TOY], ids=lambda rules: rules.id)
@pytest.mark.parametrize("seed", range(4))
def test_clocks_are_the_same_with_and_without_steps_of_chance(rules: AnyRuleset, seed: int) -> None:
    entries = random_log(rules, seed)
    whole = clocks_after(Course(rules, 3, {}), LIVE, 1000, entries)
    course, live = Course(rules, 3, {}), Clocks(LIVE, 3)
    live.begin(1000)
    live.owe(rules, course.state)
    for i, passed in enumerate(course.follow(entries)):
        live.take(passed.entry)
        if i + 1 == len(entries) or entries[i + 1].seat != NATURE or entries[i + 1].deed is not Deed.PLAY:
            live.owe(rules, passed.state)
    end = entries[-1].at + 3000
    assert [
        (live.left(seat, end), live.bank(seat, end), live.reserve(seat, end), live.used(seat, end)) for seat in range(3)
    ] == [
        (whole.left(seat, end), whole.bank(seat, end), whole.reserve(seat, end), whole.used(seat, end))
        for seat in range(3)
    ]
    assert (live.owing, live.paused, live.pace) == (whole.owing, whole.paused, whole.pace)


@pytest.mark.long
@pytest.mark.parametrize("rules", RULESETS.values(), ids=lambda rules: rules.id)
def test_answers_in_another_players_turn_use_the_reserve(rules: AnyRuleset) -> None:
    asked: dict[str, set[bool]] = {}
    for seed in range(6):
        rng, state = random.Random(seed), engine.start(rules, 4, {}, engine.ignore_event)
        for _ in range(700):
            if rules.finished(state):
                break
            action = engine.chance_action(state, rng)
            seat = engine.owed(rules, state)[0]
            if action is None:
                kind = type(engine.top(state)).__name__
                answers = rules.answers(state, seat)
                assert rules.answers(rules.view(state, seat), seat) == answers
                asked.setdefault(kind, set()).add(answers)
                turns = [frame.seat for frame in state.frames if isinstance(frame, frames.Turn | cote2.Turn)]
                assert answers == (seat not in turns) or not turns
                action = rng.choice(engine.options(rules, state, seat))
            engine.play(rules, state, seat, action, engine.ignore_event)
    own = {"classic": ("Movement", "Purchase"), "mb1984": ("Movement", "Purchase"), "cote2": ("Turn", "Deployment")}
    others = {"classic": "Formation", "mb1984": "Aiming", "cote2": "Auction"}[rules.id]
    assert all(asked[kind] == {False} for kind in own[rules.id])
    assert True in asked[others]
    if rules.id == "cote2":
        assert asked["Auction"] == {True} and True in asked["Vote"] and True in asked["Aid"]


def test_only_answers_of_a_live_match_use_the_reserve() -> None:
    rules = RULESETS["cote2"]
    state, rng = engine.start(rules, 3, {}, engine.ignore_event), random.Random(1)
    while not isinstance(engine.top(state), cote2.Auction):
        action = engine.chance_action(state, rng)
        assert action is not None
        engine.play(rules, state, NATURE, action, engine.ignore_event)
    (seat,) = engine.owed(rules, state)
    for pace, left in ((LIVE, 40_000), (POST, 90_000_000)):
        clocks = Clocks(pace, 3)
        clocks.owe(rules, state)
        assert clocks.left(seat, 0) == left
    clocks = Clocks(LIVE, 3)
    clocks.owe(rules, state)
    assert clocks.reserve(seat, 35_000) == 5000 and clocks.bank(seat, 35_000) == 60_000
    clocks.take(Entry(1, seat, 1, engine.top(state).no, b"", Deed.PLAY, 0, 35_000, ((seat, 35_000),)))
    assert (clocks.reserves[seat].left, clocks.banks[seat].left) == (5000, 60_000)


def test_only_entries_of_seats_with_choices_are_decisions() -> None:
    assert (
        is_decision(Entry(1, 0, 1, 5, b""))
        and is_decision(Entry(1, 0, 0, 5, b""))
        and is_decision(Entry(1, 0, 0, 0, b""))
    )
    assert not is_decision(Entry(1, 0, 1, 0, b"")) and not is_decision(Entry(1, NONE, 0, 5, b""))
    assert not is_decision(Entry(1, 0, 1, 5, b"", Deed.TIME)) and not is_decision(Entry(1, 0, 1, 5, b"", Deed.BACK))


def test_seats_that_are_not_there_are_passed_over() -> None:
    clocks, position = first(LIVE)
    clocks.take(Entry(1, 9, 1, 2, b"", Deed.PLAY, 0, 2000, ((9, 5), (-1, 5))))
    clocks.take(Entry(2, NATURE, 0, 0, codec.encode(Timing(more=((9, 5), (-1, 5)))), Deed.TIME, 0, 2000))
    clocks.owe(TOY, position)
    assert [fund.left for fund in clocks.banks] == [60_000, 60_000] and clocks.pace.late == Late.DEFAULT
