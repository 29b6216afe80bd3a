"""Documents that a question names, and which edition: "Pfizer's revenues in Q2 2023".

One company's figures answer nothing that is asked about another's, nor those of one year about
another's, though they are told in the same words. What is named is searched once more by itself,
and what stands elsewhere counts for less.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace

from citations import index
from citations.attribution.checking.rarity import rarity
from citations.index import index_terms
from citations.models import Document, Passage
from citations.retrieval import Found, Scope, ranked_anew
from citations.session_focus.bias import moved
from memory.text.words import terms

# A word may be a name if it is so rare in English at large, or has a capital where none is due.
RARE_AS_A_NAME = 0.77
CAPITAL = re.compile(r"(?<=[^\s.?!:] )[A-Z][^\W\d_]+")
# "2023", "FY23"; "Q2", "2Q", "2023Q2".
YEAR = re.compile(r"(?:(?<!\d)|(?<=q\d))((?:19|20)\d\d)(?!\d)|\bfy ?'?(\d\d)(?!\d)", re.IGNORECASE)
QUARTER = re.compile(r"(?<![^\W\d_])q([1-4])(?!\d\d?(?!\d))|(?<!\d)([1-4])q", re.IGNORECASE)
# So many passages are looked at that hold such a word, and so many come in of documents that are
# named; the score of others is moved by this, as for a document that the person prefers less.
LOOKED_AT, LOOKED_THROUGH, OF_ANOTHER = 100, 8, 0.6


def with_those_named(
    question: str, found: Sequence[Found], scope: Scope, search: Callable[[Scope], list[Found]]
) -> list[Found]:
    """Return what was found, with what fits best of the documents that the question names; what
    stands elsewhere is marked, and behind it.
    """
    names, periods = names_of(question), periods_of(question)
    if not (names or periods) or any(each.carried_over for each in found):
        return list(found)
    documents = {*called_by(names, scope), *(each.passage.document for each in found)}
    named = named_among(documents, names, periods)
    if not named:
        return list(found)
    inside = search(replace(scope, documents=frozenset(document.pk for document in named)))
    once = {each.passage: each for each in [*inside[:LOOKED_THROUGH], *found]}

    def is_of_another(passage: Passage) -> bool:
        said = terms(f"{passage.heading}\n{passage.text}")
        is_about_it = not periods and not names.isdisjoint(said)
        return passage.document not in named and not is_about_it

    marked = [replace(each, is_of_another=is_of_another(each.passage)) for each in once.values()]
    return ranked_anew(sorted(marked, key=moved_by, reverse=True))


def moved_by(found: Found) -> float:
    """Return the score, moved by its document's standing, and less if another one is named."""
    return moved(found.score, found.bias * (OF_ANOTHER if found.is_of_another else 1.0))


def called_by(names: Iterable[str], scope: Scope) -> list[Document]:
    """Return documents that hold one of the words, most of them because they are called so."""
    wanted = index_terms(" ".join(names))
    hits = index.by_words(wanted, scope, LOOKED_AT) if wanted else []
    rows = Passage.objects.filter(scope.readable, pk__in=[hit.passage for hit in hits])
    return list(Document.objects.defer("file").filter(pk__in=rows.values("document")))


def named_among(
    documents: Iterable[Document], names: AbstractSet[str], periods: AbstractSet[str]
) -> set[Document]:
    """Return those that are called most by the names and periods, unless all are alike."""

    def fit(document: Document) -> tuple[bool, int]:
        called = f"{document.title}\n{document.file_name}"
        return not names.isdisjoint(terms(called)), len(periods_of(called) & periods)

    fits = {document: fit(document) for document in documents}
    best = max(fits.values(), default=None)
    among = {document for document in fits if fits[document] == best}
    return among if len(among) < len(fits) else set()


def names_of(question: str) -> set[str]:
    """Return the stems of the words of a question that may be names."""
    capitals = set(terms(" ".join(CAPITAL.findall(question))))
    rare = {term for term in terms(question) if rarity(term) >= RARE_AS_A_NAME}
    return {term for term in capitals | rare if not (term.isdigit() or periods_of(term))}


def periods_of(text: str) -> set[str]:
    """Return the years and quarters that a text names."""
    years = {year or f"20{short}" for year, short in YEAR.findall(text)}
    return years | {f"q{one or other}" for one, other in QUARTER.findall(text)}
