"""Votes at a table: voters, required votes and effects, also after a restart."""

from pathlib import Path

import pytest
from msgspec import Raw
from msgspec.structs import replace

from protocol import codec
from server.delivery.peer import Peer
from server.matches import table_votes
from server.matches.table_votes import ASKED, BY_POST, GONE, LIVE, RETRY
from server.storage.port import PollRecord
from shared import messages as m
from shared.ids import NONE
from shared.tables import Matter, Outcome, Pace, Run, SeatKind, TablePhase
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby
from tests.server.toy import TOY, Boast

PAUSE = m.Motion(Matter.PAUSE)
GO_ON = m.Motion(Matter.GO_ON)
END = m.Motion(Matter.END)


GRACE = 120.0
"""Seconds for which players are awaited whose connection dropped."""


def asked_of(voters: int = 4, asker: int = 0, *, unanimous: bool = False) -> PollRecord:
    return table_votes.opened(1, PAUSE, asker, range(voters), unanimous, 1)


@pytest.mark.parametrize(("voters", "needed"), [(1, 1), (2, 2), (3, 2), (4, 3), (5, 3), (6, 4)])
def test_more_than_half_of_the_voters_are_needed(voters: int, needed: int) -> None:
    assert table_votes.needed(asked_of(voters), range(voters)) == needed
    assert table_votes.needed(asked_of(voters, unanimous=True), range(voters)) == voters


def test_a_question_is_decided_as_soon_as_nothing_can_change_it() -> None:
    asked = asked_of()
    for seat, yes, outcome in ((1, False, Outcome.OPEN), (2, True, Outcome.OPEN), (1, True, Outcome.CARRIED)):
        asked = table_votes.voted(asked, seat, yes)
        assert table_votes.outcome(asked, ()) is outcome
    asked = table_votes.voted(table_votes.voted(asked_of(), 1, False), 2, False)
    assert table_votes.outcome(asked, ()) is Outcome.REJECTED and (asked.ayes, asked.noes) == ((0,), (1, 2))
    assert table_votes.outcome(asked_of(1), ()) is Outcome.CARRIED
    assert table_votes.outcome(table_votes.voted(asked_of(unanimous=True), 3, False), ()) is Outcome.REJECTED
    assert table_votes.outcome(asked_of(2), (1,)) is Outcome.CARRIED, "who is excused is not needed"


def poll(peer: Peer) -> m.Poll:
    """Return the last poll that a peer was sent."""
    return [message for message in link(peer).sent if isinstance(message, m.Poll)][-1]


async def ask(it: LobbyHarness, peer: Peer, motion: m.Motion) -> m.Poll:
    await it.ask(peer, m.Propose(70, motion), m.Done)
    return poll(peer)


async def agreed(it: LobbyHarness, people: list[Peer], motion: m.Motion) -> Outcome:
    """The first asks, the others are for it."""
    for peer in people:
        link(peer).sent.clear()
    asked = await ask(it, people[0], motion)
    for peer in people[1:]:
        if asked.outcome is Outcome.OPEN:
            await it.say(peer, m.Vote(71, asked.number, True))
            asked = poll(people[0])
    return asked.outcome


async def refused(it: LobbyHarness, peer: Peer, motion: m.Motion) -> str:
    return (await it.ask(peer, m.Propose(72, motion), m.Refused)).code


def boast(it: LobbyHarness, command: int) -> m.Act:
    return m.Act(command, it.only().table.match.frame, Raw(codec.encode(Boast())))


