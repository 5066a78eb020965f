"""A small policy that learns Conquest II for two from our normal player: python pupil.py [MATCHES]. Needs numpy.

The pupil plays duels against easy players. In each of its decisions a normal player says what it would do. A network
with one hidden layer learns to score that action highest. More and more the pupil follows its own scores, so that it
learns from its own mistakes. The weights are saved beside this file: `conquest-server arena pupil.py:Pupil easy`

80 matches take a minute of one core. A pupil of easy players with 25 % random decisions won 72 of 100 other duels
against them (95 %: 63 % to 80 %). Against those of today, with 17 %, it won 54 (44 % to 63 %).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Any

import numpy as np

import conquest

GAME = "cote2"
HIDDEN = 64
BATCH = 32
"""Decisions of one step of learning."""
KEPT = 20_000
"""Decisions that are remembered, to learn from them again."""
RATE = 2e-3
STORED = Path(__file__).with_name("pupil.npz")
KINDS = {name: number for number, name in enumerate(conquest.kinds(GAME))}
SPACES = len(conquest.MAP)
NOWHERE = SPACES
CARDS = 44
FRAME = ("left", "obtained", "card", "bidder", "talents", "hits")
"""Fields of the owed decision: actions, a card that was taken, the card of a vote, bidder and bid, hits in a battle."""
PRICE = 10
"""Talents for a token of influence."""
Fields = dict[str, Any]
Choice = tuple[str, Fields]
"""Kind and fields of an action, which may be illegal."""
Decide = Callable[[conquest.View, conquest.Legal], conquest.Action]


class Position:
    """Position as numbers, as far as its seat sees it. `places`: a row for each space, and an empty one for NOWHERE."""

    def __init__(self, view: conquest.View, seat: int) -> None:
        each = len(view["leader_at"]) // 2
        self.seat, self.money, self.caesar = seat, view.money[seat], seat * each
        self.places = np.zeros((SPACES + 1, 14), np.float32)
        self.keys = [at for at, tokens in enumerate(view["influence"]) if tokens]
        self.army: dict[int, list[int]] = {}
        self.leaders: dict[int, list[int]] = {}
        self._fill(view, each)
        frame = [getattr(view["frames"][-1], name, 0) for name in FRAME]
        self.card = frame[2]
        self.bare = np.flatnonzero(self.places[:, 13]).tolist()
        self.whole = self._sums(view, *frame)

    def _fill(self, view: conquest.View, each: int) -> None:
        """Fill in tokens, units, leaders and cities of both sides, and where own tokens lack guards."""
        places, seat, rival = self.places, self.seat, 1 - self.seat
        for at in self.keys:
            places[at, :3] = view["influence"][at][seat], view["influence"][at][rival], view["tokens"][at]
        for at, cell in enumerate(view["units"]):
            for start in range(0, len(cell), 4):
                mine = cell[start] == seat
                places[at, 3 if mine else 6 :][:3] = cell[start + 1 : start + 4]
                if mine:
                    self.army[at] = list(cell[start + 1 : start + 4])
        for piece, at in enumerate(view["leader_at"]):
            if at < SPACES:
                mine = piece // each == seat
                places[at, 9 if mine else 10] += 1
                places[at, 11] += piece == self.caesar
                if mine:
                    self.leaders.setdefault(at, []).append(piece)
        for at, owner in enumerate(view["owner"]):
            places[at, 12] = (owner == seat) - (owner == rival)
        places[:, 13] = (places[:, 0] > 0) & (places[:, 3:6].sum(1) == 0)

    def _sums(
        self, view: conquest.View, left: int, obtained: bool, _card: int, bidder: int, bid: int, hits: int
    ) -> Any:
        """Return what is true of the whole position."""
        seat, rival = self.seat, 1 - self.seat
        talents, points, chaos, tokens = view["talents"], view["points"], view["chaos"], self.places[:, :2].sum(0)
        shown = getattr(view["frames"][-1], "shown", ((), ()))
        return np.array([
            view["season"], view.round, left, obtained, talents[seat] / 20, talents[rival] / 20,
            (points[seat] - points[rival]) / 50, chaos[seat] / 5, max(0, chaos[rival]) / 5,
            sum(view["senators"][seat]) / 5, bidder == seat, bidder == rival, bid / 10, hits, len(self.bare),
            sum(shown[seat]) / 3, sum(shown[rival]) / 3, tokens[0] / 5, tokens[1] / 5, len(self.leaders),
        ], np.float32)  # fmt: skip

    def row(self, kind: str, fields: Fields) -> Any:
        """Return an action as numbers: its kind, card and target, what stands there and at its source, and the rest."""
        kinds, cards, target = np.zeros(len(KINDS)), np.zeros(CARDS), np.zeros(SPACES + 1)
        to, moved, led, posted = self._sent(kind, fields)
        kinds[KINDS[kind]] = cards[fields.get("card", self.card)] = target[to] = 1
        source = _first(fields, ("source",))
        there, here, sellers = self.places[to], self.places[source], fields.get("sellers", ())
        caesar = kind == "Move" and self.caesar in [piece for piece, _ in fields["leaders"]]
        left = here[3:6].sum() - moved.sum() - posted if source != NOWHERE else 0
        most = min(2 if caesar or there[11] else 1, self.money // PRICE, there[2] + there[1])
        votes = [fields.get(name, 0) for name in ("one", "two", "three", "four")]
        galleys = fields.get("galleys")
        return np.concatenate([
            kinds, cards, target, there, here, moved, self.whole,
            [led, caesar, posted, left, left <= 0 < here[0], most * led, sum(sellers) + len(sellers), len(sellers),
             fields.get("talents", 0) / 10, sum(votes), np.dot(votes, (1, 2, 3, 4)),
             len(galleys) if isinstance(galleys, tuple) else 0, len(fields.get("fleets", ())),
             fields.get("a", -1) == self.seat, fields.get("b", -1) == self.seat],
        ]).astype(np.float32)  # fmt: skip

    def _sent(self, kind: str, fields: Fields) -> tuple[int, Any, int, int]:
        """Return where an action leads, the units that go there, the leaders, and other groups of units."""
        to, armies, units = _first(fields, ("space", "to", "target", "caesar")), fields.get("armies", ()), np.zeros(3)
        if kind == "Move":
            leaders = fields["leaders"]
            to = leaders[0][1] if leaders else armies[0][0] if armies else NOWHERE
            units = sum([np.array(army[1:4]) for army in armies if army[0] == to], units)
            return to, units, len(leaders), sum(army[0] != to or not leaders for army in armies)
        if kind == "Campaign":
            return to, np.array([fields["infantry"], fields["cavalry"], fields["catapults"]]), 0, 0
        units = sum([np.array(army[1:4]) for army in armies], units)
        if kind == "Lose":
            return to, units, 0, 0
        to = armies[0][0] if kind == "Recruit" and armies else to
        return to, units, sum(army[4] for army in armies if len(army) > 4), len(armies)

    def marches(self, legal: conquest.Legal) -> Iterator[Choice]:
        """Yield marches of leaders to key provinces, with no units, one, two or all to spare, and with guards."""
        for source, leaders in self.leaders.items():
            army = self.army.get(source, [0, 0, 0])
            spare = max(0, army[0] - bool(self.places[source, 0] > 0))
            guards = [at for at in self.bare if spare and self._reaches(legal, source, at, ((at, 1, 0, 0),))]
            if guards:
                yield "Move", {"source": source, "armies": _one_each(guards[:spare]), "leaders": ()}
            single = [int(army[kind] and kind == army.index(max(army))) for kind in range(3)]
            for to in self.keys:
                if self._reaches(legal, source, to, ((to, *single),) if any(army) else (), ((leaders[0], to),)):
                    yield from self._marches(source, to, spare, guards)

    def _marches(self, source: int, to: int, spare: int, guards: list[int]) -> Iterator[Choice]:
        leaders = self.leaders[source]
        parties = [[piece] for piece in leaders] + ([leaders] if len(leaders) > 1 else [])
        all_units = (spare, *self.army.get(source, [0, 0, 0])[1:])
        for force in dict.fromkeys([(0, 0, 0), (min(1, spare), 0, 0), (min(2, spare), 0, 0), all_units]):
            posts = [at for at in guards if at != to][: spare - force[0]]
            for others in (posts, []) if posts else ([],):
                armies = (*(((to, *force),) if any(force) else ()), *_one_each(others))
                for party in parties:
                    yield "Move", {"source": source, "armies": armies, "leaders": tuple([(each, to) for each in party])}

    def _reaches(self, legal: conquest.Legal, source: int, to: int, armies: Any, leaders: Any = ()) -> bool:
        """Whether units and leaders may march there."""
        return to != source and legal.make("Move", source=source, armies=armies, leaders=leaders) in legal


def _one_each(spaces: list[int]) -> tuple[tuple[int, int, int, int], ...]:
    return tuple([(at, 1, 0, 0) for at in spaces])


def _first(fields: Fields, names: tuple[str, ...]) -> int:
    """Return the first place that these fields name."""
    found = next((fields[name] for name in names if name in fields), NOWHERE)
    return found if 0 <= found < SPACES else NOWHERE


def choices(position: Position, legal: conquest.Legal) -> list[Choice]:
    """Return the actions to choose from: those that the rules name, but with marches of our own in a turn."""
    named = [(action.kind, action.fields) for action in legal.choices]
    others = [choice for choice in named if choice[0] != "Move"]
    turn = len(others) < len(named) or "Influence" in dict(named)
    return [*others, *position.marches(legal)] if turn else named


def nearest(kind: str, fields: Fields, among: list[Choice]) -> int:
    """Return the number of the choice that resembles an action most."""
    return max(range(len(among)), key=lambda number: _likeness(kind, fields, *among[number]))


def _likeness(kind: str, fields: Fields, other: str, others: Fields) -> float:
    if kind != other:
        return -1
    pairs = [(value, others[name]) for name, value in fields.items()]
    sets = [(set(one), set(two)) if isinstance(one, tuple) else ({one}, {two}) for one, two in pairs]
    same = [len(one & two) / len(one | two) if one or two else 1.0 for one, two in sets]
    return sum(same) + (2 * same[-1] if kind == "Move" else 0)


class Network:
    """Network with one hidden layer that scores rows. `weights`: its arrays."""

    def __init__(self, weights: list[Any]) -> None:
        self.weights = weights
        self._means = [[np.zeros_like(each), np.zeros_like(each)] for each in weights]
        self._steps = 0

    @classmethod
    def fresh(cls, size: int) -> Network:
        """Return a network that has learned nothing."""
        first, last = [
            np.random.default_rng(seed).normal(0, 0.1, shape) for seed, shape in ((0, (size, HIDDEN)), (1, HIDDEN))
        ]
        return cls([first.astype(np.float32), np.zeros(HIDDEN, np.float32), last.astype(np.float32)])

    @classmethod
    def stored(cls) -> Network:
        """Return the network that was saved."""
        with np.load(STORED) as file:
            return cls([file[name].astype(np.float32) for name in file.files])

    def save(self) -> None:
        """Save the network beside this file."""
        np.savez_compressed(STORED, *[each.astype(np.float16) for each in self.weights])

    def score(self, rows: Any) -> Any:
        """Return the scores of rows."""
        return np.maximum(rows @ self.weights[0] + self.weights[1], 0) @ self.weights[2]

    def learn(self, decisions: Sequence[tuple[Any, int]], rate: float) -> None:
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
        self._step([rows.T @ back, back.sum(0), slope @ hidden], rate)

    def _step(self, slopes: list[Any], rate: float) -> None:
        self._steps += 1
        for weights, slope, mean in zip(self.weights, slopes, self._means, strict=True):
            for part, share, value in ((0, 0.9, slope), (1, 0.999, slope**2)):
                mean[part] = share * mean[part] + (1 - share) * value
            first, second = mean[0] / (1 - 0.9**self._steps), mean[1] / (1 - 0.999**self._steps)
            weights -= rate * first / (np.sqrt(second) + 1e-8)


class Pupil(conquest.Player):
    """Player that takes the action of the highest score."""

    name = "pupil"

    def __init__(self, seed: int | str = 0, network: Network | None = None) -> None:
        super().__init__(seed)
        self.network = network or Network.stored()

    def decide(self, view: conquest.View, legal: conquest.Legal) -> conquest.Action:
        """Return the legal action of the highest score."""
        position = Position(view, legal.seat)
        found = choices(position, legal)
        return self.best(legal, found, np.array([position.row(*choice) for choice in found]))

    def best(self, legal: conquest.Legal, found: list[Choice], rows: Any) -> conquest.Action:
        """Return the legal choice of the highest score."""
        for number in np.argsort(-self.network.score(rows)):
            kind, fields = found[number]
            action = legal.make(kind, **fields)
            if action in legal:
                return action
        return legal.pick(self.chance)


def duel(seed: int, decide: Decide) -> tuple[bool, int]:
    """Play a match against an easy player, from both seats in turn: whether it is won, and by how many points."""
    table, seat, easy = conquest.new(GAME, seats=2, seed=seed), seed % 2, conquest.player("easy", seed)
    while not table.over:
        view = table.observe(table.to_move)
        table.play((decide if table.to_move == seat else easy.decide)(view, view.legal()))
    points = table.view["points"]
    return seat in table.winners, points[seat] - points[1 - seat]


def results(network: Network, seeds: range) -> tuple[int, float]:
    """Return how many duels are won, and the mean number of points ahead."""
    found = [duel(seed, Pupil(seed, network).decide) for seed in seeds]
    return sum(won for won, _ in found), sum(ahead for _, ahead in found) / len(found)


class School:
    """Matches in which a network learns what a normal player would do. `network`: what was learned."""

    def __init__(self, matches: int) -> None:
        self.matches = matches
        self.network: Network | None = None
        self._memory: list[tuple[Any, int]] = []

    def play(self, number: int) -> None:
        """Learn from one match; the later, the more it follows the network's own scores."""
        self._number, self._chance, self._teacher = number, Random(number), conquest.player("normal", number)
        duel(1_000_000 + number, self._decide)

    def _decide(self, view: conquest.View, legal: conquest.Legal) -> conquest.Action:
        position, taught = Position(view, legal.seat), self._teacher.decide(view, legal)
        found = choices(position, legal)
        rows = np.array([position.row(*choice) for choice in found], np.float32)
        self.network = self.network or Network.fresh(rows.shape[1])
        if len(found) > 1:
            self._learn(rows, nearest(taught.kind, taught.fields, found))
        led = self._chance.random() < max(0.1, 1 - 2 * self._number / self.matches)
        return taught if led else Pupil(self._number, self.network).best(legal, found, rows)

    def _learn(self, rows: Any, best: int) -> None:
        assert self.network is not None
        place = len(self._memory) if len(self._memory) < KEPT else self._chance.randrange(KEPT)
        self._memory[place : place + 1] = [(rows.astype(np.float16), best)]
        rate = RATE * (1 - 0.9 * self._number / self.matches)
        self.network.learn(self._chance.choices(self._memory, k=BATCH), rate)


def train(matches: int, shown: int = 10, points: int = 4) -> Network:
    """Learn from so many matches. Print the curve: at so many points the wins of `shown` duels."""
    school = School(matches)
    for number in range(1, matches + 1):
        school.play(number)
        if number % max(1, matches // points) == 0 and school.network:
            wins, ahead = results(school.network, range(shown))
            print(f"after {number:>4} matches: {wins:>3} of {shown} won, {ahead:+.0f} points on average", flush=True)
    assert school.network is not None
    return school.network


def interval(wins: int, matches: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson)."""
    z, share = 1.96, wins / matches
    middle, width = share + z * z / (2 * matches), z * sqrt(share * (1 - share) / matches + z * z / (4 * matches**2))
    return (middle - width) / (1 + z * z / matches), (middle + width) / (1 + z * z / matches)


if __name__ == "__main__":
    learned = train(int(sys.argv[1]) if len(sys.argv) > 1 else 80)
    learned.save()
    won, ahead = results(learned, range(100, 200))
    least, most = interval(won, 100)
    print(f"100 other duels: {won} won (95 %: {least:.0%} to {most:.0%}), {ahead:+.0f} points on average")
