"""The room and the help say which amendments of the rules bind a table."""

import pytest

from client.app import App
from client.player.table_options import summary
from client.screens.help import HelpScreen


@pytest.mark.parametrize(
    ("version", "lines"),
    [
        (0, []),
        (2, ["3 newer amendments of the rules do not hold here; the rules name them."]),
        (4, ["1 newer amendment of the rules does not hold here; the rules name it."]),
        (5, []),
        (99, []),
    ],
)
def test_the_room_says_which_amendments_bind_a_table(version: int, lines: list[str]) -> None:
    """Nothing where the server does not tell, or has rules that are not known here."""
    assert summary("classic", {"homes": 0}, version) == lines
    assert summary("cote2", {}, 2) == [], "that game has none"


def _chapter(app: App, version: int, game: str = "classic") -> list[str]:
    screen = HelpScreen(app, game, close=app.go.help, version=version)
    chapters = [chapter for chapter in screen.pages[0][1] if chapter.title == "Amendments"]
    return chapters[0].words.split("\n")[1:] if chapters else []


def test_the_help_says_by_what_options_the_match_differs_from_the_rulebook(app: App) -> None:
    screen = HelpScreen(app, "mb1984", close=app.go.help, version=3, options={"catapults": 1, "inflation": 0})
    first = screen.pages[0][1][0]
    assert (first.title, first.words) == ("Rules of this table", "Catapults (house rule): not for sale")
    screen._change("classic")
    assert screen.pages[0][1][0].title != first.title, "the match is one of another game"
    usual = HelpScreen(app, "mb1984", close=app.go.help, version=3, options={"catapults": 0})
    assert usual.pages[0][1][0].title != first.title


def test_the_help_tells_all_amendments_and_which_ones_do_not_bind_the_match(app: App) -> None:
    assert [line[:12] for line in _chapter(app, 0)] == ["1 (CL-D16): ", "2 (CL-H14): ", "3 (CL-D26): "]
    assert ["not in this match" in line for line in _chapter(app, 3)] == [False, True, True]
    assert len(_chapter(app, 2, "mb1984")) == 1 and _chapter(app, 2, "cote2") == []
