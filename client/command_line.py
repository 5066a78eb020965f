"""Command line: `conquest`, with the menu, and `conquest play`, `host`, `join` and the others.

Importing Arcade takes a second and needs a graphics library. `--help`, a refused argument and a text table need
neither, and an installation of the server alone lacks it. So the functions that open a window import `window` and
`shot`, which need Arcade.
"""

import argparse
import importlib.util
import os
import re
import shlex
import subprocess
import sys
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import Final

from client import desktop
from client.commands.reports import tally, tell, verify
from client.lan_announcer import LanAnnouncer
from client.language import _, chosen, languages, say
from client.network.local_players import names_of
from client.network.nearby import Nearby
from client.network.play_now import USUAL_PACE, read_wish
from client.network.server_process import end_staying, start_early, staying_port
from client.player import settings
from client.player.clock_presets import TYPED
from client.player.clock_presets import read as read_pace
from client.player.lessons import TAUGHT, problem_list
from client.player.seats import PRIVATE
from client.player.settings import Settings
from client.player.table_options import TableOptions, away_options, home_number, homes_by_seat
from client.replay.record_files import opened, place_of, record_in
from client.screens.navigator import Navigator
from client.text_client.terminal import Terminal, put
from client.text_client.text_program import TextProgram
from client.user_directories import make_folder, settings_file
from protocol.links import SCHEME, TableAddress, read
from protocol.process.stopping import handled
from protocol.record import SUFFIX
from protocol.release import release
from protocol.routes import PORT, port_of
from shared.actions.bot_levels import all_levels
from shared.actions.name_lookup import Misread
from shared.choices import OPTION, choices
from shared.ids import MAX_SEATS
from shared.kernel import engine
from shared.lessons.registry import PROBLEMS, SECOND
from shared.levels import NAMES, NORMAL, levels, shown
from shared.rulesets import registry
from shared.tables import Away, Late, fitting

ROUNDS: Final = "round_limit"
"""Key of the option that limits the rounds."""
USUAL: Final = (4, 5, 3, 6, 2)
"""Numbers of players, the usual one first."""


class Trouble(Exception):
    """Error that the player can correct, in a sentence."""


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="conquest",
        description="Conquest of the Empire over a network, against friends or bots. Without a command: the menu.",
        epilog="Without a screen, the menu, play, problem, host, join and watch use the terminal, as with --text.",
    )
    top.add_argument("--version", action="version", version=f"conquest {release()}")
    commands = top.add_subparsers(dest="command", metavar="COMMAND")
    _play(commands.add_parser("play", help="play against bots on this computer"))
    _learn(commands.add_parser("learn", help="learn a game in a first match with a coach"))
    _problem(commands.add_parser("problem", help="list the problems, or solve one: a position and a task"))
    _host(commands.add_parser("host", help="open a table for friends on your network"))
    _join(commands.add_parser("join", help="sit down at a friend's table"))
    _now(commands.add_parser("now", help="find people for a table on a server"))
    _watch(commands.add_parser("watch", help="watch a match"))
    _in_words(
        commands.add_parser(
            "table", help="join or watch a table in the terminal, or (--show) show it on a large screen"
        )
    )
    _games(commands.add_parser("games", help="list your matches on all servers"))
    _replay(commands.add_parser("replay", help="replay a recorded match"))
    _verify(commands.add_parser("verify", help="check the dice and all decisions of a recorded match"))
    _tell(commands.add_parser("tell", help="print a recorded match as text"))
    _stop(commands.add_parser("stop", help="stop your server that was left running"))
    _desktop(commands.add_parser("desktop", help="add the game to your desktop's list of programs"))
    _shot(commands.add_parser("shot", help="save a picture of the table without opening a window"))
    return top


def _table(command: argparse.ArgumentParser) -> None:
    known = ", ".join(registry.RULESETS)
    command.add_argument("--ruleset", default="classic", help=f"game: {known} (default: classic)")
    command.add_argument("--players", type=int, default=0, help="number of seats (default: 4, or what --seat needs)")
    command.add_argument("--seat", metavar="HOME", default="", help="your home province, such as italia")
    command.add_argument("--rounds", type=int, default=0, help="end after so many rounds (default: none)")
    command.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help=OPTION)
    command.add_argument("--pace", metavar="CLOCKS", default="none", help=f"clocks: {TYPED} (default: none)")
    command.add_argument("--late", choices=[late.name.lower() for late in Late], default="default",
                         help="when a player's time is up: make the simplest choice (default), let a bot decide once, "
                         "or let a bot play until the player is back")  # fmt: skip
    command.add_argument("--name", default="", help="your name at the table")
    _hotseat(command)
    _text(command)


