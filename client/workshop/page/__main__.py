"""Write the data of the page and of the library's pictures: `python -m client.workshop.page`."""

import json
from pathlib import Path
from typing import Final

from client.workshop.page import chart, figures, guides, languages, rules

ROOT: Final = Path(__file__).parents[3]
FILES: Final = ROOT / "server" / "web" / "files"
PICTURE: Final = ROOT / "server" / "library" / "conquest" / "outlines.json"
"""Board for the library's pictures."""
_PICTURED: Final = ("width", "height", "land", "waters", "labels", "anchors", "cities", "harbours")


def made() -> dict[str, str]:
    """Return the files by name."""
    world = {**rules.data(), "board": chart.Chart().data(), "pieces": figures.data()}
    spoken = {f"languages/{code}.json": _lines(languages.data(FILES, code)) for code in languages.others()}
    texts = {name: _json(pages) for name, pages in guides.data().items()}
    spoken |= {f"lessons/{code}.json": _lines(languages.lessons(FILES, code)) for code in languages.others()}
    texts["lessons/list.json"] = _json(languages.lesson_list())
    return {"world.json": _json(world), **spoken, **texts}


def picture() -> str:
    """Return the file of the library's pictures: a part of the page's board, and the colours of the seats."""
    board = chart.Chart().data()
    return _json({**{name: board[name] for name in _PICTURED}, "colours": figures.data()["colours"]})


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"


def _lines(data: object) -> str:
    """Return JSON with a line for each text, so that changes of different texts can be merged."""
    return json.dumps(data, ensure_ascii=False, indent=0, separators=(",", ":")) + "\n"


if __name__ == "__main__":
    for name, words in made().items():
        (FILES / name).write_text(words, encoding="utf-8")
    PICTURE.write_text(picture(), encoding="utf-8")
