"""Pictures by name: the painted pieces, and small drawn ones: signs, victory numbers, province tokens."""

from functools import cache
from typing import Final

from PIL import Image, ImageDraw, ImageFont

from client.drawing import theme

GO, FIGHT, TOKEN = "sign_go", "sign_fight", "province_token"
SIGNS: Final = (GO, FIGHT)
"""Marks of possible targets on the board."""
_VICTORY: Final = "victory_"
_SIDE: Final = 256


def victory(number: int) -> str:
    """Return the name of the picture of a victory number."""
    return f"{_VICTORY}{number}"


def painted(name: str) -> bool:
    """Whether there is a painted piece with that name: pieces without an owner are few."""
    return (theme.ASSETS / "pieces" / f"{name}.png").exists()


def picture(name: str) -> Image.Image:
    """Return the picture with that name, in the colours in use."""
    return _picture(name, theme.palette())


@cache
def _picture(name: str, palette: str) -> Image.Image:
    if name in (GO, FIGHT):
        return _sign(name == FIGHT)
    if name == TOKEN:
        return _token()
    if name.startswith(_VICTORY):
        return _points_disc(int(name.removeprefix(_VICTORY)))
    pieces = theme.ASSETS / "pieces"
    own = pieces / palette / f"{name}.png"
    with Image.open(own if own.exists() else pieces / f"{name}.png") as image:
        painted: Image.Image = image.convert("RGBA")
    return painted


def _empty_canvas() -> tuple[Image.Image, ImageDraw.ImageDraw]:
    image = Image.new("RGBA", (_SIDE, _SIDE), (0, 0, 0, 0))
    return image, ImageDraw.Draw(image)


def _done(image: Image.Image) -> Image.Image:
    # Pillow draws without smoothing, so signs are painted at twice their size.
    return image.resize((_SIDE // 2, _SIDE // 2), Image.Resampling.LANCZOS)


def _sign(fight: bool) -> Image.Image:
    """Return the mark of a possible target, or of one with a battle."""
    image, draw = _empty_canvas()
    draw.ellipse((20, 20, 236, 236), fill=theme.NIGHT)
    draw.ellipse((32, 32, 224, 224), fill=theme.WINE if fight else theme.IVORY)
    if fight:
        for way in (1, -1):
            tip, end = (128 + 62 * way, 66), (128 - 62 * way, 190)
            draw.line((*tip, *end), fill=theme.IVORY, width=22)
            across = (128 - 60 * way, 146, 128 - 18 * way, 188)
            draw.line(across, fill=theme.GOLD, width=16)
    else:
        draw.polygon(
            ((128, 196), (64, 116), (104, 116), (104, 60), (152, 60), (152, 116), (192, 116)), fill=theme.OLIVE
        )
    return _done(image)


def _points_disc(number: int) -> Image.Image:
    """Return a number of victory points on a wine-red disc with a golden rim."""
    image, draw = _empty_canvas()
    draw.ellipse((8, 8, 248, 248), fill=theme.NIGHT)
    draw.ellipse((16, 16, 240, 240), fill=theme.GOLD)
    draw.ellipse((36, 36, 220, 220), fill=theme.WINE)
    font = ImageFont.truetype(str(theme.ASSETS / "fonts" / "NotoSans-Bold.ttf"), 132 if number > 9 else 150)
    draw.text((128, 126), str(number), fill=theme.IVORY, font=font, anchor="mm")
    return _done(image)


def _token() -> Image.Image:
    """Return a province token: a temple on a coin of parchment."""
    image, draw = _empty_canvas()
    draw.ellipse((8, 8, 248, 248), fill=theme.NIGHT)
    draw.ellipse((16, 16, 240, 240), fill=theme.BRONZE)
    draw.ellipse((30, 30, 226, 226), fill=theme.PARCHMENT_LIGHT)
    draw.polygon(((128, 56), (60, 100), (196, 100)), fill=theme.BRONZE_DEEP)
    for x in (76, 108, 140, 172):
        draw.rectangle((x - 3, 108, x + 13, 166), fill=theme.BRONZE_DEEP)
    draw.rectangle((60, 172, 196, 190), fill=theme.BRONZE_DEEP)
    return _done(image)
