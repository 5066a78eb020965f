"""The page tells the outcome of a battle only after its dice were shown."""

from pathlib import Path

from tests.clients.runtime import answer, needs_node

HERE = Path(__file__).parent
SHOWING = HERE.parents[1] / "server" / "web" / "files" / "model" / "showing.js"


@needs_node
def test_words_wait_until_the_dice_were_shown_or_skipped() -> None:
    told_and_staged = [[1, 1], [2, 2], [2, 3], [2, 3], [4, 4], [5, 6], [6, 6], [5, 5], [6, 6], [40, 40]]
    assert answer(HERE / "showing.mjs", SHOWING) == {"seen": told_and_staged, "drawn": 2, "waiting": 0}
