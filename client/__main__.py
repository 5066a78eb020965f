"""Entry point of `conquest`, also as `python -m client`."""

import sys

from client.command_line import main

if __name__ == "__main__":
    sys.exit(main())
