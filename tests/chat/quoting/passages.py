"""Passages made of blocks, as tests need them: never stored, each unit with a score of its own."""

from collections.abc import Mapping
from itertools import count

from chat.quoting.kinds import kinds_of
from chat.quoting.spans import Quote, ScoredUnit
from chat.quoting.writing import written_quotes
from citations.formats.blocks import Block, BlockKind, together
from citations.models import Document, Passage
from citations.retrieval.units import UnitForm, units_of

numbers = count(1)


def passage_of(
    *blocks: tuple[BlockKind, str], of: Document | None = None, **fields: object
) -> Passage:
    """Return a passage of these blocks, of a document of its own."""
    whole = together(Block(kind, text) for kind, text in blocks)
    document = of or Document(title="Guide")
    passage = Passage(pk=next(numbers), document=document, text=whole.text, **fields)
    passage.layout = [list(span) for span in whole.layout]
    return passage


def candidates(passage: Passage, scores: Mapping[str, float]) -> list[ScoredUnit]:
    """Return the passage's units; what begins with a key has its score, the others nearly none."""

    def score(text: str) -> float:
        return next((own for start, own in scores.items() if text.startswith(start)), 0.01)

    return [ScoredUnit(passage, unit, score(unit.of(passage.text))) for unit in units_of(passage)]


def texts(quote: Quote) -> list[str]:
    """Return what is quoted, with what stands above it."""
    return [unit.of(quote.passage.text) for unit in (*quote.above, *quote.units)]


def answer(*passages: Passage, asked: str = "Tell") -> str:
    """Return all units of the passages that can be quoted as the text of an answer."""
    quotes = []
    for passage in passages:
        found = units_of(passage)
        is_table = any(unit.form is UnitForm.ROW for unit in found)
        units = [unit for unit in found if is_table or unit.form is not UnitForm.ABOVE]
        quotes.append(Quote(passage, tuple(units), (), 1.0))
    labels = {passage.pk: at for at, passage in enumerate(passages, start=1)}
    return written_quotes(quotes, labels, kinds_of(asked), asked)
