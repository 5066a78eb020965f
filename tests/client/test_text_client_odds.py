"""Odds of battles at the table in words: of the present one, and of armies that the player names."""

import time
from random import Random

import pytest

from client.text_client.registry import GAME_TEXTS
from client.text_client.table import TextTable
from shared.odds import classic, cote2, mb1984
from shared.odds.outcome import ATTACKER, DEFENDER, Host, Odds, percent
from shared.rulesets.classic.options import WALL_DICE
from tests.client.test_text_client import Still, still

EXAMPLE = "odds 5 infantry, 1 leader against 4 infantry, 1 catapult"


def answers(match: Still, *lines: str) -> list[str]:
    """Return the answers to these lines."""
    table = TextTable(match, lambda _words: None)
    return [answer for line in lines for answer in table.read(line)]


def test_armies_that_one_names_are_reckoned_exactly() -> None:
    first, second, policy = answers(still(), EXAMPLE)
    odds = classic.odds(Host((5, 0, 0), leaders=1), Host((4, 0, 1)), False)
    assert first.startswith(f"The attacker wins: {percent(odds.wins(ATTACKER))}; on average it keeps ")
    assert second.startswith(f"The defender wins: {percent(odds.wins(DEFENDER))}; on average it keeps ")
    assert " of 5 units and loses " in first and " of 5 units and loses " in second and first.endswith(" talents.")
    assert policy.startswith("Counted as if both formed the battle legion")


@pytest.mark.parametrize(
    ("ruleset", "words", "odds"),
    [
        ("classic", "3 infantry and 2 infantry against 4 cavalry, walls",
         classic.odds(Host((5, 0, 0)), Host((0, 4, 0), walls=WALL_DICE), False)),
        ("classic", "3 galleys against 2 galleys", classic.odds(Host(galleys=3), Host(galleys=2), True)),
        ("mb1984", "2 galleys, 4 inf against 3 galleys, 1 cat AT SEA",
         mb1984.odds(Host((4, 0, 0), 2), Host((0, 0, 1), 3), True)),
        ("mb1984", "4 cav against 4 inf, walls", mb1984.odds(Host((0, 4, 0)), Host((4, 0, 0), walls=1), False)),
        ("cote2", "4 inf, leader, 2 training against 3 cavalry, 1 galley, city",
         cote2.odds(Host((4, 0, 0), leaders=1, training=2), Host((0, 3, 0), 1, walls=1), False)),
        ("cote2", "4 galleys, 1 inf against 3 galleys on land", cote2.odds(Host((1, 0, 0), 4), Host(galleys=3), False)),
    ],
)  # fmt: skip
def test_every_game_counts_what_matters_in_it(ruleset: str, words: str, odds: Odds) -> None:
    wins = [line.partition(": ")[2].partition(";")[0] for line in answers(still(ruleset), f"odds {words}")[:2]]
    assert wins == [percent(odds.wins(side)) for side in (ATTACKER, DEFENDER)]


@pytest.mark.parametrize(
    ("ruleset", "words", "says"),
    [
        ("classic", "", f"There is no battle now. Name two armies: {EXAMPLE}"),
        ("classic", "5 infantry", f"Say it so: {EXAMPLE}"),
        ("classic", "5 infantry against", f"Say it so: {EXAMPLE}"),
        ("classic", "many brave infantry against 3 cavalry", "“many brave infantry” cannot be counted: say 3 infantry"),
        ("classic", "3 elephants against 3 cavalry",
         "There is no part of such an army called “elephants”; there is infantry, cavalry, catapults and leaders."),
        ("classic", "3 infantry, walls against 3 cavalry", "There is no part of such an army called “walls”"),
        ("cote2", "3 inf against 3 walls",
         "called “walls”; there is infantry, cavalry, catapults, galleys, leaders, training and city."),
        ("classic", "61 infantry against 1 cavalry", "At most 60 infantry can be counted."),
        ("classic", "40 infantry, 40 infantry against 1 cavalry", "At most 60 infantry can be counted."),
        ("classic", "1 infantry against 2 walls", "At most 1 walls can be counted."),
        ("classic", "3 infantry against 2 galleys at sea", "called “infantry”; there is galleys."),
        ("mb1984", "3 infantry against 2 galleys at sea", "At sea both sides have galleys."),
    ],
)  # fmt: skip
def test_battles_without_odds_are_told(ruleset: str, words: str, says: str) -> None:
    (answer,) = answers(still(ruleset), f"odds {words}")
    assert says in answer


@pytest.mark.parametrize("ruleset", GAME_TEXTS)
def test_the_battle_that_goes_on_is_reckoned_as_it_stands(ruleset: str) -> None:
    chance, battle_odds, seen = Random(7), GAME_TEXTS[ruleset].battle_odds, 0
    for seed in range(6):
        match = still(ruleset, 4, seed)
        while not match.finished and match.version < 800 and seen < 8:
            match.seat = chance.choice(match.owed())
            if (odds := battle_odds.standing(match.view)) is not None:
                seen += 1
                first, second, *_others = answers(match, "odds")
                assert f"The attacker wins: {percent(odds.wins(ATTACKER))};" in first
                assert f"The defender wins: {percent(odds.wins(DEFENDER))};" in second
            match.play(match.seat, chance.choice(match.options()))
    assert seen == 8


def test_help_names_it() -> None:
    assert "odds [ARMY against ARMY]: who wins the current battle, or one between armies that you name." in answers(
        still(), "help odds"
    )


def test_large_armies_are_counted_while_the_table_goes_on() -> None:
    table = TextTable(still("classic"), lambda _words: None)
    (told,) = table.read("odds 20 infantry, 1 leader against 20 infantry, 1 leader")
    assert told == "So large a battle takes some seconds to count; the answer follows."
    said: list[str] = []
    while not any(line.startswith("The attacker wins: ") for line in said):
        time.sleep(0.01)
        said = table.announce()
    assert not any(line.startswith("The attacker wins: ") for line in table.announce())
