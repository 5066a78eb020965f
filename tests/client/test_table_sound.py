"""Sounds at the table: each event by its game's table, in time with the picture, and no others."""

from collections.abc import Callable
from random import Random
from typing import Any, get_args

import arcade
import pytest

from client.drawing import theme
from client.games.registry import GUIDES, guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.network.model import VersionedEvent
from client.sound.sounds import Sound
from client.table.tabletop import Tabletop
from protocol import codec
from protocol.version import PROTOCOL
from shared.ids import NONE
from shared.kernel.frames import Event
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Clock, Welcome
from shared.rulesets.classic.actions import Form
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.cote2 import events as ii
from shared.rulesets.registry import RULESETS
from shared.vocabulary import events as e
from shared.vocabulary.actions import EndMovement, Fight
from shared.vocabulary.events import Why
from tests.client.mouse import at_position
from tests.client.test_network_model import Table as Wire
from tests.support import position1984, positionii
from tests.support.layout import aboard, sp
from tests.support.marks import in_stages
from tests.support.position import caesar, galley, general, march, play, position
from tests.support.referee import Step


class Seat:
    """Player at a table without a server, whose sounds are recorded."""

    def __init__(self, state: Any, seat: int = 0, rules: AnyRuleset = CLASSIC) -> None:
        self.match = at_position(rules, state, seat)
        theme.set_window(*theme.BASE_SIZE)
        self.callbacks = RecordedCallbacks()
        self.top: Tabletop[Any] = Tabletop(self.match, guide(rules.id), self.callbacks)
        self.top.place(*theme.BASE_SIZE)
        self.top.hear()

    @property
    def heard(self) -> list[Sound]:
        """Since the last time."""
        heard, self.callbacks.sounds = self.callbacks.sounds, []
        return heard

    def tell(self, *events: Event, late: bool = False, missed: bool = False) -> list[Sound]:
        """These happened; what is heard at once."""
        self.match.version += 1
        self.match._new_events += [VersionedEvent(self.match.version, event, late) for event in events]
        self.top.hear(missed=missed)
        return self.heard

    def play(self, *steps: Step, late: bool = False, missed: bool = False) -> list[Sound]:
        """This is done."""
        self.match.state = self.match.state.clone()
        return self.tell(*play(self.match.state, *steps), late=late, missed=missed)

    def wait(self, seconds: float) -> list[Sound]:
        """Return the sounds while so much time passes."""
        for _ in range(round(seconds * 20)):
            self.top.update(0.05)
        return self.heard


@pytest.fixture
def at_war(window: arcade.Window) -> Seat:
    """Before an attack on Neapolis."""
    return Seat(
        position(
            homes=("italia", "egyptus"), owners={"neapolis": 1},
            units={"italia": {0: (6, 2, 1)}, "neapolis": {1: (4, 1, 1)}},
            leaders={"italia": [general(0)], "neapolis": [general(1)]},
        )
    )  # fmt: skip


INTO_BATTLE: tuple[Step, ...] = ((0, EndMovement()), (0, Fight(sp("neapolis"), 1)))


# The tables of the games


@pytest.mark.parametrize("game", GUIDES)
def test_every_event_has_its_sound_or_is_silent_by_name(game: str) -> None:
    kinds = set(get_args(RULESETS[game].event_decoder.type))
    assert len(kinds) > 20
    assert set(guide(game).sounds) == kinds


def test_each_game_has_every_sound_that_it_can() -> None:
    of_the_table = set(Sound) - {Sound.TRUMPET, Sound.ALARM, Sound.WIND, Sound.SURF, Sound.STREETS}
    for game in GUIDES:
        assert set(guide(game).sounds.values()) - {None} == of_the_table, game


@pytest.mark.parametrize("game", in_stages(GUIDES, [], ["cote2"]))
def test_whole_stretches_of_play_are_heard_without_a_word_of_complaint(window: arcade.Window, game: str) -> None:
    match = LocalMatch(RULESETS[game], 4, seed=5, seat=1)
    callbacks = RecordedCallbacks()
    top: Tabletop[Any] = Tabletop(match, guide(game), callbacks)
    top.place(*theme.BASE_SIZE)
    top.hear()
    for _ in range(250):
        match.step()
        top.hear()
        top.update(0.3)
    assert len(set(callbacks.sounds)) >= 3


# In time with what is seen


def test_a_march_is_heard_as_it_begins(at_war: Seat) -> None:
    assert at_war.play((0, march("italia", "neapolis", general(0), 4, 2, 1))) == [Sound.MARCH]


def test_a_battle_is_heard_beat_by_beat(at_war: Seat) -> None:
    at_war.play((0, march("italia", "neapolis", general(0), 4, 2, 1)))
    assert at_war.play(*INTO_BATTLE, (0, Form(4, 2, 0)), "......", "......") == [Sound.CLASH, Sound.SURF]
    assert at_war.wait(0.5) == []
    assert at_war.wait(1.0) == [Sound.DICE]
    assert at_war.wait(4.0) == [Sound.DICE]
    assert at_war.wait(20.0) == []


