"""Questions about a document as a whole, answered from its profile.

The document is the one whose title the question names. Without a name it is the only one in scope,
or the one cited last.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from enum import StrEnum

from django.utils.formats import date_format
from django.utils.translation import gettext as _, ngettext

from chat.extractive.markdown import format_quotation
from citations.library import read_outline
from citations.models import Document, Passage
from memory.text.words import extract_terms

MOST_HEADINGS = 12
# The number of first passages in which a profile's words are looked for.
BEGINNING = 12


class ProfileQuestion(StrEnum):
    """The kinds of questions about a document as a whole."""

    SUBJECT = "subject"
    AUTHORS = "authors"
    DATE = "date"
    PAGES = "pages"
    OUTLINE = "outline"


# In English and Spanish; `name` is the name of the document.
PATTERNS = {
    ProfileQuestion.SUBJECT: r"what(?:['’]?s| is| are| does| do) (?P<name>.{0,80}?)"
    r" (?:about|cover|contain|deal with)|(?:can you |please )*(?:summari[sz]e|summary of|sum up"
    r"|overview of|give me (?:a|an) (?:summary|overview) of) (?P<name2>.{1,80})"
    r"|¿?de qué (?:trata|va|habla) (?P<name3>.{0,80})|(?:resume|resumen de) (?P<name4>.{1,80})",
    ProfileQuestion.AUTHORS: r"who (?:wrote|made|authored|is the author of|are the authors of)"
    r" (?P<name>.{1,80})|¿?quién(?:es)? (?:escribió|escribieron|es el autor de) (?P<name2>.{1,80})",
    ProfileQuestion.DATE: r"when was (?P<name>.{1,80}?) (?:written|published|released|issued"
    r"|updated|revised)|¿?cuándo se (?:escribió|publicó|actualizó) (?P<name2>.{1,80})",
    ProfileQuestion.PAGES: r"how many pages (?:has|does|are in|are there in) (?P<name>.{1,80}?)"
    r"(?: have)?|¿?cuántas páginas tiene (?P<name2>.{1,80})",
    ProfileQuestion.OUTLINE: r"(?:list|show(?: me)?|what are|which are|give me) (?:all )?the"
    r" (?:sections|chapters|headings|table of contents) (?:of|in) (?P<name>.{1,80})"
    r"|¿?qué (?:secciones|capítulos) tiene (?P<name2>.{1,80})",
}
COMPILED = {
    what: re.compile(rf"\W*(?:{pattern})\W*", re.IGNORECASE) for what, pattern in PATTERNS.items()
}
# Words too general to name a document.
GENERAL = frozenset(
    extract_terms(
        "the this that it document file paper book text article manual guide report thing page"
        " el la este esta documento archivo artículo libro manual guía informe texto"
    )
)


@dataclass(frozen=True)
class ProfileAnswer:
    """A profile's answer to a question, and the passage that supports it."""

    text: str
    passage: Passage

    def write(self, labels: Mapping[int, int]) -> str:
        """Return the answer with the marker of its passage behind its first line."""
        first, *rest = self.text.split("\n")
        return "\n".join([f"{first} [{labels[self.passage.pk]}]", *rest])


def answer_from_profile(
    question: str, documents: Sequence[Document], *, only: Callable[[], Document | None]
) -> ProfileAnswer | None:
    """Return the answer to a question about a document as a whole, or None if it isn't one.

    `only` returns the document to use if the question names none.
    """
    for what, pattern in COMPILED.items():
        if match := pattern.fullmatch(question):
            said = set(extract_terms(next(filter(None, match.groups()), ""))) - GENERAL
            named = (each for each in documents if said and said <= list_names(each))
            document = next(named, None) if said else only()
            text = tell_profile(what, document) if document else ""
            return (
                ProfileAnswer(text, find_best_passage(text, document))
                if document and text
                else None
            )
    return None


def list_names(document: Document) -> set[str]:
    return set(
        extract_terms(f"{document.title}\n{document.file_name}\n{' '.join(document.authors)}")
    )


def tell_profile(what: ProfileQuestion, document: Document) -> str:
    """Write the profile's answer as Markdown; empty if the profile lacks it."""
    title = format_quotation(document.title)
    if what == ProfileQuestion.AUTHORS and document.authors:
        names = ", ".join(map(format_quotation, document.authors))
        return _("*%(title)s* is by **%(names)s**.") % {"title": title, "names": names}
    if what == ProfileQuestion.DATE and document.date:
        day = write_out(document.date)
        return _("*%(title)s* is dated **%(date)s**.") % {"title": title, "date": day}
    if what == ProfileQuestion.PAGES and document.page_count:
        said = ngettext(
            "*%(title)s* has **%(count)d page**.",
            "*%(title)s* has **%(count)d pages**.",
            document.page_count,
        )
        return said % {"title": title, "count": document.page_count}
    if what in (ProfileQuestion.OUTLINE, ProfileQuestion.SUBJECT):
        about = f"> {format_quotation(document.about)}" if document.about else ""
        lead = _("*%(title)s* has these sections:") % {"title": title}
        listed = [f"- {format_quotation(each)}" for each in list_top_headings(document)]
        outline = "\n".join([lead, "", *listed]) if listed else ""
        is_subject = what == ProfileQuestion.SUBJECT
        return "\n\n".join(filter(None, [about * is_subject, outline]))
    return ""


def list_top_headings(document: Document) -> list[str]:
    """Return the highest headings, or those below if a single one stands above all."""
    outline = read_outline(document)
    top = [each for each in outline if each.level == 0]
    level = 1 if len(top) == 1 and len(outline) > 1 else 0
    return [each.heading for each in outline if each.level == level][:MOST_HEADINGS]


def write_out(day: str) -> str:
    """Return a full date in words; a month or a year is unchanged."""
    try:
        return date_format(date.fromisoformat(day))
    except ValueError:
        return day


def find_best_passage(text: str, document: Document) -> Passage:
    """Return the early passage with the most of the words."""
    rows = list(document.passages.select_related("document").order_by("position")[:BEGINNING])
    wanted = set(extract_terms(text))
    return max(
        rows, key=lambda row: (len(wanted.intersection(extract_terms(row.text))), -row.position)
    )
