"""Clocks in words: named presets, typed clocks, and remaining times. Knows no window."""

import re
from math import inf
from typing import Final

from msgspec.structs import replace

from client.language import _, ngettext
from shared.clocks import playable
from shared.tables import MAX_SECONDS, Late, Pace, Run

_MINUTE, _HOUR, _DAY = 60, 3600, 86400

NAMED: Final[dict[str, tuple[str, Pace]]] = {
    "none": (_("no clock"), Pace()),
    "1m": (_("1 minute a decision"), Pace(Run.POST, _MINUTE)),
    "5m": (_("5 minutes a decision"), Pace(Run.POST, 5 * _MINUTE)),
    "brisk": (_("a brisk evening"), Pace(Run.LIVE, 15, 15 * _MINUTE, 5 * _MINUTE)),
    "evening": (_("an evening"), Pace(Run.LIVE, 30, 30 * _MINUTE, 10 * _MINUTE)),
    "leisure": (_("a long evening"), Pace(Run.LIVE, _MINUTE, _HOUR, 20 * _MINUTE)),
    "day": (_("by post, a day each"), Pace(Run.POST, _DAY, 7 * _DAY)),
    "post": (_("by post, three days each"), Pace(Run.POST, 3 * _DAY, 14 * _DAY)),
}
"""Clock presets that forms offer, by the name that can be typed."""
HURRY: Final = 16
"""Seconds before the end from which on the player is warned."""
LATE: Final = (
    _("the simplest choice is made"), _("a bot decides this once"), _("a bot plays until they return")
)  # fmt: skip
"""Actions for a player whose time is up, by the numbers of `Late`."""
_LATE_NAMES: Final = {late.name.lower(): late for late in Late}
_UNITS: Final = {"s": 1, "m": _MINUTE, "h": _HOUR, "d": _DAY}
_TIME: Final = r"\d{1,7}[smhd]"
_LIVE: Final = re.compile(rf"(?P<bank>{_TIME})\+(?P<each>{_TIME})(?:/(?P<reserve>{_TIME}))?")
_POST: Final = re.compile(rf"post:(?P<each>{_TIME})(?:\+(?P<bank>{_TIME}))?")
TYPED: Final = (
    f"{', '.join(NAMED)}; or times, such as 30m+20s/10m for a live match (30 minutes for each player, 20 seconds more "
    "for every decision, 10 minutes for answers in another's turn), or post:3d+14d for one by post (3 days for every "
    "decision, 14 days for holidays)"
)
"""Clocks that can be typed, for help texts."""


def read(text: str, late: str = "default") -> Pace:
    """Parse typed clocks. Raise ValueError with the possible forms.

    They are a name of `NAMED`, ``"30m+20s/10m"`` (bank, increment of each decision, reserve), or ``"post:3d+14d"``
    (time for each decision, bank).
    """
    typed = text.strip().casefold()
    if typed in NAMED:
        pace = NAMED[typed][1]
    elif found := _LIVE.fullmatch(typed):
        pace = Pace(Run.LIVE, _seconds(found["each"]), _seconds(found["bank"]), _seconds(found["reserve"]))
    elif found := _POST.fullmatch(typed):
        pace = Pace(Run.POST, _seconds(found["each"]), _seconds(found["bank"]))
    else:
        raise ValueError(_("“{text}” is not a clock. Clocks are a name, such as evening, or times, such as 30m+20s/10m "
                           "for a live match or post:3d+14d for one by post.", text=text))  # fmt: skip
    if not playable(pace) or max(pace.each, pace.bank, pace.reserve) > MAX_SECONDS:
        raise ValueError(_("Each decision needs some seconds, and no clock has more than 100 days; such as 30m+20s/10m "
                           "or post:3d+14d."))  # fmt: skip
    return replace(pace, late=_LATE_NAMES[late])


def _seconds(typed: str | None) -> int:
    return int(typed[:-1]) * _UNITS[typed[-1]] if typed else 0


def is_plain(pace: Pace) -> bool:
    """Whether every server supports such clocks: a time of at most a day for each decision, or no clock."""
    simple = pace.run is Run.NONE or (pace.run is Run.POST and not pace.bank and pace.each <= _DAY)
    return simple and pace.late is Late.DEFAULT


def numbers(pace: Pace) -> str:
    """Return each player's times, as a sentence without its full stop."""
    if pace.run is Run.NONE:
        return _("no clock")
    each, bank = exact(pace.each), exact(pace.bank)
    if pace.run is Run.LIVE:
        reserve = _(", {reserve} for answers in another's turn", reserve=exact(pace.reserve)) if pace.reserve else ""
        return _("{bank} each, {each} more for every decision", bank=bank, each=each) + reserve
    holidays = _(", {bank} for holidays", bank=bank) if pace.bank else ""
    return _("{each} a decision", each=each) + holidays


def about(pace: Pace) -> str:
    """Return a full description of such clocks."""
    if pace.run is Run.NONE:
        return _("All may think as long as they like.")
    return _("{numbers}. When time is up: {late}.", numbers=numbers(pace), late=LATE[pace.late])


def exact(seconds: int) -> str:
    """Return a length of time as it was chosen: ``"30 seconds"``, ``"10 minutes"``, ``"3 days"``."""
    if seconds and seconds % _DAY == 0:
        return ngettext("{n} day", "{n} days", seconds // _DAY)
    if seconds and seconds % _HOUR == 0:
        return ngettext("{n} hour", "{n} hours", seconds // _HOUR)
    if seconds and seconds % _MINUTE == 0:
        return ngettext("{n} minute", "{n} minutes", seconds // _MINUTE)
    return ngettext("{n} second", "{n} seconds", seconds)


def remaining(seconds: float) -> str:
    """Return a remaining time as a clock shows it: ``"0:42"``, ``"12:05"``, ``"5 h 12 min"``, ``"2 days 3 hours"``."""
    whole = max(0, int(seconds))
    if whole >= _DAY:
        days, hours = divmod(whole // _HOUR, 24)
        left = ngettext("{n} day", "{n} days", days)
        return f"{left} {ngettext('{n} hour', '{n} hours', hours)}" if hours else left
    if whole >= _HOUR:
        return _("{h} h {min} min", h=whole // _HOUR, min=whole % _HOUR // _MINUTE)
    return f"{whole // _MINUTE}:{whole % _MINUTE:02d}"


def brief(seconds: float) -> str:
    """Return a short form: ``"12:05"``, ``"5:12 h"``, ``"2 d 3 h"``; empty for an infinite time."""
    if seconds == inf:
        return ""
    whole = max(0, int(seconds))
    if whole >= _DAY:
        return _("{d} d {h} h", d=whole // _DAY, h=whole % _DAY // _HOUR)
    if whole >= _HOUR:
        return _("{h}:{min} h", h=whole // _HOUR, min=f"{whole % _HOUR // _MINUTE:02d}")
    return remaining(whole)
