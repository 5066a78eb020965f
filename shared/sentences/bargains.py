"""Bargains that actions decline, in all games that have bargains."""

from typing import Any

import msgspec

from shared.ids import Seat
from shared.kernel.ruleset import AnyRuleset
from shared.mechanics.bargains import Terms
from shared.rulesets.mb1984.actions import Reply
from shared.rulesets.mb1984.diplomacy import proposal_of
from shared.vocabulary.actions import Answer
from shared.vocabulary.frames import Bargain


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
