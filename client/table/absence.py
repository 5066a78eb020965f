"""Words about an absent player, and what the others can do, for the window and the text client."""

from typing import Final

from msgspec import Struct

from client.language import _
from client.network.absent_players import AbsentPlayers
from client.network.voting import Voting
from client.player.clock_presets import remaining
from shared.ids import NONE, Seat
from shared.kernel.ruleset import AnyRuleset
from shared.levels import NORMAL
from shared.messages import Clock, Motion, TableState
from shared.tables import Away, Matter, SeatKind

TURN: Final = "turn"
BOT: Final = "bot"
PAUSE: Final = "pause"


class Absence(Struct, frozen=True):
    """An absent player; the seat has no bot. `left`: seconds counted down, 0 for none; `lines`: what that means.

    offers: by name, the questions that can be put to the others; waiting needs none.
    """

    seat: Seat
    heading: str
    left: int
    lines: tuple[str, ...]
    offers: dict[str, tuple[str, Motion]]


class WatchedMatch(Struct, frozen=True):
    """State of a match from which an absence is told. `position`: the view, None if it has not come."""

    table: TableState
    rules: AnyRuleset
    position: object
    clock: Clock | None
    voting: Voting
    seat: Seat
    name: str


def first_absent(table: TableState | None, absent: AbsentPlayers, clock: Clock | None) -> Seat:
    """Return the seat of the absent player to speak of: one that owes a decision first. NONE without any."""
    if table is None:
        return NONE
    gone = [each.seat for each in absent.seats if _waits(table, each.seat)]
    owing = [seat for seat in gone if clock is not None and seat in clock.seats]
    # A player who holds the others up comes before one who is merely away.
    return next(iter((*owing, *gone)), NONE)


def absence(it: WatchedMatch, seat: Seat) -> Absence:
    """Return the words and questions about the absent player of a seat."""
    left = it.voting.absent.left(seat)
    offers = _offers(it, seat) if it.seat >= 0 and it.voting.known else {}
    return Absence(seat, _("{name} is away", name=it.name), left, (_rule(it, left),), offers)


def away_words(away: Away, takeover: int) -> str:
    """Return what happens for an absent player at a table, for the room."""
    if away is Away.ASK:
        return _("If a player is away, the others decide what happens.")
    if away is Away.WAIT or not takeover:
        return _("If a player is away, the match waits.")
    return _("If a player is away, a bot plays after {time}.", time=remaining(takeover))


def _waits(table: TableState, seat: Seat) -> bool:
    return seat < len(table.seats) and seat != table.you and table.seats[seat].kind is SeatKind.AWAY


def _rule(it: WatchedMatch, left: int) -> str:
    """Return the sentence on what happens next."""
    who = it.name
    if it.table.away is Away.BOT:
        return _("A bot plays for {who} when the time is up.", who=who) if left else _("The match waits.")
    if it.table.away is Away.WAIT:
        return _("The match waits.")
    if left:
        return _("Nothing is decided for {who}. What you agree on now begins when the time is up.", who=who)
    return _("Nothing is decided for {who}. What you agree on begins at once.", who=who)


def _offers(it: WatchedMatch, seat: Seat) -> dict[str, tuple[str, Motion]]:
    pause = {PAUSE: (_("A pause"), Motion(Matter.PAUSE))}
    if it.table.away is not Away.ASK:
        return pause
    turn = {TURN: (_("A bot for this turn"), Motion(Matter.SEAT, seat, level=NORMAL, turn=True))}
    bot = {BOT: (_("A bot until they return"), Motion(Matter.SEAT, seat, level=NORMAL))}
    return {**(turn if _is_their_turn(it, seat) else {}), **bot, **pause}


def _is_their_turn(it: WatchedMatch, seat: Seat) -> bool:
    owes = it.clock is not None and seat in it.clock.seats
    return owes or (it.position is not None and not it.rules.answers(it.position, seat))
