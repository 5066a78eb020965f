"""Luck, by hand: a coin for each die."""

from math import comb

import pytest

from client.replay.luck import Roll, account, conclusion, mean, one_in, tail, together, variance, verdict

COIN = (0.5, 0.5)
DIE = (5 / 6, 1 / 6)


def rolls(hits: int, count: int, chances: tuple[float, ...] = COIN) -> list[Roll]:
    """So many dice, of which the first hit."""
    return [Roll(n, 0, 1, int(n < hits), chances) for n in range(count)]


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


def test_an_account_adds_up() -> None:
    found = account([*rolls(3, 4), Roll(9, 0, 3, 2, (0.25, 0.25, 0.25, 0.25))])
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
def test_how_often_in_words(chance: float, words: str) -> None:
    assert one_in(chance) == words


def test_sentences() -> None:
    assert verdict(account([])) == "No dice were rolled."
    assert verdict(account(rolls(5, 10))) == "Ordinary dice: they stray as far in most matches."
    eight = verdict(account(rolls(8, 10)))
    assert eight == "Within what chance explains: about one match in nine is this lucky."
    assert verdict(account(rolls(2, 10))) == eight.replace("lucky", "unlucky")
    ten = verdict(account(rolls(10, 10)))
    assert ten == "Beyond what chance usually explains: only one match in 500 is this lucky."
    assert verdict(account(rolls(0, 10))) == ten.replace("lucky", "unlucky")


def test_of_several_somebody_is_lucky_sooner() -> None:
    nine = account(rolls(9, 10))  # 22 of 1024
    assert nine.tail == pytest.approx(22 / 1024)
    usual = account(rolls(5, 10))
    assert conclusion([]) == conclusion([account([])]) == "No dice were rolled in this match."
    assert conclusion([nine]) == "Such dice are rare: in one match in 45 somebody's stray as far."
    assert conclusion([nine, usual]).startswith("Such dice are rare")
    assert conclusion([nine, usual, usual]).endswith("lie within what chance explains.")
