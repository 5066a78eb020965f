"""Position from a view: secrets are dealt at random, within what the viewer can see.

Only the view is read, not earlier events. A senator that a player paid an hour ago may therefore be dealt again, and
the
chaos of others is guessed from the viewer's own.
"""

from collections.abc import Sequence
from typing import Final

from shared.ids import Seat
from shared.kernel.chance import Source
from shared.mechanics.heaps import kind_of, tally
from shared.rulesets.cote2.data import CARDS, KEYS, SENATORS
from shared.rulesets.cote2.frames import Motion, Vote
from shared.rulesets.cote2.options import TOKENS_EACH
from shared.rulesets.cote2.state import HIDDEN, State
from shared.rulesets.cote2.view import View

Senators = tuple[int, int, int, int]

SPREAD: Final = 6
"""Largest difference between the chaos of others and the viewer's own."""


def complete(view: View, chance: Source) -> State:
    """Return a position that looks like this to the viewer; it shares nothing mutable with the view."""
    senators, unseen = _drawn_senators(view, chance)
    # A hidden heap travels as its size alone, a list of one. After the match all lie open.
    deck = draw_from_heap(unseen, view.deck[0], chance) if len(view.deck) == 1 else view.deck[:]
    return State(
        view.seats,
        view.options,
        view.frames[:],
        view.season,
        view.round,
        view.order,
        view.side[:],
        view.owner[:],
        view.units[:],
        view.built[:],
        view.influence[:],
        view.tokens[:],
        _undrawn_tokens(view, chance),
        deck,
        view.row[:],
        view.cards[:],
        view.used[:],
        senators,
        _chaos(view, chance),
        view.leader_at[:],
        view.galley_at[:],
        view.talents[:],
        view.points[:],
        view.ledger[:],
        view.conceded[:],
        view.winner,
        view.winners,
        # Cards that are neither dealt nor in the deck have left play.
        [n - d for n, d in zip(unseen, deck, strict=True)],
        max(frame.no for frame in view.frames),
    )


def draw_from_heap(heap: Sequence[int], number: int, chance: Source) -> list[int]:
    """Return so many pieces out of a heap, by kind: each piece is as likely as any other."""
    left, found = list(heap), [0] * len(heap)
    for _ in range(number):
        kind = kind_of(left, chance.randrange(sum(left)))
        left[kind] -= 1
        found[kind] += 1
    return found


def _drawn_senators(view: View, chance: Source) -> tuple[list[tuple[int, ...]], list[int]]:
    """Return all seats' senators by value, and by kind all cards that then lie in the deck or are out of play.

    Senators that are shown belong to their seat; those that were just paid are out of play.
    """
    unseen = _unseen(view)
    hands: list[list[int]] = [
        list(_shown(view, seat)) if len(hand) == 1 else list(hand) for seat, hand in enumerate(view.senators)
    ]
    # All known hands are taken out first, or a card could be dealt that another hand shows.
    for hand_known in hands:
        for value, number in enumerate(hand_known):
            unseen[SENATORS[value]] -= number
    paid = next((frame.paid for frame in view.frames if isinstance(frame, Motion) and frame.paid), (0, 0, 0, 0))
    for seat, hand in enumerate(view.senators):
        if len(hand) == 1:
            heap = [unseen[card] - number for card, number in zip(SENATORS, paid, strict=True)]
            for value, number in enumerate(draw_from_heap(heap, hand[0] - sum(hands[seat]), chance)):
                hands[seat][value] += number
                unseen[SENATORS[value]] -= number
    return [tuple(hand) for hand in hands], unseen


def _unseen(view: View) -> list[int]:
    """Return the cards that do not lie open, by kind."""
    held = tally((card for cards in view.cards for card in cards), len(CARDS))
    return [card.copies - row - mine for card, row, mine in zip(CARDS, view.row, held, strict=True)]


def _shown(view: View, seat: Seat) -> Senators:
    for frame in view.frames:
        if isinstance(frame, Vote):
            return frame.shown[seat]
    return 0, 0, 0, 0


def _undrawn_tokens(view: View, chance: Source) -> list[int]:
    """Return the tokens not drawn yet, by key province. Most influence was one; some came by cards, and may count for
    too much.
    """
    if len(view.pool) > 1:
        return view.pool[:]
    most = [view.options[TOKENS_EACH] - view.tokens[space] for space in KEYS]
    # Too few likely tokens are possible, because some influence came by cards; then every printed one counts.
    likely = [max(0, n - sum(view.influence[space])) for n, space in zip(most, KEYS, strict=True)]
    return draw_from_heap(likely if sum(likely) >= view.pool[0] else most, view.pool[0], chance)


def _chaos(view: View, chance: Source) -> list[int]:
    # Others' entries are HIDDEN, which is negative, so the greatest one is the viewer's own.
    mine = max(view.chaos)
    low = max(0, mine - SPREAD)
    return [low + chance.randrange(mine + SPREAD + 1 - low) if n == HIDDEN else n for n in view.chaos]
