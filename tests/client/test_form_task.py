"""Decisions that are composed in a form: pieces chosen and changed, undone, refused, and what they become."""

from random import Random
from typing import Any

from client.games.classic.combat_tasks import Scuttling, Sharing
from client.games.classic.rules_adapter import RULES_ADAPTER
from client.games.conquest.tasks.bargain_tasks import Bargaining
from client.games.conquest.tasks.building_tasks import Buying
from client.games.conquest.tasks.combat_tasks import Judging
from client.games.cote2.tasks.battle_tasks import ChoosingLosses
from client.games.static_match import LocalMatch
from client.table.form_task import Cell
from shared.actions.description import Choice, Field, FieldKind
from shared.ids import Seat
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.classic.actions import Buy, Form, Lose, Sink
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.frames import Casualties, Formation, Sinking
from shared.rulesets.cote2 import actions as cote2
from shared.rulesets.cote2 import frames as cote2_frames
from shared.rulesets.cote2.definition import COTE2
from shared.vocabulary.actions import Judge, Offer
from tests.client.desk import StillDesk
from tests.client.test_table_render import at_battle, at_sea, captured
from tests.support import positionii
from tests.support.layout import prison, sp
from tests.support.position import galley, general, position


def desk(state: Any, seat: Seat = 0, rules: AnyRuleset = CLASSIC) -> StillDesk:
    """Return a desk over a position, of a seat that owes its decision."""
    match = LocalMatch(rules, state.seats, seat=seat)
    match.state = state
    return StillDesk(match)


def test_each_kind_of_field_counts_and_changes_an_action() -> None:
    options = tuple([Choice(value, f"{value}") for value in range(4)])

    def cell(kind: FieldKind, name: str, *values: int, column: int = 0) -> Cell:
        return Cell(Field(name, kind, options=options, columns=("a", "b", "c", "d")), 9, values, column=column)

    rows = cell(FieldKind.ROWS, "armies", 5, column=3)
    recruit = rows.counted(cote2.Recruit(((7, 1, 0, 0, 0),)), 2)
    assert recruit.armies == ((5, 0, 0, 0, 2), (7, 1, 0, 0, 0)) and rows.count(recruit) == 2
    assert rows.counted(recruit, 0).armies == ((7, 1, 0, 0, 0),)
    several = cell(FieldKind.SET, "galleys", 3, 1)
    assert several.counted(cote2.Commit((2,)), 1).galleys == (2, 3), "of those that are alike, the first"
    assert several.count(cote2.Commit((1, 2, 3))) == 2
    one = cell(FieldKind.LIST, "sellers", 2)
    assert one.counted(cote2.Influence(0, (2, 1)), 2).sellers == (1, 2, 2)
    box = cell(FieldKind.ONE, "a", 3)
    assert box.counted(cote2.Bid(5, 1, 2), 1) == cote2.Bid(5, 3, 2) and not box.count(cote2.Bid(5, 1, 2))
    number = cell(FieldKind.NUMBER, "talents")
    assert number.counted(cote2.Bid(5, 1, 2), 10).talents == 10


def test_an_exact_number_is_always_complete_or_says_what_is_missing() -> None:
    state = at_battle()
    frame = state.frames[-1]
    assert isinstance(frame, Formation)
    task = Sharing(desk(state), frame)
    infantry, _cavalry, catapults = task.cells
    assert task.draft == Form(4, 2, 0), "cheap units stand in front"
    task.change(catapults, 1)
    assert task.draft == Form(3, 2, 1), "one more of an arm is one fewer of the most numerous"
    task.change(catapults, 1)
    assert task.draft == Form(3, 2, 1), "there is but one"
    task.change(infantry, -1)
    assert task.missing == 1 and task.action() is None
    assert "Choose 1 more" in task.line()
    assert task.undo() and task.undo() and not task.undo()
    assert task.draft == Form(4, 2, 0)


