"""Every screen is drawn, says nothing on top of something else, and can be left."""

import time
from collections.abc import Callable
from itertools import cycle, product
from pathlib import Path

import arcade
import pytest
from arcade import key
from msgspec.structs import replace

from client.app import App
from client.drawing import theme, widgets
from client.drawing.fields import Selector, Toggle
from client.drawing.widgets import Button, Label, Panel, Widget
from client.games.registry import GUIDES
from client.network.model import MatchModel
from client.player.seats import HOSTED, PRIVATE, SavedSeat
from client.player.settings import SIZES
from client.replay.film_analysis import Reading
from client.replay.film_match import FilmMatch, seats_called
from client.screens import base
from client.screens.ask import AskScreen
from client.screens.base import Screen
from client.screens.charts import ChartsScreen
from client.screens.connect import ConnectingScreen, ConnectScreen
from client.screens.create import CreateScreen
from client.screens.credits import CreditsScreen
from client.screens.curtain import CurtainScreen
from client.screens.games import GamesScreen
from client.screens.help import HelpScreen
from client.screens.invitation import InviteScreen
from client.screens.keys import KeysScreen
from client.screens.lessons import LessonsScreen, ProblemsScreen
from client.screens.lobby import LobbyScreen
from client.screens.menu import MenuScreen
from client.screens.name import NameScreen
from client.screens.navigator import Purpose
from client.screens.notices import NoticesScreen
from client.screens.question import Answer, Question
from client.screens.records import OpenScreen, SaveScreen
from client.screens.result import ResultScreen
from client.screens.room import RoomScreen
from client.screens.settings import PAGES, SettingsScreen
from client.table.event_text import event_line
from protocol.record import Record, Sitter
from protocol.session import ClientSession
from shared.actions.bot_levels import LEVEL_WORDS
from shared.kernel import engine
from shared.levels import LEVELS
from shared.messages import Invited, NoticeSettings, Notifying, Pledge, Said, SeatInfo, TableInfo, TableState
from shared.rulesets.registry import RULESETS, ruleset
from shared.tables import SeatKind, TablePhase
from tests.client.conftest import Shoot
from tests.client.replay.films import film_of, recorded
from tests.support.marks import in_stages, pairs_in_stages

RULES = ruleset("classic")
SEATS = (
    SeatInfo(SeatKind.PERSON, "Livia"),
    SeatInfo(SeatKind.BOT, "Brutus", "greedy"),
    SeatInfo(SeatKind.FREE),
    SeatInfo(SeatKind.PERSON, "Marcus Tullius Cicero Min."),
    SeatInfo(SeatKind.AWAY, "Gaius"),
    SeatInfo(SeatKind.FREE),
)


def a_match(**changes: object) -> MatchModel:
    """A model of a table of six with some of everything."""
    options = {option.key: option.values[-1] for option in RULES.options}
    fields: dict[str, object] = {
        "match": "m1", "title": "The long war of the eagles and the wolf", "ruleset": "classic", "options": options,
        "open": True, "code": "VENI42", "phase": TablePhase.GATHERING, "you": 0, "host": True,
        "think": 120, "takeover": 60, "seats": SEATS, "watchers": 2,
        "pledge": Pledge(bytes(range(32)), (b"n" * 32, b"", b"", b"m" * 32, b"", b"")),
    }  # fmt: skip
    table = TableState(**(fields | changes))  # type: ignore[arg-type]
    model = MatchModel(RULES, table, ClientSession("Livia"), lambda data: None)
    model.chat = [Said(-2, "", "Gaius sits down."), Said(3, "Marcus", "Ave! " * 40), Said(-1, "Nero", "I only watch.")]
    return model


def a_result(winner: int) -> MatchModel:
    model = a_match(phase=TablePhase.OVER)
    state = engine.start(RULES, 6, engine.checked_options(RULES, 6, {"homes": 2}), engine.ignore_event)
    state.winner = winner
    model.view = RULES.view(state, 0)
    return model


def invited(app: App) -> ResultScreen:
    match = a_result(2)
    match.invited = Invited(0, "m2", "VENI43", 3, bytes(32), "Marcus Tullius Cicero Min.")
    return ResultScreen(app, match)


