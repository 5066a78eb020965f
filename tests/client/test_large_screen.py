"""The table on a large screen for all: it shows no secrets, follows by itself, and takes no mouse."""

from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import arcade
import pytest
from arcade import key

from client import command_line, message_router
from client.app import App
from client.drawing import theme
from client.games.registry import GUIDES, guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.network.model import MatchModel
from client.player.settings import Settings
from client.screens.connect import ConnectScreen
from client.screens.large_screen import LargeScreen, way_to
from client.screens.lobby import LobbyScreen
from client.screens.room import RoomScreen
from client.screens.table import TableScreen
from client.table.large_table import Entrance, LargeTable, TableLinks, split
from protocol.session import ClientSession
from shared.messages import Invited, Rematch, Seated
from shared.rulesets import registry
from shared.rulesets.cote2.frames import Auction, Vote
from shared.tables import SeatKind
from shared.vocabulary.actions import Concede
from tests.client.conftest import Photograph, Server, Shoot, at_the_board, until
from tests.client.screen_steps import add_bot, arrive, begin_with_bot, open_table, press, remote, screen_of, table_of
from tests.client.test_screens import a_match
from tests.support.marks import with_releases

pytestmark = pytest.mark.usefixtures("window")
SIZES = [(1280, 720), (1920, 1080), (3840, 2160), (1280, 800), (1024, 768)]
WAY = TableLinks("conquest://192.168.1.20:8600/VENI42", "VENI42", "192.168.1.20:8600")


@pytest.fixture
def screen(window: arcade.Window) -> Iterator[App]:
    """Yield the program in the view beside the table, without a player."""
    made = App(window, Settings(name="Titus"))
    yield made
    made.close()


def wall(ruleset: str, players: int = 4, after: int = 0, seed: int = 1) -> tuple[LargeTable[Any], LocalMatch]:
    match = LocalMatch(registry.ruleset(ruleset), players, seed=seed)
    for _ in range(after):
        match.step()
    entrance = Entrance()
    entrance.show(WAY)
    made = LargeTable(match, guide(ruleset), RecordedCallbacks(), entrance)
    made.place(*theme.BASE_SIZE)
    made.hear()
    made.events.hurry()
    return made, match


def played(made: LargeTable[Any], match: LocalMatch, reached: Callable[[], object]) -> None:
    """Play on until something is to be seen."""
    for _ in range(600):
        if reached():
            return
        assert match.step()
        made.hear()
        if not reached():
            made.events.hurry()
    raise AssertionError("never came about")


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("seats", [2, 6])
def test_its_parts_cover_the_window_and_not_each_other(width: int, height: int, seats: int) -> None:
    theme.set_window(width, height)
    parts = split(width, height, seats)
    rects = [getattr(parts, name) for name in parts.__struct_fields__]
    assert sum(rect.width * rect.height for rect in rects) == width * height
    for i, one in enumerate(rects):
        assert one.width > 0 and one.height > 0
        assert not any(one.overlaps(other) and one.intersection(other) for other in rects[i + 1 :])


@pytest.mark.long
@pytest.mark.parametrize("ruleset", with_releases(GUIDES, "mb1984"))
def test_every_game_is_shown_with_who_decides_and_what_happened(
    ruleset: str, painted: arcade.Window, photograph: Photograph
) -> None:
    made, match = wall(ruleset, 6, 150)
    painted.clear()
    made.draw()
    photograph(f"wall_{ruleset}")
    assert made.now._scene is not None and made.now._scene.prompt.seat in match.owed()
    assert made.recent_events._lines and made.recent_events._lines[-1] is made.chronicle.lines[-1]
    ranks = {place.seat: place.rank for place in match.rules.standings(match.view)}
    assert made.standings._ranks == ranks and len(ranks) == 6


@pytest.mark.long
def test_it_is_drawn_again_only_where_something_changed(painted: arcade.Window) -> None:
    made, match = wall("classic", 4, 60)
    made.draw()
    while made.update(0.02):
        made.draw()
    assert not any(made.update(0.02) for _ in range(50))
    match.step()
    made.hear()
    assert made.update(0.02)


