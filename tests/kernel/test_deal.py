"""Numbers dealt from a heap, and events that only some seats see."""

from random import Random

import pytest

from shared.ids import NATURE
from shared.kernel import chance
from shared.kernel.frames import Deal, Dealt, Drawn, Event
from shared.kernel.ruleset import told_to_all
from shared.refusal import BrokenRules

DEAL = chance.HANDLERS[Deal]


@pytest.mark.parametrize(("count", "size"), [(1, 1), (5, 1), (5, 3), (5, 5), (88, 12)])
def test_deals_are_different_numbers_in_range(count: int, size: int) -> None:
    rng = Random(1)
    frame = Deal(1, count, size)
    assert DEAL.owed(None, frame) == (NATURE,)
    for _ in range(50):
        dealt = chance.draw(frame, rng)
        assert isinstance(dealt, Dealt)
        assert DEAL.check(None, frame, NATURE, dealt) is None
        assert len(set(dealt.numbers)) == size
        assert DEAL.apply(None, frame, NATURE, dealt, lambda _event: None) == dealt.numbers


def test_every_number_is_equally_likely() -> None:
    rng = Random(3)
    seen = [0] * 6
    for _ in range(6000):
        dealt = chance.draw(Deal(1, 6, 2), rng)
        assert isinstance(dealt, Dealt)
        for number in dealt.numbers:
            seen[number] += 1
    assert all(1850 < n < 2150 for n in seen)


def test_options_are_legal_and_name_every_number() -> None:
    for count, size in ((4, 1), (4, 3), (3, 3)):
        frame = Deal(1, count, size)
        options = DEAL.options(None, frame, NATURE)
        assert all(DEAL.check(None, frame, NATURE, option) is None for option in options)
        assert {option.numbers[0] for option in options if isinstance(option, Dealt)} == set(range(count))


@pytest.mark.parametrize("numbers", [(), (0,), (0, 0), (0, 4), (-1, 0), (0, 1, 2)])
def test_bad_deals(numbers: tuple[int, ...]) -> None:
    refusal = DEAL.check(None, Deal(1, 4, 2), NATURE, Dealt(numbers))
    assert refusal is not None
    assert refusal.code == "bad-deal"


def test_other_answers() -> None:
    refusal = DEAL.check(None, Deal(1, 4, 2), NATURE, Drawn((0, 1)))
    assert refusal is not None
    with pytest.raises(BrokenRules):
        DEAL.default(None, Deal(1, 4, 2), NATURE)
    with pytest.raises(BrokenRules):
        DEAL.resume(None, Deal(1, 4, 2), None, lambda _event: None)


def test_a_game_without_secrets_tells_every_seat_everything() -> None:
    event = Event()
    assert told_to_all(event, 3) is told_to_all(event, None) is event
