"""What a question names: documents, and which edition ("Pfizer's revenues in Q2 2023"), versions.

One company's figures answer nothing that is asked about another's, nor those of one year about
another's, though they are told in the same words. What is named is searched once more by itself,
and what stands elsewhere counts for less.
"""

import re
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from pathlib import PurePath
from uuid import UUID

from django.db.models import QuerySet

from chat.quoting import READ
from chat.quoting.names import literal_names, names_in
from citations import index
from citations.attribution.checking.rarity import rarity
from citations.index import index_terms
from citations.models import Document, Passage
from citations.retrieval import Found, Scope, ranked_anew, with_passages
from citations.retrieval.fusing import Scores
from citations.session_focus.bias import moved
from memory.text.words import stem, terms, words

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
# What holding all of a question's words would count in a passage's fit, as retrieval has it.
IN_FIT = 0.55
SHORTEST_INITIALS = 3
# So many passages are looked for by the question's names alone (a version has sections), and fit so
# well against the best; so many of the best stay before them.
FEW_NAMED, NAMED_FITS, BEFORE_NAMED = 5, 0.95, 3


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
        titles = [title_of(document) for document in documents]
        names = frozenset[str]().union(*(terms(title) for title in titles))
        periods = frozenset[str]().union(*(periods_of(title) for title in titles))
        return Called(self.names & names, self.periods & periods)

    def fit(self, document: Document) -> tuple[bool, int]:
        """Return whether the document has one of the names, and how many of the times."""
        title = title_of(document)
        return not self.names.isdisjoint(terms(title)), len(self.periods & periods_of(title))


@dataclass(frozen=True)
class NamedDocuments:
    """How well documents fit what they are called by."""

    called: Called
    fits: Mapping[Document, tuple[bool, int]]

    @cached_property
    def best(self) -> frozenset[UUID]:
        """The keys of those that fit best; none, if all fit alike."""
        best = max(self.fits.values(), default=None)
        keys = frozenset(document.pk for document, fit in self.fits.items() if fit == best)
        return keys if len(keys) < len(self.fits) else frozenset()

    def is_of_another(self, passage: Passage) -> bool:
        """Return whether the passage is of another time, by what its document is called, or of
        another name, by what it says as well.
        """
        has_name, periods = self.fits[passage.document]
        most = max(self.fits.values())[1]
        if periods != most and periods_of(title_of(passage.document)):
            return True
        names, said = self.called.names, f"{passage.heading}\n{passage.text}"
        return not has_name and bool(names) and names.isdisjoint(terms(said))


def with_documents_named(
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
    is_one = scope.documents is not None and len(scope.documents) == 1
    if is_one or not any(said) or any(each.carried_over for each in found):
        return list(found)
    names = frozenset[str]().union(*(each.names for each in said))
    documents = {*called_by(names, scope), *(each.passage.document for each in found)}
    asked, *others = [each.among(documents) for each in said]
    meant = reduce(Called.with_rest_of, others, asked)
    named = NamedDocuments(meant, {document: meant.fit(document) for document in documents})
    if not named.best:
        return list(found)
    surely = 1.0 if asked == meant else CARRIED
    inside = search(replace(scope, documents=named.best))[:LOOKED_THROUGH]
    once = {each.passage: each for each in [*inside, *found]}
    marked = [
        replace(each, of_another=surely * named.is_of_another(each.passage))
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
    if not hits:
        return []
    return list(_holding(scope.owner, scope.documents, [hit.passage for hit in hits]))


def _holding(
    owner: UUID | None, documents: frozenset[UUID] | None, passages: list[int]
) -> QuerySet[Document]:
    rows = Passage.objects.filter(Scope(owner, documents).readable, pk__in=passages)
    return Document.objects.defer("file").filter(pk__in=rows.values("document"))


def title_of(document: Document) -> str:
    return f"{document.title}\n{PurePath(document.file_name).stem}"


def periods_of(text: str) -> frozenset[str]:
    """Return the years and quarters that a text names."""
    years = {year or f"20{short}" for year, short in YEAR.findall(text)}
    return frozenset(years | {f"q{one or other}" for one, other in QUARTER.findall(text)})


# --- What stands by its name ----------------------------------------------------------------------


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


def with_passages_naming(typed: str, found: Sequence[Found], scope: Scope) -> list[Found]:
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
