"""Help that belongs to no single game: playing at this table, and differences between the games."""

from __future__ import annotations

from typing import Final

from client.drawing.chapters import Chapter
from client.language import _

Chapters = tuple[Chapter, ...]

PLAYING: Final[Chapters] = (
    Chapter(
        _("At the table"),
        _("The line that asks for a decision always says what can be done now. Provinces that can take part are lit; "
        "click one, then follow what lights up. Nothing is sent before you confirm it, and until then it can be "
        "taken back.\n"
        "The wheel zooms the board, dragging moves it. Hold the mouse over anything to be told what it is. Everything "
        "can be done without a mouse too: see the page of keys."),
    ),
    Chapter(
        _("Advice"),
        _(
            "The button above the board asks the strongest bot what it would do in your place. It is told "
            "what you can see yourself and nothing else, and says why in a sentence or two; what it means is marked "
            "on the board. “Do it” does it, or you do something else. Against bots you may ask whenever you have to "
            "decide. Where other people play, the host must have allowed it, and the chronicle tells all that you "
            "asked."),
    ),
    Chapter(
        _("Taking back"),
        _("“Take back” in the corner of the board, or its key, takes back what you did last, and the step before it "
          "if you press again: as long as nothing else has happened since: no dice have fallen, no other player has "
          "decided anything, and no secret was shown. The chronicle says that it was taken back.\n"
          "Everything else needs the others’ consent. “Ask the others” in the menu, or its key, asks for a pause, "
          "to go back to a moment of this round or the last, for a substitute for an absent player, for more time "
          "or other clocks, or to end the match and count it as it stands. The question is shown to all with who is "
          "for it; the people answer, bots do not. To go back all must agree; for everything else more than half, "
          "unless the table wants all."),
    ),
    Chapter(
        _("In words"),
        _("L, or the menu, opens the table in plain lines: what happens is written there, and everything that you "
          "could ask or do can be typed; help lists it. For screen readers and terminals, conquest play --text and "
          "conquest table --text do the same without a window."),
    ),
    Chapter(
        _("Your turn"),
        _("A trumpet sounds when your turn begins, and for every decision while another window is before this one. The "
        "title of the window says so as long as it lasts. How loud everything is stands in the settings."),
    ),
    Chapter(
        _("Clocks"),
        _("A table may have clocks; what each player has left stands beside the name, and above the board how long "
          "there is for this decision. For one evening there is a bank of time: every decision brings some seconds, "
          "and what is left of them goes into the bank, up to what was in it at first; players who answer in the "
          "turn of another, as defender, bidder or voter, use a reserve instead. By post each decision has its "
          "days, and the bank is for holidays. Bots use no clock. A server that is down takes no time from players, "
          "nor does a slow network, up to half a second.\n"
          "When time is up, the table’s choice is carried out: the simplest choice is made, a bot decides this "
          "once, or a bot plays until the player is back; a click or a key is enough for that. The alarm sounds a "
          "quarter of a minute before."),
    ),
    Chapter(
        _("See it again"),
        _("At the end of a match, and from the menu while it goes on, the table shows again what happened, with a bar "
        "in place of the tray: press or drag the line to be anywhere, and its marks are rounds, battles, auctions, "
        "votes and captures. The buttons go from decision to decision and from mark to mark, let it run, and say how "
        "fast; each has its key, see the page of keys. Up to twice the usual speed all is seen on its way, and "
        "heard.\n"
        "Charts show how everybody stood over time, where it came from, and whose dice were lucky: how many hits were "
        "to be expected of the dice as they were rolled, how many fell, and how often dice are as lucky, or as "
        "unlucky. A click on a curve, or on a battle, leads to that moment.\n"
        "What happened while you were away is offered when you come back; as long as you sit at that table, its menu "
        "shows it again, however short you were away."),
    ),
    Chapter(
        _("If the connection fails"),
        _("The game connects again by itself and your seat stays yours. If you close the window in the middle of a "
        "match, choose “Continue your game” in the menu the next time."),
    ),
)  # fmt: skip

_ROWS: Final = (
    ("", "1984", _("Classic (2005)")),
    (_("Homes"), _("six, without Mesopotamia"), _("seven, with Mesopotamia")),
    (_("At the start"), _(
        "Caesar, 6 generals, 4 infantry, fortified city"), _("Caesar, 4 generals, 5 infantry, same city")),
    (_("Pieces"), _("one supply for all; 6 galleys each"), _("a supply for each colour; 8 galleys each")),
    (_("Prices"), _("10, cavalry 25, catapult 40, galley 25, city 30, walls 25, road free"),
     _("10, cavalry 20, catapult 30, galley 20, city 30, walls 20, road 10")),
    (_("Higher prices"), _("from the next player's turn"), _("from the next turn of the player who caused them")),
    (_("Leaders"), _("Caesar, generals and cities"), _("Caesar and generals")),
    (_("Units alone"), _("never, not even standing"), _("may stand alone; a leader to march")),
    (_("Empty province"), _("yours as soon as a legion enters"), _("yours if units stand there after combat")),
    (_("Straits"), _("closed: take a galley"), _("four can be crossed on foot")),
    (_("Enemy galleys"), _("stop you; you must fight to the end"), _("you may pass, or fight three rounds at most")),
    (_("A docked galley"), _("goes back only to where it came from"), _("goes where it likes")),
    (_("Land battles"), _("one aimed shot a side; catapults and walls lower the number"),
     _("all dice of a battle legion at once; matching faces hit")),
    (_("Retreat"), _("the attacker only, after being shot at, to own land"), _("either side, with pursuit")),
    (_("Roads of a lost city"), _("torn up"), _("stay")),
    (_("A lost home"), _("savings looted; no tribute, no purchases"), _("no such rule")),
    (_("Captured Caesar"), _("everything, and 100 talents"), _("everything")),
    (_("Captured generals"), _("bargains in either partner's turn; killed at any later time"),
     _("bargains while placing; judged at once")),
)  # fmt: skip

DIFFERENCES: Final[Chapters] = (
    Chapter(
        _("How 1984 and Classic differ"),
        _(
            "Conquest of the Empire II is another game on the same board, about influence, alliances and votes; all "
            "play to the end. It has pages of its own."
        ),
        rows=_ROWS,
    ),
)

SHARED: Final[tuple[tuple[str, Chapters], ...]] = ((_("At the table"), PLAYING), (_("Differences"), DIFFERENCES))
"""Tabs after those of the game."""
