"""Players who drop during a match: the table's rule for them, what all are told, and what the others may decide."""

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec import Raw

from protocol import codec
from server.delivery.peer import Peer
from shared import messages as m
from shared.kernel import engine
from shared.rulesets.mb1984.definition import MB1984
from shared.tables import ABSENCE, Away, Matter, Outcome, Pace, Run, SeatKind, TablePhase
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.test_undo import first

GRACE: Final = 120
TAKEOVER: Final = 60
UNTIL_BACK: Final = m.Motion(Matter.SEAT, 1, level="normal")
THIS_TURN: Final = m.Motion(Matter.SEAT, 1, level="normal", turn=True)
PAUSE: Final = m.Motion(Matter.PAUSE)


def knowing(called: str) -> Peer:
    """Return a client that understands `Absent`."""
    peer = person(called)
    peer.agreed = frozenset({ABSENCE})
    return peer


class Evening:
    """A match of three people with the first legal actions; `Person 1` drops at their turn."""

    def __init__(self, h: LobbyHarness, people: list[Peer], match: str) -> None:
        self.h = h
        self.people = people
        self.match = match
        self.token = h.token(people[1])
        self._command = 100

    @property
    def running(self) -> Any:
        return self.h.only().table.match

    @property
    def kind(self) -> SeatKind:
        return SeatKind(self.h.only().table.seating.chairs[1].kind)

    async def act(self) -> None:
        """Let a person who owes a decision take it."""
        seat = self.running.owed[0]
        self._command += 1
        action = codec.encode(engine.default(MB1984, self.running.state, seat))
        await self.h.ask(self.people[seat], m.Act(self._command, self.running.frame, Raw(action)), m.Accepted)

    async def until_turn_of(self, seat: int) -> None:
        while tuple(self.running.owed) != (seat,) or MB1984.answers(self.running.state, seat):
            await self.act()

    async def drop(self) -> None:
        """Drop the second player at their turn."""
        await self.until_turn_of(1)
        self.token = self.h.token(self.people[1])
        for peer in self.people:
            link(peer).sent.clear()
        await self.h.drop(self.people[1])

    async def come_back(self) -> None:
        self.people[1] = knowing("Person 1")
        await self.h.ask(self.people[1], m.Resume(1, self.match, self.token), m.Seated)
        assert self.told() == m.Absent(()) and self.kind is SeatKind.PERSON

    def told(self, seat: int = 0) -> m.Absent:
        return link(self.people[seat]).last(m.Absent)

    async def agree(self, motion: m.Motion) -> m.Poll:
        """Let both others agree to a motion; return how the poll stands then."""
        await self.h.ask(self.people[0], m.Propose(70, motion), m.Done)
        poll = link(self.people[0]).last(m.Poll)
        if poll.outcome is Outcome.OPEN:
            await self.h.ask(self.people[2], m.Vote(71, poll.number, True), m.Done)
        return link(self.people[2]).last(m.Poll)

    async def finish(self) -> None:
        """Play the match to its end; all are here."""
        while self.h.only().table.record.phase is TablePhase.PLAYING:
            await self.act()


async def an_evening(h: LobbyHarness, **options: Any) -> Evening:
    people = [knowing(f"Person {seat}") for seat in range(3)]
    create = m.Create(1, MB1984.id, 3, {"round_limit": 2}, "Ides", takeover=TAKEOVER, **options)
    match = (await h.ask(people[0], create, m.Seated)).match
    for peer in people[1:]:
        await h.ask(peer, m.Join(1, match, h.code(match)), m.Seated)
    await h.ask(people[0], m.Start(2), m.Done)
    return Evening(h, people, match)


async def _wait(it: Evening) -> None:
    """Nothing is decided however long it takes."""
    assert it.told() == m.Absent((m.AbsentSeat(1, 0, 0),))
    version = it.running.version
    await it.h.pass_time(3600)
    assert (it.running.version, it.kind) == (version, SeatKind.AWAY)
    await it.come_back()


async def _bot(it: Evening) -> None:
    """A bot plays after the time that the table said, until the person is back."""
    assert it.told() == m.Absent((m.AbsentSeat(1, 0, TAKEOVER),))
    version = it.running.version
    await it.h.pass_time(TAKEOVER - 1)
    assert it.running.version == version
    await it.h.pass_time(1)
    assert it.running.version > version and it.told() == m.Absent((m.AbsentSeat(1, TAKEOVER, 0),))
    await it.come_back()


