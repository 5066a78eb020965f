"""Requests for legal actions: their answers, how often these are computed, and that they leak no secrets."""

import random
from functools import partial
from pathlib import Path

import msgspec
import pytest

from protocol import codec, limits
from protocol.choices import choices
from server.connections import client_connection
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from shared import levels
from shared import messages as m
from shared.kernel import ruleset
from shared.rulesets.cote2.state import State
from shared.rulesets.registry import RULESETS
from shared.tables import Matter
from tests.server.fakes import Client
from tests.server.lobby_harness import LobbyHarness, name, open_lobby, person
from tests.server.test_advice import next_decision
from tests.server.toy import TOY, Name
from tests.support.forks import ForkedServer


def frame(h: LobbyHarness) -> int:
    number: int = h.only().table.match.frame
    return number


async def test_deciding_seats_are_told_their_legal_actions(h: LobbyHarness) -> None:
    anna, _ = await h.match(2)
    told = await h.ask(anna, m.Consider(7, frame(h)), m.Choices)
    assert (told.ref, told.frame, told.complete, told.space) == (7, frame(h), True, ())
    assert [TOY.action_decoder.decode(raw) for raw in told.actions] == [Name(n) for n in range(1, 10)]


@pytest.mark.parametrize("paused", [False, True])
async def test_it_does_not_matter_whether_the_match_is_paused(h: LobbyHarness, paused: bool) -> None:
    anna, bert = await h.match(2)
    if paused:
        await h.say(anna, m.Propose(5, m.Motion(Matter.PAUSE)))
    assert len((await h.ask(bert, m.Consider(7, frame(h)), m.Choices)).actions) == 9


async def test_other_requests_are_refused_with_a_sentence(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.table(2)

        async def refused(peer: object, number: int) -> tuple[int, str]:
            told = await h.ask(peer, m.Consider(9, number), m.Refused)  # type: ignore[arg-type]
            assert told.text.endswith(".")
            return told.ref, told.code

        assert await refused(anna, 1) == (9, "not-started")
        await h.ask(anna, m.Start(3), m.Done)
        assert await refused(anna, frame(h) + 1) == (9, "stale-frame")
        assert await refused(anna, 0) == (9, "stale-frame")
        otho = person("Otho")
        assert await refused(otho, frame(h)) == (9, "no-table")
        await h.ask(otho, m.Watch(1, h.only().match), m.Done)
        assert await refused(otho, frame(h)) == (9, "not-seated")
        await h.ask(anna, name(h, 8, 4), m.Accepted)
        assert await refused(anna, frame(h)) == (9, "not-yours"), "it has decided"
        assert len((await h.ask(bert, m.Consider(10, frame(h)), m.Choices)).actions) == 9
    async with open_lobby(tmp_path / "over") as h:
        anna, bert = await h.match(2)
        match = h.only().table.match
        match._ended = True
        assert await refused(bert, frame(h)) == (9, "over")


async def test_it_is_worked_out_once_for_each_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counting(rules: ruleset.AnyRuleset, view: object, seat: int) -> m.Choices:
        made.append(seat)
        return choices(rules, view, seat)

    monkeypatch.setattr("server.matches.match.choices", counting)
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match(2)
        for ref in range(3, 9):
            assert (await h.ask(anna, m.Consider(ref, frame(h)), m.Choices)).ref == ref
        assert made == [0]
        await h.ask(anna, name(h, 9, 4), m.Accepted)
        await h.ask(bert, m.Consider(10, frame(h)), m.Choices)
        assert made == [0, 1]


def test_a_question_before_each_action_is_cheap_for_an_address() -> None:
    assert 0 < client_connection.CONSIDERED <= 1 / 4
    assert limits.MAX_CHOICES == 4096


def test_nothing_is_told_that_the_seat_cannot_see() -> None:
    """Secrets are changed that the seat cannot see: its answer stays the same."""
    rules, rng = RULESETS["cote2"], random.Random(4)
    match = Match(rules, 3, {option.key: option.default for option in rules.options}, Dice(4))
    step = match.chance()
    asked = hidden = 0
    while asked < 250 and not match.finished:
        if step is None:
            seat = match.owed[0]
            told = match.choices(seat)
            other = changed_unseen(match.state, seat, rng)
            hidden += codec.encode(other) != codec.encode(match.state)
            assert rules.view(other, seat) == rules.view(match.state, seat)
            assert choices(rules, rules.view(other, seat), seat) == told
            asked += 1
            outcome = match.submit(seat, 0, match.frame, bytes(rng.choice(told.actions)))
            assert isinstance(outcome, AcceptedAction), "what is told is legal on the server's own position"
            step = outcome
        match.commit(step)
        step = None
    assert hidden > 200


def changed_unseen(state: State, seat: int, rng: random.Random) -> State:
    """The same position for that seat, with other cards and tokens to come, other senators and chaos of the others."""
    other = state.clone()
    rng.shuffle(other.deck)
    rng.shuffle(other.pool)
    for i in range(other.seats):
        if i != seat:
            senators = list(other.senators[i])
            rng.shuffle(senators)
            other.senators[i] = (senators[0], senators[1], senators[2], senators[3])
            other.chaos[i] += rng.randint(0, 3)
    return other


async def test_a_stranger_plays_a_match_by_the_words_of_a_real_server(tmp_path: Path) -> None:
    """Every action is one of those that came, as it came."""
    server = ForkedServer(tmp_path)
    await server.start()
    try:
        anna = await Client(server.url).open()
        welcome = await anna.wait_for(m.Welcome)
        assert "choices" in welcome.can
        options = {"homes": 2, "round_limit": 9}
        await anna.ask(lambda ref: m.Create(ref, "classic", 2, options, "t", seat=0), m.Seated)
        await anna.ask(lambda ref: m.SetBot(ref, 1, levels.EASY), m.Done)
        await anna.ask(m.Start, m.Done)
        rng = random.Random(1)
        for _ in range(20):
            number = await next_decision(anna)
            told = await anna.ask(partial(m.Consider, frame=number), m.Choices)
            assert told.actions
            await anna.act(told.frame, msgspec.msgpack.decode(rng.choice(told.actions)))
            await anna.wait_for(m.Accepted)
        anna.cut()
    finally:
        await server.kill()


async def test_legal_actions_are_told_wherever_the_client_is(h: LobbyHarness) -> None:
    otho = person("Otho")
    told = await h.ask(otho, m.Describe(3, "toy"), m.Description)
    rounds = told.options[0]
    assert (told.ref, told.title, rounds.ranges, rounds.labels) == (3, "Numbers", ((1, 1000),), ())
    refused = await h.ask(otho, m.Describe(4, "chess"), m.Refused)
    assert (refused.ref, refused.code, refused.text) == (4, "no-ruleset", "This server plays toy.")
    anna, _ = await h.match(2)
    assert (await h.ask(anna, m.Describe(5, "toy"), m.Description)).ref == 5, "at a table, too"
