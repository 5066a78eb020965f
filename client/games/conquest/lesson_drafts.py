"""Drafts that lessons and hints of both conquest games look for: picks, voyages and orders in the making."""

from typing import Any

from client.games.conquest.drafts.move_draft import Legion, SailDraft
from client.games.conquest.tasks.building_tasks import Buying
from client.games.conquest.tasks.movement_tasks import Moving
from shared.lessons.lesson import Draft, Glance


def legion(glance: Glance[Any]) -> Legion | None:
    """Return the legion that the pupil has picked, or None."""
    pick = glance.task.draft.pick if isinstance(glance.task, Moving) else None
    return pick if isinstance(pick, Legion) else None


def _voyage(glance: Glance[Any]) -> SailDraft | None:
    """Return the voyage that the pupil puts together, or None."""
    pick = glance.task.draft.pick if isinstance(glance.task, Moving) else None
    return pick if isinstance(pick, SailDraft) else None


def drafted(glance: Glance[Any], draft: Draft) -> bool:
    """Whether the pupil has put a draft together."""
    pick, ship, task = legion(glance), _voyage(glance), glance.task
    match draft:
        case Draft("picked", (source,)):
            return pick is not None and pick.source == source
        case Draft("aimed", (source, to)):
            return pick is not None and (pick.source, pick.to) == (source, to)
        case Draft("sailing"):
            return ship is not None
        case Draft("boarded", (at,)):
            return ship is not None and any(ship.units) and glance.table.galley_at[ship.galley] == at
        case Draft("steered", (to,)):
            return ship is not None and ship.to == to
        case Draft("wants", (good,), n):
            return isinstance(task, Buying) and task.counts[good] >= n
    raise ValueError(draft.kind)
