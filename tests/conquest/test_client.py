"""The library's client at a real server on loopback."""

import asyncio
from pathlib import Path
from random import Random

import pytest

import conquest
from conquest import client
from protocol.limits import Rates
from server.archive.film_builder import made
from server.connections.admission import GENEROUS
from server.connections.server_app import App, Settings
from server.matches.match_archive import Made, Wanted
from server.tools.demo import decide_here
from shared.messages import Start
from shared.rulesets.registry import RULESETS
from shared.tables import SeatKind
from tests.server.test_bot_client import host, served, table, until


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


async def film(wanted: Wanted) -> Made:
    """Make a record on the spot, without a process."""
    return made(wanted, RULESETS)


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
