"""Every refusal's sentence has a key."""

import random
from collections import Counter

import pytest

from client.language import switch, told
from client.workshop.translations.finding import braces
from protocol import codec, refusal_text
from protocol.refusal_text import ECHOES, keyed, refused
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.messages import Refused
from shared.refusal import Refusal
from shared.rulesets.registry import RULESETS
from tests.play.verdicts import bent
from tests.protocol.words import FILE, keys, made, sentences


def test_the_list_is_that_of_the_sources() -> None:
    assert made() == FILE.read_text(encoding="utf-8"), "run python -m tests.protocol.spec_tables"


def test_each_sentence_has_one_key_and_each_key_one_sentence() -> None:
    said = [sentence for key, sentence in refusal_text.words().items() if key not in ECHOES]
    assert len(said) == len(set(said)) > 300
    assert all(key == key.lower() and key.isascii() and " " not in key for key in refusal_text.words())


def test_a_key_stays_with_its_sentence_whatever_comes_before_it() -> None:
    first = keys({}, ["No such table.", "No such table!", "Take {a} of {b}."])
    assert first == {**dict.fromkeys(ECHOES, "{a}"), "no-such-table": "No such table.",
                     "no-such-table-2": "No such table!", "take-of": "Take {a} of {b}."}  # fmt: skip
    again = keys(first, ["No such table!", "No such table?", "Take {a} of {b}."])
    assert again["no-such-table-2"] == "No such table!" and again["no-such-table-3"] == "No such table?"
    assert keys({"chosen": "Take {a} of {b}."}, ["Take {a} of {b}."])["chosen"] == "Take {a} of {b}."


def test_filled_in_values_are_found_again() -> None:
    for key, sentence in refusal_text.words().items():
        if key in ECHOES:
            continue
        gaps = braces(sentence)
        filled = {gap: f"12 {gap}" for gap in gaps}
        found, args = keyed(sentence.format(**filled))
        assert refusal_text.words()[found].format(
            **dict(zip(braces(refusal_text.words()[found]), args, strict=True))
        ) == (sentence.format(**filled))
        assert found == key or len(refusal_text.words()[found]) >= len(sentence) - 3 * len(gaps), (key, found)


def test_unlisted_texts_have_no_key_and_foreign_texts_are_echoes() -> None:
    assert keyed("Nobody wrote that.") == ("", ())
    assert keyed("") == ("", ())
    echo = refused(3, Refusal("bad-message", "", "Expected `int`, got `str`"))
    assert echo == Refused(
        3, "bad-message", "", "Expected `int`, got `str`", "bad-message", ("Expected `int`, got `str`",)
    )
    assert refused(0, Refusal("odd", "", "Nobody wrote that.")).key == ""


def tried(rules: AnyRuleset, seed: int) -> Counter[str]:
    """Return the refusals of a random match in which each action is also tried with changes, by their words."""
    rng = random.Random(seed)
    state = engine.start(rules, rules.min_seats + seed % 3, {}, engine.ignore_event)
    found = Counter[str]()
    for _ in range(400):
        owed = engine.owed(rules, state)
        if not owed:
            break
        action = engine.chance_action(state, rng)
        if action is None:
            action = rng.choice(engine.options(rules, state, owed[0]))
            for other in bent(rules, action):
                refusal = engine.check(rules, state, owed[0], other)
                found.update([refusal.text] if refusal is not None else [])
        engine.play(rules, state, owed[0], action, engine.ignore_event)
    return found


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_refusal_has_a_key(rules: AnyRuleset) -> None:
    found = sum((tried(rules, seed) for seed in range(3)), Counter[str]())
    assert [text for text in found if not keyed(text)[0]] == []
    assert len({keyed(text)[0] for text in found}) > 15


def test_a_refusal_is_told_in_the_players_language_by_its_key() -> None:
    sentence = next(text for text in sentences() if text == "Option {a} takes {b}, not {c}.")
    message = refused(1, Refusal("bad-options", "", sentence.format(a="homes", b="0 or 1", c="7")))
    assert codec.decode_server(codec.encode(message)) == message
    newer = Refused(1, "bad-options", "", "homes: 0 or 1, please, not 7.", message.key, message.args)
    strange = Refused(1, "bad-options", "", "Not so.", message.key, ("homes",))
    try:
        switch("de", ())
        assert told(message) == told(newer) == "Option homes nimmt 0 or 1, nicht 7."
        assert told(strange) == "Not so." and told(Refused(1, "odd", "", "Not so.", "unheard-of")) == "Not so."
        assert told(Refused(1, "over", "", "The match is over.")) == "Die Partie ist zu Ende."
    finally:
        switch("en", ())
    assert told(newer) == "homes: 0 or 1, please, not 7."
