"""Description of a space, for the tooltip beside the mouse."""

from collections.abc import Callable

from client.games.conquest.position_queries import T, present
from client.language import Who, _, ngettext
from client.table.words import coast_name, force_line, force_words
from shared.board import BOARD
from shared.ids import MAX_SEATS, NONE, Space
from shared.mechanics.armies import army_of
from shared.mechanics.pieces import ABOARD
from shared.rulesets.conquest.pieces import galleys_at, leaders_at
from shared.rulesets.conquest.table import TableFields


def describe(table: T, space: Space, who: Who, each: int, worth: Callable[[T, Space], int]) -> str:
    """Return name, owner, value and all pieces of a space, a line each.

    `each`: leaders of a colour; `worth`: tribute.
    """
    lines = [_head(table, space, who, worth)]
    if space < BOARD.provinces:
        for seat in present(table, space):
            army = army_of(table.units[space], seat)
            lines.append(force_line(who, seat, leaders_at(table, seat, space), army, each))
    for position in (*BOARD.coasts[space],) if space < BOARD.provinces else (space,):
        lines += _fleets(table, position, who, each)
    return "\n".join(lines)


def _head(table: T, space: Space, who: Who, worth: Callable[[T, Space], int]) -> str:
    if space >= BOARD.provinces:
        return BOARD.names[space]
    owner = table.owner[space]
    name = who(owner) if owner != NONE else ""
    whose = _("unclaimed") if not name else _("your province") if name == _("You") else _("{who}'s", who=name)
    city = ("", _(", city"), _(", fortified city"))[table.built[space]]
    return _(
        "{place}: {whose}, tribute {worth}{city}",
        place=BOARD.names[space],
        whose=whose,
        worth=worth(table, space),
        city=city,
    )


def _fleets(table: TableFields, position: int, who: Who, each: int) -> list[str]:
    lines = []
    for seat in range(min(MAX_SEATS, table.seats)):
        fleet = galleys_at(table, seat, position)
        if not fleet:
            continue
        where = f" ({coast})" if (coast := coast_name(position)) else ""
        ships = ngettext("a galley", "{n} galleys", len(fleet))
        loads = [
            force_words(leaders_at(table, seat, ABOARD + g), table.cargo[g] or (0, 0, 0), each)
            for g in fleet
            if ABOARD + g in table.leader_at
        ]
        lines.append(f"{who(seat)}{where}: {ships}" + (_(", carrying {join}", join="; ".join(loads)) if loads else ""))
    return lines
