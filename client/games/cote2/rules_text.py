"""The second game in short and in our own words, as chapters of a title and paragraphs."""

from typing import Final

from client.drawing.chapters import Chapter
from client.games.cote2.battle_state import BATTLE_ODDS
from client.language import _
from client.table.odds_description import about_odds

Chapters = tuple[Chapter, ...]

GAME: Final[Chapters] = (
    Chapter(
        _("The aim"),
        _(
            "Win the most victory points in four campaign seasons. Points come from influence in eleven key "
            "provinces and from a few cards; chaos costs points. Players level in points are ranked by influence on "
            "the board; those level in both share the victory. The others may also agree at any time that a player "
            "has won."
        ),
    ),
    Chapter(
        _("The pieces"),
        _(
            "Each player has a Caesar, four generals, 20 infantry, 20 cavalry, 6 catapults, 8 galleys and 18 "
            "influence tokens. You begin with 80 talents, the senators I, II and III, and four influence tokens in "
            "provinces that are drawn, never Italia."
        ),
        (
            ("caesar_0", _("Caesar")),
            ("general_0", _("general")),
            ("infantry_0", _("infantry")),
            ("cavalry_0", _("cavalry")),
            ("catapult_0", _("catapult")),
            ("galley_0", _("galley")),
            ("city", _("city")),
        ),
        rules=("II-D10",),
    ),
    Chapter(
        _("Reading the board"),
        _(
            "Beside each key province lie its victory numbers, what most influence there is worth, second most, and "
            "in Italia third most; then the province tokens for sale, with their number. Below them is everybody's "
            "influence. A province with a city has the colour of the city's owner."
        ),
        (
            ("victory_10", _("points")),
            ("province_token", _("for sale")),
            ("marker_0", _("influence")),
            ("city", _("city")),
        ),
        rules=("II-TERM",),
    ),
    Chapter(
        _("A season"),
        _(
            "1. Tokens: two province tokens for each player come up and lie for sale in their provinces.\n"
            "2. Cards: two cards for each player are laid open, beside those that are left.\n"
            "3. Alliances: auctions sort everybody into alliance A or B and settle who acts first.\n"
            "4. Placement, in the first season only: the Caesar, a general, 8 infantry, 2 cavalry and a catapult go "
            "where you have influence, a galley into waters beside such a province.\n"
            "5. Actions: four rounds, in each of which everybody in turn takes two actions.\n"
            "6. Taxes: 5 talents for each influence token of yours, 10 where the city is yours. There is no "
            "upkeep.\n"
            "7. Points: the key provinces are scored, then chaos is counted.\n"
            "8. Used cards are turned up again, diplomacy cards go back on offer, the alliances end."
        ),
        rules=("II-PLACE",),
    ),
    Chapter(
        _("Alliances"),
        _(
            "In an auction each bidder lays two players who are not allied yet, one of them perhaps the bidder, "
            "into the proposal boxes A and B, and names a price in steps of 5 talents. The next one bids more, with "
            "the same proposal or another, or passes; players who have passed may come back while it lasts. The "
            "highest bidder pays, the two join their alliances and take the next places in the turn order. Then the "
            "next player opens an auction, until everybody is allied. The first bidder cannot pass; 0 is enough. "
            "The last of an odd number is proposed alone.\n"
            "Allies do not fight each other, let each other pass and may lend each other units in battle. Money, "
            "units and cards are never given away. In later seasons the player who was last in the turn order opens."
        ),
        rules=("II-AUCTION", "II-D12", "II-D13"),
    ),
    Chapter(
        _("Signs on the map"),
        "",
        rows=(
            (_("Sign"), _("Where"), _("Meaning")),
            (_("Red coins with numbers"), _("On a key province"), _("Victory points for most influence, and the next")),
            (_("White coin with a temple"), _("On a key province"), _("Influence for sale, with its number")),
            (_("Small mark with a number"), _("On a key province"), _("Influence of the player of that colour")),
            (_("Mark on a city"), _("In a province"), _("The owner of the city")),
            (_("Number beside a piece"), _("Anywhere"), _("So many stand there")),
            (_("Red arrow over water"), _("Between two provinces"), _("A strait")),
        ),
    ),
)

