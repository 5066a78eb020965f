"""Every decision that a seat can owe besides its turn: a tray for it, something legal to confirm, and all to choose."""

from typing import Any

import pytest

from client.drawing import theme
from client.drawing.widgets import Button
from client.games.cote2.sheet_interfaces import Bidding, Voting
from client.games.cote2.tasks.battle_tasks import ChoosingLosses
from client.games.cote2.tasks.deployment_task import Deploying
from client.games.static_match import LocalMatch
from client.table.pane import Figure, Stepper
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Deal, Dice, Draw, Frame
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import State
from shared.vocabulary.actions import Retreat, Stand
from shared.vocabulary.frames import Onward
from tests.client.cote2.player import Player
from tests.client.cote2.test_tasks_turn import spring
from tests.support.layout import sp
from tests.support.positionii import auction, caesar, card, galley, general, play, position

pytestmark = pytest.mark.usefixtures("window")


def bidding(seats: int = 4) -> State:
    return auction(seats)


def deploying() -> State:
    match = LocalMatch(COTE2, 3, seed=4)
    while not isinstance(match.state.frames[-1], f.Deployment):
        match.play(match.owed()[0], engine.default(COTE2, match.state, match.owed()[0]))
    found: State = match.state
    return found


def at_war(*steps: Any, **changes: Any) -> State:
    """Livia attacks Marcus in Italia; Cornelia is her ally, Gaius is allied with Marcus. Galleys of all lie on Mare
    Narbo."""
    state = position(
        4,
        sides=(0, 1, 0, 1),
        units={"italia": {0: (3, 1, 1), 1: (3, 2, 0), 2: (2, 0, 0), 3: (0, 1, 0)}},
        leaders={"italia": [caesar(0), general(1)]},
        galleys={galley(seat, k): "mare_narbo" for seat in range(4) for k in range(2)},
        **changes,
    )  # fmt: skip
    play(state, (0, a.Attack(sp("italia"), 1)), *steps)
    return state


NOTHING = ((0, a.Commit(())), (1, a.Commit(())), (2, a.Lend()), (3, a.Lend()))


def voting() -> State:
    state = position(3, cards={0: ("senate_new_legions",)}, senators={0: (1, 1, 1, 0), 1: (2, 0, 0, 1)})
    play(state, (0, a.Use(card("senate_new_legions"))))
    return state


def windy() -> State:
    state = position(
        galleys={galley(0): "mare_narbo", galley(1): "mare_narbo"}, cards={1: ("favorable_wind",)}
    )  # fmt: skip
    play(state, (0, a.Sail(NONE, (), sp("mare_narbo"), 1)))
    return state


def beaten() -> State:
    """The leader of Marcus stands alone among the enemy."""
    state = position(2, units={"italia": {0: (3, 0, 0)}}, leaders={"italia": [general(1)]})
    play(state, (0, a.Attack(sp("italia"), 1)))
    return state


def mustering() -> State:
    state = voting()
    play(state, (0, a.Show(two=1)), (1, a.Pass()), (2, a.Pass()))
    return state


def _states() -> list[tuple[str, Any, Seat, type[Frame]]]:
    lend = at_war((0, a.Commit(())), (1, a.Commit((galley(1), galley(1, 1)))), (2, a.Lend(2, 0, 0, (galley(2),))))
    hit = at_war((0, a.Commit((galley(0),))), (1, a.Commit(())), (2, a.Lend(2, 0, 0, (galley(2),))), (3, a.Lend()),
                 "....", "iig.")  # fmt: skip
    onward = at_war(*NOTHING, "....", "....")
    return [
        ("auction", bidding(), 0, f.Auction),
        ("deployment", deploying(), NONE, f.Deployment),
        ("turn", spring(), 0, f.Turn),
        ("wind", windy(), 1, f.Wind),
        ("commitment", at_war(), 0, f.Commitment),
        ("aid", lend, 3, f.Aid),
        ("casualties", hit, 0, f.Casualties),
        ("onward", onward, 1, Onward),
        ("withdrawal", beaten(), 1, f.Withdrawal),
        ("vote", voting(), 0, f.Vote),
        ("muster", mustering(), 0, f.Muster),
    ]


def owing(state: State) -> Seat:
    return engine.owed(COTE2, state)[0]