@pytest.mark.long
def test_a_battle_is_seen_large_and_its_dice_stay(painted: arcade.Window, photograph: Photograph) -> None:
    made, match = wall("classic", 6, 100)
    played(made, match, lambda: made.playback.busy and any(beat.roll for beat in made.playback._waiting))
    for _ in range(600):
        made.update(1 / 30)
        if made.playback.beat is not None and made.playback.beat.roll is not None and made.playback.fallen == 1.0:
            break
    assert made.stage._share > 1.2
    painted.clear()
    made.draw()
    photograph("wall_battle")
    for _ in range(600):
        made.update(0.1)
        if made.playback.beat is None:
            break
        if not made.playback.busy:
            assert match.step()
            made.hear()
    assert made.playback.beat is None
    battle = made.recent_events._battle
    assert battle is not None and 1 <= len(battle.rolls) <= 2 and all(roll.faces for roll in battle.rolls)
    painted.clear()
    made.draw()
    photograph("wall_after_battle")


@pytest.mark.long
@pytest.mark.parametrize(("frame", "seed"), [(Auction, 1), (Vote, 1)])
def test_auctions_and_votes_are_laid_open(
    frame: type[object], seed: int, painted: arcade.Window, photograph: Photograph
) -> None:
    made, match = wall("cote2", 4, 5, seed)
    played(made, match, lambda: isinstance(match.view.frames[-1], frame) and made.sheet is not None)
    assert made.sheet is not None and made.sheet.by_itself and made.sheet.rect.top <= made.board.rect.top
    painted.clear()
    made.draw()
    photograph(f"wall_{frame.__name__.lower()}")


@pytest.mark.long
def test_sheets_on_the_large_screen_close_by_themselves() -> None:
    made, match = wall("cote2", 3)
    score = next(sheet for sheet in made.sheets if type(sheet).__name__ == "ScoreSheet")
    played(made, match, lambda: made.sheet is score)
    assert not score.ui.widgets
    for _ in range(19):
        made.update(1.0)
    assert made.sheet is score, "there is time to read it"
    for _ in range(3):
        made.update(1.0)
    assert made.sheet is not score


@pytest.mark.long
def test_at_the_end_it_says_who_has_won() -> None:
    made, match = wall("cote2", 3)
    played(made, match, lambda: match.finished)
    assert made.now._end is None, "chaos is counted first"
    made.events.hurry()
    assert made.now._end is not None and made.now._end.winner >= 0
    assert "won" in made.now._end.words


def test_an_agreed_end_names_who_is_ahead_and_tells_every_rank(
    painted: arcade.Window, photograph: Photograph, monkeypatch: pytest.MonkeyPatch
) -> None:
    made, _match = wall("classic", 4, 60)
    monkeypatch.setattr(LocalMatch, "finished", True)
    made.follow()
    made.tell_checked("All 12 rolls of this match are verified.")
    end = made.now._end
    (first,) = [seat for seat, rank in made.standings._ranks.items() if rank == 1]
    assert end is not None and end.winner == first and "agreed end" in end.words
    assert end.checked and made.standings._over
    painted.clear()
    made.draw()
    photograph("wall_agreed")


# In the program


def shown(app: App) -> LargeScreen:
    assert isinstance(app.screen, LargeScreen)
    return app.screen


def both_begin(app: App, screen: App, server: Server) -> None:
    """A table of one person and a bot, and a screen that shows it from before its beginning."""
    open_table(app, server)
    screen.go.exhibit(server.address, table_of(app).code)
    arrive(screen, LargeScreen)
    add_bot(app)
    press(app, "Start the match")
    until(app, lambda: at_the_board(app) and app.remote.match is not None and app.remote.match.is_mine)
    until(screen, lambda: at_the_board(screen))


def test_it_waits_shows_and_follows(app: App, screen: App, server: Server, shoot: Shoot) -> None:
    open_table(app, server)
    screen.go.exhibit(server.address, table_of(app).code)
    arrive(screen, LargeScreen)
    shoot(screen, "wall_gathering")
    assert shown(screen).match.view is None and not screen.remote.listens
    until(app, lambda: table_of(app).watchers == 1)
    assert table_of(app).onlookers == ("Large screen",)
    add_bot(app)
    press(app, "Start the match")
    until(app, lambda: app.remote.match is not None and app.remote.match.is_mine)
    model = app.remote.match
    assert model is not None and model.act(model.options()[0]) is None
    until(app, lambda: not model.pending)
    until(screen, lambda: at_the_board(screen) and shown(screen).match.version >= model.version)
    assert shown(screen).match.seat == -1
    shoot(screen, "wall_live")


