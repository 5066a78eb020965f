"""Make the TrueType fonts of the client from the web fonts of the npm packages of Fontsource.

Every file gets a family name of its own, and plain weight and style marks. So each system's font loader finds it by
name alone. None of the fonts reserves its name.
"""

import argparse
import shutil
import tempfile
from pathlib import Path
from typing import Any, Final

from fontTools.merge import Merger
from fontTools.ttLib import TTFont

OUT: Final = Path(__file__).parents[2] / "assets" / "fonts"
FONTS: Final = (
    ("cinzel", "400-normal", "Cinzel", "Cinzel-Regular"),
    ("cinzel", "700-normal", "Cinzel Titulus", "Cinzel-Bold"),
    ("noto-sans", "400-normal", "Noto Sans", "NotoSans-Regular"),
    ("noto-sans", "700-normal", "Noto Sans Fortis", "NotoSans-Bold"),
    ("noto-sans", "400-italic", "Noto Sans Cursiva", "NotoSans-Italic"),
)


def rename(font: Any, family: str, file: str) -> None:
    """Make the font the plain, only member of its family."""
    names = font["name"]
    for record in list(names.names):
        # Copyright, version and licence stay.
        if record.nameID not in (0, 5, 13, 14):
            names.names.remove(record)
    for number, text in ((1, family), (2, "Regular"), (3, f"{file}; Conquest"), (4, family), (6, file)):
        # Platform Windows, Unicode, American English: the record that all systems read.
        names.setName(text, number, 3, 1, 0x409)
    os2 = font["OS/2"]
    os2.usWeightClass = 400
    # Bits 0 and 5 say italic and bold, bit 6 says regular.
    os2.fsSelection = (os2.fsSelection & ~0b100001) | 0b1000000
    font["head"].macStyle = 0


def build(package: str, style: str, family: str, file: str, source: Path) -> None:
    """Join the Latin parts of one face and write it as TrueType."""
    with tempfile.TemporaryDirectory() as folder:
        parts = []
        for part in ("latin", "latin-ext"):
            font = TTFont(source / package / "files" / f"{package}-{part}-{style}.woff2")
            # Else it would be written as a web font again.
            font.flavor = None
            for table in ("GSUB", "GDEF"):
                if table in font:
                    del font[table]
            if part != "latin" and "GPOS" in font:
                del font["GPOS"]
            path = Path(folder) / f"{part}.ttf"
            font.save(path)
            parts.append(str(path))
        font = Merger().merge(parts)
        rename(font, family, file)
        font.save(OUT / f"{file}.ttf")


def main() -> None:
    """Build all fonts and copy their licences."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("fontsource", type=Path, help="folder node_modules/@fontsource")
    source: Path = parser.parse_args().fontsource
    OUT.mkdir(parents=True, exist_ok=True)
    for package, style, family, file in FONTS:
        build(package, style, family, file, source)
    for package, name in (("cinzel", "Cinzel"), ("noto-sans", "NotoSans")):
        shutil.copyfile(source / package / "LICENSE", OUT / f"{name}-OFL.txt")


if __name__ == "__main__":
    main()
