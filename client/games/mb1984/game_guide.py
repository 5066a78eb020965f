"""The game of 1984 as a `Guide` for the table."""

from collections.abc import Mapping
from typing import Final

from client.games.conquest import first_game_hints as when
from client.games.conquest.lesson_drafts import drafted
from client.games.conquest.position_display import look
from client.games.conquest.position_queries import prisoners
from client.games.conquest.replay_contents import subject, tribute
from client.games.conquest.shared_guide import SOUNDS as SHARED_SOUNDS
from client.games.conquest.shared_guide import army_reach, landings, moment, peril, stops, verdict
from client.games.mb1984.battle_state import BATTLE_ODDS, Fight, Side, after, changed, read, reason, sources
from client.games.mb1984.combat_tasks import task
from client.games.mb1984.prisoner_bargains import PRISONER_BARGAINS
from client.games.mb1984.rules_adapter import RULES_ADAPTER
from client.games.mb1984.rules_text import PAGES
from client.language import _
from client.replay.game_replay import Concerns, GameReplay, Income
from client.sound.sounds import Sound
from client.table.battle_playback import BattleScene, Block, FallenDice, Note, PlaybackStep
from client.table.guide import Guide
from client.table.hints import ADVICE, ODDS, Hint
from client.table.pieces import UNITS
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.kernel.frames import Event
from shared.lessons.lesson import Glance
from shared.mechanics.aimed_shots import NO_ROLL
from shared.mechanics.pieces import living
from shared.mechanics.tribute import worth
from shared.odds.mb1984 import rolling
from shared.rulesets.mb1984 import definition
from shared.rulesets.mb1984 import events as e
from shared.rulesets.mb1984.contact import hostile_zone
from shared.rulesets.mb1984.events import Aimed
from shared.rulesets.mb1984.frames import Aiming
from shared.rulesets.mb1984.options import prices
from shared.rulesets.mb1984.stages import Step
from shared.rulesets.mb1984.table import LEADERS, TableFields
from shared.sentences.mb1984 import prompt, tell
from shared.vocabulary.events import DiceFell

_DIE: Final = tuple(f"die_{pips}" for pips in range(1, 7))
_AIMED: Final = 1.0
_SURE: Final = 1.6
"""Seconds for which a declared target, and a shot that needs no die, are seen."""


def title(fight: Fight) -> str:
    """Return the battle's title."""
    named = {"place": BOARD.names[fight.space], "round": fight.round}
    if fight.naval:
        return _("Naval battle · {place} · round {round}", **named)
    return _("Battle of {place} · round {round}", **named)


def blocks(beat: PlaybackStep[Fight], seat: Seat) -> list[Block]:
    """Return the units of a side, with the number that they need where they are fired at."""
    fight = beat.fight
    side = fight.side(seat)
    target = side.seat != fight.shooter and not beat.winner >= 0
    return [_block(fight, side, kind, target) for kind in range(len(UNITS)) if side.count(kind)]


def _block(fight: Fight, side: Side, kind: int, target: bool) -> Block:
    free = target and not fight.sheltered(kind)
    return Block(
        side.seat, kind, side.count(kind), words=_number_needed(fight, kind) if target else "",
        why=reason(fight, kind) if free else "", free=free, lit=free and kind == fight.kind,
    )  # fmt: skip


def _number_needed(fight: Fight, kind: int) -> str:
    if fight.sheltered(kind):
        return _("safe")
    number = fight.needed(kind)
    return _("no roll") if number == NO_ROLL else "6" if number == 6 else f"{number}+"


def notes(beat: PlaybackStep[Fight], seat: Seat) -> list[Note]:
    """Return whether a side fires, and what it has for the advantage."""
    fight = beat.fight
    side = fight.side(seat)
    found = [Note(sources(side))]
    if fight.ahead(seat):
        found.insert(0, Note(_("advantage +{ahead}", ahead=fight.ahead(seat)), strong=True))
    if seat == fight.shooter and beat.winner < 0:
        found.insert(0, Note(_("fires now") if fight.kind >= 0 else _("fires next"), strong=True))
    return found


def roll(event: DiceFell, fight: Fight) -> FallenDice:
    """Return the single die of a shot."""
    face = event.faces[0]
    needed = fight.needed(fight.kind) if fight.kind != NONE else 0
    words = _("{what}: hit!", what=face + 1) if event.hits else _("{what}: missed", what=face + 1)
    words += _(" (needed {needed}{what})", needed=needed, what="+" if needed < 6 else "") if needed else ""
    return FallenDice(event.seat, (_DIE[face],), (event.hits > 0,), event.hits, _DIE, words)


