"""Odd addresses at every place where one can be typed: one sentence, at once."""

import argparse
import socket
import time
from collections.abc import Callable
from itertools import product

import pytest

import server.command_line as server
from client import command_line
from client.network.server_connection import ConnectionState, ServerConnection
from client.network.status_query import NoAnswer, ServerQuery, holdings
from client.player.settings import Settings
from client.text_client.text_program import TextProgram
from conquest.client import connect
from protocol.links import Unreadable, read
from protocol.routes import routes_of
from protocol.session import ClientSession
from server.connections.admission import Admission, Limits
from server.connections.listener import listen
from server.tools import serve
from server.webhooks import address_check

ODD = {
    "": "HOST or HOST:PORT",
    " ": "HOST or HOST:PORT",
    "a\x00b": "HOST or HOST:PORT",
    "play..example.org": "'play..example.org' cannot be the name of a server",
    "ws://play..example.org": "'play..example.org' cannot be the name of a server",
    "http://play..example.org:80/watch": "'play..example.org' cannot be the name of a server",
    "conquest://play..example.org/VEN42A": "'play..example.org' cannot be the name of a server",
    "-x.example.org": "cannot be the name of a server",
    f"{'x' * 64}.example.org": "cannot be the name of a server",
    ".".join(["x" * 60] * 5): "cannot be the name of a server",
    "ü..example.org": "cannot be the name of a server",
    "256.1.1.1": "cannot be the name of a server",
    "host%": "cannot be the name of a server",
    "[::1": "in brackets, such as [fd00::2]:8600, not '[::1'",
    "ws://[::1": "in brackets",
    "[host]:8600": "in brackets",
    "[::1]8600": "in brackets",
    "example.org:0": "must be 1 to 65535, such as 8600, not '0'",
    "example.org:-1": "must be 1 to 65535",
    "example.org:abc": "must be 1 to 65535",
    "[::1]:99999": "must be 1 to 65535",
    "wss://example.org:99999": "must be 1 to 65535",
    "https://example.org:99999": "must be 1 to 65535",
    "ftp://example.org": "begins with ws:// or wss://",
    "example.org/game": "HOST or HOST:PORT",
}  # fmt: skip
TYPED = [typed for typed in ODD if typed.strip() and "\x00" not in typed]
"""Those that a shell can pass and that are not the same as none."""


@pytest.mark.parametrize("typed", ODD)
def test_libraries_and_clients_refuse_an_odd_address_in_one_sentence(typed: str) -> None:
    if not typed.startswith(("http", "conquest")):  # Those are links, which only `read` knows.
        with pytest.raises(ValueError, match=r"\.$"):
            routes_of(typed)
    for refuse in (read, lambda text: connect(text, "VEN42A")):
        with pytest.raises(Unreadable) as raised:
            refuse(typed)
        assert ODD[typed] in str(raised.value) and str(raised.value).endswith(".")
    with pytest.raises(NoAnswer):
        holdings(ServerQuery(typed, "Livia"))
    said: list[str] = []
    reader = TextProgram(Settings(name="Livia"), said.append)
    reader.join(typed, "")
    assert reader.ended and len(said) == 1


def test_programs_refuse_an_odd_address_in_one_sentence(capsys: pytest.CaptureFixture[str]) -> None:
    doors: list[tuple[Callable[[list[str]], int], list[str]]] = [
        (command_line.main, ["join"]),
        (command_line.main, ["watch"]),
        (command_line.main, ["table"]),
        (command_line.main, ["host", "--text", "--at"]),
        (server.main, ["bot", "--code", "VEN42A"]),
    ]
    for (main, words), typed in product(doors, [typed for typed in TYPED if not typed.startswith("-")]):
        assert main([*words, typed]) == 2, (words, typed)
        said = capsys.readouterr().err
        assert ODD[typed] in said and said.count("\n") == 1, (words, typed)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        *((["--host", typed], ODD[typed]) for typed in TYPED if "://" not in typed and not typed.startswith("-")),
        *((["--public", typed], ODD[typed]) for typed in TYPED if typed[:4] != "http" and typed[0] not in "-c"),
        *(([option, "a..b"], "cannot be the name") for option in ("--metrics-host", "--allow-host")),
        *(([option, number], "must be 0 to 65535") for option in ("--port", "--metrics-port")
          for number in ("99999", "-1", "abc", "")),
        (["--open-router", "0"], "must be 1 to 65535"),
        (["--host", "127.0.0.1:8600"], "takes a host alone"),
        (["--host", "http://127.0.0.1"], "must be 1 to 65535"),
        (["--allow-host", " "], "HOST or HOST:PORT"),
        (["--origin", "example.org"], "must be https://HOST"),
        (["--origin", "https://a..b"], "cannot be the name"),
    ],
)  # fmt: skip
def test_servers_refuse_odd_addresses_to_listen_on_and_to_be_known_by(
    options: list[str], words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        server.main(["serve", *options])
    assert ended.value.code == 2
    assert words in capsys.readouterr().err.splitlines()[-1]


@pytest.mark.parametrize("number", ["0", "-1", "abc", "99999", ""])
@pytest.mark.parametrize(("main", "words"), [(command_line.main, ["host"]), (server.main, ["check-client"])])
def test_odd_ports_are_refused_with_what_is_possible(
    main: Callable[[list[str]], int], words: list[str], number: str, capsys: pytest.CaptureFixture[str]
) -> None:
    if (words, number) == (["check-client"], "0"):
        return  # Any free port.
    with pytest.raises(SystemExit):
        main([*words, "--port", number])
    assert "to 65535" in capsys.readouterr().err.splitlines()[-1]


def test_usual_addresses_in_unusual_forms_are_taken() -> None:
    parser = argparse.ArgumentParser()
    serve.add_arguments(parser)
    args = parser.parse_args(["--host", "[::1]", "--allow-host", "https://Bücher.example/", "--origin",
                              "HTTPS://Bücher.example:443/", "--metrics-host", ""])  # fmt: skip
    assert (args.host, args.metrics_host) == ("::1", "")
    assert args.allow_host == ["xn--bcher-kva.example"]
    assert args.origin == ["https://xn--bcher-kva.example:443"]
    assert routes_of("bücher.example:８６００")[0] == "wss://xn--bcher-kva.example:8600"


def test_mail_servers_and_webhooks_are_checked_too() -> None:
    with pytest.raises(ValueError, match=r"--smtp: 'a\.\.b' cannot be the name"):
        serve._mail_server("a..b", "starttls")
    with pytest.raises(address_check.Unfit):
        address_check.read("https://a..b/hook")


def test_unknown_names_to_listen_on_are_told_with_the_option() -> None:
    with pytest.raises(OSError, match=r"nowhere\.invalid: no computer is known by that name; give another --host"):
        listen(Admission(Limits(), time.monotonic), "nowhere.invalid", 0)


def test_a_port_in_use_is_told_with_what_to_do(capsys: pytest.CaptureFixture[str]) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        assert server.main(["check-client", "--port", str(port), "--wait", "1"]) == 2
    said = capsys.readouterr().err
    assert said == f"conquest-server: cannot listen on 127.0.0.1:{port}: that port is taken; give another one\n"


def test_an_address_that_no_check_knows_ends_the_attempt() -> None:
    """Names are looked up in a thread of its own; an error there must not leave the window waiting."""
    link = ServerConnection("ws://a..b:8600", ClientSession("Livia"))
    link.join(30)
    assert [state.kind for state in link.poll() if isinstance(state, ConnectionState)] == ["connecting", "gave-up"]
