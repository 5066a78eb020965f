"""Rules adapters of the two games of conquest, by the id of the rule set."""

from typing import Any, Final

from client.games.classic.rules_adapter import RULES_ADAPTER as CLASSIC
from client.games.conquest.rules_adapter import RulesAdapter
from client.games.mb1984.rules_adapter import RULES_ADAPTER as MB1984

REALMS: Final[dict[str, RulesAdapter[Any]]] = {"classic": CLASSIC, "mb1984": MB1984}
