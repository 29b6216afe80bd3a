"""Answerability: how likely the library holds an answer to a question, from 0 to 1.

It is read off three things that mean the same whatever the library: how near the nearest sentence
is to the question, which share of its words the best passage holds, and how far the best passage
stands out. What it comes to decides whether an answer is given, offered with doubt, or declined,
and whether a language model is asked at all.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from chat.quoting import READ, QuestionReading
from chat.quoting.names import names_in
from citations.index import Scope
from citations.languages import language_of
from citations.retrieval import Found
from memory.text.embedding import embedder
from memory.text.embedding.e5 import E5

# Below the first an answer is only what comes closest, below the second nothing was found.
SURE, NOTHING = 0.4, 0.1
# Of what a document's profile tells.
CERTAIN = 1.0
# A question limited to so few documents is about them: added before the curve.
FEW_DOCUMENTS, LIMITED = 3, 3.7
# The passages behind the best that it is compared with, and how far it stands out if there are too
# few to tell.
OTHERS, STANDS_OUT = 5, 0.12
# So much of a question may be unknown; words are told by their stems in this language only.
MOST_UNKNOWN, STEMMED = 0.15, "en"


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
    # The share of the question's words that no passage of the library holds, beyond what a slip or
    # another word for the same comes to.
    unknown: float = 0.0


@dataclass(frozen=True)
class Curve:
    """A logistic curve over the signs."""

    at_zero: float
    sentence: float = 0.0
    passage: float = 0.0
    words: float = 0.0
    lead: float = 0.0
    fit: float = 0.0
    unknown: float = 0.0

    def __call__(self, signs: Signs, more: float = 0.0) -> float:
        names = ("sentence", "passage", "words", "lead", "fit", "unknown")
        total = sum(getattr(self, name) * getattr(signs, name) for name in names)
        return 1 / (1 + math.exp(-(self.at_zero + more + total)))


# Fitted on the development parts of XQuAD, CovidQA and INSCIT, each question asked of its library
# with and without the documents that answer it, and moved so that SURE is the place of 5 to 6 % of
# the answerable: of the others it then declines 51 to 99 % of self-contained questions, 44 % of
# follow-ups (the conversation is about what the library has), 70 % of those in another language.
#
# What no passage holds counts by what 43 questions come to that manuals don't answer ("does winston
# send logs to splunk"), and 64 that they do: 10 of the 43 are taken for answered instead of 24, and
# 53 of the 64 instead of 55.
SELF_CONTAINED = Curve(-6.28, sentence=7.19, words=5.2, unknown=-7.0)
FOLLOW_UP = Curve(-4.42, passage=5.12, words=3.9)
OTHER_LANGUAGE = Curve(-6.4, sentence=5.27, passage=5.87, lead=21.8)
# Whether the library is about what is asked at all: a passage may hold the only word of a question
# that the library knows, and say nothing of what is asked. Fitted on English manuals and articles;
# of 420 questions of other matters over three libraries it declines 255 for 210, and takes 42 for
# answered instead of 49; of 222 that are held it loses none. In other languages all lies too near,
# and what is asked of few documents, or by a name that is in them, is about them; so is what
# one passage holds this share of, though a word that nobody knows draws it away.
RELATED = Curve(-11.1, sentence=10.1, passage=12.6)
MOSTLY_HELD = 2 / 3
# Other embedders, and words alone: by what was fitted for retrieval.
BY_FIT = Curve(-5.66, fit=12.0)
BY_WORDS = Curve(-1.95, fit=8.0)


def answerability(
    reading: QuestionReading, found: Sequence[Found], scope: Scope, *, follows: bool = False
) -> float:
    """Return how likely what was found answers the question; `follows` if it leans on others.

    What is in the question's language and what isn't are judged apart: the likelier counts.
    """
    own = language_of(reading.asked.text)
    more = LIMITED if _is_limited(scope) else 0.0
    at_home = [each for each in found if each.passage.document.language in ("", own) or not own]
    abroad = [each for each in found if each not in at_home or not own]
    is_about_it = _is_limited(scope) or _holds_a_name(reading.asked.text, found)
    judged = []
    for is_abroad, group in ((False, at_home), (True, abroad)):
        if group:
            signs = replace(_signs(reading, group), unknown=0.0 if more else _unknown(own, group))
            is_related = is_about_it or signs.words >= MOSTLY_HELD
            curves = _curves(follows, is_abroad, is_related)
            likely = min(curve(signs, more) for curve in curves)
            # A word that nothing holds raises doubt: another one may mean the same.
            known = min(curve(replace(signs, unknown=0.0), more) for curve in curves)
            judged.append(max(likely, min(known, NOTHING)))
    return max(judged, default=0.0)


def _is_limited(scope: Scope) -> bool:
    return scope.documents is not None and len(scope.documents) <= FEW_DOCUMENTS


def _holds_a_name(question: str, found: Sequence[Found]) -> bool:
    """Tell whether a name of the question, an acronym or an option, stands in what was found."""
    names = names_in(question)
    return any(name.search(each.passage.text) for each in found[:READ] for name in names)


def _curves(follows: bool, is_abroad: bool, is_related: bool) -> list[Curve]:
    """Return what judges the signs: what the least likely of them says counts."""
    engine = embedder()
    if engine is None:
        return [BY_WORDS]
    if engine.model != E5.model:
        return [BY_FIT]
    if is_abroad:
        return [OTHER_LANGUAGE]
    if follows:
        return [FOLLOW_UP]
    return [SELF_CONTAINED] if is_related else [SELF_CONTAINED, RELATED]


def _unknown(language: str, found: Sequence[Found]) -> float:
    """Return the share of the question's words that nothing holds, beyond MOST_UNKNOWN."""
    if language not in ("", STEMMED) or found[0].passage.document.language != STEMMED:
        return 0.0
    return max(max(each.unknown for each in found) - MOST_UNKNOWN, 0.0)


def _signs(reading: QuestionReading, found: Sequence[Found]) -> Signs:
    fits = sorted((each.fit for each in found), reverse=True)
    others = fits[1 : 1 + OTHERS]
    return Signs(
        sentence=reading.nearest_in({each.passage.pk for each in found}),
        passage=max(each.vector_score or 0.0 for each in found),
        words=max(each.known_word_score or 0.0 for each in found),
        lead=fits[0] - sum(others) / OTHERS if len(others) == OTHERS else STANDS_OUT,
        fit=fits[0],
    )
