"""Units of retrieved passages, each with the words of its context."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from citations.formats.blocks import BlockKind
from citations.index.ranking import index_terms
from citations.models import Passage
from citations.retrieval import Found
from citations.retrieval.units import PassageUnit, UnitForm, list_headed_units


@dataclass(frozen=True)
class ReadUnit:
    """A unit of a retrieved passage, with its context."""

    found: Found
    unit: PassageUnit
    # The nearest heading above.
    heading: str
    # The header of a row, the lead of an item or of code, the sentence before a sentence.
    lead: "ReadUnit | None"
    # The terms of all headings above it and of the document's names.
    around: frozenset[str]
    # Whether it is the first under its heading.
    is_first: bool

    @property
    def passage(self) -> Passage:
        return self.found.passage

    @property
    def text(self) -> str:
        return self.unit.quote(self.passage.text)

    @property
    def can_answer(self) -> bool:
        """Whether the unit can be quoted alone; headings, headers and questions can't."""
        return self.unit.form is not UnitForm.ABOVE

    @cached_property
    def terms(self) -> frozenset[str]:
        return frozenset(index_terms(self.text))

    @cached_property
    def context(self) -> frozenset[str]:
        """The terms of its headings and its lead."""
        return self.around.union(self.lead.terms if self.lead else ())


def read_units(found: Found) -> Iterator[ReadUnit]:
    """Yield the units of a passage in order."""
    passage, document = found.passage, found.passage.document
    around = frozenset(index_terms(f"{passage.heading}\n{document.title}\n{document.file_name}"))
    before: ReadUnit | None = None
    header: ReadUnit | None = None
    under, last, is_first = around, "", True
    for unit, heading in list_headed_units(passage):
        is_header = passage.spans and passage.spans[unit.block].kind == BlockKind.HEADER
        if heading != last:
            under = around.union(index_terms(heading))
            if not is_header:
                last, before, is_first = heading, None, True
        lead = header if unit.form is UnitForm.ROW else before
        read = ReadUnit(found, unit, heading, lead, under, is_first)
        yield read
        if is_header:
            header = read
        if unit.form is not UnitForm.ABOVE:
            is_first = False
        if unit.form is UnitForm.SENTENCE:
            before = read


def read_all(found: Sequence[Found]) -> list[ReadUnit]:
    """Return the units of the passages in order."""
    return [unit for each in found for unit in read_units(each)]
