"""A gesture on the page does what was meant, once."""

from pathlib import Path
from typing import Final

import pytest

from protocol import codec
from server.tools.recording import RecordedGame, Recording
from shared.kernel.ruleset import rules_of
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.state import GALLEYS, OFF
from shared.rulesets.registry import RULESETS
from tests.support.browsers import CHROMIUM, NO_CHROMIUM
from tests.web.each_action import TOUCHED, beginning, cut, recordings, seated_at
from tests.web.page_harness import Sight, browser, serving_games, web
from tests.web.page_player import PagePlayer, at_table
from tests.web.test_deciding import DESKTOP, open_march, sitting
from tests.web.test_watching import PHONE

pytestmark = [pytest.mark.skipif(not CHROMIUM, reason=NO_CHROMIUM), pytest.mark.timeout(240)]
TAKEN: Final = "conquest.match.taken.length"
GUARDED: Final = """(() => {
  const now = Date.now.bind(Date);
  globalThis.later = 0;
  Date.now = () => now() + globalThis.later;
  document.documentElement.dataset.settling = 1e6;
  globalThis.later += 1e6;
})()"""
"""Lets no time that matters pass by itself: all that is shown now counts, and what comes does not until `later`."""
LATER: Final = "globalThis.later += 1e6"


async def ready(sight: Sight) -> None:
    await sight.wait_drawn("conquest.decide.deciding.owes && !conquest.decide.deciding.sending")
    await sight.wait_drawn("conquest.decide.deciding.top?.answer && !conquest.decide.deciding.top.ticket")


@pytest.mark.long
async def test_a_second_press_does_not_answer_the_next_question(tmp_path: Path) -> None:
    """Numbers that stay take all presses meanwhile."""
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **DESKTOP)
        before = await sight.ask(TAKEN)
        await open_march(sight)
        await sight.ask(GUARDED)
        fewer, more = (sight.page.locator(f".number .step[title={words}]:not(:disabled)") for words in ("less", "more"))
        value = "conquest.decide.deciding.top.values.join()"
        had = await sight.ask(value)
        await fewer.first.click()
        assert await sight.ask(value) != had
        await more.first.click()
        assert await sight.ask(value) == had
        await sight.wait_drawn("conquest.decide.deciding.top.tried && !conquest.decide.deciding.top.ticket")
        await sight.wait_drawn("!conquest.decide.final.disabled")
        await sight.ask(LATER)
        await sight.page.locator(".decide .final").focus()
        await sight.page.keyboard.press("Enter")
        await sight.wait(f"{TAKEN} === {before + 1}")
        await ready(sight)
        for key in ("Enter", "1", "Space"):
            await sight.page.keyboard.press(key)
        await sight.page.locator(".decide .choice").first.click()
        assert await sight.ask("conquest.decide.deciding.steps.length") == 1
        assert await sight.ask(TAKEN) == before + 1
        await sight.ask(LATER)
        await sight.page.locator(".decide .choice").first.click()
        assert await sight.ask("conquest.decide.deciding.steps.length") == 2
        assert sight.troubles == []


