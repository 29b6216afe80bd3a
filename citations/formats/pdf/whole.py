"""The whole document: pages without their running lines, joined, under the document's headings."""

import itertools
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from citations.formats.blocks import BlockKind
from citations.formats.cleaning import sensible_title
from citations.formats.pdf import running
from citations.formats.pdf.columns import ENDS, Fonts, letters_of
from citations.formats.pdf.lines import Flow, TextLine
from citations.formats.pdf.structure import UnfinishedBlock, drafts
from citations.formats.pdf.words import join_lines
from citations.formats.sections import Sections, is_remark

# Levels of headings that are told by their looks stand below all of the outline's.
BY_LOOKS = 20
MOST_LOOKS = 6
# In sizes of the body: the type of a title.
LARGEST, LONGEST_TITLE = 1.25, 200
# "2. Methods", so many of them, and such a share of all that look so.
NUMBERED = re.compile(r"(\d{1,2})\. [^\W\d_a-z][^.!?:;]{2,80}$")
FEWEST_NUMBERED, NEARLY_ALL = 3, 0.8
# In sizes: the width of a character; and what is longer, in characters, is more than a stray line.
WIDTH, SHORTEST_TEXT = 0.5, 60
# What a lead leads to.
LED = (BlockKind.ITEM, BlockKind.CODE, BlockKind.FORMULA)
ASIDE = (BlockKind.FOOTNOTE, BlockKind.CAPTION, BlockKind.HEADER, BlockKind.ROW)

Headings = dict[int, list[tuple[int, str]]]


@dataclass
class PageBlocks:
    """The blocks of a page, and where it is in the document, from 0."""

    index: int
    drafts: list[UnfinishedBlock]


def add_pages(pages: Sequence[Sequence[Flow]], headings: Headings, sections: Sections) -> str:
    """Add the pages to the sections, each heading where it stands; return the title shown first."""
    kept = list(without_running(pages))
    headings = take_steps_out(kept, headings)
    fonts = Fonts.of(line for flows in kept for flow in flows for line in flow)
    found = [
        PageBlocks(index, list(page_drafts(flows, fonts, headings.get(index, []))))
        for index, flows in enumerate(kept)
    ]
    for page in found:
        page.drafts = joined_columns(page.drafts, fonts)
    join_pages(found, fonts)
    every = [draft for page in found for draft in page.drafts]
    mark_numbered(every)
    outlined = {letters_of(text) for entries in headings.values() for _, text in entries}
    mark_list_titles(every, outlined, fonts)
    levels = heading_levels(found)
    for page in found:
        sections.page(page.index + 1)
        add_page(page, levels, headings.get(page.index, []), sections)
    return shown_title(found, fonts)


def shown_title(pages: Sequence[PageBlocks], fonts: Fonts) -> str:
    """Return what stands in the largest type on the first page, if it reads as a title."""
    first = next((page.drafts for page in pages if page.drafts), [])
    first = [each for each in first if any(map(str.isalpha, each.text))]  # no number of a customer
    largest = max((each.size for each in first), default=0.0)
    # A journal's name may be as large as the title, but is no longer.
    runs = groupby(first, key=lambda each: each.size > largest - 0.6)
    titles = [[each.text for each in run] for is_large, run in runs if is_large]
    lines = max(titles, key=lambda run: len(" ".join(run)), default=[])
    title = sensible_title(" ".join(lines))
    is_title = largest >= LARGEST * fonts.body and len(lines) <= 3 and len(title) <= LONGEST_TITLE
    return title if is_title and len(title.split()) > 1 else ""


def take_steps_out(pages: list[list[Flow]], headings: Headings) -> Headings:
    """Empty the slides that are shown whole on the next page, step by step; their headings go on
    to it.
    """
    moved = {index: list(found) for index, found in headings.items()}
    said = [[line.text for flow in flows for line in flow] for flows in pages]
    for at, (lines, following) in enumerate(itertools.pairwise(said)):
        if lines and lines[:1] == following[:1] and not Counter(lines) - Counter(following):
            pages[at] = []
            if at in moved:
                known = moved.get(at + 1, [])
                moved[at + 1] = [*(each for each in moved.pop(at) if each not in known), *known]
    return moved