@pytest.mark.parametrize("case", range(11))
def test_every_decision_has_a_task_with_something_legal_to_confirm(case: int) -> None:
    name, state, seat, kind = _states()[case]
    assert type(state.frames[-1]) is kind, (name, state.frames)
    player = Player(state, owing(state) if seat == NONE else seat)
    assert player.task.line()
    assert player.task.buttons()
    if name in ("turn", "muster", "vote"):
        assert player.task.next()
    player.task.confirm()
    assert player.done or name == "turn", player.toasts
    assert not player.toasts


def test_every_frame_that_a_seat_can_owe_is_drawn() -> None:
    automatic = {f.Setup, f.Season, f.Alliances, f.Deployments, f.Rounds, f.Battle, f.Revolt, f.Motion, f.Theft}
    assert {kind for *_, kind in _states()} == set(COTE2.handlers) - automatic - {Dice, Draw, Deal}


def test_a_bid_with_markers_put_and_swapped() -> None:
    player = Player(bidding())
    bid = player.task
    assert isinstance(bid, Bidding)
    assert (bid.talents, bid.boxes, bid.free()) == (0, (0, 1), (2, 3))
    bid.put(3, 1)
    assert bid.boxes == (0, 3)
    bid.put(3, 0)
    assert bid.boxes == (3, 0), "who stood there takes the old place"
    bid.put(0, -1)
    assert bid.boxes == (3, NONE)
    assert not bid.confirm()
    assert player.toasts.pop()
    player.figure("Cornelia")
    bid.raise_by(10)
    player.button("Swap")
    player.button("Bid 10")
    assert player.last() == a.Bid(10, 2, 3)


def test_the_opener_must_bid_and_others_may_pass() -> None:
    player = Player(bidding())
    assert not player.task.end()
    state = bidding()
    play(state, (0, a.Bid(5, 2, 3)))
    player = Player(state, 1)
    assert isinstance(player.task, Bidding)
    assert (player.task.talents, player.task.boxes) == (10, (2, 3)), "what lies in the boxes is kept"
    player.button("Pass")
    assert player.last() == a.Pass()


def test_advice_never_bids_for_another_players_proposal() -> None:
    state = bidding()
    play(state, (0, a.Bid(5, 2, 3)))
    player = Player(state, 1)
    kinds = {w.words: w.kind for w in player.widgets() if isinstance(w, Button)}
    assert (kinds["Bid 10 talents"], kinds["Pass"]) == ("plain", "primary")
    assert "costs you nothing to pass" in player.task.line()
    player.button("Swap")
    kinds = {w.words: w.kind for w in player.widgets() if isinstance(w, Button)}
    assert (kinds["Bid 10 talents"], kinds["Pass"]) == ("primary", "plain")
    assert "You offer 10 talents" in player.task.line()


def test_enter_passes_where_pass_is_the_main_button() -> None:
    state = bidding()
    play(state, (0, a.Bid(5, 2, 3)))
    player = Player(state, 1)
    assert player.task.confirm()
    assert player.last() == a.Pass()
    player = Player(state, 1)
    player.button("Bid 10")
    assert player.last() == a.Bid(10, 2, 3), "the button still bids"
    player = Player(state, 1)
    player.button("Swap")
    assert player.task.confirm()
    assert player.last() == a.Bid(10, 3, 2)


def test_the_last_of_an_odd_company_stands_alone() -> None:
    player = Player(auction(3, allied=((0, 0), (1, 1))))
    assert isinstance(player.task, Bidding)
    assert player.task.boxes == (2, NONE)
    player.button("Swap")
    player.task.confirm()
    assert player.last() == a.Bid(0, NONE, 2)


def test_two_players_bid_about_who_joins_a() -> None:
    player = Player(auction(2))
    assert isinstance(player.task, Bidding)
    assert player.task.boxes == (0, 1)
    assert player.task.confirm()


def test_first_units_are_placed_where_one_likes() -> None:
    state = deploying()
    player = Player(state, owing(state))
    task = player.task
    assert isinstance(task, Deploying)
    camps = [space for space, *_army in task.draft.armies]
    whole = task.draft
    player.stepper(0)
    assert task.draft == whole, "there are no more"
    player.stepper(0, -1)
    player.stepper(1, -1)
    assert task.left == (1, 1, 0)
    player.button("The rest")
    assert task.draft == whole
    player.stepper(0, -2)
    assert "stand nowhere" in task.line()
    task.next()
    player.stepper(0)
    player.button("The rest")
    next(w for w in player.widgets() if isinstance(w, Figure)).on_click()
    assert task.draft.caesar == task.space
    assert task.confirm(), player.toasts
    done = player.last()
    assert isinstance(done, a.Deploy)
    assert done.caesar in camps
    player.toasts.clear()


