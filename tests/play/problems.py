"""The positions of the client's problems, reached by players' decisions: `python -m tests.play.problems`.

Each is a recording beside those of the lessons, see `tests.play.lessons`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

import msgspec

from protocol import codec
from server.tools.recording import RecordedGame, Recording
from shared.ids import NONE
from shared.kernel.frames import Action
from shared.rulesets.classic.actions import Buy
from shared.rulesets.cote2 import actions as cote2
from shared.rulesets.mb1984.actions import Buy as Order
from shared.rulesets.mb1984.actions import March
from shared.rulesets.registry import RULESETS
from shared.vocabulary.actions import EndDestruction, EndMovement, PlaceCity, PlaceFortification, PlaceGalley
from tests.play.lessons import FOLDER, NAMES, Conquest, Seasons, march, sp

US: Final = 0
ITALIA: Final = 4
"""The last of five seats; its home is two provinces from Macedonia, ours."""
Moves: TypeAlias = tuple[Sequence[Action], Action, tuple[Action, ...]]
"""Marches, purchase and placements of a turn."""


class War(Conquest):
    """A match of Classic or 1984 in rounds."""

    def __init__(self, ruleset: str, nothing: Action) -> None:
        super().__init__(RULESETS[ruleset], ITALIA + 1, {"homes": 2})
        self._nothing = nothing

    def rounds(self, *rounds: Mapping[int, Moves]) -> None:
        """Play rounds; seats that are not named do nothing."""
        for moves in rounds:
            for seat in range(self.state.seats):
                marches, buy, place = moves.get(seat, ((), self._nothing, ()))
                self.turn(*marches, buy=buy, place=place)


def turn(*marches: Action, buy: Action, place: tuple[Action, ...] = ()) -> Moves:
    """Return what a seat does in a turn."""
    return marches, buy, place


def joined() -> Recording:
    """Return the position in which two of our armies stand beside an enemy's."""
    war = War("classic", Buy())
    ours, theirs = war.leader(US, 1), war.leader(ITALIA, 1)
    war.rounds(
        {US: turn(march(ours, "macedonia", "moesia", 2), buy=Buy(1)), ITALIA: turn(buy=Buy(1))},
        {US: turn(buy=Buy(0, 1)), ITALIA: turn(march(theirs, "italia", "dalmatia", 6), buy=Buy(1))},
    )
    return war.made


def treasury() -> Recording:
    """Return the position in which 30 talents can save the home."""
    war = War("classic", Buy())
    ours, theirs = war.leader(US, 1), war.leader(ITALIA, 1)
    war.rounds(
        {US: turn(march(ours, "macedonia", "thracia", 3), buy=Buy()), ITALIA: turn(buy=Buy(1))},
        {US: turn(buy=Buy(3)), ITALIA: turn(march(theirs, "italia", "dalmatia", 6), buy=Buy())},
    )
    war.do(march(ours + 1, "macedonia", "achaia", 3), EndMovement(), EndDestruction())
    return war.made


def flight() -> Recording:
    """Return the position in which the home cannot be held."""
    war, moesia = War("classic", Buy()), sp("moesia")
    ours, theirs = war.leader(US, 1), war.leader(ITALIA, 1)
    war.rounds(
        {US: turn(march(ours, "macedonia", "moesia", 2), buy=Buy())},
        {US: turn(buy=Buy(cities=1), place=(PlaceCity(moesia),)), ITALIA: turn(buy=Buy(catapults=1))},
        {US: turn(buy=Buy(fortifications=1), place=(PlaceFortification(moesia),)), ITALIA: turn(buy=Buy(1))},
        {US: turn(buy=Buy(galleys=2), place=(PlaceGalley(62), PlaceGalley(62))),
         ITALIA: turn(march(theirs, "italia", "dalmatia", 6, 0, 1), buy=Buy(1))},
    )  # fmt: skip
    return war.made


def ride() -> Recording:
    """Return the position in which a Caesar stands without troops, two provinces away."""
    war = War("classic", Buy())
    theirs = war.leader(ITALIA, 1)
    war.rounds({}, {US: turn(buy=Buy(0, 1)), ITALIA: turn(march(theirs, "italia", "rhaetia", 5), buy=Buy())})
    return war.made


def step(leader: int, source: str, to: str, *units: int) -> Action:
    """Return one step of one leader in 1984."""
    return March(sp(source), sp(to), (leader,), *units)


def engines() -> Recording:
    """Return the position in which catapults stand before our home."""
    war, achaia = War("mb1984", Order()), sp("achaia")
    ours, theirs, other = war.leader(US, 1), war.leader(ITALIA, 1), war.leader(ITALIA, 2)
    war.rounds(
        {US: turn(step(ours, "macedonia", "achaia", 2), buy=Order()),
         ITALIA: turn(step(other, "italia", "neapolis", 1), buy=Order())},
        {US: turn(buy=Order(cities=1), place=(PlaceCity(achaia),)), ITALIA: turn(buy=Order(0, 0, 1))},
        {US: turn(buy=Order(galleys=2), place=(PlaceGalley(62), PlaceGalley(62))), ITALIA: turn(buy=Order(2))},
        {US: turn(buy=Order(1)), ITALIA: turn(buy=Order(0, 0, 1))},
        {ITALIA: turn(step(theirs, "italia", "dalmatia", 5, 0, 2), buy=Order())},
    )  # fmt: skip
    war.do(EndMovement(), EndDestruction())
    return war.made


