"""Commands of the game of 1984."""

from typing import Final

from msgspec import structs

from shared.board import BOARD
from shared.ids import NONE
from shared.language.sentence import Sentence, _
from shared.phrases import conquest as c
from shared.phrases.grammar import Grammar, Phrase, PhraseContext, PhrasePart
from shared.phrases.kinds import PLAYER
from shared.rulesets.mb1984 import actions as a
from shared.rulesets.mb1984 import galleys
from shared.vocabulary.actions import Retreat


def _boardable(scene: PhraseContext, galley: int) -> tuple[int, int, int]:
    return galleys.boardable(scene.table, scene.seat, galley, BOARD.ashore[scene.table.galley_at[galley]])


def _reply(verb: str, accept: bool, means: Sentence) -> Phrase:
    return Phrase(verb, a.Reply, means, (PhrasePart("", ("proposer",), PLAYER),), {"accept": accept})


GRAMMAR: Final = Grammar((
    Phrase("march", a.March, _("A legion marches one step, or along a road."),
           c.marching()),
    c.sailing(_boardable),
    Phrase("fire", a.Aim, _("At what you fire."), (PhrasePart("at", ("kind", "galley"), c.TARGET),)),
    Phrase("lose", a.Lose, _("Which galley loses the unit that was hit."),
           (PhrasePart("from", ("galley",), c.GALLEY_KIND),)),
    *c.retreating("retreat", Retreat, _("Leave the battle.")),
    c.buying(a.Buy, len(structs.fields(a.Buy))),
    Phrase("take back proposal", a.Propose, _("Nothing is proposed any more."), fixed={"to": NONE}),
    c.terms("propose", a.Propose, _("In another player's turn: propose a bargain to them.")),
    _reply("agree", True, _("Accept what was proposed to you, in your turn.")),
    _reply("refuse", False, _("Decline what was proposed to you, in your turn.")),
    Phrase("execute", a.Execute, _("Prisoners of an earlier turn die."), (PhrasePart("", ("kill",), c.LEADERS),)),
    *c.COMMON,
))  # fmt: skip
