"""Answerability: how likely the library holds an answer to a question, from 0 to 1.

It is the share of questions like it whose best quotation answers them. It is read off what means
the same whatever the library: how likely the best unit answers, by how much its passage stands out,
and which of the question's words it holds. What it comes to decides whether an answer is given,
offered with doubt, or declined, and whether a language model is asked at all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.quoting import READ, YEAR, QuestionReading
from chat.quoting.choosing import log_odds
from chat.quoting.names import literal_names, name_pattern
from chat.quoting.spans import ScoredUnit
from chat.turns.grounding.coverage import coverage
from chat.turns.grounding.tables import SHEETS
from citations.index import Scope
from citations.languages import language_of
from citations.retrieval import Found
from citations.retrieval.units import UnitForm
from memory.text.embedding import embedder
from memory.text.embedding.e5 import E5

# Below the first an answer is only what comes closest, below the second nothing was found.
SURE, NOTHING = 0.5, 0.05
# What comes less close than this may well stand in a document that is still being read; what comes
# closer is of the matter that was asked about.
CLOSE = 0.2
# Of what a document's profile tells; of what can't be more than what comes closest.
CERTAIN, IN_DOUBT = 1.0, 0.49
# A question limited to so few documents is about them, unless it is far from them: added before the
# curve. Of 43 that two documents answer, all are told as answers, of 76 that they don't, 4 (11 if
# it is always added); of 50 asked of a policy 45 (48).
FEW_DOCUMENTS, LIMITED, FAR = 3, 3.0, 0.004
# In another language few of a question's words are held: added where the best unit is in one. By
# what the nine libraries and XQuAD say, 41 of 49 right ones are told as answers for 34, and 9 of
# the others for 5.
OTHER_LANGUAGE = 0.8
# The passages behind the best that it is compared with, how far it stands out if there are too few
# to tell, and how far at most: of a library of few matters each stands out from the others.
OTHERS, STANDS_OUT, MOST_LEAD = 5, 0.12, 0.2
# Words from which on a question is long.
LONG_QUESTION = 12


@dataclass(frozen=True)
class Signs:
    """What the answerability of a question is read off."""

    # How likely the best unit answers, against the others of the question: its log-odds.
    unit: float
    # The cosines of the nearest unit and passage, over the engine's spread.
    nearest: float
    passage: float
    # By how much the best passage fits better than those behind it, and how well it fits.
    lead: float
    fit: float
    # The shares of the question's words that the passage of the best unit holds, and the unit.
    held: float
    held_by_unit: float
    # The share that the best passage by words holds, of those words that the library knows.
    words: float
    # The share of the question's words that none of the passages holds.
    nowhere: float
    # 1 if it asks for a figure or a time that nothing that is quoted tells, else 0.
    lacks_figure: float
    # The logarithm of how many words it has, up to LONG_QUESTION: of few words a share says little.
    length: float

    @property
    def of_known(self) -> "Signs":
        """The same of the question without those words that nothing holds, however short it is."""
        share = 1 - self.nowhere or 1.0
        held, by_unit = self.held / share, self.held_by_unit / share
        return replace(
            self, held=held, held_by_unit=by_unit, nowhere=0.0, length=math.log(LONG_QUESTION)
        )


@dataclass(frozen=True)
class Curve:
    """A logistic curve over the signs."""

    at_zero: float
    unit: float = 0.0
    nearest: float = 0.0
    passage: float = 0.0
    lead: float = 0.0
    fit: float = 0.0
    held: float = 0.0
    held_by_unit: float = 0.0
    words: float = 0.0
    nowhere: float = 0.0
    lacks_figure: float = 0.0
    length: float = 0.0

    def __call__(self, signs: Signs, more: float = 0.0) -> float:
        total = sum(getattr(self, name) * value for name, value in vars(signs).items())
        return 1 / (1 + math.exp(-(self.at_zero + more + total)))


# Fitted on 920 careless questions over some sixty documents (manuals, FAQs, licences, papers,
# tables), XQuAD and COVID-QA: 433 that the best quotation answers, 98 that it doesn't, 228 about
# what isn't there of something that is, 161 of other matters, which count for less. SURE is where a
# wrong answer told as one, counted twice, costs about what a right one told with doubt saves, by
# what each library's questions come to by the others': from .45 to .65 the sum hardly differs.
# What the unit holds itself counts in its log-odds already; that another passage holds more of the
# words speaks against it. What a figure takes off that is asked for and isn't told was set beside
# these on 184 more, of COVID-QA and five manuals, in libraries of 1 to 10 documents.
# Since it counts how long a question is, of 226 that four libraries hold (those below) 84 are right
# and told so, for 80, and 19 wrong and told, for 20; of 49 of a fifth, which had no part in it, 26
# and 6, as without it.
BY_E5 = Curve(
    -3.1,
    unit=0.38,
    nearest=2.49,
    lead=14.7,
    held=2.81,
    held_by_unit=-1.72,
    words=-3.09,
    nowhere=-1.12,
    lacks_figure=-2.5,
    length=0.5,
)
# Whether the library is about what is asked at all: a passage may hold the only word of a question
# that the library knows, and say nothing of what is asked. What is asked by names of which most are
# in what was found is about it; so is what one passage or unit holds this share of. Below UNRELATED
# nothing is told, nor where the product of both is below BOTH; below HARDLY in doubt at most.
# Fitted on 264 careless questions that four libraries are about and 185 that they aren't, a third
# of those about other libraries, each library judged by the others: AUROC .905.
RELATED = Curve(-11.6, nearest=10.0, passage=6.0, fit=8.0)
UNRELATED, HARDLY, BOTH = 0.06, 0.15, 0.01
# How likely it is at most for words that nothing holds, which others may mean.
IN_OTHER_WORDS = 0.1
MOSTLY_HELD = 2 / 3
# Of a message's names, a log line has many, this share is there.
NAMED = 0.5
# In another language words tell little, and meanings are farther apart.
BOTH_ABROAD = 0.0035
# Other embedders, and words alone: by what was fitted for retrieval.
BY_FIT = Curve(-7.8, fit=19.5)
BY_WORDS = Curve(-1.8, fit=13.0)


def answerability(
    reading: QuestionReading, found: Sequence[Found], scope: Scope, *, asks_on: bool = False
) -> float:
    """Return how likely what was found answers the question.

    Who `asks_on` of an answer, or of a few documents, has chosen what it is about, and may only use
    other words.
    """
    best = max(
        (each for each in reading.candidates if each.unit.form is not UnitForm.ABOVE),
        key=lambda each: each.score,
        default=None,
    )
    if best is None:
        return 0.0
    # What is told of another document than the one that is named says nothing of this one.
    found = [each for each in found if not each.of_another] or found
    signs, curve = _signs(reading, best, found), _curve()
    own = language_of(reading.asked.text)
    is_abroad = bool(own) and best.passage.document.language not in ("", own)
    is_limited = scope.documents is not None and len(scope.documents) <= FEW_DOCUMENTS
    related = RELATED(signs) if curve is BY_E5 else 1.0
    more = LIMITED * (is_limited and (is_abroad or related > FAR))
    more += OTHER_LANGUAGE * (is_abroad and curve is BY_E5)
    likely = curve(signs, more)
    if not (reading.lacks_figure or reading.lacks_year):
        # A word that nothing holds raises doubt only: another one may mean the same. But then there
        # would be a price beside it, or how many, or it would be of that year.
        likely = max(likely, min(curve(signs.of_known, more), IN_OTHER_WORDS))
    if _is_row_of_sheet(best) and signs.held < MOSTLY_HELD and not reading.compares:
        likely = min(likely, IN_DOUBT)  # a row tells no more than its cells
    if is_limited or asks_on:
        return max(likely, NOTHING)
    if _is_about_it(reading.asked.text, signs, found):
        return likely
    return _unless_unrelated(likely, related, is_abroad=is_abroad)


def _is_row_of_sheet(best: ScoredUnit) -> bool:
    return best.unit.form is UnitForm.ROW and best.passage.document.media_type in SHEETS


def _unless_unrelated(likely: float, related: float, *, is_abroad: bool) -> float:
    """Return how likely it is answered by a library that is so likely about what is asked."""
    if is_abroad:
        return likely if related * likely >= BOTH_ABROAD else related * likely
    if related < UNRELATED or related * likely < BOTH:
        return related * likely
    return likely if related >= HARDLY else min(likely, IN_DOUBT)


def _is_about_it(question: str, signs: Signs, found: Sequence[Found]) -> bool:
    """Return whether what was found holds most words of the question, or enough of its names, of
    acronyms and options: it is about what is asked, however far from it by meaning.
    """
    names = [name_pattern(name) for name in literal_names(question) if not YEAR.fullmatch(name)]
    texts = [each.passage.text for each in found[:READ]]
    there = [name for name in names if any(map(name.search, texts))]
    is_named = bool(there) and len(there) >= NAMED * len(names)
    return is_named or max(signs.words, signs.held_by_unit) >= MOSTLY_HELD


def _curve() -> Curve:
    """Return what judges the signs."""
    engine = embedder()
    if engine is None:
        return BY_WORDS
    return BY_E5 if engine.model == E5.model else BY_FIT


def _signs(reading: QuestionReading, best: ScoredUnit, found: Sequence[Found]) -> Signs:
    shares = coverage(reading.asked.text, best, found)
    fits = sorted((each.fit for each in found), reverse=True)
    others = fits[1 : 1 + OTHERS]
    lead = fits[0] - sum(others) / OTHERS if len(others) == OTHERS else STANDS_OUT
    return Signs(
        unit=log_odds(best),
        nearest=max(each.near for each in reading.candidates),
        passage=max(each.vector_score or 0.0 for each in found),
        lead=min(lead, MOST_LEAD),
        fit=fits[0],
        held=shares.passage,
        held_by_unit=shares.unit,
        words=max(each.known_word_score or 0.0 for each in found),
        nowhere=shares.nowhere,
        lacks_figure=float(reading.lacks_figure),
        length=math.log(min(LONG_QUESTION, max(1, len(reading.asked.text.split())))),
    )
