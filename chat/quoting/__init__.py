"""The answerer that needs no language model: it reads what was found, and quotes what answers."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from functools import cached_property

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.quoting.choosing import chosen_quotes, in_context
from chat.quoting.kinds import COMPARES, QuestionKind, kinds_of
from chat.quoting.kinds.figures import asks_figure, lacks_figure
from chat.quoting.scoring import scored_units
from chat.quoting.spans import Quote, ScoredUnit
from chat.quoting.writing import quotable, shown_as, written_quotes
from citations.attribution.citing import Offer
from citations.index import index_terms
from citations.readers.kinds import MAIL
from citations.retrieval import Found
from memory.recall.talk.refusals import NOTHING_FOUND, NOTHING_MORE
from memory.text.embedding import Embedded

MODEL = "quoting"
# So many of the passages found are read: the best, and of the others those that hold the most of
# the question's words: a version or a name may stand in one that is far from it by meaning.
READ, READ_FOR_WORDS = 10, 2
YEAR = re.compile(r"\b(?:19|20)\d\d\b")
# So many of the documents that are still being read are named.
NAMED = 3


@dataclass(frozen=True)
class QuestionReading:
    """What was read for a question: its kinds, and every unit with how well it answers."""

    asked: Embedded
    kinds: list[QuestionKind]
    candidates: list[ScoredUnit]

    @property
    def compares(self) -> bool:
        """Whether the question asks for a comparison."""
        return COMPARES.search(self.asked.text) is not None

    @property
    def compared(self) -> frozenset[str]:
        """The terms of what the question asks to be compared."""
        rest = COMPARES.sub(" ", self.asked.text) if self.compares else ""
        return frozenset(index_terms(rest))

    @cached_property
    def lacks_figure(self) -> bool:
        """Whether the question asks for a figure or a time that nothing it would quote tells."""
        question = self.asked.text
        if not asks_figure(question):
            return False
        return lacks_figure(question, "\n".join(each.text for each in self._likeliest))

    @property
    def lacks_year(self) -> bool:
        """Whether the question names a year that nothing it would quote is of."""
        years = set(YEAR.findall(self.asked.text))
        quotes = self._likeliest if years else []
        told = "\n".join(
            f"{each.passage.document.title} {each.passage.heading} {each.text}" for each in quotes
        )
        return bool(quotes) and not any(year in told for year in years)

    @cached_property
    def _likeliest(self) -> list[Quote]:
        return self.chosen(self.candidates)

    def chosen(self, candidates: Sequence[ScoredUnit], *, in_doubt: bool = False) -> list[Quote]:
        """Return what is quoted of these: more of them, if it is not sure that they answer."""
        return chosen_quotes(
            candidates,
            compared=self.compared,
            lists=any(kind.name == "list" for kind in self.kinds),
            steps=any(kind.name == "how to" for kind in self.kinds),
            in_doubt=in_doubt,
        )


@dataclass(frozen=True)
class Manner:
    """How the person wants quotations: the best alone, each sentence with a bullet."""

    is_brief: bool = False
    has_bullets: bool = False


USUAL = Manner()


def read_passages(
    asked: Embedded, found: Sequence[Found], *, typed: Embedded | None = None
) -> QuestionReading:
    """Read the best of the passages found; the question as `typed` may tell what kind it is of."""
    typed = typed or asked
    kinds = kinds_of(asked.text, typed.text)
    return QuestionReading(asked, kinds, scored_units(asked, to_read(found), kinds, typed=typed))


def to_read(found: Sequence[Found]) -> list[Found]:
    """Return those of the passages that are read, in their order."""
    best = READ - READ_FOR_WORDS
    others = sorted(found[best:], key=lambda each: -(each.word_score or 0.0))
    read = [*found[:best], *others[:READ_FOR_WORDS]]
    return [*read, *(each for each in others[READ_FOR_WORDS:] if each.goes_on)]


def quote(
    reading: QuestionReading,
    offers: Sequence[Offer],
    *,
    said: Collection[str] | None = None,
    manner: Manner = USUAL,
    in_doubt: bool = False,
) -> str:
    """Return an answer made of the offered passages' own words, each stretch with its marker.

    For a question that asks for more, `said` are the answers before, whose sentences aren't quoted
    again.
    """
    labels = {offer.passage.pk: offer.label for offer in offers}
    before = "\n".join(said or ()).replace("**", "")  # what was set off was said
    candidates = [
        each
        for each in reading.candidates
        if each.passage.pk in labels
        and (not before or shown_as(each.unit, each.passage.text) not in before)
        and not (said is not None and is_of_mail_head(each))
    ]
    quotes = reading.chosen(candidates, in_doubt=in_doubt)
    if not quotes:
        return nothing(said)
    if manner.is_brief:
        quotes = quotes[:1]
    elif not reading.compares:
        quotes = in_context(quotes, candidates)
    return written_quotes(
        quotes, labels, reading.kinds, reading.asked.text, has_bullets=manner.has_bullets
    )


def is_of_mail_head(each: ScoredUnit) -> bool:
    """Return whether it stands in the lines above a mail, which answer who and when, and add
    nothing to what was said.
    """
    is_mail = each.passage.document.media_type == MAIL
    return is_mail and each.passage.position == 0 and each.unit.block == 0


def nothing(said: Collection[str] | None) -> str:
    """Return what is said when the library holds nothing on a question, or nothing more."""
    return _(NOTHING_FOUND) if said is None else _(NOTHING_MORE)


def nothing_yet(titles: Sequence[str]) -> str:
    """Return what is said when nothing was found, and documents are still being read."""
    named = ", ".join(f"*{quotable(title)}*" for title in titles[:NAMED])
    said = ngettext(
        "Nothing was found yet. %(count)d document is still being read: %(titles)s.",
        "Nothing was found yet. %(count)d documents are still being read: %(titles)s.",
        len(titles),
    )
    return said % {"count": len(titles), "titles": named + " …" * (len(titles) > NAMED)}
