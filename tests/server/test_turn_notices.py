"""Turn notices: an absent player learns by the table's webhook that they owe a decision, and not too often."""

import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from server.command_line import parser
from server.connections.server_app import Hooks
from server.delivery.peer import Peer
from server.matches.task import LINGER
from server.matches.turn_notices import EVERY
from server.storage.port import HookRecord
from server.tools import invitation_text
from server.tools.serve import hooks_of
from shared.messages import Hook, Hooked, Join, Leave, Refused, Resume, Said, Seated, Start, Watch, Welcome
from shared.tables import HookForm, TablePhase
from tests.server.fakes import Client, serving, settle
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby, person
from tests.server.test_webhooks import HERE, Receiver, receiver

__all__ = ["receiver"]


@asynccontextmanager
async def belled(path: Path, receiver: Receiver, **options: Any) -> AsyncIterator[tuple[LobbyHarness, list[Peer]]]:
    """Two people at a table whose host has hung up a bell."""
    async with open_lobby(path, hooks=HERE) as h:
        peers = await h.table(2, **options)
        await h.ask(peers[0], Hook(5, HookForm.JSON, receiver.url), Hooked)
        await heard(h, receiver, 1)
        yield h, peers


async def heard(h: LobbyHarness, receiver: Receiver, count: int) -> list[tuple[str, list[str]]]:
    """Return the calls of the webhook once they are so many; check that no more follow."""
    for _ in range(1000):
        if len(receiver.heard) >= count and not h.lobby._services.webhook_sender._tasks:  # type: ignore[union-attr]
            break
        await settle()
    await h.quiet()
    notes = [json.loads(data) for _, data in receiver.heard]
    assert len(notes) == count, notes
    return [(note["event"], note["who"]) for note in notes]


async def begun(h: LobbyHarness, peers: list[Peer]) -> None:
    await h.say(peers[0], Start(6))


