"""Events and prompts that all games share in words."""

from collections.abc import Callable, Sequence
from typing import Final, Protocol, TypeVar

from shared.board import BOARD
from shared.ids import NATURE, NONE, Seat
from shared.kernel.frames import Dice, Draw, Event, Frame
from shared.language.sentence import Person, Prompt, Sentence, Value, _, and_list, ngettext, pattern
from shared.mechanics.armies import army_words, total
from shared.vocabulary import events as e


def leaders_words(leaders: Sequence[int], each: int) -> Value:
    """Return words for leaders: ``"the Caesar and 2 generals"``; `each`: number of leaders per colour, the Caesar
    first."""
    generals = sum(1 for leader in leaders if leader % each)
    parts = [_("the Caesar")] if len(leaders) > generals else []
    if generals:
        parts.append(ngettext("a general", "{n} generals", generals))
    return and_list(parts) or _("nobody")


def force_words(leaders: Sequence[int], army: Sequence[int], each: int) -> Value:
    """Return words for a force: ``"a general with 3 infantry, 1 cavalry"``."""
    if not total(army):
        return leaders_words(leaders, each)
    if not leaders:
        return army_words(army)
    return _("{leaders} with {army}", leaders=leaders_words(leaders, each), army=army_words(army))


def force_line(seat: Seat, leaders: Sequence[int], army: Sequence[int], each: int) -> Sentence:
    """Return a force with its owner: ``"Livia: 3 infantry"``."""
    return pattern("{who}: {force}", who=Person(seat), force=force_words(leaders, army, each))


def talents_words(talents: int) -> Sentence:
    """Return words for an amount: ``"1 talent"``, ``"20 talents"``."""
    return ngettext("{n} talent", "{n} talents", talents)


def galleys_words(number: int) -> Sentence:
    """Return galleys in words: ``"a galley"``, ``"3 galleys"``."""
    return ngettext("a galley", "{n} galleys", number)


OPEN: Final = _("The provinces that are open to you are lit.")
"""Explanation of how a way out of a battle is found on the board."""


class SentencePosition(Protocol):
    """Fields of every game's position."""

    winner: Seat

    @property
    def frames(self) -> Sequence[Frame]:
        """Frames of the decisions that are owed, the top one last."""


P = TypeVar("P", bound=SentencePosition)


def asked(table: P, winners: Sequence[Seat], prompt: Callable[[P, Frame], Prompt | None]) -> Prompt:
    """Return the decision owed now. `winners`: seats that have won, once the match is decided; `prompt`: the game's
    words for a frame."""
    if table.winner != NONE:
        best = and_list(map(Person, winners))
        return Prompt(NONE, ngettext("{who} has won", "{who} have won", len(winners), who=best), _("The game is over."))
    frame = table.frames[-1]
    match frame:
        case Dice():
            return Prompt(NATURE, _("The dice are rolling"))
        case Draw():
            return Prompt(NATURE, _("Lots are drawn"))
        case _other:
            return prompt(table, frame) or Prompt(NONE, _("A moment …"))


def tell(event: Event, called: Callable[[Seat], Value] = Person) -> Sentence | None:
    """Return the sentence for an event that all games know; None for others.

    `called`: the name of a seat, in games where units fight that belong to no player.
    """
    match event:
        case e.BattleBegan():
            return _battle(event, called)
        case e.DiceFell():
            return _dice(event, called)
        case e.Fell():
            return _(
                "{who} loses {text} in {place}.",
                who=called(event.seat),
                text=army_words(event.army),
                place=BOARD.names[event.space],
            )
        case e.Retreated():
            return _(
                "{who} falls back from {source} to {to}.",
                who=called(event.seat),
                source=BOARD.names[event.source],
                to=BOARD.names[event.to],
            )
        case e.Conceded():
            return _conceded(event)
        case _other:
            return None


def went_back(seat: Seat) -> Sentence:
    """Return the sentence for a return to an old position; `seat`: the seat that took its own action back, or NONE."""
    if seat == NONE:
        return _("All agreed to go back: what came after counts no more.")
    return _("{who} takes back the last decision.", who=Person(seat))


def _battle(event: e.BattleBegan, called: Callable[[Seat], Value]) -> Sentence:
    who, whom, place = called(event.attacker), called(event.defender), BOARD.names[event.space]
    if event.space < BOARD.provinces:
        return _("{who} attacks {whom} in {place}!", who=who, whom=whom, place=place)
    return _("{who} attacks {whom} on {place}!", who=who, whom=whom, place=place)


def _dice(event: e.DiceFell, called: Callable[[Seat], Value]) -> Sentence:
    hits = ngettext("{n} hit", "{n} hits", event.hits) if event.hits else _("no hit")
    return ngettext(
        "{who} rolls {n} die: {hits}.",
        "{who} rolls {n} dice: {hits}.",
        len(event.faces),
        who=called(event.seat),
        hits=hits,
    )


def _conceded(event: e.Conceded) -> Sentence:
    if event.to == NONE:
        return _("{who} fights on after all.", who=Person(event.seat))
    return _("{who} would grant {who2} the victory.", who=Person(event.seat), who2=Person(event.to))
