"""Command `serve`: run the server until told to stop."""

import argparse
import asyncio
import contextlib
import gc
import math
import os
import re
import signal
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from contextlib import asynccontextmanager
from functools import partial
from ipaddress import ip_network
from pathlib import Path
from typing import Final, TypeAlias, TypeVar

from protocol.links import joined, sight_of
from protocol.process import stopping
from protocol.process.stopping import Stopped, handled
from protocol.routes import in_brackets, routes_of, split_address
from protocol.text import clean
from server import log, metrics
from server.addresses import Network
from server.archive.film_builder import FilmWorker
from server.archive.retention import CHAT
from server.bots.pool import BotPool
from server.bus.bus_settings import BusSettings
from server.connections import event_loop
from server.connections.admission import Limits
from server.connections.certificate import Certificate, CertificateFiles
from server.connections.server_app import App, Hooks, Push, Settings
from server.lobby.lobby import UNFINISHED_EACH
from server.lobby.rated_matches import LadderSettings
from server.router.port_opener import port_opener, trouble_of, url_of
from server.storage.platform import make_directory, read_words
from server.tools import lifetime
from server.tools.admin_actions import Operator
from server.tools.control import Control
from server.tools.detached_announcer import DetachedAnnouncer, beacon_of
from server.tools.invitation_text import invite, reached
from server.tools.recording import Recording, lay_out, read
from server.web.hosts import is_known
from server.web.operator_pages import read_pages
from server.webhooks.mail_sender import TLS, MailSettings, is_address
from shared.ids import MAX_SEATS
from shared.rulesets.registry import RULESETS
from shared.tables import MAX_NAME

SELDOM: Final = (700, 10, 20)
"""Thresholds of the garbage collector; see `gc.set_threshold`."""
STORE: Final = "CONQUEST_STORE"
"""Environment variable with the URL of the database."""
BUS: Final = "CONQUEST_BUS"
"""Environment variable with the URL of the bus of a cluster."""
PUSH_KEY: Final = "CONQUEST_PUSH_KEY"
"""Environment variable with the name of the file with the key for Web Push."""
SMTP: Final = "CONQUEST_SMTP"
"""Environment variable with HOST or HOST:PORT of the server for mails. `_FROM`, `_USER`, `_PASSWORD_FILE` and `_TLS`
are appended for the other options."""
_SMTP_PORTS: Final = {"starttls": 587, "tls": 465, "none": 25}
PORTS: Final = 65535
"""Largest number of a port."""
MOST_WORKERS: Final = 64
"""Most processes of one sort; a higher number is probably a typing error."""
MOST_RATED: Final = 500
"""Most rated matches at the same time: each action is synced to the disk."""
CLOSING: Final = 1.0
"""Most seconds for closing the router's port, since a window waits for its server's end."""

T = TypeVar("T")
Layout: TypeAlias = tuple[Recording, str]
"""A recorded match to be loaded, and the name of its person."""


def data_directory() -> Path:
    """Return the default directory of the matches. Raises RuntimeError if the user has no home directory."""
    if sys.platform == "win32":
        return Path(os.environ.get("LOCALAPPDATA") or Path.home()) / "conquest-empire" / "server"
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / "conquest-empire" / "server"
    return Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share") / "conquest-empire" / "server"


