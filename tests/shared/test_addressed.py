"""Players are addressed as "you" wherever a text is about them, and all others have their names.

Each match is read by every seat and by a spectator, to its end, in both languages. `SHOWN` lists what programs show.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import pytest

from client.games.registry import GUIDES
from client.games.static_match import LocalMatch
from client.language import heard, say, say_line, switch
from client.network.table_events import MomentKind, NamedVersion
from client.screens import help as rules_text
from client.table import proposal_text
from client.table.event_text import event_line
from client.table.scene import gather
from client.table.words import called
from client.text_client.registry import GAME_TEXTS
from client.text_client.table import TextTable
from server.webhooks.alerts import Alert, text_of
from server.webhooks.payloads import Note
from server.webhooks.push_sender import payload
from shared.actions.registry import label_of
from shared.ids import NONE, Seat
from shared.kernel import engine
from shared.messages import Motion, Poll
from shared.rulesets.registry import RULESETS
from shared.sentences.registry import SENTENCES
from shared.sentences.since_turn import at_turn_start
from shared.sentences.yours import prompt_to_reader
from shared.tables import Matter, Outcome, Pace, Run
from shared.vocabulary.actions import Concede
from tests.support.marks import pairs_in_stages

NAMES: Final = ("Xanthe", "Ygraine", "Zelda", "Quirin")
NUMBERED: Final = re.compile(r"\b(Seat|Platz|seat) \d|\bCaesar (II?I?|IV|V)\b|\b(CL|MB|II)-[A-Z]+\d|\b[0-9a-f]{8,}\b")
"""Seat numbers, "Caesar II", ids of rules and hashes."""
THIRD: Final = re.compile(
    r"\b[Yy]ou (is|has|attacks|defends|wins|loses|buys|holds|offers)\b|\b[Dd]u (ist|hat)\b"
    r"|\b(of|by|from|to|for) You\b|\b(von|vom|mit|für|an) Du\b"
)
"""A sentence about another player that has only been given "you" for a name."""
END: Final = 4
"""Positions after the end that are read."""


class Reading:
    """A match as one reader sees it: what was told in all and since the last look."""

    def __init__(self, game: str, reader: Seat, seed: int) -> None:
        self.game, self.reader = game, reader
        self.match = LocalMatch(RULESETS[game], len(NAMES), seed=seed, seat=reader)
        self.match.name = who  # type: ignore[method-assign]
        self.text = TextTable(self.match, lambda _said: None)
        self.told: list[tuple[int, Any]] = []
        self.fresh: list[tuple[int, Any]] = []

    def step(self) -> bool:
        """Play on; False at the end."""
        return self.hear(self.match.step())

    def hear(self, going: bool) -> bool:
        """Note what has happened."""
        events = [(one.version, one.event) for one in self.match.take_events()]
        self.fresh += events
        self.told += events
        return going

    def called(self, seat: Seat) -> str:
        return called(seat, self.reader, who)


def who(seat: int) -> str:
    return NAMES[seat] if 0 <= seat < len(NAMES) else "Nobody"


def chronicle(r: Reading) -> Iterator[str]:
    return (event_line(event, who, GUIDES[r.game].tell, r.reader) for _version, event in r.fresh)


def decision(r: Reading) -> Iterator[str]:
    prompt = prompt_to_reader(SENTENCES[r.game].prompt(r.match.view), r.reader)
    for value in (prompt.what, prompt.news, *((prompt.how, prompt.hand) if prompt.seat in (r.reader, NONE) else ())):
        yield say(value, who)


def since_turn(r: Reading) -> Iterator[str]:
    happenings = at_turn_start(SENTENCES[r.game], r.told, r.reader, r.match.version) if r.reader != NONE else ()
    return (say_line(one.words, who) for one in happenings)


def choices(r: Reading) -> Iterator[str]:
    """Yield the words of choices, which the button "Take back" repeats."""
    if r.reader in r.match.owed():
        for action in list(engine.options(r.match.rules, r.match.view, r.reader))[:40]:
            label = label_of(r.game, r.match.view, r.reader, action)
            yield from (say(label.text, who), say(label.group, who)) if label is not None else ()


def tooltips(r: Reading) -> Iterator[str]:
    scene = gather(r.match, r.match.view, GUIDES[r.game])
    yield from (player.tip for player in scene.players)
    for space in range(0, len(r.match.view.units), 5):
        yield GUIDES[r.game].look.describe(r.match.view, space, r.called)


def text_client(r: Reading) -> Iterator[str]:
    for command in ("look", "look italia", "standings", "owed", *GAME_TEXTS[r.game].sheets):
        # Commands to be typed name each player: "2. bid 65 a Zelda b Quirin".
        yield from (line for line in r.text.read(command) if not re.match(r"\d+\. [a-z]", line))


def result(r: Reading) -> Iterator[str]:
    return (heard(place.score) for place in r.match.rules.standings(r.match.view))


def polls(_r: Reading) -> Iterator[Poll]:
    for asker in (*range(len(NAMES)), NONE):
        for motion in (
            *(Motion(matter) for matter in (Matter.PAUSE, Matter.GO_ON, Matter.END)), Motion(Matter.BACK, to=1),
            Motion(Matter.SEAT, 1, level="normal"), Motion(Matter.SEAT, 1, level="normal", turn=True),
            Motion(Matter.SEAT, 1, name="Nerva"), Motion(Matter.TIME, 2, seconds=60),
            Motion(Matter.PACE, pace=Pace(Run.LIVE, 60, 60)),
        ):  # fmt: skip
            # A seat in question is that of an absent player, who asks nothing.
            if (asker != NONE or motion.name) and (motion.matter is not Matter.SEAT or asker != motion.seat):
                yield Poll(1, motion, asker, (0, 1, 2, 3), (0,), (1,), 3, 0, Outcome.LAPSED)


def votes(r: Reading) -> Iterator[str]:
    for poll in polls(r):
        moment = NamedVersion(1, MomentKind.TURN, 3)
        yield proposal_text.question(poll, who, moment if poll.motion.matter is Matter.BACK else None, r.reader)
        yield proposal_text.standing(poll, who, r.reader)
        yield proposal_text.result(poll, who, r.reader)
    for kind in MomentKind:
        yield proposal_text.moment_words(NamedVersion(1, kind, 2, 3, (2, 1)), who, r.reader)


def notices(r: Reading) -> Iterator[str]:
    """Yield mails, pushed notices and webhooks of a seat that owes a decision."""
    for seat in r.match.owed():
        if seat == r.reader:
            prompt = SENTENCES[r.game].prompt(r.match.view)
            alert = Alert("m", "Rome", "Conquest", "abc", NAMES, prompt.what, 1e9, True)
            for code in ("en", "de"):
                yield from (text_of(alert, code).title, text_of(alert, code).body, payload(alert, code).decode())
            yield Note("m", "Rome", "Conquest", (NAMES[(seat + 1) % 4],)).text


Shown = Callable[[Reading], Iterator[str]]
SHOWN: Final[Mapping[str, Shown]] = {
    "chronicle": chronicle, "decision": decision, "since turn": since_turn, "choices": choices, "tooltips": tooltips,
    "text client": text_client, "result": result, "votes": votes, "notices": notices,
}  # fmt: skip
"""Texts that programs show, by name."""
ONCE: Final = ("votes",)
"""Names of texts that are the same at each position."""


@pytest.mark.parametrize(("game", "reader", "steps"), [
    *((game, reader, 8) for game, reader in (("classic", 1), ("cote2", NONE))),
    *pairs_in_stages(
        [(game, reader, 300) for game in RULESETS for reader in (*range(4), NONE)],
        default=[],
        often=[("classic", 2, 300), ("cote2", 2, 300), ("mb1984", NONE, 300)],
    ),
])  # fmt: skip
def test_readers_see_names_and_you_but_no_numbers(game: str, reader: Seat, steps: int) -> None:
    reading, seen, wrong = Reading(game, reader, steps + reader), set[str](), dict[str, str]()
    try:
        for step in range(steps + END):
            going = reading.step() if step < steps else concede(reading)
            for code in ("en", "de") if step % 7 == 0 or step == steps + END - 1 else ():
                switch(code, (GUIDES, rules_text, GAME_TEXTS))
                for name, shown in SHOWN.items():
                    for words in shown(reading) if step == 0 or name not in ONCE else ():
                        seen.add(words)
                        if fault(words, reader):
                            wrong[words] = name
            reading.fresh = [] if step % 7 == 0 else reading.fresh
            if not going and step < steps:
                break
    finally:
        switch("en", (GUIDES, rules_text, GAME_TEXTS))
    assert len(seen) > 100 and reading.match.finished
    assert not wrong


def fault(words: str, reader: Seat) -> bool:
    """Whether a text names its reader, addresses a spectator, or has numbers for names."""
    own = reader != NONE and NAMES[reader] in words
    stranger = reader == NONE and re.search(r"\b([Yy]ou(?! are watching)|du|dich|dir|dein\w*)\b", words)
    return bool(own or stranger or NUMBERED.search(words) or THIRD.search(words))


def concede(reading: Reading) -> bool:
    """Let all others grant the victory to one player, one after the other."""
    match = reading.match
    victor, *others = GUIDES[reading.game].living(match.state)
    for seat in others:
        if not match.finished and match.state.conceded[seat] != victor:
            engine.play(match.rules, match.state, seat, Concede(victor), match._emit)
            break
    return reading.hear(not match.finished)
