"""Votes at the table, as one player sees them and takes part."""

import pytest
from arcade import key
from msgspec.structs import replace

from client.app import App
from client.drawing.fields import Selector
from client.drawing.widgets import Button
from client.games.static_match import LocalMatch
from client.language import switch
from client.network.model import VersionedEvent
from client.network.rewind_moments import Moments
from client.network.table_events import Asked, MomentKind, NamedVersion, WentBack
from client.network.voting import choice
from client.screens.create import CreateScreen
from client.table.event_text import event_line
from client.table.proposal_text import lasting, moment_words, question, standing, told
from client.table.task import Watching
from client.table.vote_menu import VoteMenu
from client.text_client.table import TextTable
from protocol import codec
from shared.ids import NONE
from shared.messages import Absent, AbsentSeat, Clock, Motion, Poll, Propose, SeatInfo, Vote, Welcome
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.mb1984.definition import MB1984
from shared.tables import VOTES, Away, Matter, Outcome, Pace, Run, SeatKind
from shared.vocabulary.events import BattleBegan, TurnBegan
from tests.client.mouse import Mouse
from tests.client.test_network_model import Table
from tests.client.test_table_keys import marching

pytestmark = pytest.mark.usefixtures("window")


def polled(motion: Motion, outcome: Outcome = Outcome.OPEN, ayes: tuple[int, ...] = (1,)) -> Poll:
    return Poll(1, motion, 1, (0, 1), ayes, (), 2, 60, outcome)


def voting(hands: Mouse | None = None) -> tuple[Mouse, list[bytes]]:
    """Return a player at a table whose server supports votes, and the list of the messages that they send."""
    hands, sent = hands or marching(), list[bytes]()
    session = hands.match.voting._session
    session.can = (VOTES,)
    hands.match.voting._send = sent.append
    return hands, sent


def hear(match: LocalMatch, poll: Poll) -> None:
    asked = match.voting.hear(poll)
    if asked is not None:
        match._new_events.append(VersionedEvent(match.version, asked))


def test_a_question_is_shown_with_two_buttons_and_answered_by_one_or_by_its_key() -> None:
    hands, sent = voting()
    hear(hands.match, polled(Motion(Matter.PAUSE)))
    hands.settle()
    notice = hands.top.layout.ballot.notice
    assert notice is not None and notice.lines[0] == "Marcus asks for a pause."
    assert notice.lines[1] == "For it: Marcus. 2 are needed."
    hands.button("Yes", hands.top.layout.ballot)
    hands.key(key.N, key.MOD_SHIFT)
    said = [codec.decode_client(data) for data in sent]
    assert [(one.poll, one.yes) for one in said if isinstance(one, Vote)] == [(1, True), (1, False)]
    hear(hands.match, polled(Motion(Matter.PAUSE), Outcome.REJECTED))
    hands.settle()
    assert not hands.top.layout.ballot.shown
    lines = [line.words for line in hands.top.chronicle.lines]
    assert lines[-2:] == ["Marcus asks for a pause.", "That is not agreed."]


def test_spectators_read_and_are_not_asked() -> None:
    hands, _sent = voting()
    hands.match.seat = NONE
    hear(hands.match, polled(Motion(Matter.END)))
    hands.settle()
    assert hands.top.layout.ballot.shown and not any(isinstance(w, Button) for w in hands.top.layout.ballot.ui.widgets)
    assert not hands.top.layout.ballot.vote(True) and not hands.top.menu.ask_others()


def test_a_former_spectator_is_asked_to_decide() -> None:
    hands = Mouse(marching().state, NONE)
    assert isinstance(hands.top.task, Watching)
    hands.match.seat = 0
    hands.match.version += 1
    hands.settle()
    assert not isinstance(hands.top.task, Watching) and hands.top.playback.seat == 0
    hands.key(key.SPACE)
    assert hands.top.task.line()


