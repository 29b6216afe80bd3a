"""What is said of documents without a search: those cited, those there, what an answer cites."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from uuid import UUID

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from chat.extractive.writing import place_line
from chat.turns.replies.plain import MOST_LISTED, PlainReply, as_list, each_of, shown
from citations.models import Citation, Document
from memory.recall import Past, Stored

MOST_TURNS = 10  # that are named as citing a document


def sources(past: Past) -> PlainReply:
    """Return the documents that were cited, each with its turns."""
    if not isinstance(past, Stored):  # what a client tells has no sources
        return PlainReply()
    cited = _cited(past)
    if not cited:
        return PlainReply(_("No document has been cited in this conversation yet."))
    said = ngettext(
        "%(count)d document has been cited in this conversation:",
        "%(count)d documents have been cited in this conversation:",
        len(cited),
    ) % {"count": len(cited)}
    listed = list(cited.items())[:MOST_LISTED]
    lines = [_cited_in(document.title, positions) for document, positions in listed]
    told = {at for _document, positions in listed for at in positions[-MOST_TURNS:]}
    own = _own(document for document, _positions in listed)
    return PlainReply(f"{said}\n\n{as_list(lines)}", each_of(sorted(told)), own)


def _cited(past: Stored) -> dict[Document, list[int]]:
    """Return the documents that are cited, by number, each with the turns that cite it."""
    rows = Citation.objects.filter(source__session=past.session, turn__position__lt=past.before)
    rows = rows.order_by("source__number", "turn__position")
    pairs = rows.values_list("source__number", "source__document", "turn__position").distinct()
    cited: dict[UUID | None, list[int]] = defaultdict(list)
    for _number, document, position in pairs:  # of a removed document there is none
        cited[document].append(position)
    documents = Document.objects.defer("file", "outline", "about").in_bulk(
        [pk for pk in cited if pk]
    )
    return {documents[pk]: positions for pk, positions in cited.items() if pk and pk in documents}


def _cited_in(title: str, positions: Sequence[int]) -> str:
    newest = ", ".join(map(str, positions[-MOST_TURNS:]))
    turns = newest if len(positions) <= MOST_TURNS else f"…, {newest}"
    said = ngettext("%(title)s (turn %(turns)s)", "%(title)s (turns %(turns)s)", len(positions))
    return said % {"title": shown(title), "turns": turns}


def _own(documents: Iterable[Document]) -> frozenset[UUID]:
    return frozenset(document.pk for document in documents if document.owner_id)


def library(past: Past) -> PlainReply:
    """Return how many documents can be asked about here, and which."""
    if not isinstance(past, Stored):  # what a client tells is of no conversation
        return PlainReply()
    rows = Document.objects.ready().readable_by(past.session.owner)
    if past.session.limited_to.exists():
        rows = rows.filter(pk__in=past.session.limited_to.values("document"))
    count = rows.count()
    if not count:
        return PlainReply(_("There is no document yet that could be asked about."))
    said = ngettext(
        "%(count)d document can be asked about here:",
        "%(count)d documents can be asked about here:",
        count,
    ) % {"count": count}
    newest = rows.defer("file", "outline", "about").order_by("-created_at", "-id")
    listed = list(newest[:MOST_LISTED])
    titles = [_known_as(document) for document in listed]
    more = ["…"] if count > MOST_LISTED else []
    return PlainReply(f"{said}\n\n{as_list([*titles, *more])}", names=_own(listed))


def _known_as(document: Document) -> str:
    """Return the title, and whether it is the person's own document: others' can't be read."""
    title = shown(document.title)
    return _("%(title)s (yours)") % {"title": title} if document.owner_id else title


def grounds(past: Past) -> PlainReply:
    """Return the sentences that the last answer cites, and where each stands."""
    if not isinstance(past, Stored):
        return PlainReply()
    turn = past.last_answered
    rows = Citation.objects.filter(turn=turn).select_related("passage__document")
    cited = [row for row in rows if turn and row.passage][:MOST_LISTED]
    if not turn or not cited:
        return PlainReply(_("The answer before cites no document."))
    lines = [f"“{shown(row.quote)}” ({place_line(row.passage)})" for row in cited if row.passage]
    lead = _("The answer before stands on these words, each of which its number opens:")
    return PlainReply(f"{lead}\n\n{as_list(dict.fromkeys(lines))}", each_of([turn.position]))
