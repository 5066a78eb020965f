"""Advice at a table: who may ask, for what, how often; that others hear of it; and that nothing waits for it."""

import asyncio
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from protocol import codec
from server.delivery.peer import Peer
from server.matches.advice import ADVICE
from server.matches.table import Busy, Counsel
from server.turns import Turns
from shared import levels
from shared import messages as m
from shared.kernel import engine
from shared.rulesets.registry import RULESETS
from shared.tables import THE_TABLE
from tests.server.fakes import Client, FakeLink
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby, person
from tests.server.toy import TOY, Name
from tests.support.forks import ForkedServer

COUNSEL = Counsel(codec.encode(Name(5)), "Name 5.", ("{1} has named nothing yet.",))


class Question(NamedTuple):
    """Request to an adviser, and its later answer."""

    ruleset: str
    seat: int
    view: bytes
    seed: int
    answer: "asyncio.Future[Counsel]"


class Advisers:
    """Answer when the test says so, or (`ready`) at once."""

    def __init__(self, ready: bool = True) -> None:
        self.asked: list[Question] = []
        self._ready = ready

    async def __call__(self, ruleset: str, seat: int, view: bytes, seed: int) -> Counsel:
        self.asked.append(Question(ruleset, seat, view, seed, asyncio.get_running_loop().create_future()))
        if self._ready:
            return COUNSEL
        return await self.asked[-1].answer


def frame(h: LobbyHarness) -> int:
    number: int = h.only().table.match.frame
    return number


async def against_bots(h: LobbyHarness, **options: Any) -> Peer:
    """Return a player whose only opponent is a bot that never decides."""
    anna = person()
    await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 50}, "t", **options), m.Seated)
    await h.ask(anna, m.SetBot(2, 1, levels.NORMAL), m.Done)
    await h.ask(anna, m.Start(3), m.Done)
    return anna


async def slow(*_question: Any) -> bytes:
    """A bot that never decides."""
    await asyncio.get_running_loop().create_future()
    return b""


async def refused(h: LobbyHarness, peer: Peer, ref: int = 9, number: int | None = None) -> m.Refused:
    return await h.ask(peer, m.Advise(ref, frame(h) if number is None else number), m.Refused)


async def test_a_player_among_bots_is_told_what_to_do_and_why(tmp_path: Path) -> None:
    advisers = Advisers()
    async with open_lobby(tmp_path, slow, advise=advisers) as h:
        anna = await against_bots(h)
        advice = await h.ask(anna, m.Advise(7, frame(h)), m.Advice)
        assert (advice.ref, advice.frame, advice.words, advice.why) == (7, frame(h), COUNSEL.words, COUNSEL.why)
        assert TOY.action_decoder.decode(advice.action) == Name(5)
        (question,) = advisers.asked
        match = h.only().table.match
        assert (question.ruleset, question.seat, question.view) == ("toy", 0, match.view(0)), "its own view, no more"
        assert not [line for line in link(anna).sent if isinstance(line, m.Said)], "nobody else is there to hear of it"
        assert not h.only().table.record.talk


async def test_advice_is_thought_about_beside_the_table(tmp_path: Path) -> None:
    advisers = Advisers(ready=False)
    async with open_lobby(tmp_path, slow, advise=advisers) as h:
        anna = await against_bots(h)
        await h.say(anna, m.Advise(7, frame(h)))
        assert (await h.ask(anna, name(h, 8, 4), m.Accepted)).command == 8, "an action does not wait for advice"
        advisers.asked[0].answer.set_result(COUNSEL)
        await h.quiet()
        (stale,) = [message for message in link(anna).sent if isinstance(message, m.Refused)]
        assert (stale.ref, stale.code) == (7, "stale-frame")
        assert not [message for message in link(anna).sent if isinstance(message, m.Advice)]


