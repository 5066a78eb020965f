"""A table does not end while messages wait in its mailbox: each of them is answered."""

from server.matches.task import LINGER
from shared.messages import Done, Join, Leave, Left, Refused, Resume, Seated, Watch
from tests.server.lobby_harness import LobbyHarness, link, person


async def test_a_join_that_waits_behind_the_last_leave_finds_the_table(h: LobbyHarness) -> None:
    (anna, *_), bert = await h.table(2), person("Bert")
    task = h.only()
    for other in [peer for peer in task.table.audience.peers if peer is not anna]:
        await h.ask(other, Leave(2), Left)
    bert.table = task
    task.take(anna, Leave(3))
    task.take(bert, Join(4, task.match))
    await h.quiet()
    assert link(anna).last(Left).ref == 3
    assert link(bert).take(Seated).ref == 4
    assert h.lobby.tables == 1 and h.only() is task


async def test_a_watch_that_waits_behind_the_last_leave_is_answered(h: LobbyHarness) -> None:
    anna, bert = await h.table()
    await h.ask(bert, Leave(2), Left)
    task, guest = h.only(), person("Guest")
    guest.table = task
    task.take(anna, Leave(3))
    task.take(guest, Watch(4, task.match))
    await h.quiet()
    answers = [each for each in link(guest).sent if isinstance(each, Done | Refused)]
    assert [each.ref for each in answers] == [4]


async def test_a_player_who_comes_back_as_the_match_falls_asleep_has_the_seat(h: LobbyHarness) -> None:
    people = await h.match()
    task, token = h.only(), h.token(people[0])
    await task.table.save()
    for peer in people:
        await h.drop(peer)
    await h.pass_time(LINGER - 1)
    assert h.lobby.tables == 1
    back = person()
    back.table = task
    # Both stand in the mailbox when the task looks there: the end of the wait, and behind it the player.
    task.post(task._end_linger)
    task.take(back, Resume(5, task.match, token))
    await h.quiet()
    assert link(back).take(Seated).ref == 5
    await h.pass_time(LINGER + 1)
    assert h.only() is task, "a player is here"
