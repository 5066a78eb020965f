"""Hostile files of matches: `python -m tests.faults.files --files 100000 --seed 1`.

Files are changed as packed bytes, as bytes inside the packing, and as MessagePack: bits, ends, lengths, depths, sizes.
Each is read, followed and shown as a program does that was handed it. It gives a sentence, or a game that is what the
bytes say; nothing else is raised, nothing is written, and no memory beyond bounds is taken. Prints one JSON object.
"""

import argparse
import json
import lzma
import random
import sys
import tracemalloc
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import structs

from client.replay.record_files import shown
from protocol import record
from protocol.audit import audit
from protocol.record import BadRecord, Record
from shared.history import GENESIS, chain
from shared.rulesets.registry import RULESETS
from tests.play.matches import played

Change = Callable[[bytes, random.Random], bytes]
HEAD: Final = record.MAGIC + b"1\n"
MEMORY: Final = 256 * 1024 * 1024
"""Bytes that reading and replaying any file may take."""
DEEP: Final = 50_000
SPOKEN: Final = 400
"""Greatest length of a message in characters."""


@cache
def originals() -> tuple[Record, ...]:
    """Return short matches of all games, since they are read often."""
    return tuple([played(rules, 3, {}, 9, 25) for rules in RULESETS.values()])


def packed(inside: bytes) -> bytes:
    """Return a file with that content, packed quickly."""
    return HEAD + lzma.compress(inside, preset=0)


def _plain(match: Record) -> list[Any]:
    return list(msgspec.msgpack.decode(msgspec.msgpack.encode(match)))


