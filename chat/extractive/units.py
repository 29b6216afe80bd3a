"""Units of the passages found, each with the words that it is understood by."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from citations.formats.blocks import BlockKind
from citations.index import index_terms
from citations.models import Passage
from citations.retrieval import Found
from citations.retrieval.units import PassageUnit, UnitForm, headed_units


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
        return self.unit.quote(self.passage.text)

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
    last, before, header, is_first = "", "", "", True
    for unit, heading in headed_units(passage):
        text = unit.quote(passage.text)
        if passage.spans and passage.spans[unit.block].kind == BlockKind.HEADER:
            header = text
        elif heading != last:
            last, before, is_first = heading, "", True
        above = header if unit.form is UnitForm.ROW else before
        yield ReadUnit(found, unit, heading, above, around, is_first)
        if unit.form is not UnitForm.ABOVE:
            is_first = False
        if unit.form is UnitForm.SENTENCE:
            before = text


def read_all(found: Sequence[Found]) -> list[ReadUnit]:
    """Return the units of the passages in order."""
    return [unit for each in found for unit in read_units(each)]
