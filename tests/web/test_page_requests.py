"""Answers of the server's port to browsers: the page from memory, with headers for caching and against misuse."""

import asyncio
import contextlib
import gzip
import io
import json
import platform
import re
from io import BytesIO
from ipaddress import ip_network
from pathlib import Path

import pytest
import segno
from msgspec import structs
from PIL import Image
from websockets.asyncio.client import connect
from websockets.datastructures import Headers
from websockets.exceptions import InvalidStatus

from server.connections.admission import GENEROUS, Limits
from server.web import hosts
from server.web.hosts import answers_to
from server.web.http_responses import may_connect
from server.web.site import MODULES, STYLES, joined, site
from shared.messages import Accepted
from tests.server.fakes import serving
from tests.server.test_sockets import match_of_two, my_frame
from tests.server.toy import Name

FILES = Path(__file__).parents[2] / "server" / "web" / "files"
MOST = 175 * 1024
"""Bytes over the wire for everything."""
FEW = 24 * 1024
"""Bytes over the wire for the lessons in all languages."""
LESSONS = "lessons/lessons.js"
"""Program that the page loads by itself."""
EACH = 80 * 1024
"""Bytes of a single file: at a megabit a second it arrives within a second."""
Answer = tuple[int, dict[str, str], bytes]


async def ask(url: str, path: str, method: str = "GET", named: str = "", **headers: str) -> Answer:
    """Return status, headers by their names in small letters, and body. `named`: the Host, where it is not that of the
    URL."""
    host, _, port = url.removeprefix("ws://").rpartition(":")
    lines = [f"{method} {path} HTTP/1.1", f"Host: {named or f'{host}:{port}'}"]
    lines += [f"{name.replace('_', '-')}: {value}" for name, value in headers.items()]
    reader, writer = await asyncio.open_connection(host, int(port))
    writer.write("\r\n".join([*lines, "", ""]).encode())
    async with asyncio.timeout(10):
        said = await reader.read()
    writer.close()
    head, _, body = said.partition(b"\r\n\r\n")
    status, *rest = head.decode().split("\r\n")
    found = {name.lower(): value for name, _, value in (line.partition(": ") for line in rest)}
    return int(status.split()[1]), found, body


