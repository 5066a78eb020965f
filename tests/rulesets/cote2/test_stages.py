"""Names of stages: each keeps its number on the wire and has its part of the rules."""

import msgspec
import pytest

from shared.rulesets.cote2.combat_phase import STAGES
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.frames import Battle, Motion, Season
from shared.rulesets.cote2.season import STEPS
from shared.rulesets.cote2.senate import MOTION_STAGES
from shared.rulesets.cote2.stages import BattleStage, MotionStage, Phase, SeasonStep
from tests.support.positionii import position


def test_every_stage_has_its_part() -> None:
    assert [*STAGES] == [*BattleStage]
    assert [*MOTION_STAGES] == [*MotionStage]
    assert [*STEPS, SeasonStep.OVER] == [*SeasonStep]
    for part, stage in [*((f, s) for s, f in STAGES.items()), *((f, s) for s, f in STEPS.items())]:
        assert part.__name__ == f"_{stage.name.lower()}"


def test_phases_are_numbered_as_in_the_rulebook_and_follow_each_other() -> None:
    assert [*Phase] == list(range(1, 9))
    phases = [step.phase for step in SeasonStep]
    assert phases == sorted(phases)
    assert set(phases) == set(Phase)


@pytest.mark.parametrize(
    ("frame", "data"),
    [
        (Season(1, 2, SeasonStep.TAXES), [33, 1, 2, 6]),
        (Battle(4, 5, 0, 1, 2, BattleStage.ATTACKER_LEAVES), [40, 4, 5, 0, 1, 2, 18]),
        (Motion(4, 9, 0, MotionStage.TRIBUTE, 1), [47, 4, 9, 0, 2, 1]),
    ],
    ids=lambda each: type(each).__name__,
)
def test_on_the_wire_a_stage_is_its_number(frame: Season | Battle | Motion, data: list[int]) -> None:
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(frame))[: len(data)] == data
    state = position()
    state.frames = [frame]
    travelled = COTE2.view_decoder.decode(msgspec.msgpack.encode(COTE2.view(state, 0)))
    assert travelled.frames == [frame]
    assert type(travelled.frames[0]) is type(frame)


def test_a_battle_gathers_is_fought_and_is_over() -> None:
    gathering = [stage for stage in BattleStage if stage.gathering]
    fought = [stage for stage in BattleStage if stage.fought]
    assert gathering == [*BattleStage][: BattleStage.ROUND]
    assert fought == [BattleStage.ATTACKER_LEAVES, BattleStage.DEFENDER_LEAVES, BattleStage.OVER]
    assert [stage for stage in BattleStage if stage.attacker_loses_too] == [BattleStage.DEFENDER_LOST]
