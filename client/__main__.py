"""Entry point of `conquest`, also as `python -m client`."""

import sys

try:
    from client.command_line import main
except ModuleNotFoundError as error:
    # The library of the games is installed without what the program needs.
    sys.exit(f"conquest: the package {error.name} is missing. Do this: pip install 'conquest-empire[client]'")

if __name__ == "__main__":
    sys.exit(main())