def test_the_menu_asks_for_what_the_match_allows_and_nothing_else() -> None:
    hands, sent = voting()
    match = hands.match
    assert match.table is not None
    hands.key(key.Q)
    words = [entry.words for entry in hands.top.menu.page.entries]
    assert words == ["Cancel", "A pause", "Other clocks …", "End the match now …"]
    match.table = replace(
        match.table,
        seats=(match.table.seats[0], SeatInfo(SeatKind.AWAY, "Marcus")),
        pace=Pace(Run.POST, 86400),
        onlookers=("Titus",),
    )
    match.moments.hear(4, [BattleBegan(3, 0, 1)])
    match.version = 9
    hands.key(key.ESCAPE)
    hands.key(key.ESCAPE)
    hands.key(key.Q)
    words = [entry.words for entry in hands.top.menu.page.entries]
    assert words[2:5] == ["Go back …", "Replace an absent player …", "More time …"]
    hands.top.menu.page.entries[2].action()
    assert hands.top.menu.page.words.startswith("To a moment of this round or the last."), "so few are no fault"
    page = hands.top.menu._choices("", VoteMenu(match).seats)
    assert [entry.words for entry in page.entries][-1] == "Titus for Marcus"
    assert page.entries[-1].tip == "By post, only once a bot plays for Marcus."
    assert not page.entries[1].tip, "a bot may sit down at once"
    assert VoteMenu(match).terms(Motion(Matter.END)) == ""
    page.entries[-1].action()
    match.table = replace(match.table, pace=Pace())
    page = hands.top.menu._choices("", VoteMenu(match).seats)
    assert page.entries[-1].tip == "Only once Marcus has been away for five minutes."
    hands.top.menu._choices("", VoteMenu(match).backs).entries[1].action()
    said = [codec.decode_client(data) for data in sent]
    motions = [one.motion for one in said if isinstance(one, Propose)]
    assert motions == [Motion(Matter.SEAT, 1, name="Titus"), Motion(Matter.BACK, to=3)]
    match.table = replace(match.table, forward_only=True)
    assert not VoteMenu(match).backs()


def test_a_paused_match_says_so_and_how_it_goes_on() -> None:
    hands, sent = voting()
    hands.match.clock = Clock((0,), 0, (), True)
    hands.settle()
    assert (
        hands.top.layout.ballot.notice is not None and hands.top.layout.ballot.notice.heading == "The match is paused"
    )
    hands.button("Ask to go on", hands.top.layout.ballot)
    said = codec.decode_client(sent[-1])
    assert isinstance(said, Propose) and said.motion.matter is Matter.GO_ON


def away(match: LocalMatch, rule: Away, left: int = 100) -> None:
    """Let Marcus be away at a table with that rule, at their turn."""
    assert match.table is not None
    seats = match.table.seats[0], SeatInfo(SeatKind.AWAY, "Marcus")
    match.table, match.clock = replace(match.table, seats=seats, away=rule), Clock((1,), 0)
    match.voting.hear(Absent((AbsentSeat(1, 20, left),)))


def test_all_see_who_is_away_and_may_wait_or_ask_the_others() -> None:
    hands, sent = voting()
    away(hands.match, Away.ASK)
    hands.settle()
    notice = hands.top.layout.ballot.notice
    assert notice is not None and (notice.heading, notice.clock) == ("Marcus is away", "100 seconds")
    assert notice.lines[0].startswith("Nothing is decided for Marcus.")
    buttons = [widget.words for widget in hands.top.layout.ballot.ui.widgets if isinstance(widget, Button)]
    assert buttons == ["Wait", "A bot for this turn", "A bot until they return", "A pause"]
    for words in buttons[1:]:
        hands.button(words, hands.top.layout.ballot)
    said = [one.motion for one in map(codec.decode_client, sent) if isinstance(one, Propose)]
    bot = Motion(Matter.SEAT, 1, level="normal")
    assert said == [replace(bot, turn=True), bot, Motion(Matter.PAUSE)]
    hands.button("Wait", hands.top.layout.ballot)
    assert not hands.top.layout.ballot.shown
    hands.match.voting.hear(Absent(()))
    hands.settle()
    away(hands.match, Away.WAIT, 0)
    hands.settle()
    notice = hands.top.layout.ballot.notice
    assert notice is not None and (notice.lines, notice.clock) == (("The match waits.",), "")
    hands.key(key.N, key.MOD_SHIFT)
    assert not hands.top.layout.ballot.shown, "the key of No waits, too"


