"""The first match of SPEC.md, said to a server as it stands there."""

import asyncio
import json
import re
from pathlib import Path
from typing import Any

from msgspec.msgpack import encode
from websockets.asyncio.client import connect

from protocol import codec
from server.connections.server_app import App, Settings
from server.tools.demo import decide_here
from shared.rulesets.registry import RULESETS
from shared.tables import TablePhase
from tests.protocol.make_samples import readable

SPEC = Path(__file__).parents[2] / "protocol" / "SPEC.md"
REST = "..."
SEED = 8
"""Of dice by which seat 0 begins."""
WAIT = 20.0


def conversation(start: str = "## Your first match", end: str = "**Two people") -> list[tuple[str, list[Any]]]:
    """Return the messages of a part of the text: their direction, and the values with the mark `REST`."""
    text = SPEC.read_text(encoding="utf-8")
    text = text[text.index(start) : text.index(end)]
    lines = re.findall(r"^ *([<>]) (\[.*\])$", text, re.MULTILINE)
    shown = [(way, values.replace(f"{{{REST}}}", REST).replace(REST, f'"{REST}"')) for way, values in lines]
    return [(way, json.loads(values)) for way, values in shown]


def is_like(shown: Any, real: Any) -> bool:
    """Whether a value is as shown. Tokens, ids and codes differ from match to match."""
    if shown == REST:
        return True
    if isinstance(shown, list) and isinstance(real, list):
        if shown[-1:] == [REST]:
            return len(shown) <= len(real) and all(map(is_like, shown[:-1], real))
        return len(shown) == len(real) and all(map(is_like, shown, real))
    if isinstance(shown, str) and re.fullmatch(r"hex:[0-9a-f]{64}|[0-9a-z]{12}|[A-Z2-9]{8}", shown):
        return isinstance(real, str) and len(shown) == len(real)
    return bool(shown == real)


async def test_the_first_match_goes_as_written(tmp_path: Path) -> None:
    told = conversation()
    assert len(told) == 12
    app = await App.start(Settings(data=tmp_path, port=0, seed=SEED, pace=0.0), RULESETS, decide_here)
    try:
        async with asyncio.timeout(WAIT), connect(app.address, compression=None) as socket:

            async def hear(tag: int) -> Any:
                while (heard := codec.decode_plain(await socket.recv(decode=False)))[0] != tag:
                    pass
                return readable(heard)

            for way, values in told:
                if way == ">":
                    await socket.send(encode(values))
                else:
                    heard = await hear(values[0])
                    assert is_like(values, heard), heard
            assert (await hear(3))[1] == 5  # Accepted
            await socket.send(encode([9, 6, 0, [33, 1]]))  # Ada agrees that the bot has won: the match is over.
            assert (await hear(10))[1] == []  # Clock
            assert (await hear(6))[7] == TablePhase.OVER
            await socket.send(encode([32, 7, 4]))
            assert (await hear(1))[1:3] == [7, "over"]
            for command, frame, action, code in (8, 0, [33, 1], "over"), (9, 4, [13], "stale-frame"):
                await socket.send(encode([9, command, frame, action]))
                assert (await hear(1))[1:3] == [command, code]
    finally:
        await app.stop()


async def test_a_second_player_joins_as_written(tmp_path: Path) -> None:
    greeting, creation = [values for way, values in conversation() if way == ">"][:2]
    state, joining, seated = [values for _, values in conversation("**Two people", "## 1. Transport")]
    app = await App.start(Settings(data=tmp_path, port=0, seed=SEED, pace=0.0), RULESETS, decide_here)
    try:
        async with (
            asyncio.timeout(WAIT),
            connect(app.address, compression=None) as host,
            connect(app.address, compression=None) as guest,
        ):
            for values in greeting, creation:
                await host.send(encode(values))
            heard = [readable(codec.decode_plain(await host.recv(decode=False))) for _ in range(3)]
            assert [each[0] for each in heard] == [0, seated[0], state[0]]
            assert is_like(state, heard[2]), heard[2]
            code = heard[2][6]
            await guest.send(encode([*greeting[:2], "Bert"]))
            await guest.send(encode([*joining[:3], code.lower()]))
            heard = [readable(codec.decode_plain(await guest.recv(decode=False))) for _ in range(3)]
            assert [each[0] for each in heard] == [0, seated[0], state[0]]
            assert is_like(seated, heard[1]), heard[1]
            assert heard[2][6] == code and heard[2][8] == 1
    finally:
        await app.stop()


def test_the_bytes_of_hello_are_those_of_the_text() -> None:
    assert f"`{encode(conversation()[0][1]).hex(' ')}`" in SPEC.read_text(encoding="utf-8")
