"""A table with a fake clock and fake connections: seats, hosts, tokens, clocks, bots."""

from pathlib import Path
from typing import Any

import msgspec
import pytest
from msgspec import Raw

from protocol import codec
from protocol.limits import Close
from server.delivery.peer import Peer
from server.lobby.table_list import PAGE
from server.matches.members import SHOWN
from server.storage.port import StoreError
from shared import levels
from shared import messages as m
from shared.levels import A_DECISION, A_ROUND, AT_LEISURE
from shared.tables import LOOKING_ON, SeatKind
from tests.server.fakes import FakeLink
from tests.server.lobby_harness import LobbyHarness, failing, link, name, open_lobby, shown
from tests.server.toy import HIDDEN, TOY, Name


@pytest.mark.parametrize("error", [StoreError, RuntimeError])
async def test_a_change_that_could_not_be_kept_is_undone(h: LobbyHarness, error: type[Exception]) -> None:
    await h.match()
    record = h.only().table.record
    before = msgspec.msgpack.encode(record)
    with failing(h.store), pytest.raises(error):
        async with h.only().table.changing():
            record.kicked, record.rested, record.chairs[1].name = ("somebody",), 5, "Other"
            if error is RuntimeError:
                raise error
    assert msgspec.msgpack.encode(record) == before


async def test_a_table_gathers_and_begins(h: LobbyHarness) -> None:
    anna, bert = await h.table()
    assert (await h.ask(bert, m.Start(5), m.Refused)).code == "not-host"
    assert (await h.ask(bert, m.SetBot(5, 0, "greedy"), m.Refused)).code == "not-host"
    watcher = Peer(FakeLink(), "Carla")
    state = await h.ask(watcher, m.Watch(1, h.only().match), m.TableState)
    assert (state.you, state.host, state.phase) == (-1, False, 0)
    assert [seat.name for seat in state.seats] == ["Person 0", "Person 1"]
    await h.ask(anna, m.Start(6), m.Done)
    for peer in (anna, bert, watcher):
        assert link(peer).take(m.TableState).phase == 1
        assert link(peer).take(m.Snapshot).version == 0
        assert shown(link(peer).take(m.Clock)) == ((0, 1), 0)
    assert (await h.ask(anna, name(h, 1, 4), m.Accepted)).version == 1
    assert link(bert).take(m.Frame).version == 1
    assert (await h.ask(watcher, name(h, 1, 4), m.Refused)).code == "not-seated"
    assert (await h.ask(anna, name(h, 2, 4), m.Refused)).code == "not-yours"
    assert not any(isinstance(message, m.Refused) for message in link(bert).sent)


@pytest.mark.parametrize(
    ("message", "code"),
    [
        (m.Create(1, "chess", 2, {}, "t"), "no-ruleset"),
        (m.Create(1, "toy", 2, {"rounds": 0}, "t"), "bad-options"),
        (m.Create(1, "toy", 2, {"moon": 1}, "t"), "bad-options"),
        (m.Create(1, "toy", 2, {}, "t", seat=2), "no-seat"),
        (m.Join(1, "nowhere"), "no-match"),
        (m.Join(1, "", "ABCDEF"), "no-match"),
        (m.Resume(1, "nowhere", bytes(32)), "no-match"),
        (m.Start(1), "no-table"),
        (m.Say(1, "hi"), "no-table"),
        (m.Act(1, 1, Raw(b"\xc0")), "no-table"),
        (m.Sync(0), "no-table"),
    ],
)
async def test_requests_that_make_no_sense_are_refused(h: LobbyHarness, message: m.ClientMessage, code: str) -> None:
    assert (await h.ask(Peer(FakeLink(), "Anna"), message, m.Refused)).code == code


