"""Problems of Conquest II."""

from typing import Any, Final

from shared.board import BOARD
from shared.ids import Seat
from shared.language.sentence import Value, _, ngettext
from shared.lessons.problem import Problem
from shared.mechanics.vote import weight
from shared.odds.cote2 import question
from shared.odds.outcome import ATTACKER
from shared.odds.registry import ODDS
from shared.rulesets.cote2.actions import Attack, Influence, Show
from shared.rulesets.cote2.complete import complete
from shared.rulesets.cote2.data import KEYS
from shared.rulesets.cote2.frames import Vote
from shared.rulesets.cote2.scoring import province_points

_ARMY, _ENEMY, _EGYPT = (BOARD.keys.index(key) for key in ("asia", "achaia", "egyptus"))
_RIVALS_MOST: Final = 6
"""Votes of I, II and III together: each rival began with these, and took no other senator."""


def _in_round(number: int) -> Any:
    return lambda table: table.season == 1 and table.round == number


def _battle(table: Any, _seat: Seat) -> float:
    """Return the chance to win the battle that has begun in Achaia."""
    decision = question(table)
    if decision is None or decision.space != _ENEMY:
        return 0.0
    return ODDS["cote2"].odds(*decision.hosts, decision.naval).wins(ATTACKER)


def _points(table: Any, seat: Seat) -> float:
    """Return the points of a seat for influence, as the season would end now."""
    return float(sum(province_points(table, space)[seat] for space in KEYS))


def _votes_kept(table: Any, seat: Seat) -> float:
    """Return the votes that a seat keeps if its show cannot be beaten; -1 if it can."""
    votes = next((frame for frame in table.frames if isinstance(frame, Vote)), None)
    shown = votes.shown[seat] if votes is not None else (0, 0, 0, 0)
    held = weight(table.senators[seat])
    if votes is None:
        return float(held)
    return float(held - weight(shown)) if weight(shown) >= _RIVALS_MOST else -1.0


def _points_words(worth: float) -> Value:
    return _("You would score {points} points for influence.", points=round(worth))


def _votes_words(worth: float) -> Value:
    if worth < 0:
        return _("Another player can still beat your votes.")
    return ngettext("You win, and keep senators of {n} vote.", "You win, and keep senators of {n} votes.", round(worth))


PROBLEMS: Final = (
    Problem(
        "problem-8",
        "cote2",
        complete,
        _("A general's worth"),
        _("Attack Brutus in Achaia with your two actions, and win. The attack is judged."),
        _("A leader in the battle adds dice. An army can march, and attack in the same turn."),
        _("March from Asia to Achaia with the whole army and its general. Then attack."),
        (Attack,),
        _in_round(1),
        _battle,
        0.85,
        (_ARMY, _ENEMY),
    ),
    Problem(
        "problem-9",
        "cote2",
        complete,
        _("The last token"),
        _("The season ends after this action. Buy influence that scores most for you. The purchase is judged."),
        _("Another token in a province where you already score most brings nothing."),
        _("Buy Brutus's token in Egyptus: none of his units guards it, and you then have the most influence there."),
        (Influence,),
        _in_round(4),
        _points,
        50.0,
        (_EGYPT,),
        words=_points_words,
    ),
    Problem(
        "problem-10",
        "cote2",
        complete,
        _("Just enough"),
        _("Win this vote for certain, and keep as many votes as you can. You have shown I, the others four and five. "
          "Each holds I, II and III. What you show is judged."),
        _("A show must be higher than the last one. Six votes are all that the others have."),
        _("Show II and III: with I they are six votes, and no rival can show more. Your IV stays with you."),
        (Show,),
        _in_round(3),
        _votes_kept,
        4.0,
        piece="senator_2",
        words=_votes_words,
    ),
)  # fmt: skip
"""In the order of the list."""
