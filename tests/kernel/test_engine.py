"""The engine on a toy rule set: decisions owed, refusals, results that travel down the stack, and the end of a
match."""

import re
from collections.abc import Mapping
from random import Random
from typing import Any, Final

import pytest
from msgspec import Struct
from msgspec.msgpack import Decoder

from shared.ids import NATURE, Seat
from shared.kernel import chance, engine
from shared.kernel.frames import (
    STAY,
    Action,
    Dice,
    Draw,
    Drawn,
    Emit,
    Event,
    Frame,
    Handler,
    Rolled,
    automatic,
    goes_on,
    push,
    replace_top,
)
from shared.kernel.ruleset import IllegalAction, Option, Place, Ruleset, StandingActions
from shared.refusal import BrokenRules, Refusal


class Game(Frame, frozen=True, array_like=True, gc=False, tag=50):
    """The lowest frame: asks both seats in turn to guess, rolls a die, and ends when told so."""

    stage: int


class Guess(Frame, frozen=True, array_like=True, gc=False, tag=51):
    seat: Seat


class Both(Frame, frozen=True, array_like=True, gc=False, tag=52):
    waiting: tuple[Seat, ...]


class Circle(Frame, frozen=True, array_like=True, gc=False, tag=53):
    pass


class Say(Action, frozen=True, array_like=True, gc=False, tag=60):
    number: int


class Shout(Action, frozen=True, array_like=True, gc=False, tag=61):
    """Legal at any time."""


class Told(Event, frozen=True, array_like=True, gc=False, tag=0):
    what: str


class Toy(Struct):
    frames: list[Any]
    pushed: int = 1
    results: list[object] = []
    over: bool = False

    def clone(self) -> "Toy":
        return Toy(self.frames[:], self.pushed, self.results[:], self.over)


def _guess_owed(_toy: Toy, frame: Guess) -> tuple[Seat, ...]:
    return (frame.seat,)


def _guess_options(_toy: Toy, _frame: Guess, _seat: Seat) -> list[Action]:
    return [Say(1), Say(2)]


def _guess_check(_toy: Toy, _frame: Guess, _seat: Seat, action: Action) -> Refusal | None:
    if isinstance(action, Say) and 1 <= action.number <= 6:
        return None
    return Refusal("bad-guess", "TOY-01", "Guess from 1 to 6.")


def _guess_apply(_toy: Toy, _frame: Guess, _seat: Seat, action: Say, emit: Emit) -> object:
    emit(Told(f"said {action.number}"))
    return action.number


def _guess_default(_toy: Toy, _frame: Guess, _seat: Seat) -> Action:
    return Say(1)


def _both_owed(_toy: Toy, frame: Both) -> tuple[Seat, ...]:
    return frame.waiting


def _both_apply(toy: Toy, frame: Both, seat: Seat, _action: Say, _emit: Emit) -> object:
    left = tuple(other for other in frame.waiting if other != seat)
    if not left:
        return "both"
    replace_top(toy, Both(frame.no, left))
    return STAY


def _game_resume(toy: Toy, frame: Game, result: object, _emit: Emit) -> object:
    if result is not None:
        toy.results.append(result)
    replace_top(toy, Game(frame.no, frame.stage + 1))
    if frame.stage == 0:
        push(toy, Guess, 0)
    elif frame.stage == 1:
        push(toy, Dice, 2)
    elif frame.stage == 2:
        push(toy, Both, (0, 1))
    elif frame.stage == 3:
        toy.over = True
    return STAY


def _circle(_toy: Toy, _frame: Circle, _result: object, _emit: Emit) -> object:
    return STAY


def _shout(_toy: Toy, seat: Seat, _action: Action) -> Refusal | None:
    return None if seat in (0, 1) else Refusal("out", "TOY-02", "Only players shout.")


def _shouted(toy: Toy, _seat: Seat, _action: Action, emit: Emit) -> None:
    emit(Told("shout"))
    toy.results.append("shout")


def _setup(seats: int, chosen: Mapping[str, int], _amendments: int) -> Toy:
    return Toy([Game(1, 0)], 1, [seats, dict(chosen)])


