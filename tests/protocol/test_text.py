"""Names and chat are cleaned of hidden and misleading characters."""

import random
import unicodedata

import pytest

from protocol.text import clean, clean_chat, is_clean, tidy


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("Anna", "Anna"),
        ("  Anna \n\t Maria ", "Anna Maria"),
        ("A\u202ennA\u2066", "AnnA"),
        ("zero\u200bwidth\ufeff", "zerowidth"),
        ("ｆｕｌｌ", "full"),
        ("e\u0301", "é"),
        ("Z\u0300\u0301\u0302\u0303\u0304a", "Z̀́a"),
        ("\x1b[31mred\x00", "[31mred"),
        ("line\u2028break", "line break"),
        ("日本語 ñ ß Ω", "日本語 ñ ß Ω"),
        ("a\u3164b\u2800c", "abc"),
    ],
)
def test_cleaning(typed: str, shown: str) -> None:
    assert clean(typed, 24) == shown


FAMILY = "\U0001f468\u200d\U0001f469\u200d\U0001f467"
HEART = "\u2764\ufe0f\u200d\U0001f525"
DARK_COOK = "\U0001f469\U0001f3fd\u200d\U0001f373"
SHE_RUNS = "\U0001f3c3\u200d\u2640\ufe0f"
PIRATES = "\U0001f3f4\u200d\u2620\ufe0f"


@pytest.mark.parametrize("kept", [FAMILY, HEART, DARK_COOK, SHE_RUNS, PIRATES, "1\ufe0f\u20e3", "\u2764\ufe0f",
                                  "ｆｕｌｌ！？", "「天」　".strip(), "x² ½ ①", "ﬁ", "日本語 ñ ß Ω"])  # fmt: skip
def test_chat_keeps_joined_emoji_and_full_width_signs(kept: str) -> None:
    assert clean_chat(kept, 240) == kept
    assert clean_chat(f"Ave {kept}, vale", 240) == f"Ave {kept}, vale"


@pytest.mark.parametrize(
    ("typed", "shown"),
    [
        ("a\u200db", "ab"), ("\u200dA", "A"), (f"{FAMILY}\u200d", FAMILY), ("\U0001f468\u200d\u200dx", "\U0001f468x"),
        ("a\ufe0fb", "ab"), ("A\u202ennA\u2066", "AnnA"), ("e\u0301", "é"), ("a\u3000b", "a b"),
        ("a\uffa0b\u3164", "ab"),
        ("Q\u0300\u0301\u0302\u0303a", "Q\u0300\u0301a"), ("\x1b[31mred\x00", "[31mred"), ("a\u200bb\u2800", "ab"),
    ],
)  # fmt: skip
def test_nothing_else_that_cannot_be_seen_stays_in_chat(typed: str, shown: str) -> None:
    assert clean_chat(typed, 240) == shown


@pytest.mark.parametrize(
    "typed", ["", " ", "\u200d", "\ufe0f", "\u200d\u200d", "\u202e\u2066", "\u3164", "\uffa0", "\u3000"]
)
def test_chat_with_nothing_to_see_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="visible"):
        clean_chat(typed, 24)


def test_a_cut_leaves_no_joint_at_the_end_of_chat() -> None:
    assert clean_chat(FAMILY, 2) == "\U0001f468"
    assert clean_chat("a" * 300, 240) == "a" * 240


@pytest.mark.parametrize("typed", ["", " ", "\u200b", "\u202e\u2066", "\u3164", "\u2800\u00a0", "\x00\x07", "\u00ad"])
def test_nothing_to_see_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="visible"):
        clean(typed, 24)


BLANK = [0x115F, 0x1160, 0x17B4, 0x17B5, *range(0x180B, 0x1810), 0x2800, 0x3164, *range(0xFE00, 0xFE10), 0xFFA0]


@pytest.mark.parametrize("number", BLANK)
def test_invisible_characters_are_removed(number: int) -> None:
    assert clean(f"a{chr(number)}b", 24) == "ab"
    with pytest.raises(ValueError, match="visible"):
        clean(chr(number), 24)


@pytest.mark.parametrize("number", [0x115E, 0x1161, 0x17B3, 0x17B6, 0x180A, 0x1810, 0x27FF, 0x2801])
def test_their_neighbours_are_to_be_seen(number: int) -> None:
    assert clean(chr(number), 24) == chr(number)


@pytest.mark.parametrize("marks", ["\u0300\u0301\u0302", "\u20dd\u20de\u20df"])
def test_two_accents_are_kept_wherever_they_stand(marks: str) -> None:
    assert clean(marks + "a", 24) == marks[:2] + "a"
    assert clean("Q" + marks + "Q" + marks, 24) == "Q" + marks[:2] + "Q" + marks[:2]


def test_length_is_counted_after_cleaning() -> None:
    assert clean("\u200b" * 50 + "a" * 30, 24) == "a" * 24
    assert clean("\ufdfa", 10) == unicodedata.normalize("NFKC", "\ufdfa")[:10].strip()


def test_random_text_never_keeps_controls_or_direction_marks() -> None:
    rng = random.Random(1)
    for _ in range(2000):
        typed = "".join(
            chr(rng.choice([rng.randrange(0x300), rng.randrange(0x2000, 0x2100), rng.randrange(0xD800)]))
            for _ in range(20)
        )
        try:
            shown = clean(typed, 24)
        except ValueError:
            continue
        assert not any(unicodedata.category(char) in ("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp") for char in shown)
        assert 0 < len(shown) <= 24 and shown == shown.strip()


HIDDEN = ["\x1b[8m", "\x07", "\r\n", "\n", "\t", "\x9b31m", "\u202e", "\u2066", "\u200b", "\u2028", "\u3164", "\ufe0f",
          "\ue000", "\u0301\u0302\u0303\u0304"]  # fmt: skip


@pytest.mark.parametrize("hidden", HIDDEN, ids=ascii)
def test_forbidden_text_is_distinguished_from_allowed_text(hidden: str) -> None:
    assert not is_clean(f"a{hidden}b")
    assert is_clean(clean(f"a{hidden}b", 24)) and tidy(f"a{hidden}b", 24) == clean(f"a{hidden}b", 24)


@pytest.mark.parametrize("words", ["", "Anna (2)", "A very long name…", "日本語 ñ ß Ω", "Z̀́a", "\U0002fe0f"])
def test_text_from_a_server_with_newer_unicode_is_clean(words: str) -> None:
    assert is_clean(words) and tidy(words, 24) == words


def test_cleaning_is_idempotent() -> None:
    rng = random.Random(5)
    for _ in range(3000):
        text = "a" + "".join(chr(rng.choice((rng.randrange(0x300), rng.randrange(0x3200), 0x301))) for _ in range(9))
        assert is_clean(clean(text, 24)), ascii(text)


def test_nothing_to_see_is_nothing() -> None:
    assert tidy("\u200b\x1b", 24) == ""