def test_the_table_in_words_tells_an_absence_once_and_asks_the_others() -> None:
    hands, sent = voting()
    table = TextTable(hands.match, lambda _words: None)
    away(hands.match, Away.BOT, 60)
    lines = table.announce()
    assert lines[0] == "Marcus is away. A bot plays for Marcus when the time is up. 1 minute left."
    assert lines[1:3] == ["“away wait”: wait.", "“away pause”: A pause."]
    assert "is away" not in " ".join(table.announce())
    away(hands.match, Away.ASK, 0)
    assert table.announce()[:1] == ["Marcus is away. Nothing is decided for Marcus. What you agree on begins at once."]
    assert table.read("away turn") == []
    said = codec.decode_client(sent[-1])
    assert isinstance(said, Propose) and said.motion == Motion(Matter.SEAT, 1, level="normal", turn=True)
    assert table.read("away wait") == ["You wait."]
    hands.match.voting.hear(Absent(()))
    assert table.read("away") == ["No player is away whom the match waits for."]


def test_all_questions_and_what_came_of_them_are_told_in_words() -> None:
    who = ("Livia", "Marcus", "Titus").__getitem__
    for matter in Matter:
        motion = Motion(matter, 0, 3, "normal", "", 600, Pace(Run.POST, 3600))
        assert question(polled(motion), who).startswith("Marcus asks")
    assert question(polled(Motion(Matter.TIME, 0, seconds=600)), who).endswith("for Livia: 10 minutes.")
    alone = Poll(2, Motion(Matter.PAUSE), 0, (0,), (0,), (), 1, 0, Outcome.CARRIED)
    assert told(Asked(alone, fresh=True), who) == "Livia asks for a pause."
    own = polled(Motion(Matter.TIME, 1, seconds=600))
    assert question(own, who, reader=1) == "You ask for more time for yourself: 10 minutes."
    assert told(Asked(own, fresh=True), who, reader=0) == "Marcus asks for more time for Marcus: 10 minutes."
    back = Asked(polled(Motion(Matter.BACK, to=3)), fresh=True, moment=NamedVersion(3, MomentKind.TURN, 0))
    assert told(back, who, reader=0).startswith("Marcus asks to go back: to your turn. Dice")
    assert standing(alone, who, reader=0).startswith("For it: you.")
    for outcome in (Outcome.CARRIED, Outcome.REJECTED, Outcome.LAPSED, Outcome.FAILED):
        assert "That" in told(Asked(polled(Motion(Matter.END), outcome), fresh=False), who)
    ended = Poll(3, Motion(Matter.END), 0, (0, 1, 2), (0,), (1,), 3, 0, Outcome.REJECTED)
    assert told(Asked(ended, fresh=False), who, 1) == "That is not agreed. Against it: you."
    late = replace(ended, noes=(), outcome=Outcome.LAPSED)
    assert told(Asked(late, fresh=False), who) == "That was not decided in time. No answer: Marcus and Titus."
    gone = told(Asked(replace(late, outcome=Outcome.FAILED), fresh=False), who)
    assert gone.endswith(" to end the match now and count. That can no longer be done.") and "agreed" not in gone
    assert [lasting(n) for n in (1, 90, 120, 7200, 86400 * 3)] == [
        "1 second", "90 seconds", "2 minutes", "2 hours", "3 days"
    ]  # fmt: skip


def test_moments_are_those_of_this_round_and_the_last() -> None:
    moments = Moments()
    who = ("Livia", "Marcus").__getitem__
    match = LocalMatch(CLASSIC, 2)
    state = match.state.clone()
    for version, round_ in ((1, 1), (10, 2), (20, 3)):
        state.round = round_
        moments.see(version, CLASSIC, state, (0,))
        moments.hear(version, [TurnBegan(0, round_)])
        moments.hear(version + 4, [BattleBegan(3, 0, 1)])
        moments.see(version + 5, CLASSIC, state, (1,))
    found = moments.before(40)
    assert [moment.version for moment in found] == [23, 20, 13, 10], "what round 1 had is too far back"
    assert {moment.kind for moment in found} == {MomentKind.TURN, MomentKind.BATTLE, MomentKind.DECISION} or found[
        1
    ].kind is MomentKind.TURN
    assert moment_words(moments.before(22)[0], who) == "to the turn of Livia"
    moments.hear(41, [WentBack(NONE, 12)])
    assert max(moment.version for moment in moments.before(42)) <= 12


