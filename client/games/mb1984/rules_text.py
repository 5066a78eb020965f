"""The game of 1984 in short and in our own words, as chapters of a title and paragraphs."""

from typing import Final

from client.drawing.chapters import Chapter
from client.games.conquest.rules_text import PIECES, Chapters, pages
from client.games.mb1984.battle_state import BATTLE_ODDS
from client.language import _
from client.table.odds_description import about_odds

GAME: Final[Chapters] = (
    Chapter(
        _("The aim"),
        _(
            "Capture the Caesar of every other player. The captor of a Caesar takes over all that its player had, "
            "and 100 talents. The last Caesar on the board wins. The others may also agree that a player has won, "
            "and a table may set a round limit: then the highest tribute wins."
        ),
        rules=("MB-END", "MB-CAESAR", "MB-D50"),
    ),
    Chapter(
        _("The pieces"),
        _(
            "Each player has a Caesar, six generals and up to six galleys. All other pieces come from one supply for "
            "everybody: 60 infantry, 30 cavalry, 20 catapults, 30 cities, 16 walls, 34 roads. What is destroyed can be "
            "bought again."
        ),
        PIECES,
        rules=("MB-COMP", "MB-D12"),
    ),
    Chapter(
        _("Your turn"),
        _(
            "1. Move legions and galleys. 2. Fight the battles that followed from it. 3. Collect tribute. 4. Destroy "
            "cities of your own, if you like. 5. Buy. 6. Place what you bought, and build roads.\n"
            "Play goes in the order of the homes: Macedonia, Galatia, Egyptus, Numidia, Hispania, Italia."
        ),
        rules=("MB-TURN", "MB-DESTROY"),
    ),
    Chapter(
        _("The beginning"),
        _(
            "In your home stand your Caesar, six generals, four infantry and a fortified city; your marker shows 15. "
            "There is no money yet: the first tribute comes in your first turn."
        ),
        rules=("MB-SETUP",),
    ),
)

MOVING: Final[Chapters] = (
    Chapter(
        _("Leaders"),
        _(
            "Caesar, generals and cities are leaders. Units always have one with them, moving or standing: one "
            "leader for every seven units. Only the Caesar and generals take units along; a city keeps those that "
            "stay. Leaders alone conquer nothing, and enter where enemy units are only to join a legion of theirs "
            "in battle. They are neither fired at nor do they fire."
        ),
        rules=("MB-LEAD", "MB-LEGION", "MB-D02", "MB-D04", "MB-D49"),
    ),
    Chapter(
        _("Moving on land"),
        _(
            "Infantry and catapults make one step in a turn, cavalry and leaders two. A leader may leave units "
            "where they have another leader, and take others along. A legion conquers every undefended province "
            "that it enters, and stops for the turn where it meets the enemy.\n"
            "Roads join neighbouring cities of yours. A whole journey along them costs one step; infantry and "
            "catapults may use one only from where they began. The red arrows on the board do not count in this "
            "game: take a galley."
        ),
        rules=("MB-MOVE", "MB-MAP", "MB-ROAD", "MB-D51"),
    ),
    Chapter(
        _("Moving at sea"),
        _(
            "A galley makes two steps: between a coast and the sea, or from sea to sea; after two sea zones it "
            "cannot land. It carries up to seven units with at least one leader. Units that board or land do not "
            "march in that turn. A galley that docked goes back only to where it came from. Where it meets enemy "
            "galleys it stops and must fight. On the coast of another player only a legion lands; a table may also "
            "let galleys land there that are empty or carry leaders alone, where no units defend. Hispania, Italia "
            "and Macedonia have two coasts."
        ),
        rules=("MB-SEA", "MB-D13", "MB-D15", "MB-D36"),
    ),
)

BATTLES: Final[Chapters] = (
    Chapter(
        _("Shot by shot"),
        _(
            "The attacker names one enemy unit and fires one shot at it, then the defender, and so on. A die that "
            "shows the target's number or more destroys it: infantry 4, cavalry 5 (4 at sea), catapult 6, galley 3."
        ),
        (("die_4", _("infantry")), ("die_5", _("cavalry")), ("die_6", _("catapult")), ("die_3", _("galley"))),
        rules=("MB-BATTLE",),
    ),
    Chapter(
        _("The advantage"),
        _(
            "Each catapult counts one for its side, walls count one for their defender. The side with more has the "
            "difference as its advantage, and needs so much less on the die. If that leaves 1 or less the target is "
            "destroyed without a roll. The advantage is counted anew before every shot."
        ),
    ),
    Chapter(
        _("How it ends"),
        _(
            "It ends when one side has no units left: its leaders there are captured. Straight after a shot of the "
            "defender the attacker may retreat to one neighbouring province of their own without enemy units, if "
            "they came by land; enemy leaders alone there are captured. The conqueror of a province takes its city; "
            "roads to it are torn up, and the loser's galleys on its coast are lost."
        ),
        rules=("MB-RETREAT", "MB-D25"),
    ),
    Chapter(
        _("Battles at sea"),
        _(
            "Galleys that meet fight to the end, in the same way. What they carry fires and is fired at first: a "
            "galley is no target while its side has units aboard. The side that fires at galleys names one; where "
            "several carry the unit that is hit, its owner says from which it falls. Leaders of a galley that sinks "
            "change to another."
        ),
        rules=("MB-NAVAL", "MB-D28"),
    ),
    about_odds(BATTLE_ODDS.policy),
)

MONEY: Final[Chapters] = (
    Chapter(
        _("Tribute and inflation"),
        _("You collect what your marker shows: the value of your provinces and five for each city. Once a marker "
          "has reached 105, all prices double from the next player's turn on; at 205 they are three times the basic "
          "ones.\n"
          "The conqueror of your home takes all that you have saved; without it you collect and buy nothing, but "
          "you may still build roads."),
    ),
    Chapter(
        _("Prices"),
        _("Walls on a city that stands cost 25; roads are free. New units and galleys appear in your home, up to "
        "seven units for each leader there. A city may be built in any province of yours, one in each."),
        (
            ("infantry_0", "10"),
            ("cavalry_0", "25"),
            ("catapult_0", "40"),
            ("galley_0", "25"),
            ("city", "30"),
            ("fortified", "55"),
        ),
        rules=("MB-BUY", "MB-CITY", "MB-PLACE", "MB-UNIT"),
    ),
    Chapter(
        _("Captured generals"),
        _("The victor has them killed, at once or in any later turn, also another's, or holds them for ransom. "
          "Talents and generals may be exchanged for a captured general in the turn of either partner: in your own "
          "turn you offer and are answered at once, in the other's turn you propose, and the other may accept until "
          "that turn ends. An exchanged general may move at once, a ransomed one from his owner's next turn on. At "
          "the table, the button Captives above the board (or C) opens all this. Generals who are captured together "
          "with their Caesar are the victor's own and stay where they stand."),
        rules=("MB-GEN", "MB-D09", "MB-D34", "MB-D37"),
    ),
)  # fmt: skip

PAGES: Final = pages(GAME, MOVING, BATTLES, MONEY)
"""Tabs of the help, each with its chapters."""
