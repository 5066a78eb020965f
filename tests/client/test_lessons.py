"""The lessons, each played to its end by a hand that clicks nothing but what the coach points at."""

from collections.abc import Callable
from itertools import permutations
from typing import Any, Final

import arcade
import pytest

from client.app import App
from client.drawing import theme
from client.drawing.widgets import Button
from client.games.conquest.drafts.move_draft import Legion
from client.games.conquest.lesson_conditions import province
from client.games.conquest.tasks.movement_tasks import Moving
from client.games.cote2.tasks.auction_task import Auctioning
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.player.lessons import TAUGHT, lesson_home, position
from client.screens.ask import AskScreen
from client.screens.lessons import LessonsScreen
from client.screens.menu import MenuScreen
from client.screens.table import TableScreen
from client.table.coach import Coach
from client.table.controls import Controls
from client.table.tabletop import Tabletop
from server.tools.recording import read, replay
from shared.ids import NONE
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import Buy, March
from shared.rulesets.cote2 import actions as cote2
from shared.rulesets.registry import RULESETS
from shared.vocabulary.actions import EndDestruction, EndMovement, EndTurn
from tests.client.conftest import Shoot, at_the_board, until
from tests.play import lessons
from tests.support.marks import mostly_long

CLICKS = 120
READING = 200
"""Words a minute."""
DEED = 5
"""Seconds for a click."""
MINUTES = 10
"""What a lesson may take."""
DECISIONS = 150
OTHERS: Final = {"classic": {17}, "mb1984": {18}, "cote2": {3, 16, 17, 18, 19, 23}}
"""Steps that pass while others decide, perhaps before anybody has read them, or where they leave no choice."""


@pytest.fixture(autouse=True)
def _hasty_bots(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("client.network.server_process.PACE", 0.0)


def click(app: App, x: float, y: float) -> None:
    """Move there, press, release, all as the window would tell."""
    app.screen.on_mouse_motion(x, y, 0, 0)
    app.screen.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)


def press(app: App, start: str) -> None:
    """Click the button of a screen whose words begin like that."""
    found = [w for w in app.screen.ui.widgets if isinstance(w, Button) and w.words.startswith(start)]
    assert found, start
    click(app, found[0].rect.x, found[0].rect.y)


def coach_of(app: App) -> Coach[Any]:
    assert isinstance(app.screen, TableScreen) and app.screen.top.coach is not None
    return app.screen.top.coach


class Pupil:
    """Player who does what the coach says, and nothing else."""

    def __init__(self, app: App, ruleset: str, shoot: Shoot) -> None:
        self.app = app
        self.ruleset = ruleset
        self.shoot = shoot
        self.seen: list[int] = []
        self.told: dict[str, None] = {}
        """All that was said, once each."""
        self.deeds = 0
        screen = app.screen
        assert isinstance(screen, TableScreen)
        self.top = screen.top

    @property
    def coach(self) -> Coach[Any]:
        return coach_of(self.app)

    def asked(self) -> bool:
        """Whether the coach waits for something."""
        self.top.hurry()
        self.top.update(0.0)
        self.look()
        coach = self.coach
        return (
            not self.top.busy
            and not self.top.match.pending
            and (coach.progress.step.done is None or bool(self.clickable()))
        )

    def clickable(self) -> list[tuple[float, float]]:
        """Return the points that the coach marks and that may be clicked, without whole panes."""
        marks = self.top.marks()
        return [(m.rect.x, m.rect.y) for m in marks if not self.coach.lit.pane] if self.top.match.is_mine else []

    def look(self) -> None:
        """A picture of each step, once; its words fit on the plate."""
        coach = self.coach
        self.told |= dict.fromkeys(words for words in (coach.said, coach.words) if words)
        if coach.progress.place not in self.seen:
            self.seen.append(coach.progress.place)
            self.shoot(self.app, f"lesson-{self.ruleset}-{coach.progress.place:02}")
        said, buttons = coach.spread
        assert said >= buttons, f"too long: {coach.progress.said} {coach.words}"

    @property
    def minutes(self) -> float:
        """Minutes for a player who reads all of it, and thinks about each click."""
        words = sum(len(said.split()) for said in self.told)
        return words / READING + self.deeds * DEED / 60

    def obey(self) -> None:
        self.deeds += 1
        if self.coach.progress.step.done is None:
            buttons = [w for w in self.coach.ui.widgets if isinstance(w, Button) and w.words == "Go on"]
            return click(self.app, buttons[0].rect.x, buttons[0].rect.y)
        return click(self.app, *self.clickable()[0])

    def play(self, enough: Callable[[], bool]) -> None:
        for _ in range(CLICKS):
            until(self.app, self.asked, 60)
            if enough():
                return
            self.obey()
        pytest.fail(f"the coach still says: {self.coach.words}")


