"""The read and unread parts of a file, as sentences for people."""

from collections.abc import Sequence
from itertools import groupby

from django.utils.translation import (
    gettext as _,
    gettext_lazy as lazy,
    ngettext,
    ngettext_lazy as plural,
)

from citations.formats.parts import Part, PartKind, Reason

NAMES = {
    PartKind.PAGE: plural("%(number)d page", "%(number)d pages", "number"),
    PartKind.SHEET: plural("%(number)d sheet", "%(number)d sheets", "number"),
    PartKind.SLIDE: plural("%(number)d slide", "%(number)d slides", "number"),
    PartKind.ROW: plural("%(number)d row", "%(number)d rows", "number"),
    PartKind.HEADER: plural(
        "%(number)d header or footer", "%(number)d headers and footers", "number"
    ),
    PartKind.NOTE: plural(
        "%(number)d footnote or endnote", "%(number)d footnotes and endnotes", "number"
    ),
    PartKind.SPEAKER_NOTE: plural("%(number)d speaker note", "%(number)d speaker notes", "number"),
    PartKind.COMMENT: plural("%(number)d comment", "%(number)d comments", "number"),
    PartKind.FIELD: plural("%(number)d form field", "%(number)d form fields", "number"),
    PartKind.TEXT_BOX: plural("%(number)d text box", "%(number)d text boxes", "number"),
    PartKind.CHART: plural("%(number)d chart", "%(number)d charts", "number"),
    PartKind.ATTACHMENT: plural("%(number)d attachment", "%(number)d attachments", "number"),
    PartKind.IMAGE: plural("%(number)d image", "%(number)d images", "number"),
    PartKind.HIDDEN_ROW: plural("%(number)d hidden row", "%(number)d hidden rows", "number"),
    PartKind.HIDDEN_COLUMN: plural(
        "%(number)d hidden column", "%(number)d hidden columns", "number"
    ),
    PartKind.HIDDEN_SHEET: plural("%(number)d hidden sheet", "%(number)d hidden sheets", "number"),
    PartKind.HIDDEN_SLIDE: plural("%(number)d hidden slide", "%(number)d hidden slides", "number"),
    PartKind.HIDDEN_TEXT: plural("%(number)d hidden text", "%(number)d hidden texts", "number"),
    PartKind.CHANGE: plural("%(number)d tracked change", "%(number)d tracked changes", "number"),
    PartKind.FORMULA: plural("%(number)d formula", "%(number)d formulas", "number"),
}
REASONS = {
    Reason.NO_TEXT: lazy("no text, perhaps a scanned picture"),
    Reason.BEYOND_LIMIT: lazy("beyond a limit of size or time"),
    Reason.BROKEN: lazy("damaged"),
    Reason.ENCRYPTED: lazy("protected by a password"),
    Reason.UNSUPPORTED: lazy("of a kind that can’t be read"),
    Reason.NO_VALUE: lazy(
        "no result in the file; save it in a spreadsheet program and add it again"
    ),
    Reason.LEFT_OUT: lazy("hidden, and left out here"),
}
MAX_RANGES = 12


def format_part_name(part: Part) -> str:
    """Return the number of parts in words, with their pages."""
    if part.kind is PartKind.TEXT:
        return _("The text near the end") if part.reason else _("Text")
    pages = format_page_ranges(part.pages)
    if part.kind is PartKind.PAGE and pages:
        return ngettext("Page %(pages)s", "Pages %(pages)s", part.number) % {"pages": pages}
    name = NAMES[part.kind] % {"number": part.number}
    if not pages:
        return name
    place = ngettext("page %(pages)s", "pages %(pages)s", len(part.pages)) % {"pages": pages}
    return f"{name} ({place})"


def unread_sentence(part: Part) -> str:
    """Return a sentence that names the unread parts and the reason."""
    number = 1 if part.kind is PartKind.TEXT else part.number
    return ngettext(
        "%(parts)s was not read: %(reason)s.", "%(parts)s were not read: %(reason)s.", number
    ) % {"parts": format_part_name(part), "reason": get_reason_words(part)}


def get_reason_words(part: Part) -> str:
    """Return the reason of unread parts in words, if there is one."""
    return str(REASONS[part.reason]) if part.reason else ""


def format_page_ranges(pages: Sequence[int]) -> str:
    """Return the page numbers in the usual form: 3, 7–9 and 12."""
    numbered = groupby(enumerate(pages), lambda pair: pair[1] - pair[0])  # constant within a run
    runs = [[page for _at, page in run] for _key, run in numbered]
    parts = [str(run[0]) if len(run) == 1 else f"{run[0]}–{run[-1]}" for run in runs]
    if len(parts) > MAX_RANGES:
        return _("%(some)s and more") % {"some": ", ".join(parts[:MAX_RANGES])}
    if len(parts) < 2:
        return "".join(parts)
    return _("%(some)s and %(last)s") % {"some": ", ".join(parts[:-1]), "last": parts[-1]}
