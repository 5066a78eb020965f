"""Names and chat in any script: in a system font that has the letters, else in Latin ones; never as boxes.

The fonts of the game have Latin letters. Windows and macOS find other fonts by themselves. Where FreeType draws the
letters, this module looks through a few common fonts for the one with the most letters of a text. Letters that none of
them has are transliterated. FreeType neither orders right-to-left text nor joins Arabic letters, so this module does
that, for short lines such as names and chat.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final, TypeAlias

import pyglet.font
from anyascii import anyascii

Families: TypeAlias = tuple[str, ...]

OTHERS: Final[Families] = (
    "DejaVu Sans", "Liberation Sans", "FreeSans", "Noto Sans Hebrew", "Noto Sans Arabic", "Noto Naskh Arabic",
    "Noto Sans CJK SC", "Noto Sans CJK JP", "Noto Sans CJK KR", "Source Han Sans SC", "WenQuanYi Micro Hei",
    "WenQuanYi Zen Hei", "Droid Sans Fallback", "Noto Sans Thai", "Noto Sans Armenian", "Noto Sans Georgian",
    "Noto Sans Symbols2", "Symbola", "Unifont",
)  # fmt: skip
"""Monochrome fonts that a system may have; only those for scripts other than Latin are needed."""
_SIZE: Final = 12.0
_WOVEN: Final = re.compile(r"[\u0900-\u0dff\u0f00-\u109f\u1780-\u17ff\u1a20-\u1aaf]")
"""Letters that change places and shapes beside others, which this module does not support."""
_UNSEEN: Final = re.compile(
    r"[\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe00-\ufe0f\U0001f3fb-\U0001f3ff\U000e0000-\U000e007f]"
)
"""Invisible characters that control how others are drawn."""
_KEPT: Final = 512
_RIGHT: Final = ("R", "AL")
_NEUTRAL: Final = ("WS", "ON", "CS", "ES", "NSM")


def dressed(words: str, usual: Families) -> tuple[Families, str]:
    """Return the fonts in which a text can be drawn, and the text as it is to be drawn in them."""
    return (usual, words) if words.isascii() else _dressed(words, usual)


@lru_cache(maxsize=_KEPT)
def _dressed(words: str, usual: Families) -> tuple[Families, str]:
    chosen = families(words, usual)
    return chosen, ordered(in_known_letters(words, chosen)) or "?"


def families(words: str, usual: Families) -> Families:
    """Return the usual fonts, with fonts before them that have more of the letters."""
    if words.isascii():
        return usual
    missing = [letter for letter in dict.fromkeys(words) if not has(usual, letter)]
    if not missing:
        return usual
    best = max(_others(), key=lambda family: sum(has((family,), letter) for letter in missing), default="")
    better = best and any(has((best,), letter) for letter in missing)
    return (best, *usual) if better else usual


def in_known_letters(words: str, chosen: Families) -> str:
    """Return the text with letters missing in these fonts in Latin ones; unknown ones are dropped."""
    if words.isascii():
        return words
    return "".join(letter if has(chosen, letter) else _latin_letters(letter) for letter in words)


@lru_cache(maxsize=_KEPT)
def _latin_letters(letter: str) -> str:
    """Return the letter's transliteration or name; empty for invisible ones."""
    return "" if _UNSEEN.fullmatch(letter) or unicodedata.combining(letter) else anyascii(letter)


@cache
def _others() -> Families:
    """Return the installed ones of OTHERS that have Latin letters, too: names and chat are mixed."""
    return tuple(family for family in OTHERS if pyglet.font.have_font(family) and _is_latin(family))


def _is_latin(family: str) -> bool:
    # Only pyglet's FreeType fonts have a face; the other systems find fonts by themselves.
    face = getattr(_font((family,)), "face", None)
    return face is None or face.get_character_index("A") != 0


@lru_cache(maxsize=16 * _KEPT)
def has(chosen: Families, letter: str) -> bool:
    """Whether the first available one of these fonts has a letter; True where the system finds another font."""
    if letter.isascii():
        return True
    if _UNSEEN.fullmatch(letter):
        return False
    face = getattr(_font(chosen), "face", None)
    return face is None or (not _WOVEN.fullmatch(letter) and face.get_character_index(letter) != 0)


@cache
def _font(chosen: Families) -> object:
    family = next((family for family in chosen if pyglet.font.have_font(family)), chosen[-1])
    return pyglet.font.load(family, _SIZE)


# Right-to-left text


def ordered(words: str) -> str:
    """Return the text with right-to-left letters in visual order, from the left."""
    kinds = [unicodedata.bidirectional(letter) for letter in words]
    if not any(kind in _RIGHT for kind in kinds):
        return words
    runs = _direction_runs(joined(words), [_turned(kinds, i) for i in range(len(words))])
    return "".join(_reversed_words(run) if turned else run for run, turned in runs)


def _turned(kinds: Sequence[str], at: int) -> bool:
    """Whether the character is part of right-to-left words, or stands between two of them."""
    if kinds[at] in _RIGHT:
        return True
    before = next((kind for kind in reversed(kinds[:at]) if kind not in (*_NEUTRAL, "EN", "AN")), "L")
    after = next((kind for kind in kinds[at:] if kind not in (*_NEUTRAL, "EN", "AN")), "L")
    return before in _RIGHT and (after in _RIGHT or kinds[at] == "NSM")


def _direction_runs(words: str, turned: Sequence[bool]) -> Iterable[tuple[str, bool]]:
    """Return the text in pieces of one direction each."""
    first = 0
    for i in range(1, len(words) + 1):
        if i == len(words) or turned[i] != turned[first]:
            yield words[first:i], turned[first]
            first = i


_PAIRS: Final = str.maketrans("()[]{}<>«»", ")(][}{><»«")


def _reversed_words(run: str) -> str:
    """Return the text reversed except for numbers; marks stay behind their letters."""
    parts = re.findall(r"\d[\d.,:]*\d|\d|.[\u0300-\u036f\u0591-\u05c7\u064b-\u065f]*", run, re.DOTALL)
    return "".join(reversed([part if part[0].isdigit() else part.translate(_PAIRS) for part in parts]))


@cache
def _forms() -> dict[str, dict[str, str]]:
    """Return the shapes of Arabic letters by their place in a word, from Unicode."""
    found: dict[str, dict[str, str]] = {}
    # The block "Arabic Presentation Forms-B": one code for each shape of a letter.
    for code in range(0xFE70, 0xFEFD):
        parts = unicodedata.decomposition(chr(code)).split()
        if len(parts) == 2 and parts[0] in ("<isolated>", "<final>", "<initial>", "<medial>"):
            found.setdefault(chr(int(parts[1], 16)), {})[parts[0].strip("<>")] = chr(code)
    return found


def joined(words: str) -> str:
    """Return the text with Arabic letters in their joined shapes; its length stays the same."""
    return "".join(_shape(words, i) for i in range(len(words)))


def _shape(words: str, at: int) -> str:
    forms = _forms().get(words[at])
    if forms is None:
        return words[at]
    tied = "initial" in _forms().get(words[at - 1], {}) if at else False
    goes_on = "initial" in forms and at + 1 < len(words) and "final" in _forms().get(words[at + 1], {})
    name = {(True, True): "medial", (True, False): "final", (False, True): "initial"}.get((tied, goes_on), "isolated")
    return forms.get(name, words[at])
