"""Commands of all keys, with their default keys."""

from enum import Enum, StrEnum, auto
from typing import Final

from msgspec import Struct

from client.keyboard.chord import Chord, chord
from client.language import _


class KeyContext(Enum):
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


class CommandEntry(Struct, frozen=True):
    """Command's description and default keys. `words`: its effect; `keys`: the first one is shown to the player."""

    place: KeyContext
    words: str
    keys: tuple[Chord, ...]


def _entry(place: KeyContext, words: str, *keys: str) -> CommandEntry:
    return CommandEntry(place, words, tuple(chord(each) for each in keys))


COMMANDS: Final[dict[Command, CommandEntry]] = {
    Command.HELP: _entry(KeyContext.EVERYWHERE, _("The rules"), "f1"),
    Command.MUTE: _entry(KeyContext.EVERYWHERE, _("Sound on or off"), "f9"),
    Command.FULL_SCREEN: _entry(KeyContext.EVERYWHERE, _("Full screen or window"), "f11"),

    Command.NEXT: _entry(KeyContext.CONTROLS, _("The next control"), "tab"),
    Command.PREVIOUS: _entry(KeyContext.CONTROLS, _("The previous control"), "shift+tab"),
    Command.UP: _entry(KeyContext.EVERYWHERE, _("Up"), "up"),
    Command.DOWN: _entry(KeyContext.EVERYWHERE, _("Down"), "down"),
    Command.LEFT: _entry(KeyContext.EVERYWHERE, _("Left"), "left"),
    Command.RIGHT: _entry(KeyContext.EVERYWHERE, _("Right"), "right"),
    Command.PRESS: _entry(KeyContext.CONTROLS, _("Press the marked control"), "enter", "num_enter", "space"),
    Command.BACK: _entry(KeyContext.EVERYWHERE, _("Back"), "escape"),
    Command.MORE: _entry(KeyContext.CONTROLS, _("One more"), "plus", "equal", "num_add"),
    Command.FEWER: _entry(KeyContext.CONTROLS, _("One fewer"), "minus", "num_subtract"),
    Command.PAGE_UP: _entry(KeyContext.CONTROLS, _("A page up"), "pageup"),
    Command.PAGE_DOWN: _entry(KeyContext.CONTROLS, _("A page down"), "pagedown"),
    Command.FIRST: _entry(KeyContext.CONTROLS, _("To the beginning"), "home"),
    Command.LAST: _entry(KeyContext.CONTROLS, _("To the end"), "end"),

    Command.WORD_LEFT: _entry(KeyContext.TEXT, _("A word to the left"), "ctrl+left"),
    Command.WORD_RIGHT: _entry(KeyContext.TEXT, _("A word to the right"), "ctrl+right"),
    Command.ERASE: _entry(KeyContext.TEXT, _("Erase a letter"), "backspace"),
    Command.ERASE_AFTER: _entry(KeyContext.TEXT, _("Erase the letter after it"), "delete"),
    Command.ERASE_WORD: _entry(KeyContext.TEXT, _("Erase a word"), "ctrl+backspace"),
    Command.ERASE_WORD_AFTER: _entry(KeyContext.TEXT, _("Erase the word after it"), "ctrl+delete"),
    Command.ALL: _entry(KeyContext.TEXT, _("Select all of it"), "ctrl+a"),
    Command.COPY: _entry(KeyContext.TEXT, _("Copy"), "ctrl+c", "ctrl+insert"),
    Command.CUT: _entry(KeyContext.TEXT, _("Cut"), "ctrl+x", "shift+delete"),
    Command.PASTE: _entry(KeyContext.TEXT, _("Paste"), "ctrl+v", "shift+insert"),

    Command.CONFIRM: _entry(KeyContext.TABLE, _("Confirm"), "enter", "num_enter", "ctrl+enter"),
    Command.END: _entry(KeyContext.TABLE, _("End the phase, or pass"), "space", "ctrl+space"),
    Command.LESSON_BACK: _entry(KeyContext.TABLE, _("Lesson: the words before"), "shift+enter"),
    Command.STEP_BACK: _entry(KeyContext.TABLE, _("One step back"), "backspace"),
    Command.UNDO: _entry(KeyContext.TABLE, _("One step back, or take back what was done"), "ctrl+z"),
    Command.NEXT_PIECE: _entry(KeyContext.TABLE, _("The next piece that can act"), "tab"),
    Command.AHEAD: _entry(KeyContext.TABLE, _("Skip to my turn"), "x"),
    Command.PANELS: _entry(KeyContext.TABLE, _("To the next panel"), "f6"),
    Command.PANELS_BACK: _entry(KeyContext.TABLE, _("To the previous panel"), "shift+f6", "shift+tab"),
    Command.FIND: _entry(KeyContext.TABLE, _("Find a place by its name"), "f", "ctrl+f"),
    Command.YES: _entry(KeyContext.TABLE, _("Yes"), "y"),
    Command.NO: _entry(KeyContext.TABLE, _("No"), "n"),
    Command.AYE: _entry(KeyContext.TABLE, _("Vote yes"), "shift+y"),
    Command.NAY: _entry(KeyContext.TABLE, _("Vote no"), "shift+n"),
    Command.ASK: _entry(KeyContext.TABLE, _("Ask the others: a pause, going back …"), "q"),
    Command.ASIDE: _entry(KeyContext.TABLE, _("1984: captives"), "c"),
    Command.ADVICE: _entry(KeyContext.TABLE, _("Advice"), "h"),
    Command.ADVISED: _entry(KeyContext.TABLE, _("Follow the advice"), "shift+h"),
    Command.ODDS: _entry(KeyContext.TABLE, _("The odds of battles"), "o"),
    Command.PREVIEW: _entry(KeyContext.TABLE, _("Next turn: reach of an army, threats to a province"), "r", "ctrl+r"),
    Command.ALLIANCES: _entry(KeyContext.TABLE, _("Conquest II: alliances"), "u"),
    Command.CARDS: _entry(KeyContext.TABLE, _("Conquest II: cards"), "k"),
    Command.POINTS: _entry(KeyContext.TABLE, _("Conquest II: points"), "p"),
    Command.SENATE: _entry(KeyContext.TABLE, _("Conquest II: the senate"), "v"),
    Command.WORDS: _entry(KeyContext.TABLE, _("The table as text"), "l"),
    Command.TALK: _entry(KeyContext.TABLE, _("Say something"), "t"),
    Command.EARLIER: _entry(KeyContext.TABLE, _("Older lines of the chronicle"), "pageup"),
    Command.LATER: _entry(KeyContext.TABLE, _("Newer lines of the chronicle"), "pagedown"),
    Command.MISSED: _entry(KeyContext.TABLE, _("What happened while I was away"), "b"),
    Command.MENU: _entry(KeyContext.TABLE, _("The menu"), "f10"),
    Command.PAN_LEFT: _entry(KeyContext.TABLE, _("Move the view left"), "a", "ctrl+left"),
    Command.PAN_RIGHT: _entry(KeyContext.TABLE, _("Move the view right"), "d", "ctrl+right"),
    Command.PAN_UP: _entry(KeyContext.TABLE, _("Move the view up"), "w", "ctrl+up"),
    Command.PAN_DOWN: _entry(KeyContext.TABLE, _("Move the view down"), "s", "ctrl+down"),
    Command.ZOOM_IN: _entry(KeyContext.TABLE, _("Zoom in"), "plus", "equal", "num_add"),
    Command.ZOOM_OUT: _entry(KeyContext.TABLE, _("Zoom out"), "minus", "num_subtract"),
    Command.WHOLE: _entry(KeyContext.TABLE, _("The whole board"), "home"),

    Command.PLAY: _entry(KeyContext.FILM, _("Play or pause"), "space"),
    Command.MARK_BACK: _entry(KeyContext.FILM, _("The previous mark"), "comma"),
    Command.MARK_ON: _entry(KeyContext.FILM, _("The next mark"), "period"),
    Command.OPENING: _entry(KeyContext.FILM, _("To the beginning of the match"), "home"),
    Command.CLOSING: _entry(KeyContext.FILM, _("To the end of the match"), "end"),
    Command.EYES: _entry(KeyContext.FILM, _("Through the next player's eyes"), "e"),
    Command.CHARTS: _entry(KeyContext.FILM, _("The match in numbers"), "g"),
}  # fmt: skip
