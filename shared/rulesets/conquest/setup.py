"""The start of a match: an empty table, homes, first pieces (rulebook: Set up)."""

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from shared.board import BOARD
from shared.ids import NONE, Space
from shared.kernel.frames import STAY, Emit, Handler, automatic
from shared.mechanics import homes
from shared.mechanics.pieces import OFF
from shared.mechanics.table import Pieces
from shared.rulesets.conquest.table import State, TableFields
from shared.vocabulary.frames import Setup


class Start(Struct, frozen=True):
    """Start of a game.

    order: homes in the order of play. on_offer: homes by number of players, in that order. infantry: units in every
    home. option: index of the table's option about homes. first: the rule that a home is chosen first. offered: the
    rule that it must be on offer.
    """

    order: tuple[Space, ...]
    on_offer: Mapping[int, tuple[Space, ...]]
    infantry: int
    option: int
    first: str
    offered: str

    def free_homes(self, table: TableFields) -> list[Space]:
        """Return the homes still on offer."""
        return homes.free_homes(table, self.on_offer)

    def setup(self) -> Handler[object, State]:
        """Return the handler of `Setup`: hand out the homes, then deploy."""

        def resume(state: State, frame: Setup, lots: object, emit: Emit) -> object:
            if homes.hand_out(state, frame, lots, self.on_offer[state.seats], state.options[self.option]):
                homes.deploy(state, self.order, self.infantry, state.leaders_each, emit)
            return STAY

        return automatic(resume)

    def home_choice(self) -> Handler[Pieces, Pieces]:
        """Return the handler of `HomeChoice`."""
        return homes.home_choice_handler(self.on_offer, first=self.first, on_offer=self.offered)


def empty(seats: int, options: tuple[int, ...], leaders: int, galleys: int) -> dict[str, Any]:
    """Return the fields that both games' tables have, before homes are handed out.

    leaders, galleys: pieces of a colour.
    """
    return {
        "seats": seats,
        "options": options,
        "frames": [Setup(1)],
        "round": 0,
        "order": (),
        "home": [NONE] * seats,
        "owner": [NONE] * BOARD.provinces,
        "units": [()] * BOARD.provinces,
        "built": [0] * BOARD.provinces,
        "roads": [],
        "leader_at": [OFF] * (seats * leaders),
        "leader_used": [0] * (seats * leaders),
        "galley_at": [OFF] * (seats * galleys),
        "galley_used": [0] * (seats * galleys),
        "cargo": [()] * (seats * galleys),
        "moved": [()] * BOARD.provinces,
        "landed": [()] * BOARD.provinces,
        "talents": [0] * seats,
        "marker": [0] * seats,
        "lord": list(range(seats)),
        "inflation": 1,
        "triggered": [NONE, NONE],
        "conceded": [NONE] * seats,
        "winner": NONE,
        # The setup frame above has number 1.
        "pushed": 1,
    }
