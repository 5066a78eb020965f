"""Finished matches: one's own from the shelf, others from the servers, each with its outcome, length and picture."""

import time
from pathlib import Path

import pytest
from msgspec.structs import replace
from PIL import Image

from client.app import App
from client.command_line import parser
from client.games.registry import guide
from client.network.finished_match_list import FinishedMatches, questions
from client.network.match_history import Fetch
from client.network.status_query import NoAnswer, ServerQuery
from client.player.profiles import Profile
from client.player.seats import HOSTED, PRIVATE, SavedSeat
from client.player.table_options import TableOptions
from client.replay import picture
from client.replay.finished_record import FinishedRecord
from client.screens.finished_matches import FinishedMatchesScreen, company, length, outcome, won
from client.screens.replay import ReplayScreen
from protocol import codec, record
from protocol.record import Record, Sitter
from shared.history import GENESIS, chain
from shared.messages import PastList, PastMatch, Rank, Recall, SeatInfo
from shared.tables import Recollection, SeatKind, TablePhase
from tests.client.conftest import Server, Shoot, at_the_board, until
from tests.client.replay.films import GAMES, entries_of, film_of, longest, recorded
from tests.client.screen_steps import arrive, screen_of

NAMES = ("Livia", "Marcus", "Cornelia", "Gaius", "Octavia", "Titus")


def shelve(game: str, match: str, ended: int, seat: int = 0) -> None:
    """A recorded match of one's own, as it is kept after its end."""
    kept = recorded(game)
    log = tuple(codec.encode(entry) for entry in entries_of(kept))
    check = GENESIS
    for entry in log:
        check = chain(check, entry)
    seats = tuple(Sitter(name) for name in NAMES[: kept.seats])
    whole = Record(match, f"Ides of {match}", game, kept.version, kept.options, seats, log, check, 0, ended)
    data = record.write(whole)
    fetch = Fetch(Recall(1, match), data, len(data), Recollection.RECORD)
    FinishedRecord(fetch, None, seat, guide(game).film).wait()


def told(match: str, ended: int = 1000, you: int = -1, winner: int = 0) -> PastMatch:
    seats = (SeatInfo(SeatKind.PERSON, "Livia"), SeatInfo(SeatKind.BOT, "", "hard"))
    ranks = (Rank(winner, 1, "205 talents"), Rank(1 - winner, 2, "90 talents"))
    return PastMatch(match, "Saturnalia", "classic", 2, seats, ended, 9, 812, ranks, you)


def asked(address: str) -> ServerQuery:
    return ServerQuery(address, "Livia")


def answered(finished: FinishedMatches) -> None:
    end = time.monotonic() + 20
    while finished.asking:
        assert time.monotonic() < end
        finished.update()
        time.sleep(0.001)


def test_each_listed_match_is_a_visible_line() -> None:
    seats = (SeatInfo(SeatKind.PERSON, "Ev\x1b[31mil\nX"), SeatInfo(SeatKind.BOT, "", "easy"))
    listed = replace(told("m1"), title="A\r\nB\u202e", seats=seats)
    finished = FinishedMatches([asked("a")], lambda asked, below: PastList(1, (listed,)))
    answered(finished)
    shown = finished.matches[0].summary
    assert (shown.title, [info.name for info in shown.seats]) == ("A B", ["Ev[31mil X", ""])


def test_the_shelf_comes_first_and_no_match_twice() -> None:
    shelve("classic", "m1", 2000)
    shelve("mb1984", "m2", 3000)
    pages = {("a", 0): PastList(1, (told("m2"), told("m3")), 7), ("a", 7): PastList(1, (told("m4"),)), ("b", 0): None}

    def ask(asked: ServerQuery, below: int) -> PastList:
        page = pages[asked.address, below]
        if page is None:
            raise NoAnswer("Nobody is at home.")
        return page

    finished = FinishedMatches([asked("a"), asked("b")], ask)
    assert [finished.summary.match for finished in finished.matches] == ["m2", "m1"] and finished.asking
    answered(finished)
    assert [finished.summary.match for finished in finished.matches] == ["m2", "m1", "m3"]
    assert finished.trouble == {"b": "Nobody is at home."} and finished.more
    finished.turn()
    answered(finished)
    assert [finished.summary.match for finished in finished.matches][-1] == "m4" and not finished.more