def learn(app: App, ruleset: str, shoot: Shoot) -> Pupil:
    """From the menu to the board."""
    press(app, "Learn to play")
    assert isinstance(app.screen, LessonsScreen)
    shoot(app, "lessons")
    rows = [w for w in app.screen.ui.widgets if isinstance(w, Button) and w.words in ("Begin", "Go on")]
    row = rows[TAUGHT.index(ruleset)]
    click(app, row.rect.x, row.rect.y)
    until(app, lambda: at_the_board(app))
    return Pupil(app, ruleset, shoot)


@pytest.mark.parametrize("ruleset", mostly_long(TAUGHT, "classic"))
def test_a_pupil_who_follows_the_coach_comes_to_the_end(app: App, shoot: Shoot, ruleset: str) -> None:
    pupil = learn(app, ruleset, shoot)
    pupil.play(lambda: pupil.coach.progress.last)
    pupil.look()
    steps = pupil.coach.progress.lesson.steps
    assert pupil.seen == sorted(pupil.seen)
    assert {place for place in range(len(steps)) if place not in pupil.seen} <= OTHERS[ruleset], "all others were shown"
    buttons = [w for w in pupil.coach.ui.widgets if isinstance(w, Button)]
    assert 1 < pupil.minutes <= MINUTES
    (on,) = [w for w in buttons if w.words == "Play on"]
    click(app, on.rect.x, on.rect.y)
    assert pupil.top.coach is None and not pupil.top.marks()


def leave(app: App) -> None:
    (back,) = [w for w in coach_of(app).ui.widgets if isinstance(w, Button) and w.words == "Back to the menu"]
    click(app, back.rect.x, back.rect.y)
    assert isinstance(app.screen, MenuScreen)


@pytest.mark.long
def test_a_lesson_that_was_left_goes_on_where_it_was_or_begins_anew(app: App, shoot: Shoot) -> None:
    pupil = learn(app, "classic", shoot)
    pupil.play(lambda: pupil.coach.progress.place == 5)
    leave(app)
    assert [seat.address for seat in app.seats.all()] == [lesson_home("classic")]
    press(app, "Learn to play")
    press(app, "Go on")
    assert isinstance(app.screen, AskScreen)
    shoot(app, "lesson-again")
    press(app, "Continue it")
    until(app, lambda: at_the_board(app))
    until(app, lambda: coach_of(app).progress.place == 5)
    leave(app)
    app.go.learn("classic")
    press(app, "Start over")
    until(app, lambda: at_the_board(app))
    until(app, lambda: coach_of(app).words)
    assert coach_of(app).progress.place == 0
    assert len(app.seats.all()) == 1, "the lesson that was left is in no list any more"


@pytest.mark.parametrize("ruleset", TAUGHT)
def test_a_lesson_begins_where_its_script_leads(ruleset: str) -> None:
    assert position(ruleset).read_bytes() == lessons.written(ruleset), "python -m tests.play.lessons makes it anew"
    kept = read(position(ruleset))
    assert replay(RULESETS[ruleset], kept) == len(kept.log)


class Alone:
    """A pupil at a table without a server."""

    def __init__(self, ruleset: str) -> None:
        rules = RULESETS[ruleset]
        self.match = LocalMatch(rules, read(position(ruleset)).seats, seat=0)
        self.match.take_events()
        self.match.state = lessons.beginning(ruleset)
        self.top: Tabletop[Any] = Tabletop(self.match, guide(ruleset), RecordedCallbacks(), coached=True)
        self.top.place(*theme.BASE_SIZE)
        self.settle()

    @property
    def coach(self) -> Coach[Any]:
        assert self.top.coach is not None
        return self.top.coach

    def settle(self) -> None:
        self.top.hear()
        self.top.hurry()
        self.top.update(0.0)

    def read_on(self) -> None:
        """Read what there is to read, until the coach waits for a deed."""
        while self.coach.progress.step.done is None and not self.coach.progress.last:
            self.coach.go_on()
            self.settle()

    def do(self, *actions: Action) -> None:
        for action in actions:
            assert self.match.act(action) is None
            self.settle()


