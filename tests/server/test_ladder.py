"""The ladder: bots are paired, play on clocks, and their results change ratings that survive the server."""

import argparse
import asyncio
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from msgspec import Raw, structs
from websockets.datastructures import Headers

from protocol import codec
from server.addresses import counted
from server.connections.admission import Admission, Limits
from server.connections.server_app import Settings
from server.delivery.peer import Peer
from server.ladder.ladder import (
    ALONE,
    CLOCK,
    WAITING_EACH,
    Ladder,
    Waiting,
    opponents,
    ranking,
    shown,
)
from server.ladder.model import Rating, rated
from server.ladder.page import JSON, PATH, STYLE, LadderPage
from server.lobby.rated_matches import BEGINNING, LadderSettings
from server.matches.task import MatchTask
from server.storage.port import ChairRecord, MatchResult, TableRecord
from server.tools import serve
from server.tools.bot_client import LadderBot, LadderKey, play, read_key
from server.tools.headless_client import Mind
from shared import messages as m
from shared.tables import Matter, TablePhase
from tests.server.fakes import decide_one, serving
from tests.server.lobby_harness import LobbyHarness, link, open_lobby, person
from tests.server.toy import TOY, Name


@asynccontextmanager
async def climbing(path: Path, **settings: int) -> AsyncIterator[tuple[LobbyHarness, Ladder]]:
    """A lobby of the toy game with a ladder, which has begun."""
    async with open_lobby(path, awake=False) as h:
        ladder = Ladder(h.lobby._services, h.lobby, h.lobby.people, h.lobby.rulesets, LadderSettings(**settings))
        h.lobby.ladder = ladder
        await h.lobby.begin()
        yield h, ladder


async def known(h: LobbyHarness, called: str, address: str = "", secret: bytes = b"") -> Peer:
    peer = person(called, address)
    await h.ask(peer, m.Introduce(1, secret or called[:1].encode() * 32), m.Introduced)
    return peer


async def paired(h: LobbyHarness, *called: str) -> list[Peer]:
    """Return players at their seats of a rated match in which each has decided once."""
    return await again(h, [await known(h, each) for each in called])


async def again(h: LobbyHarness, peers: list[Peer], wait: float = 5.0) -> list[Peer]:
    """Return these players after a first decision of each in their next match."""
    for peer in peers:
        await h.ask(peer, m.Compete(2, "toy"), m.Done)
    await h.pass_time(wait)
    for peer in peers:
        await seated(h, peer)
    for peer in peers:
        await decide(h, peer)
    return peers


async def decide(h: LobbyHarness, peer: Peer) -> None:
    assert isinstance(peer.table, MatchTask) and peer.table.table.match is not None
    match = peer.table.table.match
    await h.say(peer, m.Act(match.highest_command(peer.seat) + 1, match.frame, Raw(codec.encode(Name(5)))))


async def seated(h: LobbyHarness, peer: Peer) -> Peer:
    asked = link(peer).last(m.Invited)
    await h.ask(peer, m.Resume(3, asked.match, asked.token), m.Seated)
    return peer


def standings(ladder: Ladder) -> dict[str, tuple[int, int]]:
    """Return games and wins by name."""
    return {who.name: (rating.games, rating.wins) for who, rating in ladder.ratings("toy")}


def test_a_winner_rises_and_more_against_a_stronger_player() -> None:
    beginner, strong = Rating(), Rating(35.0, 4.0)
    won, lost = rated([beginner, beginner], [1, 2])
    assert won.shown > beginner.shown == BEGINNING > lost.shown and won.sigma < beginner.sigma
    assert rated([beginner, strong], [1, 2])[0].mu > won.mu
    first, second, third = rated([beginner] * 3, [1, 2, 3])
    assert first.mu > second.mu > third.mu
    assert rated([beginner, beginner], [1, 1])[0].mu == pytest.approx(beginner.mu)


