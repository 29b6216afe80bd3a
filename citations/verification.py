"""Verification of any text: its claims, and the passages of a library that support them."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.conf import settings

from citations.attribution.checking import Support, check_claims
from citations.attribution.statements import Statement, split_statements
from citations.index.scope import Scope
from citations.models import Claim, Passage
from citations.retrieval import find_passages

# Maximum number of claims in a text, of passages compared with each, and of passages returned.
MOST_CLAIMS, COMPARED, SHOWN = 50, 8, 3


@dataclass(frozen=True)
class Evidence:
    """A passage and its support for a claim."""

    passage: Passage
    support: Support


@dataclass(frozen=True)
class VerifiedClaim:
    """A claim of the text, its state, and the passages that fit it, best first."""

    start: int
    end: int
    said: str
    state: str
    evidence: Sequence[Evidence]

    @property
    def score(self) -> float:
        return max((each.support.score for each in self.evidence), default=0.0)


@dataclass(frozen=True)
class Verification:
    """The checked claims of a text, and the number of claims beyond the limit."""

    claims: Sequence[VerifiedClaim]
    left_out: int


def verify_text(text: str, scope: Scope) -> Verification:
    """Check each claim of the text against the passages in scope."""
    found = split_statements(text, [])
    claims = [verify_claim(each, scope) for each in found[:MOST_CLAIMS]]
    return Verification(claims, max(len(found) - MOST_CLAIMS, 0))


def verify_claim(statement: Statement, scope: Scope) -> VerifiedClaim:
    """Compare a claim with the passages that a search for it finds."""
    found = find_passages(statement.said, scope=scope, limit=COMPARED)
    passages = [each.passage for each in found]
    [row] = check_claims([statement.said], [each.text for each in passages])
    evidence = [Evidence(*each) for each in zip(passages, row, strict=True)]
    evidence.sort(key=lambda each: -each.support.score)
    shown = [each for each in evidence[:SHOWN] if each.support.score > 0]
    state = judge(shown[0].support.score if shown else 0.0)
    return VerifiedClaim(statement.start, statement.end, statement.said, state, shown)


def judge(score: float) -> str:
    """Return the state of a claim without markers, by its best score."""
    if score >= settings.CITATION_THRESHOLD:
        return Claim.State.SUPPORTED
    is_half = score >= settings.CITATION_THRESHOLD / 2
    return Claim.State.PARTLY if is_half else Claim.State.UNSUPPORTED
