"""Which games the table offers."""

import pytest

from client.games import registry, shown


def test_every_game_that_is_shown_has_a_guide_and_the_other_way_round() -> None:
    assert set(shown.SHOWN) == set(registry.GUIDES)


def test_a_game_without_a_table_is_refused_in_words() -> None:
    with pytest.raises(ValueError, match="no table for Conquest of the Empire II"):
        shown.ruleset("cote2")
