"""Odds of a battle in words: between two typed armies, or in the current battle. Pure functions."""

import re
from collections.abc import Iterator
from typing import Any, Final

from client.language import _, decimal, ngettext
from client.table.odds_description import (
    CATAPULTS,
    CAVALRY,
    GALLEYS,
    INFANTRY,
    LEADERS,
    OWN,
    TRAINING,
    WALLS,
    BattleOdds,
    Count,
    count,
    counted,
)
from client.table.words import talents_words
from shared.actions.name_lookup import Misread, find
from shared.actions.typed import apart
from shared.odds.outcome import ATTACKER, DEFENDER, NEITHER, Host, Odds, amount, percent, units

USAGE: Final = "odds [ARMY against ARMY]"
_EXAMPLE: Final = "odds 5 infantry, 1 leader against 4 infantry, 1 catapult"
_NAMES: Final = {
    INFANTRY: "infantry", CAVALRY: "cavalry", CATAPULTS: "catapults", GALLEYS: "galleys", LEADERS: "leaders",
    WALLS: "walls", TRAINING: "training",
}  # fmt: skip
"""Countable parts of an army, as they are typed."""
_CITY: Final = "city"
"""Word and picture of a city without walls, where it counts."""
_SAID: Final = re.compile(r"(.+?)\s+against\s+(.+?)(?:\s+(at sea|on land))?", re.IGNORECASE)
_PART: Final = re.compile(r"(?:(\d+)\s+)?([^\W\d]+)")
_SHIP: Final = re.compile(r"\bgall", re.IGNORECASE)


def named(battle_odds: BattleOdds[Any], table: Any, words: str) -> tuple[Host, Host, bool]:
    """Read two armies that could meet at a table, and whether they meet at sea. Raises Misread."""
    said = _SAID.fullmatch(words)
    if said is None:
        raise Misread(_("Say it so: {usage}", usage=_EXAMPLE))
    sides, where = said.group(1, 2), (said[3] or "").casefold()
    naval = where == "at sea" or (not where and all(map(_SHIP.search, sides)))
    attacker, defender = [_army(battle_odds, table, side, naval, words) for side, words in enumerate(sides)]
    if naval and not (attacker.galleys and defender.galleys):
        raise Misread(_("At sea both sides have galleys."))
    return attacker, defender, naval


def answer(battle_odds: BattleOdds[Any], odds: Odds, hosts: tuple[Host, Host]) -> list[str]:
    """Return lines on who would win if these armies met."""
    return [*_told(odds, hosts), battle_odds.policy]


def standing(battle_odds: BattleOdds[Any], table: Any) -> list[str]:
    """Return lines on who will win the current battle. Raises Misread."""
    odds, question = battle_odds.standing(table), battle_odds.question(table)
    if odds is None or question is None:
        raise Misread(_("There is no battle now. Name two armies: {example}", example=_EXAMPLE))
    return [*_told(odds, question.hosts), battle_odds.policy]


def _army(battle_odds: BattleOdds[Any], table: Any, side: int, naval: bool, words: str) -> Host:
    known = [(_name(each), each) for each in (battle_odds.sea if naval else battle_odds.land)
             if each.what in _NAMES and side in each.sides]  # fmt: skip
    host = Host(options=table.options)
    for part in apart(words):
        said = _PART.fullmatch(part)
        if said is None:
            raise Misread(_("“{said}” cannot be counted: say 3 infantry, 1 cavalry.", said=part))
        what, number = find(said[2], known, _("part of such an army")), int(said[1] or 1)
        number += count(host, OWN, what.what)
        if number > what.most:
            raise Misread(_("At most {most} {what} can be counted.", what=_name(what), most=what.most))
        host = counted(host, OWN, what.what, number, battle_odds.walls(table))
    return host


def _name(what: Count) -> str:
    return _CITY if what.picture == _CITY else _NAMES[what.what]


def _told(odds: Odds, hosts: tuple[Host, Host]) -> Iterator[str]:
    yield _("The attacker wins: {chance}; {prospect}.", chance=percent(odds.wins(ATTACKER)),
            prospect=_prospect(odds, ATTACKER, hosts[ATTACKER]))  # fmt: skip
    yield _("The defender wins: {chance}; {prospect}.", chance=percent(odds.wins(DEFENDER)),
            prospect=_prospect(odds, DEFENDER, hosts[DEFENDER]))  # fmt: skip
    if odds.wins(NEITHER):
        yield _("Neither side wins: {chance}.", chance=percent(odds.wins(NEITHER)))


def _prospect(odds: Odds, side: int, host: Host) -> str:
    before = ngettext("{n} unit", "{n} units", units(host))
    kept = decimal(amount(sum(odds.left(side))))
    return _("on average it keeps {kept} of {count} and loses units worth {talents}", kept=kept, count=before,
             talents=talents_words(round(odds.costs[side])))  # fmt: skip
