"""The text of a quoting answer: stretches with their markers, and the offsets of each."""

from collections.abc import Collection, Mapping, Sequence
from itertools import groupby

from django.utils.translation import gettext as _, ngettext

from chat.extractive.columns import content_stems
from chat.extractive.markdown import (
    FENCE,
    draw_table,
    embolden,
    fence_code,
    format_item,
    format_quotation,
)
from chat.extractive.selection import Stretch
from citations.formats.blocks import BlockKind
from citations.models import Passage
from citations.models.passages import SEPARATOR
from citations.retrieval.units import PassageUnit, UnitForm, get_nearest_heading, join_code_parts
from memory.recall.talk.refusals import NOTHING_FOUND, NOTHING_MORE

LONGEST_NAME = 90
# The number of documents still being read that are named.
NAMED = 3


def write_stretches(
    stretches: Sequence[Stretch],
    labels: Mapping[int, int],
    asked: str,
    *,
    has_bullets: bool = False,
) -> str:
    """Return the stretches as an answer; `labels` are those of the offered passages, by key."""
    stems = content_stems(asked)
    parts: list[str] = []
    for stretch in stretches:
        body = draw_stretch(stretch, stems, has_bullets=has_bullets)
        marker = f"[{labels[stretch.passage.pk]}]"
        body += f"\n\n{marker}" if body.endswith((FENCE, "|")) else f" {marker}"
        parts.append("\n".join(f"> {line}".rstrip() for line in body.split("\n")))
        parts.append(place_line(stretch.passage))
    return "\n\n".join(parts)


def draw_stretch(stretch: Stretch, stems: frozenset[str], *, has_bullets: bool) -> str:
    """Return the units as Markdown: paragraphs, lists, tables and code."""
    text, spans = stretch.passage.text, stretch.passage.spans

    def get_kind(unit: PassageUnit) -> tuple[str, int]:
        is_header = bool(spans) and spans[unit.block].kind == BlockKind.HEADER
        if is_header or unit.form is UnitForm.ROW:
            return UnitForm.ROW, 0
        return unit.form, 0 if unit.form is UnitForm.ITEM else unit.block

    drawn = []
    for (form, _block), group in groupby((*stretch.above, *stretch.units), get_kind):
        units = list(group)
        said = [unit.quote(text) for unit in units]
        if form == UnitForm.CODE:
            drawn.append(
                fence_code(join_code_parts(((each.start, each.end) for each in units), text))
            )
        elif form == UnitForm.ROW:
            has_head = units[0].form is UnitForm.ABOVE
            head, rows = (said[0], said[1:]) if has_head else ("", said)
            drawn.append(draw_table(head, rows, stems))
        else:
            clean = format_item if form == UnitForm.ITEM else format_quotation
            shown = [embolden(clean(each), stems) for each in said]
            is_list = has_bullets or (form == UnitForm.ITEM and len(shown) > 1)
            drawn.append("\n".join(f"- {each}" for each in shown) if is_list else " ".join(shown))
    return "\n\n".join(drawn)


def place_line(passage: Passage) -> str:
    """Return the line with a quotation's place: document, section, page."""
    sections = get_nearest_heading(passage.heading).split("\n")
    path = [clip_name(part) for part in (passage.document.title, *sections) if part]
    names = SEPARATOR.join(dict.fromkeys(path))
    page = _("p. %(page)d") % {"page": passage.page} if passage.page else ""
    return f"*{' · '.join(part for part in (names, page) if part)}*"


def clip_name(name: str) -> str:
    """Return a title or a heading as Markdown, shortened if it is long."""
    line = format_quotation(name)
    return line if len(line) <= LONGEST_NAME else f"{line[:LONGEST_NAME].rstrip()}…"


def write_nothing_found(said: Collection[str] | None = None) -> str:
    """Return the answer for a question on which the library has nothing, or nothing more."""
    return _(NOTHING_FOUND) if said is None else _(NOTHING_MORE)


def write_not_read_yet(titles: Sequence[str]) -> str:
    """Return the answer for no passages while documents are still being read."""
    named = ", ".join(f"*{format_quotation(title)}*" for title in titles[:NAMED])
    said = ngettext(
        "Nothing was found yet. %(count)d document is still being read: %(titles)s.",
        "Nothing was found yet. %(count)d documents are still being read: %(titles)s.",
        len(titles),
    )
    return said % {"count": len(titles), "titles": named + " …" * (len(titles) > NAMED)}
