"""Codes are found in whatever people type or paste, by programs and by the page alike."""

import json
from pathlib import Path
from typing import Final

from shared.codes import table_in
from tests.clients.runtime import answer, needs_node

PAGE: Final = Path(__file__).parents[2] / "server" / "web" / "files" / "model" / "codes.js"
TYPED: Final = (
    ("VENI42", "VENI42"),
    ("  veni42 \n", "VENI42"),
    ("ven i42", "VENI42"),
    ("VEN-I42", "VENI42"),
    ("v e n i 4 2", "VENI42"),
    ("“VENI42”", "VENI42"),
    ("\uff36\uff25\uff2e\uff29\uff14\uff12", "VENI42"),  # Full-width letters and digits.
    ("\uff36\uff25\uff2e\u3000\uff29\uff14\uff12", "VENI42"),
    ("VENI\u201342", "VENI42"),
    ("https://play.example.org/watch#VENI42", "VENI42"),
    ("https://play.example.org/conquest/watch#veni42", "VENI42"),
    ("http://192.168.1.20:8600/watch#VENI42.", "VENI42"),
    ("http://[fd00::2]:8600/hand#H7KQ2MWX", "H7KQ2MWX"),
    ("conquest://192.168.1.20:8600/VENI42", "VENI42"),
    ("conquest join 192.168.1.20:8600 --code VENI42", "VENI42"),
    ("Come and play: https://play.example.org/watch#VENI42 at eight!", "VENI42"),
    ("<https://play.example.org/watch#VENI42>", "VENI42"),
    ("The code is VENX42, see you at eight.", "VENX42"),
    ("https://play.example.org/watch#1cd6605018fe", "1cd6605018fe"),
    ("1CD6605018FE", "1CD6605018FE"),
    ("Grüße", "GRÜSSE"),
)
"""What was typed, and the code or the id in it."""


def test_a_code_is_found_in_what_was_typed() -> None:
    for typed, found in TYPED:
        assert max(table_in(typed)) == found, typed
    assert table_in("https://play.example.org/watch#1cd6605018fe") == ("1cd6605018fe", "")


@needs_node
def test_the_page_finds_the_same() -> None:
    typed = json.dumps([typed for typed, _ in TYPED])
    script = f"import {{ codeIn }} from '{PAGE.as_uri()}'; console.log(JSON.stringify({typed}.map(codeIn)))"
    assert answer("--input-type=module", "--eval", script) == [found for _, found in TYPED]
