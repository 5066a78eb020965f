"""Command `doctor`: remarks on everything that an operator should know before serving with these options."""

import argparse
import asyncio
import contextlib
import ctypes
import logging
import os
import shutil
import socket
import statistics
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator, Sequence
from email.utils import make_msgid
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit

import msgspec
from aiosmtplib import SMTPException
from msgspec import Struct

from protocol.process import stopping
from server import log
from server.connections.server_app import Settings
from server.lobby import lobby, profiles
from server.opening import DATABASE, examine_bus, examine_database, open_offline
from server.storage.offline import sound_singles
from server.storage.platform import PRIVATE
from server.storage.port import DeedKind, DeedRecord, StoreError
from server.storage.rows import DEEDS, single_of
from server.tools import serve
from server.tools.control import CONTROL, NotRunning, calling
from server.tools.lifetime import LOG, RUNNING
from server.webhooks.mail_sender import message_of
from server.webhooks.payloads import Body
from shared.tables import OPERATOR_PAGES

ABOUT: Final = """\
Give it the options of serve, and the same environment. It looks at the data directory and
its modes, the disk, the database, the bus, proxies, the certificate, names, mails, pages,
your deeds of the last week, the clock and the limits in force. It changes nothing, and
sends one mail where --test-mail names an address. Each line begins with "ok" or "LOOK".
Exit status: 1 if a line begins with "LOOK".
"""
"""Help text besides the options."""
WAIT: Final = 5.0
"""Seconds for each request over a network."""
SPACE: Final = 1024**3
"""Bytes that should be free."""
SYNCS: Final = 10
SLOW: Final = 0.05
"""Seconds for one disk sync, or for one answer of the database, beyond which players notice."""
APART: Final = 2.0
"""Seconds by which two clocks may differ."""
SPARE_FILES: Final = 200
"""Open files beside connections: matches, the database, bots' processes."""
WIDE: Final = 2**16
"""Addresses in a proxy's network beyond which it hardly contains proxies only."""
FOREIGN: Final = ("nfs", "nfs4", "cifs", "smb3", "9p", "fuse.sshfs")
"""Network file systems, whose locks and syncs cannot be relied on."""
DAY: Final = 86400.0
WEEK: Final = 7 * DAY
RENEW: Final = 14
"""Days before the end of a certificate by which renewing programs have renewed it."""
_UNSYNCHRONISED: Final = 5
"""Return value of `adjtimex` while no service sets the clock."""


class Remark(Struct, frozen=True):
    """A sentence about one topic. `well`: whether there is nothing to do."""

    about: str
    well: bool
    text: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.well else 'LOOK'}  {self.about}: {self.text}"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `doctor`: those of `serve`."""
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.epilog = ABOUT
    serve.add_arguments(parser)
    parser.add_argument("--test-mail", metavar="ADDRESS", default="", help="send a mail to this address, such as yours")
    parser.add_argument("--json", action="store_true", help="print one JSON object for each line")


def run(args: argparse.Namespace) -> int:
    """Print all remarks; return 0 if there is nothing to look at."""
    log.LOGGER.addHandler(logging.NullHandler())  # Errors are reported as remarks, so log lines would only repeat them.
    remarks = stopping.run(examined(serve.settings_of(args), args.test_mail))
    for remark in remarks:
        print(msgspec.json.encode(remark).decode() if args.json else remark)
    return 0 if all(remark.well for remark in remarks) else 1


async def examined(settings: Settings, test_mail: str = "") -> list[Remark]:
    """Return the remarks on all topics. `test_mail`: address to which a mail is sent, "" for none."""
    found: list[Remark] = []
    found += await _server(settings)
    found += _directory(settings.data)
    found += _disk(settings.data)
    found += await _store(settings)
    found += await _bus(settings)
    found += _proxy_remarks(settings)
    found += _certificate(settings)
    found += await _names(settings)
    found += await _notices(settings, test_mail)
    found += _people(settings)
    found += await _deeds(settings)
    found += _time(settings.data)
    found += _limits(settings)
    return found


async def _server(settings: Settings) -> list[Remark]:
    """Check whether a server runs, else whether one could listen."""
    try:
        async with calling(settings.data) as ask:
            node = await ask("node")
    except NotRunning:
        return [_port(settings.host, settings.port)]
    except StoreError as error:
        return [Remark("server", False, f"the one on {settings.data} does not answer: {error}")]
    saves = "can save" if node["healthy"] else "cannot save anything"
    standing = f"{node['tables']} tables awake, {node['connections']} connections"
    return [Remark("server", node["healthy"], f"one runs at {node['address']}, {saves}: {standing}.")]


