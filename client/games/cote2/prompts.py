"""Prompts, rounds and phases of Conquest II in words."""

from __future__ import annotations

from typing import Final

from client.games.cote2.battle import losses_words
from client.language import Who, _, ngettext, say
from client.table.prompts import OPEN, Prompt
from client.table.words import army_words
from shared.board import BOARD
from shared.ids import NATURE, NONE, Seat
from shared.kernel.frames import Deal, Frame
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.alliances import harbours, unallied
from shared.rulesets.cote2.data import CARDS, NAMED, NEW_LEGIONS
from shared.rulesets.cote2.senate import high
from shared.rulesets.cote2.stages import Phase
from shared.rulesets.cote2.state import start_army
from shared.rulesets.cote2.table import Table
from shared.sentences.cote2 import benefit
from shared.vocabulary.frames import Onward

_PHASES: Final = {
    Phase.TOKENS: _("Tokens"),
    Phase.CARDS: _("Cards"),
    Phase.ALLIANCES: _("Alliances"),
    Phase.PLACEMENT: _("Placement"),
    Phase.ACTIONS: _("Actions"),
    Phase.TAXES: _("Taxes"),
    Phase.POINTS: _("Points"),
}
"""Names of the phases that take time; the end of a season takes none."""


def phase_words(table: Table) -> tuple[tuple[str, ...], int]:
    """Return the phases of this season, and the index of the present one.

    The index is -1 before the first season and after the end.
    """
    shown = {phase: name for phase, name in _PHASES.items() if table.season <= 1 or phase != Phase.PLACEMENT}
    season = table.frames[0] if table.frames else None
    if table.winner != NONE or not isinstance(season, f.Season):
        return tuple(shown.values()), -1
    return tuple(shown.values()), sum(phase <= season.step.phase for phase in shown) - 1


def round_words(table: Table) -> str:
    """Return season and round in words: ``"Season 2 · Round 3"``. The round shows only while actions are taken."""
    if not table.season:
        return _("Setting up")
    acting = any(isinstance(frame, f.Rounds) for frame in table.frames)
    return _("Season {season}", season=table.season) + (_(" · Round {round}", round=table.round) if acting else "")


def active(table: Table) -> Seat:
    """Return the seat that takes a turn, bids in an auction or places units; NONE between these."""
    for frame in table.frames:
        if isinstance(frame, f.Turn | f.Auction | f.Deployment):
            return frame.seat
    return NONE


def motion(card: int) -> str:
    """Return the subject of a senate vote: ``"Hail Caesar!"``."""
    return CARDS[card].name.partition(": ")[2]


def _benefit(card: int) -> str:
    """Return what the winner of a vote gains, as its card says."""
    return say(benefit(card))


def prompt(table: Table, frame: Frame, who: Who) -> Prompt | None:
    """Return the prompt for a frame of the second game."""
    match frame:
        case f.Auction(seat=seat):
            return Prompt(seat, *_auction(table, frame, who))
        case f.Deployment(seat=seat):
            return Prompt(seat, _("First units"), _deployment(table, seat))
        case f.Turn(seat=seat):
            return Prompt(seat, *_turn(frame))
        case f.Vote(seat=seat):
            return Prompt(seat, _("Vote on {motion}", motion=motion(frame.card)), _vote(frame, who))
        case f.Muster(seat=seat, infantry=infantry):
            sites = _(" or in ").join(BOARD.names[space] for space in NAMED[NEW_LEGIONS])
            return Prompt(
                seat,
                _("New legions"),
                _(
                    "{infantry} infantry join you: choose where they assemble, in {sites}.",
                    infantry=infantry,
                    sites=sites,
                ),
            )
        case _:
            return _of_battle(frame, who) or _of_chance(table, frame)


def _auction(table: Table, frame: f.Auction, who: Who) -> tuple[str, str]:
    left = unallied(table)
    alone = len(left) == 1
    last = _("yourself") if left[0] == frame.seat else who(left[0])
    boxes = _("{last} in box A or B", last=last) if alone else _("two players, one in box A and one in box B")
    if frame.bidder == NONE:
        return _("Open the auction"), _("Put {boxes}, and bid; 0 talents will do.", boxes=boxes)
    proposed = _(" and ").join(
        _("{who} for {box}", who=_("you") if seat == frame.seat else who(seat), box=box)
        for box, seat in zip("AB", (frame.a, frame.b), strict=True)
        if seat != NONE
    )
    how = _(
        "{who} offers {talents} talents: {proposed}. Put {boxes}, and offer more, or pass.",
        who=who(frame.bidder),
        talents=frame.talents,
        proposed=proposed,
        boxes=boxes,
    )
    return _("Bid or pass"), how


