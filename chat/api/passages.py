"""Endpoints for passages: retrieval alone, and the verification of any text."""

from collections.abc import Collection
from typing import Annotated, TypedDict
from uuid import UUID

from rest_framework.request import Request
from rest_framework.response import Response

from chat.api.schema import queries, serializers
from chat.api.schema.documentation import describe_answer, documented
from chat.api.schema.examples import EXAMPLE_VERIFICATION, VERIFY_EXAMPLES
from chat.protocol.paging import parse_position
from chat.protocol.requests import Endpoint, check_body, check_query, person
from chat.shapes.resources.vocabulary import End, Id, Paged, Start, shape
from citations.index.scope import Scope
from citations.library import get_readable_documents
from citations.models import Claim, Passage
from citations.retrieval import find_passages
from citations.verification import Evidence, VerifiedClaim, verify_text
from memory.models import User
from memory.people import rate_limits

# The last rank that a client can request.
LAST_RANK = 200


class CitedPassage(TypedDict):
    passage_id: int
    document_id: Id
    title: Annotated[str, "Of the document."]
    heading: str
    page: int | None
    text: str


class RankedPassage(CitedPassage):
    rank: Annotated[int, "From 1."]
    score: Annotated[float, "How well it fits the query, 0 to 1."]
    word_score: Annotated[float | None, "By its words; null if they found it not."]
    vector_score: Annotated[float | None, "By its vector; null if that found it not."]


class RankedPassages(Paged):
    passages: list[RankedPassage]


class EvidenceAnswer(CitedPassage):
    score: Annotated[float, "How likely it says what is claimed, 0 to 1."]
    quote: Annotated[str, "The words of the passage that come closest."]
    passage_start: Annotated[int, "Where the quote begins in the passage."]
    passage_end: int


class VerifiedClaimAnswer(TypedDict):
    text: str
    start: Start
    end: End
    state: Annotated[
        str,
        (Claim.State.SUPPORTED, Claim.State.PARTLY, Claim.State.UNSUPPORTED),
        "`partly`: at least half of it.",
    ]
    score: Annotated[float, "Of the passage that supports it best, 0 to 1."]
    passages: Annotated[list[EvidenceAnswer], "The best three, the best first."]


class VerificationAnswer(TypedDict):
    claims: list[VerifiedClaimAnswer]
    left_out: Annotated[int, "Claims behind the first fifty, which were not checked."]


class Retrieval(Endpoint):
    @documented(
        "find_passages",
        "Find the passages that fit a query, the best first; nothing is stored",
        answer=RankedPassages,
        tag="search",
        parameters=[queries.RetrievalPage],
        errors=(404,),
    )
    def get(self, request: Request) -> Response:
        wish = check_query(request, queries.RetrievalPage)
        first = parse_position(wish["cursor"], first=0)
        last = min(first + wish["limit"], LAST_RANK)
        scope = build_scope(person(request), wish["documents"])
        found = find_passages(wish["q"], scope=scope, limit=last + 1)
        more = len(found) > last and last < LAST_RANK
        passages = [
            shape(RankedPassage, each, **passage_shape(each.passage), score=each.fit)
            for each in found[first:last]
        ]
        return Response(RankedPassages(passages=passages, next=str(last) if more else None))


class Verify(Endpoint):
    @documented(
        "verify",
        "Check each claim of a text against the documents; nothing is stored",
        request=serializers.TextToVerify,
        answer=describe_answer(VerificationAnswer, "The claims, in order.", EXAMPLE_VERIFICATION),
        examples=VERIFY_EXAMPLES,
        tag="query",
        errors=(404,),
    )
    def post(self, request: Request) -> Response:
        values = check_body(request, serializers.TextToVerify)
        scope = build_scope(person(request), values["documents"])
        rate_limits.take_turn(person(request))
        verified = verify_text(values["text"], scope)
        claims = [claim_shape(values["text"], each) for each in verified.claims]
        return Response(VerificationAnswer(claims=claims, left_out=verified.left_out))


def build_scope(owner: User, documents: Collection[UUID]) -> Scope:
    """Build the scope of these documents, or of all readable ones. Raises NotFound."""
    return Scope(owner.pk, frozenset(get_readable_documents(owner, documents)) or None)


def passage_shape(passage: Passage) -> CitedPassage:
    return shape(
        CitedPassage,
        passage,
        passage_id=passage.pk,
        document_id=str(passage.document_id),
        title=passage.document.title,
    )


def evidence_shape(evidence: Evidence) -> EvidenceAnswer:
    start, end = evidence.support.start, evidence.support.end
    place = {"passage_start": start, "passage_end": end, "quote": evidence.passage.text[start:end]}
    return shape(EvidenceAnswer, evidence.support, **passage_shape(evidence.passage), **place)


def claim_shape(text: str, claim: VerifiedClaim) -> VerifiedClaimAnswer:
    passages = [evidence_shape(each) for each in claim.evidence]
    words = text[claim.start : claim.end]
    return shape(VerifiedClaimAnswer, claim, text=words, passages=passages)
