"""Forged files of matches: `python -m tests.faults.tampering --files 10000 --seed 1`.

The forger lacks only the server's key: they compute the chain of checks again. They may sign with a key of their own,
or insert a secret of their own. Every such file must be refused. Prints one JSON object."""

import argparse
import json
import random
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from typing import Any, Final

import msgspec
from msgspec import structs

from protocol import codec, record
from protocol.audit import audit
from protocol.record import DiceProof, Record, Sitter
from server.storage.port import DiceRoot
from server.storage.promise import promise
from shared.history import GENESIS, Deed, Entry, chain
from shared.ids import NATURE
from shared.kernel.frames import Dealt, Drawn, Rolled
from shared.rulesets.registry import RULESETS, ruleset
from tests.play.matches import played

Change = Callable[[Record, random.Random], Record]


@cache
def original(number: int) -> Record:
    """Return one of `originals`, without the time that it takes to play all."""
    n, backless = divmod(number, 2)
    rules = [*RULESETS.values()][n]
    return played(rules, 5, {}, 4, 600, backs=False) if backless else played(rules, 2 + n, {}, 5, 400)


@cache
def originals() -> tuple[Record, ...]:
    """Matches of all games, some with steps back, some ended by consent."""
    return tuple(original(number) for number in range(2 * len(RULESETS)))


def _entry(match: Record, n: int) -> Entry:
    return msgspec.msgpack.decode(match.log[n], type=Entry)


def _with(match: Record, log: list[bytes]) -> Record:
    """Return a file with that log, its entries numbered anew where they can be read."""
    numbered = []
    for n, each in enumerate(log, 1):
        numbered.append(msgspec.msgpack.encode(structs.replace(msgspec.msgpack.decode(each, type=Entry), n=n)))
    return structs.replace(match, log=tuple(numbered))


def _put(match: Record, n: int, /, **fields: Any) -> Record:
    log = list(match.log)
    log[n] = msgspec.msgpack.encode(structs.replace(_entry(match, n), **fields))
    return structs.replace(match, log=tuple(log))


def _some(match: Record, rng: random.Random, wanted: Callable[[Entry], bool]) -> int:
    found = [n for n in range(len(match.log)) if wanted(_entry(match, n))]
    return rng.choice(found)


def roll(match: Record, rng: random.Random) -> Record:
    """Change a roll: another face, another order, other pieces dealt."""
    n = _some(match, rng, lambda entry: entry.seat == NATURE and entry.deed is Deed.PLAY)
    action = ruleset(match.ruleset).action_decoder.decode(_entry(match, n).action)
    match action:
        case Rolled(faces):
            at = rng.randrange(len(faces))
            other = (faces[at] + rng.randrange(1, 6)) % 6
            return _put(match, n, action=codec.encode(Rolled((*faces[:at], other, *faces[at + 1 :]))))
        case Drawn(order) | Dealt(order):
            return _put(match, n, action=codec.encode(type(action)(tuple(rng.sample(order, len(order))))))
    raise AssertionError(action)


def decision(match: Record, rng: random.Random) -> Record:
    """Replace an action by another one, or by other bytes of the same one."""
    n = _some(match, rng, lambda entry: entry.seat >= 0 and entry.deed is Deed.PLAY)
    other = _some(match, rng, lambda entry: entry.seat >= 0 and entry.deed is Deed.PLAY)
    return _put(match, n, action=_entry(match, other).action)


def byte(match: Record, rng: random.Random) -> Record:
    """Change one byte of an action."""
    n = _some(match, rng, lambda entry: bool(entry.action))
    action = bytearray(_entry(match, n).action)
    action[rng.randrange(len(action))] = rng.randrange(256)
    return _put(match, n, action=bytes(action))


def head(match: Record, rng: random.Random) -> Record:
    """Change the seat, the time or the frame of an entry."""
    n = rng.randrange(len(match.log))
    entry = _entry(match, n)
    fields: list[dict[str, Any]] = [
        {"seat": (entry.seat + 1) % len(match.seats)}, {"command": entry.command + 1}, {"frame": entry.frame + 1},
        {"at": entry.at + 1}, {"used": ((0, 1),)}, {"to": entry.to + 1}, {"deed": Deed.END}, {"n": n},
    ]  # fmt: skip
    return _put(match, n, **rng.choice(fields))


def swapped(match: Record, rng: random.Random) -> Record:
    """Two entries."""
    log, n = list(match.log), rng.randrange(len(match.log) - 1)
    log[n], log[n + 1] = log[n + 1], log[n]
    return _with(match, log)


