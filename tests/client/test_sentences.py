"""The language of the table: number, verb and case are right in every sentence, whatever is played."""

import re
from collections.abc import Iterator
from typing import Any

import pytest

from client.games.registry import GUIDES
from client.games.static_match import LocalMatch
from client.table.event_text import event_line
from client.table.guide import Guide
from client.table.task_chooser import prompted
from client.table.words import does, force_words, talents_words
from shared.board import BOARD
from shared.rulesets.classic.definition import CLASSIC
from shared.rulesets.classic.table import LEADERS
from shared.rulesets.registry import RULESETS
from tests.client.desk import StillDesk
from tests.support.layout import sp
from tests.support.marks import mostly_long
from tests.support.position import caesar, general, position

FAULTS = (
    r"  ",
    r" [.,:;!?]",
    r"[.,:;?][.,:;]|!\.",
    r"^\s|\s$",
    r"\binfantries\b|\bcavalries\b",
    r"(?<![\d.−+-])\b1 (talents|units|leaders|generals|catapults|galleys|cities|provinces|roads|points|cards|senators|"
    r"votes|hits|dice|tokens|influence tokens|victory points|battles)\b",
    r"(?<![\d/.])\b([02-9]|[1-9]\d+) (talent|unit|leader|general|catapult|galley|city|province(?! token)|road|"
    r"point|card|senator|vote|hit|die|token|battle)\b",
    r"\b[Aa]n? \d+ [a-z]",
    r"\ba [aeio]",
    r"\ban [^aeiou]",
    r"\b(\w+) \1\b",
    r"\bNone\b|\bNONE\b|\{|\}",
    r"[a-z,;] The (slave|auxiliary)",
    r"^(?:A general|The Caesar|1 infantry|1 cavalry|1 catapult)(?: with [^.:;]*)? (?:go|attack|sail|march) ",
)
"""What no sentence has: each finds one kind of slip."""


def faults(sentence: str) -> list[str]:
    """The slips in a sentence."""
    return [slip for slip in FAULTS if re.search(slip, sentence)]


@pytest.mark.parametrize(
    "sentence",
    ["Livia buys 3 infantries.", "Livia pays 1 talents.", "A 2 hits.", "Livia  wins.", "Livia attacks The slave army!",
     "A general with 2 infantry go to Syria.", "1 infantry attack Syria.", "3 galley sink.", "a archer", "the the"],
)  # fmt: skip
def test_slips_are_found(sentence: str) -> None:
    assert faults(sentence)


@pytest.mark.parametrize(
    "sentence",
    ["A general and the Caesar with 2 infantry go to Syria.", "A general with 2 infantry goes to Syria.",
     "11 units, 101 talents, 1 talent.", "Livia leads with 1 vote: Senator I.", "21 talents"],
)  # fmt: skip
def test_sound_sentences_are_left_alone(sentence: str) -> None:
    assert not faults(sentence)


@pytest.mark.parametrize(
    ("leaders", "army", "sentence"),
    [
        ((1,), (2, 0, 0), "a general with 2 infantry goes"),
        ((0,), (0, 0, 0), "the Caesar goes"),
        ((0, 1), (0, 0, 0), "the Caesar and a general go"),
        ((1, 2), (0, 0, 1), "2 generals with 1 catapult go"),
        ((), (1, 0, 0), "1 infantry goes"),
        ((), (1, 0, 2), "1 infantry, 2 catapults go"),
    ],
)
def test_the_verb_goes_with_the_leaders(leaders: tuple[int, ...], army: tuple[int, ...], sentence: str) -> None:
    assert f"{force_words(leaders, army, LEADERS)} {does(leaders, army, 'goes', 'go')}" == sentence


def test_singular_and_plural_differ() -> None:
    assert [talents_words(n) for n in (0, 1, 20)] == ["0 talents", "1 talent", "20 talents"]


@pytest.mark.parametrize(
    ("leaders", "enemy", "line"),
    [
        ([general(0)], False, "A general with 2 infantry goes to Neapolis."),
        ([general(0), caesar(0)], False, "The Caesar and a general with 3 infantry go to Neapolis."),
        ([general(0)], True, "A general with 2 infantry attacks Neapolis."),
        ([general(0), caesar(0)], True, "The Caesar and a general with 3 infantry attack Neapolis."),
    ],
)
def test_a_march_is_put_into_words(leaders: list[int], enemy: bool, line: str) -> None:
    match = LocalMatch(CLASSIC, 2, seat=0)
    units = {"italia": {0: (3, 0, 0)}} | ({"neapolis": {1: (1, 0, 0)}} if enemy else {})
    match.state = position(homes=("italia", "egyptus"), units=units, leaders={"italia": leaders})
    task: Any = GUIDES["classic"].task(StillDesk(match), match.view.frames[-1])
    task.draft.pick_province(sp("italia"))
    for leader in leaders:
        if leader not in task.draft.pick.leaders:
            task.draft.toggle(leader)
    task.draft.aim(sp("neapolis"))
    assert task.line() == line


# --- whole games ---


def chronicle(match: LocalMatch, guide: Guide[Any]) -> Iterator[str]:
    """All that happened since the last time."""
    return (line for told in match.take_events() if (line := event_line(told.event, match.name, guide.tell)))


def position_words(match: LocalMatch, guide: Guide[Any]) -> Iterator[str]:
    """The decision, everybody's numbers, and every space of the board."""
    prompt = prompted(match.view, match.name, guide)
    yield from filter(None, (prompt.what, prompt.how, prompt.hand))
    for seat in range(len(match.view.talents)):
        yield guide.look.person(match.view, seat, match.name).tip
    for space in range(len(BOARD.names)):
        yield from guide.look.describe(match.view, space, match.name).splitlines()


def task_words(match: LocalMatch, guide: Guide[Any]) -> Iterator[str]:
    """Yield the texts in the action bar of the deciding seat."""
    match.seat = match.owed()[0]
    task = guide.task(StillDesk(match), match.view.frames[-1])
    if task is not None:
        yield from filter(None, [task.line(), *(word for b in task.buttons() for word in (b.words, b.tip))])


@pytest.mark.parametrize("seed", mostly_long(range(2), 0))
@pytest.mark.parametrize("ruleset", RULESETS)
def test_no_slip_in_a_whole_game(ruleset: str, seed: int) -> None:
    rules, guide = RULESETS[ruleset], GUIDES[ruleset]
    match = LocalMatch(rules, rules.max_seats - seed, seed=seed + 11)
    said: set[str] = set()
    for number in range(400):
        said.update(chronicle(match, guide))
        if number % 8 == 0 and match.owed():
            said.update(position_words(match, guide))
            said.update(task_words(match, guide))
        if not match.step():
            break
    assert len(said) > 200
    assert not {sentence: found for sentence in said if (found := faults(sentence))}
