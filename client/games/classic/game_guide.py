"""Classic (2005) as a `Guide` for the table."""

from collections.abc import Mapping, Sequence
from typing import Final

from client.games.battle_dice import marked_roll
from client.games.classic.battle_state import BATTLE_ODDS, Fight, Side, after, changed, read
from client.games.classic.combat_tasks import task
from client.games.classic.rules_adapter import RULES_ADAPTER
from client.games.classic.rules_text import PAGES
from client.games.conquest import first_game_hints as when
from client.games.conquest.lesson_drafts import drafted
from client.games.conquest.position_display import look
from client.games.conquest.replay_contents import subject, tribute
from client.games.conquest.shared_guide import SOUNDS as SHARED_SOUNDS
from client.games.conquest.shared_guide import army_reach, landings, moment, peril, stops, verdict
from client.language import _
from client.replay.game_replay import GameReplay, Income
from client.sound.sounds import Sound
from client.table.battle_playback import BattleScene, Block, FallenDice, Note, PlaybackStep
from client.table.guide import Guide
from client.table.hints import ADVICE, ODDS, Hint
from shared.board import BOARD
from shared.ids import GALLEY, NO_ARMY, Seat
from shared.kernel.frames import Event
from shared.lessons.lesson import Glance
from shared.mechanics.pieces import living
from shared.mechanics.tribute import worth
from shared.odds.classic import rolling
from shared.rulesets.classic import definition
from shared.rulesets.classic.events import Refunded
from shared.rulesets.classic.frames import Casualties
from shared.rulesets.classic.options import prices
from shared.rulesets.classic.stages import Step
from shared.rulesets.classic.table import LEADERS, TableFields
from shared.sentences.classic import prompt, tell
from shared.vocabulary import events as e
from shared.vocabulary.frames import Onward


def scored(faces: Sequence[int], fight: Fight, seat: Seat, hits: int) -> FallenDice:
    """Return the roll with its hits marked: dice that find a unit of their kind, `hits` of them at most."""
    side = fight.side(seat)
    room = {"galley": 99} if fight.naval else _land_room(side, fight.pursuit)
    return marked_roll(faces, seat, hits, room)


def _land_room(side: Side, pursuit: bool) -> dict[str, int]:
    if pursuit:
        return {"cavalry": side.legion[1] + side.reserve[1]}
    legion = side.legion if side.formed else side.reserve
    # Catapult faces also count for catapults in the reserve (CL-BATTLE-06).
    return {"infantry": legion[0], "cavalry": legion[1], "catapult": side.legion[2] + side.reserve[2]}


def title(fight: Fight) -> str:
    """Return the battle's title."""
    named = {"place": BOARD.names[fight.space], "round": fight.round}
    if fight.naval:
        return _("Naval battle · {place} · round {round}", **named)
    return (
        _("Pursuit from {place} · round {round}", **named)
        if fight.pursuit
        else _("Battle of {place} · round {round}", **named)
    )


def blocks(beat: PlaybackStep[Fight], seat: Seat) -> list[Block]:
    """Return the units of a side: its legion, and behind it those in reserve."""
    fight = beat.fight
    side = fight.side(seat)
    if fight.naval:
        return [Block(seat, GALLEY, len(side.galleys))]
    legion, reserve = (side.legion, side.reserve) if side.formed else (side.reserve, NO_ARMY)
    found = [Block(seat, arm, legion[arm], side.down[arm] * side.formed) for arm in range(3) if legion[arm]]
    return found + [Block(seat, arm, reserve[arm], helps=_("Reserve")) for arm in range(3) if reserve[arm]]


def notes(_beat: PlaybackStep[Fight], _seat: Seat) -> list[Note]:
    """Return no lines: the units say all."""
    return []


def _pause(_event: Event) -> float:
    return 0.0


def _roll(event: e.DiceFell, fight: Fight) -> FallenDice:
    return scored(event.faces, fight, event.seat, event.hits)


BATTLE_SCENE: Final = BattleScene(
    verdict, read, _roll, after, _pause, changed, title, blocks, notes, LEADERS, BATTLE_ODDS
)


TableGlance = Glance[TableFields]


def _takes_casualties(glance: TableGlance) -> bool:
    frame = glance.table.frames[-1]
    return isinstance(frame, Casualties) and frame.owner == glance.seat


def _may_leave(glance: TableGlance) -> bool:
    return isinstance(glance.table.frames[-1], Onward)


HINTS: Final[tuple[Hint[TableFields], ...]] = (
    ODDS,
    Hint(
        "hits",
        _takes_casualties,
        _(
            "You choose who falls. Infantry is cheapest to replace; but a die hits only with a kind of unit that still "
            "fights for you, so do not give up a whole kind lightly."
        ),
    ),
    Hint(
        "retreat",
        _may_leave,
        _(
            "After each round you may leave for a neighbouring province without enemies; their horsemen pursue. With "
            "the last unit the leaders are lost too: go in time."
        ),
    ),
    Hint(
        "buying",
        when.buying,
        _(
            "New units stand in your home at once. A city costs 30 and pays 5 in every turn. Once a player's "
            "tribute has reached 105 all prices double: what you mean to build, build before."
        ),
    ),
    Hint(
        "sea",
        when.embarking,
        _(
            "One galley carries seven units with their leaders, and makes two steps: out to sea, and on to a sea or "
            "a coast. Units that board or land do not march in that turn."
        ),
    ),
    Hint(
        "alone",
        when.leader_without_units,
        _(
            "A general without units holds nothing: he must flee from every army, and is captured where there is no "
            "way out. Send at least one unit with him."
        ),
    ),
    Hint(
        "claim",
        when.picked,
        _(
            "A province without an owner is yours once a legion enters and a unit stays there: one or two units "
            "for each general are enough. With cavalry he claims two: the infantry stays, and he rides on with the "
            "horsemen."
        ),
    ),
    when.CAESAR,
    ADVICE,
)


SOUNDS: Final[Mapping[type[Event], Sound | None]] = {**SHARED_SOUNDS, Refunded: Sound.COIN}
"""Sound of every event of the game; None for silent events."""


def _incomes(event: Event) -> list[Income]:
    if isinstance(event, Refunded):
        return [Income(event.seat, _("Refunds"), _("What could not be placed"), event.talents)]
    return tribute(event)


FILM: Final[GameReplay[TableFields]] = subject(prices, _incomes, rolling)


PHASE_OF_STEP: Final = tuple([step.phase for step in Step])

CLASSIC: Final[Guide[TableFields]] = Guide(
    name="Classic",
    look=look(LEADERS, PHASE_OF_STEP, worth),
    living=living,
    prompt=prompt,
    task=task,
    tell=tell,
    battle_scene=BATTLE_SCENE,
    aside=None,
    pages=PAGES,
    stops=stops,
    sounds=SOUNDS,
    peril=peril,
    film=FILM,
    spirit=RULES_ADAPTER.spirit,
    drafts=drafted,
    hints=HINTS,
    moment=moment,
    reach=army_reach(definition.CLASSIC, RULES_ADAPTER.marching),
    landings=landings(definition.CLASSIC, RULES_ADAPTER.marching),
)
