"""Battles of the second game, read from the position and shown one beat after the other."""

from itertools import chain
from typing import Any
from zlib import crc32

import arcade
import pytest

from client.drawing import theme
from client.games.cote2.battle_state import Band, Fight, after, read
from client.games.cote2.game_guide import BATTLE_SCENE, blocks, pause, roll, sources, title, verdict
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.player.settings import PlaySettings
from client.table.battle_panel import BattlePanel
from client.table.battle_playback import TUMBLE, BattlePlayback, OutcomeEvent, PlaybackStep
from client.table.event_text import event_line
from client.table.tabletop import Tabletop
from shared.ids import NONE
from shared.kernel.frames import Event
from shared.rulesets.cote2 import combat_phase
from shared.rulesets.cote2 import events as e
from shared.rulesets.cote2 import frames as f
from shared.rulesets.cote2.actions import Attack, Commit, Incite, Lend, Lose, Sail, Slip
from shared.rulesets.cote2.definition import COTE2
from shared.rulesets.cote2.state import ALIENS, REBELS, State, TableFields
from shared.sentences.cote2 import tell
from shared.vocabulary.actions import Retreat, Stand
from shared.vocabulary.events import BattleBegan, DiceFell, Fell, Retreated
from tests.client.conftest import Photograph
from tests.client.cote2.random_matches import walk, who
from tests.support.layout import sp
from tests.support.marks import pairs_in_stages, with_releases
from tests.support.positionii import caesar, galley, general, owed, play, position
from tests.support.referee import Step

EGYPT, RHODUS, ASIA = sp("egyptus"), sp("mare_rhodus"), sp("asia")


def at_egypt(*steps: Step) -> State:
    """Two armies with allies, galleys, auxiliaries and a city."""
    state = position(
        4, order=(0, 1, 2, 3),
        units={"egyptus": {0: (8, 2, 1), 1: (6, 1, 0), 2: (3, 1, 0), 3: (2, 0, 1)}},
        leaders={"egyptus": [general(0), caesar(0), general(3)]}, cities={"egyptus": 1},
        galleys={galley(0): "mare_alexandria", galley(1): "mare_pelusium", galley(2): "mare_pelusium"},
        cards={0: ["army_training", "army_training"], 1: ["diplomacy_egypt"]},
    )  # fmt: skip
    play(state, (0, Attack(EGYPT, 1)), *steps)
    return state


def at_sea(*steps: Step) -> State:
    """Two fleets, pirates, and an ally of the attacker."""
    state = position(
        4, order=(0, 1, 2, 3),
        galleys={**{galley(0, k): "mare_rhodus" for k in range(3)}, galley(1): "mare_rhodus", galley(2): "mare_rhodus"},
        cards={0: ["naval_training"], 1: ["diplomacy_pirates", "favorable_wind"]},
    )  # fmt: skip
    play(state, (0, Sail(NONE, (), RHODUS, 1)), *steps)
    return state


def revolt(*steps: Step) -> State:
    """Slaves against everybody in Asia."""
    state = position(
        3, units={"asia": {0: (2, 0, 0), 1: (1, 1, 0), 2: (4, 0, 1)}}, leaders={"asia": [general(1)]},
        row=["slave_revolt"],
    )  # fmt: skip
    play(state, (0, Incite(ASIA, (1, 2))), *steps)
    return state


def skirmish() -> State:
    """Two armies in Galatia, about to roll."""
    state = position(4, units={"galatia": {0: (2, 0, 0), 1: (2, 0, 0)}}, leaders={"galatia": [general(1)]})
    play(state, (0, Attack(sp("galatia"), 1)))
    return state


GATHERED: tuple[Step, ...] = (
    (0, Commit((galley(0),))), (1, Commit(())), (2, Lend(2, 1, 0, (galley(2),))), (3, Lend(0, 0, 1)),
)  # fmt: skip


