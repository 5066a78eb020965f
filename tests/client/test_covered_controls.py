"""Controls at the table are never covered by passing notices, appear once, and only while they are of use."""

from collections import Counter
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.overlay import Toasts
from client.drawing.widgets import Button, Widget
from client.games.conquest.tasks.building_tasks import Razing
from client.games.cote2.sheets.sheet_widgets import CardSpot, HeldSpot
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.keyboard.commands import Command
from client.table.pane import Figure
from client.table.tabletop import Tabletop
from server.bots.policy import play_easy
from shared.kernel.frames import Frame
from shared.rulesets.cote2.data import CARDS, MULTI_USE
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.registry import RULESETS
from tests.support.marks import in_stages, with_releases

LONG = (
    "The legion in Mesopotamia cannot go to Arabia Petraea: it has moved already in this turn, and the strait between "
    "them is closed by galleys of somebody else. (CL-MOVE-12)"
)
"""As long as what a player is told at all."""
LETTERS = 9.0
"""Points: letters of 12 pixels, where everything has its design size."""


def decisions(game: str, seats: int, steps: int) -> Iterator[Tabletop[Any]]:
    """Yield the first player's table at their decisions in a game of bots, each kind of decision a few times."""
    rules, chance = RULESETS[game], Random(seats)
    match = LocalMatch(rules, seats, seed=seats, seat=0)
    seen: Counter[type[Frame]] = Counter()
    for _ in range(steps):
        if match.finished:
            break
        seat = match.owed()[0]
        kind = type(match.state.frames[-1])
        if seat == 0 and seen[kind] < 4:
            seen[kind] += 1
            yield table(match)
        if match.owed() and match.owed()[0] == seat:
            match.play(seat, play_easy(rules, rules.view(match.state, seat), seat, chance))
    assert len(seen) > 1, seen


def table(match: LocalMatch, *, coached: bool = False) -> Tabletop[Any]:
    match.take_events()
    theme.set_window(*theme.BASE_SIZE)
    top = Tabletop(match, guide(match.rules.id), RecordedCallbacks(),
                   lesson=match.rules.id if coached else "")  # fmt: skip
    top.place(*theme.BASE_SIZE)
    top.hear()
    top.events.hurry()
    return top


def clickable(top: Tabletop[Any]) -> list[Widget]:
    """All that can be clicked around the board, and over it."""
    return [
        widget
        for pane in top.panes
        for widget in pane.ui.widgets
        if widget.visible and widget.enabled and widget.focusable
    ]


def notices(top: Tabletop[Any]) -> list[Rect]:
    """Return the rectangles of the longest possible notices."""
    toasts = Toasts()
    for i in range(3):
        toasts.say(f"{LONG} {i}", "bad")
    toasts.update(1.0)
    return toasts.places(top.side.notices_area or top.board.rect)


def meets(rect: Rect, other: Rect) -> bool:
    wide = min(rect.right, other.right) - max(rect.left, other.left)
    return wide > 0.5 and min(rect.top, other.top) - max(rect.bottom, other.bottom) > 0.5


@pytest.mark.long
@pytest.mark.parametrize("seats", with_releases([2, 6], 2))
@pytest.mark.parametrize("game", with_releases(RULESETS, "cote2"))
def test_no_notice_covers_what_one_is_to_click_and_no_button_is_there_twice(
    game: str, seats: int, window: object
) -> None:
    looked = 0
    for top in decisions(game, seats, 130 * seats):
        for notice in notices(top):
            assert not [widget for widget in clickable(top) if meets(notice, widget.rect)]
            assert not meets(notice, top.board.rect), "every space can be clicked"
        words = Counter(widget.words for widget in clickable(top) if isinstance(widget, Button))
        words += Counter(widget.caption for widget in clickable(top) if isinstance(widget, Figure) and widget.caption)
        for once in ("Pass", "Fire!", "Fight on", "Confirm", *[word for word in words if word.startswith("Bid")]):
            assert words[once] <= 1, (once, words)
        looked += 1
    assert looked > 4


@pytest.mark.parametrize("seats", [2, 3])
@pytest.mark.parametrize("game", RULESETS)
def test_beside_a_coach_there_is_room_for_notices_too(game: str, seats: int, window: object) -> None:
    top = table(LocalMatch(RULESETS[game], seats, seed=1, seat=0), coached=True)
    for notice in notices(top)[:1]:
        assert not [widget for widget in clickable(top) if meets(notice, widget.rect)]
        assert not meets(notice, top.board.rect)