def page_drafts(
    flows: Sequence[Flow], fonts: Fonts, outlined: Sequence[tuple[int, str]]
) -> Iterator[UnfinishedBlock]:
    titles = {letters_of(text) for _, text in outlined} - {""}
    for flow in flows:
        yield from drafts(flow, fonts, titles)


def without_running(pages: Sequence[Sequence[Flow]]) -> Iterator[list[Flow]]:
    """Yield the columns of each page without running lines and contents."""
    ordered = [page_rows([line for flow in flows for line in flow]) for flows in pages]
    gone = running.running([[row for row, _ in rows] for rows in ordered])
    lines = {
        id(line) for rows in ordered for row, parts in rows if id(row) in gone for line in parts
    }
    in_order = [
        [line for flow in flows for line in flow if id(line) not in lines] for flows in pages
    ]
    lines |= running.contents(in_order)
    for flows in pages:
        kept = ([line for line in flow if id(line) not in lines] for flow in flows)
        yield [flow for flow in kept if flow]


def page_rows(lines: Sequence[TextLine]) -> list[tuple[TextLine, list[TextLine]]]:
    """Return what stands at one height on a page, in whatever column, from the top."""
    rows: list[list[TextLine]] = []
    for line in sorted(lines, key=lambda line: -line.y):
        if rows and rows[-1][0].y - line.y < 0.3 * line.size:
            rows[-1].append(line)
        else:
            rows.append([line])
    return [(TextLine([each for line in row for each in line.segments]), row) for row in rows]


# --- Joining --------------------------------------------------------------------------------------


def joined_columns(found: Sequence[UnfinishedBlock], fonts: Fonts) -> list[UnfinishedBlock]:
    """Join paragraphs that go on in the next column."""
    kept: list[UnfinishedBlock] = []
    for draft in found:
        if kept and goes_on(kept[-1], draft):
            kept[-1].text = join_lines([kept[-1].text, draft.text], fonts.known)
            kept[-1].room = draft.room
        else:
            kept.append(draft)
    return kept


def join_pages(pages: Sequence[PageBlocks], fonts: Fonts) -> None:
    """Join what goes on over a page's end: a paragraph to its beginning, a table to its header."""
    open_end: UnfinishedBlock | None = None
    for page, after in itertools.pairwise(pages):
        # Of a page that is nothing but the rest of a paragraph nothing is left.
        open_end = last_of(page.drafts) if page.drafts else open_end
        if not after.drafts:
            continue
        first = next((each for each in after.drafts if each.kind not in ASIDE), None)
        if open_end is not None and first is not None and goes_on(open_end, first):
            open_end.text = join_lines([open_end.text, first.text], fonts.known)
            open_end.room = first.room
            after.drafts.remove(first)
        head = header_of(page.drafts)
        begun = after.drafts[0] if after.drafts else None
        is_row = begun is not None and begun.kind == BlockKind.ROW
        if head and begun and is_row and len(begun.cells) == len(head[-1].cells):
            after.drafts[:0] = head


def last_of(found: Sequence[UnfinishedBlock]) -> UnfinishedBlock | None:
    return next((each for each in reversed(found) if each.kind not in ASIDE), None)


def goes_on(above: UnfinishedBlock, below: UnfinishedBlock) -> bool:
    """Return whether the second is the rest of the first."""
    is_unfinished = (
        above.kind in (BlockKind.PARAGRAPH, BlockKind.ITEM)
        and below.kind == BlockKind.PARAGRAPH
        and abs(above.size - below.size) < 0.6
        and not ENDS.search(above.text)
        and len(above.text) > 40
    )
    return is_unfinished and (
        below.text[:1].islower() or above.text.endswith(("-", ",")) or is_cut(above, below)
    )


def is_cut(above: UnfinishedBlock, below: UnfinishedBlock) -> bool:
    """Return whether a sentence that goes on with a name or a number was parted where its column
    was full: the next word had no room there.
    """
    word = below.text.partition(" ")[0]
    is_text = len(below.text) > SHORTEST_TEXT or ENDS.search(below.text) is not None
    is_full = above.room is not None and above.room < (len(word) + 1) * WIDTH * below.size
    return is_full and is_text


