"""While a battle, auction, vote or draw is shown, no word or number on the screen tells how it ends; skipping it shows
all at once."""

from collections.abc import Callable, Iterator
from itertools import cycle, product
from random import Random
from typing import Any

import arcade
import pytest

from client.drawing import shapes, theme
from client.games.registry import GUIDES, guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.sound.sounds import Sound
from client.table.pane import Pane
from client.table.tabletop import Tabletop
from shared.messages import Said
from shared.rulesets.registry import RULESETS
from shared.vocabulary.events import BattleBegan, BattleEnded, DiceFell
from tests.support.marks import with_releases

Words = dict[str, list[str]]
_FALLS = (BattleBegan, DiceFell, BattleEnded)
_LINES = 40
"""Lines of the chronicle that are compared; it drops old ones."""
_BATTLE = {
    Sound.DICE, Sound.CLASH, Sound.MARCH, Sound.SAIL, Sound.ALARM, Sound.WIND, Sound.SURF, Sound.STREETS,
}  # fmt: skip
_MOMENT = {Sound.GAVEL, Sound.CARD, Sound.TRUMPET}
"""Sounds of what is shown during a battle, and of the moments that tell an outcome."""


@pytest.fixture
def drawn(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Words that are drawn. Nothing is: painting takes most of the time, and tells no words."""
    words: list[str] = []
    for name in [name for name in dir(arcade) if name.startswith("draw_")]:
        monkeypatch.setattr(arcade, name, lambda *_args, **_more: None)
    monkeypatch.setattr(shapes, "plate", lambda *_args, **_more: None)
    monkeypatch.setattr(arcade.Text, "draw", lambda line: words.append(line.text))
    yield words


class Onlooker:
    """Table whose words are read while a match goes on."""

    def __init__(self, game: str, drawn: list[str], seed: int, seat: int = -1) -> None:
        self.match = LocalMatch(RULESETS[game], 4, seed=seed, seat=seat)
        self.ahead = LocalMatch(RULESETS[game], 4, seed=seed, seat=seat)
        """The same match one version ahead."""
        self.callbacks = RecordedCallbacks()
        self.top: Tabletop[Any] = Tabletop(self.match, guide(game), self.callbacks)
        self.drawn = drawn
        self.momentous = False
        """Whether a moment of the next version tells an outcome."""
        theme.set_window(*theme.BASE_SIZE)
        self.top.place(*theme.BASE_SIZE)
        self.top.hear()

    def step(self) -> bool:
        """Go one version ahead; return False at the end. The table may have acted by itself for its own seat."""
        self.ahead.state = self.match.state.clone()
        self.ahead.chance.setstate(self.match.chance.getstate())
        self.ahead.take_events()
        return self.ahead.step()

    def falls(self) -> bool:
        """Whether a battle goes on in the next version, or a moment tells an outcome."""
        events = [told.event for told in self.ahead.take_events()]
        moments = [self.top.guide.moment(event, self.match.view) for event in events]
        self.momentous = any(moment is not None and moment.holds for moment in moments)
        return self.momentous or any(isinstance(event, _FALLS) for event in events)

    def read(self, *, sheets: bool = True) -> Words:
        """Return the words of all parts of the table but the battle and the decision owed, which says that dice
        fall."""
        top = self.top
        rows = [str(player) for player in top.side.roster.scene.players] if top.side.roster.scene is not None else []
        panes: dict[str, Pane] = {"strip": top.layout.strip, "header": top.layout.header}
        lines = [line.words for line in top.chronicle.lines if not line.said][-_LINES:]
        words = {name: self._words(pane) for name, pane in panes.items()}
        words |= {"sheets": self._sheets()} if sheets else {}
        return {"players": rows, "chronicle": lines, **words}

    def _words(self, pane: Pane) -> list[str]:
        self.drawn.clear()
        pane.touch()
        pane.patient = pane.sparing = False
        pane.draw()
        return list(self.drawn)

    def _sheets(self) -> list[str]:
        """Lay each sheet in turn, as a curious player would."""
        top, before = self.top, self.top.sheet
        words: list[str] = []
        top._open(None)  # The count of a season is headed otherwise until it is closed.
        for sheet in top.sheets:
            if sheet is not top.layout.calculator:
                top.turn_sheet(sheet) if top.sheet is not sheet else None
                words += self._words(sheet)
        top._open(before)
        return words


def _watch(table: Onlooker, battles: int, *, skip: Callable[[], bool]) -> int:
    """Play until so many battles were shown, each to its end or skipped, or to the end of the match."""
    top, shown = table.top, 0
    while shown < battles and table.step():
        # An own decision is on its sheet before, and is gone once it was taken.
        before = table.read(sheets=not table.match.is_mine) if table.falls() else {}
        table.callbacks.sounds.clear()
        table.match.step()
        top.hear()
        shown += bool(before) and top.events.busy
        if before:
            _look_on(table, before, skips=skip(), later=shown == battles)
        top.events.hurry()
    return shown


def _look_on(table: Onlooker, before: Words, *, skips: bool, later: bool) -> None:
    """Compare the words in each step of a battle with those before it; at its end they are those of the position.

    later: the next version comes while the battle is shown.
    """
    top, sheets = table.top, "sheets" in before
    heard = _BATTLE | (_MOMENT if table.momentous else set())
    while top.events.busy:
        if later:
            later = False
            table.match.step()
        table.match.chat.append(Said(0, "Livia", "Salve!"))
        top.hear()
        now = table.read(sheets=sheets)
        assert now == {part: before[part] for part in now}
        sheets = False  # They take the most time to paint.
        assert heard.issuperset(table.callbacks.sounds)
        assert not top.task.lit()
        if skips:
            top.events.hurry()
        else:
            _until_next_step(top)
    assert table.read(sheets=False)["players"] == _afresh(table)


def _until_next_step(top: Tabletop[Any]) -> None:
    """Let time pass until another step is shown."""
    step = top.playback.beat, top.events.moments.shown
    while top.events.busy and (top.playback.beat, top.events.moments.shown) == step:
        top.update(0.25)


def _afresh(table: Onlooker) -> list[str]:
    """Return the words about the players at a table that has only now come to this position."""
    fresh: Tabletop[Any] = Tabletop(table.match, table.top.guide, RecordedCallbacks())
    fresh.place(*theme.BASE_SIZE)
    fresh.follow()
    assert fresh.side.roster.scene is not None
    return [str(player) for player in fresh.side.roster.scene.players]


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(GUIDES, "mb1984"))
def test_nothing_tells_an_outcome_before_it_is_shown(window: arcade.Window, drawn: list[str], game: str) -> None:
    skips = cycle((False, True))
    table = Onlooker(game, drawn, seed=3)
    assert _watch(table, 2, skip=lambda: next(skips)) == 2


@pytest.mark.exhaustive
@pytest.mark.timeout(600)
@pytest.mark.parametrize(
    ("game", "seat", "battles"),
    [
        *(("classic", 1, 6), ("mb1984", -1, 6), ("cote2", 1, 6)),
        *((*each, 30) for each in product(GUIDES, (-1, 1))),
    ],
)
def test_nothing_tells_an_outcome_in_a_long_match(
    window: arcade.Window, drawn: list[str], game: str, seat: int, battles: int
) -> None:
    chance = Random(7)
    table = Onlooker(game, drawn, seed=5, seat=seat)
    assert _watch(table, battles, skip=lambda: chance.random() < 0.3) > 5
