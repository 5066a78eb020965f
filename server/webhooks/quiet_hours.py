"""Quiet hours of a player, in the player's own time zone."""

from datetime import UTC, datetime, timedelta, tzinfo
from functools import lru_cache
from typing import Final
from zoneinfo import ZoneInfo, available_timezones

from shared.messages import NoticeSettings

_DAY: Final = 24 * 60


@lru_cache(1)
def _zones() -> frozenset[str]:
    return frozenset(available_timezones())


def is_zone(name: str) -> bool:
    """Whether that is a known time zone, such as "Europe/Rome"."""
    return name in _zones()


def zone_of(name: str) -> tzinfo:
    """Return that time zone, or UTC: settings may come from a computer that knew more zones than this one."""
    return ZoneInfo(name) if is_zone(name) else UTC


def quiet_end(settings: NoticeSettings, date: float) -> float:
    """Return the date at which the quiet hours end that contain `date`; `date` itself outside of them."""
    now, begin, end = _local_time(settings, date), *settings.quiet
    minute = now.hour * 60 + now.minute
    if begin == end or (minute - begin) % _DAY >= (end - begin) % _DAY:
        return date
    return _at(now, end, after=True)


def quiet_hours_begin(settings: NoticeSettings, date: float) -> float:
    """Return the date at which the quiet hours began that contain `date`."""
    return _at(_local_time(settings, date), settings.quiet[0], after=False)


def _local_time(settings: NoticeSettings, date: float) -> datetime:
    return datetime.fromtimestamp(date, zone_of(settings.zone))


def _at(now: datetime, minute: int, *, after: bool) -> float:
    """Return the date of the next, or last, time of day at that minute."""
    # Arithmetic with a zone keeps the time of the clock on the wall, also where the clocks change in between.
    found = now.replace(hour=minute // 60, minute=minute % 60, second=0, microsecond=0)
    if after and found <= now:
        found += timedelta(days=1)
    if not after and found > now:
        found -= timedelta(days=1)
    return found.timestamp()
