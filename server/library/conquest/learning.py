"""Environments for reinforcement learning, made on request: they need the extra `rl`."""

from collections.abc import Mapping, Sequence
from types import ModuleType
from typing import Any

from conquest.arguments import checked


def _environments() -> ModuleType:
    try:
        from conquest import environments
    except ModuleNotFoundError as error:
        needed = f"Environments need the package {error.name}. Do this: pip install 'conquest-empire[rl]'"
        raise ModuleNotFoundError(needed, name=error.name) from None
    return environments


@checked
def env(
    game: str = "classic",
    seats: int = 3,
    options: Mapping[str, int] | None = None,
    most_actions: int = 256,
    most_steps: int = 2000,
    render_mode: str | None = None,
) -> Any:
    """Return a PettingZoo environment (AEC): all seats decide in turn, and only actions of the mask are legal.

    An observation is a dictionary: `observation`, a vector with the layout of `environments.layout`; `action_mask`;
    and `actions`, a row of features for each action of the mask, as in `environments.ACTION_FEATURES`. Action N is the
    action of row N. most_actions: rows; where a seat has more choices, each kind keeps some. most_steps: decisions
    after which a match is truncated. At the end winners get 1 and all others -1; after a truncation all get 0.
    render_mode: "svg" (usual), "ansi" for text, or "rgb_array" for pixels, which needs cairosvg and Pillow.

    >>> import conquest
    >>> table = conquest.env("classic", seats=2)
    >>> table.reset(seed=4)
    >>> seen = table.observe(table.agent_selection)
    >>> int(seen["action_mask"].sum()), seen["actions"].shape[0]
    (19, 256)
    """
    return _environments().aec(game, seats, options, most_actions, most_steps, render_mode)


def gym_env(
    game: str = "classic",
    seats: int = 3,
    seat: int = 0,
    players: Sequence[Any] = (),
    options: Mapping[str, int] | None = None,
    most_actions: int = 256,
    most_steps: int = 500,
    render_mode: str | None = None,
) -> Any:
    """Return a Gymnasium environment for one seat. Observations, actions and `render_mode` are those of `env`.

    After ``import conquest.environments``, `gymnasium.make("conquest/Classic-v0")` returns it as well; the other games
    are Mb1984 and Cote2.

    players: of the other seats, in their order: a `Player` or the name of a level; by default "normal". An action
    outside of the mask counts as the last one of it, with a warning and `replaced` in `info`. A match is truncated
    after `most_steps` decisions of the seat.
    """
    return _environments().GymEnv(game, seats, seat, players, options, most_actions, most_steps, render_mode)


@checked
def vector_env(count: int, **settings: Any) -> Any:
    """Return `count` environments of `gym_env` that are stepped together and reset by themselves."""
    if count < 1:
        raise ValueError(f"At least one environment is needed, not {count}.")
    return _environments().vector(count, **settings)