TOY: Final[Ruleset[Toy, Toy, Say, Told]] = Ruleset(
    id="toy",
    title="Toy",
    version=1,
    min_seats=2,
    max_seats=3,
    options=(Option("speed", "Speed", "How fast.", (1, 2, 5), ("slow", "fast", "mad"), 2),),
    setup=_setup,
    handlers={
        **chance.HANDLERS,
        Game: automatic(_game_resume),
        Guess: Handler(
            _guess_owed, _guess_options, _guess_check, _guess_apply, _guess_default, chance.raise_broken_rules
        ),
        Both: Handler(_both_owed, _guess_options, _guess_check, _both_apply, _guess_default, goes_on),
        Circle: automatic(_circle),
    },
    standing=StandingActions((Shout,), _shout, _shouted),
    view=lambda toy, _seat: toy,
    winner=lambda toy: 0 if toy.over else -1,
    finished=lambda toy: toy.over,
    round_of=lambda _toy: (0,),
    standings=lambda toy: [Place(0, 1, "")],
    invariants=lambda toy: [],
    seat_name=lambda toy, seat: f"Seat {seat}",
    action_decoder=Decoder(Say),
    event_decoder=Decoder(Told),
    view_decoder=Decoder(Toy),
)


def begin() -> Toy:
    toy: Toy = engine.start(TOY, 2, {}, engine.ignore_event)
    return toy


def test_start_settles_until_a_seat_owes() -> None:
    toy = begin()
    assert engine.top(toy) == Guess(2, 0)
    assert engine.owed(TOY, toy) == (0,)
    assert engine.options(TOY, toy, 0) == [Say(1), Say(2)]
    assert engine.default(TOY, toy, 0) == Say(1)


def test_a_result_goes_to_the_frame_below() -> None:
    toy = begin()
    heard: list[Event] = []
    engine.play(TOY, toy, 0, Say(4), heard.append)
    assert heard == [Told("said 4")]
    assert toy.results[2:] == [4]
    assert engine.top(toy) == Dice(3, 2)
    assert engine.owed(TOY, toy) == (NATURE,)
    engine.play(TOY, toy, NATURE, Rolled((0, 5)), heard.append)
    assert toy.results[3:] == [(0, 5)]


def test_a_frame_may_be_owed_by_several_and_stay() -> None:
    toy = begin()
    engine.play(TOY, toy, 0, Say(4), engine.ignore_event)
    engine.play(TOY, toy, NATURE, Rolled((0, 5)), engine.ignore_event)
    assert engine.owed(TOY, toy) == (0, 1)
    number = engine.top(toy).no
    engine.play(TOY, toy, 1, Say(1), engine.ignore_event)
    assert engine.owed(TOY, toy) == (0,)
    assert engine.top(toy).no == number, "the same decision, further on"
    engine.play(TOY, toy, 0, Say(1), engine.ignore_event)
    assert toy.results[-1] == "both"
    assert engine.owed(TOY, toy) == ()
    refusal = engine.check(TOY, toy, 0, Say(1))
    assert refusal is not None
    assert refusal.code == "over"


def test_refusals_are_values_and_play_raises_them() -> None:
    toy = begin()
    for seat, action, code in (
        (1, Say(1), "not-yours"),
        (NATURE, Say(1), "not-yours"),
        (7, Say(1), "not-yours"),
        (0, Say(7), "bad-guess"),
        (0, Rolled((1, 1)), "bad-guess"),
        (5, Shout(), "out"),
    ):
        refusal = engine.check(TOY, toy, seat, action)
        assert refusal is not None
        assert refusal.code == code
        with pytest.raises(IllegalAction) as raised:
            engine.play(TOY, toy, seat, action, engine.ignore_event)
        assert raised.value.refusal == refusal
        assert refusal.text in str(raised.value)
    assert toy.results[2:] == []
    assert engine.top(toy) == Guess(2, 0)


def test_standing_actions_answer_no_frame() -> None:
    toy = begin()
    heard: list[Event] = []
    engine.play(TOY, toy, 1, Shout(), heard.append)
    assert heard == [Told("shout")]
    assert engine.top(toy) == Guess(2, 0)


def test_numbers_are_never_used_again() -> None:
    toy = begin()
    seen = {frame.no for frame in toy.frames}
    engine.play(TOY, toy, 0, Say(4), engine.ignore_event)
    assert toy.frames[-1].no not in seen
    assert [frame.no for frame in toy.frames] == [1, 3]


def test_rules_that_run_in_a_circle_are_caught() -> None:
    toy = Toy([Game(1, 9), Circle(2)], 2)
    with pytest.raises(BrokenRules, match="circle"):
        engine.settle(TOY, toy, engine.ignore_event)


def test_an_empty_stack_is_caught() -> None:
    toy = Toy([Guess(1, 0)])
    with pytest.raises(BrokenRules, match="empty"):
        engine.play(TOY, toy, 0, Say(1), engine.ignore_event)


