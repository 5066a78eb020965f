"""Archive of matches: each audience gets the frames that it was sent, in pieces, without the secrets of others."""

import asyncio
import itertools
import random
import zlib
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs

from protocol import codec, film, record
from protocol.film import Film
from server.archive import archive_requests, film_builder
from server.archive.film_builder import FilmWorker, film_of, made
from server.bots.policy import play_normal
from server.delivery.peer import Peer
from server.matches.dice import Dice
from server.matches.match import AcceptedAction, Match
from server.matches.match_archive import FilmRequest, FilmResult
from server.matches.narration import narrated
from server.storage.port import ChairRecord, StoreError, TableRecord
from shared import messages as m
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import ED25519, Recollection
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby, person
from tests.server.toy import TOY
from tests.support.marks import with_releases

ROUNDS = 3


class Maker:
    """Makes films in the test's own process: at once, or when the test says so."""

    def __init__(self) -> None:
        self.wanted: list[FilmRequest] = []
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, wanted: FilmRequest) -> FilmResult:
        self.wanted.append(wanted)
        await self.gate.wait()
        return made(wanted, {TOY.id: TOY})


@pytest.fixture
def maker() -> Maker:
    return Maker()


@pytest.fixture
async def h(tmp_path: Path, maker: Maker) -> AsyncIterator[LobbyHarness]:
    """Open a lobby whose films are made by `maker`."""
    async with open_lobby(tmp_path, make=maker) as harness:
        yield harness


async def play(h: LobbyHarness, peers: list[Peer], rounds: int) -> None:
    """So many rounds; each seat names a number of its own."""
    for _ in range(rounds):
        for seat, peer in enumerate(peers):
            if not h.only().table.match.finished:
                await h.say(peer, name(h, h.only().table.match.version + 1, seat + 2))


async def recalled(h: LobbyHarness, peer: Peer, match: str, **wanted: Any) -> tuple[m.Recalled, bytes]:
    """All pieces, one after the other."""
    answer = await h.ask(peer, m.Recall(90, match, **wanted), m.Recalled)
    data = answer.data
    while len(data) < answer.total:
        asked = structs.replace(m.Recall(91, match, **wanted), at=len(data), upto=answer.upto)
        data += (await h.ask(peer, asked, m.Recalled)).data
    return answer, data


async def screened(h: LobbyHarness, peer: Peer, match: str, **wanted: Any) -> Film:
    """The film that a peer gets."""
    answer, data = await recalled(h, peer, match, **wanted)
    assert answer.kind == Recollection.FILM
    return film.unpack(data)


async def refused(h: LobbyHarness, peer: Peer, match: str, **wanted: Any) -> str:
    return (await h.ask(peer, m.Recall(92, match, **wanted), m.Refused)).code


def stream(peer: Peer) -> list[bytes]:
    """Return the messages about a match that a client was sent."""
    return [pure(codec.encode(message)) for message in link(peer).sent if isinstance(message, m.Snapshot | m.Frame)]


def pure(sent: bytes) -> bytes:
    """A version as a film has it: nothing can be taken back in it."""
    message = codec.decode_server(sent)
    assert isinstance(message, m.Snapshot | m.Frame)
    encode = codec.encode if isinstance(message, m.Snapshot) else codec.encode_lean
    return encode(structs.replace(message, undo=0))


def begin(first: bytes) -> m.Snapshot:
    message = codec.decode_server(first)
    assert isinstance(message, m.Snapshot)
    return message


@pytest.mark.parametrize("seat", [0, 1, -1])
async def test_a_film_is_byte_for_byte_what_that_audience_was_sent(h: LobbyHarness, seat: int) -> None:
    peers = await h.table(2)
    match = h.only().match
    watcher = person("Nero")
    await h.ask(watcher, m.Watch(1, match), m.Done)
    everybody = {0: peers[0], 1: peers[1], -1: watcher}
    for peer in everybody.values():
        link(peer).sent.clear()
    await h.say(peers[0], m.Start(2))
    await play(h, peers, ROUNDS)
    sent = stream(everybody[seat])
    shown = await screened(h, everybody[seat], match)
    assert [shown.first, *shown.frames] == sent and len(sent) > 2 * ROUNDS
    assert (shown.audience, shown.names) == (seat, ("Person 0", "Person 1"))