async def _ask_for_turn(it: Evening) -> None:
    """The others decide for this turn; the player's own time for an answer is over first."""
    assert it.told() == m.Absent((m.AbsentSeat(1, 0, GRACE),))
    version = it.running.version
    poll = await it.agree(THIS_TURN)
    assert poll.outcome is Outcome.OPEN and it.running.version == version, "the player may still come"
    await it.h.pass_time(GRACE + 1)
    assert it.running.version > version, "a bot played"
    await it.until_turn_of(0)
    assert it.kind is SeatKind.AWAY, "the turn is over"
    await it.until_turn_of(1)
    version = it.running.version
    await it.h.pass_time(3600)
    assert it.running.version == version, "the next turn waits"
    await it.come_back()
    missed = link(it.people[1]).last(m.Poll)
    assert missed.missed and missed.motion == THIS_TURN


async def _ask_until_back(it: Evening) -> None:
    """The others decide until the player is back, who takes the seat at once and sees what was decided."""
    await it.h.pass_time(GRACE + 1)
    poll = await it.agree(UNTIL_BACK)
    assert poll.outcome is Outcome.CARRIED
    await it.until_turn_of(0)
    assert it.kind is SeatKind.STAND_IN and not it.told().seats[0].turn
    await it.come_back()
    missed = link(it.people[1]).last(m.Poll)
    assert missed.missed and missed.motion == UNTIL_BACK


async def _ask_for_pause(it: Evening) -> None:
    """Two of three agree to a pause at once; it ends by agreement once the player is back."""
    poll = await it.agree(PAUSE)
    assert poll.outcome is Outcome.CARRIED
    version = it.running.version
    await it.h.pass_time(3600)
    assert it.running.version == version
    await it.come_back()
    await it.agree(m.Motion(Matter.GO_ON))


@pytest.mark.parametrize(
    ("away", "course"),
    [(Away.WAIT, _wait), (Away.BOT, _bot), (Away.ASK, _ask_for_turn), (Away.ASK, _ask_until_back),
     (Away.ASK, _ask_for_pause)],
)  # fmt: skip
async def test_a_match_in_which_a_player_drops_at_their_turn_goes_as_the_table_said(
    tmp_path: Path, away: Away, course: Callable[[Evening], Awaitable[None]]
) -> None:
    async with open_lobby(tmp_path, first, rules=MB1984) as h:
        it = await an_evening(h, away=away)
        assert link(it.people[2]).last(m.TableState).away is away
        await it.drop()
        await course(it)
        await it.finish()
        assert h.only().table.record.phase is TablePhase.OVER


async def test_one_player_alone_does_not_decide_for_a_player_within_their_grace(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, first, rules=MB1984) as h:
        it = await an_evening(h, away=Away.ASK)
        await it.drop()
        await h.ask(it.people[0], m.Propose(70, THIS_TURN), m.Done)
        await h.pass_time(GRACE + 61)
        assert it.kind is SeatKind.AWAY, "one of two who are here is no majority"


async def test_a_bot_is_asked_for_a_turn_only_while_it_lasts(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, first, rules=MB1984) as h:
        it = await an_evening(h, away=Away.ASK)
        await it.until_turn_of(0)
        await h.drop(it.people[1])
        assert (await h.ask(it.people[0], m.Propose(70, THIS_TURN), m.Refused)).code == "no-change"


async def test_a_killed_server_keeps_the_rule_and_the_turn_of_the_bot(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, first, rules=MB1984, pace=1000.0) as h:
        it = await an_evening(h, away=Away.ASK)
        await it.drop()
        await h.pass_time(GRACE + 1)
        await it.agree(THIS_TURN)
        assert it.kind is SeatKind.STAND_IN and it.told().seats[0].turn
        version = it.running.version
        async with open_lobby(tmp_path, first, h.store, rules=MB1984) as other:
            await other.quiet()
            table = other.only().table
            assert table.record.away is Away.ASK
            assert table.match.version > version and table.seating.chairs[1].kind is SeatKind.AWAY, "the turn is over"
            late = knowing("Person 0")
            await other.ask(late, m.Resume(1, it.match, it.h.token(it.people[0])), m.Refused)
            await other.say(late, m.Watch(2, it.match, table.record.code))
            assert [seat.seat for seat in link(late).last(m.Absent).seats] == [0, 1, 2]


async def test_by_post_no_absence_is_told(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, first, rules=MB1984) as h:
        it = await an_evening(h, away=Away.ASK, pace=Pace(Run.POST, 86400))
        await it.drop()
        assert not any(isinstance(message, m.Absent) for message in link(it.people[0]).sent)
