"""A vote whose action fails is told as failed, never as carried."""

import asyncio

import pytest

from server.storage.port import StoreError
from shared.messages import Done, Listen, Motion, Poll, Propose, Vote
from shared.tables import Matter, Outcome, Pace, Run
from tests.server.lobby_harness import LobbyHarness, link, name
from tests.server.test_clocks import LIVE

MOTIONS = [
    Motion(Matter.PAUSE),
    Motion(Matter.BACK, to=0),
    Motion(Matter.END),
    Motion(Matter.TIME, 1, seconds=60),
    Motion(Matter.PACE, pace=Pace(Run.LIVE, 20, 60)),
]


def refusing(*_: object) -> "asyncio.Future[bytes]":
    """An append that fails: the votes are stored, what they decide is not."""
    failed: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()
    failed.set_exception(StoreError("The server cannot save: the disk is full."))
    return failed


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.matter.name)
async def test_a_vote_whose_action_cannot_be_stored_is_told_as_failed(
    h: LobbyHarness, motion: Motion, monkeypatch: pytest.MonkeyPatch
) -> None:
    people = await h.match(3, pace=LIVE)
    await h.say(people[0], name(h, 1, 3))
    for peer in people:
        await h.ask(peer, Listen(60, False), Done)
    await h.ask(people[0], Propose(70, motion), Done)
    asked = link(people[0]).last(Poll)
    assert asked.outcome is Outcome.OPEN
    version = h.only().table.match.version
    with monkeypatch.context() as patched:
        patched.setattr(h.store, "append", refusing)
        for peer in people[1:]:
            await h.say(peer, Vote(71, asked.number, True))
    for peer in people:
        outcomes = [each.outcome for each in link(peer).sent if isinstance(each, Poll)]
        assert outcomes[-1] is Outcome.FAILED and Outcome.CARRIED not in outcomes
    assert h.only().table.match.version == version
    await h.say(people[1], name(h, 1, 4))
    assert h.only().table.match.version == version + 1, "the match goes on as it was"
