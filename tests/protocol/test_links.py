"""Any pasted text leads to a place or to an error message."""

import re
from ipaddress import ip_address

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from protocol.links import MAX_PASTED, TableAddress, Unreadable, joined, link_to, reachable, read, sight_at, sight_of
from protocol.routes import routes_of

HERE = "192.168.1.20:8600"
CODE = "VEN42A"


@pytest.mark.parametrize(
    ("pasted", "address", "code"),
    [
        ("192.168.1.20", "192.168.1.20", ""),
        (" \t192.168.1.20:9000\r\n", "192.168.1.20:9000", ""),
        ("'play.example.org'", "play.example.org", ""),
        ("“play.example.org:8600”", "play.example.org:8600", ""),
        ("atrium", "atrium", ""),
        ("atrium.local.", "atrium.local.", ""),
        ("[fd00::2]:8600", "[fd00::2]:8600", ""),
        ("fd00::2", "fd00::2", ""),
        ("ws://192.168.1.20:8600", "ws://192.168.1.20:8600", ""),
        ("WSS://play.example.org/game", "wss://play.example.org/game", ""),
        ("http://192.168.1.20:8600/", HERE, ""),
        ("https://play.example.org", "wss://play.example.org", ""),
        (f"http://{HERE}/watch#{CODE}", HERE, CODE),
        (f"Look on at https://play.example.org/watch#{CODE.lower()}.", "wss://play.example.org", CODE),
        (f"https://example.org/conquest/watch#{CODE}", "wss://example.org/conquest", CODE),
        ("https://example.org/conquest/", "wss://example.org/conquest", ""),
        (f"http://{HERE}/conquest/watch#{CODE}", f"ws://{HERE}/conquest", CODE),
        (f"conquest://example.org/conquest/{CODE}", "wss://example.org/conquest", CODE),
        (f"http://{HERE}/hand#{CODE}", HERE, ""),
        (f"http://{HERE}/watch#k3x9q0a7bz1c", HERE, ""),
        (f"http://{HERE}?from=chat", HERE, ""),
        (f"conquest://{HERE}/{CODE}", HERE, CODE),
        (f"conquest://{HERE}", HERE, ""),
        (f"<CONQUEST://[fd00::2]:8600/{CODE}/?x=1>", "[fd00::2]:8600", CODE),
        (f"Come and play: conquest://{HERE}/{CODE}.", HERE, CODE),
        (f"conquest join {HERE} --code {CODE}", HERE, CODE),
        (f"conquest join {HERE} --code={CODE}", HERE, CODE),
        (f"conquest join --code {CODE} {HERE}", HERE, CODE),
        (f"$ conquest join --name 'Marcus Tullius' {HERE} --code {CODE}", HERE, CODE),
        (f"`conquest   join\n{HERE}\n--code\n{CODE}`", HERE, CODE),
        (f"Bring wine! conquest join {HERE} --code {CODE} and a friend.", HERE, CODE),
        (f"python -m client join {HERE}", HERE, ""),
        (f"C:\\games\\conquest.exe join {HERE}", HERE, ""),
        (f"conquest watch {HERE} veni", HERE, "veni"),
        (f"conquest watch {HERE} {CODE}", HERE, CODE),
        (f"{HERE} {CODE}", HERE, CODE),
        (f"{HERE} ven 42a", HERE, CODE),
        (f"conquest join --code 'ven 42a' {HERE}", HERE, CODE),
        (f"conquest join {HERE} --code ven-42a", HERE, CODE),
        (f"{HERE} come soon", HERE, ""),
        (f"atrium {CODE}", "atrium", CODE),
        (f"Friends join at {HERE}, the code is {CODE}.", HERE, CODE),
        (f"Livia's table is at play.example.org and Marcus's too, code: {CODE}", "play.example.org", CODE),
    ],
)
def test_the_place_is_found_in_what_was_pasted(pasted: str, address: str, code: str) -> None:
    assert read(pasted) == TableAddress(address, code)


