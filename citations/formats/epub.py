"""EPUB: the chapters of a book in order, each read as a page of HTML."""

import posixpath
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import unquote

from citations.formats import html
from citations.formats.cleaning import clean_line, clean_names, parse_http_address
from citations.formats.html.content import find_content
from citations.formats.html.walking import HEADINGS, ElementWalk
from citations.formats.metadata import describe_work
from citations.formats.office import DC
from citations.formats.office.archive import Parts
from citations.formats.reading import ISO_DATE, YEAR, BadFile, FileReading, Progress, ReadingLimits
from citations.formats.sections import Sections

CONTAINER, ENCRYPTION = "META-INF/container.xml", "META-INF/encryption.xml"
CIPHERED = "{http://www.w3.org/2001/04/xmlenc#}CipherReference"
OPF = "{http://www.idpf.org/2007/opf}"
PAGES = ("application/xhtml+xml", "text/html", "application/x-dtbook+xml")
NAVIGATION, NCX = "nav", "application/x-dtbncx+xml"
MOST_CHAPTERS = 5000


@dataclass(frozen=True)
class Book:
    """The package document of a book: its parts in order, and its metadata."""

    parts: Parts
    chapters: list[str]
    # The title of each part in the table of contents.
    names: dict[str, str]
    about: FileReading


def read(data: bytes, limits: ReadingLimits, progress: Progress) -> FileReading:
    """Return the text of the chapters under their headings."""
    book, sections = open_book(data), Sections(limits)
    walk = ElementWalk(sections, hidden=limits.hidden)
    for at, chapter in enumerate(book.chapters):
        progress(at, len(book.chapters))
        if not sections.full:
            add_chapter(book, chapter, walk)
    found = sections.finished(book.about.title)
    return replace(book.about, sections=found, parts=sections.parts.found)


def add_chapter(book: Book, chapter: str, walk: ElementWalk) -> None:
    """Add a chapter; without a heading of its own, it gets its title in the table of contents."""
    try:
        root = html.parse_html(book.parts.content(chapter))
    except BadFile as refusal:
        if refusal.code != "empty":
            raise
        return
    has_heading = next(root.iter(*HEADINGS), None) is not None
    if not has_heading and (name := book.names.get(chapter)):
        walk.sections.heading(1, name)
    walk.read(*find_content(root))


def open_book(data: bytes) -> Book:
    """Open the book. Raises BadFile."""
    parts = Parts(data)
    container = parts.xml(CONTAINER)
    roots = (each.get("full-path", "") for each in container.iter("{*}rootfile"))
    package = next(filter(parts.has, roots), "")
    if not package:
        raise BadFile("broken")
    root, folder = parts.xml(package), posixpath.dirname(package)
    items = {each.get("id", ""): each for each in root.iter(f"{OPF}item")}
    spine = [items.get(each.get("idref", "")) for each in root.iter(f"{OPF}itemref")]
    chapters = [
        part
        for item in spine[:MOST_CHAPTERS]
        if item is not None and item.get("media-type") in PAGES and not is_navigation(item)
        if parts.has(part := resolve_part(folder, item.get("href", "")))
    ]
    refuse_ciphered(parts, chapters)
    return Book(
        parts, list(dict.fromkeys(chapters)), read_names(parts, folder, items), describe(root)
    )


def is_navigation(item: Any) -> bool:
    return NAVIGATION in (item.get("properties") or "").split()


def resolve_part(folder: str, address: str) -> str:
    path = unquote(address.partition("#")[0])
    return posixpath.normpath(posixpath.join("/", folder, path)).lstrip("/")


def refuse_ciphered(parts: Parts, chapters: list[str]) -> None:
    """Raise BadFile for a book with encrypted chapters; encrypted fonts are no obstacle."""
    if not parts.has(ENCRYPTION):
        return
    ciphered = {
        unquote(each.get("URI", "")).lstrip("/") for each in parts.xml(ENCRYPTION).iter(CIPHERED)
    }
    if ciphered & set(chapters):
        raise BadFile("encrypted")


def read_names(parts: Parts, folder: str, items: dict[str, Any]) -> dict[str, str]:
    """Return the titles of the parts in the table of contents; the first entry counts."""
    named: dict[str, str] = {}
    for item in items.values():
        part = resolve_part(folder, item.get("href", ""))
        if not parts.has(part):
            continue
        entries: list[tuple[str, str]] = []
        if is_navigation(item):
            links = html.parse_html(parts.content(part)).iter("a")
            entries = [(link.get("href", ""), "".join(link.itertext())) for link in links]
        elif item.get("media-type") == NCX:
            points = parts.xml(part).iter("{*}navPoint")
            entries = [
                (point.find("{*}content").get("src", ""), point.findtext("{*}navLabel/{*}text", ""))
                for point in points
                if point.find("{*}content") is not None
            ]
        for address, name in entries:
            named.setdefault(resolve_part(posixpath.dirname(part), address), clean_line(name))
    return named


def describe(root: Any) -> FileReading:
    """Read the package's metadata."""
    said: dict[str, list[str]] = {}
    for each in root.iterfind(f"{OPF}metadata//*"):
        if isinstance(each.tag, str) and each.tag.startswith(DC) and each.text:
            said.setdefault(each.tag.removeprefix(DC), []).append(each.text)
    date = next(iter(said.get("date", [])), "").strip()
    year, exact = YEAR.search(date), ISO_DATE.match(date)
    urls = map(parse_http_address, [*said.get("source", []), *said.get("identifier", [])])
    return FileReading(
        title=clean_line(next(iter(said.get("title", [])), "")),
        authors=clean_names(said.get("creator", [])),
        year=int(year.group()) if year else None,
        date=exact.group() if exact else "",
        url=next(filter(None, urls), ""),
        csl={"type": "book"} | describe_work({f"dc:{name}": said[name] for name in said}),
    )
