"""The table of the second game: its sheets open and close, everything lies where it can be seen, nothing is told."""

import arcade
import pytest

from client.drawing import theme
from client.games.cote2 import position_display
from client.games.cote2.game_guide import COTE2 as GUIDE
from client.games.cote2.position_display import Track
from client.games.cote2.sheets import SHEETS
from client.games.static_match import LocalMatch
from client.keyboard.commands import Command
from client.table.geography import FRAME, geography
from client.table.header import Header
from client.table.mouse_input import MouseInput
from client.table.piece_placement import settle
from client.table.pieces import PLATE, Token
from client.table.scene import gather
from client.table.sheet import Sheet
from shared.board import BOARD
from shared.ids import NONE
from shared.kernel import engine
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.actions import Attack, Bid, Lose, Pass
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.events import Marched, Sailed
from shared.rulesets.cote2.options import victory_numbers
from shared.rulesets.cote2.state import HIDDEN, State, TableFields
from tests.client.mouse import Mouse, laid
from tests.support.layout import sp
from tests.support.marks import with_releases
from tests.support.positionii import auction, caesar, galley, general, move, play, position
from tests.support.referee import top

SEATS = (2, 3, 4, 5, 6)
pytestmark = pytest.mark.usefixtures("window")


def at_table(state: State, seat: int = 0) -> Mouse:
    return Mouse(state, seat, COTE2)


def acting() -> State:
    return position(
        units={"italia": {0: (5, 1, 0)}, "galatia": {1: (2, 0, 0)}},
        leaders={"italia": [caesar(0), general(0)], "galatia": [caesar(1)]},
        galleys={galley(0): "mare_tyrrhenum"},
        influence={"italia": {0: 2, 1: 1}, "sicilia": {1: 3}},
        tokens={"italia": 3}, chaos=(4, 7),
    )  # fmt: skip


def opened(mouse: Mouse) -> Command | None:
    return mouse.top.sheet.key if mouse.top.sheet is not None else None


def test_the_auction_lies_open_for_the_players_and_for_spectators() -> None:
    for seat in (0, 1, NONE):
        mouse = at_table(auction(4), seat)
        assert opened(mouse) is Command.ALLIANCES


def test_a_leaf_that_opened_by_itself_closes_by_itself_and_may_be_put_away() -> None:
    mouse = at_table(auction(2), 0)
    mouse.key(arcade.key.ESCAPE)
    assert opened(mouse) is None, "Esc puts it away"
    mouse.match.play(0, Bid(0, 0, 1))
    mouse.settle()
    assert opened(mouse) is None, "and it stays away while the same thing is owed"
    mouse.key(arcade.key.U)
    assert opened(mouse) is Command.ALLIANCES
    mouse.match.play(1, Pass())
    mouse.settle()
    assert not isinstance(mouse.state.frames[-1], f.Auction)
    assert opened(mouse) is None, "it goes with the auction"


@pytest.mark.parametrize("sheet", SHEETS)
def test_every_leaf_has_a_key_and_a_button(sheet: type[Sheet[TableFields]]) -> None:
    mouse = at_table(acting())
    mouse.press(sheet.key)
    assert type(mouse.top.sheet) is sheet
    mouse.press(sheet.key)
    assert mouse.top.sheet is None
    strip = mouse.top.layout.strip
    mouse.button(sheet.caption, strip)
    assert type(mouse.top.sheet) is sheet
    mouse.button(sheet.caption, strip)
    assert mouse.top.sheet is None


def test_a_click_beside_a_leaf_puts_it_away() -> None:
    mouse = at_table(acting())
    mouse.key(ord("k"))
    assert mouse.top.sheet is not None
    board, rect = mouse.top.board.rect, mouse.top.sheet.rect
    assert board.top > rect.top + 2
    mouse.click(board.x, (board.top + rect.top) / 2)
    assert mouse.top.sheet is None


def test_under_a_leaf_the_board_is_out_of_reach() -> None:
    mouse = at_table(acting())
    mouse.key(ord("k"))
    assert mouse.top.sheet is not None
    mouse.controls.mouse_motion(mouse.top.sheet.rect.x, mouse.top.sheet.rect.y)
    assert mouse.top.board.hovered == NONE


def standing(table: TableFields) -> list[Token]:
    """All pieces of a position."""
    return settle(position_display.arrange(table, geography()), 117.0, geography())


