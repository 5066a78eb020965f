"""Drafts that lessons and hints of Conquest II look for: actions of a turn, bids and shows in the making."""

from typing import Any, TypeAlias

from client.games.cote2.drafts.land_move_draft import MarchDraft
from client.games.cote2.tasks.auction_task import Auctioning
from client.games.cote2.tasks.card_tasks import Browsing
from client.games.cote2.tasks.land_move_task import Marching
from client.games.cote2.tasks.senate_tasks import SenateVoting
from client.games.cote2.tasks.spending_tasks import Canvassing
from client.games.cote2.tasks.task_base import Deed, Picking
from client.games.cote2.tasks.turn_task import TakingTurn
from shared.ids import NONE
from shared.lessons.lesson import Draft, Glance, Sees
from shared.rulesets.cote2.state import TableFields

TableGlance: TypeAlias = Glance[TableFields]


def deed(glance: TableGlance) -> Deed | None:
    """Return the action of the turn that is being put together, or None."""
    return glance.task.deed if isinstance(glance.task, TakingTurn) else None


def doing(*kinds: type[Any]) -> Sees[TableFields]:
    """Return a condition: an action of one of those kinds is being put together."""
    return lambda glance: isinstance(deed(glance), kinds)


def march(glance: TableGlance) -> MarchDraft | None:
    """Return the march that is being put together, or None."""
    found = deed(glance)
    return found.draft if isinstance(found, Marching) else None


def drafted(glance: TableGlance, draft: Draft) -> bool:
    """Whether the pupil has put a draft together."""
    task, found = glance.task, deed(glance)
    match draft:
        case Draft("picked" | "aimed", spaces):
            way = march(glance)
            return way is not None and (way.source, way.party.to)[: len(spaces)] == spaces
        case Draft("calling", n=card):
            return isinstance(task, TakingTurn) and found is not None and task.card == card
        case Draft("another card", n=card):
            return isinstance(task, TakingTurn) and task.card not in (NONE, card)
        case Draft("browsing"):
            return isinstance(found, Browsing)
        case Draft("attack"):
            return isinstance(found, Picking) and found.threat() is not None
        case Draft("influence"):
            return isinstance(found, Canvassing)
        case Draft("bargain"):
            return isinstance(found, Canvassing) and bool(found.draft.sellers)
        case Draft("senator", n=value):
            return isinstance(task, SenateVoting) and task.chosen[value] > 0
        case Draft("votes", n=votes):
            return isinstance(task, SenateVoting) and task.votes >= votes
        case Draft("offer", n=talents):
            return isinstance(task, Auctioning) and task.talents >= talents
        case Draft("boxes", boxes):
            return isinstance(task, Auctioning) and task.boxes == boxes
    raise ValueError(draft.kind)