async def test_seats_full_taken_started_busy(h: LobbyHarness) -> None:
    anna, bert = await h.table()
    match = h.only().match
    carla = Peer(FakeLink(), "Carla")
    assert (await h.ask(carla, m.Join(1, match), m.Refused)).code == "full"
    assert (await h.ask(carla, m.Join(1, match, seat=1), m.Refused)).code == "seat-taken"
    assert (await h.ask(carla, m.Join(1, match, seat=5), m.Refused)).code == "no-seat"
    assert (await h.ask(bert, m.Join(1, match), m.Refused)).code == "busy"
    assert (await h.ask(bert, m.Create(1, "toy", 2, {}, "t"), m.Refused)).code == "busy"
    await h.ask(anna, m.Kick(3, 1), m.Done)
    assert link(bert).take(m.Left).code == "kicked"
    assert (await h.ask(anna, m.Start(3), m.Refused)).code == "seats-free"
    assert (await h.ask(anna, m.Kick(3, 0), m.Refused)).code == "no-person"
    refused = await h.ask(anna, m.SetBot(3, 1, "sublime"), m.Refused)
    assert refused.code == "no-such-level" and "easy, medium, strong, hard and expert" in refused.text
    await h.ask(anna, m.SetBot(3, 1, "easy"), m.Done)
    await h.ask(anna, m.Start(4), m.Done)
    assert (await h.ask(carla, m.Join(1, match), m.Refused)).code == "started"
    assert (await h.ask(anna, m.SetBot(5, 1, ""), m.Refused)).code == "started"


async def test_a_closed_table_needs_its_code(h: LobbyHarness) -> None:
    anna = Peer(FakeLink(), "Anna")
    bert = Peer(FakeLink(), "Bert")
    await h.say(bert, m.OpenLobby(1))
    assert link(bert).take(m.LobbyList).tables == ()
    match = (await h.ask(anna, m.Create(1, "toy", 2, {}, "t", open=False), m.Seated)).match
    code = h.code(match)
    assert not link(bert).sent
    assert (await h.ask(bert, m.Join(2, match), m.Refused)).code == "no-match"
    assert (await h.ask(bert, m.Watch(2, match, "WRONG1"), m.Refused)).code == "no-match"
    assert (await h.ask(bert, m.Join(2, "", code.lower()), m.Seated)).seat == 1


async def test_a_toggled_bot_is_shown_to_its_host_at_once_and_to_others_now_and_then(h: LobbyHarness) -> None:
    anna, bert, carla = await h.table(3)
    await h.ask(carla, m.Leave(2), m.Left)
    await h.pass_time(60)
    link(bert).sent.clear()
    for ref in range(3, 103):
        link(anna).sent.clear()
        await h.say(anna, m.SetBot(ref, 2, "greedy" if ref % 2 else ""))
        assert bool(link(anna).take(m.TableState).seats[2].bot) == bool(ref % 2)
    assert len([state for state in link(bert).sent if isinstance(state, m.TableState)]) == SHOWN.at_once
    assert not link(bert).last(m.TableState).seats[2].bot
    await h.say(anna, m.SetBot(103, 2, "greedy"))
    link(bert).sent.clear()
    await h.pass_time(1 / SHOWN.a_second)
    assert link(bert).take(m.TableState).seats[2].bot and len(link(bert).sent) == 0, "what became of it is never lost"


async def _listed(h: LobbyHarness, peer: Peer, *wanted: Any) -> m.LobbyList:
    return await h.ask(peer, m.OpenLobby(1, True, *wanted), m.LobbyList)


async def test_the_list_comes_in_pages_the_newest_first(h: LobbyHarness) -> None:
    for i in range(2 * PAGE + 1):
        await h.lobby.hear(Peer(FakeLink(), f"Host {i}"), m.Create(1, "toy", 2, {}, f"T{i}"))
    await h.quiet()
    carla, below, titles = Peer(FakeLink(), "Carla"), 0, []
    for size in (PAGE, PAGE, 1):
        page = await _listed(h, carla, "", False, below)
        assert len(page.tables) == size and bool(page.below) == (size == PAGE)
        titles += [table.title for table in page.tables]
        below = page.below
        if size == PAGE:  # One that was listed goes, one comes: the next page goes on where this one ended.
            leaver = next(p for task in h.lobby.tasks for p in task.table.audience.peers
                          if task.table.record.title == titles[-1])  # fmt: skip
            await h.ask(leaver, m.Leave(9), m.Left)
            await h.say(Peer(FakeLink(), f"Late host {len(titles)}"), m.Create(1, "toy", 2, {}, "new"))
    assert titles == [f"T{i}" for i in reversed(range(2 * PAGE + 1))]
    exactly = await _listed(h, carla, "", False, 0)
    assert exactly.tables[0].title == "new"


async def test_a_page_that_is_just_full_is_the_last(h: LobbyHarness) -> None:
    for i in range(PAGE):
        await h.lobby.hear(Peer(FakeLink(), f"Host {i}"), m.Create(1, "toy", 2, {}, f"T{i}"))
    await h.quiet()
    page = await _listed(h, Peer(FakeLink(), "Carla"))
    assert (len(page.tables), page.below) == (PAGE, 0)


