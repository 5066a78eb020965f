"""Problems in the window and in the text client: the verdict, the hint, the solution, and the list."""

from typing import Any

import arcade
import pytest

from client.app import App
from client.drawing import theme
from client.drawing.widgets import Button
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.language import say
from client.player.lessons import lesson_home, position, problem_list
from client.player.settings import Settings
from client.screens.lessons import LessonsScreen, ProblemsScreen
from client.screens.table import TableScreen
from client.table.coach import ProblemCoach
from client.table.problem import Attempt, attempted
from client.table.tabletop import Tabletop
from server.tools.recording import read, replay
from shared.kernel.frames import Action
from shared.lessons.registry import BY_KEY, PROBLEMS
from shared.rulesets.classic.actions import Buy
from shared.rulesets.registry import RULESETS
from tests.client.conftest import Shoot, at_the_board, until
from tests.play import problems
from tests.support.marks import with_releases


class Judged(LocalMatch):
    """A match without a server whose actions are judged as those of a server's match."""

    judge: Any = None

    def act(self, action: Action) -> Any:
        if self.check(action) is None and self.judge is not None:
            self.judge(action)
        return super().act(action)


class Solver:
    """A player at the table of a problem."""

    def __init__(self, key: str) -> None:
        problem = BY_KEY[key]
        rules = RULESETS[problem.ruleset]
        self.match = Judged(rules, read(position(key)).seats, seat=0)
        self.match.take_events()
        self.match.state = problems.position(key)
        self.solved: list[str] = []
        self.again = 0
        self.attempt: Attempt = attempted(self.match, problem, self.solved.append)
        coach: ProblemCoach[Any] = ProblemCoach(
            self.attempt, lambda: None, self._begin_again, lambda: self.top.guidance.follow()
        )
        self.top: Tabletop[Any] = Tabletop(self.match, guide(problem.ruleset), RecordedCallbacks(), problem=coach)
        self.coach = coach
        self.top.place(*theme.BASE_SIZE)
        self.settle()

    def _begin_again(self) -> None:
        self.again += 1

    def settle(self) -> None:
        self.top.hear()
        self.top.events.hurry()
        self.top.update(0.0)

    def press(self, words: str) -> None:
        (button,) = [w for w in self.coach.ui.widgets if isinstance(w, Button) and w.words == words]
        assert button.deed is not None
        button.deed()
        self.settle()


def test_a_problem_judges_a_decision_and_keeps_its_solution(window: arcade.Window) -> None:
    player = Solver("problem-2")
    assert player.coach.words == say(BY_KEY["problem-2"].task) and not player.coach.said
    player.match.act(Buy(1, 0, 1))
    player.settle()
    assert player.coach.said.startswith("Not yet. Your chance is ") and not player.solved
    player.match.undo()
    player.match.act(Buy(4))
    player.settle()
    assert player.coach.said.startswith("Solved! Your chance is 79 %.")
    assert player.solved == ["problem-2"]


def test_hint_and_solution_are_shown_on_request(window: arcade.Window) -> None:
    player, problem = Solver("problem-1"), BY_KEY["problem-1"]
    assert not player.top.guidance.marks()
    player.press("A hint")
    assert player.coach.words == say(problem.hint)
    player.press("The task")
    assert player.coach.words == say(problem.task)
    player.press("The solution")
    assert player.coach.words == say(problem.solution) and player.top.guidance.marks()
    player.press("Try again")
    assert player.again == 1


@pytest.mark.parametrize("size", with_releases([(1024, 680), (1280, 800)], (1024, 680)))
@pytest.mark.parametrize("key", BY_KEY)
def test_every_word_fits(window: arcade.Window, key: str, size: tuple[int, int]) -> None:
    player, problem = Solver(key), BY_KEY[key]
    theme.set_window(*size)
    player.top.place(*size)
    player.attempt.worth = problem.enough - 0.01
    for words in (problem.task, problem.hint, problem.solution):
        player.coach.words = say(words)
        player.coach.rebuild()
        said, buttons = player.coach.spread
        assert said >= buttons, words


@pytest.mark.parametrize("key", BY_KEY)
def test_a_problem_begins_where_its_script_leads(key: str) -> None:
    assert position(key).read_bytes() == problems.written(key), "python -m tests.play.problems makes it anew"
    kept = read(position(key))
    assert replay(RULESETS[kept.ruleset], kept) == len(kept.log)


def test_the_list_tells_what_is_solved() -> None:
    lines = problem_list(["problem-2"])
    assert len(lines) == len(PROBLEMS) == 10
    assert [line for line in lines if line.endswith(", solved)")] == [lines[1]]
    settings = Settings()
    settings.keep_solved("problem-1")
    settings.keep_solved("problem-1")
    assert settings.solved == ["problem-1"]


@pytest.mark.long
def test_a_problem_is_reached_from_the_menu_and_begins_anew(app: App, shoot: Shoot) -> None:
    app.go.lessons()
    assert isinstance(app.screen, LessonsScreen)
    app.go.problems()
    assert isinstance(app.screen, ProblemsScreen)
    shoot(app, "problems")
    for _ in range(2):
        app.go.solve("problem-1")
        until(app, lambda: at_the_board(app), 60)
        assert isinstance(app.screen, TableScreen) and isinstance(app.screen.top.side.coach, ProblemCoach)
    shoot(app, "problem-1")
    assert [seat.address for seat in app.seats.all()] == [lesson_home("problem-1")]
