"""The positions in which the client's lessons begin, reached by players' decisions: `python -m tests.play.lessons`.

Each is a recording like those of `tests.play.record`, to be loaded by `conquest-server serve --lay-out`. Make them anew
after raising the version of a rule set.
"""

import itertools
from collections.abc import Callable, Mapping
from pathlib import Path
from random import Random
from typing import Any, Final

import msgspec

from protocol import codec
from server.tools.recording import RecordedGame, Recording
from shared.board import BOARD
from shared.ids import NATURE, NONE, Space
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.classic.actions import Buy, March
from shared.rulesets.classic.frames import Placement
from shared.rulesets.cote2 import actions as cote2
from shared.rulesets.cote2 import frames as frames2
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.mb1984 import actions as mb1984
from shared.rulesets.mb1984 import frames as frames1984
from shared.rulesets.registry import RULESETS
from shared.vocabulary import actions as classic
from shared.vocabulary import frames
from shared.vocabulary.actions import EndTurn, PlaceCity, PlaceGalley, Sail

NAMES: Final = [card.key for card in CARDS]
FOLDER: Final = Path(__file__).parents[2] / "shared" / "data" / "lessons"


def sp(key: str) -> Space:
    """Return the space with that key."""
    return BOARD.keys.index(key)


class Script:
    """A match of which every action is written down beforehand; chance comes from a seed."""

    def __init__(self, rules: AnyRuleset, seats: int, options: Mapping[str, int], seed: int = 1) -> None:
        self.rules = rules
        self.game = RecordedGame(rules, seats, options)
        self.made = Recording(rules.id, rules.version, seats, dict(options), seed, [])
        self._chance = Random(seed)
        self._draw()

    @property
    def state(self) -> Any:
        """The position."""
        return self.game.state

    def do(self, *actions: Action) -> None:
        """Play these actions in turn, each by the seat that owes a decision."""
        for action in actions:
            self._play(engine.owed(self.rules, self.state)[0], action)
            self._draw()

    def _draw(self) -> None:
        while engine.owed(self.rules, self.state) == (NATURE,):
            outcome = engine.chance_action(self.state, self._chance)
            assert outcome is not None
            self._play(NATURE, outcome)

    def _play(self, seat: int, action: Action) -> None:
        self.game.play(seat, action)
        self.made.log.append((seat, msgspec.to_builtins(action)))


class Conquest(Script):
    """Such a match of Classic or 1984."""

    def leader(self, seat: int, number: int) -> int:
        """Return a leader of a colour: 0 is its Caesar."""
        each: int = len(self.state.leader_at) // self.state.seats
        return seat * each + number

    def turn(self, *marches: Action, buy: Action, place: tuple[Action, ...] = ()) -> None:
        """Play a whole turn of the seat that owes a decision; units that are not named stay."""
        left, places = list(marches), list(place)
        seat = engine.owed(self.rules, self.state)[0]
        while engine.owed(self.rules, self.state) == (seat,):
            match self.state.frames[-1]:
                case frames.Movement():
                    action = left.pop(0) if left else classic.EndMovement()
                case frames.Destruction():
                    action = classic.EndDestruction()
                case frames.Purchase():
                    action = buy
                case Placement() | frames1984.Placement():
                    action = places.pop(0) if places else classic.EndTurn()
                case frame:
                    raise AssertionError(f"nothing is written down for {frame!r}")
            self.do(action)
        assert not left and not places


def march(leader: int, source: str, to: str, infantry: int = 0, cavalry: int = 0, catapults: int = 0) -> Action:
    """Return one step of one leader in Classic."""
    return March(sp(source), sp(to), (leader,), infantry, cavalry, catapults)


def classic_lesson() -> Recording:
    """Return the lesson of Classic. Egyptus against Hispania, whose outpost stands beside our home; our eighth turn
    begins."""
    script = Conquest(RULESETS["classic"], 2, {"homes": 2})
    east, vanguard, scout = script.leader(0, 1), script.leader(1, 1), script.leader(1, 2)
    way = ("hispania", "baetica", "tingitana", "caesariensis", "numidia", "africa_proconsularis", "cyrenaica")
    ours = (Buy(infantry=1), Buy(), Buy(cities=1), Buy(cavalry=1), Buy(catapults=1), Buy(), Buy())
    theirs = (Buy(infantry=1), Buy(infantry=2), Buy(cities=1), Buy(catapults=1), Buy(cavalry=2), Buy(cavalry=3))
    for number, (buy, order, step) in enumerate(zip(ours, theirs, itertools.pairwise(way), strict=False)):
        first = number == 0
        script.turn(
            *([march(east, "egyptus", "palestina", 2)] if first else []),
            buy=buy,
            place=(PlaceCity(sp("palestina")),) * buy.cities,
        )
        script.turn(
            march(vanguard, *step, 3),
            *([march(scout, "hispania", "narbonensis", 2)] if first else []),
            buy=order,
            place=(PlaceCity(sp("baetica")),) * order.cities,
        )
    script.turn(buy=Buy())
    script.turn(march(vanguard, *way[:-3:-1], 1), buy=Buy(infantry=4, catapults=1))
    return script.made


