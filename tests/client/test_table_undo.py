"""Taking back what one did, at the table: the button, the key, the line in the chronicle, and the board as it was."""

from itertools import product
from random import Random
from typing import Any

import pytest
from arcade import key
from msgspec.structs import replace

from client import language
from client.drawing import theme
from client.drawing.widgets import Button
from client.games.conquest.tasks.building_tasks import Buying, Razing
from client.games.conquest.tasks.movement_tasks import Moving
from client.games.static_match import LocalMatch
from client.network.model import VersionedEvent
from client.network.rewind_moments import Moments
from client.network.table_events import WentBack
from client.text_client.table import TextTable
from protocol import codec
from server.matches.match import AcceptedAction
from shared.actions.registry import label_of
from shared.ids import NONE
from shared.kernel import engine
from shared.messages import Accepted, Done, Refused, Seated, SeatInfo, Story, Undo
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import UNDO, SeatKind
from shared.vocabulary.actions import EndMovement
from tests.client.mouse import Mouse
from tests.client.test_network_model import Table
from tests.client.test_table_keys import marching
from tests.support.layout import sp
from tests.support.marks import mostly_long_pairs
from tests.support.position import general
from tests.support.positionii import auction, play

pytestmark = pytest.mark.usefixtures("window")


def moved() -> Mouse:
    """Two legions have marched, one after the other."""
    hands = marching()
    for to in ("neapolis", "italia"):
        march = next(
            action
            for action in engine.options(hands.match.rules, hands.state, 0)
            if isinstance(action, March) and general(0) in action.leaders and action.to == sp(to)
        )
        assert hands.match.act(march) is None
        hands.settle()
    return hands


def test_the_key_takes_back_one_decision_after_the_other_and_then_does_nothing() -> None:
    hands = moved()
    versions = hands.match.version
    assert hands.state.leader_at[general(0)] == sp("italia")
    hands.key(key.Z, key.MOD_CTRL)
    assert hands.state.leader_at[general(0)] == sp("neapolis")
    hands.key(key.Z, key.MOD_CTRL)
    assert hands.state.leader_at[general(0)] == sp("italia")
    hands.key(key.Z, key.MOD_CTRL)
    assert hands.match.version == versions + 2
    assert hands.callbacks.toasts[-1] == "There is nothing that you can take back.", "the table says why"
    assert [line.words for line in hands.top.chronicle.lines[-2:]] == ["You take back your last decision."] * 2


def test_the_button_is_there_as_long_as_it_works_and_the_board_goes_back_without_a_flight() -> None:
    hands = moved()
    for _ in range(2):
        hands.button("Take back", hands.top.undo.button)
        assert not hands.top.display.motion.flying and not hands.top.events.busy
    assert hands.top.undo.button.words == "" and not any(
        isinstance(w, Button) for w in hands.top.undo.button.ui.widgets
    )
    assert any(token.space == sp("italia") for token in hands.top.display.standing if token.key.startswith("leader"))


def test_the_button_says_what_it_takes_back() -> None:
    hands = moved()
    button = hands.top.undo.button
    assert button.words == "Take back: You march from Neapolis to Italia: a general with 2 cavalry."
    assert any(isinstance(widget, Button) and widget.words.startswith("Take back: You") for widget in button.ui.widgets)
    at = hands.match.version
    _, hands.match.state = hands.match._past.pop()
    hands.match.version += 1
    hands.match._new_events.append(VersionedEvent(hands.match.version, WentBack(0, at - 1)))
    hands.settle()
    assert button.words.startswith("Take back: You march"), "the decision before it is next"
    assert "to Neapolis" in button.words


def test_the_button_says_it_after_a_match_was_resumed_too(monkeypatch: pytest.MonkeyPatch) -> None:
    story: list[VersionedEvent] = []
    take = LocalMatch.take_events

    def kept(match: LocalMatch) -> list[VersionedEvent]:
        story.extend(found := take(match))
        return found

    monkeypatch.setattr(LocalMatch, "take_events", kept)
    hands = moved()
    monkeypatch.undo()
    resumed = Mouse(hands.state)
    resumed.match.version, resumed.match._past = hands.match.version, hands.match._past
    back = VersionedEvent(resumed.match.version + 1, WentBack(0, resumed.match.version - 1))
    for told, words in ((story, "to Italia"), ([*story, back], "to Neapolis")):
        monkeypatch.setattr(resumed.match, "take_story", lambda told=told: told)
        resumed.match.version = told[-1].version
        resumed.top.undo.labels.clear()
        resumed.top.hear()
        button = resumed.top.undo.button.words
        assert button.startswith("Take back: You march") and words in button


def test_the_button_names_the_decision_not_what_followed_from_it() -> None:
    state = auction(3)
    play(state, (0, a.Bid(0, 0, 1)), (1, a.Pass()), (2, a.Bid(5, 0, 2)), (0, a.Pass()))
    hands = Mouse(state, 1, COTE2)
    assert hands.match.act(a.Pass()) is None
    hands.settle()
    assert any(line.words == "You open an alliance auction." for line in hands.top.chronicle.lines)
    assert hands.top.undo.button.words == "Take back: You pass."
    theme.set_window(1024, 680)
    hands.top.place(1024, 680)
    assert hands.top.sheet is not None and hands.top.sheet.seen.bottom >= hands.top.undo.button.rect.top, (
        "it is not covered"
    )


