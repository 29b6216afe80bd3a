"""Scoring: how likely each unit of the passages found answers the question.

Without a reader's judgement: how well its passage fits, how near its vector is to the question's,
which share of the question's rarer words it holds, under its heading, and whether its wording and
form are those of an answer to such a question. A sentence that points back is read with the one
before, and what stands under a question as an answer to it.
"""

import math
import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from chat.quoting.kinds import QuestionKind, counted, without_asking, wording_worth
from chat.quoting.names import SIGNS, VERSION, literal_names, name_pattern
from chat.quoting.reading import OUTDATED, ReadUnit, rows_of
from chat.quoting.spans import ScoredUnit
from citations.index import index_terms
from citations.index.unit_vectors import unit_vectors
from citations.retrieval import Found
from citations.retrieval.units import BARE_VERDICT
from memory.text.embedding import Embedded, embedder
from memory.text.words import stem, words

# What is added below was set by hand on 164 careless questions over some thirty documents (manuals,
# FAQs, licences, changelogs), and held against 155 public ones. The weights of fit, nearness and
# words, of a unit's beginning and its form are those of a choice among a question's units
# (conditional logit), rounded: learned on 234 such questions and 140 of PolicyQA and COVID-QA, and
# judged on documents left out, where 211 of 374 have a unit that answers first (198 before).
FIT, NEAR, WORDS = 0.75, 0.6, 0.5
# What counts what begins with what the question names: "work_mem sets …", "23 Write error".
BEGINS = 0.15
# What an item or a row counts before a sentence: it says one thing.
LISTED = 0.1
# What a word counts that stands in the heading right above, and farther above or before. (With .8
# whatever stands under a heading that repeats the question beats what answers it.)
UNDER, ABOVE = 0.65, 0.5
# What a word counts that is said in another one for the same.
ALIKE = 0.9
# What a word counts that names the document: all of it is about that, said or not.
CALLED = 0.6
# What a word counts that was put into a question for what it refers to, against its own.
CARRIED = 0.4
# What counts that holds a name of the question letter by letter: `--leak-check`, `max_size`, "DER",
# "bit 3"; of a version or of signs, which are nothing else's, more.
NAMED, NAMED_VERSION, NAMED_IN_SIGNS = 0.15, 0.6, 0.4
# What counts the row that has the most or the least of what is asked for.
EXTREME = 0.8
# What counts a figure of what was asked to be counted, beside that it is one.
COUNTED = 0.15
# What counts what stands first under a heading that asks what the question asks.
ANSWERS_HEADING = 0.1
# What only says where more stands, and what that takes off.
ELSEWHERE = re.compile(
    r"^\W*(?:for (?:more|further|additional|full|other)\b[^.]{0,60}?\b(?:see|refer|read|consult"
    r"|check|visit)|(?:please )?(?:see|refer to|consult)\b|siehe\b|véase\b|voir\b)[^.]{0,100}\.?$",
    re.IGNORECASE,
)
LESS_ELSEWHERE = 0.3
LESS_OUTDATED = 0.15
# What a bare "No." loses that is told for another question.
LESS_UNASKED = 1.0
# The share of the question that a heading holds which asks the same, and of the heading that the
# question holds then; and the share of one of which a bare "No." may be the answer.
ASKED, ASKING, ASKED_OF = 0.6, 0.5, 0.3
# What takes off that the question names another document: a company, a year.
LESS_OF_ANOTHER = 0.2
# A long item holds many words, figures and names by chance: what each doubling beyond takes off.
# (Of sentences nothing: with it three of fifty questions on policies lost their answer.)
LESS_LONG = 0.045
# What stands in for the nearness of what isn't compared, or where there is no engine.
UNSEEN = 0.15
# The sum at which a unit is as likely to answer as not, and how steep the curve is.
MIDDLE, STEEPNESS = 1.28, 4.7


def scored_units(
    asked: Embedded, found: Sequence[Found], kinds: list[QuestionKind], *, typed: Embedded
) -> list[ScoredUnit]:
    """Return the units of the passages, in their order, each with its score and its nearness.

    `typed` is the question before what it refers to was put into it, if its words are still there.
    """
    asks_who_or_when = any(kind.name in ("date", "person") for kind in kinds)
    rows = [row for row in rows_of(found) if asks_who_or_when or not row.is_signature]
    if not rows:
        return []
    with_joined(asked.text, rows)
    sought, own_terms = index_terms(asked.text), index_terms(typed.text)
    if not own_terms or not set(own_terms) <= set(sought):
        typed, own_terms = asked, sought
    weights = rarities(sought, [row.own for row in rows], own_terms)
    asking = AskedFor.of(asked.text, typed.text, kinds)
    sums = np.array(
        [
            worth_of_words(weights, row)
            + asking.worth(row)
            - LESS_UNASKED * is_verdict_on_another(weights, row)
            for row in rows
        ]
    )
    near = nearness(asked, typed, rows, sums)
    chances = 1 / (1 + np.exp(STEEPNESS * (MIDDLE - sums - NEAR * near)))
    return [
        ScoredUnit(
            row.found.passage,
            row.unit,
            float(chance),
            float(cosine),
            answers=row.answers_heading,
            is_asked=is_asked_above(weights, row),
        )
        for row, chance, cosine in zip(rows, chances, near, strict=True)
    ]


