"""The games for OpenSpiel. They need the extra `openspiel`.

Importing this module registers them: ``pyspiel.load_game("conquest_classic", {"players": 3})``. Action N of a seat is
number N of its choices, as in `conquest.env`. Chance is sampled: a node of chance has one outcome, and applying it
rolls dice or draws cards.
"""

from collections.abc import Mapping
from random import Random, SystemRandom
from typing import Any, Final

try:
    import numpy as np
    import pyspiel
except ModuleNotFoundError as error:
    needed = f"OpenSpiel's games need the package {error.name}. Do this: pip install 'conquest-empire[openspiel]'"
    raise ModuleNotFoundError(needed, name=error.name) from None

from conquest.actions import Action
from conquest.environments import choices, layout, observation
from conquest.game import CHANCE, GAMES, Game, new
from shared.ids import MAX_SEATS
from shared.rulesets.registry import ruleset

MOST_ACTIONS: Final = 256
"""Choices of a decision; where the rules name more, each kind keeps some."""
LONGEST: Final = 100_000
"""Actions of a match with those of chance. A match of random choices had 9,793."""
_SEATS: Final = 3
_LEAST: Final = 2


def _type(game: str) -> Any:
    return pyspiel.GameType(
        short_name=f"conquest_{game}",
        long_name=ruleset(game).title,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.SAMPLED_STOCHASTIC,
        information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
        utility=pyspiel.GameType.Utility.GENERAL_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        max_num_players=MAX_SEATS,
        min_num_players=_LEAST,
        provides_information_state_string=False,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": _SEATS, "seed": -1},
    )


_TYPES: Final = {game: _type(game) for game in GAMES}


class _Match:
    """Match with its own dice. OpenSpiel copies states deeply; rules' positions are shared, as they never change."""

    def __init__(self, game: Game, chance: Random) -> None:
        self.game = game
        self.chance = chance

    def __deepcopy__(self, _known: Mapping[int, Any]) -> "_Match":
        chance = Random()
        chance.setstate(self.chance.getstate())
        return _Match(self.game.clone(), chance)


class SpielGame(pyspiel.Game):  # type: ignore[misc]
    """Game of OpenSpiel. Parameters: `players`, and `seed` of all chance (-1: it differs each time)."""

    rules = ""

    def __init__(self, parameters: Mapping[str, Any] | None = None) -> None:
        given = dict(parameters or {})
        self.players = int(given.get("players", _SEATS))
        self.seed = int(given.get("seed", -1))
        found = pyspiel.GameInfo(
            num_distinct_actions=MOST_ACTIONS,
            max_chance_outcomes=1,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=None,
            max_game_length=LONGEST,
        )
        super().__init__(_TYPES[self.rules], found, given)

    def new_initial_state(self) -> "SpielState":
        """Return the beginning of a match."""
        return SpielState(self)

    def make_py_observer(self, _kind: Any = None, _parameters: Any = None) -> "SpielObserver":
        """Return what turns states into observations."""
        return SpielObserver(self.rules, self.players)


class SpielState(pyspiel.State):  # type: ignore[misc]
    """Position of a match."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        seed = SystemRandom().getrandbits(63) if game.seed < 0 else game.seed
        self.match = _Match(new(game.rules, game.players, given_chance=True), Random(seed))

    @property
    def game(self) -> Game:
        """The match as a game of the library."""
        return self.match.game

    def choices(self) -> list[Action]:
        """Return the actions of the seat to move; their places are OpenSpiel's actions."""
        return choices(self.game, MOST_ACTIONS)

    def current_player(self) -> int:
        """Return the seat to move, or OpenSpiel's number for chance or the end."""
        mover = self.game.to_move
        if mover is None:
            return int(pyspiel.PlayerId.TERMINAL)
        return int(pyspiel.PlayerId.CHANCE) if mover == CHANCE else mover

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return one outcome, which stands for all."""
        return [(0, 1.0)]

    def _legal_actions(self, player: int) -> list[int]:
        return list(range(len(self.choices()))) if player == self.game.to_move else []

    def _apply_action(self, action: int) -> None:
        if self.game.to_move == CHANCE:
            self.game.play(self.game.legal().pick(self.match.chance))
        else:
            self.game.play(self.choices()[action])

    def _action_to_string(self, player: int, action: int) -> str:
        return "roll or draw" if player == pyspiel.PlayerId.CHANCE else str(self.choices()[action])

    def is_terminal(self) -> bool:
        """Return whether the match is over."""
        return self.game.over

    def returns(self) -> list[float]:
        """Return 1 for winners and -1 for all others once the match is over; 0 before, and after a draw."""
        winners = self.game.winners
        return [(1.0 if seat in winners else -1.0) if winners else 0.0 for seat in range(self.game.seats)]

    def __str__(self) -> str:
        return f"{self.game!r} {self.game.count}"


class SpielObserver:
    """Observation of a seat. `tensor`: with the layout of `conquest.environments.layout`; `dict`: its parts by name."""

    def __init__(self, game: str, players: int) -> None:
        parts = layout(game, players)
        self.tensor = np.zeros(parts[-1].stop, np.float32)
        self.dict = {part.name: self.tensor[part.start : part.stop] for part in parts}

    def set_from(self, state: SpielState, player: int) -> None:
        """Fill `tensor` with what a seat knows."""
        self.tensor[:] = observation(state.game.observe(player), player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return what a seat knows as text."""
        return str(state.game.observe(player).raw)


# OpenSpiel keeps these to the end of the process, so they must be classes: functions would be freed too late.
for _game, _kind in _TYPES.items():
    pyspiel.register_game(_kind, type(f"Spiel_{_game}", (SpielGame,), {"rules": _game}))