async def test_a_film_from_a_version_on_begins_there(h: LobbyHarness) -> None:
    anna, ben = await h.match(2)
    await play(h, [anna, ben], ROUNDS)
    match, sent = h.only().match, stream(anna)
    version = h.only().table.match.version
    later = await screened(h, anna, match, have=4)
    assert list(later.frames) == sent[-len(later.frames) :] and len(later.frames) == version - 4
    assert begin(later.first).version == 4
    end = await screened(h, anna, match, have=2**32 - 1)
    assert end.frames == () and begin(end.first).version == version


async def test_secrets_of_others_are_never_shown(h: LobbyHarness) -> None:
    """Numbers that are named are secret until the die is rolled."""
    anna, ben = await h.match(2)
    match = h.only().match
    await h.say(anna, name(h, 1, 7))
    views = {
        who: TOY.view_decoder.decode(begin((await screened(h, peer, match, have=99, **by)).first).view)
        for who, peer, by in (
            ("anna", anna, {}),
            ("ben", ben, {}),
            ("a stranger", person("Nero"), {}),
            ("with Anna's token", person("Livia"), {"token": h.token(anna)}),
        )
    }
    named = {who: view.named for who, view in views.items()}
    assert named == {
        "anna": [7, 0], "ben": [-1, 0], "a stranger": [-1, 0], "with Anna's token": [7, 0]
    }  # fmt: skip


async def test_access_to_a_match_is_limited(h: LobbyHarness) -> None:
    (anna, _), match = await h.match(2, open=False), h.only().match
    nero = person("Nero", "192.0.2.1")
    assert await refused(h, nero, match) == "no-match"
    assert await refused(h, nero, match, token=bytes(32)) == "bad-token"
    assert await refused(h, nero, "nothere") == "no-match"
    assert (await screened(h, nero, match, code=h.code(match).lower())).audience == -1
    assert (await screened(h, nero, match, token=h.token(anna))).audience == anna.seat


async def test_guessing_codes_makes_one_wait(h: LobbyHarness) -> None:
    await h.match(2, open=False)
    nero, match = person("Nero", "192.0.2.1"), h.only().match
    codes = [await refused(h, nero, match, code="WRONG") for _ in range(6)]
    assert codes == ["no-match"] * 4 + ["rate"] * 2
    assert (await h.ask(nero, m.Watch(3, match, "WRONG"), m.Refused)).code == "rate"


async def test_before_the_start_there_is_nothing(h: LobbyHarness) -> None:
    (anna, _), match = await h.table(2), h.only().match
    assert await refused(h, anna, match) == "not-started"


async def over(h: LobbyHarness, **options: Any) -> tuple[list[Peer], str]:
    """A match that was played to its end."""
    anna = person("Anna")
    match = (await h.ask(anna, m.Create(1, "toy", 2, {"rounds": ROUNDS}, "Title", **options), m.Seated)).match
    ben = person("Ben")
    await h.ask(ben, m.Join(1, match, h.code(match)), m.Seated)
    await h.ask(anna, m.Start(2), m.Done)
    await play(h, [anna, ben], ROUNDS)
    assert h.only().table.match.finished
    return [anna, ben], match


async def test_after_the_end_there_is_the_whole_record(h: LobbyHarness) -> None:
    _, match = await over(h)
    nero = person("Nero")
    nero.agreed = frozenset((ED25519,))
    answer, data = await recalled(h, nero, match)
    assert answer.kind == Recollection.RECORD
    whole = record.read(data)
    assert len(record.entries(whole)) == answer.upto == h.only().table.match.version
    assert whole.check == h.only().table.check
    assert [sitter.name for sitter in whole.seats] == ["Anna", "Ben"]
    assert (await screened(h, person("Nero"), match, film=True)).audience == -1


async def test_a_client_that_cannot_read_the_signature_gets_a_film(h: LobbyHarness) -> None:
    """Programs before version 0.2 would call the record forged."""
    (anna, _ben), match = await over(h)
    assert (await screened(h, anna, match)).audience == 0
    h.only().table.record.root = b"r" * 32
    answer, _data = await recalled(h, anna, match)
    assert answer.kind == Recollection.RECORD


async def test_each_seat_gets_its_own_film_while_hands_stay_closed(h: LobbyHarness) -> None:
    (anna, ben), match = await over(h, closed_hands=True)
    films = [await screened(h, peer, match) for peer in (anna, ben, person("Nero"))]
    assert [shown.audience for shown in films] == [0, 1, -1]
    assert len({shown.frames for shown in films}) == 3


