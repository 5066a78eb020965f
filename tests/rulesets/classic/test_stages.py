"""Names of the next steps of a frame: they travel as numbers, and each has its part of the rules."""

import msgspec
import pytest

from client.games.classic.game_guide import PHASE_OF_STEP
from shared.rulesets.classic.battle import STAGES
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.frames import Battle, Naval, Pursuit
from shared.rulesets.classic.stages import NavalStage, PursuitStage, Stage, Step
from shared.rulesets.classic.turn import STEPS
from shared.vocabulary.frames import Turn
from tests.support.position import position


def test_names_travel_as_their_numbers() -> None:
    state = position()
    state.frames[0] = Turn(1, 0, Step.CONQUEST)
    state.frames.append(Battle(9, 3, 0, 1, 2, Stage.DEFENDER_ROLLS, (1, 0, 0), (2, 0, 0), (0, 0, 0)))
    state.frames.append(Pursuit(10, 3, 0, 1, 4, PursuitStage.CAUGHT))
    state.frames.append(Naval(11, 50, 0, 1, 3, NavalStage.ATTACKER_LOST, (1, 0), (8,)))
    encoded = msgspec.msgpack.encode(CLASSIC.view(state, None))
    turn, _movement, battle, pursuit, naval = msgspec.msgpack.decode(encoded)[2]
    assert turn == [12, 1, 0, 3]
    assert battle == [15, 9, 3, 0, 1, 2, 7, [1, 0, 0], [2, 0, 0], [0, 0, 0]]
    assert pursuit == [19, 10, 3, 0, 1, 4, 2]
    assert naval == [22, 11, 50, 0, 1, 3, 4, [1, 0], [8]]
    assert CLASSIC.view_decoder.decode(encoded).frames == state.frames


def test_every_step_and_every_stage_is_carried_out() -> None:
    assert set(STEPS) | {Step.END} == set(Step)
    assert set(STAGES) == set(Stage)


@pytest.mark.rule("CL-TURN-01")
def test_the_six_phases_by_the_step_to_come() -> None:
    assert PHASE_OF_STEP == (0, 0, 0, 1, 1, 2, 3, 4, 5)


@pytest.mark.rule("CL-BATTLE-07")
def test_battle_legions_stand_from_their_choice_until_the_hit_units_are_removed() -> None:
    assert [stage for stage in Stage if stage.defender_is_formed] == list(Stage)[2:10]
    assert [stage for stage in Stage if stage.attacker_is_formed] == list(Stage)[4:10]
    assert [stage for stage in Stage if stage.is_over] == [Stage.OVER]
    assert [stage for stage in NavalStage if stage.is_over] == [NavalStage.ROUND_OVER]
