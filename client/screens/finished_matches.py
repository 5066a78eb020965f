"""List of all finished matches that this player can replay: from files and from servers."""

from collections.abc import Callable
from contextlib import suppress
from functools import cache
from pathlib import Path
from time import time
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import shapes, theme
from client.drawing.scrolling import ScrollList
from client.drawing.widgets import Button, Label
from client.games.registry import guide
from client.language import _, heard, ngettext
from client.network.finished_match_list import FinishedMatch, FinishedMatches, fetched, questions
from client.network.status_query import Errand
from client.player.match_status import ago
from client.replay import picture
from client.replay.record_files import OpenedFilm, opened, received
from client.screens.application import Application
from client.screens.base import FramedScreen
from shared.messages import PastMatch, Recalled
from shared.rulesets.registry import RULESETS
from shared.tables import BOT_NAMES

_ROW: Final = 92.0
_EMPTY: Final = _("No finished matches yet. Those that you play to their end are kept here.")


@cache
def _texture(path: Path) -> arcade.Texture:
    return arcade.load_texture(path)


class FinishedMatchesScreen(FramedScreen):
    """Selects a match with one click and shows it with the next."""

    narrowest = 980.0

    def __init__(self, app: Application, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._close = close
        settings = app.settings
        self.finished = FinishedMatches(questions(settings.name, settings.address, app.seats.all(), app.profiles.all()))
        self._picked = ""
        self._fetching: Errand[Recalled] | None = None
        self._pictured: set[str] = set()
        """Matches whose picture was requested."""
        self._picturing: tuple[FinishedMatch, Errand[Recalled]] | None = None

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(1000, 700, _("Finished matches"), elastic=True)
        body = arcade.LRBT(inside.left, inside.right, inside.bottom + theme.px(34), inside.top)
        self._list = self.ui.add(ScrollList[FinishedMatch](body, _ROW, self._paint, self._choose, ended=self._turn))
        self._empty = self.ui.add(Label("", body.x, body.y, align="center", colour=theme.INK_SOFT))
        self._words = self.ui.add(
            Label("", inside.left, inside.bottom + theme.px(12), size=theme.SMALL, colour=theme.INK_SOFT)
        )
        self.back_button(inside)
        self._watch = self.ui.add(
            Button(self.foot(inside, 210, right=True), _("Watch it again"), self.watch, kind="primary")
        )
        self._refresh()
        # The back button: only the one to watch follows it.
        self.ui.set_focus(self._list if self._list.items else self.ui.widgets[-2])

    @property
    def chosen(self) -> FinishedMatch | None:
        """The selected match."""
        index = self._list.index
        return self._list.items[index] if 0 <= index < len(self._list.items) else None

    def _refresh(self) -> None:
        before = self._list.index
        self._list.items = self.finished.matches
        self._list.index = before if before >= 0 else min(0, len(self.finished.matches) - 1)
        self._empty.words = "" if self.finished.matches or self.finished.asking else _EMPTY
        self._watch.enabled = self.chosen is not None and self._fetching is None
        self._words.words = self._summary_line()

    def _summary_line(self) -> str:
        if self._fetching is not None:
            return _("Fetching the record of the match …")
        if self.finished.asking:
            return _("Asking your servers …")
        return " ".join(f"{place}: {why}" for place, why in list(self.finished.trouble.items())[:1])

    def _turn(self) -> None:
        if self.finished.more:
            self.finished.turn()

    def on_update(self, seconds: float) -> bool:
        changed = super().on_update(seconds)
        new = self.finished.update() or self._look_at_end()
        if self._fetching is not None and self._fetching.done:
            errand, self._fetching, new = self._fetching, None, True
            self._show(errand)
        before = self._words.words
        if new:
            self._refresh()
        self._words.words = self._summary_line()
        return changed or new or self._words.words != before

    def _look_at_end(self) -> bool:
        """Request a picture of the chosen match's end if there is none; return whether there is a new one."""
        chosen = self.chosen
        if self._picturing is not None:
            if not self._picturing[1].done:
                return False
            (finished, errand), self._picturing = self._picturing, None
            return self._keep_picture(finished, errand)
        # The list marks its first match by itself: only a picked one is worth a question to a server.
        if chosen is None or chosen.query is None or chosen.summary.match != self._picked:
            return False
        if picture.kept(chosen.summary.match) is None and chosen.summary.match not in self._pictured:
            self._pictured.add(chosen.summary.match)
            self._picturing = chosen, fetched(chosen, end=True)
        return False

    def _keep_picture(self, finished: FinishedMatch, errand: Errand[Recalled]) -> bool:
        if errand.answer is not None:
            with suppress(ValueError, OSError):
                film = received(errand.answer.kind, errand.answer.data).film
                view = film.view(film.last, film.audiences[0])
                picture.keep(finished.summary.match, guide(film.rules.id).film, view)
                return True
        return False

    def _paint(self, finished: FinishedMatch, rect: Rect, chosen: bool) -> None:
        summary = finished.summary
        frame = arcade.LBWH(rect.left + theme.px(10), rect.y - theme.px(34), theme.px(105), theme.px(68))
        path = picture.kept(summary.match)
        shapes.plate(frame, shapes.WELL)
        if path is not None:
            arcade.draw_texture_rect(_texture(path), frame)
        left, right, room = frame.right + theme.px(16), rect.right - theme.px(18), rect.width * 0.48
        shapes.say(summary.title or _("A table"), left, rect.y + theme.px(24), size=theme.LARGE, title=True, limit=room)
        shapes.say(company(summary), left, rect.y, limit=room)
        place = _("On this computer") if finished.query is None else _("At {address}", address=finished.query.address)
        shapes.say(place, left, rect.y - theme.px(23), size=theme.SMALL, colour=theme.INK_SOFT, limit=room)
        width = rect.width * 0.34
        shapes.say(outcome(summary), right, rect.y + theme.px(23), bold=True, align="right", limit=width,
                  colour=theme.TERRACOTTA if won(summary) else theme.INK)  # fmt: skip
        shapes.say(length(summary), right, rect.y, align="right", limit=width)
        shapes.say(ago(summary.ended, time()), right, rect.y - theme.px(23), size=theme.SMALL, align="right",
                  colour=theme.INK_SOFT)  # fmt: skip

    def _choose(self, finished: FinishedMatch) -> None:
        """Select with a click; a second click or Enter shows the match."""
        again, self._picked = finished.summary.match == self._picked, finished.summary.match
        self._refresh()
        if again:
            self.watch()

    def watch(self) -> None:
        """Show the selected match."""
        chosen = self.chosen
        if chosen is None or self._fetching is not None:
            return
        path = chosen.path
        if path is not None:
            self._open(lambda: opened(path))
            return
        self._fetching = fetched(chosen)
        self._refresh()

    def _show(self, errand: Errand[Recalled]) -> None:
        answer = errand.answer
        if answer is None:
            self.app.toast(errand.why, "bad")
        else:
            self._open(lambda: received(answer.kind, answer.data))

    def _open(self, make: Callable[[], OpenedFilm]) -> None:
        try:
            match = make()
        except ValueError as error:
            self.app.toast(heard(str(error)), "bad")
        else:
            self.app.go.replay(match.film, match.seats)

    def back(self) -> None:
        self._close()


def _name(summary: PastMatch, seat: int) -> str:
    info = summary.seats[seat] if 0 <= seat < len(summary.seats) else None
    return (info.name if info is not None else "") or BOT_NAMES[seat % len(BOT_NAMES)]


def company(summary: PastMatch) -> str:
    """Return the game and its players."""
    game = RULESETS[summary.ruleset].title if summary.ruleset in RULESETS else summary.ruleset
    names = [_name(summary, seat) for seat in range(len(summary.seats)) if seat != summary.you]
    return f"{game} · " + _("with {join}", join=", ".join(names))


def won(summary: PastMatch) -> bool:
    """Whether this player won."""
    return any(rank.seat == summary.you and rank.rank == 1 for rank in summary.ranks)


def outcome(summary: PastMatch) -> str:
    """Return the result in words."""
    mine = next((rank.rank for rank in summary.ranks if rank.seat == summary.you), 0)
    first = [_name(summary, rank.seat) for rank in summary.ranks if rank.rank == 1]
    if mine == 1:
        return _("You won")
    winner = _("{name} won", name=", ".join(first)) if first else ""
    return _("{winner}; you: place {n}", winner=winner, n=mine) if mine and winner else winner


def length(summary: PastMatch) -> str:
    """Return the length in rounds and moves."""
    moves = ngettext("{n} move", "{n} moves", summary.length)
    rounds = (
        guide(summary.ruleset).film.counted(summary.rounds) if summary.rounds and summary.ruleset in RULESETS else ""
    )
    return f"{rounds} · {moves}" if rounds else moves