def test_other_decisions_in_a_lesson_are_explained(window: arcade.Window) -> None:
    pupil = Alone("classic")
    coach, (home, outpost, other) = pupil.coach, map(province, ("egyptus", "palestina", "arabia_petraea"))
    pupil.read_on()
    assert coach.words.endswith("Click your general in Palestina.")
    pupil.do(March(outpost, other, (1,), 2))
    assert coach.said.startswith("You sent him elsewhere")
    pupil.do(March(home, other, (2,), 1))
    assert coach.said.startswith("That army went another way.")
    assert "click it" in coach.words, "the battle can be had all the same"
    pupil.do(EndMovement())
    assert coach.said.startswith("No attack this time")
    assert coach.words.startswith("Tribute has come by itself: 30 talents")
    pupil.do(EndDestruction(), Buy())
    assert coach.said.startswith("You keep your talents.")
    assert coach.words.startswith("Now the other player")


def test_coach_of_classic_leaves_troops_with_the_caesar(window: arcade.Window) -> None:
    pupil = Alone("classic")
    pupil.read_on()
    home, enemy = province("egyptus"), province("cyrenaica")
    task = pupil.top.task
    assert isinstance(task, Moving)
    draft = task.draft
    assert draft.pick_province(home) is None and isinstance(draft.pick, Legion)
    pupil.do(March(home, enemy, draft.pick.leaders, *draft.pick.units))
    assert sum(pupil.match.view.units[home][1:4]) == 1


@pytest.mark.parametrize("boxes", tuple(permutations(range(3), 2)))
def test_coach_tells_the_truth_about_every_proposal(window: arcade.Window, boxes: tuple[int, int]) -> None:
    pupil = Alone("cote2")
    pupil.read_on()
    task = pupil.top.task
    assert isinstance(task, Auctioning)
    for seat in range(3):
        task.put(seat, boxes.index(seat) if seat in boxes else -1)
    assert task.boxes == boxes
    assert "A and B are opponents" in pupil.coach.words
    assert ("You propose" in pupil.coach.words) == (set(boxes) == {0, 1})
    assert ("yourself for alliance A" in pupil.coach.words) == (boxes == (0, 1))


@pytest.mark.parametrize("boxes", tuple(permutations(range(3), 2)))
@pytest.mark.parametrize("last", [0, 1])
def test_coach_knows_after_the_auctions_the_camp_of_the_enemy(
    window: arcade.Window, boxes: tuple[int, int], last: int
) -> None:
    pupil = Alone("cote2")
    pupil.read_on()
    pupil.do(cote2.Bid(0, *boxes))
    assert "allied" not in pupil.coach.words
    while not see_allied(pupil.match.view):
        seat, frame = pupil.match.owed()[0], pupil.match.view.frames[-1]
        (left,) = [seat for seat in range(3) if seat not in boxes]
        alone = cote2.Bid(0, *((left, NONE) if last == 0 else (NONE, left)))
        pupil.match.play(seat, alone if frame.bidder == NONE else cote2.Pass())
        pupil.settle()
    with_us = pupil.match.view.side[0] == pupil.match.view.side[1]
    assert ("Brutus stands with you" in pupil.coach.said) == with_us
    assert ("Brutus stands in the other camp" in pupil.coach.said) == (not with_us)


def see_allied(table: Any) -> bool:
    """Whether all players have an alliance."""
    return NONE not in table.side[:3]