@dataclass(frozen=True)
class AskedFor:
    """What a question asks for, beside its words and what it means."""

    kinds: list[QuestionKind]
    # All its terms, and those of what it is about.
    terms: frozenset[str]
    subject: frozenset[str]
    # What finds each of its names, and what holding it is worth.
    names: list[tuple[re.Pattern[str], float]]
    # What finds a figure of what is to be counted.
    counted: re.Pattern[str] | None
    # Whether it is about what is not to be used any more.
    is_of_old: bool

    @classmethod
    def of(cls, asked: str, typed: str, kinds: list[QuestionKind]) -> "AskedFor":
        return cls(
            kinds,
            frozenset(index_terms(asked)),
            frozenset(index_terms(without_asking(asked))),
            [(name_pattern(name), worth_of(name)) for name in literal_names(typed)],
            counted(asked),
            OUTDATED.search(typed) is not None,
        )

    def worth(self, row: ReadUnit) -> float:
        """Return what a unit's names, wording and form count, without what speaks against it."""
        subject = (self.subject - row.above) or self.subject
        named = max((worth * row.holds(name) for name, worth in self.names), default=0.0)
        said = row.with_release if named else row.text
        wording = wording_worth(self.kinds, said, row.form, self.terms, subject)
        points_elsewhere = row.is_label or ELSEWHERE.match(row.text) is not None
        is_outdated = row.is_outdated and not self.is_of_old
        against = LESS_ELSEWHERE * points_elsewhere + LESS_OUTDATED * is_outdated
        against += LESS_LONG * row.doublings + LESS_OF_ANOTHER * row.found.of_another
        is_counted = self.counted is not None and self.counted.search(row.text) is not None
        extreme = EXTREME * (row.found.extreme == row.unit.start)
        return named + wording + extreme + COUNTED * is_counted - against


def worth_of(name: str) -> float:
    """Return what counts that holds the name letter by letter."""
    if VERSION.fullmatch(name):
        return NAMED_VERSION
    return NAMED_IN_SIGNS if SIGNS.search(name) else NAMED


def rarities(
    asked: Sequence[str], held: Sequence[set[str]], typed: Collection[str]
) -> dict[str, float]:
    """Return a weight for each word of the question: the rarer in the units, the heavier; those
    that were not typed are lighter.
    """
    raw = {
        term: math.log(1 + len(held) / (1 + sum(term in words for words in held)))
        * (1.0 if term in typed else CARRIED)
        for term in set(asked)
    }
    total = sum(raw.values()) or 1.0
    return {term: weight / total for term, weight in raw.items()}


def share(weights: Mapping[str, float], row: ReadUnit) -> float:
    """Return the weighted share of the question that a unit holds: its own words in full, what it
    says for others and those of what it stands right under nearly so, of what is above and before
    it half of them.
    """
    return sum(weight * held_of(term, row) for term, weight in weights.items())


def held_of(term: str, row: ReadUnit) -> float:
    """Return how far a unit holds a word of the question."""
    if term in row.called:
        return CALLED
    if term in row.own:
        return 1.0
    alike, under, above = term in row.alike, term in row.under, term in row.above
    return max(ALIKE * alike, UNDER * under, ABOVE * above)


def worth_of_words(weights: Mapping[str, float], row: ReadUnit) -> float:
    """Return what a unit is worth by which words of the question it holds, and where."""
    return (
        FIT * row.found.fit
        + (WORDS + ANSWERS_HEADING * row.answers_heading) * share(weights, row)
        + BEGINS * sum(weights.get(term, 0.0) for term in row.begins)
        + LISTED * row.says_one_thing
    )


def is_asked_above(weights: Mapping[str, float], row: ReadUnit) -> bool:
    """Return whether the heading above asks what the question asks, and little else."""
    own = row.under - row.called
    shared = own & weights.keys()
    return asked_share(weights, row) >= ASKED and len(shared) >= ASKING * len(own)


def is_verdict_on_another(weights: Mapping[str, float], row: ReadUnit) -> bool:
    """Return whether a unit is a bare "No." under a heading that asks something else."""
    is_bare = BARE_VERDICT.fullmatch(row.text) is not None
    return is_bare and asked_share(weights, row) < ASKED_OF


def asked_share(weights: Mapping[str, float], row: ReadUnit) -> float:
    """Return the weighted share of the question, but for what names the document, that the
    heading right above a unit holds.
    """
    sought = {term: weight for term, weight in weights.items() if term not in row.called}
    held = sum(weight for term, weight in sought.items() if term in row.under)
    return held / (sum(sought.values()) or 1.0)


def with_joined(question: str, rows: Sequence[ReadUnit]) -> None:
    """Count two words of the question as held where they are written as one: "data types"."""
    plain = words(question)
    joined = {stem(one + other): {stem(one), stem(other)} for one, other in pairwise(plain)}
    for row in rows:
        for found in (row.own | row.under) & joined.keys():
            row.own.update(joined[found])


def nearness(
    asked: Embedded, typed: Embedded, rows: Sequence[ReadUnit], sums: np.ndarray
) -> np.ndarray:
    """Return the mean cosines with the question and with what was typed, over their spread, of
    the units whose vectors are stored.
    """
    near = np.full(len(rows), UNSEEN)
    engine = embedder()
    if engine is None:
        return near
    vector, own = asked.meaning_by(engine.model), typed.meaning_by(engine.model)
    if vector is None or own is None or len(vector) != len(own):
        return near
    passages = {row.found.passage.pk: row.found.passage for row in rows}
    stored = unit_vectors(passages.values(), vector, model=engine.model)
    keys = [(row.found.passage.pk, row.unit.start) for row in rows]
    vectors = {at: stored[key] for at, key in enumerate(keys) if key in stored}
    if vectors:
        near[list(vectors)] = np.stack([*vectors.values()]) @ (vector + own) / (2 * engine.spread)
    return near
