"""Labels of Conquest II: every choice is described, in each language, from the seat's own view."""

from collections.abc import Iterator
from random import Random

import pytest
from msgspec import structs

from client.language import tongue
from shared.actions.cote2.actions import COTE2_ACTIONS
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Dealt, Drawn, Rolled
from shared.language.sentence import GAP, Listing, Sentence, Value, english, in_english, render
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.complete import complete
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import GALLEYS, LEADERS, State, TableFields
from tests.support.cote2_walks import walk
from tests.support.layout import sp
from tests.support.marks import in_stages
from tests.support.positionii import auction, caesar, card, forum, galley, general, move, obtain, position, use

label = COTE2_ACTIONS.label
NAMES = ("Ada", "Bob", "Cleo", "Dion", "Eva", "Felix")
GERMAN = tongue("de")
PLAYED = [(seats, seed) for seats in range(2, 7) for seed in range(4)]
"""Seats and seeds of random matches."""


def said(table: State, action: Action, seat: Seat = 0) -> str:
    """Return the text of a label in English."""
    assert engine.check(COTE2, table, seat, action) is None, engine.check(COTE2, table, seat, action)
    return render(label(table, seat, action).text, tongue("en"), NAMES.__getitem__)


def keys(value: Value) -> Iterator[str]:
    """Yield the keys of a sentence and of its parts."""
    if isinstance(value, Sentence):
        yield value.key
        for part in value.values.values():
            yield from keys(part)
    if isinstance(value, Listing):
        yield from keys(value.between)
        for part in value.parts:
            yield from keys(part)


def whole(value: Sentence) -> None:
    """Check that a sentence has no open gap, and that each of its parts is translated."""
    for words in (in_english(value), render(value, GERMAN, NAMES.__getitem__)):
        assert words
        assert not GAP.search(words), words
    for key in keys(value):
        worded = any(letter.isalpha() for letter in GAP.sub("", english(key)))
        assert not worded or key in GERMAN.texts, key


def alike(a: Action, b: Action, table: TableFields) -> bool:
    """Whether two actions differ only in which of equal galleys or generals they name, or the order of sellers."""
    return _plain(a, table) == _plain(b, table)


