"""Entry point of `conquest-server`, also as `python -m server`."""

import signal
import sys


def main() -> int:
    """Run one command and return the exit status."""
    # As SIGTERM does, until `protocol.process.stopping` closes in order: an exception would end imports with a
    # traceback, or be swallowed by one.
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    from server.command_line import main as run

    return run()


if __name__ == "__main__":
    sys.exit(main())
