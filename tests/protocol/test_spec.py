"""The written specification says what the code does."""

import re
from pathlib import Path
from typing import Any

from protocol import codec, delta, limits
from protocol.version import PROTOCOL
from tests.protocol.spec_tables import SPEC, with_tables

ROOT = Path(__file__).parents[2]
TEXT = SPEC.read_text(encoding="utf-8")


def test_the_tables_are_those_of_the_types() -> None:
    assert shape(with_tables(TEXT)) == shape(TEXT), "run python -m tests.protocol.spec_tables"


def shape(text: str) -> str:
    """The tables without their last column: tags, names, fields and types, whatever the words."""
    return re.sub(r"^(\| .*) \| [^|]* \|$", r"\1", text, flags=re.MULTILINE)


def test_numbers_in_the_text_are_those_of_the_code() -> None:
    rates = limits.Rates()
    for words in (
        f"protocol version {PROTOCOL}",
        f"{limits.MAX_TO_SERVER} bytes",
        f"{limits.MAX_TO_CLIENT} bytes",
        f"{rates.messages:g} messages per second on average and {rates.burst:g} at once",
        f"{limits.MAX_STRIKES} strikes",
    ):
        assert words in TEXT, words


def test_every_refusal_code_of_the_server_is_listed() -> None:
    listed = set(re.findall(r"^\| `([a-z-]+)` \|", TEXT, re.MULTILINE))
    used: set[str] = set()
    for path in [*ROOT.glob("protocol/*.py"), *ROOT.glob("server/**/*.py")]:
        source = path.read_text(encoding="utf-8")
        used |= set(re.findall(r'(?:Refusal\(\s*|Refused\([^"]{1,30}, )"([a-z-]+)"', source))
        used |= set(re.findall(r'BadMessage\("([a-z-]+)"', source))
    assert len(used) > 20 and used <= listed, used - listed


def test_the_worked_example_works() -> None:
    held: list[Any] = [3, [10, 20, 30, 40], [[1, 5], [], [2, 7]], "open"]
    after = [4, [10, 21, 21, 40, 50], [[1, 6], []], "open"]
    change = [0, 4, 1, [1, 2], 21, 1, 4, 50, 2, 2, None, 2, -2, [1, 6]]
    delta.patch(held, change)
    assert held == after
    encoded = codec.ENCODER.encode(after)
    assert f"`{codec.ENCODER.encode(change).hex(' ')}`" in TEXT
    assert f"`{encoded.hex(' ')}`" in TEXT
    assert f"{delta.digest(encoded)}" in TEXT
