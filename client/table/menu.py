"""Menu over the table: concede, resign, help, settings, leave. Entries that end a match ask first, in words."""

from collections.abc import Callable
from functools import partial
from typing import Final, Generic

import arcade
from msgspec import Struct

from client.drawing import theme
from client.drawing.widgets import Button, ButtonKind, Label, Panel, Ui
from client.keyboard.commands import Command
from client.keyboard.keys import told
from client.language import _
from client.network.model import voices
from client.table.guide import Guide
from client.table.match import TableCallbacks, TableMatch
from client.table.muting import MUTING, mutings
from client.table.person_choices import NOT_TOLD, people, person_choices
from client.table.position import T
from client.table.vote_menu import Offer, VoteMenu
from shared.ids import NONE, Seat
from shared.kernel.frames import Action
from shared.mechanics.ending import agreed_winner
from shared.messages import Motion
from shared.tables import Matter
from shared.vocabulary.actions import Concede, Resign

_WIDE: Final = 480.0
_ROW: Final = 42.0
_GAP: Final = 9.0
_EDGE: Final = 4.0
_FITS: Final = 30
"""Number of letters that always fit on a button; on pages with longer words they are smaller."""
_VOICES: Final = 7
"""Number of names that are offered at once."""


class MenuEntry(Struct, frozen=True):
    """A button of the menu."""

    words: str
    action: Callable[[], object]
    kind: ButtonKind = "plain"
    tip: str = ""


class Page(Struct, frozen=True):
    """Content of the menu: its words and its buttons. The first button changes nothing."""

    title: str
    entries: tuple[MenuEntry, ...]
    words: str = ""


