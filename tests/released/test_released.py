"""Data of released versions is opened, played to its end, verified, told, shown and exported."""

import asyncio
import tarfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Final

import msgspec
import pytest

from client.commands.reports import tell, verify
from client.replay.record_files import received, shown
from protocol.audit import audit
from protocol.record import SUFFIX, read
from server.archive.film_builder import made
from server.command_line import main
from server.connections.admission import GENEROUS
from server.connections.server_app import App, Settings
from server.matches.match_archive import FilmRequest, FilmResult
from server.tools.demo import decide_here
from shared import messages as m
from shared.kernel.ruleset import oldest
from shared.rulesets.registry import RULESETS
from shared.tables import Ending, Matter, TablePhase
from tests.released.guests import NOTES, Guest, Kept, Notes, agree, leave, play, read_notes
from tests.server.fakes import FAST
from tests.support.marks import mostly_long_pairs

FOLDERS: Final = sorted(path.parent for path in Path(__file__).parent.glob(f"*/{NOTES}"))
MATCHES: Final = [(folder, kept) for folder in FOLDERS for kept in read_notes(folder / NOTES).matches]
LONGEST: Final = 500
"""Decisions after which players agree to end a match that has no other limit."""


def _named(value: object) -> str:
    return f"{value.kind}-{value.ruleset}" if isinstance(value, Kept) else str(getattr(value, "name", value))


def _those(finished: bool) -> pytest.MarkDecorator:
    found = [(folder, kept) for folder, kept in MATCHES if (kept.phase == TablePhase.OVER) == finished]
    often = [(folder, kept) for folder, kept in found if finished or kept.kind == "running"]
    return pytest.mark.parametrize(("folder", "kept"), mostly_long_pairs(found, *often), ids=_named)


def unpacked(folder: Path, data: Path) -> Notes:
    """Copy the data directory of that release; return its players' notes."""
    with tarfile.open(folder / "data.tar.xz") as packed:
        packed.extractall(data, filter="data")
    return read_notes(folder / NOTES)


async def _make(wanted: FilmRequest) -> FilmResult:
    return made(wanted, RULESETS)


@asynccontextmanager
async def serving(data: Path) -> AsyncIterator[str]:
    """Run the present server on a data directory; yield its address."""
    settings = Settings(data=data, port=0, pace=0.0, limits=GENEROUS, rates=FAST)
    app = await App.start(settings, RULESETS, decide_here, make=_make)
    try:
        yield app.address
    finally:
        await app.stop()


async def back(url: str, kept: Kept, notes: Notes) -> list[Guest]:
    """Return the players, each resumed on their seat: by the profile's secret if there is one, else by the key."""
    guests = []
    for seat in kept.seats:
        guest = Guest(url, seat.name, notes.profiles.get(seat.name, b""))
        guest.session.restore(kept.match, notes.profiles[seat.name] if seat.profile else seat.token)
        await guest.client.open()
        seated = await guest.client.wait_for(m.Seated)
        assert (seated.match, seated.seat) == (kept.match, seat.seat)
        guests.append(guest)
    return guests


async def _played_on(data: Path, kept: Kept, notes: Notes) -> None:
    """Resume every player with their last view, and play the match to its end."""
    async with serving(data) as url:
        guests = await back(url, kept, notes)
        if kept.phase == TablePhase.GATHERING:
            await guests[0].client.say(m.Start)
        for guest, seat in zip(guests, kept.seats, strict=True):
            await guest.client.wait_for(m.Snapshot)
            if kept.kind in ("running", "post"):
                assert (guest.session.version, guest.session.digest) == (seat.version, seat.digest)
        if kept.talk:
            said = await guests[0].client.wait_for(m.Story)
            assert [line.text for line in said.chat][-len(kept.talk) :] == kept.talk
        assert _amendments(guests[0]) == kept.version - 2
        await play(guests, LONGEST)
        if not guests[0].is_over:
            await agree(guests, m.Motion(Matter.END))
            await play(guests)
        result = guests[0].result
        assert result is not None and result.version > kept.seats[0].version
        assert (result.ended == Ending.AGREED) != guests[0].rules.finished(guests[0].view)
        assert not any(guest.session.mismatches for guest in guests)
        await _play_again(guests[0])
        await leave(guests)


