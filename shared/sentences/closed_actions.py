"""Reasons why a kind of action in a turn of Conquest II is closed now, by the present position."""

from collections.abc import Iterable

from shared.board import BOARD
from shared.ids import Seat, Space
from shared.language.sentence import Sentence, Value, _, and_list
from shared.mechanics.armies import has_army
from shared.rulesets.cote2.data import CARDS, KEY_SET
from shared.rulesets.cote2.economy import bases, buyable
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.options import influence_price, prices
from shared.rulesets.cote2.state import LEADERS, OFF, TableFields


def _led(table: TableFields, seat: Seat) -> set[Space]:
    return {at for at in table.leader_at[seat * LEADERS : (seat + 1) * LEADERS] if at != OFF}


def _names(spaces: Iterable[Space]) -> Value:
    return and_list(BOARD.names[space] for space in sorted(spaces))


def _too_poor(table: TableFields, seat: Seat, least: int) -> Sentence:
    return _("You have {talents} talents, and the least costs {least}.", talents=table.talents[seat], least=least)


def card(table: TableFields, frame: Turn, seat: Seat) -> Sentence:
    """Return why no card can be taken."""
    prices = [CARDS[kind].cost for kind, number in enumerate(table.row) if number]
    if frame.obtained:
        return _("You took a card in this turn.")
    if not prices:
        return _("No card lies open now.")
    if min(prices) > table.talents[seat]:
        return _too_poor(table, seat, min(prices))
    return _("None of the open cards that you can pay would bring anything now.")


def recruit(table: TableFields, _frame: Turn, seat: Seat) -> Sentence:
    """Return why nothing can be recruited."""
    led = _led(table, seat)
    if table.talents[seat] < prices(table)[0]:
        return _too_poor(table, seat, prices(table)[0])
    if not led:
        return _("You have no leader on the board.")
    if not bases(table, seat):
        return _("You have no influence where your leaders are: {places}.", places=_names(led))
    return _("What you can pay is all on the board.")


def influence(table: TableFields, _frame: Turn, seat: Seat) -> Sentence:
    """Return why no influence can be bought."""
    led, keys = _led(table, seat), _led(table, seat) & KEY_SET
    if table.talents[seat] < influence_price(table):
        return _too_poor(table, seat, influence_price(table))
    if not led:
        return _("You have no leader on the board.")
    if not keys:
        return _("No influence is sold where your leaders are: {places}.", places=_names(led))
    if not any(buyable(table, seat, space) for space in keys):
        return _("No influence is for sale in {places} this season.", places=_names(keys))
    return _("All your influence is on the board.")


def move(table: TableFields, _frame: Turn, seat: Seat) -> Sentence:
    """Return why no leader can move."""
    led = _led(table, seat)
    if not led:
        return _("You have no leader on the board.")
    return _("From {places} no way is open to your leaders now.", places=_names(led))


def attack(table: TableFields, _frame: Turn, seat: Seat) -> Sentence:
    """Return why no battle can be fought on land."""
    held = [space for space, cell in enumerate(table.units) if has_army(cell, seat)]
    if not held:
        return _("You have no infantry, cavalry or catapult on the board.")
    return _("No enemy that you can attack now stands where your units are: {places}.", places=_names(held))


def sail(_table: TableFields, _frame: Turn, _seat: Seat) -> Sentence:
    """Return why no galley can sail."""
    return _("You have no galley on the board.")
