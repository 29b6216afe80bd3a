"""Slides: the pages of a presentation, each with its title, its text and the speaker's notes."""

from collections.abc import Iterator
from typing import Any

from citations.formats.blocks import BlockKind
from citations.formats.office.opendocument.styles import Styles
from citations.formats.office.opendocument.vocabulary import DRAW, PRESENTATION, Seen
from citations.formats.office.opendocument.walking import TextWalk, paragraphs_of
from citations.formats.reading import Progress
from citations.formats.sections import Sections

# What stands on every slide.
ON_EVERY_SLIDE = ("date-time", "footer", "header", "page-number", "page")


def add_slides(
    body: Any, styles: Styles, sections: Sections, seen: Seen, progress: Progress
) -> None:
    """Add what the slides say that are shown."""
    slides = list(body.iterchildren(f"{DRAW}page"))
    seen.pages = len(slides)
    for at, slide in enumerate(slides):
        progress(at, len(slides))
        if styles.is_hidden(slide):
            seen.has_hidden = True
            continue
        sections.page(at + 1)
        sections.leave_headings()
        title = add_slide(slide, styles, sections)
        seen.title = seen.title or title


def add_slide(slide: Any, styles: Styles, sections: Sections) -> str:
    """Add a slide, and return its title."""
    walk = TextWalk(styles, sections)
    shapes = [each for each in slide if class_of(each) not in ON_EVERY_SLIDE]
    titles = [shape for shape in shapes if class_of(shape) == "title"]
    title = " ".join(text for shape in titles for text in texts_of(shape))
    sections.heading(1, title)
    for shape in shapes:
        if shape.tag != f"{PRESENTATION}notes" and shape not in titles:
            walk.add([shape])
    for notes in slide.iterchildren(f"{PRESENTATION}notes"):
        for shape in notes:
            if class_of(shape) == "notes":
                for text in texts_of(shape):
                    sections.add(BlockKind.FOOTNOTE, text)
    return title


def class_of(shape: Any) -> str:
    return str(shape.get(f"{PRESENTATION}class", ""))


def texts_of(shape: Any) -> Iterator[str]:
    texts = (" ".join("".join(each.itertext()).split()) for each in paragraphs_of(shape))
    return filter(None, texts)