@pytest.mark.parametrize(
    ("pasted", "words"),
    [
        ("", "HOST or HOST:PORT"),
        ("  \n", "HOST or HOST:PORT"),
        ("come and play with us", "paste the link"),
        ("conquest join", "paste the link"),
        ("conquest://", "HOST or HOST:PORT"),
        (f"conquest://{HERE}/not-a-code", "'not-a-code' is no code"),
        (f"conquest join {HERE} --code {'A' * 17}", "is no code"),
        ("192.168.1.20:99999", "not '99999'"),
        ("livia@play.example.org", "HOST or HOST:PORT"),
        ("wss://", "names no server"),
        ("x" * (MAX_PASTED + 1), "too long"),
    ],
)
def test_invalid_links_are_refused_in_a_sentence(pasted: str, words: str) -> None:
    with pytest.raises(Unreadable, match=re.escape(words)) as raised:
        read(pasted)
    assert str(raised.value).endswith(".")


PIECES = st.sampled_from(
    ["conquest", "join", "watch", "--code", "--code=", "--name", "conquest://", "ws://", "wss://", "http://", "[", "]",
     "::1", ":", "/", "@", "%", "#", "?", "8600", "192.168.1.20", "fe80::1%eth0", "VEN42A", '"', "'", " ", "\n", "\x00",
     "\u202e", "²", "１", ".", "a.b", "\\"]
)  # fmt: skip


@given(st.one_of(st.text(), st.lists(PIECES).map("".join), st.lists(PIECES).map(" ".join)))
@example("conquest://[/")
@example("wss://[")
@example("ws://[::1")
def test_nothing_that_is_pasted_raises_anything_else(pasted: str) -> None:
    try:
        place = read(pasted)
    except Unreadable as error:
        assert str(error).endswith(".")
        return
    assert routes_of(place.address)
    assert len(place.code) <= 16


HOSTS = st.one_of(st.ip_addresses().map(str), st.from_regex(r"[a-z][a-z0-9]{0,9}(\.[a-z]{2,8}){0,2}", fullmatch=True))
CODES = st.one_of(st.just(""), st.from_regex(r"[A-HJ-NP-Z2-9]{6,8}", fullmatch=True))


@pytest.mark.long
@example("::ffff:0:0", 1, "", "{}")
@given(HOSTS, st.integers(1, 65535), CODES, st.sampled_from(["{}", " {}\n", '"{}"', "<{}>", "Here: {}", "{},"]))
def test_a_link_is_read_as_it_was_written(host: str, port: int, code: str, around: str) -> None:
    assert read(around.format(link_to(host, port, code))) == TableAddress(joined(host, port), code)
    command = f"conquest join {joined(host, port)}" + (f" --code {code}" if code else "")
    assert read(around.format(command)) == TableAddress(joined(host, port), code)


def test_of_the_addresses_those_are_told_that_others_can_use() -> None:
    found = ["fd00::2", "127.0.0.1", "::1", "192.168.1.20", "fe80::1", "169.254.7.7", "10.0.0.3", "192.168.1.20",
             "0.0.0.0", "::", "224.0.0.251", "not an address", "2001:db8::5"]  # fmt: skip
    assert reachable(found) == ["192.168.1.20", "10.0.0.3", "fd00::2", "2001:db8::5", "169.254.7.7"]


@pytest.mark.long
@given(st.lists(st.one_of(st.ip_addresses().map(str), st.text(max_size=8))))
def test_addresses_that_are_told_are_addresses(found: list[str]) -> None:
    told = reachable(found)
    assert len(set(told)) == len(told)
    assert all(not ip_address(address).is_loopback for address in told)


@pytest.mark.parametrize(
    ("url", "code", "link"),
    [
        ("ws://192.168.1.20:8600", CODE, f"http://192.168.1.20:8600/watch#{CODE}"),
        ("wss://play.example.org/game/", CODE, f"https://play.example.org/game/watch#{CODE}"),
        ("ws://[fd00::2]:8600", "", "http://[fd00::2]:8600/"),
    ],
)
def test_the_link_to_look_on_leads_to_the_page_of_the_same_server(url: str, code: str, link: str) -> None:
    assert sight_of(url, code) == link
    assert read(link).code == code
    assert sight_at("192.168.1.20", 8600) == "http://192.168.1.20:8600/"
