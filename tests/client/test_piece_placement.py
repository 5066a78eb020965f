"""However many pieces there are on the board, names stay legible and nothing lies over anything else."""

from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import pairwise
from typing import Any, NamedTuple

import arcade
import pytest

from client.drawing import theme
from client.drawing.icons import SIGNS
from client.games.conquest.position_display import TributeScale
from client.games.cote2.tasks.task_base import shades
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.table.geography import geography
from client.table.mouse_input import MouseInput
from client.table.piece_placement import covered
from client.table.pieces import PLATE, Force, Token
from client.table.province_preview import beside, pictures
from client.table.tabletop import Tabletop
from client.table.task import berths
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.mb1984.options import INFLATION
from shared.rulesets.registry import RULESETS
from shared.vocabulary.frames import Movement
from tests.client.crowded import fullest
from tests.support.marks import pairs_in_stages, with_releases

SAMPLE = (1, 10)
"""Games and positions of each rule set that are looked at every time, and with `-m long`."""
WHOLE = (5, 67)
SIZES = (theme.BASE_SIZE, (1920, 1080), theme.MIN_SIZE)


class Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    def meets(self, other: "Box") -> bool:
        """Whether they share more than a pixel."""
        wide = min(self.right, other.right) - max(self.left, other.left)
        return wide > 1.0 and min(self.top, other.top) - max(self.bottom, other.bottom) > 1.0


def seated(game: str, state: Any, size: tuple[int, int] = theme.BASE_SIZE, seat: Seat = 0) -> Tabletop[Any]:
    match = LocalMatch(RULESETS[game], state.seats, seat=seat)
    match.take_events()
    match.state = state
    theme.set_window(*size)
    top = Tabletop(match, guide(game), RecordedCallbacks())
    top.place(*size)
    top.hear()
    top.events.hurry()
    top.display.show(match.view, top.task)
    return top


def names(top: Tabletop[Any]) -> dict[str, Box]:
    """Return the parts of the window that painted names cover."""
    found = {}
    for shape in geography().spaces:
        label = shape.label
        low = top.board.camera.to_window(label.x - label.width / 2, label.y - label.height / 2)
        high = top.board.camera.to_window(label.x + label.width / 2, label.y + label.height / 2)
        found[shape.key] = Box(*low, *high)
    return found


def lying(top: Tabletop[Any]) -> Iterator[tuple[Token, Box]]:
    """All that lies on the board, and what can be seen of it covers of the window; a number for itself."""
    for drawn in top.board.pieces._drawn.values():
        if drawn.token.key.startswith("ghost"):
            continue
        for sprite in (drawn.sprite, drawn.number):
            if sprite is None:
                continue
            wide, high = sprite.texture.size
            left, top_edge, right, bottom = _inside(sprite.texture)
            x, y = sprite.center_x - sprite.width / 2, sprite.center_y + sprite.height / 2
            low = top.board.camera.to_window(x + left * sprite.width / wide, y - bottom * sprite.height / high)
            far = top.board.camera.to_window(x + right * sprite.width / wide, y - top_edge * sprite.height / high)
            yield drawn.token, Box(*low, *far)


@cache
def _inside(texture: arcade.Texture) -> tuple[int, int, int, int]:
    """The part of a picture that is not clear: left, top, right, bottom."""
    inside = texture.image.getchannel("A").point(lambda alpha: 255 * (alpha > 60)).getbbox()
    assert inside is not None
    return inside


def faults(top: Tabletop[Any]) -> list[str]:
    """All that lies where it should not."""
    wrong: list[str] = []
    board = top.board.rect
    whole = Box(board.left, board.bottom, board.right, board.top)
    there, labels = list(lying(top)), names(top)
    for token, box in there:
        wrong += [f"{token.key} covers {name}" for name, label in labels.items() if box.meets(label)]
        if box.left < whole.left or box.right > whole.right or box.bottom < whole.bottom or box.top > whole.top:
            wrong.append(f"{token.key} is cut")
    for i, (token, box) in enumerate(there):
        wrong += [
            f"{token.key} lies over {other.key}"
            for other, under in there[:i]
            if _strangers(token, other) and box.meets(under)
        ]
    plates = Counter((token.space, token.pick.seat) for token in top.display.standing if token.picture == PLATE)
    wrong += [f"{plates[key]} plates of {key[1]} in {BOARD.keys[key[0]]}" for key in plates if plates[key] > 1]
    return wrong


def _strangers(token: Token, other: Token) -> bool:
    """Whether one may not lie over the other: what does is on a plate, on a ship, before its leader."""
    return token.at != other.at or token.pick.seat != other.pick.seat


