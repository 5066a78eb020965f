"""Players: those of this distribution, and the class that yours extend."""

from random import Random
from typing import Any, Final

from conquest.actions import Action, Legal
from conquest.arguments import checked
from conquest.views import View
from shared import levels

LEVELS: Final = (levels.RANDOM, *levels.LEVELS)
"""Names of our players, the weakest first."""


class Player:
    """Player that decides from a view and nothing else.

    The view and the legal actions are made of what its seat knows, so nothing leads to the game itself. `chance` is a
    source of chance that arenas seed. Override `decide`.
    """

    name = "player"

    def __init__(self, seed: int | str = 0) -> None:
        self.chance = Random(seed)

    @checked
    def decide(self, view: View, legal: Legal) -> Action:
        """Return one of the legal actions."""
        return legal.pick(self.chance)

    def __repr__(self) -> str:
        return f"<Player {self.name!r}>" if type(self) in (Player, _Ours) else f"<Player {type(self).__name__}>"


class _Ours(Player):
    """A level of our bots. `thinking`: limits of a hard bot's search."""

    def __init__(self, level: str, seed: int | str, thinking: Any) -> None:
        super().__init__(seed)
        # Imported here: bots are the only part of the server that the library uses, and many programs need none.
        from server.bots import policy

        self.name = level
        self._policy = policy.find(level, thinking)

    @checked
    def decide(self, view: View, legal: Legal) -> Action:
        """Return the action that the bot chooses."""
        rules, raw, seat = view._rules, view.raw, legal.seat
        return Action(legal, self._policy(rules, raw, seat, self.chance))


@checked
def player(level: str = "normal", seed: int | str = 0, rollouts: int | None = None, seconds: float = 1.0) -> Player:
    """Return one of our players: "random", "easy", "moderate", "normal", "hard" or "expert".

    rollouts, seconds: what a hard player may spend on a decision, and a tenth of what an expert may; with rollouts the
    choice is repeatable. Raises ValueError for another level.

    >>> import conquest
    >>> game = conquest.new("classic", seats=2, seed=4)
    >>> normal = conquest.player("normal", seed=1)
    >>> normal.decide(game.observe(game.to_move), game.legal()) in game.legal()
    True
    """
    if level not in LEVELS:
        raise ValueError(f"There is no player {level!r}; there is {', '.join(LEVELS)}.")
    from server.bots.search.budget import Thinking

    thinking = Thinking(rollouts) if rollouts is not None else Thinking.lasting(seconds)
    return _Ours(level, seed, thinking.of(level))
