"""Hints for a first game, as far as both conquest games share them: the moments and the words."""

from typing import Any, Final

from client.games.conquest.drafts.move_draft import SailDraft
from client.games.conquest.lesson_drafts import legion
from client.games.conquest.tasks.building_tasks import Buying
from client.games.conquest.tasks.movement_tasks import Moving
from client.language import _
from client.table.hints import Hint
from shared.board import BOARD
from shared.ids import NONE, Space
from shared.lessons.lesson import Glance
from shared.mechanics.armies import has_army
from shared.rulesets.conquest.pieces import leaders_at


def picked(glance: Glance[Any]) -> bool:
    """Whether a legion is picked for a march."""
    return legion(glance) is not None


def leader_without_units(glance: Glance[Any]) -> bool:
    """Whether a leader is about to go without units, or stands somewhere without any."""
    pick = legion(glance)
    if pick is not None and pick.to != NONE and not any(pick.carried):
        return True
    return isinstance(glance.task, Moving) and any(
        _has_lonely_leader(glance, space) for space in range(BOARD.provinces)
    )


def _has_lonely_leader(glance: Glance[Any], space: Space) -> bool:
    table, seat = glance.table, glance.seat
    return bool(leaders_at(table, seat, space)) and not has_army(table.units[space], seat)


def from_caesar(glance: Glance[Any]) -> bool:
    """Whether a legion is picked in the province of the own Caesar."""
    pick, table = legion(glance), glance.table
    return pick is not None and pick.source == table.leader_at[glance.seat * table.leaders_each]


def embarking(glance: Glance[Any]) -> bool:
    """Whether a galley is picked."""
    return isinstance(glance.task, Moving) and isinstance(glance.task.draft.pick, SailDraft)


def buying(glance: Glance[Any]) -> bool:
    """Whether the purchase is due."""
    return isinstance(glance.task, Buying)


CAESAR: Final[Hint[Any]] = Hint(
    "caesar",
    from_caesar,
    _(
        "Your Caesar is here. If he is captured, you are out, and all that is yours is lost. So leave troops with "
        "him, more than a neighbour could bring in one turn."
    ),
)
