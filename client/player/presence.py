"""Who sits at a table and who of its people is here, counted and in words. Whoever lost the connection has a seat, but
is not here."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from msgspec import Struct

from client.language import _
from shared import levels
from shared.messages import SeatInfo, TableInfo
from shared.tables import SeatKind

_GONE = (SeatKind.AWAY, SeatKind.STAND_IN)
_BOT: Final = {levels.EASY: _("easy bot"), levels.NORMAL: _("normal bot"), levels.HARD: _("hard bot")}


class Presence(Struct, frozen=True):
    """How many seats there are, how many of them are free, and at how many somebody is expected back."""

    seats: int
    free: int
    away: int

    @property
    def words(self) -> str:
        """As in "3 of 4 here, 1 away"."""
        here = self.seats - self.free - self.away
        if not self.away:
            return _("{what} of {seats} here", what=here, seats=self.seats)
        return _("{what} of {seats} here, {away} away", what=here, seats=self.seats, away=self.away)


def bot_words(name: str) -> str:
    """A bot by the name of its level: ``"hard bot"``; of a level that we do not know as it is called, and of one that
    nobody told just ``"bot"``."""
    known = levels.level(name)
    return _BOT.get(known) or (_("{level} bot", level=known) if known else _("bot"))


def is_gone(info: SeatInfo) -> bool:
    """Whether somebody is expected back there."""
    return info.kind in _GONE


def sits(info: SeatInfo) -> str:
    """What one ought to know of whoever sits there: that it is a bot, and how good, or that he is away; nothing of a
    person who is here."""
    if info.kind == SeatKind.BOT:
        return bot_words(info.bot)
    if info.kind == SeatKind.STAND_IN:
        return _("away: {bot}", bot=bot_words(info.bot))
    return _("away") if info.kind == SeatKind.AWAY else ""


def sits_sentence(info: SeatInfo) -> str:
    """The same as a sentence with a gap before it."""
    said = sits(info)
    return f" {said[0].upper()}{said[1:]}." if said else ""


def seated(seats: Iterable[SeatInfo]) -> Presence:
    """At a table."""
    kinds = [info.kind for info in seats]
    return Presence(len(kinds), kinds.count(SeatKind.FREE), sum(kind in _GONE for kind in kinds))


def listed(table: TableInfo) -> Presence:
    """At a table of the list."""
    return Presence(table.seats, table.seats - table.taken, table.away)
