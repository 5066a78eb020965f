"""A small policy that learns the 1984 game for two from our normal player: python pupil.py [MATCHES]. Needs numpy.

The pupil plays duels of 8 rounds against easy players. In each of its decisions a normal player says what it would do.
A network with one hidden layer learns to score that action highest. More and more the pupil follows its own scores, so
that it learns from its own mistakes. The weights are saved beside this file, for the arena:
`conquest-server arena pupil.py:Pupil easy --ruleset mb1984 --option round_limit=8`

200 matches take about five minutes of one core. Then the pupil won 72 of 100 other duels (95 %: 63 % to 80 %).
"""

import sys
from pathlib import Path
from typing import Any

import numpy as np

import conquest

GAME, OPTIONS = "mb1984", {"round_limit": 8}
HIDDEN, RATE = 64, 2e-3
KEPT, BATCH = 10_000, 32
"""Decisions that are remembered, and those of one step of learning."""
STORED = Path(__file__).with_name("pupil.npz")
KINDS = list(conquest.kinds(GAME))
SPACES = NOWHERE = len(conquest.MAP)
TALK = {"Offer", "Propose", "Concede", "Resign"}
NEAR = np.zeros((SPACES + 1, SPACES + 1), np.float32)
for space in conquest.MAP.values():
    for other in space.neighbours:
        NEAR[space.number, conquest.MAP[other].number] = 1


class Position:
    """Position as numbers. `places`: a row for each space, and an empty one for NOWHERE. `whole`: sums of all."""

    def __init__(self, view: conquest.View, seat: int) -> None:
        each = len(view["leader_at"]) // 2
        self.caesar = seat * each
        places = np.zeros((SPACES + 1, 15), np.float32)
        for at, cell in enumerate(view["units"]):
            for start in range(0, len(cell), 4):
                places[at, 0 if cell[start] == seat else 3 :][:3] = cell[start + 1 : start + 4]
        for piece, at in enumerate(view["leader_at"]):
            if at < SPACES:
                mine = piece // each == seat
                places[at, 6 if mine else 8] += 1
                places[at, 7 if mine else 9] += piece % each == 0
        for at, owner in enumerate(view["owner"]):
            places[at, 10:14] = owner == seat, owner == 1 - seat, owner < 0, view["built"][at]
        for at in view["galley_at"]:
            places[min(at, SPACES), 14] += at < SPACES
        around = NEAR @ places[:, [0, 2, 3, 5, 10, 11, 12]]
        self.places = np.concatenate([places, around, _distances_to_goals(places[:, [7, 9, 11, 12]])], 1)
        self.places[NOWHERE] = 0
        money = [view["talents"][each] / 50 for each in (seat, 1 - seat)]
        self.whole = np.array([*places[:, :14].sum(0) / 10, *money, view["inflation"], view.round / 10])

    def row(self, action: conquest.Action) -> Any:
        """Return an action as numbers: its kind, what stands at its source and target, and what moves or is bought."""
        fields, leaders = action.fields, action.fields.get("leaders", ())
        goods = ("infantry", "cavalry", "catapults", "galleys", "cities", "fortifications")
        moved = [fields.get(name, 0) for name in goods]
        there, here = [self.places[_first(fields, names)] for names in (("to", "space", "home"), ("source",))]
        agrees = bool(fields.get("accept", fields.get("kill", ())))
        rest = [len(leaders), self.caesar in leaders, agrees, *(here[:3] - moved[:3])]
        aimed = np.eye(4)[fields["kind"]] if action.kind == "Aim" else np.zeros(4)
        kind = np.eye(len(KINDS))[KINDS.index(action.kind)]
        return np.concatenate([kind, there, here, moved, rest, aimed, self.whole]).astype(np.float32)


def _distances_to_goals(goals: Any) -> Any:
    """Return the steps from each space to the nearest goal of each column, as a part of 6, which stands for more."""
    reached = goals > 0
    found = np.where(reached, 0, 6).astype(np.float32)
    for steps in range(1, 6):
        reached = reached | (NEAR @ reached > 0)
        found[reached & (found == 6)] = steps
    return found / 6


def _first(fields: dict[str, Any], names: tuple[str, ...]) -> int:
    found = next((fields[name] for name in names if name in fields), NOWHERE)
    return found if 0 <= found < SPACES else NOWHERE


def choices(legal: conquest.Legal) -> list[conquest.Action]:
    """Return the actions to choose from: those that the rules name without talk, and more purchases."""
    found = [action for action in legal.choices if action.kind not in TALK]
    if any(action.kind == "Buy" for action in found):
        none = dict.fromkeys(conquest.kinds(GAME)["Buy"], 0)
        for bought in np.ndindex(6, 4, 2):
            order = dict(zip(("infantry", "catapults", "galleys"), bought, strict=True))
            action = legal.make("Buy", **none | order)
            if action in legal and action not in found:
                found.append(action)
    return found


