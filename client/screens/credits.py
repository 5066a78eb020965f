"""Authors and licences of the program and its parts."""

from client.drawing.chapters import Chapter
from client.drawing.scrolling import ScrollText
from client.language import _
from client.screens.base import FramedScreen

CHAPTERS = (
    Chapter(
        _("The board game"),
        _("Conquest of the Empire was designed by Larry Harris; the edition of 2005 with additional design by Glenn "
        "Drover. It was published by Milton Bradley in 1984 and by Eagle Games in 2005."),
    ),
    Chapter(
        _("This program"),
        _("An unofficial fan implementation, made with respect and without profit. It is not connected with, nor "
        "endorsed by, the designers or the publishers. It contains no text and no pictures of the published games: "
        "board, pieces, sounds and words were made for it."),
    ),
    Chapter(_("Licence"), _(
        "The program is free software under the MIT licence; see the file LICENSE that comes with it.")),
    Chapter(
        _("Lettering"),
        _("Cinzel by Natanael Gama and Noto Sans by the Noto project, both under the SIL Open Font License; their "
        "licences come with the fonts."),
    ),
    Chapter(
        _("Built with"),
        _("Python, Arcade and pyglet, msgspec, websockets, cryptography, Pillow, segno, ifaddr, anyascii, "
        "platformdirs, and python-zeroconf, which is under the LGPL 2.1 or later and used as it comes."),
    ),
)  # fmt: skip


class CreditsScreen(FramedScreen):
    """Page of text."""

    def layout(self, width: float, height: float) -> None:
        inside = self.frame(760, 620, _("Credits"), elastic=True)
        self.ui.add(ScrollText(inside, CHAPTERS))
        self.ui.set_focus(self.back_button(inside))
