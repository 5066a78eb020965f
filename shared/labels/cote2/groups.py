"""Headings under which choices of Conquest II are grouped."""

from typing import Final

from shared.language.sentence import _

ALLIANCES: Final = _("Alliances")
DEPLOYMENT: Final = _("First units")
MOVE: Final = _("Move")
SAIL: Final = _("Sail")
ATTACK: Final = _("Attack")
CARDS: Final = _("Cards")
RECRUIT: Final = _("Recruit")
INFLUENCE: Final = _("Influence")
MONEY: Final = _("Money")
BATTLE: Final = _("Battle")
SENATE: Final = _("Senate")
END: Final = _("End")
