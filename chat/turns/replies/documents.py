"""Replies about documents: those cited, those available, the sources of an answer."""

from django.utils.translation import gettext as _, ngettext

from chat.extractive.writing import place_line
from chat.shapes.citation_styles import escape_markdown
from chat.turns.replies.plain import MOST_LISTED, PlainReply, format_list, make_runs, shorten_text
from citations.bibliography.cited import (
    CitedDocument,
    choose_format,
    choose_language,
    list_cited,
)
from citations.models import Citation, Document
from memory.recall import Past, Stored


def list_sources(past: Past) -> PlainReply:
    """Write the bibliography of the conversation, with the turns that use each document."""
    if not isinstance(past, Stored):  # a client's history has no sources
        return PlainReply()
    session = past.session
    cited = [each for each in list_cited(session, before=past.before) if each.document]
    if not cited:
        return PlainReply(_("No document has been cited in this conversation yet."))
    lead = ngettext(
        "%(count)d document has been cited in this conversation:",
        "%(count)d documents have been cited in this conversation:",
        len(cited),
    ) % {"count": len(cited)}
    style, language = choose_format(session.owner, session), choose_language()
    lines = [_write_entry(each, style, language) for each in cited[:MOST_LISTED]]
    lines += ["…"] if len(cited) > MOST_LISTED else []
    told = make_runs(sorted({turn for each in cited for turn in each.turns}))
    own = {each.document.pk for each in cited if each.document and each.document.owner_id}
    # Paragraphs, since each entry begins with its number.
    return PlainReply("\n\n".join([lead, *lines]), told, own)


def _write_entry(cited: CitedDocument, style: str, language: str) -> str:
    """Return the document's entry in Markdown, with its address and its turns."""
    text = cited.format(style, language).text
    address = cited.item.get("URL", "")
    turns = ngettext("turn %(turns)s", "turns %(turns)s", len(cited.turns)) % {
        "turns": ", ".join(map(str, cited.turns[:MOST_LISTED]))
    }
    words = text if address in text else f"{text} {address}"
    # Escaped brackets, since this is no citation marker.
    return f"\\[{cited.number}\\] {escape_markdown(words)} ({turns})"


def describe_library(past: Past) -> PlainReply:
    """Return the number and the titles of the documents in scope."""
    if not isinstance(past, Stored):  # a client's history belongs to no session
        return PlainReply()
    rows = Document.objects.ready().readable_documents(past.session.owner)
    if past.session.limited_to.exists():
        rows = rows.filter(pk__in=past.session.limited_to.values("document"))
    count = rows.count()
    if not count:
        return PlainReply(_("There is no document to ask about yet."))
    lead = ngettext(
        "%(count)d document can be asked about here:",
        "%(count)d documents can be asked about here:",
        count,
    ) % {"count": count}
    newest = rows.defer("file", "outline", "about").order_by("-created_at", "-id")
    listed = list(newest[:MOST_LISTED])
    titles = [
        _("%(title)s (yours)") % {"title": shorten_text(each.title)}
        if each.owner_id
        else shorten_text(each.title)
        for each in listed
    ]
    titles += ["…"] if count > MOST_LISTED else []
    own = {each.pk for each in listed if each.owner_id}
    return PlainReply(f"{lead}\n\n{format_list(titles)}", names=own)


def quote_grounds(past: Past) -> PlainReply:
    """Return the sentences that the last answer cites, with their places."""
    if not isinstance(past, Stored):
        return PlainReply()
    turn = past.last_answered
    rows = Citation.objects.filter(turn=turn).select_related("passage__document")
    cited = [row for row in rows if turn and row.passage][:MOST_LISTED]
    if not turn or not cited:
        return PlainReply(_("The answer before cites no document."))
    lines = [
        f"“{shorten_text(row.quote)}” ({place_line(row.passage)})" for row in cited if row.passage
    ]
    lead = _("The previous answer is based on these words; each number opens its passage:")
    return PlainReply(f"{lead}\n\n{format_list(dict.fromkeys(lines))}", make_runs([turn.position]))
