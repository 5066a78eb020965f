"""The game of 1984 in words."""

from __future__ import annotations

from functools import partial
from typing import Final

from client.games.conquest.describe import describe
from client.games.conquest.people import person_words
from client.games.conquest.position import living, winners
from client.games.conquest.tale import bargain_words
from client.games.mb1984 import battle
from client.games.mb1984.prompts import prompt
from client.games.mb1984.tale import tell
from client.table.words import count_words, force_words
from client.textual import conquest as c
from client.textual.grammar import Grammar, Part, Phrase, Scene
from client.textual.kinds import PLAYER
from client.textual.voice import Sheet, Voice
from shared.board import BOARD
from shared.ids import NONE, Leader, Seat
from shared.rulesets.mb1984 import actions as a
from shared.rulesets.mb1984 import economy, galleys, legions
from shared.rulesets.mb1984.diplomacy import proposal_of
from shared.rulesets.mb1984.options import steps
from shared.rulesets.mb1984.property import worth
from shared.rulesets.mb1984.stages import Step
from shared.rulesets.mb1984.state import LEADERS, POINTS, Table
from shared.vocabulary.events import Offered


def _can_march(table: Table, leader: Leader) -> bool:
    return table.leader_used[leader] < POINTS


def _boardable(scene: Scene, galley: int) -> tuple[int, int, int]:
    return galleys.boardable(scene.table, scene.seat, galley, BOARD.ashore[scene.table.galley_at[galley]])


def _reply(verb: str, accept: bool, means: str) -> Phrase:
    return Phrase(verb, a.Reply, means, (Part("", ("proposer",), PLAYER),), {"accept": accept})


GRAMMAR: Final = Grammar((
    Phrase("march", a.March, "A legion marches one step, or along a road.",
           c.marching(c.Ways(legions.ready, _can_march))),
    c.sailing(_boardable),
    Phrase("fire", a.Aim, "At what you fire.", (Part("at", ("kind", "galley"), c.TARGET),)),
    Phrase("lose", a.Lose, "From which galley the unit falls that was hit.",
           (Part("from", ("galley",), c.GALLEY_KIND),)),
    *c.retreating("retreat", a.Retreat, "Leave the battle."),
    c.buying(a.Buy, len(economy.PRICES)),
    Phrase("take back proposal", a.Propose, "Nothing is proposed any more.", fixed={"to": NONE}),
    c.terms("propose", a.Propose, "In another player's turn: propose a bargain to him."),
    _reply("agree", True, "Accept what was proposed to you, in your turn."),
    _reply("refuse", False, "Decline what was proposed to you, in your turn."),
    Phrase("execute", a.Execute, "Prisoners of an earlier turn die.", (Part("", ("kill",), c.LEADERS),)),
    *c.COMMON,
))  # fmt: skip


def _battle(scene: Scene, _said: str) -> list[str]:
    fight = battle.read(scene.table)
    if fight is None:
        return ["There is no battle now."]
    where = f"{BOARD.names[fight.space]}, round {fight.round}"
    sides = (("attacks", fight.attacker), ("defends", fight.defender))
    return [
        f"Battle: {where}. The next shot is {scene.who(fight.shooter)}'s.",
        *(f"{scene.who(side.seat)} {does}: {_side(side)}." for does, side in sides),
    ]


def _side(side: battle.Side) -> str:
    ships = f"; {count_words(len(side.galleys), 'galley', 'galleys')}" if side.galleys else ""
    walls = "; behind walls" if side.walls else ""
    return f"{force_words(side.leaders, side.army, LEADERS)}{ships}{walls}"


def _proposals(scene: Scene, _said: str) -> list[str]:
    lines = [_proposal(scene, proposer) for proposer, flat in enumerate(scene.table.proposals) if flat]
    return lines or ["Nobody proposes a bargain."]


def _proposal(scene: Scene, proposer: Seat) -> str:
    terms = proposal_of(scene.table.proposals[proposer])
    said = Offered(proposer, terms.to, terms.pays, terms.gives, terms.wants, terms.takes)
    return f"{scene.who(proposer)} proposes to {scene.who(terms.to)}: {bargain_words(said, LEADERS)}."


MB1984: Final[Voice[Table]] = Voice(
    grammar=GRAMMAR,
    tell=tell,
    prompt=prompt,
    winners=winners,
    living=living,
    heading=partial(c.heading, tuple([step.phase for step in Step])),
    person=person_words,
    describe=partial(describe, each=LEADERS, worth=worth),
    borders=partial(c.borders, steps),
    pieces=c.pieces,
    sheets={
        "battle": Sheet("the battle that is going on", _battle),
        "prices": Sheet("what everything costs", partial(c.prices, economy.PRICES, economy.stock)),
        "proposals": Sheet("bargains for captives that were proposed", _proposals),
    },
)
