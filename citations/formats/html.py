"""HTML: what a reader of the page would see of its main part, under its headings."""

import re
from codecs import BOM_UTF8, BOM_UTF16_BE, BOM_UTF16_LE
from dataclasses import replace
from typing import Any

from lxml import etree

from citations.formats.blocks import BULLET
from citations.formats.cleaning import names, one_line, sensible_names, web_address
from citations.formats.reading import YEAR, Limits, Progress, Reading, Refused, silent
from citations.formats.sections import Sections

HEADINGS = {f"h{level}": level for level in range(1, 7)}
UNSEEN = frozenset(
    "head script style noscript template nav footer svg math iframe object embed canvas audio video"
    " map button select datalist dialog title".split()
)
UNSEEN_ROLES = {"navigation", "banner", "contentinfo", "search", "menu", "menubar"}
HIDING_STYLE = re.compile(
    r"display\s*:\s*none|visibility\s*:\s*hidden|(?:font-size|opacity)\s*:\s*0(?![.\d])", re.I
)
GLANCE = 2000  # characters in which text and a title are looked for at first
SPACE = re.compile(r"\s+")
LINES = frozenset("li dt dd option summary".split())
BLOCKS = LINES | frozenset(
    "address article aside blockquote body center details div dl fieldset figcaption figure form"
    " header hr main ol p pre section table tbody tfoot thead tr ul caption legend".split()
)
CELLS = ("td", "th")
CHARSET = re.compile(rb"<meta[^>]{0,200}?charset\s*=\s*[\"']?\s*([\w-]{2,30})", re.I)
# The names under which Python's own decoders are safe; others may not be text encodings at all.
ENCODINGS = re.compile(
    r"utf-?8|utf-16(?:le|be)?|iso-8859-\d{1,2}|windows-12\d\d|koi8-[ru]|shift_jis|euc-(?:jp|kr)"
    r"|iso-2022-jp|gbk|gb2312|gb18030|big5|macintosh"
)
AS_WINDOWS = re.compile(r"us-ascii|ascii|latin-?1|iso-8859-1")  # what browsers do
AUTHOR_NAMES = ("citation_author", "author", "dc.creator", "article:author", "parsely-author")
DATE_NAMES = (
    "citation_publication_date",
    "citation_date",
    "article:published_time",
    "dc.date",
    "dcterms.date",
    "date",
)


def inspect(data: bytes, limits: Limits, progress: Progress = silent) -> Reading:
    """Return what the head says, after looking whether there is text."""
    root = tree(data)
    described = about(root)
    glance = Page(Limits(pages=0, characters=GLANCE))
    glance.read(main_part(root))
    if not glance.sections.finished(""):
        raise Refused("empty")
    return replace(described, title=described.title or glance.sections.first_heading)


def read(data: bytes, limits: Limits, progress: Progress) -> Reading:
    """Return the text of a page, under its headings."""
    root = tree(data)
    page = Page(limits)
    page.read(main_part(root))
    described = about(root)
    title = described.title or page.sections.first_heading
    found, unread = page.sections.finished(title), page.sections.unread
    return replace(described, title=title, sections=found, unread=unread)


def tree(data: bytes) -> Any:
    """Return the root element, or raise Refused for what the parser had to give up on."""
    text = decoded(data).replace("\x00", "")
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True
    )
    root = etree.fromstring(text.encode("utf-8", "replace"), parser)
    given_up = (etree.ErrorTypes.ERR_RESOURCE_LIMIT, etree.ErrorTypes.ERR_NO_MEMORY)
    if any(entry.type in given_up for entry in parser.error_log):
        raise Refused("too_complex")
    if root is None:
        raise Refused("empty")
    return root


def decoded(data: bytes) -> str:
    """Return the page as text, in the encoding that it names, else UTF-8, else Windows'."""
    for mark, encoding in ((BOM_UTF8, "utf-8"), (BOM_UTF16_LE, "utf-16"), (BOM_UTF16_BE, "utf-16")):
        if data.startswith(mark):
            return data.decode(encoding, "replace").removeprefix("\ufeff")
    named = CHARSET.search(data[:4096])
    label = named[1].decode().lower() if named else ""
    if AS_WINDOWS.fullmatch(label):
        return data.decode("windows-1252", "replace")
    if ENCODINGS.fullmatch(label) and not label.startswith("utf"):
        return data.decode(label, "replace")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data.decode("utf-8" if label.startswith("utf") else "windows-1252", "replace")


