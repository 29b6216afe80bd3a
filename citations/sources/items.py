"""The CSL-JSON item of a document, validated: data from files and people is untrusted."""

import html
import re
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple, get_args

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic_core import PydanticCustomError

from citations.formats.cleaning import MAX_NAME, MAX_URL, clean_line, parse_http_address
from citations.formats.kinds import HTML
from citations.models import Document
from citations.sources.identifiers import parse_doi, parse_isbn, parse_issn
from citations.sources.names import format_full_name, parse_name

# The types that citeproc-py knows.
SourceType = Literal[
    "article", "article-journal", "article-magazine", "article-newspaper", "bill", "book",
    "broadcast", "chapter", "entry-dictionary", "entry-encyclopedia", "figure", "graphic",
    "interview", "legal_case", "legislation", "manuscript", "map", "motion_picture", "pamphlet",
    "paper-conference", "patent", "personal_communication", "post", "post-weblog", "report",
    "review", "review-book", "song", "speech", "thesis", "treaty", "webpage",
]  # fmt: skip
SOURCE_TYPES: tuple[str, ...] = get_args(SourceType)
UNKNOWN_TYPE = "article"
MAX_AUTHORS = 200
MAX_TEXT = 500
TAG = re.compile(r"</?[A-Za-z!][^<>]*>")
ISO = re.compile(r"(\d{4})(?:[-/](\d{1,2})(?:[-/](\d{1,2}))?)?(?!\d)")
WRONG = {
    "type": _("Choose one of the types."),
    "DOI": _("This is not a DOI: a DOI begins with 10. and has a slash."),
    "ISBN": _("This is not an ISBN: its check digit is wrong."),
    "ISSN": _("This is not an ISSN: its check digit is wrong."),
    "issued": _("There is no such date."),
    "accessed": _("There is no such date."),
    "URL": _("This is not a web address."),
}


class Problem(NamedTuple):
    """A rejected field and the reason."""

    field: str
    message: str | Promise


def _clean_text(value: Any) -> Any:
    if isinstance(value, int | float) and not isinstance(value, bool):
        value = str(value)
    if not isinstance(value, str):
        return value
    return clean_line(TAG.sub("", html.unescape(value[: MAX_TEXT * 10])), MAX_TEXT)


def _make_validator(parse: Callable[[str], str]) -> AfterValidator:
    def parse_value(value: str) -> str:
        try:
            return parse(value) if value else ""
        except ValueError as error:
            raise PydanticCustomError("syntax", "wrong") from error

    return AfterValidator(parse_value)


def _check_address(text: str) -> str:
    if not (address := parse_http_address(text)):
        raise ValueError(text)
    return address


