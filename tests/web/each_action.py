"""Each kind of action of each game, by taps in a browser on a phone: `python -m tests.web.each_action [GAME]`.

Recorded matches lead to positions in which the first seat may take such an action; random ones where those lack it. The
server loads the match, and taps alone compose the action on the page.
"""

import asyncio
import json
import random
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
from playwright.async_api import Browser, Error

from protocol import codec
from protocol.listing import Listing
from server.connections.server_app import App
from server.tools.recording import RecordedGame, Recording, lay_out, read
from shared.actions.description import Filter
from shared.ids import Seat
from shared.kernel import engine
from shared.kernel.frames import Action
from shared.kernel.ruleset import AnyRuleset, rules_of
from shared.rulesets.registry import RULESETS
from tests.play.record import FOLDER
from tests.web.page_harness import Sight, browser, hasten, serving_games, web
from tests.web.page_player import COUNTED, PagePlayer, kinds

PERSON: Final = 0
"""Seat whose actions are taken on the page."""
GESTURES: Final = 80
"""Taps for one action at most."""
STEPS: Final = 1500
"""Actions of a random match at most."""
MATCHES: Final = 60
"""Random matches that are tried."""
POSITIONS: Final = Path(__file__).parent / "positions"
"""Matches to positions that chance does not reach, such as a shot at two laden galleys of a side (`Lose` of 1984)."""
PROPOSES: Final = 0.1
"""Share of the actions of a random match that propose a bargain, where there is one."""
TOUCHED: Final[dict[str, Any]] = {"viewport": {"width": 360, "height": 740}, "is_mobile": True, "has_touch": True}
PLAIN: Final = msgspec.msgpack.Decoder()


def names_of(ruleset: str) -> dict[int, str]:
    """Return the kinds of actions of a game by their tags."""
    return {int(str(kind.__struct_config__.tag)): kind.__name__ for kind in kinds(ruleset)}


def chance_kinds(ruleset: str) -> set[str]:
    """Return the kinds that chance alone takes."""
    return set(names_of(ruleset).values()) & {"Rolled", "Drawn", "Dealt"}


def situations(rules: AnyRuleset) -> dict[str, Recording]:
    """Return, for each kind of action, the beginning of a match after which the first seat may take it."""
    missing = set(names_of(rules.id).values()) - chance_kinds(rules.id)
    found: dict[str, Recording] = {}
    for recording in recordings(rules):
        note_taken(rules, recording, missing, found)
    for path in sorted(POSITIONS.glob(f"{rules.id}_*.json")):
        note_last(rules, read(path), missing, found)
    for seed in range(MATCHES):
        if missing:
            note_random(rules, seed, missing, found)
    return found


def recordings(rules: AnyRuleset) -> Iterator[Recording]:
    """Yield the recorded matches of the present rules."""
    for path in sorted((FOLDER / f"{rules.id}-{rules.version}").glob("*.json")):
        yield read(path)


def note_taken(rules: AnyRuleset, recording: Recording, missing: set[str], found: dict[str, Recording]) -> None:
    """Note what the first seat did in a recorded match."""
    names = names_of(rules.id)
    for place, (seat, action) in enumerate(recording.log):
        name = names[action[0]]
        if seat == PERSON and name in missing:
            found[name] = cut(recording, recording.log[:place])
            missing.remove(name)


def note_last(rules: AnyRuleset, recording: Recording, missing: set[str], found: dict[str, Recording]) -> None:
    """Note what the first seat may do after a match to a certain position."""
    game = RecordedGame(rules_of(RULESETS, rules.id, recording.version), recording.seats, recording.options)
    for seat, action in recording.log:
        game.play(seat, rules.action_decoder.decode(codec.ENCODER.encode(action)))
    note_legal(rules, game.state, recording, missing, found)


def cut(recording: Recording, log: Sequence[Any]) -> Recording:
    """Return the beginning of a match."""
    return Recording(recording.ruleset, recording.version, recording.seats, recording.options, recording.seed, [*log])


def note_random(rules: AnyRuleset, seed: int, missing: set[str], found: dict[str, Recording]) -> None:
    """Play by chance, and note what the first seat may do on the way."""
    rng = random.Random(seed)
    seats = rules.min_seats + seed % (rules.max_seats - rules.min_seats + 1)
    options = {option.key: 1 for option in rules.options if option.key == "resign"}
    game = RecordedGame(rules, seats, options)
    made = Recording(rules.id, rules.version, seats, options, seed, [])
    while missing and len(made.log) < STEPS and (owed := engine.owed(rules, game.state)):
        seat = rng.choice(owed)
        action = engine.chance_action(game.state, rng)
        if action is None:
            note_legal(rules, game.state, made, missing, found)
            seat, action = any_action(rules, game.state, seat, rng)
        made.log.append((seat, PLAIN.decode(codec.encode(action))))
        engine.play(rules, game.state, seat, action, engine.ignore_event)


def note_legal(rules: AnyRuleset, state: Any, made: Recording, missing: set[str], found: dict[str, Recording]) -> None:
    """Note what the first seat may do in a position."""
    owes = PERSON in engine.owed(rules, state)
    legal = engine.options(rules, state, PERSON) if owes else []
    # The bots go on where the first seat owes nothing; only proposals are for that.
    at_any_time = [action for action in standing(rules, state, PERSON) if owes or hasattr(action, "pays")]
    for action in [*legal, *at_any_time]:
        if (name := type(action).__name__) in missing:
            found[name] = cut(made, made.log)
            missing.remove(name)


