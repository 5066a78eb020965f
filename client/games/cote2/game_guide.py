"""Conquest of the Empire II as a `Guide` for the table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from client.games.cote2.battle_scene import BATTLE_SCENE
from client.games.cote2.card_presentation import SHOWN
from client.games.cote2.first_game_hints import HINTS
from client.games.cote2.first_lesson import LESSON
from client.games.cote2.position_display import LOOK
from client.games.cote2.replay_contents import FILM
from client.games.cote2.rules_text import PAGES
from client.games.cote2.senate_lesson import LESSON as SENATE
from client.games.cote2.tasks.task_choice import task
from client.language import _
from client.sound.sounds import Sound
from client.table.army_reach import NOWHERE, ArmyReach, Landing, owners
from client.table.guide import Guide
from client.table.moments import Moment
from shared.board import BOARD
from shared.ids import NONE, Position, Seat, Space
from shared.kernel.frames import Action, Event
from shared.mechanics.armies import take_by_kind
from shared.mechanics.cells import army_of
from shared.mechanics.marching import BEST_FIRST
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2 import ways
from shared.rulesets.cote2.data import NAMED, SEAS
from shared.rulesets.cote2.movement import PER_GALLEY
from shared.rulesets.cote2.state import LEADERS, leaders_at
from shared.rulesets.cote2.table import Table
from shared.sentences.cote2 import prompt, tell
from shared.vocabulary.actions import Retreat
from shared.vocabulary.events import BattleBegan, Conceded, DiceFell, Fell, Retreated

SOUNDS: Final[Mapping[type[Event], Sound | None]] = {
    e.FirstPlayer: None,
    e.InfluenceDrawn: None,
    e.SeasonBegan: Sound.GAVEL,
    e.TokensPlaced: None,
    e.CardsOpened: Sound.CARD,
    e.AuctionBegan: Sound.GAVEL,
    e.BidMade: Sound.COIN,
    e.Passed: None,
    e.Allied: Sound.GAVEL,
    e.Deployed: Sound.MARCH,
    e.TurnBegan: None,  # `TurnAlert` announces the own turn, on every screen.
    e.CardTaken: Sound.CARD,
    e.CardUsed: Sound.CARD,
    e.CityBuilt: Sound.COIN,
    e.CityTaken: None,
    e.Rewarded: Sound.COIN,
    e.Reinforced: Sound.MARCH,
    e.Recruited: Sound.COIN,
    e.InfluenceBought: Sound.COIN,
    e.InfluenceGained: Sound.CARD,
    e.Levied: Sound.COIN,
    e.Marched: Sound.MARCH,
    e.Sailed: Sound.SAIL,
    BattleBegan: Sound.CLASH,
    e.SlippedAway: Sound.SAIL,
    e.Committed: Sound.SAIL,
    e.Lent: Sound.MARCH,
    DiceFell: Sound.DICE,
    Fell: None,
    e.Sank: None,
    Retreated: Sound.MARCH,
    e.BattleEnded: None,
    e.RevoltBegan: Sound.CLASH,
    e.RevoltEnded: None,
    e.GeneralKilled: Sound.CLASH,
    e.SenatorTaken: Sound.COIN,
    e.SenatorKilled: Sound.CLASH,
    e.VoteBegan: Sound.GAVEL,
    e.SenatorsShown: Sound.CARD,
    e.VoteWon: Sound.GAVEL,
    e.SenatorDrawn: Sound.CARD,
    e.Taxed: Sound.COIN,
    e.Scored: None,
    e.ChaosShown: Sound.CARD,
    e.SeasonEnded: Sound.GAVEL,
    Conceded: Sound.GAVEL,
    e.Won: Sound.CROWD,
}
"""Sound of every event of the game; None for silent events."""


def peril(event: Event, before: Table, seat: Seat) -> bool:
    """Whether an event is an attack on the Caesar of that seat. `before`: the position before the event."""
    match event:
        case BattleBegan():
            attacked = event.defender == seat
        case e.RevoltBegan():
            attacked = seat in event.victims
        case _:
            return False
    return attacked and before.leader_at[seat * LEADERS] == event.space


def stops(table: Table, action: Action) -> Sequence[Position]:
    """Return the positions that an action concerns, its start first; empty if it has no place on the board."""
    match action:
        case a.Move(source, armies, leaders):
            return tuple(dict.fromkeys([source, *[to for to, *_ in armies], *[to for _, to in leaders]]))
        case a.Campaign(card, source):
            return source, *NAMED[card]
        case a.Sail(to, galleys, zone):
            path = (*[table.galley_at[galley] for galley in galleys[:1]], to, zone)
            return tuple(dict.fromkeys([stop for stop in path if stop != NONE]))
        case a.Recruit(armies, fleets):
            return tuple(dict.fromkeys([space for space, *_ in (*armies, *fleets)]))
        case a.Deploy(armies, caesar, general, galley):
            stops = [*[space for space, *_ in armies], caesar, general, galley]
            return tuple(dict.fromkeys([stop for stop in stops if stop != NONE]))
        case a.Attack(space) | a.Influence(space) | a.Incite(space) | a.Assemble(space):
            return (space,)
        case Retreat(to) | a.Withdraw(to) if to != NONE:
            return (to,)
    return ()


def army_reach(table: Table, seat: Seat, space: Space) -> ArmyReach:
    """Return the reach of the units of a seat in a province."""
    army = army_of(table.units[space], seat)
    if not any(army):
        return NOWHERE
    return ArmyReach(army, len(leaders_at(table, seat, space)), ways.reach(table, seat, space))


def landings(table: Table, seat: Seat, space: Space) -> list[Landing]:
    """Return the armies that galleys of a seat can put ashore in a province (II-MOVE-04, -05)."""
    room = PER_GALLEY * sum(ways.fleets(table, seat).get(zone, 0) for zone in SEAS[space])
    found = []
    for source in range(BOARD.provinces):
        if not room or seat not in owners(table.units[source]) or space not in ways.landings(table, seat, source):
            continue
        army = take_by_kind(army_of(table.units[source], seat), room, BEST_FIRST)
        found.append(Landing(source, army, len(leaders_at(table, seat, source))))
    return found


_CARDS: Final = 4
"""Largest number of pictures of new cards."""


def moment(event: Event, _before: Table | None) -> Moment | None:
    """Return the moment of an event, or None."""
    match event:
        case e.Allied(seat=seat):
            return Moment(_("The auction is over"), (f"marker_{seat}",), holds=True)
        case e.CardsOpened(cards=cards):
            pictures = dict.fromkeys(SHOWN.of(card).picture(card) for card in sorted(cards))
            return Moment(_("New cards"), tuple(f"card:{name}" for name in pictures)[:_CARDS], holds=True)
        case e.ChaosShown(points=points):
            return Moment(_("Chaos is counted"), _markers(points), holds=True)
        case e.VoteBegan(seat=seat):
            return Moment(_("The senate votes"), ("card:kind_senator", f"marker_{seat}"))
        case e.VoteWon(seat=seat):
            picture = f"marker_{seat}" if seat >= 0 else "card:kind_senator"
            return Moment(_("The senate has decided"), (picture,), holds=True)
        case e.GeneralKilled(seat=seat):
            return Moment(_("An assassination"), ("card:assassin", f"general_{seat}"), holds=True)
        case e.SenatorKilled(seat=seat):
            return Moment(_("An assassination"), ("card:assassin", f"marker_{seat}"), holds=True)
        case e.RevoltBegan(seat=seat):
            return Moment(_("The slaves revolt"), ("card:revolt", f"marker_{seat}"), holds=True)
        case e.CityTaken(seat=seat):
            return Moment(_("A city falls"), ("city", f"marker_{seat}"))
        case _:
            return None


def _markers(points: Sequence[int]) -> tuple[str, ...]:
    """Return the marks of the seats that lose the most points to chaos."""
    worst = max(points, default=0)
    return tuple(f"marker_{seat}" for seat, lost in enumerate(points) if lost == worst > 0)[:_CARDS]


def _living(table: Table) -> list[Seat]:
    """Return all seats: no player is ever out."""
    return list(range(table.seats))


COTE2: Final[Guide[Table]] = Guide(
    name="Conquest II",
    look=LOOK,
    living=_living,
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
    lessons={"cote2": LESSON, "cote2-senate": SENATE},
    hints=HINTS,
    moment=moment,
    reach=army_reach,
    landings=landings,
    marches=2,
)
