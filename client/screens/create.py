"""Form for a new table: players, rules, clock."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, TypeAlias

import arcade
from arcade.types import Rect
from msgspec.structs import replace

from client.drawing import theme
from client.drawing.fields import Selector, TextField, Toggle
from client.drawing.widgets import Button, Label, Ui
from client.language import _, heard, say
from client.network.local_players import together
from client.player.clock_presets import LATE, NAMED, about, is_plain, numbers
from client.player.settings import known_servers
from client.player.table_options import (
    ABSENT,
    TOGETHER,
    TableOptions,
    homes_by_seat,
    label,
    nearest,
    summary,
    thinned,
    usual_title,
)
from client.screens.application import Application
from client.screens.base import FramedScreen
from client.screens.navigator import Purpose
from shared.actions.bot_levels import LEVEL_WORDS
from shared.ids import MAX_SEATS
from shared.kernel.ruleset import Option, told_to_all
from shared.levels import LEVELS, by_post
from shared.rulesets.registry import RULESETS
from shared.tables import MAX_NAME, MAX_TITLE, PACE, VOTES, Late, Pace, Run

_PLACE = 64.0
"""Design height of a name and its control."""
_SWITCH = 40.0
"""Design height of a switch."""
_AIR = 10.0
"""Design distance between two entries."""
_SENSIBLE: Final = {"round_limit": 10}
"""Values that follow on the lowest one, by option: one round is no match."""

Chosen: TypeAlias = dict[str, int]


class Column:
    """Column of form entries, filled downwards from `top`. Lengths in pixels."""

    def __init__(self, ui: Ui, left: float, top: float, width: float) -> None:
        self._ui = ui
        self._left, self.top, self._wide = left, top, width

    def text(
        self, words: str, value: str, limit: int, changed: Callable[[str], object], *, hint: str = "", about: str = ""
    ) -> None:
        """Add a text field."""
        self._ui.add(TextField(self._named(words), value, hint=hint, limit=limit, changed=changed))
        self._end(about)

    def choice(self, words: str, labels: Sequence[str], index: int, changed: Callable[[int], object], *,
               about: str = "", wrap: bool = True, first: int = 1) -> None:  # fmt: skip
        """Add a selector for one of several values; `first` follows on the lowest one."""
        self._ui.add(Selector(self._named(words), labels, index, changed, wrap=wrap, first=first))
        self._end(about)

    def toggle(self, words: str, on: bool, changed: Callable[[bool], object], *, about: str = "") -> None:
        """Add a switch."""
        height = theme.px(_SWITCH - 4)
        self._ui.add(Toggle(arcade.LBWH(self._left, self.top - height, self._wide, height), words, on, changed))
        self.top -= theme.px(_SWITCH - 2)
        self._end(about)

    def button(self, words: str, action: Callable[[], object], about: str = "") -> None:
        """Add a button."""
        height = theme.px(36)
        rect = arcade.LBWH(self._left, self.top - height, self._wide, height)
        self._ui.add(Button(rect, words, action, kind="quiet", size=theme.BODY))
        self.top = rect.bottom - theme.px(6)
        self._end(about)

    def option(self, option: Option, chosen: Chosen) -> None:
        """Add the selector for a rule set's option; the choice is stored in `chosen`."""
        value = chosen.get(option.key, option.default)
        if _switch(option):

            def switch(on: bool) -> None:
                chosen[option.key] = option.values[on]

            self.toggle(_(option.label), value == option.values[1], switch, about=_(option.help))
            return
        values = thinned(option)
        place = values.index(value) if value in values else nearest(values, value)

        def choose(index: int) -> None:
            chosen[option.key] = values[index]

        first = values.index(_SENSIBLE[option.key]) if option.key in _SENSIBLE else 1
        self.choice(_(option.label), [_(label(option, v)) for v in values], place, choose, about=_(option.help),
                    first=first)  # fmt: skip

    def _named(self, words: str) -> Rect:
        """Draw the name of an entry; return the place of its control."""
        self._ui.add(Label(words, self._left, self.top - theme.px(9), size=theme.SMALL + 0.5, colour=theme.INK_SOFT,
                           title=True, limit=self._wide))  # fmt: skip
        height = theme.px(38)
        rect = arcade.LBWH(self._left, self.top - theme.px(20) - height, self._wide, height)
        self.top -= theme.px(_PLACE)
        return rect

    def _end(self, about: str) -> None:
        """Add the sentence below a control and the distance to the next entry."""
        if about:
            label = self._ui.add(_explanation_label(about, self._left, self.top, self._wide))
            self.top = label.rect.bottom
        self.top -= theme.px(_AIR)


