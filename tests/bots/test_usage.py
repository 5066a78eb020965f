"""Statistics of how bots use the means of their game."""

import json
import random

import pytest

from server.bots import policy
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.cote2.actions import Pass
from shared.rulesets.cote2.data import CARDS, INDEX
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.view import View
from tests.bench.usage import KINDS, main, play, summed


def idle(rules: AnyRuleset, view: View, seat: int, rng: random.Random) -> Action:
    """Pass whenever it is this seat's turn."""
    return Pass() if isinstance(view.frames[-1], Turn) else policy.play_random(rules, view, seat, rng)


def test_passing_obtains_nothing() -> None:
    usage = summed([play(idle, 3, seed) for seed in (1, 2)])
    assert usage.actions["Pass Turn"] == 2 * 3 * 2 * 16
    assert not any(card.obtained for card in usage.cards.values())
    assert all(card.unsold == card.opened for card in usage.cards.values())
    assert usage.cards["senate_hail_caesar"].opened == 2


def test_everything_is_named_and_every_victory_has_its_place() -> None:
    matches = [play(policy.play_random, 2, seed) for seed in range(3)]
    usage = summed(matches)
    assert tuple(usage.actions) == KINDS
    assert set(usage.cards) == set(INDEX)
    assert sum(usage.places.values()) == pytest.approx(3)
    assert sum(card.obtained for card in usage.cards.values()) == sum(
        usage.actions[kind] for kind in ("Obtain", "Campaign", "Incite")
    )
    assert all(card.unsold <= card.opened <= 3 for card in usage.cards.values())


def test_the_same_matches_count_the_same() -> None:
    assert play(policy.play_random, 2, 7) == play(policy.play_random, 2, 7)


def test_it_prints_for_people_and_programs(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["--seats", "2", "3", "--games", "2", "--level", "random"]
    assert main(command) == 0
    told = capsys.readouterr().out
    assert all(card.name in told for card in CARDS)
    assert main([*command, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 2
