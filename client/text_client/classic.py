"""Classic (2005) in words."""

from __future__ import annotations

from functools import partial
from typing import Final

from client.games.classic import battle_state
from client.games.classic.battle_odds import RECKONING
from client.games.conquest.player_text import person_words
from client.games.conquest.space_tooltip import describe
from client.language import _, ngettext
from client.table.words import army_words, force_words
from client.text_client import conquest as c
from client.text_client.game_text import GameText, Sheet, battle_words, side_words
from client.text_client.grammar import Grammar, Kind, Known, Part, Phrase, Scene, Values
from client.text_client.kinds import PROVINCE, units
from client.text_client.name_lookup import Misread
from shared.mechanics.armies import words
from shared.mechanics.pieces import living
from shared.mechanics.tribute import worth
from shared.rulesets.classic import actions as a
from shared.rulesets.classic import economy, galleys
from shared.rulesets.classic.options import steps
from shared.rulesets.classic.stages import Step
from shared.rulesets.classic.state import LEADERS
from shared.rulesets.classic.table import Table
from shared.sentences.classic import prompt, tell
from shared.vocabulary.actions import Retreat

_UNITS: Final = units()


def _say_stops(values: Values, scene: Scene) -> str:
    return "; ".join(_say_stop(drop, scene) for drop in values[0])


def _say_stop(drop: tuple[int, int, int, int], scene: Scene) -> str:
    space, *counts = drop
    left, taken = [max(0, n) for n in counts], [max(0, -n) for n in counts]
    deeds = [f"leave {words(left)}"] if any(left) else []
    deeds += [f"fetch {words(taken)}"] if any(taken) else []
    return " ".join([PROVINCE.say((space,), scene), *deeds])


def _read_stops(said: str, scene: Scene, known: Known) -> list[Values]:
    return [(tuple([_read_stop(part.strip(), scene, known) for part in said.split(";") if part.strip()]),)]


def _read_stop(said: str, scene: Scene, known: Known) -> tuple[int, ...]:
    place, _gap, rest = said.partition(" leave ") if " leave " in said else said.partition(" fetch ")
    left, _gap, taken = rest.partition(" fetch ") if " leave " in said else ("", "", rest)
    if not rest:
        raise Misread(_("Say what to do at each stop: Asia leave 2 infantry; Galatia fetch 1 cavalry."))
    ((space,),) = PROVINCE.read(place, scene, known)
    give, take = (_UNITS.read(part.strip(), scene, known)[0] for part in (left, taken))
    return space, *(n - m for n, m in zip(give, take, strict=True))


_STOPS: Final = Kind("CITY leave UNITS; CITY fetch UNITS", _say_stops, _read_stops)

GRAMMAR: Final = Grammar((
    Phrase("march", a.March, _("A legion marches one step, or along a road."), (
        *c.marching(),
        Part("stopping", ("drops",), _STOPS, needed=False),
    )),
    c.sailing(lambda scene, galley: galleys.boardable(scene.table, scene.seat, scene.table.galley_at[galley])),
    Phrase("end combat", a.EndCombat, _("No more battles at sea.")),
    c.three("form", a.Form, _("Your battle legion for this round.")),
    c.three("lose", a.Lose, _("Which units fall.")),
    *c.retreating("retreat", Retreat, _("Leave the battle; the enemy's cavalry pursues.")),
    *c.retreating("withdraw", a.Withdraw, _("Where your leaders without units go.")),
    Phrase("sink", a.Sink, _("Which of your galleys go down."), (Part("", ("galleys",), c.GALLEYS),)),
    c.buying(a.Buy, len(economy.PRICES)),
    *c.COMMON,
))  # fmt: skip


def _battle(scene: Scene, _said: str) -> list[str]:
    fight = battle_state.read(scene.table)
    if fight is None:
        return [_("There is no battle now.")]
    return [
        battle_words(fight.space, fight.round),
        *(
            side_words(scene.who(side.seat), side is fight.attacker, _side(side))
            for side in (fight.attacker, fight.defender)
        ),
    ]


def _side(side: battle_state.Side) -> str:
    if side.galleys:
        return ngettext("{n} galley", "{n} galleys", len(side.galleys))
    whole = force_words(side.leaders, side.reserve, LEADERS)
    if not side.formed:
        return whole
    legion = army_words(side.legion)
    if any(side.down):
        down = army_words(side.down)
        return _(
            "battle legion {legion}, {down} of it laid down; in reserve {whole}", legion=legion, down=down, whole=whole
        )
    return _("battle legion {legion}; in reserve {whole}", legion=legion, whole=whole)


CLASSIC: Final[GameText[Table]] = GameText(
    grammar=GRAMMAR,
    tell=tell,
    prompt=prompt,
    living=living,
    heading=partial(c.heading, tuple([step.phase for step in Step])),
    person=person_words,
    describe=partial(describe, each=LEADERS, worth=worth),
    borders=partial(c.borders, steps),
    pieces=c.pieces,
    sheets={
        "battle": Sheet(_("the battle that is going on"), _battle),
        "prices": Sheet(_("what everything costs"), partial(c.prices, economy.PRICES, economy.stock)),
    },
    battle_odds=RECKONING,
)
