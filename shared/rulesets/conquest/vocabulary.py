"""Actions, events and frames that both games have; each game adds its own to these unions."""

from typing import TypeAlias

from shared.kernel.frames import Dice, Draw, Drawn, Rolled
from shared.vocabulary import actions as a
from shared.vocabulary import events as e
from shared.vocabulary import frames as f

CommonAction: TypeAlias = (
    Rolled | Drawn | a.ChooseHome | a.Sail | a.EndMovement | a.Fight | a.Stand | a.Retreat | a.Judge | a.Raze
    | a.EndDestruction | a.PlaceGalley | a.PlaceCity | a.PlaceFortification | a.PlaceRoad | a.Offer | a.Answer
    | a.EndTurn | a.Concede | a.Resign
)  # fmt: skip
CommonEvent: TypeAlias = (
    e.HomesSet | e.TurnBegan | e.Marched | e.Sailed | e.BattleBegan | e.DiceFell | e.Fell | e.Sank | e.Retreated
    | e.BattleEnded | e.Conquered | e.Captured | e.Killed | e.Freed | e.Eliminated | e.Tribute | e.Razed | e.Bought
    | e.Placed | e.InflationTriggered | e.PricesRose | e.Offered | e.Answered | e.Conceded | e.Won
)  # fmt: skip
CommonFrame: TypeAlias = (
    Dice | Draw | f.Setup | f.HomeChoice | f.Turn | f.Movement | f.Onward | f.Captives | f.Destruction | f.Purchase
    | f.Bargain
)  # fmt: skip
