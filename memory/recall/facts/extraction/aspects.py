"""What answers can be like: their aspects, each with its values, in four languages.

How they are ordered is in `wishes`; here is only what is named, and how a model is told of it.
"""

import re

from memory.recall.facts.extraction.statements import careless

# Each aspect of answers by its values; the first that is found counts.
ASPECTS: dict[str, dict[str, str]] = {
    "format": {
        "bullets": r"bullet(?:ed|s)?(?:[ -]?(?:points?|lists?|pts))?|viñetas|puntos|dashes"
        r"|stichpunkten?|stichworten?|aufzählung(?:en)?|aufzählungszeichen|spiegelstrichen?"
        r"|(?:listes? à )?puces|tirets",
        "numbers": r"number(?:ed)? (?:lists?|points|steps)|listas? numeradas?"
        "|nummerierte[nr]? listen?|listes? numérotées?",
        "table": r"tables?|tablas?|tabellen?|tabellarisch|tableaux?",
        "list": r"lists?|listas?|listen?|listes?",
        "prose": r"prose|paragraphs?|full sentences|complete sentences|plain text|párrafos|prosa"
        "|frases completas|fließtext|ganzen? sätzen?|phrases complètes|paragraphes?|texte continu",
    },
    "length": {
        "short": (
            r"short(?:er)?|brief(?:ly)?|concise(?:ly)?|to the point|(?:in )?(?:one|a single|1|two"
            r"|2|a few) (?:short )?(?:sentences?|lines?)|kurz(?:e[nr]?)?|kürzere?|knapp(?:e[nr]?)?"
            r"|brevemente|forma breve|breves?|cort[oa]s?|una frase"
            r"|brièvement|brèves?|bref|concis(?:e?s?)?|(?:réponses? (?:plus )?|plus )courte?s?"
            "|une (?:seule )?phrase"
        ),
        "long": "(?:more )?detail(?:ed|s)?|in depth|thorough(?:ly)?|long(?:er)?"
        "|detallad[oa]s?|detalle|larg[oa]s?"
        r"|ausführlich(?:e[nr]?)?|länger(?:e[nr]?)?|lange[nr]?"
        "|détaillée?s?|détails?|longues?|approfondie?s?",
    },
    "language": {
        "en": r"english|inglés|englisch|anglais",
        "es": r"spanish|español|castellano|spanisch|espagnol",
        "de": r"german|alemán|deutsch|allemand",
        "fr": r"french|francés|französisch|français",
        "it": r"italian|italiano|italienisch|italien",
        "pt": r"portuguese|portugués|portugiesisch|portugais",
        "nl": r"dutch|niederländisch|néerlandais|neerlandés",
        "pl": r"polish|polnisch|polonais|polaco",
    },
    "tone": {
        "simple": "simple (?:words|terms|language)|plain (?:english|language|words)"
        r"|simply|jargon|(?:like|as if|as though) i(?:'?m| am| was| were) (?:five|5|a child|a kid)"
        "|eli5|(?:layman|layperson)'?s terms|palabras sencillas|lenguaje sencillo"
        "|como a un niño|einfache[nr]? (?:worte|wörter|sprache)n?|wie (?:für )?(?:einem|ein) kind"
        "|mots simples|langage simple|comme à un enfant",
        "informal": r"informal(?:ly)?|casual(?:ly)?|locker(?:er)?|familier|décontractée?",
        "formal": r"formal(?:ly)?|förmlich(?:er)?|formelle?|soutenue?",
    },
    "units": {
        "metric": r"metric(?: units| system)?|metrische[nr]? (?:einheiten|system)"
        "|unidades métricas|sistema métrico|unités métriques|système métrique",
        "imperial": r"imperial(?: units| system)?|us units|imperiale[nr]? einheiten"
        "|unidades imperiales|unités impériales",
    },
    "spelling": {
        "british": r"(?:british|uk) (?:spelling|english)",
        "american": r"(?:american|us) (?:spelling|english)",
    },
}
# How each is said to a language model, which knows a canonical wording best.
WORDED = {
    ("format", "bullets"): "Write the answer as bullet points.",
    ("format", "numbers"): "Write the answer as a numbered list.",
    ("format", "table"): "Put what can be compared in a table.",
    ("format", "list"): "Write the answer as a list.",
    ("format", "prose"): "Write in plain sentences, without lists.",
    ("length", "short"): "Keep the answer short.",
    ("length", "long"): "Answer in detail.",
    ("tone", "simple"): "Use simple words, without jargon.",
    ("tone", "formal"): "Write formally.",
    ("tone", "informal"): "Write informally.",
    ("units", "metric"): "Use metric units.",
    ("units", "imperial"): "Use imperial units.",
    ("spelling", "british"): "Use British spelling.",
    ("spelling", "american"): "Use American spelling.",
}
NAMED = "(?:" + "|".join(said for values in ASPECTS.values() for said in values.values()) + ")"
_PATTERNS = {
    name: {
        value: re.compile(careless(rf"\b(?:{said})\b"), re.IGNORECASE)
        for value, said in values.items()
    }
    for name, values in ASPECTS.items()
}
# "Plain English" and "British English" name how it is written, not the language.
_NO_LANGUAGE = re.compile(r"\b(?:plain|british|american|uk|us) english\b", re.IGNORECASE)


def aspects_in(said: str) -> list[tuple[str, str]]:
    """Return the aspects of answers that are named, each with its first value."""
    found = []
    for aspect, values in _PATTERNS.items():
        value = next((value for value, pattern in values.items() if pattern.search(said)), "")
        if value and not (aspect == "language" and _NO_LANGUAGE.search(said)):
            found.append((aspect, value))
    return found


def without_aspects(said: str) -> str:
    """Return what is said without the words that name aspects."""
    for values in _PATTERNS.values():
        for pattern in values.values():
            said = pattern.sub(" ", said)
    return said
