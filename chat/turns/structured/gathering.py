"""Retrieval for a structure: the passages it is made of, and their units as evidence."""

from collections.abc import Sequence
from dataclasses import replace

from chat.extractive.markdown import format_quotation
from chat.extractive.scorer import READ, ScoredUnit, score_units
from chat.structures import Evidence
from chat.structures.definition import Breadth
from chat.turns.structured.form import Form
from citations.attribution.offers import Offer
from citations.index.scope import Scope
from citations.models import Document, Passage
from citations.retrieval import Found, find_passages
from citations.retrieval.units import UnitForm
from memory.text.embedding import Embedded
from memory.text.words import extract_terms

# Most documents side by side, passages of each of them, and passages of a single document.
MOST_DOCUMENTS, OF_EACH, OF_ONE = 5, 4, 12


def widen_found(
    form: Form, asked: Embedded, found: Sequence[Found], scope: Scope
) -> Sequence[Found]:
    """Return the passages that the structure needs, followed by the retrieved ones."""
    breadth = form.structure.breadth if form.structure else Breadth.FOUND
    if form.wanted_words:
        return put_holding_first(form, found, scope)
    if not found or breadth is Breadth.FOUND:
        return found
    if breadth is Breadth.ONE_DOCUMENT:
        wanted = _read_beginning(found[0], scope)
    else:
        wanted = _find_in_each(form, asked, _list_documents(form, found, scope), scope)
    known = {each.passage.pk for each in wanted}
    return [*wanted, *(each for each in found if each.passage.pk not in known)]


def _list_documents(form: Form, found: Sequence[Found], scope: Scope) -> list[Document]:
    """Return the documents of the items that a follow-up keeps, then the retrieved ones."""
    kept = [
        best
        for item in form.question.items[:MOST_DOCUMENTS]
        for best in find_passages(item, scope=scope, limit=1)
    ]
    return list(dict.fromkeys(each.passage.document for each in [*kept, *found]))[:MOST_DOCUMENTS]


def put_holding_first(form: Form, found: Sequence[Found], scope: Scope) -> Sequence[Found]:
    """Put the passages first that have the words wanted verbatim."""
    wanted = set(extract_terms(form.wanted_words))
    by_words = find_passages(Embedded(form.wanted_words), scope=scope, limit=OF_ONE)
    unique = {each.passage.pk: each for each in [*by_words, *found]}.values()
    holding = [
        each for each in unique if wanted and wanted <= set(extract_terms(each.passage.text))
    ]
    form.has_words = bool(holding)
    rest = [each for each in found if each not in holding]
    return [*(replace(each, is_required=True) for each in holding), *rest]


def _read_beginning(best: Found, scope: Scope) -> list[Found]:
    document = best.passage.document
    rows = Passage.objects.filter(scope.readable, document=document).select_related("document")
    return [
        replace(best, passage=passage, is_required=True)
        for passage in rows.order_by("position")[:OF_ONE]
    ]


def _find_in_each(
    form: Form, asked: Embedded, documents: Sequence[Document], scope: Scope
) -> list[Found]:
    """Return the best passages of each document alternately, for question and criteria."""
    searches = [asked, *map(Embedded, form.question.criteria)]
    columns = []
    for each in documents:
        own = Scope(scope.owner, frozenset([each.pk]))
        found = [
            passage
            for search in searches
            for passage in find_passages(search, scope=own, limit=OF_EACH)
        ]
        unique = {passage.passage.pk: passage for passage in reversed(found)}
        columns.append([replace(passage, is_required=True) for passage in unique.values()][::-1])
    most = max(map(len, columns), default=0)
    return [column[at] for at in range(most) for column in columns if at < len(column)]


def gather_evidence(
    asked: Embedded, found: Sequence[Found], offers: Sequence[Offer], typed: str
) -> list[Evidence]:
    """Return the units of the offered passages, each with its score for the question."""
    labels = {offer.passage.pk: offer.label for offer in offers}
    offered = [each for each in found if each.passage.pk in labels]
    units = [
        unit
        for at in range(0, len(offered), READ)
        for unit in score_units(asked, offered[at : at + READ], typed=typed)
        if unit.can_answer
    ]
    return [_make_evidence(unit, labels[unit.passage.pk]) for unit in units]


def _make_evidence(unit: ScoredUnit, label: int) -> Evidence:
    is_row = unit.unit.form is UnitForm.ROW
    return Evidence(
        label=label,
        document=unit.passage.document.title,
        heading=unit.read.heading.split("\n")[-1],
        text=unit.text if is_row else format_quotation(unit.text),
        score=unit.score,
        header=unit.read.lead.text if is_row and unit.read.lead else "",
    )
