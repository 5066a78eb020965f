"""What the two games of conquest let one move and buy, by the id of the rule set."""

from typing import Any, Final

from client.games.classic.realm import REALM as CLASSIC
from client.games.conquest.realm import Realm
from client.games.mb1984.realm import REALM as MB1984

REALMS: Final[dict[str, Realm[Any]]] = {"classic": CLASSIC, "mb1984": MB1984}
