"""Sentences as data: an English template with typed values, put into a language by the program that shows it.

The English template is the key of its translation, as in gettext: English needs no catalogue. Modules of sentences use
the same marks as the client's texts, so that the translators' tool finds the templates:

    _("{who} buys {wares} for {cost} talents.", who=person(seat), wares=ware_words(counts), cost=20)
    ngettext("{n} talent", "{n} talents", talents)
    pgettext("coast", "west")

Players are named by their seat: the reader's program knows their names, and a sentence contains no text of players.
"""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import Final, Protocol, TypeAlias

from msgspec import Struct

CONTEXT: Final = "\4"
"""Separates the context of a key from its text, as in gettext's catalogues."""
PLURAL: Final = "\0"
"""Separates the singular of a key from its plural, as in gettext's catalogues."""
AND: Final = "{most} and {last}"
"""Key that joins the last part of a list."""
GAP: Final = re.compile(r"\{(\w+)\}")


class Sentence(Struct, frozen=True, array_like=True, tag=0, gc=False):
    """Sentence or part of one. `key`: English template, as gettext's catalogues have it. The value `n` chooses a plural
    form."""

    key: str
    values: "dict[str, Value]"

    def __str__(self) -> str:
        """Return the sentence in English, with the numbers of players for their names."""
        return in_english(self)


class Person(Struct, frozen=True, array_like=True, tag=1):
    """Name of the player on a seat."""

    seat: int


class Listing(Struct, frozen=True, array_like=True, tag=2):
    """List of parts. `between` stands between two parts; `final` is the template of the last join, or empty."""

    parts: "tuple[Value, ...]"
    between: str | Sentence = ", "
    final: str = ""


Value: TypeAlias = int | str | Sentence | Person | Listing
"""Value of a gap. Texts are shown as they are: names of places and cards, numerals."""


class Prompt(Struct, frozen=True, array_like=True):
    """Decision owed.

    `seat` owes it (-1: chance does, or no decision is owed). `what`: the decision. `how`: an instruction for its
    owner; `hand`: how that is done on the board, for players who see it. `news`: what all others may like to know.
    """

    seat: int
    what: Sentence
    how: Value = ""
    hand: Value = ""
    news: Value = ""


class Lookup(Protocol):
    """Catalogue of one language."""

    def lookup(self, key: str, n: int = 1) -> str:
        """Return the translation of a key; without one, its English text. `n` chooses the plural form."""


def english(key: str, n: int = 1) -> str:
    """Return the English text of a key. `n` chooses the plural form."""
    words = key.rpartition(CONTEXT)[2]
    return words.split(PLURAL)[n != 1] if PLURAL in words else words


def gaps(words: str) -> list[str]:
    """Return the names of a text's gaps, in their order."""
    return GAP.findall(words)


class _English:
    """Catalogue without any translations."""

    lookup = staticmethod(english)


def in_english(value: Value) -> str:
    """Return a sentence, or a part of one, in English, with the numbers of players for their names."""
    return render(value, _English, str)


def _(words: str, /, **values: Value) -> Sentence:
    """Return a sentence; `values` fill its gaps."""
    return Sentence(words, values)


def ngettext(one: str, many: str, n: int, /, **values: Value) -> Sentence:
    """Return a sentence that depends on a number, which stands in it as ``{n}``."""
    return Sentence(f"{one}{PLURAL}{many}", {"n": n, **values})


def pgettext(context: str, words: str, /, **values: Value) -> Sentence:
    """Return a sentence with several meanings; `context` distinguishes them."""
    return Sentence(f"{context}{CONTEXT}{words}", values)


def pattern(template: str, /, **values: Value) -> Sentence:
    """Return values in a template without words, such as ``"{place}: {points}."``, which no catalogue lists."""
    return Sentence(template, values)


BETWEEN: Final = _(" and ")
"""Stands between two parts that both matter, also in a list of three."""


def and_list(parts: Iterable[Value]) -> Value:
    """Return a list as ``"a, b and c"``; empty for nothing."""
    return listing(parts, final=AND)


def listing(parts: Iterable[Value], between: str | Sentence = ", ", final: str = "") -> Value:
    """Return a list of these parts; a single one is returned as it is. Empty for nothing."""
    items = tuple(parts)
    return Listing(items, between, final) if len(items) > 1 else items[0] if items else ""


def render(value: Value, catalogue: Lookup, name: Callable[[int], str]) -> str:
    """Return a sentence, or a part of one, in the language of a catalogue. `name`: returns the name of a seat."""
    match value:
        case Sentence(key, values):
            n = values.get("n")
            words = catalogue.lookup(key, n if isinstance(n, int) else 1)
            return _filled(words, values, catalogue, name) if values else words
        case Person(seat):
            return name(seat)
        case Listing(parts, between, final):
            shown = [render(part, catalogue, name) for part in parts]
            by = render(between, catalogue, name)
            if not final or len(shown) < 2:
                return by.join(shown)
            values = {"most": by.join(shown[:-1]), "last": shown[-1]}
            return _filled(catalogue.lookup(final), values, catalogue, name)
    return str(value)


def _filled(words: str, values: Mapping[str, Value], catalogue: Lookup, name: Callable[[int], str]) -> str:
    """Return a template with its gaps filled. A gap without a value stays as it is."""
    return GAP.sub(lambda gap: render(values[gap[1]], catalogue, name) if gap[1] in values else gap[0], words)


def render_line(sentence: Sentence, catalogue: Lookup, name: Callable[[int], str]) -> str:
    """Return a whole line, with a capital letter at its beginning and one mark at its end.

    A part such as "the slave army" may begin it, and a card's name may bring its own final mark.
    """
    line = render(sentence, catalogue, name).replace("!.", "!")
    first = GAP.match(catalogue.lookup(sentence.key))
    begins = sentence.values.get(first[1]) if first else None
    return line[:1].upper() + line[1:] if isinstance(begins, Sentence | Listing) else line
