"""Classic in short and in our own words, as chapters of a title and paragraphs."""

from typing import Final

from client.drawing.chapters import Chapter
from client.games.classic.battle_state import BATTLE_ODDS
from client.games.conquest.rules_text import PIECES, Chapters, pages
from client.language import _
from client.table.odds_description import about_odds

GAME: Final[Chapters] = (
    Chapter(
        _("The aim"),
        _(
            "Capture the Caesar of every other player. The captor of a Caesar takes over all that its player had. "
            "The last Caesar on the board wins. The others may also agree that a player has won, and a table may "
            "set a round limit: then the highest tribute wins."
        ),
        rules=("CL-END", "CL-D34"),
    ),
    Chapter(
        _("The pieces"),
        _(
            "Each player has a Caesar, four generals, and units to buy: infantry, cavalry, catapults, galleys. Cities, "
            "fortifications and roads come from a common supply."
        ),
        PIECES,
        rules=("CL-COMP",),
    ),
    Chapter(
        _("Your turn"),
        _(
            "1. Move legions and galleys. 2. Fight the battles that followed from it. 3. Collect tribute. 4. Destroy "
            "cities of your own, if you like. 5. Buy. 6. Place what you bought, and bargain for captured generals.\n"
            "Play goes in the order of the homes: Macedonia, Galatia, Mesopotamia, Egyptus, Numidia, Hispania, Italia."
        ),
        rules=("CL-TURN", "CL-DESTROY"),
    ),
    Chapter(
        _("The beginning"),
        _(
            "In your home stand your Caesar, four generals, five infantry and a fortified city; your marker shows 15. "
            "There is no money yet: the first tribute comes in your first turn."
        ),
        rules=("CL-SETUP", "CL-D32"),
    ),
)

MOVING: Final[Chapters] = (
    Chapter(
        _("Moving on land"),
        _(
            "A legion is at least one leader (a Caesar or a general) with up to seven units. Without a leader "
            "nothing moves, but units may stay anywhere without one. Infantry and catapults make one step in a "
            "turn, cavalry and leaders two. A leader may drop units on the way and take others along.\n"
            "A legion stops where it meets enemy units. An empty province is yours when a legion enters and stays.\n"
            "Roads join neighbouring cities of yours. A whole journey along them costs one step. Red arrows on the "
            "board are crossings: they join two provinces without a galley."
        ),
        rules=("CL-MOVE", "CL-LEAD", "CL-MAP", "CL-ROAD", "CL-H06"),
    ),
    Chapter(
        _("Moving at sea"),
        _(
            "A galley makes two steps: between a coast and the sea, or from sea to sea. From coast to coast it must go "
            "out to sea. It carries up to seven units and any number of leaders; boarding and landing need a leader. "
            "What boards or lands does not move on land in the same turn. Galleys pass enemy galleys freely."
        ),
        rules=("CL-SEA", "CL-D17", "CL-H02", "CL-H03"),
    ),
)

BATTLES: Final[Chapters] = (
    Chapter(
        _("Battles on land"),
        _(
            "Both sides choose a battle legion: five units and one more for each leader there; the others are the "
            "reserve. First the defender, then the attacker.\n"
            "Each side rolls one die for each unit of its battle legion. A die hits if it shows a kind of unit that "
            "is in the legion; each unit can use one die only. Catapult faces may be used by catapults in the "
            "reserve as well. Galley and blank miss on land.\n"
            "Hits are dealt at the same time; each owner chooses what falls. A defender with a fortified city rolls "
            "two dice more, one if the attacker has a catapult.\n"
            "After each round the defender, then the attacker, goes on or retreats to one neighbouring province "
            "without enemy land units; galleys on its coast do not close it. The winner pursues: one die for each "
            "unit, and cavalry faces hit as far as there is cavalry. A side that loses its last unit loses its "
            "leaders there to the enemy.\n"
            "Enemy galleys on the coast of a conquered province are destroyed; those of a Caesar who is captured "
            "there go to the victor."
        ),
        (
            ("die_infantry", _("twice")),
            ("die_cavalry", _("once")),
            ("die_catapult", _("once")),
            ("die_galley", _("once")),
            ("die_blank", _("once")),
        ),
        rules=("CL-BATTLE", "CL-RETREAT", "CL-PURSUIT", "CL-D01", "CL-D05", "CL-D06", "CL-D16"),
    ),
    Chapter(
        _("Battles at sea"),
        _(
            "You may attack galleys in your sea zone; you need not. Each galley rolls two dice and only galley "
            "faces hit. After three rounds it is over. What a sunk galley carried is lost; leaders aboard are "
            "captured."
        ),
        rules=("CL-NAVAL", "CL-D18", "CL-H12"),
    ),
    about_odds(BATTLE_ODDS.policy),
)

MONEY: Final[Chapters] = (
    Chapter(
        _("Tribute and inflation"),
        _("You collect what your marker shows: the value of your provinces and five for each city.\n"
        "When a marker first reaches 105, all prices double; when one first reaches 205 they are three times the "
        "basic ones. Everybody has one last turn at the old prices, beginning with that player. The new ones begin "
        "with that player's turn after it, and stay."),
        rules=("CL-D26",),
    ),
    Chapter(
        _("Prices"),
        _("A road costs 10, a fortification on a city that stands 20, the other pieces as below. Leaders are not for "
        "sale. Pieces that are all on the board cannot be bought.\n"
        "New units and galleys appear in your home (with the home Mesopotamia, galleys appear in Syria or Armenia if "
        "you own them). A city may be built in any province of yours, one in each; a fortification on a city of "
        "yours; a road between cities of yours in neighbouring provinces."),
        (
            ("infantry_0", "10"),
            ("cavalry_0", "20"),
            ("catapult_0", "30"),
            ("galley_0", "20"),
            ("city", "30"),
            ("fortified", "50"),
        ),
        rules=("CL-BUY", "CL-CITY", "CL-PLACE", "CL-D23", "CL-H15"),
    ),
    Chapter(
        _("Captured generals"),
        _("The victor decides: out of the game, or held for ransom. While placing, the player whose turn it is may "
          "offer talents and captured generals for a general's return. Promises are not binding. Generals who are "
          "captured together with their Caesar are the victor's own and stay where they stand."),
        rules=("CL-GEN", "CL-H14", "CL-H17", "CL-H18"),
    ),
)  # fmt: skip

PAGES: Final = pages(GAME, MOVING, BATTLES, MONEY)
"""Tabs of the help, each with its chapters."""
