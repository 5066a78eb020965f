"""Links to tables: making them, and reading whatever text a player pasted."""

import re
from collections.abc import Iterable, Sequence
from ipaddress import IPv4Address, IPv6Address, ip_address
from typing import Final

from msgspec import Struct

from protocol.routes import routes_of
from shared.codes import plain_code

SCHEME: Final = "conquest://"
MAX_PASTED: Final = 2000
"""Characters that are read; a chat line with a link in it is shorter."""
_AROUND: Final = "\"'`´“”„‘’«»‹›<>(){}*_,;! \u200b\u2060\ufeff"
"""Characters around an address in a message that are no part of it."""
_CODE: Final = re.compile(r"[A-Za-z0-9]{1,16}")
_PLAIN_CODE: Final = re.compile(r"[A-HJ-NP-Z2-9]{6,8}")
"""A code as servers make it; among other words only such a word counts as a code."""
_IN_GROUPS: Final = re.compile(r"[A-Za-z0-9]{3,4}[ -][A-Za-z0-9]{3,4}")
"""A code as people read it out."""
_PLAIN_ADDRESS: Final = re.compile(
    r"\d{1,3}(?:\.\d{1,3}){3}(?::\d+)?|\[[0-9A-Fa-f:.]+\](?::\d+)?|[A-Za-z][\w-]*(?:\.[\w-]+)+(?::\d+)?"
)
"""An address that is recognized among other words too."""
_WORDS: Final = re.compile(r"\"[^\"]*\"|'[^']*'|\S+")
_PROGRAMS: Final = ("conquest", "conquest.exe", "client")
_COMMANDS: Final = ("join", "watch")
_WEB: Final = {"http://": "", "https://": "wss://", "ws://": "ws://", "wss://": "wss://"}
"""Beginnings of other links, and the beginning of an address for each."""


class Unreadable(ValueError):
    """Raised for pasted text that leads to no server; the text is a sentence."""


class TableAddress(Struct, frozen=True):
    """Address of a table. `address` as `routes_of` takes it; `code`: of the table, "" if none was given."""

    address: str
    code: str = ""


def link_to(host: str, port: int, code: str = "") -> str:
    """Return ``"conquest://192.168.1.20:8600/VENI42"``; `host` is a name or an address without brackets."""
    return f"{SCHEME}{joined(host, port)}/{code}".rstrip("/")


def link_of(address: str, code: str = "") -> str:
    """Return such a link for an address as `routes_of` takes it; for one with a scheme, a command."""
    if "://" in address:
        return f"conquest join {address}" + (f" --code {code}" if code else "")
    return f"{SCHEME}{address}/{code}".rstrip("/")


def page_of(url: str, page: str, code: str) -> str:
    """Return the address of a page for browsers: ``"http://192.168.1.20:8600/watch#VENI42"``.

    `url` is the WebSocket address of its server. Browsers do not send the part after the # to any server.
    """
    return f"{url.replace('ws', 'http', 1).rstrip('/')}/{page}#{code}"


def sight_of(url: str, table: str = "") -> str:
    """Return the address at which a browser can watch the server with that WebSocket address.

    Without `table` that is its page, ``"https://play.example.org/"``. With a code or id it is the table there,
    ``"http://192.168.1.20:8600/watch#VENI42"``. A path that a proxy adds is kept.
    """
    return page_of(url, "watch", table) if table else f"{url.replace('ws', 'http', 1).rstrip('/')}/"


def sight_at(host: str, port: int, table: str = "") -> str:
    """Return such an address of a server in the local network; `host` is a name or an address without brackets."""
    return sight_of(f"ws://{joined(host, port)}", table)


