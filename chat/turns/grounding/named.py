"""Documents that a question names, and which edition: "Pfizer's revenues in Q2 2023".

One company's figures answer nothing that is asked about another's, nor those of one year about
another's, though they are told in the same words. What is named is searched once more by itself,
and what stands elsewhere counts for less.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from pathlib import PurePath

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
# How surely a question is about a document that only the ones before it name.
CARRIED = 0.6


@dataclass(frozen=True)
class Called:
    """What a question calls a document by: stems of names, and the times that it is of."""

    names: frozenset[str] = frozenset()
    periods: frozenset[str] = frozenset()

    @classmethod
    def by(cls, question: str) -> "Called":
        """Return the words of a question that may be names, and its years and quarters."""
        capitals = set(terms(" ".join(CAPITAL.findall(question))))
        rare = {term for term in terms(question) if rarity(term) >= RARE_AS_A_NAME}
        names = {term for term in capitals | rare if not (term.isdigit() or periods_of(term))}
        return cls(frozenset(names), periods_of(question))

    def __bool__(self) -> bool:
        return bool(self.names or self.periods)

    def with_rest_of(self, other: "Called") -> "Called":
        """Return it, with the other's names or times in the place of none."""
        return Called(self.names or other.names, self.periods or other.periods)

    def among(self, documents: Iterable[Document]) -> "Called":
        """Return what of it any of the documents is called by."""
        titles = [called(document) for document in documents]
        names = frozenset[str]().union(*(terms(title) for title in titles))
        periods = frozenset[str]().union(*(periods_of(title) for title in titles))
        return Called(self.names & names, self.periods & periods)

    def fit(self, document: Document) -> tuple[bool, int]:
        """Return whether the document has one of the names, and how many of the times."""
        title = called(document)
        return not self.names.isdisjoint(terms(title)), len(self.periods & periods_of(title))

    def is_of(self, passage: Passage, periods: int) -> bool:
        """Tell whether the passage may be of what is called so: it has the name, or its document,
        which is of so many of the times, or of none that it is called by.
        """
        has_name, has_periods = self.fit(passage.document)
        said = terms(f"{passage.heading}\n{passage.text}")
        is_of_time = has_periods == periods or not periods_of(called(passage.document))
        return is_of_time and (has_name or not self.names or not self.names.isdisjoint(said))


def with_those_named(
    question: str,
    before: Iterable[str],
    found: Sequence[Found],
    scope: Scope,
    search: Callable[[Scope], list[Found]],
) -> list[Found]:
    """Return what was found, with what fits best of the documents that are named; what stands
    elsewhere is marked, and behind it.

    What a question doesn't name is taken from those `before`, newest first, of one matter with it.
    """
    said = [Called.by(text) for text in (question, *before)]
    if not any(said) or any(each.carried_over for each in found):
        return list(found)
    names = frozenset[str]().union(*(each.names for each in said))
    documents = {*called_by(names, scope), *(each.passage.document for each in found)}
    asked, *others = [each.among(documents) for each in said]
    meant = reduce(Called.with_rest_of, others, asked)
    named = named_among(documents, meant)
    if not named:
        return list(found)
    inside = search(replace(scope, documents=frozenset(document.pk for document in named)))
    once = {each.passage: each for each in [*inside[:LOOKED_THROUGH], *found]}
    surely = 1.0 if asked == meant else CARRIED
    periods = max(meant.fit(document)[1] for document in named)
    marked = [
        replace(each, of_another=0.0 if meant.is_of(each.passage, periods) else surely)
        for each in once.values()
    ]
    return ranked_anew(sorted(marked, key=moved_by, reverse=True))


def moved_by(found: Found) -> float:
    """Return the score, moved by its document's standing, and less if another one is named."""
    return moved(found.score, found.bias * OF_ANOTHER**found.of_another)


def called_by(names: Iterable[str], scope: Scope) -> list[Document]:
    """Return documents that hold one of the words, most of them because they are called so."""
    wanted = index_terms(" ".join(names))
    hits = index.by_words(wanted, scope, LOOKED_AT) if wanted else []
    rows = Passage.objects.filter(scope.readable, pk__in=[hit.passage for hit in hits])
    return list(Document.objects.defer("file").filter(pk__in=rows.values("document")))


def named_among(documents: Iterable[Document], called: Called) -> set[Document]:
    """Return those that are called most by it, unless all are alike."""
    fits = {document: called.fit(document) for document in documents}
    best = max(fits.values(), default=None)
    among = {document for document in fits if fits[document] == best}
    return among if len(among) < len(fits) else set()


def called(document: Document) -> str:
    return f"{document.title}\n{PurePath(document.file_name).stem}"


def periods_of(text: str) -> frozenset[str]:
    """Return the years and quarters that a text names."""
    years = {year or f"20{short}" for year, short in YEAR.findall(text)}
    return frozenset(years | {f"q{one or other}" for one, other in QUARTER.findall(text)})
