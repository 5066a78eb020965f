"""Hints in the first ordinary game of each rule set: at fitting moments, each once, without covering controls."""

from itertools import product
from pathlib import Path
from typing import Any

import arcade
import pytest

from client.app import App
from client.drawing import theme
from client.drawing.fields import Selector
from client.drawing.widgets import Button, Label
from client.games.cote2.tasks.turn_task import INFLUENCE, PASS, TakingTurn
from client.games.registry import GUIDES, guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.keyboard.commands import Command
from client.player.hints import FirstGame, Hints
from client.player.settings import load
from client.player.table_options import TableOptions
from client.screens.settings import SettingsScreen
from client.screens.table import TableScreen
from client.table.geography import geography
from client.table.hints import ADVICE, Progress
from client.table.layout import SidePart as LayoutPart
from client.table.mouse_input import MouseInput
from client.table.tabletop import Tabletop
from client.table.task import AnyTask, Hit
from shared.ids import NONE
from shared.lessons.lesson import Glance
from shared.rulesets.registry import RULESETS
from tests.client.conftest import Photograph, Shoot, at_the_board, until
from tests.client.desk import StillDesk
from tests.client.test_text_sizes import lettered
from tests.support.marks import pairs_in_stages, with_releases


class Player:
    """Player with a mouse at a table without a server, in a first game."""

    def __init__(self, game: str, seats: int = 3, seat: int = 0, hints: Hints | None = None, seed: int = 1) -> None:
        self.hints = hints if hints is not None else Hints()
        self.saved = 0
        self.match = LocalMatch(RULESETS[game], seats, seat=seat, seed=seed)
        first = FirstGame(self.hints, game, "m1", self._save)
        self.top: Tabletop[Any] = Tabletop(self.match, guide(game), RecordedCallbacks(), first=first)
        self.controls = MouseInput(self.top)
        self.top.place(*theme.BASE_SIZE)
        self.see()

    def _save(self) -> None:
        self.saved += 1

    @property
    def words(self) -> str:
        """Text of the present hint."""
        return self.top.news.hinting.plate.words if self.top.news.hinting is not None else ""

    @property
    def keys(self) -> set[str]:
        """Keys of the hints so far."""
        return {told.split()[1] for told in self.hints.told}

    def see(self) -> None:
        self.top.hear()
        self.top.events.hurry()
        self.top.update(5.0)

    def click(self, x: float, y: float) -> None:
        self.controls.mouse_motion(x, y)
        self.controls.mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT)
        self.controls.mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT)
        self.top.update(0.1)

    def press(self, words: str) -> None:
        assert self.top.news.hinting is not None
        found = [w for w in self.top.news.hinting.plate.ui.widgets if isinstance(w, Button) and w.words == words]
        self.click(found[0].rect.x, found[0].rect.y)

    def pass_time(self) -> None:
        """Let all other seats that owe decisions act."""
        self.match.step()
        self.see()


@pytest.fixture(autouse=True)
def _window(window: arcade.Window) -> None:
    theme.set_window(*theme.BASE_SIZE)


class Reader:
    """Follows a match from a seat without a window, and puts together what can be put together."""

    def __init__(self, game: str, seed: int) -> None:
        self.match = LocalMatch(RULESETS[game], 3, seat=0, seed=seed)
        self.desk = StillDesk(self.match)
        self.hints = Hints()
        self.guide = guide(game)
        self.progress: Progress[Any] = Progress(self.guide.hints, FirstGame(self.hints, game, "m1", lambda: None))

    @property
    def keys(self) -> set[str]:
        return {told.split()[1] for told in self.hints.told}

    def decide(self) -> None:
        """All that could be thought of at this decision is looked at."""
        table = self.match.view
        task = self.guide.task(self.desk, table.frames[-1])
        assert task is not None
        self._look(task)
        version = self.match.version
        for _ in range(8):
            if self.match.version != version:
                break  # A click has done something.
            if isinstance(task, TakingTurn):
                for kind in filter(task.possible, range(PASS)):
                    task.choose(kind)
                    self._aim(task)
            elif task.next():
                self._aim(task)

    def _aim(self, task: AnyTask) -> None:
        self._look(task)
        for space in list(task.lit())[:4]:
            task.click(Hit(space, None, geography().heart(space)))
            self._look(task)

    def _look(self, task: AnyTask) -> None:
        self.progress.follow(Glance(self.match.view, 0, task, ()), self.match.version, lambda lit: not lit.buttons)
        self.progress.put_away()


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(RULESETS, "mb1984"))
def test_a_game_has_a_handful_of_hints_and_each_finds_its_moment(game: str) -> None:
    wanted = {hint.key for hint in GUIDES[game].hints} - {ADVICE.key}
    assert 7 <= len(wanted) <= 9
    told: set[str] = set()
    for seed in range(1, 12):
        reader = Reader(game, seed)
        for _ in range(400):
            if reader.match.finished:
                break
            if reader.match.is_mine:
                reader.decide()
            reader.match.step()
        told |= reader.keys
        if told >= wanted:
            break
    assert told == wanted


