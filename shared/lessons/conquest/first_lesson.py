"""The lesson of both conquest games: one whole turn in which a general takes a province and an army attacks another."""

from typing import Any, Final, TypeAlias

from msgspec import Struct

from shared.ids import Space
from shared.kernel.frames import Action
from shared.language.sentence import Value, _
from shared.lessons.conquest import conditions as see
from shared.lessons.lesson import CoachReply, Glance, Lesson, LessonStep, Lit, Says, Sees, happened
from shared.vocabulary.actions import EndDestruction, EndMovement, EndTurn, Fight, PlaceCity, Stand
from shared.vocabulary.events import BattleBegan

US: Final = 0
MOVING, FIGHTING, RAZING, BUYING, PLACING = range(5)
_INFANTRY, _CITY = 0, 4
MARCH: Final = Lit(buttons=(_("March"),))
SAIL: Final = Lit(buttons=(_("Sail"),))
_SEND: Final = _("The panel below shows who goes with him. Now click March.")
_CHANCES: Final = _("Before you decide, the tablet over the board tells your chances. They are good: click March.")
OTHERS: Final = _(
    "Others could march too, but let us see the battle: end your movement. The button asks once more, since there are "
    "units that could still march."
)
END: Final = Lit(buttons=(_("End movement"), _("Really end?"), _("Back")))
WAITS: Final = _("One battle waits. Click Fight!")
WAITS_TAPS: Final = _("One battle waits. Begin it.")
OTHERS_TAPS: Final = _(
    "Others could march too, but let us see the battle: end the movement, and confirm it with the last button."
)
BUYS_TAPS: Final = _("Order what you like; the last button says what it costs, and buys.")
CHOSEN_LOSSES: Final = _("Both sides struck at once. You choose your own losses; infantry is the cheapest.")
FIGHT: Final = Lit(buttons=(_("Fight!"),))
KEEP: Final = _("You may tear down cities of yours before an enemy takes them. None is in danger: keep them.")
KEEP_TODAY: Final = _(
    "A conquered province brings its city to the conqueror. You may tear down yours before that happens. Keep them."
)
KEPT: Final = Lit(buttons=(_("Keep my cities"),))
_GUARD: Final = _("Infantry is the cheapest guard against the next attack. Click it three times.")
CONTENT: Final = _("Click as you like; the button shows what it costs. When you are content, buy.")
BUY: Final = Lit(buttons=(_("Buy for"), _("Buy nothing"), _("Really buy")))

TableGlance: TypeAlias = Glance[Any]


def buying(
    phases: see.Phases, remark: Says[Any], kinds: tuple[type[Action], ...], taps: Value = BUYS_TAPS
) -> LessonStep[Any]:
    """Return the step in which goods are bought by an action of these kinds; `remark` speaks about them."""
    return LessonStep(
        CONTENT,
        BUY,
        lambda glance: see.bought(glance) is not None,
        over=see.after(BUYING, phases),
        remark=remark,
        taps=taps,
        kinds=kinds,
    )


def battles_over(phases: see.Phases) -> Sees[Any]:
    """Return a condition: the phase of battles is over."""
    return see.after(FIGHTING, phases)