@pytest.mark.parametrize(
    ("number", "words"),
    [
        ((3,), "to the beginning of round 3"),
        ((2, 0), "to the beginning of season 2"),
        ((2, 4), "to season 2, round 4"),
    ],
)
def test_rounds_have_names_in_every_game(number: tuple[int, ...], words: str) -> None:
    assert moment_words(NamedVersion(1, MomentKind.ROUND, round=number), str) == words


@pytest.mark.parametrize("rules", [CLASSIC, MB1984, COTE2], ids=lambda rules: rules.id)
def test_every_game_says_which_round_it_is(rules: type) -> None:
    match = LocalMatch(rules, 3)  # type: ignore[arg-type]
    seen = {match.rules.round_of(match.state)}
    while len(seen) < 3 and match.step():
        assert match.rules.round_of(match.state) == match.rules.round_of(match.view)
        seen.add(match.rules.round_of(match.state))
    assert len(seen) == 3


def test_the_model_asks_answers_and_forgets_with_the_connection() -> None:
    table = Table()
    model = table.model
    model.take_events()
    table.hear(codec.encode(polled(Motion(Matter.PAUSE))))
    (event,) = [one.event for one in model.take_events()]
    asked = model.voting.foremost(0)
    assert isinstance(event, Asked) and event.fresh and asked is not None
    assert 58 <= model.voting.seconds_left(asked) <= 60
    table.hear(codec.encode(polled(Motion(Matter.PAUSE), ayes=(0, 1))))
    asked = model.voting.foremost(0)
    assert model.take_events() == [] and asked is not None and choice(asked, 0) is True
    model.vote(False)
    assert isinstance(codec.decode_client(table.sent[-1]), Vote)
    table.hear(codec.encode(Welcome(1, "Livia", "", ())))
    assert model.voting.foremost(0) is None
    model.moments.hear(4, [BattleBegan(3, 0, 1)])
    table.hear(codec.encode(polled(Motion(Matter.BACK, to=3))))
    (event,) = [one.event for one in model.take_events()]
    assert event_line(event, model.name, lambda _event: None).endswith(
        "asks to go back: before Livia attacks in Arabia Petraea. Dice that fell since then will be rolled again."
    )


def test_the_table_in_words_asks_and_answers() -> None:
    table = Table()
    words = TextTable(table.model, lambda _said: None)
    assert words.read("ask pause") == ["This server has no votes of the table."]
    table.session.can = (VOTES,)
    assert words.read("ask") and words.read("ask pause") == []
    assert words.read("vote yes") == ["There is no question to answer."]
    table.hear(codec.encode(polled(Motion(Matter.END))))
    assert any("end the match" in line for line in words.hear(table.model.take_events()))
    how = "Answer with “yes” or “no”."
    assert [how in words.announce() for _time in range(2)] == [True, False], "It is told once for each question."
    assert words.read("vote maybe") == ["Say “vote yes” or “vote no”."]
    assert words.read("vote no") == words.read("yes") == words.read("N") == []
    switch("de", ())
    try:
        assert words.read("ja") == words.read("vote nein") == []
    finally:
        switch("en", ())
    said = [codec.decode_client(data) for data in table.sent]
    assert [type(one) for one in said] == [Propose] + 5 * [Vote]
    assert [one.yes for one in said if isinstance(one, Vote)] == [False, True, False, True, False]
    assert words.read("nein") != [], "a word of another language"