def test_opponents_are_close_and_not_just_met() -> None:
    own = Waiting("a", 1500.0, 10.0, (("b",), ("c",)))
    b, c, d, far = (Waiting(*each) for each in (("b", 1500.0), ("c", 1450.0), ("d", 1750.0), ("far", 3000.0)))
    assert opponents(own, [b, c, d, far], 2, 10.0) == [c], "met longer ago, and closer than d"
    assert opponents(own, [b, far], 2, 10.0) == [], "met in the last match, or much too strong"
    assert opponents(own, [b, far], 2, 12.0) == [b]
    assert opponents(own, [far], 2, 30.0) == [far], "who waits long plays anyone"
    assert opponents(own, [b, c, d], 3, 10.0) == [c, d]


async def test_a_bot_that_stops_loses_its_time_and_the_match_and_ratings_survive(tmp_path: Path) -> None:
    async with climbing(tmp_path) as (h, ladder):
        anna, bob = await paired(h, "Anna", "Bob")
        table = h.only().table
        assert h.only().table.record.phase is TablePhase.PLAYING
        assert table.pace == CLOCK and not standings(ladder)
        await h.drop(bob)
        await decide(h, anna)
        await h.pass_time(CLOCK.each + CLOCK.bank + 1)
        assert table.record.phase is TablePhase.OVER and len(table.record.forfeited) == 1
        assert standings(ladder) == {"Anna": (1, 1), "Bob": (1, 0)}
        assert link(anna).last(m.Result)
        rates = {who.name: rating for who, rating in ladder.ratings("toy")}
        assert rates["Bob"].recent[0].forfeited and rates["Bob"].recent[0].names == ("Anna",)
    async with climbing(tmp_path) as (_, ladder):
        assert {who.name: rating for who, rating in ladder.ratings("toy")} == rates, "counted once"


async def test_a_player_who_leaves_has_lost_and_gets_no_help(tmp_path: Path) -> None:
    async with climbing(tmp_path) as (h, ladder):
        anna, bob = await paired(h, "Anna", "Bob")
        for wish in (m.Undo(5, 0), m.Advise(5, 1), m.Propose(5, m.Motion(Matter.END)), m.Rematch(5)):
            assert (await h.ask(anna, wish, m.Refused)).code == "rated"
        await h.ask(bob, m.Leave(6), m.Left)
        await h.quiet()
        assert standings(ladder) == {"Anna": (1, 1), "Bob": (1, 0)}
        await h.ask(anna, m.Leave(7), m.Left)
        assert standings(ladder) == {"Anna": (1, 1), "Bob": (1, 0)}, "the match was over"


async def test_of_three_players_the_first_to_go_is_last_and_a_bot_plays_on(tmp_path: Path) -> None:
    async with climbing(tmp_path, seats=3) as (h, ladder):
        anna, bob, _ = await paired(h, "Anna", "Bob", "Carl")
        await h.ask(bob, m.Leave(6), m.Left)
        assert h.only().table.record.phase is TablePhase.PLAYING
        await h.ask(anna, m.Leave(6), m.Left)
        await h.quiet()
        ranks = {who.name: rating.recent[0].rank for who, rating in ladder.ratings("toy")}
        assert ranks == {"Carl": 1, "Anna": 2, "Bob": 3}


async def test_a_bot_that_waits_alone_gets_one_of_the_servers(tmp_path: Path) -> None:
    async with climbing(tmp_path) as (h, ladder):
        anna = await known(h, "Anna")
        await h.ask(anna, m.Compete(2, "toy"), m.Done)
        await h.pass_time(ALONE - 1)
        assert not h.lobby.tables
        await h.pass_time(2)
        assert [chair.bot for chair in h.only().table.record.chairs if chair.bot] == ["easy"]
        await decide(h, await seated(h, anna))
        await h.ask(anna, m.Leave(7), m.Left)
        await h.quiet()
        assert standings(ladder) == {"Easy (server)": (1, 1), "Anna": (1, 0)}


async def test_a_name_belongs_to_one_key(tmp_path: Path) -> None:
    async with climbing(tmp_path) as (h, _):
        await h.ask(await known(h, "Anna"), m.Compete(1, "toy"), m.Done)
        thief = await known(h, "Anna", secret=b"x" * 32)
        assert (await h.ask(thief, m.Compete(2, "toy"), m.Refused)).code == "name"
        assert (await h.ask(person("Bob"), m.Compete(2, "toy"), m.Refused)).code == "no-profile"
        assert (await h.ask(await known(h, "Carl"), m.Compete(2, "chess"), m.Refused)).code == "no-ruleset"
        h.lobby.ladder = None
        assert (await h.ask(await known(h, "Carl"), m.Compete(2, "toy"), m.Refused)).code == "no-ladder"


