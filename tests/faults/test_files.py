"""A few hostile files; many more: `python -m tests.faults.files`."""

from collections import Counter
from itertools import islice

import pytest

from protocol import record
from tests.faults.files import hostile, judged, originals, packed


def test_a_hostile_file_gives_a_sentence_or_the_same_game() -> None:
    outcomes = Counter({judged(record.write(match)) for match in originals()})
    assert set(outcomes) == {"equal"}
    found = Counter((name.split()[0], judged(data)) for name, data in islice(hostile(3), 700))
    assert {outcome for _, outcome in found} == {"refused", "equal"}
    assert {name for name, _ in found} >= {"packed", "inside", "fields", "entries"}


@pytest.mark.long
def test_a_small_file_of_something_huge_is_refused() -> None:
    for size in (record.MAX_INSIDE - 1, record.MAX_INSIDE + 1, 3 * record.MAX_INSIDE):
        assert judged(packed(b"\x91" * size)) == "refused"