def mb1984_lesson() -> Recording:
    """Return the lesson of 1984. Macedonia, with Hispania's vanguard in Dalmatia, and Egyptus far away; our fifth turn
    begins."""
    script = Conquest(RULESETS["mb1984"], 3, {"homes": 2})
    east, south, vanguard = script.leader(0, 1), script.leader(1, 1), script.leader(2, 1)

    def go(leader: int, source: str, to: str, infantry: int, cavalry: int = 0) -> Action:
        return mb1984.March(sp(source), sp(to), (leader,), infantry, cavalry)

    def buy(infantry: int = 0, cavalry: int = 0, catapults: int = 0, cities: int = 0) -> Action:
        return mb1984.Buy(infantry, cavalry, catapults, 0, cities)

    script.turn(go(east, "macedonia", "thracia", 1), buy=buy(1))
    script.turn(go(south, "egyptus", "cyrenaica", 2), buy=buy(2))
    script.turn(buy=buy())
    script.turn(buy=buy())
    script.turn(go(south, "cyrenaica", "africa_proconsularis", 2), buy=buy(2))
    script.turn(buy=buy(cavalry=1))
    script.turn(buy=buy(catapults=1))
    script.turn(buy=buy(cities=1), place=(PlaceCity(sp("cyrenaica")),))
    script.turn(go(vanguard, "hispania", "narbonensis", 1, 1), buy=buy(1))
    script.turn(buy=buy(1))
    script.turn(buy=buy(3))
    script.turn(go(vanguard, "narbonensis", "italia", 1, 1), buy=buy(3))
    script.turn(buy=buy())
    script.turn(buy=buy(1, 1))
    script.turn(go(vanguard, "italia", "dalmatia", 1, 1), buy=buy(2))
    return script.made


def walls_lesson() -> Recording:
    """Return the second lesson of Classic. Two of our armies stand beside Hispania's city with walls in Dalmatia."""
    script = Conquest(RULESETS["classic"], 3, {"homes": 2})
    north, vanguard = script.leader(0, 1), script.leader(2, 1)
    moesia, dalmatia = sp("moesia"), sp("dalmatia")
    way = ("hispania", "narbonensis", "italia", "dalmatia")
    steps = [(march(vanguard, *step, 4),) for step in itertools.pairwise(way)]
    ours: list[tuple[Action, tuple[Action, ...]]] = [
        (Buy(), ()), (Buy(cities=1), (PlaceCity(moesia),)), (Buy(catapults=1), ()), (Buy(catapults=1), ()),
        (Buy(infantry=2), ()), (Buy(infantry=3), ()), (Buy(cavalry=1), ()),
    ]  # fmt: skip
    walled = PlaceCity(dalmatia), classic.PlaceFortification(dalmatia)
    theirs: list[tuple[Action, tuple[Action, ...]]] = [
        (Buy(infantry=1), ()), (Buy(infantry=2), ()), (Buy(cities=1, fortifications=1), walled), (Buy(), ()),
        (Buy(infantry=2), ()), (Buy(infantry=2), ()), (Buy(infantry=2), ()),
    ]  # fmt: skip
    for number, ((buy, place), (order, site)) in enumerate(zip(ours, theirs, strict=True)):
        script.turn(*([march(north, "macedonia", "moesia", 4)] if number == 0 else []), buy=buy, place=place)
        script.turn(buy=Buy(infantry=1))
        script.turn(*(steps[number] if number < len(steps) else ()), buy=order, place=site)
    return script.made


def sea_lesson() -> Recording:
    """Return the second lesson of 1984. We have a galley on either coast, and Hispania has one in Mare Epirus."""
    script = Conquest(RULESETS["mb1984"], 3, {"homes": 2})
    south, east, admiral = script.leader(0, 1), script.leader(0, 2), script.leader(2, 1)
    tyrrhenum, epirus = sp("mare_tyrrhenum"), sp("mare_epirus")
    ship = len(script.state.galley_at) // script.state.seats * 2

    def buy(infantry: int = 0, cavalry: int = 0, catapults: int = 0, galleys: int = 0) -> Action:
        return mb1984.Buy(infantry, cavalry, catapults, galleys)

    east_coast, west_coast = BOARD.coasts[sp("macedonia")]
    ours: list[tuple[tuple[Action, ...], Action, tuple[Action, ...]]] = [
        ((mb1984.March(sp("macedonia"), sp("achaia"), (south,), 1),
          mb1984.March(sp("macedonia"), sp("thracia"), (east,), 1)), buy(3), ()),
        ((), buy(galleys=1), (PlaceGalley(west_coast),)),
        ((), buy(galleys=1), (PlaceGalley(east_coast),)),
        ((), buy(catapults=1), ()),
        ((), buy(3), ()),
        ((), buy(3), ()),
    ]  # fmt: skip
    home_coast = BOARD.coasts[sp("hispania")][0]
    theirs: list[tuple[tuple[Action, ...], Action, tuple[Action, ...]]] = [
        ((), buy(), ()),
        ((), buy(galleys=1), (PlaceGalley(home_coast),)),
        ((), buy(), ()),
        ((), buy(0, 1), ()),
        ((Sail(ship, sp("mare_narbo"), (admiral,), 1, 1), Sail(ship, tyrrhenum)), buy(1), ()),
        ((Sail(ship, epirus),), buy(2), ()),
    ]  # fmt: skip
    for (marches, order, place), (sails, goods, site) in zip(ours, theirs, strict=True):
        script.turn(*marches, buy=order, place=place)
        script.turn(buy=buy(1))
        script.turn(*sails, buy=goods, place=site)
    return script.made