def pause(event: Event) -> float:
    """Return how many seconds a declared target is shown; 0 for other events."""
    if not isinstance(event, Aimed):
        return 0.0
    return _SURE if event.needed == NO_ROLL else _AIMED


BATTLE_SCENE: Final = BattleScene(
    verdict, read, roll, after, pause, changed, title, blocks, notes, LEADERS, BATTLE_ODDS
)


TableGlance = Glance[TableFields]


def _is_aiming(glance: TableGlance) -> bool:
    return isinstance(glance.table.frames[-1], Aiming)


def _holds_prisoners(glance: TableGlance) -> bool:
    return bool(prisoners(glance.table, glance.seat))


HINTS: Final[tuple[Hint[TableFields], ...]] = (
    ODDS,
    Hint(
        "captives",
        _holds_prisoners,
        _(
            "You hold a captive. His owner may pay well for him, or give back one of yours: the button above the "
            "board opens such bargains at any time. A dead general is worth nothing."
        ),
    ),
    Hint(
        "shots",
        _is_aiming,
        _(
            "One shot at a time, at the unit that you name. Catapults decide: each one more than the enemy has lowers "
            "what you must throw, at every shot. Shoot his catapults while you can, infantry when nothing else counts."
        ),
    ),
    Hint(
        "buying",
        when.buying,
        _(
            "A city costs 30, pays 5 in every turn, and leads seven units by itself, so that your generals are free "
            "to march. Do not save for long: the conqueror of your home takes all that lies there."
        ),
    ),
    Hint(
        "sea",
        when.embarking,
        _(
            "Red arrows do not count in this game: every crossing takes a galley. It carries seven units with a "
            "leader, makes two steps, and meets enemy galleys only to fight them."
        ),
    ),
    Hint(
        "alone",
        when.leader_without_units,
        _(
            "A leader without units conquers nothing, not even an empty province, and is captured by the first legion "
            "that comes. Send units with him, or keep him where some stand."
        ),
    ),
    Hint(
        "claim",
        when.picked,
        _(
            "A legion conquers every undefended province that it enters, on its way too. But units stay only with a "
            "leader or in a city: plan who remains, and for what."
        ),
    ),
    when.CAESAR,
    ADVICE,
)


SOUNDS: Final[Mapping[type[Event], Sound | None]] = {
    **SHARED_SOUNDS,
    e.Aimed: None,
    e.Looted: Sound.COIN,
    e.RoadsLost: None,
    e.Rewarded: Sound.COIN,
}
"""Sound of every event of the game; None for silent events."""


def _incomes(event: Event) -> list[Income]:
    match event:
        case e.Looted(seat=seat, loser=loser, talents=talents) if talents:
            plunder = _("Plunder")
            return [Income(seat, plunder, plunder, talents), Income(loser, plunder, plunder, -talents)]
        case e.Rewarded(seat=seat, talents=talents):
            return [Income(seat, _("Captured Caesars"), _("Captured Caesars"), talents)]
        case _:
            return tribute(event)


CONCERNS: Final[Concerns] = {e.Looted: ("seat", "loser"), e.Rewarded: ("seat",)}
"""Events that concern seats, in addition to those of every conquest game."""
FILM: Final[GameReplay[TableFields]] = subject(prices, _incomes, rolling, CONCERNS)


PHASE_OF_STEP: Final = tuple([step.phase for step in Step])

MB1984: Final[Guide[TableFields]] = Guide(
    name="1984",
    look=look(LEADERS, PHASE_OF_STEP, worth),
    living=living,
    prompt=prompt,
    task=task,
    tell=tell,
    battle_scene=BATTLE_SCENE,
    aside=PRISONER_BARGAINS,
    pages=PAGES,
    stops=stops,
    sounds=SOUNDS,
    peril=peril,
    film=FILM,
    spirit=RULES_ADAPTER.spirit,
    drafts=drafted,
    hints=HINTS,
    moment=moment,
    reach=army_reach(definition.MB1984, RULES_ADAPTER.marching),
    landings=landings(definition.MB1984, RULES_ADAPTER.marching, hostile_zone),
)