def test_a_form_says_how_the_table_decides(app: App) -> None:
    form = CreateScreen(app, "host")
    app.go.show(form)
    usual = form._unusual()
    form._unfold()
    selectors = [w for w in form.ui.widgets if isinstance(w, Selector) and w._labels[0] == "more than half agree"]
    assert len(selectors) == 1
    selectors[0].step(-1)
    made = form.plan.request(1)
    assert (made.unanimous, made.forward_only) == (True, True)
    assert "no going back" in form._unusual() and "no going back" not in usual
    form._reset()
    assert (form.plan.request(1).unanimous, form.plan.request(1).forward_only) == (False, False)
    alone = CreateScreen(app, "play")
    app.go.show(alone)
    alone._unfold()
    assert not any(isinstance(w, Selector) and w._labels[0] == "more than half agree" for w in alone.ui.widgets)


def test_of_several_questions_the_one_that_waits_for_an_answer_is_shown() -> None:
    hands, sent = voting()
    hear(hands.match, polled(Motion(Matter.PAUSE)))
    hear(hands.match, replace(polled(Motion(Matter.END)), number=2))
    hands.settle()
    shown = []
    for _ in range(2):
        notice = hands.top.layout.ballot.notice
        assert notice is not None and notice.answers and notice.choice is None
        shown.append(notice.lines[0])
        hands.button("No", hands.top.layout.ballot)
        said = codec.decode_client(sent[-1])
        assert isinstance(said, Vote) and not said.yes
        poll = hands.match.voting.foremost(0)
        assert poll is not None
        hear(hands.match, replace(poll, noes=(0,)))
        hands.settle()
    assert shown == ["Marcus asks for a pause.", "Marcus asks to end the match now and count."]
    assert {one.poll for one in map(codec.decode_client, sent) if isinstance(one, Vote)} == {1, 2}
    hear(hands.match, polled(Motion(Matter.PAUSE), Outcome.REJECTED))
    hands.settle()
    assert hands.top.layout.ballot.notice is not None and hands.top.layout.ballot.notice.lines[0] == shown[1]


def test_the_asker_hears_what_their_no_would_do() -> None:
    who = ("Livia", "Marcus", "Gaius").__getitem__
    asked = Poll(1, Motion(Matter.BACK, to=3), 1, (0, 1, 2), (1,), (), 3, 60, Outcome.OPEN)
    assert standing(asked, who, reader=1).endswith("3 are needed. Your No withdraws the question.")
    assert standing(asked, who, reader=0).endswith("3 are needed.")
    majority = replace(asked, needed=2)
    assert standing(majority, who, reader=1).endswith("2 are needed."), "the others may still agree"
    assert standing(replace(majority, noes=(0,)), who, reader=1).endswith("withdraws the question.")


def test_awaited_players_are_named() -> None:
    poll = replace(polled(Motion(Matter.PAUSE)), awaited=(0,))
    assert standing(poll, ("Livia", "Marcus").__getitem__).endswith("2 are needed. Away, and awaited: Livia.")


def test_votes_during_an_absence_are_shown_until_they_are_read() -> None:
    hands, _sent = voting()
    decided = replace(polled(Motion(Matter.SEAT, 0, level="normal"), Outcome.CARRIED), missed=True)
    for poll in (decided, replace(polled(Motion(Matter.PAUSE), Outcome.CARRIED), missed=True), decided):
        hear(hands.match, poll)
    hands.settle()
    notice = hands.top.layout.ballot.notice
    assert notice is not None and notice.heading == "While you were away"
    assert notice.lines == ("Marcus asks that a bot plays for you.", "That is agreed.", "You have your seat back.")
    lines = [line.words for line in hands.top.chronicle.lines]
    assert lines[-2:] == [
        "While you were away: Marcus asks that a bot plays for you. That is agreed.",
        "While you were away: Marcus asks for a pause. That is agreed.",
    ]
    hands.button("Read", hands.top.layout.ballot)
    hands.settle()
    assert (
        hands.top.layout.ballot.notice is not None
        and hands.top.layout.ballot.notice.lines[0] == "Marcus asks for a pause."
    )
    hands.key(key.Y, key.MOD_SHIFT)
    hands.settle()
    assert not hands.top.layout.ballot.shown
