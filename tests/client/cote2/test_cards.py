"""The table of how cards are shown and asked for: every card is taken and used through it."""

import arcade
import pytest

from client.games.cote2.sheets import card_faces
from client.games.cote2.tasks.turn_task import TakingTurn
from client.language import say_line
from shared.ids import NONE
from shared.rulesets.cote2.actions import Use
from shared.rulesets.cote2.data import CARDS, MULTI_USE, ByAct
from shared.rulesets.cote2.effects import Taken, card_of
from shared.rulesets.cote2.events import Rewarded
from shared.rulesets.cote2.state import State
from shared.sentences.cote2 import tell
from tests.client.cote2.player import Player
from tests.support.positionii import card, forum, position

KEYS = [printed.key for printed in CARDS]
pytestmark = pytest.mark.usefixtures("window")


def turn(state: State) -> tuple[Player, TakingTurn]:
    """A turn, and its player."""
    player = Player(state)
    assert isinstance(player.task, TakingTurn)
    return player, player.task


@pytest.mark.parametrize("key", KEYS)
def test_every_card_is_taken_as_it_is_suggested(key: str) -> None:
    player, task = turn(forum(row=[key]))
    kind = card(key)
    assert task.why_not_card(kind) == ""
    task.choose_card(kind)
    assert task.card == kind
    assert task.line().startswith(CARDS[kind].name)
    if not task.confirm():
        task.next()
        assert task.confirm()
    taken = player.last()
    assert isinstance(taken, Taken)
    assert card_of(taken) == kind
    assert player.toasts == []


@pytest.mark.parametrize("key", KEYS)
def test_every_card_says_why_it_cannot_be_taken(key: str) -> None:
    _, task = turn(forum(row=["loot_the_countryside"], talents=(0, 0, 0)))
    assert task.why_not_card(card(key)) in (
        "That card is not on offer.",
        "Loot the Countryside costs 10 talents; you have 0.",
    )


WHY = {
    "city": "You have no infantry, cavalry or catapult in",
    "fleet": "A galley of yours on the board must lead the fleet.",
    "barbarians": "Exactly 4 units march",
    "politician": "Your Caesar is not in a key province.",
    "bribe": "Name another player.",
    "revolt": "Slaves rise in a province with",
}


def test_a_card_that_asks_for_more_than_its_price_says_what() -> None:
    _, task = turn(position(row=KEYS, senators={1: (0, 0, 0, 0)}))
    for key in KEYS:
        assert task.why_not_card(card(key)).startswith(WHY.get(CARDS[card(key)].act, "")), key
        assert bool(task.why_not_card(card(key))) == (CARDS[card(key)].act in WHY), key


@pytest.mark.parametrize("key", [printed.key for printed in CARDS if printed.kind == MULTI_USE])
def test_every_multi_use_card_is_used_as_it_is_suggested(key: str) -> None:
    player, task = turn(forum(cards={0: [key]}))
    task.choose_use(card(key))
    assert task.card == card(key)
    if not task.confirm():
        task.next()
        assert task.confirm()
    used = player.last()
    assert isinstance(used, Use)
    assert used.card == card(key)
    assert (used.leader == NONE and used.seat == NONE) == (key != "assassin")


def test_gains_of_every_kind_of_card_are_told() -> None:
    for act in ByAct.__struct_fields__:
        kind = next(k for k in range(len(CARDS)) if CARDS[k].act == act)
        told = say_line(tell(Rewarded(1, kind, 40, 0)), lambda seat: ("Livia", "Marcus")[seat])
        assert "Marcus" in told
        assert told.endswith(".")


@pytest.mark.long
def test_every_card_that_is_on_offer_is_legible(monkeypatch: pytest.MonkeyPatch) -> None:
    """Letters of 12 pixels at least, nine points, at the size at which ten cards lie in a window of 1280x800."""
    drawn: list[tuple[float, str]] = []
    monkeypatch.setattr(arcade.Text, "draw", lambda line: drawn.append((line.font_size, line.text)))
    rect = arcade.LBWH(0, 0, 103, 103 * card_faces.SHAPE)
    for kind in range(len(CARDS)):
        card_faces.card_face(rect, kind, number=2)
    assert len(drawn) == 4 * len(CARDS), "name, gist, price and number"
    assert [line for line in drawn if line[0] < 9] == []
