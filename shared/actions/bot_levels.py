"""Words for the levels of bots, the only source of all lists of them: what each is called, and what it is good at."""

from typing import Final

from msgspec import Struct

from shared.language.sentence import Sentence, _
from shared.levels import EASY, EXPERT, HARD, MODERATE, NORMAL


class LevelWords(Struct, frozen=True):
    """Words for a level: without an article, with one, in the plural, and a sentence on what it is good at."""

    name: Sentence
    single: Sentence
    plural: Sentence
    about: Sentence


LEVEL_WORDS: Final = {
    EASY: LevelWords(
        _("easy bot"),
        _("an easy bot"),
        _("easy bots"),
        _("The weakest of five levels: they know the rules, err often, and leave you time to find your way."),
    ),
    MODERATE: LevelWords(
        _("medium bot"),
        _("a medium bot"),
        _("medium bots"),
        _(
            "Between easy and strong: they play sensibly, but take the second-best plan now and then, for your first "
            "serious matches."
        ),
    ),
    NORMAL: LevelWords(
        _("strong bot"),
        _("a strong bot"),
        _("strong bots"),
        _("Between medium and hard: they guard what is theirs, and attack where the odds are good."),
    ),
    HARD: LevelWords(
        _("hard bot"),
        _("a hard bot"),
        _("hard bots"),
        _("Between strong and expert: they play several plans through before each decision, for up to a second."),
    ),
    EXPERT: LevelWords(
        _("expert bot"),
        _("an expert bot"),
        _("expert bots"),
        _(
            "The strongest: they think ten times as long as hard bots, up to ten seconds a decision, for matches by "
            "post."
        ),
    ),
}
"""Words by level, the weakest first."""


def all_levels() -> str:
    """Return all levels with their sentences in English, for the help of commands."""
    return " ".join([f"{words.plural.key.capitalize()}: {words.about.key}" for words in LEVEL_WORDS.values()])
