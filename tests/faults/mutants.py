"""Damaged messages: valid ones of every kind, with random changes."""

import random
from collections.abc import Callable
from typing import Any, Final

import msgspec
from msgspec import Raw, Struct

from protocol import codec
from protocol.version import PROTOCOL
from shared import messages as m
from shared.tables import Arrangement, HookForm, Matter

DEEP: Final[list[Any]] = []
for _ in range(200):
    DEEP[:] = [DEEP[:]]
STRANGE: Final[tuple[Any, ...]] = (
    None, True, False, 0, 1, -1, -2, 255, 2**31, 2**32, 2**63, 2**64 - 1, -(2**63), 1.5, float("nan"), float("inf"),
    "", "a", "\0", "\u202e", "\ud7ff" * 40, "a" * 300, b"", bytes(31), bytes(32), b"\xc1", [], {}, [[]] * 9, {"a": 1},
    {1: 2}, {"rounds": 10**6}, list(range(99)), DEEP, msgspec.msgpack.Ext(5, b"x"), msgspec.msgpack.Ext(-1, bytes(4)),
)  # fmt: skip
"""Values that replace others."""
_PLAIN: Final = msgspec.msgpack.Decoder()
LARGEST: Final = 17_000
"""Bytes of a message that exceeds the server's limit."""


class Known(Struct):
    """Knowledge of a hostile client about a server. The more it knows, the deeper its messages reach."""

    rulesets: tuple[str, ...]
    matches: tuple[str, ...] = ()
    codes: tuple[str, ...] = ("",)
    tokens: tuple[bytes, ...] = (bytes(32),)
    names: tuple[str, ...] = ("Anna",)
    acts: tuple[tuple[int, bytes], ...] = ((0, b"\x91\x00"),)
    """Actions that are or were allowed, each with its frame."""


Maker = Callable[[random.Random, Known, int], m.ClientMessage]


def _match(rng: random.Random, known: Known) -> str:
    return rng.choice((*known.matches, "nowhere"))


def _act(rng: random.Random, known: Known, ref: int) -> m.ClientMessage:
    frame, action = rng.choice(known.acts)
    return m.Act(ref, frame, Raw(action))


MAKERS: Final[tuple[Maker, ...]] = (
    lambda rng, known, ref: m.Hello(PROTOCOL, rng.choice(known.names)),
    lambda rng, known, ref: m.OpenLobby(ref, rng.random() < 0.5),
    lambda rng, known, ref: m.Create(
        ref, rng.choice(known.rulesets), rng.randint(2, 6), {}, "Title", rng.random() < 0.5
    ),
    lambda rng, known, ref: m.Join(ref, _match(rng, known), rng.choice(known.codes), rng.randint(-1, 5)),
    lambda rng, known, ref: m.Watch(ref, _match(rng, known), rng.choice(known.codes), rng.randint(0, 9)),
    lambda rng, known, ref: m.Resume(ref, _match(rng, known), rng.choice(known.tokens), rng.randint(0, 9)),
    lambda rng, known, ref: m.SetBot(ref, rng.randint(0, 5), rng.choice(("random", "greedy", ""))),
    lambda rng, known, ref: m.Start(ref),
    lambda rng, known, ref: m.Leave(ref),
    _act,
    _act,
    _act,
    _act,
    lambda rng, known, ref: m.Say(ref, "Ave"),
    lambda rng, known, ref: m.Sync(rng.randint(0, 9)),
    lambda rng, known, ref: m.Kick(ref, rng.randint(0, 5)),
    lambda rng, known, ref: m.Resize(ref, rng.randint(2, 6)),
    lambda rng, known, ref: m.Rematch(ref, Arrangement(rng.randint(0, 2))),
    lambda rng, known, ref: m.Propose(ref, m.Motion(rng.choice(list(Matter)), rng.randint(-1, 5), rng.randint(0, 9))),
    lambda rng, known, ref: m.Vote(ref, rng.randint(0, 4), rng.random() < 0.5),
    lambda rng, known, ref: m.Undo(ref, rng.randint(0, 9)),
    lambda rng, known, ref: m.Number(ref, rng.randbytes(32)),
    lambda rng, known, ref: m.Hasten(ref),
    lambda rng, known, ref: m.Past(
        ref, rng.choice(("", *known.rulesets)), rng.randint(0, 3), ((_match(rng, known), rng.choice(known.tokens)),)
    ),
    lambda rng, known, ref: m.Recall(
        ref, _match(rng, known), rng.choice((b"", *known.tokens)), rng.choice(known.codes), have=rng.randint(0, 9)
    ),
    lambda rng, known, ref: m.Listen(ref, rng.random() < 0.5),
    lambda rng, known, ref: m.Mute(ref, rng.choice(known.names), rng.random() < 0.5),
    lambda rng, known, ref: m.Introduce(ref, rng.choice(known.tokens), rng.choice(known.codes)),
    lambda rng, known, ref: m.Introduce(ref, rng.randbytes(32)),
    lambda rng, known, ref: m.HandOver(ref),
    lambda rng, known, ref: m.Hook(
        ref, rng.choice(list(HookForm)), rng.choice(("", "https://127.0.0.1/x", "https://x"))
    ),
    lambda rng, known, ref: m.Mine(ref, tuple((_match(rng, known), t) for t in known.tokens[: rng.randint(0, 2)])),
)


