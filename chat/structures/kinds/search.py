"""Search: the places that mention a subject, by document."""

import re
from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from chat.structures.definition import Evidence, Question, Structure
from chat.structures.outputs import Claim, Output, Row, Rows, Text
from chat.structures.quoting import embolden_question, select_by_passage
from memory.text.words import extract_terms

MOST_PLACES = 8
# The words behind the verb are searched verbatim. In English, Spanish, German and French.
MENTIONS = re.compile(
    r"\b(?:mention(?:s|ed|ing|nent|ne|nant)?|contains?|mencion(?:a|an|en)|contienen?|erwähn(?:t|en)"
    r"|enthalten|enthält|contient|contiennent)\b\s+(?P<what>[^?.!]{2,80})",
    re.IGNORECASE,
)


class Place(Row):
    name: Text = Field(default="", description="the document")
    text: Claim = Field(default="", description="what it says there, with [n]")


class Places(Output):
    titles: ClassVar = {"name": _("Document"), "text": _("What it says")}

    rows: Rows[Place] = ()


def read_words(question: str) -> str:
    """Parse the words that the question wants found verbatim."""
    found = MENTIONS.search(question)
    return found["what"].strip() if found else ""


def quote_places(question: Question, passages: Sequence[Evidence]) -> Output | None:
    """Quote the best unit of each passage, with the question's words marked.

    If the question wants words verbatim, only units with all of them are quoted; otherwise those
    with any of its words, if there are some.
    """
    wanted, asked = (
        set(extract_terms(each)) for each in (read_words(question.text), question.text)
    )
    holding = [each for each in passages if wanted <= set(extract_terms(each.text))]
    best = select_by_passage(holding)[:MOST_PLACES]
    marked = [each for each in best if not asked.isdisjoint(extract_terms(each.text))]
    best = marked or best
    documents = list(dict.fromkeys(each.document for each in best))
    best.sort(key=lambda each: documents.index(each.document))
    rows = [Place(name=each.document, text=embolden_question(each, question.text)) for each in best]
    return Places(rows=rows) if rows else None


STRUCTURE = Structure(
    name="search",
    label=_("Search results"),
    output=Places,
    instruction="List the documents that speak of it, one row each, with what they say.",
    examples={
        "en": [
            "Find all candidates who know Python",
            "Which documents mention the termination clause?",
            "List everyone with experience in banking",
            "Search for passages about data protection",
            "Who knows Kubernetes?",
            "Show all places where penalties are mentioned",
        ],
        "es": [
            "Busca todos los candidatos que saben Python",
            "¿Qué documentos mencionan la cláusula de rescisión?",
            "Lista a todos con experiencia en banca",
            "Busca pasajes sobre protección de datos",
            "¿Quién sabe Kubernetes?",
        ],
        "de": [
            "Finde alle Bewerber, die Python können",
            "Welche Dokumente erwähnen die Kündigungsklausel?",
            "Suche Stellen zum Datenschutz",
        ],
        "fr": [
            "Trouve tous les candidats qui connaissent Python",
            "Quels documents mentionnent la clause de résiliation ?",
            "Cherche les passages sur la protection des données",
        ],
    },
    quote=quote_places,
    read_words=read_words,
)
