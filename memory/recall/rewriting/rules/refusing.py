"""What if it isn't done: "what if i don't?", "and if not?", "und wenn nicht?", "et sinon ?"."""

import re
from collections.abc import Sequence

from memory.recall.rewriting.exchanges import (
    ASKED_FURTHER,
    LIKELY,
    REFERENCE_RESOLVED,
    Exchange,
    Rewrite,
)
from memory.recall.rewriting.language.questions import ReadQuestion
from memory.recall.rewriting.rules.again import ANDS, asked_before, once_more

_NOT = r"(?:do|does|did|ca|wo|would|could|should)(?:n['’]?t| not)|cannot|can not|will not"
_IF_NOT = re.compile(
    rf"^\W*(?:{ANDS}\W+)*(?:(?:"
    rf"(?P<asks>(?:what (?:happens |then )?)?if (?P<who>i|we|you|they|he|she|one) (?P<not>{_NOT}))"
    r"(?: do)?(?: (?:it|that|this|so))?)"
    r"|(?:what )?if not|or else|otherwise"
    r"|(?:was(?: ist| passiert)?,? )?wenn (?:(?:ich|man|wir|sie|er) )?(?:(?:das|es|dies) )?nicht"
    r"(?: (?:mache?n?|tue?n?|tut|macht|kann|will))?|(?:was )?sonst|ansonsten"
    r"|sinon|si (?:je|on|nous) ne (?:le |l['’])?(?:fais|fait|faisons|peux|peut) pas"
    r"|(?:qué pasa )?si no(?: (?:lo|la) (?:hago|hace|hacemos))?)\W*$",
    re.IGNORECASE,
)
# "How fast do i have to *pay an invoice*".
_ACT = re.compile(
    r"\b(?:i|we|you|they|he|she|one)\s+(?:(?:have|need|ought|got|want|supposed) to\s+"
    r"|(?:must|should|can|may)\s+)?(?P<act>[^\W\d_]{2,}(?:\s.+)?)$",
    re.IGNORECASE,
)


def if_it_is_not_done(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Say what isn't done: what was asked about before."""
    match, previous = _IF_NOT.match(question.text), exchanges[-1]
    asked = asked_before(previous)
    if match is None or not asked:
        return None
    act = _ACT.search(asked) if match["asks"] else None
    if act:
        told = f"{match['asks']} {act['act']}?"
        return Rewrite(told, REFERENCE_RESOLVED, previous.positions, LIKELY)
    return Rewrite(
        once_more(asked, question.text, previous), ASKED_FURTHER, previous.positions, LIKELY
    )
