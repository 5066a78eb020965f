"""Tasks of a player, one at a time; and the written chronicle of events and chat."""

import arcade
import pytest
from msgspec.structs import replace

from client.games.conquest.tasks.bargain_tasks import Bargaining
from client.games.conquest.tasks.movement_tasks import Moving
from client.games.mb1984.game_guide import MB1984 as GUIDE
from client.games.mb1984.prisoner_bargains import PrisonerBargaining
from client.games.static_match import RecordedCallbacks
from client.table.action_bar import ActionBar
from client.table.chronicle import Chronicle, EventFeed
from client.table.pane import Stepper
from client.table.prompts import Prompt
from client.table.task import Watching
from client.table.task_chooser import Asking, TaskInputs
from shared.ids import NONE
from shared.mechanics.pieces import OFF
from shared.messages import Said
from shared.rulesets.classic.actions import Buy
from shared.rulesets.mb1984.definition import MB1984
from shared.rulesets.mb1984.table import State, TableFields
from shared.vocabulary.actions import PlaceGalley
from shared.vocabulary.frames import Movement, Purchase
from tests.client.desk import StillDesk
from tests.client.mouse import Mouse
from tests.support.layout import prison
from tests.support.position import position as classic_position
from tests.support.position1984 import general, position

pytestmark = pytest.mark.usefixtures("window")

MINE = TaskInputs(
    1, (4, Movement), Prompt(0, "Movement", ""), mine=True, pending=False, finished=False, busy=False, aside=True
)
THEIRS = TaskInputs(
    2, (9, Purchase), Prompt(1, "Purchase", ""), mine=False, pending=False, finished=False, busy=False, aside=True
)


def holding(*leaders: int) -> State:
    """The movement of seat 0, which holds these generals."""
    return position(homes=("italia", "egyptus"), units={"italia": {0: (3, 0, 0)}},
                    leaders={"italia": [general(0)], prison(0): list(leaders)})  # fmt: skip


def asking(state: State) -> Asking[TableFields]:
    mouse = Mouse(state, 0, MB1984)
    return Asking(StillDesk(mouse.match), GUIDE)


def test_a_decision_has_one_task_until_it_is_made() -> None:
    one = asking(holding(general(1)))
    assert one.choose(MINE)
    first = one.task
    assert isinstance(first, Moving)
    assert one.choose(MINE) and one.task is first, "the same decision goes on"
    assert not one.choose(replace(MINE, mine=False, pending=True)) and one.task is first, "its action is on its way"
    assert one.choose(THEIRS)
    assert isinstance(one.task, Watching) and "Marcus decides" in one.task.line()


def test_a_decision_of_the_next_player_in_the_same_frame_is_not_mine() -> None:
    """An auction or a battle asks several players in one frame, and its new position comes before the answer."""
    one = asking(holding(general(1)))
    one.choose(MINE)
    passed = replace(MINE, version=2, prompt=THEIRS.prompt, mine=False, pending=True)
    assert not one.choose(passed)
    answered = replace(passed, pending=False)
    assert answered != one.moment and one.choose(answered)
    assert isinstance(one.task, Watching)


def test_nothing_is_left_to_be_done_once_the_match_is_over() -> None:
    """Its end may come before the server's word that the last action was accepted."""
    one = asking(holding(general(1)))
    one.choose(MINE)
    assert one.choose(replace(MINE, version=2, mine=False, pending=True, finished=True))
    assert isinstance(one.task, Watching)


def test_a_side_task_stays_until_a_decision_comes_or_goes() -> None:
    one = asking(holding(general(1)))
    assert not one.step_aside(lambda: None), "nothing is asked yet"
    one.choose(MINE)
    assert one.step_aside(lambda: None)
    beside = one.task
    assert isinstance(beside, PrisonerBargaining)
    assert one.choose(replace(MINE, pending=True)) and one.task is beside
    assert one.choose(THEIRS) and isinstance(one.task, Watching)
    assert not one.step_back()
    one.choose(MINE)
    one.step_aside(lambda: None)
    assert one.step_back() and one.moment is None


def test_the_turn_goes_on_once_the_last_captive_is_dead() -> None:
    mouse = Mouse(holding(general(1)), 0, MB1984)
    assert mouse.top.step_aside()
    assert isinstance(mouse.top.task, PrisonerBargaining)
    mouse.figure(0)
    mouse.button("Have them killed")
    assert mouse.state.leader_at[general(1)] == OFF
    assert isinstance(mouse.top.task, Moving)
    assert not mouse.top.step_aside(), "there is nothing left to deal with"


def test_why_no_more_bargains_can_be_offered_is_said() -> None:
    state = holding(general(1))
    state.offers = 0
    mouse = Mouse(state, 0, MB1984)
    assert mouse.top.step_aside()
    bargain = next(button for button in mouse.top.task.buttons() if button.words == "Bargain")
    assert not bargain.enabled and bargain.tip == "No more bargains can be offered this turn."
    assert not mouse.top.task.confirm()


def test_chat_is_written_down_however_much_was_said_before() -> None:
    chronicle = Chronicle(RecordedCallbacks())
    telling = EventFeed(GUIDE, chronicle)
    chat: list[Said] = []
    for i in range(300):
        chat = [*chat[-199:], Said(0, "Livia", str(i))]
        telling.overhear(chat, 0)
    assert [line.words for line in chronicle.lines[-300:]] == [f"You: {i}" for i in range(300)]
    telling.overhear([*chat[100:], Said(-2, "", "Gaius sits down."), Said(NONE, "Nero", "Ave!")], NONE)
    assert [line.words for line in chronicle.lines[300:]] == ["Gaius sits down.", "Nero (watching): Ave!"]


def test_a_new_galley_asks_for_the_coast_where_a_home_has_two() -> None:
    state = classic_position(
        homes=("hispania", "egyptus"), owners={"hispania": 0, "egyptus": 1}, talents=(100, 0), phase="purchase"
    )
    mouse = Mouse(state)
    assert mouse.match.act(Buy(galleys=1)) is None
    mouse.settle()
    coasts = [action.position for action in mouse.match.options() if isinstance(action, PlaceGalley)]
    assert len(coasts) == 2
    mouse.space("hispania")
    assert "several coasts" in mouse.callbacks.toasts[-1]
    assert not set(coasts) & set(mouse.state.galley_at), "no coast was guessed"
    mouse.click(*mouse.top.board.camera.to_window(*mouse.top.board.geography.place(coasts[1])))
    assert coasts[1] in mouse.state.galley_at


def test_a_seller_of_captives_asks_for_talents_and_hears_why_no_more_can_be_paid() -> None:
    state = holding(general(1))
    state.talents[:2] = [10, 5]
    desk = StillDesk(Mouse(state, 0, MB1984).match)
    form = Bargaining(desk, lambda: None)
    bar = ActionBar()
    bar.place(arcade.LBWH(0, 0, 900, 140))

    def stepper() -> Stepper:
        bar.ui.clear()
        form.build(bar)
        return next(widget for widget in bar.ui.widgets if isinstance(widget, Stepper))

    assert (stepper().caption, stepper().count, stepper().more, stepper().less) == ("you want", 0, True, True)
    stepper().step(1)
    assert (stepper().caption, stepper().count, stepper().more) == ("you want", 5, False)
    assert form.draft.wants == 5 and not desk.toasts
    stepper().step(1)
    assert desk.toasts == [f"You have 10 talents, {desk.who(1)} has 5 talents."]
    for _ in range(2):
        stepper().step(-1)
    assert (stepper().caption, stepper().count) == ("you pay", 5)
