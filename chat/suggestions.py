"""Suggested questions, to begin with, to go on with or to ask instead; all have answers.

A document's questions are generated from its text when it is read. Once the document is indexed, a
background job asks each. Only questions that the library answers from that document are kept.
"""

from collections.abc import Iterable, Sequence
from itertools import islice, zip_longest
from uuid import UUID

from django.utils.translation import gettext as _, gettext_noop

from chat.extractive.answerability import SURE, estimate_from_units
from chat.extractive.scorer import score_units
from chat.shapes import transcript
from citations.index.scope import Scope
from citations.ingestion.preparing import CHECK_QUESTIONS
from citations.languages import identify_language
from citations.models import Document
from citations.retrieval import FOUND, find_passages
from citations.session_focus.document_scope import get_scope
from memory.jobs import Lease, job
from memory.models import Turn, User
from memory.models.conversations import shorten_to_title
from memory.text.embedding import Embedded, compute_likeness

SHOWN, SHOWN_NEXT, KEPT = 3, 2, 3
LOOKED_AT = 50
# Similarity from which two questions are duplicates.
THE_SAME = 0.9
# Questions on the sample library, by the title of the answering document.
SAMPLE = {
    "Model Pooling and Servicing Agreement": gettext_noop("What is the Determination Date?"),
    "Notes on PIK3CA: mutations and drugs": gettext_noop("Which drugs target PIK3CA?"),
    "Notes on BRCA1: ovarian cancer": gettext_noop(
        "How high is the risk of ovarian cancer for BRCA1 carriers?"
    ),
    "Role descriptions: backend engineer and frontend engineer": gettext_noop(
        "What does the backend role require?"
    ),
}
# Follow-ups of these questions, which need the conversation to be understood.
SAMPLE_NEXT = {
    "Model Pooling and Servicing Agreement": gettext_noop(
        "And what happens if it falls on a weekend?"
    ),
    "Notes on PIK3CA: mutations and drugs": gettext_noop(
        "Which of them was given with palbociclib?"
    ),
    "Notes on BRCA1: ovarian cancer": gettext_noop("And of breast cancer?"),
    "Role descriptions: backend engineer and frontend engineer": gettext_noop(
        "And the frontend one?"
    ),
}


def list_suggestions(user: User, chosen: Sequence[UUID] = ()) -> list[str]:
    """Return a few questions about the chosen documents, or about the person's newest."""
    ready = Document.objects.readable_documents(user).filter(status=Document.Status.READY)
    rows = ready.filter(pk__in=chosen) if chosen else ready
    newest = list(rows.defer("file", "outline", "about").order_by("-created_at", "-id")[:LOOKED_AT])
    if chosen:
        return interleave(map(list_questions, newest))
    own = [row for row in newest if row.owner_id]
    others = [row for row in newest if not row.owner_id and row.title not in SAMPLE]
    known = {row.title for row in newest if not row.owner_id}
    samples = [_(SAMPLE[title]) for title in SAMPLE if title in known]
    return [
        *interleave(map(list_questions, own)),
        *samples,
        *interleave(map(list_questions, others)),
    ][:SHOWN]


def list_questions(document: Document) -> list[str]:
    """Return questions on a document: those of its profile, or else about its subject."""
    if document.title in SAMPLE and not document.owner_id:
        return [_(SAMPLE[document.title]), *document.questions]
    if document.questions or not (document.title and document.about):
        return list(document.questions)
    return [_("What is “%(title)s” about?") % {"title": shorten_to_title(document.title)}]


def interleave(lists: Iterable[Sequence[str]]) -> list[str]:
    """Return the first of each, then the second of each, up to the number shown."""
    rounds = zip_longest(*lists)
    asked = (question for each in rounds for question in each if question)
    return list(islice(dict.fromkeys(asked), SHOWN))


def follow_ups(turn: Turn) -> list[str]:
    """Return questions of the cited document, as follow-ups of a conversation's first answer."""
    if turn.position != 1 or turn.outcome != Turn.Outcome.ANSWERED:
        return []
    sources = transcript.list_cited_sources(turn)
    document = sources[0].document if sources else None
    if document is None:
        return []
    if document.title in SAMPLE and turn.query == _(SAMPLE[document.title]):
        return [_(SAMPLE_NEXT[document.title])]
    if identify_language(turn.query) not in ("", document.language):
        return []
    others = [each for each in document.questions if each != turn.query]
    near = compute_likeness(turn.query, others)
    return [each for each, alike in zip(others, near, strict=True) if alike < THE_SAME][:SHOWN_NEXT]


def suggest_instead(turn: Turn) -> list[str]:
    """Return questions that the library answers, in place of one that it doesn't."""
    if turn.outcome != Turn.Outcome.NOTHING_FOUND:
        return []
    return list_suggestions(turn.owner, list(get_scope(turn) or ()))


@job(CHECK_QUESTIONS)
def check_questions(lease: Lease) -> None:
    """Keep the first of a document's questions that the library answers from it."""
    document = Document.objects.ready().filter(pk=lease.subject).first()
    made = list(document.questions) if document else []
    answered = (each for each in made if document and is_answered(each, document))
    kept = list(islice(answered, KEPT))
    with lease.finishing():
        if document is not None and kept != made:
            document.questions = kept
            document.save(update_fields=["questions"])


def is_answered(question: str, document: Document) -> bool:
    """Return whether a search of the whole library answers the question from the document."""
    asked, scope = Embedded(question), Scope(owner=document.owner_id)
    found = find_passages(asked, scope=scope, limit=FOUND)
    units = score_units(asked, found)
    if estimate_from_units(question, found, units, scope) < SURE:
        return False
    best = max((each for each in units if each.can_answer), key=lambda each: each.score)
    return best.passage.document_id == document.pk
