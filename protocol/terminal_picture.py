"""QR codes for terminals."""

import io
from typing import Final

_WHITE_ON_BLACK: Final = "\x1b[97;40m{}\x1b[0m"
_QUIET: Final = 2
"""Width of the light margin, in modules; a terminal has a frame of its own."""


def qr_code(link: str) -> str:
    """Return the QR code of a link as lines of half blocks.

    Segno leaves the colours to the terminal: on a light one, dark and light would change places.
    """
    import segno  # Imported only when hosting: the import would slow down every start.

    lines = io.StringIO()
    segno.make(link, error="m", micro=False).terminal(lines, border=_QUIET, compact=True)
    return "\n".join(map(_WHITE_ON_BLACK.format, lines.getvalue().splitlines()))
