"""Headings under which choices of Conquest II are grouped."""

from typing import Final

from shared.language.sentence import pgettext

ALLIANCES: Final = pgettext("heading", "Alliances")
DEPLOYMENT: Final = pgettext("heading", "First units")
MOVE: Final = pgettext("heading", "Move")
SAIL: Final = pgettext("heading", "Sail")
ATTACK: Final = pgettext("heading", "Attack")
CARDS: Final = pgettext("heading", "Cards")
RECRUIT: Final = pgettext("heading", "Recruit")
INFLUENCE: Final = pgettext("heading", "Influence")
MONEY: Final = pgettext("heading", "Money")
BATTLE: Final = pgettext("heading", "Battle")
SENATE: Final = pgettext("heading", "Senate")
END: Final = pgettext("heading", "End")
