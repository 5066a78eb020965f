"""The games of Conquest of the Empire as a library: rules, chance, views, players, records, odds and pictures.

>>> import conquest
>>> game = conquest.new("classic", seats=3, seed=7)
>>> str(next(iter(game.legal())))
'end movement'

Semantic versions (`__version__`) cover the names of `__all__` and their public members. All other modules of this
distribution may change at any time.
"""

from conquest.actions import Action, Command, Legal, kinds, meanings, parse
from conquest.battles import Battle, odds
from conquest.errors import IllegalAction, Misread
from conquest.game import CHANCE, GAMES, Game, Place, new
from conquest.learning import env, gym_env, vector_env
from conquest.map import MAP, Space
from conquest.pictures import svg
from conquest.players import Player, player
from conquest.records import Record, read, verify
from conquest.views import Leader, Ship, View
from protocol.audit import Verdict

__version__ = "1.3.0"
__all__ = [
    "CHANCE",
    "GAMES",
    "MAP",
    "Action",
    "Battle",
    "Command",
    "Game",
    "IllegalAction",
    "Leader",
    "Legal",
    "Misread",
    "Place",
    "Player",
    "Record",
    "Ship",
    "Space",
    "Verdict",
    "View",
    "env",
    "gym_env",
    "kinds",
    "meanings",
    "new",
    "odds",
    "parse",
    "player",
    "read",
    "svg",
    "vector_env",
    "verify",
]
