"""Settings of the player: pages of choices that apply and are saved at once.

To add a page, write a function like `sound_page` and name it in PAGES.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, TypeVar

import arcade
from arcade.types import Rect
from msgspec import Struct

from client.drawing import theme
from client.drawing.fields import Selector, Tabs
from client.drawing.widgets import Button, Label, Picture
from client.keyboard.commands import Command
from client.keyboard.keys import KEYS, told
from client.language import _, languages
from client.player.hints import Hints
from client.player.settings import BOT_PAUSES, LOUDEST, PACES, PALETTES, SIZES, USUAL_PAUSE, PlaySettings
from client.player.table_options import nearest
from client.screens.application import Application
from client.screens.base import PAD, FramedScreen
from client.screens.question import Answer, Question
from client.sound.sounds import Sound
from shared.ids import MAX_SEATS


class SettingChoice(Struct, frozen=True):
    """Choice among several values.

    `labels`: their names; `index`: the present one; `choose`: apply another at once.
    """

    words: str
    labels: tuple[str, ...]
    index: Callable[[], int]
    choose: Callable[[int], object]
    tip: str = ""


class Page(Struct, frozen=True):
    """Choices that belong together.

    `words`: a note on them; `reset`: restores the defaults; `pictures`: pieces that show the effect.
    """

    title: str
    choices: tuple[SettingChoice, ...]
    words: str
    reset: Callable[[], object]
    pictures: tuple[str, ...] = ()


def switch(
    words: str, now: Callable[[], bool], choose: Callable[[bool], object], tip: str = "", *, on: str = "", off: str = ""
) -> SettingChoice:
    """Return a choice of two; `on` and `off` replace the usual labels."""
    labels = (on or _("on"), off or _("off"))
    return SettingChoice(words, labels, lambda: int(not now()), lambda index: choose(not index), tip)


_PACES: Final = {"off": _("off"), "quick": _("quick"), "normal": _("normal"), "slow": _("slow")}
_PAUSES: Final = {"none": _("at once"), "short": _("quick"), "normal": _("normal"), "long": _("slow")}
_GAME_WORDS: Final = _("The chronicle tells everything, shown or not. Click the board to speed up a battle.")


def game_page(app: Application) -> Page:
    """Return the page of settings for display and confirmations at the table."""
    play_settings, hints = app.settings.play_settings, app.settings.hints
    choices = (
        _pace(play_settings),
        _bot_pause(play_settings),
        switch(_("Others' battles"), lambda: play_settings.others, _setter(play_settings, "others"),
               _("Show the battles in which you take no part, or skip them."), on=_("shown"), off=_("skipped")),
        switch(_("Motion"), lambda: not play_settings.still, lambda on: setattr(play_settings, "still", not on),
               _("Reduced: nothing flies, falls or turns; texts stay just as long."),
               on=_("full"), off=_("reduced")),
        switch(_("Ask before a phase ends"), lambda: play_settings.ending, _setter(play_settings, "ending"),
               _("If you could still do something in it: march, buy or act.")),
        switch(_("Ask before armies are lost"), lambda: play_settings.dooming, _setter(play_settings, "dooming"),
               _("When a retreat would save nothing, because the army is surrounded.")),
        switch(_("Profile on servers"), lambda: app.settings.known, lambda on: setattr(app.settings, "known", on),
               _("It reserves your name there, and brings your seats to all your devices. From the next visit on.")),
        switch(_("Tips in a first game"), lambda: hints.on, _hints_switch(hints),
               _("Useful hints, each shown once, in your first match of each game. Switch on again to start over.")),
    )  # fmt: skip

    def reset() -> None:
        play_settings.reset()
        hints.renew()
        app.settings.known = True

    return Page(_("Game"), choices, _GAME_WORDS, reset)


def _pace(play_settings: PlaySettings) -> SettingChoice:
    """Return the choice of the playback speed."""
    paces = list(PACES)

    def choose(index: int) -> None:
        play_settings.pace = paces[index]

    def index() -> int:
        return next(i for i, pace in enumerate(paces) if PACES[pace] == play_settings.speed)

    labels = tuple(_PACES[pace] for pace in paces)
    return SettingChoice(_("Animation speed"), labels, index, choose, _("Marches, voyages, and the dice of battles."))


def _bot_pause(play_settings: PlaySettings) -> SettingChoice:
    """Return the choice of the time for which each thing that a bot did is shown."""
    pauses = list(BOT_PAUSES)

    def choose(index: int) -> None:
        play_settings.bots = pauses[index]

    def index() -> int:
        return pauses.index(play_settings.bots if play_settings.bots in BOT_PAUSES else USUAL_PAUSE)

    tip = _("Time to follow each bot, at tables without clocks. A click or {key} goes on; {skip} skips to your turn.",
            key=told(Command.CONFIRM), skip=told(Command.AHEAD))  # fmt: skip
    return SettingChoice(_("Bots play"), tuple(_PAUSES[pause] for pause in pauses), index, choose, tip)


def _hints_switch(hints: Hints) -> Callable[[bool], object]:
    """Return the switch's action; switching hints on again restarts them from the beginning."""

    def choose(on: bool) -> None:
        if on and not hints.on:
            hints.renew()
        hints.on = on

    return choose


