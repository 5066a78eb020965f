"""Steps of a turn and of a battle, by name. On the wire and in the logs these are their numbers."""

from enum import IntEnum

from shared.vocabulary.frames import BEGINNING, Phase


class Step(IntEnum):
    """The steps of a turn in rulebook order; `Turn.step` is the one to come (MB-TURN-01)."""

    BEGINNING = BEGINNING
    MOVEMENT = 1
    COMBAT = 2
    TRIBUTE = 3
    DESTRUCTION = 4
    PURCHASE = 5
    PLACEMENT = 6
    END = 7

    @property
    def phase(self) -> Phase:
        """The one of the six actions under way while this is the step to come."""
        # `step` is the one to come, so the action under way is the one before it.
        return Phase(max(Step.MOVEMENT, self - 1) - Step.MOVEMENT)


class Stage(IntEnum):
    """The stages of a round of battle; `Battle.stage` is the one to come (MB-BATTLE-03)."""

    ATTACKER_DECLARES = 0
    ATTACKER_DECLARED = 1
    ATTACKER_FIRES = 2
    ATTACKER_FIRED = 3
    DEFENDER_DECLARES = 4
    DEFENDER_DECLARED = 5
    DEFENDER_FIRES = 6
    DEFENDER_FIRED = 7
    ROUND_OVER = 8
    ATTACKER_DECIDED = 9
    OVER = 10

    @property
    def following(self) -> "Stage":
        """The stage after it."""
        return Stage(self + 1)

    @property
    def is_over(self) -> bool:
        """Whether the fighting is over."""
        return self is Stage.OVER

    @property
    def is_defenders(self) -> bool:
        """Whether it is the defender's shot."""
        return Stage.DEFENDER_DECLARES <= self <= Stage.DEFENDER_FIRED

    @property
    def is_declared(self) -> bool:
        """Whether a target is declared and the shot at it is not over."""
        return self in (Stage.ATTACKER_FIRES, Stage.ATTACKER_FIRED, Stage.DEFENDER_FIRES, Stage.DEFENDER_FIRED)
