"""The game of 1984 as a `Guide` for the table."""

from __future__ import annotations

from typing import Final

from client.games.conquest.action_highlights import stops
from client.games.conquest.army_reach import army_reach, landings
from client.games.conquest.event_sounds import peril
from client.games.conquest.moments import moment
from client.games.conquest.position_display import look
from client.games.mb1984.battle_scene import BATTLE_SCENE
from client.games.mb1984.combat_tasks import task
from client.games.mb1984.event_sounds import SOUNDS
from client.games.mb1984.first_game_hints import HINTS
from client.games.mb1984.first_lesson import LESSON
from client.games.mb1984.prisoner_bargains import PRISONER_BARGAINS
from client.games.mb1984.replay_contents import FILM
from client.games.mb1984.rules_adapter import RULES_ADAPTER
from client.games.mb1984.rules_text import PAGES
from client.games.mb1984.sea_lesson import LESSON as SEA
from client.table.guide import Guide
from shared.mechanics.pieces import living
from shared.mechanics.tribute import worth
from shared.rulesets.mb1984 import definition
from shared.rulesets.mb1984.contact import hostile_zone
from shared.rulesets.mb1984.stages import Step
from shared.rulesets.mb1984.state import LEADERS
from shared.rulesets.mb1984.table import Table
from shared.sentences.mb1984 import prompt, tell

PHASE_OF_STEP: Final = tuple([step.phase for step in Step])

MB1984: Final[Guide[Table]] = Guide(
    name="1984",
    look=look(LEADERS, PHASE_OF_STEP, worth),
    living=living,
    prompt=prompt,
    task=task,
    tell=tell,
    battle_scene=BATTLE_SCENE,
    aside=PRISONER_BARGAINS,
    pages=PAGES,
    stops=stops,
    sounds=SOUNDS,
    peril=peril,
    film=FILM,
    spirit=RULES_ADAPTER.spirit,
    lessons={"mb1984": LESSON, "mb1984-sea": SEA},
    hints=HINTS,
    moment=moment,
    reach=army_reach(definition.MB1984, RULES_ADAPTER.marching),
    landings=landings(definition.MB1984, RULES_ADAPTER.marching, hostile_zone),
)
