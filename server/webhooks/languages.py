"""Catalogues of alerts: the texts of the browser page, which this server has in every language."""

import json
import re
from functools import lru_cache
from importlib import resources

from shared.language.catalogue import ENGLISH, Catalogue


def catalogue_of(language: str) -> Catalogue:
    """Return the texts of a language by its code, such as "de" or "de-AT"; English if it is unknown."""
    code = language.partition("-")[0].lower()
    return _read(code) if re.fullmatch(r"[a-z]{2,3}", code) else ENGLISH


@lru_cache(maxsize=16)
def _read(code: str) -> Catalogue:
    file = resources.files("server.web") / "files" / "languages" / f"{code}.json"
    if not file.is_file():
        return ENGLISH
    return Catalogue(json.loads(file.read_text("utf-8"))["texts"])
