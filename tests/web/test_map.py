"""The map of the page: it is moved and enlarged, lights up spaces, and answers taps near them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from shared.board import BOARD
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.support.marks import pairs_in_stages
from tests.web.page_harness import Sight, begin, browser, serving_games, table_of_bots, the_table, web

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]
PHONE = {"is_mobile": True, "has_touch": True, "device_scale_factor": 2, "reduced_motion": "reduce"}
SEEN = "conquest.board.camera.seen"
PICKED = "conquest.board.onPick = (space, kind) => { (globalThis.picked ??= []).push([space, kind]); return true; }"
CHOSEN = "document.querySelector('.chosen').getAttribute('d')"


@asynccontextmanager
async def board(tmp_path: Path, width: int, height: int, **more: Any) -> AsyncIterator[Sight]:
    """Show the board of a table that has not begun, in a window of that size."""
    async with serving_games(tmp_path, pace=60.0) as app, browser() as chromium:
        host = await table_of_bots(app, "classic", 2)
        await begin(host)
        sight = await Sight.of(chromium, f"{web(app)}/watch#{the_table(host).match}", width, height, **more)
        await sight.wait("globalThis.conquest?.board?.shown && conquest.board.camera.wide > 0")
        await sight.ask(f"(() => {{ {PICKED} }})()")
        yield sight


async def place(sight: Sight, space: int, dx: float = 0, dy: float = 0) -> tuple[float, float]:
    """Return where the first anchor of a space is on the screen, moved by board units."""
    x, y = await sight.ask(
        f"(() => {{ const {{camera, element}} = conquest.board, box = element.getBoundingClientRect(); "
        f"const [x, y] = conquest.board.spaces.anchor({space}); "
        f"return [box.x + element.clientLeft + (x + {dx} - camera.x) * camera.scale, "
        f"box.y + element.clientTop + (y + {dy} - camera.y) * camera.scale]; }})()"
    )
    return x, y


@pytest.mark.long
async def test_a_tap_near_a_lit_space_counts_for_it_and_other_taps_for_the_ground(tmp_path: Path) -> None:
    async with board(tmp_path, 360, 740, **PHONE) as sight:
        creta, egyptus, sea = BOARD.space("creta"), BOARD.space("egyptus"), BOARD.space("mare_libycum")
        await sight.ask(f"conquest.board.light({{source: [{creta}], target: [{egyptus}]}})")
        assert await sight.ask("document.querySelectorAll('.light.source, .light.target').length") == 2
        await sight.page.touchscreen.tap(*await place(sight, creta, dy=120))
        await sight.page.touchscreen.tap(*await place(sight, egyptus))
        await sight.page.touchscreen.tap(*await place(sight, sea))
        assert await sight.ask("picked") == [[creta, "source"], [egyptus, "target"], [sea, ""]]
        await sight.ask("conquest.board.dim()")
        assert await sight.ask("document.querySelectorAll('.light').length") == 0


@pytest.mark.long
async def test_every_space_is_hit_where_it_is_drawn(tmp_path: Path) -> None:
    async with board(tmp_path, 1280, 800) as sight:
        hits = await sight.ask(
            f"[...Array({BOARD.spaces}).keys()]"
            ".map((space) => conquest.board.spaces.at(...conquest.board.spaces.anchor(space)))"
        )
        assert hits == list(range(BOARD.spaces))


@pytest.mark.long
async def test_wheel_drag_double_tap_and_buttons_move_the_map_within_the_board(tmp_path: Path) -> None:
    async with board(tmp_path, 1280, 800, reduced_motion="reduce") as sight:
        whole = await sight.ask(SEEN)
        at = await place(sight, BOARD.space("italia"))
        await sight.page.mouse.move(*at)
        await sight.page.mouse.wheel(0, -600)
        await sight.wait("conquest.board.camera.zoom > 2")
        near = await sight.ask(SEEN)
        there = await place(sight, BOARD.space("italia"))
        assert abs(there[0] - at[0]) < 4 and abs(there[1] - at[1]) < 4, "what is under the pointer stays there"
        await sight.page.mouse.down()
        await sight.page.mouse.move(at[0] + 90, at[1] + 40, steps=4)
        await sight.page.mouse.up()
        dragged = await sight.ask(SEEN)
        assert dragged[0] < near[0] and dragged[1] < near[1]
        assert await sight.ask("globalThis.picked") is None, "a drag chooses nothing"
        await sight.page.get_by_role("button", name="The whole board").click()
        assert await sight.ask(SEEN) == whole
        await sight.page.mouse.dblclick(*at)
        assert await sight.ask("conquest.board.camera.zoom") == 2
        for _ in range(12):
            await sight.page.get_by_role("button", name="Larger").click()
        x, y, wide, high = await sight.ask(SEEN)
        foot = await sight.ask("conquest.board.camera.foot()")
        assert x >= 0 and y >= 0 and x + wide <= 3600 and y + high <= 2384 + foot


@pytest.mark.long
async def test_two_fingers_enlarge_what_is_between_them(tmp_path: Path) -> None:
    async with board(tmp_path, 360, 740, **PHONE) as sight:
        session = await sight.page.context.new_cdp_session(sight.page)
        x, y = await place(sight, BOARD.space("neapolis"))

        async def touch(kind: str, *points: tuple[float, float]) -> None:
            await session.send("Input.dispatchTouchEvent", {
                "type": kind, "touchPoints": [{"x": px, "y": py, "id": i} for i, (px, py) in enumerate(points)],
            })  # fmt: skip

        await touch("touchStart", (x - 20, y), (x + 20, y))
        for step in range(1, 9):
            await touch("touchMove", (x - 20 - 8 * step, y), (x + 20 + 8 * step, y))
        await touch("touchEnd")
        await sight.wait("conquest.board.camera.zoom > 3")
        there = await place(sight, BOARD.space("neapolis"))
        # Neapolis is in the middle: the map stops at its edges, so what lies near them moves a little.
        assert abs(there[0] - x) < 30 and abs(there[1] - y) < 30


@pytest.mark.long
async def test_keys_go_from_lit_space_to_lit_space_and_choose(tmp_path: Path) -> None:
    async with board(tmp_path, 740, 360, **PHONE) as sight:
        hispania, italia, asia = (BOARD.space(key) for key in ("hispania", "italia", "asia"))
        await sight.ask(f"conquest.board.light({{source: [{hispania}, {italia}, {asia}]}})")
        await sight.page.locator(".board").focus()
        await sight.page.keyboard.press("ArrowLeft")
        first = await sight.page.inner_text(".board [role=status]")
        await sight.page.keyboard.press("Enter")
        await sight.page.keyboard.press("ArrowRight")
        await sight.page.keyboard.press("Enter")
        assert first in (BOARD.names[hispania], BOARD.names[italia])
        assert [kind for _space, kind in await sight.ask("picked")] == ["source", "source"]
        assert await sight.ask(CHOSEN) != ""
        await sight.page.keyboard.press("+")
        assert await sight.ask("conquest.board.camera.zoom > 1")
        await sight.page.keyboard.press("0")
        assert await sight.ask("conquest.board.camera.zoom") == 1


@pytest.mark.long
async def test_the_map_glides_to_a_space_that_cannot_be_read_and_stays_otherwise(tmp_path: Path) -> None:
    async with board(tmp_path, 360, 740, **PHONE) as sight:
        asia = BOARD.space("asia")
        await sight.ask(f"conquest.board.glideTo([{asia}])")
        x, y, wide, high = await sight.ask(SEEN)
        at = await sight.ask(f"conquest.board.spaces.anchor({asia})")
        assert wide < 1800 and x < at[0] < x + wide and y < at[1] < y + high
        await sight.ask(f"conquest.board.glideTo([{asia}])")
        assert await sight.ask(SEEN) == [x, y, wide, high]


UNCOVERED = """(() => {
  const {camera, element, spaces, svg} = conquest.board, faults = [];
  const buttons = () => [...element.querySelectorAll('.zoom button')].filter((each) => each.checkVisibility())
    .map((each) => each.getBoundingClientRect());
  const hidden = (space) => {
    const map = svg.getScreenCTM(), [x1, y1, x2, y2] = spaces.shapes[space].bounds;
    const [a, b] = [new DOMPoint(x1, y1), new DOMPoint(x2, y2)].map((each) => each.matrixTransform(map));
    const frame = element.getBoundingClientRect();
    const inside = a.x >= frame.left && b.x <= frame.right && a.y >= frame.top && b.y <= frame.bottom;
    return !inside || buttons().some(({left, right, top, bottom}) =>
      a.x < right && b.x > left && a.y < bottom && b.y > top);
  };
  for (const space of spaces.shapes.keys()) {
    camera.whole();
    camera.zoomBy(1.5, [camera.wide, 0]);
    camera.panBy(-9999, 9999);
    conquest.board.glideTo([space]);
    if (camera.zoom > 1 && hidden(space)) faults.push(['shown', space, camera.seen]);
  }
  for (const zoom of [1.1, 1.3, 1.6, 2, 3, camera.most]) {
    camera.whole();
    camera.zoomBy(zoom);
    camera.panBy(-9999, 9999);
    const foot = new DOMPoint(0, 2384).matrixTransform(svg.getScreenCTM());
    const tops = buttons().map(({top}) => top);
    if (tops.length !== 3 || tops.some((top) => foot.y > top + 0.5)) faults.push(['dragged', zoom, foot.y, tops]);
  }
  return faults;
})()"""
"""Expression for all that the zoom buttons cover: spaces to which the map glides, and the lower edge dragged up."""


TOO_NEAR = """(() => {
  const {camera, names} = conquest.board, faults = [];
  for (const zoom of [1, 1.1, 1.25, 1.45, 1.7, 2, 2.5, 3.5, camera.most]) {
    camera.whole();
    if (zoom > 1) camera.zoomBy(zoom);
    conquest.board.showNames();
    const lines = names.filter((name) => !name.classList.contains('left-out')).flatMap((name, at) =>
      [...name.children].map((line) => ({at, words: line.textContent, box: line.getBoundingClientRect()})));
    for (const a of lines) for (const b of lines) {
      const letter = a.box.height / 1.2, middle = a.box.top + a.box.height / 2;
      const beside = middle > b.box.top && middle < b.box.bottom && a.box.left <= b.box.left;
      if (a.at !== b.at && beside && b.box.left - a.box.right < 0.3 * letter) faults.push([zoom, a.words, b.words]);
    }
    if (lines.length < 15) faults.push(['left out', zoom, lines.length]);
  }
  return faults;
})()"""
"""Expression for the names on the map that nearly touch the next one, at many sizes of the map."""


@pytest.mark.long
@pytest.mark.parametrize(
    ("width", "height", "more"),
    pairs_in_stages([(360, 740, PHONE), (740, 360, PHONE), (1280, 800, {})], [(360, 740, PHONE)]),
)
async def test_zoom_buttons_cover_no_space_that_is_needed_and_names_stand_apart(
    width: int, height: int, more: dict[str, Any], tmp_path: Path
) -> None:
    async with board(tmp_path, width, height, **{**more, "reduced_motion": "reduce"}) as sight:
        assert await sight.ask(UNCOVERED) == []
        assert await sight.ask(TOO_NEAR) == []


@pytest.mark.long
async def test_places_stay_in_view_when_the_choices_take_room_from_the_board(tmp_path: Path) -> None:
    async with board(tmp_path, 360, 740, **PHONE) as sight:
        places = [BOARD.space(key) for key in ("cyrenaica", "palestina", "arabia_petraea")]
        await sight.ask("conquest.board.element.style.height = '500px'")
        await sight.wait("conquest.board.camera.high > 450")
        await sight.ask(f"conquest.board.glideTo({places})")
        await sight.ask("conquest.board.element.style.height = '200px'")
        await sight.wait("conquest.board.camera.high < 250")
        x, y, wide, high = await sight.ask(SEEN)
        left, top, right, bottom = await sight.ask(f"conquest.board.spaces.around({places})")
        assert x <= left and y <= top and right <= x + wide and bottom <= y + high