def dropped(match: Record, rng: random.Random) -> Record:
    """An entry, or the last ones."""
    log = list(match.log)
    if rng.random() < 1 / 3:
        return _with(match, log[: -rng.randrange(1, 6)])
    del log[rng.randrange(len(log))]
    return _with(match, log)


def doubled(match: Record, rng: random.Random) -> Record:
    """An entry."""
    log, n = list(match.log), rng.randrange(len(match.log))
    return _with(match, [*log[: n + 1], log[n], *log[n + 1 :]])


def inserted(match: Record, rng: random.Random) -> Record:
    """A step back, or an entry from elsewhere."""
    log, n = list(match.log), rng.randrange(1, len(match.log))
    back = msgspec.msgpack.encode(Entry(0, 0, 0, 0, b"", Deed.BACK, rng.randrange(n)))
    return _with(match, [*log[:n], rng.choice((back, rng.choice(log))), *log[n:]])


def header(match: Record, rng: random.Random) -> Record:
    """Change the header of the match: its players, seats or options."""
    turned = (*match.seats[1:], match.seats[0])
    fields: list[dict[str, Any]] = [
        {"seats": turned}, {"seats": (Sitter("Nobody"), *match.seats[1:])}, {"seats": match.seats[:-1]},
        {"title": "Another"}, {"match": "another"}, {"version": match.version + 1}, {"begun": match.begun - 1},
        {"ended": match.ended + 1}, {"open_hands": False}, {"ruleset": "toy"}, {"options": {}},
    ]  # fmt: skip
    return structs.replace(match, **rng.choice(fields))


def witness(match: Record, rng: random.Random) -> Record:
    """Change a part of the proof."""
    given = match.proof
    assert given is not None
    fields: list[dict[str, Any]] = [
        {"secret": rng.randbytes(32)}, {"key": rng.randbytes(32)}, {"signature": rng.randbytes(rng.choice((64, 2144)))},
        {"signature": b""}, {"numbers": given.numbers[::-1]}, {"numbers": given.numbers[:-1]},
        {"numbers": (rng.randbytes(32), *given.numbers[1:])},
        {"numbers": (b"", *given.numbers[1:])} if given.numbers[0] else {"key": b""},
    ]  # fmt: skip
    return structs.replace(match, proof=rng.choice((None, structs.replace(given, **rng.choice(fields)))))


CHANGES: Final[tuple[Change, ...]] = (
    roll, roll, decision, byte, head, swapped, dropped, doubled, inserted, header, witness,
)  # fmt: skip


def rechained(match: Record) -> Record:
    """With a chain that holds."""
    check = GENESIS
    for each in match.log:
        check = chain(check, each)
    return structs.replace(match, check=check)


def resigned(match: Record, rng: random.Random, secret: bytes) -> Record:
    """With a chain that holds, and signed by a key of one's own."""
    own, match = promise(rng.choice((bytes, DiceRoot))(rng.randbytes(32))), rechained(match)
    numbers = match.proof.numbers if match.proof is not None else ()
    given = DiceProof(secret, numbers, own.key)
    return structs.replace(match, proof=structs.replace(given, signature=own.sign(record.seal(match))))


def forged(match: Record, rng: random.Random) -> Record:
    """Apply the forger's finish: none, new checks, an own key, or an own secret as well."""
    way = rng.randrange(4)
    if way == 0 or match.proof is None:
        return match
    if way == 1:
        return rechained(match)
    return resigned(match, rng, match.proof.secret if way == 2 else rng.randbytes(32))


def tampered(seed: int) -> Iterator[tuple[str, Record]]:
    """Files that differ from what a server wrote, with the name of what was done."""
    rng = random.Random(seed)
    while True:
        match, change = rng.choice(originals()), rng.choice(CHANGES)
        other = forged(change(match, rng), rng)
        if other != match:
            yield change.__name__, other


def main() -> int:
    """0 if everything was refused."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    genuine = sum(audit(record.read(record.write(match))).holds for match in originals())
    refused: Counter[str] = Counter()
    accepted: Counter[str] = Counter()
    for name, match in islice(tampered(args.seed), args.files):
        (accepted if audit(match).holds else refused)[name] += 1
    print(
        json.dumps({"genuine": f"{genuine} of {len(originals())}", "refused": refused, "accepted": accepted}, indent=2)
    )
    return 0 if not accepted and genuine == len(originals()) else 1


if __name__ == "__main__":
    sys.exit(main())
