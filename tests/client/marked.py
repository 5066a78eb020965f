# ruff: noqa: E402
"""Speaks a language in which every text that was looked up is marked, and lists what is drawn without a mark.

`python -m tests.client.marked [--all] [SCREEN or GAME ...]` is for those who translate: it draws every screen, and the
table through matches of bots. It speaks before anything else of the client is loaded: tables of words are made as
it is.
"""

import os
import re
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

os.environ["ARCADE_HEADLESS"] = "True"

from client import language
from shared.language.catalogue import ENGLISH

OPEN, CLOSE = "⟦", "⟧"
_WORD: Final = re.compile(r"[^\W\d_]{2,}")


class Marking:
    """Every text stands between marks."""

    def lookup(self, key: str, n: int = 1) -> str:
        return f"{OPEN}{ENGLISH.lookup(key, n)}{CLOSE}"


LATER: Final = "--later"
"""Speak it only once all is loaded, as if the player had chosen it while the program runs."""
ALL: Final = "--all"
"""Every seat looks at all, which takes twice as long."""
FILES: Final = "--files"
"""Speak the language of the environment, whose files set the marks themselves."""
if LATER not in sys.argv and FILES not in sys.argv and __name__ == "__main__":
    language.speak(Marking())

import arcade

from client.app import App
from client.games.registry import GUIDES
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.language.language_switch import renew
from client.player.settings import Settings
from client.table.tabletop import Tabletop
from shared.board import BOARD
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.registry import RULESETS
from tests.client.test_screens import SCREENS

PEOPLE: Final = (
    "Livia Brutus Cassius Cornelia Gaius Octavia Titus Marcus Tullius Cicero Min Nero Antonia",
    "Ides of March", "Saturnalia Lupercalia", "The long war of the eagles and the wolf", "play example org old VENI",
    "II III IV",
)  # fmt: skip
_CALLED: Final = [(sort, name) for sort, _colon, name in (card.name.rpartition(": ") for card in CARDS)]
PHRASES: Final = (
    *(rules.title for rules in RULESETS.values()), *(card.name for card in CARDS),
    *(words for sort, name in _CALLED for words in (sort.upper(), name) if words),
    "Livia's table", "I only watch.", "Ave!", "Classic", "Conquest II", "anna@example.org", "https://ntfy.sh/...",
    "https://discord.com/api/webhooks/...",
    "The match goes on without you: a bot plays for you to its end. The others are told that you left.",
    "Leave The long war of the eagles and the wolf", "Leave for good …", "Something else",
)  # fmt: skip
"""Games and cards are called so in every language; what people said and asked on the screens that are drawn."""
NAMES: Final = {word for name in (*BOARD.names, *PEOPLE) for word in _WORD.findall(name)}
"""What is called so in every language; who plays at these tables, and what they are called."""


def bare(words: str) -> str:
    """Return the parts of a text outside of all marks, without names; empty if there are none."""
    for phrase in PHRASES:
        words = re.sub(rf"(?<!\w){re.escape(phrase)}(?!\w)", "", words)
    kept, depth = [], max(0, words.count(CLOSE) - words.count(OPEN))  # What is the end of a longer text.
    for letter in words:
        depth += (letter == OPEN) - (letter == CLOSE)
        kept.append(letter if depth <= 0 and letter != CLOSE else " ")
    return " ".join(word for word in _WORD.findall("".join(kept)) if word not in NAMES)


@contextmanager
def drawn() -> Iterator[set[str]]:
    """All texts that are drawn meanwhile."""
    found: set[str] = set()
    draw = arcade.Text.draw

    def note(self: arcade.Text) -> None:
        found.add(self.text)
        draw(self)

    arcade.Text.draw = note  # type: ignore[method-assign]
    try:
        yield found
    finally:
        arcade.Text.draw = draw  # type: ignore[method-assign]


def of_screen(window: arcade.Window, name: str) -> set[str]:
    """Return the texts of a screen, including its tooltips."""
    app = App(window, Settings(name="Livia"))
    app.go.show(SCREENS[name](app))
    with drawn() as found:
        app.on_draw()
    found |= {widget.tip for widget in app.screen.ui.widgets if widget.tip}
    app.close()
    return found


def of_game(game: str, others: int, *, seed: int = 3, actions: int = 400, every: int = 5) -> set[str]:
    """Return the texts of the table during a match of bots.

    They are collected as each deciding seat sees them; every `others`-th look also shows the view of a waiting seat."""
    rules = RULESETS[game]
    found: set[str] = set()
    for seat in range(3):
        match = LocalMatch(rules, 3, seed=seed, seat=seat)
        top: Tabletop[Any] = Tabletop(match, GUIDES[game], RecordedCallbacks())
        top.place(1280, 800)
        top.hear()
        with drawn() as here:
            for look in range(actions // every):
                if not all(match.step() for _ in range(every)):
                    break
                if seat in match.owed() or not (look + seat) % others:
                    top.hear()
                    top.events.hurry()
                    top.draw()
        found |= here
    return found


def report(names: Sequence[str], others: int) -> dict[str, list[str]]:
    """Return the texts that are drawn without a mark, by screen or game."""
    window = arcade.Window(1280, 800, "marked", antialiasing=False)
    found = {name: of_screen(window, name) if name in SCREENS else of_game(name, others) for name in names}
    assert window.ctx.error is None
    return {name: sorted(words for words in texts if bare(words)) for name, texts in found.items()}


def main(arguments: Sequence[str]) -> int:
    """List what has no mark; 1 where there is any."""
    if LATER in arguments:
        language.speak(Marking())
        renew()
    names = [name for name in arguments if name not in (LATER, ALL, FILES)]
    found = report(names or [*SCREENS, *GUIDES], 1 if ALL in arguments else 4)
    for name, texts in found.items():
        for words in {_shape(words): words for words in texts}.values():
            print(f"{name}: {words}")
    return int(any(found.values()))


def _shape(words: str) -> str:
    """Return a sentence without names and numbers, to find sentences that differ by these alone."""
    return " ".join("-" if part.strip(".,:;()") in NAMES else part for part in re.sub(r"\d+", "0", words).split())


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
