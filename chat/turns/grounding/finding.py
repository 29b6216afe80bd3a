"""Searching for an answer: by the question as it stands alone, and in doubt by a model's rewrite.

A language model's rewrite is one more search. It is asked for while the built-in one searches, is
waited for no longer than LLM_REWRITE_TIMEOUT, and never takes the place of anything: a passage is
found by whichever search it fits better.
"""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import cache

from chat import llm
from chat.quoting import READ
from chat.quoting.names import literal_names, names_in
from chat.quoting.profiles import ASKED, BESIDE
from chat.turns.grounding.model_rewrite import begin_asking
from citations import index
from citations.index import index_terms
from citations.models import Document, Passage
from citations.retrieval import (
    FOUND,
    Before,
    Found,
    Scope,
    find_passages,
    found_by_either,
    ranked_anew,
    with_passages,
    worth_offering,
)
from citations.retrieval.fusing import Scores
from citations.session_focus.bias import Leaning, biased_passages
from memory.recall import Past, Recalled
from memory.recall.rewriting import (
    ASKED_FURTHER,
    MORE_OF_THE_SAME,
    TOPIC_CARRIED,
    Rewrite,
    is_doubtful,
)
from memory.recall.rewriting.selection.placing import without_behind
from memory.text.embedding import Embedded
from memory.text.words import stem, terms, words

# Below this the best passage fits so badly that the question may have been misunderstood.
FITS_BADLY = 0.45
# What FOUND passages fill of a window, in tokens, and how many are found at most.
FILLED_BY_FOUND, MOST_FOUND = 8_192, 60
# What holding all of a question's words would count in a passage's fit, as retrieval has it.
IN_FIT = 0.55
SHORTEST_INITIALS = 3
# So many passages are looked for by the question's names alone (a version has sections), and fit so
# well against the best; so many of the best stay before them.
FEW_NAMED, NAMED_FITS, BEFORE_NAMED = 5, 0.95, 3


def search(
    query: str,
    recalled: Recalled,
    past: Past,
    before: Before | None,
    scope: Scope,
    lean: Leaning,
    *,
    window: int,
    model: str = "",
) -> tuple[Recalled, list[Found]]:
    """Return what was found, and what was recalled with the rewrite that it was found by."""

    @cache
    def built_in(scope: Scope, limit: int) -> list[Found]:
        return find_passages(recalled.asked, scope=scope, limit=limit, before=before)

    has_more = recalled.rewrite.reason == MORE_OF_THE_SAME
    most = _most_worth_finding(window)
    asking = begin_asking(recalled, past, model) if is_doubtful(recalled.rewrite) else None
    found = biased_passages(built_in, scope, lean, more=has_more, limit=most)
    if recalled.rewrite.reason == ASKED_FURTHER:
        found = _cited_first(found, lean)
    if asking is None and max((each.fit for each in found), default=0.0) < FITS_BADLY:
        asking = begin_asking(recalled, past, model)
    rewrite = asking.result() if asking else None
    if rewrite is None or rewrite.query.strip() in (query.strip(), recalled.rewrite.query.strip()):
        return recalled, found

    by_model = Embedded(rewrite.query)

    def both(scope: Scope, limit: int) -> list[Found]:
        more = find_passages(by_model, scope=scope, limit=limit, before=before)
        return found_by_either(built_in(scope, limit), more)

    wider = biased_passages(both, scope, lean, more=has_more, limit=most)
    if _passages(worth_offering(wider)) <= _passages(worth_offering(found)):
        return recalled, wider
    return replace(recalled, rewrite=rewrite, asked=by_model), wider