def sound(rng: random.Random, known: Known) -> bytes:
    """Return a valid message."""
    return codec.encode(rng.choice(MAKERS)(rng, known, rng.randint(1, 40)))


def bits(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    """Flip a few bits."""
    changed = bytearray(data)
    for _ in range(rng.randint(1, 3)):
        changed[rng.randrange(len(changed))] ^= 1 << rng.randrange(8)
    return bytes(changed)


def cut(rng: random.Random, data: bytes, _other: bytes) -> bytes:
    """Remove the end."""
    return data[: rng.randrange(len(data))]


def splice(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Join the beginning of one message and the end of another."""
    return data[: rng.randrange(len(data) + 1)] + other[rng.randrange(len(other)) :]


def insert(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Insert bytes in the middle."""
    at = rng.randrange(len(data) + 1)
    return data[:at] + rng.choice((rng.randbytes(rng.randint(1, 9)), other, other * 400))[:LARGEST] + data[at:]


def swap(rng: random.Random, data: bytes, other: bytes) -> bytes:
    """Return valid MessagePack in which a value is changed, moved or removed."""
    tree = _PLAIN.decode(data)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        _swap_inside(rng, tree, _PLAIN.decode(other))
    try:
        return codec.ENCODER.encode(tree)
    except (OverflowError, RecursionError, TypeError):
        return data


def _swap_inside(rng: random.Random, tree: list[Any], other: list[Any]) -> None:
    """Damage one value; every level of nesting is equally likely."""
    while tree and isinstance(inner := rng.choice(tree), list) and inner and rng.random() < 0.8:
        tree = inner
    at = rng.randrange(len(tree) + 1)
    match rng.randrange(5):
        case 0:
            tree[at : at + 1] = []
        case 1:
            tree[at:at] = [rng.choice((*STRANGE, *other))]
        case 2 if at < len(tree) and type(tree[at]) is int:
            tree[at] += rng.choice((-3, -2, -1, 1, 2, 3, 100))
        case 3 if tree:
            tree[at - 1] = tree[rng.randrange(len(tree))]
        case _:
            tree[at : at + 1] = [rng.choice((*STRANGE, *other))]


WAYS: Final = (bits, cut, splice, insert, swap, swap, swap, swap)


def sound_act(rng: random.Random, known: Known) -> bytes:
    """Return a valid action."""
    return codec.encode(_act(rng, known, rng.randint(1, 2000)))


def mutant(rng: random.Random, known: Known, make: Callable[[random.Random, Known], bytes] = sound) -> bytes:
    """Return a damaged message; one in eight is valid, so that matches go on."""
    data = make(rng, known)
    return data if rng.random() < 0.125 else rng.choice(WAYS)(rng, data, sound(rng, known))
