"""The language that an answer should have, and a check that it is in no other."""

import re
from collections.abc import Collection, Sequence

from chat.contract.declining import WORDINGS
from citations.languages import SCRIPTS, WORD, get_common_words, identify_language

# Shorter answers pass in any language: names, figures, a term.
FEWEST_LETTERS, FEWEST_WORDS = 60, 10
LOOKED_AT = 4_000
# Least ratio of common words of the found language to those of the wanted one.
CLEARLY = 2.5
NAMES: dict[str, str] = WORDINGS["languages"]
CODES = {name.lower(): code for code, names in NAMES.items() for name in names.split()}
NAME = re.compile(rf"\b(?:{'|'.join(map(re.escape, CODES))})\b", re.IGNORECASE)
# "Answer in German", "antworte auf Deutsch": a request, not just the name of a language.
WISH = re.compile(
    r"\b(?:answer|reply|respond|write|explain|translate|summari[sz]e|say it|tell me|antwort|"
    r"schreib|erklär|übersetz|respond|contest|escrib|explic|traduc|traduz|répond|écri|expli|tradui|rispond|"
    r"scriv|spieg|antwoord|ответ)\w*\b[^.!?\n]{0,60}?"
    rf"\b(?:in|into|to|auf|ins|en|al|em|para|på|по|на) (?:\w+ )?({NAME.pattern})",
    re.IGNORECASE,
)
# Quotations, which are in the language of their document.
QUOTED = re.compile(
    r"```.*?(?:```|\Z)|^>[^\n]*$|`[^`\n]*`|[\"“„«][^\"”“»\n]{3,400}[\"”“»]",
    re.DOTALL | re.MULTILINE,
)
# Languages with a script of their own, and groups that share a script.
SCRIPTED = frozenset([*dict(SCRIPTS), "uk", "fa"])
ALIKE = ({"zh", "ja"}, {"ru", "uk"}, {"ar", "fa"})
# Stands for the language of a question in Latin letters that can't be identified.
LATIN = "latin"


def find_wanted_languages(query: str, before: Sequence[str] = ()) -> tuple[str, ...]:
    """Return the accepted languages of an answer: the requested one, or else the question's.

    Languages that this question or an earlier one merely names are accepted too. Empty if the
    question is too short to identify its language.
    """
    if wish := WISH.search(query):
        return (CODES[wish[1].lower()],)
    letters = [letter for letter in query if letter.isalpha()]
    is_latin = len(letters) >= 3 and all(letter < "\u0250" for letter in letters)
    own = identify_language(query) or (LATIN if is_latin else "")
    named = [CODES[name.lower()] for text in (query, *before) for name in NAME.findall(text)]
    return tuple(dict.fromkeys([own, *named])) if own else ()


def is_other_language(said: str, wanted: Collection[str]) -> bool:
    """Return whether the text is long enough to tell, and clearly in none of the languages."""
    own_words = QUOTED.sub(" ", said[:LOOKED_AT])
    if not wanted or sum(map(str.isalpha, own_words)) < FEWEST_LETTERS:
        return False
    spoken = identify_language(own_words)
    if not spoken or spoken in wanted:
        return False
    if spoken in SCRIPTED or SCRIPTED.intersection(wanted):
        return not any({spoken, code} <= family for family in ALIKE for code in wanted)
    if LATIN in wanted:
        return False
    found = [word.lower() for word in WORD.findall(own_words)]
    if len(found) < FEWEST_WORDS:
        return False
    theirs = sum(word in get_common_words(spoken) for word in found)
    return all(
        theirs > CLEARLY * sum(word in get_common_words(code) for word in found) for code in wanted
    )
