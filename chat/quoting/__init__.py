"""The answerer that needs no language model: it quotes what answers, and where it stands."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _

from chat.quoting.kinds import COMPARES, kinds_of
from chat.quoting.scoring import scored
from chat.quoting.spans import chosen
from chat.quoting.writing import plain, written
from citations.citing import Offer
from memory.embedding import Embedded
from memory.words import terms

MODEL = "quoting"


def quote(
    asked: Embedded,
    offers: Sequence[Offer],
    *,
    fits: Mapping[int, float],
    typed: str = "",
    said: Sequence[str] | None = None,
) -> str:
    """Return an answer made of the offered passages' own words, each stretch with its marker.

    `fits` are how well the passages fit, by label. The question as `typed` may tell what kind of
    sentence answers it. For a question that asks for more, `said` are the answers before, whose
    sentences aren't quoted again.
    """
    kinds = kinds_of(asked.text, typed)
    before = "\n".join(said or ())
    candidates = [
        each
        for each in scored(asked, offers, fits, kinds)
        if not before or plain(each.text) not in before
    ]
    quotes = chosen(
        candidates,
        compares=COMPARES.search(asked.text) is not None,
        lists=any(kind.name == "list" for kind in kinds),
    )
    if not quotes:
        return nothing_found() if said is None else nothing_more()
    return written(quotes, kinds, terms(asked.text))


def nothing_found() -> str:
    """Return what is said when the library holds nothing on a question."""
    return _("The library holds nothing on this question.")


def nothing_more() -> str:
    """Return what is said when all that the library holds on a question was quoted before."""
    return _("The library holds nothing more on this question.")
