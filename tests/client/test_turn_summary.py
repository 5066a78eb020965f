"""At the beginning of their turn players see what has changed since their last one, and can replay it."""

from typing import Any

import arcade
import pytest

from client.drawing import theme
from client.drawing.widgets import Button
from client.games.registry import GUIDES, guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.table.news import Deeds, TurnSummary, changed
from client.table.tabletop import Tabletop
from client.table.task import outlined
from shared.board import BOARD
from shared.ids import NONE
from shared.kernel import engine
from shared.rulesets.registry import RULESETS
from shared.sentences.registry import SENTENCES
from shared.vocabulary import events as e
from tests.support.marks import mostly_long

SEAT = 1


class Turns:
    """Table at which a seat has just got its turn, after others changed provinces."""

    def __init__(self, game: str) -> None:
        self.match = LocalMatch(RULESETS[game], 3, seed=5, seat=SEAT)
        self.callbacks = RecordedCallbacks()
        self.callbacks.play_settings.pace = "off"
        self.top: Tabletop[Any] = Tabletop(self.match, guide(game), self.callbacks)
        self.top.place(*theme.BASE_SIZE)
        self.top.hear()
        self.before: Any = self.match.view
        """Position at the player's last decision in a turn of their own, or the first one."""
        while not (self.top.news.plate.shown and self.changed):
            if self._mine:
                self.before = self.match.view
            assert self.match.step()
            self.top.hear()

    @property
    def changed(self) -> set[int]:
        """Provinces whose owner or units are others than at the last decision."""
        before, now = self.before, self.match.view
        return {
            space for space in range(BOARD.provinces)
            if (before.owner[space], before.units[space]) != (now.owner[space], now.units[space])
        }  # fmt: skip

    @property
    def _mine(self) -> bool:
        return self.top.guide.look.heading(self.match.view).active == SEAT


@pytest.mark.parametrize("game", mostly_long(GUIDES, "classic"))
def test_changed_provinces_are_outlined_until_the_first_action(window: arcade.Window, game: str) -> None:
    turns = Turns(game)
    top = turns.top
    assert turns.match.is_mine
    rims = {space for space, tint in top.board.ground.tints.items() if tint == outlined(tint)}
    assert rims == turns.changed - set(top.task.lit()) != set()
    turns.match.step()
    top.hear()
    assert not top.news.plate.shown
    assert not any(tint == outlined(tint) for tint in top.board.ground.tints.values())


def test_each_line_tells_of_one_player_and_replays_it(window: arcade.Window) -> None:
    turns = Turns("classic")
    plate = turns.top.news.plate
    assert [deeds.seat for deeds in plate.deeds] == sorted({deeds.seat for deeds in plate.deeds} - {SEAT})
    row = next(widget for widget in plate.ui.widgets if isinstance(widget, Button))
    row.on_click()
    assert turns.callbacks.looked_at == plate.deeds[0].version
    assert all(turns.match.name(deeds.seat) in deeds.words for deeds in plate.deeds)


def test_it_can_be_put_away(window: arcade.Window) -> None:
    turns = Turns("classic")
    close = [widget for widget in turns.top.news.plate.ui.widgets if isinstance(widget, Button)][-1]
    close.on_click()
    assert not turns.top.news.plate.shown


@pytest.mark.parametrize("game", ["classic", "mb1984"])
def test_what_is_dealt_before_the_first_turn_is_no_change(game: str) -> None:
    match = LocalMatch(RULESETS[game], 3, seed=5, seat=SEAT)
    turns: TurnSummary[Any] = TurnSummary(
        SENTENCES[game], lambda table: guide(game).look.heading(table).active, match.name
    )
    empty = engine.start(match.rules, 3, {}, engine.ignore_event)
    turns.follow(match.rules.view(empty, SEAT), 0, SEAT, False)
    dealt = match.view
    while turns._active(match.view) != SEAT:
        turns.follow(match.view, match.version, SEAT, False)
        assert match.step()
    turns.follow(match.view, match.version, SEAT, True)
    assert turns.changed == changed(dealt, match.view)
    assert dealt.home[SEAT] not in turns.changed


def test_long_lines_wrap_and_all_words_are_shown(window: arcade.Window) -> None:
    plate = Turns("classic").top.news.plate
    long = Deeds(0, "Gallia: Marcus beats you; you lose 3 infantry, 2 cavalry and a galley; " * 2, "", 1)
    plate.show((long, long))
    rows = [widget for widget in plate.ui.widgets if isinstance(widget, Button)][:-1]
    for row in rows:
        assert row.words == long.words
        assert row._line.content_width <= row.rect.width and row._line.content_height <= row.rect.height
    assert len(rows) == 2 and rows[0].rect.bottom >= rows[1].rect.top
    assert plate.rect.bottom <= rows[1].rect.bottom


def test_a_lost_battle_is_told_before_what_others_did() -> None:
    match = LocalMatch(RULESETS["classic"], 3, seed=5, seat=SEAT)
    turns: TurnSummary[Any] = TurnSummary(SENTENCES["classic"], lambda _table: SEAT, match.name)
    turns.hear(1, e.Conquered(2, 3, NONE))
    turns.hear(2, e.BattleBegan(5, 0, SEAT))
    turns.hear(2, e.Fell(SEAT, 5, (3, 1, 0)))
    turns.hear(2, e.BattleEnded(5, 0))
    turns.hear(2, e.Conquered(0, 5, SEAT))
    turns._sum_up(match.state, match.state, SEAT)
    place, other = BOARD.names[5], BOARD.names[3]
    assert [deeds.words for deeds in turns.deeds] == [
        f"{place}: Livia beats you; you lose 3 infantry, 1 cavalry; Livia takes the province from you.",
        f"{other} is now Cornelia's.",
    ]
    assert [deeds.version for deeds in turns.deeds] == [1, 0]
