"""Environments for reinforcement learning: PettingZoo, Gymnasium and vectors of them. They need the extra `rl`."""

from collections.abc import Mapping, Sequence
from functools import cache, partial
from io import BytesIO
from random import Random
from typing import Any, Final

import gymnasium
import numpy as np
import pettingzoo
from gymnasium import logger, spaces
from gymnasium.vector import SyncVectorEnv
from msgspec import Struct
from numpy.typing import NDArray
from pettingzoo.utils import wrappers

from conquest.actions import Action
from conquest.arguments import checked
from conquest.game import Game, checked_options, new
from conquest.players import Player, player
from conquest.views import View
from protocol.choices import fair
from shared.board import BOARD
from shared.ids import NONE, Seat
from shared.mechanics.armies import armies
from shared.mechanics.pieces import OFF
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.registry import RULESETS, ruleset

Floats = NDArray[np.float32]
ObservationDict = dict[str, Any]

ACTION_FEATURES: Final = (
    "kind", "source", "to", "infantry", "cavalry", "catapults", "galleys", "leaders", "caesar", "talents", "card",
    "piece", "seat",
)  # fmt: skip
"""Columns of `actions`. Kinds are numbered by their tag on the wire, places by their number, and seats from the
observing one; -1 is none. `piece` is the number of a galley or leader. Where armies go to several places, `to` is the
first."""
RENDER_MODES: Final = ["svg", "ansi", "rgb_array"]
"""Forms in which `render` returns a position, the usual one first."""
_SOURCES: Final = ("source",)
_TARGETS: Final = ("to", "space", "home", "position", "zone")
_TALENTS: Final = ("talents", "pays")
_CARDS: Final = ("card",)
_PIECES: Final = ("galley", "leader")
_OTHERS: Final = ("enemy", "seat", "proposer")
_LANDS: Final = ("infantry", "cavalry", "catapults")
_BY_PLACE: Final = frozenset(("Deploy", "Move", "Recruit"))
"""Actions whose armies begin with a place; in others they begin with a seat."""
_UNIT: Final = 10.0
"""Units and talents are divided by this and ten times this, so that most values lie between 0 and 1."""


class Part(Struct, frozen=True):
    """Part of an observation: its name, and the first position after its last one."""

    name: str
    start: int
    stop: int


@cache
def layout(game: str, seats: int) -> tuple[Part, ...]:
    """Return the parts of an observation, in their order. Seats are counted from the observing one.

    >>> [(part.name, part.stop - part.start) for part in layout("classic", 2)][:4]
    [('owned', 42), ('owned by others', 42), ('infantry', 42), ('cavalry', 42)]
    """
    provinces, places = BOARD.provinces, BOARD.positions
    sizes = {
        "owned": provinces,
        "owned by others": provinces,
        "infantry": provinces,
        "cavalry": provinces,
        "catapults": provinces,
        "units of others": provinces,
        "buildings": provinces,
        "galleys": places,
        "galleys of others": places,
        "leaders": provinces,
        "leaders of others": provinces,
        "caesar": provinces,
        "caesars of others": provinces,
        "talents by seat": seats,
        "provinces by seat": seats,
        "seat to move": seats,
        "decision": len(ruleset(game).handlers),
        "round": 1,
        **(_own_sizes(provinces, seats) if game == "cote2" else {"inflation": 1}),
    }
    found, start = [], 0
    for name, size in sizes.items():
        found.append(Part(name, start, start + size))
        start += size
    return tuple(found)


def _own_sizes(provinces: int, seats: int) -> dict[str, int]:
    """Return the parts that only Conquest II has. Cards are counted by kind."""
    return {
        "influence": provinces,
        "influence of others": provinces,
        "tokens": provinces,
        "cards": len(CARDS),
        "open cards": len(CARDS),
        "points by seat": seats,
        "allies": seats,
    }


