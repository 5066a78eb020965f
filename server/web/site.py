"""Files of the web page, in memory: read once, compressed once, the same bytes for all."""

import hashlib
import http
import re
from collections.abc import Iterable, Mapping
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable
from types import MappingProxyType
from typing import Final

from deflate import gzip_compress
from msgspec import Struct, structs
from websockets.datastructures import Headers
from websockets.http11 import Response

_KINDS: Final = {
    "html": "text/html; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "js": "text/javascript; charset=utf-8",
    "json": "application/json",
    "svg": "image/svg+xml",
    "webp": "image/webp",
    "png": "image/png",
    "webmanifest": "application/manifest+json",
}
MODULES: Final = (
    "words/language.js", "wire/decode.js", "wire/delta.js", "wire/link.js", "wire/film.js", "model/board.js",
    "model/history.js", "model/showing.js",
    "model/narration.js", "model/read.js", "model/identity.js", "model/codes.js",
    "model/match.js", "model/player.js", "model/worker.js", "model/device.js", "model/choices.js",
    "words/words.js", "words/people.js", "words/places.js",
    "view/dom.js", "view/pieces.js", "view/form.js", "view/ending.js", "view/sequel.js", "view/camps.js",
    "view/camera.js", "view/spaces.js", "view/names.js", "view/map.js",
    "model/founding.js", "view/dialog.js", "view/lessons.js",
    "view/battle.js", "view/charts.js", "view/fields.js", "view/decide.js", "view/sheets.js", "view/theme.js",
    "view/panels.js", "view/bar.js", "view/tabs.js",
    "view/newer.js", "view/alert.js", "view/chat.js", "view/person.js", "model/rules.js",
    "view/rules.js",
    "view/invite.js", "view/notices.js", "view/absent.js", "view/profile.js", "view/room.js",
    "view/create.js", "view/seek.js",
    "view/start.js", "view/lobby.js", "view/people.js",
    "view/guard.js", "view/table.js", "model/hand.js", "view/hand.js", "main.js",
)  # fmt: skip
"""Modules of the page's program, each after those that it imports.

They are sent as one file: each file needs a connection of its own, and connections per address are limited.
"""
STYLES: Final = (
    "base", "header", "map", "bar", "panels", "battle", "sheets", "lobby", "room", "hand", "decide", "layout",
)  # fmt: skip
"""Style sheets in `styles/`, in the order in which they apply. They are sent as one file, like the modules."""
INSTALLED: Final = (
    "service-worker.js", "manifest.webmanifest", "icon-192.png", "icon-512.png", "icon-maskable.png",
)  # fmt: skip
"""Files for devices that install the page or are alerted. Their paths never change, and a service worker's path says
which pages it serves."""
_BUNDLE: Final = "page.js"
_BELOW: Final = re.compile(r"/page/([0-9a-f]{12})/(.+)")
_IMPORT: Final = re.compile(r"^import\s[^;]*;\n", re.MULTILINE)
_NOTE: Final = re.compile(r"^\s*(?://.*\n)?", re.MULTILINE)
"""Indentation, and comments that are lines of their own: a quarter of the program's bytes over the wire."""
_ASIDE: Final = re.compile(r"""^((?:[^"'`/\n]|"[^"\\/\n]*")*[;,{}]) +//.*$""", re.MULTILINE)
"""Comments behind code in which nothing could be mistaken for one: another thirtieth."""
_REMARK: Final = re.compile(rb"/\*.*?\*/\s*", re.DOTALL)
"""Comments of style sheets, which have no texts that could look like one."""
_LOOSE: Final = re.compile(rb"\s*([{};,>])\s*|(?<=:)\s+")
"""Marks of style sheets with the space around them. No text there has such a mark."""
_EXPORT: Final = re.compile(r"^export\s+(?=async|function|class|const|let)", re.MULTILINE)
_POLICY: Final = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "manifest-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
)
FORM_POLICY: Final = _POLICY.replace("form-action 'none'", "form-action 'self'")
"""Policy of pages with a form that browsers send by themselves."""
_ALWAYS: Final = {
    "Content-Security-Policy": _POLICY,
    "X-Content-Type-Options": "nosniff",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Connection": "close",
}
"""Headers of all answers: nothing foreign is loaded, no type is guessed, and no referrer is sent."""
_FOR_EVER: Final = "public, max-age=31536000, immutable"
_ASK_AGAIN: Final = "no-cache"