@pytest.mark.parametrize("size", in_stages([theme.BASE_SIZE, theme.MIN_SIZE], [theme.BASE_SIZE], []))
def test_no_sheet_covers_the_corner_buttons_and_no_advice_a_sheet(size: tuple[int, int], window: object) -> None:
    match = LocalMatch(RULESETS["cote2"], 6, seed=4, seat=0)
    while not (match.owed() == (0,) and isinstance(match.state.frames[-1], Turn)):
        assert match.step()
    top = table(match)
    theme.set_window(*size)
    top.place(*size)
    top.advice.plate.show(("Recruit 3 infantry in Sicilia.", "It is the best of 40 plans."), 0, thinking=False)
    for sheet in top.sheets:
        top.undo.button.show("", False)
        top.lay(None)
        top.lay(sheet.key)
        top.undo.button.show("Take back", False)
        top.layout.place_sheet()
        if top.sheet is sheet:
            assert not meets(sheet.seen, top.undo.button.rect) and sheet.seen.height > 0.7 * top.board.rect.height
            assert not meets(sheet.seen, top.advice.plate.rect), type(sheet)


@pytest.mark.long
def test_bid_and_pass_stand_below_each_other(window: object) -> None:
    auctions = 0
    for top in decisions("cote2", 4, 90):
        found = {widget.words.split()[0]: widget.rect for widget in clickable(top) if isinstance(widget, Button)}
        if "Bid" in found and "Pass" in found:
            auctions += 1
            assert found["Bid"].left == found["Pass"].left
            assert 0 < found["Bid"].bottom - found["Pass"].top < theme.px(12)
    assert auctions


@pytest.mark.long
@pytest.mark.parametrize("game", with_releases(RULESETS, "classic"))
def test_after_the_end_nothing_is_left_to_be_ended(game: str, window: object) -> None:
    match = LocalMatch(RULESETS[game], 2, seed=3, seat=0)
    rules, chance, top = match.rules, Random(3), None
    while not match.finished:
        if top is None and match.is_mine:
            top = table(match)
            assert [widget for widget in top.tasks.bar.ui.widgets if isinstance(widget, Button)]
        seat = match.owed()[0]
        match.play(seat, play_easy(rules, rules.view(match.state, seat), seat, chance))
    assert top is not None
    top.hear()
    top.events.hurry()
    top.update(0.1)
    assert not [widget for widget in top.tasks.bar.ui.widgets if isinstance(widget, Button | Figure)]


@pytest.mark.long
@pytest.mark.parametrize("size", [theme.BASE_SIZE, (1920, 1080)])
def test_cards_on_offer_and_in_the_hand_are_legible(
    size: tuple[int, int], window: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = LocalMatch(RULESETS["cote2"], 6, seed=4, seat=0)
    while not (match.owed() == (0,) and isinstance(match.state.frames[-1], Turn)):
        assert match.step()
    own = [card for card, printed in enumerate(CARDS) if printed.kind == MULTI_USE][:6]
    match.state.cards[0] = tuple(own)
    top = table(match)
    theme.set_window(*size)
    top.place(*size)
    top.lay(Command.CARDS)
    assert top.sheet is not None
    written: list[float] = []
    kept = shapes.kept

    def measured(words: str, **look: Any) -> Any:
        if words:
            written.append(look["size"])
        return kept(words, **look)

    monkeypatch.setattr(shapes, "kept", measured)
    cards = [widget for widget in top.sheet.ui.widgets if isinstance(widget, CardSpot) and not _mini(widget)]
    assert sum(isinstance(widget, HeldSpot) for widget in cards) == len(own)
    assert len(cards) > len(own) + 10
    for widget in cards:
        widget.draw()
    assert len(written) >= len(cards)
    assert min(written) >= LETTERS


def _mini(widget: CardSpot) -> bool:
    """Whether only its picture is shown: what others hold."""
    return type(widget).__name__ == "_Mini"


@pytest.mark.parametrize("game", in_stages(["classic", "mb1984"], [], ["mb1984"]))
def test_cities_are_only_asked_for_where_a_player_could_want_them_gone(game: str, window: object) -> None:
    """Cities far from enemies are kept without asking; near one the player is asked."""
    rules, kept, asked = RULESETS[game], 0, 0
    for seed in range(2, 12):  # Until bots come near a city in one of these matches.
        match, chance = LocalMatch(rules, 3, seed=seed, seat=0), Random(seed)
        for _ in range(700):
            if match.finished or asked:
                break
            owed = match.owed()[0]
            if owed == 0 and _razing(match):
                top = table(match)
                asked += _razing(match) and isinstance(top.task, Razing)
                kept += not _razing(match)
                if not _razing(match):
                    continue
            match.play(owed, play_easy(rules, rules.view(match.state, owed), owed, chance))
    assert kept > 0, "in the first turns there is nobody near"
    assert asked > 0, "who stands before an enemy is asked"


def _razing(match: LocalMatch) -> bool:
    return type(match.state.frames[-1]).__name__ == "Destruction"
