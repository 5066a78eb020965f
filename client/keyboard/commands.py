"""Commands of all keys, with their default keys."""

from __future__ import annotations

from enum import Enum, StrEnum, auto
from typing import Final

from msgspec import Struct

from client.keyboard.chord import Chord, chord
from client.language import _


class Place(Enum):
    """Place where a command works. A key has one meaning in each place, and none if it is a key of EVERYWHERE."""

    EVERYWHERE = auto()
    CONTROLS = auto()
    """While a button, a list or another control has the focus."""
    TEXT = auto()
    """In text fields."""
    TABLE = auto()
    """At the board."""
    FILM = auto()
    """At the board during a replay: these keys come before those of the board."""


class Command(StrEnum):
    """Command of a key. The value is its name in the file of changed keys."""

    HELP = "help"
    MUTE = "mute"
    FULL_SCREEN = "full-screen"

    NEXT = "next"
    PREVIOUS = "previous"
    UP = "up"
    DOWN = "down"
    LEFT = "left"
    RIGHT = "right"
    PRESS = "press"
    BACK = "back"
    MORE = "more"
    FEWER = "fewer"
    PAGE_UP = "page-up"
    PAGE_DOWN = "page-down"
    FIRST = "first"
    LAST = "last"

    WORD_LEFT = "word-left"
    WORD_RIGHT = "word-right"
    ERASE = "erase"
    ERASE_AFTER = "erase-after"
    ERASE_WORD = "erase-word"
    ERASE_WORD_AFTER = "erase-word-after"
    ALL = "all"
    COPY = "copy"
    CUT = "cut"
    PASTE = "paste"

    CONFIRM = "confirm"
    END = "end"
    LESSON_BACK = "lesson-back"
    STEP_BACK = "step-back"
    UNDO = "undo"
    NEXT_PIECE = "next-piece"
    AHEAD = "ahead"
    PANELS = "panels"
    PANELS_BACK = "panels-back"
    FIND = "find"
    YES = "yes"
    NO = "no"
    AYE = "aye"
    NAY = "nay"
    ASK = "ask"
    ASIDE = "aside"
    ADVICE = "advice"
    ADVISED = "advised"
    ODDS = "odds"
    PREVIEW = "preview"
    ALLIANCES = "alliances"
    CARDS = "cards"
    POINTS = "points"
    SENATE = "senate"
    WORDS = "words"
    TALK = "talk"
    EARLIER = "earlier"
    LATER = "later"
    MISSED = "missed"
    MENU = "menu"
    PAN_LEFT = "pan-left"
    PAN_RIGHT = "pan-right"
    PAN_UP = "pan-up"
    PAN_DOWN = "pan-down"
    ZOOM_IN = "zoom-in"
    ZOOM_OUT = "zoom-out"
    WHOLE = "whole"

    PLAY = "play"
    MARK_BACK = "mark-back"
    MARK_ON = "mark-on"
    OPENING = "opening"
    CLOSING = "closing"
    EYES = "eyes"
    CHARTS = "charts"


class Entry(Struct, frozen=True):
    """Command's description and default keys. `words`: its effect; `keys`: the first one is shown to the player."""

    place: Place
    words: str
    keys: tuple[Chord, ...]


def _entry(place: Place, words: str, *keys: str) -> Entry:
    return Entry(place, words, tuple(chord(each) for each in keys))


