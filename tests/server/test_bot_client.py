"""Bots that come to a table by themselves: they play to the end, come back, and say in a sentence what stopped them."""

import asyncio
import contextlib
import itertools
import re
import runpy
import signal
import socket
import sys
import threading
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
import websockets.sync.server as sync_server
from msgspec import structs
from websockets.exceptions import ConnectionClosed

from protocol import codec
from protocol.limits import Rates
from protocol.session import Reaction
from protocol.version import PROTOCOL
from server.command_line import main
from server.connections.admission import GENEROUS
from server.connections.server_app import App, Settings
from server.tools import bot_client, headless_client
from server.tools.bot_client import STATUS, BotClient, Wish, play
from server.tools.demo import decide_here
from server.tools.headless_client import Mind, Parted, Unreachable
from server.tools.nodes import UNBOUNDED
from shared import levels
from shared.messages import Create, Done, Kick, Line, Refused, SetBot, Start, Story, TableState, Welcome
from shared.rulesets.registry import RULESETS
from shared.tables import ANY_SEAT, NO_SEAT, SeatKind, TablePhase
from tests.server.fakes import Client
from tests.support.forks import ForkedServer
from tests.support.marks import mostly_long_pairs

ROOT = Path(__file__).parents[2]
EXAMPLE = "deploy/examples/guest.py"
OPTIONS = {"classic": {"round_limit": 2}, "mb1984": {"round_limit": 2}, "cote2": {}}


@asynccontextmanager
async def served(data: Path, rates: Rates = UNBOUNDED) -> AsyncIterator[App]:
    """A server of all games, whose own bots think on the spot."""
    settings = Settings(data=data, port=0, seed=7, pace=0.0, limits=GENEROUS, rates=rates)
    app = await App.start(settings, RULESETS, decide_here)
    try:
        yield app
    finally:
        await app.stop()


@contextlib.contextmanager
def flooding() -> Iterator[tuple[str, threading.Event]]:
    """A hostile server that never reads and never stops talking, and whether it has begun to."""
    begun, over = threading.Event(), threading.Event()

    def pour(connection: sync_server.ServerConnection) -> None:
        connection.recv()
        connection.send(codec.encode(Welcome(PROTOCOL, "Otho", "flood", (("classic", 2),))))
        # It takes longer to read than to send: there is always a next one at hand.
        story = codec.encode(Story((), tuple(Line(0, f"Nero {number}", "!") for number in range(2000))))
        with contextlib.suppress(ConnectionClosed, OSError):
            for number in itertools.count():
                connection.send(story)
                if number == 300:
                    begun.set()
                if over.is_set():
                    return

    server = sync_server.serve(pour, "127.0.0.1", 0, compression=None)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"ws://127.0.0.1:{server.socket.getsockname()[1]}", begun
    finally:
        over.set()
        server.shutdown()


@pytest.mark.long
async def test_a_bot_ends_when_told_to_although_its_server_never_stops_talking() -> None:
    with flooding() as (url, begun):
        bot = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "server", "bot", url, "--code", "H7KQ2M"), cwd=ROOT, stderr=asyncio.subprocess.PIPE
        )
        assert await asyncio.to_thread(begun.wait, 60)
        bot.terminate()
        _, told = await asyncio.wait_for(bot.communicate(), 60)
        assert bot.returncode in (1, 143), "by itself, or by its watchdog on a busy machine"
        assert b"Traceback" not in told


async def host(url: str, ruleset: str = "classic", seats: int = 2, bots: int = 1) -> Client:
    """Return the host of a new table, with bots on the last seats."""
    client = await Client(url, "Hanna").open()
    await client.ask(lambda ref: Create(ref, ruleset, seats, OPTIONS[ruleset], "Evening", False, NO_SEAT), Done)
    for seat in range(seats - bots, seats):
        await client.ask(lambda ref, seat=seat: SetBot(ref, seat, levels.RANDOM), Done)  # type: ignore[misc]
    return client


async def until(client: Client, seats: list[SeatKind]) -> None:
    """Wait until the seats are taken like that."""
    while table(client).phase == TablePhase.GATHERING and [seat.kind for seat in table(client).seats] != seats:
        await client.next()


def table(client: Client) -> TableState:
    assert client.session.table is not None
    return client.session.table


def guest(app: App, code: str, seat: int = ANY_SEAT) -> BotClient:
    return BotClient(app.address, Wish(code, "Otho", seat), Mind(decide_here, levels.RANDOM, 5))