def seen(state: State) -> Fight:
    """The battle as an onlooker reads it."""
    fight = read(COTE2.view(state, None))
    assert fight is not None
    return fight


def test_no_battle_is_read_where_there_is_none() -> None:
    assert read(position()) is None


def test_the_armies_gather_one_after_the_other() -> None:
    fight = seen(at_egypt())
    assert fight.gathering
    assert title(fight) == "Egyptus · the armies gather"
    assert (fight.attacker.asked, fight.attacker.status) == (0, "may bring galleys")
    assert fight.attacker.leaders == (caesar(0), general(0))
    assert fight.defender.bands() == [Band(1, (6, 1, 0), 0), Band(ALIENS, (2, 1, 0), 1)]
    fight = seen(at_egypt(*GATHERED[:2]))
    assert (fight.attacker.asked, fight.attacker.status, fight.defender.asked) == (2, "may lend units", NONE)
    fight = seen(at_egypt(*GATHERED))
    assert not fight.gathering
    assert title(fight) == "Battle of Egyptus · round 1"
    assert fight.attacker.bands() == [Band(0, (8, 2, 1), 1), Band(2, (2, 1, 0), 1)]
    assert fight.defender.bands() == [Band(1, (6, 1, 0), 0), Band(3, (0, 0, 1), 0), Band(ALIENS, (2, 1, 0), 1)]


def test_dice_come_from_units_leaders_cities_and_training() -> None:
    fight = seen(at_egypt(*GATHERED))
    assert sources(fight.attacker) == "= 3 + leader + 2 training"
    assert sources(fight.defender) == "= 3 + leader + city"
    fight = seen(at_sea())
    assert (fight.attacker.rolls, sources(fight.attacker)) == (4, "= 3 galleys + training")
    assert (fight.defender.rolls, sources(fight.defender)) == (3, "")
    fight = seen(revolt())
    assert (fight.attacker.rolls, sources(fight.attacker), sources(fight.defender)) == (3, "", "= 3 + leader")


def test_losses_are_announced_to_both() -> None:
    """A defender with a city strikes first; at sea both know what is coming."""
    fight = seen(at_egypt(*GATHERED, "iick."))
    assert (fight.attacker.asked, fight.attacker.status) == (0, "4 units fall")
    fight = seen(at_sea((1, Slip(False)), (2, Lend(galleys=(galley(2),))), "gg...", "g.."))
    assert (fight.defender.asked, fight.defender.status) == (1, "2 units fall")
    assert (fight.attacker.asked, fight.attacker.status) == (NONE, "1 unit falls")
    assert title(fight) == "Mare Rhodus · round 1 of 3"


def test_slaves_fight_without_leaders() -> None:
    fight = seen(revolt())
    assert title(fight) == "Slave revolt in Asia · round 1"
    assert fight.attacker.bands() == [Band(REBELS, (4, 0, 0), 0)]
    assert fight.attacker.leaders == ()
    assert BATTLE_SCENE.strangers[REBELS]


def test_a_retreat_is_asked_and_then_the_battle_is_over() -> None:
    state = revolt("...", "....")
    fight = seen(state)
    assert (fight.defender.asked, fight.defender.status) == (1, "may retreat")
    play(state, (1, Stand()))
    assert seen(state).round == 2
    state = skirmish()
    play(state, "ii.", "....")
    assert any(isinstance(frame, f.Withdrawal) for frame in state.frames)
    assert read(state) is None


def test_units_join_and_fall_between_two_rolls() -> None:
    fight = seen(at_egypt())
    fight = after(fight, e.Committed(0, EGYPT, (galley(0),)))
    assert fight.attacker.asked == NONE
    fight = after(fight, e.Lent(2, 0, EGYPT, (2, 1, 0), (galley(2),)))
    assert fight.attacker.bands() == seen(at_egypt(*GATHERED)).attacker.bands()
    fight = after(fight, Fell(ALIENS, EGYPT, (1, 0, 0)))
    fight = after(fight, e.Sank(1, EGYPT, (), 1))
    fight = after(fight, Fell(2, EGYPT, (0, 1, 0)))
    assert fight.defender.bands()[-1] == Band(ALIENS, (1, 1, 0), 0)
    assert fight.attacker.bands()[-1] == Band(2, (2, 0, 0), 1)


