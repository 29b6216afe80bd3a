"""Template filters and tags for the library."""

from datetime import datetime

from django import template
from django.utils.formats import date_format, number_format
from django.utils.translation import get_language_info, gettext as _, gettext_lazy

from chat.rendering.passages import render_passage
from citations import library
from citations.formats import kinds
from citations.formats.parts import PartKind
from citations.models import Document
from citations.readers import file_failures, part_sentences
from memory.models import Job

KIND_CHOICES = {
    "pdf": "PDF",
    "word": "Word",
    "rtf": "RTF",
    "odt": "OpenDocument",
    "sheet": gettext_lazy("Spreadsheet"),
    "slides": gettext_lazy("Presentation"),
    "book": gettext_lazy("E-book"),
    "web": gettext_lazy("Web page"),
    "mail": gettext_lazy("Mail"),
    "markdown": "Markdown",
    "rst": "reStructuredText",
    "text": gettext_lazy("Text"),
}
KIND_NAMES = {kind.media_type: KIND_CHOICES[kind.code] for kind in kinds.KINDS}
WHOSE_CHOICES = {"mine": gettext_lazy("Only mine"), "library": gettext_lazy("Shared library")}

# The share of reading pages in the time that a document takes.
PAGES_TAKE = 0.2

register = template.Library()
register.filter("unreadable", file_failures.get_failure_sentence)


@register.filter
def kind(document: Document) -> str:
    return str(KIND_NAMES.get(document.media_type, document.media_type))


@register.filter
def kind_name(code: str) -> str:
    return str(KIND_CHOICES.get(code, code))


@register.simple_tag
def whose_choices() -> list[tuple[str, str]]:
    return [(code, str(name)) for code, name in WHOSE_CHOICES.items()]


@register.filter
def is_being_read(document: Document, job: Job | None) -> bool:
    """Return whether the document is being read, or waits to be."""
    return document.status == Document.Status.WAITING or job is not None


@register.filter
def percent(document: Document, job: Job | None) -> int | None:
    """Return the progress of reading, if known: pages first, then passages, which take longer."""
    if job is None or not job.total:
        return None
    share = min(job.progress / job.total, 1.0)
    is_cut = library.is_cut(document, job)
    whole = PAGES_TAKE + (1 - PAGES_TAKE) * share if is_cut else PAGES_TAKE * share
    return round(100 * whole)


@register.filter
def reading_status(document: Document, job: Job | None) -> str:
    if document.status == Document.Status.READY:
        done = percent(document, job)
        return _("Waiting to be read again") if done is None else _("Being read again: %d%%") % done
    if job is None or (job.status == Job.Status.WAITING and not job.total):
        return _("Waiting to be read")
    if not job.total:
        return _("Being read")
    far = {
        "done": number_format(min(job.progress + 1, job.total), force_grouping=True),
        "total": number_format(job.total, force_grouping=True),
    }
    if document.passage_count:
        return _("Being indexed: passage %(done)s of %(total)s") % far
    if document.page_count:
        return _("Being read: page %(done)s of %(total)s") % far
    return _("Being read: %d%%") % (percent(document, job) or 0)


@register.filter
def language_name(code: str) -> str:
    """Return a language's name in the reader's language, or its code."""
    try:
        return str(get_language_info(code)["name_translated"]) if code else ""
    except KeyError:
        return code


@register.filter
def work_date(date: str) -> str:
    """Return the date of a work in words, with the precision that is known."""
    try:
        moment = datetime.fromisoformat(f"{date}-01-01"[:10])
    except ValueError:
        return date
    formats = {4: "Y", 7: "YEAR_MONTH_FORMAT", 10: "DATE_FORMAT"}
    return date_format(moment, formats.get(len(date), "Y"))


@register.filter
def is_partly_read(document: Document) -> bool:
    """Return whether unread parts may have text or figures; pictures rarely do."""
    kinds = {part.kind for part in document.unread_parts}
    return bool(kinds - {PartKind.IMAGE} or document.unread)


register.filter("part_name", part_sentences.format_part_name)
register.filter("reason", part_sentences.get_reason_words)
register.filter("outline", library.read_outline)
register.filter("as_html", render_passage)
