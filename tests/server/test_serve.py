"""The command `serve` before it serves: what it is told, and where it keeps its data."""

import argparse
import asyncio
import sys
from ipaddress import ip_network
from pathlib import Path
from types import ModuleType

import pytest

from protocol.process import stopping
from server.connections import event_loop
from server.connections.admission import Limits
from server.connections.server_app import Settings
from server.tools import repair, serve
from tests.faults.process import Process

HOME = Path("/home/nero")


@pytest.mark.parametrize(
    ("system", "surroundings", "kept"),
    [
        ("linux", {}, HOME / ".local/share/conquest-empire/server"),
        ("linux", {"XDG_DATA_HOME": "/data"}, Path("/data/conquest-empire/server")),
        ("linux", {"LOCALAPPDATA": "/local"}, HOME / ".local/share/conquest-empire/server"),
        ("win32", {"LOCALAPPDATA": "/local", "XDG_DATA_HOME": "/data"}, Path("/local/conquest-empire/server")),
        ("win32", {}, HOME / "conquest-empire/server"),
        ("darwin", {"XDG_DATA_HOME": "/data"}, HOME / "Library/Application Support/conquest-empire/server"),
    ],
)
def test_data_directory_of_each_system(
    system: str, surroundings: dict[str, str], kept: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "platform", system)
    monkeypatch.setattr(Path, "home", lambda: HOME)
    for key in ("LOCALAPPDATA", "XDG_DATA_HOME"):
        monkeypatch.delenv(key, raising=False)
    for key, value in surroundings.items():
        monkeypatch.setenv(key, value)
    assert serve.data_directory() == kept
    parser = argparse.ArgumentParser()
    repair.add_arguments(parser)
    assert vars(parser.parse_args([])) == {"data": kept, "store": None, "apply": False, "json": False}


def served(monkeypatch: pytest.MonkeyPatch, *words: str) -> tuple[Settings, int, bool]:
    """Return the settings that the command would serve with."""
    asked: list[tuple[Settings, int, bool]] = []

    async def listen(
        settings: Settings, _stop: object, workers: int, until_stdin_closes: bool, _layout: object, _router: int | None
    ) -> None:
        asked.append((settings, workers, until_stdin_closes))

    monkeypatch.setattr(serve, "_serve", listen)
    monkeypatch.setattr("server.log.start", lambda: None)
    monkeypatch.setattr(serve, "raise_file_limit", lambda: None)
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    assert serve.run(parser.parse_args(words)) == 0
    (found,) = asked
    return found


def test_defaults_of_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, workers, until_stdin_closes = served(monkeypatch)
    assert settings == Settings(data=serve.data_directory(), host="127.0.0.1", port=8600, pace=0.6, limits=Limits())
    assert (settings.seed, settings.origins, workers, until_stdin_closes) == (None, (), 1, False)