@pytest.mark.parametrize(
    ("game", "games", "positions"),
    pairs_in_stages(
        ((game, *sample) for game in RULESETS for sample in (SAMPLE, WHOLE)),
        [("cote2", *SAMPLE)],
        [("classic", *SAMPLE), ("mb1984", *SAMPLE)],
    ),
)
@pytest.mark.timeout(600)
def test_pieces_cover_neither_names_nor_each_other(game: str, games: int, positions: int, window: object) -> None:
    states = fullest(game, games, positions)
    assert len(states) == positions
    top = seated(game, states[0])
    for i, state in enumerate(states):
        top.match.state = state  # type: ignore[attr-defined]
        top.display.show(top.match.view, top.task)
        assert not faults(top), (game, i)


def _numbers_astray(top: Tabletop[Any]) -> Iterator[str]:
    """Yield what is wrong with victory numbers and influence: no way to their province, or one over another."""
    tied = {start for start, _ in top.board.tethers}
    there = [(token, box) for token, box in lying(top) if token.key.startswith(("victory", "influence", "tokens"))]
    for i, (token, box) in enumerate(there):
        if geography().space_at(*token.at) != token.space and token.at not in tied:
            yield f"{token.key} belongs to no province in sight"
        yield from [f"{token.key} lies over {other.key}" for other, under in there[:i] if box.meets(under)]


@pytest.mark.parametrize("games, positions", [SAMPLE, pytest.param(*WHOLE, marks=pytest.mark.exhaustive)])
@pytest.mark.parametrize("size", [theme.MIN_SIZE, theme.BASE_SIZE])
def test_numbers_of_key_provinces_are_legible_and_at_home(
    size: tuple[int, int], games: int, positions: int, window: object
) -> None:
    states = fullest("cote2", games, positions)
    top = seated("cote2", states[0], size)
    for i, state in enumerate(states):
        top.match.state = state  # type: ignore[attr-defined]
        top.display.show(top.match.view, top.task)
        assert not list(_numbers_astray(top)), i
        shown = {token.space for token in top.display.standing if token.key.startswith("victory")}
        assert shown == set(KEYS), "each key province shows its highest number at least"


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", RULESETS)
def test_nothing_is_cut_in_windows_of_other_sizes(game: str, size: tuple[int, int], window: object) -> None:
    found = faults(seated(game, fullest(game, *SAMPLE)[0], size))
    assert not [fault for fault in found if "cut" in fault or "covers" in fault]


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(RULESETS, "mb1984"))
def test_a_plate_tells_the_number_of_units_and_shows_whose_they_are(game: str, window: object) -> None:
    plates = 0
    for state in fullest(game, *SAMPLE):
        top = seated(game, state)
        for token in top.display.standing:
            if token.picture == PLATE:
                plates += 1
                forces = guide(game).look.forces(top.match.view, token.space)
                assert [sum(force.army) for force in forces if force.seat == token.pick.seat] == [token.count]
    assert plates > 20


@pytest.mark.parametrize("game", RULESETS)
def test_all_pieces_in_a_province_are_visible(game: str, window: object) -> None:
    state = fullest(game, *SAMPLE)[0]
    top = seated(game, state)
    seen = {(t.space, t.pick.seat) for t in top.display.standing if t.pick.kind in ("army", "leader")}
    for space in range(BOARD.provinces):
        for force in guide(game).look.forces(state, space):
            assert (space, force.seat) in seen


@pytest.mark.parametrize("game", ["classic", "mb1984"])
def test_signs_cover_neither_names_nor_pieces(game: str, window: object) -> None:
    """Marks of possible moves lie beside the pieces."""
    signs = 0
    for state in fullest(game, *SAMPLE):
        seat = state.frames[-1].seat if isinstance(state.frames[-1], Movement) else NONE
        if seat == NONE:
            continue
        top = seated(game, state, seat=seat)
        top.task.next()
        labels = names(top).values()
        pieces = [covered(token, top.board.unit) for token in top.display.standing]
        for token in top.display.tokens:
            if token.picture in SIGNS:
                signs += 1
                box = Box(*covered(token, top.board.unit))
                assert not any(box.meets(Box(*piece)) for piece in pieces)
                low, high = top.board.camera.to_window(*box[:2]), top.board.camera.to_window(*box[2:])
                assert not any(Box(*low, *high).meets(label) for label in labels)
    assert signs > 5


