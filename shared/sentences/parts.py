"""Parts of sentences that every game has: units, leaders, amounts, places."""

from collections.abc import Sequence

from shared.ids import Seat
from shared.language.sentence import Person, Sentence, Value, _, and_list, ngettext, pattern
from shared.mechanics.armies import army_words, total


def leaders_words(leaders: Sequence[int], each: int) -> Value:
    """Return words for leaders: ``"the Caesar and 2 generals"``; `each`: number of leaders per colour, the Caesar
    first."""
    generals = sum(1 for leader in leaders if leader % each)
    parts = [_("the Caesar")] if len(leaders) > generals else []
    if generals:
        parts.append(ngettext("a general", "{n} generals", generals))
    return and_list(parts) or _("nobody")


def force_words(leaders: Sequence[int], army: Sequence[int], each: int) -> Value:
    """Return words for a force: ``"a general with 3 infantry, 1 cavalry"``."""
    if not total(army):
        return leaders_words(leaders, each)
    if not leaders:
        return army_words(army)
    return _("{leaders} with {army}", leaders=leaders_words(leaders, each), army=army_words(army))


def force_line(seat: Seat, leaders: Sequence[int], army: Sequence[int], each: int) -> Sentence:
    """Return a force with its owner: ``"Livia: 3 infantry"``."""
    return pattern("{who}: {force}", who=Person(seat), force=force_words(leaders, army, each))


def talents_words(talents: int) -> Sentence:
    """Return words for an amount: ``"1 talent"``, ``"20 talents"``."""
    return ngettext("{n} talent", "{n} talents", talents)


def galleys_words(number: int) -> Sentence:
    """Return galleys in words: ``"a galley"``, ``"3 galleys"``."""
    return ngettext("a galley", "{n} galleys", number)
