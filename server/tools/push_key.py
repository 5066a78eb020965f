"""Command `push-key`: make a key with which a server signs alerts to players' devices."""

import argparse
from base64 import urlsafe_b64encode
from pathlib import Path

from server.webhooks.push_key import new_key


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the argument of `push-key`."""
    parser.add_argument("file", type=Path, help="file to write; it must not exist yet")


def run(args: argparse.Namespace) -> int:
    """Write a new key, and print the public one. Raises ValueError if the file exists."""
    try:
        public = new_key(args.file)
    except FileExistsError:
        raise ValueError(f"{args.file} exists already; a new key would end the alerts of all devices.") from None
    print(f"{args.file}: key for `conquest-server serve --push-key {args.file}`; keep it, and keep it secret")
    print("public key", urlsafe_b64encode(public).rstrip(b"=").decode())
    return 0