def main_part(root: Any) -> Any:
    """Return the page's one main element if it marks one, else all of it."""
    mains = list(root.iter("main"))
    return mains[0] if len(mains) == 1 else root


def about(root: Any) -> Reading:
    """Return what the page's head says about it."""
    said: dict[str, list[str]] = {}
    for meta in root.iter("meta"):
        name = (meta.get("name") or meta.get("property") or "").strip().lower()
        if name and (content := meta.get("content") or ""):
            said.setdefault(name, []).append(content)
    titles = [*said.get("citation_title", []), *said.get("dc.title", []), *said.get("og:title", [])]
    titles += [element.text or "" for element in root.iter("title")][:1]
    year = YEAR.search(" ".join(first(said, name) for name in DATE_NAMES))
    links = [link.get("href") for link in root.iter("link") if link.get("rel") == "canonical"]
    urls = [web_address(url) for url in [*links, first(said, "og:url")] if url]
    return Reading(
        title=next(filter(None, map(one_line, titles)), ""),
        authors=authors(said),
        year=int(year.group()) if year else None,
        url=next(filter(None, urls), ""),
    )


def authors(said: dict[str, list[str]]) -> list[str]:
    given = next((said[name] for name in AUTHOR_NAMES if name in said), [])
    given = [name for name in given if not web_address(name)]
    return names(given[0]) if len(given) == 1 else sensible_names(given)


def first(said: dict[str, list[str]], name: str) -> str:
    return said.get(name, [""])[0]


class Page:
    """Walks the elements in order and gives their text to the sections."""

    def __init__(self, limits: Limits) -> None:
        self.sections = Sections(limits)
        self._words: list[str] = []
        self._cells: list[str] = []
        # How many of them are open.
        self._items = self._pres = self._rows = 0

    def read(self, root: Any) -> None:
        # An iterator instead of a recursion: pages may be nested two thousand deep.
        walker = etree.iterwalk(root, events=("start", "end"))
        for event, element in walker:
            if self.sections.full:
                return
            if event == "end":
                if not unseen(element):
                    self._close(element.tag)
                self._text(element.tail if element is not root else "")
            elif unseen(element):
                walker.skip_subtree()
            else:
                self._open(element.tag)
                self._text(element.text)
        self._flush()

    def _open(self, tag: str) -> None:
        if tag == "br":
            self._words.append("\n")
        elif tag in BLOCKS or tag in HEADINGS or tag in CELLS:
            self._flush()
        self._items += tag in LINES
        self._pres += tag == "pre"
        self._rows += tag == "tr"

    def _close(self, tag: str) -> None:
        if tag in CELLS and self._rows == 1:
            self._cells.append(" ".join(self._taken().split()))
        elif tag == "tr" and self._rows == 1:
            self.sections.row(self._cells)
            self._cells = []
        elif tag in HEADINGS and not self._rows:
            self.sections.heading(HEADINGS[tag], self._taken())
        elif tag in BLOCKS or tag in HEADINGS or tag in CELLS:
            self._flush()
        self._items -= tag in LINES
        self._pres -= tag == "pre"
        self._rows -= tag == "tr"

    def _text(self, text: str | None) -> None:
        if text:
            self._words.append(text if self._pres else SPACE.sub(" ", text))

    def _flush(self) -> None:
        """End a paragraph or an item; in a row it goes on, because a row is one line."""
        if self._rows:
            self._words.append(" ")
        elif self._items:
            self.sections.item(self._taken(), BULLET)
        else:
            self.sections.paragraph(self._taken())

    def _taken(self) -> str:
        text = "".join(self._words)
        self._words = []
        return text if self._pres else "\n".join(line.strip() for line in text.split("\n"))


def unseen(element: Any) -> bool:
    """Tell whether a browser would not show the element, or it is for finding one's way."""
    if (
        not isinstance(element.tag, str)
        or element.tag in UNSEEN
        or element.get("hidden") is not None
    ):
        return True
    style, role = element.get("style"), element.get("role")
    return bool(style and HIDING_STYLE.search(style)) or role in UNSEEN_ROLES
