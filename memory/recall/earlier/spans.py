"""Questions about what was said in a span of time, or in one conversation, with no subject named.

"What did we talk about last week?" names no subject that anything could be found by: it is asked
for by when. "Before" is in this conversation, unless it has only begun. In English, Spanish and
German.
"""

import re
from datetime import date
from enum import StrEnum

from memory.recall.rewriting.dates import Stretch

# What is longer is about something.
LONGEST = 120


class Which(StrEnum):
    """One of the earlier conversations, or the newest of them, each."""

    FIRST = "first"
    LAST = "last"
    NEWEST = "newest"


# Of a span its unit: the one before the question's.
_WHEN = {
    "day": r"yesterday|ayer|gestern",
    "week": r"last week|la semana pasada|(?:in der )?letzten? woche",
    "month": r"last month|el mes pasado|(?:im )?letzten monat",
    Which.FIRST: r"(?:in )?(?:our|my|the) (?:very )?first (?:conversation|chat|session)"
    r"|the first time|en (?:nuestra|mi|la) primera conversación"
    r"|(?:in )?(?:unserem|unser|meinem|im|in dem) ersten (?:gespräch|chat)|beim ersten mal",
    Which.LAST: r"(?:the )?last time|(?:in )?(?:our|my|the) (?:last|previous) "
    r"(?:conversation|chat|session)|la última vez|en (?:nuestra|mi|la) última conversación"
    r"|(?:in )?(?:unserem|meinem|im) letzten (?:gespräch|chat)|(?:beim )?letzten? mal",
    Which.NEWEST: r"in (?:our|my|the) (?:earlier|other|previous|past|last) "
    r"(?:conversation|chat|session)s|en (?:nuestras|mis|las) (?:otras |últimas )?"
    r"(?:conversaciones|charlas)(?: anteriores)?|in (?:unseren|meinen|den) (?:früheren|anderen"
    r"|letzten) (?:gesprächen|chats|unterhaltungen)",
    "before": r"before|earlier|previously|so far|until now|antes|hasta ahora|vorher|früher|bisher",
}
_ANY_WHEN = "|".join(f"(?P<{name}>{wording})" for name, wording in _WHEN.items())
_TELL = r"(?:(?:please|so|and|ok(?:ay)?|can you|could you|tell me|remind me)[,\s]+)*"
_ASKED = re.compile(
    rf"\W*{_TELL}(?:"
    r"what (?:did|have|had) (?:we|i) (?:talk(?:ed)?(?: about)?|discuss(?:ed)?|speak about"
    r"|spoken about|ask(?:ed)?(?: you)?(?: about)?|say|said|do|done|cover(?:ed)?|look(?:ed)? at)"
    r"|what were we (?:talking|speaking) about|what we (?:talked about|discussed|said)"
    r"|(?:de )?(?:qué|que) (?:hablamos|dijimos|discutimos|vimos|(?:te )?pregunté)"
    rf") (?:{_ANY_WHEN})\W*|\W*(?:worüber|was) (?:haben wir|habe ich)(?: dich)? "
    rf"(?:{_ANY_WHEN.replace('?P<', '?P<de_')})"
    r" (?:gesprochen|geredet|besprochen|gesagt|gefragt)\W*",
    re.IGNORECASE,
)


def asked_span(question: str, today: date, *, is_first: bool = False) -> Stretch | Which | None:
    """Return when that was said which the question asks for, if it asks for no subject; `is_first`
    if nothing was asked in its conversation yet.
    """
    if len(question) > LONGEST or not (asked := _ASKED.fullmatch(question)):
        return None
    name = next(name for name, said in asked.groupdict().items() if said).removeprefix("de_")
    if name == "before":
        return Which.NEWEST if is_first else None
    return Which(name) if name in list(Which) else Stretch(name, today).moved(name, -1)