def test_starting_units_stand_only_with_influence() -> None:
    state = deploying()
    player = Player(state, owing(state))
    player.space("germania")
    assert "influence" in player.toasts[-1]


def test_galleys_are_committed_one_by_one_or_all() -> None:
    player = Player(at_war())
    player.stepper(0)
    player.button("Commit 1")
    assert player.last() == a.Commit((galley(0),))
    player = Player(at_war())
    player.button("Commit all")
    assert player.last() == a.Commit((galley(0), galley(0, 1)))


def test_an_ally_lends_any_units() -> None:
    asked = ((0, a.Commit(())), (1, a.Commit(())))
    player = Player(at_war(*asked), 2)
    assert "Livia" in player.task.line()
    player.stepper(0)
    player.stepper(1, 2)
    player.button("Lend 3")
    assert player.last() == a.Lend(1, 0, 0, (galley(2), galley(2, 1)))
    player = Player(at_war(*asked), 2)
    player.button("Lend nothing")
    assert player.last() == a.Lend()


def test_losses_are_exact_and_lent_units_can_be_chosen() -> None:
    player = Player(_states()[6][1])
    captions = [w.caption for w in player.widgets() if isinstance(w, Stepper)]
    assert any("Cornelia" in caption for caption in captions)
    assert isinstance(player.task, ChoosingLosses)
    assert player.task.missing == 0
    player.stepper(0, 2)
    assert player.task.missing == 0
    player.stepper(0, -1)
    assert "1 more" in player.task.line()
    assert not player.task.confirm()
    player.stepper(2)
    assert player.task.confirm()
    lost = player.last()
    assert isinstance(lost, a.Lose)


def test_the_losses_of_a_large_host_are_chosen_owner_by_owner() -> None:
    army = dict.fromkeys(range(6), (2, 2, 2))
    state = position(
        6, units={"italia": army}, leaders={"italia": [general(0)]}, order=(0, 1, 2, 3, 4, 5), sides=(0, 1, 0, 1, 0, 1),
        galleys={galley(0): "mare_tyrrhenum"},
    )  # fmt: skip
    play(state, (0, a.Attack(sp("italia"), 1)), (0, a.Commit((galley(0),))), (2, a.Lend(2, 2, 2)), (3, a.Lend()),
         (4, a.Lend(2, 2, 2)), (5, a.Lend()), "....", "ick")  # fmt: skip
    player = Player(state)
    assert isinstance(player.task, ChoosingLosses)
    assert len(player.task.cells) == 10
    width = min(w.rect.width for w in player.widgets() if isinstance(w, Stepper))
    assert width >= theme.px(80), "there is room for the numbers"
    marks = [w for w in player.widgets() if isinstance(w, Figure)]
    assert len(marks) == 3
    for mark in range(3):
        [w for w in player.widgets() if isinstance(w, Figure)][mark].on_click()
        player.stepper(0)
    assert player.task.confirm()
    lost = player.last()
    assert isinstance(lost, a.Lose)
    assert {owner for owner, *_army in lost.armies} > {0}, "one's own, and what was lent"
    assert sum(sum(counts) for _owner, *counts in lost.armies) == 3


def test_after_a_round_one_fights_on_or_retreats() -> None:
    player = Player(at_war(*NOTHING, "....", "...."), 1)
    player.button("Fight on")
    assert player.last() == Stand()
    player = Player(at_war(*NOTHING, "....", "...."), 1)
    player.space("neapolis")
    player.space("neapolis")
    assert player.last() == Retreat(sp("neapolis"))


def test_the_wind_is_used_or_not() -> None:
    player = Player(windy(), 1)
    player.button("Accept")
    player.button("So be it")
    assert player.last() == a.Slip(False)


def test_a_vote_is_led_with_enough_senators_or_passed() -> None:
    player = Player(voting())
    vote = player.task
    assert isinstance(vote, Voting)
    assert not vote.confirm()
    assert player.toasts.pop() == "It takes a vote or more."
    vote.add(1, 1)
    vote.add(1, 1)
    assert vote.chosen == (0, 1, 0, 0), "there is but one"
    player.button("Show 2 votes")
    assert player.last() == a.Show(two=1)
    second = Player(player.match.state, 1)
    assert isinstance(second.task, Voting)
    assert "Livia leads with 2" in second.task.line()
    assert second.task.next()
    assert second.task.chosen == (0, 0, 0, 1)
    second.button("Pass")
    assert second.last() == a.Pass()
