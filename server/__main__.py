"""Command line: `conquest-server serve`, `bot`, `demo` and the rest."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from importlib import metadata

from server.storage.port import StoreError
from server.tools import (
    admin,
    arena,
    backup,
    bot_client,
    check,
    check_client,
    demo,
    doctor,
    export,
    move,
    repair,
    seats,
    simulate,
)
from server.tools import serve as serving
from shared.compiled import compiled


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="conquest-server", description="The server of Conquest: it runs matches and tells everybody the truth."
    )
    top.add_argument("--version", action="version", version=version())
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, help_, module in (
        ("serve", "run a server for your friends", serving),
        ("bot", "let a bot sit down at a table of any server and play to the end", bot_client),
        ("check-client", "play a server that tests your own client, and say what it does wrong", check_client),
        ("demo", "let bots play a whole match over real sockets, with people looking on", demo),
        ("simulate", "let bots play many matches without a network and count", simulate),
        ("arena", "let bots of different levels play many matches against each other and count who wins", arena),
        ("doctor", "say in sentences what is amiss where a server runs, or is to run", doctor),
        ("check", "say which matches this version can go on with, before an update", check),
        ("repair", "say what is damaged in the kept matches, and bring the rest back", repair),
        ("backup", "copy all matches as they are at one moment, while the server runs", backup),
        ("move", "move all matches and profiles from the file into PostgreSQL, or back", move),
        ("export", "write one match to a file that anybody can look at and check", export),
        ("admin", "look after a server while it runs", admin),
        ("seats", "list the seats of persons in the kept matches, with a new key to each", seats),
    ):
        command = commands.add_parser(name, help=help_, description=help_[0].upper() + help_[1:] + ".")
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return top


def version() -> str:
    """Return the version, such as ``"conquest-server 0.2.0, rules interpreted"`` (or compiled)."""
    try:
        number = metadata.version("conquest-empire")
    except metadata.PackageNotFoundError:  # run from a folder, without an installed package
        number = "of this folder"
    return f"conquest-server {number}, rules {'compiled' if compiled() else 'interpreted'}"


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return the exit status.

    Status 2 means an error that the caller can correct; stderr gets one sentence about it.
    """
    args = parser().parse_args(arguments)
    run: Callable[[argparse.Namespace], int] = args.run
    try:
        status = run(args)
        if sys.stdout is not None:
            sys.stdout.flush()
        return status
    except BrokenPipeError:
        # The reader of the pipe has seen enough, as `head` does; nothing may be left to flush at exit.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0
    except (ValueError, OSError, StoreError) as error:
        print(f"conquest-server: {error}", file=sys.stderr)
        return 2
    except KeyboardInterrupt:
        return 130


if __name__ == "__main__":
    sys.exit(main())
