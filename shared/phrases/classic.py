"""Commands of Classic (2005)."""

from typing import Final

from msgspec import structs

from shared.language.sentence import _
from shared.mechanics.armies import words
from shared.phrases import conquest as c
from shared.phrases.grammar import Grammar, Known, Phrase, PhraseContext, PhrasePart, ThingKind, Values
from shared.phrases.kinds import PROVINCE, units
from shared.phrases.name_lookup import Misread
from shared.rulesets.classic import actions as a
from shared.rulesets.classic import galleys
from shared.vocabulary.actions import Retreat

_UNITS: Final = units()


def _say_stops(values: Values, scene: PhraseContext) -> str:
    return "; ".join(_say_stop(drop, scene) for drop in values[0])


def _say_stop(drop: tuple[int, int, int, int], scene: PhraseContext) -> str:
    space, *counts = drop
    left, taken = [max(0, n) for n in counts], [max(0, -n) for n in counts]
    deeds = [f"leave {words(left)}"] if any(left) else []
    deeds += [f"fetch {words(taken)}"] if any(taken) else []
    return " ".join([PROVINCE.say((space,), scene), *deeds])


def _read_stops(said: str, scene: PhraseContext, known: Known) -> list[Values]:
    return [(tuple([_read_stop(part.strip(), scene, known) for part in said.split(";") if part.strip()]),)]


def _read_stop(said: str, scene: PhraseContext, known: Known) -> tuple[int, ...]:
    place, _gap, rest = said.partition(" leave ") if " leave " in said else said.partition(" fetch ")
    left, _gap, taken = rest.partition(" fetch ") if " leave " in said else ("", "", rest)
    if not rest:
        raise Misread(_("Say what to do at each stop: Asia leave 2 infantry; Galatia fetch 1 cavalry."))
    ((space,),) = PROVINCE.read(place, scene, known)
    give, take = (_UNITS.read(part.strip(), scene, known)[0] for part in (left, taken))
    return space, *(n - m for n, m in zip(give, take, strict=True))


_STOPS: Final = ThingKind("CITY leave UNITS; CITY fetch UNITS", _say_stops, _read_stops)

GRAMMAR: Final = Grammar((
    Phrase("march", a.March, _("A legion marches one step, or along a road."), (
        *c.marching(),
        PhrasePart("stopping", ("drops",), _STOPS, needed=False),
    )),
    c.sailing(lambda scene, galley: galleys.boardable(scene.table, scene.seat, scene.table.galley_at[galley])),
    Phrase("end combat", a.EndCombat, _("No more battles at sea.")),
    c.three("form", a.Form, _("Your battle legion for this round.")),
    c.three("lose", a.Lose, _("Which units fall.")),
    *c.retreating("retreat", Retreat, _("Leave the battle; the enemy's cavalry pursues.")),
    *c.retreating("withdraw", a.Withdraw, _("Where your leaders without units go.")),
    Phrase("sink", a.Sink, _("Which of your galleys go down."), (PhrasePart("", ("galleys",), c.GALLEYS),)),
    c.buying(a.Buy, len(structs.fields(a.Buy))),
    *c.COMMON,
))  # fmt: skip
