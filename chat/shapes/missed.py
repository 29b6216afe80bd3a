"""Notices of unread parts of documents, which an answer may lack."""

from collections.abc import Iterable
from uuid import UUID

from django.utils.translation import gettext as _

from citations.index.scope import Scope
from citations.models import Citation, Document
from citations.readers.part_sentences import unread_sentence
from citations.session_focus.document_scope import get_scope
from citations.session_focus.unread_parts import (
    find_named_kinds,
    list_limited_documents,
    list_named_unread_parts,
    list_other_unread_parts,
)
from memory.models import Turn

IN_DOUBT = frozenset({Turn.Outcome.UNSURE, Turn.Outcome.NOTHING_FOUND})
MOST_SENTENCES, LONGEST_TITLE = 5, 90


def list_missed(
    turn: Turn, citations: Iterable[Citation], limited_to: frozenset[UUID] | None = None
) -> list[str]:
    """List the unread parts of documents that the answer cites or is limited to, in sentences.

    Only if the question names the kind of part, or its answer is in doubt.
    """
    names_kinds = bool(find_named_kinds(turn.query))
    if not names_kinds and turn.outcome not in IN_DOUBT:
        return []
    documents = _drop_repeated(row.source.document for row in citations)
    if names_kinds or not documents:
        limit = limited_to if turn._state.adding else get_scope(turn)
        scope = Scope(owner=turn.owner_id, documents=limit)
        documents = _drop_repeated([*list_limited_documents(scope), *documents])
    found = list_named_unread_parts(turn.query, documents)
    if not found and turn.outcome in IN_DOUBT:
        found = list_other_unread_parts(documents)
    return [
        _("“%(title)s”: %(unread)s")
        % {"title": document.title[:LONGEST_TITLE], "unread": unread_sentence(part)}
        for document, part in found[:MOST_SENTENCES]
    ]


def _drop_repeated(documents: Iterable[Document | None]) -> list[Document]:
    return list({each.pk: each for each in documents if each}.values())
