"""At the table everything grows with the letters, as far as it finds room: nothing is cut for it, or lies on something
else."""

from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, combinations, islice
from random import Random
from typing import Any

import arcade
import pytest
from arcade.types import Rect

from client import language
from client.drawing import theme
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.keyboard.commands import Command
from client.player.settings import SIZES
from client.table.board_view import BoardView
from client.table.layout import NARROWEST, SidePart, divide
from client.table.mouse_input import MouseInput
from client.table.pane import Pane
from client.table.scene import gather
from client.table.tabletop import Tabletop
from server.bots.policy import play_easy
from shared.board import BOARD
from shared.rulesets.registry import RULESETS
from tests.client.crowded import fullest
from tests.client.test_piece_placement import SAMPLE, faults, seated
from tests.support.marks import with_releases

Box = tuple[str, float, float, float, float]
"""A text, and its left, right, lower and upper edge."""
BATTLES = 12
"""So many moments of battles are looked at."""
INK = 110
"""Letters on the map are darker than that."""
HISPANIA = BOARD.keys.index("hispania")
SHEETS = 3
"""Once in so many decisions all leaves are laid out: what they show follows the match, not the decision."""


@contextmanager
def texts(into: set[Box]) -> Iterator[None]:
    """Every text that is drawn meanwhile, and where."""
    draw = arcade.Text.draw

    def note(self: arcade.Text) -> None:
        into.add((self.text, self.left, self.right, self.bottom, self.top))
        draw(self)

    arcade.Text.draw = note  # type: ignore[method-assign]
    try:
        yield
    finally:
        arcade.Text.draw = draw  # type: ignore[method-assign]


def covered(boxes: set[Box]) -> set[tuple[str, str]]:
    """Texts that lie on each other; a line of text has air above and below the letters."""
    found = set()
    for a, b in combinations(sorted(boxes), 2):
        across = min(a[2], b[2]) - max(a[1], b[1])
        air = 0.2 * min(a[4] - a[3], b[4] - b[3], theme.px(16))
        if a[0].strip() and b[0].strip() and across > 1 and min(a[4], b[4]) - max(a[3], b[3]) - 2 * air > 1:
            found.add((a[0], b[0]))
    return found


def outside(boxes: set[Box], rect: Rect) -> set[str]:
    """Texts that leave that part of the window; the air around letters may."""
    found = set()
    for words, left, right, bottom, top in boxes:
        air = 0.25 * min(top - bottom, theme.px(16))
        wide = left < rect.left - 1 or right > rect.right + 1
        if words.strip() and (wide or bottom < rect.bottom - air or top > rect.top + air):
            found.add(words)
    return found


def lettered(percent: int, size: tuple[int, int] = theme.BASE_SIZE) -> float:
    """Wish for letters so large, as the screen with the table does; how much of it everything grows by."""
    theme.set_window(*size)
    wished = percent / 100
    share = max(1.0, min(wished, size[0] / theme.window_px(NARROWEST)))
    theme.enlarge(share, wished / share)
    return share


def table(match: LocalMatch, *, coached: bool = False) -> Tabletop[Any]:
    match.take_events()
    top: Tabletop[Any] = Tabletop(match, guide(match.rules.id), RecordedCallbacks(),
                                  lesson=match.rules.id if coached else "")  # fmt: skip
    top.place(*theme.BASE_SIZE)
    top.hear()
    top.events.hurry()
    return top


def parts(top: Tabletop[Any], *, sheets: bool = True) -> Iterator[tuple[str, Rect, set[Box]]]:
    """All that can be seen of the table, part by part: what it is, where it is, and the texts on it."""
    for pane in (top.advice.plate, *top.side.plates(top.sheet), *top.layout.fixed):
        yield _seen(pane)
    for part in top.side.tabs.parts:
        top.side.unfold(part)
        for pane in (
            top.side.tabs,
            top.side.roster,
            top.chronicle,
            *([top.side.coach] if top.side.coach is not None else []),
        ):
            yield _seen(pane)
    for sheet in top.sheets if sheets else ():
        top.lay(sheet.key)
        if top.sheet is sheet:
            yield _seen(sheet)
    top.lay(None)


def _seen(pane: Pane) -> tuple[str, Rect, set[Box]]:
    found: set[Box] = set()
    pane.touch()
    with texts(found):
        pane.draw()
    return type(pane).__name__, pane.rect, found


class Wrong:
    """Texts that are cut, covered or outside of their part; letters of the usual size may have such faults too."""

    def __init__(self) -> None:
        self.found: dict[str, set[tuple[str, ...]]] = {"covered": set(), "outside": set(), "cut": set()}
        self.looked = 0

    def look(self, name: str, rect: Rect, boxes: set[Box]) -> None:
        self.found["covered"] |= {(name, *pair) for pair in covered(boxes)}
        self.found["outside"] |= {(name, words) for words in outside(boxes, rect)}
        self.found["cut"] |= {(name, words) for words, *_ in boxes if words.endswith("…")}
        self.looked += len(boxes)

    def more(self, other: "Wrong") -> dict[str, set[tuple[str, ...]]]:
        return {kind: there - other.found[kind] for kind, there in self.found.items()}


