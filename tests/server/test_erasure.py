"""Personal data: one document of all that is stored of a person, and nothing of them after they are erased."""

import errno
import json
from pathlib import Path

import msgspec
import pytest
from msgspec import Raw, structs

from protocol import codec, film, record
from protocol.limits import Close
from server.delivery.peer import Peer
from server.lobby.lobby import Lobby
from server.storage.erased import ErasedPeople
from server.storage.export import record_of
from server.storage.port import DeedKind, NoticeRecord, RatedMatch, RatingRecord, StoreError
from shared import messages as m
from shared.tables import ED25519, SeatKind, TablePhase
from tests.server.lobby_harness import LobbyHarness, link, name, open_lobby, person
from tests.server.test_archive import Maker, recalled
from tests.server.toy import Quit

SECRET, OTHER = b"a" * 32, b"b" * 32
NAME, MAIL = "Zenobia", "zenobia@palmyra.example"


async def known(h: LobbyHarness, called: str, secret: bytes) -> Peer:
    peer = person(called)
    await h.ask(peer, m.Introduce(1, secret, device=f"Firefox of {called}"), m.Introduced)
    return peer


async def over(h: LobbyHarness, zenobia: Peer, bert: Peer) -> str:
    """Return a finished match of both, in which they and a spectator talked."""
    match = (await h.ask(zenobia, m.Create(2, "toy", 2, {"rounds": 50}, ""), m.Seated)).match
    await h.ask(bert, m.Join(3, match, h.code(match)), m.Seated)
    await h.ask(zenobia, m.Start(4), m.Done)
    await h.ask(zenobia, m.Say(5, "I am a queen."), m.Said)
    await h.ask(bert, m.Say(6, "Hail, zenobia! Zenos rejoices."), m.Said)
    await h.say(zenobia, m.Act(4, 0, Raw(codec.encode(Quit()))))
    assert h.running(match).table.record.phase is TablePhase.OVER
    for peer in (zenobia, bert):
        await h.ask(peer, m.Leave(8), m.Left)
    return match


async def whole(h: LobbyHarness, match: str) -> record.Record:
    """Return the record of a match, as it is exported."""
    stored = await h.store.claim(match)
    assert stored is not None
    log = [msgspec.msgpack.encode(entry) for entry in stored.entries]
    return record.read(record.write(record_of(stored.table, log, stored.check)))


def unpacked(made: bytes) -> bytes:
    """Return the content of a film."""
    return msgspec.msgpack.encode(film.unpack(made))


def holds(folder: Path, *words: str) -> list[str]:
    """Return the files in which one of the words stands."""
    files = [path for path in folder.rglob("*") if path.is_file()]
    return [path.name for path in files for word in words if word.casefold().encode() in path.read_bytes().lower()]


async def test_all_that_is_stored_of_a_person_is_one_document(h: LobbyHarness) -> None:
    zenobia, bert = await known(h, NAME, SECRET), await known(h, "Bert", OTHER)
    match = await over(h, zenobia, bert)
    found = await h.lobby.personal_data.export(zenobia.person)
    assert found is not None
    words = json.dumps(found)
    assert (found["name"], found["devices"][0]["name"], found["format"]) == (
        NAME, "Firefox of Zenobia", "conquest personal data 1",
    )  # fmt: skip
    (played,) = found["matches"]
    assert (played["match"], played["seats"], played["names"]) == (match, [1], [NAME])
    assert played["chat"] == ["I am a queen."]
    assert played["started"].endswith("+00:00") and played["places"][0]["seat"] == 1
    assert SECRET.hex() not in words and "secret" not in words
    assert await h.lobby.personal_data.export("nobody") is None