async def test_a_seat_asks_a_single_question_at_a_time_and_not_too_many(tmp_path: Path) -> None:
    advisers = Advisers(ready=False)
    async with open_lobby(tmp_path, slow, advise=advisers) as h:
        anna = await against_bots(h)
        await h.say(anna, m.Advise(7, frame(h)))
        again = await refused(h, anna, 8)
        assert (again.ref, again.code) == (8, "rate") and len(advisers.asked) == 1
        for ref in range(10, 10 + int(ADVICE.at_once) - 1):
            advisers.asked[-1].answer.set_result(COUNSEL)
            await h.quiet()
            await h.say(anna, m.Advise(ref, frame(h)))
        advisers.asked[-1].answer.set_result(COUNSEL)
        await h.quiet()
        assert len(advisers.asked) == ADVICE.at_once
        assert (await refused(h, anna, 30)).code == "rate" and len(advisers.asked) == ADVICE.at_once
        await h.pass_time(1 / ADVICE.a_second)
        await h.say(anna, m.Advise(31, frame(h)))
        assert len(advisers.asked) == ADVICE.at_once + 1


async def test_requests_without_a_decision_are_refused(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, slow, advise=Advisers()) as h:
        anna = person()
        await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 50}, "t"), m.Seated)
        await h.ask(anna, m.SetBot(2, 1, levels.NORMAL), m.Done)
        assert (await h.ask(anna, m.Advise(3, 1), m.Refused)).code == "not-started"
        await h.ask(anna, m.Start(3), m.Done)
        assert (await refused(h, anna, number=frame(h) + 1)).code == "stale-frame"
        otho = person("Otho")
        await h.ask(otho, m.Watch(1, h.only().match), m.Done)
        assert (await refused(h, otho)).code == "not-seated"
        await h.ask(anna, name(h, 8, 4), m.Accepted)
        assert (await refused(h, anna)).code == "not-yours", "it has decided"
    async with open_lobby(tmp_path / "no advisers", slow) as h:
        anna = await against_bots(h)
        told = await refused(h, anna)
        assert (told.code, told.text) == ("no-advice", "This server gives no advice.")


async def test_among_people_the_table_must_allow_it_and_all_hear_of_it(tmp_path: Path) -> None:
    advisers = Advisers()
    async with open_lobby(tmp_path, slow, advise=advisers) as h:
        people = await h.match(2)
        told = await refused(h, people[0])
        assert told.code == "no-advice" and "Other people play here" in told.text and not advisers.asked
    async with open_lobby(tmp_path / "allowed", slow, advise=advisers) as h:
        anna, bert = await h.match(2, advice=True)
        link(bert).sent.clear()
        await h.ask(anna, m.Advise(7, frame(h)), m.Advice)
        said = m.Said(THE_TABLE, "", f"{anna.called} asked for advice.")
        assert link(bert).take(m.Said) == said
        await h.say(anna, m.Advise(8, frame(h)))
        assert len(advisers.asked) == 2
        assert not [line for line in link(bert).sent if isinstance(line, m.Said)], "once for each decision"
        assert not [message for message in link(bert).sent if isinstance(message, m.Advice)], "the answer is hers"


async def test_a_request_is_stored_before_its_answer(tmp_path: Path) -> None:
    advisers = Advisers()
    async with open_lobby(tmp_path, slow, advise=advisers) as h:
        anna, _ = await h.match(2, advice=True)
        with failing(h.store):
            assert (await refused(h, anna)).code == "storage"
        assert not advisers.asked and not h.only().table.record.talk
        await h.ask(anna, m.Advise(8, frame(h)), m.Advice)
        async with open_lobby(tmp_path, slow, h.store, advise=advisers) as after_a_crash:
            story = await after_a_crash.ask(person("Otho"), m.Watch(1, h.only().match), m.Story)
            assert [(line.seat, line.text) for line in story.chat] == [(THE_TABLE, f"{anna.called} asked for advice.")]
            assert after_a_crash.only().table.record.advice


async def test_a_person_with_a_substitute_bot_is_no_bot(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, slow, advise=Advisers()) as h:
        anna, bert = await h.match(2)
        await h.say(bert, m.Leave(5))
        assert (await refused(h, anna)).code == "no-advice"


async def test_failing_advisers_harm_no_player(tmp_path: Path) -> None:
    async def fail(*_question: Any) -> Counsel:
        raise RuntimeError("too many ask")

    async with open_lobby(tmp_path, slow, advise=fail) as h:
        anna = await against_bots(h)
        told = await refused(h, anna)
        assert (told.code, told.text) == ("no-advice", "Advice is not available at the moment; try again later.")
        assert (await h.ask(anna, name(h, 8, 4), m.Accepted)).command == 8


