"""A vote whose action fails is told as failed, never as carried."""

from pathlib import Path

import pytest

from shared.messages import Done, Listen, Motion, Poll, Propose, Vote
from shared.tables import Matter, Outcome, Pace, Run
from tests.server.house import failing, house, link, name
from tests.server.test_clocks import LIVE

MOTIONS = [
    Motion(Matter.PAUSE),
    Motion(Matter.SEAT, 2, level="normal"),
    Motion(Matter.BACK, to=0),
    Motion(Matter.END),
    Motion(Matter.TIME, 1, seconds=60),
    Motion(Matter.PACE, pace=Pace(Run.LIVE, 20, 60)),
]


@pytest.mark.parametrize("motion", MOTIONS, ids=lambda motion: motion.matter.name)
async def test_a_vote_whose_action_cannot_be_kept_is_told_as_failed(tmp_path: Path, motion: Motion) -> None:
    async with house(tmp_path) as h:
        people = await h.match(3, pace=LIVE)
        await h.say(people[0], name(h, 1, 3))
        if motion.matter is Matter.SEAT:
            await h.drop(people.pop())
        for peer in people:
            await h.ask(peer, Listen(60, False), Done)  # Their tokens are known to have arrived: nothing is to be kept.
        await h.ask(people[0], Propose(70, motion), Done)
        voters = people[1:]
        asked = link(people[0]).last(Poll)
        assert asked.outcome is Outcome.OPEN
        version = h.only().table.match.version
        with failing(h.store):
            for peer in voters:
                await h.say(peer, Vote(71, asked.number, True))
        for peer in people:
            outcomes = [each.outcome for each in link(peer).sent if isinstance(each, Poll)]
            assert outcomes[-1] is Outcome.FAILED and Outcome.CARRIED not in outcomes
        assert h.only().table.match.version == version
        await h.say(people[1], name(h, 1, 4))
        assert h.only().table.match.version == version + 1, "the match goes on as it was"
