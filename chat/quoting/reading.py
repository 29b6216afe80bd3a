"""Reading: the units of the passages found, each with what it is understood by."""

import math
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property

from chat.quoting.kinds.wordings import DATE
from chat.quoting.names import VERSION
from chat.quoting.spans import REFERS
from chat.quoting.spans.leads import LEADS
from citations.formats.blocks import BULLET, CELLS, BlockKind
from citations.index import index_terms
from citations.ingestion.chunking import SEPARATOR
from citations.models import Passage
from citations.retrieval import Found
from citations.retrieval.units import CLAUSE, QUESTION, PassageUnit, UnitForm, units_of

# Characters of a unit, and of what it stands under or points back at, that are embedded.
SEEN, SEEN_ABOVE = 400, 80
# What stands under a heading that says that it is not to be used any more.
OUTDATED = re.compile(
    r"\b(?:deprecated|obsolete|outdated|legacy|discontinued|veraltet\w*|obsolet[oa]s?|obsolète)\b",
    re.IGNORECASE,
)
LABEL = re.compile(r"[^\W_][\w-]{0,20}(?: [\w-]{1,20})?:?")
# What stands above a name that signs: "Dated: July 1, 2022", "Ulm, den 3. Mai 2022", "By: /s/ …".
SIGNED = re.compile(
    r"(?:(?:place and )?dated?|datum|fecha|fait à [^\W\d]{1,30})\s?[:,]?\s(?!-).{0,30}\d{4}\W*"
    r"|(?-i:(?:[A-ZÀ-Þ][^\W\d_]{1,20}[ -]?){1,3}), (?:the |den |le |el |a )?"
    rf"(?:{DATE.pattern})\.?"
    r"|(?:by|per|signed|gezeichnet|firmado|signé)\s?:\s?(?:/s/.{0,80}|[_.\s]{0,80})|/s/ .{1,80}",
    re.IGNORECASE,
)
LONGEST_SIGNATURE = 100
FIRST_WORDS = 2
# What is only counted, and means nothing without what it is a part of: "Section 3", "§ 2".
COUNTED_PART = re.compile(
    r"(?:[^\W\d_]{1,15}\.?|§)\s{1,2}(?:\d{1,3}(?:\.\d{1,3}){0,3}|[IVXL]{1,7}|[A-H])[.:]?"
)
# Words from which an item is a long one, and anything else.
LONG, VERY_LONG = 30, 80


def terms_in(text: str) -> frozenset[str]:
    """Return the words of a text, each once."""
    return frozenset(index_terms(text))


@dataclass(frozen=True)
class ReadUnit:
    """A unit of a passage that was found, as it is read."""

    found: Found
    unit: PassageUnit
    text: str
    # What it stands right under.
    heading: str
    # The sentence before, where this one speaks of something in it; the header of a row; what leads
    # to code, or to a clause, which is only the end of that sentence.
    before: str
    # The words of all headings above, and of what its document is called: a manual of rsync doesn't
    # name it in every sentence.
    around: frozenset[str]
    # Whether it is what answers a heading that is a question first.
    answers_heading: bool = False
    # Whether it only leads to code, which is quoted with it.
    leads_to_code: bool = False
    # The words of the question that it says in other ones.
    alike: set[str] = field(default_factory=set)
    # Finds the words of a text: many units have their headings in common.
    terms: Callable[[str], frozenset[str]] = field(default=terms_in, compare=False)

    @cached_property
    def own(self) -> set[str]:
        """The words that it holds; under a heading that is a question also that one's."""
        heading = self.heading if QUESTION.search(self.heading) else ""
        return set(index_terms(f"{heading}\n{self.text}"))

    @cached_property
    def begins(self) -> frozenset[str]:
        """The first words that it holds: of an entry or a definition what it is of."""
        return frozenset(index_terms(self.text[:SEEN_ABOVE])[:FIRST_WORDS])

    @cached_property
    def under(self) -> set[str]:
        """The words of the heading that it stands right under."""
        return set(self.terms(self.heading))

    @cached_property
    def above(self) -> frozenset[str]:
        """The words of all that it stands under, and of what it points back at."""
        return self.around | self.terms(self.heading) | self.terms(self.before)

    @cached_property
    def called(self) -> frozenset[str]:
        """The words that its document is called by."""
        document = self.found.passage.document
        return self.terms(f"{document.title}\n{document.file_name}")

    @property
    def doublings(self) -> float:
        """How often its length doubles beyond what is long for its form."""
        if self.unit.form is UnitForm.CODE:
            return 0.0
        long = LONG if self.unit.form is UnitForm.ITEM else VERY_LONG
        return math.log2(max(len(self.text.split()), long) / long)

    @property
    def says_one_thing(self) -> bool:
        """Whether it is an item or a row that is understood by itself."""
        is_clause = CLAUSE.match(self.text) is not None
        return self.unit.form is UnitForm.ROW or (self.unit.form is UnitForm.ITEM and not is_clause)

    @property
    def form(self) -> UnitForm:
        """Its form, or that of the code which it leads to."""
        return UnitForm.CODE if self.leads_to_code else self.unit.form

    @property
    def is_outdated(self) -> bool:
        """Whether it says, or its heading does, that it is not to be used any more."""
        return OUTDATED.search(f"{self.heading}\n{self.text[:SEEN_ABOVE]}") is not None

    @property
    def is_label(self) -> bool:
        """Whether it is a word or two that stand alone, as headings do, or a row of which one cell
        is filled: it says nothing.
        """
        if self.unit.form is UnitForm.ROW:
            cells = self.text.split(CELLS.strip())
            return len(cells) > 1 and sum(bool(cell.strip()) for cell in cells) < 2
        is_sentence = self.unit.form is UnitForm.SENTENCE
        return is_sentence and LABEL.fullmatch(self.text) is not None

    @property
    def is_signature(self) -> bool:
        """Whether it is the line of a signature: its date, its place, who signed."""
        is_line = self.unit.form is UnitForm.SENTENCE and len(self.text) <= LONGEST_SIGNATURE
        return is_line and SIGNED.fullmatch(self.text) is not None

    @property
    def with_release(self) -> str:
        """The text, under the heading of the release that it tells of."""
        return f"{self.heading}\n{self.text}" if names_release(self.heading) else self.text

    def holds(self, name: re.Pattern[str]) -> bool:
        """Return whether a name stands in it, or in the headings above."""
        return name.search(f"{self.found.passage.heading}\n{self.heading}\n{self.text}") is not None

    @property
    def as_embedded(self) -> str:
        """The text as it is compared by meaning."""
        context = (self.heading[:SEEN_ABOVE], self.before[-SEEN_ABOVE:], self.text[:SEEN])
        return "\n".join(part for part in context if part)


