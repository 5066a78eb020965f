"""A player who plays a match on the page, by taps alone or by keys alone, and chooses by chance."""

import asyncio
import random
from collections import Counter
from collections.abc import Callable, Coroutine
from typing import Any, Final, get_args

from playwright.async_api import Browser, Error

from server.connections.server_app import App
from shared.levels import EASY
from shared.messages import Create, Done, SetBot
from shared.rulesets.registry import RULESETS
from tests.server.fakes import Client
from tests.web.page_harness import SHORT, Sight, begin, the_table, web

READY: Final = "(conquest.match.over || (conquest.decide.deciding.owes && !conquest.decide.deciding.sending))"
HASTE: Final = 1.5
"""Seconds after which a player looks again at what has moved under the finger."""
STATE: Final = """(() => {
  const {match, decide} = conquest, {deciding} = decide;
  const all = (selector) => decide.element.querySelectorAll(selector).length;
  const final = decide.final;
  return {over: match.over, version: match.history.version, owes: deciding.owes && !deciding.sending,
    choices: all('.choices .choice:not(:disabled)'), parts: all('.choices :is(.option, .step):not(:disabled)'),
    final: !final.hidden && !final.disabled, altered: deciding.altered, open: !final.hidden, words: final.textContent,
    deep: deciding.steps.length > 1,
    kinds: (deciding.top?.groups() ?? []).flatMap(({entries}) => entries.map(
      ({action, form, way}) => action?.[0] ?? form?.tag ?? way.kind ?? -1)),
    waits: Boolean(deciding.top?.ticket), spots: conquest.board.lights.size};
})()"""


class PagePlayer:
    """A person at the page of a running match. `gestures`: how many of which sort were made."""

    def __init__(self, sight: Sight, chance: random.Random, touch: bool) -> None:
        self.sight, self.chance, self.touch = sight, chance, touch
        self.gestures: Counter[str] = Counter()
        self.chosen: Counter[int] = Counter()
        self.texts: list[str] = []

    async def play(self, gesture: Callable[[dict[str, Any]], Coroutine[Any, Any, None]]) -> None:
        """Play by such gestures until the match is over."""
        while not (state := await self.settled())["over"]:
            try:
                await gesture(state)
            except Error as error:
                if "imeout" not in str(error) and "detached" not in str(error):
                    raise
                self.gestures["missed"] += 1

    async def settled(self) -> dict[str, Any]:
        """Return what the page shows once it asks nothing any more."""
        await self.sight.wait(f"{READY}")
        state: dict[str, Any] = await self.sight.ask(STATE)
        while not state["over"] and (state["waits"] or not (state["choices"] or state["open"])):
            await asyncio.sleep(0.02)
            state = await self.sight.ask(STATE)
        return state

    # --- by taps ---

    async def tap(self, state: dict[str, Any]) -> None:
        """Make one tap: the final button mostly, else a choice, a part of a form, or a space of the board."""
        if state["final"] and self.chance.random() < 0.6:
            self.texts.append(state["words"])
            await self._press("final", ".decide .final")
        elif state["altered"] and not state["final"] and self.chance.random() < 0.4:
            await self._press("reset", ".decide .reset")
        elif state["open"]:
            back = state["deep"] and self.chance.random() < 0.1
            await self._press("back" if back or not state["parts"] else "part", *self._form(back, state))
        elif state["spots"] and self.chance.random() < 0.5:
            await self._spot(self.chance.randrange(state["spots"]))
        else:
            await self._choose(state)

    def _form(self, back: bool, state: dict[str, Any]) -> tuple[str, int]:
        if back or not state["parts"]:
            return (".decide .back", 1) if state["deep"] else (".decide .final", 1)
        return ".decide .choices :is(.option, .step):not(:disabled)", state["parts"]

    async def _choose(self, state: dict[str, Any]) -> None:
        """Tap a choice, of a kind that was seldom chosen rather than of another."""
        kinds = state["kinds"][: state["choices"]] or [-1] * state["choices"]
        number = self.chance.choices(range(len(kinds)), [1 / (1 + self.chosen[kind]) for kind in kinds])[0]
        self.chosen[kinds[number]] += 1
        await self.sight.press(".decide .choices .choice:not(:disabled)", number, touch=self.touch, patience=HASTE)
        self.gestures["choice"] += 1

    async def _press(self, sort: str, selector: str, count: int = 1) -> None:
        await self.sight.press(selector, self.chance.randrange(count), touch=self.touch, patience=HASTE)
        self.gestures[sort] += 1

    async def _spot(self, number: int) -> None:
        """Tap a lit space in its middle, where a piece may stand."""
        box = await self.sight.ask(
            f"""(() => {{ const {{board}} = conquest, space = [...board.lights.keys()][{number}];
            if (space === undefined) return null;
            board.element.scrollIntoView({{block: 'nearest'}});
            const point = new DOMPoint(...board.spaces.anchor(space)).matrixTransform(board.svg.getScreenCTM());
            return board.svg.contains(document.elementFromPoint(point.x, point.y)) ? [point.x, point.y] : null }})()"""
        )
        if box is None:
            self.gestures["out of sight"] += 1
            return
        await self.sight.press_at(*box, touch=self.touch)
        self.gestures["board"] += 1

    # --- by keys ---

    async def type(self, state: dict[str, Any]) -> None:
        """Press one key: a number, Enter, Escape, or the arrows on a number."""
        press = self.sight.page.keyboard.press
        if state["final"] and self.chance.random() < 0.6:
            self.texts.append(state["words"])
            await self.sight.ask("document.activeElement.blur()")
            await press("Enter")
            self.gestures["Enter"] += 1
        elif state["open"]:
            await self._type_in_form(state)
        elif state["choices"] > 9 and self.chance.random() < 0.7:
            await press("1")
            await self._tab_to_choice()
        else:
            await press(str(self.chance.randint(1, min(9, state["choices"]))))
            self.gestures["number"] += 1

    async def _type_in_form(self, state: dict[str, Any]) -> None:
        press = self.sight.page.keyboard.press
        if not state["parts"] or self.chance.random() < 0.1:
            await press("Escape")
            self.gestures["Escape"] += 1
            return
        await self.sight.ask("conquest.decide.element.querySelector('.choices [data-focus]')?.focus()")
        for _ in range(self.chance.randrange(4)):
            await press("Tab")
        await press(self.chance.choice(["ArrowRight", "ArrowRight", "ArrowLeft", "Home", "End", "Space"]))
        self.gestures["arrow"] += 1

    async def _tab_to_choice(self) -> None:
        press = self.sight.page.keyboard.press
        for _ in range(self.chance.randrange(12)):
            await press("ArrowDown")
        await press("Enter")
        self.gestures["arrow"] += 1