def check(
    match: LocalMatch, *, coached: bool = False, sheets: bool = True, size: tuple[int, int] = theme.BASE_SIZE
) -> int:
    """Return the number of checked texts, in all sizes; larger ones must be as good as the usual ones."""
    usual: Wrong | None = None
    looked = 0
    lettered(SIZES[0], size)
    top = table(match, coached=coached)
    for percent in SIZES:
        lettered(percent, size)
        top.place(*size)
        wrong = Wrong()
        for part in parts(top, sheets=sheets):
            wrong.look(*part)
        usual = usual or wrong
        assert not any(wrong.more(usual).values()), (percent, wrong.more(usual))
        looked += wrong.looked
    return looked


def decisions(game: str, seats: int, steps: int) -> Iterator[LocalMatch]:
    """A match of bots at the decisions of its first player, once at each kind."""
    rules, chance = RULESETS[game], Random(seats)
    match = LocalMatch(rules, seats, seed=seats, seat=0)
    seen: set[str] = set()
    for _ in range(steps):
        if match.finished:
            break
        seat = match.owed()[0]
        kind = gather(match, match.view, guide(game)).prompt.what.rstrip("0123456789 ") if seat == 0 else ""
        if seat == 0 and match.view is not None and kind not in seen:
            seen.add(kind)
            yield match
        match.play(seat, play_easy(rules, rules.view(match.state, seat), seat, chance))


@pytest.mark.long
@pytest.mark.usefixtures("window")
@pytest.mark.timeout(300)
@pytest.mark.parametrize("game", with_releases(RULESETS, "classic"))
def test_larger_letters_are_never_cut_and_lie_on_nothing(game: str) -> None:
    found = chain(decisions(game, 6, 700), decisions(game, 3, 400))
    looked = [check(match, sheets=not n % SHEETS) for n, match in enumerate(islice(found, 8))]
    assert len(looked) > 4 and sum(looked) > 2000


@pytest.mark.long
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", with_releases(RULESETS, "cote2"))
def test_nothing_is_cut_in_the_smallest_window_either(game: str) -> None:
    # Sheets are scrolled there; names on card faces shrink with the cards, so their air overlaps.
    assert check(next(decisions(game, 6, 200)), sheets=False, size=theme.MIN_SIZE) > 150


@pytest.mark.long
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", with_releases(RULESETS, "mb1984"))
def test_beside_a_coach_too(game: str) -> None:
    for seats in (2, 3, 6):
        assert check(next(decisions(game, seats, 200)), coached=True) > 200


@pytest.mark.long
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", with_releases(RULESETS, "cote2"))
def test_battles_are_seen_whole(game: str) -> None:
    match = LocalMatch(RULESETS[game], 6, seed=3, seat=0)
    for _ in range(120):
        match.step()
    lettered(SIZES[0])
    top, found = table(match), {percent: Wrong() for percent in SIZES}
    seen = 0
    while seen < BATTLES and match.step():
        top.hear()
        top.update(0.3)
        if top.playback.beat is not None:
            seen += 1
            for percent, wrong in found.items():
                lettered(percent)
                top.place(*theme.BASE_SIZE)
                _look_at_stage(top, wrong)
            top.events.hurry()
    assert seen > BATTLES / 2
    for percent, wrong in found.items():
        more = wrong.more(found[SIZES[0]])
        assert not any(more.values()), (percent, more)


def _look_at_stage(top: Tabletop[Any], wrong: Wrong) -> None:
    boxes: set[Box] = set()
    with texts(boxes):
        top.stage.draw()
    rect, board = top.stage.rect, top.board.rect
    wrong.look("stage", rect, boxes)
    assert board.left <= rect.left and rect.right <= board.right
    assert board.bottom <= rect.bottom and rect.top <= board.top


@pytest.mark.long
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", with_releases(RULESETS, "mb1984"))
def test_pieces_cover_no_names_for_it(game: str) -> None:
    for percent in SIZES[1:]:
        share = lettered(percent)
        for state in fullest(game, *SAMPLE)[:3]:
            top = seated(game, state)
            assert not faults(top), percent
            usual = top.board.pieces.figure
            camera = top.board.camera
            camera.zoom_at(top.board.rect.x, top.board.rect.y, 8)
            top.board.touch()
            top.draw()
            assert top.board.pieces.figure > 1.1 * share * usual, "nearer, they are as large as letters ask for"


@pytest.mark.long
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", with_releases(RULESETS, "cote2"))
def test_everything_at_the_table_grows(game: str) -> None:
    def high(percent: int) -> dict[tuple[str, str], list[float]]:
        lettered(percent)
        found: dict[tuple[str, str], list[float]] = {}
        for name, _, boxes in parts(table(next(decisions(game, 3, 50)))):
            for words, _, _, bottom, top in boxes:
                found.setdefault((name, words), []).append(top - bottom)
        return found

    usual, large = high(100), high(175)
    assert lettered(175) == theme.BASE_SIZE[0] / NARROWEST
    same = {key for key in usual if key in large}
    small = {key for key in same if max(large[key]) < 1.2 * max(usual[key])}
    assert len(same) > 40
    assert not small
    assert {"Header", "ActionBar", "Roster", "Chronicle"} <= {name for name, _ in same}