async def test_a_match_that_sleeps_is_shown_without_being_woken(tmp_path: Path, maker: Maker) -> None:
    async with open_lobby(tmp_path, make=maker) as h:
        anna, ben = await h.match(2)
        await play(h, [anna, ben], ROUNDS)
        match, token = h.only().match, h.token(anna)
        await h.only().table.save()
        before = await screened(h, anna, match)
        after = open_lobby(tmp_path, store=h.store, make=maker, awake=False)
        async with after as other:
            nero = person("Nero")
            assert await screened(other, nero, match, token=token) == before
            assert (await screened(other, nero, match)).audience == -1
            assert other.lobby.tables == 0


async def test_pieces_of_any_size_make_the_same_whole(
    tmp_path: Path, maker: Maker, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive_requests, "PIECE", 50)
    monkeypatch.setattr(archive_requests, "SLICE", 3)
    async with open_lobby(tmp_path, make=maker) as h:
        anna, ben = await h.match(2)
        await play(h, [anna, ben], ROUNDS)
        match = h.only().match
        first = await h.ask(anna, m.Recall(1, match), m.Recalled)
        await play(h, [anna, ben], 1)  # It goes on meanwhile.
        data = first.data
        while len(data) < first.total:
            piece = await h.ask(anna, m.Recall(2, match, at=len(data), upto=first.upto), m.Recalled)
            assert (piece.at, piece.total, len(piece.data) <= 50) == (len(data), first.total, True)
            data += piece.data
        assert len(film.unpack(data).frames) == first.upto
        assert len(maker.wanted) == 1, "it was made once"
        assert await refused(h, anna, match, at=first.total, upto=first.upto) == "bad-message"


async def test_players_are_answered_while_a_film_is_made(h: LobbyHarness, maker: Maker) -> None:
    anna, ben = await h.match(2)
    maker.gate.clear()
    link(anna).sent.clear()
    await h.say(anna, m.Recall(5, h.only().match))
    await play(h, [anna, ben], 1)
    assert link(anna).last(m.Frame).version >= 2
    assert not any(isinstance(message, m.Recalled) for message in link(anna).sent)
    assert await refused(h, anna, h.only().match) == "rate", "one after the other"
    maker.gate.set()
    await h.quiet()
    assert link(anna).last(m.Recalled).ref == 5


async def test_all_who_ask_for_the_same_share_it(h: LobbyHarness, maker: Maker) -> None:
    await h.match(2)
    match = h.only().match
    maker.gate.clear()
    crowd = [person(f"P{n}", f"192.0.2.{n}") for n in range(20)]
    for peer in crowd:
        await h.say(peer, m.Recall(1, match))
    maker.gate.set()
    await h.quiet()
    assert all(link(peer).last(m.Recalled).total for peer in crowd) and len(maker.wanted) == 1


async def test_a_flood_of_requests_makes_few_films(h: LobbyHarness, maker: Maker) -> None:
    """The server makes and queues a limited number of films for one address; others are served."""
    anna, ben = await h.match(2)
    await play(h, [anna, ben], 20)
    match = h.only().match
    nero = person("Nero", "192.0.2.1")
    answers = []
    for have in range(40):
        link(nero).sent.clear()
        await h.say(nero, m.Recall(have + 1, match, have=have))
        answers.append(type(link(nero).sent[-1]))
    assert answers == [m.Recalled] * 12 + [m.Refused] * 28
    assert len(maker.wanted) == archive_requests.FILMS.at_once
    maker.gate.clear()
    crowd = [person(f"P{n}", "192.0.2.2") for n in range(10)]
    for n, peer in enumerate(crowd):
        await h.say(peer, m.Recall(1, match, have=n + 13))
    told = [message for peer in crowd for message in link(peer).sent]
    assert [message.code for message in told if isinstance(message, m.Refused)] == ["rate"] * 6
    maker.gate.set()
    assert (await screened(h, person("Livia", "192.0.2.3"), match)).frames


async def test_old_films_make_room_for_new_ones(h: LobbyHarness, maker: Maker, monkeypatch: pytest.MonkeyPatch) -> None:
    anna, ben = await h.match(2)
    await play(h, [anna, ben], ROUNDS)
    match = h.only().match
    size = len((await recalled(h, anna, match))[1])
    monkeypatch.setattr(archive_requests, "CACHED", 2 * size)
    for have in (1, 2, 3, 4):
        await recalled(h, anna, match, have=have)
    assert sum(map(len, h.lobby._archive._cache.values())) <= 2 * size
    before = len(maker.wanted)
    await recalled(h, anna, match, have=4)
    assert len(maker.wanted) == before
    await recalled(h, anna, match)
    assert len(maker.wanted) == before + 1


