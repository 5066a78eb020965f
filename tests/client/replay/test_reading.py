"""Single pass over a film: it finds the numbers of every position, and nothing that was undone."""

import random
from collections import Counter

import pytest

from client.drawing.charts import Curve, Stop, eras, parted, rounds, shorter, spread, ticks
from client.games.registry import guide
from client.replay.film import AnyFilm, film_of_log
from client.replay.film_analysis import AGREED, MatchStatistics, Reading, read
from client.replay.film_match import FilmMatch
from client.replay.game_replay import HighlightKind
from client.replay.luck import mean
from client.table.event_text import event_line
from shared.rulesets.registry import ruleset
from shared.vocabulary.events import BattleBegan, DiceFell
from tests.client.replay.films import GAMES, entries_of, film_of, longest, recorded
from tests.client.replay.test_film import going_back


def report_of(film: AnyFilm) -> MatchStatistics:
    game = guide(film.rules.id)
    *_, whole = read(film, game.film, lambda event: event_line(event, str, game.tell))
    return whole


@pytest.fixture(scope="module", params=GAMES)
def pair(request: pytest.FixtureRequest) -> tuple[AnyFilm, MatchStatistics]:
    """A film, and what was read of it."""
    film = film_of(longest(request.param))
    return film, report_of(film)


def test_curves_have_the_values_of_the_positions(pair: tuple[AnyFilm, MatchStatistics]) -> None:
    film, report = pair
    measures = guide(film.rules.id).film.measures
    rng = random.Random(3)
    for n in (film.first, film.last, *rng.choices(range(film.last), k=60)):
        view = film.view(n, None)
        for measure, series in zip(measures, report.series, strict=True):
            curves = [Curve(seat, "", points) for seat, points in enumerate(series)]
            assert [curve.at(n) for curve in curves] == [measure.value(view, seat) for seat in range(film.seats)]


def test_a_match_with_known_numbers() -> None:
    film = film_of(longest("cote2"))
    report = report_of(film)
    points = [125, 185, 120, 190, 130, 140]
    assert [series[-1][1] for series in report.series[0]] == points
    earned: Counter[int] = Counter()
    for one in report.earned:
        earned[one.income.seat] += one.income.amount
    assert [earned[seat] for seat in range(6)] == points
    kinds = Counter(mark.kind for mark in report.marks)
    assert kinds[HighlightKind.AUCTION] == 12
    assert kinds[HighlightKind.SCORE] == 3
    assert kinds[HighlightKind.BATTLE] == len(report.battles) == 20
    livia = report.account(0)
    assert (livia.rolls, livia.dice, livia.hits) == (7, 19, 7)
    assert livia.expected == pytest.approx(5.728, abs=0.001)


def test_every_roll_is_in_its_battle(pair: tuple[AnyFilm, MatchStatistics]) -> None:
    film, report = pair
    events = [(n, event) for n in range(film.last + 1) for event in film.told(n, None)]
    fell = [(n, event.seat, event.hits) for n, event in events if isinstance(event, DiceFell)]
    rolls = [roll for battle in report.battles for roll in battle.rolls]
    assert [(roll.version, roll.seat, roll.hits) for roll in rolls] == fell
    begun = [(n, event.space) for n, event in events if isinstance(event, BattleBegan)]
    assert [(battle.version, battle.space) for battle in report.battles] == begun
    assert all(sum(roll.chances) == pytest.approx(1) and mean(roll.chances) > 0 for roll in rolls)
    assert all(roll.seat in (battle.attacker, battle.defender) for battle in report.battles for roll in battle.rolls)


def test_marks_are_told_in_their_order(pair: tuple[AnyFilm, MatchStatistics]) -> None:
    film, report = pair
    versions = [mark.version for mark in report.marks]
    assert versions == sorted(versions)
    assert all(mark.words for mark in report.marks)
    heading = guide(film.rules.id).film.heading
    rounds = [mark for mark in report.marks if mark.kind is HighlightKind.ROUND]
    assert [heading(film.view(mark.version, None)) for mark in rounds] == [mark.words for mark in rounds]


