"""Half-built actions: what can be picked, aimed, undone, and what it becomes."""

from typing import Any

from client.games.classic.rules_adapter import RULES_ADAPTER
from client.games.conquest.drafts.move_draft import Legion, Movement, SailDraft, follow_up, next_stop
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.refusal import Refusal
from shared.rulesets.classic.actions import March
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.table import State, TableFields
from shared.vocabulary.actions import Sail
from tests.support.layout import coast, sp
from tests.support.position import caesar, galley, general, play, position

HOMES = ("italia", "egyptus")
ITALY: dict[str | int, list[int]] = {"italia": [general(0), general(0, 2)]}


def checker(state: State, seat: int = 0):  # type: ignore[no-untyped-def]
    """The rules, asked on the seat's own view."""

    def check(action: Action) -> Refusal | None:
        return engine.check(CLASSIC, CLASSIC.view(state, seat), seat, action)

    return check


def movement(state: State, seat: int = 0) -> Movement[TableFields]:
    return Movement(CLASSIC.view(state, seat), seat, checker(state, seat), RULES_ADAPTER.marching)


def in_italy(**more: Any) -> Movement[TableFields]:
    """Return the draft of a march after a click on Italia, where the Caesar and two generals have an army."""
    pieces: Any = {"units": {"italia": {0: (9, 2, 1)}}, "leaders": ITALY, **more}
    draft = movement(position(homes=HOMES, **pieces))
    assert draft.pick_province(sp("italia")) is None
    return draft


def legion(draft: Movement[TableFields]) -> Legion:
    """Return the legion that is picked."""
    assert isinstance(draft.pick, Legion)
    return draft.pick


def test_a_province_gives_a_general_and_as_many_units_as_follow() -> None:
    draft = in_italy()
    assert legion(draft).leaders == (general(0),), "a general goes rather than the Caesar"
    assert legion(draft).units == (4, 2, 1)
    assert sp("neapolis") in draft.targets() and sp("egyptus") not in draft.targets()


def test_a_second_leader_takes_seven_more_and_undo_goes_back_step_by_step() -> None:
    draft = in_italy()
    draft.toggle(general(0, 2))
    draft.set_units(0, 9)
    assert draft.aim(sp("neapolis")) is None
    assert draft.action() == March(sp("italia"), sp("neapolis"), (general(0), general(0, 2)), 9, 2, 1)
    draft.undo()
    assert draft.action() is None
    draft.undo()
    draft.undo()
    assert legion(draft).units == (4, 2, 1)
    draft.clear()
    assert draft.pick is None and not draft.can_undo


def test_the_target_stays_while_units_and_leaders_change_as_long_as_it_is_legal() -> None:
    draft = in_italy()
    draft.aim(sp("neapolis"))
    draft.set_units(0, 2)
    draft.toggle(general(0, 2))
    assert draft.action() == March(sp("italia"), sp("neapolis"), (general(0), general(0, 2)), 2, 2, 1)
    draft.toggle(general(0))
    draft.toggle(general(0, 2))
    assert draft.action() is None, "no leader is left to march"
    draft.toggle(general(0))
    assert draft.action() is None, "a lost target is not guessed"


def test_a_leader_who_leaves_the_legion_takes_seven_units_along() -> None:
    draft = in_italy()
    draft.toggle(general(0, 2))
    draft.set_units(0, 9)
    draft.toggle(general(0))
    assert sum(legion(draft).units) == 7
    draft.toggle(general(0, 2))
    assert draft.pick is not None and sum(draft.pick.units) == 0


def test_a_general_left_by_a_hasty_click_has_the_army_again_after_the_next() -> None:
    draft = in_italy()
    draft.set_units(0, 2)
    before = legion(draft)
    draft.toggle(general(0))
    draft.toggle(general(0))
    assert draft.pick == before
    draft.toggle(general(0))
    draft.toggle(general(0, 2))
    assert legion(draft).units == before.units, "or another one leads it"


def test_a_draft_is_kept_after_a_click_elsewhere() -> None:
    draft = in_italy(units={"italia": {0: (9, 2, 1)}, "neapolis": {0: (1, 0, 0)}}, owners={"neapolis": 0},
                     leaders={**ITALY, "neapolis": [general(0, 1)]})  # fmt: skip
    draft.set_units(0, 2)
    before = draft.pick
    draft.pick_province(sp("neapolis"))
    assert legion(draft).source == sp("neapolis")
    draft.undo()
    assert draft.pick is None
    draft.undo()
    assert draft.pick == before
    draft.put_down()
    assert draft.pick is None
    draft.undo()
    assert draft.pick == before
    draft.clear()
    draft.pick_province(sp("italia"))
    draft.pick_province(sp("neapolis"))
    draft.undo()
    assert not draft.can_undo, "what was only picked is not missed"


def test_tab_finds_unmoved_pieces_first() -> None:
    state = position(homes=("italia", "egyptus"), units={"italia": {0: (0, 4, 0)}, "thracia": {0: (2, 0, 0)}},
                     owners={"thracia": 0}, leaders={"italia": [general(0)], "thracia": [general(0, 2)]},
                     galleys={galley(0): "mare_tyrrhenum"})  # fmt: skip
    play(state, (0, March(sp("italia"), sp("neapolis"), (general(0),), 0, 4)))
    stops, stop = [], None
    for _ in range(4):
        stop = next_stop(state, 0, stop, RULES_ADAPTER.marching)
        stops.append(stop)
    assert stops == [
        ("province", sp("thracia")), ("province", sp("italia")), ("galley", galley(0)), ("province", sp("neapolis")),
    ], "the horsemen, who have a step left, come after the Caesar, who has all of his"  # fmt: skip


