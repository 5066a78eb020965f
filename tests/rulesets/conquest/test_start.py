"""The start of a match in Classic and in 1984: players, homes, first pieces, order of play."""

from collections.abc import Mapping
from typing import Any

import pytest
from msgspec import Struct

from shared.board import BOARD
from shared.ids import NATURE, NONE
from shared.kernel import engine
from shared.kernel.frames import Draw, Drawn
from shared.mechanics.pieces import OFF
from shared.rulesets.registry import ruleset
from shared.vocabulary.actions import ChooseHome, EndMovement
from shared.vocabulary.events import HomesSet, TurnBegan
from shared.vocabulary.frames import HomeChoice, Movement
from tests.support import position, position1984
from tests.support.layout import sp
from tests.support.referee import Referee, of, top

AROUND = ("macedonia", "galatia", "mesopotamia", "egyptus", "numidia", "hispania", "italia")
"""All homes in the order of play."""
OFFERED = {
    2: {"egyptus", "hispania"},
    3: {"macedonia", "egyptus", "hispania"},
    5: {"macedonia", "egyptus", "hispania", "italia"},
    6: set(AROUND) - {"mesopotamia"},
}


class Printed(Struct, frozen=True):
    """The start that a rulebook prints. homes: by number of players, as far as the games differ."""

    referee: Referee
    homes: Mapping[int, set[str]]
    infantry: int
    leaders: int
    galleys: int
    first: str
    offered: str

    def begin(self, seats: int, **chosen: int) -> Any:
        """Return the first position of a match."""
        return engine.start(self.referee.rules, seats, chosen, engine.ignore_event)

    def around(self, seats: int) -> list[str]:
        """Return the homes in play, in the order of play."""
        offered = OFFERED.get(seats, set()) | self.homes.get(seats, set())
        return [home for home in AROUND if home in offered]


CLASSIC = Printed(
    position.REFEREE, {4: {"hispania", "macedonia", "mesopotamia", "numidia"}, 5: {"mesopotamia"}}, 5, 5, 8, "CL-D32",
    "CL-SETUP-01",
)  # fmt: skip
MB1984 = Printed(
    position1984.REFEREE, {4: {"macedonia", "galatia", "numidia", "hispania"}, 5: {"galatia"}}, 4, 7, 6, "MB-SETUP-01",
    "MB-SETUP-01",
)  # fmt: skip
both = pytest.mark.parametrize("game", [CLASSIC, MB1984], ids=["classic", "mb1984"])


def homes(state: Any) -> list[str]:
    """Return the homes by seat."""
    return [BOARD.keys[home] for home in state.home]


@pytest.mark.rule("CL-COMP-01", "MB-COMP-01")
@both
def test_two_to_six_players_with_one_caesar_each(game: Printed) -> None:
    assert ruleset(game.referee.rules.id) is game.referee.rules
    for seats in range(2, 7):
        state = game.begin(seats, homes=2)
        assert state.leader_at[:: game.leaders] == state.home
    for seats in (-1, 0, 1, 7):
        with pytest.raises(ValueError, match="2 to 6 players"):
            game.begin(seats)


@pytest.mark.rule("CL-SETUP-01", "CL-D32", "MB-SETUP-01")
@both
@pytest.mark.parametrize("seats", range(2, 7))
def test_homes_are_dealt_by_default(game: Printed, seats: int) -> None:
    state = game.begin(seats)
    frame = top(state)
    assert isinstance(frame, Draw) and frame.count == seats
    assert game.referee.owed(state) == (NATURE,)
    events = game.referee.play(state, (NATURE, Drawn(tuple(reversed(range(seats))))))
    assert homes(state) == game.around(seats)[::-1]
    assert isinstance(events[0], HomesSet)


@pytest.mark.rule("CL-SETUP-01", "CL-D32", "MB-SETUP-01")
@both
@pytest.mark.parametrize("seats", range(2, 7))
def test_homes_by_seat_need_no_lots(game: Printed, seats: int) -> None:
    state = game.begin(seats, homes=2)
    assert homes(state) == game.around(seats)
    assert isinstance(top(state), Movement)


@pytest.mark.rule("CL-SETUP-01", "CL-D32", "MB-SETUP-01")
@both
def test_homes_may_be_chosen_in_a_random_order(game: Printed) -> None:
    referee, state = game.referee, game.begin(3, homes=1)
    referee.play(state, (NATURE, Drawn((2, 0, 1))))
    assert isinstance(top(state), HomeChoice)
    assert referee.owed(state) == (2,)
    assert len(referee.options(state, 2)) == 3
    for home in (sp("italia"), -1):
        assert referee.refused(state, 2, ChooseHome(home)) == game.offered
    assert referee.refused(state, 2, EndMovement()) == game.first
    assert referee.refused(state, 0, ChooseHome(sp("egyptus"))) == ""
    referee.play(state, (2, ChooseHome(sp("egyptus"))))
    assert referee.owed(state) == (0,)
    assert referee.refused(state, 0, ChooseHome(sp("egyptus"))) == game.offered
    events = referee.play(state, (0, ChooseHome(sp("hispania"))))
    assert homes(state) == ["hispania", "macedonia", "egyptus"], "the last is not asked"
    assert len(of(events, HomesSet)) == 1
    assert state.order == (1, 2, 0) and referee.owed(state) == (1,), "Macedonia begins"


@pytest.mark.rule("CL-SETUP-02", "CL-SETUP-03", "CL-LEAD-01", "MB-SETUP-02", "MB-SETUP-03")
@both
def test_the_first_pieces(game: Printed) -> None:
    state = game.begin(5, homes=2)
    for seat, home in enumerate(state.home):
        assert state.units[home] == (seat, game.infantry, 0, 0)
        assert state.built[home] == 2
        assert state.owner[home] == seat
        assert state.leader_at[seat * game.leaders : (seat + 1) * game.leaders] == [home] * game.leaders
    assert state.marker == [15] * 5
    assert state.talents == [0] * 5
    assert BOARD.provinces - state.owner.count(NONE) == state.built.count(2) == 5
    assert not state.roads
    assert state.galley_at == [OFF] * 5 * game.galleys


@pytest.mark.rule("CL-ORDER-01", "MB-ORDER-01")
@both
@pytest.mark.parametrize("seats", range(2, 7))
def test_the_order_of_play_goes_round_the_mediterranean(game: Printed, seats: int) -> None:
    state = game.begin(seats)
    seen = of(game.referee.play(state, (NATURE, Drawn(tuple(range(seats))[::-1]))), TurnBegan)
    while len(seen) < seats + 1:
        (seat,) = game.referee.owed(state)
        seen += of(game.referee.end_turn(state, seat), TurnBegan)
    assert [homes(state)[event.seat] for event in seen[:seats]] == game.around(seats)
    assert seen[seats].seat == seen[0].seat
    assert [event.round for event in seen] == [1] * seats + [2]
