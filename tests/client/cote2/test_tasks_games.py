"""Whole matches in which one seat is played through its tasks alone: by Enter, or by whatever can be clicked."""

from collections.abc import Callable
from random import Random

import pytest

from client.drawing import shapes, theme
from client.drawing.widgets import Button, Label
from client.games.cote2.tasks.senate_tasks import SenateVoting
from client.games.cote2.tasks.turn_task import KINDS, TakingTurn
from client.games.static_match import LocalMatch
from client.table.geography import geography
from client.table.pane import Figure, Stepper
from client.table.pieces import Pick
from client.table.task import Hit
from shared.kernel import engine
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.state import State
from tests.client.cote2.player import Player
from tests.support.cote2_games import crowded
from tests.support.marks import mostly_long, with_releases

Hand = Callable[[Player, Random], None]
pytestmark = pytest.mark.usefixtures("window")


def others_play(player: Player, chance: Random) -> None:
    """Until the seat of the player owes something."""
    match = player.match
    while not match.finished and not match.is_mine:
        seat = match.owed()[0]
        match.play(seat, chance.choice(list(engine.options(COTE2, match.state, seat))))


def obedient(player: Player, chance: Random) -> None:
    """Take one of the eight actions, as suggested; else pass."""
    task = player.task
    if isinstance(task, TakingTurn):
        possible = [kind for kind in range(len(KINDS)) if task.possible(kind)]
        if possible:
            task.choose(chance.choice(possible))
    acted = len(player.done)
    if isinstance(task, SenateVoting):
        if task.next():
            task.confirm()
    else:
        for step in (task.confirm, task.next, task.confirm):
            if len(player.done) == acted:
                step()
    for _ in range(2):
        if len(player.done) == acted:
            task.clear()
            task.end()
    assert len(player.done) > acted, (player.frame, task.line(), player.toasts)


def restless(player: Player, chance: Random) -> None:
    """Clicks on whatever there is, then Enter; a pass where that leads to nothing."""
    acted, task = len(player.done), player.task
    for _ in range(chance.randrange(1, 9)):
        if len(player.done) > acted:
            return
        _click_something(player, chance)
    if len(player.done) == acted and not task.confirm():
        for step in (task.clear, task.end, task.end, task.next, task.confirm):
            if len(player.done) == acted:
                step()


def _click_something(player: Player, chance: Random) -> None:
    things = [w for w in player.widgets() if isinstance(w, Figure | Stepper | Button) and w.enabled]
    lit = list(player.task.lit())
    picks: list[Pick] = [*player.task.glow(), *[token.pick for token in player.task.ghosts()]]
    what = chance.randrange(4)
    if what == 0 and lit:
        space = chance.choice(lit)
        player.task.click(Hit(space, None, geography().heart(space)))
    elif what == 1 and picks:
        pick = chance.choice(sorted(picks, key=repr))
        player.task.click(Hit(pick.place if pick.place < 60 else 0, pick, (0.0, 0.0)))
    elif what == 2:
        chance.choice([player.task.undo, player.task.next, player.task.forget_question])()
    elif things:
        thing = chance.choice(things)
        if isinstance(thing, Stepper):
            thing.step(chance.choice((1, 1, -1)))
        else:
            thing.on_click()


def play_match(seats: int, seed: int, hand: Hand, decisions: int) -> Player:
    """A match up to its end, or to so many decisions of the seat."""
    chance = Random(seed)
    seat = seed % seats
    player = Player(LocalMatch(COTE2, seats, seed=seed).state, seat, seed=seed)
    for _ in range(decisions):
        others_play(player, chance)
        if player.match.finished:
            break
        player.sit_down()
        hand(player, chance)
    return player


@pytest.mark.parametrize("seats", [2, 3, 5])
def test_suggestions_are_always_legal(seats: int) -> None:
    player = play_match(seats, seats, obedient, 60)
    assert player.done
    assert not player.toasts


@pytest.mark.parametrize("seats", mostly_long([2, 4], 4))
def test_no_clicks_break_anything(seats: int) -> None:
    player = play_match(seats, 10 + seats, restless, 60)
    assert len(player.done) > 20


def shortened(player: Player) -> set[str]:
    """Return the texts that do not fit into the action bar."""
    found = {w.words for w in player.widgets() if isinstance(w, Label | Button) and w.words.endswith("…")}
    for thing in player.widgets():
        if isinstance(thing, Figure | Stepper):
            bold = isinstance(thing, Figure) and thing.on
            if shapes.kept(thing.caption, size=theme.SMALL, bold=bold).content_width > thing.rect.width:
                found.add(thing.caption)
    return found


def remote(state: State, chance: Random) -> None:
    """All kinds of actions are begun, and clicked about in."""
    for kind in range(len(KINDS) - 1):
        player = Player(state, state.frames[-1].seat)  # type: ignore[union-attr]
        task = player.task
        if isinstance(task, TakingTurn) and task.possible(kind):
            task.choose(kind)
            while len(player.done) == 0 and chance.randrange(12):
                _click_something(player, chance)


@pytest.mark.long
@pytest.mark.parametrize("seats", with_releases(range(2, 7), 2))
def test_no_words_in_the_tray_are_cut(seats: int, monkeypatch: pytest.MonkeyPatch) -> None:
    cut: set[str] = set()
    changed = Player.changed

    def look(player: Player) -> None:
        changed(player)
        cut.update(shortened(player))

    monkeypatch.setattr(Player, "changed", look)
    play_match(seats, 50 + seats, restless, 40)
    chance = Random(seats)
    for seed in range(6):
        state = crowded(seats, 10 * seats + seed)
        if isinstance(state.frames[-1], Turn):
            remote(state, chance)
    assert not cut


@pytest.mark.long
@pytest.mark.parametrize("seats", with_releases(range(2, 7), 3))
@pytest.mark.parametrize("hand", [obedient, restless])
def test_whole_matches_reach_their_end(seats: int, hand: Hand) -> None:
    for seed in range(3):
        player = play_match(seats, 20 * seats + seed, hand, 4000)
        assert player.match.finished, player.frame
        if hand is obedient:
            assert not player.toasts
