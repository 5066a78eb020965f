"""Help that belongs to no single game: how to play at this table, and how the games differ."""

from __future__ import annotations

from typing import Final

from client.drawing.scrolling import Chapter

Chapters = tuple[Chapter, ...]

PLAYING: Final[Chapters] = (
    Chapter(
        "At the table",
        "The line that asks for a decision always says what can be done now. Provinces that can take part are lit; "
        "click one, then follow what lights up. Nothing is sent before you confirm it, and until then it can be "
        "taken back.\n"
        "The wheel zooms the board, dragging moves it. Hold the mouse over anything to be told what it is. Everything "
        "can be done without a mouse too: see the page of keys.",
    ),
    Chapter(
        "Advice",
        "The button above the board, or H, asks the strongest bot what it would do in your place. It is told what you "
        "can see yourself and nothing else, and says why in a sentence or two; what it means is marked on the board. "
        "“Do it” does it, or you do something else. Against bots you may ask whenever you have to decide. Where other "
        "people play, the host must have allowed it, and the chronicle tells all that you asked.",
    ),
    Chapter(
        "Your turn",
        "A trumpet sounds when your turn begins, and for every decision while another window is before this one. The "
        "title of the window says so as long as it lasts. How loud everything is stands in the settings.",
    ),
    Chapter(
        "If the connection fails",
        "The game connects again by itself and your seat stays yours. If you close the window in the middle of a "
        "match, choose “Continue your game” in the menu the next time.",
    ),
)  # fmt: skip

_ROWS: Final = (
    ("", "1984", "Classic (2005)"),
    ("Homes", "six, without Mesopotamia", "seven, with Mesopotamia"),
    ("At the start", "Caesar, 6 generals, 4 infantry, fortified city", "Caesar, 4 generals, 5 infantry, same city"),
    ("Pieces", "one supply for all; 6 galleys each", "a supply for each colour; 8 galleys each"),
    ("Prices", "10, cavalry 25, catapult 40, galley 25, city 30, walls 25, road free",
     "10, cavalry 20, catapult 30, galley 20, city 30, walls 20, road 10"),
    ("Higher prices", "from the next player's turn", "from the next turn of who caused them"),
    ("Leaders", "Caesar, generals and cities", "Caesar and generals"),
    ("Units alone", "never, not even standing", "may stand alone; a leader to march"),
    ("Empty province", "yours as soon as a legion enters", "yours if units stand there after combat"),
    ("Straits", "closed: take a galley", "four can be crossed on foot"),
    ("Enemy galleys", "stop you; you must fight to the end", "you may pass, or fight three rounds at most"),
    ("A docked galley", "goes back only to where it came from", "goes where it likes"),
    ("Land battles", "one aimed shot a side; catapults and walls lower the number",
     "all dice of a battle legion at once; matching faces hit"),
    ("Retreat", "the attacker only, after a shot at him, to land of his own", "either side, with pursuit"),
    ("Roads of a lost city", "torn up", "stay"),
    ("A lost home", "savings looted; no tribute, no purchases", "no such rule"),
    ("Captured Caesar", "everything, and 100 talents", "everything"),
    ("Captured generals", "bargains in either partner's turn; killed at any later time",
     "bargains while placing; judged at once"),
)  # fmt: skip

DIFFERENCES: Final[Chapters] = (
    Chapter(
        "How 1984 and Classic differ",
        "Conquest of the Empire II is another game on the same board, about influence, alliances and votes; nobody is "
        "ever out. It has pages of its own.",
        rows=_ROWS,
    ),
)

SHARED: Final[tuple[tuple[str, Chapters], ...]] = (("At the table", PLAYING), ("Differences", DIFFERENCES))
"""Tabs after those of the game."""
