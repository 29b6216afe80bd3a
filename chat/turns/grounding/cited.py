"""What is asked of a document as a whole without naming it is asked of the one cited last."""

import re
from collections.abc import Sequence
from dataclasses import replace

from chat.quoting.profiles import ASKED, BESIDE, ProfileQuestion
from citations.models import Citation, Document, Passage
from citations.retrieval import Scope
from memory.models import Turn
from memory.models.conversations import Rewriting
from memory.recall import Past, Recalled, Stored
from memory.recall.rewriting import ReadQuestion, Rewrite
from memory.recall.rewriting.exchanges import LIKELY, REFERENCE_RESOLVED
from memory.recall.rewriting.selection.placing import put
from memory.text.embedding import Embedded
from memory.text.words import terms

# Only documents have these; "how long is it?" may be asked of anything.
OF_DOCUMENTS = (ProfileQuestion.AUTHORS, ProfileQuestion.OUTLINE)
# "What is it about?", which is asked of no thing: that is what one is, or does.
_ABOUT = re.compile(
    r"\babout\W*$|\bde qué (?:trata|va|habla)|\bworum geht|\bwovon handelt"
    r"|\bde quoi (?:parle|traite)",
    re.IGNORECASE,
)
# What has an author of its own: "which song is sung there?", "who wrote it?".
_WORKS = re.compile(
    r"\b(?:song|poem|novel|play|opera|symphony|movie|film|anthem|hymn|story|letter|lied|gedicht"
    r"|roman|oper|hymne|brief|canción|poema|novela|himno|carta|película|chanson|poème|roman|lettre)"
    r"e?[ns]?\b",
    re.IGNORECASE,
)


def of_cited(recalled: Recalled, past: Past, scope: Scope) -> tuple[Recalled, Scope]:
    """Return the question with the title of the document that the last answer cites first, and the
    scope of that document, if it is asked of a document and names none: "who wrote it?".
    """
    typed = recalled.typed.text
    told = recalled.rewrite.reason in (Rewriting.AS_TYPED, Rewriting.GIVEN)
    is_limited = scope.documents is not None and len(scope.documents) == 1
    if told or is_limited or not isinstance(past, Stored) or not _asks_of_document(typed):
        return recalled, scope
    turn = past.last_answered
    document = _cited_first(turn, scope) if turn else None
    if turn is None or document is None or _WORKS.search(turn.query):
        return recalled, scope
    query = put(ReadQuestion(typed), " ".join(document.title.split()))
    rewrite = Rewrite(query, REFERENCE_RESOLVED, (turn.position,), LIKELY)
    narrowed = replace(scope, documents=frozenset([document.pk]))
    return replace(recalled, rewrite=rewrite, asked=Embedded(query)), narrowed


def cited_before(past: Past, scope: Scope) -> tuple[Sequence[Passage], float]:
    """Return the passages that the last answer cites and that are still there, in its order, and
    how likely they answered.
    """
    turn = past.last_answered if isinstance(past, Stored) else None
    if turn is None:
        return [], 0.0
    rows = Citation.objects.filter(turn=turn, passage__isnull=False).order_by("start")
    cited = list(dict.fromkeys(rows.values_list("passage", flat=True)))
    there = Passage.objects.filter(scope.readable, pk__in=cited).select_related("document")
    passages = sorted(there, key=lambda passage: cited.index(passage.pk))
    return passages, turn.answerability or 0.0


def _asks_of_document(typed: str) -> bool:
    asks = any(ASKED[each].search(typed) for each in OF_DOCUMENTS)
    asks = asks or bool(ASKED[ProfileQuestion.SUBJECT].search(typed) and _ABOUT.search(typed))
    return asks and BESIDE.issuperset(terms(typed))


def _cited_first(turn: Turn, scope: Scope) -> Document | None:
    """Return the document that the answer cites first, if it can still be asked about."""
    rows = Citation.objects.filter(turn=turn, passage__isnull=False).order_by("start")
    cited = rows.select_related("passage__document").first()
    document = cited.passage.document if cited and cited.passage else None
    in_scope = document and (scope.documents is None or document.pk in scope.documents)
    return document if in_scope else None