def test_tired_horsemen_are_taken_last_and_can_be_chosen() -> None:
    state = position(homes=HOMES, units={"neapolis": {0: (0, 4, 0)}}, owners={"neapolis": 0},
                     leaders={"neapolis": [general(0)]})  # fmt: skip
    state.moved[sp("neapolis")] = (0, 2, 0, 0)
    state.leader_used[general(0)] = 1
    draft = movement(state)
    draft.pick_province(sp("neapolis"))
    draft.set_units(1, 2)
    assert (legion(draft).units[1], legion(draft).tired) == (2, 2), "those that had been picked as tired stay so"
    draft.set_tired(0)
    assert legion(draft).tired == 0
    assert draft.aim(sp("italia")) is None
    draft.set_units(1, 4)
    assert legion(draft).tired == 2


def test_units_without_a_leader_say_so() -> None:
    state = position(homes=HOMES, units={"neapolis": {0: (2, 0, 0)}}, owners={"neapolis": 0})
    refusal = movement(state).pick_province(sp("neapolis"))
    assert refusal is not None and refusal.rule == "CL-LEAD-02"
    assert movement(state).pick_province(sp("dacia")) is not None


def test_one_unit_stays_with_a_caesar_who_stays() -> None:
    draft = in_italy(units={"italia": {0: (2, 1, 0)}}, leaders={"italia": [general(0)]})
    draft.pick_province(sp("italia"), general(0))
    assert legion(draft).leaders == (general(0),) and legion(draft).units == (1, 1, 0)
    draft.pick_province(sp("italia"), caesar(0))
    assert legion(draft).leaders == (caesar(0),) and legion(draft).units == (2, 1, 0), "he goes with all"


def test_a_road_trip_drops_units_on_its_way() -> None:
    cities = {"italia": 1, "rhaetia": 1, "noricum": 1}
    state = position(
        homes=HOMES, units={"italia": {0: (5, 0, 0)}}, leaders={"italia": [general(0)]},
        owners={"rhaetia": 0, "noricum": 0}, built=cities, roads=(("italia", "rhaetia"), ("noricum", "rhaetia")),
    )  # fmt: skip
    draft = movement(state)
    draft.pick_province(sp("italia"))
    assert sp("noricum") in draft.targets()
    assert draft.aim(sp("rhaetia")) is None
    assert draft.on_road and draft.drop_room() == ((4, 0, 0), (0, 0, 0))
    assert draft.leave((2, 0, 0)) is None
    assert draft.aim(sp("noricum")) is None
    action = draft.action()
    assert action == March(sp("italia"), sp("noricum"), (general(0),), 4, 0, 0, 0, ((sp("rhaetia"), 2, 0, 0),))
    assert engine.check(CLASSIC, state, 0, action) is None
    draft.undo()
    draft.undo()
    assert not legion(draft).drops


def test_a_picked_legion_goes_aboard_a_galley_on_its_coast() -> None:
    draft = in_italy(units={"italia": {0: (6, 0, 0)}}, leaders={"italia": [general(0)]},
                     galleys={galley(0): "italia:west", galley(0, 1): "italia:adriatic"})  # fmt: skip
    assert draft.pick_galley(galley(0)) is None
    pick = draft.pick
    assert isinstance(pick, SailDraft) and (pick.leaders, pick.units) == ((general(0),), (5, 0, 0))
    targets = draft.targets()
    assert targets
    draft.set_units(0, 3)
    draft.aim(targets[0])
    assert draft.action() == Sail(galley(0), targets[0], (general(0),), 3, 0, 0)
    assert draft.pick_galley(galley(0, 1)) is None
    assert coast("italia:adriatic") != coast("italia:west")


def test_after_a_step_the_same_galley_goes_on_and_tab_finds_the_rest() -> None:
    state = position(homes=("italia", "egyptus"), units={"italia": {0: (5, 0, 0)}}, leaders={"italia": [general(0)]},
                     galleys={galley(0): "mare_tyrrhenum"})  # fmt: skip
    sail = Sail(galley(0), sp("mare_tyrrhenum"))
    assert follow_up(state, 0, sail, RULES_ADAPTER.marching) == ("galley", galley(0))
    first = next_stop(state, 0, None, RULES_ADAPTER.marching)
    assert first == ("province", sp("italia"))
    assert next_stop(state, 0, first, RULES_ADAPTER.marching) == ("galley", galley(0))
    assert next_stop(state, 0, ("galley", galley(0)), RULES_ADAPTER.marching) == first
    march = March(sp("italia"), sp("neapolis"), (general(0),), 5)
    assert follow_up(state, 0, march, RULES_ADAPTER.marching) is None


def test_a_galley_of_another_is_not_picked() -> None:
    state = position(homes=("italia", "egyptus"), galleys={galley(1): "mare_tyrrhenum"})
    refusal = movement(state).pick_galley(galley(1))
    assert refusal is not None
    assert coast("mare_tyrrhenum") == state.galley_at[galley(1)]
