"""Ways to a table from elsewhere: the place of a new table, and addresses that lead nowhere."""

from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus
from websockets.http11 import Response

from client import command_line
from client.app import App
from client.command_line import main, parser
from client.language import _
from client.network import server_access
from client.network.server_access import ServerAccess
from client.network.server_connection import NO_GAME, UNKNOWN, Arrival, ConnectionState, why_not
from client.network.server_process import ServerProcess
from client.player.clock_presets import NAMED
from client.player.profiles import Profiles
from client.player.seats import HOSTED, PRIVATE, SavedSeat, Seats
from client.player.settings import SIZES, Settings, known_servers, load
from client.player.table_options import TableOptions
from client.screens.create import CreateScreen
from client.text_client.text_program import TextProgram
from client.user_directories import folder
from tests.client.conftest import Server, Shoot
from tests.client.test_name import wait_for
from tests.client.test_screens import no_overlaps

SILENT = "The server does not answer."


class FakeConnection:
    """Connection whose states are given. `url`: where it leads."""

    states: Sequence[ConnectionState] = ()

    def __init__(self, url: str, *_more: object) -> None:
        self.url = url
        self.closed = False

    def poll(self) -> Iterator[Arrival]:
        yield from self.states

    def close(self) -> None:
        self.closed = True


@pytest.fixture
def states(monkeypatch: pytest.MonkeyPatch) -> type[FakeConnection]:
    """Return the class whose `states` all connections of the test have."""

    class Made(FakeConnection):
        pass

    monkeypatch.setattr(server_access, "ServerConnection", Made)
    return Made


def heard(access: ServerAccess) -> list[ConnectionState]:
    return [arrival for arrival in access.poll() if isinstance(arrival, ConnectionState)]


@pytest.mark.parametrize(
    ("address", "why"),
    [
        ("192.168.1.20", SILENT),
        ("10.0.0.5:8601", "No server is listening at that address."),
        ("[fe80::1]:8600", SILENT),
        ("atrium.local", UNKNOWN),
    ],
)
def test_an_address_of_another_home_is_told_at_once(states: type[FakeConnection], address: str, why: str) -> None:
    states.states = [ConnectionState("connecting"), ConnectionState("lost", why), ConnectionState("connecting")]
    access = ServerAccess()
    access.open(address, "Marcus")
    *_before, last = heard(access)
    assert last.kind == "gave-up" and last.why.startswith(why)
    assert "inside one home network" in last.why and "conquest host --public" in last.why
    assert access.link is None and not heard(access), "It does not try again."


@pytest.mark.parametrize(
    ("address", "states_before", "seat"),
    [
        ("8.8.8.8", [ConnectionState("lost", SILENT)], False),
        ("127.0.0.1:8601", [ConnectionState("lost", SILENT)], False),
        ("192.168.1.20", [ConnectionState("lost", NO_GAME)], False),
        ("192.168.1.20", [ConnectionState("up"), ConnectionState("lost", SILENT)], False),
        ("192.168.1.20", [ConnectionState("lost", SILENT)], True),
    ],
    ids=["public", "this-computer", "something-answers", "answered-before", "held-seat"],
)
def test_other_servers_get_more_tries(
    states: type[FakeConnection], address: str, states_before: list[ConnectionState], seat: bool
) -> None:
    states.states = states_before
    access = ServerAccess()
    access.open(address, "Marcus", SavedSeat(address, "m1", bytes(32)) if seat else None)
    if access.link is None:
        assert [state.kind for state in heard(access)] == ["bare"]
        access.go_bare()
    assert heard(access) == states_before and access.link is not None


def test_used_servers_are_offered_the_last_one_first() -> None:
    seats, profiles = Seats(), Profiles()
    for seen, address in enumerate((PRIVATE, "old.example.org", HOSTED, "new.example.org", "OLD.example.org")):
        seats.keep(SavedSeat(address, f"m{seen}", bytes(32), seen=float(seen)))
    profiles.made("third.example.org", True)
    settings = Settings(name="Livia", address="typed.example.org")
    known = known_servers(settings, seats, profiles)
    assert [address.lower() for address in known] == [
        "typed.example.org", "old.example.org", "new.example.org", "third.example.org"
    ]  # fmt: skip