def test_dice_that_hit_are_those_with_a_unit_of_their_kind() -> None:
    fight = seen(at_egypt(*GATHERED))
    shown = roll(DiceFell(1, EGYPT, (3, 3, 4, 4, 0), 3), fight)
    assert shown.scoring == (True, False, True, False, True)
    assert shown.words == "3 hits"
    assert shown.faces[0] == "die_catapult"
    fight = seen(at_sea())
    assert roll(DiceFell(1, RHODUS, (0, 4, 4), 2), fight).scoring == (False, True, True), "only galleys at sea"


def test_verdicts_and_pauses() -> None:
    verdicts = {
        e.BattleEnded(ASIA, 0, 1): OutcomeEvent(over=True, winner=0),
        Retreated(0, ASIA, EGYPT, (), (1, 0, 0)): OutcomeEvent(),
        e.CityTaken(0, ASIA, 1): OutcomeEvent(),
        e.SlippedAway(0, RHODUS): OutcomeEvent(),
        e.Lent(2, 0, ASIA, (1, 0, 0), ()): None,
    }
    assert {event: verdict(event) for event in verdicts} == verdicts
    assert pause(e.Lent(2, 0, ASIA, (1, 0, 0), ())) > 0
    assert pause(e.Committed(0, ASIA, (0,))) > 0
    assert pause(Fell(0, ASIA, (1, 0, 0))) == 0


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_battles_of_random_games(seats: int) -> None:
    """As many dice as the rules give; units of both sides as in the frame; whatever falls was there."""
    before: Fight | None = None
    shown = 0
    for state, view, events in chain.from_iterable(walk(seats, seed, 300) for seed in range(1, 12, 2)):
        if before is not None:
            for event in events:
                if isinstance(event, BattleBegan):
                    break
                before = after(before, event)
                assert min(before.attacker.units + before.defender.units, default=0) >= 0
        fight = before = read(view)
        frame = next((frame for frame in reversed(state.frames) if isinstance(frame, f.Battle)), None)
        if fight is None or frame is None:
            continue
        shown += 1
        for side, units in (
            (fight.attacker, combat_phase.attackers(frame)),
            (fight.defender, combat_phase.defenders(frame)),
        ):
            assert side.rolls == combat_phase.dice(state, frame, side.seat)
            assert sum(sum(band.army) + band.galleys for band in side.bands()) == units
            assert sum(side.count(arm) for arm in range(3)) + side.galleys == units
            assert sum(block.count for block in blocks(PlaybackStep(fight, 1.0), side.seat)) == units
            if side.asked != NONE:
                assert owed(state) == (side.asked,)
        assert title(fight)
    assert shown > 50


# --- seen on the stage ---


def hear(playback: BattlePlayback[TableFields, Fight], match: LocalMatch, *steps: Step) -> None:
    """Something happens, and the theatre hears of it."""
    before = match.view
    match.state = match.state.clone()
    happened: list[Event] = play(match.state, *steps)
    playback.hear(before, match.view, happened, [event_line(event, who, tell) for event in happened])


def beats(playback: BattlePlayback[TableFields, Fight], match: LocalMatch) -> list[PlaybackStep[Fight]]:
    """All beats until nothing waits any more."""
    found: list[PlaybackStep[Fight]] = []
    while playback.beat is not None and (not found or playback.busy):
        if playback.beat not in found:
            found.append(playback.beat)
        playback.update(0.2, match.view)
    return found