def test_stakes_show_victory_numbers_tokens_for_sale_and_influence() -> None:
    state = acting()
    tokens = {token.key: token for token in standing(state)}
    italia = sp("italia")
    numbers = victory_numbers(state, italia)
    assert [tokens[f"victory:{italia}:{i}"].picture for i in range(len(numbers))] == [f"victory_{n}" for n in numbers]
    assert tokens[f"tokens:{italia}"].count == 3
    assert tokens[f"influence:{italia}:0"].count == 2
    assert tokens[f"influence:{italia}:1"].count == 1
    assert f"influence:{sp('sicilia')}:0" not in tokens


def test_stakes_lie_on_the_board_and_no_two_on_each_other() -> None:
    shape = geography()
    places = [position_display._STAKES[BOARD.keys[space]] for space in KEYS]
    assert len(places) == len(position_display._STAKES)
    for x, y in places:
        assert FRAME + 100 < x < shape.width - FRAME - 100
        assert FRAME + 60 < y < shape.height - FRAME - 60
    for i, (x, y) in enumerate(places):
        for other in places[i + 1 :]:
            assert abs(x - other[0]) > 260 or abs(y - other[1]) > 160


@pytest.mark.long
@pytest.mark.parametrize("seats", with_releases(SEATS, 3))
def test_pieces_have_keys_of_their_own_and_all_are_counted(seats: int) -> None:
    match = LocalMatch(COTE2, seats, seed=seats, seat=0)
    for _ in range(60 * seats):
        if not match.step():
            break
        tokens = standing(match.view)
        assert len({token.key for token in tokens}) == len(tokens)
        armies = [token for token in tokens if token.key.startswith("army:")]
        units = sum(token.count if token.picture == PLATE else max(1, token.count) for token in armies)
        assert units == sum(sum(cell[i + 1 : i + 4]) for cell in match.view.units for i in range(0, len(cell), 4))
        leaders = sum(token.key.startswith("leader:") for token in tokens)
        assert leaders == sum(at < BOARD.provinces for at in match.view.leader_at)
        fleets = sum(max(1, token.count) for token in tokens if token.key.startswith("fleet:"))
        assert fleets == sum(at < BOARD.spaces for at in match.view.galley_at)


def test_marches_and_voyages_fly() -> None:
    state = acting()
    heart = geography().heart
    by_sea = position_display.leaps(Marched(0, sp("italia"), sp("sicilia"), (), (2, 0, 0), True), state, geography())
    assert by_sea[0].pictures[0] == "galley_0"
    assert (by_sea[0].start, by_sea[0].goal) == (heart(sp("italia")), heart(sp("sicilia")))
    voyage = position_display.leaps(Sailed(0, (galley(0),), sp("mare_narbo")), state, geography())
    assert [(leap.start, leap.goal) for leap in voyage] == [(heart(sp("mare_tyrrhenum")), heart(sp("mare_narbo")))]
    mouse = at_table(state)
    mouse.match.play(0, move("italia", ("rhaetia", 2, 0, 0)))
    mouse.top.hear()
    assert mouse.top.display.motion.landing == {sp("rhaetia")}


def test_players_see_only_their_own_chaos() -> None:
    state = acting()
    match = LocalMatch(COTE2, 2, seat=0)
    match.state = state
    assert match.view.chaos == [4, HIDDEN]
    mine, other = (position_display.person(match.view, seat, match.name) for seat in (0, 1))
    assert "4 chaos" in mine.about
    assert "Chaos 4." in mine.tip
    assert "chaos" not in other.about
    assert "7" not in other.about + other.tip.split("talents now")[1]


def test_the_heading_and_the_track_follow_the_season() -> None:
    match = LocalMatch(COTE2, 3, seed=4, seat=0)
    track = Track((), lambda _sheet: None)
    seen = set()
    while match.step():
        heading = position_display.heading(match.view)
        assert -1 <= heading.on < len(heading.phases)
        seen.add(heading.phases[heading.on] if heading.on >= 0 else "")
        assert track.read(match.view, match.name) == track.read(match.view, match.name)
    assert {"Alliances", "Placement", "Actions"} <= seen