def observation(view: View, seat: Seat) -> Floats:
    """Return a view as a vector with the layout of `layout`."""
    raw, seats = view.raw, view.seats
    parts = {part.name: part for part in layout(view.game, seats)}
    found = np.zeros(list(parts.values())[-1].stop, np.float32)

    def put(name: str, at: int, value: float) -> None:
        found[parts[name].start + at] += value

    for space, owner in enumerate(raw.owner):
        if owner != NONE:
            put("owned" if owner == seat else "owned by others", space, 1)
            put("provinces by seat", (owner - seat) % seats, 1 / _UNIT)
        put("buildings", space, raw.built[space])
    for space, cell in enumerate(raw.units):
        for lord, army in armies(cell):
            for kind, count in zip(("infantry", "cavalry", "catapults"), army, strict=True):
                put(kind if lord == seat else "units of others", space, count / _UNIT)
    _put_galleys(raw, seats, seat, put)
    _put_leaders(raw, seats, seat, put)
    if view.game == "cote2":
        _put_own(raw, seats, seat, put)
    else:
        put("inflation", 0, raw.inflation / _UNIT)
    for other in range(seats):
        put("talents by seat", (other - seat) % seats, raw.talents[other] / (10 * _UNIT))
    if view.to_move is not None and view.to_move >= 0:
        put("seat to move", (view.to_move - seat) % seats, 1)
    if raw.frames:
        put("decision", _action_kinds(view.game).index(type(raw.frames[-1])), 1)
    put("round", 0, view.round / _UNIT)
    return found


