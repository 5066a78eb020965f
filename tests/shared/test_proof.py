"""Draws follow from the secret and the numbers, as SPEC.md says, and are as random as dice."""

import hashlib
import hmac
import json
from collections import Counter
from collections.abc import Iterable
from itertools import pairwise, permutations
from math import sqrt
from pathlib import Path

import pytest

from server.storage.promise import promise
from shared import proof
from shared.kernel import chance
from shared.kernel.frames import Deal, Dealt, Dice, Draw, Drawn, Frame, Rolled
from shared.proof import Lots
from shared.refusal import BrokenRules

PROMISE = promise(bytes(range(32)))
NUMBERS = (b"\x11" * 32, b"", b"\x33" * 32)
LOTS = Lots(PROMISE.secret, PROMISE.key, "k3x9q0a7bz1c", NUMBERS)
SAMPLE = Path(__file__).parents[2] / "protocol" / "samples" / "dice.json"


def words(text: bytes) -> Iterable[int]:
    """Yield the stream of SPEC.md, written independently of the program's code."""
    for counter in range(1000):
        block = hmac.new(PROMISE.secret, text + counter.to_bytes(4, "big"), hashlib.sha256).digest()
        yield from (int.from_bytes(block[at : at + 4], "big") for at in range(0, 32, 4))


