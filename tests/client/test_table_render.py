"""Every state of the table is drawn; with ``--pictures`` people can look at them in tests/shots."""

from collections.abc import Callable
from typing import Any

import arcade
import pytest
from msgspec.structs import replace

from client.drawing import theme
from client.drawing.widgets import Button
from client.games.classic.combat_tasks import Scuttling, Sharing
from client.games.conquest.tasks.bargain_tasks import Answering
from client.games.conquest.tasks.building_tasks import Buying, ChoosingHome, Placing, Razing
from client.games.conquest.tasks.combat_tasks import ChoosingBattle, Judging
from client.games.conquest.tasks.movement_tasks import Moving
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.network.blocks import Blocks
from client.table import figures
from client.table.mouse_input import MouseInput
from client.table.retreat_task import Leaving
from client.table.tabletop import Tabletop
from client.table.task import Task, Watching
from protocol import codec
from protocol.session import ClientSession
from shared.ids import NONE, Seat
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Block, ClientMessage, Report, Said
from shared.messages import Blocks as BlockList
from shared.rulesets.classic.actions import Buy, Form
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.table import State
from shared.rulesets.registry import RULESETS
from shared.tables import BLOCKS, TablePhase
from shared.vocabulary.actions import EndMovement, Fight, Offer
from shared.vocabulary.events import BattleBegan
from tests.client.conftest import Photograph
from tests.support.layout import prison, sp
from tests.support.marks import mostly_long_pairs, with_releases
from tests.support.position import galley, general, march, play, position
from tests.support.referee import Step

Draw = Callable[[Tabletop[Any], str], None]


@pytest.fixture
def draw(window: arcade.Window, photograph: Photograph) -> Draw:
    """Draws a table once and takes a picture of it."""

    def take(top: Tabletop[Any], name: str) -> None:
        window.clear()
        top.draw()
        photograph(f"table-{name}")

    return take


def seated(state: Any, seat: Seat, rules: AnyRuleset = CLASSIC) -> Tabletop[Any]:
    """The table as that seat sees it."""
    match = LocalMatch(rules, state.seats, seat=seat)
    match.take_events()
    match.state = state
    theme.set_window(*theme.BASE_SIZE)
    top = Tabletop(match, guide(match.rules.id), RecordedCallbacks())
    top.place(*theme.BASE_SIZE)
    top.hear()
    top.events.hurry()
    return top


def draw_decision(
    state: Any, seat: Seat, kind: type[Task[Any]], draw: Draw, name: str, rules: AnyRuleset = CLASSIC
) -> None:
    """Draw the table of a seat, or of the seat that owes the top frame, with a task of that kind and after keys."""
    if seat == NONE and kind is not Watching:
        seat = state.frames[-1].seat
    top = seated(state, seat, rules)
    draw(top, name)
    assert type(top.task) is kind, state.frames
    if kind is not Watching:
        assert top.task.line()
    controls = MouseInput(top)
    for symbol in (arcade.key.TAB, arcade.key.KEY_1, arcade.key.ESCAPE):
        controls.key_press(symbol, 0)
    draw(top, f"{name}-after-keys")


def invaded() -> State:
    """Two armies in Neapolis, the attacker's movement over."""
    state = position(
        homes=("italia", "egyptus"),
        units={"italia": {0: (6, 2, 1)}, "neapolis": {1: (4, 1, 1)}},
        leaders={"italia": [general(0)], "neapolis": [general(1), general(1, 2)]},
        owners={"neapolis": 1},
        built={"neapolis": 2, "italia": 2, "egyptus": 1},
        galleys={galley(0): "mare_tyrrhenum", galley(0, 1): "mare_tyrrhenum", galley(1): "mare_tyrrhenum",
                 galley(1, 1): "mare_tyrrhenum"},
    )  # fmt: skip
    play(state, (0, march("italia", "neapolis", general(0), 4, 2, 1)), (0, EndMovement()))
    return state


def at_battle(*steps: Step) -> State:
    state = invaded()
    play(state, (0, Fight(sp("neapolis"), 1)), *steps)
    return state


def spending(phase: str) -> State:
    return position(
        homes=("italia", "egyptus"), phase=phase, talents=(120, 40), owners={"neapolis": 0, "rhaetia": 0},
        built={"italia": 1, "neapolis": 1}, units={"italia": {0: (3, 0, 0)}},
        leaders={prison(1): [general(0)], prison(0): [general(1)]},
    )  # fmt: skip