async def test_while_a_match_is_paused_nothing_is_done_and_it_outlives_the_server(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as it:
        people = await it.match(3)
        await it.ask(people[1], boast(it, 1), m.Accepted)
        assert await agreed(it, people, PAUSE) is Outcome.CARRIED
        assert all(poll(peer).outcome is Outcome.CARRIED for peer in people)
        assert link(people[2]).take(m.Clock).paused
        assert (await it.ask(people[0], name(it, 5, 3), m.Refused)).code == "paused"
        assert (await it.ask(people[1], m.Undo(6, it.only().table.match.version), m.Refused)).code == "paused"
        assert await refused(it, people[0], PAUSE) == "no-change"
        match, token = it.only().match, it.token(people[0])
        await it.only().table.save()
    async with open_lobby(tmp_path) as it:
        back = Peer(FakeLink(), "Person 0")
        await it.say(back, m.Resume(1, match, token))
        assert (await it.ask(back, name(it, 9, 3), m.Refused)).code == "paused"
        asked = await ask(it, back, GO_ON)
        assert (asked.outcome, asked.awaited) == (Outcome.OPEN, (1, 2)), "the others may come back"
        await it.pass_time(GRACE)
        assert poll(back).outcome is Outcome.CARRIED
        await it.ask(back, name(it, 10, 3), m.Accepted)
        assert await refused(it, back, GO_ON) == "no-change"


async def test_the_end_by_agreement_is_an_entry_of_the_log_and_counts_as_it_stands(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as it:
        people = await it.match(2)
        await it.ask(people[0], name(it, 1, 3), m.Accepted)
        assert await agreed(it, people, END) is Outcome.CARRIED
        frame = link(people[1]).take(m.Frame)
        assert frame.version == 2 and bytes(frame.delta) == b"\x90" and not frame.events
        assert link(people[1]).take(m.TableState).phase == TablePhase.OVER
        assert (await it.ask(people[1], name(it, 1, 3), m.Refused)).code == "over"
        assert await refused(it, people[0], PAUSE) == "over"
        kept = it.only().match
    async with open_lobby(tmp_path, awake=False) as it:
        late = Peer(FakeLink(), "Late")
        await it.say(late, m.Watch(1, kept))
        match = it.only().table.match
        assert match.finished and match.owed == () and match.version == 2
        assert link(late).take(m.TableState).phase == TablePhase.OVER


async def test_a_match_goes_back_by_consent_of_all_and_on_from_there(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as it:
        people = await it.match(3)
        for round_ in range(2):
            for peer in people:
                await it.ask(peer, name(it, 1 + round_, 3), m.Accepted)
        match = it.only().table.match
        assert match.version == 8 and match.earliest == 4
        for peer in people:
            link(peer).sent.clear()
        end = await ask(it, people[0], END)
        asked = await ask(it, people[0], m.Motion(Matter.BACK, to=5))
        assert (asked.needed, asked.outcome) == (3, Outcome.OPEN), "all, whatever the table says"
        await it.ask(people[1], m.Vote(2, asked.number, True), m.Done)
        assert match.version == 8
        await it.ask(people[2], m.Vote(2, asked.number, True), m.Done)
        polls = [each for each in link(people[0]).sent if isinstance(each, m.Poll)]
        closed = {each.number: each.outcome for each in polls if each.outcome is not Outcome.OPEN}
        assert closed == {asked.number: Outcome.CARRIED, end.number: Outcome.FAILED}, "asked of a position that is gone"
        assert match.version == 9
        told = [link(peer).take(m.Frame) for peer in people]
        assert all(frame.back is not None and (frame.back.seat, frame.back.to) == (NONE, 5) for frame in told)
        assert match.owed == (1, 2)
        assert await refused(it, people[0], m.Motion(Matter.BACK, to=9)) == "no-rewind"
        kept = it.only().match
        await it.ask(people[1], name(it, 30, 9), m.Accepted)
    async with open_lobby(tmp_path) as it:
        match = it.only().table.match
        assert match.version == 10 and match.owed == (2,) and it.only().match == kept


async def test_going_back_ends_at_the_last_round_and_needs_a_table_that_allows_it(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as it:
        people = await it.match(2)
        for round_ in range(3):
            for one in people:
                await it.ask(one, name(it, 1 + round_, 3), m.Accepted)
        match = it.only().table.match
        assert [match.earliest, match.version] == [6, 9]
        assert await refused(it, people[0], m.Motion(Matter.BACK, to=5)) == "no-rewind"
        assert (await ask(it, people[0], m.Motion(Matter.BACK, to=6))).outcome is Outcome.OPEN
    (tmp_path / "other").mkdir()
    async with open_lobby(tmp_path / "other") as it:
        people = await it.match(2, forward_only=True)
        await it.ask(people[0], name(it, 1, 3), m.Accepted)
        assert await refused(it, people[0], m.Motion(Matter.BACK, to=0)) == "no-rewind"


async def test_dice_are_rolled_anew_after_going_back_to_a_roll(h: LobbyHarness) -> None:
    people = await h.match(2)
    for peer in people:
        await h.ask(peer, name(h, 1, 3), m.Accepted)
    match = h.only().table.match
    assert match.version == 3
    assert await agreed(h, people, m.Motion(Matter.BACK, to=2)) is Outcome.CARRIED
    log = await h.store.read(h.only().match, 1, 99)
    assert len(log) == 5 and match.version == 5 and match.owed == (0, 1)


async def test_a_bot_takes_the_seat_of_an_absent_player_until_the_return(h: LobbyHarness) -> None:
    people = await h.match(2)
    fill = m.Motion(Matter.SEAT, 1, level="hard")
    assert await refused(h, people[0], fill) == "no-person", "he is here"
    token, match = h.token(people[1]), h.only().match
    await h.drop(people[1])
    assert await refused(h, people[0], m.Motion(Matter.SEAT, 1, level="divine")) == "no-such-level"
    asked = await ask(h, people[0], fill)
    assert (asked.outcome, asked.voters, asked.awaited) == (Outcome.OPEN, (0,), (1,))
    await h.pass_time(GRACE)
    assert poll(people[0]).outcome is Outcome.CARRIED
    seat = link(people[0]).take(m.TableState).seats[1]
    assert (seat.kind, seat.bot) == (SeatKind.STAND_IN, "hard")
    back = Peer(FakeLink(), "Person 1")
    assert (await h.ask(back, m.Resume(1, match, token), m.Seated)).seat == 1
    assert h.only().table.seating.chairs[1].kind is SeatKind.PERSON


async def test_a_spectator_takes_the_seat_of_an_absent_player_for_good(h: LobbyHarness) -> None:
    people = await h.match(2)
    await h.ask(people[1], name(h, 7, 4), m.Accepted)
    token, match = h.token(people[1]), h.only().match
    await h.drop(people[1])
    onlooker = Peer(FakeLink(), "Titus")
    await h.say(onlooker, m.Watch(1, match))
    assert await refused(h, people[0], m.Motion(Matter.SEAT, 1, name="Nobody here")) == "no-person"
    assert await refused(h, people[0], m.Motion(Matter.SEAT, 1, name="Titus")) == "too-soon"
    await h.pass_time(GONE)
    link(onlooker).sent.clear()
    assert (await ask(h, people[0], m.Motion(Matter.SEAT, 1, name="Titus"))).outcome is Outcome.CARRIED
    seated = link(onlooker).take(m.Seated)
    assert (seated.seat, seated.command) == (1, 7)
    view = TOY.view_decoder.decode(link(onlooker).take(m.Snapshot).view)
    assert view.named[1] == 4, "his own hand, not what the public sees"
    assert link(onlooker).take(m.TableState).you == 1, "and then that it is his"
    assert "Titus" in link(people[0]).take(m.Said).text
    await h.ask(people[0], name(h, 9, 3), m.Accepted)
    await h.ask(onlooker, name(h, 8, 5), m.Accepted)
    gone = Peer(FakeLink(), "Person 1")
    assert (await h.ask(gone, m.Resume(2, match, token), m.Refused)).code == "bad-token"
    again = Peer(FakeLink(), "Titus")
    assert (await h.ask(again, m.Resume(2, match, seated.token), m.Seated)).seat == 1


async def test_a_spectator_takes_the_seat_of_a_bot_at_once(h: LobbyHarness) -> None:
    people = [Peer(FakeLink(), "Anna")]
    await h.ask(people[0], m.Create(1, h.rules.id, 2, {"rounds": 50}, "Title"), m.Seated)
    await h.ask(people[0], m.SetBot(2, 1, "easy"), m.Done)
    await h.ask(people[0], m.Start(3), m.Done)
    onlooker = Peer(FakeLink(), "Titus")
    await h.say(onlooker, m.Watch(1, h.only().match))
    assert await refused(h, people[0], m.Motion(Matter.SEAT, 1, level="hard")) == "no-person"
    assert (await ask(h, people[0], m.Motion(Matter.SEAT, 1, name="Titus"))).outcome is Outcome.CARRIED
    assert link(onlooker).take(m.Seated).seat == 1
    chair = h.only().table.seating.chairs[1]
    assert (chair.kind, chair.record.bot) == (SeatKind.PERSON, "")
    assert "plays for a bot" in link(people[0]).take(m.Said).text


async def test_a_spectator_asks_the_players_for_the_seat_of_a_bot(h: LobbyHarness) -> None:
    anna = Peer(FakeLink(), "Anna")
    await h.ask(anna, m.Create(1, h.rules.id, 2, {"rounds": 50}, "Title"), m.Seated)
    await h.ask(anna, m.SetBot(2, 1, "easy"), m.Done)
    await h.ask(anna, m.Start(3), m.Done)
    titus = Peer(FakeLink(), "Titus")
    await h.say(titus, m.Watch(1, h.only().match))
    assert await refused(h, titus, m.Motion(Matter.END)) == "not-seated"
    assert await refused(h, titus, m.Motion(Matter.SEAT, 0, name="Titus")) == "no-person", "Anna plays there"
    await h.ask(titus, m.Propose(2, m.Motion(Matter.SEAT, 1, name="Anna")), m.Done)
    asked = poll(anna)
    assert (asked.seat, asked.motion.name, asked.voters, asked.ayes) == (-1, "Titus", (0,), ()), "for himself only"
    await h.ask(anna, m.Vote(4, asked.number, True), m.Done)
    assert poll(anna).outcome is Outcome.CARRIED and link(titus).take(m.Seated).seat == 1


async def test_the_host_silences_a_spectator_who_asks_for_seats(h: LobbyHarness) -> None:
    (anna,) = people = [Peer(FakeLink(), "Anna")]
    await h.ask(anna, m.Create(1, h.rules.id, 2, {"rounds": 50}, "Title"), m.Seated)
    await h.ask(anna, m.SetBot(2, 1, "easy"), m.Done)
    await h.ask(anna, m.Start(3), m.Done)
    titus = Peer(FakeLink(), "Titus")
    await h.say(titus, m.Watch(1, h.only().match))
    await h.ask(people[0], m.Mute(4, "Titus"), m.Done)
    assert await refused(h, titus, m.Motion(Matter.SEAT, 1, name="Titus")) == "muted"


async def test_by_post_a_seat_goes_to_another_person_only_from_a_bot(h: LobbyHarness) -> None:
    people = await h.match(2, pace=Pace(Run.POST, 3600))
    token, match = h.token(people[1]), h.only().match
    await h.drop(people[1])
    onlooker = Peer(FakeLink(), "Titus")
    await h.say(onlooker, m.Watch(1, match))
    await h.pass_time(3 * GONE)
    give = m.Motion(Matter.SEAT, 1, name="Titus")
    assert await refused(h, people[0], give) == "too-soon"
    back = Peer(FakeLink(), "Person 1")
    await h.ask(back, m.Resume(1, match, token), m.Seated)
    await h.ask(back, m.Leave(2), m.Left)
    assert await refused(h, people[0], give) == "too-soon", "he has just been here"
    await h.pass_time(GONE)
    asked = await ask(h, people[0], give)
    assert (asked.outcome, asked.left) == (Outcome.OPEN, BY_POST)
    await h.pass_time(BY_POST)
    assert poll(people[0]).outcome is Outcome.CARRIED


async def test_a_single_question_is_open_at_a_time_and_lapses(h: LobbyHarness) -> None:
    people = await h.match(3)
    asked = await ask(h, people[0], PAUSE)
    assert asked.left == LIVE and asked.voters == (0, 1, 2)
    await h.pass_time(LIVE / 2)
    onlooker = Peer(FakeLink(), "Onlooker")
    await h.say(onlooker, m.Watch(1, h.only().match))
    assert poll(onlooker).left == LIVE / 2
    assert (await h.ask(onlooker, m.Vote(2, asked.number, True), m.Refused)).code == "not-asked"
    assert (await h.ask(people[1], m.Vote(2, asked.number + 1, True), m.Refused)).code == "no-poll"
    await h.pass_time(LIVE / 2)
    assert poll(people[2]).outcome is Outcome.LAPSED
    assert (await h.ask(people[1], m.Vote(2, asked.number, True), m.Refused)).code == "no-poll"
    assert not h.only()._play.paused


@pytest.mark.parametrize(
    "motion",
    [PAUSE, END, m.Motion(Matter.SEAT, 3, level="normal"), m.Motion(Matter.TIME, 0, seconds=60),
     m.Motion(Matter.PACE, pace=Pace(Run.LIVE, 30, 60))],
    ids=lambda motion: motion.matter.name,
)  # fmt: skip
async def test_the_same_wish_is_a_yes(h: LobbyHarness, motion: m.Motion) -> None:
    people = await h.match(4, pace=Pace(Run.LIVE, 10, 600))
    if motion.matter is Matter.SEAT:
        await h.drop(people[3])

    async def wish(seat: int) -> tuple[tuple[int, ...], tuple[int, ...]]:
        await h.ask(people[seat], m.Propose(70, motion), m.Done)
        (asked,) = h.only().table.record.polls
        return asked.ayes, asked.noes

    for _time in range(2 + int(ASKED.at_once)):
        assert await wish(0) == ((0,), ()), "The asker's own wish counts once, and repeating it is no new question."
    await h.say(people[1], m.Vote(3, h.only().table.record.polls[0].number, False))
    assert await wish(1) == ((0, 1), ()), "It replaces an earlier no."


async def test_a_spectator_who_wishes_the_same_has_no_vote(h: LobbyHarness) -> None:
    people = await h.match(3)
    await ask(h, people[0], PAUSE)
    onlooker = Peer(FakeLink(), "Onlooker")
    await h.say(onlooker, m.Watch(1, h.only().match))
    assert await refused(h, onlooker, PAUSE) == "not-seated"
    assert poll(people[0]).ayes == (0,)


async def test_questions_to_the_table_are_limited(h: LobbyHarness) -> None:
    people = await h.match(2)
    for _ in range(int(ASKED.at_once)):
        asked = await ask(h, people[0], PAUSE)
        await h.say(people[1], m.Vote(2, asked.number, False))
        assert poll(people[0]).outcome is Outcome.REJECTED
    assert await refused(h, people[0], PAUSE) == "rate"
    assert (await ask(h, people[1], PAUSE)).outcome is Outcome.OPEN, "others still may"


async def test_absent_players_are_asked_and_departed_ones_are_not(h: LobbyHarness) -> None:
    people = await h.match(3)
    await h.ask(people[0], name(h, 1, 3), m.Accepted)
    await h.drop(people[2])
    asked = await ask(h, people[0], PAUSE)
    assert (asked.voters, asked.awaited) == ((0, 1, 2), (2,))
    await h.say(people[1], m.Vote(2, asked.number, False))
    asked = await ask(h, people[0], m.Motion(Matter.BACK, to=0))
    assert asked.voters == (0, 1, 2)
    await h.say(people[1], m.Vote(2, asked.number, False))
    await h.say(people[1], m.Leave(3))
    asked = await ask(h, people[0], END)
    assert asked.voters == (0, 2), "for who left for good a bot plays"


async def test_by_post_a_question_stands_for_a_day_and_all_are_asked(h: LobbyHarness) -> None:
    people = await h.match(3, pace=Pace(Run.POST, 86400))
    await h.drop(people[2])
    asked = await ask(h, people[0], PAUSE)
    assert (asked.voters, asked.left) == ((0, 1, 2), BY_POST)


async def test_a_table_may_want_all_of_them(h: LobbyHarness) -> None:
    people = await h.match(3, unanimous=True)
    asked = await ask(h, people[0], PAUSE)
    assert asked.needed == 3


async def test_more_time_and_other_clocks(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as it:
        people = await it.match(2, pace=Pace(Run.LIVE, 10, 60))
        before = link(people[0]).take(m.Clock).clocks[1].bank
        assert await agreed(it, people, m.Motion(Matter.TIME, 1, seconds=30)) is Outcome.CARRIED
        assert link(people[0]).take(m.Clock).clocks[1].bank == before + 30_000
        assert await refused(it, people[0], m.Motion(Matter.TIME, 1)) == "no-change"
        post = Pace(Run.POST, 3600)
        assert await refused(it, people[0], m.Motion(Matter.PACE)) == "bad-pace"
        assert await refused(it, people[0], m.Motion(Matter.PACE, pace=Pace(Run.POST))) == "bad-pace"
        assert await agreed(it, people, m.Motion(Matter.PACE, pace=post)) is Outcome.CARRIED
        assert link(people[1]).take(m.TableState).pace == post
        assert await refused(it, people[0], m.Motion(Matter.PACE, pace=post)) == "no-change"
    (tmp_path / "other").mkdir()
    async with open_lobby(tmp_path / "other") as it:
        people = await it.match(2)
        assert await refused(it, people[0], m.Motion(Matter.TIME, 1, seconds=30)) == "no-change"


async def test_a_lone_person_among_bots_decides_at_once(tmp_path: Path) -> None:
    async with open_lobby(tmp_path, pace=1.0) as it:
        host, other = await it.table(2)
        await it.say(other, m.Leave(1))
        await it.ask(host, m.SetBot(2, 1, "normal"), m.Done)
        assert await refused(it, host, PAUSE) == "not-started"
        await it.ask(host, m.Start(3), m.Done)
        assert (await ask(it, host, PAUSE)).outcome is Outcome.CARRIED
        version = it.only().table.match.version
        await it.pass_time(20.0)
        assert it.only().table.match.version == version, "bots stand still"
        assert (await ask(it, host, GO_ON)).outcome is Outcome.CARRIED
        await it.pass_time(20.0)
        assert it.only().table.match.version > version + 1


async def test_a_question_that_can_no_longer_be_done_fails(h: LobbyHarness) -> None:
    people = await h.match(3)
    token = h.token(people[2])
    await h.drop(people[2])
    asked = await ask(h, people[0], m.Motion(Matter.SEAT, 2, level="normal"))
    back = Peer(FakeLink(), "Person 2")
    await h.ask(back, m.Resume(1, h.only().match, token), m.Seated)
    await h.say(people[1], m.Vote(2, asked.number, True))
    assert poll(people[0]).outcome is Outcome.FAILED
    assert h.only().table.seating.chairs[2].kind is SeatKind.PERSON


async def returned(it: LobbyHarness, seat: int, token: bytes) -> Peer:
    """The player of that seat, on a new connection."""
    back = Peer(FakeLink(), f"Person {seat}")
    await it.ask(back, m.Resume(1, it.only().match, token), m.Seated)
    return back


ONE_SECOND = Pace(Run.LIVE, 1)


@pytest.mark.parametrize("motion", [PAUSE, m.Motion(Matter.PACE, pace=ONE_SECOND), END, m.Motion(Matter.BACK, to=0)])
async def test_in_live_matches_a_short_absence_gives_no_voter_the_decision(h: LobbyHarness, motion: m.Motion) -> None:
    people = await h.match(2)
    await h.ask(people[0], name(h, 1, 3), m.Accepted)
    token = h.token(people[1])
    await h.drop(people[1])
    asked = await ask(h, people[0], motion)
    assert (asked.outcome, asked.voters, asked.awaited, asked.left) == (Outcome.OPEN, (0, 1), (1,), GRACE)
    await h.pass_time(GRACE - 1)
    assert poll(people[0]).outcome is Outcome.OPEN
    back = await returned(h, 1, token)
    assert poll(back).left == LIVE and not poll(back).awaited, "there is time for an answer"
    await h.ask(back, m.Vote(2, asked.number, False), m.Done)
    assert poll(people[0]).outcome is Outcome.REJECTED


async def test_absent_voters_lapse_and_are_told_on_return(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as it:
        people = await it.match(2)
        token = it.token(people[1])
        await it.drop(people[1])
        await ask(it, people[0], PAUSE)
        await it.pass_time(GRACE)
        assert poll(people[0]).outcome is Outcome.CARRIED and it.only()._play.paused
        await it.only().table.save()
        match = it.only().match
    async with open_lobby(tmp_path) as it:
        for _ in range(2):
            back = await returned(it, 1, token)
            assert (poll(back).motion, poll(back).outcome, poll(back).missed) == (PAUSE, Outcome.CARRIED, True)
            token = it.token(back)
            await it.drop(back)
        back = await returned(it, 1, token)
        await it.say(back, m.Say(5, "I am back"))
        token = it.token(back)
        await it.drop(back)
        back = await returned(it, 1, token)
        assert not [one for one in link(back).sent if isinstance(one, m.Poll)] and it.only().match == match


async def test_the_seat_of_a_player_waits_for_them_and_their_return_ends_the_question(h: LobbyHarness) -> None:
    people = await h.match(3)
    token = h.token(people[2])
    await h.drop(people[2])
    asked = await ask(h, people[0], m.Motion(Matter.SEAT, 2, level="normal"))
    await h.say(people[1], m.Vote(2, asked.number, True))
    assert (poll(people[0]).outcome, poll(people[0]).ayes) == (Outcome.OPEN, (0, 1))
    await returned(h, 2, token)
    assert poll(people[0]).outcome is Outcome.FAILED
    assert h.only().table.seating.chairs[2].kind is SeatKind.PERSON


async def test_a_player_finds_what_was_decided_about_their_seat_and_has_it_back(h: LobbyHarness) -> None:
    people = await h.match(2)
    token = h.token(people[1])
    await h.drop(people[1])
    fill = m.Motion(Matter.SEAT, 1, level="normal")
    await ask(h, people[0], fill)
    await h.pass_time(GRACE)
    assert h.only().table.seating.chairs[1].kind is SeatKind.STAND_IN
    back = await returned(h, 1, token)
    assert (poll(back).motion, poll(back).outcome, poll(back).missed) == (fill, Outcome.CARRIED, True)
    assert h.only().table.seating.chairs[1].kind is SeatKind.PERSON


async def test_by_post_a_question_waits_for_a_day_also_while_the_match_sleeps(tmp_path: Path) -> None:
    post = Pace(Run.POST, 7 * 86400)
    async with open_lobby(tmp_path, timekeeping=True) as it:
        people = await it.match(2, pace=post)
        token = it.token(people[0])
        for peer in people[::-1]:
            if peer is people[0]:
                asked = await ask(it, peer, m.Motion(Matter.SEAT, 1, level="normal"))
                assert (asked.outcome, asked.awaited, asked.left) == (Outcome.OPEN, (1,), BY_POST)
            await it.drop(peer)
        await it.pass_time(BY_POST / 2)
        assert not it.lobby.tasks, "it sleeps"
    async with open_lobby(tmp_path, timekeeping=True, awake=False) as it:
        await it.pass_time(BY_POST / 2 - 60)
        assert not it.lobby.tasks
        await it.pass_time(61)
        assert it.only().table.seating.chairs[1].kind is SeatKind.STAND_IN
        back = await returned(it, 0, token)
        assert poll(back).missed, "the asker was away, too"


@pytest.mark.parametrize("motion", [END, m.Motion(Matter.BACK, to=0), m.Motion(Matter.PACE, pace=ONE_SECOND)])
async def test_by_post_silence_agrees_to_nothing_that_cannot_be_reversed(h: LobbyHarness, motion: m.Motion) -> None:
    people = await h.match(2, pace=Pace(Run.POST, 7 * 86400))
    await h.ask(people[0], name(h, 1, 3), m.Accepted)
    await h.drop(people[1])
    await ask(h, people[0], motion)
    await h.pass_time(BY_POST)
    assert poll(people[0]).outcome is Outcome.LAPSED


async def test_a_connection_that_drops_during_a_vote_of_all_counts_as_away(h: LobbyHarness) -> None:
    people = await h.match(3)
    await h.ask(people[0], name(h, 1, 3), m.Accepted)
    asked = await ask(h, people[0], m.Motion(Matter.BACK, to=0))
    await h.say(people[1], m.Vote(2, asked.number, True))
    await h.pass_time(30)
    await h.drop(people[2])
    assert poll(people[0]).awaited == (2,)
    await h.pass_time(GRACE - 1)
    assert poll(people[0]).outcome is Outcome.OPEN
    await h.pass_time(1)
    assert (poll(people[0]).outcome, poll(people[0]).voters) == (Outcome.CARRIED, (0, 1))


async def test_repeated_drops_do_not_keep_a_question_open(h: LobbyHarness) -> None:
    people = await h.match(2)
    back = people[1]
    await ask(h, people[0], PAUSE)
    for _ in range(9):
        token = h.token(back)
        await h.drop(back)
        await h.pass_time(10)
        back = await returned(h, 1, token)
        await h.pass_time(10)
    assert poll(people[0]).outcome is Outcome.LAPSED


async def test_questions_about_other_things_are_open_beside_each_other(h: LobbyHarness) -> None:
    people = await h.match(3, pace=Pace(Run.LIVE, 10, 600))
    pause = await ask(h, people[0], PAUSE)
    more = await ask(h, people[1], m.Motion(Matter.TIME, 1, seconds=60))
    other = await ask(h, people[1], m.Motion(Matter.TIME, 2, seconds=60))
    assert await refused(h, people[2], m.Motion(Matter.TIME, 1, seconds=30)) == "poll-open"
    late = Peer(FakeLink(), "Late")
    await h.say(late, m.Watch(1, h.only().match))
    shown = [one.number for one in link(late).sent if isinstance(one, m.Poll)]
    assert shown == [pause.number, more.number, other.number]
    await h.say(people[2], m.Vote(2, pause.number, True))
    assert h.only()._play.paused
    await h.say(people[2], m.Vote(2, other.number, False))
    await h.say(people[0], m.Vote(2, other.number, False))
    assert poll(people[0]) == replace(poll(people[0]), number=other.number, outcome=Outcome.REJECTED)
    assert [one.number for one in h.only().table.record.polls] == [more.number]


async def test_the_end_of_the_match_ends_all_questions(h: LobbyHarness) -> None:
    people = await h.match(3)
    await ask(h, people[0], PAUSE)
    end = await ask(h, people[1], END)
    await h.say(people[2], m.Vote(2, end.number, True))
    await h.quiet()
    told = [one.outcome for one in link(people[0]).sent if isinstance(one, m.Poll)][-2:]
    assert told == [Outcome.CARRIED, Outcome.FAILED] and h.only().table.record.polls == ()


async def test_an_unstored_question_was_not_asked_and_a_due_question_is_retried(h: LobbyHarness) -> None:
    people = await h.match(2)
    with failing(h.store):
        assert await refused(h, people[0], PAUSE) == "storage"
    await h.drop(people[1])
    assert (await ask(h, people[0], PAUSE)).number == 1
    with failing(h.store):
        await h.pass_time(GRACE)
        assert not h.only()._play.paused
    await h.pass_time(RETRY)
    assert h.only()._play.paused
