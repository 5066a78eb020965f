"""Display of a position of the second game: the heading, the players, the colours of the board."""

from __future__ import annotations

from typing import Final

from client.games.cote2.board_pieces import arrange, forces, leaps
from client.games.cote2.phase_text import active, phase_words, round_words
from client.games.cote2.player_text import person_words, standing
from client.games.cote2.season_track import Track
from client.games.cote2.sheets import SHEETS
from client.games.cote2.space_tooltip import describe
from client.language import Who, _
from client.table.ground import Tint, owned
from client.table.guide import Heading, Look, Person
from shared.ids import NONE, Seat, Space
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.property import influence_of
from shared.rulesets.cote2.state import LEADERS
from shared.rulesets.cote2.table import Table
from shared.vocabulary.events import BattleBegan


def heading(table: Table) -> Heading:
    """Return the heading above the board."""
    return Heading(round_words(table), active(table), *phase_words(table))


def person(table: Table, seat: Seat, who: Who) -> Person:
    """Return a player's line: points, talents and influence, and below the name the alliance and holdings."""
    numbers = (table.points[seat], table.talents[seat], influence_of(table, seat))
    return Person(" · ".join(standing(table, seat)), numbers, (), False, person_words(table, seat, who))


def tints(table: Table) -> dict[Space, Tint]:
    """Return the provinces' tints: a province with a city has the colour of its owner."""
    return {space: owned(owner) for space, owner in enumerate(table.owner) if table.built[space] and owner != NONE}


LOOK: Final[Look[Table]] = Look(
    board="board_plain.jpg",
    heading=heading,
    columns=(_("Points"), _("Talents"), _("Influence")),
    person=person,
    strip=Track,
    sheets=SHEETS,
    layers=(),
    arrange=arrange,
    forces=forces,
    leaders=LEADERS,
    tints=tints,
    describe=describe,
    leaps=leaps,
    loud=(e.SeasonBegan, e.TurnBegan, BattleBegan, e.Allied, e.CityBuilt, e.CityTaken, e.VoteWon, e.Won),
)