def _deployment(table: Table, seat: Seat) -> str:
    galley = _(", the galley beside one of them") if harbours(table, seat) else ""
    return _(
        "Place the Caesar, a general and {text} where you have influence{galley}.",
        text=army_words(start_army()),
        galley=galley,
    )


def _turn(frame: f.Turn) -> tuple[str, str, str]:
    if not frame.left:
        return _("Use a card?"), _("Your actions are done. Use a card that lies before you, or end your turn."), ""
    left = _("Two actions") if frame.left == 2 else _("One more action")
    card = _("You have taken a card this turn.") if frame.obtained else ""
    return left, card, _("Choose an action below, or a province, a galley or a card to act with.")


def _vote(frame: f.Vote, who: Who) -> str:
    if frame.bidder == NONE:
        return _("{benefit} Show senators, or pass.", benefit=_benefit(frame.card))
    votes = high(frame)
    lead = ngettext("{who} leads with {n} vote", "{who} leads with {n} votes", votes, who=who(frame.bidder))
    return _("{benefit} {lead}: show more in all, or pass.", benefit=_benefit(frame.card), lead=lead)


def _of_battle(frame: Frame, who: Who) -> Prompt | None:
    match frame:
        case f.Wind(seat=seat, zone=zone, attacker=attacker):
            how = _(
                "{who} attacks you in {zone}. Your Favorable Wind can take you out of it.",
                who=who(attacker),
                zone=BOARD.names[zone],
            )
            return Prompt(seat, _("Slip away?"), how)
        case f.Commitment(seat=seat, space=space):
            how = _("{place}: choose galleys of the waters beside it that join your battle.", place=BOARD.names[space])
            return Prompt(seat, _("Galleys to the battle?"), how)
        case f.Aid(seat=seat, to=to, space=space):
            how = _(
                "{who} fights in {place}. Lend what you like; what survives comes back to you. Your leaders there "
                "add a die only if you lend something.",
                who=who(to),
                place=BOARD.names[space],
            )
            return Prompt(seat, _("Lend units?"), how)
        case f.Casualties(seat=seat, space=space, hits=hits):
            return Prompt(
                seat,
                losses_words(hits),
                _("{place}: choose your losses among all units on your side.", place=BOARD.names[space]),
            )
        case Onward(seat=seat, space=space):
            how = _("{place}: fight another round, or retreat with all your units.", place=BOARD.names[space])
            return Prompt(seat, _("Fight on?"), how, OPEN)
        case f.Withdrawal(seat=seat, space=space):
            how = _("You have no units left there: lead your leaders away.")
            return Prompt(seat, _("Leave {place}", place=BOARD.names[space]), how, OPEN)
        case _:
            return None


def _of_chance(table: Table, frame: Frame) -> Prompt | None:
    """Return the prompt for a frame of chance, or for one that the game resolves by itself."""
    match frame:
        case Deal():
            return Prompt(NATURE, _dealt(table), "")
        case f.Setup() | f.Season():
            return Prompt(NONE, _("The board is laid out"), "")
        case f.Alliances():
            return Prompt(NONE, _("Alliances are made"), "")
        case f.Deployments():
            return Prompt(NONE, _("First units are placed"), "")
        case f.Rounds():
            return Prompt(NONE, _("The next turn"), "")
        case f.Battle(space=space):
            return Prompt(NONE, _("Battle: {place}", place=BOARD.names[space]), "")
        case f.Revolt(space=space):
            return Prompt(NONE, _("Slaves rise in {place}", place=BOARD.names[space]), "")
        case f.Motion(card=card):
            return Prompt(NONE, _("Vote on {motion}", motion=motion(card)), "")
        case f.Theft():
            return Prompt(NONE, _("A senator is drawn"), "")
        case _:
            return None


def _dealt(table: Table) -> str:
    """Return what is drawn, in words. The frame below decides it."""
    match table.frames[-2]:
        case f.Setup(first=first):
            return _("The first player is drawn") if first == NONE else _("First influence is drawn")
        case f.Season(step=step):
            return _("{phases} are dealt", phases=_PHASES[step.phase])
        case _:
            return _("A senator is drawn")