COMMANDS: Final[dict[Command, Entry]] = {
    Command.HELP: _entry(Place.EVERYWHERE, _("The rules"), "f1"),
    Command.MUTE: _entry(Place.EVERYWHERE, _("Sound on or off"), "f9"),
    Command.FULL_SCREEN: _entry(Place.EVERYWHERE, _("Full screen or window"), "f11"),

    Command.NEXT: _entry(Place.CONTROLS, _("The next control"), "tab"),
    Command.PREVIOUS: _entry(Place.CONTROLS, _("The previous control"), "shift+tab"),
    Command.UP: _entry(Place.EVERYWHERE, _("Up"), "up"),
    Command.DOWN: _entry(Place.EVERYWHERE, _("Down"), "down"),
    Command.LEFT: _entry(Place.EVERYWHERE, _("Left"), "left"),
    Command.RIGHT: _entry(Place.EVERYWHERE, _("Right"), "right"),
    Command.PRESS: _entry(Place.CONTROLS, _("Press the marked control"), "enter", "num_enter", "space"),
    Command.BACK: _entry(Place.EVERYWHERE, _("Back"), "escape"),
    Command.MORE: _entry(Place.CONTROLS, _("One more"), "plus", "equal", "num_add"),
    Command.FEWER: _entry(Place.CONTROLS, _("One fewer"), "minus", "num_subtract"),
    Command.PAGE_UP: _entry(Place.CONTROLS, _("A page up"), "pageup"),
    Command.PAGE_DOWN: _entry(Place.CONTROLS, _("A page down"), "pagedown"),
    Command.FIRST: _entry(Place.CONTROLS, _("To the beginning"), "home"),
    Command.LAST: _entry(Place.CONTROLS, _("To the end"), "end"),

    Command.WORD_LEFT: _entry(Place.TEXT, _("A word to the left"), "ctrl+left"),
    Command.WORD_RIGHT: _entry(Place.TEXT, _("A word to the right"), "ctrl+right"),
    Command.ERASE: _entry(Place.TEXT, _("Erase a letter"), "backspace"),
    Command.ERASE_AFTER: _entry(Place.TEXT, _("Erase the letter after it"), "delete"),
    Command.ERASE_WORD: _entry(Place.TEXT, _("Erase a word"), "ctrl+backspace"),
    Command.ERASE_WORD_AFTER: _entry(Place.TEXT, _("Erase the word after it"), "ctrl+delete"),
    Command.ALL: _entry(Place.TEXT, _("Select all of it"), "ctrl+a"),
    Command.COPY: _entry(Place.TEXT, _("Copy"), "ctrl+c", "ctrl+insert"),
    Command.CUT: _entry(Place.TEXT, _("Cut"), "ctrl+x", "shift+delete"),
    Command.PASTE: _entry(Place.TEXT, _("Paste"), "ctrl+v", "shift+insert"),

    Command.CONFIRM: _entry(Place.TABLE, _("Confirm"), "enter", "num_enter", "ctrl+enter"),
    Command.END: _entry(Place.TABLE, _("End the phase, or pass"), "space", "ctrl+space"),
    Command.LESSON_BACK: _entry(Place.TABLE, _("Lesson: the words before"), "shift+enter"),
    Command.STEP_BACK: _entry(Place.TABLE, _("One step back"), "backspace"),
    Command.UNDO: _entry(Place.TABLE, _("One step back, or take back what was done"), "ctrl+z"),
    Command.NEXT_PIECE: _entry(Place.TABLE, _("The next piece that can act"), "tab"),
    Command.AHEAD: _entry(Place.TABLE, _("Skip to my turn"), "x"),
    Command.PANELS: _entry(Place.TABLE, _("To the next panel"), "f6"),
    Command.PANELS_BACK: _entry(Place.TABLE, _("To the previous panel"), "shift+f6", "shift+tab"),
    Command.FIND: _entry(Place.TABLE, _("Find a place by its name"), "f", "ctrl+f"),
    Command.YES: _entry(Place.TABLE, _("Yes"), "y"),
    Command.NO: _entry(Place.TABLE, _("No"), "n"),
    Command.AYE: _entry(Place.TABLE, _("Vote yes"), "shift+y"),
    Command.NAY: _entry(Place.TABLE, _("Vote no"), "shift+n"),
    Command.ASK: _entry(Place.TABLE, _("Ask the others: a pause, going back …"), "q"),
    Command.ASIDE: _entry(Place.TABLE, _("1984: captives"), "c"),
    Command.ADVICE: _entry(Place.TABLE, _("Advice"), "h"),
    Command.ADVISED: _entry(Place.TABLE, _("Follow the advice"), "shift+h"),
    Command.ODDS: _entry(Place.TABLE, _("The odds of battles"), "o"),
    Command.PREVIEW: _entry(Place.TABLE, _("Next turn: reach of an army, threats to a province"), "r", "ctrl+r"),
    Command.ALLIANCES: _entry(Place.TABLE, _("Conquest II: alliances"), "u"),
    Command.CARDS: _entry(Place.TABLE, _("Conquest II: cards"), "k"),
    Command.POINTS: _entry(Place.TABLE, _("Conquest II: points"), "p"),
    Command.SENATE: _entry(Place.TABLE, _("Conquest II: the senate"), "v"),
    Command.WORDS: _entry(Place.TABLE, _("The table as text"), "l"),
    Command.TALK: _entry(Place.TABLE, _("Say something"), "t"),
    Command.EARLIER: _entry(Place.TABLE, _("Older lines of the chronicle"), "pageup"),
    Command.LATER: _entry(Place.TABLE, _("Newer lines of the chronicle"), "pagedown"),
    Command.MISSED: _entry(Place.TABLE, _("What happened while I was away"), "b"),
    Command.MENU: _entry(Place.TABLE, _("The menu"), "f10"),
    Command.PAN_LEFT: _entry(Place.TABLE, _("Move the view left"), "a", "ctrl+left"),
    Command.PAN_RIGHT: _entry(Place.TABLE, _("Move the view right"), "d", "ctrl+right"),
    Command.PAN_UP: _entry(Place.TABLE, _("Move the view up"), "w", "ctrl+up"),
    Command.PAN_DOWN: _entry(Place.TABLE, _("Move the view down"), "s", "ctrl+down"),
    Command.ZOOM_IN: _entry(Place.TABLE, _("Zoom in"), "plus", "equal", "num_add"),
    Command.ZOOM_OUT: _entry(Place.TABLE, _("Zoom out"), "minus", "num_subtract"),
    Command.WHOLE: _entry(Place.TABLE, _("The whole board"), "home"),

    Command.PLAY: _entry(Place.FILM, _("Play or pause"), "space"),
    Command.MARK_BACK: _entry(Place.FILM, _("The previous mark"), "comma"),
    Command.MARK_ON: _entry(Place.FILM, _("The next mark"), "period"),
    Command.OPENING: _entry(Place.FILM, _("To the beginning of the match"), "home"),
    Command.CLOSING: _entry(Place.FILM, _("To the end of the match"), "end"),
    Command.EYES: _entry(Place.FILM, _("Through the next player's eyes"), "e"),
    Command.CHARTS: _entry(Place.FILM, _("The match in numbers"), "g"),
}  # fmt: skip
