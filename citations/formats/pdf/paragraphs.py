"""Paragraphs: lines of a column that are no heading, code or table, parted where one begins."""

import re
from collections.abc import Iterator, Sequence

from citations.formats.captions import is_caption
from citations.formats.pdf.columns import (
    ENDS,
    FOOTNOTE,
    INDENT,
    SHORT,
    WIDE_GAP,
    Column,
    is_marked,
)
from citations.formats.pdf.lines import SHARE, TextLine
from citations.formats.sections import is_remark

VERY_SHORT = 0.4  # of the width
SHORT_LABEL = 40  # characters
LIST_NUMBER = re.compile(r"[(\[]?(\d{1,3})[.)\]]")


def paragraphs(column: Column, lines: Sequence[TextLine]) -> Iterator[list[TextLine]]:
    group: list[TextLine] = []
    for line in lines:
        if group and begins(column, group, line):
            yield group
            group = []
        group.append(line)
    if group:
        yield group


def begins(column: Column, group: Sequence[TextLine], line: TextLine) -> bool:
    """Return whether a paragraph begins with the line."""
    above = group[-1]
    gap = above.y - line.y
    usual = max(column.leading, 1.0 * line.size)
    is_beside = line.x1 < above.x0 and len(line.text) > 2  # in another block, and no mark alone
    if (gap > WIDE_GAP * usual and gap > usual + 2) or gap < -line.size or is_beside:
        return True
    is_elsewhere = abs(line.x0 - above.x0) > 2
    if is_elsewhere and (is_remark(line.text) or (len(group) == 1 and is_remark(above.text))):
        return True
    if abs(above.size - line.size) > 0.12 * line.size:
        return len(group) > 1 or not is_label(above.text)
    if is_marked(line.text):
        return not goes_on(column, group, line)
    if FOOTNOTE.match(line.text) and column.places[id(line)] >= column.notes_from:
        return True
    text_left = min(each.x0 for each in group[1:]) if len(group) > 1 else None
    is_item = is_marked(group[0].text)
    if above.text.endswith("-") and line.text[:1].islower():
        return False
    if text_left is not None and not is_item and line.x0 > text_left + INDENT * line.size:
        return True
    if is_item and text_left is not None and line.x0 < text_left - INDENT * line.size:
        return True
    if len(group) == 1 and not is_item and line.x0 > above.x0 + INDENT * line.size:
        return bool(ENDS.search(above.text))
    room = (column.right - above.x1) / max(column.right - column.left, 1.0)
    first_word = line.segments[0].text.partition(" ")[0]
    fits = column.right - above.x1 > (len(first_word) + 1) * 0.6 * line.size
    if is_caption(group[0].text) and room > VERY_SHORT and fits:
        return True
    is_record = SHARE.search(above.text) and not line.text[:1].islower()
    if ENDS.search(above.text) or is_record:
        return room > SHORT and fits
    return room > VERY_SHORT and not line.text[:1].islower() and fits


def goes_on(column: Column, group: Sequence[TextLine], line: TextLine) -> bool:
    """Return whether a number at the beginning of a line belongs to the sentence above it, which
    fills its line: "… until 12. March 2024", "… a share of (2) in". A list goes on by one.
    """
    mark, last = LIST_NUMBER.match(line.text), LIST_NUMBER.match(group[0].text)
    if mark is None or mark[1] == "1" or (last and int(mark[1]) == int(last[1]) + 1):
        return False
    above = group[-1]
    is_full = column.right - above.x1 <= SHORT * (column.right - column.left)
    is_below = len(group) == 1 or abs(line.x0 - above.x0) < 1
    return is_full and is_below and ENDS.search(above.text) is None


def is_label(text: str) -> bool:
    """Return whether a line names what stands on the next one: "Account number:"."""
    return len(text) <= SHORT_LABEL and text.endswith(":")
