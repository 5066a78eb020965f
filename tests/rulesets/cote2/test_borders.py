"""Numbers at their borders: seats, spaces, leaders, galleys, cards that there are just not, or just still."""

from collections.abc import Iterator
from random import Random

import msgspec
import pytest

from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.actions import Attack, Incite, Influence, Obtain, Recruit, Sail, Use
from shared.rulesets.cote2.data import CARDS, INDEX
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import GALLEYS, LEADERS, State
from shared.vocabulary.frames import Onward
from tests.support.cote2_games import ENCODER, PLAIN, crowded, numbers_of, scarce
from tests.support.layout import sp
from tests.support.positionii import caesar, galley, general, legal, play, position, refused, sound, verdict


def borders(seats: int) -> set[int]:
    """Return the first and last number of everything, with their neighbours on both sides."""
    ends = (0, seats, BOARD.provinces, BOARD.spaces, seats * LEADERS, seats * GALLEYS, len(CARDS))
    return {n + by for n in ends for by in (-1, 0, 1)} | {2, 3, 4, 126, 127}


def bordering(seats: int, action: Action) -> Iterator[Action]:
    """Yield the action with each of its numbers at every border, as far as the wire lets it pass."""
    many = len(list(numbers_of(PLAIN.decode(ENCODER.encode(action)))))
    for place in range(1, many):
        for border in borders(seats):
            plain = PLAIN.decode(ENCODER.encode(action))
            holder, at = list(numbers_of(plain))[place]
            holder[at] = border
            try:
                yield COTE2.action_decoder.decode(ENCODER.encode(plain))
            except msgspec.ValidationError:
                continue


def samples(state: State, seat: Seat) -> list[Action]:
    """Return one listed option of each kind; of cards one for each kind of card."""
    found: dict[tuple[type[Action], int], Action] = {}
    for action in engine.options(COTE2, state, seat):
        found.setdefault((type(action), getattr(action, "card", NONE)), action)
    return list(found.values())


def try_out(state: State, seat: Seat) -> None:
    """Try actions at every border: position and view give the same verdict, and legal actions leave a sound
    position."""
    view = COTE2.view(state, seat)
    for sample in samples(state, seat):
        for action in bordering(state.seats, sample):
            told = engine.check(COTE2, state, seat, action)
            assert engine.check(COTE2, view, seat, action) == told, action
            if told is None:
                after = state.clone()
                engine.play(COTE2, after, seat, action, engine.ignore_event)
                sound(after)
            else:
                assert told.code and told.text, action


@pytest.mark.parametrize("seats", range(2, 7))
@pytest.mark.parametrize("begin", [crowded, scarce], ids=lambda begin: begin.__name__)
def test_a_turn_survives_every_number(begin: type, seats: int) -> None:
    state: State = begin(seats, 7 * seats)
    (seat,) = engine.owed(COTE2, state)
    try_out(state, seat)


def test_every_decision_survives_every_number() -> None:
    waiting = {
        f.Auction,
        f.Deployment,
        f.Turn,
        f.Vote,
        f.Muster,
        f.Wind,
        f.Commitment,
        f.Aid,
        f.Casualties,
        Onward,
        f.Withdrawal,
    }
    for seed in range(40):
        rng, seats = Random(seed), 2 + seed % 5
        state = crowded(seats, seed) if seed % 4 else engine.start(COTE2, seats, {}, engine.ignore_event)
        while not COTE2.finished(state) and waiting:
            (seat,) = engine.owed(COTE2, state)
            if type(state.frames[-1]) in waiting:
                waiting.remove(type(state.frames[-1]))
                try_out(state, seat)
            action = engine.chance_action(state, rng) or rng.choice(engine.options(COTE2, state, seat))
            engine.play(COTE2, state, seat, action, engine.ignore_event)
    assert not waiting


@pytest.mark.rule("II-INFL-03", "II-INFL-04")
def test_the_first_and_the_last_player_sell_like_the_others() -> None:
    for seats in range(2, 7):
        for seller in range(seats):
            buyer = (seller + 1) % seats
            sides = [int(seat == buyer) for seat in range(seats)]
            units = {"italia": {seller: (1, 0, 0)}}
            told = {"turn": buyer, "sides": sides, "leaders": {"italia": [caesar(buyer)]}}
            influence = {"italia": {seller: 1, buyer: 1}}
            state = position(seats, influence=influence, **told)  # type: ignore[arg-type]
            assert legal(state, buyer, Influence(sp("italia"), (seller,)))
            assert refused(state, buyer, Influence(sp("italia"), (buyer,))) == "II-INFL-03"
            assert refused(state, buyer, Influence(sp("italia"), (seats,))) == "II-INFL-03"
            guarded = position(seats, influence=influence, units=units, **told)  # type: ignore[arg-type]
            assert refused(guarded, buyer, Influence(sp("italia"), (seller,))) == "II-INFL-04"


@pytest.mark.rule("II-BATTLE-01", "II-NAVAL-02", "II-D22", "II-D23")
@pytest.mark.parametrize("seats", range(2, 7))
def test_legal_targets_include_every_enemy_seat(seats: int) -> None:
    for enemy in range(1, seats):
        state = position(
            seats,
            sides=[0] + [1] * (seats - 1),
            units={"asia": {0: (1, 0, 0), enemy: (1, 0, 0)}},
            leaders={"galatia": [general(enemy, 4)]},
            galleys={galley(0): "mare_narbo", galley(enemy, 7): "mare_narbo"},
            senators={seat: (int(seat == enemy), 0, 0, 0) for seat in range(seats)},
            row=["bribe_senator"],
            cards={0: ["assassin"]},
        )
        narbo, assassin = sp("mare_narbo"), INDEX["assassin"]
        for seat in range(-1, seats + 1):
            met = seat == enemy
            assert legal(state, 0, Attack(sp("asia"), seat)) == met
            assert legal(state, 0, Sail(NONE, (), narbo, seat)) == (met or (seat == NONE and False))
            assert legal(state, 0, Obtain(INDEX["bribe_senator"], seat)) == met
            assert legal(state, 0, Use(assassin, seat=seat)) == met
        leaders = [leader for leader in range(-1, 127) if legal(state, 0, Use(assassin, leader))]
        assert leaders == [general(enemy, 4)]


def test_the_first_sea_zone_is_no_province_and_the_last_province_is() -> None:
    last, first = BOARD.keys[BOARD.provinces - 1], BOARD.keys[BOARD.provinces]
    state = position(
        units={last: {0: (1, 0, 0), 1: (1, 0, 0)}},
        leaders={last: [general(0)]},
        influence={"italia": {0: 1}},
        galleys={galley(0): first, galley(1): first},
        row=["slave_revolt"],
    )
    assert legal(state, 0, Attack(sp(last), 1))
    assert refused(state, 0, Attack(sp(first), 1)) == "II-BATTLE-01"
    assert legal(state, 0, Sail(NONE, (), sp(first), 1))
    assert refused(state, 0, Sail(NONE, (), sp(last), 1)) == "II-NAVAL-02"
    assert legal(state, 0, Incite(sp(last), (1,)))
    assert refused(state, 0, Incite(sp(first), (1,))) == "II-D50"
    assert refused(state, 0, Recruit(((sp(first), 1, 0, 0, 0),))) == "II-RECRUIT-02"
    told = verdict(state, 0, Recruit(((sp(last), 1, 0, 0, 0),)))
    assert told is not None
    play(state, (0, Sail(sp(BOARD.keys[BOARD.spaces - 1]), (galley(0),))))
    assert state.galley_at[galley(0)] == BOARD.spaces - 1
