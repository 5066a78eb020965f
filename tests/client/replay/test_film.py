"""A film shows at every version what a server sent then, to everybody; and any version from anywhere."""

import random

import msgspec
import pytest

from client.replay.film import AnyFilm, Audience, BadFilm, film_of_frames, film_of_log
from client.replay.film_match import FilmMatch
from protocol import codec, delta
from shared.history import Course, Deed, Entry
from shared.rulesets.registry import ruleset
from tests.client.replay.films import GAMES, entries_of, film_of, live, longest, recorded

LENGTH = 160


def digest(film: AnyFilm, n: int, audience: Audience) -> int:
    return delta.digest(codec.encode(film.view(n, audience)))


def of_seat(audience: int, seats: int) -> Audience:
    """Return the audience with the server's number."""
    return audience if audience < seats else None


@pytest.mark.parametrize("game", GAMES)
def test_every_audience_sees_what_it_was_sent(game: str) -> None:
    played = live(game, 3, LENGTH)
    film = film_of_log(ruleset(game), 3, {}, played.entries)
    assert film.last == len(played.entries) >= LENGTH
    assert {entry.deed for entry in played.entries} == {Deed.PLAY, Deed.BACK, Deed.TIME}
    assert {entry.seat >= 0 for entry in played.entries if entry.deed is Deed.BACK} == {True, False}
    for audience, digests in enumerate(played.digests):
        seat = of_seat(audience, 3)
        assert [digest(film, n, seat) for n in range(film.last + 1)] == digests
        told = [[codec.encode(event) for event in film.told(n, seat)] for n in range(1, film.last + 1)]
        assert told == [[bytes(event) for event in frame.events] for frame in played.frames[audience]]


@pytest.mark.parametrize("game", GAMES)
def test_recorded_traffic_is_a_film_too(game: str) -> None:
    played = live(game, 3, LENGTH)
    for audience, digests in enumerate(played.digests):
        seat = of_seat(audience, 3)
        film = film_of_frames(ruleset(game), seat, played.begin[audience], played.frames[audience])
        assert film.audiences == (seat,)
        assert film.seats == 3
        moments = list(film.walk(seat))
        assert [delta.digest(codec.encode(moment.view)) for moment in moments] == digests
        whole = film_of_log(ruleset(game), 3, {}, played.entries)
        assert [moment.events for moment in moments] == [moment.events for moment in whole.walk(seat)]
        assert [film.back(n) for n in range(film.last + 1)] == [whole.back(n) for n in range(film.last + 1)]


@pytest.mark.parametrize("game", GAMES)
def test_from_anywhere_to_anywhere_is_the_same_as_walking(game: str) -> None:
    recording = longest(game)
    film, walked = film_of(recording), film_of(recording)
    seen = [codec.encode(moment.view) for moment in walked.walk(0)]
    rng = random.Random(5)
    for n in (film.last, 0, *rng.choices(range(film.last + 1), k=80)):
        assert codec.encode(film.view(n, 0)) == seen[n]
    assert film.told(film.last // 2, 0) == walked.told(film.last // 2, 0)


def going_back(game: str) -> list[Entry]:
    """A match that goes back twice, once to what was reached by going back, and is then agreed to be over."""
    log = entries_of(recorded(game, "3-seats"))
    first, again = log[:90], log[60:75]
    back = [Entry(91, 0, 0, 0, b"", Deed.BACK, 60)]
    entries = [*first, *back, *again]
    entries.append(Entry(len(entries) + 1, 0, 0, 0, b"", Deed.BACK, 91))
    entries += log[60:70]
    entries.append(Entry(0, 0, 0, 0, b"", Deed.END))
    return [msgspec.structs.replace(entry, n=n) for n, entry in enumerate(entries, 1)]


@pytest.mark.parametrize("game", GAMES)
def test_a_film_goes_back_where_the_match_did(game: str) -> None:
    rules, entries = ruleset(game), going_back(game)
    course = Course(rules, 3, {})
    truth = [course.state, *[passed.state for passed in course.follow(entries)]]
    film = film_of_log(rules, 3, {}, entries)
    rng = random.Random(9)
    order = list(range(len(truth)))
    rng.shuffle(order)
    for n in order:
        for audience in film.audiences:
            assert film.view(n, audience) == rules.view(truth[n], audience)


def test_playback_does_not_stop_at_unchanged_positions() -> None:
    played = live("classic", 3, LENGTH)
    idle = {n for n, entry in enumerate(played.entries, 1) if entry.deed is Deed.TIME}
    whole = film_of_log(ruleset("classic"), 3, {}, played.entries)
    own = film_of_frames(ruleset("classic"), 1, played.begin[1], played.frames[1])
    for film in (whole, own):
        assert idle and not any(film.settled(n) for n in idle)
        screening = FilmMatch(film, [])
        stops = []
        while screening.version < film.last:
            screening.leap(screening.turn(1))
            stops.append(screening.version)
        assert not idle & set(stops)
        assert stops == [n for n in range(1, film.last + 1) if film.settled(n) or n == film.last]


def test_invalid_films_are_refused_in_words() -> None:
    rules, entries = ruleset("classic"), entries_of(recorded("classic"))
    with pytest.raises(BadFilm, match="gap"):
        film_of_log(rules, 4, {}, entries[1:])
    wrong = [*entries[:40], msgspec.structs.replace(entries[40], action=b"\x93\x01\x02\x03"), *entries[41:]]
    with pytest.raises(BadFilm, match="Decision 41"):
        film_of_log(rules, 4, {}, wrong).view(60, None)
    ahead = [*entries[:5], Entry(6, 0, 0, 0, b"", Deed.BACK, 9)]
    with pytest.raises(BadFilm, match="Decision 6"):
        film_of_log(rules, 4, {}, ahead).view(6, None)
    played = live("classic", 3, LENGTH)
    frames = played.frames[0]
    with pytest.raises(BadFilm, match="gap"):
        film_of_frames(rules, 0, played.begin[0], frames[1:])
    forged = [*frames[:9], msgspec.structs.replace(frames[9], digest=frames[9].digest ^ 1)]
    with pytest.raises(BadFilm, match="Version 10"):
        film_of_frames(rules, 0, played.begin[0], forged).view(10, 0)


def test_no_seat_decides_while_chance_owes() -> None:
    film = film_of(recorded("classic"))
    chance = {n for n, (seat, _) in enumerate(recorded("classic").log) if seat == -1}
    assert chance
    assert {n for n in range(film.last) if not film.settled(n)} == chance
