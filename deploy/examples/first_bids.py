"""A study in 40 lines: how often does the first bid of Conquest II win? python first_bids.py [GAMES]

Bots of one level play matches by the rules alone. The first bid of each is counted with its bidder's result.
"""

import sys
from collections import defaultdict

import conquest

SEATS = 4


def play(seed: int) -> tuple[int, bool]:
    """Return the first bid of a match in talents, and whether its bidder won."""
    game = conquest.new("cote2", seats=SEATS, seed=seed)
    bots = [conquest.player("normal", seed=f"{seed} {seat}") for seat in range(SEATS)]
    talents, bidder = 0, -1
    while not game.over:
        seat = game.to_move
        assert seat is not None
        view = game.observe(seat)
        action = bots[seat].decide(view, view.legal())
        if bidder < 0 and action.kind == "Bid":
            talents, bidder = action.fields["talents"], seat
        game.play(action)
    return talents, bidder in game.winners


def study(games: int) -> dict[int, tuple[int, int]]:
    """Return by first bid the number of matches and of wins."""
    found: dict[int, list[bool]] = defaultdict(list)
    for seed in range(games):
        talents, won = play(seed)
        found[talents].append(won)
    return {talents: (len(each), sum(each)) for talents, each in sorted(found.items())}


if __name__ == "__main__":
    for bid, (matches, wins) in study(int(sys.argv[1]) if len(sys.argv) > 1 else 20).items():
        print(f"{bid:>4} talents: {wins} of {matches} won ({wins / matches:.0%})")
