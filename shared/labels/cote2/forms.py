"""Forms for the actions of Conquest II that are too many for a list."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from shared.ids import NONE, Seat
from shared.kernel.frames import Action
from shared.labels.cote2 import frame_forms, turn_forms
from shared.labels.cote2.fields import tag_of
from shared.labels.description import Filter, Form
from shared.rulesets.cote2 import actions as a
from shared.rulesets.cote2.extreme_actions import extreme_actions
from shared.rulesets.cote2.frames import Turn
from shared.rulesets.cote2.table import Table


def forms(view: Table, seat: Seat, wanted: Filter) -> list[Form]:
    """Return a form for each kind of action within the filter that the options of the frame do not exhaust.

    `seat` owes the frame. Cards that are obtained have no form: options list them all, but for galleys of one zone,
    which are equal.
    """
    frame = view.frames[-1]
    kinds = dict.fromkeys(type(action) for action in extreme_actions(view, seat))
    if isinstance(frame, Turn) and not frame.left:
        kinds = {a.Use: None}
    made = [
        _FORMS[kind](view, frame, seat, wanted)
        for kind in kinds
        if kind in _FORMS and wanted.kind in (NONE, tag_of(kind))
    ]
    return [each for each in made if each is not None]


_FORMS: Final[Mapping[type[Action], Callable[[Table, Any, Seat, Filter], Form | None]]] = {
    a.Bid: frame_forms.bid_form,
    a.Deploy: frame_forms.deploy_form,
    a.Campaign: turn_forms.campaign_form,
    a.Incite: turn_forms.incite_form,
    a.Recruit: turn_forms.recruit_form,
    a.Influence: turn_forms.influence_form,
    a.Move: turn_forms.move_form,
    a.Sail: turn_forms.sail_form,
    a.Use: turn_forms.use_form,
    a.Commit: frame_forms.commit_form,
    a.Lend: frame_forms.lend_form,
    a.Lose: frame_forms.lose_form,
    a.Show: frame_forms.show_form,
}