def _plain(action: Action, table: TableFields) -> object:
    fields = structs.asdict(action)
    if "galleys" in fields:
        fields["galleys"] = sorted((galley // GALLEYS, table.galley_at[galley]) for galley in fields["galleys"])
    if fields.get("leader", NONE) != NONE:
        fields["leader"] = fields["leader"] // LEADERS, table.leader_at[fields["leader"]]
    if "sellers" in fields:
        fields["sellers"] = sorted(fields["sellers"])
    return type(action), fields


@pytest.mark.long
@pytest.mark.rule("II-ACT-02")
@pytest.mark.parametrize("game", in_stages(PLAYED, [(2, 0), (5, 1)], PLAYED[::4]))
def test_every_option_has_a_label_of_its_own(game: tuple[int, int]) -> None:
    for state, seat in walk(*game, 250):
        view = COTE2.view(state, seat)
        shown: dict[str, Action] = {}
        for action in engine.options(COTE2, view, seat):
            found = label(view, seat, action)
            whole(found.text)
            whole(found.group)
            assert {found.source, found.to, *found.places} <= {NONE, *range(BOARD.spaces)}
            words = in_english(found.text)
            assert words not in shown or alike(shown[words], action, view), (words, action, shown[words])
            shown[words] = action


def test_every_kind_of_action_has_a_label() -> None:
    known = {kind for kind in a.AnyAction.__args__ if kind not in (Rolled, Dealt, Drawn)}
    assert set(COTE2_ACTIONS.kinds) == known


@pytest.mark.rule("II-SENATE-02")
@pytest.mark.parametrize("seed", [1, 2])
def test_a_label_tells_only_what_the_view_holds(seed: int) -> None:
    """The secrets behind a view are dealt anew, and each label stays the same."""
    for state, seat in walk(3, seed, 120):
        view = COTE2.view(state, seat)
        other = complete(view, Random(seed))
        for action in engine.options(COTE2, view, seat)[:20]:
            assert label(view, seat, action) == label(state, seat, action) == label(other, seat, action)


@pytest.mark.rule("II-MOVE-01")
def test_a_move_names_its_force_and_its_way() -> None:
    state = position(
        2,
        units={"italia": {0: (5, 2, 1)}},
        leaders={"italia": [caesar(0), general(0)]},
        galleys={galley(0): "mare_numidia"},
    )
    assert said(state, move("italia", ("rhaetia", 3, 0, 0), leaders=[(general(0), "rhaetia")])) == (
        "Move a general with 3 infantry from Italia to Rhaetia"
    )
    assert said(state, move("italia", ("rhaetia", 1, 0, 0), ("neapolis", 0, 1, 0))) == (
        "Move from Italia: 1 cavalry to Neapolis; 1 infantry to Rhaetia"
    )
    assert said(state, move("italia", ("baleares", 4, 0, 0))) == "Move 4 infantry by sea from Italia to Baleares"
    found = label(state, 0, move("italia", ("rhaetia", 3, 0, 0), leaders=[(general(0), "rhaetia")]))
    assert (found.source, found.to, found.piece, found.places) == (sp("italia"), sp("rhaetia"), general(0), ())


@pytest.mark.rule("II-CARD-01")
@pytest.mark.parametrize(
    ("action", "words"),
    [
        (obtain("merchant_egypt"), "Take Merchant: Egypt for 25 talents"),
        (
            obtain("build_city_egypt_numidia", sp("egyptus")),
            "Take Build City: Egypt or Numidia for 40 talents, and build a city in Egyptus",
        ),
        (
            obtain("commandeer_aegaeum", galley(0)),
            "Take Commandeer a Fleet: Mare Aegaeum, and lead a galley there from Oceanus Britannicus",
        ),
        (obtain("bribe_senator", 1), "Take Bribe Senator for 5 talents, and win over a senator of Bob"),
        (obtain("politician"), "Take Politician for 15 talents, and gain influence in Italia"),
        (
            a.Campaign(card("barbarians_germania"), sp("italia"), 3, 1, 0, (general(0),)),
            "Take Barbarians at the Gate: Germania, and march from Italia to Germania: a general with 3 infantry, "
            "1 cavalry",
        ),
        (a.Incite(sp("asia"), (1,)), "Take Slave Revolt, and stir up slaves in Asia against Bob"),
    ],
)
def test_a_card_is_named_with_its_price_and_its_target(action: Action, words: str) -> None:
    row = ("merchant_egypt", "build_city_egypt_numidia", "commandeer_aegaeum", "bribe_senator", "politician")
    state = forum(row=(*row, "barbarians_germania", "slave_revolt"))
    assert said(state, action) == words


@pytest.mark.rule("II-CARD-05")
@pytest.mark.parametrize(
    ("action", "words"),
    [
        (use("merchant_egypt"), "Use Merchant: Egypt"),
        (use("senate_hail_caesar"), "Call the vote: Hail Caesar!"),
        (use("assassin", seat=1), "Use Assassin against a senator of Bob"),
        (use("assassin", leader=general(0, 2)), "Use Assassin against a general of Ada in Narbonensis"),
    ],
)
def test_a_use_names_the_card_and_its_victim(action: Action, words: str) -> None:
    state = forum(cards={0: ("merchant_egypt", "senate_hail_caesar", "assassin")})
    assert said(state, action) == words


@pytest.mark.rule("II-RECRUIT-01")
def test_purchases_name_their_price() -> None:
    state = forum(tokens={"italia": 2})
    recruits = a.Recruit(((sp("italia"), 2, 0, 0, 1),), ((sp("mare_tyrrhenum"), 1),))
    assert said(state, recruits) == (
        "Recruit 2 infantry, a general in Italia; a galley in Mare Tyrrhenum for 45 talents"
    )
    assert said(state, a.Influence(sp("italia"), (NONE,))) == (
        "Buy an influence token in Italia from the bank for 10 talents"
    )
    assert said(state, a.Influence(sp("italia"), (NONE, NONE))) == (
        "Buy 2 influence tokens in Italia from the bank for 20 talents"
    )
    assert said(state, a.Levy(15)) == "Raise a special tax: 15 talents, and 3 chaos"


@pytest.mark.rule("II-NAVAL-01")
def test_a_voyage_names_where_the_galleys_come_from() -> None:
    state = forum()
    to = sp("mare_numidia")
    assert said(state, a.Sail(to, (galley(0), galley(0, 1)))) == (
        "Send 2 galleys from Oceanus Britannicus and Mare Rhodus to Mare Numidia"
    )
    found = label(state, 0, a.Sail(to, (galley(0),)))
    assert (found.source, found.to, found.piece) == (sp("oceanus_britannicus"), to, galley(0))


@pytest.mark.rule("II-AUCTION-05")
def test_a_bid_names_the_boxes() -> None:
    state = auction(3)
    (seat,) = engine.owed(COTE2, state)
    assert said(state, a.Bid(15, 0, 1), seat) == "Bid 15 talents: you in box A, Bob in box B"
