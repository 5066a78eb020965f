"""The table of points adds up."""

from functools import cache

import pytest

from client.drawing.widgets import Button
from client.games.cote2.sheets.auction_sheet import AuctionSheet
from client.games.cote2.sheets.score_sheet import MATCH, NOW, ScoreSheet, page
from client.games.static_match import LocalMatch
from client.keyboard.commands import Command
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.kernel.frames import Action, Event
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.events import SeasonEnded
from shared.rulesets.cote2.frames import Auction
from shared.rulesets.cote2.scoring import province_points, tax_of
from shared.rulesets.cote2.state import State
from tests.client.cote2.sheets import desk, moments, opened
from tests.client.mouse import Mouse


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_every_point_is_accounted_for_at_every_step(seats: int) -> None:
    match = LocalMatch(COTE2, seats, seed=11)
    while match.step():
        table = match.state
        assert page(table, MATCH)[-1].points == tuple(table.points)
    table = match.view
    seasons = [page(table, season) for season in range(1, table.season + 1)]
    for seat in range(seats):
        assert sum(lines[-1].points[seat] or 0 for lines in seasons) == table.points[seat]
    for lines in (*seasons, page(table, MATCH)):
        for seat in range(seats):
            assert sum(line.points[seat] or 0 for line in lines[:-1]) == lines[-1].points[seat]


def test_a_count_made_now() -> None:
    for state in moments(4):
        lines = page(desk(state, 0).table, NOW)
        for line, space in zip(lines, KEYS, strict=False):
            assert line.points == tuple(province_points(state, space))
        chaos, total, taxes = lines[len(KEYS) :]
        assert chaos.points == (None,) * 4
        assert total.points == tuple(sum(province_points(state, space)[seat] for space in KEYS) for seat in range(4))
        assert taxes.points == tuple(tax_of(state, seat) for seat in range(4))


@pytest.mark.usefixtures("window")
def test_pages_are_turned() -> None:
    end = moments(4)[-1]
    sheet = opened(ScoreSheet, desk(end, 0))
    assert isinstance(sheet, ScoreSheet)
    assert end.winner != NONE and sheet.page == MATCH
    buttons = [widget for widget in sheet.ui.widgets if isinstance(widget, Button)]
    assert [button.words for button in buttons] == ["Season I", "Season II", "Season III", "Season IV", "Total"]
    buttons[1].on_click()
    assert sheet.page == 2
    before = opened(ScoreSheet, desk(moments(4)[0], 0))
    assert isinstance(before, ScoreSheet) and before.page == NOW


@pytest.mark.usefixtures("window")
def test_the_title_names_the_winners() -> None:
    end = moments(4)[-1].clone()
    end.winners, end.winner = (2,), 2
    assert ScoreSheet(desk(end, 2)).title() == "You have won"
    assert ScoreSheet(desk(end, NONE)).title() == "Cornelia has won"
    end.winners = (2, 3)
    assert ScoreSheet(desk(end, 2)).title() == "A shared victory"


@cache
def last_of_a_season(seats: int, season: int) -> tuple[State, Seat, Action]:
    """The position before a season is counted, and what ends it."""
    match = LocalMatch(COTE2, seats, seed=3)
    while True:
        before = match.state
        (seat,) = match.owed()
        match.take_events()
        match.step()
        if any(isinstance(told.event, SeasonEnded) and told.event.season == season for told in match.take_events()):
            action = next(action for action in engine.options(COTE2, before, seat) if ends(before, seat, action))
            return before, seat, action


def ends(before: State, seat: Seat, action: Action) -> bool:
    """Whether that action leads to the count."""
    state = before.clone()
    heard: list[Event] = []
    engine.play(COTE2, state, seat, action, heard.append)
    return any(isinstance(event, SeasonEnded) for event in heard)


def counted(season: int, seats: int = 3) -> Mouse:
    """The table of seat 0, who saw the end of a season."""
    state, seat, action = last_of_a_season(seats, season)
    mouse = Mouse(state, 0, COTE2)
    mouse.match.play(seat, action)
    mouse.settle()
    return mouse


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("season", [1, 2])
def test_the_end_of_a_season_is_seen_before_the_next_auction(season: int) -> None:
    mouse = counted(season)
    sheet = mouse.top.sheet
    assert isinstance(sheet, ScoreSheet)
    assert isinstance(mouse.state.frames[-1], Auction)
    assert sheet.page == season
    assert sheet.title() == f"Season {'I' * season} is over"
    taxes, chaos = sheet.lines()[-2:]
    assert sum(number or 0 for number in taxes.points) > 0
    assert len(chaos.points) == 3 and None not in chaos.points
    assert sheet.lines()[:-2] == page(mouse.match.view, season)


@pytest.mark.usefixtures("window")
@pytest.mark.parametrize("way", ["button", "escape", "key", "beside"])
def test_it_makes_way_for_the_auction_and_does_not_come_back(way: str) -> None:
    mouse = counted(1)
    sheet = mouse.top.sheet
    assert isinstance(sheet, ScoreSheet)
    if way == "button":
        onward = next(w for w in sheet.ui.widgets if isinstance(w, Button) and w.words == "On to season II")
        mouse.click(onward.rect.x, onward.rect.y)
    elif way == "beside":
        mouse.click(mouse.top.board.rect.left + 2, mouse.top.board.rect.y)
    else:
        mouse.press(Command.BACK if way == "escape" else ScoreSheet.key)
    assert isinstance(mouse.top.sheet, AuctionSheet)
    assert not sheet.is_due() and sheet.page == NOW
    mouse.match.step()
    mouse.settle()
    assert not isinstance(mouse.top.sheet, ScoreSheet)
    mouse.press(ScoreSheet.key)
    assert sheet.title() == "Victory points"
    sheet.ui.widgets[0].on_click()
    assert len(sheet.lines()) == len(page(mouse.match.view, 1)) + 2, "what was heard of a season is kept"


@pytest.mark.usefixtures("window")
def test_late_spectators_see_the_auction_at_once() -> None:
    mouse = Mouse(counted(1).state, 0, COTE2)
    assert isinstance(mouse.top.sheet, AuctionSheet)


@pytest.mark.usefixtures("window")
def test_a_click_beside_the_final_points_shows_the_board() -> None:
    mouse = counted(4)
    sheet = mouse.top.sheet
    assert isinstance(sheet, ScoreSheet) and sheet.page == MATCH
    assert mouse.state.winner != NONE
    assert not any(isinstance(w, Button) and w.words.startswith("On to") for w in sheet.ui.widgets)
    mouse.click(mouse.top.board.rect.left + 2, mouse.top.board.rect.y)
    assert mouse.top.sheet is None