@pytest.mark.parametrize("ruleset", RULESETS)
async def test_a_guest_plays_a_match_to_its_end(
    tmp_path: Path, ruleset: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with served(tmp_path) as app:
        hanna = await host(app.address, ruleset, 3)
        guests = [asyncio.create_task(play(guest(app, table(hanna).code))) for _ in range(2)]
        await until(hanna, [SeatKind.PERSON, SeatKind.PERSON, SeatKind.BOT])
        assert {seat.name for seat in table(hanna).seats} == {"Otho", "Otho 2", ""}
        await hanna.say(Start)
        assert await asyncio.gather(*guests) == [0, 0]
        hanna.cut()
    told = capsys.readouterr().out.splitlines()
    title = RULESETS[ruleset].title
    assert {line for line in told if " sits at " in line} == {
        f"Otho sits at 'Evening' ({title}), seat 1.", f"Otho 2 sits at 'Evening' ({title}), seat 2.",
    }  # fmt: skip
    ranking = [line.partition(":")[0] for line in told if line[1:3] == ". "]
    assert sum(line.startswith("1. ") for line in ranking) == 2, "each tells the standings"
    ends = sorted(line.partition("(")[2] for line in ranking)
    assert ends == ["Otho 2)", "Otho 2, this bot)", "Otho)", "Otho, this bot)", *2 * ["random bot)"]]


async def test_a_guest_sends_as_fast_as_the_server_allows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[str] = []
    async with served(tmp_path, Rates(30.0, 4.0)) as app:
        hanna = await host(app.address)
        otho = guest(app, table(hanna).code)
        receive = otho.session.receive

        def listen(data: bytes) -> Reaction:
            received = receive(data)
            if isinstance(received.message, Refused):
                heard.append(received.message.code)
            return received

        monkeypatch.setattr(otho.session, "receive", listen)
        playing = asyncio.create_task(play(otho))
        await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
        await hanna.say(Start)
        assert await playing == 0
        hanna.cut()
    assert not heard


async def test_a_guest_who_loses_the_connection_comes_back_and_plays_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(headless_client, "FIRST_WAIT", 0.0)
    async with served(tmp_path) as app:
        hanna = await host(app.address)
        otho, marks = guest(app, table(hanna).code), [3, 7, 12]
        playing = asyncio.create_task(play(otho))
        await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
        await hanna.say(Start)
        while marks:
            await hanna.next()
            if otho._socket is not None and otho.session.at_table and otho.session.version >= marks[0]:
                del marks[0]
                otho.session.at_table = False
                otho._socket.transport.abort()
        hanna.cut()
        assert await playing == 0 and otho.session.mismatches == 0
    told = capsys.readouterr().err.splitlines()
    assert told == 3 * ["The connection was lost. Trying again in 0 s.", "Back at the table."]


@pytest.mark.parametrize(
    ("code", "seat", "said"),
    [
        ("NOSUCH", ANY_SEAT, "That code opens no table here; please ask the host for the right one."),
        ("", ANY_SEAT, "There is no such table, or it needs its code."),
        (None, ANY_SEAT, "All seats are taken."),
        (None, 1, "That seat is taken."),
        (None, 5, "There is no such seat at this table."),
    ],
)
async def test_a_guest_who_finds_no_seat_says_why(
    tmp_path: Path, code: str | None, seat: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    async with served(tmp_path) as app:
        hanna = await host(app.address, bots=2)
        assert await play(guest(app, table(hanna).code if code is None else code, seat)) == 2
        hanna.cut()
    assert capsys.readouterr().err == f"conquest-server: {said}\n"


async def test_a_guest_who_is_sent_away_goes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with served(tmp_path) as app:
        hanna = await host(app.address)
        playing = asyncio.create_task(play(guest(app, table(hanna).code)))
        await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
        await hanna.ask(lambda ref: Kick(ref, 0), Done)
        assert await playing == 1
        hanna.cut()
    assert capsys.readouterr().err == "conquest-server: The host gave your seat to another player.\n"


async def test_a_guest_who_is_told_to_stop_leaves_its_seat(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    async with served(tmp_path) as app:
        hanna = await host(app.address)
        playing = asyncio.create_task(play(guest(app, table(hanna).code)))
        await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
        playing.cancel()
        with pytest.raises(asyncio.CancelledError):
            await playing
        await until(hanna, [SeatKind.FREE, SeatKind.BOT])
        hanna.cut()
    assert capsys.readouterr().err == "conquest-server: Stopped; the bot has left its seat.\n"


async def test_a_guest_who_is_told_to_stop_says_so_only_to_a_listener(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with served(tmp_path) as app:
        hanna = await host(app.address)
        otho = guest(app, table(hanna).code)
        waiting = asyncio.Event()
        tell = otho.wait

        def told(why: str, seconds: float) -> None:
            tell(why, seconds)
            waiting.set()

        monkeypatch.setattr(otho, "wait", told)
        playing = asyncio.create_task(play(otho))
        await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
        hanna.cut()
    await waiting.wait()
    playing.cancel()
    with pytest.raises(asyncio.CancelledError):
        await playing
    lost, stopped = capsys.readouterr().err.splitlines()
    assert re.fullmatch(r"The server stops .* Trying again in \d s\.", lost)
    words = "Stopped while the server could not be reached; it still keeps the seat for this bot."
    assert stopped == f"conquest-server: {words}"


async def test_a_guest_goes_when_the_server_stays_away(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(headless_client, "FIRST_WAIT", 0.001)
    async with served(tmp_path) as app:
        hanna = await host(app.address)
        otho = guest(app, table(hanna).code)
        otho._backoff = headless_client.Backoff(0.005)
        playing = asyncio.create_task(play(otho))
        await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
        hanna.cut()
    assert await playing == 1
    *tries, last = capsys.readouterr().err.splitlines()
    assert tries and all(line.endswith(" Trying again in 0 s.") for line in tries)
    assert last == "conquest-server: The server did not come back."


async def test_a_guest_takes_no_seat_in_a_game_of_other_rules(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async with served(tmp_path) as app:
        hanna = await host(app.address)
        otho = guest(app, table(hanna).code)
        monkeypatch.setattr(otho, "_rules", structs.replace(RULESETS["classic"], version=99, amendments=()))
        assert await play(otho) == 2
        await until(hanna, [SeatKind.FREE, SeatKind.BOT])
        hanna.cut()
    assert "by other rules than this bot: please update the server." in capsys.readouterr().err


async def test_missing_server_of_a_bot_raises_unreachable(tmp_path: Path) -> None:
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))
        url = f"ws://127.0.0.1:{nobody.getsockname()[1]}"
        with pytest.raises(Unreachable, match=r"No server is listening there\. Tried ws://127"):
            await play(BotClient(url, Wish("X", "Otho", -1), Mind(decide_here, levels.NORMAL, 5)))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nowhere.example", "--code", "X", "--level", "divine"], "There are no 'divine' bots"),
        (["a b", "--code", "X"], "Please give the address as HOST or HOST:PORT"),
        (["8.8.8.8", "--code", "X"], "The connection would not be encrypted; give ws://8.8.8.8:8600"),
        (["127.0.0.1", "--code", "X", "--seat", "7"], "--seat must be 1 to 6, not 7."),
        (["127.0.0.1:1", "--code", "X"], "No server is listening there. Tried ws://127.0.0.1:1."),
        (["conquest://127.0.0.1:1/VENI42"], "No server is listening there. Tried ws://127.0.0.1:1."),
        (["conquest://127.0.0.1:1"], "No table is given; add --code CODE, or give the link that the host sees."),
        (["127.0.0.1:1"], "No table is given; add --code CODE, or give the link that the host sees."),
    ],
)
def test_typing_errors_are_answered_in_a_sentence(
    arguments: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", *arguments]) == 2
    told = capsys.readouterr().err
    assert told.startswith(f"conquest-server: {said}") and told.count("\n") == 1


def test_words_of_a_server_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    bot = BotClient("ws://127.0.0.1:1", Wish("CODE", "Otho", ANY_SEAT), Mind(decide_here, levels.RANDOM, 5))
    bot.wait("\x1b[2JLost.\u202e", 1.0)
    assert bot_client._say(Parted("\x1b]0;Owned\x07\nGone."), 1) == 1
    assert capsys.readouterr().err == " [2JLost.  Trying again in 1 s.\nconquest-server:  ]0;Owned \nGone.\n"


def test_the_exit_status_is_explained(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["bot", "--help"])
    assert " ".join(STATUS.split()) in " ".join(capsys.readouterr().out.split())


PROGRAM = [EXAMPLE, "{url}", "{code}", "1"]
BOT = ["-m", "server", "bot", "{url}", "--code", "{code}", "--level", "easy", "--seed", "1"]


def test_a_link_holds_the_code(monkeypatch: pytest.MonkeyPatch) -> None:
    wished: list[object] = []

    async def visit(routes: tuple[str, ...], wish: Wish, *_mind: object) -> int:
        wished.append((routes, wish.code))
        return 0

    monkeypatch.setattr("server.tools.bot_client._visit", visit)
    monkeypatch.setattr("server.log.start", lambda _level: None)
    for words in (["conquest://127.0.0.1:8600/VENI42"], ["conquest://127.0.0.1/VENI42", "--code", "VIDI42"]):
        assert main(["bot", *words]) == 0
    assert wished == [(("ws://127.0.0.1:8600",), "VENI42"), (("ws://127.0.0.1:8600",), "VIDI42")]


@pytest.mark.parametrize(
    ("command", "ruleset"),
    mostly_long_pairs([(BOT, "classic"), *[(PROGRAM, game) for game in RULESETS]], (BOT, "classic")),
)
async def test_programs_play_a_match_against_a_real_server(tmp_path: Path, command: list[str], ruleset: str) -> None:
    server = ForkedServer(tmp_path)
    await server.start()
    try:
        hanna = await host(server.url, ruleset)
        filled = [word.format(url=server.url, code=table(hanna).code) for word in command]
        program = await asyncio.create_subprocess_exec(
            sys.executable, *filled, cwd=ROOT, stdout=asyncio.subprocess.PIPE
        )
        await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
        await hanna.say(Start)
        async with asyncio.timeout(100):
            output, _ = await program.communicate()
        assert program.returncode == 0, output
        assert output.splitlines()
    finally:
        await server.kill()


async def example(*arguments: str) -> asyncio.subprocess.Process:
    return await asyncio.create_subprocess_exec(
        sys.executable, EXAMPLE, *arguments, cwd=ROOT, stderr=asyncio.subprocess.PIPE
    )


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ((), "Say which server and which table: python guest.py ws://HOST:8600 CODE [SEED]"),
        (("ws://127.0.0.1:8600",), "Say which server and which table: "),
        (("127.0.0.1:8600", "ABCD"), "Say which server and which table: "),
        (("ws://", "ABCD"), "Say which server and which table: "),
        (("ws://127.0.0.1:CODE", "ABCD"), "Say which server and which table: "),
        (("ws://127.0.0.1:1", "ABCD"), "No seat at ws://127.0.0.1:1: ask the host for its address. ("),
    ],
)
async def test_the_example_says_in_a_sentence_what_to_do(arguments: tuple[str, ...], said: str) -> None:
    program = await example(*arguments)
    _, told = await program.communicate()
    assert program.returncode == 1 and told.decode().startswith(said) and told.count(b"\n") == 1


async def test_the_example_that_is_told_to_stop_leaves_its_seat(tmp_path: Path) -> None:
    async with served(tmp_path) as app:
        hanna = await host(app.address)
        program = await example(app.address, table(hanna).code)
        await until(hanna, [SeatKind.PERSON, SeatKind.BOT])
        program.send_signal(signal.SIGINT)
        _, told = await program.communicate()
        await until(hanna, [SeatKind.FREE, SeatKind.BOT])
        hanna.cut()
    assert (program.returncode, told) == (130, b"Told to stop: the host can give the seat to somebody else.\n")


def test_the_example_is_short_and_stands_alone() -> None:
    text = (ROOT / EXAMPLE).read_text(encoding="utf-8")
    assert text.count("\n") < 125
    assert not re.search(r"^(from|import) (shared|protocol|server)", text, re.MULTILINE)


def test_the_example_plays_on_whatever_comes_in_between() -> None:
    """Its answers, without a server: what is lost is said again, what was refused is asked anew."""
    made: Any = runpy.run_path(str(ROOT / EXAMPLE))["Guest"]("CODE")
    assert made.hear(0, 2, "Example", "server", [["classic", 2]], []) == [3, 2, "", "CODE"]
    assert made.hear(7, 2, "m", 1, b"token", 40) == []
    assert made.hear(10, [0], 0) == [] and made.hear(10, [1], 0) == [11, 0]
    asked = made.hear(8, 5, 0, [2, [], [[13, 17, 1]]])
    assert asked == [32, 41, 17]
    act = made.hear(27, 41, 17, True, [[13]], [])
    assert act == [9, 42, 17, [13]]
    assert made.hear(27, 41, 17, True, [[13]], []) == [], "one answer at a time"
    assert made.hear(1, 0, "rate", "", "Slow down, please.") == act
    assert made.hear(0, 2, "Example", "server", [], [])[0] == 5 and made.hear(7, 43, "m", 1, b"new", 41) == act
    assert made.hear(3, 42, 6) == [11, 0]
    asked = made.hear(8, 6, 0, [2, [], [[14, 18, 0]]])
    assert made.hear(1, asked[1], "not-yours", "", "There is nothing that you have to decide now.") == []
    with pytest.raises(SystemExit, match=r"This table is not for us: No\."):
        made.hear(1, 3, "full", "", "No.")