def _put_galleys(raw: Any, seats: int, seat: Seat, put: Any) -> None:
    # Conquest II has no lords: there each colour stays with its seat.
    each, lords = len(raw.galley_at) // seats, getattr(raw, "lord", range(seats))
    for galley, at in enumerate(raw.galley_at):
        if at != OFF:
            put("galleys" if lords[galley // each] == seat else "galleys of others", at, 1 / _UNIT)


def _put_leaders(raw: Any, seats: int, seat: Seat, put: Any) -> None:
    each, lords = len(raw.leader_at) // seats, getattr(raw, "lord", range(seats))
    for leader, at in enumerate(raw.leader_at):
        if at < BOARD.provinces:
            mine = lords[leader // each] == seat
            put("leaders" if mine else "leaders of others", at, 1)
            if leader % each == 0:
                put("caesar" if mine else "caesars of others", at, 1)


def _put_own(raw: Any, seats: int, seat: Seat, put: Any) -> None:
    """Put what only Conquest II has."""
    for space, tokens in enumerate(raw.influence):
        for other, number in enumerate(tokens):
            put("influence" if other == seat else "influence of others", space, number)
        put("tokens", space, raw.tokens[space])
    for card in raw.cards[seat]:
        put("cards", card, 1)
    for card, number in enumerate(raw.row):
        put("open cards", card, number)
    for other in range(seats):
        put("points by seat", (other - seat) % seats, raw.points[other] / (10 * _UNIT))
        put("allies", (other - seat) % seats, raw.side[other] == raw.side[seat] != NONE)


@cache
def _action_kinds(game: str) -> list[type]:
    return list(ruleset(game).handlers)


def choices(game: Game, most: int) -> list[Action]:
    """Return up to `most` legal actions, of each kind some: those of the mask, in their order."""
    found = game.legal().choices
    if len(found) <= most:
        return found
    shares = fair([type(action.raw) for action in found], [1] * len(found), most)
    return [found[place] for place in shares]


def features(actions: Sequence[Action], most: int) -> Floats:
    """Return a row of `ACTION_FEATURES` for each action, and empty rows up to `most`."""
    rows = np.full((most, len(ACTION_FEATURES)), -1, np.float32)
    for number, action in enumerate(actions):
        rows[number] = _action_features(action)
    return rows


def _action_features(action: Action) -> tuple[int, ...]:
    fields, table = action.fields, action._legal._table
    each = len(table.leader_at) // table.seats
    armies = [army[1:4] for army in fields.get("armies", ())]
    units = [fields[kind] if kind in fields else sum(army[at] for army in armies) for at, kind in enumerate(_LANDS)]
    other = _first(fields, _OTHERS)
    return (
        int(str(action.raw.__struct_config__.tag)),
        _first(fields, _SOURCES),
        _target(action.kind, fields),
        *units,
        _number(fields.get("galleys", 0)),
        _number(fields.get("leaders", 0)),
        any(_piece(leader) % each == 0 for leader in fields.get("leaders", ())),
        max(0, _first(fields, _TALENTS)),
        _first(fields, _CARDS),
        _first(fields, _PIECES),
        NONE if other == NONE else (other - action.seat) % table.seats,
    )


def _target(kind: str, fields: Mapping[str, Any]) -> int:
    moved = [*fields.get("armies", ())] if kind in _BY_PLACE else []
    moved += [leader[::-1] for leader in fields.get("leaders", ())] if kind == "Move" else []
    return int(moved[0][0]) if moved else _first(fields, _TARGETS)


def _piece(leader: Any) -> int:
    """Return the number of a leader, which some actions give with a place."""
    return leader if isinstance(leader, int) else leader[0]


def _number(value: Any) -> int:
    """Return a count, or the number of pieces in a list."""
    return value if isinstance(value, int) else len(value)


def _first(fields: Mapping[str, Any], names: Sequence[str]) -> int:
    return next((int(fields[name]) for name in names if isinstance(fields.get(name), int)), NONE)


def _space(game: str, seats: int, most: int) -> spaces.Dict:
    size = layout(game, seats)[-1].stop
    return spaces.Dict({
        "observation": spaces.Box(0, np.inf, (size,), np.float32),
        "action_mask": spaces.Box(0, 1, (most,), np.int8),
        "actions": spaces.Box(-1, np.inf, (most, len(ACTION_FEATURES)), np.float32),
    })  # fmt: skip


def seen(game: Game, seat: Seat, actions: Sequence[Action], most: int) -> ObservationDict:
    """Return what a seat observes. `actions`: those that it may choose, none while others decide."""
    mask = np.zeros(most, np.int8)
    mask[: len(actions)] = 1
    return {
        "observation": observation(game.observe(seat), seat),
        "action_mask": mask,
        "actions": features(actions, most),
    }


def info(game: Game, seat: Seat, played: str) -> dict[str, Any]:
    """Return the `info` of a seat, which holds public facts and the seat's own.

    round: of the match. decision: name of what is owed now. to_move: the seat that decides, -1 after the end.
    played: kind of the seat's own last action, "" before it.
    """
    frames, mover = game.view.raw.frames, game.to_move
    return {
        "seat": seat,
        "round": game.round,
        "decision": type(frames[-1]).__name__ if frames and not game.over else "",
        "to_move": NONE if mover is None else mover,
        "played": played,
    }


def _mode(mode: str | None) -> str:
    if mode not in (None, *RENDER_MODES):
        raise ValueError(f"There is no render mode {mode!r}; there is {', '.join(RENDER_MODES)}.")
    return mode or RENDER_MODES[0]


def rendered(view: View, mode: str | None) -> Any:
    """Return a picture as SVG, text ("ansi"), or an array of pixels ("rgb_array").

    Raises gymnasium's DependencyNotInstalled if no converter of SVG is there.
    """
    if mode == "ansi":
        lines = [f"{view.round}. {view.decision}"]
        for seat, name in enumerate(view.names):
            words = [f"{view.money[seat]} talents"]
            for place, army in view.units.items():
                if seat in army:
                    words.append(f"{place} {' '.join(f'{count} {kind}' for kind, count in army[seat].items())}")
            lines.append(f"{name}: {', '.join(words)}")
        return "\n".join(lines)
    if mode == "svg":
        return view._repr_svg_()
    try:
        from cairosvg import svg2png  # type: ignore[import-not-found, unused-ignore]
        from PIL import Image
    except ImportError as error:
        needed = f"rgb_array needs the package {error.name}. Do this: pip install cairosvg pillow"
        raise gymnasium.error.DependencyNotInstalled(needed) from None
    return np.asarray(Image.open(BytesIO(svg2png(bytestring=view._repr_svg_().encode()))).convert("RGB"))


class RawEnv(pettingzoo.AECEnv[str, ObservationDict, int]):  # type: ignore[misc]
    """PettingZoo environment without the wrappers that check its callers; see `conquest.env`."""

    metadata: dict[str, Any] = {"name": "conquest_v1", "render_modes": RENDER_MODES, "is_parallelizable": False}  # noqa: RUF012

    def __init__(
        self,
        game: str,
        seats: int,
        options: Mapping[str, int] | None,
        most_actions: int,
        most_steps: int,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        rules = ruleset(game)
        self._settings = game, seats, checked_options(rules, seats, options)
        self._most = most_actions
        self._most_steps = most_steps
        self._seeds = Random(0)
        self.render_mode = _mode(render_mode)
        self.possible_agents = [f"seat_{seat}" for seat in range(seats)]
        self.agents: list[str] = []
        self.observation_spaces = {agent: _space(game, seats, most_actions) for agent in self.possible_agents}
        self.action_spaces = {agent: spaces.Discrete(most_actions) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[ObservationDict]:
        """Return the space of observations, always the same object."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete[Any]:
        """Return the space of actions, always the same object."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new match. Without a seed, matches follow each other from the last one."""
        if seed is not None:
            self._seeds = Random(int(seed))
        name, seats, chosen = self._settings
        self.game = new(name, seats, self._seeds.getrandbits(32), chosen)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._steps = 0
        self._played = [""] * seats
        self._turn()
        self._refresh_infos()

    def _turn(self) -> None:
        mover = self.game.to_move
        self._choices = [] if mover is None else choices(self.game, self._most)
        if mover is not None:
            self.agent_selection = self.possible_agents[mover]

    def _refresh_infos(self) -> None:
        self.infos = {agent: info(self.game, seat, self._played[seat]) for seat, agent in enumerate(self.agents)}

    def observe(self, agent: str) -> ObservationDict:
        """Return what a seat knows; its mask is empty while others decide."""
        deciding = agent == self.agent_selection and not self.game.over
        return seen(self.game, self.possible_agents.index(agent), self._choices if deciding else (), self._most)

    def step(self, action: int | None) -> None:
        """Play an action of the present agent."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        self._cumulative_rewards[agent] = 0.0
        if action is None or not 0 <= int(action) < len(self._choices):
            raise ValueError(f"Action {action} is outside of the mask; {len(self._choices)} are legal.")
        chosen = self._choices[int(action)]
        self.game.play(chosen)
        self._played[chosen.seat] = chosen.kind
        self._steps += 1
        self.rewards = dict.fromkeys(self.agents, 0.0)
        if self.game.over:
            winners = self.game.winners
            for seat, name in enumerate(self.possible_agents):
                self.rewards[name] = (1.0 if seat in winners else -1.0) if winners else 0.0
                self.terminations[name] = True
        elif self._steps >= self._most_steps:
            self.truncations = dict.fromkeys(self.agents, True)
        self._turn()
        self._refresh_infos()
        self._accumulate_rewards()

    def render(self) -> Any:
        """Return the position as its `render_mode` says."""
        return rendered(self.game.view, self.render_mode)

    def close(self) -> None:
        """Do nothing: there is nothing to close."""


def aec(*settings: Any) -> Any:
    """Return the PettingZoo environment of these settings of `RawEnv`, with the usual checks of its callers."""
    raw = RawEnv(*settings)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(raw))


class GymEnv(gymnasium.Env[ObservationDict, Any]):
    """Gymnasium environment for one seat; see `conquest.gym_env`."""

    metadata: dict[str, Any] = {"render_modes": RENDER_MODES, "render_fps": 1}  # noqa: RUF012

    @checked
    def __init__(
        self,
        game: str = "classic",
        seats: int = 3,
        seat: int = 0,
        players: Sequence[Player | str] = (),
        options: Mapping[str, int] | None = None,
        most_actions: int = 256,
        most_steps: int = 500,
        render_mode: str | None = None,
    ) -> None:
        others = [other for other in range(seats) if other != seat]
        if seat not in range(seats):
            raise ValueError(f"There is no seat {seat}; seats are 0 to {seats - 1}.")
        for name in [each for each in players if isinstance(each, str)]:
            player(name)
        if players and len(players) != len(others):
            raise ValueError(f"{len(others)} players are needed for the other seats, not {len(players)}.")
        self.observation_space = _space(game, seats, most_actions)
        self.action_space = spaces.Discrete(most_actions)
        self.render_mode = _mode(render_mode)
        self._settings = game, seats, dict(options or {})
        self._seat = seat
        self._others = dict(zip(others, players or ["normal"] * len(others), strict=True))
        self._most = most_actions
        self._most_steps = most_steps

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[ObservationDict, dict[str, Any]]:
        """Begin a new match and play until the seat decides."""
        super().reset(seed=None if seed is None else int(seed))
        name, seats, chosen = self._settings
        number = int(self.np_random.integers(2**31))
        self.game = new(name, seats, number, chosen)
        self._players = {
            other: player(each, f"{number} {other}") if isinstance(each, str) else each
            for other, each in self._others.items()
        }
        self._steps = 0
        self._wait()
        return self._observation(), self._info("", False)

    def _info(self, played: str, replaced: bool) -> dict[str, Any]:
        return info(self.game, self._seat, played) | {"replaced": replaced}

    def _wait(self) -> None:
        """Let the others play until the seat decides or the match is over."""
        while self.game.to_move not in (None, self._seat):
            mover = self.game.to_move
            assert mover is not None
            view = self.game.observe(mover)
            self.game.play(self._players[mover].decide(view, view.legal()))
        self._choices = [] if self.game.over else choices(self.game, self._most)

    def _observation(self) -> ObservationDict:
        return seen(self.game, self._seat, self._choices, self._most)

    def step(self, action: int) -> tuple[ObservationDict, float, bool, bool, dict[str, Any]]:
        """Play an action of the mask, then the others.

        An action outside of the mask is replaced by the last legal one, with a warning and `replaced` in `info`. It
        must not raise, because Gymnasium's own checks sample without a mask.
        """
        replaced = not 0 <= int(action) < len(self._choices)
        if replaced:
            logger.warn(f"Action {action} is outside of the mask; the last of {len(self._choices)} is played instead.")
        chosen = self._choices[-1 if replaced else int(action)]
        self.game.play(chosen)
        self._steps += 1
        self._wait()
        winners = self.game.winners
        reward = 0.0 if not winners else 1.0 if self._seat in winners else -1.0
        cut = not self.game.over and self._steps >= self._most_steps
        return self._observation(), reward, self.game.over, cut, self._info(chosen.kind, replaced)

    def render(self) -> Any:
        """Return the position as its `render_mode` says."""
        return rendered(self.game.view, self.render_mode)


def vector(count: int, **settings: Any) -> SyncVectorEnv:
    """Return `count` environments of one seat that are stepped together."""
    return SyncVectorEnv([partial(GymEnv, **settings) for _ in range(count)])


for _game in RULESETS:
    gymnasium.register(f"conquest/{_game.capitalize()}-v0", "conquest.environments:GymEnv", kwargs={"game": _game})