def _port(host: str, port: int) -> Remark:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        with socket.socket(family) as probe:
            if os.name == "posix":
                # On Windows the option would allow two servers on one port.
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind((host, port))
    except OSError as error:
        return Remark(
            "server", False, f"none runs on these data, and none can listen on {host}:{port}: {error.strerror}."
        )
    who = "this machine alone" if host in ("127.0.0.1", "::1", "localhost") else "other machines too"
    return Remark(
        "server", True, f"none runs on these data; one can listen on {host or 'all addresses'}:{port}, for {who}."
    )


# --- the data directory ---


def _directory(data: Path) -> Iterator[Remark]:
    if not data.exists():
        yield Remark("modes", True, f"{data} does not exist yet; the server makes it for its own user alone (0700).")
        return
    if not data.is_dir():
        yield Remark("modes", False, f"{data} is not a directory: give another one with --data.")
        return
    if not os.access(data, os.R_OK | os.W_OK | os.X_OK):
        yield Remark("modes", False, f"this user cannot write in {data}: run the server as its owner, or chown it.")
        return
    if sys.platform == "win32":
        return
    mode = data.stat().st_mode & 0o7777
    if mode & 0o022 and not mode & 0o1000:
        text = f"other users may replace files in {data} (mode {mode:04o}): chmod 700 {data}"
        yield Remark("modes", False, text + ".")
    yield from _files(data, mode)


def _files(data: Path, mode: int) -> Iterator[Remark]:
    names = {CONTROL, RUNNING, LOG, *(path.name for path in data.glob(f"{DATABASE}*"))}
    ours = [data / name for name in sorted(names) if (data / name).is_file()]
    foreign = [path.name for path in ours if path.stat().st_uid != os.geteuid()]
    if foreign:
        yield Remark("modes", False, f"{', '.join(foreign)} belong to another user: chown them to the server's.")
    wide = [path.name for path in ours if path.stat().st_mode & 0o777 & ~PRIVATE]
    if wide:
        text = f"others may open {', '.join(wide)}: chmod 600 them, or start this version of the server once."
        yield Remark("modes", False, text)
    else:
        yield Remark(
            "modes", True, f"{data} has mode {mode:04o}, and the {len(ours)} files in it are their owner's alone."
        )


