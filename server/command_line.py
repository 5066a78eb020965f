"""Command line: `conquest-server serve`, `bot`, `demo` and the rest."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import import_module
from types import FunctionType, ModuleType
from typing import Final

from protocol.release import release
from server.storage.port import StoreError
from shared.mechanics import armies

_COMMANDS: Final = {
    "serve": "run a server",
    "bot": "seat a bot at a table of any server; it plays to the end",
    "check-client": "test your own client: play a server and report the client's errors",
    "demo": "play a whole match of bots over real sockets, with spectators",
    "simulate": "play many matches of bots without a network, check every position, and count",
    "arena": "compare bots in many matches, and count their wins",
    "doctor": "check the machine and the settings of a server, before or while it runs",
    "check": "list which matches this version can continue, before an update",
    "repair": "report damaged matches, and restore what is left of them",
    "backup": "copy all matches as of one moment; the server may run",
    "move": "move all matches and profiles from SQLite to PostgreSQL, or back",
    "push-key": "make a key for alerts to players' devices (Web Push)",
    "export": "write one match to a file that can be replayed and verified",
    "ratings": "make the ratings of people again from the kept matches, and say what differs",
    "admin": "control a running server",
    "seats": "list the seats of people in stored matches, with a new key for each",
}
_MODULES: Final = {"bot": "bot_client"}
"""Modules in `server.tools` whose names differ from their commands."""


def parser(only: str | None = None) -> argparse.ArgumentParser:
    """Return the parser of the whole command line.

    only: the command to be run. The modules of the others are not imported then, which would take longer than to start
    a server.
    """
    top = argparse.ArgumentParser(
        prog="conquest-server",
        description="The server of Conquest: it runs matches, and bots, backups and checks for them.",
    )
    top.add_argument("--version", action="version", version=version())
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, help_ in _COMMANDS.items():
        command = commands.add_parser(name, help=help_, description=help_[0].upper() + help_[1:] + ".")
        if only in (None, name):
            module = _module(name)
            module.add_arguments(command)
            command.set_defaults(run=module.run)
    return top


def _module(command: str) -> ModuleType:
    try:
        return import_module(f"server.tools.{_MODULES.get(command, command.replace('-', '_'))}")
    except ModuleNotFoundError as error:
        # The library of the games is installed without what a server needs.
        missing = f"the package {error.name} is missing. Do this: pip install 'conquest-empire[server]'"
        sys.exit(f"conquest-server: {missing}")


def compiled() -> bool:
    """Whether the rules are compiled. They behave the same either way, but compiled ones are faster."""
    return not isinstance(armies.army_of, FunctionType)


def version() -> str:
    """Return the version, such as ``"conquest-server 0.2.0, rules interpreted"`` (or compiled)."""
    return f"conquest-server {release()}, rules {'compiled' if compiled() else 'interpreted'}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status.

    Status 2 means an error that the caller can correct; stderr gets one sentence about it.
    """
    words = sys.argv[1:] if arguments is None else arguments
    # All options that stand before a command are without values. Without any words, a missing package is told first.
    command = next((word for word in words if not word.startswith("-")), "") if words else None
    args = parser(command).parse_args(words)
    run: Callable[[argparse.Namespace], int] = args.run
    try:
        status = run(args)
        # Flushed here, where a closed pipe is still handled. Without a console there is no stdout.
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader of the pipe has seen enough, as `head` does; nothing may be left to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, StoreError) as error:
        print(f"conquest-server: {_sentence(error)}", file=sys.stderr)
        return 2


def _sentence(error: Exception) -> str:
    """Return what is wrong, without the number that OSError puts before it."""
    if not isinstance(error, OSError) or not error.strerror:
        return str(error)
    advice = "; run this as its owner, or name another place" if isinstance(error, PermissionError) else ""
    return f"{error.filename}: {error.strerror}{advice}." if error.filename else error.strerror
