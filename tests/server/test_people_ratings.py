"""Ratings of people at tables that chose them."""

import asyncio
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec import Raw, structs

from protocol import codec
from server.command_line import main
from server.delivery.peer import Peer
from server.ladder.people import People, changed, new_rating
from server.lobby.rated_matches import shown_to_people
from server.matches.people_rating import gone, left, share_a_household
from server.opening import DATABASE
from server.storage.port import ChairRecord, MatchResult, PersonRecord, RatingRecord, TableRecord
from server.tools.ratings import differences, recomputed
from shared import messages as m
from shared.tables import PRESENCE, Matter, Rated, TablePhase
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.toy import Name, Quit


@asynccontextmanager
async def rating(path: Path) -> AsyncIterator[LobbyHarness]:
    """A lobby that rates people; the date follows its clock."""
    found: list[LobbyHarness] = []
    date = lambda: found[0].clock.time if found else 1000.0  # noqa: E731
    async with open_lobby(path, awake=False, date=date) as h:
        found.append(h)
        h.lobby.people_ratings = People(h.lobby._services, h.lobby.people, h.lobby.task)
        yield h


async def come(h: LobbyHarness, called: str, address: str = "", *, member: bool = True) -> Peer:
    peer = person(called, address)
    await h.ask(peer, m.Introduce(1, called[:1].encode() * 32), m.Introduced)
    record = h.lobby.people.record(peer.person)
    assert record is not None
    if member:
        await h.lobby.people.keep(structs.replace(record, invited=True))
    return peer


async def begin(h: LobbyHarness, *peers: Peer, rated: Rated = Rated.YES, think: int = 0) -> str:
    create = m.Create(5, "toy", len(peers), {"rounds": 50}, "Rated", think=think, rated=rated)
    match = (await h.ask(peers[0], create, m.Seated)).match
    for peer in peers[1:]:
        await h.ask(peer, m.Join(6, match), m.Seated)
    await h.ask(peers[0], m.Start(7), m.Done)
    return match


async def play(h: LobbyHarness, match: str, peers: Sequence[Peer], rounds: int) -> None:
    """Play rounds in which the first player scores: of two numbers that fit every die the greater one does."""
    for _ in range(rounds):
        for peer in peers:
            running = h.running(match).table.match
            act = m.Act(running.highest_command(peer.seat) + 1, running.frame, Raw(codec.encode(Name(2 - peer.seat))))
            await h.ask(peer, act, m.Accepted)


async def give_up(h: LobbyHarness, match: str, peer: Peer) -> None:
    command = h.running(match).table.match.highest_command(peer.seat) + 1
    await h.ask(peer, m.Act(command, 0, Raw(codec.encode(Quit()))), m.Accepted)
    await h.quiet()


def shown(h: LobbyHarness, peer: Peer, kind: str = "toy-duel") -> tuple[int, int]:
    record = h.lobby.people.record(peer.person)
    assert record is not None
    return next((shown_to_people(each) for each in record.ratings if each.ruleset == kind), (1500, 200))


def lines(h: LobbyHarness, match: str) -> list[str]:
    """Return the lines of the table itself."""
    return [line.text for line in h.running(match).table.record.talk]


