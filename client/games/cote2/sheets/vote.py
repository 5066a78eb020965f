"""A senate vote: what it is about, who has shown which senators, and one's own that are still hidden."""

from __future__ import annotations

from functools import partial
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client import brush, theme
from client.games.cote2.asks import Voting
from client.games.cote2.sheets import face
from client.games.cote2.sheets.leaf import ROW, ROW_ON, Leaf, cut
from client.games.cote2.sheets.spots import SenatorSpot
from client.table.pane import seat_disc
from client.table.tasks.base import count_words
from shared.ids import NONE, Seat
from shared.mechanics.heaps import without
from shared.mechanics.vote import sole_leader, weight
from shared.rulesets.cote2.data import ITALIA
from shared.rulesets.cote2.frames import Motion, Vote
from shared.rulesets.cote2.senate import NOBODY
from shared.rulesets.cote2.state import Table

_CARD: Final = 212.0
_OWN: Final = 128.0


class Bench(Struct, frozen=True):
    """What a player has in a vote. `shown`: senators by value; `hidden`: how many are still face down."""

    seat: Seat
    shown: tuple[int, ...]
    hidden: int

    @property
    def votes(self) -> int:
        """What is shown is worth this much."""
        return weight(self.shown)


def benches(table: Table, vote: Vote | Motion) -> list[Bench]:
    """All players, clockwise from the caller."""
    around = [(vote.caller + i) % table.seats for i in range(table.seats)]
    found = []
    for seat in around:
        if isinstance(vote, Vote):
            shown: tuple[int, ...] = vote.shown[seat]
            hidden = sum(table.senators[seat]) - sum(shown)
        else:
            shown = vote.paid if seat == vote.winner else NOBODY
            hidden = sum(table.senators[seat])
        found.append(Bench(seat, shown, hidden))
    return found


def still_hidden(table: Table, seat: Seat, vote: Vote | Motion) -> tuple[int, ...]:
    """One's own senators that are not shown yet; () for those who look on."""
    if seat == NONE:
        return ()
    return without(table.senators[seat], vote.shown[seat]) if isinstance(vote, Vote) else table.senators[seat]