async def _play_again(guest: Guest) -> None:
    """Open the next table of the same players: it is a new one, which gets the newest rules."""
    newest, session = guest.rules.version, guest.session
    invited = await guest.client.ask(m.Rematch, m.Invited)
    await guest.client.ask(m.Leave, m.Left)
    await guest.client.socket.send(session.take(invited.match, invited.token))
    table = await guest.client.wait_for(m.TableState)
    assert (table.match, table.version) == (invited.match, newest)


def _amendments(guest: Guest) -> int:
    """Return the number of amendments in force, according to the position."""
    return sum(guest.view.options[len(guest.rules.options) :])


@_those(finished=False)
def test_a_match_goes_on_where_it_stood_and_ends_under_its_own_rules(folder: Path, kept: Kept, tmp_path: Path) -> None:
    asyncio.run(_played_on(tmp_path, kept, unpacked(folder, tmp_path)))
    out = tmp_path / f"match{SUFFIX}"
    assert main(["export", kept.match, "--data", str(tmp_path), "--out", str(out)]) == 0
    verdict = audit(read(out.read_bytes()))
    assert verdict.holds and verdict.finished and verdict.version == kept.version


async def _recalled(guest: Guest, match: str, token: bytes) -> m.Recalled:
    """Return everything that a server tells about a finished match to a holder of that key, or to a spectator."""
    found = await guest.client.ask(partial(m.Recall, match=match, token=token), m.Recalled)
    data = found.data
    while len(data) < found.total:
        more = partial(m.Recall, match=match, token=token, at=len(data), upto=found.upto)
        data += (await guest.client.ask(more, m.Recalled)).data
    return msgspec.structs.replace(found, data=data)


@_those(finished=True)
async def test_a_finished_match_is_listed_recalled_and_shown(folder: Path, kept: Kept, tmp_path: Path) -> None:
    notes = unpacked(folder, tmp_path)
    async with serving(tmp_path) as url:
        guest = Guest(url, "Anna", notes.profiles["Anna"])
        await guest.client.open()
        await guest.client.wait_for(m.Introduced)
        listed = await guest.client.ask(m.Past, m.PastList)
        (told,) = [each for each in listed.matches if each.match == kept.match]
        assert (told.ruleset, told.version) == (kept.ruleset, kept.version)
        assert [(rank.seat, rank.rank, rank.score) for rank in told.ranks] == kept.ranks
        for token in (kept.seats[0].token, b""):
            sent = await _recalled(guest, kept.match, token)
            film = received(sent.kind, sent.data).film
            assert film.last == kept.seats[0].version
        await leave([guest])


@_those(finished=True)
def test_a_finished_match_is_exported_verified_and_told(
    folder: Path, kept: Kept, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    unpacked(folder, tmp_path)
    out, written = tmp_path / "out", folder / f"{kept.ruleset}-{kept.version}-{kept.kind}{SUFFIX}"
    assert main(["export", kept.match, "--data", str(tmp_path), "--out", str(out)]) == 0
    match = read(written.read_bytes())
    assert read(out.read_bytes()) == match and match.match == kept.match
    verdict = audit(match)
    assert verdict.holds and verdict.finished and verdict.version == kept.version
    assert verify(written, rules_only=False, as_json=False)[0] == 0
    assert shown(match).film.last == len(match.log) == kept.seats[0].version
    assert len(list(tell(match))) > 20


def test_every_version_that_was_released_can_still_be_played() -> None:
    for _, kept in MATCHES:
        assert oldest(RULESETS[kept.ruleset]) <= kept.version <= RULESETS[kept.ruleset].version
    assert {kept.ruleset for _, kept in MATCHES} == set(RULESETS)
