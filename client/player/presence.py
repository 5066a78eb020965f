"""People at a table, as counts and in words. A player who lost the connection has a seat, but is not here."""

from collections.abc import Iterable

from msgspec import Struct

from client.language import _, say
from shared import levels
from shared.actions.bot_levels import LEVEL_WORDS
from shared.messages import SeatInfo, TableInfo
from shared.tables import NEW, NOT_COUNTED, Rated, SeatKind

_GONE = (SeatKind.AWAY, SeatKind.STAND_IN)


class Presence(Struct, frozen=True):
    """Number of seats, of free seats, and of seats whose player is away."""

    seats: int
    free: int
    away: int

    @property
    def words(self) -> str:
        """Text such as "3 of 4 here, 1 away"."""
        here = self.seats - self.free - self.away
        if not self.away:
            return _("{what} of {seats} here", what=here, seats=self.seats)
        return _("{what} of {seats} here, {away} away", what=here, seats=self.seats, away=self.away)


def bot_words(name: str) -> str:
    """Return a bot's name by its level, such as ``"hard bot"``.

    An unknown level is used as it is; without a level the name is ``"bot"``.
    """
    level = levels.level(name)
    if level in LEVEL_WORDS:
        return say(LEVEL_WORDS[level].name)
    return _("{level} bot", level=level) if level else _("bot")


def reliability_words(percent: int) -> str:
    """Return a person's reliability behind their name; empty if it is not counted."""
    if percent == NOT_COUNTED:
        return ""
    return _(" (new)") if percent == NEW else _(" (finishes {percent} %)", percent=percent)


def rating_words(info: SeatInfo) -> str:
    """Return a person's rating with its uncertainty behind their name; empty where none is shown."""
    return f" [{info.rating} ± {info.uncertainty}]" if info.rating else ""


def rated_words(rated: Rated) -> str:
    """Return what people at a rated table must know."""
    if rated is Rated.HOUSEHOLD:
        return _("Rated for members, also for two of one household. No bots, no advice, no going back.")
    return _("Rated for members, but not for two of one household. No bots, no advice, no going back.")


def is_gone(info: SeatInfo) -> bool:
    """Whether the player of that seat is expected back."""
    return info.kind in _GONE


def sits(info: SeatInfo) -> str:
    """Return a note on the seat's player: a bot with its level, or away; empty for a person who is here."""
    if info.kind == SeatKind.BOT:
        return bot_words(info.bot)
    if info.kind == SeatKind.STAND_IN:
        return _("away: {bot}", bot=bot_words(info.bot))
    return _("away") if info.kind == SeatKind.AWAY else ""


def sits_sentence(info: SeatInfo) -> str:
    """Return the same as a sentence with a space before it."""
    note = sits(info)
    return f" {note[0].upper()}{note[1:]}." if note else ""


def seated(seats: Iterable[SeatInfo]) -> Presence:
    """Return the presence at a table."""
    kinds = [info.kind for info in seats]
    return Presence(len(kinds), kinds.count(SeatKind.FREE), sum(kind in _GONE for kind in kinds))


def listed(table: TableInfo) -> Presence:
    """Return the presence at a table of the list."""
    return Presence(table.seats, table.seats - table.taken, table.away)