def a_lobby(app: App, tables: int) -> LobbyScreen:
    app.remote.lobby.known = True
    for i in range(tables):
        app.remote.lobby.tables[f"m{i}"] = TableInfo(
            f"m{i}", f"Table {i} " * 5, "classic", 6, i % 6, i, TablePhase(i % 3)
        )
    return LobbyScreen(app)


def a_lobby_with_pages(app: App) -> LobbyScreen:
    """All that a server may offer."""
    app.remote.operator_pages = lambda: ["https://play.example.org/terms"]  # type: ignore[method-assign]
    app.remote.can = lambda what: True  # type: ignore[method-assign]
    return a_lobby(app, 3)


def hosted_room(app: App) -> RoomScreen:
    app.remote.access.address = HOSTED
    return RoomScreen(app, a_match())


def menu_with_seat(app: App) -> MenuScreen:
    app.seats.keep(SavedSeat("play.example.org", "m1", bytes(32), "Ides of March"))
    return MenuScreen(app)


def the_games(app: App) -> GamesScreen:
    """Some of each kind."""
    now = time.time()
    names = ("Marcus Tullius Cicero Min.", "Cornelia", "Gaius", "Octavia", "Titus")
    for seat in (
        SavedSeat(PRIVATE, "m1", bytes(32), "Livia's table", 0, "classic", ("Brutus", "Cassius"), now - 40, mine=True),
        SavedSeat("play.example.org", "m2", bytes(32), "The long war of the eagles and the wolf", 2, "cote2", names,
                  now - 100000, turn="Marcus Tullius Cicero Min."),
        SavedSeat(HOSTED, "m3", bytes(32), "Ides of March", 1, "mb1984", ("Marcus",), now - 4e5, "gathering"),
        SavedSeat("192.168.1.20", "m4", bytes(32), "Saturnalia", 1, "mb1984", names[:2], now - 9e6, "over"),
        SavedSeat("192.168.1.20:8601", "m5", bytes(32), "Lupercalia", 1, "classic", names[:3], now - 9.1e6, "gone"),
        SavedSeat("old.example.org", "m6", bytes(32)),
    ):  # fmt: skip
        app.seats.keep(seat)
    return GamesScreen(app)


QUESTION = Question(
    "Leave The long war of the eagles and the wolf?",
    ("The match goes on without you: a bot plays for you to its end. The others are told that you left.",) * 2,
    (Answer("Leave for good …", lambda: None, grave=True), Answer("Something else", lambda: None)),
)


def charted(app: App, page: int) -> ChartsScreen:
    """A match in numbers, all of it read."""
    film, game = film_of(recorded("cote2", "6-seats")), GUIDES["cote2"]
    screening = FilmMatch(
        film, seats_called([(name, "") for name in ("Livia", "Brutus", "Cassius", "Gaius", "Octavia", "Titus")])
    )
    reading = Reading(film, game.film, lambda event: event_line(event, screening.name, game.tell))
    reading.wait()
    screen = ChartsScreen(app, reading, screening, see=print, close=app.go.menu)
    screen.page = page
    return screen


def the_notices(app: App) -> Screen:
    screen = NoticesScreen(app, "k3x9q0a7bz1c", close=app.go.menu)
    ways = ("push", "ntfy", "discord", "mail")
    screen.hear(Notifying(1, NoticeSettings(quiet=(1320, 420)), ways, "anna@example.org"))
    return screen


def shared_form(app: App) -> CreateScreen:
    """The form with others at this computer, which has one more entry."""
    form = CreateScreen(app, "play")
    form._others = "Marcus, Gaius"
    return form