async def test_a_flood_of_bots_waits_outside(tmp_path: Path) -> None:
    async with climbing(tmp_path, most=1) as (h, ladder):
        far = counted("192.0.2.7")
        peers = [await known(h, f"{letter} bot", far) for letter in "ABCDEFGHIJ"[: WAITING_EACH + 1]]
        peers[1].address = counted("198.51.100.9")
        await h.ask(peers[0], m.Compete(2, "toy"), m.Done)
        await h.ask(peers[1], m.Compete(2, "toy"), m.Done)
        assert len(ladder.running) == 1
        crowd = [await known(h, f"{letter}bot", secret=letter.encode() * 32) for letter in "rstuvwxyz"]
        for peer in crowd:
            peer.address, peer.trusted = far, False
        for peer in crowd[:-1]:
            await h.ask(peer, m.Compete(2, "toy"), m.Done)
        assert (await h.ask(crowd[-1], m.Compete(2, "toy"), m.Refused)).code == "enough"
        await h.pass_time(ALONE + 5)
        assert len(ladder.running) == 1, "no more matches than the operator allows"
        await h.ask(crowd[0], m.Compete(3, "toy", False), m.Done)
        await h.ask(crowd[-1], m.Compete(4, "toy"), m.Done)


async def test_a_bot_that_starts_again_is_led_back_to_its_match(tmp_path: Path) -> None:
    async with climbing(tmp_path) as (h, _):
        anna, _bob = await paired(h, "Anna", "Bob")
        match = h.only().match
        await h.drop(anna)
        again = await known(h, "Anna")
        assert (await h.ask(again, m.Compete(2, "toy"), m.Invited)).match == match
        link(again).sent.append(await h.ask(again, m.Compete(2, "toy"), m.Invited))
        assert (await seated(h, again)).seat == anna_seat(h)


def anna_seat(h: LobbyHarness) -> int:
    names = [chair.name for chair in h.only().table.record.chairs]
    return names.index("Anna")


async def test_a_match_that_a_dead_server_did_not_count_is_counted_once(tmp_path: Path) -> None:
    async with climbing(tmp_path) as (h, ladder):
        _, bob = await paired(h, "Anna", "Bob")
        h.lobby.ladder = None  # As if the server died before it counted.
        await h.ask(bob, m.Leave(6), m.Left)
        await h.quiet()
        assert not standings(ladder)
    for _ in range(2):
        async with climbing(tmp_path) as (_, ladder):
            assert standings(ladder) == {"Anna": (1, 1), "Bob": (1, 0)}


def test_seats_that_forfeited_rank_behind_the_position() -> None:
    record = TableRecord("m", "toy", 1, {}, "", True, "", 0, 0, [ChairRecord() for _ in range(4)])
    record.result = MatchResult(3, ((2, 1, ""), (0, 2, ""), (1, 2, ""), (3, 4, "")))
    assert ranking(record) == [2, 2, 1, 4]
    assert ranking(structs.replace(record, forfeited=(2, 0))) == [3, 1, 4, 2]


async def test_the_page_shows_the_ladder_in_the_visitors_language(tmp_path: Path) -> None:
    async with climbing(tmp_path) as (h, ladder):
        page = LadderPage(ladder, h.clock)
        german = Headers({"Accept-Language": "xx, de-AT;q=0.8, en;q=0.5"})

        def shown(path: str, headers: Headers | None = None) -> str:
            file = page.file(path, headers or Headers())
            assert file is not None
            return file.plain.decode()

        assert "No rated match has been played yet." in shown(PATH) and page.file("/other", Headers()) is None
        _, bob = await paired(h, "Anna", "<Bob>")
        await h.pass_time(5)
        assert 'href="/watch#' + h.only().match in shown(PATH)
        await h.ask(bob, m.Leave(6), m.Left)
        await h.pass_time(5)
        words, deutsch = shown(PATH), shown(PATH, german)
        assert "won against &lt;Bob&gt;" in words and "lost on time against Anna" in words and "<Bob>" not in words
        assert 'lang="de"' in deutsch and "gewonnen gegen &lt;Bob&gt;" in deutsch and "Rangliste" in deutsch
        facts = json.loads(shown(JSON))["games"][0]
        assert [(each["name"], each["games"], each["wins"]) for each in facts["players"]] == [
            ("Anna", 1, 1), ("<Bob>", 1, 0),
        ]  # fmt: skip
        assert facts["players"][1]["recent"][0]["forfeited"] and ".ladder" in shown(STYLE)


