"""Messages about the end of a match, and the server's time."""

from pathlib import Path

from msgspec import Raw

from protocol import codec
from server.delivery.peer import Peer
from shared.messages import Act, Clock, Frame, Ping, Pong, Propose, Rank, Result, Resume, TableState, Vote, Watch
from shared.messages import Motion as Asked
from shared.tables import Ending, Matter, TablePhase
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby, person
from tests.server.test_archive import over
from tests.server.toy import Quit


def results(peer: Peer) -> list[Result]:
    return [message for message in link(peer).sent if isinstance(message, Result)]


def told(h: LobbyHarness, ended: Ending) -> Result:
    table = h.only().table
    places = table.rules.standings(table.match.state)
    ranks = tuple(Rank(place.seat, place.rank, place.score) for place in places)
    return Result(table.record.match, ended, table.match.state.round, table.match.version, ranks)


async def test_a_match_that_was_played_out_tells_all_how_it_came_out(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    titus = person("Titus")
    await h.say(titus, Watch(1, h.only().match))
    command = 1
    while h.only().table.record.phase is TablePhase.PLAYING:
        for peer in (anna, bert):
            await h.say(peer, name(h, command, 4))
        command += 1
    for peer in (anna, bert, titus):
        assert results(peer) == [told(h, Ending.PLAYED)]
        states = [each for each in link(peer).sent if isinstance(each, TableState | Result)]
        assert states[-2].phase is TablePhase.OVER, "the result follows the table"  # type: ignore[union-attr]


async def test_a_match_that_was_given_up_says_so_also_to_who_comes_later(h: LobbyHarness) -> None:
    anna, bert = await h.match()
    await h.say(anna, Act(1, 0, Raw(codec.encode(Quit()))))
    assert results(bert) == [told(h, Ending.GIVEN_UP)]
    late, again, token = person("Late"), person("Bert"), h.token(bert)
    await h.say(late, Watch(1, h.only().match))
    await h.say(again, Resume(1, h.only().match, token))
    assert results(late) == results(again) == [told(h, Ending.GIVEN_UP)]


async def test_a_match_that_was_ended_together_says_so_after_a_restart_too(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, bert = await h.match()
        await h.say(anna, Propose(1, Asked(Matter.END)))
        await h.say(bert, Vote(1, 1, True))
        before = told(h, Ending.AGREED)
        assert results(anna) == [before]
        last = [each for each in link(anna).sent if isinstance(each, Frame | Clock | TableState | Result)][-4:]
        assert list(map(type, last)) == [Frame, Clock, TableState, Result]
        assert isinstance(last[1], Clock) and last[1].seats == (), "nothing is left to decide"
        match = h.only().match
    async with open_lobby(tmp_path) as h:
        late = person("Late")
        await h.say(late, Watch(1, match))
        assert results(late) == [before]


async def test_a_match_of_an_old_server_ends_without_a_result(h: LobbyHarness) -> None:
    _, match = await over(h)
    h.only().table.record.result = None
    late = person("Late")
    await h.say(late, Watch(1, match))
    assert results(late) == []


async def test_the_server_tells_its_time_wherever_one_is(h: LobbyHarness) -> None:
    nero = person("Nero")
    pong = await h.ask(nero, Ping(7), Pong)
    assert pong.ref == 7 and abs(pong.time / 1000 - h.lobby._services.date()) < 60
    anna, _ = await h.match()
    assert (await h.ask(anna, Ping(8), Pong)).ref == 8