SCREENS: dict[str, Callable[[App], Screen]] = {
    "menu": MenuScreen,
    "menu_seat": menu_with_seat,
    "join": lambda app: ConnectScreen(app, watch=False),
    "watch": lambda app: ConnectScreen(app, watch=True, address="play.example.org:8600", code="VENI42"),
    "play": lambda app: CreateScreen(app, "play"),
    "host": lambda app: CreateScreen(app, "host"),
    "create": lambda app: CreateScreen(app, "lobby"),
    "waiting": ConnectingScreen,
    "lobby_empty": lambda app: a_lobby(app, 0),
    "lobby": lambda app: a_lobby(app, 30),
    "lobby_pages": a_lobby_with_pages,
    "room": hosted_room,
    "room_guest": lambda app: RoomScreen(app, a_match(host=False, you=-1)),
    "result": lambda app: ResultScreen(app, a_result(0)),
    "result_invited": invited,
    "result_lost": lambda app: ResultScreen(app, a_result(2)),
    "help": lambda app: HelpScreen(app, "", close=app.go.menu),
    "credits": CreditsScreen,
    "settings": lambda app: SettingsScreen(app, close=app.go.menu),
    "keys": lambda app: KeysScreen(app, close=app.go.menu),
    "games": the_games,
    "games_none": GamesScreen,
    "open": lambda app: OpenScreen(app, close=app.go.menu),
    "charts": lambda app: charted(app, 0),
    "charts_sources": lambda app: charted(app, 3),
    "charts_dice": lambda app: charted(app, 4),
    "invite": lambda app: InviteScreen(app, a_match(), close=app.go.menu),
    "notices": the_notices,
    "ask": lambda app: AskScreen(app, QUESTION, close=app.go.menu),
    "curtain": lambda app: CurtainScreen(app, "Marcus", app.go.menu),
    "play_shared": shared_form,
    "name": lambda app: NameScreen(app, close=app.go.menu),
    "lessons": LessonsScreen,
    "problems": ProblemsScreen,
}


NAMES = tuple(SCREENS)
"""The default suite tries each screen in some of the ways, so that all ways are tried with many screens."""
BARS = (("settings", 150), ("menu", 150), ("create", 125))
WINDOWS = (theme.MIN_SIZE, (1920, 1080))


@pytest.mark.parametrize("name", in_stages(SCREENS, NAMES[::6], NAMES[3::6]))
def test_a_screen_is_drawn(app: App, shoot: Shoot, name: str) -> None:
    app.go.show(SCREENS[name](app))
    shoot(app, name)
    no_overlaps(app)


@pytest.mark.parametrize(
    ("name", "size"),
    pairs_in_stages(
        product(SCREENS, WINDOWS),
        zip(NAMES[1::3], cycle(WINDOWS), strict=False),
        zip(NAMES[::3], cycle(WINDOWS), strict=False),
    ),
)
def test_a_screen_fits_other_windows(app: App, name: str, size: tuple[int, int]) -> None:
    app.on_resize(*size)
    app.go.show(SCREENS[name](app))
    no_overlaps(app)


@pytest.mark.parametrize(
    ("name", "size"),
    pairs_in_stages(
        product(SCREENS, SIZES[1:]),
        zip(NAMES[::2], cycle(SIZES[1:]), strict=False),
        zip(NAMES[1::4], cycle(SIZES[1:]), strict=False),
    ),
)
def test_a_screen_has_room_for_larger_letters(app: App, name: str, size: int) -> None:
    """Content that does not fit into the window can be scrolled, by the wheel and by Tab."""
    app.settings.display_settings.size = size
    app.go.show(SCREENS[name](app))
    screen = app.screen
    for _ in range(3):
        no_overlaps(app, below=screen.below)
        screen.on_mouse_scroll(5, 5, 0, -1000)
    assert screen.below == pytest.approx(0, abs=2), "all of it was seen"
    ring = [widget for widget in screen.ui.widgets if widget.focusable and widget.enabled]
    for _ in ring:
        screen.on_key_press(key.TAB, 0)
        focus = screen.ui.focus
        assert focus is not None and focus.rect.top <= screen.height and focus.rect.bottom >= 0


@pytest.mark.long
@pytest.mark.parametrize("name", in_stages(SCREENS, [], NAMES[::3]))
def test_larger_letters_fit_the_smallest_window_too(app: App, name: str) -> None:
    app.on_resize(*theme.MIN_SIZE)
    for app.settings.display_settings.size in SIZES[1:3]:
        test_a_screen_has_room_for_larger_letters(app, name, app.settings.display_settings.size)


