"""Reasons for which a bot declines a bargain, said to the player who proposed it."""

from collections.abc import Awaitable, Callable
from typing import Any, Final, TypeAlias

import msgspec

from shared.ids import Seat
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.bargains import Terms
from shared.mechanics.pieces import living
from shared.rulesets.mb1984.actions import Reply
from shared.rulesets.mb1984.diplomacy import proposal_of
from shared.vocabulary.actions import Answer
from shared.vocabulary.frames import Bargain

Proclaim: TypeAlias = Callable[[str], Awaitable[None]]
PURSE: Final = 2
"""A price above its talents divided by this keeps a player from hiring an army."""


def declined(rules: AnyRuleset, state: Any, raw: bytes) -> tuple[Seat, Terms] | None:
    """Return the proposer and the terms of the bargain that an encoded action declines; None if it declines none."""
    try:
        action, frame = rules.action_decoder.decode(raw), state.frames[-1]
    except msgspec.DecodeError:
        return None  # The match refuses such an action.
    if isinstance(action, Answer) and not action.accept and isinstance(frame, Bargain):
        return frame.proposer, frame
    if isinstance(action, Reply) and not action.accept:
        return action.proposer, proposal_of(state.proposals[action.proposer])
    return None


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
