"""Players are addressed as "you" wherever a sentence is about them, and all others have their names."""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest

from client.games.static_match import LocalMatch
from client.language import tongue
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.labels.registry import label_of
from shared.language.sentence import Value, render
from shared.rulesets.registry import RULESETS
from shared.sentences.proposals import before_attack, before_decision, to_turn
from shared.sentences.registry import SENTENCES
from shared.sentences.since_turn import at_turn_start
from shared.sentences.yours import prompt_to_reader, to_reader

NAMES: Final = ("Xanthe", "Ygraine", "Zelda", "Quirin")
SEAT: Final = 1
NUMBERED: Final = re.compile(r"\b(Seat|Platz|seat) \d|\bCaesar (II?I?|IV|V)\b|\b(CL|MB|II)-[A-Z]+\d|\b[0-9a-f]{8,}\b")
"""Seat numbers, "Caesar II", ids of rules and hashes."""


def who(seat: int) -> str:
    return NAMES[seat] if 0 <= seat < len(NAMES) else "Nobody"


def shown(
    match: LocalMatch, told: list[tuple[int, Any]], fresh: list[tuple[int, Any]], reader: Seat
) -> Iterator[Value]:
    """Yield what a program shows to a reader at this position."""
    game = SENTENCES[match.rules.id]
    yield from (to_reader(said, reader) for _version, event in fresh if (said := game.tell(event)))
    prompt = prompt_to_reader(game.prompt(match.view), reader)
    yield from (prompt.what, prompt.news, *((prompt.how, prompt.hand) if prompt.seat in (reader, NONE) else ()))
    yield from (one.words for one in at_turn_start(game, told, reader, match.version)) if reader != NONE else ()
    for moment in (before_attack(SEAT, "Gallia"), to_turn(SEAT), before_decision(SEAT)):
        yield to_reader(moment, reader)
    if reader in match.owed():
        for action in list(engine.options(match.rules, match.view, reader))[:40]:
            label = label_of(match.rules.id, match.view, reader, action)
            yield from (label.text, label.group) if label is not None else ()


@pytest.mark.parametrize(("game", "steps"), [
    *((game, 40) for game in RULESETS), *(pytest.param(game, 900, marks=pytest.mark.long) for game in RULESETS)
])  # fmt: skip
def test_readers_see_names_and_you_but_no_numbers(game: str, steps: int) -> None:
    tongues, seen = [tongue("en"), tongue("de")], 0
    for reader in (SEAT, NONE):
        match = LocalMatch(RULESETS[game], 4, seed=steps + reader, seat=reader)
        told: list[tuple[int, Any]] = []
        for _step in range(steps):
            if not match.step():
                break
            fresh = [(one.version, one.event) for one in match.take_events()]
            told += fresh
            for value in shown(match, told, fresh, reader):
                for words in tongues:
                    line = render(value, words, who)
                    seen += 1
                    assert reader == NONE or NAMES[reader] not in line, line
                    assert reader != NONE or not re.search(r"\b([Yy]ou|du|dich|dir|dein\w*)\b", line), line
                    assert not NUMBERED.search(line), line
    assert seen > steps
