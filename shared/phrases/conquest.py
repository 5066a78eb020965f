"""Commands of Classic and 1984: names of pieces, and the actions that both games have."""

from collections.abc import Callable, Sequence
from typing import Final

from shared.ids import GALLEY, NONE, UNIT_NAMES, Leader, Seat
from shared.kernel.frames import Action
from shared.language.sentence import Sentence, _
from shared.mechanics.pieces import OFF
from shared.mechanics.wares import ONE, Ware
from shared.phrases.grammar import Known, Phrase, PhraseContext, PhrasePart, ThingKind, Values
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
from shared.rulesets.conquest.pieces import can_march, leaders_at, ready
from shared.vocabulary import actions as a

# --- pieces by name ---


def leader_name(scene: PhraseContext, leader: Leader) -> str:
    """``"Caesar"``, ``"general 2"``; of another colour ``"general 2 of Livia"``."""
    colour = leader // scene.table.leaders_each
    number = leader % scene.table.leaders_each
    return f"{f'general {number}' if number else 'Caesar'}{_of(scene, colour)}"


def galley_name(scene: PhraseContext, galley: int) -> str:
    """``"galley 3"``; of another colour ``"galley 3 of Livia"``."""
    colour, number = divmod(galley, len(scene.table.galley_at) // scene.table.seats)
    return f"galley {number + 1}{_of(scene, colour)}"


def _of(scene: PhraseContext, colour: Seat) -> str:
    return "" if colour == scene.seat else f" of {player_name(colour, scene)}"


def _all_leaders(scene: PhraseContext) -> list[tuple[str, int]]:
    return [(leader_name(scene, leader), leader) for leader, at in enumerate(scene.table.leader_at) if at != OFF]


def _all_galleys(scene: PhraseContext) -> list[tuple[str, int]]:
    return [(galley_name(scene, galley), galley) for galley, at in enumerate(scene.table.galley_at) if at != OFF]


LEADER: Final = one("LEADER", _("leader on the board"), _all_leaders)
LEADERS: Final = several(LEADER)
GALLEY_KIND: Final = one("GALLEY", _("galley on the board"), _all_galleys)
GALLEYS: Final = several(GALLEY_KIND)


# --- commands ---


def marching() -> tuple[PhrasePart, ...]:
    """Return the parts of a march: units, origin, target, and leaders; without a named leader, any suitable one."""

    def whole(scene: PhraseContext, known: Known) -> Sequence[int]:
        foot, fresh, engines, tired = ready(scene.table, scene.seat, known["source"])
        return foot, fresh + tired, engines

    def escorts(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
        if said:
            return LEADERS.read(said, scene, known)
        table, here = scene.table, leaders_at(scene.table, scene.seat, known["source"])
        able = sorted((x for x in here if can_march(table, x)), key=lambda x: x % table.leaders_each == 0)
        alone = [(leader,) for leader in able]
        return [(led,) for led in (*alone, *(tuple(able[:n]) for n in range(2, len(able) + 1)))] or [((),)]

    def tired(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
        """Return the number of horsemen that have moved already, as few as possible if not given."""
        if said:
            return TALENTS.read(said, scene, known)
        return [(n,) for n in range(ready(scene.table, scene.seat, known["source"])[3] + 1)]

    return (
        PhrasePart("", ("infantry", "cavalry", "catapults"), units(whole), late=True),
        PhrasePart("from", ("source",), PROVINCE),
        PhrasePart("to", ("to",), PROVINCE),
        PhrasePart("with", ("leaders",), ThingKind("LEADER, ...", LEADERS.say, escorts), needed=False, late=True),
        PhrasePart("tired", ("tired",), ThingKind("NUMBER", TALENTS.say, tired), needed=False, late=True),
    )


def sailing(boardable: Callable[[PhraseContext, int], Sequence[int]]) -> Phrase:
    """Return the phrase for sailing one step. `boardable`: the units that can board a galley where it lies."""
    cargo = units(lambda scene, known: boardable(scene, known["galley"]))
    load = ThingKind(cargo.name, lambda values, scene: cargo.say(values, scene) if any(values) else "", cargo.read)
    return Phrase("sail", a.Sail, _("A galley moves one step; leaving a coast it takes these aboard."), (
        PhrasePart("", ("galley",), GALLEY_KIND),
        PhrasePart("to", ("to",), BERTH),
        PhrasePart("with", ("leaders",), LEADERS_OR_NOBODY, needed=False),
        PhrasePart("carrying", ("infantry", "cavalry", "catapults"), load, needed=False, late=True),
    ))  # fmt: skip


def _no_leaders_unless_named(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    return LEADERS.read(said, scene, known) if said else [((),)]


LEADERS_OR_NOBODY: Final = ThingKind(LEADERS.name, LEADERS.say, _no_leaders_unless_named)

_WARES: Final = tuple([ware.name.lower() for ware in Ware])


def buying(action: type[Action], wares: int) -> Phrase:
    """Return the phrase for a purchase of the first `wares` wares."""
    goods = counted("GOODS", "ware", _WARES[:wares], ONE[:wares])
    return Phrase(
        "buy", action, _("Your whole purchase of this turn; or buy nothing."), (PhrasePart("", _WARES[:wares], goods),)
    )


def terms(verb: str, action: type[Action], means: Sentence) -> Phrase:
    """Return the phrase for a bargain: partner, payment, gifts, demands."""
    return Phrase(verb, action, means, (
        PhrasePart("", ("to",), PLAYER),
        PhrasePart("pay", ("pays",), TALENTS, needed=False),
        PhrasePart("give", ("gives",), LEADERS_OR_NOBODY, needed=False),
        PhrasePart("want", ("wants",), TALENTS, needed=False),
        PhrasePart("take", ("takes",), LEADERS_OR_NOBODY, needed=False),
    ))  # fmt: skip


def _where(verb: str, action: type[Action], field: str, kind: ThingKind, means: Sentence) -> Phrase:
    return Phrase(verb, action, means, (PhrasePart("in", (field,), kind),))


COMMON: Final = (
    Phrase("choose home", a.ChooseHome, _("Your empire begins there."), (PhrasePart("", ("home",), PROVINCE),)),
    Phrase("end movement", a.EndMovement, _("End your movement; the battles begin.")),
    Phrase("fight", a.Fight, _("Which battle is fought next."),
           (PhrasePart("", ("enemy",), PLAYER), PhrasePart("in", ("space",), SPACE))),
    Phrase("stand", a.Stand, _("Fight another round.")),
    Phrase("hold all", a.Judge, _("All captured generals are held for ransom."), fixed={"kill": ()}),
    Phrase("kill", a.Judge, _("These of the generals just captured die."), (PhrasePart("", ("kill",), LEADERS),)),
    _where("raze", a.Raze, "space", PROVINCE, _("Destroy your city there.")),
    Phrase("keep cities", a.EndDestruction, _("Destroy no more cities.")),
    Phrase("place galley", a.PlaceGalley, _("A new galley."), (PhrasePart("at", ("position",), BERTH),)),
    _where("place city", a.PlaceCity, "space", PROVINCE, _("A new city.")),
    _where("place fortification", a.PlaceFortification, "space", PROVINCE, _("Walls for a city of yours.")),
    Phrase("place road", a.PlaceRoad, _("A road between two cities of yours."),
           (PhrasePart("from", ("a",), PROVINCE), PhrasePart("to", ("b",), PROVINCE))),
    terms("offer", a.Offer, _("Offer a bargain for captured generals.")),
    Phrase("accept", a.Answer, _("Accept the bargain."), fixed={"accept": True}),
    Phrase("decline", a.Answer, _("Decline the bargain."), fixed={"accept": False}),
    Phrase("end turn", a.EndTurn, _("Your turn is over.")),
    Phrase("fight on", a.Concede, _("Take back that you conceded."), fixed={"to": NONE}),
    Phrase("concede", a.Concede, _("Agree that another player has won."), (PhrasePart("to", ("to",), PERHAPS_PLAYER),)),
    Phrase("resign", a.Resign, _("Leave the match for good, where the table allows it.")),
)  # fmt: skip


def retreating(verb: str, action: type[Action], means: Sentence) -> tuple[Phrase, ...]:
    """Return the phrases for leaving a battle: to a province or, without a way out, by giving up all pieces."""
    return (
        Phrase(f"{verb} nowhere", action, _("Where no way is open: all is lost."), fixed={"to": NONE}),
        Phrase(verb, action, means, (PhrasePart("to", ("to",), PROVINCE),)),
    )


def three(verb: str, action: type[Action], means: Sentence) -> Phrase:
    """Return the phrase for numbers of each kind of unit."""
    return Phrase(verb, action, means, (PhrasePart("", ARMS, units()),))


def _say_target(values: Values, scene: PhraseContext) -> str:
    kind, galley = values
    if kind == GALLEY:
        return GALLEY_KIND.say((galley,), scene)
    return f"{UNIT_NAMES[kind]}{f' aboard {GALLEY_KIND.say((galley,), scene)}' if galley != NONE else ''}"


def _read_target(said: str, scene: PhraseContext, known: Known) -> Sequence[Values]:
    unit, aboard, galley = said.partition(" aboard ")
    if not aboard and said.casefold().startswith("galley"):
        return [(GALLEY, GALLEY_KIND.read(said, scene, known)[0][0])]
    ((kind,),) = one("UNIT", "kind of unit", lambda _scene: [(u, k) for k, u in enumerate(ARMS)]).read(unit, scene, {})
    return [(kind, perhaps(GALLEY_KIND).read(galley, scene, known)[0][0])]


TARGET: Final = ThingKind("INFANTRY, CAVALRY, CATAPULT OR GALLEY", _say_target, _read_target)