def _hotseat(command: argparse.ArgumentParser) -> None:
    command.add_argument("--hotseat", metavar="A,B,...", default="",
                         help="names of the people who share this computer, such as Ada,Bob")  # fmt: skip
    command.add_argument("--curtain", action="store_true",
                         help="hide the table between two of them; always done in games with secrets")  # fmt: skip


def _text(command: argparse.ArgumentParser) -> None:
    command.add_argument("--text", action="store_true", help="use the terminal instead of a window")


def _play(command: argparse.ArgumentParser) -> None:
    command.description = "Play against bots on this computer. The match is saved; continue it from the menu."
    _table(command)
    chosen = command.add_mutually_exclusive_group()
    chosen.add_argument(
        "--level",
        default=NORMAL,
        metavar="LEVEL",
        help=f"level of the bots: {NAMES} (default: {shown(NORMAL)}). {all_levels()}",
    )
    chosen.add_argument("--bots", metavar="A,B,...", default=None,
                        help="a level for each bot, such as hard,easy,easy; a single one is for all")  # fmt: skip
    command.set_defaults(run=_run_play)


def _learn(command: argparse.ArgumentParser) -> None:
    command.description = "Learn a game in ten minutes: a match against an easy bot, with a coach beside the board."
    command.add_argument("--ruleset", choices=TAUGHT, default="classic", help="game (default: classic)")
    command.add_argument("--second", action="store_true",
                         help="its second lesson, in five minutes: sieges and walls (classic), the sea (mb1984), "
                         "senate and cards (cote2)")  # fmt: skip
    command.add_argument("--name", default="", help="your name")
    command.set_defaults(run=_run_learn)


def _problem(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Solve a problem: a position and a task. Without a number, list them and what you have solved."
    )
    command.add_argument("number", type=int, nargs="?", default=0, metavar="N", help="number of the problem")
    command.add_argument("--name", default="", help="your name")
    _text(command)
    command.set_defaults(run=_run_problem)


def _host(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Open a table on this computer, or with --at on a server. Friends on the same network find it in their list; "
        "with --public, friends elsewhere get a link. The room and the terminal show addresses, code and link."
    )
    _table(command)
    command.add_argument("--port", type=_port, default=PORT, help=f"port to listen on (default: {PORT})")
    place = command.add_mutually_exclusive_group()
    place.add_argument("--public", action="store_true",
                       help="also for friends elsewhere: open the router's port, and show a link that works "
                       "everywhere")  # fmt: skip
    place.add_argument("--at", metavar="SERVER", default="",
                       help="open the table on that server instead of this computer")  # fmt: skip
    command.add_argument("--certificate", metavar="FILE", default=None,
                         help="with --public: encrypt the link with this certificate (PEM, with its intermediates); "
                         "kept for the next time, and \"\" forgets it")  # fmt: skip
    command.add_argument("--key", metavar="FILE", default="",
                         help="private key of the certificate (default: in the same file)")  # fmt: skip
    command.add_argument("--domain", metavar="NAME", default="",
                         help="your computer's name on the internet (default: that in the certificate)")  # fmt: skip
    command.add_argument("--unlisted", action="store_true",
                         help="do not announce the table; players need its code")  # fmt: skip
    command.add_argument(
        "--unanimous",
        action="store_true",
        help="votes need all people at the table, not more than half",
    )
    command.add_argument("--away", choices=[each.name.lower() for each in Away], default="ask",
                         help="when a player has lost the connection: wait, let a bot play after a minute, "
                         "or ask the others (default)")  # fmt: skip
    command.add_argument("--forward-only", action="store_true", help="allow no vote to go back")
    command.add_argument("--closed-hands", action="store_true",
                         help="keep secrets hidden after the end, too")  # fmt: skip
    command.add_argument("--advice", action="store_true",
                         help="let players ask the strongest bot for advice; the chronicle says who asked")  # fmt: skip
    command.set_defaults(run=_run_host)


