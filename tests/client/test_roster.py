"""The list of players: who sits there, and how well its bots play, in every game, at the table and in words."""

import arcade
import pytest
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.games.registry import GUIDES
from client.language import switch
from client.player.presence import bot_words, sits
from client.table.layout import divide
from client.table.roster import _SECOND, _close
from client.table.scene import Scene, gather
from client.table.words import called
from client.text_client.table import TextTable
from shared import levels
from shared.messages import SeatInfo
from shared.tables import SeatKind
from tests.client.test_text_client import Still, still

SEATS = (
    SeatInfo(SeatKind.PERSON, "Livia"), SeatInfo(SeatKind.BOT, "", levels.NORMAL), SeatInfo(SeatKind.BOT, "", "hard"),
    SeatInfo(SeatKind.BOT, "", "shrewd"), SeatInfo(SeatKind.STAND_IN, "Anna", "easy"), SeatInfo(SeatKind.AWAY, "Bert"),
)  # fmt: skip
SAID = ("", "strong bot", "hard bot", "shrewd bot", "away: easy bot", "away")


def seated(game: str) -> Still:
    """Return a match of six with each kind of player."""
    match = still(game, 6)
    assert match.table is not None
    match.table = replace(match.table, seats=SEATS)
    return match


def scene(match: Still) -> Scene:
    return gather(match, match.view, GUIDES[match.rules.id])


@pytest.mark.parametrize("game", GUIDES)
def test_the_roster_says_how_well_a_bot_plays_and_so_does_its_tooltip(game: str) -> None:
    shown = scene(seated(game))
    players = sorted(shown.players, key=lambda player: player.seat)
    assert tuple(player.status for player in players) == SAID
    for player, words in zip(players[1:], SAID[1:], strict=True):
        assert player.tip.endswith(f" {words[0].upper()}{words[1:]}."), player.tip
    assert shown.away == 2


@pytest.mark.parametrize("game", GUIDES)
def test_the_look_of_the_table_in_words_says_it_too(game: str) -> None:
    match = seated(game)
    lines = TextTable(match, print).read("look")
    for seat, words in enumerate(SAID[1:], 1):
        line = next(line for line in lines if line.startswith(called(seat, match.seat, match.name)))
        assert line.endswith(f" {words[0].upper()}{words[1:]}."), line


def test_a_bot_without_a_level_is_a_bot_and_an_old_name_means_the_new_one() -> None:
    assert bot_words("") == "bot"
    assert bot_words("greedy") == "strong bot"
    assert sits(SeatInfo(SeatKind.PERSON, "Livia")) == sits(SeatInfo(SeatKind.FREE)) == ""


@pytest.mark.long
@pytest.mark.parametrize("code", ["en", "de"])
def test_it_fits_the_row_of_a_small_window(code: str, window: arcade.Window) -> None:
    theme.set_window(1280, 800)
    switch(code, ())
    try:
        room = divide(1280, 800, 6).roster.width - theme.px(26 + 43 + 8)
        for kind in (bot_words(level) for level in levels.LEVELS):
            words = f"B, 4. · 10 Senatoren · 3 Karten · {kind}"
            assert shapes.kept(words, size=_close(words, room)).content_width <= room
        assert _close(f"Mesopotamia · {kind}", room) == _SECOND[0], "as large as ever, where there is room"
    finally:
        switch("en", ())