def test_given_options_are_served(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    words = [
        "--host",
        "0.0.0.0",
        "--port",
        "0",
        "--bot-pace",
        "1.5",
        "--bot-workers",
        "3",
        "--seed",
        "9",
        "--until-stdin-closes",
    ]
    settings, workers, until_stdin_closes = served(
        monkeypatch, *words, "--data", str(tmp_path), "--origin", "https://a.example", "--origin", "https://b.example"
    )
    assert (settings.host, settings.port, settings.pace, settings.seed) == ("0.0.0.0", 0, 1.5, 9)
    assert (settings.data, settings.origins) == (tmp_path, ("https://a.example", "https://b.example"))
    assert (workers, until_stdin_closes) == (3, True)


@pytest.mark.parametrize(
    ("words", "trusted"),
    [
        ([], ()),
        (["--behind-proxy", "127.0.0.1"], ("127.0.0.1/32",)),
        (["--behind-proxy", "127.0.0.1, fd00::/8", "--behind-proxy=10.1.2.3"], ("127.0.0.1", "fd00::/8", "10.1.2.3")),
        (["--trusted-proxy", "192.0.2.0/24"], ("192.0.2.0/24",)),
        (["--trusted-proxy", "192.0.2.0/24", "--behind-proxy", "::1"], ("192.0.2.0/24", "::1")),
    ],
)
def test_only_the_proxies_that_the_operator_names_are_believed(
    words: list[str], trusted: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert served(monkeypatch, *words)[0].limits == Limits(trusted=tuple(map(ip_network, trusted)))


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--behind-proxy"], "needs the address of your proxy, for example --behind-proxy 127.0.0.1"),
        (["--behind-proxy", "--seed", "1"], "needs the address of your proxy"),
        (["--behind-proxy", "nginx"], "for example 127.0.0.1 or 192.0.2.0/24"),
        (["--behind-proxy", "10.0.0.1/8"], "has host bits set"),
        (["--behind-proxy", "0.0.0.0/0"], "that is every address"),
    ],
)
def test_no_network_of_a_proxy_is_guessed(
    words: list[str], told: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        served(monkeypatch, *words)
    assert told in capsys.readouterr().err


@pytest.mark.long
async def test_a_server_names_the_proxies_that_it_believes(tmp_path: Path) -> None:
    server = Process(tmp_path, "--behind-proxy", "192.0.2.0/24,::1")
    await server.start()
    assert server.process.stdout is not None
    line = (await asyncio.wait_for(server.process.stdout.readline(), 20)).decode()
    await server.kill()
    assert line == "conquest-server trusts X-Forwarded-For from proxies at 192.0.2.0/24, ::1/128\n"


def test_a_bot_cannot_act_before_it_is_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    settings, workers, _ = served(monkeypatch, "--bot-pace", "-3")
    assert (settings.pace, workers) == (0.0, 1)


@pytest.mark.parametrize("number", ["0", "-1", "65", "many"])
def test_bots_think_somewhere_and_not_in_a_thousand_places(
    number: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit):
        served(monkeypatch, f"--bot-workers={number}")
    assert f"must be 1 to 64, not '{number}'" in capsys.readouterr().err


@pytest.mark.parametrize(("platform", "set_to"), [("linux", [(7, (512, 512))]), ("win32", [])])
def test_as_many_files_as_the_system_allows(
    platform: str, set_to: list[object], monkeypatch: pytest.MonkeyPatch
) -> None:
    told: list[object] = []
    resource = ModuleType("resource")
    resource.__dict__.update(
        RLIMIT_NOFILE=7,
        getrlimit=lambda kind: (64, 512),
        setrlimit=lambda kind, limits: told.append((kind, limits)),
    )
    monkeypatch.setitem(sys.modules, "resource", resource)
    monkeypatch.setattr(sys, "platform", platform)
    serve.raise_file_limit()
    assert told == set_to


def test_a_system_that_forbids_more_files_is_served_on(monkeypatch: pytest.MonkeyPatch) -> None:
    def forbid(_kind: int, _limits: object) -> None:
        raise ValueError("not allowed to raise maximum limit")

    resource = pytest.importorskip("resource")
    monkeypatch.setattr(resource, "setrlimit", forbid)
    serve.raise_file_limit()


@pytest.mark.skipif(event_loop.chosen(event_loop.AUTO) is asyncio.new_event_loop, reason="there is no uvloop here")
def test_a_server_is_turned_by_uvloop_where_that_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    async def turning() -> str:
        return event_loop.name_of(asyncio.get_running_loop())

    for wanted, found in (
        (event_loop.AUTO, event_loop.UVLOOP),
        (event_loop.UVLOOP, event_loop.UVLOOP),
        (event_loop.ASYNCIO, event_loop.ASYNCIO),
    ):
        assert stopping.run(turning(), event_loop.chosen(wanted)) == found
    monkeypatch.delitem(sys.modules, "server.connections.uvloop_server")
    monkeypatch.setitem(sys.modules, "uvloop", None)
    assert event_loop.chosen(event_loop.AUTO) is asyncio.new_event_loop
    for wanted, told in (
        (event_loop.UVLOOP, "uvloop is not installed; pip install uvloop"),
        ("gevent", "must be auto, uvloop or asyncio"),
    ):
        with pytest.raises(argparse.ArgumentTypeError, match=told):
            event_loop.chosen(wanted)
