"""Packed messages: clients that understand them get long messages in fewer bytes, with the same content."""

from pathlib import Path

import pytest

from protocol import codec
from protocol.delta import digest
from server.delivery.peer import Peer
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from shared.kernel import engine
from shared.messages import Done, Packed, Say, ServerMessage, Snapshot, Start, Story, Sync, Watch
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import PACKED
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person


def understanding(called: str) -> Peer:
    peer = person(called)
    peer.agreed = frozenset((PACKED,))
    return peer


def unpacked(message: ServerMessage) -> ServerMessage:
    assert isinstance(message, Packed)
    return codec.decode_server(codec.unpack(message))


def size(message: ServerMessage) -> int:
    return len(codec.encode(message))


async def told(h: LobbyHarness, peer: Peer) -> list[ServerMessage]:
    """Return the snapshot and the story that a new spectator gets."""
    await h.say(peer, Watch(1, h.only().match))
    return [each for each in link(peer).sent if isinstance(each, Packed | Snapshot | Story)]


async def test_clients_that_can_unpack_get_packed_matches(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=ruleset("cote2")) as h:
        anna, *_ = await h.match(3)
        await h.say(anna, Say(9, 12 * "Veni, vidi, vici. "))
        plain = await told(h, person("Nero"))
        packed = await told(h, understanding("Titus"))
        assert [type(each) for each in plain] == [Snapshot, Story]
        assert list(map(unpacked, packed)) == plain
        assert all(size(each) < size(whole) for each, whole in zip(packed, plain, strict=True))


async def test_a_snapshot_that_was_asked_for_is_packed_as_well(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        anna, bert = await h.table()
        anna.agreed = frozenset((PACKED,))
        await h.ask(anna, Start(2), Done)
        mine = unpacked(await h.ask(anna, Sync(1), Packed))
        assert isinstance(mine, Snapshot) and mine == await h.ask(bert, Sync(1), Snapshot)


async def test_a_crowd_shares_what_is_packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []
    pack = codec.pack

    def counted(payload: bytes) -> bytes:
        made.append(payload)
        return pack(payload)

    monkeypatch.setattr(codec, "pack", counted)
    async with open_lobby(tmp_path, rules=ruleset("classic")) as h:
        anna, _ = await h.match()
        await h.say(anna, Say(9, 12 * "Veni, vidi, vici. "))
        for i in range(5):
            assert len(await told(h, understanding(f"Titus {i}"))) == 2
        assert len(made) == 2, "a snapshot and a story"


def show(match: Match, audience: int, packed: bool) -> Snapshot:
    message = codec.decode_server(match.snapshot(audience, packed))
    found = codec.decode_server(codec.unpack(message)) if isinstance(message, Packed) else message
    assert isinstance(found, Snapshot)
    return found


@pytest.mark.parametrize("seats", [2, 6])
@pytest.mark.parametrize("game", RULESETS)
def test_both_forms_are_the_same_at_every_version_for_every_audience(game: str, seats: int) -> None:
    rules = ruleset(game)
    match = Match(rules, seats, engine.checked_options(rules, seats, {}), Dice(3))
    step = match.chance()
    for _ in range(60):
        if step is not None:
            match.commit(step)
        for audience in range(seats + 1):
            shown = show(match, audience, True)
            assert shown == show(match, audience, False) and shown.version == match.version
            assert digest(bytes(shown.view)) == shown.digest
            assert len(match.snapshot(audience, True)) < len(match.snapshot(audience))
        outcome = match.submit(match.owed[0], 0, match.frame, match.default(match.owed[0]))
        assert isinstance(outcome, AcceptedAction)
        step = outcome
