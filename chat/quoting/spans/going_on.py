"""Going on: what is quoted of the passage behind, if a list, a table or code goes on in it."""

from typing import TYPE_CHECKING

from chat.quoting.spans.leads import announces_what_follows
from chat.quoting.spans.lists import CLAUSE_ENDS, MOST_OF_LIST
from citations.models import Passage
from citations.retrieval.units import PassageUnit, UnitForm, units_of

if TYPE_CHECKING:
    from chat.quoting.spans import Quote

FOLLOWS = (UnitForm.ITEM, UnitForm.ROW, UnitForm.CODE)


def may_go_on(passage: Passage) -> bool:
    """Return whether what ends a passage may go on in the next one."""
    units = units_of(passage)
    if not units:
        return False
    is_open = announces_what_follows(units[-1].of(passage.text))
    return is_open or units[-1].form in (UnitForm.ITEM, UnitForm.ROW)


def goes_on_in(passage: Passage, behind: Passage) -> bool:
    """Return whether what ends a passage goes on in the one behind it."""
    return bool(going_on(passage, units_of(passage)[-1], behind))


def going_on(passage: Passage, last: PassageUnit, behind: Passage) -> list[PassageUnit]:
    """Return the units of the passage behind in which the last of one goes on: the items or rows
    that come first there, without what is repeated of the passage before, or the code.
    """
    if behind.heading != passage.heading or behind.document_id != passage.document_id:
        return []
    said = {unit.of(passage.text) for unit in units_of(passage)}
    units = [unit for unit in units_of(behind) if unit.of(behind.text) not in said]
    form = units[0].form if units else UnitForm.ABOVE
    leads = announces_what_follows(last.of(passage.text))
    if form is not last.form and not (leads and form in FOLLOWS):
        return []
    if form is UnitForm.CODE:
        return [unit for unit in units if unit.form is form and unit.block == units[0].block]
    end = next((at for at, unit in enumerate(units) if unit.form is not form), len(units))
    return units[:end] if form in FOLLOWS else []


def continued(quote: "Quote", behind: Passage | None, *, whole: bool) -> tuple[PassageUnit, ...]:
    """Return the units of the passage behind that a quotation goes on with, if it ends where its
    passage does and is not too long: of a list that is asked for, is one sentence, or was led to.
    """
    last = quote.units[-1]
    if behind is None or last != units_of(quote.passage)[-1]:
        return ()
    text = last.of(quote.passage.text)
    is_part = last.form is UnitForm.ITEM and CLAUSE_ENDS.search(text) is not None
    if not (whole or is_part or announces_what_follows(text)):
        return ()
    kept: list[PassageUnit] = []
    words = quote.words
    for unit in going_on(quote.passage, last, behind):
        words += len(unit.of(behind.text).split())
        if words > MOST_OF_LIST:
            break
        kept.append(unit)
    return tuple(kept)