async def test_bots_climb_over_real_connections(tmp_path: Path) -> None:
    async with serving(tmp_path, ladder=LadderSettings()) as app:
        assert isinstance(app.lobby.ladder, Ladder)
        anna, bob = climber(app.address, "Anna"), climber(app.address, "Bob")
        assert list(await asyncio.gather(play(anna), play(bob))) == [0, 0]
        while len(standings(app.lobby.ladder)) < 2:
            await asyncio.sleep(0)
        assert {name: games for name, (games, _) in standings(app.lobby.ladder).items()} == {"Anna": 1, "Bob": 1}


def climber(url: str, name: str) -> LadderBot:
    return ToyBot(url, LadderKey(name, name[:1].encode() * 32, "toy"), Mind(decide_one, "random", 1))


class ToyBot(LadderBot):
    """Bot of the toy game, which no registry has."""

    def _sit(self, table: m.TableState) -> None:
        self.seated, self._rules = True, TOY


def test_a_key_is_made_once_and_read_again(tmp_path: Path) -> None:
    file = tmp_path / "bots" / "anna.key"
    assert read_key(file) == read_key(file) and file.stat().st_mode & 0o777 == 0o600
    file.write_text("short")
    with pytest.raises(ValueError, match="64 hexadecimal digits"):
        read_key(file)


def test_a_cluster_has_no_ladder(tmp_path: Path) -> None:
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    asked = parser.parse_args(["--for-bots", "--ladder-seats", "3", "--data", str(tmp_path)])
    settings = serve.settings_of(asked)
    assert (settings.ladder, settings.pace) == (LadderSettings(3, 16), 0.0) and isinstance(settings, Settings)
    with pytest.raises(ValueError, match="single server"):
        serve.settings_of(parser.parse_args(["--for-bots", "--bus", "nats://127.0.0.1:1"]))
    with pytest.raises(SystemExit):
        parser.parse_args(["--ladder-seats", "7"])


def test_bots_on_the_servers_computer_may_send_as_fast_as_they_can() -> None:
    for bots in (True, False):
        admission = Admission(Limits(local_bots=bots), lambda: 0.0)
        assert admission.is_unlimited(counted("127.0.0.1")) is bots and not admission.is_unlimited("192.0.2.7")


async def test_who_leaves_before_the_first_decision_loses_and_lifts_no_one_else(tmp_path: Path) -> None:
    for seats in (2, 3):
        async with climbing(tmp_path / str(seats), seats=seats) as (h, ladder):
            names = ("Anna", "Bob", "Carl")[:seats]
            peers = [await known(h, each) for each in names]
            for peer in peers:
                await h.ask(peer, m.Compete(2, "toy"), m.Done)
            await h.pass_time(1)
            for peer in peers:
                await seated(h, peer)
            for peer in reversed(peers[1:]):
                await h.ask(peer, m.Leave(6), m.Left)
            await h.quiet()
            assert standings(ladder) == dict.fromkeys(names[1:], (1, 0)), "the winner's match does not count"
            assert all(shown(rating) < BEGINNING for _, rating in ladder.ratings("toy"))