def landing() -> Recording:
    """Return the position in which a Caesar can be reached by sea only."""
    war = War("mb1984", Order())
    caesar = war.leader(ITALIA, 0)
    war.rounds(
        {ITALIA: turn(buy=Order(1))},
        {US: turn(buy=Order(0, 0, 0, 1), place=(PlaceGalley(62),)), ITALIA: turn(buy=Order(1))},
        {US: turn(buy=Order(2)), ITALIA: turn(step(caesar, "italia", "neapolis", 3), buy=Order(2))},
    )
    return war.made


def two_enemies() -> Recording:
    """Return the position with six enemies on one side, and five with a catapult among them on the other."""
    war = War("mb1984", Order())
    first, second, third = (war.leader(ITALIA, number) for number in (1, 2, 3))
    war.rounds(
        {ITALIA: turn(step(third, "italia", "neapolis", 1), buy=Order(2))},
        {},
        {US: turn(buy=Order(0, 0, 1)), ITALIA: turn(buy=Order(0, 0, 1))},
        {ITALIA: turn(step(second, "italia", "dalmatia", 4, 0, 1), buy=Order(4))},
        {US: turn(buy=Order(2)), ITALIA: turn(step(second, "dalmatia", "moesia", 4, 0, 1), buy=Order(1))},
        {ITALIA: turn(step(first, "italia", "dalmatia", 6), buy=Order())},
    )
    return war.made


def _season(theirs: Action, ours: Action) -> Seasons:
    """Return a match of the second game: its first season, after these deployments of Brutus and ours; we act last."""
    script, spain = Seasons(RULESETS["cote2"], 3, {}, seed=31), sp("hispania")
    script.do(cote2.Bid(0, 1, 2), cote2.Pass(), cote2.Pass())
    script.do(cote2.Bid(0, NONE, 0), cote2.Pass(), cote2.Pass())
    script.do(theirs, cote2.Deploy(((spain, 8, 2, 1),), spain, spain, sp("mare_cantabricum")), ours)
    return script


def general() -> Recording:
    """Return the position in which an army should bring its general."""
    asia, gaul, egypt, greece = map(sp, ("asia", "narbonensis", "egyptus", "achaia"))
    script = _season(
        cote2.Deploy(((greece, 5, 2, 1), (egypt, 3, 0, 0)), egypt, egypt, sp("mare_alexandria")),
        cote2.Deploy(((asia, 6, 2, 1), (gaul, 2, 0, 0)), gaul, asia, sp("mare_narbo")),
    )
    script.turns((), ())
    return script.made


def token() -> Recording:
    """Return the position in which one token is worth more than all others."""
    asia, egypt, greece, sicily = map(sp, ("asia", "egyptus", "achaia", "sicilia"))
    script = _season(
        cote2.Deploy(((greece, 5, 2, 1), (sicily, 3, 0, 0)), sicily, greece, sp("mare_aegaeum")),
        cote2.Deploy(((egypt, 6, 2, 1), (asia, 2, 0, 0)), asia, egypt, sp("mare_alexandria")),
    )
    script.turns(*((),) * 11)
    script.do(cote2.Pass())
    return script.made


def senate() -> Recording:
    """Return the position in which we are the last to vote."""
    asia, gaul, egypt, greece = map(sp, ("asia", "narbonensis", "egyptus", "achaia"))
    script = _season(
        cote2.Deploy(((greece, 5, 2, 1), (egypt, 3, 0, 0)), egypt, egypt, sp("mare_alexandria")),
        cote2.Deploy(((asia, 6, 2, 1), (gaul, 2, 0, 0)), gaul, asia, sp("mare_narbo")),
    )
    vote = NAMES.index("senate_emergency_tax")
    script.turns((), (), (cote2.Obtain(vote),))
    script.turns((), (), (cote2.Obtain(NAMES.index("senator_4")),))
    script.turns((), ())
    script.do(cote2.Use(vote), cote2.Show(1), cote2.Show(1, 0, 1), cote2.Show(0, 1, 1))
    return script.made


POSITIONS: Final[Mapping[str, Callable[[], Recording]]] = {
    "problem-1": joined, "problem-2": treasury, "problem-3": flight, "problem-4": ride, "problem-5": engines,
    "problem-6": landing, "problem-7": two_enemies, "problem-8": general, "problem-9": token, "problem-10": senate,
}  # fmt: skip


def position(key: str) -> Any:
    """Return the position of a problem."""
    made = POSITIONS[key]()
    game = RecordedGame(RULESETS[made.ruleset], made.seats, made.options)
    for seat, written in made.log:
        game.play(seat, game.rules.action_decoder.decode(codec.encode(written)))
    return game.state


def written(key: str) -> bytes:
    """Return the file of a problem's position."""
    return msgspec.json.encode(POSITIONS[key]()) + b"\n"


def main() -> None:
    """Write all positions again."""
    for key in POSITIONS:
        (FOLDER / f"{key}.json").write_bytes(written(key))


if __name__ == "__main__":
    main()
