"""The battle over the board without a window: ranks of figures, the glide of the map, moments; and turning points."""

from itertools import pairwise
from types import SimpleNamespace
from typing import Any

import arcade
import pytest

from client.drawing import shapes, theme
from client.games.registry import guide
from client.games.static_match import LocalMatch
from client.player.settings import PlaySettings
from client.replay.film_analysis import MatchHighlight, MatchStatistics
from client.replay.game_replay import HighlightKind
from client.replay.turning_points import chances, turning_points
from client.sound.sounds import Sound
from client.table import board_view, task_chooser
from client.table.battle_panel import BattlePanel
from client.table.battle_playback import Block, FallenDice, PlaybackStep
from client.table.battle_stage import AwaitedDecision, BattleStage, _Scene, arrange, mustered
from client.table.battlefield import land
from client.table.board_view import Glide
from client.table.camera import Camera
from client.table.moments import SECONDS, Moments, TitledEvent
from client.table.prompts import Prompt
from client.table.task_chooser import Asking
from client.table.thrown_dice import Throw, fanned
from shared.board import BOARD
from shared.ids import NONE
from shared.rulesets.registry import RULESETS
from tests.client.desk import StillDesk

FIELD = arcade.LRBT(100, 480, 200, 420)
FIGHT: Any = None
RESULT = "You hold the field at Syria. You take Syria from Cassius. You capture 2 generals."


def step(**fields: Any) -> PlaybackStep[Any]:
    """A step of a battle in which only the losses matter."""
    return PlaybackStep(FIGHT, 1.0, **fields)