def flow(options: Iterable[Option], width: float, room: float) -> list[list[Option]]:
    """Distribute the options over columns of width `wide`, none higher than `room` (pixels)."""
    columns: list[list[Option]] = [[]]
    used = 0.0
    for option in options:
        height = _height(option, width)
        if used + height > room and columns[-1]:
            columns.append([])
            used = 0.0
        columns[-1].append(option)
        used += height
    return columns


def _height(option: Option, width: float) -> float:
    control = _SWITCH if _switch(option) else _PLACE
    return theme.px(control + _AIR) + _explanation_label(_(option.help), 0, 0, width).rect.height


def _explanation_label(words: str, left: float, top: float, width: float) -> Label:
    return Label(words, left, top, anchor_y="top", width=width, size=theme.SMALL, colour=theme.INK_SOFT)


def _switch(option: Option) -> bool:
    return option.labels == ("no", "yes")


_TITLES: Final[dict[Purpose, str]] = {
    "play": _("Play against bots"),
    "host": _("Host a game"),
    "lobby": _("A new table"),
}
_GO: Final[dict[Purpose, str]] = {
    "play": _("To the table"),
    "host": _("Open the table"),
    "lobby": _("Open the table"),
}
_HELP: Final[dict[Purpose, str]] = {
    "play": _("Bots take the other seats and the match begins at once. It is kept: you may stop and continue later."),
    "lobby": _("You sit down at once; the others join from the list, or with the code."),
}
_ABOUT_HOME: Final = _("Where you begin. If you choose, the others begin in fixed places too, in the order of play.")
_ABOUT_AWAY: Final = _("For players who have lost the connection, until they are back. Clocks run on.")
_LISTED: Final[dict[Purpose, str]] = {
    "host": _("Shown to others nearby"),
    "lobby": _("Listed on this server"),
}
_ABOUT_LISTED: Final = _("Others find it in the list of tables; otherwise they need its code.")
_PLACES: Final = (
    (_("here, for this network"), _("Friends join over your network; the next page shows what to tell them.")),
    (_("here, for friends anywhere"), _("Your router is asked to let friends in. The room shows the link.")),
)
"""Places of a table on our own server, with explanations."""
_ENCRYPTED: Final = _("Your router is asked to let friends in. The room shows the link, encrypted by your certificate.")
_ABOUT_SERVER: Final = _("The table stays open there when you close the game.")
_DECIDING: Final = 120.0
"""Design height of the choice how the table decides."""
_SHARED: Final = 125.0
"""Design height of the entries for several people at this computer."""
_ABOUT_TOGETHER: Final = _("A pause, a substitute for an absent player, the end. Going back always needs all.")
_ABOUT_ADVICE: Final = _(
    "What the strongest bot would do in their place; everybody is told who asked. Against bots it is always allowed."
)


def _sentence(pace: Pace) -> str:
    """Return a sentence on the time that a clock preset gives each player."""
    return about(pace) if pace.run is Run.NONE else f"{numbers(pace)}."


