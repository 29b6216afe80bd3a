"""Scoring: how likely each unit of the passages found answers the question.

Without a reader's judgement: how well its passage fits, how near its vector is to the question's,
which share of the question's rarer words it holds, under its heading, and whether its wording and
form are those of an answer to such a question. A sentence that points back is read with the one
before, and what stands under a question as an answer to it.
"""

import math
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from chat.quoting.kinds import QuestionKind, wording_worth
from chat.quoting.spans import REFERS, ScoredUnit
from citations.formats.blocks import BULLET
from citations.index import index_terms
from citations.ingestion.chunking import SEPARATOR
from citations.models import Passage
from citations.retrieval import Found
from citations.retrieval.units import QUESTION, PassageUnit, UnitForm, units_of
from memory.text.embedding import Embedded, EmbeddingError, embedder
from memory.text.embedding.kept import embed_kept
from memory.text.words import STOP_WORDS

# Units that are compared by meaning; embedding one costs some milliseconds.
SHORTLIST = 12
# Characters of a unit, and of what it stands under or points back at, that are embedded.
SEEN, SEEN_ABOVE = 400, 80
FIT, NEAR, WORDS = 0.5, 1.0, 0.3
# What a word counts that was put into a question for what it refers to, against its own.
CARRIED = 0.4
# What counts that holds a name of the question letter by letter: `--leak-check`, `max_size`, "DER",
# "bit 3".
NAMED = 0.15
NUMBERED = re.compile(r"(?<![\w-])[^\W\d_]{2,20} \d[\d.]{0,8}(?![\w-])")
NAME = re.compile(r"(?<![\w-])(?:-{1,2}[^\W_]\w*|[^\W_]\w*(?=[-_.]\w))(?:[-_.]\w+)*")
ACRONYM = re.compile(r"(?<![\w-])[A-Z][A-Z\d]{1,7}(?![\w-])")
# What counts what stands first under a heading that asks what the question asks.
ANSWERS_HEADING = 0.2
# What only says where more stands, and what that takes off.
ELSEWHERE = re.compile(
    r"^\W*(?:for (?:more|further|additional|full|other)\b[^.]{0,60}?\b(?:see|refer|read|consult"
    r"|check|visit)|(?:please )?(?:see|refer to|consult)\b|siehe\b|véase\b|voir\b)[^.]{0,100}\.?$",
    re.IGNORECASE,
)
LESS_ELSEWHERE = 0.3
# What stands in for the nearness of what isn't compared, or where there is no engine.
UNSEEN = 0.15
# The sum at which a unit is as likely to answer as not, and how steep the curve is.
MIDDLE, STEEPNESS = 1.15, 5.0


@dataclass(frozen=True)
class ReadUnit:
    """A unit of a passage that was found, as it is read."""

    found: Found
    unit: PassageUnit
    text: str
    # The sentence before, where this one speaks of something in it.
    before: str
    # Whether it is what answers a heading that is a question first.
    answers_heading: bool = False

    @property
    def own(self) -> set[str]:
        """The words that it holds; under a heading that is a question also that one's."""
        heading = self.heading if QUESTION.search(self.heading) else ""
        return set(index_terms(f"{heading}\n{self.text}"))

    @property
    def above(self) -> set[str]:
        """The words of what it stands under and of what it points back at."""
        return set(index_terms(f"{self.found.passage.heading}\n{self.before}"))

    @property
    def heading(self) -> str:
        """What it stands right under."""
        return self.found.passage.heading.rpartition(SEPARATOR)[2]

    @property
    def as_embedded(self) -> str:
        """The text as it is compared by meaning."""
        context = (self.heading[:SEEN_ABOVE], self.before[-SEEN_ABOVE:], self.text[:SEEN])
        return "\n".join(part for part in context if part)


