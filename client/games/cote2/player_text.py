"""Players, rounds and phases of the second game in words. Pure."""

from typing import Final

from client.language import Who, _, ngettext, say, saying
from client.table.words import and_words, army_words
from shared.ids import NONE, Seat
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.property import army_on_board, cities_of, galley_supply, influence_supply
from shared.rulesets.cote2.scoring import tax_of
from shared.rulesets.cote2.state import GALLEYS, HIDDEN, LEADERS, OFF, TableFields
from shared.sentences import cote2

round_words = saying(cote2.round_words)


def phase_words(table: TableFields) -> tuple[tuple[str, ...], int]:
    """Return the phases of this season, and the index of the present one.

    The index is -1 before the first season and after the end.
    """
    names, now = cote2.phase_words(table)
    return tuple(say(name) for name in names), now


def active(table: TableFields) -> Seat:
    """Return the seat that takes a turn, bids in an auction or places units; NONE between these."""
    for frame in table.frames:
        if isinstance(frame, f.Turn | f.Auction | f.Deployment):
            return frame.seat
    return NONE


SIDES: Final = ("A", "B")
"""Names of the alliances."""
_ORDINALS: Final = (_("1st"), _("2nd"), _("3rd"), _("4th"), _("5th"), _("6th"))


def boxes_words(boxes: tuple[Seat, Seat], you: Seat, who: Who) -> str:
    """Return the players in the proposal boxes A and B in words; `you` is addressed."""
    named = [(side, seat) for side, seat in zip(SIDES, boxes, strict=True) if seat != NONE]
    return and_words(
        [_("{who} in {box}", who=_("you") if seat == you else who(seat), box=side) for side, seat in named]
    )


def standing(table: TableFields, seat: Seat) -> list[str]:
    """Return the words below the player's name: alliance, place in the turn order, and holdings."""
    side, senators, cards = table.side[seat], sum(table.senators[seat]), len(table.cards[seat])
    parts = [f"{SIDES[side]}, {_ORDINALS[table.order.index(seat)]}"] if side != NONE else []
    parts.append(ngettext("{n} senator", "{n} senators", senators))
    if cards:
        parts.append(ngettext("{n} card", "{n} cards", cards))
    if table.chaos[seat] != HIDDEN:
        parts.append(_("{n} chaos", n=table.chaos[seat]))
    return parts


def person_words(table: TableFields, seat: Seat, who: Who) -> str:
    """Return more about a player than fits into the player's line."""
    leaders = sum(at != OFF for at in table.leader_at[seat * LEADERS : (seat + 1) * LEADERS])
    galleys = GALLEYS - len(galley_supply(table, seat))
    chaos = table.chaos[seat]
    pieces = [
        ngettext("{n} leader", "{n} leaders", leaders),
        army_words(army_on_board(table, seat)),
        ngettext("{n} galley", "{n} galleys", galleys),
        ngettext("{n} city", "{n} cities", cities_of(table, seat)),
    ]
    tokens = ngettext("{n} influence token", "{n} influence tokens", influence_supply(table, seat))
    rest = _(
        "{tokens} left to place; taxes would bring {tax_of} talents now.", tokens=tokens, tax_of=tax_of(table, seat)
    )
    secret = _("Chaos {chaos}.", chaos=chaos) if chaos != HIDDEN else _("Chaos is kept secret.")
    return f"{who(seat)}: {', '.join(pieces)}. {rest} {secret}"
