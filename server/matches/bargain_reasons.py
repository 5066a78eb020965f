"""Reasons for which a bot declines a bargain, said to the player who proposed it."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

from shared.ids import Seat
from shared.mechanics.bargains import Terms
from shared.mechanics.pieces import living

Proclaim: TypeAlias = Callable[[str], Awaitable[None]]
PURSE: Final = 2
"""A price above its talents divided by this keeps a player from hiring an army."""


async def say_why(proclaim: Proclaim, name: str, state: Any, seat: Seat, terms: Terms) -> None:
    """Announce why the bot on a seat declines these terms, as the proposer sees them."""
    given, gained = len(terms.takes), len(terms.gives)
    if given > gained and len(living(state)) <= 2:
        await proclaim(f"{name} declines: its last opponent gets no general back.")
    elif given > gained and not terms.pays:
        await proclaim(f"{name} declines: it gives no general away for nothing.")
    elif given > gained:
        await proclaim(f"{name} declines: {terms.pays} talents are too few for that.")
    elif gained > given and PURSE * terms.wants > state.talents[seat]:
        await proclaim(f"{name} declines: it needs its talents for its army.")
    elif terms.wants > terms.pays:
        await proclaim(f"{name} declines: {terms.wants} talents are too many for that.")
    else:
        await proclaim(f"{name} declines: it sees no gain in that.")
