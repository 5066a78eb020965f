"""Words and shows: every event has its sentence, every decision its prompt, every battle its beats."""

from typing import Any, get_args

import pytest

from client.games.classic.battle_state import read
from client.games.classic.game_guide import BATTLE_SCENE, scored
from client.games.classic.game_guide import CLASSIC as GUIDE
from client.games.classic.game_guide import PHASE_OF_STEP as PHASES_2005
from client.games.conquest.player_text import PHASES, active, phase
from client.games.mb1984.game_guide import MB1984 as GUIDE_1984
from client.games.mb1984.game_guide import PHASE_OF_STEP as PHASES_1984
from client.games.static_match import LocalMatch
from client.table.battle_playback import BattlePlayback
from client.table.event_text import event_line
from client.table.guide import Guide
from client.table.scene import gather
from client.table.task_chooser import prompted
from shared.ids import CATAPULT, INFANTRY, NATURE, NONE
from shared.kernel.frames import Event
from shared.kernel.ruleset import AnyRuleset
from shared.rulesets.classic.actions import Form, Lose
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.events import AnyEvent, Refunded
from shared.rulesets.mb1984 import events as old
from shared.rulesets.mb1984.definition import MB1984
from shared.vocabulary import events as e
from shared.vocabulary.actions import EndMovement, Fight, Stand
from shared.vocabulary.events import Piece, Why
from tests.support.layout import aboard, prison, sp
from tests.support.position import galley, general, march, play, position
from tests.support.referee import Step

EVENTS: list[tuple[Event, str]] = [
    (e.HomesSet((23, 14)), "Livia in Italia"),
    (e.TurnBegan(1, 4), "Round 4: the turn of Marcus"),
    (e.Marched(0, 23, 30, (0, 1), (3, 0, 1), False), "the Caesar and a general with 3 infantry, 1 catapult"),
    (e.Marched(0, 23, 30, (1,), (0, 0, 0), True), "takes the road"),
    (e.Sailed(0, 0, 23, 42, (), (0, 0, 0)), "A galley of Livia sails to"),
    (e.Sailed(0, 0, 42, 23, (1,), (2, 0, 0)), "Livia lands in Italia"),
    (e.BattleBegan(30, 0, 1), "attacks Marcus in Neapolis"),
    (e.BattleBegan(42, 0, 1), " on "),
    (e.DiceFell(0, 30, (0, 2, 5), 2), "rolls 3 dice: 2 hits"),
    (e.DiceFell(0, 30, (5,), 0), "rolls 1 die: no hit"),
    (e.Fell(1, 30, (2, 0, 0)), "loses 2 infantry"),
    (e.Sank(1, 42, (8, 9)), "2 galleys"),
    (e.Retreated(1, 30, 38, (6,), (1, 0, 0)), "falls back from Neapolis to Sicilia"),
    (e.BattleEnded(30, 0), "holds the field"),
    (e.BattleEnded(30, NONE), "has no winner"),
    (e.Conquered(0, 30, 1), "takes Neapolis from Marcus"),
    (e.Conquered(0, 30, NONE), "is now Livia's"),
    (e.Captured(0, (6, 7)), "2 generals"),
    (e.Killed(0, (6,)), "no mercy"),
    (e.Freed(1, 6, 14), "free again"),
    (e.Eliminated(1, 0), "has fallen"),
    (e.Eliminated(1, NONE), "leaves"),
    (e.Tribute(0, 25), "25 talents"),
    (e.Razed(0, 30), "razes"),
    (e.Bought(0, (2, 0, 0, 1, 0, 0, 3), 70), "2 infantry, 1 galley and 3 roads for 70 talents"),
    (e.Placed(0, Piece.GALLEY, 23), "galley"),
    (e.Placed(0, Piece.CITY, 30), "builds a city in Neapolis"),
    (e.Placed(0, Piece.FORTIFICATION, 30), "Walls"),
    (e.Placed(0, Piece.ROAD, 0), "road joins"),
    (Refunded(0, 10), "10 talents back"),
    (e.InflationTriggered(0, 2), "triple"),
    (e.PricesRose(2), "2 times"),
    (e.Offered(0, 1, 20, (), 0, (1,)), "20 talents for a general"),
    (e.Answered(1, False), "declines"),
    (e.Conceded(0, 1), "victory"),
    (e.Conceded(0, NONE), "fights on"),
    (e.Won(0, Why.LAST_CAESAR), "last Caesar"),
]
EVENTS_1984: list[tuple[Event, str]] = [
    (old.Aimed(0, 30, INFANTRY, 4), "fires at an infantry unit, needing 4 or more"),
    (old.Aimed(0, 30, CATAPULT, 1), "destroys a catapult without a roll"),
    (e.DiceFell(0, 30, (4,), 1), "rolls 5: a hit"),
    (old.Looted(0, 1, 45), "takes the treasury of Marcus: 45 talents"),
    (old.RoadsLost(30, (1, 2)), "2 roads to Neapolis are torn up"),
    (old.Rewarded(0, 100), "100 talents for the captured Caesar"),
    (e.InflationTriggered(0, 1), "from the next player's turn everything costs double"),
    (e.Captured(0, (7, 8)), "the Caesar and a general"),
]
SAID = [(GUIDE, *said) for said in EVENTS] + [(GUIDE_1984, *said) for said in EVENTS_1984]


