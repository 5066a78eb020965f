"""Conquest of the Empire II as a `Guide` for the table."""

from __future__ import annotations

from typing import Final

from client.games.cote2.action_highlights import stops
from client.games.cote2.army_reach import army_reach, landings
from client.games.cote2.battle_scene import BATTLE_SCENE
from client.games.cote2.event_sounds import SOUNDS, peril
from client.games.cote2.first_game_hints import HINTS
from client.games.cote2.first_lesson import LESSON
from client.games.cote2.moments import moment
from client.games.cote2.position_display import LOOK
from client.games.cote2.replay_contents import FILM
from client.games.cote2.rules_text import PAGES
from client.games.cote2.senate_lesson import LESSON as SENATE
from client.games.cote2.tasks.task_choice import task
from client.table.guide import Guide
from shared.ids import Seat
from shared.rulesets.cote2.table import Table
from shared.sentences.cote2 import prompt, tell


def _living(table: Table) -> list[Seat]:
    """Return all seats: no player is ever out."""
    return list(range(table.seats))


COTE2: Final[Guide[Table]] = Guide(
    name="Conquest II",
    look=LOOK,
    living=_living,
    prompt=prompt,
    task=task,
    tell=tell,
    battle_scene=BATTLE_SCENE,
    aside=None,
    pages=PAGES,
    stops=stops,
    sounds=SOUNDS,
    peril=peril,
    film=FILM,
    lessons={"cote2": LESSON, "cote2-senate": SENATE},
    hints=HINTS,
    moment=moment,
    reach=army_reach,
    landings=landings,
    marches=2,
)