def threatened() -> State:
    """An enemy stands beside the cities of the player, who may wish to raze them."""
    state = spending("destruction")
    state.units[sp("noricum")] = (1, 2, 0, 0)
    return state


def at_placement() -> State:
    state = spending("purchase")
    play(state, (0, Buy(galleys=1, cities=1, fortifications=1, roads=1)))
    return state


def asked() -> State:
    state = spending("placement")
    play(state, (0, Offer(1, pays=20, takes=(general(0),))))
    return state


def at_sea(rolls: tuple[str, str]) -> State:
    state = position(
        homes=("italia", "egyptus"), phase="combat",
        galleys={galley(0): "mare_tyrrhenum", galley(0, 1): "mare_tyrrhenum", galley(1): "mare_tyrrhenum",
                 galley(1, 1): "mare_tyrrhenum"},
    )  # fmt: skip
    play(state, (0, Fight(sp("mare_tyrrhenum"), 1)), *rolls)
    return state


def captured() -> State:
    state = position(
        homes=("italia", "egyptus"), units={"italia": {0: (6, 0, 0)}, "neapolis": {1: (1, 0, 0)}},
        leaders={"italia": [general(0)], "neapolis": [general(1), general(1, 2)]}, owners={"neapolis": 1},
    )  # fmt: skip
    play(state, (0, march("italia", "neapolis", general(0), 6)), (0, EndMovement()), (0, Fight(sp("neapolis"), 1)),
         "iiiiii", ".")  # fmt: skip
    return state


def choosing_homes() -> State:
    match = LocalMatch(CLASSIC, 4, options={"homes": 1})
    state: State = match.state
    return state


STATES: list[tuple[str, Callable[[], State], Seat, type[Task[Any]]]] = [
    ("home", choosing_homes, NONE, ChoosingHome),
    (
        "movement",
        lambda: position(6, units={"macedonia": {0: (5, 2, 0)}}, leaders={"macedonia": [general(0)]}),
        0,
        Moving,
    ),
    ("combat", invaded, 0, ChoosingBattle),
    ("formation", lambda: at_battle(), 0, Sharing),
    ("losses", lambda: at_battle((0, Form(4, 1, 1)), "iick.g"), 1, Sharing),
    ("onward", lambda: at_battle((0, Form(4, 1, 1)), "......", "......."), 1, Leaving),
    ("captives", captured, 0, Judging),
    ("naval", lambda: at_sea(("g...", "....")), 1, Scuttling),
    ("cities", threatened, 0, Razing),
    ("purchase", lambda: spending("purchase"), 0, Buying),
    ("placement", at_placement, 0, Placing),
    ("bargain", asked, 1, Answering),
    ("onlooker", invaded, NONE, Watching),
]


@pytest.mark.parametrize(
    ("name", "build", "seat", "kind"), mostly_long_pairs(STATES, *STATES[::4]), ids=[name for name, *_ in STATES]
)
def test_each_decision_has_its_task_and_is_drawn(
    name: str, build: Callable[[], State], seat: Seat, kind: type[Task[Any]], draw: Draw
) -> None:
    draw_decision(build(), seat, kind, draw, name)


def test_the_end_is_told(draw: Draw) -> None:
    state = position(3)
    state.winner = 1
    top = seated(state, 0)
    draw(top, "end")
    assert isinstance(top.task, Watching)
    assert top.layout.header.scene is not None
    assert "has won" in top.layout.header.scene.prompt.what