def who(seat: int) -> str:
    return ("Livia", "Marcus")[seat]


@pytest.mark.parametrize(("guide", "event", "part"), SAID, ids=[type(event).__name__ for _, event, _ in SAID])
def test_every_event_has_its_sentence(guide: Guide[Any], event: Event, part: str) -> None:
    words = event_line(event, who, guide.tell)
    assert part in words
    assert words[-1] in ".!"


def test_no_event_is_forgotten() -> None:
    assert {type(event) for event, _ in EVENTS} == set(get_args(AnyEvent))


def test_no_event_of_a_game_of_1984_is_forgotten() -> None:
    match = LocalMatch(MB1984, 6, seed=5)
    said = set()
    for _ in range(500):
        for told in match.take_events():
            said.add(type(told.event))
            assert event_line(told.event, match.name, GUIDE_1984.tell), told.event
        if not match.step():
            break
    assert said <= set(get_args(old.AnyEvent))
    assert len(said) > 12


@pytest.mark.parametrize(
    ("rules", "guide", "steps", "seen"),
    [(CLASSIC, GUIDE, PHASES_2005, {0, 1, 4, 5}), (MB1984, GUIDE_1984, PHASES_1984, {0, 1, 4})],
)
def test_a_whole_game_has_prompts_and_phases(
    rules: AnyRuleset, guide: Guide[Any], steps: tuple[int, ...], seen: set[int]
) -> None:
    match = LocalMatch(rules, 6, seed=3)
    phases = set()
    for _ in range(300):
        table = match.view
        told = prompted(table, match.name, guide)
        assert told.seat in match.owed()
        assert told.what
        assert told.how
        phases.add(phase(table, steps))
        assert active(table) in range(6)
        if not match.step():
            break
    assert phases >= seen
    assert max(phases) < len(PHASES)


def test_a_scene_counts_what_a_player_has() -> None:
    match = LocalMatch(CLASSIC, 2, seat=0)
    match.state = position(
        homes=("italia", "egyptus"), units={"italia": {0: (3, 1, 0)}},
        leaders={prison(0): [general(1)], aboard(galley(0)): [general(0)]},
        galleys={galley(0): "mare_tyrrhenum"}, cargo={galley(0): (2, 0, 0)}, talents=(35, 0),
    )  # fmt: skip
    mine = next(player for player in gather(match, match.view, GUIDE).players if player.seat == 0)
    assert (mine.person.numbers[0], mine.person.numbers[2], mine.person.badges) == (35, 1, ("general_1",))
    assert "2 leaders, 5 infantry, 1 cavalry, 1 galley." in mine.tip
    assert "Holds 1 general of Marcus." in mine.tip
    words = GUIDE.look.describe(match.view, sp("mare_tyrrhenum"), who)
    assert "carrying a general with 2 infantry" in words
    assert "tribute 10" in GUIDE.look.describe(match.view, sp("italia"), who)
    assert "Italia: your province" in GUIDE.look.describe(match.view, sp("italia"), lambda _seat: "You")


