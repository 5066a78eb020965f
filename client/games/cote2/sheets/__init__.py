"""The sheets of the second game over the board, in the order of their buttons."""

from typing import Final

from client.games.cote2.sheets.auction_sheet import AuctionSheet
from client.games.cote2.sheets.card_sheet import CardsSheet
from client.games.cote2.sheets.score_sheet import ScoreSheet
from client.games.cote2.sheets.senate_vote_sheet import VoteSheet
from client.table.sheet import Sheet
from shared.rulesets.cote2.state import TableFields

SHEETS: Final[tuple[type[Sheet[TableFields]], ...]] = (ScoreSheet, AuctionSheet, CardsSheet, VoteSheet)
"""Sheet classes, each made with the desk.

If several sheets want to be seen, the first one is: a count comes before the auction that follows.
"""