class Network:
    """Network with one hidden layer that scores rows. `weights`: its arrays."""

    def __init__(self, weights: list[Any]) -> None:
        self.weights = weights
        self._means = [[np.zeros_like(each), np.zeros_like(each)] for each in weights]
        self._steps = 0

    @classmethod
    def fresh(cls, size: int) -> "Network":
        """Return a network that has learned nothing."""
        chance = np.random.default_rng(0)
        first, last = [chance.normal(0, 0.1, shape).astype(np.float32) for shape in ((size, HIDDEN), HIDDEN)]
        return cls([first, np.zeros(HIDDEN, np.float32), last])

    def score(self, rows: Any) -> Any:
        """Return the scores of rows."""
        return np.maximum(rows @ self.weights[0] + self.weights[1], 0) @ self.weights[2]

    def learn(self, decisions: list[tuple[Any, int]], rate: float) -> None:
        """Step towards the best rows of decisions: softmax, cross entropy and Adam."""
        rows = np.concatenate([each for each, _ in decisions]).astype(np.float32)
        starts = np.cumsum([0, *[len(each) for each, _ in decisions]])
        hidden = np.maximum(rows @ self.weights[0] + self.weights[1], 0)
        slope = hidden @ self.weights[2]
        for start, (each, best) in zip(starts, decisions, strict=False):
            part = slope[start : start + len(each)]
            part[:] = np.exp(part - part.max())
            part /= part.sum() * len(decisions)
            part[best] -= 1 / len(decisions)
        back = np.outer(slope, self.weights[2]) * (hidden > 0)
        self._steps += 1
        slopes = (rows.T @ back, back.sum(0), slope @ hidden)
        for weights, each, mean in zip(self.weights, slopes, self._means, strict=True):
            mean[:] = 0.9 * mean[0] + 0.1 * each, 0.999 * mean[1] + 0.001 * each**2
            first, second = mean[0] / (1 - 0.9**self._steps), mean[1] / (1 - 0.999**self._steps)
            weights -= rate * first / (np.sqrt(second) + 1e-8)


class Pupil(conquest.Player):
    """Player that takes the action of the highest score."""

    name = "pupil"

    def __init__(self, seed: int | str = 0, network: Network | None = None) -> None:
        super().__init__(seed)
        if network is None:
            with np.load(STORED) as file:
                network = Network([file[name] for name in file.files])
        self.network = network

    def decide(self, view: conquest.View, legal: conquest.Legal) -> conquest.Action:
        """Return the legal action of the highest score."""
        position, found = Position(view, legal.seat), choices(legal)
        return found[int(self.network.score(np.array([position.row(action) for action in found])).argmax())]


class Learner(Pupil):
    """Pupil that asks a teacher in each decision, and learns. `part`: of its lessons, from 0 to 1."""

    def __init__(self, number: int, network: Network, memory: list[tuple[Any, int]], part: float) -> None:
        super().__init__(number, network)
        self.memory, self.part, self.teacher = memory, part, conquest.player("normal", number)

    def decide(self, view: conquest.View, legal: conquest.Legal) -> conquest.Action:
        """Learn what the teacher would do, and return that, or later the action of the highest score."""
        position, found, taught = Position(view, legal.seat), choices(legal), self.teacher.decide(view, legal)
        rows = np.array([position.row(action) for action in found])
        if taught in found and len(found) > 1:
            place = len(self.memory) if len(self.memory) < KEPT else self.chance.randrange(KEPT)
            self.memory[place : place + 1] = [(rows.astype(np.float16), found.index(taught))]
            for _ in range(2):
                self.network.learn(self.chance.choices(self.memory, k=BATCH), RATE * (1 - 0.9 * self.part))
        follows = taught in found and self.chance.random() < 1 - 2 * self.part
        return taught if follows else found[int(self.network.score(rows).argmax())]


def duel(seed: int, player: conquest.Player) -> bool:
    """Play a match against an easy player, from both seats in turn. Return whether it is won."""
    table, seat, easy = conquest.new(GAME, 2, seed, OPTIONS), seed % 2, conquest.player("easy", seed)
    while not table.over:
        view = table.observe(table.to_move)
        table.play((player if table.to_move == seat else easy).decide(view, view.legal()))
    return seat in table.winners


def train(matches: int, shown: int = 10, points: int = 5) -> Network:
    """Learn from so many matches. Print the curve: at so many points the wins of `shown` duels."""
    view = conquest.new(GAME, 2, 0).view
    network = Network.fresh(Position(view, 0).row(view.legal().choices[0]).size)
    memory: list[tuple[Any, int]] = []
    for number in range(1, matches + 1):
        duel(1_000_000 + number, Learner(number, network, memory, number / matches))
        if number % max(1, matches // points) == 0:
            wins = sum(duel(seed, Pupil(seed, network)) for seed in range(shown))
            print(f"after {number:>4} matches: {wins:>3} of {shown} won", flush=True)
    return network


if __name__ == "__main__":
    learned = train(int(sys.argv[1]) if len(sys.argv) > 1 else 200)
    np.savez_compressed(STORED, *learned.weights)
    print(f"100 other duels: {sum(duel(seed, Pupil(seed, learned)) for seed in range(100, 200))} won")
