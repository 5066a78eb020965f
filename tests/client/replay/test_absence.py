"""While you were away: what concerns one, in a minute at most, at the table; any key leads to the present."""

import arcade
import pytest
from arcade import key
from msgspec.structs import replace

from client import message_router
from client.app import App
from client.drawing.widgets import Button
from client.games.registry import guide
from client.network.match_history import Fetch
from client.network.model import MatchModel
from client.player.seats import SavedSeat
from client.player.table_options import TableOptions
from client.replay import absence_scenes
from client.replay.absence_scenes import LONGEST, MOST, Absence, SceneTiming, scenes
from client.replay.film_match import seats_called
from client.screens.absence_replay import AbsenceScreen
from client.screens.ask import AskScreen
from client.screens.base import ScreenStage
from client.screens.missed_events import missed
from client.screens.table import TableScreen
from protocol import codec, film
from protocol.film import Film
from shared.messages import Recall
from shared.rulesets.registry import ruleset
from tests.client.conftest import Server, Shoot, at_the_board, until
from tests.client.replay.films import GAMES, film_of, live, longest
from tests.client.screen_steps import arrive, screen_of
from tests.support.marks import with_releases

MISSED = "What happened while I was away"
NAMES = ("Livia", "Marcus", "Cornelia", "Gaius", "Octavia", "Titus")


@pytest.mark.parametrize("game", GAMES)
def test_events_that_concern_a_player_are_found_and_no_others(game: str) -> None:
    whole = film_of(longest(game))
    subject = guide(game).film
    for seat in range(whole.seats):
        found = scenes(whole, subject, seat)
        assert found == sorted(set(found)) and whole.first < found[0] and found[-1] <= whole.last
        for n in range(max(1, found[0]), whole.last + 1):
            said = [subject.concerns(event, seat, whole.view(n - 1, seat)) for event in whole.told(n, seat)]
            assert (n in found) == any(said) or n < found[0]
    others = [scenes(whole, subject, seat) for seat in range(whole.seats)]
    assert any(one != others[0] for one in others[1:]), "not everything concerns everybody"


@pytest.mark.parametrize("game", GAMES)
def test_battles_and_losses_concern_their_players(game: str) -> None:
    whole, subject = film_of(longest(game)), guide(game).film
    for n in range(whole.first + 1, whole.last + 1):
        for event in whole.told(n, None):
            if type(event).__name__ in ("BattleBegan", "Fell", "TurnBegan"):
                concerned = [s for s in range(whole.seats) if subject.concerns(event, s, whole.view(n - 1, None))]
                fields = [getattr(event, f) for f in ("seat", "attacker", "defender") if hasattr(event, f)]
                assert concerned == sorted({f for f in fields if 0 <= f < whole.seats})


@pytest.mark.parametrize("count", [1, 5, 23, 24, 100, MOST])
def test_replay_of_missed_events_takes_a_minute_at_most(count: int) -> None:
    course = SceneTiming(list(range(1, count + 1)))
    passed, seen = 0.0, [course.number]
    while not course.over:
        course.pass_time(0.05)
        passed += 0.05
        seen.append(course.number)
    assert passed <= LONGEST + 0.1 and seen == sorted(seen) and seen[-1] == count
    assert set(seen) == set(range(count + 1)), "no scene is passed over"


def test_of_too_much_the_last_is_shown(monkeypatch: pytest.MonkeyPatch) -> None:

    monkeypatch.setattr(absence_scenes, "MOST", 3)
    whole = film_of(longest("classic"))
    monkeypatch.setattr(absence_scenes, "MOST", 10**6)
    every = scenes(whole, guide("classic").film, 0)
    monkeypatch.setattr(absence_scenes, "MOST", 3)
    assert scenes(whole, guide("classic").film, 0) == every[-3:]


def packed(game: str, seat: int, count: int) -> bytes:
    """Return the messages of a match that a server sends to that seat."""
    sent = live(game, 3, count)
    frames = tuple(codec.encode(frame) for frame in sent.frames[seat])
    names = NAMES[:3]
    return film.pack(Film(game, ruleset(game).version, {}, names, "T", seat, codec.encode(sent.begin[seat]), frames))


@pytest.mark.parametrize("game", GAMES)
def test_missed_events_are_read_in_the_background(game: str) -> None:
    data = packed(game, 1, 200)
    absence = Absence(lambda _upto: Fetch(Recall(1, "m1"), data, len(data)), guide(game).film, 1)
    absence.wait()
    assert absence.done and absence.match is not None
    assert absence.scenes == scenes(absence.match.film, guide(game).film, 1) != []


@pytest.mark.parametrize("fetch", [Fetch(Recall(1, "m"), why="No."), Fetch(Recall(1, "m"), b"nonsense", 8)])
def test_no_replay_is_offered_without_a_record(fetch: Fetch) -> None:
    absence = Absence(lambda _upto: fetch, guide("classic").film, 1)
    assert absence.known
    absence.wait()
    absence.update()
    assert absence.done and not absence.known and absence.match is None