async def test_a_network_counts_once_and_another_ones_bots_like_one_player(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with climbing(tmp_path) as (h, ladder):
        near, kin, far = (counted(each) for each in ("2001:db8:1:2::7", "2001:db8:1:3::8", "198.51.100.9"))
        peers = {
            called: await known(h, called, address, called.ljust(32).encode())
            for called, address in (
                ("Anna", near),
                ("Anna II", kin),
                ("Bob", far),
                ("Carl", far),
                ("Dora", "192.0.2.1"),
            )
        }

        async def won_by(winner: str, loser: str, played_out: bool = False, wait: float = 5.0) -> tuple[int, int]:
            """Return the number of matches that count for both after another one between them."""
            own, other = await again(h, [peers[winner], peers[loser]], wait)
            if played_out:
                for _ in range(4):
                    await decide(h, own)
                    await decide(h, other)
            for peer in (other, own):
                await h.ask(peer, m.Leave(6), m.Left)
            games = {name: count for name, (count, _) in standings(ladder).items()}
            return games.get(winner, 0), games.get(loser, 0)

        assert await won_by("Anna", "Bob") == (1, 1)
        assert await won_by("Anna", "Bob") == (1, 2), "a second match that the same network gives up counts for it only"
        assert await won_by("Anna", "Bob", played_out=True) == (2, 3), "but whole matches always count"
        assert await won_by("Anna", "Carl", played_out=True) == (2, 1), "Bob has played for that network"
        assert await won_by("Anna", "Dora") == (3, 1)
        monkeypatch.setattr("server.ladder.ladder.MOST_FILLED", 0)
        assert await won_by("Anna", "Anna II", wait=30) == (4, 1), "its own network"
        assert await won_by("Anna", "Anna II", played_out=True, wait=30) == (4, 1)


def test_bots_of_one_network_meet_only_after_long_waiting() -> None:
    own = Waiting("a", 1500.0, 0.0, (), "home")
    kin, other, friend = (
        Waiting("b", 1500.0, 0.0, (), "home"),
        Waiting("c", 1700.0, 0.0, (), "far"),
        Waiting("d", 1700.0),
    )
    assert opponents(own, [kin, other], 2, 0.0) == [other] and opponents(own, [kin], 2, ALONE) == []
    assert opponents(own, [kin], 2, 2 * ALONE) == [kin]
    second = structs.replace(other, person="e")
    assert opponents(own, [other, second, friend], 3, 0.0) == [other, friend], "nor at a table of three"
    met = structs.replace(own, met=(("x", "far"),))
    assert opponents(met, [other], 2, 2.0) == [] and opponents(met, [friend], 2, 2.0) == [friend]


@pytest.mark.long
async def test_puppets_lift_no_champion(tmp_path: Path) -> None:
    lifts = {}
    for theirs in ("192.0.2.7", "198.51.100.9"):
        for decides in (False, True):
            async with climbing(tmp_path / f"{theirs} {decides}") as (h, ladder):
                lifts[theirs, decides] = round(await puppets_leave(h, ladder, theirs, decides) - BEGINNING)
    assert lifts == {
        ("192.0.2.7", False): 0,
        ("192.0.2.7", True): 0,
        ("198.51.100.9", False): 0,
        ("198.51.100.9", True): 83,
    }, "from another network, one victory counts"


async def puppets_leave(h: LobbyHarness, ladder: Ladder, theirs: str, decides: bool) -> float:
    """Return the rating of a champion after 45 s in which its puppets leave each match, maybe after a decision."""
    champion = await known(h, "Champion", counted("192.0.2.7"))
    puppets = [await known(h, f"Puppet {i}", counted(theirs), bytes([i]) * 32) for i in range(4)]
    for _ in range(45):
        for peer in (champion, *puppets):
            if peer.table is None:
                await h.say(peer, m.Compete(2, "toy"))
        for peer in (champion, *puppets):
            asked = [each for each in link(peer).sent if isinstance(each, m.Invited)]
            link(peer).sent.clear()
            if asked and peer.table is None:
                await h.ask(peer, m.Resume(3, asked[-1].match, asked[-1].token), m.Seated)
        for peer in puppets if decides else ():
            if isinstance(peer.table, MatchTask) and peer.table.table.record.phase is not TablePhase.OVER:
                await decide(h, peer)
        for peer in (*puppets, champion):
            over = isinstance(peer.table, MatchTask) and peer.table.table.record.phase is TablePhase.OVER
            if peer.table is not None and (over or peer is not champion):
                await h.say(peer, m.Leave(6))
        await h.pass_time(1)
    return max([shown(rating) for who, rating in ladder.ratings("toy") if who.name == "Champion"], default=BEGINNING)
