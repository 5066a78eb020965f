"""Tasks that only remember, and positions of every kind, for tests of the sheets."""

from collections.abc import Sequence
from functools import cache
from typing import Any

import arcade

from client.drawing import theme
from client.games.static_match import LocalMatch
from client.table.sheet import AnySheet, Sheet
from client.table.task import AnyTask, Task, Watching
from shared.ids import NONE, Seat
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import State, TableFields
from tests.client.desk import StillDesk
from tests.client.mouse import at_position

SIZES = ((1280, 800), (1920, 1080))


class Bids(Task[TableFields]):
    """A `Bidding` that remembers."""

    def __init__(self, desk: StillDesk, talents: int, boxes: tuple[Seat, Seat] = (NONE, NONE)) -> None:
        super().__init__(desk)
        self.talents = talents
        self.boxes = boxes
        self.puts: list[tuple[Seat, int]] = []
        self.confirmed = 0
        self.same = False

    def idle(self) -> bool:
        return self.same

    def free(self) -> tuple[Seat, ...]:
        return ()

    def put(self, seat: Seat, box: int) -> None:
        self.puts.append((seat, box))

    def raise_by(self, talents: int) -> None:
        self.talents += talents

    def confirm(self) -> bool:
        self.confirmed += 1
        return True


class Shop(Task[TableFields]):
    """A `Shopping` that remembers; `barred` cards cannot be had."""

    def __init__(self, desk: StillDesk, card: int = NONE, barred: Sequence[int] = ()) -> None:
        super().__init__(desk)
        self.card = card
        self.barred = barred
        self.chosen: list[int] = []
        self.used: list[int] = []

    def choose_card(self, card: int) -> None:
        self.chosen.append(card)

    def why_not_card(self, card: int) -> str:
        return "That is too dear for you." if card in self.barred else ""

    def choose_use(self, card: int) -> None:
        self.used.append(card)

    def why_not_use(self, card: int) -> str:
        return self.why_not_card(card)


class Votes(Task[TableFields]):
    """A `Voting` that remembers."""

    def __init__(self, desk: StillDesk, chosen: tuple[int, int, int, int] = (0, 0, 0, 0)) -> None:
        super().__init__(desk)
        self.chosen = chosen
        self.added: list[tuple[int, int]] = []

    def add(self, value: int, by: int) -> None:
        self.added.append((value, by))

    def confirm(self) -> bool:
        return True


def desk(state: State, seat: Seat) -> StillDesk:
    """The desk of a seat (NONE looks on) at a position."""
    match = at_position(COTE2, state, seat)
    return StillDesk(match)


def opened(
    kind: type[Sheet[TableFields]], at: StillDesk, task: AnyTask | None = None, size: tuple[int, int] = SIZES[0]
) -> AnySheet:
    """A sheet that lies over the board of a window of that size."""
    theme.set_window(*size)
    sheet = kind(at)
    high = size[1] - theme.px(46 + 138 + 38)
    wide = size[0] - min(theme.px(400), max(theme.px(322), size[0] - high * 1.56))
    sheet.over(arcade.LBWH(0, round(theme.px(176)), round(wide), round(high)))
    sheet.show(task or Watching(at, ""))
    return sheet


@cache
def moments(seats: int, seed: int = 5) -> tuple[State, ...]:
    """From a whole match: the first position of each kind of decision, the last of all, and the end."""
    match = LocalMatch(COTE2, seats, seed=seed)
    found: dict[type[Any], State] = {}
    before = match.state
    while match.step():
        if match.state.winner == NONE:
            before = match.state
            found.setdefault(type(before.frames[-1]), before)
    return (*found.values(), before, match.state)


def moment(kind: type[Any], seats: int = 6, seat: Seat = 0) -> State:
    """A position in which a seat owes a decision of that kind."""
    for seed in range(1, 60):
        match = LocalMatch(COTE2, seats, seed=seed)
        for _ in range(400):
            frame = match.state.frames[-1]
            if isinstance(frame, kind) and frame.seat == seat:
                state: State = match.state
                return state
            match.step()
    raise AssertionError(f"no {kind.__name__} for seat {seat}")