@pytest.mark.parametrize(("name", "size"), pairs_in_stages(product(SCREENS, SIZES[1:3]), BARS, []))
def test_a_screen_that_scrolls_has_a_bar_that_can_be_dragged(
    app: App, monkeypatch: pytest.MonkeyPatch, name: str, size: int
) -> None:
    bars = list[tuple[float, float]]()
    monkeypatch.setattr(base, "scroll_bar", lambda rect, offset, most: bars.append((offset, most)))
    app.settings.display_settings.size = size
    app.on_resize(*theme.MIN_SIZE)
    screen = SCREENS[name](app)
    app.go.show(screen)
    low = min(widget.rect.bottom for widget in screen.ui.widgets if widget.visible)
    screen.on_draw()
    assert (low < 0) == (screen.below > 0)
    if screen.below:
        assert bars[-1] == (0, screen.below)
        edge = screen.width - 2
        screen.on_mouse_press(edge, screen.height - 2, arcade.MOUSE_BUTTON_LEFT, 0)
        screen.on_mouse_drag(edge, 2, 0, 0, arcade.MOUSE_BUTTON_LEFT, 0)
        assert screen.below < 2 and app.screen is screen
        screen.on_draw()
        assert bars[-1][1] - bars[-1][0] < 2 < bars[-1][1]
        screen.on_mouse_release(edge, 2, arcade.MOUSE_BUTTON_LEFT, 0)
        screen.on_mouse_drag(edge, screen.height - 2, 0, 0, 0, 0)
        assert screen.below < 2, "the mouse let go of it"


@pytest.mark.parametrize("size", SIZES)
def test_escape_leaves_the_settings_at_once_wherever_the_keyboard_is(app: App, size: int) -> None:
    app.on_resize(*theme.MIN_SIZE)
    app.settings.display_settings.size = size
    for page in range(len(PAGES)):
        for tabs in range(0, 24, 3):
            screen = SettingsScreen(app, close=app.go.menu)
            screen._turned = page
            app.go.show(screen)
            for _ in range(tabs):
                screen.on_key_press(key.TAB, 0)
            screen.on_key_press(key.ESCAPE, 0)
            assert isinstance(app.screen, MenuScreen), (page, tabs)


@pytest.mark.long
def test_letters_are_larger_as_far_as_there_is_room(app: App) -> None:
    def high(name: str) -> float:
        app.go.show(SCREENS[name](app))
        return max(widget.rect.height for widget in app.screen.ui.widgets if isinstance(widget, Button))

    usual = {name: high(name) for name in SCREENS}
    app.settings.display_settings.size = SIZES[-1]
    grown = {name: high(name) / usual[name] for name in SCREENS}
    assert all(share >= 1.1 for share in grown.values()), grown
    assert sum(share > 1.7 for share in grown.values()) > len(SCREENS) / 2, grown


def test_the_largest_letters_find_room_in_the_largest_window(app: App) -> None:
    app.on_resize(3840, 2160)
    app.go.show(MenuScreen(app))
    no_overlaps(app)


def no_overlaps(app: App, *, below: float = 0.0) -> None:
    """All words and buttons lie in the window, or no further below it, and none on another."""
    screen = app.screen
    solid = [w for w in screen.ui.widgets if (isinstance(w, Label) and w.words) or isinstance(w, Button)]
    assert solid
    for i, widget in enumerate(solid):
        rect = widget.rect
        assert rect.left >= 0 and rect.right <= screen.width, said(widget)
        assert rect.bottom >= -below and rect.top <= screen.height + screen.scrolled, said(widget)
        for other in solid[i + 1 :]:
            assert not overlap(widget, other), f"{said(widget)} lies on {said(other)}"


def overlap(a: Widget, b: Widget) -> bool:
    """Whether what they show covers each other."""
    (bottom, top), (low, high) = ink(a), ink(b)
    across = min(a.rect.right, b.rect.right) - max(a.rect.left, b.rect.left)
    return across > 1 and min(top, high) - max(bottom, low) > 1


def ink(widget: Widget) -> tuple[float, float]:
    """Lower and upper edge of what is shown: a line of text has air above and below the letters."""
    air = 0.2 * widget.rect.height if isinstance(widget, Label) else 0.0
    return widget.rect.bottom + air, widget.rect.top - air