Text = Annotated[str, BeforeValidator(_clean_text)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class ItemName(_Strict):
    family: Text = ""
    given: Text = ""
    literal: Text = ""


def _read_names(value: Any) -> Any:
    """Parse names, as CSL-JSON or as text; those beyond MAX_AUTHORS are left out."""
    if not isinstance(value, list):
        return value
    rows = [
        parse_name(_clean_text(row)) if isinstance(row, str) else row for row in value[:MAX_AUTHORS]
    ]
    known = set(ItemName.model_fields)
    kept = [
        {k: v for k, v in row.items() if k in known} if isinstance(row, dict) else row
        for row in rows
    ]
    return [row for row in kept if not isinstance(row, dict) or any(row.values())]


def _read_date(value: Any) -> Any:
    """Parse {"date-parts": [[y, m, d]]}, {"year": …}, or text that begins with an ISO date."""
    if isinstance(value, Mapping):
        parts = value.get("date-parts") or [[value.get(name) for name in ("year", "month", "day")]]
        text = value.get("raw") or value.get("literal") or ""
        value = parts[0] if isinstance(parts, list) and parts else None
        if not value or value == [None] * 3:
            value = text
    if isinstance(value, int):
        value = [value]
    if isinstance(value, str):
        found = ISO.match(value.strip())
        value = list(found.groups()) if found else None
    if not isinstance(value, list) or not value:
        raise PydanticCustomError("date", "wrong")
    return {"date-parts": [_validate_date(value)]}


def _validate_date(parts: Sequence[Any]) -> list[int]:
    given = [part for part in parts[:3] if part not in (None, "")]
    try:
        numbers = [int(str(part)[:4]) for part in given]
        date(*[*numbers, 1, 1][:3])
    except (TypeError, ValueError) as error:
        raise PydanticCustomError("date", "wrong") from error
    return numbers


class ItemDate(BaseModel):
    date_parts: list[list[int]] = Field(alias="date-parts")


Names = Annotated[list[ItemName], BeforeValidator(_read_names)]
Date = Annotated[ItemDate, BeforeValidator(_read_date)]


class SourceItem(_Strict):
    """A CSL-JSON item without its id."""

    type: SourceType | None = None
    title: Text = ""
    author: Names = []
    editor: Names = []
    container_title: Text = Field("", alias="container-title")
    publisher: Text = ""
    publisher_place: Text = Field("", alias="publisher-place")
    volume: Text = ""
    issue: Text = ""
    page: Text = ""
    DOI: Annotated[Text, _make_validator(parse_doi)] = ""
    ISBN: Annotated[Text, _make_validator(parse_isbn)] = ""
    ISSN: Annotated[Text, _make_validator(parse_issn)] = ""
    edition: Text = ""
    language: Text = ""
    accessed: Date | None = None
    issued: Date | None = None
    URL: Annotated[str, Field(max_length=MAX_URL), _make_validator(_check_address)] = ""
    # The number of authors before some were left out.
    custom: dict[Literal["author-count"], int] = {}


FIELDS = frozenset(field.alias or name for name, field in SourceItem.model_fields.items())


def clean_item(raw: Mapping[str, Any]) -> tuple[dict[str, Any], list[Problem]]:
    """Validate an item; rejected fields are left out and listed."""
    given: dict[str, Any] = {name: value for name, value in raw.items() if name in FIELDS}
    problems = [Problem(name, _("There is no such field.")) for name in raw if name not in FIELDS]
    authors = given.get("author")
    if isinstance(authors, list) and len(authors) > MAX_AUTHORS:
        given["custom"] = {"author-count": len(authors)}
    try:
        item = SourceItem.model_validate(given)
    except ValidationError as error:
        wrong = dict.fromkeys(str(each["loc"][0]) for each in error.errors(include_input=False))
        problems += [Problem(name, WRONG.get(name, _("This can't be taken."))) for name in wrong]
        item = SourceItem.model_validate({k: v for k, v in given.items() if k not in wrong})
    found = item.model_dump(by_alias=True, exclude_none=True)
    return _drop_empty(found), problems


def _drop_empty(item: dict[str, Any]) -> dict[str, Any]:
    """Leave out empty fields, empty parts of names, and names that become empty."""
    lists = {k: v for k, v in item.items() if k in ("author", "editor")}
    names = {k: [name for row in v if (name := _drop_empty(row))] for k, v in lists.items()}
    return {name: value for name, value in (item | names).items() if value}


def build_item_columns(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values of a document's columns for a valid item, with all of it as `csl`."""
    columns: dict[str, Any] = {"csl": dict(item)}
    if title := item.get("title"):
        columns["title"] = clean_line(title)
    if authors := item.get("author"):
        columns["authors"] = [clean_line(format_full_name(name), MAX_NAME) for name in authors]
    if issued := item.get("issued"):
        columns["year"] = issued["date-parts"][0][0]
    if url := item.get("URL"):
        columns["url"] = url
    return columns


def build_csl_item(document: Document) -> dict[str, Any]:
    """Return the complete CSL-JSON item of any document, with its id.

    Title, authors, year and URL are the document's columns; `csl` only adds detail to them.
    """
    stored, _problems = clean_item(document.known_csl)
    item = {"id": str(document.pk), "type": _guess_type(document)} | stored
    item["title"] = document.title or document.file_name or stored.get("title", "")
    authors: list[str] = document.authors or []
    if [format_full_name(name) for name in stored.get("author", [])] != authors:
        item["author"] = [parse_name(name) for name in authors]
    if find_year(stored) != document.year:
        item["issued"] = _build_issued(document)
    item["URL"] = document.url
    item.setdefault("language", document.language)
    if item["URL"] and item["type"] == "webpage" and "accessed" not in item:
        added = document.created_at
        item["accessed"] = {"date-parts": [[added.year, added.month, added.day]]}
    return {name: value for name, value in item.items() if value}


def find_year(item: Mapping[str, Any]) -> int | None:
    """Return the year in which the item was issued, if it is known."""
    return item["issued"]["date-parts"][0][0] if item.get("issued") else None


def _build_issued(document: Document) -> dict[str, Any] | None:
    """Return the document's date from `csl`, if it is in the document's year."""
    if document.year is None:
        return None
    if document.date.startswith(f"{document.year:04}"):
        return {"date-parts": [[int(part) for part in document.date.split("-")]]}
    return {"date-parts": [[document.year]]}


def _guess_type(document: Document) -> str:
    return "webpage" if document.media_type == HTML else UNKNOWN_TYPE