def _setter(play_settings: PlaySettings, name: str) -> Callable[[bool], object]:
    return lambda on: setattr(play_settings, name, on)


V = TypeVar("V")

_EYES: Final = {
    "": _("usual"), "deuteranopia": _("deuteranopia"), "protanopia": _("protanopia"), "tritanopia": _("tritanopia"),
}  # fmt: skip
_DISPLAY_WORDS: Final = _(
    "Colours of the owners can be told apart with three kinds of colour blindness: deuteranopia (green), protanopia "
    "(red), tritanopia (blue). With these the signs on pieces and discs are larger too."
)


def display_page(app: Application) -> Page:
    """Return the page of display settings."""
    settings, display_settings = app.settings, app.settings.display_settings

    def size(value: int) -> None:
        display_settings.size = value
        app.dress()

    def palette(value: str) -> None:
        display_settings.palette = value
        app.dress()

    def fill(on: bool) -> None:
        if display_settings.full != on:
            app.fill_screen()

    def language(value: str) -> None:
        settings.language = value
        app.speak()

    def reset() -> None:
        if display_settings.full:
            # It toggles; without it the window would stay full with the setting off.
            app.fill_screen()
        display_settings.reset()
        language("")
        app.dress()

    available = languages()
    codes = ("", *available)
    choices = (
        _one_of(_("Size of texts"), SIZES, [_("{n} %", n=n) for n in SIZES], lambda: display_settings.size, size,
                tip=_("At the table all texts grow as far as the window allows; lines to read keep growing.")),
        _one_of(_("Colours of the owners"), PALETTES, tuple(_EYES.values()), lambda: display_settings.palette, palette),
        switch(_("Full screen"), lambda: display_settings.full, fill, told(Command.FULL_SCREEN)),
        _one_of(_("Language"), codes, [_("system"), *available.values()], lambda: settings.language, language,
                tip=_("Changes at once; older lines of the chronicle stay as they are.")),
    )  # fmt: skip
    return Page(_("Display"), choices, _DISPLAY_WORDS, reset, tuple(f"marker_{seat}" for seat in range(MAX_SEATS)))


def _one_of(
    words: str, values: Sequence[V], labels: Sequence[str], now: Callable[[], V], choose: Callable[[V], object],
    *, tip: str = "",
) -> SettingChoice:  # fmt: skip
    """Return a choice among some values; an unknown present value counts as the first."""

    def index() -> int:
        return values.index(now()) if now() in values else 0

    return SettingChoice(words, tuple(labels), index, lambda i: choose(values[i]), tip)


STEPS: Final = tuple(range(0, LOUDEST + 1, 10))
_LABELS: Final = (_("off"), *(_("{n} %", n=step) for step in STEPS[1:]))
_NAMES: Final = {
    Sound.DICE: _("Dice"),
    Sound.MARCH: _("Marches"),
    Sound.SAIL: _("Voyages"),
    Sound.CLASH: _("Battles"),
    Sound.COIN: _("Money"),
    Sound.GAVEL: _("Agreements and votes"),
    Sound.CARD: _("Cards"),
    Sound.TRUMPET: _("It is your turn"),
    Sound.ALARM: _("Alarm: Caesar or clock"),
    Sound.CROWD: _("The end of the match"),
    Sound.WIND: _("Battle: wind"),
    Sound.SURF: _("Battle: surf"),
    Sound.STREETS: _("Battle: streets"),
}
_NOTHING: Final = _("Nothing can be heard: this computer has no sound device, or no driver for it.")


