"""Commands of Classic and 1984: names of pieces, and the actions that both games have."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from shared.ids import GALLEY, NONE, UNIT_NAMES, Leader, Seat
from shared.kernel.frames import Action
from shared.language.sentence import Sentence, _
from shared.mechanics.places import OFF
from shared.mechanics.wares import ONE, Ware
from shared.phrases.grammar import Kind, Known, Part, Phrase, Scene, Values
from shared.phrases.kinds import (
    ARMS,
    BERTH,
    PERHAPS_PLAYER,
    PLAYER,
    PROVINCE,
    SPACE,
    TALENTS,
    counted,
    one,
    perhaps,
    player_name,
    several,
    units,
)
from shared.rulesets.conquest.legions import can_march, ready
from shared.rulesets.conquest.pieces import leaders_at
from shared.vocabulary import actions as a

# --- pieces by name ---


def leader_name(scene: Scene, leader: Leader) -> str:
    """``"Caesar"``, ``"general 2"``; of another colour ``"general 2 of Livia"``."""
    colour = leader // scene.table.leaders_each
    number = leader % scene.table.leaders_each
    return f"{f'general {number}' if number else 'Caesar'}{_of(scene, colour)}"


def galley_name(scene: Scene, galley: int) -> str:
    """``"galley 3"``; of another colour ``"galley 3 of Livia"``."""
    colour, number = divmod(galley, len(scene.table.galley_at) // scene.table.seats)
    return f"galley {number + 1}{_of(scene, colour)}"


def _of(scene: Scene, colour: Seat) -> str:
    return "" if colour == scene.seat else f" of {player_name(colour, scene)}"


def _all_leaders(scene: Scene) -> list[tuple[str, int]]:
    return [(leader_name(scene, leader), leader) for leader, at in enumerate(scene.table.leader_at) if at != OFF]


def _all_galleys(scene: Scene) -> list[tuple[str, int]]:
    return [(galley_name(scene, galley), galley) for galley, at in enumerate(scene.table.galley_at) if at != OFF]


LEADER: Final = one("LEADER", _("leader on the board"), _all_leaders)
LEADERS: Final = several(LEADER)
GALLEY_KIND: Final = one("GALLEY", _("galley on the board"), _all_galleys)
GALLEYS: Final = several(GALLEY_KIND)


# --- commands ---


def marching() -> tuple[Part, ...]:
    """Return the parts of a march: units, origin, target, and leaders; without a named leader, any suitable one."""

    def whole(scene: Scene, known: Known) -> Sequence[int]:
        foot, fresh, engines, tired = ready(scene.table, scene.seat, known["source"])
        return foot, fresh + tired, engines

    def escorts(said: str, scene: Scene, known: Known) -> Sequence[Values]:
        if said:
            return LEADERS.read(said, scene, known)
        table, here = scene.table, leaders_at(scene.table, scene.seat, known["source"])
        able = sorted((x for x in here if can_march(table, x)), key=lambda x: x % table.leaders_each == 0)
        alone = [(leader,) for leader in able]
        return [(led,) for led in (*alone, *(tuple(able[:n]) for n in range(2, len(able) + 1)))] or [((),)]

    def tired(said: str, scene: Scene, known: Known) -> Sequence[Values]:
        """Return the number of horsemen that have moved already, as few as possible if not given."""
        if said:
            return TALENTS.read(said, scene, known)
        return [(n,) for n in range(ready(scene.table, scene.seat, known["source"])[3] + 1)]

    return (
        Part("", ("infantry", "cavalry", "catapults"), units(whole), late=True),
        Part("from", ("source",), PROVINCE),
        Part("to", ("to",), PROVINCE),
        Part("with", ("leaders",), Kind("LEADER, ...", LEADERS.say, escorts), needed=False, late=True),
        Part("tired", ("tired",), Kind("NUMBER", TALENTS.say, tired), needed=False, late=True),
    )


def sailing(boardable: Callable[[Scene, int], Sequence[int]]) -> Phrase:
    """Return the phrase for sailing one step. `boardable`: the units that can board a galley where it lies."""
    cargo = units(lambda scene, known: boardable(scene, known["galley"]))
    load = Kind(cargo.name, lambda values, scene: cargo.say(values, scene) if any(values) else "", cargo.read)
    return Phrase("sail", a.Sail, _("A galley moves one step; leaving a coast it takes these aboard."), (
        Part("", ("galley",), GALLEY_KIND),
        Part("to", ("to",), BERTH),
        Part("with", ("leaders",), LEADERS_OR_NOBODY, needed=False),
        Part("carrying", ("infantry", "cavalry", "catapults"), load, needed=False, late=True),
    ))  # fmt: skip


def _no_leaders_unless_named(said: str, scene: Scene, known: Known) -> Sequence[Values]:
    return LEADERS.read(said, scene, known) if said else [((),)]


LEADERS_OR_NOBODY: Final = Kind(LEADERS.name, LEADERS.say, _no_leaders_unless_named)

_WARES: Final = tuple([ware.name.lower() for ware in Ware])


def buying(action: type[Action], wares: int) -> Phrase:
    """Return the phrase for a purchase of the first `wares` wares."""
    goods = counted("GOODS", "ware", _WARES[:wares], ONE[:wares])
    return Phrase(
        "buy", action, _("Your whole purchase of this turn; or buy nothing."), (Part("", _WARES[:wares], goods),)
    )


def terms(verb: str, action: type[Action], means: Sentence) -> Phrase:
    """Return the phrase for a bargain: partner, payment, gifts, demands."""
    return Phrase(verb, action, means, (
        Part("", ("to",), PLAYER),
        Part("pay", ("pays",), TALENTS, needed=False),
        Part("give", ("gives",), LEADERS_OR_NOBODY, needed=False),
        Part("want", ("wants",), TALENTS, needed=False),
        Part("take", ("takes",), LEADERS_OR_NOBODY, needed=False),
    ))  # fmt: skip


def _where(verb: str, action: type[Action], field: str, kind: Kind, means: Sentence) -> Phrase:
    return Phrase(verb, action, means, (Part("in", (field,), kind),))


COMMON: Final = (
    Phrase("choose home", a.ChooseHome, _("Your empire begins there."), (Part("", ("home",), PROVINCE),)),
    Phrase("end movement", a.EndMovement, _("End your movement; the battles begin.")),
    Phrase("fight", a.Fight, _("Which battle is fought next."),
           (Part("", ("enemy",), PLAYER), Part("in", ("space",), SPACE))),
    Phrase("stand", a.Stand, _("Fight another round.")),
    Phrase("hold all", a.Judge, _("All captured generals are held for ransom."), fixed={"kill": ()}),
    Phrase("kill", a.Judge, _("These of the generals just captured die."), (Part("", ("kill",), LEADERS),)),
    _where("raze", a.Raze, "space", PROVINCE, _("Destroy your city there.")),
    Phrase("keep cities", a.EndDestruction, _("Destroy no more cities.")),
    Phrase("place galley", a.PlaceGalley, _("A new galley."), (Part("at", ("position",), BERTH),)),
    _where("place city", a.PlaceCity, "space", PROVINCE, _("A new city.")),
    _where("place fortification", a.PlaceFortification, "space", PROVINCE, _("Walls for a city of yours.")),
    Phrase("place road", a.PlaceRoad, _("A road between two cities of yours."),
           (Part("from", ("a",), PROVINCE), Part("to", ("b",), PROVINCE))),
    terms("offer", a.Offer, _("Offer a bargain for captured generals.")),
    Phrase("accept", a.Answer, _("Accept the bargain."), fixed={"accept": True}),
    Phrase("decline", a.Answer, _("Decline the bargain."), fixed={"accept": False}),
    Phrase("end turn", a.EndTurn, _("Your turn is over.")),
    Phrase("fight on", a.Concede, _("Take back that you conceded."), fixed={"to": NONE}),
    Phrase("concede", a.Concede, _("Agree that another player has won."), (Part("to", ("to",), PERHAPS_PLAYER),)),
    Phrase("resign", a.Resign, _("Leave the match for good, where the table allows it.")),
)  # fmt: skip


def retreating(verb: str, action: type[Action], means: Sentence) -> tuple[Phrase, ...]:
    """Return the phrases for leaving a battle: to a province or, without a way out, by giving up all pieces."""
    return (
        Phrase(f"{verb} nowhere", action, _("Where no way is open: all is lost."), fixed={"to": NONE}),
        Phrase(verb, action, means, (Part("to", ("to",), PROVINCE),)),
    )


def three(verb: str, action: type[Action], means: Sentence) -> Phrase:
    """Return the phrase for numbers of each kind of unit."""
    return Phrase(verb, action, means, (Part("", ARMS, units()),))


def _say_target(values: Values, scene: Scene) -> str:
    kind, galley = values
    if kind == GALLEY:
        return GALLEY_KIND.say((galley,), scene)
    return f"{UNIT_NAMES[kind]}{f' aboard {GALLEY_KIND.say((galley,), scene)}' if galley != NONE else ''}"


def _read_target(said: str, scene: Scene, known: Known) -> Sequence[Values]:
    unit, aboard, galley = said.partition(" aboard ")
    if not aboard and said.casefold().startswith("galley"):
        return [(GALLEY, GALLEY_KIND.read(said, scene, known)[0][0])]
    ((kind,),) = one("UNIT", "kind of unit", lambda _scene: [(u, k) for k, u in enumerate(ARMS)]).read(unit, scene, {})
    return [(kind, perhaps(GALLEY_KIND).read(galley, scene, known)[0][0])]


TARGET: Final = Kind("INFANTRY, CAVALRY, CATAPULT OR GALLEY", _say_target, _read_target)