def test_dice_tumble_then_lie_still(draw: Draw) -> None:
    match = LocalMatch(CLASSIC, 2, seat=0)
    match.take_events()
    match.state = invaded()
    theme.set_window(*theme.BASE_SIZE)
    top = Tabletop(match, guide(match.rules.id), RecordedCallbacks())
    top.place(*theme.BASE_SIZE)
    top.hear()
    match.play(0, Fight(sp("neapolis"), 1))
    top.hear()
    while match.owed() == (0,) or match.owed() == (1,):
        if top.playback.beat is not None and top.playback.beat.roll is not None:
            break
        match.step()
        top.hear()
        top.update(0.9)
    assert top.playback.busy
    assert isinstance(top.task, Watching), "the decision waits until the dice lie still"
    draw(top, "dice-fall")
    top.update(0.5)
    draw(top, "dice-tumble")
    top.update(0.5)
    draw(top, "dice-lie")
    assert MouseInput(top).key_press(arcade.key.ENTER, 0), "Enter skips what is still to be seen"
    assert not top.playback.busy


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(RULESETS, "mb1984"))
def test_the_board_does_not_tell_how_a_battle_ends_before_it_is_seen(game: str, window: arcade.Window) -> None:
    """Whatever a battle changes lies on the board once the panel says how it ended, and no sooner."""
    match = LocalMatch(RULESETS[game], 4, seed=5)
    theme.set_window(*theme.BASE_SIZE)
    changed = 0
    while changed < 3:
        while not any(isinstance(told.event, BattleBegan) for told in match.take_events()):
            assert match.step()
        top = Tabletop(match, guide(game), RecordedCallbacks())
        top.place(*theme.BASE_SIZE)
        top.hear()
        before = _lying(top)
        while guide(game).battle_scene.read(match.view) is not None and match.step():
            top.events.hurry()
            before = _lying(top)
            top.hear()
            while top.playback.suspense:
                assert _lying(top) == before
                top.update(0.2)
        top.events.hurry()
        now = {token.key: token.count for token in top.display.arrange(match.view)}
        assert _lying(top) == now
        changed += now != before


def _lying(top: Tabletop[Any]) -> dict[str, int]:
    """Return the number of each kind of piece on the board."""
    return {token.key: token.count for token in top.display.standing}


def test_pieces_fly_and_land(draw: Draw) -> None:
    state = position(units={"hispania": {0: (5, 0, 0)}}, leaders={"hispania": [general(0)]})
    top = seated(state, 0)
    assert isinstance(top.match, LocalMatch)
    top.match.play(0, march("hispania", "aquitania", general(0), 5))
    top.hear()
    assert top.display.motion.landing == {sp("aquitania")}
    keys = {token.key for token in top.display.standing}
    assert f"army:{sp('aquitania')}:0:0" not in keys, "it is not there before it has landed"
    top.update(0.2)
    draw(top, "flight")
    top.update(2.0)
    assert f"army:{sp('aquitania')}:0:0" in {token.key for token in top.display.standing}


@pytest.mark.parametrize("size", [(1024, 680), (1920, 1080), (2560, 1440)])
def test_other_sizes(size: tuple[int, int], draw: Draw) -> None:
    top = seated(invaded(), 0)
    theme.set_window(*size)
    top.place(*size)
    assert top.board.rect.width > size[0] / 2
    assert top.chronicle.rect.height > 120


