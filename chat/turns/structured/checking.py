"""The statements of a structured answer: its claims, with their offsets."""

from chat.turns.structured.form import Form
from citations.attribution.statements import Statement, split_statements
from citations.attribution.streaming import Citing
from memory.recall.talk.refusals import is_refusal
from memory.text.citation_markers import strip_markers
from memory.text.words import split_words

# A model's words for an empty cell.
NOTHING = frozenset({"not stated", "none", "n/a", "unknown", "no consta", "nicht angegeben"})


def find_statements(form: Form, citing: Citing, *, is_quoted: bool) -> list[Statement]:
    """Return the cells with claims, each with the markers in and directly after it.

    For a table that prose continues, also the claims of the prose.
    """
    placed = [each for each in form.place_cells(citing.text) if each.start >= 0]
    starts = [each.start for each in placed[1:]] + [len(citing.text)]
    found = []
    for each, behind in zip(placed, starts, strict=False):
        said = strip_markers(each.cell.text).strip()
        is_nothing = said.casefold().strip(".") in NOTHING or is_refusal(said)
        if not each.cell.is_claim or not split_words(said) or is_nothing:
            continue
        line_end = citing.text.find("\n", each.end)
        until = min(behind, line_end if line_end >= 0 else len(citing.text))
        markers = [one for one in citing.markers if each.start <= one.start < until]
        end = max([each.end, *(marker.end for marker in markers)])
        told = said if is_quoted or not each.cell.context else f"{each.cell.context}: {said}"
        is_open = not is_quoted
        found.append(Statement(each.start, end, told, is_quoted, is_open, markers))
    behind_table = max((each.end for each in found), default=0)
    prose = split_statements(citing.text, citing.markers, citing.asides) if form.kept else []
    return [*found, *(each for each in prose if each.start >= behind_table)]