def anywhere(player: Player) -> None:
    """Check that a hint covers neither controls nor the board."""
    top = player.top
    assert top.news.hinting is not None
    plate = top.news.hinting.plate
    assert plate.shown
    rect = plate.rect
    inside = top.chronicle.rect
    assert inside.left <= rect.left and rect.right <= inside.right and rect.top <= inside.top
    assert not rect.overlaps(top.board.rect)
    for pane in (*top.panes, *top.sheets):
        for widget in pane.ui.widgets if pane is not plate else ():
            if isinstance(widget, Label):
                continue
            assert not (widget.visible and widget.rect.overlaps(rect)), widget
    labels = [w for w in plate.ui.widgets if isinstance(w, Label)]
    buttons = [w for w in plate.ui.widgets if isinstance(w, Button)]
    assert len(buttons) == 2 and all(label.rect.bottom > buttons[0].rect.top for label in labels)


@pytest.mark.parametrize(
    ("game", "seats", "size"),
    pairs_in_stages(
        product(RULESETS, (2, 6), (theme.BASE_SIZE, theme.MIN_SIZE, (1920, 1080))),
        product(RULESETS, (6,), (theme.MIN_SIZE,)),
        product(RULESETS, (2,), (theme.BASE_SIZE, theme.MIN_SIZE)),
    ),
    ids=str,
)
def test_a_hint_covers_no_control(game: str, seats: int, size: tuple[int, int]) -> None:
    theme.set_window(*size)
    player = Player(game, seats)
    player.top.place(*size)
    assert player.top.news.hinting is not None
    for hint in GUIDES[game].hints:
        player.top.news.hinting.progress.hint = hint
        player.top.news.hinting._show()
        anywhere(player)


@pytest.mark.parametrize("percent", [125, 150, 175])
@pytest.mark.parametrize("game", RULESETS)
def test_with_large_letters_hints_cover_neither_players_nor_sheets(game: str, percent: int) -> None:
    lettered(percent)
    player = Player(game)
    top = player.top
    top.place(*theme.BASE_SIZE)
    assert top.news.hinting is not None and top.side.layout.folded and not top.side.layout.news.width
    top.lay(None)
    plate, top.news.hinting._frame = top.news.hinting.plate, player.match.view.frames[0].no
    for hint in GUIDES[game].hints:
        top.news.hinting.progress.hint = hint
        top.news.hinting._show()
        assert plate in top.panes and top.chronicle.is_hidden
        for pane in (top.layout.bar, top.layout.strip, top.side.tabs, top.side.roster, top.board):
            assert not pane.rect.overlaps(plate.rect), f"{hint.key}: {pane}"
        top.lay(Command.ODDS)
        assert top.sheet is not None and plate not in top.panes
        top.lay(None)
    top.side.unfold(LayoutPart.PLAYERS)
    assert plate not in top.panes and top.side.tabs.turned is LayoutPart.PLAYERS
    top.side.unfold(LayoutPart.NEWS)
    top.news.hinting._close()
    assert top.side.tabs.turned is LayoutPart.PLAYERS and LayoutPart.NEWS not in top.side.tabs.parts


def test_a_hint_goes_with_its_decision() -> None:
    player = Player("cote2")
    while not player.words:
        player.pass_time()
    decision, words = player.match.view.frames[-1].no, player.words
    while any(frame.no == decision for frame in player.match.view.frames):
        player.match.step()
    player.see()
    assert player.words != words


def first_decision(player: Player) -> None:
    while not player.match.is_mine:
        player.pass_time()


def pick_caesar(player: Player) -> None:
    """Pick the army at one's home, where the Caesar stands."""
    home = player.match.view.leader_at[0]
    player.top.task.click(Hit(home, None, geography().heart(home)))


def test_a_hint_comes_with_its_moment_and_goes_by_a_click(photograph: Photograph) -> None:
    player = Player("classic")
    first_decision(player)
    assert not player.words
    pick_caesar(player)
    assert player.words.startswith("A province without an owner")
    player.top.draw()
    photograph("hint_classic")
    player.press("Got it")
    assert not player.words and not player.top.guidance.marks()
    player.top.task.clear()
    pick_caesar(player)
    assert not player.words, "one at a time, and each once"
    assert player.saved == 1 and player.hints.games == {"classic": "m1"}