def bits(data: bytes, rng: random.Random) -> bytes:
    """Flip some bits."""
    changed = bytearray(data)
    for _ in range(rng.randrange(1, 5)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(data: bytes, rng: random.Random) -> bytes:
    """Remove the end, the beginning or a part in the middle."""
    at, to = sorted((rng.randrange(len(data)), rng.randrange(len(data) + 1)))
    return rng.choice((data[:at], data[to:], data[:at] + data[to:]))


def spliced(data: bytes, rng: random.Random) -> bytes:
    """Insert another part of the file, or random bytes."""
    at, to = sorted((rng.randrange(len(data)), rng.randrange(len(data) + 1)))
    other = rng.choice((data[at:to], rng.randbytes(rng.randrange(1, 40))))
    return data[:at] + other + data[at:]


def wild(_data: bytes, rng: random.Random) -> bytes:
    """Return meaningless MessagePack: deep, wide, or with false lengths."""
    depth = rng.randrange(1, DEEP)
    return rng.choice((
        b"\x91" * depth, b"\x81\xa1a" * depth, b"\x9c" + b"\x91" * depth, b"\xdd\xff\xff\xff\xff",
        b"\xdf\xff\xff\xff\xff", b"\xc6\xff\xff\xff\xff", b"\x9c\xdb\xff\xff\xff\xff", b"\xc1" * depth, b"\xc0",
    ))  # fmt: skip


BYTES: Final[tuple[Change, ...]] = (bits, cut, spliced, wild)


def _anything(rng: random.Random) -> Any:
    return rng.choice((
        None, True, -1, 0, 2**63, -(2**63), 1.5, float("nan"), "", "a" * 70_000, b"", bytes(70_000), [], {}, [[]] * 9,
        {"a": 1}, {"round_limit": 10**9}, list(range(300)), "\u202e\x00\n", [b"\x91" * 9000],
    ))  # fmt: skip


def fields(match: Record, rng: random.Random) -> bytes:
    """Change a field, or one within a field."""
    plain = _plain(match)
    at = rng.randrange(len(plain))
    if isinstance(plain[at], list) and plain[at] and rng.random() < 0.6:
        plain[at][rng.randrange(len(plain[at]))] = _anything(rng)
    else:
        plain[at] = _anything(rng)
    return msgspec.msgpack.encode(plain)


def entries(match: Record, rng: random.Random) -> bytes:
    """Change an entry of the log; the chain of checks is computed again, so that the entry itself is read."""
    plain = _plain(match)
    n = rng.randrange(len(plain[6]))
    entry = msgspec.msgpack.decode(plain[6][n])
    if rng.random() < 0.5:
        action = rng.choice(BYTES)(entry[4] or b"\x90", rng)[:16_000]
        entry[4] = action
    else:
        entry[rng.randrange(len(entry))] = _anything(rng)
    plain[6][n] = rng.choice((msgspec.msgpack.encode(entry), bits(plain[6][n], rng)))[:30_000]
    check = GENESIS
    for each in plain[6]:
        check = chain(check, each)
    plain[7] = check
    return msgspec.msgpack.encode(plain)


def bomb(_match: Record, rng: random.Random) -> bytes:
    """Return a small file that unpacks to something huge."""
    size = rng.choice((record.MAX_INSIDE - 1, record.MAX_INSIDE + 1, 3 * record.MAX_INSIDE))
    return rng.choice((b"\x00", b"\x91", b"\xc4\x00", b"\x9f")) * size


def hostile(seed: int) -> Iterator[tuple[str, bytes]]:
    """Yield hostile files without end, each with the name of its change."""
    rng = random.Random(seed)
    whole = [record.write(match) for match in originals()]
    while True:
        match, way = rng.choice(originals()), rng.randrange(100)
        change = rng.choice(BYTES)
        if way < 30:
            yield f"packed {change.__name__}", change(rng.choice(whole), rng)
        elif way < 60:
            yield f"inside {change.__name__}", packed(change(msgspec.msgpack.encode(match), rng))
        elif way < 80:
            yield "fields", packed(fields(match, rng))
        elif rng.randrange(200):
            yield "entries", packed(entries(match, rng))
        else:
            yield "bomb", packed(bomb(match, rng))


def opened(data: bytes) -> Record | str:
    """Read, check and replay a file as a program does. Return the error text if it is refused."""
    try:
        match = record.read(data)
    except BadRecord as error:
        return _sentence(str(error))
    verdict = audit(match)
    if not verdict.holds:
        _sentence(verdict.wrong)
    try:
        shown(match)
    except ValueError as error:
        return _sentence(str(error))
    return match


def _sentence(words: str) -> str:
    assert words and len(words) <= SPOKEN and words.isprintable(), ascii(words)
    return words


def judged(data: bytes) -> str:
    """Return "refused", "equal" if the file decodes to an original match, else "another game"."""
    found = opened(data)
    if isinstance(found, str):
        return "refused"
    assert record.read(record.write(found)) == found
    same = [match for match in originals() if structs.replace(match, proof=found.proof) == found]
    return "equal" if same else "another game"


def main() -> int:
    """Run the test; 0 if all results were error texts or original matches."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=100_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    outcomes: dict[str, Counter[str]] = {}
    _forbid_writing()
    most = 0
    for n, (name, data) in enumerate(islice(hostile(args.seed), args.files)):
        if n % 500 == 0:
            tracemalloc.start()
        outcomes.setdefault(name, Counter())[judged(data)] += 1
        if n % 500 == 0:
            most = max(most, tracemalloc.get_traced_memory()[1])
            tracemalloc.stop()
    print(json.dumps({"outcomes": outcomes, "most_bytes": most}, indent=2))
    others = sum(found["another game"] for found in outcomes.values())
    return 0 if most < MEMORY and not others else 1


def _forbid_writing() -> None:
    """Make all further attempts to write, create, move or remove files fail."""

    def watch(event: str, arguments: tuple[Any, ...]) -> None:
        writes = event == "open" and isinstance(arguments[1], str) and set(arguments[1]) & set("wax+")
        if writes or event in ("os.mkdir", "os.rename", "os.remove", "os.rmdir", "subprocess.Popen", "socket.connect"):
            raise RuntimeError(f"{event} {arguments}")

    sys.addaudithook(watch)


if __name__ == "__main__":
    sys.exit(main())
