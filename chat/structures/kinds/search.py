"""Search: the places that speak of something, by document."""

from collections.abc import Sequence
from typing import ClassVar

from django.utils.translation import gettext_lazy as _
from pydantic import Field

from chat.structures.definition import Evidence, Question, Structure
from chat.structures.outputs import Claim, Output, Row, Rows, Text
from chat.structures.quoting import best_by_passage, embolden_question

MOST_PLACES = 8


class Place(Row):
    name: Text = Field(default="", description="the document")
    text: Claim = Field(default="", description="what it says there, with [n]")


class Places(Output):
    titles: ClassVar = {"name": _("Document"), "text": _("What it says")}

    rows: Rows[Place] = ()


def quote_places(question: Question, passages: Sequence[Evidence]) -> Output | None:
    """Quote the best unit of each passage, with the question's words marked."""
    best = best_by_passage(passages)[:MOST_PLACES]
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
)