def _disk(data: Path) -> Iterator[Remark]:
    home = next((path for path in (data, *data.absolute().parents) if path.is_dir()), Path("/"))
    usage = shutil.disk_usage(home)
    text = f"{usage.free / 2**30:.1f} of {usage.total / 2**30:.1f} GiB are free at {home}"
    enough = usage.free >= min(SPACE, usage.total // 5)
    yield Remark("disk", enough, f"{text}." if enough else f"{text}: make room, a full disk stops every match.")
    kind = _file_system(home)
    if kind in FOREIGN:
        text = f"{home} is on {kind}: locks and syncs over a network cannot be relied on; use a disk of this machine"
        yield Remark("disk", False, f"{text}, or PostgreSQL.")
    if os.access(home, os.W_OK):
        took = _sync_time(home)
        yield Remark(
            "disk", took < SLOW, f"a write is on the disk after {took * 1000:.1f} ms; every action waits for one."
        )


def _sync_time(home: Path) -> float:
    """Return the median seconds until a small write is durable."""
    took = []
    with tempfile.TemporaryFile(dir=home) as file:
        for _ in range(SYNCS):
            begun = time.perf_counter()
            file.write(bytes(4096))
            file.flush()
            os.fsync(file.fileno())
            took.append(time.perf_counter() - begun)
    return statistics.median(took)


def _file_system(home: Path) -> str:
    """Return the type of the file system as Linux names it; "" if unknown."""
    with contextlib.suppress(OSError, IndexError):
        mounts = [line.split(" ")[:3] for line in Path("/proc/self/mounts").read_text().splitlines()]
        above = [(len(at), kind) for _, at, kind in mounts if home.absolute().is_relative_to(at)]
        return max(above)[1]
    return ""


# --- engines ---


async def _store(settings: Settings) -> list[Remark]:
    if not settings.store:
        return []
    try:
        found = await examine_database(settings.store, SLOW, APART)
        return [Remark("database", well, text) for well, text in found]
    except StoreError as error:
        return [Remark("database", False, str(error))]


async def _bus(settings: Settings) -> list[Remark]:
    if settings.bus_settings is None:
        return []
    try:
        await examine_bus(settings.bus_settings)
    except StoreError as error:
        return [Remark("bus", False, str(error))]
    return [Remark("bus", True, "NATS answers and accepts the credentials.")]


# --- the network ---


def _proxy_remarks(settings: Settings) -> list[Remark]:
    trusted = settings.limits.trusted
    if not trusted:
        text = "none is trusted. If there is one, all players share its limits: give --behind-proxy NETWORK."
        return [Remark("proxies", True, text)]
    named = ", ".join(map(str, trusted))
    wide = [str(network) for network in trusted if network.num_addresses > WIDE]
    if wide:
        text = (
            f"everybody in {', '.join(wide)} can name any address as theirs: give --behind-proxy the proxy's address."
        )
        return [Remark("proxies", False, text)]
    return [Remark("proxies", True, f"X-Forwarded-For is trusted from {named}, and from no other address.")]


async def _names(settings: Settings) -> list[Remark]:
    wanted = {"--public": _host(settings.public), "--store": _host(settings.store)}
    if settings.bus_settings is not None:
        for number, url in enumerate(settings.bus_settings.urls.split(","), 1):
            wanted[f"--bus {number}"] = _host(url)
    found = [await _looked_up(option, host) for option, host in wanted.items() if host]
    if settings.hooks is not None:
        found.append(await _webhook_remark(settings.hooks.resolve))
    return found or [Remark("names", True, "none needs to be looked up with these options.")]


def _certificate(settings: Settings) -> Iterator[Remark]:
    """Check for how long the certificate is valid. Files that cannot serve at all are refused with the options."""
    if settings.certificate is None:
        return
    left = int((settings.certificate.expires - time.time()) // DAY)
    text = f"TLS for {', '.join(settings.certificate.names)}, valid for {left} more days"
    renew = "" if left >= RENEW else ": renew it; the server reads the new files by itself"
    yield Remark("certificate", not renew, f"{text}{renew}.")


def _people(settings: Settings) -> Iterator[Remark]:
    """Say how people can become members, and what they can read of the operator."""
    how = "by a mailed code" if settings.mail else "by your invitation alone (admin invite): codes need --smtp"
    yield Remark("people", True, f"guests become members {how}.")
    there = [name for name in OPERATOR_PAGES if f"/{name}" in settings.pages]
    missing = " and ".join(name for name in OPERATOR_PAGES if name not in there)
    told = f"{', '.join(there) or 'none'} shown (--pages)"
    advice = f": strangers look for {missing}; samples are in deploy/pages." if missing else "."
    yield Remark("pages", not (missing and settings.public), told + advice)


async def _deeds(settings: Settings) -> list[Remark]:
    """Count the operator's deeds of the last week, as a running server or PostgreSQL has them."""
    try:
        async with calling(settings.data) as ask:
            found = [(deed["at"], deed["deed"]) for deed in (await ask("deeds"))["deeds"]]
    except NotRunning:
        if not settings.store:  # To open the file would change it.
            return []
        try:
            store = await open_offline(settings.store, settings.data, beside=True)
            try:
                rows = await sound_singles(store, DEEDS)
            finally:
                await store.close()
        except StoreError:  # The remarks on the database say it.
            return []
        found = [(deed.at, deed.kind) for _, row in rows if isinstance(deed := single_of(DEEDS, row), DeedRecord)]
    count = Counter(kind for at, kind in found if at > time.time() - WEEK and kind != DeedKind.NETWORK)
    counted = ", ".join(f"{number} × {kind}" for kind, number in sorted(count.items())) or "none"
    return [Remark("deeds", True, f"in the last week: {counted}. They are listed by conquest-server admin deeds.")]


async def _notices(settings: Settings, test_mail: str = "") -> list[Remark]:
    """Check by which ways players are told that they must decide. `test_mail`: as of `examined`."""
    ways = {"browser push": settings.push, "ntfy and Discord": settings.hooks, "mail": settings.mail}
    on = [way for way, setting in ways.items() if setting is not None]
    found = [Remark("notices", True, f"players are told by {', '.join(on)}." if on else "off with these options.")]
    mail = settings.mail
    if mail is None:
        return [*found, *([Remark("notices", False, "--test-mail needs --smtp.")] if test_mail else [])]
    server = f"{mail.host}:{mail.port} (--smtp)"
    try:
        async with asyncio.timeout(WAIT), mail.connection() as smtp:
            await smtp.noop()
            if test_mail:
                domain = mail.sender.rpartition("@")[2]
                named = {"To": test_mail, "Subject": "Conquest: a test mail", "Message-ID": make_msgid(domain=domain)}
                text = "This server can send mails to you. conquest-server doctor sent this one.\n"
                await smtp.send_message(message_of(mail, Body(named, text.encode())))
    except TimeoutError:
        return [*found, Remark("notices", False, f"{server} did not answer in {WAIT:.0f} s: no mails can be sent.")]
    except (SMTPException, OSError) as error:
        return [*found, Remark("notices", False, f"{server} sends no mails: {error}.")]
    sent = "--test-mail ADDRESS sends one"
    if test_mail:
        sent = f"a mail is on its way to {test_mail}; look whether it arrives"
    return [*found, Remark("notices", True, f"{server} takes mails from {mail.sender}: {sent}.")]


def _host(url: str) -> str:
    with contextlib.suppress(ValueError):
        return urlsplit(url if "://" in url else f"//{url}").hostname or ""
    return ""


async def _looked_up(option: str, host: str) -> Remark:
    begun = time.perf_counter()
    try:
        infos = await asyncio.wait_for(asyncio.get_running_loop().getaddrinfo(host, None), WAIT)
    except TimeoutError:
        return Remark("names", False, f"{host} ({option}) was not found in {WAIT:.0f} s: look at /etc/resolv.conf.")
    except OSError as error:
        return Remark("names", False, f"{host} ({option}) is not found: {error.strerror}.")
    addresses = ", ".join(dict.fromkeys(str(info[4][0]) for info in infos))
    took = time.perf_counter() - begun
    return Remark("names", took < 1.0, f"{host} ({option}) is {addresses}, found in {took * 1000:.0f} ms.")


async def _webhook_remark(resolve: Callable[[str, int], Awaitable[Sequence[str]]]) -> Remark:
    """Check the separate resolver for webhooks with a name on the internet."""
    host = "discord.com"
    try:
        found = await resolve(host, 443)
    except OSError as error:
        return Remark(
            "names", False, f"webhooks find no names on the internet ({host}: {error or type(error).__name__})."
        )
    return Remark("names", True, f"webhooks find names on the internet ({host} is {', '.join(found[:2])}).")


# --- time and limits ---


def _time(data: Path) -> Iterator[Remark]:
    now = time.time()
    shown = time.strftime("%Y-%m-%d %H:%M:%S %Z", time.localtime(now))
    last = max((path.stat().st_mtime for path in data.glob(f"{DATABASE}*")), default=0.0)
    if last > now + APART:
        yield Remark("time", False, f"it is {shown} here, but the matches were written to {last - now:.0f} s later.")
        return
    state = _clock_state()
    if state == _UNSYNCHRONISED:
        yield Remark(
            "time", False, f"it is {shown} here, but nothing sets this clock: run chrony or systemd-timesyncd."
        )
    else:
        set_ = "" if state < 0 else " and the system sets its clock"
        yield Remark("time", True, f"it is {shown} here{set_}. Players' clocks do not depend on it.")


def _clock_state() -> int:
    """Return Linux's state of its clock; -1 if unknown."""
    with contextlib.suppress(OSError, AttributeError):
        buffer = ctypes.create_string_buffer(256)  # Larger than a struct timex; zeros only read.
        return int(ctypes.CDLL(None).adjtimex(buffer)) if sys.platform == "linux" else -1
    return -1


def _limits(settings: Settings) -> Iterator[Remark]:
    limits = settings.limits
    wanted = limits.connections + limits.spare + SPARE_FILES
    allowed = _open_files()
    if allowed is not None and allowed < wanted:
        text = (
            f"{allowed} open files are allowed, {wanted} are needed for {limits.connections} connections: LimitNOFILE"
        )
        yield Remark("limits", False, f"{text}, or ulimit -Hn.")
    yield Remark(
        "limits",
        True,
        f"{limits.connections} connections, {limits.per_address} from one address ({limits.half_open} of them before "
        f"they said anything), {limits.local_connections} from this machine.",
    )
    yield Remark(
        "limits",
        True,
        f"{lobby.MAX_TABLES} tables in memory, {lobby.GATHERING_EACH} of one address that wait for players and "
        f"{settings.unfinished} matches of it that are not finished (--unfinished); "
        f"{profiles.MOST} profiles.",
    )
    kept = settings.keep_finished
    forgotten = "kept for ever" if kept == float("inf") else f"forgotten {kept:.0f} days after their end"
    yield Remark("limits", True, f"finished matches are {forgotten} (--keep-finished).")
    yield Remark("limits", True, f"their chat is deleted {settings.keep_chat:.0f} days after their end (--keep-chat).")


def _open_files() -> int | None:
    """Return the most files that this user may have open; None if unknown."""
    if sys.platform == "win32":
        return None
    import resource

    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return None if hard == resource.RLIM_INFINITY else hard