def below(stream: Iterable[int], stop: int) -> int:
    return next(word % stop for word in stream if word < 2**32 // stop * stop)


def text_of(version: int, kind: int, count: int, size: int) -> bytes:
    bound = hashlib.sha256(b"conquest dice 1\ncommitment" + PROMISE.secret + PROMISE.key).digest()
    numbers = b"".join(bytes([len(number)]) + number for number in NUMBERS)
    head = b"conquest dice 1\n" + bound + b"\x0ck3x9q0a7bz1c" + bytes([len(NUMBERS)]) + numbers
    return head + b"".join(word.to_bytes(4, "big") for word in (version, kind, count, size))


def test_draws_follow_the_specification() -> None:
    for version in (1, 2, 77, 70_000):
        stream = iter(words(text_of(version, 0, 9, 9)))
        assert LOTS.draw(version, Dice(4, 9)) == Rolled(tuple([below(stream, 6) for _ in range(9)]))
        stream, order = iter(words(text_of(version, 1, 7, 7))), list(range(7))
        for i in range(6, 0, -1):
            j = below(stream, i + 1)
            order[i], order[j] = order[j], order[i]
        assert LOTS.draw(version, Draw(4, 7)) == Drawn(tuple(order))
        stream, heap = iter(words(text_of(version, 2, 50, 3))), list(range(50))
        for i in range(3):
            j = i + below(stream, 50 - i)
            heap[i], heap[j] = heap[j], heap[i]
        assert LOTS.draw(version, Deal(4, 50, 3)) == Dealt(tuple(heap[:3]))


def test_the_examples_for_other_programs_hold() -> None:
    examples = json.loads(SAMPLE.read_text(encoding="utf-8"))
    secret, key = bytes.fromhex(examples["secret"]), bytes.fromhex(examples["key"])
    assert proof.commitment(secret, key).hex() == examples["commitment"]
    lots = Lots(secret, key, examples["match"], [bytes.fromhex(number) for number in examples["numbers"]])
    kinds: dict[str, type[Frame]] = {"dice": Dice, "draw": Draw, "deal": Deal}
    assert {drawn["what"] for drawn in examples["draws"]} == set(kinds)
    for drawn in examples["draws"]:
        frame = kinds[drawn["what"]](9, *drawn["counts"])
        (found,) = [list(each) for each in _fields(lots.draw(drawn["version"], frame))]
        assert found == drawn["result"], drawn


def _fields(action: object) -> Iterable[tuple[int, ...]]:
    match action:
        case Rolled(given) | Drawn(given) | Dealt(given):
            yield given


def test_everything_counts() -> None:
    """Another match, version, kind, count, number, secret or key, and the order of the numbers: other dice."""
    other = promise(b"o" * 32)
    streams = [
        LOTS.source(5, Dice(1, 8)),
        LOTS.source(6, Dice(1, 8)),
        LOTS.source(5, Dice(1, 9)),
        LOTS.source(5, Draw(1, 8)),
        LOTS.source(5, Deal(1, 8, 8)),
        LOTS.source(5, Deal(1, 8, 7)),
        Lots(PROMISE.secret, PROMISE.key, "k3x9q0a7bz1d", NUMBERS).source(5, Dice(1, 8)),
        Lots(PROMISE.secret, PROMISE.key, "k3x9q0a7bz1c", NUMBERS[::-1]).source(5, Dice(1, 8)),
        Lots(PROMISE.secret, PROMISE.key, "k3x9q0a7bz1c", (*NUMBERS, b"")).source(5, Dice(1, 8)),
        Lots(PROMISE.secret, PROMISE.key, "k3x9q0a7bz1c", (NUMBERS[0], NUMBERS[2], b"")).source(5, Dice(1, 8)),
        Lots(other.secret, PROMISE.key, "k3x9q0a7bz1c", NUMBERS).source(5, Dice(1, 8)),
        Lots(PROMISE.secret, other.key, "k3x9q0a7bz1c", NUMBERS).source(5, Dice(1, 8)),
    ]
    assert len({stream.randrange(2**32) for stream in streams}) == len(streams)


def test_the_number_of_the_frame_does_not_count_and_asking_again_gives_the_same() -> None:
    """After a crash between a command and its result the same command has the same result."""
    assert LOTS.draw(5, Dice(1, 8)) == LOTS.draw(5, Dice(99, 8)) == LOTS.draw(5, Dice(1, 8))


def test_frames_without_chance_draw_nothing() -> None:
    with pytest.raises(BrokenRules):
        LOTS.draw(1, Frame(1))


# A million draws. The secret is fixed, so what comes out is, too: at worst one in a thousand would fail.

ROLLS, EACH = 125_000, 8


@pytest.fixture(scope="module")
def faces() -> list[int]:
    rolls = [LOTS.source(version, Dice(1, EACH)) for version in range(ROLLS)]
    return [roll.randrange(chance.FACES) for roll in rolls for _ in range(EACH)]


def chi_square(found: Iterable[object], cells: int) -> float:
    counts = Counter(found)
    expected = counts.total() / cells
    missing = cells - len(counts)
    return sum((count - expected) ** 2 / expected for count in counts.values()) + missing * expected


@pytest.mark.long
def test_all_faces_are_equally_likely(faces: list[int]) -> None:
    assert len(faces) == 1_000_000
    assert chi_square(faces, 6) < 20.52  # 5 degrees of freedom


@pytest.mark.long
def test_all_places_in_a_roll_are_alike(faces: list[int]) -> None:
    for place in range(EACH):
        assert chi_square(faces[place::EACH], 6) < 20.52


@pytest.mark.long
def test_a_die_says_nothing_about_the_next(faces: list[int]) -> None:
    assert chi_square(pairwise(faces), 36) < 66.62  # 35 degrees
    assert chi_square(zip(faces[::3], faces[1::3], faces[2::3], strict=False), 216) < 284.0  # 215 degrees
    mean = sum(faces) / len(faces)
    square = sum((face - mean) ** 2 for face in faces)
    for lag in (1, 2, 3, 7, EACH, 2 * EACH):
        products = sum((a - mean) * (b - mean) for a, b in zip(faces, faces[lag:], strict=False))
        assert abs(products / square) < 3.3 / sqrt(len(faces)), lag


@pytest.mark.long
def test_all_orders_are_equally_likely() -> None:
    orders = [chance.draw(Draw(1, 4), LOTS.source(version, Draw(1, 4))) for version in range(48_000)]
    assert {order.order for order in orders if isinstance(order, Drawn)} == set(permutations(range(4)))
    assert chi_square(orders, 24) < 49.73  # 23 degrees


def test_all_deals_are_equally_likely() -> None:
    deals = [LOTS.draw(version, Deal(1, 9, 2)) for version in range(36_000)]
    assert chi_square(deals, 72) < 114.8  # 71 degrees


def test_biased_random_values_are_thrown_away() -> None:
    """Of words up to 7 the two beyond 5 would make 0 and 1 twice as likely."""
    stream = proof.Stream(b"k" * 32, b"text")
    stop = 3 * 2**30
    found = [stream.randrange(stop) for _ in range(20_000)]
    thirds = [number // 2**30 for number in found]
    assert chi_square(thirds, 3) < 13.82  # 2 degrees; with a plain rest the first third has half of all
