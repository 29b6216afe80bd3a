"""Units of the passages found, each with the words that it is understood by."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from citations.formats.blocks import BlockKind
from citations.index import index_terms
from citations.ingestion.chunking import SEPARATOR
from citations.models import Passage
from citations.retrieval import Found
from citations.retrieval.units import QUESTION, PassageUnit, UnitForm, units_of


@dataclass(frozen=True)
class ReadUnit:
    """A unit of a passage that was found."""

    found: Found
    unit: PassageUnit
    # The heading right above.
    heading: str
    # The header of a row, the lead of an item or of code, the sentence before a sentence.
    before: str
    # The terms of all headings above and of the document's names.
    around: frozenset[str]
    # Whether it comes first under its heading.
    is_first: bool

    @property
    def passage(self) -> Passage:
        return self.found.passage

    @property
    def text(self) -> str:
        return self.unit.of(self.passage.text)

    @property
    def can_answer(self) -> bool:
        """Whether it can be quoted by itself; headings, headers and questions can't."""
        return self.unit.form is not UnitForm.ABOVE

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(index_terms(self.text))

    @cached_property
    def context(self) -> frozenset[str]:
        """The terms of what it stands under or behind."""
        return self.around.union(index_terms(f"{self.heading}\n{self.before}"))


def read_units(found: Found) -> Iterator[ReadUnit]:
    """Yield the units of a passage in order."""
    passage, document = found.passage, found.passage.document
    around = frozenset(index_terms(f"{passage.heading}\n{document.title}\n{document.file_name}"))
    heading, before, header, is_first = nearest_heading(passage.heading), "", "", True
    for unit in units_of(passage):
        text = unit.of(passage.text)
        kind = passage.spans[unit.block].kind if passage.spans else BlockKind.PARAGRAPH
        if kind == BlockKind.HEADER:
            header = text
        elif unit.form is UnitForm.ABOVE and (kind == BlockKind.HEADING or QUESTION.search(text)):
            heading, before, is_first = text, "", True
        above = header if unit.form is UnitForm.ROW else before
        yield ReadUnit(found, unit, heading, above, around, is_first)
        if unit.form is not UnitForm.ABOVE:
            is_first = False
        if unit.form is UnitForm.SENTENCE:
            before = text


def read_all(found: Sequence[Found]) -> list[ReadUnit]:
    """Return the units of the passages in order."""
    return [unit for each in found for unit in read_units(each)]


def nearest_heading(path: str) -> str:
    """Return the last heading of a path, with its parent if it is a single word."""
    *_, parent, last = ("", "", *path.split(SEPARATOR))
    return f"{parent}\n{last}".strip() if len(last.split()) < 2 else last
