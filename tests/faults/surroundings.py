"""Network and file systems of a program's own, in which packets get lost and disks are full.

A program enters them with `enter`: Linux, root, `unshare`, `ip` and `nft`. Packets are dropped by the kernel, so that
its TCP repeats them as it does in a bad network."""

import asyncio
import contextlib
import os
import shutil
import subprocess
import sys
from collections.abc import AsyncIterator, Iterator, Sequence
from pathlib import Path
from typing import IO, Final

TABLE: Final = "inet faults"
PIECE: Final = 4096
"""Bytes that are written at once to fill a disk."""


def can_enter() -> bool:
    """Whether this machine lets this process have surroundings of its own."""
    if sys.platform != "linux" or os.geteuid() != 0 or not all(map(shutil.which, ("unshare", "ip", "nft"))):
        return False
    trial = "mount -t tmpfs tmpfs /mnt && nft add table inet trial"
    return subprocess.run(["unshare", "-mn", "sh", "-c", trial], capture_output=True).returncode == 0


def enter(module: str, arguments: Sequence[str]) -> list[str]:
    """Return the command that runs a module in surroundings of its own."""
    command = [sys.executable, "-m", module, "--inside", *arguments]
    return ["unshare", "-mn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh", *command]


@contextlib.contextmanager
def losing(sent: int, received: int, engines: Sequence[int], served: int) -> Iterator[None]:
    """Drop packets of a server. `sent`, `received`: percent of its packets that are dropped. `engines`: ports to which
    it connects. `served`: the port at which clients connect to it."""
    here, there = str(served), ", ".join(map(str, engines))
    ways = (sent, "dport", there), (sent, "sport", here), (received, "sport", there), (received, "dport", here)
    rules = [
        f"add rule {TABLE} out tcp {side} {{ {ports} }} numgen random mod 100 < {percent} drop"
        for percent, side, ports in ways
    ]
    chain = f"add chain {TABLE} out {{ type filter hook output priority 0; }}"
    _nft(f"add table {TABLE}", chain, *rules)
    try:
        yield
    finally:
        _nft(f"delete table {TABLE}")


def _nft(*commands: str) -> None:
    subprocess.run(["nft", "-f", "-"], input="\n".join(commands), text=True, check=True)


@contextlib.contextmanager
def small_disk(directory: Path, size: str) -> Iterator[Path]:
    """Mount a file system in memory at a new directory. `size`: as `mount` takes it."""
    directory.mkdir(parents=True, exist_ok=True)
    subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size}", "tmpfs", str(directory)], check=True)
    try:
        yield directory
    finally:
        # Processes that end late may still have open files there.
        subprocess.run(["umount", "--lazy", str(directory)], check=True)


@contextlib.asynccontextmanager
async def full(directory: Path) -> AsyncIterator[None]:
    """Leave no space on the file system of a directory, and take what others free there meanwhile."""
    filler = directory / "filler"
    with filler.open("wb", buffering=0) as file:
        filling = asyncio.create_task(_fill(file))
        try:
            await asyncio.sleep(0)
            yield
        finally:
            filling.cancel()
            filler.unlink()


async def _fill(file: IO[bytes]) -> None:
    while True:
        with contextlib.suppress(OSError):
            while True:
                file.write(bytes(PIECE))
        await asyncio.sleep(0.01)
