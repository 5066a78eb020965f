"""Sentences of the questions that people at a table put to each other."""

from typing import Final

from shared.ids import NONE, Seat
from shared.language.sentence import Person, Sentence, Value, _
from shared.messages import Poll
from shared.tables import Matter

_PLAIN: Final = {
    Matter.PAUSE: _("{who} asks for a pause."),
    Matter.GO_ON: _("{who} asks to go on."),
    Matter.BACK: _("{who} asks to go back. Dice that fell since then will be rolled again."),
    Matter.END: _("{who} asks to end the match now and count."),
}


def proposal(poll: Poll, *, moment: Value = "", time: str = "", pace: str = "") -> Sentence:
    """Return the question and its asker. `moment`: to which the match would go back, if it is known; `time`: how much
    more a player would have; `pace`: other clocks."""
    motion, who, whom = poll.motion, Person(poll.seat), Person(poll.motion.seat)
    match motion.matter:
        case Matter.SEAT if motion.name and poll.seat == NONE:
            return _("{name} asks to play for {whom} from now on.", name=motion.name, whom=whom)
        case Matter.SEAT if motion.name:
            return _("{who} asks that {name} plays for {whom} from now on.", who=who, name=motion.name, whom=whom)
        case Matter.SEAT if motion.turn:
            return _("{who} asks that a bot plays this turn for {whom}.", who=who, whom=whom)
        case Matter.SEAT:
            return _("{who} asks that a bot plays for {whom}.", who=who, whom=whom)
        case Matter.BACK if moment:
            return _(
                "{who} asks to go back: {moment}. Dice that fell since then will be rolled again.",
                who=who,
                moment=moment,
            )
        case Matter.TIME:
            return _("{who} asks for more time for {whom}: {time}.", who=who, whom=whom, time=time)
        case Matter.PACE:
            return _("{who} asks for other clocks: {pace}.", who=who, pace=pace)
        case _:
            return Sentence(_PLAIN[motion.matter].key, {"who": who})


def before_attack(seat: Seat, place: str) -> Sentence:
    """Return the words for the moment before an attack."""
    return _("before {who} attacks in {place}", place=place, who=Person(seat))


def to_turn(seat: Seat) -> Sentence:
    """Return the words for the beginning of a turn."""
    return _("to the turn of {who}", who=Person(seat))


def before_decision(seat: Seat) -> Sentence:
    """Return the words for the moment before a player's last decision."""
    return _("before the last decision: {who}", who=Person(seat))


def to_round(number: tuple[int, ...]) -> Sentence:
    """Return the words for the beginning of a round, or of a season and its round."""
    if len(number) == 1:
        return _("to the beginning of round {n}", n=number[0])
    if not number[-1]:
        return _("to the beginning of season {n}", n=number[0])
    return _("to season {season}, round {n}", n=number[-1], season=number[0])
