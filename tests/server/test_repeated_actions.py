"""An accepted action that is sent again is accepted again, whatever the match is like by then."""

from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from server.delivery.peer import Peer
from server.matches.task import LINGER
from shared.messages import Accepted, Act, Done, Frame, Motion, Propose, Refused, Resume, Seated, Undo, Vote
from shared.rulesets.mb1984.definition import MB1984
from shared.tables import Matter, TablePhase
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby, person
from tests.server.test_clocks import LIVE
from tests.server.test_undo import moved

Change = Callable[[LobbyHarness, list[Peer]], Awaitable[None]]


async def paused(h: LobbyHarness, _people: list[Peer]) -> None:
    assert await h.only()._play.pause()


async def paused_and_resumed(h: LobbyHarness, people: list[Peer]) -> None:
    await paused(h, people)
    assert await h.only()._play.go_on()


async def agreed_end(h: LobbyHarness, _people: list[Peer]) -> None:
    assert await h.only()._play.end()


async def during_a_vote(h: LobbyHarness, people: list[Peer]) -> None:
    await h.ask(people[1], Propose(70, Motion(Matter.PAUSE)), Done)


async def after_a_vote(h: LobbyHarness, people: list[Peer]) -> None:
    await h.ask(people[1], Propose(70, Motion(Matter.PAUSE)), Done)
    await h.say(people[0], Vote(71, 1, True))
    assert h.only()._play.paused


async def gone_back(h: LobbyHarness, _people: list[Peer]) -> None:
    assert await h.only()._play.go_back(0)


async def other_seats_turn(h: LobbyHarness, people: list[Peer]) -> None:
    assert h.only().table.match.owed == (1,)


async def next_round(h: LobbyHarness, people: list[Peer]) -> None:
    await h.say(people[1], name(h, 1, 3))


async def default_taken(h: LobbyHarness, _people: list[Peer]) -> None:
    await h.pass_time(71)


async def played_to_the_end(h: LobbyHarness, people: list[Peer]) -> None:
    await h.say(people[1], name(h, 1, 3))
    for command in range(2, 51):
        for peer in people:
            await h.say(peer, name(h, command, 3))
    assert h.only().table.record.phase is TablePhase.OVER


CHANGES: list[Change] = [
    paused,
    paused_and_resumed,
    agreed_end,
    during_a_vote,
    after_a_vote,
    gone_back,
    other_seats_turn,
    next_round,
    default_taken,
    played_to_the_end,
]


@pytest.mark.parametrize("restart", [False, True], ids=["running", "restarted"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
async def test_a_repeat_is_accepted(tmp_path: Path, change: Change, restart: bool) -> None:
    async with open_lobby(tmp_path) as h:
        people = await h.match(pace=LIVE)
        match, token = h.only().match, h.token(people[0])
        act = name(h, 1, 3)
        first = await h.ask(people[0], act, Accepted)
        await change(h, people)
        await h.quiet()
        await h.only().table.save()
        if not restart:
            await _is_accepted_again(h, people[0], act, first)
    if restart:
        async with open_lobby(tmp_path, awake=False) as h:
            back = person()
            await h.ask(back, Resume(1, match, token), Seated)
            await _is_accepted_again(h, back, act, first)


async def _is_accepted_again(h: LobbyHarness, peer: Peer, act: Act, first: Accepted) -> None:
    """The newest of its commands is answered from memory; what never was accepted is judged anew."""
    version = h.only().table.match.version
    assert await h.ask(peer, act, Accepted) == first
    assert h.only().table.match.version == version, "it acts once"
    reused = Act(act.command, act.frame + 1, act.action)
    assert (await h.ask(peer, reused, Refused)).code == "command-reused"


async def test_a_repeat_is_accepted_after_the_match_slept(h: LobbyHarness) -> None:
    people = await h.match()
    match, token = h.only().match, h.token(people[0])
    act = name(h, 1, 3)
    first = await h.ask(people[0], act, Accepted)
    assert await h.only()._play.pause()
    await h.only().table.save()
    for peer in people:
        await h.drop(peer)
    await h.pass_time(LINGER + 1)
    assert h.lobby.tables == 0
    back = person()
    await h.ask(back, Resume(1, match, token), Seated)
    assert await h.ask(back, act, Accepted) == first


async def test_a_repeat_is_accepted_while_nothing_can_be_kept(h: LobbyHarness) -> None:
    people = await h.match()
    act = name(h, 1, 3)
    first = await h.ask(people[0], act, Accepted)
    with failing(h.store):
        assert await h.ask(people[0], act, Accepted) == first


async def test_a_new_action_is_refused_during_a_pause(h: LobbyHarness) -> None:
    people = await h.match()
    await h.ask(people[0], name(h, 1, 3), Accepted)
    assert await h.only()._play.pause()
    assert (await h.ask(people[1], name(h, 1, 3), Refused)).code == "paused"
    assert (await h.ask(people[0], name(h, 2, 3), Refused)).code == "paused"


@pytest.mark.parametrize("pause", [False, True])
async def test_an_accepted_undo_that_is_sent_again_is_done_once(tmp_path: Path, pause: bool) -> None:
    async with open_lobby(tmp_path, rules=MB1984) as h:
        await h.match(people=3)
        peer = await moved(h)
        undo = Undo(7, h.only().table.match.version)
        await h.ask(peer, undo, Done)
        if pause:
            assert await h.only()._play.pause()
        match, token, version = h.only().match, h.token(peer), h.only().table.match.version
        assert await h.ask(peer, Undo(8, undo.version), Done) == Done(8)
        assert not [each for each in link(peer).sent if isinstance(each, Frame)]
        assert h.only().table.match.version == version
        other = next(each for each in h.only().table.audience.peers if each.seat != peer.seat)
        assert (await h.ask(other, undo, Refused)).code == ("paused" if pause else "stale-version")
        await h.only().table.save()
    async with open_lobby(tmp_path, rules=MB1984) as h:
        back = person()
        await h.ask(back, Resume(1, match, token), Seated)
        assert await h.ask(back, undo, Done) == Done(7)
        assert h.only().table.match.version == version
