"""A turn in the API, its events and exports."""

from collections import defaultdict
from typing import Annotated, TypedDict
from uuid import UUID

from django.db.models import Prefetch, QuerySet, prefetch_related_objects
from django.utils import timezone

from chat.models import ContextEarlier, ContextFact
from chat.shapes import answer_failures, citation_styles
from chat.shapes.missed import list_missed
from chat.shapes.resources.attribution import (
    CitationAnswer,
    CitationBase,
    ClaimAnswer,
    ClaimBase,
    SourceAnswer,
    SupportAnswer,
    UnkeptCitationAnswer,
    UnkeptClaimAnswer,
    citation_shape,
    claim_shape,
    find_carrier,
    sources_shape,
    support_shape,
)
from chat.shapes.resources.steps import STEPS, StepAnswer, list_recorded_steps
from chat.shapes.resources.structures import StructuredAnswer, structured_shape
from chat.shapes.resources.vocabulary import Failure, Id, Time, TurnPlace, shape, turn_place_shape
from citations.attribution.citing import Cited
from citations.models import Citation, Claim
from memory.models import FactKind, RewriteSource, Turn
from memory.models.conversations import CitationStyle, Rewriting

DRAWN_FROM = Prefetch(
    "rewrite_sources",
    RewriteSource.objects.select_related("source").only("turn", "source__position"),
)
# Most answers use no other session, so these turns are loaded by a query of their own: naming
# their many columns takes longer than reading them.
OF_ELSEWHERE = Prefetch("turn", Turn.objects.select_related("session"))
DREW_ON = (
    Prefetch("earlier_used", ContextEarlier.objects.prefetch_related(OF_ELSEWHERE).order_by()),
    Prefetch(
        "facts_used",
        ContextFact.objects.prefetch_related("fact").filter(fact__deleted_at=None).order_by("pk"),
    ),
)


class Usage(TypedDict):
    prompt_tokens: int
    response_tokens: int


class RewriteAnswer(TypedDict):
    rewriting: Annotated[str, Rewriting]
    changed: Annotated[bool, "Whether something else was searched for than was typed."]
    reason: str
    confidence: float | None
    drawn_from: Annotated[list[int], "Positions of the turns whose words went into it."]


class TurnBase(TypedDict):
    status: Annotated[str, Turn.Status]
    failure: Annotated[
        Failure | None,
        "Why it failed or was interrupted. Of a turn that is complete: why the language model did "
        "not answer this time, and the built-in answerer did (`model` is `quoting`), or the text "
        "of the try before stands.",
    ]
    timestamp: Time
    query: str
    standalone_query: Annotated[str | None, "The question as it was searched for."]
    rewrite: Annotated[RewriteAnswer | None, "Why it was searched for like that."]
    new_topic: Annotated[bool, "Whether it has nothing to do with the turns before it."]
    outcome: Annotated[
        str | None,
        Turn.Outcome,
        "What the answer is; null as long as there is none. Answers of a language model may also "
        "be `cut` (POST …/continue goes on with it), or, though it was asked once more, `empty`, "
        "`looped` (repeating itself), `other_language`, `filtered` (by its server) or `refused`; "
        "POST …/retry tries those again.",
    ]
    answerability: Annotated[float | None, "How likely the library holds an answer, 0 to 1."]
    intent: Annotated[
        str | None, "The structure that the question seemed to want; null: prose, or not told."
    ]
    structure: Annotated[str | None, "The form that was asked for, or chosen; null: prose."]
    structured_output: Annotated[
        StructuredAnswer | None, "The answer in that form; null if it is prose."
    ]
    unread: Annotated[
        list[str],
        "What was not read of the documents that the answer cites or the question is limited to, "
        "in sentences: where the question names it, or the answer is in doubt.",
    ]
    response: Annotated[
        str,
        "Markdown, citing in the style: with markers [n] (inline), with [^n] and a list of notes "
        "(footnote), or without either (reference). While it is written, what there is. What a "
        "document says stands in it as it is there, HTML, links (`javascript:` too) and addresses "
        "of images: show it without them, but for links to http addresses.",
    ]
    reasoning: Annotated[
        str | None, "What a model that thinks aloud said before its answer: not part of it."
    ]
    pipeline_steps: Annotated[
        list[StepAnswer], "How it was answered, step by step; without content."
    ]
    style: Annotated[str, CitationStyle]
    sources: list[SourceAnswer]
    support: SupportAnswer
    usage: Usage
    model: str
    rating: Annotated[int | None, (1, -1)]
    feedback: str


class EarlierUseAnswer(TurnPlace):
    """A turn of another session that the answer could use."""


class FactUseAnswer(TypedDict):
    fact_id: Id
    text: str


class TurnAnswer(TurnBase):
    turn_id: Id
    session_id: Id
    position: int
    earlier: Annotated[
        list[EarlierUseAnswer],
        "Turns of other sessions that the answer could draw on, with your consent to `recall`.",
    ]
    remembered: Annotated[list[FactUseAnswer], "What you said of yourself that it could draw on."]
    citations: list[CitationAnswer]
    claims: Annotated[list[ClaimAnswer], "What the answer states, each checked."]


class QueryAnswer(TurnBase):
    """A turn that is not stored, so it has no ids."""

    turn_id: None
    session_id: None
    position: None
    citations: list[UnkeptCitationAnswer]
    claims: Annotated[list[UnkeptClaimAnswer], "What the answer states, each checked."]


def load_citations(turns: QuerySet[Turn]) -> QuerySet[Turn]:
    """Load the turns with claims, citations, sources and passages, in a fixed number of queries."""
    citations = Citation.objects.select_related("source__document", "passage").order_by("start")
    citations = citations.annotate(carried_over_from=find_carrier())
    return turns.select_related("session").prefetch_related(
        Prefetch("citations", citations), "claims", DRAWN_FROM, STEPS, *DREW_ON
    )


