"""Rule sets that can be searched."""

from typing import Final

from server.bots.search import classic, cote2, mb1984
from server.bots.search.game import AnyGame

GAMES: Final[dict[str, AnyGame]] = {"classic": classic.GAME, "cote2": cote2.GAME, "mb1984": mb1984.GAME}
"""Search by rule set."""
