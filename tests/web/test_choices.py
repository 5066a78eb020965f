"""The page sends each decision once, in whatever order answers come, and offers all that can be chosen."""

from pathlib import Path
from typing import Any

import pytest

from tests.clients.runtime import answer, needs_node

HERE = Path(__file__).parent
pytestmark = needs_node
CHOICES = HERE.parents[1] / "server" / "web" / "files" / "model" / "choices.js"


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """Return what the page's own code did, as the script beside this prints it."""
    return dict(answer(HERE / "choices.mjs", CHOICES))


def test_a_decision_is_over_until_its_version_is_followed(told: dict[str, Any]) -> None:
    assert (told["sent"], told["busy"]) == (3, [True, False, True, False])


def test_many_actions_without_a_place_stand_whole_beside_those_with_one(told: dict[str, Any]) -> None:
    assert told["entries"] == [27, *(f"Take {card}" for card in range(6))]
    assert told["spots"] == [["to", 27]]


def test_a_form_can_be_opened_with_an_option_that_has_no_place(told: dict[str, Any]) -> None:
    """An attack without a voyage could not be chosen in Conquest II; two galleys of a place had the last one's name."""
    assert told["voyages"] == [["no voyage", None], ["North", ["to", 31]], ["Space 32", ["to", 32]]]
    assert told["attack"] == [-1, -1]


def test_changes_of_a_form_that_stands_first_can_be_undone(told: dict[str, Any]) -> None:
    assert told["undone"] == [[4], True, [2], False]


def test_those_that_are_alike_are_a_count(told: dict[str, Any]) -> None:
    """The Caesar stands apart, and so does a general elsewhere. Those that are chosen stay as long as they fit."""
    assert told["groups"] == [[0], [1, 2, 3], [4]]
    assert told["march"] == [1, 3, [0], [0, 3], [0, 1, 2, 3]]
    assert told["moved"] == [1, 2, [[0, 31], [1, 30], [2, 31], [3, 31]], [[0, 31], [1, 30]]]


def test_an_open_form_outlives_the_actions_of_others(told: dict[str, Any]) -> None:
    assert told["kept"] == [-1, -1]