async def test_nothing_of_an_erased_person_is_left_and_their_matches_verify(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("DEBUG")
    async with open_lobby(tmp_path, make=Maker()) as h:
        zenobia, bert = await known(h, NAME, SECRET), await known(h, "Bert", OTHER)
        settings = NoticeRecord(m.NoticeSettings(mail=MAIL), b"k" * 16, MAIL)
        people = h.lobby.people
        await people.keep(structs.replace(people._people[zenobia.person], notices=settings))
        met = RatedMatch("r1", 1, 5, (zenobia.person, "level-easy"), (NAME, "easy"))
        rating = RatingRecord("toy", 25.0, 8.0, 1, 1, (met,))
        await people.keep(structs.replace(people._people[bert.person], ratings=(rating,)))
        match = await over(h, zenobia, bert)
        before = await whole(h, match)
        reader = person("Nero")
        reader.agreed = frozenset((ED25519,))
        code = h.code(match)
        kept = [(await recalled(h, reader, match, code=code, film=whole_film))[1] for whole_film in (False, True)]
        assert NAME in record.read(kept[0]).title
        watched = (await h.ask(bert, m.Create(9, "toy", 2, {"rounds": 50}, ""), m.Seated)).match
        await h.ask(zenobia, m.Watch(10, watched, h.code(watched)), m.Done)
        await h.ask(zenobia, m.Say(11, "I look on."), m.Said)
        record_of_her = people.record(zenobia.person)
        assert record_of_her is not None
        about = {"person": record_of_her.person, "name": record_of_her.name}
        await h.lobby.operator.add(DeedKind.MUTE, **about, text="Zenobia shouts")
        await h.ask(bert, m.Report(12, record_of_her.name, "I look on.", 0, "Zenobia shouts"), m.Done)
        await h.lobby.operator.handle(h.lobby.moderation.reports()[0], "Zenobia is muted")
        await h.pass_time(1)
        assert holds(tmp_path, NAME) and holds(tmp_path, MAIL)
        assert await h.lobby.personal_data.erase(zenobia.person)
        await h.quiet()
        assert link(zenobia).closed == Close.ENDED
        assert holds(tmp_path, NAME, MAIL) == []
        after = await whole(h, match)
        assert [seat.name for seat in after.seats] == ["former player 1", "Bert"]
        assert after.title == "former player 1's table"
        assert record.is_as_signed(before) and record.is_as_signed(after)
        assert (after.log, after.check) == (before.log, before.check) and record.entries(after)
        stored = await h.store.look(match)
        assert stored is not None
        assert [line.text for line in stored.table.talk] == ["Hail, former player 1! Zenos rejoices."]
        assert h.running(watched).table.record.talk == []
        assert people._people[bert.person].ratings[0].recent[0].names == ("former player", "easy")
        deed, report, handled = await h.store.deeds()
        assert (report.name, report.text, report.why, handled.text) == ("former player", "", "", "")
        assert (deed.name, deed.text) == ("former player", "former player shouts")
        for as_film in (False, True):
            _, made = await recalled(h, reader, match, code=code, film=as_film)
            shown = unpacked(made) if as_film else msgspec.msgpack.encode(record.read(made))
            assert NAME.encode() not in shown
        listed = await h.ask(reader, m.Past(12), m.PastList)
        assert [each.name for each in listed.matches[0].seats] == ["former player 1", "Bert"]
        sent = [codec.encode(each) for each in link(bert).sent if isinstance(each, m.TableState)][-1:]
        assert all(NAME.encode() not in each for each in sent)
        logged = repr([vars(each) for each in caplog.records])
        assert "created" in logged and NAME not in logged and MAIL not in logged
        assert not await h.lobby.personal_data.erase(zenobia.person)
        assert (await h.ask(person(NAME), m.Introduce(1, SECRET), m.Introduced)).fresh


async def test_a_running_match_goes_on_by_the_rule_of_absence(h: LobbyHarness) -> None:
    zenobia, bert = await known(h, NAME, SECRET), await known(h, "Bert", OTHER)
    match = (await h.ask(zenobia, m.Create(2, "toy", 2, {"rounds": 50}, "", takeover=30), m.Seated)).match
    await h.ask(bert, m.Join(3, match, h.code(match)), m.Seated)
    await h.ask(zenobia, m.Start(4), m.Done)
    token = h.token(zenobia)
    await h.lobby.personal_data.erase(zenobia.person)
    await h.quiet()
    seat = link(bert).last(m.TableState).seats[0]
    assert (seat.name, seat.kind) == ("former player 1", SeatKind.AWAY)
    for key in (token, SECRET):
        assert (await h.ask(person(NAME), m.Resume(1, match, key), m.Refused)).code == "bad-token"
    await h.pass_time(31)
    assert link(bert).last(m.TableState).seats[0].kind is SeatKind.STAND_IN
    await h.say(bert, name(h, 1, 3))
    assert link(bert).last(m.Accepted).command == 1


async def test_a_seat_before_the_start_is_free_again(h: LobbyHarness) -> None:
    zenobia, bert = await known(h, NAME, SECRET), await known(h, "Bert", OTHER)
    match = (await h.ask(bert, m.Create(2, "toy", 2, {"rounds": 50}, ""), m.Seated)).match
    await h.ask(zenobia, m.Join(3, match, h.code(match)), m.Seated)
    await h.lobby.personal_data.erase(zenobia.person)
    await h.quiet()
    assert link(bert).last(m.TableState).seats[1].kind is SeatKind.FREE


async def test_a_restored_backup_is_cleaned_at_the_start(tmp_path: Path) -> None:
    erased = ErasedPeople(tmp_path / "erased")
    async with open_lobby(tmp_path / "data") as h:
        zenobia, bert = await known(h, NAME, SECRET), await known(h, "Bert", OTHER)
        match = await over(h, zenobia, bert)
        erased.add(zenobia.person)  # The rest of this server is the backup, in which they still are.
    async with open_lobby(tmp_path / "data", awake=False) as h:
        lobby = Lobby(h.lobby._services, h.lobby.rulesets, erased=ErasedPeople(tmp_path / "erased"))
        await lobby.begin()
        assert [each.name for each in await h.store.people()] == ["Bert"]
        assert record.is_as_signed(await whole(h, match))
        assert holds(tmp_path, NAME) == []
        await lobby.stop()


async def test_a_list_that_cannot_be_written_erases_nothing(h: LobbyHarness, tmp_path: Path) -> None:
    zenobia = await known(h, NAME, SECRET)
    h.lobby.personal_data._erased = ErasedPeople(tmp_path / "db" / "erased")
    (refused,) = [await h.ask(zenobia, m.EraseMe(2, NAME), m.Refused)]
    assert refused.text.startswith("Nothing was deleted: the server cannot write its list of erased people (")
    assert h.lobby.people.record(zenobia.person) is not None and link(zenobia).closed is None


def test_a_list_that_was_written_in_part_is_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    erased = ErasedPeople(tmp_path / "erased")
    erased.add("first")

    def full(_file: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr("os.fsync", full)
    with pytest.raises(OSError, match="No space"):
        erased.add("second", "third")
    assert list(erased.people) == list(ErasedPeople(tmp_path / "erased").people) == ["first"]
    monkeypatch.undo()
    erased.add("second", "third")
    assert list(ErasedPeople(tmp_path / "erased").people) == ["first", "second", "third"]


async def test_done_is_told_when_the_erasure_is_certain(
    h: LobbyHarness, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The list is on disk at the answer, and a store that fails after it is tried again."""
    zenobia = await known(h, NAME, SECRET)
    h.lobby.personal_data._erased = ErasedPeople(tmp_path / "erased")
    on_disk: list[list[str]] = []
    tell = zenobia.tell

    def told(message: msgspec.Struct) -> None:
        on_disk.append((tmp_path / "erased").read_text().split())
        tell(message)

    async def forget(_person: str) -> None:
        raise StoreError("The server cannot save.")

    monkeypatch.setattr(zenobia, "tell", told)
    monkeypatch.setattr(h.store, "forget_person", forget)
    await h.say(zenobia, m.EraseMe(2, NAME))
    assert [type(each) for each in link(zenobia).sent[-1:]] == [m.Done] and on_disk == [[zenobia.person]]
    assert h.lobby.people.record(zenobia.person) is not None
    monkeypatch.undo()
    await h.pass_time(2)
    assert h.lobby.people.record(zenobia.person) is None and link(zenobia).closed == Close.ENDED
    assert await h.store.people() == []
