"""The documents that a session cites, by its numbers for them."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import translation
from django.utils.html import escape, format_html
from django.utils.translation import gettext as _

from citations.bibliography.formatting import Entry, format_item
from citations.bibliography.styles import LOCALES
from citations.bibliography.suffixes import letter_documents
from citations.models import Citation, Document, Source
from citations.sources.items import build_csl_item
from memory.models import Session, Turn, User

# Columns that a bibliography needs.
DOCUMENT = "owner title authors year url csl file_name media_type language date status created_at"
READ = ["session", "number", "owner_id", *(f"document__{name}" for name in DOCUMENT.split())]


@dataclass(frozen=True)
class CitedDocument:
    """A document under its number; None for a deleted one."""

    number: int
    document: Document | None
    # The positions of the turns whose answers cite it, and the score of its best citation.
    turns: Sequence[int] = ()
    score: float = 0.0
    # The suffix of its year, such as "b", among sources of the same authors.
    suffix: str = ""

    @cached_property
    def item(self) -> dict[str, Any]:
        return build_csl_item(self.document) if self.document else {}

    def format(self, style: str, language: str) -> Entry:
        """Return its entry in a bibliography."""
        if self.document is None:
            removed = _("A document that was removed")
            return Entry(self.number, removed, escape(removed))
        item = self.item | {"year-suffix": self.suffix}
        text, html = format_item(item, style, language)
        if self.document.status == Document.Status.REPLACED:
            mark = _("from an earlier version")
            text, html = f"{text} [{mark}]", format_html("{} [{}]", html, mark)
        return Entry(self.number, text, html)


def list_cited(
    session: Session, *, after: int = 0, before: int | None = None, limit: int | None = None
) -> list[CitedDocument]:
    """Return the documents cited up to a turn, after a number, with three queries."""
    citations = Citation.objects.filter(source__session=session).order_by()
    cited = Source.objects.filter(Exists(citations.filter(source=OuterRef("pk"))), session=session)
    sources = cited.filter(number__gt=after)
    if before is not None:
        citations = citations.filter(turn__position__lt=before)
        sources = sources.filter(Exists(citations.filter(source=OuterRef("pk"))))
    rows = list(sources.select_related("document").only(*READ).order_by("number")[:limit])
    suffixes = _letter_documents([row.document for row in rows if row.document], cited)
    uses: defaultdict[int, dict[int, float]] = defaultdict(dict)
    last = rows[-1].number if rows else after
    shown = citations.filter(source__number__range=(after, last))
    for number, position, score in shown.values_list("source__number", "turn__position", "score"):
        uses[number][position] = max(score, uses[number].get(position, 0.0))
    return [
        CitedDocument(
            row.number,
            row.document,
            sorted(uses[row.number]),
            max(uses[row.number].values(), default=0.0),
            suffixes.get(row.document_id, ""),
        )
        for row in rows
    ]


def _letter_documents(
    documents: Sequence[Document], cited: QuerySet[Source]
) -> dict[UUID | None, str]:
    """Give letters to documents among all that are cited; others are read of their years only."""
    same_years = Q(year__in={document.year for document in documents}) | Q(year=None)
    others = Document.objects.filter(same_years, pk__in=cited.values("document"))
    others = others.exclude(pk__in=[document.pk for document in documents])
    return letter_documents(documents, others.only("owner", "title", "authors", "year"))


def list_citing_turns(
    person: User, document: Document, *, before: UUID | None = None, limit: int
) -> list[Turn]:
    """Return the person's turns whose answers cite the document, newest first, before a turn."""
    sources = Source.objects.filter(document=document, owner_id=person.pk)
    citing = Citation.objects.filter(source__in=sources, owner=person).values("turn")
    turns = Turn.objects.visible(person).filter(pk__in=citing).select_related("session")
    if before is not None:
        turns = turns.filter(pk__lt=before)
    return list(turns.order_by("-pk")[:limit])


def choose_format(person: User, session: Session | None = None, wanted: str = "") -> str:
    """Return the requested format, or else the session's, the person's or the instance's."""
    chosen = wanted or (session.citation_format if session else "") or person.citation_format
    return chosen or str(settings.CITATION_FORMAT)


def choose_language(wanted: str = "") -> str:
    """Return the language of a bibliography's terms: the requested one, or else the reader's."""
    language = (wanted or translation.get_language() or "en")[:2]
    return language if language in LOCALES else "en"
