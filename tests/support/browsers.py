"""Browsers of this machine. Apart from what drives them, which not every environment of the suite has."""

import shutil
from typing import Final

CHROMIUM: Final = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), "")
"""The system's browser, "" where there is none."""
NO_CHROMIUM: Final = "no Chromium on this machine (Debian: apt-get install chromium)"
FIREFOX: Final = shutil.which("firefox-esr") or shutil.which("firefox") or ""
"""The system's browser, "" where there is none."""
NO_FIREFOX: Final = "no Firefox on this machine (Debian: apt-get install firefox-esr)"
