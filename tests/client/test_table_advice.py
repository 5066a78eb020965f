"""Advice at the table: asked for, read, marked on the board, done; and why it cannot be had."""

import random
from typing import Any

import pytest
from arcade import key
from msgspec import Raw
from msgspec.structs import replace

from client import language
from client.drawing.widgets import Button
from client.games.registry import GUIDES
from client.games.static_match import LocalMatch
from client.network.advice_request import LOOKING_ON, NO_SERVER, NOT_YOURS, PEOPLE, AdviceRequest, AdviceTexts
from client.network.model import MatchModel
from client.table.task import ADVISED
from protocol import codec
from protocol.session import ClientSession
from protocol.version import PROTOCOL
from shared.board import BOARD
from shared.ids import NATURE
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import Person, Sentence
from shared.messages import Act, Advice, Advise, Refused, Seated, SeatInfo, Snapshot, TableState, Welcome
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.registry import RULESETS
from shared.tables import SeatKind, TablePhase
from shared.vocabulary.actions import EndMovement
from tests.client.mouse import Mouse
from tests.support.layout import sp
from tests.support.position import general, position

WORDS = (
    "March from Italia to Narbonensis.",
    "{1} has 1 infantry there. You would win with 86 % and keep 2 of 3 units on average.",
)
MARCH = March(sp("italia"), sp("narbonensis"), (general(0),), 2, 0, 0)


def among_bots(mouse: Mouse) -> Mouse:
    """All others are bots."""
    table = mouse.match.table
    assert table is not None
    seats = [replace(info, kind=SeatKind.BOT if seat else SeatKind.PERSON) for seat, info in enumerate(table.seats)]
    mouse.match.table = replace(table, seats=tuple(seats))
    mouse.settle()
    return mouse


def playing(turn: int = 0, seat: int = 0) -> Mouse:
    """Seat 0 could march from Italia upon seat 1."""
    return among_bots(
        Mouse(
            position(
                homes=("italia", "hispania"),
                units={"italia": {0: (3, 0, 0)}, "narbonensis": {1: (1, 0, 0)}},
                leaders={"italia": [general(0)], "narbonensis": [general(1)]},
                owners={"narbonensis": 1},
                turn=turn,
            ),
            seat,
        )
    )


def answered(mouse: Mouse, action: Any = MARCH) -> Mouse:
    """The answer has come."""
    mouse.match.thinking = False
    mouse.match.advice = (mouse.match.version, AdviceTexts(action, WORDS))
    mouse.settle()
    return mouse


def button(mouse: Mouse) -> Button:
    """The one that asks."""
    return next(w for w in mouse.top.layout.header.ui.widgets if isinstance(w, Button) and w.words == "Advice")


@pytest.mark.usefixtures("window")
def test_advice_is_asked_for_read_seen_on_the_board_and_done() -> None:
    mouse = playing()
    plate, board = mouse.top.advice.plate, mouse.top.board
    assert not plate.shown and button(mouse).enabled
    mouse.button("Advice", mouse.top.layout.header)
    assert mouse.match.thinking and plate.shown and not plate.ui.widgets, "nothing can be done yet"
    answered(mouse)
    assert plate.words[0] == "March from Italia to Narbonensis."
    assert plate.words[1].startswith("Marcus has 1 infantry there. You would win with 86\N{NO-BREAK SPACE}% and")
    assert board.ground.tints[sp("italia")] == board.ground.tints[sp("narbonensis")] == ADVISED
    assert board.way == [board.geography.heart(sp("italia")), board.geography.heart(sp("narbonensis"))]
    assert not any(plate.holds(*point) for point in mouse.top.display.points(mouse.top.advice.stops))
    mouse.button("Do it", plate)
    assert mouse.state.units[sp("narbonensis")][:2] == (0, 2), "they marched"
    assert not plate.shown and ADVISED not in board.ground.tints.values() and not board.way
    mouse.top.draw()
    assert not plate.stale, "what is not there is not drawn again and again"


@pytest.mark.usefixtures("window")
def test_advice_moves_over_the_chronicle_if_it_would_hide_its_subject() -> None:
    mouse = playing()
    plate, board, chronicle = mouse.top.advice.plate, mouse.top.board.rect, mouse.top.chronicle.rect
    mouse.key(key.H)
    answered(mouse)
    assert board.left <= plate.rect.left and plate.rect.right <= board.right
    points = [(board.left + board.width * x / 8, board.bottom + board.height * y / 8)
              for x in range(8) for y in range(8)]  # fmt: skip
    plate.spare(points, ())
    assert plate.rect.left == chronicle.left and plate.rect.bottom >= chronicle.bottom
    assert not any(plate.holds(*point) for point in points)