def test_a_plate_opens_to_the_full_list(window: object) -> None:
    game = "cote2"
    top = seated(game, fullest(game, *SAMPLE)[0])
    plate = max(
        (token for token in top.display.standing if token.picture == PLATE),
        key=lambda token: len(guide(game).look.forces(top.match.view, token.space)),
    )
    x, y = top.board.camera.to_window(*plate.at)
    unit = top.board.pieces.figure
    MouseInput(top).mouse_motion(x + plate.dx * unit, y + plate.dy * unit)
    forces = top.pointer.forces()
    assert len(forces) > 3
    each = guide(game).look.leaders
    for force in forces:
        shown = pictures(force, each)
        assert sum(n for name, n in shown if name.startswith(("caesar", "general"))) == len(force.leaders)
        assert sum(n for name, n in shown if not name.startswith(("caesar", "general"))) == sum(force.army)
    words = top.pointer.tip()
    assert BOARD.names[plate.space] in beside(words, forces, top.match.name, each)
    assert not any(
        top.match.name(force.seat) + ": the" in beside(words, forces, top.match.name, each) for force in forces
    )
    top.update(0.5)
    top.draw()


@pytest.mark.long
def test_tribute_markers_lie_side_by_side_and_clear_of_the_numbers(window: object) -> None:
    looked = 0
    for game in ("classic", "mb1984"):
        for state in fullest(game, *SAMPLE):
            strip = seated(game, state).layout.strip
            assert isinstance(strip, TributeScale)
            discs = [Box(disc.left, disc.bottom, disc.right, disc.top) for _, disc in strip.discs()]
            # Letters hang below the middle of their line.
            numbers = [
                Box(text.left, text.y - 0.45 * text.content_height, text.right, text.y + 0.27 * text.content_height)
                for text in strip.numbers()
            ]
            edge = Box(strip.rect.left, strip.rect.bottom, strip.rect.right, strip.rect.top)
            for i, disc in enumerate(discs):
                assert not any(disc.meets(other) for other in (*discs[:i], *numbers))
                assert edge.left < disc.left and disc.right < edge.right and edge.bottom < disc.bottom
                looked += 1
    assert looked > 40


def test_equal_tributes_lie_around_their_place(window: object) -> None:
    state = fullest("classic", *SAMPLE)[0].clone()
    state.marker = [100] * 6
    strip = seated("classic", state).layout.strip
    assert isinstance(strip, TributeScale)
    places = [disc.x for _, disc in strip.discs()]
    scale = [number for number in strip.numbers() if number.text.startswith("105")]
    assert len(places) > 2
    assert sum(places) / len(places) < scale[0].x
    gaps = {round(b - a, 3) for a, b in pairwise(places)}
    assert len(gaps) == 1, "side by side"


@pytest.mark.rule("MB-INFL-01")
@pytest.mark.parametrize("rises", [True, False])
def test_the_scale_shows_no_marks_where_prices_never_rise(rises: bool, window: object) -> None:
    state = fullest("mb1984", *SAMPLE)[0].clone()
    state.options = (*state.options[: INFLATION - 1], 0, int(not rises))
    strip = seated("mb1984", state).layout.strip
    assert isinstance(strip, TributeScale)
    assert any("×" in number.text for number in strip.numbers()) == rises


@pytest.mark.parametrize("size", SIZES)
def test_the_button_in_the_corner_covers_no_name(size: tuple[int, int], window: object) -> None:
    top = seated("mb1984", fullest("mb1984", *SAMPLE)[0], size)
    corner = Box(
        top.layout.corner.rect.left,
        top.layout.corner.rect.bottom,
        top.layout.corner.rect.right,
        top.layout.corner.rect.top,
    )
    assert not [name for name, label in names(top).items() if corner.meets(label)]


def test_shadows_of_pieces_cover_neither_names_nor_pieces_nor_each_other(window: object) -> None:
    top = seated("cote2", fullest("cote2", *SAMPLE)[0])
    unit, display = top.board.unit, top.display
    shores = "macedonia", "thracia", "achaia", "asia"
    coasts = [at for key in shores for at in BOARD.coasts[BOARD.space(key)]]
    galatia = BOARD.space("galatia")
    ghosts = [*berths(coasts, 0), *shades(top.events.latest_position, galatia, Force(0, (5, 2, 1), (0, 1)))]
    placed = display._clear(ghosts)
    assert Counter(token.key for token in placed) == Counter(token.key for token in ghosts)
    assert len(coasts) > 3
    others = [Box(*name) for name in geography().names] + [Box(*covered(token, unit)) for token in display.standing]
    for i, token in enumerate(placed):
        box = Box(*covered(token, unit))
        assert not any(box.meets(other) for other in others), token.key
        assert not any(box.meets(Box(*covered(other, unit))) for other in placed[:i] if other.at != token.at)