def test_skipped_events_are_silent(at_war: Seat) -> None:
    at_war.play((0, march("italia", "neapolis", general(0), 4, 2, 1)))
    assert at_war.play(*INTO_BATTLE, (0, Form(4, 2, 0)), "......", "......") == [Sound.CLASH, Sound.SURF]
    assert at_war.top.events.hurry()
    assert at_war.heard + at_war.wait(10.0) == []


def test_results_of_a_battle_are_heard_once_they_were_shown(at_war: Seat) -> None:
    at_war.play((0, march("italia", "neapolis", general(0), 4, 2, 1)))
    at_war.play(*INTO_BATTLE)
    assert at_war.top.playback.busy
    assert at_war.tell(e.Tribute(0, 20), e.Won(0, Why.CONCEDED)) == []
    assert at_war.wait(10.0) == [Sound.COIN, Sound.CROWD]


def test_the_end_of_a_match_is_heard_also_where_the_battle_before_it_is_skipped(at_war: Seat) -> None:
    at_war.play((0, march("italia", "neapolis", general(0), 4, 2, 1)))
    at_war.play(*INTO_BATTLE)
    at_war.tell(e.Tribute(0, 20), e.Won(0, Why.CONCEDED))
    assert at_war.top.events.hurry()
    assert at_war.heard == [Sound.CROWD]


# What one has missed


@pytest.mark.parametrize("way", [{"late": True}, {"missed": True}], ids=str)
def test_events_during_an_absence_are_silent(at_war: Seat, way: dict[str, bool]) -> None:
    assert at_war.play((0, march("italia", "neapolis", general(0), 4, 2, 1)), **way) == []
    steps = (*INTO_BATTLE, (0, Form(4, 2, 0)), "......", "......")
    assert at_war.play(*steps, **way) == []
    assert at_war.tell(e.Won(0, Why.CONCEDED), **way) == []
    assert at_war.wait(20.0) == []


def test_the_model_knows_what_was_caught_up_with() -> None:
    wire, chance = Wire(), Random(2)

    def late() -> set[bool]:
        wire.play(4, chance)
        return {told.late for told in wire.model.take_events()}

    assert not wire.model.fresh, "a snapshot"
    assert late() == {False} and wire.model.fresh
    wire.hear(codec.encode(Welcome(PROTOCOL, "Livia", "test", ())))
    assert late() == {True} and not wire.model.fresh
    wire.hear(codec.encode(Clock((0,), 0)))
    assert late() == {False} and wire.model.fresh
    wire.hear(wire.match.snapshot(wire.audience))
    assert not wire.model.fresh and not wire.model.take_events()


# A Caesar in peril


def attacked_at(where: str, **layout: Any) -> Callable[[], tuple[Any, int]]:
    return lambda: (position(homes=("italia", "egyptus"), **layout), sp(where))


PERILS: dict[str, Callable[[], tuple[Any, int]]] = {
    "at home": attacked_at("italia"),
    "in the field": attacked_at("neapolis", leaders={"neapolis": [caesar(0)]}, units={"neapolis": {0: (1, 0, 0)}}),
    "at sea": attacked_at("mare_tyrrhenum", galleys={galley(0): "mare_tyrrhenum"},
                          leaders={aboard(galley(0)): [caesar(0)]}),
}  # fmt: skip


@pytest.mark.parametrize("where", PERILS)
def test_an_attack_on_ones_caesar_sounds_the_alarm(window: arcade.Window, where: str) -> None:
    state, space = PERILS[where]()
    seat = Seat(state)
    assert seat.tell(e.BattleBegan(space, 1, 0)) == [Sound.ALARM]
    assert seat.tell(e.BattleBegan(sp("sicilia"), 1, 0)) == [Sound.CLASH], "elsewhere"
    assert Seat(state, 1).tell(e.BattleBegan(space, 1, 0)) == [Sound.CLASH], "the attacker hears swords"
    assert Seat(state, NONE).tell(e.BattleBegan(space, 1, 0)) == [Sound.CLASH], "so does who looks on"


def test_each_game_knows_its_caesars() -> None:
    old = position1984.position(homes=("italia", "egyptus"))
    peril = guide("mb1984").peril
    assert peril(e.BattleBegan(sp("italia"), 1, 0), old, 0)
    assert not peril(e.BattleBegan(sp("italia"), 0, 1), old, 0)
    new = positionii.position(leaders={"italia": [positionii.caesar(0)]})
    peril = guide("cote2").peril
    assert peril(e.BattleBegan(sp("italia"), 1, 0), new, 0)
    assert peril(ii.RevoltBegan(1, sp("italia"), (0, 2)), new, 0)
    assert not peril(ii.RevoltBegan(1, sp("italia"), (2,)), new, 0)
    assert not peril(e.BattleBegan(sp("sicilia"), 1, 0), new, 0)
