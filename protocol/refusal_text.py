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

from shared.language.sentence import GAP, gaps, in_english
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
    key, args = keyed(refusal)
    return Refused(ref, refusal.code, refusal.rule, refusal.text, key, args)


def keyed(refusal: Refusal) -> tuple[str, tuple[str, ...]]:
    """Return the key of a refusal's sentence and the values in its gaps; both empty if it is none of ours."""
    words = refusal.words
    if not isinstance(words, str):
        args = tuple([in_english(words.values[gap]) for gap in gaps(words.key)])
        return _keys().get(lettered(words.key), ""), args
    key = _keys().get(words, "")
    return (refusal.code, (words,)) if not key and refusal.code in ECHOES else (key, ())


def lettered(words: str) -> str:
    """Return a sentence with letters for the names of its gaps, as `words.json` has it."""
    letters = iter(ascii_lowercase)
    return GAP.sub(lambda _gap: f"{{{next(letters)}}}", words)


@cache
def _keys() -> Mapping[str, str]:
    return {sentence: key for key, sentence in words().items() if key not in ECHOES}
