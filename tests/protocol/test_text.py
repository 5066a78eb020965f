"""Names and chat show what they are, and nothing else."""

import random
import unicodedata

import pytest

from protocol.text import clean


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


@pytest.mark.parametrize("typed", ["", " ", "\u200b", "\u202e\u2066", "\u3164", "\u2800\u00a0", "\x00\x07", "\u00ad"])
def test_nothing_to_see_is_refused(typed: str) -> None:
    with pytest.raises(ValueError, match="visible"):
        clean(typed, 24)


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