def _port(text: str) -> int:
    """Parse a port; ArgumentTypeError says what is possible."""
    try:
        return port_of(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(str(error)) from None


def _join(command: argparse.ArgumentParser) -> None:
    command.description = "Join the table with this code, or choose one from the server's list of open tables."
    command.add_argument(
        "server", nargs="?", default="", metavar="HOST[:PORT]", help="address of the server, or a link"
    )
    command.add_argument("--code", default="", help="code of the table")
    command.add_argument("--name", default="", help="your name at the table")
    _hotseat(command)
    _text(command)
    command.set_defaults(run=_run_join)


def _now(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Wait on a server for people who want the same, in the terminal; the match begins when all have confirmed. "
        "Without a game, list who waits."
    )
    command.add_argument("server", metavar="HOST[:PORT]", help="address of the server")
    command.add_argument("games", nargs="?", default="", metavar="GAME,...", help=f"any of "
                         f"{', '.join(registry.RULESETS)}, such as classic,cote2")  # fmt: skip
    command.add_argument("--players", metavar="N,...", default="4",
                         help="numbers of seats that suit you, such as 3,4 (default: 4)")  # fmt: skip
    command.add_argument("--pace", metavar="CLOCKS", default=USUAL_PACE,
                         help=f"clocks: {TYPED} (default: {USUAL_PACE})")  # fmt: skip
    command.add_argument("--bots", type=int, default=0, metavar="MINUTES",
                         help="minutes after which bots may take free seats (default: people only)")  # fmt: skip
    command.add_argument("--least", type=int, default=0, metavar="PERCENT",
                         help="percent of their matches that the others must have finished (default: 0)")  # fmt: skip
    command.add_argument("--name", default="", help="your name at the table")
    command.set_defaults(run=_run_now)


def _watch(command: argparse.ArgumentParser) -> None:
    command.description = "Watch the table with this code, or choose one from the server's list of open tables."
    command.add_argument(
        "server", nargs="?", default="", metavar="HOST[:PORT]", help="address of the server, or a link"
    )
    command.add_argument("code", nargs="?", default="", metavar="CODE", help="code of the table")
    command.add_argument("--name", default="", help="your name at the table")
    _text(command)
    command.set_defaults(run=_run_watch)


def _in_words(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Join or watch a table in the terminal; type help there for the commands. With --show: fill a large screen "
        "with the board, without secrets or controls. It follows the match by itself."
    )
    command.add_argument("server", nargs="?", default="", metavar="HOST[:PORT]", help="address of the server, or a "
                         "link (default: list the games in which you hold a seat)")  # fmt: skip
    command.add_argument("second", nargs="?", default="", metavar="CODE", help="code of the table")
    command.add_argument("--text", action="store_true", help="use the terminal (the default without --show)")
    command.add_argument("--show", action="store_true",
                         help="fill the screen with the board, without controls")  # fmt: skip
    command.add_argument("--window", action="store_true", help="with --show: use a window instead of the full screen")
    command.add_argument("--code", default="", help="code of the table (default: list the tables)")
    command.add_argument("--seat", type=int, default=0, metavar="N", help="seat 1 to 6 (default: the first free one)")
    command.add_argument("--watch", action="store_true", help="watch instead of taking a seat")
    command.add_argument("--name", default="", help="your name at the table")
    command.set_defaults(run=_run_table)


def _games(command: argparse.ArgumentParser) -> None:
    command.description = (
        "List your matches on all servers that you know; those in which it is your turn come first. Your seats and "
        "connections stay as they are."
    )
    command.add_argument("--json", action="store_true", help="print one JSON object for each match")
    command.set_defaults(run=_run_games)


def _verify(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Check a recorded match without a server: every decision by the rules, and every die and card by the secret "
        "that the server committed to. Exit status: 0 if all of it holds, 1 if not, 2 if the file is not a match."
    )
    command.add_argument("file", metavar="FILE", help=f"recorded match, NAME{SUFFIX}")
    command.add_argument("--json", action="store_true", help="print one JSON object")
    command.add_argument("--rules-only", action="store_true", help="accept a match whose dice have no proof")
    command.set_defaults(run=_run_verify)


def _tell(command: argparse.ArgumentParser) -> None:
    command.description = "Print a recorded match as text, a line for each sentence."
    command.add_argument("file", metavar="FILE", help=f"recorded match, NAME{SUFFIX}")
    command.add_argument("--language", choices=tuple(languages()), default="", help="language (default: yours)")
    command.set_defaults(run=_run_tell)


def _replay(command: argparse.ArgumentParser) -> None:
    command.description = "Replay a recorded match at the table, with charts."
    command.add_argument("file", metavar="FILE", help=f"recorded match, NAME{SUFFIX}")
    command.set_defaults(run=_run_replay)


def _stop(command: argparse.ArgumentParser) -> None:
    command.description = "Stop the server that you hosted and left running for your guests. Every match is saved."
    command.set_defaults(run=_run_stop)


def _desktop(command: argparse.ArgumentParser) -> None:
    command.description = (
        "Add the game to your desktop's list of programs, and let it open links to tables (conquest://HOST:PORT/CODE)."
    )
    command.add_argument("--remove", action="store_true", help="remove it again")
    command.set_defaults(run=_run_desktop)


def _shot(command: argparse.ArgumentParser) -> None:
    command.description = "Play a seeded match of random decisions and save a picture of the table."
    command.add_argument("--ruleset", default="classic", help="game (default: classic)")
    command.add_argument("--players", type=int, default=4, help="seats at the table (default: 4)")
    command.add_argument("--seed", type=int, default=1, help="seed of dice and decisions (default: 1)")
    command.add_argument(
        "--after", type=int, default=60, metavar="ACTIONS", help="number of decisions before the picture (default: 60)"
    )
    command.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help=OPTION)
    command.add_argument("--size", default="1280x800", metavar="WxH", help="size in pixels (default: 1280x800)")
    command.add_argument("--out", type=Path, required=True, metavar="FILE.png", help="file to write")
    command.set_defaults(run=_run_shot)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command; return the exit status: 0, 1 without a screen, 2 for an error that the player can correct."""
    words = sys.argv[1:] if arguments is None else list(arguments)
    if words and words[0].startswith(SCHEME):
        words.insert(0, "join")  # A desktop passes a link without a command.
    elif words and words[0].endswith(SUFFIX):
        words.insert(0, "replay")  # The same holds for a file.
    args = parser().parse_args(words)
    run: Callable[[argparse.Namespace], int] = getattr(args, "run", _run_menu)
    try:
        status = run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader of the pipe, such as `head`, has closed it; without this redirection the final flush would fail.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (Trouble, ValueError) as error:
        for line in f"conquest: {error}".split("\n"):
            put(line, sys.stderr)
        return 2


def plan_of(args: argparse.Namespace) -> TableOptions:
    """Return the table that the arguments ask for. Raise ValueError for impossible arguments."""
    rules = registry.ruleset(args.ruleset)
    people = _people(args)
    players = args.players or max(len(people), _usual_players(rules.id, args.seat))
    if players < len(people):
        raise Trouble(f"--hotseat names {len(people)} people for {players} seats; raise --players.")
    chosen = choices(rules, args.option)
    if args.rounds:
        if ROUNDS not in {option.key for option in rules.options}:
            raise ValueError(f"{rules.title} has no round limit; leave out --rounds.")
        chosen[ROUNDS] = args.rounds
    engine.checked_options(rules, players, chosen)
    home = home_number(rules.id, players, args.seat) if args.seat else -1
    return TableOptions(rules.id, players, options=chosen, home=home, pace=read_pace(args.pace, args.late),
                        people=people, curtain=args.curtain)  # fmt: skip


def _people(args: argparse.Namespace) -> tuple[str, ...]:
    """Return the names of those who share this computer, none without --hotseat. Raise ValueError for other input."""
    return names_of(args.hotseat) if args.hotseat else ()


def private_plan_of(args: argparse.Namespace) -> TableOptions:
    """Return the same for a table with bots on all other seats."""
    plan = plan_of(args)
    bots = plan.seats - max(1, len(plan.people))
    plan.bots = levels(args.level if args.bots is None else args.bots, bots) if bots else (NORMAL,)
    return plan


def _usual_players(ruleset: str, home: str) -> int:
    """Return four, or the nearest number of players for which that home is available."""
    for players in USUAL:
        if home.casefold() in [name.casefold() for name in homes_by_seat(ruleset, players)]:
            return players
    return USUAL[0]


def _run_menu(_args: argparse.Namespace) -> int:
    mine = _settings()

    def in_words() -> int:
        return _read_along(mine, lambda reader: reader.look_around())

    return _open_window(mine, lambda go: go.menu(), in_words=in_words)


def _run_play(args: argparse.Namespace) -> int:
    plan = private_plan_of(args)
    mine = _settings(args.name, plan.people)

    def in_words() -> int:
        return _read_along(mine, lambda reader: reader.open(PRIVATE, plan, plan.bots))

    if args.text:
        return in_words()
    return _open_window(mine, lambda go: go.play(plan), start_early, in_words=in_words)


def _run_learn(args: argparse.Namespace) -> int:
    key = SECOND[args.ruleset] if args.second else args.ruleset
    return _open_window(_settings(args.name), lambda go: go.learn(key))


def _run_problem(args: argparse.Namespace) -> int:
    mine = _settings(args.name)
    if not args.number:
        for line in problem_list(mine.solved):
            put(line, sys.stdout)
        return 0
    if not 1 <= args.number <= len(PROBLEMS):
        raise Trouble(f"the problem must be 1 to {len(PROBLEMS)}, not {args.number}.")
    key = PROBLEMS[args.number - 1].key

    def in_words() -> int:
        return _read_along(mine, lambda reader: reader.solve(key))

    if args.text:
        return in_words()
    return _open_window(mine, lambda go: go.solve(key), in_words=in_words)


def _run_host(args: argparse.Namespace) -> int:
    plan = plan_of(args)
    mine = _settings(args.name, plan.people)
    _keep_certificate(args, mine)
    plan.public, plan.at = args.public, read(args.at).address if args.at else ""
    plan.advice, plan.listed = args.advice, not args.unlisted
    plan.closed_hands = args.closed_hands
    plan.away, plan.takeover = away_options(args.away)
    plan.unanimous, plan.forward_only = args.unanimous, args.forward_only

    def in_words() -> int:
        return _read_along(mine, lambda reader: reader.host(plan, args.port))

    if args.text:
        return in_words()
    return _open_window(mine, lambda go: go.host(plan, args.port), in_words=in_words)


def _keep_certificate(args: argparse.Namespace, mine: Settings) -> None:
    """Keep the given certificate for this table and the next ones. Raise Trouble for impossible options."""
    if args.certificate is None:
        if args.key or args.domain:
            raise Trouble("--key and --domain need --certificate FILE.")
        return
    if args.certificate and not args.public:
        raise Trouble("--certificate needs --public: it encrypts the link for friends elsewhere.")
    for option, file in (("--certificate", args.certificate), ("--key", args.key)):
        if file and not Path(file).is_file():
            raise Trouble(f"{option}: there is no file {file}; give the right one.")
    mine.certificate, mine.key = (str(Path(file).resolve()) if file else "" for file in (args.certificate, args.key))
    mine.domain = args.domain
    saved = settings.load()
    saved.certificate, saved.key, saved.domain = mine.certificate, mine.key, mine.domain
    saved.save()


def _run_join(args: argparse.Namespace) -> int:
    return _remote(args, watch=False)


def _run_now(args: argparse.Namespace) -> int:
    args.code = ""
    place, mine, wish = _place(args), _settings(args.name), None
    if args.games:
        try:
            wish = read_wish(f"{args.games} {args.players} pace={args.pace} bots={args.bots} least={args.least}")
        except Misread as misread:
            raise Trouble(say(misread.message)) from None
    return _read_along(mine, lambda reader: reader.find(place.address, wish))


def _run_watch(args: argparse.Namespace) -> int:
    return _remote(args, watch=True)


def _remote(args: argparse.Namespace, *, watch: bool) -> int:
    people = () if watch else _people(args)
    place, mine = _place(args), _settings(args.name, people)
    curtain = not watch and args.curtain

    def in_words() -> int:
        return _to_table(place, mine, watch=watch, people=people, curtain=curtain, nearby=True)

    if args.text:
        return in_words()
    return _open_window(mine, partial(_connect, place, watch, people, curtain), in_words=in_words)


def _connect(place: TableAddress, watch: bool, people: Sequence[str], curtain: bool, go: Navigator) -> None:
    """Go to the place in the window."""
    go.connect(watch=watch, address=place.address, code=place.code, people=people, curtain=curtain)


def _run_table(args: argparse.Namespace) -> int:
    if not 0 <= args.seat <= MAX_SEATS:
        raise Trouble(f"--seat must be 1 to {MAX_SEATS}, not {args.seat}.")
    args.code = args.code or args.second
    if args.show:
        return _show(_place(args), _settings(), full=not args.window)
    return _to_table(_place(args), _settings(args.name), watch=args.watch, seat=args.seat)


def _show(place: TableAddress, mine: Settings, *, full: bool) -> int:
    """Show a table on a large screen."""
    if not place.address:
        raise Trouble("--show needs the address of the server; add it.")
    return _open_window(mine, lambda go: go.exhibit(place.address, place.code), full=full)


def _run_replay(args: argparse.Namespace) -> int:
    match = opened(place_of(args.file))
    instead = f"conquest tell {shlex.quote(args.file)}"
    return _open_window(_settings(), lambda go: go.replay(match.film, match.seats), instead=instead)


def _run_tell(args: argparse.Namespace) -> int:
    if args.language and args.language != chosen():
        # Texts are translated while their modules are loaded, so the language must be known before.
        here = dict(os.environ, CONQUEST_LANGUAGE=args.language)
        return subprocess.call([sys.executable, "-m", "client", "tell", args.file], env=here)
    for line in tell(record_in(place_of(args.file))):
        put(line, sys.stdout)
    return 0


def _run_verify(args: argparse.Namespace) -> int:
    status, lines = verify(place_of(args.file), rules_only=args.rules_only, as_json=args.json)
    for line in lines:
        put(line, sys.stdout)
    return status


def _place(args: argparse.Namespace) -> TableAddress:
    """Return the place that the arguments name; its address is empty if they name none."""
    place = read(args.server) if args.server else TableAddress("")
    return TableAddress(place.address, args.code or place.code)


def _to_table(
    place: TableAddress,
    mine: Settings,
    *,
    watch: bool,
    seat: int = 0,
    people: Sequence[str] = (),
    curtain: bool = False,
    nearby: bool = False,
) -> int:
    """Go to a table in the text client. `seat`: 1 for the first, 0 for any; `people`: as in `TableOptions`. `nearby`:
    without an address, list the tables nearby instead of the held seats.
    """
    if not place.address and nearby:
        return _read_along(mine, lambda reader: reader.look_nearby(people, curtain=curtain))
    if not place.address:
        return _read_along(mine, lambda reader: reader.look_around())
    if watch:
        return _read_along(mine, lambda reader: reader.watch(place.address, place.code))
    # ANY_SEAT if no seat is requested.
    return _read_along(mine, lambda reader: reader.join(place.address, place.code, seat - 1, people, curtain=curtain))


def _read_along(mine: Settings, begin: Callable[[TextProgram], object]) -> int:
    """Play in the text client, in this terminal."""
    _need_folder(mine)
    _ask_name(mine)
    terminal = Terminal(mine)
    with handled(terminal.stop):
        terminal.reader.nearby = nearby = Nearby()
        try:
            return terminal.run(begin, LanAnnouncer(terminal.reader.remote, mine, nearby).update)
        finally:
            nearby.close()


def _run_games(args: argparse.Namespace) -> int:
    for line in tally(settings.load(), as_json=args.json):
        put(line, sys.stdout)
    return 0


def _run_stop(_args: argparse.Namespace) -> int:
    if not staying_port():
        print("You have no server running.")
    elif end_staying():
        print("Your server has stopped. Every match is saved.")
    else:
        raise Trouble("your server does not stop; look at its log, beside its matches.")
    return 0


def _run_desktop(args: argparse.Namespace) -> int:
    try:
        print(desktop.remove() if args.remove else desktop.install())
    except (OSError, RuntimeError) as error:
        raise Trouble(f"your list of programs cannot be changed ({error}).") from None
    return 0


def _settings(name: str = "", people: Sequence[str] = ()) -> Settings:
    """Return the saved settings, with the given name if there is one.

    `people`: those who share this computer; their first name is used if none is known, and not asked for again.
    """
    mine = settings.load()
    name = name or (people[0] if people and mine.guessed else "")
    mine.name, mine.guessed = fitting(name) or mine.name, mine.guessed and not fitting(name)
    return mine


def _ask_name(mine: Settings) -> None:
    """Ask for the player's name at the first contact, where a person can answer; Enter keeps the login name."""
    if mine.guessed and sys.stdin is not None and sys.stdin.isatty():
        try:
            mine.name = fitting(input(_("Your name at the table (Enter: {name}): ", name=mine.name))) or mine.name
        except (EOFError, ValueError):
            return  # The offered name stays; it is asked for again next time.
        mine.guessed = False
        mine.save()


