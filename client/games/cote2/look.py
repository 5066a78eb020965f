"""How a position of the second game is shown: the heading, the players, the colours of the board."""

from __future__ import annotations

from typing import Final

from client.games.cote2.describe import describe
from client.games.cote2.pieces import arrange, leaps
from client.games.cote2.prompts import active, phase_words, round_words
from client.games.cote2.sheets import SHEETS
from client.games.cote2.sheets.auction import SIDES
from client.games.cote2.track import Track
from client.table.ground import Tint, owned
from client.table.guide import Heading, Look, Person
from client.table.words import Who, count_words
from shared.ids import NONE, Seat, Space
from shared.mechanics.armies import words
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.property import army_on_board, cities_of, galley_supply, influence_of, influence_supply
from shared.rulesets.cote2.scoring import tax_of
from shared.rulesets.cote2.state import GALLEYS, HIDDEN, LEADERS, OFF, Table

_ORDINALS: Final = ("1st", "2nd", "3rd", "4th", "5th", "6th")


def heading(table: Table) -> Heading:
    """The strip above the board."""
    return Heading(round_words(table), active(table), *phase_words(table))


def person(table: Table, seat: Seat, who: Who) -> Person:
    """A player's line: points, talents and influence; below his name his alliance, and what he holds."""
    side, senators, cards = table.side[seat], sum(table.senators[seat]), len(table.cards[seat])
    parts = [f"{SIDES[side]}, {_ORDINALS[table.order.index(seat)]}"] if side != NONE else []
    parts.append(count_words(senators, "senator", "senators"))
    if cards:
        parts.append(count_words(cards, "card", "cards"))
    if table.chaos[seat] != HIDDEN:
        parts.append(f"{table.chaos[seat]} chaos")
    numbers = (table.points[seat], table.talents[seat], influence_of(table, seat))
    return Person(" · ".join(parts), numbers, (), False, _tip(table, seat, who))


def _tip(table: Table, seat: Seat, who: Who) -> str:
    """More about a player than fits into his line."""
    leaders = sum(at != OFF for at in table.leader_at[seat * LEADERS : (seat + 1) * LEADERS])
    galleys = GALLEYS - len(galley_supply(table, seat))
    chaos = table.chaos[seat]
    pieces = [
        count_words(leaders, "leader", "leaders"),
        words(army_on_board(table, seat)),
        count_words(galleys, "galley", "galleys"),
        count_words(cities_of(table, seat), "city", "cities"),
    ]
    tokens = count_words(influence_supply(table, seat), "influence token", "influence tokens")
    rest = f"{tokens} left to place; taxes would bring {tax_of(table, seat)} talents now."
    secret = f"Chaos {chaos}." if chaos != HIDDEN else "Chaos is kept secret."
    return f"{who(seat)}: {', '.join(pieces)}. {rest} {secret}"


def tints(table: Table) -> dict[Space, Tint]:
    """Provinces with a city have the colour of its owner."""
    return {space: owned(owner) for space, owner in enumerate(table.owner) if table.built[space] and owner != NONE}


LOOK: Final[Look[Table]] = Look(
    board="board_plain.jpg",
    heading=heading,
    columns=("Points", "Talents", "Influence"),
    person=person,
    strip=Track,
    sheets=SHEETS,
    layers=(),
    arrange=arrange,
    tints=tints,
    describe=describe,
    leaps=leaps,
    loud=(e.SeasonBegan, e.TurnBegan, e.BattleBegan, e.Allied, e.CityBuilt, e.CityTaken, e.VoteWon, e.Won),
)