def test_the_best_losses_are_suggested() -> None:
    state = at_battle((0, Form(4, 1, 1)), "iick.g")
    frame = state.frames[-1]
    assert isinstance(frame, Casualties)
    assert Sharing(desk(state, 1), frame).draft == Lose(4, 0, 0)


def test_the_galley_of_least_worth_sinks_and_another_takes_its_place() -> None:
    state = at_sea(("g...", "...."))
    frame = state.frames[-1]
    assert isinstance(frame, Sinking)
    task = Scuttling(desk(state, 1), frame)
    first, second = task.cells
    assert task.draft == Sink(first.options)
    task.change(second, 1)
    assert task.draft == Sink(second.options)
    task.change(second, -1)
    assert task.missing == 1 and not task.confirm()


def test_captives_are_judged_one_by_one() -> None:
    task = Judging(desk(captured()))
    task.change(task.cells[1], 1)
    assert task.draft == Judge((general(1, 2),))
    assert task.undo() and task.draft == Judge(())


def test_a_purchase_stays_within_money_and_supply() -> None:
    state = position(homes=("italia", "egyptus"), phase="purchase", talents=(65, 0), owners={"neapolis": 0})
    here = desk(state)
    task = Buying(here, RULES_ADAPTER.market)
    infantry, city, walls = task.cells[0], task.cells[4], task.cells[5]
    task.change(walls, 1)
    assert task.draft == Buy() and here.toasts, "walls need a city"
    for _each in range(6):
        task.change(infantry, 1)
    here.toasts.clear()
    task.change(infantry, 1)
    assert task.draft == Buy(6) and "talents" in here.toasts[-1]
    task.change(infantry, -5)
    task.change(city, 1)
    task.change(walls, 1)
    assert task.cost == 60
    task.change(city, -1)
    assert task.draft == Buy(1), "walls without a city go with it"
    assert task.undo() and task.cost == 0


def test_a_bargain_names_both_sides() -> None:
    state = position(homes=("italia", "egyptus"), phase="placement", talents=(30, 30),
                     leaders={prison(1): [general(0)], prison(0): [general(1)]})  # fmt: skip
    task = Bargaining(desk(state), lambda: None)
    mine, theirs = task.cells
    assert task.draft == Offer(1) and task.action() is None, "a bargain is about a general"
    task.change(mine, 1)
    task.pay(100)
    assert task.action() == Offer(1, pays=30, takes=(general(0),))
    task.pay(-200)
    task.change(mine, -1)
    task.change(theirs, 1)
    assert task.action() == Offer(1, gives=(general(1),), wants=30)
    task.choose(1)
    assert task.draft.gives, "the same partner keeps the bargain"


def test_losses_of_several_owners_are_exchanged_where_all_are_chosen() -> None:
    state = positionii.position(galleys={galley(0): "mare_narbo", galley(0, 1): "mare_tyrrhenum"})
    frame = cote2_frames.Casualties(9, 0, sp("italia"), (0, 3, 1, 0, 6, 2, 0, 0), (galley(0), galley(0, 1)), 1, 3)
    state.frames.append(frame)
    task = ChoosingLosses(desk(state, rules=COTE2), frame)
    assert task.action() == cote2.Lose(((6, 2, 0, 0),), (), 1)
    own, galleys = task.cells[0], [cell for cell in task.cells if cell.field.kind is FieldKind.SET]
    assert [cell.options for cell in galleys] == [(galley(0),), (galley(0, 1),)], "those of two zones are counted apart"
    task.change(own, 1)
    assert task.draft == cote2.Lose(((0, 1, 0, 0), (6, 1, 0, 0)), (), 1)
    task.change(galleys[0], 1)
    task.change(own, -1)
    assert task.missing == 1
    chance = Random(1)
    for _ in range(200):
        task.change(chance.choice(task.cells), chance.choice((1, 1, -1)))
        assert 0 <= task.missing <= 3
        assert all(0 <= task.count(cell) <= cell.high for cell in task.cells)
