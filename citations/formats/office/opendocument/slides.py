"""Slides: the pages of a presentation, each with its title, text and speaker's notes."""

from typing import Any

from citations.formats.blocks import BlockKind
from citations.formats.office.asides import add_margins
from citations.formats.office.opendocument.vocabulary import DRAW, PRESENTATION
from citations.formats.office.opendocument.walking import TextWalk, list_paragraphs
from citations.formats.parts import PartKind, Reason
from citations.formats.reading import BadFile, Progress, ReadingLimits

# Elements of every slide.
ON_EVERY_SLIDE = ("date-time", "footer", "header", "page-number", "page")


def add_slides(body: Any, walk: TextWalk, limits: ReadingLimits, progress: Progress) -> int:
    """Add the slides' text, hidden ones marked or left out by setting; return their number."""
    slides, parts = list(body.iterchildren(f"{DRAW}page")), walk.sections.parts
    if len(slides) > limits.pages:
        raise BadFile("too_many_pages")
    footers = ("".join(each.itertext()) for each in body.iter(f"{PRESENTATION}footer-decl"))
    add_margins("footer", footers, walk.sections)
    for number, slide in enumerate(slides, 1):
        progress(number - 1, len(slides))
        is_hidden = walk.styles.is_hidden(slide)
        kind = PartKind.HIDDEN_SLIDE if is_hidden else PartKind.SLIDE
        if walk.sections.full or (is_hidden and not limits.hidden):
            reason = Reason.BEYOND_LIMIT if walk.sections.full else Reason.LEFT_OUT
            parts.count(kind, unread=reason, pages=[number])
            continue
        parts.count(kind, pages=[number] if is_hidden else [])
        walk.sections.page(number)
        walk.sections.leave_headings()
        title = add_slide(slide, walk, is_hidden=is_hidden)
        walk.title = walk.title or title
    return len(slides)


def add_slide(slide: Any, walk: TextWalk, *, is_hidden: bool) -> str:
    """Add a slide, and return its title."""
    shapes = [each for each in slide if read_class(each) not in ON_EVERY_SLIDE]
    title = " ".join(walk.text_in(each) for each in shapes if read_class(each) == "title").strip()
    walk.sections.heading(1, f"{title} [hidden slide]".strip() if is_hidden else title)
    for shape in shapes:
        if shape.tag != f"{PRESENTATION}notes" and read_class(shape) != "title":
            walk.add([shape])
    noted = (each for notes in slide.iterchildren(f"{PRESENTATION}notes") for each in notes)
    notes = (each for each in noted if read_class(each) not in ON_EVERY_SLIDE)
    texts = (text for each in notes for text in list_paragraphs(each))
    lines = list(filter(None, map(walk.lines.text, texts)))
    walk.sections.parts.count(PartKind.SPEAKER_NOTE, int(bool(lines)))
    for line in lines:
        walk.sections.add(BlockKind.FOOTNOTE, line)
    return title


def read_class(shape: Any) -> str:
    return str(shape.get(f"{PRESENTATION}class", ""))