class Script(Struct, frozen=True):
    """Contents of a lesson, in the order in which the player meets them.

    round: the round in which it begins. phases: frames of the turn's phases. outpost, empty: where a general stands,
    and the province that it takes. home, enemy: where the army stands, and the province that it attacks.
    marching, purchase, fighting: the actions. strayed, walked: remarks on another march of the general, and the right
    one.
    missed, waited: remarks on an army that went elsewhere, or stayed. judged: a step about captives. Fields that end in
    `taps` are words for the browser page; other fields are the coach's words for a step.
    """

    round: int
    phases: see.Phases
    home: Space
    outpost: Space
    empty: Space
    enemy: Space
    welcome: Value
    empire: Value
    general: Value
    claim: Value
    strayed: Value
    walked: Value
    war: Value
    attack: Value
    missed: Value
    waited: Value
    battle: Says[Any]
    battle_buttons: tuple[Value, ...]
    victory: Value
    city: Value
    saved: Value
    place: Value
    others: Value
    end: Value
    marching: type[Action]
    purchase: type[Action]
    fighting: tuple[type[Action], ...]
    claim_taps: Value
    attack_taps: Value
    battle_taps: Says[Any]
    city_taps: Value
    place_taps: Value
    others_taps: Value
    end_taps: Value
    judged: tuple[LessonStep[Any], ...] = ()

    def after_the_walk(self, glance: TableGlance) -> Value:
        """Return the remark on the general's march."""
        marches = see.marches(glance, self.outpost)
        if not marches:
            return _("You left that general where he was. That is allowed: marching is never a duty.")
        return self.walked if marches[0].to == self.empty else self.strayed

    def attacked(self, glance: TableGlance) -> bool:
        """Whether the army has marched to the enemy."""
        return any(event.to == self.enemy for event in see.marches(glance, self.home))

    def after_the_march(self, glance: TableGlance) -> Value:
        """Return the remark on the army's march."""
        if self.attacked(glance):
            return _("They stop where they meet the enemy; the battle comes once all have moved.")
        return self.waited

    def after_the_battle(self, glance: TableGlance) -> Value:
        """Return the remark on the end of the battle; empty while it goes on."""
        won = see.winner(glance, self.enemy)
        if won is None:
            return ""
        return self.victory if won == US else _("The day is lost, as happens to the best. You go on.")

    def after_the_purchase(self, glance: TableGlance) -> Value:
        """Return the remark on the purchase."""
        order = see.bought(glance)
        if order is None or not order.cost:
            return self.saved
        return _("Bought for {cost} talents. Land units stand in your home already.", cost=order.cost)

    def steps(self) -> tuple[LessonStep[Any], ...]:
        """Return the steps of the lesson."""
        over_moving, over_fighting = see.after(MOVING, self.phases), battles_over(self.phases)
        home, outpost, empty, enemy = (Lit(spaces=(at,)) for at in (self.home, self.outpost, self.empty, self.enemy))
        missed: tuple[CoachReply[Any], ...] = (CoachReply(see.went(self.home, self.enemy), self.missed),)
        to_war = see.aimed(self.home, self.enemy)
        march = (self.marching,)
        return (
            LessonStep(self.welcome),
            LessonStep(self.empire, home),
            LessonStep(self.general, outpost, see.picked(self.outpost)),
            LessonStep(self.claim, empty, see.aimed(self.outpost, self.empty)),
            LessonStep(
                _SEND, MARCH, see.marched(self.outpost), over=over_moving, remark=self.after_the_walk,
                taps=self.claim_taps, kinds=march,
            ),
            LessonStep(self.war, home, see.picked(self.home), replies=missed),
            LessonStep(self.attack, enemy, to_war, replies=missed),
            LessonStep(
                _CHANCES, MARCH, self.attacked, over=over_moving, remark=self.after_the_march, replies=missed,
                taps=self.attack_taps, kinds=march,
            ),
            LessonStep(OTHERS, END, over_moving, taps=OTHERS_TAPS, kinds=(EndMovement,)),
            LessonStep(WAITS, FIGHT, happened(BattleBegan), over=over_fighting, taps=WAITS_TAPS, kinds=(Fight,)),
            LessonStep(
                self.battle, Lit(buttons=self.battle_buttons), see.fought(self.enemy), over=over_fighting,
                remark=self.after_the_battle, taps=self.battle_taps, kinds=(*self.fighting, Stand),
            ),
            *self.judged,
            LessonStep(see.tribute, Lit(pane="roster")),
            LessonStep(KEEP, KEPT, see.after(RAZING, self.phases), kinds=(EndDestruction,)),
            LessonStep(self.city, Lit(piece="city"), see.wants(_CITY, 1)),
            LessonStep(_GUARD, Lit(piece="infantry"), see.wants(_INFANTRY, 3)),
            buying(self.phases, self.after_the_purchase, (self.purchase,), self.city_taps),
            LessonStep(
                self.place, see.site, see.after(PLACING, self.phases), taps=self.place_taps,
                kinds=(PlaceCity, EndTurn),
            ),
            LessonStep(
                self.others, Lit(pane="chronicle"), see.next_turn(self.round), over=see.out, remark=see.fate,
                taps=self.others_taps,
            ),
            LessonStep(self.end, taps=self.end_taps),
        )  # fmt: skip

    def lesson(self) -> Lesson[Any]:
        """Return the lesson."""
        return Lesson(see.begins(US, self.round), self.steps())
