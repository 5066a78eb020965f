"""Pages that the operator wrote: terms, privacy and contact, from Markdown."""

import re
from collections.abc import Mapping
from html import escape
from pathlib import Path
from typing import Final

from server.web.site import File, file_of, page_version
from shared.tables import OPERATOR_PAGES

_PAGE: Final = """\
<!DOCTYPE html>
<html>
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title} – Conquest</title><link rel="stylesheet" href="page/{version}/page.css"></head>
<body><header class="top"><a href="./" class="home">CONQUEST</a>{links}</header>
<main class="lobby"><article class="card words">
{text}</article></main></body>
</html>
"""
_HEADING: Final = re.compile(r"^# +(.+?)[ #]*$", re.MULTILINE)


def read_pages(folder: Path) -> Mapping[str, File]:
    """Return the pages of a folder with `terms.md`, `privacy.md` or `contact.md`, by path.

    Raises ValueError if there is none, or one cannot be read.
    """
    from markdown_it import MarkdownIt  # Imported only for pages: the import would slow down every start.

    # No markup of their own, and nothing is loaded: visitors of these pages have their keys in the same origin.
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table").disable("image")
    texts = {name: path for name in OPERATOR_PAGES if (path := folder / f"{name}.md").is_file()}
    if not texts:
        raise ValueError(f"--pages: {folder} has none of {', '.join(f'{name}.md' for name in OPERATOR_PAGES)}.")
    try:
        written = {name: path.read_text("utf-8-sig") for name, path in texts.items()}
    except (OSError, UnicodeDecodeError) as error:
        raise ValueError(f"--pages: cannot read {folder} as UTF-8: {error}") from None
    headings = {name: _HEADING.search(text) for name, text in written.items()}
    titles = {name: heading[1] if heading else name.capitalize() for name, heading in headings.items()}
    # Relative addresses, because a proxy may add a path.
    links = "".join(f'<a href="{name}">{escape(title)}</a>' for name, title in titles.items())
    return {f"/{name}": _file(titles[name], links, markdown.render(text)) for name, text in written.items()}


def _file(title: str, links: str, html: str) -> File:
    page = _PAGE.format(title=escape(title), version=page_version(), links=links, text=html)
    return file_of("page.html", page.encode())