SCENES: list[tuple[str, Any, tuple[Step, ...], str]] = [
    ("gather", at_egypt, (), "the armies gather"),
    ("lent", lambda: at_egypt(*GATHERED[:2]), GATHERED[2:3], "lends"),
    ("city-first", lambda: at_egypt(*GATHERED), ("iick.", (0, Lose(((0, 4, 0, 0),)))), "4 hits"),
    ("wind", at_sea, ((1, Slip(True)),), "carries Marcus away. Neither side is beaten in Mare Rhodus."),
    ("slaves", revolt, ("iii", "...."), "2 hits"),
    ("retreat", skirmish, ("...", "....", (1, Retreat(sp("cilicia")))), "falls back"),
]


@pytest.mark.parametrize(
    ("name", "build", "steps", "part"), pairs_in_stages(SCENES, SCENES[::2], SCENES), ids=[name for name, *_ in SCENES]
)
def test_the_stage_shows_it(
    window: arcade.Window, photograph: Photograph, name: str, build: Any, steps: tuple[Step, ...], part: str
) -> None:
    match = LocalMatch(COTE2, 4, seat=1)
    match.take_events()
    match.state = build()
    playback = BattlePlayback(1, BATTLE_SCENE)
    stage = BattlePanel(match, playback)
    theme.set_window(*theme.BASE_SIZE)
    if steps:
        hear(playback, match, *steps)
    else:
        playback.hear(None, match.view, (), ())
    stage.place(arcade.LBWH(0, 0, *theme.BASE_SIZE), [(0.0, 0.0)])
    shown = []
    for beat in beats(playback, match):
        playback.beat, playback.age = beat, 1.0
        window.clear()
        stage.draw()
        words = beat.roll.words if beat.roll is not None else beat.verdict
        shown.append(f"{title(beat.fight)} {words}")
        photograph(f"battle-2005-{name}")
    assert any(part in words for words in shown), shown


# --- at a human pace ---

BECALMED: tuple[Step, ...] = ((1, Slip(False)), (2, Lend(galleys=(galley(2),))), *((".....", "...") * 3))
"""Three rounds at sea without a hit."""


def one_by_one(playback: BattlePlayback[TableFields, Fight], match: LocalMatch, *steps: Step) -> None:
    """As a server sends it: one version for each action and each roll."""
    for step in steps:
        hear(playback, match, step)


def sailing(seat: int) -> tuple[LocalMatch, BattlePlayback[TableFields, Fight]]:
    """Return a match before the battle at sea, as one seat sees it, and its playback."""
    match = LocalMatch(COTE2, 4, seat=seat)
    match.take_events()
    match.state = at_sea()
    return match, BattlePlayback(seat, BATTLE_SCENE)


def lying_still(playback: BattlePlayback[TableFields, Fight], match: LocalMatch) -> list[float]:
    """For how long each roll is seen when it has come to rest."""
    found: dict[int, float] = {}
    while playback.beat is not None:
        if playback.beat.roll is not None and playback.age >= TUMBLE:
            found[id(playback.beat)] = found.get(id(playback.beat), 0.0) + 0.02
        playback.update(0.02, match.view)
    return [*found.values()]


@pytest.mark.parametrize("seat", [0, 1, 2], ids=["attacker", "defender", "lender"])
def test_participants_see_every_roll(seat: int) -> None:
    match, playback = sailing(seat)
    one_by_one(playback, match, *BECALMED)
    seen = lying_still(playback, match)
    assert len(seen) == 6
    assert min(seen) > 0.8


def test_an_onlooker_sees_every_roll_come_to_rest_the_shorter_the_more_wait_behind_it() -> None:
    match, playback = sailing(3)
    one_by_one(playback, match, *BECALMED)
    seen = lying_still(playback, match)
    assert len(seen) == 6
    assert min(seen) > 0.08 and seen == sorted(seen)
    assert 0.4 < seen[-1] < 0.7


