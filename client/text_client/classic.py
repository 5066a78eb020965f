"""Classic (2005) in words."""

from functools import partial
from typing import Final

from client.games.classic import battle_state
from client.games.classic.battle_state import BATTLE_ODDS
from client.games.classic.rules_text import PAGES
from client.games.conquest.player_text import person_words
from client.games.conquest.space_tooltip import describe
from client.language import _, ngettext
from client.table.words import army_words, force_words
from client.text_client import conquest as c
from client.text_client.game_text import GameText, TextPage, battle_lines
from shared.actions.grammar import PhraseContext
from shared.mechanics.pieces import living
from shared.mechanics.tribute import worth
from shared.rulesets.classic import economy
from shared.rulesets.classic.options import prices, steps
from shared.rulesets.classic.stages import Step
from shared.rulesets.classic.table import LEADERS, TableFields
from shared.sentences.classic import prompt, tell


def _battle(scene: PhraseContext, _said: str) -> list[str]:
    return battle_lines(battle_state.read(scene.table), scene, _side)


def _side(side: battle_state.Side) -> str:
    if side.galleys:
        return ngettext("{n} galley", "{n} galleys", len(side.galleys))
    whole = force_words(side.leaders, side.reserve, LEADERS)
    if not side.formed:
        return whole
    legion = army_words(side.legion)
    if any(side.down):
        down = army_words(side.down)
        return _(
            "battle legion {legion}, {down} of it laid down; in reserve {whole}", legion=legion, down=down, whole=whole
        )
    return _("battle legion {legion}; in reserve {whole}", legion=legion, whole=whole)


CLASSIC: Final[GameText[TableFields]] = GameText(
    tell=tell,
    prompt=prompt,
    living=living,
    heading=partial(c.heading, tuple([step.phase for step in Step])),
    person=person_words,
    describe=partial(describe, each=LEADERS, worth=worth),
    borders=partial(c.borders, steps),
    pieces=c.pieces,
    sheets={
        "battle": TextPage(_("the battle that is going on"), _battle),
        "prices": TextPage(_("what everything costs"), partial(c.prices, prices, economy.stock)),
    },
    battle_odds=BATTLE_ODDS,
    rules=PAGES,
)
