"""Attributing: matching each statement of an answer with the offered passages that support it.

Markers are hints. If the passages that a statement names don't support it, the others are compared.
A better passage of a named document takes over the citation; otherwise the best one is added.
"""

import time
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from itertools import islice
from uuid import UUID

from django.conf import settings

from citations.attribution import checking
from citations.attribution.checking import Support
from citations.attribution.checking.reading import read_text
from citations.attribution.offers import EXACT, Judged, Marker, Reference, find_exact_place
from citations.attribution.statements import (
    LONGEST,
    Statement,
    is_unfinished,
    place_of_number,
    split_clauses,
    split_statements,
)
from citations.attribution.streaming import Citing
from citations.models import Claim
from memory.text.words import extract_terms, split_words

State = Claim.State
# Statements checked between two looks at the clock.
AT_ONCE = 16
# Minimum gain in score for which a second passage is cited.
GAIN = 0.1
# With fewer words, too many passages match for a citation to be moved.
FEWEST_WORDS = 3


class CheckTooSlow(Exception):
    """The check exceeded its time limit."""


class Checker:
    """Checks an answer's statements against the offered passages, in bounded time."""

    def __init__(self, citing: Citing, question: str, seconds: float) -> None:
        self.citing, self.question = citing, question
        self._until = time.monotonic() + seconds
        offers = {offer.passage.pk: offer for offer in self.citing.offers.values()}
        self._offers = list(offers.values())
        self._column = {pk: column for column, pk in enumerate(offers)}
        self._read = cache(read_text)
        self._passages = [offer.passage.text for offer in self._offers]
        self._hinted = {self._column[offer.passage.pk] for offer in self.citing.hints}

    def check(self, found: Sequence[Statement]) -> list[Judged]:
        """Return the judged statements. Raises CheckTooSlow."""
        judged: list[Judged] = []
        for at in range(0, len(found), AT_ONCE):
            some = found[at : at + AT_ONCE]
            quoted = [self._quoted(each) for each in some]
            open_ones = [each for each, exact in zip(some, quoted, strict=True) if exact is None]
            said = [each.said[:LONGEST] for each in open_ones]
            # "They are" and "Yes" claim the question.
            texts = [
                one if extract_terms(one) else f"{self.question} {one}"[:LONGEST] for one in said
            ]
            rows = iter(self._supports(texts, self._passages))
            for each, exact in zip(some, quoted, strict=True):
                judged.append(self._judged(each, next(rows)) if exact is None else exact)
        return judged

    def _supports(self, texts: Sequence[str], passages: Sequence[str]) -> list[list[Support]]:
        if time.monotonic() > self._until:
            raise CheckTooSlow
        if not texts:
            return []
        return checking.check_claims(texts, passages, read=self._read)

    def _quoted(self, statement: Statement) -> Judged | None:
        """Return the judged quotation if each passage that it names contains it, else None."""
        if not statement.is_quotation or not statement.markers:
            return None
        places = [
            find_exact_place(statement.said, marker.offer.passage.text)
            for marker in statement.markers
        ]
        if not all(places):
            return None
        clauses = split_clauses(self.citing.text, statement)
        references = [
            Reference(marker.offer, marker.start, clause.start, Support(1.0, *place), marker)
            for marker, clause, place in zip(statement.markers, clauses, places, strict=True)
            if place
        ]
        return Judged(statement.start, statement.end, State.SUPPORTED, 1.0, references, *EXACT)

    def _judged(self, statement: Statement, row: Sequence[Support]) -> Judged:
        named = self._columns(statement.markers)
        references = self._named(statement, row)
        score = max((row[column].score for column in named), default=0.0)
        if 0 < score < settings.CITATION_THRESHOLD and len(named) > 1:
            score = max(score, self._together(statement.said, sorted(named)))
        if len(named) > 1 and references:
            score = max(score, min(reference.support.score for reference in references))
        if named and score >= settings.CITATION_THRESHOLD:
            return self._made(statement, State.SUPPORTED, score, references)
        return self._elsewhere(statement, row, named, score, references)

    def _elsewhere(
        self,
        statement: Statement,
        row: Sequence[Support],
        named: set[int],
        score: float,
        references: list[Reference],
    ) -> Judged:
        """Judge by the passages that the statement doesn't name, those of named documents first."""
        own = {self._offers[column].document_id for column in named}
        best, chosen = self._find_best_unnamed(statement, row, named, own)
        says = {self._offers[column].document_id: column for column in chosen}
        if best >= settings.CITATION_THRESHOLD:
            state = State.ELSEWHERE if says.keys() - own and named else State.SUPPORTED
        elif max(score, best) >= settings.CITATION_THRESHOLD / 2:
            state = State.PARTLY
        else:
            state = State.UNSUPPORTED if named else State.UNCITED
        if best < settings.CITATION_THRESHOLD / 2 or best <= score:
            return self._made(statement, state, max(score, best), references)
        place = place_of_number(self.citing.text, statement.start, statement.end)
        added = [
            Reference(self._offers[column], place, statement.start, row[column])
            for document, column in says.items()
            if document not in own and statement.is_open
        ]
        is_said = (
            best >= settings.CITATION_THRESHOLD and len(split_words(statement.said)) >= FEWEST_WORDS
        )
        moves = says if is_said else {}
        moved = [self._moved(each, moves.get(each.offer.document_id), row) for each in references]
        return self._made(statement, state, max(score, best), [*moved, *added])

    def _find_best_unnamed(
        self, statement: Statement, row: Sequence[Support], named: set[int], own: set[UUID]
    ) -> tuple[float, list[int]]:
        """Return the best score among unnamed passages, with that passage or a pair."""
        others = [column for column in range(len(row)) if column not in named]
        others.sort(key=lambda column: (-row[column].score, column not in self._hinted, column))
        beside = [column for column in others if self._offers[column].document_id in own]
        if beside and row[beside[0]].score >= settings.CITATION_THRESHOLD:
            others = beside
        if not others:
            return 0.0, []
        best, first = row[others[0]].score, self._offers[others[0]].document_id
        second = (column for column in others if self._offers[column].document_id != first)
        pair = [others[0], *islice(second, 1)]
        if 0 < best < settings.CITATION_THRESHOLD and row[pair[-1]].score > 0:
            both = self._together(statement.said, pair)
            if both >= max(settings.CITATION_THRESHOLD, best + GAIN):
                return both, pair
        return best, others[:1]

    def _moved(self, named: Reference, column: int | None, row: Sequence[Support]) -> Reference:
        """Return the reference, moved to a better passage of its document if there is one."""
        if column is None or row[column].score <= named.support.score:
            return named
        return replace(named, offer=self._offers[column], support=row[column])

    def _together(self, said: str, columns: Sequence[int]) -> float:
        union = "\n\n".join(self._passages[column] for column in columns)
        return self._supports([said], [union])[0][0].score

    def _named(self, statement: Statement, row: Sequence[Support]) -> list[Reference]:
        """Return a reference for each marker, scored for the words that the marker ends."""
        clauses = split_clauses(self.citing.text, statement)
        own = [clause.said if clause.said != statement.said else "" for clause in clauses]
        parts = list(dict.fromkeys(said for said in own if said)) if len(set(own)) > 1 else []
        columns = sorted(self._columns(statement.markers))
        rows = self._supports(parts, [self._passages[column] for column in columns])
        scores = dict(zip(parts, rows, strict=True))
        references = []
        for marker, clause, said in zip(statement.markers, clauses, own, strict=True):
            column = self._column[marker.offer.passage.pk]
            support = scores[said][columns.index(column)] if said in scores else row[column]
            references.append(Reference(marker.offer, marker.start, clause.start, support, marker))
        return references

    def _made(
        self, statement: Statement, state: str, score: float, references: list[Reference]
    ) -> Judged:
        made_by = (checking.METHOD, checking.VERSION)
        return Judged(statement.start, statement.end, state, round(score, 3), references, *made_by)

    def _columns(self, markers: Sequence[Marker]) -> set[int]:
        return {self._column[marker.offer.passage.pk] for marker in markers}


def check(
    citing: Citing,
    *,
    found: Sequence[Statement] | None = None,
    question: str = "",
    only_quotations: bool = False,
    was_cut: bool = False,
    seconds: float = 5.0,
) -> list[Judged]:
    """Return the finished answer's claims, judged by the offered passages. Raises CheckTooSlow.

    In an answer that the product wrote itself, only quotations are claims.
    """
    if not citing.offers:
        return []
    if found is None:
        found = split_statements(citing.text, citing.markers, citing.asides)
    if only_quotations:
        found = [each for each in found if each.is_quotation]
    if was_cut and found and is_unfinished(citing.text, found[-1]):
        found = found[:-1]
    return Checker(citing, question, seconds).check(found)
