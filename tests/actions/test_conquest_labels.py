"""Labels of Classic and 1984: every legal action has one, in English and German, and players can tell them apart."""

from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, TypeAlias

import pytest

from shared.actions.description import Label
from shared.actions.registry import ACTIONS
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.language.catalogue import Catalogue, catalogue
from shared.language.sentence import gaps, in_english, render
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.mb1984.definition import MB1984
from shared.vocabulary.actions import Sail
from tests.support import wild, wild1984
from tests.support.described import Maker, decisions, legal
from tests.support.marks import in_stages
from tests.support.random_games import crowded

Case: TypeAlias = tuple[str, int, int]
"""A rule set, a number of seats, and a seed."""
Labeller: TypeAlias = Callable[[Any, Seat, Action], Label]

GAMES: dict[str, tuple[AnyRuleset, Labeller, Maker]] = {
    CLASSIC.id: (CLASSIC, ACTIONS[CLASSIC.id].label, wild.wild),
    MB1984.id: (MB1984, ACTIONS[MB1984.id].label, wild1984.wild),
}
LISTS = Path(__file__).parents[2] / "client" / "language" / "de"
CASES: list[Case] = [(game, seats, seed) for game in GAMES for seats in range(2, 7) for seed in range(4)]
FIRST: list[Case] = [("classic", 3, 0), ("mb1984", 4, 1)]


@pytest.fixture(scope="module")
def german() -> Catalogue:
    return catalogue([path.read_text("utf-8") for path in sorted(LISTS.glob("*.po"))])


def beginnings(rules: AnyRuleset, seats: int, seed: int) -> Iterator[Any]:
    """Yield first positions: the printed one, and in Classic a crowded board."""
    yield engine.start(rules, seats, {}, engine.ignore_event)
    if rules is CLASSIC:
        yield crowded(seats, seed)


def moments(game: str, seats: int, seed: int, steps: int) -> Iterator[tuple[AnyRuleset, Any, Seat, Maker]]:
    """Yield decisions of random games with views and seats."""
    rules, _label, maker = GAMES[game]
    for state in beginnings(rules, seats, seed):
        for view, seat in decisions(rules, state, maker, seed, steps):
            yield rules, view, seat, maker


def sound(label: Label, german: Catalogue) -> None:
    """Check that a label can be said and shown."""
    for said in (in_english(label.text), render(label.text, german, str), render(label.group, german, str)):
        assert said and not gaps(said), label
    assert all(NONE <= place < BOARD.spaces for place in (label.source, label.to, *label.places)), label


@pytest.mark.parametrize("case", in_stages(CASES, FIRST, CASES[::4]), ids=str)
def test_legal_actions_have_labels(case: Case, german: Catalogue) -> None:
    game, seats, seed = case
    label, rng = GAMES[game][1], Random(seed)
    for rules, view, seat, maker in moments(game, seats, seed, 150):
        found = [*engine.options(rules, view, seat)][:8]
        others = [(any_, act) for any_ in range(seats) for act in legal(rules, view, any_, maker, rng, 1)]
        for who, action in [*((seat, act) for act in found), *others]:
            sound(label(view, who, action), german)


@pytest.mark.parametrize("case", in_stages(CASES, FIRST, CASES[::4]), ids=str)
def test_labels_of_options_differ(case: Case) -> None:
    game, seats, seed = case
    label = GAMES[game][1]
    for rules, view, seat, _maker in moments(game, seats, seed, 150):
        found = [act for act in engine.options(rules, view, seat) if not isinstance(act, Sail)]
        said = Counter(in_english(label(view, seat, act).text) for act in found)
        assert not {text for text, times in said.items() if times > 1 and "empty galley" not in text}