ACTIONS: Final[Chapters] = (
    Chapter(
        _("Your turn"),
        _(
            "Two of the eight actions, alike or not, then the next player. One of them may be to take a card. Cards "
            "for many uses that lie before you cost no action: use them before, between or after your actions."
        ),
        rules=("II-ACT",),
    ),
    Chapter(
        _("The eight actions"),
        "",
        rows=(
            (_("Action"), _("What you do"), _("Limits")),
            (_("Card"), _("Take an open card for its price."), _("Once a round.")),
            (
                _("Recruit"),
                _("Buy infantry for 5, cavalry 10, catapults and galleys 15, generals 20."),
                _("Where you have influence and a leader, galleys beside such a province. 2 chaos."),
            ),
            (
                _("Influence"),
                _("Buy a token for 10: one for sale, or another player's, which goes back to its owner."),
                _("One with a general there, two with the Caesar. Not from allies, nor from players with units there."),
            ),
            (_("Special tax"), _("Take 5 to 25 talents."), _("1 chaos for every 5.")),
            (
                _("Move"),
                _("Units and leaders of one province go wherever each of them can."),
                _("From where a leader is."),
            ),
            (_("Land battle"), _("Attack one enemy where units of both are."), _("With a unit of your own there.")),
            (_("Galleys"), _("Any galleys go to one sea zone; then you may fight at sea."), _("Never a battle first.")),
            (_("Pass"), _("Nothing. You may still act later."), ""),
        ),
        rules=("II-RECRUIT", "II-INFL", "II-TAX", "II-D24", "II-D34"),
    ),
    Chapter(
        _("Moving on land"),
        _(
            "Choose a province with a general or the Caesar. Any of your units and leaders there go any distance, "
            "each to its own goal. A province with infantry, cavalry or catapults of the other alliance is as far "
            "as they get; leaders alone, galleys and allies do not stop them. Leaving such a province is free.\n"
            "Red arrows on the board are straits. A galley of the other alliance in the waters of the arrows closes "
            "one; point at the sea to see which."
        ),
        rules=("II-MOVE",),
    ),
    Chapter(
        _("Moving over sea"),
        _(
            "From a coast, units go to any other coast beside which a galley of yours lies, wherever they started. "
            "Each of your galleys beside the landing serves four units in one action; leaders go free. Units that "
            "marched in this action do not embark, and those that landed go no further. Enemy galleys do not "
            "matter.\n"
            "Galleys themselves stand only in sea zones and go any distance; nothing stops them."
        ),
    ),
)

WAR: Final[Chapters] = (
    Chapter(
        _("The armies gather"),
        _(
            "In a land battle first the attacker, then the defender may bring galleys from the waters beside it. "
            "Then each ally in turn may lend units that stand there, or galleys beside it. A diplomacy card for the "
            "province adds its auxiliaries. You lead all that fights on your side, and what survives goes back."
        ),
        rules=("II-D46",),
    ),
    Chapter(
        _("Dice and hits"),
        _(
            "Each side rolls three dice; one more if a leader of its own is there, or of an ally who lent it "
            "something, one more for a defender whose city it is, one for each Army Training. A die hits if it "
            "shows a unit that fights on that side, and each unit uses only one die. The side that is hit chooses "
            "what falls, never a leader. Both lose at the same time; but a defender in their own city rolls first, "
            "and the fallen do not strike back."
        ),
        (
            ("die_infantry", _("twice")),
            ("die_cavalry", _("once")),
            ("die_catapult", _("once")),
            ("die_galley", _("once")),
            ("die_blank", _("once")),
        ),
        rules=("II-BATTLE", "II-D39"),
    ),
    Chapter(
        _("How it ends"),
        _(
            "After each round first the defender, then the attacker may retreat, with all their units, to one "
            "neighbouring province without enemy units. A side without units has lost; if both fall, the defender "
            "has won. The loser's leaders go to a neighbouring province. The loser gains 2 chaos, allies none. An "
            "attacker who wins takes the loser's city there. Leaders without troops are beaten without a roll, but "
            "only once a turn."
        ),
        rules=("II-RETREAT", "II-D35", "II-D42"),
    ),
    Chapter(
        _("Battles at sea"),
        _(
            "One die for each galley and each Naval Training; only galley faces hit. There is no retreat. After "
            "three rounds it is over, and if both still have galleys neither is beaten."
        ),
        rules=("II-NAVAL",),
    ),
    Chapter(
        _("Cities"),
        _(
            "Only the Build City cards make a city, one in each province. It doubles your taxes there, gives a die "
            "in defence and takes 3 chaos off every season. A city without land units of its owner falls to the "
            "first player to move in."
        ),
    ),
    about_odds(BATTLE_ODDS.policy),
)