def test_both_rolls_lie_until_the_next_round() -> None:
    match, playback = sailing(0)

    def lying(*steps: Step) -> list[str]:
        one_by_one(playback, match, *steps)
        playback.skip()
        assert playback.beat is not None
        return [roll.words for roll in playback.beat.lying]

    assert lying(*BECALMED[:2]) == []
    assert lying("gg...") == ["2 hits"]
    assert lying("g..") == ["2 hits", "1 hit"], "the defender chooses what sinks"
    assert lying((1, Lose(extra=2))) == ["2 hits", "1 hit"], "the attacker as well"
    assert lying((0, Lose(galleys=(galley(2),)))) == []
    assert lying("....") == ["no hit"], "the second round"


def test_dice_of_a_round_are_seen_with_what_they_sink() -> None:
    """The ship that goes down belongs to the round in which it was hit."""
    match, playback = sailing(0)
    one_by_one(playback, match, *BECALMED[:2], ".....", "g..", (0, Lose(galleys=(galley(2),))), "....")
    shown = [(title(beat.fight)[-6:], beat.fight.attacker.galleys, len(beat.lying)) for beat in beats(playback, match)]
    assert ("1 of 3", 3, 2) in shown
    assert shown[-1] == ("2 of 3", 3, 0), "the dice of the second round fall"


def test_the_fallen_lie_to_the_end() -> None:
    match = LocalMatch(COTE2, 4, seat=0)
    match.take_events()
    match.state = skirmish()
    playback = BattlePlayback(0, BATTLE_SCENE)
    one_by_one(playback, match, "ii.", "i...")
    shown = beats(playback, match)
    lost = [beat.lost for beat in shown]
    assert lost[-1] == {(1, 0): 2, (0, 0): 1}
    assert shown[-1].verdict and shown[-1].winner == 0
    assert sum(beat.lost != beat.before for beat in shown) in (1, 2), "each loss is shown once"
    assert sum(block.count for block in blocks(shown[-1], 1)) == 0


def lasting(state: State, *steps: Step, settings: PlaySettings | None = None) -> tuple[float, bool]:
    """Return the seconds for which a battle is shown to its attacker, and whether anything moved in it."""
    match = LocalMatch(COTE2, 4, seat=0)
    match.take_events()
    playback = BattlePlayback(0, BATTLE_SCENE, play_settings=settings or PlaySettings())
    before = match.view
    match.state, match.version = state, match.version + 1
    began = BattleBegan(sp("galatia"), 0, 1)
    playback.hear(before, match.view, [began], [event_line(began, who, tell)])
    one_by_one(playback, match, *steps)
    seconds, moved = 0.0, False
    while playback.busy:
        moved |= playback.stirring
        playback.update(0.02, match.view)
        seconds += 0.02
    return seconds, moved


def alone() -> State:
    """A battle of two single units."""
    state = position(4, units={"galatia": {0: (1, 0, 0), 1: (1, 0, 0)}})
    play(state, (0, Attack(sp("galatia"), 1)))
    return state


def test_a_skirmish_takes_two_seconds_and_a_battle_longer() -> None:
    short, moved = lasting(alone(), "i..", "...")
    assert 1.5 < short < 3.0
    assert moved
    assert lasting(skirmish(), "ii.", "....")[0] > 2 * short


def test_nothing_moves_for_players_who_want_still_pictures() -> None:
    seconds, moved = lasting(skirmish(), "ii.", "i...", settings=PlaySettings(still=True))
    assert seconds > 4.0, "the pictures stay as long as usual"
    assert not moved


def crowd() -> State:
    """All that can meet on land: three helpers a side, with galleys and a card's troops."""
    state = position(
        6, order=(0, 1, 2, 3, 4, 5), sides=(0, 1, 0, 0, 0, 1), cities={"egyptus": 1},
        units={"egyptus": dict.fromkeys(range(6), (9, 3, 1))},
        leaders={"egyptus": [caesar(0), general(0), general(0, 2), caesar(1), general(1)]},
        galleys={galley(seat, k): "mare_pelusium" for seat in range(6) for k in range(2)},
        cards={0: ["army_training", "army_training"], 1: ["diplomacy_egypt"]},
    )  # fmt: skip
    play(state, (0, Attack(EGYPT, 1)))
    return state


