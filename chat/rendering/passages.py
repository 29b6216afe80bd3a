"""A passage as HTML: its paragraphs, lists, tables and code, the quote marked in them."""

import re
from collections.abc import Callable, Iterator, Sequence
from html import escape
from itertools import groupby

from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from chat.rendering.formulas import draw_formulas
from citations.formats.blocks import BODY_ROWS, BULLET, CELLS, INDENTATION, ROWS, BlockKind, Span
from citations.models import Citation, Passage
from memory.text.citation_markers import strip_markers
from memory.text.plain import render_plain_text

# Kinds of parts that form one list or table.
GROUPS = {BlockKind.ITEM: "list", **dict.fromkeys(ROWS, "table")}
# Focusable, since it may scroll.
CODE = '<pre tabindex="0"><code>%s</code></pre>'
TABLE = '<div class="passage-table" tabindex="0" role="group" aria-label="%s">'
CLASSES = {
    BlockKind.CAPTION: "caption",
    BlockKind.FORMULA: "formula",
    BlockKind.FOOTNOTE: "footnote",
}
CLASSES |= {BlockKind.HEADING: "heading"}
QUOTED = re.compile(r"(?m)^[ \t]{0,3}(?:> ?)+")
SOUGHT = "<mark data-sought>"
WORD = re.compile(r"\w")
DOT = "\N{BULLET} "  # the bullet of an item in plain text
Place = tuple[int, int]
Write = Callable[..., str]


def render_passage(passage: Passage, quote: str = "", lines: Sequence[str] = ()) -> SafeString:
    """Return the passage as HTML with the quoted words marked."""
    return render_text(passage.text, passage.spans, quote, lines)


def render_text(
    text: str, spans: Sequence[Span], quote: str = "", lines: Sequence[str] = ()
) -> SafeString:
    """Return a text as HTML, by its parts if it has any."""
    marked = find_places(lines, quote, text)
    # The page scrolls to the last mark, since its lead may be far above it.
    sought = marked[-1][0] if len(marked) > 1 else -1

    def written(start: int, end: int, draw: Callable[[str], str] = draw_formulas) -> str:
        html, at = "", start
        for begin, stop in marked:
            first, last = max(at, begin), min(end, stop)
            if first < last:
                tag = SOUGHT if first == sought else "<mark>"
                html += f"{draw(text[at:first])}{tag}{draw(text[first:last])}</mark>"
                at = last
        return html + draw(text[at:end])

    whole = spans or [Span(0, len(text), BlockKind.PARAGRAPH)]
    html = "".join(_render_groups(text, whole, written))
    return mark_safe(html)  # noqa: S308 - all of the text is escaped


def list_quoted_lines(citation: Citation) -> list[str]:
    """Return the lines of the answer that the citation covers, in the passage's form.

    An item of a list may be quoted under the list's lead, without the items between.
    """
    claimed = citation.turn.response[citation.claim_start : citation.start]
    lines = render_plain_text(strip_markers(QUOTED.sub("", claimed))).splitlines()
    return [line.removeprefix(DOT).replace("\t", CELLS) for line in map(str.strip, lines) if line]


def find_cited_places(citation: Citation) -> list[Place]:
    """Return the spans of the quote in the citation's passage; empty if it isn't found."""
    passage, start, end = citation.passage, citation.passage_start, citation.passage_end
    if passage is None:
        return []
    places = find_places(list_quoted_lines(citation), citation.quote, passage.text)
    if len(places) == 1 and start is not None and end is not None:
        return [(start, end)]
    return [place for place in places if place[0] >= 0]


def find_places(lines: Sequence[str], quote: str, text: str) -> list[Place]:
    """Return the spans of consecutive lines, or of the whole quote if a line is missing."""
    whole = find_place(quote, text)
    places = _find_in_order(lines, text, max(whole[0], 0))
    if not places and lines:
        before = _find_in_order(lines, text, 0)
        begins = any(at <= whole[0] and not WORD.search(text, at, whole[0]) for at, _ in before)
        places = before if begins else []
    return places or [whole]