async def test_the_list_can_be_of_one_game_or_of_those_that_wait(h: LobbyHarness) -> None:
    h.lobby.rulesets = {"toy": TOY, "other": TOY}
    h.lobby.board.rulesets = h.lobby.rulesets
    await h.match()
    begun, eva = h.only().match, Peer(FakeLink(), "Eva")
    other = (await h.ask(eva, m.Create(1, "toy", 2, {}, "t"), m.Seated)).match
    carla, dora, finn = (Peer(FakeLink(), name) for name in ("Carla", "Dora", "Finn"))
    assert {t.match for t in (await _listed(h, carla, "toy")).tables} == {begun, other}
    assert {t.match for t in (await _listed(h, carla, "toy", True)).tables} == {other}
    assert not (await _listed(h, dora, "other")).tables
    assert not (await _listed(h, finn, "no such game")).tables
    await h.pass_time(0.5)
    for peer in (carla, dora, finn):
        link(peer).sent.clear()
    await h.ask(eva, m.Leave(9), m.Left)
    await h.pass_time(0.5)
    assert [each.table.match for each in link(carla).sent if isinstance(each, m.LobbyChange)] == [other]
    assert not link(dora).sent and not link(finn).sent, "of other games nothing is told"
    h.lobby.notify("stop", "The server stops.")
    assert link(carla).take(m.Notice) and link(dora).take(m.Notice)
    h.lobby.gone(carla)
    assert (await h.ask(dora, m.OpenLobby(2, False), m.LobbyList)).tables == ()
    link(carla).sent.clear()
    h.lobby.notify("stop", "Again.")
    assert not link(carla).sent and not link(dora).sent


async def test_the_list_of_tables_is_live(h: LobbyHarness) -> None:
    carla = Peer(FakeLink(), "Carla")
    await h.say(carla, m.OpenLobby(1))
    anna, bert = await h.table()
    await h.pass_time(0.5)
    taken = [each.table.taken for each in link(carla).sent if isinstance(each, m.LobbyChange)]
    assert taken == [2], "what changes within half a second is told once"
    await h.ask(anna, m.Leave(2), m.Left)
    await h.pass_time(0.5)
    await h.ask(bert, m.Leave(2), m.Left)
    await h.pass_time(0.5)
    last = [each for each in link(carla).sent if isinstance(each, m.LobbyChange)][-1]
    assert last.gone and h.lobby.tables == 0
    assert await h.store.unfinished() == []
    await h.say(carla, m.OpenLobby(2, False))
    link(carla).sent.clear()
    await h.table()
    assert not link(carla).sent


async def test_the_host_passes_on(h: LobbyHarness) -> None:
    anna, bert, carla = await h.table(3)
    await h.ask(anna, m.Leave(2), m.Left)
    assert link(bert).last(m.TableState).host
    await h.drop(bert)
    assert h.only().table.record.host == 1
    await h.pass_time(121)
    assert h.only().table.record.host == 2
    await h.ask(carla, m.SetBot(1, 0, "greedy"), m.Done)
    await h.drop(carla)
    await h.pass_time(121)
    assert h.lobby.tables == 0


async def test_a_host_without_a_seat_runs_a_table_of_bots(h: LobbyHarness) -> None:
    anna = Peer(FakeLink(), "Anna")
    await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 2}, "t", seat=-2), m.Done)
    for seat in (0, 1):
        await h.ask(anna, m.SetBot(2, seat, "greedy"), m.Done)
    await h.ask(anna, m.Start(3), m.Done)
    await h.pass_time(1)
    assert link(anna).take(m.TableState).phase == 1
    assert link(anna).take(m.TableState).phase == 2
    assert h.only().table.match.version == 6


