"""Words for what clients are shown: only for those that asked for them, and made from what they may know alone."""

import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from protocol import codec
from server.delivery.peer import Peer
from server.matches import narration
from server.matches.narration import narrated
from shared.ids import NONE
from shared.kernel import engine
from shared.messages import Accepted, Act, Done, Frame, Narrated, Packed, Start, Story, Undo, Watch
from shared.rulesets.registry import RULESETS, ruleset
from shared.sentences.common import went_back
from shared.sentences.registry import SENTENCES as GAMES
from shared.sentences.yours import prompt_to_reader, to_reader
from shared.tables import PACKED, SENTENCES
from shared.vocabulary.events import TurnStart
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person


def asking(peer: Peer, *more: str) -> Peer:
    peer.agreed = frozenset((SENTENCES, *more))
    return peer


async def decide(h: LobbyHarness, peers: list[Peer], command: int, rng: random.Random) -> Peer:
    """Let the player who owes a decision make any."""
    match = h.only().table.match
    seat: int = match.owed[0]
    action = rng.choice(list(engine.options(match.rules, match.state, seat)))
    await h.say(peers[seat], Act(command, match.frame, Raw(codec.encode(action))))
    return peers[seat]


@pytest.mark.parametrize("game", RULESETS)
async def test_words_follow_each_frame_for_clients_who_asked(game: str, tmp_path: Path) -> None:
    rules = ruleset(game)
    rng = random.Random(4)
    summed = 0
    async with open_lobby(tmp_path, rules=rules) as h:
        peers = await h.table(3)
        h.only().table.audience.narrated.add(asking(peers[1]))
        await h.say(watcher := asking(person("Nero")), Watch(1, h.only().match))
        await h.ask(peers[0], Start(2), Done)
        for command in range(3, 60):
            for peer in (*peers, watcher):
                link(peer).sent.clear()
            await decide(h, peers, command, rng)
            match = h.only().table.match
            assert not [each for each in link(peers[0]).sent if isinstance(each, Narrated)], "it did not ask"
            for peer, audience in ((watcher, match.public), (peers[1], 1)):
                sent = link(peer).sent
                frames = [each for each in sent if isinstance(each, Frame)]
                (words,) = (each for each in sent if isinstance(each, Narrated))
                assert sent.index(words) > sent.index(frames[-1])
                heard = [(f.version, rules.event_decoder.decode(bytes(e))) for f in frames for e in f.events]
                told = [(version, GAMES[game].tell(event)) for version, event in heard]
                reader = NONE if audience == match.public else audience
                assert words.lines == tuple((version, line and to_reader(line, reader)) for version, line in told)
                view = rules.view_decoder.decode(match.view(audience))
                assert words.prompt == prompt_to_reader(GAMES[game].prompt(view), reader), (
                    "from the bytes that this class was sent, nothing else"
                )
                turn = any(
                    isinstance(rules.event_decoder.decode(bytes(e)), TurnStart) for f in frames for e in f.events
                )
                assert turn or not words.since, "only at the start of the reader's turn"
                summed += bool(words.since)
            if match.finished:
                break
        assert summed, "the reader's turn has begun"


async def test_a_newcomer_is_told_the_story_in_words(tmp_path: Path) -> None:
    rng = random.Random(5)
    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        peers = await h.match(2)
        for command in range(3, 30):
            await decide(h, peers, command, rng)
        match = h.only().table.match
        watcher = asking(person("Nero"))
        await h.say(watcher, Watch(1, h.only().match))
        words, story = link(watcher).take(Narrated), link(watcher).take(Story)
        assert [version for version, _ in words.lines] == [version for version, _ in story.events]
        assert words.version == match.version and words.prompt == GAMES["classic"].prompt(match.position(match.public))
        packer = asking(person("Titus"), PACKED)
        await h.say(packer, Watch(1, h.only().match))
        unpacked = [codec.decode_server(codec.unpack(each)) for each in link(packer).sent if isinstance(each, Packed)]
        assert words in unpacked
        back = asking(person("Otho"))
        have = match.version - 3
        await h.say(back, Watch(1, h.only().match, have=have))
        later = link(back).take(Narrated)
        assert later.lines == tuple(line for line in words.lines if line[0] > have)


async def test_a_return_has_a_line_of_its_own(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        peers = await h.match(2)
        watcher = asking(person("Nero"))
        await h.say(watcher, Watch(1, h.only().match))
        rng = random.Random(1)
        for command in range(3, 40):
            actor = await decide(h, peers, command, rng)
            match = h.only().table.match
            link(watcher).sent.clear()
            await h.say(actor, Undo(90 + command, match.version))
            if any(isinstance(each, Narrated) for each in link(watcher).sent):
                break
        words = link(watcher).take(Narrated)
        assert words.lines == ((match.version, went_back(actor.seat)),)


async def test_words_that_fail_stop_no_match(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_anything: Any) -> None:
        raise ValueError("a sentence without words")

    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        peers = await h.match(2)

        h.only().table.audience.narrated.add(asking(peers[0]))
        monkeypatch.setattr(narration, "narrated", broken)
        link(peers[0]).sent.clear()
        actor = await decide(h, peers, 3, random.Random(2))
        assert any(isinstance(each, Accepted) for each in link(actor).sent) or actor is not peers[0]
        assert any(isinstance(each, Frame) for each in link(peers[0]).sent)
        assert not any(isinstance(each, Narrated) for each in link(peers[0]).sent)


async def test_words_cost_nothing_where_no_client_asks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []
    monkeypatch.setattr(narration, "narrated", lambda *_anything: made.append(1))
    async with open_lobby(tmp_path, rules=ruleset("cote2")) as h:
        peers = await h.match(3)
        await h.say(person("Nero"), Watch(1, h.only().match))
        for command in range(3, 12):
            await decide(h, peers, command, random.Random(command))
    assert not made


async def test_a_crowd_shares_the_words(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[int] = []

    def counted(*arguments: Any) -> Narrated | None:
        made.append(1)
        return narrated(*arguments)

    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        peers = await h.match(2)
        crowd = [asking(person(f"Nero {i}")) for i in range(5)]
        for each in crowd:
            await h.say(each, Watch(1, h.only().match))
        monkeypatch.setattr(narration, "narrated", counted)
        await decide(h, peers, 3, random.Random(2))
        assert len(made) == 1
        assert len({msgspec.msgpack.encode(link(each).take(Narrated)) for each in crowd}) == 1