class CreateScreen(FramedScreen):
    """Form for a table. For `play` it starts a private server, for `host` one for the network; `lobby` uses the present
    one.

    The options that differ most between tables are on the form itself; the other options of the rule set are folded
    away.
    """

    def __init__(self, app: Application, purpose: Purpose) -> None:
        super().__init__(app)
        self.purpose: Purpose = purpose
        self.plan = TableOptions(title=usual_title(app.settings.name), seats=4 if purpose == "play" else 3)
        self._person = app.settings.name
        self._others = ""
        """Typed names of the others at this computer."""
        self._servers = known_servers(app.settings, app.seats, app.profiles) if purpose == "host" else []
        self.unfolded = False
        """Whether the other options are shown in place of the form."""
        self._page = 0

    def layout(self, width: float, height: float) -> None:
        title = _("More options") if self.unfolded else _TITLES[self.purpose]
        inside = self.frame(1040, 720, title)
        gap = theme.px(48)
        wide = (inside.width - gap) / 2
        lefts = (inside.left, inside.left + wide + gap)
        if self.unfolded:
            self._options(inside, lefts, wide)
        else:
            self._left(Column(self.ui, lefts[0], inside.top, wide))
            self._right(Column(self.ui, lefts[1], inside.top, wide))
            self._foot(inside)

    def _foot(self, inside: Rect) -> None:
        back = self.back_button(inside)
        go = Button(self.foot(inside, 240, right=True), _GO[self.purpose], self.confirm, kind="primary")
        left, right = back.rect.right + theme.px(24), go.rect.left - theme.px(24)
        self.ui.add(Label(self._help, left, back.rect.y, width=right - left, colour=theme.INK_SOFT))
        self.ui.add(go)
        if self.ui.focus is None:
            self.ui.set_focus(go)

    def _left(self, column: Column) -> None:
        """Add the entries for players, title and rule set."""
        plan, rules = self.plan, self.plan.rules
        if self.purpose == "play":
            column.text(_("Your name"), self._person, MAX_NAME, self._name)
        else:
            column.text(_("Name of the table"), plan.title, MAX_TITLE, self._title)
        sets = list(RULESETS.values())
        column.choice(_("Rule set"), [r.title for r in sets], [r.id for r in sets].index(plan.ruleset),
                      lambda i: self._rules(sets[i].id), about=_(rules.suits))  # fmt: skip
        counts = range(rules.min_seats, rules.max_seats + 1)
        column.choice(_("Players"), [_("{n} players", n=n) for n in counts], plan.seats - rules.min_seats,
                      lambda i: self._seats(counts[i]), wrap=False)  # fmt: skip
        late = self.purpose != "play" and plan.pace.run is not Run.NONE and self._knows_paces
        # With large letters, all entries of a host with clocks only fit without two of the explanations.
        full = self.purpose == "host" and late
        homes = homes_by_seat(plan.ruleset, plan.seats)
        if homes:
            column.choice(_("Your home"), [_("as the table deals it"), *homes], plan.home + 1, self._home,
                          about="" if full else _ABOUT_HOME)  # fmt: skip
        if self.purpose != "play":
            column.toggle(_LISTED[self.purpose], plan.listed, self._listed, about="" if full else _ABOUT_LISTED)
            if self.purpose == "host":
                self._place(column)
            if late:
                column.choice(_("When time runs out"), LATE, plan.pace.late, self._late)

    def _shared(self, column: Column) -> None:
        """Add the entries for several people at this computer."""
        column.text(_("Also at this computer"), self._others, MAX_SEATS * MAX_NAME, self._share,
                    hint=_("names of others who play here"))  # fmt: skip
        if self._others.strip() and self.plan.rules.event_for is told_to_all:
            column.toggle(_("A curtain before each turn"), self.plan.curtain, self._curtain)

    def _place(self, column: Column) -> None:
        """Add the choice of the server that has the table."""
        plan, servers = self.plan, self._servers
        place = len(_PLACES) + servers.index(plan.at) if plan.at in servers else int(plan.public)
        column.choice(_("Where the table is"), [*(words for words, _about in _PLACES), *servers], place, self._put)

    @property
    def _help(self) -> str:
        """Advice at the bottom: for a host, on the chosen place."""
        if self.purpose != "host":
            return _HELP[self.purpose]
        if self.plan.public and self.app.settings.certificate:
            return _ENCRYPTED
        return _ABOUT_SERVER if self.plan.at else _PLACES[self.plan.public][1]

    def _put(self, place: int) -> None:
        self.plan.public = place == 1
        self.plan.at = self._servers[place - len(_PLACES)] if place >= len(_PLACES) else ""
        self.relayout()

    def _right(self, column: Column) -> None:
        """Add the entries for the way of playing."""
        if self.purpose == "play":
            bots = self.plan.bots[0]
            levels = [say(words.plural) for words in LEVEL_WORDS.values()]
            column.choice(_("The others are"), levels, LEVELS.index(bots),
                          lambda i: self._bots(LEVELS[i]), about=say(LEVEL_WORDS[bots].about))  # fmt: skip
            self._shared(column)
        else:
            self._company(column)
        for option in self.plan.rules.options[:1]:
            column.option(option, self.plan.options)
        column.button(_("More options …"), self._unfold, self._unusual())

    def _company(self, column: Column) -> None:
        """Add the entries that matter only with other people: clocks, absent players, advice."""
        plan = self.plan
        column.choice(_("Clocks"), [words for words, _pace in self._offered_paces], self._chosen_pace, self._pace,
                      about=_sentence(plan.pace))  # fmt: skip
        if not by_post(plan.pace):
            column.choice(_("When a player is away"), [words for _away, _seconds, words in ABSENT],
                          self._absent, self._away, about=_ABOUT_AWAY)  # fmt: skip
        column.toggle(_("Players may ask for advice"), plan.advice, self._advice, about=_ABOUT_ADVICE)

    # The other options

    @property
    def _folded(self) -> list[Option]:
        """Options that are not on the form itself."""
        return [option for option in self.plan.rules.options[1:] if not (option.key == "homes" and self.plan.home >= 0)]

    def _unusual(self) -> str:
        """Summary of the folded options that differ from their defaults."""
        keys = {option.key for option in self._folded}
        chosen = {key: value for key, value in self.plan.options.items() if key in keys}
        way = [_("The table decides if") + ": " + TOGETHER[self._ways][2]] if self._decides and self._ways else []
        shared = [f"{_('Also at this computer')}: {self._others.strip()}"] if self._others.strip() else []
        shared = shared if self.purpose != "play" else []
        return " · ".join([*way, *shared, *summary(self.plan.ruleset, chosen)]) or _("All have their usual values.")

    @property
    def _decides(self) -> bool:
        """Whether other people play on a server that lets them decide together."""
        return self.purpose == "host" or (self.purpose == "lobby" and self.app.remote.can(VOTES))

    def _options(self, inside: Rect, lefts: tuple[float, float], width: float) -> None:
        shared = self.purpose != "play"
        room = theme.px(_DECIDING) * self._decides + theme.px(_SHARED) * shared
        columns = flow(self._folded, width, inside.height - room) or [[]]
        pages = -(-len(columns) // 2)
        # The button only counts up: after the last page comes the first.
        self._page %= pages
        for left, options in zip(lefts, columns[2 * self._page :], strict=False):
            column = Column(self.ui, left, inside.top, width)
            if self._decides and not self._page and left == lefts[0]:
                column.choice(_("The table decides if"), [words for _all, _onward, words in TOGETHER], self._ways,
                              self._together, about=_ABOUT_TOGETHER)  # fmt: skip
            if shared and not self._page and left == lefts[0]:
                self._shared(column)
            for option in options:
                column.option(option, self.plan.options)
        self.ui.set_focus(self.back_button(inside))
        if pages > 1:
            words = _("Page {n} of {pages}", n=self._page + 1, pages=pages)
            self.ui.add(Button(self.foot(inside, 220, 1, right=True), words, self._turn, kind="quiet"))
        self.ui.add(Button(self.foot(inside, 220, right=True), _("Usual values"), self._reset))

    def _unfold(self) -> None:
        self.unfolded, self._page = True, 0
        self.ui.set_focus(None)
        self.relayout()

    def _reset(self) -> None:
        for option in self._folded:
            self.plan.options.pop(option.key, None)
        self._together(0)
        self.relayout()

    def _turn(self) -> None:
        self._page += 1
        self.relayout()

    def _name(self, words: str) -> None:
        self._person = words.strip()

    def _title(self, words: str) -> None:
        self.plan.title = words

    def _rules(self, key: str) -> None:
        self.plan = TableOptions(key, self.plan.seats, self.plan.title, curtain=self.plan.curtain,
                                 public=self.plan.public, at=self.plan.at)  # fmt: skip
        self.plan.seats = min(max(self.plan.seats, self.plan.rules.min_seats), self.plan.rules.max_seats)
        self.relayout()

    def _share(self, words: str) -> None:
        before, self._others = self._others, words
        if bool(before.strip()) != bool(words.strip()):
            self.relayout()

    def _curtain(self, on: bool) -> None:
        self.plan.curtain = on

    def _seats(self, count: int) -> None:
        self.plan.seats, self.plan.home = count, -1
        self.relayout()

    def _home(self, index: int) -> None:
        self.plan.home = index - 1
        self.relayout()

    def _bots(self, kind: str) -> None:
        self.plan.bots = (kind,)
        self.relayout()

    def _listed(self, on: bool) -> None:
        self.plan.listed = on

    def _advice(self, on: bool) -> None:
        self.plan.advice = on

    @property
    def _knows_paces(self) -> bool:
        """Whether the server supports more than a number of seconds for each decision."""
        return self.purpose != "lobby" or self.app.remote.can(PACE)

    @property
    def _offered_paces(self) -> list[tuple[str, Pace]]:
        """Offered clock presets with their names."""
        return [named for named in NAMED.values() if self._knows_paces or is_plain(named[1])]

    @property
    def _chosen_pace(self) -> int:
        """Index of the chosen clock preset."""
        chosen = replace(self.plan.pace, late=Late.DEFAULT)
        return next((i for i, (_words, pace) in enumerate(self._offered_paces) if pace == chosen), 0)

    def _pace(self, index: int) -> None:
        self.plan.pace = replace(self._offered_paces[index][1], late=self.plan.pace.late)
        self.relayout()

    def _late(self, index: int) -> None:
        self.plan.pace = replace(self.plan.pace, late=Late(index))

    @property
    def _ways(self) -> int:
        """Index of the table's decision rule among `TOGETHER`."""
        chosen = self.plan.unanimous, self.plan.forward_only
        return next(i for i, (*way, _words) in enumerate(TOGETHER) if tuple(way) == chosen)

    def _together(self, index: int) -> None:
        self.plan.unanimous, self.plan.forward_only, _words = TOGETHER[index]

    @property
    def _absent(self) -> int:
        """Index of the choice for absent players among `ABSENT`."""
        chosen = self.plan.away, self.plan.takeover
        return next((i for i, (*way, _words) in enumerate(ABSENT) if tuple(way) == chosen), 0)

    def _away(self, index: int) -> None:
        self.plan.away, self.plan.takeover, _words = ABSENT[index]

    def confirm(self) -> None:
        """Create the table."""
        app, plan = self.app, self.plan
        if not self._person:
            app.toast(_("Please enter your name."), "bad")
            return
        if self._person != app.settings.name:
            app.settings.name, app.settings.guessed = self._person, False
        app.settings.save()
        try:
            plan.people = together(app.settings.name, self._others)
        except ValueError as error:
            app.toast(heard(str(error)), "bad")
            return
        plan.seats = max(plan.seats, len(plan.people))
        if self.purpose == "lobby":
            app.people.share(plan.people, curtain=plan.curtain)
            app.remote.create(plan)
        elif self.purpose == "host":
            app.go.host(plan)
        else:
            app.go.play(plan)

    def back(self) -> None:
        if self.unfolded:
            self.unfolded = False
            self.relayout()
        elif self.purpose == "lobby":
            self.app.go.lobby()
        else:
            self.app.go.menu()
