"""A match that is over: its record comes piece by piece, is put on the shelf, and checked."""

import time
from typing import Any

import pytest
from msgspec import Struct
from msgspec.structs import replace
from PIL import Image

from client.games.registry import guide
from client.network.match_history import Fetch, MatchHistory
from client.player import saved_matches
from client.replay import picture
from client.replay.finished_record import FinishedRecord, verified
from client.replay.record_files import received
from protocol import codec, film, record
from protocol.audit import Verdict, audit
from protocol.film import Film
from protocol.record import Record, Sitter
from shared.history import GENESIS, chain
from shared.messages import Clock, Recall, Recalled, Refused, Snapshot, Welcome
from shared.rulesets.registry import ruleset
from shared.tables import Recollection
from tests.client.replay.films import entries_of, live, recorded

PIECE = 1000


class Line:
    """A server that has something of one match, and the connection to it."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.asked: list[Recall] = []
        self.memory = MatchHistory(lambda: len(self.asked) + 1, self.send)

    def send(self, message: Struct) -> bool:
        assert isinstance(message, Recall)
        self.asked.append(message)
        return True

    def answer(self, **changes: Any) -> None:
        """To what was asked last."""
        asked = self.asked[-1]
        piece = self.data[asked.at : asked.at + PIECE]
        told = Recalled(asked.ref, Recollection.RECORD, 9, asked.at, len(self.data), piece)
        self.memory.hear(replace(told, **changes))


@pytest.fixture(scope="module")
def match() -> Record:
    """A recorded one."""
    kept = recorded("mb1984")
    log = tuple(codec.encode(entry) for entry in entries_of(kept))
    check = GENESIS
    for entry in log:
        check = chain(check, entry)
    seats = tuple(Sitter(f"Person {seat}") for seat in range(kept.seats))
    return Record("m1", "Ides: of/ March", "mb1984", kept.version, kept.options, seats, log, check, 0, 86400 * 365)


def test_it_comes_piece_by_piece_whatever_becomes_of_the_connection(match: Record) -> None:
    line = Line(record.write(match))
    fetch = line.memory.fetch(Recall(1, "m1"))
    other = line.memory.fetch(Recall(1, "m2", film=True))
    line.answer()
    line.answer()
    assert (len(fetch.data), line.asked[-1].at, line.asked[-1].upto) == (2 * PIECE, 2 * PIECE, 9)
    assert 0 < fetch.progress < 1 and not fetch.done
    line.memory.hear(Welcome(1, "Livia", "s", ()))
    count = len(line.asked)
    line.memory.hear(Clock((0,), 0))
    assert len(line.asked) == count + 1 and line.asked[-1].at == 2 * PIECE
    line.memory.hear(Clock((0,), 0))
    assert len(line.asked) == count + 1, "once"
    while not fetch.done:
        line.answer()
    assert fetch.data == line.data and line.asked[-1].match == "m2"
    line.memory.hear(Refused(line.asked[-1].ref, "no-match", "", "There is no such table, or it needs its code."))
    assert other.done and other.why and line.memory.owns(line.asked[-1].ref)


@pytest.mark.parametrize(
    "changes", [{"at": 1}, {"data": b""}, {"total": 10}, {"total": 2**40}, {"data": b"x" * PIECE, "total": 5}]
)
def test_a_server_that_sends_nonsense_is_given_up(match: Record, changes: dict[str, Any]) -> None:
    line = Line(record.write(match))
    fetch = line.memory.fetch(Recall(1, "m1"))
    line.answer(**changes)
    assert fetch.done and fetch.why


def test_a_record_that_changes_during_the_transfer_is_given_up(match: Record) -> None:
    line = Line(record.write(match))
    fetch = line.memory.fetch(Recall(1, "m1"))
    line.answer()
    line.answer(upto=10)
    assert fetch.done and fetch.why


def test_when_the_visit_ends_nothing_more_comes() -> None:
    line = Line(b"x" * 9000)
    fetch = line.memory.fetch(Recall(1, "m1"))
    line.memory.forget()
    assert fetch.done and fetch.why


def test_it_is_kept_on_the_shelf_once_and_checked(match: Record) -> None:
    data = record.write(match)
    for _ in range(2):
        known = FinishedRecord(
            Fetch(Recall(1, "m1"), data, len(data), Recollection.RECORD), None, 1, guide("mb1984").film
        )
        assert known.words() == "Fetching the record of the match …"
        known.update()
        known.wait()
        assert known.match is not None and known.match.film.last == len(match.log)
        assert known.words() == "Every decision is verified; this match has no proof of its dice."
    ((told, path),) = saved_matches.listed()
    names = " ".join(sitter.name for sitter in match.seats)
    day = time.strftime("%Y-%m-%d %H-%M", time.localtime(86400 * 365))
    assert path.name == f"Ides of March mb1984 round 11 4 seats {names} {day} m1.conquest" and path.read_bytes() == data
    assert (told.match, told.you, told.length, len(told.ranks)) == ("m1", 1, len(match.log), len(match.seats))
    shown = picture.kept("m1")
    assert shown is not None and Image.open(shown).size == picture.SIZE
    path.with_suffix(".json").write_bytes(b"{")
    assert saved_matches.listed() == [], "what is damaged is passed over"
    assert saved_matches.kept("m1") == path and saved_matches.kept("m2") is None


def test_a_match_that_was_changed_is_called_so(match: Record) -> None:
    wrong = replace(match, log=match.log[:-1])
    data = record.write(wrong)
    known = FinishedRecord(Fetch(Recall(1, "m1"), data, len(data), Recollection.RECORD), None)
    known.wait()
    assert known.words().startswith("This match is not what it claims to be: ")


def test_hidden_events_are_not_told() -> None:
    known = FinishedRecord(Fetch(Recall(1, "m1"), why="No."), None)
    assert known.update() and known.words() == "" and known.match is None


@pytest.mark.parametrize("game", ["classic", "cote2"])
def test_a_film_that_a_server_sends_is_shown(game: str) -> None:
    sent = live(game, 3, 60)
    for audience in (1, -1):
        seen = audience if audience >= 0 else sent.seats
        frames = tuple(codec.encode(frame) for frame in sent.frames[seen])
        head = Film(game, ruleset(game).version, {}, ("Anna", "", "Caia"), "Title", audience, b"", frames)
        data = film.pack(replace(head, first=codec.encode(sent.begin[seen])))
        opened = received(Recollection.FILM, data)
        assert opened.film.last == len(frames) and opened.film.audiences == ((audience if audience >= 0 else None),)
        assert [seat.name for seat in opened.seats] == ["Anna", "", "Caia"] and opened.seats[1].bot
        known = FinishedRecord(Fetch(Recall(1, "m1"), data, len(data)), None)
        known.wait()
        assert known.match is not None and known.record is None and known.words() == ""


def test_films_that_are_none_are_refused() -> None:
    good = live("classic", 3, 20)
    head = Film("classic", ruleset("classic").version, {}, ("A", "B", "C"), "T", -1, codec.encode(good.begin[3]), ())
    for wrong in (
        b"nothing",
        film.pack(replace(head, version=99)),
        film.pack(replace(head, ruleset="chess")),
        film.pack(replace(head, first=b"\xc1")),
        film.pack(replace(head, first=codec.encode(Clock((0,), 1)))),
        film.pack(replace(head, frames=(codec.encode(good.frames[3][3]),))),
        film.pack(replace(head, first=codec.encode(Snapshot(0, 1, good.begin[3].view)), frames=(b"\x90",))),
    ):
        with pytest.raises(ValueError):
            received(Recollection.FILM, wrong)


def test_the_result_of_a_check_is_a_sentence(match: Record) -> None:
    found = audit(match)
    assert verified(replace(found, holds=True, wrong="", rolls=214)) == "All 214 rolls of this match are verified."
    assert verified(replace(found, holds=True, wrong="", rolls=1)) == "The one roll of this match is verified."
    assert isinstance(found, Verdict)


@pytest.mark.parametrize(("zone", "date"), [("UTC", "1971-01-01"), ("America/St_Johns", "1970-12-31")])
def test_names_of_files_say_which_match_it_is(
    match: Record, monkeypatch: pytest.MonkeyPatch, zone: str, date: str
) -> None:
    with monkeypatch.context() as surroundings:
        surroundings.setenv("TZ", zone)
        time.tzset()
        name, seats = saved_matches.usual_name(replace(match, title="", ended=86400 * 365), 7), len(match.seats)
    time.tzset()
    assert name.startswith(f"mb1984 round 7 {seats} seats ")
    assert f" {date} " in name and name.endswith(f"{match.match}.conquest")
    assert saved_matches.usual_name(replace(match, title="../../etc")).startswith("etc mb1984 ")
    assert saved_matches.usual_name(replace(match, title="…")).startswith("mb1984 ")