def test_two_actions_of_another_kind_are_as_good(window: arcade.Window) -> None:
    pupil = Alone("cote2")
    coach = pupil.coach
    pupil.read_on()
    pupil.do(cote2.Bid(0, 0, 1))
    for seat in (1, 2):
        pupil.match.play(seat, cote2.Pass())
    pupil.match.play(1, cote2.Bid(0, NONE, 2))
    pupil.match.play(2, cote2.Pass())
    pupil.settle()
    assert coach.words.startswith("One player still has no alliance.")
    pupil.do(cote2.Pass())
    assert coach.said.startswith("You act first")
    pupil.read_on()
    assert coach.words.endswith("click your army in Macedonia.")
    pupil.do(cote2.Levy(5), cote2.Levy(5))
    assert coach.words.endswith("click your army in Macedonia."), "a card might still be used"
    pupil.do(EndTurn())
    assert coach.said.startswith("You did something else")
    assert coach.words.startswith("The others take their two actions.")


def test_coach_skips_the_battle_if_the_enemy_becomes_an_ally(window: arcade.Window) -> None:
    pupil = Alone("cote2")
    pupil.read_on()
    pupil.do(cote2.Bid(0, 0, 2))
    for seat in (1, 2):
        pupil.match.play(seat, cote2.Pass())
    pupil.match.play(1, cote2.Bid(0, 1, NONE))
    pupil.match.play(2, cote2.Pass())
    pupil.settle()
    pupil.do(cote2.Pass())
    assert pupil.coach.said.endswith("Brutus stands with you, so there is no battle with him.")
    assert pupil.coach.words.startswith("Cards that lie before you cost no action at all.")


@pytest.mark.parametrize("size", [(1024, 680), (1280, 800), (1920, 1080), (2560, 1440)])
@pytest.mark.parametrize("ruleset", TAUGHT)
def test_every_sentence_fits_in_a_window_of_any_size(
    window: arcade.Window, ruleset: str, size: tuple[int, int]
) -> None:
    coach = (pupil := Alone(ruleset)).coach
    theme.set_window(*size)
    pupil.top.place(*size)
    for place, step in enumerate(coach.progress.lesson.steps):
        if isinstance(step.words, str):
            coach.progress.place, coach.words = place, step.words
            coach.rebuild()
            said, buttons = coach.spread
            assert said >= buttons, step.words


def test_enter_reads_on_where_there_is_nothing_to_do(window: arcade.Window) -> None:
    pupil = Alone("classic")
    keys = Controls(pupil.top)
    for place in range(3):
        assert pupil.coach.progress.place == place
        keys.key_press(arcade.key.ENTER, 0)
    assert pupil.coach.progress.place == 2, "a deed is not done by reading"


def test_a_draft_can_be_undone(window: arcade.Window) -> None:
    pupil = Alone("mb1984")
    coach, mouse = pupil.coach, Controls(pupil.top)
    pupil.read_on()
    asked = coach.words
    (mark,) = pupil.top.marks()
    mouse.mouse_press(mark.rect.x, mark.rect.y, arcade.MOUSE_BUTTON_LEFT)
    mouse.mouse_release(mark.rect.x, mark.rect.y, arcade.MOUSE_BUTTON_LEFT)
    pupil.settle()
    assert coach.words.endswith("Moesia is undefended: click it.")
    mouse.key_press(arcade.key.ESCAPE, 0)
    pupil.settle()
    assert coach.words == asked


def test_no_coach_without_a_lesson(window: arcade.Window) -> None:
    top: Tabletop[Any] = Tabletop(LocalMatch(RULESETS["classic"], 2, seat=0), guide("classic"), RecordedCallbacks())
    top.place(*theme.BASE_SIZE)
    assert top.coach is None and not top.marks()


def test_nothing_is_pointed_at_through_what_covers_it(window: arcade.Window) -> None:
    pupil = Alone("classic")
    pupil.read_on()
    assert [mark.round for mark in pupil.top.marks()] == [True]
    pupil.top.calculate()
    assert not pupil.top.marks()
    pupil.top.calculate()
    assert pupil.top.marks()


@pytest.mark.long
@pytest.mark.parametrize("ruleset", TAUGHT)
def test_coach_has_a_text_after_every_action(window: arcade.Window, ruleset: str) -> None:
    pupil = Alone(ruleset)
    coach = pupil.coach
    for _ in range(DECISIONS):
        if not pupil.match.step():
            break
        pupil.settle()
        pupil.top.marks()
        assert coach.words
        said, buttons = coach.spread
        assert said >= buttons, f"too long: {coach.said} {coach.words}"
    pupil.read_on()
    assert coach.progress.last, "all was done, or its time is past"
