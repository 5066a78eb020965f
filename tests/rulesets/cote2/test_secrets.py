"""Secrets of the second game: senators' values, chaos, cards that are not drawn yet."""

from collections.abc import Iterator
from itertools import permutations, product
from random import Random

import msgspec
import pytest
from msgspec.structs import replace

from protocol.delta import diff
from shared.ids import NATURE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.rulesets.cote2.actions import Show
from shared.rulesets.cote2.data import CARDS, SENATORS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.events import ChaosShown, SenatorDrawn, SenatorKilled, SenatorTaken, Won
from shared.rulesets.cote2.frames import Motion, Season, Setup, Theft, Vote
from shared.rulesets.cote2.state import HIDDEN, State
from tests.support.cote2_games import crowded, wild
from tests.support.marks import pairs_in_stages
from tests.support.positionii import obtain, play, position, use
from tests.support.referee import of

ENCODE = msgspec.msgpack.encode


@pytest.mark.rule("II-D09", "II-CARD-03", "II-CHAOS-03")
def test_a_seat_sees_its_own_secrets_only() -> None:
    state = position(
        3, senators={0: (1, 2, 0, 1), 1: (0, 0, 3, 0), 2: (0, 0, 0, 0)}, chaos=(4, 5, 6), talents=(5, 10, 15)
    )
    mine = COTE2.view(state, 0)
    assert mine.senators == [(1, 2, 0, 1), (3,), (0,)]
    assert mine.chaos == [4, -1, -1]
    assert mine.talents == [5, 10, 15]
    public = COTE2.view(state, None)
    assert public.senators == [(4,), (3,), (0,)]
    assert public.chaos == [-1, -1, -1]
    assert (public.deck, public.pool) == ([sum(state.deck)], [88])
    assert not hasattr(mine, "gone")


@pytest.mark.rule("II-D09", "II-CARD-03", "II-CHAOS-03", "II-C-90")
@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
def test_only_owners_see_hands_and_chaos_and_no_seat_sees_the_deck(viewer: Seat | None) -> None:
    hands = {0: (1, 0, 0, 0), 1: (0, 2, 0, 0), 2: (0, 0, 3, 0), 3: (1, 0, 0, 3)}
    cards = {seat: ["army_training"] for seat in range(4)}
    state = position(4, senators=hands, chaos=(4, 5, 6, 7), cards=cards)
    seen = COTE2.view(state, viewer)
    for seat, hand in hands.items():
        assert seen.senators[seat] == (hand if seat == viewer else (sum(hand),))
        assert seen.chaos[seat] == (state.chaos[seat] if seat == viewer else HIDDEN)
    assert (seen.deck, seen.pool) == ([sum(state.deck)], [sum(state.pool)])
    assert (seen.row, seen.cards, seen.used) == (state.row, state.cards, state.used)


@pytest.mark.rule("II-C-07", "II-C-39", "II-SENATE-05")
@pytest.mark.parametrize("viewer", [0, 1, 2, 3, None])
def test_only_old_and_new_owners_see_which_senator_changed_hands(viewer: Seat | None) -> None:
    for one, other in permutations(range(4), 2):
        told = {
            SenatorTaken(one, other, 3): viewer in (one, other),
            SenatorKilled(one, other, 3): viewer == other,
            SenatorDrawn(one, 3): viewer == one,
        }
        for event, knows in told.items():
            assert COTE2.event_for(event, viewer) == (event if knows else replace(event, value=0))


def test_at_the_end_everything_is_shown() -> None:
    state = position(senators={0: (1, 0, 0, 0), 1: (0, 0, 2, 0)}, chaos=(3, 1))
    state.winner, state.winners = 0, (0,)
    assert COTE2.view(state, None).senators == state.senators
    assert COTE2.view(state, None).chaos == [3, 1]


def heard(events: list[Event], seat: Seat | None) -> list[Event | None]:
    """Return the variants of events for one audience."""
    return [COTE2.event_for(event, seat) for event in events]


@pytest.mark.rule("II-C-39")
def test_a_bribed_senator_is_known_to_two() -> None:
    state = position(3, row=["bribe_senator"], senators={1: (0, 0, 1, 1)})
    happened = of(play(state, (0, obtain("bribe_senator", 1)), (1,)), SenatorTaken)
    assert heard(happened, 0) == heard(happened, 1) == [SenatorTaken(0, 1, 4)]
    assert heard(happened, 2) == heard(happened, None) == [SenatorTaken(0, 1, 0)]


@pytest.mark.rule("II-C-07")
def test_a_murdered_senator_is_known_to_the_owner() -> None:
    state = position(3, cards={0: ["assassin"]}, senators={1: (0, 0, 1, 1)})
    happened = of(play(state, (0, use("assassin", seat=1)), (0,)), SenatorKilled)
    assert heard(happened, 1) == [SenatorKilled(0, 1, 3)]
    assert heard(happened, 0) == heard(happened, None) == [SenatorKilled(0, 1, 0)]


@pytest.mark.rule("II-SENATE-05")
def test_a_drawn_senator_is_known_to_the_new_owner() -> None:
    state = position(
        3,
        cards={0: ["senate_hail_caesar"]},
        senators={0: (1, 1, 0, 0), 1: (0, 0, 0, 0), 2: (0, 0, 0, 0)},
        influence={"italia": {2: 1}},
    )
    happened = of(play(state, (0, use("senate_hail_caesar")), (0, Show(1, 1)), (1,)), SenatorDrawn)
    assert heard(happened, 2) == [SenatorDrawn(2, 2)]
    assert heard(happened, 0) == heard(happened, None) == [SenatorDrawn(2, 0)]


