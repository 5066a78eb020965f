"""Tried actions, filtered choices and labels, as the server answers them."""

import random
from pathlib import Path
from typing import Any

import pytest
from msgspec import Raw

from protocol import codec
from protocol.choices import choices
from server.delivery.peer import Peer
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from shared import messages as m
from shared.actions.description import Filter
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.refusal import Refusal
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import LABELS, PACKED
from shared.vocabulary.actions import Concede
from tests.play.test_choices import WAYS
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.toy import Name
from tests.support.reach import bent


def frame(h: LobbyHarness) -> int:
    number: int = h.only().table.match.frame
    return number


def understanding(peer: Peer, *agreed: str) -> Peer:
    peer.agreed = frozenset((LABELS, *agreed))
    return peer


def packed(action: Action) -> Raw:
    return Raw(codec.encode(action))


@pytest.mark.parametrize("game", RULESETS)
def test_a_tried_action_gets_the_answer_of_a_real_one(game: str) -> None:
    rules, rng = RULESETS[game], random.Random(7)
    wild = next(way.wild for way in WAYS.values() if way.rules.id == game)
    match = Match(rules, 3, {option.key: option.default for option in rules.options}, Dice(7))
    step, legal, refused = match.chance(), 0, 0
    for _ in range(150):
        if step is not None:
            match.commit(step)
        if match.finished:
            break
        before, seat = codec.encode(match.state), rng.randrange(3)
        for action, at in tries(match, rng, wild, seat):
            tried = match.trial(seat, at, codec.encode(action))
            real = match.submit(seat, 0, at, codec.encode(action))
            assert tried == action if isinstance(real, AcceptedAction) else tried == real
            legal += isinstance(real, AcceptedAction)
            refused += isinstance(real, Refusal)
        assert codec.encode(match.state) == before
        owed = match.owed[0]
        outcome = match.submit(owed, 0, match.frame, bytes(rng.choice(match.choices(owed).actions)))
        assert isinstance(outcome, AcceptedAction)
        step = outcome
    assert legal > 20 and refused > 20


def tries(match: Match, rng: random.Random, wild: Any, seat: int) -> list[tuple[Action, int]]:
    """Return legal and illegal actions with the frames that they answer, right and wrong ones."""
    view = match.rules.view(match.state, seat)
    found = list(engine.options(match.rules, view, seat)) if seat in match.owed else []
    legal = [rng.choice(found)] if found else []
    shown = [bent(match.rules, rng, action) for action in legal] + [wild(rng, view, seat), Concede(rng.randint(-1, 3))]
    return [(action, rng.choice((match.frame, match.frame, 0, 1))) for action in (*legal, *shown)]


async def test_players_are_told_whether_an_action_is_legal(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match(2)
        number, version = frame(h), h.only().table.match.version
        assert await h.ask(anna, m.TryAction(7, number, packed(Name(4))), m.Tried) == m.Tried(7, number)

        async def refused(peer: Peer, action: Action, at: int = number) -> tuple[int, str]:
            told = await h.ask(peer, m.TryAction(8, at, packed(action)), m.Refused)
            return told.ref, told.code

        assert await refused(anna, Name(77)) == (
            8,
            (await h.ask(anna, m.Act(9, number, packed(Name(77))), m.Refused)).code,
        )
        assert await refused(anna, Name(4), number + 1) == (8, "stale-frame")
        otho = person("Otho")
        await h.ask(otho, m.Watch(1, h.only().match), m.Done)
        assert await refused(otho, Name(4)) == (8, "not-seated")
        assert h.only().table.match.version == version, "nothing was played"
        await h.ask(anna, m.Act(9, number, packed(Name(4))), m.Accepted)
        assert await refused(anna, Name(4)) == (8, "not-yours")
        assert (await h.ask(bert, m.TryAction(9, number, packed(Name(4))), m.Tried)).ref == 9


async def test_before_the_start_nothing_can_be_tried(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.table(2)
        assert (await h.ask(anna, m.TryAction(7, 1, packed(Name(4))), m.Refused)).code == "not-started"


async def test_older_clients_get_the_same_bytes(tmp_path: Path) -> None:
    """The two fields of a first client bring the five fields of a first answer."""
    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        await h.match(3)
        match = h.only().table.match
        seat = match.owed[0]
        peer = next(each for each in h.only().table.audience.peers if each.seat == seat)
        frames: list[bytes] = []
        peer.receiver.send, sent = lambda message: frames.append(message.frame), peer.receiver.send
        await h.say(peer, m.Consider(31, match.frame))
        peer.receiver.send = sent
        told = choices(match.rules, match.rules.view(match.state, seat), seat)
        expected = [27, 31, told.frame, told.complete, list(told.actions), [[s.tag, list(s.spans)] for s in told.space]]
        (data,) = frames
        assert data.endswith(codec.ENCODER.encode(expected))
        assert len(data) <= len(codec.ENCODER.encode(expected)) + 10


async def owing(h: LobbyHarness, *agreed: str) -> Peer:
    """Return the player who owes the first decision of a match, with labels."""
    await h.match(2)
    seat = h.only().table.match.owed[0]
    return understanding(next(each for each in h.only().table.audience.peers if each.seat == seat), *agreed)


async def test_clients_that_know_no_rules_get_labels(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        peer = await owing(h)
        told = await h.ask(peer, m.Consider(7, frame(h)), m.Choices)
        assert len(told.labels) == len(told.actions) > 1
        label = told.labels[0]
        wanted = Filter(codec.decode_plain(told.actions[0])[0], label.source, label.to, label.piece)
        some = await h.ask(peer, m.Consider(8, frame(h), wanted), m.Choices)
        assert told.actions[0] in some.actions and label in some.labels and not some.space
        assert {(each.source, each.to, each.piece) for each in some.labels} == {(label.source, label.to, label.piece)}
        assert (await h.ask(peer, m.TryAction(9, frame(h), told.actions[0]), m.Tried)).label == label
        peer.agreed = frozenset()
        plain = await h.ask(peer, m.Consider(8, frame(h), wanted), m.Choices)
        assert (plain.actions, plain.labels, plain.forms) == (some.actions, (), ())
        assert (await h.ask(peer, m.TryAction(9, frame(h), told.actions[0]), m.Tried)).label is None


async def test_standing_actions_have_labels_of_their_own(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        peer = await owing(h)
        tried = await h.ask(peer, m.TryAction(9, 0, packed(Concede(1 - peer.seat))), m.Tried)
        assert tried.label is not None and tried.frame == 0
        waiting = understanding(next(each for each in h.only().table.audience.peers if each is not peer))
        told = await h.ask(waiting, m.Consider(7, 0), m.Choices)
        assert told.frame == 0 and len(told.labels) == len(told.actions)


async def test_labels_travel_packed_if_the_client_unpacks(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        peer = await owing(h, PACKED)
        message = await h.ask(peer, m.Consider(7, frame(h)), m.Packed)
        told = codec.decode_server(codec.unpack(message))
        assert isinstance(told, m.Choices) and told.labels and told.ref == 7
        assert link(peer).is_open
