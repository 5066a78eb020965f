"""The table of points adds up."""

from __future__ import annotations

import pytest

from client.games.cote2.sheets.score import MATCH, NOW, ScoreSheet, page
from client.table.still import LocalMatch
from client.widgets import Button
from shared.ids import NONE
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.game import COTE2
from shared.rulesets.cote2.scoring import province_points, tax_of
from tests.client.cote2.leaves import desk, moments, opened


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
    assert [button.words for button in buttons] == ["Season I", "Season II", "Season III", "Season IV", "All seasons"]
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