class Seasons(Script):
    """Such a match of the second game."""

    def turns(self, *given: tuple[Action, ...]) -> None:
        """Play the next turns, one after the other; decisions that are not named are passed."""
        for actions in given:
            seat, left = engine.owed(self.rules, self.state)[0], list(actions)
            while isinstance(frame := self.state.frames[-1], frames2.Turn) and frame.seat == seat:
                self.do(left.pop(0) if left else cote2.Pass() if frame.left else EndTurn())
            assert not left


def cote2_lesson() -> Recording:
    """Return the lesson of the second game. Our army is in Macedonia, two units of the second player in Achaia; we open
    the auction of the second season."""
    script = Seasons(RULESETS["cote2"], 3, {}, seed=31)
    general, (asia, gaul, egypt, spain) = 1, map(sp, ("asia", "narbonensis", "egyptus", "hispania"))
    script.do(cote2.Bid(0, 1, 2), cote2.Pass(), cote2.Pass())
    script.do(cote2.Bid(0, NONE, 0), cote2.Pass(), cote2.Pass())
    script.do(
        cote2.Deploy(((sp("achaia"), 2, 0, 0), (egypt, 6, 2, 1)), egypt, egypt, sp("mare_alexandria")),
        cote2.Deploy(((spain, 8, 2, 1),), spain, spain, sp("mare_cantabricum")),
        cote2.Deploy(((asia, 6, 2, 1), (gaul, 2, 0, 0)), gaul, asia, sp("mare_narbo")),
    )
    macedonia = sp("macedonia")
    north = cote2.Move(asia, ((macedonia, 5, 2, 1),), ((general, macedonia),))
    script.turns(
        (cote2.Recruit(((egypt, 5, 4, 1, 0),)),),
        (cote2.Recruit(((spain, 5, 4, 1, 0),)),),
        (north, cote2.Obtain(NAMES.index("senate_emergency_tax"))),
    )
    script.turns((), (), (cote2.Obtain(NAMES.index("senator_4")),))
    script.turns((), (), (), (), (), ())
    return script.made


def senate_lesson() -> Recording:
    """Return the second lesson of the second game. The vote about influence in Rome and a merchant lie before us; our
    turn in the third round begins."""
    script = Seasons(RULESETS["cote2"], 3, {}, seed=42)
    egypt, galatia, greece, spain = map(sp, ("egyptus", "galatia", "achaia", "hispania"))
    script.do(cote2.Bid(0, 1, 2), cote2.Pass(), cote2.Pass())
    script.do(cote2.Bid(0, NONE, 0), cote2.Pass(), cote2.Pass())
    script.do(
        cote2.Deploy(((greece, 8, 2, 1),), greece, greece, sp("mare_aegaeum")),
        cote2.Deploy(((spain, 8, 2, 1),), spain, spain, sp("mare_cantabricum")),
        cote2.Deploy(((egypt, 6, 2, 1), (galatia, 2, 0, 0)), egypt, galatia, sp("mare_alexandria")),
    )
    script.turns((), (), (cote2.Obtain(NAMES.index("merchant_italia")),))
    script.turns((), (), (cote2.Obtain(NAMES.index("senate_influence_in_rome")),))
    script.turns((), ())
    return script.made


LESSONS: Final[Mapping[str, Callable[[], Recording]]] = {
    "classic": classic_lesson, "mb1984": mb1984_lesson, "cote2": cote2_lesson,
    "classic-walls": walls_lesson, "mb1984-sea": sea_lesson, "cote2-senate": senate_lesson,
}  # fmt: skip


def beginning(key: str) -> Any:
    """Return the position in which a lesson begins."""
    made = LESSONS[key]()
    game = RecordedGame(RULESETS[made.ruleset], made.seats, made.options)
    for seat, written in made.log:
        game.play(seat, game.rules.action_decoder.decode(codec.encode(written)))
    return game.state


def written(key: str) -> bytes:
    """Return the file of a lesson."""
    return msgspec.json.encode(LESSONS[key]()) + b"\n"


def path_of(key: str) -> Path:
    """Return the path of a lesson's position."""
    return FOLDER / f"{key}.json"


def main() -> None:
    """Write all lessons again."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for key in LESSONS:
        path_of(key).write_bytes(written(key))


if __name__ == "__main__":
    main()
