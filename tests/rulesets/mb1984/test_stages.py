"""Names of the next steps of a frame: they travel as numbers, and each has its part of the rules."""

import msgspec
import pytest

from client.games.mb1984.game_guide import PHASE_OF_STEP
from shared.rulesets.mb1984.battle import STAGES
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.frames import Battle
from shared.rulesets.mb1984.stages import Stage, Step
from shared.rulesets.mb1984.turn import STEPS
from shared.vocabulary.frames import Turn
from tests.support.position1984 import position


def test_names_travel_as_their_numbers() -> None:
    state = position()
    state.frames[0] = Turn(1, 0, Step.COMBAT)
    state.frames.append(Battle(9, 3, 0, 1, 2, Stage.DEFENDER_FIRES, 0, -1, True))
    encoded = msgspec.msgpack.encode(MB1984.view(state, None))
    turn, _movement, battle = msgspec.msgpack.decode(encoded)[2]
    assert turn == [12, 1, 0, 2]
    assert battle == [15, 9, 3, 0, 1, 2, 6, 0, -1, True]
    back = MB1984.view_decoder.decode(encoded).frames[2]
    assert isinstance(back, Battle) and back.stage is Stage.DEFENDER_FIRES


def test_every_step_and_every_stage_is_carried_out() -> None:
    assert set(STEPS) | {Step.END} == set(Step)
    assert set(STAGES) == set(Stage)


@pytest.mark.rule("MB-TURN-01")
def test_the_six_actions_by_the_step_to_come() -> None:
    assert [step.phase for step in Step] == [0, 0, 0, 1, 2, 3, 4, 5]
    assert PHASE_OF_STEP == (0, 0, 0, 1, 2, 3, 4, 5)


@pytest.mark.rule("MB-BATTLE-03")
def test_a_round_has_two_shots_of_which_one_is_the_defenders() -> None:
    fired = [stage for stage in Stage if stage.is_declared]
    assert fired == [Stage.ATTACKER_FIRES, Stage.ATTACKER_FIRED, Stage.DEFENDER_FIRES, Stage.DEFENDER_FIRED]
    assert [stage for stage in Stage if stage.is_defenders] == list(Stage)[4:8]
    assert [stage for stage in Stage if stage.is_over] == [Stage.OVER]
    assert Stage.ATTACKER_DECLARES.following is Stage.ATTACKER_DECLARED