def sound_page(app: Application) -> Page:
    """Return the page of all volumes."""
    works = app.sounds.speaker.works
    choices = (_switch(app), _whole(app), *(_single(app, sound) for sound in Sound))
    mute = _("{key} switches all sound off, and on again, wherever you are.", key=told(Command.MUTE))
    return Page(_("Sound"), choices, mute if works else _NOTHING, app.settings.sound_settings.reset)


def _switch(app: Application) -> SettingChoice:
    """Return the switch for all sound."""
    sound_settings = app.settings.sound_settings

    def choose(index: int) -> None:
        if sound_settings.muted != bool(index):
            app.sounds.mute()

    return SettingChoice(_("Sound"), (_("on"), _("off")), lambda: int(sound_settings.muted), choose, told(Command.MUTE))


def _whole(app: Application) -> SettingChoice:
    """Return the choice of the overall volume."""
    sound_settings = app.settings.sound_settings

    def choose(index: int) -> None:
        sound_settings.all = STEPS[index]
        app.sounds.sample(Sound.TRUMPET)

    return SettingChoice(_("All together"), _LABELS, lambda: nearest(STEPS, sound_settings.all), choose)


def _single(app: Application, sound: Sound) -> SettingChoice:
    """Return the choice of one sound's volume relative to the others."""
    sound_settings = app.settings.sound_settings

    def choose(index: int) -> None:
        sound_settings.set(sound, STEPS[index])
        app.sounds.sample(sound)

    return SettingChoice(_NAMES[sound], _LABELS, partial(_place, app, sound), choose)


def _place(app: Application, sound: Sound) -> int:
    return nearest(STEPS, app.settings.sound_settings.of(sound))


PAGES: Final[tuple[Callable[[Application], Page], ...]] = (game_page, display_page, sound_page)
"""All pages, in the order of their tabs."""
_ROW: Final = 54.0
_GAP: Final = 44.0
"""Design distance between rows and between the two columns."""
_WIDE: Final = 206.0
"""Design width of a control."""
_FULL: Final = 1060.0
"""Design width from which on there are two columns."""
_AROUND: Final = 270.0
"""Design height of all but the choices, the note and the pictures."""
_LOW: Final = 40.0
"""Additional design height for the reset buttons if there is one column."""
_BESIDE: Final = 26.0
"""Design distance of buttons beside the title from the contents below it."""
_PICTURE: Final = 46.0
"""Design side length of a picture that shows the colours."""


