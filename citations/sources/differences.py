"""Differences between a document and the version that it replaces, passage by passage."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from citations.models import Document, Passage

# Maximum number of passages that are compared; some 200,000 words.
MOST_PASSAGES = 1000
# Passages in which a counterpart is sought, and the minimum share of common words.
NEIGHBOURS, SAME_WORDS = 5, 0.4


@dataclass
class VersionDifference:
    """The passages that were added, changed (before and after) and removed."""

    added: list[Passage] = field(default_factory=list)
    changed: list[tuple[Passage, Passage]] = field(default_factory=list)
    gone: list[Passage] = field(default_factory=list)
    is_cut: bool = False


def compare_versions(older: Document, newer: Document) -> VersionDifference:
    """Compare the passages of two documents in their order."""
    before, after = _read_first_passages(older), _read_first_passages(newer)
    found = VersionDifference(is_cut=max(older.passage_count, newer.passage_count) > MOST_PASSAGES)
    matcher = SequenceMatcher(None, _number_texts(before), _number_texts(after), autojunk=False)
    for kind, first, end, start, stop in matcher.get_opcodes():
        if kind != "equal":
            for pair in _pair_passages(before[first:end], after[start:stop]):
                _add_pair(found, *pair)
    return found


def _read_first_passages(document: Document) -> list[Passage]:
    return list(document.passages.order_by("position")[:MOST_PASSAGES])


def _number_texts(rows: Sequence[Passage]) -> list[tuple[str, int]]:
    """Return each text with its number of earlier occurrences: unique items compare fast."""
    counts: Counter[str] = Counter()
    numbered = []
    for row in rows:
        text = " ".join(row.text.split())
        numbered.append((text, counts[text]))
        counts[text] += 1
    return numbered


def _pair_passages(
    before: Sequence[Passage], after: Sequence[Passage]
) -> Iterator[tuple[Passage | None, Passage | None]]:
    """Pair passages that share most of their words; leave the others unpaired."""
    at = 0
    for row in after:
        nearby = before[at : at + NEIGHBOURS]
        shares = [_share_words(other, row) for other in nearby]
        best = max(shares, default=0.0)
        if best < SAME_WORDS:
            yield None, row
            continue
        place = shares.index(best)
        yield from ((other, None) for other in nearby[:place])
        yield nearby[place], row
        at += place + 1
    yield from ((row, None) for row in before[at:])


def _share_words(one: Passage, other: Passage) -> float:
    words, others = set(one.text.casefold().split()), set(other.text.casefold().split())
    return len(words & others) / max(len(words | others), 1)


def _add_pair(found: VersionDifference, old: Passage | None, new: Passage | None) -> None:
    if old is None and new is not None:
        found.added.append(new)
    elif new is None and old is not None:
        found.gone.append(old)
    elif old is not None and new is not None:
        found.changed.append((old, new))