@pytest.mark.long
def test_the_form_offers_this_computer_and_known_servers(
    app: App, monkeypatch: pytest.MonkeyPatch, shoot: Shoot
) -> None:
    app.settings.address = "play.example.org"
    wanted: list[tuple[bool, str]] = []
    monkeypatch.setattr(app.go, "host", lambda plan: wanted.append((plan.public, plan.at)))
    screen = CreateScreen(app, "host")
    app.go.show(screen)
    no_overlaps(app)
    for place in (0, 1, 2):
        screen._put(place)
        no_overlaps(app)
        screen._rules("mb1984")
        screen.confirm()
    shoot(app, "create_host")
    assert wanted == [(False, ""), (True, ""), (False, "play.example.org")]


def test_a_public_server_is_told_to_open_the_router(monkeypatch: pytest.MonkeyPatch, home: Path) -> None:
    started: list[tuple[object, ...]] = []

    def start(self: ServerProcess, *args: object) -> None:
        started.append(args)
        self.state, self.words = "starting", ""

    monkeypatch.setattr(ServerProcess, "__init__", start)
    monkeypatch.setattr(ServerProcess, "stop", lambda self: None)
    for public in (True, False):
        access = ServerAccess()
        access.opens_router = public
        access.tls = Settings(certificate="/tls/chain.pem", key="/tls/key.pem", domain="play.example.org").tls
        access.open(HOSTED, "Livia")
        assert not access.keeps_router_shut
        access.close()
    tls = ("--certificate=/tls/chain.pem", "--key=/tls/key.pem", "--public=play.example.org")
    assert [args[3:] for args in started] == [(("--open-router", *tls),), ((),)]


def test_a_certificate_is_kept_for_the_next_tables(
    monkeypatch: pytest.MonkeyPatch, home: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(command_line, "_open_window", lambda *_args, **_more: 0)
    for file in ("chain.pem", "key.pem"):
        (tmp_path / file).touch()
    chain, key = tmp_path / "chain.pem", tmp_path / "key.pem"
    given = ["--certificate", str(chain), "--key", str(key), "--domain", "play.example.org"]
    assert main(["host", "--public", *given]) == 0
    kept = (f"--certificate={chain}", f"--key={key}", "--public=play.example.org")
    assert load().tls() == kept
    assert main(["host", "--public"]) == 0
    assert load().tls() == kept
    for words, error in (
        (given, "--certificate needs --public"),
        (["--public", "--key", str(key)], "--key and --domain need --certificate FILE"),
        (["--public", "--certificate", str(tmp_path / "none")], "--certificate: there is no file"),
    ):
        assert main(["host", *words]) == 2
        assert error in capsys.readouterr().err
    assert main(["host", "--public", "--certificate", ""]) == 0
    assert load().tls() == ()


def test_a_server_that_wants_tls_is_explained() -> None:
    headers = Headers({"Location": "https://play.example.org:8600/"})
    said = why_not(InvalidStatus(Response(308, "Permanent Redirect", headers)))
    assert said == "This server speaks TLS only. Join it at wss://play.example.org:8600."


def test_a_table_is_here_or_on_a_server_but_not_both(capsys: pytest.CaptureFixture[str]) -> None:
    args = parser().parse_args(["host", "--at", "play.example.org"])
    assert args.at == "play.example.org" and not args.public
    with pytest.raises(SystemExit):
        main(["host", "--public", "--at", "play.example.org"])
    assert "not allowed with" in capsys.readouterr().err
    assert main(["host", "--at", "two words"]) == 2
    assert _("Please give the address as HOST or HOST:PORT") in capsys.readouterr().err


def test_a_host_with_clocks_has_room_for_large_letters(app: App) -> None:
    app.settings.display_settings.size = SIZES[-1]
    screen = CreateScreen(app, "host")
    screen.plan.pace = NAMED["evening"][1]
    app.go.show(screen)
    no_overlaps(app, below=screen.below)


def test_a_table_is_opened_on_a_server_that_the_host_knows(server: Server, home: Path) -> None:
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    reader.host(TableOptions(title="Ides", at=server.address), 0)
    guest = TextProgram(Settings(name="Marcus"), said.append)
    for program, there in ((reader, "Livia"), (guest, "Marcus")):
        if program is guest:
            assert reader.remote.match is not None and reader.remote.match.table is not None
            guest.join(server.address, reader.remote.match.table.code)
        wait_for(program, lambda program=program: program.remote.match is not None)  # type: ignore[misc]
        state = program.remote.match.table if program.remote.match is not None else None
        assert state is not None and state.seats[state.you].name == there
    assert state is not None and state.title == "Ides"
    assert reader.remote.access.address == server.address
    assert not (folder() / HOSTED).exists(), "no server of our own was started"
