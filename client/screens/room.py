"""Waiting room of a table: seats, bots for the empty ones, the code for friends, chat, start."""

from collections.abc import Callable
from functools import partial
from typing import Final

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import shapes, theme
from client.drawing.fields import Selector, TextField
from client.drawing.scrolling import ENDS, PAGES, ROWS, clipped, scroll_bar
from client.drawing.widgets import Button, Label, Panel, Picture, Widget
from client.keyboard.commands import KeyContext
from client.keyboard.keys import KEYS
from client.language import _, ngettext, say
from client.network.model import MatchModel
from client.network.remote_server import free_seats
from client.player.clock_presets import about
from client.player.presence import Presence, rated_words, rating_words, reliability_words, seated, sits
from client.player.table_options import by_seat, homes_by_seat, summary
from client.screens.application import Application
from client.screens.base import FramedScreen, ScreenStage
from client.screens.invitation import Invitation
from client.screens.question import Answer, Question
from client.table.absence import away_words
from client.table.event_text import spoken
from client.table.muting import MUTING, mutings
from client.table.person_choices import NOT_TOLD, people, person_choices
from shared.actions.bot_levels import LEVEL_WORDS
from shared.clocks import pace_of
from shared.ids import Seat
from shared.levels import LEVELS, NORMAL, by_post
from shared.messages import (
    Kick,
    Pledge,
    PublicAddress,
    Refused,
    Resize,
    Said,
    Say,
    SeatInfo,
    ServerMessage,
    SetBot,
    Start,
    TableState,
)
from shared.tables import HOOK, NOTICES, RENAME, RESIZE, SeatKind, TablePhase

_PAGE: Final = 0.85
"""Fraction of the visible height that a page scrolls."""


class ChatLog(Widget):
    """Chat lines; the wheel, the arrows, Page Up and Down, Home and End scroll through time."""

    focusable = True

    def __init__(self, rect: Rect, reader: Seat, choose: Callable[[str, str], object]) -> None:
        """`choose`: called with the name and the words of a line that is clicked."""
        super().__init__(rect)
        self._reader = reader
        self._choose = choose
        self._chosen: Said | None = None
        self._spots: list[tuple[Rect, Said]] = []
        """The lines in sight."""
        self.lines: list[Said] = []
        self._offset = 0.0
        self._depth = 0.0

    def on_press(self, x: float, y: float) -> None:
        self._chosen = next((line for rect, line in self._spots if rect.point_in_rect((x, y))), None)

    def on_click(self) -> None:
        if self._chosen is not None:
            self._choose(self._chosen.name, self._chosen.text)

    def on_scroll(self, steps: float) -> bool:
        self._back(steps * theme.px(40))
        return True

    def on_key(self, symbol: int, modifiers: int) -> bool:
        command = KEYS.command(symbol, modifiers, KeyContext.CONTROLS)
        page = self.rect.height * _PAGE
        step = -theme.px(40) * ROWS.get(command, 0) - page * PAGES.get(command, 0) - self._depth * ENDS.get(command, 0)
        self._back(step)
        return bool(step)

    def _back(self, by: float) -> None:
        """Scroll back in time by that many pixels; a negative number scrolls forward."""
        most = max(0.0, self._depth - self.rect.height)
        self._offset = min(most, max(0.0, self._offset + by))

    def draw(self) -> None:
        shapes.plate(self.rect, shapes.WELL)
        inside = arcade.LRBT(self.rect.left + theme.px(10), self.rect.right - theme.px(14),
                             self.rect.bottom + theme.px(6), self.rect.top - theme.px(6))  # fmt: skip
        if not self.lines:
            shapes.say(
                _("Nothing has been said yet."), self.rect.x, self.rect.y, colour=theme.INK_FAINT, align="center"
            )
        y, self._spots = inside.bottom - self._offset, []
        with clipped(inside):
            for line in reversed(self.lines):
                y += self._line(line, inside, y) + theme.px(5)
        self._depth = y + self._offset - inside.bottom
        most = max(0.0, self._depth - inside.height)
        scroll_bar(inside, most - self._offset, most)

    def _line(self, line: Said, inside: Rect, y: float) -> float:
        """Draw one line with its lower edge at `y`; return its height."""
        table = line.seat == -2
        words = spoken(line, self._reader)
        colour = theme.INK_FAINT if table else theme.mix(theme.seat_colour(line.seat), theme.INK, 0.35)
        label = shapes.kept(words, size=theme.SMALL + 0.5, colour=colour, anchor_y="bottom", italic=table,
                           width=inside.width - theme.px(10))  # fmt: skip
        height = float(label.content_height)
        if y + height > inside.bottom and y < inside.top:
            label.position = round(inside.left), round(y)
            label.draw()
            self._spots.append((arcade.LBWH(inside.left, y, inside.width, height), line))
        return height


