"""Citing: what may stand as [n] in an answer, where each marker points, and how well it fits.

A prompt offers passages under local labels 1..k. While the answer streams, each marker with an
offered label becomes the number its document has in the session (or gets at its first citation),
and a marker with any other label is taken out and counted. Text is given out only as far as it
can't change any more, so half a marker never shows. Afterwards each marker has its claim (the
sentence it ends) and is checked against its passage.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from uuid import UUID

from django.conf import settings

from citations.models import Citation, Document, OfferedDocument, Passage, Source
from memory.markers import MARKER, in_code
from memory.models import Session, Turn
from memory.words import sentences, terms, words

# What might still become a marker: white space, or an opened bracket with labels so far.
UNDECIDED = re.compile(r"(?<!\s)\s*(?:\[[\^\d\s,;]{0,40})?$")
NUMBER = re.compile(r"\d+(?:[.,]\d+)*")
NUMBER_MISSING = 0.3
# A bracket that text still to come could close to something that reads like a marker.
OPENED = re.compile(r"\[\^?\d{0,3}$")
# What a line of a quotation begins with.
QUOTED = "> "


@dataclass(frozen=True)
class Offer:
    """A passage as the prompt offered it."""

    label: int
    passage: Passage
    document_id: UUID


@dataclass(frozen=True)
class Marker:
    """A marker in the answer: where its [n] stands, in characters, and the offer it names."""

    start: int
    number: int
    offer: Offer


@dataclass
class Citing:
    """Turns the labels of an answer into the session's numbers while it streams."""

    offers: Mapping[int, Offer]
    numbers: dict[UUID, int]
    next_number: int
    known: frozenset[UUID] = frozenset()
    text: str = ""
    markers: list[Marker] = field(default_factory=list)
    removed: int = 0
    _pending: str = ""
    # The passages that the markers name: each marker asks for them.
    _cited: set[int] = field(default_factory=set)

    def feed(self, chunk: str) -> str:
        """Take a piece of the answer; return the text that is certain now."""
        self._pending += chunk
        match = UNDECIDED.search(self._pending)
        certain = match.start() if match else len(self._pending)
        ready, self._pending = self._pending[:certain], self._pending[certain:]
        return self._give(ready)

    def close(self) -> str:
        """Return what is left when the answer has ended; white space at its end is dropped."""
        ready, self._pending = self._pending.rstrip(), ""
        return self._give(ready)

    def _give(self, ready: str) -> str:
        given, at = len(self.text), 0
        for match in MARKER.finditer(ready):
            self.text += ready[at : match.start()]
            at = match.end()
            if in_code(self.text):
                self.text += match.group()
            else:
                self._cite(match)
        self.text += ready[at:]
        return self.text[given:]

    def _cite(self, match: re.Match[str]) -> None:
        labels = [int(label) for label in NUMBER.findall(match.group(1).replace(",", " "))]
        known = [self.offers[label] for label in labels if label in self.offers]
        self.removed += len(labels) - len(known)
        before, space = len(self.text), match.group()[: match.group().index("[")]
        for offer in known:
            if not self._has_room(offer):
                self.removed += 1
                continue
            if len(self.text) == before:
                self.text += space if "\n" in space else " " * bool(space)
            number = self._number(offer.document_id)
            self._cited.add(offer.passage.pk)
            self.markers.append(Marker(len(self.text), number, offer))
            self.text += f"[{number}]"
        if len(self.text) == before and OPENED.search(self.text):
            self.text += "…"  # what stood around the marker must not become one

    def _has_room(self, offer: Offer) -> bool:
        """Tell whether the passage is cited already, or fewer are than may be."""
        return offer.passage.pk in self._cited or len(self._cited) < settings.MAX_CITATIONS

    def _number(self, document_id: UUID) -> int:
        if document_id not in self.numbers:
            self.numbers[document_id] = self.next_number
            self.next_number += 1
        return self.numbers[document_id]


def begin_citing(session: Session, offers: Sequence[Offer]) -> Citing:
    """Start citing in the session, with the numbers that its documents have already."""
    sources = list(Source.objects.filter(session=session))
    return Citing(
        offers={offer.label: offer for offer in offers},
        numbers={source.document_id: source.number for source in sources if source.document_id},
        next_number=max((source.number for source in sources), default=0) + 1,
        known=frozenset(source.document_id for source in sources if source.document_id),
    )


def cite_afresh(offers: Sequence[Offer]) -> Citing:
    """Start citing for an answer of no session, with numbers from 1."""
    return Citing(offers={offer.label: offer for offer in offers}, numbers={}, next_number=1)


# --- Claims and their support --------------------------------------------------------------


