"""Resuming a cut answer: its citations stay, under the labels of a new prompt.

The stored text is fed through citing again. A deleted passage is represented by its quote.
"""

from collections.abc import Callable, Sequence
from itertools import count
from uuid import UUID

from citations.attribution.offers import Offer
from citations.attribution.streaming import Citing
from citations.models import Citation, Passage
from memory.models import Turn


def begin_with_cited(
    turn: Turn, begin: Callable[[Sequence[Offer]], Citing], offers: Sequence[Offer]
) -> Citing:
    """Begin citing with the offered passages and those that the turn's answer has cited."""
    labels = count(max((offer.label for offer in offers), default=0) + 1)
    every = {_make_offer_key(offer): offer for offer in offers}
    for citation in _list_marked_citations(turn):
        offer = _rebuild_offer(citation)
        if _make_offer_key(offer) not in every:
            every[_make_offer_key(offer)] = Offer(next(labels), offer.passage, offer.document_id)
    citing = begin(list(every.values()))
    gone = {
        _place(row): row.source.number
        for row in _list_marked_citations(turn)
        if not row.source.document_id
    }
    citing.numbers |= gone
    return citing


def build_resumed_text(turn: Turn, citing: Citing) -> str:
    """Return the turn's answer, with its markers as the labels of the new prompt."""
    labels = {_make_offer_key(offer): offer.label for offer in citing.offers.values()}
    pieces, at = [], 0
    for citation in _list_marked_citations(turn):
        pieces += [
            turn.response[at : citation.start],
            f"[{labels[_make_offer_key(_rebuild_offer(citation))]}]",
        ]
        at = citation.start + len(f"[{citation.source.number}]")
    return "".join([*pieces, turn.response[at:]])


def _list_marked_citations(turn: Turn) -> list[Citation]:
    """Return the citations that have a marker in the answer, in order."""
    rows = Citation.objects.filter(turn=turn, is_added=False).order_by("start")
    return list(rows.select_related("source", "passage__document"))


def _rebuild_offer(citation: Citation) -> Offer:
    """Return the citation's passage as an offer; for a deleted one, its quote."""
    passage = citation.passage or Passage(text=citation.quote)
    return Offer(0, passage, _place(citation))


def _place(citation: Citation) -> UUID:
    """Return the id of the citation's document, or a substitute for a deleted one."""
    return citation.source.document_id or UUID(int=citation.source_id)


def _make_offer_key(offer: Offer) -> tuple[object, ...]:
    return (offer.passage.pk,) if offer.passage.pk else (offer.document_id, offer.passage.text)