def turn_shape(turn: Turn, style: str = "") -> TurnAnswer:
    """Return a turn for the API, in its own style or another; load it by `load_citations`."""
    cited = Cited(list(turn.claims.all()), list(turn.citations.all()))
    base, citations, claims = _build(turn, cited, style or turn.style, list_source_positions(turn))
    return {
        "turn_id": str(turn.pk),
        "session_id": str(turn.session_id),
        "position": turn.position,
        "earlier": [turn_place_shape(EarlierUseAnswer, each) for each in list_drawn_turns(turn)],
        "remembered": [
            {"fact_id": str(row.fact_id), "text": row.fact.text} for row in turn.facts_used.all()
        ],
        **base,
        "citations": [
            {
                "citation_id": str(row.pk),
                "claim_id": str(row.claim_id) if row.claim_id else None,
                **each,
            }
            for row, each in zip(cited.citations, citations, strict=True)
        ],
        "claims": [
            {"claim_id": str(claim.pk), **each}
            for claim, each in zip(cited.claims, claims, strict=True)
        ],
    }


def unstored_turn_shape(
    turn: Turn, cited: Cited, limited_to: frozenset[UUID] | None = None
) -> QueryAnswer:
    """Return the turn of an unstored question, limited to these documents."""
    base, citations, claims = _build(turn, cited, turn.style, [], limited_to)
    for claim in claims:
        claim["citations"] = []
    return {
        "turn_id": None,
        "session_id": None,
        "position": None,
        **base,
        "citations": [{"citation_id": None, "claim_id": None, **each} for each in citations],
        "claims": [{"claim_id": None, **each} for each in claims],
    }


def _build(
    turn: Turn,
    cited: Cited,
    style: str,
    positions: list[int],
    limited_to: frozenset[UUID] | None = None,
) -> tuple[TurnBase, list[CitationBase], list[ClaimBase]]:
    """Return the fields of turn, citations and claims, stored or not."""
    places, rows = citation_styles.Places(turn.response, style), cited.citations
    of_claims: dict[UUID | None, Claim] = {claim.pk: claim for claim in cited.claims}
    own: dict[UUID | None, list[Citation]] = defaultdict(list)
    for row in rows:
        own[row.claim_id].append(row)
    citations = [citation_shape(turn, row, places, of_claims.get(row.claim_id)) for row in rows]
    claims = [claim_shape(turn, claim, own[claim.pk], places) for claim in cited.claims]
    sources = sources_shape(rows)
    below = citation_styles.write_footnotes(turn.response, style, sources, citations)
    base = shape(
        TurnBase,
        turn,
        failure=failure_shape(turn.failure),
        timestamp=turn.asked_at.isoformat(),
        rewrite=rewrite_shape(turn, positions),
        structured_output=structured_shape(turn, cited.claims, rows, places),
        unread=list_missed(turn, rows, limited_to),
        response=citation_styles.restyle_text(turn.response, style) + below,
        pipeline_steps=list_recorded_steps(turn),
        style=style,
        sources=sources,
        support=support_shape(cited.claims),
        usage=shape(Usage, turn),
    )
    return base, citations, claims


def draw_text(turn: Turn) -> str:
    """Return the stored answer with the numbers of added citations."""
    added = [row for row in turn.citations.all() if row.is_added]
    return citation_styles.insert_numbers(
        turn.response, [(row.start, row.source.number) for row in added]
    )


def write_text(turn: Turn) -> str:
    """Return the answer in its style, with its footnotes."""
    shown, text = turn_shape(turn), draw_text(turn)
    below = citation_styles.write_footnotes(text, turn.style, shown["sources"], shown["citations"])
    return citation_styles.restyle_text(text, turn.style) + below


def list_source_positions(turn: Turn) -> list[int]:
    """Return the positions of the turns whose words the rewrite of the question uses.

    One query, unless the turn was loaded by `load_citations`.
    """
    prefetch_related_objects([turn], DRAWN_FROM)
    return sorted(row.source.position for row in turn.rewrite_sources.all())


def list_drawn_turns(turn: Turn) -> list[Turn]:
    """Return the unexpired turns of other sessions that the answer could use."""
    now = timezone.now()
    # Sorted here, since sorting would take half of a query of so many columns.
    rows = sorted(turn.earlier_used.all(), key=lambda row: -row.score)
    return [row.turn for row in rows if row.turn.session.expires_at > now]


def list_used_facts(turn: Turn) -> list[ContextFact]:
    """Return the facts about the person that are shown beside the answer.

    A wish shapes every answer, so only replies about the wish show it.
    """
    rows = turn.facts_used.all()
    if turn.outcome in (Turn.Outcome.NOTED, Turn.Outcome.ABOUT_CONVERSATION):
        return list(rows)
    return [row for row in rows if row.fact.kind != FactKind.WISH]


def rewrite_shape(turn: Turn, positions: list[int]) -> RewriteAnswer | None:
    """Return the rewrite of the question and its reason; None before the search."""
    if turn.standalone_query is None or not turn.rewrite_reason:
        return None
    return {
        "rewriting": turn.rewriting,
        "changed": turn.standalone_query != turn.query,
        "reason": turn.rewrite_reason,
        "confidence": turn.rewrite_confidence,
        "drawn_from": positions,
    }


def failure_shape(code: str) -> Failure | None:
    """Return the failure and its message; None if nothing failed."""
    return {"code": code, "message": answer_failures.describe_failure(code)} if code else None
