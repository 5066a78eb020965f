"""Guard of the window's input: what was not drawn long enough in its place, with its meaning, takes no click."""

from arcade import LBWH

from client.input_guard import SETTLED, InputGuard

HERE, BESIDE = LBWH(0, 0, 100, 40), LBWH(20, 0, 100, 40)
AWAY = LBWH(200, 0, 100, 40)


class Watch:
    """A clock that is set by hand, and the guard that reads it."""

    def __init__(self) -> None:
        self.now = 0.0
        self.guard = InputGuard(lambda: self.now)
        self.screen = "table"

    def draw(self, *controls: tuple[str, object], after: float = 0.0) -> None:
        self.guard.draw(self.screen, controls)  # type: ignore[arg-type]
        self.now += after

    def takes(self, meaning: str | None) -> bool:
        return self.guard.settled(self.screen, meaning)


def test_a_control_counts_once_it_has_been_drawn_for_a_while() -> None:
    watch = Watch()
    assert not watch.takes("end") and not watch.takes(None), "nothing was drawn"
    watch.draw(("end", HERE), after=SETTLED / 2)
    assert not watch.takes("end") and watch.takes(None)
    watch.draw(("end", HERE), after=SETTLED / 2)
    assert watch.takes("end") and watch.takes("end"), "as often as the player likes"


def test_another_meaning_place_or_screen_begins_anew() -> None:
    watch = Watch()
    watch.draw(("end", HERE), after=1.0)
    watch.draw(("really end", HERE))
    assert not watch.takes("really end") and not watch.takes("end")
    watch.draw(("end", HERE), after=1.0)
    watch.draw(("end", AWAY))
    assert not watch.takes("end"), "it came under the pointer"
    watch.draw(("end", AWAY), after=1.0)
    watch.screen = "menu"
    assert not watch.takes("end") and not watch.takes(None)
    watch.draw(("end", AWAY))
    assert not watch.takes("end")


def test_a_control_that_moves_a_little_or_by_the_player_stays_known() -> None:
    watch = Watch()
    watch.draw(("more", HERE), after=1.0)
    watch.draw(("more", BESIDE))
    assert watch.takes("more")
    watch.guard.scroll()
    watch.draw(("more", AWAY))
    assert watch.takes("more")
