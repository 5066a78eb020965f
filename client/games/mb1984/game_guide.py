"""The game of 1984 as a `Guide` for the table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from client.games.conquest.position_display import look
from client.games.conquest.replay_contents import subject, tribute
from client.games.conquest.shared_guide import SOUNDS as SHARED_SOUNDS
from client.games.conquest.shared_guide import army_reach, landings, moment, peril, stops
from client.games.mb1984.battle_scene import BATTLE_SCENE
from client.games.mb1984.combat_tasks import task
from client.games.mb1984.first_game_hints import HINTS
from client.games.mb1984.first_lesson import LESSON
from client.games.mb1984.prisoner_bargains import PRISONER_BARGAINS
from client.games.mb1984.rules_adapter import RULES_ADAPTER
from client.games.mb1984.rules_text import PAGES
from client.games.mb1984.sea_lesson import LESSON as SEA
from client.language import _
from client.replay.game_replay import Concerns, GameReplay, Income
from client.sound.sounds import Sound
from client.table.guide import Guide
from shared.kernel.frames import Event
from shared.mechanics.pieces import living
from shared.mechanics.tribute import worth
from shared.odds.mb1984 import rolling
from shared.rulesets.mb1984 import definition
from shared.rulesets.mb1984 import events as e
from shared.rulesets.mb1984.contact import hostile_zone
from shared.rulesets.mb1984.economy import PRICES
from shared.rulesets.mb1984.stages import Step
from shared.rulesets.mb1984.state import LEADERS
from shared.rulesets.mb1984.table import Table
from shared.sentences.mb1984 import prompt, tell

SOUNDS: Final[Mapping[type[Event], Sound | None]] = {
    **SHARED_SOUNDS,
    e.Aimed: None,
    e.Looted: Sound.COIN,
    e.RoadsLost: None,
    e.Rewarded: Sound.COIN,
}
"""Sound of every event of the game; None for silent events."""


def _incomes(event: Event) -> list[Income]:
    match event:
        case e.Looted(seat=seat, loser=loser, talents=talents) if talents:
            plunder = _("Plunder")
            return [Income(seat, plunder, plunder, talents), Income(loser, plunder, plunder, -talents)]
        case e.Rewarded(seat=seat, talents=talents):
            return [Income(seat, _("Captured Caesars"), _("Captured Caesars"), talents)]
        case _:
            return tribute(event)


CONCERNS: Final[Concerns] = {e.Looted: ("seat", "loser"), e.Rewarded: ("seat",)}
"""Events that concern seats, in addition to those of every conquest game."""
FILM: Final[GameReplay[Table]] = subject(PRICES[:4], _incomes, rolling, CONCERNS)


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