def shown(app: App, game: str, seat: int) -> AbsenceScreen:
    """The film of what a seat missed of the longest recorded match."""
    whole = film_of(longest(game))
    app.go.away(whole, seats_called([(name, "") for name in NAMES[: whole.seats]]), seat,
                scenes(whole, guide(game).film, seat))  # fmt: skip
    return screen_of(app, AbsenceScreen)


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(GAMES, "classic"))
def test_all_of_it_is_seen_and_then_the_present(app: App, shoot: Shoot, game: str) -> None:
    before = app.screen
    screen = shown(app, game, 1)
    assert screen.screening.seat == 1
    seen, passed = [], 0.0
    while app.screen is screen:
        app.on_update(0.1)
        passed += 0.1
        seen.append(screen.replay_control.at)
        if round(passed, 1) == 5.0:
            shoot(app, f"away_{game}")
    assert app.screen is before and passed <= LONGEST + 0.2
    assert seen == sorted(seen) and seen[-1] == screen.replay_control.last
    assert {version for version in screen.course.scenes if version in seen} == set(screen.course.scenes)


@pytest.mark.long
@pytest.mark.parametrize("way", with_releases(["escape", "space", "letter", "click"], "click"))
def test_anything_leads_to_the_present(app: App, way: str) -> None:
    before = app.screen
    screen = shown(app, "classic", 0)
    app.on_update(0.1)
    if way == "click":
        app.on_mouse_press(400, 300, 1, 0)
    else:
        screen.on_key_press({"escape": key.ESCAPE, "space": key.SPACE, "letter": key.M}[way], 0)
    assert app.screen is before


def played(app: App, server: Server, *, stay: bool = False) -> SavedSeat:
    """A seat in a match that has gone on for a while, as it is kept once one has left; unless one shall `stay`."""
    app.go.server(server.address, lambda: app.remote.create(TableOptions(seats=2), ("easy",)))
    until(app, lambda: at_the_board(app))
    match = app.remote.match
    assert match is not None
    until(app, lambda: _act(match) > 20)
    if not stay:
        app.go.games()
    (seat,) = app.seats.all()
    assert stay or seat.version == match.version
    return replace(seat, version=1)


def _act(match: MatchModel) -> int:
    """Decide something, if it is time for it; the version that is seen."""
    if match.is_mine:
        match.act(match.options()[0])
    return match.version


@pytest.mark.long
def test_returning_players_are_offered_a_summary(app: App, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_router, "AWAY", 0.0)
    seat = played(app, server)
    app.go.server(seat.address, lambda: None, seat)
    arrive(app, AskScreen)
    screen = app.screen
    assert isinstance(screen, AskScreen) and screen.question.title == "While you were away"
    (show,) = [widget for widget in screen.ui.widgets if isinstance(widget, Button) and widget.words == "Show me"]
    app.on_mouse_press(show.rect.x, show.rect.y, arcade.MOUSE_BUTTON_LEFT, 0)
    screen.on_mouse_release(show.rect.x, show.rect.y, arcade.MOUSE_BUTTON_LEFT, 0)
    assert isinstance(app.screen, AbsenceScreen)
    app.screen.on_key_press(key.SPACE, 0)
    assert app.screen.part is ScreenStage.TABLE
    app.on_update(0.1)
    assert app.screen.part is ScreenStage.TABLE, "once only"


@pytest.mark.long
def test_declined_summaries_are_in_the_menu(app: App, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(message_router, "AWAY", 0.0)
    seat = played(app, server)
    app.go.server(seat.address, lambda: None, seat)
    arrive(app, AskScreen)
    app.screen.back()
    from_menu(app)
    assert isinstance(app.screen, AbsenceScreen)
    app.screen.on_key_press(key.SPACE, 0)
    from_menu(app)
    assert isinstance(app.screen, AbsenceScreen), "as often as one likes"


@pytest.mark.long
def test_a_short_absence_is_not_asked_about(app: App, server: Server, shoot: Shoot) -> None:
    seat = played(app, server)
    app.go.server(seat.address, lambda: None, seat)
    until(app, lambda: at_the_board(app))
    match = app.remote.match
    assert match is not None
    absence = missed(match)
    assert absence is not None and not absence.due and not absence.begun
    back_at = match.version
    app.on_update(0.1)
    until(app, lambda: _act(match) > back_at)
    app.screen.on_key_press(key.B, 0)
    screen = arrive(app, AbsenceScreen)
    assert screen.replay_control.last == back_at, "what followed was not missed"
    assert max(screen.course.scenes) <= back_at
    app.screen.on_key_press(key.SPACE, 0)
    app.screen.back()
    shoot(app, "away_menu")


@pytest.mark.long
def test_without_an_absence_there_is_nothing_in_the_menu(app: App, server: Server) -> None:
    played(app, server, stay=True)
    table = screen_of(app, TableScreen)
    table.top.menu.show()
    assert MISSED not in [entry.words for entry in table.top.menu.page.entries]
    assert not table.see_missed()


def from_menu(app: App) -> None:
    """Ask for it."""
    until(app, lambda: at_the_board(app))
    table = screen_of(app, TableScreen)
    table.top.menu.show()
    (entry,) = [entry for entry in table.top.menu.page.entries if entry.words == MISSED]
    entry.action()
    app.on_update(0.1)