class Menu(Generic[T]):
    """Menu over the table. While `open`, it has mouse and keyboard."""

    def __init__(
        self, match: TableMatch[T], guide: Guide[T], callbacks: TableCallbacks, act: Callable[[Action], bool],
        words: Callable[[], object] | None = None, *, past: bool = False,
    ) -> None:  # fmt: skip
        """`words`: opens the table in words, where it exists. `past`: the match is only a replay."""
        self._past = past
        self._match = match
        self._guide = guide
        self._callbacks = callbacks
        self._act = act
        self._words = words
        self._deciding = VoteMenu(match)
        self.ui = Ui()
        self.open = False
        self._turned: Callable[[], Page] = self._first
        self._root = self._turned
        """The page with which it was opened."""
        self._size = (1.0, 1.0)

    @property
    def page(self) -> Page:
        """The present page, as it is now."""
        return self._turned()

    def place(self, width: float, height: float) -> None:
        """Use that size of the window."""
        self._size = width, height
        if self.open:
            self._build_page()

    def show(self) -> None:
        """Open it."""
        self.open, self._root = True, self._first
        self._turn(self._root)

    def show_person(self, name: str, words: str = "") -> None:
        """Open the page about a person at the table, and those words of theirs, if there are choices about them."""
        if name in people(self._match):
            self.open, self._root = True, partial(self._person, name, words)
            self._turn(self._root)

    def back(self) -> None:
        """Go one page back; from the page with which it was opened close it."""
        # Bound methods are equal, not identical: each look-up makes a new object.
        if self._turned == self._root:
            self.close()
        else:
            self._turn(self._root)

    def close(self) -> None:
        """Close it."""
        self.open = False
        self.ui.clear()

    def _turn(self, page: Callable[[], Page]) -> None:
        self._turned = page
        self._build_page()

    # The pages

    def _first(self) -> Page:
        match, table = self._match, self._match.view
        back = _("Back to the replay") if self._past else _("Back to the game")
        entries = [MenuEntry(back, self.close, "primary", told(Command.BACK))]
        entries.append(MenuEntry(_("Rules and help"), self._help, tip=told(Command.HELP)))
        entries.append(MenuEntry(_("Settings"), self._settings, tip=_("Sound, display, keys and more.")))
        if self._words is not None and table is not None:
            entries.append(MenuEntry(_("The table as text"), self._read, tip=told(Command.WORDS)))
        if not self._past and table is not None:
            tip = _("What happened so far while you were here.")
            entries.append(MenuEntry(_("Replay"), self._look_back, tip=tip))
        if not self._past and match.seat >= 0 and not match.finished and self._callbacks.lends:
            tip = _("For play around a shared screen: your secrets on your phone, only to look at.")
            entries.append(MenuEntry(_("My hand on a phone …"), self._show_hand, tip=tip))
        if not self._past and match.seat < 0:
            tip = _("For a large screen: in large letters, following the play by itself.")
            entries.append(MenuEntry(_("Show it to all in the room"), self._show_on_wall, tip=tip))
        if not self._past and self._callbacks.missed:
            entries.append(MenuEntry(_("What happened while I was away"), self._see_missed, tip=told(Command.MISSED)))
        if self._past:
            entries.append(MenuEntry(_("Close the replay"), self._callbacks.leave_table))
            return Page(_("The replay"), tuple(entries))
        if table is not None and match.seat in self._guide.living(table) and not match.finished:
            entries.append(self._concession_entry(table))
            if match.check(Resign()) is None:
                entries.append(MenuEntry(_("Resign …"), partial(self._turn, self._resignation_page), "danger"))
        if self._callbacks.invites:
            tip = _("The link to this table, for players and spectators.")
            entries.append(MenuEntry(_("Invite friends …"), self._invite, tip=tip))
        if self._callbacks.notifies and match.seat >= 0 and not match.finished:
            tip = _("Where you are told that it is your turn: by mail, ntfy or Discord.")
            entries.append(MenuEntry(_("Messages to you …"), self._notices, tip=tip))
        entries += self._hosting()
        if people(match, _VOICES):
            tip = _("Report people, hide what they say, or never sit with them.")
            entries.append(MenuEntry(_("People …"), partial(self._turn, self._people), tip=tip))
        if self._deciding.possible:
            entries.append(MenuEntry(_("Ask the others …"), partial(self._turn, self._asking), tip=told(Command.ASK)))
        tip = _("A bot keeps your seat until you come back.") if match.seat >= 0 and not match.finished else ""
        entries.append(MenuEntry(_("Leave the table"), self._callbacks.leave_table, tip=tip))
        return Page(_("The table"), tuple(entries))

    def _hosting(self) -> list[MenuEntry]:
        """Return the entries that only the host has."""
        match, entries = self._match, list[MenuEntry]()
        if match.table is None or not match.table.host:
            return entries
        if voices(match):
            tip = _("Hide a player's messages from the table.")
            entries.append(MenuEntry(_("Mute …"), partial(self._turn, self._hush), tip=tip))
        if self._callbacks.tells and match.seat >= 0 and not match.finished:
            tip = _("Send absent players a message when it is their turn.")
            entries.append(MenuEntry(_("Messages …"), self._tell, tip=tip))
        return entries

    def ask_others(self) -> bool:
        """Open the page with questions to the others; return False if nothing can be asked."""
        if not self._deciding.possible:
            return False
        self.open, self._root = True, self._first
        self._turn(self._asking)
        return True

    def _asking(self) -> Page:
        """Return the page of things that the people at the table can decide together."""
        deciding = self._deciding
        entries = [self._nothing(_("Cancel")), *self._offers([deciding.pause()])]
        for words, tip, offers in (
            (_("Go back …"), _("To a moment of this round or the last. All have to agree. Dice are rolled again."),
             deciding.backs),
            (_("Replace an absent player …"), _("A bot until the player is back, or a spectator for good."),
             deciding.seats),
            (_("More time …"), "", deciding.times),
            (_("Other clocks …"), "", deciding.paces),
        ):  # fmt: skip
            if offers():
                entries.append(
                    MenuEntry(words, partial(self._turn, partial(self._choices, words, offers, tip)), tip=tip)
                )
        entries.append(MenuEntry(_("End the match now …"), partial(self._turn, self._ending), "danger"))
        words = _("The people at the table vote; bots do not. Alone with bots, you decide at once.")
        return Page(_("Ask the others"), tuple(entries), words)

    def _choices(self, title: str, offers: Callable[[], list[Offer]], words: str = "") -> Page:
        return Page(title, (self._nothing(_("Cancel")), *self._offers(offers())), words)

    def _ending(self) -> Page:
        words = _("The match is over then, and the leading player has won. This cannot be undone.")
        sure = self._offers([(_("Yes, ask to end it"), Motion(Matter.END))], "danger")
        return Page(_("End the match?"), (self._nothing(_("Go on playing")), *sure), words)

    def _offers(self, offers: list[Offer], kind: ButtonKind = "plain") -> list[MenuEntry]:
        return [
            MenuEntry(
                words,
                partial(self._ask, motion),
                kind,
                self._deciding.terms(motion) or (words if len(words) > _FITS else ""),
            )
            for words, motion in offers
        ]

    def _ask(self, motion: Motion) -> None:
        self._deciding.ask(motion)
        self.close()

    def _read(self) -> None:
        self.close()
        if self._words is not None:
            self._words()

    def _concession_entry(self, table: T) -> MenuEntry:
        if table.conceded[self._match.seat] != NONE:
            return MenuEntry(_("Take back the concession"), partial(self._concede, NONE))
        return MenuEntry(
            _("Concede …"), partial(self._turn, self._heirs_page), tip=_("Say that another player has won.")
        )

    def _heirs_page(self) -> Page:
        """Return the page that offers players to concede to."""
        table, seat = self._match.view, self._match.seat
        others = [to for to in self._guide.living(table) if to != seat] if table is not None else []
        words = _("Once all others have conceded to a player, that player has won. Until then you can take it back.")
        choices = [MenuEntry(_("To {name}", name=self._match.name(to)), partial(self._choose, to)) for to in others]
        return Page(_("Concede"), (self._nothing(_("Go on playing")), *choices), words)

    def _last_word(self, to: Seat) -> Page:
        """Return the page that confirms a final concession: no other player has to agree."""
        name, table = self._match.name(to), self._match.view
        two = table is not None and len(self._guide.living(table)) == 2
        why = _("Only the two of you are left.") if two else _("All others have conceded to {name} already.", name=name)
        words = _(
            "{why} If you concede, the match is over at once: {name} has won. This cannot be undone.",
            why=why,
            name=name,
        )
        sure = MenuEntry(_("Yes, {name} has won", name=name), partial(self._concede, to), "danger")
        return Page(_("End the match?"), (self._nothing(_("Go on playing")), sure), words)

    def _resignation_page(self) -> Page:
        table, seat = self._match.view, self._match.seat
        left = [to for to in self._guide.living(table) if to != seat] if table is not None else []
        words = _("Your pieces leave the board, and no player gains from it. You can watch, but not come back.")
        if len(left) == 1:
            words += _(
                " Only {name} is left then, and has won: the match is over at once.", name=self._match.name(left[0])
            )
        sure = MenuEntry(_("Yes, resign"), partial(self._do, Resign()), "danger")
        return Page(_("Resign?"), (self._nothing(_("Go on playing")), sure), words)

    def _hush(self) -> Page:
        """Return the page that offers people to mute."""
        choices = [MenuEntry(words, partial(self._do_and_close, mute)) for words, mute in mutings(self._match, _VOICES)]
        return Page(_("Mute"), (self._nothing(_("Cancel")), *choices), MUTING)

    def _people(self) -> Page:
        """Return the page that lists the people at the table."""
        names = people(self._match, _VOICES)
        entries = [MenuEntry(name, partial(self._turn, partial(self._person, name))) for name in names]
        return Page(_("People"), (self._nothing(_("Cancel")), *entries))

    def _person(self, name: str, words: str = "") -> Page:
        """Return the page with the choices about one person."""
        choices = person_choices(self._match, name, words)
        entries = [MenuEntry(words, partial(self._do_and_close, deed)) for words, deed in choices]
        quoted = f"“{words}”\n" if words else ""
        return Page(name, (self._nothing(_("Cancel")), *entries), quoted + NOT_TOLD)

    def _do_and_close(self, deed: Callable[[], object]) -> None:
        deed()
        self.close()

    def _nothing(self, words: str) -> MenuEntry:
        return MenuEntry(words, self.back, "primary", told(Command.BACK))

    # Actions

    def _ends(self, to: Seat) -> bool:
        """Whether the match is over once we concede to that player."""
        table, seat = self._match.view, self._match.seat
        if table is None:
            return False
        conceded = [to if other == seat else given for other, given in enumerate(table.conceded)]
        return agreed_winner(self._guide.living(table), conceded) != NONE

    def _choose(self, to: Seat) -> None:
        if self._ends(to):
            self._turn(partial(self._last_word, to))
        else:
            self._concede(to)

    def _concede(self, to: Seat) -> None:
        self._do(Concede(to))

    def _do(self, action: Action) -> None:
        self._act(action)
        self.close()

    def _help(self) -> None:
        self.close()
        self._callbacks.show_help()

    def _show_hand(self) -> None:
        self.close()
        self._callbacks.show_hand()

    def _show_on_wall(self) -> None:
        self.close()
        self._callbacks.show_on_wall()

    def _look_back(self) -> None:
        self.close()
        self._callbacks.look_back()

    def _tell(self) -> None:
        self.close()
        self._callbacks.show_hook()

    def _invite(self) -> None:
        self.close()
        self._callbacks.show_invitation()

    def _notices(self) -> None:
        self.close()
        self._callbacks.show_notices()

    def _see_missed(self) -> None:
        self.close()
        self._callbacks.see_missed()

    def _settings(self) -> None:
        self.close()
        self._callbacks.show_settings()

    # Appearance

    def _build_page(self) -> None:
        self.ui.clear()
        page = self.page
        width, pad = theme.px(_WIDE), theme.px(40)
        label = Label(page.words, 0, 0, anchor_y="top", width=width - 2 * pad) if page.words else None
        tall = label.rect.height + theme.px(18) if label is not None else 0.0
        # Buttons are closer together where the window is low.
        row = min(theme.px(_ROW + _GAP), (self._size[1] - theme.px(110 + 2 * _EDGE) - tall) / len(page.entries))
        height = theme.px(110) + len(page.entries) * row + tall
        panel = arcade.XYWH(round(self._size[0] / 2), round(self._size[1] / 2), width, height)
        self.ui.add(Panel(panel, title=page.title))
        top = panel.top - theme.px(82)
        if label is not None:
            label.move(panel.left + pad, top)
            self.ui.add(label)
        self._buttons(page, panel.left + pad, top - tall, width - 2 * pad, row)

    def _buttons(self, page: Page, left: float, top: float, width: float, row: float) -> None:
        height = row * _ROW / (_ROW + _GAP)
        size = theme.BODY if any(len(entry.words) > _FITS for entry in page.entries) else theme.LARGE
        for entry in page.entries:
            rect = arcade.LBWH(left, top - height, width, height)
            button = self.ui.add(Button(rect, entry.words, entry.action, kind=entry.kind, tip=entry.tip, size=size))
            if entry.kind == "primary":
                self.ui.set_focus(button)
            top -= row

    def draw(self) -> None:
        """Draw it over the darkened table."""
        if not self.open:
            return
        arcade.draw_rect_filled(arcade.LBWH(0, 0, *self._size), theme.alpha(theme.NIGHT_DEEP, 150))
        self.ui.draw()