class SettingsScreen(FramedScreen):
    """Choices of one page, in two columns if the window is wide enough."""

    def __init__(self, app: Application, *, close: Callable[[], object]) -> None:
        """`close` returns to the previous screen."""
        super().__init__(app)
        self._close = close
        self._turned = 0

    @property
    def page(self) -> Page:
        """The visible page."""
        return PAGES[self._turned](self.app)

    def layout(self, width: float, height: float) -> None:
        page = self.page
        columns = 2 if width >= theme.px(_FULL) else 1
        rows = -(-len(page.choices) // columns)
        room = min(theme.px(_FULL), width - theme.px(24)) - 2 * theme.px(PAD)
        # Only measured: its lines decide how high the frame is.
        note = Label(page.words, 0, 0, width=room).rect.height / theme.px(1)
        more = _PICTURE * bool(page.pictures) + (0 if columns > 1 else _LOW)
        high = _AROUND + _ROW * rows + note + more
        inside = self.frame(_FULL, high, _("Settings"))
        top = self._add_tabs(inside)
        for i, choice in enumerate(page.choices):
            self._choice(choice, self._cell(inside, top, columns, i // rows, i % rows))
        words = Label(page.words, inside.left, top - theme.px(_ROW * rows + 12), anchor_y="top",
                      width=inside.width, colour=theme.INK_SOFT)  # fmt: skip
        self.ui.add(words)
        self._pictures(page.pictures, inside.left, words.rect.bottom - theme.px(12))
        left, right = self.foot(inside, 150), self.foot(inside, 150, 1)
        if theme.px(high) > height - theme.window_px(24):  # The foot is below the window: beside the title they show.
            low = inside.top + theme.px(_BESIDE)
            left = arcade.LBWH(inside.left, low, left.width, left.height)
            right = arcade.LBWH(inside.right - right.width, low, right.width, right.height)
        self.ui.set_focus(self.ui.add(Button(left, _("Back"), self.back, tip=told(Command.BACK))))
        self.ui.add(Button(right, _("Keys"), self.app.go.keys, tip=_("All keys, and how to change them.")))
        self._add_reset_buttons(inside, 0.0 if columns > 1 else theme.px(_LOW + 8))

    def _add_reset_buttons(self, inside: Rect, lift: float) -> None:
        """Add the reset buttons, `lift` above the other buttons."""
        wishes = ((_("Reset everything"), self._ask_all), (_("Reset this page"), self._ask_page))
        for place, (label, action) in enumerate(wishes):
            foot = self.foot(inside, 270, place, right=True)
            rect = arcade.LBWH(foot.left, foot.bottom + lift, foot.width, foot.height)
            self.ui.add(Button(rect, label, action, kind="quiet"))

    def _pictures(self, names: Sequence[str], left: float, top: float) -> None:
        side = theme.px(_PICTURE)
        for i, name in enumerate(names):
            self.ui.add(Picture(arcade.LBWH(left + i * side * 1.2, top - side, side, side), name))

    def _add_tabs(self, inside: Rect) -> float:
        """Add the tabs; return the upper edge of the choices."""
        bar = arcade.LBWH(inside.left, inside.top - theme.px(38), inside.width, theme.px(38))
        self.ui.add(Tabs(bar, [make(self.app).title for make in PAGES], self._turned, self._turn))
        return bar.bottom - theme.px(14)

    def _cell(self, inside: Rect, top: float, columns: int, column: int, row: int) -> Rect:
        width = (inside.width - theme.px(_GAP) * (columns - 1)) / columns
        left = inside.left + column * (width + theme.px(_GAP))
        return arcade.LBWH(left, top - theme.px(_ROW * (row + 1)), width, theme.px(_ROW))

    def _choice(self, choice: SettingChoice, cell: Rect) -> None:
        height, width = theme.px(40), theme.px(_WIDE)
        self.ui.add(Label(choice.words, cell.left, cell.y, title=True, limit=cell.width - width - theme.px(10)))
        rect = arcade.LBWH(cell.right - width, cell.y - height / 2, width, height)
        self.ui.add(
            Selector(rect, choice.labels, choice.index(), partial(self._choose, choice), tip=choice.tip, wrap=False)
        )

    def _turn(self, page: int) -> None:
        self._turned, self.scrolled = page, 0.0
        self.relayout()

    def _choose(self, choice: SettingChoice, index: int) -> None:
        """Apply and save a choice at once."""
        choice.choose(index)
        self.app.settings.save()

    def _ask_page(self) -> None:
        self._ask(_("Reset this page?"), _("{page}: everything has been reset.", page=self.page.title), [self.page])

    def _ask_all(self) -> None:
        words = _("This resets all pages of the settings and all keys. Your name and your games stay as they are.")
        self._ask(_("Reset all settings?"), words, [make(self.app) for make in PAGES], keys=True)

    def _ask(self, title: str, words: str, pages: Sequence[Page], *, keys: bool = False) -> None:
        reset = Answer(_("Reset"), partial(self._reset, pages, keys), grave=True)
        self.app.go.ask(Question(title, (words,), (reset,)))

    def _reset(self, pages: Sequence[Page], keys: bool) -> None:
        for page in pages:
            page.reset()
        if keys:
            KEYS.reset()
            self.app.settings.keys = KEYS.kept()
        self.app.settings.save()
        self.relayout()

    def on_key_press(self, symbol: int, modifiers: int) -> bool:
        """Rebuild after the mute key, so that the page shows its effect."""
        if not KEYS.hits(Command.MUTE, symbol, modifiers):
            return super().on_key_press(symbol, modifiers)
        self.app.mute()
        self.relayout()
        return True

    def on_hide(self) -> None:
        self.app.settings.save()

    def back(self) -> None:
        self._close()