async def test_tokens_open_their_seat_once_and_failed_tries_change_nothing(h: LobbyHarness) -> None:
    anna = Peer(FakeLink(), "Anna")
    seated = await h.ask(anna, m.Create(1, "toy", 2, {}, "t"), m.Seated)
    match = seated.match
    thief = Peer(FakeLink(), "Thief")
    for token in (bytes(32), seated.token[::-1], bytes([seated.token[0] ^ 1]) + seated.token[1:]):
        assert (await h.ask(thief, m.Resume(1, match, token), m.Refused)).code == "bad-token"
    assert thief.table is None and link(anna).closed is None
    second = Peer(FakeLink(), "Anna again")
    again = await h.ask(second, m.Resume(1, match, seated.token), m.Seated)
    assert link(anna).closed is Close.REPLACED and again.token != seated.token
    # The new token may have been lost on its way: the old one still opens the seat, until the new one is used.
    third = Peer(FakeLink(), "Anna")
    latest = await h.ask(third, m.Resume(1, match, seated.token), m.Seated)
    await h.say(third, m.Say(2, "the token has arrived"))
    for void in (seated.token, again.token):
        assert (await h.ask(thief, m.Resume(1, match, void), m.Refused)).code == "bad-token"
    assert (await h.ask(Peer(FakeLink(), "Anna"), m.Resume(1, match, latest.token), m.Seated)).seat == 0


async def test_a_closed_queued_join_takes_no_seat(h: LobbyHarness) -> None:
    """The client may have reconnected meanwhile and been served first."""
    anna, _ = await h.match()
    ghost = Peer(FakeLink(), "Anna")
    link(ghost).is_open = False
    await h.say(ghost, m.Resume(1, h.only().match, h.token(anna)))
    assert link(anna).closed is None and h.only().table.audience.player(0) is anna and ghost.table is None


