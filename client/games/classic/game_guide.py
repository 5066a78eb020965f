"""Classic (2005) as a `Guide` for the table."""

from __future__ import annotations

from typing import Final

from client.games.classic.battle_scene import BATTLE_SCENE
from client.games.classic.combat_tasks import task
from client.games.classic.event_sounds import SOUNDS
from client.games.classic.first_game_hints import HINTS
from client.games.classic.first_lesson import LESSON
from client.games.classic.replay_contents import FILM
from client.games.classic.rules_adapter import RULES_ADAPTER
from client.games.classic.rules_text import PAGES
from client.games.classic.siege_lesson import LESSON as SIEGE
from client.games.conquest.action_highlights import stops
from client.games.conquest.army_reach import army_reach, landings
from client.games.conquest.event_sounds import peril
from client.games.conquest.moments import moment
from client.games.conquest.position_display import look
from client.table.guide import Guide
from shared.mechanics.pieces import living
from shared.mechanics.tribute import worth
from shared.rulesets.classic import definition
from shared.rulesets.classic.stages import Step
from shared.rulesets.classic.state import LEADERS
from shared.rulesets.classic.table import Table
from shared.sentences.classic import prompt, tell

PHASE_OF_STEP: Final = tuple([step.phase for step in Step])

CLASSIC: Final[Guide[Table]] = Guide(
    name="Classic",
    look=look(LEADERS, PHASE_OF_STEP, worth),
    living=living,
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
    spirit=RULES_ADAPTER.spirit,
    lessons={"classic": LESSON, "classic-walls": SIEGE},
    hints=HINTS,
    moment=moment,
    reach=army_reach(definition.CLASSIC, RULES_ADAPTER.marching),
    landings=landings(definition.CLASSIC, RULES_ADAPTER.marching),
)
