"""Sentences are data: every program puts them into its reader's language."""

import msgspec
import pytest

from shared.language.catalogue import ENGLISH, Catalogue, catalogue, head
from shared.language.sentence import (
    Listing,
    Person,
    Sentence,
    Value,
    _,
    and_list,
    listing,
    ngettext,
    pattern,
    pgettext,
    render,
    render_line,
)

NAMES = ("Livia", "Marcus {who}")
POLISH = """msgid ""
msgstr ""
"Language-Name: polski\\n"
"Plural-Forms: nplurals=3; plural=(n==1 ? 0 : n%10>=2 && n%10<=4 && (n%100<12 || n%100>14) ? 1 : 2);\\n"

msgid "{n} talent"
msgid_plural "{n} talents"
msgstr[0] "{n} talent"
msgstr[1] "{n} talenty"
msgstr[2] "{n} talentów"

msgid "{who} takes {name}{price}."
msgstr "{name}{price} bierze {who}."

msgctxt "coast"
msgid "west"
msgstr "zachód"

msgid "{most} and {last}"
msgstr "{most} i {last}"

msgid "the slave army"
msgstr "armia niewolników"

msgid "{who} attacks {whom}!"
msgstr "{who} atakuje {whom}!"
"""


def said(value: Value, words: Catalogue = ENGLISH) -> str:
    return render(value, words, NAMES.__getitem__)


def test_english_needs_no_catalogue() -> None:
    takes = _("{who} takes {name}{price}.", who=Person(0), name="Senator", price="")
    assert said(takes) == "Livia takes Senator."
    assert [said(ngettext("{n} talent", "{n} talents", n)) for n in (0, 1, 2)] == ["0 talents", "1 talent", "2 talents"]
    assert said(pgettext("coast", "west")) == "west"
    assert said(pattern("{a}: {b}", a="x", b=3)) == "x: 3"


@pytest.mark.parametrize(("count", "words"), [(1, "1 talent"), (3, "3 talenty"), (5, "5 talentów"), (22, "22 talenty")])
def test_a_language_has_its_own_plural_forms(count: int, words: str) -> None:
    assert said(ngettext("{n} talent", "{n} talents", count), catalogue([POLISH])) == words


def test_a_language_may_put_the_parts_elsewhere() -> None:
    price = ngettext("{n} talent", "{n} talents", 2)
    takes = _("{who} takes {name}{price}.", who=Person(0), name="Senator ", price=price)
    assert said(takes, catalogue([POLISH])) == "Senator 2 talenty bierze Livia."
    assert said(pgettext("coast", "west"), catalogue([POLISH])) == "zachód"
    assert said(_("unknown {n}", n=1), catalogue([POLISH])) == "unknown 1"
    assert head(POLISH, "Language-Name") == "polski" and head("", "Language-Name") == ""


def test_lists_are_joined() -> None:
    assert [said(and_list("abc"[:n])) for n in range(4)] == ["", "a", "a and b", "a, b and c"]
    assert said(and_list("abc"), catalogue([POLISH])) == "a, b i c"
    assert said(listing("ab", "; ")) == "a; b"
    assert said(listing("ab", _(" or in "))) == "a or in b"


def test_names_of_players_are_never_templates() -> None:
    assert said(_("{who} passes.", who=Person(1))) == "Marcus {who} passes."


def test_a_line_begins_with_a_capital_letter_and_has_one_mark_at_its_end() -> None:
    line = _("{who} attacks {whom}!", who=_("the slave army"), whom=Person(0))
    assert render_line(line, ENGLISH, NAMES.__getitem__) == "The slave army attacks Livia!"
    assert render_line(line, catalogue([POLISH]), NAMES.__getitem__) == "Armia niewolników atakuje Livia!"
    taken = _("{who} takes {name}{price}.", who=Person(0), name="Hail Caesar!", price="")
    assert render_line(taken, ENGLISH, NAMES.__getitem__) == "Livia takes Hail Caesar!"
    small = _("{who} attacks {whom}!", who=Person(0), whom=Person(1))
    assert render_line(small, ENGLISH, ("livia", "Marcus").__getitem__) == "livia attacks Marcus!", "as they wrote it"


def test_a_sentence_travels_and_stays_the_same() -> None:
    sentence = _(
        "{who} takes {name}{price}.",
        who=Person(1),
        name=and_list(["Asia", ngettext("{n} city", "{n} cities", 2), "Syria"]),
        price=listing(["a", 2], "; "),
    )
    data = msgspec.msgpack.encode(sentence)
    assert msgspec.msgpack.decode(data, type=Sentence) == sentence
    assert isinstance(sentence.values["name"], Listing)
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(msgspec.msgpack.encode([0, "{who}", {"who": [9]}]), type=Sentence)