async def at_table(
    chromium: Browser,
    app: App,
    ruleset: str,
    seats: int,
    seed: int,
    *,
    options: dict[str, int] | None = None,
    **size: Any,
) -> PagePlayer:
    """Return a player at a page who has taken the first seat of a table of bots that has begun."""
    host = await waiting_table(app, ruleset, seats, options)
    sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).code}", **size)
    return await sit_down(host, sight, seed, touch=bool(size.get("has_touch")))


async def waiting_table(app: App, ruleset: str, seats: int, options: dict[str, int] | None) -> Client:
    """Return the host of a table with bots on all seats but the first."""
    host = await Client(app.address, "Livia").open()
    chosen = SHORT[ruleset] if options is None else options
    await host.ask(lambda ref: Create(ref, ruleset, seats, chosen, "Friday night", seat=-2), Done)
    for seat in range(1, seats):
        await host.ask(lambda ref, seat=seat: SetBot(ref, seat, EASY), Done)  # type: ignore[misc]
    return host


async def sit_down(host: Client, sight: Sight, seed: int, *, touch: bool) -> PagePlayer:
    """Take the free seat on the page of a table, and begin; return the player."""
    await sight.fill(".sit input", "Ada")
    await sight.press(".sit .primary")
    await sight.wait("globalThis.conquest?.match?.seat === 0")
    await begin(host)
    await sight.ask(COUNTED)
    return PagePlayer(sight, random.Random(seed), touch)


COUNTED: Final = """(() => {
  const {match} = conquest, act = match.act.bind(match);
  match.taken = [];
  match.act = async (frame, action) => {
    const told = await act(frame, action);
    match.taken.push([action[0], told?.kind === 'Accepted', told?.text ?? '']);
    return told;
  };
})()"""
"""Lets the page write down each action that it sends, and whether it counted."""


async def taken(player: PagePlayer, ruleset: str) -> Counter[str]:
    """Return how many actions of each kind were played on the page; fails if one was refused."""
    told = await player.sight.ask("conquest.match.taken")
    assert all(counts for _tag, counts, _why in told), [each for each in told if not each[1]]
    names = {int(str(kind.__struct_config__.tag)): kind.__name__ for kind in kinds(ruleset)}
    return Counter(names[tag] for tag, _counts, _why in told)


def kinds(ruleset: str) -> tuple[Any, ...]:
    """Return all kinds of actions of a game."""
    return get_args(RULESETS[ruleset].action_decoder.type)