class File(Struct, frozen=True):
    """File as it is sent. `tag`: quoted, as in ETag. `keep`: as in Cache-Control. `policy`: Content-Security-Policy."""

    kind: str
    plain: bytes
    packed: bytes
    tag: str
    keep: str
    policy: str = _POLICY

    def answer(self, request: Headers, *, head: bool = False) -> Response:
        """Return the file, or that it has not changed. `head`: the headers only."""
        headers = Headers({**_ALWAYS, "Content-Security-Policy": self.policy})
        headers.update({"Cache-Control": self.keep, "ETag": self.tag, "Vary": "Accept-Encoding"})
        if self.tag in _listed(request, "If-None-Match"):
            return _http_response(http.HTTPStatus.NOT_MODIFIED, headers, b"")
        headers["Content-Type"] = self.kind
        packs = self.packed is not self.plain and any(
            each.partition(";")[0].strip() == "gzip" for each in _listed(request, "Accept-Encoding")
        )
        if packs:
            headers["Content-Encoding"] = "gzip"
        body = self.packed if packs else self.plain
        headers["Content-Length"] = str(len(body))
        return _http_response(http.HTTPStatus.OK, headers, b"" if head else body)


def refusal(status: http.HTTPStatus, words: str, **more: str) -> Response:
    """Return an answer without a file, with a plain text."""
    body = f"{words}\n".encode()
    headers = Headers({**_ALWAYS, "Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body))})
    headers.update(more)
    return _http_response(status, headers, body)


@cache
def site() -> Mapping[str, File]:
    """Return all files by path. Servers of one process share them: to compress them takes most of a server's start.

    The files that the page refers to have a hash of their contents in their path: they never change, and browsers ask
    for each version once.
    """
    folder = resources.files("server.web") / "files"
    parts = {
        _BUNDLE: lean(joined(folder / name for name in MODULES)),
        "page.css": _LOOSE.sub(
            rb"\1", _REMARK.sub(b"", b"".join((folder / "styles" / f"{name}.css").read_bytes() for name in STYLES))
        ),
        **{name: (folder / name).read_bytes() for name in ("world.json", "icon.svg", "painting.webp", "turn.svg")},
        **{f"languages/{each.name}": each.read_bytes() for each in _language_files(folder)},
        **{f"rules/{each.name}": each.read_bytes() for each in _listed_in(folder / "rules")},
        **{f"lessons/{each.name}": _lean_if_program(each) for each in _listed_in(folder / "lessons")},
    }
    version = hashlib.sha256(b"".join(parts.values())).hexdigest()[:12]
    below = f"/page/{version}/"
    codes = " ".join(each.name.removesuffix(".json") for each in _language_files(folder))
    page = (folder / "index.html").read_text("utf-8").replace("page/VERSION/", below[1:]).replace("LANGUAGES", codes)
    files = {f"{below}{name}": file_of(name, data, _FOR_EVER) for name, data in parts.items()}
    start = file_of("index.html", page.encode(), _ASK_AGAIN)
    installed = {f"/{name}": file_of(name, (folder / name).read_bytes()) for name in INSTALLED}
    return MappingProxyType({"/": start, "/watch": start, "/hand": start, **files, **installed})


def page_version() -> str:
    """Return the version of the page, as in the paths of its files."""
    return next(found[1] for path in site() if (found := _BELOW.fullmatch(path)))


def of_other_version(path: str) -> File | None:
    """Return the present file for a path of another version of the page, None if there is none.

    A page that stays open over an upgrade, or comes from the cache of a browser, asks for files of its own version.
    """
    found = _BELOW.fullmatch(path)
    file = site().get(f"/page/{page_version()}/{found[2]}") if found else None
    return file and structs.replace(file, keep=_ASK_AGAIN)


def _language_files(folder: Traversable) -> list[Traversable]:
    """Return the files of all languages but English."""
    return _listed_in(folder / "languages")


def _listed_in(folder: Traversable) -> list[Traversable]:
    """Return the files of a folder by name, so that the version depends on nothing else."""
    return sorted(folder.iterdir(), key=lambda each: each.name)


def joined(modules: Iterable[Traversable]) -> bytes:
    """Join modules into one: their imports from each other stand above the using code."""
    words = [_EXPORT.sub("", _IMPORT.sub("", each.read_text("utf-8"))) for each in modules]
    return b'"use strict";\n' + "\n".join(words).encode()


def lean(program: bytes) -> bytes:
    """Return a program without its indentation and nearly all comments."""
    return _ASIDE.sub(r"\1", _NOTE.sub("", program.decode())).encode()


def _lean_if_program(file: Traversable) -> bytes:
    return lean(file.read_bytes()) if file.name.endswith(".js") else file.read_bytes()


def file_of(name: str, data: bytes, keep: str = _ASK_AGAIN) -> File:
    """Return a file as it is sent. `name`: tells its type."""
    tag = f'"{hashlib.sha256(data).hexdigest()[:20]}"'
    kind = _KINDS[name.rpartition(".")[2]]
    packed = data if kind == "image/webp" else bytes(gzip_compress(data, 12))  # Pictures are packed already.
    return File(kind, data, packed, tag, keep)


def _listed(headers: Headers, name: str) -> list[str]:
    """Return the items of a header that is a list, from all its lines."""
    return [item.strip().removeprefix("W/") for line in headers.get_all(name) for item in line.split(",")]


def _http_response(status: http.HTTPStatus, headers: Headers, body: bytes) -> Response:
    return Response(status.value, status.phrase, headers, body)