def header_of(found: Sequence[UnfinishedBlock]) -> list[UnfinishedBlock]:
    """Return the header rows of the table that a page ends with."""
    rows = [each for each in found if each.kind != BlockKind.FOOTNOTE]
    if not rows or rows[-1].kind != BlockKind.ROW:
        return []
    at = len(rows) - 1
    while at and rows[at].kind == BlockKind.ROW:
        at -= 1
    end = at + 1
    while at >= 0 and rows[at].kind == BlockKind.HEADER:
        at -= 1
    return list(rows[at + 1 : end])


# --- Headings -------------------------------------------------------------------------------------


def mark_numbered(found: Sequence[UnfinishedBlock]) -> None:
    """Make headings of short items that stand alone above text and count on through the document.

    Some publishers set "1. Introduction" in the type of the text.
    """
    alone = [
        (int(match[1]), draft)
        for draft, below in itertools.pairwise(found)
        if draft.kind == BlockKind.ITEM and below.kind == BlockKind.PARAGRAPH
        if (match := NUMBERED.match(draft.text))
    ]
    counted: list[UnfinishedBlock] = []
    for number, draft in alone:
        if number == len(counted) + 1:
            counted.append(draft)
    if len(counted) >= max(FEWEST_NUMBERED, NEARLY_ALL * len(alone)):
        largest = max((each.size for each in found if each.kind == BlockKind.HEADING), default=0.0)
        for draft in counted:
            # Below the title only: names of authors may be larger, too.
            draft.kind, draft.size = BlockKind.HEADING, max(draft.size, largest - 0.5)


def mark_list_titles(
    found: Sequence[UnfinishedBlock], outlined: Collection[str], fonts: Fonts
) -> None:
    """Make captions of small headings between a lead and its list: they are that list's, but for
    those of the outline.
    """
    for above, title, below in zip(found, found[1:], found[2:], strict=False):
        is_led = above.kind == BlockKind.PARAGRAPH and above.text.endswith((":", "："))
        is_title = title.kind == BlockKind.HEADING and title.size <= LARGEST * fonts.body
        is_known = is_led and is_title and letters_of(title.text) in outlined
        if is_led and is_title and below.kind in LED and not (is_known or is_remark(title.text)):
            title.kind = BlockKind.CAPTION


def heading_levels(pages: Iterable[PageBlocks]) -> dict[tuple[float, bool], int]:
    """Return a level for each look of a heading: the larger, the higher."""
    looks = {
        look_of(each) for page in pages for each in page.drafts if each.kind == BlockKind.HEADING
    }
    ordered = sorted(looks, reverse=True)
    return {look: BY_LOOKS + min(at, MOST_LOOKS) for at, look in enumerate(ordered)}


def look_of(draft: UnfinishedBlock) -> tuple[float, bool]:
    return round(draft.size * 2) / 2, draft.is_bold


def add_page(
    page: PageBlocks,
    levels: dict[tuple[float, bool], int],
    outlined: Sequence[tuple[int, str]],
    sections: Sections,
) -> None:
    """Add the blocks of a page; the outline's headings stand where their text does."""
    texts = [letters_of(each.text) for each in page.drafts]
    cells = {letters_of(cell) for each in page.drafts for cell in each.cells}
    waiting = [each for each in outlined if letters_of(each[1]) not in cells]
    # A heading of the outline that is nowhere on the page stands above all of it.
    for level, text in [each for each in waiting if not is_there(letters_of(each[1]), texts)]:
        sections.heading(level, text)
        waiting.remove((level, text))
    for draft, said in zip(page.drafts, texts, strict=True):
        found = next((each for each in waiting if matches(letters_of(each[1]), said)), None)
        if found is not None:
            sections.heading(found[0], draft.text)
            waiting.remove(found)
        elif draft.kind == BlockKind.HEADING:
            sections.heading(levels[look_of(draft)], draft.text)
        elif draft.kind in (BlockKind.HEADER, BlockKind.ROW):
            sections.row(draft.cells, is_header=draft.kind == BlockKind.HEADER)
        else:
            sections.add(draft.kind, draft.text)


def is_there(wanted: str, texts: Iterable[str]) -> bool:
    return any(matches(wanted, said) for said in texts)


def matches(wanted: str, said: str) -> bool:
    """Return whether a block is the heading, with its number or without."""
    if not wanted or len(said) > len(wanted) + 12:
        return False
    bare = said.lstrip("0123456789")
    return said == wanted or bare == wanted or (bool(bare) and bare == wanted.lstrip("0123456789"))
