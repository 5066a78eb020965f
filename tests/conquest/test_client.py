"""The library's client at a real server on loopback."""

import asyncio
import importlib.util
import re
import sys
from pathlib import Path
from random import Random

import pytest

import conquest
from conquest import client
from protocol.limits import Rates
from server.archive.film_builder import made
from server.connections.admission import GENEROUS
from server.connections.server_app import App, Settings
from server.matches.match_archive import FilmRequest, FilmResult
from server.tools.demo import decide_here
from shared.messages import Left, Refused, ServerMessage, Start
from shared.rulesets.registry import RULESETS
from shared.tables import SeatKind
from tests.server.test_bot_client import host, served, table, until


@pytest.mark.parametrize(
    ("name", "package", "extra"), [("client", "websockets", "wire"), ("openspiel", "pyspiel", "openspiel")]
)
def test_modules_without_their_packages_say_what_to_install(name: str, package: str, extra: str) -> None:
    spec = importlib.util.find_spec(f"conquest.{name}")
    assert spec is not None and spec.loader is not None
    with pytest.MonkeyPatch.context() as patch:
        for module in [package, *[each for each in sys.modules if each.startswith(f"{package}.")]]:
            patch.setitem(sys.modules, module, None)
        with pytest.raises(ModuleNotFoundError, match=re.escape(f"pip install 'conquest-empire[{extra}]'")):
            spec.loader.exec_module(importlib.util.module_from_spec(spec))


async def test_a_client_plays_comes_back_and_reads_the_record(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, port=0, seed=7, pace=0.0, limits=GENEROUS, rates=Rates(1e9, 1e9))
    app, cuts = await App.start(settings, RULESETS, decide_here, make=film), 0
    try:
        hanna = await host(app.address, "classic", 2)
        chance = Random(3)
        async with client.connect(app.address, code=table(hanna).code, name="Lib") as seat:
            await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
            await seat.say("Salve")
            await hanna.say(Start)
            async with asyncio.timeout(60):
                async for view in seat.turns():
                    if cuts < 2 and view.round > cuts and seat._socket is not None:
                        cuts += 1
                        await seat._socket.close()
                    if not cuts:
                        offered = await seat.choices()
                        assert offered.actions
                    with pytest.raises(conquest.Misread):
                        await seat.play("fly to rome")
                    await seat.play(view.legal().pick(chance))
            assert seat.over and cuts == 2 and not seat.session.mismatches
            record = await seat.record()
            assert record.verify().rules and record.game == "classic"
            assert seat.result() == conquest.Game.after(record).result()
            assert (0, "Lib", "Salve") in seat.chat
        hanna.cut()
    finally:
        await app.stop()


async def test_a_spectator_sees_what_happens_and_a_player_takes_back(tmp_path: Path) -> None:
    settings = Settings(data=tmp_path, port=0, seed=7, pace=0.0, limits=GENEROUS, rates=Rates(1e9, 1e9))
    app = await App.start(settings, RULESETS, decide_here)
    try:
        hanna = await host(app.address, "classic", 2)
        code = table(hanna).code
        with pytest.raises(ValueError, match="No table is given"):
            client.watch(app.address)
        async with client.connect(app.address, code) as seat, client.watch(app.address, code) as gallery:
            assert gallery.seat == -1 and gallery.view is None and seat.view is None
            await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
            await hanna.say(Start)
            turns, changes = seat.turns(), gallery.changes()
            async with asyncio.timeout(60):
                before = await anext(turns)
                seen = await anext(changes)
                assert seen.seat is None and seen.units == before.units
                marched = await seat.play(next(iter(before.legal(kind="March"))))
                assert seat.view is not None and seat.view.units != before.units
                while gallery.session.version < marched:
                    seen = await anext(changes)
                assert gallery.view is not None and gallery.view.units == seat.view.units
                if gallery._socket is not None:
                    await gallery._socket.close()
                await seat.undo()
                assert seat.view.units == before.units and seat.session.version > marched
                again = await anext(turns)
                assert again.units == before.units, "the decision is owed again"
                while gallery.session.version < seat.session.version:
                    seen = await anext(changes)
                assert seen.units == before.units and gallery.session.table is not None
                with pytest.raises(client.Refused):
                    await seat.undo()
                with pytest.raises(ValueError, match="Spectators have no turns"):
                    await anext(gallery.turns())
        hanna.cut()
    finally:
        await app.stop()


async def test_a_request_without_an_answer_is_repeated_on_the_next_connection(tmp_path: Path) -> None:
    async with served(tmp_path) as app:
        hanna = await host(app.address, "classic", 2)
        async with client.connect(app.address, code=table(hanna).code, name="Lib") as seat:
            await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
            await hanna.say(Start)
            async with asyncio.timeout(60):
                await anext(seat.turns())
                assert seat._socket is not None
                seat._socket.transport.abort()  # The request finds no connection.
                assert (await seat.choices()).actions
        hanna.cut()


async def film(wanted: FilmRequest) -> FilmResult:
    """Make a record on the spot, without a process."""
    return made(wanted, RULESETS)


async def test_leaving_waits_for_the_answer_and_asks_again_if_it_came_too_fast(monkeypatch: pytest.MonkeyPatch) -> None:
    seat = client.connect("127.0.0.1:9", code="VENI42")
    answers: list[ServerMessage] = [Refused(1, "rate", "", "Slow down, please."), Left(2, "left", "")]

    async def answer(_number: int, _data: bytes) -> ServerMessage:
        if not answers:
            await asyncio.Event().wait()  # It never comes.
        given = answers.pop(0)
        if isinstance(given, Refused):
            raise client.Refused(given)
        return given

    monkeypatch.setattr(seat, "_answer", answer)
    monkeypatch.setattr(client, "TOO_FAST", 0.0)
    await seat.leave()
    assert not answers
    monkeypatch.setattr(client, "LEAVING", 0.0)
    await seat.leave()


async def test_reasons_for_having_no_seat_are_sentences(tmp_path: Path) -> None:
    async with served(tmp_path) as app:
        with pytest.raises(client.Parted, match="code"):
            async with client.connect(app.address, code="NOSUCH"):
                pass
    with pytest.raises(client.Parted, match="No server can be reached"):
        async with client.connect("ws://127.0.0.1:1", code="NOSUCH"):
            pass
    with pytest.raises(ValueError, match="No table is given"):
        client.connect("127.0.0.1")
