"""A senate vote: its subject, the senators that each player has shown, and the viewer's own hidden ones.

Without a vote: the cards that call one, and their holders.
"""

from functools import partial
from typing import Final

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import shapes, theme
from client.games.cote2.game_desk import Desk
from client.games.cote2.sheet_interfaces import Voting
from client.games.cote2.sheets import card_faces
from client.games.cote2.sheets.card_sheet import CardsSheet
from client.games.cote2.sheets.framed_sheet import ROW, ROW_ON, FramedSheet, cut
from client.games.cote2.sheets.sheet_widgets import CardSpot, SenatorSpot
from client.keyboard.commands import Command
from client.language import _, ngettext
from client.table.pane import seat_disc
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.mechanics.heaps import without
from shared.mechanics.vote import sole_leader, weight
from shared.rulesets.cote2.data import CARDS, INFLUENCE_IN_ROME, ITALIA
from shared.rulesets.cote2.effects import VOTES
from shared.rulesets.cote2.events import Passed, SenatorsShown, VoteBegan, VoteWon
from shared.rulesets.cote2.frames import Motion, Vote
from shared.rulesets.cote2.property import influence_supply
from shared.rulesets.cote2.senate import NO_SENATORS
from shared.rulesets.cote2.state import TableFields

_CARD: Final = 212.0
_OWN: Final = 128.0
_NAME: Final = 150.0
_INTRO: Final = 26.0
_HOLDER: Final = 46.0
"""Design height of the words below a card that calls a vote."""
_ABOUT_HEIGHT: Final = 74.0
_WIDEST: Final = 148.0
_GAP: Final = 18.0
_ABOUT: Final = _(
    "The owner of one of these cards may call its vote once a season, in their own turn; it costs no action. Then "
    "all may show senators, again and again, until no player shows more. Most votes win: only the winner spends the "
    "senators shown, the others take theirs back."
)


class Bench(Struct, frozen=True):
    """A player's part in a vote. `shown`: senators by value; `hidden`: how many are still face down."""

    seat: Seat
    shown: tuple[int, ...]
    hidden: int

    @property
    def votes(self) -> int:
        """Votes of the shown senators."""
        return weight(self.shown)


def benches(table: TableFields, vote: Vote | Motion) -> list[Bench]:
    """Return all players, clockwise from the caller."""
    around = [(vote.caller + i) % table.seats for i in range(table.seats)]
    found = []
    for seat in around:
        if isinstance(vote, Vote):
            shown: tuple[int, ...] = vote.shown[seat]
            hidden = sum(table.senators[seat]) - sum(shown)
        else:
            # The vote is decided: the winner has paid, and the others have taken their senators back.
            shown = vote.paid if seat == vote.winner else NO_SENATORS
            hidden = sum(table.senators[seat])
        found.append(Bench(seat, shown, hidden))
    return found


class Holder(Struct, frozen=True):
    """Place of a card that calls a vote. `owner`: a seat or NONE; `used`: in this season; `on_offer`: open."""

    card: int
    owner: Seat
    used: bool
    on_offer: bool

    @property
    def in_sight(self) -> bool:
        """Whether it is known where the card is."""
        return self.on_offer or self.owner != NONE


def holders(table: TableFields) -> list[Holder]:
    """Return all cards that call a vote."""
    found = []
    for card in VOTES:
        owner = next((seat for seat in range(table.seats) if card in table.cards[seat]), NONE)
        used = owner != NONE and card in table.used[owner]
        found.append(Holder(card, owner, used, table.row[card] > 0))
    return found


def drawers(table: TableFields, vote: Vote | Motion) -> set[Seat]:
    """Return the seats that may draw one of the spent senators, or NONE for no seat.

    Several are possible if it depends on the winner of the vote.
    """
    tokens = table.influence[ITALIA]
    if vote.card != INFLUENCE_IN_ROME or isinstance(vote, Motion):
        return {sole_leader(tokens)}
    found = set()
    for winner in range(table.seats):
        # The winner gets these tokens before the leader in Italia is looked for.
        gained = min(CARDS[vote.card].gain[0], influence_supply(table, winner))
        found.add(sole_leader([had + gained * (seat == winner) for seat, had in enumerate(tokens)]))
    return found


