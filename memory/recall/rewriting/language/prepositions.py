"""Prepositions in English, German, Spanish and French, and what follows them in a question."""

import re

from memory.recall.rewriting.language.languages import SMALL_WORDS, language_of
from memory.text.words import terms

# Those that take each other's place: "and after the update?" of what happens before it.
OPPOSED = (
    r"before|after|during|since|until|till",
    r"with|without",
    r"over|under|above|below",
    r"vor|nach|während|seit|bis",
    r"mit|ohne",
    r"über|unter",
    r"antes de|después de|despues de|durante|desde|hasta",
    r"con|sin",
    r"avant|après|pendant|depuis",
    r"avec|sans",
)
PREPOSITIONS = (
    r"in|of|for|on|at|from|by|en|de|para|por|según|für|bei|im|am|beim|vom|zum|zur|ab|auf|von"
    rf"|gegen|pour|par|dans|chez|sur|sous|au|aux|{'|'.join(OPPOSED)}"
)

# Verbs that what followed one ends before, and such as end a question: "an amulet of faith *do*".
_VERBS = {
    "en": "is|are|was|were|does|did|has|have",
    "de": "ist|sind|war|waren|hat|haben|wird|werden|kann|können",
    "fr": "est|sont|était|a|ont|peut|peuvent|et|ou",
    "es": "es|son|era|tiene|tienen|hay|puede|pueden|y|o",
}
_LAST = "do|mean|cost|work|weigh|stand for|look like|kosten|haben|wiegen"

# What time of the day or week it is, with whatever stands before it: "y de noche" takes the place
# of "por la mañana".
_TIME = re.compile(
    r"\b(?:(?:in|during) the (?:morning|afternoon|evening|night|day|week)"
    r"|at (?:night|noon|midnight|dawn|dusk|(?:the )?weekends?)|by (?:day|night)"
    r"|on (?:weekdays|weekends|(?:mon|tues|wednes|thurs|fri|satur|sun)days?)"
    r"|(?:por|en|de|durante|a) (?:la |el )?(?:mañana|tarde|noche|día|madrugada|mediodía)"
    r"|(?:am|in der|bei) (?:morgen|vormittag|mittag|nachmittag|abend|nacht|tage?|wochenende)"
    r"|(?:de|du|pendant|dans|à) (?:la |le |l['’])?(?:matin|midi|après-midi|soir|nuit|jour))\b",
    re.IGNORECASE,
)


def with_another(asked: str, preposition: str, thing: str) -> str:
    """Return the question with what followed the preposition, or one that is opposed to it,
    replaced, or the phrase behind it.
    """
    times = list(_TIME.finditer(asked)) if _TIME.fullmatch(f"{preposition} {thing}") else []
    if times:
        return f"{asked[: times[-1].start()]}{preposition} {thing}{asked[times[-1].end() :]}"
    own = set(terms(thing)) - SMALL_WORDS[language_of(asked)]
    places = _after(preposition, asked)
    if not places and (opposed := _opposed(preposition, asked)):
        return f"{asked[: opposed.start()]}{preposition} {thing}{asked[opposed.end(1) :]}"
    anywhere = [place for place in _after(PREPOSITIONS, asked) if own & set(terms(place.group(1)))]
    if not places and not anywhere:
        return f"{asked} {preposition} {thing}"
    alike = [place for place in places if own & set(terms(place.group(1)))]
    place = (alike or places or anywhere)[-1]
    return asked[: place.start(1)] + thing + asked[place.end(1) :]


def _opposed(preposition: str, asked: str) -> re.Match[str] | None:
    """Return the last place that follows a preposition which takes the other's place."""
    said = preposition.lower()
    groups = (group for group in OPPOSED if said in group.split("|"))
    return next(reversed([each for group in groups for each in _after(group, asked)]), None)


def _after(preposition: str, asked: str) -> list[re.Match[str]]:
    """Return where something follows the preposition."""
    stop = (
        rf"(?=\s+(?:{PREPOSITIONS}|and|or|to|{_VERBS[language_of(asked)]})\b"
        rf"|\s+(?:{_LAST})\W*$|[,;?]|$)"
    )
    return list(re.finditer(rf"\b(?:{preposition})\s+(.+?){stop}", asked, re.IGNORECASE))
