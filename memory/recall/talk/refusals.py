"""The sentences with which the product itself says that it has no answer, known by their text.

For turns that were stored before their outcome was noted, and for what clients tell.
"""

from functools import cache

from django.conf import settings
from django.utils import translation
from django.utils.translation import gettext, gettext_noop

from memory.markers import without_markers

NOTHING_FOUND = gettext_noop("The library holds nothing on this question.")
NOTHING_MORE = gettext_noop("The library holds nothing more on this question.")
# No refusal is longer, in whatever language.
LONGEST = 400


def is_refusal(response: str) -> bool:
    """Tell whether the answer is one of the product's own refusals, in any of its languages."""
    return len(response) <= LONGEST and without_markers(response).strip() in _refusals()


@cache
def _refusals() -> frozenset[str]:
    said = {NOTHING_FOUND, NOTHING_MORE}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            said |= {gettext(sentence) for sentence in (NOTHING_FOUND, NOTHING_MORE)}
    return frozenset(said)