def test_it_comes_back_when_the_server_does(app: App, screen: App, server: Server) -> None:
    both_begin(app, screen, server)
    model = app.remote.match
    assert model is not None
    server.kill()
    until(screen, lambda: screen.remote.trouble)
    again = Server(server.data, server.port)
    try:
        until(screen, lambda: not screen.remote.trouble)
        until(app, lambda: not app.remote.trouble and table_of(app).seats[0].kind == SeatKind.PERSON)
        assert model.act(model.options()[0]) is None
        until(app, lambda: not model.pending)
        until(screen, lambda: shown(screen).match.version >= model.version)
    finally:
        again.kill()


@pytest.mark.long
def test_it_goes_along_to_the_next_table(
    app: App, screen: App, server: Server, monkeypatch: pytest.MonkeyPatch, shoot: Shoot
) -> None:
    monkeypatch.setattr(message_router, "RESULT_DELAY", 0.1)
    both_begin(app, screen, server)
    old, model = table_of(app).match, app.remote.match
    assert model is not None and model.act(Concede(1)) is None
    until(app, lambda: model.over)
    until(screen, lambda: shown(screen).match.over)
    until(screen, lambda: "verified" in shown(screen)._wall._checked)
    shoot(screen, "wall_over")
    app.remote.send(Rematch(app.remote.ref()))
    arrive(app, RoomScreen)
    until(screen, lambda: isinstance(screen.screen, LargeScreen) and table_of(screen).match != old)
    assert screen.remote.sequel == table_of(screen).match
    shoot(screen, "wall_again")
    press(app, "Start the match")
    until(screen, lambda: at_the_board(screen) and table_of(screen).match != old)
    assert isinstance(screen.screen, LargeScreen)


def test_without_a_code_the_only_table_is_shown(app: App, screen: App, server: Server) -> None:
    open_table(app, server)
    screen.go.exhibit(server.address)
    arrive(screen, LargeScreen)
    assert table_of(screen).match == table_of(app).match


def test_of_several_tables_one_is_chosen(app: App, screen: App, window: arcade.Window, server: Server) -> None:
    open_table(app, server)
    other = App(window, Settings(name="Marcus"))
    open_table(other, server)
    screen.go.exhibit(server.address)
    until(screen, lambda: isinstance(screen.screen, LobbyScreen) and len(screen.remote.lobby.tables) == 2)
    screen.remote.watch(table_of(other).match)
    arrive(screen, LargeScreen)
    assert table_of(screen).match == table_of(other).match
    other.close()


def test_form_reports_a_missing_table(screen: App, server: Server) -> None:
    screen.go.exhibit(server.address, "XXXXXXXX")
    until(screen, lambda: isinstance(screen.screen, ConnectScreen) and "opens no table" in screen.screen._trouble)


def test_an_onlooker_shows_the_table_from_its_menu_and_comes_back(app: App, screen: App, server: Server) -> None:
    open_table(app, server)
    begin_with_bot(app)
    remote(screen, server, table_of(app).code)
    until(screen, lambda: at_the_board(screen))
    board = screen_of(screen, TableScreen)
    board.top.menu.show()
    next(entry for entry in board.top.menu.page.entries if entry.words == "Show it to all in the room").action()
    assert isinstance(screen.screen, LargeScreen)
    screen.screen.on_key_press(key.ESCAPE, 0)
    assert type(screen.screen) is TableScreen and not screen.go.exhibiting
    player = screen_of(app, TableScreen)
    player.top.menu.show()
    assert "Show it to all in the room" not in [entry.words for entry in player.top.menu.page.entries]
    app.go.exhibit()
    assert app.screen is player, "a hand is not shown to all"


