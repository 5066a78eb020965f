"""Steps of a season, a battle, a senate vote; on the wire these are numbers, and they never change."""

from enum import IntEnum


class Phase(IntEnum):
    """The phases of a season, numbered as in the rulebook (II-SEASON-01)."""

    TOKENS = 1
    CARDS = 2
    ALLIANCES = 3
    PLACEMENT = 4
    ACTIONS = 5
    TAXES = 6
    POINTS = 7
    END = 8


class SeasonStep(IntEnum):
    """The next step of a season. Tokens and cards come up with the answer of chance that they wait for."""

    BEGIN = 0
    TOKENS = 1
    CARDS = 2
    ALLIANCES = 3
    DEPLOYMENTS = 4
    ROUNDS = 5
    TAXES = 6
    VICTORY = 7
    END = 8
    OVER = 9

    @property
    def phase(self) -> Phase:
        """The phase of a season that waits for this step: except for tokens and cards, the next phase has not begun."""
        return _PHASES[self]

    @property
    def following(self) -> "SeasonStep":
        """The step after it; the last one has none."""
        return SeasonStep(self + 1)


_PHASES = {
    SeasonStep.BEGIN: Phase.TOKENS,
    SeasonStep.TOKENS: Phase.TOKENS,
    SeasonStep.CARDS: Phase.CARDS,
    SeasonStep.ALLIANCES: Phase.CARDS,
    SeasonStep.DEPLOYMENTS: Phase.ALLIANCES,
    SeasonStep.ROUNDS: Phase.PLACEMENT,
    SeasonStep.TAXES: Phase.ACTIONS,
    SeasonStep.VICTORY: Phase.TAXES,
    SeasonStep.END: Phase.POINTS,
    SeasonStep.OVER: Phase.END,
}


class BattleStage(IntEnum):
    """The next step of a battle (II-BATTLE, II-NAVAL)."""

    OPEN = 0
    WIND = 1
    ATTACKER_COMMITS = 2
    DEFENDER_COMMITS = 3
    COMMITTED = 4
    ALLIES = 5
    LENT = 6
    ROUND = 7
    ATTACKER_ROLLED = 8
    DEFENDER_ROLLED = 9
    DEFENDER_LOST = 10
    ATTACKER_LOST = 11
    CITY_ROLLED = 12
    STORMED = 13
    STORM_ROLLED = 14
    CITY_LOST = 15
    DEFENDER_DECIDED = 16
    ATTACKER_DECIDED = 17
    ATTACKER_LEAVES = 18
    DEFENDER_LEAVES = 19
    OVER = 20

    @property
    def gathering(self) -> bool:
        """Whether the armies still gather."""
        return self < BattleStage.ROUND

    @property
    def fought(self) -> bool:
        """Whether the fighting is over: leaders leave, nothing else."""
        return self >= BattleStage.ATTACKER_LEAVES

    @property
    def attacker_loses_too(self) -> bool:
        """Whether the defender chooses losses and the attacker will be asked right afterwards."""
        return self is BattleStage.DEFENDER_LOST


class MotionStage(IntEnum):
    """The next step of a senate vote: vote, benefit, the senator for the leader in Italia, the draw (II-SENATE)."""

    VOTE = 0
    BENEFIT = 1
    TRIBUTE = 2
    DRAWN = 3