def test_a_step_of_a_draft_comes_before_what_was_sent() -> None:
    hands = moved()
    before = hands.match.version
    hands.space("italia")
    hands.top.task.next()
    drafted = hands.top.task.line()
    hands.key(key.Z, key.MOD_CTRL)
    assert hands.match.version == before and hands.top.task.line() != drafted


def test_undo_by_another_player_is_told_and_shown() -> None:
    hands = moved()
    state = hands.state
    _, hands.match.state = hands.match._past[0]
    hands.match.version += 1
    hands.match._new_events.append(VersionedEvent(hands.match.version, WentBack(1, 3)))
    assert hands.match.state is not state
    hands.settle()
    assert hands.top.chronicle.lines[-1].words == "Marcus takes back the last decision."
    assert hands.callbacks.toasts[-1] == "Marcus takes back the last decision."
    hands.match._new_events.append(VersionedEvent(hands.match.version, WentBack(NONE, 3)))
    hands.settle()
    assert hands.top.chronicle.lines[-1].words.startswith("All agreed")


def followed() -> Table:
    """A model that has heard of its own march."""
    table = Table()
    action = next(a for a in engine.options(table.match.rules, table.match.state, 0) if isinstance(a, March))
    step = table.match.submit(0, 1, table.match.frame, codec.encode(action))
    told(table, step)
    return table


def told(table: Table, step: object) -> None:
    assert isinstance(step, AcceptedAction)
    table.match.commit(step)
    for turned in step.turned:
        table.hear(turned.frames[0])


def test_the_model_asks_once_and_follows() -> None:
    table = followed()
    model = table.model
    model.take_events()
    assert model.undoable == 1
    model.undo()
    model.undo()
    asked = codec.decode_client(table.sent[0])
    assert isinstance(asked, Undo) and len(table.sent) == 1 and asked.version == model.version
    assert model.undoable == 0, "it is on its way"
    told(table, table.match.undo(0, asked.version))
    table.hear(codec.encode(Done(asked.ref)))
    assert model.take_events() == [VersionedEvent(2, WentBack(0, 0))]
    assert model.undoable == 0 and codec.encode(model.view) == table.match.view(0)


def test_reason_of_a_closed_undo_comes_from_the_server() -> None:
    table = Table()
    words = TextTable(table.model, lambda _said: None)
    assert words.read("undo") == ["There is nothing that you can take back."], "a server that knows no undo"
    table.session.can = (UNDO,)
    assert words.read("undo") == [] == words.read("undo"), "it is asked once"
    asked = codec.decode_client(table.sent[-1])
    assert isinstance(asked, Undo) and not asked.again
    table.hear(
        codec.encode(Refused(asked.ref, "no-undo", "", "You cannot take that back: dice have been rolled since."))
    )
    assert table.model.refusal is not None and table.model.refusal.text.endswith("dice have been rolled since.")


def test_alone_against_bots_one_goes_back_by_a_button_that_says_what_happens_to_the_dice() -> None:
    hands = moved()
    hands.match._past.clear()
    hands.settle()
    assert hands.top.undo.button.words == ""
    asked: list[bool] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(type(hands.match), "alone", True)
        patch.setattr(hands.match, "undo", asked.append)
        hands.settle()
        assert hands.top.undo.button.words == "", "there is no decision of this player yet"
        hands.match.moments.decide(hands.match.version - 1)
        hands.top.follow()
        assert "Dice will be rolled again" in hands.top.undo.tip()
        hands.button("Go back", hands.top.undo.button)
        assert asked == [] and hands.top.undo.button.words == "Really go back?", "others' moves would go too"
        hands.button("Really", hands.top.undo.button)
    assert asked == [True]


def test_only_who_plays_against_bots_alone_is_offered_to_go_back() -> None:
    table = Table()
    model = table.model
    assert not model.alone and model.table is not None
    table.session.can = (UNDO,)
    bots = tuple(
        SeatInfo(SeatKind.PERSON if seat == model.seat else SeatKind.BOT) for seat in range(len(model.table.seats))
    )
    model.table = replace(model.table, seats=bots)
    assert model.alone
    words = TextTable(model, lambda _said: None)
    assert words.read("back") == []
    asked = codec.decode_client(table.sent[-1])
    assert isinstance(asked, Undo) and asked.again
    model.table = replace(model.table, forward_only=True)
    assert not model.alone
    assert "needs a table of bots that allows it" in words.read("back")[0]


def test_a_refused_wish_is_told_and_can_be_had_again() -> None:
    table = followed()
    table.model.undo()
    asked = codec.decode_client(table.sent[0])
    assert isinstance(asked, Undo)
    table.hear(codec.encode(Refused(asked.ref, "stale-version", "", "Something has happened.")))
    assert table.model.refusal is not None and table.model.undoable == 1


