"""Output of `conquest games`: the status of the player's matches on all servers."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator

from client.language import _
from client.network.status_poller import StatusPoller
from client.player.match_status import awaited, description, is_awaited, place, stand, timing_text
from client.player.seats import SavedSeat, one_row_each
from client.player.settings import Settings, profiles_of, seats_of


def tally(settings: Settings, *, as_json: bool) -> Iterator[str]:
    """Yield a line for each seat, those with the player's turn first; unreachable servers are mentioned."""
    seats = seats_of(settings)
    rounds = StatusPoller(seats, profiles_of(settings), settings)
    rounds.ask(at_once=True)
    rounds.wait()
    for seat in sorted(one_row_each(seats.all()), key=lambda seat: not is_awaited(seat)):
        trouble = rounds.trouble(seat)
        yield _object(seat, trouble) if as_json else _line(seat, trouble)


def _object(seat: SavedSeat, trouble: str) -> str:
    return json.dumps({
        "server": seat.address, "match": seat.match, "seat": seat.seat, "title": seat.title, "game": seat.game,
        "people": seat.people, "state": seat.state, "mine": seat.mine and seat.live, "turn": seat.turn,
        "round": seat.round or None,
        "since": seat.since or None, "until": seat.until or None, "unread": seat.unread, "trouble": trouble,
    }, ensure_ascii=False)  # fmt: skip


def _line(seat: SavedSeat, trouble: str) -> str:
    status = awaited(seat) or stand(seat)
    timing = timing_text(seat, time.time())
    words = [seat.title or _("A table"), description(seat), place(seat), status, timing, trouble]
    return ". ".join(word.rstrip(".") for word in words if word) + "."
