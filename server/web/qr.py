"""Picture of a table's link, for the cameras of friends."""

from __future__ import annotations

import functools
import io
import re
from typing import Final

from server.web.site import File, file_of

_PATH: Final = re.compile(r"/qr/(https?)/([A-Za-z0-9]{1,26})")
_KEPT: Final = 256
"""Pictures that are kept."""


def picture_asked(path: str, host: str) -> File | None:
    """Return the picture of the link to a table at this host; None: the path asks for none."""
    asked = _PATH.fullmatch(path)
    return None if asked is None or not host else _picture(*asked.groups(), host)


@functools.lru_cache(_KEPT)
def _picture(scheme: str, code: str, host: str) -> File:
    import segno  # Imported only for an invitation: the import would slow down every start.

    out = io.BytesIO()
    segno.make(f"{scheme}://{host}/watch#{code}", error="m", micro=False).save(
        out, kind="svg", border=2, dark="#382416", light="#fff8e6", xmldecl=False
    )
    return file_of("qr.svg", out.getvalue())
