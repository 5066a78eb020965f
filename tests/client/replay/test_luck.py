"""Luck, by hand: a coin for each die."""

from math import comb

import pytest

from client.replay.luck import RecordedRoll, account, conclusion, mean, one_in, side, tail, together, variance, verdict

COIN = (0.5, 0.5)
DIE = (5 / 6, 1 / 6)
THIRD = (2 / 3, 1 / 3)


def rolls(hits: int, count: int, chances: tuple[float, ...] = COIN) -> list[RecordedRoll]:
    """So many dice, of which the first hit."""
    return [RecordedRoll(n, 0, 1, int(n < hits), chances) for n in range(count)]


def test_means_and_variances() -> None:
    assert mean(COIN) == 0.5
    assert mean(DIE) == pytest.approx(1 / 6)
    assert mean((0.25, 0.5, 0.25)) == 1
    assert variance(COIN) == 0.25
    assert variance(DIE) == pytest.approx(5 / 36)


def test_sums_are_exact() -> None:
    assert together([]) == (1.0,)
    assert together([COIN, COIN]) == (0.25, 0.5, 0.25)
    assert together([COIN, DIE]) == pytest.approx((5 / 12, 1 / 2, 1 / 12))
    ten = together([DIE] * 10)
    assert ten == pytest.approx([comb(10, n) * (1 / 6) ** n * (5 / 6) ** (10 - n) for n in range(11)])


def test_tails_to_both_sides() -> None:
    two = together([COIN, COIN])
    assert tail(two, 1) == 1
    assert tail(two, 0) == tail(two, 2) == 0.5
    ten = together([COIN] * 10)
    assert tail(ten, 5) == pytest.approx(1)
    assert tail(ten, 8) == pytest.approx(2 * (45 + 10 + 1) / 1024)
    assert tail(ten, 10) == pytest.approx(2 / 1024)
    # Of one die that hits with a six: no hit strays by a sixth, one by five sixths.
    assert tail(DIE, 0) == pytest.approx(1)
    assert tail(DIE, 1) == pytest.approx(1 / 6)


def test_tails_to_one_side() -> None:
    ten = together([COIN] * 10)
    assert side(ten, 8) == side(ten, 2) == pytest.approx((45 + 10 + 1) / 1024), "half of what both sides have"
    assert side(ten, 5) == pytest.approx((1 + 10 + 45 + 120 + 210 + 252) / 1024)
    assert side(DIE, 1) == pytest.approx(1 / 6)
    assert side(DIE, 0) == pytest.approx(5 / 6)


def test_lucky_dice_are_not_called_unlucky() -> None:
    """Six hits of ten dice that hit by a third; no hit at all strays as far to the other side."""
    more = 210 * 2**4 + 120 * 2**3 + 45 * 2**2 + 10 * 2 + 1  # Of 3 ** 10: six, seven, eight, nine, ten hits.
    lucky = account(rolls(6, 10, THIRD))
    assert lucky.side == pytest.approx(more / 3**10) == pytest.approx(0.0766, abs=5e-5)
    assert lucky.tail == pytest.approx((more + 2**10) / 3**10) == pytest.approx(0.0939, abs=5e-5)
    assert verdict(lucky) == "Within what chance explains: about one match in 15 is this lucky."
    unlucky = account(rolls(1, 10, THIRD))
    assert unlucky.side == pytest.approx((2**10 + 10 * 2**9) / 3**10)
    assert verdict(unlucky) == "Within what chance explains: about one match in ten is this unlucky."


def test_an_account_adds_up() -> None:
    found = account([*rolls(3, 4), RecordedRoll(9, 0, 3, 2, (0.25, 0.25, 0.25, 0.25))])
    assert (found.rolls, found.dice, found.hits) == (5, 7, 5)
    assert found.expected == pytest.approx(3.5)
    assert found.over == pytest.approx(1.5)
    assert found.spread == pytest.approx((4 * 0.25 + 1.25) ** 0.5)


@pytest.mark.parametrize(
    ("chance", "words"),
    [
        (1.0, "most matches"),
        (0.6, "one match in two"),
        (0.124, "one match in eight"),
        (1 / 12, "one match in twelve"),
        (1 / 18, "one match in 20"),
        (1 / 143, "one match in 150"),
        (1 / 2345, "one match in 2500"),
        (1e-5, "less than one match in ten thousand"),
        (0.0, "less than one match in ten thousand"),
    ],
)
def test_frequencies_in_words(chance: float, words: str) -> None:
    assert one_in(chance) == words


def test_sentences() -> None:
    assert verdict(account([])) == "No dice were rolled."
    assert verdict(account(rolls(5, 10))) == "Ordinary dice: they stray as far in most matches."
    eight = verdict(account(rolls(8, 10)))
    assert eight == "Within what chance explains: about one match in 20 is this lucky."
    assert verdict(account(rolls(2, 10))) == eight.replace("lucky", "unlucky")
    ten = verdict(account(rolls(10, 10)))
    assert ten == "Beyond what chance usually explains: only one match in 1000 is this lucky."
    assert verdict(account(rolls(0, 10))) == ten.replace("lucky", "unlucky")


def test_among_several_players_luck_is_likelier() -> None:
    nine = account(rolls(9, 10))  # 22 of 1024
    assert nine.tail == pytest.approx(22 / 1024)
    usual = account(rolls(5, 10))
    assert conclusion([]) == conclusion([account([])]) == "No dice were rolled in this match."
    assert conclusion([nine]) == "Such dice are rare: in one match in 45 a player's luck strays as far."
    assert conclusion([nine, usual]).startswith("Such dice are rare")
    assert conclusion([nine, usual, usual]).endswith("lie within what chance explains.")
