"""A conversation as its page shows it: the newest turns, and earlier ones page by page."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import Prefetch

from chat.models import ContextPassage, ContextRecord, ContextTurn
from chat.shapes.resources.attribution import read_carrier
from chat.shapes.resources.turns import load_citations
from citations.models import Citation, Claim, Document
from memory.conversations.attempts import open_attempt
from memory.models import Session, Summary, Turn
from memory.recall.history import SUMMARISED
from memory.recall.summaries.contents import read_whole

SHOWN = 30


@dataclass(frozen=True)
class Transcript:
    """Turns in order, with a cursor to earlier ones and whether there are later ones."""

    turns: list[Turn]
    before: int | None = None
    has_later: bool = False


@dataclass(frozen=True)
class CitedSource:
    """A cited document by number: its first citation in the answer, and the cited pages."""

    number: int
    document: Document | None
    citation: Citation
    pages: list[int]
    carried_over_from: int | None


def read_transcript(session: Session, *, before: int | None = None) -> Transcript:
    """Return the newest turns of the session, or those before the position."""
    rows = load_citations(session.turns.all()).order_by("-position")
    if before is not None:
        rows = rows.filter(position__lt=before)
    newest = list(rows[: SHOWN + 1])
    turns = newest[:SHOWN][::-1]
    earlier = turns[0].position if len(newest) > SHOWN else None
    return Transcript(turns, earlier, before is not None and before <= session.last_position)


@dataclass(frozen=True)
class InShort:
    """The turns that prompts have as a summary, and the summary of the whole conversation."""

    first: int
    last: int
    summary: Summary


def preview(session: Session) -> InShort | None:
    """Return the range of turns that the newest prompt had as a summary, if any."""
    records = ContextRecord.objects.filter(turn__session=session).exclude(gaps=[])
    newest = records.order_by("-turn__position", "-attempt")
    gaps = newest.values_list("gaps", flat=True).first() or []
    told = [gap for gap in gaps if gap["reason"] == SUMMARISED]
    summary = read_whole(session) if told else None
    return InShort(told[0]["first"], told[-1]["last"], summary) if summary else None


def read_text_so_far(turn: Turn) -> str:
    """Return the written part of the turn's answer."""
    attempt = open_attempt(turn.pk) if turn.is_open else None
    return attempt.partial if attempt else turn.response


def list_cited_sources(turn: Turn) -> list[CitedSource]:
    """Return the documents that the answer cites, each once, by number."""
    cited: dict[int, list[Citation]] = {}
    for citation in turn.citations.all():
        cited.setdefault(citation.source.number, []).append(citation)
    return [
        CitedSource(
            number,
            rows[0].source.document,
            rows[0],
            _list_pages(rows),
            next(filter(None, map(read_carrier, rows)), None),
        )
        for number, rows in sorted(cited.items())
    ]


@dataclass(frozen=True)
class Others:
    """The statements of an answer in a state other than supported."""

    state: str
    label: str
    count: int


@dataclass(frozen=True)
class AnswerSupport:
    """The counts of an answer's statements: all, supported, and others by state."""

    claims: int
    supported: int
    others: list[Others]


def summarise_support(turn: Turn) -> AnswerSupport | None:
    """Return the support of the answer's statements; None if none was checked."""
    counts = Counter(claim.state for claim in turn.claims.all())
    supported = counts[Claim.State.SUPPORTED]
    others = [
        Others(state.value, str(state.label), counts[state])
        for state in Claim.State
        if counts[state] and state != Claim.State.SUPPORTED
    ]
    return AnswerSupport(counts.total(), supported, others) if counts else None


def find_better(citation: Citation) -> Citation | None:
    """Return the citation added for an unsupported citation's claim, if any."""
    if citation.claim is None or citation.is_added or citation.is_supported:
        return None
    rows = citation.claim.citations.filter(is_added=True).select_related("source")
    return rows.order_by("-score").first()


def _list_pages(citations: Iterable[Citation]) -> list[int]:
    passages = (citation.passage for citation in citations)
    return sorted({passage.page for passage in passages if passage and passage.page})


def load_newest_context(turn: Turn) -> ContextRecord | None:
    """Return the newest context record of the turn: three queries."""
    passages = ContextPassage.objects.select_related("passage__document").order_by("rank")
    rows = turn.context_records.order_by("-attempt").prefetch_related(
        Prefetch("turns", ContextTurn.objects.order_by("position")),
        Prefetch("passages", passages),
    )
    return rows.first()
