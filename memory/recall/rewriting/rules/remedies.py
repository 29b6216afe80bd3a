"""What is done about something, and what if it isn't done: "how do i change that?", "and if not?".

Each is about all that was said before. What helps mostly stands where the last answer was found,
which is read first.
"""

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

LONGEST = 90  # characters of what is so
_OPENS = rf"^\W*(?:{ANDS}\W+)*"
_ACTS = (
    r"(?:change|fix|stop|prevent|avoid|solve|undo|cure|resolve|get rid of|get (?:a)?round"
    r"|work around|deal with|do about|help against|protect (?:myself|ourselves) from)"
)
_HOW = re.compile(
    rf"{_OPENS}(?P<how>(?:how|what) (?:do|can|could|would|should|to)(?: (?:i|we|you|one))?"
    rf"(?: best)? {_ACTS}|can (?:i|we|you) {_ACTS})\s+(?:it|that|this)\b(?P<rest>[^?.!]{{0,30}}?)"
    r"\W*$",
    re.IGNORECASE,
)
# What is got rid of is no program that is removed, but an error that it shows.
_RID_OF = re.compile(r"\b(?:get rid of|do about)$", re.IGNORECASE)
_MAKE_STOP = re.compile(r"\bmake (?:it|that|this|them) stop(?: (?:it|that))?\b", re.IGNORECASE)
_ABROAD = re.compile(
    rf"{_OPENS}(?:was (?:kann|soll|muss) (?:ich|man|wir) dagegen (?:tun|machen|unternehmen)"
    r"|wie (?:verhinder|vermeid|änder|beheb|stopp|lös|umgeh)\w* (?:ich|man|wir) (?:das|es)"
    r"|wie (?:kann|könnte) (?:ich|man) (?:das|es) (?:verhindern|vermeiden|ändern|beheben|lösen"
    r"|umgehen)|wie (?:werde?|krieg\w*|bekomm\w*) (?:ich|man|wir) (?:das|es) (?:wieder )?"
    r"(?:los|weg)"
    r"|comment (?:l['’]|(?:je |on )?(?:peux?t? )?(?:l['’]))?(?:évite|empêche|chang|résou|corrig)\w*"
    r"(?: (?:ça|cela))?|c[oó]mo (?:(?:lo|la) (?:evit|cambi|arregl|soluci|impid)\w*"
    r"|(?:puedo |se puede )?(?:evitar|cambiar|arreglar|solucionar|impedir)l[oa]))\W*$",
    re.IGNORECASE,
)
# "Why are *all letters big*", "*youtube-dl says error 429*, what does that mean".
_WHY = re.compile(
    r"^(?:why|how come)(?: (?:is|are|was|were|does|do|did|has|have|can['’]?t|won['’]?t|isn['’]?t"
    r"|doesn['’]?t|don['’]?t))? (?P<so>.+)$",
    re.IGNORECASE,
)
# "When does *the quote renew*": nothing that is changed or solved, but it may be stopped.
_WHEN = re.compile(r"^when (?:does|do|did|will|is|are) (?P<so>.+)$", re.IGNORECASE)
_STOPS = re.compile(r"\b(?:stop|prevent|avoid)$", re.IGNORECASE)
_ASKS = re.compile(
    r"^(?:what|who|whose|which|where|when|how|is|are|was|were|will|would|should|do|does|did|has"
    r"|have|tell|explain|define|describe)\b",
    re.IGNORECASE,
)
_MAY = re.compile(r"^(?:can|could|may|might) (?P<so>(?!i\b|we\b|you\b|one\b).+)$", re.IGNORECASE)
_THEN_ASKS = re.compile(
    r"[,;.] (?:what|why|how|who|is|can|do|does|should)\b.*$", re.IGNORECASE | re.DOTALL
)
# "What if i don't?", "or else?", "und wenn nicht?", "et sinon ?".
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


def remedy(question: ReadQuestion, exchanges: Sequence[Exchange]) -> Rewrite | None:
    """Put what is so in the place of "that" in "how do i change that"."""
    previous = exchanges[-1]
    asked = asked_before(previous)
    if not asked:
        return None
    if _ABROAD.match(question.text):
        return Rewrite(
            once_more(asked, question.text, previous), ASKED_FURTHER, previous.positions, LIKELY
        )
    match = _HOW.match(_MAKE_STOP.sub("stop that", question.text))
    so = _what_is_so(asked, _STOPS.search(match["how"]) is not None) if match else ""
    if match is None or not 0 < len(so) <= LONGEST:
        return None
    how = _RID_OF.sub("solve", match["how"])
    told = f"{how} {so}{match['rest']}?"
    return Rewrite(told, ASKED_FURTHER, previous.positions, LIKELY)


def _what_is_so(asked: str, may_be_stopped: bool) -> str:
    """Return what the question says to be so, or nothing if it only asks."""
    told = _THEN_ASKS.sub("", asked)
    if found := _WHY.match(told) or _MAY.match(told) or (may_be_stopped and _WHEN.match(told)):
        return found["so"]
    return "" if _ASKS.match(told) or len(told.split()) < 3 else told


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
