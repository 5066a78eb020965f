"""All data of a match that the panes show, gathered once per change. Comparing two scenes tells which panes need
painting."""

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.player.presence import is_gone, sits, sits_sentence
from client.table.guide import Guide, Heading, Person
from client.table.match import TableMatch
from client.table.position import T
from client.table.prompts import Prompt
from client.table.task_chooser import prompted
from client.table.words import called
from shared.ids import NATURE, NONE, Seat
from shared.messages import SeatInfo


class PlayerRow(Struct, frozen=True):
    """A line of the list of players. `sitting`: the occupant of the seat, if known. `conceded`: words on the
    player conceded to, or ""."""

    seat: Seat
    name: str
    person: Person
    sitting: SeatInfo | None
    owes: bool
    conceded: str

    @property
    def status(self) -> str:
        """Words about the occupant: a bot and its level, or a player who is away."""
        return sits(self.sitting) if self.sitting is not None else ""

    @property
    def tip(self) -> str:
        """Tooltip with more than fits into the line."""
        who = sits_sentence(self.sitting) if self.sitting is not None else ""
        return f"{self.person.tip}{who}{self.conceded}"


class Scene(Struct, frozen=True):
    """Data that the panes show.

    `mine`: whether this seat owes the decision; `playing`: whether it is still in the match; `columns`: names of the
    players' numbers; `winner`: a seat or NONE.
    """

    prompt: Prompt
    mine: bool
    seat: Seat
    playing: bool
    winner: Seat
    heading: Heading
    columns: tuple[str, ...]
    players: tuple[PlayerRow, ...]
    watchers: int

    @property
    def away(self) -> int:
        """Number of players who are not here."""
        return sum(player.sitting is not None and is_gone(player.sitting) for player in self.players)


def gather(match: TableMatch[T], table: T, guide: Guide[T]) -> Scene:
    """Return the scene of a match at a position."""
    owed = match.owed()
    mine = match.is_mine or (match.pending and match.seat in owed)
    order: Sequence[Seat] = [*table.order, *[seat for seat in range(table.seats) if seat not in table.order]]
    return Scene(
        prompted(table, match.name, guide, match.seat),
        mine,
        match.seat,
        match.seat in guide.living(table),
        table.winner,
        guide.look.heading(table),
        guide.look.columns,
        tuple(_player(match, table, seat, seat in owed, guide) for seat in order),
        match.table.watchers if match.table is not None else 0,
    )


def _player(match: TableMatch[T], table: T, seat: Seat, owes: bool, guide: Guide[T]) -> PlayerRow:
    sitting = match.table.seats[seat] if match.table is not None and seat < len(match.table.seats) else None
    to = table.conceded[seat]
    person = guide.look.person(table, seat, lambda each: called(each, match.seat, match.name))
    conceded = _(" Would concede to {conceded}.", conceded=match.name(to)) if to != NONE else ""
    if to == match.seat != NONE:
        conceded = _(" Would concede to you.")
    return PlayerRow(seat, match.name(seat), person, sitting, owes, conceded)


def hushed(scene: Scene, moment: str = "") -> Scene:
    """Return the scene without a decision, while a battle or a moment is shown whose outcome it must not reveal.
    `moment`: the title of the moment; "" for a battle."""
    key = told(Command.CONFIRM)
    if moment:
        prompt = Prompt(NATURE, moment, _("A click on the board, or {key}, goes on.", key=key))
    else:
        how = _("The dice are falling. A click on the board, or {key}, hurries them.", key=key)
        prompt = Prompt(NATURE, _("Battle!"), how)
    return replace(scene, prompt=prompt, mine=False)
