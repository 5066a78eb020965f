"""Picture of a match: plays a seeded match by the rules alone and renders the table.

It needs no screen if `ARCADE_HEADLESS` was set in the environment before Arcade was imported.
"""

from collections.abc import Mapping
from pathlib import Path

import arcade

from client.drawing import theme
from client.games.registry import guide
from client.games.static_match import LocalMatch, RecordedCallbacks
from client.table.tabletop import Tabletop
from shared.rulesets import registry


def run(
    ruleset: str, players: int, seed: int, after: int, size: tuple[int, int], out: Path,
    options: Mapping[str, int] | None = None,
) -> str:  # fmt: skip
    """Write a PNG of the table after `after` decisions, as a spectator sees it; return a report."""
    if size[0] < theme.MIN_SIZE[0] or size[1] < theme.MIN_SIZE[1]:
        raise ValueError(f"--size must be at least {theme.MIN_SIZE[0]}x{theme.MIN_SIZE[1]}.")
    rules = registry.ruleset(ruleset)
    match = LocalMatch(rules, players, seed=seed, options=options)
    done = 0
    while done < after and match.step():
        done += 1
    window = arcade.open_window(*size, "Conquest of the Empire")
    try:
        theme.set_window(*size)
        table = Tabletop(match, guide(match.rules.id), RecordedCallbacks())
        table.place(*size)
        table.hear()
        # What moves ends at once: the picture shows a position.
        table.events.hurry()
        table.update(0.0)
        window.clear()
        table.draw()
        out.parent.mkdir(parents=True, exist_ok=True)
        arcade.get_image(0, 0, *size).convert("RGB").save(out)
    finally:
        window.close()
    return f"{out}: {rules.title}, {players} players, seed {seed}, after {done} decisions"
