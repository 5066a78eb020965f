"""What friends are told, and what they make of it: the link to a table, and whatever else somebody may have pasted."""

import re
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from msgspec import Struct

from protocol.routes import PORT, routes_of
from shared.codes import plain_code

SCHEME: Final = "conquest://"
MAX_PASTED: Final = 2000
"""Characters that are looked at; a chat line with a link in it is shorter."""
_AROUND: Final = "\"'`´“”„‘’«»‹›<>(){}*_,;! \u200b\u2060\ufeff"
"""What stands around an address in a message and is no part of it."""
_CODE: Final = re.compile(r"[A-Za-z0-9]{1,16}")
_PLAIN_CODE: Final = re.compile(r"[A-HJ-NP-Z2-9]{6,8}")
"""A code as servers make it: what looks like that among other words is one."""
_IN_GROUPS: Final = re.compile(r"[A-Za-z0-9]{3,4}[ -][A-Za-z0-9]{3,4}")
"""A code as people read it out."""
_PLAIN_ADDRESS: Final = re.compile(
    r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\[[0-9A-Fa-f:.]+\](?::\d+)?|[A-Za-z][\w-]*(?:\.[\w-]+)+(?::\d+)?"
)
"""What is an address also among other words."""
_WORDS: Final = re.compile(r"\"[^\"]*\"|'[^']*'|\S+")
_PROGRAMS: Final = ("conquest", "conquest.exe", "client")
_COMMANDS: Final = ("join", "watch")
_WEB: Final = {"http://": "", "https://": "wss://", "ws://": "ws://", "wss://": "wss://"}
"""Beginnings of other links, and with what an address begins instead."""
_HOW: Final = (
    f"Please give the address as HOST or HOST:PORT, for example 192.168.1.20:{PORT}, or paste the link that you got."
)


class Unreadable(ValueError):
    """What was pasted leads to no server; says so in a sentence."""


class Place(Struct, frozen=True):
    """Where a table is. `address` as `routes_of` takes it; `code`: of the table, "" where none was said."""

    address: str
    code: str = ""


def link_to(host: str, port: int, code: str = "") -> str:
    """``"conquest://192.168.1.20:8600/VENI42"``; `host` is a name or an address without brackets."""
    return f"{SCHEME}{joined(host, port)}/{code}".rstrip("/")


def link_of(address: str, code: str = "") -> str:
    """The same from an address as `routes_of` takes it; one that names its scheme is told as a command."""
    if "://" in address:
        return f"conquest join {address}" + (f" --code {code}" if code else "")
    return f"{SCHEME}{address}/{code}".rstrip("/")


def page_of(url: str, page: str, code: str) -> str:
    """``"http://192.168.1.20:8600/watch#VENI42"``: a page for browsers, of the server that is found at the WebSocket
    address `url`. What stands behind the # is sent to nobody."""
    return f"{url.replace('ws', 'http', 1).rstrip('/')}/{page}#{code}"


def sight_of(url: str, table: str = "") -> str:
    """Where a browser looks on: the page of the server with that WebSocket address, ``"https://play.example.org/"``, or
    the table with that code or id there, ``"http://192.168.1.20:8600/watch#VENI42"``."""
    scheme, _, rest = url.partition("://")
    page = f"{'https' if scheme == 'wss' else 'http'}://{rest.partition('/')[0]}/"
    return f"{page}watch#{table}" if table else page


def sight_at(host: str, port: int, table: str = "") -> str:
    """The same of a server in one's own network; `host` is a name or an address without brackets."""
    return sight_of(f"ws://{joined(host, port)}", table)


def joined(host: str, port: int) -> str:
    """``"192.168.1.20:8600"`` or ``"[fd00::2]:8600"``."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def reachable(addresses: Iterable[str]) -> list[str]:
    """Those addresses of a computer that others can use, each once: IPv4 before IPv6, otherwise as they come, and last
    what a computer gives itself where nobody else does."""
    found = [number for number in map(_number, addresses) if number is not None and _is_for_others(number)]
    return [str(number) for number in sorted(dict.fromkeys(found), key=lambda n: (n.is_link_local, n.version))]


def _number(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address)
    except ValueError:
        return None


def _is_for_others(number: IPv4Address | IPv6Address) -> bool:
    """Addresses of IPv6 that hold for one cable only would need the name of the other's network card."""
    away = number.is_loopback or number.is_unspecified or number.is_multicast
    return not away and not (number.version == 6 and number.is_link_local)