# --- two positions that differ only in what a viewer may not know ---


def parties(state: State) -> set[Seat]:
    """Return the seats that will know the senator that is drawn now."""
    found: set[Seat] = set()
    for frame in state.frames:
        if isinstance(frame, Theft):
            found |= {frame.seat, frame.victim}
        if isinstance(frame, Motion):
            found.add(frame.drawer)
    return found


def redealt(state: State, viewer: Seat | None, rng: Random) -> State:
    """Return the position with other hidden things: hands of the others, their chaos, the deck, cards out of play."""
    other = state.clone()
    shown = [frame for frame in state.frames if isinstance(frame, Vote)]
    senators = [card for k, card in enumerate(SENATORS) for _ in range(state.deck[card])]
    hidden = [seat for seat in range(state.seats) if seat != viewer]
    fixed: dict[Seat, tuple[int, ...]] = {}
    for seat in hidden:
        keep = shown[0].shown[seat] if shown else (0, 0, 0, 0)
        fixed[seat] = keep
        for k, card in enumerate(SENATORS):
            senators += [card] * (state.senators[seat][k] - keep[k])
    rng.shuffle(senators)
    for seat in hidden:
        hand = list(fixed[seat])
        for _ in range(sum(state.senators[seat]) - sum(fixed[seat])):
            hand[SENATORS.index(senators.pop())] += 1
        other.senators[seat] = (hand[0], hand[1], hand[2], hand[3])
        other.chaos[seat] = rng.randint(0, 30)
    for card in SENATORS:
        other.deck[card] = senators.count(card)
    others = [card for card in range(len(CARDS)) if card not in SENATORS]
    heap = [card for card in others for _ in range(state.deck[card] + state.gone[card])]
    rng.shuffle(heap)
    out = sum(state.gone[card] for card in others)
    for card in others:
        other.gone[card] = heap[:out].count(card)
        other.deck[card] = heap[out:].count(card)
    assert COTE2.invariants(other) == []
    return other


def twins(seats: int, seed: int, steps: int) -> Iterator[tuple[State, State, Seat | None, Random]]:
    """Yield random positions with their twins, for every viewer in turn."""
    rng = Random(seed)
    state = crowded(seats, seed) if seed % 2 else engine.start(COTE2, seats, {}, engine.ignore_event)
    for _ in range(steps):
        if COTE2.finished(state):
            return
        if not isinstance(state.frames[-2 if len(state.frames) > 1 else -1], Setup):
            viewer = rng.choice([*range(seats), None])
            yield state, redealt(state, viewer, rng), viewer, rng
        (seat,) = engine.owed(COTE2, state)
        if seat == NATURE:
            action = engine.chance_action(state, rng)
            assert action is not None
        else:
            found = engine.options(COTE2, state, seat)
            action = found[rng.randrange(len(found))]
        state = state.clone()
        engine.play(COTE2, state, seat, action, engine.ignore_event)


def told(state: State, seat: Seat, action: object, viewer: Seat | None) -> tuple[bytes, list[Event]]:
    """Return the encoded delta, view and events that a viewer receives of an action; and all its events."""
    after = state.clone()
    happened: list[Event] = []
    engine.play(COTE2, after, seat, action, happened.append)  # type: ignore[arg-type]
    before, now = COTE2.view(state, viewer), COTE2.view(after, viewer)
    return ENCODE((diff(before, now), now, heard(happened, viewer), engine.owed(COTE2, after))), happened


@pytest.mark.rule("II-D09")
@pytest.mark.parametrize(
    ("seats", "seed"), pairs_in_stages(product(range(2, 7), range(8)), zip(range(2, 7), range(5), strict=True))
)
def test_nothing_leaks(seats: int, seed: int) -> None:
    compared = 0
    for state, twin, viewer, rng in twins(seats, seed, 90):
        assert ENCODE(COTE2.view(state, viewer)) == ENCODE(COTE2.view(twin, viewer))
        assert engine.owed(COTE2, state) == engine.owed(COTE2, twin)
        if viewer is not None:
            for _ in range(4):
                tried = wild(rng, state, viewer)
                assert engine.check(COTE2, state, viewer, tried) == engine.check(COTE2, twin, viewer, tried)
        action: Action
        (seat,) = engine.owed(COTE2, state)
        if seat == viewer:
            mine = [ENCODE(list(engine.options(COTE2, position_, seat))) for position_ in (state, twin)]
            assert mine[0] == mine[1]
        if seat == NATURE:
            drawn = engine.chance_action(state, rng)
            assert drawn is not None
            action = drawn
            # Cards that are laid open, and a senator that becomes one's own, are no secrets any more.
            if isinstance(state.frames[-2], Season) or viewer in parties(state):
                continue
        else:
            found = engine.options(COTE2, state, seat)
            action = found[rng.randrange(len(found))]
        if engine.check(COTE2, twin, seat, action) is not None:
            assert isinstance(action, Show), "another hand"
            continue
        ours, happened = told(state, seat, action, viewer)
        theirs, _ = told(twin, seat, action, viewer)
        if not any(isinstance(event, ChaosShown | Won) for event in happened):
            assert ours == theirs, (action, viewer)
            compared += 1
    assert compared > 20