def test_escape_leaves_the_full_screen_and_then_the_table(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    filled: list[bool] = []
    monkeypatch.setattr(app.window, "set_fullscreen", filled.append)
    app.filled = app.go.exhibiting = True
    app.go.show(LargeScreen(app, a_match(you=-1, host=False)))
    assert app.screen.on_key_press(key.ESCAPE, 0)
    assert filled == [False] and not app.settings.display_settings.full and isinstance(app.screen, LargeScreen)
    app.fill_screen()
    assert filled == [False, True] and not app.settings.display_settings.full, "the next window is as it was"
    app.fill_screen()
    app.screen.on_key_press(key.ESCAPE, 0)
    assert not isinstance(app.screen, LargeScreen) and not app.go.exhibiting


def test_neither_mouse_nor_keys_do_anything_else(app: App) -> None:
    app.go.exhibiting = True
    app.go.show(LargeScreen(app, a_match(you=-1)))
    screen = shown(app)
    assert not screen.on_mouse_motion(5, 5, 0, 0)
    assert not screen.on_mouse_press(5, 5, arcade.MOUSE_BUTTON_LEFT, 0)
    assert not screen.on_mouse_release(5, 5, arcade.MOUSE_BUTTON_LEFT, 0)
    assert not screen.on_mouse_drag(5, 5, 1, 1, arcade.MOUSE_BUTTON_LEFT, 0)
    assert not screen.on_mouse_scroll(5, 5, 0, 1)
    assert not screen.on_key_press(key.ENTER, 0) and not screen.on_key_release(key.ENTER, 0)
    assert not screen.on_text("m") and isinstance(app.screen, LargeScreen)


def test_a_seat_that_is_given_to_it_is_left_at_once_and_its_hand_is_not_drawn(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = a_match(you=-1)
    app.remote.match, app.go.exhibiting = match, True
    app.go.show(LargeScreen(app, match))
    match.view, match.seat = object(), 0
    drawn: list[object] = []
    monkeypatch.setattr(shown(app).top, "draw", lambda: drawn.append(1))
    shown(app).on_draw()
    assert drawn == []
    left: list[object] = []
    monkeypatch.setattr(app.remote.access, "leave", lambda: left.append(1))
    app._usher.hear(Seated(0, "m1", 0, b"t" * 32))
    assert left == [1] and not app.seats.all()


def test_refused_connections_are_retried(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    match, session = a_match(you=-1), ClientSession("Screen")
    app.remote.match, app.remote.access.session, app.go.exhibiting = match, session, True
    watched: list[tuple[str, str]] = []
    monkeypatch.setattr(app.remote, "watch", lambda match, code="": watched.append((match, code)))
    app._usher._again_at = 0.001
    app._usher.update()
    assert watched == [("m1", "VENI42")]
    app._usher.update()
    assert len(watched) == 1


@pytest.mark.parametrize(
    ("url", "link", "typed"),
    [
        ("ws://192.168.1.20:8601", "http://192.168.1.20:8601/watch#VENI42", "192.168.1.20:8601"),
        ("wss://play.example.org", "https://play.example.org/watch#VENI42", "play.example.org"),
        ("ws://127.0.0.1:8601", "http://10.0.0.5:8601/watch#VENI42", "10.0.0.5:8601"),
        ("ws://[::1]:8602", "http://10.0.0.5:8602/watch#VENI42", "10.0.0.5:8602"),
        ("wss://localhost:8602", "https://localhost:8602/watch#VENI42", "localhost:8602"),
    ],
)
def test_the_way_to_the_table_is_one_that_others_can_go(
    app: App, url: str, link: str, typed: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("client.network.server_access.lan_addresses", lambda: ["10.0.0.5"])
    monkeypatch.setattr(app.remote.access, "link", SimpleNamespace(url=url, close=lambda: None))
    table = a_match().table
    assert table is not None
    way = way_to(app.remote, table)
    assert (way.link, way.address) == (link, typed)


def test_the_command_fills_the_screen_or_opens_a_window(monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[object] = []

    def opened(_mine: object, begin: Callable[[object], object], **how: object) -> int:
        begin(SimpleNamespace(exhibit=lambda *where: begun.append((*where, how["full"]))))
        return 0

    monkeypatch.setattr(command_line, "_open_window", opened)
    assert command_line.main(["table", "--show", "192.168.1.20:8600", "VENI42"]) == 0
    assert command_line.main(["table", "--show", "--window", "conquest://192.168.1.20/VENI42"]) == 0
    assert command_line.main(["table", "--show", "192.168.1.20", "--code", "VENI42"]) == 0
    assert begun == [
        ("192.168.1.20:8600", "VENI42", True), ("192.168.1.20", "VENI42", False), ("192.168.1.20", "VENI42", True),
    ]  # fmt: skip


@pytest.mark.long
def test_the_command_needs_an_address(capsys: pytest.CaptureFixture[str]) -> None:
    assert command_line.main(["table", "--show"]) == 2
    assert "needs the address" in capsys.readouterr().err


def test_an_invitation_is_followed_at_once(app: App, monkeypatch: pytest.MonkeyPatch) -> None:
    app.remote.match, app.go.exhibiting = a_match(you=-1), True
    followed: list[str] = []
    monkeypatch.setattr(app.remote, "come_along", lambda invited: followed.append(invited.match))
    app._usher.hear(Invited(0, "m2", "CODE", -1, b"", "Livia"))
    assert followed == ["m2"] and isinstance(app.remote.match, MatchModel)