async def test_the_table_says_whether_it_allows_advice(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, slow, advise=Advisers()) as h:
        for ref, allowed in ((1, True), (2, False)):
            peer = Peer(FakeLink(), "Anna")
            await h.ask(peer, m.Create(ref, "toy", 2, {}, "t", advice=allowed), m.Seated)
            assert link(peer).take(m.TableState).advice == allowed
            await h.ask(person("Bert"), m.Join(1, peer.table.match), m.Seated)  # type: ignore[union-attr]


OLD_CREATE = b"\x9a\x02\x01\xa3toy\x02\x80\xa1t\xc3\xff\x00\x00"
"""What a client said before there was advice."""


@pytest.mark.parametrize("message", [m.Create(1, "toy", 2, {}, "t"), msgspec.msgpack.decode(OLD_CREATE, type=m.Create)])
def test_an_older_server_understands_who_asks_for_nothing_new(message: m.Create) -> None:
    assert codec.encode_lean(message) == b"\x96\x02\x01\xa3toy\x02\x80\xa1t"
    assert codec.decode_client(codec.encode_lean(message)) == message == codec.decode_client(OLD_CREATE)
    asking = msgspec.structs.replace(message, advice=True)
    assert codec.encode_lean(asking) == b"\x9b" + OLD_CREATE[1:] + b"\xc3"


async def next_decision(client: Client) -> int:
    """Wait until it is ours to decide: the number of the frame."""
    rules, session = RULESETS["classic"], client.session
    while True:
        if session.in_sync and not session.pending:
            view = rules.view_decoder.decode(codec.ENCODER.encode(session.view))
            if session.seat in engine.owed(rules, view):
                return engine.top(view).no
        await client.next()


async def test_a_real_server_gives_advice_that_can_be_followed_at_once(tmp_path: Path) -> None:
    server = ForkedServer(tmp_path)
    await server.start()
    try:
        anna = await Client(server.url).open()
        await anna.wait_for(m.Welcome)
        assert "advice" in anna.session.can
        options = {"homes": 2, "round_limit": 1}
        await anna.ask(lambda ref: m.Create(ref, "classic", 2, options, "t", seat=0), m.Seated)
        await anna.ask(lambda ref: m.SetBot(ref, 1, levels.EASY), m.Done)
        await anna.ask(m.Start, m.Done)
        rules = RULESETS["classic"]
        for _ in range(6):  # More questions would come too fast for the server.
            frame = await next_decision(anna)
            advice = await anna.ask(partial(m.Advise, frame=frame), m.Advice)
            assert advice.words and advice.why
            action = rules.action_decoder.decode(advice.action)
            await anna.act(advice.frame, action)
            await anna.wait_for(m.Accepted)
        anna.cut()
    finally:
        await server.kill()


async def test_advice_refused_under_load_is_no_error(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """Two addresses filled the queue; every refusal was a traceback in the log."""

    async def busy(_ruleset: str, _seat: int, _view: bytes, _seed: int) -> Counsel:
        raise Busy

    async with open_lobby(tmp_path, slow, advise=busy) as h:
        anna = await against_bots(h)
        assert (await refused(h, anna, 7)).code == "no-advice"
    assert [record.levelname for record in caplog.records if record.levelname == "ERROR"] == []


async def test_advice_comes_to_the_address_first_that_had_least(tmp_path: Path) -> None:
    advisers = Advisers(ready=False)
    turns = Turns(lambda: 0.0)
    async with open_lobby(tmp_path, slow, advise=advisers) as h:
        msgspec.structs.force_setattr(h.lobby._services, "advice_turns", turns)
        anna = await against_bots(h)
        anna.address = "192.0.2.1"
        async with turns.turn(["192.0.2.7"]):
            await h.say(anna, m.Advise(7, frame(h)))
            assert not advisers.asked
        await h.quiet()
        advisers.asked[0].answer.set_result(COUNSEL)
        await h.quiet()
        assert link(anna).last(m.Advice).ref == 7
