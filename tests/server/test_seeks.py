"""Play now: wishes, the muster of a full table, and its beginning."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

from msgspec import Raw, structs

from protocol import codec
from server.delivery.peer import Peer
from server.lobby.seek_matching import KNOWN_AFTER, percent
from server.lobby.seeks import GRACE, LATE, LIVE_MUSTER, LOOK, SHOWN, STALE
from server.matches.task import ARRIVAL
from server.storage.port import BlockRecord, Store
from shared import messages as m
from shared.tables import NEW, SEEKS, Pace, Run, SeatKind, TablePhase
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.toy import Name, Quit

EVENING = Pace(Run.LIVE, 30, 1800, 600)
POST = Pace(Run.POST, 3 * 86400)
TWO = m.TableWish(("toy",), (2,), EVENING)
THREE = m.TableWish(("toy",), (3,), EVENING)


@asynccontextmanager
async def waiting(path: Path, store: Store | None = None) -> AsyncIterator[LobbyHarness]:
    """A lobby that puts people together; the date follows its clock."""
    found: list[LobbyHarness] = []
    date = lambda: found[0].clock.time if found else 1000.0  # noqa: E731
    async with open_lobby(path, awake=False, date=date, store=store) as h:
        found.append(h)
        await h.lobby.begin()
        yield h


def secret(called: str) -> bytes:
    return called[:1].encode() * 32


async def come(h: LobbyHarness, called: str, address: str = "") -> Peer:
    """A person with a profile, whose client understands the messages."""
    peer = person(called, address)
    peer.agreed = frozenset({SEEKS})
    await h.ask(peer, m.Introduce(1, secret(called)), m.Introduced)
    return peer


async def seek(h: LobbyHarness, called: str, *wishes: m.TableWish, address: str = "") -> Peer:
    peer = await come(h, called, address)
    await h.ask(peer, m.Seek(2, wishes or (TWO,)), m.Seeking)
    return peer


async def confirm(h: LobbyHarness, *peers: Peer) -> None:
    for peer in peers:
        await h.ask(peer, m.Confirm(3, link(peer).last(m.Summons).number), m.Done)
    await h.pass_time(LOOK)


async def sit(h: LobbyHarness, *peers: Peer) -> list[m.Seated]:
    """Let people come to the table that was found for them."""
    asked = [m.Resume(4, link(peer).last(m.Summons).match, secret(peer.said)) for peer in peers]
    return [await h.ask(peer, resume, m.Seated) for peer, resume in zip(peers, asked, strict=True)]


def summoned(peer: Peer) -> Sequence[m.Summons]:
    return [each for each in link(peer).sent if isinstance(each, m.Summons)]


def waits(h: LobbyHarness) -> list[str]:
    """Names of all who wait for a table."""
    return [each.name for each in h.lobby.people.seeking() if each.seeking is not None and each.seeking.seeks]


def reliability(h: LobbyHarness, peer: Peer) -> tuple[int, float]:
    record = h.lobby.people.record(peer.person)
    assert record is not None
    kept = record.reliability
    return (kept.matches, kept.finished) if kept is not None else (0, 0.0)


async def test_two_who_want_the_same_confirm_and_play(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await seek(h, "Anna"), await seek(h, "Bert")
        await h.pass_time(LOOK)
        asked = link(anna).last(m.Summons)
        assert (asked.names, asked.here, asked.left, asked.match) == (("Anna", "Bert"), (False, False), 30, "")
        assert link(bert).last(m.Summons).you == 1
        await h.ask(anna, m.Confirm(3, asked.number), m.Done)
        assert link(bert).last(m.Summons).here == (True, False), "the other sees who has confirmed"
        assert not h.lobby.tasks
        await confirm(h, bert)
        assert link(anna).last(m.Summons).match
        assert {(seat.match, seat.seat) for seat in await sit(h, anna, bert)} == {
            (h.only().match, 0),
            (h.only().match, 1),
        }
        record = h.only().table.record
        assert record.phase == TablePhase.GATHERING and not link(anna).last(m.TableState).host
        for peer in (anna, bert):
            await h.ask(peer, m.Number(5, secret(peer.said)), m.Done)
        assert record.phase == TablePhase.PLAYING, "it begins once all are there and have given their numbers"
        await h.pass_time(SHOWN + 2 * LOOK)
        assert not waits(h)
        await h.pass_time(STALE)
        assert not h.lobby.people.seeking()


async def test_a_match_begins_without_late_people(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await seek(h, "Anna"), await seek(h, "Bert")
        await h.pass_time(LOOK)
        await confirm(h, anna, bert)
        await sit(h, anna)
        await h.ask(anna, m.Leave(6), m.Left)
        await h.pass_time(ARRIVAL)
        infos = h.only().table.seating.infos()
        assert h.only().table.record.phase == TablePhase.PLAYING
        assert sorted(info.kind for info in infos) == [SeatKind.AWAY, SeatKind.STAND_IN], (
            "who leaves now leaves a match"
        )


async def test_who_does_not_confirm_loses_the_place_and_the_others_keep_theirs(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await seek(h, "Anna"), await seek(h, "Bert", address="10.0.0.1")
        await h.pass_time(LOOK)
        await confirm(h, anna)
        await h.pass_time(LIVE_MUSTER + LATE + LOOK)
        assert link(bert).last(m.Seeking).code == "late" and link(bert).last(m.Seeking).wishes == ()
        assert not link(anna).last(m.Summons).names, "the table is not complete any more"
        assert reliability(h, bert) == (1, 0.0) and reliability(h, anna) == (0, 0.0)
        carla = await seek(h, "Carla")
        await h.pass_time(LOOK)
        assert link(carla).last(m.Summons).here == (True, False), "Anna need not confirm again"
        await confirm(h, carla)
        assert link(anna).last(m.Summons).match


async def test_who_withdraws_from_a_full_table_ends_the_muster_at_once_and_pauses_if_it_repeats(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna = await seek(h, "Anna")
        for turn in range(2):
            await h.pass_time(64 * turn)
            bert = await seek(h, "Bert", address="10.0.0.1")
            await h.pass_time(LOOK)
            assert (await h.ask(bert, m.Seek(3, (THREE,)), m.Refused)).code == "called"
            await h.ask(bert, m.Seek(3, ()), m.Seeking)
            await h.pass_time(LOOK)
            assert not link(anna).last(m.Summons).names
            assert reliability(h, bert)[0] == turn + 1
        refused = await h.ask(bert, m.Seek(4, (TWO,)), m.Refused)
        assert refused.code == "rate" and refused.args == ("119",)
        other = await come(h, "Conny", "10.0.0.1")
        assert (await h.ask(other, m.Seek(4, (TWO,)), m.Refused)).code == "rate", "a new profile does not help"


async def test_everybody_sees_who_waits_for_what(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        viewer, plain = await come(h, "Viewer"), person("Plain")
        assert (await h.ask(viewer, m.OpenLobby(2), m.Waiting)).tables == ()
        await h.say(plain, m.OpenLobby(2))
        await seek(h, "Anna", THREE, m.TableWish(("toy",), (2, 4), None, bots=5))
        await h.pass_time(LOOK)
        shown = link(viewer).last(m.Waiting).tables
        assert [(each.seats, each.pace, each.names, each.bots) for each in shown] == [
            ((3,), EVENING, ("Anna",), -1),
            ((2, 4), None, ("Anna",), 300),
        ]
        link(viewer).sent.clear()
        await h.pass_time(5 * LOOK)
        assert not link(viewer).sent, "time alone is not told"
        await h.say(viewer, m.OpenLobby(3, False))
        await seek(h, "Bert", THREE)
        await h.pass_time(LOOK)
        assert [type(each) for each in link(viewer).sent] == [m.LobbyList]
        assert not [each for each in link(plain).sent if isinstance(each, m.Waiting)], "older clients hear nothing"


async def test_bots_fill_a_table_after_the_time_for_people_who_agreed(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await seek(h, "Anna", m.TableWish(("toy",), (3,), EVENING, bots=2)), await seek(h, "Bert", THREE)
        await h.pass_time(119)
        assert not summoned(anna)
        await h.pass_time(2)
        assert link(anna).last(m.Summons).names == ("Anna",) and not summoned(bert)
        await confirm(h, anna)
        await sit(h, anna)
        assert [info.kind for info in h.only().table.seating.infos()] == [SeatKind.PERSON, SeatKind.BOT, SeatKind.BOT]


async def test_a_match_with_bots_pauses_when_the_table_is_ready_and_other_wishes_end_with_the_match(
    tmp_path: Path,
) -> None:
    async with waiting(tmp_path) as h:
        anna = await seek(h, "Anna", TWO, THREE)
        await h.ask(anna, m.Create(5, "toy", 2, {"rounds": 50}, "Meanwhile", False), m.Seated)
        await h.ask(anna, m.SetBot(6, 1, "easy"), m.Done)
        await h.ask(anna, m.Start(7), m.Done)
        meanwhile = h.only()
        assert waits(h) == ["Anna"], "a match against bots ends no wishes"
        bert = await seek(h, "Bert")
        await h.pass_time(LOOK)
        assert meanwhile._play.paused
        await confirm(h, anna, bert)
        table = link(bert).last(m.Summons).match
        await h.ask(anna, m.Leave(8), m.Left)
        await h.ask(anna, m.Resume(9, table, secret("Anna")), m.Seated)
        await h.pass_time(ARRIVAL)
        assert not waits(h)
        assert meanwhile._play.paused


async def test_a_match_by_hand_ends_the_wishes_of_its_people(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await seek(h, "Anna", THREE), await come(h, "Bert")
        match = (await h.ask(anna, m.Create(5, "toy", 2, {"rounds": 50}, "By hand"), m.Seated)).match
        await h.ask(bert, m.Join(6, match), m.Seated)
        await h.say(anna, m.Start(7))
        assert link(anna).last(m.Seeking).code == "begun" and not waits(h)


async def test_who_is_gone_waits_no_longer_but_by_post(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await seek(h, "Anna", TWO), await seek(h, "Bert", m.TableWish(("toy",), (2,), POST))
        await h.pass_time(STALE + 2 * LOOK)
        assert len(waits(h)) == 2, "connected people wait on"
        for peer in (anna, bert):
            link(peer).is_open = False
            await h.drop(peer)
        await h.pass_time(GRACE / 2)
        again = await come(h, "Anna")
        assert link(again).last(m.Seeking).wishes == (TWO,), "a client that comes back is told"
        await h.pass_time(GRACE)
        assert len(waits(h)) == 2
        link(again).is_open = False
        await h.drop(again)
        await h.pass_time(GRACE + 2 * LOOK)
        assert waits(h) == ["Bert"]


async def test_people_who_avoid_each_other_are_not_brought_together(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        own = h.lobby.people.record(bert.person)
        assert own is not None
        await h.lobby.people.keep(structs.replace(own, blocks=(BlockRecord(anna.person, True, False),)))
        for peer in (anna, bert):
            await h.ask(peer, m.Seek(2, (TWO,)), m.Seeking)
        await h.pass_time(LOOK)
        assert not summoned(anna)
        carla = await seek(h, "Carla")
        await h.pass_time(LOOK)
        assert link(carla).last(m.Summons).names == ("Anna", "Carla") and not summoned(bert)


async def test_a_server_that_dies_loses_no_wish_and_no_muster(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await seek(h, "Anna"), await seek(h, "Bert")
        await h.pass_time(LOOK)
        await h.ask(anna, m.Confirm(3, link(anna).last(m.Summons).number), m.Done)
        h.lobby.seeks.stop()
        async with waiting(tmp_path, h.store) as other:
            anna, bert = await come(other, "Anna"), await come(other, "Bert")
            assert link(anna).last(m.Seeking).wishes == (TWO,)
            assert link(bert).last(m.Summons).here == (True, False)
            await confirm(other, bert)
            await sit(other, anna, bert)


async def test_what_cannot_be_is_refused(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        stranger = person("Guest")
        assert (await h.ask(stranger, m.Seek(1, (TWO,)), m.Refused)).code == "no-profile"
        anna = await come(h, "Anna")
        for wish, code in (
            (m.TableWish(("chess",), (2,)), "no-ruleset"),
            (m.TableWish(("toy",), (2,), Pace(Run.LIVE)), "bad-pace"),
        ):
            assert (await h.ask(anna, m.Seek(1, (wish,)), m.Refused)).code == code
        assert (await h.ask(anna, m.Confirm(1, "x"), m.Refused)).code == "no-muster"


async def test_a_match_counts_for_its_people_and_the_room_shows_it(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        for turn in range(KNOWN_AFTER):
            match = (await h.ask(anna, m.Create(5, "toy", 2, {"rounds": 50}, "By hand"), m.Seated)).match
            await h.ask(bert, m.Join(6, match), m.Seated)
            await h.ask(anna, m.Start(7), m.Done)
            if turn == 0:
                await h.ask(bert, m.Leave(8), m.Left)
                await h.quiet()
            await h.ask(anna, m.Act(1, 0, Raw(codec.encode(Quit()))), m.Accepted)
            await h.pass_time(1)
            for peer in (anna, bert):
                await h.say(peer, m.Leave(9))
        share = [percent(record.reliability) for peer in (anna, bert) if (record := h.lobby.people.record(peer.person))]
        assert share == [100, 81]
        match = (await h.ask(anna, m.Create(5, "toy", 2, {"rounds": 50}, "Once more"), m.Seated)).match
        await h.ask(bert, m.Join(6, match), m.Seated)
        assert [info.reliability for info in link(bert).last(m.TableState).seats] == share


async def test_a_match_with_bots_alone_counts_for_no_one_and_a_late_decision_as_left(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        anna, bert = await come(h, "Anna"), await come(h, "Bert")
        await h.ask(anna, m.Create(5, "toy", 2, {"rounds": 50}, "Alone"), m.Seated)
        await h.ask(anna, m.SetBot(6, 1, "easy"), m.Done)
        await h.ask(anna, m.Start(7), m.Done)
        await h.ask(anna, m.Act(1, 0, Raw(codec.encode(Quit()))), m.Accepted)
        assert reliability(h, anna) == (0, 0.0)
        await h.ask(anna, m.Leave(9), m.Left)
        match = (await h.ask(anna, m.Create(5, "toy", 2, {"rounds": 50}, "Late", think=60), m.Seated)).match
        await h.ask(bert, m.Join(6, match), m.Seated)
        await h.ask(anna, m.Start(7), m.Done)
        frame = h.running(match).table.match.frame
        await h.say(anna, m.Act(1, frame, Raw(codec.encode(Name(5)))))
        await h.pass_time(61)
        await h.ask(anna, m.Act(2, 0, Raw(codec.encode(Quit()))), m.Accepted)
        await h.quiet()
        assert (reliability(h, anna), reliability(h, bert)) == ((1, 1.0), (1, 0.0))


def test_new_people_have_no_share() -> None:
    assert KNOWN_AFTER == 5 and percent(None) == NEW


async def test_two_of_one_name_are_told_apart_at_the_table_that_was_found(tmp_path: Path) -> None:
    async with waiting(tmp_path) as h:
        first, second = await seek(h, "Anna"), await seek(h, "anna")
        await h.pass_time(LOOK)
        await confirm(h, first, second)
        record = h.only().table.record
        assert sorted(chair.name.casefold() for chair in record.chairs) == ["anna", "anna 2"]
        assert {person for person, _ in record.participants} == {first.person, second.person}
