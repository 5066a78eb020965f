"""Sentences that address their reader: each sentence about a player has a variant for that player."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from shared.language.sentence import PLURAL, Person, Sentence, _, gaps, in_english
from shared.sentences.yours import YOURS, to_reader

MARKS = ("_", "ngettext", "pattern")
FOLDER = Path(__file__).parents[1] / "shared" / "sentences"


def templates() -> Iterator[str]:
    """Yield the keys of all sentences of events and decisions."""
    for path in (*FOLDER.glob("*.py"), *(FOLDER.parent / "actions").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))) if path.stem != "yours" else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in MARKS:
                words = [each.value for each in node.args if isinstance(each, ast.Constant)]
                yield PLURAL.join(str(word) for word in words if isinstance(word, str))


NO_EVENTS = frozenset(
    {
        "{who}: your decision is awaited at “{table}”.",
        "{who} offers {talents} talents: {proposed}.",
        "{who} offers {talents} talents: {proposed}. Put {boxes}, and offer more, or pass.",
        "{who} attacks you in {zone}. Your Favorable Wind can take you out of it.",
        "{who} fights {enemy} in {place}. Lend what you like; what survives comes back to you. Your leaders there add "
        "a die only if you lend something.",
    }
)
"""Sentences for the other players, about a decision."""


def test_each_sentence_about_a_player_has_a_variant_for_that_player() -> None:
    about = [key for key in templates() if key.startswith("{who}") and key[-1] in ".!" and key not in NO_EVENTS]
    assert len(about) > 50
    assert [key for key in about if (key, "who") not in YOURS] == []


def test_variants_belong_to_sentences_and_have_the_other_gaps() -> None:
    known = {*templates(), *[variant.key for variant in YOURS.values()]}
    for (key, gap), variant in YOURS.items():
        assert key in known, key
        assert sorted({*gaps(variant.key), gap}) == sorted(set(gaps(key))), key


@pytest.mark.parametrize(
    ("reader", "words"),
    [(0, "You attack 1 in Gallia!"), (1, "0 attacks you in Gallia!"), (2, "0 attacks 1 in Gallia!"),
     (-1, "0 attacks 1 in Gallia!")],
)  # fmt: skip
def test_a_sentence_addresses_the_player_that_it_is_about(reader: int, words: str) -> None:
    sentence = _("{who} attacks {whom} in {place}!", who=Person(0), whom=Person(1), place="Gallia")
    assert in_english(to_reader(sentence, reader)) == words


def test_a_part_of_a_sentence_addresses_its_player_too() -> None:
    part = _("; {who} gains {battle_chaos} chaos", who=Person(1), battle_chaos=2)
    sentence = _("{who} wins in {place}{chaos}.", who=Person(0), place="Gallia", chaos=part)
    assert in_english(to_reader(sentence, 1)) == "0 wins in Gallia; you gain 2 chaos."
    assert isinstance(part, Sentence)