@pytest.mark.usefixtures("window")
def test_keys_ask_put_away_and_do() -> None:
    mouse = playing()
    plate = mouse.top.advice.plate
    for away in (key.H, key.ESCAPE):
        mouse.key(key.H)
        answered(mouse)
        assert plate.shown
        mouse.key(away)
        assert not plate.shown and not mouse.match.thinking and not mouse.top.menu.open
    mouse.key(key.H, key.MOD_SHIFT)
    assert sum(mouse.state.units[sp("narbonensis")][1:4]) == 1, "nothing was advised"
    mouse.key(key.H)
    answered(mouse)
    mouse.key(key.H, key.MOD_SHIFT)
    assert mouse.state.units[sp("narbonensis")][:2] == (0, 2)


@pytest.mark.usefixtures("window")
def test_enter_does_what_open_advice_offers() -> None:
    mouse = playing()
    mouse.key(key.H)
    answered(mouse)
    mouse.key(key.ENTER)
    assert mouse.state.units[sp("narbonensis")][:2] == (0, 2)


@pytest.mark.usefixtures("window")
def test_advice_for_an_old_position_is_not_shown() -> None:
    mouse = answered(playing())
    mouse.match.act(EndMovement())
    mouse.settle()
    assert not mouse.top.advice.plate.shown and not mouse.top.advice.stops


@pytest.mark.usefixtures("window")
def test_outdated_actions_are_told_and_not_carried_out() -> None:
    mouse = answered(playing(), March(sp("italia"), sp("britannia"), (general(0),), 2, 0, 0))
    mouse.button("Do it", mouse.top.advice.plate)
    assert mouse.callbacks.toasts and mouse.top.advice.plate.shown