def said(widget: Widget) -> str:
    return getattr(widget, "words", "?")


@pytest.mark.parametrize("name", [name for name in SCREENS if not name.startswith(("menu", "result"))])
def test_escape_leaves_a_screen(app: App, name: str) -> None:
    screen = SCREENS[name](app)
    app.go.show(screen)
    app.screen.on_key_press(key.ESCAPE, 0)
    assert app.screen is not screen


@pytest.mark.parametrize("name", in_stages(SCREENS, NAMES[2::6], NAMES[5::6]))
def test_the_keyboard_alone_reaches_every_control_and_one_sees_where_it_is(
    app: App, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    screen = SCREENS[name](app)
    app.go.show(screen)
    rings = list[arcade.types.Rect]()
    monkeypatch.setattr(widgets, "focus_ring", rings.append)
    reached = set[Widget]()
    for _ in range(2 * len(screen.ui.widgets)):
        screen.on_key_press(key.TAB, 0)
        if screen.ui.focus is not None:
            reached.add(screen.ui.focus)
            rings.clear()
            screen.ui.draw()
            assert rings == [screen.ui.focus.rect]
    can_be_used = [w for w in screen.ui.widgets if w.enabled and (w.focusable or w.deed is not None)]
    assert not [said(w) for w in can_be_used if w not in reached]


def test_a_ring_is_seen_on_light_and_on_dark_ground() -> None:
    """The brightness of its bands, as people see it: each ground differs from one of them by the usual 3 to 1."""

    def bright(colour: theme.Colour) -> float:
        parts = [c / 255 for c in colour[:3]]
        red, green, blue = (c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
        return 0.2126 * red + 0.7152 * green + 0.0722 * blue

    bands = [bright(ring.line) for _, ring in widgets._RINGS]
    grounds = (theme.IVORY, theme.PARCHMENT, theme.PARCHMENT_DEEP, theme.TERRACOTTA, theme.TERRACOTTA_DEEP, theme.NIGHT,
               theme.BRONZE, theme.GOLD, theme.OLIVE, theme.LAPIS, theme.WINE)  # fmt: skip
    for ground in map(bright, grounds):
        assert max((max(ground, band) + 0.05) / (min(ground, band) + 0.05) for band in bands) >= 3


@pytest.mark.parametrize("name", in_stages(SCREENS, NAMES[1::5], NAMES[::5]))
def test_the_focus_touches_no_words(app: App, name: str) -> None:
    app.on_resize(*theme.MIN_SIZE)
    app.go.show(SCREENS[name](app))
    touched = []
    for widget in app.screen.ui.ring:
        beyond = widgets.focus_reach()
        ring = arcade.LRBT(widget.rect.left - beyond, widget.rect.right + beyond, widget.rect.bottom - beyond,
                           widget.rect.top + beyond)  # fmt: skip
        for label in app.screen.ui.widgets:
            if isinstance(label, Label) and label.words and not widget.rect.overlaps(label.rect):
                low, high = ink(label)
                if ring.overlaps(arcade.LRBT(label.rect.left, label.rect.right, low, high)):
                    touched.append((said(widget), label.words))
    assert not touched


def test_no_tooltip_comes_to_a_mouse_that_rests_while_the_keyboard_scrolls(
    app: App, monkeypatch: pytest.MonkeyPatch
) -> None:
    tips = list[str]()
    monkeypatch.setattr(widgets, "draw_tooltip", lambda words, *_: tips.append(words))
    app.on_resize(*theme.MIN_SIZE)
    app.settings.display_settings.size = SIZES[2]
    app.go.show(SettingsScreen(app, close=app.go.menu))
    screen = app.screen
    control = next(widget for widget in screen.ui.widgets if isinstance(widget, Selector) and widget.tip)
    app.mouse = control.rect.center
    screen.on_mouse_motion(*app.mouse, 0, 0)
    screen.on_update(1.0)
    screen.on_draw()
    assert tips == [control.tip]
    for _ in screen.ui.ring:
        screen.on_key_press(key.TAB, 0)
        screen.on_update(1.0)
        screen.on_draw()
    assert screen.scrolled and tips == [control.tip]


def sentences(screen: Screen) -> list[str]:
    """Return the texts on a screen."""
    return [widget.words for widget in screen.ui.widgets if isinstance(widget, Label)]


def test_the_menu_proposes_to_learn_until_there_was_a_game(app: App) -> None:
    def proposed() -> list[str]:
        app.go.menu()
        return [w.words for w in app.screen.ui.widgets if isinstance(w, Button) and w.kind == "primary"]

    assert proposed() == ["Learn to play"]
    app.seats.keep(SavedSeat("play.example.org", "m1", bytes(32), "Ides of March", state="over"))
    assert proposed() == ["Play against bots"]
    app.seats.keep(SavedSeat("play.example.org", "m2", bytes(32), "Ides of March"))
    assert proposed() == ["Continue your game"]


def test_a_round_limit_begins_with_a_number_that_makes_a_match(app: App) -> None:
    form = CreateScreen(app, "play")
    app.go.show(form)
    (limit,) = [w for w in form.ui.widgets if isinstance(w, Selector) and w._labels[:3] == ["none", "1", "2"]]
    limit.step(1)
    assert form.plan.options["round_limit"] == 10
    limit.step(-1)
    assert form.plan.options["round_limit"] == 8
    limit.step(2)
    limit.step(-8)
    assert form.plan.options["round_limit"] == 1
    limit.step(-1)
    assert form.plan.options["round_limit"] == 0


@pytest.mark.parametrize(("seat", "words"), [(0, "Round limit 8: the empire is yours"), (1, "rules the empire")])
def test_a_result_says_that_a_round_limit_ended_the_match(app: App, seat: int, words: str) -> None:
    match = a_result(seat)
    assert match.table is not None and match.view is not None
    match.table = replace(match.table, options={**match.table.options, "round_limit": 8})
    screen = ResultScreen(app, match)
    assert "Round limit" not in screen._headline(seat)
    match.view.round = 8
    assert screen._headline(seat).startswith("Round limit 8: ") and words in screen._headline(seat)


@pytest.mark.parametrize("name", ["result", "result_invited", "room", "settings"])
def test_notices_cover_no_button_of_a_framed_screen(app: App, name: str) -> None:
    for size in (theme.MIN_SIZE, theme.BASE_SIZE):
        app.on_resize(*size)
        app.go.show(SCREENS[name](app))
        app.toasts.clear()
        app.toast("Saved as /home/livia/Pictures/Conquest 2026-11-29 1204.png")
        app.toasts.update(1.0)
        (notice,) = app.toasts.places(app.screen.toasts_at())
        buttons = [w for w in app.screen.ui.widgets if isinstance(w, Button)]
        assert not [said(button) for button in buttons if button.rect.overlaps(notice)]


@pytest.mark.parametrize("purpose", ["host", "lobby"])
def test_a_host_may_allow_advice_and_players_learn_the_consequences(app: App, purpose: Purpose) -> None:
    screen = CreateScreen(app, purpose)
    app.go.show(screen)
    assert any("strongest bot" in words and "everybody is told" in words for words in sentences(screen))
    (toggle,) = [w for w in screen.ui.widgets if isinstance(w, Toggle) and w._line.text == "Players may ask for advice"]
    assert not screen.plan.request(1).advice
    toggle.on_click()
    assert screen.plan.request(1).advice


def test_among_bots_alone_there_is_nothing_to_allow(app: App) -> None:
    screen = CreateScreen(app, "play")
    app.go.show(screen)
    assert not [words for words in sentences(screen) if "strongest bot" in words]


def dice_of(app: App, pledge: Pledge | None) -> list[str]:
    """Return the room's text about the dice."""
    screen = RoomScreen(app, a_match(pledge=pledge))
    app.go.show(screen)
    lines = [widget.tip or widget.words for widget in screen.ui.widgets if isinstance(widget, Label)]
    return [line for line in lines if "Dice" in line]


def test_the_room_says_what_binds_the_dice(app: App) -> None:
    bound, title = bytes(range(32)), RULES.title
    for numbers, said in (
        ((b"n" * 32, b"", b"", b"", b"m" * 32, b""), "2 players"),
        ((b"n" * 32, *(b"",) * 5), "1 player"),
        ((b"",) * 6, "0 players"),
    ):
        assert dice_of(app, Pledge(bound, numbers)) == [
            f"{title}. Dice fixed beforehand by the server and {said}. The server is bound by {bound.hex()}."
        ]
    assert dice_of(app, None) == []


@pytest.mark.parametrize(("allowed", "words"), [(False, "only while all others are bots"), (True, "all are told")])
def test_the_room_says_whether_there_is_advice(app: App, allowed: bool, words: str) -> None:
    app.go.show(RoomScreen(app, a_match(advice=allowed)))
    (line,) = [w for w in app.screen.ui.widgets if isinstance(w, Label) and w.words.startswith("Advice: ")]
    assert words in line.words


@pytest.mark.long
def test_the_rules_turn_pages_and_come_back(app: App, shoot: Shoot) -> None:
    app.go.show(CreditsScreen(app))
    behind = app.screen
    app.go.help()
    assert isinstance(app.screen, HelpScreen)
    for page in range(len(app.screen.pages)):
        assert app.screen.page == page
        shoot(app, f"help_page{page}")
        tabs = app.screen.ui.widgets[1]
        app.screen.ui.set_focus(tabs)
        app.screen.on_key_press(key.RIGHT, 0)
    app.screen.page = 0
    change = next(w for w in app.screen.ui.widgets if isinstance(w, Button) and w.words == "Rules of 1984")
    change.on_click()
    for page in range(len(app.screen.pages)):
        app.screen.page = page
        app.screen.relayout()
        shoot(app, f"help_1984_page{page}")
    app.screen.on_key_press(key.ESCAPE, 0)
    assert app.screen is behind


def test_a_notice_and_the_banner_are_drawn(app: App, shoot: Shoot) -> None:
    app.toast("One thing.", "good")
    app.toast("Another thing that takes more words to say, so that it needs more than one line of text. " * 2, "bad")
    app.remote.trouble = "The connection to the server was lost. Trying again …"
    shoot(app, "notices")
    assert len(app.toasts.words) == 2
    app.toasts.update(60)
    assert app.toasts.words == []


def test_a_bad_address_is_refused_before_anything_is_sent(app: App) -> None:
    app.go.show(ConnectScreen(app, watch=False, address="not an address"))
    app.screen.on_key_press(key.ENTER, 0)
    assert isinstance(app.screen, ConnectScreen)
    assert [w for w in app.screen.ui.widgets if isinstance(w, Label) and "HOST:PORT" in w.words]
    assert not app.remote.begun


def test_clicking_a_menu_entry_opens_it(app: App) -> None:
    button = next(w for w in app.screen.ui.widgets if isinstance(w, Button) and w.words == "Join a game")
    x, y = button.rect.x, button.rect.y
    app.screen.on_mouse_motion(x, y, 0, 0)
    app.screen.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    assert isinstance(app.screen, ConnectScreen)


def test_enter_presses_the_main_button_of_the_menu(app: App) -> None:
    app.screen.on_key_press(key.ENTER, 0)
    assert isinstance(app.screen, LessonsScreen)


def clicked(screen: Screen, start: str) -> bool:
    """Click the button whose words begin like that, if there is one."""
    for button in [w for w in screen.ui.widgets if isinstance(w, Button) and w.words.startswith(start)][:1]:
        screen.on_mouse_motion(button.rect.x, button.rect.y, 0, 0)
        screen.on_mouse_press(button.rect.x, button.rect.y, arcade.MOUSE_BUTTON_LEFT, 0)
        screen.on_mouse_release(button.rect.x, button.rect.y, arcade.MOUSE_BUTTON_LEFT, 0)
        return True
    return False


def apart(screen: Screen) -> bool:
    """Whether nothing that one reads or uses covers anything else, and all of it is on the panel."""
    things = [w for w in screen.ui.widgets if not isinstance(w, Panel)]
    panel = screen.ui.widgets[0].rect
    inside = [panel.left < w.rect.left and w.rect.right < panel.right and panel.bottom < w.rect.bottom for w in things]
    return all(inside) and not any(overlap(a, b) for i, a in enumerate(things) for b in things[:i])


@pytest.mark.parametrize("size", in_stages([(1280, 800), (1920, 1080), (1024, 640)], [], [(1280, 800), (1024, 640)]))
@pytest.mark.parametrize("purpose", ["play", "host"])
def test_each_rule_set_is_chosen_with_all_its_options_each_explained_in_its_place(
    app: App, purpose: Purpose, shoot: Shoot, size: tuple[int, int]
) -> None:
    app.on_resize(*size)
    screen = CreateScreen(app, purpose)
    app.go.show(screen)
    for rules in RULESETS.values():
        screen._rules(rules.id)
        if size == theme.BASE_SIZE:
            shoot(app, f"create_{purpose}_{rules.id}")
        said = set(sentences(screen))
        assert rules.suits in said and apart(screen)
        assert clicked(screen, "More options")
        if size == theme.BASE_SIZE:
            shoot(app, f"create_{purpose}_{rules.id}_more")
        pages = 0
        while not pages or screen._page:
            pages += 1
            said |= set(sentences(screen))
            assert apart(screen)
            if not clicked(screen, "Page "):
                break
        assert said >= {option.help for option in rules.options}
        screen.on_key_press(key.ESCAPE, 0)
        assert app.screen is screen and not screen.unfolded
        assert screen.plan.request(1).ruleset == rules.id


def test_changed_options_are_told_on_the_form_and_reset_by_a_click(app: App) -> None:
    screen = CreateScreen(app, "play")
    app.go.show(screen)
    assert "All have their usual values." in sentences(screen)
    clicked(screen, "More options")
    (resign,) = [w for w in screen.ui.widgets if isinstance(w, Toggle) and w._line.text == "Resigning"]
    resign.on_click()
    screen.back()
    assert "Resigning: yes" in sentences(screen) and screen.plan.request(1).options == {"resign": 1}
    clicked(screen, "More options")
    clicked(screen, "Usual values")
    screen.back()
    assert "All have their usual values." in sentences(screen) and not screen.plan.request(1).options


@pytest.mark.parametrize("level", LEVELS)
def test_each_level_of_bots_is_explained(app: App, level: str) -> None:
    screen = CreateScreen(app, "play")
    app.go.show(screen)
    (bots,) = [w for w in screen.ui.widgets if isinstance(w, Selector) and w._labels[0] == "easy bots"]
    bots.step(LEVELS.index(level) - bots.index)
    assert screen.plan.bots == (level,) and str(LEVEL_WORDS[level].about) in sentences(screen)


def press(app: App, words: str) -> None:
    """Click the button that says so."""
    (found,) = [w for w in app.screen.ui.widgets if isinstance(w, Button) and w.words == words]
    x, y = found.rect.x, found.rect.y
    app.screen.on_mouse_motion(x, y, 0, 0)
    app.screen.on_mouse_press(x, y, arcade.MOUSE_BUTTON_LEFT, 0)
    app.screen.on_mouse_release(x, y, arcade.MOUSE_BUTTON_LEFT, 0)


def test_a_file_that_is_there_is_replaced_only_if_one_says_so(app: App, tmp_path: Path) -> None:
    record = Record("m1", "Ides", "classic", 1, {}, (Sitter("Livia"),), (), bytes(16))
    closed: list[bool] = []
    screen = SaveScreen(app, record, b"the match", close=lambda: closed.append(True))
    app.go.show(screen)
    no_overlaps(app)
    assert screen.path.name.startswith("Ides ") and screen.path.name.endswith("m1.conquest")
    there = tmp_path / "old.conquest"
    there.write_bytes(b"something else")
    screen._typed = str(tmp_path / "old")
    screen.save()
    assert app.screen is not screen and there.read_bytes() == b"something else"
    press(app, "Keep it")
    assert app.screen is screen and there.read_bytes() == b"something else" and not closed
    screen.save()
    press(app, "Replace it")
    assert there.read_bytes() == b"the match" and closed
    screen._typed = str(tmp_path / "old.conquest" / "below")
    screen.save()
    assert "cannot be saved" in app.toasts.words[-1]