def _most_worth_finding(window: int) -> int:
    """Return how many: a model's larger window is worth filling from further down."""
    if not llm.is_configured():
        return FOUND
    return min(MOST_FOUND, FOUND * max(1, window // FILLED_BY_FOUND))


def _cited_first(found: Sequence[Found], lean: Leaning) -> list[Found]:
    """Return first what the last answer cites: the reason of what it says stands there, or near."""
    newest = max((use.position for use in lean.uses), default=0)
    cited = {use.passage for use in lean.uses if use.position == newest}
    return ranked_anew(sorted(found, key=lambda each: each.passage.pk not in cited))


def _passages(found: Sequence[Found]) -> set[Passage]:
    return {each.passage for each in found}


def fitting_names(question: str, found: Sequence[Found]) -> list[Found]:
    """Return what was found with words of the question that name a document, by its file or by
    initials, counted as held by what stands in it: "mpl" for the Mozilla Public License.
    """
    asked = frozenset(terms(question))

    def fitted(each: Found) -> Found:
        names = len(naming(asked, each.passage.document))
        words = each.known_word_score or 0.0
        more = names / len(asked) * (1 - words) if names else 0.0
        return replace(each, known_word_score=words + more, fit=each.fit + IN_FIT * more)

    return [fitted(each) for each in found] if asked else list(found)


def naming(asked: Collection[str], document: Document) -> list[str]:
    """Return those of the terms that name the document by its file, or are its first initials."""
    title = words(document.title)
    initials = "".join(word[0] for word in title)
    file = set(terms(document.file_name)).difference(map(stem, title))
    return [
        term
        for term in asked
        if term in file or (len(term) >= SHORTEST_INITIALS and initials.startswith(term))
    ]


def with_named(typed: str, found: Sequence[Found], scope: Scope) -> list[Found]:
    """Return what was found with the passages that hold a name of the question, if none of the best
    does: a version is its section's heading, and nothing that is near it by meaning.
    """
    names = names_in(typed)
    goes_on = any(each.carried_over for each in found)
    if not names or not found or goes_on or any(holds(each, names) for each in found[:READ]):
        return list(found)
    terms_of_names = index_terms(" ".join(literal_names(typed)))
    fit, score = NAMED_FITS * found[0].fit, NAMED_FITS * found[0].score
    hits = index.by_words(terms_of_names, scope, FEW_NAMED)
    more = with_passages([Scores(hit.passage, score, fit, None, None, None) for hit in hits], scope)
    named = [each for each in more if holds(each, names)]
    others = [each for each in found if each.passage not in {each.passage for each in named}]
    return ranked_anew([*others[:BEFORE_NAMED], *named, *others[BEFORE_NAMED:]])


def holds(found: Found, names: Sequence[re.Pattern[str]]) -> bool:
    text = f"{found.passage.heading}\n{found.passage.text}"
    return any(name.search(text) for name in names)


def is_of_whole(question: str, scope: Scope) -> bool:
    """Tell whether "this" is the one document that the question is limited to: "what is this
    about?".
    """
    is_one = scope.documents is not None and len(scope.documents) == 1
    asks = any(pattern.search(question) for pattern in ASKED.values())
    return is_one and asks and BESIDE.issuperset(terms(question))


def unless_alone(recalled: Recalled, query: str, scope: Scope) -> Recalled:
    """Let a question stand alone that the library holds as typed at least as well as with words
    of the conversation put behind it, or, if it points at nothing, in the same place: what only
    may be needed has to help.
    """
    rewrite = recalled.rewrite
    if rewrite.query != query and is_of_whole(query, scope):
        return replace(recalled, rewrite=Rewrite(query, "stands_alone"), asked=recalled.typed)
    if rewrite.reason != TOPIC_CARRIED or not rewrite.query.startswith(query.rstrip(" ?!.")):
        return recalled
    typed, carried = (
        find_passages(each, scope=scope, limit=1) for each in (recalled.typed, recalled.asked)
    )
    if not typed:
        return recalled
    is_there = typed[0].passage == carried[0].passage and not recalled.question.leans_back
    if typed[0].fit < carried[0].fit and not is_there:
        return recalled
    return replace(recalled, rewrite=Rewrite(query, "stands_alone"), asked=recalled.typed)


# Words that say nothing without what they point at: "compare the first two".
POINTING = frozenset(
    terms(
        "compare compares compared difference better best worse one ones two three four first"
        " second third last former latter other others both each compara comparar diferencia"
        " mejor primero primera segundo segunda último dos tres otro otra ambos vergleiche"
        " unterschied beide erste zweite letzte zwei drei comparez différence premier deuxième"
        " dernier deux trois"
    )
)


def as_read(searched: Embedded, typed: Embedded) -> Embedded:
    """Return the question that sentences are compared with: words that were put behind it as a
    guess say where to look, not what is asked, unless it says nothing without them.
    """
    alone = without_behind(searched.text)
    if alone == searched.text or POINTING.issuperset(terms(alone)):
        return searched
    return typed if alone == typed.text else Embedded(alone)