def rows_of(found: Sequence[Found]) -> Iterator[ReadUnit]:
    """Yield the units of the passages, without lines of contents: headings of other sections."""
    named = [each.passage.heading.rpartition(SEPARATOR)[2] for each in found]
    headings = {*named, *(name.partition(" ")[2] for name in named)}  # with its number and without
    begins, terms = begun_sections(each.passage for each in found), cache(terms_in)
    for each in found:
        is_first = each.passage.pk in begins
        for row in read_units(each, begins_section=is_first, terms=terms):
            if row.text.removeprefix(BULLET) not in headings:
                yield row


def begun_sections(passages: Iterable[Passage]) -> set[int]:
    """Return the keys of the passages that come first of what was found under their headings."""
    firsts: dict[tuple[object, str], Passage] = {}
    for passage in sorted(passages, key=lambda passage: passage.position or 0):
        firsts.setdefault((passage.document_id, passage.heading), passage)
    return {passage.pk for passage in firsts.values()}


def read_units(
    found: Found, *, begins_section: bool, terms: Callable[[str], frozenset[str]] = terms_in
) -> Iterator[ReadUnit]:
    """Yield the units of a passage in order, each with the sentence that it speaks of."""
    passage, document = found.passage, found.passage.document
    called = (passage.heading, document.title, document.file_name)
    around = terms("\n".join(called))
    heading, before, header, lead = nearest_heading(passage.heading), "", "", ""
    is_first = begins_section and QUESTION.search(passage.heading) is not None
    units = units_of(passage)
    for unit, behind in zip(units, [*units[1:], None], strict=True):
        text = unit.of(passage.text)
        kind = passage.spans[unit.block].kind if passage.spans else BlockKind.PARAGRAPH
        is_asked = unit.form is UnitForm.ABOVE and QUESTION.search(text) is not None
        if kind == BlockKind.HEADING or is_asked:
            heading, is_first = text, is_first or is_asked
        header = text if kind == BlockKind.HEADER else header
        answers = is_first and unit.form is not UnitForm.ABOVE
        is_first = is_first and not answers
        if unit.form not in (UnitForm.ITEM, UnitForm.CODE):
            lead = text if LEADS.search(text) else ""
        leaned_on = header if unit.form is UnitForm.ROW else before if leans(text) else ""
        leaned_on = lead if unit.form is UnitForm.ITEM and CLAUSE.match(text) else leaned_on
        leaned_on = lead if unit.form is UnitForm.CODE else leaned_on
        is_lead = bool(lead) and behind is not None and behind.form is UnitForm.CODE
        leads = is_lead and unit.form is UnitForm.SENTENCE
        yield ReadUnit(found, unit, text, heading, leaned_on, around, answers, leads, terms=terms)
        before = text if unit.form is UnitForm.SENTENCE else ""


def nearest_heading(path: str) -> str:
    """Return the heading right above, with its own if it is a single word ("Answer", "Note") or a
    number of a part ("Section 3"), or if that one is a release's: "Bug fixes" are one's of many.
    """
    *_, parent, last = ("", "", *path.split(SEPARATOR))
    is_counted = len(last.split()) < 2 or COUNTED_PART.fullmatch(last) is not None
    is_part = is_counted or names_release(parent)
    return f"{parent}\n{last}".strip() if is_part else last


def names_release(heading: str) -> bool:
    """Return whether a heading has a version and its date."""
    return VERSION.search(heading) is not None and DATE.search(heading) is not None


def leans(text: str) -> bool:
    """Return whether a sentence is understood by the one before: it points back, or only leads
    on.
    """
    return REFERS.match(text) is not None or LEADS.search(text) is not None