def any_action(rules: AnyRuleset, state: Any, seat: Seat, rng: random.Random) -> tuple[Seat, Action]:
    """Return an action by chance, of each kind as often as of another, and now and then a proposal."""
    if rng.random() < PROPOSES and (made := proposals(rules, state)):
        return rng.choice(made)
    legal = engine.options(rules, state, seat)
    kind = rng.choice(sorted({type(action) for action in legal}, key=lambda each: each.__name__))
    return seat, rng.choice([action for action in legal if type(action) is kind])


def proposals(rules: AnyRuleset, state: Any) -> list[tuple[Seat, Action]]:
    """Return what seats may propose to the first one."""
    seats = range(1, len(rules.standings(state)))
    offered = [(seat, action) for seat in seats for action in standing(rules, state, seat)]
    return [
        (seat, action) for seat, action in offered if getattr(action, "to", None) == PERSON and hasattr(action, "pays")
    ]


def standing(rules: AnyRuleset, state: Any, seat: Seat) -> list[Action]:
    """Return actions that a seat may take at any time."""
    listing = Listing(rules, rules.view(state, seat), seat, standing=True)
    return [rules.action_decoder.decode(raw) for raw in listing.page(Filter(), 0, True).actions]


# --- on the page ---


class Seeker(PagePlayer):
    """A player who taps towards one kind of action."""

    def __init__(self, sight: Sight, chance: random.Random, tag: int) -> None:
        super().__init__(sight, chance, touch=True)
        self.tag = tag

    async def reach(self) -> list[Any]:
        """Tap until an action of that kind was sent; return what became of it, [] if it was not reached."""
        for _ in range(GESTURES):
            if told := [each for each in await self.sight.ask("conquest.match.taken") if each[0] == self.tag]:
                return list(told[0])
            try:
                await self.towards(await self.settled())
            except Error as error:
                if "imeout" not in str(error) and "detached" not in str(error):
                    raise
        return []

    async def towards(self, state: dict[str, Any]) -> None:
        """Make one tap towards the action."""
        if state["open"]:
            ready = state["final"] and await self.sight.ask("conquest.decide.deciding.top.action?.[0]") == self.tag
            if ready:
                await self._press("final", ".decide .final")
            elif state["altered"] and not state["final"]:
                await self._press("reset", ".decide .reset")  # Its draft is legal; chance seldom finds the way there.
            elif state["final"] or not state["parts"]:
                await self._press("back", ".decide .back")
            else:
                await self._press("part", *self._form(False, state))
            return
        fits = [place for place, kind in enumerate(state["kinds"][: state["choices"]]) if kind in (self.tag, -1)]
        if fits:
            place = self.sight.page.locator(".decide .choices .choice:not(:disabled)").nth(self.chance.choice(fits))
            await place.tap(timeout=1500)
            self.gestures["choice"] += 1
        elif await self.sight.ask("!conquest.decide.others.hidden"):
            await self.sight.page.locator(".decide .aside button:visible").last.tap(timeout=1500)
            self.gestures["others"] += 1
        else:
            await self._press("back", ".decide .back")


def beginning(ruleset: str, kind: str) -> Recording:
    """Return the beginning of a recorded match after which the first seat took an action of that kind."""
    found: dict[str, Recording] = {}
    for recording in recordings(RULESETS[ruleset]):
        note_taken(RULESETS[ruleset], recording, {kind} - set(found), found)
    return found[kind]


@asynccontextmanager
async def seated_at(chromium: Browser, app: App, recording: Recording, **size: Any) -> AsyncIterator[Sight]:
    """Yield the page of the first seat after the beginning of a match."""
    told = json.loads(await lay_out(app.store, RULESETS, recording, "Ada"))
    token = [*bytes.fromhex(told["token"])]
    person = {"name": "Ada", "secret": None, "seats": {told["match"]: {"code": "", "token": token}}}
    context = await chromium.new_context(reduced_motion="reduce", **size)
    try:
        await context.add_init_script(f"localStorage.setItem('conquest.person', {json.dumps(json.dumps(person))})")
        await hasten(context)
        sight = Sight(await context.new_page())
        await sight.page.goto(f"{web(app)}/watch#{told['match']}")
        await sight.wait(
            "globalThis.conquest?.match?.seat === 0 && conquest.match.arrived && conquest.match.history.moments.length"
        )
        await sight.ask(COUNTED)
        yield sight
    finally:
        await context.close()


async def tapped(chromium: Browser, app: App, recording: Recording, tag: int) -> tuple[list[Any], int, list[str]]:
    """Return what became of an action of that kind, the taps that it took, and the page's errors."""
    async with seated_at(chromium, app, recording, **TOUCHED) as sight:
        seeker = Seeker(sight, random.Random(1), tag)
        found = await seeker.reach()
        wrong = await sight.ask("conquest.match.history.wrong")
        return found, seeker.gestures.total(), [*sight.troubles, *(["a wrong digest"] if wrong else [])]


async def table(ruleset: str, data: Path) -> AsyncIterator[tuple[str, list[Any], int, list[str]]]:
    """Yield each kind of action of a game with what became of it on the page."""
    names = names_of(ruleset)
    found = situations(RULESETS[ruleset])
    async with serving_games(data) as app, browser() as chromium:
        for tag, name in sorted(names.items()):
            if name not in chance_kinds(ruleset):
                yield (
                    name,
                    *(await tapped(chromium, app, found[name], tag) if name in found else ([], 0, ["no position"])),
                )


async def main(rulesets: Sequence[str]) -> None:
    """Print a table for each game."""
    for ruleset in rulesets or tuple(RULESETS):
        with tempfile.TemporaryDirectory() as folder:
            async for name, told, taps, troubles in table(ruleset, Path(folder)):
                played = "played" if told[1:2] == [True] else "refused: " + told[2] if told else "not reached"
                print(f"{ruleset:8} {name:20} {taps:3} taps  {played} {'; '.join(troubles)}", flush=True)


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1:]))