@pytest.mark.parametrize("seats", [2, 6])
def test_phases_and_clock_fit_above_the_board(window: arcade.Window, seats: int) -> None:
    theme.set_window(*theme.BASE_SIZE)
    match = LocalMatch(COTE2, seats, seed=1, seat=0)
    while not isinstance(match.view.frames[-1], f.Turn):
        match.step()
    header = Header(*[lambda: None] * 4)
    header.place(arcade.LBWH(0, 754, 1280, 46))
    header.show(gather(match, match.view, GUIDE), 600)
    header.draw()
    with header._surface.painting():
        assert header.scene is not None
        free = header._clock(header.rect.y)
        end = header._phases(header.scene.heading, theme.px(300), header.rect.y, free)
    assert end < theme.px(1280 - 250)


@pytest.mark.long
def test_a_whole_game_is_followed_at_the_table() -> None:
    """Every position of a short match is laid out and painted, as it happens, for one who looks on."""
    match = LocalMatch(COTE2, 3, seed=9)
    mouse = Mouse(match.state, NONE, COTE2)
    shown: set[Command | None] = set()
    for step in range(140):
        if not mouse.match.step():
            break
        mouse.settle()
        shown.add(opened(mouse))
        if step % 12 == 0:
            mouse.top.draw()
        assert not [token for token in mouse.top.display.standing if not _on_board(token)]
    assert {None, Command.ALLIANCES} <= shown
    assert engine.owed(COTE2, mouse.state)


def _on_board(token: Token) -> bool:
    shape = geography()
    return 0 < token.at[0] < shape.width and 0 < token.at[1] < shape.height


def test_before_the_first_snapshot_no_key_breaks_anything(monkeypatch: pytest.MonkeyPatch) -> None:
    match = LocalMatch(COTE2, 3, seat=0)
    monkeypatch.setattr(LocalMatch, "view", None)
    top = laid(match)
    controls = MouseInput(top)
    for letter in "ukpvo":
        assert not controls.key_press(ord(letter), 0)
    controls.key_press(arcade.key.SPACE, 0)
    controls.mouse_press(400, 400, arcade.MOUSE_BUTTON_LEFT)
    controls.mouse_release(400, 400, arcade.MOUSE_BUTTON_LEFT)
    assert top.sheet is None


def test_the_players_are_not_told_of_losses_before_the_dice_have_fallen() -> None:
    state = position(
        units={"italia": {0: (4, 2, 0), 1: (1, 0, 0)}}, leaders={"italia": [caesar(0)]}, influence={"italia": {0: 1}}
    )
    play(state, (0, Attack(sp("italia"), 1)), "iii.", "i..")
    assert isinstance(top(state), f.Casualties)
    mouse = at_table(state, 1)
    mouse.match.play(0, Lose(((0, 1, 0, 0),)))
    mouse.top.hear()
    assert mouse.top.playback.busy
    assert mouse.match.view.chaos[1] == 2, "the battle is lost already"

    def about() -> str:
        scene = mouse.top.side.roster.scene
        assert scene is not None
        return next(player.person.about for player in scene.players if player.seat == 1)

    assert "0 chaos" in about()
    mouse.settle()
    assert "2 chaos" in about()


@pytest.mark.parametrize("symbol", [arcade.key.ENTER, arcade.key.SPACE])
def test_enter_puts_the_count_away_before_it_bids(symbol: int) -> None:
    state = position(2, season=1, round=4, turn=0, left=1)
    mouse = at_table(state)
    while not isinstance(top(mouse.state), f.Auction):
        seat = engine.owed(COTE2, mouse.state)[0]
        mouse.match.play(seat, Pass())
        mouse.settle()
    while engine.owed(COTE2, mouse.state)[0] != 0:
        mouse.match.step()
        mouse.settle()
    assert opened(mouse) is Command.POINTS, "the season that is over"
    version = mouse.match.version
    mouse.key(symbol)
    assert opened(mouse) is Command.ALLIANCES
    assert mouse.match.version == version, "nothing was bid"


def test_the_count_of_a_season_goes_when_the_next_one_is_played() -> None:
    state = position(2, season=1, round=4, turn=0, left=1)
    mouse = at_table(state, NONE)
    while mouse.state.season == 1:
        mouse.match.play(engine.owed(COTE2, mouse.state)[0], Pass())
        mouse.settle()
    assert opened(mouse) is Command.POINTS
    while not isinstance(top(mouse.state), f.Turn):
        mouse.match.step()
        mouse.settle()
    assert opened(mouse) is None