async def test_tokens_survive_a_restart_as_hashes_only(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        token = (await h.ask(Peer(FakeLink(), "A"), m.Resume(1, h.only().match, h.token(anna)), m.Seated)).token
        match = h.only().match
        version = h.only().table.match.version
    files = b"".join(file.read_bytes() for file in tmp_path.iterdir())
    assert token not in files
    async with open_lobby(tmp_path) as h:
        again = await h.ask(Peer(FakeLink(), "Anna"), m.Resume(1, match, token), m.Seated)
        assert again.seat == 0 and h.only().table.match.version == version


async def test_a_dropped_seat_is_held_and_a_bot_takes_over_until_its_person_is_back(h: LobbyHarness) -> None:
    anna, bert = await h.match(takeover=30)
    token = h.token(bert)
    await h.ask(anna, name(h, 1, 3), m.Accepted)
    await h.drop(bert)
    assert link(anna).take(m.TableState).seats[1].kind == 2
    await h.pass_time(29)
    assert h.only().table.match.owed == (1,)
    await h.pass_time(2)
    assert link(anna).take(m.TableState).seats[1].kind == 4
    assert h.only().table.match.owed == (0,)
    back = Peer(FakeLink(), "Bert")
    await h.ask(back, m.Resume(1, h.only().match, token), m.Seated)
    assert link(anna).take(m.TableState).seats[1].kind == 1
    await h.ask(anna, name(h, 2, 3), m.Accepted)
    await h.pass_time(100)
    assert h.only().table.match.owed == (0, 1)


async def test_a_leaving_node_hands_over_at_once(h: LobbyHarness) -> None:
    _, bert = await h.match()
    await h.ask(bert, m.Leave(9), m.Left)
    await h.quiet()
    assert h.only().table.match.owed == (0,)
    assert h.only().table.seating.infos()[1].kind == 4


async def test_the_think_clock_decides_by_default(h: LobbyHarness) -> None:
    anna, bert = await h.match(think=20)
    assert shown(link(anna).take(m.Clock)) == ((0, 1), 20)
    await h.pass_time(15)
    await h.ask(anna, name(h, 1, 3), m.Accepted)
    assert shown(link(bert).last(m.Clock)) == ((1,), 5), "both have been deciding since the beginning"
    await h.pass_time(4)
    assert h.only().table.match.version == 1
    await h.pass_time(1.5)
    assert h.only().table.match.version == 3
    assert shown(link(bert).last(m.Clock)) == ((0, 1), 20)


async def against(h: LobbyHarness, level: str, **options: Any) -> Peer:
    """Start a match of two against a bot; return its player."""
    anna = Peer(FakeLink(), "Anna")
    await h.ask(anna, m.Create(1, "toy", 2, {}, "t", **options), m.Seated)
    await h.ask(anna, m.SetBot(2, 1, level), m.Done)
    await h.ask(anna, m.Start(3), m.Done)
    return anna


@pytest.mark.parametrize(
    ("level", "think", "seconds"),
    [("hard", 86400, A_ROUND * A_DECISION), ("expert", 0, AT_LEISURE), ("expert", 86400, AT_LEISURE)],
)
async def test_an_expert_has_ten_times_the_time(tmp_path: Path, level: str, think: int, seconds: float) -> None:
    given: list[float] = []

    async def decide(_ruleset: str, _kind: str, _seat: int, _view: bytes, _seed: int, seconds: float) -> bytes:
        given.append(seconds)
        return codec.encode(Name(5))

    async with open_lobby(tmp_path, decide) as h:
        anna = await against(h, level, think=think)
        await h.ask(anna, name(h, 1, 2), m.Accepted)
        await h.quiet()
        assert given and set(given) == {seconds}


async def test_bots_keep_the_tempers_that_they_have_in_a_match(tmp_path: Path) -> None:
    asked: list[tuple[int, str]] = []

    async def decide(_ruleset: str, kind: str, seat: int, _view: bytes, _seed: int, _seconds: float) -> bytes:
        asked.append((seat, kind))
        return codec.encode(Name(5))

    async with open_lobby(tmp_path, decide) as h:
        anna = await against(h, "greedy")
        for command in range(1, 4):
            await h.ask(anna, name(h, command, 2), m.Accepted)
            await h.quiet()
        named = levels.tempered("greedy", h.only().table.record.match, 1)
        assert len(asked) > 1 and set(asked) == {(1, named)}


async def test_a_bot_that_fails_or_cheats_gets_the_default(tmp_path: Path) -> None:
    answers: list[bytes | Exception] = [RuntimeError("thinking failed"), b"\xc1", codec.encode(Name(99))]

    async def decide(_ruleset: str, _kind: str, _seat: int, _view: bytes, _seed: int, _seconds: float) -> bytes:
        answer = answers.pop(0) if answers else codec.encode(Name(5))
        if isinstance(answer, Exception):
            raise answer
        return answer

    async with open_lobby(tmp_path, decide) as h:
        anna = await against(h, "greedy")
        for command in range(1, 5):
            await h.ask(anna, name(h, command, 2), m.Accepted)
            await h.quiet()
        assert h.only().table.match.state.past == [(2, 1), (2, 1), (2, 1), (2, 5)]


async def test_resume_sends_what_was_missed_and_duplicates_are_answered_again(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    act = name(h, 1, 3)
    await h.ask(anna, act, m.Accepted)
    token = h.token(anna)
    await h.drop(anna)
    await h.ask(bert, name(h, 1, 3), m.Accepted)
    back = Peer(FakeLink(), "Anna")
    seated = await h.ask(back, m.Resume(1, h.only().match, token, have=1), m.Seated)
    assert seated.command == 1
    frames = [each.version for each in link(back).sent if isinstance(each, m.Frame)]
    assert frames == [2, 3] and not any(isinstance(each, m.Snapshot) for each in link(back).sent)
    assert isinstance(link(back).sent[-1], m.Clock), "what follows happens now"
    assert await h.ask(back, act, m.Accepted) == m.Accepted(1, 1)
    assert h.only().table.match.version == 3
    await h.drop(back)
    latecomer = Peer(FakeLink(), "Anna")
    await h.ask(latecomer, m.Resume(1, h.only().match, seated.token), m.Seated)
    assert link(latecomer).take(m.Snapshot).version == 3
    assert (await h.ask(latecomer, m.Sync(3), m.Snapshot)).version == 3


async def test_duplicates_are_known_after_a_restart(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match()
        act = name(h, 41, 3)
        await h.ask(anna, act, m.Accepted)
        token = h.token(anna)
        await h.only().table.save()
        match = h.only().match
    async with open_lobby(tmp_path) as h:
        back = Peer(FakeLink(), "Anna")
        assert (await h.ask(back, m.Resume(1, match, token), m.Seated)).command == 41
        assert await h.ask(back, act, m.Accepted) == m.Accepted(41, 1)
        assert h.only().table.match.version == 1


async def test_bots_and_stand_ins_go_on_after_a_restart(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna = Peer(FakeLink(), "Anna")
        await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 2}, "t", takeover=30), m.Seated)
        await h.ask(anna, m.SetBot(2, 1, "greedy"), m.Done)
        await h.ask(anna, m.Start(3), m.Done)
        match = h.only().match
        await h.drop(anna)
    async with open_lobby(tmp_path) as h:
        assert h.only().match == match
        await h.quiet()
        assert h.only().table.match.owed == (0,)
        await h.pass_time(31)
        assert h.only().table.match.finished


async def test_a_store_that_fails_refuses_and_changes_nothing(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    with failing(h.store):
        assert (await h.ask(anna, name(h, 1, 3), m.Refused)).code == "storage"
        assert h.only().table.match.version == 0
        assert not any(isinstance(message, m.Frame) for message in link(bert).sent)
        assert (await h.ask(Peer(FakeLink(), "C"), m.Create(1, "toy", 2, {}, "t"), m.Refused)).code == "storage"
    assert h.lobby.tables == 1


async def test_finished_matches_can_be_watched_later(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna = Peer(FakeLink(), "Anna")
        await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 1}, "t", seat=-2), m.Done)
        for seat in (0, 1):
            await h.ask(anna, m.SetBot(2, seat, "greedy"), m.Done)
        await h.ask(anna, m.Start(3), m.Done)
        await h.quiet()
        match = h.only().match
        await h.drop(anna)
        await h.pass_time(601)
        assert h.lobby.tables == 0
    async with open_lobby(tmp_path) as h:
        assert h.lobby.tables == 0
        state = await h.ask(Peer(FakeLink(), "Bert"), m.Watch(1, match), m.TableState)
        assert state.phase == 2


