"""Status of a player's matches in words, for the list of matches in a window or in the terminal."""

import time
from collections.abc import Sequence
from typing import Final

from client.language import _, ngettext
from client.player.seats import HOSTED, SavedSeat

_DAY: Final = 86400


_GAMES: Final = {
    "classic": ("Classic", _("round {n}")),
    "mb1984": ("1984", _("round {n}")),
    "cote2": ("Conquest II", _("season {n}")),
}
"""Short names of the games, and what each counts."""


def short_name(game: str) -> str:
    """Return the short name of a game."""
    return _GAMES[game][0] if game in _GAMES else game


def description(seat: SavedSeat) -> str:
    """Return what tells the match apart, such as "1984, round 7, against Livia and Marcus"; empty if unknown."""
    words = [short_name(seat.game)] if seat.game else []
    if seat.game in _GAMES and seat.round:
        words.append(_(_GAMES[seat.game][1]).format(n=seat.round))
    if seat.people:
        words.append(_("against {names}", names=listing(seat.people)))
    return ", ".join(words)


def listing(names: Sequence[str]) -> str:
    """Return names as a sentence lists them: "Livia, Marcus and Gaius"."""
    *most, last = names
    return _("{names} and {last}", names=", ".join(most), last=last) if most else last


def stand(seat: SavedSeat) -> str:
    """Return the status at the last visit."""
    if seat.state == "over":
        return _("over")
    if seat.state == "gone":
        return _("no longer kept for you")
    if seat.state == "gathering":
        return _("waiting")
    return _("your turn") if seat.mine else _("playing")


def awaited(seat: SavedSeat) -> str:
    """Return which other player has to decide; empty if none."""
    return _("waiting for {turn}", turn=seat.turn) if seat.state == "playing" and seat.turn and not seat.mine else ""


def place(seat: SavedSeat) -> str:
    """Return the place where it is played."""
    if seat.private:
        return _("On this computer")
    return _("On your server") if seat.address == HOSTED else _("At {address}", address=seat.address)


def is_awaited(seat: SavedSeat) -> bool:
    """Whether other people wait for this player there."""
    return seat.mine and seat.state == "playing" and not seat.private


def waits(games: int) -> str:
    """Return in how many matches with other people it is the player's turn."""
    return ngettext("{n} game waits for you", "{n} games wait for you", games)


def timing_text(seat: SavedSeat, now: float) -> str:
    """Return since when a decision is awaited, its deadline and unread lines; else the time of the last visit."""
    words = []
    if seat.state == "playing" and seat.since and now - seat.since >= 60:
        words.append(_("since {span}", span=span(now - seat.since)))
    if seat.state == "playing" and seat.until > now:
        words.append(_("{span} left", span=span(seat.until - now)))
    if seat.unread:
        words.append(_("{n} unread", n=seat.unread))
    return " · ".join(words) or ago(seat.seen, now)


def span(seconds: float) -> str:
    """Return a duration in its largest unit."""
    minutes = max(0, int(seconds // 60))
    if minutes >= 2 * 24 * 60:
        return _("{n} days", n=minutes // (24 * 60))
    return _("{n} h", n=minutes // 60) if minutes >= 120 else _("{n} min", n=minutes)


def ago(last_seen: float, now: float) -> str:
    """Return how long ago a time was, in words; empty if it is unknown."""
    if not last_seen:
        return ""
    then, today = time.localtime(last_seen), time.localtime(now)
    # Rounded, because a day has 23 or 25 hours when summer time begins or ends.
    days = round((_midnight_of(today) - _midnight_of(then)) / _DAY)
    if days == 0:
        return time.strftime(_("today, %H:%M"), then)
    if days == 1:
        return time.strftime(_("yesterday, %H:%M"), then)
    return _("{days} days ago", days=days) if 1 < days < 15 else f"{then.tm_year}-{then.tm_mon:02}-{then.tm_mday:02}"


def _midnight_of(day: time.struct_time) -> float:
    # -1: the system finds out whether summer time held on that day.
    return time.mktime((day.tm_year, day.tm_mon, day.tm_mday, 0, 0, 0, 0, 0, -1))
