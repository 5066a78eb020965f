"""Every refusal's sentence has a key."""

import random
import re
from functools import cache
from string import ascii_lowercase

import pytest

from client.language import switch, told
from client.workshop.translations.finding import lists
from protocol import codec, refusal_text
from protocol.refusal_text import ECHOES, keyed, refused
from shared.board import BOARD
from shared.kernel import engine
from shared.kernel.ruleset import AnyRuleset
from shared.language.sentence import CONTEXT, PLURAL, _, gaps, render
from shared.messages import Refused
from shared.refusal import Refusal
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.registry import RULESETS
from tests.play.verdicts import bent
from tests.protocol.words import FILE, keys, made


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


def test_values_are_sent_in_the_order_of_the_gaps() -> None:
    words = _("{place} does not touch {other}.", other=_("That place"), place="Italia")
    assert keyed(Refusal("not-adjacent", "", words)) == ("does-not-touch", ("Italia", "That place"))
    assert keyed(Refusal("over", "", "The match is over.")) == ("the-match-is-over", ())


def test_unlisted_texts_have_no_key_and_foreign_texts_are_echoes() -> None:
    assert keyed(Refusal("odd", "", "Nobody wrote that.")) == ("", ())
    assert keyed(Refusal("odd", "", "")) == ("", ())
    echo = refused(3, Refusal("bad-message", "", "Expected `int`, got `str`"))
    assert echo == Refused(
        3, "bad-message", "", "Expected `int`, got `str`", "bad-message", ("Expected `int`, got `str`",)
    )
    assert refused(0, Refusal("odd", "", "Nobody wrote that.")).key == ""


def tried(rules: AnyRuleset, seed: int) -> dict[str, Refusal]:
    """Return the refusals of a random match in which each action is also tried with changes, by their words."""
    rng = random.Random(seed)
    state = engine.start(rules, rules.min_seats + seed % 3, {}, engine.ignore_event)
    found: dict[str, Refusal] = {}
    for _step in range(400):
        owed = engine.owed(rules, state)
        if not owed:
            break
        action = engine.chance_action(state, rng)
        if action is None:
            action = rng.choice(engine.options(rules, state, owed[0]))
            for other in bent(rules, action):
                refusal = engine.check(rules, state, owed[0], other)
                if refusal is not None:
                    found[refusal.text] = refusal
        engine.play(rules, state, owed[0], action, engine.ignore_event)
    return found


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_every_refusal_has_a_key(rules: AnyRuleset) -> None:
    found = {text: refusal for seed in range(3) for text, refusal in tried(rules, seed).items()}
    for text, refusal in found.items():
        key, args = keyed(refusal)
        assert refusal_text.words()[key].format(**dict(zip(ascii_lowercase, args, strict=False))) == text
    assert len({keyed(refusal)[0] for refusal in found.values()}) > 15


@pytest.mark.parametrize("rules", RULESETS.values(), ids=RULESETS)
def test_refusals_leave_no_english_word(rules: AnyRuleset) -> None:
    """In a language that replaces each text by its values, only names and numbers remain."""
    names = {*BOARD.names, *(card.name for card in CARDS)}
    known = re.compile("|".join((r"[\d .,]+", *map(re.escape, sorted(names, key=len, reverse=True)))))
    for refusal in tried(rules, 5).values():
        left = render(refusal.sentence, _Gaps(), str)
        assert not re.search(r"[A-Za-z]", known.sub("", left)), (refusal.text, left)


class _Gaps:
    """Language of all texts in the lists: nothing is left of them but their gaps."""

    def __init__(self) -> None:
        self.listed = _listed()

    def lookup(self, key: str, n: int = 1) -> str:
        """Return the gaps of a listed text; raise KeyError for any other."""
        return " ".join(f"{{{gap}}}" for gap in gaps(self.listed[key]))


@cache
def _listed() -> dict[str, str]:
    texts = [text for each in lists().values() for text in each]
    keys = [f"{text.context}{CONTEXT}" * bool(text.context) + text.words for text in texts]
    return {key + f"{PLURAL}{text.many}" * bool(text.many): text.words for key, text in zip(keys, texts, strict=True)}


def test_a_refusal_is_told_in_the_players_language_by_its_key() -> None:
    sentence = _("Option {option} takes {values}, not {value}.", option="homes", values="0 or 1", value=7)
    message = refused(1, Refusal("bad-options", "", sentence))
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
