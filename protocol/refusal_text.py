"""Texts of refusals: each sentence has a constant key, and the values in its gaps are sent beside it.

The sentences are written in the code that refuses. `words.json` lists them by their keys, with letters in the gaps; it
is generated from that code.
"""

from collections.abc import Mapping
from functools import cache
from importlib import resources
from string import ascii_lowercase
from typing import Final

import msgspec

from shared.messages import Refused
from shared.refusal import Refusal

ECHOES: Final = ("bad-message", "bad-action", "storage")
"""Codes whose texts may come from elsewhere, such as a library or a disk. For such texts the code is the key, and the
text fills its gap.
"""


@cache
def words() -> Mapping[str, str]:
    """Return all sentences by their keys; ``{a}``, ``{b}`` ... are filled in."""
    data = (resources.files("protocol") / "words.json").read_bytes()
    return msgspec.json.decode(data, type=dict[str, str])


def refused(ref: int, refusal: Refusal) -> Refused:
    """Return the message for a refusal."""
    key, args = keyed(refusal.text)
    if not key and refusal.code in ECHOES:
        key, args = refusal.code, (refusal.text,)
    return Refused(ref, refusal.code, refusal.rule, refusal.text, key, args)


def keyed(text: str) -> tuple[str, tuple[str, ...]]:
    """Return the key of a sentence and the values in its gaps; both empty if it is none of ours."""
    key = _whole().get(text)
    if key is not None:
        return key, ()
    return next(((key, args) for key, parts in _gapped() if (args := _filled(parts, text))), ("", ()))


def parts_of(sentence: str) -> tuple[str, ...]:
    """Return the parts of a sentence before, between and behind the gaps."""
    for letter in ascii_lowercase:
        sentence = sentence.replace(f"{{{letter}}}", "\0")
    return tuple(sentence.split("\0"))


@cache
def _whole() -> Mapping[str, str]:
    return {sentence: key for key, sentence in words().items() if len(parts_of(sentence)) == 1}


@cache
def _gapped() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the sentences with gaps, those with the most words of their own first."""
    found = [(key, parts_of(sentence)) for key, sentence in words().items() if key not in ECHOES]
    gapped = [(key, parts) for key, parts in found if len(parts) > 1]
    return tuple(sorted(gapped, key=lambda pair: -sum(map(len, pair[1]))))


def _filled(parts: tuple[str, ...], text: str) -> tuple[str, ...]:
    """Return the values in the gaps; () if it is another sentence."""
    first, *between, last = parts
    if not (text.startswith(first) and text.endswith(last)):
        return ()
    found, rest = [], text[len(first) : len(text) - len(last)]
    for part in between:
        gap, part, rest = rest.partition(part)
        found.append(gap)
    found.append(rest)
    return tuple(found) if all(found) and len(text) > len(first) + len(last) else ()