@pytest.mark.usefixtures("window")
def test_why_there_is_no_advice_is_told_in_german(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(language, "_spoken", language.tongue("de"))
    mouse = playing()
    mouse.match.seat = 1
    mouse.settle()
    tips = [w.tip for w in mouse.top.layout.header.ui.widgets if isinstance(w, Button) and w.words == "Rat"]
    mouse.key(key.H)
    assert [mouse.callbacks.toasts.pop()] == tips
    assert tips in (["Hier spielen andere Menschen, und dieser Tisch erlaubt keinen Rat."],
                    ["Du hast jetzt nichts zu entscheiden."])  # fmt: skip


@pytest.mark.usefixtures("window")
def test_why_there_is_no_advice_stands_at_the_button_and_is_said_to_the_key() -> None:
    mouse = playing()
    table = mouse.match.table
    assert table is not None
    people = tuple([replace(info, kind=SeatKind.PERSON) for info in table.seats])
    cases = (
        (replace(table, seats=people), 0, PEOPLE),
        (replace(table, seats=tuple([replace(info, kind=SeatKind.STAND_IN) for info in people])), 0, PEOPLE),
        (table, 1, NOT_YOURS),
        (table, -1, LOOKING_ON),
    )
    for state, seat, reason in cases:
        mouse.match.table, mouse.match.seat = state, seat
        if seat == 1:
            mouse.match.table = replace(table, seats=tuple([replace(info, kind=SeatKind.BOT) for info in people]))
        mouse.settle()
        assert not button(mouse).enabled and button(mouse).tip == reason
        mouse.key(key.H)
        assert mouse.callbacks.toasts.pop() == reason and not mouse.match.thinking
    mouse.match.table, mouse.match.seat = replace(table, seats=people, advice=True), 0
    mouse.settle()
    assert button(mouse).enabled, "the host allowed it"


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_action_is_marked_at_places_of_the_board(rules: AnyRuleset) -> None:
    guide, marked = GUIDES[rules.id], set()
    for seed in range(3):
        state, chance = engine.start(rules, 4, {}, engine.ignore_event), random.Random(seed)
        for _ in range(400):
            if rules.finished(state):
                break
            seat = engine.owed(rules, state)[0]
            if seat == NATURE:
                action = engine.chance_action(state, chance)
                assert action is not None
            else:
                action = chance.choice(engine.options(rules, state, seat))
                stops = guide.stops(rules.view(state, seat), action)
                assert all(0 <= at < BOARD.positions for at in stops) and len(set(stops)) == len(stops)
                marked |= {type(action).__name__} if stops else set()
            engine.play(rules, state, seat, action, engine.ignore_event)
    assert len(marked) >= 5, marked


# --- what is asked of the server ---

TOKEN = bytes(32)


def model(advice: bool = False, can: tuple[str, ...] = ("advice",)) -> tuple[MatchModel, ClientSession, list[Any]]:
    """A match in which it is our turn, among people; and what we say."""
    match = LocalMatch(CLASSIC, 2, options={"homes": 2})
    session, said = ClientSession("Anna"), []
    seat = match.owed()[0]
    seats = (SeatInfo(SeatKind.PERSON, "Anna"), SeatInfo(SeatKind.PERSON, "Bert"))
    table = TableState("m", "", "classic", {}, True, "", TablePhase.PLAYING, seat, False, 0, 0, seats, 0, advice)
    made = MatchModel(CLASSIC, table, session, lambda data: said.append(codec.decode_client(data)))
    view = codec.encode(CLASSIC.view(match.state, seat))
    for message in (
        Welcome(PROTOCOL, "Anna", "test", (("classic", 2),), can),
        Seated(1, "m", seat, TOKEN),
        Snapshot(5, 0, Raw(view)),
    ):
        session.receive(codec.encode(message))
        made.hear(message)
    return made, session, said


def test_a_question_names_the_decision_and_its_answer_holds_for_that_position() -> None:
    made, session, said = model(advice=True)
    assert made.no_advice() == "" and made.advised is None
    made.ask_advice()
    made.ask_advice()
    (question,) = said
    assert isinstance(question, Advise) and question.frame == engine.top(made.view).no and made.thinking
    made.hear(Advice(question.ref + 1, question.frame, Raw(codec.encode(EndMovement())), "Not ours.", ()))
    assert made.thinking
    made.hear(Advice(question.ref, question.frame, Raw(codec.encode(EndMovement())), "End it.", ("So.",)))
    assert made.advised == AdviceTexts(EndMovement(), ("End it.", "So.")) and not made.thinking
    assert made.act(EndMovement()) is None and isinstance(said[-1], Act)
    assert made.advised is None, "it is being done"
    session.pending.clear()
    made.version += 1
    assert made.advised is None, "the position is another one"


def test_a_refused_question_is_told_and_a_lost_one_forgotten() -> None:
    made, _, said = model(advice=True)
    made.ask_advice()
    refused = Refused(said[0].ref, "rate", "", "You ask too often.")
    made.hear(refused)
    assert made.refusal == refused and not made.thinking
    made.refusal = None
    for lost in (Refused(0, "rate", "", "Slow down."), Seated(9, "m", made.seat, TOKEN)):
        made.ask_advice()
        made.hear(lost)
        assert not made.thinking and made.refusal is None


def test_an_older_server_and_a_table_that_forbids_it_are_not_asked() -> None:
    for made, _, said in (model(advice=True, can=()), model()):
        assert made.no_advice() in (NO_SERVER, PEOPLE)
        made.ask_advice()
        assert not said and not made.thinking


def test_advice_that_cannot_be_read_is_none() -> None:
    advising = AdviceRequest(CLASSIC, ClientSession("Anna"), lambda _data: None)
    advising.ask(3)
    assert advising.hear(Advice(1, 3, Raw(b"\x91\x7f"), "Fly.", ())) is None
    assert advising.at(0) is None and not advising.thinking


def heard(*sentences: Raw) -> AdviceTexts:
    """Return advice that came with these sentences."""
    advising, session = AdviceRequest(CLASSIC, ClientSession("Anna"), lambda _data: None), ClientSession("Anna")
    advising.ask(3)
    advising.hear(Advice(1, 3, Raw(codec.encode(EndMovement())), "End it.", ("{1} is near.",), sentences))
    found = advising.at(session.version)
    assert found is not None
    return found


def test_advice_is_told_in_the_language_of_the_player(monkeypatch: pytest.MonkeyPatch) -> None:
    sentence = Raw(codec.encode(Sentence("Fight {who} in {place}.", {"who": Person(1), "place": "Gallia"})))
    advised = heard(sentence)
    assert advised.lines(lambda seat: f"Nr. {seat}") == ["Fight Nr. 1 in Gallia."]
    monkeypatch.setattr(language, "_spoken", language.tongue("de"))
    assert advised.lines(lambda seat: f"Nr. {seat}") == ["Kämpfe gegen Nr. 1 in Gallia."]


def test_an_older_server_and_sentences_that_are_nested_too_deeply_leave_english() -> None:
    deep = Sentence("x", {})
    for _level in range(100):
        deep = Sentence("{a}", {"a": deep})
    for advised in (heard(), heard(Raw(codec.encode(deep)))):
        assert advised.lines(lambda seat: f"Nr. {seat}") == ["End it.", "Nr. 1 is near."]
