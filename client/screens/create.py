"""Making a table: who plays, by which rules, with which clock."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import arcade
from arcade.types import Rect

from client.drawing import brush, theme
from client.drawing.fields import Selector, TextField, Toggle
from client.drawing.widgets import Button, Label, Widget
from client.player.plan import TAKEOVER, THINK, Plan, homes_by_seat, label, nearest, thinned, usual_title
from client.screens.framed import FramedScreen
from client.screens.navigator import Purpose
from client.screens.shell import Shell
from shared.kernel.engine import Option
from shared.levels import LEVELS
from shared.rulesets.registry import RULESETS
from shared.tables import MAX_NAME, MAX_TITLE

_TITLES: Final[dict[Purpose, str]] = {
    "play": "Play against bots",
    "host": "Host a game",
    "lobby": "A new table",
}
_GO: Final[dict[Purpose, str]] = {"play": "To the table", "host": "Open the table", "lobby": "Open the table"}
_HELP: Final[dict[Purpose, str]] = {
    "play": "Bots take the other seats and the match begins at once. It is kept: you may stop and continue later.",
    "host": "Friends join over your network; the next page shows what to tell them.",
    "lobby": "You sit down at once; the others join from the list, or with the code.",
}
_ADVICE: Final = (
    "What the strongest bot would do in their place; everybody is told who asked. Against bots it is always allowed."
)
_PLACE: Final = 74.0
"""Design height of one entry of the form."""
_LOW: Final = 46.0
"""Design height of one switch."""


class CreateScreen(FramedScreen):
    """A form. For `play` it starts a private server, for `host` one for the network; `lobby` uses the present one."""

    def __init__(self, shell: Shell, purpose: Purpose) -> None:
        super().__init__(shell)
        self.purpose: Purpose = purpose
        self.plan = Plan(title=usual_title(shell.settings.name), seats=4 if purpose == "play" else 3)
        self._page = 0
        self.helps: dict[Widget, str] = {}
        """What is said about a control while it has the mouse or the focus."""

    def layout(self, width: float, height: float) -> None:
        self.helps.clear()
        inside = self.frame(1040, 600 if self.purpose == "play" else 700, _TITLES[self.purpose])
        gap = theme.px(48)
        wide = (inside.width - gap) / 2
        self._left(_Column(self, inside.left, inside.top, wide))
        self._right(_Column(self, inside.left + wide + gap, inside.top, wide), inside)
        back = self.back_button(inside)
        go = Button(self.foot(inside, 240, right=True), _GO[self.purpose], self.confirm, kind="primary")
        self.ui.add(go)
        if self.ui.focus is None:
            self.ui.set_focus(go)
        self._words_at = arcade.LRBT(back.rect.right + theme.px(24), go.rect.left - theme.px(24),
                                     back.rect.bottom, back.rect.top)  # fmt: skip

    def on_draw(self) -> None:
        super().on_draw()
        at = self._words_at
        focused = self.helps.get(self.ui.focus, "") if self.ui.focus is not None else ""
        hovered = next((words for widget, words in self.helps.items() if widget.hovered), "")
        brush.say(hovered or focused or _HELP[self.purpose], at.left, at.y, colour=theme.INK_SOFT, width=at.width,
                  italic=True)  # fmt: skip

    def _left(self, column: _Column) -> None:
        plan, rules = self.plan, self.plan.rules
        if self.purpose == "play":
            column.text("Your name", self.shell.settings.name, MAX_NAME, self._name)
        else:
            column.text("Name of the table", plan.title, MAX_TITLE, self._title)
        sets = list(RULESETS.values())
        column.choice("Rule set", [r.title for r in sets], [r.id for r in sets].index(plan.ruleset),
                      lambda i: self._rules(sets[i].id))  # fmt: skip
        counts = range(rules.min_seats, rules.max_seats + 1)
        column.choice("Players", [f"{n} players" for n in counts], plan.seats - rules.min_seats,
                      lambda i: self._seats(counts[i]), wrap=False)  # fmt: skip
        homes = homes_by_seat(plan.ruleset, plan.seats)
        if homes:
            column.choice("Your home", ["as the table deals it", *homes], plan.home + 1, self._home)
        if self.purpose == "play":
            column.choice("The others are", [f"{kind} bots" for kind in LEVELS], LEVELS.index(plan.bots[0]),
                          lambda i: self._bots(LEVELS[i]))  # fmt: skip
        else:
            column.toggle("Listed for everybody on this server", plan.listed, self._listed)
            column.toggle("Players may ask for advice", plan.advice, self._advice, about=_ADVICE)

    def _right(self, column: _Column, inside: Rect) -> None:
        plan = self.plan
        if self.purpose != "play":
            column.choice("Time for one decision", [words for _, words in THINK],
                          nearest([n for n, _ in THINK], plan.think), lambda i: self._think(THINK[i][0]))  # fmt: skip
            column.choice("A bot plays for anybody away", [words for _, words in TAKEOVER],
                          nearest([n for n, _ in TAKEOVER], plan.takeover),
                          lambda i: self._takeover(TAKEOVER[i][0]))  # fmt: skip
        options = [o for o in plan.rules.options if not (o.key == "homes" and plan.home >= 0)]
        pages = _pages(options, (column.top - inside.bottom) / theme.px(1))
        self._page %= len(pages)
        for option in pages[self._page]:
            column.option(option, plan.options)
        if len(pages) > 1:
            column.more(f"More rules of this table ({self._page + 1} of {len(pages)})", self._turn)

    def _turn(self) -> None:
        self._page += 1
        self.relayout()

    def _name(self, words: str) -> None:
        self.shell.settings.name = words.strip() or "Caesar"

    def _title(self, words: str) -> None:
        self.plan.title = words

    def _rules(self, key: str) -> None:
        self.plan = Plan(key, self.plan.seats, self.plan.title)
        self.plan.seats = min(max(self.plan.seats, self.plan.rules.min_seats), self.plan.rules.max_seats)
        self.relayout()

    def _seats(self, count: int) -> None:
        self.plan.seats, self.plan.home = count, -1
        self.relayout()

    def _home(self, index: int) -> None:
        self.plan.home = index - 1
        self.relayout()

    def _bots(self, kind: str) -> None:
        self.plan.bots = (kind,)

    def _listed(self, on: bool) -> None:
        self.plan.listed = on

    def _advice(self, on: bool) -> None:
        self.plan.advice = on

    def _think(self, seconds: int) -> None:
        self.plan.think = seconds

    def _takeover(self, seconds: int) -> None:
        self.plan.takeover = seconds

    def confirm(self) -> None:
        """Make the table."""
        shell, plan = self.shell, self.plan
        shell.settings.save()
        if self.purpose == "lobby":
            shell.visit.create(plan)
        elif self.purpose == "host":
            shell.go.host(plan)
        else:
            shell.go.play(plan)

    def back(self) -> None:
        if self.purpose == "lobby":
            self.shell.go.lobby()
        else:
            self.shell.go.menu()


def _switch(option: Option) -> bool:
    return option.labels == ("no", "yes")


def _pages(options: Sequence[Option], room: float) -> list[list[Option]]:
    """The options on one page where they fit into that design height, else on as many as it takes."""
    heights = [_LOW if _switch(option) else _PLACE for option in options]
    if sum(heights) <= room:
        return [list(options)]
    pages: list[list[Option]] = [[]]
    used = 0.0
    for option, high in zip(options, heights, strict=True):
        if used + high > room - _LOW and pages[-1]:
            pages.append([])
            used = 0.0
        pages[-1].append(option)
        used += high
    return pages


class _Column:
    """Entries of the form below each other: a name, a control, an explanation."""

    def __init__(self, screen: CreateScreen, left: float, top: float, wide: float) -> None:
        self._add = screen.ui.add
        self._helps = screen.helps
        self._left, self.top, self._wide = left, top, wide

    def _next(self, words: str) -> Rect:
        """The name of an entry; returns the place of its control."""
        self._add(Label(words, self._left, self.top - theme.px(10), size=theme.SMALL + 0.5, colour=theme.INK_SOFT,
                        title=True, limit=self._wide))  # fmt: skip
        high = theme.px(40)
        rect = arcade.LBWH(self._left, self.top - theme.px(22) - high, self._wide, high)
        self.top -= theme.px(_PLACE)
        return rect

    def text(self, words: str, value: str, limit: int, changed: Callable[[str], object]) -> None:
        self._add(TextField(self._next(words), value, limit=limit, changed=changed))

    def choice(self, words: str, labels: Sequence[str], index: int, changed: Callable[[int], object], *,
               about: str = "", wrap: bool = True) -> None:  # fmt: skip
        made = self._add(Selector(self._next(words), labels, index, changed, wrap=wrap))
        if about:
            self._helps[made] = about

    def toggle(self, words: str, on: bool, changed: Callable[[bool], object], *, about: str = "") -> None:
        high = theme.px(36)
        rect = arcade.LBWH(self._left, self.top - theme.px(4) - high, self._wide, high)
        made = self._add(Toggle(rect, words, on, changed))
        self.top -= theme.px(_LOW)
        if about:
            self._helps[made] = about

    def option(self, option: Option, chosen: dict[str, int]) -> None:
        """A table's choice of the rule set; what is chosen is noted in `chosen`."""
        if _switch(option):
            on = chosen.get(option.key, option.default) == option.values[1]

            def switch(on: bool) -> None:
                chosen[option.key] = option.values[on]

            self.toggle(option.label, on, switch, about=option.help)
            return
        values = thinned(option)
        value = chosen.get(option.key, option.default)
        place = values.index(value) if value in values else nearest(values, value)

        def choose(index: int) -> None:
            chosen[option.key] = values[index]

        self.choice(option.label, [label(option, v) for v in values], place, choose, about=option.help)

    def more(self, words: str, action: Callable[[], object]) -> None:
        rect = arcade.LBWH(self._left, self.top - theme.px(48), self._wide, theme.px(36))
        self._add(Button(rect, words, action, kind="quiet", size=theme.BODY))