async def test_closed_connections_leave_nothing_behind(h: LobbyHarness, maker: Maker) -> None:
    await h.match(2)
    maker.gate.clear()
    nero = person("Nero")
    await h.say(nero, m.Recall(1, h.only().match))
    await h.drop(nero)
    assert not h.lobby._archive._asking
    maker.gate.set()
    await h.quiet()
    assert not link(nero).sent and not h.lobby._archive._making


async def test_a_log_that_the_rules_refuse_is_said_so(h: LobbyHarness) -> None:
    anna, _ = await h.match(2)
    await h.say(anna, name(h, 1, 5))
    h.only().table.record.version += 1
    assert await refused(h, anna, h.only().match) == "not-playable"


async def test_a_damaged_log_is_not_shown(h: LobbyHarness) -> None:
    anna, ben = await h.match(2)
    await play(h, [anna, ben], ROUNDS)
    await h.store._ask(lambda db: db.connection.execute("UPDATE log SET entry = x'00' WHERE n = 3") and None)
    assert await refused(h, anna, h.only().match) == "storage"
    with pytest.raises(StoreError, match="damaged at entry 3"):
        await h.store.read(h.only().match, 1, 10)


async def test_a_server_without_a_maker_shows_nothing(tmp_path: Path) -> None:
    async with open_lobby(tmp_path) as h:
        anna, _ = await h.match(2)
        assert await refused(h, anna, h.only().match) == "no-recall"


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(RULESETS, "classic"))
def test_each_audience_of_real_matches_gets_what_it_was_sent(game: str) -> None:
    """Also from the middle on, and where decisions were undone."""
    rules, rng = RULESETS[game], random.Random(5)
    match = Match(rules, 3, {}, Dice(5))
    entries: list[bytes] = []
    sent = [[pure(match.snapshot(audience))] for audience in range(4)]
    told: list[list[m.Narrated]] = [[] for _ in range(4)]
    step, seat, went_back = match.chance(), 0, 0
    while len(entries) < 250 and not match.finished:
        if step is None:
            seat = match.owed[0]
            action = play_normal(rules, rules.view(match.state, seat), seat, rng)
            outcome = match.submit(seat, len(entries) + 1, match.frame, codec.encode(action))
            assert isinstance(outcome, AcceptedAction)
            step = outcome
        match.commit(step)
        entries += [codec.encode(entry) for entry in step.entries]
        for turned, audience in itertools.product(step.turned, range(4)):
            sent[audience].append(pure(turned.frames[audience]))
        for audience, said in enumerate(told):
            said.append(words_told(match, audience, step.entries[0].n - 1))
        back = match.undo(seat, match.version) if len(entries) % 3 == 0 else None
        step = back if isinstance(back, AcceptedAction) else None
        went_back += step is not None
    assert went_back
    chairs = [ChairRecord("Anna"), ChairRecord("Ben"), ChairRecord("Caia")]
    table = TableRecord("m1", game, rules.version, {}, "T", True, "C", 0, 0, chairs)
    for audience, have in itertools.product((0, 1, 2, -1), (0, 100)):
        shown = film_of(rules, FilmRequest(table, entries, Recollection.FILM, audience, have))
        assert list(shown.frames) == sent[audience][have + 1 :]
        assert begin(shown.first).version == have and shown.words == ()
        worded = film_of(rules, FilmRequest(table, entries, Recollection.FILM, audience, have, words=True))
        assert structs.replace(worded, words=()) == shown
        assert_words_of(worded, have, told[audience])


def words_told(match: Match, audience: int, have: int) -> m.Narrated:
    words = narrated(match, audience, have)
    assert words is not None
    return words


def narrated_in(data: bytes) -> m.Narrated:
    message = codec.decode_server(data)
    assert isinstance(message, m.Narrated)
    return message


def assert_words_of(shown: Film, have: int, told: list[m.Narrated]) -> None:
    """A film has the words that this audience was told while the match went on."""
    words = [narrated_in(each) for each in shown.words]
    assert [each.version for each in words] == list(range(have, have + 1 + len(shown.frames)))
    lines = [line for each in told for line in each.lines if line[0] > have]
    assert [line for each in words for line in each.lines] == lines != []
    prompts = {each.version: each.prompt for each in told}
    assert [prompts.get(each.version, each.prompt) for each in words] == [each.prompt for each in words]