async def test_a_match_moves_both_ratings_and_the_room_shows_them(tmp_path: Path) -> None:
    async with rating(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        match = await begin(h, anna, bert)
        seats = h.running(match).table.state_for(anna).seats
        assert [(each.rating, each.uncertainty) for each in seats] == [(1500, 200)] * 2
        await play(h, match, (anna, bert), 2)
        anna.agreed = bert.agreed = frozenset({PRESENCE})
        await give_up(h, match, bert)
        winner, loser = shown(h, anna), shown(h, bert)
        assert winner[0] > 1500 > loser[0] and winner[1] < 200
        state = h.running(match).table.state_for(anna)
        assert link(bert).last(m.TableState).seats == state.seats
        assert state.rated and [each.rating for each in state.seats] == [winner[0], loser[0]]
        assert any(line.startswith(f"Ratings: Anna 1500 → {winner[0]}") for line in lines(h, match))


async def test_a_match_before_the_second_round_counts_for_no_one(tmp_path: Path) -> None:
    async with rating(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        match = await begin(h, anna, bert)
        await give_up(h, match, bert)
        assert shown(h, anna) == shown(h, bert) == (1500, 200)
        assert not h.running(match).table.record.people_rated
        assert "This match does not count: not every seat has had a full turn." in lines(h, match)


async def test_only_members_sit_there_without_bots_advice_and_going_back(tmp_path: Path) -> None:
    async with rating(tmp_path) as h:
        anna, gast = await come(h, "Anna"), await come(h, "Gast", member=False)
        create = m.Create(5, "toy", 2, {"rounds": 50}, "Rated", advice=True, rated=Rated.YES)
        assert (await h.ask(gast, create, m.Refused)).code == "members"
        match = (await h.ask(anna, create, m.Seated)).match
        assert (await h.ask(gast, m.Join(6, match), m.Refused)).code == "members"
        assert (await h.ask(anna, m.SetBot(6, 1, "easy"), m.Refused)).code == "rated"
        state = h.running(match).table.state_for(anna)
        assert (state.rated, state.advice, state.forward_only) == (Rated.YES, False, True)


@pytest.mark.parametrize(("rated", "counts"), [(Rated.YES, False), (Rated.HOUSEHOLD, True)])
async def test_two_of_one_household_count_only_where_the_table_says_so(
    tmp_path: Path, rated: Rated, counts: bool
) -> None:
    async with rating(tmp_path) as h:
        anna, bert = await come(h, "Anna", "192.0.2.1"), await come(h, "Bert", "192.0.2.1")
        match = await begin(h, anna, bert, rated=rated)
        assert bool(h.running(match).table.record.people_rated) is counts
        assert ("This match is no longer rated: two people share an address." in lines(h, match)) is not counts


@pytest.mark.parametrize(("rounds", "counts"), [(1, False), (3, True)])
async def test_an_agreed_end_counts_from_round_three_on(tmp_path: Path, rounds: int, counts: bool) -> None:
    async with rating(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        match = await begin(h, anna, bert)
        await play(h, match, (anna, bert), rounds)
        await h.ask(anna, m.Propose(20, m.Motion(Matter.END)), m.Done)
        await h.ask(bert, m.Vote(21, 1, True), m.Done)
        await h.quiet()
        assert h.running(match).table.record.phase is TablePhase.OVER
        assert bool(h.running(match).table.record.people_rated) is counts


async def test_a_seat_whose_time_is_up_ranks_last_although_the_other_gives_up(tmp_path: Path) -> None:
    async with rating(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        match = await begin(h, anna, bert, think=60)
        await play(h, match, (anna, bert), 2)
        await play(h, match, (anna,), 1)
        await h.pass_time(61)
        await give_up(h, match, anna)
        assert shown(h, anna)[0] > 1500 > shown(h, bert)[0]


async def test_a_seat_with_another_person_makes_the_match_unrated(tmp_path: Path) -> None:
    async with rating(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        match = await begin(h, anna, bert)
        await h.ask(bert, m.Introduce(30, b"C" * 32), m.Introduced)
        await h.quiet()
        assert not h.running(match).table.record.people_rated
        assert "This match is no longer rated: a seat has another person." in lines(h, match)


def over(*places: int, away: tuple[int, ...] = (), overdue: tuple[int, ...] = ()) -> TableRecord:
    chairs = [ChairRecord(f"P{i}", person=f"p{i}", stand_in="normal" if i in away else "") for i in range(len(places))]
    result = MatchResult(5, tuple((seat, rank, "") for seat, rank in enumerate(places)))
    record = TableRecord("m", "toy", 1, {}, "", True, "", 0, 0, chairs, result=result, ended=5)
    return structs.replace(record, people_rated=Rated.YES, forfeited=(*overdue, *away), overdue=overdue)


def test_seats_that_left_rank_behind_all_others_and_the_first_one_last() -> None:
    after = changed(over(1, 2, 3, 4, away=(0, 1)), [new_rating("toy-table")] * 4)
    assert [each.recent[0].rank for each in after] == [4, 3, 1, 2]
    assert [each.recent[0].forfeited for each in after] == [True, True, False, False]
    assert sorted(range(4), key=lambda seat: -after[seat].mu) == [2, 3, 1, 0]


def test_a_person_who_came_back_has_not_left_but_a_time_out_stays() -> None:
    record = over(1, 2, away=(), overdue=(1,))
    record.forfeited = (0, 1)
    assert left(record) == (1,)
    assert gone(record, 1) == (0, 1) and gone(record, 0) == (1, 0)


def test_time_outs_in_a_row_by_one_person_inflate_no_one() -> None:
    own, other = [new_rating("toy-duel")] * 2
    first = RatingRecord("", 0.0, 0.0)
    for turn in range(20):
        record = structs.replace(over(1, 2, overdue=(0,)), match=f"m{turn}", ended=turn + 1)
        own, other = changed(record, [own, other])
        first = first if turn else other
    assert shown_to_people(other) == shown_to_people(first) and own.mu < 25 < other.mu


def test_unknown_networks_are_no_household() -> None:
    assert not share_a_household(["", "", "a"]) and share_a_household(["a", "b", "a"])


async def test_the_command_finds_the_same_ratings_in_the_kept_matches(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    async with rating(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        for _ in range(2):
            match = await begin(h, anna, bert)
            await play(h, match, (anna, bert), 2)
            await give_up(h, match, bert)
            await h.pass_time(1)
            for peer in (anna, bert):
                await h.ask(peer, m.Leave(9), m.Left)
        record = h.lobby.people.record(anna.person)
        assert record is not None
    (tmp_path / "db").rename(tmp_path / DATABASE)
    status = await asyncio.to_thread(main, ["ratings", "--recompute", "--data", str(tmp_path)])
    assert capsys.readouterr().out == "2 rated matches of people; 0 ratings differ, 0 cannot be checked.\n"
    assert status == 0
    own, kind = record.ratings[0], ("p0", "toy-duel")
    other = PersonRecord("p0", "Anna", (), 0.0, ratings=(structs.replace(own, mu=30.0),))
    (line,), unknown = differences([other], {kind: own})
    assert line.startswith("Anna, toy-duel: 1620 ± ") and unknown == 0


def test_a_person_whose_earlier_matches_are_gone_cannot_be_checked() -> None:
    made = recomputed([over(1, 2)])
    own = PersonRecord("p0", "Anna", (), 0.0, ratings=(structs.replace(made["p0", "toy-duel"], games=7),))
    other = PersonRecord("p1", "Bert", (), 0.0, ratings=(made["p1", "toy-duel"],))
    assert differences([own, other], made) == ([], 1)
