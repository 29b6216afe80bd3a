"""HTML: the visible text of a page's main part, under its headings."""

import re
from codecs import BOM_UTF8
from dataclasses import replace
from typing import Any

from lxml import etree

from citations.formats.cleaning import clean_line, clean_names, parse_http_address, split_names
from citations.formats.html.content import find_content
from citations.formats.html.linked_data import read_linked_data
from citations.formats.html.walking import ElementWalk
from citations.formats.metadata import describe_work
from citations.formats.plain.encodings import decode_labelled, detect_encoding
from citations.formats.reading import ISO_DATE, YEAR, BadFile, FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections

CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,30})", re.I)
AS_WINDOWS = re.compile(r"us-ascii|ascii|latin-?1|iso-8859-1")  # as browsers do
AUTHOR_NAMES = (
    "citation_author",
    "author",
    "dc.creator",
    "article:author",
    "parsely-author",
    "schema:author",
)
DATE_NAMES = (
    "citation_publication_date",
    "citation_date",
    "article:published_time",
    "dc.date",
    "dcterms.date",
    "date",
    "schema:datepublished",
)


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of a page, under its headings."""
    root = parse_html(data)
    page = ElementWalk(sections := Sections(limits), hidden=limits.hidden)
    page.read(*find_content(root))
    described = describe(root)
    title = described.title or sections.title
    found = sections.finished(title)
    return replace(described, title=title, sections=found, parts=sections.parts.found)


def parse_html(data: bytes) -> Any:
    """Return the root element, or raise BadFile if the parser gave up."""
    text = decode_page(data).replace("\x00", "")
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
    )
    root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    given_up = (etree.ErrorTypes.ERR_RESOURCE_LIMIT, etree.ErrorTypes.ERR_NO_MEMORY)
    if any(entry.type in given_up for entry in parser.error_log):
        raise BadFile("too_complex")
    if root is None:
        raise BadFile("empty")
    return root


def decode_page(data: bytes) -> str:
    """Decode the page by its byte order mark, its declaration, or else the likeliest encoding."""
    encoding = detect_encoding(data)
    if encoding != "utf-8-sig" or data.startswith(BOM_UTF8):
        return data.decode(encoding, "replace")
    named = CHARSET.search(data[:4096])
    label = named[1].decode().lower() if named else ""
    return decode_labelled(data, "windows-1252" if AS_WINDOWS.fullmatch(label) else label)


def describe(root: Any) -> FileReading:
    """Read the metadata of the page's head."""
    said: dict[str, list[str]] = read_linked_data(root)
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").strip().lower()
        if name and (content := meta.get("content") or ""):
            said.setdefault(name, []).append(content)
    titles = [*said.get("citation_title", []), *said.get("dc.title", []), *said.get("og:title", [])]
    titles += said.get("schema:title", [])
    titles += [element.text or "" for element in root.iter("title")][:1]
    dates = [get_first_value(said, name).replace("/", "-") for name in DATE_NAMES]
    year = YEAR.search(" ".join(dates))
    exact = next(filter(None, map(ISO_DATE.match, dates)), None)
    links = [link.get("href") for link in root.iter("link") if link.get("rel") == "canonical"]
    urls = [parse_http_address(url) for url in [*links, get_first_value(said, "og:url")] if url]
    return FileReading(
        title=next(filter(None, map(clean_line, titles)), ""),
        authors=find_authors(said),
        year=int(year.group()) if year else None,
        date=exact.group() if exact else "",
        url=next(filter(None, urls), ""),
        csl=describe_work(said),
    )


def find_authors(said: dict[str, list[str]]) -> list[str]:
    given = next((said[name] for name in AUTHOR_NAMES if name in said), [])
    given = [name for name in given if not parse_http_address(name)]
    return split_names(given[0]) if len(given) == 1 else clean_names(given)


def get_first_value(said: dict[str, list[str]], name: str) -> str:
    return said.get(name, [""])[0]
