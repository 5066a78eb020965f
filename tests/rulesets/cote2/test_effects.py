"""The table of cards' effects: complete, true to the cards, and every entry of it played."""

import msgspec
import pytest

from shared.kernel import engine
from shared.kernel.frames import Action
from shared.rulesets.cote2.actions import Use
from shared.rulesets.cote2.data import CARDS, IMMEDIATE, MULTI_USE, ByAct, ByKind, Card
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.effects import EFFECTS, VOTES, Taken, card_of
from shared.rulesets.cote2.state import State
from tests.support.positionii import forum, legal, obtain, options, play, refused, use

ALL = range(len(CARDS))
KEYS = [card.key for card in CARDS]


def taken(state: State, card: int) -> list[Action]:
    """Return the listed ways to obtain a card."""
    return [way for way in options(state, 0) if isinstance(way, Taken) and card_of(way) == card]


def used(state: State, card: int) -> list[Action]:
    """Return the listed ways to use a card."""
    return [way for way in options(state, 0) if isinstance(way, Use) and way.card == card]


def test_every_act_is_on_a_card_and_every_card_does_one() -> None:
    assert {card.act for card in CARDS} == set(ByAct.__struct_fields__)
    assert {card.kind for card in CARDS} == set(ByKind.__struct_fields__)
    assert all(EFFECTS.of(card) is getattr(EFFECTS, CARDS[card].act) for card in ALL)


@pytest.mark.parametrize("field", ["act", "kind"])
def test_a_card_that_is_or_does_what_no_card_is_or_does_is_not_read(field: str) -> None:
    printed = {**msgspec.to_builtins(CARDS[0]), field: "of"}
    with pytest.raises(msgspec.ValidationError, match="no card is and does that"):
        msgspec.convert(printed, Card)


@pytest.mark.parametrize("key", KEYS)
def test_every_card_can_be_obtained_in_every_way_that_is_listed(key: str) -> None:
    state = forum(row=[key])
    card = KEYS.index(key)
    ways = taken(state, card)
    assert ways
    for way in ways:
        after = state.clone()
        assert legal(after, 0, way)
        play(after, (0, way))
        assert after.row[card] == 0
        assert after.gone[card] == (CARDS[card].kind == IMMEDIATE), "out of play exactly if it is immediate"


@pytest.mark.parametrize("key", KEYS)
def test_every_multi_use_card_can_be_used_and_no_other_one(key: str) -> None:
    state = forum(cards={0: [key]})
    card = KEYS.index(key)
    ways = used(state, card)
    if CARDS[card].kind != MULTI_USE:
        assert not ways
        assert refused(state, 0, use(key)) == "II-CARD-05"
        return
    assert ways
    for way in ways:
        after = state.clone()
        play(after, (0, way))
        assert after.used[0] == (card,)
        assert not used(after, card)


def test_votes_are_the_cards_with_which_the_senate_is_called() -> None:
    assert tuple(card for card in ALL if CARDS[card].key.startswith("senate_")) == VOTES


@pytest.mark.parametrize("key", KEYS)
def test_a_card_is_not_obtained_like_another_one(key: str) -> None:
    state = forum(row=[key])
    card = KEYS.index(key)
    (kind,) = {type(way) for way in taken(state, card)}
    others = {type(way): way for other in ALL for way in taken(forum(row=[KEYS[other]]), other)}
    for other, way in others.items():
        if other is not kind and hasattr(way, "card"):
            told = engine.check(COTE2, state, 0, msgspec.structs.replace(way, card=card))
            assert told is not None
            assert told.code == "wrong-action"


def test_cards_without_a_target_take_none() -> None:
    for key in KEYS:
        state = forum(row=[key])
        if obtain(key) in taken(state, KEYS.index(key)):
            assert refused(state, 0, obtain(key, 1)) == "II-CARD-01"
