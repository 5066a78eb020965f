"""All that the panes show of a match, gathered once per change; comparing two tells what must be painted anew."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from client.table.match import TableMatch
from client.table.prompts import Prompt, active, phase, prompt
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.rulesets.classic.state import GALLEYS, LEADERS, PRISON, Table, leader_lord

FREE, HERE, AWAY, BOT, STAND_IN = range(5)
_STATUS = ("", "", "away", "bot", "away, a bot plays")


class Player(Struct, frozen=True):
    """One line of the list of players. `prisoners`: leaders that he holds."""

    seat: Seat
    name: str
    home: str
    status: str
    talents: int
    tribute: int
    provinces: int
    prisoners: tuple[int, ...]
    out: bool
    owes: bool
    conceded: str


class Scene(Struct, frozen=True):
    """What the panes show. `mine`: whether this seat owes the decision."""

    prompt: Prompt
    mine: bool
    seat: Seat
    active: Seat
    phase: int
    round: int
    inflation: int
    triggered: tuple[int, ...]
    players: tuple[Player, ...]
    watchers: int


def gather(match: TableMatch) -> Scene:
    """The scene of a match that has a view."""
    table: Table = match.view
    owed = match.owed()
    order: Sequence[Seat] = table.order or range(table.seats)
    return Scene(
        prompt(table, match.name),
        match.seat in owed,
        match.seat,
        active(table),
        phase(table),
        table.round,
        table.inflation,
        tuple(table.triggered),
        tuple(_player(match, table, seat, seat in owed) for seat in order),
        match.table.watchers if match.table is not None else 0,
    )


def _player(match: TableMatch, table: Table, seat: Seat, owes: bool) -> Player:
    kind = match.table.seats[seat].kind if match.table is not None and seat < len(match.table.seats) else HERE
    to = table.conceded[seat]
    return Player(
        seat,
        match.name(seat),
        BOARD.names[table.home[seat]] if table.home[seat] != NONE else "",
        _STATUS[kind],
        table.talents[seat],
        table.marker[seat],
        table.owner.count(seat),
        tuple(x for x, at in enumerate(table.leader_at) if at == PRISON + seat),
        table.lord[seat] != seat,
        owes,
        match.name(to) if to != NONE else "",
    )


def player_tip(match: TableMatch, player: Player) -> str:
    """More about a player than fits into his line."""
    table: Table = match.view
    if player.out:
        return f"{player.name} is out of the game."
    mine = [x for x, at in enumerate(table.leader_at) if at < PRISON and leader_lord(table, x) == player.seat]
    units = [0, 0, 0]
    for cell in (
        *table.units,
        *[(player.seat, *c) for g, c in enumerate(table.cargo) if c and _owns(table, player, g)],
    ):
        for i in range(0, len(cell), 4):
            if cell[i] == player.seat:
                units = [a + b for a, b in zip(units, cell[i + 1 : i + 4], strict=True)]
    galleys = sum(1 for g, at in enumerate(table.galley_at) if at < BOARD.positions and _owns(table, player, g))
    words = f"{player.name}, {player.home}: {player.talents} talents, tribute {player.tribute}, "
    words += f"{player.provinces} provinces. {len(mine)} leaders, {units[0]} infantry, {units[1]} cavalry, "
    words += f"{units[2]} catapults, {galleys} galleys."
    if player.prisoners:
        whose = ", ".join(match.name(x // LEADERS) for x in player.prisoners)
        words += f" Holds generals of {whose}."
    return words + (f" Would concede to {player.conceded}." if player.conceded else "")


def _owns(table: Table, player: Player, galley: int) -> bool:
    return table.lord[galley // GALLEYS] == player.seat