async def test_all_are_told_that_something_leaves_the_table_but_not_where(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        assert await heard(h, receiver, 1) == [("hello", [])]
        assert link(peers[1]).last(Said).text == (
            "Person 0 now sends messages to a program when it is the turn of an absent player."
        )
        assert h.only().table.record.hook == HookRecord(HookForm.JSON, receiver.url)
        assert not [message for message in link(peers[1]).sent if isinstance(message, Hooked)]
        told = json.loads(receiver.heard[0][1])
        assert told["link"] == f"https://play.example.org/watch#{h.only().table.record.code}"
        for peer in peers:
            assert "s3cret" not in str(link(peer).sent)


async def test_only_absent_players_are_notified(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        await h.drop(peers[1])
        await begun(h, peers)
        assert await heard(h, receiver, 2) == [("hello", []), ("decide", ["Person 1"])]


async def test_several_are_told_in_one_note(tmp_path: Path, receiver: Receiver) -> None:
    async with open_lobby(tmp_path, hooks=HERE) as h:
        peers = await h.table(3)
        await h.ask(peers[0], Hook(5, HookForm.JSON, receiver.url), Hooked)
        for peer in peers[1:]:
            await h.drop(peer)
        await begun(h, peers)
        assert (await heard(h, receiver, 2))[1] == ("decide", ["Person 1", "Person 2"])


async def test_at_most_one_turn_notice_in_two_minutes(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        token = h.token(peers[1])
        await h.drop(peers[1])
        await begun(h, peers)
        await heard(h, receiver, 2)
        for n in range(5):
            back = person("Person 1")
            token = (await h.ask(back, Resume(1, h.only().match, token), Seated)).token
            await h.say(back, name(h, n + 1, 1))
            await h.drop(back)
            await h.say(peers[0], name(h, n + 1, 1))
        await heard(h, receiver, 2)
        await h.pass_time(EVERY - 1)
        await heard(h, receiver, 2)
        await h.pass_time(1)
        assert (await heard(h, receiver, 3))[2] == ("decide", ["Person 1"])
        await h.pass_time(10 * EVERY)
        await heard(h, receiver, 3)


async def test_notices_after_a_decision_are_dropped(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        token = h.token(peers[1])
        await h.drop(peers[1])
        await begun(h, peers)
        back = person("Person 1")
        token = (await h.ask(back, Resume(1, h.only().match, token), Seated)).token
        await h.say(back, name(h, 1, 1))
        await h.drop(back)
        await h.say(peers[0], name(h, 1, 1))
        again = person("Person 1")
        await h.ask(again, Resume(1, h.only().match, token), Seated)
        await h.say(again, name(h, 2, 1))
        await h.drop(again)
        await h.pass_time(2 * EVERY)
        await heard(h, receiver, 2)


async def test_a_match_that_wakes_tells_nothing_twice(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        tokens = [h.token(peer) for peer in peers]
        await h.drop(peers[1])
        await begun(h, peers)
        match = h.only().match
        await h.drop(peers[0])
        await heard(h, receiver, 2)
        await h.pass_time(LINGER + 1)
        assert h.lobby.tables == 0
        back = person("Person 0")
        await h.ask(back, Resume(1, match, tokens[0]), Seated)
        await heard(h, receiver, 2)
        assert link(back).last(Hooked) == Hooked(0, "json"), "the host knows that there is one"
        assert h.only().table.record.hook == HookRecord(HookForm.JSON, receiver.url)


async def test_a_bot_that_stands_in_is_told_nothing(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver, takeover=10) as (h, peers):
        await h.drop(peers[1])
        h.only().table.seating.chairs[1].record.stand_in = "normal"
        await begun(h, peers)
        await heard(h, receiver, 1)


async def test_the_host_takes_it_down(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        assert await h.ask(peers[0], Hook(7, HookForm.JSON), Hooked) == Hooked(7, "")
        await h.drop(peers[1])
        await begun(h, peers)
        await heard(h, receiver, 1)
        assert h.only().table.record.hook is None


def chat(peer: Peer) -> list[str]:
    return [message.text for message in link(peer).sent if isinstance(message, Said)]


async def test_a_change_is_said_once_and_the_end_too(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        link(peers[1]).sent.clear()
        await h.say(peers[0], Hook(7, HookForm.JSON, receiver.url + "&more"))
        assert chat(peers[1]) == [], "it is a program still"
        for n in range(2):
            await h.say(peers[0], Hook(8 + n, HookForm.NTFY, receiver.url))
        assert chat(peers[1]) == ["Person 0 now sends messages to ntfy when it is the turn of an absent player."]
        for n in range(2):
            await h.say(peers[0], Hook(10 + n, HookForm.NTFY))
        assert chat(peers[1])[1:] == ["Person 0 has ended the messages for absent players."]
        assert [line.text for line in h.only().table.record.talk] == [
            "Person 0 now sends messages to a program when it is the turn of an absent player.",
            *chat(peers[1]),
        ]


@pytest.mark.parametrize("path", ["/new", ""])
async def test_another_address_or_none_drops_what_waits_for_the_old_one(
    tmp_path: Path, receiver: Receiver, path: str
) -> None:
    async with open_lobby(tmp_path, hooks=HERE) as h:
        peers = await h.table(2)
        receiver.answers = [b"HTTP/1.1 500 No\r\n\r\n"]
        await h.ask(peers[0], Hook(5, HookForm.JSON, receiver.url), Hooked)
        await asyncio.wait_for(receiver.asked.wait(), 60)
        await h.ask(peers[0], Hook(6, HookForm.JSON, path and receiver.url.replace("/a/b", path)), Hooked)
        assert len(await heard(h, receiver, 2 if path else 1)) == len(receiver.first)
        await h.pass_time(100)
        assert receiver.first[1:] == (["POST /new?key=s3cret HTTP/1.1"] if path else [])
        assert not [m for m in link(peers[0]).sent if isinstance(m, Hooked) and m.failed]


async def test_the_same_address_again_drops_nothing(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        receiver.answers = [b"HTTP/1.1 500 No\r\n\r\n"]
        receiver.asked.clear()
        await h.drop(peers[1])
        await begun(h, peers)
        await asyncio.wait_for(receiver.asked.wait(), 60)
        await h.ask(peers[0], Hook(6, HookForm.JSON, receiver.url), Hooked)
        await h.pass_time(2)
        assert [event for event, _ in await heard(h, receiver, 4)] == ["hello", "decide", "decide", "hello"]


async def test_the_host_is_told_of_what_did_not_arrive(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        receiver.answers = [b"HTTP/1.1 404 Not Found\r\n\r\n"]
        await h.drop(peers[1])
        await begun(h, peers)
        await heard(h, receiver, 2)
        assert link(peers[0]).last(Hooked) == Hooked(0, "json", failed=True)


@pytest.mark.parametrize("phase", [TablePhase.GATHERING, TablePhase.PLAYING])
async def test_only_the_host_hangs_one_up_at_any_time(tmp_path: Path, receiver: Receiver, phase: TablePhase) -> None:
    async with open_lobby(tmp_path, hooks=HERE) as h:
        peers = await (h.table(2) if phase is TablePhase.GATHERING else h.match(2))
        assert (await h.ask(peers[1], Hook(5, HookForm.NTFY, receiver.url), Refused)).code == "not-host"
        assert await h.ask(peers[0], Hook(5, HookForm.NTFY, receiver.url), Hooked) == Hooked(5, "ntfy")


async def test_a_spectator_left_at_a_match_changes_nothing(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        onlooker = person("Nero")
        await h.say(onlooker, Watch(1, h.only().match))
        await begun(h, peers)
        for peer in peers:
            await h.say(peer, Leave(9))
        assert h.only().table.is_host(onlooker)
        assert (await h.ask(onlooker, Hook(5, HookForm.JSON), Refused)).code == "not-host"
        assert h.only().table.record.hook is not None


async def test_invalid_webhooks_are_refused_in_words(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, hooks=HERE) as h:
        peers = await h.table(2)
        for url in ("http://10.0.0.1/x", "https://192.168.0.1/x", "gopher://x"):
            refused = await h.ask(peers[0], Hook(5, HookForm.JSON, url), Refused)
            assert refused.code == "bad-hook" and "192" not in refused.text
        assert h.only().table.record.hook is None


async def test_a_server_that_allows_none_says_so(h: LobbyHarness, receiver: Receiver) -> None:
    peers = await h.table(2)
    assert (await h.ask(peers[0], Hook(5, HookForm.JSON, receiver.url), Refused)).code == "no-hook"


async def test_a_webhook_that_could_not_be_stored_is_not_used(tmp_path: Path, receiver: Receiver) -> None:
    async with open_lobby(tmp_path, hooks=HERE) as h:
        peers = await h.table(2)
        with failing(h.store):
            refused = await h.ask(peers[0], Hook(5, HookForm.JSON, receiver.url), Refused)
        assert refused.code == "storage" and h.only().table.record.hook is None
        await heard(h, receiver, 0)


async def test_an_address_hangs_up_so_many(tmp_path: Path, receiver: Receiver) -> None:
    async with open_lobby(tmp_path, hooks=HERE) as h:
        peers = await h.table(2)
        peers[0].address, peers[0].trusted = "192.0.2.1", False
        for n in range(5):
            await h.ask(peers[0], Hook(n + 1, HookForm.JSON, receiver.url), Hooked)
        assert (await h.ask(peers[0], Hook(9, HookForm.JSON, receiver.url), Refused)).code == "rate"


async def test_late_clients_are_not_told_the_webhook(tmp_path: Path, receiver: Receiver) -> None:
    async with belled(tmp_path, receiver) as (h, peers):
        await h.drop(peers[1])
        late = person("Late")
        await h.say(late, Join(1, h.only().match))
        assert "s3cret" not in str(link(late).sent) and not [m for m in link(late).sent if isinstance(m, Hooked)]


async def test_a_server_says_whether_it_allows_webhooks(tmp_path: Path) -> None:
    for hooks, allowed in ((None, False), (Hooks(), True)):
        async with serving(tmp_path, hooks=hooks) as app:
            client = await Client(app.address, "Anna").open()
            assert ("hook" in (await client.wait_for(Welcome)).can) is allowed
            client.cut()


def test_the_operator_says_so_and_where_the_server_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(invitation_text, "_own", lambda: ["127.0.0.1", "192.0.2.7"])

    def asked(*arguments: str) -> object:
        return hooks_of(parser().parse_args(["serve", *arguments]))

    assert asked() is None and asked("--webhooks-loopback", "--public", "x") is None
    assert asked("--webhooks", "--public", "play.example.org") == Hooks("play.example.org")
    assert asked("--webhooks", "--host", "192.0.2.7", "--webhooks-loopback") == Hooks("192.0.2.7:8600", loopback=True)
    assert asked("--webhooks") == Hooks(""), "only this computer finds it"
