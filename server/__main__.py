"""Command line: `conquest-server serve`, `bot`, `demo` and the rest."""

import argparse
import os
import sys
from collections.abc import Callable, Sequence

from protocol.release import release
from shared.compiled import compiled

try:
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
        push_key,
        repair,
        seats,
        simulate,
    )
    from server.tools import serve as serving
except ModuleNotFoundError as error:
    # The library of the games is installed without what a server needs.
    sys.exit(f"conquest-server: the package {error.name} is missing. Do this: pip install 'conquest-empire[server]'")


def parser() -> argparse.ArgumentParser:
    """Return the parser of the whole command line."""
    top = argparse.ArgumentParser(
        prog="conquest-server",
        description="The server of Conquest: it runs matches, and bots, backups and checks for them.",
    )
    top.add_argument("--version", action="version", version=version())
    commands = top.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, help_, module in (
        ("serve", "run a server", serving),
        ("bot", "seat a bot at a table of any server; it plays to the end", bot_client),
        ("check-client", "test your own client: play a server and report the client's errors", check_client),
        ("demo", "play a whole match of bots over real sockets, with spectators", demo),
        ("simulate", "play many matches of bots without a network, check every position, and count", simulate),
        ("arena", "compare bots in many matches, and count their wins", arena),
        ("doctor", "check the machine and the settings of a server, before or while it runs", doctor),
        ("check", "list which matches this version can continue, before an update", check),
        ("repair", "report damaged matches, and restore what is left of them", repair),
        ("backup", "copy all matches as of one moment; the server may run", backup),
        ("move", "move all matches and profiles from SQLite to PostgreSQL, or back", move),
        ("push-key", "make a key for alerts to players' devices (Web Push)", push_key),
        ("export", "write one match to a file that can be replayed and verified", export),
        ("admin", "control a running server", admin),
        ("seats", "list the seats of people in stored matches, with a new key for each", seats),
    ):
        command = commands.add_parser(name, help=help_, description=help_[0].upper() + help_[1:] + ".")
        module.add_arguments(command)
        command.set_defaults(run=module.run)
    return top


def version() -> str:
    """Return the version, such as ``"conquest-server 0.2.0, rules interpreted"`` (or compiled)."""
    return f"conquest-server {release()}, rules {'compiled' if compiled() else 'interpreted'}"


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
