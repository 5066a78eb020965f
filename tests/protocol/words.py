"""The words of refusals by their keys, collected from the sources.

A key stays with its sentence: an editor of a sentence changes it in words.json too, and keeps the key.
"""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final

from client.workshop.translations.finding import ROOT, RULES, lists
from protocol.refusal_text import ECHOES, lettered

FILE: Final = ROOT / "protocol" / "words.json"
_SENTENCE: Final = re.compile(r"[A-Z{].* .*[.!?]")
_LONGEST: Final = 48
"""Characters of a key, where they tell sentences apart."""
_UNSENT: Final = ("protocol/links.py", "protocol/routes.py")
"""Modules that refuse addresses before there is a server."""


def sentences() -> list[str]:
    """Return all sentences that rules, protocol and server tell players, in the order of their files."""
    said = [
        lettered(text.words)
        for text in lists()[RULES]
        if _SENTENCE.fullmatch(text.words) and ".json" not in text.where and text.where not in _UNSENT
    ]
    return list(dict.fromkeys(said))


def keys(kept: Mapping[str, str], said: Iterable[str]) -> dict[str, str]:
    """Return each sentence by its key: the one that it had, or a new one made of its first words."""
    known = {sentence: key for key, sentence in kept.items()}
    found = dict.fromkeys(ECHOES, "{a}")
    taken = {*kept, *found}
    for sentence in said:
        key = known.get(sentence) or _fresh(sentence, taken)
        taken.add(key)
        found[key] = sentence
    return found


def _fresh(sentence: str, taken: set[str]) -> str:
    letters = re.sub(r"\{\w\}|'s\b", " ", sentence.lower())
    words = re.findall(r"[a-z0-9]+", letters)
    key = words[0]
    for word in words[1:]:
        if len(key) + len(word) < _LONGEST:
            key = f"{key}-{word}"
    numbered = (f"{key}-{number}" for number in range(2, 100))
    return key if key not in taken else next(each for each in numbered if each not in taken)


def made(path: Path = FILE) -> str:
    """Return the generated contents of the file."""
    kept = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return json.dumps(keys(kept, sentences()), indent=1, ensure_ascii=False) + "\n"
