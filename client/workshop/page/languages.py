"""Texts of the page in every language, from the lists in `client/language`."""

from pathlib import Path

from babel import Locale, UnknownLocaleError

from client.language import ENGLISH, languages, tongue
from client.workshop.translations.finding import Text, marked, page_texts, sources
from protocol import refusal_text
from shared.actions.registry import ACTIONS
from shared.language.catalogue import Catalogue
from shared.language.sentence import AND, CONTEXT, PLURAL, gaps
from shared.lessons.registry import ABOUT, PROBLEMS, SECOND
from shared.rulesets.cote2.data import CARDS
from shared.rulesets.registry import RULESETS

_LESSONS = "lessons"
"""Folder of the program and texts that the page loads when a lesson is opened."""
_TYPED = ("grammar", "typed", "name_lookup")
"""Modules of typed commands, which the page does not have."""


def asked(folder: Path) -> list[str]:
    """Return the keys of all texts of the page's program, and of the sentences that servers send to it."""
    # Words for units and places stand with the mechanics.
    places = ("shared/sentences", "shared/actions", "shared/mechanics")
    modules = [path for place in places for path in sources(place) if path.stem not in _TYPED]
    sentences = (text for path in modules for text in marked(path))
    phrases = {phrase.means.key for game in ACTIONS.values() for phrase in game.grammar.phrases}
    own = page_texts(folder, without=_LESSONS)
    found = dict.fromkeys(key for text in (*own, *sentences) if (key := _key(text)) not in phrases)
    gains = [card.text.partition(". ")[2] for card in CARDS if card.key.startswith("senate_")]
    return [*found, AND, *(card.text for card in CARDS), *gains]


def _description_texts() -> list[str]:
    """Return the texts with which a server describes its rule sets. Titles and some values are names."""
    options = [option for rules in RULESETS.values() for option in rules.options]
    texts = [text for option in options for text in (option.label, option.help, *option.labels)]
    return list(dict.fromkeys([*(rules.suits for rules in RULESETS.values()), *texts]))


def _key(text: Text) -> str:
    """Return the key of a text: a context before, a plural after, as in gettext."""
    words = f"{text.words}{PLURAL}{text.many}" if text.many else text.words
    return f"{text.context}{CONTEXT}{words}" if text.context else words


def data(folder: Path, code: str) -> dict[str, object]:
    """Return the page's data for a language.

    `forms`: of plurals, by Intl's category; `texts`: by key; `refusals`: by the key that the server sends.
    """
    words = tongue(code)
    texts = {key: words.texts[key] for key in (*asked(folder), *_description_texts()) if key in words.texts}
    # Servers say alerts with these texts, and need the rule for plural forms as the lists have it.
    rule = [line for line in words.texts.get("", "").splitlines() if line.startswith("Plural-Forms")]
    texts = {"": "\n".join(rule), **texts}
    return {"name": languages()[code], "forms": _forms(code, words), "texts": texts, "refusals": _refusals(words)}


def lessons(folder: Path, code: str) -> dict[str, str]:
    """Return the texts of lessons and problems that the page has not already, by key."""
    known, words = {*asked(folder), *_description_texts()}, tongue(code)
    said = [text for path in sources("shared/lessons") for text in marked(path)]
    keys = map(_key, [*said, *page_texts(folder / _LESSONS)])
    return {key: words.texts[key] for key in dict.fromkeys(keys) if key in words.texts and key not in known}


def lesson_list() -> dict[str, list[tuple[str, ...]]]:
    """Return key, rule set, title and contents of the lessons and problems, in the order in which they are learnt."""
    kinds = [key for first, second in SECOND.items() for key in (first, second)]
    ruleset = {second: first for first, second in SECOND.items()}
    return {
        "lessons": [(key, ruleset.get(key, key), *map(str, ABOUT[key])) for key in kinds],
        "problems": [(problem.key, problem.ruleset, str(problem.title)) for problem in PROBLEMS],
    }


def _refusals(words: Catalogue) -> dict[str, str]:
    """Return the sentences of refusals; `{0}` stands for the first value that the server sends."""
    sources = {refusal_text.lettered(text): text for text in words.texts}
    found = {}
    for key, lettered in refusal_text.words().items():
        source = sources.get(lettered, lettered)
        translation = words.texts.get(source, "")
        for place, gap in enumerate(gaps(source)):
            translation = translation.replace(f"{{{gap}}}", f"{{{place}}}")
        if translation:
            found[key] = translation
    return found


def _forms(code: str, words: Catalogue) -> dict[str, int]:
    """Return the number of the plural form for each category of `Intl.PluralRules`. The lists count forms, Intl names
    them."""
    try:
        locale = Locale.parse(code)
    except (UnknownLocaleError, ValueError):
        return {"one": words.form(1), "other": words.form(0)}
    # Backwards, so that the smallest number of each category counts.
    return {str(locale.plural_form(n)): words.form(n) for n in reversed(range(200))}


def others() -> list[str]:
    """Return the codes of all languages but that of the source texts."""
    return [code for code in languages() if code != ENGLISH]