def joined(host: str, port: int) -> str:
    """Return ``"192.168.1.20:8600"`` or ``"[fd00::2]:8600"``."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def reachable(addresses: Iterable[str]) -> list[str]:
    """Return the addresses of a computer that others can use, each once: IPv4 before IPv6, otherwise in the given
    order.

    Addresses that a computer gave itself (link-local) come last.
    """
    found = [number for number in map(_number, addresses) if number is not None and _is_for_others(number)]
    return [str(number) for number in sorted(dict.fromkeys(found), key=lambda n: (n.is_link_local, n.version))]


def _number(address: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(address)
    except ValueError:
        return None


def _is_for_others(number: IPv4Address | IPv6Address) -> bool:
    """Whether other computers can use the address. Link-local IPv6 would need the name of their network card."""
    away = number.is_loopback or number.is_unspecified or number.is_multicast
    return not away and not (number.version == 6 and number.is_link_local)


def read(pasted: str) -> TableAddress:
    """Return the place in pasted text: an address, a link, `conquest join ...`, with anything around it.

    Raises Unreadable, and nothing else.
    """
    if len(pasted) > MAX_PASTED:
        raise Unreadable("That is too long for an address.")
    # Chat programs break long lines and add quotes or invisible spaces.
    unwrapped = " ".join(pasted.split()).strip(_AROUND)
    words = [word for found in _WORDS.findall(unwrapped) if (word := found.strip(_AROUND))]
    place = _link(words) or _command(words) or _web_address(words) or _plain(words)
    if place is None:
        raise Unreadable(
            "Please give the address as HOST or HOST:PORT, for example 192.168.1.20:8600, or paste the link that you "
            "got."
        )
    return _checked(place)


def _checked(place: TableAddress) -> TableAddress:
    """Return the place with a plain code. Raises Unreadable if address or code are impossible."""
    if _IN_GROUPS.fullmatch(place.code):
        place = TableAddress(place.address, plain_code(place.code))
    if place.code and not _CODE.fullmatch(place.code):
        raise Unreadable(f"{place.code[:20]!r} is no code of a table: those are letters and digits.")
    try:
        routes_of(place.address)
    except ValueError as error:
        raise Unreadable(str(error)) from error
    return place


def _link(words: Sequence[str]) -> TableAddress | None:
    """Return the place in the first link of ours."""
    for word in words:
        at = word.lower().find(SCHEME)
        if at >= 0:
            # The dot ends the sentence in which the link stood.
            path, _, code = re.split(r"[?#]", word[at + len(SCHEME) :])[0].rstrip("/.").rpartition("/")
            if "/" in path:  # A proxy added it; of such servers programs take whole addresses only.
                return TableAddress(f"wss://{path}", code)
            return TableAddress(path or code, code if path else "")
    return None


def _command(words: Sequence[str]) -> TableAddress | None:
    """Return the place after the first `conquest join` or `conquest watch`."""
    for i in range(1, len(words)):
        # The program may be given with its path, of either kind of system.
        if words[i].lower() in _COMMANDS and re.split(r"[/\\]", words[i - 1])[-1].lower() in _PROGRAMS:
            return _arguments(words[i + 1 :], words[i].lower() == "watch")
    return None


def _arguments(words: Sequence[str], watch: bool) -> TableAddress | None:
    """Parse `HOST:PORT --code CODE`, in any order, with other options; `watch` takes the code as its second word
    too.
    """
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
    return TableAddress(plain[0], options.get("--code", "").rstrip(".") or (second if is_code else ""))


def _web_address(words: Sequence[str]) -> TableAddress | None:
    """Return the first web or WebSocket address. Chat programs turn our links into such addresses."""
    for word in words:
        for beginning, ours in _WEB.items():
            if word.lower().startswith(beginning):
                rest = word[len(beginning) :]
                code = _watched(rest) or _said_code(words)
                place = re.split(r"[?#]", rest)[0].removesuffix("/watch").removesuffix("/hand").rstrip("/")
                # Web pages live at the root. A path is kept only for a proxy, and then as a WebSocket address.
                if not beginning.startswith("ws"):
                    rest = place
                    ours = ours or ("ws://" if "/" in place else "")
                return TableAddress(ours + rest, code)
    return None


def _watched(rest: str) -> str:
    """Return the code behind the `#` of a link for watching in a browser."""
    code = rest.partition("/watch#")[2].rstrip(".").upper()
    return code if _PLAIN_CODE.fullmatch(code) else ""


def _plain(words: Sequence[str]) -> TableAddress | None:
    """Return a single address, an address with its code, or the first address among other words."""
    if len(words) == 1:
        return TableAddress(words[0])
    found = [word.rstrip(".") for word in words if _PLAIN_ADDRESS.fullmatch(word.rstrip("."))]
    if found:
        return TableAddress(found[0], _said_code(words) or (_grouped_code(words[1:]) if words[0] == found[0] else ""))
    if len(words) == 2 and _PLAIN_CODE.fullmatch(words[1]):
        return TableAddress(words[0], words[1])
    return None


def _grouped_code(words: Sequence[str]) -> str:
    """Return a code that was written in two groups: "scb rgs"."""
    code = plain_code("".join(words))
    grouped = len(words) == 2 and len(words[0]) == len(words[1])
    return code if grouped and _PLAIN_CODE.fullmatch(code) else ""


def _said_code(words: Sequence[str]) -> str:
    """Return the first word that looks like a code."""
    return next((word.rstrip(".") for word in words if _PLAIN_CODE.fullmatch(word.rstrip("."))), "")
