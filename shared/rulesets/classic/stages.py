"""Steps of a turn, a battle, a pursuit, by name. On the wire and in the logs these are their numbers."""

from enum import IntEnum

from shared.vocabulary.frames import BEGINNING, Phase


class Step(IntEnum):
    """The steps of a turn in rulebook order; `Turn.step` is the one to come (CL-TURN-01)."""

    BEGINNING = BEGINNING
    MOVEMENT = 1
    COMBAT = 2
    CONQUEST = 3
    TRIBUTE = 4
    DESTRUCTION = 5
    PURCHASE = 6
    PLACEMENT = 7
    END = 8

    @property
    def phase(self) -> Phase:
        """The phase under way while this is the step to come."""
        return _PHASES[self]


_PHASES = {
    # `step` is the one to come, so each line names the phase before it.
    Step.BEGINNING: Phase.MOVEMENT,
    Step.MOVEMENT: Phase.MOVEMENT,
    Step.COMBAT: Phase.MOVEMENT,
    Step.CONQUEST: Phase.COMBAT,
    Step.TRIBUTE: Phase.COMBAT,
    Step.DESTRUCTION: Phase.TRIBUTE,
    Step.PURCHASE: Phase.DESTRUCTION,
    Step.PLACEMENT: Phase.PURCHASE,
    Step.END: Phase.PLACEMENT,
}


class Stage(IntEnum):
    """The stages of a round of battle on land; `Battle.stage` is the one to come (CL-BATTLE-02 to -10)."""

    DEFENDER_FORMS = 0
    DEFENDER_FORMED = 1
    ATTACKER_FORMS = 2
    ATTACKER_FORMED = 3
    ATTACKER_ROLLS = 4
    ATTACKER_ROLLED = 5
    DEFENDER_LOST = 6
    DEFENDER_ROLLS = 7
    DEFENDER_ROLLED = 8
    ATTACKER_LOST = 9
    DEFENDER_DECIDED = 10
    ATTACKER_DECIDED = 11
    PURSUED = 12
    WITHDRAWN = 13
    OVER = 14

    @property
    def is_over(self) -> bool:
        """Whether the fighting is over."""
        return self is Stage.OVER

    @property
    def defender_is_formed(self) -> bool:
        """Whether the defender's battle legion stands, and its losses are not taken off."""
        return Stage.ATTACKER_FORMS <= self <= Stage.ATTACKER_LOST

    @property
    def attacker_is_formed(self) -> bool:
        """Whether the attacker's battle legion stands, and its losses are not taken off."""
        return Stage.ATTACKER_ROLLS <= self <= Stage.ATTACKER_LOST


class PursuitStage(IntEnum):
    """The stages of a pursuit; `Pursuit.stage` is the one to come (CL-PURSUIT-01)."""

    HUNT = 0
    ROLLED = 1
    CAUGHT = 2


class NavalStage(IntEnum):
    """The stages of a round of battle at sea; `Naval.stage` is the one to come (CL-NAVAL-02, CL-NAVAL-03)."""

    ATTACKER_ROLLS = 0
    DEFENDER_ROLLS = 1
    DEFENDER_ROLLED = 2
    DEFENDER_LOST = 3
    ATTACKER_LOST = 4
    ROUND_OVER = 5

    @property
    def is_over(self) -> bool:
        """Whether the losses of the round are taken off, and only captives are still to be judged."""
        return self is NavalStage.ROUND_OVER