def test_undone_steps_do_not_count() -> None:
    entries = going_back("classic")
    rules = ruleset("classic")
    back = next(n for n, entry in enumerate(entries, 1) if entry.deed)
    whole = report_of(film_of_log(rules, 3, {}, entries))
    again = report_of(film_of_log(rules, 3, {}, [*entries_of(recorded("classic", "3-seats"))[:60]]))
    # What follows the first step back up to the second is played a second time, and the second takes that back.
    after = [one for one in whole.earned if one.version < back]
    assert after == again.earned
    assert [battle.version for battle in whole.battles if battle.version < back] == [b.version for b in again.battles]


def test_an_end_that_was_agreed_is_a_mark() -> None:
    entries = going_back("classic")
    film = film_of_log(ruleset("classic"), 3, {}, entries)
    last = report_of(film).marks[-1]
    assert (last.version, last.kind, last.words) == (film.last, HighlightKind.END, AGREED)
    screening = FilmMatch(film, [])
    screening.leap(film.last)
    assert screening.finished and not screening.owed()
    screening.leap(film.last - 1)
    assert not screening.finished and screening.owed()


def test_it_is_read_in_a_thread_and_can_be_stopped() -> None:
    film, game = film_of(longest("classic")), guide("classic")
    reading = Reading(film, game.film, lambda event: event_line(event, str, game.tell))
    reading.wait()
    assert reading.done and not reading.trouble
    assert reading.report.marks == report_of(film).marks
    stopped = Reading(film, game.film, lambda event: event_line(event, str, game.tell))
    stopped.stop()
    broken = film_of_log(ruleset("classic"), 4, {}, [*entries_of(recorded("classic"))[:9], *entries_of(
        recorded("classic", "3-seats"))[9:40]])  # fmt: skip
    troubled = Reading(broken, game.film, lambda event: event_line(event, str, game.tell))
    troubled.wait()
    assert troubled.done and "cannot be followed" in troubled.trouble


@pytest.mark.parametrize(
    ("low", "high", "expected"),
    [
        (0, 1, [0, 1]),
        (0, 5, [0, 1, 2, 3, 4, 5]),
        (0, 190, [0, 50, 100, 150, 200]),
        (-20, 205, [-50, 0, 50, 100, 150, 200, 250]),
        (0, 760, [0, 200, 400, 600, 800]),
    ],
)
def test_round_numbers_stand_at_axes(low: int, high: int, expected: list[int]) -> None:
    assert ticks(low, high) == expected


def test_a_season_is_not_called_like_a_round() -> None:
    plain = [Stop(0, "Setting up"), Stop(3, "Round 1"), Stop(9, "Round 12")]
    assert not parted(plain) and rounds(plain) == plain
    assert shorter("Round 12", [stop.words for stop in plain]) == ("Round 12", "12")
    told = ["Season 1", "Season 1 · Round 1", "Season 1 · Round 2", "Season 2", "Season 2 · Round 1"]
    seasons = [Stop(10 * n, words) for n, words in enumerate(told)]
    assert parted(seasons)
    assert eras(seasons) == [Stop(0, "Season 1"), Stop(30, "Season 2")]
    assert [stop.words for stop in rounds(seasons)] == ["", "Round 1", "Round 2", "", "Round 1"]
    assert shorter("Season 1 · Round 2", told) == ("Season 1 · Round 2", "2")
    assert shorter("Season 2", told) == ("Season 2",)


def test_names_at_the_ends_do_not_cover_each_other() -> None:
    assert spread([90, 50, 10], 20, 0, 100) == [90, 50, 10]
    assert spread([50, 49, 48], 20, 0, 100) == [50, 30, 10]
    assert spread([5, 4, 3], 20, 0, 100) == [40, 20, 0]
    assert spread([], 20, 0, 100) == []