async def test_a_film_has_words_for_clients_who_ask_and_none_for_others(tmp_path: Path) -> None:
    async def maker(wanted: FilmRequest) -> FilmResult:
        return made(wanted, RULESETS)

    async with open_lobby(tmp_path, rules=ruleset("classic"), make=maker) as h:
        await h.match(2)
        match, nero = h.only().match, person("Nero")
        _, plain = await recalled(h, nero, match, film=True)
        _, worded = await recalled(h, nero, match, film=True, words=True)
        assert film.unpack(plain).words == ()
        assert narrated_in(film.unpack(worded).words[0]).prompt is not None


def test_words_that_fail_cost_no_film(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_anything: Any) -> None:
        raise ValueError("a sentence without words")

    table = TableRecord("m1", "classic", ruleset("classic").version, {}, "T", True, "C", 0, 0, [])
    table.chairs = [ChairRecord("Anna"), ChairRecord(bot="easy")]
    monkeypatch.setattr(film_builder, "words_for", broken)
    done = made(FilmRequest(table, [], Recollection.FILM, words=True), RULESETS)
    assert not done.wrong and film.unpack(done.data).words == ()


@pytest.mark.long
async def test_the_maker_is_a_process_that_is_replaced() -> None:
    """It makes films of the real rules; whatever ends it, the next one is made."""
    table = TableRecord("m1", "classic", ruleset("classic").version, {}, "T", True, "C", 0, 0, [])
    table.chairs = [ChairRecord("Anna"), ChairRecord(bot="easy")]
    wanted = FilmRequest(table, [], Recollection.FILM)
    studio = FilmWorker()
    try:
        first = await studio(wanted)
        assert first == made(wanted, RULESETS) and film.unpack(first.data).names == ("Anna", "")
        assert studio._worker is not None
        studio._worker.process.kill()
        with pytest.raises((OSError, EOFError)):
            await studio(wanted)
        assert await studio(wanted) == first
        assert (await studio(structs.replace(wanted, entries=[b"\xc1"]))).wrong
    finally:
        await studio.close()
    with pytest.raises(RuntimeError):
        await studio(wanted)


@pytest.mark.parametrize("data", [b"", b"x" * 50, zlib.compress(b"\x91\x01"), zlib.compress(b"\x00")[:-1]])
def test_bytes_that_are_no_film_are_refused(data: bytes) -> None:
    with pytest.raises(film.BadFilm):
        film.unpack(data)


def test_a_film_that_swells_is_refused() -> None:
    with pytest.raises(film.BadFilm, match="too long"):
        film.unpack(zlib.compress(bytes(film.MOST + 1)))


@pytest.mark.long
async def test_thirty_addresses_do_not_prevent_looking_back(h: LobbyHarness, maker: Maker) -> None:
    """Thirty-two who waited, of whatever addresses, had all others refused; now they wait for each other."""
    anna, ben = await h.match(2)
    await play(h, [anna, ben], 40)
    match = h.only().match
    maker.gate.clear()
    crowd = [person(f"P{n}", f"192.0.2.{n}") for n in range(40)]
    for n, peer in enumerate(crowd):
        await h.say(peer, m.Recall(1, match, have=n))
    assert not [message for peer in crowd for message in link(peer).sent if isinstance(message, m.Refused)]
    for n in range(len(crowd)):
        await h.say(person(f"Q{n}", f"192.0.2.{n}"), m.Recall(1, match, have=50 + n))
    livia = person("Livia", "198.51.100.1")
    await h.say(livia, m.Recall(1, match, have=48))
    assert not link(livia).sent and len(maker.wanted) == 1
    maker.gate.set()
    while not link(livia).sent:
        await h.quiet()
    assert link(livia).last(m.Recalled).total
    assert [wanted.have for wanted in maker.wanted].index(48) <= 40, "before the second film of anybody"


async def test_a_profile_sees_its_own_match_as_its_own_seat(h: LobbyHarness, maker: Maker) -> None:
    """It needs no code, and is shown its own secrets, not what all could see."""
    anna, ben = person("Anna"), person("Ben")
    await h.ask(ben, m.Introduce(1, b"b" * 32), m.Introduced)
    match = (await h.ask(anna, m.Create(1, "toy", 2, {"rounds": 3}, "t", open=False), m.Seated)).match
    await h.ask(ben, m.Join(2, match, h.code(match)), m.Seated)
    await h.ask(anna, m.Start(3), m.Done)
    device = person("Ben")
    await h.ask(device, m.Introduce(1, b"b" * 32), m.Introduced)
    assert (await h.ask(device, m.Recall(2, match), m.Recalled)).total
    assert maker.wanted[-1].audience == ben.seat == 1
    await h.ask(person("Nero"), m.Recall(2, match), m.Refused)