def directory(text: str) -> Path:
    """Parse a directory of matches, "" for the default one; ArgumentTypeError if this user has none."""
    try:
        return Path(text) if text else data_directory()
    except RuntimeError:
        raise argparse.ArgumentTypeError("this user has no home directory; name a directory of the matches") from None


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the options of `serve`."""
    parser.add_argument(
        "--host",
        type=host_alone,
        default="127.0.0.1",
        help='address to listen on; "" is all addresses (default: 127.0.0.1)',
    )
    parser.add_argument(
        "--port", type=between(0, PORTS), default=8600, help="port to listen on; 0: any free one (default: 8600)"
    )
    parser.add_argument("--data", type=directory, default="", help="directory of the matches")
    parser.add_argument(
        "--store",
        metavar="URL",
        help=f"store the matches in PostgreSQL instead: postgresql://USER@HOST/DATABASE; also from {STORE}, "
        f"or in a file that {STORE}_FILE names",
    )
    parser.add_argument(
        "--bus",
        metavar="URL",
        help="form a cluster with the other servers of this --store and this NATS: "
        f"nats://USER:PASSWORD@HOST:PORT or tls://..., several with commas; also from {BUS}, or in a file that "
        f"{BUS}_FILE names",
    )
    parser.add_argument(
        "--node", default="", metavar="NAME", help="name of this server in the cluster (default: the machine's)"
    )
    parser.add_argument("--bus-prefix", default="conquest", help="prefix of all subjects, if clusters share a NATS")
    parser.add_argument("--bus-credentials", type=Path, metavar="FILE", help="credentials file of the NATS user")
    parser.add_argument("--bus-authority", type=Path, metavar="FILE", help="certificates to trust for tls://")
    parser.add_argument(
        "--bot-pace",
        type=float,
        default=0.6,
        help="seconds before a bot acts; less if people wait for many bots",
    )
    workers = "processes for bots; as many again for hard bots, and for experts"
    parser.add_argument(
        "--bot-workers", type=between(1, MOST_WORKERS), default=1, metavar=f"1..{MOST_WORKERS}", help=workers
    )
    parser.add_argument(
        "--behind-proxy",
        "--trusted-proxy",
        dest="behind_proxy",
        action="extend",
        nargs="?",
        const="",
        default=[],
        type=networks,
        metavar="NETWORK",
        help="trust X-Forwarded-For from the proxies at these addresses or networks "
        "(127.0.0.1, 192.0.2.0/24), several with commas",
    )
    parser.add_argument(
        "--allow-host",
        action="append",
        type=own_name,
        default=[],
        metavar="NAME",
        help="further name under which clients reach this server; addresses, localhost, the machine's name and that "
        "of --public are always allowed; repeatable",
    )
    parser.add_argument(
        "--keep-finished",
        type=days,
        default=math.inf,
        metavar="DAYS",
        help="delete matches so many days after their end (default: never)",
    )
    parser.add_argument(
        "--keep-chat",
        type=days,
        default=CHAT,
        metavar="DAYS",
        help="delete the chat of matches so many days after their end; the matches stay (default: 365)",
    )
    parser.add_argument(
        "--unfinished",
        type=int,
        default=UNFINISHED_EACH,
        metavar="N",
        help="limit of unfinished matches for each client address (default: %(default)s)",
    )
    parser.add_argument("--seed", type=int, default=None, help="seed of the dice, for tests only")
    parser.add_argument(
        "--until-stdin-closes",
        action="store_true",
        help='end when the standard input closes, unless it sent the line "stay" before',
    )
    parser.add_argument(
        "--lay-out",
        type=Path,
        metavar="FILE",
        help="make a table of a recorded match, to continue it against easy bots",
    )
    parser.add_argument("--person", default="Caesar", help="with --lay-out: name of the player on the first seat")
    parser.add_argument(
        "--webhooks",
        action="store_true",
        help="let hosts set webhooks that say whose turn it is (Discord, Slack, ntfy, JSON)",
    )
    parser.add_argument(
        "--public",
        type=public_address,
        default="",
        metavar="HOST[:PORT]",
        help="public name of this server, for links (default: with --certificate the name in it); where a proxy adds "
        "a path, the whole address of the page, such as https://example.org/conquest/",
    )
    parser.add_argument(
        "--certificate",
        type=Path,
        metavar="FILE",
        help="also serve TLS on the same port, with this certificate and its intermediates (PEM); a renewed file is "
        "read again",
    )
    parser.add_argument(
        "--key", type=Path, metavar="FILE", help="private key of the certificate (default: in the same file)"
    )
    parser.add_argument(
        "--open-router",
        nargs="?",
        type=between(1, PORTS),
        const=0,
        metavar="PORT",
        help="open this port of the home router by PCP, NAT-PMP or UPnP while the server runs "
        "(default: that of --port)",
    )
    parser.add_argument(
        "--webhooks-loopback",
        action="store_true",
        help="allow webhooks on this computer without TLS, for tests",
    )
    parser.add_argument(
        "--push-key",
        metavar="FILE",
        help="alert absent players on their devices by Web Push, signed with this key, which "
        f"`conquest-server push-key FILE` makes; also from {PUSH_KEY}",
    )
    parser.add_argument(
        "--push-contact",
        default="",
        metavar="ADDRESS",
        help="mailto:YOU@HOST or an https:// address, for operators of push services (default: that of --public)",
    )
    parser.add_argument(
        "--push-loopback",
        action="store_true",
        help="allow push services on this computer without TLS, for tests",
    )
    parser.add_argument(
        "--smtp",
        metavar="HOST[:PORT]",
        help=f"send players who wish it mails when it is their turn, by this server; also from {SMTP}. Needs --public",
    )
    parser.add_argument(
        "--smtp-from", metavar="ADDRESS", help=f"address from which mails come (default: that of the user); {SMTP}_FROM"
    )
    parser.add_argument("--smtp-user", metavar="NAME", help=f"user at that server; also from {SMTP}_USER")
    parser.add_argument(
        "--smtp-password-file", metavar="FILE", help=f"file with the user's password; also from {SMTP}_PASSWORD_FILE"
    )
    parser.add_argument(
        "--smtp-tls",
        choices=TLS,
        help=f"encryption, or none on this machine only (default: starttls); also from {SMTP}_TLS",
    )
    parser.add_argument(
        "--pages",
        type=Path,
        metavar="DIR",
        help="show these pages of yours: terms.md, privacy.md and contact.md in this directory (Markdown)",
    )
    parser.add_argument(
        "--metrics-port", type=between(0, PORTS), default=None, help="port for Prometheus: GET /metrics"
    )
    parser.add_argument(
        "--metrics-host", type=host_alone, default="127.0.0.1", help="address for Prometheus; keep it private"
    )
    event_loop.add_argument(parser)
    parser.add_argument(
        "--for-bots",
        action="store_true",
        help="pair bots for rated matches, shown at /ladder; bots on this computer may send as fast as they can, and "
        "the server's bots make no pauses",
    )
    parser.add_argument(
        "--ladder-seats",
        type=between(2, MAX_SEATS),
        default=2,
        metavar="2..6",
        help="with --for-bots: players of a rated match",
    )
    parser.add_argument(
        "--ladder-matches",
        type=between(1, MOST_RATED),
        default=16,
        metavar="N",
        help="with --for-bots: rated matches at the same time (default: %(default)s)",
    )
    parser.add_argument(
        "--origin",
        action="append",
        type=origin,
        default=[],
        help="web page of another origin that may connect, as https://HOST; repeatable",
    )


def store_of(args: argparse.Namespace, surroundings: Mapping[str, str]) -> str:
    """Return the URL of the database from the command line, else from the environment; "" for a file."""
    return _said(args.store, STORE, surroundings)


def wires_of(args: argparse.Namespace, surroundings: Mapping[str, str]) -> BusSettings | None:
    """Return the bus from the command line, else from the environment; None for a single server."""
    urls = _said(args.bus, BUS, surroundings)
    return BusSettings(urls, args.bus_credentials, args.bus_authority, args.bus_prefix) if urls else None


def _said(typed: str | None, name: str, surroundings: Mapping[str, str]) -> str:
    if typed is not None:
        return typed
    file = surroundings.get(f"{name}_FILE")
    return read_words(Path(file)) if file else surroundings.get(name, "")


def between(least: int, most: int) -> Callable[[str], int]:
    """Return the parser of a number within these limits; its ArgumentTypeError gives them."""

    def number(text: str) -> int:
        if text.isdecimal() and least <= int(text) <= most:
            return int(text)
        raise argparse.ArgumentTypeError(f"must be {least} to {most}, not {text!r}")

    return number


def days(text: str) -> float:
    """Parse a number of days, at least one; ArgumentTypeError gives the limit."""
    if text.isdecimal() and int(text) >= 1:
        return float(text)
    raise argparse.ArgumentTypeError(f"must be a number of days, 1 or more, not {text!r}")


def networks(text: str) -> tuple[Network, ...]:
    """Parse the networks of proxies; ArgumentTypeError says what is possible."""
    try:
        found = tuple(ip_network(part.strip()) for part in text.split(",") if part.strip())
    except ValueError as error:
        raise argparse.ArgumentTypeError(
            f"{error}; give an address or a network, for example 127.0.0.1 or 192.0.2.0/24"
        ) from None
    if not found:
        raise argparse.ArgumentTypeError("needs the address of your proxy, for example --behind-proxy 127.0.0.1")
    if any(network.prefixlen == 0 for network in found):
        raise argparse.ArgumentTypeError("that is every address; give the address of your proxy")
    return found


def _or_wrong(parse: Callable[[str], T], text: str) -> T:
    """Return the parsed text; ArgumentTypeError instead of a ValueError keeps its sentence."""
    try:
        return parse(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def host_alone(text: str) -> str:
    """Parse a host to listen on, "" for all, with or without brackets; ArgumentTypeError says what is wrong."""
    found, port = _or_wrong(split_address, text) if text else ("", 0)
    if port:
        raise argparse.ArgumentTypeError(f"takes a host alone, not {text!r}; its port is an option of its own")
    return found


def public_address(text: str) -> str:
    """Parse a public address, "" for none; ArgumentTypeError says what is wrong. That of the page is taken, too."""
    text = re.sub("^http(s?)://", r"ws\1://", text.strip(), flags=re.IGNORECASE)
    _or_wrong(routes_of, text) if text else ()
    return text


def own_name(text: str) -> str:
    """Parse a name of this server as HOST, HOST:PORT or URL; ArgumentTypeError says what is wrong."""
    return in_brackets(_or_wrong(split_address, re.split(r"[/?#]", text.partition("://")[2] or text)[0])[0])


def origin(text: str) -> str:
    """Parse an origin as browsers send it; ArgumentTypeError says what is wrong."""
    scheme, _, rest = text.strip().rstrip("/").lower().partition("://")
    if scheme not in ("http", "https"):
        raise argparse.ArgumentTypeError(f"must be https://HOST or https://HOST:PORT, not {text!r}")
    found, port = _or_wrong(split_address, rest)
    return f"{scheme}://{joined(found, port) if port else in_brackets(found)}"


def run(args: argparse.Namespace) -> int:
    """Serve, and return the exit status."""
    return serve(args, settings_of(args))


def settings_of(args: argparse.Namespace) -> Settings:
    """Return the settings from the command line and the environment. Raises ValueError for impossible ones."""
    certificate = certificate_of(args)
    if certificate is not None:
        args = argparse.Namespace(**vars(args))
        args.public = _encrypted_address(args.public or certificate.name, args.port, certificate)
    return Settings(
        data=args.data,
        store=store_of(args, os.environ),
        bus_settings=wires_of(args, os.environ),
        node=args.node,
        public=args.public or _guessed(args.host, args.port),
        host=args.host,
        port=args.port,
        seed=args.seed,
        pace=0.0 if args.for_bots else max(0.0, args.bot_pace),
        ladder=ladder_of(args, os.environ),
        origins=tuple(args.origin),
        keep_finished=args.keep_finished,
        keep_chat=args.keep_chat,
        unfinished=args.unfinished,
        hooks=hooks_of(args),
        push=push_of(args, os.environ),
        mail=mail_of(args, os.environ),
        metrics=None if args.metrics_port is None else (args.metrics_host, args.metrics_port),
        limits=Limits(trusted=tuple(args.behind_proxy)),
        pages={} if args.pages is None else read_pages(args.pages),
        hosts=tuple(args.allow_host),
        certificate=certificate,
    )


def certificate_of(args: argparse.Namespace) -> Certificate | None:
    """Return the certificate for TLS, None without one. Raises ValueError with what is wrong and what to do."""
    if args.certificate is None:
        if args.key is not None:
            raise ValueError("--key needs --certificate FILE, the certificate to which it belongs.")
        return None
    return Certificate(CertificateFiles(args.certificate, args.key or args.certificate))


def _encrypted_address(name: str, port: int, certificate: Certificate) -> str:
    """Return the WebSocket address of a name, with our port if it has none. Raises ValueError."""
    try:
        host, named = split_address(name.removeprefix("wss://"))
    except ValueError as error:
        raise ValueError(f"--public: {error}") from None
    certificate.check_name(host)
    if not (named or port):
        raise ValueError("--certificate needs a fixed --port, such as 8600: links to the server have it.")
    return f"wss://{joined(host, named or port)}"


def serve(args: argparse.Namespace, settings: Settings) -> int:
    """Serve with these settings, and take everything else from the command line."""
    log.start()
    raise_file_limit()
    layout = None if args.lay_out is None else (read(args.lay_out), clean(args.person, MAX_NAME))

    async def until_stopped() -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        with contextlib.suppress(Stopped), handled(lambda: loop.call_soon_threadsafe(stop.set)):
            await _serve(settings, stop, args.bot_workers, args.until_stdin_closes, layout, args.open_router)

    stopping.run(until_stopped(), args.loop)
    return 0


def ladder_of(args: argparse.Namespace, surroundings: Mapping[str, str]) -> LadderSettings | None:
    """Return the settings of rated matches; None if they are off. Raises ValueError for a cluster."""
    if not args.for_bots:
        return None
    if wires_of(args, surroundings) is not None:
        raise ValueError("--for-bots needs a single server: start one without --bus, with a store of its own.")
    return LadderSettings(args.ladder_seats, args.ladder_matches)


def hooks_of(args: argparse.Namespace) -> Hooks | None:
    """Return the settings of webhooks; None if they are off."""
    if not args.webhooks:
        return None
    return Hooks(args.public or _guessed(args.host, args.port), args.webhooks_loopback)


def push_of(args: argparse.Namespace, surroundings: Mapping[str, str]) -> Push | None:
    """Return the settings of push alerts; None if they are off. Raises ValueError without an address of the operator.

    Apple's push service, for one, refuses requests without it.
    """
    file = args.push_key if args.push_key is not None else surroundings.get(PUSH_KEY, "")
    if not file:
        return None
    contact = args.push_contact or (f"https://{args.public.removeprefix('wss://')}" if args.public else "")
    if not contact.startswith(("mailto:", "https://")):
        raise ValueError("--push-key needs --push-contact mailto:YOU@HOST, or the server's name with --public.")
    return Push(Path(file), contact, args.push_loopback)


def mail_of(args: argparse.Namespace, surroundings: Mapping[str, str]) -> MailSettings | None:
    """Return the settings of mails; None if they are off. Raises ValueError if they cannot work, and OSError."""

    def said(option: str) -> str:
        typed: str | None = getattr(args, f"smtp{option}")
        return typed if typed is not None else surroundings.get(f"{SMTP}{option.upper()}", "")

    server, user, file, tls = said(""), said("_user"), said("_password_file"), said("_tls") or TLS[0]
    if not server:
        return None
    sender = said("_from") or user
    host, port = _mail_server(server, tls)
    if not is_address(sender):
        raise ValueError("--smtp needs --smtp-from ADDRESS, such as conquest@example.org.")
    if not args.public:
        raise ValueError("--smtp needs the server's name with --public: each mail has links to it.")
    if bool(user) != bool(file):
        raise ValueError("--smtp-user and --smtp-password-file belong together.")
    if user and tls == "none":
        raise ValueError("--smtp-tls none would send the password unencrypted; use starttls or tls.")
    return MailSettings(host, port, sender, user, read_words(Path(file)) if file else "", tls)


def _mail_server(text: str, tls: str) -> tuple[str, int]:
    """Parse HOST or HOST:PORT, with the usual port of that encryption. Raises ValueError."""
    if tls not in _SMTP_PORTS:
        raise ValueError(f"--smtp-tls must be one of {', '.join(TLS)}, not {tls!r}.")
    try:
        host, port = split_address(text)
    except ValueError as error:
        raise ValueError(f"--smtp: {error}") from None
    return host, port or _SMTP_PORTS[tls]


def _guessed(host: str, port: int) -> str:
    """Return the likely public address of a server without the option; "" if unknown."""
    hosts = reached(host)
    return joined(hosts[0], port) if hosts and port else ""


async def _serve(
    settings: Settings,
    stop: asyncio.Event,
    workers: int,
    until_stdin_closes: bool,
    layout: Layout | None,
    router: int | None,
) -> None:
    """Serve until told to stop. `router`: port of the router to open, 0 for the server's own, None for none."""
    loop = asyncio.get_running_loop()
    # Advice has a pool of its own, so that no bot's turn waits for it.
    pool, advisers, studio = BotPool(workers), BotPool(1), FilmWorker()
    beacon: DetachedAnnouncer | None = None
    try:
        app = await App.start(settings, RULESETS, pool.decide, advise=advisers.advise, make=studio)
        if layout is not None:
            print("conquest-server loaded", await lay_out(app.store, RULESETS, *layout), flush=True)
        if until_stdin_closes:
            beacon = beacon_of(app.lobby, settings.host, int(app.address.rpartition(":")[2]), loop)
            lifetime.watch(settings.data, app.address, partial(_tell, loop, stop), beacon.start)
        knows = partial(is_known, names=app.hosts)
        exporter = None if settings.metrics is None else metrics.Exporter(*settings.metrics, app.gauges, knows)
        control = await _listen_to_commands(settings.data, app, partial(signal.raise_signal, signal.SIGTERM))
        forget_the_beginning()
        # Programs that start a server wait for this line, so commands must be possible before it.
        print(f"conquest-server ready on {app.address}", flush=True)
        if settings.limits.trusted:
            trusted = ", ".join(map(str, settings.limits.trusted))
            print(f"conquest-server trusts X-Forwarded-For from proxies at {trusted}", flush=True)
        if exporter is not None:
            print(f"conquest-server serves metrics on port {exporter.port}", flush=True)
        if settings.certificate is not None:
            print(f"conquest-server serves TLS on the same port: {sight_of(settings.public)}", flush=True)
        invite(settings.host, int(app.address.rpartition(":")[2]), sys.stdout, settings.public)
        async with _open_port(app, router, checks=settings.certificate is not None):
            await stop.wait()
        if control is not None:
            # First: commands must not reach a server that is being taken down.
            await control.stop()
        if exporter is not None:
            await asyncio.to_thread(exporter.stop)
        if beacon is not None:
            await asyncio.to_thread(beacon.stop)
            lifetime.forget(settings.data)
        await app.stop()
    finally:
        await asyncio.gather(pool.close(), advisers.close(), studio.close())


