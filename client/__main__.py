"""Entry point of `conquest`, also as `python -m client`."""

import signal
import sys


def main() -> int:
    """Run one command and return the exit status."""
    # As SIGTERM does, until `protocol.process.stopping` closes in order: an exception would end imports with a
    # traceback, or be swallowed by one.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    try:
        from client.command_line import main as run
    except ModuleNotFoundError as error:
        # The library of the games is installed without what the program needs.
        sys.exit(f"conquest: the package {error.name} is missing. Do this: pip install 'conquest-empire[client]'")
    return run()


if __name__ == "__main__":
    sys.exit(main())
