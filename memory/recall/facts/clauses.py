"""The clauses of a message, and which of them its person says of themselves.

What is quoted or pasted is somebody else's; a question states nothing, nor does what begins with
"if", "imagine" or "my boss says".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from memory.recall.talk.small_talk import past_greeting
from memory.text.words import fold

# A longer message was pasted: only its beginning can be the person's own.
LONGEST, LONGEST_CLAUSE, MOST_CLAUSES = 1_500, 240, 40
# Code, quotations, markup, and all behind a line that announces it.
_FOREIGN = re.compile(
    r"```[\s\S]{0,1500}?(?:```|\Z)|`[^`\n]{1,200}`|^[ \t]*[>|].*$|<[^<>\n]{1,200}>"
    r"|[\"“”„«][^\"“”„»\n]{1,400}[\"“”»]|(?<!\w)['‘][^'’\n]{1,400}['’](?!\w)"
    r"|:[ \t]*\n(?s:.*)\Z|^(?:from|subject|to|sent|date):.*(?s:.*)\Z",
    re.IGNORECASE | re.MULTILINE,
)
_SENTENCE_END = re.compile(r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bSr)[.!?…;]+(?=\s|$)|\n+")
_OWN = (
    r"(?:i|i'?m|i'?ve|we|we'?re|my|our|yo|soy|vivo|trabajo|tengo|mi|ich|wir|meine?|bin|wohne|je"
    r"|j'\w+|nous|mon|ma)"
)
_ORDERS = (
    r"(?:please|pls|por favor|bitte|always|never|from now on|don'?t|stop|keep|use|answer|siempre"
    r"|nunca|immer|toujours)"
)
_ASKS = (
    r"(?:(?:what|how|who|where|when)(?:'?s)?|which|whose|why|is|are|am|do|does|did|can|could"
    r"|should|would|will|may|must|have|has|shall|que|cual|cuando|cuant[oa]s?|quien|donde|como"
    r"|puedo|debo|hay|wer|was|wo|wann|warum|wie|welche[rsnm]?|kann|darf|muss|soll|gibt|gilt"
    r"|quel(?:le)?s?|combien|est-ce|qui|ou|quand|comment|pourquoi|puis-je|qu'est-ce)"
)
_TASKS = r"(?:explain|describe|compare|list|summari[sz]e|tell|find|explica|compara|resume|erklare?)"
_JOINS = r"(?:and|but|so|because|then|y|pero|porque|und|aber|et|mais)"
# Of a further verb or state the subject stands in the clause before: "I live in Oslo and work".
_FURTHER = (
    r"(?:(?:also|now|still) )?(?:am|work|live|use|run|speak|have|like|love|enjoy|prefer|hate|moved"
    r"|switched|allergic|vegetarian|vegan|married|single|divorced|retired|an?|wohne|lebe|arbeite"
    r"|trabajo|vivo|tengo|from)"
)
_SEAM = re.compile(
    rf"\s*,?\s+{_JOINS}[\s,]+(?=(?:{_OWN}|{_ORDERS}|{_ASKS}|{_TASKS}|{_FURTHER})\b)"
    rf"|\s*,\s*(?:now\s+|ahora\s+)?(?=(?:{_OWN}|{_ORDERS}|{_ASKS}|{_TASKS}|{_FURTHER})\b)"
    rf"|\s*:\s+(?=(?:{_OWN}|{_ASKS}|{_TASKS})\b)|\s+[-–—]+\s+|\s*¿"
    r"|\s+(?=(?:what(?:'?s)?(?! (?:you|i)\b)|how|can i|do i)\b)"
    r"|(?<!m)(?<!re)(?<!ly)(?<!ed)(?<!een)(?<!ow)\s+(?=(?:living|based|working)\b)",
    re.IGNORECASE,
)
_QUESTION = re.compile(rf"\W*(?:(?:so|and|but|ok|y|und|et)\W+)*{_ASKS}\b", re.IGNORECASE)
# An order, however politely it is put.
_BEGS = re.compile(
    r"\W*(?:(?:can|could|would|will) you\b.*\b(?:always|from now on|your (?:answers|replies))\b"
    r"|(?:kannst|konntest|puedes|podrias|peux-tu|pourrais-tu|pouvez-vous)\b.*"
    r"\b(?:immer|ab jetzt|siempre|toujours)\b)",
    re.IGNORECASE,
)
# What makes all of its sentence something else than the person's own statement.
_NOT_OWN = re.compile(
    r"\W*(?:(?:so|and|but|ok|well|y|pero)\W+)*(?:if|unless|suppos\w+|imagin\w*|assum\w+|pretend"
    r"|whether|once|in case|let'?s (?:say|assume|pretend)|act as|translate|rewrite|correct"
    r"|i (?:wish|doubt|think|believe|guess|might|may|could|would|hope|never said|was told)"
    r"|nobody|no one|someone|they|he|she|people|everyone|according to|tell me|ask|like an?"
    r"|as an? .*\bwould\b|si|supon\w*|dicen?|segun|cuando|ojala|creo|traduce|wenn|falls|angenommen"
    r"|stell dir|ob|man|er|sie(?! (?:mussen|brauchen|konnen))|laut|ubersetze?|selon|quand|lorsque"
    r"|s'il (?!te|vous)|il|elle|traduis|je (?:crois|pense))\b"
    r"|[^,]{0,60}\b(?:says?|said|writes|wrote|told|states?|claims?|dice|dijo|steht|sagte?|schreibt"
    r"|dit que|ecrit que)\b",
    re.IGNORECASE,
)
_ASKS_FOR_NOD = re.compile(r"[,\s]\s*(?:ok|okay|right|please|deal|vale|thanks|stp)\s*$", re.I)


@dataclass(frozen=True)
class MessageClause:
    """A part of a message. `is_own`: its person states or orders something in it."""

    text: str
    is_own: bool
    # Whether it asks, and whether its sentence goes on from the clause before.
    is_question: bool = False
    goes_on: bool = False


@lru_cache(maxsize=8)
def clauses_of(message: str) -> tuple[MessageClause, ...]:
    """Return the clauses of a message behind its greeting, at most so many."""
    said = re.sub(r"[^\S\n]+", " ", past_greeting(message))
    own = _FOREIGN.sub(" ¶ ", said[:LONGEST].replace("’", "'"))
    found = [clause for sentence in _sentences(own) for clause in _clauses(*sentence)]
    if len(said) > LONGEST:
        found.append(MessageClause(said[LONGEST:], is_own=False))
    return tuple(found[:MOST_CLAUSES])


def _sentences(text: str) -> Iterator[tuple[str, bool]]:
    """Yield the sentences, and whether each ends with a question mark."""
    start = 0
    for end in _SENTENCE_END.finditer(text):
        yield text[start : end.start()], "?" in end.group()
        start = end.end()
    yield text[start:], False


def _clauses(sentence: str, asks: bool) -> Iterator[MessageClause]:
    folded = fold(sentence)
    seams = list(_SEAM.finditer(folded))
    starts = [0, *(seam.end() for seam in seams)]
    ends = [*(seam.start() for seam in seams), len(sentence)]
    is_own = not _NOT_OWN.match(folded)
    for number, (start, end) in enumerate(zip(starts, ends, strict=True)):
        text = sentence[start:end].strip(" \t,:.")
        said = fold(text)
        is_last = number == len(starts) - 1
        is_asked = asks and is_last and not (_ASKS_FOR_NOD.search(said) or _BEGS.match(said))
        is_question = is_asked or (bool(_QUESTION.match(said)) and not _BEGS.match(said))
        is_own = is_own and not is_question and not _NOT_OWN.match(said)
        if not text:
            continue
        if is_question:  # with all that follows
            rest = sentence[start:].strip(" \t,:") + ("?" if asks else "")
            yield MessageClause(rest, is_own=False, is_question=True, goes_on=number > 0)
            return
        fits = is_own and "¶" not in text and 3 <= len(text) <= LONGEST_CLAUSE
        yield MessageClause(text, is_own=fits, goes_on=number > 0)
