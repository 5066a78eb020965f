"""A client that enters without any state gets the events and chat so far, as far as its audience may know them."""

from pathlib import Path

import msgspec

from server.delivery.outgoing import Outgoing
from server.delivery.peer import Peer
from server.matches.match import STORY
from server.matches.table import TALK_KEPT
from server.matches.task import LINGER
from shared import messages as m
from shared.tables import TablePhase
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby


async def entered(h: LobbyHarness, message: m.Join | m.Resume | m.Watch, called: str = "Back") -> list[m.ServerMessage]:
    """Return all messages that a client gets on entering."""
    peer = Peer(FakeLink(), called)
    await h.say(peer, message)
    return link(peer).sent


def stories(told: list[m.ServerMessage]) -> list[m.Story]:
    return [message for message in told if isinstance(message, m.Story)]


async def test_the_chronicle_comes_back_with_the_seat_and_for_onlookers(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    match, token = h.only().match, h.token(bert)
    for command in range(1, 6):
        await h.ask(anna, name(h, command, 3), m.Accepted)
        await h.ask(bert, name(h, command, 4), m.Accepted)
    heard = [(each.version, bytes(e)) for each in link(anna).sent if isinstance(each, m.Frame) for e in each.events]
    for told in (
        await entered(h, m.Resume(1, match, token)),
        await entered(h, m.Watch(1, match)),
    ):
        (story,) = stories(told)
        assert [(version, bytes(event)) for version, event in story.events][-len(heard) :] == heard
        assert told.index(story) > [isinstance(each, m.Snapshot) for each in told].index(True)


async def test_clients_with_a_part_of_the_match_get_no_history(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    await h.ask(anna, name(h, 1, 3), m.Accepted)
    assert not stories(await entered(h, m.Watch(1, h.only().match, have=1)))
    assert not stories(await entered(h, m.Resume(1, h.only().match, h.token(anna), have=1)))


async def test_each_audience_gets_its_own_history(tmp_path: Path) -> None:
    """Story of a match with secrets: each audience class has its own, which survives a restart."""
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match()
        for command in range(1, 4):
            await h.ask(anna, name(h, command, 3), m.Accepted)
            await h.ask(bert, name(h, command, 4), m.Accepted)
        match = h.only().table.match
        before = [match.story(audience) for audience in range(3)]
        assert all(before)
    async with open_lobby(tmp_path) as h:
        assert [h.only().table.match.story(audience) for audience in range(3)] == before


async def test_chat_survives_a_restart(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match()
        match, token = h.only().match, h.token(bert)
        watcher = Peer(FakeLink(), "Nero")
        await h.ask(watcher, m.Watch(1, match), m.Done)
        await h.ask(anna, m.Say(2, "Ave!"), m.Said)
        await h.ask(watcher, m.Say(2, "I only watch."), m.Said)
        (story,) = stories(await entered(h, m.Watch(1, match), "Late"))
        assert [(line.seat, line.name, line.text) for line in story.chat] == [
            (0, "Person 0", "Ave!"),
            (-1, "Nero", "I only watch."),
        ]
        token = (await h.ask(Peer(FakeLink(), "Bert"), m.Resume(3, match, token), m.Seated)).token
    async with open_lobby(tmp_path) as h:
        (again,) = stories(await entered(h, m.Resume(1, match, token)))
        assert again.chat == story.chat[:1], "players are not told what those who look on said among themselves"
        (late,) = stories(await entered(h, m.Watch(1, match), "Later"))
        assert late.chat == story.chat


async def test_chat_of_spectators_reaches_listening_players_and_displaces_none_of_theirs(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    match = h.only().match
    watcher, other = Peer(FakeLink(), "Nero"), Peer(FakeLink(), "Galba")
    for peer in (watcher, other):
        await h.ask(peer, m.Watch(1, match), m.Done)

    def heard(peer: Peer) -> list[str]:
        said = [each.text for each in link(peer).sent if isinstance(each, m.Said)]
        link(peer).sent.clear()
        return said

    for listening in (False, True, False):
        await h.ask(bert, m.Listen(2, listening), m.Done)
        await h.ask(watcher, m.Say(2, "I only watch."), m.Said)
        players = [[], ["I only watch."] if listening else []]
        assert [heard(peer) for peer in (anna, bert, other)] == [*players, ["I only watch."]]
    await h.ask(anna, m.Say(3, "Ave!"), m.Said)
    assert [heard(peer) for peer in (bert, watcher, other)] == [["Ave!"]] * 3
    await h.ask(bert, m.Listen(4), m.Done)
    token = h.token(bert)
    await h.drop(bert)
    back = Peer(FakeLink(), "Bert")
    await h.ask(back, m.Resume(5, match, token), m.Seated)
    for i in range(TALK_KEPT + 5):
        await h.pass_time(1)
        await h.ask(watcher, m.Say(1000 + i, f"Line {i}"), m.Said)
    assert heard(back) == [], "whoever comes back does not listen at first"
    (story,) = stories(await entered(h, m.Resume(1, match, h.token(anna))))
    assert [line.text for line in story.chat] == ["Ave!"]


async def test_before_and_after_the_match_all_hear_each_other(h: LobbyHarness) -> None:
    anna, _ = await h.table(2)
    watcher = Peer(FakeLink(), "Nero")
    await h.ask(watcher, m.Watch(1, h.only().match), m.Done)
    await h.ask(watcher, m.Say(2, "Who sits down?"), m.Said)
    assert link(anna).take(m.Said).text == "Who sits down?"
    h.only().table.record.phase = TablePhase.OVER
    await h.ask(watcher, m.Say(3, "Well played."), m.Said)
    assert link(anna).take(m.Said).text == "Well played."


async def test_talk_is_saved_now_and_then_and_before_the_match_sleeps(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    match = h.only().match

    async def kept() -> list[str]:
        stored = await h.store.claim(match)
        assert stored is not None
        h.only().table.epoch = stored.epoch
        return [line.text for line in stored.table.talk]

    await h.ask(anna, m.Say(2, "Ave!"), m.Said)
    assert await kept() == []
    await h.pass_time(10)
    assert await kept() == ["Ave!"]
    await h.ask(anna, m.Say(3, "Vale!"), m.Said)
    h.only()._members._keeping.cancel()
    for peer in (anna, bert):
        await h.drop(peer)
    await h.pass_time(LINGER + 1)
    assert h.lobby.tables == 0
    stored = await h.store.claim(match)
    assert stored is not None and [line.text for line in stored.table.talk] == ["Ave!", "Vale!"]


async def test_only_so_much_is_kept(h: LobbyHarness) -> None:
    anna, bert = await h.match(2)
    for command in range(1, 50):
        if h.only().table.match.finished:
            break
        await h.ask(anna, name(h, command, 3), m.Accepted)
        await h.ask(bert, name(h, command, 4), m.Accepted)
    for i in range(TALK_KEPT + 20):
        await h.pass_time(1)
        await h.ask(anna, m.Say(1000 + i, f"Line {i}"), m.Said)
    (story,) = stories(await entered(h, m.Watch(1, h.only().match)))
    assert len(story.events) <= STORY
    assert [line.text for line in story.chat] == [f"Line {i}" for i in range(20, TALK_KEPT + 20)]
    assert len(msgspec.msgpack.encode(story)) < 32 * 1024


async def test_a_table_that_gathers_has_its_talk_too(h: LobbyHarness) -> None:
    anna, bert = await h.table(2)
    await h.ask(anna, m.Say(2, "Who else comes?"), m.Said)
    await h.ask(bert, m.Leave(3), m.Left)
    (story,) = stories(await entered(h, m.Watch(1, h.only().match)))
    assert not story.events and [line.text for line in story.chat] == ["Who else comes?"]


async def test_new_players_are_told_the_chat(h: LobbyHarness) -> None:
    anna = Peer(FakeLink(), "Anna")
    match = (await h.ask(anna, m.Create(1, "toy", 3, {}, "t"), m.Seated)).match
    await h.ask(anna, m.Say(2, "Ave!"), m.Said)
    (story,) = stories(await entered(h, m.Join(1, match), "Bert"))
    assert [(line.seat, line.name, line.text) for line in story.chat] == [(0, "Anna", "Ave!")]
    assert story.events == ()


class Noting(FakeLink):
    """Knows of each thing that it was sent whether a slow reader may miss it."""

    def __init__(self) -> None:
        super().__init__()
        self.droppable: dict[type[m.ServerMessage], bool] = {}
        self.pieces = 0

    def send(self, message: Outgoing) -> None:
        before = len(self.sent)
        super().send(message)
        self.pieces += 1
        self.droppable |= {type(each): message.droppable for each in self.sent[before:]}


async def test_newcomers_get_history_and_answer_in_one_piece_that_is_never_dropped(h: LobbyHarness) -> None:
    anna, _ = await h.match()
    await h.ask(anna, name(h, 1, 3), m.Accepted)
    watcher = Noting()
    await h.say(Peer(watcher, "Carla"), m.Watch(1, h.only().match))
    assert {m.Story, m.Snapshot, m.Done} <= set(watcher.droppable) and not any(watcher.droppable.values())
    assert watcher.pieces == 1
