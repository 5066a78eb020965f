"""Words for things that every game has: leaders, and units with them. Pure."""

from collections.abc import Iterable, Sequence

from client.language import Who, _, say, saying
from shared.ids import NONE, Seat
from shared.language.sentence import and_list
from shared.mechanics import armies, galleys
from shared.mechanics.armies import total
from shared.odds.outcome import ATTACKER
from shared.sentences import common

army_words = saying(armies.army_words)
leaders_words = saying(common.leaders_words)
force_words = saying(common.force_words)
talents_words = saying(common.talents_words)
galleys_words = saying(common.galleys_words)
where_words = saying(galleys.where_words)
coast_name = saying(galleys.coast_name)


def and_words(names: Iterable[str]) -> str:
    """Join words: ``"a, b and c"``; empty for nothing."""
    return say(and_list(names))


def called(seat: Seat, reader: Seat, who: Who) -> str:
    """Return the name of a player, or "You" for the reader (NONE for spectators)."""
    return _("You") if seat == reader != NONE else who(seat)


def force_line(who: Who, seat: Seat, leaders: Sequence[int], army: Sequence[int], each: int) -> str:
    """Return a force with its owner: ``"Livia: 3 infantry"``."""
    return say(common.force_line(seat, leaders, army, each), who)


def does(leaders: Sequence[int], army: Sequence[int], one: str, many: str) -> str:
    """Return the verb after `force_words`. It agrees with the leaders, who are named first, else with the units."""
    return one if (len(leaders) or total(army)) == 1 else many


def fights(side: int, name: str, *, mine: bool, many: bool) -> str:
    """Return the action of a side in a battle. `mine`: whether the side is "you"; `many`: whether its name is
    plural."""
    if side == ATTACKER:
        text = _("{name} attack", name=name) if many else _("{name} attacks", name=name)
        return _("You attack") if mine else text
    text = _("{name} defend", name=name) if many else _("{name} defends", name=name)
    return _("You defend") if mine else text