@pytest.mark.long
async def test_a_name_is_typed_at_once_and_a_second_enter_does_not_ask_again(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/", **PHONE)
        await sight.page.get_by_role("button", name="Choose a name").wait_for()
        await sight.ask(GUARDED)
        await sight.page.get_by_role("button", name="Choose a name").click()
        await sight.page.keyboard.type("Ada")
        await sight.ask(LATER)
        for _ in range(2):
            await sight.page.keyboard.press("Enter")
        assert await sight.page.locator("dialog").count() == 0
        assert "You are Ada here." in await sight.page.inner_text(".profile")


@pytest.mark.long
async def test_what_is_wrong_with_a_new_table_is_told_in_sight(tmp_path: Path) -> None:
    async with serving_games(tmp_path) as app, browser() as chromium:
        sight = await Sight.of(chromium, f"{web(app)}/", **PHONE)
        await sight.page.get_by_text("Make a table").click()
        await sight.page.get_by_text("More options").click()
        await sight.page.get_by_role("button", name="Play against bots").click()
        top, bottom, height = await sight.ask(
            "(() => { const {top, bottom} = document.querySelector('.create .wrong').getBoundingClientRect(); "
            "return [top, bottom, innerHeight]; })()"
        )
        assert 0 <= top < bottom <= height


@pytest.mark.long
async def test_advice_is_offered_where_a_form_is_all_that_can_be_done(tmp_path: Path) -> None:
    recording = beginning("classic", "Buy")
    async with (
        serving_games(tmp_path) as app,
        browser() as chromium,
        seated_at(chromium, app, recording, **TOUCHED) as sight,
    ):
        await PagePlayer(sight, None, touch=True).settled()  # type: ignore[arg-type]
        assert await sight.ask("conquest.decide.deep && conquest.decide.deciding.steps.length === 1")
        assert await sight.page.get_by_role("button", name="Advice").is_visible()


@pytest.mark.long
@pytest.mark.parametrize(("ruleset", "kind"), [("classic", "Raze"), ("mb1984", "EndMovement"), ("cote2", "EndTurn")])
async def test_what_cannot_be_bought_back_takes_a_second_press(ruleset: str, kind: str, tmp_path: Path) -> None:
    recording = beginning(ruleset, kind)
    async with (
        serving_games(tmp_path) as app,
        browser() as chromium,
        seated_at(chromium, app, recording, **TOUCHED) as sight,
    ):
        await PagePlayer(sight, None, touch=True).settled()  # type: ignore[arg-type]
        if kind == "Raze":
            assert "Keep" in await sight.page.locator(".decide .choice").first.inner_text()
        await sight.page.locator(".decide .choice.onward").nth(-1).tap()
        await sight.wait_drawn("!conquest.decide.final.hidden")
        assert await sight.ask("conquest.decide.deciding.top.chosen.label.grave") and await sight.ask(TAKEN) == 0
        await sight.page.tap(".decide .final")
        await sight.wait(f"{TAKEN} === 1")


@pytest.mark.long
async def test_a_trial_that_is_lost_with_the_connection_is_asked_again(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **DESKTOP)
        await open_march(sight)
        words = await sight.page.inner_text(".decide .final")
        await sight.ask(
            "(() => { conquest.match.link.socket.close(); "
            "document.querySelector('.number .step[title=less]:not(:disabled)').click(); })()"
        )
        await sight.wait(f"!conquest.decide.final.disabled && conquest.decide.final.textContent !== {words!r}")
        assert sight.troubles == []


@pytest.mark.long
async def test_lists_say_from_where_and_to_where_and_a_goal_may_be_tapped_first(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **DESKTOP)
        headings = await sight.page.locator(".decide .group").evaluate_all("all => all.map((each) => each.ariaLabel)")
        assert {"March from", "March to"} & set(headings), headings
        goals = (
            "conquest.decide.deciding.top.answer.forms.flatMap(({fields}) => fields).filter(({name}) => name === 'to')"
            ".flatMap(({options}) => options.map(({place}) => place))"
        )
        lit = "conquest.decide.deciding.spots().map(([, place]) => place)"
        goal = await sight.ask(f"{goals}.find((place) => !{lit}.includes(place)) ?? {goals}[0]")
        assert await sight.ask(f"conquest.board.onPick({goal}, '')")
        await sight.wait("conquest.decide.deciding.top?.answer !== null")
        assert await sight.ask("conquest.decide.deciding.top.filter.to") == goal
        await sight.page.keyboard.press("Escape")
        sea = await sight.ask(f"[...Array(40).keys()].reverse().find((place) => !{goals}.includes(place))")
        assert not await sight.ask(f"conquest.board.onPick({sea}, '')")
        await sight.page.get_by_text("cannot be chosen now").wait_for()
        assert sight.troubles == []


def with_a_fleet() -> Recording:
    """Return the beginning of a match of Conquest II after which the first seat has galleys in one zone at its turn."""
    rules = RULESETS["cote2"]
    for recording in recordings(rules):
        game = RecordedGame(rules_of(RULESETS, rules.id, recording.version), recording.seats, recording.options)
        for place, (seat, action) in enumerate(recording.log):
            fleet = [zone for zone in game.state.galley_at[:GALLEYS] if zone != OFF]
            if seat == 0 and len(set(fleet)) < len(fleet) and isinstance(game.state.frames[-1], Turn):
                return cut(recording, recording.log[:place])
            game.play(seat, rules.action_decoder.decode(codec.ENCODER.encode(action)))
    raise AssertionError("no such match is recorded")


@pytest.mark.long
@pytest.mark.parametrize(
    ("ruleset", "group", "sort"),
    [("classic", "March", "Generals"), ("mb1984", "March", "Generals"), ("cote2", "Sail", "Galleys")],
)
async def test_those_that_are_alike_are_a_count(ruleset: str, group: str, sort: str, tmp_path: Path) -> None:
    """Only the Caesar stands apart."""
    recording = with_a_fleet() if ruleset == "cote2" else beginning(ruleset, group)
    async with (
        serving_games(tmp_path) as app,
        browser() as chromium,
        seated_at(chromium, app, recording, **TOUCHED) as sight,
    ):
        player = PagePlayer(sight, None, touch=True)  # type: ignore[arg-type]
        while not (await player.settled())["open"]:
            await sight.page.locator(f".decide .group[aria-label^={group}] .choice").first.tap()
        counts = sight.page.locator(".decide .set .stepper", has_text=sort)
        assert await counts.count() == 1
        boxes = await sight.page.locator(".decide .set .option").all_inner_texts()
        assert boxes == [] if ruleset == "cote2" else boxes == ["the Caesar"]
        chosen = "conquest.decide.deciding.top.values.find(Array.isArray).length"
        before = await sight.ask(chosen)
        await counts.locator(".step[title=less], .step[title=more]").and_(sight.page.locator(":enabled")).first.tap()
        await sight.wait(f"Math.abs({chosen} - {before}) === 1")
        assert sight.troubles == []


@pytest.mark.long
async def test_undo_is_offered_once_there_is_something_to_undo(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        player = await at_table(chromium, app, "classic", 3, 3, width=360, height=740)
        undo = player.sight.page.get_by_role("button", name="Undo")
        await player.settled()
        assert await undo.count() == 0
        await open_march(player.sight)
        await player.sight.page.click(".decide .final")
        await undo.wait_for()


@pytest.mark.long
async def test_a_control_that_moved_under_the_finger_takes_no_press(tmp_path: Path) -> None:
    """Scrolling moves nothing, and keys press what has the focus."""
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **PHONE)
        await open_march(sight)
        await sight.ask(GUARDED)
        fewer = sight.page.locator(".number .step[title=less]:not(:disabled)").first
        lines = (
            "document.querySelector('.choices').before("
            "Object.assign(document.createElement('p'), {innerText: 'A\\nB\\nC\\nD'}))"
        )
        value, steps = "conquest.decide.deciding.top.values.join()", "conquest.decide.deciding.steps.length"
        had, deep = await sight.ask(value), await sight.ask(steps)
        await sight.ask(lines)
        await fewer.tap()
        assert await sight.ask(value) == had, "it stands elsewhere"
        await sight.ask(LATER)
        await fewer.tap()
        assert await sight.ask(value) != had
        await sight.ask("document.querySelector('.dock').scrollTop += 70")
        had = await sight.ask(value)
        await sight.page.locator(".number .step[title=more]:not(:disabled)").first.tap()
        assert await sight.ask(value) != had, "it was scrolled"
        await sight.page.keyboard.press("Escape")
        await sight.page.locator(".decide .back").focus()
        await sight.page.keyboard.press("Enter")
        assert await sight.ask(steps) < deep


@pytest.mark.long
async def test_a_question_mark_opens_the_rules_and_a_vain_search_says_what_to_try(tmp_path: Path) -> None:
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **DESKTOP)
        await sight.page.keyboard.press("?")
        await sight.page.locator("dialog.rules details").first.wait_for()
        assert "1 to 9 choose" in await sight.page.inner_text("dialog.rules .keys")
        await sight.fill("dialog.rules input", "zzqqx")
        assert "such as ship" in await sight.page.inner_text("dialog.rules [role=status]")


@pytest.mark.long
async def test_words_about_waiting_are_true(tmp_path: Path) -> None:
    """Bots are not waited for while a person is to decide, or while the match is paused."""
    async with serving_games(tmp_path, seed=1) as app, browser() as chromium:
        sight = await sitting(chromium, app, **DESKTOP)
        assert (
            "Before your turn" in await sight.page.inner_text(".owed") or not await sight.page.locator(".since").count()
        )
        show = "(conquest.decide.show(Object.create(conquest.match.position(), {{owing: {{value: 1}}}})), {})"
        hasten = "conquest.decide.hasten.hidden"
        assert not await sight.ask(show.format(hasten))
        assert await sight.ask(f"(conquest.match.table.seats[1].kind = 1, {show.format(hasten)})")
        paused = "(conquest.match.clock = {seats: [], clocks: [], left: 0, ...conquest.match.clock, paused: true})"
        said = show.format("conquest.decide.waits.textContent")
        await sight.ask("conquest.decide.deciding.stop()")
        assert "paused" in await sight.ask(f"({paused}, {said})")
