"""Slowest picture of every screen and sheet of the window: `python -m tests.bench.bench_screens [WxH]`.

Each is opened as a player does and drawn without a screen. The worst stand at the top, with the first and the slowest
picture in milliseconds. These are processor time on all threads, which others on the machine disturb less than the
clock. A table with nothing opened stands in the list as the yardstick."""

import argparse
import gc
import os
from collections.abc import Callable, Iterator
from functools import partial
from time import process_time
from typing import Any

os.environ["ARCADE_HEADLESS"] = "True"
os.environ.setdefault("PYGLET_DEBUG_GL", "false")  # As the program does.

import arcade
from arcade.context import ArcadeContext

from client.app import App
from client.drawing import theme
from client.player.settings import Settings
from client.screens.base import Screen
from client.screens.help import HelpScreen
from client.table.tabletop import Tabletop
from client.window import ATLAS, SELDOM
from shared.rulesets.registry import RULESETS
from tests.bench.bench_table import BUSY, busy_match, open_table
from tests.client.test_screens import SCREENS

Draw = Callable[[], object]


def costs(window: arcade.Window, opened: Draw, draw: Draw, pictures: int) -> list[float]:
    """Milliseconds of the processor for each picture; the first one includes to open what it shows."""
    result = []
    for picture in range(pictures):
        begun = process_time()
        if not picture:
            opened()
        window.clear()
        draw()
        window.ctx.finish()
        result.append((process_time() - begun) * 1000)
    return result


def screens(window: arcade.Window, pictures: int) -> Iterator[tuple[str, list[float]]]:
    """Yield each screen with the costs of its pictures."""
    app = App(window, Settings(name="Livia"))

    def show(make: Callable[[App], Screen]) -> None:
        app.go.show(make(app))

    rules: dict[str, Callable[[App], Screen]] = {f"help {game}": partial(_rules, game) for game in RULESETS}
    for name, make in {**SCREENS, **rules}.items():
        yield f"screen {name}", costs(window, partial(show, make), app.on_draw, pictures)
    app.close()


def sheets(window: arcade.Window, size: tuple[int, int], game: str, pictures: int) -> Iterator[tuple[str, list[float]]]:
    """Yield the table of a game and each of its sheets with the costs of the pictures."""
    for moment, kind in zip(("decision", "battle"), BUSY[game], strict=True):
        top = open_table(busy_match(game, kind, 150), size)
        draw = partial(_picture, top)
        close = partial(top.lay, None)
        costs(window, close, draw, pictures)
        yield f"table {game}, {moment}", costs(window, close, draw, pictures)
        for sheet in top.sheets:
            opened = partial(top.lay, sheet.key)
            yield f"sheet {game}, {moment}: {sheet.caption}", costs(window, opened, draw, pictures)
            costs(window, close, draw, pictures)


def _rules(game: str, app: App) -> Screen:
    return HelpScreen(app, game, close=app.go.menu)


def _picture(top: Tabletop[Any]) -> None:
    top.update(1 / 60)
    top.draw()


def main() -> None:
    """Measure at one size of the window."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("size", nargs="?", default="1280x800", metavar="WIDTHxHEIGHT", help="(default: 1280x800)")
    parser.add_argument("--pictures", type=int, default=30, help="of each screen and sheet (default: 30)")
    args = parser.parse_args()
    width, height = (int(side) for side in args.size.split("x"))
    ArcadeContext.atlas_size = ATLAS
    gc.set_threshold(*SELDOM)
    window = arcade.Window(width, height, "bench", antialiasing=False)
    theme.set_window(width, height)
    found = dict(screens(window, args.pictures))
    for game in RULESETS:
        found |= dict(sheets(window, (width, height), game, args.pictures))
    for name, each in sorted(found.items(), key=lambda item: -max(item[1])):
        print(f"{name:45} first {each[0]:6.1f} ms, slowest {max(each):6.1f} ms")
    window.close()


if __name__ == "__main__":
    main()