def read(pasted: str) -> Place:
    """The place that somebody's words lead to: an address, a link, `conquest join ...`, with anything around it.

    Raises Unreadable, and nothing else.
    """
    if len(pasted) > MAX_PASTED:
        raise Unreadable("That is too long for an address.")
    words = [word for word in (_bare(word) for word in _WORDS.findall(_unwrapped(pasted))) if word]
    place = _link(words) or _command(words) or _web(words) or _plain(words)
    if place is None:
        raise Unreadable(_HOW)
    return _checked(place)


def _unwrapped(pasted: str) -> str:
    """Without the quotes around all of it; of two kinds of blanks there is one."""
    return " ".join(pasted.split()).strip(_AROUND)


def _bare(word: str) -> str:
    return word.strip(_AROUND)


def _checked(place: Place) -> Place:
    """The same place, if there can be one."""
    if _IN_GROUPS.fullmatch(place.code):
        place = Place(place.address, plain_code(place.code))
    if place.code and not _CODE.fullmatch(place.code):
        raise Unreadable(f"{place.code[:20]!r} is no code of a table: those are letters and digits.")
    try:
        routes_of(place.address)
    except ValueError as error:
        raise Unreadable(str(error)) from error
    return place


def _link(words: Sequence[str]) -> Place | None:
    """The first link of ours."""
    for word in words:
        at = word.lower().find(SCHEME)
        if at >= 0:
            address, _, rest = word[at + len(SCHEME) :].partition("/")
            return Place(address, re.split(r"[/?#]", rest)[0].rstrip("."))
    return None


def _command(words: Sequence[str]) -> Place | None:
    """What follows the first `conquest join` or `conquest watch`."""
    for i in range(1, len(words)):
        if words[i].lower() in _COMMANDS and re.split(r"[/\\]", words[i - 1])[-1].lower() in _PROGRAMS:
            return _arguments(words[i + 1 :], words[i].lower() == "watch")
    return None


def _arguments(words: Sequence[str], watch: bool) -> Place | None:
    """`HOST:PORT --code CODE`, in any order, with other options; `watch` takes the code as its second word too."""
    plain: list[str] = []
    options: dict[str, str] = {}
    rest = iter(words)
    for word in rest:
        if word.startswith("--"):
            name, given, value = word.partition("=")
            options[name] = value if given else next(rest, "")
        else:
            plain.append(word)
    if not plain:
        return None
    second = plain[1] if len(plain) > 1 else ""
    is_code = _PLAIN_CODE.fullmatch(second) or (watch and len(plain) == 2 and _CODE.fullmatch(second))
    return Place(plain[0], options.get("--code", "").rstrip(".") or (second if is_code else ""))


def _web(words: Sequence[str]) -> Place | None:
    """The first address that begins as those of websockets or of the web do, which programs for chat make of ours."""
    for word in words:
        for beginning, ours in _WEB.items():
            if word.lower().startswith(beginning):
                rest = word[len(beginning) :]
                code = _watched(rest) or _said_code(words)
                return Place(ours + (rest if beginning.startswith("ws") else re.split(r"[/?#]", rest)[0]), code)
    return None


def _watched(rest: str) -> str:
    """The code behind the `#` of a link to look on in a browser."""
    code = rest.partition("/watch#")[2].rstrip(".").upper()
    return code if _PLAIN_CODE.fullmatch(code) else ""


def _plain(words: Sequence[str]) -> Place | None:
    """An address alone, or with its code, or the first one among other words."""
    if len(words) == 1:
        return Place(words[0])
    found = [word.rstrip(".") for word in words if _PLAIN_ADDRESS.fullmatch(word.rstrip("."))]
    if found:
        return Place(found[0], _said_code(words) or (_grouped_code(words[1:]) if words[0] == found[0] else ""))
    if len(words) == 2 and _PLAIN_CODE.fullmatch(words[1]):
        return Place(words[0], words[1])
    return None


def _grouped_code(words: Sequence[str]) -> str:
    """A code that somebody wrote in two groups: "scb rgs"."""
    code = plain_code("".join(words))
    grouped = len(words) == 2 and len(words[0]) == len(words[1])
    return code if grouped and _PLAIN_CODE.fullmatch(code) else ""


def _said_code(words: Sequence[str]) -> str:
    """What looks like a code among those words."""
    return next((word.rstrip(".") for word in words if _PLAIN_CODE.fullmatch(word.rstrip("."))), "")
