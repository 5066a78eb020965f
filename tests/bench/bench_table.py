"""Frames of the table per second, in a window without a screen: `python -m tests.bench.bench_table [WxH [RULESET]]`.

Prints one JSON object."""

import argparse
import json
import os
from collections.abc import Callable
from time import perf_counter, process_time
from typing import Any

os.environ["ARCADE_HEADLESS"] = "True"
os.environ.setdefault("PYGLET_DEBUG_GL", "false")  # As the program does.

import arcade
from arcade.context import ArcadeContext

from client.drawing import theme
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.table.mouse_input import MouseInput
from client.table.tabletop import Tabletop
from client.window import ATLAS
from shared.kernel.frames import Frame
from shared.rulesets import registry
from shared.rulesets.classic import frames as classic
from shared.rulesets.cote2 import frames as cote2
from shared.rulesets.mb1984 import frames as mb1984
from shared.vocabulary.frames import Movement

BUSY: dict[str, tuple[type[Frame], type[Frame]]] = {
    "classic": (Movement, classic.Battle),
    "mb1984": (Movement, mb1984.Battle),
    "cote2": (cote2.Turn, cote2.Battle),
}
"""By rule set: a decision with much to choose, and a battle."""


def _rate(window: arcade.Window, top: Tabletop[Any], frames: int, before: Callable[[int], object]) -> dict[str, float]:
    """Frames per second and the slowest of so many frames, `before` being done ahead of each frame.

    `cpu_ms`: processor time of a frame on all threads, which tells more where others use the machine too;
    `most_cpu_ms`: that of the worst."""
    times, costs = [], []
    for i in range(frames):
        begun, spent = perf_counter(), process_time()
        before(i)
        top.update(1 / 60)
        window.clear()
        top.draw()
        window.ctx.finish()
        times.append(perf_counter() - begun)
        costs.append(process_time() - spent)
    times.sort()
    return {
        "cpu_ms": round(sum(costs) / frames * 1000, 1),
        "most_cpu_ms": round(max(costs) * 1000, 1),
        "frames_per_second": round(len(times) / sum(times), 1),
        "median_ms": round(times[len(times) // 2] * 1000, 1),
        "slowest_ms": round(times[-1] * 1000, 1),
    }


def busy_match(game: str, kind: type[Frame], least: int) -> LocalMatch:
    """Return a busy position of six players whose stack of frames holds such a one."""
    match = LocalMatch(registry.ruleset(game), 6, seed=3)
    done = 0
    while done < least or not any(isinstance(frame, kind) for frame in match.state.frames):
        if not match.step():
            raise SystemExit("the game ended before such a position was reached")
        done += 1
    match.seat = match.owed()[0]
    return match


def open_table(match: LocalMatch, size: tuple[int, int]) -> Tabletop[Any]:
    """Return the table of that match, as it stands at rest."""
    top = Tabletop(match, guide(match.rules.id), RecordedCallbacks())
    top.place(*size)
    top.hear()
    top.events.hurry()
    top.draw()
    return top


def measure(size: tuple[int, int], game: str, frames: int) -> dict[str, object]:
    """All measurements of a game at one size of the window, each with so many frames."""
    choosing, battle = BUSY[game]
    ArcadeContext.atlas_size = ATLAS
    window = arcade.Window(*size, "bench", antialiasing=False)
    theme.set_window(*size)
    top = open_table(busy_match(game, choosing, 150), size)
    controls = MouseInput(top)
    x, y = top.board.rect.x, top.board.rect.y
    result: dict[str, object] = {"renderer": window.ctx.info.RENDERER, "size": list(size), "load": os.getloadavg()[0]}
    result["idle"] = _rate(window, top, frames, lambda _i: None)
    result["mouse over the board"] = _rate(window, top, frames, lambda i: controls.mouse_motion(x - 200 + 10 * i, y))
    controls.key_press(arcade.key.TAB, 0)
    result["half-built action"] = _rate(window, top, frames, lambda _i: None)
    top.board.camera.zoom_at(x, y, 6)
    result["panning, zoomed in"] = _rate(window, top, frames, lambda i: _pan(top, 6 if i % 20 < 10 else -6))
    top.board.camera.reset()
    top.board.camera.zoom_at(x, y, 0.5)
    result["panning, whole board"] = _rate(window, top, frames, lambda i: _pan(top, 2 if i % 20 < 10 else -2))
    result["zooming"] = _rate(window, top, frames, lambda i: controls.mouse_scroll(x, y, 1 if i % 20 < 10 else -1))
    top.board.camera.reset()
    for sheet in top.sheets:
        top.lay(sheet.key)
        result[f"leaf of {sheet.caption}"] = _rate(
            window, top, frames, lambda i: controls.mouse_motion(x - 200 + 10 * i, y)
        )
    top.lay(None)
    top = open_table(busy_match(game, battle, 150), size)
    result["battle"] = _rate(window, top, frames, lambda _i: None)
    window.close()
    return result


def _pan(top: Tabletop[Any], by: float) -> None:
    top.board.camera.pan(by, by / 2)
    top.board.touch()


def main() -> None:
    """Measure at one size of the window and for one rule set."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("size", nargs="?", default="1280x800", metavar="WIDTHxHEIGHT", help="(default: 1280x800)")
    parser.add_argument("ruleset", nargs="?", default="classic", choices=sorted(BUSY), help="(default: classic)")
    parser.add_argument("--frames", type=int, default=40, help="of each measurement (default: 40)")
    args = parser.parse_args()
    width, height = args.size.split("x")
    print(json.dumps(measure((int(width), int(height)), args.ruleset, args.frames), indent=1))


if __name__ == "__main__":
    main()