@asynccontextmanager
async def _open_port(app: App, router: int | None, *, checks: bool = False) -> AsyncIterator[None]:
    """Keep the router's port open meanwhile, and tell clients the address; a public name of the server stays.

    checks: the name leads to this server itself, not to a proxy, so its port and its DNS record must fit the router.
    """
    if router is None:
        yield
        return
    name, port = app.public.url, router or int(app.address.rpartition(":")[2])

    async def told(mapped: str, report: str) -> None:
        url = url_of(name, port, mapped) if name and checks else name or mapped
        if name and mapped and checks:
            report = " ".join(filter(None, (report, await trouble_of(name, mapped))))
        if (url, report) != (app.public.url, app.public.report):
            link = sight_of(url) if url else ""
            print("conquest-server public address:", *filter(None, (link, report)), flush=True)
        app.public.change(url, report)

    tasks: set[asyncio.Task[None]] = set()

    def start(work: Coroutine[object, object, None]) -> None:
        task = asyncio.create_task(work)
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    opener = port_opener(port, lambda mapped, report: start(told(mapped, report)))
    start(opener.run())
    try:
        yield
    finally:
        for task in tuple(tasks):
            task.cancel()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(CLOSING):
                await opener.close()


async def _listen_to_commands(data: Path, app: App, end: Callable[[], None]) -> Control | None:
    """Listen for commands on this machine; if that fails, the server goes on without them."""
    operator = Operator(app, end)
    control = Control(data, operator.deeds, operator.let_go)
    try:
        make_directory(data)
        await control.start()
    except OSError as error:
        log.warning("no-commands", error=str(error))
        return None
    return control


def forget_the_beginning() -> None:
    """Exempt all present objects from garbage collection, since they stay to the end.

    Many connects and disconnects trigger full collections several times a second, and each would stop the server for a
    tenth of one. Therefore collections are rarer too; about ten MiB of garbage may wait for them.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(*SELDOM)


def raise_file_limit() -> None:
    """Allow as many open files as the system permits: each connection is one."""
    if sys.platform != "win32":
        import resource  # Windows has no such module.

        _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        with contextlib.suppress(OSError, ValueError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def _tell(loop: asyncio.AbstractEventLoop, stop: asyncio.Event) -> None:
    """Set the event from another thread."""
    with contextlib.suppress(RuntimeError):  # The loop may be closed already.
        loop.call_soon_threadsafe(stop.set)