@pytest.mark.parametrize("percent", SIZES)
@pytest.mark.parametrize("seats", with_releases([2, 4, 6], 6))
@pytest.mark.parametrize("coached", [False, True])
@pytest.mark.parametrize("size", with_releases([theme.BASE_SIZE, theme.MIN_SIZE, (1920, 1080)], theme.MIN_SIZE))
def test_the_parts_of_the_table_fill_the_window(
    percent: int, seats: int, coached: bool, size: tuple[int, int]
) -> None:  # fmt: skip
    lettered(percent, size)
    for part in SidePart:
        layout = divide(*size, seats, coached=coached, news=part is SidePart.NEWS, turned=part)
        rects = [
            layout.header, layout.board, layout.strip, layout.action_bar, layout.tabs, layout.coach, layout.roster,
            layout.chronicle, layout.news,
        ]  # fmt: skip
        assert sum(rect.width * rect.height for rect in rects) == size[0] * size[1]
        assert layout.board.width >= 0.5 * size[0] and layout.board.height >= 0.5 * size[1]
        assert bool(layout.folded) == (layout.tabs.height > 0)


@pytest.mark.usefixtures("window")
def test_folded_parts_open_by_click_and_by_key() -> None:
    lettered(175)
    top = table(next(decisions("classic", 6, 50)))
    controls = MouseInput(top)
    assert top.chronicle.is_hidden and not top.side.roster.is_hidden
    caption = next(w for w in top.side.tabs.ui.widgets if getattr(w, "words", "") == "Chronicle")
    x, y = caption.rect.center
    controls.mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT)
    controls.mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT)
    assert not top.chronicle.is_hidden
    top.side.unfold(SidePart.PLAYERS)
    assert top.chronicle.is_hidden
    controls.key_press(arcade.key.T, 0)
    assert not top.chronicle.is_hidden and top.chronicle.typing


@pytest.mark.usefixtures("window")
def test_a_sheet_that_is_higher_than_its_place_is_scrolled_by_wheel_and_key() -> None:
    lettered(150)
    top = table(next(decisions("cote2", 6, 50)))
    top.lay(Command.POINTS)
    sheet, controls = top.sheet, MouseInput(top)
    assert sheet is not None and sheet.rect.height > sheet.seen.height
    assert sheet.rect.top == pytest.approx(sheet.seen.top, abs=1)
    controls.key_press(arcade.key.PAGEDOWN, 0)
    assert sheet.rect.bottom == pytest.approx(sheet.seen.bottom, abs=1)
    controls.mouse_scroll(*sheet.seen.center, 20)
    assert sheet.rect.top == pytest.approx(sheet.seen.top, abs=1)


@pytest.mark.long
@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("game", with_releases(RULESETS, "classic"))
def test_an_open_table_speaks_another_language_as_soon_as_it_is_chosen(game: str) -> None:
    lettered(SIZES[-1])
    match = next(decisions(game, 6, 50))
    top = table(match, coached=True)
    try:
        language.switch("de", [top])
        top.place(*theme.BASE_SIZE)
        renewed = [words_of(boxes) for _, _, boxes in parts(top, sheets=False)]
        opened = [words_of(boxes) for _, _, boxes in parts(table(match, coached=True), sheets=False)]
    finally:
        language.switch("en", [top])
    told = set(event_words(top))
    assert [words - told for words in renewed] == [words - told for words in opened]


def words_of(boxes: set[Box]) -> set[str]:
    """The texts among the boxes."""
    return {words for words, *_ in boxes}


def event_words(top: Tabletop[Any]) -> Iterator[str]:
    """The lines of the chronicle, which stay as they were told."""
    return (line.words for line in top.chronicle.lines)


@pytest.mark.usefixtures("painted")
@pytest.mark.parametrize("size", [theme.BASE_SIZE, theme.MIN_SIZE])
def test_names_on_the_map_grow_with_the_letters(size: tuple[int, int]) -> None:
    dark: list[int] = []
    for percent in (100, 125, 150, 100):
        theme.set_window(*size)
        theme.enlarge(1.0, percent / 100)
        board = BoardView("board.jpg", ())
        board.place(arcade.LBWH(0, 0, size[0] * 0.7, size[1] * 0.7))
        for _ in range(4):
            board.draw()
        box = board.geography.spaces[HISPANIA].label.enlarged(1.6, 0, 0).box()
        (left, bottom), (right, top) = board.camera.to_window(*box[:2]), board.camera.to_window(*box[2:])
        image = arcade.get_image(round(left), round(bottom), round(right - left), round(top - bottom)).convert("L")
        dark.append(sum(image.histogram()[:INK]))
    assert dark[0] == dark[-1] > 50
    assert dark[1] > 1.2 * dark[0] and dark[2] > 1.7 * dark[0], "an area grows faster than a width"