def scored_units(
    asked: Embedded, found: Sequence[Found], kinds: list[QuestionKind], *, typed: Embedded
) -> list[ScoredUnit]:
    """Return the units of the passages, in their order, each with its score and its nearness.

    `typed` is the question before what it refers to was put into it, if its words are still there.
    """
    rows = list(rows_of(found))
    if not rows:
        return []
    held = [(row.own, row.above) for row in rows]
    sought, own_terms = index_terms(asked.text), index_terms(typed.text)
    if not own_terms or not set(own_terms) <= set(sought):
        typed, own_terms = asked, sought
    weights = rarities(sought, [own for own, _ in held], own_terms)
    names = names_in(typed.text)
    sums = np.array(
        [
            FIT * row.found.fit
            + (WORDS + ANSWERS_HEADING * row.answers_heading) * share(weights, own, above)
            + NAMED * any(name.search(row.text) for name in names)
            - LESS_ELSEWHERE * bool(ELSEWHERE.match(row.text))
            + wording_worth(kinds, row.text, row.unit.form, frozenset(sought))
            for row, (own, above) in zip(rows, held, strict=True)
        ]
    )
    near = nearness(asked, typed, rows, sums)
    chances = 1 / (1 + np.exp(STEEPNESS * (MIDDLE - sums - NEAR * near)))
    return [
        ScoredUnit(row.found.passage, row.unit, float(chance), float(cosine))
        for row, chance, cosine in zip(rows, chances, near, strict=True)
    ]


def rows_of(found: Sequence[Found]) -> Iterator[ReadUnit]:
    """Yield the units of the passages, without lines of contents: headings of other sections."""
    named = [each.passage.heading.rpartition(SEPARATOR)[2] for each in found]
    headings = {*named, *(name.partition(" ")[2] for name in named)}  # with its number and without
    begins = begun_sections(each.passage for each in found)
    for each in found:
        for row in read_units(each, begins_section=each.passage.pk in begins):
            if row.text.removeprefix(BULLET) not in headings:
                yield row


def begun_sections(passages: Iterable[Passage]) -> set[int]:
    """Return the keys of the passages that come first of what was found under their headings."""
    firsts: dict[tuple[object, str], Passage] = {}
    for passage in sorted(passages, key=lambda passage: passage.position or 0):
        firsts.setdefault((passage.document_id, passage.heading), passage)
    return {passage.pk for passage in firsts.values()}


def read_units(found: Found, *, begins_section: bool) -> Iterator[ReadUnit]:
    """Yield the units of a passage in order, each with the sentence that it speaks of."""
    before = ""
    is_first = begins_section and QUESTION.search(found.passage.heading) is not None
    for unit in units_of(found.passage):
        text = unit.of(found.passage.text)
        answers = is_first and unit.form is not UnitForm.ABOVE
        is_first = is_first and not answers
        yield ReadUnit(found, unit, text, before if REFERS.match(text) else "", answers)
        before = text if unit.form is UnitForm.SENTENCE else ""


def names_in(question: str) -> list[re.Pattern[str]]:
    """Return what finds the names of options, files and variables in a question, acronyms, and
    what has a number.

    An option of one letter is another one without its dash, or in capitals.
    """
    acronyms = [] if question.isupper() else ACRONYM.findall(question)
    numbered = [
        name for name in NUMBERED.findall(question) if name.split()[0].lower() not in STOP_WORDS
    ]
    names = dict.fromkeys([*NAME.findall(question), *acronyms, *numbered])
    return [
        re.compile(rf"(?<![\w-]){name}(?![\w-])")
        if len(name.lstrip("-")) == 1
        else re.compile(rf"(?<!\w)(?:--?)?{re.escape(name.lstrip('-'))}(?![\w-])", re.IGNORECASE)
        for name in names
    ]


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


def share(weights: Mapping[str, float], own: set[str], above: set[str]) -> float:
    """Return the weighted share of the question that is held; by what stands above, half of it."""
    return sum(
        weight * (1.0 if term in own else 0.5 if term in above else 0.0)
        for term, weight in weights.items()
    )


def nearness(
    asked: Embedded, typed: Embedded, rows: Sequence[ReadUnit], sums: np.ndarray
) -> np.ndarray:
    """Return the mean cosines with the question and with what was typed, over their spread, of
    the likeliest units.
    """
    near = np.full(len(rows), UNSEEN)
    engine, vector, own = embedder(), asked.vector, typed.vector
    if engine is None or vector is None or own is None:
        return near
    answers = [at for at, row in enumerate(rows) if row.unit.form is not UnitForm.ABOVE]
    likely = sorted(answers, key=lambda at: -sums[at] - FIT * rows[at].found.fit)[:SHORTLIST]
    try:
        vectors = embed_kept(
            engine,
            [rows[at].as_embedded for at in likely],
            [rows[at].found.passage.owner_id for at in likely],
        )
    except EmbeddingError:
        return near
    near[likely] = vectors @ (vector + own) / (2 * engine.spread)
    return near
