"""Classic (2005) as a `Guide` for the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.games.classic.battle_scene import BATTLE_SCENE
from client.games.classic.combat_tasks import task
from client.games.classic.first_game_hints import HINTS
from client.games.classic.first_lesson import LESSON
from client.games.classic.rules_adapter import RULES_ADAPTER
from client.games.classic.rules_text import PAGES
from client.games.classic.siege_lesson import LESSON as SIEGE
from client.games.conquest.position_display import look
from client.games.conquest.replay_contents import subject, tribute
from client.games.conquest.shared_guide import SOUNDS as SHARED_SOUNDS
from client.games.conquest.shared_guide import army_reach, landings, moment, peril, stops
from client.language import _
from client.replay.game_replay import GameReplay, Income
from client.sound.sounds import Sound
from client.table.guide import Guide
from shared.kernel.frames import Event
from shared.mechanics.pieces import living
from shared.mechanics.tribute import worth
from shared.odds.classic import rolling
from shared.rulesets.classic import definition
from shared.rulesets.classic.economy import PRICES
from shared.rulesets.classic.events import Refunded
from shared.rulesets.classic.stages import Step
from shared.rulesets.classic.state import LEADERS
from shared.rulesets.classic.table import Table
from shared.sentences.classic import prompt, tell

SOUNDS: Final[Mapping[type[Event], Sound | None]] = {**SHARED_SOUNDS, Refunded: Sound.COIN}
"""Sound of every event of the game; None for silent events."""


def _incomes(event: Event) -> list[Income]:
    if isinstance(event, Refunded):
        return [Income(event.seat, _("Refunds"), _("What could not be placed"), event.talents)]
    return tribute(event)


FILM: Final[GameReplay[Table]] = subject(PRICES[:4], _incomes, rolling)


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
