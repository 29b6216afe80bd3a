"""The form for a document's bibliographic data."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from chat.forms.conversations import DocumentForm, LinesField
from citations.models import Document
from citations.sources.items import (
    MAX_AUTHORS,
    MAX_TEXT,
    UNKNOWN_TYPE,
    build_csl_item,
    build_item_columns,
    clean_item,
)
from citations.sources.names import invert_name

TYPE_NAMES = {
    UNKNOWN_TYPE: _("Not known"), "article-journal": _("Article in a journal"),
    "article-magazine": _("Article in a magazine"), "article-newspaper": _("Newspaper article"),
    "book": _("Book"), "chapter": _("Chapter of a book"), "paper-conference": _("Conference paper"),
    "report": _("Report"), "thesis": _("Thesis"), "webpage": _("Web page"),
    "post-weblog": _("Blog post"), "entry-encyclopedia": _("Encyclopedia entry"),
    "legislation": _("Law"), "legal_case": _("Court decision"), "patent": _("Patent"),
    "speech": _("Talk or slides"), "personal_communication": _("Letter or mail"),
    "interview": _("Interview"), "manuscript": _("Manuscript"), "map": _("Map"),
    "motion_picture": _("Film"),
}  # fmt: skip
DATES = ("year", "month", "day")
# The item's fields by the form's fields, where both have the same text.
TEXTS = {
    "container_title": "container-title", "publisher": "publisher", "volume": "volume",
    "issue": "issue", "page": "page", "edition": "edition", "language": "language",
    "doi": "DOI", "isbn": "ISBN", "issn": "ISSN", "url": "URL", "title": "title", "type": "type",
}  # fmt: skip
FORM_FIELDS = {item: name for name, item in TEXTS.items()} | {"issued": "year", "author": "authors"}


def _make_text_field(label: Any) -> forms.CharField:
    return forms.CharField(label=label, max_length=MAX_TEXT, required=False)


class SourceForm(DocumentForm):
    """A document's bibliographic data; once valid, the values of `item_columns`."""

    type = forms.ChoiceField(label=_("Type"), required=False)
    authors = LinesField(label=_("Authors"), required=False, most=MAX_AUTHORS)
    editors = LinesField(label=_("Editors"), required=False, most=MAX_AUTHORS)
    container_title = _make_text_field(_("Journal, book or site"))
    publisher = _make_text_field(_("Publisher"))
    volume, issue, page = (
        _make_text_field(_("Volume")),
        _make_text_field(_("Issue")),
        _make_text_field(_("Pages")),
    )
    month = forms.IntegerField(label=_("Month"), min_value=1, max_value=12, required=False)
    day = forms.IntegerField(label=_("Day"), min_value=1, max_value=31, required=False)
    doi, isbn, issn = _make_text_field("DOI"), _make_text_field("ISBN"), _make_text_field("ISSN")
    edition, language = _make_text_field(_("Edition")), _make_text_field(_("Language"))

    field_order = (
        "type title authors year month day container_title publisher volume issue page url doi"
        " isbn issn edition editors language"
    ).split()

    def __init__(self, data: Any = None, *, document: Document) -> None:
        self.document = document
        super().__init__(data, initial=_build_initial(build_csl_item(document)))
        kept = self.initial["type"]
        others = [] if kept in TYPE_NAMES else [(kept, kept)]
        self.fields["type"].choices = [*TYPE_NAMES.items(), *others]  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        given = self.cleaned_data
        item: dict[str, Any] = {
            name: given[field] for field, name in TEXTS.items() if given.get(field)
        }
        item |= {"author": given.get("authors", []), "editor": given.get("editors", [])}
        date = {name: given.get(name) for name in DATES}
        if any(date.values()):
            item["issued"] = date
        kept = {name: self.document.known_csl.get(name) for name in ("accessed", "publisher-place")}
        found, problems = clean_item(item | {name: value for name, value in kept.items() if value})
        for field, message in problems:
            self.add_error(FORM_FIELDS.get(field), str(message))
        empty: dict[str, Any] = {"authors": [], "year": None, "url": ""}
        return empty | build_item_columns(found)


def _build_initial(item: Mapping[str, Any]) -> dict[str, Any]:
    values = {field: item.get(name, "") for field, name in TEXTS.items()}
    people = {"authors": item.get("author", []), "editors": item.get("editor", [])}
    values |= {field: [invert_name(name) for name in names] for field, names in people.items()}
    parts = item.get("issued", {}).get("date-parts", [[]])[0]
    return values | dict(zip(DATES, parts, strict=False))