def still_hidden(table: TableFields, seat: Seat, vote: Vote | Motion | None) -> tuple[int, ...]:
    """Return the own senators that are not shown yet; () for spectators."""
    if seat == NONE:
        return ()
    return without(table.senators[seat], vote.shown[seat]) if isinstance(vote, Vote) else table.senators[seat]


class VoteSheet(FramedSheet):
    """Sheet with the senate vote."""

    caption = _("Senate")
    key = Command.SENATE
    about = _("The senate votes: what they bring, who can call them, and the one that goes on")

    def __init__(self, desk: Desk) -> None:
        super().__init__(desk)
        self.passed_seats: set[Seat] = set()
        """Players who passed in this vote and have shown nothing since."""

    def hear(self, event: Event) -> None:
        match event:
            case VoteBegan() | VoteWon():
                self.passed_seats.clear()
            case Passed():
                self.passed_seats.add(event.seat)
            case SenatorsShown():
                self.passed_seats.discard(event.seat)
            case _:
                pass

    @property
    def vote(self) -> Vote | Motion | None:
        """The current vote, or the one that was just decided."""
        frame = next((f for f in reversed(self.position.frames) if isinstance(f, Vote | Motion)), None)
        return frame if isinstance(frame, Vote | Motion) else None

    @property
    def _voting_task(self) -> Voting | None:
        return self.task if isinstance(self.task, Voting) else None

    def is_due(self) -> bool:
        return isinstance(self.position.frames[-1], Vote | Motion)

    def size(self) -> tuple[float, float]:
        spare = _OWN if self.vote is None and self.desk.seat == NONE else 0.0
        return 880.0, 540.0 - spare

    def title(self) -> str:
        return _("A vote in the senate") if self.vote is not None else _("The senate")

    # Layout

    @property
    def _right(self) -> Rect:
        return cut(self.body, left=_CARD + 24)

    @property
    def _own(self) -> Rect:
        right = self._right if self.vote is not None else self.body
        return arcade.LBWH(right.left, right.bottom, right.width, theme.px(_OWN))

    def _row(self) -> list[Rect]:
        """Return the rectangles for the cards that call votes, side by side."""
        area = cut(self.body, top=_INTRO, bottom=_HOLDER + _ABOUT_HEIGHT + (_OWN if self.desk.seat != NONE else 0.0))
        gap = theme.px(_GAP)
        width = min((area.width + gap) / len(VOTES) - gap, area.height / card_faces.SHAPE, theme.px(_WIDEST))
        left = area.x - (len(VOTES) * (width + gap) - gap) / 2
        height = width * card_faces.SHAPE
        return [arcade.LBWH(left + i * (width + gap), area.top - height, width, height) for i in range(len(VOTES))]

    def build(self) -> None:
        if self.vote is None:
            self._build_cards()
        if self.desk.seat != NONE:
            self._build_own()

    def _build_cards(self) -> None:
        for rect, holder in zip(self._row(), holders(self.position), strict=True):
            reason = "" if holder.in_sight else _("Not seen yet.")
            look = partial(self.desk.lay, CardsSheet.key)
            self.ui.add(CardSpot(rect, holder.card, look, used=holder.used, reason=reason))

    def _build_own(self) -> None:
        vote, seat = self.vote, self.desk.seat
        voting = self._voting_task
        chosen = voting.chosen if voting is not None else NO_SENATORS
        hidden = without(still_hidden(self.position, seat, vote), chosen)
        own = cut(self._own, top=26)
        width = own.height / 1.08
        x = own.left
        for value, number in enumerate(hidden):
            if number:
                action = partial(voting.add, value, 1) if voting is not None else None
                tip = _("A click adds him to those you are about to show.") if voting is not None else ""
                self.ui.add(SenatorSpot(arcade.LBWH(x, own.bottom, width, own.height), value, number, action, tip=tip))
                x += width + theme.px(8)
        x = max(x + theme.px(16), own.x)
        self._chosen_from = x
        for value, number in enumerate(chosen):
            if number and voting is not None:
                rect = arcade.LBWH(x, own.bottom, width, own.height)
                back = partial(voting.add, value, -1)
                self.ui.add(SenatorSpot(rect, value, number, back, on=True, tip=_("A click takes him back.")))
                x += width + theme.px(8)

    # Drawing

    def paint(self) -> None:
        super().paint()
        vote = self.vote
        if vote is None:
            self._paint_cards()
        else:
            self._card(vote)
            self._draw_benches(vote)
        if self.desk.seat != NONE:
            self._hand()

    def _paint_cards(self) -> None:
        """Draw the cards that call votes, and their holders."""
        body = self.body
        shapes.say(_("No vote goes on now. These cards call one."), body.x, body.top - theme.px(_INTRO / 2 - 2),
                  align="center", colour=theme.INK_SOFT)  # fmt: skip
        for rect, holder in zip(self._row(), holders(self.position), strict=True):
            area = arcade.LBWH(rect.left, rect.bottom - theme.px(_HOLDER), rect.width, theme.px(_HOLDER - 4))
            if holder.owner != NONE:
                self._owner(area, holder)
                continue
            words = _("On offer for {cost}", cost=CARDS[holder.card].cost) if holder.on_offer else _("Not in sight")
            shapes.say(words, area.x, area.y, size=theme.SMALL, bold=holder.on_offer, align="center",
                      colour=theme.INK if holder.on_offer else theme.INK_FAINT)  # fmt: skip
        line = shapes.kept(_ABOUT, size=theme.SMALL, width=body.width, colour=theme.INK_SOFT)
        line.position = round(body.left), round(self._row()[0].bottom - theme.px(_HOLDER + 8))
        line.draw()

    def _owner(self, area: Rect, holder: Holder) -> None:
        side = theme.px(30)
        seat_disc(holder.owner, area.left + side / 2, area.y, side)
        left = area.left + side + theme.px(7)
        room = area.right - left
        shapes.say(self.name(holder.owner), left, area.y + theme.px(9), bold=True, limit=room)
        note = _("used already") if holder.used else _("not used yet")
        shapes.say(note, left, area.y - theme.px(9), size=theme.SMALL, limit=room, colour=theme.INK_SOFT)

    def _card(self, vote: Vote | Motion) -> None:
        """Draw the vote's card, its caller, and who will draw a senator."""
        body = self.body
        width = theme.px(_CARD)
        card = arcade.LBWH(body.left, body.top - width * 1.5, width, width * 1.5)
        card_faces.card_face(card, vote.card)
        y = card.bottom - theme.px(14)
        caller = _("you") if vote.caller == self.desk.seat else self.desk.who(vote.caller)
        for words in (
            _("Called by {caller}.", caller=caller),
            _("The winner's senators are spent{draw}", draw=self._draw(vote)),
        ):
            line = shapes.kept(words, size=theme.SMALL, width=width, colour=theme.INK_SOFT)
            line.position = round(body.left), round(y)
            line.draw()
            y -= line.content_height + theme.px(5)

    def _draw(self, vote: Vote | Motion) -> str:
        """Return in words which player gets one of the spent senators."""
        who = drawers(self.position, vote)
        if len(who) > 1:
            return _(". The player who then leads alone in Italia, new tokens included, draws one of them.")
        (leader,) = who
        if leader == NONE:
            return _(". No player leads alone in Italia, so none comes back.")
        drawer = _("you draw") if leader == self.desk.seat else f"{self.desk.who(leader)} draws"
        return _("; {drawer} one of them blindly: leader in Italia.", drawer=drawer)

    def _draw_benches(self, vote: Vote | Motion) -> None:
        right = self._right
        rows = benches(self.position, vote)
        area = cut(right, bottom=_OWN + 8 if self.desk.seat != NONE else 0)
        gap = theme.px(5)
        height = min(theme.px(62), (area.height - gap * (len(rows) - 1)) / len(rows))
        leader = vote.bidder if isinstance(vote, Vote) else vote.winner
        for i, bench in enumerate(rows):
            row = arcade.LBWH(area.left, area.top - (i + 1) * height - i * gap, area.width, height)
            speaks = isinstance(vote, Vote) and vote.seat == bench.seat
            shapes.plate(row, ROW_ON if speaks else ROW)
            self._draw_bench(row, bench, leads=bench.seat == leader, speaks=speaks)

    def _draw_bench(self, row: Rect, bench: Bench, *, leads: bool, speaks: bool) -> None:
        side = min(36.0, row.height / theme.px(1) - 8)
        disc = theme.px(side)
        left = row.left + theme.px(8)
        seat_disc(bench.seat, left + disc / 2, row.y, disc)
        left += disc + theme.px(8)
        room = theme.px(_NAME)
        shapes.say(self.name(bench.seat), left, row.y + theme.px(9), bold=True, limit=room)
        state = _("{what} face down", what=bench.hidden or _("none"))
        if speaks:
            state = _("your turn") if bench.seat == self.desk.seat else _("decides now")
        elif bench.seat in self.passed_seats:
            state = _("passed · {said}", said=state)
        shapes.say(state, left, row.y - theme.px(9), size=theme.SMALL, limit=room,
                  colour=theme.TERRACOTTA_DEEP if speaks else theme.INK_SOFT)  # fmt: skip
        left += room + theme.px(8)
        height = row.height - theme.px(8)
        width = height / 1.08
        faces = [value for value, number in enumerate(bench.shown) for _ in range(number)]
        room = row.right - theme.px(112) - left
        step = min(width + theme.px(4), (room - width) / max(1, len(faces) - 1)) if faces else 0.0
        for i, value in enumerate(faces):
            card_faces.senator_face(arcade.LBWH(left + i * step, row.y - height / 2, width, height), value)
        x = row.right - theme.px(16)
        colour = theme.TERRACOTTA_DEEP if leads else theme.INK_SOFT
        number = shapes.say(str(bench.votes), x, row.y + theme.px(4), size=theme.HEADING, title=True, align="right",
                           colour=colour)  # fmt: skip
        place = _("leads") if leads else ngettext("vote", "votes", bench.votes)
        below = shapes.say(place, x, row.y - theme.px(15), size=theme.SMALL - 1, align="right",
                          colour=colour)  # fmt: skip
        if leads:
            side = min(theme.px(34), row.height)
            x = min(number.left, below.left) - side / 2 - theme.px(8)
            card_faces.draw_picture("laurel", arcade.XYWH(x, row.y, side, side))

    def _hand(self) -> None:
        own = self._own
        y = own.top - theme.px(12)
        arcade.draw_line(own.left, own.top + 1, own.right, own.top + 1, theme.alpha(theme.BRONZE, 120), 1)
        title = self.heading(_("Your senators"), own.left, y)
        if not any(self.position.senators[self.desk.seat]):
            shapes.say(_("None. Cards bring them."), own.left, own.y - theme.px(8), colour=theme.INK_FAINT, italic=True)
        voting = self._voting_task
        if voting is None:
            return
        chosen = weight(voting.chosen)
        if chosen:
            words = _("To be shown: {count} more", count=ngettext("{n} vote", "{n} votes", chosen))
            shapes.say(words, self._chosen_from, y, size=theme.SMALL, bold=True, colour=theme.TERRACOTTA_DEEP)
        else:
            shapes.say(_("Click those that you want to show."), title.right + theme.px(16), y, size=theme.SMALL,
                      colour=theme.INK_SOFT)  # fmt: skip