POINTS: Final[Chapters] = (
    Chapter(
        _("Victory points"),
        _(
            "In each key province the most influence scores its first number, the second most its second; Italia has a "
            "third. Players who are level share the rank and each score all of it, and the next lower count takes "
            "the next rank: "
            "with 15 / 5, tokens of 3, 3, 2 and 1 score 15, 15, 5 and 0."
        ),
    ),
    Chapter(
        _("Chaos"),
        _(
            "It comes from recruiting (2), lost battles (2), special taxes and looting, and is secret until it is "
            "counted: each city of yours first takes off 3, for good. Then the most chaos costs 10 points, the "
            "second most 5; players who are level lose alike, and players without any lose nothing. Chaos stays "
            "with you into the next season."
        ),
    ),
    Chapter(
        _("The senate"),
        _(
            "The five Senate Votes are on offer from the start; such a card lets its owner call its vote once a "
            "season. Beginning with the caller, each player shows senators worth more than the leading number, or "
            "passes; what was shown stays shown and more may be added. The winner spends the senators shown, "
            "without change, and has the benefit; the others take theirs back. One of the spent senators, drawn "
            "blindly, goes to the player who alone has the most influence in Italia."
        ),
        rules=("II-SENATE", "II-D59", "II-C-12"),
    ),
)

CARDS: Final[Chapters] = (
    Chapter(
        _("Kinds of cards"),
        "",
        rows=(
            (_("Kind"), _("When it works"), _("Cards")),
            (
                _("Many uses"),
                _("Once a season, in your turn, without an action."),
                _("Merchants, Assassin, Loot, Senate Votes."),
            ),
            (
                _("At once"),
                _("When you take it; then it is out of play."),
                _("Cities, fleets, Barbarians, Politician, Bribe, Slave Revolt."),
            ),
            (_("Senators"), _("Hidden in your hand until a vote is won with them."), _("I to IV.")),
            (
                _("Diplomacy"),
                _("Until the season ends; then it is on offer again."),
                _("Auxiliaries in a province, Pirates."),
            ),
            (_("Lasting"), _("For the rest of the game."), _("Army Training, Naval Training, Favorable Wind.")),
        ),
        rules=("II-CARD",),
    ),
    Chapter(
        _("Cards with a price"),
        _(
            "Merchants bring 5 or 10 talents for each of your influence tokens in their province. Loot the "
            "Countryside: 50 talents for 5 chaos. Politician: one more influence token where your Caesar is. Bribe "
            "Senator: one of another player's senators, drawn blindly. Assassin: a general dies, or a senator of a "
            "player. Build City: where it says and your units are."
        ),
        rules=("II-C-07", "II-C-92", "II-D20", "II-D21", "II-D22", "II-D23"),
    ),
    Chapter(
        _("Cards without a price"),
        _(
            "Barbarians at the Gate: exactly four of your units march from one province to the one named, and bring "
            "you units, talents or points. Commandeer a Fleet: a galley of yours goes to the named waters, and two "
            "new ones join it. Slave Revolt: four slaves with three dice fight every army in a province to its last "
            "land unit, one after the other, your own last. Favorable Wind: you may slip out of naval battles "
            "before they begin. Senators cost nothing either."
        ),
        rules=("II-C-43", "II-C-93", "II-C-95", "II-D18", "II-D19", "II-D50"),
    ),
    Chapter(
        _("What is reconstructed"),
        _(
            "Printed for certain are the victory numbers of Egypt and Neapolis, 15 / 5. Reconstructed are 20 / 10 / "
            "5 for Italia and 10 / 5 for the others, 8 province tokens for each province, 18 influence tokens that "
            "each player can place, and the waters from which a strait is closed. A table can choose other values.\n"
            "Where the rules are silent the house decides: chance names the first player; bids go in steps of 5; "
            "generals, never a Caesar, fall to the Assassin and can be recruited again; points may fall below 0; "
            "the bank never runs out. A refused action names the rule or the ruling that forbids it."
        ),
    ),
)

PAGES: Final[tuple[tuple[str, Chapters], ...]] = (
    (_("The game"), GAME),
    (_("Actions"), ACTIONS),
    (_("Battles"), WAR),
    (_("Points"), POINTS),
    (_("Cards"), CARDS),
)
"""Tabs of the help, each with its chapters."""
