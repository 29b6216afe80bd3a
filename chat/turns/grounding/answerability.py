"""Answerability: how likely the library holds an answer to a question, from 0 to 1.

It is read off what means the same whatever the library: how near the nearest sentence is to the
question, which share of its words what would be quoted holds, and which no passage found does. What
it comes to decides whether an answer is given, offered with doubt, or declined, and whether a
language model is asked at all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.quoting import READ, QuestionReading
from chat.quoting.names import names_in
from chat.turns.grounding.coverage import coverage
from citations.index import Scope
from citations.languages import language_of
from citations.retrieval import Found
from memory.text.embedding import embedder
from memory.text.embedding.e5 import E5

# Below the first an answer is only what comes closest, below the second nothing was found.
SURE, NOTHING = 0.3, 0.1
# Of what a document's profile tells.
CERTAIN = 1.0
# A question limited to so few documents is about them: added before the curve.
FEW_DOCUMENTS, LIMITED = 3, 3.0
# The passages behind the best that it is compared with, and how far it stands out if there are too
# few to tell.
OTHERS, STANDS_OUT = 5, 0.12


@dataclass(frozen=True)
class Signs:
    """What the answerability of a question is read off."""

    # The cosines of the nearest sentence and passage, over the engine's spread.
    sentence: float
    passage: float
    # The share of the question's words, of those that the library knows, in the best passage.
    words: float
    # By how much the best passage fits better than those behind it.
    lead: float
    # How well the best passage fits, as retrieval has it.
    fit: float
    # The shares of the question's words that what would be quoted holds, and none of the passages.
    quoted: float
    nowhere: float

    @property
    def of_known(self) -> "Signs":
        """The same of the question without those words that nothing holds."""
        quoted = self.quoted / (1 - self.nowhere) if self.nowhere < 1 else 0.0
        return replace(self, quoted=quoted, nowhere=0.0)


@dataclass(frozen=True)
class Curve:
    """A logistic curve over the signs."""

    at_zero: float
    sentence: float = 0.0
    passage: float = 0.0
    words: float = 0.0
    lead: float = 0.0
    fit: float = 0.0
    quoted: float = 0.0
    nowhere: float = 0.0

    def __call__(self, signs: Signs, more: float = 0.0) -> float:
        total = sum(getattr(self, name) * value for name, value in vars(signs).items())
        return 1 / (1 + math.exp(-(self.at_zero + more + total)))


# Fitted on 244 careless questions over some fifty manuals, FAQs, licences and papers in three
# languages, of which 79 ask for what isn't there of something that is ("does rsync have a graphical
# interface"); each document's questions judged by what the others' taught. SURE was set on 19
# documents that the curve had not seen: of what comes to .3 to .4 there, eight were right, three
# wrong and none absent. NOTHING, for which the curve is flatter than it was fitted, loses none.
SELF_CONTAINED = Curve(-3.8, sentence=5.37, quoted=2.84, nowhere=-1.89)
# Whether the library is about what is asked at all: a passage may hold the only word of a question
# that the library knows, and say nothing of what is asked. Fitted on English manuals and articles;
# of 420 questions of other matters over three libraries it declines 255 for 210; of 222 that are
# held it loses none. What is asked of few documents, or by a name that is in them, is about them;
# so is what one passage holds this share of.
RELATED = Curve(-11.1, sentence=10.1, passage=12.6)
MOSTLY_HELD = 2 / 3
# Of a question in another language than the document few words are held, and those may be anywhere.
# Of 19 that nothing answers 5 are taken for answered, 16 of 20 that something does; of XQuAD's in
# English on articles in six languages 21 of 45, and all that the product answers rightly.
OTHER_LANGUAGE = Curve(-4.25, sentence=6.0, lead=12.0)
# Fitted on INSCIT, each question asked of its library with and without the documents that answer
# it. A follow-up is judged by its own words too, but some are what it was told to mean.
FOLLOW_UP = Curve(-4.42, passage=5.12, words=3.9)
LEANING = 1.0
# Other embedders, and words alone: by what was fitted for retrieval.
BY_FIT = Curve(-5.66, fit=12.0)
BY_WORDS = Curve(-1.95, fit=8.0)


def answerability(
    reading: QuestionReading, found: Sequence[Found], scope: Scope, *, follows: bool = False
) -> float:
    """Return how likely what was found answers the question; `follows` if it leans on others.

    What is in the question's language and what isn't are judged apart: the likelier counts. A few
    words without a language are taken for the document's.
    """
    own = language_of(reading.asked.text)
    is_limited = scope.documents is not None and len(scope.documents) <= FEW_DOCUMENTS
    is_about_it = is_limited or follows or _holds_a_name(reading.asked.text, found)
    more = LIMITED if is_limited else 0.0
    at_home = [each for each in found if each.passage.document.language in ("", own) or not own]
    abroad = [each for each in found if each not in at_home]
    judged = []
    for group in filter(None, (at_home, abroad)):
        signs = _signs(reading, group)
        curves = _curves(follows=follows, is_abroad=group is abroad)
        likely, known = (
            min(curve(each, more + added) for curve, added in curves)
            for each in (signs, signs.of_known)
        )
        elsewhere = RELATED(signs) if SELF_CONTAINED in dict(curves) and not is_about_it else 1.0
        if elsewhere < NOTHING and signs.words < MOSTLY_HELD:
            judged.append(min(likely, elsewhere))
        else:  # a word that nothing holds raises doubt only: another one may mean the same
            judged.append(max(likely, min(known, NOTHING)))
    return max(judged, default=0.0)


def _holds_a_name(question: str, found: Sequence[Found]) -> bool:
    """Tell whether a name of the question, an acronym or an option, stands in what was found."""
    names = names_in(question)
    return any(name.search(each.passage.text) for each in found[:READ] for name in names)


def _curves(*, follows: bool, is_abroad: bool) -> list[tuple[Curve, float]]:
    """Return what judges the signs, with what is added: what the least likely says counts."""
    engine = embedder()
    if engine is None:
        return [(BY_WORDS, 0.0)]
    if engine.model != E5.model:
        return [(BY_FIT, 0.0)]
    if is_abroad:
        return [(OTHER_LANGUAGE, 0.0)]
    if follows:
        return [(FOLLOW_UP, 0.0), (SELF_CONTAINED, LEANING)]
    return [(SELF_CONTAINED, 0.0)]


def _signs(reading: QuestionReading, found: Sequence[Found]) -> Signs:
    held = coverage(reading, found)
    fits = sorted((each.fit for each in found), reverse=True)
    others = fits[1 : 1 + OTHERS]
    return Signs(
        sentence=reading.nearest_in({each.passage.pk for each in found}),
        passage=max(each.vector_score or 0.0 for each in found),
        words=max(each.known_word_score or 0.0 for each in found),
        lead=fits[0] - sum(others) / OTHERS if len(others) == OTHERS else STANDS_OUT,
        fit=fits[0],
        quoted=held.quoted,
        nowhere=held.nowhere,
    )