def battle() -> LocalMatch:
    match = LocalMatch(CLASSIC, 2, seat=0)
    match.take_events()
    match.state = position(
        homes=("italia", "egyptus"), units={"italia": {0: (4, 2, 1)}, "neapolis": {1: (3, 0, 0)}},
        leaders={"italia": [general(0)], "neapolis": [general(1)]}, owners={"neapolis": 1},
    )  # fmt: skip
    play(match.state, (0, march("italia", "neapolis", general(0), 4, 2, 1)), (0, EndMovement()))
    return match


def test_a_battle_is_read_from_the_position() -> None:
    match = battle()
    assert read(match.view) is None
    play(match.state, (0, Fight(sp("neapolis"), 1)), (0, Form(4, 2, 0)), "iiii..")
    fight = read(match.view)
    assert fight is not None
    assert fight.attacker.legion == (4, 2, 0)
    assert fight.attacker.reserve == (0, 0, 1)
    assert fight.defender.down == (3, 0, 0)
    assert not fight.naval


def test_dice_that_hit_are_those_with_a_unit_of_their_kind() -> None:
    match = battle()
    play(match.state, (0, Fight(sp("neapolis"), 1)), (0, Form(4, 2, 0)))
    fight = read(match.view)
    assert fight is not None
    roll = scored((5, 0, 2, 3, 3, 4), fight, 0, 3)
    assert roll.scoring == (False, True, True, True, False, False), "a catapult of the reserve counts once"
    assert scored((0, 0, 0, 0), fight, 0, 2).scoring == (True, True, False, False), "never more than count"


def test_beats_follow_each_other_and_can_be_skipped() -> None:
    match = battle()
    playback = BattlePlayback(0, BATTLE_SCENE)
    before = match.view
    match.state = match.state.clone()
    happened: list[Event] = []
    happened += play(match.state, (0, Fight(sp("neapolis"), 1)))
    playback.hear(before, match.view, happened, [event_line(event, who, GUIDE.tell) for event in happened])
    assert playback.beat is not None
    assert "attacks" in playback.beat.verdict
    before = match.view
    match.state = match.state.clone()
    happened = play(match.state, (0, Form(4, 2, 0)), "ii....", ".ii", (0, Lose(2, 0, 0)))
    playback.hear(before, match.view, happened, [event_line(event, who, GUIDE.tell) for event in happened])
    seen = []
    for _ in range(100):
        playback.update(0.1, match.view)
        if playback.beat is not None and playback.beat.roll is not None and playback.beat.roll not in seen:
            seen.append(playback.beat.roll)
    assert [roll.hits for roll in seen] == [2, 2]
    assert not playback.busy
    assert playback.beat is not None, "the battle goes on, so it stays in sight"
    assert not playback.skip()


def test_dice_lie_until_the_next_round() -> None:
    """The versions arrive one after the other, as a server sends them."""
    match = battle()
    playback = BattlePlayback(0, BATTLE_SCENE)

    def lying(*steps: Step) -> list[int]:
        for step in steps:
            before = match.view
            match.state = match.state.clone()
            happened: list[Event] = play(match.state, step)
            playback.hear(before, match.view, happened, [event_line(event, who, GUIDE.tell) for event in happened])
        playback.skip()
        assert playback.beat is not None
        return [roll.seat for roll in playback.beat.lying]

    assert lying((0, Fight(sp("neapolis"), 1)), (0, Form(4, 2, 0))) == []
    assert lying("i.....") == [0]
    assert lying("i..") == [0, 1], "while the attacker chooses what falls"
    assert lying((0, Lose(1, 0, 0))) == [0, 1], "while a retreat is considered"
    assert lying((1, Stand()), (0, Stand())) == [], "a new round"
    assert lying("......") == [0]


def test_the_show_ends_with_the_battle() -> None:
    match = battle()
    playback = BattlePlayback(0, BATTLE_SCENE)
    play(match.state, (0, Fight(sp("neapolis"), 1)), (0, Form(4, 2, 0)))
    before = match.view
    match.state = match.state.clone()
    happened = play(match.state, "iiic..", "...")
    playback.hear(before, match.view, happened, [event_line(event, who, GUIDE.tell) for event in happened])
    assert playback.skip()
    assert playback.beat is not None
    assert playback.beat.winner == 0
    playback.update(0.1, match.view)
    assert playback.beat is None


def test_a_spectator_hears_of_chance() -> None:
    match = LocalMatch(CLASSIC, 2)
    assert match.name(NATURE) == "Chance"
    assert match.name(NONE - 5) == "Nobody"
