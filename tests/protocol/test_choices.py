"""A choice from a long list, and the space that it was chosen from."""

from collections import Counter
from itertools import pairwise

from protocol.choices import fair, scattered, scopes
from shared.kernel.frames import Action
from shared.messages import Scope, Span
from shared.rulesets.classic.actions import Buy, March
from shared.vocabulary.actions import Answer, EndMovement


def test_every_beginning_is_spread_over_the_whole() -> None:
    for count in (1, 2, 7, 64, 100):
        order = scattered(count)
        assert sorted(order) == list(range(count))
        for size in (2, 5, 16):
            if size <= count:
                gaps = sorted([*order[:size], count])
                widest = max(b - a for a, b in pairwise(gaps))
                assert widest <= 4 * count / size, (count, size)
    assert scattered(0) == []


def test_each_kind_has_as_many_as_the_others_as_long_as_there_are_any() -> None:
    kinds = [EndMovement, *[March] * 500, *[Buy] * 100]
    chosen = fair(kinds, [10] * len(kinds), 1000)
    assert len(chosen) == 100 and chosen == sorted(chosen)
    assert Counter(kinds[i] for i in chosen) == {EndMovement: 1, March: 50, Buy: 49}
    marches = [i for i in chosen if kinds[i] is March]
    assert marches[0] < 20 and marches[-1] > 470, "from everywhere in the list"


def test_as_many_choices_as_fit_are_told() -> None:
    assert fair([March] * 3, [10, 10, 10], 30) == [0, 1, 2]
    assert fair([March] * 3, [10, 10, 10], 29) == [0, 2]
    assert fair([March, Buy], [10, 10], 9) == []
    assert fair([], [], 0) == []


def test_numbers_lengths_items_and_places_in_groups_are_spanned() -> None:
    actions: list[Action] = [
        March(3, 4, (7,), 2, drops=((1, -1, 0, 0), (5, 2, 0, 1))),
        March(1, 9, (2, 8), 5),
        Answer(True),
        Answer(False),
    ]
    march, answer = scopes(actions)
    assert answer == Scope(31, (Span("accept", 0, 1),))
    assert march.tag == 11
    assert {span.field: (span.low, span.high) for span in march.spans} == {
        "source": (1, 3),
        "to": (4, 9),
        "leaders": (1, 2),
        "leaders[]": (2, 8),
        "infantry": (2, 5),
        "cavalry": (0, 0),
        "catapults": (0, 0),
        "tired": (0, 0),
        "drops": (0, 2),
        "drops[][0]": (1, 5),
        "drops[][1]": (-1, 2),
        "drops[][2]": (0, 0),
        "drops[][3]": (0, 1),
    }
    assert scopes([]) == ()
