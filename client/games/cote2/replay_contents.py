"""Replay contents of a match of the second game."""

from __future__ import annotations

from typing import Final

from client.games.cote2.player_text import round_words
from client.language import _, ngettext
from client.replay.game_replay import Concerns, GameReplay, Income, Kind, Measure, concerned
from shared.board import BOARD
from shared.ids import NONE, Seat, Space
from shared.kernel.frames import Event
from shared.odds.cote2 import rolling
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.cote2.economy import PRICES
from shared.rulesets.cote2.property import army_on_board, galley_supply, influence_of
from shared.rulesets.cote2.state import GALLEYS
from shared.rulesets.cote2.table import Table
from shared.vocabulary.events import BattleBegan, DiceFell, Fell, Retreated

_KINDS: Final[dict[type[Event], Kind]] = {
    BattleBegan: Kind.BATTLE,
    e.AuctionBegan: Kind.AUCTION,
    e.VoteBegan: Kind.VOTE,
    e.CityTaken: Kind.CAPTURE,
    e.SeasonEnded: Kind.SCORE,
    e.Won: Kind.END,
}


CONCERNS: Final[Concerns] = {
    e.TurnBegan: ("seat",),
    e.AuctionBegan: ("seat",),
    e.BidMade: ("seat", "a", "b"),
    e.Allied: ("seat", "a", "b"),
    BattleBegan: ("attacker", "defender"),
    DiceFell: ("seat",),
    Fell: ("seat",),
    e.Sank: ("seat",),
    Retreated: ("seat",),
    e.BattleEnded: ("winner", "loser"),
    e.CityTaken: ("seat", "loser"),
    e.Lent: ("seat", "to"),
    e.RevoltBegan: ("seat", "victims"),
    e.GeneralKilled: ("seat",),
    e.SenatorTaken: ("seat", "victim"),
    e.SenatorKilled: ("seat", "victim"),
    e.VoteBegan: ("seat",),
    e.VoteWon: ("seat",),
    e.InfluenceBought: ("seat", "sellers"),
    e.Rewarded: ("seat",),
    e.Won: ("seats",),
}
"""Events that concern a returning player, with the fields that name the seats."""


def _mark(event: Event, _before: Table) -> Kind | None:
    return _KINDS.get(type(event))


def _army(table: Table, seat: Seat) -> int:
    """Return the worth of a seat's units and galleys at their prices."""
    army, galleys = army_on_board(table, seat), GALLEYS - len(galley_supply(table, seat))
    return sum(price * count for price, count in zip(PRICES, (*army, galleys), strict=False))


def _incomes(event: Event) -> list[Income]:
    """List the victory points that an event brings."""
    match event:
        case e.Scored(space=space, points=points):
            place = BOARD.names[space]
            return [Income(seat, _("Provinces"), place, n) for seat, n in enumerate(points) if n]
        case e.ChaosShown(points=points):
            return [Income(seat, _("Chaos"), _("Chaos"), n) for seat, n in enumerate(points) if n]
        case e.Rewarded(seat=seat, card=card, points=points) if points:
            return [Income(seat, _("Cards"), CARDS[card].name, points)]
        case _:
            return []


def _holder(table: Table, space: Space) -> Seat:
    """Return the seat with most influence in a space; NONE if there is a tie or no influence."""
    tokens = table.influence[space] if space < len(table.influence) else ()
    first = [seat for seat, count in enumerate(tokens) if count and count == max(tokens)]
    return first[0] if len(first) == 1 else NONE


FILM: Final[GameReplay[Table]] = GameReplay(
    heading=round_words,
    mark=_mark,
    measures=(
        Measure(_("Points"), lambda table, seat: table.points[seat]),
        Measure(_("Influence"), influence_of),
        Measure(_("Army in talents"), _army),
    ),
    earned=_("Sources of points"),
    incomes=_incomes,
    rolling=rolling,
    holder=_holder,
    counted=lambda count: ngettext("{n} season", "{n} seasons", count),
    concerns=lambda event, seat, _before: concerned(CONCERNS, event, seat),
    outcome=lambda event: isinstance(event, e.Allied | e.VoteWon | e.BattleEnded),
)
