"""Known facts of a person that count for a question in its session."""

import hashlib
import re
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from uuid import UUID

from django.db.models import Q, QuerySet

from memory.models import Fact, FactKind, Purpose, Session, User
from memory.models.conversations import Reach
from memory.personal_data import consent
from memory.recall.facts.extraction import extract_facts
from memory.recall.wordings import compile_pattern, join_patterns, read_wordings
from memory.text.embedding import Embedded, Vectors, embed_message, get_embedder
from memory.text.words import fold

# Most wishes in a prompt, and most facts for a question.
MOST_WISHES, MOST_FACTS = 8, 6
# Least cosine of a fact with a question that needs it. Of 70 questions over 14 facts 11 of 21 that
# need one are given it, and 5 of 49 that need none are.
BEARS = 0.33


@dataclass(frozen=True)
class KnownFacts:
    """The facts about a person that count: one row for each subject, the oldest first."""

    facts: Sequence[Fact] = ()

    @property
    def wishes(self) -> list[Fact]:
        """Their wishes for answers: the same in each prompt until they change."""
        return [row for row in self.facts if row.kind == FactKind.WISH][-MOST_WISHES:]

    def bearing_on(self, asked: Embedded) -> list[Fact]:
        """Return the facts that the question needs, the nearest first."""
        return self.near(asked, at_least=BEARS)[:MOST_FACTS]

    def near(self, asked: Embedded, *, at_least: float) -> list[Fact]:
        """Return the facts, except wishes, at least this near to the question, nearest first."""
        engine, vector = get_embedder(), asked.vector
        facts = [row for row in self.facts if row.kind != FactKind.WISH]
        if engine is None or vector is None or not facts:
            return []
        vectors = [_embed_fact(row.text) for row in facts]
        scores = [0.0 if each is None else float(each @ vector) / engine.spread for each in vectors]
        ranked = sorted(zip(scores, facts, strict=True), key=lambda pair: pair[0], reverse=True)
        return [row for score, row in ranked if score >= at_least]

    def wished(self, aspect: str) -> str:
        """Return the value that the person wishes for an aspect of answers, or an empty text."""
        for row in reversed(self.wishes):
            for each in extract_facts(row.text):
                if each.subject == aspect and not each.ends:
                    return each.value
        return ""


NOTHING_KNOWN = KnownFacts()
MOST_VECTORS = 2_000
_vectors: OrderedDict[bytes, Vectors] = OrderedDict()


def read_known_facts(session: Session) -> KnownFacts:
    """Return the facts that count in the session: three plain queries, one if nothing is known.

    Facts of other sessions count while the person consents, and the reach of both sessions allows
    it. A single statement takes three times as long to compose.
    """
    rows = list(_select_facts(session.owner_id, session.pk))
    if not rows:
        return NOTHING_KNOWN
    # After the rows, so that a concurrent withdrawal counts.
    shared = [row for row in rows if row.is_shared]
    is_allowed = bool(shared) and consent.allows(session.owner_id, Purpose.RECALL)
    reached = (
        _find_reached_sessions(session, shared) if is_allowed and session.recalls else frozenset()
    )

    def counts(row: Fact) -> bool:
        if row.is_shared and not is_allowed:
            return False
        return row.session_id == session.pk or row.session_id in reached

    return _select_newest(row for row in rows if counts(row))


def _select_facts(owner: UUID, session: UUID) -> QuerySet[Fact]:
    said = Q(session=session) | Q(is_shared=True)
    return Fact.objects.live(User(pk=owner)).current().filter(said)


def _find_reached_sessions(session: Session, shared: Sequence[Fact]) -> frozenset[UUID | None]:
    """Return the other sessions whose facts count in this one; None stands for no session."""
    others = {row.session_id for row in shared if row.session_id} - {session.pk}
    if not others or session.reach != Reach.EVERYTHING:
        return frozenset([None])
    reachable = Session.objects.owned(session.owner).recallable().filter(pk__in=others)
    return frozenset([None, *reachable.values_list("pk", flat=True)])


def _select_newest(rows: Iterable[Fact]) -> KnownFacts:
    """Return one row for each subject, the oldest first."""
    in_order = sorted(rows, key=lambda row: (row.valid_from, row.pk))
    newest = {(row.kind, row.subject): row for row in in_order}
    return KnownFacts(sorted(newest.values(), key=lambda row: (row.valid_from, row.pk)))


def read_shared_facts(owner: User) -> KnownFacts:
    """Return the facts that count in every session that recalls others: one query."""
    rows = (
        Fact.objects.visible(owner).current().filter(consent.build_allowed_filter(Purpose.RECALL))
    )
    return _select_newest(rows.filter(is_shared=True))


def _embed_fact(text: str) -> Vectors | None:
    """Embed the text, or read its vector by its digest: no text outlives an erasure in memory."""
    key = hashlib.sha256(text.encode()).digest()
    vector = _vectors.pop(key, None)
    if vector is None:
        vector = embed_message(text)
    if vector is not None:
        _vectors[key] = vector
    if len(_vectors) > MOST_VECTORS:
        _vectors.popitem(last=False)
    return vector


LONGEST_ASKED = 160
# Least cosine of a fact that answers a question about its person. Of 15 such questions in four
# languages 12 lie above it, and none of 60 questions on documents in similar words.
ANSWERS = 0.45
_QUESTIONS = read_wordings(Path(__file__).parent / "questions.toml")
_OF_SEVERAL = frozenset("we us our nuestro nuestra unser unsere nous notre".split())


def find_answer(question: str, known: KnownFacts) -> Sequence[Fact] | None:
    """Return the facts that answer a question about its person; None if it is none."""
    said = _normalise_question(question)
    if asks_for_all(question):
        return list(known.facts)
    for wording, *subjects in _QUESTIONS["personal"]:
        if _fits(wording, said):
            found = [row for row in known.facts if _is_on(row, subjects)]
            # A document may answer a question about several people.
            return found if found or not _OF_SEVERAL.intersection(said.split()) else None
    is_own = _fits(join_patterns(_QUESTIONS["of_oneself"]), said) and not compile_pattern(
        join_patterns(_QUESTIONS["asks_for_rights"])
    ).search(said)
    near = known.near(Embedded(question), at_least=ANSWERS) if is_own else []
    return near[:1] or None


def asks_for_all(question: str) -> bool:
    """Return whether the question asks for everything known about its person."""
    return _fits(join_patterns(_QUESTIONS["everything"]), _normalise_question(question))


def asks_for_erasure(question: str) -> bool:
    """Return whether everything known about the person is to be forgotten."""
    return _fits(join_patterns(_QUESTIONS["erasure"]), _normalise_question(question))


def sort_wishes_last(facts: Sequence[Fact]) -> list[Fact]:
    """Return the facts in their order in texts: wishes last."""
    return sorted(facts, key=lambda row: row.kind == FactKind.WISH)


def _is_on(row: Fact, subjects: Sequence[str]) -> bool:
    return any(
        row.subject == each or (each.endswith(":") and row.subject.startswith(each))
        for each in subjects
    )


def _normalise_question(question: str) -> str:
    said = re.findall(r"\w+", fold(question[: LONGEST_ASKED + 1]).lower().replace("'s", "s"))
    return " ".join(said) if len(question) <= LONGEST_ASKED else ""


def _fits(wording: str, said: str) -> bool:
    polite, behind = join_patterns(_QUESTIONS["polite"]), join_patterns(_QUESTIONS["behind"])
    return compile_pattern(rf"{polite}(?:{wording}){behind}").fullmatch(said) is not None