class VoteSheet(Leaf):
    """See the module's docstring."""

    caption = "Senate"
    key = "n"
    about = "The senate vote that goes on"

    @property
    def vote(self) -> Vote | Motion | None:
        """The vote that goes on, or that was just decided."""
        frame = next((f for f in reversed(self.position.frames) if isinstance(f, Vote | Motion)), None)
        return frame if isinstance(frame, Vote | Motion) else None

    @property
    def _voting(self) -> Voting | None:
        return self.task if isinstance(self.task, Voting) else None

    def wanted(self) -> bool:
        return isinstance(self.position.frames[-1], Vote | Motion)

    def size(self) -> tuple[float, float]:
        return 880.0, 540.0

    def title(self) -> str:
        return "A vote in the senate"

    # Layout

    @property
    def _right(self) -> Rect:
        return cut(self.body, left=_CARD + 24)

    @property
    def _own(self) -> Rect:
        right = self._right
        return arcade.LBWH(right.left, right.bottom, right.width, theme.px(_OWN))

    def build(self) -> None:
        vote, seat = self.vote, self.desk.seat
        if vote is None or seat == NONE:
            return
        voting = self._voting
        chosen = voting.chosen if voting is not None else NOBODY
        hidden = without(still_hidden(self.position, seat, vote), chosen)
        own = cut(self._own, top=26)
        wide = own.height / 1.08
        x = own.left
        for value, number in enumerate(hidden):
            if number:
                action = partial(voting.add, value, 1) if voting is not None else None
                tip = "A click adds him to those you are about to show." if voting is not None else ""
                self.ui.add(SenatorSpot(arcade.LBWH(x, own.bottom, wide, own.height), value, number, action, tip=tip))
                x += wide + theme.px(8)
        x = max(x + theme.px(16), own.x)
        self._chosen_from = x
        for value, number in enumerate(chosen):
            if number and voting is not None:
                rect = arcade.LBWH(x, own.bottom, wide, own.height)
                back = partial(voting.add, value, -1)
                self.ui.add(SenatorSpot(rect, value, number, back, on=True, tip="A click takes him back."))
                x += wide + theme.px(8)

    # Drawing

    def paint(self) -> None:
        super().paint()
        vote = self.vote
        if vote is None:
            brush.say("No vote goes on. A card calls one: Senate Vote.", self.body.x, self.body.y, align="center",
                      colour=theme.INK_SOFT)  # fmt: skip
            return
        self._card(vote)
        self._benches(vote)
        if self.desk.seat != NONE:
            self._hand()

    def _card(self, vote: Vote | Motion) -> None:
        """What it is about, who called it, and who will draw a senator."""
        body = self.body
        wide = theme.px(_CARD)
        card = arcade.LBWH(body.left, body.top - wide * 1.5, wide, wide * 1.5)
        face.card_face(card, vote.card)
        y = card.bottom - theme.px(14)
        leader = sole_leader(self.position.influence[ITALIA])
        drawer = self.desk.who(leader) if leader != self.desk.seat else "you"
        lines = [f"Called by {self.desk.who(vote.caller) if vote.caller != self.desk.seat else 'you'}."]
        if leader == NONE:
            lines.append("The winner's senators are spent. Nobody leads alone in Italia, so none comes back.")
        else:
            draws = "draw" if leader == self.desk.seat else "draws"
            lines.append(f"The winner's senators are spent; {drawer} {draws} one of them blindly: leader in Italia.")
        for words in lines:
            line = brush.kept(words, size=theme.SMALL, width=wide, colour=theme.INK_SOFT)
            line.position = round(body.left), round(y)
            line.draw()
            y -= line.content_height + theme.px(5)

    def _benches(self, vote: Vote | Motion) -> None:
        right = self._right
        rows = benches(self.position, vote)
        area = cut(right, bottom=_OWN + 8 if self.desk.seat != NONE else 0)
        gap = theme.px(5)
        high = min(theme.px(62), (area.height - gap * (len(rows) - 1)) / len(rows))
        leader = vote.bidder if isinstance(vote, Vote) else vote.winner
        for i, bench in enumerate(rows):
            row = arcade.LBWH(area.left, area.top - (i + 1) * high - i * gap, area.width, high)
            speaks = isinstance(vote, Vote) and vote.seat == bench.seat
            brush.plate(row, ROW_ON if speaks else ROW)
            self._bench(row, bench, leads=bench.seat == leader, speaks=speaks)

    def _bench(self, row: Rect, bench: Bench, *, leads: bool, speaks: bool) -> None:
        side = min(36.0, row.height / theme.px(1) - 8)
        disc = theme.px(side)
        left = row.left + theme.px(8)
        seat_disc(bench.seat, left + disc / 2, row.y, disc)
        left += disc + theme.px(8)
        room = theme.px(112)
        brush.say(self.name(bench.seat), left, row.y + theme.px(9), bold=True, limit=room)
        down = f"{bench.hidden} face down" if bench.hidden else "none face down"
        said = "speaks now" if speaks and bench.seat != self.desk.seat else "your word" if speaks else down
        brush.say(said, left, row.y - theme.px(9), size=theme.SMALL, limit=room,
                  colour=theme.TERRACOTTA_DEEP if speaks else theme.INK_SOFT)  # fmt: skip
        left += room + theme.px(8)
        high = row.height - theme.px(8)
        wide = high / 1.08
        faces = [value for value, number in enumerate(bench.shown) for _ in range(number)]
        room = row.right - theme.px(112) - left
        step = min(wide + theme.px(4), (room - wide) / max(1, len(faces) - 1)) if faces else 0.0
        for i, value in enumerate(faces):
            face.senator_face(arcade.LBWH(left + i * step, row.y - high / 2, wide, high), value)
        x = row.right - theme.px(16)
        colour = theme.TERRACOTTA_DEEP if leads else theme.INK_SOFT
        number = brush.say(str(bench.votes), x, row.y + theme.px(4), size=theme.HEADING, title=True, align="right",
                           colour=colour)  # fmt: skip
        brush.say("leads" if leads else "votes", x, row.y - theme.px(15), size=theme.SMALL - 1, align="right",
                  colour=colour)  # fmt: skip
        if leads:
            side = min(theme.px(34), row.height)
            face.draw_picture("laurel", arcade.XYWH(number.left - side / 2 - theme.px(10), row.y, side, side))

    def _hand(self) -> None:
        own = self._own
        y = own.top - theme.px(12)
        arcade.draw_line(own.left, own.top + 1, own.right, own.top + 1, theme.alpha(theme.BRONZE, 120), 1)
        self.heading("Your senators", own.left, y)
        voting = self._voting
        if voting is None:
            return
        chosen = weight(voting.chosen)
        if chosen:
            words = f"To be shown: {count_words(chosen, 'vote', 'votes')} more"
            brush.say(words, self._chosen_from, y, size=theme.SMALL, bold=True, colour=theme.TERRACOTTA_DEEP)
        else:
            brush.say("Click those that you want to show.", own.left + theme.px(170), y, size=theme.SMALL,
                      colour=theme.INK_SOFT)  # fmt: skip
