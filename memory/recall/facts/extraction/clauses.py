"""The clauses of a message in which its person says something themselves.

What is quoted or pasted is someone else's; a question states nothing, nor does what begins with
"if", "imagine" or "my boss says". So little is left that a pattern may look for "I live in".
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from memory.recall.talk.small_talk import past_greeting

# What is longer was pasted: only its beginning can be the person's own.
LONGEST, LONGEST_CLAUSE, MOST_CLAUSES = 1_500, 240, 40
# Of others: code, quotations, and everything behind a line that announces it.
_FOREIGN = re.compile(
    r"```[\s\S]{0,1500}?(?:```|\Z)|`[^`\n]{1,200}`|^[ \t]*[>|].*$|<[^<>\n]{1,200}>"
    r"|[\"“”„«][^\"“”„»\n]{1,400}[\"“”»]|(?<!\w)['‘][^'’\n]{1,400}['’](?!\w)"
    r"|:[ \t]*\n(?s:.*)\Z|^(?:from|subject|to|sent|date):.*(?s:.*)\Z",
    re.IGNORECASE | re.MULTILINE,
)
# So many blanks as one likes say no more than one, and each pattern below would try them all.
_BLANKS = re.compile(r"[^\S\n]+")
_SENTENCE_END = re.compile(
    r"(?<!\bDr)(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bProf)(?<!\bSra)(?<!\bSr)(?<!\bMme)"
    r"[.!?…;]+(?=\s|$)|\n+"
)
# Where another clause of the person's own may begin.
_STARTS = (
    r"(?:i|i'?m|i'?ve|im|ive|we|we'?re|my|our|please|plz|pls|always(?!\W*$)|never|from now on"
    r"|don'?t|dont"
    r"|stop|keep|use|yo|soy|vivo|mi|mis|por favor|siempre|nunca|trabajo|tengo|estoy|hablo|me"
    r"|ich|wir|mein|meine|bin|wohne|lebe|arbeite|habe|heiße|spreche|mag|nutze|benutze|bitte|immer"
    r"|je|j'(?=\w)|nous|mon|ma|mes|notre|nos|toujours|ne)"
)
_ASKS_STARTS = (
    r"(?:what'?s?|which|who'?s?|whom|whose|where'?s?|when|why|how'?s?|is|are|am|do|does|did|can|could|should|would"
    r"|will|may|must|have|has|shall|qué|cuál|quién|dónde|cuándo|cómo|puedo|wer|wo|wann|warum|wie"
    r"|welche[rsnm]?|kann|darf|muss|soll|gibt|gilt|quel(?:le)?s?|combien|est-ce|qui|où|quand|comment|pourquoi|puis-je|dois-je|qu'est-ce"
    r"|was (?:ist|sind|kostet|gilt|passiert|muss|kann|darf|steht|bedeutet|heißt|sagt))"
)
_ORDER_STARTS = (
    r"(?:explain|describe|compare|list|summari[sz]e|tell|find|explica|compara|resume|erkläre?"
    r"|vergleiche?|fasse)"
)
_SEAM = re.compile(
    rf"\s*,?\s+(?:and|but|so|because|y|pero|porque|und|aber)\s+(?={_STARTS}\b)"
    rf"|\s*,?\s+(?:and|but|so|y|pero|und|aber)\s+(?=(?:what'?s?|which|how'?s?|qué|welche[rsnm]?)\b)"
    rf"|\s*,\s*(?:and\s+|but\s+|so\s+|¿\s*)?(?=(?:{_STARTS}|{_ASKS_STARTS})\b)"
    rf"|\s*:\s+(?=(?:{_ASKS_STARTS}|{_ORDER_STARTS})\b)|\s+-+\s+|\s+–\s+|\s*¿",
    re.IGNORECASE,
)
# "I live in Oslo and work at sea": what the second verb leaves out; behind what is only wished or
# possible, or said of others, it would be no statement.
_SUBJECT = re.compile(r"^\W*(i|we)(?P<am>'?m| am|'?re| are)?\b", re.IGNORECASE)
_LEFT_OUT = re.compile(
    r"\s*(?:,|,?\s+(?:and|but))\s+(?=(?:(?:also|now|still|really|currently)\s+)?"
    r"(?:am|work|live|use|run|speak|have|like|love|enjoy|prefer|hate|dislike|avoid|don'?t|can'?t"
    r"|moved|relocated|switched|turned"
    r"|(?P<state>allergic|vegetarian|vegan|married|single|divorced|engaged|widowed|pregnant"
    r"|diabetic|retired|based|living|working|from|an?(?! (?:bit|lot)\b)))\b)"
    # "I'm a nurse living in Leeds", "I'm 34 from Lyon".
    r"|(?<=\w)\s+(?=(?P<beside>living|based|working|from)\s)",
    re.IGNORECASE,
)
_SOMEBODY = re.compile(r"\b(?:an?|\d\d) ?|(?-i:[A-ZÀ-Ý])[\w'-]+$", re.IGNORECASE)
_NOT_YET = re.compile(
    r"\b(?:want\w*|would|will|won'?t|might|may|could|can|should|must|need\w*|hope|plan\w*|going to"
    r"|tr(?:y|ying|ied)|used to|wish|dream\w*|intend|asked|told|know|people|someone|who|that|if"
    r"|when|möchte|würde|will|wollte|soll|könnte)\b|'(?:d|ll)\b",
    re.IGNORECASE,
)
_ASKS = re.compile(rf"^\W*(?:(?:so|and|but|ok|okay|y|pero)\W+)*{_ASKS_STARTS}\b", re.IGNORECASE)
# An order, however politely it is put.
_BEGS = re.compile(
    r"^\W*(?:(?:please|pls|plz|por favor|bitte)\b"
    r"|(?:can|could|would|will) you (?:please )?(?:always|from now on)\b"
    r"|(?:can|could|would|will) you[^?]{1,60}\b(?:from now on|your (?:answers|replies|responses))\b"
    r"|(?:kannst|könntest|puedes|podrías|peux-tu|pourrais-tu|pouvez-vous|pourriez-vous) [^?]{0,60}"
    r"\b(?:immer|ab jetzt|künftig|siempre|toujours|désormais)\b|s'il (?:te|vous) plaît\b)",
    re.IGNORECASE,
)
# What makes all that follows in its sentence something else than the person's statement.
_NOT_SO = re.compile(
    r"^\W*(?:(?:so|and|but|ok|okay|well|hmm|y|pero)\W+)*"
    r"(?:if|unless|suppose|supposing|imagine|assume(?!.*\b(?:from now on|(?:in|for) all)\b)"
    r"|assuming|pretend|whether|once|in case|as if"
    r"|let'?s (?:say|assume|pretend|imagine)|act as|say(?:ing)?\b(?! hi)|translate|rewrite|correct"
    "|i (?:wish|doubt|think|believe|guess|suppose|might|may|could|would"
    "|dreamed|never said|was told)"
    "|it'?s (?:not )?true|nobody|no one|someone|they|he|she|you(?!"
    " (?:can|may|could|don|do not|need|no longer))|people|everyone|according"
    " to"
    r"|tell me|ask|what|how|when|remember when|like (?:a|an|the)\b"
    # "As a lawyer would say"; but "as a nurse I work at night" speaks of oneself.
    r"|as (?:a|an|the)\b(?! [\w -]{2,30}?,? (?:i|my|we|our)\b)"
    r"|si|imagina|supón|supongamos|dice|dicen|según|cuando|ojalá|creo|traduce"
    r"|wenn|falls|angenommen|stell dir|nehmen wir|ob|man|er|sie(?! (?:müssen|brauchen|können"
    r"|dürfen))|laut|übersetze?|ich (?:wünschte"
    r"|glaube|denke|dachte|wäre|würde)|als ob"
    r"|imagine[zr]|imaginons|supposons|selon|d'après|quand|lorsque|s'il (?!te\b|vous\b)|il|elle"
    r"|traduis|traduisez|je (?:crois|pense))\b"
    r"|^(?!\W*(?:please )?(?:forget|ignore|delete) (?:what|all|everything)"
    r" i\b)[^,]{0,60}\b(?:says?|said|writes|wrote|told|states?|claims?|reads?|dice|dijo|escribe"
    r"|steht|sagt|sagte|schreibt|schrieb|behauptet|dit que|affirme|écrit que)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class OwnClause:
    """Something that the person says; `is_whole` if their message says nothing else."""

    text: str
    is_whole: bool


def is_question(clause: str) -> bool:
    """Return whether the clause begins as a question does, and begs for nothing."""
    return bool(_ASKS.match(clause)) and not _BEGS.match(clause)


def own_clauses(message: str) -> list[OwnClause]:
    """Return what the person states or wishes, clause by clause, at most so many."""
    own = _BLANKS.sub(" ", message[:LONGEST].replace("’", "'"))
    own = past_greeting(_FOREIGN.sub(" ¶ ", own))
    sentences = [sentence for sentence in _SENTENCE_END.split(own) if sentence.strip(" ,¶")]
    ends = _SENTENCE_END.findall(own)
    asking = ["?" in end for end in ends] + [False] * len(sentences)
    found = []
    for sentence, asks in zip(_SENTENCE_END.split(own), asking, strict=False):
        found += [clause for clause in _stated(sentence, asks=asks) if clause]
    is_whole = len(sentences) == 1 and len(found) == 1 and "?" not in own
    return [OwnClause(text, is_whole) for text in found[:MOST_CLAUSES]]


def _stated(sentence: str, *, asks: bool) -> Iterator[str]:
    """Yield the clauses of a sentence that state something."""
    if _NOT_SO.match(sentence) or is_question(sentence):
        return
    clauses = _SEAM.split(sentence)
    for at, clause in enumerate(clauses):
        is_last = at == len(clauses) - 1
        if is_question(clause) or _NOT_SO.match(clause):
            return  # and so is what follows
        is_asked = asks and is_last and not (_TAG.search(clause) or _BEGS.match(clause))
        if "¶" in clause or is_asked:
            continue
        if 3 <= len(clause.strip()) <= LONGEST_CLAUSE:
            yield from (part.strip(" \t,:") for part in _with_their_subject(clause))


def _with_their_subject(clause: str) -> Iterator[str]:
    """Yield the clause, parted where a further verb or state has its subject from the first."""
    subject = _SUBJECT.match(clause)
    if subject is None or _NOT_YET.search(clause):
        yield clause
        return
    who, am = ("We", "We are") if subject[1].lower() == "we" else ("I", "I'm")
    led_by, at, is_state = "", 0, subject["am"] is not None
    for seam in _LEFT_OUT.finditer(clause):
        state = seam["state"] or seam["beside"]
        if state and not is_state:
            continue
        if seam["beside"] and not _SOMEBODY.search(clause[at : seam.start()]):
            continue
        yield led_by + clause[at : seam.start()]
        is_state, at = state is not None, seam.end()
        led_by = f"{am if is_state else who} "
    yield led_by + clause[at:]


# "…, ok?" asks for a nod only.
_TAG = re.compile(
    r"(?:,|\s)\s*(?:ok|okay|right|please|deal|vale|alright|thanks)\s*$", re.IGNORECASE
)
