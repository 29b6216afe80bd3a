"""Answers of a model in the forms that models write, and passages that they may cite."""

from collections.abc import Iterable, Sequence

from uuid_utils.compat import uuid7

from citations.attribution.offers import Offer
from citations.attribution.streaming import Citing
from citations.models import Passage

FIRST, SECOND = uuid7(), uuid7()


def offered(*texts: str) -> Citing:
    """Offer passages of these texts, every second of another document."""
    offers = {
        label: Offer(label, Passage(pk=label, text=text), FIRST if label % 2 else SECOND)
        for label, text in enumerate(texts or ("", "", "", ""), start=1)
    }
    return Citing(offers=offers, numbers={}, next_number=1)


def fed(answer: str, passages: Sequence[str] = (), *, cuts: Iterable[int] = ()) -> Citing:
    """Let the answer stream, cut in these places; what was given out is what is stored."""
    citing, given_out, at = offered(*passages), "", 0
    for cut in [*sorted(cuts), len(answer)]:
        given_out += citing.feed(answer[at:cut])
        at = cut
    given_out += citing.close()
    assert given_out == citing.text
    return citing