async def test_the_page_and_all_that_it_needs_are_served_from_memory(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        status, headers, body = await ask(app.address, "/")
        assert status == 200 and headers["content-type"] == "text/html; charset=utf-8"
        assert (await ask(app.address, "/watch"))[2] == body
        below = re.findall(r'"(page/\w+/[\w.]+)"', body.decode())
        assert len(below) > 3
        for path in below:
            status, headers, plain = await ask(app.address, f"/{path}")
            assert status == 200 and "immutable" in headers["cache-control"]
            _, headers, packed = await ask(app.address, f"/{path}", Accept_Encoding="br, gzip;q=0.5")
            assert headers["content-encoding"] == "gzip" and gzip.decompress(packed) == plain
            assert int(headers["content-length"]) == len(packed)


async def test_the_link_to_a_table_is_drawn_for_cameras(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        status, headers, drawn = await ask(app.address, "/qr/http/VENI42")
        assert status == 200 and headers["content-type"] == "image/svg+xml" and drawn.startswith(b"<svg")
        below = io.BytesIO()
        link = f"https://{app.address.removeprefix('ws://')}/conquest/watch#VENI43"
        segno.make(link, error="m", micro=False).save(
            below, kind="svg", border=2, dark="#382416", light="#fff8e6", xmldecl=False
        )
        assert (await ask(app.address, "/qr/https/conquest/VENI43"))[2] == below.getvalue()
        for path in (
            "/qr/http/a/b/c/d/VENI42",
            "/qr/http/..%2F/VENI42",
            "/qr/ftp/VENI42",
            "/qr/http/",
            "/qr/http/a%20b",
            f"/qr/http/{'A' * 27}",
        ):
            assert (await ask(app.address, path))[0] == 404
        assert (await ask(app.address, "/qr/http/VENI42", "POST"))[0] == 405


async def test_an_unchanged_page_is_not_sent_again(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        _, headers, _ = await ask(app.address, "/")
        assert headers["cache-control"] == "no-cache"
        status, again, body = await ask(app.address, "/", If_None_Match=f'"other", W/{headers["etag"]}')
        assert (status, body, again["etag"]) == (304, b"", headers["etag"])


async def test_nothing_from_elsewhere_may_be_loaded_or_told(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        for path in ("/", "/watch", *site(), "/nowhere"):
            _, headers, _ = await ask(app.address, path)
            policy = headers["content-security-policy"].split("; ")
            assert {"default-src 'none'", "script-src 'self'", "connect-src 'self'", "frame-ancestors 'none'"} <= {
                *policy
            }
            assert "unsafe" not in headers["content-security-policy"]
            assert headers["x-content-type-options"] == "nosniff" and headers["referrer-policy"] == "no-referrer"


async def test_other_paths_and_methods_are_refused_in_plain_words(tmp_path: Path) -> None:
    async with serving(tmp_path) as app:
        status, headers, body = await ask(app.address, "/")
        head = await ask(app.address, "/", "HEAD")
        assert head[0] == 200 and head[2] == b"" and int(head[1]["content-length"]) == len(body)
        for path in ("/nowhere", "/page/../watch", "/watch/", "/page/0/page.js", "/%2e%2e/etc/passwd"):
            assert (await ask(app.address, path))[0] == 404
        for method in ("POST", "PUT", "DELETE", "OPTIONS"):
            status, headers, _ = await ask(app.address, "/", method)
            assert status == 405 and headers["allow"] == "GET, HEAD"
        assert (await ask(app.address, "/watch?from=chat"))[0] == 200


async def test_only_pages_of_this_server_may_connect_and_those_that_are_allowed(tmp_path: Path) -> None:
    async with serving(tmp_path, origins=("https://friends.example",)) as app:
        own = "http" + app.address.removeprefix("ws")
        for origin in (own, "https://friends.example"):
            async with connect(app.address, origin=origin, proxy=None):  # type: ignore[arg-type]
                pass
        for origin in ("https://friends.example.org", "null", own.replace("127.0.0.1", "127.0.0.2")):
            with pytest.raises(InvalidStatus, match="403"):
                await connect(app.address, origin=origin, proxy=None)  # type: ignore[arg-type]


EVIL = "rebound.evil.example"
KNOWN = hosts.names(("play.example.org:8600", "https://Games.example.org/", "", "0.0.0.0"))


@pytest.mark.parametrize(
    ("host", "known"),
    [
        ("127.0.0.1:8600", True), ("192.0.2.7", True), ("[::1]:8600", True), ("[2001:db8::7]", True),
        ("localhost", True), ("LOCALHOST.:8600", True), ("play.example.org", True), ("Play.Example.Org.:9", True),
        ("games.example.org", True), (platform.node(), True), (f"{platform.node().partition('.')[0]}.local:8600", True),
        (EVIL, False), ("play.example.org.evil.example", False), ("localhost.evil.example", False), ("", False),
        ("127.0.0.1.evil.example", False), (f"play.example.org@{EVIL}", False), (f"{EVIL}/127.0.0.1", False),
        (f"{EVIL}, 127.0.0.1", False), (f"127.0.0.1#{EVIL}", False), ("127.0.0.1:x", True), ("[::1", False),
        ("0x7f000001", False), ("2130706433", False), ("*", False),
    ],
)  # fmt: skip
def test_a_server_answers_to_addresses_localhost_and_the_names_that_it_is_given(host: str, known: bool) -> None:
    assert answers_to(Headers({"Host": host}), KNOWN, proxied=False) is known


@pytest.mark.parametrize("host", ["", "127.0.0.1", EVIL])
@pytest.mark.parametrize("forwarded", ["", "localhost", EVIL])
@pytest.mark.parametrize("proxied", [True, False])
def test_the_host_asked_of_a_trusted_proxy_counts_too(host: str, forwarded: str, proxied: bool) -> None:
    headers = Headers({name: said for name, said in (("Host", host), ("X-Forwarded-Host", forwarded)) if said})
    assert answers_to(headers, KNOWN, proxied=proxied) is (EVIL not in (host, forwarded if proxied else ""))


async def test_a_page_that_gives_its_name_our_address_reads_nothing_and_does_not_connect(tmp_path: Path) -> None:
    """DNS rebinding: to a browser such a page and this server are of one origin."""
    async with serving(tmp_path, hosts=("friends.example",), public="play.example.org:443") as app:
        port = app.address.rpartition(":")[2]
        for path in ("/", "/watch", "/healthz", *site()):
            assert (await ask(app.address, path, named=f"{EVIL}:{port}"))[0] == 403
        for name in ("localhost", "friends.example", "play.example.org"):
            assert (await ask(app.address, "/healthz", named=f"{name}:{port}"))[0] == 200
            async with connect(f"ws://{name}:{port}", host="127.0.0.1", origin=f"http://{name}:{port}", proxy=None):  # type: ignore[arg-type]
                pass
        for origin in (f"http://{EVIL}:{port}", None):
            with pytest.raises(InvalidStatus, match="403"):
                await connect(f"ws://{EVIL}:{port}", host="127.0.0.1", origin=origin, proxy=None)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("origin", "host", "forwarded", "proxied", "may"),
    [
        ("http://play.example.org", "play.example.org", "", False, True),
        ("https://play.example.org", "play.example.org:443", "", False, True),
        ("https://PLAY.example.org", "play.example.org", "", False, True),
        ("http://192.0.2.1:8600", "192.0.2.1:8600", "", False, True),
        ("http://[2001:db8::1]:8600", "[2001:db8::1]:8600", "", False, True),
        ("http://play.example.org:8600", "play.example.org", "", False, False),
        ("http://play.example.org", "play.example.org.evil.example", "", False, False),
        ("http://evil.example", "play.example.org", "evil.example", False, False),
        ("https://play.example.org", "127.0.0.1:8600", "play.example.org", True, True),
        ("https://evil.example", "127.0.0.1:8600", "play.example.org", True, False),
        ("null", "null", "", False, False),
        ("http://", "", "", False, False),
        ("http://a:b:c", "a:b:c", "", False, False),
        ("http://me@play.example.org", "me@play.example.org", "", False, False),
        ("file://play.example.org", "play.example.org", "", False, False),
    ],
)
def test_the_page_and_the_server_have_one_host(
    origin: str, host: str, forwarded: str, proxied: bool, may: bool
) -> None:
    headers = Headers({"Origin": origin, "Host": host})
    if forwarded:
        headers["X-Forwarded-Host"] = forwarded
    assert may_connect(headers, (), proxied=proxied) is may


def test_a_program_says_no_origin_and_two_are_one_too_many() -> None:
    assert may_connect(Headers({"Host": "a"}), (), proxied=False)
    headers = Headers({"Host": "a", "Origin": "http://a"})
    headers["Origin"] = "http://a"
    assert not may_connect(headers, (), proxied=False)


async def test_a_flood_of_requests_is_stopped_and_players_play_on(tmp_path: Path) -> None:
    """Requests for the page are limited by address: after so many, an address gets no more answers. Players are heard
    all the time."""
    limits = structs.replace(Limits(), trusted=(ip_network("127.0.0.0/8"),), bytes_here=GENEROUS.bytes_here)
    async with serving(tmp_path, limits=limits) as app:
        anna, bert, _ = await match_of_two(app.address)
        answered = 0
        for number in range(int(limits.knocks.at_once) + 40):
            with contextlib.suppress(ConnectionError, IndexError, ValueError):
                status, _, _ = await ask(app.address, "/", X_Forwarded_For="192.0.2.66")
                answered += status == 200
            if number % 20 == 0:
                player = (anna, bert)[number // 20 % 2]
                await player.act(await my_frame(player), Name(1 + number % 7))
                await player.wait_for(Accepted)
        assert limits.knocks.at_once <= answered < limits.knocks.at_once + 40
        assert (await ask(app.address, "/", X_Forwarded_For="192.0.2.67"))[0] == 200


def test_a_page_that_is_on_its_way_says_that_it_loads() -> None:
    assert all(words in site()["/watch"].plain.decode() for words in ("Loading …", "Wird geladen …"))


def test_everything_together_is_small() -> None:
    """Lessons are loaded only when one is opened, and so are no part of what play needs."""
    files = {path: file for path, file in site().items() if not path.endswith((".webp", ".png"))}
    lessons = {path: files.pop(path) for path in list(files) if "/lessons/" in path}
    assert sum(len(file.packed) for file in lessons.values()) < FEW
    assert sum(len(file.packed) for path, file in files.items() if path not in ("/watch", "/hand")) < MOST
    assert max(len(file.packed) for file in files.values()) < EACH


def test_the_painted_map_fits_a_slow_connection_and_the_board() -> None:
    """It is loaded after everything else, and only where the connection allows it."""
    (painting,) = [file for path, file in site().items() if path.endswith(".webp")]
    assert len(painting.plain) <= 400 * 1024 and painting.packed is painting.plain
    size = Image.open(BytesIO(painting.plain)).size
    board = json.loads((FILES / "world.json").read_text("utf-8"))["board"]
    assert abs(size[0] / size[1] - board["width"] / board["height"]) < 0.001


def test_the_modules_become_one_program() -> None:
    """Each name means one thing, and a module uses only those above it."""
    told: dict[str, str] = {}
    for module in MODULES:
        words = (FILES / module).read_text("utf-8")
        for names, source in re.findall(r"^import \{([^}]*)\} from \"([^\"]+)\";$", words, re.MULTILINE):
            path = (FILES / module).parent.joinpath(source).resolve().relative_to(FILES).as_posix()
            for name in filter(None, (name.strip() for name in names.split(","))):
                assert told.get(name) == path, f"{module} imports {name} from {path}"
        for name in re.findall(r"^(?:export )?(?:async )?(?:function\*?|class|const|let) (\w+)", words, re.MULTILINE):
            assert name not in told, f"{name} stands in {told[name]} and in {module}"
            told[name] = module
    assert not re.search(r"^(import|export)\b", joined(FILES / name for name in MODULES).decode(), re.MULTILINE)
    assert {path.relative_to(FILES).as_posix() for path in FILES.rglob("*.js")} == {
        *MODULES,
        "service-worker.js",
        LESSONS,
    }


def test_every_style_sheet_is_sent_once() -> None:
    ladder = "ladder"  # That page has a sheet of its own.
    assert sorted(path.stem for path in FILES.rglob("*.css")) == sorted((*STYLES, ladder))
    (sheet,) = [file.plain.decode() for path, file in site().items() if path.endswith("/page.css")]
    assert sheet.count("{") == sheet.count("}") > 150 and "@import" not in sheet