def test_an_automatic_frame_is_never_asked() -> None:
    handler = automatic(_circle)
    assert handler.owed(Toy([]), Circle(1)) == ()
    for call in (handler.options, handler.default):
        with pytest.raises(BrokenRules):
            call(Toy([]), Circle(1), 0)
    with pytest.raises(BrokenRules):
        handler.check(Toy([]), Circle(1), 0, Say(1))


def test_options_are_checked_and_completed() -> None:
    assert engine.checked_options(TOY, 2, {}) == {"speed": 2}
    assert engine.checked_options(TOY, 3, {"speed": 5}) == {"speed": 5}
    for seats, chosen, text in (
        (1, {}, "Toy takes 2 to 3 players, not 1"),
        (4, {}, "not 4"),
        (2, {"sped": 1}, "no option 'sped'; it has speed"),
        (2, {"speed": 3}, "takes one of 1, 2, 5, not 3"),
    ):
        with pytest.raises(ValueError, match=text):
            engine.start(TOY, seats, chosen, engine.ignore_event)


# --- chance ---


def test_dice_are_checked() -> None:
    toy = Toy([Game(1, 9), Dice(2, 3)], 2)
    for action, legal in (
        (Rolled((0, 3, 5)), True),
        (Rolled((0, 3)), False),
        (Rolled((0, 3, 5, 5)), False),
        (Rolled((0, 3, 6)), False),
        (Rolled((-1, 3, 5)), False),
        (Drawn((0, 1, 2)), False),
        (Say(1), False),
    ):
        assert (engine.check(TOY, toy, NATURE, action) is None) == legal
    assert all(engine.check(TOY, toy, NATURE, action) is None for action in engine.options(TOY, toy, NATURE))
    assert engine.check(TOY, toy, 0, Rolled((0, 3, 5))) is not None, "no player rolls for himself"


def test_lots_are_checked() -> None:
    toy = Toy([Game(1, 9), Draw(2, 3)], 2)
    for action, legal in (
        (Drawn((2, 0, 1)), True),
        (Drawn((0, 1)), False),
        (Drawn((0, 1, 1)), False),
        (Drawn((1, 2, 3)), False),
        (Rolled((0, 1, 2)), False),
    ):
        assert (engine.check(TOY, toy, NATURE, action) is None) == legal
    assert len(engine.options(TOY, toy, NATURE)) == 6
    assert all(engine.check(TOY, toy, NATURE, action) is None for action in engine.options(TOY, toy, NATURE))


def test_chance_has_no_default_and_is_not_resumed() -> None:
    toy = Toy([Dice(1, 1)])
    with pytest.raises(BrokenRules, match="no default"):
        engine.default(TOY, toy, NATURE)
    with pytest.raises(BrokenRules, match="resumed"):
        chance.raise_broken_rules(toy, Dice(1, 1), None, engine.ignore_event)


def test_outcomes_are_drawn_from_a_source() -> None:
    rng = Random(1)
    dice = Toy([Dice(1, 40)])
    seen = set()
    for _ in range(50):
        action = engine.chance_action(dice, rng)
        assert action is not None
        assert engine.check(TOY, dice, NATURE, action) is None
        assert isinstance(action, Rolled)
        seen |= set(action.faces)
    assert seen == set(range(6))
    lots = Toy([Draw(1, 3)])
    orders = set()
    for _ in range(200):
        action = engine.chance_action(lots, rng)
        assert action is not None
        assert engine.check(TOY, lots, NATURE, action) is None
        assert isinstance(action, Drawn)
        orders.add(action.order)
    assert len(orders) == 6
    assert engine.chance_action(Toy([Guess(1, 0)]), rng) is None
    with pytest.raises(BrokenRules, match="not owed by chance"):
        chance.draw(Guess(1, 0), rng)


class Script:
    """A source of chance that always returns 0."""

    def randrange(self, stop: int, /) -> int:
        assert stop > 0
        return 0


def test_a_scripted_source_is_enough() -> None:
    assert chance.draw(Dice(1, 3), Script()) == Rolled((0, 0, 0))
    drawn = chance.draw(Draw(1, 4), Script())
    assert isinstance(drawn, Drawn)
    assert sorted(drawn.order) == [0, 1, 2, 3]


def test_the_description_of_a_rule_set_names_every_field() -> None:
    words = set(re.findall(r"\w+", Ruleset.__doc__ or ""))
    assert set(Ruleset.__struct_fields__) <= words
