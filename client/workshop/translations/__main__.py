"""`python -m client.workshop.translations`: update all lists, and print missing translations.

`python -m client.workshop.translations forgotten FILE ...` lists unmarked texts in those sources.
"""

import re
import sys
from collections.abc import Sequence
from io import StringIO
from pathlib import Path
from typing import Final

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from client.language import ENGLISH, languages
from client.workshop.translations.finding import ROOT, Text, forgotten, lists

FOLDER: Final = ROOT / "client" / "language"
_HEAD: Final = """msgid ""
msgstr ""
"Language: {code}\\n"
{name}"Plural-Forms: {plurals}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Content-Transfer-Encoding: 8bit\\n"

"""
"""Head of a list. It has no dates, because they would conflict whenever two people translate at once."""
SHORTEST: Final = 8
"""Letters of the shortest text that takes the translation of a similar one: "20" is no better for "260" than none."""
_NAME: Final = re.compile(r'^"Language-Name: .*\\n"\n', re.MULTILINE)


def main(arguments: Sequence[str]) -> int:
    """Run the requested command."""
    if arguments[:1] == ["forgotten"]:
        for name in arguments[1:]:
            for line, words in forgotten(Path(name).resolve()):
                print(f"{name}:{line}: {words}")
        return 0
    for code in languages():
        if code != ENGLISH:
            refresh(code)
    return 0


def refresh(code: str) -> None:
    """Update the lists of one language."""
    for name, texts in lists().items():
        path = FOLDER / code / f"{name}.po"
        messages = updated(path, code, texts)
        top = _HEAD.format(code=code, name=_name(path), plurals=messages.plural_forms)
        path.parent.mkdir(exist_ok=True)
        with path.open("wb") as file:
            file.write(top.encode())
            write_po(file, messages, width=120, omit_header=True, include_lineno=False, ignore_obsolete=True)
        missing = sum(not _is_translated(message.string) or message.fuzzy for message in messages if message.id)
        print(f"{code}/{name}.po: {len(messages)} texts, {missing} to be translated")


def _name(path: Path) -> str:
    """Return the line of a list's head that names its language; empty if it has none. It survives a git conflict."""
    found = _NAME.search(path.read_text("utf-8")) if path.exists() else None
    return found[0] if found else ""


def updated(path: Path, code: str, texts: Sequence[Text]) -> Catalog:
    """Return the list in that file with exactly these texts; slightly changed ones are kept and marked as fuzzy."""
    fresh = Catalog(code, charset="utf-8")
    for text in texts:
        words = (text.words, text.many) if text.many else text.words
        fresh.add(words, locations=[(text.where, 0)], context=text.context or None)
    if not path.exists():
        return fresh
    # Both sides of a git conflict are read, so that no translator's work is lost.
    merged, *others = (read_po(StringIO(side), code) for side in sides(path.read_text("utf-8")))
    for message in (message for other in others for message in other if message.id):
        existing = merged.get(message.id, message.context)
        if existing is None:
            merged[message.id] = message
        elif not _is_translated(existing.string):
            existing.string, existing.flags = message.string, message.flags
    merged.update(fresh)
    # After the update, which marks similar texts as fuzzy.
    for message in merged:
        if message.id and message.fuzzy and len("".join(message.id)) < SHORTEST:
            message.string = ("", "") if message.pluralizable else ""
            message.flags.discard("fuzzy")
    return merged


def sides(words: str) -> tuple[str, ...]:
    """Return the versions of a list: one, or both sides of a git conflict."""
    if not re.search(r"^<{7} ", words, re.MULTILINE):
        return (words,)
    hunk = re.compile(r"^<{7} .*\n((?:.*\n)*?)={7}\n((?:.*\n)*?)>{7} .*\n", re.MULTILINE)
    return hunk.sub(r"\1", words), hunk.sub(r"\2", words)


def _is_translated(string: str | Sequence[str] | None) -> bool:
    return bool(string) and all(string or ())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
