"""Cost of a keystroke in a full line of chat, and of pasting 10 MB, in a window without a screen:
`python -m tests.bench.bench_typing` prints JSON. The yardstick is one layout of as many letters as the line shows."""

import argparse
import json
import os
from collections.abc import Callable
from time import perf_counter

os.environ["ARCADE_HEADLESS"] = "True"

import arcade
from arcade import key

from client.drawing import shapes, theme
from client.drawing.fields import TextField
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.table.mouse_input import MouseInput
from client.table.tabletop import Tabletop
from shared.rulesets import registry
from shared.tables import MAX_TEXT

SHOWN = 45
"""Letters that fit into the line of chat at the table."""
WORDS = ("Ave, Caesar: the legions of Hispania march on Narbonensis, “slowly”. " * 8)[: MAX_TEXT - 1]


def _median_ms(repeats: int, once: Callable[[int], object]) -> float:
    times = []
    for i in range(repeats):
        begun = perf_counter()
        once(i)
        times.append(perf_counter() - begun)
    times.sort()
    return times[len(times) // 2] * 1000


def _yardstick(repeats: int) -> float:
    line = shapes.text("", 0, 0, size=theme.BODY + 0.5)

    def lay_out(i: int) -> None:
        line.text = WORDS[i % 9 : SHOWN + i % 9]

    return _median_ms(repeats, lay_out)


def _field() -> TextField:
    return TextField(arcade.LBWH(20, 20, 340, 34), WORDS, limit=MAX_TEXT)


def _keys(repeats: int) -> float:
    """A letter and backspace, half of the time each: the text is as long as it may be."""
    field = _field()
    return _median_ms(repeats, lambda i: field.on_text("x") if i % 2 == 0 else field.on_key(key.BACKSPACE, 0))


def _paste(repeats: int) -> float:
    field, much = _field(), "Ave! " * 2_000_000

    def paste(_: int) -> None:
        field.value = ""
        field.on_text(much)

    return _median_ms(repeats, paste)


def _at_the_table(repeats: int) -> float:
    """A keystroke in the chronicle, which is painted anew for it."""
    match = LocalMatch(registry.ruleset("classic"), 6, seed=3)
    for _ in range(60):
        match.step()
    top = Tabletop(match, guide("classic"), RecordedCallbacks())
    top.place(*theme.BASE_SIZE)
    top.hear()
    top.events.hurry()
    top.update(5.0)
    top.draw()
    controls = MouseInput(top)
    top.chronicle.start_typing()
    top.chronicle.ui.text(WORDS)

    def press(i: int) -> None:
        if i % 2 == 0:
            controls.text("x")
        else:
            controls.key_press(key.BACKSPACE, 0)
        top.chronicle.draw()

    return _median_ms(repeats, press)


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--repeats", type=int, default=200, help="of each measurement (default: 200)")
    repeats = parser.parse_args().repeats
    arcade.Window(*theme.BASE_SIZE, "bench")
    theme.load_fonts()
    theme.set_window(*theme.BASE_SIZE)
    yardstick = _yardstick(repeats)
    measured = {"keystroke": _keys, "paste_10_mb": _paste, "keystroke_at_the_table": _at_the_table}
    figures = {name: measure(repeats) for name, measure in measured.items()}
    told = {name: {"ms": round(ms, 3), "layouts": round(ms / yardstick, 2)} for name, ms in figures.items()}
    print(json.dumps({"yardstick_ms": round(yardstick, 3), **told}, indent=2))


if __name__ == "__main__":
    main()