def armada() -> State:
    """All galleys there are in one sea."""
    state = position(
        6, order=(0, 1, 2, 3, 4, 5), sides=(0, 1, 0, 0, 0, 1),
        galleys={galley(seat, k): "mare_rhodus" for seat in range(6) for k in range(8)},
        cards={0: ["naval_training", "naval_training"], 1: ["diplomacy_pirates"]},
    )  # fmt: skip
    play(state, (0, Sail(NONE, (), RHODUS, 1)))
    return state


def throw(number: int) -> str:
    """So many dice."""
    return "ickg."[: number % 5] + "ickg." * (number // 5)


LARGEST: list[tuple[str, Any, tuple[Step, ...]]] = [
    ("crowd", crowd,
     (*((seat, Commit((galley(seat), galley(seat, 1)))) for seat in (0, 1)),
      *((seat, Lend(9, 3, 1, (galley(seat), galley(seat, 1)))) for seat in (2, 3, 4, 5)),
      throw(5), (0, Lose(((0, 4, 0, 0),))), throw(6))),
    ("armada", armada,
     (*((seat, Lend(galleys=tuple(galley(seat, k) for k in range(8)))) for seat in (2, 3, 4, 5)),
      throw(34), throw(18))),
]  # fmt: skip


@pytest.mark.long
@pytest.mark.parametrize("size", [(1024, 680), (1280, 800), (1920, 1080)], ids=str)
@pytest.mark.parametrize(("name", "build", "steps"), LARGEST, ids=[name for name, *_ in LARGEST])
def test_the_largest_battles_stay_on_the_board(
    window: arcade.Window, name: str, build: Any, steps: tuple[Step, ...], size: tuple[int, int]
) -> None:
    match = LocalMatch(COTE2, 6, seat=0)
    match.take_events()
    match.state = build()
    theme.set_window(*size)
    top = Tabletop(match, guide(match.rules.id), RecordedCallbacks())
    top.place(*size)
    top.hear()
    rolls = 0
    for step in steps:
        hear(top.playback, match, step)
        top.place(*size)
        while top.playback.busy:
            beat = top.playback.beat
            assert beat is not None
            rolls += beat.roll is not None and top.playback.age == 0.0
            board, stage = top.board.rect, top.stage.rect
            assert board.left <= stage.left < stage.right <= board.right
            assert board.bottom <= stage.bottom < stage.top <= board.top
            top.playback.update(0.1, match.view)
    assert rolls == 2


@pytest.mark.long
@pytest.mark.parametrize("number", with_releases([1, 5, 14, 34], 14))
def test_dice_never_leave_the_plate(painted: arcade.Window, number: int) -> None:
    match, playback = sailing(0)
    stage = BattlePanel(match, playback)
    theme.set_window(*theme.BASE_SIZE)
    fight = seen(match.state)
    for seat in (0, 1):
        rolled = roll(DiceFell(seat, RHODUS, (4,) * number, number), fight)
        playback.beat = PlaybackStep(fight, 2.0, rolled, lying=(rolled,))
        stage.place(arcade.LBWH(100, 100, 1000, 600), [])
        rect = stage.rect
        around, everything = set(), set()
        for playback.age in (0.0, 0.04, 0.1, 0.2, 0.3, 0.5, 0.7, 0.9):
            painted.clear(color=theme.NIGHT)
            stage.draw()
            picture = arcade.get_image(0, 0, *theme.BASE_SIZE)
            everything.add(crc32(picture.tobytes()))
            inside = (int(rect.left), int(800 - rect.top), int(rect.right), int(800 - rect.bottom))
            picture.paste((0, 0, 0, 255), inside)
            around.add(crc32(picture.tobytes()))
        assert len(around) == 1, "nothing moves outside"
        assert len(everything) > 4, "inside they tumble"