async def test_chat_is_cleaned_and_names_its_speaker(h: LobbyHarness) -> None:
    anna, bert = await h.table()
    await h.say(anna, m.Say(3, "hello\u202e\u200b  Bert\n"))
    assert link(bert).take(m.Said) == m.Said(0, "Person 0", "hello Bert")
    assert (await h.ask(anna, m.Say(4, "\u200b\u3164"), m.Refused)).code == "bad-text"


async def test_a_damaged_match_does_not_keep_the_others_from_play(tmp_path: Path) -> None:
    import sqlite3

    async with open_lobby(tmp_path) as h:
        await h.match()
        first = h.only().match
        await h.match()
        anna = next(task for task in h.lobby.tasks if task.match != first)
        assert anna.table.match is not None
        await h.say(anna.table.audience.peers[0], m.Act(1, anna.table.match.frame, Raw(codec.encode(Name(3)))))
        damaged = anna.match
    db = sqlite3.connect(tmp_path / "db")
    assert db.execute("UPDATE log SET entry = ? WHERE match = ?", (b"\x90", damaged)).rowcount == 1
    db.commit()
    db.close()
    async with open_lobby(tmp_path) as h:
        assert [task.match for task in h.lobby.tasks] == [first]
        answer = await h.ask(Peer(FakeLink(), "Anna"), m.Resume(1, damaged, bytes(32)), m.Refused)
        assert answer.code == "not-playable"


async def test_a_seat_is_held_for_the_whole_time_after_other_drops(h: LobbyHarness) -> None:
    anna, bert, carla = await h.table(3)
    token = h.token(carla)
    await h.drop(bert)
    await h.pass_time(60)
    await h.drop(carla)
    await h.pass_time(59)
    assert link(anna).last(m.TableState).seats[1].kind is SeatKind.AWAY
    await h.pass_time(2)
    kinds = [seat.kind for seat in link(anna).last(m.TableState).seats]
    assert kinds == [SeatKind.PERSON, SeatKind.FREE, SeatKind.AWAY]
    back = Peer(FakeLink(), "Carla")
    await h.ask(back, m.Resume(1, h.only().match, token), m.Seated)
    await h.drop(back)
    await h.pass_time(119)
    assert link(anna).last(m.TableState).seats[2].kind is SeatKind.AWAY
    await h.pass_time(2)
    assert link(anna).last(m.TableState).seats[2].kind is SeatKind.FREE


@pytest.mark.parametrize("seat", [0, 1, LOOKING_ON])
async def test_a_returning_slow_reader_is_shown_all_that_the_seat_may_see(h: LobbyHarness, seat: int) -> None:
    anna, bert = await h.match(think=20)
    watcher = Peer(FakeLink(), "Watcher")
    await h.ask(watcher, m.Watch(1, h.only().match), m.Done)
    await h.ask(anna, name(h, 1, 7), m.Accepted)
    peer = {0: anna, 1: bert, LOOKING_ON: watcher}[seat]
    link(peer).sent.clear()
    h.only().catch_up(peer)
    state, snapshot, clock = link(peer).sent
    assert isinstance(state, m.TableState) and state.you == seat
    assert isinstance(snapshot, m.Snapshot) and snapshot.version == 1
    assert TOY.view_decoder.decode(bytes(snapshot.view)).named == ([7, 0] if seat == 0 else [HIDDEN, 0])
    assert isinstance(clock, m.Clock) and shown(clock) == ((1,), 20)
