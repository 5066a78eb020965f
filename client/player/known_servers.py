"""Servers that this player has used, as places for a new table."""

from __future__ import annotations

from typing import Final

from client.player.profiles import Profiles, place_of
from client.player.seats import HOSTED, Seats
from client.player.settings import Settings

MOST: Final = 8
"""Maximum number of offered servers."""


def known_servers(settings: Settings, seats: Seats, profiles: Profiles) -> list[str]:
    """Return the addresses of other servers, the last used first, each once."""
    seated = sorted(seats.all(), key=lambda seat: -seat.seen)
    used = [seat.address for seat in seated if not seat.private and seat.address != HOSTED]
    addresses = [settings.address, *used, *(profile.address for profile in profiles.all())]
    found: dict[str, str] = {}
    for address in addresses:
        if address and address != HOSTED:
            found.setdefault(place_of(address), address)
    return list(found.values())[:MOST]