def _find_in_order(lines: Sequence[str], text: str, at: int) -> list[Place]:
    """Return the spans of the lines in order from an offset; empty if one is missing."""
    places: list[Place] = []
    for line in lines:
        begin, at = find_place(line, text, at)
        if begin < 0:
            return []
        if places and not WORD.search(text, places[-1][1], begin):
            begin = places.pop()[0]
        places.append((begin, at))
    return places


def find_place(quote: str, text: str, after: int = 0) -> Place:
    """Return the span of the quote in the text, with any white space between its words."""
    words = [re.escape(word) for word in quote.split()]
    found = re.compile(r"\s+".join(words)).search(text, after) if words else None
    return found.span() if found else (-1, -1)


def group_of_kind(span: Span) -> str:
    """Return the group of a part and its neighbours: a list, a table, or its own kind."""
    return GROUPS.get(BlockKind(span.kind), span.kind)


def _render_groups(text: str, spans: Sequence[Span], written: Write) -> Iterator[str]:
    for group, members in groupby(spans, key=group_of_kind):
        found = list(members)
        if group == "table":
            yield from (_render_table(text, rows, written) for rows in _group_tables(found))
        elif group == "list":
            items = "".join(_render_item(text, span, written) for span in found)
            yield f'<ul class="passage-list">{items}</ul>'
        elif group == BlockKind.CODE:
            yield from (CODE % written(*span[:2], escape) for span in found)
        else:
            name = CLASSES.get(BlockKind(group))
            kind = f' class="passage-{name}"' if name else ""
            yield from (f"<p{kind}>{written(*span[:2])}</p>" for span in found)


def _render_item(text: str, span: Span, written: Write) -> str:
    """Return an item, with the list's bullet and its own number."""
    start = span.start
    level = 0
    while text.startswith(INDENTATION, start) and start < span.end:
        start += len(INDENTATION)
        level += 1
    is_bullet = text.startswith(BULLET, start)
    start += len(BULLET) * is_bullet
    name = f"level-{min(level, 4)}{'' if is_bullet else ' is-numbered'}"
    return f'<li class="{name}">{written(start, span.end)}</li>'


def _group_tables(rows: Sequence[Span]) -> Iterator[list[Span]]:
    """Yield the rows of each table: a header after a row begins another one."""
    table: list[Span] = []
    for row in rows:
        if table and row.kind == BlockKind.HEADER and table[-1].kind in BODY_ROWS:
            yield table
            table = []
        table.append(row)
    yield table


def _render_table(text: str, rows: Sequence[Span], written: Write) -> str:
    cells = [list(_find_cells(text, row)) for row in rows]
    width = max(map(len, cells))
    lines = [
        (row.kind, _render_row(found, width, written, row.kind))
        for row, found in zip(rows, cells, strict=True)
    ]
    head = "".join(line for kind, line in lines if kind == BlockKind.HEADER)
    body = "".join(line for kind, line in lines if kind in BODY_ROWS)
    head = f"<thead>{head}</thead>" if head else ""
    # The table scrolls in its own frame, also by keyboard.
    opening = TABLE % escape(_("Table"))
    return f"{opening}<table>{head}<tbody>{body}</tbody></table></div>"


def _find_cells(text: str, row: Span) -> Iterator[tuple[int, int]]:
    start = row.start
    for cell in text[row.start : row.end].split(CELLS):
        yield start, start + len(cell)
        start += len(cell) + len(CELLS)


def _render_row(cells: Sequence[tuple[int, int]], width: int, written: Write, kind: str) -> str:
    tag, scope = ("th", ' scope="col"') if kind == BlockKind.HEADER else ("td", "")
    filled = "".join(f"<{tag}{scope}>{written(*cell)}</{tag}>" for cell in cells)
    # A screen reader would announce an empty header cell.
    opening = '<tr class="is-total">' if kind == BlockKind.TOTAL else "<tr>"
    return f"{opening}{filled}{'<td></td>' * (width - len(cells))}</tr>"