def test_figures_and_numbers_are_sharp_where_a_pixel_of_the_window_is_several_of_the_screen(
    window: arcade.Window, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As large on the board as elsewhere, and with twice as many points."""
    usual = _sprites(seated(invaded(), 0))
    monkeypatch.setattr(window, "get_pixel_ratio", lambda: 2.0)
    fine = _sprites(seated(invaded(), 0))
    assert len(usual) == len(fine) > 15
    for (wide, height, points), (fine_wide, fine_height, fine_points) in zip(usual, fine, strict=True):
        assert (fine_wide, fine_height) == pytest.approx((wide, height), rel=0.05)
        assert fine_points >= min(1.4 * points, figures.SIZES[-1])


def _sprites(top: Tabletop[Any]) -> list[tuple[float, float, int]]:
    """Width, height and points of a side of all that lies on the board."""
    drawn = top.board.pieces._drawn.values()
    sprites = [sprite for each in drawn for sprite in (each.sprite, each.number) if sprite is not None]
    return [(sprite.width, sprite.height, sprite.texture.height) for sprite in sprites]


@pytest.mark.usefixtures("window")
def test_the_camera_stays_on_the_board_and_keeps_the_point_under_the_mouse() -> None:
    top = seated(invaded(), 0)
    camera, rect = top.board.camera, top.board.rect
    controls = MouseInput(top)
    before = camera.to_world(rect.x + 90, rect.y + 40)
    controls.mouse_scroll(rect.x + 90, rect.y + 40, 4)
    after = camera.to_world(rect.x + 90, rect.y + 40)
    assert abs(before[0] - after[0]) < 1e-6
    assert camera.zoom > camera.home_zoom
    for dx, dy in ((9000, 0), (-9000, 0), (0, 9000), (0, -9000)):
        camera.pan(dx, dy)
        low, high = camera.to_world(rect.left, rect.bottom), camera.to_world(rect.right, rect.top)
        assert low[0] >= -1e-6
        assert low[1] >= -1e-6
        assert high[0] <= top.board.geography.width + 1e-6
        assert high[1] <= top.board.geography.height + 1e-6
    assert controls.key_press(arcade.key.HOME, 0)
    assert camera.zoom == camera.home_zoom


class Clicker:
    """A mouse on the menu over a table."""

    def __init__(self, top: Tabletop[Any]) -> None:
        self.top = top
        self.controls = MouseInput(top)
        self.controls.key_press(arcade.key.F10, 0)

    def click(self, words: str) -> None:
        found = [w for w in self.top.menu.ui.widgets if isinstance(w, Button) and w.words == words]
        assert found, [w.words for w in self.top.menu.ui.widgets if isinstance(w, Button)]
        self.controls.mouse_press(found[0].rect.x, found[0].rect.y, arcade.MOUSE_BUTTON_LEFT)
        self.controls.mouse_release(found[0].rect.x, found[0].rect.y, arcade.MOUSE_BUTTON_LEFT)


def test_the_menu_concedes_and_takes_it_back(draw: Draw) -> None:
    top = seated(position(3), 0)
    mouse = Clicker(top)
    draw(top, "menu")
    assert top.menu.open
    mouse.click("Concede …")
    draw(top, "menu_whom")
    mouse.click("To Marcus")
    assert top.events.latest_position.conceded[0] == 1
    assert not top.match.finished
    top.menu.show()
    mouse.click("Take back the concession")
    assert top.events.latest_position.conceded[0] == NONE
    mouse.controls.key_press(arcade.key.ESCAPE, 0)
    assert top.menu.open, "Escape with nothing to take back opens the menu"
    mouse.controls.key_press(arcade.key.ESCAPE, 0)
    assert not top.menu.open


@pytest.mark.parametrize("conceded", [{}, {2: 1}])
def test_a_concession_that_ends_the_match_is_asked_in_words(draw: Draw, conceded: dict[int, int]) -> None:
    state = position(3 if conceded else 2)
    for seat, to in conceded.items():
        state.conceded[seat] = to
    top = seated(state, 0)
    mouse = Clicker(top)
    mouse.click("Concede …")
    mouse.click("To Marcus")
    draw(top, f"menu_end_{len(conceded)}")
    assert "the match is over at once: Marcus has won" in top.menu.page.words
    mouse.click("Go on playing")
    assert top.menu.page.title == "The table"
    assert not top.match.finished
    mouse.click("Concede …")
    mouse.click("To Marcus")
    mouse.controls.key_press(arcade.key.ENTER, 0)
    assert not top.match.finished, "Enter changes nothing"
    mouse.click("Concede …")
    mouse.click("To Marcus")
    mouse.click("Yes, Marcus has won")
    assert top.match.finished
    assert not top.menu.open


def test_resigning_says_what_follows_and_is_asked(draw: Draw) -> None:
    top = seated(position(2, options={"resign": 1}), 0)
    mouse = Clicker(top)
    mouse.click("Resign …")
    draw(top, "menu_resign")
    assert "Only Marcus is left then" in top.menu.page.words
    mouse.controls.key_press(arcade.key.ESCAPE, 0)
    assert top.menu.open
    assert not top.match.finished
    mouse.click("Resign …")
    mouse.click("Yes, resign")
    assert top.match.finished


@pytest.mark.usefixtures("window")
def test_chat_has_the_keyboard_while_one_types() -> None:
    top = seated(position(3), 0)
    controls = MouseInput(top)
    controls.key_press(arcade.key.T, 0)
    controls.text("t")
    for letter in "Ave":
        controls.text(letter)
    controls.key_press(arcade.key.ENTER, 0)
    assert isinstance(top.callbacks, RecordedCallbacks)
    assert top.callbacks.said == ["Ave"]
    assert not top.chronicle.typing


@pytest.mark.long
def test_typing_paints_nothing_of_the_chronicle_anew(draw: Draw, monkeypatch: pytest.MonkeyPatch) -> None:
    top = seated(position(3), 0)
    controls = MouseInput(top)
    draw(top, "untyped")
    painted: list[int] = []
    paint = top.chronicle.paint

    def count() -> None:
        painted.append(1)
        paint()

    monkeypatch.setattr(top.chronicle, "paint", count)
    controls.key_press(arcade.key.T, 0)
    controls.text("t")
    draw(top, "typing_begins")
    painted.clear()
    for letter in "Ave, Caesar!":
        controls.text(letter)
        top.update(0.1)
        draw(top, "typing")
    assert painted == []
    controls.mouse_press(top.board.rect.x, top.board.rect.y, arcade.MOUSE_BUTTON_LEFT)
    draw(top, "typed")
    assert painted == [1], "the words stay in sight once the mouse was clicked elsewhere"


def watched(seats: int = 3, **changes: Any) -> Tabletop[Any]:
    """Return a table that a spectator watches, who has written a line."""
    top = seated(position(seats), 0)
    assert top.match.table is not None
    top.match.table = replace(top.match.table, watchers=2, **changes)
    top.match.chat = [Said(1, "Marcus", "Your move."), Said(-1, "Nero", "Burn it!"), Said(0, "Livia", "Quiet.")]
    top.hear()
    return top


def press(top: Tabletop[Any], words: str) -> None:
    """Click a button of the chronicle."""
    found = [w for w in top.chronicle.ui.widgets if isinstance(w, Button) and w.visible and w.words == words]
    assert found, words
    controls = MouseInput(top)
    controls.mouse_press(found[0].rect.x, found[0].rect.y, arcade.MOUSE_BUTTON_LEFT)
    controls.mouse_release(found[0].rect.x, found[0].rect.y, arcade.MOUSE_BUTTON_LEFT)


def test_a_button_lets_a_player_hear_spectators_or_not(draw: Draw) -> None:
    top = watched()
    draw(top, "gallery")
    press(top, "Hear spectators")
    assert top.callbacks.listens
    draw(top, "gallery_heard")
    press(top, "Hide spectators")
    assert not top.callbacks.listens


@pytest.mark.usefixtures("window")
def test_typing_goes_on_while_the_button_comes_and_goes() -> None:
    top = watched()
    top.chronicle.start_typing()
    top.chronicle.ui.text("Ave")
    for watchers in (0, 1):
        assert top.match.table is not None
        top.match.table = replace(top.match.table, watchers=watchers)
        top.hear()
        assert top.chronicle._gallery is not None
        assert top.chronicle._gallery.visible == bool(watchers)
        top.chronicle.ui.text("!")
    assert top.chronicle._field is not None
    assert top.chronicle._field.value == "Ave!!"


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("changes", [{"watchers": 0}, {"phase": TablePhase.OVER}])
def test_no_spectator_button_without_spectators(changes: dict[str, Any]) -> None:
    top = watched()
    assert top.match.table is not None
    top.match.table = replace(top.match.table, **changes)
    top.hear()
    assert top.chronicle._gallery is not None
    assert not top.chronicle._gallery.visible


def test_the_host_mutes_players_and_lets_them_speak_again(draw: Draw) -> None:
    top = watched(host=True)
    mouse = Clicker(top)
    mouse.click("Mute …")
    draw(top, "menu_mute")
    assert [entry.words for entry in top.menu.page.entries] == ["Cancel", "Mute Nero", "Mute Marcus"]
    mouse.click("Mute Nero")
    assert top.match.muted == {"Nero"}
    top.menu.show()
    mouse.click("Mute …")
    mouse.click("Unmute Nero")
    assert top.match.muted == set()


def test_people_are_reported_hidden_and_avoided_from_the_menu(draw: Draw) -> None:
    top, sent = watched(), list[ClientMessage]()
    session = ClientSession("Livia")
    session.can = (BLOCKS,)
    blocks = Blocks(session, lambda data: sent.append(codec.decode_client(data)))
    assert isinstance(top.match, LocalMatch)
    top.match.blocks = blocks
    mouse = Clicker(top)
    for words in ("Report to the operator", "Hide what they say", "Never seat me with them"):
        mouse.click("People …")
        mouse.click("Nero")
        draw(top, "menu_person")
        mouse.click(words)
        top.menu.show()
    report, hide, avoid = sent
    assert isinstance(report, Report) and (report.name, report.words) == ("Nero", "Burn it!")
    assert isinstance(hide, Block) and hide.hide and not hide.avoid
    assert isinstance(avoid, Block) and avoid.avoid
    blocks.hear(BlockList(hide.ref, (), ("Nero",)))
    mouse.click("People …")
    mouse.click("Nero")
    assert "Show what they say again" in [entry.words for entry in top.menu.page.entries]


@pytest.mark.usefixtures("window")
def test_only_the_host_is_offered_to_mute() -> None:
    top = watched()
    Clicker(top)
    assert "Mute …" not in [entry.words for entry in top.menu.page.entries]