def _run_shot(args: argparse.Namespace) -> int:
    size = re.fullmatch(r"(\d{2,4})x(\d{2,4})", args.size)
    if size is None:
        raise Trouble(f"--size must be WIDTHxHEIGHT, such as 1280x800, not {args.size!r}.")
    rules = registry.ruleset(args.ruleset)
    options = engine.checked_options(rules, args.players, choices(rules, args.option))
    _need_arcade()
    os.environ["ARCADE_HEADLESS"] = "True"  # Arcade reads it while it is imported.
    from client.commands import shot  # Imports Arcade, which only this command needs.

    print(shot.run(rules.id, args.players, args.seed, args.after, (int(size[1]), int(size[2])), args.out, options))
    return 0


def _need_folder(mine: Settings) -> None:
    """Make the folder for the user's files, or say where they are kept in its place."""
    try:
        instead = make_folder()
    except OSError as error:
        raise Trouble(f"there is no place for your files ({error.strerror}); name one with CONQUEST_HOME.") from None
    if instead:
        mine.file = str(settings_file())
        put(f"conquest: {instead}", sys.stderr)


def _need_arcade() -> None:
    if importlib.util.find_spec("arcade") is None:
        raise Trouble('The window needs Arcade; install it with pip install -e ".[all]".')


def _open_window(
    mine: Settings,
    begin: Callable[[Navigator], object],
    meanwhile: Callable[[], object] = lambda: None,
    instead: str = "conquest play --text",
    full: bool = False,
    in_words: Callable[[], int] | None = None,
) -> int:
    """Open the window, call `begin`, and run until the window is closed.

    `meanwhile`: called while the window opens; `instead`: command suggested if there is no screen; `full`: the window
    fills the screen; `in_words`: does the same in a terminal, and is called there if there is no screen.
    """
    _need_arcade()
    if not _screen():
        return _no_screen("no screen was found", instead, in_words)
    _need_folder(mine)
    meanwhile()
    try:
        from client.window import GameWindow  # Imports Arcade, which may find no graphics library here.

        window = GameWindow()
    except Exception as error:  # Whatever the window system reports, the player needs one sentence.
        return _no_screen(f"no window can be opened ({type(error).__name__})", instead, in_words)
    with handled(window.stop):
        window.live(mine, _after_name(mine, begin) if not full else begin, full=full)
    return 0


def _after_name(mine: Settings, begin: Callable[[Navigator], object]) -> Callable[[Navigator], object]:
    """Return `begin`, after the question for the name if the player was never asked."""
    return (lambda go: go.ask_name(lambda: begin(go))) if mine.guessed else begin


def _screen() -> bool:
    """Whether there may be a screen."""
    if not sys.platform.startswith("linux"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def _no_screen(why: str, instead: str, in_words: Callable[[], int] | None) -> int:
    """Go on in the terminal if there is one and the command can; else suggest another command."""
    if in_words is not None and sys.stdin is not None and sys.stdin.isatty():
        put(f"conquest: {why}; the table is played in words. Type help for the commands.", sys.stderr)
        return in_words()
    put(f'conquest: {why}; try "{instead}", which needs no screen.', sys.stderr)
    return 1