@pytest.mark.parametrize("way", [1, -1])
@pytest.mark.parametrize("numbers", [(1,), (4, 2, 1), (30, 9, 9, 8), (3,) * 16])
def test_every_figure_stands_on_its_part_of_the_field(numbers: tuple[int, ...], way: int) -> None:
    blocks = [Block(i // 4, i % 4, number) for i, number in enumerate(numbers)]
    groups = arrange(FIELD, mustered(blocks, step(), 0, 0), way)
    assert sorted(len(group.figures) for group in groups) == sorted(numbers)
    for figure in [figure for group in groups for figure in group.figures]:
        assert FIELD.left - figure.size / 2 <= figure.x <= FIELD.right + figure.size / 2
        assert FIELD.bottom <= figure.y - figure.size / 2 and figure.y + figure.size / 2 <= FIELD.top + 1
    front = [group.rect.x for group in groups if group.rect.bottom == FIELD.bottom]
    assert front == sorted(front, reverse=way > 0), "the first block is next to the enemy"
    assert len(front) >= len(numbers) / 2


def test_the_fallen_lie_where_they_stood_and_the_others_keep_their_places() -> None:
    full = arrange(FIELD, mustered([Block(0, 0, 6), Block(0, 2, 2)], step(), 0, 0), 1)
    lost = {(0, 0): 2, (0, 2): 2, (1, 0): 5}
    beat = step(lost=lost, before={(0, 0): 1}, camps={0: 0, 1: 1})
    after = arrange(FIELD, mustered([Block(0, 0, 4)], beat, 0, 0), 1)
    assert [[(f.x, f.y) for f in group.figures] for group in after] == [[(f.x, f.y) for f in g.figures] for g in full]
    lying = [[figure.fresh for figure in group.figures if figure.lies] for group in after]
    assert [sorted(fresh) for fresh in lying] == [[False, True], [True, True]], "a unit fell before, the others now"
    assert [group.block.count for group in after] == [4, 0]


def test_each_land_has_its_picture() -> None:
    keys = {"noricum": "mountains", "egyptus": "desert", "italia": "coast"}
    assert {key: land(BOARD.space(key), 0) for key in keys} == keys
    assert land(BOARD.space("egyptus"), 1) == "city"
    assert land(BOARD.provinces, 0) == "sea"


def looking() -> Camera:
    """A camera over the whole board."""
    camera = Camera(3600, 2384)
    camera.place(0, 50, 880, 570, 1.0)
    return camera


def test_the_map_glides_near_and_back() -> None:
    camera = looking()
    home, move = camera.view, Glide(camera)
    assert move.approach([(1000.0, 1000.0), (1200.0, 1100.0)])
    assert camera.view == home, "the picture moves first"
    assert not move.update(board_view.SECONDS / 2)
    rect = arcade.LBWH(0, 50, 880, 570)
    assert move.seen(rect).width > rect.width
    assert move.update(board_view.SECONDS)
    assert not move.moving
    near = camera.to_window(1100.0, 1050.0)
    assert near == pytest.approx((440, 335))
    assert move.leave()
    assert camera.view == home


def test_the_map_stays_where_the_player_has_moved_it() -> None:
    camera = looking()
    move = Glide(camera)
    move.approach([(1000.0, 1000.0), (1200.0, 1100.0)])
    move.arrive()
    camera.pan(40, 0)
    there = camera.view
    assert not move.leave()
    assert camera.view == there


def test_moments_come_one_after_the_other_once_the_battle_is_shown() -> None:
    moments = Moments(PlaySettings())
    for title in ("first", "second"):
        moments.hear(TitledEvent(title), "words")
    seen: list[str] = []
    moments.update(0.1, held=True)
    assert moments.shown is None
    for _ in range(50):
        moments.update(SECONDS / 10, held=False)
        if moments.shown is not None and moments.shown[0].title not in seen:
            seen.append(moments.shown[0].title)
    assert seen == ["first", "second"]
    assert moments.shown is None
    moments.hear(TitledEvent("third"), "words")
    assert moments.update(0.0, held=False) and moments.update(0.05, held=False)
    assert moments.update(0.5, held=False), "its band was not open yet when it was drawn last"
    assert not moments.update(0.5, held=False)
    quiet = Moments(PlaySettings(pace="off"))
    quiet.hear(TitledEvent("never"), "words")
    quiet.update(0.1, held=False)
    assert quiet.shown is None


def test_long_words_of_a_moment_stay_below_its_title(window: arcade.Window, monkeypatch: pytest.MonkeyPatch) -> None:
    moments, drawn = Moments(PlaySettings(pace="off")), list[arcade.Text]()

    def noted(*args: Any, **named: Any) -> arcade.Text:
        drawn.append(say(*args, **named))
        return drawn[-1]

    say = shapes.say
    monkeypatch.setattr(shapes, "say", noted)
    moments.shown = (
        TitledEvent("New cards", ("caesar_0",) * 4),
        "Cards are laid open: Merchant, Build City, Politician. " * 3,
    )
    moments._age = 9.0
    moments.draw(arcade.LRBT(0, 750, 148, 640))
    title, words = drawn
    assert words.y + words.content_height / 2 <= title.y - title.content_height / 3


def test_a_moment_with_an_outcome_holds_it_back_until_it_was_shown() -> None:
    played: list[Sound] = []
    moments = Moments(PlaySettings(), played.append)
    assert not moments.hear(TitledEvent("a vote begins"), "", Sound.GAVEL)
    assert not moments.holding
    assert moments.hear(TitledEvent("a vote is won", holds=True), "", Sound.TRUMPET)
    assert moments.holding and moments.title == "a vote begins"
    moments.update(0.1, held=False)
    assert moments.holding and not played
    moments.update(SECONDS, held=False)
    assert moments.holding and moments.title == "a vote is won" and played == [Sound.TRUMPET]
    moments.update(SECONDS, held=False)
    assert not moments.holding and moments.title == ""
    moments.hear(TitledEvent("a draw", holds=True), "")
    assert moments.skip() and not moments.holding and not moments.skip()
    assert not Moments(PlaySettings(pace="off")).hear(TitledEvent("never", holds=True), "")


def dice(count: int) -> FallenDice:
    """A roll of so many dice with all faces."""
    faces = tuple(f"die_{1 + i % 6}" for i in range(count))
    return FallenDice(0, faces, tuple(i % 3 == 0 for i in range(count)), count // 3, faces[:6], "3 hits")


@pytest.mark.parametrize("count", [1, 7, 8, 12, 20, 40])
def test_dice_are_large_and_lie_in_their_part_of_the_field(window: arcade.Window, count: int) -> None:
    theme.set_window(1280, 800)
    area = arcade.LBWH(20, 60, 425, 170)
    for way in (1, -1):
        throw = Throw(area, dice(count), way)
        assert throw.side >= 64
        assert len(set(throw.spots())) == count
        for x, y in throw.spots():
            assert area.left <= x - throw.side / 2 and x + throw.side / 2 <= area.right
            assert area.bottom <= y - throw.side / 2 and y + throw.side / 2 <= area.top


def test_only_equal_faces_overlap_and_stay_together() -> None:
    faces = ["a"] * 5 + ["b"] * 3 + ["c"]
    places = fanned(faces, 300.0, 2, 65.0)
    assert max(row for _x, row in places) <= 1
    for (face, (x, row)), (other, (there, below)) in pairwise(zip(faces, places, strict=True)):
        assert face == other or row != below or there - x >= 65.0


def test_turning_points_are_the_largest_changes_in_their_order() -> None:
    steady = [(0, 50)]
    report = MatchStatistics(
        marks=[
            MatchHighlight(0, HighlightKind.ROUND, "Round 1"),
            *[MatchHighlight(n, HighlightKind.BATTLE, f"battle {n}") for n in (10, 30, 50, 70, 90)],
        ],
        series=[[[(0, 50), (31, 60), (51, 90), (71, 80), (91, 150)], steady]],
    )
    found = turning_points(report, (0, 100))
    assert [point.words for point in found] == ["battle 30", "battle 50", "battle 90"]
    assert [point.version for point in found] == [29, 49, 89], "the replay begins before the event"
    assert all(point.heading == "Round 1" and point.after > point.before for point in found)
    assert all(sum(chances(report, n, (0, 100))) == pytest.approx(1.0) for n in (0, 40, 100))
    assert turning_points(MatchStatistics(marks=report.marks, series=[[steady, steady]]), (0, 100)) == []


@pytest.fixture
def drawn(window: arcade.Window, monkeypatch: pytest.MonkeyPatch) -> list[arcade.Text]:
    """All texts that are drawn from now on."""
    found: list[arcade.Text] = []
    monkeypatch.setattr(arcade.Text, "draw", lambda line: found.append(line))
    return found


@pytest.mark.parametrize(("size", "times"), [((902, 578), 1), ((902, 578), 2), ((600, 400), 1)])
def test_the_result_of_a_battle_stays_below_its_picture(
    drawn: list[arcade.Text], size: tuple[int, int], times: int
) -> None:
    theme.set_window(*theme.BASE_SIZE)
    rect = arcade.LBWH(0, 176, *size)
    playback: Any = SimpleNamespace(busy=False)
    stage: BattleStage[Any, Any] = BattleStage(FIGHT, playback)
    words = " ".join([RESULT] * times)
    field = arcade.LRBT(14, size[0] - 14, rect.bottom + stage._foot(rect), rect.top - 107)
    stage._words(_Scene(step(verdict=words), rect, field, (field, field), ([], []), [], None), AwaitedDecision())
    (line,) = drawn
    assert line.text == words
    assert rect.bottom <= line.y - line.content_height / 2 and line.y + line.content_height / 2 <= field.bottom
    assert rect.left <= line.x - line.content_width / 2 and line.x + line.content_width / 2 <= rect.right


@pytest.mark.parametrize("percent", [100, 150])
def test_a_moment_with_many_pictures_keeps_its_words(drawn: list[arcade.Text], percent: int) -> None:
    theme.set_window(*theme.BASE_SIZE)
    theme.enlarge(percent / 100)
    moments = Moments(PlaySettings())
    words = "Cards are dealt: Wine, Senator I, Senator III and Pirates."
    moments.hear(TitledEvent("New cards", ("card:kind_senator",) * 4), words)
    moments.update(0.0, held=False)
    moments.update(1.0, held=False)
    board = arcade.LBWH(0, 256, 744, 478)
    moments.draw(board)
    assert [line.text for line in drawn] == ["New cards", words]
    title, told = drawn
    assert title.y - title.content_height / 2 >= told.y + told.content_height / 2 - 1


def test_only_a_battle_says_that_dice_are_falling() -> None:
    match = LocalMatch(RULESETS["cote2"], 3, seat=0, seed=1)
    asking: Asking[Any] = Asking(StillDesk(match), guide("cote2"))
    frame, prompt = match.view.frames[-1], Prompt(NONE, "", "")
    decision = frame.no, type(frame)
    for title, line in (("New cards", "New cards"), ("", "The dice are falling …")):
        asking.choose(task_chooser.TaskInputs(1, decision, prompt, False, False, False, True, False, title))
        assert asking.task.line() == line


def test_a_small_panel_with_large_letters_leaves_the_battle_in_sight(window: arcade.Window) -> None:
    theme.set_window(*theme.BASE_SIZE)
    theme.enlarge(1.45)
    fight: Any = SimpleNamespace(attacker=SimpleNamespace(seat=0), defender=SimpleNamespace(seat=1))
    scene = SimpleNamespace(blocks=lambda _beat, _seat: [Block(0, 0, 1), Block(0, 1, 1)])
    beat: Any = SimpleNamespace(fight=fight, lying=[1])
    playback: Any = SimpleNamespace(busy=False, beat=beat, battle_scene=scene)
    panel: BattlePanel[Any, Any] = BattlePanel(FIGHT, playback)
    panel.brief, panel.question = True, AwaitedDecision("Fight on?", 0)
    board = arcade.LRBT(0, 744, 322, 733)
    panel.place(board, [(60, 440), (30, 400), (100, 560)])
    assert panel._share < panel._largest(600.0, panel._height(beat), 20.0)
    assert not any(panel.rect.point_in_rect(point) for point in panel._points)
    panel.place(board, [(700, 700)])
    assert panel._share == panel._largest(600.0, panel._height(beat), theme.px(20)), "nothing is covered: it is large"