def test_all_servers_that_one_knows_are_asked_about_ones_own_seats() -> None:
    seats = [
        SavedSeat("a.example.org", "m1", b"1" * 32, state="over", secure=True),
        SavedSeat("a.example.org", "m2", b"2" * 32),
        SavedSeat(HOSTED, "m3", b"3" * 32, state="over"),
        SavedSeat(PRIVATE, "m4", b"4" * 32, state="over"),
    ]
    found = questions("Livia", "c.example.org", seats, [Profile("b.example.org", bytes(32))])
    assert [each.address for each in found] == ["a.example.org", HOSTED, "b.example.org", "c.example.org"]
    assert found[0].held == (("m1", b"1" * 32),) and found[0].secure
    assert questions("Livia", "", [], []) == []


@pytest.mark.parametrize("game", GAMES)
def test_the_picture_of_the_end_shows_who_holds_what(game: str) -> None:
    whole, subject = film_of(longest(game)), guide(game).film
    first, last = (picture.painted(subject, whole.view(n, None)) for n in (whole.first, whole.last))
    assert first.size == last.size == picture.SIZE and first.tobytes() != last.tobytes()
    holders = {subject.holder(whole.view(whole.last, None), space) for space in range(42)}
    assert len(holders - {-1}) > 1


def test_a_match_is_described_in_the_list() -> None:
    mine, lost, seen = told("m1", you=0), told("m1", you=1), told("m1")
    assert (outcome(mine), won(mine)) == ("You won", True)
    assert (outcome(lost), won(lost)) == ("Livia won; you: place 2", False)
    assert (outcome(seen), won(seen)) == ("Livia won", False)
    assert length(mine) == "9 rounds · 812 moves" and company(seen).endswith("with Livia, Brutus")
    old = PastMatch("m1", "", "cote2", 2, (), 0, 0, 1, ())
    assert outcome(old) == "" and length(old) == "1 move"
    strange = PastMatch("m1", "T", "chess", 2, (), 0, 3, 5, (Rank(7, 1, ""),))
    assert length(strange) == "5 moves" and outcome(strange)


def test_the_list_is_drawn_and_shows_a_match(app: App, shoot: Shoot) -> None:
    for i, game in enumerate(GAMES):
        shelve(game, f"m{i}", 1_700_000_000 + 86400 * i, seat=i % 2)
    app.go.games()
    app.go.past()
    screen = app.screen
    assert isinstance(screen, FinishedMatchesScreen) and len(screen._list.items) == len(GAMES)
    shoot(app, "past")
    screen._choose(screen._list.items[0])
    screen._choose(screen._list.items[0])
    shown = screen_of(app, ReplayScreen)
    shown.leave_table()
    assert app.go.screen is screen
    screen.back()
    assert app.go.screen is not screen


def test_without_any_it_says_so(app: App, shoot: Shoot) -> None:
    app.go.past()
    shoot(app, "past_none")
    assert isinstance(app.screen, FinishedMatchesScreen) and app.screen._empty.words.startswith(
        "No finished matches yet"
    )
    app.screen.watch()


@pytest.mark.long
def test_a_listed_match_is_fetched_from_its_server(app: App, server: Server, home: Path) -> None:
    app.go.server(
        server.address, lambda: app.remote.create(TableOptions(seats=2, options={"round_limit": 1}), ("easy",))
    )
    until(app, lambda: at_the_board(app))
    match = app.remote.match
    assert match is not None and match.table is not None
    until(app, lambda: _play(app))
    app.settings.address = server.address
    app.go.games()
    assert not list((home / "matches").glob("*"))
    app.go.past()
    screen = screen_of(app, FinishedMatchesScreen)
    until(app, lambda: screen._list.items)
    (finished,) = screen._list.items
    assert finished.summary.match == match.table.match and finished.summary.you == match.seat and finished.summary.ranks
    screen._choose(finished)
    until(app, lambda: picture.kept(finished.summary.match))
    kept = picture.kept(finished.summary.match)
    assert kept is not None and Image.open(kept).size == picture.SIZE
    screen.watch()
    arrive(app, ReplayScreen)


def _play(app: App) -> bool:
    """Decide what is to be decided; whether it is over."""
    match = app.remote.match
    assert match is not None and match.table is not None
    if match.is_mine:
        match.act(match.options()[-1])
    return match.table.phase == TablePhase.OVER


def test_a_host_can_keep_hands_closed() -> None:
    assert TableOptions(closed_hands=True).request(1).closed_hands and not TableOptions().request(1).closed_hands
    args = parser().parse_args(["host", "--closed-hands"])
    assert args.closed_hands and not parser().parse_args(["host"]).closed_hands