def test_the_story_tells_steps_back_among_what_happened() -> None:
    table = followed()
    told(table, table.match.undo(0, 1))
    table.hear(codec.encode(Story(table.match.story(0), (), table.match.backs())))
    story = table.model.take_story()
    assert [one.version for one in story] == sorted(one.version for one in story)
    assert story[-1].event == WentBack(0, 0)


def test_the_table_in_words_takes_back_too() -> None:
    table = followed()
    words = TextTable(table.model, lambda _said: None)
    words.hear(table.model.take_events())
    assert words.read("undo") == []
    told(table, table.match.undo(0, 1))
    assert words.hear(table.model.take_events()) == ["You take back your last decision."]
    assert words.read("undo") == ["There is nothing that you can take back."]


def test_the_button_names_the_end_of_a_phase_and_goes_back_before_a_question_that_was_left_out() -> None:
    hands = marching(built={"italia": 1})
    hands.button("End movement")
    hands.button("Really end?")
    assert isinstance(hands.top.task, Buying), "whether to raze a city is not asked"
    assert hands.top.undo.button.words == "Take back: End the movement"
    hands.button("Take back", hands.top.undo.button)
    assert isinstance(hands.top.task, Moving)


def test_a_question_that_was_left_out_is_asked_where_nothing_before_it_can_be_taken_back() -> None:
    hands = marching(built={"italia": 1})
    hands.button("End movement")
    hands.button("Really end?")
    del hands.match._past[0]
    hands.settle()
    hands.button("Take back", hands.top.undo.button)
    assert isinstance(hands.top.task, Razing)


def test_a_question_that_was_left_out_after_dice_is_named_itself() -> None:
    hands = marching(built={"italia": 1})
    hands.match.play(0, EndMovement())
    hands.match._past.clear()  # As after dice.
    hands.top.undo.labels[hands.match.version] = "You roll 4 dice: 1 hit"
    hands.settle()
    assert isinstance(hands.top.task, Buying) and hands.match.undoable == 1
    assert hands.top.undo.button.words == "Take back: Keep the cities"


def test_a_match_is_gone_back_in_only_to_a_decision_of_ones_own_in_reach() -> None:
    table = Table()
    model = table.model
    assert not model.moments.decided
    action = next(a for a in engine.options(table.match.rules, table.match.state, 0) if isinstance(a, March))
    model.act(action)
    told(table, table.match.submit(0, 1, table.match.frame, codec.encode(action)))
    assert not model.moments.decided, "it is not accepted yet"
    table.hear(codec.encode(Accepted(1, model.version)))
    assert model.moments.decided
    told(table, table.match.undo(0, model.version))
    assert not model.moments.decided, "it was taken back"
    table.hear(codec.encode(Seated(0, "m", 0, b"", 1)))
    assert model.moments.decided, "another program of the player decided"


def test_decisions_before_the_last_round_are_out_of_reach() -> None:
    moments = Moments()
    rounds = iter((1, 2, 2, 3, 4))

    def see(version: int) -> None:
        moments.see(version, replace(CLASSIC, round_of=lambda _view: (next(rounds),)), None, (0,))

    see(1)
    moments.decide(1)
    see(2)
    assert moments.decided
    see(3)
    see(4)
    assert not moments.decided


def unnumbered(view: Any) -> list[object]:
    """A position without the numbers of its decisions, which are never used twice."""
    kept = [codec.encode(getattr(view, name)) for name in view.__struct_fields__ if name not in ("frames", "pushed")]
    return [*kept, *map(type, view.frames)]


@pytest.mark.parametrize(("key", "code"), mostly_long_pairs(product(RULESETS, ("en", "de")), ("cote2", "de")))
def test_the_button_names_the_decision_that_comes_back(key: str, code: str) -> None:
    """A decision that was left out belongs to the one before it, if that can be taken back too."""
    rules, chance = ruleset(key), Random(3)
    language.speak(language.tongue(code))
    seen = 0
    try:
        hands = Mouse(engine.start(rules, 3, {}, engine.ignore_event), 0, rules)
        hands.match._draw()
        for _ in range(40):
            hands.settle()
            owed = hands.match.owed()
            if 0 not in owed:
                hands.match.play(owed[0], chance.choice(engine.options(rules, hands.state, owed[0])))
                continue
            action, before = chance.choice(hands.match.options()), hands.match.view
            label = label_of(key, before, 0, action)
            hands.top.desk.act(action)
            hands.settle()
            words = hands.top.undo.button.words
            if not words or label is None:
                continue
            named = language.say(label.text, lambda seat: hands.match.name(seat) if seat else language._("you"))
            assert words == language._("Take back: {what}", what=named)
            if chance.random() < 0.5:
                hands.click(hands.top.undo.button.rect.x, hands.top.undo.button.rect.y)
                assert hands.match.check(action) is None and unnumbered(hands.match.view) == unnumbered(before), named
                seen += 1
        assert seen > 1
    finally:
        language.speak(language.tongue("en"))
