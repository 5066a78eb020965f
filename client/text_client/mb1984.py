"""Game of 1984 in words."""

from functools import partial
from typing import Final

from client.games.conquest.player_text import person_words
from client.games.conquest.space_tooltip import describe
from client.games.mb1984 import battle_state
from client.games.mb1984.battle_state import BATTLE_ODDS
from client.games.mb1984.rules_text import PAGES
from client.language import _, ngettext, say
from client.table.words import force_words
from client.text_client import conquest as c
from client.text_client.game_text import GameText, TextPage, battle_lines
from shared.actions.grammar import PhraseContext
from shared.ids import Seat
from shared.mechanics.pieces import living
from shared.mechanics.tribute import worth
from shared.rulesets.mb1984 import economy
from shared.rulesets.mb1984.diplomacy import proposal_of
from shared.rulesets.mb1984.options import prices, steps
from shared.rulesets.mb1984.stages import Step
from shared.rulesets.mb1984.table import LEADERS, TableFields
from shared.sentences.conquest import bargain_words
from shared.sentences.mb1984 import prompt, tell
from shared.vocabulary.events import Offered


def _battle(scene: PhraseContext, _said: str) -> list[str]:
    fight = battle_state.read(scene.table)
    shot = [_("Next shot: {who}.", who=scene.who(fight.shooter))] if fight is not None else []
    return battle_lines(fight, scene, _side) + shot


def _side(side: battle_state.Side) -> str:
    ships = "; " + ngettext("{n} galley", "{n} galleys", len(side.galleys)) if side.galleys else ""
    walls = _("; behind walls") if side.walls else ""
    return f"{force_words(side.leaders, side.army, LEADERS)}{ships}{walls}"


def _proposals(scene: PhraseContext, _said: str) -> list[str]:
    lines = [_proposal(scene, proposer) for proposer, flat in enumerate(scene.table.proposals) if flat]
    return lines or [_("No bargains are proposed.")]


def _proposal(scene: PhraseContext, proposer: Seat) -> str:
    terms = proposal_of(scene.table.proposals[proposer])
    said = Offered(proposer, terms.to, terms.pays, terms.gives, terms.wants, terms.takes)
    return f"{scene.who(proposer)} → {scene.who(terms.to)}: {say(bargain_words(said, LEADERS))}."


MB1984: Final[GameText[TableFields]] = GameText(
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
        "proposals": TextPage(_("bargains for captives that were proposed"), _proposals),
    },
    battle_odds=BATTLE_ODDS,
    rules=PAGES,
)