_ROW: Final = 52.0
_BAR: Final = 46.0
_ADVICE: Final = {
    False: _("Advice: only while all others are bots."),
    True: _("Advice: players may ask the strongest bot; all are told that they did."),
}
_VOICES: Final = 6
"""Maximum number of names offered for muting."""


class RoomScreen(FramedScreen):
    """Shown until the host starts the match."""

    part = ScreenStage.ROOM
    narrowest = 1120.0

    def __init__(self, app: Application, match: MatchModel) -> None:
        super().__init__(app)
        self.match = match
        self._typed = ""
        self._level = LEVELS.index(NORMAL)
        """Level of the bots added next."""

    def layout(self, width: float, height: float) -> None:
        table = self.match.table
        assert table is not None
        inside = self.frame(1120, 730, table.title)
        left = arcade.LBWH(inside.left, inside.bottom, inside.width * 0.56, inside.height)
        right = arcade.LRBT(left.right + theme.px(28), inside.right, inside.bottom, inside.top)
        self._seats(left, table)
        self._talk(right, Invitation(self.ui, self.app, right, table).bottom)
        self.back_button(inside, _("Leave"))
        self._start(inside, table)

    def on_show(self) -> None:
        """Go to the board if the match began while another screen lay above this one."""
        if self.match.table is not None and self.match.table.phase != TablePhase.GATHERING:
            self.app.go.table()

    # Seats

    def _seats(self, rect: Rect, table: TableState) -> None:
        homes = homes_by_seat(table.ruleset, len(table.seats)) if self._homes_fixed(table) else ()
        top = self._bar(rect, table) if table.host else rect.top
        for seat, info in enumerate(table.seats):
            row = arcade.LBWH(rect.left, top - theme.px(_ROW), rect.width, theme.px(_ROW))
            self._seat(row, seat, info, homes[seat] if homes else _("Seat {what}", what=seat + 1), table)
            top -= theme.px(_ROW + 6)
        for line in self._rules(table):
            label = self.ui.add(Label(line, rect.left, top - theme.px(12), size=theme.SMALL, colour=theme.INK_SOFT,
                                      limit=rect.width))  # fmt: skip
            label.tip = "" if label.words == line else line
            if table.pledge is not None and line == self._game(table.pledge):
                label.tip = _("{line}. The server is bound by {hash}.", line=line, hash=table.pledge.commitment.hex())
            top -= theme.px(20)

    def _bar(self, rect: Rect, table: TableState) -> float:
        """Add the host's controls for all seats; return their lower edge."""
        height, gap = theme.px(36), theme.px(10)
        bottom = rect.top - height
        fill = arcade.LBWH(rect.right - theme.px(170), bottom, theme.px(170), height)
        tip = _("Each free seat gets a bot of that level.")
        self.ui.add(Button(fill, _("Fill with bots"), self._fill, kind="quiet", size=theme.BODY, tip=tip,
                           enabled=bool(free_seats(table))))  # fmt: skip
        kinds = arcade.LBWH(fill.left - gap - theme.px(190), bottom, theme.px(190), height)
        tip = _("Level of the bots that you add now") + ". " + say(LEVEL_WORDS[LEVELS[self._level]].about)
        self.ui.add(Selector(kinds, [say(words.plural) for words in LEVEL_WORDS.values()], self._level,
                             self._choose_level, tip=tip))  # fmt: skip
        if self.app.remote.can(RESIZE):
            self._size(arcade.LRBT(rect.left, kinds.left - gap, bottom, rect.top), table)
        return rect.top - theme.px(_BAR)

    def _size(self, rect: Rect, table: TableState) -> None:
        """Add the choice of the number of seats, at least as many as are taken."""
        rules, count = self.match.rules, len(table.seats)
        least = max(rules.min_seats, count - len(free_seats(table)))
        counts = range(min(least, count), max(rules.max_seats, count) + 1)
        self.ui.add(Selector(rect, [_("{n} seats", n=n) for n in counts], counts.index(count),
                             lambda i: self._resize(counts[i]), wrap=False, tip=_("How many play")))  # fmt: skip

    def _resize(self, seats: int) -> None:
        self.app.remote.send(Resize(self.app.remote.ref(), seats))

    def _choose_level(self, level: int) -> None:
        self._level = level
        self.relayout()

    def _fill(self) -> None:
        """Put a bot on each free seat."""
        if self.match.table is not None:
            for seat in free_seats(self.match.table):
                self._bot(seat, LEVELS[self._level])()

    def _homes_fixed(self, table: TableState) -> bool:
        chosen = by_seat(self.match.rules)
        return bool(chosen) and all(table.options.get(key) == value for key, value in chosen.items())

    def _rules(self, table: TableState) -> list[str]:
        pace = pace_of(table.pace, table.think)
        lines = [
            self._game(table.pledge),
            about(pace),
            *([rated_words(table.rated)] if table.rated else []),
            *([] if by_post(pace) else [away_words(table.away, table.takeover)]),
        ]
        return [*lines, _ADVICE[table.advice], *summary(table.ruleset, table.options, table.version)]

    def _game(self, pledge: Pledge | None) -> str:
        """Return the name of the game, and how its dice are bound."""
        title = self.match.rules.title
        if pledge is None:
            return title
        return ngettext(
            "{game}. Dice fixed beforehand by the server and {n} player",
            "{game}. Dice fixed beforehand by the server and {n} players",
            sum(map(bool, pledge.numbers)),
            game=title,
        )

    def _seat(self, rect: Rect, seat: int, info: SeatInfo, home: str, table: TableState) -> None:
        mine = seat == table.you
        look = replace(shapes.CARD, line=theme.TERRACOTTA, border=2.0) if mine else shapes.CARD
        self.ui.add(Panel(rect, look))
        side = theme.px(40)
        self.ui.add(Picture(arcade.LBWH(rect.left + theme.px(10), rect.y - side / 2, side, side), f"marker_{seat}"))
        left = rect.left + theme.px(62)
        room = rect.width * 0.5
        self.ui.add(Label(home, left, rect.y + theme.px(12), size=theme.LARGE, title=True, limit=room))
        self.ui.add(Label(self._who(seat, info, mine), left, rect.y - theme.px(11), limit=room,
                          colour=theme.INK_FAINT if info.kind == SeatKind.FREE else theme.INK_SOFT))  # fmt: skip
        self._seat_buttons(rect, seat, info, table)

    def _who(self, seat: int, info: SeatInfo, mine: bool) -> str:
        if info.kind == SeatKind.FREE:
            return _("free")
        if info.kind == SeatKind.BOT:
            return f"{self.match.name(seat)} ({sits(info)})"
        host = _(" (host)") if self.match.table is not None and seat + 1 == self.match.table.host_number else ""
        note = rating_words(info) + host + reliability_words(info.reliability)
        return info.name + note + (_(" (you)") if mine else _(" (away)") if info.kind == SeatKind.AWAY else "")

    def _seat_buttons(self, rect: Rect, seat: int, info: SeatInfo, table: TableState) -> None:
        remote = self.app.remote
        actions: list[tuple[str, Callable[[], object], float]] = []
        if info.kind == SeatKind.FREE and not table.host:
            actions.append((_("Sit here"), lambda: remote.change_seat(seat), 100.0))
        if info.kind == SeatKind.FREE and table.host:
            actions.append((_("+ bot"), lambda: self._bot(seat, LEVELS[self._level])(), 100.0))
        if info.kind == SeatKind.BOT and table.host:
            actions.append((_("Remove"), self._bot(seat, ""), 100.0))
        if seat == table.you and remote.can(RENAME):
            actions.append((_("Change name"), self.app.go.rename, 120.0))
        if info.kind in (SeatKind.PERSON, SeatKind.AWAY) and table.host and seat != table.you:
            actions.append((_("Send away"), partial(self._send_away, seat, info.name), 100.0))
        if info.kind in (SeatKind.PERSON, SeatKind.AWAY) and info.name in people(self.match):
            actions.append((_("Report …"), partial(self._ask_about, info.name), 92.0))
        right = rect.right - theme.px(12)
        for words, action, width in reversed(actions):
            button = arcade.LBWH(right - theme.px(width), rect.y - theme.px(16), theme.px(width), theme.px(32))
            self.ui.add(Button(button, words, action, kind="quiet", size=theme.SMALL))
            right = button.left - theme.px(8)

    def _send_away(self, seat: int, name: str) -> None:
        """Ask before sending a person away: they cannot come back."""
        remote = self.app.remote
        sure = Answer(_("Send {name} away", name=name), lambda: remote.send(Kick(remote.ref(), seat)), grave=True)
        words = _("{name} loses the seat and cannot come back to this table, not even to watch.", name=name)
        self.app.go.ask(Question(_("Send {name} away?", name=name), (words,), (sure,), keep=_("Let them stay")))

    def _bot(self, seat: int, kind: str) -> Callable[[], object]:
        remote = self.app.remote
        return lambda: remote.send(SetBot(remote.ref(), seat, kind))

    # Code, chat, start

    def _talk(self, rect: Rect, top: float) -> None:
        height = theme.px(40)
        log = arcade.LRBT(rect.left, rect.right, rect.bottom + height + theme.px(8), top - theme.px(14))
        self._log = self.ui.add(ChatLog(log, self.match.seat, self._ask_about))
        self._log.lines = self.match.chat
        if self.match.blocks.possible:
            self._log.tip = _("Click a line to report it, or to hide what that person says.")
        width = rect.width
        if self.match.table is not None and self.match.table.host:
            width -= theme.px(96)
            mute = arcade.LBWH(rect.left + width + theme.px(8), rect.bottom, theme.px(88), height)
            self.ui.add(Button(mute, _("Mute …"), self._hush, kind="quiet", size=theme.SMALL + 1,
                               tip=_("Hide that person's messages from this table.")))  # fmt: skip
        field = TextField(arcade.LBWH(rect.left, rect.bottom, width, height), self._typed, limit=300,
                          hint=_("Say something to the table"), changed=self._type, done=self._say)  # fmt: skip
        self._field = self.ui.add(field)

    def _start(self, inside: Rect, table: TableState) -> None:
        there = seated(table.seats)
        start = self.foot(inside, 220, right=True)
        room = start.left - inside.left - theme.px(190)
        if table.host and self.app.remote.can(HOOK):
            tell = Button(self.foot(inside, 170, 1, parts=3), _("Messages …"), self.app.go.hook,
                          tip=_("Send absent players a message when it is their turn."))  # fmt: skip
            self.ui.add(tell)
            room = start.left - tell.rect.right - theme.px(40)
        elif table.you >= 0 and self.app.remote.can(NOTICES):
            tell = Button(self.foot(inside, 170, 1, parts=3), _("Messages to you …"), self.app.go.notices,
                          tip=_("Where you are told that it is your turn: by mail, ntfy or Discord."))  # fmt: skip
            self.ui.add(tell)
            room = start.left - tell.rect.right - theme.px(40)
        self.ui.add(Label(_advice(table, there), start.left - theme.px(20), start.y, colour=theme.INK_SOFT,
                          align="right", limit=room))  # fmt: skip
        if table.host:
            button = Button(start, _("Start the match"), self._begin, kind="primary", enabled=not there.free)
            self.ui.add(button)

    def _begin(self) -> None:
        self.app.remote.send(Start(self.app.remote.ref()))

    def _hush(self) -> None:
        """Ask which person to mute."""
        answers = tuple(Answer(words, mute) for words, mute in mutings(self.match, _VOICES))
        if not answers:
            self.app.toast(_("You are alone at the table."))
            return
        self.app.go.ask(Question(_("Mute"), (MUTING,), answers, keep=_("Cancel")))

    def _ask_about(self, name: str, words: str = "") -> None:
        """Ask what to do about a person, and those words of theirs."""
        if name in people(self.match):
            answers = tuple(Answer(*choice) for choice in person_choices(self.match, name, words))
            said = (f"“{words}”",) if words else ()
            self.app.go.ask(Question(name, (*said, NOT_TOLD), answers, keep=_("Cancel")))

    def _type(self, words: str) -> None:
        self._typed = words

    def _say(self) -> None:
        words, remote = self._typed.strip(), self.app.remote
        if words and remote.send(Say(remote.ref(), words)):
            self._typed = self._field.value = ""

    def hear(self, message: ServerMessage) -> None:
        if isinstance(message, TableState | Refused | PublicAddress):
            self.relayout()  # Rebuild after a refusal, too: a control may still show the refused value.
        elif isinstance(message, Said):
            self._log.lines = self.match.chat

    def back(self) -> None:
        """Leave; ask first if that gives up a seat."""
        table = self.match.table
        if table is None or table.you < 0:
            self.app.go.leave()
            return
        sure = Answer(_("Leave the table"), self.app.go.leave, grave=True)
        self.app.go.ask(Question(_("Leave the table?"), _what_follows(table), (sure,), keep=_("Stay")))


def _advice(table: TableState, there: Presence) -> str:
    """Return a sentence on what the player can do now."""
    if not (there.free or there.away):
        return _("Everybody is here.") if table.host else _("Everybody is here. The host will start.")
    if table.host:
        what = _("wait for friends, or add bots") if there.free else _("wait, or start all the same")
        return f"{there.words}: {what}."
    return _("{text}: sit down, or watch.", text=there.words) if there.free and table.you < 0 else f"{there.words}."


def _what_follows(table: TableState) -> tuple[str, ...]:
    """Return the consequences of leaving the seat before the match has begun."""
    others = [info.name for seat, info in enumerate(table.seats) if info.kind == SeatKind.PERSON and seat != table.you]
    if not others and not table.watchers:
        return (_("You are alone here: the table is closed."),)
    seat = _("Your seat becomes free; until it is taken, you can come back with the code.")
    heir = others[0] if others else _("a spectator")
    return (seat, _("{heir} becomes the host.", heir=heir)) if table.host else (seat,)
