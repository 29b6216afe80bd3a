"""The product's sentences for "no answer", recognised by their text.

They are needed for turns stored before their outcome was noted, and for histories of clients.
"""

from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from memory.recall.talk.small_talk import PHRASES
from memory.text.citation_markers import strip_markers

NOTHING_FOUND = gettext_noop("The library holds nothing on this question.")
NOTHING_MORE = gettext_noop("The library holds nothing more on this question.")
# The language model's sentence, in the question's language, for documents without an answer.
UNSAID: dict[str, str] = PHRASES["unsaid"]
# The languages of refusals beside English, whatever the language of the pages.
CATALOGS = ("de", "es", "fr")
# The example answer in its prompt; a model that repeats it has given no answer.
EXAMPLE = "The bridge was opened in 1932. [3]"
# Characters that a model may put around it.
AROUND = " \t\n\r.!。।\"'“”‘’«»*_`()>"
# Longest refusal in any language, in characters.
LONGEST = 400


def is_refusal(response: str) -> bool:
    """Return whether the answer is one of the product's own refusals, in any of its languages."""
    return (
        len(response) <= LONGEST
        and _normalise_sentence(strip_markers(response)) in _list_refusals()
    )


def is_nothing_found(response: str) -> bool:
    """Return whether the answer is only a refusal, in any language."""
    return len(response) <= LONGEST and _normalise_sentence(response) in _translate_sentence(
        NOTHING_FOUND
    )


def get_refusal_sentence(language: str) -> str:
    """Return the language model's sentence for documents without an answer."""
    return UNSAID.get(language, UNSAID["en"])


def _normalise_sentence(text: str) -> str:
    """Return the sentence without variations of a model: quotes, full stop, case."""
    return text.strip(AROUND).replace("’", "'").casefold()


@cache
def _list_refusals() -> frozenset[str]:
    own = _translate_sentence(NOTHING_FOUND) | _translate_sentence(NOTHING_MORE)
    return own.union(map(_normalise_sentence, [*UNSAID.values(), strip_markers(EXAMPLE)]))


@cache
def _translate_sentence(sentence: str) -> frozenset[str]:
    said = {sentence}
    for language in {*dict(settings.LANGUAGES), *CATALOGS}:
        with translation.override(language):
            said.add(gettext(sentence))
    return frozenset(map(_normalise_sentence, said))