def test_an_open_hint_makes_room_for_the_next_at_a_later_decision() -> None:
    player = Player("cote2")
    first_decision(player)
    assert "Only the winner pays" in player.words
    player.press("Got it")
    while not isinstance(player.top.task, TakingTurn):
        player.pass_time()
    first = player.words
    assert first and "Only the winner pays" not in first
    player.top.task.choose(INFLUENCE)
    assert player.words == first
    player.press("Got it")
    player.top.task.begin(None)
    player.top.task.choose(INFLUENCE)
    assert player.words.startswith("Influence wins")


@pytest.mark.long
def test_no_more_of_them_by_one_click_and_all_again_by_the_settings(app: App) -> None:
    player = Player("classic", hints=app.settings.hints)
    first_decision(player)
    player.top.task.next()
    player.press("No more tips")
    assert not player.words and not app.settings.hints.on
    for _ in range(30):
        player.pass_time()
        assert not player.words
    app.go.show(SettingsScreen(app, close=app.go.menu))
    screen = app.screen
    labels = [w for w in screen.ui.widgets if isinstance(w, Label)]
    (name,) = [w for w in labels if w.words == "Tips in a first game"]
    at = min((w for w in screen.ui.widgets if isinstance(w, Selector) and w.rect.left > name.rect.left),
             key=lambda w: abs(w.rect.y - name.rect.y) + w.rect.left / 10)  # fmt: skip
    for x in (at.rect.right - 8, at.rect.left + 8):
        screen.on_mouse_motion(x, at.rect.y, 0, 0)
        screen.on_mouse_press(x, at.rect.y, arcade.MOUSE_BUTTON_LEFT, 0)
        screen.on_mouse_release(x, at.rect.y, arcade.MOUSE_BUTTON_LEFT, 0)
    assert app.settings.hints == Hints()
    again = Player("classic", hints=app.settings.hints)
    first_decision(again)
    again.top.task.next()
    assert again.words


def test_only_in_the_first_match_of_each_game_and_never_for_spectators() -> None:
    hints = Hints(games={"classic": "m0"})
    later = Player("classic", hints=hints)
    first_decision(later)
    later.top.task.next()
    assert not later.words
    other = Player("mb1984", hints=hints)
    first_decision(other)
    other.top.task.next()
    assert other.words
    onlooker = Player("classic", seat=NONE)
    for _ in range(20):
        onlooker.pass_time()
    assert onlooker.top.news.hinting is None


def test_chat_is_kept(home: Path) -> None:
    home.mkdir()
    settings = load()
    FirstGame(settings.hints, "classic", "m1", settings.save).tell("claim")
    again = FirstGame(load().hints, "classic", "m1", settings.save)
    assert again.told("claim") and not again.told("sea") and again.on
    assert not FirstGame(load().hints, "classic", "m2", settings.save).on
    assert FirstGame(load().hints, "cote2", "m2", settings.save).on


def test_the_first_match_against_bots_begins_with_where_to_ask(app: App, shoot: Shoot) -> None:
    app.go.play(TableOptions(seats=3, home=0))
    until(app, lambda: at_the_board(app) and app.remote.match is not None and app.remote.match.is_mine)
    screen = app.screen
    assert isinstance(screen, TableScreen) and screen.top.news.hinting is not None
    until(app, lambda: screen.top.news.hinting is not None and screen.top.news.hinting.plate.shown)
    assert screen.top.news.hinting.plate.words == ADVICE.words
    (mark,) = screen.top.guidance.marks()
    assert any(w.rect == mark.rect and w.words == "Advice" for w in screen.top.layout.header.ui.widgets
               if isinstance(w, Button))  # fmt: skip
    assert not screen.toasts_at().overlaps(screen.top.news.hinting.plate.rect)
    shoot(app, "hint_first_match")
    screen.top.advice.ask()
    until(app, lambda: screen.top.advice.plate.has_buttons)
    assert screen.top.news.hinting.plate.words != ADVICE.words and mark not in screen.top.guidance.marks(), (
        "it was heeded"
    )


def test_no_lesson_has_them(app: App) -> None:
    app.go.learn("classic")
    until(app, lambda: at_the_board(app))
    screen = app.screen
    assert isinstance(screen, TableScreen) and screen.top.side.coach is not None and screen.top.news.hinting is None


@pytest.mark.long
def test_a_hint_makes_room_for_what_the_others_did(window: arcade.Window) -> None:
    player = Player("classic", seed=3)
    while not player.words:
        player.pass_time()
    while player.match.is_mine:
        player.match.step()
    player.see()
    while not player.top.news.turns.deeds:
        player.pass_time()
    assert player.top.news.plate.shown != bool(player.words)
    if player.words:
        player.press("Got it")
    assert player.top.news.plate.shown and not player.words