def claim_start(text: str, markers: Sequence[Marker], index: int) -> int:
    """Return where the claim of a marker begins: its sentence, less what other markers ended."""
    start = markers[index].start
    line = text.rfind("\n", 0, start) + 1
    if line + len(QUOTED) == start and text.startswith(QUOTED, line):  # below code or a table
        return text.rfind("\n\n", 0, line) + 2 if "\n\n" in text[:line] else 0
    if text.startswith(QUOTED, line):  # a quotation is one claim, however many sentences it has
        ends = [each.start + len(f"[{each.number}]") for each in markers[:index]]
        return max([line + len(QUOTED), *(end for end in ends if end > line)])
    spans = sentences(MARKER.sub(lambda match: " " * len(match.group()), text))
    begin = max((first for first, _ in spans if first < start), default=0)
    for earlier in markers[:index]:
        end = earlier.start + len(f"[{earlier.number}]")
        if begin < end < start and text[end:start].strip(" .;,"):
            begin = end
    return begin


def support(claim: str, passage: str) -> tuple[str, float]:
    """Return the passage's sentence that says most of the claim, and how much of it is there.

    The score is the share of the claim's terms that the passage has. A figure in the claim which
    the passage doesn't have keeps the score at 0.3 at most: a wrong number is a wrong claim.
    """
    claimed = set(terms(claim))
    spans = [passage[start:end] for start, end in sentences(passage)]
    if not claimed or not spans:
        return (spans[0] if spans else ""), 0.0
    best = max(spans, key=lambda sentence: len(claimed.intersection(terms(sentence))))
    score = len(claimed.intersection(terms(passage))) / len(claimed)
    figures = set(NUMBER.findall(claim)) - set(NUMBER.findall(passage))
    if figures - set(words(passage)):
        score = min(score, NUMBER_MISSING)
    return _snippet(best), round(score, 3)


def _snippet(sentence: str) -> str:
    """Return the sentence, or as many of its words as a quote may have."""
    ends = [found.end() for found in re.finditer(r"\S+", sentence)]
    most = settings.SNIPPET_LENGTH
    return sentence if len(ends) <= most else sentence[: ends[most - 1]]


def cite(turn: Turn, citing: Citing) -> list[Citation]:
    """Return the turn's citations, each checked against its passage; nothing is written yet."""
    citations = []
    for index, marker in enumerate(citing.markers):
        begin = claim_start(citing.text, citing.markers, index)
        claim = MARKER.sub("", citing.text[begin : marker.start])
        quote, score = support(claim, marker.offer.passage.text)
        citations.append(
            Citation(
                turn=turn,
                owner_id=turn.owner_id,
                passage=marker.offer.passage,
                start=marker.start,
                claim_start=begin,
                quote=quote,
                score=score,
            )
        )
    return citations


def present(passages: Collection[Passage]) -> frozenset[int]:
    """Return the ids of the passages that still are, and keep their documents from going.

    The documents stay locked until the caller's transaction ends; removal takes the same lock.
    """
    documents = sorted({passage.document_id for passage in passages})
    locked = Document.objects.filter(pk__in=documents).order_by("pk")
    list(locked.select_for_update(no_key=True).values_list("pk", flat=True))
    ids = [passage.pk for passage in passages]
    return frozenset(Passage.objects.filter(pk__in=ids).values_list("pk", flat=True))


def note_offered(turn: Turn, offers: Iterable[Offer]) -> None:
    """Note the private documents that the turn's answer may be built on; inside a transaction."""
    private = [offer.passage for offer in offers if offer.passage.owner_id]
    still = present(private) if private else frozenset()
    documents = {passage.document_id for passage in private if passage.pk in still}
    OfferedDocument.objects.bulk_create(
        [OfferedDocument(turn=turn, document_id=document) for document in documents],
        ignore_conflicts=True,
    )


def is_built_on_deleted(citing: Citing, still: Collection[int]) -> bool:
    """Tell whether the answer is built on a document of the person's own that is gone by now.

    That is one it cites; of an answer without citations, any that was offered.
    """
    offers = [marker.offer for marker in citing.markers] or list(citing.offers.values())
    passages = [offer.passage for offer in offers]
    return any(passage.owner_id and passage.pk not in still for passage in passages)


def store(
    turn: Turn, citing: Citing, citations: Sequence[Citation], still: Collection[int]
) -> None:
    """Write sources that are new to the session, and the citations; call inside a transaction.

    A shared document that went while the answer was written leaves its number and the quote.
    """
    numbers = {marker.number: marker.offer for marker in citing.markers}
    Source.objects.bulk_create(
        Source(
            session_id=turn.session_id,
            document_id=offer.document_id if offer.passage.pk in still else None,
            number=number,
        )
        for number, offer in numbers.items()
        if offer.document_id not in citing.known
    )
    sources = Source.objects.filter(session_id=turn.session_id, number__in=numbers)
    by_number = {source.number: source for source in sources}
    for marker, citation in zip(citing.markers, citations, strict=True):
        citation.source = by_number[marker.number]
        if marker.offer.passage.pk not in still:
            citation.passage = None
    Citation.objects.bulk_create(citations)
